"""What a scenario's file may hold: typed tables, checked as far as it goes without a rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from wargamesim.errors import InputError, unknown
from wargamesim.games.readers import (
    any_text,
    by,
    by_name,
    listed,
    made_for,
    named,
    one_of,
    switch,
    table_of,
    validated,
    whole,
)
from wargamesim.games.stirling.doctrine import Doctrine, compile_doctrine
from wargamesim.games.stirling.layout import FRONTS, LARGEST, MOST_AT_START, MOST_SPELLS, SIDES
from wargamesim.games.stirling.readers import damage, hit_dice, rate, tuple_of
from wargamesim.games.stirling.rules import MOST_CHARISMA, QUALITIES, WEAPONS
from wargamesim.games.stirling.units import MOST_HP, MOST_LENGTH, MOST_MEN, MOST_POINTS, MOST_SPEED
from wargamesim.rulebook.read import any_table, optional, text

Item = TypeVar("Item")

GAME = "stirling"
SMALLEST = 3  # rows and columns of a board
MOST_MOV = 48
MOST_IN_ARMY = 30_000

_POINTS = whole(-MOST_POINTS, MOST_POINTS)
_CHARISMA = whole(0, MOST_CHARISMA)
_RATING = optional(whole(0, MOST_POINTS))
_DAMAGE = optional(damage)


@dataclass(frozen=True)
class Board:
    """The size of the board in hexes."""

    columns: int = field(metadata=by(whole(SMALLEST, LARGEST)))
    rows: int = field(metadata=by(whole(SMALLEST, LARGEST)))


@dataclass(frozen=True)
class Troop:
    """A stat block: the numbers of one member of a unit (SS-1.2).

    Hit points are `hp`, or else those of `hit_dice`, or of `level` dice of `level_die` sides (SS-1.5), or of the
    quality (SS-1.4). Ranges are `ranges`, or else those of the weapon `missile` in the rulebook. Damage against large
    targets is as that against others where it is not given; morale is that of the quality.
    """

    thac0: int = field(metadata=by(_POINTS))
    ac: int = field(metadata=by(_POINTS))
    damage: str = field(metadata=by(damage))
    mov: int = field(metadata=by(whole(0, MOST_MOV)))
    quality: str = field(metadata=by(one_of("quality", QUALITIES)), default="common")
    hp: int | None = field(metadata=by(optional(whole(1, MOST_HP))), default=None)
    hit_dice: int | str | None = field(metadata=by(optional(hit_dice)), default=None)
    level: int | None = field(metadata=by(optional(whole(1, 100))), default=None)
    level_die: int | None = field(metadata=by(optional(whole(2, 100))), default=None)
    shield: int = field(metadata=by(whole(0, MOST_POINTS)), default=0)
    rate: int | str = field(metadata=by(rate), default=1)
    damage_large: str | None = field(metadata=by(_DAMAGE), default=None)
    length: int = field(metadata=by(whole(0, MOST_LENGTH)), default=0)
    speed: int = field(metadata=by(whole(0, MOST_SPEED)), default=0)
    morale: int | None = field(metadata=by(_RATING), default=None)
    large: bool = field(metadata=by(switch), default=False)
    mounted: bool = field(metadata=by(switch), default=False)
    lance: bool = field(metadata=by(switch), default=False)
    set_weapon: bool = field(metadata=by(switch), default=False)
    missile: str | None = field(metadata=by(optional(one_of("missile weapon", WEAPONS))), default=None)
    ranges: tuple[int, ...] | None = field(
        metadata=by(optional(tuple_of(3, whole(0, 100), "[short, medium, long] range in hexes"))), default=None
    )
    missile_damage: str | None = field(metadata=by(_DAMAGE), default=None)
    missile_damage_large: str | None = field(metadata=by(_DAMAGE), default=None)
    text: str = field(metadata=by(any_text), default="")

    def __post_init__(self) -> None:
        """Check what the numbers say of each other."""
        if (self.level is None) != (self.level_die is None):
            raise ValueError("level and level_die belong together: a fighter of level 3 has level_die = 10 (SS-1.5a)")
        if self.level is not None and self.hit_dice is not None:
            raise ValueError("is either of a level or a monster with hit_dice, not both (SS-1.5)")
        if self.ranges is not None and not 1 <= self.ranges[0] <= self.ranges[1] <= self.ranges[2]:
            raise ValueError(f"ranges must be at least 1 and not shrink from short to long, not {list(self.ranges)}")
        if (self.missile is None and self.ranges is None) != (self.missile_damage is None):
            raise ValueError("a missile weapon needs missile or ranges, and missile_damage")
        if self.lance and not self.mounted:
            raise ValueError("a lance is couched on horseback: it needs mounted = true (SS-7.3c)")


@dataclass(frozen=True)
class Spell:
    """A spell or engine (SS-P09): in that turn its unit may cost an enemy within `reach` hexes so many men."""

    turn: int = field(metadata=by(whole(1, 1000)))
    reach: int = field(metadata=by(whole(1, 2 * LARGEST, " hexes")))
    men: int = field(metadata=by(whole(1, MOST_MEN)))


@dataclass(frozen=True)
class Unit:
    """So many men of a troop in a hex; `leader` is their Leader's charisma, 0 if there is none (SS-1.3)."""

    troop: str = field(metadata=by(named))
    men: int = field(metadata=by(whole(1, MOST_MEN)))
    at: tuple[int, ...] = field(metadata=by(tuple_of(2, whole(0, LARGEST - 1), "a hex [column, row], from [0, 0]")))
    front: str = field(metadata=by(one_of("front", FRONTS)))
    leader: int | None = field(metadata=by(optional(_CHARISMA)), default=None)
    leader_morale: int | None = field(metadata=by(_RATING), default=None)
    spells: tuple[Spell, ...] = field(metadata=by(listed(table_of(Spell))), default=())


