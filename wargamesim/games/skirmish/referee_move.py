"""Moves: falls, arrival, spotting and hiding, leaving the table (sections 3 and 6 of the rules)."""

from __future__ import annotations

from wargamesim.games.skirmish.layout import (
    CAPTURED,
    DEAD,
    FALL,
    GONE,
    KEEP,
    LEFT,
    LIE,
    LOAD_0,
    LOADS_AWAY,
    OUT,
    REGULAR,
    SPOT,
    STAND,
)
from wargamesim.games.skirmish.referee_course import FALL as FELL
from wargamesim.games.skirmish.referee_course import SPOTTED, Course, rolled
from wargamesim.games.skirmish.referee_fire import Shot, fire
from wargamesim.games.skirmish.referee_ground import MORE, Place, Way
from wargamesim.games.skirmish.referee_melee import fight, free_blows
from wargamesim.games.skirmish.referee_rules import Action

RUN_FALL, FORD_FALL = range(2)
GONE_LOAD = -2  # who drags a load that has left the table
DICE_PER_OBSERVER = 128


def move(course: Course, who: int, action: Action) -> None:
    """Move a figure, with all that its move brings: free blows, falls, spotting, a shot, a round of close combat."""
    table, figure, to = course.table, action.figure, action.to
    start = table.place(figure)
    way = table.way(start, to)
    table.ran[figure], table.moved_last[figure], table.moved[figure] = action.run, 1, 1
    course.turn_to(figure, to)
    if action.posture == STAND:
        table.prone[figure] = 0
    if course.reading["melee_timing"] == "free_hit" and (way.length > 0 or action.exit):
        stays = [] if action.exit else table.touches(figure, to)
        free_blows(course, who, figure, [e for e in table.touches(figure) if e not in stays])
        if not table.is_in_play(figure):
            return
    if action.target >= 0 and action.shoot_first:
        _shoot(course, who, action)
    end, goes_on = _fall_on_the_way(course, who, action, way)
    if not goes_on:
        if end != start:
            _go(course, figure, end)
            arrive(course, who, figure)
        if end == to and table.is_in_play(figure):
            _fight(course, who, action, way)
        return
    _go(course, figure, end)
    _tell(course, action, way)
    if action.posture == LIE:
        table.prone[figure] = 1
    if action.exit:
        _leave(course, figure)
        return
    arrive(course, who, figure, hide=bool(action.hide))
    _fight(course, who, action, way)
    if action.target >= 0 and not action.shoot_first and _may_still_fire(course, action):
        _shoot(course, who, action)


def _tell(course: Course, action: Action, way: Way) -> None:
    how = "runs" if action.run else "wades" if way.water else "moves"
    topic = "run" if action.run else "ford" if way.water else "move"
    posture = {STAND: "stands up and ", KEEP: "", LIE: "lies down: it first "}[action.posture]
    if way.length == 0 and action.posture != KEEP:
        course.tell(
            "posture", f"{course.name(action.figure)} {'stands up' if action.posture == STAND else 'lies down'}"
        )
    else:
        x, y = action.to
        course.tell(topic, f"{course.name(action.figure)} {posture}{how} {way.length:.1f} cm to ({x:.1f}, {y:.1f})")


def _go(course: Course, figure: int, end: Place) -> None:
    """Put a figure at a place, and what it drags with it."""
    table = course.table
    table.x[figure], table.y[figure] = end
    dragged = int(table.drags[figure])
    if dragged >= LOAD_0:
        course.state.load[:, dragged - LOAD_0] = end
    elif dragged >= 0:
        table.x[dragged], table.y[dragged] = end


def _shoot(course: Course, who: int, action: Action) -> None:
    before = shots_before(course, action.figure, action.slot, 0)
    fire(course, Shot(who, 0, action.figure, action.slot, action.target, unaimed=True, before=before))


def shots_before(course: Course, figure: int, slot: int, fired: int) -> int:
    """Return how many shots of a repeater count against the next one (RI-6.2)."""
    table = course.table
    if table.capacity[slot][figure] <= 1:
        return 0
    return fired if course.reading["repeat_scope"] == "activation" else int(table.shots[figure])


def _may_still_fire(course: Course, action: Action) -> bool:
    table, figure = course.table, action.figure
    able = table.is_in_play(figure) and not table.touches(figure) and table.is_ready(figure, action.slot)
    return able and table.is_in_play(action.target)


def climb(course: Course, who: int, action: Action) -> None:
    """Let a figure go to another floor, with what its arrival there brings (NA-3.9)."""
    table, figure = course.table, action.figure
    table.moved_last[figure] = table.moved[figure] = 1
    table.level[figure] = action.target
    course.tell("stairs", f"{course.name(figure)} goes to floor {action.target}")
    arrive(course, who, figure)
    if table.touches(figure) and course.reading["melee_timing"] != "end_of_turn":
        fight(course, who, figure, charges=False, arrive=arrive)


# Falls (NA-3.3f, NA-3.4f, NA-3.14, NA-3.15)


def _fall_on_the_way(course: Course, who: int, action: Action, way: Way) -> tuple[Place, bool]:
    """Test a runner, then a wader; return where it comes, and whether it goes on with its action."""
    table, play, figure, to = course.table, course.play, action.figure, action.to
    start = table.place(figure)
    if not play.has_falls or way.length == 0:
        return to, True
    regular = table.has_role(figure, REGULAR)
    clumsy = play.fall_run_regular_difficult if regular and way.difficult else 0
    if action.run and _falls(course, who, figure, RUN_FALL, clumsy, play.fall_run):
        table.prone[figure] = 1
        half = (start[0] + (to[0] - start[0]) * 0.5, start[1] + (to[1] - start[1]) * 0.5)
        end = {"no_move": start, "half_move": half, "whole_move": to}[course.reading["fall"]]
        return (end if end != half or table.fits(figure, end) else start), False
    if way.water and _falls(course, who, figure, FORD_FALL, play.fall_ford_regular if regular else 0, play.fall_ford):
        return _in_water(course, figure, start, to)
    return to, True


