"""Phase D of the kernel: tactical moves, merging, dividing, reinforcing; and the turns the sides take."""

from __future__ import annotations

from numba import types

from wargamesim.bits import NONE, ONE, lowest
from wargamesim.games.coloniale import orders
from wargamesim.games.coloniale.battle_fire import fire
from wargamesim.games.coloniale.battle_march import march
from wargamesim.games.coloniale.battle_record import (
    Battle,
    copy_unit,
    note,
    on_battle,
    option,
    plays,
    thousandths,
    who_begins,
)
from wargamesim.games.coloniale.layout import (
    ACTION,
    ARM,
    BATTERY,
    CAVALRY,
    COUNT,
    DISC,
    DISC0,
    FANATIC,
    FIG,
    FIG0,
    FORT,
    INFANTRY,
    MARCHED,
    MARKERS,
    MERGE,
    MERGED,
    MERGERS,
    MOVE,
    NOBODY,
    NODE,
    PHASE_B,
    PHASE_D,
    QUALITY,
    REINFORCE,
    REINFORCEMENTS,
    RIFLES,
    SIDE,
    SPLIT,
    SPLITS,
    STATUS,
    STAY,
    T_MOVE,
    TARGET,
    VETERAN,
    WHAT,
    X,
    Y,
)
from wargamesim.games.coloniale.sight import near
from wargamesim.games.coloniale.whereabouts import appears, in_play, joins, leaves

FIRE_DICE = option("suppression", "fire_dice")
SURPLUS_LOST = option("too_large", "surplus_lost")
BOTH_ACT, SENDER_ACTS = option("free_action", "both"), option("free_action", "sender_only")
QUALITY_TOO = option("kind", "arm_or_quality")


@on_battle(2, types.int64)
def _next(b: Battle, phase: int, side: int) -> int:
    """Return the side's next unit that can do something in this phase, or -1."""
    state, play = b.state, b.play
    while b.waiting[side] != NONE:
        unit = lowest(b.waiting[side])
        b.waiting[side] &= b.waiting[side] - ONE
        row = state.unit[unit]
        if row[ACTION] == 1 or not plays(b, unit):
            continue
        if phase == PHASE_B:
            held = row[MARKERS] if play.suppression == FIRE_DICE else 0
            if row[ARM] == BATTERY or (row[RIFLES] == 1 and min(row[FIG], play.rifle_dice) > held):
                return unit
        elif phase == PHASE_D:
            return unit
        elif row[MARCHED] == 0:
            x, y = state.place[unit, X], state.place[unit, Y]
            if near(state, b.units[1 - side], x, y, float(play.margin)) == NONE:
                return unit
    return -1


@on_battle(2, types.int64)
def _limited(b: Battle, figures: int, arm: int) -> int:
    """Return the figures of a battalion that has grown: those too many may be lost (CO-P22)."""
    if b.play.too_large == SURPLUS_LOST:
        return int(min(figures, b.play.most_figures[arm]))
    return figures


@on_battle(2)
def _merge(b: Battle, unit: int, other: int) -> None:
    """Put a battalion into another one (CO-6.3, CO-6.3c, CO-P22, CO-P24)."""
    play, gone, row = b.play, b.state.unit[unit], b.state.unit[other]
    mixed = gone[ARM] != row[ARM] or (play.kind == QUALITY_TOO and gone[QUALITY] != row[QUALITY])
    row[DISC] = min(row[DISC], gone[DISC])
    if mixed:
        row[DISC] = max(row[DISC] - play.mixed_drop, play.lowest)
    row[ARM] = CAVALRY if gone[ARM] == CAVALRY and row[ARM] == CAVALRY else INFANTRY
    row[FIG] = _limited(b, row[FIG] + gone[FIG], row[ARM])
    row[FIG0] += gone[FIG0]
    row[DISC0] = min(row[DISC0], gone[DISC0])
    row[MARKERS] = max(row[MARKERS], gone[MARKERS])
    row[QUALITY] = min(row[QUALITY], gone[QUALITY])
    row[RIFLES] = min(row[RIFLES], gone[RIFLES])
    row[VETERAN] = min(row[VETERAN], gone[VETERAN])
    row[FANATIC] = min(row[FANATIC], gone[FANATIC])
    row[ACTION] = 1
    gone[STATUS], gone[FORT], gone[FIG] = MERGED, 0, 0
    leaves(b.state, unit)
    b.state.tally[MERGERS + row[SIDE]] += 1


