"""Draw an answer of `odds`: lines over the number that was varied, or bars where only names were.

Every measure has a panel of its own where several lines or bars stand in it; else measures of about the same size share
one. Of two answers, the one before the change is dashed, or pale.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wargamesim.errors import InputError
from wargamesim.report.against import NOISE, Columns, Row, numeric_columns, rows_by_key, split_columns
from wargamesim.report.plots import COLOURS, wrapped
from wargamesim.report.tables import words
from wargamesim.table import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_LINES = 12
MOST_BARS = 40
SAME_SIZE = 6  # measures whose largest values differ by no more than this factor share a panel
MARKERS = "os^Dvp"
BEFORE = ("pale: before the change", "dashed: before the change")  # of bars, of lines


def draw(answer: Table, before: Table | None = None, *, path: Path | None = None) -> Figure:
    """Draw an answer, and the one before the change if there is one.

    Parameters
    ----------
    answer, before : Table
        Answers to the same question.
    path : Path, optional
        Where to save the figure; the ending says how (.png, .svg, .pdf).

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    InputError
        If no measure is a number, or there would be too many lines or bars to read.

    Examples
    --------
    >>> figure = draw(Table(("distance (cm)", "hit"), [(10, 0.5), (20, 0.25)], title="One shot"))
    >>> figure.axes[0].get_xlabel(), figure.axes[0].lines[0].get_ydata()
    ('distance (cm)', array([0.5 , 0.25]))
    """
    tables = [answer] if before is None else [answer, before]
    columns, numeric = split_columns(*tables), numeric_columns(*tables)
    answers = [rows_by_key(table, columns) for table in tables]
    keys = list(dict.fromkeys(key for rows in answers for key in rows))
    measures = [name for name in columns.measures if name in numeric]
    if not measures:
        raise InputError("the answer has no number to draw", key="--plot")
    varied = {
        name: values
        for index, name in enumerate(columns.keys)
        if len(values := list(dict.fromkeys(key[index] for key in keys))) > 1
    }
    numbers = [name for name in varied if name in numeric]
    if numbers:
        over = max(numbers, key=lambda name: len(varied[name]))
        figure = _lines(columns, answers, keys, measures, over, varied)
    else:
        figure = _bars(columns, answers, keys, measures, varied)
    title = wrapped(answer.title, int(9 * figure.get_figwidth()))
    figure.suptitle(title if before is None else f"{title}\n{BEFORE[bool(numbers)]}", fontweight="bold")
    if path is not None:
        figure.savefig(path)
    return figure


def _lines(
    columns: Columns,
    answers: Sequence[Mapping[Row, Row]],
    keys: Sequence[Row],
    measures: Sequence[str],
    over: str,
    varied: Mapping[str, list[Any]],
) -> Figure:
    """Draw a line over a number for each combination of the other keys."""
    from matplotlib.ticker import MaxNLocator

    others = [columns.keys.index(name) for name in varied if name != over]
    at = columns.keys.index(over)
    series: dict[tuple[Any, ...], list[Row]] = {}
    for key in keys:
        series.setdefault((*(key[index] for index in others), key[-1]), []).append(key)
    if len(series) > MOST_LINES:
        raise _too_many(len(series), "lines", MOST_LINES, {name: varied[name] for name in varied if name != over})
    several = len(series) > 1
    panels = [[name] for name in measures] if several else _by_size(columns, answers, measures)
    figure, grid = _figure(panels)
    for axes, names in zip(grid, panels, strict=True):
        styles = iter(range(len(series) * len(names)))
        for combination, members in series.items():
            for name in names:
                style = next(styles)
                place = columns.measures.index(name)
                label = ", ".join(map(words, combination[:-1])) if several else name
                for which, rows in enumerate(answers):
                    points = sorted((key[at], _height(rows, key, place)) for key in members)
                    axes.plot(
                        *zip(*points, strict=True),
                        color=COLOURS[style % len(COLOURS)],
                        marker=MARKERS[(style // len(COLOURS)) % len(MARKERS)],
                        linestyle="--" if which else "-",
                        markerfacecolor="white" if which else None,
                        markersize=3.5 if len(points) <= 40 else 0,
                        linewidth=1.3,
                        label="_before" if which else label,
                    )
        axes.set_xlabel(over)
        axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        if len(names) == 1:
            axes.set_title(names[0], fontsize="medium")
        _scale(axes.set_ylim, axes.set_ylabel, columns, answers, names)
        axes.grid(color="0.9")
        axes.spines[["top", "right"]].set_visible(False)
        if len(names) > 1:
            axes.legend(frameon=False, fontsize="small")
    if several:
        title = ", ".join(columns.keys[index] for index in others)
        lines = grid[0].get_legend_handles_labels()
        figure.legend(*lines, title=title or None, loc="outside right upper", frameon=False, fontsize="small")
    return figure


def _bars(
    columns: Columns,
    answers: Sequence[Mapping[Row, Row]],
    keys: Sequence[Row],
    measures: Sequence[str],
    varied: Mapping[str, list[Any]],
) -> Figure:
    """Draw a bar for each row, a panel for each measure."""
    from matplotlib.figure import Figure

    if len(keys) > MOST_BARS:
        raise _too_many(len(keys), "bars", MOST_BARS, varied)
    told = [columns.keys.index(name) for name in varied] or list(range(len(columns.keys)))
    labels = [wrapped(", ".join(words(key[index]) for index in told), 34) for key in keys]
    across = min(len(measures), 4)
    down = ceil(len(measures) / across)
    height = 1 + 0.22 * sum(label.count("\n") + 1 for label in labels)
    figure = Figure(figsize=(2.6 + 2.1 * across, 1 + height * down), layout="constrained", dpi=150)
    grid = list(figure.subplots(down, across, sharey=True, squeeze=False).flat)
    thick = 0.8 / len(answers)
    for axes, name in zip(grid, measures, strict=False):
        place = columns.measures.index(name)
        for which, rows in enumerate(answers):
            axes.barh(
                [index - 0.4 + thick * (which + 0.5) for index in range(len(keys))],
                [_height(rows, key, place) for key in keys],
                thick,
                color=COLOURS[0],
                alpha=0.35 if which else 0.9,
            )
        axes.set_title(name, fontsize="medium")
        _scale(axes.set_xlim, axes.set_xlabel, columns, answers, [name])
        axes.set_yticks(range(len(keys)), labels, fontsize="small")
        axes.set_ylim(len(keys) - 0.4, -0.6)
        axes.set_ylabel("")
        axes.grid(color="0.9", axis="x")
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
    for axes in grid[len(measures) :]:
        axes.set_visible(False)
    figure.supylabel(", ".join(columns.keys[index] for index in told), fontsize="medium")
    return figure


def _figure(panels: Sequence[Sequence[str]]) -> tuple[Figure, list[Axes]]:
    from matplotlib.figure import Figure

    across = min(len(panels), 3 if len(panels) != 4 else 2)
    down = ceil(len(panels) / across)
    size = (5.6, 3.6) if len(panels) == 1 else (3.3, 2.7)
    figure = Figure(figsize=(size[0] * across + 1, size[1] * down + 0.6), layout="constrained", dpi=150)
    grid = list(figure.subplots(down, across, squeeze=False).flat)
    for axes in grid[len(panels) :]:
        axes.set_visible(False)
    return figure, grid[: len(panels)]


def _by_size(columns: Columns, answers: Sequence[Mapping[Row, Row]], measures: Sequence[str]) -> list[list[str]]:
    """Share the measures out over panels: those from 0 to 1 in the first, of the rest those of about one size."""
    shares = [name for name in measures if _is_share(columns, answers, name)]
    panels = [shares] if shares else []
    sizes = {name: max(map(abs, _heights(columns, answers, name))) for name in measures if name not in shares}
    least = 0.0
    for name in sorted(sizes, key=sizes.__getitem__):
        if not least or sizes[name] > SAME_SIZE * least:
            panels.append([])
            least = sizes[name]
        panels[-1].append(name)
    return panels


def _scale(
    limit: Callable[[float, float], Any],
    label: Callable[[str], Any],
    columns: Columns,
    answers: Sequence[Mapping[Row, Row]],
    names: Sequence[str],
) -> None:
    """Give the axis of some measures its label, and a scale from 0, to 1 where nothing can be more."""
    cells = [height for name in names for height in _heights(columns, answers, name)]
    if all(_is_share(columns, answers, name) for name in names):
        limit(-0.03, 1.03)
        label("chance or mean")
    else:
        label("number" if all(isinstance(cell, int) for cell in cells) else "mean number")
        if min(cells) >= 0:
            limit(0, 1.05 * max(cells) or 1)


def _is_share(columns: Columns, answers: Sequence[Mapping[Row, Row]], name: str) -> bool:
    """Tell whether a measure may be a chance; what is counted in whole numbers is none."""
    cells = _heights(columns, answers, name)
    return all(-NOISE <= cell <= 1 + NOISE for cell in cells) and any(isinstance(cell, float) for cell in cells)


def _heights(columns: Columns, answers: Sequence[Mapping[Row, Row]], name: str) -> list[float]:
    place = columns.measures.index(name)
    return [row[place] for rows in answers for row in rows.values() if row[place] is not None]


def _height(rows: Mapping[Row, Row], key: Row, place: int) -> float:
    """Return what stands in a row, NaN where there is nothing: a gap in a line."""
    cell = rows[key][place] if key in rows else None
    return nan if cell is None else float(cell)


def _too_many(count: int, what: str, most: int, varied: Mapping[str, list[Any]]) -> InputError:
    widest = ", ".join(f"{name} ({len(values)} values)" for name, values in varied.items())
    return InputError(f"would need {count} {what}, and more than {most} cannot be read; narrow {widest}", key="--plot")
