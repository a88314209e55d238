"""Many battles, compiled: the fast implementation of the rules. The referee is the literal one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from wargamesim.compiled import compiled, inlined, inner, inner_as
from wargamesim.dice.stream import face
from wargamesim.games.azincourt import layout, orders
from wargamesim.games.azincourt.division import defence_value
from wargamesim.games.azincourt.doctrine import DOCTRINE, DoctrineRecord
from wargamesim.games.azincourt.layout import (
    BEHIND,
    CASTLE,
    CLOSING,
    DISMOUNTS,
    FACING,
    FIRST_MOVER,
    GAP,
    KIND,
    LAST_MOVES,
    LOST,
    MARGIN,
    MOVES_LEFT,
    MUD_FACTOR,
    OWN_SHOT,
    PLANTED,
    SIDE,
    STAKES,
    UNHORSED,
    State,
)
from wargamesim.games.azincourt.orders import (
    DICE,
    DISMOUNT,
    FIRE,
    MOVE,
    PIECE,
    PLANT,
    SHOOT,
    STAKE_COL,
    STAKE_ROW,
    TO_COL,
    TO_FACING,
    TO_ROW,
    WHAT,
)
from wargamesim.games.azincourt.plan import PLAN, Plan
from wargamesim.games.azincourt.rules import (
    ARROW,
    CANNON,
    CANNON_SHOT,
    COIN,
    DRAW,
    ENGLISH,
    FOOT_KNIGHT,
    FRENCH,
    INITIATIVE,
    MELEE_ATTACK,
    MELEE_DEFENCE,
    NO_DECISION,
    REMOVE,
    RULES,
    UNHORSE,
    RulesRecord,
)
from wargamesim.games.azincourt.sight import square_reached
from wargamesim.games.azincourt.state import has, is_mounted, lift, plant, put, replace
from wargamesim.records import new_record, pack

if TYPE_CHECKING:
    from wargamesim.games.azincourt.scenario import Setup

# The record of a battle: outcome, side-turns, then the tally in its order.
RECORD = 2 + layout.TALLIES

# An event of the trace, field by field, is described in `referee`.
FIGHT, TURN_END, RESULT = 100, 200, 300
TRACE_FIELDS = 10

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
    events : int
        Room for that many events of the last battle's trace.

    Returns
    -------
    records : int64 array of shape [count, RECORD]
        Outcome, turns of both sides, tally.
    trace : int64 array of shape [at most events, TRACE_FIELDS]
        As described in `referee`.

    Examples
    --------
    >>> from wargamesim.games.azincourt.scenario import compile_setup, load_scenario
    >>> from wargamesim.rulebook import load_rulebook
    >>> setup = compile_setup(load_rulebook("azincourt"), load_scenario("azincourt_1415"))
    >>> records, _ = play(setup, key=1, first=0, count=3)
    >>> records.shape == (3, RECORD)
    True
    """
    records = np.empty((count, RECORD), np.int64)
    trace = np.full((events, TRACE_FIELDS), -1, np.int64)
    happened = play_battles(
        pack(setup.rules, RULES),
        setup.start,
        new_record(layout.STATE),
        new_record(PLAN),
        pack(setup.doctrines[ENGLISH], DOCTRINE),
        pack(setup.doctrines[FRENCH], DOCTRINE),
        setup.fixed_mud,
        np.uint64(key),
        first,
        records,
        trace,
    )
    return records, trace[:happened]


@compiled
def play_battles(
    rules: RulesRecord,
    start: State,
    state: State,
    plan: Plan,
    english: DoctrineRecord,
    french: DoctrineRecord,
    fixed_mud: int,
    key: np.uint64,
    first: int,
    records: Longs,
    trace: Longs,
) -> int:
    """Play battles number `first` onward.

    Parameters
    ----------
    rules, english, french : record
        Packed rules and doctrines.
    start : record
        The initial position.
    state, plan : record
        Scratch of this thread alone.
    fixed_mud : int
        The mud factor, or -1 to roll for it.
    key : uint64
        Key of the dice.
    first : int
        Number of the first battle.
    records : int64 array of shape [battles, RECORD]
        Filled: outcome, side-turns, tally.
    trace : int64 array of shape [events, TRACE_FIELDS]
        Filled with the events of the last battle, as many as there is room for.

    Returns
    -------
    int
        The number of events of the last battle.
    """
    events = 0
    for i in range(records.shape[0]):
        battle = first + i
        _set_up(rules, state, start)
        _roll_mud(rules, state, fixed_mud, key, battle)
        fielded = _fielded(state)
        side, turn, outcome, events = state.tally[FIRST_MOVER], 0, -1, 0
        while outcome < 0:
            turn += 1
            doctrine = english if side == ENGLISH else french
            orders.begin(state, rules, doctrine, plan, side, turn)
            while orders.propose(state, rules, doctrine, plan):
                result = _resolve(rules, state, plan, key, battle, turn, side)
                events = _note_action(trace, events, turn, plan, result)
            events = _close_combat(rules, state, plan, key, battle, turn, side, trace, events)
            outcome = _judge(rules, state, fielded, side, turn)
            events = _note_turn(trace, events, state, turn, side)
            side = 1 - side
        events = _note(trace, events, turn, RESULT, outcome, -1, -1, -1, -1, -1, -1, -1)
        records[i, 0], records[i, 1] = outcome, turn
        for tally in range(layout.TALLIES):
            records[i, 2 + tally] = state.tally[tally]
    return events


