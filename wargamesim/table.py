"""A table of results: what the exact answers and the studies return, before anybody prints it."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Any


@dataclass(frozen=True)
class Table:
    """Rows under named columns.

    Parameters
    ----------
    columns : tuple of str
        Their names, no two alike.
    rows : list of tuple
        One cell a column: text, a number, true or false, None where there is nothing to say, or a list of these.
    title : str
        What the table shows, for people.
    notes : tuple of str
        What a reader must know beside it, for people.

    Raises
    ------
    ValueError
        If two columns have the same name or a row has not one cell a column.

    Examples
    --------
    >>> table = Table(("mud", "probability"), [(0, 1 / 6), (1, 5 / 18)])
    >>> table.to_json()
    '{"columns": ["mud", "probability"], "rows": [[0, 0.16666666666666666], [1, 0.2777777777777778]]}'
    >>> table.records()[1]
    {'mud': 1, 'probability': 0.2777777777777778}
    """

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    title: str = ""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(set(self.columns)) != len(self.columns):
            raise ValueError(f"two columns have the same name: {', '.join(self.columns)}")
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"a row of {len(row)} cells does not fit {len(self.columns)} columns: {row}")

    def to_json(self) -> str:
        """Return columns and rows as one line of JSON.

        Floats have their full precision: read back, they are the same numbers. JSON has no NaN and no infinity;
        they become null.
        """
        import json

        rows = [[_plain(cell) for cell in row] for row in self.rows]
        return json.dumps({"columns": self.columns, "rows": rows}, ensure_ascii=False, allow_nan=False)

    def records(self) -> list[dict[str, Any]]:
        """Return each row as a dict by column name."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def _plain(cell: Any) -> Any:
    """Turn NumPy scalars and arrays, and what JSON cannot hold, into plain values."""
    if hasattr(cell, "tolist"):
        cell = cell.tolist()
    if isinstance(cell, list | tuple):
        return [_plain(item) for item in cell]
    return None if isinstance(cell, float) and not isfinite(cell) else cell
