"""A table for people, on the terminal (as wide as that, nothing cut off), and as CSV for other programs."""

from __future__ import annotations

import csv
import re
import sys
from typing import Any

from wargamesim.table import Table

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
    from rich.box import Box
    from rich.console import Console
    from rich.table import Table as Grid
    from rich.text import Text

    # Only a line under the headings: the columns stay apart by two spaces.
    box = Box("    \n    \n ── \n    \n    \n    \n    \n    \n")
    console = Console(markup=False, highlight=False, emoji=False)
    grid = Grid(box=box, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    rows = [[words(cell) for cell in row] for row in table.rows]
    for index, column in enumerate(table.columns):
        numeric = all(re.match(r"[-+<>]?\d|-?$", row[index]) for row in rows)
        heading = _heading(column, max((len(row[index]) for row in rows), default=0))
        grid.add_column(heading, justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        grid.add_row(*row)
    if table.title:
        console.print(Text(table.title, style="bold"))
    console.print(grid)
    for note in table.notes:
        console.print(note)


def write_csv(table: Table) -> None:
    """Print a table as CSV, at full precision; lists are written with spaces, nothing as nothing.

    Examples
    --------
    >>> write_csv(Table(("faces", "chance"), [([4, 5], 1 / 3)]))
    faces,chance
    4 5,0.3333333333333333
    """
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


def _heading(column: str, width: int) -> str:
    """Break a heading between its words, which may be joined by underscores."""
    words = re.findall(r"[^\s_]+[\s_]*", column) or [column]
    width = max(width, HEADING, *(len(word.rstrip()) for word in words))
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1] + word.rstrip()) > width:
            lines.append("")
        lines[-1] += word
    return "\n".join(line.rstrip() for line in lines)
