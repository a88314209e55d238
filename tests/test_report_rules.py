"""A rulebook as tables."""

from __future__ import annotations

from wargamesim.report.rules import narrow_tables, wide_table
from wargamesim.rulebook import load_rulebook

BOOK = load_rulebook("azincourt").variant({"AZ-6.6": "all", "arrow.foot.removes": [3, 4]})


def test_the_wide_table_has_every_row_of_the_register() -> None:
    assert wide_table(BOOK).records() == BOOK.rows()


def test_the_narrow_tables_have_them_too() -> None:
    numbers, readings, rules = narrow_tables(BOOK)
    assert [row[1] for row in numbers.rows] == [row["path"] for row in BOOK.rows() if row["path"]]
    assert [row[0] for row in readings.rows if row[0]] == [
        row["id"] for row in BOOK.rows() if not row["path"] and row["value"] is not None
    ]
    assert len(rules.rows) == len(BOOK.rules)


def test_values_are_written_as_a_designer_would() -> None:
    values = {row[1]: (row[2], row[5]) for row in narrow_tables(BOOK)[0].rows}
    assert values["arrow.foot.removes"] == ("[3, 4]", "house")
    assert values["arrow.cavalry.removes"] == ("[4, 5]", "seed")
    assert values["end.half"] == ("0.5", "reading")


def test_each_reading_lists_its_options_and_marks_the_chosen_one() -> None:
    rows = narrow_tables(BOOK)[1].rows
    start = next(index for index, row in enumerate(rows) if row[0] == "AZ-6.6")
    assert rows[start][3] == "house"
    assert [row[1] for row in rows[start + 1 : start + 3]] == ["  lead", "* all"]
    chosen = [row[1].removeprefix("* ") for row in rows if row[1].startswith("* ")]
    assert chosen == [BOOK.reading(row[0]) for row in rows if row[0]]
