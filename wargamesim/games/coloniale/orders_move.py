"""What a unit does in phase D: it goes on, goes back, enters a fort, or changes its size. Compiled."""

from __future__ import annotations

from math import inf

from wargamesim.bits import bit
from wargamesim.games.coloniale.compiling import public, typed
from wargamesim.games.coloniale.doctrine import ANYWHERE, ENEMY, HOLD, NEVER, OBJECTIVE, DoctrineRecord
from wargamesim.games.coloniale.layout import (
    ACTION,
    ARM,
    BATTERY,
    CAVALRY,
    COUNT,
    DISC,
    FIG,
    FORT,
    IN_PLAY,
    INFANTRY,
    MARKERS,
    MERGE,
    MOST_UNITS,
    MOVE,
    NODE,
    OFF_ROAD,
    REINFORCE,
    RIFLES,
    ROAD,
    SIDE,
    SPLIT,
    STATUS,
    STAY,
    TARGET,
    WHAT,
    Goals,
    Ground,
    Plan,
    State,
    X,
    Y,
)
from wargamesim.games.coloniale.orders_goal import (
    distance_to,
    goal,
    is_barred,
    is_guard,
    nearest_enemy,
    round_water,
    stance_of,
)
from wargamesim.games.coloniale.orders_road import apart, find_exits, limit_to, way_by_road, way_onto_road
from wargamesim.games.coloniale.orders_step import SHORTEST, can_go, can_stand, step
from wargamesim.games.coloniale.playing import CHOICES, Play
from wargamesim.games.coloniale.sight import MORE, is_in, nearest, sees, within
from wargamesim.games.coloniale.whereabouts import all_in_play, in_play

# What a unit intends; ROAD and OFF_ROAD stand for marches in phase E.
NOTHING, TACTICAL = 0, 3

# Readings of CO-P10, CO-P22 and CO-P23 by index.
NO_TACTICAL_MOVE = CHOICES["suppression"][1].index("no_tactical_move")
REFUSE, NO_LIMIT = (CHOICES["too_large"][1].index(name) for name in ("refuse", "none"))
BOTH = CHOICES["free_action"][1].index("both")

# A battery keeps this far from an enemy it does not see, a battalion divides only if none is nearer (cm).
GUN_CLEAR, DIVIDE_CLEAR = 25.0, 40.0
# A march to a place that is nearer than this many cm beyond the first leg may well lead beyond it.
ROAD_WORTH = 50.0


@typed
def is_shaken(state: State, doctrine: DoctrineRecord, unit: int) -> bool:
    """Tell whether a unit has so many markers that it goes back to rally."""
    return bool(0 < doctrine.rally_at <= state.unit[unit, MARKERS])


@typed
def intent(
    state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, goals: Goals, plan: Plan, unit: int
) -> int:
    """Return NOTHING, TACTICAL, ROAD or OFF_ROAD: how a unit goes on.

    Its goal is then in `plan.to`, how far before it stops in `plan.scratch[1, 0]`, how far the nearest enemy is in
    `plan.scratch[1, 1]`, the place to march to in NODE.
    """
    x, y, arm = state.place[unit, X], state.place[unit, Y], state.unit[unit, ARM]
    if stance_of(state, doctrine, unit) == HOLD and doctrine.reach == 0.0:
        return NOTHING
    enemies = in_play(state, 1 - state.unit[unit, SIDE])
    enemy = nearest(state, enemies, x, y)
    kind = goal(state, ground, doctrine, goals, plan, unit, enemies, enemy, x, y)
    if kind == HOLD:
        return NOTHING
    far = inf if enemy < 0 else distance_to(state, enemy, x, y)
    plan.scratch[1, 1] = far
    move, stop = float(play.move[arm]), 0.0
    near = doctrine.gun_distance if arm == BATTERY else doctrine.close_to
    if arm != BATTERY and state.unit[unit, RIFLES] == 0:
        near = float(play.assault_reach)
    is_near = far <= near and (state.unit[unit, RIFLES] == 0 or sees(state, ground, play, unit, enemy))
    if kind == ENEMY:
        if is_near:
            return NOTHING
        stop = near
        if far <= near:
            stop = GUN_CLEAR if arm == BATTERY else 1.2 * play.contact
    elif is_near and (arm == BATTERY or apart(x, y, plan.to[X], plan.to[Y]) > move):
        return NOTHING
    plan.scratch[1, 0] = stop
    need = apart(x, y, plan.to[X], plan.to[Y]) - stop
    may_march = doctrine.march != NEVER and far > play.margin * MORE
    if may_march and ground.nodes > 0 and need > move:
        find_exits(ground, play, plan)
        cost = way_by_road(state, ground, play, plan, unit)
        if cost < inf and (cost <= doctrine.detour * (need + stop) or is_barred(ground, play, plan, x, y)):
            node = plan.action[NODE]
            plan.limit = limit_to(ground, plan, node, apart(x, y, ground.node[node, X], ground.node[node, Y]))
            return ROAD
    if round_water(ground, play, plan, x, y):
        kind, stop = OBJECTIVE, 0.0
        plan.scratch[1, 0] = 0.0
        need = apart(x, y, plan.to[X], plan.to[Y])
    if need < SHORTEST:
        return NOTHING
    if need <= move or not may_march:
        return TACTICAL
    if doctrine.march != ANYWHERE:
        return TACTICAL
    is_stopped = kind == ENEMY and arm != BATTERY  # by the margin around the enemy
    return OFF_ROAD if is_stopped or need >= play.first_leg + play.leg else TACTICAL


