"""How a unit finds its way: greedily, hex by hex, out of enemy zones, and what that costs. Compiled.

A way is written into `plan.path`; what it cost and where it ends into `plan.memo`. What stands in the way is marked in
the plan before, a bit for each hex of a row.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from wargamesim.bits import NONE, ONE, bit, spread
from wargamesim.compiled import inlined, inner
from wargamesim.games.stirling.hexes import ALL_SIDES, FARTHER, NEARER, bearing, distance, has_zone, on_board, turned
from wargamesim.games.stirling.layout import (
    FRONT,
    MOST_STEPS,
    MOV,
    ORDERED,
    ROUTED,
    SIDE,
    STATUS,
    STEP_Q,
    STEP_R,
    Plan,
    Q,
    R,
    State,
)
from wargamesim.games.stirling.playing import Play

# What `plan.memo` holds of the way found last.
COST, END_Q, END_R, END_FRONT, TURNS = range(5)

# More than the square of any distance, or than all else that tells steps apart; and the key of one not allowed.
BEYOND, NEVER = 1 << 16, 1 << 30
# Steps that bring a unit no nearer before it gives up going round an obstacle.
MOST_SLIDES = 8

# What a hex is to a unit that wants to step on it.
OPEN, ZONE, ENEMY = range(3)

# One bit for the column of a hex in a row of marks.
Marks = npt.NDArray[np.uint64]


def _hexsides(of: list[int]) -> npt.NDArray[np.int64]:
    """Return hexsides in pairs, -1 for none, of sets of at most two."""
    return np.array([([side for side in range(6) if bits >> side & 1] + [-1, -1])[:2] for bits in of], np.int64)


# By the bearing from the goal: the hexsides that lead nearer to it, and those that lead neither nearer nor farther.
TOWARD = _hexsides(NEARER.tolist())
ALONG = _hexsides((ALL_SIDES & ~(NEARER | FARTHER)).tolist())
# Rotations to a hexside, from the least, by its difference from the front plus 6.
RANK = np.array([0, 1, 3, 5, 4, 2] * 2, np.int64)
# What a hex in q and r to the goal counts for a step: twice what a hex of the straight line that it makes good does.
PULL_Q, PULL_R = 2 * STEP_Q + STEP_R, STEP_Q + 2 * STEP_R


@inlined
def walk_of(state: State, play: Play, unit: int) -> int:
    """Return how far a unit walks (SS-2.3, SS-5.1, SS-5.1b)."""
    return int(min(state.unit[unit, MOV] * play.per_turn * play.hexes // play.mov_points, MOST_STEPS))


@inlined
def run_of(state: State, play: Play, unit: int) -> int:
    """Return how far a unit runs (SS-5.1a)."""
    return int(min(state.unit[unit, MOV] * play.run * play.per_turn * play.hexes // play.mov_points, MOST_STEPS))


@inlined
def reversal_of(play: Play, allowance: int, walk: int) -> int:
    """Return what a reversal of the front costs (SS-5.4b, SS-P26)."""
    whole = walk if play.reversal_of_mov == 1 else allowance
    return int((whole + play.reversal_part - 1) // play.reversal_part)


@inlined
def square(q: int, r: int, to_q: int, to_r: int) -> int:
    """Return the square of the distance of two hexes as the crow flies."""
    dq, dr = to_q - q, to_r - r
    return int(dq * dq + dq * dr + dr * dr)


@inlined
def toward(q: int, r: int, front: int, to_q: int, to_r: int) -> int:
    """Return the hexside that looks at a place: of two that do as well, the one with less rotation from `front`."""
    best, best_key = front, 1 << 30
    for offset in (0, 1, 5, 2, 4, 3):
        side = (front + offset) % 6
        key = square(q + STEP_Q[side], r + STEP_R[side], to_q, to_r)
        if key < best_key:
            best, best_key = side, key
    return int(best)


@inner
def look(state: State, play: Play, plan: Plan, unit: int, ignored: int) -> None:
    """List a unit's enemies on the board in the plan, and mark what stands in its way; `go` and others read that.

    The enemy `ignored` (-1: none) is as good as off the board.
    """
    side = state.unit[unit, SIDE]
    for rows in (plan.held, plan.zones, plan.taken):
        for r in range(state.rows):
            rows[r] = NONE
    found, friends = 0, NONE
    for other in range(state.count):
        row = state.unit[other]
        if row[STATUS] > ROUTED or other in (unit, ignored):
            continue
        r = row[R]
        here = bit(row[Q] + (r >> 1))
        plan.taken[r] |= here
        if row[SIDE] == side:
            if row[STATUS] == ORDERED:
                friends |= bit(other)
            continue
        plan.held[r] |= here
        plan.list[found] = other
        found += 1
        if has_zone(state, play, other):
            _mark_zone(state, play, plan, r, here)
    plan.listed, plan.friends = found, friends


@inlined
def _mark_zone(state: State, play: Play, plan: Plan, r: int, here: np.uint64) -> None:
    """Mark the hexes around one of a row, which is a bit; marks beyond the last column do no harm."""
    marks = cone = here
    for _ in range(play.zone):
        marks = spread(marks)
    plan.zones[r] |= marks
    for away in range(1, play.zone + 1):
        # Every row lies half a hex further east or west than the one before.
        cone |= cone >> ONE if (r + away) & 1 else cone << ONE
        marks = cone
        for _ in range(play.zone - away):
            marks = spread(marks)
        if away <= r:
            plan.zones[r - away] |= marks
        if away < state.rows - r:
            plan.zones[r + away] |= marks


@inlined
def marked(rows: Marks, q: int, r: int) -> bool:
    """Tell whether a hex of the board is marked."""
    return bool(rows[r] & bit(q + (r >> 1)) != NONE)


@inlined
def found_in(plan: Plan, q: int, r: int) -> int:
    """Return whether a hex of the board is open, in a zone of an enemy, or an enemy's own."""
    return ENEMY if marked(plan.held, q, r) else ZONE if marked(plan.zones, q, r) else OPEN


