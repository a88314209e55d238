"""What a player expects of an attack: men struck down in a turn on average, before rounding. Compiled.

These are judgements, not rules: the dice of damage count by their mean, morale and the order of strikes not at all.
"""

from __future__ import annotations

from math import inf

from wargamesim.compiled import inlined, inner
from wargamesim.games.stirling.doctrine import HOLD, MEDIUM, SHORT, DoctrineRecord
from wargamesim.games.stirling.hexes import distance, is_here
from wargamesim.games.stirling.layout import (
    AC,
    CHARGING,
    DICE,
    HP,
    LARGE,
    MEN,
    MOUNTED,
    ORDERED,
    RANGE_LONG,
    RANGE_MEDIUM,
    RANGE_SHORT,
    RATE_DEN,
    RATE_NUM,
    SHOT_DICE,
    SIDE,
    STATUS,
    THAC0,
    TRAITS,
    Q,
    R,
    State,
)
from wargamesim.games.stirling.playing import Play


@inlined
def hit_chance(play: Play, need: int) -> float:
    """Return the chance that an attack hits (SS-3.2)."""
    least = min(max(need, play.always_misses + 1), play.always_hits)
    return float(min(max(play.attack_die - least + 1, 0), play.attack_die) / play.attack_die)


@inner
def harm(state: State, play: Play, attacker: int, target: int, modifier: int, missiles: int) -> float:
    """Return the share of its men that the target can expect to lose to the attacks of a turn."""
    a, t = state.unit[attacker], state.unit[target]
    dice = (SHOT_DICE if missiles == 1 else DICE) + (3 if t[TRAITS] & LARGE else 0)
    damage = max(0.5 * a[dice] * (a[dice + 1] + 1) + a[dice + 2], 0.0)
    need = a[THAC0] - t[AC] - modifier - (play.charge_ac if t[CHARGING] == 1 else 0)
    divisor = play.ranged_divisor if missiles == 1 else play.divisor
    attacks = play.attacks * a[RATE_NUM] / a[RATE_DEN]
    return float(attacks * hit_chance(play, need) * damage * a[MEN] / (divisor * t[HP] * max(t[MEN], 1)))


@inner
def odds(state: State, play: Play, unit: int, enemy: int) -> float:
    """Return how many times more of the enemy's men fall than of the unit's own, each as a share."""
    if state.unit[enemy, STATUS] != ORDERED:
        return inf
    taken = harm(state, play, enemy, unit, 0, 0)
    done = harm(state, play, unit, enemy, 0, 0)
    return done / taken if taken > 0.0 else inf


@inner
def has_friend_beside(state: State, unit: int, enemy: int) -> bool:
    """Tell whether another ordered unit of the unit's side is next to the enemy."""
    q, r, side = state.unit[enemy, Q], state.unit[enemy, R], state.unit[unit, SIDE]
    for friend in range(state.count):
        row = state.unit[friend]
        if row[SIDE] == side and friend != unit and row[STATUS] == ORDERED and distance(q, r, row[Q], row[R]) == 1:
            return True
    return False


@inlined
def is_worth_it(state: State, play: Play, doctrine: DoctrineRecord, unit: int, enemy: int) -> bool:
    """Tell whether the doctrine would have the unit go into contact with the enemy."""
    if doctrine.min_odds == 0.0:
        return True
    found = odds(state, play, unit, enemy)
    return found >= doctrine.min_odds or (2.0 * found >= doctrine.min_odds and has_friend_beside(state, unit, enemy))


@inlined
def is_shooter(state: State, unit: int) -> bool:
    """Tell whether a unit has missiles."""
    return bool(state.unit[unit, RANGE_LONG] > 0)


@inlined
def is_foot(state: State, unit: int) -> bool:
    """Tell whether a unit is foot without missiles, which its side's line is made of."""
    return bool(state.unit[unit, RANGE_LONG] == 0 and state.unit[unit, TRAITS] & MOUNTED == 0)


@inlined
def stance_of(state: State, doctrine: DoctrineRecord, unit: int) -> int:
    """Return whether units of this kind hold, advance, or do so with their foot."""
    if is_shooter(state, unit):
        return int(doctrine.shooters)
    return int(doctrine.horse) if state.unit[unit, TRAITS] & MOUNTED else int(doctrine.foot)


@inlined
def wanted_range(state: State, doctrine: DoctrineRecord, unit: int) -> int:
    """Return how near a shooter wants an enemy to be (hexes)."""
    own = state.unit[unit]
    band = RANGE_SHORT if doctrine.close_in == SHORT else RANGE_MEDIUM if doctrine.close_in == MEDIUM else RANGE_LONG
    return max(int(own[band]), int(doctrine.keep_away))


@inner
def is_patient(state: State, doctrine: DoctrineRecord, unit: int) -> bool:
    """Tell whether a unit stands where it is: its kind holds, and has not yet waited in vain for long enough."""
    if stance_of(state, doctrine, unit) != HOLD:
        return False
    if doctrine.patience == 0 or state.turn <= doctrine.patience:
        return True
    side = state.unit[unit, SIDE]
    for shooter in range(state.count):
        row = state.unit[shooter]
        if row[SIDE] != side or row[STATUS] != ORDERED or row[RANGE_LONG] == 0:
            continue
        reach = wanted_range(state, doctrine, shooter)
        for enemy in range(state.count):
            other = state.unit[enemy]
            is_enemy = other[SIDE] != side and is_here(state, enemy)
            if is_enemy and distance(row[Q], row[R], other[Q], other[R]) <= reach:
                return True
    return False
