"""The course of one battle, which all parts of the referee share: its state, dice, trace and what has been told.

The trace: twelve integers an event, ``(turn, WHAT, ...)``, filled up with -1; places and distances are thousandths of
a cm, rounded half up. What a figure does is noted last, after all that it caused.

========= == ====================================================================================================
CARD       1 card, 0 void or 1 effective; before what it brings
MORALE     2 figure, die, total, 0 steady, 1 pinned or 2 rout
ACTION     3 figure, what, target (or what it grabs), slot, run, posture, x, y, hide, exit
SHOT       4 figure, target, slot, distance, misfire die, die, total, 0 miss, 1 misfire, 2 fumble or 3 hit, victim,
             cover
RESULT     5 victim, die, total, 1 killed, 2 wounded or 3 near miss, status then, wounds then
FALL       6 figure, die, total, 0 stood or 1 fell, 0 run, 1 ford or 2 evasion
ROUND      7 who began it, the lone figure, how many against it, evaded, captured
PAIR       8 lone, other, its total, the other's, rolls, loser
RALLY      9 figure, die, total, success, x, y
VOLLEY    10 squad, shooters, enemies in the zone, hits, 0 volley, 1 blind volley or 2 blind fire
SNAP      11 figure, die, success
SPOTTED   12 figure, by whom
PERMISSION 13 figure, die, total, success
ARSON     14 figure, die, success, house set on fire or 0
FETCHED   15 figure, slot of the weapon it has thrown and picks up
TURN_END  20 lost first and second, with a blue marker first and second, in play first and second
OUTCOME   30 outcome
========= == ====================================================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from wargamesim import records
from wargamesim.dice.stream import face
from wargamesim.games.registry import Event
from wargamesim.games.skirmish.doctrine import DOCTRINE
from wargamesim.games.skirmish.drawing import draw
from wargamesim.games.skirmish.judge import Judge
from wargamesim.games.skirmish.layout import (
    CAPTURED,
    DEAD,
    KILLED,
    LOAD_0,
    MOST_FIGURES,
    PLAN,
    PRISONERS,
    ROUTED,
    ROUTS,
    SIDES,
    SPENT,
)
from wargamesim.games.skirmish.referee_ground import Place, plain
from wargamesim.games.skirmish.referee_table import Table

if TYPE_CHECKING:
    from wargamesim.games.skirmish.scenario import Setup

Trace = list[tuple[int, ...]]
LENGTH = 12
(
    *(CARD, MORALE, ACTION, SHOT, RESULT, FALL, ROUND, PAIR, RALLIED, VOLLEYED, SNAPPED, SPOTTED, PERMITTED, BURNT),
    FETCHED,
) = range(1, 16)
TURN_END, OUTCOME = 20, 30


def milli(centimetres: float) -> int:
    """Return thousandths of a cm, rounded half up."""
    return floor(centimetres * 1000 + 0.5)


def rolled(sides: int, die: int, told: Sequence[tuple[str, int]] = ()) -> str:
    """Write a die and its modifiers as people do.

    Examples
    --------
    >>> rolled(6, 3, [("leader near", 1)])
    'D6 3 + 1 (leader near) = 4'
    """
    text = f"D{sides} {die}" + "".join(f" {'+' if p > 0 else '-'} {abs(p)} ({words})" for words, p in told)
    return f"{text} = {die + sum(p for _, p in told)}" if told else text


def faces_of(faces: int) -> str:
    """Write the faces of a die, which are bits of a word, as people do.

    Examples
    --------
    >>> faces_of(1 << 2 | 1 << 4 | 1 << 6)
    '2, 4 or 6'
    """
    *others, last = [str(face) for face in range(faces.bit_length()) if faces >> face & 1]
    return f"{', '.join(others)} or {last}" if others else last


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
        self.setup, self.names = setup, setup.names
        self.state = records.copy(setup.start)
        self.table = Table(self.state, setup.ground, setup.play)
        self.play, self.reading, self.goals = self.table.play, self.table.reading, plain(setup.goals)
        self.judge = Judge(self.table, setup.names, self.goals.exit_edge)
        self.doctrines = [records.pack(doctrine, DOCTRINE) for doctrine in setup.doctrines]
        self.plan: Any = records.new_record(PLAN)
        self.trace: Trace = []
        self.told: list[Event] = []
        self.turn, self.side = 0, -1
        self._key: Any = np.uint64(key)
        self._battle, self._draws = battle, draws

    # Dice, tallies, trace and words

    def roll(self, who: int, purpose: int, k: int, sides: int) -> int:
        """Roll one die of an event."""
        return int(face(self._key, self._battle, self.turn, who, purpose, k, sides))

    def who(self, figure: int) -> int:
        """Return the key of the dice of a figure's next attempt to act."""
        return figure + MOST_FIGURES * int(self.table.tries[figure])

    def count(self, what: int, side: int, by: int = 1) -> None:
        """Add to a tally of a side."""
        self.state.tally[what + side] += by

    def note(self, what: int, *fields: int) -> None:
        """Add an event to the trace."""
        row = (self.turn, what, *map(int, fields))
        self.trace.append(row + (-1,) * (LENGTH - len(row)))

    def tell(self, topic: str, text: str, *, draws: bool = False) -> None:
        """Tell what happened, by the rule about a topic."""
        side = SIDES[self.side] if self.side >= 0 else ""
        board = None
        if draws and self._draws:
            captives = self.reading["prisoner"] != "leaves_play"
            board = draw(self.state, self.setup.ground, self.names, captives=captives)
        self.told.append(Event(self.turn, side, self.table.rule(topic), text, board))

    def listen(self) -> list[Event]:
        """Return what has been told since this was last asked."""
        told, self.told = self.told, []
        return told

    def name(self, figure: int) -> str:
        """Name a figure for people."""
        return self.names[figure]

    def weapon(self, figure: int, slot: int) -> str:
        """Name a figure's weapon for people."""
        return self.setup.weapons[int(self.table.weapon[slot][figure])].replace("_", " ")

    def all_names(self, figures: Sequence[int]) -> str:
        """Name several figures for people."""
        return ", ".join(self.name(f) for f in figures) or "nobody"

    def doctrine(self, figure: int) -> Any:
        """Return what the player of a figure has in mind."""
        return self.doctrines[int(self.table.side[figure])]

    # What befalls figures

    def lose(self, figure: int, status: int) -> None:
        """Take a figure out of play: dead, routed, captured; it lets go of what it drags."""
        self.table.status[figure] = status
        self.let_go(figure)
        tally = {DEAD: KILLED, ROUTED: ROUTS, CAPTURED: PRISONERS}.get(status)
        if tally is not None:
            self.count(tally, int(self.table.side[figure]))

    def let_go(self, figure: int) -> None:
        """Leave what a figure drags where it is."""
        dragged = int(self.table.drags[figure])
        if dragged >= LOAD_0:
            self.state.dragger[dragged - LOAD_0] = -1
        self.table.drags[figure] = -1

    def spread(self, figure: int) -> list[int]:
        """Shake the friends who see a figure fall close by; return those who have a marker now (NA-5.3, RI-5.3)."""
        table, radius = self.table, self.play.spread_radius
        shaken = [f for f in table.friends(figure) if table.is_within(f, figure, radius) and table.sees(f, figure)]
        for f in shaken:
            table.blue[f] = 1
        return shaken

    def shaken(self, figures: Sequence[int]) -> str:
        """Say who is shaken, as the end of a sentence."""
        return f"; shaken: {self.all_names(figures)}" if figures else ""

    def turn_to(self, figure: int, place: Place) -> None:
        """Let a figure face a place; nothing if it stands there."""
        table = self.table
        x, y = table.place(figure)
        dx, dy = place[0] - x, place[1] - y
        away = sqrt(dx * dx + dy * dy)
        if away > 0:
            table.face_x[figure], table.face_y[figure] = dx / away, dy / away

    def discharge(self, figure: int, slot: int, misfired: bool) -> None:
        """Empty a weapon and place its marker (NA-5.8, RI-5.8, RI-6.4)."""
        table = self.table
        if not table.is_firearm(figure, slot):
            if self.reading["thrown_away"] != "unlimited":
                table.loading[slot][figure] = SPENT
                self.change_arms(figure)
            return
        repeats = table.capacity[slot][figure] > 1
        if not (repeats and misfired):
            table.rounds[slot][figure] -= 1
        if misfired or table.rounds[slot][figure] == 0:
            self.mark_empty(figure, slot, one_step=misfired and self.reading["misfire_marker"] == "one_step")

    def change_arms(self, figure: int) -> None:
        """Let a figure fight on without the weapon that it has thrown, or with it again (NA-4.23)."""
        table = self.table
        table.melee_die[figure], table.other_die[figure] = int(table.other_die[figure]), int(table.melee_die[figure])

    def mark_empty(self, figure: int, slot: int, *, one_step: bool = False) -> None:
        """Place the marker of an empty weapon; one that needs no action to reload is full at once."""
        table = self.table
        start = int(table.start[slot][figure])
        table.loading[slot][figure] = min(1, start) if one_step else start
        if start == 0:
            table.rounds[slot][figure] = table.capacity[slot][figure]
        other = 1 - slot
        if self.reading["markers"] == "per_figure" and table.is_firearm(figure, other):
            larger = max(int(table.loading[0][figure]), int(table.loading[1][figure]))
            table.loading[0][figure] = table.loading[1][figure] = larger
