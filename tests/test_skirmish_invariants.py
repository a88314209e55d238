"""What holds in every position of every skirmish after each turn, and along its trace."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.skirmish_battles import BOOKS, SCENARIOS, book_of, doctrines, play_one, scenario
from tests.skirmish_random import Made, skirmishes
from wargamesim import records
from wargamesim.games.skirmish import referee
from wargamesim.games.skirmish.layout import (
    ACE,
    ACTIVATIONS,
    ACTS,
    BLANK,
    BLUE,
    CAPACITY,
    CAPTOR,
    CAPTURED,
    CARDS,
    DEAD,
    DRAGS,
    DRAW,
    EVADED,
    EVASIONS,
    FACE_X,
    FIRST,
    GONE,
    GRADE,
    HELD,
    HIDDEN,
    IN_PLAY,
    JOKER,
    KILLED,
    LEFT,
    LEVEL,
    LOAD_0,
    LOADING,
    LOADING_2,
    LOADS_AWAY,
    MISFIRES,
    MOVED_LAST,
    NO_DECISION,
    OUT,
    PINNED,
    PRISONERS,
    PRONE,
    RALLIES,
    RAN,
    RANKS,
    RELOAD,
    ROLES,
    ROUNDS,
    ROUTED,
    ROUTS,
    SECOND,
    SHOTS_FIRED,
    SIDE,
    SIDES,
    SPENT,
    SQUAD,
    START,
    STATUS,
    TRIES,
    WALL,
    WEAPON,
    WEAPON_2,
    WET,
    WOUNDS,
    State,
)
from wargamesim.games.skirmish.playing import CHOICES, SQUAD_CARDS
from wargamesim.games.skirmish.referee_course import (
    ACTION,
    CARD,
    FALL,
    FETCHED,
    MORALE,
    OUTCOME,
    RALLIED,
    RESULT,
    SHOT,
    TURN_END,
    VOLLEYED,
)
from wargamesim.games.skirmish.scenario import Setup, compile_setup

Trace = Sequence[tuple[int, ...]]

MORE = 1 + 1e-9
STAY_AS_THEY_ARE = (SIDE, SQUAD, GRADE, ROLES, WEAPON, WEAPON_2, START, START + 1, CAPACITY, CAPACITY + 1)


class Told(NamedTuple):
    """One battle: the positions at the start and after every turn, its trace, and what came of it."""

    setup: Setup
    states: list[State]
    trace: Trace
    outcome: int

    def of_turn(self, turn: int, *kinds: int) -> Trace:
        """Return the events of one turn, of some kinds or all."""
        return [event for event in self.trace if event[0] == turn and (not kinds or event[1] in kinds)]

    def reads(self, choice: str) -> str:
        """Return the reading of a rule that the battle is played by."""
        return CHOICES[choice][1][self.setup.play[choice]]


def tell(setup: Setup, key: int, number: int) -> Told:
    """Play a battle with the referee, and look at its table whenever it tells something; the kernel must say the same.

    A kernel cannot be stopped after a turn: its players look at how many are left.
    """
    fast, literal = play_one(setup, key, number), referee.Battle(setup, key, number, draws=False)
    states = {0: setup.start}
    for event in literal.play():
        states[event.turn] = records.copy(literal.course.state)
    assert fast["trace"] == literal.course.trace
    return Told(setup, list(states.values()), fast["trace"], fast["outcome"])


def check_figures(told: Told, state: State) -> None:
    """Hold the figures of one position against the start of their battle."""
    play, count = told.setup.play, int(state.count)
    now, before = state.figure[:, :count].astype(int), told.setup.start.figure[:, :count].astype(int)
    assert np.array_equal(now[[*STAY_AS_THEY_ARE]], before[[*STAY_AS_THEY_ARE]])
    for flag in (BLUE, PRONE, HIDDEN, WET, RAN, MOVED_LAST):
        assert np.isin(now[flag], [0, 1]).all()
    assert (now[RAN] <= now[MOVED_LAST]).all()
    assert play.has_hiding or not now[HIDDEN].any()
    # So many wounds put a figure out (S).
    assert (now[STATUS][now[WOUNDS] >= play.wounds_out] == DEAD).all()
    per_weapon = told.reads("markers") == "per_weapon"
    for slot in range(2):
        armed = now[WEAPON + slot] >= 0
        thrown = armed & (play.thrown[now[WEAPON + slot]] == 1)
        loading, rounds = now[LOADING + slot], now[ROUNDS + slot]
        most = now[START + slot] if per_weapon else np.maximum(now[START], now[START + 1])
        assert ((loading >= 0) & (loading <= most))[~thrown].all()
        assert np.isin(loading[thrown], [0, SPENT]).all()
        assert ((rounds >= 0) & (rounds <= now[CAPACITY + slot])).all()
        assert (loading > 0)[armed & ~thrown & (rounds == 0)].all(), "an empty weapon has a marker"
        if per_weapon:
            assert (rounds == 0)[armed & ~thrown & (loading > 0) & (now[CAPACITY + slot] == 1)].all()
    assert ((now[ACTS] >= 0) & (now[ACTS] <= now[TRIES])).all()
    assert play.cap == 0 or (now[ACTS] <= play.cap).all()


def check_places(told: Told, state: State) -> None:
    """Whoever takes room stands on the table, not in a wall, and nobody stands on another."""
    play, ground, count = told.setup.play, told.setup.ground, int(state.count)
    status, drags = state.figure[STATUS, :count], state.figure[DRAGS, :count]
    place, face = state.place[:FACE_X, :count], state.place[FACE_X : FACE_X + 2, :count]
    assert np.allclose(np.hypot(*face), 1, atol=1e-9)
    room = status == IN_PLAY
    if told.reads("prisoner") != "leaves_play":
        room |= status == CAPTURED
    x, y = place[:, room]
    assert ((x >= 0) & (x < ground.width) & (y >= 0) & (y < ground.height)).all()
    assert not (ground.what[y.astype(int), x.astype(int)] & WALL).any()
    apart = np.hypot(*(place[:, :, None] - place[:, None, :]))
    apart[~room] = apart[:, ~room] = np.inf
    # Floors of a house lie above each other, and nobody stands on one that a house does not have.
    level = state.figure[LEVEL, :count].astype(int)
    apart[level[:, None] != level] = np.inf
    house = ground.house[place[1].astype(int).clip(0), place[0].astype(int).clip(0)]
    assert ((level == 0) | ((house > 0) & (level < ground.floors[house])))[room].all()
    np.fill_diagonal(apart, np.inf)
    # Who is led by another goes where he goes.
    led = apart == 0
    assert (np.minimum(status[:, None], status)[led] == IN_PLAY).all()
    assert (np.maximum(status[:, None], status)[led] == CAPTURED).all()
    assert apart[~led].min(initial=np.inf) >= play.diameter * (1 - 1e-9)
    for figure in np.flatnonzero(drags >= 0):
        assert status[figure] == IN_PLAY
        if drags[figure] >= LOAD_0:
            assert state.dragger[drags[figure] - LOAD_0] == figure
        else:
            assert status[drags[figure]] == CAPTURED
    assert np.unique(drags[drags >= 0]).size == (drags >= 0).sum()
    for load in np.flatnonzero(state.dragger[: state.loads] >= 0):
        assert drags[state.dragger[load]] == LOAD_0 + load


def check_tally(told: Told, state: State) -> None:
    """Each figure is somewhere, once, and the tally knows how it came there."""
    now, tally, start = state.figure[:, : state.count], state.tally, told.setup.start.figure
    for side in (FIRST, SECOND):
        own = now[:, now[SIDE] == side]
        number = Counter(own[STATUS].tolist())
        assert sum(number.values()) == state.fielded[side] == told.setup.start.fielded[side]
        assert number[DEAD] == tally[KILLED + side]
        assert number[LEFT] == tally[GONE + side]
        fled = int((start[STATUS, : state.count][now[SIDE] == side] == ROUTED).sum())
        lost = tally[ROUTS + side] + fled - tally[RALLIES + side] + tally[PRISONERS + side]
        assert lost == number[ROUTED] + number[OUT] + number[CAPTURED]
        assert tally[MISFIRES + side] <= tally[SHOTS_FIRED + side]
        assert tally[PINNED + side] + tally[ROUTS + side] <= tally[ACTIVATIONS + side]
        captors = own[CAPTOR][own[STATUS] == CAPTURED]
        assert (now[SIDE][captors] == 1 - side).all()
        assert (own[CAPTOR][own[STATUS] == IN_PLAY] == -1).all()


def check_course(told: Told, turn: int) -> None:
    """Hold the positions before and after one turn against each other and against what happened in it."""
    earlier, later = told.states[turn - 1], told.states[turn]
    play, count = told.setup.play, int(later.count)
    before, now = earlier.figure[:, :count].astype(int), later.figure[:, :count].astype(int)
    rallied = {event[2] for event in told.of_turn(turn, RALLIED)}
    for what in (WOUNDS, WET):
        assert (now[what] >= before[what]).all()
    gone = np.isin(before[STATUS], [DEAD, OUT, LEFT])
    assert (now[STATUS] == before[STATUS])[gone].all()
    assert np.isin(now[STATUS][before[STATUS] == CAPTURED], [IN_PLAY, CAPTURED, OUT]).all()
    # Whoever is out of play does nothing: a rally is the one attempt of a figure that has run.
    idle = before[STATUS] != IN_PLAY
    assert all(now[TRIES, figure] == 0 for figure in np.flatnonzero(idle) if figure not in rallied)
    assert np.array_equal(later.place[:2, :count][:, gone], earlier.place[:2, :count][:, gone])
    for figure in rallied:
        assert before[STATUS, figure] == ROUTED or turn in (e[0] for e in told.of_turn(turn, MORALE) if e[2] == figure)
    made = later.tally - earlier.tally
    changing = np.r_[PRISONERS : PRISONERS + 2, HELD : HELD + 2]
    assert (np.delete(made, changing) >= 0).all()
    for side in (FIRST, SECOND):
        own = now[SIDE] == side
        tries = now[TRIES][own].sum() - sum(now[SIDE, figure] == side for figure in rallied)
        assert made[ACTIVATIONS + side] == tries
    # Nobody goes farther than his attempts take him.
    pace = max(*play.walk, *play.run, play.ford)
    moved = np.hypot(*(later.place[:2, :count] - earlier.place[:2, :count]))
    evaded = np.where(now[EVADED] == turn, made[EVASIONS : EVASIONS + 2][now[SIDE]], 0)
    free = np.array([before[STATUS, f] == now[STATUS, f] == IN_PLAY and f not in rallied for f in range(count)])
    assert (moved <= pace * (now[TRIES] + evaded) * MORE)[free].all()


def check_weapons(told: Told, turn: int) -> None:
    """A marker goes by one step at a reload, and nobody fires a weapon with a marker, nor a wet one (S)."""
    earlier, later = told.states[turn - 1], told.states[turn]
    play, now = told.setup.play, later.figure.astype(int)
    events = told.of_turn(turn)
    reloads = Counter(event[2] for event in events if event[1] == ACTION and event[3] == RELOAD)
    per_weapon, by_steps = told.reads("markers") == "per_weapon", told.reads("reload_steps") == "chain"
    loading = earlier.figure[LOADING : LOADING_2 + 1].astype(int)
    wet = earlier.figure[WET].astype(int)
    fired: defaultdict[tuple[int, int], int] = defaultdict(int)
    for event in events:
        if event[1] == FALL and event[5] == 1 and event[6] == 1 and told.reads("water") == "wet":
            wet[event[2]] = 1
        if event[1] == FETCHED:
            assert loading[event[3], event[2]] == SPENT
            loading[event[3], event[2]] = 0
        if event[1] == SHOT:
            figure, slot = event[2], event[4]
            fired[figure, slot] += 1
            thrown = play.thrown[now[WEAPON + slot, figure]]
            assert thrown or not wet[figure]
            if thrown:
                assert loading[slot, figure] == 0
                loading[slot, figure] = SPENT if told.reads("thrown_away") != "unlimited" else 0
            elif loading[slot, figure] > 0:  # It has been reloaded since the turn began.
                assert reloads[figure] >= (loading[slot, figure] if by_steps else 1)
            if not thrown and now[CAPACITY + slot, figure] == 1 and now[START + slot, figure] > 0:
                assert fired[figure, slot] <= 1 + reloads[figure]
    fell = earlier.figure[LOADING : LOADING_2 + 1].astype(int) - now[LOADING : LOADING_2 + 1]
    for figure in range(later.count):
        of_firearms = [
            int(fell[slot, figure])
            for slot in range(2)
            if now[WEAPON + slot, figure] >= 0 and not play.thrown[now[WEAPON + slot, figure]]
        ]
        if by_steps:
            down = [max(each, 0) for each in of_firearms]
            assert (sum(down) if per_weapon else max(down, default=0)) <= reloads[figure]
        elif not reloads[figure]:
            assert all(each <= 0 for each in of_firearms)


def full_deck(told: Told, squads: int) -> list[int]:
    """Return the cards of a deck, sorted."""
    play = told.setup.play
    special = [JOKER] * play.jokers + [BLANK] * play.extra_cards
    if play.deck_kind == SQUAD_CARDS:
        owners = squads if told.reads("whose_card") == "per_squad" else 2
        return sorted([*range(owners), *[ACE] * play.aces, *special])
    cards = list(range(RANKS * squads))
    if told.reads("colours") == "red_black":
        # Ranks 3 and 4, jacks and kings, of suits that nobody holds act by their colour.
        cards = [card if card < RANKS * squads or card % RANKS >= 3 else BLANK for card in range(RANKS * play.suits)]
    elif told.reads("unowned") == "blanks":
        cards += [BLANK] * (-squads % play.suits * RANKS)
    return sorted(cards + special)


def check_cards(told: Told, turn: int, *, last: bool) -> None:
    """The deck is whole, cards are drawn in its order, all but the last of a deck of squads."""
    state, drawn = told.states[turn], [event[2] for event in told.of_turn(turn, CARD)]
    play, deck = told.setup.play, state.card[: state.deck[CARDS]].tolist()
    assert sorted(deck) == full_deck(told, int(state.squads))
    assert drawn == deck[: len(drawn)]
    if play.deck_kind == SQUAD_CARDS:
        assert len(drawn) == len(deck) - 1 or last
        assert len(drawn) < len(deck)
    elif told.reads("ending_joker_does") == "always":
        assert JOKER not in drawn[:-1] or drawn[:-1].count(JOKER) < play.ending_joker


def check_story(told: Told) -> None:
    """Hold the trace against the positions, and the outcome against what wins."""
    kinds = Counter(event[1] for event in told.trace)
    assert kinds[OUTCOME] == 1
    assert told.trace[-1][:3] == (len(told.states) - 1, OUTCOME, told.outcome)
    ended = {event[0]: event for event in told.trace if event[1] == TURN_END}
    assert set(range(1, len(told.states) - 1)) <= set(ended)
    for turn, event in ended.items():
        now = told.states[turn].figure[:, : told.setup.start.count]
        own = [now[:, now[SIDE] == side] for side in (FIRST, SECOND)]
        lost = [(~np.isin(each[STATUS], [IN_PLAY, LEFT])).sum() for each in own]
        live = [each[:, each[STATUS] == IN_PLAY] for each in own]
        assert event[2:8] == (*lost, *(each[BLUE].sum() for each in live), *(each.shape[1] for each in live))
    dead: Counter[int] = Counter()
    for event in told.trace:
        # An action is noted after what it brought about, so that of a man killed in it comes once after his death.
        if event[1] == RESULT and event[6] == DEAD:
            dead[event[2]] += 1
            assert dead[event[2]] == 1
        if event[1] == ACTION and dead[event[2]]:
            dead[event[2]] += 1
            assert dead[event[2]] == 2
        assert event[1] not in (MORALE, SHOT, RALLIED) or not dead[event[2]]
    for event in told.trace:
        assert event[1] != VOLLEYED or event[5] <= event[3]
    check_outcome(told)


def check_outcome(told: Told) -> None:
    """A side that wins has reached one of its goals; without any, time is up."""
    state, goals = told.states[-1], told.setup.goals
    now, tally, at_limit = state.figure[:, : state.count], state.tally, state.turn == goals.turns
    reached = []
    for side in (FIRST, SECOND):
        other = now[STATUS][now[SIDE] == 1 - side]
        lost, live = (~np.isin(other, [IN_PLAY, LEFT])).sum(), (other == IN_PLAY).sum()
        away = 0 < goals.exit_figures[1 - side] <= tally[GONE + 1 - side]
        reached.append(
            0 < goals.breaks_at[1 - side] <= lost
            or (live == 0 and not away)
            or 0 < goals.exit_figures[side] <= tally[GONE + side]
            or 0 < goals.exit_loads[side] <= tally[LOADS_AWAY + side]
            or 0 < goals.prisoners[side] <= tally[PRISONERS + 1 - side]
            or (goals.hold_figures[side] > 0 and tally[HELD + side] >= goals.hold_turns[side])
        )
    if told.outcome == NO_DECISION:
        assert at_limit
        assert goals.at_limit < 0
    elif told.outcome == DRAW:
        assert all(reached)
    else:
        assert reached[told.outcome] or (at_limit and goals.at_limit == told.outcome)


def check_battle(setup: Setup, key: int, number: int) -> Told:
    """Check a battle through."""
    told = tell(setup, key, number)
    for state in told.states:
        check_figures(told, state)
        check_places(told, state)
        check_tally(told, state)
    turns = range(1, len(told.states))
    for turn in turns:
        check_course(told, turn)
        check_weapons(told, turn)
        check_cards(told, turn, last=turn == turns[-1])
    check_story(told)
    return told


@pytest.mark.parametrize("name", BOOKS)
def test_random_skirmishes_keep_order(name: str) -> None:
    turns = Counter[int]()

    @settings(max_examples=80)
    @given(made=skirmishes(name), key=st.integers(0, 2**64 - 1), number=st.integers(0, 2**40))
    def in_order(made: Made, key: int, number: int) -> None:
        turns[len(check_battle(made.setup(), key, number).states)] += 1

    in_order()
    assert max(turns) > 3


@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.parametrize("number", range(3))
def test_shipped_skirmishes_keep_order(name: str, number: int) -> None:
    known = [doctrines(name, side) for side in (FIRST, SECOND)]
    changes = {f"{side}.doctrine": known[s][(number + 2 * s) % len(known[s])] for s, side in enumerate(SIDES)}
    check_battle(compile_setup(book_of(name), scenario(name).variant(changes)), 5, number)


@pytest.mark.proof
@pytest.mark.parametrize("name", BOOKS)
@settings(max_examples=1000)
@given(data=st.data(), key=st.integers(0, 2**64 - 1))
def test_very_many_random_skirmishes_keep_order(name: str, data: st.DataObject, key: int) -> None:
    check_battle(data.draw(skirmishes(name)).setup(), key, 0)
