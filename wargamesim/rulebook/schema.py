"""What a rulebook file may hold: typed models of the shipped file and of the designer's file."""

from __future__ import annotations

import re
from math import isfinite
from numbers import Integral, Real
from typing import Annotated, Any, Literal, TypeGuard

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, model_validator

Provenance = Literal["seed", "reading", "gap", "house"]
"""Where a rule or its number comes from; ``provenance.MEANING`` says it in words."""

Value = bool | int | float | tuple[int, ...]
"""What a number may be; a tuple is a sorted set of integers, such as the faces of a die."""

RULE_ID = re.compile(r"[A-Z]{2}-(\d+\.\d+[a-z]?|[PTW]\d*\.?\d+)")
"""A rule's id: two letters for the rulebook, then section, number and a letter where one rule was split (NA-3.20a),
or the letter of a list of parameters or tables and a number (SS-P01, RI-T.1)."""


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


Text = Annotated[str, Field(min_length=1)]
Bound = Annotated[float, PlainValidator(_bound)]


class Model(BaseModel):
    """A table of a file: no unknown keys, no silent conversions, not changed once read."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Rule(Model):
    """A statement without a number of its own and without alternatives."""

    text: Text
    provenance: Provenance
    source_term: Text | None = None


class Number(Model):
    """A number of the rules with its id, unit, provenance and allowed range.

    ``min`` and ``max`` bound the value, or each element of a list; ``true`` and ``false`` have no range.
    """

    value: Annotated[Value, PlainValidator(_value)]
    id: Text
    unit: Text
    provenance: Provenance
    text: Text
    min: Bound | None = None
    max: Bound | None = None
    source_term: Text | None = None

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

    @model_validator(mode="after")
    def _consistent(self) -> Number:
        if not RULE_ID.fullmatch(self.id):
            raise ValueError(f"its id must look like AZ-4.1, not {shown(self.id)}")
        if isinstance(self.value, bool):
            if self.min is not None or self.max is not None:
                raise ValueError("true and false have no range: leave out `min` and `max`")
        elif self.min is None or self.max is None or self.min > self.max:
            raise ValueError("needs both `min` and `max`, the first not above the second")
        if self.check(self.value) != self.value:
            raise ValueError(f"its list must be sorted, not {shown(list(self.value))}")  # type: ignore[arg-type]
        return self


class Option(Model):
    """One way to understand a rule; ``set`` holds the numbers that come with it."""

    text: Text
    set: dict[str, Any] = {}


class Reading(Model):
    """A rule that can be understood in several ways, the default among them."""

    text: Text
    default: Text
    options: dict[str, Option]
    source_term: Text | None = None


class RulebookFile(Model):
    """A whole rulebook: every number by its dotted path, every rule and reading by its id."""

    name: Text
    title: Text
    game: Text
    rules: dict[str, Rule] = {}
    numbers: dict[str, Number]
    readings: dict[str, Reading] = {}


class DesignerFile(Model):
    """A designer's rulebook: the one it extends, and what it changes there."""

    name: Text
    title: Text | None = None
    extends: Text
    set: dict[str, Any] = {}
