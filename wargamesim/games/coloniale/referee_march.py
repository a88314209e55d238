"""Phase E: strategic moves, on roads and off them (section 7 of the rules)."""

from __future__ import annotations

from wargamesim.games.coloniale.layout import ROAD, STAY
from wargamesim.games.coloniale.referee_course import Course
from wargamesim.games.coloniale.referee_off_road import OffRoadMarch
from wargamesim.games.coloniale.referee_plan import Action
from wargamesim.games.coloniale.referee_road import RoadMarch


class MarchPhase:
    """Phase E.

    Parameters
    ----------
    course : Course
    """

    def __init__(self, course: Course) -> None:
        self.course = course

    def can(self, unit: int) -> bool:
        """Tell whether a unit can make a strategic move (CO-7.1)."""
        return self.course.table.may_march(unit)

    def act(self, unit: int) -> None:
        """Ask a unit's player where it marches, and march."""
        course = self.course
        course.ask("march", course.side, unit)
        action = Action.of(course.plan)
        course.judge.march(unit, action)
        if action.what == ROAD:
            RoadMarch(course, unit, action).go()
        elif action.what != STAY:
            OffRoadMarch(course, unit, action).go()
