"""A zero-sum matrix game: its value, both mixed strategies, saddle points, dominated choices.

The row player picks a row in secret, the column player a column, and the entry is what the row player receives. A mixed
strategy is a probability for each choice; at the equilibrium neither side gains by changing alone [1]_. A game may have
several equilibria: they share the value, and one is reported.

References
----------
.. [1] J. von Neumann, "Zur Theorie der Gesellschaftsspiele", Mathematische Annalen 100 (1928), 295-320.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from wargamesim.errors import InputError
from wargamesim.study.intervals import FloatArray

TOLERANCE = 1e-9  # on payoffs scaled to 0..1: a probability below it is what only rounding put above zero


class Solution(NamedTuple):
    """Equilibrium of a matrix game: its value and both mixed strategies, shapes (), (rows,) and (columns,)."""

    value: float
    row: FloatArray
    column: FloatArray


def solve(matrix: ArrayLike) -> Solution:
    """Solve a zero-sum matrix game.

    A game with a saddle point gets pure strategies, the first such pair; any other is solved as a linear program by
    HiGHS (`scipy.optimize.linprog`), whose dual is the column player's strategy.

    Parameters
    ----------
    matrix : array_like, shape (rows, columns)
        What the row player receives from the column player; any finite numbers.

    Returns
    -------
    Solution
        The value in the unit of `matrix`, and one equilibrium.

    Raises
    ------
    InputError
        If `matrix` is not a non-empty matrix of finite numbers.

    Examples
    --------
    >>> value, row, column = solve([[3, 0], [1, 2]])
    >>> round(value, 6), row.round(6).tolist(), column.round(6).tolist()
    (1.5, [0.25, 0.75], [0.5, 0.5])
    """
    game = _matrix(matrix)
    if saddles := saddle_points(game):
        row, column = saddles[0]
        return Solution(float(game[row, column]), np.eye(game.shape[0])[row], np.eye(game.shape[1])[column])
    rows, columns = _maximin((game - game.min()) / np.ptp(game))
    return Solution(float(rows @ game @ columns), rows, columns)


def saddle_points(matrix: ArrayLike) -> tuple[tuple[int, int], ...]:
    """Find the entries that are least in their row and greatest in their column: equilibria in pure strategies.

    Parameters
    ----------
    matrix : array_like, shape (rows, columns)
        What the row player receives.

    Returns
    -------
    tuple of (row, column)
        In reading order; empty if there is none.

    Examples
    --------
    >>> saddle_points([[4, 2, 3], [1, 0, 5]])
    ((0, 1),)
    """
    game = _matrix(matrix)
    least, greatest = game == game.min(axis=1, keepdims=True), game == game.max(axis=0)
    return tuple((int(row), int(column)) for row, column in np.argwhere(least & greatest))


def dominated(matrix: ArrayLike) -> dict[int, int]:
    """Find the rows than which another row is never worse and somewhere better.

    Parameters
    ----------
    matrix : array_like, shape (rows, columns)
        What the row player receives. For the column player pass `-matrix.T`.

    Returns
    -------
    dict of int to int
        Dominated row -> the first row that dominates it.

    Examples
    --------
    >>> dominated([[4, 2, 3], [1, 2, 3], [5, 0, 0]])
    {1: 0}
    """
    game = _matrix(matrix)
    never_worse = np.all(game[:, None] <= game[None], axis=2)
    by = never_worse & ~never_worse.T
    return {int(row): int(np.argmax(by[row])) for row in np.flatnonzero(by.any(axis=1))}


def _maximin(game: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the row player's mixed strategy that makes the least expected payoff greatest, and the dual strategy."""
    from scipy.optimize import linprog

    rows, columns = game.shape
    found = linprog(  # unknowns: the probabilities, then the value, which is maximised
        c=np.append(np.zeros(rows), -1),
        A_ub=np.column_stack([-game.T, np.ones(columns)]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0)[None],
        b_eq=[1],
        bounds=[(0, None)] * rows + [(None, None)],
        method="highs",
    )
    if found.x is None:
        raise RuntimeError(f"a matrix game always has a solution, but HiGHS says: {found.message}")
    return _probabilities(found.x[:rows]), _probabilities(-found.ineqlin.marginals)


def _probabilities(weights: FloatArray) -> FloatArray:
    """Scale weights to sum to 1; what only rounding put above (or below) 0 becomes 0."""
    shares = weights / weights.sum()
    shares = np.where(shares > TOLERANCE, shares, 0)
    return np.asarray(shares / shares.sum())


def _matrix(matrix: ArrayLike) -> FloatArray:
    game = np.asarray(matrix, dtype=float)
    if game.ndim != 2 or not game.size or not np.all(np.isfinite(game)):
        raise InputError("must be a non-empty matrix of finite numbers", key="matrix")
    return game
