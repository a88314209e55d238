"""Coloniale as the rest of the package sees it: see `games.registry.Game`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wargamesim.games.coloniale import layout
from wargamesim.games.coloniale import odds as exact
from wargamesim.games.coloniale.layout import OUTCOMES, SIDES
from wargamesim.games.registry import Event, Metric

if TYPE_CHECKING:
    import numpy as np

    from wargamesim.games.coloniale.scenario import Scenario, Setup
    from wargamesim.rulebook import Rulebook
    from wargamesim.table import Table

# What is measured of each side: its name, where it stands in the tally, unit and meaning.
_MEASURES = (
    ("shot", layout.LOST_TO_RIFLES, "figures", "figures lost to rifles (CO-4.2)"),
    ("shelled", layout.LOST_TO_CANNONS, "figures", "figures lost to cannons (CO-4.3)"),
    ("cut_down", layout.LOST_TO_DICE, "figures", "figures lost to the dice of assaults (CO-5.2)"),
    ("beaten", layout.LOST_TO_DEFEAT, "figures", "figures lost as losers of assaults (CO-5.6b, CO-8.3, CO-P18)"),
    ("left", layout.FIGURES_LEFT, "figures", "figures left when the battle ended (CO-P30)"),
    ("destroyed", layout.DESTRUCTIONS, "units", "units without a figure left (CO-1.5)"),
    ("volleys", layout.VOLLEYS, "times", "turns in which its units fired, unit by unit (CO-3.2)"),
    ("put", layout.MARKERS_PUT, "markers", "suppression markers that its fire put (CO-4.4)"),
    ("rallied", layout.MARKERS_RALLIED, "markers", "suppression markers that its units took off (CO-4.1)"),
    ("suppressed", layout.MARKERS_LEFT, "markers", "suppression markers on its units when the battle ended (CO-4.5)"),
    ("assaults", layout.ASSAULTS, "times", "assaults that it chose to make (CO-5.1)"),
    ("pursuits", layout.PURSUITS, "times", "assaults that it made as pursuer (CO-5.10)"),
    ("forced", layout.FORCED, "times", "assaults that it had to make on its way back (CO-5.9)"),
    ("won", layout.WON, "times", "assaults that it won (CO-5.3)"),
    ("rises", layout.RISES, "times", "rises of its units' discipline (CO-5.7a)"),
    ("falls", layout.FALLS, "times", "falls of its units' discipline (CO-5.7b)"),
    ("mergers", layout.MERGERS, "times", "battalions that joined another (CO-6.3)"),
    ("splits", layout.SPLITS, "times", "battalions that became two (CO-6.4)"),
    ("reinforcements", layout.REINFORCEMENTS, "times", "battalions that got figures of another (CO-6.5)"),
    ("marches", layout.MARCHES, "times", "strategic moves of its columns (CO-7.1)"),
    ("wrong_ways", layout.WRONG_WAYS, "times", "wrong branches that its columns took (CO-7.3)"),
    ("drifts", layout.DRIFTS, "times", "errors of its columns off the road (CO-7.5e)"),
    ("zones", layout.ZONES_HELD, "zones", "zones held when the battle ended (CO-8.1)"),
)

# Metrics that are read off the tally, and where.
TALLIED = {f"{side}_{name}": tally + i for name, tally, _, _ in _MEASURES for i, side in enumerate(SIDES)}

# The largest number that a column can hold.
MOST = 2**15 - 1


class Coloniale:
    """The game of Coloniale: rulebook and scenario in, odds and battles out.

    What only battles need is imported by them: the exact odds answer without it.
    """

    name = "coloniale"
    sides = SIDES
    outcomes = OUTCOMES
    metrics = (
        Metric("turns", "turns", "how long the battle lasted (CO-1.1)"),
        *(Metric(f"{side}_{name}", unit, text) for name, _, unit, text in _MEASURES for side in SIDES),
    )
    questions = exact.questions

    def scenarios(self) -> list[str]:
        """Return the names of the shipped scenarios."""
        from wargamesim.games.coloniale import scenario

        return scenario.scenarios()

    def load_scenario(self, name_or_path: str, folder: Path | None = None) -> Scenario:
        """Load a shipped scenario or a file."""
        from wargamesim.games.coloniale import scenario

        return scenario.load_scenario(name_or_path, folder)

    def restore_scenario(self, source: Mapping[str, Any]) -> Scenario:
        """Build a scenario again from its source."""
        from wargamesim.games.coloniale import scenario

        return scenario.restore_scenario(source)

    def compile(self, rulebook: Rulebook, scenario: Any) -> Setup:
        """Set up one cell."""
        from wargamesim.games.coloniale.scenario import compile_setup

        return compile_setup(rulebook, scenario)

    def play(self, setup: Setup, key: int, first: int, count: int) -> dict[str, np.ndarray]:
        """Play many battles."""
        import numpy as np

        from wargamesim.games.coloniale.battle import play

        records, _ = play(setup, key, first, count)
        columns: dict[str, np.ndarray] = {
            "outcome": records[:, 0].astype(np.int8),
            "turns": records[:, 1].astype(np.int16),
        }
        for name, tally in TALLIED.items():
            columns[name] = np.minimum(records[:, 2 + tally], MOST).astype(np.int16)
        return columns

    def referee(self, setup: Setup, key: int, battle: int) -> Iterator[Event]:
        """Play one battle literally."""
        from wargamesim.games.coloniale.referee import referee

        return referee(setup, key, battle)

    def odds(self, rulebook: Rulebook, question: str, options: Mapping[str, str]) -> Table:
        """Answer a question exactly."""
        return exact.answer(rulebook, question, options)


GAME = Coloniale()
