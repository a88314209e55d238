"""The skirmish game as the rest of the package sees it: see `games.registry.Game`.

What battles need is imported when they are asked for, so that the exact odds come at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wargamesim.games.registry import Event, Metric, Scenario
from wargamesim.games.skirmish import layout
from wargamesim.games.skirmish import odds as exact
from wargamesim.games.skirmish.layout import OUTCOMES, SIDES

if TYPE_CHECKING:
    import numpy as np

    from wargamesim.games.skirmish.scenario import Setup
    from wargamesim.rulebook import Rulebook
    from wargamesim.table import Table

# A metric of each side: its name, the tally it is read off, its unit and meaning.
_TALLIED = (
    ("killed", layout.KILLED, "figures", "shot, cut down, wounded to the end, burnt or drowned (NA-5.3, NA-7.10)"),
    ("routed", layout.ROUTS, "routs", "figures that broke, those rallied later too (NA-8.5, RI-8.5)"),
    ("rallied", layout.RALLIES, "figures", "brought back after a rout (NA-2.9, RI-2.11)"),
    ("prisoners", layout.PRISONERS, "figures", "taken by the other side and not freed (NA-7.13, RI-7.9)"),
    ("left", layout.GONE, "figures", "gone from the table by its edge"),
    ("loads", layout.LOADS_AWAY, "loads", "taken off the table"),
    ("pinned", layout.PINNED, "activations", "lost to suppression: attempts that ended pinned (NA-8.4, RI-8.4)"),
    ("activations", layout.ACTIVATIONS, "activations", "attempts to activate a figure"),
    ("shots", layout.SHOTS_FIRED, "shots", "fired, volleys and misfires included"),
    ("misfires", layout.MISFIRES, "shots", "that misfired (NA-4.2)"),
    ("hits", layout.HITS, "hits", "scored, whoever was hit (NA-4.11, RI-4.4)"),
    ("own_hit", layout.OWN_HIT, "hits", "on its own figures (NA-4.7, NA-4.9)"),
    ("volleys", layout.VOLLEYS, "volleys", "fired (NA-4.16)"),
    ("rounds", layout.ROUNDS_FOUGHT, "rounds", "of close combat that it began (NA-7.2, RI-7.2)"),
    ("evasions", layout.EVASIONS, "evasions", "from close combat (NA-7.3)"),
)


class Skirmish:
    """Skirmishes of single figures, by the rulebooks nordamerica and risorgimento: odds and battles."""

    name = "skirmish"
    sides = SIDES
    outcomes = OUTCOMES
    metrics = (
        Metric("turns", "turns", "how long the battle lasted"),
        *(Metric(f"{side}_{name}", unit, text) for name, _, unit, text in _TALLIED for side in SIDES),
    )
    questions = exact.questions

    def scenarios(self) -> list[str]:
        """Return the names of the shipped scenarios."""
        from wargamesim.games.skirmish import scenario

        return scenario.scenarios()

    def load_scenario(self, name_or_path: str, folder: Path | None = None) -> Scenario:
        """Load a shipped scenario or a file."""
        from wargamesim.games.skirmish import scenario

        return scenario.load_scenario(name_or_path, folder)

    def restore_scenario(self, source: Mapping[str, Any]) -> Scenario:
        """Build a scenario again from its source."""
        from wargamesim.games.skirmish import scenario

        return scenario.restore_scenario(source)

    def compile(self, rulebook: Rulebook, scenario: Any) -> Setup:
        """Set up one cell."""
        from wargamesim.games.skirmish.scenario import compile_setup

        return compile_setup(rulebook, scenario)

    def play(self, setup: Setup, key: int, first: int, count: int) -> dict[str, np.ndarray]:
        """Play many battles."""
        import numpy as np

        from wargamesim.games.skirmish.battle import play

        records, _ = play(setup, key, first, count)
        columns: dict[str, np.ndarray] = {
            "outcome": records[:, 0].astype(np.int8),
            "turns": records[:, 1].astype(np.int16),
        }
        for name, tally, _, _ in _TALLIED:
            for i, side in enumerate(SIDES):
                columns[f"{side}_{name}"] = records[:, 2 + tally + i].astype(np.int16)
        return columns

    def referee(self, setup: Setup, key: int, battle: int) -> Iterator[Event]:
        """Play one battle literally."""
        from wargamesim.games.skirmish.referee import referee

        return referee(setup, key, battle)

    def odds(self, rulebook: Rulebook, question: str, options: Mapping[str, str]) -> Table:
        """Answer a question exactly."""
        return exact.answer(rulebook, question, options)


GAME = Skirmish()
