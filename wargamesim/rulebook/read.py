"""Read the tables of a file into frozen dataclasses: all that is wrong is found, the most telling first.

Each field of such a class says in its metadata how it is read, by a function that takes what the file holds and returns
the field's value, or raises `ValueError` with what is allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, fields
from typing import Any, NamedTuple, TypeVar

from wargamesim.errors import unknown

Kind = TypeVar("Kind")

# The order in which problems are told: a misspelt key is worth more than the missing one that it leaves behind.
MISSPELT, ABSENT, WRONG = range(3)


class Problem(NamedTuple):
    """What is wrong at one key of a file."""

    key: tuple[str, ...]
    message: str
    order: int = WRONG


class UnreadableError(ValueError):
    """A table cannot be read; `problems` has all that is wrong with it."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = sorted(problems, key=lambda problem: problem.order)
        super().__init__("; ".join(": ".join(filter(None, (".".join(key), text))) for key, text, _ in self.problems))


def shown(value: object) -> str:
    """Show a value from a file as TOML would write it, cut to one short line.

    Examples
    --------
    >>> shown(True), shown([4, 5]), shown(10**50)
    ('true', '[4, 5]', '100000000000000000000000000000000000...')
    """
    try:
        text = str(value).lower() if isinstance(value, bool) else repr(value)
    except ValueError:  # Python does not write out integers of more than 4300 digits.
        text = "a huge number"
    return text if len(text) <= 40 else f"{text[:36]}..."


def read(kind: type[Kind], raw: object) -> Kind:
    """Read one table into a dataclass: no unknown keys, none missing, no silent conversions.

    Raises
    ------
    UnreadableError
        If anything is wrong with it.
    ValueError
        If it is no table.
    """
    table, known = any_table(raw), _fields(kind)
    problems = [Problem((key,), unknown("key", key, known).message, MISSPELT) for key in table if key not in known]
    values: dict[str, Any] = {}
    for name, field in known.items():
        if name in table:
            try:
                values[name] = field.metadata["read"](table[name])
            except ValueError as error:
                problems += _inside(name, error)
        elif field.default is MISSING and field.default_factory is MISSING:
            problems.append(Problem((name,), f"is missing; the keys here are {', '.join(known)}", ABSENT))
    if not problems:
        try:
            return kind(**values)
        except ValueError as error:
            problems.append(Problem((), str(error)))
    raise UnreadableError(problems)


def any_table(raw: object) -> dict[str, Any]:
    """Read a table that may hold anything."""
    if isinstance(raw, Mapping):
        return dict(raw)
    raise ValueError(f"must be a table, not {shown(raw)}")


def each(kind: type[Kind]) -> Callable[[object], dict[str, Kind]]:
    """Return what reads a table of tables, each into the same dataclass."""

    def read_each(raw: object) -> dict[str, Kind]:
        values: dict[str, Kind] = {}
        problems: list[Problem] = []
        for key, entry in any_table(raw).items():
            try:
                values[key] = read(kind, entry)
            except ValueError as error:
                problems += _inside(key, error)
        if problems:
            raise UnreadableError(problems)
        return values

    return read_each


def text(raw: object) -> str:
    """Read a text that is not empty."""
    if not isinstance(raw, str):
        raise ValueError(f"must be a text in quotes, not {shown(raw)}")
    if not raw:
        raise ValueError("must not be empty")
    return raw


def optional(read_it: Callable[[object], Kind]) -> Callable[[object], Kind | None]:
    """Return what also reads None, which a manifest has (and TOML has not) where nothing was given."""
    return lambda raw: None if raw is None else read_it(raw)


def _fields(kind: type) -> dict[str, Field[Any]]:
    return {field.name: field for field in fields(kind)}


def _inside(key: str, error: ValueError) -> list[Problem]:
    """Return the problems of what stands at a key of a table as problems of the table."""
    if isinstance(error, UnreadableError):
        return [Problem((key, *place), message, order) for place, message, order in error.problems]
    return [Problem((key,), str(error))]
