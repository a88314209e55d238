"""The melee phase: charges in their order, then all other strikes at once. Compiled."""

from __future__ import annotations

from wargamesim.bits import NONE
from wargamesim.compiled import inlined
from wargamesim.games.stirling.battle_harm import settle, settle_all
from wargamesim.games.stirling.battle_record import Battle, find_near, on_battle
from wargamesim.games.stirling.battle_strike import (
    FRONT_SIDE,
    IN_CHARGE,
    IN_MELEE,
    attacks_of,
    may_strike,
    on_side,
    strike,
)
from wargamesim.games.stirling.hexes import side_struck, standing, target_among, target_of
from wargamesim.games.stirling.layout import (
    CHARGING,
    DESTROYED,
    FIRST,
    HAS_STRUCK,
    LANCE,
    LENGTH,
    RANGE_LONG,
    RATE_DEN,
    RATE_NUM,
    ROUTED,
    SECOND,
    SET_WEAPON,
    SPEED,
    STATUS,
    STRIKE,
    STRUCK_BACK,
    TRAITS,
    State,
)
from wargamesim.games.stirling.playing import CHOICES, Play

NO_CHARGE_FOR_SHOOTERS = CHOICES["run_cost"][1].index("no_charge_for_shooters")


@inlined
def _lead(state: State, unit: int, target: int) -> int:
    """Return 1 if the charger strikes first, -1 if the charged, 0 if both strike together (SS-7.4)."""
    gap = state.unit[unit, LENGTH] - state.unit[target, LENGTH]
    if gap == 0:
        gap = state.unit[unit, RATE_NUM] * state.unit[target, RATE_DEN]
        gap -= state.unit[target, RATE_NUM] * state.unit[unit, RATE_DEN]
    if gap == 0:
        gap = state.unit[target, SPEED] - state.unit[unit, SPEED]
    return 1 if gap > 0 else -1 if gap < 0 else 0


@inlined
def _has_bonus(state: State, play: Play, unit: int) -> bool:
    """Tell whether a charge helps a unit (SS-P17)."""
    return bool(play.run_cost != NO_CHARGE_FOR_SHOOTERS or state.unit[unit, RANGE_LONG] == 0)


@on_battle(4)
def _strike_in_charge(b: Battle, unit: int, target: int, first: int, count: int) -> None:
    if count == 0:
        return
    state, play = b.state, b.play
    side = side_struck(state, unit, target)
    if side != FRONT_SIDE:
        state.unit[target, STRUCK_BACK] = 1
    modifier, heavy = on_side(state, play, target, side), 100
    if state.unit[unit, CHARGING] == 1 and _has_bonus(state, play, unit):
        modifier += play.charge_hit
        if state.unit[unit, TRAITS] & LANCE:
            heavy = play.charge_damage
    if state.unit[target, CHARGING] == 1 and state.unit[unit, TRAITS] & SET_WEAPON:
        heavy = play.charge_damage
    strike(b, unit, target, IN_CHARGE, side, unit, STRIKE, first, count, modifier, play.side_damage[side] * heavy)


@on_battle(2)
def _charge(b: Battle, unit: int, target: int) -> None:
    """Resolve a charge: who strikes first, with what is left after each strike (SS-7.4)."""
    state, play = b.state, b.play
    answers = may_strike(state, play, target) and target_of(state, target) == unit
    ours = attacks_of(state, play, unit)
    theirs = attacks_of(state, play, target) if answers else 0
    state.unit[unit, HAS_STRUCK] = 1
    lead = 0
    if answers:
        state.unit[target, HAS_STRUCK] = 1
        lead = _lead(state, unit, target)
    rounds = play.rounds if play.round_by_round == 1 else 1
    for i in range(rounds):
        our_first, their_first = i * ours // rounds, i * theirs // rounds
        our_count = (i + 1) * ours // rounds - our_first
        their_count = (i + 1) * theirs // rounds - their_first
        if lead >= 0:
            _strike_in_charge(b, unit, target, our_first, our_count)
            if lead > 0:
                settle(b, target)
                if state.unit[target, STATUS] == DESTROYED:
                    return
            _strike_in_charge(b, target, unit, their_first, their_count)
        else:
            _strike_in_charge(b, target, unit, their_first, their_count)
            settle(b, unit)
            if state.unit[unit, STATUS] == DESTROYED:
                return
            _strike_in_charge(b, unit, target, our_first, our_count)
        settle(b, target)
        settle(b, unit)
        if state.unit[unit, STATUS] == DESTROYED or state.unit[target, STATUS] == DESTROYED:
            return


@on_battle(0)
def melee_phase(b: Battle) -> None:
    """Fight all melees of the turn (SS-7)."""
    state, play = b.state, b.play
    # The morale phase reads this too: until then nobody moves.
    find_near(b, 1)
    for unit in range(state.count):
        if state.unit[unit, CHARGING] == 1 and may_strike(state, play, unit):
            target = target_of(state, unit)
            if target >= 0:
                _charge(b, unit, target)
    here = standing(state, FIRST, ROUTED) | standing(state, SECOND, ROUTED)
    for unit in range(state.count):
        if b.near[unit] != NONE and may_strike(state, play, unit):
            target = target_among(state, unit, b.near[unit] & here)
            if target >= 0:
                state.unit[unit, HAS_STRUCK] = 1
                side = side_struck(state, unit, target)
                if side != FRONT_SIDE:
                    state.unit[target, STRUCK_BACK] = 1
                modifier, times = on_side(state, play, target, side), 100 * play.side_damage[side]
                count = attacks_of(state, play, unit)
                strike(b, unit, target, IN_MELEE, side, unit, STRIKE, 0, count, modifier, times)
    settle_all(b)
