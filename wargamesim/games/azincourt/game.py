"""Azincourt as the rest of the package sees it: see `games.registry.Game`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wargamesim.games.azincourt import odds as exact
from wargamesim.games.azincourt.layout import FIRST_MOVER, LOST, MUD_FACTOR, OWN_SHOT, PLANTED, UNHORSED
from wargamesim.games.azincourt.rules import OUTCOMES, SIDES
from wargamesim.games.registry import Event, Metric

if TYPE_CHECKING:
    import numpy as np

    from wargamesim.games.azincourt.scenario import Scenario, Setup
    from wargamesim.rulebook import Rulebook
    from wargamesim.table import Table

# Metrics that are read off the tally, and where.
TALLIED = {
    "mud": MUD_FACTOR,
    "first_mover": FIRST_MOVER,
    **{f"{side}_losses": LOST + i for i, side in enumerate(SIDES)},
    **{f"{side}_unhorsed": UNHORSED + i for i, side in enumerate(SIDES)},
    **{f"{side}_stakes": PLANTED + i for i, side in enumerate(SIDES)},
    **{f"{side}_own_shot": OWN_SHOT + i for i, side in enumerate(SIDES)},
}

_TEXTS = {
    "mud": ("squares", "the mud factor (AZ-2.1)"),
    "first_mover": ("side", "0 if the English moved first, 1 if the French (AZ-2.4)"),
    "losses": ("pieces", "pieces removed (AZ-7.1)"),
    "unhorsed": ("pieces", "knights unhorsed by arrows or in close combat (AZ-4.3, AZ-6.3)"),
    "stakes": ("stakes", "stakes planted (AZ-2.6)"),
    "own_shot": ("pieces", "pieces removed by their own side's cannon (AZ-5.6)"),
}


def _metric(name: str) -> Metric:
    unit, text = _TEXTS[name if name in _TEXTS else name.partition("_")[2]]
    return Metric(name, unit, text)


class Azincourt:
    """The game of Azincourt: rulebook and scenario in, odds and battles out.

    What only battles need is imported by them: the exact odds answer without it.
    """

    name = "azincourt"
    sides = SIDES
    outcomes = OUTCOMES
    metrics = (
        Metric("turns", "turns of both sides", "how long the battle lasted"),
        *(_metric(name) for name in TALLIED),
    )
    questions = exact.questions

    def scenarios(self) -> list[str]:
        """Return the names of the shipped scenarios."""
        from wargamesim.games.azincourt.scenario import scenarios

        return scenarios()

    def load_scenario(self, name_or_path: str, folder: Path | None = None) -> Scenario:
        """Load a shipped scenario or a file."""
        from wargamesim.games.azincourt.scenario import load_scenario

        return load_scenario(name_or_path, folder)

    def restore_scenario(self, source: Mapping[str, Any]) -> Scenario:
        """Build a scenario again from its source."""
        from wargamesim.games.azincourt.scenario import restore_scenario

        return restore_scenario(source)

    def compile(self, rulebook: Rulebook, scenario: Scenario) -> Setup:
        """Set up one cell."""
        from wargamesim.games.azincourt.scenario import compile_setup

        return compile_setup(rulebook, scenario)

    def play(self, setup: Setup, key: int, first: int, count: int) -> dict[str, np.ndarray]:
        """Play many battles."""
        import numpy as np

        from wargamesim.games.azincourt.battle import play

        records, _ = play(setup, key, first, count)
        columns: dict[str, np.ndarray] = {
            "outcome": records[:, 0].astype(np.int8),
            "turns": records[:, 1].astype(np.int16),
        }
        return columns | {name: records[:, 2 + tally].astype(np.int16) for name, tally in TALLIED.items()}

    def referee(self, setup: Setup, key: int, battle: int) -> Iterator[Event]:
        """Play one battle literally."""
        from wargamesim.games.azincourt.referee import referee

        return referee(setup, key, battle)

    def odds(self, rulebook: Rulebook, question: str, options: Mapping[str, str]) -> Table:
        """Answer a question exactly."""
        return exact.answer(rulebook, question, options)


GAME = Azincourt()
