"""The register of rules: one row an entry, in the order people count, with where each comes from."""

from __future__ import annotations

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from wargamesim.rulebook import load_rulebook
from wargamesim.rulebook.provenance import MEANING, in_order
from wargamesim.rulebook.schema import Provenance

BASE = load_rulebook("azincourt")
COLUMNS = ["id", "path", "value", "unit", "provenance", "range", "alternatives", "text", "source_term"]


def test_every_provenance_has_a_meaning() -> None:
    assert set(MEANING) == set(get_args(Provenance))


@given(st.lists(st.tuples(st.integers(1, 20), st.integers(1, 30), st.sampled_from(["", "a", "b"]))))
def test_ids_are_sorted_as_people_count(parts: list[tuple[int, int, str]]) -> None:
    ids = [f"AZ-{section}.{number}{letter}" for section, number, letter in parts]
    assert in_order(ids) == tuple(f"AZ-{section}.{number}{letter}" for section, number, letter in sorted(set(parts)))


def test_one_row_an_entry_with_the_same_columns() -> None:
    rows = BASE.rows()
    assert all(list(row) == COLUMNS for row in rows)
    assert len(rows) == len(BASE.rules) + len(BASE.numbers) + len(BASE.readings)
    assert list(dict.fromkeys(row["id"] for row in rows)) == list(BASE.ids)
    assert all(row["text"] and row["provenance"] in MEANING for row in rows)


def test_the_row_of_a_number() -> None:
    [row] = [row for row in BASE.rows() if row["path"] == "pieces.archer.stakes"]
    assert row == {
        "id": "AZ-2.6",
        "path": "pieces.archer.stakes",
        "value": 1,
        "unit": "stakes",
        "provenance": "seed",
        "range": "0..9",
        "alternatives": "",
        "text": "Stakes an archer carries into the battle.",
        "source_term": "palo",
    }


def test_the_row_of_a_rule_in_words() -> None:
    [row] = [row for row in BASE.rows() if row["id"] == "AZ-4.7"]
    assert (row["path"], row["value"], row["range"], row["provenance"]) == ("", None, "", "seed")


def test_the_rows_of_one_id_begin_with_the_rule_then_the_reading() -> None:
    assert [(row["path"], row["value"]) for row in BASE.rows() if row["id"] == "AZ-2.6"] == [
        ("", None),
        ("pieces.archer.stakes", 1),
        ("pieces.crossbow.stakes", 0),
    ]
    assert [(row["path"], row["value"]) for row in BASE.rows() if row["id"] == "AZ-2.2"] == [
        ("", "min1"),
        ("mud.slowest", 1),
    ]


def test_the_row_of_a_reading_names_the_alternatives() -> None:
    [row] = [row for row in BASE.rows() if row["id"] == "AZ-4.5"]
    assert (row["value"], row["provenance"]) == ("literal", "reading")
    assert row["alternatives"] == "six_hits: 4, 5 and 6 all remove"
    assert row["text"].endswith("Chosen: a 6 misses.")


def test_changes_show_in_the_rows() -> None:
    rows = BASE.variant({"AZ-4.5": "six_hits", "pieces.archer.range": 7}).rows()
    [reading] = [row for row in rows if row["id"] == "AZ-4.5"]
    assert (reading["value"], reading["provenance"]) == ("six_hits", "house")
    assert reading["alternatives"] == "literal: a 6 misses"
    by_path = {row["path"]: (row["value"], row["provenance"]) for row in rows}
    assert by_path["pieces.archer.range"] == (7, "house")
    assert by_path["arrow.foot.removes"] == ((4, 5, 6), "reading")
