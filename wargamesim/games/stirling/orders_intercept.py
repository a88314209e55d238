"""Whether a unit that has waited interrupts an enemy on his way, where, and how it gets there. Compiled."""

from __future__ import annotations

from wargamesim.compiled import inner
from wargamesim.games.stirling.doctrine import NEVER, DoctrineRecord
from wargamesim.games.stirling.hexes import direction, distance, on_board, turned
from wargamesim.games.stirling.layout import (
    ADVANCE,
    CHARGE,
    FLEE,
    FRONT,
    ORDERED,
    ROUTED,
    RUN,
    SIDE,
    STATUS,
    STEP_BACK,
    STEP_Q,
    STEP_R,
    STEPS,
    STOP,
    TO_FRONT,
    WALK,
    WHAT,
    Plan,
    Q,
    R,
    State,
)
from wargamesim.games.stirling.orders_charge import is_charge, wants_charge
from wargamesim.games.stirling.orders_odds import is_shooter, is_worth_it
from wargamesim.games.stirling.orders_path import (
    COST,
    END_FRONT,
    END_Q,
    END_R,
    go,
    look,
    marked,
    retrace,
    reversal_of,
    run_of,
    walk_of,
)
from wargamesim.games.stirling.playing import Play


@inner
def interrupt(
    state: State, play: Play, doctrine: DoctrineRecord, plan: Plan, reply: Plan, unit: int, mover: int
) -> bool:
    """Fill `reply` with a move next to the mover's way, if it is worth it and in time.

    The mover is stopped at the hex of his way that is nearest to the unit.
    """
    what, steps = plan.action[WHAT], int(plan.action[STEPS])
    if (is_shooter(state, unit) and doctrine.shooters_fight == 0) or what in (ADVANCE, STEP_BACK):
        return False
    walk = walk_of(state, play, unit)
    allowance = run_of(state, play, unit) if play.intercept_runs == 1 and doctrine.run != NEVER else walk
    own, row = state.unit[unit], state.unit[mover]
    q, r = int(row[Q]), int(row[R])
    if distance(own[Q], own[R], q, r) - steps > allowance + 1:
        return False
    look(state, play, reply, unit, mover)
    at, at_q, at_r, least = -1, 0, 0, allowance + 2
    for k in range(steps):
        q, r = q + STEP_Q[plan.path[k]], r + STEP_R[plan.path[k]]
        away = distance(own[Q], own[R], q, r)
        if 1 <= away < least and (play.stacking == 1 or not marked(reply.taken, q, r)):
            at, at_q, at_r, least = k, q, r, away
    # The way ends in (q, r).
    if at < 0 or (what != FLEE and not _threatens(state, int(own[SIDE]), q, r)):
        return False
    if what != FLEE and not is_worth_it(state, play, doctrine, unit, mover):
        return False
    front = int(plan.path[at]) if play.any_direction == 0 or what == FLEE else int(row[FRONT])
    best_q, best_r, best_key = 0, 0, 1 << 30
    for side in range(6):
        on_q, on_r = at_q + STEP_Q[side], at_r + STEP_R[side]
        if not on_board(state, on_q, on_r) or marked(reply.taken, on_q, on_r):
            continue
        key = 10 * distance(own[Q], own[R], on_q, on_r) - 4 * turned(front, side)
        if key < best_key:
            best_q, best_r, best_key = int(on_q), int(on_r), key
    if best_key == 1 << 30:
        return False
    if not _reaches(state, play, reply, unit, best_q, best_r, at_q, at_r, walk, allowance):
        return False
    if play.in_time == 1 and not _is_in_time(
        state, play, plan, reply, mover, at + 1, allowance if reply.action[WHAT] == RUN else walk
    ):
        return False
    reply.action[STOP] = at + 1
    if reply.action[WHAT] == RUN and wants_charge(state, play, doctrine, unit, mover):
        reply.action[CHARGE] = (
            1 if is_charge(play, reply, int(reply.action[STEPS]), int(reply.action[TO_FRONT]), walk) else 0
        )
    return True


@inner
def _threatens(state: State, side: int, q: int, r: int) -> bool:
    """Tell whether an enemy in a hex would be in contact with a unit of the side."""
    for friend in range(state.count):
        row = state.unit[friend]
        if row[SIDE] == side and row[STATUS] <= ROUTED and distance(row[Q], row[R], q, r) == 1:
            return True
    return False


@inner
def _reaches(
    state: State,
    play: Play,
    reply: Plan,
    unit: int,
    to_q: int,
    to_r: int,
    at_q: int,
    at_r: int,
    walk: int,
    allowance: int,
) -> bool:
    """Fill in a way to a hex, with the front to where the mover stops, walking if that is enough."""
    face = direction(to_q, to_r, at_q, at_r)
    for what in (WALK, RUN):
        most = walk if what == WALK else allowance
        if what == RUN and allowance == walk:
            return False
        reversal = reversal_of(play, most, walk)
        steps = go(state, play, reply, unit, to_q, to_r, 0, most, reversal, 1)
        if reply.memo[END_Q] != to_q or reply.memo[END_R] != to_r or (what == RUN and steps == 0):
            continue
        if turned(int(reply.memo[END_FRONT]), face) > play.free_rotation and play.free_front == 0:
            reply.memo[COST] += reversal
        if reply.memo[COST] <= most:
            reply.action[WHAT], reply.action[STEPS], reply.action[TO_FRONT] = what, steps, face
            return True
    return False


@inner
def _is_in_time(state: State, play: Play, plan: Plan, reply: Plan, mover: int, steps: int, allowance: int) -> bool:
    """Tell whether the unit has come as far, in parts of its allowance, as the mover in parts of his (SS-P28)."""
    walk = walk_of(state, play, mover)
    what = plan.action[WHAT]
    runs = what == RUN or (what == FLEE and (play.rout_walks == 0 or state.unit[mover, STATUS] == ORDERED))
    most = run_of(state, play, mover) if runs else walk
    cost = steps
    if what != FLEE:
        retrace(state, play, plan, mover, steps, reversal_of(play, most, walk))
        cost = int(plan.memo[COST])
    return bool(reply.memo[COST] * most <= cost * allowance)
