"""Where a unit goes that is not engaged: into contact, forward, out of reach, or to a friend. Compiled."""

from __future__ import annotations

from wargamesim.bits import NONE, ONE, lowest
from wargamesim.compiled import inlined, inner
from wargamesim.games.stirling.doctrine import ALWAYS, NEVER, WITH_FOOT, DoctrineRecord
from wargamesim.games.stirling.hexes import distance, on_board
from wargamesim.games.stirling.layout import (
    ENGAGED,
    FRONT,
    LANCE,
    LARGE,
    MEN,
    MERGE,
    MOVED,
    ORDERED,
    RANGE_LONG,
    ROUTED,
    RUN,
    SIDE,
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
from wargamesim.games.stirling.orders_charge import attack, line_up, straight_to, wants_charge
from wargamesim.games.stirling.orders_odds import (
    harm,
    has_friend_beside,
    is_foot,
    is_patient,
    is_shooter,
    is_worth_it,
    stance_of,
    wanted_range,
)
from wargamesim.games.stirling.orders_path import (
    END_Q,
    END_R,
    cut,
    front_after,
    go,
    look,
    nearest_enemy,
    retrace,
    reversal_of,
    run_of,
    toward,
    walk_of,
)
from wargamesim.games.stirling.playing import Play

# How near (hexes) a unit goes to an enemy whom it does not want to strike.
STANDOFF = 2
# Enemies tried before a unit that cannot reach them goes forward instead.
TRIES = 2
# Row of the plan's scratch memory with the wish to strike each enemy in the plan's list, and what stands there if he is
# out of the question or has been tried.
WISH, REFUSED = 0, -(1 << 60)
# A unit that stands farther than this (hexes) from friend and enemy goes back to its friends.
ALONE = 8
# What a hex of the way to an enemy takes from the wish to strike him, a share of men; and how much more a charge is
# worth than another attack, without a lance and with one.
WAY, CHARGE_GAIN, LANCE_GAIN = 0.01, 1.3, 2.5
# Farther than anything; and less than any difference of distances but those by rounding.
FAR, TINY = 1e9, 1e-6


@inner
def march(state: State, play: Play, doctrine: DoctrineRecord, plan: Plan, unit: int) -> None:
    """Fill in what a unit does that is free to move; the action stands at STAY with the present front."""
    own = state.unit[unit]
    q, r = int(own[Q]), int(own[R])
    look(state, play, plan, unit, -1)
    near = nearest_enemy(state, plan, q, r)
    if near < 0:
        return
    away = distance(q, r, state.unit[near, Q], state.unit[near, R])
    if doctrine.merge_below > own[MEN] and _join(state, play, doctrine, plan, unit):
        return
    patient = is_patient(state, doctrine, unit)
    middle_q, middle_r = (0.0, 0.0) if patient else _middle(state, plan)
    shooter = is_shooter(state, unit)
    if shooter and away < doctrine.keep_away and _retire(state, play, doctrine, plan, unit, near, away):
        return
    fights = not shooter or doctrine.shooters_fight == 1
    if fights and _strike(state, play, doctrine, plan, unit, patient, middle_q, middle_r):
        return
    if patient:
        if away > ALONE and _rejoin(state, play, doctrine, plan, unit, near):
            return
    else:
        stop_at = max(wanted_range(state, doctrine, unit), STANDOFF) if shooter else STANDOFF
        if away > stop_at and _advance(state, play, doctrine, plan, unit, near, stop_at, middle_q, middle_r):
            return
    _face(state, play, plan, unit, near)


@inlined
def _face(state: State, play: Play, plan: Plan, unit: int, enemy: int) -> None:
    """Stay, and turn to an enemy."""
    own = state.unit[unit]
    walk = walk_of(state, play, unit)
    reversal = reversal_of(play, walk, walk)
    retrace(state, play, plan, unit, 0, reversal)
    wanted = toward(int(own[Q]), int(own[R]), int(own[FRONT]), int(state.unit[enemy, Q]), int(state.unit[enemy, R]))
    plan.action[WHAT], plan.action[STEPS] = STAY, 0
    plan.action[TO_FRONT] = front_after(play, plan, wanted, walk, reversal)


@inner
def _finish(
    state: State, play: Play, plan: Plan, unit: int, enemy: int, steps: int, what: int, allowance: int, reversal: int
) -> bool:
    """Fill in the way found last, as far as it ends on a free hex, with the front to an enemy."""
    steps = cut(state, play, plan, unit, steps, reversal)
    if steps == 0:
        return False
    q, r = int(plan.memo[END_Q]), int(plan.memo[END_R])
    front = int(plan.path[steps - 1]) if play.any_direction == 0 else int(state.unit[unit, FRONT])
    wanted = toward(q, r, front, int(state.unit[enemy, Q]), int(state.unit[enemy, R]))
    plan.action[WHAT], plan.action[STEPS] = what, steps
    plan.action[TO_FRONT] = front_after(play, plan, wanted, allowance, reversal)
    return True


@inner
def _strike(
    state: State,
    play: Play,
    doctrine: DoctrineRecord,
    plan: Plan,
    unit: int,
    patient: bool,
    middle_q: float,
    middle_r: float,
) -> bool:
    """Fill in a move into contact with the enemy who is worth most, if there is one to reach."""
    own = state.unit[unit]
    q, r = int(own[Q]), int(own[R])
    walk = walk_of(state, play, unit)
    allowance = walk if doctrine.run == NEVER else run_of(state, play, unit)
    limit = -1.0
    if doctrine.together > 0 and not patient:
        foot_runs = 0 if stance_of(state, doctrine, unit) == WITH_FOOT else 1
        limit = _line(state, play, doctrine, plan, unit, middle_q, middle_r, foot_runs)
    for k in range(plan.listed):
        enemy = int(plan.list[k])
        row = state.unit[enemy]
        away = distance(q, r, row[Q], row[R])
        plan.scratch[WISH, k] = REFUSED
        if away > allowance + 1:
            continue
        helps = patient and away > doctrine.reach
        if helps and (doctrine.support == 0 or not has_friend_beside(state, unit, enemy)):
            continue
        if limit > 0.0 and _apart(row[Q] - middle_q, row[R] - middle_r) < limit - 1.0 - TINY:
            continue
        plan.scratch[WISH, k] = int(1e6 * _prey(state, play, doctrine, unit, enemy, away, allowance > walk))
    for _ in range(TRIES):
        best = 0
        for k in range(1, plan.listed):
            if plan.scratch[WISH, k] > plan.scratch[WISH, best]:
                best = k
        if plan.scratch[WISH, best] == REFUSED:
            return False
        enemy = int(plan.list[best])
        plan.scratch[WISH, best] = REFUSED
        if is_worth_it(state, play, doctrine, unit, enemy):
            # A turn to take up the line, the next to charge along it.
            if doctrine.charge == ALWAYS and state.turn % 2 == 1 and line_up(state, play, doctrine, plan, unit, enemy):
                return True
            if attack(state, play, doctrine, plan, unit, enemy):
                return True
    return False


@inlined
def _prey(state: State, play: Play, doctrine: DoctrineRecord, unit: int, enemy: int, away: int, runs: bool) -> float:
    """Return how much a unit would like to strike an enemy: the harm it does, more if it can charge, less the way."""
    own, row = state.unit[unit], state.unit[enemy]
    if row[STATUS] != ORDERED:
        return -10.0 - WAY * away
    done = harm(state, play, unit, enemy, 0, 0)
    if runs and wants_charge(state, play, doctrine, unit, enemy):
        straight = straight_to(int(own[Q]), int(own[R]), int(row[Q]), int(row[R])) >= 0 and away > play.charge_least
        if straight or doctrine.charge == ALWAYS:
            done *= LANCE_GAIN if own[TRAITS] & LANCE else CHARGE_GAIN
    return done - 0.5 * harm(state, play, enemy, unit, 0, 0) - WAY * away


@inner
def _advance(
    state: State,
    play: Play,
    doctrine: DoctrineRecord,
    plan: Plan,
    unit: int,
    enemy: int,
    stop_at: int,
    middle_q: float,
    middle_r: float,
) -> bool:
    """Fill in a move toward an enemy, no farther than the doctrine lets the unit run ahead."""
    own, other = state.unit[unit], state.unit[enemy]
    runs = doctrine.run == ALWAYS
    walk = walk_of(state, play, unit)
    allowance = run_of(state, play, unit) if runs else walk
    reversal = reversal_of(play, allowance, walk)
    most = allowance
    if doctrine.together > 0 or stance_of(state, doctrine, unit) == WITH_FOOT:
        line = _line(state, play, doctrine, plan, unit, middle_q, middle_r, 0)
        if line > 0.0:
            most = min(most, int(max(_apart(own[Q] - middle_q, own[R] - middle_r) - line + TINY, 0.0)))
    if most == 0:
        return False
    away = distance(own[Q], own[R], other[Q], other[R])
    stop_at = max(stop_at, away - most)
    steps = go(state, play, plan, unit, int(other[Q]), int(other[R]), stop_at, allowance, reversal, 0)
    return _finish(state, play, plan, unit, enemy, steps, RUN if runs else WALK, allowance, reversal)


@inner
def _rejoin(state: State, play: Play, doctrine: DoctrineRecord, plan: Plan, unit: int, enemy: int) -> bool:
    """Fill in a move to the nearest friend in order, for a unit that stands alone, such as one that was routed."""
    own = state.unit[unit]
    best, least = -1, 1 << 30
    for friend in range(state.count):
        row = state.unit[friend]
        if row[SIDE] == own[SIDE] and friend != unit and row[STATUS] == ORDERED:
            away = distance(own[Q], own[R], row[Q], row[R])
            if away < least:
                best, least = friend, away
    if best < 0 or least <= ALONE:
        return False
    walk = walk_of(state, play, unit)
    allowance = walk if doctrine.run == NEVER else run_of(state, play, unit)
    reversal = reversal_of(play, allowance, walk)
    row = state.unit[best]
    steps = go(state, play, plan, unit, int(row[Q]), int(row[R]), STANDOFF, allowance - reversal, reversal, 0)
    return _finish(state, play, plan, unit, enemy, steps, RUN if allowance > walk else WALK, allowance, reversal)


@inner
def _middle(state: State, plan: Plan) -> tuple[float, float]:
    """Return the middle of the plan's enemies in order, or of the routed ones if no other is left."""
    q = r = 0.0
    count = 0
    for status in (ORDERED, ROUTED):
        for k in range(plan.listed):
            row = state.unit[plan.list[k]]
            if row[STATUS] == status:
                q += row[Q]
                r += row[R]
                count += 1
        if count > 0:
            break
    return q / max(count, 1), r / max(count, 1)


@inlined
def _apart(dq: float, dr: float) -> float:
    """Return the distance of two places in hexes."""
    return 0.5 * (abs(dq) + abs(dr) + abs(dq + dr))


@inner
def _line(
    state: State,
    play: Play,
    doctrine: DoctrineRecord,
    plan: Plan,
    unit: int,
    middle_q: float,
    middle_r: float,
    runs: int,
) -> float:
    """Return how near to the middle of the enemies a unit may go so that its foot keeps up; 0 if there is no limit.

    The rearmost of the foot that is free to move sets it: where it can be after a walk, or a run if it `runs`, and so
    much farther as the doctrine says. Shooters that go with their foot stay behind the foremost of it.
    """
    foot_runs = runs == 1 and doctrine.run != NEVER
    rear, front = 0.0, FAR
    friends = plan.friends
    while friends != NONE:
        friend = lowest(friends)
        friends &= friends - ONE
        if not is_foot(state, friend):
            continue
        row = state.unit[friend]
        away = _apart(row[Q] - middle_q, row[R] - middle_r)
        front = min(front, away)
        if row[ENGAGED] == 0 and away > rear:
            goes = 0 if row[MOVED] == 1 else run_of(state, play, friend) if foot_runs else walk_of(state, play, friend)
            rear = max(rear, away - goes)
    limit = rear - doctrine.together if doctrine.together > 0 and rear > 0.0 else 0.0
    if is_shooter(state, unit) and stance_of(state, doctrine, unit) == WITH_FOOT and front < FAR:
        limit = max(limit, front + 1.0)
    return max(limit, 0.0)


@inner
def _retire(state: State, play: Play, doctrine: DoctrineRecord, plan: Plan, unit: int, enemy: int, away: int) -> bool:
    """Fill in a move out of reach of an enemy who is too near, with the front to him, if there is room."""
    own = state.unit[unit]
    q, r = int(own[Q]), int(own[R])
    walk = walk_of(state, play, unit)
    allowance = walk if doctrine.run == NEVER else run_of(state, play, unit)
    reversal = reversal_of(play, allowance, walk)
    # The front turns away and back again.
    steps = min(int(doctrine.keep_away) + 1 - away, allowance - 2 * reversal)
    if steps <= 0:
        return False
    best_q, best_r, best = q, r, away
    for offset in (3, 2, 4, 1, 5, 0):
        step = (int(own[FRONT]) + offset) % 6
        on_q, on_r = q + steps * STEP_Q[step], r + steps * STEP_R[step]
        if not on_board(state, on_q, on_r):
            continue
        other = nearest_enemy(state, plan, on_q, on_r)
        found = distance(on_q, on_r, state.unit[other, Q], state.unit[other, R])
        if found > best:
            best_q, best_r, best = on_q, on_r, found
    if best == away:
        return False
    made = go(state, play, plan, unit, best_q, best_r, 0, allowance - reversal, reversal, 0)
    what = WALK if made + 2 * reversal_of(play, walk, walk) <= walk else RUN
    if what == WALK:
        allowance, reversal = walk, reversal_of(play, walk, walk)
        retrace(state, play, plan, unit, made, reversal)
    return _finish(state, play, plan, unit, enemy, made, what, allowance, reversal)


@inner
def _join(state: State, play: Play, doctrine: DoctrineRecord, plan: Plan, unit: int) -> bool:
    """Fill in a walk to a friend who is as weak, to merge with him (SS-6.3)."""
    own = state.unit[unit]
    q, r = int(own[Q]), int(own[R])
    walk = walk_of(state, play, unit)
    reversal = reversal_of(play, walk, walk)
    best, best_away = -1, walk + 1
    for friend in range(state.count):
        row = state.unit[friend]
        if row[SIDE] != own[SIDE] or friend == unit or row[STATUS] != ORDERED or row[MEN] >= doctrine.merge_below:
            continue
        if row[ENGAGED] == 1 or (row[TRAITS] & LARGE) != (own[TRAITS] & LARGE):
            continue
        # A shooter would lose its missiles, or its friend his order in line.
        if (row[RANGE_LONG] > 0) != (own[RANGE_LONG] > 0):
            continue
        away = distance(q, r, row[Q], row[R])
        if away < best_away:
            best, best_away = friend, away
    if best < 0:
        return False
    to_q, to_r = int(state.unit[best, Q]), int(state.unit[best, R])
    steps = go(state, play, plan, unit, to_q, to_r, 0, walk, reversal, 0)
    if plan.memo[END_Q] != to_q or plan.memo[END_R] != to_r:
        return False
    plan.action[WHAT], plan.action[STEPS], plan.action[MERGE] = WALK if steps > 0 else STAY, steps, best
    plan.action[TO_FRONT] = plan.path[steps - 1] if steps > 0 and play.any_direction == 0 else own[FRONT]
    return True