@inlined
def _is_open(state: State, plan: Plan, q: int, r: int, to_q: int, to_r: int, may_enter: bool) -> bool:
    """Tell whether a unit on its way to a hex may step on another."""
    if not on_board(state, q, r) or marked(plan.held, q, r):
        return False
    return not marked(plan.zones, q, r) or (may_enter and q == to_q and r == to_r)


@inlined
def _along(q: int, r: int, step: int, to_q: int, to_r: int) -> int:
    """Return twice how much of the straight line to a hex a step makes good."""
    return int((to_q - q) * PULL_Q[step] + (to_r - r) * PULL_R[step])


@inlined
def _key(
    state: State,
    play: Play,
    plan: Plan,
    q: int,
    r: int,
    front: int,
    step: int,
    to_q: int,
    to_r: int,
    reversal: int,
    left: int,
    may_enter: bool,
) -> int:
    """Return how good a step on the way to a hex is, the least being best; NEVER if it is not allowed.

    A step without a reversal of the front is better, and then one along the straight line; of equals one with less
    rotation, so that a battle turned round is the same battle.
    """
    turns = play.any_direction == 0 and turned(front, step) > play.free_rotation
    if 1 + (reversal if turns else 0) > left:
        return NEVER
    if not _is_open(state, plan, q + STEP_Q[step], r + STEP_R[step], to_q, to_r, may_enter):
        return NEVER
    return int(8 * ((BEYOND if turns else 0) - _along(q, r, step, to_q, to_r)) + RANK[step - front + 6])


@inner
def nearest_enemy(state: State, plan: Plan, q: int, r: int) -> int:
    """Return the enemy in the plan's list nearest to a hex, those in order before routed ones; -1 if there is none."""
    best, best_key = -1, 1 << 30
    for k in range(plan.listed):
        enemy = int(plan.list[k])
        row = state.unit[enemy]
        key = square(q, r, row[Q], row[R]) + (0 if row[STATUS] == ORDERED else BEYOND)
        if key < best_key:
            best, best_key = enemy, key
    return best


