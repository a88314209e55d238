"""One strike: the attacks that a unit makes on a neighbour at one moment. Compiled."""

from __future__ import annotations

from wargamesim.compiled import inlined
from wargamesim.games.stirling.battle_harm import CARRY, suffer
from wargamesim.games.stirling.battle_record import Battle, note, on_battle, option, roll
from wargamesim.games.stirling.layout import (
    AC,
    BONUS,
    BONUS_L,
    CHARGING,
    DICE,
    DICE_L,
    DIE,
    DIE_L,
    FLED,
    HAS_STRUCK,
    HP,
    HURT,
    LARGE,
    LOSS,
    MEN,
    ORDERED,
    RATE_DEN,
    RATE_NUM,
    SHIELD,
    SHOT,
    STATUS,
    T_ATTACK,
    THAC0,
    TRAITS,
    State,
)
from wargamesim.games.stirling.playing import Play

# How a strike is made, as the trace has it.
AT_DISTANCE, IN_MELEE, IN_CHARGE, ON_FLEEING = range(4)
FRONT_SIDE, FLANK_SIDE, REAR_SIDE = range(3)

PER_ATTACK, PER_PHASE = option("rounded", "per_attack"), option("rounded", "per_phase")


@inlined
def attacks_of(state: State, play: Play, unit: int) -> int:
    """Return the attacks of a unit in this turn (SS-2.2, SS-P04)."""
    num, den, turn, factor = state.unit[unit, RATE_NUM], state.unit[unit, RATE_DEN], state.turn, 1
    each = play.attacks * num
    if den == 1:
        return int(each)
    if play.schedule == 1 and each % den == 0:
        factor, each = play.attacks, num
    return int(factor * (turn * each // den - (turn - 1) * each // den))


@inlined
def may_strike(state: State, play: Play, unit: int) -> bool:
    """Tell whether a unit still has its attacks of the turn (SS-2.2, SS-5.9, SS-9.4)."""
    return bool(
        state.unit[unit, STATUS] == ORDERED
        and state.unit[unit, SHOT] == 0
        and state.unit[unit, FLED] == 0
        and state.unit[unit, HAS_STRUCK] == 0
        and attacks_of(state, play, unit) > 0
    )


@inlined
def armour(state: State, play: Play, unit: int) -> int:
    """Return the AC of a unit, worse while it charges (SS-7.3b)."""
    return int(state.unit[unit, AC] + play.charge_ac * state.unit[unit, CHARGING])


@inlined
def on_side(state: State, play: Play, target: int, side: int) -> int:
    """Return what the side struck adds to the roll to hit (SS-7.2)."""
    more = play.side_hit[side]
    if side == REAR_SIDE and play.shield_lost == 1:
        more += state.unit[target, SHIELD]
    return int(more)


@inlined
def hits(play: Play, rolled: int, need: int) -> bool:
    """Tell whether an attack hits (SS-3.2, SS-P10)."""
    return bool(rolled >= play.always_hits or (rolled > play.always_misses and rolled >= need))


@on_battle(10)
def strike(
    b: Battle,
    unit: int,
    target: int,
    kind: int,
    side: int,
    actor: int,
    purpose: int,
    first: int,
    count: int,
    modifier: int,
    times: int,
) -> None:
    """Attack a neighbour a number of times; `times` is the damage in parts of 10,000 (SS-3.1 to SS-3.3, SS-8.4)."""
    state, play = b.state, b.play
    large = state.unit[target, TRAITS] & LARGE
    dice = state.unit[unit, DICE_L if large else DICE]
    die = state.unit[unit, DIE_L if large else DIE]
    bonus = state.unit[unit, BONUS_L if large else BONUS]
    need = state.unit[unit, THAC0] - armour(state, play, target) - modifier
    weight = state.unit[unit, MEN] * times
    parts = 10_000 * play.divisor * state.unit[target, HP]
    rolled, factor = count, 1
    if play.one_roll == 1:
        rolled, factor = min(count, 1), count
    alone = play.rounded == PER_ATTACK and play.remainder != CARRY
    total = 0
    for a in range(rolled):
        k = (first + a) * (1 + dice)
        to_hit = roll(b, actor, purpose, k, play.attack_die)
        damage, loss = -1, 0
        if hits(play, to_hit, need):
            damage = bonus
            for i in range(dice):
                damage += roll(b, actor, purpose, k + 1 + i, die)
            damage = max(damage, play.least_damage)
            loss = damage * weight // parts
            if alone and loss > 0:
                for _ in range(factor):
                    suffer(b, target, loss)
            total += loss * factor
        if b.room > 0:
            note(b, T_ATTACK, unit, target, kind, first + a, to_hit, need, damage, loss, -1, side)
    if total > 0:
        state.unit[target, HURT] += total
        if alone:
            return
        if play.rounded == PER_PHASE and kind == IN_MELEE:
            state.unit[target, LOSS] += total
        else:
            suffer(b, target, total)
