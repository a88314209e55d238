"""Many battles, compiled: the fast implementation of the rules. The referee is the literal one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from numba import types

from wargamesim.compiled import compiled, inlined, inner
from wargamesim.games.skirmish import orders
from wargamesim.games.skirmish.battle_act import act, burn
from wargamesim.games.skirmish.battle_cards import (
    CONTINUED,
    Q_SQUAD,
    Q_WHY,
    build_deck,
    draw_card,
    end_card,
    shuffle,
    slots_of,
)
from wargamesim.games.skirmish.battle_declared import declare, next_declared
from wargamesim.games.skirmish.battle_harm import becomes
from wargamesim.games.skirmish.battle_melee import AT_END_OF_TURN, NOBODY, fight_at_end_of_turn
from wargamesim.games.skirmish.battle_nerve import rally
from wargamesim.games.skirmish.battle_record import (
    BATTLE,
    MOST_EVENTS,
    OUTCOME,
    TURN_END,
    Battle,
    merged,
    note,
    on_battle,
    option,
)
from wargamesim.games.skirmish.battle_volley import blind_fire, volley
from wargamesim.games.skirmish.doctrine import DOCTRINE
from wargamesim.games.skirmish.layout import (
    ACT,
    ACTS,
    BLIND,
    BLUE,
    CAPTOR,
    CAPTURED,
    DRAGS,
    DRAW,
    END,
    FIELDS,
    FIGURE,
    FIRST,
    GONE,
    HELD,
    IN_PLAY,
    LEFT,
    LOADS_AWAY,
    MOST_HOUSES,
    MOVED,
    NO_DECISION,
    ON_CARD,
    PLACES,
    PRISONERS,
    RELOADED,
    S_COUNT,
    S_FIRST,
    S_SIDE,
    SECOND,
    SHOTS,
    SIDE,
    SQUAD_FIELDS,
    STATUS,
    TALLIES,
    TRIES,
    VOLLEY,
    WHAT,
    State,
    X,
    Y,
)
from wargamesim.games.skirmish.playing import SUIT_CARDS
from wargamesim.games.skirmish.sight import MORE, distance2, enemies
from wargamesim.games.skirmish.whereabouts import appears, draw_boxes, look_anew
from wargamesim.records import new_record, pack

if TYPE_CHECKING:
    from wargamesim.games.skirmish.scenario import Setup

# The record of a battle: outcome, turns, then the tally in its order.
RECORD = 2 + TALLIES

DECLARED, ONE_SLOT = option("declared", "declared"), option("rally_costs", "one_slot")
# ON_CARD of a figure that has come back on a card and may not act on it.
NO_MORE = 99
ESCORTED, LEAVES_PLAY = option("prisoner", "escorted"), option("prisoner", "leaves_play")

Longs = npt.NDArray[np.int64]


def battle_of(setup: Setup, key: int, events: int = 0) -> Battle:
    """Return the record in which the battles of one cell are played, one after the other, by one thread."""
    battle = new_record(BATTLE)
    for field in ("play", "goals", "ground"):
        battle[field] = getattr(setup, field)
    for side in (FIRST, SECOND):
        battle.doctrine[side] = pack(setup.doctrines[side], DOCTRINE)
    battle.key, battle.room = np.uint64(key), min(events, MOST_EVENTS)
    return battle


@inner
def set_up(state: State, start: State) -> None:
    """Copy the initial position."""
    state.count, state.squads, state.loads, state.turn = start.count, start.squads, start.loads, 0
    state.first_squads, state.clock = start.first_squads, 0
    for figure in range(start.count):
        state.nearest[figure] = NOBODY
        state.observers[0, figure] = start.observers[0, figure]
        state.observers[1, figure] = start.observers[1, figure]
        for plane in range(PLACES):
            state.place[plane, figure] = start.place[plane, figure]
        for field in range(FIELDS):
            state.figure[field, figure] = start.figure[field, figure]
    for squad in range(start.squads):
        state.stirred[squad] = 0
        for field in range(SQUAD_FIELDS):
            state.squad[field, squad] = start.squad[field, squad]
    for load in range(start.loads):
        state.load[X, load], state.load[Y, load] = start.load[X, load], start.load[Y, load]
        state.dragger[load] = start.dragger[load]
    for house in range(MOST_HOUSES):
        state.afire[house] = 0
    for tally in range(TALLIES):
        state.tally[tally] = 0
    state.fielded[FIRST], state.fielded[SECOND] = start.fielded[FIRST], start.fielded[SECOND]
    look_anew(state)


@on_battle(0)
def begin_turn(b: Battle) -> None:
    """Forget the last turn, and shuffle."""
    state = b.state
    fields = state.figure
    state.turn += 1
    draw_boxes(state)
    for i in range(state.count):
        fields[ACTS, i] = fields[TRIES, i] = fields[ON_CARD, i] = fields[SHOTS, i] = 0
        fields[MOVED, i] = fields[RELOADED, i] = 0
    for squad in range(state.squads):
        state.rallied[squad] = 0
    if state.turn == 1 or b.play.deck != CONTINUED:
        build_deck(b)
    shuffle(b)
    b.over = 0


@merged
def _choose(b: Battle, squad: int, left: int, why: int) -> int:
    """Let a squad's player choose, and see to all that is no single figure's action; return how many slots are left."""
    state, play, plan = b.state, b.play, b.plan
    orders.choose(state, b.ground, play, b.doctrine[state.squad[S_SIDE, squad]], b.goals, plan, squad, left, why)
    what = plan.action[WHAT]
    if what == END:
        return 0
    if what == ACT:
        return left - 1
    if what == VOLLEY:
        volley(b, squad)
        return int(left - plan.member_count)
    if what == BLIND:
        blind_fire(b, squad)
        return int(left - plan.member_count)
    state.rallied[squad] = 1
    rally(b, plan.action[FIGURE])
    if play.deck_kind == SUIT_CARDS and play.rally_costs == ONE_SLOT:
        state.figure[ON_CARD, plan.action[FIGURE]] = NO_MORE
        return left - 1
    return 0


@merged
def _activate(b: Battle, place: int) -> None:
    """Let the player of a squad in the queue choose who acts, until he is done or no slot is left.

    By one reading nobody acts before all who do have declared it (NA-2.8).
    """
    state, play, plan = b.state, b.play, b.plan
    squad, why = b.queue[Q_SQUAD, place], b.queue[Q_WHY, place]
    first = state.squad[S_FIRST, squad]
    end = first + state.squad[S_COUNT, squad]
    for i in range(first, end):
        state.figure[ON_CARD, i] = 0
    left, as_declared = slots_of(b, place), 0
    while True:
        figure = NOBODY
        if left > 0:
            left = _choose(b, squad, left, why)
            if plan.action[WHAT] == ACT:
                figure = plan.action[FIGURE]
                if play.declared == DECLARED:
                    declare(b, figure)
                    figure = NOBODY
        elif play.declared == DECLARED:
            figure, as_declared = next_declared(b, first, end), 1
        if figure >= 0:
            act(b, figure, as_declared)
        elif left <= 0 and (play.declared != DECLARED or as_declared == 1):
            break


@merged
def _free_prisoners(b: Battle) -> None:
    """Free those whom no enemy guards (NA-7.15)."""
    state, play, fields = b.state, b.play, b.state.figure
    near = play.escort_distance if play.prisoner == ESCORTED else play.guard_distance
    for figure in range(state.count):
        if fields[STATUS, figure] != CAPTURED:
            continue
        guarded = False
        first, end = enemies(state, figure)
        for i in range(first, end):
            if fields[STATUS, i] == IN_PLAY and distance2(state, figure, i) <= near * near * MORE:
                guarded = True
        if not guarded:
            becomes(b, figure, IN_PLAY)
            fields[CAPTOR, figure] = -1
            appears(state, figure)
            state.tally[PRISONERS + fields[SIDE, figure]] -= 1
            for i in range(first, end):
                if fields[DRAGS, i] == figure:
                    fields[DRAGS, i] = -1


@inner
def _counts(state: State, side: int) -> tuple[int, int, int]:
    """Return how many figures a side has lost (neither in play nor gone by its edge), in play, and marked blue."""
    lost = left = blue = 0
    first = 0 if side == FIRST else state.fielded[FIRST]
    for i in range(first, first + state.fielded[side]):
        status = state.figure[STATUS, i]
        if status == IN_PLAY:
            left += 1
            blue += state.figure[BLUE, i]
        elif status != LEFT:
            lost += 1
    return lost, left, blue


@on_battle(1, types.int64)
def _wins(b: Battle, side: int) -> int:
    """Tell whether a side has reached a goal that any card may bring."""
    goals, tally, other = b.goals, b.state.tally, 1 - side
    lost, left, _ = _counts(b.state, other)
    gone = 0 < goals.exit_figures[other] <= tally[GONE + other]
    return int(
        0 < goals.breaks_at[other] <= lost
        or (left == 0 and not gone)
        or 0 < goals.exit_figures[side] <= tally[GONE + side]
        or 0 < goals.exit_loads[side] <= tally[LOADS_AWAY + side]
        or 0 < goals.prisoners[side] <= tally[PRISONERS + other]
    )


@inlined
def outcome_of(first: int, second: int) -> int:
    """Return the outcome by who has won, or -1 if nobody has."""
    if first == 1:
        return DRAW if second == 1 else FIRST
    return SECOND if second == 1 else -1


@on_battle(0, types.int64)
def _judge(b: Battle) -> int:
    """Return the outcome by losses and other goals that any card may bring, or -1."""
    if b.judged == 1:
        return -1
    b.judged = 1
    return outcome_of(_wins(b, FIRST), _wins(b, SECOND))


@on_battle(1, types.int64)
def _holds(b: Battle, side: int) -> int:
    """Count a turn at whose end a side holds its place, and tell whether it has done so long enough."""
    state, goals, hold = b.state, b.goals, b.goals.hold
    if goals.hold_figures[side] == 0:
        return 0
    own = others = 0
    for i in range(state.count):
        x, y = state.place[X, i], state.place[Y, i]
        inside = hold[side, 0] <= x <= hold[side, 2] and hold[side, 1] <= y <= hold[side, 3]
        if inside and state.figure[STATUS, i] == IN_PLAY:
            own += int(state.figure[SIDE, i] == side)
            others += int(state.figure[SIDE, i] != side)
    held = own >= goals.hold_figures[side] and others == 0
    state.tally[HELD + side] = state.tally[HELD + side] + 1 if held else 0
    return int(state.tally[HELD + side] >= goals.hold_turns[side])


@on_battle(0, types.int64)
def _end_turn(b: Battle) -> int:
    """Do what is due when no card is left, and judge the turn."""
    state, play, goals = b.state, b.play, b.goals
    if play.melee_timing == AT_END_OF_TURN:
        fight_at_end_of_turn(b)
    if play.prisoner != LEAVES_PLAY:
        _free_prisoners(b)
    if play.has_arson == 1:
        burn(b)
    lost, left, blue = _counts(state, FIRST)
    more_lost, more_left, more_blue = _counts(state, SECOND)
    note(b, TURN_END, lost, more_lost, blue, more_blue, left, more_left, -1, -1, -1, -1)
    outcome = _judge(b)
    if outcome < 0:
        outcome = outcome_of(_holds(b, FIRST), _holds(b, SECOND))
    if outcome < 0 and state.turn >= goals.turns:
        outcome = goals.at_limit if goals.at_limit >= 0 else NO_DECISION
    return outcome


@compiled
def play_battles(b: Battle, start: State, first: int, records: Longs) -> None:
    """Play battles number `first` onward.

    Parameters
    ----------
    b : record
        From `battle_of`; afterwards it has the last battle's position and trace.
    start : record
        The initial position.
    first : int
        Number of the first battle.
    records : int64 array of shape [battles, RECORD]
        Filled: outcome, turns, tally.
    """
    for i in range(records.shape[0]):
        b.number, b.events, b.judged = first + i, 0, 0
        set_up(b.state, start)
        outcome = -1
        while outcome < 0:
            begin_turn(b)
            while outcome < 0 and b.over == 0 and draw_card(b) == 1:
                for place in range(b.queued):
                    _activate(b, place)
                end_card(b)
                outcome = _judge(b)
            if outcome < 0:
                outcome = _end_turn(b)
        note(b, OUTCOME, outcome, -1, -1, -1, -1, -1, -1, -1, -1, -1)
        records[i, 0], records[i, 1] = outcome, b.state.turn
        for tally in range(TALLIES):
            records[i, 2 + tally] = b.state.tally[tally]


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
        Room for that many events of the last battle's trace, at most `battle_record.MOST_EVENTS`.

    Returns
    -------
    records : int64 array of shape [count, RECORD]
        Outcome, turns, tally.
    trace : int64 array of shape [at most events, TRACE_FIELDS]
        As described in `referee`.

    Examples
    --------
    >>> from wargamesim.games.skirmish.scenario import compile_setup, load_scenario
    >>> from wargamesim.rulebook import load_rulebook
    >>> setup = compile_setup(load_rulebook("nordamerica"), load_scenario("line_against_line"))
    >>> records, _ = play(setup, key=1, first=0, count=3)
    >>> records.shape == (3, RECORD)
    True
    """
    battle, records = battle_of(setup, key, events), np.empty((count, RECORD), np.int64)
    play_battles(battle, setup.start, first, records)
    return records, battle.log[: battle.events].copy()
