"""Figures: a matrix of scores as a heat map, and the distributions of losses and lengths.

Matplotlib is used through its object API: a `Figure` draws itself to a file with no window, no global state and no
`pyplot`, which would be slow to import and would pick a backend.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from math import ceil, sqrt
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from wargamesim.errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EVEN = 0.5  # the score of a balanced battle, where the colours part
BINS = 30  # a panel shows at most so many bars
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")  # Okabe and Ito: told apart by the colour-blind

ENDINGS = (".png", ".svg", ".pdf")  # the kinds of file


def check_path(path: Path) -> None:
    """Check where a figure is to be saved, before anything is computed for it.

    Raises
    ------
    InputError
        If the ending is none of `ENDINGS`, or the folder does not exist.

    Examples
    --------
    >>> check_path(Path("map.gif"))
    Traceback (most recent call last):
    ...
    wargamesim.errors.InputError: map.gif: must end in .png, .svg, .pdf, not '.gif'
    """
    if path.suffix not in ENDINGS:
        raise InputError(f"must end in {', '.join(ENDINGS)}, not '{path.suffix}'", file=str(path))
    if not path.parent.is_dir():
        raise InputError("is no folder", file=str(path.parent))


def heat_map(
    matrix: ArrayLike,
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    low: ArrayLike | None = None,
    high: ArrayLike | None = None,
    title: str = "",
    row_title: str = "",
    column_title: str = "",
    unit: str = "score",
    path: Path | None = None,
) -> Figure:
    """Draw a matrix of scores: blue where the row side does well, red where the column side does.

    Parameters
    ----------
    matrix : array_like, shape (rows, columns)
        Scores from 0 to 1; NaN leaves a cell empty.
    rows, columns : sequences of str
        Names of the choices.
    low, high : array_like, shape (rows, columns), optional
        Limits of each score's interval; the half-width is written under the score.
    title, row_title, column_title : str
        Titles of the figure and of its axes.
    unit : str
        What the colour bar measures, like 'score of the English (win 1, draw 1/2)'.
    path : Path, optional
        Where to save it; the ending says how (.png, .svg, .pdf).

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    InputError
        If the shapes do not fit, or a score is not from 0 to 1.

    Examples
    --------
    >>> figure = heat_map([[0.7, 0.4]], ["line"], ["charge", "wait"], title="Deployments")
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['0.70', '0.40']
    """
    from matplotlib import colormaps
    from matplotlib.colors import CenteredNorm
    from matplotlib.figure import Figure

    scores = _shaped(matrix, "matrix", (len(rows), len(columns)))
    if not scores.size or np.nanmin(scores) < 0 or np.nanmax(scores) > 1:
        raise InputError("must be scores from 0 to 1", key="matrix")
    half = np.full(scores.shape, np.nan)
    if low is not None and high is not None:
        half = (_shaped(high, "high", scores.shape) - _shaped(low, "low", scores.shape)) / 2

    figure = Figure(figsize=(4 + 1.15 * len(columns), 2.2 + 0.75 * len(rows)), layout="constrained", dpi=150)
    axes = figure.add_subplot()
    # A nearly balanced matrix stays pale, and the darkest ends of the colours stay unused.
    norm = CenteredNorm(vcenter=EVEN, halfrange=max(0.1, 1.15 * float(np.nanmax(np.abs(scores - EVEN)))))
    digits = 3 if np.any(half < 0.01) else 2
    colours = colormaps["RdBu"]
    image = axes.imshow(scores, cmap=colours, norm=norm, aspect="auto")
    for (row, column), score in np.ndenumerate(scores):
        if np.isnan(score):
            continue
        red, green, blue, _ = colours(float(norm(score)))
        dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.5
        width = "" if np.isnan(half[row, column]) else f"\n±{half[row, column]:.{digits}f}"
        ink = "white" if dark else "black"
        axes.text(column, row, f"{score:.{digits}f}{width}", ha="center", va="center", color=ink, linespacing=1.4)
    axes.set_xticks(range(len(columns)), [wrapped(name, 13) for name in columns])
    axes.set_yticks(range(len(rows)), [wrapped(name, 22) for name in rows])
    axes.tick_params(length=0)
    axes.set_xticks(np.arange(0.5, len(columns) - 1), minor=True)
    axes.set_yticks(np.arange(0.5, len(rows) - 1), minor=True)
    axes.grid(which="minor", color="white", linewidth=2)
    axes.tick_params(which="minor", length=0)
    axes.spines[:].set_visible(False)
    axes.set_xlabel(column_title)
    axes.set_ylabel(row_title)
    figure.suptitle(wrapped(title, 24 + 11 * len(columns)), fontweight="bold")
    bar = figure.colorbar(image, ax=axes, label=unit)
    bar.outline.set_visible(False)
    bar.ax.axhline(EVEN, color="black", linewidth=0.8)
    if path is not None:
        figure.savefig(path)
    return figure


def distributions(
    panels: Mapping[str, Mapping[str, ArrayLike]], *, unit: str, title: str = "", path: Path | None = None
) -> Figure:
    """Draw distributions of whole numbers, like losses or turns, as small multiples with common axes.

    Parameters
    ----------
    panels : mapping of str to mapping of str to array_like
        Panel (a cell) -> series (a side) -> one integer a battle. Every panel has the same series.
    unit : str
        What the numbers count, like 'losses (pieces)'.
    title : str
        Title of the figure.
    path : Path, optional
        Where to save it; the ending says how (.png, .svg, .pdf).

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    InputError
        If there is nothing to draw, or a series is empty or not of integers.

    Examples
    --------
    >>> figure = distributions({"line": {"length": [7, 8, 8, 9]}}, unit="length (turns)")
    >>> [round(float(patch.get_height())) for patch in figure.axes[0].patches]
    [25, 50, 25]
    """
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    samples = {
        panel: {name: _integers(values, f"{panel}, {name}") for name, values in series.items()}
        for panel, series in panels.items()
    }
    every = [values for series in samples.values() for values in series.values()]
    if not every:
        raise InputError("there must be at least one panel with one series", key="panels")
    least, most = min(int(values.min()) for values in every), max(int(values.max()) for values in every)
    width = ceil((most - least + 1) / BINS)
    edges = np.arange(least, most + width + 1, width) - 0.5
    names = list(next(iter(samples.values())))

    across = ceil(sqrt(len(samples)))
    down = ceil(len(samples) / across)
    figure = Figure(figsize=(1.6 + 2.3 * across, 1.8 + 1.7 * down), layout="constrained", dpi=150)
    grid = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False)
    for axes, (panel, series) in zip(grid.flat, samples.items(), strict=False):
        for colour, (name, values) in zip(_colours(len(series)), series.items(), strict=True):
            shares = 100 * np.histogram(values, edges)[0] / values.size
            axes.bar(edges[:-1], shares, width, align="edge", color=colour, alpha=0.55, label=name)
            axes.axvline(float(np.median(values)), color=colour, linewidth=1.2, linestyle="--")
        axes.set_title(wrapped(panel, 30), fontsize="small")
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(labelsize="small")
    for axes in grid.flat[len(samples) :]:
        axes.set_visible(False)
    for column in range(across):  # the lowest panel of each column carries the numbers
        lowest = grid[(len(samples) - 1 - column) // across, column]
        lowest.tick_params(labelbottom=True)
    figure.supxlabel(f"{unit}; dashed: median" + (f"; bars of {width}" if width > 1 else ""), fontsize="medium")
    figure.supylabel("share of battles (%)", fontsize="medium")
    if len(names) > 1:
        keys = [Patch(color=colour, alpha=0.55) for colour in _colours(len(names))]
        figure.legend(keys, names, loc="outside upper right", ncols=len(names), frameon=False)
    figure.suptitle(title, fontweight="bold")
    if path is not None:
        figure.savefig(path)
    return figure


def _shaped(values: ArrayLike, key: str, shape: tuple[int, ...]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    array = np.asarray(values, dtype=float)
    if array.shape != shape:
        raise InputError(f"must have the shape {shape}, but has {array.shape}", key=key)
    return array


def _integers(values: ArrayLike, key: str) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    array = np.asarray(values)
    if array.ndim != 1 or not array.size or array.dtype.kind not in "iu":
        raise InputError("must be a list of at least one integer", key=key)
    return array.astype(np.int64)


def _colours(count: int) -> list[str]:
    return [COLOURS[index % len(COLOURS)] for index in range(count)]


def wrapped(text: str, width: int) -> str:
    """Break a name into lines; names of several words are often joined by underscores."""
    return textwrap.fill(text.replace("_", " "), width)
