"""Battlefields of Azincourt for tests: drawn by hand as text, or made by hypothesis; and rulebooks of all readings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from wargamesim.games.azincourt.layout import (
    ALIVE,
    CASTLE,
    COL,
    DISMOUNTS,
    FACING,
    HOUSE,
    KIND,
    MOUNTAIN,
    MUD,
    ROAD,
    ROW,
    SIDE,
    STAKE,
    STAKES,
    WOOD,
    State,
    new_state,
)
from wargamesim.games.azincourt.rules import ARCHER, ENGLISH, KNIGHT, NORTH, SOUTH, Rules, compile_rules
from wargamesim.rulebook import Rulebook, load_rulebook

PIECES = "KFIAXC"
PLANE_OF = {"|": STAKE, "#": WOOD, "^": MOUNTAIN, "=": ROAD, "h": HOUSE, "@": CASTLE, "~": MUD}


def make_state(
    rows: int, cols: int, terrain: Mapping[int, Iterable[tuple[int, int]]], pieces: Iterable[Mapping[int, int]]
) -> State:
    """Build a state from squares by plane and pieces by field; English pieces must come first."""
    listed = list(pieces)
    state = new_state(rows, cols, len(listed))

    def mark(plane: int, row: int, col: int) -> None:
        state.rows[plane, row] |= np.uint64(1 << col)
        state.cols[plane, col] |= np.uint64(1 << row)

    for plane, squares in terrain.items():
        for row, col in squares:
            mark(plane, row, col)
    for index, fields in enumerate(listed):
        for field, value in {ALIVE: 1, **fields}.items():
            state.pieces[field, index] = value
        assert state.at[fields[ROW], fields[COL]] == -1
        state.at[fields[ROW], fields[COL]] = index
        mark(fields[SIDE], fields[ROW], fields[COL])
    assert (np.diff(state.pieces[SIDE, : len(listed)]) >= 0).all()
    return state


def board(picture: str, ground: str = "", *, facing: Mapping[int, int] | None = None) -> State:
    """Build a state from a picture: a line a row, English pieces in capitals, French ones in small letters.

    Letters are those of the game's own drawing (``| @ h ^ # = ~`` and KFIAXC), and N for a knight without a version
    on foot. `ground` is a second picture of the same size with what lies below the pieces. Pieces are numbered in
    reading order, the English first. An archer carries one stake; cannons face the enemy, or as `facing` says.
    """
    upper, lower = picture.split(), ground.split()
    assert len({len(line) for line in upper + lower}) == 1
    assert not lower or len(upper) == len(lower)
    terrain: dict[int, list[tuple[int, int]]] = {}
    pieces = []
    for row, line in enumerate(upper):
        for col, letter in enumerate(line):
            if letter.upper() in PIECES + "N":
                pieces.append(_piece(letter, row, col))
            elif letter != ".":
                terrain.setdefault(PLANE_OF[letter], []).append((row, col))
    for row, line in enumerate(lower):
        for col, letter in enumerate(line):
            if letter != ".":
                terrain.setdefault(PLANE_OF[letter], []).append((row, col))
    pieces.sort(key=lambda fields: fields[SIDE])
    for index, direction in (facing or {}).items():
        pieces[index][FACING] = direction
    return make_state(len(upper), len(upper[0]), terrain, pieces)


def _piece(letter: str, row: int, col: int) -> dict[int, int]:
    side = ENGLISH if letter.isupper() else 1 - ENGLISH
    kind = KNIGHT if letter.upper() == "N" else PIECES.index(letter.upper())
    return {
        ROW: row,
        COL: col,
        KIND: kind,
        SIDE: side,
        DISMOUNTS: int(letter.upper() == "K"),
        STAKES: int(kind == ARCHER),
        FACING: NORTH if side == ENGLISH else SOUTH,
    }


@cache
def default_rulebook() -> Rulebook:
    """The shipped rulebook."""
    return load_rulebook("azincourt")


def rules_with(changes: Mapping[str, object] | None = None, **fields: object) -> Rules:
    """Compile the rulebook with readings or numbers changed by id or path, and fields of the result replaced."""
    return compile_rules(default_rulebook().variant(dict(changes or {})))._replace(**fields)


# How often what lies on a square (first the simplest, toward which hypothesis shrinks).
GROUNDS = "." * 12 + "==^^##h@||"
LETTERS = "." * 40 + "AaIiFfKkNnXxCc" + "AaKkIi"


@st.composite
def boards(draw: st.DrawFn, rows: tuple[int, int] = (2, 8), cols: tuple[int, int] = (2, 8)) -> State:
    """Random small battlefields: any terrain, at least one piece a side, nothing where the rules forbid it."""
    height, width = draw(st.integers(*rows)), draw(st.integers(*cols))
    size = height * width
    grounds = draw(st.lists(st.sampled_from(GROUNDS), min_size=size, max_size=size))
    letters = draw(st.lists(st.sampled_from(LETTERS), min_size=size, max_size=size))
    muddy = draw(st.integers(0, (1 << height) - 1))
    terrain: dict[int, list[tuple[int, int]]] = {}
    pieces = []
    for index, (ground, letter) in enumerate(zip(grounds, letters, strict=True)):
        row, col = divmod(index, width)
        if ground != ".":
            terrain.setdefault(PLANE_OF[ground], []).append((row, col))
        if muddy >> row & 1:
            terrain.setdefault(MUD, []).append((row, col))
        forbidden = "#|h@" if letter.upper() in "KN" else "#|"
        if letter != "." and ground not in forbidden:
            pieces.append(_piece(letter, row, col))
    pieces.sort(key=lambda fields: fields[SIDE])
    assume({fields[SIDE] for fields in pieces} == {0, 1})
    facings = draw(st.lists(st.integers(0, 7), min_size=len(pieces), max_size=len(pieces)))
    for fields, direction in zip(pieces, facings, strict=True):
        fields[FACING] = direction
    return make_state(height, width, terrain, pieces)


NUMBERS = {
    "mud.slowest": st.integers(0, 3),
    "pieces.knight.speed": st.integers(0, 6),
    "pieces.infantry.speed": st.integers(0, 3),
    "pieces.archer.range": st.integers(0, 8),
    "pieces.archer.stakes": st.integers(0, 2),
    "pieces.cannon.range": st.integers(0, 14),
    "terrain.road.squares": st.integers(1, 3),
    "terrain.road.bonus": st.integers(0, 2),
    "terrain.mountain.climb": st.integers(0, 2),
    "terrain.house.bonus": st.integers(0, 2),
    "terrain.castle.bonus": st.integers(0, 2),
    "cannon.dice_max": st.integers(1, 3),
    "cannon.blast_radius": st.integers(0, 2),
    "cannon.sector_half_angle": st.sampled_from([0.0, 22.5, 30.0, 45.0, 90.0, 180.0]),
    "end.margin": st.integers(0, 20),
    "end.last_moves": st.integers(0, 3),
    "end.small_margin": st.integers(0, 10),
    "end.small_moves": st.integers(0, 3),
    "end.half": st.sampled_from([0.0, 0.25, 0.5, 1.0]),
    "end.points_per_piece": st.integers(1, 3),
    "end.turn_limit": st.integers(1, 30),
}


@st.composite
def any_rules(draw: st.DrawFn) -> Rules:
    """Rules with any choice of readings, and some numbers other than the default."""
    readings = {
        rule: draw(st.sampled_from(sorted(reading.options))) for rule, reading in default_rulebook().readings.items()
    }
    changed = draw(st.lists(st.sampled_from(sorted(NUMBERS)), unique=True, max_size=4))
    numbers = {path: draw(NUMBERS[path]) for path in changed}
    return rules_with({**readings, **numbers})
