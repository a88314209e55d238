"""Morale and recovery: who checks, what the dice may not exceed, who runs and who comes round. Compiled."""

from __future__ import annotations

from numba import types

from wargamesim.bits import NONE, ONE, bit, lowest
from wargamesim.compiled import inlined
from wargamesim.games.stirling.battle_harm import give_way, lose_commander
from wargamesim.games.stirling.battle_record import Battle, note, on_battle, option, roll
from wargamesim.games.stirling.hexes import distance, standing
from wargamesim.games.stirling.layout import (
    CHARGED,
    CHARGED_NERVE,
    CHARISMA,
    CHECKED,
    COMMANDER_GONE,
    COMMANDER_LOST,
    FAILED_MODIFIER,
    FIRST,
    FIT,
    FRIEND_BROKEN,
    IS_OUTNUMBERED,
    LEADER,
    LEADER_GONE,
    LEADER_LOST,
    LEADER_MORALE,
    LEADER_RECOVERS,
    LEADER_TURN,
    LOST_QUARTER,
    MEN,
    MEN0,
    MORALE,
    MOST_SITUATIONS,
    MOST_UNITS,
    NERVE,
    ORDERED,
    OUTNUMBERED,
    RAN,
    REACHED,
    RECOVERIES,
    ROUTED,
    ROUTED_TURN,
    RUNS,
    SECOND,
    SIDE,
    STATUS,
    STEPS_MADE,
    STRUCK_BACK,
    STRUCK_BEHIND,
    T_CHECK,
    UNIT_RECOVERS,
    Q,
    R,
    State,
)
from wargamesim.games.stirling.playing import Play

# Who rolls, and when, as the trace has it.
THE_LEADER, TROOPS = range(2)
IN_MORALE, WHEN_CHARGED, IN_RECOVERY = range(3)

# Dice of one check are so far from those of the next (SS-P39).
BETWEEN = 32

RUN_MORALE = option("run_cost", "morale")
EITHER, BOTH = option("combine", "either"), option("combine", "both")
OWN, ADJACENT = option("rally", "own"), option("rally", "adjacent")
SAME_TURN, HOLD = option("recovery_time", "same_turn"), option("recovery_time", "hold")

LOSS_BITS = 7 << LOST_QUARTER


@inlined
def _count_contacts(b: Battle) -> None:
    """See who is outnumbered as the phase begins (SS-9.1f); the melee phase has found who is near whom."""
    state, play = b.state, b.play
    if play.situation_on[IS_OUTNUMBERED] == 0:
        return
    ordered = standing(state, FIRST, ORDERED) | standing(state, SECOND, ORDERED)
    for unit in range(state.count):
        men, beside = 0, b.near[unit] & ordered
        while beside != NONE:
            men += state.unit[lowest(beside), MEN]
            beside &= beside - ONE
        if men > 0 and state.unit[unit, STATUS] <= ROUTED and men >= play.outnumbered * state.unit[unit, MEN]:
            state.unit[unit, OUTNUMBERED] = 1


@inlined
def _friend_broke(b: Battle, unit: int) -> bool:
    state = b.state
    own = state.unit[unit]
    friends = b.broken[own[SIDE]] & ~bit(unit)
    while friends != NONE:
        row = state.unit[lowest(friends)]
        friends &= friends - ONE
        if distance(row[Q], row[R], own[Q], own[R]) <= b.play.broken_within:
            return True
    return False


