"""Two answers to one question, of a changed rulebook and of the unchanged one, side by side with the difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from shutil import get_terminal_size
from typing import Any, NamedTuple

from wargamesim.report.tables import table_lines
from wargamesim.table import Table

NOISE = 1e-12  # what is left of a difference that exact sums round in another order

Row = tuple[Any, ...]
Pairs = tuple[Row, Mapping[str, tuple[Any, Any]]]  # the keys of a row, and of each measure both cells


class Columns(NamedTuple):
    """The columns of an answer: those that say what a row is about, and those that say what holds for it."""

    keys: tuple[str, ...]
    measures: tuple[str, ...]


def split_columns(*tables: Table) -> Columns:
    """Tell the keys of answers to one question from their measures.

    Keys stand first, and chances and means are floats: the keys are the fewest leading columns without a float that
    tell the rows of each table apart, and whatever else before the first float is the same in all rows, such as the
    number of arrows when it was not varied. All other columns are measures, also those of one table alone.

    Examples
    --------
    >>> split_columns(Table(("target", "arrows", "removed"), [("knight", 1, 1 / 3), ("archer", 1, 1 / 3)]))
    Columns(keys=('target', 'arrows'), measures=('removed',))
    """
    names = list(dict.fromkeys(name for table in tables for name in table.columns))
    cells = {name: [cell for table in tables for cell in _column(table, name)] for name in names}
    leading: list[str] = []
    for name in names:
        in_all = all(name in table.columns for table in tables)
        if not in_all or any(isinstance(cell, float) for cell in cells[name]):
            break
        leading.append(name)
    telling = next(
        (count for count in range(len(leading)) if all(_tells_apart(table, leading[:count]) for table in tables)),
        len(leading),
    )
    keys = leading[:telling] + [
        name for name in leading[telling:] if len(set(map(repr, cells[name]))) == 1 and cells[name][0] is not None
    ]
    return Columns(tuple(keys), tuple(name for name in names if name not in keys))


def rows_by_key(table: Table, columns: Columns) -> dict[Row, Row]:
    """Return the measures of each row by its keys; rows that nothing tells apart are numbered.

    A measure that the table does not have is None.
    """
    seen: Counter[str] = Counter()
    rows: dict[Row, Row] = {}
    for record in table.records():
        key = tuple(record[name] for name in columns.keys)
        seen[repr(key)] += 1
        rows[(*key, seen[repr(key)])] = tuple(record.get(name) for name in columns.measures)
    return rows


def wide_table(changed: Table, before: Table) -> Table:
    """Return both answers in one table: after the keys each measure, the same before, and the difference.

    A measure that is no number has no difference, and one that only one answer has is None in the other, like all
    measures of a row that only one has.

    Examples
    --------
    >>> table = wide_table(Table(("die", "chance"), [(6, 0.5)]), Table(("die", "chance"), [(6, 0.25)]))
    >>> table.columns, table.rows
    (('die', 'chance', 'chance before', 'chance difference'), [(6, 0.5, 0.25, 0.25)])
    """
    columns, rows = _aligned(changed, before)
    wide = _Wide(columns.keys, numeric_columns(changed, before), rows)
    return wide.table(columns.measures, title=_title(changed), notes=_notes(changed, before))


def narrow_tables(changed: Table, before: Table, width: int | None = None) -> list[Table]:
    """Return what differs in as few tables as fit into lines of `width`, that of the terminal when none is given."""
    width = width or get_terminal_size().columns
    columns, rows = _aligned(changed, before)
    measures = [name for name in columns.measures if any(_differ(*cells[name]) for _, cells in rows)]
    if not measures:
        nothing = f"Nothing differs: all {len(rows)} rows of the answer are what they were before the change."
        return [Table((), [], title=nothing, notes=_notes(changed, before))]
    differing = [(key, cells) for key, cells in rows if any(_differ(*cells[name]) for name in measures)]
    wide = _Wide(columns.keys, numeric_columns(changed, before), differing)
    packed: list[list[str]] = []
    for name in measures:
        if packed and max(map(len, table_lines(wide.table([*packed[-1], name]), width))) <= width:
            packed[-1].append(name)
        else:
            packed.append([name])
    same = [name for name in columns.measures if name not in measures]
    notes = [f"No difference: {', '.join(same)}."] if same else []
    if len(differing) < len(rows):
        notes.append(f"Rows that do not differ are left out: {len(rows) - len(differing)} of {len(rows)}.")
    tables = [wide.table(names, quiet=True) for names in packed]
    tables[0] = replace(tables[0], title=_title(changed))
    tables[-1] = replace(tables[-1], notes=(*notes, *_notes(changed, before)))
    return tables


class _Wide(NamedTuple):
    """Two answers, row by row: the keys, and of each measure both cells."""

    keys: tuple[str, ...]
    numeric: set[str]
    rows: list[Pairs]

    def table(
        self, measures: Sequence[str], *, quiet: bool = False, title: str = "", notes: tuple[str, ...] = ()
    ) -> Table:
        """Return some measures; quiet shows noise as the zero that it stands for."""
        heading: list[str] = []
        for name in measures:
            heading += [name, f"{name} before"]
            if name in self.numeric:
                heading.append(f"{name} difference")
        body = []
        for key, cells in self.rows:
            row = [*key]
            for name in measures:
                now, then = cells[name]
                row += [now, then]
                if name in self.numeric:
                    difference = None if now is None or then is None else now - then
                    row.append(
                        0.0 if quiet and isinstance(difference, float) and abs(difference) <= NOISE else difference
                    )
            body.append(tuple(row))
        return Table((*self.keys, *heading), body, title=title, notes=notes)


def numeric_columns(*tables: Table) -> set[str]:
    """Return the columns that hold nothing but numbers and None, and at least one number."""
    cells = {
        name: [cell for table in tables for cell in _column(table, name)] for table in tables for name in table.columns
    }
    return {
        name
        for name, column in cells.items()
        if any(map(_is_number, column)) and all(cell is None or _is_number(cell) for cell in column)
    }


def _column(table: Table, name: str) -> list[Any]:
    if name not in table.columns:
        return []
    index = table.columns.index(name)
    return [row[index] for row in table.rows]


def _tells_apart(table: Table, names: Sequence[str]) -> bool:
    rows = [repr([record[name] for name in names]) for record in table.records()]
    return len(set(rows)) == len(rows)


def _aligned(changed: Table, before: Table) -> tuple[Columns, list[Pairs]]:
    """Return each key with the cells of each measure in both answers; keys that only the second has come last."""
    columns = split_columns(changed, before)
    now, then = rows_by_key(changed, columns), rows_by_key(before, columns)
    nothing = (None,) * len(columns.measures)
    rows: list[Pairs] = []
    for key in dict.fromkeys([*now, *then]):
        pairs = zip(now.get(key, nothing), then.get(key, nothing), strict=True)
        rows.append((key[:-1], dict(zip(columns.measures, pairs, strict=True))))
    return columns, rows


def _is_number(cell: Any) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _differ(now: Any, then: Any) -> bool:
    return bool(abs(now - then) > NOISE) if _is_number(now) and _is_number(then) else bool(now != then)


def _title(changed: Table) -> str:
    return f"{changed.title} (as changed, before, difference)"


def _notes(changed: Table, before: Table) -> tuple[str, ...]:
    """Return the notes of the changed answer, and what the other says otherwise, in its title too."""
    others = (note for note in (before.title, *before.notes) if note not in (changed.title, *changed.notes))
    return (*changed.notes, *(f"Before: {note}" for note in others))
