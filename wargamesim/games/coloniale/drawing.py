"""A picture of the table in letters, small enough for a terminal, with the units' strengths listed beneath it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, hypot
from textwrap import wrap

from wargamesim.games.coloniale.layout import (
    CREST,
    DIFFICULT,
    DISC,
    FIG,
    FIG0,
    FIRST,
    FORDABLE,
    FORT,
    HARD,
    IN_PLAY,
    IN_TOWN,
    LEVEL_UNIT,
    MARKERS,
    SECOND,
    SIDE,
    SIDES,
    STATUS,
    TOWN,
    UNFORDABLE,
    Ground,
    State,
)

# The picture's most columns and rows. A letter is twice as high as wide, and so is the ground it stands for.
COLUMNS, ROWS = 78, 28
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
UNNAMED, SEVERAL, OPEN, ROUGH, BUILT, ROAD, PLACE, BRIDGE, FORTRESS = "?", "*", ".", "#", "@", "+", "o", "=", "$"
LINES = {CREST: "^", FORDABLE: "-", HARD: "%", UNFORDABLE: "~"}
LEGEND = (
    "first side in capitals, second in small letters, ? a unit beyond the 26th,",
    "* several units; # difficult ground, @ town, 1 2 3 hill by its level, ^ crest,",
    "~ unfordable river, % hard to ford, - fordable, = bridge, + road,",
    "o place on a road (@ a town), $ fort",
    "listed: figures now/at first, D discipline, s markers, place in cm",
)


def draw(state: State, ground: Ground, names: Sequence[str]) -> str:
    """Draw the table, and list beneath it the units of both sides.

    Parameters
    ----------
    state, ground : records
        See `layout`.
    names : sequence of str
        Of the units, by index.

    Returns
    -------
    str
        Lines of at most 78 characters: at most 28 of the table, then one that gives the scale, then the lists.

    Examples
    --------
    >>> from wargamesim.games.coloniale.layout import GROUND, STATE
    >>> from wargamesim.records import new_record
    >>> state, ground = new_record(STATE), new_record(GROUND)
    >>> ground.width, ground.height, state.count = 8, 6, 2
    >>> ground.what[2:4, 4] = DIFFICULT
    >>> state.place[:2] = (1.5, 1.5), (6.5, 4.5)
    >>> state.unit[0, [FIG, FIG0, DISC]] = 6, 8, 5
    >>> state.unit[1, [SIDE, FIG, FIG0, DISC, MARKERS]] = 1, 4, 4, 7, 2
    >>> print(draw(state, ground, ["rifles", "tribesmen"]))
    .A......
    ....#...
    ......a.
    a letter is 1 cm wide and 2 cm high
    first: A rifles 6/8 D5 at 1.5, 1.5
    second: a tribesmen 4/4 D7 s2 at 6.5, 4.5
    """
    wide = max(1.0, float(ground.width) / COLUMNS, float(ground.height) / (2 * ROWS))
    columns, rows = ceil(float(ground.width) / wide - 1e-9), ceil(float(ground.height) / (2 * wide) - 1e-9)
    picture = [[_terrain(ground, column, row, wide) for column in range(columns)] for row in range(rows)]
    letters = _letters(state)
    units = [
        (float(state.place[unit, 0]), float(state.place[unit, 1]), letter) for unit, letter in sorted(letters.items())
    ]
    taken: set[tuple[int, int]] = set()
    for is_unit, (x, y, letter) in [*((False, each) for each in _things(ground)), *((True, each) for each in units)]:
        row, column = min(max(int(y / (2 * wide)), 0), rows - 1), min(max(int(x / wide), 0), columns - 1)
        picture[row][column] = SEVERAL if (row, column) in taken else letter
        if is_unit:
            taken.add((row, column))
    lines = ["".join(line) for line in picture]
    lines.append(f"a letter is {wide:.3g} cm wide and {2 * wide:.3g} cm high")
    for side in (FIRST, SECOND):
        told = [_told(state, unit, letters[unit], names[unit]) for unit in letters if state.unit[unit, SIDE] == side]
        lines += wrap(f"{SIDES[side]}: {'; '.join(told) or 'nobody'}", COLUMNS, subsequent_indent="  ")
    return "\n".join(lines)


def _letters(state: State) -> dict[int, str]:
    """Give every unit a letter of its side, which it keeps whoever else comes or goes; return those in play."""
    letters, given = {}, [0, 0]
    for unit in range(int(state.count)):
        side = int(state.unit[unit, SIDE])
        letter = LETTERS[given[side]] if given[side] < len(LETTERS) else UNNAMED
        given[side] += 1
        if state.unit[unit, STATUS] == IN_PLAY:
            letters[unit] = letter if side == FIRST else letter.lower()
    return letters


def _terrain(ground: Ground, column: int, row: int, wide: float) -> str:
    """Return what most tells of the ground of one letter: a town, difficult ground, a hill, or nothing."""
    ys = slice(int(row * 2 * wide), max(ceil((row + 1) * 2 * wide - 1e-9), int(row * 2 * wide) + 1))
    xs = slice(int(column * wide), max(ceil((column + 1) * wide - 1e-9), int(column * wide) + 1))
    there = ground.what[ys, xs]
    if (there & TOWN).any():
        return BUILT
    if (there & DIFFICULT).any():
        return ROUGH
    level = int(there.max()) // LEVEL_UNIT
    return str(level) if level else OPEN


def _things(ground: Ground) -> Iterator[tuple[float, float, str]]:
    """Yield points of all that is drawn over the ground: what comes later hides what came before."""
    for i in range(int(ground.lines)):
        yield from _points(ground.line[i].tolist(), LINES[int(ground.line_kind[i])])
    for a in range(int(ground.nodes)):
        for b in ground.link[a, : ground.links[a]]:
            if a < b:
                yield from _points([*ground.node[a].tolist(), *ground.node[b].tolist()], ROAD)
    for x, y in ground.bridge[: ground.bridges]:
        yield float(x), float(y), BRIDGE
    for i in range(int(ground.nodes)):
        yield float(ground.node[i, 0]), float(ground.node[i, 1]), BUILT if ground.node_kind[i] == IN_TOWN else PLACE
    for x, y in ground.fort[: ground.forts]:
        yield float(x), float(y), FORTRESS


def _points(ends: Sequence[float], letter: str) -> Iterator[tuple[float, float, str]]:
    """Yield points about half a cm apart on a line."""
    x1, y1, x2, y2 = ends
    steps = max(1, ceil(2 * hypot(x2 - x1, y2 - y1)))
    for k in range(steps + 1):
        yield x1 + (x2 - x1) * k / steps, y1 + (y2 - y1) * k / steps, letter


def _told(state: State, unit: int, letter: str, name: str) -> str:
    fields = state.unit[unit]
    markers = f" s{fields[MARKERS]}" if fields[MARKERS] else ""
    fort = " in its fort" if fields[FORT] else ""
    x, y = state.place[unit]
    return f"{letter} {name} {fields[FIG]}/{fields[FIG0]} D{fields[DISC]}{markers} at {x:.1f}, {y:.1f}{fort}"
