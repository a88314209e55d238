"""The movement phase: who moves when, moves, interceptions, charges and flights (sections 5 and 6)."""

from __future__ import annotations

from typing import Any

from wargamesim.games.stirling import orders
from wargamesim.games.stirling.judge import Move
from wargamesim.games.stirling.layout import (
    ADVANCE,
    CHARGED,
    CHARGES,
    DESTROYED,
    FLEE,
    INITIATIVE,
    INTERCEPTIONS,
    ROUTED,
    RUN,
    SPLIT,
    STAY,
    STEP_BACK,
    STOP,
    T_INITIATIVE,
    T_MOVE,
)
from wargamesim.games.stirling.referee_board import DIRECTIONS, Unit, shown, trail
from wargamesim.games.stirling.referee_course import Course
from wargamesim.games.stirling.referee_flight import attacks_from_behind, way_out
from wargamesim.games.stirling.referee_forms import merge, split
from wargamesim.games.stirling.referee_loss import disperse, settle_all
from wargamesim.games.stirling.referee_morale import check

WENT = ("stood", "walked", "ran", "advanced", "stepped back", "fled", "stood")


def initiative(course: Course) -> None:
    """Let both sides roll for the order of movement, until their dice differ (SS-5.2)."""
    k = 0
    while True:
        dice = [course.roll(side, INITIATIVE, k, course.play.initiative_die) for side in (0, 1)]
        if dice[0] != dice[1]:
            break
        k += 1
    course.state.die[:] = dice
    course.note(T_INITIATIVE, *dice, k)
    again = f" (equal {k} time{'s' * (k > 1)} before)" if k else ""
    course.tell("SS-5.2", f"dice of initiative: first side {dice[0]}, second side {dice[1]}{again}")


def movement_phase(course: Course) -> None:
    """Let all units move in their order (SS-5.3)."""
    Movement(course).play()


def rank(course: Course, unit: Unit) -> tuple[int, int]:
    """Return how fast a unit is, the larger the faster: by MOV, then by its side's die (SS-5.2, SS-P24)."""
    die = int(course.state.die[unit.side])
    return unit.mov, -die if course.reading["low_first"] == "low_moves_first" else die


