"""Every cell against a baseline cell, and a ranking of the cells.

A plain Wald interval of a difference is too narrow where few battles differ: with none it has no width at all. So both
intervals here count two pseudo-battles: one that the cell wins and the baseline loses, one the other way round. For
pairs that is the adjusted Wald interval of Bonett and Price [2]_, which follows Agresti and Min [1]_; for two
independent samples, where each gets a win and a loss, it is that of Agresti and Caffo [3]_. Both were made for wins and
losses; the scores of draws, one half, enter through the sums and the sums of squares. Differences are reported as
observed: the pseudo-battles shape only the interval and the p-value.

The p-value takes the variance that there is if the cells do not differ, as McNemar's test does; with the interval's own
variance it would be too small in the far tails, where an adjustment for many comparisons looks. So at the very edge it
can be more cautious than the interval.

References
----------
.. [1] A. Agresti and Y. Min, "Simple improved confidence intervals for comparing matched proportions",
   Statistics in Medicine 24 (2005), 729-740.
.. [2] D. G. Bonett and R. M. Price, "Adjusted Wald confidence interval for a difference of binomial proportions based
   on paired data", Journal of Educational and Behavioral Statistics 37 (2012), 479-488.
.. [3] A. Agresti and B. Caffo, "Simple and effective confidence intervals for proportions and differences of
   proportions result from adding two successes and two failures", The American Statistician 54 (2000), 280-288.
.. [4] S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979),
   65-70.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wargamesim.errors import InputError
from wargamesim.study.intervals import FloatArray, IntArray, Interval, normal_quantile, wilson
from wargamesim.study.outcomes import Battles, plain
from wargamesim.table import Table


class Difference(NamedTuple):
    """Interval and two-sided p-value of differences of mean scores; arrays of one shape."""

    interval: Interval
    p: FloatArray


class Differences(NamedTuple):
    """Scores of cells against those of their baselines; arrays of shape (k,), as `Comparison` tells them."""

    n: IntArray
    score: FloatArray
    baseline_score: FloatArray
    difference: FloatArray
    interval: Interval
    p: FloatArray
    fewer_battles: FloatArray


def paired_difference(total: ArrayLike, squares: ArrayLike, n: ArrayLike, level: float = 0.95) -> Difference:
    """Adjusted Wald interval of a mean difference of paired scores [2]_.

    Parameters
    ----------
    total, squares : array_like
        Sum of the differences, each from -1 to 1, and the sum of their squares.
    n : array_like
        Number of pairs, at least 0.
    level : float
        Confidence level, between 0 and 1.

    Returns
    -------
    Difference
        Limits from -1 to 1 and p-value, of the broadcast shape.

    Examples
    --------
    Five battles of a thousand went otherwise, all the same way; McNemar's exact test gives p = 1/16.

    >>> (low, high), p = paired_difference(5, 5, 1000)
    >>> round(float(low), 4), round(float(high), 4), round(float(p), 3)
    (-0.0002, 0.0102, 0.059)
    """
    size = np.asarray(n, dtype=float) + 2
    centre = np.asarray(total, dtype=float) / size
    null = (np.asarray(squares, dtype=float) + 2) / size
    return _normal(centre, (null - centre**2) / size, null / size, level)


def unpaired_difference(
    total: tuple[ArrayLike, ArrayLike],
    squares: tuple[ArrayLike, ArrayLike],
    n: tuple[ArrayLike, ArrayLike],
    level: float = 0.95,
) -> Difference:
    """Adjusted Wald interval of the difference of two mean scores of independent battles [3]_.

    Parameters
    ----------
    total, squares : pairs of array_like
        Sums of the scores, each from 0 to 1, and of their squares: first of the cell, then of the baseline.
    n : pair of array_like
        Battles of each, at least 0.
    level : float
        Confidence level, between 0 and 1.

    Returns
    -------
    Difference
        Limits from -1 to 1 and p-value, of the broadcast shape.

    Examples
    --------
    >>> (low, high), p = unpaired_difference((60, 50), (60, 50), (100, 100))
    >>> round(float(low), 3), round(float(high), 3), round(float(p), 3)
    (-0.038, 0.234, 0.159)
    """
    size, other_size = (np.asarray(each, dtype=float) + 2 for each in n)
    points, other_points = (np.asarray(each, dtype=float) + 1 for each in total)
    square, other_square = (np.asarray(each, dtype=float) + 1 for each in squares)
    mean, other_mean = points / size, other_points / other_size
    variance = (square / size - mean**2) / size + (other_square / other_size - other_mean**2) / other_size
    both = size + other_size
    pooled = (square + other_square) / both - ((points + other_points) / both) ** 2
    return _normal(mean - other_mean, variance, pooled * (1 / size + 1 / other_size), level)


def holm(p: ArrayLike) -> FloatArray:
    """Adjust p-values for their number by Holm's step-down method [4]_, which needs no independence.

    Parameters
    ----------
    p : array_like, shape (k,)
        P-values from 0 to 1.

    Returns
    -------
    float array, shape (k,)
        Adjusted p-values: those at most alpha may all be called significant, with a chance of at most alpha of any
        false one.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    values = np.asarray(p, dtype=float)
    order = np.argsort(values, kind="stable")
    stepped = np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1))
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(stepped, 1)
    return adjusted


