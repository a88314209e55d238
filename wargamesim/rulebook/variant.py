"""A rulebook with its changes: chosen readings, changed numbers, and what follows from both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from wargamesim.errors import InputError, near, unknown
from wargamesim.rulebook.provenance import in_order, register
from wargamesim.rulebook.schema import Number, Provenance, Reading, Rule, RulebookFile, Value


@dataclass(frozen=True, repr=False)
class Rulebook:
    """The rules of one game as data; made by `load_rulebook` and by `variant`, never changed.

    Attributes
    ----------
    name, title : str
        Of the rulebook or of the designer's file.
    source : RulebookFile
        The whole rulebook before any change.
    changes : mapping
        What was changed, by number path or reading id. A changed number wins over the numbers that come with a
        chosen reading, and a later change over an earlier one of the same key.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> rulebook = load_rulebook("azincourt").variant({"AZ-4.5": "six_hits", "arrow.foot.removes": [5, 6]})
    >>> rulebook.number("arrow.cavalry.removes"), rulebook.number("arrow.foot.removes")
    ((4, 5, 6), (5, 6))
    """

    name: str
    title: str
    source: RulebookFile
    changes: Mapping[str, Value | str]

    def __repr__(self) -> str:
        return f"<Rulebook {self.name} of {self.game}, {len(self.changes)} changes>"

    @property
    def game(self) -> str:
        """The game that plays it, by its name in the registry."""
        return self.source.game

    @property
    def rules(self) -> Mapping[str, Rule]:
        """The statements without number or alternative, by id."""
        return self.source.rules

    @property
    def readings(self) -> Mapping[str, Reading]:
        """The rules that can be understood in several ways, by id; `reading` tells which way was chosen."""
        return self.source.readings

    @cached_property
    def chosen(self) -> Mapping[str, str]:
        """The chosen option of each reading, by id."""
        return {rule_id: str(self.changes.get(rule_id, each.default)) for rule_id, each in self.readings.items()}

    @cached_property
    def numbers(self) -> Mapping[str, Number]:
        """The numbers as they hold after all changes, by dotted path.

        A number that a chosen reading sets has the provenance ``reading``, one that was changed ``house``.
        """
        numbers = dict(self.source.numbers)
        for reading_id, option in self.chosen.items():
            for path, raw in flatten(self.readings[reading_id].options[option].set).items():
                numbers[path] = _with(numbers[path], numbers[path].check(raw), "reading")
        for key, value in self.changes.items():
            if key in numbers:
                numbers[key] = _with(numbers[key], numbers[key].check(value), "house")
        return numbers

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Every rule id, sorted as people count (AZ-2.9 before AZ-2.10)."""
        return in_order([*self.rules, *self.readings, *(number.id for number in self.source.numbers.values())])

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 (hex) of what a game sees: its name, the numbers' values and the chosen readings."""
        import hashlib
        import json

        values = {path: number.value for path, number in self.numbers.items()}
        content = {"game": self.game, "numbers": values, "readings": self.chosen}
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    def number(self, path: str) -> Any:
        """Return a number's value after all changes: int, float, bool, or a sorted tuple of int.

        Raises
        ------
        InputError
            If this rulebook has no such number.
        """
        if path not in self.numbers:
            raise InputError(unknown_key(self.source, path), key=path)
        return self.numbers[path].value

    def reading(self, rule_id: str) -> str:
        """Return the name of the chosen option of a reading.

        Raises
        ------
        InputError
            If this rulebook has no such reading.
        """
        if rule_id not in self.chosen:
            raise unknown("reading", rule_id, self.readings)
        return self.chosen[rule_id]

    def knows(self, key: str) -> bool:
        """Tell whether a key is a number path or a reading id, that is, whether it can be changed."""
        return key in self.source.numbers or key in self.readings

    def variant(self, changes: Mapping[str, object], *, file: str | None = None, table: str = "") -> Rulebook:
        """Return this rulebook with more changes.

        Parameters
        ----------
        changes : mapping
            Values by number path, option names by reading id; nested tables are joined with dots.
        file, table : str, optional
            Where the changes are written, for the errors.

        Raises
        ------
        InputError
            If a key or an option is unknown, or a value is of the wrong kind or out of range; when there are several
            problems the message says how many more.

        Examples
        --------
        >>> from wargamesim.rulebook import load_rulebook
        >>> load_rulebook("azincourt").variant({"pieces": {"archer": {"range": 7}}}).number("pieces.archer.range")
        7
        """
        checked: dict[str, Value | str] = {}
        problems: list[InputError] = []
        for key, raw in flatten(changes, file=file, table=table).items():
            try:
                checked[key] = _check_change(self.source, key, raw)
            except ValueError as error:
                message = error.message if isinstance(error, InputError) else str(error)
                problems.append(InputError(message, file=file, key=_dotted(table, key)))
        if problems:
            raise first_of(problems)
        return replace(self, changes={**self.changes, **checked})

    def rows(self) -> list[dict[str, Any]]:
        """List every rule, number and reading as `provenance.register` describes it, by id."""
        return register(self.rules, self.numbers, self.readings, self.chosen)


