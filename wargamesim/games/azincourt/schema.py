"""What a scenario's file may hold: typed tables, checked as far as it goes without a rulebook."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, NamedTuple, Self, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from wargamesim.errors import InputError, unknown
from wargamesim.games.azincourt.doctrine import Doctrine, compile_doctrine
from wargamesim.games.azincourt.layout import CASTLE, HOUSE, LARGEST, MOST_PIECES, MOUNTAIN, MUD, ROAD, WOOD
from wargamesim.games.azincourt.rules import (
    ARCHER,
    CANNON,
    CROSSBOW,
    FOOT_KNIGHT,
    INFANTRY,
    KNIGHT,
    SIDES,
)

GAME = "azincourt"

# What each character of the map puts on its square.
TERRAIN: dict[str, tuple[int, ...]] = {
    ".": (),
    "#": (WOOD,),
    "=": (ROAD,),
    "^": (MOUNTAIN,),
    "h": (HOUSE,),
    "c": (CASTLE,),
    "~": (MUD,),
    "+": (ROAD, MUD),
    "A": (MOUNTAIN, MUD),
}


class Stand(NamedTuple):
    """What a letter of a deployment puts on its square."""

    troop: str  # as counted in the order of battle
    kind: int
    dismounts: int


EMPTY = "."
STANDS = {
    "K": Stand("knight", KNIGHT, 1),
    "D": Stand("knight", FOOT_KNIGHT, 0),
    "M": Stand("knight_mounted_only", KNIGHT, 0),
    "F": Stand("foot_knight", FOOT_KNIGHT, 0),
    "I": Stand("infantry", INFANTRY, 0),
    "A": Stand("archer", ARCHER, 0),
    "X": Stand("crossbow", CROSSBOW, 0),
    "C": Stand("cannon", CANNON, 0),
}

Place = tuple[int, int, str]
"""Row and column on the map, and the letter that stands there."""


def may_stand(letter: str, terrain: str) -> bool:
    """Tell whether a letter of a deployment may stand on a character of the map (AZ-3.4, AZ-3.5).

    Examples
    --------
    >>> may_stand("K", "c"), may_stand("D", "c")
    (False, True)
    """
    return terrain != "#" and not (terrain in "hc" and STANDS[letter].kind == KNIGHT)


def _drawing(letters: str) -> Callable[[str], str]:
    """Return the check of a drawing of such letters: a rectangle, rid of the white space around its lines."""

    def check(text: str) -> str:
        lines = [line.strip() for line in text.strip().splitlines()]
        if not lines:
            raise InputError("is empty")
        for number, line in enumerate(lines, start=1):
            for letter in line:
                if letter not in letters:
                    raise InputError(f"line {number} has the unknown letter '{letter}'; allowed: {' '.join(letters)}")
            if len(line) != len(lines[0]):
                raise InputError(f"line {number} has {len(line)} characters, but the first has {len(lines[0])}")
        if max(len(lines), len(lines[0])) > LARGEST:
            raise InputError(f"is {len(lines)} x {len(lines[0])}; the largest allowed is {LARGEST} x {LARGEST}")
        return "\n".join(lines)

    return check


NAME = re.compile(r"[A-Za-z0-9_-]{1,100}")


def _name(text: str) -> str:
    if not NAME.fullmatch(text):
        raise InputError(f"must be 1 to 100 letters, digits, - or _, not {shown(text)}")
    return text


Item = TypeVar("Item")


def _by_name(items: dict[str, Item]) -> dict[str, Item]:
    for name in items:
        _name(name)
    return items


Map = Annotated[str, AfterValidator(_drawing("".join(TERRAIN)))]
Grid = Annotated[str, AfterValidator(_drawing(EMPTY + "".join(STANDS)))]
Count = Annotated[int, Field(ge=0)]


class _Table(BaseModel):
    """A table of the file: nothing unknown in it, nothing converted."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _known(cls, values: Any) -> Any:
        for key in values if isinstance(values, dict) else ():
            if key not in cls.model_fields:
                raise unknown("key", key, cls.model_fields)
        return values


class OrderOfBattle(_Table):
    """How many pieces of each type; a `knight` has a version on foot, a `knight_mounted_only` has none."""

    knight: Count = 0
    knight_mounted_only: Count = 0
    foot_knight: Count = 0
    infantry: Count = 0
    archer: Count = 0
    crossbow: Count = 0
    cannon: Count = 0

    @property
    def pieces(self) -> int:
        """All of them together."""
        return sum(self.model_dump().values())


class Army(_Table):
    """What one side brings: the names of a deployment and a doctrine, and its pieces."""

    deployment: str
    doctrine: str
    order_of_battle: OrderOfBattle


class Deployment(_Table):
    """Where a side's pieces stand: the rows at its own edge, drawn as seen on the map, north up."""

    text: str = ""
    grid: Grid


class Deployments(_Table):
    """What each side can choose from, by name."""

    english: Annotated[dict[str, Deployment], AfterValidator(_by_name)]
    french: Annotated[dict[str, Deployment], AfterValidator(_by_name)]


