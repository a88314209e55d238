"""How a player shoots: which target, which die for the cannon, when and where a stake goes. Compiled."""

from __future__ import annotations

from wargamesim.bits import NONE, bit
from wargamesim.compiled import inlined, inner
from wargamesim.games.azincourt.division import neighbour
from wargamesim.games.azincourt.doctrine import MOST_VALUABLE, MOUNTED_FIRST, DoctrineRecord
from wargamesim.games.azincourt.layout import (
    ALIVE,
    BY_ENGLISH,
    BY_FRENCH,
    COL,
    FACING,
    KIND,
    ROW,
    SIDE,
    STAKE,
    STAKES,
    WOOD,
    State,
)
from wargamesim.games.azincourt.plan import CAVALRY_NEAR, IN_RANGE, Plan
from wargamesim.games.azincourt.rules import ENGLISH, SOUTH, RulesRecord
from wargamesim.games.azincourt.sight import expected_gain, king_distance, may_name, targets
from wargamesim.games.azincourt.state import is_mounted

# More than any distance on a board, so that a preference goes before nearness.
FAR = 100


@inner
def best_target(state: State, rules: RulesRecord, doctrine: DoctrineRecord, plan: Plan, piece: int) -> int:
    """Return whom an archer or crossbow shoots, or -1 if it sees nobody."""
    row, col = state.pieces[ROW, piece], state.pieces[COL, piece]
    if plan.zones[IN_RANGE, row] & bit(col) == NONE:
        return -1
    best, best_worth = -1, -FAR
    for i in range(targets(state, rules, plan, piece)):
        other = plan.found[i]
        worth = -king_distance(row, col, state.pieces[ROW, other], state.pieces[COL, other])
        if doctrine.target == MOUNTED_FIRST and is_mounted(state, other):
            worth += FAR
        elif doctrine.target == MOST_VALUABLE:
            worth += FAR * rules.value[state.pieces[KIND, other]]
        if worth > best_worth or (worth == best_worth and other < best):
            best, best_worth = other, worth
    return best


@inner
def best_shot(
    state: State, rules: RulesRecord, doctrine: DoctrineRecord, cannon: int, facing: int
) -> tuple[float, int, int, int]:
    """Return the best shot of a cannon that has this facing: gain, row, column, dice; the gain is 0 if none is good."""
    row, col = state.pieces[ROW, cannon], state.pieces[COL, cannon]
    best, best_row, best_col, best_dice = 0.0, -1, -1, 0
    for other in range(state.count):
        if state.pieces[ALIVE, other] == 0 or state.pieces[SIDE, other] == state.pieces[SIDE, cannon]:
            continue
        to_row, to_col = state.pieces[ROW, other], state.pieces[COL, other]
        if not may_name(state, rules, cannon, facing, to_row, to_col):
            continue
        far = king_distance(row, col, to_row, to_col) >= doctrine.two_dice_from
        for dice in range(1, (rules.cannon_dice if far else 1) + 1):
            gain = expected_gain(state, rules, cannon, to_row, to_col, dice, doctrine.friend_weight)
            if gain > best:
                best, best_row, best_col, best_dice = gain, to_row, to_col, dice
    return best, best_row, best_col, best_dice


@inner
def best_facing(state: State, rules: RulesRecord, doctrine: DoctrineRecord, cannon: int) -> int:
    """Return the other facing from which a cannon would shoot best where it stands, or -1 if none promises anything."""
    best, best_gain = -1, 0.0
    for turn in range(8):
        # From straight ahead, turning east: the same for both sides in the mirror.
        facing = turn if state.pieces[SIDE, cannon] == ENGLISH else (SOUTH - turn) % 8
        if facing != state.pieces[FACING, cannon]:
            gain = best_shot(state, rules, doctrine, cannon, facing)[0]
            if gain > best_gain:
                best, best_gain = facing, gain
    return best


@inlined
def forward(side: int) -> int:
    """Return the step of rows toward the enemy's edge."""
    return -1 if side == 0 else 1


@inner
def wants_stake(state: State, doctrine: DoctrineRecord, plan: Plan, piece: int, row: int, col: int) -> bool:
    """Tell whether a piece that stands on (or moves to) this square plants its stake in front of it."""
    if state.pieces[STAKES, piece] == 0 or doctrine.plant_distance == 0:
        return False
    if plan.zones[CAVALRY_NEAR, row] & bit(col) == NONE or col % doctrine.plant_spacing != 0:
        return False
    front = row + forward(state.pieces[SIDE, piece])
    if front < 0 or front >= state.height:
        return False
    closed = state.rows[BY_ENGLISH, front] | state.rows[BY_FRENCH, front] | state.rows[STAKE, front]
    return (closed | state.rows[WOOD, front]) & bit(col) == NONE


@inner
def has_enemy_beside(state: State, piece: int) -> bool:
    """Tell whether an enemy stands on a neighbouring square."""
    for step in range(8):
        if neighbour(state, piece, step, 1 - state.pieces[SIDE, piece]) >= 0:
            return True
    return False
