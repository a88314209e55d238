"""Words of 64 bits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wargamesim.bits import NONE, ONE, bit, count, lowest, spread
from wargamesim.compiled import compiled

WORDS = st.integers(0, 2**64 - 1)


@compiled
def bit_of(index: int) -> np.uint64:
    return bit(index)


@compiled
def spread_of(word: np.uint64) -> np.uint64:
    return spread(word)


@compiled
def count_of(word: np.uint64) -> int:
    return count(word)


@compiled
def lowest_of(word: np.uint64) -> int:
    return lowest(word)


def test_one_and_none() -> None:
    assert (int(ONE), int(NONE)) == (1, 0)
    assert ONE.dtype == NONE.dtype == np.uint64


@pytest.mark.parametrize("index", [0, 1, 31, 32, 62, 63])
def test_one_bit(index: int) -> None:
    assert bit_of(index) == 1 << index


@example(0)
@example(1)
@example(2**63)
@example(2**64 - 1)
@given(WORDS)
def test_bits_and_their_neighbours(word: int) -> None:
    assert spread_of(np.uint64(word)) == (word | word << 1 | word >> 1) % 2**64


@example(0)
@example(2**63)
@example(2**64 - 1)
@given(WORDS)
def test_how_many_bits(word: int) -> None:
    assert count_of(np.uint64(word)) == word.bit_count()


@example(1)
@example(2**63)
@example(2**64 - 1)
@given(WORDS.filter(bool))
def test_the_lowest_bit(word: int) -> None:
    assert lowest_of(np.uint64(word)) == (word & -word).bit_length() - 1
