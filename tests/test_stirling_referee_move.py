"""Movement: who moves when, moves, charges and interceptions (sections 5 and 6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.stirling_battles import (
    EAST,
    NORTH_EAST,
    NORTH_WEST,
    WEST,
)
from tests.stirling_positions import (
    FACING,
    Dice,
    Players,
    course_of,
    go,
    rows,
    scripted,
)
from wargamesim.errors import IllegalAction
from wargamesim.games.stirling import layout
from wargamesim.games.stirling.judge import Move
from wargamesim.games.stirling.layout import (
    ADVANCE,
    CHARGED_NERVE,
    DISPERSED,
    ROUTED,
    RUN,
    STEP_BACK,
    T_CHECK,
    T_INITIATIVE,
    T_MOVE,
    WALK,
)
from wargamesim.games.stirling.referee_course import Course
from wargamesim.games.stirling.referee_move import initiative, movement_phase


@pytest.fixture
def players(monkeypatch: pytest.MonkeyPatch) -> Players:
    return scripted(monkeypatch)


# Order of movement (SS-5.2, SS-5.3)


@pytest.mark.parametrize(
    ("delays", "changes", "order"),
    [
        ({0, 1, 2, 3}, {}, [3, 1, 2, 0]),  # SS-12.9: B2, A2, B1, A1
        (set(), {}, [0, 2, 1, 3]),  # A1, B1, A2, B2
        (set(), {"SS-P24": "low_moves_first"}, [0, 2, 3, 1]),
        ({0, 1, 2, 3}, {"SS-P24": "low_moves_first"}, [3, 1, 2, 0]),
        ({0, 3}, {}, [2, 1, 3, 0]),
    ],
)
def test_the_order_of_movement(
    players: Players, delays: set[int], changes: Mapping[str, str], order: list[int]
) -> None:
    units = [(0, (0, 0), EAST, {"mov": 12}), (0, (0, 4), EAST, {"mov": 6})]
    units += [(1, (9, 0), WEST, {"mov": 9}), (1, (9, 4), WEST, {"mov": 6})]
    course = course_of(*units, changes=changes)
    Dice(course, initiative={0: 3, 1: 2})
    players.delays = delays
    initiative(course)
    movement_phase(course)
    assert players.order == order
    assert rows(course, T_INITIATIVE) == [(3, 2, 0, *[-1] * 7)]
    assert [row[8] for row in rows(course, T_MOVE)] == [int(unit in delays) for unit in order]


def test_a_side_delays_as_one(players: Players) -> None:
    course = course_of((0, (0, 0), EAST), (1, (9, 0), WEST), (1, (9, 4), WEST), changes={"SS-P25": "faction"})
    Dice(course, initiative={0: 1, 1: 2})
    players.side_delays, players.delays = {1}, {0}
    initiative(course)
    movement_phase(course)
    assert players.order == [0, 1, 2]


def test_equal_dice_are_rolled_again() -> None:
    course = course_of(*FACING)
    dice = Dice(course, initiative={(0, 0): 4, (1, 0): 4, (0, 1): 2, (1, 1): 2, (0, 2): 5, (1, 2): 6})
    initiative(course)
    assert rows(course, T_INITIATIVE)[0][:3] == (5, 6, 2)
    assert len(dice.rolled) == 6
    assert course.state.die.tolist() == [5, 6]


# Moves, charges, interception


def test_a_move_is_made(players: Players) -> None:
    course = course_of((0, (0, 5), EAST), (1, (12, 5), WEST))
    players.moves = {0: go(WALK, 0, 1, to=NORTH_EAST)}
    movement_phase(course)
    unit = course.board.units[0]
    assert (unit.hex, unit.front, unit.steps_made, unit.ran, unit.moved) == ((2, 4), NORTH_EAST, 2, 0, 1)
    assert rows(course, T_MOVE)[0] == (0, WALK, 2, 4, NORTH_EAST, 2, 0, -1, 0, -1)


def test_a_step_back_keeps_the_front(players: Players) -> None:
    course = course_of((0, (5, 5), EAST), (1, (6, 5), WEST))
    players.moves = {0: go(STEP_BACK, WEST, to=NORTH_EAST), 1: go(ADVANCE, WEST, to=NORTH_WEST)}
    movement_phase(course)
    first, second = course.board.units
    assert (first.hex, first.front) == ((4, 5), EAST)
    assert (second.hex, second.front) == ((5, 5), NORTH_WEST)


def test_an_illegal_move_is_refused(players: Players) -> None:
    course = course_of((0, (5, 5), EAST), (1, (6, 5), WEST))
    players.moves = {0: go(WALK, WEST, to=WEST)}
    with pytest.raises(IllegalAction, match=r"SS-5\.7"):
        movement_phase(course)


CHARGE = (0, (2, 5), EAST), (1, (6, 5), WEST)


def test_a_charge_is_declared_and_checked_at_once(players: Players) -> None:
    course = course_of(*CHARGE)
    dice = Dice(course, charged_nerve=10)
    players.moves = {0: go(RUN, 0, 0, 0, charge=1)}
    movement_phase(course)
    assert course.board.units[0].charging == 1
    assert course.state.tally[layout.CHARGES] == 1
    # No Leader: only the troops roll, 13 for chosen men.
    assert rows(course, T_CHECK) == [(1, 1, 1, 1, 13, 20, 0, -1, -1, -1)]
    assert [die for die in dice.rolled if die[1] == CHARGED_NERVE] == [(1, CHARGED_NERVE, 2 + j, 10) for j in (0, 1)]
    assert course.board.units[1].status == ROUTED


def test_who_is_routed_already_is_dispersed_by_a_charge(players: Players) -> None:
    course = course_of(CHARGE[0], (*CHARGE[1], {"status": ROUTED, "mov": 0}))
    Dice(course, charged_nerve=10)
    players.moves = {0: go(RUN, 0, 0, 0, charge=1)}
    movement_phase(course)
    assert course.board.units[1].status == DISPERSED


def test_nobody_checks_for_a_charge_where_it_is_no_situation(players: Players) -> None:
    course = course_of(*CHARGE, changes={"SS-P38": "losses_only"})
    players.moves = {0: go(RUN, 0, 0, 0, charge=1)}
    movement_phase(course)
    assert rows(course, T_CHECK) == []


def test_a_charge_that_is_none_is_refused(players: Players) -> None:
    course = course_of((0, (3, 5), EAST), CHARGE[1])
    players.moves = {0: go(RUN, 0, 0, charge=1)}
    with pytest.raises(IllegalAction, match=r"SS-7\.3"):
        movement_phase(course)


# The interceptor is faster, waits at (6, 8), and stops the mover in (6, 5) from (6, 6).
WAY, STOP = go(WALK, 0, 0, 0, 0, 0, 0, to=NORTH_EAST), go(WALK, 2, 2, to=NORTH_WEST, stop=5)


def intercepted(players: Players, way: Move = WAY, reply: Move = STOP, **more: Any) -> Course:
    course = course_of((0, (1, 5), EAST), (1, (6, 8), NORTH_WEST, {"mov": 15}), **more)
    Dice(course, initiative={0: 1, 1: 2}, charged_nerve=1)
    players.moves, players.replies, players.delays = {0: way}, {1: reply}, {1}
    initiative(course)
    movement_phase(course)
    return course


def test_an_interceptor_stops_the_mover(players: Players) -> None:
    course = intercepted(players)
    mover, stopper = course.board.units
    assert (mover.hex, mover.front, mover.steps_made) == ((6, 5), EAST, 5)
    assert (stopper.hex, stopper.front, stopper.moved) == ((6, 6), NORTH_WEST, 1)
    assert course.state.tally[layout.INTERCEPTIONS + 1] == 1
    assert rows(course, T_MOVE) == [
        (0, WALK, 6, 5, EAST, 5, 0, 1, 0, -1),
        (1, WALK, 6, 6, NORTH_WEST, 2, 0, -1, 1, 0),
    ]
    assert players.order == [0]  # the interceptor has had its move


def test_who_may_intercept(players: Players) -> None:
    for field, value in (("mov", 12), ("mov", 9), ("status", ROUTED)):
        course = course_of((0, (1, 5), EAST), (1, (6, 8), NORTH_WEST, {"mov": 15, field: value}))
        Dice(course, initiative={0: 2, 1: 1})
        players.moves, players.replies, players.delays = {0: WAY}, {1: STOP}, {1}
        players.asked = []
        initiative(course)
        movement_phase(course)
        assert players.asked == []
        assert course.board.units[0].steps_made == 6


def test_the_die_decides_who_outranks_whom(players: Players) -> None:
    for reading, dice, asked in (
        ("high_is_faster", (1, 2), True),
        ("high_is_faster", (2, 1), False),
        ("low_moves_first", (2, 1), True),
        ("low_moves_first", (1, 2), False),
    ):
        course = course_of((0, (1, 5), EAST), (1, (6, 8), NORTH_WEST), changes={"SS-P24": reading})
        Dice(course, initiative={0: dice[0], 1: dice[1]})
        players.moves, players.delays, players.asked = {0: WAY}, {1}, []
        initiative(course)
        movement_phase(course)
        assert players.asked == ([(1, 0)] if asked else [])


def test_an_engaged_unit_does_not_intercept(players: Players) -> None:
    course = course_of((0, (1, 5), EAST), (0, (6, 9), NORTH_WEST, {"mov": 3}), (1, (6, 8), NORTH_WEST, {"mov": 15}))
    Dice(course, initiative={0: 1, 1: 2})
    players.moves, players.delays = {0: WAY}, {2}
    initiative(course)
    movement_phase(course)
    assert players.asked == []


def test_a_stopped_mover_may_charge_its_interceptor(players: Players) -> None:
    reply = go(WALK, 2, 2, 1, to=WEST, stop=5)
    course = intercepted(players, go(RUN, 0, 0, 0, 0, 0, 0, charge=1), reply)
    mover, stopper = course.board.units
    assert (mover.hex, stopper.hex) == ((6, 5), (7, 5))
    assert (mover.charging, stopper.charging) == (1, 0)
    assert [row[6] for row in rows(course, T_MOVE)] == [1, 0]


def test_a_stopped_mover_that_meets_nobody_does_not_charge(players: Players) -> None:
    course = intercepted(players, go(RUN, 0, 0, 0, 0, 0, 0, charge=1))
    assert course.board.units[0].charging == 0
    assert [row[6] for row in rows(course, T_MOVE)] == [0, 0]


def test_an_interceptor_that_runs_may_charge(players: Players) -> None:
    course = course_of((0, (1, 5), EAST), (1, (6, 9), NORTH_WEST, {"mov": 15}), changes={"SS-P27": "run"})
    Dice(course, initiative={0: 1, 1: 2}, charged_nerve=1)
    players.moves, players.delays = {0: WAY}, {1}
    players.replies = {1: go(RUN, 2, 2, 2, to=WEST, stop=5, charge=1)}
    initiative(course)
    with pytest.raises(IllegalAction, match=r"SS-7\.3"):  # the mover is not before its front there
        movement_phase(course)
    course = course_of((0, (1, 5), EAST), (1, (6, 9), NORTH_WEST, {"mov": 15}), changes={"SS-P27": "run"})
    Dice(course, initiative={0: 1, 1: 2}, charged_nerve=1)
    players.replies = {1: go(RUN, 2, 2, 2, to=NORTH_WEST, stop=5, charge=1)}
    initiative(course)
    movement_phase(course)
    assert [unit.charging for unit in course.board.units] == [0, 1]