@inner
def _set_up(rules: RulesRecord, state: State, start: State) -> None:
    """Copy the initial position."""
    state.height, state.width, state.count = start.height, start.width, start.count
    for row in range(start.height):
        for plane in range(layout.PLANES):
            state.rows[plane, row] = start.rows[plane, row]
        for col in range(start.width):
            state.at[row, col] = start.at[row, col]
    for col in range(start.width):
        for plane in range(layout.PLANES):
            state.cols[plane, col] = start.cols[plane, col]
    for field in range(layout.FIELDS):
        for piece in range(start.count):
            state.pieces[field, piece] = start.pieces[field, piece]
    for tally in range(layout.TALLIES):
        state.tally[tally] = 0
    for field in range(layout.ENDINGS):
        state.ending[field] = 0
    state.ending[BEHIND], state.ending[MARGIN] = -1, rules.margin


@inner_as("int64(uint64, int64, int64, int64, int64, int64, int64)")
def _roll(key: np.uint64, battle: int, turn: int, actor: int, purpose: int, k: int, sides: int) -> int:
    """Roll one die; the dice are compiled once here instead of at every call."""
    return face(key, battle, turn, actor, purpose, k, sides)  # type: ignore[arg-type]  # a uint64, as Numba needs it


@inner
def _roll_mud(rules: RulesRecord, state: State, fixed_mud: int, key: np.uint64, battle: int) -> None:
    """Roll for mud and for the first move (AZ-2.1, AZ-2.4, AZ-2.5)."""
    k = 0
    english = _roll(key, battle, 0, ENGLISH, INITIATIVE, k, rules.mud_die)
    french = _roll(key, battle, 0, FRENCH, INITIATIVE, k, rules.mud_die)
    while english == french and rules.equal_dice == 3:
        k += 1
        english = _roll(key, battle, 0, ENGLISH, INITIATIVE, k, rules.mud_die)
        french = _roll(key, battle, 0, FRENCH, INITIATIVE, k, rules.mud_die)
    state.tally[MUD_FACTOR] = abs(english - french) if fixed_mud < 0 else fixed_mud
    if english != french:
        state.tally[FIRST_MOVER] = ENGLISH if english < french else FRENCH
    elif rules.equal_dice == 0:
        state.tally[FIRST_MOVER] = _roll(key, battle, 0, 0, COIN, 0, 2) - 1
    else:
        state.tally[FIRST_MOVER] = FRENCH if rules.equal_dice == 1 else ENGLISH


@inlined
def _fielded(state: State) -> tuple[int, int]:
    english = 0
    for piece in range(state.count):
        english += 1 - state.pieces[SIDE, piece]
    return english, state.count - english


@inner
def _resolve(rules: RulesRecord, state: State, plan: Plan, key: np.uint64, battle: int, turn: int, side: int) -> int:
    """Carry out a proposed action; return the die or the sum of dice, -1 where none is rolled."""
    action = plan.action
    what, piece = action[WHAT], action[PIECE]
    if what == MOVE:
        lift(state, piece)
        put(state, piece, action[TO_ROW], action[TO_COL])
        if state.pieces[KIND, piece] == CANNON:
            state.pieces[FACING, piece] = action[TO_FACING]
        if action[STAKE_ROW] >= 0:
            _plant(state, piece, side, action[STAKE_ROW], action[STAKE_COL])
    elif what == SHOOT:
        rolled = _roll(key, battle, turn, piece, ARROW, 0, rules.arrow_die)
        _arrow_hits(rules, state, state.at[action[TO_ROW], action[TO_COL]], rolled)
        return rolled
    elif what == FIRE:
        total = 0
        for k in range(action[DICE]):
            total += _roll(key, battle, turn, piece, CANNON_SHOT, k, rules.cannon_die)
        row, col = square_reached(state, rules, piece, action[TO_ROW], action[TO_COL], total)
        if row >= 0 and state.at[row, col] >= 0:
            _blast(rules, state, side, row, col)
        return total
    elif what == DISMOUNT:
        replace(state, piece, FOOT_KNIGHT)
    elif what == PLANT:
        _plant(state, piece, side, action[STAKE_ROW], action[STAKE_COL])
    return -1


