"""Whom a piece may shoot: lines of fire over bitboards, compiled (AZ-4, AZ-5). The referee never sees this.

A shortest king's path between two squares takes one step on the longer axis at a time, so all squares that can be
seen upward, say, come from spreading one word a row while dropping the squares that block.
"""

from __future__ import annotations

import math

import numpy as np

from wargamesim.bits import NONE, ONE, bit, lowest, spread
from wargamesim.compiled import compiled, inlined, inner
from wargamesim.games.azincourt.layout import (
    ALIVE,
    BY_ENGLISH,
    BY_FRENCH,
    CASTLE,
    COL,
    KIND,
    MOUNTAIN,
    ROW,
    SIDE,
    STAKE,
    WOOD,
    State,
)
from wargamesim.games.azincourt.rules import CANNON, STEPS, RulesRecord
from wargamesim.games.azincourt.state import has

# The memory of `plan`.
Plan = np.record


@inlined
def king_distance(row: int, col: int, to_row: int, to_col: int) -> int:
    """Return the number of king's steps between two squares (AZ-4.1)."""
    return max(abs(to_row - row), abs(to_col - col))


@inlined
def on_line(start: int, end: int, step: int, steps: int) -> int:
    """Return the coordinate at a step of the straight line; halves round away from the start (AZ-4.6, AZ-5.7)."""
    gap = abs(end - start)
    moved = (2 * step * gap + steps) // (2 * steps)
    return start + moved if end >= start else start - moved


@inlined
def _plane(state: State, by_row: bool, plane: int, line: int) -> np.uint64:
    return state.rows[plane, line] if by_row else state.cols[plane, line]


@inlined
def _blocked(state: State, rules: RulesRecord, by_row: bool, line: int) -> np.uint64:
    """Return what stops an arrow in one row or column (AZ-4.6, AZ-4.7, AZ-4.10)."""
    pieces = _plane(state, by_row, BY_ENGLISH, line) | _plane(state, by_row, BY_FRENCH, line)
    word = pieces | _plane(state, by_row, MOUNTAIN, line)
    if rules.woods_block == 1:
        word |= _plane(state, by_row, WOOD, line)
    if rules.stakes_block == 1:
        word |= _plane(state, by_row, STAKE, line)
    return word


@compiled
def targets(state: State, rules: RulesRecord, plan: Plan, piece: int) -> int:
    """Find the pieces at which a living archer or crossbow may shoot: fills `plan.found`, returns how many."""
    return targets_from(state, rules, plan, piece, int(state.pieces[ROW, piece]), int(state.pieces[COL, piece]))


