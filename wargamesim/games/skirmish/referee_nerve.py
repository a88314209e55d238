"""Nerve: the test of a figure with a blue marker, routs, and those who come back (section 8 of the rules)."""

from __future__ import annotations

from math import inf

from wargamesim.games.skirmish.layout import (
    ACTIVATIONS,
    EAST,
    IN_PLAY,
    LEADER,
    MORALE,
    MOST_RINGS,
    NORTH,
    OUT,
    PINNED,
    RALLIES,
    RALLY_DIE,
    RING,
    ROUTED,
    SOUTH,
)
from wargamesim.games.skirmish.referee_course import MORALE as TESTED
from wargamesim.games.skirmish.referee_course import RALLIED, Course, milli, rolled
from wargamesim.games.skirmish.referee_ground import LESS, Place

STEADY, HELD_DOWN, BROKEN = range(3)


def modifiers(course: Course, figure: int) -> list[tuple[str, int]]:
    """Return what changes a figure's test of morale, with words for each (NA-8.2a to 8.2e, RI-8.2a to 8.2d)."""
    table, play = course.table, course.play
    friends = table.friends(figure)
    close = (f for f in friends if table.is_within(f, figure, play.spread_radius))
    leaders = (f for f in friends if table.has_role(f, LEADER))
    leader_near = any(table.is_within(f, figure, play.command_radius) for f in leaders)
    enemy_near = any(table.is_within(e, figure, play.spread_radius) for e in table.known(figure))
    told = [
        ("grade", play.morale_grade[int(table.grade[figure])]),
        ("leader near", play.morale_leader if leader_near else 0),
        ("wounded", play.morale_wounded if table.wounds[figure] else 0),
        ("alone", play.morale_alone if not any(table.sees(f, figure) for f in close) else 0),
        ("enemy near", play.morale_enemy_near if enemy_near else 0),
    ]
    return [(words, points) for words, points in told if points]


def attempt(course: Course, figure: int) -> tuple[int, int]:
    """Try to activate a figure; return the key of its dice for all it does now, and STEADY, HELD_DOWN or BROKEN."""
    table, side = course.table, int(course.table.side[figure])
    who = course.who(figure)
    course.count(ACTIVATIONS, side)
    for row in (table.tries, table.acts, table.on_card):
        row[figure] += 1
    if not table.blue[figure]:
        return who, STEADY
    result = _test(course, figure, who)
    if result != STEADY and course.reading["failed_test"] == "free_attempt":
        table.acts[figure] -= 1
    return who, result


def _test(course: Course, figure: int, who: int) -> int:
    table, play = course.table, course.play
    die, told = course.roll(who, MORALE, 0, play.morale_die), modifiers(course, figure)
    total = die + sum(points for _, points in told)
    tested = f"{course.name(figure)} tests morale: {rolled(play.morale_die, die, told)}"
    if total >= play.steady_at_least:
        course.note(TESTED, figure, die, total, STEADY)
        table.blue[figure] = 0
        course.tell("steady", f"{tested}: steady, at {play.steady_at_least} or more")
        return STEADY
    if total > play.rout_at_most:
        course.note(TESTED, figure, die, total, HELD_DOWN)
        course.count(PINNED, int(table.side[figure]))
        course.tell("pinned", f"{tested}: pinned, below {play.steady_at_least}")
        return HELD_DOWN
    course.note(TESTED, figure, die, total, BROKEN)
    course.lose(figure, ROUTED)
    shaken = [f for f in table.friends(figure) if table.is_within(f, figure, play.spread_radius)]
    for f in shaken:
        table.blue[f] = 1
    course.tell("rout", f"{tested}: routs, at {play.rout_at_most} or less{course.shaken(shaken)}")
    return BROKEN


def rally(course: Course, figure: int) -> None:
    """Test whether a figure lost to a rout comes back; if not it is gone for good (NA-2.9, RI-2.11)."""
    table, play = course.table, course.play
    die, told = course.roll(course.who(figure), RALLY_DIE, 0, play.morale_die), modifiers(course, figure)
    table.tries[figure] += 1
    total = die + sum(points for _, points in told)
    place = _free_place(course, figure) if total >= play.rally_need else None
    if place is None:
        table.status[figure] = OUT
    else:
        table.status[figure], table.blue[figure], table.hidden[figure] = IN_PLAY, 0, 0
        table.x[figure], table.y[figure] = place
        course.count(RALLIES, int(table.side[figure]))
    x, y = table.place(figure)
    course.note(RALLIED, figure, die, total, place is not None, milli(x), milli(y))
    ending = "is gone for good" if place is None else f"comes back at ({x:.1f}, {y:.1f})"
    test = f"{rolled(play.morale_die, die, told)}, needs {play.rally_need}"
    course.tell("rally", f"{course.name(figure)} may rally: {test}, and {ending}")


def _free_place(course: Course, figure: int) -> Place | None:
    """Return where a figure comes back: where it wants to, or the first free place around that (NA-2.10, RI-2.12)."""
    table = course.table
    x, y = table.place(figure)
    if course.reading["rally_place"] == "own_edge":
        table.level[figure] = 0
        edge, inside = course.goals.home[int(table.side[figure])], course.play.diameter / 2
        if edge in (NORTH, SOUTH):
            y = inside if edge == NORTH else table.height - inside
        else:
            x = table.width - inside if edge == EAST else inside
    if _is_free(course, figure, (x, y)):
        return x, y
    for r in range(1, MOST_RINGS + 1):
        for dx, dy in RING.tolist():
            place = (x + r * dx, y + r * dy)
            if _is_free(course, figure, place):
                return place
    return None


def _is_free(course: Course, figure: int, place: Place) -> bool:
    table = course.table
    if not table.fits(figure, place):
        return False
    squares = ((table.x[e] - place[0]) ** 2 + (table.y[e] - place[1]) ** 2 for e in table.enemies(figure))
    return bool(min(squares, default=inf) >= course.play.rally_distance**2 * LESS)
