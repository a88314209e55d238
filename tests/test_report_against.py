"""Two answers side by side: which columns are keys, which rows belong together, and what is shown."""

from __future__ import annotations

from typing import Any

import pytest

from wargamesim.report.against import narrow_tables, numeric_columns, rows_by_key, split_columns, wide_table
from wargamesim.report.tables import table_lines
from wargamesim.table import Table

ARROWS = Table(("target", "arrows", "removed"), [("knight", 1, 0.5), ("knight", 2, 0.75), ("archer", 1, 0.25)])


@pytest.mark.parametrize(
    ("columns", "rows", "keys"),
    [
        (("target", "arrows", "removed"), ARROWS.rows, ("target", "arrows")),
        (("target", "arrows", "removed"), ARROWS.rows[1:], ("target", "arrows")),  # arrows differ: see below
        (("mud", "exactly"), [(0, 0.5), (1, 0.5)], ("mud",)),
        (("mud", "exactly"), [(0, 0.5)], ("mud",)),
        (("grade", "actions", "shots", "better"), [("a", 3, 0.5, "wait"), ("b", 2, 0.5, "snap")], ("grade",)),
        (("way", "ground", "length", "least"), [("road", None, 5.0, 3), ("off", "open", 5.0, 3)], ("way",)),
        (("distance", "hit"), [(9, None), (10, 0.5)], ("distance",)),
        (("distance", "hit"), [(9, None), (10, None)], ("distance",)),
        (("distance", "hit"), [(9, 0.1), (9, 0.2)], ("distance",)),
        (("hit",), [(0.1,)], ()),
    ],
)
def test_keys_stand_first_and_tell_rows_apart(
    columns: tuple[str, ...], rows: list[tuple[Any, ...]], keys: tuple[str, ...]
) -> None:
    found = split_columns(Table(columns, rows))
    if rows is not ARROWS.rows and len(rows) == 2 and columns[0] == "target":
        keys = ("target",)  # each target has its own number of arrows: the target alone tells them apart
    assert found.keys == keys
    assert found.measures == tuple(name for name in columns if name not in keys)


def test_what_a_number_of_the_rules_decides_is_a_measure_although_it_stands_first() -> None:
    now, then = (Table(("grade", "actions", "shots"), [("militia", count, 0.5)]) for count in (2, 3))
    assert split_columns(now, then) == (("grade",), ("actions", "shots"))
    assert wide_table(now, then).records() == [
        {
            "grade": "militia",
            **{"actions": 2, "actions before": 3, "actions difference": -1},
            **{"shots": 0.5, "shots before": 0.5, "shots difference": 0.0},
        }
    ]


def test_rows_that_nothing_tells_apart_are_numbered() -> None:
    table = Table(("distance", "hit"), [(9, 0.1), (9, 0.2)])
    assert rows_by_key(table, split_columns(table)) == {(9, 1): (0.1,), (9, 2): (0.2,)}


def test_rows_are_joined_by_their_keys() -> None:
    now = Table(("fire", "hit", "better"), [("shots", 0.5, True), ("volley", 0.25, False)])
    then = Table(("fire", "hit", "better"), [("volley", 0.5, True), ("blind", 0.125, False)])
    table = wide_table(now, then)
    assert table.columns == ("fire", "hit", "hit before", "hit difference", "better", "better before")
    assert table.rows == [
        ("shots", 0.5, None, None, True, None),
        ("volley", 0.25, 0.5, -0.25, False, True),
        ("blind", None, 0.125, None, None, False),
    ]


def test_a_measure_that_one_answer_has_alone() -> None:
    now, then = Table(("n", "a", "b"), [(1, 0.5, 0.5)]), Table(("n", "a"), [(1, 0.5)])
    assert wide_table(now, then).rows == [(1, 0.5, 0.5, 0.0, 0.5, None, None)]
    assert wide_table(then, now).rows == [(1, 0.5, 0.5, 0.0, None, 0.5, None)]


def test_numbers_are_told_from_true_and_false() -> None:
    table = Table(("n", "hit", "better", "empty"), [(1, None, True, None), (2, 0.5, False, None)])
    assert numeric_columns(table) == {"n", "hit"}


def test_only_what_differs_is_shown() -> None:
    now = Table(("n", "a", "b"), [(1, 0.5, 0.1 + 0.2), (2, 0.25, 0.5)], title="T", notes=("Same.", "New."))
    then = Table(("n", "a", "b"), [(1, 0.25, 0.3), (2, 0.25, 0.5)], title="U", notes=("Same.", "Old."))
    [table] = narrow_tables(now, then, 80)
    assert (table.columns, table.rows) == (("n", "a", "a before", "a difference"), [(1, 0.5, 0.25, 0.25)])
    assert table.title == "T (as changed, before, difference)"
    assert table.notes == (
        *("No difference: b.", "Rows that do not differ are left out: 1 of 2."),
        *("Same.", "New.", "Before: U", "Before: Old."),
    )


def test_nothing_differs() -> None:
    [table] = narrow_tables(ARROWS, ARROWS)
    assert list(table_lines(table, 80)) == [
        "Nothing differs: all 3 rows of the answer are what they were before the change."
    ]


@pytest.mark.parametrize("width", [50, 80, 120])
def test_as_many_measures_in_a_table_as_fit(width: int) -> None:
    names = tuple(f"measure {index}" for index in range(7))
    now, then = (Table(("key", *names), [(key, *[key / n] * 7) for key in (1, 2)]) for n in (3, 4))
    tables = narrow_tables(now, then, width)
    assert [name for table in tables for name in table.columns if name in names] == list(names)
    assert all(table.columns[0] == "key" for table in tables)
    assert max(len(line) for table in tables for line in table_lines(table, width)) <= width
    assert len(tables) == {50: 7, 80: 4, 120: 3}[width]
