"""Melee: who strikes whom on which side, and the order of charges (section 7)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from tests.stirling_battles import (
    EAST,
    NORTH_EAST,
    NORTH_WEST,
    SOUTH_EAST,
    SOUTH_WEST,
    WEST,
    assert_chances,
    rulebook_with,
)
from tests.stirling_positions import (
    BOW,
    FACING,
    Dice,
    attacks_of,
    begun,
    course_of,
    rows,
)
from wargamesim.games.stirling.charge import charge
from wargamesim.games.stirling.layout import (
    DESTROYED,
    LANCE,
    ROUTED,
    SET_WEAPON,
    T_ATTACK,
)
from wargamesim.games.stirling.referee_melee import melee_phase
from wargamesim.games.stirling.units import Unit as Block


def test_only_the_front_strikes() -> None:
    """SS-7.1: who is struck on another side does not strike back there."""
    course = course_of((0, (5, 5), EAST), (1, (6, 5), EAST))
    melee_phase(course)
    assert [row[:2] for row in attacks_of(course)] == [(0, 1), (0, 1)]


@pytest.mark.parametrize(
    ("front", "needed", "side"),
    [(WEST, 14, 0), (NORTH_WEST, 13, 1), (SOUTH_WEST, 13, 1), (NORTH_EAST, 13, 1), (SOUTH_EAST, 13, 1), (EAST, 11, 2)],
)
def test_the_side_struck(front: int, needed: int, side: int) -> None:
    """SS-7.2, SS-12.5: flank +1, rear +2 and the shield."""
    course = course_of((0, (5, 5), EAST), (1, (6, 5), front, {"shield": 1}))
    melee_phase(course)
    assert attacks_of(course)[0][3::2] == (needed, side)
    assert course.board.units[1].struck_back == (side != 0)


def test_damage_from_behind_in_one_reading() -> None:
    course = course_of((0, (5, 5), EAST), (1, (6, 5), EAST), changes={"SS-P32": "rear_damage"})
    Dice(course, strike={(0, 0): 20, (0, 1): 4})
    melee_phase(course)
    assert rows(course, T_ATTACK)[0][7] == 4 * 300 * 150 // (100 * 5 * 7)


def test_melee_is_simultaneous() -> None:
    course = course_of(FACING[0], (1, (6, 5), WEST, {"men": 60, "left": 60, "men0": 60}))
    course.roll = lambda _actor, _purpose, k, _sides: 8 if k % 2 else 20  # type: ignore[method-assign]
    melee_phase(course)
    assert course.board.units[1].status == DESTROYED
    assert course.board.units[0].men == 300 - 20  # thirteen twice


@pytest.mark.parametrize("changes", [{"status": ROUTED}, {"shot": 1}, {"fled": 1}, {"rate_num": 0}])
def test_who_does_not_strike(changes: dict[str, int]) -> None:
    course = course_of((0, (5, 5), EAST, changes), (1, (6, 5), WEST))
    melee_phase(course)
    assert {row[0] for row in attacks_of(course)} == {1}


@pytest.mark.parametrize(
    ("ours", "theirs", "order"),
    [
        ({"length": 300}, {"length": 100}, [0, 0, 1, 1]),
        ({"length": 100}, {"length": 300}, [1, 1, 0, 0]),
        ({"rate_num": 3}, {"rate_num": 5, "rate_den": 2}, [0] * 6 + [1] * 5),
        ({"speed": 3}, {"speed": 5}, [0, 0, 1, 1]),
        ({"speed": 5}, {"speed": 3}, [1, 1, 0, 0]),
        ({"length": 9, "speed": 5}, {"length": 3, "speed": 3}, [0, 0, 1, 1]),
    ],
)
def test_the_order_of_a_charge(ours: dict[str, int], theirs: dict[str, int], order: list[int]) -> None:
    """SS-7.4."""
    course = course_of((0, (5, 5), EAST, {"charging": 1, **ours}), (1, (6, 5), WEST, theirs))
    Dice(course, strike=1)
    melee_phase(course)
    assert [row[0] for row in attacks_of(course)] == order
    # The charger hits better by two, and is hit better by one.
    assert {row[:4] for row in attacks_of(course)} == {(0, 1, 2, 12), (1, 0, 2, 13)}


def test_the_slower_side_of_a_charge_replies_with_those_left() -> None:
    course = course_of((0, (5, 5), EAST, {"charging": 1, "length": 9}), (1, (6, 5), WEST))
    Dice(course, strike={(0, 0): 20, (0, 1): 8, (1, 0): 20, (1, 1): 7})
    melee_phase(course)
    assert [unit.men for unit in course.board.units] == [300 - 40, 300 - 60]  # 7 * 240 / 35 = 48


def test_round_by_round() -> None:
    course = course_of(
        (0, (5, 5), EAST, {"charging": 1, "length": 9, "rate_num": 3, "rate_den": 2}),
        (1, (6, 5), WEST),
        changes={"SS-P31": "round_by_round"},
    )
    Dice(course, strike=1)
    melee_phase(course)
    assert [(row[0], row[3]) for row in rows(course, T_ATTACK)] == [(0, 0), (1, 0), (0, 1), (0, 2), (1, 1)]


def test_a_destroyed_unit_does_not_reply_to_a_charge() -> None:
    course = course_of((0, (5, 5), EAST, {"charging": 1, "length": 9}), (1, (6, 5), WEST, {"men": 50, "left": 50}))
    course.roll = lambda _actor, _purpose, k, _sides: 8 if k % 2 else 20  # type: ignore[method-assign]
    melee_phase(course)
    assert {row[0] for row in attacks_of(course)} == {0}


def test_one_who_faces_elsewhere_does_not_answer_a_charge() -> None:
    course = course_of((0, (5, 5), EAST, {"charging": 1}), (0, (7, 5), WEST), (1, (6, 5), EAST))
    Dice(course, strike=1)
    melee_phase(course)
    # The charge is on its rear; it strikes at the unit before it later, in the melee of all.
    assert [row[:3] for row in attacks_of(course)] == [(0, 2, 2)] * 2 + [(1, 2, 1)] * 2 + [(2, 1, 1)] * 2


@pytest.mark.parametrize(
    ("ours", "theirs", "changes", "damages"),
    [
        (LANCE, 0, {}, (68, 34)),
        (0, SET_WEAPON, {}, (34, 68)),
        (LANCE | SET_WEAPON, SET_WEAPON, {}, (68, 68)),
        (LANCE, SET_WEAPON, {"SS-P34": "off"}, (34, 34)),
    ],
)
def test_lances_and_weapons_set(ours: int, theirs: int, changes: Mapping[str, str], damages: tuple[int, int]) -> None:
    course = course_of(
        (0, (5, 5), EAST, {"charging": 1, "traits": ours}), (1, (6, 5), WEST, {"traits": theirs}), changes=changes
    )
    Dice(course, strike={(0, 0): 20, (0, 1): 4, (1, 0): 20, (1, 1): 4})
    melee_phase(course)
    assert tuple(row[7] for row in rows(course, T_ATTACK) if row[3] == 0) == damages


def test_shooters_have_no_bonus_of_a_charge_in_one_reading() -> None:
    for changes, needed in (({}, 12), ({"SS-P17": "no_charge_for_shooters"}, 14)):
        course = course_of((0, (5, 5), EAST, {"charging": 1, **BOW}), (1, (6, 5), WEST), changes=changes)
        melee_phase(course)
        assert attacks_of(course)[0][3] == needed


@pytest.mark.parametrize("lengths", [(300, 100), (100, 300), (100, 100)])
def test_charges_end_as_the_exact_answer_says(lengths: tuple[int, int]) -> None:
    """SS-12.10."""
    book = rulebook_with(None)
    exact = charge(book, *(Block(length=length) for length in lengths))
    seen: list[list[int]] = [[], []]
    units = ((0, (5, 5), EAST, {"charging": 1, "length": lengths[0]}), (1, (6, 5), WEST, {"length": lengths[1]}))
    setup = course_of(*units).setup
    for battle in range(1000):
        course = begun(setup, battle)
        melee_phase(course)
        for side in (0, 1):
            seen[side].append(300 - course.board.units[side].men)
    for men, law in zip(seen, (exact.charger_removed, exact.charged_removed), strict=True):
        chances = np.array([float(law.equal_to(10 * tens)) for tens in range(31)])
        assert_chances(np.bincount(np.array(men) // 10, minlength=31), chances)
