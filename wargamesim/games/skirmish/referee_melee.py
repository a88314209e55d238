"""Close combat: rounds, evasion and capture (section 7 of the rules)."""

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
    REGULAR,
    ROUNDS_FOUGHT,
    STAND,
)
from wargamesim.games.skirmish.referee_course import FALL, PAIR, ROUND, Course, rolled
from wargamesim.games.skirmish.referee_fire import (
    IN_MELEE,
    KILL,
    NEAR_MISS,
    WOUND,
    harm,
)
from wargamesim.games.skirmish.referee_first_shots import first_shots
from wargamesim.games.skirmish.referee_ground import MORE
from wargamesim.games.skirmish.rules import HARD

EVASION_FALL = 2  # the kind of fall in the trace
PER_SLOT = 64  # dice of a figure's place in a round

Arrival = Callable[[Course, int, int], None]


class Pair(NamedTuple):
    """The lone figure against one of the others: the totals that decide, how often both rolled, and how in words."""

    other: int
    lone_total: int
    other_total: int
    rolls: int
    told: str


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
        first_shots(course, who, lone, several)
        several = [f for f in several if table.is_in_play(f)]
    course.count(ROUNDS_FOUGHT, int(table.side[figure]))
    if not several or not table.is_in_play(lone):
        course.note(ROUND, figure, lone, begun, evaded, 0)
        return taking_part
    rolls = _rolls(course, who, figure, lone, several, charges)
    pairs = _pairs(course, who, lone, rolls)
    captured = _is_captured(course, lone, rolls, pairs)
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
    test = rolled(play.fall_die, die, [("regular", total - die)] if total != die else [])
    ending = "falls" if fell else "keeps its feet"
    course.tell("evasion fall", f"{course.name(evader)} evades: {test}, needs {play.fall_run + 1}, {ending}")
    if fell:
        table.prone[evader] = 1
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


# The dice of the round (NA-7.6a to 7.12, RI-7.4a to 7.8)


class Roll(NamedTuple):
    """One die of the round with what is added to it, and both in words."""

    figure: int
    total: int
    told: str


def _modifiers(course: Course, figure: int) -> list[tuple[str, int]]:
    """Return what a figure's own state adds to its die, with words for each."""
    table, play = course.table, course.play
    return [
        ("grade", play.melee_grade[int(table.grade[figure])]),
        ("wounded", play.melee_wounded if table.wounds[figure] else 0),
        ("prone", play.melee_prone if table.prone[figure] else 0),
        ("blue marker", play.melee_blue if table.blue[figure] else 0),
    ]


def _roll(course: Course, figure: int, die: int, added: list[tuple[str, int]]) -> Roll:
    told = [(words, points) for words, points in added if points]
    test = rolled(int(course.table.melee_die[figure]), die, told)
    return Roll(figure, die + sum(points for _, points in told), f"{course.name(figure)} {test}")


def _rolls(
    course: Course, who: int, beginner: int, lone: int, several: list[int], charges: bool
) -> list[tuple[Roll, Roll]]:
    """Return the rolls of the lone figure against each of the others, and theirs."""
    table, play = course.table, course.play
    sides = [int(table.melee_die[f]) for f in (lone, *several)]
    dice = [course.roll(who, MELEE, PER_SLOT * slot, sides[slot]) for slot in range(1, len(sides))]
    if course.reading["several"] == "pairwise":
        lone_dice = [course.roll(who, MELEE_LONE, j, sides[0]) for j in range(len(several))]
    else:
        lone_dice = [course.roll(who, MELEE, 0, sides[0])] * len(several)

    def added(figure: int, opponent: int) -> list[tuple[str, int]]:
        defends = table.side[figure] != table.side[beginner] and table.cover(opponent, figure) == HARD
        return [
            *_modifiers(course, figure),
            ("charge", play.melee_charge if charges and figure == beginner else 0),
            ("obstacle", play.melee_obstacle if defends else 0),
            ("friends", play.melee_extra_friend * (len(several) - 1) if figure != lone else 0),
        ]

    lone_added = added(lone, several[0])
    return [
        (_roll(course, lone, lone_die, lone_added), _roll(course, f, die, added(f, lone)))
        for lone_die, f, die in zip(lone_dice, several, dice, strict=True)
    ]


def _pairs(course: Course, who: int, lone: int, rolls: list[tuple[Roll, Roll]]) -> list[Pair]:
    """Return the pairs that suffer, ties rolled again (NA-7.11, RI-7.7)."""
    pairs = [Pair(b.figure, a.total, b.total, 1, f"{a.told} against {b.told}") for a, b in rolls]
    chosen = range(len(rolls))
    if course.reading["several"] == "lowest_only":
        chosen = _lowest(course, who, pairs[0].lone_total, [pair.other_total for pair in pairs])
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


def _decide(course: Course, who: int, lone: int, pair: Pair, j: int, offset: int = 0) -> Pair:
    table = course.table
    mine, theirs, again = pair.lone_total, pair.other_total, 0
    while mine == theirs:
        k = PER_SLOT * j + offset + 2 * again
        mine = course.roll(who, MELEE_AGAIN, k, int(table.melee_die[lone]))
        theirs = course.roll(who, MELEE_AGAIN, k + 1, int(table.melee_die[pair.other]))
        again += 1
    return pair._replace(lone_total=mine, other_total=theirs, rolls=1 + again)


def _loser(lone: int, pair: Pair) -> int:
    return lone if pair.lone_total < pair.other_total else pair.other


def _note_pair(course: Course, lone: int, pair: Pair) -> None:
    loser = _loser(lone, pair)
    course.note(PAIR, lone, pair.other, pair.lone_total, pair.other_total, pair.rolls, loser)
    tied = f", a tie; bare dice in throw {pair.rolls}: {pair.lone_total} to {pair.other_total}"
    course.tell("pair", f"{pair.told}{tied if pair.rolls > 1 else ''}: {course.name(loser)} loses")


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
    falls = course.reading["melee_wound"] == "falls"
    harm(course, loser, result, course.name(loser), falls=falls, topics=IN_MELEE)


# Capture (NA-7.13, NA-7.14, RI-7.9, RI-7.10)


def _is_out(course: Course, figure: int, lost: list[Pair]) -> bool:
    effects = [_effects(course, pair) for pair in lost]
    wounds = int(course.table.wounds[figure]) + sum(wounded for _, wounded in effects)
    return any(killed for killed, _ in effects) or (
        wounds >= course.play.wounds_out and any(wounded for _, wounded in effects)
    )


def _is_captured(course: Course, lone: int, rolls: list[tuple[Roll, Roll]], pairs: list[Pair]) -> bool:
    play, several = course.play, [other.figure for _, other in rolls]
    decided = {pair.other: pair.other_total > pair.lone_total for pair in pairs}
    beaten_by = sum(decided.get(other.figure, other.total > own.total) for own, other in rolls)
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
        my_die = course.roll(who, MELEE, 1, int(table.melee_die[leaver]))
        their_die = course.roll(who, MELEE, PER_SLOT * slot + 1, int(table.melee_die[enemy]))
        own = _roll(course, leaver, my_die, _modifiers(course, leaver))
        other = _roll(course, enemy, their_die, _modifiers(course, enemy))
        first = Pair(enemy, own.total, other.total, 1, f"{own.told} against {other.told}")
        # The dice of ties lie behind those of rounds.
        pair = _decide(course, who, leaver, first, slot - 1, PER_SLOT // 2)
        _note_pair(course, leaver, pair)
        if _loser(leaver, pair) == leaver:
            _suffer(course, leaver, pair)
        if not table.is_in_play(leaver):
            return
