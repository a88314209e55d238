"""Where a player wants a figure to be: nearer to the enemy, in a place, over an edge, with a load. Compiled."""

from __future__ import annotations

from math import inf, sqrt

from wargamesim.games.skirmish.compiling import merged, typed
from wargamesim.games.skirmish.doctrine import CLOSE, HOLD, RUNS, DoctrineRecord
from wargamesim.games.skirmish.layout import (
    ARSON_TRY,
    BUILDING,
    DRAGS,
    EXIT,
    IN_PLAY,
    LEADER,
    LEVEL,
    LOAD_0,
    ROLES,
    SIDE,
    STATUS,
    WHAT,
    Goals,
    Ground,
    Plan,
    State,
    X,
    Y,
)
from wargamesim.games.skirmish.orders_hands import guarded_by, has_prisoners, leads_away
from wargamesim.games.skirmish.orders_move import NO_DISTANCE, STEP, may_move, rises, stay, stride
from wargamesim.games.skirmish.orders_place import beyond, foe_inside, into_place
from wargamesim.games.skirmish.orders_plan import (
    EDGE,
    ENEMY,
    ESCORT,
    NEAR_ENOUGH,
    PLACE,
    R_DX,
    R_DY,
    R_GOAL,
    R_LEAD,
    R_LIMIT,
    R_STANCE,
    R_TO_X,
    R_TO_Y,
    R_X,
    R_Y,
    SQUAD_ROW,
    nearest_load,
    stop_distance,
)
from wargamesim.games.skirmish.orders_stairs import floor_to_clear, takes_stairs
from wargamesim.games.skirmish.playing import Play
from wargamesim.games.skirmish.sight import enemies, factor, knows, pace, sees, way

# Nearer than this to the enemy, a figure that closes goes its own way (cm).
APART = 30.0
# How far a figure creeps that is near enough but sees nobody, and how near (cm).
CREEP, CREPT = 5.0, 6.0
# How deep in a wood it is well possible to look out, in parts of what one sees through.
EDGE_OF_SIGHT = 0.8


@typed
def _walks(
    state: State,
    ground: Ground,
    play: Play,
    doctrine: DoctrineRecord,
    plan: Plan,
    figure: int,
    dx: float,
    dy: float,
    want: float,
    most: float,
) -> bool:
    """Go in a direction; run if the doctrine runs, the way is longer than a walk and nothing hinders the figure.

    Who is upstairs goes down if the way leads out of the house.
    """
    level = state.figure[LEVEL, figure]
    if level > 0 and min(want, most) >= STEP:
        x, y = state.place[X, figure], state.place[Y, figure]
        step = min(want, most, play.walk[0])
        out_x = min(max(x + dx * step, 0.0), ground.width - STEP)
        out_y = min(max(y + dy * step, 0.0), ground.height - STEP)
        if ground.house[int(out_y), int(out_x)] != ground.house[int(y), int(x)]:
            return most == inf and takes_stairs(state, ground, play, plan, figure, level - 1)
    longer = min(want, most) > play.walk[0]
    free = state.figure[DRAGS, figure] < 0 and rises(state, figure) == 0
    run = 1 if doctrine.run == RUNS and play.can_run == 1 and longer and free else 0
    return stride(state, ground, play, plan, figure, dx, dy, min(want, most), run, 0)


@merged
def room_ahead(state: State, plan: Plan, figure: int) -> float:
    """Return how far a figure may go along the squad's way without leaving the others behind (cm)."""
    leads = state.figure[ROLES, figure] & LEADER != 0
    dx, dy = plan.scratch[SQUAD_ROW, R_DX], plan.scratch[SQUAD_ROW, R_DY]
    along = state.place[X, figure] * dx + state.place[Y, figure] * dy
    return float(plan.scratch[SQUAD_ROW, R_LEAD if leads else R_LIMIT] - along)