@inlined
def _plant(state: State, piece: int, side: int, row: int, col: int) -> None:
    plant(state, row, col)
    state.pieces[STAKES, piece] -= 1
    state.tally[PLANTED + side] += 1


@inlined
def _remove(state: State, piece: int) -> None:
    lift(state, piece)
    state.tally[LOST + state.pieces[SIDE, piece]] += 1


@inlined
def _unhorse(state: State, piece: int) -> None:
    replace(state, piece, FOOT_KNIGHT)
    state.tally[UNHORSED + state.pieces[SIDE, piece]] += 1


@inlined
def _arrow_hits(rules: RulesRecord, state: State, target: int, rolled: int) -> None:
    """Apply an arrow's die (AZ-4.3 to AZ-4.5)."""
    effect = rules.arrow_effect[1 if is_mounted(state, target) else 0, rolled]
    if effect == REMOVE:
        _remove(state, target)
    elif effect == UNHORSE and state.pieces[DISMOUNTS, target] == 1:
        _unhorse(state, target)


@inner
def _blast(rules: RulesRecord, state: State, side: int, row: int, col: int) -> None:
    """Remove what stands around the square reached (AZ-5.3, AZ-5.4, AZ-5.6)."""
    for r in range(max(0, row - rules.blast), min(state.height, row + rules.blast + 1)):
        for c in range(max(0, col - rules.blast), min(state.width, col + rules.blast + 1)):
            piece = state.at[r, c]
            if piece >= 0 and not has(state, CASTLE, r, c):
                if state.pieces[SIDE, piece] == side:
                    state.tally[OWN_SHOT + side] += 1
                _remove(state, piece)


@inner
def _close_combat(
    rules: RulesRecord,
    state: State,
    plan: Plan,
    key: np.uint64,
    battle: int,
    turn: int,
    side: int,
    trace: Longs,
    events: int,
) -> int:
    """Fight all close combats of a side's turn (AZ-6); return the number of events."""
    fights = orders.divide(state, rules, plan)
    if fights == 0:
        return events
    # A counting sort: the pieces of fight f are members[start[f]:start[f + 1]], attackers first, each by index.
    members, start, attackers = plan.scratch[0], plan.scratch[1], plan.scratch[2]
    for fight in range(fights + 1):
        start[fight] = attackers[fight] = 0
    for piece in range(state.count):
        if plan.fight_of[piece] >= 0:
            start[plan.fight_of[piece]] += 1
    filled = 0
    for fight in range(fights):
        filled += start[fight]
        start[fight] = filled - start[fight]
    start[fights] = filled
    for wanted in (side, 1 - side):
        for piece in range(state.count):
            fight = plan.fight_of[piece]
            if fight >= 0 and state.pieces[SIDE, piece] == wanted:
                members[start[fight]] = piece
                start[fight] += 1
                attackers[fight] += 1 if wanted == side else 0
    first = 0
    for fight in range(fights):
        middle, end = first + attackers[fight], start[fight]
        events = _fight(
            rules, state, members[first:middle], members[middle:end], key, battle, turn, side, trace, events
        )
        first = end
    return events


@inner
def _fight(
    rules: RulesRecord,
    state: State,
    attackers: npt.NDArray[np.int16],
    defenders: npt.NDArray[np.int16],
    key: np.uint64,
    battle: int,
    turn: int,
    side: int,
    trace: Longs,
    events: int,
) -> int:
    """Roll until one group wins, unhorsing on ties, and remove what the other loses (AZ-6.1, AZ-6.3, AZ-6.6)."""
    k = 0
    while True:
        attack = _roll(key, battle, turn, attackers[0], MELEE_ATTACK, k, rules.melee_die)
        defence = _roll(key, battle, turn, defenders[0], MELEE_DEFENCE, k, rules.melee_die)
        for piece in attackers:
            attack += rules.value[state.pieces[KIND, piece]]
        for piece in defenders:
            defence += defence_value(state, rules, piece)
        k += 1
        if attack != defence:
            break
        for group in (attackers, defenders):
            for piece in group:
                if state.pieces[DISMOUNTS, piece] == 1:
                    _unhorse(state, piece)
    beaten = defenders if attack > defence else attackers
    if rules.beaten_all == 1:
        for piece in beaten:
            _remove(state, piece)
    else:
        least = beaten[0]
        for piece in beaten:
            if rules.value[state.pieces[KIND, piece]] < rules.value[state.pieces[KIND, least]]:
                least = piece
        _remove(state, least)
    winner = side if attack > defence else 1 - side
    return _note(
        trace,
        events,
        turn,
        FIGHT,
        attackers[0],
        defenders[0],
        len(attackers),
        len(defenders),
        k,
        attack,
        defence,
        winner,
    )


