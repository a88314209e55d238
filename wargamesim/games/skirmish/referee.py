"""One skirmish played literally, rule by rule, in plain Python: what `replay` shows, and the oracle of the fast kernel.

The players (`orders`), the dice and the layout of records are shared with the compiled implementation; no rule is.
Every proposal of a player is judged by this side's own reading (`judge`) before it is carried out. The parts stand in
`referee_fire`, `referee_volley`, `referee_melee`, `referee_move`, `referee_nerve` and `referee_act`, the deck in
`referee_cards`, the end in `referee_ending`; the trace is described in `referee_course`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wargamesim.errors import IllegalAction
from wargamesim.games.registry import Event
from wargamesim.games.skirmish.drawing import LEGEND
from wargamesim.games.skirmish.layout import OUTCOMES
from wargamesim.games.skirmish.referee_cards import Cards
from wargamesim.games.skirmish.referee_course import OUTCOME, Course
from wargamesim.games.skirmish.referee_ending import end_of_turn, judge_end

if TYPE_CHECKING:
    from wargamesim.games.skirmish.scenario import Setup


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
    >>> from wargamesim.games.skirmish.scenario import compile_setup, load_scenario
    >>> from wargamesim.rulebook import load_rulebook
    >>> setup = compile_setup(load_rulebook("nordamerica"), load_scenario("line_against_line"))
    >>> event = next(referee(setup, key=1, battle=0))
    >>> event.turn, event.text
    (0, 'the forces are on the table: 9 figures against 9')
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
    >>> from wargamesim.games.skirmish.scenario import compile_setup, load_scenario
    >>> from wargamesim.rulebook import load_rulebook
    >>> setup = compile_setup(load_rulebook("nordamerica"), load_scenario("line_against_line"))
    >>> judged = judge_battle(setup, key=1, battle=0)
    >>> judged["trace"][-1][1:3] == (OUTCOME, judged["outcome"])
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
        self.cards = Cards(self.course)
        self.outcome = -1
        self._battle = battle

    def play(self) -> Iterator[Event]:
        """Play to the end."""
        course = self.course
        sizes = [len(course.table.in_play(side)) for side in (0, 1)]
        course.tell("scenario", f"the forces are on the table: {sizes[0]} figures against {sizes[1]}", draws=True)
        yield from self._with_legend(course.listen())
        while self.outcome < 0:
            course.turn += 1
            try:
                yield from self._turn()
            except IllegalAction as error:
                yield from course.listen()
                reason = f"{error.reason} (battle {self._battle}, turn {course.turn})"
                raise IllegalAction(error.rule, reason) from None
        course.note(OUTCOME, self.outcome)
        course.side = -1
        course.tell("scenario", f"outcome: {OUTCOMES[self.outcome].replace('_', ' ')}", draws=True)
        yield from course.listen()

    def _turn(self) -> Iterator[Event]:
        course = self.course
        course.state.turn = course.turn
        for last in self.cards.turn():
            yield from course.listen()
            if last:
                self.outcome = judge_end(course)
                if self.outcome >= 0:
                    return
        course.side = -1
        self.outcome = end_of_turn(course)
        yield from course.listen()

    @staticmethod
    def _with_legend(events: list[Event]) -> Iterator[Event]:
        for event in events:
            yield replace(event, board="\n".join((event.board, *LEGEND)) if event.board else None)
