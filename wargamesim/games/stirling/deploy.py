"""Who stands where before the first turn, with the numbers of his stat block."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wargamesim.errors import InputError
from wargamesim.games.stirling import layout as at
from wargamesim.games.stirling.layout import FRONTS, SIDES, STATE, State
from wargamesim.games.stirling.playing import Play
from wargamesim.games.stirling.readers import parse_hit_dice
from wargamesim.games.stirling.rules import Rules
from wargamesim.games.stirling.schema import Content, Troop, Unit
from wargamesim.games.stirling.units import hit_points, monster_hit_points, parse_damage, rate_of
from wargamesim.records import new_record

# Charisma of a Leader of whom nothing is said: it changes no check of morale.
USUAL_CHARISMA = 10

# Fields of `layout` with the damage of a weapon: dice, sides and bonus follow each other.
MELEE, MELEE_LARGE, MISSILE, MISSILE_LARGE = at.DICE, at.DICE_L, at.SHOT_DICE, at.SHOT_DICE_L
NO_DAMAGE = "1d1-1"


@dataclass(frozen=True)
class Part:
    """A unit as it stands on the board: a unit of the scenario, or one of the parts into which it is divided."""

    side: int
    name: str
    key: str  # of the unit in the scenario
    unit: Unit
    troop: Troop
    men: int
    column: int
    row: int
    leads: bool  # its Leader is the Commander
    is_first: bool  # of the parts: spells and engines are with it


def parts_of(content: Content, men_step: int) -> list[Part]:
    """Return all units, those of the first side first, in the order of the scenario.

    Where a side is divided (`Army.split`), the parts of a unit have as equal numbers of men as their steps allow, the
    larger ones first, and stand side by side: the first in the unit's hex, the others by turns to its right and left.

    Parameters
    ----------
    content : Content
        The scenario.
    men_step : int
        The men of every unit are a multiple of this (SS-P02).

    Raises
    ------
    InputError
        If men are no such multiple, or too few for so many parts.
    """
    return [part for side in SIDES for part in _parts(content, side, men_step)]


def _parts(content: Content, side: str, step: int) -> Iterator[Part]:
    army, troops = content.army(side), content.troops.of(side)
    leads = army.commander.leads if army.commander is not None else None
    for name, unit in army.units.items():
        key = f"{side}.units.{name}"
        if unit.men % step:
            raise InputError(f"must be a multiple of {step} (units.men_step, SS-P02), not {unit.men}", key=f"{key}.men")
        steps = unit.men // step
        if steps < army.split:
            raise InputError(
                f"cannot divide the {unit.men} men of '{name}' into {army.split} parts of at least {step}",
                key=f"{side}.split",
            )
        for part in range(army.split):
            men = step * (steps // army.split + (part < steps % army.split))
            column, row = _beside(unit, part)
            full = f"{side} {name}".replace("_", " ") + (f" {part + 1}" if army.split > 1 else "")
            first = part == 0
            yield Part(
                SIDES.index(side), full, key, unit, troops[unit.troop], men, column, row, first and name == leads, first
            )


def _beside(unit: Unit, part: int) -> tuple[int, int]:
    """Return column and row of a part: along the column for a front to the east or west, else along the row."""
    column, row = unit.at
    to_the_right = -1 if unit.front in ("east", "south_west", "south_east") else 1
    away = (part + 1) // 2 * (to_the_right if part % 2 else -to_the_right)
    return (column, row - away) if unit.front in ("east", "west") else (column + away, row)


def position(content: Content, parts: list[Part], play: Play, rules: Rules) -> State:
    """Return the position before the first turn.

    Raises
    ------
    InputError
        If a unit is off the board, or in the hex of another (SS-1.7, SS-P01).
    """
    start = new_record(STATE)
    start.rows, start.cols = content.board.rows, content.board.columns
    start.movement, start.count = int(content.movement), len(parts)
    start.commander[:] = -1
    for side, name in enumerate(SIDES):
        commander = content.army(name).commander
        start.commander_charisma[side] = 0 if commander is None else commander.charisma
    for number, part in enumerate(parts):
        _check_place(content, parts[:number], part, play)
        _fill(start, number, part, rules)
        if part.leads:
            start.commander[part.side] = number
            start.unit[number, at.CHARISMA] = start.commander_charisma[part.side]
            start.unit[number, at.LEADER] = at.FIT
    return start


def _check_place(content: Content, others: list[Part], part: Part, play: Play) -> None:
    board, key = content.board, f"{part.key}.at"
    if not (0 <= part.column < board.columns and 0 <= part.row < board.rows):
        raise InputError(
            f"{part.name} would stand at [{part.column}, {part.row}], off the board of {board.columns} columns and"
            f" {board.rows} rows",
            key=key,
        )
    for other in others:
        if (other.column, other.row) == (part.column, part.row) and (play.stacking == 0 or other.side != part.side):
            raise InputError(
                f"{part.name} stands in the hex [{part.column}, {part.row}] of {other.name} (SS-1.7, SS-P01)", key=key
            )


def _fill(start: State, number: int, part: Part, rules: Rules) -> None:
    """Write a unit into its row."""
    row, unit, troop = start.unit[number], part.unit, part.troop
    row[at.SIDE], row[at.STATUS] = part.side, at.ORDERED
    row[at.Q], row[at.R] = part.column - (part.row >> 1), part.row
    row[at.FRONT] = FRONTS.index(unit.front)
    row[at.MEN] = row[at.MEN0] = row[at.LEFT] = part.men
    row[at.HP] = _hit_points(troop, rules)
    row[at.AC], row[at.THAC0], row[at.SHIELD] = troop.ac, troop.thac0, troop.shield
    rate = rate_of(troop.rate)
    row[at.RATE_NUM], row[at.RATE_DEN] = rate.numerator, rate.denominator
    missile = troop.missile_damage or NO_DAMAGE
    for first, damage in (
        (MELEE, troop.damage),
        (MELEE_LARGE, troop.damage_large or troop.damage),
        (MISSILE, missile),
        (MISSILE_LARGE, troop.missile_damage_large or missile),
    ):
        row[first : first + 3] = parse_damage(damage)
    row[at.RANGE_SHORT : at.RANGE_LONG + 1] = troop.ranges or rules.ranges.get(troop.missile or "", (0, 0, 0))
    row[at.LENGTH], row[at.SPEED], row[at.MOV] = troop.length, troop.speed, troop.mov
    flags = (at.LARGE, troop.large), (at.MOUNTED, troop.mounted), (at.LANCE, troop.lance)
    row[at.TRAITS] = sum(bit for bit, has in (*flags, (at.SET_WEAPON, troop.set_weapon)) if has)
    row[at.MORALE] = rules.ratings[troop.quality] if troop.morale is None else troop.morale
    row[at.CHARISMA] = USUAL_CHARISMA if unit.leader is None else unit.leader
    row[at.LEADER] = at.FIT if row[at.CHARISMA] else at.NOBODY
    row[at.LEADER_MORALE] = rules.ratings["leader"] if unit.leader_morale is None else unit.leader_morale
    for spell in unit.spells if part.is_first else ():
        start.spell[start.spells] = number, spell.turn, spell.reach, spell.men
        start.spells += 1


def _hit_points(troop: Troop, rules: Rules) -> int:
    """Return the hit points of one member (SS-1.4, SS-1.5)."""
    if troop.hp is not None:
        return troop.hp
    if troop.hit_dice is not None:
        return int(monster_hit_points(rules, *parse_hit_dice(troop.hit_dice)))
    if troop.level is not None and troop.level_die is not None:
        return int(hit_points(rules, troop.level_die, troop.level))
    return rules.hit_points.get(troop.quality, rules.hit_points["common"])
