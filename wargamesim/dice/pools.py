"""Pools of dice: the chance that one die succeeds, how many of n dice do, and the sum of the dice kept.

A pool is built in two steps, so that every rule about a single die combines with every size of pool:
``successes(count, chance_at_least(sides, threshold, ...))``.
"""

from __future__ import annotations

from collections.abc import Collection
from math import comb

import numpy as np
from numpy.typing import ArrayLike

from wargamesim.dice.arguments import broadcast, integer, integers, probabilities
from wargamesim.dice.pmf import PMF, Floats
from wargamesim.errors import InputError


def chance_at_least(
    sides: ArrayLike,
    threshold: ArrayLike,
    modifier: ArrayLike = 0,
    always: Collection[int] = (),
    never: Collection[int] = (),
) -> Floats:
    """Return the chance that one die plus a modifier is at least a threshold.

    Parameters
    ----------
    sides : int or array_like of int, at least 1
    threshold, modifier : int or array_like of int
        All three broadcast.
    always, never : collection of int
        Natural faces that succeed, or fail, whatever the modified total. No face may be in both.

    Returns
    -------
    ndarray of float64, shape broadcast(sides, threshold, modifier)

    Examples
    --------
    A d20 with +3 that needs at least 15; then the same where a natural 1 always fails, however easy the roll:

    >>> float(chance_at_least(20, 15, modifier=3))
    0.45
    >>> chance_at_least(20, [1, 15], modifier=3, never={1})
    array([0.95, 0.45])
    """
    n = integers("sides", sides, minimum=1)
    need = integers("threshold", threshold)
    plus = integers("modifier", modifier)
    yes, no = set(_faces("always", always)), set(_faces("never", never))
    if yes & no:
        raise InputError(f"natural faces {sorted(yes & no)} are also in never", key="always")
    broadcast(sides=n.shape, threshold=need.shape, modifier=plus.shape)
    least = need - plus
    # Faces from `least` up to `sides`, then each natural face that counts otherwise.
    count = np.clip(n - least + 1, 0, n)
    for face in yes:
        count = count + ((face >= 1) & (face <= n) & (face < least))
    for face in no:
        count = count - ((face >= 1) & (face <= n) & (face >= least))
    return np.asarray(count / n)


def chance_one_of(sides: ArrayLike, faces: Collection[int]) -> Floats:
    """Return the chance that one die shows one of some natural faces; a face that the die has not is never shown.

    Parameters
    ----------
    sides : int or array_like of int, at least 1
    faces : collection of int

    Returns
    -------
    ndarray of float64, the shape of `sides`

    Examples
    --------
    >>> chance_one_of([6, 10], {4, 5}) * 30
    array([10.,  6.])
    """
    n = integers("sides", sides, minimum=1)
    natural = np.array(_faces("faces", faces), dtype=np.int64)
    return np.asarray(((natural >= 1) & (natural <= n[..., None])).sum(axis=-1) / n)


def successes(count: ArrayLike, chance: ArrayLike) -> PMF:
    """Return the number of dice of a pool that succeed: a success pool.

    Parameters
    ----------
    count : int or array_like of int, at least 0
        The number of dice; broadcasts with `chance`.
    chance : float or array_like of float, 0 to 1
        The chance of each die, for instance from `chance_at_least` or `chance_one_of`.

    Returns
    -------
    PMF
        From 0 to the largest count; batch broadcast(count, chance).

    Examples
    --------
    Ten dice that succeed on at least 5: the chance of at least 4 successes.

    >>> round(float(successes(10, chance_at_least(6, 5)).at_least(4)), 4)
    0.4407
    """
    dice = integers("count", count, minimum=0)
    p = probabilities("chance", chance)
    broadcast(count=dice.shape, chance=p.shape)
    return PMF(0, np.stack([1 - p, p], axis=-1)).repeat(dice)


def success_table(most: int, chance: ArrayLike) -> Floats:
    """Return the success pools of every size up to a largest, each from the one before: cheaper than `successes`.

    Parameters
    ----------
    most : int, at least 0
        The largest number of dice.
    chance : float or array_like of float, 0 to 1
        The chance of each die.

    Returns
    -------
    ndarray of float64, shape (..., most + 1, most + 1)
        ``[..., n, k]`` is the probability that n dice make exactly k successes; leading axes are those of `chance`.

    Examples
    --------
    >>> success_table(2, 0.5)
    array([[1.  , 0.  , 0.  ],
           [0.5 , 0.5 , 0.  ],
           [0.25, 0.5 , 0.25]])
    """
    size = integer("most", most, minimum=0) + 1
    p = probabilities("chance", chance)[..., None]
    table = np.zeros((*p.shape[:-1], size, size))
    table[..., 0, 0] = 1.0
    for n in range(1, size):
        table[..., n, :n] = table[..., n - 1, :n] * (1 - p)
        table[..., n, 1 : n + 1] += table[..., n - 1, :n] * p
    return table


def keep_highest(die: PMF, count: int, keep: int) -> PMF:
    """Return the sum of the `keep` highest of `count` rolls of a die.

    Parameters
    ----------
    die : PMF
        Any distribution, or a batch of them.
    count : int, at least 0
        How many are rolled.
    keep : int, 0 to count
        How many are kept; 0 of them sum to 0.

    Returns
    -------
    PMF
        With the batch of `die`.

    Examples
    --------
    >>> round(float(keep_highest(PMF.die(6), 4, 3).mean()), 4)
    12.2446
    """
    return _kept(die, count, keep, highest=True)


def keep_lowest(die: PMF, count: int, keep: int) -> PMF:
    """Return the sum of the `keep` lowest of `count` rolls of a die; arguments as in `keep_highest`.

    Examples
    --------
    >>> round(float(keep_lowest(PMF.die(20), 2, 1).mean()), 4)
    7.175
    """
    return _kept(die, count, keep, highest=False)


def _faces(name: str, faces: Collection[int]) -> list[int]:
    """Different natural faces, in order."""
    if not isinstance(faces, Collection):
        raise InputError(f"must be a collection of natural faces such as {{1}}, not {faces!r}", key=name)
    return sorted(set(integers(name, list(faces)).tolist()))


def _kept(die: PMF, count: int, keep: int, *, highest: bool) -> PMF:
    rolled = integer("count", count, minimum=0)
    kept = integer("keep", keep, minimum=0)
    if kept > rolled:
        raise InputError(f"must be at most count ({rolled}), not {kept}", key="keep")
    # placed[m, ..., s]: m dice have shown one of the faces seen so far, and those of them that are kept sum to s
    # (above the smallest face). Faces come best first, so the first dice placed are the kept ones.
    faces = range(die.p.shape[-1])
    width = kept * (len(faces) - 1) + 1
    placed = np.zeros((rolled + 1, *die.batch, width))
    placed[0, ..., 0] = 1.0
    for face in reversed(faces) if highest else faces:
        chance = die.p[..., face, None]
        after = np.zeros_like(placed)
        for before in range(rolled + 1):
            for more in range(rolled - before + 1):
                add = face * (min(before + more, kept) - min(before, kept))
                ways = comb(rolled - before, more) * chance**more
                after[before + more, ..., add:] += ways * placed[before, ..., : width - add]
        placed = after
    return PMF(kept * die.start, placed[rolled])
