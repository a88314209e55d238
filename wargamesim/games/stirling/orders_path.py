"""How a unit finds its way: greedily, hex by hex, out of enemy zones, and what that costs. Compiled.

A way is written into `plan.path`; what it cost and where it ends into `plan.memo`.
"""

from __future__ import annotations

from wargamesim.compiled import inlined, inner
from wargamesim.games.stirling.hexes import distance, has_zone, on_board, turned
from wargamesim.games.stirling.layout import (
    FRONT,
    MOST_STEPS,
    MOV,
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
COST, END_Q, END_R, END_FRONT = range(4)

# Farther than any hex of a board, and than the square of any distance.
FAR = 1_000
BEYOND = 1 << 16
# Steps that bring a unit no nearer before it gives up going round an obstacle.
MOST_SLIDES = 8

# What a hex is to a unit that wants to step on it.
OPEN, ZONE, ENEMY = range(3)


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
def clearance(state: State, play: Play, side: int, q: int, r: int, ignored: int) -> int:
    """Return how many steps from a hex certainly meet no enemy and none of his zones."""
    least = FAR
    for other in range(state.count):
        row = state.unit[other]
        if row[SIDE] != side and row[STATUS] <= ROUTED and other != ignored:
            least = min(least, distance(row[Q], row[R], q, r))
    return int(least - play.zone - 1)


@inner
def found_in(state: State, play: Play, side: int, q: int, r: int, ignored: int) -> int:
    """Return whether a hex is open, in a zone of an enemy, or an enemy's own."""
    found = OPEN
    for other in range(state.count):
        row = state.unit[other]
        if row[SIDE] != side and row[STATUS] <= ROUTED and other != ignored:
            away = distance(row[Q], row[R], q, r)
            if away == 0:
                return ENEMY
            if away <= play.zone and has_zone(state, play, other):
                found = ZONE
    return found


@inner
def is_taken(state: State, unit: int, q: int, r: int) -> bool:
    """Tell whether another unit of either side is in a hex."""
    for other in range(state.count):
        row = state.unit[other]
        if row[Q] == q and row[R] == r and row[STATUS] <= ROUTED and other != unit:
            return True
    return False


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
    ignored: int,
) -> int:
    """Walk toward a hex and return the steps made; what they cost and where they end is in the memo.

    The way ends `stop_at` hexes before the goal, or when nothing leads nearer within the allowance. It keeps out of
    enemy zones; with `into` its goal may be in one. The enemy `ignored` (-1: none) is as good as off the board.
    """
    side, front = state.unit[unit, SIDE], int(state.unit[unit, FRONT])
    q, r = int(state.unit[unit, Q]), int(state.unit[unit, R])
    cost = steps = slides = 0
    came = -1
    away = distance(q, r, to_q, to_r)
    safe = clearance(state, play, side, q, r, ignored)
    zoned = safe < 0 and found_in(state, play, side, q, r, ignored) == ZONE
    while away > stop_at and steps < MOST_STEPS:
        best, best_key = -1, 1 << 30
        # On a straight line one hexside leads nearer, elsewhere two.
        candidates = 1 if q == to_q or r == to_r or q + r == to_q + to_r else 2
        # In an order that turns with the unit, so that a battle turned round is the same battle.
        for offset in (0, 1, 5, 2, 4, 3):
            step = (front + offset) % 6
            on_q, on_r = q + STEP_Q[step], r + STEP_R[step]
            nearer = away - distance(on_q, on_r, to_q, to_r)
            if nearer < 0 or (nearer == 0 and (slides >= MOST_SLIDES or step == came)):
                continue
            turns = play.any_direction == 0 and turned(front, step) > play.free_rotation
            # Nearer first, then without a reversal, then along the straight line.
            key = (2 * (1 - nearer) + (1 if turns else 0)) * BEYOND + square(on_q, on_r, to_q, to_r)
            price = 1 + (reversal if turns else 0)
            if key >= best_key or cost + price > allowance or not on_board(state, on_q, on_r):
                continue
            if safe <= 0:
                found = found_in(state, play, side, on_q, on_r, ignored)
                is_goal = into == 1 and on_q == to_q and on_r == to_r
                if found == ENEMY or (found == ZONE and (zoned or not is_goal)):
                    continue
            best, best_key = step, key
            candidates -= nearer
            if candidates == 0:
                break
        if best < 0:
            break
        if play.any_direction == 0:
            cost += reversal if turned(front, best) > play.free_rotation else 0
        cost += 1
        front, came = best, (best + 3) % 6
        q, r = q + STEP_Q[best], r + STEP_R[best]
        plan.path[steps] = best
        steps += 1
        left = distance(q, r, to_q, to_r)
        slides += 1 if left == away else 0
        away, zoned = left, False
        safe -= 1
        if safe <= 0 and away > stop_at:
            safe = clearance(state, play, side, q, r, ignored)
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
    cost = 0
    for k in range(steps):
        step = int(plan.path[k])
        if play.any_direction == 0:
            cost += reversal if turned(front, step) > play.free_rotation else 0
        cost += 1
        front = step
        q, r = q + STEP_Q[step], r + STEP_R[step]
    _note(state, play, plan, unit, steps, cost, q, r)


@inner
def cut(state: State, play: Play, plan: Plan, unit: int, steps: int, reversal: int) -> int:
    """Shorten the way found last until it ends where no other unit stands, and return its steps."""
    whole = steps
    q, r = int(plan.memo[END_Q]), int(plan.memo[END_R])
    while steps > 0 and is_taken(state, unit, q, r):
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
