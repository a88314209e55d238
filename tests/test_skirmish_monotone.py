"""One more figure, a better die, a steadier man: nothing that should help a side lowers its paired win rate.

Both cells play with the same dice. A test fails if the two-sided interval of the difference in score lies below zero:
the chance that any of them does though nothing is wrong is FAMILY. So that this can be told from a test which sees
nothing at all, the largest changes must show a gain beyond the same interval.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from tests.skirmish_battles import book_of, scenario
from wargamesim.games.skirmish.game import GAME
from wargamesim.study.intervals import normal_quantile

FAMILY = 1e-3
SCORES = np.array([1.0, 0.0, 0.5, 0.5])


@dataclass(frozen=True)
class Help:
    """What helps which side of a scenario: paths of the scenario, before and after, and of the rules likewise."""

    name: str
    side: int
    worse: dict[str, Any] = field(default_factory=dict)
    better: dict[str, Any] = field(default_factory=dict)
    rules: dict[str, Any] = field(default_factory=dict)
    better_rules: dict[str, Any] = field(default_factory=dict)


LINE, WOOD, FARM, BERSAGLIERI = (
    "line_against_line",
    "line_against_wood_edge",
    "farmhouse",
    "bersaglieri_against_line",
)
FIRST_LINE, SECOND_LINE = "first.squads.company.regular", "second.squads.company.regular"
AIMED = {"first.doctrine": "aimed_line", "second.doctrine": "aimed_line"}
CHARGES = {"first.doctrine": "assault", "second.doctrine": "aimed_line"}

HELPS = {
    "a seventh regular in a line that fires volleys": Help(
        LINE, 0, {f"{FIRST_LINE}.count": 6}, {f"{FIRST_LINE}.count": 7}
    ),
    "a ninth regular": Help(LINE, 0, AIMED | {f"{FIRST_LINE}.count": 8}, AIMED | {f"{FIRST_LINE}.count": 9}),
    "a ninth regular of the second side": Help(
        LINE, 1, AIMED | {f"{SECOND_LINE}.count": 8}, AIMED | {f"{SECOND_LINE}.count": 9}
    ),
    "a regular more against the wood": Help(
        WOOD, 0, {"first.squads.left.regular.count": 8}, {"first.squads.left.regular.count": 9}
    ),
    "a warrior more in the wood": Help(
        WOOD, 1, {"second.squads.indians.warrior.count": 3}, {"second.squads.indians.warrior.count": 4}
    ),
    "a rifleman more against the farmhouse": Help(
        FARM, 0, {"first.squads.left.rifleman.count": 5}, {"first.squads.left.rifleman.count": 6}
    ),
    "a volunteer more in the yard": Help(
        FARM, 1, {"second.squads.yard.volunteer.count": 4}, {"second.squads.yard.volunteer.count": 5}
    ),
    "rifled muskets with a D12, not a D10": Help(
        BERSAGLIERI, 0, rules={"weapons.rifled_musket.die": 10}, better_rules={"weapons.rifled_musket.die": 12}
    ),
    "smoothbores with a D8, not a D6": Help(
        BERSAGLIERI, 1, rules={"weapons.smoothbore_musket.die": 6}, better_rules={"weapons.smoothbore_musket.die": 8}
    ),
    "bayonets with a D12, not a D8, for those who charge": Help(
        LINE,
        0,
        CHARGES | {f"{SECOND_LINE}.arm": "improvised"},
        CHARGES | {f"{SECOND_LINE}.arm": "improvised"},
        {"melee.arms.bayonet": 8},
        {"melee.arms.bayonet": 12},
    ),
    "veterans in the line": Help(
        LINE, 1, AIMED | {f"{SECOND_LINE}.quality": "regular"}, AIMED | {f"{SECOND_LINE}.quality": "veteran"}
    ),
    "veterans among the attackers of the farmhouse": Help(
        FARM,
        0,
        {"first.squads.middle.rifleman.quality": "conscript"},
        {"first.squads.middle.rifleman.quality": "veteran"},
    ),
    "breech-loaders": Help(
        FARM,
        0,
        *(
            {f"first.squads.{name}.rifleman.loading": how for name in ("left", "middle", "right")}
            for how in ("muzzle", "breech")
        ),
    ),
    "repeaters in the house": Help(
        FARM, 1, {"second.squads.house.carabineer.repeater": False}, {"second.squads.house.carabineer.repeater": 7}
    ),
    "steadier regulars": Help(
        LINE,
        0,
        AIMED | {f"{SECOND_LINE}.quality": "irregular"},
        AIMED | {f"{SECOND_LINE}.quality": "irregular"},
        {"quality.regular.morale": -1},
        {"quality.regular.morale": 1},
    ),
}
# Changes so large that they must be seen.
PLAIN = ("repeaters in the house", "steadier regulars", "rifled muskets with a D12, not a D10", "a ninth regular")
LEVEL = 1 - FAMILY / len(HELPS)


def scores(case: Help, changes: dict[str, Any], rules: dict[str, Any], battles: int) -> Any:
    setup = GAME.compile(book_of(case.name).variant(rules), scenario(case.name).variant(changes))
    score = SCORES[GAME.play(setup, 21, 0, battles)["outcome"]]
    return score if case.side == 0 else 1 - score


def gain(case: Help, battles: int) -> tuple[float, float]:
    """Return what the change gains a battle, on average, and half the width of its interval."""
    worse = scores(case, case.worse, case.rules, battles)
    difference = scores(case, case.better, case.better_rules, battles) - worse
    assert difference.std() > 0, "it matters"
    return float(difference.mean()), float(normal_quantile(LEVEL) * difference.std() / np.sqrt(battles))


def check(what: str, battles: int) -> None:
    mean, half_width = gain(HELPS[what], battles)
    assert mean > -half_width
    if what in PLAIN:
        assert mean > half_width


@pytest.mark.parametrize("what", HELPS)
def test_what_should_help_does_not_harm(what: str) -> None:
    check(what, 1000)


@pytest.mark.proof
@pytest.mark.parametrize("what", HELPS)
def test_what_should_help_does_not_harm_in_many_battles(what: str) -> None:
    check(what, 10_000)
