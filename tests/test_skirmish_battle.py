"""Whole battles of the kernel: batches, threads, victory, and what holds after every turn."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from tests.skirmish_battles import (
    BOOKS,
    SCENARIOS,
    book,
    book_of,
    cases,
    play_one,
    scenario,
    setup_of_case,
    state_after,
)
from tests.skirmish_positions import figure, ground_of, setup_of
from wargamesim.games.skirmish import battle
from wargamesim.games.skirmish.battle_record import ACTION, CARD, OUTCOME, SHOT, TURN_END
from wargamesim.games.skirmish.layout import (
    ACTS,
    BLUE,
    CAPTOR,
    CAPTURED,
    DEAD,
    DRAW,
    FIRST,
    HELD,
    IN_PLAY,
    KILLED,
    LEVEL,
    LOADING,
    NO_DECISION,
    OUT,
    PRISONERS,
    ROUTED,
    ROUTS,
    SECOND,
    SIDE,
    START,
    STATUS,
    WALL,
    WEAPON,
    WET,
    WOUNDS,
    State,
    X,
    Y,
)
from wargamesim.games.skirmish.scenario import Setup, compile_setup

KEY = 5


def shipped(name: str, changes: Mapping[str, Any] | None = None) -> Setup:
    return compile_setup(book_of(name).variant(dict(changes or {})), scenario(name))


def test_a_batch_is_its_battles() -> None:
    setup = shipped("line_against_line")
    whole, _ = battle.play(setup, KEY, 3, 5)
    for i in range(5):
        alone, _ = battle.play(setup, KEY, 3 + i, 1)
        assert np.array_equal(alone[0], whole[i])
    other, _ = battle.play(setup, KEY + 1, 3, 5)
    assert not np.array_equal(other, whole)


def test_threads_do_not_disturb_each_other() -> None:
    setup = shipped("patrol")
    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(lambda first: battle.play(setup, KEY, first, 5)[0], range(0, 20, 5)))
    assert np.array_equal(np.concatenate(parts), battle.play(setup, KEY, 0, 20)[0])


def test_the_start_is_left_as_it_was() -> None:
    setup = shipped("convoy")
    before = setup.start.tobytes()
    battle.play(setup, KEY, 0, 3)
    assert setup.start.tobytes() == before


def test_a_trace_of_so_many_events() -> None:
    setup = shipped("line_against_line")
    records, whole = battle.play(setup, KEY, 0, 1, events=60_000)
    same, part = battle.play(setup, KEY, 0, 1, events=10)
    assert np.array_equal(part, whole[:10])
    assert np.array_equal(records, same)
    assert whole[-1].tolist() == [records[0, 1], OUTCOME, records[0, 0], *[-1] * 9]
    assert len(battle.play(setup, KEY, 0, 1)[1]) == 0


@pytest.mark.parametrize("name", BOOKS)
def test_so_many_cards_a_turn(name: str) -> None:
    """All but one of a deck of squads; suits until the second joker (NA-2.6, RI-2.7)."""
    setup = shipped("line_against_line" if name == "nordamerica" else "bersaglieri_against_line")
    trace = play_one(setup, KEY, 1)["trace"]
    whole = [event[0] for event in trace if event[1] == TURN_END]
    for turn in whole:
        cards = [event[2] for event in trace if event[0] == turn and event[1] == CARD]
        if name == "nordamerica":
            assert len(cards) == 2 + book(name).number("deck.aces") + book(name).number("deck.jokers") - 1
        else:
            assert cards.count(-2) <= 2
            assert cards.count(-2) < 2 or cards[-1] == -2
            assert len(cards) == len(set(cards)) + max(0, cards.count(-2) - 1)


def holds_after_a_turn(setup: Setup, state: State, turn: int) -> None:
    """Check what is true of every position."""
    play, count = setup.play, int(state.count)
    fields, tally = state.figure[:, :count], state.tally
    status, side = fields[STATUS], fields[SIDE]
    playing = status == IN_PLAY
    assert set(np.unique(fields[BLUE]).tolist()) <= {0, 1}
    assert np.all(fields[WOUNDS][playing] < play.wounds_out)
    assert np.all(status[fields[WOUNDS] >= play.wounds_out] == DEAD)
    if play.cap:
        assert np.all(fields[ACTS] <= play.cap)
    for slot in range(2):
        owned = fields[WEAPON + slot] >= 0
        loading = fields[LOADING + slot][owned]
        # By one reading both weapons have the larger marker.
        most = np.maximum(fields[START : START + 2].max(axis=0), 1)[owned]
        assert np.all((loading >= 0) & ((loading <= most) | (loading == 99)))
    for who in (FIRST, SECOND):
        own = side == who
        assert tally[KILLED + who] == int((status[own] == DEAD).sum())
        gone = int(np.isin(status[own], (ROUTED, OUT)).sum())
        assert tally[ROUTS + who] + tally[PRISONERS + who] >= gone
        assert (fields[CAPTOR][own & (status == CAPTURED)] >= 0).all()
    x, y = state.place[X, :count][playing], state.place[Y, :count][playing]
    assert np.all((x >= 0) & (x < setup.ground.width) & (y >= 0) & (y < setup.ground.height))
    assert not np.any(setup.ground.what[y.astype(int), x.astype(int)] & WALL)
    assert np.all(setup.ground.floors[setup.ground.house[y.astype(int), x.astype(int)]] > fields[LEVEL][playing])
    level = fields[LEVEL][playing]
    elsewhere = (level[:, None] != level) | np.eye(len(x), dtype=bool)
    apart = (x[:, None] - x) ** 2 + (y[:, None] - y) ** 2 + 1e9 * elsewhere
    assert apart.min(initial=1e9) >= play.diameter**2 * (1 - 1e-8)
    assert state.turn == turn


@pytest.mark.parametrize("case", list(cases(21, 77)), ids=lambda case: f"{case.number}-{case.scenario}")
def test_what_holds_after_every_turn(case: Any) -> None:
    setup = setup_of_case(case)
    played = play_one(setup, KEY, case.number)
    before: State | None = None
    for turn in range(1, min(played["turns"], 6)):
        state = state_after(setup, KEY, case.number, turn)
        holds_after_a_turn(setup, state, turn)
        if before is not None:
            # Nobody comes back from the dead, dries his powder, or unlearns a wound.
            count = int(state.count)
            for field in (WOUNDS, WET):
                assert np.all(state.figure[field, :count] >= before.figure[field, :count])
            assert np.all(state.figure[STATUS, :count][before.figure[STATUS, :count] == DEAD] == DEAD)
            assert np.all(state.tally[:HELD][:PRISONERS] >= before.tally[:HELD][:PRISONERS])
        before = state
    lost = [0, 0]
    for event in played["trace"]:
        if event[1] == TURN_END:
            lost = list(event[2:4])
    assert min(lost) >= 0


def test_who_acts_and_shoots_is_counted() -> None:
    from wargamesim.games.skirmish.layout import ACTIVATIONS, SHOTS_FIRED

    setup = shipped("bersaglieri_against_line")
    played = play_one(setup, KEY, 2)
    side = setup.start.figure[SIDE]
    shots, acts = [0, 0], [0, 0]
    for event in played["trace"]:
        if event[1] == SHOT:
            shots[side[event[2]]] += 1
        if event[1] == ACTION:
            acts[side[event[2]]] += 1
    assert played["tally"][SHOTS_FIRED : SHOTS_FIRED + 2] == shots
    routs = played["tally"][ROUTS : ROUTS + 2]
    counted = played["tally"][ACTIVATIONS : ACTIVATIONS + 2]
    assert [acts[i] + routs[i] for i in range(2)] == counted


APART = [figure(10, 55, weapon=None), figure(90, 5, 1, weapon=None)]


def outcome(goals: Mapping[str, Any], figures: list[Any] = APART, **more: Any) -> tuple[int, int]:
    record = battle.play(setup_of(figures, goals={"turns": 3, **goals}, **more), KEY, 0, 1)[0][0]
    return int(record[0]), int(record[1])


HOLD = {"hold": ((0, 0, 100, 60), (0, 0, 0, 0)), "hold_figures": (1, 0), "hold_turns": (2, 0)}
CAUGHT = [
    figure(10, 55, weapon=None),
    figure(50, 50, weapon=None, also={STATUS: CAPTURED}),
    figure(90, 5, 1, weapon=None),
]


@pytest.mark.parametrize(
    ("goals", "figures", "expected"),
    [
        ({}, APART, (NO_DECISION, 3)),
        ({"at_limit": 1}, APART, (SECOND, 3)),
        ({"breaks_at": (1, 0)}, [*APART, figure(50, 5, 1, weapon=None, also={STATUS: DEAD})], (NO_DECISION, 3)),
        ({"breaks_at": (0, 1)}, [*APART, figure(50, 5, 1, weapon=None, also={STATUS: DEAD})], (FIRST, 1)),
        ({}, [APART[0], figure(90, 5, 1, weapon=None, also={STATUS: DEAD})], (FIRST, 1)),
        (
            {},
            [figure(10, 55, weapon=None, also={STATUS: DEAD}), figure(90, 5, 1, weapon=None, also={STATUS: DEAD})],
            (DRAW, 1),
        ),
        # An enemy in the place keeps it from being held, wherever he is in it.
        (HOLD, APART, (NO_DECISION, 3)),
        ({**HOLD, "hold": ((0, 30, 100, 60), (0, 0, 0, 0))}, APART, (FIRST, 2)),
    ],
)
def test_victory(goals: dict[str, Any], figures: list[Any], expected: tuple[int, int]) -> None:
    assert outcome(goals, figures) == expected


def test_prisoners_without_a_guard_go_free() -> None:
    """No enemy within 10 cm at the end of the turn (NA-7.15)."""
    setup = setup_of(CAUGHT, goals={"turns": 1})
    assert play_one(setup, KEY, 0)["figures"][STATUS] == [IN_PLAY] * 3
    near = [CAUGHT[0], CAUGHT[1], figure(50, 41, 1, weapon=None)]
    guarded = setup_of(near, goals={"turns": 1}, ground=ground_of(), changes={"move.walk": 0.0, "move.run": 0.0})
    assert play_one(guarded, KEY, 0)["figures"][STATUS][1] == CAPTURED


def test_every_scenario_comes_to_an_end() -> None:
    for name in SCENARIOS:
        setup = shipped(name)
        records, _ = battle.play(setup, KEY, 0, 10)
        assert np.all(records[:, 1] <= setup.goals.turns)
        assert np.all((records[:, 0] >= 0) & (records[:, 0] <= NO_DECISION))
