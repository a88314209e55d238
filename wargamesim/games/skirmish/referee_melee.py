"""Close combat: rounds, evasion, shots before them, and capture (section 7 of the rules)."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import NamedTuple

from wargamesim.games.skirmish import orders
from wargamesim.games.skirmish.layout import (
    CAPTURED,
    EVADES,
    EVASION,
    EVASIONS,
    LOWEST,
    MELEE,
    MELEE_AGAIN,
    MELEE_LONE,
    MELEE_RESULT,
    MELEE_SHOT,
    MELEE_VICTIM,
    MISFIRES,
    PERMISSION,
    REGULAR,
    ROUNDS_FOUGHT,
    SHOTS_FIRED,
    STAND,
)
from wargamesim.games.skirmish.referee_course import FALL, PAIR, PERMITTED, ROUND, SHOT, Course
from wargamesim.games.skirmish.referee_fire import (
    CENTRED,
    KILL,
    MISFIRED,
    MISSED,
    NEAR_MISS,
    WOUND,
    harm,
    hit,
    is_hit,
    misfire_die_of,
)
from wargamesim.games.skirmish.referee_nerve import modifiers, sum_up
from wargamesim.games.skirmish.referee_table import MORE
from wargamesim.games.skirmish.rules import HARD

EVASION_FALL = 2  # the kind of fall in the trace
MISFIRE_DICE = 1000  # where the dice for misfires before a round begin
PER_SLOT = 64  # dice of a figure's place in a round

Arrival = Callable[[Course, int, int], None]


class Pair(NamedTuple):
    """The lone figure against one of the others: the totals that decide, and how often both rolled."""

    other: int
    lone_total: int
    other_total: int
    rolls: int


def fight(course: Course, who: int, figure: int, *, charges: bool, arrive: Arrival) -> list[int]:
    """Fight the round that a figure begins; return who took part. `arrive` is what follows an evader's run."""
    table = course.table
    evaded = _evasions(course, who, figure, arrive)
    enemies = table.touches(figure)
    if not enemies or not table.is_in_play(figure):
        course.note(ROUND, figure, -1, 0, evaded, 0)
        return [figure]
    if len(enemies) == 1:
        lone = enemies[0]
        several = sorted(table.touches(lone))
    else:
        lone, several = figure, enemies
    taking_part = [lone, *several]
    begun = len(several)
    course.tell(
        "round", f"{course.name(figure)} begins a round: {course.name(lone)} against {course.all_names(several)}"
    )
    if course.play.has_melee_shots:
        _shots(course, who, lone, several)
        several = [f for f in several if table.is_in_play(f)]
    course.count(ROUNDS_FOUGHT, int(table.side[figure]))
    if not several or not table.is_in_play(lone):
        course.note(ROUND, figure, lone, begun, evaded, 0)
        return taking_part
    totals = _totals(course, who, figure, lone, several, charges)
    pairs = _pairs(course, who, lone, several, *totals)
    captured = _is_captured(course, lone, several, pairs, totals)
    for pair in pairs:
        _note_pair(course, lone, pair)
    course.note(ROUND, figure, lone, begun, evaded, captured)
    if captured:
        _capture(course, lone, several[0])
    for pair in pairs:
        loser = _loser(lone, pair)
        if table.is_in_play(loser):
            _suffer(course, loser, pair)
    return taking_part


# Evasion (NA-7.3, NA-7.4)


def _evasions(course: Course, who: int, attacker: int, arrive: Arrival) -> int:
    table, away = course.table, 0
    for enemy in table.touches(attacker):
        if not (table.is_in_play(enemy) and table.has_role(enemy, EVADES)):
            continue
        wants = orders.evades(
            course.state, course.setup.ground, course.setup.play, course.doctrine(enemy), enemy, attacker
        )
        if wants and not _falls(course, who, enemy, attacker) and table.is_in_play(enemy):
            away += _runs_away(course, who, enemy, attacker, arrive)
    return away


def _falls(course: Course, who: int, evader: int, attacker: int) -> bool:
    table, play = course.table, course.play
    if not play.has_falls:
        return False
    die = course.roll(who, EVASION, evader, play.fall_die)
    clumsy = table.has_role(evader, REGULAR) and table.is_rough(table.place(evader))
    total = die + (play.fall_run_regular_difficult if clumsy else 0)
    fell = total <= play.fall_run
    course.note(FALL, evader, die, total, fell, EVASION_FALL)
    if fell:
        table.prone[evader] = 1
        course.tell("evasion fall", f"{course.name(evader)} evades: {total}, and falls")
        if course.reading["evade_fall"] == "captured":
            _capture(course, evader, attacker)
    return fell


