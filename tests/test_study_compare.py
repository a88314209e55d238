"""Comparisons: exact coverage of the intervals, Holm against the closed test, pairing and ranking."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from wargamesim.errors import InputError
from wargamesim.study.compare import compare_cells, holm, paired_difference, rank_cells, unpaired_difference
from wargamesim.study.outcomes import Battles

OUTCOMES, SIDES = ("red", "blue", "draw", "no_decision"), ("red", "blue")
SHARES = (0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4)


def battles(outcomes: NDArray[np.int64], *, paired: bool = True) -> Battles:
    """Return battles from a matrix of outcomes, shape (cells, battles); -1 is a battle not fought."""
    cell, battle = np.nonzero(outcomes >= 0)
    data = {"cell": cell, "battle": battle, "outcome": outcomes[cell, battle]}
    return Battles(data, [{"mud": mud} for mud in range(len(outcomes))], OUTCOMES, SIDES, paired)


def discordant(n: int, better: float, worse: float) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return every possible number of battles that go better and worse, and their exact joint probability."""
    up, down = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    up, down = up[up + down <= n], down[up + down <= n]
    counts = np.stack([up, down, n - up - down], axis=-1)
    return up, down, stats.multinomial.pmf(counts, n, [better, worse, 1 - better - worse])


@pytest.mark.parametrize("n", [10, 30, 100])
def test_the_paired_interval_covers_exactly(n: int) -> None:
    coverages = []
    for better in SHARES:
        for worse in SHARES:
            up, down, chance = discordant(n, better, worse)
            (low, high), _ = paired_difference(up - down, up + down, n)
            covered = (low <= better - worse + 1e-12) & (better - worse - 1e-12 <= high)
            coverages.append(chance[covered].sum())
    assert min(coverages) > 0.935
    assert 0.95 < np.mean(coverages) < 0.985  # above the level with few discordant pairs, never far below it


@pytest.mark.parametrize("n", [10, 30, 100])
def test_the_paired_test_keeps_its_level_exactly(n: int) -> None:
    # Down to the levels of an adjustment for many comparisons. A discrete test oscillates a little around its level.
    for share in SHARES:
        up, down, chance = discordant(n, share, share)
        _, p = paired_difference(up - down, up + down, n)
        for level in (0.05, 0.01, 0.002, 0.0002):
            assert chance[p <= level].sum() < 1.1 * level


def test_the_unpaired_test_keeps_its_level_exactly() -> None:
    wins = np.arange(301)
    a, b = wins[:, None], wins[None, :]
    _, p = unpaired_difference((a, b), (a, b), (300, 300))
    for share in np.linspace(0.01, 0.99, 21):
        chance = np.outer(stats.binom.pmf(wins, 300, share), stats.binom.pmf(wins, 300, share))
        for level in (0.05, 0.01, 0.002, 0.0002):
            assert chance[p <= level].sum() < 1.1 * level


def test_the_paired_test_has_power() -> None:
    # 5 % of 1,000 battles go better and 2 % worse: z is near 30 / sqrt(70) = 3.6, so nearly every sample shows it.
    counts = np.random.default_rng(12).multinomial(1000, [0.05, 0.02, 0.93], size=2000)
    _, p = paired_difference(counts[:, 0] - counts[:, 1], counts[:, 0] + counts[:, 1], 1000)
    assert 0.9 < np.mean(p < 0.05) < 1


def test_the_paired_interval_covers_with_draws() -> None:
    # Differences of scores with draws: -1, -1/2, 0, 1/2, 1. The standard error of a coverage of 0.95 is 0.0015.
    rng = np.random.default_rng(11)
    values = np.array([-1, -0.5, 0, 0.5, 1])
    # Where ten battles of a thousand differ, it is meant to lie above.
    for chances in ([0.02, 0.03, 0.85, 0.06, 0.04], [0.1, 0.1, 0.5, 0.1, 0.2], [0, 0.002, 0.99, 0.008, 0]):
        for n in (50, 1000):
            counts = rng.multinomial(n, chances, size=20_000)
            (low, high), _ = paired_difference(counts @ values, counts @ values**2, n)
            truth = values @ chances
            coverage = np.mean((low <= truth) & (truth <= high))
            assert coverage > 0.94
            if n == 1000 and chances[2] < 0.9:
                assert coverage < 0.96


def test_the_paired_interval_is_that_of_bonett_and_price() -> None:
    n, better, worse = 80, 12, 5
    first, second = (better + 1) / (n + 2), (worse + 1) / (n + 2)
    half = 1.959963984540054 * np.sqrt((first + second - (first - second) ** 2) / (n + 2))
    (low, high), _ = paired_difference(better - worse, better + worse, n)
    assert (low, high) == pytest.approx((first - second - half, first - second + half), rel=1e-12)


