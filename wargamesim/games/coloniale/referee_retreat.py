"""How the loser of an assault falls back, and what stands in its way (CO-5.8, CO-5.9)."""

from __future__ import annotations

from math import inf

from wargamesim.games.coloniale.layout import FIRST, LOST_TO_DEFEAT, UNFORDABLE
from wargamesim.games.coloniale.referee_course import Course, at
from wargamesim.games.coloniale.referee_table import ahead, heading, meets

NOBODY_MET = -1


def fall_back(course: Course, unit: int, victor: int, far: float) -> int:
    """Let a unit fall back straight away from another; return the enemy it comes into contact with, or -1.

    Parameters
    ----------
    course : Course
    unit, victor : int
        Who falls back, and from whom.
    far : float
        How far it goes if nothing stops it (cm).
    """
    table, course.side = course.table, int(course.table.side[unit])
    start, name = table.place(unit), course.name(unit)
    away = heading(table.place(victor), start) or (0.0, -1.0 if course.side == FIRST else 1.0)
    enemy, to_enemy = NOBODY_MET, inf
    for other in table.enemies(unit):
        distance = meets(start, away, table.place(other), course.play.contact)
        if other != victor and distance < to_enemy:
            enemy, to_enemy = other, distance
    to_edge = table.to_edge(start, away)
    shares = [t for t, _ in table.fords(start, ahead(start, away, far), UNFORDABLE)]
    to_water = min((t * far for t in shares), default=inf)
    if to_enemy <= far and to_enemy <= min(to_edge, to_water):
        table.put(unit, ahead(start, away, to_enemy))
        course.tell("CO-5.9", f"{name} falls back into contact with {course.name(enemy)}")
        return enemy
    if min(to_edge, to_water) < far:
        what = "the edge of the table" if to_edge <= to_water else "unfordable water"
        if course.reading["stops"] == "removed":
            course.lose(unit, int(table.fig[unit]), LOST_TO_DEFEAT)
            course.destroy_if_empty(unit)
            course.tell("CO-P18", f"{name} falls back over {what} and is removed")
        else:
            table.put(unit, ahead(start, away, to_edge if to_edge <= to_water else max(0.0, to_water - table.play.rim)))
            course.tell("CO-P18", f"{name} falls back and stops at {what}, {at(table.place(unit))}")
        return NOBODY_MET
    table.put(unit, ahead(start, away, far))
    course.tell("CO-5.8", f"{name} falls back to {at(table.place(unit))}")
    return NOBODY_MET
