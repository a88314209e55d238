"""The melee phase: charges with their order of strikes, then everybody else at once (section 7)."""

from __future__ import annotations

from fractions import Fraction

from wargamesim.games.stirling.layout import DESTROYED, LANCE, SET_WEAPON
from wargamesim.games.stirling.referee_board import FRONT_SIDE, Unit
from wargamesim.games.stirling.referee_course import Course
from wargamesim.games.stirling.referee_loss import settle, settle_all
from wargamesim.games.stirling.referee_strike import IN_CHARGE, IN_MELEE, Strike, Victim, side_modifiers, strike


def melee_phase(course: Course) -> None:
    """Resolve charges first, then the other melees, which are simultaneous (SS-2.5, SS-7.5)."""
    for unit in course.board.units:
        if unit.charging and may_strike(course, unit):
            target = course.board.target(unit)
            if target:
                _charge(course, unit, target)
    for unit in course.board.units:
        if may_strike(course, unit):
            target = course.board.target(unit)
            if target:
                unit.has_struck = 1
                _strike(course, unit, target, IN_MELEE, course.attacks(unit))
    settle_all(course)


def may_strike(course: Course, unit: Unit) -> bool:
    """Tell whether a unit has its attacks of the turn still to make in melee (SS-2.2, SS-9.4, SS-5.9)."""
    spent = unit.shot or unit.fled or unit.has_struck
    return unit.is_ordered and not spent and course.attacks(unit) > 0


def _strike(course: Course, unit: Unit, target: Unit, kind: int, attacks: int, first: int = 0) -> None:
    side = course.board.side_struck(unit, target)
    modifier, factor = side_modifiers(course, target, side)
    if kind == IN_CHARGE:
        more, times = _charge_modifiers(course, unit, target)
        modifier, factor = modifier + more, factor * times
    if side != FRONT_SIDE:
        target.struck_back = 1
    strike(course, unit, [Victim(target)], Strike(kind, attacks, modifier, side, factor, first))


def _charge_modifiers(course: Course, unit: Unit, target: Unit) -> tuple[int, Fraction]:
    """What the charge gives to one who strikes in it (SS-7.3b, SS-7.3c, SS-P17)."""
    modifier, doubles = 0, False
    barred = course.reading["run_cost"] == "no_charge_for_shooters" and unit.has_missiles
    if unit.charging and not barred:
        modifier, doubles = course.play.charge_hit, unit.has_trait(LANCE)
    if target.charging and unit.has_trait(SET_WEAPON):
        doubles = True
    return modifier, Fraction(course.play.charge_damage, 100) if doubles else Fraction(1)


def _charge(course: Course, unit: Unit, target: Unit) -> None:
    """Resolve the fight of a charging unit with the one it charges (SS-7.4, SS-P31)."""
    answers = may_strike(course, target) and course.board.target(target) is unit
    unit.has_struck = 1
    if answers:
        target.has_struck = 1
    made = {True: course.attacks(unit), False: course.attacks(target) if answers else 0}
    ours, theirs = _precedence(unit), _precedence(target)
    order = [(unit, target), (target, unit)] if ours >= theirs or not answers else [(target, unit), (unit, target)]
    together = ours == theirs or not answers
    if answers:
        how = "they strike together" if together else f"{course.name(order[0][0])} first"
        course.tell("SS-7.4", f"the charge of {course.name(unit)} on {course.name(target)}: {how}")
    rounds = int(course.play.rounds) if course.reading["round_by_round"] == "round_by_round" else 1
    for number in range(rounds):
        for striker, struck in order:
            attacks = made[striker is unit]
            first, last = number * attacks // rounds, (number + 1) * attacks // rounds
            if last > first:
                _strike(course, striker, struck, IN_CHARGE, last - first, first)
            if not together:
                settle(course, struck)
                if struck.status == DESTROYED:
                    return
        if together:
            settle(course, target)
            settle(course, unit)
            if DESTROYED in (unit.status, target.status):
                return


def _precedence(unit: Unit) -> tuple[int, Fraction, int]:
    """What decides who strikes first: the longer weapon, more attacks, the lower speed factor."""
    return unit.length, Fraction(unit.rate_num, unit.rate_den), -unit.speed
