"""The dice of battles: equal to NumPy's Philox word for word, uniform, and independent from event to event.

Statistical tests run at fixed events, two-sided, and a fit too good fails as well. There are fewer than 1000
comparisons in this file and each is held to P_MIN = 1e-6, so a sound generator would fail one of them with a
probability below 0.001 (once: nothing here is drawn anew in each run).
"""

from __future__ import annotations

from itertools import combinations

import numba
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from wargamesim.dice import stream

P_MIN = 1e-6
TOP = 2**64 - 1
COORDINATES = ("key", "battle", "turn", "actor", "purpose", "k")
words64 = st.integers(0, TOP)


@numba.vectorize
def faces(key, battle, turn, actor, purpose, k, sides):  # type: ignore[no-untyped-def]
    return stream.face(key, battle, turn, actor, purpose, k, sides)


@numba.vectorize
def words(key, battle, turn, actor, purpose, k):  # type: ignore[no-untyped-def]
    return stream.word(key, battle, turn, actor, purpose, k)


def uniform_p(values: NDArray[np.int64], cells: int) -> float:
    """Two-sided p-value of chi-square: are the values 0 .. cells - 1 equally frequent?"""
    counts = np.bincount(values, minlength=cells)
    assert len(counts) == cells
    expected = values.size / cells
    statistic = float(((counts - expected) ** 2).sum() / expected)
    return 2 * float(min(stats.chi2.cdf(statistic, cells - 1), stats.chi2.sf(statistic, cells - 1)))


def grid(*sizes: int) -> NDArray[np.uint64]:
    """All events with coordinates below `sizes`, shape (6, events): small and dense, as a game uses them."""
    return np.indices(sizes).reshape(6, -1).astype("uint64")


# Equality


def test_published_vectors() -> None:
    """Known answers of Random123 (kat_vectors). They start at the counter itself, so ours is the one before.

    As uint64: where a call with small integers has been compiled, Numba takes any Python integer for an int64.
    """
    zero, top = np.uint64(0), np.uint64(TOP)
    assert stream.philox(zero, zero, top, top, top, top) == (
        0x16554D9ECA36314C,
        0xDB20FE9D672D0FDC,
        0xD7E772CEE186176B,
        0x7E68B68AEC7BA23B,
    )
    assert stream.philox(top, top, np.uint64(TOP - 1), top, top, top) == (
        0x87B092C3013FE90B,
        0x438C3C67BE8D0224,
        0x9CC7D7C69CD777B6,
        0xA09CAEBF594F0BA0,
    )


@settings(deadline=None)  # the first example compiles
@given(st.tuples(words64, words64), st.tuples(words64, words64, words64, words64))
@example((0, 0), (0, 0, 0, 0))
@example((0, TOP), (TOP, 5, 5, 5))
@example((1, 2), (TOP, TOP, 5, 5))
@example((1, 2), (TOP, TOP, TOP, 5))
@example((TOP, TOP), (TOP, TOP, TOP, TOP))
@example((1, 2), (TOP - 1, TOP, TOP, TOP))
def test_philox_equals_numpy(key: tuple[int, int], counter: tuple[int, int, int, int]) -> None:
    expected = np.random.Philox(key=np.array(key, "uint64"), counter=np.array(counter, "uint64")).random_raw(4)
    assert list(stream.philox(*map(np.uint64, key), *map(np.uint64, counter))) == expected.tolist()


