"""Phases A and B: rally and fire (section 4 of the rules)."""

from __future__ import annotations

from wargamesim.games.coloniale.layout import (
    CANNON,
    CANNON_FIRE,
    LOST_TO_CANNONS,
    LOST_TO_RIFLES,
    MARKERS_PUT,
    MARKERS_RALLIED,
    RALLY,
    RIFLE,
    RIFLE_FIRE,
    T_FIRE,
    T_LEAVE,
    T_RALLY,
    VOLLEYS,
)
from wargamesim.games.coloniale.referee_course import Course, plural
from wargamesim.games.coloniale.referee_plan import Fire
from wargamesim.games.coloniale.referee_table import IN_FORT, OPEN_GROUND

COVERS = ("in the open", "in cover", "in its fort")


def rally(course: Course) -> None:
    """Let every unit with markers roll as many dice as its discipline (CO-4.1)."""
    table, play = course.table, course.play
    for unit in table.in_play():
        if table.markers[unit] > 0:
            course.side = int(table.side[unit])
            dice = course.rolls(unit, RALLY, 0, int(table.disc[unit]), play.rally_die)
            successes = sum(die >= play.rally_need for die in dice)
            gone = min(successes, int(table.markers[unit]))
            table.markers[unit] -= gone
            course.tally(MARKERS_RALLIED, course.side, gone)
            course.note(T_RALLY, unit, len(dice), successes, table.markers[unit])
            left = plural(int(table.markers[unit]), "marker")
            course.tell("CO-4.1", f"{course.name(unit)} rallies with {_faces(dice)}: takes off {gone}, {left} left")


class FirePhase:
    """Phase B: losses wait until its end (CO-4.6).

    Parameters
    ----------
    course : Course
    """

    def __init__(self, course: Course) -> None:
        self.course = course
        self._cannon_hits: dict[int, int] = {}

    def can(self, unit: int) -> bool:
        """Tell whether a unit can fire (CO-3.2, CO-4.2, CO-4.3)."""
        table = self.course.table
        return not table.action[unit] and (table.rifle_dice(unit) > 0 or table.is_battery(unit))

    def act(self, unit: int) -> None:
        """Ask a unit's player at whom it fires, and fire."""
        course, table = self.course, self.course.table
        course.ask("fire", int(table.side[unit]), unit)
        fire = Fire.of(course.plan)
        course.judge.fire(unit, fire)
        if not fire.targets:
            return
        table.action[unit] = 1
        course.tally(VOLLEYS, course.side)
        rolled = 0
        for number, (target, dice) in enumerate(zip(fire.targets, fire.dice, strict=True)):
            self._shoot(unit, fire, number, target, dice, rolled)
            rolled += dice

    def _shoot(self, unit: int, fire: Fire, number: int, target: int, dice: int, rolled: int) -> None:
        course, table, play = self.course, self.course.table, self.course.play
        cover = table.cover(target)
        is_safe = fire.weapon == RIFLE and cover == IN_FORT
        purpose, sides = (CANNON_FIRE, play.cannon_die) if fire.weapon == CANNON else (RIFLE_FIRE, play.rifle_die)
        need = 0 if is_safe else self._need(unit, fire.weapon, target, cover)
        faces = [] if is_safe else course.rolls(unit, purpose, rolled, dice, sides)
        hits = sum(die >= need for die in faces)
        is_marked = course.reading["one_marked"] == "each" or number == fire.marked
        if is_safe and course.reading["fort_marked"] == "none":
            is_marked = False
        markers = play.fire_markers if is_marked else 0
        table.pending_loss[target] += hits
        table.pending_markers[target] += markers
        course.tally(MARKERS_PUT, course.side, markers)
        if fire.weapon == CANNON:
            self._cannon_hits[target] = self._cannon_hits.get(target, 0) + hits
        course.note(T_FIRE, unit, target, fire.weapon, dice, need, hits, markers, cover)
        what = "shells" if fire.weapon == CANNON else "fires at"
        away = f"{table.distance(unit, target):.1f} cm, {COVERS[cover]}"
        if is_safe:
            course.tell("CO-8.3", f"{course.name(unit)} {what} {course.name(target)} ({away}) in vain{_put(markers)}")
        else:
            rule = "CO-4.3" if fire.weapon == CANNON else "CO-4.2"
            result = f"{_faces(faces)}, {need}+ needed: {plural(hits, 'hit')}{_put(markers)}"
            course.tell(rule, f"{course.name(unit)} {what} {course.name(target)} ({away}): {result}")

    def _need(self, unit: int, weapon: int, target: int, cover: int) -> int:
        table, play = self.course.table, self.course.play
        if weapon == RIFLE:
            need = play.need_open if cover == OPEN_GROUND else play.need_cover
        elif table.is_within(unit, target, play.near_reach):
            need = play.near_need
        else:
            need = play.far_need if cover == OPEN_GROUND else play.far_need_cover
        return int(need)

    def end(self) -> None:
        """Let the figures that were hit leave, and the markers act (CO-4.6)."""
        course, table = self.course, self.course.table
        for unit in table.in_play():
            loss, markers = int(table.pending_loss[unit]), int(table.pending_markers[unit])
            if not loss and not markers:
                continue
            course.side = int(table.side[unit])
            by_cannons = min(loss, int(table.fig[unit]), self._cannon_hits.get(unit, 0))
            lost = course.lose(unit, by_cannons, LOST_TO_CANNONS)
            lost += course.lose(unit, loss - by_cannons, LOST_TO_RIFLES)
            table.markers[unit] += markers
            table.pending_loss[unit] = table.pending_markers[unit] = 0
            is_gone = course.destroy_if_empty(unit)
            course.note(T_LEAVE, unit, lost, table.fig[unit], table.markers[unit])
            text = f"{course.name(unit)} loses {plural(lost, 'figure')} and has {int(table.fig[unit])} left"
            suppressed = plural(int(table.markers[unit]), "marker")
            course.tell("CO-1.5" if is_gone else "CO-4.6", f"{text}: gone" if is_gone else f"{text}, {suppressed}")


def _faces(dice: list[int]) -> str:
    return " ".join(map(str, dice)) if dice else "no dice"


def _put(markers: int) -> str:
    return f", +{plural(markers, 'marker')}" if markers else ""
