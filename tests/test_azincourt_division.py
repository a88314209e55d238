"""The attacker's division of close combat is legal, complete, and the better one where there is a choice."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from tests.azincourt_battles import SIZES, all_rules
from tests.azincourt_boards import board, boards, rules_with
from wargamesim import records
from wargamesim.compiled import compiled
from wargamesim.games.azincourt import division, orders
from wargamesim.games.azincourt.doctrine import DOCTRINE, compile_doctrine
from wargamesim.games.azincourt.judge import Field, Fight, judge_division, most_fights
from wargamesim.games.azincourt.layout import COL, ROW, SIDE, State
from wargamesim.games.azincourt.plan import PLAN
from wargamesim.games.azincourt.rules import ENGLISH, FRENCH, RULES, Rules

PLAYER = records.pack(compile_doctrine({}), DOCTRINE)
MEMORY = records.new_record(PLAN)


@compiled
def defends_with(state: State, rules: Rules, piece: int) -> int:
    return division.defence_value(state, rules, piece)


def fights(state: State, rules: Rules, side: int) -> list[Fight]:
    """Let the player of a side divide, and return the fights once the judge has passed them."""
    packed = records.pack(rules, RULES)
    orders.begin(state, packed, PLAYER, MEMORY, side, 1)
    count = orders.divide(state, packed, MEMORY)
    return judge_division(Field(state), side, MEMORY.fight_of[: state.count].tolist(), count)


def largest_matching(state: State) -> int:
    rows, cols, sides = (state.pieces[field, : state.count].astype(int) for field in (ROW, COL, SIDE))
    near = np.maximum(abs(rows[:, None] - rows), abs(cols[:, None] - cols)) == 1
    pairs = near & (sides[:, None] == ENGLISH) & (sides == FRENCH)
    return int((maximum_bipartite_matching(csr_array(pairs.astype(np.int8)), perm_type="column") >= 0).sum())


@settings(max_examples=200)
@given(state=st.sampled_from(SIZES).flatmap(lambda size: boards(*size)), rules=all_rules())
def test_any_division_is_legal(state: State, rules: Rules) -> None:
    for side in (ENGLISH, FRENCH):
        assert len(fights(state, rules, side)) == most_fights(Field(state)) == largest_matching(state)


@pytest.mark.parametrize("density", [0.3, 0.6, 1.0])
def test_divisions_of_great_crowds(density: float) -> None:
    rng = np.random.default_rng(6)
    rules = rules_with()
    for _ in range(10):
        letters = rng.choice([*".KFAkiac"], (20, 30), p=[1 - density, *[density / 7] * 7])
        state = board(" ".join(map("".join, letters)))
        for side in (ENGLISH, FRENCH):
            assert len(fights(state, rules, side)) == largest_matching(state) > 20


def test_one_against_many_is_one_fight() -> None:
    assert fights(board("aKi"), rules_with(), ENGLISH) == [([0], [1, 2])]
    assert fights(board("aKi"), rules_with(), FRENCH) == [([1, 2], [0])]


def test_the_first_attacker_takes_whom_it_beats_most_easily() -> None:
    assert fights(board("af FF"), rules_with(), ENGLISH) == [([0], [2]), ([1], [3])]
    assert fights(board("fa FF"), rules_with(), ENGLISH) == [([0], [3]), ([1], [2])]
    # The French count their rows from their own front, the south.
    assert fights(board("ff AI"), rules_with(), FRENCH) == [([2], [0]), ([3], [1])]


def test_an_attacker_to_spare_helps_where_it_tells_most() -> None:
    # Foot knights against an archer win 13 times in 16, against their like half the time.
    assert fights(board(".FF. .af. .F.."), rules_with(), ENGLISH) == [([0], [3]), ([1, 2], [4])]


def test_a_defender_to_spare_hinders_where_it_tells_least() -> None:
    # Infantry 4 touches both attackers: 13/16 to win falls to 1/2 against the archer, 21/31 to 10/31 against its like.
    assert fights(board("ai. FF. .i."), rules_with(), ENGLISH) == [([0], [2, 4]), ([1], [3])]


def test_pairs_part_for_more_fights() -> None:
    # The first attackers choose the archers; then the last one has nobody, and all before it must change.
    state = board("i.a.. .F.F.")
    assert fights(state, rules_with(), ENGLISH) == [([0], [2]), ([1], [3])]
    state = board("i.a.a.. .F.F.F.")
    assert fights(state, rules_with(), ENGLISH) == [([0], [3]), ([1], [4]), ([2], [5])]


@pytest.mark.parametrize(
    ("picture", "ground", "changes", "value"),
    [
        ("Fi", "..", {}, 2),
        ("Fi", ".h", {}, 3),
        ("Fi", ".@", {}, 3),
        ("Fi", ".@", {"terrain.castle.bonus": 3}, 5),
        ("Fc", ".h", {"terrain.house.bonus": 2}, 2),
        ("Fk", "..", {"terrain.house.bonus": 2}, 4),
        ("Fi", "h.", {}, 2),
    ],
)
def test_houses_and_castle_shelter_those_on_foot(
    picture: str, ground: str, changes: dict[str, int], value: int
) -> None:
    rules = records.pack(rules_with(changes), RULES)
    assert defends_with(board(picture, ground), rules, 1) == value
