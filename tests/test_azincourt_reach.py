"""The kernel's reach is the literal one: every square, no other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.azincourt_battles import SIZES, all_rules
from tests.azincourt_boards import board, boards, rules_with
from wargamesim import records
from wargamesim.games.azincourt import layout
from wargamesim.games.azincourt.judge import legal_destinations
from wargamesim.games.azincourt.layout import CASTLE, HOUSE, MUD_FACTOR, STAKE, WOOD, State
from wargamesim.games.azincourt.plan import PLAN
from wargamesim.games.azincourt.reach import reachable
from wargamesim.games.azincourt.rules import RULES, Rules
from wargamesim.games.azincourt.state import has, is_mounted

PLAN_MEMORY = records.new_record(PLAN)


def destinations(state: State, rules: Rules, piece: int, mud: int = 0) -> set[tuple[int, int]]:
    """Return the squares that the kernel finds, by the words it fills."""
    state.tally[MUD_FACTOR] = mud
    span = reachable(state, records.pack(rules, RULES), PLAN_MEMORY, piece)
    row = int(state.pieces[layout.ROW, piece])
    rows = range(max(0, row - span), min(int(state.height), row + span + 1))
    return {(r, c) for r in rows for c in range(64) if int(PLAN_MEMORY.out[r]) >> c & 1}


@settings(max_examples=150)
@given(state=st.sampled_from(SIZES).flatmap(lambda size: boards(*size)), rules=all_rules(), mud=st.integers(0, 6))
def test_reach_is_what_the_rules_say(state: State, rules: Rules, mud: int) -> None:
    rules = rules._replace(locked=0)  # The player asks for that before it looks where to go.
    for piece in range(state.count):
        assert destinations(state, rules, piece, mud) == legal_destinations(state, rules, piece, mud)


def rough(seed: int) -> State:
    """A board of 12 x 12 with a few pieces and much of one or two kinds of ground, where ways round matter."""
    rng = np.random.default_rng(seed)
    grounds = rng.choice([*"=^~h#"], 2, replace=False)
    lines = rng.choice([".", *grounds], (12, 12), p=[0.4, 0.3, 0.3])
    picture = np.full((12, 12), ".")
    free = np.argwhere(lines != "#")
    for letter, (row, col) in zip("KFAkci", rng.permutation(free)[:6], strict=True):
        if letter not in "Kk" or lines[row, col] != "h":
            picture[row, col] = letter
    return board(" ".join(map("".join, picture)), " ".join(map("".join, lines)))


@pytest.mark.parametrize("seed", range(40))
def test_reach_over_rough_ground(seed: int) -> None:
    state, rng = rough(seed), np.random.default_rng(seed)
    for _ in range(6):
        rules = rules_with(
            {
                "terrain.road.squares": int(rng.integers(1, 4)),
                "terrain.road.bonus": int(rng.integers(0, 3)),
                "terrain.mountain.climb": int(rng.integers(0, 3)),
                "AZ-2.2": str(rng.choice(["min1", "min0"])),
                "AZ-2.3": str(rng.choice(["starts_in", "any_square"])),
            }
        )
        mud = int(rng.integers(0, 7))
        for piece in range(state.count):
            assert destinations(state, rules, piece, mud) == legal_destinations(state, rules, piece, mud)


@settings(max_examples=60)
@given(state=boards(), rules=all_rules(), mud=st.integers(0, 6))
def test_nobody_reaches_closed_ground(state: State, rules: Rules, mud: int) -> None:
    for piece in range(state.count):
        closed = (WOOD, STAKE, HOUSE, CASTLE) if is_mounted_piece(state, piece) else (WOOD, STAKE)
        for row, col in destinations(state, rules, piece, mud):
            assert state.at[row, col] == -1
            assert not any(has(state, plane, row, col) for plane in closed)


def is_mounted_piece(state: State, piece: int) -> bool:
    return bool(is_mounted.py_func(state, piece))


# Each of these was wrong once, or nearly: a climb beyond the plain speed, a road that begins there.


@pytest.mark.parametrize(
    ("ground", "changes", "reached"),
    [
        (".==^", {}, {1, 2}),
        (".==.", {}, {1, 2, 3}),
        ("..=^", {"terrain.road.squares": 1}, {1, 2}),
        ("..==", {"terrain.road.squares": 1}, {1, 2, 3}),
        ("...=.", {"terrain.road.squares": 1}, {1, 2, 3}),
        ("...==.", {"terrain.road.bonus": 2}, {1, 2, 4}),
        (".=.^=.", {"terrain.road.bonus": 2}, {1, 2}),
        (".=.^=.", {"terrain.road.bonus": 2, "terrain.mountain.climb": 0}, {1, 2, 4}),
        (".=.^==", {"terrain.road.bonus": 3}, {1, 2, 4}),
        ("^==^^", {"terrain.road.bonus": 3}, {1, 2, 3, 4}),
    ],
)
def test_bonus_and_climb_on_one_way(ground: str, changes: dict[str, int], reached: set[int]) -> None:
    state = board(
        "I" + "." * (len(ground) - 1) + " " + "." * (len(ground) - 1) + "k", ground + " " + "#" * (len(ground))
    )
    rules = rules_with(changes)
    assert {col for _, col in destinations(state, rules, 0)} == reached
    assert {col for _, col in legal_destinations(state, rules, 0, 0)} == reached
