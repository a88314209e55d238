"""Phase C: assaults, what follows from them, and pursuit (section 5 of the rules)."""

from __future__ import annotations

from typing import NamedTuple

from wargamesim.games.coloniale.layout import (
    ASSAULT,
    ASSAULTS,
    ATTACKER_WON,
    BOTH_GONE,
    CHOSEN,
    DEFENDER_WON,
    FALLS,
    FORCED,
    FORCED_BACK,
    INFANTRY,
    LOST_TO_DEFEAT,
    LOST_TO_DICE,
    NO_WINNER,
    PURSUIT,
    PURSUITS,
    RISES,
    STRIDE,
    T_AFTER,
    T_ASSAULT,
    TEST,
    VALUE,
    WON,
)
from wargamesim.games.coloniale.referee_course import Course, plural, spot
from wargamesim.games.coloniale.referee_plan import Action
from wargamesim.games.coloniale.referee_retreat import NOBODY_MET, fall_back
from wargamesim.games.coloniale.referee_table import MORE, is_near, length

KINDS = {CHOSEN: ASSAULTS, PURSUIT: PURSUITS, FORCED_BACK: FORCED}
WORDS = {
    CHOSEN: ("CO-5.1", "assaults"),
    PURSUIT: ("CO-5.10", "pursues and assaults"),
    FORCED_BACK: ("CO-5.9", "has to assault"),
}


class Job(NamedTuple):
    """An assault that is to be fought (if `kind` is not -1), or a winner who may pursue the loser."""

    unit: int
    other: int
    kind: int = -1
    has_attacked: bool = False


class Clash(NamedTuple):
    """What the dice of one assault have decided."""

    losses: tuple[int, int]
    winner: int
    values: tuple[int, int] = (0, 0)
    rerolls: int = 0
    is_compared: bool = False


def assault_phase(course: Course, side: int) -> None:
    """Let the sides assault by turns until both have passed; `side` begins (CO-3.3)."""
    is_out = [False, False]
    while not all(is_out):
        if not is_out[side]:
            course.side = side
            course.ask("assault", side, side)
            action = Action.of(course.plan)
            if action.unit < 0:
                is_out[side] = True
            else:
                course.judge.assault(side, action)
                resolve(course, Job(action.unit, action.target, CHOSEN))
        side = 1 - side


def resolve(course: Course, job: Job) -> None:
    """Play an assault and all that it brings about: the last job to come is the first to be done."""
    jobs = [job]
    while jobs:
        job = jobs.pop()
        if job.kind < 0:
            if may_pursue(course, job) and course.ask("pursue", int(course.table.side[job.unit]), job.unit, job.other):
                jobs.append(Job(job.unit, job.other, PURSUIT))
        elif must_fight(course, job):
            jobs += fight(course, job.unit, job.other, job.kind)


def must_fight(course: Course, job: Job) -> bool:
    """Tell whether an assault that was called for still takes place (CO-5.9, CO-8.2)."""
    table, unit, other = course.table, job.unit, job.other
    if not (table.is_in_play(unit) and table.is_in_play(other)):
        return False
    if job.kind != FORCED_BACK:
        return True
    is_second_at_night = course.state.night and table.assaulted[other]
    return table.is_within(unit, other, course.play.contact) and not is_second_at_night


def may_pursue(course: Course, job: Job) -> bool:
    """Tell whether the winner of an assault may follow the loser (CO-5.10, CO-8.2, CO-P20)."""
    table, unit, other = course.table, job.unit, job.other
    if course.state.night or not (table.is_in_play(unit) and table.is_in_play(other)):
        return False
    if course.reading["attacker_pursues"] == "attacker_only" and not job.has_attacked:
        return False
    if table.is_battery(unit) and course.reading["battery_assaults"] == "no":
        return False
    if not course.goals.movement:
        return True
    way = table.distance(unit, other) - course.play.contact
    return way <= course.play.pursuit_reach * MORE and not table.is_barred(table.place(unit), table.place(other))


