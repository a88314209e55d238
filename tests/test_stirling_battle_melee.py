"""Charges in the kernel against the exact distributions of their strikes; who can strike whom."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.stirling_battles import (
    EAST,
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
from wargamesim.games.stirling import battle
from wargamesim.games.stirling.charge import charge
from wargamesim.games.stirling.doctrine import compile_doctrine
from wargamesim.games.stirling.layout import CHARGES, REMOVED, T_ATTACK
from wargamesim.games.stirling.units import Unit

KEY, BATTLES = 71, 4_000
LONG, SHORT = {"length": 300}, {"length": 100}


@pytest.mark.parametrize("lengths", [(LONG, SHORT), (SHORT, LONG), (LONG, LONG)])
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"SS-P31": "round_by_round"},
        {"SS-P33": "hit_only", "SS-P34": "off"},
        {"SS-P36": "per_attack", "SS-P35": "carry"},
        {"SS-P30": "any_run", "SS-P36": "per_clash"},
    ],
)
def test_a_charge_removes_what_the_odds_say(lengths: tuple[Any, Any], changes: dict[str, Any]) -> None:
    book = rulebook_with(STEADY | changes)
    charger, charged = Unit(men=200, lance=True, rate="3/2", **lengths[0]), Unit(**lengths[1])
    if lengths == (LONG, SHORT):
        # Nobody rides into such a weapon unless his own is longer.
        charged = replace(charged, set_weapon=True)
    units = [fields_of(charger, book, 0, (2, 5), EAST), fields_of(charged, book, 1, (7, 5), WEST)]
    rides = compile_doctrine({"charge": "always", "min_odds": 0.0, "flank": False})
    stays = compile_doctrine({"foot": "hold", "reach": 0, "support": False})
    setup = setup_of(units, book, movement=1, turns=1, doctrines=(rides, stays))
    records, _ = battle.play(setup, KEY, 0, BATTLES)
    assert (tally_of(records, CHARGES, 0) == 1).all()
    exact = charge(book, charger, charged)
    for side, gone in enumerate((exact.charger_removed, exact.charged_removed)):
        assert_chances(counts_of(tally_of(records, REMOVED, side), len(gone.p)), gone.p)


def test_nobody_strikes_back_at_flank_or_rear() -> None:
    book = rulebook_with(STEADY)
    units = [
        fields_of(Unit(), book, 0, (5, 5), EAST),
        fields_of(Unit(), book, 0, (7, 5), WEST),
        fields_of(Unit(men=500), book, 1, (6, 5), WEST),
    ]
    rows = [row for row in play_one(setup_of(units, book, turns=1), KEY, 0)["trace"] if row[1] == T_ATTACK]
    assert {(row[2], row[3], row[11]) for row in rows} == {(0, 2, 0), (1, 2, 2), (2, 0, 0)}


def test_of_two_in_a_hex_the_one_that_faces_the_attacker_is_struck() -> None:
    book = rulebook_with(STEADY | {"SS-P01": "unlimited"})
    units = [
        fields_of(Unit(), book, 0, (5, 5), EAST),
        fields_of(Unit(), book, 1, (6, 5), EAST),
        fields_of(Unit(), book, 1, (6, 5), WEST),
    ]
    rows = [row for row in play_one(setup_of(units, book, turns=1), KEY, 0)["trace"] if row[1] == T_ATTACK]
    assert {(row[2], row[3]) for row in rows} == {(0, 2), (2, 0)}


def test_strikes_of_a_phase_are_simultaneous() -> None:
    book = rulebook_with(STEADY | {"attack.divisor": 1, "attack.always_misses": 0})
    strong = Unit(men=300, hp=1, thac0=-40)
    units = [fields_of(strong, book, 0, (5, 5), EAST), fields_of(strong, book, 1, (6, 5), WEST)]
    records, _ = battle.play(setup_of(units, book), KEY, 0, 20)
    assert (records[:, 0] == 2).all()
    assert (records[:, 1] == 1).all()
    assert np.all(tally_of(records, REMOVED, 0) == 300)
