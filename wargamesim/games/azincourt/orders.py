"""A side's turn as its player gives it: who acts next and what it does, and how the fights are divided.

Both implementations of the rules call these functions; the referee checks that what they propose is legal.

An action is eight integers: WHAT, piece, row, column, facing, stake row, stake column, dice.

======== ==================================================================================================
WHAT     meaning of the rest
======== ==================================================================================================
STAY     nothing
MOVE     to (row, column), a cannon with its new facing (a turn in place moves to its own square);
         an archer may plant a stake at the end of the move: (stake row, stake column), -1 if none
SHOOT    an arrow at the enemy piece on (row, column)
FIRE     a cannon at the named square (row, column) with so many dice
DISMOUNT the mounted piece becomes its dismounted version
PLANT    a stake on (stake row, stake column), instead of moving and shooting
======== ==================================================================================================
"""

from __future__ import annotations

from wargamesim.compiled import compiled, inlined, inner
from wargamesim.games.azincourt.division import divide_fights
from wargamesim.games.azincourt.doctrine import DoctrineRecord
from wargamesim.games.azincourt.layout import ALIVE, COL, DISMOUNTS, FACING, KIND, ROW, State
from wargamesim.games.azincourt.marching import march, walk
from wargamesim.games.azincourt.plan import (
    CURSOR,
    END,
    FIRST,
    MARCHERS,
    OWNER,
    PHASE,
    Plan,
    is_shooter,
    survey,
)
from wargamesim.games.azincourt.reach import start_speed
from wargamesim.games.azincourt.rules import CANNON, RulesRecord
from wargamesim.games.azincourt.shooting import (
    best_facing,
    best_shot,
    best_target,
    forward,
    has_enemy_beside,
    wants_stake,
)

STAY, MOVE, SHOOT, FIRE, DISMOUNT, PLANT = range(6)
WHAT, PIECE, TO_ROW, TO_COL, TO_FACING, STAKE_ROW, STAKE_COL, DICE = range(8)

# The order in which a side acts: shots that may open a gap, stakes, those who march and charge, shooters who walk; and
# shots again, where those who moved have opened a view.
SHOOTING, PLANTING, MARCHING, WALKING, LAST_SHOTS, DONE = range(6)


@compiled
def begin(state: State, rules: RulesRecord, doctrine: DoctrineRecord, plan: Plan, side: int, turn: int) -> None:
    """Start a side's turn; `turn` counts the turns of both sides from 1."""
    survey(state, rules, doctrine, plan, side, turn)
    plan.memo[PHASE], plan.memo[CURSOR] = SHOOTING, plan.memo[FIRST]


@compiled
def propose(state: State, rules: RulesRecord, doctrine: DoctrineRecord, plan: Plan) -> bool:
    """Put the side's next action into `plan.action`; return False when nobody wants to act any more.

    The caller carries the action out before it asks again.
    """
    memo = plan.memo
    while memo[PHASE] != DONE:
        marching = memo[PHASE] == MARCHING
        if memo[CURSOR] >= (memo[MARCHERS] if marching else memo[END]):
            memo[PHASE] += 1
            memo[CURSOR] = 0 if memo[PHASE] == MARCHING else memo[FIRST]
            continue
        piece = plan.marchers[memo[CURSOR]] if marching else memo[CURSOR]
        memo[CURSOR] += 1
        if plan.acted[piece] == 1 or state.pieces[ALIVE, piece] == 0:
            continue
        for field in range(len(plan.action)):
            plan.action[field] = -1
        plan.action[PIECE] = piece
        if _act(state, rules, doctrine, plan, piece):
            plan.acted[piece] = 1
            return True
    return False


@compiled
def divide(state: State, rules: RulesRecord, plan: Plan) -> int:
    """Divide the close combats of the side that has just acted; fills `plan.fight_of`, returns how many fights."""
    return divide_fights(state, rules, plan, plan.memo[OWNER])


