"""Flight: away from the enemy as far as it goes, under the blows of those whose zones are left. Compiled."""

from __future__ import annotations

import numpy as np
from numba import types

from wargamesim.bits import NONE, ONE, lowest
from wargamesim.compiled import inlined
from wargamesim.games.stirling import orders
from wargamesim.games.stirling.battle_harm import disperse, settle
from wargamesim.games.stirling.battle_record import Battle, note, on_battle
from wargamesim.games.stirling.battle_strike import ON_FLEEING, REAR_SIDE, attacks_of, on_side, strike
from wargamesim.games.stirling.battle_way import go, leave, run_allowance, walk_allowance
from wargamesim.games.stirling.hexes import (
    ALL_SIDES,
    FARTHER,
    GAIN_BITS,
    GAINS,
    NEARER,
    bearing,
    distance,
    has_zone,
    is_taken,
    on_board,
)
from wargamesim.games.stirling.layout import (
    CHARGE,
    DELAYED,
    DESTROYED,
    FLED,
    FLEE,
    FREE,
    FREE_STRIKES,
    FRONT,
    MERGE,
    MOST_UNITS,
    MOVED,
    ORDERED,
    RAN,
    ROUTED,
    SIDE,
    STATUS,
    STEP_Q,
    STEP_R,
    STEPS,
    STEPS_MADE,
    STOP,
    STRUCK_BACK,
    T_MOVE,
    TO_FRONT,
    WHAT,
    Q,
    R,
    State,
)

FAR = 1 << 20
# Of an enemy of one who flees: where he stands, how far his zone reaches, and how the fugitive lies from him now.
FOE_Q, FOE_R, ZONE, AWAY, AT = range(5)


@inlined
def _list_foes(b: Battle, side: int) -> int:
    """List the enemies on the board; return how many they are."""
    state, play = b.state, b.play
    n = 0
    for other in range(state.count):
        row = state.unit[other]
        if row[SIDE] != side and row[STATUS] <= ROUTED:
            b.foe[n, FOE_Q], b.foe[n, FOE_R] = row[Q], row[R]
            b.foe[n, ZONE] = play.zone if has_zone(state, play, other) else 0
            n += 1
    return n


@inlined
def _into_zones(b: Battle, n: int) -> int:
    """Return the hexsides that lead into zones, as bits; 0 if the fugitive is in none."""
    sides, inside = 0, False
    for i in range(n):
        away, at = b.foe[i, AWAY] - b.foe[i, ZONE], b.foe[i, AT]
        if away <= 0:
            inside = True
            sides |= ALL_SIDES & ~FARTHER[at] if away == 0 else ALL_SIDES
        elif away == 1:
            sides |= NEARER[at]
    return sides if inside else 0


@inlined
def _best_of(state: State, q: int, r: int, sides: int, gains: int, least: int, may_leave: bool) -> int:
    """Return which of some hexsides, as bits, is farthest from all enemies together; -1 if none gains more."""
    best, left = -1, np.uint64(sides)
    while left != NONE:
        towards = lowest(left)
        left &= left - ONE
        gain = gains >> GAIN_BITS * towards & ((1 << GAIN_BITS) - 1)
        if gain > least and (may_leave or on_board(state, q + STEP_Q[towards], r + STEP_R[towards])):
            best, least = towards, gain
    return best


