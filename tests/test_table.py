"""The table of results: its shape, its records, its JSON at full precision."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wargamesim.table import Table

CELLS = st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(st.tuples(CELLS, CELLS)))
def test_json_gives_back_the_same_cells(rows: list[tuple[object, object]]) -> None:
    back = json.loads(Table(("a", "b"), rows).to_json())
    assert back == {"columns": ["a", "b"], "rows": [list(row) for row in rows]}
    assert list(back) == ["columns", "rows"]


def test_numpy_cells_are_plain_in_json() -> None:
    row = (np.int64(3), np.float64(1 / 3), np.bool_(True), np.array([1, 2]), (4, 5))
    back = json.loads(Table(tuple("abcde"), [row]).to_json())
    assert back["rows"] == [[3, 1 / 3, True, [1, 2], [4, 5]]]


def test_what_json_cannot_hold_is_null() -> None:
    row = (math.nan, math.inf, np.float64("-inf"), [1.0, math.nan])
    assert json.loads(Table(tuple("abcd"), [row]).to_json())["rows"] == [[None, None, None, [1.0, None]]]


def test_text_is_written_as_it_is() -> None:
    assert "È" in Table(("a",), [("È",)]).to_json()


def test_title_and_notes_are_for_people_alone() -> None:
    table = Table(("a",), [(1,)], title="Losses", notes=("n = 9",))
    assert table.to_json() == '{"columns": ["a"], "rows": [[1]]}'


def test_records_name_the_cells() -> None:
    assert Table(("a", "b"), [(1, "x"), (2, "y")]).records() == [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]
    assert Table(("a",), []).records() == []


@pytest.mark.parametrize("row", [(), (1,), (1, 2, 3)])
def test_a_row_must_fit_the_columns(row: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=f"a row of {len(row)} cells does not fit 2 columns"):
        Table(("a", "b"), [(1, 2), row])


def test_two_columns_must_differ() -> None:
    with pytest.raises(ValueError, match="two columns have the same name: a, b, a"):
        Table(("a", "b", "a"), [])