def _runs_away(course: Course, who: int, evader: int, attacker: int, arrive: Arrival) -> bool:
    """Run directly away, as many whole cm as there is a free end for; without any the figure stays and fights."""
    table, play = course.table, course.play
    (x, y), (from_x, from_y) = table.place(evader), table.place(attacker)
    dx, dy = x - from_x, y - from_y
    apart = sqrt(dx * dx + dy * dy)
    unit = (dx / apart, dy / apart)
    posture = STAND if table.prone[evader] else 0
    course_drags = int(table.drags[evader])
    table.drags[evader] = -1  # it lets go if it gets away, so its load does not slow it
    for cm in range(int(max(play.run) * table.factor(evader, posture) * MORE), 0, -1):
        end = (x + unit[0] * cm, y + unit[1] * cm)
        if table.fits(evader, end) and table.passes(evader, end) and table.effort(evader, end, True, posture) <= MORE:
            break
    else:
        table.drags[evader] = course_drags
        course.tell("evasion", f"{course.name(evader)} would evade, but has nowhere to go")
        return False
    table.drags[evader] = course_drags
    course.let_go(evader)
    table.x[evader], table.y[evader] = end
    table.face_x[evader], table.face_y[evader] = unit
    table.prone[evader] = 0
    table.ran[evader] = table.moved_last[evader] = table.moved[evader] = 1
    table.evaded[evader], table.out_until[evader] = course.turn, course.turn + play.evasion_turns
    course.count(EVASIONS, int(table.side[evader]))
    course.tell("evasion", f"{course.name(evader)} evades to ({end[0]:.1f}, {end[1]:.1f})")
    arrive(course, who, evader)
    return True


# Shots before the round (NA-7.16, NA-7.17)


def _shots(course: Course, who: int, lone: int, several: list[int]) -> None:
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
    ending = "fires first" if permitted else "has no time to fire"
    course.tell("permission", f"{course.name(figure)} tests morale: {sum_up(die, told)}, and {ending}")
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
        course.tell("melee shot", f"{course.name(figure)} fires: {total}, {'a hit' if hits else 'a miss'}")
        if hits:
            hit(course, who, (MELEE_RESULT, figure), figure, victim, 0)
    course.discharge(figure, slot, misfired=misfired)
    if not misfired:
        table.hidden[figure] = 0


# The dice of the round (NA-7.6a to 7.12, RI-7.4a to 7.8)


def _modifier(course: Course, figure: int) -> int:
    """What a figure's own state adds to its die."""
    table, play = course.table, course.play
    return int(
        play.melee_grade[int(table.grade[figure])]
        + (play.melee_wounded if table.wounds[figure] else 0)
        + (play.melee_prone if table.prone[figure] else 0)
        + (play.melee_blue if table.blue[figure] else 0)
    )


def _totals(
    course: Course, who: int, beginner: int, lone: int, several: list[int], charges: bool
) -> tuple[list[int], list[int]]:
    """Return the totals of the lone figure against each of the others, and theirs."""
    table, play = course.table, course.play
    sides = [int(table.melee_die[f]) for f in (lone, *several)]
    rolled = [course.roll(who, MELEE, PER_SLOT * slot, sides[slot]) for slot in range(1, len(sides))]
    if course.reading["several"] == "pairwise":
        lone_rolled = [course.roll(who, MELEE_LONE, j, sides[0]) for j in range(len(several))]
    else:
        lone_rolled = [course.roll(who, MELEE, 0, sides[0])] * len(several)

    def added(figure: int, opponent: int) -> int:
        points = _modifier(course, figure) + (play.melee_charge if charges and figure == beginner else 0)
        if table.side[figure] != table.side[beginner] and table.cover(opponent, figure) == HARD:
            points += play.melee_obstacle
        return points + (play.melee_extra_friend * (len(several) - 1) if figure != lone else 0)

    lone_totals = [die + added(lone, several[0]) for die in lone_rolled]
    return lone_totals, [die + added(f, lone) for die, f in zip(rolled, several, strict=True)]


def _pairs(
    course: Course, who: int, lone: int, several: list[int], lone_totals: list[int], totals: list[int]
) -> list[Pair]:
    """Return the pairs that suffer, ties rolled again (NA-7.11, RI-7.7)."""
    pairs = [Pair(f, a, b, 1) for f, a, b in zip(several, lone_totals, totals, strict=True)]
    chosen = range(len(several))
    if course.reading["several"] == "lowest_only":
        chosen = _lowest(course, who, lone_totals[0], totals)
    return [_decide(course, who, lone, pairs[j], j) for j in chosen]


def _lowest(course: Course, who: int, lone_total: int, totals: list[int]) -> range:
    """Return the place of the one among several whom the lone figure loses to, beats, or rolls again with."""
    low = min(totals)
    if lone_total < low:
        j = totals.index(max(totals))
    else:
        tied = [j for j, total in enumerate(totals) if total == low]
        j = tied[course.roll(who, LOWEST, 0, len(tied)) - 1 if len(tied) > 1 else 0]
    return range(j, j + 1)


