"""The ranged phase: missiles, shots into a melee by quarters, spells and engines. Compiled."""

from __future__ import annotations

from numba import types

from wargamesim.compiled import inlined
from wargamesim.games.stirling import orders
from wargamesim.games.stirling.battle_harm import CARRY, settle_all, suffer
from wargamesim.games.stirling.battle_record import Battle, note, on_battle, option, roll
from wargamesim.games.stirling.battle_strike import (
    AT_DISTANCE,
    PER_ATTACK,
    PER_PHASE,
    armour,
    attacks_of,
    hits,
)
from wargamesim.games.stirling.hexes import distance
from wargamesim.games.stirling.layout import (
    CAST_TURN,
    CASTER,
    CASUALTIES,
    FLED,
    FRONT,
    HP,
    HURT,
    LARGE,
    LEFT,
    LOSS,
    MEN,
    ORDERED,
    OWN_SHOT,
    RANGE_LONG,
    RANGE_MEDIUM,
    RANGE_SHORT,
    ROUTED,
    SHOOT,
    SHOT,
    SHOT_BONUS,
    SHOT_BONUS_L,
    SHOT_DICE,
    SHOT_DICE_L,
    SHOT_DIE,
    SHOT_DIE_L,
    SIDE,
    STATUS,
    STEP_Q,
    STEP_R,
    T_ATTACK,
    T_CAST,
    THAC0,
    TRAITS,
    VOLLEYS,
    Q,
    R,
    State,
)

BOTH_FLOOR = option("quarters", "both_floor")
FRIEND_FLOOR = option("quarters", "friend_floor")
NEAREST = option("quarters", "nearest")
AIMED = option("aimed_ac", "aimed")


@on_battle(3)
def _hurt(b: Battle, unit: int, target: int, total: int) -> None:
    """Book the losses of one strike at a distance (SS-8.4)."""
    state = b.state
    side = state.unit[target, SIDE]
    if total > 0:
        state.unit[target, HURT] += total
        if state.unit[unit, SIDE] == side:
            state.tally[OWN_SHOT + side] += min(total, state.unit[target, LEFT])
        if b.play.rounded == PER_PHASE:
            state.unit[target, LOSS] += total
        else:
            suffer(b, target, total)


@inlined
def _cast(b: Battle, unit: int) -> int:
    """Let a unit cast its spell of this turn, if it has one; return 1 if it did (SS-P09)."""
    state = b.state
    for spell in range(state.spells):
        if state.spell[spell, CASTER] == unit and state.spell[spell, CAST_TURN] == state.turn:
            target = orders.cast(state, b.play, b.doctrine[state.unit[unit, SIDE]], b.plan, unit, spell)
            if target < 0:
                return 0
            lost = state.spell[spell, CASUALTIES]
            state.unit[unit, SHOT] = 1
            note(b, T_CAST, unit, target, lost, -1, -1, -1, -1, -1, -1, -1)
            _hurt(b, unit, target, lost)
            return 1
    return 0


@inlined
def _in_melee(state: State, one: int, other: int) -> bool:
    """Tell whether one of two neighbours has its front on the other (SS-4.4)."""
    dq = state.unit[other, Q] - state.unit[one, Q]
    dr = state.unit[other, R] - state.unit[one, R]
    a, z = state.unit[one, FRONT], state.unit[other, FRONT]
    return bool(
        (state.unit[one, STATUS] == ORDERED and STEP_Q[a] == dq and STEP_R[a] == dr)
        or (state.unit[other, STATUS] == ORDERED and STEP_Q[z] == -dq and STEP_R[z] == -dr)
    )


@on_battle(2, types.int64)
def _mix(b: Battle, unit: int, target: int) -> int:
    """List who shares a shot, friends of the shooter first, and their shares; return how many (SS-4.4 to SS-4.6)."""
    state, play = b.state, b.play
    n, total = 0, 0
    for friend in range(state.count):
        if (
            state.unit[friend, SIDE] == state.unit[unit, SIDE]
            and friend != unit
            and state.unit[friend, STATUS] <= ROUTED
            and _in_melee(state, friend, target)
        ):
            b.mixed[n] = friend
            n += 1
    b.mixed[n] = target
    n += 1
    if n == 1:
        return n
    heaviest = 0
    for i in range(n):
        victim = b.mixed[i]
        weight = state.unit[victim, MEN]
        if state.unit[victim, TRAITS] & LARGE:
            weight *= play.large_weight
        b.share[i] = weight
        total += weight
        if weight > b.share[heaviest]:
            heaviest = i
    # Who has the rest: with two the heavier (of equals the target), with more the heaviest, or the target.
    rest = n - 1 if play.quarters == FRIEND_FLOOR or (n == 2 and b.share[0] == b.share[1]) else heaviest
    half = total // 2 if play.quarters == NEAREST and n == 2 else 0
    given = 0
    for i in range(n):
        b.share[i] = (play.shares * b.share[i] + half) // total
        if i != rest:
            given += b.share[i]
    if play.quarters != BOTH_FLOOR:
        b.share[rest] = play.shares - given
    return n


