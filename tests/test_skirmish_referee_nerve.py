"""Nerve: tests of morale, routs, and where the rallied come back."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.skirmish_positions import (
    RISORGIMENTO,
    course_of,
    figure,
    of,
    tally,
)
from wargamesim.games.skirmish.layout import (
    ACTS,
    BLUE,
    HIDDEN,
    IN_PLAY,
    LEADER,
    MORALE,
    OUT,
    PINNED,
    RALLIES,
    RALLY_DIE,
    ROLES,
    ROUTED,
    ROUTS,
    STATUS,
    WOUNDS,
    X,
    Y,
)
from wargamesim.games.skirmish.referee_nerve import BROKEN, HELD_DOWN, STEADY, attempt, rally

FAR = figure(90, 50, 1)


@pytest.mark.parametrize(
    ("die", "fields", "near", "result"),
    [
        (4, {}, True, STEADY),
        (3, {}, True, HELD_DOWN),
        (1, {}, True, HELD_DOWN),
        (1, {}, False, BROKEN),
        (1, {WOUNDS: 1}, True, BROKEN),
        (5, {WOUNDS: 1}, False, HELD_DOWN),
        (6, {WOUNDS: 1}, False, STEADY),
    ],
)
def test_a_test_of_morale(die: int, fields: Mapping[int, int], near: bool, result: int) -> None:
    friend = figure(9 if near else 40, 5)
    course = course_of([figure(5, 5, also={BLUE: 1, **fields}), friend, FAR], {MORALE: die})
    assert attempt(course, 0) == (0, result)
    assert of(course, BLUE, 0) == (result != STEADY)
    assert of(course, STATUS, 0) == (ROUTED if result == BROKEN else IN_PLAY)
    assert (tally(course, PINNED), tally(course, ROUTS)) == (result == HELD_DOWN, result == BROKEN)
    assert of(course, BLUE, 1) == (result == BROKEN and near)
    assert of(course, ACTS, 0) == 1


def test_a_leader_near_helps_others_but_not_himself() -> None:
    leader = {ROLES: LEADER, BLUE: 1}
    course = course_of([figure(5, 5, also={BLUE: 1}), figure(20, 5, also=leader), FAR], {MORALE: 3})
    assert attempt(course, 0)[1] == HELD_DOWN  # alone: no friend within 10 cm, but the leader within 15
    course = course_of([figure(5, 5, also={BLUE: 1}), figure(14, 5, also=leader), FAR], {MORALE: 3})
    assert attempt(course, 0)[1] == STEADY
    assert attempt(course, 1)[1] == HELD_DOWN


def test_nobody_tests_without_a_marker_and_every_attempt_has_its_own_dice() -> None:
    course = course_of([figure(5, 5), FAR], {})
    assert [attempt(course, 0)[0] for _ in range(3)] == [0, 128, 256]


def test_a_free_attempt_gives_the_activation_back() -> None:
    figures = [figure(5, 5, also={BLUE: 1}), figure(9, 5), FAR]
    course = course_of(figures, {MORALE: 2}, book=RISORGIMENTO, changes={"RI-8.1": "free_attempt"})
    attempt(course, 0)
    assert of(course, ACTS, 0) == 0


@pytest.mark.parametrize(("die", "comes"), [(5, True), (4, False)])
def test_a_rally(die: int, comes: bool) -> None:
    routed = figure(5, 5, also={STATUS: ROUTED, BLUE: 1, WOUNDS: 1, HIDDEN: 1})
    course = course_of([routed, figure(9, 5), FAR], {RALLY_DIE: die})
    rally(course, 0)
    assert of(course, STATUS, 0) == (IN_PLAY if comes else OUT)
    assert tally(course, RALLIES) == comes
    if comes:
        assert [of(course, field, 0) for field in (BLUE, WOUNDS, HIDDEN)] == [0, 1, 0]
        assert (course.state.place[X, 0], course.state.place[Y, 0]) == (5, 5)


def test_where_the_rallied_come_back() -> None:
    routed = figure(20, 20, also={STATUS: ROUTED})
    course = course_of([routed, figure(20, 20), FAR], {RALLY_DIE: 6})
    rally(course, 0)
    assert (course.state.place[X, 0], course.state.place[Y, 0]) == (22, 20)
    course = course_of([routed, figure(16, 20, 1)], {RALLY_DIE: 6})
    rally(course, 0)
    assert (course.state.place[X, 0], course.state.place[Y, 0]) == (21, 20)
    course = course_of([routed, FAR], {RALLY_DIE: 6}, changes={"NA-2.10": "own_edge"})
    rally(course, 0)
    assert (course.state.place[X, 0], course.state.place[Y, 0]) == (20, 59)
