"""One battle played literally, rule by rule, in plain Python: what `replay` shows, and the oracle of the fast kernel.

The players (`orders`), the dice and the layout of records are shared with the compiled implementation; no rule is.
Every proposal of a player is judged by this side's own reading (`judge`) before it is carried out. The phases stand in
`referee_fire`, `referee_assault` (with `referee_retreat`), `referee_move` and `referee_march` (with `referee_column`,
`referee_road` and `referee_off_road`), the end in `referee_ending`; the trace is described in `referee_course`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from wargamesim.errors import IllegalAction
from wargamesim.games.coloniale.drawing import LEGEND
from wargamesim.games.coloniale.layout import (
    BATTERY,
    CAVALRY,
    COIN,
    DISCIPLINE,
    FIRST,
    FIRST_OF_TURN,
    NIGHT,
    OUTCOMES,
    PHASE_B,
    PHASE_C,
    PHASE_D,
    PHASE_E,
    SECOND,
    SIDES,
    T_BEGINS,
    T_DRAWN,
    T_NIGHT,
    T_RESULT,
)
from wargamesim.games.coloniale.referee_assault import assault_phase
from wargamesim.games.coloniale.referee_course import Course, plural
from wargamesim.games.coloniale.referee_ending import end_of_turn, figures_of, sum_up
from wargamesim.games.coloniale.referee_fire import FirePhase, rally
from wargamesim.games.coloniale.referee_march import MarchPhase
from wargamesim.games.coloniale.referee_move import MovePhase
from wargamesim.games.registry import Event

if TYPE_CHECKING:
    from wargamesim.games.coloniale.scenario import Setup

PHASES = {PHASE_B: "fire", PHASE_C: "assault", PHASE_D: "tactical move", PHASE_E: "strategic move"}


def referee(setup: Setup, key: int, battle: int) -> Iterator[Event]:
    """Play one battle and tell what happens as it happens.

    Parameters
    ----------
    setup : Setup
        Rules, ground, starting position, goals and doctrines.
    key : int
        The key of the experiment's dice (`wargamesim.dice.keys.battle_key`).
    battle : int
        The number of the battle, at least 0.

    Yields
    ------
    Event
        Each with the id of the rule it follows; the first, and the last of each turn, with a picture of the table.

    Raises
    ------
    IllegalAction
        If a doctrine's player proposes what the rules forbid.

    Examples
    --------
    >>> from wargamesim.games.coloniale.scenario import compile_setup, load_scenario
    >>> from wargamesim.rulebook import load_rulebook
    >>> setup = compile_setup(load_rulebook("coloniale"), load_scenario("two_units"))
    >>> event = next(referee(setup, key=1, battle=0))
    >>> event.turn, event.rule, event.text[:24]
    (0, 'CO-8.1', 'the armies are in place:')
    """
    return Battle(setup, key, battle).play()


def judge_battle(setup: Setup, key: int, battle: int) -> dict[str, Any]:
    """Play one battle and return what the kernel would, and its trace.

    Parameters
    ----------
    setup, key, battle
        As in `referee`.

    Returns
    -------
    dict
        ``outcome`` (index in OUTCOMES), ``turns`` (int), ``tally`` (list of TALLIES int), ``trace`` (list of tuples of
        twelve int, see `referee_course`) and ``state`` (the record at the end).

    Examples
    --------
    >>> from wargamesim.games.coloniale.scenario import compile_setup, load_scenario
    >>> from wargamesim.rulebook import load_rulebook
    >>> setup = compile_setup(load_rulebook("coloniale"), load_scenario("two_units"))
    >>> judged = judge_battle(setup, key=1, battle=0)
    >>> judged["trace"][-1][1:3] == (T_RESULT, judged["outcome"])
    True
    """
    played = Battle(setup, key, battle, draws=False)
    for _ in played.play():
        pass
    course = played.course
    return {
        "outcome": played.outcome,
        "turns": course.turn,
        "tally": course.state.tally.tolist(),
        "trace": course.trace,
        "state": course.state,
    }


class Phase(Protocol):
    """A phase in which the sides take turns, one unit each."""

    def can(self, unit: int) -> bool:
        """Tell whether a unit in play can do something in it."""
        ...

    def act(self, unit: int) -> None:
        """Ask its player what the unit does, and do it."""
        ...


class Battle:
    """One battle in play.

    Parameters
    ----------
    setup, key, battle
        As in `referee`.
    draws : bool
        Whether events come with pictures of the table.

    Attributes
    ----------
    course : Course
        Its state, dice and trace.
    outcome : int
        Index in OUTCOMES, -1 while it goes on.
    """

    def __init__(self, setup: Setup, key: int, battle: int, *, draws: bool = True) -> None:
        self.course = Course(setup, key, battle, draws=draws)
        self.outcome = -1
        self._battle = battle

    def play(self) -> Iterator[Event]:
        """Play to the end."""
        course = self.course
        self._draw_disciplines()
        sizes = (
            f"{plural(len(course.table.in_play(side)), 'unit')} with {plural(figures_of(course, side), 'figure')}"
            for side in (FIRST, SECOND)
        )
        course.tell("CO-8.1", f"the armies are in place: {' against '.join(sizes)}", draws=True)
        opening = course.listen()
        opening[-1] = replace(opening[-1], board="\n".join((opening[-1].board or "", *LEGEND)))
        yield opening.pop()
        yield from opening
        while self.outcome < 0:
            course.turn += 1
            try:
                yield from self._turn()
            except IllegalAction as error:
                yield from course.listen()
                reason = f"{error.reason} (battle {self._battle}, turn {course.turn})"
                raise IllegalAction(error.rule, reason) from None
        sum_up(course)
        course.note(T_RESULT, self.outcome)
        course.side = -1
        course.tell("CO-8.4", f"outcome: {OUTCOMES[self.outcome].replace('_', ' ')}")
        yield from course.listen()

    def _draw_disciplines(self) -> None:
        """Draw the discipline of units that have none yet (CO-1.4)."""
        course, table, play = self.course, self.course.table, self.course.play
        for unit in table.in_play():
            if table.disc[unit]:
                continue
            quality, arm = int(table.quality[unit]), int(table.arm[unit])
            number = course.roll(unit, DISCIPLINE, 0, play.by_quality[quality])
            points = play.quality[quality][number - 1]
            if arm == CAVALRY:
                points += play.cavalry[course.roll(unit, DISCIPLINE, 1, play.by_cavalry) - 1]
            if arm == BATTERY:
                points += play.battery
            points += play.veteran * int(table.veteran[unit]) + play.fanatic * int(table.fanatic[unit])
            table.disc[unit] = table.disc0[unit] = min(max(points, play.least), play.most)
            course.side = int(table.side[unit])
            course.note(T_DRAWN, unit, table.disc[unit])
            course.tell("CO-1.4", f"{course.name(unit)} has discipline {int(table.disc[unit])}")
        course.side = -1

    def _turn(self) -> Iterator[Event]:
        course, state = self.course, self.course.state
        state.turn = course.turn
        state.unit[:, FIRST_OF_TURN:] = 0
        self._fall_of_night()
        is_day = not state.night
        rally(course)
        if is_day:
            fire = FirePhase(course)
            self._take_turns(PHASE_B, fire)
            fire.end()
        assault_phase(course, self._begins(PHASE_C))
        yield from course.listen()
        if is_day and course.goals.movement:
            self._take_turns(PHASE_D, MovePhase(course))
            self._take_turns(PHASE_E, MarchPhase(course))
        course.side = -1
        self.outcome = end_of_turn(course)
        if state.nights > 0:
            state.nights -= 1
        yield from course.listen()

    def _fall_of_night(self) -> None:
        """Begin the night when its turn has come, and say whether it is night (CO-8.2)."""
        course, state, play = self.course, self.course.state, self.course.play
        course.side = -1
        if course.turn == course.goals.night_from:
            turns = play.night[course.roll(0, NIGHT, 0, play.nights) - 1]
            state.nights = turns
            course.note(T_NIGHT, turns)
            course.tell("CO-8.2", f"night falls for {plural(turns, 'turn')}")
        state.night = int(state.nights > 0)

    def _begins(self, phase: int) -> int:
        """Return which side begins a phase (CO-P07)."""
        course, goals = self.course, self.course.goals
        if course.reading["begins"] == "coin":
            side = course.roll(phase, COIN, 0, 2) - 1
        elif course.reading["begins"] == "alternate":
            side = (goals.first_side + course.turn - 1) % 2
        else:
            side = goals.first_side
        course.side = -1
        course.note(T_BEGINS, phase, side)
        course.tell("CO-P07", f"{PHASES[phase]} phase: the {SIDES[side]} side begins")
        return int(side)

    def _take_turns(self, phase: int, acting: Phase) -> None:
        """Let the sides play their units by turns, each once; who has none left is passed over (CO-3.3)."""
        course, table = self.course, self.course.table
        side = self._begins(phase)
        waiting = {each: table.in_play(each) for each in (FIRST, SECOND)}
        while waiting[FIRST] or waiting[SECOND]:
            while waiting[side]:
                unit = waiting[side].pop(0)
                if table.is_in_play(unit) and acting.can(unit):
                    course.side = side
                    acting.act(unit)
                    break
            side = 1 - side
