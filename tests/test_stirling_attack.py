"""Attacks of Stirling: published values as fractions, every reading by its own brute force, a sampler, bad input."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction as F
from itertools import product
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from wargamesim.dice.pmf import PMF
from wargamesim.errors import InputError
from wargamesim.games.stirling.attack import by_distance, by_side, fewest_men, hit_chance, in_all, losses, removed
from wargamesim.games.stirling.rules import compile_rules
from wargamesim.rulebook import Rulebook, load_rulebook

EXACT = 1e-12
RULES = load_rulebook("stirling")
# Samplers: every comparison of a count with its exact chance is two-sided at this level, at a fixed seed. There are
# fewer than 20, so sound odds would fail one of them with a probability below 0.002 (once: nothing is drawn anew).
P_MIN = 1e-4
DRAWS = 200_000


def same(result: object, exact: object) -> None:
    np.testing.assert_allclose(np.asarray(result, float), np.asarray(exact, float), rtol=0, atol=EXACT)


def printed(result: object, text: str) -> None:
    """Compare with a rounded value: half a unit of its last digit."""
    assert abs(float(result) - float(text)) <= 0.5 * 10.0 ** -len(text.partition(".")[2]) + EXACT  # type: ignore[arg-type]


def base(rulebook: Rulebook = RULES, men: object = 300, modifier: object = 0, hp: object = 7, **more: object) -> PMF:
    """Return what one attack of the source's example costs: THAC0 20, AC 6, 1d8, 7 hit points."""
    return losses(rulebook, men, 20, 6, "1d8", hp, modifier=modifier, **more)  # type: ignore[arg-type]


def by_hand(men: int, needed: int, hp: int = 7, sides: int = 8, part: F = F(1, 5)) -> dict[int, F]:
    """Return the losses of one attack in fractions, face by face."""
    out: dict[int, F] = {}
    for roll, damage in product(range(1, 21), range(1, sides + 1)):
        hits = roll == 20 or (roll != 1 and roll >= needed)
        men_lost = int(damage * men * part / hp) if hits else 0
        out[men_lost] = out.get(men_lost, F(0)) + F(1, 20 * sides)
    return out


def summed(one: Mapping[int, F], attacks: int, whole: Callable[[int], int] = int) -> dict[int, F]:
    out = {0: F(1)}
    for _ in range(attacks):
        step: dict[int, F] = {}
        for (a, p), (b, q) in product(out.items(), one.items()):
            step[a + whole(b)] = step.get(a + whole(b), F(0)) + p * q
        out = step
    return out


def tens(men: int) -> int:
    return men // 10 * 10


def in_tens(lost: Mapping[int, F]) -> dict[int, F]:
    out: dict[int, F] = {}
    for men, p in lost.items():
        out[tens(men)] = out.get(tens(men), F(0)) + p
    return out


def agrees(found: PMF, exact: Mapping[int, F]) -> None:
    men = np.arange(max(int(found.values[-1]), *exact) + 1)
    same(found.equal_to(men), [exact.get(int(each), F(0)) for each in men])


# Published values


HIT = {2: F(19, 20), 8: F(13, 20), 10: F(11, 20), 11: F(1, 2), 12: F(9, 20), 13: F(2, 5), 14: F(7, 20)}
HIT |= {15: F(3, 10), 16: F(1, 4), 1: F(19, 20), -30: F(19, 20), 20: F(1, 20), 21: F(1, 20), 60: F(1, 20)}


def test_hit_chance() -> None:
    same(hit_chance(RULES, np.array(list(HIT)), 0), list(HIT.values()))
    same(hit_chance(RULES, 20, 20 - np.array(list(HIT))), list(HIT.values()))
    same(hit_chance(RULES, 20, 0, 20 - np.array(list(HIT))), list(HIT.values()))


def test_hit_chance_without_natural_faces() -> None:
    off = RULES.variant({"SS-P10": "off"})
    same(hit_chance(off, [1, 0, 2, 14, 20, 21], 0), [1, 1, F(19, 20), F(7, 20), F(1, 20), 0])


