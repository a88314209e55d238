"""Shots into a melee of Stirling: published shares and losses, every reading, a sampler, bad input."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from wargamesim.errors import InputError
from wargamesim.games.stirling.attack import hit_chance
from wargamesim.games.stirling.split import Shares, shares, split, weight
from wargamesim.rulebook import load_rulebook

EXACT = 1e-12
RULES = load_rulebook("stirling")
# The sampler: four two-sided comparisons at this level, at a fixed seed.
P_MIN = 1e-4
DRAWS = 200_000

# lighter, heavier: shares by small_floor, both_floor and nearest
SHARES = {
    (170, 450): ((1, 3), (1, 2), (1, 3)),
    (200, 300): ((1, 3), (1, 2), (2, 2)),
    (90, 410): ((0, 4), (0, 3), (1, 3)),
    (120, 380): ((0, 4), (0, 3), (1, 3)),
    (150, 450): ((1, 3), (1, 3), (1, 3)),
    (100, 100): ((2, 2), (2, 2), (2, 2)),
    (100, 300): ((1, 3), (1, 3), (1, 3)),
}


@pytest.mark.parametrize("rule", ["small_floor", "both_floor", "nearest"])
def test_shares(rule: str) -> None:
    rules, place = RULES.variant({"SS-P15": rule}), ("small_floor", "both_floor", "nearest").index(rule)
    lighter, heavier = np.array(list(SHARES)).T
    wanted = np.array([each[place] for each in SHARES.values()]).T
    assert np.array(shares(rules, lighter, heavier)).tolist() == wanted.tolist()
    assert np.array(shares(rules, heavier, lighter)).tolist() == wanted[::-1].tolist()


def test_shares_by_the_friend() -> None:
    rules = RULES.variant({"SS-P15": "friend_floor"})
    assert np.array(shares(rules, [170, 450, 200], [450, 170, 200])).tolist() == [[1, 2, 2], [3, 2, 2]]


def test_large_creatures_count_twice() -> None:
    assert weight(RULES, [50, 0], large=True).tolist() == [100, 0]
    assert weight(RULES, 50) == 50
    assert [int(part) for part in shares(RULES, weight(RULES, 50, large=True), 300)] == [1, 3]


# A hundred shooters, hit points 6: losses by damage 1 to 6.
LOSSES = {4: [3, 6, 10, 13, 16, 20], 3: [2, 5, 7, 10, 12, 15], 2: [1, 3, 5, 6, 8, 10], 1: [0, 1, 2, 3, 4, 5]}


@pytest.mark.parametrize("quarters", LOSSES)
def test_losses_by_quarters(quarters: int) -> None:
    of = Shares(np.array(4 - quarters), np.array(quarters))
    targets = {"friend_ac": 6, "friend_hp": 6, "enemy_ac": 6, "enemy_hp": 6}
    lost = split(RULES, 100, 20, "1d6", of, **targets).enemy_lost
    exact = {0: F(13, 20)}
    for men in LOSSES[quarters]:
        exact[men] = exact.get(men, F(0)) + F(7, 120)
    men = np.arange(25)
    np.testing.assert_allclose(lost.equal_to(men), [float(exact.get(int(m), F(0))) for m in men], rtol=0, atol=EXACT)


def test_whose_armour_class() -> None:
    of, targets = shares(RULES, 200, 200), {"friend_ac": 0, "friend_hp": 6, "enemy_ac": 6, "enemy_hp": 6}
    for reading, ac in (("each_own", 0), ("aimed", 6)):
        lost = split(RULES.variant({"SS-P14": reading}), 1000, 20, "1d6", of, **targets, modifier=1)
        np.testing.assert_allclose(lost.friend_lost.more_than(0), hit_chance(RULES, 20, ac, 1), atol=EXACT)
        np.testing.assert_allclose(lost.enemy_lost.more_than(0), hit_chance(RULES, 20, 6, 1), atol=EXACT)


def test_no_divisor_for_missiles() -> None:
    rules, targets = RULES.variant({"SS-P08": "no_divisor"}), {"friend_hp": 6, "enemy_hp": 6}
    lost = split(rules, 100, 20, "1d1", shares(rules, 1, 1), friend_ac=6, enemy_ac=6, **targets)
    assert lost.enemy_lost.values[-1] == 100 * 2 // (4 * 6)


@given(st.integers(1, 2000), st.integers(1, 2000))
def test_all_shares_but_one_rule_sum_to_four(friend: int, enemy: int) -> None:
    for rule in ("small_floor", "friend_floor", "nearest"):
        ours, theirs = shares(RULES.variant({"SS-P15": rule}), friend, enemy)
        assert ours + theirs == 4
        assert min(ours, theirs) >= 0
    both = shares(RULES.variant({"SS-P15": "both_floor"}), friend, enemy)
    assert sum(both) in (3, 4)


def test_a_batch_is_a_loop_of_singles() -> None:
    friends, enemies = np.array([50, 170])[:, None], np.array([100, 450, 900])
    of = shares(RULES, friends, enemies)
    targets = {"friend_ac": [6, 3, 0], "friend_hp": 6, "enemy_ac": 6, "enemy_hp": 7}
    lost = split(RULES, 100, 18, "1d6", of, **targets)
    for i, j in np.ndindex(2, 3):
        alone = shares(RULES, int(friends[i, 0]), int(enemies[j]))
        assert (alone.friend, alone.enemy) == (of.friend[i, j], of.enemy[i, j])
        one = split(RULES, 100, 18, "1d6", alone, **{**targets, "friend_ac": targets["friend_ac"][j]})  # type: ignore[index]
        np.testing.assert_allclose(lost.friend_lost.mean()[i, j], one.friend_lost.mean(), atol=EXACT)
        np.testing.assert_allclose(lost.enemy_lost.mean()[i, j], one.enemy_lost.mean(), atol=EXACT)


def test_sampled_shot() -> None:
    rng = np.random.default_rng(41)
    roll, damage = rng.integers(1, 21, DRAWS), rng.integers(1, 7, DRAWS)
    targets = {"friend_ac": 3, "friend_hp": 7, "enemy_ac": 6, "enemy_hp": 6}
    lost = split(RULES, 170, 18, "1d6", shares(RULES, 170, 450), **targets)
    for share, needed, hp, exact in ((1, 15, 7, lost.friend_lost), (3, 12, 6, lost.enemy_lost)):
        men = np.where(roll >= needed, damage * 170 * share // (20 * hp), 0)
        for count in (0, int(exact.values[-1])):
            seen = int((men == count).sum())
            assert stats.binomtest(seen, DRAWS, float(exact.equal_to(count))).pvalue > P_MIN


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: shares(RULES, 0, 10), "friend: must be at least 1, not 0"),
        (lambda: shares(RULES, 10, 2.5), "enemy: must be integers, not 2.5"),
        (lambda: shares(RULES, [1, 2], [1, 2, 3]), "friend: shapes do not broadcast"),
        (lambda: weight(RULES, -1), "men: must be at least 0, not -1"),
        (
            lambda: split(RULES, -5, 20, "1d6", shares(RULES, 1, 1), friend_ac=6, friend_hp=6, enemy_ac=6, enemy_hp=6),
            "men: must be at least 0, not -5",
        ),
    ],
)
def test_bad_input_names_the_argument(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value).startswith(message)
