"""How a unit goes into contact: straight at the enemy in a charge, or round to the side where it is best. Compiled."""

from __future__ import annotations

import numpy as np

from wargamesim.bits import NONE, ONE, lowest
from wargamesim.compiled import inlined, inner
from wargamesim.games.stirling.doctrine import NEVER, DoctrineRecord
from wargamesim.games.stirling.hexes import ALL_SIDES, FARTHER, NEARER, bearing, distance, on_board, turned
from wargamesim.games.stirling.layout import (
    CHARGE,
    FRONT,
    LANCE,
    LENGTH,
    ORDERED,
    RANGE_LONG,
    RUN,
    SET_WEAPON,
    STATUS,
    STAY,
    STEP_Q,
    STEP_R,
    STEPS,
    TO_FRONT,
    TRAITS,
    WALK,
    WHAT,
    Plan,
    Q,
    R,
    State,
)
from wargamesim.games.stirling.orders_path import (
    COST,
    END_FRONT,
    END_Q,
    END_R,
    cut,
    front_after,
    go,
    marked,
    reprice,
    reversal_of,
    run_of,
    toward,
    walk_of,
)
from wargamesim.games.stirling.playing import Play

# SS-P30: which run is a charge.
STRAIGHT, ANY_RUN, FULL_MOV = range(3)

# What a place beside an enemy is worth: on his flank and rear, for each other enemy who faces it, or does not, and for
# each hex of the way; a place that charges count for more than one on the flank.
FLANK, REAR, FACED, BESIDE, STEP, CHARGED = 40, 60, -40, -20, -5, 50
# Places tried at most.
TRIES = 2
# Places from which to charge are looked for at distances so many hexes apart.
RUNG = 2
# Row of the plan's scratch memory with their values.
VALUES = 1
NOWHERE = -(1 << 30)


@inner
def attack(state: State, play: Play, doctrine: DoctrineRecord, plan: Plan, unit: int, enemy: int) -> bool:
    """Fill in a move that ends with the front on the enemy, if there is a way."""
    own, row = state.unit[unit], state.unit[enemy]
    q, r = int(own[Q]), int(own[R])
    walk = walk_of(state, play, unit)
    allowance = walk if doctrine.run == NEVER else run_of(state, play, unit)
    may_charge = allowance > walk and wants_charge(state, play, doctrine, unit, enemy)
    axis = straight_to(q, r, int(row[Q]), int(row[R])) if may_charge and play.charge_run == STRAIGHT else -1
    _judge_places(state, doctrine, plan, unit, enemy, allowance)
    if axis >= 0 and distance(q, r, row[Q], row[R]) > play.charge_least:
        side = (axis + 3) % 6
        if plan.scratch[VALUES, side] > NOWHERE:
            plan.scratch[VALUES, side] += CHARGED
    for _ in range(TRIES):
        best, best_value = -1, NOWHERE
        for offset in range(6):
            side = (int(row[FRONT]) + offset) % 6
            if plan.scratch[VALUES, side] > best_value:
                best, best_value = side, plan.scratch[VALUES, side]
        if best < 0:
            return False
        plan.scratch[VALUES, best] = NOWHERE
        to_q, to_r = int(row[Q] + STEP_Q[best]), int(row[R] + STEP_R[best])
        if _reach(state, play, plan, unit, to_q, to_r, (best + 3) % 6, walk, allowance, may_charge):
            return True
    return False


@inlined
def straight_to(q: int, r: int, to_q: int, to_r: int) -> int:
    """Return the hexside through which a straight line leads to a hex, -1 if none does."""
    dq, dr = to_q - q, to_r - r
    if dr == 0 and dq != 0:
        return 0 if dq > 0 else 3
    if dq == 0 and dr != 0:
        return 5 if dr > 0 else 2
    if dq + dr == 0 and dq != 0:
        return 1 if dq > 0 else 4
    return -1


@inlined
def wants_charge(state: State, play: Play, doctrine: DoctrineRecord, unit: int, enemy: int) -> bool:
    """Tell whether a charge at the enemy is to be preferred to another way into contact."""
    if doctrine.charge == NEVER:
        return False
    own, row = state.unit[unit], state.unit[enemy]
    if play.run_cost == 1 and own[RANGE_LONG] > 0:
        return False
    if row[STATUS] != ORDERED or play.charge_damage <= 100 or row[TRAITS] & SET_WEAPON == 0:
        return True
    # Against weapons that are set, only with a lance that is longer.
    return bool(own[TRAITS] & LANCE and own[LENGTH] > row[LENGTH])


