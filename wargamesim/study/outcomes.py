"""How the battles of each cell ended: shares of the outcomes, score of the first side, means of the metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wargamesim.errors import InputError, unknown
from wargamesim.study.intervals import FloatArray, IntArray, Interval, mean_interval, wilson
from wargamesim.table import Table

if TYPE_CHECKING:
    import pandas as pd

NO_DECISION = "no_decision"


@dataclass(frozen=True)
class Battles:
    """The battles of an experiment, as a study needs them.

    Parameters
    ----------
    data : DataFrame or mapping of columns
        One row a battle: `cell`, `battle` (its number in the cell) and `outcome` (index into `outcomes`), all
        integers, and a column for each metric. A partial result may lack battles, in any cell.
    cells : sequence of mappings
        The levels of each cell: factor -> level, all with the same factors. The index is the cell's number.
    outcomes : sequence of str
        Names of the outcomes. A side's own name means that it won; any other outcome counts one half for both.
    sides : pair of str
        First and second side; scores are those of the first.
    paired : bool
        Whether battles of the same number rolled the same dice in all cells (common random numbers).

    Raises
    ------
    InputError
        If a column is missing, or a number in it names no cell or no outcome.

    Examples
    --------
    >>> data = {"cell": [0, 0, 1, 1], "battle": [0, 1, 0, 1], "outcome": [0, 2, 1, 1]}
    >>> battles = Battles(data, [{"mud": 0}, {"mud": 3}], ("english", "french", "draw"), ("english", "french"))
    >>> battles.scores().tolist()
    [1.0, 0.5, 0.0, 0.0]
    """

    data: pd.DataFrame | Mapping[str, Any]
    cells: Sequence[Mapping[str, object]]
    outcomes: Sequence[str]
    sides: tuple[str, str]
    paired: bool = True

    def __post_init__(self) -> None:
        if not self.cells:
            raise InputError("there must be at least one cell", key="cells")
        for side in self.sides:
            if side not in self.outcomes:
                raise unknown("outcome", side, self.outcomes, key="sides")
        for key, names in (("cell", self.cells), ("outcome", self.outcomes)):
            numbers = self.integers(key)
            if numbers.size and not 0 <= numbers.min() <= numbers.max() < len(names):
                wrong = numbers.min() if numbers.min() < 0 else numbers.max()
                raise InputError(f"numbers must be 0 to {len(names) - 1}, but one is {wrong}", key=key)

    @property
    def factors(self) -> tuple[str, ...]:
        """Names of the factors."""
        return tuple(self.cells[0])

    def column(self, name: str) -> NDArray[Any]:
        """Return a column as an array of shape (rows,)."""
        if name not in self.data:
            raise unknown("column", name, map(str, self.data))
        return np.asarray(self.data[name])

    def integers(self, name: str) -> IntArray:
        """Return a column of integers, shape (rows,)."""
        values = self.column(name)
        if values.size and values.dtype.kind not in "iu":
            raise InputError("must be a column of integers", key=name)
        return values.astype(np.int64)

    def scores(self) -> FloatArray:
        """Return the first side's score in each row, shape (rows,): 1 won, 0 lost, one half otherwise."""
        values = {self.sides[0]: 1.0, self.sides[1]: 0.0}
        points = np.array([values.get(name, 0.5) for name in self.outcomes])
        return np.asarray(points[self.integers("outcome")])

    def score_matrix(self) -> tuple[FloatArray, IntArray]:
        """Return the scores as a matrix, and the battle numbers of its columns, as `matrix` does.

        Examples
        --------
        >>> data = {"cell": [0, 0, 1], "battle": [4, 7, 7], "outcome": [0, 1, 0]}
        >>> scores, numbers = Battles(data, [{}, {}], ("red", "blue"), ("red", "blue")).score_matrix()
        >>> numbers.tolist(), scores.tolist()
        ([4, 7], [[1.0, 0.0], [nan, 1.0]])
        """
        return self.matrix(self.scores())

    def matrix(self, values: ArrayLike) -> tuple[FloatArray, IntArray]:
        """Return a value of each battle as a matrix, and the battle numbers of its columns.

        Parameters
        ----------
        values : array_like, shape (rows,)
            One for each row of the data.

        Returns
        -------
        values : float array, shape (cells, battles)
            NaN where a cell lacks a battle.
        numbers : int array, shape (battles,)
            Every battle number that occurs, in rising order.

        Raises
        ------
        InputError
            If a battle occurs twice in a cell.
        """
        cell, battle = self.integers("cell"), self.integers("battle")
        numbers, place = np.unique(battle, return_inverse=True)
        placed = np.full((len(self.cells), len(numbers)), np.nan)
        placed[cell, place] = values
        if np.count_nonzero(~np.isnan(placed)) != cell.size:
            pairs, times = np.unique(np.stack([cell, battle]), axis=1, return_counts=True)
            wrong = pairs[:, times > 1][:, 0]
            raise InputError(f"battle {wrong[1]} of cell {wrong[0]} occurs more than once", key="battle")
        return placed, numbers

    def label(self, cell: int) -> str:
        """Return a cell's levels in words, like 'mud=3, english.deployment=line'."""
        levels = (f"{factor}={level_words(level)}" for factor, level in self.cells[cell].items())
        return ", ".join(levels) or "the only cell"

    def levels(self, cell: int) -> tuple[object, ...]:
        """Return a cell's levels as entries of a table row, in the order of `factors`."""
        return tuple(self.cells[cell].values())


