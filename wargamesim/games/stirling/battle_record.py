"""A battle in progress as one record, and what all parts of the kernel do with it: roll dice, write the trace."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numba import from_dtype, types

from wargamesim.compiled import inlined, inner_as
from wargamesim.dice.stream import philox
from wargamesim.games.stirling.doctrine import DOCTRINE
from wargamesim.games.stirling.layout import MOST_UNITS, PLAN, STATE, TRACE_FIELDS
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
        ("broken", np.int64, 2),  # how often units of each side were routed or dispersed in this turn
        # Of the enemies of one who flees: how he lies from each, in q and r, and how far their zones reach.
        ("foe", np.int64, (MOST_UNITS, 3)),
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


@on_battle(11)
def note(b: Battle, what: int, c: int, d: int, e: int, f: int, g: int, h: int, i: int, j: int, k: int, m: int) -> None:
    """Write one event of the trace, if there is room for one."""
    if b.events < b.room:
        row = b.log[b.events]
        row[0], row[1], row[2], row[3], row[4], row[5] = b.state.turn, what, c, d, e, f
        row[6], row[7], row[8], row[9], row[10], row[11] = g, h, i, j, k, m
        b.events += 1
