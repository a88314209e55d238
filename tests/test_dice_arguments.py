"""What is accepted as a count, a probability or a batch, and that the message names the argument."""

from __future__ import annotations

import numpy as np
import pytest

from wargamesim.dice.arguments import LARGEST, broadcast, distribution, integer, integers, probabilities
from wargamesim.errors import InputError


@pytest.mark.parametrize("good", [3, np.int8(3), np.uint64(3), [3], (3, 4), np.arange(3), [], [[1], [2]], LARGEST])
def test_integers(good: object) -> None:
    result = integers("n", good)  # type: ignore[arg-type]
    assert result.dtype == np.int64
    assert np.array_equal(result, np.asarray(good))


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (1.0, "n: must be integers, not 1.0"),
        ([2, 2.5], "n: must be integers, not 2.0"),
        (True, "n: must be integers, not True"),
        ("6", "n: must be integers, not '6'"),
        (None, "n: must be integers, not None"),
        ([[1, 2], [3]], "n: must be an array of one shape"),
        (LARGEST + 1, "n: must be within plus or minus 2**53, not 9007199254740993"),
        ([0, -(10**30)], "n: must be within plus or minus 2**53, not -1000000000000000000000000000000"),
        (np.uint64(2**64 - 1), "n: must be within plus or minus 2**53, not 18446744073709551615"),
    ],
)
def test_not_integers(bad: object, message: str) -> None:
    with pytest.raises(InputError) as error:
        integers("n", bad)  # type: ignore[arg-type]
    assert str(error.value) == message


def test_minimum() -> None:
    assert integers("sides", [1, 2], minimum=1).tolist() == [1, 2]
    with pytest.raises(InputError, match=r"^sides: must be at least 1, not 0$"):
        integers("sides", [1, 0], minimum=1)


def test_one_integer() -> None:
    assert integer("keep", np.int64(3)) == 3
    assert type(integer("keep", np.int64(3))) is int
    with pytest.raises(InputError, match=r"^keep: must be one integer, not an array$"):
        integer("keep", [3])  # type: ignore[arg-type]


@pytest.mark.parametrize("bad", [-1e-9, 1.001, np.nan, np.inf, [0.5, -0.1], "x", [[0.1], [0.1, 0.2]]])
def test_not_probabilities(bad: object) -> None:
    with pytest.raises(InputError, match=r"^chance: must be "):
        probabilities("chance", bad)  # type: ignore[arg-type]


def test_probabilities_are_a_copy() -> None:
    mine = np.array([0.0, 1.0])
    assert probabilities("chance", mine).tolist() == [0, 1]
    assert not np.shares_memory(probabilities("chance", mine), mine)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (0.5, "last axis of at least one"),
        ([], "last axis of at least one"),
        ([0.5, 0.4], "must sum to 1 along the last axis, not to 0.9"),
        ([[0.5, 0.5], [0.5, 0.5 + 1e-11]], "must sum to 1 along the last axis, not to 1.00000000001"),
        ([1.5, -0.5], "must be probabilities from 0 to 1, not 1.5"),
    ],
)
def test_not_a_distribution(bad: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        distribution("p", bad)  # type: ignore[arg-type]


def test_broadcast() -> None:
    assert broadcast(a=(3, 1), b=(), c=(4,)) == (3, 4)
    with pytest.raises(InputError, match=r"^count: shapes do not broadcast: count \(3,\), chance \(2,\)$"):
        broadcast(count=(3,), chance=(2,))