@dataclass(frozen=True)
class Commander:
    """The Field Commander of a side (SS-1.3): his charisma, and the unit whose Leader he is if he is on the board."""

    charisma: int = field(metadata=by(whole(1, MOST_CHARISMA)))
    leads: str | None = field(metadata=by(optional(named)), default=None)


def _units(raw: object) -> dict[str, Unit]:
    units = by_name(table_of(Unit))(raw)
    if not units:
        raise ValueError("a side has at least one unit")
    return units


@dataclass(frozen=True)
class Army:
    """What one side brings, how it is played, and into how many parts side by side each of its units is divided."""

    doctrine: str = field(metadata=by(text))
    units: dict[str, Unit] = field(metadata=by(_units))
    commander: Commander | None = field(metadata=by(optional(table_of(Commander))), default=None)
    split: int = field(metadata=by(whole(1, MOST_AT_START)), default=1)


def doctrine(raw: object) -> dict[str, Any]:
    """Read a doctrine: a table with parameters as in `doctrine.PARAMETERS`, and a `text`."""
    table = any_table(raw)
    compile_doctrine(_parameters(table))
    return table


def _parameters(table: Mapping[str, Any]) -> dict[str, Any]:
    any_text(table.get("text", ""))
    return {name: value for name, value in table.items() if name != "text"}


@dataclass(frozen=True)
class Doctrines:
    """What each side can choose from, by name."""

    first: dict[str, dict[str, Any]] = field(metadata=by(by_name(doctrine)), default_factory=dict)
    second: dict[str, dict[str, Any]] = field(metadata=by(by_name(doctrine)), default_factory=dict)

    def of(self, side: str) -> dict[str, dict[str, Any]]:
        """Return those of a side."""
        return self.first if side == "first" else self.second

    def compiled(self, side: str, name: str) -> Doctrine:
        """Return one of them ready for compiled code."""
        return compile_doctrine(_parameters(self.of(side)[name]))


@dataclass(frozen=True)
class Troops:
    """The stat blocks that each side's units are made of, by name."""

    first: dict[str, Troop] = field(metadata=by(by_name(table_of(Troop))), default_factory=dict)
    second: dict[str, Troop] = field(metadata=by(by_name(table_of(Troop))), default_factory=dict)

    def of(self, side: str) -> dict[str, Troop]:
        """Return those of a side."""
        return self.first if side == "first" else self.second


@dataclass(frozen=True)
class Content:
    """The whole file; without `movement` all units stay where they are, `turns` replaces the rulebook's SS-11.1."""

    name: str = field(metadata=by(named))
    title: str = field(metadata=by(text))
    game: str = field(metadata=by(text))
    board: Board = field(metadata=by(table_of(Board)))
    first: Army = field(metadata=by(table_of(Army)))
    second: Army = field(metadata=by(table_of(Army)))
    troops: Troops = field(metadata=by(table_of(Troops)))
    doctrines: Doctrines = field(metadata=by(table_of(Doctrines)))
    movement: bool = field(metadata=by(switch), default=True)
    turns: int | None = field(metadata=by(optional(whole(1, 10_000))), default=None)
    text: str = field(metadata=by(any_text), default="")

    def army(self, side: str) -> Army:
        """Return what a side brings."""
        return self.first if side == "first" else self.second

    def __post_init__(self) -> None:
        """Check what the tables say of each other."""
        for side in SIDES:
            self._check_army(side)
        spells = sum(len(unit.spells) for side in SIDES for unit in self.army(side).units.values())
        if spells > MOST_SPELLS:
            raise ValueError(f"has {spells} spells; a battle has at most {MOST_SPELLS}")

    def _check_army(self, side: str) -> None:
        army = self.army(side)
        known = self.doctrines.of(side)
        if army.doctrine not in known:
            raise unknown("doctrine", army.doctrine, known, key=f"{side}.doctrine")
        for name, unit in army.units.items():
            if unit.troop not in self.troops.of(side):
                raise unknown("troop", unit.troop, self.troops.of(side), key=f"{side}.units.{name}.troop")
        units, men = len(army.units) * army.split, sum(unit.men for unit in army.units.values())
        if units > MOST_AT_START:
            key = f"{side}.units" if army.split == 1 else f"{side}.split"
            raise InputError(f"makes {units} units; a side has at most {MOST_AT_START}", key=key)
        if men > MOST_IN_ARMY:
            raise InputError(f"has {men} men; a side has at most {MOST_IN_ARMY:,}", key=f"{side}.units")
        if army.commander is not None and army.commander.leads is not None:
            leads = army.commander.leads
            if leads not in army.units:
                raise unknown("unit", leads, army.units, key=f"{side}.commander.leads")
            if army.units[leads].leader is not None:
                raise InputError(
                    "is led by the Commander, whose charisma stands there (SS-1.3)", key=f"{side}.units.{leads}.leader"
                )


def content_of(tables: Mapping[str, Any], file: str | None) -> Content:
    """Read a whole scenario, after making sure that it is one of this game.

    Parameters
    ----------
    tables : mapping
        What TOML or JSON gave.
    file : str or None
        Where it stands, for messages.

    Raises
    ------
    InputError
        If it is not, and as `validated`.
    """
    made_for(GAME, tables, file)
    return validated(table_of(Content), tables, file)
