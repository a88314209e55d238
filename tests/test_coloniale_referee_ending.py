"""The end of a turn and of a battle: zones, objectives, comparisons."""

from __future__ import annotations

from typing import Any

import pytest

from tests.coloniale_battles import rulebook_with, unit_of
from tests.coloniale_positions import course_of, rows, rules_of, two
from wargamesim.games.coloniale.layout import (
    DESTROYED,
    DRAW,
    FIGURES_LEFT,
    FIRST,
    MARKERS_LEFT,
    MERGED,
    NO_DECISION,
    NOBODY,
    SECOND,
    T_TURN_END,
    ZONES_HELD,
)
from wargamesim.games.coloniale.referee_ending import end_of_turn, outcome_of, sum_up

GOES_ON = -1
ZONE = (120.0, 120.0, 130.0, 130.0)


def test_who_stands_alone_in_a_zone_holds_it() -> None:
    course = course_of(two(), zones=[ZONE, (0.0, 0.0, 5.0, 5.0), (120.0, 128.0, 130.0, 138.0)])
    assert end_of_turn(course) == GOES_ON
    assert course.state.owner[:3].tolist() == [FIRST, NOBODY, NOBODY]
    assert rules_of(course) == ["CO-8.1", "CO-3.1"]
    course.table.put(0, (10.0, 10.0))
    end_of_turn(course)
    assert course.state.owner[:3].tolist() == [FIRST, NOBODY, SECOND], "a zone that is left stays one's own"
    assert rows(course, T_TURN_END)[-1] == (1, 1, 6, 6, 0, 0, 1, 1, -1, -1)


def test_a_contested_zone_keeps_its_owner() -> None:
    course = course_of(two(apart=2.0), zones=[ZONE])
    course.state.owner[0] = SECOND
    end_of_turn(course)
    assert course.state.owner[0] == SECOND
    course.table.status[1] = DESTROYED
    course.turn = 1
    assert end_of_turn(course) == FIRST
    assert course.state.owner[0] == FIRST


@pytest.mark.parametrize(("gone", "outcome"), [((), GOES_ON), ((0,), SECOND), ((1,), FIRST), ((0, 1), DRAW)])
@pytest.mark.parametrize("status", [DESTROYED, MERGED])
def test_a_side_without_units_has_lost(gone: Any, outcome: int, status: int) -> None:
    course = course_of(two())
    for unit in gone:
        course.table.status[unit] = status
    assert outcome_of(course) == outcome


@pytest.mark.parametrize(
    ("owners", "at_once", "turn", "outcome"),
    [
        ((FIRST, FIRST, SECOND), 0, 9, GOES_ON),
        ((FIRST, FIRST, SECOND), 0, 10, FIRST),
        ((FIRST, FIRST, SECOND), 1, 3, FIRST),
        ((FIRST, SECOND, FIRST), 1, 3, GOES_ON),
        ((FIRST, SECOND, NOBODY), 0, 10, NO_DECISION),
        ((NOBODY, SECOND, SECOND), 1, 3, SECOND),
    ],
)
def test_who_holds_what_he_is_to_hold_wins(owners: Any, at_once: int, turn: int, outcome: int) -> None:
    # The first side is to hold the first two zones, the second side two of any.
    course = course_of(two(), hold=(2, 2), at_once=at_once)
    course.goals.zones, course.table.ground.zones, course.turn = [0b011, 0b111], 3, turn
    course.state.owner[:3] = owners
    assert outcome_of(course) == outcome


def test_both_may_hold_what_they_are_to_hold() -> None:
    course = course_of(two(), hold=(1, 1), at_once=1)
    course.goals.zones, course.table.ground.zones = [0b01, 0b10], 2
    course.state.owner[:2] = FIRST, SECOND
    assert outcome_of(course) == DRAW


@pytest.mark.parametrize("at_limit", [FIRST, SECOND])
def test_who_wins_when_time_is_up(at_limit: int) -> None:
    course = course_of(two(), at_limit=at_limit)
    course.turn = 10
    assert outcome_of(course) == at_limit


@pytest.mark.parametrize(
    ("owner", "figures", "reading", "outcome"),
    [
        (SECOND, (6, 5), "units_zones_figures", SECOND),
        (SECOND, (6, 5), "figures_only", FIRST),
        (NOBODY, (6, 5), "units_zones_figures", FIRST),
        (NOBODY, (5, 6), "units_zones_figures", SECOND),
        (NOBODY, (6, 6), "units_zones_figures", DRAW),
        (SECOND, (6, 6), "figures_only", DRAW),
    ],
)
def test_battles_without_objectives_are_compared(owner: int, figures: Any, reading: str, outcome: int) -> None:
    course = course_of(two(figures), zones=[ZONE], rulebook=rulebook_with({"CO-P30": reading}))
    course.turn, course.state.owner[0] = 10, owner
    assert outcome_of(course) == outcome
    assert rules_of(course) == ["CO-P30"]


def test_what_is_left_is_counted() -> None:
    units = [
        *two(),
        unit_of(1, (50.0, 50.0), 3, 6, markers=4, status=DESTROYED),
        unit_of(1, (9.0, 9.0), 2, 6, markers=2),
    ]
    course = course_of(units, zones=[ZONE])
    course.state.owner[0] = SECOND
    sum_up(course)
    counted = [course.state.tally[what + side] for what in (FIGURES_LEFT, MARKERS_LEFT, ZONES_HELD) for side in (0, 1)]
    assert counted == [6, 8, 0, 2, 0, 1]
