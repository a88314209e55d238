"""A battle in progress as one record, and what all parts of the kernel do with it: roll dice, write the trace."""

from __future__ import annotations

from collections.abc import Callable
from math import floor
from typing import Any, TypeVar

import numpy as np
from numba import from_dtype, types

from wargamesim.compiled import inlined, inner_as
from wargamesim.dice.stream import philox
from wargamesim.games.coloniale.doctrine import DOCTRINE
from wargamesim.games.coloniale.layout import (
    COIN,
    DESTROYED,
    DESTRUCTIONS,
    FIELDS,
    FIG,
    FORT,
    GOALS,
    GROUND,
    IN_PLAY,
    MOST_FOLLOWERS,
    MOST_UNITS,
    MOST_WAY,
    PLAN,
    SIDE,
    STATE,
    STATUS,
    T_BEGINS,
    TRACE_FIELDS,
)
from wargamesim.games.coloniale.playing import CHOICES, PLAY
from wargamesim.games.coloniale.whereabouts import leaves

F = TypeVar("F", bound=Callable[..., Any])

MOST_EVENTS = 1 << 15
MOST_JOBS = 1 << 10

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
        ("goals", GOALS),
        ("doctrine", DOCTRINE, 2),
        ("plan", PLAN),
        # Of a phase: the units of each side on the table when it began, and those still to be asked, as bits.
        ("units", np.uint64, 2),
        ("waiting", np.uint64, 2),
        ("cannon_hits", np.int64, MOST_UNITS),  # of this phase
        # What an assault brings about, last in first out: what, who, whom, and its kind or who attacked.
        ("jobs", np.int64),
        ("job", np.int64, (MOST_JOBS, 4)),
        # A march: where the leader is, where it was, how many turns to the right its heading has.
        ("at", np.float64, 2),
        ("ways", np.int64),
        ("way", np.float64, (MOST_WAY + MOST_FOLLOWERS + 2, 2)),
        ("crossed", np.int64),
        ("end", np.int64),
        ("ground", GROUND),
        ("log", np.int64, (MOST_EVENTS, TRACE_FIELDS)),
    ],
    align=True,
)
Battle = np.record
_BATTLE: Any = from_dtype(BATTLE)


def on_battle(integers: int, returns: Any = types.void, *, lengths: int = 0) -> Callable[[F], F]:
    """Compile, for compiled callers, a function of a battle and so many integers and lengths, once for all widths."""
    return inner_as(returns(_BATTLE, *[types.int64] * integers, *[types.float64] * lengths))


def option(choice: str, name: str) -> int:
    """Return the index of an option of a reading: see `playing.CHOICES`.

    Examples
    --------
    >>> option("tie", "reroll")
    3
    """
    return CHOICES[choice][1].index(name)


ALTERNATE, FIXED = option("begins", "alternate"), option("begins", "fixed")


@on_battle(3)
def _generate(b: Battle, actor: int, purpose: int, index: int) -> None:
    words = philox(b.key, b.number, b.state.turn, actor, purpose, index)
    b.words[0], b.words[1], b.words[2], b.words[3] = words


@on_battle(4, types.int64)
def roll(b: Battle, actor: int, purpose: int, k: int, sides: int) -> int:
    """Roll one die of this turn: the same as `dice.stream.face`, but neighbouring dice are generated together."""
    block = (((b.state.turn * 256 + actor) * 16 + purpose) << 24) + (k >> 2)
    if block != b.block:
        b.block = block
        _generate(b, actor, purpose, k >> 2)
    word, many, half = b.words[k & 3], np.uint64(sides), np.uint64(32)
    low = ((word & np.uint64(0xFFFFFFFF)) * many) >> half
    return int(np.int64(((word >> half) * many + low) >> half)) + 1


@on_battle(6, types.int64)
def successes(b: Battle, actor: int, purpose: int, first: int, dice: int, sides: int, need: int) -> int:
    """Roll dice `first` and on of an event; return how many show at least `need`."""
    found = 0
    for k in range(first, first + dice):
        if roll(b, actor, purpose, k, sides) >= need:
            found += 1
    return found


@on_battle(11)
def note(b: Battle, what: int, c: int, d: int, e: int, f: int, g: int, h: int, i: int, j: int, k: int, m: int) -> None:
    """Write one event of the trace, if there is room for one."""
    if b.events < b.room:
        row = b.log[b.events]
        row[0], row[1], row[2], row[3], row[4], row[5] = b.state.turn, what, c, d, e, f
        row[6], row[7], row[8], row[9], row[10], row[11] = g, h, i, j, k, m
        b.events += 1


@on_battle(1, types.int64)
def who_begins(b: Battle, phase: int) -> int:
    """Return the side that begins a phase (CO-3.3, CO-P07)."""
    if b.play.begins == ALTERNATE:
        side = (b.goals.first_side + b.state.turn - 1) & 1
    elif b.play.begins == FIXED:
        side = b.goals.first_side
    else:
        side = roll(b, phase, COIN, 0, 2) - 1
    note(b, T_BEGINS, phase, side, -1, -1, -1, -1, -1, -1, -1, -1)
    return int(side)


@on_battle(1)
def destroy(b: Battle, unit: int) -> None:
    """Take a unit without figures from the table (CO-1.5)."""
    row = b.state.unit[unit]
    row[STATUS], row[FIG], row[FORT] = DESTROYED, 0, 0
    leaves(b.state, unit)
    b.state.tally[DESTRUCTIONS + row[SIDE]] += 1


@on_battle(1, types.boolean)
def plays(b: Battle, unit: int) -> bool:
    """Tell whether a unit is on the table."""
    return bool(b.state.unit[unit, STATUS] == IN_PLAY)


@inlined
def thousandths(length: float) -> int:
    """Return a length in thousandths of a cm, as the trace has it."""
    return floor(length * 1000.0 + 0.5)


@on_battle(2)
def copy_unit(b: Battle, source: int, target: int) -> None:
    """Give a unit all fields of another one."""
    for field in range(FIELDS):
        b.state.unit[target, field] = b.state.unit[source, field]