def fight(course: Course, a: int, d: int, kind: int) -> list[Job]:
    """Fight one assault; return what follows, the most urgent last (CO-5.6)."""
    table, play = course.table, course.play
    course.side = int(table.side[a])
    course.tally(KINDS[kind], course.side)
    rule, words = WORDS[kind]
    table.fort[a] = 0
    bonus, fort, position = bonus_of(course, a, d), int(table.fort[d]), table.place(d)
    if course.goals.movement:
        _close_in(course, a, d)
    clash = _clash(course, a, d, bonus)
    course.note(T_ASSAULT, a, d, kind, *clash.losses, *clash.values, bonus, clash.rerolls, clash.winner)
    course.tell(rule, f"{course.name(a)} {words} {course.name(d)}: {_told(course, a, d, clash, bonus)}")
    for unit, lost in zip((a, d), clash.losses, strict=True):
        course.lose(unit, lost, LOST_TO_DICE)
    winner, loser = {ATTACKER_WON: (a, d), DEFENDER_WON: (d, a)}.get(clash.winner, (-1, -1))
    if winner >= 0:
        _lose_extra(course, loser)
        table.markers[winner] += play.winner_markers
        table.markers[loser] += play.loser_markers
        course.tally(WON, int(table.side[winner]))
    elif clash.winner == NO_WINNER:
        table.markers[a] += play.draw_markers
        table.markers[d] += play.draw_markers
    for unit in (a, d):
        if course.destroy_if_empty(unit):
            course.side = int(table.side[unit])
            course.tell("CO-1.5", f"{course.name(unit)} has no figures left: gone")
    tests = _tests(course, winner, loser)
    for unit in (a, d):
        table.action[unit] = 1
        table.fought[unit] += 1
    table.assaulted[d] += 1
    back, enemy = NOBODY_MET, NOBODY_MET
    if course.goals.movement:
        if winner >= 0 and table.is_in_play(loser):
            back, enemy = loser, fall_back(course, loser, winner, play.retreat)
        elif clash.winner == NO_WINNER and table.is_in_play(a):
            back, enemy = a, fall_back(course, a, d, play.draw_retreat)
        if clash.winner == ATTACKER_WON and table.is_in_play(a):
            _take_position(course, a, d, position, fort)
    for unit in (a, d):
        fields = table.fig[unit], table.disc[unit], table.markers[unit], *spot(table.place(unit)), table.status[unit]
        course.note(T_AFTER, unit, *fields, tests.get(unit, -1), table.fort[unit])
    jobs = [Job(winner, loser, has_attacked=winner == a)] if winner >= 0 else []
    if enemy != NOBODY_MET:
        jobs.append(Job(back, enemy, FORCED_BACK))
    return jobs if course.reading["pursuit_first"] == "before_pursuit" else jobs[::-1]


def bonus_of(course: Course, attacker: int, defender: int) -> int:
    """Return what its position and its fort add to a defender's value (CO-5.3b, CO-5.3c, CO-P21)."""
    table, play = course.table, course.play
    position = int(play.position) if table.has_advantage(attacker, defender) else 0
    if not table.fort[defender]:
        return position
    return int(play.fort_bonus) + (0 if course.reading["fort_only"] == "fort_only" else position)


def _close_in(course: Course, a: int, d: int) -> None:
    table, contact = course.table, course.play.contact
    if table.is_within(a, d, contact):
        return
    (ax, ay), (dx, dy) = table.place(a), table.place(d)
    far = length((ax, ay), (dx, dy))
    table.put(a, (dx + (ax - dx) / far * contact, dy + (ay - dy) / far * contact))


def _clash(course: Course, a: int, d: int, bonus: int) -> Clash:
    """Roll the assault dice of both sides, and compare their values unless a side has no figures left (CO-5.4)."""
    table = course.table
    figures = [int(table.fig[unit]) for unit in (a, d)]
    hits = [_hits(course, unit) for unit in (a, d)]
    losses = min(hits[1], figures[0]), min(hits[0], figures[1])
    a_gone, d_gone = losses[0] == figures[0], losses[1] == figures[1]
    if course.reading["values_decide"] == "before_values" and (a_gone or d_gone):
        winner = BOTH_GONE if a_gone and d_gone else DEFENDER_WON if a_gone else ATTACKER_WON
        return Clash(losses, winner)
    tie, rerolls = course.reading["tie"], 0
    values = _values(course, a, d, losses, bonus, rerolls)
    while values[0] == values[1] and tie == "reroll" and course.play.value_die > 1:
        rerolls += 1
        values = _values(course, a, d, losses, bonus, rerolls)
    if values[0] != values[1]:
        winner = ATTACKER_WON if values[0] > values[1] else DEFENDER_WON
    else:
        winner = {"defender": DEFENDER_WON, "attacker": ATTACKER_WON}.get(tie, NO_WINNER)
    return Clash(losses, winner, values, rerolls, is_compared=True)


