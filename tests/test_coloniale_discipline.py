"""Discipline and rally: published values, the long run under fire, samplers."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from wargamesim.dice.pmf import PMF
from wargamesim.games.coloniale.discipline import generated, markers_in_long_run, rally
from wargamesim.rulebook import load_rulebook

EXACT = 1e-12
SIX_PLACES = 0.5e-6 + EXACT
RULES = load_rulebook("coloniale")
# Every comparison with a sampler is two-sided at this level, at a fixed seed; there are fewer than 30 in this file, so
# sound odds would fail one of them with a probability below 0.003 (once: nothing is drawn anew).
P_MIN = 1e-4
DRAWS = 100_000


def same(result: object, exact: object, tolerance: float = EXACT) -> None:
    np.testing.assert_allclose(np.asarray(result, float), np.asarray(exact, float), rtol=0, atol=tolerance)


def agrees(sample: np.ndarray, distribution: PMF) -> None:
    for value, chance in zip(distribution.values, distribution.p, strict=True):
        assert stats.binomtest(int((sample == value).sum()), sample.size, float(chance)).pvalue > P_MIN, value


# CO-9.1: numerators over 3**D of k successes of D dice.
SUCCESSES = {
    3: "8 12 6 1",
    4: "16 32 24 8 1",
    5: "32 80 80 40 10 1",
    6: "64 192 240 160 60 12 1",
    7: "128 448 672 560 280 84 14 1",
    8: "256 1024 1792 1792 1120 448 112 16 1",
    9: "512 2304 4608 5376 4032 2016 672 144 18 1",
    10: "1024 5120 11520 15360 13440 8064 3360 960 180 20 1",
}
# CO-9.1: all of 1, 2, 3, 4, 6 markers removed, and the mean number removed.
MARKERS = (1, 2, 3, 4, 6)
CLEARED = {
    3: ("0.703704 0.259259 0.037037 0.000000 0.000000", "0.703704 0.962963 1.000000 1.000000 1.000000"),
    4: ("0.802469 0.407407 0.111111 0.012346 0.000000", "0.802469 1.209877 1.320988 1.333333 1.333333"),
    5: ("0.868313 0.539095 0.209877 0.045267 0.000000", "0.868313 1.407407 1.617284 1.662551 1.666667"),
    6: ("0.912209 0.648834 0.319616 0.100137 0.001372", "0.912209 1.561043 1.880658 1.980796 2.000000"),
    7: ("0.941472 0.736626 0.429355 0.173297 0.006859", "0.941472 1.678098 2.107453 2.280750 2.332876"),
    8: ("0.960982 0.804908 0.531779 0.258650 0.019662", "0.960982 1.765889 2.297668 2.556318 2.663923"),
    9: ("0.973988 0.856932 0.622822 0.349693 0.042422", "0.973988 1.830920 2.453742 2.803434 2.990703"),
    10: ("0.982658 0.895951 0.700859 0.440736 0.076564", "0.982658 1.878609 2.579468 3.020204 3.309895"),
}
# CO-9.2: three markers, a lost assault.
THREE = {
    3: [F(8, 27), F(12, 27), F(6, 27), F(1, 27)],
    6: [F(64, 729), F(192, 729), F(240, 729), F(233, 729)],
    10: [F(1024, 59049), F(5120, 59049), F(11520, 59049), F(41385, 59049)],
}
# CO-9.3: markers after phase B in the long run, by units that fire each turn, discipline 3 to 10.
LONG_RUN = {
    1: "inf 1.75935 1.28835 1.14552 1.08223 1.04930 1.03061 1.01944",
    2: "inf inf inf inf 3.59286 2.63202 2.33286 2.19620",
    3: "inf inf inf inf inf inf inf 5.45692",
}


@pytest.mark.parametrize("discipline", SUCCESSES)
def test_rally_of_many_markers(discipline: int) -> None:
    exact = [F(int(ways), 3**discipline) for ways in SUCCESSES[discipline].split()]
    same(rally(RULES, discipline, discipline).p, exact)
    for markers in range(discipline):
        same(rally(RULES, discipline, markers).p, [*exact[:markers], sum(exact[markers:])])


@pytest.mark.parametrize("discipline", CLEARED)
def test_rally_table(discipline: int) -> None:
    removed = rally(RULES, discipline, MARKERS)
    cleared, means = (list(map(float, row.split())) for row in CLEARED[discipline])
    same(removed.at_least(MARKERS), cleared, SIX_PLACES)
    same(removed.mean(), means, SIX_PLACES)


@pytest.mark.parametrize("discipline", THREE)
def test_rally_after_a_lost_assault(discipline: int) -> None:
    same(rally(RULES, discipline, 3).p, THREE[discipline])


@pytest.mark.parametrize("fire", LONG_RUN)
def test_markers_in_the_long_run(fire: int) -> None:
    exact = list(map(float, LONG_RUN[fire].split()))
    same(markers_in_long_run(RULES, range(3, 11), fire), exact, 0.5e-5 + EXACT)


@pytest.mark.parametrize(
    ("discipline", "fire", "need", "markers"), [(7, 2, 5, 1), (10, 3, 5, 1), (6, 2, 4, 1), (9, 1, 5, 2)]
)
def test_long_run_by_turn_after_turn(discipline: int, fire: int, need: int, markers: int) -> None:
    rules = RULES.variant({"rally.need": need, "fire.markers": markers})
    # Markers after the rally, so many at most that what lies beyond has no chance to speak of.
    most = 400
    left = np.zeros(most + 1)
    left[0] = 1.0
    chance = np.array([stats.binom.pmf(k, discipline, (7 - need) / 6) for k in range(discipline + 1)])
    for _ in range(3000):
        after = np.zeros_like(left)
        for k, p in enumerate(chance):
            shift = fire * markers - k
            if shift >= 0:
                after[shift:] += p * left[: most + 1 - shift]
            else:
                after[0] += p * left[: -shift + 1].sum()
                after[1 : most + 1 + shift] += p * left[1 - shift :]
        left = after
    mean = fire * markers + left @ np.arange(most + 1)
    same(markers_in_long_run(rules, discipline, fire), mean, 1e-8)


def test_long_run_without_fire_and_with_a_sure_rally() -> None:
    same(markers_in_long_run(RULES, [0, 6], 0), [0, 0])
    sure = RULES.variant({"rally.need": 1})
    same(markers_in_long_run(sure, 6, [0, 1, 5, 6]), [0, 1, 5, np.inf])
    never = RULES.variant({"rally.need": 7})
    same(markers_in_long_run(never, 6, [0, 1]), [0, np.inf])
    assert markers_in_long_run(RULES, 9, 3) == np.inf, "exactly as many markers as a rally takes off on average"


# CO-11.6
HALF, QUARTER = F(1, 2), F(1, 4)
GENERATED = {
    ("irregular", "infantry", ""): {3: HALF, 4: HALF},
    ("irregular", "cavalry", ""): {4: QUARTER, 5: HALF, 6: QUARTER},
    ("irregular", "battery", ""): {3: 1},
    ("irregular", "infantry", "fanatic"): {5: HALF, 6: HALF},
    ("regular", "infantry", ""): {5: HALF, 6: HALF},
    ("regular", "cavalry", ""): {6: QUARTER, 7: HALF, 8: QUARTER},
    ("regular", "battery", ""): {4: HALF, 5: HALF},
    ("elite", "infantry", ""): {7: HALF, 8: HALF},
    ("elite", "cavalry", ""): {8: QUARTER, 9: HALF, 10: QUARTER},
    ("elite", "infantry", "veteran fanatic"): {10: 1},
    ("elite", "cavalry", "veteran"): {9: QUARTER, 10: F(3, 4)},
}


@pytest.mark.parametrize("unit", GENERATED)
def test_generated_discipline(unit: tuple[str, str, str]) -> None:
    quality, arm, traits = unit
    drawn = generated(RULES, quality, arm, veteran="veteran" in traits, fanatic="fanatic" in traits)
    values = range(1, 13)
    same(drawn.equal_to(values), [GENERATED[unit].get(value, 0) for value in values])


@pytest.mark.parametrize(("reading", "exact"), [("plus1", {6: HALF, 7: HALF}), ("plus2", {7: HALF, 8: HALF})])
def test_cavalry_bonus_under_each_reading(reading: str, exact: dict[int, F]) -> None:
    drawn = generated(RULES.variant({"CO-P04": reading}), "regular", "cavalry")
    same(drawn.equal_to(range(1, 13)), [exact.get(value, 0) for value in range(1, 13)])
    nothing = generated(RULES.variant({"CO-P04": "designer"}), "regular", "cavalry")
    same(nothing.equal_to([5, 6]), [HALF, HALF])


def test_house_numbers() -> None:
    rules = RULES.variant({"discipline.irregular": [1, 4, 9], "discipline.most": 8, "discipline.veteran": 3})
    same(generated(rules, "irregular").equal_to([3, 4, 8]), [F(1, 3)] * 3)
    same(generated(rules, "irregular", veteran=True).equal_to([4, 7, 8]), [F(1, 3)] * 3)
    same(rally(RULES.variant({"rally.die": 10, "rally.need": 10}), 2, 2).p, [F(81, 100), F(18, 100), F(1, 100)])


@given(st.integers(0, 12), st.integers(0, 12))
@settings(max_examples=40)
def test_rally_is_a_distribution_and_grows_with_discipline(discipline: int, markers: int) -> None:
    removed = rally(RULES, [discipline, discipline + 1], [[markers], [markers + 1]])
    same(removed.p.sum(axis=-1), np.ones((2, 2)))
    means = removed.mean()
    assert (means[:, 1] >= means[:, 0] - EXACT).all()
    assert (means[1] >= means[0] - EXACT).all()
    assert (means <= discipline + 1).all()


def test_a_batch_is_a_loop_of_singles() -> None:
    discipline, fire = np.arange(3, 11)[:, None], np.arange(4)
    batch = markers_in_long_run(RULES, discipline, fire)
    removed = rally(RULES, discipline, fire)
    assert batch.shape == removed.batch == (8, 4)
    for i, j in np.ndindex(8, 4):
        same(batch[i, j], markers_in_long_run(RULES, discipline[i, 0], fire[j]))
        same(removed.p[i, j, : j + 1], rally(RULES, discipline[i, 0], fire[j]).p)


def test_sampled_rally() -> None:
    dice = np.random.default_rng(1).integers(1, 7, (DRAWS, 7))
    agrees(np.minimum((dice >= 5).sum(axis=1), 3), rally(RULES, 7, 3))


def test_sampled_discipline() -> None:
    rng = np.random.default_rng(2)
    drawn = rng.integers(7, 9, DRAWS) + rng.integers(1, 3, DRAWS) + 1
    agrees(np.clip(drawn, 3, 10), generated(RULES, "elite", "cavalry", veteran=True))
