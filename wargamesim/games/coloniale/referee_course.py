"""The course of one battle, which all parts of the referee share: its state, dice, trace and what has been told.

The trace: twelve integers an event, ``(turn, kind, ...)``, filled up with -1; places are thousandths of a cm, rounded
half up. The kinds are those of `layout`.

============ == ====================================================================================================
T_DRAWN       1 unit, discipline
T_NIGHT       2 turns
T_BEGINS      3 phase, side
T_RALLY       4 unit, dice, successes, markers after
T_FIRE        5 unit, target, weapon, dice, need (0 if they are not rolled), hits, markers, cover
T_LEAVE       6 unit, figures lost, figures after, markers after
T_ASSAULT     7 attacker, defender, kind, figures the dice cost each, value of each, bonus, re-rolls, winner
T_AFTER       8 unit, figures, discipline, markers, x, y, status, die of its test, fort
T_MOVE        9 unit, what, other unit, x, y, its figures, the other's, the other's discipline, fort
T_MARCH      10 leader, what, cm rolled (off the road: legs after the first), x, y, followers, end
T_NODE       11 leader, place on the road, die, place wanted, place taken
T_LEG        12 leader, die, effect, errors to the right, x, y
T_FOLLOW     13 follower, x, y
T_TURN_END   14 of both sides: units, figures, markers, zones
T_RESULT     15 outcome
============ == ====================================================================================================
"""

from __future__ import annotations

from collections.abc import Iterable
from math import floor
from typing import TYPE_CHECKING, Any

import numpy as np

from wargamesim import records
from wargamesim.dice.stream import face
from wargamesim.games.coloniale import orders
from wargamesim.games.coloniale.doctrine import DOCTRINE
from wargamesim.games.coloniale.drawing import draw
from wargamesim.games.coloniale.judge import Judge
from wargamesim.games.coloniale.layout import DESTROYED, DESTRUCTIONS, PLAN, SIDES, TRACE_FIELDS
from wargamesim.games.coloniale.referee_table import Place, Table, plain
from wargamesim.games.coloniale.whereabouts import look_anew
from wargamesim.games.registry import Event

if TYPE_CHECKING:
    from wargamesim.games.coloniale.scenario import Setup

Trace = list[tuple[int, ...]]
HALF = ", half "


def milli(centimetres: float) -> int:
    """Return thousandths of a cm, rounded half up."""
    return floor(centimetres * 1000 + 0.5)


def spot(place: Place) -> tuple[int, int]:
    """Return a place in thousandths of a cm."""
    return milli(place[0]), milli(place[1])


def at(place: Place) -> str:
    """Name a place for people."""
    return f"({place[0]:.1f}, {place[1]:.1f})"


def plural(count: int, word: str) -> str:
    """Return a number with its word, such as "1 marker" or "2 markers"."""
    return f"{count} {word}{'' if count == 1 else 's'}"


class Course:
    """One battle in play.

    Parameters
    ----------
    setup : Setup
        Rules, ground, starting position, goals and doctrines.
    key, battle : int
        Which dice are rolled.
    draws : bool
        Whether what is told comes with pictures of the table.

    Attributes
    ----------
    state : State
        The battle as it stands; `table` and `judge` look at it.
    trace : list of tuples of twelve int
        What has happened so far.
    told : list of Event
        What has been told since somebody last listened.
    """

    def __init__(self, setup: Setup, key: int, battle: int, *, draws: bool = True) -> None:
        self.setup, self.names = setup, list(setup.names)
        self.state = records.copy(setup.start)
        self.table = Table(self.state, setup.ground, setup.play)
        self.play, self.reading, self.goals = self.table.play, self.table.reading, plain(setup.goals)
        self.judge = Judge(self.table, self.names, has_movement=bool(self.goals.movement))
        self.plan: Any = records.new_record(PLAN)
        self.trace: Trace = []
        self.told: list[Event] = []
        self.turn, self.side = 0, -1
        self._halved: dict[str, int] = {}
        self._doctrines = [records.pack(doctrine, DOCTRINE) for doctrine in setup.doctrines]
        self._key: Any = np.uint64(key)
        self._battle, self._draws = battle, draws

    # Dice, players, tallies, trace and words

    def roll(self, actor: int, purpose: int, k: int, sides: int) -> int:
        """Roll one die of an event."""
        return int(face(self._key, self._battle, self.turn, actor, purpose, k, sides))

    def rolls(self, actor: int, purpose: int, first: int, count: int, sides: int) -> list[int]:
        """Roll several dice of an event, from number `first` on."""
        return [self.roll(actor, purpose, first + k, sides) for k in range(count)]

    def ask(self, question: str, side: int, *what: int) -> int:
        """Have the player of a side decide; what he proposes stands in the plan, or is the answer."""
        player = getattr(orders, question)
        setup = self.setup
        look_anew(self.state)
        answer = player(self.state, setup.ground, setup.play, self._doctrines[side], setup.goals, self.plan, *what)
        return 0 if answer is None else int(answer)

    def tally(self, what: int, side: int, by: int = 1) -> None:
        """Add to a tally of a side."""
        self.state.tally[what + side] += by

    def note(self, kind: int, *fields: int) -> None:
        """Add an event to the trace."""
        row = (self.turn, kind, *map(int, fields))
        self.trace.append(row + (-1,) * (TRACE_FIELDS - len(row)))

    def tell(self, rule: str, text: str, *, draws: bool = False) -> None:
        """Tell what happened, by which rule."""
        side = SIDES[self.side] if self.side >= 0 else ""
        board = draw(self.state, self.setup.ground, self.names) if draws and self._draws else None
        self.told.append(Event(self.turn, side, rule, text, board))

    def listen(self) -> list[Event]:
        """Return what has been told since this was last asked."""
        told, self.told = self.told, []
        return told

    def name(self, unit: int) -> str:
        """Name a unit for people."""
        return self.names[unit]

    def all_names(self, units: Iterable[int]) -> str:
        """Name several units for people."""
        return ", ".join(self.name(unit) for unit in units) or "nobody"

    # What befalls units

    def new_half(self, unit: int) -> None:
        """Name the last unit as one that was divided off another; what keeps the commander keeps the name."""
        name = self.names[unit].partition(HALF)[0]
        self._halved[name] = self._halved.get(name, 1) + 1
        self.names.append(f"{name}{HALF}{self._halved[name]}")

    def lose(self, unit: int, figures: int, tally: int) -> int:
        """Take figures off a unit, at most all; return how many left."""
        lost = min(figures, int(self.table.fig[unit]))
        self.table.fig[unit] -= lost
        self.tally(tally, int(self.table.side[unit]), lost)
        return lost

    def destroy_if_empty(self, unit: int) -> bool:
        """Remove a unit without figures (CO-1.5); return whether it was removed now."""
        table = self.table
        if table.fig[unit] > 0 or not table.is_in_play(unit):
            return False
        table.status[unit], table.fort[unit] = DESTROYED, 0
        self.tally(DESTRUCTIONS, int(table.side[unit]))
        return True
