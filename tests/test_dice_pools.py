"""Success pools and kept dice: against every combination of faces in fractions, icepool and dyce."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import comb

import dyce
import icepool
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wargamesim.dice.pmf import PMF
from wargamesim.dice.pools import chance_at_least, chance_one_of, keep_highest, keep_lowest, success_table, successes
from wargamesim.errors import InputError

EXACT = 1e-12
TINY = 1e-300  # below it float64 itself loses digits
faces = st.frozensets(st.integers(-2, 14), max_size=5)


# One die


@given(st.integers(1, 12), st.integers(-5, 20), st.integers(-8, 8), faces, faces)
def test_chance_at_least(
    sides: int, threshold: int, modifier: int, always: frozenset[int], never: frozenset[int]
) -> None:
    never -= always
    good = [
        face for face in range(1, sides + 1) if face in always or (face + modifier >= threshold and face not in never)
    ]
    result = chance_at_least(sides, threshold, modifier, always, never)
    assert float(result) == pytest.approx(float(Fraction(len(good), sides)), abs=EXACT)


@given(st.integers(1, 12), faces)
def test_chance_one_of(sides: int, shown: frozenset[int]) -> None:
    twin = Fraction(sum(face in shown for face in range(1, sides + 1)), sides)
    assert float(chance_one_of(sides, shown)) == pytest.approx(float(twin), abs=EXACT)


def test_natural_faces_are_apart_from_the_modified_total() -> None:
    """A d20 with -30 still succeeds on a natural 20, and with +30 still fails on a natural 1."""
    chance = chance_at_least(20, 10, [-30, 0, 30], always={20}, never={1})
    np.testing.assert_allclose(chance, [1 / 20, 11 / 20, 19 / 20], rtol=EXACT)


def test_chances_are_a_batch() -> None:
    sides, threshold, modifier = np.array([[4], [6], [20]]), np.arange(1, 9), np.arange(8)[::-1]
    batch = chance_at_least(sides, threshold, modifier, always={4}, never={1, 2})
    assert batch.shape == (3, 8)
    for (i, j), chance in np.ndenumerate(batch):
        assert chance == chance_at_least(sides[i, 0], threshold[j], modifier[j], always={4}, never={1, 2})
    assert chance_one_of(sides, {4, 5}).shape == (3, 1)


@given(st.integers(1, 20), st.integers(-5, 25))
def test_a_better_modifier_never_hurts(sides: int, threshold: int) -> None:
    chances = chance_at_least(sides, threshold, np.arange(-10, 11), always={sides}, never={1} - {sides})
    assert (np.diff(chances) >= 0).all()


# Pools


@given(st.integers(0, 30), st.fractions(0, 1, max_denominator=1000))
def test_successes_are_binomial(count: int, chance: Fraction) -> None:
    pool = successes(count, float(chance))
    assert pool.values.tolist() == list(range(count + 1))
    for k, p in enumerate(pool.p):
        twin = comb(count, k) * chance**k * (1 - chance) ** (count - k)
        assert p == pytest.approx(float(twin), abs=EXACT)


@given(st.integers(0, 20), st.floats(0, 1))
def test_pool_of_n_is_the_n_fold_sum(count: int, chance: float) -> None:
    one, total = successes(1, chance), PMF.constant(0)
    for _ in range(count):
        total = total.plus(one)
    np.testing.assert_allclose(successes(count, chance).p, total.p, rtol=EXACT, atol=TINY)


@given(st.lists(st.integers(0, 12), min_size=3, max_size=3), st.lists(st.floats(0, 1), min_size=2, max_size=2))
def test_a_batch_of_pools_is_a_loop_of_singles(counts: list[int], chances: list[float]) -> None:
    batch = successes(np.array(counts)[:, None], chances)
    assert batch.batch == (3, 2)
    assert np.abs(batch.p.sum(axis=-1) - 1).max() <= EXACT
    for i, j in np.ndindex(3, 2):
        single = successes(counts[i], chances[j]).p
        np.testing.assert_allclose(batch.p[i, j, : single.size], single, rtol=EXACT, atol=TINY)
        assert not batch.p[i, j, single.size :].any()


@given(st.integers(0, 12), st.lists(st.floats(0, 1), max_size=3))
def test_a_table_of_pools_holds_every_size(most: int, chances: list[float]) -> None:
    table = success_table(most, chances)
    assert table.shape == (len(chances), most + 1, most + 1)
    pools = successes(np.arange(most + 1), np.array(chances)[:, None]).p
    np.testing.assert_allclose(table, pools, rtol=EXACT, atol=TINY)


def test_pools_of_icepool_and_dyce() -> None:
    """The number of 5s and 6s among seven d6."""
    ours = successes(7, chance_at_least(6, 5))
    theirs = 7 @ (icepool.d6 >= 5)
    also = 7 @ dyce.H(6).ge(5)
    also_chances = dict(also.probability_items())
    for k, p in zip(ours.values.tolist(), ours.p, strict=True):
        assert p == pytest.approx(float(theirs.probability(k)), rel=EXACT)
        assert p == pytest.approx(float(also_chances[k]), rel=EXACT)
    np.testing.assert_array_equal(ours.p, successes(7, chance_one_of(6, {5, 6})).p)


# Kept dice


@pytest.mark.parametrize("values", [[1, 2, 3, 4], [0, 0, 1, 5], [-2, 3]])
@pytest.mark.parametrize("count", range(5))
def test_kept_dice_by_every_combination(values: list[int], count: int) -> None:
    die = PMF.from_faces(values)
    for keep in range(count + 1):
        for result, best_first in ((keep_highest(die, count, keep), True), (keep_lowest(die, count, keep), False)):
            twin: dict[int, Fraction] = {}
            for rolled in product(values, repeat=count):
                total = sum(sorted(rolled, reverse=best_first)[:keep])
                twin[total] = twin.get(total, Fraction(0)) + Fraction(1, len(values) ** count)
            for value, p in zip(result.values.tolist(), result.p, strict=True):
                assert p == pytest.approx(float(twin.pop(value, Fraction(0))), abs=EXACT)
            assert not twin


@pytest.mark.parametrize(("count", "keep"), [(4, 3), (10, 2), (12, 12), (20, 1)])
def test_kept_dice_of_icepool(count: int, keep: int) -> None:
    for result, theirs in (
        (keep_highest(PMF.die(10), count, keep), icepool.d10.highest(count, keep)),
        (keep_lowest(PMF.die(10), count, keep), icepool.d10.lowest(count, keep)),
    ):
        assert abs(result.p.sum() - 1) <= EXACT
        for value, p in zip(result.values.tolist(), result.p, strict=True):
            assert p == pytest.approx(float(theirs.probability(value)), rel=EXACT)


def test_kept_dice_are_a_batch() -> None:
    batch = keep_highest(PMF.die([4, 6]), 3, 2)
    for i, sides in enumerate((4, 6)):
        single = keep_highest(PMF.die(sides), 3, 2).p
        np.testing.assert_allclose(batch.p[i, : single.size], single, rtol=EXACT, atol=TINY)


@given(st.integers(1, 8), st.integers(0, 5), st.integers(0, 5))
def test_keeping_all_is_the_sum_and_the_highest_turned_round_is_the_lowest(sides: int, keep: int, more: int) -> None:
    die, count = PMF.die(sides), keep + more
    np.testing.assert_allclose(keep_highest(die, keep, keep).p, die.repeat(keep).p, rtol=1e-10)
    turned = keep_lowest(die.scale(-1), count, keep).scale(-1)
    np.testing.assert_allclose(keep_highest(die, count, keep).p, turned.p, rtol=EXACT)


# Bad input


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: chance_at_least(0, 3), "sides: must be at least 1, not 0"),
        (lambda: chance_at_least(6, 3.5), "threshold: must be integers, not 3.5"),
        (lambda: chance_at_least(6, 3, 0.5), "modifier: must be integers, not 0.5"),
        (lambda: chance_at_least(6, [3, 4], [1, 2, 3]), "sides: shapes do not broadcast"),
        (lambda: chance_at_least(6, 3, always={1, 6}, never={1}), "always: natural faces [1] are also in never"),
        (lambda: chance_at_least(6, 3, never={1.5}), "never: must be integers, not 1.5"),
        (lambda: chance_one_of([6, 0], {1}), "sides: must be at least 1, not 0"),
        (lambda: chance_one_of(6, {"1"}), "faces: must be integers, not '1'"),
        (lambda: chance_one_of(6, 4), "faces: must be a collection of natural faces such as {1}, not 4"),
        (lambda: chance_at_least(6, 3, always=6), "always: must be a collection of natural faces such as {1}, not 6"),
        (lambda: success_table(-1, 0.5), "most: must be at least 0, not -1"),
        (lambda: success_table([1, 2], 0.5), "most: must be one integer, not an array"),
        (lambda: success_table(1, [-0.5]), "chance: must be probabilities from 0 to 1, not -0.5"),
        (lambda: successes(-1, 0.5), "count: must be at least 0, not -1"),
        (lambda: successes(2.5, 0.5), "count: must be integers, not 2.5"),
        (lambda: successes(2, 1.5), "chance: must be probabilities from 0 to 1, not 1.5"),
        (lambda: successes([1, 2], [0.1, 0.2, 0.3]), "count: shapes do not broadcast: count (2,), chance (3,)"),
        (lambda: keep_highest(PMF.die(6), 3, 4), "keep: must be at most count (3), not 4"),
        (lambda: keep_lowest(PMF.die(6), -3, 1), "count: must be at least 0, not -3"),
        (lambda: keep_lowest(PMF.die(6), 3, -1), "keep: must be at least 0, not -1"),
    ],
)
def test_bad_input_names_the_argument(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value).startswith(message)
