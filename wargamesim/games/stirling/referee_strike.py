"""One strike: the attacks that one unit makes at one moment on another, or on all who share a shot (section 3)."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import NamedTuple

from wargamesim.games.stirling.layout import (
    FREE,
    LARGE,
    MOST_UNITS,
    OWN_SHOT,
    SHOOT,
    STRIKE,
    T_ATTACK,
)
from wargamesim.games.stirling.referee_board import REAR, SIDE_NAMES, Unit
from wargamesim.games.stirling.referee_course import Course
from wargamesim.games.stirling.referee_loss import lose

# Kinds of attack in the trace.
AT_RANGE, IN_MELEE, IN_CHARGE, AT_FLIGHT = range(4)
PURPOSE = {AT_RANGE: SHOOT, IN_MELEE: STRIKE, IN_CHARGE: STRIKE, AT_FLIGHT: FREE}
BAND_NAMES = ("short", "medium", "long")


class Victim(NamedTuple):
    """A unit that attacks fall on, and its part of them: `share` of so many, or -1 if it has all."""

    unit: Unit
    share: int = -1


class Strike(NamedTuple):
    """How attacks are made: their number in the turn from `first`, what is added to the dice, what damage counts.

    `where` is the side struck, or the range band of a shot.
    """

    kind: int
    attacks: int
    modifier: int
    where: int
    factor: Fraction = Fraction(1)
    first: int = 0


def armour(course: Course, unit: Unit) -> int:
    """Return the AC of a unit now: worse while it charges (SS-7.3b)."""
    return unit.ac + int(course.play.charge_ac if unit.charging else 0)


def side_modifiers(course: Course, target: Unit, side: int) -> tuple[int, Fraction]:
    """Return what the side struck adds to the roll to hit, and the factor of damage there (SS-7.2a, SS-7.2b)."""
    play = course.play
    lost = target.shield if side == REAR and play.shield_lost else 0
    return play.side_hit[side] + lost, Fraction(play.side_damage[side], 100)


def strike(course: Course, attacker: Unit, victims: list[Victim], how: Strike) -> None:
    """Make attacks: one roll to hit and one of damage each, for the whole unit (SS-3.1 to SS-3.5).

    Parameters
    ----------
    course : Course
    attacker : Unit
        All its men attack (SS-3.4), as many as it had when the phase began or it last lost some.
    victims : list of Victim
        The unit attacked comes last; friends who share the shot before it.
    how : Strike
    """
    play, target = course.play, victims[-1].unit
    dice, sides, bonus = attacker.damage(missile=how.kind == AT_RANGE, large=target.has_trait(LARGE))
    divisor = play.ranged_divisor if how.kind == AT_RANGE else play.divisor
    purpose, actor = PURPOSE[how.kind], attacker.index
    if how.kind == AT_FLIGHT:
        actor += MOST_UNITS * target.index
    one_roll = course.reading["one_roll"] == "one_roll"
    times = how.attacks if one_roll else 1
    aimed = course.reading["aimed_ac"] == "aimed"
    classes = [armour(course, target if aimed else victim.unit) for victim in victims]
    needs = [attacker.thac0 - ac - how.modifier for ac in classes]
    losses: list[list[int]] = [[] for _ in victims]
    told = []
    for a in range(how.first, how.first + (min(how.attacks, 1) if one_roll else how.attacks)):
        k = a * (1 + dice)
        die = course.roll(actor, purpose, k, play.attack_die)
        hits = [die >= play.always_hits or (die > play.always_misses and die >= need) for need in needs]
        damage = -1
        if any(hits):
            rolled = sum(course.roll(actor, purpose, k + 1 + i, sides) for i in range(dice))
            damage = max(rolled + bonus, play.least_damage)
        for victim, need, hit, lost in zip(victims, needs, hits, losses, strict=True):
            part = how.factor if victim.share < 0 else how.factor * Fraction(victim.share, play.shares)
            loss = floor(damage * attacker.men * part / (divisor * victim.unit.hp)) if hit else 0
            lost.append(loss)
            who = (attacker.index, victim.unit.index)
            course.note(T_ATTACK, *who, how.kind, a, die, need, damage, loss, victim.share, how.where)
        told.append(f"{die} hit for {damage}" if any(hits) else f"{die} missed")
    costs = [sum(lost) * times for lost in losses]
    _tell(course, attacker, victims, how, needs, told, costs)
    for victim, lost in zip(victims, losses, strict=True):
        _take(course, attacker, victim.unit, how.kind, lost, times)


def _take(course: Course, attacker: Unit, unit: Unit, kind: int, losses: list[int], times: int) -> None:
    """Book the losses of a strike by what is rounded together (SS-8.4, SS-P36)."""
    total = sum(losses) * times
    unit.hurt += total
    is_own = kind == AT_RANGE and unit.side == attacker.side
    rounded = course.reading["rounded"]
    alone = rounded == "per_attack" and course.reading["remainder"] != "carry"
    if alone:
        parts = [loss for loss in losses for _ in range(times)]
    elif rounded != "per_phase" or kind in (IN_CHARGE, AT_FLIGHT):
        parts = [total]
    else:
        if is_own:
            course.count(OWN_SHOT, unit.side, min(total, unit.left))
        unit.loss += total
        return
    for part in parts:
        if is_own:
            course.count(OWN_SHOT, unit.side, min(part, unit.left))
        lose(course, unit, part)


def _tell(
    course: Course,
    attacker: Unit,
    victims: list[Victim],
    how: Strike,
    needs: list[int],
    told: list[str],
    costs: list[int],
) -> None:
    target = victims[-1].unit
    verb = "shot at" if how.kind == AT_RANGE else "struck"
    if how.kind == AT_RANGE:
        where = f"at {BAND_NAMES[how.where]} range"
    elif how.kind == AT_FLIGHT:
        where = "from behind, as it fled"
    else:
        where = f"on the {SIDE_NAMES[how.where]}"
    rule = {AT_RANGE: "SS-4.1", IN_MELEE: "SS-7.1", IN_CHARGE: "SS-7.4", AT_FLIGHT: "SS-5.8"}[how.kind]
    if len(victims) > 1:
        rule = "SS-4.4"
        parts = (f"{course.name(v.unit)} {v.share}" for v in victims)
        where += f" (shares: {', '.join(parts)} of {course.play.shares})"
    need = " or ".join(str(need) for need in dict.fromkeys(needs))
    counts = f", counted {how.attacks} times" if how.attacks > len(told) else ""
    dead = " and ".join(f"{cost} of {course.name(v.unit)}" for v, cost in zip(victims, costs, strict=True) if cost)
    result = f"{', '.join(told)}{counts}: {dead or 'nobody'} dead"
    course.tell(rule, f"{course.name(attacker)} {verb} {course.name(target)} {where}, needing {need}: {result}")
