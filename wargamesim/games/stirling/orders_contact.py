"""What a unit does that is engaged: turn to whom it can hurt most, step back, flee, follow, or divide. Compiled."""

from __future__ import annotations

from wargamesim.compiled import inlined, inner
from wargamesim.games.stirling.doctrine import DoctrineRecord
from wargamesim.games.stirling.hexes import direction, distance, is_here, is_taken, on_board, turned
from wargamesim.games.stirling.layout import (
    ADVANCE,
    FLEE,
    FRONT,
    MEN,
    MOST_UNITS,
    MOVED,
    ORDERED,
    SHIELD,
    SIDE,
    SPLIT,
    STATUS,
    STEP_BACK,
    STEP_Q,
    STEP_R,
    STEPS,
    TO_FRONT,
    WHAT,
    Plan,
    Q,
    R,
    State,
)
from wargamesim.games.stirling.orders_odds import harm
from wargamesim.games.stirling.orders_path import (
    END_FRONT,
    ENEMY,
    OPEN,
    found_in,
    front_after,
    look,
    marked,
    nearest_enemy,
    retrace,
    reversal_of,
    toward,
    walk_of,
)
from wargamesim.games.stirling.playing import Play

# Rows of the plan's scratch memory, one column for each neighbouring enemy: the hexside at which he stands, how much
# harm the unit can do him and he to its front (parts in a million of the men of who is harmed), and who he is.
AT, DONE, TAKEN, WHO = range(4)
MILLION = 1_000_000.0

# What a blow on front, flank or rear weighs, by hexsides from the front: it hits more often and is not answered.
WEIGHTS = (1.0, 1.2, 1.2, 1.4)
# An enemy who faces elsewhere but has not moved yet may still turn: so much of the harm he could do is feared.
MAY_TURN = 0.5


@inner
def fight(state: State, play: Play, doctrine: DoctrineRecord, plan: Plan, unit: int) -> None:
    """Fill in what an engaged unit does; the action stands at STAY with the present front."""
    beside = _look_around(state, play, plan, unit)
    if beside == 0:
        _follow(state, play, doctrine, plan, unit)
        return
    front = int(state.unit[unit, FRONT])
    if beside > 1 or plan.scratch[AT, 0] != front:
        front = _best_front(plan, beside, front)
    if doctrine.flee_below > 0.0 or doctrine.step_back_below > 0.0:
        done, taken = _balance(plan, beside, front)
        if done < doctrine.flee_below * taken:
            plan.action[WHAT] = FLEE
            return
        if done < doctrine.step_back_below * taken and _step_back(state, play, plan, unit):
            return
    if doctrine.split == 1 and beside > 1 and _divide(state, play, plan, unit, beside):
        return
    plan.action[TO_FRONT] = _affordable(state, play, plan, unit, front)


@inlined
def _affordable(state: State, play: Play, plan: Plan, unit: int, front: int) -> int:
    """Return the front that a unit which stays can take."""
    walk = walk_of(state, play, unit)
    reversal = reversal_of(play, walk, walk)
    retrace(state, play, plan, unit, 0, reversal)
    return front_after(play, plan, front, walk, reversal)


@inner
def _look_around(state: State, play: Play, plan: Plan, unit: int) -> int:
    """List the neighbouring enemies and return how many there are."""
    own = state.unit[unit]
    q, r, side, found = own[Q], own[R], own[SIDE], 0
    for enemy in range(state.count):
        row = state.unit[enemy]
        if row[SIDE] == side or not is_here(state, enemy) or distance(q, r, row[Q], row[R]) != 1:
            continue
        hexside = direction(q, r, row[Q], row[R])
        back = turned(row[FRONT], (hexside + 3) % 6)
        modifier = 0
        if back > 0:
            modifier = play.side_hit[1]
            if back == 3:
                modifier = play.side_hit[2] + (row[SHIELD] if play.shield_lost == 1 else 0)
        done = harm(state, play, unit, enemy, modifier, 0) * WEIGHTS[back]
        taken = 0.0
        if row[STATUS] == ORDERED and (back == 0 or row[MOVED] == 0):
            taken = harm(state, play, enemy, unit, 0, 0) * (1.0 if back == 0 else MAY_TURN)
        plan.scratch[AT, found], plan.scratch[WHO, found] = hexside, enemy
        plan.scratch[DONE, found] = int(min(done, 1.0) * MILLION)
        plan.scratch[TAKEN, found] = int(min(taken, 1.0) * MILLION)
        found += 1
    return found


@inner
def _best_front(plan: Plan, beside: int, front: int) -> int:
    """Return the front that does most harm for the harm taken; the present one if none is better."""
    best, best_value = front, -1e18
    for offset in (0, 1, 5, 2, 4, 3):
        side = (front + offset) % 6
        done, taken = _balance(plan, beside, side)
        # A front against nobody strikes nobody, however little it suffers.
        value = done - taken if done > 0.0 else -1e12 - taken
        if value > best_value:
            best, best_value = side, value
    return int(best)


