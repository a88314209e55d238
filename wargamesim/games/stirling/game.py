"""Swords of Stirling as the rest of the package sees it: see `games.registry.Game`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wargamesim.games.registry import Event, Metric
from wargamesim.games.stirling import layout
from wargamesim.games.stirling import odds as exact
from wargamesim.games.stirling.layout import OUTCOMES, SIDES

if TYPE_CHECKING:
    import numpy as np

    from wargamesim.games.stirling.scenario import Scenario, Setup
    from wargamesim.rulebook import Rulebook
    from wargamesim.table import Table

# What is measured of each side: its name, where it stands in the tally, unit and meaning.
_MEASURES = (
    ("removed", layout.REMOVED, "men", "men removed (SS-8.2)"),
    ("dead", layout.DEAD, "men", "men lost before rounding; what is rounded away is dead less removed (SS-8.3)"),
    ("left", layout.IN_ORDER, "men", "men in units in order when the battle ended (SS-11.1)"),
    ("routs", layout.ROUTS, "times", "units that were routed (SS-9.4)"),
    ("dispersed", layout.DISPERSALS, "units", "units that were dispersed (SS-9.5, SS-5.10)"),
    ("destroyed", layout.DESTRUCTIONS, "units", "units without a man left (SS-8.5)"),
    ("recovered", layout.RECOVERIES, "times", "routed units that recovered (SS-10.2)"),
    ("leaders_lost", layout.LEADERS_LOST, "Leaders", "Leaders who fell or left with their unit (SS-8.6)"),
    ("charges", layout.CHARGES, "times", "charges that it declared (SS-7.3)"),
    ("interceptions", layout.INTERCEPTIONS, "times", "moves of the enemy that it intercepted (SS-6.1)"),
    ("volleys", layout.VOLLEYS, "times", "turns in which its units shot, unit by unit (SS-4.1)"),
    ("own_shot", layout.OWN_SHOT, "men", "men lost to their own side's missiles, before rounding (SS-4.4)"),
    ("free_strikes", layout.FREE_STRIKES, "times", "attacks that it made on fleeing units (SS-5.8)"),
    ("splits", layout.SPLITS, "times", "units that became two (SS-6.2)"),
    ("mergers", layout.MERGERS, "times", "units that joined another (SS-6.3)"),
)

# Metrics that are read off the tally, and where.
TALLIED = {f"{side}_{name}": tally + i for name, tally, _, _ in _MEASURES for i, side in enumerate(SIDES)}

# The largest number that a column can hold: an army that loses more men than this before rounding is counted so.
MOST = 2**15 - 1


class Stirling:
    """Swords of Stirling: rulebook and scenario in, odds and battles out.

    What only battles need is imported by them: the exact odds answer without it.
    """

    name = "stirling"
    sides = SIDES
    outcomes = OUTCOMES
    metrics = (
        Metric("turns", "turns", "how long the battle lasted (SS-2.1)"),
        *(Metric(f"{side}_{name}", unit, text) for name, _, unit, text in _MEASURES for side in SIDES),
    )
    questions = exact.questions

    def scenarios(self) -> list[str]:
        """Return the names of the shipped scenarios."""
        from wargamesim.games.stirling.scenario import scenarios

        return scenarios()

    def load_scenario(self, name_or_path: str, folder: Path | None = None) -> Scenario:
        """Load a shipped scenario or a file."""
        from wargamesim.games.stirling.scenario import load_scenario

        return load_scenario(name_or_path, folder)

    def restore_scenario(self, source: Mapping[str, Any]) -> Scenario:
        """Build a scenario again from its source."""
        from wargamesim.games.stirling.scenario import restore_scenario

        return restore_scenario(source)

    def compile(self, rulebook: Rulebook, scenario: Scenario) -> Setup:
        """Set up one cell."""
        from wargamesim.games.stirling.scenario import compile_setup

        return compile_setup(rulebook, scenario)

    def play(self, setup: Setup, key: int, first: int, count: int) -> dict[str, np.ndarray]:
        """Play many battles."""
        import numpy as np

        from wargamesim.games.stirling.battle import play

        records, _ = play(setup, key, first, count)
        columns: dict[str, np.ndarray] = {
            "outcome": records[:, 0].astype(np.int8),
            "turns": records[:, 1].astype(np.int16),
        }
        return columns | {
            name: np.minimum(records[:, 2 + tally], MOST).astype(np.int16) for name, tally in TALLIED.items()
        }

    def referee(self, setup: Setup, key: int, battle: int) -> Iterator[Event]:
        """Play one battle literally."""
        from wargamesim.games.stirling.referee import referee

        return referee(setup, key, battle)

    def odds(self, rulebook: Rulebook, question: str, options: Mapping[str, str]) -> Table:
        """Answer a question exactly."""
        return exact.answer(rulebook, question, options)


GAME = Stirling()
