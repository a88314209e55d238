"""Losses: how dead men are rounded and removed, how Leaders fall, and who leaves the board (sections 8 and 9)."""

from __future__ import annotations

from wargamesim.games.stirling.layout import (
    DEAD,
    DESTROYED,
    DESTRUCTIONS,
    DISPERSALS,
    DISPERSED,
    FIT,
    GONE,
    LEADER_FALLS,
    LEADERS_LOST,
    ORDERED,
    REMOVED,
    ROUTED,
    ROUTS,
    RUNS,
    T_BROKEN,
    T_REMOVED,
)
from wargamesim.games.stirling.referee_board import Unit
from wargamesim.games.stirling.referee_course import Course


def leads_side(course: Course, unit: Unit) -> bool:
    """Tell whether the unit's Leader is the Commander of its side."""
    return int(course.state.commander[unit.side]) == unit.index


def lose(course: Course, unit: Unit, loss: int) -> None:
    """Let a unit lose men at one time, rounded together (SS-8.2 to SS-8.5, SS-P35, SS-P49)."""
    if loss == 0 or unit.left == 0:
        return
    course.count(DEAD, unit.side, min(loss, unit.left))
    step = int(course.play.step)
    if loss >= unit.left and course.reading["no_wipe"] == "on":
        unit.left = 0
        return
    total = loss
    if course.reading["remainder"] == "carry":
        total += unit.rem
        unit.rem = total % step
    unit.left = max(0, unit.left - total // step * step)


def settle_all(course: Course) -> None:
    """Remove the losses of a phase, which is over (SS-8.1)."""
    for unit in course.board.units:
        settle(course, unit)


def settle(course: Course, unit: Unit) -> None:
    """Remove what a unit has lost (SS-8.1, SS-8.6)."""
    if unit.loss > 0:
        lose(course, unit, unit.loss)
        unit.loss = 0
    if unit.hurt == 0:
        return
    before, removed, dead = unit.men, unit.men - unit.left, unit.hurt
    falls = False
    if removed > 0:
        course.count(REMOVED, unit.side, removed)
        falls = unit.leader in (FIT, RUNS) and _leader_falls(course, unit, removed)
        unit.removals += 1
        unit.men = unit.left
    unit.hurt = 0
    text = f"{course.name(unit)}: {dead} dead, {removed} of {before} removed"
    if course.reading["remainder"] == "carry":
        text += f", {unit.rem} carried over"
    rule = "SS-8.5" if removed % course.play.step else "SS-8.2"
    course.tell(rule, f"{text}, {unit.men or 'nobody'} left")
    if falls:
        lose_leader(course, unit, "fell")
    course.note(T_REMOVED, unit.index, dead, removed, unit.men, unit.rem, falls)
    if unit.men == 0:
        unit.status = DESTROYED
        course.count(DESTRUCTIONS, unit.side)
        course.note(T_BROKEN, unit.index, DESTROYED)


def _leader_falls(course: Course, unit: Unit, removed: int) -> bool:
    """Whether the Leader is among the men removed (SS-8.6, SS-P37); with all of them he always is."""
    if unit.left == 0:
        return True
    risk = course.reading["leader_death"]
    if risk == "never":
        return False
    sides = unit.men if risk == "as_a_man" else 2 * unit.men
    return course.roll(unit.index, LEADER_FALLS, unit.removals, sides) <= removed


def lose_leader(course: Course, unit: Unit, how: str) -> None:
    """Let a Leader, who may be the Commander, fall or leave with his men (SS-8.6)."""
    unit.leader, unit.leader_gone = GONE, 1
    course.count(LEADERS_LOST, unit.side)
    if not leads_side(course, unit):
        course.tell("SS-8.6", f"the Leader of {course.name(unit)} {how}")
        return
    course.state.commander[unit.side], course.state.commander_charisma[unit.side] = -1, 0
    for friend in course.board.here():
        if friend.side == unit.side:
            friend.commander_gone = 1
    course.tell("SS-8.6", f"the Commander, with {course.name(unit)}, {how}")


def disperse(course: Course, unit: Unit, rule: str, why: str) -> None:
    """Take a routed unit off the board (SS-9.5, SS-5.10)."""
    unit.status, unit.broken_turn = DISPERSED, course.turn
    course.count(DISPERSALS, unit.side)
    course.tell(rule, f"{course.name(unit)} {why}: dispersed")
    if unit.leader in (FIT, RUNS):
        lose_leader(course, unit, "left with his men")
    course.note(T_BROKEN, unit.index, DISPERSED)


def rout(course: Course, unit: Unit) -> None:
    """Break a unit that failed a check: rout, or dispersal if it was routed already (SS-9.4, SS-9.5)."""
    if unit.status == ROUTED:
        disperse(course, unit, "SS-9.5", "failed again while routed")
        return
    assert unit.status == ORDERED
    unit.status, unit.charging = ROUTED, 0
    unit.routed_turn = unit.broken_turn = course.turn
    course.count(ROUTS, unit.side)
    course.tell("SS-9.4", f"{course.name(unit)}: routed")
    course.note(T_BROKEN, unit.index, ROUTED)
