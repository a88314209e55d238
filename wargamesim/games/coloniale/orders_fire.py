"""Whom a unit shoots at, how it divides its dice, and when it keeps still for an assault instead. Compiled."""

from __future__ import annotations

from math import ceil, inf, sqrt

import numpy as np

from wargamesim.bits import NONE, ONE, bit, lowest
from wargamesim.games.coloniale.compiling import public, typed
from wargamesim.games.coloniale.doctrine import HOLD, LARGEST, NEAREST, DoctrineRecord
from wargamesim.games.coloniale.layout import (
    ACTION,
    ARM,
    BATTERY,
    CANNON,
    FIG,
    FORT,
    MARKERS,
    MOST_TARGETS,
    PENDING_LOSS,
    PENDING_MARKERS,
    RIFLE,
    RIFLES,
    SIDE,
    Goals,
    Ground,
    Plan,
    State,
    X,
    Y,
)
from wargamesim.games.coloniale.orders_chance import chance, hit_chance
from wargamesim.games.coloniale.playing import CHOICES, Play
from wargamesim.games.coloniale.sight import MORE, barred, cover, distance2, near, sees, within
from wargamesim.games.coloniale.whereabouts import in_play

# What a marker is worth in figures, how much more one on an enemy who has some, and the last figure of a unit.
MARKER, SHAKEN, LAST_FIGURE, GUN = 0.3, 0.05, 0.5, 0.3
# Friends whose fire a player counts on before an assault.
MOST_SUPPORT = 3

# The reading of CO-P10 by which a marker takes a die off the rifle fire.
FIRE_DICE = CHOICES["suppression"][1].index("fire_dice")


@typed
def rifle_dice(state: State, play: Play, unit: int) -> int:
    """Return how many dice a unit's rifles have (CO-4.2, CO-P10)."""
    row = state.unit[unit]
    if row[RIFLES] == 0:
        return 0
    lost = row[MARKERS] if play.suppression == FIRE_DICE else 0
    return int(max(min(row[FIG], play.rifle_dice) - lost, 0))


@typed
def cannon_reach(play: Play) -> float:
    """Return how far a cannon reaches (CO-4.3)."""
    return float(max(play.near_reach, play.cannon_reach))


@typed
def _worth(
    state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, unit: int, enemy: int, weapon: int, dice: int
) -> float:
    """Return what shooting at an enemy in sight and reach is worth, 0 or less if nothing."""
    row = state.unit[enemy]
    left, where, d2 = row[FIG] - row[PENDING_LOSS], cover(state, ground, enemy), distance2(state, unit, enemy)
    if left <= 0:
        return 0.0
    if weapon == CANNON:
        if d2 <= play.near_reach * play.near_reach * MORE:
            hit = hit_chance(play.cannon_die, play.near_need)
        else:
            hit = hit_chance(play.cannon_die, play.far_need if where == 0 else play.far_need_cover)
    elif where == 2:
        if play.fort_marked == 0:
            return 0.0
        hit = 0.0
    else:
        hit = hit_chance(play.rifle_die, play.need_cover if where == 1 else play.need_open)
    # A full table is less than 1000 cm across: distance only decides between equals.
    if doctrine.target == NEAREST:
        return 1000.0 - sqrt(d2)
    if doctrine.target == LARGEST:
        return float(left + 0.5 - 0.0001 * sqrt(d2))
    kills = min(dice * hit, float(left))
    worth = kills + MARKER * play.fire_markers * (1.0 + SHAKEN * min(row[MARKERS] + row[PENDING_MARKERS], 6))
    if dice * hit >= left:
        worth += LAST_FIGURE
    if row[ARM] == BATTERY:
        worth += GUN * kills
    return float(worth - 0.0001 * sqrt(d2))


@typed
def can_support(state: State, ground: Ground, play: Play, unit: int, enemy: int) -> bool:
    """Tell whether a unit could shoot at an enemy."""
    if state.unit[unit, ARM] == BATTERY:
        return within(state, unit, enemy, cannon_reach(play)) and sees(state, ground, play, unit, enemy)
    if state.unit[enemy, FORT] > 0 and play.fort_marked == 0:
        return False
    return (
        rifle_dice(state, play, unit) > 0
        and within(state, unit, enemy, float(play.rifle_reach))
        and sees(state, ground, play, unit, enemy)
    )


@typed
def can_assault(state: State, ground: Ground, play: Play, goals: Goals, unit: int, enemy: int) -> bool:
    """Tell whether no water keeps a unit from assaulting an enemy in reach (CO-5.1)."""
    return goals.movement == 0 or not barred(
        ground, play, state.place[unit, X], state.place[unit, Y], state.place[enemy, X], state.place[enemy, Y]
    )


@typed
def is_fit(state: State, play: Play, doctrine: DoctrineRecord, unit: int) -> bool:
    """Tell whether a unit may begin an assault, and has figures enough for the doctrine (CO-3.2, CO-5.1)."""
    row = state.unit[unit]
    if row[ACTION] == 1 or (row[ARM] == BATTERY and play.battery_assaults == 0):
        return False
    return bool(row[FIG] - row[PENDING_LOSS] >= max(doctrine.least_figures, 1))


@typed
def _strength(state: State, unit: int) -> int:
    row = state.unit[unit]
    return int(row[FIG] - row[PENDING_LOSS] - row[MARKERS] - row[PENDING_MARKERS])


