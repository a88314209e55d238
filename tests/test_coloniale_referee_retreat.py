"""Falling back: where to, and what stands in the way."""

from __future__ import annotations

import pytest

from tests.coloniale_battles import rulebook_with, unit_of
from tests.coloniale_positions import course_of, rules_of, two
from wargamesim.games.coloniale.layout import DESTROYED, HARD, IN_PLAY, LOST_TO_DEFEAT, UNFORDABLE
from wargamesim.games.coloniale.referee_retreat import fall_back


def test_straight_away_from_the_winner() -> None:
    units = [unit_of(0, (100.0, 100.0), 6, 6), unit_of(1, (101.2, 101.6), 6, 6)]
    course = course_of(units)
    assert fall_back(course, 1, 0, 20) == -1
    assert course.table.place(1) == pytest.approx((113.2, 117.6))
    assert rules_of(course) == ["CO-5.8"]


@pytest.mark.parametrize(("side", "y"), [(0, 108.0), (1, 148.0)])
def test_from_the_same_place_towards_its_own_edge(side: int, y: float) -> None:
    course = course_of(two(apart=0.0))
    fall_back(course, side, 1 - side, 20)
    assert course.table.place(side) == (128.0, y)


def test_over_friends_into_contact_with_the_nearest_enemy() -> None:
    units = [
        two()[0],
        *(unit_of(0, (128.0, y), 6, 6) for y in (155.0, 150.0)),
        two()[1],
        unit_of(1, (128.0, 144.0), 6, 6),
    ]
    course = course_of(units)
    assert fall_back(course, 3, 0, 20) == 2
    assert course.table.place(3) == (128.0, 148.0)
    assert rules_of(course) == ["CO-5.9"]


def test_the_winner_itself_is_not_in_the_way() -> None:
    course = course_of(two(apart=2.0))
    assert fall_back(course, 1, 0, 20) == -1


@pytest.mark.parametrize(("reading", "status", "y"), [("removed", DESTROYED, 138.0), ("stops", IN_PLAY, 144.5)])
def test_at_the_edge_of_the_table(reading: str, status: int, y: float) -> None:
    course = course_of(two(), table=(256, 145), rulebook=rulebook_with({"CO-P18": reading}))
    assert fall_back(course, 1, 0, 20) == -1
    assert course.table.status[1] == status
    assert course.table.place(1) == (128.0, y)
    assert course.state.tally[LOST_TO_DEFEAT + 1] == (6 if reading == "removed" else 0)
    assert rules_of(course) == ["CO-P18"]


@pytest.mark.parametrize(("reading", "status", "y"), [("removed", DESTROYED, 138.0), ("stops", IN_PLAY, 149.5)])
def test_at_unfordable_water(reading: str, status: int, y: float) -> None:
    river = [(UNFORDABLE, 0, (100.0, 150.0, 160.0, 150.0))]
    course = course_of(two(), lines=river, rulebook=rulebook_with({"CO-P18": reading}))
    fall_back(course, 1, 0, 20)
    assert course.table.status[1] == status
    assert course.table.place(1) == pytest.approx((128.0, y))


def test_over_a_bridge_or_through_a_ford() -> None:
    for kind, bridged in ((UNFORDABLE, True), (HARD, False)):
        course = course_of(two(), lines=[(kind, 0, (100.0, 150.0, 160.0, 150.0))])
        if bridged:
            course.table.ground.bridges, course.table.ground.bridge[0] = 1, [128.0, 150.0]
        fall_back(course, 1, 0, 20)
        assert course.table.place(1) == (128.0, 158.0)


def test_exactly_to_the_edge_is_free() -> None:
    course = course_of(two(), table=(256, 158.5))
    fall_back(course, 1, 0, 20)
    assert course.table.status[1] == IN_PLAY
    assert course.table.place(1) == (128.0, 158.0)


def test_an_enemy_before_the_edge_comes_first() -> None:
    units = [two()[0], unit_of(0, (128.0, 144.0), 6, 6), two()[1]]
    course = course_of(units, table=(256, 150))
    assert fall_back(course, 2, 0, 20) == 1
