"""One attack: who is hit, for what, and how many fall (section 3)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from tests.stirling_battles import (
    EAST,
    WEST,
    assert_chances,
    rulebook_with,
)
from tests.stirling_positions import (
    FACING,
    Dice,
    attacks_of,
    begun,
    course_of,
    rows,
)
from wargamesim.games.stirling.attack import losses, removed
from wargamesim.games.stirling.layout import (
    LARGE,
    STRIKE,
    T_ATTACK,
    T_REMOVED,
)
from wargamesim.games.stirling.referee_loss import settle
from wargamesim.games.stirling.referee_melee import melee_phase


def test_one_attack_of_300_men() -> None:
    """SS-12.2: damage 1 to 8 costs 8, 17, 25, 34, 42, 51, 60, 68."""
    lost = []
    for damage in range(1, 9):
        course = course_of(*FACING, changes={"turn.attacks": 1})
        Dice(course, strike={(0, 0): 14, (0, 1): damage})
        melee_phase(course)
        attacker, victim, kind, needed, loss, side = attacks_of(course)[0]
        assert (attacker, victim, kind, needed, side) == (0, 1, 1, 14, 0)
        lost.append(loss)
    assert lost == [8, 17, 25, 34, 42, 51, 60, 68]


def test_fourteen_dead_remove_ten_and_eight_remove_nobody() -> None:
    """SS-8.2, SS-8.3."""
    for dead, left in ((14, 290), (8, 300), (10, 290), (29, 280)):
        course = course_of(*FACING)
        unit = course.board.units[0]
        unit.hurt = unit.loss = dead
        settle(course, unit)
        assert unit.men == left
        assert rows(course, T_REMOVED) == [(0, dead, 300 - left, left, 0, 0, -1, -1, -1, -1)]


@pytest.mark.parametrize(
    ("changes", "die", "hits"),
    [
        ({}, 13, False),
        ({}, 14, True),
        ({"SS-P10": "on"}, 20, True),
        ({"SS-P10": "off"}, 20, False),
        ({}, 1, False),
    ],
)
def test_who_is_hit(changes: Mapping[str, str], die: int, hits: bool) -> None:
    ac = -20 if die == 20 else 30 if die == 1 else 6
    course = course_of(FACING[0], (1, (6, 5), WEST, {"ac": ac}), changes=changes)
    dice = Dice(course, strike={(0, 0): die, (0, 1): 5})
    melee_phase(course)
    row = rows(course, T_ATTACK)[0]
    assert (row[5], row[6], row[7] > 0) == (20 - ac, 5 if hits else -1, hits)
    # Damage is rolled only if somebody is hit.
    assert ((0, STRIKE, 1, 8) in dice.rolled) == hits


def test_damage_by_size_and_at_least_the_least() -> None:
    block = {"dice": 1, "die": 4, "bonus": -3, "dice_l": 2, "die_l": 6, "bonus_l": 1}
    for traits, damage in ((0, 1), (LARGE, 2 + 2 + 1)):
        course = course_of((0, (5, 5), EAST, block), (1, (6, 5), WEST, {"traits": traits}))
        Dice(course, strike={(0, 0): 19, (0, 1): 2, (0, 2): 2})
        melee_phase(course)
        assert rows(course, T_ATTACK)[0][6] == damage


def test_one_roll_counts_for_all_attacks() -> None:
    course = course_of(*FACING, changes={"SS-P07": "one_roll"})
    Dice(course, strike={(0, 0): 14, (0, 1): 4})
    melee_phase(course)
    assert [row[:2] for row in attacks_of(course)] == [(0, 1), (1, 0)]
    assert course.board.units[1].men == 300 - 60  # 34 twice


def test_two_attacks_remove_what_the_exact_answer_says() -> None:
    """SS-12.3."""
    book = rulebook_with(None)
    exact = removed(book, losses(book, 300, 20, 6, "1d8", 7), 2)
    seen = []
    setup = course_of(*FACING).setup
    for battle in range(1000):
        course = begun(setup, battle)
        melee_phase(course)
        seen += [300 - unit.men for unit in course.board.units]
    chances = np.zeros(15)
    for men in range(15):
        chances[men] = exact.equal_to(10 * men)
    assert_chances(np.bincount(np.array(seen) // 10, minlength=15), chances)