@typed
def _is_threatened(state: State, ground: Ground, play: Play, enemies: np.uint64, unit: int) -> bool:
    """Tell whether one of some enemies could shoot at a unit and has not acted yet."""
    while enemies != NONE:
        enemy = lowest(enemies)
        enemies &= enemies - ONE
        if state.unit[enemy, ACTION] == 0 and can_support(state, ground, play, enemy, unit):
            return True
    return False


@typed
def _is_first(state: State, play: Play, doctrine: DoctrineRecord, friends: np.uint64, unit: int, enemy: int) -> bool:
    """Tell whether a unit is the strongest of itself and the friends that could assault an enemy."""
    own = _strength(state, unit)
    friends = near(state, friends, state.place[enemy, X], state.place[enemy, Y], float(play.assault_reach))
    while friends != NONE:
        friend = lowest(friends)
        friends &= friends - ONE
        if state.unit[friend, FORT] > 0 or not is_fit(state, play, doctrine, friend):
            continue
        strength = _strength(state, friend)
        if strength > own or (strength == own and friend < unit):
            return False
    return True


@typed
def _waits(
    state: State,
    ground: Ground,
    play: Play,
    doctrine: DoctrineRecord,
    goals: Goals,
    plan: Plan,
    enemies: np.uint64,
    unit: int,
) -> bool:
    """Tell whether a unit keeps still: it is the one to assault an enemy whom its friends shoot at first."""
    if doctrine.fire_first > 1.0 or not is_fit(state, play, doctrine, unit) or state.unit[unit, FORT] > 0:
        return False
    x, y = state.place[unit, X], state.place[unit, Y]
    friends = in_play(state, state.unit[unit, SIDE]) & ~bit(unit)
    within_reach = near(state, enemies, x, y, float(play.assault_reach))
    while within_reach != NONE:
        enemy = lowest(within_reach)
        within_reach &= within_reach - ONE
        row = state.unit[enemy]
        if row[FIG] <= row[PENDING_LOSS] or not can_assault(state, ground, play, goals, unit, enemy):
            continue
        if chance(state, ground, play, doctrine, plan, unit, enemy, MOST_SUPPORT) < doctrine.fire_first:
            continue
        if not _is_first(state, play, doctrine, friends, unit, enemy):
            continue
        # One volley at the unit itself, before it can assault, is to be expected.
        support = -1 if _is_threatened(state, ground, play, enemies, unit) else 0
        helpers = friends
        while helpers != NONE and support < MOST_SUPPORT:
            friend = lowest(helpers)
            helpers &= helpers - ONE
            if state.unit[friend, ACTION] == 0 and can_support(state, ground, play, friend, enemy):
                support += 1
        if chance(state, ground, play, doctrine, plan, unit, enemy, support) >= doctrine.fire_first:
            return True
    return False


@typed
def _comes_nearer(state: State, play: Play, doctrine: DoctrineRecord, goals: Goals, nearest: float) -> bool:
    """Tell whether a battery that could shoot far had better move until its shots are worth more."""
    if doctrine.guns == HOLD or goals.movement == 0 or nearest <= max(doctrine.gun_distance, play.near_reach):
        return False
    moves = ceil((nearest - doctrine.gun_distance) / max(play.move[BATTERY], 1))
    near = hit_chance(play.cannon_die, play.near_need)
    far = hit_chance(play.cannon_die, play.far_need)
    turns = goals.turns - state.turn + 1
    return bool((turns - moves) * (near + MARKER) > turns * (far + MARKER))


@public
def fire(
    state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, goals: Goals, plan: Plan, unit: int
) -> None:
    """Fill in at whom a unit shoots and with how many dice, best first; nobody if it keeps still (CO-4.2, CO-4.3)."""
    plan.targets, plan.marked = 0, 0
    gun = state.unit[unit, ARM] == BATTERY
    weapon, dice = (CANNON, 1) if gun else (RIFLE, rifle_dice(state, play, unit))
    plan.weapon = weapon
    if dice == 0:
        return
    reach = cannon_reach(play) if gun else float(play.rifle_reach)
    most = 1 if gun else min(doctrine.split_fire, dice, MOST_TARGETS)
    found, closest = 0, inf
    enemies = in_play(state, 1 - state.unit[unit, SIDE])
    within_reach = near(state, enemies, state.place[unit, X], state.place[unit, Y], reach)
    while within_reach != NONE:
        enemy = lowest(within_reach)
        within_reach &= within_reach - ONE
        if not sees(state, ground, play, unit, enemy):
            continue
        worth = _worth(state, ground, play, doctrine, unit, enemy, weapon, dice)
        if worth <= 0.0:
            continue
        closest = min(closest, distance2(state, unit, enemy))
        place = found
        while place > 0 and plan.scratch[2, place - 1] < worth:
            place -= 1
        if place >= most:
            continue
        found = min(found + 1, most)
        for k in range(found - 1, place, -1):
            plan.scratch[2, k], plan.target[k] = plan.scratch[2, k - 1], plan.target[k - 1]
        plan.scratch[2, place], plan.target[place] = worth, enemy
    if found == 0 or (gun and _comes_nearer(state, play, doctrine, goals, sqrt(closest))):
        return
    if not gun and _waits(state, ground, play, doctrine, goals, plan, enemies, unit):
        return
    plan.targets = found
    for k in range(found):
        plan.dice[k] = dice // found + (1 if k < dice % found else 0)