@inner
def go(
    state: State,
    play: Play,
    plan: Plan,
    unit: int,
    to_q: int,
    to_r: int,
    stop_at: int,
    allowance: int,
    reversal: int,
    into: int,
) -> int:
    """Walk toward a hex and return the steps made; what they cost and where they end is in the memo.

    The way ends `stop_at` hexes before the goal, or when nothing leads nearer within the allowance. It keeps out of
    enemy zones, as `look` found them; with `into` its goal may be in one.
    """
    front = int(state.unit[unit, FRONT])
    q, r = int(state.unit[unit, Q]), int(state.unit[unit, R])
    cost = steps = turns = slides = 0
    came = -1
    away = distance(q, r, to_q, to_r)
    may_enter = into == 1 and not marked(plan.zones, q, r)
    turns_freely = play.any_direction == 1 or play.free_rotation > 0
    while away > stop_at and steps < MOST_STEPS:
        at = bearing(q - to_q, r - to_r)
        best, best_key, most = -1, NEVER, 1
        # Steps to go with the best step, with the other one toward the goal, and which that is.
        leg, rest, other = 0, 0, -1
        for k in range(2):
            step = TOWARD[at, k]
            if step < 0:
                break
            key = _key(state, play, plan, q, r, front, step, to_q, to_r, reversal, allowance - cost, may_enter)
            if key < best_key:
                best, best_key = step, key
        if best >= 0:
            leg = _along(q, r, best, to_q, to_r) - away
            rest, other = away - leg, TOWARD[at, 0] + TOWARD[at, 1] - best
            away, most = away - 1, away - stop_at
        elif slides < MOST_SLIDES:
            # Round an obstacle.
            for k in range(2):
                step = ALONG[at, k]
                key = _key(state, play, plan, q, r, front, step, to_q, to_r, reversal, allowance - cost, may_enter)
                if key < best_key and step != came:
                    best, best_key = step, key
            slides += 1
        if best < 0:
            break
        if best_key >= BEYOND:
            cost += reversal
            turns += 1
        may_enter = into == 1
        last = steps + min(most, MOST_STEPS - steps, allowance - cost)
        while True:
            q, r, front = q + STEP_Q[best], r + STEP_R[best], best
            plan.path[steps] = best
            steps, cost, leg = steps + 1, cost + 1, leg - 1
            if steps == last:
                break
            # The longer leg comes first, of equal ones that which needs no rotation.
            if leg < rest:
                if not turns_freely:
                    break
                best, other, leg, rest = other, best, rest, leg
            if not _is_open(state, plan, q + STEP_Q[best], r + STEP_R[best], to_q, to_r, may_enter):
                break
            away -= 1
        came = (front + 3) % 6
    plan.memo[TURNS] = turns
    _note(state, play, plan, unit, steps, cost, q, r)
    return steps


@inlined
def _note(state: State, play: Play, plan: Plan, unit: int, steps: int, cost: int, q: int, r: int) -> None:
    """Write down what a way costs and where it ends."""
    plan.memo[COST], plan.memo[END_Q], plan.memo[END_R] = cost, q, r
    turns = steps > 0 and play.any_direction == 0
    plan.memo[END_FRONT] = plan.path[steps - 1] if turns else state.unit[unit, FRONT]


@inner
def retrace(state: State, play: Play, plan: Plan, unit: int, steps: int, reversal: int) -> None:
    """Write down what the first steps of the way in `plan.path` cost, and where they end."""
    q, r, front = int(state.unit[unit, Q]), int(state.unit[unit, R]), int(state.unit[unit, FRONT])
    turns = 0
    for k in range(steps):
        step = int(plan.path[k])
        if play.any_direction == 0 and turned(front, step) > play.free_rotation:
            turns += 1
        front = step
        q, r = q + STEP_Q[step], r + STEP_R[step]
    plan.memo[TURNS] = turns
    _note(state, play, plan, unit, steps, steps + turns * reversal, q, r)


@inlined
def reprice(plan: Plan, steps: int, reversal: int) -> None:
    """Write down what the way found last costs if a reversal costs so much."""
    plan.memo[COST] = steps + plan.memo[TURNS] * reversal


@inner
def cut(state: State, play: Play, plan: Plan, unit: int, steps: int, reversal: int) -> int:
    """Shorten the way found last until it ends where no other unit stands, and return its steps."""
    whole = steps
    q, r = int(plan.memo[END_Q]), int(plan.memo[END_R])
    while steps > 0 and marked(plan.taken, q, r):
        steps -= 1
        q, r = q - STEP_Q[plan.path[steps]], r - STEP_R[plan.path[steps]]
    if steps < whole:
        retrace(state, play, plan, unit, steps, reversal)
    return steps


@inlined
def front_after(play: Play, plan: Plan, wanted: int, allowance: int, reversal: int) -> int:
    """Return the front at the end of the way found last: the one that is wanted, or as near to it as can be paid."""
    front = int(plan.memo[END_FRONT])
    if turned(front, wanted) <= play.free_rotation or play.free_front == 1:
        return wanted
    if plan.memo[COST] + reversal <= allowance:
        return wanted
    way = 1 if (wanted - front) % 6 <= 3 else 5
    return int((front + way * play.free_rotation) % 6)
