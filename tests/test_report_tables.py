"""Tables as text: within the width, nothing cut off; and as CSV, at full precision."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wargamesim.report.tables import print_table, table_lines, words, write_csv
from wargamesim.table import Table

texts = st.lists(st.text("abcdefgh_", min_size=1, max_size=9), min_size=1, max_size=12).map(" ".join)
cells = st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.floats(-1e3, 1e3) | texts


@st.composite
def tables(draw: st.DrawFn) -> Table:
    names = draw(st.lists(texts, min_size=1, max_size=5, unique=True))
    rows = draw(st.lists(st.tuples(*[cells] * len(names)), max_size=5))
    return Table(tuple(names), rows, title=draw(texts), notes=tuple(draw(st.lists(texts, max_size=2))))


@given(tables(), st.integers(60, 120))
def test_every_line_fits(table: Table, width: int) -> None:
    assert max(map(len, table_lines(table, width))) <= width


@given(tables(), st.integers(1, 200))
def test_no_word_is_lost_or_cut(table: Table, width: int) -> None:
    said = " ".join(table_lines(table, width)).split()
    parts = [table.title, *table.notes, *(words(cell) for row in table.rows for cell in row)]
    assert {word for part in parts for word in part.split()} <= set(said)
    # A heading may be broken at its underscores.
    pieces = {piece for word in said for piece in word.split("_")}
    assert {piece for name in table.columns for piece in name.replace("_", " ").split()} <= pieces


def test_numbers_stand_to_the_right_and_words_to_the_left() -> None:
    table = Table(("piece", "value", "score"), [("archer", 1, "0.5 ±0.1"), ("knight", 10, "-")])
    assert list(table_lines(table, 80)) == [
        "piece   value     score",
        "───────────────────────",
        "archer      1  0.5 ±0.1",
        "knight     10         -",
    ]


def test_a_long_heading_is_broken_before_its_column_is_widened() -> None:
    table = Table(("n", "deployment of the english_side"), [(1, "line")])
    assert list(table_lines(table, 80)) == [
        "   deployment",
        "   of the",
        "   english_",
        "n  side",
        "─────────────",
        "1  line",
    ]


def test_the_widest_column_gives_way() -> None:
    table = Table(("id", "text", "from"), [("AZ-1.6", "a b c d e f g h i j k l", "seed"), ("AZ-1.7", "m", "gap")])
    assert list(table_lines(table, 25)) == [
        "id      text         from",
        "─────────────────────────",
        "AZ-1.6  a b c d e f  seed",
        "        g h i j k l",
        "AZ-1.7  m            gap",
    ]


def test_where_it_is_too_wide_what_is_the_same_in_every_row_is_told_once() -> None:
    table = Table(("figures", "cm", "mean", "most"), [(1, 25, 0.5, 1.0), (2, 25, 1.5, 2.0)], notes=("Exact.",))
    lines = list(table_lines(table, 26))
    assert lines[0].split() == ["figures", "mean", "most"]
    assert lines[-2:] == ["In every row: cm 25", "Exact."]
    assert max(map(len, lines)) <= 26
    assert next(iter(table_lines(table, 27))).split() == ["figures", "cm", "mean", "most"]


def test_a_table_without_rows() -> None:
    assert list(table_lines(Table(("mud", "chance"), [], notes=("Nothing.",)), 80)) == [
        "mud  chance",
        "───────────",
        "Nothing.",
    ]


def test_a_percent_sign_stays_with_its_number() -> None:
    lines = list(table_lines(Table(("n",), [(1,)], notes=("It held wedges in 48 % of all.",)), 20))
    assert lines[-2:] == ["It held wedges in", "48 % of all."]


def test_the_width_is_that_of_the_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    print_table(Table(("rule",), [("A square holds one piece at most.",)]))
    assert capsys.readouterr().out.splitlines()[2:] == ["A square holds one piece at", "most."]


@given(st.floats(0, 1))
def test_no_chance_looks_certain_that_is_not(chance: float) -> None:
    shown = words(chance)
    assert (shown == "0.0000") is (chance == 0)
    assert (shown == "1.0000") is (chance == 1)
    assert float(shown.lstrip(">")) == pytest.approx(chance, abs=1e-4)


def test_csv_is_at_full_precision(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [(1 / 3, "a, b", None, [4, 5], True), (2e-17, 'say "no"', 3, [], False)]
    write_csv(Table(("a", "b", "c", "d", "e"), rows))
    read = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert read == [
        ["a", "b", "c", "d", "e"],
        ["0.3333333333333333", "a, b", "", "4 5", "True"],
        ["2e-17", 'say "no"', "3", "", "False"],
    ]
    assert float(read[1][0]) == 1 / 3
