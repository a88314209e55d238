"""The bookkeeping of a battlefield, compiled. No rule lives here, so both implementations may use it."""

from __future__ import annotations

import numpy as np

from wargamesim.bits import NONE, ONE, bit
from wargamesim.compiled import compiled, inlined
from wargamesim.games.azincourt.layout import ALIVE, COL, DISMOUNTS, KIND, ROW, SIDE, STAKE, State
from wargamesim.games.azincourt.rules import KNIGHT


@compiled
def has(state: State, plane: int, row: int, col: int) -> bool:
    """Tell whether the square belongs to the plane."""
    return (state.rows[plane, row] >> np.uint64(col)) & ONE != NONE


@inlined
def _flip(state: State, plane: int, row: int, col: int) -> None:
    state.rows[plane, row] ^= bit(col)
    state.cols[plane, col] ^= bit(row)


@compiled
def put(state: State, piece: int, row: int, col: int) -> None:
    """Place a living piece that stands nowhere on a free square."""
    state.pieces[ROW, piece], state.pieces[COL, piece], state.pieces[ALIVE, piece] = row, col, 1
    state.at[row, col] = piece
    _flip(state, state.pieces[SIDE, piece], row, col)


@compiled
def lift(state: State, piece: int) -> None:
    """Take a piece off its square; it counts as removed until it is put down again."""
    row, col = state.pieces[ROW, piece], state.pieces[COL, piece]
    state.pieces[ALIVE, piece] = 0
    state.at[row, col] = -1
    _flip(state, state.pieces[SIDE, piece], row, col)


@compiled
def plant(state: State, row: int, col: int) -> None:
    """Put a stake on a square that has none."""
    _flip(state, STAKE, row, col)


@compiled
def replace(state: State, piece: int, kind: int) -> None:
    """Exchange a mounted piece for its dismounted version, on its square."""
    state.pieces[KIND, piece], state.pieces[DISMOUNTS, piece] = kind, 0


@inlined
def is_mounted(state: State, piece: int) -> bool:
    """Tell whether the piece is on horseback now."""
    return state.pieces[KIND, piece] == KNIGHT
