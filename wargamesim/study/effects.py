"""What one factor changes, case by case: each of its levels against the first, all else alike."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wargamesim.errors import InputError, unknown
from wargamesim.study.compare import differences, holm
from wargamesim.study.intervals import FloatArray, IntArray, Interval, mean_interval
from wargamesim.study.outcomes import Battles, level_words, plain, side_words
from wargamesim.table import Table


@dataclass(frozen=True)
class Effects:
    """A factor's levels against its first one; arrays of shape (k,), one entry for each pair of cells alike but for it.

    Attributes
    ----------
    battles : Battles
        What was compared.
    factor : str
        The factor.
    base : object
        Its first level.
    cells, baselines : int arrays
        Numbers of the cells, and of those with the first level in their place.
    n : int array
        Pairs of battles; battles of the cell in an unpaired experiment.
    score, baseline_score, difference : float arrays
        Mean scores of the first side and their difference, NaN where n = 0.
    interval : Interval
        Adjusted Wald interval of the difference, each on its own.
    p, p_holm : float arrays
        Two-sided p-value of no difference, and adjusted for the k comparisons by Holm's method.
    metrics : tuple of str
        Names of the metrics.
    changes, change_interval : float array and Interval, shape (k, metrics)
        Mean difference of each metric, in its unit, and Student's interval.
    level : float
        Confidence level.
    """

    battles: Battles
    factor: str
    base: object
    cells: IntArray
    baselines: IntArray
    n: IntArray
    score: FloatArray
    baseline_score: FloatArray
    difference: FloatArray
    interval: Interval
    p: FloatArray
    p_holm: FloatArray
    metrics: tuple[str, ...]
    changes: FloatArray
    change_interval: Interval
    level: float

    def table(self) -> Table:
        """Return one row a pair of cells; an entry is None where there are too few battles."""
        kind = "pairs" if self.battles.paired else "battles"
        low, high = self.change_interval
        changes = np.stack([self.changes, low, high], axis=-1).reshape(len(self.cells), -1)
        numbers = zip(
            *(self.baseline_score, self.score, self.difference, *self.interval, self.p, self.p_holm), strict=True
        )
        return Table(
            columns=(
                *("cell", "baseline", *self.battles.factors, kind, "baseline_score", "score"),
                *("difference", "low", "high", "p", "p_holm"),
                *(f"{name}_change{end}" for name in self.metrics for end in ("", "_low", "_high")),
            ),
            rows=[
                (
                    *(int(cell), int(baseline), *self.battles.levels(int(cell)), int(n)),
                    *(*map(plain, row), *map(plain, change)),
                )
                for cell, baseline, n, row, change in zip(
                    self.cells, self.baselines, self.n, numbers, changes, strict=True
                )
            ],
            title=f"{self.factor}: against {level_words(self.base)}, with {100 * self.level:g} % intervals",
        )

    def sentences(self) -> list[str]:
        """Say in words, for each other level, in how many cases the score rises or falls, and by how much."""
        side = side_words(self.battles.sides[0])
        told = []
        levels = np.array([level_words(self.battles.cells[cell][self.factor]) for cell in self.cells])
        for level in dict.fromkeys(levels.tolist()):
            here = levels == level
            sure = self.p_holm[here] <= 1 - self.level
            up, down = (int(np.sum(sure & (sign * self.difference[here] > 0))) for sign in (1, -1))
            total = int(np.sum(here))
            told.append(
                f"{level} in place of {level_words(self.base)}: the score of the {side} changes by"
                f" {_span(self.difference[here], 3)}. Of {total} case{'s' * (total > 1)} it rises in {up}, falls in"
                f" {down}, and the battles do not tell in {total - up - down}."
            )
            told += [
                f"  {name.replace('_', ' ')} (mean a battle): {_span(self.changes[here, i], 2)},"
                f" ±{np.max(self.change_interval.half_width[here, i]):.2f} at most."
                for i, name in enumerate(self.metrics)
            ]
        return told


def effects(battles: Battles, factor: str, *, metrics: Sequence[str] = (), level: float = 0.95) -> Effects:
    """Compare each level of a factor with its first one, in every case of the other factors.

    Parameters
    ----------
    battles : Battles
        The battles, of a whole or a partial result.
    factor : str
        The factor. Cells that are alike but for it are compared; cells without such a one are left out.
    metrics : sequence of str
        Columns whose mean differences are wanted too.
    level : float
        Confidence level of the intervals, between 0 and 1.

    Returns
    -------
    Effects
        With `.table()` and `.sentences()`.

    Raises
    ------
    InputError
        If there is no such factor or column, the factor has one level only, or `level` is out of range.

    Examples
    --------
    >>> data = {"cell": [0] * 4 + [1] * 4, "battle": [0, 1, 2, 3] * 2, "outcome": [0, 0, 1, 1, 0, 0, 0, 1]}
    >>> found = effects(Battles(data, [{"mud": 0}, {"mud": 3}], ("red", "blue"), ("red", "blue")), "mud")
    >>> print(found.difference.tolist(), *found.sentences())
    [0.25] 3 in place of 0: the score of the Red changes by +0.250. Of 1 case it rises in 0, falls in 0, and ... in 1.
    """
    if factor not in battles.factors:
        raise unknown("factor", factor, battles.factors)
    base = battles.cells[0][factor]
    cases: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for cell, levels in enumerate(battles.cells):
        cases[tuple(level_words(value) for key, value in levels.items() if key != factor)].append(cell)
    pairs = [
        (cell, baseline)
        for members in cases.values()
        for baseline in members
        if battles.cells[baseline][factor] == base
        for cell in members
        if cell != baseline
    ]
    if not pairs:
        raise InputError("has only one level: there is nothing to compare it with", key=factor)
    cells, baselines = np.array(pairs).T
    scores, _ = battles.score_matrix()
    found = differences(scores[cells], scores[baselines], battles.paired, level)
    changes, deviations, sizes = np.empty((3, len(cells), len(metrics)))
    for index, name in enumerate(metrics):
        values, _ = battles.matrix(battles.column(name))
        changes[:, index], deviations[:, index], sizes[:, index] = _changes(
            values[cells], values[baselines], battles.paired
        )
    return Effects(
        battles=battles,
        factor=factor,
        base=base,
        cells=cells,
        baselines=baselines,
        n=found.n,
        score=found.score,
        baseline_score=found.baseline_score,
        difference=found.difference,
        interval=found.interval,
        p=found.p,
        p_holm=holm(found.p),
        metrics=tuple(metrics),
        changes=changes,
        change_interval=mean_interval(changes, deviations, sizes, level),
        level=level,
    )


def _changes(values: FloatArray, baseline: FloatArray, paired: bool) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the mean differences of rows of values, their standard deviation and the size of the sample."""
    if paired:
        return _moments(values - baseline)
    (mean, deviation, n), (base_mean, base_deviation, base_n) = _moments(values), _moments(baseline)
    # Student's interval with the smaller sample's degrees of freedom is the cautious one of two samples.
    size = np.minimum(n, base_n)
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.sqrt(deviation**2 / n + base_deviation**2 / base_n)
    return mean - base_mean, error * np.sqrt(size), size


def _moments(values: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return mean, standard deviation and number of the present values of each row; NaN where there are too few."""
    n = np.count_nonzero(~np.isnan(values), axis=-1).astype(float)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.nansum(values, axis=-1) / n
        deviation = np.sqrt(np.nansum((values - mean[:, None]) ** 2, axis=-1) / (n - 1))
    return mean, deviation, n


def _span(values: FloatArray, digits: int) -> str:
    """Return the range of some differences in words."""
    low, high = f"{np.min(values):+.{digits}f}", f"{np.max(values):+.{digits}f}"
    return low if low == high else f"{low} to {high}"
