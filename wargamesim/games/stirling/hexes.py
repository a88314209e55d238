"""Hexes as compiled code sees them: distances, neighbours, zones of control. Used by orders and battles."""

from __future__ import annotations

import numpy as np

from wargamesim.bits import NONE, ONE, bit, lowest
from wargamesim.compiled import inlined
from wargamesim.games.stirling.layout import FRONT, ORDERED, ROUTED, SIDE, STATUS, STEP_Q, STEP_R, Q, R, State
from wargamesim.games.stirling.playing import Play

# Bearings: the ways in which one hex can lie from another, as `bearing` numbers them.
BEARINGS = 27
HERE = 13


def _bearings() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return what each of the six steps does to the distance from a place, by the bearing from there.

    Returns
    -------
    farther, nearer : int64 arrays of shape [BEARINGS]
        The hexsides that lead away from the place, and those that lead toward it, as bits.
    gains : int64 array of shape [BEARINGS]
        The change of the distance plus one, 0 to 2, in `GAIN_BITS` bits for each hexside.
    """
    farther, nearer, gains = (np.zeros(BEARINGS, np.int64) for _ in range(3))
    for dq in range(-2, 3):
        for dr in range(-2, 3):
            at = 9 * int(np.sign(dq)) + 3 * int(np.sign(dr)) + int(np.sign(dq + dr)) + HERE
            farther[at] = nearer[at] = gains[at] = 0
            for side in range(6):
                to_q, to_r = dq + int(STEP_Q[side]), dr + int(STEP_R[side])
                gain = (abs(to_q) + abs(to_r) + abs(to_q + to_r) - abs(dq) - abs(dr) - abs(dq + dr)) // 2
                farther[at] |= int(gain > 0) << side
                nearer[at] |= int(gain < 0) << side
                gains[at] |= (gain + 1) << (GAIN_BITS * side)
    return farther, nearer, gains


# Room for the sum over all units.
GAIN_BITS = 10
FARTHER, NEARER, GAINS = _bearings()
ALL_SIDES = 63
# Hexsides between two fronts, by their difference plus 6.
ROTATION = np.array([0, 1, 2, 3, 2, 1] * 2, np.int64)


@inlined
def _sign(n: int) -> int:
    return 1 if n > 0 else -1 if n < 0 else 0


@inlined
def bearing(dq: int, dr: int) -> int:
    """Return how a hex lies from another, of which it is so many steps in q and r away."""
    return 9 * _sign(dq) + 3 * _sign(dr) + _sign(dq + dr) + HERE


@inlined
def distance(q: int, r: int, to_q: int, to_r: int) -> int:
    """Return the steps from one hex to another."""
    dq, dr = to_q - q, to_r - r
    return (abs(dq) + abs(dr) + abs(dq + dr)) // 2


@inlined
def on_board(state: State, q: int, r: int) -> bool:
    """Tell whether a hex is on the board."""
    # Without a sign, what is below 0 is beyond all rows and columns.
    return bool((np.uint64(r) < np.uint64(state.rows)) & (np.uint64(q + (r >> 1)) < np.uint64(state.cols)))


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
    return int(ROTATION[to - front + 6])


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
def standing(state: State, side: int, last: int) -> np.uint64:
    """Return the units of a side whose status is this one or a better one, as bits."""
    units = NONE
    for unit in range(state.count):
        row = state.unit[unit]
        if row[SIDE] == side and row[STATUS] <= last:
            units |= bit(unit)
    return units


@inlined
def is_taken(state: State, unit: int, q: int, r: int) -> bool:
    """Tell whether another unit is in a hex."""
    for other in range(state.count):
        row = state.unit[other]
        if row[Q] == q and row[R] == r and row[STATUS] <= ROUTED and other != unit:
            return True
    return False


@inlined
def target_of(state: State, unit: int) -> int:
    """Return the enemy that a unit attacks through its front, -1 if there is none (SS-7.1, SS-6.2).

    Of several in the hex the one whose front is nearest to the attacker.
    """
    return target_among(state, unit, standing(state, 1 - state.unit[unit, SIDE], ROUTED))


@inlined
def target_among(state: State, unit: int, enemies: np.uint64) -> int:
    """Do the same, if these are the enemies on the board."""
    own = state.unit[unit]
    q, r = own[Q] + STEP_Q[own[FRONT]], own[R] + STEP_R[own[FRONT]]
    towards, found, least = (own[FRONT] + 3) % 6, -1, 7
    while enemies != NONE:
        other = lowest(enemies)
        enemies &= enemies - ONE
        row = state.unit[other]
        if row[Q] == q and row[R] == r:
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
