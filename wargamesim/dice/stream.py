"""Event-keyed dice: a die is a pure function of (key, battle, turn, actor, purpose, k), in any order, on any thread.

The generator is Philox4x64-10 [1]_, word for word that of `numpy.random.Philox`: the die ``k`` of an event is word
``k % 4`` of the first block of ``Philox(key=[key, battle], counter=[turn, actor, purpose, k // 4])``. So two variants
of a battle roll the same dice for the same event even after their courses have parted, and any battle can be replayed
alone.

Numba compiles a function anew for each type of argument, and a Python integer is int64 or uint64 by its size: a caller
that passes ``numpy.uint64(key)`` compiles its kernel once for all keys.

References
----------
.. [1] J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11, 2011.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from wargamesim.compiled import compiled
from wargamesim.dice.keys import battle_key

__all__ = ["battle_key", "face", "philox", "word"]

# Multipliers and Weyl increments of Philox4x64: part of the generator's definition [1].
M0, M1 = np.uint64(0xD2E7470EE14C6C93), np.uint64(0xCA5A826395121157)
W0, W1 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBB67AE8584CAA73B)
ROUNDS = 10


def _high_product(typing: Any, a: Any, b: Any) -> Any:  # noqa: ARG001
    """Upper 64 bits of the product of two uint64: one machine instruction, where Numba alone would need four."""

    def build(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        wide = ir.IntType(128)
        left, right = (builder.zext(argument, wide) for argument in arguments)
        product = builder.mul(left, right)
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), build


_high: Any = intrinsic(_high_product)


@compiled
def philox(k0: int, k1: int, c0: int, c1: int, c2: int, c3: int) -> tuple[int, int, int, int]:
    """Return the first block of `numpy.random.Philox` with this key and this counter (compiled).

    Parameters
    ----------
    k0, k1 : int64 or uint64
        The key; a negative number stands for itself plus 2**64, here and in the counter.
    c0, c1, c2, c3 : int64 or uint64
        The counter, its lowest word first. As in NumPy the block is that of the counter plus one, with carry.

    Returns
    -------
    tuple of four uint64
        What ``numpy.random.Philox(key=[k0, k1], counter=[c0, c1, c2, c3]).random_raw(4)`` returns.

    Examples
    --------
    >>> import numpy as np
    >>> list(philox(7, 1, 2, 3, 4, 5)) == np.random.Philox(key=[7, 1], counter=[2, 3, 4, 5]).random_raw(4).tolist()
    True
    """
    zero, one = np.uint64(0), np.uint64(1)
    a, b = np.uint64(k0), np.uint64(k1)
    x0: Any = np.uint64(c0) + one
    x1: Any = np.uint64(c1)
    x2: Any = np.uint64(c2)
    x3: Any = np.uint64(c3)
    if x0 == zero:
        x1 += one
        if x1 == zero:
            x2 += one
            if x2 == zero:
                x3 += one
    for _ in range(ROUNDS):
        x0, x1, x2, x3 = _high(M1, x2) ^ x1 ^ a, M1 * x2, _high(M0, x0) ^ x3 ^ b, M0 * x0
        a += W0
        b += W1
    return x0, x1, x2, x3


@compiled
def word(key: int, battle: int, turn: int, actor: int, purpose: int, k: int) -> int:
    """Return the 64 random bits of die `k` of an event (compiled).

    Parameters
    ----------
    key, battle : int64 or uint64
        The experiment's key (see `battle_key`) and the number of the battle.
    turn, actor, purpose : int64 or uint64
        The event: when, who, what for. Different events are independent.
    k : int64 or uint64
        Which die of the event, from 0.

    Returns
    -------
    uint64

    Examples
    --------
    >>> word(7, 1, 2, 3, 4, 6) == philox(7, 1, 2, 3, 4, 1)[2]
    True
    """
    index: Any = np.uint64(k)
    w0, w1, w2, w3 = philox(key, battle, turn, actor, purpose, index >> np.uint64(2))
    lane = index & np.uint64(3)
    if lane == np.uint64(0):
        return w0
    if lane == np.uint64(1):
        return w1
    if lane == np.uint64(2):
        return w2
    return w3


@compiled
def face(key: int, battle: int, turn: int, actor: int, purpose: int, k: int, sides: int) -> int:
    """Return the face of die `k` of an event, 1 to `sides` (compiled).

    The word is scaled to a face by multiply-shift, without rejection, so that a die always costs one word. Each face's
    probability differs from 1 / sides by less than 2**-64: for 1000 sides or fewer the relative bias is below 1e-15.

    Parameters
    ----------
    key, battle, turn, actor, purpose, k : int64 or uint64
        As in `word`.
    sides : int64 or uint64
        Number of sides, at least 1 (not checked here: rulebooks are).

    Returns
    -------
    int64

    Examples
    --------
    >>> [int(face(7, 1, 2, 3, 4, k, 6)) for k in range(8)]
    [6, 1, 3, 6, 2, 5, 1, 3]
    """
    return int(np.int64(_high(word(key, battle, turn, actor, purpose, k), np.uint64(sides)))) + 1
