"""Readers of what stands at one key of a scenario: each returns a value, or says what is allowed there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, TypeVar

from wargamesim.errors import InputError, unknown
from wargamesim.files import read_toml
from wargamesim.rulebook.read import Problem, UnreadableError, any_table, read, shown
from wargamesim.rulebook.variant import first_of

Item = TypeVar("Item")
Point = tuple[float, float]
NAME = re.compile(r"[A-Za-z0-9_-]{1,100}")
FARTHEST = 1000  # cm: no place is farther from the corner of the table


def by(read_it: Callable[[object], Any]) -> dict[str, Callable[[object], Any]]:
    """Return the metadata of a field that `read_it` reads."""
    return {"read": read_it}


def table_of(kind: type[Item]) -> Callable[[object], Item]:
    """Return what reads a table into a dataclass."""
    return lambda raw: read(kind, raw)


def named(raw: object) -> str:
    """Read a name of letters, digits, - and _."""
    if not (isinstance(raw, str) and NAME.fullmatch(raw)):
        raise ValueError(f"must be 1 to 100 letters, digits, - or _, not {shown(raw)}")
    return raw


def any_text(raw: object) -> str:
    """Read a text, which may be empty."""
    if not isinstance(raw, str):
        raise ValueError(f"must be a text in quotes, not {shown(raw)}")
    return raw


def switch(raw: object) -> bool:
    """Read true or false."""
    if not isinstance(raw, bool):
        raise ValueError(f"must be true or false, not {shown(raw)}")
    return raw


def whole(low: int, high: int, unit: str = "") -> Callable[[object], int]:
    """Return what reads an integer from `low` to `high`."""

    def read_it(raw: object) -> int:
        if isinstance(raw, int) and not isinstance(raw, bool) and low <= raw <= high:
            return raw
        raise ValueError(f"must be a whole number from {low} to {high}{unit}, not {shown(raw)}")

    return read_it


def real(low: float, high: float, unit: str = "") -> Callable[[object], float]:
    """Return what reads a number from `low` to `high`."""

    def read_it(raw: object) -> float:
        if isinstance(raw, int | float) and not isinstance(raw, bool) and low <= raw <= high:
            return float(raw)
        raise ValueError(f"must be a number from {low:g} to {high:g}{unit}, not {shown(raw)}")

    return read_it


def one_of(kind: str, known: Iterable[str]) -> Callable[[object], str]:
    """Return what reads one of the known names."""
    names = tuple(known)

    def read_it(raw: object) -> str:
        if isinstance(raw, str) and raw in names:
            return raw
        raise unknown(kind, raw if isinstance(raw, str) else shown(raw), names)

    return read_it


def point(raw: object) -> Point:
    """Read a place in cm."""
    if isinstance(raw, list | tuple) and len(raw) == 2:
        x, y = (real(-FARTHEST, FARTHEST, " cm")(each) for each in raw)
        return x, y
    raise ValueError(f"must be a place [x, y] in cm, not {shown(raw)}")


def listed(read_item: Callable[[object], Item]) -> Callable[[object], tuple[Item, ...]]:
    """Return what reads a list, item by item; they are counted from 1."""

    def read_it(raw: object) -> tuple[Item, ...]:
        if not isinstance(raw, list | tuple):
            raise ValueError(f"must be a list, not {shown(raw)}")
        return tuple(by_name(read_item)({str(number): item for number, item in enumerate(raw, start=1)}).values())

    return read_it


def by_name(read_item: Callable[[object], Item]) -> Callable[[object], dict[str, Item]]:
    """Return what reads a table of names, each with its item."""

    def read_it(raw: object) -> dict[str, Item]:
        items: dict[str, Item] = {}
        problems: list[Problem] = []
        for name, item in any_table(raw).items():
            try:
                key = named(name)
                items[key] = read_item(item)
            except UnreadableError as error:
                problems += [problem._replace(key=(str(name), *problem.key)) for problem in error.problems]
            except InputError as error:
                problems.append(Problem((str(name), *([error.key] if error.key else [])), error.message))
            except ValueError as error:
                problems.append(Problem((str(name),), str(error)))
        if problems:
            raise UnreadableError(problems)
        return items

    return read_it


def inside(key: str, error: ValueError) -> UnreadableError:
    """Return an error in what stands at a key as one of what holds the key."""
    problems = error.problems if isinstance(error, UnreadableError) else [Problem((), str(error))]
    return UnreadableError(problem._replace(key=(key, *problem.key)) for problem in problems)


def made_for(game: str, tables: Mapping[str, Any], file: str | None) -> None:
    """Make sure that a scenario is one of this game.

    Raises
    ------
    InputError
        If it is not.

    Examples
    --------
    >>> made_for("skirmish", {"game": "stirling"}, "mine.toml")
    Traceback (most recent call last):
    wargamesim.errors.InputError: mine.toml: game: is 'stirling'; a scenario of this game has game = "skirmish"
    """
    if tables.get("game") != game:
        said = f"is {shown(tables['game'])}" if "game" in tables else "is missing"
        raise InputError(f'{said}; a scenario of this game has game = "{game}"', file=file, key="game")


def validated(
    read_it: Callable[[object], Item],
    raw: object,
    file: str | None,
    key: str = "",
    explained: Callable[[str], str] = str,
) -> Item:
    """Read what stands at a key of a file by one of the readers, such as ``table_of(Content)``.

    Parameters
    ----------
    read_it : callable
        The reader.
    raw : object
        What TOML or JSON gave.
    file : str or None
        Where it stands, for messages.
    key : str
        The key, if it is not the whole file.
    explained : callable
        Makes a better message of some.

    Raises
    ------
    InputError
        The first thing that is wrong, and how many more there are.
    """
    try:
        return read_it(raw)
    except ValueError as error:
        raise first_of(
            [
                InputError(explained(message), file=file, key=".".join(filter(None, place)))
                for place, message, _ in inside(key, error).problems
            ]
        ) from None


def share(
    tables: dict[str, Any],
    file: Path,
    what: str,
    read_it: Callable[[object], object],
    sides: Iterable[str],
    explained: Callable[[str], str] = str,
) -> None:
    """Give each side what is in the file that ``<what>_from`` of a scenario names; a side's own come first.

    Parameters
    ----------
    tables : dict
        The scenario as TOML gave it; changed in place.
    file : Path
        Where it was read; the other file's path begins in its folder.
    what : str
        The key that holds a table of each side, such as "doctrines".
    read_it : callable
        The reader of one of them, as the file must hold by name.
    sides : iterable of str
        Names of the sides.
    explained : callable
        Makes a better message of some.

    Raises
    ------
    InputError
        If the key names no file, or what is in it is wrong.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> folder = Path(mkdtemp())
    >>> _ = (folder / "doctrines.toml").write_text("bold = { foot = 'advance' }")
    >>> scenario = {"doctrines_from": "doctrines.toml"}
    >>> share(scenario, folder / "mine.toml", "doctrines", any_table, ("first", "second"))
    >>> scenario["doctrines"]["second"]
    {'bold': {'foot': 'advance'}}
    """
    key = f"{what}_from"
    if key not in tables:
        return
    name = tables.pop(key)
    if not isinstance(name, str):
        raise InputError(f"must be the path of a file, not {shown(name)}", file=str(file), key=key)
    common = read_toml(file.parent / name)
    validated(by_name(read_it), common, str(file.parent / name), explained=explained)
    own = tables.get(what, {})
    # Whatever else stands there is told when the scenario is read.
    if isinstance(own, dict) and all(isinstance(own.get(side, {}), dict) for side in sides):
        tables[what] = own | {side: common | own.get(side, {}) for side in sides}


def as_tables(value: object) -> Any:
    """Return a checked table as JSON knows it, such that reading it again gives the same.

    A dataclass names with ``INLINE`` a field whose entries stand directly in its table.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Table:
    ...     width: int
    ...     height: int | None = None
    >>> as_tables({"table": Table(90)})
    {'table': {'width': 90}}
    """
    if is_dataclass(value):
        table = {each.name: as_tables(getattr(value, each.name)) for each in fields(value)}
        table |= table.pop(getattr(value, "INLINE", ""), {})
        return {key: entry for key, entry in table.items() if entry is not None}
    if isinstance(value, Mapping):
        return {key: as_tables(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [as_tables(entry) for entry in value]
    return value
