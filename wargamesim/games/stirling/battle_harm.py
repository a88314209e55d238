"""What becomes of losses: rounding, removal, Leaders who fall, units that break. Compiled."""

from __future__ import annotations

from wargamesim.bits import bit
from wargamesim.compiled import inlined
from wargamesim.games.stirling.battle_record import Battle, note, on_battle, option, roll
from wargamesim.games.stirling.layout import (
    BROKEN_TURN,
    CHARGING,
    COMMANDER_GONE,
    DEAD,
    DESTROYED,
    DESTRUCTIONS,
    DISPERSALS,
    DISPERSED,
    FIT,
    GONE,
    HURT,
    LEADER,
    LEADER_FALLS,
    LEADER_GONE,
    LEADERS_LOST,
    LEFT,
    LOSS,
    MEN,
    ORDERED,
    REM,
    REMOVALS,
    REMOVED,
    ROUTED,
    ROUTED_TURN,
    ROUTS,
    RUNS,
    SIDE,
    STATUS,
    T_BROKEN,
    T_REMOVED,
)

CARRY = option("remainder", "carry")
NEVER, HALF = option("leader_death", "never"), option("leader_death", "half")


@on_battle(2)
def suffer(b: Battle, unit: int, loss: int) -> None:
    """Round one event of losses and take it from what will be left of a unit (SS-8.2 to SS-8.5)."""
    state, play = b.state, b.play
    left = state.unit[unit, LEFT]
    state.tally[DEAD + state.unit[unit, SIDE]] += min(loss, left)
    if loss >= left and play.no_wipe == 0:
        state.unit[unit, LEFT] = 0
        return
    if play.remainder == CARRY:
        loss += state.unit[unit, REM]
        if left > 0:
            state.unit[unit, REM] = loss % play.step
    state.unit[unit, LEFT] = max(0, left - loss // play.step * play.step)


@on_battle(1)
def lose_commander(b: Battle, side: int) -> None:
    """Have every unit of a side know that its Commander fell or ran (SS-9.1g)."""
    state = b.state
    for unit in range(state.count):
        if state.unit[unit, SIDE] == side and state.unit[unit, STATUS] <= ROUTED:
            state.unit[unit, COMMANDER_GONE] = 1


@on_battle(1)
def lose_leader(b: Battle, unit: int) -> None:
    """Take the Leader of a unit away for good (SS-8.6)."""
    state = b.state
    side = state.unit[unit, SIDE]
    state.unit[unit, LEADER] = GONE
    state.unit[unit, LEADER_GONE] = 1
    state.tally[LEADERS_LOST + side] += 1
    if state.commander[side] == unit:
        # There is no Commander any more.
        state.commander[side], state.commander_charisma[side] = -1, 0
        lose_commander(b, side)


@on_battle(1)
def _remove(b: Battle, unit: int) -> None:
    state, play = b.state, b.play
    if state.unit[unit, LOSS] > 0:
        suffer(b, unit, state.unit[unit, LOSS])
        state.unit[unit, LOSS] = 0
    men, left = state.unit[unit, MEN], state.unit[unit, LEFT]
    removed, falls = men - left, 0
    if removed > 0:
        state.tally[REMOVED + state.unit[unit, SIDE]] += removed
        leader = state.unit[unit, LEADER]
        if leader in (FIT, RUNS):
            if left == 0:
                falls = 1
            elif play.leader_death != NEVER:
                sides = 2 * men if play.leader_death == HALF else men
                if roll(b, unit, LEADER_FALLS, state.unit[unit, REMOVALS], sides) <= removed:
                    falls = 1
            if falls == 1:
                lose_leader(b, unit)
        state.unit[unit, REMOVALS] += 1
        state.unit[unit, MEN] = left
    if b.room > 0:
        note(b, T_REMOVED, unit, state.unit[unit, HURT], removed, left, state.unit[unit, REM], falls, -1, -1, -1, -1)
    state.unit[unit, HURT] = 0
    if left == 0:
        state.unit[unit, STATUS] = DESTROYED
        state.tally[DESTRUCTIONS + state.unit[unit, SIDE]] += 1
        note(b, T_BROKEN, unit, DESTROYED, -1, -1, -1, -1, -1, -1, -1, -1)


@inlined
def settle(b: Battle, unit: int) -> None:
    """Remove the dead of a unit, if it has any (SS-8.1)."""
    if b.state.unit[unit, HURT] > 0:
        _remove(b, unit)


@inlined
def settle_all(b: Battle) -> None:
    """Remove the dead of a phase."""
    for unit in range(b.state.count):
        settle(b, unit)


@on_battle(1)
def disperse(b: Battle, unit: int) -> None:
    """Take a unit off the board that runs for good (SS-9.5, SS-5.10)."""
    state = b.state
    state.unit[unit, STATUS] = DISPERSED
    state.unit[unit, BROKEN_TURN] = state.turn
    b.broken[state.unit[unit, SIDE]] |= bit(unit)
    state.tally[DISPERSALS + state.unit[unit, SIDE]] += 1
    if state.unit[unit, LEADER] == FIT or state.unit[unit, LEADER] == RUNS:
        lose_leader(b, unit)
    note(b, T_BROKEN, unit, DISPERSED, -1, -1, -1, -1, -1, -1, -1, -1)


@on_battle(1)
def give_way(b: Battle, unit: int) -> None:
    """Rout a unit in order, disperse one that is routed already (SS-9.4, SS-9.5)."""
    state = b.state
    if state.unit[unit, STATUS] != ORDERED:
        disperse(b, unit)
        return
    state.unit[unit, STATUS] = ROUTED
    state.unit[unit, ROUTED_TURN] = state.unit[unit, BROKEN_TURN] = state.turn
    state.unit[unit, CHARGING] = 0
    b.broken[state.unit[unit, SIDE]] |= bit(unit)
    state.tally[ROUTS + state.unit[unit, SIDE]] += 1
    note(b, T_BROKEN, unit, ROUTED, -1, -1, -1, -1, -1, -1, -1, -1)
