"""What a scenario's file may hold: typed tables, checked as far as it goes without a rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import hypot
from typing import Any

from wargamesim.errors import InputError, unknown
from wargamesim.games.coloniale.doctrine import Doctrine, compile_doctrine
from wargamesim.games.coloniale.layout import (
    LARGEST,
    MOST_AT_START,
    MOST_FORTS,
    MOST_LINKS,
    MOST_NODES,
    MOST_ZONES,
    SIDES,
)
from wargamesim.games.coloniale.rules import ARMS, QUALITIES
from wargamesim.games.readers import (
    Point,
    any_text,
    by,
    by_name,
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
from wargamesim.rulebook.read import any_table, optional, shown, text

GAME = "coloniale"

# Kinds of terrain. All areas but a bare hill are difficult ground (CO-2.1); a hill in a hill is higher still.
DIFFICULT_AREAS = ("scrub", "forest", "wooded_hill", "dunes", "town", "jungle")
HILLS = ("hill", "wooded_hill")
AREAS = (*DIFFICULT_AREAS, "hill")
LINES = ("crest", "river")
FORDS = ("easy", "hard", "none")

MOST_FIGURES = 20  # of a unit, in any rulebook
MOST_DISCIPLINE = 30
MOST_TURNS = 1000

_LENGTH = real(0, LARGEST, " cm")


@dataclass(frozen=True)
class Table:
    """The size of the table in cm."""

    width: int = field(metadata=by(whole(10, LARGEST, " cm")))
    height: int = field(metadata=by(whole(10, LARGEST, " cm")))


@dataclass(frozen=True)
class Feature:
    """A piece of terrain: an area within its corners, or a crest or river along its points; `ford` is a river's."""

    kind: str = field(metadata=by(one_of("kind of terrain", (*AREAS, *LINES))))
    points: tuple[Point, ...] = field(metadata=by(listed(point)))
    ford: str | None = field(metadata=by(optional(one_of("ford", FORDS))), default=None)

    def __post_init__(self) -> None:
        """Check that there are points enough, and a ford where it means something."""
        least = 2 if self.kind in LINES else 3
        if len(self.points) < least:
            raise ValueError(f"a {self.kind} needs at least {least} points, not {len(self.points)}")
        if (self.kind == "river") != (self.ford is not None):
            raise ValueError(f"a river, and nothing else, has a ford: {', '.join(FORDS)}")


@dataclass(frozen=True)
class Place:
    """Where roads meet, bend or end; a march may stop in a town (CO-7.2)."""

    at: Point = field(metadata=by(point))
    town: bool = field(metadata=by(switch), default=False)


def _link(raw: object) -> tuple[str, str]:
    """Read a piece of road: the names of its two ends."""
    if isinstance(raw, list | tuple) and len(raw) == 2:
        return named(raw[0]), named(raw[1])
    raise ValueError(f"must be the names of two places, not {shown(raw)}")


@dataclass(frozen=True)
class Roads:
    """Places and the straight pieces of road between them."""

    places: dict[str, Place] = field(metadata=by(by_name(table_of(Place))), default_factory=dict)
    links: tuple[tuple[str, str], ...] = field(metadata=by(listed(_link)), default=())

    def check(self) -> None:
        """Check that every piece of road leads from one place to another, and that every place lies on a road."""
        if len(self.places) > MOST_NODES:
            raise InputError(f"has {len(self.places)} places; at most {MOST_NODES} are allowed", key="roads.places")
        meeting = dict.fromkeys(self.places, 0)
        seen: set[frozenset[str]] = set()
        for number, ends in enumerate(self.links, start=1):
            key = f"roads.links.{number}"
            for end in ends:
                if end not in self.places:
                    near = unknown("place", end, self.places)
                    raise InputError(f"this road leads nowhere: {near.message}", key=key)
                meeting[end] += 1
            (x1, y1), (x2, y2) = (self.places[end].at for end in ends)
            if hypot(x2 - x1, y2 - y1) < 1:
                raise InputError(f"this road leads nowhere: from '{ends[0]}' it ends less than 1 cm away", key=key)
            if frozenset(ends) in seen:
                raise InputError(f"the road from '{ends[0]}' to '{ends[1]}' is there twice", key=key)
            seen.add(frozenset(ends))
        for name, number in meeting.items():
            if number == 0:
                raise InputError("no road leads to this place", key=f"roads.places.{name}")
            if number > MOST_LINKS:
                raise InputError(f"{number} roads meet here; at most {MOST_LINKS} can", key=f"roads.places.{name}")


