"""Morale and recovery: who must check, what a check needs, who breaks and who comes round (sections 9 and 10)."""

from __future__ import annotations

from collections.abc import Sequence

from wargamesim.games.stirling.layout import (
    CHARGED_NERVE,
    COMMANDER_LOST,
    FIT,
    FRIEND_BROKEN,
    IS_OUTNUMBERED,
    LEADER_LOST,
    LEADER_RECOVERS,
    LOST_HALF,
    LOST_QUARTER,
    LOST_THREE_QUARTERS,
    MOST_SITUATIONS,
    MOST_UNITS,
    NERVE,
    ORDERED,
    RECOVERIES,
    ROUTED,
    RUNS,
    STRUCK_BEHIND,
    T_CHECK,
    UNIT_RECOVERS,
)
from wargamesim.games.stirling.referee_board import Unit, distance
from wargamesim.games.stirling.referee_course import Course
from wargamesim.games.stirling.referee_loss import leads_side, rout

LOSSES = (LOST_QUARTER, LOST_HALF, LOST_THREE_QUARTERS)
SITUATION_NAMES = (
    "charged",
    "a quarter lost",
    "half lost",
    "three quarters lost",
    "Leader lost",
    "struck on flank or rear",
    "a friend broken nearby",
    "outnumbered",
    "Commander lost",
)
OF_LEADER, OF_TROOPS = range(2)
IN_MORALE, AT_CHARGE, IN_RECOVERY = range(3)
# A check has room for so many dice: the Leader's, then the troops'.
DICE_OF_CHECK = 32


def morale_phase(course: Course) -> None:
    """Let everybody check who is in a difficult situation, until no check brings another (SS-9.1, SS-9.6)."""
    for unit in course.board.here():
        unit.checked, unit.outnumbered = 0, int(_is_outnumbered(course, unit))
    again = True
    while again:
        again = False
        for unit in course.board.units:
            if unit.is_here and not unit.checked:
                found = situations(course, unit)
                if found:
                    unit.checked, again = 1, True
                    check(course, unit, found)


def _is_outnumbered(course: Course, unit: Unit) -> bool:
    enemies = (enemy for enemy in course.board.enemies(unit) if enemy.is_ordered)
    men = sum(enemy.men for enemy in enemies if distance(unit.hex, enemy.hex) == 1)
    return men > 0 and men >= course.play.outnumbered * unit.men


def situations(course: Course, unit: Unit) -> list[int]:
    """Return the difficult situations that a unit is in now, in the order of the list (SS-9.1)."""
    lost, shares = 100 * (unit.men0 - unit.men), course.play.loss_share
    found = [
        bit
        for bit, share in zip(LOSSES, shares, strict=True)
        if not unit.reached & 1 << bit and lost >= share * unit.men0
    ]
    near = (
        friend
        for friend in course.board.units
        if friend.side == unit.side
        and friend is not unit
        and distance(friend.hex, unit.hex) <= course.play.broken_within
    )
    others = {
        LEADER_LOST: bool(unit.leader_gone),
        STRUCK_BEHIND: bool(unit.struck_back),
        FRIEND_BROKEN: any(friend.broken_turn == course.turn for friend in near),
        IS_OUTNUMBERED: bool(unit.outnumbered),
        COMMANDER_LOST: bool(unit.commander_gone),
    }
    found += [bit for bit, is_so in others.items() if is_so]
    return [bit for bit in found if course.play.situation_on[bit]]


def check(course: Course, unit: Unit, found: Sequence[int], charger: Unit | None = None) -> None:
    """Let a unit check its morale, its Leader first, and break if it fails (SS-9.2 to SS-9.6, SS-P47).

    Parameters
    ----------
    course : Course
    unit : Unit
    found : sequence of int
        The situations that compel the check.
    charger : Unit or None
        Who has just declared a charge on it.
    """
    bits = [bit for bit in range(MOST_SITUATIONS) if bit in found]
    unit.reached |= sum(1 << bit for bit in bits if bit in LOSSES)
    if charger is None:
        unit.leader_gone = unit.commander_gone = 0
    combine, has_leader = course.reading["combine"], unit.leader == FIT
    leader_holds = True
    if has_leader:
        leader_holds = _passes(course, unit, OF_LEADER, bits, charger)
        if not leader_holds:
            bits = _leader_runs(course, unit, bits)
    if has_leader and combine == "either" and not leader_holds:
        holds = False
    elif has_leader and combine == "both" and leader_holds:
        holds = True
    else:
        holds = _passes(course, unit, OF_TROOPS, bits, charger)
    if not holds:
        unit.failed_modifier = sum(course.play.situation[bit] for bit in bits)
        rout(course, unit)


def _leader_runs(course: Course, unit: Unit, bits: list[int]) -> list[int]:
    """Rout a Leader; return the situations of his troops then (SS-9.1c, SS-9.1g)."""
    unit.leader, unit.leader_turn = RUNS, course.turn
    more = [LEADER_LOST]
    who = "Leader"
    if leads_side(course, unit):
        who = "Commander"
        more.append(COMMANDER_LOST)
        for friend in course.board.here():
            if friend.side == unit.side and friend is not unit:
                friend.commander_gone = 1
    course.tell("SS-9.2", f"the {who}, with {course.name(unit)}, is routed")
    return sorted({*bits, *(bit for bit in more if course.play.situation_on[bit])})


