"""What one turn of melee removes, against the exact distributions: sides, rounding, dice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.stirling_battles import (
    EAST,
    NORTH_EAST,
    SOUTH_WEST,
    STEADY,
    WEST,
    assert_chances,
    counts_of,
    fields_of,
    play_one,
    rulebook_with,
    setup_of,
    tally_of,
)
from wargamesim.dice.stream import face
from wargamesim.games.stirling import battle
from wargamesim.games.stirling.attack import by_side, losses, removed
from wargamesim.games.stirling.layout import CHARISMA, REMOVED, STRIKE, T_ATTACK
from wargamesim.games.stirling.units import Unit, attacks_in

KEY, BATTLES = 31, 4_000


@pytest.mark.parametrize(
    ("front", "side"), [(WEST, "front"), (NORTH_EAST, "flank"), (SOUTH_WEST, "flank"), (EAST, "rear")]
)
@pytest.mark.parametrize(
    "changes", [{}, {"SS-P32": "flank_2_rear_4"}, {"SS-P32": "rear_damage", "SS-P36": "per_attack"}]
)
def test_a_turn_removes_what_the_side_struck_allows(front: int, side: str, changes: dict[str, Any]) -> None:
    book = rulebook_with(STEADY | changes)
    unit = Unit(men=200, rate="3/2")
    units = [
        fields_of(unit, book, 0, (5, 5), EAST),
        fields_of(Unit(men=300, rate=0), book, 1, (6, 5), front, shield=1),
    ]
    records, _ = battle.play(setup_of(units, book, turns=1), KEY, 0, BATTLES)
    struck = by_side(book, side, shield=1)
    one = losses(book, 200, 20, 6, "1d8", 7, modifier=struck.modifier, times=struck.percent, parts=100)
    exact = removed(book, one, attacks_in(book, "3/2", 1))
    assert_chances(counts_of(tally_of(records, REMOVED, 1), len(exact.p)), exact.p)
    assert (tally_of(records, REMOVED, 0) == 0).all()


def test_the_other_half_of_damage_is_for_large_targets() -> None:
    book = rulebook_with(STEADY)
    for traits, most in ((0, 300 * 1 // 35), (1, 300 * 12 // 35)):
        units = [
            fields_of(Unit(damage="1d1"), book, 0, (5, 5), EAST, dice_l=1, die_l=1, bonus_l=11),
            fields_of(Unit(rate=0), book, 1, (6, 5), WEST, traits=traits),
        ]
        trace = [row for n in range(20) for row in play_one(setup_of(units, book, turns=1), KEY, n)["trace"]]
        assert {row[9] for row in trace if row[1] == T_ATTACK} == {0, most}


def test_dice_are_those_of_the_event() -> None:
    book = rulebook_with(STEADY)
    units = [
        fields_of(Unit(damage="2d6+1", rate=2), book, 0, (5, 5), EAST),
        fields_of(Unit(men=500), book, 1, (6, 5), WEST),
    ]
    rows = [row for row in play_one(setup_of(units, book), KEY, 7)["trace"] if row[1] == T_ATTACK]
    assert len(rows) > 20
    for turn, _, attacker, _, _, a, to_hit, _, damage, *_ in rows:
        dice = 2 if attacker == 0 else 1
        sides, bonus = (6, 1) if attacker == 0 else (8, 0)
        first = a * (1 + dice)
        assert to_hit == face(KEY, 7, turn, attacker, STRIKE, first, 20)
        if damage >= 0:
            rolled = (face(KEY, 7, turn, attacker, STRIKE, first + 1 + i, sides) for i in range(dice))
            assert damage == sum(rolled) + bonus


def test_a_leader_falls_as_often_as_any_man() -> None:
    book = rulebook_with(STEADY | {"attack.divisor": 1, "SS-P37": "as_a_man"})
    units = [fields_of(Unit(men=70, damage="1d1", thac0=-40), book, 0, (5, 5), EAST)]
    units.append(fields_of(Unit(men=100, hp=1, rate=0, leader=12), book, 1, (6, 5), WEST))
    assert units[1][CHARISMA] == 12
    # Two attacks of 35 men, unless a 1 misses; 70 of 100 fall.
    setup = setup_of(units, book.variant({"attack.ranged_divisor": 1, "attack.divisor": 2}), turns=1)
    records, _ = battle.play(setup, KEY, 0, BATTLES)
    lost = tally_of(records, REMOVED, 1)
    assert set(lost.tolist()) == {0, 30, 70}
    fell = tally_of(records, 12, 1)
    for men in (30, 70):
        count = (lost == men).sum()
        assert_chances([fell[lost == men].sum(), count - fell[lost == men].sum()], [men / 100, 1 - men / 100])
    assert np.all(fell[lost == 0] == 0)