@inner
def _act(state: State, rules: RulesRecord, doctrine: DoctrineRecord, plan: Plan, piece: int) -> bool:
    """Fill in what a piece does in the present phase, if anything."""
    phase = plan.memo[PHASE]
    row, col = state.pieces[ROW, piece], state.pieces[COL, piece]
    cannon, shooter = state.pieces[KIND, piece] == CANNON, is_shooter(state, piece)
    if phase == SHOOTING:
        if cannon:
            return _fire(state, rules, doctrine, plan, piece)
        if shooter and not _plants_here(state, doctrine, plan, piece):
            return _shoot(state, rules, doctrine, plan, piece)
    elif phase == PLANTING:
        if shooter and _plants_here(state, doctrine, plan, piece):
            plan.action[WHAT] = PLANT
            plan.action[STAKE_ROW], plan.action[STAKE_COL] = row + forward(plan.memo[OWNER]), col
            return True
    elif shooter and rules.shoot_first == 0 and _shoot(state, rules, doctrine, plan, piece):
        # A friend who has moved has opened the view.
        return True
    elif phase == MARCHING:
        return _march(state, rules, doctrine, plan, piece)
    elif phase == WALKING and cannon:
        return _move_cannon(state, rules, doctrine, plan, piece)
    elif phase == WALKING and shooter:
        return _walk(state, rules, doctrine, plan, piece)
    return False


@inlined
def _plants_here(state: State, doctrine: DoctrineRecord, plan: Plan, piece: int) -> bool:
    row, col = state.pieces[ROW, piece], state.pieces[COL, piece]
    return wants_stake(state, doctrine, plan, piece, row, col) and not has_enemy_beside(state, piece)


@inlined
def _shoot(state: State, rules: RulesRecord, doctrine: DoctrineRecord, plan: Plan, piece: int) -> bool:
    target = best_target(state, rules, doctrine, plan, piece)
    if target < 0:
        return False
    plan.action[WHAT] = SHOOT
    plan.action[TO_ROW], plan.action[TO_COL] = state.pieces[ROW, target], state.pieces[COL, target]
    return True


@inlined
def _fire(state: State, rules: RulesRecord, doctrine: DoctrineRecord, plan: Plan, piece: int) -> bool:
    gain, row, col, dice = best_shot(state, rules, doctrine, piece, int(state.pieces[FACING, piece]))
    if gain <= 0.0:
        return False
    plan.action[WHAT] = FIRE
    plan.action[TO_ROW], plan.action[TO_COL], plan.action[DICE] = row, col, dice
    return True


@inlined
def _may_move(state: State, rules: RulesRecord, piece: int) -> bool:
    """Tell whether the piece may leave its square (AZ-3.8)."""
    return rules.locked == 0 or not has_enemy_beside(state, piece)


@inlined
def _march(state: State, rules: RulesRecord, doctrine: DoctrineRecord, plan: Plan, piece: int) -> bool:
    slow = start_speed(state, rules, piece) <= doctrine.dismount_speed
    if slow and doctrine.dismount_speed > 0 and state.pieces[DISMOUNTS, piece] == 1:
        plan.action[WHAT] = DISMOUNT
        return True
    if not _may_move(state, rules, piece):
        return False
    row, col = march(state, rules, doctrine, plan, piece)
    if row < 0:
        return False
    plan.action[WHAT] = MOVE
    plan.action[TO_ROW], plan.action[TO_COL] = row, col
    return True


@inlined
def _walk(state: State, rules: RulesRecord, doctrine: DoctrineRecord, plan: Plan, piece: int) -> bool:
    if not _may_move(state, rules, piece):
        return False
    row, col = walk(state, rules, doctrine, plan, piece)
    if row < 0:
        return False
    plan.action[WHAT] = MOVE
    plan.action[TO_ROW], plan.action[TO_COL] = row, col
    if rules.plant_whole_action == 0 and wants_stake(state, doctrine, plan, piece, row, col):
        plan.action[STAKE_ROW], plan.action[STAKE_COL] = row + forward(plan.memo[OWNER]), col
    return True


@inlined
def _move_cannon(state: State, rules: RulesRecord, doctrine: DoctrineRecord, plan: Plan, piece: int) -> bool:
    """Turn a cannon toward the best shot, or push it forward while the army's shooters advance."""
    if not _may_move(state, rules, piece):
        return False
    plan.action[WHAT] = MOVE
    facing = best_facing(state, rules, doctrine, piece)
    if facing >= 0:
        plan.action[TO_ROW], plan.action[TO_COL] = state.pieces[ROW, piece], state.pieces[COL, piece]
        plan.action[TO_FACING] = facing
        return True
    row, col = walk(state, rules, doctrine, plan, piece)
    if row < 0:
        return False
    plan.action[TO_ROW], plan.action[TO_COL], plan.action[TO_FACING] = row, col, state.pieces[FACING, piece]
    return True
