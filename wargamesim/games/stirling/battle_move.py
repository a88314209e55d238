"""The movement phase: initiative, delays, moves, interception, charges. Compiled; it trusts the players' proposals."""

from __future__ import annotations

import numpy as np

from wargamesim.bits import NONE, ONE, lowest
from wargamesim.compiled import inlined
from wargamesim.games.stirling import orders
from wargamesim.games.stirling.battle_flight import flee
from wargamesim.games.stirling.battle_harm import settle_all
from wargamesim.games.stirling.battle_parts import merge, split
from wargamesim.games.stirling.battle_record import Battle, find_near, note, on_battle, roll
from wargamesim.games.stirling.battle_way import go
from wargamesim.games.stirling.hexes import direction, is_here, standing
from wargamesim.games.stirling.layout import (
    CHARGE,
    DELAYED,
    ENGAGED,
    FIRST,
    FLEE,
    FRONT,
    INITIATIVE,
    MERGE,
    MOST_UNITS,
    MOV,
    MOVED,
    ORDERED,
    ROUTED,
    SECOND,
    SIDE,
    SPLIT,
    STATUS,
    STAY,
    STEPS,
    T_INITIATIVE,
    T_MOVE,
    TO_FRONT,
    WHAT,
    Q,
    R,
    State,
)


@on_battle(0)
def roll_initiative(b: Battle) -> None:
    """Roll both sides' dice until they differ (SS-5.2)."""
    k, first, second = -1, 0, 0
    while first == second:
        k += 1
        first = roll(b, FIRST, INITIATIVE, k, b.play.initiative_die)
        second = roll(b, SECOND, INITIATIVE, k, b.play.initiative_die)
    b.state.die[FIRST], b.state.die[SECOND] = first, second
    note(b, T_INITIATIVE, first, second, k, -1, -1, -1, -1, -1, -1, -1)


@inlined
def _face(state: State, unit: int, enemies: np.uint64) -> bool:
    """Tell whether a unit and one of some neighbours, as bits, have the front on each other, or one of them has."""
    own = state.unit[unit]
    while enemies != NONE:
        row = state.unit[lowest(enemies)]
        enemies &= enemies - ONE
        way = direction(own[Q], own[R], row[Q], row[R])
        if own[FRONT] == way or row[FRONT] == (way + 3) % 6:
            return True
    return False


@inlined
def _find_engaged(b: Battle) -> None:
    """Mark who is engaged as the phase begins (SS-5.7, SS-P20)."""
    state, play = b.state, b.play
    find_near(b, 1 if play.engaged_by_facing == 1 else play.zone)
    last = ROUTED if play.routed_zone == 1 else ORDERED
    with_zone = standing(state, FIRST, last) | standing(state, SECOND, last)
    for unit in range(state.count):
        enemies = b.near[unit] & with_zone
        if enemies != NONE and (play.engaged_by_facing == 0 or _face(state, unit, enemies)):
            state.unit[unit, ENGAGED] = 1


@inlined
def _line_up(b: Battle) -> int:
    """Order all units on the board by speed, the fastest first; return how many they are (SS-5.2, SS-P24)."""
    state = b.state
    n = 0
    for unit in range(state.count):
        if is_here(state, unit):
            die = state.die[state.unit[unit, SIDE]]
            rank = die if b.play.low_first == 1 else 127 - die
            key = ((1023 - state.unit[unit, MOV]) * 128 + rank) * MOST_UNITS + unit
            j = n
            while j > 0 and b.order[j - 1] > key:
                b.order[j] = b.order[j - 1]
                j -= 1
            b.order[j] = key
            n += 1
    # What lies behind the last is not looked at.
    if n < MOST_UNITS:
        b.order[n] = -1
    return n


@on_battle(1)
def _act(b: Battle, unit: int) -> None:
    """Carry out what its player orders a unit to do."""
    state = b.state
    action = b.plan.action
    orders.move(state, b.play, b.doctrine[state.unit[unit, SIDE]], b.plan, unit)
    what = action[WHAT]
    if what == FLEE:
        flee(b, unit)
        return
    state.unit[unit, MOVED] = 1
    if what == SPLIT:
        split(b, unit)
        return
    if what == STAY:
        state.unit[unit, FRONT] = action[TO_FRONT]
        q, r, front = state.unit[unit, Q], state.unit[unit, R], action[TO_FRONT]
        note(b, T_MOVE, unit, STAY, q, r, front, 0, 0, -1, state.unit[unit, DELAYED], -1)
        if action[MERGE] >= 0:
            merge(b, unit, action[MERGE])
        return
    into = action[MERGE]
    if go(b, unit, what, action[STEPS], action[CHARGE]) == 1 and into >= 0:
        merge(b, unit, into)


@on_battle(0)
def movement_phase(b: Battle) -> None:
    """Move all units, from the fastest down and then the delayed ones from the slowest up (SS-5.3)."""
    state, play = b.state, b.play
    state.vacated = 0
    _find_engaged(b)
    n = _line_up(b)
    delays = 0
    if play.side_delays == 1:
        for side in range(2):
            delays |= orders.delay_side(state, play, b.doctrine[side], b.plan, side) << side
    b.waiting = 0
    for i in range(n):
        unit = b.order[i] % MOST_UNITS
        if state.unit[unit, STATUS] > ROUTED or state.unit[unit, MOVED] == 1:
            continue
        if state.unit[unit, STATUS] == ROUTED:
            flee(b, unit)
            continue
        side = state.unit[unit, SIDE]
        if play.side_delays == 1:
            waits = delays >> side & 1
        else:
            waits = orders.delay(state, play, b.doctrine[side], b.plan, unit)
        if waits == 0:
            _act(b, unit)
            continue
        state.unit[unit, DELAYED] = 1
        key = (state.unit[unit, MOV] * 128 + state.die[side]) * MOST_UNITS + unit
        j = b.waiting
        while j > 0 and b.delayed[j - 1] > key:
            b.delayed[j] = b.delayed[j - 1]
            j -= 1
        b.delayed[j] = key
        b.waiting += 1
    for i in range(b.waiting):
        unit = b.delayed[i] % MOST_UNITS
        if state.unit[unit, STATUS] > ROUTED or state.unit[unit, MOVED] == 1:
            continue
        if state.unit[unit, STATUS] == ROUTED:
            flee(b, unit)
        else:
            _act(b, unit)
    settle_all(b)
