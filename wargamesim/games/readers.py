"""Readers of what stands at one key of a scenario: each returns a value, or says what is allowed there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from wargamesim.errors import InputError, unknown
from wargamesim.rulebook.read import Problem, UnreadableError, any_table, read, shown

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
