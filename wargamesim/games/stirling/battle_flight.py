"""Flight: away from the enemy as far as it goes, under the blows of those whose zones are left. Compiled."""

from __future__ import annotations

from numba import types

from wargamesim.compiled import inlined
from wargamesim.games.stirling import orders
from wargamesim.games.stirling.battle_harm import disperse, settle
from wargamesim.games.stirling.battle_record import Battle, note, on_battle
from wargamesim.games.stirling.battle_strike import ON_FLEEING, REAR_SIDE, attacks_of, on_side, strike
from wargamesim.games.stirling.battle_way import go, leave, run_allowance, walk_allowance
from wargamesim.games.stirling.hexes import distance, in_zone, on_board
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

# A value of a hex for one that flees: the least distance to an enemy counts before the sum of all distances.
NEAREST_COUNTS = 1 << 20


@inlined
def _worth(state: State, side: int, q: int, r: int) -> int:
    """Return how good a hex is to flee to; -1 if an enemy stands there, 0 if there is no enemy at all."""
    nearest, total = 0, 0
    for other in range(state.count):
        if state.unit[other, SIDE] != side and state.unit[other, STATUS] <= ROUTED:
            away = distance(state.unit[other, Q], state.unit[other, R], q, r)
            if away == 0:
                return -1
            total += away
            if nearest == 0 or away < nearest:
                nearest = away
    return nearest * NEAREST_COUNTS + total


@inlined
def _is_taken(state: State, unit: int, q: int, r: int) -> bool:
    """Tell whether another unit stands in a hex."""
    for other in range(state.count):
        if (
            other != unit
            and state.unit[other, Q] == q
            and state.unit[other, R] == r
            and state.unit[other, STATUS] <= ROUTED
        ):
            return True
    return False


@on_battle(2, types.int64)
def _find_way(b: Battle, unit: int, allowance: int) -> int:
    """Write the way of a flight into the plan; return its steps, -1 if the first leads off the board (SS-5.8)."""
    state, play, path = b.state, b.play, b.plan.path
    side, status = state.unit[unit, SIDE], state.unit[unit, STATUS]
    q, r = state.unit[unit, Q], state.unit[unit, R]
    here, zoned = _worth(state, side, q, r), in_zone(state, play, side, q, r)
    made = good = 0
    if here == 0:
        return 0
    while made < allowance:
        best, way = here, -1
        for towards in range(6):
            to_q, to_r = q + STEP_Q[towards], r + STEP_R[towards]
            if not on_board(state, to_q, to_r) and (made > 0 or status != ROUTED):
                continue
            worth = _worth(state, side, to_q, to_r)
            if worth > best and not (zoned and in_zone(state, play, side, to_q, to_r)):
                best, way = worth, towards
        if way < 0:
            break
        here, q, r = best, q + STEP_Q[way], r + STEP_R[way]
        path[made] = way
        made += 1
        if not on_board(state, q, r):
            return -1
        if play.stacking == 1 or not _is_taken(state, unit, q, r):
            good = made
        zoned = in_zone(state, play, side, q, r)
        if zoned:
            break
    return good


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
