"""Movement in the kernel: whose turn it is, and flight."""

from __future__ import annotations

from typing import Any

import pytest

from tests.stirling_battles import (
    EAST,
    NORTH_WEST,
    STEADY,
    WEST,
    fields_of,
    play_one,
    rulebook_with,
    setup_of,
)
from wargamesim.games.stirling.doctrine import compile_doctrine
from wargamesim.games.stirling.layout import (
    DISPERSED,
    FLEE,
    FREE_STRIKES,
    ROUTED,
    T_ATTACK,
    T_BROKEN,
    T_INITIATIVE,
    T_MOVE,
)
from wargamesim.games.stirling.order import movement_order
from wargamesim.games.stirling.units import Unit

KEY = 83
IDLE = Unit(rate=0)


def standing(delay: str) -> Any:
    return compile_doctrine({"foot": "hold", "reach": 0, "support": False, "delay": delay})


@pytest.mark.parametrize("delays", [("never", "never"), ("always", "always"), ("always", "never")])
@pytest.mark.parametrize("changes", [{}, {"SS-P24": "low_moves_first"}, {"SS-P25": "faction"}])
def test_units_move_in_their_order(delays: tuple[str, str], changes: dict[str, Any]) -> None:
    book = rulebook_with(STEADY | changes)
    mov, side = [12, 6, 12, 9, 6, 6], [0, 0, 0, 1, 1, 1]
    units = [fields_of(Unit(), book, side[i], (i, 1 + 12 * side[i]), EAST, mov=pace) for i, pace in enumerate(mov)]
    setup = setup_of(units, book, movement=1, turns=1, doctrines=(standing(delays[0]), standing(delays[1])))
    orders = set()
    for number in range(12):
        trace = play_one(setup, KEY, number)["trace"]
        (dice,) = [row[2:4] for row in trace if row[1] == T_INITIATIVE]
        moved = [row[2] for row in trace if row[1] == T_MOVE]
        waits = [delays[each] == "always" for each in side]
        assert moved == movement_order(book, mov, side, dice, waits)
        orders.add(tuple(moved))
    # The die matters between units of equal MOV who wait alike.
    assert len(orders) == (2 if delays[0] == delays[1] else 1)


def flight(changes: dict[str, Any] | None = None, turns: int = 2, **more: int) -> tuple[list[Any], dict[str, Any]]:
    """Play a routed unit of MOV 4 between two enemies who stand; return its moves and the battle."""
    book = rulebook_with(STEADY | (changes or {}))
    units = [
        fields_of(IDLE, book, 0, (2, 10), EAST, status=ROUTED, **{"mov": 4} | more),
        fields_of(IDLE, book, 0, (-2, 15), EAST),
        fields_of(Unit(), book, 1, (3, 10), EAST),
        fields_of(Unit(rate="3/2"), book, 1, (3, 9), NORTH_WEST),
    ]
    setup = setup_of(units, book, movement=1, turns=turns, doctrines=(standing("never"), standing("never")))
    played = play_one(setup, KEY, 3)
    return [row for row in played["trace"] if row[1] == T_MOVE and row[2] == 0], played


def test_a_routed_unit_runs_away_and_off_the_board() -> None:
    (first, second), played = flight()
    assert first[3:5] == (FLEE, first[4])
    # West along its row to the edge, where it stops; it leaves with its next flight.
    assert (first[4] + first[5] // 2, first[7]) == (0, 7)
    assert second[4:6] == first[4:6]
    assert [row[0] for row in played["trace"] if row[1] == T_BROKEN and row[2:4] == (0, DISPERSED)] == [2]


def test_a_routed_unit_may_walk() -> None:
    moves, _ = flight({"SS-P50": "walk"}, turns=1)
    assert [row[7] for row in moves] == [4]


@pytest.mark.parametrize(
    ("changes", "attacks"),
    [
        ({}, [2, 3]),
        ({"SS-P22": "one"}, None),
        ({"SS-P21": "full"}, [2, 2, 3, 3, 3]),
        ({"movement.free_attacks": 0}, []),
        ({"movement.zone": 0}, []),
    ],
)
def test_who_strikes_a_fleeing_unit(changes: dict[str, Any], attacks: list[int] | None) -> None:
    _, played = flight(changes, turns=1)
    free = [row[2] for row in played["trace"] if row[1] == T_ATTACK and row[4] == 3]
    if attacks is None:
        assert len(free) == 1
    else:
        assert free == attacks
    assert played["tally"][FREE_STRIKES + 1] == len(set(free))
    assert all(row[11] == 2 for row in played["trace"] if row[1] == T_ATTACK and row[4] == 3)


def test_who_has_nowhere_to_go_stays() -> None:
    book = rulebook_with(STEADY)
    units = [
        fields_of(IDLE, book, 0, (5, 5), EAST, status=ROUTED),
        fields_of(IDLE, book, 0, (-2, 15), EAST),
        *(fields_of(IDLE, book, 1, (5 + q, 5 + r), WEST) for q, r in ((1, 0), (0, -1), (-1, 1))),
        fields_of(Unit(rate=1), book, 1, (12, 1), WEST),
    ]
    setup = setup_of(units, book, movement=1, turns=1, doctrines=(standing("never"), standing("never")))
    (move,) = [row for row in play_one(setup, KEY, 0)["trace"] if row[1] == T_MOVE and row[2] == 0]
    assert move[3:8] == (FLEE, 5, 5, EAST, 0)