def test_one_attack() -> None:
    lost = base()
    agrees(lost, {0: F(13, 20), **dict.fromkeys([8, 17, 25, 34, 42, 51, 60, 68], F(7, 160))})
    same(lost.mean(), F(427, 32))
    printed(sqrt(lost.var()), "21.588784")
    gone = removed(RULES, lost)
    agrees(gone, {0: F(111, 160), **dict.fromkeys([10, 20, 30, 40, 50], F(7, 160)), 60: F(14, 160)})
    same(gone.mean(), F(189, 16))


TWO_ATTACKS = [12272, 1505, 1554, 1603, 1652, 1995, 3255, 392, 343, 294, 245, 294, 147, 49]


def test_two_attacks() -> None:
    agrees(removed(RULES, base(), 2), {10 * i: F(count, 25600) for i, count in enumerate(TWO_ATTACKS)})


# attacks: raw mean, raw sd, removed per phase, its sd, none removed, removed per attack
BY_ATTACKS = {
    1: ("13.34375", "21.588784", F(189, 16), "20.398280", "0.693750", "11.8125"),
    2: ("26.6875", "30.531151", F(30877, 1280), "29.392611", "0.479375", "23.625"),
    3: ("40.03125", "37.392870", F(7532833, 204800), "36.478304", "0.330078", "35.4375"),
    4: ("53.375", "43.177568", "49.677919", "42.504097", "0.226565625", "47.25"),
    6: ("80.0625", "52.881504", "75.892164", "52.574518", "0.105877", "70.875"),
}


@pytest.mark.parametrize("attacks", BY_ATTACKS)
def test_attacks_of_a_turn(attacks: int) -> None:
    mean, sd, removed_mean, removed_sd, none, per_attack = BY_ATTACKS[attacks]
    total, gone = in_all(RULES, base(), attacks), removed(RULES, base(), attacks)
    printed(total.mean(), mean)
    printed(sqrt(total.var()), sd)
    printed(sqrt(gone.var()), removed_sd)
    printed(gone.equal_to(0), none)
    if isinstance(removed_mean, F):
        same(gone.mean(), removed_mean)
    else:
        printed(gone.mean(), removed_mean)
    printed(removed(RULES.variant({"SS-P36": "per_attack"}), base(), attacks).mean(), per_attack)


def test_three_halves_over_two_turns() -> None:
    means = removed(RULES, base(), [2, 3, 4]).mean()
    printed(2 * means[1], "73.562822")
    printed(means[0] + means[2], "73.800575")


def test_one_roll_a_man() -> None:
    one = base(rolls="man")
    printed(one.mean(), "13.071429")
    printed(sqrt(one.var()), "2.823598")
    two, gone = in_all(RULES, one, 2), removed(RULES, one, 2)
    printed(two.mean(), "26.142857")
    printed(sqrt(two.var()), "3.993170")
    printed(gone.mean(), "21.552224")
    printed(sqrt(gone.var()), "4.692525")
    assert float(gone.equal_to(0)) == pytest.approx(1.389e-6, abs=0.5e-9)
    printed(sqrt(base().var() / one.var()), "7.6")


def test_modifiers() -> None:
    struck = by_side(RULES, ["front", "flank", "rear", "rear"], [1, 1, 0, 1])
    assert struck.modifier.tolist() == [0, 1, 2, 3]
    means = removed(RULES, base(modifier=struck.modifier), 2).mean()
    for mean, text in zip(means, ("24.122656", "27.65", "31.197656", "34.765625"), strict=True):
        printed(mean, text)
    # A charge from behind on a unit without a shield: 2 and 2 more.
    printed(removed(RULES, base(modifier=4), 2).mean(), "38.353906")


BY_MEN = {
    20: ("0", "1"),
    30: ("0.248828", "0.975117"),
    40: ("0.6125", "0.93875"),
    50: ("2.037109", "0.803945"),
    100: ("6.450391", "0.598867"),
    200: ("15.296094", "0.479375"),
    500: ("42.363672", "0.4225"),
}


