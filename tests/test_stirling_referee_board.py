"""Hexes, attacks of a turn, and whom a unit strikes."""

from __future__ import annotations

from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.stirling_battles import (
    EAST,
    NORTH_EAST,
    SOUTH_EAST,
    SOUTH_WEST,
    WEST,
)
from tests.stirling_positions import course_of
from wargamesim.games.stirling.referee_board import (
    Hex,
    around,
    direction_to,
    distance,
    shown,
    step,
    trail,
    turned,
)
from wargamesim.games.stirling.referee_ending import most_attacks

HEXES = st.tuples(st.integers(-8, 8), st.integers(-8, 8))


@given(HEXES, HEXES)
def test_distance_is_the_fewest_steps(one: Hex, other: Hex) -> None:
    seen, ahead = {one: 0}, deque([one])
    while other not in seen:
        place = ahead.popleft()
        for direction in range(6):
            if (near := step(place, direction)) not in seen:
                seen[near] = seen[place] + 1
                ahead.append(near)
    assert distance(one, other) == seen[other]


@given(HEXES, st.integers(0, 5), st.integers(0, 5))
def test_directions_and_turns(place: Hex, one: int, other: int) -> None:
    assert direction_to(place, step(place, one)) == one
    assert step(step(place, one), (one + 3) % 6) == place
    assert (
        turned(one, other)
        == turned(other, one)
        == distance(step((0, 0), one), step((0, 0), other)) + (1 if (one - other) % 6 == 3 else 0)
    )


def test_opposite_fronts_are_three_apart() -> None:
    assert [turned(EAST, front) for front in range(6)] == [0, 1, 2, 3, 2, 1]


@given(HEXES, st.integers(0, 3))
def test_a_zone_has_all_hexes_within_its_reach(place: Hex, radius: int) -> None:
    assert len(around(place, radius)) == len(set(around(place, radius))) == 3 * radius * (radius + 1)


def test_rows_go_south_and_odd_rows_stand_further_east() -> None:
    assert [shown(place) for place in trail((0, 0), (SOUTH_EAST, SOUTH_WEST, SOUTH_EAST))] == [
        "(0, 1)",
        "(0, 2)",
        "(0, 3)",
    ]
    assert shown(step((2, 3), NORTH_EAST)) == "(4, 2)"


@pytest.mark.parametrize(
    ("rate", "schedule", "made"),
    [
        ((3, 2), "mean", [3, 3, 3, 3]),
        ((3, 2), "alternate", [2, 4, 2, 4]),
        ((1, 3), "mean", [0, 1, 1, 0]),
        ((1, 3), "alternate", [0, 1, 1, 0]),
        ((1, 1), "alternate", [2, 2, 2, 2]),
        ((0, 1), "mean", [0, 0, 0, 0]),
    ],
)
def test_attacks_of_a_turn(rate: tuple[int, int], schedule: str, made: list[int]) -> None:
    """SS-2.2."""
    course = course_of((0, (0, 0), EAST, {"rate_num": rate[0], "rate_den": rate[1]}), changes={"SS-P04": schedule})
    unit = course.board.units[0]
    assert [course.board.attacks(unit, turn) for turn in (1, 2, 3, 4)] == made
    assert most_attacks(course, unit) == max(made)


def test_an_enemy_strikes_the_half_that_faces_it() -> None:
    """SS-6.2."""
    course = course_of((0, (5, 5), EAST), (0, (5, 5), SOUTH_WEST), (1, (4, 5), EAST), (1, (6, 5), WEST))
    targets = [course.board.target(unit) for unit in course.board.units]
    assert [target.index if target else -1 for target in targets] == [3, -1, 1, 0]