@dataclass(frozen=True)
class Zone:
    """A rectangle to be held, in cm."""

    west: float = field(metadata=by(_LENGTH))
    north: float = field(metadata=by(_LENGTH))
    east: float = field(metadata=by(_LENGTH))
    south: float = field(metadata=by(_LENGTH))

    def __post_init__(self) -> None:
        """Check that it is a place."""
        if not (self.west < self.east and self.north < self.south):
            raise ValueError("west must be less than east, and north less than south (y grows to the south)")

    def has(self, at: Point) -> bool:
        """Tell whether a point lies in it."""
        return self.west <= at[0] <= self.east and self.north <= at[1] <= self.south


@dataclass(frozen=True)
class Unit:
    """A battalion or battery; with a `count` of more than 1 so many alike, each `step` from the one before.

    Without `discipline` it is drawn by quality (CO-1.4), and without `rifles` the arm decides. `fort` is the name of
    the fort it holds; it stands there and needs no place of its own.
    """

    arm: str = field(metadata=by(one_of("arm", ARMS)))
    figures: int = field(metadata=by(whole(1, MOST_FIGURES)))
    quality: str = field(metadata=by(one_of("quality", QUALITIES)), default="regular")
    at: Point | None = field(metadata=by(optional(point)), default=None)
    fort: str | None = field(metadata=by(optional(named)), default=None)
    discipline: int | None = field(metadata=by(optional(whole(1, MOST_DISCIPLINE))), default=None)
    rifles: bool | None = field(metadata=by(optional(switch)), default=None)
    veteran: bool = field(metadata=by(switch), default=False)
    fanatic: bool = field(metadata=by(switch), default=False)
    markers: int = field(metadata=by(whole(0, 1000)), default=0)
    count: int = field(metadata=by(whole(0, MOST_AT_START)), default=1)
    step: Point = field(metadata=by(point), default=(8.0, 0.0))

    def __post_init__(self) -> None:
        """Check where it stands."""
        if (self.at is None) == (self.fort is None):
            raise ValueError("needs a place `at` = [x, y], or the name of the `fort` that it holds, and not both")
        if self.fort is not None and self.arm != "infantry":
            raise ValueError(f"a fort holds infantry, not a unit of {self.arm} (CO-8.3)")
        if self.fort is not None and self.count > 1:
            raise ValueError("a fort holds one unit (CO-8.3): a count of at most 1")
        if self.at is not None and self.count > 1 and hypot(*self.step) < 1:
            raise ValueError("the step from one unit to the next must be at least 1 cm long")


def _units(raw: object) -> dict[str, Unit]:
    units = by_name(table_of(Unit))(raw)
    if not units:
        raise ValueError("a side has at least one unit")
    return units


@dataclass(frozen=True)
class Army:
    """What one side brings, and how it is played.

    Every battalion outside a fort starts the battle divided into `split` parts, or as many as it has figures. The
    first part has the commander; the others lose `split_drop` points of discipline (CO-6.4).
    """

    doctrine: str = field(metadata=by(text))
    units: dict[str, Unit] = field(metadata=by(_units))
    split: int = field(metadata=by(whole(1, MOST_FIGURES)), default=1)
    split_drop: int = field(metadata=by(whole(0, MOST_DISCIPLINE)), default=0)


@dataclass(frozen=True)
class Aims:
    """What one side is to hold: so many of these zones; all zones if none are named."""

    hold: int = field(metadata=by(whole(0, MOST_ZONES)), default=0)
    zones: tuple[str, ...] = field(metadata=by(listed(named)), default=())