@pytest.mark.parametrize("men", BY_MEN)
def test_men_attacking(men: int) -> None:
    gone = removed(RULES, base(men=men), 2)
    printed(gone.mean(), BY_MEN[men][0])
    printed(gone.equal_to(0), BY_MEN[men][1])


FEWEST = {6: (38, 19, 15), 7: (44, 22, 18), 8: (50, 25, 20), 22: (138, 69, 55)}


@pytest.mark.parametrize("hp", FEWEST)
def test_fewest_attackers_who_can_remove_anybody(hp: int) -> None:
    for attacks, fewest in enumerate(FEWEST[hp], start=1):
        assert fewest_men(RULES, "1d8", hp, attacks) == fewest
        few, enough = (removed(RULES, base(men=men, hp=hp), attacks).equal_to(0) for men in (fewest - 1, fewest))
        assert few == pytest.approx(1, abs=EXACT)
        assert enough < 1 - 1e-9


@pytest.mark.parametrize("rolls", ["unit", "man"])
@pytest.mark.parametrize("percent", [100, 150])
@pytest.mark.parametrize("attacks", [1, 3])
def test_fewest_attackers_by_trying(rolls: str, percent: int, attacks: int) -> None:
    fewest = fewest_men(RULES, "1d8", 7, attacks, times=percent, parts=100, rolls=rolls)
    assert fewest is not None
    men = np.arange(80)
    lost = base(men=men, times=percent, parts=100, rolls=rolls)
    none = removed(RULES, lost, attacks).equal_to(0)
    assert int(np.argmax(none < 1 - EXACT)) == fewest


def test_fewest_attackers_under_other_readings() -> None:
    assert fewest_men(RULES.variant({"SS-P36": "per_attack"}), "1d8", 7, 3) == 44
    for reading in ("carry", "exact"):
        assert fewest_men(RULES.variant({"SS-P35": reading}), "1d8", 7, 3) == 5
    assert fewest_men(RULES.variant({"SS-P08": "no_divisor"}), "1d8", 7, 1, ranged=True) == 9
    assert fewest_men(RULES, "1d8", 7, 0) is None
    assert fewest_men(RULES.variant({"attack.least_damage": 0}), "1d4-4", 7, 1) is None


# By brute force in fractions


@pytest.mark.parametrize("attacks", [0, 1, 2, 3])
@pytest.mark.parametrize(("men", "needed", "hp"), [(300, 14, 7), (170, 9, 6), (45, 30, 3), (0, 14, 7)])
def test_readings_of_rounding(attacks: int, men: int, needed: int, hp: int) -> None:
    one, exact = losses(RULES, men, needed, 0, "1d8", hp), by_hand(men, needed, hp)
    agrees(one, exact)
    agrees(in_all(RULES, one, attacks), summed(exact, attacks))
    agrees(removed(RULES, one, attacks), in_tens(summed(exact, attacks)))
    agrees(removed(RULES.variant({"SS-P36": "per_attack"}), one, attacks), summed(exact, attacks, tens))
    agrees(removed(RULES.variant({"SS-P36": "per_clash"}), one, attacks), in_tens(summed(exact, attacks)))
    agrees(removed(RULES.variant({"SS-P35": "exact"}), one, attacks), summed(exact, attacks))
    agrees(removed(RULES.variant({"SS-P35": "carry"}), one, attacks), in_tens(summed(exact, attacks)))
    together = RULES.variant({"SS-P07": "one_roll"})
    times: dict[int, F] = {}
    alone: dict[int, F] = {}
    for men_lost, p in exact.items():
        times[tens(attacks * men_lost)] = times.get(tens(attacks * men_lost), F(0)) + p
        alone[attacks * tens(men_lost)] = alone.get(attacks * tens(men_lost), F(0)) + p
    agrees(removed(together, one, attacks), times)
    agrees(removed(together.variant({"SS-P36": "per_attack"}), one, attacks), alone)