@typed
def _go_back(state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, plan: Plan, unit: int) -> bool:
    """Plan to go straight away from the nearest enemy if he is too near to rally."""
    x, y = state.place[unit, X], state.place[unit, Y]
    enemy = nearest_enemy(state, state.unit[unit, SIDE], x, y)
    if enemy < 0:
        return False
    far = distance_to(state, enemy, x, y)
    if far >= doctrine.rally_distance or far == 0.0:
        return False
    length = play.move[state.unit[unit, ARM]] / far
    bx, by = x + (x - state.place[enemy, X]) * length, y + (y - state.place[enemy, Y]) * length
    return step(state, ground, play, plan, unit, bx, by, doctrine.rally_distance - far + SHORTEST, 0.0, doctrine.cover)


@typed
def _enter_fort(state: State, ground: Ground, play: Play, goals: Goals, plan: Plan, unit: int) -> bool:
    """Plan to enter an empty fort in reach that lies in a zone that counts for the side."""
    side, x, y = state.unit[unit, SIDE], state.place[unit, X], state.place[unit, Y]
    if state.unit[unit, ARM] != INFANTRY:
        return False
    for fort in range(ground.forts):
        fx, fy = ground.fort[fort, X], ground.fort[fort, Y]
        if apart(x, y, fx, fy) > play.move[INFANTRY]:
            continue
        counts = False
        for zone in range(ground.zones):
            counts = counts or (goals.zones[side] >> zone & 1 == 1 and is_in(ground, zone, fx, fy))
        for other in range(state.count):
            counts = counts and not (state.unit[other, STATUS] == IN_PLAY and state.unit[other, FORT] == fort + 1)
        others = all_in_play(state) & ~bit(unit)
        if counts and can_stand(state, ground, play, others, fx, fy) and can_go(ground, play, x, y, fx, fy):
            plan.to[X], plan.to[Y], plan.action[NODE] = fx, fy, fort + 1
            return True
    return False


@typed
def _cap(play: Play, first: int, second: int) -> int:
    """Return the most figures of a battalion made of two arms (CO-6.3, CO-P22)."""
    return int(play.most_figures[CAVALRY if first == CAVALRY and second == CAVALRY else INFANTRY])


@typed
def _regroup(state: State, play: Play, doctrine: DoctrineRecord, plan: Plan, unit: int, may_reinforce: bool) -> bool:
    """Plan to merge with a weak friend near by, or to send him figures (CO-6.3, CO-6.5)."""
    row = state.unit[unit]
    if row[ARM] == BATTERY or row[FORT] > 0 or (doctrine.merge_below == 0 and doctrine.reinforce_below == 0):
        return False
    for friend in range(state.count):
        other = state.unit[friend]
        if friend == unit or other[STATUS] != IN_PLAY or other[SIDE] != row[SIDE] or other[ARM] != row[ARM]:
            continue
        cap = _cap(play, row[ARM], other[ARM])
        if (
            row[FIG] < doctrine.merge_below
            and other[FIG] < doctrine.merge_below
            and other[ACTION] == 0
            and (row[FIG] + other[FIG] <= cap or play.too_large == NO_LIMIT)
            and within(state, unit, friend, float(play.merge_reach))
        ):
            plan.action[WHAT], plan.action[TARGET] = MERGE, friend
            return True
        if (
            may_reinforce
            and row[MARKERS] == 0
            and other[FIG] < doctrine.reinforce_below < row[FIG]
            and row[DISC] >= other[DISC]
            and (other[ACTION] == 0 or play.free_action != BOTH)
            and within(state, unit, friend, float(play.reinforce_reach))
        ):
            spare = min(play.reinforce_figures, row[FIG] - doctrine.reinforce_below)
            spare = min(spare, cap - other[FIG])
            if spare > 0:
                plan.action[WHAT], plan.action[TARGET], plan.action[COUNT] = REINFORCE, friend, spare
                return True
    return False