@dataclass(frozen=True)
class Victory:
    """The aims of both sides: looked at when time is up, or `at_once` after every turn; `at_limit` wins otherwise."""

    first: Aims = field(metadata=by(table_of(Aims)), default=Aims())
    second: Aims = field(metadata=by(table_of(Aims)), default=Aims())
    at_once: bool = field(metadata=by(switch), default=False)
    at_limit: str | None = field(metadata=by(optional(one_of("side", SIDES))), default=None)


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
class Content:
    """The whole file.

    Without `movement` all units stay where they are; `turns` replaces the rulebook's CO-8.1; the night begins with the
    turn `night_from` (0 never); `first_side` begins where a reading of CO-P07 asks for it.
    """

    name: str = field(metadata=by(named))
    title: str = field(metadata=by(text))
    game: str = field(metadata=by(text))
    table: Table = field(metadata=by(table_of(Table)))
    first: Army = field(metadata=by(table_of(Army)))
    second: Army = field(metadata=by(table_of(Army)))
    doctrines: Doctrines = field(metadata=by(table_of(Doctrines)))
    features: tuple[Feature, ...] = field(metadata=by(listed(table_of(Feature))), default=())
    bridges: tuple[Point, ...] = field(metadata=by(listed(point)), default=())
    roads: Roads = field(metadata=by(table_of(Roads)), default=Roads())
    zones: dict[str, Zone] = field(metadata=by(by_name(table_of(Zone))), default_factory=dict)
    forts: dict[str, Point] = field(metadata=by(by_name(point)), default_factory=dict)
    victory: Victory = field(metadata=by(table_of(Victory)), default=Victory())
    turns: int | None = field(metadata=by(optional(whole(1, MOST_TURNS))), default=None)
    movement: bool = field(metadata=by(switch), default=True)
    night_from: int = field(metadata=by(whole(0, MOST_TURNS)), default=0)
    first_side: str = field(metadata=by(one_of("side", SIDES)), default="first")
    text: str = field(metadata=by(any_text), default="")

    def army(self, side: str) -> Army:
        """Return what a side brings."""
        return self.first if side == "first" else self.second

    def aims(self, side: str) -> Aims:
        """Return what a side is to hold."""
        return self.victory.first if side == "first" else self.victory.second

    def __post_init__(self) -> None:
        """Check what the tables say of each other."""
        self.roads.check()
        for what, items, most in (("zones", self.zones, MOST_ZONES), ("forts", self.forts, MOST_FORTS)):
            if len(items) > most:
                raise InputError(f"there are {len(items)}; a table holds at most {most}", key=what)
        held: set[str] = set()
        for side in SIDES:
            self._check_army(side, held)
            self._check_aims(side)
        for name, zone in self.zones.items():
            if zone.east > self.table.width or zone.south > self.table.height:
                raise InputError(f"this zone goes beyond the table of {self._size()} cm", key=f"zones.{name}")
        for name, at in self.forts.items():
            self._check_on_table(at, f"forts.{name}")
        for name, place in self.roads.places.items():
            self._check_on_table(place.at, f"roads.places.{name}")

    def _size(self) -> str:
        return f"{self.table.width} by {self.table.height}"

    def _check_on_table(self, at: Point, key: str) -> None:
        """Roads may end on the edge of the table."""
        if not (0 <= at[0] <= self.table.width and 0 <= at[1] <= self.table.height):
            raise InputError(f"[{at[0]:g}, {at[1]:g}] is off the table of {self._size()} cm", key=key)

    def _check_army(self, side: str, held: set[str]) -> None:
        army, known = self.army(side), self.doctrines.of(side)
        if army.doctrine not in known:
            raise unknown("doctrine", army.doctrine, known, key=f"{side}.doctrine")
        for name, unit in army.units.items():
            if unit.fort is None:
                continue
            key = f"{side}.units.{name}.fort"
            if unit.fort not in self.forts:
                raise unknown("fort", unit.fort, self.forts, key=key)
            if unit.fort in held and unit.count:
                raise InputError(f"the fort '{unit.fort}' already holds a unit; it holds one (CO-8.3)", key=key)
            if unit.count:
                held.add(unit.fort)
        if not any(unit.count for unit in army.units.values()):
            raise InputError("a side has at least one unit: all counts are 0", key=f"{side}.units")

    def _check_aims(self, side: str) -> None:
        aims, key = self.aims(side), f"victory.{side}"
        for number, name in enumerate(aims.zones, start=1):
            if name not in self.zones:
                raise unknown("zone", name, self.zones, key=f"{key}.zones.{number}")
        count = len(set(aims.zones)) if aims.zones else len(self.zones)
        if aims.hold > count:
            raise InputError(f"wants {aims.hold}, but there are only {count} zones for it", key=f"{key}.hold")


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
    return validated(table_of(Content), tables, file)
