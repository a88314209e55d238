"""What a die costs, and a pool: `pytest benchmarks/test_dice.py`. Compare the rows of one group, timed in one run.

Each benchmark's `extra_info` says how many dice, pools or fights one round makes. Fights of 32 dice against 32 have no
peers here: dyce takes about a minute for one, icepool longer.
"""

from __future__ import annotations

import warnings
from fractions import Fraction
from functools import cache
from typing import Any

import dyce
import dyce.evaluation
import icepool
import numba
import numpy as np
import pytest

from wargamesim.dice.allocation import allocate, tally
from wargamesim.dice.chain import absorb, attrition, attrition_by_round
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


# Fights to the end: each 6 removes a die


def ours(dice: int) -> dict[tuple[int, int], float]:
    end = attrition(dice, dice, 1 / 6, 1 / 6)
    wins = {(i, 0): p for i, p in enumerate(end.a_wins_with)} | {(0, j): p for j, p in enumerate(end.b_wins_with)}
    return wins | {(0, 0): float(end.both_destroyed)}


def ours_by_round(dice: int) -> dict[tuple[int, int], float]:
    end = attrition_by_round(dice, dice, 1 / 6, 1 / 6, rounds=60)
    return {(0, 0): float(sum(part.sum() for part in end))}


def of_icepool(dice: int) -> dict[tuple[int, int], float]:
    six = icepool.d6 == 6

    def step(i: int, j: int) -> Any:
        if i == 0 or j == 0:
            return icepool.Die([(i, j)])
        return icepool.map(lambda by_a, by_b: (max(i - by_b, 0), max(j - by_a, 0)), i @ six, j @ six)

    end = icepool.Die([(dice, dice)]).map(step, star=True, repeat="inf")
    return {state: float(end.probability(state)) for state in end}


def of_dyce(dice: int) -> dict[tuple[int, int], float]:
    pools = [n @ dyce.H(6).eq(6) for n in range(dice + 1)]

    @cache
    def end(i: int, j: int) -> Any:
        if not i or not j:
            return dyce.H({(i, j): 1})

        def after(by_a: Any, by_b: Any) -> Any:
            state = max(i - by_b.outcome, 0), max(j - by_a.outcome, 0)
            return dyce.H({}) if state == (i, j) else end(*state)

        return dyce.evaluation.expand(after, pools[i], pools[j], min_path_probability=Fraction(0))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dyce.lifecycle.ExperimentalWarning)
        return {state: float(p) for state, p in end(dice, dice).probability_items()}


@pytest.mark.parametrize(
    ("dice", "fight"),
    [
        (8, ours),
        (8, ours_by_round),
        (8, of_dyce),
        (8, of_icepool),
        (32, ours),
        (32, ours_by_round),
        (64, ours),
        (64, ours_by_round),
    ],
)
def test_fight_to_the_end(benchmark: Any, dice: int, fight: Any) -> None:
    benchmark.group = f"fight to the end of {dice} dice against {dice}"
    rounds = 20 if fight in (ours, ours_by_round) else 1
    result = benchmark.pedantic(fight, (dice,), rounds=rounds, warmup_rounds=min(rounds - 1, 1))
    assert sum(result.values()) == pytest.approx(1, abs=1e-4)


@pytest.mark.benchmark(group="a thousand fights of 8 dice against 8")
def test_fights_in_a_batch(benchmark: Any) -> None:
    hit = np.linspace(0.05, 0.95, 1000)
    benchmark.extra_info["fights"] = hit.size
    end = benchmark(attrition, 8, 8, hit, 1 / 6)
    assert end.undecided.max() == 0


@pytest.mark.benchmark(group="chain of states to the end")
@pytest.mark.parametrize("states", [30, 300])
def test_absorb(benchmark: Any, states: int) -> None:
    transition = np.random.default_rng(0).dirichlet(np.ones(states), states)
    end = benchmark(absorb, transition, np.eye(states), [0, 1])
    assert end.ends_in.sum() == pytest.approx(states)


# Hits at random over targets


def spread_by_us() -> Any:
    return allocate(successes(10, 1 / 6), 12).targets_hit.p


def spread_by_icepool() -> Any:
    hits = 10 @ (icepool.d6 == 6)
    return hits.map(lambda n: icepool.d(12).pool(n).unique().size() if n else 0).probabilities()


@pytest.mark.benchmark(group="targets hit of 12, by ten dice")
@pytest.mark.parametrize("spread", [spread_by_us, spread_by_icepool], ids=["allocate", "icepool"])
def test_targets_hit(benchmark: Any, spread: Any) -> None:
    assert sum(benchmark(spread)) == pytest.approx(1)


@pytest.mark.benchmark(group="killed and wounded of 1 to 20, by 20 dice at ten chances")
def test_tally(benchmark: Any) -> None:
    hits, targets = successes(20, np.linspace(0.1, 0.6, 10)), np.arange(1, 21)[:, None]
    benchmark.extra_info["volleys"] = 200
    assert benchmark(tally, hits, targets, [[1, 0, 0], [0.2, 0.5, 0.3], [0, 0.2, 0.8]]).sum() == pytest.approx(200)
