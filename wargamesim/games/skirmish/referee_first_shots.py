"""Shots before a round of close combat (NA-7.16, NA-7.17)."""

from __future__ import annotations

from wargamesim.games.skirmish import orders
from wargamesim.games.skirmish.layout import MELEE_RESULT, MELEE_SHOT, MELEE_VICTIM, MISFIRES, PERMISSION, SHOTS_FIRED
from wargamesim.games.skirmish.referee_course import PERMITTED, SHOT, Course, rolled
from wargamesim.games.skirmish.referee_fire import CENTRED, MISFIRED, MISSED, hit, is_hit, misfire_die_of
from wargamesim.games.skirmish.referee_nerve import modifiers

MISFIRE_DICE = 1000  # where the dice for misfires before a round begin


def first_shots(course: Course, who: int, lone: int, several: list[int]) -> None:
    """Let everybody who has a loaded firearm, wants to and may fire before the round, in order."""
    table = course.table
    for figure in [lone, *several]:
        opponents = [f for f in (several if figure == lone else [lone]) if table.is_in_play(f)]
        armed = any(table.is_firearm(figure, slot) and table.is_ready(figure, slot) for slot in (0, 1))
        if not table.is_in_play(figure) or not opponents or not armed:
            continue
        slot = int(
            orders.shoots_first(course.state, course.setup.play, course.doctrine(figure), figure, len(opponents))
        )
        if slot < 0:
            continue
        if slot > 1 or not (table.is_firearm(figure, slot) and table.is_ready(figure, slot)):
            raise course.judge.wrong("permission", f"{course.name(figure)} fires an unloaded weapon before the round")
        if _is_permitted(course, who, figure, len(opponents)):
            _shoot(course, who, figure, slot, opponents)


def _is_permitted(course: Course, who: int, figure: int, opponents: int) -> bool:
    play = course.play
    die = course.roll(who, PERMISSION, figure, play.morale_die)
    told = [*modifiers(course, figure), ("opponents", play.permission_per_opponent * opponents)]
    total = die + sum(points for _, points in told)
    permitted = total >= play.permission_need
    course.note(PERMITTED, figure, die, total, permitted)
    test = f"{rolled(play.morale_die, die, told)}, needs {play.permission_need}"
    ending = "fires first" if permitted else "has no time to fire"
    course.tell("permission", f"{course.name(figure)} tests morale: {test}, and {ending}")
    return permitted


def _shoot(course: Course, who: int, figure: int, slot: int, opponents: list[int]) -> None:
    table, play, side = course.table, course.play, int(course.table.side[figure])
    course.count(SHOTS_FIRED, side)
    if table.capacity[slot][figure] > 1:
        table.shots[figure] += 1
    misfire_die = misfire_die_of(course, who, MELEE_SHOT, MISFIRE_DICE + figure, figure, slot)
    head = (figure, -1, slot, 0, misfire_die)
    misfired = 0 < misfire_die <= play.misfire_at_most[int(table.grade[figure])]
    die, total = -1, -1
    if not misfired:
        weapon, grade = int(table.weapon[slot][figure]), int(table.grade[figure])
        by_row = course.reading["melee_shot_need"] == "weapon_row"
        sides = play.fire_die[weapon][grade] if by_row else play.melee_shot_die
        die = course.roll(who, MELEE_SHOT, figure, sides)
        misfired = bool(play.has_misfires and play.misfire_by_face and die == 1)
    if misfired:
        course.note(SHOT, *head, die, -1, MISFIRED, -1, 0)
        course.count(MISFIRES, side)
        course.tell("misfire", f"{course.name(figure)} fires: a misfire")
    else:
        if by_row:
            total = die + play.unaimed + play.to_hit[grade]
            hits = is_hit(course, die, total, play.need[weapon][0], sides)
        else:
            total = die + play.melee_shot_modifier
            hits = total >= play.melee_shot_at_least
        hits = hits and not play.miss_faces >> die & 1
        victim = opponents[course.roll(who, MELEE_VICTIM, figure, len(opponents)) - 1] if hits else -1
        course.note(SHOT, *head, die, total, CENTRED if hits else MISSED, victim, 0)
        test = rolled(sides, die, [("unaimed", total - die)] if total != die else [])
        least = play.need[weapon][0] + play.strict if by_row else play.melee_shot_at_least
        ending = "a hit" if hits else "a miss"
        course.tell("melee shot", f"{course.name(figure)} fires: {test}, needs {least}, {ending}")
        if hits:
            hit(course, who, (MELEE_RESULT, figure), figure, victim, 0)
    course.discharge(figure, slot, misfired=misfired)
    if not misfired:
        table.hidden[figure] = 0
