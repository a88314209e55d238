"""Figures: what they say, and that they are the same bytes each time."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from wargamesim.errors import InputError
from wargamesim.report.plots import distributions, heat_map

ROWS, COLUMNS = ["line", "funnel_behind_stakes"], ["charge", "all dismounted + advance", "wait"]
MATRIX = np.array([[0.5, 0.61, 0.2], [0.45, np.nan, 0.7]])


def texts(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts]


def test_a_heat_map_says_each_value_and_half_width() -> None:
    figure = heat_map(MATRIX, ROWS, COLUMNS, low=MATRIX - 0.02, high=MATRIX + 0.04)
    assert texts(figure) == ["0.50\n±0.03", "0.61\n±0.03", "0.20\n±0.03", "0.45\n±0.03", "0.70\n±0.03"]
    narrow = heat_map(MATRIX, ROWS, COLUMNS, low=MATRIX - 0.002, high=MATRIX + 0.002)
    assert texts(narrow)[0] == "0.500\n±0.002"
    assert texts(heat_map(MATRIX, ROWS, COLUMNS))[0] == "0.50"


@pytest.mark.parametrize("spread", [0.02, 0.4])
def test_the_colours_part_at_one_half(spread: float) -> None:
    figure = heat_map([[0.5 - spread, 0.5, 0.5 + spread / 2]], ["r"], ["a", "b", "c"])
    image = figure.axes[0].images[0]
    low, even, high = image.cmap(image.norm(image.get_array()))[0]
    assert low[0] > low[2]  # red: the column side does well
    assert high[2] > high[0]  # blue: the row side does
    assert even[0] == pytest.approx(even[2], abs=0.01)
    assert image.norm.vmin <= 0.4
    assert image.norm.vmax >= 0.6


def test_a_heat_map_is_labelled() -> None:
    figure = heat_map(
        MATRIX, ROWS, COLUMNS, title="A title", row_title="English", column_title="French", unit="score (win 1)"
    )
    axes, bar = figure.axes
    assert (axes.get_ylabel(), axes.get_xlabel(), bar.get_ylabel()) == ("English", "French", "score (win 1)")
    assert [label.get_text() for label in axes.get_yticklabels()] == ["line", "funnel behind stakes"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["charge", "all\ndismounted +\nadvance", "wait"]
    assert figure.get_suptitle() == "A title"


def test_labels_keep_clear_of_each_other() -> None:
    names = [f"a rather long deployment name {index}" for index in range(5)]
    figure = heat_map(np.full((5, 5), 0.5), names, names, row_title="English deployment", column_title="French")
    figure.draw_without_rendering()
    axes = figure.axes[0]
    boxes = [label.get_window_extent() for label in axes.get_xticklabels()]
    assert not any(left.overlaps(right) for left, right in pairwise(boxes))
    title = axes.yaxis.label.get_window_extent()
    assert not any(title.overlaps(label.get_window_extent()) for label in axes.get_yticklabels())
    cells = [text.get_window_extent() for text in axes.texts]
    assert not any(left.overlaps(right) for left, right in pairwise(cells))


def test_figures_are_saved_alike(tmp_path: Path) -> None:
    for name in ("first.png", "again.png"):
        heat_map(MATRIX, ROWS, COLUMNS, path=tmp_path / name)
    first = (tmp_path / "first.png").read_bytes()
    assert first.startswith(b"\x89PNG")
    assert first == (tmp_path / "again.png").read_bytes()
    distributions({"a": {"losses": [1, 2]}}, unit="pieces", path=tmp_path / "losses.png")
    assert (tmp_path / "losses.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("matrix", "options", "message"),
    [
        (MATRIX.T, {}, r"matrix: must have the shape \(2, 3\), but has \(3, 2\)"),
        (MATRIX + 0.5, {}, "matrix: must be scores from 0 to 1"),
        (MATRIX - 0.5, {}, "matrix: must be scores from 0 to 1"),
        (MATRIX, {"low": MATRIX, "high": MATRIX[:1]}, "high: must have the shape"),
    ],
)
def test_a_heat_map_refuses(matrix: np.ndarray, options: dict[str, np.ndarray], message: str) -> None:
    with pytest.raises(InputError, match=message):
        heat_map(matrix, ROWS, COLUMNS, **options)


def test_a_distribution_is_shares_by_whole_numbers() -> None:
    figure = distributions({"line": {"English": [3, 4, 4, 6], "French": [5] * 10}}, unit="losses (pieces)", title="T")
    english, french = figure.axes[0].containers
    assert [bar.get_height() for bar in english] == [25, 50, 0, 25]
    assert [bar.get_height() for bar in french] == [0, 0, 100, 0]
    assert [bar.get_x() + bar.get_width() / 2 for bar in english] == [3, 4, 5, 6]
    assert [line.get_xdata()[0] for line in figure.axes[0].lines] == [4, 5]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["English", "French"]
    assert (figure.get_supxlabel(), figure.get_supylabel()) == (
        "losses (pieces); dashed: median",
        "share of battles (%)",
    )


def test_wide_ranges_are_put_in_equal_whole_bars() -> None:
    figure = distributions({"line": {"turns": [0, 61]}}, unit="turns")
    bars = figure.axes[0].patches
    assert len(bars) <= 30
    assert {bar.get_width() for bar in bars} == {3}
    assert sum(bar.get_height() for bar in bars) == 100
    assert figure.get_supxlabel().endswith("bars of 3")
    assert not figure.legends


@pytest.mark.parametrize(("count", "grid"), [(1, 1), (3, 4), (5, 6), (7, 9)])
def test_panels_are_small_multiples_with_common_axes(count: int, grid: int) -> None:
    figure = distributions({f"cell {n}": {"turns": [n, n + 1]} for n in range(count)}, unit="turns")
    shown = [axes for axes in figure.axes if axes.get_visible()]
    assert (len(figure.axes), len(shown)) == (grid, count)
    assert [axes.get_title() for axes in shown] == [f"cell {n}" for n in range(count)]
    assert len({(axes.get_xlim(), axes.get_ylim()) for axes in shown}) == 1


@pytest.mark.parametrize(
    "panels", [{}, {"a": {}}, {"a": {"losses": []}}, {"a": {"losses": [0.5]}}, {"a": {"losses": [[1]]}}]
)
def test_distributions_refuse(panels: dict[str, dict[str, list[float]]]) -> None:
    with pytest.raises(InputError, match="must be"):
        distributions(panels, unit="pieces")


def test_pyplot_is_never_loaded() -> None:
    code = (
        "import sys; from wargamesim.report.plots import distributions, heat_map;"
        "heat_map([[0.5]], ['a'], ['b']); distributions({'a': {'b': [1]}}, unit='c');"
        "assert 'matplotlib.figure' in sys.modules; assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[1], check=True)