@on_battle(1)
def _do(b: Battle, unit: int) -> None:
    state, play, plan, row, place = b.state, b.play, b.plan, b.state.unit[unit], b.state.place
    what, other, side = plan.action[WHAT], NOBODY, row[SIDE]
    if what == STAY:
        return
    if what == MOVE:
        place[unit, X], place[unit, Y] = plan.to[X], plan.to[Y]
        row[FORT], row[ACTION] = plan.action[NODE], 1
        appears(state, unit)
    elif what == MERGE:
        other = plan.action[TARGET]
        _merge(b, unit, other)
    elif what == SPLIT:
        other = state.count
        state.count += 1
        copy_unit(b, unit, other)
        new, count = state.unit[other], plan.action[COUNT]
        new[FIG], new[FORT] = count, 0
        new[FIG0] = max(1, min(count, row[FIG0] - 1))
        new[DISC] = max(new[DISC] - play.split_drop, play.lowest)
        row[FIG] -= count
        row[FIG0] = max(1, row[FIG0] - new[FIG0])
        place[other, X], place[other, Y] = plan.to[X], plan.to[Y]
        joins(state, other)
        row[ACTION] = int(play.free_action <= SENDER_ACTS)
        new[ACTION] = int(play.free_action == BOTH_ACT)
        state.tally[SPLITS + side] += 1
    else:
        other = plan.action[TARGET]
        receiver, count = state.unit[other], plan.action[COUNT]
        if row[ARM] == INFANTRY:
            receiver[ARM] = INFANTRY
        receiver[FIG] = _limited(b, receiver[FIG] + count, receiver[ARM])
        receiver[DISC] = min(receiver[DISC], row[DISC])
        receiver[RIFLES] = min(receiver[RIFLES], row[RIFLES])
        row[FIG] -= count
        if play.free_action <= SENDER_ACTS:
            row[ACTION] = 1
        if play.free_action == BOTH_ACT:
            receiver[ACTION] = 1
        state.tally[REINFORCEMENTS + side] += 1
    x, y = thousandths(place[unit, X]), thousandths(place[unit, Y])
    if other < 0:
        note(b, T_MOVE, unit, what, -1, x, y, row[FIG], -1, -1, row[FORT], -1)
    else:
        note(
            b, T_MOVE, unit, what, other, x, y, row[FIG], state.unit[other, FIG], state.unit[other, DISC], row[FORT], -1
        )


@on_battle(1)
def _move(b: Battle, unit: int) -> None:
    """Do what a unit's player wants with it; where that is no action, it is asked once more (CO-6)."""
    state, row = b.state, b.state.unit[unit]
    side = row[SIDE]
    for _ in range(2):
        orders.move(state, b.ground, b.play, b.doctrine[side], b.goals, b.plan, unit)
        _do(b, unit)
        if row[ACTION] == 1 or b.plan.action[WHAT] not in (SPLIT, REINFORCE):
            break


@on_battle(1)
def take_turns(b: Battle, phase: int) -> None:
    """Let the sides play their units in turns, one each (CO-3.3)."""
    for side in range(2):
        b.units[side] = b.waiting[side] = in_play(b.state, side)
    side = who_begins(b, phase)
    idle = 0
    while idle < 2:
        unit = _next(b, phase, side)
        if unit < 0:
            idle += 1
        else:
            idle = 0
            if phase == PHASE_B:
                fire(b, unit)
            elif phase == PHASE_D:
                _move(b, unit)
            else:
                march(b, unit)
        side = 1 - side