@inlined
def _exceeds(rules: RulesRecord, difference: int, margin: int) -> bool:
    """Tell whether the difference of losses exceeds the margin (AZ-7.4)."""
    if rules.at_least == 1:
        return difference >= margin and difference > 0
    return difference > margin


@inner
def _judge(rules: RulesRecord, state: State, fielded: tuple[int, int], side: int, turn: int) -> int:
    """Judge the battle after a side's turn; return the outcome, or -1 while it goes on (AZ-7)."""
    ending = state.ending
    lost_english, lost_french = state.tally[LOST + ENGLISH], state.tally[LOST + FRENCH]
    if ending[CLOSING] == 1 and ending[MOVES_LEFT + side] > 0:
        ending[MOVES_LEFT + side] -= 1

    behind = ending[BEHIND]
    if behind >= 0 and behind == side:
        ending[LAST_MOVES] -= 1
        if ending[LAST_MOVES] == 0:
            gap = rules.points * (lost_english - lost_french)
            gap = gap if behind == ENGLISH else -gap
            saved = gap < ending[GAP] if rules.any_reduction == 1 else not _exceeds(rules, gap, ending[MARGIN])
            if not saved:
                return 1 - behind
            ending[BEHIND] = -1

    if ending[BEHIND] < 0:
        outcome = _judge_margin(rules, state, lost_english, lost_french)
        if outcome >= 0:
            return outcome
    half_gone = lost_english >= rules.half * fielded[ENGLISH] or lost_french >= rules.half * fielded[FRENCH]
    if ending[BEHIND] < 0 and ending[CLOSING] == 0 and half_gone:
        ending[CLOSING], ending[MARGIN] = 1, rules.small_margin
        ending[MOVES_LEFT], ending[MOVES_LEFT + 1] = rules.small_moves, rules.small_moves
        outcome = _judge_margin(rules, state, lost_english, lost_french)
        if outcome >= 0:
            return outcome
    if ending[CLOSING] == 1 and ending[BEHIND] < 0 and ending[MOVES_LEFT] == 0 and ending[MOVES_LEFT + 1] == 0:
        return DRAW
    return NO_DECISION if turn >= 2 * rules.turn_limit else -1


@inlined
def _judge_margin(rules: RulesRecord, state: State, lost_english: int, lost_french: int) -> int:
    """Give the army behind its last move, or the battle to the other (AZ-7.2, AZ-7.3, AZ-7.7)."""
    ending = state.ending
    gap = rules.points * abs(lost_english - lost_french)
    if not _exceeds(rules, gap, ending[MARGIN]):
        return -1
    behind = ENGLISH if lost_english > lost_french else FRENCH
    if rules.last_moves == 0 or (ending[CLOSING] == 1 and rules.small_last_move == 0):
        return 1 - behind
    ending[BEHIND], ending[LAST_MOVES], ending[GAP] = behind, rules.last_moves, gap
    return -1


@inner_as("int64(int64[:, ::1], int64, int64, int64, int64, int64, int64, int64, int64, int64, int64, int64)")
def _note(
    trace: Longs,
    events: int,
    turn: int,
    what: int,
    a: int,
    b: int,
    c: int,
    d: int,
    e: int,
    f: int,
    g: int,
    h: int,
) -> int:
    """Write one event of the trace, if there is room for one."""
    if events < trace.shape[0]:
        row = trace[events]
        row[0], row[1], row[2], row[3], row[4] = turn, what, a, b, c
        row[5], row[6], row[7], row[8], row[9] = d, e, f, g, h
    return events + 1


@inlined
def _note_action(trace: Longs, events: int, turn: int, plan: Plan, result: int) -> int:
    action = plan.action
    return _note(
        trace,
        events,
        turn,
        action[WHAT],
        action[PIECE],
        action[TO_ROW],
        action[TO_COL],
        action[TO_FACING],
        action[STAKE_ROW],
        action[STAKE_COL],
        action[DICE],
        result,
    )


@inlined
def _note_turn(trace: Longs, events: int, state: State, turn: int, side: int) -> int:
    tally, ending = state.tally, state.ending
    return _note(
        trace,
        events,
        turn,
        TURN_END,
        side,
        tally[LOST],
        tally[LOST + 1],
        tally[UNHORSED],
        tally[UNHORSED + 1],
        ending[BEHIND],
        ending[CLOSING],
        ending[MARGIN],
    )
