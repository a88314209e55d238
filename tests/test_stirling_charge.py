"""Charges of Stirling: published values, the order of strikes, every reading, and a sampler."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F

import numpy as np
import pytest
from scipy import stats

from wargamesim.games.stirling.charge import Charge, charge, strike_order
from wargamesim.games.stirling.units import Unit
from wargamesim.rulebook import Rulebook, load_rulebook

EXACT = 1e-12
RULES = load_rulebook("stirling")
SHORT, LONG = Unit(length=100), Unit(length=300)
# The sampler: four two-sided comparisons at this level, at a fixed seed.
P_MIN = 1e-4
DRAWS = 200_000


def printed(result: object, text: str) -> None:
    """Compare with a rounded value: half a unit of its last digit."""
    assert abs(float(result) - float(text)) <= 0.5 * 10.0 ** -len(text.partition(".")[2]) + EXACT  # type: ignore[arg-type]


def means(ended: Charge) -> tuple[float, float]:
    return float(ended.charger_removed.mean()), float(ended.charged_removed.mean())


# Published values


def test_first_strike_without_any_bonus() -> None:
    bare = RULES.variant({"SS-P33": "none"})
    together = charge(bare, SHORT, SHORT)
    assert together.order == "together"
    for mean in means(together):
        printed(mean, "24.122656")
    ours, theirs = means(charge(bare, LONG, SHORT))
    assert ours == pytest.approx(float(F(143766609, 6553600)), abs=EXACT)
    printed(theirs, "24.122656")
    theirs_first = charge(bare, SHORT, LONG)
    assert theirs_first.order == "charged"
    assert means(theirs_first) == pytest.approx((theirs, ours), abs=EXACT)


def test_first_strike_with_its_bonus() -> None:
    ours, theirs = means(charge(RULES.variant({"SS-P33": "hit_only"}), LONG, SHORT))
    printed(ours, "21.302566")
    printed(theirs, "31.197656")


def test_the_worse_armour_class_eats_the_gain() -> None:
    ours, theirs = means(charge(RULES, LONG, SHORT))
    printed(ours, "24.435400")
    printed(theirs, "31.197656")


# Order and readings


@pytest.mark.parametrize(
    ("charger", "charged", "order"),
    [
        (LONG, SHORT, "charger"),
        (replace(SHORT, rate=2), LONG, "charged"),
        (replace(SHORT, rate="3/2"), SHORT, "charger"),
        (replace(SHORT, speed=5), replace(SHORT, speed=7), "charger"),
        (replace(SHORT, speed=7), replace(SHORT, rate="1/2", speed=2), "charger"),
        (SHORT, replace(SHORT, men=10), "together"),
    ],
)
def test_order_of_strikes(charger: Unit, charged: Unit, order: str) -> None:
    assert strike_order(charger, charged) == order
    assert charge(RULES, charger, charged).order == order


def test_lances_and_set_weapons() -> None:
    lancers, pikes = replace(LONG, lance=True), replace(SHORT, set_weapon=True)
    twice = charge(RULES, replace(LONG, damage="1d4"), SHORT).charged_removed
    assert charge(RULES, replace(lancers, damage="1d4"), SHORT).charged_removed.mean() > 1.9 * twice.mean()
    off = RULES.variant({"SS-P34": "off"})
    assert means(charge(off, lancers, pikes)) == means(charge(off, LONG, SHORT))
    assert means(charge(RULES, SHORT, lancers)) == means(charge(RULES, SHORT, LONG)), "a lance counts for the charger"
    assert means(charge(RULES, pikes, LONG)) == means(charge(RULES, SHORT, LONG)), "a set weapon against a charge"
    assert means(charge(RULES, LONG, pikes))[0] > means(charge(RULES, LONG, SHORT))[0]


@pytest.mark.parametrize("remainder", ["discard", "carry", "exact"])
@pytest.mark.parametrize("strikes", ["all_at_once", "round_by_round"])
@pytest.mark.parametrize("lengths", [(1, 1), (2, 1), (1, 2)])
def test_mass_and_marginals(remainder: str, strikes: str, lengths: tuple[int, int]) -> None:
    rules = RULES.variant({"SS-P35": remainder, "SS-P31": strikes})
    ended = charge(rules, Unit(men=60, length=lengths[0]), Unit(men=40, length=lengths[1]))
    assert ended.levels.sum() == pytest.approx(1, abs=EXACT)
    assert ended.charger_removed.values[-1] <= 60
    assert ended.charged_removed.values[-1] <= 40
    assert ended.levels[0].sum() <= ended.charger_removed.equal_to(0) + EXACT


# Against a sampler that knows the rules and no formula


def sampled(rng: np.random.Generator, rules: Rulebook, men: int) -> tuple[np.ndarray, np.ndarray]:
    """Roll a charge of a longer weapon: 2 better to hit, an armour class 1 worse."""
    rounds = [1, 1] if rules.reading("SS-P31") == "round_by_round" else [2]
    charger, charged = np.full(DRAWS, men), np.full(DRAWS, men)

    def strikes(attackers: np.ndarray, needed: int, attacks: int) -> np.ndarray:
        lost = np.zeros(DRAWS, dtype=int)
        for _ in range(attacks):
            hits, damage = rng.integers(1, 21, DRAWS) >= needed, rng.integers(1, 9, DRAWS)
            lost += np.where(hits, damage * attackers // 35, 0)
        return lost // 10 * 10

    for attacks in rounds:
        charged = np.maximum(charged - strikes(charger, 12, attacks), 0)
        charger = np.maximum(charger - strikes(charged, 13, attacks), 0)
    return men - charger, men - charged


@pytest.mark.parametrize("strikes", ["all_at_once", "round_by_round"])
def test_sampled_charge(strikes: str) -> None:
    rules = RULES.variant({"SS-P31": strikes})
    ended = charge(rules, replace(LONG, men=200), replace(SHORT, men=200))
    seen = sampled(np.random.default_rng(31), rules, 200)
    for removed, exact in zip(seen, (ended.charger_removed, ended.charged_removed), strict=True):
        error = float(np.sqrt(exact.var() / DRAWS))
        assert 2 * stats.norm.sf(abs(removed.mean() - float(exact.mean())) / error) > P_MIN
