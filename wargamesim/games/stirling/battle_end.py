"""How a battle ends: who is beaten, and whether anybody can still remove anybody. Compiled."""

from __future__ import annotations

from numba import types

from wargamesim.compiled import inlined
from wargamesim.games.stirling.battle_harm import CARRY
from wargamesim.games.stirling.battle_record import Battle, on_battle
from wargamesim.games.stirling.battle_strike import PER_ATTACK, PER_PHASE, REAR_SIDE, hits, on_side
from wargamesim.games.stirling.hexes import distance, is_here, side_struck, target_of
from wargamesim.games.stirling.layout import (
    AC,
    BONUS,
    BONUS_L,
    CAST_TURN,
    DICE,
    DICE_L,
    DIE,
    DIE_L,
    DRAW,
    FIRST,
    HP,
    IS_OUTNUMBERED,
    LARGE,
    MEN,
    NO_DECISION,
    ORDERED,
    RANGE_LONG,
    RANGE_MEDIUM,
    RANGE_SHORT,
    RATE_DEN,
    RATE_NUM,
    ROUTED,
    SECOND,
    SHOT_BONUS,
    SHOT_BONUS_L,
    SHOT_DICE,
    SHOT_DICE_L,
    SHOT_DIE,
    SHOT_DIE_L,
    SIDE,
    STATUS,
    STERILE,
    THAC0,
    TRAITS,
    Q,
    R,
    State,
)
from wargamesim.games.stirling.playing import Play


@inlined
def _may_be_outnumbered(state: State, play: Play, unit: int) -> bool:
    """Tell whether numbers may still compel a unit to check (SS-9.1f)."""
    if play.situation_on[IS_OUTNUMBERED] == 0:
        return False
    enemies = 0
    for other in range(state.count):
        if state.unit[other, SIDE] != state.unit[unit, SIDE] and state.unit[other, STATUS] == ORDERED:
            away = distance(state.unit[other, Q], state.unit[other, R], state.unit[unit, Q], state.unit[unit, R])
            if state.movement == 1 or away == 1:
                enemies += state.unit[other, MEN]
    return bool(enemies > 0 and enemies >= play.outnumbered * state.unit[unit, MEN])


@inlined
def _most(
    state: State, play: Play, unit: int, target: int, modifier: int, damage: int, times: int, divisor: int
) -> int:
    if not hits(play, play.attack_die, state.unit[unit, THAC0] - state.unit[target, AC] - modifier):
        return 0
    most = max(damage, play.least_damage) * state.unit[unit, MEN] * times
    return int(most // (10_000 * divisor * state.unit[target, HP]))


@inlined
def _most_in_melee(state: State, play: Play, unit: int, target: int) -> int:
    """Return the most that one attack in melee can cost a target, wherever both may be or where they stay."""
    if state.unit[unit, RATE_NUM] == 0:
        return 0
    if state.movement == 0:
        if target_of(state, unit) != target:
            return 0
        side = side_struck(state, unit, target)
        modifier, times = on_side(state, play, target, side), 100 * play.side_damage[side]
    else:
        modifier = max(play.side_hit[0], play.side_hit[1], on_side(state, play, target, REAR_SIDE))
        modifier += max(0, play.charge_hit) + max(0, play.charge_ac)
        times = max(play.side_damage[0], play.side_damage[1], play.side_damage[2]) * max(100, play.charge_damage)
    if state.unit[target, TRAITS] & LARGE:
        damage = state.unit[unit, DICE_L] * state.unit[unit, DIE_L] + state.unit[unit, BONUS_L]
    else:
        damage = state.unit[unit, DICE] * state.unit[unit, DIE] + state.unit[unit, BONUS]
    return _most(state, play, unit, target, modifier, damage, times, play.divisor)


@inlined
def _most_attacks(state: State, play: Play, unit: int) -> int:
    """Return the attacks of a unit in its busiest turn (SS-2.2)."""
    num, den = state.unit[unit, RATE_NUM], state.unit[unit, RATE_DEN]
    each = play.attacks * num
    if play.schedule == 1 and each % den == 0:
        return int(play.attacks * ((num + den - 1) // den))
    return int((each + den - 1) // den)


@inlined
def _most_at_distance(state: State, play: Play, unit: int, target: int) -> int:
    """Return the most that one shot can cost a target."""
    if state.unit[unit, RATE_NUM] == 0:
        return 0
    modifier = max(play.band[0], play.band[1], play.band[2]) + max(0, play.charge_ac)
    if state.movement == 0:
        away = distance(state.unit[unit, Q], state.unit[unit, R], state.unit[target, Q], state.unit[target, R])
        if away <= play.barred or away > state.unit[unit, RANGE_LONG]:
            return 0
        band = 0 if away <= state.unit[unit, RANGE_SHORT] else 1 if away <= state.unit[unit, RANGE_MEDIUM] else 2
        modifier = play.band[band]
    if state.unit[target, TRAITS] & LARGE:
        damage = state.unit[unit, SHOT_DICE_L] * state.unit[unit, SHOT_DIE_L] + state.unit[unit, SHOT_BONUS_L]
    else:
        damage = state.unit[unit, SHOT_DICE] * state.unit[unit, SHOT_DIE] + state.unit[unit, SHOT_BONUS]
    return _most(state, play, unit, target, modifier, damage, 10_000, play.ranged_divisor)


@on_battle(1, types.int64)
def _may_be_hurt(b: Battle, unit: int) -> int:
    """Return 1 if the enemy can remove men of a unit in some phase."""
    state, play = b.state, b.play
    men, total = state.unit[unit, MEN], 0
    for other in range(state.count):
        if state.unit[other, SIDE] == state.unit[unit, SIDE] or state.unit[other, STATUS] > ROUTED:
            continue
        if state.movement == 0 and state.unit[other, STATUS] != ORDERED:
            continue
        one = _most_in_melee(state, play, other, unit)
        if state.unit[other, RANGE_LONG] > 0:
            one = max(one, _most_at_distance(state, play, other, unit))
        if one == 0:
            continue
        if play.remainder == CARRY:
            return 1
        if play.rounded != PER_ATTACK:
            one *= _most_attacks(state, play, other)
        total = total + one if play.rounded == PER_PHASE else max(total, one)
        if total >= play.step or (play.no_wipe == 0 and total >= men):
            return 1
    return 0


@inlined
def is_sterile(b: Battle) -> bool:
    """Tell whether no two units that are left can ever remove men (SS-11.1)."""
    state, play = b.state, b.play
    if play.no_spells == 0:
        for spell in range(state.spells):
            if state.spell[spell, CAST_TURN] > state.turn:
                return False
    # Most often the first unit looked at can still be hurt.
    for unit in range(state.count):
        if is_here(state, unit) and (_may_be_hurt(b, unit) == 1 or _may_be_outnumbered(state, play, unit)):
            return False
        if play.annihilation == 1 and state.unit[unit, STATUS] == ROUTED:
            return False
    return True


@on_battle(0, types.int64)
def judge(b: Battle) -> int:
    """Return the outcome after a turn, or -1 while the battle goes on (SS-11.1, SS-P46)."""
    state, play = b.state, b.play
    last = ROUTED if play.annihilation == 1 else ORDERED
    first = second = 0
    for unit in range(state.count):
        if state.unit[unit, STATUS] <= last:
            if state.unit[unit, SIDE] == FIRST:
                first = 1
            else:
                second = 1
    if first == 0 or second == 0:
        return DRAW if first == second else FIRST if first == 1 else SECOND
    if is_sterile(b):
        return STERILE
    return NO_DECISION if state.turn >= play.turns else -1
