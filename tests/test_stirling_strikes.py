"""Strikes of Stirling: the men that a unit has left, under every reading of losses, by brute force in fractions."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wargamesim.errors import InputError
from wargamesim.games.stirling.strikes import levels, strike, struck
from wargamesim.games.stirling.units import Unit
from wargamesim.rulebook import Rulebook, load_rulebook

EXACT = 1e-12
RULES = load_rulebook("stirling")
# Few faces, so that every roll can be listed: hits on 3 of 4 faces, 1 to 3 points of damage.
TOY = {"attack.die": 4, "attack.always_hits": 4, "units.men_step": 1}


def left_by_hand(rules: Rulebook, men: int, attackers: int, attacks: int, hp: int) -> dict[int, F]:
    """Return the men left after one phase by listing every roll and removing the dead as the rules say."""
    discard, carry = rules.reading("SS-P35") == "discard", rules.reading("SS-P35") == "carry"
    wipe = rules.reading("SS-P49") == "on"
    faces = [(roll, damage) for roll in range(1, 5) for damage in range(1, 4)]
    rolls = 1 if rules.reading("SS-P07") == "one_roll" else attacks
    out: dict[int, F] = {}
    for dice in product(faces, repeat=rolls):
        lost = [damage * attackers // (5 * hp) if roll >= 2 else 0 for roll, damage in dice] * (attacks // rolls)
        events = lost if rules.reading("SS-P36") == "per_attack" and discard else [sum(lost)]
        now = men
        for event in events:
            gone = event // 10 * 10 if discard or carry else event
            now = 0 if wipe and event >= now else max(0, now - gone)
        out[now] = out.get(now, F(0)) + F(1, 12**rolls)
    return out


@pytest.mark.parametrize("remainder", ["discard", "carry", "exact"])
@pytest.mark.parametrize("unit", ["per_phase", "per_clash", "per_attack"])
@pytest.mark.parametrize("rolls", ["independent", "one_roll"])
@pytest.mark.parametrize("wipe", ["on", "off"])
def test_men_left_by_every_reading(remainder: str, unit: str, rolls: str, wipe: str) -> None:
    rules = RULES.variant({**TOY, "SS-P35": remainder, "SS-P36": unit, "SS-P07": rolls, "SS-P49": wipe})
    # Odd men: only they let rounding keep a few alive.
    for men, attackers, attacks in [(25, 70, 2), (40, 100, 3), (7, 90, 1), (30, 50, 2)]:
        attacker, target = Unit(men=attackers, thac0=2, damage="1d3"), Unit(men=men, ac=0, hp=7)
        standing = levels(rules, target)
        blow = strike(rules, attacker, np.array([attackers]), target, standing, attacks)
        found = np.bincount(standing, weights=struck(blow, np.array([0]), np.array([0]))[0])
        exact = left_by_hand(rules, men, attackers, attacks, 7)
        np.testing.assert_allclose(found, [float(exact.get(m, F(0))) for m in range(men + 1)], rtol=0, atol=EXACT)


def test_levels() -> None:
    assert levels(RULES, Unit(men=30)).tolist() == [30, 20, 10, 0]
    odd = RULES.variant({"units.men_step": 1})
    assert levels(odd, Unit(men=25)).tolist() == [25, 15, 5, 0]
    assert levels(odd.variant({"SS-P35": "exact"}), Unit(men=3)).tolist() == [3, 2, 1, 0]
    assert levels(RULES.variant({"SS-P35": "carry"}), Unit(men=20)).tolist() == [20] * 10 + [10] * 10 + [0]
    with pytest.raises(InputError, match=r"^men: must be a multiple of 10 \(SS-P02\), not 205"):
        levels(RULES, Unit(men=205))


def test_the_dead_that_are_carried_count_later() -> None:
    rules, unit = RULES.variant({**TOY, "SS-P35": "carry"}), Unit(men=40, thac0=2, ac=0, damage="1d1", hp=1)
    standing = levels(rules, unit)
    # Each hit of 40 men costs 8; two hits are 16 and remove 10, three are 24 and remove 20.
    blow = strike(rules, unit, np.array([40]), unit, standing, 1)
    start = np.array([0])
    for hits in range(1, 4):
        start = blow.after[start, -1]
        assert standing[start][0] == 40 - 8 * hits // 10 * 10


def test_carry_removes_in_the_long_run_what_is_lost() -> None:
    rules, unit = RULES.variant({"SS-P35": "carry"}), Unit(men=2000)
    standing = levels(rules, unit)
    blow = strike(rules, Unit(), np.array([300]), unit, standing, 2)
    left, start = np.zeros(len(standing)), np.arange(len(standing))
    left[0] = 1.0
    step = struck(blow, np.zeros_like(start), start)
    for _ in range(10):
        left = left @ step
    removed = 2000 - float(left @ standing)
    assert 0 <= 10 * 26.6875 - removed < 10, "all but the rest of one ten"


@given(st.integers(1, 20), st.integers(0, 4), st.integers(-10, 30), st.sampled_from(["discard", "carry", "exact"]))
@settings(max_examples=30, deadline=None)
def test_mass_and_only_ever_fewer(tens: int, attacks: int, needed: int, remainder: str) -> None:
    rules, unit = RULES.variant({"SS-P35": remainder}), Unit(men=10 * tens, thac0=needed, ac=0)
    standing = levels(rules, unit)
    blow = strike(rules, unit, standing, unit, standing, attacks)
    pairs = np.indices((len(standing), len(standing))).reshape(2, -1)
    found = struck(blow, *pairs)
    np.testing.assert_allclose(found.sum(axis=1), 1, rtol=0, atol=EXACT)
    assert not found[np.arange(len(standing)) < pairs[1][:, None]].any()
    # More attackers never leave more men standing.
    mean = (found @ standing).reshape(len(standing), len(standing))
    assert (np.diff(mean, axis=0) >= -1e-9).all()


def test_a_batch_is_a_loop_of_singles() -> None:
    unit = Unit(men=60)
    standing = levels(RULES, unit)
    for reading in ("per_phase", "per_attack"):
        blow = strike(RULES.variant({"SS-P36": reading}), Unit(), np.array([300, 200]), unit, standing, 2)
        found = struck(blow, np.array([0, 1, 1]), np.array([0, 2, 5]))
        for row, (attacker, target) in zip(found, ((0, 0), (1, 2), (1, 5)), strict=True):
            np.testing.assert_array_equal(row, struck(blow, np.array([attacker]), np.array([target]))[0])