@inlined
def _situations(b: Battle, unit: int) -> int:
    """Return the situations that compel a unit to check now, as bits (SS-9.1)."""
    state, play = b.state, b.play
    bits, start = 0, state.unit[unit, MEN0]
    lost = 100 * (start - state.unit[unit, MEN])
    for i in range(3):
        bits |= (lost >= play.loss_share[i] * start) * play.situation_on[LOST_QUARTER + i] << (LOST_QUARTER + i)
    bits &= ~state.unit[unit, REACHED]
    bits |= (state.unit[unit, LEADER_GONE] & play.situation_on[LEADER_LOST]) << LEADER_LOST
    bits |= (state.unit[unit, STRUCK_BACK] & play.situation_on[STRUCK_BEHIND]) << STRUCK_BEHIND
    bits |= state.unit[unit, OUTNUMBERED] << IS_OUTNUMBERED
    bits |= (state.unit[unit, COMMANDER_GONE] & play.situation_on[COMMANDER_LOST]) << COMMANDER_LOST
    if play.situation_on[FRIEND_BROKEN] == 1 and _friend_broke(b, unit):
        bits |= 1 << FRIEND_BROKEN
    return int(bits)


@inlined
def _commander(state: State, play: Play, side: int) -> int:
    """Return what the Commander's charisma gives, if he still gives any (SS-9.3)."""
    leads = state.commander[side]
    if leads >= 0 and (state.unit[leads, LEADER] != FIT or state.unit[leads, STATUS] > ROUTED):
        return 0
    return int(play.charisma[state.commander_charisma[side]])


@on_battle(8, types.int64)
def _roll_check(
    b: Battle, unit: int, who: int, when: int, bits: int, need: int, actor: int, purpose: int, k: int
) -> int:
    dice = 0
    for j in range(b.play.morale_dice):
        dice += roll(b, actor, purpose, k + j, b.play.morale_die)
    passed = 1 if dice <= need else 0
    if b.room > 0:
        note(b, T_CHECK, unit, who, when, bits, need, dice, passed, -1, -1, -1)
    return passed


@on_battle(5, types.int64)
def _passes(b: Battle, unit: int, who: int, need: int, bits: int, charger: int) -> int:
    """Roll once for all situations, or once for each; return 1 if all is passed (SS-9.3, SS-P39)."""
    play = b.play
    actor, purpose, when = unit, NERVE, IN_MORALE
    if charger >= 0:
        actor, purpose, when = unit + MOST_UNITS * charger, CHARGED_NERVE, WHEN_CHARGED
    if play.check_each == 0:
        for i in range(MOST_SITUATIONS):
            need += (bits >> i & 1) * play.situation[i]
        return _roll_check(b, unit, who, when, bits, need, actor, purpose, who * play.morale_dice)
    made = 0
    for i in range(MOST_SITUATIONS):
        if bits >> i & 1:
            sum_needed = need + play.situation[i] + play.further * made
            k = BETWEEN * made + who * play.morale_dice
            if _roll_check(b, unit, who, when, 1 << i, sum_needed, actor, purpose, k) == 0:
                return 0
            made += 1
    return 1


@on_battle(3)
def check(b: Battle, unit: int, bits: int, charger: int) -> None:
    """Let a unit check its morale, its Leader first; `charger` is who charges it, or -1 (SS-9.2 to SS-9.6)."""
    state, play = b.state, b.play
    side = state.unit[unit, SIDE]
    if charger < 0:
        state.unit[unit, REACHED] |= bits & LOSS_BITS
        state.unit[unit, LEADER_GONE] = state.unit[unit, COMMANDER_GONE] = 0
    fails, rolls = 0, 1
    if state.unit[unit, LEADER] == FIT:
        need = state.unit[unit, LEADER_MORALE]
        if play.leader_alone == 0:
            need += _commander(state, play, side)
        if _passes(b, unit, THE_LEADER, need, bits, charger) == 1:
            rolls = 0 if play.combine == BOTH else 1
        else:
            state.unit[unit, LEADER] = RUNS
            state.unit[unit, LEADER_TURN] = state.turn
            bits |= play.situation_on[LEADER_LOST] << LEADER_LOST
            if state.commander[side] == unit:
                bits |= play.situation_on[COMMANDER_LOST] << COMMANDER_LOST
                before = state.unit[unit, COMMANDER_GONE]
                lose_commander(b, side)
                state.unit[unit, COMMANDER_GONE] = before
            if play.combine == EITHER:
                fails, rolls = 1, 0
    if rolls == 1:
        need = state.unit[unit, MORALE] + _commander(state, play, side)
        if state.unit[unit, LEADER] == FIT:
            need += play.charisma[state.unit[unit, CHARISMA]]
        if play.run_cost == RUN_MORALE and state.unit[unit, RAN] == 1:
            need += play.run_morale
        fails = 1 - _passes(b, unit, TROOPS, need, bits, charger)
    if fails == 1:
        more = 0
        for i in range(MOST_SITUATIONS):
            more += (bits >> i & 1) * play.situation[i]
        state.unit[unit, FAILED_MODIFIER] = more
        give_way(b, unit)


