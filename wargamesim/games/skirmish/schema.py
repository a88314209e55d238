"""What a scenario's file may hold: typed tables, checked as far as it goes without a rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

from wargamesim.errors import InputError, unknown
from wargamesim.games.readers import (
    Point,
    any_text,
    by,
    by_name,
    inside,
    listed,
    made_for,
    named,
    one_of,
    point,
    real,
    switch,
    table_of,
    validated,
    whole,
)
from wargamesim.games.skirmish.doctrine import Doctrine, compile_doctrine
from wargamesim.games.skirmish.formation import Formation, facing
from wargamesim.games.skirmish.layout import (
    BUILDING,
    DIFFICULT,
    EAST,
    HEDGE,
    LARGEST,
    MOST_FIGURES,
    MOST_LOADS,
    MOST_SQUADS,
    NORTH,
    SIDES,
    SOUTH,
    WALL,
    WATER,
    WEST,
    WOOD,
)
from wargamesim.games.skirmish.readers import explained, magazine
from wargamesim.games.squares import THINNEST
from wargamesim.rulebook.read import UnreadableError, any_table, optional, read, text

GAME = "skirmish"

# What each kind of terrain makes of its squares; the first are areas, the last two lines with a width.
AREAS = {"rough": DIFFICULT, "slope": DIFFICULT, "wood": WOOD, "water": WATER, "building": BUILDING}
LINES = {"wall": WALL, "hedge": HEDGE}
KINDS = AREAS | LINES
# The most floors of a building, the ground floor among them.
MOST_FLOORS = 9

EDGES = {"north": NORTH, "east": EAST, "south": SOUTH, "west": WEST}

LEADERS = ("leader", "officer")
EVADERS = ("trapper", "ranger", "indian")
ROLES = (*LEADERS, "regular", "marine", *EVADERS)

_WEAPON = optional(named)


@dataclass(frozen=True)
class Table:
    """The size of the table in cm."""

    width: int = field(metadata=by(whole(10, LARGEST)))
    height: int = field(metadata=by(whole(10, LARGEST)))


@dataclass(frozen=True)
class Feature:
    """A piece of terrain: an area within its corners, or a wall or hedge along them, `width` cm across.

    A building has `floors`, the ground floor among them; 1 if nothing is said.
    """

    kind: str = field(metadata=by(one_of("kind of terrain", KINDS)))
    points: tuple[Point, ...] = field(metadata=by(listed(point)))
    width: float | None = field(metadata=by(optional(real(THINNEST, 20, " cm"))), default=None)
    floors: int | None = field(metadata=by(optional(whole(1, MOST_FLOORS))), default=None)

    def __post_init__(self) -> None:
        """Check that there are points enough, and a width and floors where they mean something."""
        least = 2 if self.kind in LINES else 3
        if len(self.points) < least:
            raise ValueError(f"a {self.kind} needs at least {least} points, not {len(self.points)}")
        if self.kind in AREAS and self.width is not None:
            raise ValueError(f"a {self.kind} is an area and has no width")
        if self.kind != "building" and self.floors is not None:
            raise ValueError(f"a {self.kind} has no floors, only a building has")


@dataclass(frozen=True)
class Group:
    """Figures that are alike; the group's name is what they are called, its `floor` where in a building they stand."""

    count: int = field(metadata=by(whole(0, MOST_FIGURES)))
    quality: str = field(metadata=by(named))
    weapon: str | None = field(metadata=by(_WEAPON), default=None)
    weapon2: str | None = field(metadata=by(_WEAPON), default=None)
    arm: str = field(metadata=by(named), default="improvised")
    loading: str = field(metadata=by(named), default="muzzle")
    loading2: str = field(metadata=by(named), default="muzzle")
    repeater: bool | int = field(metadata=by(magazine), default=False)
    repeater2: bool | int = field(metadata=by(magazine), default=False)
    roles: tuple[str, ...] = field(metadata=by(listed(one_of("role", ROLES))), default=())
    floor: int = field(metadata=by(whole(0, MOST_FLOORS - 1)), default=0)