def commander_charisma(course: Course, side: int) -> int:
    """Return what a side's Commander gives to morale, if he is alive and in order (SS-9.3)."""
    leads = int(course.state.commander[side])
    if leads >= 0:
        unit = course.board.units[leads]
        if not unit.is_here or unit.leader != FIT:
            return 0
    return int(course.play.charisma[int(course.state.commander_charisma[side])])


def _need(course: Course, unit: Unit, who: int) -> int:
    """What the dice may not exceed, but for the situation (SS-9.3, SS-P17, SS-P48)."""
    commander = commander_charisma(course, unit.side)
    if who == OF_LEADER:
        return unit.leader_morale + (commander if course.reading["leader_alone"] == "commander" else 0)
    need = unit.morale + commander
    if unit.leader == FIT:
        need += course.play.charisma[unit.charisma]
    if unit.ran and course.reading["run_cost"] == "morale":
        need += course.play.run_morale
    return int(need)


def _passes(course: Course, unit: Unit, who: int, bits: list[int], charger: Unit | None) -> bool:
    """Roll for Leader or troops: once for all situations, or once for each (SS-P39)."""
    need, modifiers = _need(course, unit, who), course.play.situation
    if course.reading["check_each"] == "one":
        return _roll(course, unit, who, 0, bits, need + sum(modifiers[bit] for bit in bits), charger)
    return all(
        _roll(course, unit, who, c, [bit], need + modifiers[bit] + course.play.further * c, charger)
        for c, bit in enumerate(bits)
    )


def _roll(course: Course, unit: Unit, who: int, c: int, bits: list[int], need: int, charger: Unit | None) -> bool:
    play = course.play
    purpose, actor = NERVE, unit.index
    if charger is not None:
        purpose, actor = CHARGED_NERVE, unit.index + MOST_UNITS * charger.index
    first = DICE_OF_CHECK * c + (0 if who == OF_LEADER else play.morale_dice)
    dice = sum(course.roll(actor, purpose, first + j, play.morale_die) for j in range(play.morale_dice))
    passed = dice <= need
    when = IN_MORALE if charger is None else AT_CHARGE
    course.note(T_CHECK, unit.index, who, when, sum(1 << bit for bit in bits), need, dice, passed)
    name = f"the Leader of {course.name(unit)}" if who == OF_LEADER else course.name(unit)
    why = ", ".join(SITUATION_NAMES[bit] for bit in bits)
    course.tell("SS-9.3", f"{name} ({why}): {need} or less needed, rolled {dice}, {'passed' if passed else 'failed'}")
    return passed


# Recovery


def recovery_phase(course: Course) -> None:
    """Let routed Leaders come round, and then routed units with a Leader (SS-10.1)."""
    units = [unit for unit in course.board.units if unit.is_here]
    for unit in units:
        if unit.leader == RUNS and _may_recover(course, unit, unit.leader_turn):
            what = f"the Leader of {course.name(unit)}:"
            if _recovers(course, unit, OF_LEADER, unit.leader_morale, what):
                unit.leader = FIT
    for unit in units:
        if unit.status == ROUTED and _may_recover(course, unit, unit.routed_turn):
            leader = rallying(course, unit)
            if leader is None:
                continue
            need = unit.morale + course.play.charisma[leader.charisma]
            if course.reading["recover_as_checked"] == "as_last_check":
                need += unit.failed_modifier
            who = "its Leader" if leader is unit else f"the Leader of {course.name(leader)}"
            if _recovers(course, unit, OF_TROOPS, need, f"{course.name(unit)}, with {who}:"):
                unit.status = ORDERED
                course.count(RECOVERIES, unit.side)


def _may_recover(course: Course, unit: Unit, routed: int) -> bool:
    """Whether it is late enough (SS-10.3, SS-P44)."""
    when = course.reading["recovery_time"]
    if when == "same_turn":
        return True
    return course.turn > routed and (when == "next_turn" or unit.steps_made == 0)


def rallying(course: Course, unit: Unit) -> Unit | None:
    """Return the unit whose Leader rallies a routed one (SS-10.1, SS-P43)."""
    reading = course.reading["rally"]
    within = 1 if reading == "adjacent" else 0
    leaders = [
        friend
        for friend in course.board.here()
        if friend.side == unit.side and friend.leader == FIT and distance(friend.hex, unit.hex) <= within
    ]
    if reading == "own":
        leaders = [friend for friend in leaders if friend is unit]
    return max(leaders, key=lambda friend: (friend.charisma, -friend.index), default=None)


def _recovers(course: Course, unit: Unit, who: int, need: int, name: str) -> bool:
    play, purpose = course.play, LEADER_RECOVERS if who == OF_LEADER else UNIT_RECOVERS
    dice = sum(course.roll(unit.index, purpose, j, play.morale_die) for j in range(play.morale_dice))
    passed = dice <= need
    course.note(T_CHECK, unit.index, who, IN_RECOVERY, 0, need, dice, passed)
    course.tell("SS-10.1", f"{name} {need} or less needed, rolled {dice}, {'recovered' if passed else 'not yet'}")
    return passed