@inlined
def _balance(plan: Plan, beside: int, front: int) -> tuple[float, float]:
    """Return the harm done through a front, and taken with it."""
    done = taken = 0.0
    for k in range(beside):
        hexside = int(plan.scratch[AT, k])
        if hexside == front:
            done = max(done, float(plan.scratch[DONE, k]))
        taken += plan.scratch[TAKEN, k] * WEIGHTS[turned(front, hexside)]
    return done, taken


@inner
def _step_back(state: State, play: Play, plan: Plan, unit: int) -> bool:
    """Fill in a step back as far as it goes (SS-5.7), if one is possible."""
    look(state, play, plan, unit, -1)
    front = int(state.unit[unit, FRONT])
    most = walk_of(state, play, unit) // play.step_back_part
    q, r = int(state.unit[unit, Q]), int(state.unit[unit, R])
    steps = kept = 0
    while steps < most:
        chosen = -1
        for offset in (3, 2, 4):
            step = (front + offset) % 6
            on_q, on_r = q + STEP_Q[step], r + STEP_R[step]
            if on_board(state, on_q, on_r) and found_in(plan, on_q, on_r) == OPEN:
                chosen = step
                break
        if chosen < 0:
            break
        plan.path[steps] = chosen
        q, r = q + STEP_Q[chosen], r + STEP_R[chosen]
        steps += 1
        if not marked(plan.taken, q, r):
            kept = steps
    if kept == 0:
        return False
    plan.action[WHAT], plan.action[STEPS] = STEP_BACK, kept
    return True


@inner
def _follow(state: State, play: Play, doctrine: DoctrineRecord, plan: Plan, unit: int) -> None:
    """Fill in what a unit does whose enemies have all left contact: follow through its front, or face the nearest."""
    look(state, play, plan, unit, -1)
    own = state.unit[unit]
    side, front = own[SIDE], int(own[FRONT])
    q, r = int(own[Q] + STEP_Q[front]), int(own[R] + STEP_R[front])
    emptied = False
    for k in range(state.vacated):
        if state.left_by[k, 0] != side and state.left_by[k, 1] == q and state.left_by[k, 2] == r:
            emptied = True
    goes = emptied and doctrine.pursue == 1 and walk_of(state, play, unit) > 0 and not marked(plan.taken, q, r)
    if goes:
        here, there = found_in(plan, int(own[Q]), int(own[R])), found_in(plan, q, r)
        goes = there == OPEN or (here == OPEN and there != ENEMY)
    walk = walk_of(state, play, unit)
    reversal = reversal_of(play, walk, walk)
    plan.path[0] = front
    retrace(state, play, plan, unit, 1 if goes else 0, reversal)
    if goes:
        plan.action[WHAT], plan.action[STEPS] = ADVANCE, 1
    else:
        q, r = int(own[Q]), int(own[R])
    enemy = nearest_enemy(state, plan, q, r)
    if enemy >= 0:
        wanted = toward(q, r, int(plan.memo[END_FRONT]), int(state.unit[enemy, Q]), int(state.unit[enemy, R]))
        plan.action[TO_FRONT] = front_after(play, plan, wanted, walk, reversal)


@inner
def _divide(state: State, play: Play, plan: Plan, unit: int, beside: int) -> bool:
    """Fill in a split (SS-6.2) if enemies in front and behind both face the unit, and both halves can fight."""
    front = int(state.unit[unit, FRONT])
    faced, behind = False, -1
    for k in range(beside):
        enemy, hexside = int(plan.scratch[WHO, k]), int(plan.scratch[AT, k])
        if hexside == front:
            faced = True
            continue
        faces = state.unit[enemy, STATUS] == ORDERED and state.unit[enemy, FRONT] == (hexside + 3) % 6
        if faces and turned(front, hexside) >= 2 and behind < 0:
            behind = hexside
    half = state.unit[unit, MEN] // (2 * play.men_step) * play.men_step
    # A half that is too small for the losses of a turn to come to a whole step hurts nobody.
    if not faced or behind < 0 or half < 5 * play.step or half < 1 or state.count >= MOST_UNITS:
        return False
    if play.halves_apart == 1:
        q, r = int(state.unit[unit, Q]), int(state.unit[unit, R])
        beside_it = -1
        for offset in (3, 2, 4, 1, 5, 0):
            step = (front + offset) % 6
            on_q, on_r = q + STEP_Q[step], r + STEP_R[step]
            if on_board(state, on_q, on_r) and not is_taken(state, unit, on_q, on_r):
                beside_it = step
                break
        if beside_it < 0:
            return False
        plan.path[0], plan.action[STEPS] = beside_it, 1
    plan.action[WHAT], plan.action[TO_FRONT] = SPLIT, behind
    return True
