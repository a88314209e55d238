"""Splitting and merging (SS-6.2, SS-6.3)."""

from __future__ import annotations

import pytest

from tests.stirling_battles import (
    EAST,
    NORTH_EAST,
    WEST,
)
from tests.stirling_positions import (
    Dice,
    Players,
    course_of,
    go,
    rows,
    scripted,
)
from wargamesim.games.stirling.layout import (
    FIT,
    GONE,
    MERGED,
    NOBODY,
    ROUTED,
    RUNS,
    SPLIT,
    T_MERGED,
    T_SPLIT,
    WALK,
)
from wargamesim.games.stirling.referee_move import movement_phase


@pytest.fixture
def players(monkeypatch: pytest.MonkeyPatch) -> Players:
    return scripted(monkeypatch)


def test_a_unit_splits(players: Players) -> None:
    """SS-6.2: the odd ten stays with the Leader, the new half faces the other way."""
    unit = {"men": 250, "men0": 300, "left": 250, "charisma": 12, "leader": FIT, "rem": 3}
    course = course_of((0, (5, 5), EAST, unit), (1, (9, 9), WEST))
    players.moves = {0: go(SPLIT, to=WEST)}
    movement_phase(course)
    old, _, new = course.board.units
    assert (old.men, old.men0, old.front, old.leader, old.rem) == (130, 150, EAST, FIT, 3)
    assert (new.men, new.men0, new.front, new.leader, new.rem) == (120, 150, WEST, NOBODY, 0)
    assert old.hex == new.hex
    assert (old.moved, new.moved, new.charisma) == (1, 1, 0)
    assert rows(course, T_SPLIT) == [(0, 2, 130, 120, *[-1] * 6)]
    assert course.names[2] == "unit 0, half 2"
    assert players.order == [0, 1]


def test_halves_may_stand_apart(players: Players) -> None:
    course = course_of((0, (5, 5), EAST), (1, (9, 9), WEST), changes={"SS-P29": "adjacent_hex"})
    players.moves = {0: go(SPLIT, NORTH_EAST, to=WEST)}
    movement_phase(course)
    assert [unit.hex for unit in course.board.units] == [(5, 5), (9, 9), (6, 4)]


def test_the_example_of_a_merger(players: Players) -> None:
    """SS-6.3: A(AC3, 3/2, HP10, T19, d10+2, MOV6) and B(AC5, 2, HP8, T20, d6, MOV12)."""
    first = {"ac": 3, "rate_num": 3, "rate_den": 2, "hp": 10, "thac0": 19, "die": 10, "bonus": 2, "mov": 6}
    second = {"ac": 5, "rate_num": 2, "rate_den": 1, "hp": 8, "thac0": 20, "die": 6, "bonus": 0, "mov": 12}
    common = {"men": 100, "men0": 200, "left": 100}
    for one, two in ((first, second), (second, first)):
        course = course_of((0, (5, 5), EAST, common | one), (0, (6, 5), WEST, common | two), (1, (0, 9), EAST))
        players.moves = {0: go(WALK, EAST, merge=1)}
        movement_phase(course)
        mover, unit, _ = course.board.units
        assert (unit.ac, unit.hp, unit.thac0, unit.mov) == (5, 8, 20, 6)
        assert (unit.rate_num, unit.rate_den) == (3, 2)
        assert unit.damage(missile=False, large=False) == (1, 6, 0)
        assert (unit.men, unit.men0, unit.left, unit.front, unit.moved) == (200, 400, 200, WEST, 1)
        assert mover.status == MERGED
        assert rows(course, T_MERGED) == [(0, 1, 200, 400, 0, *[-1] * 5)]


@pytest.mark.parametrize(
    ("mover", "other", "commander", "leader"),
    [
        ((12, FIT), (13, FIT), -1, (13, FIT)),
        ((13, FIT), (13, RUNS), -1, (13, RUNS)),
        ((14, RUNS), (13, FIT), -1, (14, RUNS)),
        ((15, GONE), (9, FIT), -1, (9, FIT)),
        ((15, GONE), (0, NOBODY), -1, (0, GONE)),
        ((9, FIT), (15, FIT), 0, (9, FIT)),
        ((15, FIT), (9, FIT), 1, (9, FIT)),
    ],
)
def test_who_leads_a_merged_unit(
    players: Players, mover: tuple[int, int], other: tuple[int, int], commander: int, leader: tuple[int, int]
) -> None:
    units = [(0, (col, 5), EAST, {"charisma": cha, "leader": is_}) for col, (cha, is_) in ((5, mover), (6, other))]
    course = course_of(*units, (1, (0, 9), EAST), commanders=((commander, 9), (-1, 0)))
    players.moves = {0: go(WALK, EAST, merge=1)}
    movement_phase(course)
    unit = course.board.units[1]
    assert (unit.charisma, unit.leader) == leader
    assert course.state.commander[0] == (1 if commander >= 0 else -1)


def test_a_routed_unit_spoils_the_other(players: Players) -> None:
    course = course_of(
        (0, (5, 5), EAST, {"routed_turn": 0}),
        (0, (6, 5), EAST, {"status": ROUTED, "routed_turn": 1, "failed_modifier": -6, "mov": 6}),
        (1, (0, 9), EAST),
    )
    Dice(course, initiative={0: 2, 1: 1})
    players.moves = {0: go(WALK, EAST, merge=1)}
    movement_phase(course)
    unit = course.board.units[1]
    assert (unit.status, unit.routed_turn, unit.failed_modifier, unit.fled) == (ROUTED, 1, -6, 0)
