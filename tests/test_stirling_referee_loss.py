"""Losses: what is rounded, who is wiped out, whose Leader falls (section 8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.stirling_battles import (
    EAST,
    WEST,
)
from tests.stirling_positions import (
    Dice,
    course_of,
    rows,
)
from wargamesim.games.stirling import layout
from wargamesim.games.stirling.layout import (
    DESTROYED,
    FIT,
    GONE,
    LEADER_FALLS,
    RUNS,
    T_ATTACK,
    T_BROKEN,
    T_REMOVED,
)
from wargamesim.games.stirling.referee_loss import lose, settle
from wargamesim.games.stirling.referee_melee import melee_phase


def after(losses_: list[int], changes: Mapping[str, Any], men: int = 300, **more: int) -> tuple[int, int]:
    """Return men and remainder of a unit after the losses of a phase, each an event of its own."""
    course = course_of((0, (0, 0), EAST, {"men": men, "men0": men, **more}), changes=changes)
    unit = course.board.units[0]
    for loss in losses_:
        unit.hurt += loss
        lose(course, unit, loss)
    settle(course, unit)
    return unit.men, unit.rem


def test_remainders() -> None:
    assert after([14, 8], {}) == (290, 0)
    assert after([14, 8], {"SS-P35": "carry"}) == (280, 2)
    assert after([14, 8], {"SS-P35": "exact"}) == (278, 0)
    assert after([7], {"SS-P35": "carry"}, rem=5) == (290, 2)
    assert after([25], {"losses.step": 25}) == (275, 0)


def test_wiped_out() -> None:
    """SS-8.5: as many dead as men, whatever rounding would leave."""
    odd = {"units.men_step": 1}
    assert after([17], odd, men=15) == (0, 0)
    assert after([17], odd | {"SS-P49": "off"}, men=15) == (5, 0)
    assert after([14], odd, men=15) == (5, 0)
    assert after([15, 15], odd, men=25) == (0, 0)  # ten removed, and then as many dead as were left


def test_dead_men_do_not_die_again() -> None:
    course = course_of((0, (0, 0), EAST, {"men": 50}))
    lose(course, course.board.units[0], 80)
    lose(course, course.board.units[0], 80)
    assert course.state.tally[layout.DEAD] == 50


@pytest.mark.parametrize(
    ("changes", "left"),
    [
        ({}, 300 - 40),  # 17 + 8 + 17 + 8 = 50 - 1 for each attack's own fraction
        ({"SS-P36": "per_clash"}, 300 - 40),
        ({"SS-P36": "per_attack"}, 300 - 20),
        ({"SS-P36": "per_attack", "SS-P35": "carry"}, 300 - 40),
    ],
)
def test_what_is_rounded_together(changes: Mapping[str, str], left: int) -> None:
    """SS-8.4: two enemies make two attacks each, which cost 17 and 8, and 14 and 8."""
    course = course_of((0, (6, 5), EAST), (1, (7, 5), WEST), (1, (5, 5), EAST, {"men": 250}), changes=changes)
    Dice(course, strike={(1, 0): 19, (1, 1): 2, (1, 2): 19, (1, 3): 1, (2, 0): 19, (2, 1): 2, (2, 2): 19, (2, 3): 1})
    melee_phase(course)
    assert [row[7] for row in rows(course, T_ATTACK) if row[1] == 0] == [17, 8, 14, 7]
    assert course.board.units[0].men == left


def test_rounding_each_enemy_alone() -> None:
    units = (0, (6, 5), EAST), (1, (7, 5), WEST), (1, (5, 5), EAST)
    for reading, left in (("per_phase", 290), ("per_clash", 300)):
        course = course_of(*units, changes={"SS-P36": reading})
        Dice(course, strike={(1, 0): 19, (2, 0): 19})
        melee_phase(course)
        assert course.board.units[0].men == left  # eight dead by each


def test_leaders_fall_as_any_man_does() -> None:
    """SS-8.6: 60 of 300 removed, a die of 300 sides."""
    for reading, sides in (("as_a_man", 300), ("half", 600)):
        for face, gone in ((60, GONE), (61, FIT)):
            course = course_of((0, (0, 0), EAST, {"charisma": 12, "leader": FIT}), changes={"SS-P37": reading})
            dice = Dice(course, leader_falls=face)
            unit = course.board.units[0]
            unit.hurt = unit.loss = 68
            settle(course, unit)
            assert unit.leader == gone
            assert dice.rolled == [(0, LEADER_FALLS, 0, sides)]
            assert (unit.leader_gone, unit.removals) == (gone == GONE, 1)
            assert rows(course, T_REMOVED)[0][5] == (gone == GONE)


def test_a_leader_falls_with_the_last_of_his_men() -> None:
    course = course_of((0, (0, 0), EAST, {"men": 50, "charisma": 12, "leader": RUNS}), changes={"SS-P37": "never"})
    dice, unit = Dice(course), course.board.units[0]
    unit.hurt = unit.loss = 60
    settle(course, unit)
    assert (unit.leader, unit.status, dice.rolled) == (GONE, DESTROYED, [])
    assert rows(course, T_BROKEN) == [(0, DESTROYED, *[-1] * 8)]


def test_the_whole_side_hears_of_a_fallen_commander() -> None:
    units = ((0, (col, 0), EAST, {"charisma": 12, "leader": FIT}) for col in (0, 4))
    course = course_of(*units, (1, (9, 9), WEST), commanders=((1, 17), (-1, 12)))
    Dice(course, leader_falls=1)
    unit = course.board.units[1]
    unit.hurt = unit.loss = 20
    settle(course, unit)
    assert [each.commander_gone for each in course.board.units] == [1, 1, 0]
    assert course.state.commander.tolist() == [-1, -1]
    assert course.state.commander_charisma.tolist() == [0, 12]
