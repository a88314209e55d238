"""Opposed rolls: two totals, the higher wins, and what a tie does."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from wargamesim.dice.arguments import broadcast, integers
from wargamesim.dice.pmf import PMF, Floats
from wargamesim.errors import InputError, unknown

TIES = ("reroll", "reroll_bare", "defender_wins", "both_lose")


class Opposed(NamedTuple):
    """How an opposed roll ends; three arrays of one shape that sum to 1."""

    attacker_wins: Floats
    defender_wins: Floats
    both_lose: Floats


def opposed(attacker: PMF, defender: PMF, difference: ArrayLike = 0, *, ties: str) -> Opposed:
    """Return the outcome of an opposed roll: the attacker wins if his total is more than the defender's.

    Parameters
    ----------
    attacker, defender : PMF
        The bare dice of both; batches broadcast.
    difference : int or array_like of int
        All modifiers of the attacker minus all of the defender; broadcasts with the batches.
    ties : {"reroll", "reroll_bare", "defender_wins", "both_lose"}
        What equal totals do: both roll again with the same modifiers until the totals differ; both roll again without
        any modifier until the dice differ; the defender wins; both lose.

    Returns
    -------
    Opposed
        Arrays of shape broadcast(attacker.batch, defender.batch, difference).

    Raises
    ------
    InputError
        If the tie policy is unknown, the shapes do not broadcast, or a reroll would go on for ever.

    Examples
    --------
    >>> won = opposed(PMF.die(6), PMF.die(6), [-1, 0, 1], ties="reroll").attacker_wins
    >>> won * [31, 2, 31]
    array([10.,  1., 21.])
    """
    if ties not in TIES:
        raise unknown("tie policy", ties, TIES, key="ties")
    by = integers("difference", difference)
    broadcast(attacker=attacker.batch, defender=defender.batch, difference=by.shape)
    gap = attacker.plus(defender.scale(-1))
    wins, loses, tied = gap.more_than(-by), gap.less_than(-by), gap.equal_to(-by)
    none = np.zeros_like(tied)
    if ties == "both_lose":
        return Opposed(wins, loses, tied)
    if ties == "defender_wins":
        return Opposed(wins, gap.at_most(-by), none)
    if ties == "reroll":
        again_wins, again_loses = wins, loses
    else:
        again_wins, again_loses = gap.more_than(0), gap.less_than(0)
    decided = np.asarray(again_wins + again_loses)
    if ((decided == 0) & (tied > 0)).any():
        raise InputError(f"'{ties}' never ends: these dice always tie", key="ties")
    # A tie that is rerolled until decided falls to each side in proportion; where nothing ties, the ratio is not used.
    ratio = tied / np.where(decided == 0, 1.0, decided)
    return Opposed(wins + ratio * again_wins, loses + ratio * again_loses, none)