@settings(deadline=None)  # the first example compiles
@given(words64, *[st.integers(0, 2**63 - 1)] * 4, st.integers(0, 1000))
@example(TOP, 0, 0, 0, 0, 7)
def test_word_is_word_of_block(key: int, battle: int, turn: int, actor: int, purpose: int, k: int) -> None:
    numpy = np.random.Philox(key=np.array([key, battle], "uint64"), counter=[turn, actor, purpose, k // 4])
    assert stream.word(np.uint64(key), battle, turn, actor, purpose, k) == numpy.random_raw(4)[k % 4]


@settings(deadline=None)  # the first example compiles
@given(words64, st.integers(0, 50), st.integers(1, 2**40))
def test_face_is_the_word_scaled(key: int, k: int, sides: int) -> None:
    word = int(stream.word(np.uint64(key), 1, 2, 3, 4, k))
    assert stream.face(np.uint64(key), 1, 2, 3, 4, k, sides) == 1 + (word * sides >> 64)


def test_any_integer_type_gives_the_same_dice() -> None:
    """Above all no float64, which Numba makes of int64 with uint64: the last bits would be lost."""
    for arguments in ((3, 4, 5, 6, 7, 9), (2**62 + 1, 2**62 + 3, 2**62 + 5, 2**62 + 7, 2**62 + 9, 2**62 + 11)):
        plain = stream.word(*arguments)
        assert isinstance(plain, int)
        for kind in (np.int64, np.uint64):
            assert stream.word(*map(kind, arguments)) == plain
        mixed = [np.uint64(a) if i % 2 else np.int64(a) for i, a in enumerate(arguments)]
        assert stream.word(*mixed) == plain
        result = stream.face(*mixed, np.uint64(20))
        assert isinstance(result, int)
        assert result == stream.face(*arguments, 20) == stream.face(*map(np.uint64, arguments), np.int64(20))
    assert stream.word(1, 2, -1, -2, -3, 0) == stream.word(1, 2, *map(np.uint64, (TOP, TOP - 1, TOP - 2)), 0)


def test_face_in_compiled_code_is_int64() -> None:
    assert faces(*grid(1, 1, 1, 1, 1, 2), np.uint64(6)).dtype == np.int64
    assert words(*grid(1, 1, 1, 1, 1, 2)).dtype == np.uint64


# Uniformity and independence


@pytest.mark.parametrize("sides", range(2, 21))
def test_faces_are_uniform(sides: int) -> None:
    dice = faces(*grid(2, 50, 20, 10, 4, 5), np.uint64(sides))
    assert dice.min() >= 1
    assert uniform_p(dice - 1, sides) > P_MIN


@pytest.mark.parametrize("sides", [6, 20])
@pytest.mark.parametrize("coordinate", COORDINATES)
@pytest.mark.parametrize("gap", [1, 2, 4, 5])
def test_neighbours_are_independent(coordinate: str, gap: int, sides: int) -> None:
    """Dice of two events that differ in one coordinate alone: all pairs of faces are equally frequent."""
    row = COORDINATES.index(coordinate)
    events = grid(10, 10, 10, 10, 10, 10)
    here = events[:, events[row] // np.uint64(gap) % 2 == 0]  # so that no event belongs to two pairs
    there = here.copy()
    there[row] += np.uint64(gap)
    assert here.shape[1] >= 500_000
    pairs = (faces(*here, np.uint64(sides)) - 1) * sides + faces(*there, np.uint64(sides)) - 1
    assert uniform_p(pairs, sides * sides) > P_MIN


@pytest.mark.parametrize(("first", "second"), list(combinations(range(6), 2)))
def test_coordinates_are_not_interchangeable(first: int, second: int) -> None:
    """Turn 2 of actor 3 is another event than turn 3 of actor 2, and so for every pair of coordinates."""
    events = np.random.default_rng(1).integers(0, 10_000, (6, 20_000)).astype("uint64")
    events = events[:, events[first] != events[second]]
    swapped = events.copy()
    swapped[[first, second]] = events[[second, first]]
    pairs = (faces(*events, np.uint64(6)) - 1) * 6 + faces(*swapped, np.uint64(6)) - 1
    assert uniform_p(pairs, 36) > P_MIN


def test_words_of_different_events_differ() -> None:
    """A million words of 64 bits: two equal ones by chance have a probability of 3e-8."""
    assert np.unique(words(*grid(10, 10, 10, 10, 10, 10))).size == 1_000_000


@pytest.mark.parametrize("coordinate", COORDINATES)
def test_one_changed_bit_changes_half_of_all_bits(coordinate: str) -> None:
    events = np.random.default_rng(2).integers(0, TOP, (6, 1000), dtype="uint64", endpoint=True)
    before = words(*events)
    for bit in range(64):
        changed = events.copy()
        changed[COORDINATES.index(coordinate)] ^= np.uint64(1 << bit)
        flips = int(np.bitwise_count(before ^ words(*changed)).sum())
        assert stats.binomtest(flips, before.size * 64).pvalue > P_MIN


@pytest.mark.parametrize("coordinate", COORDINATES)
def test_no_serial_correlation(coordinate: str) -> None:
    """Along each coordinate: the mean product of uniform numbers `lag` apart is normal with variance 1 / count."""
    uniform = words(*grid(*(200_000 if name == coordinate else 1 for name in COORDINATES))) * 2.0**-64 - 0.5
    for lag in range(1, 9):
        products = uniform[lag:] * uniform[:-lag] * 12
        z = products.sum() / np.sqrt(products.size)
        assert 2 * stats.norm.sf(abs(z)) > P_MIN


def test_the_statistics_see_a_poor_generator() -> None:
    """The same tests reject dice from a multiplicative hash of the event, uniform as its faces are alone."""
    number = np.arange(40_000, dtype="uint64")
    poor = (number * stream.W0 >> np.uint64(32)).astype("int64") * 6 >> 32
    pairs = poor[1:] * 6 + poor[:-1]
    assert uniform_p(pairs, 36) < P_MIN
    assert uniform_p(poor, 6) < P_MIN, "too even to be dice"
