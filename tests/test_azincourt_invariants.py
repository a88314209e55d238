"""What holds in every position of every battle, looked up in the kernel's own memory after each turn of both sides."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.azincourt_battles import play_one, setups, state_after
from tests.azincourt_boards import default_rulebook
from wargamesim.games.azincourt import layout
from wargamesim.games.azincourt.layout import (
    ALIVE,
    BY_ENGLISH,
    CASTLE,
    COL,
    DISMOUNTS,
    FACING,
    HOUSE,
    KIND,
    LOST,
    MUD,
    MUD_FACTOR,
    OWN_SHOT,
    PLANTED,
    ROW,
    SIDE,
    STAKE,
    STAKES,
    UNHORSED,
    WOOD,
    State,
)
from wargamesim.games.azincourt.orders import DISMOUNT, MOVE, PLANT
from wargamesim.games.azincourt.rules import (
    CANNON,
    DRAW,
    ENGLISH_WIN,
    FOOT_KNIGHT,
    FRENCH_WIN,
    KNIGHT,
    NO_DECISION,
    Rules,
)
from wargamesim.games.azincourt.scenario import Setup, compile_setup, load_scenario

FIGHT, TURN_END, RESULT = 100, 200, 300
Grid = npt.NDArray[np.bool_]


def grid(state: State, plane: int) -> Grid:
    """Return which squares of the board belong to a plane, by its words of rows."""
    words = state.rows[plane, : state.height, None] >> np.arange(state.width, dtype=np.uint64)
    return (words & np.uint64(1)).astype(bool)


def by_columns(state: State, plane: int) -> Grid:
    """Return the same by the words of columns."""
    words = state.cols[plane, : state.width, None] >> np.arange(state.height, dtype=np.uint64)
    return (words & np.uint64(1)).astype(bool).T


def positions(setup: Setup, key: int, number: int) -> list[State]:
    """Return the positions of a battle at the start and after every turn of both sides."""
    states, outcome = [setup.start], NO_DECISION
    while outcome == NO_DECISION and len(states) <= setup.rules.turn_limit:
        state, outcome = state_after(setup, key, number, len(states))
        states.append(state)
    return states


def check_position(state: State, start: State) -> None:
    """Hold one position against itself and the start of its battle."""
    count = int(state.count)
    before, now = start.pieces[:, :count].astype(int), state.pieces[:, :count].astype(int)
    alive, row, col = now[ALIVE] == 1, now[ROW], now[COL]
    # Each living piece stands on a square of its own, and three records of that agree.
    at = np.full((int(state.height), int(state.width)), -1)
    at[row[alive], col[alive]] = np.flatnonzero(alive)
    assert (at >= 0).sum() == alive.sum()
    assert np.array_equal(at, state.at[: state.height, : state.width])
    for side in (0, 1):
        own = now[SIDE] == side
        assert np.array_equal(grid(state, BY_ENGLISH + side), (at >= 0) & own[at])
        assert (own & alive).sum() + state.tally[LOST + side] == (before[SIDE] == side).sum()
        assert state.tally[OWN_SHOT + side] <= state.tally[LOST + side]
    for plane in range(layout.PLANES):
        assert np.array_equal(grid(state, plane), by_columns(state, plane))
        assert not (state.rows[plane, : state.height] >> np.uint64(state.width)).any()
        assert not (state.cols[plane, : state.width] >> np.uint64(state.height)).any()
        assert plane <= STAKE or np.array_equal(grid(state, plane), grid(start, plane))
    # Stakes stay, come from those who carried them, and nobody stands on one.
    new = grid(state, STAKE) & ~grid(start, STAKE)
    assert (grid(state, STAKE) >= grid(start, STAKE)).all()
    assert not (new & grid(state, WOOD)).any()
    assert new.sum() == state.tally[PLANTED : PLANTED + 2].sum()
    planted = before[STAKES] - now[STAKES]
    assert (planted >= 0).all()
    for side in (0, 1):
        assert planted[now[SIDE] == side].sum() == state.tally[PLANTED + side]
    assert not (grid(state, STAKE) | grid(state, WOOD))[row[alive], col[alive]].any()
    mounted = alive & (now[KIND] == KNIGHT)
    assert not (grid(state, HOUSE) | grid(state, CASTLE))[row[mounted], col[mounted]].any()
    # Knights that can dismount become foot knights, once; nobody else changes.
    changed = before[KIND] != now[KIND]
    assert (before[DISMOUNTS][changed] == 1).all()
    assert (now[KIND][changed] == FOOT_KNIGHT).all()
    assert np.array_equal(now[DISMOUNTS], np.where(changed, 0, before[DISMOUNTS]))
    assert np.array_equal(now[SIDE], before[SIDE])
    for side in (0, 1):
        assert state.tally[UNHORSED + side] <= (changed & (now[SIDE] == side)).sum()
    assert ((now[FACING] >= 0) & (now[FACING] < 8)).all()
    assert (now[FACING] == before[FACING])[now[KIND] != CANNON].all()


def check_course(earlier: State, later: State, rules: Rules) -> None:
    """Hold two positions one turn of both sides apart against each other."""
    count = int(earlier.count)
    before, now = earlier.pieces[:, :count].astype(int), later.pieces[:, :count].astype(int)
    assert (before[ALIVE] >= now[ALIVE]).all()
    alive = now[ALIVE] == 1
    moved = np.maximum(abs(now[ROW] - before[ROW]), abs(now[COL] - before[COL]))
    printed = np.maximum(rules.speed[before[KIND]], rules.speed[now[KIND]])
    assert (moved <= printed + rules.road_bonus)[alive].all()
    # Who starts in mud on horseback is slowed, however it goes (AZ-2.1, AZ-2.2).
    riding = alive & (now[KIND] == KNIGHT) & grid(earlier, MUD)[before[ROW], before[COL]]
    speed, mud = int(rules.speed[KNIGHT]), int(later.tally[MUD_FACTOR])
    slowed = max(speed - mud, min(speed, rules.mud_slowest))
    assert (moved <= slowed + rules.road_bonus)[riding].all()
    planted = before[STAKES] - now[STAKES]
    assert ((planted == 0) | (planted == 1)).all()
    assert (grid(later, STAKE) >= grid(earlier, STAKE)).all()
    assert (later.tally[:MUD_FACTOR] >= earlier.tally[:MUD_FACTOR]).all()


def check_story(setup: Setup, key: int, number: int, last: State) -> None:
    """Hold a battle's trace against its tally: each loss has its cause, and the points decide."""
    told = play_one(setup, key, number)
    trace = told["trace"]
    kinds = Counter(event[1] for event in trace)
    assert kinds[RESULT] == 1
    assert kinds[TURN_END] == told["turns"]
    assert [event[2] for event in trace if event[1] == TURN_END] == [
        (told["first_mover"] + turn) % 2 for turn in range(told["turns"])
    ]
    planted = Counter(event[2] for event in trace if event[1] in (PLANT, MOVE) and event[6] >= 0)
    carried = setup.start.pieces[STAKES]
    assert all(planted[piece] <= carried[piece] for piece in planted)
    assert planted.total() == told["english_stakes"] + told["french_stakes"]
    acted = Counter((event[0], event[2]) for event in trace if event[1] < FIGHT)
    assert not acted or max(acted.values()) == 1
    sides = setup.start.pieces[SIDE].tolist()
    assert all((told["first_mover"] + turn - 1) % 2 == sides[piece] for turn, piece in acted)
    assert len({event[2] for event in trace if event[1] == DISMOUNT}) == kinds[DISMOUNT]
    ends = [event for event in trace if event[1] == TURN_END]
    assert ends[-1][3:5] == (told["english_losses"], told["french_losses"]) == tuple(last.tally[LOST : LOST + 2])
    check_outcome(setup, told["outcome"], (told["english_losses"], told["french_losses"]), ends[-1], told["turns"])