@dataclass(frozen=True)
class Outcomes:
    """How the battles of each cell ended.

    Attributes
    ----------
    battles : Battles
        What was counted.
    n : int array, shape (cells,)
        Battles fought.
    counts, shares : arrays, shape (cells, outcomes)
        Battles with each outcome, and their share of `n` (NaN where n = 0).
    share_interval : Interval of shape (cells, outcomes)
        Wilson's interval of each share.
    score, score_interval : array and Interval of shape (cells,)
        Mean score of the first side, and Wilson's interval, which draws make conservative.
    metrics : tuple of str
        Names of the metrics.
    means, mean_interval : array and Interval of shape (cells, metrics)
        Mean of each metric and Student's interval, in the metric's unit.
    level : float
        Confidence level of all intervals, each on its own.
    """

    battles: Battles
    n: IntArray
    counts: IntArray
    shares: FloatArray
    share_interval: Interval
    score: FloatArray
    score_interval: Interval
    metrics: tuple[str, ...]
    means: FloatArray
    mean_interval: Interval
    level: float

    def table(self) -> Table:
        """Return one row a cell; an entry is None where there are no battles."""
        names = [*self.battles.outcomes, "score", *self.metrics]
        values = np.column_stack([self.shares, self.score, self.means])
        low, high = (
            np.column_stack([of_share, of_score, of_mean])
            for of_share, of_score, of_mean in zip(
                self.share_interval, self.score_interval, self.mean_interval, strict=True
            )
        )
        numbers = np.stack([values, low, high], axis=-1).reshape(len(self.n), -1)
        return Table(
            columns=(
                *("cell", *self.battles.factors, "battles"),
                *(name + part for name in names for part in ("", "_low", "_high")),
            ),
            rows=[
                (cell, *self.battles.levels(cell), int(n), *map(plain, numbers[cell])) for cell, n in enumerate(self.n)
            ],
            title=f"Outcomes by cell, with {100 * self.level:g} % intervals",
            notes=self._notes(),
        )

    def short_table(self) -> Table:
        """Return the same to be read: each entry a value and the half-width of its interval."""
        names = (*self.battles.outcomes, "score", *self.metrics)
        values = np.column_stack([self.shares, self.score, self.means])
        parts = (self.share_interval, self.score_interval, self.mean_interval)
        half = np.column_stack([part.half_width for part in parts])
        digits = [3] * (values.shape[1] - len(self.metrics)) + [2] * len(self.metrics)
        return Table(
            columns=("cell", *self.battles.factors, "battles", *names),
            rows=[
                (
                    *(cell, *self.battles.levels(cell), int(n)),
                    *(
                        f"{value:.{d}f} ±{h:.{d}f}"
                        for value, h, d in zip(values[cell], half[cell], digits, strict=True)
                    ),
                )
                for cell, n in enumerate(self.n)
            ],
            title=f"Outcomes by cell, ± the half-width of {100 * self.level:g} % intervals",
            notes=self._notes(),
        )

    def _notes(self) -> tuple[str, ...]:
        first = side_words(self.battles.sides[0])
        notes = [f"score: that of the {first}; a win counts 1, every outcome without a winner one half."]
        if NO_DECISION in self.battles.outcomes:
            undecided = self.counts[:, self.battles.outcomes.index(NO_DECISION)]
            if np.any(undecided):
                notes.append(
                    f"{undecided.sum()} of {self.n.sum()} battles came to no decision; "
                    "they count one half in the score and are no draws."
                )
        return tuple(notes)