def _hits(course: Course, unit: int) -> int:
    table, play = course.table, course.play
    dice = min(int(table.fig[unit]), play.assault_dice)
    rolled = course.rolls(unit, ASSAULT, STRIDE * int(table.fought[unit]), dice, play.assault_die)
    return sum(die >= play.assault_need for die in rolled)


def _values(course: Course, a: int, d: int, losses: tuple[int, int], bonus: int, number: int) -> tuple[int, int]:
    """Return discipline less markers and own losses, plus a die, and for the defender its bonus (CO-5.3)."""
    table, values = course.table, []
    for unit, lost in zip((a, d), losses, strict=True):
        die = course.roll(unit, VALUE, STRIDE * int(table.fought[unit]) + number, course.play.value_die)
        values.append(die + int(table.disc[unit]) - int(table.markers[unit]) - lost)
    return values[0], values[1] + bonus


def _told(course: Course, a: int, d: int, clash: Clash, bonus: int) -> str:
    text = f"loses {plural(clash.losses[0], 'figure')} and costs it {clash.losses[1]}"
    if clash.winner == BOTH_GONE:
        return f"{text}, both are gone"
    if clash.is_compared:
        text += f", {clash.values[0]} against {clash.values[1]}"
        text += f" (with {bonus:+d})" if bonus else ""
        text += f" after {plural(clash.rerolls, 're-roll')}" if clash.rerolls else ""
    winners = {ATTACKER_WON: f"{course.name(a)} wins", DEFENDER_WON: f"{course.name(d)} wins"}
    return f"{text}: {winners.get(clash.winner, 'nobody wins')}"


def _lose_extra(course: Course, loser: int) -> None:
    """Take the loser's extra figure, or all of a garrison (CO-5.6b, CO-8.3)."""
    table = course.table
    course.side = int(table.side[loser])
    if table.fort[loser]:
        course.lose(loser, int(table.fig[loser]), LOST_TO_DEFEAT)
        course.tell("CO-8.3", f"{course.name(loser)} loses its fort and is eliminated")
    else:
        lost = course.lose(loser, course.play.loser_figures, LOST_TO_DEFEAT)
        course.tell("CO-5.6b", f"{course.name(loser)} loses {lost} more, +{course.play.loser_markers} markers")


def _tests(course: Course, winner: int, loser: int) -> dict[int, int]:
    """Test the discipline of the survivors, the winner first; return their dice (CO-5.7)."""
    table, play, tests = course.table, course.play, course.reading["tests"]
    dice = {}
    if winner >= 0 and tests == "both" and table.is_in_play(winner):
        dice[winner] = course.roll(winner, TEST, int(table.fought[winner]), play.test_die)
        if dice[winner] >= play.winner_need:
            before = int(table.disc[winner])
            table.disc[winner] = max(before, min(before + play.winner_gain, play.highest))
            _changed(course, winner, before, dice[winner], RISES, "CO-5.7a")
    if winner >= 0 and tests != "none" and table.is_in_play(loser):
        dice[loser] = course.roll(loser, TEST, int(table.fought[loser]), play.test_die)
        if dice[loser] >= play.loser_need:
            before = int(table.disc[loser])
            table.disc[loser] = min(before, max(before - play.loser_drop, play.lowest))
            _changed(course, loser, before, dice[loser], FALLS, "CO-5.7b")
    return dice


def _changed(course: Course, unit: int, before: int, die: int, tally: int, rule: str) -> None:
    now = int(course.table.disc[unit])
    if now != before:
        course.side = int(course.table.side[unit])
        course.tally(tally, course.side)
        verb = "rises" if now > before else "falls"
        course.tell(rule, f"{course.name(unit)} tests its discipline ({die}): it {verb} from {before} to {now}")


def _take_position(course: Course, a: int, d: int, position: tuple[float, float], fort: int) -> None:
    """Let the attacker take the position if the defender has left it (CO-5.6)."""
    table = course.table
    if table.is_in_play(d) and is_near(table.place(d), position, course.play.contact):
        return
    table.put(a, position)
    if fort and table.arm[a] == INFANTRY:
        table.fort[a] = fort
        course.side = int(table.side[a])
        course.tell("CO-8.3", f"{course.name(a)} takes {course.setup.fort_names[fort - 1]}")
