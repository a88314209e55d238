"""Hexes as compiled code sees them: distances, neighbours, zones of control. Used by orders and battles."""

from __future__ import annotations

from wargamesim.compiled import inlined
from wargamesim.games.stirling.layout import FRONT, ORDERED, ROUTED, SIDE, STATUS, STEP_Q, STEP_R, Q, R, State
from wargamesim.games.stirling.playing import Play


@inlined
def distance(q: int, r: int, to_q: int, to_r: int) -> int:
    """Return the steps from one hex to another."""
    dq, dr = to_q - q, to_r - r
    return (abs(dq) + abs(dr) + abs(dq + dr)) // 2


@inlined
def on_board(state: State, q: int, r: int) -> bool:
    """Tell whether a hex is on the board."""
    return bool(0 <= r < state.rows and 0 <= q + (r >> 1) < state.cols)


@inlined
def direction(q: int, r: int, to_q: int, to_r: int) -> int:
    """Return the hexside between two neighbours, -1 if they are none."""
    for side in range(6):
        if q + STEP_Q[side] == to_q and r + STEP_R[side] == to_r:
            return side
    return -1


@inlined
def turned(front: int, to: int) -> int:
    """Return by how many hexsides a rotation turns a unit, 0 to 3."""
    turn = (to - front) % 6
    return min(turn, 6 - turn)


@inlined
def is_here(state: State, unit: int) -> bool:
    """Tell whether a unit is on the board."""
    return bool(state.unit[unit, STATUS] <= ROUTED)


@inlined
def has_zone(state: State, play: Play, unit: int) -> bool:
    """Tell whether a unit has a zone of control (SS-5.6, SS-P51)."""
    status = state.unit[unit, STATUS]
    return bool(status == ORDERED or (status == ROUTED and play.routed_zone == 1))


@inlined
def in_zone(state: State, play: Play, side: int, q: int, r: int) -> bool:
    """Tell whether a hex is in a zone of control of an enemy of the side (SS-5.6)."""
    for unit in range(state.count):
        row = state.unit[unit]
        if row[SIDE] != side and has_zone(state, play, unit):
            away = distance(row[Q], row[R], q, r)
            if 1 <= away <= play.zone:
                return True
    return False


@inlined
def unit_at(state: State, q: int, r: int) -> int:
    """Return the lowest unit on the board in a hex, -1 if there is none."""
    for unit in range(state.count):
        row = state.unit[unit]
        if row[Q] == q and row[R] == r and row[STATUS] <= ROUTED:
            return unit
    return -1


@inlined
def target_of(state: State, unit: int) -> int:
    """Return the enemy that a unit attacks through its front, -1 if there is none (SS-7.1, SS-6.2).

    Of several in the hex the one whose front is nearest to the attacker.
    """
    own = state.unit[unit]
    q, r = own[Q] + STEP_Q[own[FRONT]], own[R] + STEP_R[own[FRONT]]
    towards, found, least = (own[FRONT] + 3) % 6, -1, 7
    for other in range(state.count):
        row = state.unit[other]
        if row[Q] == q and row[R] == r and row[SIDE] != own[SIDE] and row[STATUS] <= ROUTED:
            turn = turned(row[FRONT], towards)
            if turn < least:
                found, least = other, turn
    return found


@inlined
def side_struck(state: State, attacker: int, target: int) -> int:
    """Return the side of a neighbour that is attacked: 0 front, 1 flank, 2 rear (SS-7.2)."""
    a, t = state.unit[attacker], state.unit[target]
    turn = turned(t[FRONT], direction(t[Q], t[R], a[Q], a[R]))
    return 0 if turn == 0 else 2 if turn == 3 else 1
