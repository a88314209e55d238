"""The geometry of a table, compiled: who sees whom, what lies in the way, when a way comes near to an enemy.

A unit vector is (dx / d, dy / d): nothing but + - * / and square roots, so that every implementation gets the same.
"""

from __future__ import annotations

from math import ceil, inf, sqrt

import numpy as np

from wargamesim.bits import NONE, ONE, bit, lowest
from wargamesim.games.coloniale.compiling import merged, typed
from wargamesim.games.coloniale.layout import (
    CREST,
    DIFFICULT,
    EDGE,
    FORT,
    LEVEL_UNIT,
    UNFORDABLE,
    Ground,
    State,
    X,
    Y,
)
from wargamesim.games.coloniale.playing import Play

# Lengths that are equal but for rounding count as equal.
MORE = 1 + 1e-9


@typed
def distance2(state: State, a: int, b: int) -> float:
    """Return the square of the distance of two units."""
    dx, dy = state.place[a, X] - state.place[b, X], state.place[a, Y] - state.place[b, Y]
    return float(dx * dx + dy * dy)


@typed
def within(state: State, a: int, b: int, length: float) -> bool:
    """Tell whether two units are at most so far apart."""
    return bool(distance2(state, a, b) <= length * length * MORE)


@typed
def near(state: State, units: np.uint64, x: float, y: float, length: float) -> np.uint64:
    """Return those of some units that are at most so far from a place."""
    found, most = NONE, length * length * MORE
    while units != NONE:
        unit = lowest(units)
        units &= units - ONE
        dx, dy = state.place[unit, X] - x, state.place[unit, Y] - y
        found |= np.uint64(dx * dx + dy * dy <= most) << np.uint64(unit)
    return found


@typed
def nearest(state: State, units: np.uint64, x: float, y: float) -> int:
    """Return which of some units is nearest to a place, the first of several, or -1 if there are none."""
    best, least = -1, inf
    while units != NONE:
        unit = lowest(units)
        units &= units - ONE
        dx, dy = state.place[unit, X] - x, state.place[unit, Y] - y
        d2 = dx * dx + dy * dy
        if d2 < least:
            best, least = unit, d2
    return best


@typed
def is_in(ground: Ground, zone: int, x: float, y: float) -> bool:
    """Tell whether a place lies in a zone."""
    box = ground.zone[zone]
    return bool(box[0] <= x <= box[2] and box[1] <= y <= box[3])


@typed
def stand_in(state: State, ground: Ground, zone: int, units: np.uint64) -> bool:
    """Tell whether any of some units stands in a zone."""
    found = False
    while units != NONE:
        unit = lowest(units)
        units &= units - ONE
        found |= is_in(ground, zone, state.place[unit, X], state.place[unit, Y])
    return found


@typed
def square(ground: Ground, x: float, y: float) -> int:
    """Return the bits of the ground at a point."""
    return int(ground.what[int(y), int(x)])


@typed
def on_bridge(ground: Ground, play: Play, x: float, y: float) -> bool:
    """Tell whether a point of a river is bridged (CO-2.4)."""
    for i in range(ground.bridges):
        dx, dy = ground.bridge[i, X] - x, ground.bridge[i, Y] - y
        if dx * dx + dy * dy <= play.bridge * play.bridge * MORE:
            return True
    return False


@typed
def crossing(ground: Ground, piece: int, ax: float, ay: float, bx: float, by: float) -> float:
    """Return where the way from a to b crosses a piece of a line, as a share of the way, or -1."""
    x, y = ground.line[piece, 0], ground.line[piece, 1]
    rx, ry, sx, sy = bx - ax, by - ay, ground.line[piece, 2] - x, ground.line[piece, 3] - y
    den = rx * sy - ry * sx
    if den == 0.0:
        return -1.0
    t, u = ((x - ax) * sy - (y - ay) * sx) / den, ((x - ax) * ry - (y - ay) * rx) / den
    return t if 0.0 <= t <= 1.0 and 0.0 <= u <= 1.0 else -1.0


@typed
def fording(ground: Ground, play: Play, piece: int, ax: float, ay: float, bx: float, by: float) -> float:
    """Return likewise where the way crosses a piece of a river, unless it does on a bridge."""
    t = crossing(ground, piece, ax, ay, bx, by)
    if t >= 0.0 and ground.bridges > 0 and on_bridge(ground, play, ax + (bx - ax) * t, ay + (by - ay) * t):
        return -1.0
    return t


@typed
def segment_d2(ground: Ground, piece: int, x: float, y: float) -> float:
    """Return the square of the distance of a point from a piece of a line."""
    x1, y1 = ground.line[piece, 0], ground.line[piece, 1]
    sx, sy = ground.line[piece, 2] - x1, ground.line[piece, 3] - y1
    n = sx * sx + sy * sy
    t = 0.0 if n == 0.0 else min(max(((x - x1) * sx + (y - y1) * sy) / n, 0.0), 1.0)
    dx, dy = x - (x1 + sx * t), y - (y1 + sy * t)
    return float(dx * dx + dy * dy)


