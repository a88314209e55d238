"""How a simulated player decides: a small set of named parameters, data and not code.

The rules leave play to the players. A doctrine is what one of them has in mind; `orders` turns it into proposals.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from wargamesim.games.doctrines import Parameter, layout, numbers

# Values of the parameters that are words.
HOLD, ENEMY, OBJECTIVE = range(3)
NEVER, BY_ROAD, ANYWHERE = range(3)
BEST, NEAREST, LARGEST = range(3)
EXACT, VALUES = range(2)


class Doctrine(NamedTuple):
    """One player's parameters, ready for compiled code; `PARAMETERS` says what each means."""

    foot: int
    horse: int
    guns: int
    reach: float
    patience: int
    march: int
    detour: float
    cover: int
    close_to: float
    gun_distance: float
    target: int
    split_fire: int
    fire_first: float
    assault_above: float
    estimate: int
    least_figures: int
    pursue_above: float
    pursue_figures: int
    pursue_markers: int
    sally_above: float
    merge_below: int
    split_above: int
    reinforce_below: int
    column: int
    rally_at: int
    rally_distance: float


# `Doctrine` as a record of fixed layout, for `records.pack` and compiled code.
DoctrineRecord = np.record
DOCTRINE = layout(Doctrine)

# Farther than anything on a table (cm), more than any number of markers or figures, more turns than a battle has.
FAR, MANY, LONG_TIME = 1000.0, 99, 1000

_GOES = ("hold", "enemy", "objective")

PARAMETERS: dict[str, Parameter] = {
    "foot": Parameter(
        "infantry stays where it is, goes for the nearest enemy, or goes for the zones that are not its own",
        "enemy",
        words=_GOES,
    ),
    "horse": Parameter("the same for cavalry", "enemy", words=_GOES),
    "guns": Parameter(
        "batteries stay where they are, or go until an enemy or the zone is as near as `gun_distance`",
        "enemy",
        words=_GOES,
    ),
    "reach": Parameter("units that stay all the same go for an enemy this near (cm); 0 never", 0.0, high=FAR),
    "patience": Parameter("turns after which units that stay go for the enemy; 0 never", 0, high=LONG_TIME),
    "march": Parameter(
        "strategic moves are never made, only on roads, or anywhere", "anywhere", words=("never", "road", "anywhere")
    ),
    "detour": Parameter(
        "a road is taken if the way by it is at most so many times as long as the straight one", 1.5, high=100.0
    ),
    "cover": Parameter("a unit that stops near the enemy looks for cover", True),
    "close_to": Parameter(
        "units go forward until an enemy in sight is this near (cm); with 0 until they are in contact or shoot",
        18.0,
        high=FAR,
    ),
    "gun_distance": Parameter("batteries go forward until an enemy in sight is this near (cm)", 48.0, high=FAR),
    "target": Parameter(
        "whom a unit shoots at: the one it costs most, the nearest, or the one with most figures",
        "best",
        words=("best", "nearest", "largest"),
    ),
    "split_fire": Parameter("at how many targets a unit shoots at once, at most", 1, low=1, high=MANY),
    "fire_first": Parameter(
        "a unit that could shoot keeps still for an assault if its chance to win it, after the fire of its friends, is"
        " at least this; more than 1 never",
        0.6,
        high=2.0,
    ),
    "assault_above": Parameter(
        "a unit assaults if its chance to win is at least this; more than 1 never", 0.5, high=2.0
    ),
    "estimate": Parameter(
        "that chance is the exact one, or follows from the values with losses as they are on average",
        "exact",
        words=("exact", "values"),
    ),
    "least_figures": Parameter("units with fewer figures than this do not assault", 1, high=MANY),
    "pursue_above": Parameter(
        "a winner pursues if its chance to win again is at least this; more than 1 never", 0.5, high=2.0
    ),
    "pursue_figures": Parameter("a winner with fewer figures than this does not pursue", 2, high=MANY),
    "pursue_markers": Parameter("a winner with more suppression markers than this does not pursue", MANY, high=MANY),
    "sally_above": Parameter(
        "a garrison leaves its fort for an assault or pursuit if its chance to win is at least this; more than 1 never",
        2.0,
        high=2.0,
    ),
    "merge_below": Parameter(
        "two battalions near each other merge if both have fewer figures than this; 0 never", 0, high=MANY
    ),
    "split_above": Parameter(
        "a battalion with more figures than this divides while no enemy is near; 0 never", 0, high=MANY
    ),
    "reinforce_below": Parameter(
        "a battalion under fire with fewer figures than this gets some of a friend's who is not; 0 never",
        0,
        high=MANY,
    ),
    "column": Parameter("units near each other that go the same way march as one column", True),
    "rally_at": Parameter(
        "a unit with at least so many suppression markers goes back from the enemy to rally; 0 never", 0, high=MANY
    ),
    "rally_distance": Parameter("it goes back until no enemy is nearer than this (cm)", 25.0, high=FAR),
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
    >>> compile_doctrine({"foot": "hold", "split_fire": 3}).split_fire
    3
    """
    return Doctrine(**numbers(values, PARAMETERS))
