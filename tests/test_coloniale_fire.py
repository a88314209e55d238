"""Rifles and cannons: published values, every reading, a sampler."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from wargamesim.games.coloniale.fire import guns, rifles
from wargamesim.games.coloniale.rules import GROUNDS
from wargamesim.rulebook import load_rulebook

EXACT = 1e-12
RULES = load_rulebook("coloniale")
# Two-sided at a fixed seed; about ten comparisons, so sound odds would fail one of them with a probability below 0.001.
P_MIN = 1e-4
DRAWS = 100_000


def same(result: object, exact: object, tolerance: float = EXACT) -> None:
    np.testing.assert_allclose(np.asarray(result, float), np.asarray(exact, float), rtol=0, atol=tolerance)


# CO-9.4: numerators of 0, 1, 2, ... hits.
HITS = {
    "open": (3, ["2 1", "4 4 1", "8 12 6 1", "16 32 24 8 1", "32 80 80 40 10 1"]),
    "cover": (6, ["5 1", "25 10 1", "125 75 15 1", "625 500 150 20 1", "3125 3125 1250 250 25 1"]),
}
# CO-9.5: at least one hit.
AT_LEAST_ONE = {
    "open": [0.333333, 0.555556, 0.703704, 0.802469, 0.868313],
    "cover": [0.166667, 0.305556, 0.421296, 0.517747, 0.598122],
}


@pytest.mark.parametrize("ground", HITS)
def test_rifles(ground: str) -> None:
    base, rows = HITS[ground]
    volley = rifles(RULES, range(1, 9), ground)
    assert volley.dice.tolist() == [1, 2, 3, 4, 5, 5, 5, 5]
    assert volley.markers.tolist() == [1] * 8
    assert volley.can_fire.all()
    for figures in range(1, 9):
        dice = min(figures, 5)
        exact = [F(int(ways), base**dice) for ways in rows[dice - 1].split()]
        same(volley.removed.p[figures - 1], [*exact, *[0] * (6 - len(exact))])
        same(volley.removed.mean()[figures - 1], F(dice, base))
    same(volley.removed.at_least(1)[:5], AT_LEAST_ONE[ground], 0.5e-6 + EXACT)


def test_a_target_loses_no_more_figures_than_it_has() -> None:
    removed = rifles(RULES, 5, target=[0, 1, 2]).removed
    same(removed.p, [[1, 0, 0], [F(32, 243), F(211, 243), 0], [F(32, 243), F(80, 243), F(131, 243)]])


def test_rifles_beyond_their_reach() -> None:
    volley = rifles(RULES, 8, distance=[0, 20, 21, 5000])
    assert volley.can_fire.tolist() == [True, True, False, False]
    assert volley.dice.tolist() == [5, 5, 0, 0]
    assert volley.markers.tolist() == [1, 1, 0, 0]
    same(volley.removed.equal_to(0), [F(32, 243), F(32, 243), 1, 1])
    assert not rifles(RULES, 0).can_fire


def test_a_garrison_is_safe_from_rifles() -> None:
    volley = rifles(RULES, 8, "fort")
    assert (volley.can_fire, volley.markers) == (True, 0)
    same(volley.removed.equal_to(0), 1)
    assert rifles(RULES.variant({"CO-P29": "suppressed"}), 8, "fort").markers == 1


@pytest.mark.parametrize(("reading", "markers"), [("each", [1, 2, 3, 3, 3]), ("one", [1, 1, 1, 1, 1])])
def test_divided_fire(reading: str, markers: list[int]) -> None:
    volley = rifles(RULES.variant({"CO-P09": reading}), 3, targets=range(1, 6))
    assert volley.markers.tolist() == markers
    same(volley.removed.mean(), [1] * 5)
    assert rifles(RULES, 3, distance=30, targets=2).markers == 0


@pytest.mark.parametrize("reading", ["assault_value_only", "fire_dice", "no_tactical_move"])
def test_what_its_own_markers_do_to_a_unit_that_fires(reading: str) -> None:
    volley = rifles(RULES.variant({"CO-P10": reading}), 8, markers=[0, 2, 5, 9])
    assert volley.dice.tolist() == ([5, 3, 0, 0] if reading == "fire_dice" else [5, 5, 5, 5])
    assert volley.markers.tolist() == ([1, 1, 0, 0] if reading == "fire_dice" else [1, 1, 1, 1])


def test_cannon() -> None:
    """CO-9.6, and its equals in rifle dice."""
    shot = guns(RULES, [[1], [50], [51], [100], [101]], GROUNDS)
    same(shot.removed.mean(), np.repeat([[F(2, 3)], [F(2, 3)], [F(1, 3)], [F(1, 3)], [F(0)]], 3, axis=1))
    same(shot.removed.mean()[1, :2], [rifles(RULES, 2).removed.mean(), rifles(RULES, 4, "cover").removed.mean()])
    assert shot.can_fire[:, 0].tolist() == [True] * 4 + [False]
    assert shot.markers[:, 2].tolist() == [1, 1, 1, 1, 0]


def test_cannon_at_long_reach_against_cover() -> None:
    shot = guns(RULES.variant({"CO-P08": "six_in_cover"}), [[50], [51]], GROUNDS)
    same(shot.removed.mean(), [[F(2, 3)] * 3, [F(1, 3), F(1, 6), F(1, 6)]])


def test_house_numbers() -> None:
    rules = RULES.variant(
        {
            **{"rifle.die": 10, "rifle.need_open": 9, "rifle.need_cover": 11, "rifle.dice": 6, "rifle.reach": 5},
            **{"fire.markers": 2, "cannon.die": 4, "cannon.near_need": 4, "cannon.near_reach": 7, "cannon.reach": 3},
        }
    )
    volley = rifles(rules, 8, ["open", "cover"], distance=5)
    same(volley.removed.mean(), [F(6, 5), 0])
    assert volley.markers.tolist() == [2, 2]
    assert not rifles(rules, 8, distance=6).can_fire
    shot = guns(rules, [7, 8])
    assert shot.can_fire.tolist() == [True, False], "a short reach beyond the long one is the reach"
    same(shot.removed.mean(), [F(1, 4), 0])


@given(st.integers(0, 9), st.sampled_from(GROUNDS), st.integers(0, 9), st.integers(0, 25))
@settings(max_examples=40)
def test_fire_is_a_distribution_and_grows_with_figures(figures: int, ground: str, target: int, distance: int) -> None:
    volley = rifles(RULES, [figures, figures + 1], ground, target=target, distance=distance)
    same(volley.removed.p.sum(axis=-1), [1, 1])
    fewer, more = volley.removed.mean()
    assert 0 <= fewer <= more + EXACT <= target + 2 * EXACT


def test_a_batch_is_a_loop_of_singles() -> None:
    figures, target = np.arange(9)[:, None, None], np.arange(7)
    batch = rifles(RULES, figures, np.array(GROUNDS)[:, None], target=target)
    assert batch.removed.batch == batch.dice.shape == batch.markers.shape == batch.can_fire.shape == (9, 3, 7)
    for i, j, k in np.ndindex(9, 3, 7):
        single = rifles(RULES, i, GROUNDS[j], target=k)
        same(batch.removed.p[i, j, k, : k + 1], single.removed.p)
        assert batch.markers[i, j, k] == single.markers


def test_sampled_fire() -> None:
    rng = np.random.default_rng(1)
    removed = np.minimum((rng.integers(1, 7, (DRAWS, 5)) == 6).sum(axis=1), 3)
    volley = rifles(RULES, 7, "cover", target=3).removed
    for lost in range(4):
        assert stats.binomtest(int((removed == lost).sum()), DRAWS, float(volley.p[lost])).pvalue > P_MIN
    hit = int((rng.integers(1, 7, DRAWS) >= 3).sum())
    assert stats.binomtest(hit, DRAWS, float(guns(RULES, 20, "cover").removed.at_least(1))).pvalue > P_MIN
