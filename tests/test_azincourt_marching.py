"""Pieces march, charge and walk as their doctrine says, in positions made for it."""

from __future__ import annotations

import pytest

from tests.azincourt_battles import moves, turn_of
from tests.azincourt_boards import board, rules_with
from wargamesim.games.azincourt.judge import legal_targets
from wargamesim.games.azincourt.orders import MOVE, SHOOT
from wargamesim.games.azincourt.rules import FRENCH


def test_who_holds_strikes_only_what_it_can_reach() -> None:
    near = board("i.. ... F.. ...")
    assert moves(turn_of(near, {"min_odds": 0.5})) == {0: (1, 0)}
    assert turn_of(board("i . . . . . . F"), {"min_odds": 0.5}) == []
    assert turn_of(board("i.. ... F.. ..."), {"min_odds": 0.7}) == []


@pytest.mark.parametrize("mirrored", [False, True])
def test_help_counts_to_the_edge_of_the_widest_board(mirrored: bool) -> None:
    # Alone a foot knight wins once in two against its like, with another beside it ten times in eleven.
    rows = ["f" + "." * 61, "." * 62, "FF" + "." * 60]
    if mirrored:
        rows = [row[::-1] for row in rows]
    assert len(moves(turn_of(board(" ".join(rows)), {"min_odds": 0.8}))) == 2
    alone = [row.replace("FF", "F.") if not mirrored else row.replace("FF", ".F") for row in rows]
    assert not moves(turn_of(board(" ".join(alone)), {"min_odds": 0.8}))


def test_who_advances_walks_as_near_as_it_dares() -> None:
    state = board("k . . . . . . . I")
    assert moves(turn_of(state, {"foot": "advance"})) == {0: (6, 0)}
    state = board("k . . . I")
    assert moves(turn_of(state, {"foot": "advance", "min_odds": 0.9})) == {0: (2, 0)}


def test_both_sides_march_straight_ahead() -> None:
    state = board(". i . . . . . . . I")
    assert moves(turn_of(state, {"foot": "advance"}, side=FRENCH)) == {1: (3, 0)}


def test_cavalry_keeps_level_with_its_foot() -> None:
    rows = ["k....", *["....."] * 18, "K...I"]
    free = moves(turn_of(board(" ".join(rows)), {"horse": "advance", "foot": "advance"}))
    kept = moves(turn_of(board(" ".join(rows)), {"horse": "advance", "foot": "advance", "tightness": 2}))
    assert free[0] == (13, 0)
    assert kept[0] == (17, 0)


def test_cavalry_on_the_flank_rides_outside() -> None:
    rows = ["....k....", *["........."] * 18, "..K......"]
    (_, col), (_, flank) = (
        moves(turn_of(board(" ".join(rows)), {"horse": "advance", "flank": flank}))[0] for flank in (False, True)
    )
    assert col == 2
    assert flank == 0


def test_shooters_walk_into_range_and_stay_away() -> None:
    rows = ["i", *"." * 8, "A"]
    assert moves(turn_of(board(" ".join(rows)), {"shooters_advance": True})) == {0: (7, 0)}
    # With a target it shoots; with none in sight it does not go nearer than it may.
    state = board("i . . . A")
    assert turn_of(state, {"shooters_advance": True})[0].what == SHOOT
    rules = rules_with({"pieces.archer.range": 1})
    assert moves(turn_of(board("i . . . A"), {"shooters_advance": True, "keep_away": 3}, rules)) == {0: (3, 0)}
    assert not turn_of(board("i . . A"), {"shooters_advance": True, "keep_away": 3}, rules)


def test_shooters_fight_where_told() -> None:
    rules = rules_with({"pieces.archer.range": 1})
    values = {"foot": "advance", "min_odds": 0.1, "shooters_fight": True}
    assert moves(turn_of(board("i . . A"), values, rules)) == {0: (1, 0)}
    assert not moves(turn_of(board("i . . A"), {**values, "shooters_fight": False}, rules))


def test_a_covered_shooter_steps_aside() -> None:
    state = board(".i... ..... ..... ##I#. ##A.. ##...")
    assert not legal_targets(state, rules_with(), 1)
    (step,) = turn_of(state, {"min_odds": 1.0})
    assert (step.what, step.piece) == (MOVE, 1)
    assert legal_targets(state, rules_with(), 1)
