"""Joint fire: volleys and blind fire (NA-4.14 to NA-4.22)."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from wargamesim.games.skirmish.layout import (
    BLIND_AIM,
    BLIND_HIT,
    SHOTS_FIRED,
    VICTIM,
    VOLLEY,
    VOLLEY_AIM,
    VOLLEY_HIT,
    VOLLEY_MISFIRE,
    VOLLEY_RESULT,
    VOLLEYS,
)
from wargamesim.games.skirmish.referee_course import VOLLEYED, Course, faces_of, rolled
from wargamesim.games.skirmish.referee_fire import hit, in_fumble, misfire_die_of, misfires
from wargamesim.games.skirmish.referee_ground import MORE, Place, is_near, length
from wargamesim.games.skirmish.referee_nerve import STEADY, attempt
from wargamesim.games.skirmish.referee_rules import Action


def joint_fire(course: Course, action: Action) -> None:
    """Fire a volley or blind fire: all try to act, then those who may fire, one by one (NA-4.14 to 4.22)."""
    table = course.table
    keys: dict[int, int] = {}
    for member in action.members:
        who, result = attempt(course, member)
        if result == STEADY:
            keys[member] = who
        if table.is_in_play(member):
            table.ran[member] = table.moved_last[member] = 0
            rest(course, member)
    shooters = list(keys)
    for shooter in shooters:
        course.turn_to(shooter, action.to)
    if action.what == VOLLEY:
        _volley(course, action, keys)
    else:
        _blind_fire(course, action, keys)


def rest(course: Course, figure: int) -> None:
    """Break off setting fire to a house: the figure does something else (NA-9.2)."""
    if course.reading["arson_failure"] == "restart":
        course.table.arson[figure] = 0


def _volley(course: Course, action: Action, keys: dict[int, int]) -> None:
    table, play, aim, shooters = course.table, course.play, action.to, list(keys)
    side, squad = int(table.side[action.members[0]]), int(table.squad[action.members[0]])
    zone = _zone(course, aim, shooters, blind=False)
    blind = bool(shooters) and not zone and table.is_wood(aim)
    if blind:
        zone = _zone(course, aim, shooters, blind=True)
    if shooters:
        course.count(VOLLEYS, side)
    kind = "a blind volley" if blind else "a volley"
    course.tell(
        "volley", f"{len(shooters)} fire {kind} at ({aim[0]:.1f}, {aim[1]:.1f}); in the zone: {course.all_names(zone)}"
    )
    hits, struck = 0, [0] * len(zone)
    by_distance = _by_distance(course, shooters, zone)
    for shooter, who in keys.items():
        if not _centres(course, who, VOLLEY_HIT, play.volley_die, play.volley_faces, shooter):
            continue
        hits += 1
        if not zone:
            continue
        if course.reading["allocation"] == "nearest_first":
            victim = by_distance[(hits - 1) % len(zone)]
        else:
            least = min(struck) if course.reading["allocation"] == "spread" else max(struck)
            among = [f for f, times in zip(zone, struck, strict=True) if times <= least]
            victim = among[course.roll(who, VOLLEY_AIM, 0, len(among)) - 1]
        struck[zone.index(victim)] += 1
        if table.is_in_play(victim):
            hit(course, who, (VOLLEY_RESULT, 0), shooter, victim, table.cover(shooter, victim))
        else:
            course.tell("volley hit", f"a hit on {course.name(victim)}, who is out already")
    pinned = [f for f in zone if table.is_in_play(f)] if hits or not blind else []
    for f in pinned:
        table.blue[f] = 1
    if pinned:
        course.tell("suppression", f"shaken by the volley: {course.all_names(pinned)}")
    course.note(VOLLEYED, squad, len(shooters), len(zone), hits, blind)


def _centres(course: Course, who: int, purpose: int, sides: int, faces: int, shooter: int) -> bool:
    """Roll one shooter's die of a volley or of blind fire; tell whether it is a hit. His weapon is empty then."""
    table, play, side = course.table, course.play, int(course.table.side[shooter])
    slot, mishaps = table.ready_firearm(shooter), course.reading["volley_mishaps"]
    course.count(SHOTS_FIRED, side)
    if table.capacity[slot][shooter] > 1:
        table.shots[shooter] += 1
    misfire_die = -1 if mishaps == "neither" else misfire_die_of(course, who, VOLLEY_MISFIRE, 0, shooter, slot)
    if 0 < misfire_die <= play.misfire_at_most[int(table.grade[shooter])]:
        misfires(course, shooter, slot, f"{course.name(shooter)} fires: {rolled(play.misfire_die, misfire_die)}")
        return False
    die = course.roll(who, purpose, 0, sides)
    if play.has_misfires and play.misfire_by_face and die == 1 and mishaps != "neither":
        misfires(course, shooter, slot, f"{course.name(shooter)} fires: {rolled(sides, die)}")
        return False
    is_centre = bool(faces >> die & 1)
    course.tell(
        "volley hit" if purpose == VOLLEY_HIT else "blind hit",
        f"{course.name(shooter)} fires: {rolled(sides, die)}, needs {faces_of(faces)},"
        f" {'a hit' if is_centre else 'a miss'}",
    )
    if not is_centre and mishaps == "both" and play.has_fumbles and play.miss_faces >> die & 1:
        friends = in_fumble(course, shooter, slot)
        if friends:
            victim = friends[course.roll(who, VICTIM, 0, len(friends)) - 1]
            course.tell("fumble", f"{course.name(shooter)} hits his own {course.name(victim)}")
            hit(course, who, (VOLLEY_RESULT, 0), shooter, victim, table.cover(shooter, victim))
    course.discharge(shooter, slot, misfired=False)
    table.hidden[shooter] = 0
    return is_centre


