"""What a rulebook file may hold: typed tables of the shipped file and of the designer's file."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from math import isfinite
from numbers import Integral, Real
from typing import Any, Literal, TypeGuard, get_args

from wargamesim.errors import unknown
from wargamesim.rulebook.read import any_table, each, optional, shown, text

Provenance = Literal["seed", "reading", "gap", "house"]
"""Where a rule or its number comes from; ``provenance.MEANING`` says it in words."""

Value = bool | int | float | tuple[int, ...]
"""What a number may be; a tuple is a sorted set of integers, such as the faces of a die."""

RULE_ID = re.compile(r"[A-Z]{2}-(\d+\.\d+[a-z]?|[PTW]\d*\.?\d+)")
"""A rule's id: two letters for the rulebook, then section, number and a letter where one rule was split (NA-3.20a),
or the letter of a list of parameters or tables and a number (SS-P01, RI-T.1)."""


def _is_integer(raw: object) -> TypeGuard[int]:
    """Tell integers, NumPy's too, from true and false, which Python counts among them."""
    return isinstance(raw, Integral) and not isinstance(raw, bool)


def _value(raw: object) -> Value:
    """Read a value of any kind; its range is the number's own business."""
    if isinstance(raw, bool | int | float):
        return raw
    if isinstance(raw, list | tuple) and all(_is_integer(item) for item in raw):
        return tuple(raw)
    raise ValueError(f"must be a number, true or false, or a list of integers, not {shown(raw)}")


def _bound(raw: object) -> float:
    if isinstance(raw, int | float) and not isinstance(raw, bool) and isfinite(raw):
        return raw
    raise ValueError(f"must be a finite number, not {shown(raw)}")


def _provenance(raw: object) -> Provenance:
    if raw in get_args(Provenance):
        return raw  # type: ignore[return-value]
    raise unknown("provenance", raw, get_args(Provenance))


# How each field is read, see `read`.
_ANY, _TEXT, _NOTE = {"read": any_table}, {"read": text}, {"read": optional(text)}
_VALUE, _BOUND, _PROVENANCE = {"read": _value}, {"read": optional(_bound)}, {"read": _provenance}


@dataclass(frozen=True)
class Rule:
    """A statement without a number of its own and without alternatives."""

    text: str = field(metadata=_TEXT)
    provenance: Provenance = field(metadata=_PROVENANCE)
    source_term: str | None = field(default=None, metadata=_NOTE)


@dataclass(frozen=True)
class Number:
    """A number of the rules with its id, unit, provenance and allowed range.

    ``min`` and ``max`` bound the value, or each element of a list; ``true`` and ``false`` have no range.
    """

    value: Value = field(metadata=_VALUE)
    id: str = field(metadata=_TEXT)
    unit: str = field(metadata=_TEXT)
    provenance: Provenance = field(metadata=_PROVENANCE)
    text: str = field(metadata=_TEXT)
    min: float | None = field(default=None, metadata=_BOUND)
    max: float | None = field(default=None, metadata=_BOUND)
    source_term: str | None = field(default=None, metadata=_NOTE)

    def __post_init__(self) -> None:
        """Check that the fields go together."""
        if not RULE_ID.fullmatch(self.id):
            raise ValueError(f"its id must look like AZ-4.1, not {shown(self.id)}")
        if isinstance(self.value, bool):
            if self.min is not None or self.max is not None:
                raise ValueError("true and false have no range: leave out `min` and `max`")
        elif self.min is None or self.max is None or self.min > self.max:
            raise ValueError("needs both `min` and `max`, the first not above the second")
        if self.check(self.value) != self.value:
            raise ValueError(f"its list must be sorted, not {shown(list(self.value))}")  # type: ignore[arg-type]

    @property
    def range(self) -> str:
        """The allowed range as text, such as ``0..60``; empty for true and false."""
        return "" if isinstance(self.value, bool) else f"{self.min}..{self.max}"

    def check(self, raw: object) -> Value:
        """Read another value for this number: the same kind as its own, within the range.

        Raises
        ------
        ValueError
            If it is of another kind or out of range; the text says what is allowed.

        Examples
        --------
        >>> number = Number(value=6, id="AZ-4.1", unit="squares", provenance="seed", min=0, max=60, text="Range.")
        >>> number.check(7)
        7
        >>> number.check(2.5)
        Traceback (most recent call last):
        ...
        ValueError: must be an integer from 0 to 60 (squares), not 2.5
        """
        limits = f"from {self.min} to {self.max} ({self.unit})"
        if isinstance(self.value, bool):
            if isinstance(raw, bool):
                return raw
            raise ValueError(f"must be true or false, not {shown(raw)}")
        if isinstance(self.value, tuple):
            if not (isinstance(raw, list | tuple) and all(_is_integer(item) and self._within(item) for item in raw)):
                raise ValueError(f"must be a list of integers {limits}, not {shown(raw)}")
            twice = next((item for item in raw if raw.count(item) > 1), None)
            if twice is not None:
                raise ValueError(f"must be a list of different integers, but {twice} stands in it twice")
            return tuple(sorted(int(item) for item in raw))
        if isinstance(self.value, int):
            if _is_integer(raw) and self._within(raw):
                return int(raw)
            raise ValueError(f"must be an integer {limits}, not {shown(raw)}")
        if isinstance(raw, Real) and not isinstance(raw, bool) and self._within(raw):
            return float(raw)
        raise ValueError(f"must be a number {limits}, not {shown(raw)}")

    def _within(self, raw: Any) -> bool:
        return self.min is not None and self.max is not None and bool(self.min <= raw <= self.max)


@dataclass(frozen=True)
class Option:
    """One way to understand a rule; ``set`` holds the numbers that come with it."""

    text: str = field(metadata=_TEXT)
    set: dict[str, Any] = field(default_factory=dict, metadata=_ANY)


@dataclass(frozen=True)
class Reading:
    """A rule that can be understood in several ways, the default among them."""

    text: str = field(metadata=_TEXT)
    default: str = field(metadata=_TEXT)
    options: dict[str, Option] = field(metadata={"read": each(Option)})
    source_term: str | None = field(default=None, metadata=_NOTE)


@dataclass(frozen=True)
class RulebookFile:
    """A whole rulebook: every number by its dotted path, every rule and reading by its id."""

    name: str = field(metadata=_TEXT)
    title: str = field(metadata=_TEXT)
    game: str = field(metadata=_TEXT)
    rules: dict[str, Rule] = field(default_factory=dict, metadata={"read": each(Rule)}, kw_only=True)
    numbers: dict[str, Number] = field(metadata={"read": each(Number)}, kw_only=True)
    readings: dict[str, Reading] = field(default_factory=dict, metadata={"read": each(Reading)}, kw_only=True)


@dataclass(frozen=True)
class DesignerFile:
    """A designer's rulebook: the one it extends, and what it changes there."""

    name: str = field(metadata=_TEXT)
    title: str | None = field(default=None, metadata=_NOTE, kw_only=True)
    extends: str = field(metadata=_TEXT)
    set: dict[str, Any] = field(default_factory=dict, metadata=_ANY)