@on_battle(0)
def morale_phase(b: Battle) -> None:
    """Let every unit in a difficult situation check, until nobody else is in one (SS-9.1, SS-9.6)."""
    state = b.state
    _count_contacts(b)
    found = 1
    while found == 1:
        found = 0
        for unit in range(state.count):
            if state.unit[unit, CHECKED] == 0 and state.unit[unit, STATUS] <= ROUTED:
                bits = _situations(b, unit)
                if bits != 0:
                    found = state.unit[unit, CHECKED] = 1
                    check(b, unit, bits, -1)


@on_battle(2)
def charged(b: Battle, unit: int, charger: int) -> None:
    """Have a unit check because it is charged (SS-9.1a, SS-9.6)."""
    if b.play.situation_on[CHARGED] == 1:
        check(b, unit, 1 << CHARGED, charger)


@inlined
def _in_time(state: State, play: Play, unit: int, since: int) -> bool:
    """Tell whether enough time has passed to try (SS-10.3, SS-P44)."""
    if play.recovery_time == SAME_TURN:
        return True
    return bool(state.turn > since and (play.recovery_time != HOLD or state.unit[unit, STEPS_MADE] == 0))


@inlined
def _who_rallies(b: Battle, unit: int) -> int:
    """Return the unit of the Leader who can rally a unit, -1 if there is none (SS-10.1, SS-P43)."""
    state, play = b.state, b.play
    best = -1
    for other in range(state.count):
        if (
            state.unit[other, LEADER] != FIT
            or state.unit[other, STATUS] > ROUTED
            or state.unit[other, SIDE] != state.unit[unit, SIDE]
        ):
            continue
        away = distance(state.unit[other, Q], state.unit[other, R], state.unit[unit, Q], state.unit[unit, R])
        near = other == unit if play.rally == OWN else away <= (1 if play.rally == ADJACENT else 0)
        if near and (best < 0 or state.unit[other, CHARISMA] > state.unit[best, CHARISMA]):
            best = other
    return best


@on_battle(0)
def recovery_phase(b: Battle) -> None:
    """Let routed Leaders and then routed units try to recover (SS-10)."""
    state, play = b.state, b.play
    for unit in range(state.count):
        if (
            state.unit[unit, LEADER] == RUNS
            and state.unit[unit, STATUS] <= ROUTED
            and _in_time(state, play, unit, state.unit[unit, LEADER_TURN])
            and _roll_check(
                b, unit, THE_LEADER, IN_RECOVERY, 0, state.unit[unit, LEADER_MORALE], unit, LEADER_RECOVERS, 0
            )
            == 1
        ):
            state.unit[unit, LEADER] = FIT
    for unit in range(state.count):
        if state.unit[unit, STATUS] == ROUTED and _in_time(state, play, unit, state.unit[unit, ROUTED_TURN]):
            leader = _who_rallies(b, unit)
            if leader >= 0:
                need = state.unit[unit, MORALE] + play.charisma[state.unit[leader, CHARISMA]]
                if play.recover_as_checked == 1:
                    need += state.unit[unit, FAILED_MODIFIER]
                if _roll_check(b, unit, TROOPS, IN_RECOVERY, 0, need, unit, UNIT_RECOVERS, 0) == 1:
                    state.unit[unit, STATUS] = ORDERED
                    state.tally[RECOVERIES + state.unit[unit, SIDE]] += 1
