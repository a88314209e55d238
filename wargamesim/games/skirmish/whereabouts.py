"""What is kept of who is where, so that few are looked at: the box round each squad, and each one's nearest enemy.

A box holds every figure of its squad that is on the table. It grows when one of them goes beyond it, and is drawn anew
each turn, so it may be too large, but never too small. A figure's nearest enemy stays that as long as both stand still,
but for those of the other side who have moved or come into play or sight since it was looked for. Compiled.
"""

from __future__ import annotations

from math import inf

from wargamesim.games.skirmish.compiling import merged, public, typed
from wargamesim.games.skirmish.layout import (
    BOX_EAST,
    BOX_NORTH,
    BOX_SOUTH,
    BOX_WEST,
    CAPTURED,
    HIDDEN,
    IN_PLAY,
    S_COUNT,
    S_FIRST,
    SIDE,
    SQUAD,
    STATUS,
    State,
    X,
    Y,
)

# When a figure has looked for its nearest enemy that has not, or has moved since.
NEVER = -1


@merged
def _stretch(state: State, figure: int) -> None:
    """Let a squad's box hold a figure where it is."""
    x, y, squad = state.place[X, figure], state.place[Y, figure], state.figure[SQUAD, figure]
    state.box[squad, BOX_WEST] = min(state.box[squad, BOX_WEST], x)
    state.box[squad, BOX_NORTH] = min(state.box[squad, BOX_NORTH], y)
    state.box[squad, BOX_EAST] = max(state.box[squad, BOX_EAST], x)
    state.box[squad, BOX_SOUTH] = max(state.box[squad, BOX_SOUTH], y)


@typed
def appears(state: State, figure: int) -> None:
    """Take note that a figure has come to where it is, or into play, or that an enemy has learned of it."""
    _stretch(state, figure)
    state.looked[figure] = NEVER
    state.clock += 1
    state.stirred[state.figure[SQUAD, figure]] = state.clock


@typed
def shows(state: State, figure: int) -> None:
    """Let everybody know of a figure."""
    if state.figure[HIDDEN, figure] != 0:
        state.figure[HIDDEN, figure] = 0
        appears(state, figure)


@typed
def draw_boxes(state: State) -> None:
    """Draw the box round each squad as small as can be."""
    for squad in range(state.squads):
        state.box[squad, BOX_WEST] = state.box[squad, BOX_NORTH] = inf
        state.box[squad, BOX_EAST] = state.box[squad, BOX_SOUTH] = -inf
    for i in range(state.count):
        if state.figure[STATUS, i] == IN_PLAY or state.figure[STATUS, i] == CAPTURED:
            _stretch(state, i)


@public
def look_anew(state: State) -> None:
    """Draw all boxes and forget all nearest enemies, for whoever has put figures down without `appears`."""
    draw_boxes(state)
    for i in range(state.count):
        state.looked[i] = NEVER


@merged
def gap2(state: State, squad: int, x: float, y: float) -> float:
    """Return the square of the distance of a place from a squad's box, 0 inside; infinite if the squad is gone (cm²).

    None of the squad is nearer, not even by the rounding of floats, which keeps their order.
    """
    dx = max(max(state.box[squad, BOX_WEST] - x, x - state.box[squad, BOX_EAST]), 0.0)
    dy = max(max(state.box[squad, BOX_NORTH] - y, y - state.box[squad, BOX_SOUTH]), 0.0)
    return float(dx * dx + dy * dy)


@merged
def gap2_from(state: State, squad: int, figure: int) -> float:
    """Return the same for the place where a figure stands."""
    return gap2(state, squad, state.place[X, figure], state.place[Y, figure])


@merged
def squads_of(state: State, side: int) -> tuple[int, int]:
    """Return the first of a side's squads and the one after the last."""
    if side == 0:
        return 0, int(state.first_squads)
    return int(state.first_squads), int(state.squads)


@merged
def own_squads(state: State, figure: int) -> tuple[int, int]:
    """Return the first squad of a figure's side and the one after the last."""
    return squads_of(state, int(state.figure[SIDE, figure]))


@merged
def own_first(state: State, figure: int, place: int) -> int:
    """Return a squad of a figure's side in the order in which its own comes first: friends are mostly there."""
    first, end = own_squads(state, figure)
    squad = int(state.figure[SQUAD, figure]) + place
    return squad if squad < end else squad - (end - first)


@merged
def enemy_squads(state: State, figure: int) -> tuple[int, int]:
    """Return the first squad of the other side and the one after the last."""
    return squads_of(state, 1 - int(state.figure[SIDE, figure]))


@merged
def members(state: State, squad: int) -> tuple[int, int]:
    """Return the first of a squad's figures and the one after the last."""
    first = int(state.squad[S_FIRST, squad])
    return first, first + int(state.squad[S_COUNT, squad])
