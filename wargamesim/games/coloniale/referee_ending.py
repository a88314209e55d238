"""The end of a turn and of a battle: zones, objectives, and who has won (section 8 of the rules)."""

from __future__ import annotations

from wargamesim.games.coloniale.layout import (
    DRAW,
    FIGURES_LEFT,
    FIRST,
    MARKERS_LEFT,
    NO_DECISION,
    SECOND,
    SIDES,
    T_TURN_END,
    ZONES_HELD,
)
from wargamesim.games.coloniale.referee_course import Course, plural

GOES_ON = -1


def end_of_turn(course: Course) -> int:
    """Give zones their owners, note the turn, and return the outcome, -1 if the battle goes on."""
    table = course.table
    _hold_zones(course)
    sides = FIRST, SECOND
    units = [len(table.in_play(side)) for side in sides]
    figures = [figures_of(course, side) for side in sides]
    markers = [markers_of(course, side) for side in sides]
    zones = [len(zones_of(course, side)) for side in sides]
    course.note(T_TURN_END, *units, *figures, *markers, *zones)
    strength = (
        f"{SIDES[side]} {plural(units[side], 'unit')} with {plural(figures[side], 'figure')}, "
        f"{plural(markers[side], 'marker')}, {plural(zones[side], 'zone')}"
        for side in sides
    )
    course.tell("CO-3.1", f"end of turn {course.turn}: {'; '.join(strength)}", draws=True)
    return outcome_of(course)


def figures_of(course: Course, side: int) -> int:
    """Return the figures of a side in play."""
    return sum(int(course.table.fig[unit]) for unit in course.table.in_play(side))


def markers_of(course: Course, side: int) -> int:
    """Return the suppression markers of a side's units in play."""
    return sum(int(course.table.markers[unit]) for unit in course.table.in_play(side))


def zones_of(course: Course, side: int) -> list[int]:
    """Return the zones that a side holds."""
    return [zone for zone in range(course.table.ground.zones) if course.state.owner[zone] == side]


def _hold_zones(course: Course) -> None:
    """A side that stands alone in a zone holds it until the other does (CO-8.1)."""
    table, owner = course.table, course.state.owner
    for zone in range(table.ground.zones):
        west, north, east, south = table.ground.zone[zone]
        places = {side: [table.place(unit) for unit in table.in_play(side)] for side in (FIRST, SECOND)}
        there = [side for side in places if any(west <= x <= east and north <= y <= south for x, y in places[side])]
        if len(there) == 1 and owner[zone] != there[0]:
            owner[zone] = course.side = there[0]
            course.tell("CO-8.1", f"the {SIDES[there[0]]} side takes {course.setup.zone_names[zone]}")
    course.side = -1


def outcome_of(course: Course) -> int:
    """Return the outcome at the end of a turn, -1 if the battle goes on (CO-8.1, CO-8.4, CO-P30)."""
    goals, table = course.goals, course.table
    alive = [side for side in (FIRST, SECOND) if table.in_play(side)]
    if not alive:
        return _end(course, "CO-8.4", "nobody is left", DRAW)
    if len(alive) == 1:
        return _end(course, "CO-8.4", f"only the {SIDES[alive[0]]} side is left", alive[0])
    is_over = course.turn >= goals.turns
    if is_over or goals.at_once:
        done = [side for side in (FIRST, SECOND) if _has_done_it(course, side)]
        if len(done) == 2:
            return _end(course, "CO-8.1", "both sides hold what they are to hold", DRAW)
        if done:
            return _end(course, "CO-8.1", f"the {SIDES[done[0]]} side holds what it is to hold", done[0])
    if not is_over:
        return GOES_ON
    if any(goals.hold) or goals.at_limit >= 0:
        wins = goals.at_limit if goals.at_limit >= 0 else NO_DECISION
        return _end(course, "CO-8.1", "time is up and nobody holds what he is to hold", wins)
    return _compare(course)


def _has_done_it(course: Course, side: int) -> bool:
    goals = course.goals
    held = [zone for zone in zones_of(course, side) if goals.zones[side] >> zone & 1]
    return bool(goals.hold[side] > 0 and len(held) >= goals.hold[side])


def _compare(course: Course) -> int:
    """Compare what the sides have left when nobody had to hold anything (CO-P30)."""
    figures = figures_of(course, FIRST), figures_of(course, SECOND)
    scores = [("figures", *figures)]
    if course.reading["figures_only"] == "units_zones_figures":
        scores.insert(0, ("zones", len(zones_of(course, FIRST)), len(zones_of(course, SECOND))))
    for what, first, second in scores:
        if first != second:
            return _end(
                course, "CO-P30", f"time is up: {first} {what} to {second}", FIRST if first > second else SECOND
            )
    return _end(course, "CO-P30", "time is up, and neither side is better off", DRAW)


def _end(course: Course, rule: str, why: str, outcome: int) -> int:
    course.tell(rule, why)
    return outcome


def sum_up(course: Course) -> None:
    """Count what is left at the end of the battle."""
    for side in (FIRST, SECOND):
        course.tally(FIGURES_LEFT, side, figures_of(course, side))
        course.tally(MARKERS_LEFT, side, markers_of(course, side))
        course.tally(ZONES_HELD, side, len(zones_of(course, side)))
