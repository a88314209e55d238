"""Flight: where it leads, and who attacks the backs of those who flee (SS-5.8)."""

from __future__ import annotations

import pytest

from tests.stirling_battles import (
    EAST,
    NORTH_WEST,
    WEST,
)
from tests.stirling_positions import (
    Dice,
    Players,
    attacks_of,
    course_of,
    go,
    rows,
    scripted,
)
from wargamesim.games.stirling import layout
from wargamesim.games.stirling.layout import (
    DESTROYED,
    DISPERSED,
    FIT,
    FLEE,
    FREE,
    GONE,
    ORDERED,
    ROUTED,
    T_BROKEN,
    T_MOVE,
    T_REMOVED,
    WALK,
)
from wargamesim.games.stirling.referee_flight import way_out
from wargamesim.games.stirling.referee_melee import melee_phase
from wargamesim.games.stirling.referee_move import initiative, movement_phase


@pytest.fixture
def players(monkeypatch: pytest.MonkeyPatch) -> Players:
    return scripted(monkeypatch)


def test_a_flight_leads_away_from_the_enemy() -> None:
    course = course_of((0, (5, 5), EAST, {"status": ROUTED}), (1, (6, 5), WEST))
    unit = course.board.units[0]
    assert way_out(course.board, unit, 3) == (NORTH_WEST, NORTH_WEST, NORTH_WEST)
    assert way_out(course.board, unit, 0) == ()


def test_a_flight_ends_where_the_board_ends() -> None:
    course = course_of((0, (2, 0), EAST, {"status": ROUTED}), (1, (9, 0), WEST), board=(1, 16))
    unit = course.board.units[0]
    assert way_out(course.board, unit, 36) == (NORTH_WEST,)  # at the edge: off the board
    unit.status = ORDERED
    assert way_out(course.board, unit, 36) == (WEST, WEST)


def test_a_flight_does_not_end_on_a_friend() -> None:
    units = (0, (5, 0), EAST, {"status": ORDERED}), (0, (3, 0), EAST), (1, (6, 0), WEST)
    course = course_of(*units, board=(1, 16))
    assert way_out(course.board, course.board.units[0], 2) == (WEST,)
    course = course_of(*units, board=(1, 16), changes={"SS-P01": "unlimited"})
    assert way_out(course.board, course.board.units[0], 2) == (WEST, WEST)


def test_a_surrounded_unit_has_nowhere_to_go(players: Players) -> None:
    """SS-5.9."""
    course = course_of((0, (5, 5), EAST), (1, (4, 5), EAST), (1, (6, 5), WEST))
    players.moves = {0: go(FLEE)}
    assert way_out(course.board, course.board.units[0], 36) == ()
    movement_phase(course)
    unit = course.board.units[0]
    assert (unit.hex, unit.fled, unit.moved) == ((5, 5), 1, 1)
    melee_phase(course)
    assert {row[0] for row in attacks_of(course)} == {1, 2}


def test_who_flees_is_struck_from_behind(players: Players) -> None:
    """SS-5.8: one attack at +2, and the shield is lost."""
    course = course_of((0, (5, 5), EAST, {"shield": 1}), (1, (6, 5), WEST))
    dice = Dice(course, free={(1, 0): 11, (1, 1): 8})
    path = way_out(course.board, course.board.units[0], 36)
    players.moves = {0: go(FLEE)}
    movement_phase(course)
    unit = course.board.units[0]
    assert attacks_of(course) == [(1, 0, 3, 11, 68, 2)]
    assert (unit.men, unit.struck_back, unit.fled, unit.ran) == (240, 1, 1, 1)
    assert [die for die in dice.rolled if die[1] == FREE] == [(1, FREE, 0, 20), (1, FREE, 1, 8)]
    assert (unit.steps_made, unit.front) == (len(path), path[-1])
    assert course.state.tally[layout.FREE_STRIKES + 1] == 1
    # Its enemy has kept its attacks of the melee, but nobody is there to be struck.
    assert course.board.units[1].has_struck == 0


def test_free_attacks_by_reading(players: Players) -> None:
    units = (0, (5, 5), EAST), (1, (6, 5), WEST), (1, (6, 4), WEST), (1, (9, 9), WEST)
    for changes, attackers in (
        ({}, [1, 2]),
        ({"SS-P21": "full"}, [1, 1, 2, 2]),
        ({"SS-P22": "one"}, [2]),
        ({"movement.free_attacks": 0}, []),
    ):
        course = course_of(*units, changes=changes)
        players.moves, players.choice = {0: go(FLEE)}, 2
        movement_phase(course)
        assert [row[0] for row in attacks_of(course)] == attackers
    assert players.listed == [1, 2]


def test_losses_of_a_flight_are_removed_at_once_or_at_the_end(players: Players) -> None:
    units = (0, (5, 5), EAST), (1, (6, 5), WEST)
    for reading, kinds in (("immediate", [T_REMOVED, T_MOVE]), ("end_of_phase", [T_MOVE, T_REMOVED])):
        course = course_of(*units, changes={"SS-P23": reading})
        Dice(course, free={(1, 0): 20, (1, 1): 8})
        players.moves = {0: go(FLEE)}
        movement_phase(course)
        found = [row[1] for row in course.trace if row[2] == 0 and row[1] in (T_REMOVED, T_MOVE)]
        assert found == kinds


def test_a_unit_may_be_destroyed_as_it_flees(players: Players) -> None:
    course = course_of((0, (5, 5), EAST, {"men": 50, "left": 50}), (1, (6, 5), WEST))
    Dice(course, free={(1, 0): 20, (1, 1): 8})
    players.moves = {0: go(FLEE)}
    movement_phase(course)
    assert course.board.units[0].status == DESTROYED
    assert [row[0] for row in rows(course, T_MOVE)] == [1]


@pytest.mark.usefixtures("players")
def test_a_routed_unit_leaves_the_board() -> None:
    unit = {"status": ROUTED, "charisma": 12, "leader": FIT}
    course = course_of((0, (0, 0), EAST, unit), (1, (9, 0), WEST), board=(1, 16))
    movement_phase(course)
    found = course.board.units[0]
    assert (found.status, found.hex, found.leader, found.broken_turn) == (DISPERSED, (0, 0), GONE, 1)
    assert rows(course, T_MOVE)[0] == (0, FLEE, 0, 0, EAST, 1, 0, -1, 0, -1)
    assert rows(course, T_BROKEN) == [(0, DISPERSED, *[-1] * 8)]


def test_a_flight_can_be_intercepted(players: Players) -> None:
    course = course_of(
        (0, (8, 0), EAST),
        (1, (9, 0), WEST, {"mov": 0}),
        (1, (9, 2), NORTH_WEST, {"mov": 15}),
        board=(3, 16),
    )
    Dice(course, initiative={0: 1, 1: 2})
    assert way_out(course.board, course.board.units[0], 36) == (WEST,) * 8
    # The flight passes (5, 0), and the interceptor comes to (5, 1).
    players.moves, players.delays = {0: go(FLEE)}, {2}
    players.replies = {2: go(WALK, NORTH_WEST, *[WEST] * 4, to=NORTH_WEST, stop=3)}
    initiative(course)
    movement_phase(course)
    unit = course.board.units[0]
    assert (unit.hex, unit.front, unit.steps_made) == ((5, 0), WEST, 3)
    assert rows(course, T_MOVE)[0][:8] == (0, FLEE, 5, 0, WEST, 3, 0, 2)
