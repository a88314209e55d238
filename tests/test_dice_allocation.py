"""Hits on targets at random: against every way they can fall in fractions, closed forms, icepool and dyce."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import dyce
import icepool
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wargamesim.dice.allocation import allocate, tally
from wargamesim.dice.pmf import PMF
from wargamesim.dice.pools import chance_at_least, successes
from wargamesim.errors import InputError

EXACT = 1e-12
TINY = 1e-300  # below it float64 itself loses digits
both_ways = pytest.mark.parametrize("replacement", [True, False])


def falls(hits: int, targets: int, replacement: bool) -> dict[tuple[int, ...], Fraction]:
    """Hits on each target: every hit falls on any of all targets, or on any of those that were hit least."""
    now = {(0,) * targets: Fraction(1)}
    for _ in range(hits if targets else 0):
        after: dict[tuple[int, ...], Fraction] = {}
        for taken, p in now.items():
            open_to = [i for i in range(targets) if replacement or taken[i] == min(taken)]
            for i in open_to:
                more = (*taken[:i], taken[i] + 1, *taken[i + 1 :])
                after[more] = after.get(more, Fraction(0)) + p / len(open_to)
        now = after
    return now


def assert_pmf(pmf: PMF, twin: dict[int, Fraction]) -> None:
    assert sum(twin.values()) == 1
    assert set(twin) <= set(pmf.values.tolist())
    for value, p in zip(pmf.values.tolist(), pmf.p, strict=True):
        assert p == pytest.approx(float(twin.get(value, 0)), rel=EXACT, abs=TINY)


# One number of targets hit, one of hits on a target


@both_ways
@pytest.mark.parametrize("targets", range(5))
@pytest.mark.parametrize("hits", range(7))
def test_by_every_way_hits_can_fall(hits: int, targets: int, replacement: bool) -> None:
    distinct: dict[int, Fraction] = {}
    on_first: dict[int, Fraction] = {}
    for taken, p in falls(hits, targets, replacement).items():
        reached, first = sum(k > 0 for k in taken), taken[0] if taken else 0
        distinct[reached] = distinct.get(reached, Fraction(0)) + p
        on_first[first] = on_first.get(first, Fraction(0)) + p
    result = allocate(PMF.constant(hits), targets, replacement=replacement)
    assert_pmf(result.targets_hit, distinct)
    assert_pmf(result.hits_on_one, on_first)


@pytest.mark.parametrize(("hits", "targets"), [(200, 90), (40, 300), (300, 2), (25, 1)])
def test_closed_forms(hits: int, targets: int) -> None:
    """Targets missed by inclusion and exclusion; hits on one are binomial."""
    result = allocate(PMF.constant(hits), targets)
    ways = [sum((-1) ** i * comb(d, i) * (d - i) ** hits for i in range(d + 1)) for d in range(targets + 1)]
    total = {d: Fraction(comb(targets, d) * way, targets**hits) for d, way in enumerate(ways) if way}
    assert_pmf(result.targets_hit, total)
    share = Fraction(1, targets)
    assert_pmf(result.hits_on_one, {k: comb(hits, k) * share**k * (1 - share) ** (hits - k) for k in range(hits + 1)})
    assert float(result.targets_hit.mean()) == pytest.approx(float(targets * (1 - (1 - share) ** hits)), rel=EXACT)


def test_spread_of_icepool() -> None:
    """Five hits on six targets: faces shown, and ones among them; a deck dealt for hits without replacement."""
    result = allocate(PMF.constant(5), 6)
    shown = icepool.d6.pool(5).unique().size()
    ones = 5 @ (icepool.d6 == 1)
    for k in range(6):
        assert float(result.targets_hit.equal_to(k)) == pytest.approx(float(shown.probability(k)), rel=EXACT)
        assert float(result.hits_on_one.equal_to(k)) == pytest.approx(float(ones.probability(k)), rel=EXACT)
    # Two full decks one after the other: eight hits on six targets are one lap and a deal of two.
    dealt = icepool.Deck(range(6)).deal(2).keep_counts("==", 1).intersection([0]).size()
    again = allocate(PMF.constant(8), 6, replacement=False).hits_on_one
    for k in (0, 1):
        assert float(again.equal_to(k + 1)) == pytest.approx(float(dealt.probability(k)), rel=EXACT)


def test_spread_of_dyce() -> None:
    """Four dice that hit on at least 5, on three targets: as many dice of three faces as there are hits."""
    hits = 4 @ dyce.H(6).ge(5)
    faces_shown: dict[int, Fraction] = {}
    ones: dict[int, Fraction] = {}
    for n, p in hits.probability_items():
        rolls = (n @ dyce.P(dyce.H(3))).rolls_with_counts() if n else [((), 1)]
        for roll, count in rolls:
            share = Fraction(p) * Fraction(count, 3**n)
            faces_shown[len(set(roll))] = faces_shown.get(len(set(roll)), Fraction(0)) + share
            ones[roll.count(1)] = ones.get(roll.count(1), Fraction(0)) + share
    result = allocate(successes(4, chance_at_least(6, 5)), 3)
    assert_pmf(result.targets_hit, faces_shown)
    assert_pmf(result.hits_on_one, ones)


@given(st.integers(0, 12), st.integers(1, 9), st.floats(0, 1), st.booleans())
def test_hits_are_shared_out_to_the_last(count: int, targets: int, chance: float, replacement: bool) -> None:
    hits = successes(count, chance)
    result = allocate(hits, targets, replacement=replacement)
    assert targets * float(result.hits_on_one.mean()) == pytest.approx(float(hits.mean()), rel=EXACT, abs=TINY)
    # A given target is hit as often as targets are hit on average.
    hit = targets * float(result.hits_on_one.at_least(1))
    assert float(result.targets_hit.mean()) == pytest.approx(hit, rel=EXACT, abs=TINY)
    assert float(result.targets_hit.at_least(1)) == pytest.approx(float(hits.at_least(1)), rel=EXACT, abs=TINY)


@given(st.integers(0, 12), st.integers(0, 9), st.floats(0, 1))
def test_without_replacement_at_least_as_many_are_hit(count: int, targets: int, chance: float) -> None:
    hits, k = successes(count, chance), np.arange(10)
    same, other = (allocate(hits, targets, replacement=r).targets_hit.at_least(k) for r in (True, False))
    assert (other >= same - EXACT).all()


@both_ways
def test_a_batch_is_a_loop_of_singles(replacement: bool) -> None:
    counts, chances, targets = np.array([[0], [3], [9]]), [0.0, 0.3, 1.0, 0.7], np.array([[[0]], [[1]], [[4]]])
    hits = successes(counts, chances)
    batch = allocate(hits, targets, replacement=replacement)
    assert batch.targets_hit.batch == batch.hits_on_one.batch == (3, 3, 4)
    for i, j, k in np.ndindex(3, 3, 4):
        single = allocate(successes(counts[j, 0], chances[k]), int(targets[i, 0, 0]), replacement=replacement)
        for all_of_them, one in zip(batch, single, strict=True):
            values = np.arange(12)
            np.testing.assert_allclose(
                [PMF(0, all_of_them.p[i, j, k]).equal_to(values)], [one.equal_to(values)], rtol=EXACT, atol=TINY
            )


def test_hits_that_start_anywhere() -> None:
    late, early = allocate(PMF.die(3).shift(2), 4), allocate(PMF(-2, [0, 0, 0, 0, 0, 1 / 3, 1 / 3, 1 / 3]), 4)
    for one, other in zip(late, early, strict=True):
        np.testing.assert_array_equal(one.p, other.p)
    mean = sum(float(allocate(PMF.constant(k), 4).targets_hit.mean()) for k in (3, 4, 5)) / 3
    assert float(late.targets_hit.mean()) == pytest.approx(mean, rel=EXACT)
    assert allocate(PMF.constant(0), [0, 3]).targets_hit.p.tolist() == [[1], [1]]
    assert allocate(PMF.constant(4), []).targets_hit.batch == (0,)


# What becomes of all targets


def one_by_one(hits: int, targets: int, effect: list[list[Fraction]], replacement: bool) -> dict[Any, Fraction]:
    """How many targets end in each state but the first: every way hits can fall, every way targets can end."""
    states = range(len(effect[0]))
    total: dict[Any, Fraction] = {}
    for taken, p in falls(hits, targets, replacement).items():
        for ends in product(states, repeat=targets):
            chance = p
            for times, end in zip(taken, ends, strict=True):
                chance *= effect[min(times, len(effect) - 1)][end]
            key = tuple(ends.count(state) for state in states[1:])
            total[key] = total.get(key, Fraction(0)) + chance
    return total


@st.composite
def effects(draw: st.DrawFn) -> list[list[Fraction]]:
    states = draw(st.integers(1, 3))
    row = st.lists(st.integers(0, 3), min_size=states, max_size=states).filter(any)
    return [[Fraction(w, sum(weights)) for w in weights] for weights in draw(st.lists(row, min_size=1, max_size=4))]


@both_ways
@given(st.integers(0, 5), st.integers(0, 3), effects())
def test_tally_by_every_way(replacement: bool, hits: int, targets: int, effect: list[list[Fraction]]) -> None:
    twin = one_by_one(hits, targets, effect, replacement)
    result = tally(PMF.constant(hits), targets, np.array(effect, dtype=float), replacement=replacement)
    assert result.shape == (targets + 1,) * (len(effect[0]) - 1)
    for counts, p in np.ndenumerate(result):
        assert p == pytest.approx(float(twin.get(counts, 0)), rel=EXACT, abs=TINY)


@both_ways
@given(st.integers(0, 12), st.integers(0, 9), st.floats(0, 1))
def test_a_tally_of_those_hit_and_of_those_hit_thrice(
    replacement: bool, count: int, targets: int, chance: float
) -> None:
    hits = successes(count, chance)
    result = allocate(hits, targets, replacement=replacement)
    hit = tally(hits, targets, [[1, 0], [0, 1]], replacement=replacement)
    np.testing.assert_allclose(hit, result.targets_hit.equal_to(np.arange(targets + 1)), rtol=EXACT, atol=TINY)
    thrice = tally(hits, targets, [[1, 0, 0], [0, 1, 0], [0, 1, 0], [0, 0, 1]], replacement=replacement)
    assert abs(thrice.sum() - 1) <= EXACT
    mean = (thrice.sum(axis=0) * np.arange(targets + 1)).sum()
    assert mean == pytest.approx(targets * float(result.hits_on_one.at_least(3)), rel=EXACT, abs=TINY)


@both_ways
def test_a_batch_of_tallies_is_a_loop_of_singles(replacement: bool) -> None:
    hits, targets = successes([[0], [4], [7]], [0.2, 0.9]), np.array([[[0]], [[3]], [[5]], [[1]]])
    effect = np.random.default_rng(0).dirichlet(np.ones(3), (2, 3))
    batch = tally(hits, targets, effect, replacement=replacement)
    assert batch.shape == (4, 3, 2, 6, 6)
    np.testing.assert_allclose(batch.sum(axis=(-2, -1)), 1, rtol=0, atol=EXACT)
    for i, j, k in np.ndindex(4, 3, 2):
        n = int(targets[i, 0, 0])
        single = tally(PMF(0, hits.p[j, k]), n, effect[k], replacement=replacement)
        np.testing.assert_allclose(batch[i, j, k, : n + 1, : n + 1], single, rtol=EXACT, atol=TINY)
        assert not batch[i, j, k, n + 1 :].any()
        assert not batch[i, j, k, :, n + 1 :].any()


# Bad input


@pytest.mark.parametrize(
    ("hits", "targets", "message"),
    [
        (PMF.die(6), -1, r"^targets: must be at least 0, not -1$"),
        (PMF.die(6), 1.5, r"^targets: must be integers, not 1\.5$"),
        (PMF.die(6).shift(-2), 3, r"^hits: must be at least 0 for certain$"),
        (PMF.die([6, 8]), [1, 2, 3], r"^hits: shapes do not broadcast: hits \(2,\), targets \(3,\)$"),
    ],
)
def test_bad_input_names_the_argument(hits: PMF, targets: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        allocate(hits, targets)
    with pytest.raises(InputError, match=message):
        tally(hits, targets, [[1, 0], [0, 1]])


@pytest.mark.parametrize(
    ("effect", "message"),
    [
        ([1, 0], r"^effect: must have axes \(\.\.\., times hit, state\), not shape \(2,\)$"),
        ([[0.5, 0.4], [0, 1]], r"^effect: must sum to 1 along the last axis, not to 0\.9$"),
        ([[1.5, -0.5], [0, 1]], r"^effect: must be probabilities from 0 to 1, not 1\.5$"),
        (np.zeros((0, 2)), r"^effect: must have axes \(\.\.\., times hit, state\), not shape \(0, 2\)$"),
        ([np.eye(2)] * 3, r"^effect: shapes do not broadcast: effect \(3,\), targets \(2,\)$"),
    ],
)
def test_bad_effects(effect: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        tally(PMF.die(6), [3, 4], effect)
