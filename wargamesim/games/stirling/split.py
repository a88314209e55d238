"""Shots into a melee: how they are shared between friend and enemy, by quarters (SS-4.4 to SS-4.6)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from wargamesim.dice.arguments import broadcast, integers
from wargamesim.dice.pmf import PMF, Integers
from wargamesim.games.stirling.attack import losses
from wargamesim.games.stirling.rules import Book, compile_rules


class Shares(NamedTuple):
    """Quarters of a shot that fall on friend and enemy; arrays of one shape."""

    friend: Integers
    enemy: Integers


class Split(NamedTuple):
    """What one shot into a melee costs both, each batch of the common shape of the men."""

    friend_lost: PMF
    enemy_lost: PMF


def weight(rulebook: Book, men: ArrayLike, *, large: bool = False) -> Integers:
    """Return the weight of a unit in a melee (SS-4.4a).

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> int(weight(load_rulebook("stirling"), 50, large=True))
    100
    """
    count = integers("men", men, minimum=0)
    return count * compile_rules(rulebook).large_weight if large else count


def shares(rulebook: Book, friend: ArrayLike, enemy: ArrayLike) -> Shares:
    """Return how a shot into a melee is shared, by the weights of both units (SS-4.4, SS-4.5, SS-P15).

    Parameters
    ----------
    rulebook : Rulebook or Rules
    friend, enemy : int or array_like of int, at least 1
        Their weights (`weight`); they broadcast.

    Returns
    -------
    Shares
        Of shape broadcast(friend, enemy).

    Examples
    --------
    The example of the source (SS-4.4b):

    >>> from wargamesim.rulebook import load_rulebook
    >>> [int(part) for part in shares(load_rulebook("stirling"), 170, 450)]
    [1, 3]
    """
    ours, theirs = integers("friend", friend, minimum=1), integers("enemy", enemy, minimum=1)
    shape = broadcast(friend=ours.shape, enemy=theirs.shape)
    rules = compile_rules(rulebook)
    parts, both = rules.shares, ours + theirs
    if rules.quarters == "both_floor":
        return Shares(parts * ours // both, parts * theirs // both)
    if rules.quarters == "friend_floor":
        first = parts * ours // both
        return Shares(first, parts - first)
    half = both // 2 if rules.quarters == "nearest" else np.zeros(shape, dtype=np.int64)
    lighter = (parts * np.minimum(ours, theirs) + half) // both
    friend_is_lighter = ours <= theirs
    return Shares(
        np.where(friend_is_lighter, lighter, parts - lighter), np.where(friend_is_lighter, parts - lighter, lighter)
    )


def split(
    rulebook: Book,
    shooters: ArrayLike,
    thac0: ArrayLike,
    damage: str,
    of: Shares,
    *,
    friend_ac: ArrayLike,
    friend_hp: ArrayLike,
    enemy_ac: ArrayLike,
    enemy_hp: ArrayLike,
    modifier: ArrayLike = 0,
) -> Split:
    """Return what one shot into a melee costs friend and enemy (SS-4.4, SS-P08, SS-P14).

    One roll to hit and one of damage serve for both: the two losses are not independent of each other.

    Parameters
    ----------
    rulebook : Rulebook or Rules
    shooters : int or array_like of int, at least 0
    thac0, modifier : int or array_like of int
        Of the shooters, and what is added to their roll.
    damage : str
        Dice of one hit, such as ``1d6``.
    of : Shares
        Who gets which share.
    friend_ac, friend_hp, enemy_ac, enemy_hp : int or array_like of int
        Armour class and hit points of both; all broadcast.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> book = load_rulebook("stirling")
    >>> targets = {"friend_ac": 6, "friend_hp": 6, "enemy_ac": 6, "enemy_hp": 6}
    >>> lost = split(book, 100, 20, "1d6", shares(book, 170, 450), **targets)
    >>> lost.friend_lost.values, np.nonzero(lost.enemy_lost.p)[0]
    (array([0, 1, 2, 3, 4, 5]), array([ 0,  2,  5,  7, 10, 12, 15]))
    """
    rules = compile_rules(rulebook)
    parts = rules.shares

    def lost(ac: ArrayLike, hp: ArrayLike, share: Integers) -> PMF:
        aimed = enemy_ac if rules.aimed_ac else ac
        return losses(
            rules, shooters, thac0, aimed, damage, hp, modifier=modifier, times=share, parts=parts, ranged=True
        )

    return Split(lost(friend_ac, friend_hp, of.friend), lost(enemy_ac, enemy_hp, of.enemy))
