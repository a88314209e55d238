"""Intervals against SciPy, against published values, and by their exact coverage."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from wargamesim.errors import InputError
from wargamesim.study.intervals import mean_interval, normal_quantile, wilson

LEVELS = (0.5, 0.9, 0.95, 0.999)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("n", [1, 2, 10, 137])
def test_wilson_is_that_of_scipy(n: int, level: float) -> None:
    low, high = wilson(np.arange(n + 1), n, level)
    oracle = [stats.binomtest(k, n).proportion_ci(level, method="wilson") for k in range(n + 1)]
    np.testing.assert_allclose(low, [interval.low for interval in oracle], rtol=0, atol=1e-14)
    np.testing.assert_allclose(high, [interval.high for interval in oracle], rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    # R. G. Newcombe, Statistics in Medicine 17 (1998), 857-872, table I, method 3.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_gives_the_published_values(successes: int, n: int, low: float, high: float) -> None:
    interval = wilson(successes, n)
    assert (round(float(interval.low), 4), round(float(interval.high), 4)) == (low, high)


def test_wilson_without_trials_knows_nothing() -> None:
    low, high = wilson([0, 0], [0, 5])
    assert (low[0], high[0]) == (0, 1)
    assert high[1] < 0.5


def test_wilson_broadcasts() -> None:
    interval = wilson([[1], [2], [3]], [4, 5])
    assert interval.low.shape == interval.high.shape == interval.half_width.shape == (3, 2)
    assert interval.low[2, 1] == wilson(3, 5).low


@given(st.integers(0, 400), st.integers(0, 200), st.sampled_from(LEVELS))
def test_wilson_holds_the_share_and_is_symmetric(halves: int, more: int, level: float) -> None:
    successes, n = halves / 2, (halves + 1) // 2 + more
    low, high = wilson(successes, n, level)
    mirrored = wilson(n - successes, n, level)
    assert 0 <= low <= (successes / n if n else 0.5) <= high <= 1
    np.testing.assert_allclose([low, high], [1 - mirrored.high, 1 - mirrored.low], rtol=0, atol=1e-15)


def test_wilson_widens_with_the_level_and_narrows_with_n() -> None:
    assert np.all(np.diff([wilson(3, 10, level).half_width for level in LEVELS]) > 0)
    n = np.array([10, 100, 1000])
    assert np.all(np.diff(wilson(0.3 * n, n).half_width) < 0)


def exact_coverage(win: float, draw: float, n: int) -> float:
    """Return the probability that the interval holds the true score, by convolving n battles exactly."""
    one = np.array([1 - win - draw, draw, win])  # in halves: 0, 1, 2
    total = np.array([1.0])
    for _ in range(n):
        total = np.convolve(total, one)
    low, high = wilson(np.arange(2 * n + 1) / 2, n)
    score = win + draw / 2
    return float(total[(low <= score) & (score <= high)].sum())


def test_wilson_covers_at_its_level_on_average_without_draws() -> None:
    # Single coverages of any interval of a discrete share oscillate; Wilson's do so around the level.
    coverages = [exact_coverage(p, 0, 50) for p in np.linspace(0.05, 0.95, 181)]
    assert 0.945 < np.mean(coverages) < 0.96
    assert min(coverages) > 0.90


@pytest.mark.parametrize("score", [0.2, 0.35, 0.5, 0.65, 0.8])
def test_draws_make_wilson_conservative(score: float) -> None:
    draw = min(score, 1 - score)
    with_draws, without = exact_coverage(score - draw / 2, draw, 60), exact_coverage(score, 0, 60)
    assert with_draws > 0.98
    assert with_draws > without


@pytest.mark.parametrize("level", LEVELS)
def test_the_interval_of_a_mean_is_that_of_scipy(level: float) -> None:
    rng = np.random.default_rng(5)
    for n in (2, 3, 10, 400):
        values = rng.poisson(9, n)
        interval = mean_interval(values.mean(), values.std(ddof=1), n, level)
        oracle = stats.t.interval(level, n - 1, values.mean(), stats.sem(values))
        np.testing.assert_allclose(interval, oracle, rtol=1e-12)


def test_one_value_says_nothing_of_its_spread() -> None:
    low, high = mean_interval([np.nan, 4.0, 4.0], [np.nan, np.nan, 0.0], [0, 1, 2])
    assert low.tolist() == [-np.inf, -np.inf, 4.0]
    assert high.tolist() == [np.inf, np.inf, 4.0]


def test_the_normal_quantile_is_that_of_scipy() -> None:
    assert [normal_quantile(level) for level in LEVELS] == pytest.approx(
        [stats.norm.ppf((1 + level) / 2) for level in LEVELS], rel=1e-13
    )


@pytest.mark.parametrize(
    ("arguments", "key"),
    [
        ((-1, 5), "successes"),
        ((6, 5), "successes"),
        (([1, 5.5], 5), "successes"),
        ((np.nan, 5), "successes"),
        ((0, -5), "n"),
        ((0, np.inf), "n"),
        ((1, 5, 0), "level"),
        ((1, 5, 1), "level"),
        ((1, 5, 95), "level"),
        ((1, 5, np.nan), "level"),
    ],
)
def test_wilson_refuses(arguments: tuple[float, ...], key: str) -> None:
    with pytest.raises(InputError, match=f"^{key}: "):
        wilson(*arguments)


@pytest.mark.parametrize(
    ("arguments", "key"),
    [((1, 1, -2), "n"), ((1, 1, np.nan), "n"), ((1, -1, 5), "deviation"), ((1, 1, 5, 1.5), "level")],
)
def test_the_interval_of_a_mean_refuses(arguments: tuple[float, ...], key: str) -> None:
    with pytest.raises(InputError, match=f"^{key}: "):
        mean_interval(*arguments)
