"""The end of a turn, and the end of the battle."""

from __future__ import annotations

from wargamesim.games.skirmish.layout import (
    CAPTURED,
    DEAD,
    DRAW,
    GONE,
    HELD,
    IN_PLAY,
    LEFT,
    LOADS_AWAY,
    NO_DECISION,
    OUT,
    PRISONERS,
    ROUTED,
    SIDES,
)
from wargamesim.games.skirmish.referee_course import RESULT as RESULTED
from wargamesim.games.skirmish.referee_course import TURN_END, Course
from wargamesim.games.skirmish.referee_fire import KILL
from wargamesim.games.skirmish.referee_melee import fight
from wargamesim.games.skirmish.referee_move import arrive

LOST = (DEAD, ROUTED, CAPTURED, OUT)
GONE_BY = {DEAD: "dead", ROUTED: "routed", CAPTURED: "captured", OUT: "out for good", LEFT: "off the table"}


def end_of_turn(course: Course) -> int:
    """Play the end of a turn; return the outcome of the battle, -1 if it goes on."""
    if course.reading["melee_timing"] == "end_of_turn":
        _all_rounds(course)
    _free_prisoners(course)
    _burn(course)
    table = course.table
    lost = [_lost(course, side) for side in (0, 1)]
    live = [table.in_play(side) for side in (0, 1)]
    blue = [sum(bool(table.blue[f]) for f in live[side]) for side in (0, 1)]
    course.note(TURN_END, *lost, *blue, *map(len, live))
    outcome = judge_end(course)
    if outcome < 0:
        outcome = _decide([_hold(course, side) for side in (0, 1)])
    if outcome < 0 and course.turn >= course.goals.turns:
        outcome = course.goals.at_limit if course.goals.at_limit >= 0 else NO_DECISION
        course.tell("scenario", f"the last of {course.goals.turns} turns is over")
    score = "; ".join(
        f"{SIDES[side]}: {len(live[side])} in play ({blue[side]} with a blue marker), {_gone(course, side)}"
        for side in (0, 1)
    )
    course.tell("end of turn", f"the turn is over; {score}", draws=True)
    return outcome


def _gone(course: Course, side: int) -> str:
    """Say how many of a side are no longer in play, and why."""
    table = course.table
    figures = [f for f in range(table.count) if table.side[f] == side]
    numbers = {words: sum(table.status[f] == status for f in figures) for status, words in GONE_BY.items()}
    return ", ".join(f"{number} {words}" for words, number in numbers.items() if number) or "nobody lost"


def _all_rounds(course: Course) -> None:
    """Fight the rounds of everybody in contact who has not fought yet, by index (NA-7.2, RI-7.2)."""
    table = course.table
    fought: set[int] = set()
    for figure in range(table.count):
        if figure not in fought and table.is_in_play(figure) and table.touches(figure):
            course.side = int(table.side[figure])
            fought.update(fight(course, course.who(figure), figure, charges=False, arrive=arrive))
    course.side = -1


def _free_prisoners(course: Course) -> None:
    """Free the prisoners whom nobody guards any more (NA-7.15, RI-7.11)."""
    table, play = course.table, course.play
    guards = {"dragged": play.guard_distance, "escorted": play.escort_distance}
    if course.reading["prisoner"] not in guards:
        return
    distance = guards[course.reading["prisoner"]]
    for figure in range(table.count):
        if table.status[figure] != CAPTURED:
            continue
        if any(table.is_within(enemy, figure, distance) for enemy in table.enemies(figure)):
            continue
        for dragger in range(table.count):
            if table.drags[dragger] == figure:
                table.drags[dragger] = -1
        table.status[figure], table.captor[figure] = IN_PLAY, -1
        course.count(PRISONERS, int(table.side[figure]), -1)
        course.tell("prisoner", f"{course.name(figure)} is free again")


def _burn(course: Course) -> None:
    """Count the turns in burning houses (NA-9.3)."""
    table, play, house, afire = course.table, course.play, course.setup.ground.house, course.state.afire
    if not play.has_arson:
        return
    for figure in [f for side in (0, 1) for f in table.in_play(side)]:
        x, y = table.place(figure)
        number = int(house[int(y), int(x)])
        if number and 0 < afire[number] < course.turn:
            table.burning[figure] += 1
            if table.burning[figure] > play.arson_turns:
                _burns(course, figure)
        elif course.reading["burn_count"] == "consecutive":
            table.burning[figure] = 0


def _burns(course: Course, figure: int) -> None:
    """Burn a figure to death, which shakes nobody: that is for those who are shot (NA-5.3)."""
    course.lose(figure, DEAD)
    course.note(RESULTED, figure, -1, -1, KILL, DEAD, int(course.table.wounds[figure]))
    course.tell("burning", f"{course.name(figure)} stays in a burning house and dies")


# Victory


def _lost(course: Course, side: int) -> int:
    table = course.table
    return sum(table.side[f] == side and table.status[f] in LOST for f in range(table.count))


def _hold(course: Course, side: int) -> bool:
    """Count the turns in a row at whose end a side holds its place; tell whether they are enough."""
    table, goals, tally = course.table, course.goals, course.state.tally
    if not goals.hold_turns[side]:
        return False
    west, north, east, south = goals.hold[side]

    def inside(of: int) -> int:
        return sum(west <= table.x[f] <= east and north <= table.y[f] <= south for f in table.in_play(of))

    holds = inside(side) >= goals.hold_figures[side] and not inside(1 - side)
    tally[HELD + side] = tally[HELD + side] + 1 if holds else 0
    if holds:
        turns = f"{int(tally[HELD + side])} of {goals.hold_turns[side]} turns"
        course.tell("scenario", f"the {SIDES[side]} side holds its place ({turns})")
    return bool(tally[HELD + side] >= goals.hold_turns[side])


def _decide(wins: list[bool]) -> int:
    """Return the outcome by which sides have won, -1 if neither."""
    return DRAW if all(wins) else wins.index(True) if any(wins) else -1


def judge_end(course: Course) -> int:
    """Return the outcome if the battle is won now, else -1; places held are looked at only at the end of a turn."""
    goals, tally = course.goals, course.state.tally
    wins = []
    for side in (0, 1):
        reached = {
            "gets its figures away": _has_left(course, side),
            "gets its loads away": bool(goals.exit_loads[side]) and tally[LOADS_AWAY + side] >= goals.exit_loads[side],
            "has its prisoners": bool(goals.prisoners[side]) and tally[PRISONERS + 1 - side] >= goals.prisoners[side],
            "breaks the other": _is_broken(course, 1 - side),
        }
        for words, is_reached in reached.items():
            if is_reached:
                course.tell("scenario", f"the {SIDES[side]} side {words}")
        wins.append(any(reached.values()))
    return _decide(wins)


def _has_left(course: Course, side: int) -> bool:
    wanted = course.goals.exit_figures[side]
    return bool(wanted) and bool(course.state.tally[GONE + side] >= wanted)


def _is_broken(course: Course, side: int) -> bool:
    breaks_at = course.goals.breaks_at[side]
    if breaks_at > 0 and _lost(course, side) >= breaks_at:
        return True
    return not course.table.in_play(side) and not _has_left(course, side)
