"""How a simulated player decides: a small set of named parameters, data and not code.

The rules leave play to the players. A doctrine is what one of them has in mind; `orders` turns it into proposals.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from wargamesim.games.doctrines import Parameter, layout, numbers

# Values of the parameters that are words.
HOLD, ADVANCE, CLOSE = range(3)
NEVER, WHEN_BETTER, ALWAYS = range(3)
NEAREST, EASIEST, LEADERS, WOUNDED = range(4)
WALKS, RUNS_TO_CHARGE, RUNS = range(3)


class Doctrine(NamedTuple):
    """One player's parameters, ready for compiled code; `PARAMETERS` says what each means."""

    stance: int
    stop_at: float
    patience: int
    objective: int
    together: float
    run: int
    open_fire: float
    least_chance: float
    target: int
    moving_fire: float
    snap: int
    volley_from: int
    volley_wait: int
    blind_fire: int
    charge_at: float
    charge_odds: float
    shoot_first: int
    shoot_in_melee: int
    break_off: float
    evade_below: float
    capture: int
    keep_away: float
    seek_cover: float
    lie_down: int
    hide_until: float
    hide_again: int
    rally_cost: int
    burn: int


# `Doctrine` as a record of fixed layout, for `records.pack` and compiled code.
DoctrineRecord = np.record
DOCTRINE = layout(Doctrine)

# Farther than anything on a table (cm), and more turns than a battle has.
FAR, LONG = 400.0, 1000


PARAMETERS: dict[str, Parameter] = {
    "stance": Parameter(
        "a squad stands where it is, walks forward until the enemy is near enough, or closes with him",
        "advance",
        words=("hold", "advance", "close"),
    ),
    "stop_at": Parameter("an advance stops when the enemy is this near (cm)", 25.0, high=FAR),
    "patience": Parameter(
        "turns after which a side that holds walks forward while it has no target; 0 never", 0, high=LONG
    ),
    "objective": Parameter(
        "what wins the scenario (a place, an edge, a load) draws the side more than the enemy", True
    ),
    "together": Parameter(
        "how far a figure may be ahead of the rearmost of its squad on the way (cm); 0 sets no limit", 10.0, high=FAR
    ),
    "run": Parameter(
        "figures walk, run only into contact, or run wherever the way is longer than a walk",
        "to_charge",
        words=("never", "to_charge", "always"),
    ),
    "open_fire": Parameter(
        "the distance from which a figure opens fire (cm), within its weapon's reach", 50.0, high=FAR
    ),
    "least_chance": Parameter(
        "the least chance to hit for which a figure that may still go nearer fires", 0.1, high=1.0
    ),
    "target": Parameter(
        "whom a figure shoots that may choose: the nearest, the easiest to hit, leaders or the wounded before others",
        "easiest",
        words=("nearest", "easiest", "leaders", "wounded"),
    ),
    "moving_fire": Parameter(
        "a figure that may fire as it moves, or as it lies down, does if that keeps this part of its chance to hit",
        0.6,
        high=1.0,
    ),
    "snap": Parameter(
        "a figure that has just reloaded fires at once: never, when it pays in the long run, or always",
        "when_better",
        words=("never", "when_better", "always"),
    ),
    "volley_from": Parameter("fewest enemies in the zone for whom a squad fires a volley; 0 never does", 0, high=128),
    "volley_wait": Parameter(
        "loaded figures keep their fire while enough of their squad for a volley are loading", False
    ),
    "blind_fire": Parameter("a squad without a target fires blind at a wood or building where enemies may hide", False),
    "charge_at": Parameter("a figure goes into contact with an enemy this near (cm); 0 never", 0.0, high=FAR),
    "charge_odds": Parameter("the least chance to win the round of close combat for which it does", 0.5, high=1.0),
    "shoot_first": Parameter("a figure with a loaded weapon shoots rather than charges", True),
    "shoot_in_melee": Parameter("a figure with a loaded firearm asks to shoot before a round of close combat", True),
    "break_off": Parameter("a figure in contact leaves if its chance to win a round is below this", 0.0, high=1.0),
    "evade_below": Parameter(
        "a figure that may evade does if its chance to win the round is below this; 0 never", 0.5, high=1.0
    ),
    "capture": Parameter("several against one take it prisoner when they may, rather than wound or kill it", True),
    "keep_away": Parameter(
        "a figure that is not loaded falls back from an enemy nearer than this (cm); 0 never", 0.0, high=FAR
    ),
    "seek_cover": Parameter("how far a figure goes out of its way to stand in cover (cm)", 0.0, high=40.0),
    "lie_down": Parameter("figures that stay where they are under fire in the open lie down", False),
    "hide_until": Parameter(
        "hidden figures neither fire nor move until an enemy is this near (cm); 0 does not wait", 0.0, high=FAR
    ),
    "hide_again": Parameter("figures that have been seen go back into hiding to reload", False),
    "rally_cost": Parameter(
        "the most activations that a squad gives up to rally one of its routed figures; 0 never", 2, high=128
    ),
    "burn": Parameter("figures beside a building that enemies hold set fire to it", False),
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
    >>> compile_doctrine({"stance": "close", "open_fire": 30}).open_fire
    30.0
    """
    return Doctrine(**numbers(values, PARAMETERS, key=key, file=file))