@inlined
def _need(b: Battle, unit: int, victim: int, target: int, band: int) -> int:
    """Return what the roll to hit must reach (SS-3.2, SS-4.3a, SS-P14)."""
    state, play = b.state, b.play
    whose = target if play.aimed_ac == AIMED else victim
    return int(state.unit[unit, THAC0] - armour(state, play, whose) - play.band[band])


@on_battle(3)
def _shoot(b: Battle, unit: int, target: int, count: int) -> None:
    """Make the attacks of a unit at a distance (SS-4.3 to SS-4.6)."""
    state, play = b.state, b.play
    state.unit[unit, SHOT] = 1
    state.tally[VOLLEYS + state.unit[unit, SIDE]] += 1
    away = distance(state.unit[unit, Q], state.unit[unit, R], state.unit[target, Q], state.unit[target, R])
    band = 0 if away <= state.unit[unit, RANGE_SHORT] else 1 if away <= state.unit[unit, RANGE_MEDIUM] else 2
    large = state.unit[target, TRAITS] & LARGE
    dice = state.unit[unit, SHOT_DICE_L if large else SHOT_DICE]
    die = state.unit[unit, SHOT_DIE_L if large else SHOT_DIE]
    bonus = state.unit[unit, SHOT_BONUS_L if large else SHOT_BONUS]
    victims = _mix(b, unit, target)
    rolled, factor = count, 1
    if play.one_roll == 1:
        rolled, factor = 1, count
    alone = play.rounded == PER_ATTACK and play.remainder != CARRY
    for i in range(victims):
        b.lost[i] = 0
    for a in range(rolled):
        k = a * (1 + dice)
        to_hit = roll(b, unit, SHOOT, k, play.attack_die)
        damage = -1
        for i in range(victims):
            if damage < 0 and hits(play, to_hit, _need(b, unit, b.mixed[i], target, band)):
                damage = bonus
                for j in range(dice):
                    damage += roll(b, unit, SHOOT, k + 1 + j, die)
                damage = max(damage, play.least_damage)
        for i in range(victims):
            victim, loss = b.mixed[i], 0
            need = _need(b, unit, victim, target, band)
            if damage >= 0 and hits(play, to_hit, need):
                share, parts = b.share[i], play.shares
                if victims == 1:
                    share, parts = 1, 1
                loss = damage * state.unit[unit, MEN] * share
                loss = loss // (parts * play.ranged_divisor * state.unit[victim, HP])
            if alone and loss > 0:
                for _ in range(factor):
                    _hurt(b, unit, victim, loss)
            b.lost[i] += loss * factor
            if b.room > 0:
                share = b.share[i] if victims > 1 else -1
                note(b, T_ATTACK, unit, victim, AT_DISTANCE, a, to_hit, need, damage, loss, share, band)
    if not alone:
        for i in range(victims):
            _hurt(b, unit, b.mixed[i], b.lost[i])


@on_battle(0)
def ranged_phase(b: Battle) -> None:
    """Let every unit that can shoot or cast choose and attack; losses are removed at the end (SS-4.1, SS-2.5)."""
    state, play = b.state, b.play
    for unit in range(state.count):
        if state.unit[unit, STATUS] != ORDERED or state.unit[unit, FLED] == 1:
            continue
        if state.spells > 0 and play.no_spells == 0 and _cast(b, unit) == 1:
            continue
        if state.unit[unit, RANGE_LONG] > 0:
            count = attacks_of(state, play, unit)
            if count > 0:
                target = orders.shoot(state, play, b.doctrine[state.unit[unit, SIDE]], b.plan, unit)
                if target >= 0:
                    _shoot(b, unit, target, count)
    settle_all(b)