def test_man_rolls_by_hand() -> None:
    exact = summed({0: F(13, 20), **dict.fromkeys(range(1, 9), F(7, 160))}, 13 // 5)
    by_men: dict[int, F] = {}
    for damage, p in exact.items():
        by_men[damage // 3] = by_men.get(damage // 3, F(0)) + p
    agrees(losses(RULES, 13, 14, 0, "1d8", 3, rolls="man"), by_men)


def test_damage_is_multiplied_before_it_is_rounded() -> None:
    agrees(base(times=150, parts=100), by_hand(300, 14, part=F(3, 10)))
    agrees(base(times=3, parts=4, hp=6), by_hand(300, 14, hp=6, part=F(3, 20)))
    same(base(times=[0, 1, 2]).mean(), [base(times=n).mean() for n in range(3)])
    agrees(base(RULES.variant({"SS-P08": "no_divisor"}), ranged=True), by_hand(300, 14, part=F(1)))
    agrees(base(RULES.variant({"SS-P08": "no_divisor"})), by_hand(300, 14))


def test_house_numbers() -> None:
    rules = RULES.variant({"attack.die": 10, "attack.always_hits": 9, "attack.divisor": 3, "losses.step": 4})
    same(hit_chance(rules, [20, 5], 0), [F(1, 5), F(3, 5)])
    gone = removed(rules, losses(rules, 30, 20, 0, "1d1", 2), 1)
    agrees(gone, {0: F(4, 5), 4: F(1, 5)})


# Sides and distances


def test_sides_under_each_reading() -> None:
    sides = ["front", "flank", "rear"]
    for reading, hit, percent in [
        ("flank_1_rear_2", [0, 1, 3], [100, 100, 100]),
        ("rear_only", [0, 0, 3], [100, 100, 100]),
        ("flank_2_rear_4", [0, 2, 5], [100, 100, 100]),
        ("rear_damage", [0, 1, 3], [100, 100, 150]),
    ]:
        struck = by_side(RULES.variant({"SS-P32": reading}), sides, shield=1)
        assert (struck.modifier.tolist(), struck.percent.tolist()) == (hit, percent)
        assert not struck.barred.any()
    assert by_side(RULES.variant({"sides.rear.shield_lost": False}), "rear", 3).modifier == 2


def test_distance_by_band() -> None:
    shot = by_distance(RULES, "long_bow", [1, 2, 7, 8, 14, 15, 21, 22, 1000])
    assert shot.barred.tolist() == [True, *[False] * 6, True, True]
    assert shot.modifier.tolist() == [0, 0, 0, -2, -2, -5, -5, 0, 0]
    for weapon, ends in {"light_crossbow": (6, 12, 18), "short_bow": (5, 10, 15), "spear": (1, 2, 3)}.items():
        shot = by_distance(RULES, weapon, [ends[1], ends[2], ends[2] + 1])
        assert shot.barred.tolist() == [False, False, True]
        assert shot.modifier.tolist() == [-2, -5, 0]
    assert by_distance(RULES.variant({"SS-P12": "flat"}), "long_bow", [14, 21]).modifier.tolist() == [0, 0]
    assert not by_distance(RULES.variant({"ranged.barred": 0}), "spear", 1).barred


# What must hold whatever the numbers


@given(
    st.integers(0, 400), st.integers(-5, 30), st.integers(1, 30), st.integers(0, 4), st.sampled_from(["unit", "man"])
)
@settings(max_examples=40, deadline=None)
def test_mass_monotone_and_complement(men: int, needed: int, hp: int, attacks: int, rolls: str) -> None:
    lost = losses(RULES, men, needed, 0, "2d6-1", hp, modifier=[0, 1], rolls=rolls)
    gone = removed(RULES, lost, attacks)
    for pmf in (lost, gone):
        same(pmf.p.sum(axis=-1), [1, 1])
        k = np.arange(-1, int(pmf.values[-1]) + 2)[:, None]
        same(pmf.at_least(k) + pmf.less_than(k), np.ones((len(k), 2)))
        assert (pmf.at_least(k)[:, 1] >= pmf.at_least(k)[:, 0] - EXACT).all()
    assert (gone.mean() <= lost.mean() * attacks + 1e-9).all()


def test_a_batch_is_a_loop_of_singles() -> None:
    men, needed, hp = np.array([20, 100, 300])[:, None, None], np.array([2, 14])[:, None], np.array([6, 7, 22])
    for rolls in ("unit", "man"):
        lost = losses(RULES, men, needed, 0, "1d10+1", hp, rolls=rolls)
        gone = removed(RULES, lost, [1, 2, 3])
        assert (lost.batch, gone.batch) == ((3, 2, 3), (3, 2, 3))
        for i, j, k in np.ndindex(3, 2, 3):
            alone = losses(RULES, int(men[i, 0, 0]), int(needed[j, 0]), 0, "1d10+1", int(hp[k]), rolls=rolls)
            same(lost.p[i, j, k], alone.equal_to(lost.values))
            same(gone.p[i, j, k], removed(RULES, alone, k + 1).equal_to(gone.values))


def test_what_was_read_from_a_rulebook_serves_as_well() -> None:
    rules = compile_rules(RULES)
    assert compile_rules(rules) is rules
    same(removed(rules, base(rules), 2).p, removed(RULES, base(), 2).p)  # type: ignore[arg-type]


# Against a sampler that knows the rules and no formula


@pytest.mark.parametrize("rolls", ["unit", "man"])
def test_sampled_turn(rolls: str) -> None:
    rng = np.random.default_rng(11)
    total = np.zeros(DRAWS, dtype=int)
    for _ in range(2):
        if rolls == "unit":
            hits, damage = rng.integers(1, 21, DRAWS) >= 14, rng.integers(1, 9, DRAWS)
            total += np.where(hits, damage * 100 // 5 // 7, 0)
        else:
            hits, damage = rng.integers(1, 21, (20, DRAWS)) >= 14, rng.integers(1, 9, (20, DRAWS))
            total += np.where(hits, damage, 0).sum(axis=0) // 7
    gone = removed(RULES, base(men=100, rolls=rolls), 2)
    for men in (0, 10, 20):
        seen = int((total // 10 * 10 == men).sum())
        assert stats.binomtest(seen, DRAWS, float(gone.equal_to(men))).pvalue > P_MIN


# Bad input


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: hit_chance(RULES, 20.5, 6), "thac0: must be integers, not 20.5"),
        (lambda: hit_chance(RULES, [20, 19], [1, 2, 3]), "thac0: shapes do not broadcast"),
        (lambda: base(men=-1), "men: must be at least 0, not -1"),
        (lambda: base(hp=0), "hp: must be at least 1, not 0"),
        (lambda: base(times=-1), "times: must be at least 0, not -1"),
        (lambda: base(parts=0), "parts: must be at least 1, not 0"),
        (lambda: base(rolls="army"), "rolls: unknown kind of roll 'army'"),
        (lambda: base(men=[1, 2], hp=[1, 2, 3]), "men: shapes do not broadcast"),
        (lambda: losses(RULES, 1, 20, 6, "1d0", 7), "damage: '1d0' is no damage; write 1d8 or 2d6+1"),
        (lambda: removed(RULES, base(), -1), "count: must be at least 0, not -1"),
        (lambda: removed(RULES.variant({"SS-P07": "one_roll"}), base(), -1), "attacks: must be at least 0, not -1"),
        (lambda: by_side(RULES, "back"), "side: unknown side 'back'"),
        (lambda: by_side(RULES, "rear", -1), "shield: must be at least 0, not -1"),
        (lambda: by_distance(RULES, "long bow", 3), "weapon: unknown weapon 'long bow'; did you mean 'long_bow'?"),
        (lambda: by_distance(RULES, "spear", 0), "distance: must be at least 1, not 0"),
    ],
)
def test_bad_input_names_the_argument(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value).startswith(message)