@dataclass(frozen=True)
class Squad:
    """Figures that act on one card: a formation or the `places` of its figures one by one, and its groups."""

    # The groups stand in the squad's own table.
    INLINE: ClassVar[str] = "groups"

    facing: str | float = field(metadata=by(facing))
    formation: Formation | None = field(metadata=by(optional(table_of(Formation))), default=None)
    places: tuple[Point, ...] | None = field(metadata=by(optional(listed(point))), default=None)
    hidden: bool = field(metadata=by(switch), default=False)
    groups: dict[str, Group] = field(metadata=by(by_name(table_of(Group))), default_factory=dict)

    @property
    def figures(self) -> int:
        """How many figures it has."""
        return sum(group.count for group in self.groups.values())

    def __post_init__(self) -> None:
        """Check that it has figures, and that all have a place."""
        if not self.figures:
            raise ValueError("has no figures; a squad has at least one group with a count of 1 or more")
        if (self.formation is None) == (self.places is None):
            raise ValueError("needs either a formation or places")
        if self.places is not None and len(self.places) < self.figures:
            raise ValueError(f"has {self.figures} figures, but only {len(self.places)} places")


def _squad(raw: object) -> Squad:
    """Read a squad, in whose table the groups stand side by side with its own keys."""
    table, own = any_table(raw), {each.name for each in fields(Squad)} - {"groups"}
    groups = {key: value for key, value in table.items() if key not in own and isinstance(value, Mapping)}
    rest = {key: value for key, value in table.items() if key not in groups}
    for key in rest:
        if key not in own:
            raise inside(key, unknown("key", key, own))
    try:
        return read(Squad, {**rest, "groups": groups})
    except UnreadableError as error:
        # To the reader of the file, a group stands in the squad's own table.
        flat = (each._replace(key=each.key[1:] if each.key[:1] == ("groups",) else each.key) for each in error.problems)
        raise UnreadableError(flat) from None


def _squads(raw: object) -> dict[str, Squad]:
    squads = by_name(_squad)(raw)
    if not squads:
        raise ValueError("a side has at least one squad")
    return squads


@dataclass(frozen=True)
class Army:
    """What one side brings, how it is played, and the edge of the table from which it came."""

    doctrine: str = field(metadata=by(text))
    home: str = field(metadata=by(one_of("edge", EDGES)))
    squads: dict[str, Squad] = field(metadata=by(_squads))


@dataclass(frozen=True)
class Hold:
    """A place on the table, in cm: so many figures there and no enemy at the end of so many turns in a row win."""

    west: float = field(metadata=by(real(0, LARGEST, " cm")))
    north: float = field(metadata=by(real(0, LARGEST, " cm")))
    east: float = field(metadata=by(real(0, LARGEST, " cm")))
    south: float = field(metadata=by(real(0, LARGEST, " cm")))
    figures: int = field(metadata=by(whole(1, MOST_FIGURES)))
    turns: int = field(metadata=by(whole(1, 1000)))

    def __post_init__(self) -> None:
        """Check that it is a place."""
        if not (self.west < self.east and self.north < self.south):
            raise ValueError("west must be less than east, and north less than south (y grows to the south)")


@dataclass(frozen=True)
class Exit:
    """So many figures, or so many loads, that leave over an edge win; 0 asks for none."""

    edge: str = field(metadata=by(one_of("edge", EDGES)))
    figures: int = field(metadata=by(whole(0, MOST_FIGURES)), default=0)
    loads: int = field(metadata=by(whole(0, MOST_LOADS)), default=0)

    def __post_init__(self) -> None:
        """Check that it asks for something."""
        if not (self.figures or self.loads):
            raise ValueError("asks for nothing: figures or loads must be at least 1")


@dataclass(frozen=True)
class Aims:
    """What one side wins by, and the share of its own figures whose loss loses it the battle."""

    breaks_at: float | None = field(metadata=by(optional(real(0.01, 1))), default=None)
    hold: Hold | None = field(metadata=by(optional(table_of(Hold))), default=None)
    exit: Exit | None = field(metadata=by(optional(table_of(Exit))), default=None)
    prisoners: int = field(metadata=by(whole(0, MOST_FIGURES)), default=0)


@dataclass(frozen=True)
class Victory:
    """The aims of both sides, and who wins when time is up; if that is nobody, it is no decision."""

    first: Aims = field(metadata=by(table_of(Aims)), default=Aims())
    second: Aims = field(metadata=by(table_of(Aims)), default=Aims())
    at_limit: str | None = field(metadata=by(optional(one_of("side", SIDES))), default=None)