def _zone(course: Course, aim: Place, shooters: Sequence[int], *, blind: bool) -> list[int]:
    """Return the enemies in the zone of a volley: known ones in sight, or hidden ones in woods (NA-4.20)."""
    table = course.table
    if not shooters:
        return []
    enemies = (f for f in table.enemies(shooters[0]) if not blind or table.hidden[f])
    if blind:
        enemies = (f for f in enemies if table.is_wood(table.place(f)))
    outside = (f for f in enemies if not table.is_building(table.place(f)))
    return [f for f in outside if _is_in_zone(course, aim, shooters, f, blind)]


def _is_in_zone(course: Course, aim: Place, shooters: Sequence[int], enemy: int, blind: bool) -> bool:
    table, reach, zone = course.table, course.play.volley_reach, course.reading["zone"]
    if zone == "rectangle":
        seen_by: Sequence[int] = shooters if _is_in_rectangle(course, aim, shooters, enemy) else []
    elif zone == "around_a_point":
        is_close = is_near(aim, table.place(enemy), course.play.aim_radius)
        seen_by = [s for s in shooters if is_close and table.is_within(s, enemy, reach)]
    else:
        seen_by = [s for s in shooters if table.is_within(s, enemy, reach) and table.is_in_arc(s, enemy)]
    return any(blind or (table.knows(s, enemy) and table.sees(s, enemy)) for s in seen_by)


def _mean(course: Course, shooters: Sequence[int]) -> Place:
    table = course.table
    xs, ys = [float(table.x[s]) for s in shooters], [float(table.y[s]) for s in shooters]
    return sum(xs) / len(xs), sum(ys) / len(ys)


def _is_in_rectangle(course: Course, aim: Place, shooters: Sequence[int], enemy: int) -> bool:
    """The rectangle before the line of shooters, as wide as they stand and as deep as the volley reaches."""
    table = course.table
    centre = _mean(course, shooters)
    away = length(centre, aim)
    if away == 0:
        return False
    ahead = ((aim[0] - centre[0]) / away, (aim[1] - centre[1]) / away)

    def seen_from_centre(f: int) -> Place:
        dx, dy = float(table.x[f]) - centre[0], float(table.y[f]) - centre[1]
        return dx * ahead[0] + dy * ahead[1], dx * ahead[1] - dy * ahead[0]

    wide = max(abs(seen_from_centre(s)[1]) for s in shooters)
    along, aside = seen_from_centre(enemy)
    return -1e-9 <= along <= course.play.volley_reach * MORE and abs(aside) <= wide + 1e-9


def _by_distance(course: Course, shooters: Sequence[int], zone: list[int]) -> list[int]:
    if not shooters:
        return zone
    centre = _mean(course, shooters)
    return sorted(zone, key=lambda f: length(centre, course.table.place(f)))


def _blind_fire(course: Course, action: Action, keys: dict[int, int]) -> None:
    """Everybody fires at a wood or a building where enemies may hide (NA-4.14, NA-4.15)."""
    table, play = course.table, course.play
    shooters, kind = list(keys), "building" if action.target == 1 else "wood"
    squad = int(table.squad[action.members[0]])
    inside = table.is_building if action.target == 1 else table.is_wood

    def hiding(shooter: int, reach: float = inf) -> list[int]:
        hidden = (f for f in table.enemies(shooter) if table.hidden[f] and inside(table.place(f)))
        return [f for f in hidden if table.is_within(shooter, f, reach)]

    zone = len(hiding(action.members[0]))  # whoever of them fires in the end
    course.tell("blind", f"{len(shooters)} fire blindly into a {kind}")
    hits = 0
    for shooter, who in keys.items():
        slot = table.ready_firearm(shooter)
        weapon, grade = int(table.weapon[slot][shooter]), int(table.grade[shooter])
        sides = play.fire_die[weapon][grade] if course.reading["blind"] == "top_face" else play.blind_die
        least = sides if course.reading["blind"] == "top_face" else play.blind_need
        faces = sum(1 << face for face in range(1, sides + 1) if face >= least)
        if not _centres(course, who, BLIND_HIT, sides, faces, shooter):
            continue
        hits += 1
        targets = hiding(shooter, play.reach[weapon])
        if targets and not (course.reading["blind"] == "one_ten" and hits > 1):
            victim = targets[course.roll(who, BLIND_AIM, 0, len(targets)) - 1]
            hit(course, who, (VOLLEY_RESULT, 0), shooter, victim, table.cover(shooter, victim))
    course.note(VOLLEYED, squad, len(shooters), zone, hits, 2)
