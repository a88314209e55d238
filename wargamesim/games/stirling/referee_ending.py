"""The end of a battle: who is beaten, when time is up, and when nobody can ever hurt anybody again (section 11)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor

from wargamesim.games.stirling.layout import (
    CAST_TURN,
    DRAW,
    IN_ORDER,
    IS_OUTNUMBERED,
    LARGE,
    NO_DECISION,
    ORDERED,
    OUTCOMES,
    ROUTED,
    STERILE,
    T_RESULT,
    T_TURN_END,
)
from wargamesim.games.stirling.referee_board import REAR, Unit, distance
from wargamesim.games.stirling.referee_course import Course
from wargamesim.games.stirling.referee_ranged import range_band
from wargamesim.games.stirling.referee_strike import side_modifiers

WORDS = {
    DRAW: "neither side has a unit in order: a draw",
    NO_DECISION: "time is up: no decision",
    STERILE: "nobody left can ever remove anybody: the battle is sterile",
}


def end_of_turn(course: Course) -> int:
    """Note the end of a turn; return the outcome, or -1 if the battle goes on (SS-11.1, SS-P46)."""
    here = course.board.here()
    men = [sum(unit.men for unit in here if unit.side == side) for side in (0, 1)]
    units = [
        [sum(unit.side == side and unit.status == status for unit in here) for side in (0, 1)] for status in (0, 1)
    ]
    ordered, routed = units[ORDERED], units[ROUTED]
    course.note(T_TURN_END, *men, *ordered, *routed)
    score = (f"{men[side]} men, {ordered[side]} units in order, {routed[side]} routed" for side in (0, 1))
    course.begin("")
    course.tell("SS-11.1", f"first side {next(score)}; second side {next(score)}", draws=True)
    alive = ordered
    if course.reading["annihilation"] == "annihilation":
        alive = [ordered[side] + routed[side] for side in (0, 1)]
    beaten = [count == 0 for count in alive]
    if all(beaten):
        return DRAW
    if any(beaten):
        return beaten.index(False)
    if is_sterile(course):
        return STERILE
    return NO_DECISION if course.turn >= course.play.turns else -1


def close(course: Course, outcome: int) -> None:
    """Note how the battle ended."""
    for unit in course.board.here():
        if unit.is_ordered:
            course.count(IN_ORDER, unit.side, unit.men)
    course.note(T_RESULT, outcome)
    text = WORDS.get(outcome) or f"the {OUTCOMES[outcome]} side has won"
    course.tell("SS-11.1", text)


# Sterile battles (SS-11.1)


def is_sterile(course: Course) -> bool:
    """Tell whether nobody can ever remove anybody any more."""
    board = course.board
    spells = course.state.spell[: int(course.state.spells)].tolist()
    if course.reading["no_spells"] == "scenario" and any(spell[CAST_TURN] > course.turn for spell in spells):
        return False
    if course.reading["annihilation"] == "annihilation" and not all(unit.is_ordered for unit in board.here()):
        return False
    return not any(_may_be_outnumbered(course, unit) or _may_lose_men(course, unit) for unit in board.here())


def _moves(course: Course) -> bool:
    return bool(course.state.movement)


def _may_be_outnumbered(course: Course, unit: Unit) -> bool:
    """Whether its enemies could ever compel it to check, and so to break (SS-9.1f)."""
    if not course.play.situation_on[IS_OUTNUMBERED]:
        return False
    enemies = (enemy for enemy in course.board.enemies(unit) if enemy.is_ordered)
    men = sum(enemy.men for enemy in enemies if _moves(course) or distance(unit.hex, enemy.hex) == 1)
    return men >= course.play.outnumbered * unit.men


def _may_lose_men(course: Course, unit: Unit) -> bool:
    """Whether its enemies, each at its best, could ever remove men of it."""
    enemies = (enemy for enemy in course.board.enemies(unit) if _moves(course) or enemy.is_ordered)
    best = [(most_attacks(course, enemy), most_loss(course, enemy, unit)) for enemy in enemies]
    if course.reading["remainder"] == "carry":
        return any(attacks * loss > 0 for attacks, loss in best)
    rounded = course.reading["rounded"]
    if rounded == "per_attack":
        at_once = [loss for attacks, loss in best if attacks > 0]
    elif rounded == "per_clash":
        at_once = [attacks * loss for attacks, loss in best]
    else:
        at_once = [sum(attacks * loss for attacks, loss in best)]
    most = max(at_once, default=0)
    return most >= course.play.step or (course.reading["no_wipe"] == "on" and most >= unit.men)


def most_attacks(course: Course, unit: Unit) -> int:
    """Return the most attacks that a unit makes in any turn (SS-2.2, SS-P04)."""
    rate = Fraction(unit.rate_num, unit.rate_den)
    in_a_turn = course.play.attacks * rate
    if course.reading["schedule"] == "alternate" and in_a_turn.denominator == 1:
        return int(course.play.attacks * ceil(rate))
    return ceil(in_a_turn)


def most_loss(course: Course, unit: Unit, target: Unit) -> int:
    """Return the most that an attack of a unit could ever cost a target: 0 if it can never hit it."""
    play, large = course.play, target.has_trait(LARGE)
    most = 0
    for missile, modifier, factor in _best_strikes(course, unit, target):
        need = max(unit.thac0 - target.ac - modifier, play.always_misses + 1)
        if min(need, play.always_hits) <= play.attack_die:
            dice, sides, bonus = unit.damage(missile=missile, large=large)
            damage = max(dice * sides + bonus, play.least_damage)
            divisor = play.ranged_divisor if missile else play.divisor
            most = max(most, floor(damage * unit.men * factor / (divisor * target.hp)))
    return most


def _best_strikes(course: Course, unit: Unit, target: Unit) -> Iterator[tuple[bool, int, Fraction]]:
    """Yield the best a unit can do in melee and with missiles: whether missiles, modifier, factor of damage."""
    play, away = course.play, distance(unit.hex, target.hex)
    sides = [side_modifiers(course, target, side) for side in range(REAR + 1)]
    penalty = max(0, play.charge_ac)
    if _moves(course):
        modifier = max(more for more, _ in sides) + max(0, play.charge_hit) + penalty
        yield False, modifier, max(factor for _, factor in sides) * Fraction(max(100, play.charge_damage), 100)
        if unit.has_missiles:
            yield True, max(play.band) + penalty, Fraction(1)
        return
    if course.board.target(unit) is target:
        yield False, *sides[course.board.side_struck(unit, target)]
    if unit.has_missiles and play.barred < away <= unit.range_long:
        yield True, play.band[range_band(unit, away)], Fraction(1)
