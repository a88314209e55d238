"""Many battles, compiled: the fast implementation of the rules. The referee is the literal one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from wargamesim.compiled import compiled
from wargamesim.games.coloniale.battle_assault import assault_phase
from wargamesim.games.coloniale.battle_end import begin_turn, draw_disciplines, hold_zones, judge, note_turn, sum_up
from wargamesim.games.coloniale.battle_fire import leave, rally_phase
from wargamesim.games.coloniale.battle_move import take_turns
from wargamesim.games.coloniale.battle_record import BATTLE, MOST_EVENTS, Battle, note
from wargamesim.games.coloniale.compiling import merged
from wargamesim.games.coloniale.doctrine import DOCTRINE
from wargamesim.games.coloniale.layout import (
    FIELDS,
    MOST_ZONES,
    PHASE_B,
    PHASE_D,
    PHASE_E,
    T_RESULT,
    TALLIES,
    State,
    X,
    Y,
)
from wargamesim.games.coloniale.whereabouts import look_anew
from wargamesim.records import new_record, pack

if TYPE_CHECKING:
    from wargamesim.games.coloniale.scenario import Setup

# The record of a battle: outcome, turns, then the tally in its order.
RECORD = 2 + TALLIES

Longs = npt.NDArray[np.int64]


def battle_of(setup: Setup, key: int, events: int = 0) -> Battle:
    """Return the record in which the battles of one cell are played, one after the other, by one thread."""
    battle = new_record(BATTLE)
    for field in ("play", "goals", "ground"):
        battle[field] = getattr(setup, field)
    for side, doctrine in enumerate(setup.doctrines):
        battle.doctrine[side] = pack(doctrine, DOCTRINE)
    battle.key, battle.room = np.uint64(key), min(events, MOST_EVENTS)
    return battle


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
    >>> from wargamesim.games.coloniale.scenario import compile_setup, load_scenario, scenarios
    >>> from wargamesim.rulebook import load_rulebook
    >>> setup = compile_setup(load_rulebook("coloniale"), load_scenario(scenarios()[0]))
    >>> records, _ = play(setup, key=1, first=0, count=3)
    >>> records.shape == (3, RECORD)
    True
    """
    battle, records = battle_of(setup, key, events), np.empty((count, RECORD), np.int64)
    play_battles(battle, setup.start, first, records)
    return records, battle.log[: battle.events].copy()


@compiled
def play_battles(b: Battle, start: State, first: int, records: Longs) -> None:
    """Play battles number `first` onward.

    Parameters
    ----------
    b : record of BATTLE
        With key, rules, ground, goals, doctrines and room for the trace; scratch of this thread alone.
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


@merged
def _play_one(b: Battle, start: State) -> int:
    """Play one battle; return its outcome."""
    state = b.state
    _set_up(state, start)
    draw_disciplines(b)
    outcome = -1
    while outcome < 0:
        begin_turn(b)
        rally_phase(b)
        if state.night == 0:
            take_turns(b, PHASE_B)
            leave(b)
        assault_phase(b)
        if state.night == 0 and b.goals.movement == 1:
            take_turns(b, PHASE_D)
            take_turns(b, PHASE_E)
        hold_zones(b)
        if b.room > 0:
            note_turn(b)
        outcome = judge(b)
    sum_up(b)
    note(b, T_RESULT, outcome, -1, -1, -1, -1, -1, -1, -1, -1, -1)
    return outcome


@merged
def _set_up(state: State, start: State) -> None:
    """Copy the initial position."""
    state.count, state.turn, state.night, state.nights = start.count, 0, 0, 0
    for unit in range(start.count):
        state.place[unit, X], state.place[unit, Y] = start.place[unit, X], start.place[unit, Y]
        for field in range(FIELDS):
            state.unit[unit, field] = start.unit[unit, field]
    for zone in range(MOST_ZONES):
        state.owner[zone] = start.owner[zone]
    for tally in range(TALLIES):
        state.tally[tally] = 0
    look_anew(state)
