"""Shooters choose targets, dice and stakes as their doctrine says, in positions made for it."""

from __future__ import annotations

import pytest

from tests.azincourt_battles import turn_of
from tests.azincourt_boards import board, rules_with
from wargamesim.games.azincourt import layout
from wargamesim.games.azincourt.layout import FACING
from wargamesim.games.azincourt.orders import FIRE, MOVE, PLANT, SHOOT

EAST = 2

# Shooting


@pytest.mark.parametrize(
    ("target", "square"), [("nearest", (2, 2)), ("mounted_first", (1, 1)), ("most_valuable", (1, 1))]
)
def test_whom_a_shooter_prefers(target: str, square: tuple[int, int]) -> None:
    acted = turn_of(board("..... .k..f ..i.. ..... ..A.."), {"target": target})
    assert [(action.what, action.square) for action in acted] == [(SHOOT, square)]


def test_the_most_valuable_is_not_always_mounted() -> None:
    state = board("..... .k..f ..i.. ..... ..A..")
    rules = rules_with({"pieces.foot_knight.value": 5})
    assert turn_of(state, {"target": "most_valuable"}, rules)[0].square == (1, 4)


@pytest.mark.parametrize(
    ("distance", "values", "dice"),
    [(6, {}, 1), (7, {}, 2), (9, {}, 2), (9, {"two_dice_from": 10}, 0), (5, {"two_dice_from": 2}, 1)],
)
def test_which_dice_a_cannon_takes(distance: int, values: dict[str, int], dice: int) -> None:
    state = board(" ".join(["i", *"." * (distance - 1), "C"]))
    fired = [action.dice for action in turn_of(state, values) if action.what == FIRE]
    assert fired == ([dice] if dice else [])


def test_a_cannon_spares_its_friends() -> None:
    # Two enemies and two friends around the square: worth it for who does not count friends.
    picture = "iI .i I. .. .. .C"
    assert [action.what for action in turn_of(board(picture), {"friend_weight": 0.5})][:1] == [FIRE]
    assert FIRE not in [action.what for action in turn_of(board(picture), {"friend_weight": 1.5})]


def test_a_cannon_turns_where_it_has_a_shot() -> None:
    state = board("..... ..... ..... C..i.")
    (turned,) = turn_of(state, {})
    assert (turned.what, turned.square, turned.facing) == (MOVE, (3, 0), EAST)
    state.pieces[FACING, 0] = EAST
    (fired,) = turn_of(state, {})
    assert (fired.what, fired.square, fired.dice) == (FIRE, (3, 3), 1)


# Stakes


@pytest.mark.parametrize(("distance", "planted"), [(6, False), (5, True), (4, True)])
def test_stakes_go_up_when_cavalry_is_near(distance: int, planted: bool) -> None:
    state = board(" ".join(["k", *"." * (distance - 1), "A"]))
    acted = turn_of(state, {"plant_distance": 5})
    assert [action.what for action in acted] == ([PLANT] if planted else [SHOOT])
    if planted:
        assert acted[0].stake == (distance - 1, 0)


def test_no_stakes_against_foot_nor_in_contact_nor_without_one() -> None:
    assert turn_of(board("f.. ... ..A"), {"plant_distance": 9})[0].what == SHOOT
    assert PLANT not in [action.what for action in turn_of(board("kA."), {"plant_distance": 9})]
    state = board("k.. ... ..A")
    state.pieces[layout.STAKES, 0] = 0
    assert turn_of(state, {"plant_distance": 9})[0].what == SHOOT


def test_the_fence_keeps_gaps() -> None:
    acted = turn_of(board("k...... ....... ....... AAAAAAA"), {"plant_distance": 9, "plant_spacing": 3})
    assert sorted(action.stake[1] for action in acted if action.what == PLANT) == [0, 3, 6]
    assert sum(action.what == SHOOT for action in acted) == 4
