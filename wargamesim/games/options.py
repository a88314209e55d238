"""What the options of a question may say: numbers in one grammar of ranges, and lists of known names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from wargamesim.errors import InputError, unknown

MOST_VALUES = 10_000
_ITEM = re.compile(r"([+-]?\d{1,15})(?::([+-]?\d{1,15})(?::([+-]?\d{1,15}))?)?")


def check_options(options: Iterable[str], allowed: Collection[str]) -> None:
    """Check that every option is one that the question knows.

    Raises
    ------
    InputError
        If one is not; the message has the nearest name and all of them.

    Examples
    --------
    >>> check_options(["arrows"], ("arrows", "target"))
    """
    for name in options:
        if name not in allowed:
            raise unknown("option", name, allowed) if allowed else InputError(f"this question has no option '{name}'")


def numbers(options: Mapping[str, str], name: str, default: str, minimum: int, maximum: int) -> list[int]:
    """Return the integers an option stands for.

    The grammar is the same for every question: ``20``, a list ``20,30,50``, a range ``0:120:5`` (start, stop, step;
    the stop is included when a step falls on it), ``1:6`` (step 1), or a list of all these.

    Parameters
    ----------
    options : mapping of str to str
        All options of the question.
    name : str
        The option wanted.
    default : str
        What it says when it is not there.
    minimum, maximum : int
        The smallest and the largest number allowed.

    Returns
    -------
    list of int
        In the order written.

    Raises
    ------
    InputError
        If the text is not of that grammar, a range is empty or has no positive step, a number is not allowed, or there
        are more than 10,000 of them.

    Examples
    --------
    >>> numbers({"distance": "1:3,10:20:5"}, "distance", "1", minimum=1, maximum=60)
    [1, 2, 3, 10, 15, 20]
    """
    key = f"--{name}"
    values: list[int] = []
    for item in options.get(name, default).split(","):
        found = _ITEM.fullmatch(item.strip())
        if found is None:
            raise InputError(f"'{item.strip()}' is no integer and no range; write 3, or 1,2,5, or 0:120:5", key=key)
        start = int(found[1])
        stop, step = int(found[2] or start), int(found[3] or 1)
        if step < 1:
            raise InputError(f"the step of '{item.strip()}' must be at least 1", key=key)
        if stop < start:
            raise InputError(f"'{item.strip()}' is empty: its stop is less than its start", key=key)
        if start < minimum or stop > maximum:
            raise InputError(f"must be from {minimum} to {maximum}, not {start if start < minimum else stop}", key=key)
        span = range(start, stop + 1, step)
        if len(values) + len(span) > MOST_VALUES:
            raise InputError(f"stands for more than {MOST_VALUES} numbers", key=key)
        values.extend(span)
    return values


def names(options: Mapping[str, str], name: str, kind: str, known: Collection[str]) -> list[str] | None:
    """Return the known names an option lists, ``archer`` or ``archer,infantry,archer``, or None if it is not there.

    Parameters
    ----------
    options : mapping of str to str
        All options of the question.
    name : str
        The option wanted.
    kind : str
        What a name is one of, for the message, such as "piece type".
    known : collection of str
        The names allowed.

    Raises
    ------
    InputError
        If a name is not known; the message has the nearest one and all of them.

    Examples
    --------
    >>> names({"target": "archer, cannon"}, "target", "piece type", ("archer", "cannon"))
    ['archer', 'cannon']
    """
    if name not in options:
        return None
    listed = [item.strip() for item in options[name].split(",")]
    for item in listed:
        if item not in known:
            raise unknown(kind, item, known, key=f"--{name}")
    return listed
