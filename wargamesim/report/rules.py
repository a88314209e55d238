"""What a designer reads of a rulebook."""

from __future__ import annotations

from wargamesim.rulebook import Rulebook
from wargamesim.table import Table


def wide_table(rulebook: Rulebook) -> Table:
    """Return every rule, number and reading of a rulebook, a row each."""
    rows = rulebook.rows()
    return Table(tuple(rows[0]), [tuple(row.values()) for row in rows])


def narrow_tables(rulebook: Rulebook) -> list[Table]:
    """Return the same in three narrow tables: numbers, readings, and rules that have neither."""
    numbers, readings, rules = [], [], []
    for row in rulebook.rows():
        rule_id, value = row["id"], row["value"]
        if row["path"]:
            numbers.append((rule_id, row["path"], _as_toml(value), row["unit"], row["range"], row["provenance"]))
        elif value is not None:
            reading = rulebook.readings[rule_id]
            readings.append((rule_id, "", reading.text, row["provenance"]))
            readings += [
                ("", f"{'*' if name == value else ' '} {name}", option.text, "")
                for name, option in reading.options.items()
            ]
        else:
            rules.append((rule_id, row["text"], row["provenance"]))
    return [
        Table(("id", "path", "value", "unit", "range", "provenance"), numbers, title=f"{rulebook.title}: numbers"),
        Table(
            ("id", "options", "what is unclear, and what each option says", "provenance"),
            readings,
            title="Readings: rules that can be understood in several ways; * is chosen",
        ),
        Table(("id", "rule", "provenance"), rules, title="Rules with neither"),
    ]


def _as_toml(value: object) -> str:
    """Write a number as a designer's file has it."""
    return str(list(value) if isinstance(value, tuple) else value).replace("True", "true").replace("False", "false")