@typed
def _divide(state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, plan: Plan, unit: int) -> bool:
    """Plan to divide a large battalion while no enemy is near (CO-6.4)."""
    row, x, y = state.unit[unit], state.place[unit, X], state.place[unit, Y]
    if doctrine.split_above == 0 or row[FIG] <= max(doctrine.split_above, 1) or row[ARM] == BATTERY:
        return False
    enemy = nearest_enemy(state, row[SIDE], x, y)
    if state.count == MOST_UNITS or enemy < 0 or distance_to(state, enemy, x, y) < DIVIDE_CLEAR:
        return False
    far = distance_to(state, enemy, x, y)
    ux, uy = (state.place[enemy, X] - x) / far, (state.place[enemy, Y] - y) / far
    off = min(2.0 * play.contact, float(play.merge_reach))
    for turned in range(4):
        px, py = x - uy * off, y + ux * off
        if can_stand(state, ground, play, all_in_play(state), px, py) and can_go(ground, play, x, y, px, py):
            plan.to[X], plan.to[Y] = px, py
            plan.action[WHAT], plan.action[COUNT] = SPLIT, row[FIG] // 2
            return True
        ux, uy = (-uy, ux) if turned % 2 == 1 else (-ux, -uy)
    return False


@typed
def _go_on(
    state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, goals: Goals, plan: Plan, unit: int
) -> bool:
    """Plan the next tactical move to the goal; a unit that marches in phase E stays, or comes onto a road first."""
    how = intent(state, ground, play, doctrine, goals, plan, unit)
    stop, move = plan.scratch[1, 0], float(play.move[state.unit[unit, ARM]])
    if how not in (TACTICAL, OFF_ROAD):
        return False
    x, y, gx, gy = state.place[unit, X], state.place[unit, Y], plan.to[X], plan.to[Y]
    straight = apart(x, y, gx, gy)
    if doctrine.march != NEVER and ground.nodes > 0 and straight > ROAD_WORTH:
        find_exits(ground, play, plan)
        if (
            way_onto_road(state, ground, plan, unit, move) <= doctrine.detour * straight
            and apart(x, y, plan.to[X], plan.to[Y]) > SHORTEST
            and can_stand(state, ground, play, all_in_play(state) & ~bit(unit), plan.to[X], plan.to[Y])
            and can_go(ground, play, x, y, plan.to[X], plan.to[Y])
        ):
            return True
    if how == OFF_ROAD:
        return False
    seek = doctrine.cover == 1 and ground.opaque == 1 and plan.scratch[1, 1] <= play.rifle_reach + move
    return step(state, ground, play, plan, unit, gx, gy, move, stop, seek)


@public
def move(
    state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, goals: Goals, plan: Plan, unit: int
) -> None:
    """Fill in what a unit does in phase D: stays, moves, merges, divides or reinforces (CO-6.1 to CO-6.5)."""
    row = state.unit[unit]
    plan.action[WHAT], plan.action[NODE] = STAY, 0
    # Where dividing and reinforcing are free, the unit is asked again, and may do neither a second time (CO-P23).
    this_time = state.turn * MOST_UNITS + unit + 1
    is_again = plan.memo[0] == this_time
    plan.memo[0] = this_time
    if _regroup(state, play, doctrine, plan, unit, not is_again):
        return
    if row[FORT] > 0 or (not is_again and _divide(state, ground, play, doctrine, plan, unit)):
        return
    if play.suppression == NO_TACTICAL_MOVE and row[MARKERS] >= row[DISC]:
        return
    goes = False
    if ground.forts > 0:
        goes = _enter_fort(state, ground, play, goals, plan, unit)
    if not goes:
        if is_shaken(state, doctrine, unit):
            if not is_guard(state, ground, goals, unit):
                goes = _go_back(state, ground, play, doctrine, plan, unit)
        else:
            goes = _go_on(state, ground, play, doctrine, goals, plan, unit)
        plan.action[NODE] = 0
    plan.action[WHAT] = MOVE if goes else STAY
