"""The end of a turn and of the battle: losses, places, prisoners, exits and time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.skirmish_positions import (
    course_of,
    events,
    figure,
    ground_of,
    of,
    tally,
)
from wargamesim.games.skirmish.layout import (
    BLUE,
    BURNING,
    CAPTOR,
    CAPTURED,
    DEAD,
    DRAW,
    GONE,
    HELD,
    IN_PLAY,
    KILLED,
    LEFT,
    LOADS_AWAY,
    NO_DECISION,
    OUT,
    PRISONERS,
    ROUTED,
    STATUS,
)
from wargamesim.games.skirmish.referee_course import (
    RESULT,
    TURN_END,
)
from wargamesim.games.skirmish.referee_ending import end_of_turn, judge_end

FAR = figure(90, 50, 1)
TWO_SQUADS = [figure(5, 5), figure(9, 5), figure(90, 50, 1)]


@pytest.mark.parametrize(
    ("goals", "fields", "outcome"),
    [
        ({}, {}, -1),
        ({"breaks_at": (1, 0)}, {0: {STATUS: DEAD}}, 1),
        ({"breaks_at": (2, 0)}, {0: {STATUS: DEAD}}, -1),
        ({"breaks_at": (1, 0)}, {0: {STATUS: ROUTED}}, 1),
        ({"breaks_at": (1, 0)}, {0: {STATUS: CAPTURED}}, 1),
        ({"breaks_at": (1, 0)}, {0: {STATUS: LEFT}}, -1),
        ({"breaks_at": (1, 1)}, {0: {STATUS: DEAD}, 2: {STATUS: OUT}}, DRAW),
        ({}, {0: {STATUS: DEAD}, 1: {STATUS: DEAD}}, 1),
        ({}, {2: {STATUS: DEAD}, 3: {STATUS: CAPTURED}}, 0),
    ],
)
def test_who_is_broken(goals: Mapping[str, Any], fields: Mapping[int, Mapping[int, int]], outcome: int) -> None:
    places = [(5, 5, 0), (9, 5, 0), (40, 5, 1), (44, 5, 1)]
    figures = [figure(x, y, side, also=fields.get(i, {})) for i, (x, y, side) in enumerate(places)]
    assert judge_end(course_of(figures, {}, goals=goals)) == outcome


def test_other_ways_to_win() -> None:
    def outcome(goals: Mapping[str, Any], what: int, side: int, *figures: Any) -> int:
        course = course_of(figures or TWO_SQUADS, {}, goals=goals)
        course.state.tally[what + side] = 2
        return judge_end(course)

    assert outcome({"exit_figures": (2, 0)}, GONE, 0) == 0
    assert outcome({"exit_figures": (3, 0)}, GONE, 0) == -1
    assert outcome({"exit_loads": (0, 2)}, LOADS_AWAY, 1) == 1
    assert outcome({"prisoners": (2, 0)}, PRISONERS, 1) == 0
    gone = (figure(5, 5, also={STATUS: LEFT}), FAR)
    assert outcome({"exit_figures": (2, 0)}, GONE, 0, *gone) == 0
    assert outcome({"exit_figures": (3, 0)}, GONE, 0, *gone) == 1


def test_holding_a_place() -> None:
    goals = {"hold": ((0, 0, 10, 10), (0, 0, 0, 0)), "hold_figures": (2, 0), "hold_turns": (2, 0)}
    course = course_of([figure(10, 10), figure(5, 5), FAR], {}, goals=goals)
    assert [end_of_turn(course), tally(course, HELD)] == [-1, 1]
    assert [end_of_turn(course), tally(course, HELD)] == [0, 2]
    contested = course_of([figure(10, 10), figure(5, 5), figure(1, 1, 1)], {}, goals=goals)
    contested.state.tally[HELD] = 1
    assert [end_of_turn(contested), tally(contested, HELD)] == [-1, 0]


def test_what_else_is_won_goes_before_a_place() -> None:
    goals = {"hold": ((0, 0, 10, 10), (0, 0, 0, 0)), "hold_figures": (1, 0), "hold_turns": (1, 0), "breaks_at": (1, 0)}
    course = course_of([figure(5, 5), figure(9, 9, also={STATUS: DEAD}), FAR], {}, goals=goals)
    assert [end_of_turn(course), tally(course, HELD)] == [1, 0]
    both = {"hold": ((0, 0, 10, 10), (80, 40, 99, 59)), "hold_figures": (1, 1), "hold_turns": (1, 1)}
    assert end_of_turn(course_of([figure(5, 5), FAR], {}, goals=both)) == DRAW


def test_who_burns_to_death_shakes_nobody() -> None:
    figures = [figure(5, 5, also={BURNING: 3}), figure(8, 5), FAR]
    course = course_of(figures, {}, ground_of(["@" * 20] * 20))
    course.state.afire[1] = 1
    course.turn = 9
    end_of_turn(course)
    assert (of(course, STATUS, 0), of(course, BLUE, 1), tally(course, KILLED)) == (DEAD, 0, 1)
    assert events(course, RESULT) == [(0, -1, -1, 1, DEAD, 0, -1, -1, -1, -1)]


@pytest.mark.parametrize(("at_limit", "outcome"), [(-1, NO_DECISION), (0, 0), (1, 1)])
def test_time_runs_out(at_limit: int, outcome: int) -> None:
    course = course_of(TWO_SQUADS, {}, goals={"turns": 2, "at_limit": at_limit})
    assert end_of_turn(course) == -1
    course.turn = 2
    assert end_of_turn(course) == outcome
    assert events(course, TURN_END) == [(0, 0, 0, 0, 2, 1, -1, -1, -1, -1)] * 2


@pytest.mark.parametrize(
    ("away", "changes", "free"),
    [(10, {}, False), (10.1, {}, True), (5.1, {"NA-7.15": "escorted"}, True), (5, {"NA-7.15": "escorted"}, False)],
)
def test_prisoners_free_themselves(away: float, changes: Mapping[str, str], free: bool) -> None:
    captive = figure(5 + away, 5, 1, also={STATUS: CAPTURED, CAPTOR: 0})
    course = course_of([figure(5, 5), captive, FAR], {}, changes=changes)
    course.state.tally[PRISONERS + 1] = 1
    end_of_turn(course)
    assert of(course, STATUS, 1) == (IN_PLAY if free else CAPTURED)
    assert tally(course, PRISONERS, 1) == (not free)