def flatten(tables: Mapping[str, object], *, file: str | None = None, table: str = "") -> dict[str, object]:
    """Join the keys of nested tables with dots: TOML nests what was not quoted.

    Parameters
    ----------
    tables : mapping
        Tables within tables; anything that is not a mapping is a value.
    file, table : str, optional
        Where the tables stand, for the error.

    Raises
    ------
    InputError
        If two spellings give the same dotted key.

    Examples
    --------
    >>> flatten({"pieces": {"archer": {"range": 7}}, "AZ-4": {"5": "six_hits"}})
    {'pieces.archer.range': 7, 'AZ-4.5': 'six_hits'}
    """
    flat: dict[str, object] = {}
    for path, value in _walk(tables, ""):
        if path in flat:
            raise InputError("is given twice, in two spellings", file=file, key=_dotted(table, path))
        flat[path] = value
    return flat


def first_of(problems: Sequence[InputError]) -> InputError:
    """Return the first problem; its message says how many more there are.

    Examples
    --------
    >>> print(first_of([InputError("is missing", key="name"), InputError("is missing", key="title")]))
    name: is missing (and 1 more problem)
    """
    first, more = problems[0], len(problems) - 1
    if not more:
        return first
    text = f"{first.message} (and {more} more problem{'s' if more > 1 else ''})"
    return InputError(text, file=first.file, key=first.key)


def unknown_key(source: RulebookFile, key: str) -> str:
    """Say what an unknown key may have meant; the whole list would be too long for a message."""
    group = [path for path in source.numbers if path.startswith(f"{key}.")]
    if group:
        return f"is a group of numbers, change them one by one: {', '.join(group)}"
    same_id = [path for path, number in source.numbers.items() if number.id == key]
    if same_id:
        return f"this rule has no readings but numbers, change them by their path: {', '.join(same_id)}"
    if key in source.rules:
        return f"this rule cannot be changed; those with readings are {', '.join(source.readings)}"
    close = near(key, [*source.numbers, *source.readings], count=3)
    hint = f"; did you mean {' or '.join(repr(name) for name in close)}?" if close else "."
    return f"unknown number or reading '{key}'{hint} `wargamesim rules` lists them all"


def _check_change(source: RulebookFile, key: str, raw: object) -> Value | str:
    if key in source.numbers:
        return source.numbers[key].check(raw)
    if key not in source.readings:
        raise ValueError(unknown_key(source, key))
    options = source.readings[key].options
    if not isinstance(raw, str) or raw not in options:
        raise unknown("option", raw, options)
    return raw


def _with(number: Number, value: Value, provenance: Provenance) -> Number:
    """Give a number another value; one that stays the same stays what it was."""
    if value == number.value:
        return number
    return replace(number, value=value, provenance=provenance)


def _walk(tables: Mapping[str, object], prefix: str) -> Iterator[tuple[str, object]]:
    for key, value in tables.items():
        path = _dotted(prefix, key)
        if isinstance(value, Mapping):
            yield from _walk(value, path)
        else:
            yield path, value


def _dotted(prefix: str, key: str) -> str:
    return f"{prefix}.{key}" if prefix else key
