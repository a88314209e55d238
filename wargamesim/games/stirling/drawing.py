"""A picture of the board in letters, small enough for a terminal, with the units' men and fronts listed beneath it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from wargamesim.games.stirling.layout import (
    FIRST,
    FRONT,
    GONE,
    LEADER,
    MEN,
    MEN0,
    ROUTED,
    RUNS,
    SECOND,
    SIDE,
    SIDES,
    STATUS,
    Q,
    R,
    State,
)

COLUMNS = 78  # of the whole picture
MARGIN = 3  # columns for the number of a row
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
UNNAMED, SEVERAL, EMPTY = "?", "*", "."
GAP = " :"  # where rows are left out
# What stands before and after a unit's letter, by the hexside that it faces.
MARKS = ((" ", ">"), (" ", "'"), ("'", " "), ("<", " "), (",", " "), (" ", ","))
FRONTS = ("E", "NE", "NW", "W", "SW", "SE")
LEGEND = (
    "first side in capitals, second side in small letters, ? a unit beyond the 26th",
    "fronts: A> east, A' north-east, 'A north-west, <A west, ,A south-west,",
    "A, south-east; A* several units",
    "listed: men now/at first, front, hex where several units share it, state",
)


def draw(state: State, names: Sequence[str]) -> str:
    """Draw the board, and list beneath it the units of both sides.

    Parameters
    ----------
    state : State
    names : sequence of str
        Of the units, by index.

    Returns
    -------
    str
        Lines of at most 78 characters: the numbers of the columns, one line for each row of hexes with a unit or next
        to one, then the lists. A board of more than 37 columns is drawn without fronts, and its rows do not stand half
        a hex apart.

    Examples
    --------
    >>> from wargamesim.records import new_record
    >>> from wargamesim.games.stirling.layout import STATE
    >>> state = new_record(STATE)
    >>> state.rows, state.cols, state.count = 3, 5, 2
    >>> state.unit[0, [Q, R, MEN, MEN0]] = 1, 1, 290, 300
    >>> state.unit[1, [SIDE, Q, R, MEN, MEN0, FRONT, STATUS]] = 1, 2, 1, 80, 100, 3, ROUTED
    >>> print(draw(state, ["spears", "orcs"]))
        0   1   2   3   4
     0  .   .   .   .   .
     1    .   A> <a   .   .
     2  .   .   .   .   .
    first: A spears 290/300 E
    second: a orcs 80/100 W, routed
    """
    cols = int(state.cols)
    pitch = next((wide for wide in (4, 2) if MARGIN + wide * cols + wide // 2 <= COLUMNS), 1)
    units: list[list[int]] = state.unit[: int(state.count)].tolist()
    letters = _letters(units)
    shown: dict[tuple[int, int], list[int]] = {}
    for unit, fields in enumerate(units):
        if fields[STATUS] <= ROUTED:
            shown.setdefault((fields[Q] + fields[R] // 2, fields[R]), []).append(unit)
    lines = [_numbers(cols, pitch)]
    taken = {row for _, row in shown}
    left_out = False
    for row in range(int(state.rows)):
        if taken and not taken & {row - 1, row, row + 1}:
            left_out = True
            continue
        if left_out:
            lines.append(GAP)
            left_out = False
        cells = []
        for col in range(cols):
            there = shown.get((col, row), [])
            cells.append(_cell([units[u][FRONT] for u in there], letters[there[0]] if there else EMPTY, pitch))
        shift = " " * (row % 2 * (pitch // 2))
        lines.append(f"{row:>2} {shift}{''.join(cells)}".rstrip())
    for side in (FIRST, SECOND):
        told = [
            _told(letters[unit], names[unit], units[unit], f" at {place}" if len(there) > 1 else "")
            for place, there in shown.items()
            for unit in there
            if units[unit][SIDE] == side
        ]
        lines += wrap(f"{SIDES[side]}: {'; '.join(sorted(told)) or 'nobody'}", COLUMNS, subsequent_indent="  ")
    return "\n".join(lines)


def _letters(units: Sequence[Sequence[int]]) -> list[str]:
    """Give every unit a letter of its side, which it keeps whoever else comes or goes."""
    letters, given = [], [0, 0]
    for fields in units:
        side = fields[SIDE]
        letter = LETTERS[given[side]] if given[side] < len(LETTERS) else UNNAMED
        letters.append(letter if side == FIRST else letter.lower())
        given[side] += 1
    return letters


def _numbers(cols: int, pitch: int) -> str:
    """Number the columns of even rows: each, or each fifth or tenth if they are narrow."""
    each = {4: 1, 2: 5, 1: 10}[pitch]
    cells = (f"{col if col % each == 0 else '':<{pitch}}" for col in range(0, cols, each))
    return (" " * (MARGIN + (pitch == 4)) + "".join(f"{cell:<{each * pitch}}" for cell in cells)).rstrip()


def _cell(fronts: Sequence[int], letter: str, pitch: int) -> str:
    """Draw a hex: a letter, with the mark of its front if there is room."""
    if pitch == 1:
        return letter
    before, after = (" ", " ") if not fronts else (" ", SEVERAL) if len(fronts) > 1 else MARKS[fronts[0]]
    if pitch == 2:
        return f"{before.strip()}{letter}{after.strip()}".ljust(2)
    return f"{before}{letter}{after} "


def _told(letter: str, name: str, fields: Sequence[int], where: str) -> str:
    return f"{letter} {name} {fields[MEN]}/{fields[MEN0]} {FRONTS[fields[FRONT]]}{where}{''.join(_states(fields))}"


def _states(fields: Sequence[int]) -> Iterator[str]:
    if fields[STATUS] == ROUTED:
        yield ", routed"
    if fields[LEADER] in (RUNS, GONE):
        yield f", Leader {'routed' if fields[LEADER] == RUNS else 'lost'}"