class Doctrines(_Table):
    """What each side can choose from, by name: a `text`, and parameters as in `doctrine.PARAMETERS`."""

    english: Annotated[dict[str, dict[str, Any]], AfterValidator(_by_name)] = {}
    french: Annotated[dict[str, dict[str, Any]], AfterValidator(_by_name)] = {}

    def compiled(self, side: str, name: str) -> Doctrine:
        """Return one of them ready for compiled code."""
        values = getattr(self, side)[name]
        key, text = f"{side}.{name}", values.get("text", "")
        if not isinstance(text, str):
            raise InputError(f"must be text, not {shown(text)}", key=f"{key}.text")
        return compile_doctrine({parameter: values[parameter] for parameter in values if parameter != "text"}, key=key)

    @model_validator(mode="after")
    def _sound(self) -> Self:
        for side in SIDES:
            for name in getattr(self, side):
                self.compiled(side, name)
        return self


class Content(_Table):
    """The whole file."""

    name: Annotated[str, AfterValidator(_name)]
    title: str
    game: str
    mud: Count | None = None
    map: Map
    english: Army
    french: Army
    deployments: Deployments
    doctrines: Doctrines

    @property
    def lines(self) -> list[str]:
        """The rows of the map, the northern edge first."""
        return self.map.splitlines()

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns of the map."""
        return len(self.lines), len(self.lines[0])

    def places(self, side: str, deployment: str) -> Iterator[Place]:
        """Yield every place of a deployment, from north to south and from west to east."""
        lines = getattr(self.deployments, side)[deployment].grid.splitlines()
        top = 0 if side == "french" else self.size[0] - len(lines)
        for row, line in enumerate(lines, start=top):
            for col, letter in enumerate(line):
                if letter != EMPTY:
                    yield row, col, letter

    @model_validator(mode="after")
    def _sound(self) -> Self:
        for side in SIDES:
            for name in getattr(self.deployments, side):
                self._check_deployment(side, name)
            self._check_army(side)
        pieces = self.english.order_of_battle.pieces + self.french.order_of_battle.pieces
        if pieces > MOST_PIECES:
            raise InputError(f"both armies have {pieces} pieces; allowed: at most {MOST_PIECES}", key="order_of_battle")
        return self

    def _check_deployment(self, side: str, name: str) -> None:
        rows, cols = self.size
        lines = getattr(self.deployments, side)[name].grid.splitlines()
        key = f"deployments.{side}.{name}.grid"
        if len(lines) > rows or len(lines[0]) != cols:
            raise InputError(
                f"has {len(lines)} lines of {len(lines[0])} characters;"
                f" the map allows at most {rows} lines of exactly {cols}",
                key=key,
            )
        for row, col, letter in self.places(side, name):
            terrain = self.lines[row][col]
            if not may_stand(letter, terrain):
                raise InputError(
                    f"'{letter}' ({STANDS[letter].troop}) stands on '{terrain}' at row {row}, column {col} of the map;"
                    " no piece may stand in a wood (AZ-3.4), no mounted one in a house or the castle (AZ-3.5)",
                    key=key,
                )

    def _check_army(self, side: str) -> None:
        army: Army = getattr(self, side)
        for what in ("deployment", "doctrine"):
            name, known = getattr(army, what), getattr(getattr(self, f"{what}s"), side)
            if name not in known:
                raise unknown(what, name, known, key=f"{side}.{what}")
        squares = self.size[0] * self.size[1]
        pieces = army.order_of_battle.pieces
        if not 1 <= pieces <= squares:
            raise InputError(
                f"has {shown(pieces)} pieces; allowed: 1 to {squares}, the squares of the map",
                key=f"{side}.order_of_battle",
            )


Model = TypeVar("Model", bound=BaseModel)

# What is wanted where pydantic found something else, by its type of error.
WANTED = {
    "string_type": "text",
    "int_type": "a whole number, 0 or more",
    "greater_than_equal": "a whole number, 0 or more",
    "model_type": "a table",
    "dict_type": "a table",
}


def validated(model: type[Model], tables: Any, file: str | None, key: str = "") -> Model:
    """Read tables into a model.

    Parameters
    ----------
    model : type
        `Content` or `Doctrines`.
    tables
        What TOML or JSON gave.
    file, key : str
        Where the tables stand, for messages.

    Raises
    ------
    InputError
        The first thing that is wrong.
    """
    try:
        return model.model_validate(tables)
    except ValidationError as error:
        first = error.errors()[0]
    path = [key, *(str(step) for step in first["loc"])]
    cause = first.get("ctx", {}).get("error")
    if isinstance(cause, InputError):
        message, path = cause.message, [*path, cause.key or ""]
    elif first["type"] == "missing":
        message = "is missing"
    else:
        message = f"must be {WANTED[first['type']]}, not {shown(first['input'])}"
    raise InputError(message, file=file, key=".".join(step for step in path if step))


def content_of(tables: Mapping[str, Any], file: str | None) -> Content:
    """Read a whole scenario, after making sure that it is one of this game.

    Raises
    ------
    InputError
        If it is not, and as `validated`.
    """
    if tables.get("game") != GAME:
        said = f"is {shown(tables['game'])}" if "game" in tables else "is missing"
        raise InputError(f'{said}; a scenario of this game has game = "{GAME}"', file=file, key="game")
    if "map" not in tables:
        raise InputError(f"is missing; a scenario has {', '.join(Content.model_fields)}", file=file, key="map")
    return validated(Content, tables, file)


def shown(value: object) -> str:
    """Write a value near enough to TOML for a message.

    Examples
    --------
    >>> shown(True), shown("x" * 100)[-5:]
    ('true', 'xx...')
    """
    try:
        text = json.dumps(value, default=str, ensure_ascii=False)
    except ValueError:  # Python does not write out integers of more than 4300 digits.
        text = "a huge number"
    return text if len(text) <= 60 else text[:57] + "..."
