"""Where a piece may move: bitboards, compiled (AZ-3). The referee has its own reading and never sees this."""

from __future__ import annotations

import numpy as np

from wargamesim.bits import NONE, ONE, bit, spread
from wargamesim.compiled import compiled, inlined, inner
from wargamesim.games.azincourt.layout import (
    BY_ENGLISH,
    BY_FRENCH,
    CASTLE,
    COL,
    HOUSE,
    KIND,
    MOUNTAIN,
    MUD,
    MUD_FACTOR,
    ROAD,
    ROW,
    STAKE,
    WOOD,
    State,
)
from wargamesim.games.azincourt.rules import RulesRecord
from wargamesim.games.azincourt.state import has, is_mounted

# The memory of `plan`, which imports this module.
Plan = np.record

# States of a path: the road squares entered, whether it climbed, whether it touched mud (AZ-3.2, AZ-3.3, AZ-2.3).
PATH_STATES = 4


@inlined
def inside(state: State) -> np.uint64:
    """Return the word of a whole row."""
    return bit(state.width) - np.uint64(1)


@inlined
def passable(state: State, row: int, mounted: bool) -> np.uint64:
    """Return the squares of a row that the ground and the stakes leave open (AZ-3.4 to AZ-3.6)."""
    closed = state.rows[WOOD, row] | state.rows[STAKE, row]
    if mounted:
        closed |= state.rows[HOUSE, row] | state.rows[CASTLE, row]
    return inside(state) & ~closed


@inlined
def speed_in_mud(state: State, rules: RulesRecord, piece: int) -> int:
    """Return the speed of a piece on which the mud tells (AZ-2.1, AZ-2.2)."""
    speed = rules.speed[state.pieces[KIND, piece]]
    if not is_mounted(state, piece):
        return speed
    return max(speed - state.tally[MUD_FACTOR], min(speed, rules.mud_slowest))


@inlined
def start_speed(state: State, rules: RulesRecord, piece: int) -> int:
    """Return the speed with which a piece sets out from its square."""
    if has(state, MUD, state.pieces[ROW, piece], state.pieces[COL, piece]):
        return speed_in_mud(state, rules, piece)
    return rules.speed[state.pieces[KIND, piece]]


@compiled
def reachable(state: State, rules: RulesRecord, plan: Plan, piece: int) -> int:
    """Find the squares to which a living piece may move, its own excluded.

    Fills `plan.out` in rows `row - span` to `row + span` of the board, and returns the span.
    """
    row, col = state.pieces[ROW, piece], state.pieces[COL, piece]
    mounted = is_mounted(state, piece)
    fresh = start_speed(state, rules, piece)
    muddy = speed_in_mud(state, rules, piece)
    span = fresh + rules.road_bonus
    low, high = max(0, row - span), min(state.height - 1, row + span)
    for r in range(low, high + 1):
        plan.free[r] = passable(state, r, mounted) & ~(state.rows[BY_ENGLISH, r] | state.rows[BY_FRENCH, r])
        plan.out[r] = NONE
    plan.out[row] = bit(col)
    _steps(plan, row, low, high, fresh)
    climbs = _touches(state, plan, MOUNTAIN, low, high)
    # The first road square of a path that earns the bonus lies within the plain speed, unless the bonus is that large.
    if rules.road_bonus > 0 and (rules.road_bonus >= rules.road_squares or _touches(state, plan, ROAD, low, high)):
        climbs |= _along_roads(state, rules, plan, row, col, low, high, fresh)
    if climbs or (rules.mud_any_square == 1 and muddy != fresh):
        _by_path(state, rules, plan, row, col, fresh, muddy, low, high)
    plan.out[row] &= ~bit(col)
    return span


@inlined
def _touches(state: State, plan: Plan, plane: int, low: int, high: int) -> bool:
    """Tell whether any of the squares found so far lies in the plane."""
    found = NONE
    for r in range(low, high + 1):
        found |= plan.out[r] & state.rows[plane, r]
    return found != NONE


@inlined
def _steps(plan: Plan, row: int, low: int, high: int, steps: int) -> None:
    """Take so many steps in all directions, where no path is better than another."""
    for step in range(1, steps + 1):
        top, bottom = max(low, row - step), min(high, row + step)
        above, here = NONE, plan.out[top]
        for r in range(top, bottom + 1):
            below = plan.out[r + 1] if r < bottom else NONE
            plan.out[r] = here | (spread(above | here | below) & plan.free[r])
            above, here = here, below


