"""What is kept of who is where: the units on the table, and who has been found to see whom. Compiled.

Two units see each other, or do not, until one of them goes elsewhere, or into a fort or out of it.
"""

from __future__ import annotations

import numpy as np

from wargamesim.bits import NONE, bit
from wargamesim.games.coloniale.compiling import public, typed
from wargamesim.games.coloniale.layout import FIRST, IN_PLAY, SECOND, SIDE, STATUS, State


@typed
def appears(state: State, unit: int) -> None:
    """Take note that a unit has come to where it is."""
    state.looked[unit] = NONE
    others = ~bit(unit)
    for other in range(unit):
        state.looked[other] &= others


@typed
def joins(state: State, unit: int) -> None:
    """Take note of a new unit on the table."""
    state.standing[state.unit[unit, SIDE]] |= bit(unit)
    appears(state, unit)


@typed
def leaves(state: State, unit: int) -> None:
    """Take note that a unit is no longer on the table."""
    state.standing[state.unit[unit, SIDE]] &= ~bit(unit)


@public
def look_anew(state: State) -> None:
    """Look for all units on the table, and forget who sees whom, for whoever has put units down on his own."""
    state.standing[FIRST] = state.standing[SECOND] = NONE
    for unit in range(state.count):
        state.looked[unit] = NONE
        if state.unit[unit, STATUS] == IN_PLAY:
            state.standing[state.unit[unit, SIDE]] |= bit(unit)


@typed
def in_play(state: State, side: int) -> np.uint64:
    """Return the units of a side that are on the table, as bits by their numbers."""
    return state.standing[side]


@typed
def all_in_play(state: State) -> np.uint64:
    """Return the units of both sides that are on the table, as bits by their numbers."""
    return state.standing[FIRST] | state.standing[SECOND]
