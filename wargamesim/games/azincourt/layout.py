"""How a battlefield lies in arrays: names of planes, fields and tallies. No rule and no compiled code.

Sets of squares are bitboards: one 64-bit word a row (bit = column), and again one word a column (bit = row).
A step in all eight directions is then three shifts a row, which makes reach and lines of fire cheap.
"""

from __future__ import annotations

import numpy as np

from wargamesim.records import new_record

# The most rows and columns that a word holds, with a spare bit on each side; and the most pieces.
LARGEST = 62
MOST_PIECES = 640

# Bitboards by row and by column. The first three change during a battle, the others are the map.
BY_ENGLISH, BY_FRENCH, STAKE, WOOD, MOUNTAIN, ROAD, HOUSE, CASTLE, MUD = range(9)
PLANES = 9

# Fields of a piece.
ROW, COL, KIND, SIDE, ALIVE, DISMOUNTS, STAKES, FACING = range(8)
FIELDS = 8

# The tally of a battle; the pairs are in the order of the sides.
LOST, UNHORSED, PLANTED, OWN_SHOT = 0, 2, 4, 6
MUD_FACTOR, FIRST_MOVER = 8, 9
TALLIES = 10

# The course of the ending (AZ-7): the army behind that has last moves (or -1), how many, and the difference when
# they were granted; whether the smaller margin is in force, the moves left to either side, and the margin.
BEHIND, LAST_MOVES, GAP, CLOSING, MOVES_LEFT, MARGIN = 0, 1, 2, 3, 4, 6
ENDINGS = 7


# A battle is one record of fixed layout: compiled code gets a single pointer, where tuples of arrays cost it a count of
# references for each array at each call (measured: 13 times slower). Only the first `height` rows, `width` columns and
# `count` pieces are used.
#
#   rows, cols   bitboards by row (bit = column) and by column (bit = row)
#   at           index of the piece on the square, or -1
#   pieces       English first; a removed piece keeps its last square and has ALIVE 0; DISMOUNTS is 1 while it is
#                mounted and has a dismounted version; STAKES is what it still carries; FACING matters for cannon alone
#   tally        LOST, UNHORSED, PLANTED (stakes), OWN_SHOT (lost to their own cannon), each + side; MUD_FACTOR;
#                FIRST_MOVER
#   ending       the course of the ending
STATE = np.dtype(
    [
        ("height", np.int64),
        ("width", np.int64),
        ("count", np.int64),
        ("rows", np.uint64, (PLANES, LARGEST)),
        ("cols", np.uint64, (PLANES, LARGEST)),
        ("at", np.int16, (LARGEST, LARGEST)),
        ("pieces", np.int16, (FIELDS, MOST_PIECES)),
        ("tally", np.int64, TALLIES),
        ("ending", np.int64, ENDINGS),
    ],
    align=True,
)
State = np.record


def new_state(height: int, width: int, count: int) -> State:
    """Return an empty board of this size for so many pieces; no piece stands on it yet."""
    state = new_record(STATE)
    state.height, state.width, state.count = height, width, count
    state.at[:] = -1
    return state