@inner
def _along_roads(
    state: State, rules: RulesRecord, plan: Plan, row: int, col: int, low: int, high: int, fresh: int
) -> bool:
    """Add the squares that only the road bonus reaches, where no climb and no mud sets paths apart (AZ-3.2).

    Tells whether any path climbs, long ones included that end before they have earned the bonus.
    """
    wanted = rules.road_squares
    for roads in range(wanted + 1):
        for r in range(low, high + 1):
            plan.paths[roads, r] = NONE
    plan.paths[0, row] = bit(col)
    for step in range(1, fresh + rules.road_bonus + 1):
        top, bottom = max(low, row - step), min(high, row + step)
        # paths[k] are the squares reached over at least k road squares; from the most down, so that k - 1 is still old.
        for roads in range(wanted, -1, -1):
            above, here = NONE, plan.paths[roads, top]
            for r in range(top, bottom + 1):
                below = plan.paths[roads, r + 1] if r < bottom else NONE
                reached = spread(above | here | below)
                if roads > 0:
                    fewer = plan.paths[roads - 1, r]
                    fewer_above = plan.paths[roads - 1, r - 1] if r > top else NONE
                    fewer_below = plan.paths[roads - 1, r + 1] if r < bottom else NONE
                    reached |= _beside(fewer_above, fewer, fewer_below) & state.rows[ROAD, r]
                plan.paths[roads, r] = here | (reached & plan.free[r])
                above, here = here, below
    on_mountain = NONE
    for r in range(low, high + 1):
        plan.out[r] |= plan.paths[wanted, r]
        on_mountain |= plan.paths[0, r] & state.rows[MOUNTAIN, r]
    return on_mountain != NONE


@inner
def _by_path(
    state: State, rules: RulesRecord, plan: Plan, row: int, col: int, fresh: int, muddy: int, low: int, high: int
) -> None:
    """Take steps and keep apart the paths that differ in road, climb and mud."""
    wanted = rules.road_squares
    for kind in range(PATH_STATES * (wanted + 1)):
        for r in range(low, high + 1):
            plan.paths[kind, r] = NONE
    for r in range(low, high + 1):
        plan.out[r] = NONE
    any_square = rules.mud_any_square == 1
    first = _index(wanted, 0, 0, 1 if any_square and has(state, MUD, row, col) else 0)
    plan.paths[first, row] = bit(col)
    for step in range(1, fresh + rules.road_bonus + 1):
        top, bottom = max(low, row - step), min(high, row + step)
        # From the richest kind of path down: a kind passes its longer paths on to itself or to richer kinds,
        # which have taken this step already, so none takes two steps at once.
        for roads in range(wanted, -1, -1):
            for climbed in range(1, -1, -1):
                for mud in range(1, -1, -1):
                    if _is_used(plan, _index(wanted, roads, climbed, mud), top, bottom):
                        _step_kind(state, plan, wanted, any_square, roads, climbed, mud, top, bottom)
        for roads in range(wanted + 1):
            for climbed in range(2):
                for mud in range(2):
                    speed = muddy if mud == 1 else fresh
                    speed += (rules.road_bonus if roads == wanted else 0) - rules.climb * climbed
                    if step <= speed:
                        for r in range(top, bottom + 1):
                            plan.out[r] |= plan.paths[_index(wanted, roads, climbed, mud), r]


@inlined
def _beside(above: np.uint64, here: np.uint64, below: np.uint64) -> np.uint64:
    """Return the neighbours of squares in three rows, for the middle row: whoever stays enters nothing."""
    return spread(above | below) | (here << ONE) | (here >> ONE)


@inlined
def _index(wanted: int, roads: int, climbed: int, mud: int) -> int:
    return min(roads, wanted) * PATH_STATES + 2 * climbed + mud


@inlined
def _is_used(plan: Plan, kind: int, top: int, bottom: int) -> bool:
    for r in range(top, bottom + 1):
        if plan.paths[kind, r] != NONE:
            return True
    return False


@inner
def _step_kind(
    state: State,
    plan: Plan,
    wanted: int,
    any_square: bool,
    roads: int,
    climbed: int,
    mud: int,
    top: int,
    bottom: int,
) -> None:
    """Take one step with every path of one kind, and sort the longer paths by their kind."""
    own = _index(wanted, roads, climbed, mud)
    above_low = above_high = NONE
    mountain = state.rows[MOUNTAIN, top]
    here_low, here_high = plan.paths[own, top] & ~mountain, plan.paths[own, top] & mountain
    for r in range(top, bottom + 1):
        below_low = below_high = NONE
        if r < bottom:
            mountain = state.rows[MOUNTAIN, r + 1]
            below_low, below_high = plan.paths[own, r + 1] & ~mountain, plan.paths[own, r + 1] & mountain
        from_low = _beside(above_low, here_low, below_low) & plan.free[r]
        from_high = _beside(above_high, here_high, below_high) & plan.free[r]
        mountain = state.rows[MOUNTAIN, r]
        level = (from_low & ~mountain) | from_high
        uphill = from_low & mountain
        for climb in range(2):
            entered = uphill if climb == 1 else level
            if entered == NONE:
                continue
            ground = state.rows[MUD, r] if any_square else NONE
            road = state.rows[ROAD, r]
            c = 1 if climb == 1 else climbed
            plan.paths[_index(wanted, roads, c, mud), r] |= entered & ~road & ~ground
            plan.paths[_index(wanted, roads, c, 1), r] |= entered & ~road & ground
            plan.paths[_index(wanted, roads + 1, c, mud), r] |= entered & road & ~ground
            plan.paths[_index(wanted, roads + 1, c, 1), r] |= entered & road & ground
        above_low, above_high = here_low, here_high
        here_low, here_high = below_low, below_high
