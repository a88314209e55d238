"""Successes that cannot exceed what is there to be lost: figures of a target, markers of a unit."""

from __future__ import annotations

import numpy as np

from wargamesim.dice.pmf import PMF, Floats, Integers
from wargamesim.dice.pools import successes


def moved(p: Floats, to: Integers, size: int) -> Floats:
    """Return probabilities carried to other places: ``p[..., i]`` is added at ``to[..., i]``.

    Parameters
    ----------
    p : ndarray of float64, shape (..., n)
    to : ndarray of int64, shape (..., n)
        Places from 0 to ``size - 1``; broadcasts with `p`.
    size : int
        Number of places.

    Returns
    -------
    ndarray of float64, shape (..., size)

    Examples
    --------
    >>> moved(np.array([0.25, 0.5, 0.25]), np.array([0, 1, 1]), 3)
    array([0.25, 0.75, 0.  ])
    """
    return np.asarray(((to[..., None] == np.arange(size)) * p[..., None]).sum(axis=-2))


def capped_successes(dice: Integers, chance: Floats, most: Integers) -> PMF:
    """Return how many dice of a pool succeed, where more than `most` count as `most`.

    Parameters
    ----------
    dice, most : ndarray of int64, at least 0
    chance : ndarray of float64
        Of each die; all three broadcast.

    Returns
    -------
    PMF
        From 0 to the largest `most`.

    Examples
    --------
    >>> capped_successes(np.array(2), np.array(0.5), np.array([1, 2])).p
    array([[0.25, 0.75, 0.  ],
           [0.25, 0.5 , 0.25]])
    """
    rolled = successes(dice, chance).p
    return PMF(0, moved(rolled, np.minimum(np.arange(rolled.shape[-1]), most[..., None]), int(most.max(initial=0)) + 1))