@typed
def _advances(
    state: State,
    ground: Ground,
    play: Play,
    doctrine: DoctrineRecord,
    plan: Plan,
    figure: int,
    enemy: int,
    d: float,
    ready: int,
    most: float,
) -> bool:
    stance = plan.scratch[SQUAD_ROW, R_STANCE]
    x, y = state.place[X, figure], state.place[Y, figure]
    if stance == HOLD:
        # From the depth of a wood to its edge, to see out again.
        deep = ground.depth[int(y), int(x)] - EDGE_OF_SIGHT * play.wood_sight
        if ready == 0 or enemy < 0 or deep <= 0.0:
            return False
        out_x, out_y = (state.place[X, enemy] - x) / d, (state.place[Y, enemy] - y) / d
        return _walks(state, ground, play, doctrine, plan, figure, out_x, out_y, max(deep, STEP), most)
    dx, dy = plan.scratch[SQUAD_ROW, R_DX], plan.scratch[SQUAD_ROW, R_DY]
    left = room_ahead(state, plan, figure)
    if enemy < 0:
        return _walks(state, ground, play, doctrine, plan, figure, dx, dy, left, most)
    own_x, own_y = (state.place[X, enemy] - x) / d, (state.place[Y, enemy] - y) / d
    if stance == CLOSE:
        if d > APART:
            return _walks(state, ground, play, doctrine, plan, figure, dx, dy, min(left, d), most)
        return _walks(state, ground, play, doctrine, plan, figure, own_x, own_y, d - 2.0 * play.diameter, most)
    stop = stop_distance(doctrine)
    if d > stop:
        # Abreast of the others, unless that leads away from the nearest enemy.
        if dx * own_x + dy * own_y < 0.5:
            dx, dy, left = own_x, own_y, inf
        return _walks(state, ground, play, doctrine, plan, figure, dx, dy, min(left, d - stop), most)
    if ready == 1 and d > CREPT and not sees(state, ground, play, figure, enemy):
        return _walks(state, ground, play, doctrine, plan, figure, own_x, own_y, min(CREEP, d - CREPT), most)
    return False


@typed
def _leaves(
    state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, plan: Plan, figure: int, edge: int, most: float
) -> bool:
    """Go toward an edge of the table, and over it if one move is enough."""
    x, y = state.place[X, figure], state.place[Y, figure]
    to_x, to_y = beyond(ground, edge, x, y)
    dx, dy = to_x - x, to_y - y
    d = abs(dx) + abs(dy)
    posture = rises(state, figure)
    difficult, water, _ = way(ground, x, y, x, y)
    near = d <= pace(state, play, figure, 0, difficult, water) * factor(state, play, figure, posture)
    if near and state.figure[LEVEL, figure] == 0 and may_move(state, play, figure):
        plan.action[EXIT] = 1
        return stay(state, plan, figure, posture)
    return _walks(state, ground, play, doctrine, plan, figure, dx / d, dy / d, d - 0.5, most)


