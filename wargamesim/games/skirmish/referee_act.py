"""What one figure does when it is activated, apart from moves (section 3 of the rules)."""

from __future__ import annotations

from wargamesim.errors import IllegalAction
from wargamesim.games.skirmish import orders
from wargamesim.games.skirmish.judge import house_near
from wargamesim.games.skirmish.layout import (
    ARSON_TRY,
    FIGHT,
    FIRE_RAISING,
    LOAD_0,
    MOVE,
    PASS,
    POSTURE_SHOT,
    RELOAD,
    SHOOT,
    SNAP,
    SPENT,
    STAIRS,
    STAND,
    TAKE,
)
from wargamesim.games.skirmish.referee_course import ACTION, BURNT, FETCHED, SNAPPED, Course, faces_of, milli, rolled
from wargamesim.games.skirmish.referee_fire import Shot, fire
from wargamesim.games.skirmish.referee_ground import is_near
from wargamesim.games.skirmish.referee_melee import fight
from wargamesim.games.skirmish.referee_move import arrive, climb, move, shots_before
from wargamesim.games.skirmish.referee_nerve import BROKEN, HELD_DOWN, attempt
from wargamesim.games.skirmish.referee_rules import Action
from wargamesim.games.skirmish.referee_volley import rest
from wargamesim.games.skirmish.whereabouts import look_anew

MARKERS = ("none", "green", "yellow", "red")


def ask(course: Course, figure: int, pinned: bool = False) -> Action:
    """Ask a figure's player what it does, and judge it."""
    setup = course.setup
    look_anew(course.state)
    orders.act(
        course.state, setup.ground, setup.play, course.doctrine(figure), setup.goals, course.plan, figure, int(pinned)
    )
    action = Action.of(course.plan)
    course.judge.action(action, figure, pinned)
    return action


def act(course: Course, figure: int, declared: Action | None = None) -> None:
    """Let a figure try to act, ask its player what it does unless that was declared before, and do that."""
    table = course.table
    who, result = attempt(course, figure)
    if result == BROKEN:
        return
    if declared is None or result == HELD_DOWN:
        action = ask(course, figure, pinned=result == HELD_DOWN)
    else:
        action = _what_remains(course, declared)
    shots = int(table.shots[figure])
    if action.what != ARSON_TRY:
        rest(course, figure)
    if action.what == MOVE:
        move(course, who, action)
    else:
        table.ran[figure] = table.moved_last[figure] = 0
        _stay(course, who, action)
    if table.shots[figure] > shots:
        _close_magazine(course, figure, action.slot)
    if action.what == MOVE:
        _fetch(course, figure)
    x, y = table.place(figure)
    aim = action.grab if action.what == TAKE else action.target
    course.note(
        *(ACTION, figure, action.what, aim, action.slot, action.run, action.posture, milli(x), milli(y)),
        *(action.hide, action.exit),
    )


def _what_remains(course: Course, declared: Action) -> Action:
    """Return what a figure can still do of what it declared: all, all but the shot beside it, or nothing (NA-2.8)."""
    orders_left = [declared]
    if declared.what in (MOVE, RELOAD) and declared.target >= 0:
        orders_left.append(declared._replace(target=-1))
    for each in orders_left:
        try:
            course.judge.action(each, declared.figure, pinned=False)
        except IllegalAction:
            continue
        return each
    course.tell("figure", f"{course.name(declared.figure)} can no longer do what it declared")
    return Action(PASS, declared.figure)


def _stay(course: Course, who: int, action: Action) -> None:
    """Do what a figure does without moving."""
    figure = action.figure
    if action.what in (SHOOT, POSTURE_SHOT):
        _shoot(course, who, action)
    elif action.what == RELOAD:
        _reload(course, who, action)
    elif action.what == FIGHT:
        fight(course, who, figure, charges=False, arrive=arrive)
    elif action.what == STAIRS:
        climb(course, who, action)
    elif action.what == TAKE:
        _take(course, figure, action.grab)
    elif action.what == ARSON_TRY:
        _set_fire(course, who, figure)
    else:
        course.tell("action", f"{course.name(figure)} does nothing")


# Shots (NA-3.16, NA-3.18, RI-3.9, RI-6.1)


def _shoot(course: Course, who: int, action: Action) -> None:
    table, figure, slot = course.table, action.figure, action.slot
    unaimed = action.what == POSTURE_SHOT
    if unaimed:
        table.prone[figure] = action.posture != STAND
        course.tell("posture shot", f"{course.name(figure)} {'stands up' if action.posture == STAND else 'lies down'}")
    target, fired = action.target, 0
    while target >= 0:
        fire(course, Shot(who, fired, figure, slot, target, unaimed, shots_before(course, figure, slot, fired)))
        fired += 1
        target = -1 if unaimed else _next_target(course, action, fired)


