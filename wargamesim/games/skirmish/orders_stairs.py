"""When figures change the floor of a house, after an enemy or on their way out, and flee from fire. Compiled."""

from __future__ import annotations

from math import inf, sqrt

from wargamesim.games.skirmish.compiling import merged, typed
from wargamesim.games.skirmish.layout import (
    BUILDING,
    BURNING,
    DRAGS,
    IN_PLAY,
    LEVEL,
    MOVE,
    POSTURE,
    PRONE,
    RING,
    RUN,
    STAIRS,
    STAND,
    STATUS,
    TARGET,
    WALL,
    WHAT,
    Ground,
    Plan,
    State,
    X,
    Y,
)
from wargamesim.games.skirmish.orders_cover import ring_square
from wargamesim.games.skirmish.orders_move import may_move, stay, stride
from wargamesim.games.skirmish.playing import Play
from wargamesim.games.skirmish.sight import LESS, distance2, effort, enemies, fits, is_on_table, knows, passes

# How far a figure steps aside to find the stairs free (bases).
ASIDE = 1.2
# Who is in a burning house leaves it so many turns before it must, and looks so far for the way out (cm).
SPARE_TURNS, FARTHEST_DOOR = 2, 40


@merged
def house_of(state: State, ground: Ground, figure: int) -> int:
    """Return the number of the house in which a figure stands, 0 outside."""
    return int(ground.house[int(state.place[Y, figure]), int(state.place[X, figure])])


@typed
def _is_free(state: State, play: Play, figure: int, level: int, x: float, y: float) -> bool:
    """Tell whether there is room for a figure at a place of another floor."""
    apart2 = play.diameter * LESS * play.diameter * LESS
    for i in range(state.count):
        dx, dy = state.place[X, i] - x, state.place[Y, i] - y
        if (
            dx * dx + dy * dy <= apart2
            and i != figure
            and state.figure[LEVEL, i] == level
            and is_on_table(state, play, i)
        ):
            return False
    return True


@typed
def takes_stairs(state: State, ground: Ground, play: Play, plan: Plan, figure: int, level: int) -> bool:
    """Go to the next floor up or down, or aside to where that floor has room (NA-3.9)."""
    house = house_of(state, ground, figure)
    if house == 0 or not 0 <= level < ground.floors[house]:
        return False
    if state.figure[DRAGS, figure] >= 0 or not may_move(state, play, figure):
        return False
    if state.figure[PRONE, figure] != 0:
        return play.can_lie == 1 and stay(state, plan, figure, STAND)
    x, y = state.place[X, figure], state.place[Y, figure]
    if _is_free(state, play, figure, level, x, y):
        plan.action[WHAT], plan.action[TARGET] = STAIRS, level
        return True
    for k in range(RING.shape[0]):
        to_x, to_y = x + ASIDE * play.diameter * RING[k, X], y + ASIDE * play.diameter * RING[k, Y]
        if (
            fits(state, ground, play, figure, to_x, to_y)
            and ground.house[int(to_y), int(to_x)] == house
            and _is_free(state, play, figure, level, to_x, to_y)
            and passes(state, play, figure, to_x, to_y)
            and effort(state, ground, play, figure, to_x, to_y, 0, 0) <= 1.0
        ):
            plan.action[WHAT], plan.action[RUN], plan.action[POSTURE] = MOVE, 0, 0
            plan.to[X], plan.to[Y] = to_x, to_y
            return True
    return False


@typed
def flees_fire(state: State, ground: Ground, play: Play, plan: Plan, figure: int) -> bool:
    """Leave a burning house in good time, by the stairs from an upper floor (NA-9.3)."""
    house = house_of(state, ground, figure)
    level = int(state.figure[LEVEL, figure])
    if house == 0 or state.afire[house] == 0:
        return False
    if state.figure[BURNING, figure] + SPARE_TURNS + level < play.arson_turns:
        return False
    if level > 0:
        return takes_stairs(state, ground, play, plan, figure, level - 1)
    x, y = state.place[X, figure], state.place[Y, figure]
    best_x, best_y, best = x, y, inf
    for ring in range(1, FARTHEST_DOOR + 1):
        if ring - 0.5 > best:
            break
        for k in range(8 * ring):
            c, r = ring_square(int(x), int(y), ring, k)
            if not (0 <= c < ground.width and 0 <= r < ground.height) or ground.what[r, c] & (BUILDING | WALL) != 0:
                continue
            dx, dy = c + 0.5 - x, r + 0.5 - y
            d = sqrt(dx * dx + dy * dy)
            if d < best and fits(state, ground, play, figure, c + 0.5, r + 0.5):
                best_x, best_y, best = c + 0.5, r + 0.5, d
    if best == inf:
        return False
    return stride(state, ground, play, plan, figure, (best_x - x) / best, (best_y - y) / best, best, 0, 0)


@typed
def floor_to_clear(state: State, ground: Ground, play: Play, figure: int) -> int:
    """Return the next floor toward the nearest known enemy of the house, if there is none on this one; else -1."""
    if play.has_floors == 0 or ground.opaque == 0:
        return -1
    house = house_of(state, ground, figure)
    if house == 0 or ground.floors[house] < 2:
        return -1
    own = state.figure[LEVEL, figure]
    first, end = enemies(state, figure)
    level, best_d2 = -1, inf
    for i in range(first, end):
        if state.figure[STATUS, i] != IN_PLAY or not knows(state, figure, i) or house_of(state, ground, i) != house:
            continue
        other = state.figure[LEVEL, i]
        if other == own:
            return -1
        d2 = distance2(state, figure, i)
        if d2 < best_d2:
            level, best_d2 = own + (1 if other > own else -1), d2
    return int(level)