def _falls(course: Course, who: int, figure: int, kind: int, modifier: int, at_most: int) -> bool:
    die = course.roll(who, FALL, kind, course.play.fall_die)
    fell = die + modifier <= at_most
    course.note(FELL, figure, die, die + modifier, fell, kind)
    what, topic = ("runs", "run fall") if kind == RUN_FALL else ("wades", "ford fall")
    test = rolled(course.play.fall_die, die, [("regular", modifier)] if modifier else [])
    ending = "falls" if fell else "keeps its feet"
    course.tell(topic, f"{course.name(figure)} {what}: {test}, needs {at_most + 1}, {ending}")
    return bool(fell)


def _in_water(course: Course, figure: int, start: Place, to: Place) -> tuple[Place, bool]:
    table = course.table
    if course.reading["water"] == "drowns":
        course.tell("ford fall", f"{course.name(figure)} drowns")
        course.lose(figure, DEAD)
        return start, False
    table.prone[figure] = 1
    if course.reading["water"] == "swims":
        course.tell("ford fall", f"{course.name(figure)} swims back")
        return start, False
    table.wet[figure] = 1
    course.tell("ford fall", f"the powder of {course.name(figure)} is wet")
    return to, True


# Arrival (section 6)


def arrive(course: Course, who: int, figure: int, *, hide: bool = False) -> None:
    """See what a figure's arrival reveals: those in contact, those it spots, itself; then it may hide (NA-6.4)."""
    table, play = course.table, course.play
    if not play.has_hiding:
        return
    if table.hidden[figure] and not hide and not table.is_wood(table.place(figure)):
        table.hidden[figure] = 0
        course.tell("revealed", f"{course.name(figure)} comes into the open")
    touched = table.touches(figure)
    for enemy in touched:
        if table.hidden[enemy]:
            _reveal(course, enemy, figure)
    if touched and table.hidden[figure]:
        _reveal(course, figure, touched[0])
    for enemy in table.enemies(figure):
        if not table.knows(figure, enemy) and spots(course, who, figure, enemy):
            _learn(course, figure, enemy)
    for enemy in table.enemies(figure):
        if not table.knows(enemy, figure) and spots(course, who, enemy, figure):
            _learn(course, enemy, figure)
    if hide and not touched and not any(_could_spot(course, e, figure) for e in table.enemies(figure)):
        table.hide(figure)
        course.tell("hide", f"{course.name(figure)} hides")


def _could_spot(course: Course, observer: int, hidden: int) -> bool:
    """Tell whether a figure is near enough to another, who is not too deep in a wood, and sees it (NA-6.3, NA-6.5)."""
    table, play = course.table, course.play
    at_edge = table.depth_at(table.place(hidden)) <= play.edge_depth
    return at_edge and table.is_within(observer, hidden, play.spot_distance) and table.sees(observer, hidden)


def spots(course: Course, who: int, observer: int, hidden: int) -> bool:
    """Tell whether an observer spots a hidden enemy, with a die if the reading asks for one."""
    if not _could_spot(course, observer, hidden):
        return False
    if course.reading["spotting"] == "automatic":
        return True
    play = course.play
    die = course.roll(who, SPOT, DICE_PER_OBSERVER * observer + hidden, play.spot_die)
    test = f"{rolled(play.spot_die, die)}, needs {play.spot_need}"
    course.tell("spotted", f"{course.name(observer)} may see {course.name(hidden)}: {test}")
    return bool(die >= play.spot_need)


def _reveal(course: Course, figure: int, by: int) -> None:
    course.table.hidden[figure] = 0
    course.note(SPOTTED, figure, by)
    course.tell("spotted", f"{course.name(figure)} is seen by {course.name(by)}")


def _learn(course: Course, observer: int, figure: int) -> None:
    """Let an observer learn of a hidden enemy, for its whole side or for itself alone (NA-6.6)."""
    if course.reading["who_learns"] == "side":
        _reveal(course, figure, observer)
        return
    course.table.note_spotted(observer, figure)
    course.note(SPOTTED, figure, observer)
    course.tell("who learns", f"{course.name(figure)} is seen by {course.name(observer)}, who alone knows of it")


def _leave(course: Course, figure: int) -> None:
    """Take a figure off the table by its side's exit, with what it drags."""
    table, side = course.table, int(course.table.side[figure])
    dragged = int(table.drags[figure])
    what = ""
    if dragged >= LOAD_0:
        course.state.dragger[dragged - LOAD_0] = GONE_LOAD
        course.count(LOADS_AWAY, side)
        what = " with its load"
    elif dragged >= 0 and table.status[dragged] == CAPTURED:
        table.status[dragged] = OUT
        what = f" with {course.name(dragged)}"
    table.drags[figure] = -1
    table.status[figure] = LEFT
    course.count(GONE, side)
    course.tell("scenario", f"{course.name(figure)} leaves the table{what}")


# Contact


def _fight(course: Course, who: int, action: Action, way: Way) -> None:
    """Begin a round if the move has ended in contact (NA-7.1, NA-7.2)."""
    table, play, figure = course.table, course.play, action.figure
    if not table.touches(figure) or course.reading["melee_timing"] == "end_of_turn":
        return
    charges = bool(action.run) if play.has_falls else way.length > play.moving_limit * MORE
    fight(course, who, figure, charges=charges, arrive=arrive)
