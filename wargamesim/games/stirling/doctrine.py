"""How a simulated player decides: a small set of named parameters, data and not code.

The rules leave play to the players. A doctrine is what one of them has in mind; `orders` turns it into proposals.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from wargamesim.games.doctrines import Parameter, layout, numbers

# Values of the parameters that are words.
HOLD, ADVANCE, WITH_FOOT = range(3)
NEVER, SOMETIMES, ALWAYS = range(3)
SHORT, MEDIUM, LONG = range(3)
NEAREST, EASIEST, STRONGEST = range(3)


class Doctrine(NamedTuple):
    """One player's parameters, ready for compiled code; `PARAMETERS` says what each means."""

    foot: int
    horse: int
    shooters: int
    reach: int
    support: int
    patience: int
    run: int
    together: int
    min_odds: float
    flank: int
    charge: int
    close_in: int
    keep_away: int
    shooters_fight: int
    target: int
    friend_weight: float
    delay: int
    intercept: int
    pursue: int
    step_back_below: float
    flee_below: float
    split: int
    merge_below: int


# `Doctrine` as a record of fixed layout, for `records.pack` and compiled code.
DoctrineRecord = np.record
DOCTRINE = layout(Doctrine)

# Farther than anything on a board (hexes), and more turns than a battle has.
FAR, LONG_TIME = 128, 1000


PARAMETERS: dict[str, Parameter] = {
    "foot": Parameter(
        "units on foot without missiles stand, or go for the enemy", "advance", words=("hold", "advance")
    ),
    "horse": Parameter(
        "the same for mounted units without missiles, which may also keep level with their foot",
        "advance",
        words=("hold", "advance", "with_foot"),
    ),
    "shooters": Parameter(
        "units with missiles stand, or go forward until an enemy is in range, or do so no farther than their foot",
        "advance",
        words=("hold", "advance", "with_foot"),
    ),
    "reach": Parameter("units that stand go into contact with an enemy this near (hexes); 0 never", 4, high=FAR),
    "support": Parameter("units that stand also go for an enemy who is in contact with a friend", True),
    "patience": Parameter(
        "turns after which a side that stands goes forward while no enemy is as near as `close_in` says; 0 never",
        0,
        high=LONG_TIME,
    ),
    "run": Parameter(
        "units walk, run only into contact or away, or run wherever they go",
        "into_contact",
        words=("never", "into_contact", "always"),
    ),
    "together": Parameter(
        "how far a unit on its way may be ahead of the rearmost of its foot (hexes); 0 sets no limit", 3, high=FAR
    ),
    "min_odds": Parameter(
        "go into contact if the share of the enemy's men struck down in a turn is at least so many times the share of"
        " one's own; a friend who is in contact with him already doubles it",
        0.5,
        high=100.0,
    ),
    "flank": Parameter("go out of the way to strike an enemy on flank or rear", True),
    "charge": Parameter(
        "run into contact without a charge; charge where the way is straight; or go to where it is and charge then",
        "if_possible",
        words=("never", "if_possible", "always"),
    ),
    "close_in": Parameter(
        "shooters go forward until an enemy is within this range of their weapon",
        "medium",
        words=("short", "medium", "long"),
    ),
    "keep_away": Parameter(
        "shooters who are not in contact go back from an enemy nearer than this (hexes); 0 never", 0, high=FAR
    ),
    "shooters_fight": Parameter("shooters go into contact as others do", False),
    "target": Parameter(
        "whom a shooter prefers: the nearest, the one it costs most, or the one who is most dangerous",
        "easiest",
        words=("nearest", "easiest", "strongest"),
    ),
    "friend_weight": Parameter(
        "how many enemies one's own man is worth when a shot into a melee may hit both", 2.0, high=1000.0
    ),
    "delay": Parameter(
        "units wait with their move until slower ones have moved: never, those who stand, or all",
        "never",
        words=("never", "who_stand", "always"),
    ),
    "intercept": Parameter("a unit that waits interrupts an enemy who comes to strike a friend, or who flees", True),
    "pursue": Parameter("a unit whose enemies have left contact follows through its front", True),
    "step_back_below": Parameter(
        "a unit in contact steps back if the share of men it strikes down is less than so many times the share it"
        " loses; 0 never",
        0.0,
        high=100.0,
    ),
    "flee_below": Parameter("a unit in contact flees by the same measure; 0 never", 0.0, high=100.0),
    "split": Parameter("a unit struck in front and from behind divides, so that one half faces him behind", False),
    "merge_below": Parameter(
        "a unit out of contact with fewer men than this joins a friend who has as few; 0 never", 0, high=10_000
    ),
}


def compile_doctrine(values: Mapping[str, object]) -> Doctrine:
    """Check the parameters of a doctrine and turn words and switches into numbers.

    Parameters
    ----------
    values : mapping
        Parameter to value; those left out take their default.

    Raises
    ------
    InputError
        For an unknown parameter, a value of the wrong kind or out of range; the error's key is the parameter.

    Examples
    --------
    >>> compile_doctrine({"foot": "hold", "keep_away": 4}).keep_away
    4
    """
    return Doctrine(**numbers(values, PARAMETERS))