@typed
def goes(
    state: State,
    ground: Ground,
    play: Play,
    doctrine: DoctrineRecord,
    goals: Goals,
    plan: Plan,
    figure: int,
    enemy: int,
    d: float,
    ready: int,
    most: float,
) -> bool:
    """Walk or run toward what the squad goes for, at most so far; `enemy` is the nearest known one, at distance `d`."""
    if guarded_by(state, play, figure) >= 0:
        return False
    goal = int(plan.scratch[SQUAD_ROW, R_GOAL])
    if most == inf and (goal == PLACE or plan.scratch[SQUAD_ROW, R_STANCE] != HOLD):
        level = floor_to_clear(state, ground, play, figure)
        if level >= 0 and takes_stairs(state, ground, play, plan, figure, level):
            return True
    x, y = state.place[X, figure], state.place[Y, figure]
    side = int(state.figure[SIDE, figure])
    if goal == EDGE:
        return _leaves(state, ground, play, doctrine, plan, figure, int(goals.exit_edge[side]), most)
    if goal == ENEMY:
        return _advances(state, ground, play, doctrine, plan, figure, enemy, d, ready, most)
    to_x, to_y, left = x, y, inf
    if goal == PLACE:
        to_x, to_y = into_place(goals, side, x, y)
        left = room_ahead(state, plan, figure)
    elif goal == ESCORT:
        # Every figure keeps its place beside the others.
        to_x += plan.scratch[SQUAD_ROW, R_TO_X] - plan.scratch[SQUAD_ROW, R_X]
        to_y += plan.scratch[SQUAD_ROW, R_TO_Y] - plan.scratch[SQUAD_ROW, R_Y]
    else:
        load = nearest_load(state, x, y)
        if load >= 0:
            to_x, to_y = state.load[X, load], state.load[Y, load]
    dx, dy = to_x - x, to_y - y
    far = sqrt(dx * dx + dy * dy)
    if goal == PLACE and far == 0.0:
        # Who is in the place drives out who else is there.
        foe = foe_inside(state, goals, figure)
        if foe >= 0:
            dx, dy = state.place[X, foe] - x, state.place[Y, foe] - y
            far = max(sqrt(dx * dx + dy * dy), NO_DISTANCE)
            left = far - 2.0 * play.diameter
    if far == 0.0 or (goal == ESCORT and far < NEAR_ENOUGH):
        return False
    return _walks(state, ground, play, doctrine, plan, figure, dx / far, dy / far, min(far, left), most)


@typed
def goes_home(
    state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, goals: Goals, plan: Plan, figure: int
) -> bool:
    """Drag a load or a prisoner toward the edge where the side leaves the table, a prisoner else to its own."""
    side = state.figure[SIDE, figure]
    edge = int(goals.exit_edge[side])
    if edge > 0:
        return _leaves(state, ground, play, doctrine, plan, figure, edge, inf)
    if state.figure[DRAGS, figure] >= LOAD_0:
        return False
    x, y = state.place[X, figure], state.place[Y, figure]
    to_x, to_y = beyond(ground, int(goals.home[side]), x, y)
    d = abs(to_x - x) + abs(to_y - y)
    return d > 0.0 and _walks(state, ground, play, doctrine, plan, figure, (to_x - x) / d, (to_y - y) / d, d - 1.0, inf)


@typed
def minds_prisoner(
    state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, goals: Goals, plan: Plan, figure: int
) -> bool:
    """Lead away a prisoner who would go free if the figure left him."""
    if not has_prisoners(state, play, int(state.figure[SIDE, figure])):
        return False
    if state.figure[DRAGS, figure] >= 0:
        return goes_home(state, ground, play, doctrine, goals, plan, figure)
    return leads_away(state, ground, play, plan, figure)


@merged
def _is_held(state: State, ground: Ground, figure: int, house: int) -> bool:
    first, end = enemies(state, figure)
    for i in range(first, end):
        known = state.figure[STATUS, i] == IN_PLAY and knows(state, figure, i)
        if known and ground.house[int(state.place[Y, i]), int(state.place[X, i])] == house:
            return True
    return False


@merged
def burns(state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, plan: Plan, figure: int) -> bool:
    """Set fire to a building that the figure can reach and that known enemies are in, unless it burns already."""
    if doctrine.burn == 0 or play.has_arson == 0:
        return False
    x, y = state.place[X, figure], state.place[Y, figure]
    span = int(play.diameter) + 1
    for r in range(max(0, int(y) - span), min(int(ground.height), int(y) + span + 1)):
        for c in range(max(0, int(x) - span), min(int(ground.width), int(x) + span + 1)):
            dx, dy = c + 0.5 - x, r + 0.5 - y
            if ground.what[r, c] & BUILDING == 0 or dx * dx + dy * dy > play.diameter * play.diameter:
                continue
            house = ground.house[r, c]
            if state.afire[house] == 0 and _is_held(state, ground, figure, house):
                plan.action[WHAT] = ARSON_TRY
                return True
            return False
    return False
