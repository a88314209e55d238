"""What holds in every position of every battle of Stirling, in the kernel's own memory and along its trace."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rule_numbers import changes
from tests.stirling_battles import default_rulebook, random_setup, rulebook_with
from tests.test_stirling_random import LEAVE
from wargamesim import records
from wargamesim.games.stirling import battle
from wargamesim.games.stirling.battle_record import BATTLE, MOST_EVENTS
from wargamesim.games.stirling.doctrine import DOCTRINE
from wargamesim.games.stirling.layout import (
    DESTROYED,
    DRAW,
    FIRST,
    FIT,
    FLEE,
    FRONT,
    GONE,
    HURT,
    IN_ORDER,
    LEADER,
    LEFT,
    LOSS,
    MEN,
    MEN0,
    MERGED,
    MERGERS,
    MOV,
    NO_DECISION,
    NOBODY,
    ORDERED,
    REMOVED,
    ROUTED,
    RUN,
    RUNS,
    SECOND,
    SIDE,
    SIDES,
    SPLITS,
    STATUS,
    STEP_Q,
    STEP_R,
    STERILE,
    T_BROKEN,
    T_MERGED,
    T_MOVE,
    T_REMOVED,
    T_RESULT,
    T_SPLIT,
    T_TURN_END,
    Q,
    R,
    State,
)
from wargamesim.games.stirling.playing import CHOICES, run_hexes, walk_hexes
from wargamesim.games.stirling.scenario import Setup, compile_setup, load_scenario, scenarios

Hex = tuple[int, int]

HERE = (ORDERED, ROUTED)


class Told(NamedTuple):
    """One battle: the positions at the start and after every turn, its trace, and what came of it."""

    setup: Setup
    states: list[State]
    trace: list[tuple[int, ...]]
    outcome: int

    def reads(self, choice: str) -> str:
        """Return the reading of a rule that the battle is played by."""
        return CHOICES[choice][1][self.setup.play[choice]]


def tell(setup: Setup, key: int, number: int) -> Told:
    """Play a battle, and again up to each of its turns: dice depend on the event alone, so nothing else changes."""
    b: Any = records.new_record(BATTLE)
    b.key, b.play, b.room = np.uint64(key), setup.play, MOST_EVENTS
    for side, doctrine in enumerate(setup.doctrines):
        b.doctrine[side] = records.pack(doctrine, DOCTRINE)
    record = np.zeros((1, battle.RECORD), np.int64)
    battle.play_battles(b, setup.start, number, record)
    assert b.events < MOST_EVENTS
    trace, outcome, turns = list(map(tuple, b.log[: b.events].tolist())), int(record[0, 0]), int(record[0, 1])
    states, last, b.room = [setup.start], records.copy(b.state), 0
    for turn in range(1, turns):
        b.play.turns = turn
        battle.play_battles(b, setup.start, number, record)
        states.append(records.copy(b.state))
    return Told(setup, [*states, last] if turns else states, trace, outcome)


def distance(one: Hex, other: Hex) -> int:
    dq, dr = one[0] - other[0], one[1] - other[1]
    return (abs(dq) + abs(dr) + abs(dq + dr)) // 2


def is_on_board(state: State, at: Hex) -> bool:
    return 0 <= at[1] < state.rows and 0 <= at[0] + at[1] // 2 < state.cols


def place(unit: Any) -> Hex:
    return int(unit[Q]), int(unit[R])


def check_position(told: Told, state: State) -> None:
    """Hold one position against itself and the start of its battle."""
    play, start, units = told.setup.play, told.setup.start, state.unit[: state.count]
    kept = units[units[:, STATUS] != MERGED]
    assert (units[:, MEN] >= 0).all()
    assert (units[:, MEN] <= units[:, MEN0]).all()
    assert ((kept[:, STATUS] == DESTROYED) == (kept[:, MEN] == 0)).all()
    assert ((units[:, FRONT] >= 0) & (units[:, FRONT] < 6)).all()
    assert np.isin(units[:, LEADER], [NOBODY, FIT, RUNS, GONE]).all()
    for side in (FIRST, SECOND):
        # Men only leave: whoever is not there has been removed.
        before = start.unit[: start.count]
        own = kept[kept[:, SIDE] == side]
        assert own[:, MEN].sum() + state.tally[REMOVED + side] == before[before[:, SIDE] == side, MEN].sum()
    if told.reads("remainder") != "exact" and not (start.unit[: start.count, MEN] % play.step).any():
        halves = play.men_step % play.step == 0
        assert not (units[:, MEN] % play.step).any() or (state.tally[SPLITS : SPLITS + 2].any() and not halves)
    here = [unit for unit in units if unit[STATUS] in HERE]
    assert all(is_on_board(state, place(unit)) for unit in here)
    held = [{place(unit) for unit in here if unit[SIDE] == side} for side in (FIRST, SECOND)]
    assert not held[FIRST] & held[SECOND]
    for side in (FIRST, SECOND):
        # Halves stand together until one of them moves.
        alone = told.reads("stacking") == "one_per_faction" and not state.tally[SPLITS + side]
        assert not alone or len(held[side]) == sum(unit[SIDE] == side for unit in here)
        commander = int(state.commander[side])
        assert commander < 0 or units[commander][SIDE] == side


def check_course(told: Told, turn: int) -> None:
    """Hold the positions before and after one turn against each other."""
    earlier, later = told.states[turn - 1], told.states[turn]
    merged = {event[3] for event in told.trace if event[0] == turn and event[1] == T_MERGED}
    for unit in range(earlier.count):
        before, now = earlier.unit[unit], later.unit[unit]
        assert now[SIDE] == before[SIDE]
        assert now[MEN] <= before[MEN] or unit in merged
        if before[STATUS] not in HERE:
            assert now[STATUS] == before[STATUS]
            assert place(now) == place(before)
        if before[LEADER] == GONE and unit not in merged:
            assert now[LEADER] == GONE
        assert now[LOSS] == now[HURT] == 0
        assert now[LEFT] == now[MEN] or now[STATUS] == MERGED
    assert (later.tally[:IN_ORDER] >= earlier.tally[:IN_ORDER]).all()
    halves = later.tally[SPLITS : SPLITS + 2].sum() - earlier.tally[SPLITS : SPLITS + 2].sum()
    assert later.count - earlier.count == halves
    joined = (later.unit[: later.count, STATUS] == MERGED).sum()
    assert joined == later.tally[MERGERS : MERGERS + 2].sum()


class Board:
    """Who stands where as the trace goes on: enough to see whose zones a move meets."""

    def __init__(self, told: Told) -> None:
        self.told, self.state = told, told.setup.start
        units = self.state.unit[: self.state.count]
        self.side = [int(unit[SIDE]) for unit in units]
        self.status = [int(unit[STATUS]) for unit in units]
        self.at = [place(unit) for unit in units]
        self.has_zone = HERE if told.reads("routed_zone") == "as_ordered" else (ORDERED,)
        self.zone = int(told.setup.play.zone)

    def follow(self, event: tuple[int, ...]) -> None:
        """Check a move, and take note of what an event changes."""
        kind, unit, other = event[1:4]
        if kind == T_MOVE:
            self._move(event)
        elif kind == T_BROKEN:
            self.status[unit] = other
        elif kind == T_REMOVED and event[5] == 0:
            self.status[unit] = DESTROYED
        elif kind == T_SPLIT:
            self.side.append(self.side[unit])
            self.status.append(self.status[unit])
            self.at.append(place(self.told.states[event[0]].unit[other]))
        elif kind == T_MERGED:
            self.status[other] = max(self.status[unit], self.status[other])
            self.status[unit] = MERGED

    def enemies(self, unit: int, without: int) -> list[int]:
        return [
            other
            for other, status in enumerate(self.status)
            if status in HERE and self.side[other] != self.side[unit] and other != without
        ]

    def _move(self, event: tuple[int, ...]) -> None:
        unit, what, q, r, _, steps = event[2:8]
        start, end = self.at[unit], (q, r)
        assert is_on_board(self.state, end)
        # Off the board: the position stays what it was.
        if start != end or steps == 0:
            assert steps > 0 or start == end
            # Whom it intercepts has been lifted off the board while this move is made.
            enemies = self.enemies(unit, without=event[11])
            taken = {self.at[other] for other in enemies}
            owners = [self.at[other] for other in enemies if self.status[other] in self.has_zone]
            assert self._leads(start, end, steps, taken, owners), "no step through a zone of control (SS-5.6)"
        # A unit that others have joined is as slow as the slowest of them.
        mov, allowance = int(self.told.states[-1].unit[unit, MOV]), run_hexes if what in (RUN, FLEE) else walk_hexes
        assert steps <= allowance(self.told.setup.play, mov) or self.told.states[-1].tally[MERGERS : MERGERS + 2].any()
        self.at[unit] = end

    def _leads(self, start: Hex, end: Hex, steps: int, taken: set[Hex], owners: list[Hex]) -> bool:
        """Tell whether so many steps can lead there that never go from zone to zone, and end in the first zone."""

        @cache
        def in_zone(at: Hex) -> bool:
            return any(distance(at, owner) <= self.zone for owner in owners)

        reached = {start}
        for number in range(steps):
            onward: set[Hex] = set()
            for at in reached:
                # A hex in a zone ends the displacement, unless it begins there.
                if number and in_zone(at):
                    continue
                for dq, dr in zip(STEP_Q.tolist(), STEP_R.tolist(), strict=True):
                    to = at[0] + dq, at[1] + dr
                    is_near = distance(to, end) < steps - number
                    if (
                        is_near
                        and is_on_board(self.state, to)
                        and to not in taken
                        and not (in_zone(at) and in_zone(to))
                    ):
                        onward.add(to)
            reached = onward
        return end in reached


def check_story(told: Told) -> None:
    """Hold the trace against the positions, move by move and turn by turn."""
    board = Board(told)
    for event in told.trace:
        board.follow(event)
    last = told.states[-1]
    for unit in range(last.count):
        if last.unit[unit, STATUS] in HERE:
            assert board.at[unit] == place(last.unit[unit])
    assert Counter(event[1] for event in told.trace)[T_RESULT] == 1
    for event in told.trace:
        if event[1] == T_TURN_END:
            units = told.states[event[0]].unit[: told.states[event[0]].count]
            own = [units[np.isin(units[:, STATUS], HERE) & (units[:, SIDE] == side)] for side in (FIRST, SECOND)]
            assert event[2:4] == tuple(each[:, MEN].sum() for each in own)
            assert event[4:6] == tuple((each[:, STATUS] == ORDERED).sum() for each in own)
            assert event[6:8] == tuple((each[:, STATUS] == ROUTED).sum() for each in own)
            for side in (FIRST, SECOND):
                ordered = own[side][own[side][:, STATUS] == ORDERED]
                assert event[0] < len(told.states) - 1 or last.tally[IN_ORDER + side] == ordered[:, MEN].sum()
    check_outcome(told, last)


def check_outcome(told: Told, last: State) -> None:
    """A side is beaten without a unit in order; no decision means that time is up."""
    units = last.unit[: last.count]
    stands = HERE if told.reads("annihilation") == "annihilation" else (ORDERED,)
    beaten = [not np.isin(units[units[:, SIDE] == side, STATUS], stands).any() for side in (FIRST, SECOND)]
    if told.outcome in (FIRST, SECOND):
        assert beaten[1 - told.outcome]
        assert not beaten[told.outcome]
    else:
        assert all(beaten) == (told.outcome == DRAW)
        assert not any(beaten) or told.outcome == DRAW or (told.outcome == STERILE and last.turn == 0)
        assert told.outcome != NO_DECISION or last.turn == told.setup.play.turns


def check_battle(setup: Setup, key: int, number: int) -> Told:
    """Check a battle through."""
    told = tell(setup, key, number)
    for state in told.states:
        check_position(told, state)
    for turn, _ in enumerate(pairwise(told.states), start=1):
        check_course(told, turn)
    check_story(told)
    return told


RULES = changes(default_rulebook(), 4, LEAVE)


@settings(max_examples=150)
@given(rules=RULES, position=st.integers(0, 2**32), key=st.integers(0, 2**64 - 1), number=st.integers(0, 2**40))
def test_random_battles_keep_order(rules: dict[str, Any], position: int, key: int, number: int) -> None:
    check_battle(random_setup(np.random.default_rng(position), rulebook_with(rules)), key, number)


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("name", scenarios())
def test_shipped_battles_keep_order(name: str, number: int) -> None:
    scenario = load_scenario(name)
    known = scenario.levels("first.doctrine")
    assert known
    doctrines = {f"{side}.doctrine": known[(number + 2 * s) % len(known)] for s, side in enumerate(SIDES)}
    check_battle(compile_setup(default_rulebook(), scenario.variant(doctrines)), 5, number)


def test_men_are_removed_by_tens() -> None:
    """The default reading of SS-P35 discards what is less than ten (SS-8.2)."""
    setup = compile_setup(default_rulebook(), load_scenario("line_battle"))
    removed = [event[4] for n in range(5) for event in tell(setup, 8, n).trace if event[1] == T_REMOVED]
    assert any(removed)
    assert all(men % 10 == 0 for men in removed)


@pytest.mark.proof
@pytest.mark.parametrize("part", range(4))
def test_very_many_random_battles_keep_order(part: int) -> None:
    rng = np.random.default_rng([8, part])
    readings = {rule: sorted(each.options) for rule, each in default_rulebook().readings.items()}
    for number in range(1000):
        chosen = {rule: str(rng.choice(of)) for rule, of in readings.items() if rng.random() < 0.25}
        check_battle(random_setup(rng, rulebook_with(chosen)), 8, number)