def outcome_table(battles: Battles, *, metrics: Sequence[str] = (), level: float = 0.95) -> Outcomes:
    """Count how the battles of each cell ended.

    Parameters
    ----------
    battles : Battles
        The battles, of a whole or a partial result.
    metrics : sequence of str
        Columns whose means are wanted, like losses and length.
    level : float
        Confidence level of the intervals, between 0 and 1.

    Returns
    -------
    Outcomes
        With `.table()`.

    Raises
    ------
    InputError
        If a metric is no column, or `level` is out of range.

    Examples
    --------
    >>> data = {"cell": [0, 0, 0, 0], "battle": [0, 1, 2, 3], "outcome": [0, 0, 1, 2], "losses": [9, 7, 12, 8]}
    >>> battles = Battles(data, [{}], ("red", "blue", "draw"), ("red", "blue"))
    >>> result = outcome_table(battles, metrics=["losses"])
    >>> result.shares.tolist(), result.score.tolist(), result.means.tolist()
    ([[0.5, 0.25, 0.25]], [0.625], [[9.0]])
    """
    size, kinds = len(battles.cells), len(battles.outcomes)
    cell = battles.integers("cell")
    counts = np.bincount(cell * kinds + battles.integers("outcome"), minlength=size * kinds).reshape(size, kinds)
    n = counts.sum(axis=1)
    points = np.bincount(cell, weights=battles.scores(), minlength=size)
    known = np.where(n == 0, np.nan, n)
    means, deviations = np.empty((size, len(metrics))), np.empty((size, len(metrics)))
    for index, metric in enumerate(metrics):
        values = battles.column(metric).astype(float)
        means[:, index] = np.bincount(cell, weights=values, minlength=size) / known
        squares = np.bincount(cell, weights=(values - means[cell, index]) ** 2, minlength=size)
        deviations[:, index] = np.sqrt(squares / np.maximum(n - 1, 1))
    return Outcomes(
        battles=battles,
        n=n.astype(np.int64),
        counts=counts.astype(np.int64),
        shares=counts / known[:, None],
        share_interval=wilson(counts, n[:, None], level),
        score=points / known,
        score_interval=wilson(points, n, level),
        metrics=tuple(metrics),
        means=means,
        mean_interval=mean_interval(means, deviations, n[:, None], level),
        level=level,
    )


def plain(value: object) -> object:
    """Return a value as an entry of a table: no NumPy scalar, and None for NaN.

    Examples
    --------
    >>> plain(np.float64(0.5)), plain(np.nan), plain("line")
    (0.5, None, 'line')
    """
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and np.isnan(value) else value


def level_words(level: object) -> str:
    """Return a level in words; a list of numbers is written with spaces.

    Examples
    --------
    >>> level_words([4, 5, 6]), level_words("line")
    ('4 5 6', 'line')
    """
    return " ".join(map(str, level)) if isinstance(level, list | tuple) else str(level)


def side_words(side: str) -> str:
    """Return a side's name as prose has it.

    Examples
    --------
    >>> side_words("new_model_army"), side_words("english")
    ('New model army', 'English')
    """
    return side.replace("_", " ").capitalize()


def percent(share: float) -> str:
    """Return a share in percent, as prose has it.

    Examples
    --------
    >>> percent(0.62), percent(0.004), percent(0.996), percent(1.0)
    ('62 %', 'under 1 %', 'over 99 %', '100 %')
    """
    if 0 < share < 0.005:
        return "under 1 %"
    if 0.995 <= share < 1:
        return "over 99 %"
    return f"{100 * share:.0f} %"
