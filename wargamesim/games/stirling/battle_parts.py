"""Units that become two, and two that become one. Compiled."""

from __future__ import annotations

from wargamesim.compiled import inlined
from wargamesim.games.stirling.battle_record import Battle, note, on_battle
from wargamesim.games.stirling.layout import (
    AC,
    BONUS,
    BONUS_L,
    BROKEN_TURN,
    CHARGING,
    CHARISMA,
    COMMANDER_GONE,
    DELAYED,
    DICE,
    DICE_L,
    ENGAGED,
    FAILED_MODIFIER,
    FIELDS,
    FIT,
    FLED,
    FRONT,
    GONE,
    HAS_STRUCK,
    HP,
    HURT,
    LEADER,
    LEADER_GONE,
    LEADER_MORALE,
    LEADER_TURN,
    LEFT,
    LENGTH,
    LOSS,
    MEN,
    MEN0,
    MERGED,
    MERGERS,
    MORALE,
    MOV,
    MOVED,
    NOBODY,
    RAN,
    RANGE_LONG,
    RANGE_MEDIUM,
    RANGE_SHORT,
    RATE_DEN,
    RATE_NUM,
    REACHED,
    REM,
    REMOVALS,
    ROUTED_TURN,
    RUNS,
    SHIELD,
    SHOT,
    SHOT_BONUS,
    SHOT_BONUS_L,
    SHOT_DICE,
    SHOT_DICE_L,
    SIDE,
    SPEED,
    SPLIT,
    SPLITS,
    STATUS,
    STEP_Q,
    STEP_R,
    STEPS_MADE,
    STRUCK_BACK,
    T_MERGED,
    T_MOVE,
    T_SPLIT,
    THAC0,
    TO_FRONT,
    TRAITS,
    Q,
    R,
    State,
)

ADDED = (MEN, MEN0, LEFT, LOSS, HURT, REM)
LARGER: tuple[int, ...] = (AC, THAC0, SPEED, STATUS, RAN, SHOT, FLED, STRUCK_BACK, HAS_STRUCK, ENGAGED)
LARGER += (ROUTED_TURN, BROKEN_TURN, LEADER_GONE, COMMANDER_GONE, REMOVALS, STEPS_MADE)
SMALLER = (HP, SHIELD, MOV, MORALE, LENGTH, RANGE_SHORT, RANGE_MEDIUM, RANGE_LONG, FAILED_MODIFIER)
# The three fields of each weapon's damage are neighbours.
DAMAGE = ((DICE, BONUS), (DICE_L, BONUS_L), (SHOT_DICE, SHOT_BONUS), (SHOT_DICE_L, SHOT_BONUS_L))
LED = (CHARISMA, LEADER, LEADER_MORALE, LEADER_TURN)


@on_battle(1)
def split(b: Battle, unit: int) -> None:
    """Make two units of one, the new one without a Leader and with a front of its own (SS-6.2)."""
    state, step = b.state, 2 * b.play.men_step
    new = state.count
    state.count = new + 1
    for field in range(FIELDS):
        state.unit[new, field] = state.unit[unit, field]
    men = state.unit[unit, MEN] // step * b.play.men_step
    # Where men are not whole tens the odd ones stay, and count as there from the start.
    men0 = min(state.unit[unit, MEN0] // step * b.play.men_step, state.unit[unit, MEN0] - state.unit[unit, MEN] + men)
    state.unit[new, MEN] = state.unit[new, LEFT] = men
    state.unit[new, MEN0] = men0
    state.unit[unit, MEN] -= men
    state.unit[unit, LEFT] = state.unit[unit, MEN]
    state.unit[unit, MEN0] -= men0
    state.unit[new, REM] = state.unit[new, LOSS] = state.unit[new, HURT] = 0
    state.unit[new, CHARISMA] = state.unit[new, LEADER_GONE] = 0
    state.unit[new, LEADER] = NOBODY
    state.unit[new, FRONT] = b.plan.action[TO_FRONT]
    if b.play.halves_apart == 1:
        state.unit[new, Q] += STEP_Q[b.plan.path[0]]
        state.unit[new, R] += STEP_R[b.plan.path[0]]
    state.tally[SPLITS + state.unit[unit, SIDE]] += 1
    q, r, front, delayed = (
        state.unit[unit, Q],
        state.unit[unit, R],
        state.unit[unit, FRONT],
        state.unit[unit, DELAYED],
    )
    note(b, T_MOVE, unit, SPLIT, q, r, front, 0, 0, -1, delayed, -1)
    note(b, T_SPLIT, unit, new, state.unit[unit, MEN], men, -1, -1, -1, -1, -1, -1)


@inlined
def _leads(state: State, unit: int) -> bool:
    return bool(state.unit[unit, LEADER] == FIT or state.unit[unit, LEADER] == RUNS)


@inlined
def _choose_leader(state: State, unit: int, other: int) -> None:
    """Leave the second unit with the Leader of both (SS-6.3)."""
    side = state.unit[unit, SIDE]
    commander = state.commander[side]
    ours, theirs = _leads(state, unit), _leads(state, other)
    takes = ours and (not theirs or state.unit[unit, CHARISMA] > state.unit[other, CHARISMA])
    if ours and commander == unit:
        takes = True
    elif theirs and commander == other:
        takes = False
    if takes:
        for field in LED:
            state.unit[other, field] = state.unit[unit, field]
    elif not theirs and state.unit[unit, LEADER] == GONE:
        state.unit[other, LEADER] = GONE
    if commander == unit:
        state.commander[side] = other


@inlined
def _twice_mean(state: State, unit: int, first: int) -> int:
    """Return twice the mean of the damage whose dice, sides and bonus begin at a field."""
    return int(state.unit[unit, first] * (state.unit[unit, first + 1] + 1) + 2 * state.unit[unit, first + 2])


@on_battle(2)
def merge(b: Battle, unit: int, other: int) -> None:
    """Have a unit join another, which has the worse of both in every respect from then on (SS-6.3, SS-1.6)."""
    state = b.state
    _choose_leader(state, unit, other)
    for field in ADDED:
        state.unit[other, field] += state.unit[unit, field]
    for field in LARGER:
        state.unit[other, field] = max(state.unit[other, field], state.unit[unit, field])
    for field in SMALLER:
        state.unit[other, field] = min(state.unit[other, field], state.unit[unit, field])
    for first, last in DAMAGE:
        if _twice_mean(state, unit, first) < _twice_mean(state, other, first):
            for field in range(first, last + 1):
                state.unit[other, field] = state.unit[unit, field]
    ours = state.unit[unit, RATE_NUM] * state.unit[other, RATE_DEN]
    if ours < state.unit[other, RATE_NUM] * state.unit[unit, RATE_DEN]:
        state.unit[other, RATE_NUM], state.unit[other, RATE_DEN] = (
            state.unit[unit, RATE_NUM],
            state.unit[unit, RATE_DEN],
        )
    state.unit[other, TRAITS] &= state.unit[unit, TRAITS]
    state.unit[other, REACHED] |= state.unit[unit, REACHED]
    state.unit[other, MOVED] = 1
    state.unit[other, CHARGING] = state.unit[other, DELAYED] = 0
    state.unit[unit, STATUS] = MERGED
    state.tally[MERGERS + state.unit[other, SIDE]] += 1
    men, men0, charisma = state.unit[other, MEN], state.unit[other, MEN0], state.unit[other, CHARISMA]
    note(b, T_MERGED, unit, other, men, men0, charisma, -1, -1, -1, -1, -1)
