"""A picture of the table in letters, small enough for a terminal, with the figures' markers listed beneath it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from textwrap import wrap

import numpy as np
from numpy.typing import NDArray

from wargamesim.games.skirmish.layout import (
    BLUE,
    BUILDING,
    CAPTURED,
    DIFFICULT,
    EVADES,
    FIRST,
    FREE_AIM,
    HEDGE,
    HIDDEN,
    IN_PLAY,
    LEADER,
    LEVEL,
    PRONE,
    REGULAR,
    ROLES,
    SIDE,
    STATUS,
    WALL,
    WATER,
    WET,
    WOOD,
    WOUNDS,
    Ground,
    State,
    X,
    Y,
)

# The picture's most columns and rows. A letter is twice as high as wide, and so is the ground it stands for.
COLUMNS, ROWS = 78, 28
# From the most to the least telling, where several stand in the ground of one letter.
TERRAIN = ((WALL, "="), (BUILDING, "@"), (HEDGE, "%"), (WOOD, "#"), (WATER, "~"), (DIFFICULT, ":"))
KINDS = ((LEADER, "L"), (REGULAR, "R"), (EVADES, "E"), (FREE_AIM, "F"))
UPSTAIRS, UNSEEN, OTHER, MIXED, LOAD, CAPTIVE, OPEN = "U", "H", "I", "*", "$", "&", "."
LEGEND = (
    "first side in capitals, second side in small letters:",
    "U on an upper floor, H hidden, L leader, R regular, E who may evade,",
    "F who aims freely, I any other; * both sides, $ load, & prisoner;",
    "= wall, @ building, % hedge, # wood, ~ water, : rough",
)


def draw(state: State, ground: Ground, names: Sequence[str], *, captives: bool = True) -> str:
    """Draw the table, and list beneath it who lies, is shaken, wounded, wet, hidden, upstairs or a prisoner.

    Parameters
    ----------
    state, ground : records
        See `layout`.
    names : sequence of str
        Of the figures, by index.
    captives : bool
        Whether prisoners are on the table.

    Returns
    -------
    str
        Lines of at most 78 characters: at most 28 of the table, then one that gives the scale, then the lists.

    Examples
    --------
    >>> from wargamesim.games.skirmish.layout import GROUND, STATE
    >>> from wargamesim.records import new_record
    >>> state, ground = new_record(STATE), new_record(GROUND)
    >>> ground.width, ground.height, state.count = 8, 6, 2
    >>> ground.what[2, 4] = WOOD
    >>> state.place[X, :2], state.place[Y, :2] = (1.5, 6.5), (1.5, 4.5)
    >>> state.figure[SIDE, 1], state.figure[ROLES, 0], state.figure[BLUE, 1] = 1, LEADER, 1
    >>> print(draw(state, ground, ["captain", "Indian 1"]))
    .L......
    ....#...
    ......i.
    a letter is 1 cm wide and 2 cm high
    blue marker: Indian 1
    """
    wide = max(1.0, float(ground.width) / COLUMNS, float(ground.height) / (2 * ROWS))
    columns, rows = ceil(float(ground.width) / wide - 1e-9), ceil(float(ground.height) / (2 * wide) - 1e-9)
    letters = [[_terrain(ground.what, column, row, wide) for column in range(columns)] for row in range(rows)]
    for x, y, letter in _pieces(state, captives):
        row, column = min(int(y / (2 * wide)), rows - 1), min(int(x / wide), columns - 1)
        letters[row][column] = _together(letters[row][column], letter)
    lines = ["".join(line) for line in letters]
    lines.append(f"a letter is {wide:.3g} cm wide and {2 * wide:.3g} cm high")
    for words, figures in _markers(state):
        if figures:
            listed = ", ".join(names[f] + (_known_to(state, f, names) if words == "hidden" else "") for f in figures)
            lines += wrap(f"{words}: {listed}", COLUMNS, subsequent_indent="  ")
    return "\n".join(lines)


def _terrain(what: NDArray[np.uint8], column: int, row: int, wide: float) -> str:
    ys = slice(int(row * 2 * wide), max(ceil((row + 1) * 2 * wide - 1e-9), int(row * 2 * wide) + 1))
    xs = slice(int(column * wide), max(ceil((column + 1) * wide - 1e-9), int(column * wide) + 1))
    there = int(np.bitwise_or.reduce(what[ys, xs], axis=None))
    return next((letter for bit, letter in TERRAIN if there & bit), OPEN)


def _pieces(state: State, captives: bool) -> Iterator[tuple[float, float, str]]:
    """Yield what stands on the table: loads and prisoners first, so that figures are drawn over them."""
    for load in range(int(state.loads)):
        if state.dragger[load] >= -1:
            yield float(state.load[X, load]), float(state.load[Y, load]), LOAD
    everybody = range(int(state.count))
    for f in everybody:
        if captives and state.figure[STATUS, f] == CAPTURED:
            yield float(state.place[X, f]), float(state.place[Y, f]), CAPTIVE
    for f in everybody:
        if state.figure[STATUS, f] == IN_PLAY:
            letter = _letter(state, f)
            is_first = state.figure[SIDE, f] == FIRST
            yield float(state.place[X, f]), float(state.place[Y, f]), letter if is_first else letter.lower()


def _letter(state: State, figure: int) -> str:
    """Return the letter of a figure: where it is, if nobody may see it or it is upstairs, or else what it is."""
    if state.figure[LEVEL, figure]:
        return UPSTAIRS
    if state.figure[HIDDEN, figure]:
        return UNSEEN
    roles = int(state.figure[ROLES, figure])
    return next((letter for bit, letter in KINDS if roles & bit), OTHER)


def _together(there: str, letter: str) -> str:
    """Return the letter of a figure that comes where something else is drawn: of one side, the first one stays."""
    if not there.isalpha():
        return MIXED if there == MIXED else letter
    return there if there.isupper() == letter.isupper() else MIXED


def _markers(state: State) -> Iterator[tuple[str, list[int]]]:
    everybody = range(int(state.count))
    live = [f for f in everybody if state.figure[STATUS, f] == IN_PLAY]
    for words, field in (
        ("blue marker", BLUE),
        ("wounded", WOUNDS),
        ("prone", PRONE),
        ("wet", WET),
        ("hidden", HIDDEN),
    ):
        yield words, [f for f in live if state.figure[field, f]]
    for level in sorted({int(state.figure[LEVEL, f]) for f in live} - {0}):
        yield f"on floor {level}", [f for f in live if state.figure[LEVEL, f] == level]
    yield "prisoners", [f for f in everybody if state.figure[STATUS, f] == CAPTURED]


def _known_to(state: State, figure: int, names: Sequence[str]) -> str:
    """Say which enemies alone know of a hidden figure (NA-6.6), if there are any."""
    words = state.observers[:, figure].tolist()
    known = [names[f] for f in range(int(state.count)) if words[f // 64] >> f % 64 & 1]
    return f" (known to {', '.join(known)} alone)" if known else ""
