"""Readers of what stands at one key of a scenario: each returns a value, or says what is allowed there."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from wargamesim.errors import InputError
from wargamesim.games.readers import any_text
from wargamesim.games.stirling.units import parse_damage, rate_of
from wargamesim.rulebook.read import shown

Item = TypeVar("Item")
HIT_DICE = re.compile(r"(\d{1,2})([+-]\d{1,3})?")


def tuple_of(count: int, read_item: Callable[[object], Item], what: str) -> Callable[[object], tuple[Item, ...]]:
    """Return what reads a list of so many items."""

    def read_it(raw: object) -> tuple[Item, ...]:
        if not (isinstance(raw, list | tuple) and len(raw) == count):
            raise ValueError(f"must be {what}, not {shown(raw)}")
        return tuple(map(read_item, raw))

    return read_it


def damage(raw: object) -> str:
    """Read the dice of one hit, such as ``1d8`` or ``2d6+1``."""
    try:
        parse_damage(any_text(raw))
    except InputError as error:
        raise ValueError(error.message) from None
    return any_text(raw)


def rate(raw: object) -> int | str:
    """Read attacks a round: 1, 2, or a fraction in quotes such as ``"3/2"``."""
    if isinstance(raw, bool) or not isinstance(raw, int | str):
        raise ValueError(f'must be a rate of attacks such as 1, "3/2" or 2, not {shown(raw)}')
    try:
        rate_of(raw)
    except InputError as error:
        raise ValueError(error.message) from None
    return raw


def hit_dice(raw: object) -> int | str:
    """Read the hit dice of a monster: 4, or ``"4+1"``; 0 is half a die."""
    if isinstance(raw, bool) or not isinstance(raw, int | str) or not HIT_DICE.fullmatch(str(raw)):
        raise ValueError(f'must be hit dice such as 4 or "4+1" (0 is half a die), not {shown(raw)}')
    return raw


def parse_hit_dice(value: int | str) -> tuple[int, int]:
    """Read hit dice as their number and the hit points beside them.

    Examples
    --------
    >>> parse_hit_dice("4+1"), parse_hit_dice(2), parse_hit_dice("1-1")
    ((4, 1), (2, 0), (1, -1))
    """
    found = HIT_DICE.fullmatch(str(value))
    if found is None:
        raise InputError(f"'{value}' is no number of hit dice; write 4 or 4+1", key="hit_dice")
    return int(found[1]), int(found[2] or 0)
