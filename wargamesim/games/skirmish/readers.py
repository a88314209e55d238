"""Readers of what stands at one key of a scenario: each returns a value, or says what is allowed there."""

from __future__ import annotations

import re

from wargamesim.games.readers import whole
from wargamesim.rulebook.read import shown

_BOATS = "boats and rowing are not played in battles (NA-3.13, NA-9.1)"
_DOORS = "doors, windows and gates are not played in battles (NA-3.22): a building is entered anywhere along its edge"
# What the rules have and battles have not, by the words that a scenario may use for it.
NOT_PLAYED = {
    **dict.fromkeys(("boat", "canoe", "oar", "rower", "rowing"), _BOATS),
    **dict.fromkeys(("door", "window", "gate"), _DOORS),
}
_UNKNOWN = re.compile(r"unknown [^']*'([^']*)'")


def explained(message: str) -> str:
    """Return a message to a person, a better one if it is about a name for what battles do not play.

    Examples
    --------
    >>> explained("unknown kind of terrain 'boat'. Known: building, wood")
    'boats and rowing are not played in battles (NA-3.13, NA-9.1). Known: building, wood'
    """
    unknown = _UNKNOWN.match(message)
    word = unknown[1].lower().removesuffix("s") if unknown else ""
    if word not in NOT_PLAYED:
        return message
    _, known, names = message.partition(" Known: ")
    return f"{NOT_PLAYED[word]}.{known}{names}"


def magazine(raw: object) -> bool | int:
    """Read whether a weapon repeats, or how many rounds it holds."""
    if isinstance(raw, bool):
        return raw
    try:
        return whole(2, 100)(raw)
    except ValueError:
        raise ValueError(f"must be true, false, or the rounds of its magazine (2 to 100), not {shown(raw)}") from None
