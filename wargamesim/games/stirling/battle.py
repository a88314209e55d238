"""Many battles, compiled: the fast implementation of the rules. The referee is the literal one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from wargamesim.bits import NONE
from wargamesim.compiled import compiled, inlined, inner
from wargamesim.games.stirling.battle_end import is_sterile, judge
from wargamesim.games.stirling.battle_melee import melee_phase
from wargamesim.games.stirling.battle_move import movement_phase, roll_initiative
from wargamesim.games.stirling.battle_nerve import morale_phase, recovery_phase
from wargamesim.games.stirling.battle_record import BATTLE, MOST_EVENTS, Battle, note, on_battle, option
from wargamesim.games.stirling.battle_shots import ranged_phase
from wargamesim.games.stirling.doctrine import DOCTRINE
from wargamesim.games.stirling.layout import (
    COMMANDER_GONE,
    FIELDS,
    FIRST,
    FIRST_OF_TURN,
    HURT,
    IN_ORDER,
    LEADER_GONE,
    LEFT,
    LOSS,
    MEN,
    ORDERED,
    ROUTED,
    SECOND,
    SIDE,
    SPELL_FIELDS,
    STATUS,
    STERILE,
    T_RESULT,
    T_TURN_END,
    TALLIES,
    State,
)
from wargamesim.records import new_record, pack

if TYPE_CHECKING:
    from wargamesim.games.stirling.scenario import Setup

# The record of a battle: outcome, turns, then the tally in its order.
RECORD = 2 + TALLIES

MOVE_FIRST, RECOVERY_FIRST = option("phases", "move_first"), option("phases", "recovery_first")

Longs = npt.NDArray[np.int64]


def play(setup: Setup, key: int, first: int, count: int, *, events: int = 0) -> tuple[Longs, Longs]:
    """Play battles number `first` to `first + count - 1`.

    Parameters
    ----------
    setup : Setup
        One cell.
    key : int
        Key of the dice, from `dice.keys.battle_key`.
    first, count : int
        The battles.
    events : int, at most MOST_EVENTS
        Room for that many events of the last battle's trace.

    Returns
    -------
    records : int64 array of shape [count, RECORD]
        Outcome, turns, tally.
    trace : int64 array of shape [at most events, TRACE_FIELDS]
        As described in `referee`.

    Examples
    --------
    >>> from wargamesim.games.stirling.scenario import compile_setup, load_scenario, scenarios
    >>> from wargamesim.rulebook import load_rulebook
    >>> setup = compile_setup(load_rulebook("stirling"), load_scenario(scenarios()[0]))
    >>> records, _ = play(setup, key=1, first=0, count=3)
    >>> records.shape == (3, RECORD)
    True
    """
    records = np.empty((count, RECORD), np.int64)
    b = new_record(BATTLE)
    b.key, b.play, b.room = np.uint64(key), setup.play, min(events, MOST_EVENTS)
    for side, doctrine in enumerate(setup.doctrines):
        b.doctrine[side] = pack(doctrine, DOCTRINE)
    play_battles(b, setup.start, first, records)
    return records, b.log[: b.events].copy()


@compiled
def play_battles(b: Battle, start: State, first: int, records: Longs) -> None:
    """Play battles number `first` onward.

    Parameters
    ----------
    b : record of BATTLE
        With key, rules, doctrines and room for the trace; scratch of this thread alone.
    start : record of STATE
        The initial position.
    first : int
        Number of the first battle.
    records : int64 array of shape [battles, RECORD]
        Filled: outcome, turns, tally.
    """
    for i in range(records.shape[0]):
        b.number, b.events, b.block = first + i, 0, -1
        records[i, 0] = _play_one(b, start)
        records[i, 1] = b.state.turn
        for tally in range(TALLIES):
            records[i, 2 + tally] = b.state.tally[tally]


@on_battle(0)
def _begin_turn(b: Battle) -> None:
    """Forget what lasted for a turn."""
    state = b.state
    state.turn += 1
    b.broken[FIRST] = b.broken[SECOND] = NONE
    for unit in range(state.count):
        for field in range(FIRST_OF_TURN, FIELDS):
            state.unit[unit, field] = 0
        state.unit[unit, LEADER_GONE] = state.unit[unit, COMMANDER_GONE] = 0
        state.unit[unit, LOSS] = state.unit[unit, HURT] = 0
        state.unit[unit, LEFT] = state.unit[unit, MEN]


@on_battle(0)
def _note_turn(b: Battle) -> None:
    state = b.state
    men, ordered, routed = b.share, b.mixed, b.lost
    for side in range(2):
        men[side] = ordered[side] = routed[side] = 0
    for unit in range(state.count):
        side = state.unit[unit, SIDE]
        if state.unit[unit, STATUS] <= ROUTED:
            men[side] += state.unit[unit, MEN]
            ordered[side] += 1 if state.unit[unit, STATUS] == ORDERED else 0
            routed[side] += 1 if state.unit[unit, STATUS] == ROUTED else 0
    note(b, T_TURN_END, men[0], men[1], ordered[0], ordered[1], routed[0], routed[1], -1, -1, -1, -1)


@inner
def _play_one(b: Battle, start: State) -> int:
    """Play one battle; return its outcome."""
    state, play = b.state, b.play
    _set_up(state, start)
    outcome = STERILE if is_sterile(b) else -1
    while outcome < 0:
        _begin_turn(b)
        if play.phases == RECOVERY_FIRST:
            recovery_phase(b)
        if state.movement == 1:
            roll_initiative(b)
        if play.phases != MOVE_FIRST:
            ranged_phase(b)
        if state.movement == 1:
            movement_phase(b)
        if play.phases == MOVE_FIRST:
            ranged_phase(b)
        melee_phase(b)
        morale_phase(b)
        if play.phases != RECOVERY_FIRST:
            recovery_phase(b)
        if b.room > 0:
            _note_turn(b)
        outcome = judge(b)
    for unit in range(state.count):
        if state.unit[unit, STATUS] == ORDERED:
            state.tally[IN_ORDER + state.unit[unit, SIDE]] += state.unit[unit, MEN]
    note(b, T_RESULT, outcome, -1, -1, -1, -1, -1, -1, -1, -1, -1)
    return outcome


@inlined
def _set_up(state: State, start: State) -> None:
    """Copy the initial position."""
    state.rows, state.cols, state.movement = start.rows, start.cols, start.movement
    state.count, state.turn, state.spells = start.count, 0, start.spells
    for side in range(2):
        state.commander[side] = start.commander[side]
        state.commander_charisma[side] = start.commander_charisma[side]
    for unit in range(start.count):
        for field in range(FIELDS):
            state.unit[unit, field] = start.unit[unit, field]
        state.unit[unit, LEFT] = state.unit[unit, MEN]
    for spell in range(start.spells):
        for field in range(SPELL_FIELDS):
            state.spell[spell, field] = start.spell[spell, field]
    for tally in range(TALLIES):
        state.tally[tally] = 0
