"""Strategic moves on roads: from place to place, with wrong ways at junctions (CO-7.2, CO-7.3)."""

from __future__ import annotations

from wargamesim.games.coloniale.layout import BRANCH, IN_TOWN, JUNCTION, ROAD, ROAD_MARCH, T_NODE, WRONG_WAYS
from wargamesim.games.coloniale.referee_column import (
    LENGTH,
    MARGIN,
    ROAD_END,
    TOWN,
    come_to_rest,
    set_out,
    to_margin,
)
from wargamesim.games.coloniale.referee_course import Course
from wargamesim.games.coloniale.referee_plan import Action
from wargamesim.games.coloniale.referee_table import MORE, ahead, heading, length

MOST_PLACES = 100  # on the road that one march comes to
NO_WAY_LEFT = 1e-9  # cm


class RoadMarch:
    """One march on roads (CO-7.2, CO-7.3).

    Parameters
    ----------
    course : Course
    unit : int
        The leader.
    action : Action
        Its player's proposal, judged.
    """

    def __init__(self, course: Course, unit: int, action: Action) -> None:
        self.course, self.node = course, action.node
        self.come_from = course.judge.come_from(unit, action.node)
        self.column = set_out(course, unit, action)
        self.junctions = 0
        play = course.play
        dice = play.cavalry_road_dice if self.column.is_mounted else play.road_dice
        faces = course.rolls(unit, ROAD_MARCH, 0, dice, play.road_die)
        self.rolled = play.road_first + play.road_step * sum(faces)
        self.left = float(self.rolled)
        if course.reading["road_stop"] == "free" and action.limit >= 0:
            self.left = min(self.left, action.limit)
        to = course.setup.node_names[self.node]
        course.tell("CO-7.2", f"{course.name(unit)} takes the road to {to}: {self.rolled} cm")

    def go(self) -> None:
        """March place by place until something ends it."""
        end, reached = -1, 0
        while end < 0:
            end = self._to_node()
            if end < 0:
                reached += 1
                end = self._at_node(reached)
        come_to_rest(self.course, self.column, self.rolled, ROAD, end)

    def _to_node(self) -> int:
        course, leader = self.course, self.column.leader
        here = self.column.here
        x, y = course.table.ground.node[self.node]
        there = (x, y)
        far, towards = length(here, there), heading(here, there)
        if towards is not None:
            margin = to_margin(course, leader, here, towards)
            if margin <= min(self.left, far):
                self.column.way.append(ahead(here, towards, margin))
                return MARGIN
            if far > self.left * MORE:
                self.column.way.append(ahead(here, towards, self.left))
                return LENGTH
        self.column.way.append(there)
        self.left -= far
        return -1

    def _at_node(self, reached: int) -> int:
        """Go on at a place on the road: return what ends the march there, or -1."""
        course, node, leader = self.course, self.node, self.column.leader
        ground = course.table.ground
        roads = course.judge.roads_of(node)
        end = -1
        if self.left <= NO_WAY_LEFT or reached == MOST_PLACES:
            end = LENGTH
        elif ground.node_kind[node] == IN_TOWN and course.ask("halt", course.side, leader, node):
            end = TOWN
        elif len(roads) == 1:
            end = ROAD_END
        if end >= 0:
            course.note(T_NODE, leader, node)
            return end
        others = [other for other in roads if other != self.come_from]
        die = wanted = -1
        if len(roads) == 2:
            taken = others[0]
        else:
            die, wanted, taken = self._choose(others)
        course.note(T_NODE, leader, node, die, wanted, taken)
        self.come_from, self.node = node, taken
        return -1

    def _choose(self, others: list[int]) -> tuple[int, int, int]:
        """Roll at a junction: return the die, which road was wanted and which is taken (CO-7.3)."""
        course, leader, play = self.course, self.column.leader, self.course.play
        wanted = course.ask("branch", course.side, leader, self.node, self.come_from)
        course.judge.branch(leader, self.node, self.come_from, wanted)
        die = course.roll(leader, JUNCTION, self.junctions, play.junction_die)
        wrong = [other for other in others if other != wanted]
        taken = wanted
        if die >= play.wrong_need and wrong:
            taken = wrong[course.roll(leader, BRANCH, self.junctions, len(wrong)) - 1]
            course.tally(WRONG_WAYS, course.side)
        self.junctions += 1
        names = course.setup.node_names
        way = f"to {names[taken]}" + (f" instead of {names[wanted]}" if taken != wanted else "")
        course.tell("CO-7.3", f"{course.name(leader)} at the junction {names[self.node]} ({die}): takes the road {way}")
        return die, wanted, taken
