"""How a unit goes its way: step by step, perhaps intercepted, perhaps charging. Compiled."""

from __future__ import annotations

from numba import types

from wargamesim.compiled import inlined
from wargamesim.games.stirling import orders
from wargamesim.games.stirling.battle_nerve import charged
from wargamesim.games.stirling.battle_record import Battle, note, on_battle, option
from wargamesim.games.stirling.hexes import target_of
from wargamesim.games.stirling.layout import (
    CHARGE,
    CHARGES,
    CHARGING,
    DELAYED,
    ENGAGED,
    FLEE,
    FRONT,
    INTERCEPTIONS,
    MOST_STEPS,
    MOST_UNITS,
    MOV,
    MOVED,
    ORDERED,
    RAN,
    RUN,
    SIDE,
    STATUS,
    STEP_BACK,
    STEP_Q,
    STEP_R,
    STEPS,
    STEPS_MADE,
    STOP,
    T_MOVE,
    TO_FRONT,
    WHAT,
    Plan,
    Q,
    R,
    State,
)
from wargamesim.games.stirling.playing import Play

STRAIGHT_RUN, FULL_MOV = option("charge_run", "straight_run"), option("charge_run", "full_mov")


@inlined
def walk_allowance(state: State, play: Play, unit: int) -> int:
    """Return the hexes of a walk (SS-2.3, SS-5.1)."""
    return int(min(state.unit[unit, MOV] * play.per_turn * play.hexes // play.mov_points, MOST_STEPS))


@inlined
def run_allowance(state: State, play: Play, unit: int) -> int:
    """Return the hexes of a run (SS-5.1a)."""
    return int(min(state.unit[unit, MOV] * play.run * play.per_turn * play.hexes // play.mov_points, MOST_STEPS))


@inlined
def leave(state: State, unit: int) -> None:
    """Remember that a unit leaves its hex in retreat (SS-5.7)."""
    n = state.vacated
    state.left_by[n, 0], state.left_by[n, 1], state.left_by[n, 2] = (
        state.unit[unit, SIDE],
        state.unit[unit, Q],
        state.unit[unit, R],
    )
    state.vacated = n + 1


@inlined
def _interceptor(b: Battle, unit: int) -> int:
    """Ask who may interrupt a move, the fastest first; return who does, or -1 (SS-6.1)."""
    state, play = b.state, b.play
    own = state.unit[unit, SIDE]
    enemy = 1 - own
    pace, die, enemy_die = state.unit[unit, MOV], state.die[own], state.die[enemy]
    wins = enemy_die < die if play.low_first == 1 else enemy_die > die
    for i in range(MOST_UNITS):
        if b.order[i] < 0:
            break
        other = b.order[i] % MOST_UNITS
        if state.unit[other, MOV] < pace or (state.unit[other, MOV] == pace and not wins):
            break
        if (
            state.unit[other, SIDE] == enemy
            and state.unit[other, DELAYED] == 1
            and state.unit[other, MOVED] == 0
            and state.unit[other, STATUS] == ORDERED
            and state.unit[other, ENGAGED] == 0
            and orders.intercept(state, play, b.doctrine[enemy], b.plan, b.reply, other, unit) == 1
        ):
            return int(other)
    return -1


@inlined
def _is_charge(state: State, play: Play, unit: int, what: int, plan: Plan, made: int) -> int:
    """Tell whether what a unit has just run is a charge (SS-7.3, SS-7.3a, SS-P30)."""
    if what != RUN or made == 0 or target_of(state, unit) < 0:
        return 0
    if play.charge_run == STRAIGHT_RUN:
        if made < play.charge_least:
            return 0
        for i in range(made):
            if plan.path[i] != state.unit[unit, FRONT]:
                return 0
    elif play.charge_run == FULL_MOV and made < walk_allowance(state, play, unit):
        return 0
    return 1


@on_battle(1)
def _intercept(b: Battle, unit: int) -> None:
    """Move who intercepts (SS-6.1)."""
    state, action = b.state, b.reply.action
    for i in range(action[STEPS]):
        state.unit[unit, Q] += STEP_Q[b.reply.path[i]]
        state.unit[unit, R] += STEP_R[b.reply.path[i]]
    state.unit[unit, FRONT] = action[TO_FRONT]
    state.unit[unit, MOVED], state.unit[unit, STEPS_MADE] = 1, action[STEPS]
    if action[WHAT] == RUN:
        state.unit[unit, RAN] = 1
    state.tally[INTERCEPTIONS + state.unit[unit, SIDE]] += 1


@on_battle(2, types.int64)
def _note_intercept(b: Battle, unit: int, mover: int) -> int:
    """Write an interception down; return 1 if it is a charge."""
    state, action = b.state, b.reply.action
    what, steps, charges = action[WHAT], action[STEPS], action[CHARGE]
    if charges == 1:
        charges = _is_charge(state, b.play, unit, what, b.reply, steps)
    q, r, front = state.unit[unit, Q], state.unit[unit, R], state.unit[unit, FRONT]
    note(b, T_MOVE, unit, what, q, r, front, steps, charges, -1, 1, mover)
    return int(charges)


@on_battle(1)
def _declare(b: Battle, unit: int) -> None:
    """Declare the charge of a unit on whom it has its front on (SS-7.3, SS-9.6)."""
    state = b.state
    state.unit[unit, CHARGING] = 1
    state.tally[CHARGES + state.unit[unit, SIDE]] += 1
    target = target_of(state, unit)
    if target >= 0:
        charged(b, target, unit)


@on_battle(4, types.int64)
def go(b: Battle, unit: int, what: int, steps: int, asked: int) -> int:
    """Make a move, or the part of it before an interception, with the charges that come of it (SS-5.5, SS-6.1).

    Return 1 if the unit has made all of its move and charges nobody.
    """
    state, play, action = b.state, b.play, b.plan.action
    front, to_front = state.unit[unit, FRONT], action[TO_FRONT]
    by = _interceptor(b, unit) if b.waiting > 0 else -1
    made = b.reply.action[STOP] if by >= 0 else steps
    if what in (STEP_BACK, FLEE):
        leave(state, unit)
    q, r = state.unit[unit, Q], state.unit[unit, R]
    for i in range(made):
        q, r = q + STEP_Q[b.plan.path[i]], r + STEP_R[b.plan.path[i]]
    state.unit[unit, Q], state.unit[unit, R] = q, r
    if what == FLEE:
        front = b.plan.path[made - 1]
    elif what != STEP_BACK:
        if by < 0:
            front = to_front
        elif play.any_direction == 0:
            front = b.plan.path[made - 1]
    state.unit[unit, FRONT] = front
    state.unit[unit, STEPS_MADE] = made
    if what == RUN:
        state.unit[unit, RAN] = 1
    delayed = state.unit[unit, DELAYED]
    if by >= 0:
        _intercept(b, by)
    charges = asked
    if asked == 1:
        charges = _is_charge(state, play, unit, what, b.plan, made)
    note(b, T_MOVE, unit, what, q, r, front, made, charges, by, delayed, -1)
    by_charges = _note_intercept(b, by, unit) if by >= 0 else 0
    if charges == 1:
        _declare(b, unit)
    if by_charges == 1 and state.unit[by, STATUS] == ORDERED:
        _declare(b, by)
    return 1 if by < 0 and charges == 0 else 0
