"""Ranged combat: ranges, spells, and shots into a melee (section 4)."""

from __future__ import annotations

import pytest

from tests.stirling_battles import (
    EAST,
    WEST,
)
from tests.stirling_positions import (
    BOW,
    Dice,
    Players,
    attacks_of,
    course_of,
    rows,
    scripted,
)
from wargamesim.games.stirling import layout
from wargamesim.games.stirling.layout import (
    LARGE,
    ORDERED,
    ROUTED,
    T_ATTACK,
    T_CAST,
)
from wargamesim.games.stirling.referee_melee import melee_phase
from wargamesim.games.stirling.referee_ranged import ranged_phase, shares


@pytest.fixture
def players(monkeypatch: pytest.MonkeyPatch) -> Players:
    return scripted(monkeypatch)


@pytest.mark.parametrize(
    ("away", "needed"),
    [(2, 14), (7, 14), (8, 16), (14, 16), (15, 19), (21, 19)],
)
def test_range_makes_shots_harder(players: Players, away: int, needed: int) -> None:
    course = course_of((0, (0, 0), EAST, BOW), (1, (away, 0), WEST), board=(3, 30))
    players.targets = {0: 1}
    ranged_phase(course)
    assert {row[3] for row in attacks_of(course)} == {needed}
    assert course.state.tally[layout.VOLLEYS] == 1


def test_who_shot_does_not_strike(players: Players) -> None:
    course = course_of((0, (5, 5), EAST, BOW), (1, (6, 5), WEST), (1, (9, 5), WEST))
    players.targets = {0: 2}
    ranged_phase(course)
    melee_phase(course)
    assert [row[:3] for row in attacks_of(course)] == [(0, 2, 0)] * 2 + [(1, 0, 1)] * 2


def test_all_shots_are_made_with_the_men_of_the_start(players: Players) -> None:
    course = course_of((0, (0, 0), EAST, BOW), (1, (3, 0), WEST, BOW))
    players.targets = {0: 1, 1: 0}
    course.roll = lambda _actor, _purpose, k, _sides: 6 if k % 2 else 20  # type: ignore[method-assign]
    ranged_phase(course)
    assert [unit.men for unit in course.board.units] == [200, 200]  # 51 and 51


def quarters(first: int, second: int, rule: str, *, large: bool = False) -> list[int]:
    course = course_of(
        (0, (5, 5), EAST, {"men": first, "traits": LARGE if large else 0}),
        (1, (6, 5), WEST, {"men": second}),
        changes={"SS-P15": rule},
    )
    return shares(course.board, course.board.units)


def test_quarters_by_rule() -> None:
    """SS-12.11."""
    table = {
        (170, 450): ([1, 3], [1, 2], [1, 3]),
        (200, 300): ([1, 3], [1, 2], [2, 2]),
        (90, 410): ([0, 4], [0, 3], [1, 3]),
        (120, 380): ([0, 4], [0, 3], [1, 3]),
        (150, 450): ([1, 3], [1, 3], [1, 3]),
        (100, 100): ([2, 2], [2, 2], [2, 2]),
    }
    for (first, second), expected in table.items():
        for rule, result in zip(("small_floor", "both_floor", "nearest"), expected, strict=True):
            assert quarters(first, second, rule) == result, (first, second, rule)
            assert quarters(second, first, rule) == result[::-1], (second, first, rule)
    assert quarters(50, 300, "small_floor", large=True) == [1, 3]
    assert quarters(450, 170, "friend_floor") == [2, 2]
    assert quarters(170, 450, "friend_floor") == [1, 3]


def test_quarters_of_more_than_two() -> None:
    """SS-4.6: the heaviest has the rest."""
    units = [(0, (5, 5), EAST, {"men": 100}), (0, (5, 4), EAST, {"men": 300}), (1, (6, 5), WEST, {"men": 200})]
    expected = {"small_floor": [0, 3, 1], "nearest": [0, 3, 1], "both_floor": [0, 2, 1], "friend_floor": [0, 2, 2]}
    for rule, result in expected.items():
        course = course_of(*units, changes={"SS-P15": rule})
        assert shares(course.board, course.board.units) == result


def test_what_shares_of_a_shot_cost(players: Players) -> None:
    """SS-12.11: 100 shooters, HP 6, 170 friends against 450 enemies."""
    for damage, costs in zip(range(1, 7), ((0, 2), (1, 5), (2, 7), (3, 10), (4, 12), (5, 15)), strict=True):
        course = course_of(
            (0, (5, 5), EAST, {"men": 170, "hp": 6}),
            (0, (1, 5), EAST, {"men": 100, **BOW}),
            (1, (6, 5), WEST, {"men": 450, "hp": 6}),
        )
        players.targets = {1: 2}
        Dice(course, shoot={(1, 0): 19, (1, 1): damage})
        ranged_phase(course)
        found = rows(course, T_ATTACK)[:2]
        assert [(row[1], row[8], row[7]) for row in found] == [(0, 1, costs[0]), (2, 3, costs[1])]


def test_whose_ac_counts_in_a_melee(players: Players) -> None:
    for reading, needs in (("each_own", [18, 14]), ("aimed", [14, 14])):
        course = course_of(
            (0, (5, 5), EAST, {"ac": 2}), (0, (1, 5), EAST, BOW), (1, (6, 5), WEST), changes={"SS-P14": reading}
        )
        players.targets = {1: 2}
        ranged_phase(course)
        assert [row[3] for row in attacks_of(course)[:2]] == needs


def test_only_those_in_melee_share_a_shot(players: Players) -> None:
    """SS-4.4: neighbours of whom one has its front on the other."""
    for front, target_front, status, count in (
        (EAST, EAST, ORDERED, 2),
        (WEST, WEST, ORDERED, 2),
        (WEST, EAST, ORDERED, 1),
        (EAST, EAST, ROUTED, 1),
    ):
        course = course_of(
            (0, (5, 5), front, {"status": status}), (0, (1, 5), EAST, BOW), (1, (6, 5), target_front), (1, (9, 9), WEST)
        )
        players.targets = {1: 2}
        ranged_phase(course)
        assert len({row[1] for row in rows(course, T_ATTACK)}) == count


def test_men_shot_by_their_own_side_are_counted(players: Players) -> None:
    course = course_of((0, (5, 5), EAST), (0, (1, 5), EAST, BOW), (1, (6, 5), WEST))
    players.targets = {1: 2}
    Dice(course, shoot={(1, 0): 19, (1, 1): 6})
    ranged_phase(course)
    assert course.state.tally[layout.OWN_SHOT] == rows(course, T_ATTACK)[0][7] == 300 * 6 * 2 // (4 * 5 * 7)


def test_spells_cost_what_the_scenario_says(players: Players) -> None:
    spells = ((0, 1, 9, 47), (0, 2, 9, 99))
    for changes, left in (({}, 260), ({"SS-P09": "off"}, 300), ({"SS-P36": "per_attack", "SS-P35": "exact"}, 253)):
        course = course_of((0, (5, 5), EAST, {"rate_num": 0}), (1, (9, 5), WEST), changes=changes, spells=spells)
        players.spells = {0: 1, 1: 1}
        ranged_phase(course)
        assert course.board.units[1].men == left
        assert len(rows(course, T_CAST)) == (left < 300)
        assert course.board.units[0].shot == (left < 300)
