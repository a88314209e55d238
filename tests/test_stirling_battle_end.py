"""How battles of the kernel end, and which can never end."""

from __future__ import annotations

from typing import Any

import pytest

from tests.stirling_battles import (
    EAST,
    STEADY,
    WEST,
    duel,
    fields_of,
    play_one,
    rulebook_with,
    setup_of,
)
from wargamesim.games.stirling.attack import fewest_men
from wargamesim.games.stirling.layout import DRAW, FIRST, NO_DECISION, ROUTED, SECOND, STERILE
from wargamesim.games.stirling.units import Unit

KEY = 101


def is_sterile(first: Unit, second: Unit, changes: dict[str, Any], **more: Any) -> bool:
    return bool(play_one(duel(first, second, rulebook_with(STEADY | changes), turns=1, **more), KEY, 0)["turns"] == 0)


@pytest.mark.parametrize("hp", [6, 7, 8, 22])
@pytest.mark.parametrize("rate", ["1/2", "1", "3/2"])
@pytest.mark.parametrize("changes", [{}, {"SS-P36": "per_attack"}, {"SS-P36": "per_clash"}, {"SS-P35": "exact"}])
def test_the_fewest_men_who_can_hurt(hp: int, rate: str, changes: dict[str, Any]) -> None:
    book = rulebook_with(STEADY | changes | {"units.men_step": 1})
    fewest = fewest_men(book, "1d8", hp, {"1/2": 1, "1": 2, "3/2": 3}[rate])
    assert fewest is not None
    victim = Unit(men=500, rate=0, hp=hp)
    many = changes | {"units.men_step": 1}
    assert is_sterile(Unit(men=fewest - 1, rate=rate), victim, many)
    assert not is_sterile(Unit(men=fewest, rate=rate), victim, many)


def test_what_keeps_a_battle_going() -> None:
    few, more = Unit(men=20), Unit(men=30)
    assert is_sterile(few, few, {})
    # Three to one still compels checks; dead that are carried over add up; a charge makes a strike heavier.
    assert not is_sterile(Unit(men=20, rate=0), Unit(men=60, rate=0), {"morale.situations.outnumbered.on": True})
    assert not is_sterile(few, few, {"SS-P35": "carry"})
    assert is_sterile(few, few, {"SS-P35": "carry", "SS-P10": "off", "attack.die": 4})
    assert not is_sterile(few, more, {})
    assert not is_sterile(Unit(men=20, damage="1d8+10"), few, {})


def test_many_small_units_together_can_hurt() -> None:
    book = rulebook_with(STEADY)
    small = Unit(men=20)
    target = fields_of(Unit(men=300, rate=0), book, 1, (6, 5), WEST)
    one = [fields_of(small, book, 0, (5, 5), EAST)]
    two = [*one, fields_of(small, book, 0, (7, 5), WEST)]
    assert play_one(setup_of([*one, target], book, turns=1), KEY, 0)["turns"] == 0
    assert play_one(setup_of([*two, target], book, turns=1), KEY, 0)["turns"] == 1
    each = book.variant({"SS-P36": "per_clash"})
    assert play_one(setup_of([*two, target], each, turns=1), KEY, 0)["turns"] == 0


@pytest.mark.parametrize("end", ["no_ordered_unit", "annihilation"])
def test_a_side_without_units_in_order(end: str) -> None:
    book = rulebook_with(STEADY | {"SS-P46": end})
    idle = Unit(men=500, rate=0)
    striker = Unit(men=300)

    def outcome(*states: int) -> int:
        units = [
            fields_of(idle, book, 0, (2, 2), EAST, status=states[0]),
            fields_of(striker, book, 0, (5, 5), EAST, status=states[1]),
            fields_of(idle, book, 1, (6, 5), WEST, status=states[2]),
        ]
        return int(play_one(setup_of(units, book, turns=1), KEY, 0)["outcome"])

    assert outcome(0, 0, 0) == NO_DECISION
    assert outcome(0, 0, ROUTED) == (FIRST if end == "no_ordered_unit" else NO_DECISION)
    if end == "no_ordered_unit":
        # Nobody can strike, so the battle is over before its first turn.
        assert outcome(ROUTED, ROUTED, 0) == STERILE
    assert {DRAW, SECOND}.isdisjoint({outcome(0, 0, 0)})