def _decide(course: Course, who: int, lone: int, pair: Pair, j: int) -> Pair:
    table = course.table
    mine, theirs, again = pair.lone_total, pair.other_total, 0
    while mine == theirs:
        k = PER_SLOT * j + 2 * again
        mine = course.roll(who, MELEE_AGAIN, k, int(table.melee_die[lone]))
        theirs = course.roll(who, MELEE_AGAIN, k + 1, int(table.melee_die[pair.other]))
        again += 1
    return Pair(pair.other, mine, theirs, 1 + again)


def _loser(lone: int, pair: Pair) -> int:
    return lone if pair.lone_total < pair.other_total else pair.other


def _note_pair(course: Course, lone: int, pair: Pair) -> None:
    loser = _loser(lone, pair)
    course.note(PAIR, lone, pair.other, pair.lone_total, pair.other_total, pair.rolls, loser)
    again = f" after {pair.rolls - 1} ties" if pair.rolls > 1 else ""
    course.tell(
        "pair",
        f"{course.name(lone)} {pair.lone_total} to {pair.other_total} {course.name(pair.other)}{again}:"
        f" {course.name(loser)} loses",
    )


def _effects(course: Course, pair: Pair) -> tuple[bool, bool]:
    """Return whether the loser of a pair is killed and whether he is wounded (NA-7.9, NA-7.10)."""
    most, least = max(pair.lone_total, pair.other_total), min(pair.lone_total, pair.other_total)
    killed = most >= course.play.kill_ratio * least
    wounded = most - least >= course.play.wound_lead
    return killed, wounded and (not killed or course.reading["melee_kill"] == "both")


def _suffer(course: Course, loser: int, pair: Pair) -> None:
    killed, wounded = _effects(course, pair)
    table = course.table
    if killed and wounded:
        table.wounds[loser] += 1
    result = KILL if killed else WOUND if wounded else NEAR_MISS
    harm(course, loser, result, course.name(loser), falls=course.reading["melee_wound"] == "falls")


# Capture (NA-7.13, NA-7.14, RI-7.9, RI-7.10)


def _is_out(course: Course, figure: int, lost: list[Pair]) -> bool:
    effects = [_effects(course, pair) for pair in lost]
    wounds = int(course.table.wounds[figure]) + sum(wounded for _, wounded in effects)
    return any(killed for killed, _ in effects) or (
        wounds >= course.play.wounds_out and any(wounded for _, wounded in effects)
    )


def _is_captured(
    course: Course, lone: int, several: list[int], pairs: list[Pair], totals: tuple[list[int], list[int]]
) -> bool:
    play = course.play
    decided = {pair.other: pair.other_total > pair.lone_total for pair in pairs}
    beaten_by = sum(decided.get(f, b > a) for f, a, b in zip(several, *totals, strict=True))
    lost = [pair for pair in pairs if _loser(lone, pair) == lone]
    survive = not any(_is_out(course, pair.other, [pair]) for pair in pairs if pair not in lost)
    if len(several) < play.capture_figures or beaten_by < play.capture_beat or not survive:
        return False
    if course.reading["capture"] == "if_alive" and _is_out(course, lone, lost):
        return False
    captor = several[0]
    return bool(orders.captures(course.state, course.setup.play, course.doctrine(captor), lone, len(several)))


def _capture(course: Course, figure: int, captor: int) -> None:
    course.lose(figure, CAPTURED)
    course.table.captor[figure], course.table.hidden[figure] = captor, 0
    course.tell("capture", f"{course.name(figure)} is taken prisoner by {course.name(captor)}")


# A free blow at one who leaves contact (NA-7.2, RI-7.2)


def free_blows(course: Course, who: int, leaver: int, left: list[int]) -> None:
    """Let each enemy whose contact a figure leaves strike at it; nothing happens to them."""
    table = course.table
    for slot, enemy in enumerate(left, 1):
        mine = course.roll(who, MELEE, 1, int(table.melee_die[leaver])) + _modifier(course, leaver)
        theirs = course.roll(who, MELEE, PER_SLOT * slot + 1, int(table.melee_die[enemy])) + _modifier(course, enemy)
        rolls, again = 1, PER_SLOT * (slot - 1) + PER_SLOT // 2
        while mine == theirs:
            mine = course.roll(who, MELEE_AGAIN, again, int(table.melee_die[leaver]))
            theirs = course.roll(who, MELEE_AGAIN, again + 1, int(table.melee_die[enemy]))
            rolls, again = rolls + 1, again + 2
        pair = Pair(enemy, mine, theirs, rolls)
        _note_pair(course, leaver, pair)
        if _loser(leaver, pair) == leaver:
            _suffer(course, leaver, pair)
        if not table.is_in_play(leaver):
            return