def test_the_unpaired_interval_is_that_of_agresti_and_caffo() -> None:
    first, second = 57 / 102, 31 / 82
    half = 1.959963984540054 * np.sqrt(first * (1 - first) / 102 + second * (1 - second) / 82)
    (low, high), p = unpaired_difference((56, 30), (56, 30), (100, 80))
    assert (low, high) == pytest.approx((first - second - half, first - second + half), rel=1e-12)
    pooled = 88 / 184
    error = np.sqrt(pooled * (1 - pooled) * (1 / 102 + 1 / 82))
    assert p == pytest.approx(2 * stats.norm.sf((first - second) / error), rel=1e-12)


@pytest.mark.parametrize(("first", "second"), [(0.5, 0.5), (0.1, 0.02), (0.9, 0.6), (0.99, 0.97)])
def test_the_unpaired_interval_covers_exactly(first: float, second: float) -> None:
    wins = np.arange(41)
    chance = np.outer(stats.binom.pmf(wins, 40, first), stats.binom.pmf(wins, 40, second))
    a, b = wins[:, None], wins[None, :]
    (low, high), _ = unpaired_difference((a, b), (a, b), (40, 40))
    covered = (low <= first - second + 1e-12) & (first - second - 1e-12 <= high)
    assert 0.94 < chance[covered].sum() <= 1


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_what_the_p_value_calls_different_the_interval_does_too(level: float) -> None:
    up, down, _ = discordant(25, 0.2, 0.2)
    (low, high), p = paired_difference(up - down, up + down, 25, level)
    excluded = (low > 0) | (high < 0)
    assert np.all(excluded[p < 1 - level])
    assert np.any(p < 1 - level)


def test_the_p_value_is_near_that_of_the_exact_test() -> None:
    for better, worse in [(5, 0), (12, 5), (30, 10), (60, 50)]:
        _, p = paired_difference(better - worse, better + worse, 1000)
        assert p == pytest.approx(stats.binomtest(better, better + worse).pvalue, rel=0.35)


def test_no_pairs_know_nothing() -> None:
    (low, high), p = paired_difference(0, 0, 0)
    assert (low, high, p) == (-1, 1, 1)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_holm_is_the_closed_bonferroni_test(p: list[float]) -> None:
    # A hypothesis falls when every set of hypotheses that holds it falls by Bonferroni.
    adjusted = [
        max(
            min(1, size * min(p[j] for j in group))
            for size in range(1, len(p) + 1)
            for group in combinations(range(len(p)), size)
            if i in group
        )
        for i in range(len(p))
    ]
    np.testing.assert_allclose(holm(p), adjusted, rtol=1e-15)


def test_a_paired_comparison_by_hand() -> None:
    outcomes = np.array([[0, 0, 1, 1, 2, 3, 0, -1], [0, 0, 1, 1, 2, 3, 0, 0], [0, 1, 0, 2, 2, 0, -1, 0]])
    result = compare_cells(battles(outcomes))
    assert result.cells.tolist() == [1, 2]
    assert result.n.tolist() == [7, 6]
    scores = np.array([1, 0, 0.5, 0.5])[outcomes]
    a, b = scores[2, :6], scores[0, :6]
    assert result.score[1] == a.mean()
    assert result.baseline_score[1] == b.mean()
    assert result.difference[1] == pytest.approx(np.mean(a - b), rel=1e-12)
    assert result.fewer_battles[1] == pytest.approx((a.var(ddof=1) + b.var(ddof=1)) / np.var(a - b, ddof=1), rel=1e-12)
    assert result.difference[0] == 0
    assert result.fewer_battles[0] == np.inf
    assert result.interval.low[0] < 0 < result.interval.high[0]
    np.testing.assert_array_equal(result.p_holm, holm(result.p))


def test_an_unpaired_comparison_takes_all_battles() -> None:
    outcomes = np.array([[0, 1, 0, 0, -1], [1, -1, 0, 2, 0]])
    result = compare_cells(battles(outcomes, paired=False))
    assert result.n.tolist() == [4]
    assert result.score.tolist() == [0.625]
    assert result.baseline_score.tolist() == [0.75]
    assert result.fewer_battles.tolist() == [1]
    (low, high), p = unpaired_difference((2.5, 3), (2.25, 3), (4, 4))
    assert (result.interval.low[0], result.interval.high[0], result.p[0]) == (low, high, p)


