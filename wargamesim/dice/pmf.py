"""Distributions of integers as arrays: a die, its modifiers, sums, mixtures, and what is at least or more than what.

Everything works on a batch of distributions at once: a `PMF` has leading batch axes, and two of them broadcast as
arrays do. All is float64 and exact in the sense that nothing is cut off or sampled: sums of non-negative terms only,
and every mass is 1 to 1e-12 or an error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wargamesim.dice.arguments import broadcast, distribution, integer, integers
from wargamesim.errors import InputError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Comparison(NamedTuple):
    """Probabilities that a first number is more than, equal to and less than a second; arrays of one shape."""

    more_than: Floats
    equal: Floats
    less_than: Floats


@dataclass(frozen=True, eq=False)
class PMF:
    """The distribution of an integer, or a batch of distributions over the same integers.

    Parameters
    ----------
    start : int
        The smallest integer of the support.
    p : array_like, shape (..., n)
        ``p[..., i]`` is the probability of ``start + i``; each is 0 to 1 and they sum to 1 along the last axis.
        Stored as a read-only float64 copy.

    Raises
    ------
    InputError
        If `start` is no integer, or `p` is no distribution to 1e-12.

    Examples
    --------
    >>> two_dice = PMF.die(6).plus(PMF.die(6))
    >>> float(two_dice.at_least(11)) == 3 / 36
    True
    >>> PMF.die([4, 6, 8]).mean()
    array([2.5, 3.5, 4.5])
    """

    start: int
    p: Floats

    def __post_init__(self) -> None:
        object.__setattr__(self, "start", integer("start", self.start))
        p = distribution("p", self.p)
        p.flags.writeable = False
        object.__setattr__(self, "p", p)

    # Making one

    @classmethod
    def die(cls, sides: ArrayLike) -> PMF:
        """Return a fair die, 1 to `sides`.

        Parameters
        ----------
        sides : int or array_like of int, at least 1
            Its shape is the batch's.

        Examples
        --------
        >>> PMF.die(4).p
        array([0.25, 0.25, 0.25, 0.25])
        """
        count = integers("sides", sides, minimum=1)[..., None]
        faces = np.arange(1, count.max(initial=1) + 1)
        return cls(1, (faces <= count) / count)

    @classmethod
    def constant(cls, value: ArrayLike) -> PMF:
        """Return an integer that is certain; the shape of `value` is the batch's.

        Examples
        --------
        >>> PMF.constant([3, 5]).p
        array([[1., 0., 0.],
               [0., 0., 1.]])
        """
        return cls(0, np.ones(1)).shift(integers("value", value))

    @classmethod
    def from_faces(cls, faces: Sequence[int]) -> PMF:
        """Return a fair die with these integers on its faces; a number may stand on several.

        Examples
        --------
        >>> PMF.from_faces([0, 0, 0, 1, 1, 3]).p * 6
        array([3., 2., 0., 1.])
        """
        values = integers("faces", faces)
        if values.ndim != 1 or values.size == 0:
            raise InputError("must be a list of at least one integer", key="faces")
        return cls(int(values.min()), np.bincount(values - values.min()) / values.size)

    # Looking at it

    @property
    def values(self) -> Integers:
        """The integers of the support, shape (n,)."""
        return np.arange(self.start, self.start + self.p.shape[-1])

    @property
    def batch(self) -> tuple[int, ...]:
        """The shape of the batch; () for a single distribution."""
        return self.p.shape[:-1]

    def mean(self) -> Floats:
        """Return the means, shape `batch`."""
        return np.asarray(self.p @ self.values.astype(np.float64))

    def var(self) -> Floats:
        """Return the variances, shape `batch`."""
        return np.asarray((self.p * (self.values - self.mean()[..., None]) ** 2).sum(axis=-1))

    def equal_to(self, k: ArrayLike) -> Floats:
        """Return the probability of exactly `k` (array_like of int, broadcast with the batch); 0 off the support.

        Examples
        --------
        >>> PMF.die(4).equal_to([0, 1, 4, 5])
        array([0.  , 0.25, 0.25, 0.  ])
        """
        framed = np.pad(self.p, [(0, 0)] * len(self.batch) + [(1, 1)])
        return self._pick(framed, integers("k", k) + 1)

    def at_least(self, k: ArrayLike) -> Floats:
        """Return the probability of `k` or more (array_like of int, broadcast with the batch).

        Examples
        --------
        >>> PMF.die(4).at_least([0, 2, 4, 5])
        array([1.  , 0.75, 0.25, 0.  ])
        """
        tail = np.cumsum(self.p[..., ::-1], axis=-1)[..., ::-1]
        return self._pick(np.concatenate([tail, np.zeros_like(tail[..., :1])], axis=-1), integers("k", k))

    def more_than(self, k: ArrayLike) -> Floats:
        """Return the probability of more than `k`, which is `at_least` of ``k + 1``."""
        return self.at_least(integers("k", k) + 1)

    def at_most(self, k: ArrayLike) -> Floats:
        """Return the probability of `k` or less (array_like of int, broadcast with the batch): the CDF at `k`."""
        head = np.cumsum(self.p, axis=-1)
        return self._pick(np.concatenate([np.zeros_like(head[..., :1]), head], axis=-1), integers("k", k) + 1)

    def less_than(self, k: ArrayLike) -> Floats:
        """Return the probability of less than `k`, which is `at_most` of ``k - 1``."""
        return self.at_most(integers("k", k) - 1)

    def compare(self, other: PMF) -> Comparison:
        """Compare with an independent number, batches broadcast.

        Examples
        --------
        >>> more_than, equal, less_than = PMF.die(6).compare(PMF.die(6))
        >>> print(f"{more_than:.6f} {equal:.6f} {less_than:.6f}")
        0.416667 0.166667 0.416667
        """
        gap = self.plus(other.scale(-1))
        return Comparison(gap.more_than(0), gap.equal_to(0), gap.less_than(0))

    # Changing it

    def map(self, function: Callable[[Integers], ArrayLike]) -> PMF:
        """Return the distribution of a function of the number.

        This is how natural faces are treated apart from modified totals.

        Parameters
        ----------
        function : callable
            Takes the support, int64 of shape (n,), and returns as many integers.

        Examples
        --------
        A natural 1 counts 0 whatever the modifier:

        >>> PMF.die(6).map(lambda natural: np.where(natural == 1, 0, natural + 2)).values
        array([0, 1, 2, 3, 4, 5, 6, 7, 8])
        """
        images = integers("function", function(self.values))
        if images.shape != self.values.shape:
            raise InputError(f"must return {self.values.size} integers, one for each value", key="function")
        start = int(images.min())
        out = np.zeros((*self.batch, int(images.max()) - start + 1))
        for i, image in enumerate(images - start):
            out[..., image] += self.p[..., i]
        return PMF(start, out)

    def scale(self, factor: int) -> PMF:
        """Return the number times an integer; -1 turns it round.

        Examples
        --------
        >>> PMF.die(3).scale(-1).values
        array([-3, -2, -1])
        """
        by = integer("factor", factor)
        return self.map(lambda values: values * by)

    def clamp(self, low: int | None = None, high: int | None = None) -> PMF:
        """Return the number kept within `low` and `high` (both inclusive): what is beyond counts as the bound.

        Examples
        --------
        >>> PMF.die(6).clamp(high=4).p * 6
        array([1., 1., 1., 3.])
        """
        least = None if low is None else integer("low", low)
        most = None if high is None else integer("high", high)
        if least is not None and most is not None and least > most:
            raise InputError(f"must be at most high ({most}), not {least}", key="low")

        def kept(values: Integers) -> Integers:
            values = values if least is None else np.maximum(values, least)
            return values if most is None else np.minimum(values, most)

        return self.map(kept)

    def shift(self, amount: ArrayLike) -> PMF:
        """Return the number plus a modifier (int or array_like of int, broadcast with the batch).

        Examples
        --------
        >>> PMF.die(6).shift([-1, 0, 2]).at_least(5) * 6
        array([1., 2., 4.])
        """
        by = integers("amount", amount)
        shape = broadcast(amount=by.shape, batch=self.batch)
        if by.size == 0:
            return PMF(self.start, np.broadcast_to(self.p, (*shape, self.p.shape[-1])))
        low = int(by.min())
        out = np.zeros((*shape, self.p.shape[-1] + int(by.max()) - low))
        columns = (by - low)[..., None] + np.arange(self.p.shape[-1])
        wide = (*shape, self.p.shape[-1])
        np.put_along_axis(out, np.broadcast_to(columns, wide), np.broadcast_to(self.p, wide), axis=-1)
        return PMF(self.start + low, out)

    # Combining several

    def plus(self, other: PMF) -> PMF:
        """Return the sum with an independent number, batches broadcast.

        Examples
        --------
        >>> PMF.die(2).plus(PMF.die(2)).p
        array([0.25, 0.5 , 0.25])
        """
        broadcast(self=self.batch, other=other.batch)
        return PMF(self.start + other.start, _convolve(self.p, other.p))

    def repeat(self, count: ArrayLike) -> PMF:
        """Return the sum of `count` independent copies of the number.

        Parameters
        ----------
        count : int or array_like of int, at least 0
            Broadcast with the batch; the sum of no copies is 0.

        Examples
        --------
        >>> PMF.die(6).repeat([1, 2, 3]).mean()
        array([ 3.5,  7. , 10.5])
        """
        counts = integers("count", count, minimum=0)
        shape = broadcast(count=counts.shape, batch=self.batch)
        left = int(counts.max(initial=0))
        width = left * (self.p.shape[-1] - 1) + 1
        total, power, bit = np.ones((*shape, 1)), self.p, 0
        # Repeated squaring; where a count has this bit, the power is added.
        while left >> bit:
            longer = _convolve(total, power)
            total = _widened(total, longer.shape[-1])
            total = np.where((counts >> bit & 1)[..., None] == 1, longer, total)
            bit += 1
            if left >> bit:
                power = _convolve(power, power)
        # No count reaches a column beyond `width`: those are exact zeros.
        return PMF(0, total[..., :width]).shift(counts * self.start)

    def _pick(self, table: Floats, k: Integers) -> Floats:
        """Take column ``k - start`` of `table`, whose end columns stand for all that is beyond."""
        shape = broadcast(k=k.shape, batch=self.batch)
        column = np.clip(k - self.start, 0, table.shape[-1] - 1)
        table = np.broadcast_to(table, (*shape, table.shape[-1]))
        picked = np.take_along_axis(table, np.broadcast_to(column, shape)[..., None], axis=-1)[..., 0]
        return np.minimum(picked, 1.0)


def mixture(parts: Sequence[PMF], weights: ArrayLike) -> PMF:
    """Return the number that follows ``parts[i]`` with probability ``weights[..., i]``.

    Parameters
    ----------
    parts : sequence of PMF
        Their batches broadcast with each other and with the leading axes of `weights`.
    weights : array_like, shape (..., len(parts))
        Probabilities that sum to 1 along the last axis.

    Raises
    ------
    InputError
        If there is no part, the weights are no distribution, their number is another, or the batches do not broadcast.

    Examples
    --------
    >>> mixture([PMF.constant(0), PMF.die(3)], [0.25, 0.75]).p
    array([0.25, 0.25, 0.25, 0.25])
    """
    w = distribution("weights", weights)
    if len(parts) != w.shape[-1]:
        raise InputError(f"must be one for each of the {len(parts)} parts, not {w.shape[-1]}", key="weights")
    broadcast(weights=w.shape[:-1], **{f"parts[{i}]": part.batch for i, part in enumerate(parts)})
    start = min(part.start for part in parts)
    width = max(part.start + part.p.shape[-1] for part in parts) - start
    total: Floats = np.zeros(width)
    for i, part in enumerate(parts):
        total = total + w[..., i, None] * _widened(part.p, width, part.start - start)
    return PMF(start, total)


def _convolve(a: Floats, b: Floats) -> Floats:
    """Distribution of the sum, by its definition: an FFT would lose the relative accuracy of small probabilities."""
    if a.shape[-1] > b.shape[-1]:
        a, b = b, a
    shape = np.broadcast_shapes(a.shape[:-1], b.shape[:-1])
    out = np.zeros((*shape, a.shape[-1] + b.shape[-1] - 1))
    for i in range(a.shape[-1]):
        out[..., i : i + b.shape[-1]] += a[..., i, None] * b
    return out


def _widened(p: Floats, width: int, before: int = 0) -> Floats:
    """Zero columns added before and after, up to `width` columns."""
    out = np.zeros((*p.shape[:-1], width))
    out[..., before : before + p.shape[-1]] = p
    return out
