"""Readers of what stands at one key of a scenario: each returns a value, or says what is allowed there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from wargamesim.errors import unknown
from wargamesim.rulebook.read import Problem, UnreadableError, any_table, read, shown

Item = TypeVar("Item")
Point = tuple[float, float]
NAME = re.compile(r"[A-Za-z0-9_-]{1,100}")


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


def whole(low: int, high: int) -> Callable[[object], int]:
    """Return what reads an integer from `low` to `high`."""

    def read_it(raw: object) -> int:
        if isinstance(raw, int) and not isinstance(raw, bool) and low <= raw <= high:
            return raw
        raise ValueError(f"must be a whole number from {low} to {high}, not {shown(raw)}")

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


def inside(key: str, error: ValueError) -> UnreadableError:
    """Return an error in what stands at a key as one of what holds the key."""
    problems = error.problems if isinstance(error, UnreadableError) else [Problem((), str(error))]
    return UnreadableError(problem._replace(key=(key, *problem.key)) for problem in problems)


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
        items = {}
        for name, item in any_table(raw).items():
            try:
                key = named(name)
                items[key] = read_item(item)
            except ValueError as error:
                raise inside(str(name), error) from None
        return items

    return read_it


def point(raw: object) -> Point:
    if isinstance(raw, list | tuple) and len(raw) == 2:
        x, y = (real(-1000, 1000, " cm")(each) for each in raw)
        return x, y
    raise ValueError(f"must be a place [x, y] in cm, not {shown(raw)}")


def any_text(raw: object) -> str:
    if not isinstance(raw, str):
        raise ValueError(f"must be a text in quotes, not {shown(raw)}")
    return raw


def switch(raw: object) -> bool:
    if not isinstance(raw, bool):
        raise ValueError(f"must be true or false, not {shown(raw)}")
    return raw


def magazine(raw: object) -> bool | int:
    """Read whether a weapon repeats, or how many rounds it holds."""
    if isinstance(raw, bool):
        return raw
    try:
        return whole(2, 100)(raw)
    except ValueError:
        raise ValueError(f"must be true, false, or the rounds of its magazine (2 to 100), not {shown(raw)}") from None