def check_outcome(setup: Setup, outcome: int, lost: tuple[int, int], end: tuple[int, ...], turns: int) -> None:
    """Losses are points (AZ-7.1), and only points win (AZ-7.2, AZ-7.3)."""
    rules, closing, margin = setup.rules, end[8], end[9]
    assert margin == (rules.small_margin if closing else rules.margin)
    is_half = any(lost[side] >= rules.half * setup.fielded[side] for side in (0, 1))
    assert not closing or is_half
    if outcome in (ENGLISH_WIN, FRENCH_WIN):
        lead = rules.points * (lost[1 - outcome] - lost[outcome])
        if rules.any_reduction:
            assert lead > 0
        else:
            assert lead >= margin if rules.at_least else lead > margin
    elif outcome == DRAW:
        assert closing
        assert rules.points * abs(lost[0] - lost[1]) <= margin
    else:
        assert turns == 2 * rules.turn_limit


def check_battle(setup: Setup, key: int, number: int) -> int:
    """Check a battle through, and return how many positions it had."""
    states = positions(setup, key, number)
    for state in states:
        check_position(state, setup.start)
    for earlier, later in pairwise(states):
        check_course(earlier, later, setup.rules)
    check_story(setup, key, number, states[-1])
    return len(states)


@settings(max_examples=100)
@given(setup=setups(), key=st.integers(0, 2**64 - 1), number=st.integers(0, 2**40))
def test_small_battles_keep_order(setup: Setup, key: int, number: int) -> None:
    check_battle(setup, key, number)


@pytest.mark.parametrize("number", range(20))
def test_shipped_battles_keep_order(number: int) -> None:
    scenario = load_scenario("azincourt_1415")
    changes = {}
    for side in ("english", "french"):
        for what in ("deployment", "doctrine"):
            names = scenario.levels(f"{side}.{what}")
            assert names
            changes[f"{side}.{what}"] = names[number % len(names)]
    readings = {"AZ-3.9": ["after_move", "whole_action"][number % 2], "AZ-2.3": ["starts_in", "any_square"][number % 2]}
    setup = compile_setup(default_rulebook().variant(readings), scenario.variant(changes))
    assert check_battle(setup, 5, number) > 3