@typed
def barred(ground: Ground, play: Play, ax: float, ay: float, bx: float, by: float) -> bool:
    """Tell whether water that cannot be forded lies in the way (CO-2.4)."""
    for piece in range(ground.lines):
        if ground.line_kind[piece] == UNFORDABLE and fording(ground, play, piece, ax, ay, bx, by) >= 0.0:
            return True
    return False


@typed
def cover(state: State, ground: Ground, unit: int) -> int:
    """Return how a unit is covered as a target: 0 in the open, 1 on the edge of difficult ground, 2 in a fort."""
    if state.unit[unit, FORT] > 0:
        return 2
    return 1 if square(ground, state.place[unit, X], state.place[unit, Y]) & DIFFICULT != 0 else 0


@merged
def _clear(ground: Ground, play: Play, ax: float, ay: float, bx: float, by: float) -> bool:
    """Tell whether no difficult ground lies between, but for the edges on which the ends stand."""
    first, last = square(ground, ax, ay) & DIFFICULT, square(ground, bx, by) & DIFFICULT
    dx, dy = bx - ax, by - ay
    d, edge = sqrt(dx * dx + dy * dy), play.edge * MORE
    n = max(1, ceil(d))
    k = 1 + ground.clear[int(ay), int(ax)]
    while k < n:
        x, y = int(ax + dx * k / n), int(ay + dy * k / n)
        free = ground.clear[y, x]
        if free == 0 and ground.what[y, x] & DIFFICULT != 0:
            s = d * k / n
            if not ((first != 0 and s <= edge) or (last != 0 and d - s <= edge)):
                return False
        k += 1 + free
    return True


@merged
def _see(state: State, ground: Ground, play: Play, a: int, b: int) -> bool:
    """Look whether two units see each other."""
    ax, ay, bx, by = state.place[a, X], state.place[a, Y], state.place[b, X], state.place[b, Y]
    if ground.opaque:
        for unit in (a, b):
            if state.unit[unit, FORT] == 0:
                what = square(ground, state.place[unit, X], state.place[unit, Y])
                if what & DIFFICULT != 0 and what & EDGE == 0:
                    return False
    near = play.crest * play.crest * MORE
    for piece in range(ground.lines):
        if (
            ground.line_kind[piece] == CREST
            and crossing(ground, piece, ax, ay, bx, by) >= 0.0
            and segment_d2(ground, piece, ax, ay) > near
            and segment_d2(ground, piece, bx, by) > near
        ):
            return False
    return not ground.opaque or _clear(ground, play, ax, ay, bx, by)


@typed
def sees(state: State, ground: Ground, play: Play, one: int, other: int) -> bool:
    """Tell whether two units see each other for fire (CO-2.2, CO-2.3)."""
    a, b = min(one, other), max(one, other)
    if state.looked[a] & bit(b) == NONE:
        state.looked[a] |= bit(b)
        state.seen[a] &= ~bit(b)
        if _see(state, ground, play, a, b):
            state.seen[a] |= bit(b)
    return bool(state.seen[a] & bit(b) != NONE)


@typed
def advantage(state: State, ground: Ground, play: Play, a: int, d: int) -> bool:
    """Tell whether the defender d has an advantageous position against a (CO-2.5)."""
    ax, ay, bx, by = state.place[a, X], state.place[a, Y], state.place[d, X], state.place[d, Y]
    there = square(ground, bx, by)
    if there // LEVEL_UNIT > square(ground, ax, ay) // LEVEL_UNIT and there & DIFFICULT == 0:
        return True
    near = play.bank * play.bank * MORE
    for piece in range(ground.lines):
        if (
            ground.line_kind[piece] != CREST
            and fording(ground, play, piece, ax, ay, bx, by) >= 0.0
            and segment_d2(ground, piece, bx, by) <= near
        ):
            return True
    return False


@typed
def table_ends(ground: Ground, play: Play, x: float, y: float, ux: float, uy: float) -> float:
    """Return how far it is to the edge of the table along a unit vector."""
    far, rim = inf, play.rim
    if ux != 0.0:
        far = ((ground.width - rim if ux > 0.0 else rim) - x) / ux
    if uy != 0.0:
        far = min(far, ((ground.height - rim if uy > 0.0 else rim) - y) / uy)
    return max(far, 0.0)


@typed
def meets(x: float, y: float, ux: float, uy: float, ex: float, ey: float, r: float) -> float:
    """Return how far along a unit vector a point comes as near as `r` to another one; infinity if it never does."""
    wx, wy = ex - x, ey - y
    b, c = wx * ux + wy * uy, wx * wx + wy * wy - r * r
    if b <= 0.0:
        return inf
    if c <= r * r * 1e-9:
        return 0.0
    q = b * b - c
    return inf if q < 0.0 else b - sqrt(q)
