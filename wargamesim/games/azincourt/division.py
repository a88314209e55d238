"""How the attacker divides close combat into fights (AZ-6.5): a maximum matching, then the rest joins where it tells.

A largest matching of attackers and defenders in contact gives one fight a pair. Whoever is left over joins the fight
of a neighbour; since no longer matching exists, no fight then has several pieces on both sides.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from wargamesim.bits import NONE, ONE, lowest, spread
from wargamesim.compiled import inlined, inner
from wargamesim.games.azincourt.layout import CASTLE, COL, HOUSE, KIND, ROW, State
from wargamesim.games.azincourt.rules import ENGLISH, FRENCH, STEPS, RulesRecord
from wargamesim.games.azincourt.state import has, is_mounted

Pieces = npt.NDArray[np.int16]

# The memory of `plan`.
Plan = np.record


@inlined
def defence_value(state: State, rules: RulesRecord, piece: int) -> int:
    """Return the value of a piece that is attacked where it stands (AZ-6.7)."""
    value = rules.value[state.pieces[KIND, piece]]
    if is_mounted(state, piece):
        return value
    row, col = state.pieces[ROW, piece], state.pieces[COL, piece]
    if has(state, HOUSE, row, col):
        value += rules.house_bonus
    if has(state, CASTLE, row, col):
        value += rules.castle_bonus
    return value


@inlined
def chance(rules: RulesRecord, difference: int) -> float:
    """Return the chance that the attacker wins on foot with this difference of values."""
    die = rules.melee_die
    return rules.duel[min(max(difference, -die), die) + die]


@inlined
def neighbour(state: State, piece: int, step: int, side: int) -> int:
    """Return the piece of the given side one step away, or -1; step 0 is toward that side's own edge."""
    down = STEPS[step, 0] if side == FRENCH else -STEPS[step, 0]
    row, col = state.pieces[ROW, piece] + down, state.pieces[COL, piece] + STEPS[step, 1]
    if row < 0 or col < 0 or row >= state.height or col >= state.width:
        return -1
    other = state.at[row, col]
    return other if other >= 0 and (state.rows[side, row] >> np.uint64(col)) & ONE != NONE else -1


@inner
def in_contact(state: State, side: int, found: Pieces) -> int:
    """List the pieces of a side that have an enemy on a neighbouring square, front rows first; return how many."""
    enemy, rows, n = 1 - side, state.height, 0
    for i in range(rows):
        row = i if side == ENGLISH else rows - 1 - i
        own = state.rows[side, row]
        if own == NONE:
            continue
        near = state.rows[enemy, row]
        if row > 0:
            near |= state.rows[enemy, row - 1]
        if row + 1 < rows:
            near |= state.rows[enemy, row + 1]
        own &= spread(near)
        while own != NONE:
            found[n] = state.at[row, lowest(own)]
            own &= own - ONE
            n += 1
    return n


@inner
def divide_fights(state: State, rules: RulesRecord, plan: Plan, side: int) -> int:
    """Divide the close combats of a side's turn: fills `plan.fight_of`, returns how many fights there are."""
    fight_of, scratch = plan.fight_of, plan.scratch
    attackers, mate, before, queue, total = scratch[0], scratch[1], scratch[2], scratch[3], scratch[4]
    n = in_contact(state, side, attackers)
    for piece in range(state.count):
        fight_of[piece] = mate[piece] = -1
    if n == 0:
        return 0
    for i in range(n):
        _pair_with_best(state, rules, attackers[i], 1 - side, mate)
    for i in range(n):
        if mate[attackers[i]] < 0:
            _lengthen(state, attackers[i], 1 - side, mate, before, queue)

    fights = 0
    for i in range(n):
        attacker = attackers[i]
        if mate[attacker] >= 0:
            defender = mate[attacker]
            fight_of[attacker] = fight_of[defender] = fights
            total[fights] = rules.value[state.pieces[KIND, attacker]] - defence_value(state, rules, defender)
            fights += 1
    for i in range(n):
        if fight_of[attackers[i]] < 0:
            value = rules.value[state.pieces[KIND, attackers[i]]]
            _join(state, rules, attackers[i], 1 - side, value, fight_of, mate, total)
    defenders = queue
    n = in_contact(state, 1 - side, defenders)
    for i in range(n):
        if fight_of[defenders[i]] < 0:
            _join(state, rules, defenders[i], side, -defence_value(state, rules, defenders[i]), fight_of, mate, total)
    return fights


@inlined
def _pair_with_best(state: State, rules: RulesRecord, attacker: int, enemy: int, mate: Pieces) -> None:
    """Pair an attacker with the free neighbour against whom its chance is best."""
    best, best_chance = -1, -1.0
    for step in range(8):
        other = neighbour(state, attacker, step, enemy)
        if other >= 0 and mate[other] < 0:
            odds = chance(rules, rules.value[state.pieces[KIND, attacker]] - defence_value(state, rules, other))
            if odds > best_chance:
                best, best_chance = other, odds
    if best >= 0:
        mate[attacker], mate[best] = best, attacker


@inner
def _lengthen(state: State, start: int, enemy: int, mate: Pieces, before: Pieces, queue: Pieces) -> None:
    """Find an alternating path from a free attacker to a free defender and swap the pairs along it (Berge 1957)."""
    for piece in range(state.count):
        before[piece] = -1
    queue[0] = start
    head, tail = 0, 1
    while head < tail:
        attacker = queue[head]
        head += 1
        for step in range(8):
            other = neighbour(state, attacker, step, enemy)
            if other < 0 or before[other] >= 0:
                continue
            before[other] = attacker
            if mate[other] >= 0:
                queue[tail] = mate[other]
                tail += 1
                continue
            while other >= 0:
                attacker = before[other]
                following = mate[attacker]
                mate[attacker], mate[other] = other, attacker
                other = following
            return


@inlined
def _join(
    state: State, rules: RulesRecord, piece: int, enemy: int, value: int, fight_of: Pieces, mate: Pieces, total: Pieces
) -> None:
    """Put a piece that is left over into the neighbouring fight where that is best for the attacker.

    `value` is positive for an attacker and negative for a defender.
    """
    best, best_change = -1, -2.0
    for step in range(8):
        other = neighbour(state, piece, step, enemy)
        if other >= 0 and mate[other] >= 0:
            fight = fight_of[other]
            change = chance(rules, total[fight] + value) - chance(rules, total[fight])
            if change > best_change:
                best, best_change = fight, change
    fight_of[piece] = best
    total[best] += value
