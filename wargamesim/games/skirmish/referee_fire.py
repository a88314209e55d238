"""Fire: one shot, and what a hit does (sections 4 and 5 of the rules)."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from wargamesim.games.skirmish.layout import (
    DEAD,
    HIT,
    HITS,
    MISFIRE,
    MISFIRES,
    MIXED,
    OWN_HIT,
    RESULT,
    SHOTS_FIRED,
    SPENT,
    VICTIM,
)
from wargamesim.games.skirmish.referee_course import RESULT as RESULTED
from wargamesim.games.skirmish.referee_course import SHOT, Course, milli, rolled
from wargamesim.games.skirmish.referee_ground import MORE
from wargamesim.games.skirmish.rules import COVERS

MISSED, MISFIRED, FUMBLED, CENTRED = range(4)
KILL, WOUND, NEAR_MISS = 1, 2, 3
# The rules that say what these are, by fire and in close combat.
BY_FIRE, IN_MELEE = ("killed", "wounded", "near"), ("melee kill", "melee wound", "pair")


class Shot(NamedTuple):
    """One shot to be fired: who, with which weapon, at whom, and how.

    ``before`` counts the shots of this turn (or activation, RI-6.1) before it, for the penalty of repeaters.
    """

    who: int
    k: int
    figure: int
    slot: int
    target: int
    unaimed: bool
    before: int = 0


def fire(course: Course, shot: Shot) -> None:
    """Fire one shot: misfire, to hit, whom, result, marker (4 and 5)."""
    table, play, figure = course.table, course.play, shot.figure
    course.turn_to(figure, table.place(shot.target))
    side = int(table.side[figure])
    course.count(SHOTS_FIRED, side)
    if table.capacity[shot.slot][figure] > 1:
        table.shots[figure] += 1
    misfire_die = misfire_die_of(course, shot.who, MISFIRE, shot.k, figure, shot.slot)
    away = milli(table.distance(figure, shot.target))
    head = (figure, shot.target, shot.slot, away, misfire_die)
    weapon = course.weapon(figure, shot.slot)
    fires = f"{course.name(figure)} fires its {weapon} at {course.name(shot.target)} ({away / 1000:.1f} cm)"
    if 0 < misfire_die <= play.misfire_at_most[int(table.grade[figure])]:
        course.note(SHOT, *head, -1, -1, MISFIRED)
        misfires(course, figure, shot.slot, f"{fires}: {rolled(play.misfire_die, misfire_die)}")
        return
    sides = play.fire_die[int(table.weapon[shot.slot][figure])][int(table.grade[figure])]
    die = course.roll(shot.who, HIT, shot.k, sides)
    if play.misfire_by_face and table.is_firearm(figure, shot.slot) and die == 1:
        course.note(SHOT, *head, die, -1, MISFIRED)
        misfires(course, figure, shot.slot, f"{fires}: {rolled(sides, die)}")
        return
    cover = table.cover(figure, shot.target)
    told = _to_hit(course, shot, cover)
    total = die + sum(points for _, points in told)
    wanted = need(course, figure, shot.slot, shot.target) + play.strict
    fires += f": {rolled(sides, die, told)}, needs {wanted}"
    topic, outcome, victim = _outcome(course, shot, die, total, sides)
    course.note(SHOT, *head, die, total, outcome, victim, cover)
    if outcome == MISSED:
        course.tell(topic, f"{fires}, a miss")
    else:
        whom = "a hit" if victim == shot.target else f"{course.name(victim)} is hit"
        course.tell(topic, f"{fires}, {whom}")
        hit(course, shot.who, (RESULT, shot.k), figure, victim, table.cover(figure, victim))
    course.discharge(figure, shot.slot, misfired=False)
    if table.loading[shot.slot][figure] == SPENT and course.reading["thrown_away"] == "recoverable":
        table.drop_x[figure], table.drop_y[figure] = table.place(shot.target)
    table.hidden[figure] = 0


def misfire_die_of(course: Course, who: int, purpose: int, k: int, figure: int, slot: int) -> int:
    """Roll the extra die of a firearm, -1 if there is none (NA-4.2)."""
    play = course.play
    if not play.has_misfires or play.misfire_by_face or not course.table.is_firearm(figure, slot):
        return -1
    return course.roll(who, purpose, k, play.misfire_die)


def misfires(course: Course, figure: int, slot: int, text: str) -> None:
    """Let a weapon misfire (NA-4.2, NA-4.3)."""
    course.count(MISFIRES, int(course.table.side[figure]))
    course.tell("misfire", f"{text}, a misfire")
    course.discharge(figure, slot, misfired=True)


def _to_hit(course: Course, shot: Shot, cover: int) -> list[tuple[str, int]]:
    """Return what changes the roll to hit, with words for each (NA-4.10a to 4.10g, RI-4.5a to 4.5e)."""
    table, play, target = course.table, course.play, shot.target
    if cover:
        behind = (f"{COVERS[cover]} cover", (play.soft_cover, play.hard_cover)[cover - 1])
    else:
        behind = ("target prone", play.target_prone if table.prone[target] else 0)
    times = shot.before if course.reading["repeat_penalty"] == "cumulative" else min(shot.before, 1)
    told = [
        ("grade", play.to_hit[int(table.grade[shot.figure])]),
        ("unaimed", play.unaimed if shot.unaimed else 0),
        behind,
        ("target ran", play.target_ran if table.ran[target] else 0),
        ("target moved", play.target_moved if table.moved_last[target] else 0),
        ("wounded", play.shooter_wounded if table.wounds[shot.figure] else 0),
        ("prone", play.shooter_prone if table.prone[shot.figure] else 0),
        ("repeater", times * play.repeater_penalty),
    ]
    return [(words, points) for words, points in told if points]


def need(course: Course, figure: int, slot: int, target: int) -> int:
    """Return what a shot needs at its distance (NA-4.12a to 4.12g, RI-T)."""
    play, weapon = course.play, int(course.table.weapon[slot][figure])
    away = course.table.distance(figure, target)
    for band in range(play.bands[weapon]):
        edge = play.edge[weapon][band]
        if away <= edge * MORE if play.edge_included else away < edge:
            return int(play.need[weapon][band])
    return int(play.need[weapon][play.bands[weapon] - 1])


def is_hit(course: Course, die: int, total: int, wanted: int, sides: int) -> bool:
    """Tell whether a roll that is no natural miss hits (NA-4.11, NA-4.13, RI-4.4)."""
    play = course.play
    least = wanted + play.strict
    beyond = least - (total - die) > sides
    return total >= least or bool(play.top_face_hits and beyond and die == sides)


def _outcome(course: Course, shot: Shot, die: int, total: int, sides: int) -> tuple[str, int, int]:
    """Return by which rule the shot misses, fumbles or hits, and whom."""
    table, play, figure = course.table, course.play, shot.figure
    if play.miss_faces >> die & 1:
        friends = in_fumble(course, figure, shot.slot) if play.has_fumbles else []
        if not friends:
            return "natural miss", MISSED, -1
        return "fumble", FUMBLED, friends[course.roll(shot.who, VICTIM, shot.k, len(friends)) - 1]
    if not is_hit(course, die, total, need(course, figure, shot.slot, shot.target), sides):
        return "hit", MISSED, -1
    side = int(table.side[figure])
    if not any(table.side[f] == side for f in table.touches(shot.target)):
        return "hit", CENTRED, shot.target
    mixed, own = course.roll(shot.who, MIXED, shot.k, play.mixed_die), play.mixed_grade[int(table.grade[figure])]
    victims_side = side if mixed + own <= play.mixed_friend_at_most else 1 - side
    test = rolled(play.mixed_die, mixed, [("grade", own)] if own else [])
    whose = "a friend" if victims_side == side else "an enemy"
    course.tell("into melee", f"{course.name(figure)} fires into close combat: {test}, {whose} is hit")
    victims = [f for f in table.melee(shot.target) if table.side[f] == victims_side]
    return "into melee", CENTRED, victims[course.roll(shot.who, VICTIM, shot.k, len(victims)) - 1]


def in_fumble(course: Course, figure: int, slot: int) -> list[int]:
    """Return the friends whom a fumble may hit: in the arc, in sight, and in reach (NA-4.7, NA-4.8)."""
    table, play = course.table, course.play
    reaches = {"last_band": play.reach[int(table.weapon[slot][figure])], "fixed": play.fumble_far}
    reach = reaches.get(course.reading["fumble_reach"], inf)
    return [
        f
        for f in table.friends(figure)
        if table.is_within(f, figure, reach) and table.is_in_arc(figure, f) and table.sees(figure, f)
    ]


def hit(course: Course, who: int, die_of: tuple[int, int], shooter: int, victim: int, cover: int) -> None:
    """Roll what a hit does to its victim (section 5); `die_of` is the purpose and the number of the die."""
    table, play, side = course.table, course.play, int(course.table.side[victim])
    course.count(HITS, int(table.side[shooter]))
    if table.side[shooter] == side:
        course.count(OWN_HIT, side)
    die = course.roll(who, *die_of, play.result_die)
    total = die + play.result_cover[cover]
    result = KILL if total <= play.kill_at_most else WOUND if total <= play.wound_at_most else NEAR_MISS
    behind = [("cover", play.result_cover[cover])] if play.result_cover[cover] else []
    test = rolled(play.result_die, die, behind)
    harm(course, victim, result, f"{course.name(victim)}: {test}", die, total, falls=bool(play.wounded_falls))


def harm(
    course: Course,
    victim: int,
    result: int,
    told: str,
    die: int = -1,
    total: int = -1,
    *,
    falls: bool = False,
    topics: tuple[str, str, str] = BY_FIRE,
) -> None:
    """Apply a result to a figure in play: killed, wounded (and down) or only shaken, by the rules about `topics`."""
    table = course.table
    table.hidden[victim] = 0
    topic = topics[result - 1]
    words = ("killed", "wounded", "shaken")[result - 1]
    if result == WOUND:
        table.wounds[victim] += 1
    is_out = result == KILL or (result == WOUND and table.wounds[victim] >= course.play.wounds_out)
    if is_out:
        if result == WOUND:
            topic, words = "wounded out", "wounded once more and out of the game"
        course.lose(victim, DEAD)
    else:
        table.blue[victim] = 1
        if result == WOUND and falls:
            table.prone[victim], words = 1, "wounded and down"
    course.note(RESULTED, victim, die, total, result, int(table.status[victim]), int(table.wounds[victim]))
    spreads = result == KILL or (is_out and course.reading["spread"] == "spread")
    course.tell(topic, f"{told}, {words}{course.shaken(course.spread(victim)) if spreads else ''}")