def _next_target(course: Course, action: Action, fired: int) -> int:
    """Ask the player for the target of a repeater's further shot, -1 for none."""
    table, judge, setup = course.table, course.judge, course.setup
    figure, slot = action.figure, action.slot
    repeats = table.capacity[slot][figure] > 1 and table.is_ready(figure, slot)
    if not (repeats and judge.may_repeat(figure, slot, fired)):
        return -1
    look_anew(course.state)
    target = int(
        orders.next_shot(
            *(course.state, setup.ground, setup.play, course.doctrine(figure), setup.goals, course.plan),
            *(figure, slot, fired),
        )
    )
    if target < 0:
        return -1
    if course.reading["repeat_target"] == "same_target" and target != action.target:
        raise judge.wrong("repeater", f"{course.name(figure)} changes its target between shots")
    judge.shot(figure, slot, target, fired=fired)
    return target


def _close_magazine(course: Course, figure: int, slot: int) -> None:
    """Mark a repeater that was fired in this activation and is not full, if the reading asks for it (RI-6.5)."""
    table = course.table
    rounds, full = int(table.rounds[slot][figure]), int(table.capacity[slot][figure])
    if course.reading["repeat_marker"] == "after_fire" and 0 < rounds < full and not table.loading[slot][figure]:
        course.mark_empty(figure, slot)


# Reloading and the snap shot (NA-3.19 to 3.21, RI-3.10 to 3.12)


def _reload(course: Course, who: int, action: Action) -> None:
    table, play, figure, slot = course.table, course.play, action.figure, action.slot
    left = 0 if course.reading["reload_steps"] == "one_action" else int(table.loading[slot][figure]) - 1
    slots = [slot]
    if course.reading["markers"] == "per_figure" and table.is_firearm(figure, 1 - slot):
        slots.append(1 - slot)
    for each in slots:
        table.loading[each][figure] = left
        if left == 0:
            _fill(course, figure, each)
    table.reloaded[figure] = 1
    marker = MARKERS[min(left, len(MARKERS) - 1)]
    course.tell("reload", f"{course.name(figure)} reloads; marker left: {marker}")
    if left or action.target < 0:
        return
    die = course.roll(who, SNAP, 0, play.snap_die)
    succeeds = die >= play.snap_need[int(table.grade[figure])]
    course.note(SNAPPED, figure, die, succeeds)
    test = f"{rolled(play.snap_die, die)}, needs {play.snap_need[int(table.grade[figure])]}"
    course.tell("snap", f"{course.name(figure)} tries a snap shot: {test}, {'fires' if succeeds else 'too late'}")
    if succeeds:
        before = shots_before(course, figure, slot, 0)
        fire(course, Shot(who, 0, figure, slot, action.target, unaimed=True, before=before))


def _fill(course: Course, figure: int, slot: int) -> None:
    table = course.table
    capacity = int(table.capacity[slot][figure])
    one_more = min(int(table.rounds[slot][figure]) + 1, capacity)
    table.rounds[slot][figure] = one_more if course.reading["refill"] == "one_round" else capacity


# Other actions


def _take(course: Course, figure: int, grab: int) -> None:
    """Take hold of a load or a prisoner, or let go of it (NA-3.5)."""
    if grab < 0:
        course.let_go(figure)
        course.tell("drag", f"{course.name(figure)} lets go")
        return
    course.table.drags[figure] = grab
    if grab >= LOAD_0:
        course.state.dragger[grab - LOAD_0] = figure
    what = f"load {grab - LOAD_0 + 1}" if grab >= LOAD_0 else course.name(grab)
    course.tell("drag", f"{course.name(figure)} takes hold of {what}")


def _fetch(course: Course, figure: int) -> None:
    """Pick up the weapon that a figure has thrown, if its move has brought it there (NA-4.23)."""
    table = course.table
    if course.reading["thrown_away"] != "recoverable" or not table.is_in_play(figure) or table.touches(figure):
        return
    lies = (float(table.drop_x[figure]), float(table.drop_y[figure]))
    for slot in (0, 1):
        if table.loading[slot][figure] == SPENT and is_near(table.place(figure), lies, course.play.diameter):
            table.loading[slot][figure] = 0
            course.change_arms(figure)
            course.note(FETCHED, figure, slot)
            course.tell("thrown", f"{course.name(figure)} picks up the {course.weapon(figure, slot)} that it threw")


def _set_fire(course: Course, who: int, figure: int) -> None:
    """Try to set a house on fire: so many actions must succeed (NA-9.2)."""
    table, play, state = course.table, course.play, course.state
    die = course.roll(who, FIRE_RAISING, 0, play.arson_die)
    succeeds = bool(play.arson_faces >> die & 1)
    house = 0
    if succeeds:
        table.arson[figure] += 1
        if table.arson[figure] >= play.arson_actions:
            square = house_near(table, figure)
            assert square is not None  # judged before
            house = int(course.setup.ground.house[square[1], square[0]])
            state.afire[house] = state.afire[house] or course.turn
            table.arson[figure] = 0
    else:
        rest(course, figure)
    course.note(BURNT, figure, die, succeeds, house)
    ending = "the house is on fire" if house else "it goes well" if succeeds else "in vain"
    test = f"{rolled(play.arson_die, die)}, needs {faces_of(play.arson_faces)}"
    course.tell("arson", f"{course.name(figure)} lays fire: {test}, {ending}")
