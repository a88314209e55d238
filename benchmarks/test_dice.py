"""What a die costs, and a pool: `pytest benchmarks/test_dice.py`. Compare the rows of one group, timed in one run.

Each benchmark's `extra_info` says how many dice or pools one round makes.
"""

from __future__ import annotations

from typing import Any

import icepool
import numba
import numpy as np
import pytest

from wargamesim.dice.pmf import PMF
from wargamesim.dice.pools import chance_at_least, successes
from wargamesim.dice.stream import face

DICE = 1_000_000
POOLS = [(count, sides, at_least) for count in range(1, 21) for sides in range(6, 16) for at_least in range(2, 7)]


@numba.njit(nogil=True, error_model="numpy")
def roll_event_dice(key: int, battle: int, count: int) -> int:
    """Roll one die an event, as a battle does, and sum the faces so that none is left out."""
    total = 0
    for actor in range(count):
        total += face(key, battle, 1, actor, 0, 0, 6)
    return total


@numba.njit(nogil=True, error_model="numpy")
def roll_dependent_dice(key: int, battle: int, count: int) -> int:
    """Roll dice each of which waits for the one before, so that the processor can overlap none: the worst case."""
    total = 0
    for actor in range(count):
        total += face(key, battle, total, actor, 0, 0, 6)
    return total


@pytest.mark.benchmark(group="a million d6")
@pytest.mark.parametrize("roll", [roll_event_dice, roll_dependent_dice], ids=["events", "dependent"])
def test_event_keyed_dice(benchmark: Any, roll: Any) -> None:
    roll(np.uint64(1), 0, 10)
    benchmark.extra_info["dice"] = DICE
    assert benchmark(roll, np.uint64(1), 0, DICE) / DICE == pytest.approx(3.5, abs=0.02)


@pytest.mark.benchmark(group="a million d6")
def test_numpy_raw_dice(benchmark: Any) -> None:
    """The yardstick of all speeds of battles: bytes from SFC64, an array at a time."""
    rng = np.random.Generator(np.random.SFC64(1))
    benchmark.extra_info["dice"] = DICE
    assert benchmark(rng.integers, 1, 7, DICE, np.uint8).mean() == pytest.approx(3.5, abs=0.02)


@pytest.mark.benchmark(group="a million d6")
def test_numpy_philox_dice(benchmark: Any) -> None:
    """The same generator as ours, an array at a time and without events."""
    rng = np.random.Generator(np.random.Philox(1))
    benchmark.extra_info["dice"] = DICE
    assert benchmark(rng.integers, 1, 7, DICE, np.uint8).mean() == pytest.approx(3.5, abs=0.02)


def batched_pools() -> Any:
    count, sides, threshold = np.array(POOLS).T
    return successes(count, chance_at_least(sides, threshold)).p


def icepool_pools() -> Any:
    return [(count @ (icepool.d(sides) >= threshold)).probabilities() for count, sides, threshold in POOLS]


@pytest.mark.benchmark(group="a thousand success pools of 1 to 20 dice")
@pytest.mark.parametrize("pools", [batched_pools, icepool_pools], ids=["one batch", "icepool, a call each"])
def test_success_pools(benchmark: Any, pools: Any) -> None:
    benchmark.extra_info["pools"] = len(POOLS)
    result = benchmark.pedantic(pools, rounds=3, warmup_rounds=1)
    assert sum(result[-1]) == pytest.approx(1)


@pytest.mark.benchmark(group="sum of 100 d6")
@pytest.mark.parametrize(
    "total",
    [lambda: PMF.die(6).repeat(100).p, lambda: (100 @ icepool.d6).probabilities()],
    ids=["repeat", "icepool"],
)
def test_sum_of_dice(benchmark: Any, total: Any) -> None:
    assert sum(benchmark(total)) == pytest.approx(1)