class Movement:
    """One movement phase.

    Parameters
    ----------
    course : Course
    """

    def __init__(self, course: Course) -> None:
        self.course, self.board, self.judge = course, course.board, course.judge
        course.state.vacated = 0
        for unit in self.board.here():
            unit.engaged = int(self.board.is_engaged(unit))
        self.order = sorted(self.board.here(), key=lambda unit: (*(-part for part in rank(course, unit)), unit.index))
        self._late = sorted(self.order, key=lambda unit: (unit.mov, int(course.state.die[unit.side]), unit.index))

    def play(self) -> None:
        """From the fastest down each unit moves or delays, then the delayed ones from the slowest up."""
        by_side = [False, False]
        if self.course.reading["side_delays"] == "faction":
            by_side = [bool(orders.delay_side(*self._asked(side), side)) for side in (0, 1)]
        for unit in self.order:
            if unit.is_here and not unit.moved:
                if unit.is_ordered and self._delays(unit, by_side):
                    unit.delayed = 1
                else:
                    self._turn(unit)
        for unit in self._late:
            if unit.delayed and unit.is_here and not unit.moved:
                self._turn(unit)
        settle_all(self.course)

    def _asked(self, side: int) -> tuple[Any, Any, Any, Any]:
        """What every player is given."""
        course = self.course
        return course.state, course.setup.play, course.doctrines[side], course.plan

    def _delays(self, unit: Unit, by_side: list[bool]) -> bool:
        if self.course.reading["side_delays"] == "faction":
            return by_side[unit.side]
        return bool(orders.delay(*self._asked(unit.side), unit.index))

    def _turn(self, unit: Unit) -> None:
        if unit.status == ROUTED:
            self._flee(unit)
            return
        orders.move(*self._asked(unit.side), unit.index)
        move = Move.of(self.course.plan)
        self.judge.judge_move(unit, move)
        unit.moved = 1
        if move.what == FLEE:
            self._flee(unit)
        elif move.what == SPLIT:
            self._note(unit, move, 0)
            split(self.course, unit, move)
        else:
            self._go(unit, move)

    # Moves

    def _go(self, unit: Unit, move: Move) -> None:
        """Carry out a move, unless and until it is intercepted."""
        met = self._interceptor(unit, move)
        if met is not None:
            self._stop(unit, move, *met)
            return
        untold = not move.path and move.to_front == unit.front
        self._place(unit, move, move.path)
        if move.charge:
            self.judge.judge_charge(unit, move.what, move.path)
        self._note(unit, move, len(move.path), charge=move.charge, untold=untold)
        if move.charge:
            self._charge(unit)
        if move.merge >= 0:
            merge(self.course, unit, self.board.units[move.merge])

    def _place(self, unit: Unit, move: Move, made: tuple[int, ...], *, stopped: bool = False) -> None:
        """Put a unit where its steps have brought it; one that was stopped has not turned there (SS-5.5, SS-6.1)."""
        if made and move.what in (STEP_BACK, FLEE):
            self.board.vacate(unit)
        for place in trail(unit.hex, made):
            unit.hex = place
        unit.steps_made = len(made)
        unit.ran |= move.what == RUN
        if move.what == FLEE:
            unit.front = made[-1]
        elif move.what != STEP_BACK and not stopped:
            unit.front = move.to_front
        elif move.what != STEP_BACK and self.course.reading["any_direction"] == "through_front":
            unit.front = made[-1]

    def _note(
        self,
        unit: Unit,
        move: Move,
        made: int,
        *,
        charge: int = 0,
        stopper: Unit | None = None,
        met: Unit | None = None,
        untold: bool = False,
    ) -> None:
        """Note what became of a move, and tell it unless nothing did."""
        course, what = self.course, move.what
        by, whom = (other.index if other else -1 for other in (stopper, met))
        course.note(T_MOVE, unit.index, what, *unit.hex, unit.front, made, bool(charge), by, unit.delayed, whom)
        if untold:
            return
        rule = {ADVANCE: "SS-5.7", STEP_BACK: "SS-5.7", FLEE: "SS-5.8", STAY: "SS-5.4", SPLIT: "SS-6.2"}.get(
            what, "SS-5.1"
        )
        name = course.name(unit) + (", who had waited," if unit.delayed and not met else "")
        text = f"{name} {WENT[what] if made else 'stood'} {'to' if made else 'at'} {shown(unit.hex)}"
        if what == FLEE and not made:
            rule, text = "SS-5.9", f"{name} had nowhere to flee and stayed at {shown(unit.hex)}"
        text += f", facing {DIRECTIONS[unit.front]}"
        if met:
            rule, text = "SS-6.1", f"{text}, and intercepted {course.name(met)}"
        if stopper:
            rule = "SS-6.1"
            text += f", stopped by {course.name(stopper)} after {made} of {len(move.path)} steps"
        course.tell(rule, text)

    def _charge(self, unit: Unit) -> None:
        """Declare a charge, and let the unit charged check its morale at once (SS-7.3, SS-9.6)."""
        course = self.course
        unit.charging = 1
        course.count(CHARGES, unit.side)
        target = self.board.target(unit)
        assert target is not None
        course.tell("SS-7.3", f"{course.name(unit)} charged {course.name(target)}")
        if course.play.situation_on[CHARGED]:
            check(course, target, [CHARGED], unit)

    # Interception (SS-6.1)

    def _interceptor(self, mover: Unit, move: Move) -> tuple[Unit, Move] | None:
        """Return the first of the fast units which waited that wants to stop the mover, and how."""
        if not move.path:
            return None
        course = self.course
        for unit in self.order:
            waits = unit.delayed and not unit.moved and unit.is_ordered and not unit.engaged
            if unit.side == mover.side or not waits or rank(course, unit) <= rank(course, mover):
                continue
            asked = (*self._asked(unit.side), course.reply, unit.index, mover.index)
            if orders.intercept(*asked) == 1:
                reply = Move.of(course.reply)
                self.judge.judge_interception(unit, reply, mover, move)
                return unit, reply
        return None

    def _stop(self, mover: Unit, move: Move, unit: Unit, reply: Move) -> None:
        """Let a unit stop a mover, and then let both charge, if they can."""
        course, made = self.course, move.path[: reply.stop]
        self._place(mover, move, made, stopped=True)
        self._place(unit, reply, reply.path)
        unit.moved = 1
        course.count(INTERCEPTIONS, unit.side)
        charges = bool(move.charge) and self.judge.is_charge(mover, move.what, made)
        if reply.charge:
            self.judge.judge_charge(unit, reply.what, reply.path)
        self._note(mover, move, len(made), charge=charges, stopper=unit)
        self._note(unit, reply, len(reply.path), charge=reply.charge, met=mover)
        if charges:
            self._charge(mover)
        if reply.charge and unit.is_ordered:
            self._charge(unit)

    # Flight (SS-5.8)

    def _flee(self, unit: Unit) -> None:
        course, board = self.course, self.board
        unit.fled = unit.moved = 1
        allowance = self.judge.allowance(unit, FLEE)
        unit.ran = int(unit.status != ROUTED or course.reading["rout_walks"] == "run")
        path = way_out(board, unit, allowance)
        move = Move(FLEE, path[-1] if path else unit.front, len(path), path=path)
        if not path:
            self._note(unit, move, 0)
            return
        attacks_from_behind(course, unit, course.plan)
        if unit.status == DESTROYED:
            return
        if not board.is_on_board(trail(unit.hex, path)[-1]):
            board.vacate(unit)
            unit.steps_made = 1
            self._note(unit, move, 1, untold=True)
            disperse(course, unit, "SS-5.10", f"fled off the board from {shown(unit.hex)}")
            return
        self._fill_plan(move)
        met = self._interceptor(unit, move)
        if met is not None:
            self._stop(unit, move, *met)
            return
        self._place(unit, move, path)
        self._note(unit, move, len(path))

    def _fill_plan(self, move: Move) -> None:
        """Show a flight to those who may intercept it."""
        plan = self.course.plan
        plan.action[:] = tuple(move)[: STOP + 1]
        plan.path[: move.steps] = move.path