@dataclass(frozen=True)
class Comparison:
    """Cells against a baseline cell; arrays of shape (k,), one entry for each other cell.

    Attributes
    ----------
    battles : Battles
        What was compared.
    baseline : int
        Number of the baseline cell.
    cells : int array
        Numbers of the other cells.
    n : int array
        Pairs, if the experiment is paired: battles present in both cells; else battles of the cell.
    score, baseline_score : float arrays
        Mean scores of the first side over these battles, NaN where n = 0. Unpaired, all battles of the baseline count.
    difference : float array
        `score - baseline_score`.
    interval : Interval
        Adjusted Wald interval of the difference, each on its own.
    p : float array
        Two-sided p-value of no difference.
    fewer_battles : float array
        Variance reduction of the pairing: the variance that unpaired battles would have, var_a + var_b, over that of
        the paired difference. Two cells of n unpaired battles have the precision of n / fewer_battles pairs. Infinite
        if all differences are equal, NaN if moreover no score varies or n < 2; 1 in an unpaired experiment.
    p_holm : float array
        P-value adjusted for the k comparisons by Holm's method.
    level : float
        Confidence level.
    """

    battles: Battles
    baseline: int
    cells: IntArray
    n: IntArray
    score: FloatArray
    baseline_score: FloatArray
    difference: FloatArray
    interval: Interval
    p: FloatArray
    fewer_battles: FloatArray
    p_holm: FloatArray
    level: float

    def table(self) -> Table:
        """Return one row a comparison; an entry is None where there are too few battles."""
        kind = "pairs" if self.battles.paired else "battles"
        numbers = zip(
            *(self.score, self.baseline_score, self.difference, *self.interval, self.p, self.p_holm),
            self.fewer_battles,
            strict=True,
        )
        notes = [
            "p_holm: adjusted for all comparisons of this table by Holm's method; the intervals hold one by one.",
            "The interval counts one pseudo-battle won and one lost, lest few differing battles look certain.",
        ]
        if self.battles.paired:
            notes.append(
                "fewer_battles: same dice in both cells do the work of this many times as many battles with other dice."
            )
        return Table(
            columns=(
                *("cell", *self.battles.factors, kind, "score", "baseline_score", "difference"),
                *("low", "high", "p", "p_holm", "fewer_battles"),
            ),
            rows=[
                (int(cell), *self.battles.levels(int(cell)), int(n), *map(plain, row))
                for cell, n, row in zip(self.cells, self.n, numbers, strict=True)
            ],
            title=f"Against cell {self.baseline} ({self.battles.label(self.baseline)}), "
            f"with {100 * self.level:g} % intervals",
            notes=tuple(notes),
        )


