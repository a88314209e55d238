"""Figures of answers: what is drawn is what the table says, with labels on every axis."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from wargamesim.errors import InputError
from wargamesim.games import registry
from wargamesim.report.against import numeric_columns, split_columns
from wargamesim.report.odds_plot import MOST_BARS, MOST_LINES, draw
from wargamesim.rulebook import load_rulebook
from wargamesim.table import Table

BOOKS = {name: load_rulebook(name) for name in ("azincourt", "nordamerica", "risorgimento", "stirling", "coloniale")}


def answers() -> Mapping[str, Table]:
    """Return the standard table of every question that a rulebook has rules for."""
    found = {}
    for name, book in BOOKS.items():
        game = registry.get(book.game)
        for question in game.questions:
            with suppress(InputError):  # There are no volleys in the Risorgimento.
                found[f"{name} {question}"] = game.odds(book, question, {})
    return found


ANSWERS = answers()
assert len(ANSWERS) == 33


def shown(figure: Figure) -> list[Any]:
    return [axes for axes in figure.axes if axes.get_visible()]


def drawn(figure: Figure) -> list[float]:
    """Return every height of a line and length of a bar, without gaps."""
    heights = [height for axes in shown(figure) for line in axes.lines for height in line.get_ydata()]
    heights += [patch.get_width() for axes in shown(figure) for patch in axes.patches]
    return [float(height) for height in heights if not np.isnan(height)]


@pytest.mark.parametrize("name", ANSWERS)
def test_every_number_of_every_answer_is_drawn(name: str) -> None:
    table = ANSWERS[name]
    figure = draw(table)
    measures = [name for name in split_columns(table).measures if name in numeric_columns(table)]
    cells = [record[name] for record in table.records() for name in measures if record[name] is not None]
    assert sorted(drawn(figure)) == sorted(map(float, cells))
    assert "".join(figure.get_suptitle().split()) == "".join(table.title.replace("_", " ").split())
    for axes in shown(figure):
        assert axes.get_xlabel()
        assert axes.get_ylabel() or figure.get_supylabel()
    labels = {axes.get_title() for axes in shown(figure)}
    for axes in shown(figure):
        labels |= {text.get_text() for text in axes.get_legend().get_texts()} if axes.get_legend() else set()
    assert set(measures) <= labels


def test_a_line_over_the_number_that_was_varied() -> None:
    figure = draw(Table(("distance (cm)", "hit", "fumble"), [(20, 0.25, 0.0), (10, 0.5, 0.125)], title="One shot"))
    [axes] = figure.axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("distance (cm)", "chance or mean")
    assert [(line.get_label(), *map(tuple, line.get_data())) for line in axes.lines] == [
        ("hit", (10, 20), (0.5, 0.25)),
        ("fumble", (10, 20), (0.125, 0.0)),
    ]
    assert axes.get_ylim() == (-0.03, 1.03)


def test_several_lines_have_a_panel_for_each_measure() -> None:
    rows = [(weapon, distance, 0.5, 7 * distance) for weapon in ("bow", "gun") for distance in (1, 2, 3)]
    figure = draw(Table(("weapon", "distance", "hit", "hits"), rows))
    assert [axes.get_title() for axes in figure.axes] == ["hit", "hits"]
    assert [axes.get_ylabel() for axes in figure.axes] == ["chance or mean", "number"]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["bow", "gun"]


def test_a_gap_is_left_where_there_is_no_answer() -> None:
    [line] = draw(Table(("distance", "hit"), [(1, 0.5), (2, None), (3, 0.25)])).axes[0].lines
    np.testing.assert_array_equal(line.get_ydata(), [0.5, np.nan, 0.25])


def test_measures_of_other_sizes_have_other_panels() -> None:
    rows = [(n, 0.5, 2.0 * n, 3.0 * n, 100.0 * n) for n in (1, 2)]
    figure = draw(Table(("n", "chance", "lost", "hurt", "men"), rows))
    assert [[line.get_label() for line in axes.lines] for axes in figure.axes] == [
        ["chance"],
        ["lost", "hurt"],
        ["men"],
    ]


def test_bars_where_only_names_were_varied() -> None:
    figure = draw(Table(("target", "arrows", "removed"), [("knight", 1, 0.5), ("archer", 1, 0.25)]))
    [axes] = figure.axes
    assert [patch.get_width() for patch in axes.patches] == [0.5, 0.25]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["knight", "archer"]
    assert (axes.get_title(), axes.get_xlabel(), figure.get_supylabel()) == ("removed", "chance or mean", "target")


def test_one_row_is_drawn_too() -> None:
    figure = draw(Table(("target", "arrows", "removed"), [("knight", 1, 0.5)]))
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["knight, 1"]


def test_the_answer_before_the_change_is_dashed_or_pale() -> None:
    now, then = Table(("n", "hit"), [(1, 0.5), (2, 0.25)], title="T"), Table(("n", "hit"), [(1, 0.25), (2, 0.125)])
    figure = draw(now, then)
    assert [(line.get_linestyle(), tuple(line.get_ydata())) for line in figure.axes[0].lines] == [
        ("-", (0.5, 0.25)),
        ("--", (0.25, 0.125)),
    ]
    assert figure.get_suptitle() == "T\ndashed: before the change"
    now, then = Table(("who", "hit"), [("a", 0.5), ("b", 0.5)]), Table(("who", "hit"), [("a", 0.25)])
    bars = draw(now, then)
    assert drawn(bars) == [0.5, 0.5, 0.25]
    assert bars.axes[0].patches[0].get_alpha() > bars.axes[0].patches[2].get_alpha()
    assert bars.get_suptitle().endswith("pale: before the change")


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (Table(("n", "better"), [(1, "wait"), (2, "snap")]), "--plot: the answer has no number to draw"),
        (
            Table(("n", "m", "p"), [(n, m, 0.5) for n in range(20) for m in range(MOST_LINES + 1)]),
            "--plot: would need 13 lines, and more than 12 cannot be read; narrow m (13 values)",
        ),
        (
            Table(("who", "p"), [(f"name {n}", 0.5) for n in range(MOST_BARS + 1)]),
            "--plot: would need 41 bars, and more than 40 cannot be read; narrow who (41 values)",
        ),
    ],
)
def test_what_cannot_be_drawn_is_not_written(table: Table, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        draw(table, path=tmp_path / "figure.png")
    assert str(caught.value) == said
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("ending", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_the_ending_says_how_it_is_saved(ending: str, start: bytes, tmp_path: Path) -> None:
    draw(ANSWERS["azincourt mud"], path=tmp_path / f"mud.{ending}")
    assert (tmp_path / f"mud.{ending}").read_bytes().startswith(start)
