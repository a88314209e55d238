"""What the questions of the skirmish game are asked with, beside the grammar of `games.options`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from wargamesim.errors import InputError
from wargamesim.games import options as ask
from wargamesim.games.skirmish.rules import Rules

FURTHEST, MOST_MODIFIER = 1000, 30


def one(options: Mapping[str, str], name: str, kind: str, known: Collection[str], default: str) -> str:
    """Return the single known name that an option says.

    Raises
    ------
    InputError
        If it is not known, or there are several.

    Examples
    --------
    >>> one({}, "aim", "aim", ("spread", "focus"), "spread")
    'spread'
    """
    listed = ask.names({name: options.get(name, default)}, name, kind, known)
    if listed is None or len(listed) > 1:
        raise InputError(f"takes one {kind}, not several", key=f"--{name}")
    return listed[0]


def whole(options: Mapping[str, str], name: str, default: int, minimum: int, maximum: int) -> int:
    """Return the single integer that an option says.

    Raises
    ------
    InputError
        If it is no integer or not allowed, or there are several.

    Examples
    --------
    >>> whole({"shooters": "8"}, "shooters", 6, minimum=1, maximum=30)
    8
    """
    listed = ask.numbers(options, name, str(default), minimum=minimum, maximum=maximum)
    if len(listed) > 1:
        raise InputError("takes one number, not several", key=f"--{name}")
    return listed[0]


def circumstances(options: Mapping[str, str], name: str, known: Collection[str]) -> list[str]:
    """Return the circumstances that an option lists; none if it is not there.

    Raises
    ------
    InputError
        If one is not known.

    Examples
    --------
    >>> circumstances({"when": "unaimed"}, "when", ("unaimed", "target_ran"))
    ['unaimed']
    """
    return ask.names(options, name, "circumstance", known) or []


def axes(*values: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """Yield every combination, the last value changing fastest."""
    return product(*values)


def band_ends(rules: Rules, weapon: str) -> list[float]:
    """Return the distances at which the bands of a weapon end, in cm, as far as it fires."""
    w = rules.weapons.names.index(weapon)
    ends = [float(end) for end in rules.weapons.up_to[w] if end <= rules.weapons.reach[w]]
    return [int(end) if end.is_integer() else end for end in ends]
