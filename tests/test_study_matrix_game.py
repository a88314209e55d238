"""Matrix games: textbook games, the minimax theorem, saddle points, dominated choices."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from wargamesim.errors import InputError
from wargamesim.study.matrix_game import dominated, saddle_points, solve

shapes = st.tuples(st.integers(1, 5), st.integers(1, 5))
# Small integers make ties, saddle points and degenerate corners; floats make the general case.
games = st.one_of(
    arrays(float, shapes, elements=st.integers(-2, 2).map(float)),
    arrays(float, shapes, elements=st.floats(0, 1, width=32)),
)


@pytest.mark.parametrize(
    ("matrix", "value", "row", "column"),
    [
        ([[1, -1], [-1, 1]], 0, [1 / 2, 1 / 2], [1 / 2, 1 / 2]),  # matching pennies
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0, [1 / 3] * 3, [1 / 3] * 3),  # rock, paper, scissors
        ([[0, -1, 2], [1, 0, -1], [-2, 1, 0]], 0, [1 / 4, 1 / 2, 1 / 4], [1 / 4, 1 / 2, 1 / 4]),  # stones count double
        ([[3, 0], [1, 2]], 1.5, [1 / 4, 3 / 4], [1 / 2, 1 / 2]),
        ([[4, 2, 3], [1, 0, 5]], 2, [1, 0], [0, 1, 0]),  # a saddle point
        ([[2, 3, 11], [7, 5, 2]], 49 / 11, [3 / 11, 8 / 11], [0, 9 / 11, 2 / 11]),  # 2 x 3
        ([[1, 5], [4, 4], [6, 2]], 4, [0, 1, 0], [1 / 2, 1 / 2]),  # 3 x 2: the second row is safe, no column is
        ([[0.25, 0.25], [0.25, 0.25]], 0.25, [1, 0], [1, 0]),  # constant: the first saddle point
        ([[3, 0, 3], [1, 2, 3], [0, 0, 0]], 1.5, [1 / 4, 3 / 4, 0], [1 / 2, 1 / 2, 0]),  # dominated choices
        ([[0.7]], 0.7, [1], [1]),
    ],
)
def test_textbook_games(matrix: list[list[float]], value: float, row: list[float], column: list[float]) -> None:
    solution = solve(matrix)
    assert solution.value == pytest.approx(value, abs=1e-12)
    np.testing.assert_allclose(solution.row, row, rtol=0, atol=1e-9)
    if matrix[0] != [1, 5]:
        np.testing.assert_allclose(solution.column, column, rtol=0, atol=1e-9)


def assert_equilibrium(game: NDArray[np.float64], value: float, row: NDArray[np.float64], column: NDArray[np.float64]):
    """Neither side gains by changing alone: the definition, which leaves no other value."""
    scale = max(1.0, np.ptp(game))
    for strategy in (row, column):
        assert np.all(strategy >= 0)
        assert strategy.sum() == pytest.approx(1, abs=1e-12)
    assert np.all(row @ game >= value - 1e-8 * scale)
    assert np.all(game @ column <= value + 1e-8 * scale)


@given(games)
def test_the_minimax_theorem(game: NDArray[np.float64]) -> None:
    value, row, column = solve(game)
    assert_equilibrium(game, value, row, column)
    pure_row, pure_column = game.min(axis=1).max(), game.max(axis=0).min()
    assert pure_row - 1e-9 <= value <= pure_column + 1e-9
    assert bool(saddle_points(game)) == (pure_row == pure_column)
    assert solve(-game.T).value == pytest.approx(-value, abs=1e-8)


@given(games, st.randoms(use_true_random=False), st.floats(0.1, 10), st.floats(-5, 5))
def test_order_and_scale_do_not_matter(game: NDArray[np.float64], random: object, scale: float, shift: float) -> None:
    rows, columns = list(range(game.shape[0])), list(range(game.shape[1]))
    random.shuffle(rows)  # type: ignore[attr-defined]
    random.shuffle(columns)  # type: ignore[attr-defined]
    value = solve(game).value
    assert solve(game[rows][:, columns]).value == pytest.approx(value, abs=1e-8)
    assert solve(scale * game + shift).value == pytest.approx(scale * value + shift, abs=1e-7)


@given(games)
def test_dominated_choices_are_not_needed(game: NDArray[np.float64]) -> None:
    worse = dominated(game)
    for row, by in worse.items():
        assert np.all(game[row] <= game[by])
        assert np.any(game[row] < game[by])
    kept = [row for row in range(len(game)) if row not in worse]
    assert solve(game[kept]).value == pytest.approx(solve(game).value, abs=1e-8)
    for row, by in product(kept, range(len(game))):
        assert np.any(game[row] > game[by]) or np.all(game[row] == game[by])


def test_saddle_points_are_all_named() -> None:
    assert saddle_points([[1, 1, 2], [0, 1, 3]]) == ((0, 0), (0, 1))
    assert saddle_points([[1, 0], [0, 1]]) == ()


@pytest.mark.parametrize("matrix", [[], [[]], [1, 2], [[np.nan]], [[np.inf, 1]]])
def test_no_matrix(matrix: list[object]) -> None:
    with pytest.raises(InputError, match="matrix: must be a non-empty matrix of finite numbers"):
        solve(matrix)
