"""A table for people, on the terminal (as wide as that, nothing cut off), and as CSV for other programs.

Plain text: rich would draw it too, but to import it costs the exact commands a tenth of their time.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from math import isnan
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any

from wargamesim.table import Table

GAP = "  "
HEADING = 8  # a heading longer than this and than its cells is broken between its words


def print_table(table: Table) -> None:
    """Print a table with its title and notes, in at most the width of the terminal (80 where there is none).

    Examples
    --------
    >>> print_table(Table(("mud", "chance"), [(0, 1 / 6), (1, 5 / 18)], notes=("Exact.",)))
    mud  chance
    ───────────
      0  0.1667
      1  0.2778
    Exact.
    """
    for line in table_lines(table, get_terminal_size().columns):
        print(line)


def table_lines(table: Table, width: int) -> Iterator[str]:
    """Yield the lines of a table; they are longer than `width` only if its words are.

    Where it is too wide, columns with the same in every row are told in a note instead.

    Parameters
    ----------
    table : Table
        What to show.
    width : int
        Characters in a line.

    Examples
    --------
    >>> for line in table_lines(Table(("id", "rule"), [("AZ-1.6", "A square holds one piece.")]), 24):
    ...     print(line)
    id      rule
    ────────────────────────
    AZ-1.6  A square holds
            one piece.
    """
    names, rows, alike = _folded(list(table.columns), [[words(cell) for cell in row] for row in table.rows], width)
    columns = [[row[index] for row in rows] for index in range(len(names))]
    roomy = [max(HEADING, *map(len, column)) if column else HEADING for column in columns]
    headings = list(map(_heading, names, roomy))
    widths = _widths([heading + column for heading, column in zip(headings, columns, strict=True)], width)
    headings = list(map(_heading, names, widths))
    aligned = [str.rjust if all(map(_is_number, column)) else str.ljust for column in columns]

    def lines(cells: Sequence[Sequence[str]]) -> Iterator[str]:
        for parts in zip_longest(*cells, fillvalue=""):
            placed = (align(part, size) for align, part, size in zip(aligned, parts, widths, strict=True))
            yield GAP.join(placed).rstrip()

    yield from wrap(table.title, width, break_long_words=False)
    if headings:
        deepest = max(map(len, headings))
        yield from lines([[""] * (deepest - len(heading)) + heading for heading in headings])
        yield "─" * (sum(widths) + len(GAP) * (len(widths) - 1))
    for row in rows:
        yield from lines([_broken(cell, size) for cell, size in zip(row, widths, strict=True)])
    for note in (*alike, *table.notes):
        # A percent sign stays on the line of its number.
        parts = wrap(note.replace(" %", "\xa0%"), width, break_long_words=False) or [""]
        yield from (part.replace("\xa0", " ") for part in parts)


def write_csv(table: Table) -> None:
    """Print a table as CSV, at full precision; lists are written with spaces, None as nothing.

    Examples
    --------
    >>> write_csv(Table(("faces", "chance"), [([4, 5], 1 / 3)]))
    faces,chance
    4 5,0.3333333333333333
    """
    import csv

    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(table.columns)
    for row in table.rows:
        writer.writerow(" ".join(map(str, cell)) if isinstance(cell, list | tuple) else cell for cell in row)


def words(cell: Any) -> str:
    """Return a cell as people read it: four digits after the point, and no chance shown as certain that is not.

    Examples
    --------
    >>> [words(cell) for cell in (None, True, 7, 0.5, 0.00001, 0.99999, 1.0, [4, 5], "line")]
    ['-', 'yes', '7', '0.5000', '1.0e-05', '>0.9999', '1.0000', '4 5', 'line']
    """
    if cell is None:
        return "-"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, list | tuple):
        return " ".join(map(str, cell))
    if not isinstance(cell, float):
        return str(cell)
    if 0 < abs(cell) < 0.00005:
        return f"{cell:.1e}"
    return ">0.9999" if 0.99995 <= cell < 1 else f"{cell:.4f}"


def with_half(value: float, half: float, digits: int, sign: str = "") -> str:
    """Return a sampled figure with the half-width of its interval; a dash where there is none.

    Examples
    --------
    >>> with_half(0.25, 0.021, 3, sign="+"), with_half(float("nan"), 1.0, 3)
    ('+0.250 ±0.021', '-')
    """
    return "-" if isnan(value) else f"{value:{sign}.{digits}f} ±{half:.{digits}f}"


def p_value(p: float) -> str:
    """Return a p-value as people read it.

    Examples
    --------
    >>> p_value(0.0004), p_value(0.0425)
    ('<0.001', '0.043')
    """
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def _is_number(cell: str) -> bool:
    """Tell whether a cell reads as a number, perhaps with its interval or unit, or is empty."""
    return re.fullmatch(r"[-+<>]?\d\S*( [±%].*)?|-?", cell) is not None


def _heading(column: str, width: int) -> list[str]:
    """Break a heading between its words, which may be joined by underscores."""
    parts = re.findall(r"[^\s_]+[\s_]*", column) or [column]
    width = max(width, *(len(part.rstrip()) for part in parts))
    lines = [""]
    for part in parts:
        if lines[-1] and len(lines[-1] + part.rstrip()) > width:
            lines.append("")
        lines[-1] += part
    return [line.rstrip() for line in lines]


def _folded(names: list[str], rows: list[list[str]], width: int) -> tuple[list[str], list[list[str]], list[str]]:
    """Take out columns with the same cell in every row, from the left, until the table fits; and say what they hold."""
    alike = []
    while len(rows) > 1 and len(names) > 1 and _least(names, rows) > width:
        same = next((index for index, column in enumerate(zip(*rows, strict=True)) if len(set(column)) == 1), None)
        if same is None:
            break
        alike.append(f"In every row: {names[same].replace('_', ' ')} {rows[0][same]}")
        names = names[:same] + names[same + 1 :]
        rows = [row[:same] + row[same + 1 :] for row in rows]
    return names, rows, alike


def _least(names: list[str], rows: list[list[str]]) -> int:
    """Return the width of the table if every heading and cell is as narrow as its words let it be."""
    longest = [max(map(len, re.split(r"[\s_]+", name)), default=0) for name in names]
    for row in rows:
        longest = [max(size, *map(len, cell.split(" "))) for size, cell in zip(longest, row, strict=True)]
    return sum(longest) + len(GAP) * (len(longest) - 1)


def _widths(columns: Sequence[Sequence[str]], width: int) -> list[int]:
    """Give each column what it needs and, where that is too much, narrow the widest that its words let be narrowed."""
    widths = [max(map(len, column)) for column in columns]
    least = [max(len(word) for cell in column for word in cell.split(" ")) for column in columns]
    excess = sum(widths) + len(GAP) * (len(widths) - 1) - width
    while excess > 0:
        spare = [index for index in range(len(widths)) if widths[index] > least[index]]
        if not spare:
            break
        widths[max(spare, key=widths.__getitem__)] -= 1
        excess -= 1
    return widths


def _broken(cell: str, width: int) -> list[str]:
    """Break a cell into lines; spaces before its text stay."""
    indent = cell[: len(cell) - len(cell.lstrip())]
    return wrap(cell.strip(), width, initial_indent=indent, subsequent_indent=indent, break_long_words=False) or [""]