@dataclass(frozen=True)
class Ranking:
    """Cells by the first side's score, the best first; arrays of shape (cells,) in that order.

    Attributes
    ----------
    battles : Battles
        What was ranked.
    cells : int array
        Numbers of the cells that have battles.
    n : int array
        Battles of each.
    score, interval : array and Interval
        Mean score of the first side and Wilson's interval.
    behind : float array
        Difference to the best cell, over the battles they share if the experiment is paired; 0 for the best itself.
    p : float array
        P-value of that difference, 1 for the best. The best was picked from these same battles, so every pair of cells
        counts as a comparison: p is multiplied by their number (Bonferroni).
    level : float
        Confidence level.
    """

    battles: Battles
    cells: IntArray
    n: IntArray
    score: FloatArray
    interval: Interval
    behind: FloatArray
    p: FloatArray
    level: float

    @property
    def may_be_best(self) -> NDArray[np.bool_]:
        """Which cells the battles do not separate from the best, shape (cells,)."""
        return self.p > 1 - self.level

    def table(self) -> Table:
        """Return one row a cell, the best first."""
        rows = zip(self.cells, self.n, self.score, *self.interval, self.behind, self.p, self.may_be_best, strict=True)
        return Table(
            columns=(
                *("rank", "cell", *self.battles.factors, "battles", "score", "low", "high"),
                *("behind", "p", "may_be_best"),
            ),
            rows=[
                (rank, int(cell), *self.battles.levels(int(cell)), *map(plain, numbers))
                for rank, (cell, *numbers) in enumerate(rows, start=1)
            ],
            title=f"Cells by score, with {100 * self.level:g} % intervals",
            notes=("p: of the difference to the best cell, adjusted for every pair of cells.",),
        )


def compare_cells(battles: Battles, *, baseline: int = 0, level: float = 0.95) -> Comparison:
    """Compare every cell with a baseline cell.

    Parameters
    ----------
    battles : Battles
        The battles, of a whole or a partial result. If paired, a battle present in only one of two cells is left out.
    baseline : int
        Number of the cell to compare with.
    level : float
        Confidence level of the intervals, between 0 and 1.

    Returns
    -------
    Comparison
        With `.table()`.

    Raises
    ------
    InputError
        If there is no such cell, or no other cell, or `level` is out of range.

    Examples
    --------
    >>> data = {"cell": [0] * 4 + [1] * 4, "battle": [0, 1, 2, 3] * 2, "outcome": [0, 0, 1, 1, 0, 0, 0, 1]}
    >>> result = compare_cells(Battles(data, [{"mud": 0}, {"mud": 3}], ("red", "blue"), ("red", "blue")))
    >>> result.difference.tolist(), result.n.tolist(), result.fewer_battles.round(2).tolist()
    ([0.25], [4], [2.33])
    """
    if not 0 <= baseline < len(battles.cells):
        raise InputError(f"must be a cell, 0 to {len(battles.cells) - 1}, but is {baseline}", key="baseline")
    if len(battles.cells) == 1:
        raise InputError("the experiment has only one cell: there is nothing to compare it with", key="cells")
    scores, _ = battles.score_matrix()
    cells = np.delete(np.arange(len(scores)), baseline)
    found = differences(scores[cells], scores[baseline], battles.paired, level)
    return Comparison(battles, baseline, cells, *found, p_holm=holm(found.p), level=level)


