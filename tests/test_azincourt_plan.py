"""What a player knows at the start of its turn: distances, zones, and whether its army waits, marches or attacks."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.azincourt_battles import SIZES, all_rules, moves, turn_of
from tests.azincourt_boards import board, boards, rules_with
from wargamesim import records
from wargamesim.games.azincourt import orders
from wargamesim.games.azincourt.doctrine import DOCTRINE, compile_doctrine
from wargamesim.games.azincourt.judge import Field, distance
from wargamesim.games.azincourt.layout import CASTLE, HOUSE, LOST, STAKE, UNHORSED, WOOD, State
from wargamesim.games.azincourt.plan import (
    BODY,
    CAVALRY_NEAR,
    DEPTH,
    IN_RANGE,
    MARCHERS,
    ON_FOOT,
    ON_HORSE,
    PLAN,
)
from wargamesim.games.azincourt.rules import ARCHER, CANNON, CROSSBOW, ENGLISH, FRENCH, RULES, Rules
from wargamesim.games.azincourt.state import lift

ANY_BOARD = st.sampled_from(SIZES).flatmap(lambda size: boards(*size))
ADVANCE = {"foot": "advance", "horse": "advance", "shooters_advance": True, "shooters_fight": True}


def plan_of(state: State, rules: Rules, values: dict[str, Any], side: int) -> Any:
    plan: Any = records.new_record(PLAN)
    doctrine: Any = records.pack(compile_doctrine(values), DOCTRINE)
    packed: Any = records.pack(rules, RULES)
    orders.begin(state, packed, doctrine, plan, side, 1)
    return plan


def steps_from_enemy(state: State, side: int, mounted: bool) -> dict[tuple[int, int], int]:
    """Count the steps from the enemy to each square that the ground leaves open, pieces or not."""
    field = Field(state)
    closed = (WOOD, STAKE, HOUSE, CASTLE) if mounted else (WOOD, STAKE)
    front = [field.square(piece) for piece, other in enumerate(field.side) if other != side]
    known, steps = dict.fromkeys(front, 0), 0
    while front:
        steps += 1
        beside = {square for one in front for square in field.neighbours(one)} - known.keys()
        front = [square for square in beside if not any(field.lies_in(plane, square) for plane in closed)]
        known |= dict.fromkeys(front, steps)
    return known


def squares(words: Any, state: State) -> set[tuple[int, int]]:
    return {(r, c) for r in range(state.height) for c in range(64) if int(words[r]) >> c & 1}


@settings(max_examples=60)
@given(state=ANY_BOARD, rules=all_rules(), side=st.sampled_from([ENGLISH, FRENCH]))
def test_distances_are_steps_over_open_ground(state: State, rules: Rules, side: int) -> None:
    plan, field = plan_of(state, rules, ADVANCE, side), Field(state)
    wanted: dict[int, int] = {}
    for mounted, layer in ((False, ON_FOOT), (True, ON_HORSE)):
        known = steps_from_enemy(state, side, mounted)
        for steps in range(plan.depth[layer]):
            assert squares(plan.layers[layer, steps], state) == {at for at, far in known.items() if far <= steps}
        own = [piece for piece, other in enumerate(field.side) if other == side and field.is_mounted(piece) == mounted]
        wanted |= {piece: known[field.square(piece)] for piece in own if known.get(field.square(piece), DEPTH) < DEPTH}
    wanted = {piece: far for piece, far in wanted.items() if field.kind[piece] != CANNON}
    marchers = plan.marchers[: plan.memo[MARCHERS]].tolist()
    assert marchers == sorted(wanted, key=lambda piece: (wanted[piece], piece))
    on_foot = [far for piece, far in wanted.items() if not field.is_mounted(piece)]
    assert plan.memo[BODY] == (sum(on_foot) // len(on_foot) if on_foot else 0)


@settings(max_examples=60)
@given(state=ANY_BOARD, rules=all_rules(), side=st.sampled_from([ENGLISH, FRENCH]), near=st.integers(1, 12))
def test_zones_are_squares_around_the_enemy(state: State, rules: Rules, side: int, near: int) -> None:
    plan, field = plan_of(state, rules, {"plant_distance": near}, side), Field(state)
    board_squares = [(row, col) for row in range(field.rows) for col in range(field.cols)]

    def around(pieces: list[int], reach: int) -> set[tuple[int, int]]:
        return {
            square
            for square in board_squares
            if any(distance(square, field.square(piece)) <= reach for piece in pieces)
        }

    enemies = [piece for piece, other in enumerate(field.side) if other != side]
    reach = int(max(rules.reach[ARCHER], rules.reach[CROSSBOW]))
    assert squares(plan.zones[IN_RANGE], state) == around(enemies, reach)
    cavalry = [piece for piece in enemies if field.is_mounted(piece)]
    assert squares(plan.zones[CAVALRY_NEAR], state) == around(cavalry, near)


def test_the_removed_count_no_more() -> None:
    state = board("k.i.. ..... ..... ..... F.I.K")
    before = plan_of(state, rules_with(), {**ADVANCE, "plant_distance": 1}, ENGLISH)
    assert before.memo[MARCHERS] == 3
    lift(state, 0)
    lift(state, 3)
    after = plan_of(state, rules_with(), {**ADVANCE, "plant_distance": 1}, ENGLISH)
    assert after.memo[MARCHERS] == 2
    assert squares(after.zones[CAVALRY_NEAR], state) == set()


# Modes


@pytest.mark.parametrize(("turn", "waits"), [(1, True), (5, True), (6, True), (7, False)])
def test_an_army_waits_its_turns(turn: int, waits: bool) -> None:
    state = board(" ".join(["a", *"." * 10, "I"]))
    acted = turn_of(state, {"foot": "advance", "wait_turns": 3}, turn=turn)
    assert (not acted) == waits


def test_no_waiting_under_fire() -> None:
    state = board(" ".join(["a", *"." * 5, "I"]))
    assert moves(turn_of(state, {"foot": "advance", "wait_turns": 3}))


@pytest.mark.parametrize(("turn", "walks"), [(7, False), (8, False), (9, True)])
def test_patience_ends(turn: int, walks: bool) -> None:
    state = board(" ".join(["a.", *[".."] * 12, "IA"]))
    assert set(moves(turn_of(state, {"patience": 4}, turn=turn))) == ({0, 1} if walks else set())


def test_patience_lasts_while_somebody_can_shoot() -> None:
    state = board(" ".join(["a.", *[".."] * 5, "IA"]))
    assert not moves(turn_of(state, {"patience": 4}, turn=20))


def test_a_sally_after_losses_of_the_enemy() -> None:
    state = board(" ".join(["i", *"." * 9, "I"]))
    assert not turn_of(state, {"sally_after": 3})
    state.tally[LOST + FRENCH], state.tally[UNHORSED + FRENCH] = 1, 2
    assert moves(turn_of(state, {"sally_after": 3})) == {0: (8, 0)}
