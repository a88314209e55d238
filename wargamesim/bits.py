"""Words of 64 bits for compiled code: one bit, the neighbours of bits, how many, the lowest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numba import types
from numba.extending import intrinsic

from wargamesim.compiled import inlined

ONE = np.uint64(1)
NONE = np.uint64(0)


@inlined
def bit(index: int) -> np.uint64:
    """Return the word with only this bit."""
    return ONE << np.uint64(index)


@inlined
def spread(word: np.uint64) -> np.uint64:
    """Return the bits and their neighbours on both sides."""
    return word | (word << ONE) | (word >> ONE)


def _count(_context: Any, _word: Any) -> Any:
    def build(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), build


def _lowest(_context: Any, _word: Any) -> Any:
    def build(target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], target.get_constant(types.boolean, 1))

    return types.int64(types.uint64), build


# How many bits of a word are set, and the index of the lowest bit of a word that is not 0: one instruction each.
count: Callable[[np.uint64], int] = cast(Any, intrinsic(_count))
lowest: Callable[[np.uint64], int] = cast(Any, intrinsic(_lowest))