@pytest.mark.parametrize("paired", [True, False])
def test_the_baseline_may_be_any_cell(paired: bool) -> None:
    outcomes = np.random.default_rng(2).integers(0, 4, (3, 60))
    forth, back = (compare_cells(battles(outcomes, paired=paired), baseline=baseline) for baseline in (0, 2))
    assert back.cells.tolist() == [0, 1]
    assert forth.difference[1] == -back.difference[0]
    np.testing.assert_allclose(forth.interval.low[1], -back.interval.high[0], rtol=1e-12)
    np.testing.assert_allclose(forth.p[1], back.p[0], rtol=1e-12)


def test_fewer_battles_is_what_pairing_saves() -> None:
    # Two cells share 80 % of what decides a battle. The variance of 4,000 estimates of the difference, each from 50
    # battles, is compared between paired and unpaired battles; its relative standard error is sqrt(2 / 4000) = 0.022.
    rng = np.random.default_rng(3)
    luck = rng.random((3, 4000, 50))
    mixed = np.where(rng.random((4000, 50)) < 0.8, luck[0], luck[1])
    base, same, other = ((values < 0.5).astype(float) for values in (luck[0], mixed, luck[2]))
    saved = np.var(np.mean(base - other, axis=1)) / np.var(np.mean(base - same, axis=1))
    outcomes = np.stack([base.ravel(), same.ravel()]) == 0
    result = compare_cells(battles(outcomes.astype(np.int64)))
    assert result.fewer_battles[0] == pytest.approx(saved, rel=4 * 0.022 * np.sqrt(2))
    assert result.fewer_battles[0] == pytest.approx(5, rel=0.05)


def test_cells_without_battles_are_compared_with_nothing() -> None:
    result = compare_cells(battles(np.array([[0, 1], [-1, -1], [0, 0]])))
    assert result.n.tolist() == [0, 2]
    row = result.table().records()[0]
    assert row["score"] is row["difference"] is row["fewer_battles"] is None
    assert (row["low"], row["high"], row["p"]) == (-1, 1, 1)


def test_the_table_of_a_comparison() -> None:
    table = compare_cells(battles(np.array([[0, 1, 1], [0, 0, 1]])), level=0.9).table()
    assert table.columns[:3] == ("cell", "mud", "pairs")
    assert table.records()[0]["difference"] == pytest.approx(1 / 3)
    assert "cell 0 (mud=0)" in table.title
    assert "90 %" in table.title
    unpaired = compare_cells(battles(np.array([[0, 1, 1], [0, 0, 1]]), paired=False)).table()
    assert unpaired.columns[2] == "battles"


def test_comparisons_refuse() -> None:
    two, one = np.array([[0], [1]]), np.array([[0]])
    for baseline in (-1, 2):
        with pytest.raises(InputError, match=f"baseline: must be a cell, 0 to 1, but is {baseline}"):
            compare_cells(battles(two), baseline=baseline)
    with pytest.raises(InputError, match="only one cell"):
        compare_cells(battles(one))
    with pytest.raises(InputError, match="level: "):
        compare_cells(battles(two), level=95)


def test_a_ranking_by_hand() -> None:
    outcomes = np.array([[1] * 40, [0] * 40, [-1] * 40, [0] * 38 + [1] * 2])
    result = rank_cells(battles(outcomes))
    assert result.cells.tolist() == [1, 3, 0]
    assert result.n.tolist() == [40, 40, 40]
    assert result.score.tolist() == [1, 0.95, 0]
    assert result.behind.tolist() == pytest.approx([0, -0.05, -1])
    assert result.may_be_best.tolist() == [True, True, False]
    _, p = paired_difference(-2, 2, 40)
    assert result.p[1] == min(1, 3 * float(p))
    assert [row["rank"] for row in result.table().records()] == [1, 2, 3]


def test_a_ranking_of_one_or_none() -> None:
    assert rank_cells(battles(np.array([[0, 1]]))).may_be_best.tolist() == [True]
    assert rank_cells(battles(np.array([[-1], [-1]]))).table().rows == []


@pytest.mark.parametrize("paired", [True, False])
def test_a_ranking_of_equal_cells_rarely_names_a_loser(paired: bool) -> None:
    # Six equal cells, 300 experiments: a false statement in at most 5 % of them, within three standard errors (0.038).
    rng = np.random.default_rng(8)
    false = [not rank_cells(battles(rng.integers(0, 2, (6, 200)), paired=paired)).may_be_best.all() for _ in range(300)]
    assert np.mean(false) < 0.05 + 0.038
