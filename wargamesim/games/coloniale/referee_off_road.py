"""Strategic moves off the road: legs, errors of direction, rivers (CO-7.5 to CO-7.7)."""

from __future__ import annotations

from math import inf

from wargamesim.games.coloniale.layout import DRIFT_SIDE, DRIFTS, HARD, OFF_ROAD, OFF_ROAD_MARCH, T_LEG, UNFORDABLE
from wargamesim.games.coloniale.playing import MOST_TURNS
from wargamesim.games.coloniale.referee_column import (
    DIE,
    LENGTH,
    MARGIN,
    TABLE,
    WATER,
    come_to_rest,
    set_out,
    to_margin,
)
from wargamesim.games.coloniale.referee_course import Course, at, spot
from wargamesim.games.coloniale.referee_plan import Action
from wargamesim.games.coloniale.referee_table import Place, ahead, heading
from wargamesim.games.coloniale.rules import CORRECT, DRIFT, STOP, STOP_IF_DIFFICULT

WORDS = {
    STOP: ("CO-7.5c", "stops"),
    STOP_IF_DIFFICULT: ("CO-7.5d", "goes on in the open"),
    DRIFT: ("CO-7.5e", "goes astray"),
    CORRECT: ("CO-7.5g", "finds its way again"),
}
STRAIGHT_ON = ("CO-7.5f", "goes straight on")


class OffRoadMarch:
    """One march off the road.

    Parameters
    ----------
    course : Course
    unit : int
        The leader.
    action : Action
        Its player's proposal, judged.
    """

    def __init__(self, course: Course, unit: int, action: Action) -> None:
        self.course, self.play, self.leader = course, course.play, unit
        self.column = set_out(course, unit, action)
        start = course.table.place(unit)
        self.stated = heading(start, action.to) or (0.0, 0.0)
        self.base, self.turns, self.legs = self.stated, 0, 0
        self.leg = self.play.cavalry_leg if self.column.is_mounted else self.play.leg
        self.aim = ahead(start, self.stated, self.play.first_leg + self.play.rolls * self.leg)
        self.enemys_side = 0
        course.tell("CO-7.5", f"{course.name(unit)} marches off the road towards {at(action.to)}")

    def go(self) -> None:
        """March the first leg, then roll for each further one."""
        end = self._leg(float(self.play.first_leg))
        self._note(-1, -1)
        number = 0
        while end < 0 and number < self.play.rolls:
            end = self._roll(number)
            number += 1
        come_to_rest(self.course, self.column, self.legs, OFF_ROAD, max(end, LENGTH))

    def _note(self, die: int, effect: int) -> None:
        self.course.note(T_LEG, self.leader, die, effect, self.turns, *spot(self.column.here))

    def _roll(self, number: int) -> int:
        """Roll for one more leg; return what ends the march, or -1."""
        course, table = self.course, self.course.table
        die = course.roll(self.leader, OFF_ROAD_MARCH, number, self.play.march_die)
        effect = self.play.effect[die]
        here = self.column.here
        stops = effect == STOP or (effect == STOP_IF_DIFFICULT and table.is_difficult(here))
        rule, words = WORDS.get(effect, STRAIGHT_ON)
        text = f"{course.name(self.leader)} at {at(here)} rolls {die}:"
        course.tell(rule, f"{text} stops on difficult ground" if stops and effect != STOP else f"{text} {words}")
        if stops:
            self._note(die, effect)
            return DIE
        if effect == DRIFT:
            self._drift(number)
        elif effect == CORRECT:
            self._correct(here)
        self.legs += 1
        end = self._leg(float(self.leg))
        self._note(die, effect)
        return end

    def _drift(self, number: int) -> None:
        """Turn to one side by an error (CO-7.5e, CO-P27)."""
        course = self.course
        course.tally(DRIFTS, course.side)
        if course.reading["drift"] == "enemy":
            self.enemys_side = self.enemys_side or course.ask("drift", 1 - course.side, self.leader)
            side = course.judge.drift(self.leader, self.enemys_side)
        else:
            side = -1 if course.roll(self.leader, DRIFT_SIDE, number, 2) == 1 else 1
        if course.reading["drift"] == "absolute":
            self.base, self.turns = self.stated, side
        else:
            self.turns += side

    def _correct(self, here: Place) -> None:
        """Put all errors right (CO-7.5g, CO-P28)."""
        self.turns = 0
        if course_to_aim := heading(here, self.aim) if self.course.reading["to_point"] == "point" else self.stated:
            self.base = course_to_aim

    def _leg(self, far: float) -> int:
        """Go one leg ahead; return what ends the march on it, or -1 (CO-7.4, CO-7.7)."""
        course, table = self.course, self.course.table
        (x, y), here = self.base, self.column.here
        cos, sin = self.play.turn_cos[self.turns + MOST_TURNS], self.play.turn_sin[self.turns + MOST_TURNS]
        towards = x * cos - y * sin, x * sin + y * cos
        margin, edge = to_margin(course, self.leader, here, towards), table.to_edge(here, towards)
        crossed: set[int] = set()
        end = -1
        while end < 0:
            river, to_river = self._next_river(here, ahead(here, towards, far), far, crossed)
            if margin <= far and margin <= min(edge, to_river):
                far, end = margin, MARGIN
            elif edge < far and edge <= to_river:
                far, end = edge, TABLE
            elif river < 0:
                break
            elif table.ground.line_kind[river] == UNFORDABLE or far - self.play.ford_cost < to_river:
                far, end = max(0.0, to_river - self.play.rim), WATER
            else:
                far -= self.play.ford_cost
                crossed.add(table.ground.line_of[river])
        self.column.way.append(ahead(here, towards, far))
        return end

    def _next_river(self, start: Place, end: Place, far: float, crossed: set[int]) -> tuple[int, float]:
        """Return the nearest piece of a river on a way that matters and is not yet crossed, and how far it is."""
        table, nearest, to_nearest = self.course.table, -1, inf
        for t, river in table.fords(start, end, HARD, UNFORDABLE):
            if table.ground.line_of[river] not in crossed and t * far < to_nearest:
                nearest, to_nearest = river, t * far
        return nearest, to_nearest
