"""Where a unit wants to go: to an enemy or into a zone, and round water that cannot be forded. Compiled.

A goal depends on the place from which it is looked for, so that a column on its way finds the same as a unit that
stands there.
"""

from __future__ import annotations

from math import inf, sqrt

import numpy as np

from wargamesim.bits import ONE, bit
from wargamesim.games.coloniale.compiling import typed
from wargamesim.games.coloniale.doctrine import ENEMY, HOLD, OBJECTIVE, DoctrineRecord
from wargamesim.games.coloniale.layout import (
    ARM,
    BATTERY,
    CAVALRY,
    FORT,
    SIDE,
    UNFORDABLE,
    Goals,
    Ground,
    Plan,
    State,
    X,
    Y,
)
from wargamesim.games.coloniale.orders_step import SHORTEST, is_on_table
from wargamesim.games.coloniale.playing import Play
from wargamesim.games.coloniale.sight import barred, is_in, nearest, stand_in
from wargamesim.games.coloniale.whereabouts import in_play

# How far inside a zone, and beyond the end of a river, a unit stops (cm).
INSIDE, BEYOND = 3.0, 2.5


@typed
def nearest_enemy(state: State, side: int, x: float, y: float) -> int:
    """Return the enemy of a side who is nearest to a place, or -1 if there is none."""
    return nearest(state, in_play(state, 1 - side), x, y)


@typed
def distance_to(state: State, unit: int, x: float, y: float) -> float:
    """Return how far a unit is from a place."""
    dx, dy = state.place[unit, X] - x, state.place[unit, Y] - y
    return sqrt(dx * dx + dy * dy)


@typed
def is_guard(state: State, ground: Ground, goals: Goals, unit: int) -> bool:
    """Tell whether a unit is the one that stays in a zone of its side: the first of those in it."""
    side = state.unit[unit, SIDE]
    for zone in range(ground.zones):
        if goals.zones[side] >> zone & 1 == 1 and is_in(ground, zone, state.place[unit, X], state.place[unit, Y]):
            return not stand_in(state, ground, zone, in_play(state, side) & (bit(unit) - ONE))
    return False


@typed
def _to_zone(
    state: State, ground: Ground, goals: Goals, plan: Plan, side: int, enemies: np.uint64, x: float, y: float
) -> bool:
    """Write the nearest point of the nearest zone worth going to, and tell whether there is one.

    That is one which is not the side's own or has an enemy in it; if there is none, any that counts for the side.
    """
    best, best_is_wanted, least = False, False, inf
    for zone in range(ground.zones):
        if goals.zones[side] >> zone & 1 == 0:
            continue
        box = ground.zone[zone]
        mx, my = min(INSIDE, 0.5 * (box[2] - box[0])), min(INSIDE, 0.5 * (box[3] - box[1]))
        zx, zy = min(max(x, box[0] + mx), box[2] - mx), min(max(y, box[1] + my), box[3] - my)
        d2 = (zx - x) * (zx - x) + (zy - y) * (zy - y)
        is_wanted = state.owner[zone] != side or stand_in(state, ground, zone, enemies)
        if (is_wanted and not best_is_wanted) or (is_wanted == best_is_wanted and d2 < least):
            best, best_is_wanted, least = True, is_wanted, d2
            plan.to[X], plan.to[Y] = zx, zy
    return best


@typed
def stance_of(state: State, doctrine: DoctrineRecord, unit: int) -> int:
    """Return whether units of this kind stay, go for the enemy, or for the objectives."""
    arm, stance = state.unit[unit, ARM], doctrine.foot
    if arm == BATTERY:
        stance = doctrine.guns
    elif arm == CAVALRY:
        stance = doctrine.horse
    if stance == HOLD and 0 < doctrine.patience < state.turn:
        return ENEMY
    return int(stance)


@typed
def goal(
    state: State,
    ground: Ground,
    doctrine: DoctrineRecord,
    goals: Goals,
    plan: Plan,
    unit: int,
    enemies: np.uint64,
    enemy: int,
    x: float,
    y: float,
) -> int:
    """Write into `plan.to` where a unit at a place wants to go; return HOLD, ENEMY or OBJECTIVE.

    `enemies` are those in play, and `enemy` is the one who is nearest to the place, or -1.
    """
    side = state.unit[unit, SIDE]
    if state.unit[unit, FORT] > 0:
        return HOLD
    stance = stance_of(state, doctrine, unit)
    if stance == HOLD:
        if enemy < 0 or doctrine.reach == 0.0 or distance_to(state, enemy, x, y) > doctrine.reach:
            return HOLD
        stance = ENEMY
    if stance == OBJECTIVE:
        if is_guard(state, ground, goals, unit):
            return HOLD
        if _to_zone(state, ground, goals, plan, side, enemies, x, y):
            return OBJECTIVE
    if enemy < 0:
        return HOLD
    plan.to[X], plan.to[Y] = state.place[enemy, X], state.place[enemy, Y]
    return ENEMY


@typed
def _try_way(ground: Ground, play: Play, plan: Plan, x: float, y: float, vx: float, vy: float) -> None:
    """Take a place by which to go round water if it is the best so far (in `plan.scratch[3]`)."""
    if not is_on_table(ground, play, vx, vy):
        return
    there = sqrt((vx - x) * (vx - x) + (vy - y) * (vy - y))
    if there < SHORTEST or barred(ground, play, x, y, vx, vy):
        return
    way = there + sqrt((plan.to[X] - vx) * (plan.to[X] - vx) + (plan.to[Y] - vy) * (plan.to[Y] - vy))
    if barred(ground, play, vx, vy, plan.to[X], plan.to[Y]):
        way += ground.width + ground.height
    if way < plan.scratch[3, 0]:
        plan.scratch[3, 0], plan.scratch[3, 1], plan.scratch[3, 2] = way, vx, vy


@typed
def is_barred(ground: Ground, play: Play, plan: Plan, x: float, y: float) -> bool:
    """Tell whether water that cannot be forded lies between a place and `plan.to`."""
    return ground.lines > 0 and barred(ground, play, x, y, plan.to[X], plan.to[Y])


@typed
def round_water(ground: Ground, play: Play, plan: Plan, x: float, y: float) -> bool:
    """Put a bridge or the end of a river into `plan.to` if water lies between a place and `plan.to`; tell if so."""
    if not is_barred(ground, play, plan, x, y):
        return False
    plan.scratch[3, 0], plan.scratch[3, 1], plan.scratch[3, 2] = inf, plan.to[X], plan.to[Y]
    for bridge in range(ground.bridges):
        _try_way(ground, play, plan, x, y, ground.bridge[bridge, X], ground.bridge[bridge, Y])
    for piece in range(ground.lines):
        if ground.line_kind[piece] != UNFORDABLE:
            continue
        x1, y1, x2, y2 = ground.line[piece, 0], ground.line[piece, 1], ground.line[piece, 2], ground.line[piece, 3]
        length = sqrt((x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1))
        if length > 0.0:
            ex, ey = (x2 - x1) / length * BEYOND, (y2 - y1) / length * BEYOND
            _try_way(ground, play, plan, x, y, x1 - ex, y1 - ey)
            _try_way(ground, play, plan, x, y, x2 + ex, y2 + ey)
    plan.to[X], plan.to[Y] = plan.scratch[3, 1], plan.scratch[3, 2]
    return True
