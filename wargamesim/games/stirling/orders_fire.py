"""Whom a unit shoots at or casts a spell on, and whether a shot into a melee pays. Compiled."""

from __future__ import annotations

import numpy as np

from wargamesim.bits import NONE, ONE, bit, lowest
from wargamesim.compiled import inner
from wargamesim.games.stirling.doctrine import EASIEST, NEAREST, DoctrineRecord
from wargamesim.games.stirling.hexes import distance, is_here, standing, target_of
from wargamesim.games.stirling.layout import (
    FRONT,
    HP,
    LARGE,
    MEN,
    ORDERED,
    RANGE_LONG,
    RANGE_MEDIUM,
    RANGE_SHORT,
    ROUTED,
    SIDE,
    STATUS,
    STEP_Q,
    STEP_R,
    TRAITS,
    Q,
    R,
    State,
)
from wargamesim.games.stirling.orders_odds import harm
from wargamesim.games.stirling.playing import Play

# What a routed enemy is worth beside one in order: he may recover, but does no harm now.
ROUTED_WORTH = 0.3


@inner
def best_target(state: State, play: Play, doctrine: DoctrineRecord, unit: int) -> int:
    """Return the enemy whom a unit shoots at, or -1 if nobody is worth it."""
    own = state.unit[unit]
    q, r, side, reach = own[Q], own[R], own[SIDE], own[RANGE_LONG]
    if play.near_bars_all == 1 and _is_barred(state, play, unit):
        return -1
    friends, enemies = standing(state, side, ROUTED) & ~bit(unit), standing(state, 1 - side, ROUTED)
    best, best_value = -1, 0.0
    while enemies != NONE:
        enemy = lowest(enemies)
        enemies &= enemies - ONE
        row = state.unit[enemy]
        away = distance(q, r, row[Q], row[R])
        if away <= play.barred or away > reach or (play.arc == 1 and not _is_before(state, unit, enemy, away)):
            continue
        band = 0 if away <= own[RANGE_SHORT] else 1 if away <= own[RANGE_MEDIUM] else 2
        share = harm(state, play, unit, enemy, int(play.band[band]), 1)
        # Not share but men: half of a large unit is worth more than half of a small one, and large men more than small.
        value = share * _worth(state, enemy)
        if doctrine.target == NEAREST:
            value = 1.0 / (1.0 + away)
        elif doctrine.target != EASIEST:
            value *= _worth(state, enemy)
        if row[STATUS] != ORDERED:
            value *= ROUTED_WORTH
        if value > best_value:
            value *= _gain_of_mix(state, play, doctrine, friends, enemy)
            if value > best_value:
                best, best_value = enemy, value
    if best >= 0 and target_of(state, unit) >= 0 and not _beats_melee(state, play, unit, best):
        return -1
    return int(best)


@inner
def _worth(state: State, unit: int) -> float:
    """Return what a unit is worth: its men by their hit points."""
    return float(state.unit[unit, MEN] * state.unit[unit, HP])


@inner
def _is_barred(state: State, play: Play, unit: int) -> bool:
    """Tell whether an enemy is so near that a unit shoots at nobody (SS-P11)."""
    own = state.unit[unit]
    near = max(1, play.barred)
    for enemy in range(state.count):
        row = state.unit[enemy]
        if row[SIDE] != own[SIDE] and is_here(state, enemy) and distance(own[Q], own[R], row[Q], row[R]) <= near:
            return True
    return False


@inner
def _is_before(state: State, unit: int, enemy: int, away: int) -> bool:
    """Tell whether one of the three hexsides at a unit's front looks at the enemy (SS-P13)."""
    own, row = state.unit[unit], state.unit[enemy]
    for offset in (5, 0, 1):
        side = (own[FRONT] + offset) % 6
        if distance(own[Q] + STEP_Q[side], own[R] + STEP_R[side], row[Q], row[R]) < away:
            return True
    return False


@inner
def _gain_of_mix(state: State, play: Play, doctrine: DoctrineRecord, friends: np.uint64, enemy: int) -> float:
    """Return what share of a shot is gained where friends are in melee with the target (SS-4.4); 1 if there are none.

    The friends' share counts against it, as often as the doctrine weighs them.
    """
    row = state.unit[enemy]
    weight = ours = 0.0
    while friends != NONE:
        friend = lowest(friends)
        friends &= friends - ONE
        other = state.unit[friend]
        if distance(other[Q], other[R], row[Q], row[R]) == 1 and _are_in_melee(state, friend, enemy):
            ours += other[MEN] * (play.large_weight if other[TRAITS] & LARGE else 1)
    if ours == 0.0:
        return 1.0
    weight = row[MEN] * (play.large_weight if row[TRAITS] & LARGE else 1)
    shares = play.shares * ours / (ours + weight)
    # Shares of the lighter party are rounded down.
    shares = int(shares) if ours <= weight else play.shares - int(play.shares - shares)
    return float((play.shares - shares - doctrine.friend_weight * shares) / play.shares)


@inner
def _are_in_melee(state: State, unit: int, other: int) -> bool:
    """Tell whether one of two neighbours, being in order, has its front on the other."""
    a, b = state.unit[unit], state.unit[other]
    if a[STATUS] == ORDERED and a[Q] + STEP_Q[a[FRONT]] == b[Q] and a[R] + STEP_R[a[FRONT]] == b[R]:
        return True
    return bool(b[STATUS] == ORDERED and b[Q] + STEP_Q[b[FRONT]] == a[Q] and b[R] + STEP_R[b[FRONT]] == a[R])


@inner
def _beats_melee(state: State, play: Play, unit: int, target: int) -> bool:
    """Tell whether a shot, after which a unit does not strike, is better than striking the enemy at its front."""
    own, row = state.unit[unit], state.unit[target]
    away = distance(own[Q], own[R], row[Q], row[R])
    band = 0 if away <= own[RANGE_SHORT] else 1 if away <= own[RANGE_MEDIUM] else 2
    struck = target_of(state, unit)
    shot = harm(state, play, unit, target, int(play.band[band]), 1) * _worth(state, target)
    return shot > harm(state, play, unit, struck, 0, 0) * _worth(state, struck)


@inner
def best_victim(state: State, unit: int, reach: int) -> int:
    """Return the enemy within reach on whom a spell is cast: the one worth most, those in order first; -1 if none."""
    own = state.unit[unit]
    best, best_value = -1, 0.0
    for enemy in range(state.count):
        row = state.unit[enemy]
        if row[SIDE] == own[SIDE] or not is_here(state, enemy):
            continue
        if distance(own[Q], own[R], row[Q], row[R]) <= reach:
            value = _worth(state, enemy) * (1.0 if row[STATUS] == ORDERED else ROUTED_WORTH)
            if value > best_value:
                best, best_value = enemy, value
    return int(best)
