"""What the options of a question say, and the cases that they combine to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, TypeVar

from wargamesim.errors import InputError
from wargamesim.games import options as ask
from wargamesim.games.stirling.units import parse_damage, rate_of

Options = Mapping[str, str]
Parsed = TypeVar("Parsed")

MOST_ROWS = 1000
ANSWERS = ("no", "yes")


@dataclass(frozen=True)
class Cases:
    """All combinations of what the options say, the last running fastest.

    Parameters
    ----------
    asked : mapping of str to sequence
        The values of each option.
    shown : tuple of str
        The options that have a column of their own.

    Examples
    --------
    >>> cases = Cases.of({"men": [100, 200], "ac": [6], "modifier": [0]})
    >>> cases.shown, cases.common(), [case["men"] for case in cases]
    (('men',), 'ac 6', [100, 200])
    """

    asked: Mapping[str, Sequence[Any]]
    shown: tuple[str, ...]

    @classmethod
    def of(cls, asked: Mapping[str, Sequence[Any]], always: Collection[str] = ()) -> Cases:
        """Show the options of several values, and those that are always shown.

        Raises
        ------
        InputError
            If there are more than 1,000 combinations.
        """
        if prod(map(len, asked.values())) > MOST_ROWS:
            raise InputError(f"the options combine to more than {MOST_ROWS:,} rows; ask for fewer values")
        return cls(asked, tuple(name for name, values in asked.items() if len(values) > 1 or name in always))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for values in product(*self.asked.values()):
            yield dict(zip(self.asked, values, strict=True))

    @property
    def heads(self) -> tuple[str, ...]:
        """The names of the columns shown."""
        return tuple(name.replace("-", " ") for name in self.shown)

    def cells(self, case: Mapping[str, Any]) -> tuple[Any, ...]:
        """Return the cells of these columns for one case."""
        return tuple(str(value) if isinstance(value := case[name], Fraction) else value for name in self.shown)

    def common(self, without: Collection[str] = ()) -> str:
        """Say what all cases have in common; an option that says nothing (0, no) is left out."""
        values = {name: each[0] for name, each in self.asked.items() if name not in (*self.shown, *without)}
        return ", ".join(
            f"{name.replace('-', ' ')} {value}" for name, value in values.items() if value not in (0, "no")
        )


def words(options: Options, name: str, kind: str, known: Collection[str], default: str) -> list[str]:
    """Return the known names that an option lists, or its default's.

    Examples
    --------
    >>> words({}, "side", "side", ("front", "rear"), "front")
    ['front']
    """
    return ask.names({name: options.get(name, default)}, name, kind, known) or []


def damages(options: Options, name: str, default: str) -> list[str]:
    """Return the dice of damage that an option lists, such as ``1d8,2d6+1``.

    Raises
    ------
    InputError
        If one is no damage.

    Examples
    --------
    >>> damages({"damage": "1d8, 2d6+1"}, "damage", "1d6")
    ['1d8', '2d6+1']
    """
    return _each(options, name, default, lambda item: parse_damage(item) and item)


def rates(options: Options, name: str, default: str) -> list[Fraction]:
    """Return the rates of attacks that an option lists, such as ``1,3/2``.

    Raises
    ------
    InputError
        If one is no rate.

    Examples
    --------
    >>> rates({}, "rate", "1,3/2")
    [Fraction(1, 1), Fraction(3, 2)]
    """
    return _each(options, name, default, rate_of)


def _each(options: Options, name: str, default: str, parse: Callable[[str], Parsed]) -> list[Parsed]:
    try:
        return [parse(item.strip()) for item in options.get(name, default).split(",")]
    except InputError as error:
        raise InputError(error.message, key=f"--{name}") from None
