"""Fire of rifles and of cannons at one unit: figures removed, markers put."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wargamesim.dice.arguments import broadcast
from wargamesim.dice.pmf import PMF, Integers
from wargamesim.errors import InputError
from wargamesim.games.coloniale.pool import capped_successes
from wargamesim.games.coloniale.rules import GROUNDS, Rules, compile_rules, counts, indices
from wargamesim.rulebook import Rulebook


class Fire(NamedTuple):
    """What one unit's fire does; arrays and PMFs of one shape.

    ``can_fire`` is false where the target is out of reach or no die is left, ``dice`` is how many are rolled,
    ``removed`` how many figures the target loses, ``markers`` how many suppression markers are put in all.
    """

    can_fire: NDArray[np.bool_]
    dice: Integers
    removed: PMF
    markers: Integers


def rifle_dice(rules: Rules, figures: Integers, markers: Integers) -> Integers:
    """Return the dice a unit fires with (CO-4.2a; CO-P10 may let its own markers take some away)."""
    return np.maximum(np.minimum(figures, rules.rifle_dice) - rules.dice_lost_to_marker * markers, 0)


def rifles(
    rulebook: Rulebook,
    figures: ArrayLike,
    ground: ArrayLike = "open",
    *,
    target: ArrayLike | None = None,
    distance: ArrayLike = 0,
    markers: ArrayLike = 0,
    targets: ArrayLike = 1,
) -> Fire:
    """Return what a unit's rifles do (CO-4.2, CO-4.4, CO-8.3).

    Parameters
    ----------
    rulebook : Rulebook
    figures : int or array_like of int, at least 0
        Of the unit that fires.
    ground : {"open", "cover", "fort"} or array_like of them
        Where the target stands.
    target : int or array_like of int, at least 0, optional
        Figures of the target, which cannot lose more; without it there are enough for every die.
    distance : int or array_like of int, at least 0
        In centimetres; beyond the reach the unit cannot fire.
    markers : int or array_like of int, at least 0
        Suppression of the unit that fires; it matters under one reading of CO-P10.
    targets : int or array_like of int, at least 1
        Units among which the dice are divided; then `removed` is what they lose together, each having figures enough
        (leave out `target`), and each that gets a die is marked (CO-P09). All arguments broadcast.

    Returns
    -------
    Fire
        Arrays of the broadcast shape.

    Raises
    ------
    InputError
        If a ground is unknown, a number is no count, `target` is given for several targets, or the shapes do not
        broadcast.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> volley = rifles(load_rulebook("coloniale"), [2, 8], "cover")
    >>> volley.dice, (volley.removed.mean() * 6).round(12)
    (array([2, 5]), array([2., 5.]))
    """
    where = indices("ground", "ground", ground, GROUNDS)
    shooters, far, held = counts(0, figures=figures, distance=distance, markers=markers)
    (parts,) = counts(1, targets=targets)
    rules = compile_rules(rulebook)
    (there,) = counts(0, target=rules.rifle_dice if target is None else target)
    if target is not None and (parts > 1).any():
        raise InputError("is one unit's figures: leave it out where the dice are divided", key="target")
    arrays = {"figures": shooters, "ground": where, "target": there, "distance": far, "markers": held, "targets": parts}
    shape = broadcast(**{name: array.shape for name, array in arrays.items()})
    dice = np.broadcast_to(np.where(far <= rules.rifle_reach, rifle_dice(rules, shooters, held), 0), shape)
    marked = np.minimum(parts, dice) if rules.split_each else np.minimum(1, dice)
    removed = capped_successes(dice, rules.rifle_hit[where], there)
    return Fire(dice > 0, dice, removed, marked * rules.rifle_markers[where])


def guns(rulebook: Rulebook, distance: ArrayLike, ground: ArrayLike = "open") -> Fire:
    """Return what a battery's shot does (CO-4.3, CO-4.4, CO-8.3).

    Parameters
    ----------
    rulebook : Rulebook
    distance : int or array_like of int, at least 0
        In centimetres; beyond the reach the battery cannot fire.
    ground : {"open", "cover", "fort"} or array_like of them
        Where the target stands; broadcasts with `distance`.

    Returns
    -------
    Fire
        Arrays of the broadcast shape; the target has at least one figure.

    Raises
    ------
    InputError
        As in `rifles`.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> shot = guns(load_rulebook("coloniale"), [50, 51, 101], "cover")
    >>> shot.can_fire, (shot.removed.mean() * 3).round(12)
    (array([ True,  True, False]), array([2., 1., 0.]))
    """
    where, (far,) = indices("ground", "ground", ground, GROUNDS), counts(0, distance=distance)
    broadcast(distance=far.shape, ground=where.shape)
    rules = compile_rules(rulebook)
    can_fire, where = np.broadcast_arrays(far <= max(rules.cannon_near_reach, rules.cannon_reach), where)
    hit = np.where(far <= rules.cannon_near_reach, rules.cannon_near, rules.cannon_far[where])
    dice = can_fire.astype(np.int64)
    return Fire(can_fire, dice, capped_successes(dice, hit, np.asarray(1)), dice * rules.fire_markers)
