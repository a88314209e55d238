"""Splitting and merging: one unit becomes two, two become one (SS-6.2, SS-6.3)."""

from __future__ import annotations

from fractions import Fraction
from itertools import count

from wargamesim.games.stirling import layout
from wargamesim.games.stirling.judge import Move
from wargamesim.games.stirling.layout import FIT, GONE, MERGERS, NOBODY, ROUTED, RUNS, SPLITS, T_MERGED, T_SPLIT
from wargamesim.games.stirling.referee_board import DIRECTIONS, Unit, trail
from wargamesim.games.stirling.referee_course import Course
from wargamesim.games.stirling.referee_loss import leads_side

# Fields of which the worse value is the higher one, and the lower one.
HIGHER = (
    *(layout.AC, layout.THAC0, layout.SPEED, layout.ROUTED_TURN, layout.BROKEN_TURN, layout.REMOVALS),
    *(layout.STEPS_MADE, layout.STATUS),
)
LOWER = (
    *(layout.HP, layout.SHIELD, layout.MOV, layout.MORALE, layout.LENGTH, layout.FAILED_MODIFIER),
    *(layout.RANGE_SHORT, layout.RANGE_MEDIUM, layout.RANGE_LONG),
)
ADDED = (layout.MEN, layout.MEN0, layout.LEFT, layout.LOSS, layout.HURT, layout.REM)
# What one of the two did is done, bit by bit.
EITHER = (
    *(layout.REACHED, layout.RAN, layout.SHOT, layout.FLED, layout.STRUCK_BACK, layout.HAS_STRUCK, layout.ENGAGED),
    *(layout.LEADER_GONE, layout.COMMANDER_GONE),
)
TRIPLES = (layout.DICE, layout.DICE_L, layout.SHOT_DICE, layout.SHOT_DICE_L)


def split(course: Course, unit: Unit, move: Move) -> None:
    """Divide a unit that has spent its movement to do so (SS-6.2, SS-P29)."""
    half, each = course.judge.half(unit), int(course.play.men_step)
    new = course.board.add(unit.row)
    new.men = new.left = half
    # No more of those at the start than leave the old one as many as it has now.
    new.men0 = min(unit.men0 // (2 * each) * each, unit.men0 - (unit.men - half))
    new.rem = new.loss = new.hurt = 0
    new.charisma, new.leader, new.leader_gone = 0, NOBODY, 0
    new.front = move.to_front
    for place in trail(unit.hex, move.path):
        new.hex = place
    unit.men -= half
    unit.men0 -= new.men0
    unit.left = unit.men
    base = course.name(unit).split(", half ")[0]
    course.names.append(next(name for number in count(2) if (name := f"{base}, half {number}") not in course.names))
    course.count(SPLITS, unit.side)
    course.note(T_SPLIT, unit.index, new.index, unit.men, new.men)
    facing = f"facing {DIRECTIONS[new.front]}"
    course.tell("SS-6.2", f"{course.name(unit)} split: {unit.men} men, and {new.men} as {course.name(new)}, {facing}")


def merge(course: Course, mover: Unit, other: Unit) -> None:
    """Make two units in one hex one, in every respect the worse of the two (SS-6.3)."""
    one, two = mover.row, other.row
    for fields, worse in ((HIGHER, max), (LOWER, min)):
        for field in fields:
            two[field] = worse(int(one[field]), int(two[field]))
    for field in ADDED:
        two[field] += one[field]
    for field in EITHER:
        two[field] |= one[field]
    for first in TRIPLES:
        if _mean(mover, first) < _mean(other, first):
            two[first : first + 3] = one[first : first + 3]
    if Fraction(mover.rate_num, mover.rate_den) < Fraction(other.rate_num, other.rate_den):
        other.rate_num, other.rate_den = mover.rate_num, mover.rate_den
    other.traits &= mover.traits
    other.moved, other.charging, other.delayed = 1, 0, 0
    _lead(course, mover, other)
    mover.status = layout.MERGED
    course.count(MERGERS, other.side)
    course.note(T_MERGED, mover.index, other.index, other.men, other.men0, other.charisma)
    state = ", routed" if other.status == ROUTED else ""
    course.tell("SS-6.3", f"{course.name(mover)} joined {course.name(other)}: {other.men} men{state}")


def _mean(unit: Unit, first: int) -> int:
    """Twice the mean damage of dice that stand from a field on."""
    dice, sides, bonus = unit.row[first : first + 3].tolist()
    return int(dice * (sides + 1) + 2 * bonus)


def _lead(course: Course, mover: Unit, other: Unit) -> None:
    """Choose who leads the merged unit: the Commander, else the better charisma."""
    living = [unit for unit in (other, mover) if unit.leader in (FIT, RUNS)]
    if not living:
        other.leader = GONE if GONE in (mover.leader, other.leader) else NOBODY
        return
    leader = max(living, key=lambda unit: (leads_side(course, unit), unit.charisma))
    if leads_side(course, leader):
        course.state.commander[other.side] = other.index
    other.charisma, other.leader = leader.charisma, leader.leader
    other.leader_morale, other.leader_turn = leader.leader_morale, leader.leader_turn
