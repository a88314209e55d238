"""The course of one battle, which all parts of the referee share: its state, dice, trace and what has been told.

The trace: twelve integers an event, ``(turn, kind, ...)``, filled up with -1, in the order of resolution.

========== == ====================================================================================================
INITIATIVE  1 die of the first side, of the second, how often they were rolled again
MOVE        2 unit, what, q, r, front (all after it), steps made, charge, who stopped it, delayed, whom it intercepts
ATTACK      3 attacker, victim, kind (0 shot, 1 melee, 2 charge, 3 at a fleeing unit), attack, die, needed, damage
              (-1 if nobody was hit), loss, share (-1 if not shared), side struck or range band
CAST        4 unit, target, casualties
REMOVED     5 unit, dead before rounding, removed, men left, dead carried over, Leader lost
CHECK       6 unit, Leader 0 or troops 1, morale 0, charge 1 or recovery 2, situations, needed, dice, passed
BROKEN      7 unit, status then
SPLIT       8 unit, new unit, men of both
MERGED      9 unit, who goes on, men, starting men, charisma
TURN_END   10 men on the board first and second, units in order first and second, routed units first and second
RESULT     11 outcome
========== == ====================================================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from wargamesim import records
from wargamesim.dice.stream import face
from wargamesim.games.registry import Event
from wargamesim.games.stirling.doctrine import DOCTRINE
from wargamesim.games.stirling.drawing import draw
from wargamesim.games.stirling.judge import Judge
from wargamesim.games.stirling.layout import PLAN, TRACE_FIELDS
from wargamesim.games.stirling.referee_board import Board, Unit

if TYPE_CHECKING:
    from wargamesim.games.stirling.scenario import Setup

Trace = list[tuple[int, ...]]


class Course:
    """One battle in play.

    Parameters
    ----------
    setup : Setup
        Rules, starting position, doctrines and the names of the units.
    key, battle : int
        Which dice are rolled.

    Attributes
    ----------
    state : State
        The battle as it stands; `board` and `judge` look at it.
    trace : list of tuples of twelve int
        What has happened so far.
    told : list of Event
        What has been told since somebody last listened.
    """

    def __init__(self, setup: Setup, key: int, battle: int) -> None:
        self.setup = setup
        self.names = list(setup.names)
        self.state = records.copy(setup.start)
        self.board = Board(self.state, setup.play)
        self.play, self.reading = self.board.play, self.board.reading
        self.judge = Judge(self.board, self)
        self.doctrines = [records.pack(doctrine, DOCTRINE) for doctrine in setup.doctrines]
        # What players write proposals into, and what an interceptor does.
        self.plan: Any = records.new_record(PLAN)
        self.reply: Any = records.new_record(PLAN)
        self.trace: Trace = []
        self.told: list[Event] = []
        self.turn = 0
        self._phase = self._told_phase = ""
        self._key: Any = np.uint64(key)
        self._battle = battle

    # Dice, tallies, trace and words

    def roll(self, actor: int, purpose: int, k: int, sides: int) -> int:
        """Roll one die of an event."""
        return int(face(self._key, self._battle, self.turn, actor, purpose, k, sides))

    def count(self, what: int, side: int, by: int = 1) -> None:
        """Add to a tally of a side."""
        self.state.tally[what + side] += by

    def note(self, kind: int, *fields: int) -> None:
        """Add an event to the trace."""
        row = (self.turn, kind, *map(int, fields))
        self.trace.append(row + (-1,) * (TRACE_FIELDS - len(row)))

    def begin(self, phase: str) -> None:
        """Begin a phase, which is told as soon as something happens in it."""
        self._phase, self._told_phase = phase, ""

    def tell(self, rule: str, text: str, *, draws: bool = False) -> None:
        """Tell what happened, and by which rule."""
        if self._phase and self._phase != self._told_phase:
            self._told_phase = self._phase
            self.told.append(Event(self.turn, "", "SS-2.4", f"{self._phase}:"))
        board = draw(self.state, self.names) if draws else None
        self.told.append(Event(self.turn, "", rule, text, board))

    def listen(self) -> list[Event]:
        """Return what has been told since this was last asked."""
        told, self.told = self.told, []
        return told

    def name(self, unit: Unit) -> str:
        """Name a unit for people."""
        return self.names[unit.index]

    def all_names(self, units: list[Unit]) -> str:
        """Name several units for people."""
        return ", ".join(map(self.name, units))

    def attacks(self, unit: Unit) -> int:
        """Return the attacks of a unit in this turn."""
        return self.board.attacks(unit, self.turn)

    def doctrine(self, unit: Unit) -> Any:
        """Return what the player of a unit has in mind."""
        return self.doctrines[unit.side]
