"""Morale and recovery in the kernel against the exact chances; what a checked unit is told by its situation."""

from __future__ import annotations

from typing import Any

import pytest

from tests.stirling_battles import (
    EAST,
    STEADY,
    WEST,
    assert_chances,
    fields_of,
    play_one,
    rulebook_with,
    setup_of,
    tally_of,
)
from wargamesim.games.stirling import battle, layout
from wargamesim.games.stirling.layout import (
    COMMANDER_LOST,
    FRIEND_BROKEN,
    IS_OUTNUMBERED,
    LEADER_LOST,
    RECOVERIES,
    ROUTED,
    ROUTS,
    STRUCK_BEHIND,
    T_BROKEN,
    T_CHECK,
)
from wargamesim.games.stirling.morale import check, pass_chance, recovery_chance
from wargamesim.games.stirling.units import Unit

KEY, BATTLES = 59, 4_000
IDLE = Unit(rate=0)


@pytest.mark.parametrize("changes", [{}, {"SS-P42": "half"}, {"SS-P40": "2d6", "SS-P41": "bx", "SS-P42": "bx"}])
@pytest.mark.parametrize("combine", ["separate", "either", "both"])
def test_who_is_outnumbered_routs_as_often_as_the_odds_say(changes: dict[str, Any], combine: str) -> None:
    book = rulebook_with(changes | {"SS-P47": combine})
    weak = Unit(men=100, rate=0, leader=14, quality="common")
    units = [
        fields_of(weak, book, 0, (5, 5), EAST),
        fields_of(IDLE, book, 0, (12, 12), EAST),
        fields_of(IDLE, book, 1, (6, 5), WEST),
    ]
    setup = setup_of(units, book, turns=1, commanders=((-1, 15), (-1, 0)))
    records, _ = battle.play(setup, KEY, 0, BATTLES)
    routs = int((tally_of(records, ROUTS, 0) > 0).sum())
    chance = float(check(book, "common", 14, 15, ["outnumbered"]).routs)
    assert_chances([routs, BATTLES - routs], [chance, 1 - chance])


@pytest.mark.parametrize("rally", ["own_or_in_hex", "own", "adjacent"])
def test_who_recovers(rally: str) -> None:
    book = rulebook_with({"SS-P43": rally, "SS-P01": "unlimited"} | STEADY)
    routed = {"status": ROUTED}
    units = [
        fields_of(Unit(rate=0, leader=8, quality="levy"), book, 0, (2, 2), EAST, **routed),
        fields_of(Unit(rate=0, quality="levy"), book, 0, (2, 2), EAST, **routed),
        fields_of(Unit(rate=0, quality="levy"), book, 0, (3, 2), EAST, **routed),
        fields_of(Unit(rate=0, quality="levy"), book, 0, (9, 2), EAST, **routed),
        fields_of(Unit(), book, 0, (12, 2), EAST),
        fields_of(Unit(), book, 1, (13, 2), WEST),
    ]
    setup = setup_of(units, book, turns=1, commanders=((-1, 18), (-1, 0)))
    chance = float(recovery_chance(book, "levy", 8))
    who = {"own": {0}, "own_or_in_hex": {0, 1}, "adjacent": {0, 1, 2}}[rally]
    tried: dict[int, list[int]] = {}
    for number in range(300):
        for row in play_one(setup, KEY, number)["trace"]:
            if row[1] == T_CHECK:
                assert row[3:5] == (1, 2)
                tried.setdefault(row[2], []).append(row[8])
    assert set(tried) == who
    passed = sum(map(sum, tried.values()))
    assert_chances([passed, 300 * len(who) - passed], [chance, 1 - chance])
    records, _ = battle.play(setup, KEY, 0, 300)
    assert tally_of(records, RECOVERIES, 0).sum() == passed


@pytest.mark.parametrize(("time", "turns"), [("next_turn", [2, 3]), ("same_turn", [1, 2, 3]), ("hold", [2, 3])])
def test_recovery_takes_a_turn(time: str, turns: list[int]) -> None:
    # Nobody passes a check to recover with a rating of 0, nor the check of an outnumbered unit.
    book = rulebook_with({"SS-P44": time, "morale.situations.friend_broken.on": False})
    units = [
        fields_of(Unit(men=100, rate=0, leader=12), book, 0, (5, 5), EAST, morale=-20),
        fields_of(IDLE, book, 0, (12, 12), EAST),
        fields_of(IDLE, book, 1, (6, 5), WEST),
    ]
    more = {"morale.situations.outnumbered.on": True}
    setup = setup_of(units, book.variant(more), turns=3)
    trace = play_one(setup, KEY, 0)["trace"]
    tries = [row[0] for row in trace if row[1] == T_CHECK and row[2:5] == (0, 1, 2)]
    dispersed = [row[0] for row in trace if row[1] == T_BROKEN and row[3] == layout.DISPERSED]
    # It is outnumbered in turn 2 again, and then dispersed.
    assert dispersed == [2]
    assert tries == [turn for turn in turns if turn < 2]


def test_a_rout_makes_friends_check_at_most_once() -> None:
    book = rulebook_with()
    units = [
        fields_of(IDLE, book, 0, (4, 5), EAST),
        fields_of(Unit(men=100, rate=0, leader=12), book, 0, (5, 5), EAST, morale=-20, leader_morale=-20),
        fields_of(IDLE, book, 0, (5, 6), EAST),
        fields_of(IDLE, book, 0, (12, 12), EAST),
        fields_of(IDLE, book, 1, (6, 5), WEST),
    ]
    setup = setup_of(units, book, turns=1, commanders=((1, 12), (-1, 0)))
    rows = [row for row in play_one(setup, KEY, 0)["trace"] if row[1] == T_CHECK]
    friend, commander = 1 << FRIEND_BROKEN, 1 << COMMANDER_LOST
    own = 1 << IS_OUTNUMBERED
    seen = [(row[2], row[3], row[5]) for row in rows]
    assert seen[0] == (1, 0, own)
    assert seen[1] == (1, 1, own | 1 << LEADER_LOST | commander)
    # Who stands before the routed unit in the list checks after it; whoever is far away misses the Commander alone.
    assert sorted(seen[2:]) == [(0, 1, friend | commander), (2, 1, friend | commander), (3, 1, commander)]


def test_being_struck_behind_is_a_situation() -> None:
    book = rulebook_with()
    units = [
        fields_of(Unit(men=10), book, 0, (5, 5), EAST),
        fields_of(Unit(men=250), book, 1, (6, 5), EAST),
        fields_of(IDLE, book, 1, (12, 12), EAST),
    ]
    rows = [row for row in play_one(setup_of(units, book, turns=1), KEY, 0)["trace"] if row[1] == T_CHECK]
    assert [row[2:6] for row in rows if row[2] == 1] == [(1, 1, 0, 1 << STRUCK_BEHIND)]


def test_the_chance_of_a_bare_check() -> None:
    book = rulebook_with({"morale.situations.outnumbered.modifier": 0})
    units = [
        fields_of(Unit(men=100, rate=0), book, 0, (5, 5), EAST, morale=11),
        fields_of(IDLE, book, 0, (12, 12), EAST),
        fields_of(IDLE, book, 1, (6, 5), WEST),
    ]
    records, _ = battle.play(setup_of(units, book, turns=1), KEY, 0, BATTLES)
    held = int((tally_of(records, ROUTS, 0) == 0).sum())
    chance = float(pass_chance(book, 11))
    assert_chances([held, BATTLES - held], [chance, 1 - chance])