@on_battle(2, types.int64)
def _find_way(b: Battle, unit: int, allowance: int) -> int:
    """Write the way of a flight into the plan; return its steps, -1 if the first leads off the board (SS-5.8).

    Each step leads to the neighbour that is farthest from the nearest enemy, and of those from all of them together.
    Where an enemy lies tells of all six neighbours at once whether they are nearer to him or farther.
    """
    state, play, path = b.state, b.play, b.plan.path
    q, r = state.unit[unit, Q], state.unit[unit, R]
    n = _list_foes(b, state.unit[unit, SIDE])
    made = 0
    while n > 0 and made < allowance:
        nearest, away_from_all, gains = FAR, ALL_SIDES, 0
        for i in range(n):
            dq, dr = q - b.foe[i, FOE_Q], r - b.foe[i, FOE_R]
            away = (abs(dq) + abs(dr) + abs(dq + dr)) // 2
            at = bearing(dq, dr)
            b.foe[i, AWAY], b.foe[i, AT] = away, at
            nearest = min(nearest, away)
            away_from_all &= FARTHER[at]
            gains += GAINS[at]
        # Hexsides as bits: toward an enemy who is nearest, not away from one, toward one who is a hex farther.
        closer = still = second = 0
        for i in range(n):
            if b.foe[i, AWAY] <= nearest + 1:
                at = b.foe[i, AT]
                if b.foe[i, AWAY] == nearest:
                    closer |= NEARER[at]
                    still |= ALL_SIDES & ~FARTHER[at]
                else:
                    second |= NEARER[at]
        if nearest <= play.zone:
            zones = _into_zones(b, n)
            if zones != 0 and made > 0:
                break
            closer |= zones
        # Rather farther from the nearest; where that cannot be, no nearer, if it is farther from all together.
        may_leave = made == 0 and state.unit[unit, STATUS] == ROUTED
        way = _best_of(state, q, r, ALL_SIDES & ~(closer | still | second), gains, -1, may_leave)
        if way < 0:
            way = _best_of(state, q, r, ALL_SIDES & ~closer, gains, n, may_leave)
        if way < 0:
            break
        # Where the first hexside that leads away from all is free, it goes on doing so.
        repeats = nearest > play.zone and away_from_all & ((2 << way) - 1) == 1 << way
        while True:
            q, r = q + STEP_Q[way], r + STEP_R[way]
            path[made] = way
            made += 1
            if not on_board(state, q, r):
                return -1
            if not repeats or made == allowance or not on_board(state, q + STEP_Q[way], r + STEP_R[way]):
                break
    while made > 0 and play.stacking == 0 and is_taken(state, unit, q, r):
        made -= 1
        q, r = q - STEP_Q[path[made]], r - STEP_R[path[made]]
    return made


@on_battle(1)
def _be_struck(b: Battle, unit: int) -> None:
    """Let those strike whose zones a unit leaves in flight (SS-5.8, SS-P21 to SS-P23)."""
    state, play, plan = b.state, b.play, b.plan
    q, r, enemy = state.unit[unit, Q], state.unit[unit, R], 1 - state.unit[unit, SIDE]
    plan.listed = 0
    for other in range(state.count):
        if state.unit[other, SIDE] == enemy and state.unit[other, STATUS] == ORDERED and state.unit[other, FLED] == 0:
            away = distance(state.unit[other, Q], state.unit[other, R], q, r)
            if 1 <= away <= play.zone:
                plan.list[plan.listed] = other
                plan.listed += 1
    if plan.listed > 0 and play.one_free_attacker == 1:
        plan.list[0] = orders.free_attacker(state, play, b.doctrine[enemy], plan, unit)
        plan.listed = 1
    for i in range(plan.listed):
        other = plan.list[i]
        count = attacks_of(state, play, other) if play.free_full == 1 else play.free_attacks
        if count == 0:
            continue
        state.unit[unit, STRUCK_BACK] = 1
        state.tally[FREE_STRIKES + enemy] += 1
        modifier, times = on_side(state, play, unit, REAR_SIDE), 100 * play.side_damage[REAR_SIDE]
        actor = other + MOST_UNITS * unit
        strike(b, other, unit, ON_FLEEING, REAR_SIDE, actor, FREE, 0, count, modifier, times)
        if play.free_late == 0:
            settle(b, unit)
            if state.unit[unit, STATUS] == DESTROYED:
                return


@inlined
def _note_stay(b: Battle, unit: int, steps: int) -> None:
    state = b.state
    q, r, front, delayed = (
        state.unit[unit, Q],
        state.unit[unit, R],
        state.unit[unit, FRONT],
        state.unit[unit, DELAYED],
    )
    note(b, T_MOVE, unit, FLEE, q, r, front, steps, 0, -1, delayed, -1)


@on_battle(1)
def flee(b: Battle, unit: int) -> None:
    """Have a unit flee, because it is routed or because it is ordered to (SS-5.8, SS-5.9, SS-9.4)."""
    state, play = b.state, b.play
    state.unit[unit, FLED] = state.unit[unit, MOVED] = 1
    if state.unit[unit, STATUS] == ROUTED and play.rout_walks == 1:
        allowance = walk_allowance(state, play, unit)
    else:
        allowance = run_allowance(state, play, unit)
        state.unit[unit, RAN] = 1
    steps = _find_way(b, unit, allowance)
    leaves = steps < 0
    if steps == 0:
        _note_stay(b, unit, 0)
        return
    _be_struck(b, unit)
    if state.unit[unit, STATUS] == DESTROYED:
        return
    if leaves:
        leave(state, unit)
        state.unit[unit, STEPS_MADE] = 1
        _note_stay(b, unit, 1)
        disperse(b, unit)
        return
    action = b.plan.action
    action[WHAT], action[STEPS], action[TO_FRONT] = FLEE, steps, b.plan.path[steps - 1]
    action[CHARGE], action[MERGE], action[STOP] = 0, -1, -1
    go(b, unit, FLEE, steps, 0)
