"""Words of 64 bits for compiled code: one bit, the neighbours of bits, how many, the lowest."""

from __future__ import annotations

from typing import Any

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


@intrinsic  # type: ignore[untyped-decorator]
def count(_context: Any, _word: Any) -> Any:
    """Return how many bits are set."""

    def build(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), build


@intrinsic  # type: ignore[untyped-decorator]
def lowest(_context: Any, _word: Any) -> Any:
    """Return the index of the lowest bit of a word that is not 0."""

    def build(target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], target.get_constant(types.boolean, 1))

    return types.int64(types.uint64), build