@inner
def targets_from(state: State, rules: RulesRecord, plan: Plan, piece: int, row: int, col: int) -> int:
    """Find the pieces at which it could shoot from this square; where it stands now still blocks."""
    if rules.straight == 1:
        return _straight_targets(state, rules, plan, piece, row, col)
    n = 0
    for way in range(4):
        n = _look(state, rules, plan, piece, row, col, 1 - 2 * (way // 2), way % 2 == 0, n)
    return n


@inner
def _look(
    state: State, rules: RulesRecord, plan: Plan, piece: int, row: int, col: int, step: int, by_row: bool, n: int
) -> int:
    """Look one way along the rows (or the columns), and add the targets seen to the n found."""
    line, place, lines, last = row, col, state.height, state.width
    if not by_row:
        line, place, lines, last = place, line, last, lines
    enemy = 1 - state.pieces[SIDE, piece]
    whole = bit(last) - ONE
    seen = bit(place)
    for distance in range(1, rules.reach[state.pieces[KIND, piece]] + 1):
        line += step
        if line < 0 or line >= lines:
            break
        seen = spread(seen) & whole
        hit = seen & _plane(state, by_row, enemy, line)
        if not by_row:
            # The exact diagonals belong to the look along the rows.
            if place - distance >= 0:
                hit &= ~bit(place - distance)
            if place + distance < last:
                hit &= ~bit(place + distance)
        while hit != NONE:
            other = lowest(hit)
            hit &= hit - ONE
            to_row, to_col = (line, other) if by_row else (other, line)
            if _may_be_shot(state, rules, to_row, to_col):
                plan.found[n] = state.at[to_row, to_col]
                n += 1
        seen &= ~_blocked(state, rules, by_row, line)
        if seen == NONE:
            break
    return n


@inner
def views(state: State, rules: RulesRecord, plan: Plan, side: int, reach: int, zone: int) -> None:
    """Add to an empty zone of the plan the squares from which the side's shooters would see an enemy within reach.

    Looking is the same both ways: from every enemy outward. Along straight lines it finds some squares too many.
    """
    for piece in range(state.count):
        if state.pieces[SIDE, piece] == side or state.pieces[ALIVE, piece] == 0:
            continue
        if _may_be_shot(state, rules, state.pieces[ROW, piece], state.pieces[COL, piece]):
            for way in range(4):
                _mark_view(state, rules, plan, piece, reach, 1 - 2 * (way // 2), way % 2 == 0, zone)


@inner
def _mark_view(
    state: State, rules: RulesRecord, plan: Plan, piece: int, reach: int, step: int, by_row: bool, zone: int
) -> None:
    line, place = state.pieces[ROW, piece], state.pieces[COL, piece]
    lines, last = state.height, state.width
    if not by_row:
        line, place, lines, last = place, line, last, lines
    whole = bit(last) - ONE
    seen = bit(place)
    for _ in range(reach):
        line += step
        if line < 0 or line >= lines or seen == NONE:
            break
        seen = spread(seen) & whole
        if by_row:
            plan.zones[zone, line] |= seen
        else:
            marked = seen
            while marked != NONE:
                plan.zones[zone, lowest(marked)] |= bit(line)
                marked &= marked - ONE
        seen &= ~_blocked(state, rules, by_row, line)


@inlined
def _may_be_shot(state: State, rules: RulesRecord, row: int, col: int) -> bool:
    """Tell whether arrows can hurt the piece on a square (AZ-4.8, AZ-4.9)."""
    if has(state, CASTLE, row, col):
        return False
    return rules.cannon_immune == 0 or state.pieces[KIND, state.at[row, col]] != CANNON


@inner
def _straight_targets(state: State, rules: RulesRecord, plan: Plan, piece: int, row: int, col: int) -> int:
    side = state.pieces[SIDE, piece]
    reach = rules.reach[state.pieces[KIND, piece]]
    n = 0
    for r in range(max(0, row - reach), min(state.height, row + reach + 1)):
        for c in range(max(0, col - reach), min(state.width, col + reach + 1)):
            other = state.at[r, c]
            if other < 0 or state.pieces[SIDE, other] == side or not _may_be_shot(state, rules, r, c):
                continue
            steps = king_distance(row, col, r, c)
            clear = True
            for step in range(1, steps):
                at_row, at_col = on_line(row, r, step, steps), on_line(col, c, step, steps)
                if (_blocked(state, rules, True, at_row) >> np.uint64(at_col)) & ONE != NONE:
                    clear = False
                    break
            if clear:
                plan.found[n] = other
                n += 1
    return n


@compiled
def may_name(state: State, rules: RulesRecord, cannon: int, facing: int, row: int, col: int) -> bool:
    """Tell whether a cannon with this facing may name the square as its target (AZ-5.1, AZ-5.7)."""
    down, right = row - state.pieces[ROW, cannon], col - state.pieces[COL, cannon]
    distance = max(abs(down), abs(right))
    if distance < 1 or distance > rules.reach[CANNON]:
        return False
    step_down, step_right = STEPS[facing, 0], STEPS[facing, 1]
    if rules.sector == 0:
        return down == distance * step_down and right == distance * step_right
    across, along = step_down * right - step_right * down, step_down * down + step_right * right
    return abs(math.degrees(math.atan2(across, along))) <= rules.half_angle + 1e-9


@compiled
def square_reached(state: State, rules: RulesRecord, cannon: int, row: int, col: int, total: int) -> tuple[int, int]:
    """Return where a shot at the named square lands with this sum of dice, or (-1, -1) (AZ-5.1, AZ-5.2, AZ-5.7)."""
    from_row, from_col = state.pieces[ROW, cannon], state.pieces[COL, cannon]
    steps = king_distance(from_row, from_col, row, col)
    if rules.hit_if_at_least == 1:
        return (row, col) if total >= steps else (-1, -1)
    if total > rules.reach[CANNON]:
        return -1, -1
    r, c = on_line(from_row, row, total, steps), on_line(from_col, col, total, steps)
    if r < 0 or c < 0 or r >= state.height or c >= state.width:
        return -1, -1
    return r, c


@inner
def blast_losses(state: State, rules: RulesRecord, row: int, col: int) -> tuple[int, int]:
    """Count the English and French pieces that a shot on this square removes (AZ-5.3, AZ-5.4)."""
    english = french = 0
    if row < 0 or state.at[row, col] < 0:
        return 0, 0
    for r in range(max(0, row - rules.blast), min(state.height, row + rules.blast + 1)):
        for c in range(max(0, col - rules.blast), min(state.width, col + rules.blast + 1)):
            other = state.at[r, c]
            if other >= 0 and not has(state, CASTLE, r, c):
                if state.pieces[SIDE, other] == 0:
                    english += 1
                else:
                    french += 1
    return english, french


@inner
def expected_gain(state: State, rules: RulesRecord, cannon: int, row: int, col: int, dice: int, weight: float) -> float:
    """Return the enemies removed on average less `weight` times the friends, for a shot at the named square."""
    side = state.pieces[SIDE, cannon]
    gain = 0.0
    for total in range(dice, dice * rules.cannon_die + 1):
        r, c = square_reached(state, rules, cannon, row, col, total)
        english, french = blast_losses(state, rules, r, c)
        friends, enemies = (english, french) if side == 0 else (french, english)
        gain += rules.shot[dice, total] * (enemies - weight * friends)
    return gain