def rank_cells(battles: Battles, *, level: float = 0.95) -> Ranking:
    """Rank the cells by the first side's score.

    Parameters
    ----------
    battles : Battles
        The battles, of a whole or a partial result; cells without any are left out.
    level : float
        Confidence level of the intervals, between 0 and 1.

    Returns
    -------
    Ranking
        With `.table()`.

    Raises
    ------
    InputError
        If `level` is out of range.

    Examples
    --------
    >>> data = {"cell": [0] * 4 + [1] * 4, "battle": [0, 1, 2, 3] * 2, "outcome": [0, 0, 1, 1, 0, 0, 0, 1]}
    >>> result = rank_cells(Battles(data, [{"mud": 0}, {"mud": 3}], ("red", "blue"), ("red", "blue")))
    >>> result.cells.tolist(), result.score.tolist(), result.may_be_best.tolist()
    ([1, 0], [0.75, 0.5], [True, True])
    """
    scores, _ = battles.score_matrix()
    n = np.count_nonzero(~np.isnan(scores), axis=1)
    points = np.nansum(scores, axis=1)
    means = np.divide(points, n, out=np.full(len(n), -np.inf), where=n > 0)
    cells = np.argsort(-means, kind="stable")[: np.count_nonzero(n)]
    behind, p = np.zeros(len(cells)), np.ones(len(cells))
    if len(cells) > 1:
        against_best = differences(scores[cells[1:]], scores[cells[0]], battles.paired, level)
        behind[1:] = against_best.difference
        p[1:] = np.minimum(against_best.p * (len(cells) * (len(cells) - 1) // 2), 1)
    return Ranking(
        battles=battles,
        cells=cells,
        n=n[cells],
        score=means[cells],
        interval=wilson(points[cells], n[cells], level),
        behind=behind,
        p=p,
        level=level,
    )


def differences(scores: FloatArray, baseline: FloatArray, paired: bool, level: float = 0.95) -> Differences:
    """Compare rows of scores with rows of others.

    Parameters
    ----------
    scores : float array, shape (k, battles)
        Scores of cells, NaN for an absent battle.
    baseline : float array, shape (battles,) or (k, battles)
        Scores of the cell, or cells, to compare with.
    paired : bool
        Whether battles in one column rolled the same dice; those that a cell or its baseline lacks are then left out.
    level : float
        Confidence level, between 0 and 1.

    Returns
    -------
    Differences

    Examples
    --------
    >>> found = differences(np.array([[1.0, 1, 0, 1]]), np.array([1.0, 0, 0, np.nan]), paired=True)
    >>> found.n.tolist(), found.difference.round(3).tolist()
    ([3], [0.333])
    """
    cell, base = scores, np.broadcast_to(baseline, scores.shape)
    if paired:
        shared = ~np.isnan(cell + base)
        cell, base = np.where(shared, cell, np.nan), np.where(shared, base, np.nan)
    n, total, squares = _sums(cell)
    base_n, base_total, base_squares = _sums(base)
    if paired:
        _, change, change_squares = _sums(cell - base)
        interval, p = paired_difference(change, change_squares, n, level)
        with np.errstate(divide="ignore", invalid="ignore"):
            unpaired = (squares - total**2 / n) + (base_squares - base_total**2 / n)
            fewer = unpaired / (change_squares - change**2 / n)
    else:
        interval, p = unpaired_difference((total, base_total), (squares, base_squares), (n, base_n), level)
        fewer = np.ones(len(cell))
    with np.errstate(invalid="ignore"):
        score, baseline_score = total / n, base_total / base_n
    return Differences(n, score, baseline_score, score - baseline_score, interval, p, fewer)


def _sums(scores: FloatArray) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return the number of present battles, their sum and the sum of their squares along the last axis."""
    return np.count_nonzero(~np.isnan(scores), axis=-1), np.nansum(scores, axis=-1), np.nansum(scores**2, axis=-1)


def _normal(centre: FloatArray, variance: FloatArray, null_variance: FloatArray, level: float) -> Difference:
    """Return the normal interval, kept within -1 and 1, and the two-sided p-value of a true 0."""
    from scipy.special import ndtr

    half = normal_quantile(level) * np.sqrt(variance)
    interval = Interval(np.clip(centre - half, -1, 1), np.clip(centre + half, -1, 1))
    return Difference(interval, np.asarray(2 * ndtr(-np.abs(centre) / np.sqrt(null_variance))))
