"""Hits that fall on targets at random: how many targets are hit, how often one is, and what becomes of all of them.

With replacement each hit falls on any target with the same chance, whatever was hit before. Without replacement no
target is hit a second time before all have been hit once, none a third time before all have been hit twice, and so on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from wargamesim.dice.arguments import broadcast, distribution, integers
from wargamesim.dice.pmf import PMF, Floats, Integers
from wargamesim.dice.pools import success_table
from wargamesim.errors import InputError


class Allocation(NamedTuple):
    """`targets_hit` is the number of targets hit at least once, `hits_on_one` the number of hits on a given target."""

    targets_hit: PMF
    hits_on_one: PMF


def allocate(hits: PMF, targets: ArrayLike, *, replacement: bool = True) -> Allocation:
    """Return how hits spread at random over targets.

    Parameters
    ----------
    hits : PMF
        The number of hits, at least 0; for a fixed number ``PMF.constant(n)``.
    targets : int or array_like of int, at least 0
        Among how many targets they fall; broadcasts with the batch of `hits`. With no target all hits are lost.
    replacement : bool
        Whether a target may be hit again before all others have been hit as often.

    Returns
    -------
    Allocation
        Two PMF with batch broadcast(hits.batch, targets), both from 0.

    Raises
    ------
    InputError
        If a number of targets is no integer or negative, hits may be negative, or the shapes do not broadcast.

    Examples
    --------
    Six shots, each a hit on a 6, into four figures: the chance that at least two figures are hit, and that a given one
    is.

    >>> from wargamesim.dice.pools import successes
    >>> hits = successes(6, 1 / 6)
    >>> spread = allocate(hits, 4)
    >>> print(f"{spread.targets_hit.at_least(2):.4f} {spread.hits_on_one.at_least(1):.4f}")
    0.2095 0.2254
    >>> print(f"{allocate(hits, 4, replacement=False).targets_hit.at_least(2):.4f}")
    0.2632
    """
    p, count = _arguments(hits, targets)
    most = p.shape[-1] - 1
    # With no target there is nothing to divide by, and every hit is lost.
    divisor = np.maximum(count, 1)[..., None]
    if not replacement:
        number = np.arange(most + 1)
        laps, over = np.where(count[..., None] > 0, np.divmod(number, divisor), 0)
        reached = _sorted_into(p, np.minimum(number, count[..., None]))
        on_one = _sorted_into(p * (divisor - over) / divisor, laps) + _sorted_into(p * over / divisor, laps + 1)
        return Allocation(PMF(0, reached), PMF(0, on_one))
    hit_before = np.arange(min(most, count.max(initial=0)) + 1)
    fresh = np.maximum(count[..., None] - hit_before, 0) / divisor
    again = np.where(count[..., None] > 0, np.minimum(hit_before, count[..., None]) / divisor, 1.0)
    share = np.where(count > 0, 1 / divisor[..., 0], 0.0)[..., None]
    # Every hit changes both numbers by the same rule, so the last hit comes first: p0 + rule(p1 + rule(p2 + ...)).
    reached, on_one = np.zeros(fresh.shape), np.zeros(p.shape)
    for k in range(most, -1, -1):
        reached = again * reached + _one_more(fresh * reached)
        on_one = (1 - share) * on_one + _one_more(share * on_one)
        reached[..., 0] += p[..., k]
        on_one[..., 0] += p[..., k]
    return Allocation(PMF(0, reached), PMF(0, on_one))


def tally(hits: PMF, targets: ArrayLike, effect: ArrayLike, *, replacement: bool = True) -> Floats:
    """Return the joint distribution of how many targets end in each state, when hits spread at random over them.

    Parameters
    ----------
    hits, targets, replacement
        As in `allocate`.
    effect : array_like, shape (..., m, s)
        ``effect[..., k, i]`` is the probability that a target hit k times ends in state i of s; each row sums to 1. A
        target hit more often than the last row says ends as that row says. State 0 (in most rules unharmed) is that
        of all targets that the result does not count. The leading axes broadcast with the batch.

    Returns
    -------
    ndarray of float64, shape (*batch, n, ..., n) with n = max(targets) + 1 and s - 1 axes of n
        ``[..., c1, c2]`` is the probability that c1 targets end in state 1, c2 in state 2, and all others in state 0.

    Raises
    ------
    InputError
        As `allocate`, or if `effect` has no row, or one that is no distribution to 1e-12.

    Examples
    --------
    Six shots, each a hit on a 6, into four figures. Of those hit, 1/3 are killed and 1/2 wounded; two wounds kill, and
    the dead may be hit again. How likely are 0, 1 and 2 killed, and a kill together with no wound?

    >>> from wargamesim.dice.pools import successes
    >>> unharmed, wounded, killed = [1 / 6, 1 / 2, 1 / 3], [0, 1 / 6, 5 / 6], [0, 0, 1]
    >>> by_hits = np.array([np.linalg.matrix_power([unharmed, wounded, killed], k)[0] for k in range(7)])
    >>> joint = tally(successes(6, 1 / 6), 4, by_hits)
    >>> joint.sum(axis=0)[:3].round(4), round(float(joint[0, 1]), 4)
    (array([0.6902, 0.2757, 0.0328]), 0.1998)
    """
    p, count = _arguments(hits, targets)
    fate = distribution("effect", effect)
    if fate.ndim < 2 or fate.shape[-2] == 0:
        raise InputError(f"must have axes (..., times hit, state), not shape {fate.shape}", key="effect")
    batch = broadcast(effect=fate.shape[:-2], targets=count.shape)
    count, p = np.broadcast_to(count, batch), np.broadcast_to(p, (*batch, p.shape[-1]))
    most, most_hits = int(count.max(initial=0)), p.shape[-1] - 1
    # As many axes as the batch, so that those of the counts can stand before them.
    fate = fate.reshape(*(1,) * (len(batch) + 2 - fate.ndim), *fate.shape)
    axes = fate.shape[-1] - 1
    out = np.zeros((*(most + 1,) * axes, *batch))
    # joint[c1, c2, ..., *batch, h]: h hits fall on n targets, of which c1 end in state 1, c2 in state 2, ...
    joint = np.ones((*(1,) * axes, *fate.shape[:-2], most_hits + 1))
    for n in range(most + 1):
        if n:
            joint = _one_target_more(joint, _on_one_of(n, most_hits, replacement), fate)
        here = count == n
        if here.any():
            of_batch = np.broadcast_to(joint, (*joint.shape[:axes], *p.shape))
            found = (of_batch[(*(slice(None),) * axes, here)] * p[here]).sum(axis=-1)
            out[(*(slice(0, n + 1),) * axes, here)] = found
    return np.moveaxis(out, range(axes), range(-axes, 0))


def _one_target_more(others: Floats, takes: Floats, fate: Floats) -> Floats:
    """The joint distribution in `tally` with one target more, of which ``takes[h, k]`` says how often it is hit."""
    (rows, states), hits = fate.shape[-2:], takes.shape[-1]
    axes = states - 1
    joint = np.zeros((*(size + 1 for size in others.shape[:axes]), *others.shape[axes:]))
    for k in range(hits):
        chance = takes[k:, k, None] * fate[..., None, min(k, rows - 1), :]
        for state in range(states):
            ends = tuple(slice(1, None) if axis + 1 == state else slice(0, -1) for axis in range(axes))
            joint[(*ends, ..., slice(k, None))] += chance[..., state] * others[..., : hits - k]
    return joint


def _on_one_of(n: int, most_hits: int, replacement: bool) -> Floats:
    """``[h, k]``: the probability that of h hits on n targets k fall on a given one. Without replacement the other
    targets then share the rest in the same way, and so they do with replacement.
    """
    if replacement:
        return success_table(most_hits, 1 / n)
    number = np.arange(most_hits + 1)
    laps, over = np.divmod(number, n)
    table = np.zeros((most_hits + 1, most_hits + 1))
    table[number, laps] = (n - over) / n
    table[number, np.minimum(laps + 1, most_hits)] += over / n
    return table


def _arguments(hits: PMF, targets: ArrayLike) -> tuple[Floats, Integers]:
    """Probabilities of 0, 1, ... hits, and the numbers of targets, of one batch."""
    count = integers("targets", targets, minimum=0)
    shape = broadcast(hits=hits.batch, targets=count.shape)
    if hits.p[..., : max(-hits.start, 0)].any():
        raise InputError("must be at least 0 for certain", key="hits")
    p = np.zeros((*hits.batch, max(hits.start + hits.p.shape[-1], 1)))
    first = max(-hits.start, 0)
    p[..., hits.start + first :] = hits.p[..., first:]
    return np.broadcast_to(p, (*shape, p.shape[-1])), np.broadcast_to(count, shape)


def _one_more(p: Floats, axis: int = -1) -> Floats:
    """Probabilities of a number, made one higher along an axis; the highest there is room for has none."""
    out = np.zeros_like(p)
    np.moveaxis(out, axis, -1)[..., 1:] = np.moveaxis(p, axis, -1)[..., :-1]
    return out


def _sorted_into(p: Floats, values: Integers) -> Floats:
    """Sum of p[..., k] by ``values[..., k]``, in as many columns; what lies beyond them has no probability."""
    out = np.zeros_like(p)
    for k in range(p.shape[-1]):
        out += p[..., k, None] * (values[..., k, None] == np.arange(p.shape[-1]))
    return out
