"""A battle in progress as one record, and what all parts of the kernel do with it: roll dice, write the trace."""

from __future__ import annotations

from collections.abc import Callable
from math import floor
from typing import Any, TypeVar

import numpy as np
from numba import from_dtype, types

from wargamesim.compiled import inlined, inner_as, njit
from wargamesim.dice.stream import face
from wargamesim.games.skirmish.doctrine import DOCTRINE
from wargamesim.games.skirmish.layout import (
    ACTION_FIELDS,
    GOALS,
    GROUND,
    MOST_FIGURES,
    MOST_SQUADS,
    PLAN,
    STATE,
    TRIES,
    State,
)
from wargamesim.games.skirmish.playing import CHOICES, PLAY

F = TypeVar("F", bound=Callable[..., Any])

# What an event of the trace is about: its second field. The first is the turn.
(
    CARD,
    MORALE_TEST,
    ACTION,
    SHOT,
    HARM,
    FALLING,
    ROUND,
    PAIR,
    RALLIED,
    VOLLEYED,
    SNAPPED,
    SPOTTED,
    PERMITTED,
    BURNT,
    FETCHED,
) = range(1, 16)
TURN_END, OUTCOME = 20, 30
TRACE_FIELDS = 12
MOST_EVENTS = 1 << 16

# One record: a function that gets one pointer is compiled and called faster than one of many parameters, and a nested
# record is a pointer into it. The log is the trace (`np.void` has a method of that name); only its first `room` events
# are ever touched.
BATTLE = np.dtype(
    [
        ("key", np.uint64),
        ("number", np.int64),
        ("events", np.int64),
        ("room", np.int64),
        ("state", STATE),
        ("play", PLAY),
        ("goals", GOALS),
        ("doctrine", DOCTRINE, 2),
        ("plan", PLAN),
        # Of a card: which squads act, why, with how many figures (or by which rank); whether the turn ends with it.
        ("card", np.int64),
        ("queued", np.int64),
        ("queue", np.int64, (4, MOST_SQUADS)),
        ("over", np.int64),
        # 1 if the battle goes on, and nobody has left play or come back since that was seen.
        ("judged", np.int64),
        # What the acting figure does (other players' decisions may overwrite the plan), from where, and the slot of the
        # weapon that it has fired, or -1.
        ("action", np.int64, ACTION_FIELDS),
        ("to", np.float64, 2),
        ("start", np.float64, 2),
        ("fired", np.int64),
        # What the figures of a squad are to do, where they declare it before any of them acts.
        ("declares", np.int64, MOST_FIGURES),
        ("declared", np.int64, (MOST_FIGURES, ACTION_FIELDS)),
        ("declared_to", np.float64, (MOST_FIGURES, 2)),
        # Of a volley: who fires, who is in its zone, how often each of these was hit.
        ("shooters", np.int16, MOST_FIGURES),
        ("zone", np.int16, MOST_FIGURES),
        ("struck", np.int64, MOST_FIGURES),
        # Of a round: the several, the numbers of each pair (the lone figure's first), and whether the pair is compared.
        ("several", np.int16, MOST_FIGURES),
        ("mine", np.int64, MOST_FIGURES),
        ("theirs", np.int64, MOST_FIGURES),
        ("compared", np.int64, MOST_FIGURES),
        # Among whom a victim is drawn, and who has been looked at.
        ("drawn_from", np.int16, MOST_FIGURES),
        ("seen", np.int64, MOST_FIGURES),
        # Whom a figure that arrives may find.
        ("near", np.int16, MOST_FIGURES),
        # Who has fought in the close combats at the end of the turn.
        ("fought", np.int64, MOST_FIGURES),
        ("ground", GROUND),
        ("log", np.int64, (MOST_EVENTS, TRACE_FIELDS)),
    ],
    align=True,
)
Battle = np.record
_BATTLE: Any = from_dtype(BATTLE)


def on_battle(integers: int, returns: Any = types.void) -> Callable[[F], F]:
    """Compile, for compiled callers, a function of a battle and so many integers, once for all widths of these."""
    return inner_as(returns(_BATTLE, *[types.int64] * integers))


def merged(function: F) -> F:
    """Compile as a part of the caller, for functions with one caller.

    Each compiled function costs a quarter of a second, and once more for each caller's caller, as Numba puts the code
    of all callees into a function.
    """
    return njit(nogil=True, error_model="numpy", inline="always")(function)


def option(choice: str, name: str) -> int:
    """Return the index of an option of a reading: see `playing.CHOICES`.

    Examples
    --------
    >>> option("void_aces", "anywhere")
    1
    """
    return CHOICES[choice][1].index(name)


@on_battle(4, types.int64)
def roll(b: Battle, actor: int, purpose: int, k: int, sides: int) -> int:
    """Roll one die of this turn."""
    return face(b.key, b.number, b.state.turn, actor, purpose, k, sides)


@on_battle(11)
def note(b: Battle, what: int, c: int, d: int, e: int, f: int, g: int, h: int, i: int, j: int, k: int, m: int) -> None:
    """Write one event of the trace, if there is room for one."""
    if b.events < b.room:
        row = b.log[b.events]
        row[0], row[1], row[2], row[3], row[4], row[5] = b.state.turn, what, c, d, e, f
        row[6], row[7], row[8], row[9], row[10], row[11] = g, h, i, j, k, m
        b.events += 1


@inlined
def thousandths(length: float) -> int:
    """Return a length in thousandths of a cm, as the trace has it."""
    return floor(length * 1000.0 + 0.5)


@inlined
def who(state: State, figure: int) -> int:
    """Return the key of the dice of a figure's next attempt."""
    return int(figure + MOST_FIGURES * state.figure[TRIES, figure])
