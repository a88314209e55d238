"""One battle played literally, rule by rule, in plain Python: what `replay` shows, and the oracle of the fast kernel.

The players (`orders`), the dice and the layout of records are shared with the compiled implementation; no rule is.
Every proposal of a player is judged by this side's own reading (`judge`) before it is carried out. The parts stand in
`referee_ranged`, `referee_move`, `referee_flight`, `referee_forms`, `referee_melee`, `referee_morale` and
`referee_ending`, what they share in `referee_board`, `referee_strike` and `referee_loss`; the trace is described in
`referee_course`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from wargamesim.errors import IllegalAction
from wargamesim.games.registry import Event
from wargamesim.games.stirling.drawing import LEGEND
from wargamesim.games.stirling.layout import FIRST_OF_TURN, HURT, LOSS, STERILE
from wargamesim.games.stirling.referee_course import Course
from wargamesim.games.stirling.referee_ending import close, end_of_turn, is_sterile
from wargamesim.games.stirling.referee_melee import melee_phase
from wargamesim.games.stirling.referee_morale import morale_phase, recovery_phase
from wargamesim.games.stirling.referee_move import initiative, movement_phase
from wargamesim.games.stirling.referee_ranged import ranged_phase

if TYPE_CHECKING:
    from wargamesim.games.stirling.scenario import Setup

Phase = tuple[str, Callable[[Course], None]]

INITIATIVE: Phase = ("initiative", initiative)
RANGED: Phase = ("ranged combat", ranged_phase)
MOVEMENT: Phase = ("movement", movement_phase)
MELEE: Phase = ("melee", melee_phase)
MORALE: Phase = ("morale", morale_phase)
RECOVERY: Phase = ("recovery", recovery_phase)
# SS-2.4, SS-P05.
PHASES = {
    "as_chapters": (INITIATIVE, RANGED, MOVEMENT, MELEE, MORALE, RECOVERY),
    "move_first": (INITIATIVE, MOVEMENT, RANGED, MELEE, MORALE, RECOVERY),
    "recovery_first": (RECOVERY, INITIATIVE, RANGED, MOVEMENT, MELEE, MORALE),
}


def referee(setup: Setup, key: int, battle: int) -> Iterator[Event]:
    """Play one battle and tell what happens as it happens.

    Parameters
    ----------
    setup : Setup
        Rules, starting position, doctrines and names.
    key : int
        The key of the experiment's dice (`wargamesim.dice.keys.battle_key`).
    battle : int
        The number of the battle, at least 0.

    Yields
    ------
    Event
        Each with the id of the rule it follows; the first, and the end of each turn, with a picture of the board.

    Raises
    ------
    IllegalAction
        If a doctrine's player proposes what the rules forbid.

    Examples
    --------
    >>> from wargamesim.games.stirling.scenario import compile_setup, load_scenario, scenarios
    >>> from wargamesim.rulebook import load_rulebook
    >>> setup = compile_setup(load_rulebook("stirling"), load_scenario(scenarios()[0]))
    >>> event = next(referee(setup, key=1, battle=0))
    >>> event.turn, event.rule
    (0, 'SS-1.1')
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
    >>> from wargamesim.games.stirling.layout import T_RESULT
    >>> from wargamesim.games.stirling.scenario import compile_setup, load_scenario, scenarios
    >>> from wargamesim.rulebook import load_rulebook
    >>> setup = compile_setup(load_rulebook("stirling"), load_scenario(scenarios()[0]))
    >>> judged = judge_battle(setup, key=1, battle=0)
    >>> judged["trace"][-1][1:3] == (T_RESULT, judged["outcome"])
    True
    """
    played = Battle(setup, key, battle)
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

    Attributes
    ----------
    course : Course
        Its state, dice and trace.
    outcome : int
        Index in OUTCOMES, -1 while it goes on.
    """

    def __init__(self, setup: Setup, key: int, battle: int) -> None:
        self.course = Course(setup, key, battle)
        self.outcome = -1
        self._battle = battle

    def play(self) -> Iterator[Event]:
        """Play to the end."""
        course = self.course
        for unit in course.board.units:
            unit.left = unit.men
        size = f"{course.board.cols} columns and {course.board.rows} rows"
        course.tell(
            "SS-1.1", f"the armies are drawn up on {size} of hexes: {' against '.join(self._forces())}", draws=True
        )
        yield from self._with_legend(course.listen())
        if is_sterile(course):
            self.outcome = STERILE
        while self.outcome < 0:
            course.turn += 1
            course.state.turn = course.turn
            try:
                yield from self._turn()
            except IllegalAction as error:
                yield from course.listen()
                reason = f"{error.reason} (battle {self._battle}, turn {course.turn})"
                raise IllegalAction(error.rule, reason) from None
        close(course, self.outcome)
        yield from course.listen()

    def _turn(self) -> Iterator[Event]:
        course = self.course
        for unit in course.board.units:
            unit.row[FIRST_OF_TURN:] = unit.row[LOSS] = unit.row[HURT] = 0
            unit.leader_gone = unit.commander_gone = 0
            unit.left = unit.men
        for name, phase in PHASES[course.reading["phases"]]:
            if course.state.movement or phase not in (initiative, movement_phase):
                course.begin(name)
                phase(course)
                yield from course.listen()
        self.outcome = end_of_turn(course)
        yield from course.listen()

    def _forces(self) -> Iterator[str]:
        for side in (0, 1):
            men = [unit.men for unit in self.course.board.here() if unit.side == side]
            yield f"{sum(men)} men ({len(men)} unit{'s' * (len(men) != 1)})"

    @staticmethod
    def _with_legend(events: list[Event]) -> Iterator[Event]:
        for event in events:
            board = "\n".join((event.board or "", *LEGEND))
            yield Event(event.turn, event.side, event.rule, event.text, board)
