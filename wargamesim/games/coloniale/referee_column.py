"""Columns on the march: who marches together, where a march stops, and where the followers come to stand (CO-7.1)."""

from __future__ import annotations

from itertools import pairwise
from math import inf
from typing import NamedTuple

from wargamesim.games.coloniale.layout import MARCHES, ROAD, T_FOLLOW, T_MARCH
from wargamesim.games.coloniale.referee_course import Course, at, spot
from wargamesim.games.coloniale.referee_plan import Action
from wargamesim.games.coloniale.referee_table import Place, length, meets

LENGTH, MARGIN, TOWN, ROAD_END, DIE, TABLE, WATER = range(7)
ENDS = {
    LENGTH: ("CO-7.2", "has marched its length"),
    MARGIN: ("CO-7.4", "stops at the margin around an enemy"),
    TOWN: ("CO-P25", "stops in a town"),
    ROAD_END: ("CO-P25", "has come to the end of the road"),
    DIE: ("CO-7.5", "is stopped by its die"),
    TABLE: ("CO-7.5", "stops at the edge of the table"),
    WATER: ("CO-2.4", "stops at water"),
}


class Column(NamedTuple):
    """A column on the march: leader, followers, whether all are cavalry, and the corners of the leader's way so far.

    On the table all of them stand where they began until the march is over.
    """

    leader: int
    followers: tuple[int, ...]
    is_mounted: bool
    way: list[Place]

    @property
    def here(self) -> Place:
        """Where the leader has come to."""
        return self.way[-1]


def to_margin(course: Course, unit: int, start: Place, towards: Place) -> float:
    """Return how far ahead a march comes to the margin around an enemy (CO-7.4)."""
    table = course.table
    ways = (meets(start, towards, table.place(enemy), course.play.margin) for enemy in table.enemies(unit))
    return min(ways, default=inf)


def set_out(course: Course, unit: int, action: Action) -> Column:
    """Make a column of a unit and its followers (CO-7.1)."""
    table, everybody = course.table, (unit, *action.followers)
    for each in everybody:
        table.marched[each], table.fort[each] = 1, 0
    course.tally(MARCHES, course.side)
    column = Column(unit, action.followers, table.are_mounted(everybody), [table.place(unit)])
    if column.followers:
        course.tell("CO-7.1", f"{course.name(unit)} leads a column: {course.all_names(column.followers)} behind it")
    return column


def come_to_rest(course: Course, column: Column, rolled: int, what: int, end: int) -> None:
    """Note where a march has ended, and let the followers close up on its way."""
    table, leader = course.table, column.leader
    here = column.here
    table.put(leader, here)
    course.note(T_MARCH, leader, what, rolled, *spot(here), len(column.followers), end)
    rule, words = ENDS[end]
    course.tell(rule if what == ROAD or end else "CO-7.5", f"{course.name(leader)} {words} at {at(here)}")
    back = [*reversed(column.way), *(table.place(follower) for follower in column.followers)]
    for number, follower in enumerate(column.followers, start=1):
        table.put(follower, along(back, course.play.contact * number))
        course.note(T_FOLLOW, follower, *spot(table.place(follower)))


def along(way: list[Place], far: float) -> Place:
    """Return the place so many cm along a way of corners; beyond its end, the end."""
    for start, end in pairwise(way):
        part = length(start, end)
        if part > 0 and far <= part:
            return start[0] + (end[0] - start[0]) * (far / part), start[1] + (end[1] - start[1]) * (far / part)
        far -= part
    return way[-1]