def doctrine_of(values: object) -> Doctrine:
    """Return a doctrine ready for compiled code: a table with parameters as in `doctrine.PARAMETERS`, and a `text`.

    Raises
    ------
    UnreadableError
        If it is no such table.
    """
    table = any_table(values)
    try:
        any_text(table.pop("text", ""))
    except ValueError as error:
        raise inside("text", error) from None
    try:
        return compile_doctrine(table, key="")
    except InputError as error:
        raise inside((error.key or "").removeprefix("."), ValueError(error.message)) from None


def doctrine_table(raw: object) -> dict[str, Any]:
    """Read the table of a doctrine, which is checked and kept as it is."""
    doctrine_of(raw)
    return any_table(raw)


@dataclass(frozen=True)
class Doctrines:
    """What each side can choose from, by name."""

    first: dict[str, dict[str, Any]] = field(metadata=by(by_name(doctrine_table)), default_factory=dict)
    second: dict[str, dict[str, Any]] = field(metadata=by(by_name(doctrine_table)), default_factory=dict)

    def compiled(self, side: str, name: str) -> Doctrine:
        """Return one of them ready for compiled code."""
        return doctrine_of(getattr(self, side)[name])


@dataclass(frozen=True)
class Content:
    """The whole file."""

    name: str = field(metadata=by(named))
    title: str = field(metadata=by(text))
    game: str = field(metadata=by(text))
    rulebook: str = field(metadata=by(text))
    turns: int = field(metadata=by(whole(1, 1000)))
    table: Table = field(metadata=by(table_of(Table)))
    terrain: str = field(metadata=by(text))
    terrains: dict[str, tuple[Feature, ...]] = field(metadata=by(by_name(listed(table_of(Feature)))))
    first: Army = field(metadata=by(table_of(Army)))
    second: Army = field(metadata=by(table_of(Army)))
    doctrines: Doctrines = field(metadata=by(table_of(Doctrines)))
    victory: Victory = field(metadata=by(table_of(Victory)), default=Victory())
    loads: tuple[Point, ...] = field(metadata=by(listed(point)), default=())
    text: str = field(metadata=by(any_text), default="")

    def army(self, side: str) -> Army:
        """Return what a side brings."""
        return self.first if side == "first" else self.second

    def aims(self, side: str) -> Aims:
        """Return what a side wins by."""
        return self.victory.first if side == "first" else self.victory.second

    def figures(self, side: str) -> int:
        """Return how many figures a side has."""
        return sum(squad.figures for squad in self.army(side).squads.values())

    def __post_init__(self) -> None:
        """Check what the tables say of each other."""
        if self.terrain not in self.terrains:
            raise unknown("terrain", self.terrain, self.terrains, key="terrain")
        for side in SIDES:
            known = getattr(self.doctrines, side)
            if self.army(side).doctrine not in known:
                raise unknown("doctrine", self.army(side).doctrine, known, key=f"{side}.doctrine")
        first, second = (self.figures(side) for side in SIDES)
        squads = len(self.first.squads) + len(self.second.squads)
        for what, number, most in (
            ("figures", first + second, MOST_FIGURES),
            ("squads", squads, MOST_SQUADS),
            ("loads", len(self.loads), MOST_LOADS),
        ):
            if number > most:
                raise ValueError(f"has {number} {what}; a table holds at most {most}")
        for side, own, others in (("first", first, second), ("second", second, first)):
            self._check_aims(side, own, others)

    def _check_aims(self, side: str, own: int, others: int) -> None:
        """Check that nothing is asked for that cannot be there."""
        aims = self.aims(side)
        wanted = [("prisoners", aims.prisoners, others, "enemies")]
        if aims.hold is not None:
            if aims.hold.east > self.table.width or aims.hold.south > self.table.height:
                raise InputError("this place goes beyond the table", key=f"victory.{side}.hold")
            wanted.append(("hold.figures", aims.hold.figures, own, "own figures"))
            wanted.append(("hold.turns", aims.hold.turns, self.turns, "turns"))
        if aims.exit is not None:
            wanted.append(("exit.figures", aims.exit.figures, own, "own figures"))
            wanted.append(("exit.loads", aims.exit.loads, len(self.loads), "loads"))
        for key, number, most, what in wanted:
            if number > most:
                raise InputError(f"wants {number}, but there are only {most} {what}", key=f"victory.{side}.{key}")


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
        If it is not, or anything in it is missing, unknown or not allowed; the message says how many more problems
        there are.
    """
    made_for(GAME, tables, file)
    return validated(table_of(Content), tables, file, explained=explained)
