"""How a simulated player decides: a small set of named parameters, data and not code.

The rules leave play to the players. A doctrine is what one of them has in mind; `orders` turns it into proposals.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from wargamesim.games.doctrines import Parameter, layout, numbers

# Values of the parameters that are words.
NEAREST, MOUNTED_FIRST, MOST_VALUABLE = range(3)
HOLD, ADVANCE, WITH_FOOT = range(3)


class Doctrine(NamedTuple):
    """One player's parameters, ready for compiled code; `PARAMETERS` says what each means."""

    target: int
    plant_distance: int
    plant_spacing: int
    shooters_advance: int
    shooters_fight: int
    keep_away: int
    foot: int
    horse: int
    min_odds: float
    tightness: int
    wait_turns: int
    patience: int
    sally_after: int
    flank: int
    dismount_speed: int
    deploy_on_foot: int
    two_dice_from: int
    friend_weight: float


# `Doctrine` as a record of fixed layout, for `records.pack` and compiled code.
DoctrineRecord = np.record
DOCTRINE = layout(Doctrine)


PARAMETERS: dict[str, Parameter] = {
    "target": Parameter(
        "whom a shooter prefers among the targets it may shoot",
        "nearest",
        words=("nearest", "mounted_first", "most_valuable"),
    ),
    "plant_distance": Parameter(
        "an archer plants its stake when enemy cavalry is this near (squares); 0 never plants", 0, high=60
    ),
    "plant_spacing": Parameter(
        "stakes only on every n-th column, so that the fence keeps gaps; 1 makes it whole", 1, low=1, high=10
    ),
    "shooters_advance": Parameter("shooters without a target walk forward until they have one", False),
    "shooters_fight": Parameter("shooters join close combat as foot does, once the army attacks", False),
    "keep_away": Parameter("shooters do not walk nearer to an enemy than this (squares)", 3, low=2, high=60),
    "foot": Parameter(
        "foot stands until an enemy can be struck, or walks toward the enemy", "hold", words=("hold", "advance")
    ),
    "horse": Parameter(
        "the same for cavalry, which may also keep level with its foot",
        "hold",
        words=("hold", "advance", "with_foot"),
    ),
    "min_odds": Parameter("the least chance to win a fight for which a piece goes into contact", 0.5, high=1.0),
    "tightness": Parameter("how far a piece may run ahead of its army's foot (squares); 0 sets no limit", 0, high=60),
    "wait_turns": Parameter(
        "turns for which all but cannons wait out of range for the shooting to do its work, unless arrows reach them",
        0,
        high=1000,
    ),
    "patience": Parameter(
        "turns after which an army that holds walks forward while none of its shooters has an enemy in range; 0 never",
        0,
        high=1000,
    ),
    "sally_after": Parameter(
        "enemy pieces removed or unhorsed after which an army that holds attacks; 0 never", 0, high=1000
    ),
    "flank": Parameter("cavalry keeps to the outside of the field on its way", False),
    "dismount_speed": Parameter("a knight dismounts when its speed this turn is this or less; 0 never", 0, high=30),
    "deploy_on_foot": Parameter("every knight with a dismounted version is deployed on foot", False),
    "two_dice_from": Parameter("the distance from which a cannon may use a second die (squares)", 7, low=1, high=60),
    "friend_weight": Parameter("how many enemies one's own piece is worth when a cannon may hit both", 3.0, high=100.0),
}


def compile_doctrine(values: Mapping[str, object], *, key: str = "doctrine", file: str | None = None) -> Doctrine:
    """Check the parameters of a doctrine and turn words and switches into numbers.

    Parameters
    ----------
    values : mapping
        Parameter to value; those left out take their default.
    key, file : str
        Where they stand, for messages.

    Raises
    ------
    InputError
        For an unknown parameter, a value of the wrong kind or out of range.

    Examples
    --------
    >>> compile_doctrine({"target": "mounted_first", "plant_distance": 8}).plant_distance
    8
    """
    return Doctrine(**numbers(values, PARAMETERS, key=key, file=file))