@inner
def _judge_places(state: State, doctrine: DoctrineRecord, plan: Plan, unit: int, enemy: int, allowance: int) -> None:
    """Write down what the hexes beside an enemy are worth, NOWHERE for those in which the unit cannot stand."""
    own, row = state.unit[unit], state.unit[enemy]
    q, r = row[Q], row[R]
    for side in range(6):
        on_q, on_r = q + STEP_Q[side], r + STEP_R[side]
        away = distance(own[Q], own[R], on_q, on_r)
        value = NOWHERE
        if away <= allowance and on_board(state, on_q, on_r) and not marked(plan.taken, on_q, on_r):
            value = STEP * away
            if doctrine.flank == 1 and row[STATUS] == ORDERED:
                back = turned(row[FRONT], side)
                value += REAR if back == 3 else FLANK if back > 0 else 0
        plan.scratch[VALUES, side] = value
    for k in range(plan.listed):
        foe = state.unit[plan.list[k]]
        away = distance(foe[Q], foe[R], q, r)
        if plan.list[k] == enemy or foe[STATUS] != ORDERED or away > 2:
            continue
        # The hexes beside both; two units may be in one hex.
        at = bearing(q - foe[Q], r - foe[R])
        sides = NEARER[at] if away == 2 else FARTHER[at] if away == 0 else ALL_SIDES & ~(NEARER[at] | FARTHER[at])
        sides = np.uint64(sides)
        before_q, before_r = foe[Q] + STEP_Q[foe[FRONT]] - q, foe[R] + STEP_R[foe[FRONT]] - r
        while sides != NONE:
            side = lowest(sides)
            sides &= sides - ONE
            if plan.scratch[VALUES, side] > NOWHERE:
                faces = before_q == STEP_Q[side] and before_r == STEP_R[side]
                plan.scratch[VALUES, side] += FACED if faces else BESIDE


@inner
def _reach(
    state: State,
    play: Play,
    plan: Plan,
    unit: int,
    to_q: int,
    to_r: int,
    face: int,
    walk: int,
    allowance: int,
    may_charge: bool,
) -> bool:
    """Fill in a way to a hex with that front at its end, if there is one: walking if that is enough and no charge."""
    reversal = reversal_of(play, allowance, walk)
    steps = go(state, play, plan, unit, to_q, to_r, 0, allowance, reversal, 1)
    if plan.memo[END_Q] != to_q or plan.memo[END_R] != to_r:
        return False
    charge = may_charge and is_charge(play, plan, steps, face, walk)
    if not charge:
        slow = reversal_of(play, walk, walk)
        reprice(plan, steps, slow)
        if _ends_with(play, plan, face, walk, slow):
            plan.action[WHAT], plan.action[STEPS], plan.action[TO_FRONT] = WALK if steps > 0 else STAY, steps, face
            return True
        reprice(plan, steps, reversal)
    if steps == 0 or not _ends_with(play, plan, face, allowance, reversal):
        return False
    plan.action[WHAT], plan.action[STEPS], plan.action[TO_FRONT] = RUN, steps, face
    plan.action[CHARGE] = 1 if charge else 0
    return True


@inlined
def _ends_with(play: Play, plan: Plan, face: int, allowance: int, reversal: int) -> bool:
    """Tell whether the way found last can be paid, with that front at its end."""
    free = play.free_front == 1 or turned(int(plan.memo[END_FRONT]), face) <= play.free_rotation
    return bool(plan.memo[COST] + (0 if free else reversal) <= allowance)


@inner
def is_charge(play: Play, plan: Plan, steps: int, face: int, walk: int) -> bool:
    """Tell whether the way in `plan.path`, run into contact with that front, is a charge (SS-7.3, SS-P30)."""
    if steps < 1:
        return False
    if play.charge_run == ANY_RUN:
        return True
    if play.charge_run == FULL_MOV:
        return steps >= walk
    if steps < play.charge_least:
        return False
    straight = 0
    while straight < steps and plan.path[straight] == face:
        straight += 1
    return straight == steps


@inner
def line_up(state: State, play: Play, doctrine: DoctrineRecord, plan: Plan, unit: int, enemy: int) -> bool:
    """Fill in a move to where the way to the enemy is straight and long enough for a charge in the next turn.

    Return False where the unit is there already, or charges need no straight way, or it wants none.
    """
    if play.charge_run != STRAIGHT or not wants_charge(state, play, doctrine, unit, enemy):
        return False
    own, row = state.unit[unit], state.unit[enemy]
    q, r = int(own[Q]), int(own[R])
    away = distance(q, r, row[Q], row[R])
    if straight_to(q, r, int(row[Q]), int(row[R])) >= 0 and away > play.charge_least:
        return False
    walk, run = walk_of(state, play, unit), run_of(state, play, unit)
    best_q, best_r, best = q, r, 1 << 30
    for offset in range(6):
        side = (int(row[FRONT]) + offset) % 6
        for from_it in range(min(away, run), play.charge_least, -RUNG):
            on_q, on_r = int(row[Q] + from_it * STEP_Q[side]), int(row[R] + from_it * STEP_R[side])
            way = distance(q, r, on_q, on_r)
            # The least detour; of places without one, that from which the charge is longest.
            key = 4 * (way + from_it) + way // RUNG
            if way <= run and key < best and on_board(state, on_q, on_r) and not marked(plan.taken, on_q, on_r):
                best_q, best_r, best = on_q, on_r, key
    if best == 1 << 30:
        return False
    reversal = reversal_of(play, run, walk)
    steps = go(state, play, plan, unit, best_q, best_r, 0, run - reversal, reversal, 0)
    steps = cut(state, play, plan, unit, steps, reversal)
    if steps == 0:
        return False
    on_q, on_r, front = int(plan.memo[END_Q]), int(plan.memo[END_R]), int(plan.memo[END_FRONT])
    wanted = toward(on_q, on_r, front, int(row[Q]), int(row[R]))
    plan.action[WHAT], plan.action[STEPS] = RUN, steps
    plan.action[TO_FRONT] = front_after(play, plan, wanted, run, reversal)
    return True
