"""Confidence intervals of shares, scores and means.

References
----------
.. [1] E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
   Journal of the American Statistical Association 22 (1927), 209-212.
.. [2] Student, "The probable error of a mean", Biometrika 6 (1908), 1-25.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wargamesim.errors import InputError

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]


class Interval(NamedTuple):
    """Lower and upper confidence limits: two float arrays of one shape.

    Examples
    --------
    >>> Interval(np.array(0.4), np.array(0.7)).half_width.round(3).item()
    0.15
    """

    low: FloatArray
    high: FloatArray

    @property
    def half_width(self) -> FloatArray:
        """Half the distance between the limits, an array of their shape."""
        return np.asarray((self.high - self.low) / 2)


def wilson(successes: ArrayLike, n: ArrayLike, level: float = 0.95) -> Interval:
    """Wilson's score interval of a share, or of a score in which a draw counts one half [1]_.

    With draws, `successes` is wins plus half the draws. The interval then is conservative: a score S between
    0 and 1 has S**2 <= S, so its variance E[S**2] - p**2 is at most p (1 - p), which Wilson's interval assumes.

    Parameters
    ----------
    successes : array_like
        Number of successes, 0 to `n`; halves are allowed.
    n : array_like
        Number of trials, at least 0; broadcast against `successes`. With n = 0 the interval is (0, 1).
    level : float
        Confidence level, between 0 and 1 (both excluded).

    Returns
    -------
    Interval
        Limits between 0 and 1, of the broadcast shape.

    Raises
    ------
    InputError
        If an argument is out of its range; its `key` is the argument's name.

    Examples
    --------
    >>> low, high = wilson([0, 8, 10], 10)
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([0.0, 0.4902, 0.7225], [0.2775, 0.9433, 1.0])
    """
    hits, trials = np.broadcast_arrays(_numbers(successes, "successes"), _numbers(n, "n"))
    if np.any(hits < 0):
        raise InputError(f"must not be negative, but is {hits.min():g}", key="successes")
    if np.any(trials < 0):
        raise InputError(f"must not be negative, but is {trials.min():g}", key="n")
    if np.any(hits > trials):
        worst = np.unravel_index(np.argmax(hits - trials), hits.shape)
        raise InputError(f"must be at most n = {trials[worst]:g}, but is {hits[worst]:g}", key="successes")
    z = normal_quantile(level)
    total = trials + z * z
    centre = (hits + z * z / 2) / total
    spread = hits * (trials - hits) / np.where(trials == 0, 1, trials)
    half = z / total * np.sqrt(spread + z * z / 4)
    # At the ends the limits are 0 and 1 exactly; the formula reaches them but for rounding.
    low = np.where(hits == 0, 0.0, np.clip(centre - half, 0, 1))
    high = np.where(hits == trials, 1.0, np.clip(centre + half, 0, 1))
    return Interval(low, high)


def mean_interval(mean: ArrayLike, deviation: ArrayLike, n: ArrayLike, level: float = 0.95) -> Interval:
    """Student's interval of a mean, from the mean, the standard deviation and the size of each sample [2]_.

    It suits losses and lengths: bounded counts, of which a battle experiment has hundreds.

    Parameters
    ----------
    mean : array_like
        Sample means, in any unit.
    deviation : array_like
        Sample standard deviations with n - 1 in the denominator, same unit, at least 0. Not used where n < 2.
    n : array_like
        Sample sizes, at least 0. The three are broadcast against each other.
    level : float
        Confidence level, between 0 and 1 (both excluded).

    Returns
    -------
    Interval
        Limits in the unit of the mean; (-inf, inf) where n < 2, for one value says nothing of its spread.

    Raises
    ------
    InputError
        If an argument is out of its range; its `key` is the argument's name.

    Examples
    --------
    >>> low, high = mean_interval(mean=20.0, deviation=5.0, n=25)
    >>> round(float(low), 3), round(float(high), 3)
    (17.936, 22.064)
    """
    from scipy.special import stdtrit

    check_level(level)
    size = _numbers(n, "n")
    if np.any(size < 0):
        raise InputError(f"must not be negative, but is {size.min():g}", key="n")
    centre, spread, size = np.broadcast_arrays(np.asarray(mean, float), np.asarray(deviation, float), size)
    known = size >= 2
    if np.any(spread[known] < 0):
        raise InputError(f"must not be negative, but is {spread[known].min():g}", key="deviation")
    freedom = np.where(known, size - 1, 1)
    half = stdtrit(freedom, (1 + level) / 2) * np.where(known, spread, 0) / np.sqrt(freedom + 1)
    return Interval(np.where(known, centre - half, -np.inf), np.where(known, centre + half, np.inf))


def normal_quantile(level: float) -> float:
    """Return the z with which a normal variable lies in (-z, z) with probability `level`.

    Raises
    ------
    InputError
        If `level` is not between 0 and 1 (both excluded).

    Examples
    --------
    >>> round(normal_quantile(0.95), 6)
    1.959964
    """
    from scipy.special import ndtri

    check_level(level)
    return float(ndtri((1 + level) / 2))


def check_level(level: float) -> None:
    """Refuse a confidence level that is not between 0 and 1.

    Raises
    ------
    InputError
        If `level` is not between 0 and 1 (both excluded).

    Examples
    --------
    >>> check_level(95)
    Traceback (most recent call last):
    wargamesim.errors.InputError: level: must be between 0 and 1 (0.95 is 95 %), but is 95
    """
    if not 0 < level < 1:
        raise InputError(f"must be between 0 and 1 (0.95 is 95 %), but is {level}", key="level")


def _numbers(values: ArrayLike, key: str) -> FloatArray:
    """Return finite floats."""
    array = np.asarray(values, dtype=float)
    if not np.all(np.isfinite(array)):
        raise InputError("must be finite numbers", key=key)
    return array
