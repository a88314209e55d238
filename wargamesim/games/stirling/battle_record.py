"""A battle in progress as one record, and what all parts of the kernel do with it: roll dice, write the trace."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numba import from_dtype, types

from wargamesim.bits import NONE, ONE, lowest
from wargamesim.compiled import inlined, inner_as
from wargamesim.dice.stream import philox
from wargamesim.games.stirling.doctrine import DOCTRINE
from wargamesim.games.stirling.hexes import distance, standing
from wargamesim.games.stirling.layout import (
    FIRST,
    MOST_UNITS,
    PLAN,
    ROUTED,
    SECOND,
    STATE,
    TRACE_FIELDS,
    Q,
    R,
)
from wargamesim.games.stirling.playing import CHOICES, PLAY

F = TypeVar("F", bound=Callable[..., Any])

MOST_EVENTS = 1 << 15

# One record: a function that gets one pointer is compiled and called faster than one of many parameters, and a nested
# record is a pointer into it. The log is the trace (`np.void` has a method of that name); only its first `room` events
# are ever touched.
BATTLE = np.dtype(
    [
        ("key", np.uint64),
        ("number", np.int64),
        ("events", np.int64),
        ("room", np.int64),
        # Four dice at a time: the words of the block that was generated last, and which block it is.
        ("block", np.int64),
        ("words", np.uint64, 4),
        ("state", STATE),
        ("play", PLAY),
        ("doctrine", DOCTRINE, 2),
        ("plan", PLAN),
        ("reply", PLAN),
        ("order", np.int64, MOST_UNITS),  # of movement, as keys of which the last digits are the unit
        ("delayed", np.int64, MOST_UNITS),
        ("waiting", np.int64),  # how many units have delayed in this phase
        ("broken", np.uint64, 2),  # units of each side that were routed or dispersed in this turn, as bits
        ("near", np.uint64, MOST_UNITS),  # the enemies near each unit, as bits; see `find_near`
        # The enemies of one who flees, by the fields in `battle_flight`.
        ("foe", np.int64, (MOST_UNITS, 5)),
        # Those among whom a shot into a melee is shared, and their shares.
        ("mixed", np.int64, MOST_UNITS),
        ("share", np.int64, MOST_UNITS),
        ("lost", np.int64, MOST_UNITS),
        ("log", np.int64, (MOST_EVENTS, TRACE_FIELDS)),
    ],
    align=True,
)
Battle = np.record
_BATTLE: Any = from_dtype(BATTLE)


def on_battle(integers: int, returns: Any = types.void) -> Callable[[F], F]:
    """Compile, for compiled callers, a function of a battle and so many integers, once for all widths of these."""
    return inner_as(returns(_BATTLE, *[types.int64] * integers))


def option(choice: str, name: str) -> int:
    """Return the index of an option of a reading: see `playing.CHOICES`.

    Examples
    --------
    >>> option("combine", "both")
    2
    """
    return CHOICES[choice][1].index(name)


@inlined
def roll(b: Battle, actor: int, purpose: int, k: int, sides: int) -> int:
    """Roll one die of this turn: the same as `dice.stream.face`, but neighbouring dice are generated together."""
    block = (((b.state.turn * 8192 + actor) * 16 + purpose) << 20) + (k >> 2)
    if block != b.block:
        b.block = block
        _generate(b, actor, purpose, k >> 2)
    word, many, half = b.words[k & 3], np.uint64(sides), np.uint64(32)
    low = ((word & np.uint64(0xFFFFFFFF)) * many) >> half
    return int(np.int64(((word >> half) * many + low) >> half)) + 1


@on_battle(3)
def _generate(b: Battle, actor: int, purpose: int, index: int) -> None:
    words = philox(b.key, b.number, b.state.turn, actor, purpose, index)
    b.words[0], b.words[1], b.words[2], b.words[3] = words


@on_battle(1)
def find_near(b: Battle, reach: int) -> None:
    """Note which enemies on the board are within so many hexes of each unit."""
    state = b.state
    for unit in range(state.count):
        b.near[unit] = NONE
    left, second = standing(state, FIRST, ROUTED), standing(state, SECOND, ROUTED)
    while left != NONE:
        unit = lowest(left)
        left &= left - ONE
        own, enemies = state.unit[unit], second
        while enemies != NONE:
            other = lowest(enemies)
            enemies &= enemies - ONE
            row = state.unit[other]
            # Without a branch, which would often be predicted wrongly.
            near = np.uint64(1 <= distance(own[Q], own[R], row[Q], row[R]) <= reach)
            b.near[unit] |= near << np.uint64(other)
            b.near[other] |= near << np.uint64(unit)


@on_battle(11)
def note(b: Battle, what: int, c: int, d: int, e: int, f: int, g: int, h: int, i: int, j: int, k: int, m: int) -> None:
    """Write one event of the trace, if there is room for one."""
    if b.events < b.room:
        row = b.log[b.events]
        row[0], row[1], row[2], row[3], row[4], row[5] = b.state.turn, what, c, d, e, f
        row[6], row[7], row[8], row[9], row[10], row[11] = g, h, i, j, k, m
        b.events += 1
