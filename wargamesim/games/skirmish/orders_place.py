"""Where a side wants to be: over an edge of the table, or in a place that is to be held, without enemies. Compiled."""

from __future__ import annotations

from math import inf

from wargamesim.games.skirmish.compiling import merged, typed
from wargamesim.games.skirmish.layout import EAST, IN_PLAY, NORTH, SIDE, SOUTH, STATUS, Goals, Ground, State, X, Y
from wargamesim.games.skirmish.sight import distance2, enemies, knows

# How far inside a place that is to be held figures stand (cm).
INSET = 2.0


@merged
def beyond(ground: Ground, edge: int, x: float, y: float) -> tuple[float, float]:
    """Return the point of an edge of the table that is nearest; the place itself if there is no such edge."""
    if edge == NORTH:
        return x, 0.0
    if edge == SOUTH:
        return x, float(ground.height)
    if edge == EAST:
        return float(ground.width), y
    return (0.0, y) if edge > 0 else (x, y)


@merged
def into_place(goals: Goals, side: int, x: float, y: float) -> tuple[float, float]:
    """Return the nearest point well inside the place that a side is to hold."""
    west, north, east, south = goals.hold[side, 0], goals.hold[side, 1], goals.hold[side, 2], goals.hold[side, 3]
    in_x, in_y = min(INSET, (east - west) / 2), min(INSET, (south - north) / 2)
    return min(max(x, west + in_x), east - in_x), min(max(y, north + in_y), south - in_y)


@typed
def foe_inside(state: State, goals: Goals, figure: int) -> int:
    """Return the nearest known enemy who stands in the place that a figure's side is to hold, or -1."""
    first, end = enemies(state, figure)
    side = int(state.figure[SIDE, figure])
    best, best_d2 = -1, inf
    for i in range(first, end):
        x, y = state.place[X, i], state.place[Y, i]
        inside = goals.hold[side, 0] <= x <= goals.hold[side, 2] and goals.hold[side, 1] <= y <= goals.hold[side, 3]
        if inside and state.figure[STATUS, i] == IN_PLAY and knows(state, figure, i):
            d2 = distance2(state, figure, i)
            if d2 < best_d2:
                best, best_d2 = i, d2
    return best
