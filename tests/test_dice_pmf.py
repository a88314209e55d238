"""Distributions of integers: each construction has a twin in fractions, and icepool and dyce as oracles."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import dyce
import icepool
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wargamesim.dice.pmf import PMF, mixture
from wargamesim.errors import InputError

Twin = dict[int, Fraction]
EXACT = 1e-12


def twin_of(pmf: PMF) -> Twin:
    """The float probabilities of a single distribution as they are, without the zeros."""
    return {int(v): Fraction(float(p)) for v, p in zip(pmf.values, pmf.p, strict=True) if p}


def combined(function: Callable[..., int], *twins: Twin) -> Twin:
    """The distribution of a function of independent numbers, by looking at every combination."""
    out: Twin = {}
    for items in product(*(twin.items() for twin in twins)):
        value = function(*(v for v, _ in items))
        chance = Fraction(1)
        for _, p in items:
            chance *= p
        out[value] = out.get(value, Fraction(0)) + chance
    return out


def die(sides: int) -> Twin:
    return {face: Fraction(1, sides) for face in range(1, sides + 1)}


def assert_same(pmf: PMF, twin: dict[int, Any]) -> None:
    assert pmf.batch == ()
    known = {int(v): float(p) for v, p in zip(pmf.values, pmf.p, strict=True)}
    for value in known.keys() | twin.keys():
        assert known.get(value, 0.0) == pytest.approx(float(twin.get(value, 0)), abs=EXACT, rel=EXACT)


@st.composite
def pmfs(draw: st.DrawFn, batch: tuple[int, ...] = ()) -> PMF:
    """Any small distribution, or a batch of them, also with impossible values and rare ones."""
    width = draw(st.integers(1, 6))
    cells = int(np.prod(batch)) * width
    weights = np.array(draw(st.lists(st.integers(0, 10**6), min_size=cells, max_size=cells))).reshape(*batch, width)
    weights[..., draw(st.integers(0, width - 1))] += 1
    return PMF(draw(st.integers(-5, 5)), weights / weights.sum(axis=-1, keepdims=True))


integers = st.integers(-12, 12)


# Constructions against their twins


@pytest.mark.parametrize("sides", [1, 2, 6, 20, 100])
def test_die(sides: int) -> None:
    assert_same(PMF.die(sides), die(sides))


def test_batch_of_dice() -> None:
    dice = PMF.die([[1, 4], [6, 20]])
    assert dice.batch == (2, 2)
    for index, sides in (((0, 0), 1), ((0, 1), 4), ((1, 0), 6), ((1, 1), 20)):
        assert_same(PMF(1, dice.p[index]), die(sides))


def test_constant() -> None:
    assert_same(PMF.constant(-3), {-3: 1})
    assert PMF.constant([2, -1]).equal_to([2, -1]).tolist() == [1, 1]


def test_from_faces() -> None:
    assert_same(PMF.from_faces([5, -1, 5, 0]), {-1: Fraction(1, 4), 0: Fraction(1, 4), 5: Fraction(1, 2)})


@given(pmfs(), integers)
def test_shift(pmf: PMF, amount: int) -> None:
    assert_same(pmf.shift(amount), combined(lambda v: v + amount, twin_of(pmf)))


@given(pmfs(), st.integers(-3, 3))
def test_scale(pmf: PMF, factor: int) -> None:
    assert_same(pmf.scale(factor), combined(lambda v: v * factor, twin_of(pmf)))


@given(pmfs(), st.none() | integers, st.none() | st.integers(0, 20))
def test_clamp(pmf: PMF, low: int | None, above: int | None) -> None:
    high = None if above is None else above + (low or 0)
    bounds = (-99 if low is None else low), (99 if high is None else high)
    assert_same(pmf.clamp(low, high), combined(lambda v: min(max(v, bounds[0]), bounds[1]), twin_of(pmf)))


@given(pmfs(), st.lists(integers, min_size=6, max_size=6))
def test_map(pmf: PMF, images: list[int]) -> None:
    result = pmf.map(lambda values: np.array(images)[values - pmf.start])
    assert_same(result, combined(lambda v: images[v - pmf.start], twin_of(pmf)))


@given(pmfs(), pmfs())
def test_plus(x: PMF, y: PMF) -> None:
    assert_same(x.plus(y), combined(lambda a, b: a + b, twin_of(x), twin_of(y)))


@given(pmfs(), st.integers(0, 4))
def test_repeat_is_the_sum_of_copies(pmf: PMF, count: int) -> None:
    assert_same(pmf.repeat(count), combined(lambda *faces: sum(faces), *[twin_of(pmf)] * count))


@given(pmfs(), st.integers(0, 40))
def test_repeat_is_repeated_plus(pmf: PMF, count: int) -> None:
    total = PMF.constant(0)
    for _ in range(count):
        total = total.plus(pmf)
    result = pmf.repeat(count)
    assert result.start == total.start
    np.testing.assert_allclose(result.p, total.p, rtol=EXACT)


@given(pmfs(), pmfs(), st.fractions(0, 1, max_denominator=1000))
def test_mixture(x: PMF, y: PMF, weight: Fraction) -> None:
    twin: Twin = {}
    for part, share in ((twin_of(x), weight), (twin_of(y), 1 - weight)):
        for value, p in part.items():
            twin[value] = twin.get(value, Fraction(0)) + share * p
    assert_same(mixture([x, y], [float(weight), float(1 - weight)]), twin)


@given(pmfs())
def test_moments(pmf: PMF) -> None:
    twin = twin_of(pmf)
    mean = sum(v * p for v, p in twin.items())
    var = sum((v - mean) ** 2 * p for v, p in twin.items())
    assert float(pmf.mean()) == pytest.approx(float(mean), abs=EXACT)
    assert float(pmf.var()) == pytest.approx(float(var), abs=EXACT)


@given(pmfs(), integers)
def test_probabilities_by_definition(pmf: PMF, k: int) -> None:
    twin = twin_of(pmf)
    for result, holds in (
        (pmf.equal_to(k), lambda v: v == k),
        (pmf.at_least(k), lambda v: v >= k),
        (pmf.more_than(k), lambda v: v > k),
        (pmf.at_most(k), lambda v: v <= k),
        (pmf.less_than(k), lambda v: v < k),
    ):
        assert float(result) == pytest.approx(float(sum(p for v, p in twin.items() if holds(v))), abs=EXACT)


@given(pmfs(), pmfs())
def test_compare(x: PMF, y: PMF) -> None:
    signs = combined(lambda a, b: (a > b) - (a < b), twin_of(x), twin_of(y))
    for result, sign in zip(x.compare(y), (1, 0, -1), strict=True):
        assert float(result) == pytest.approx(float(signs.get(sign, 0)), abs=EXACT)


# Oracles


def test_icepool_agrees() -> None:
    pool = 5 @ icepool.d(8) - 3 @ icepool.d(4)
    ours = PMF.die(8).repeat(5).plus(PMF.die(4).repeat(3).scale(-1))
    assert_same(ours, {v: pool.probability(v) for v in pool.outcomes()})
    clipped = (2 @ icepool.d6 + 3).clip(6, 12)
    assert_same(PMF.die(6).repeat(2).shift(3).clamp(6, 12), {v: clipped.probability(v) for v in clipped.outcomes()})


def test_dyce_agrees() -> None:
    total = 7 @ dyce.H(6) + dyce.H(12) - 4
    ours = PMF.die(6).repeat(7).plus(PMF.die(12)).shift(-4)
    assert_same(ours, dict(total.probability_items()))
    assert float(ours.mean()) == pytest.approx(float(total.mean()), rel=EXACT)


# Laws


@given(pmfs((2, 3)), pmfs((3,)), st.lists(st.integers(0, 9), min_size=3, max_size=3))
def test_mass_is_one(x: PMF, y: PMF, counts: list[int]) -> None:
    for result in (x.plus(y), x.repeat(counts), x.shift(counts), x.clamp(-1, 2), x.scale(-2), y.repeat(counts).plus(x)):
        assert np.abs(result.p.sum(axis=-1) - 1).max() <= EXACT
        assert result.p.min() >= 0


@given(pmfs((2, 3)), integers)
def test_complement_and_monotony(pmf: PMF, k: int) -> None:
    np.testing.assert_allclose(pmf.at_least(k) + pmf.less_than(k), 1, rtol=0, atol=EXACT)
    np.testing.assert_allclose(pmf.more_than(k) + pmf.at_most(k), 1, rtol=0, atol=EXACT)
    assert (pmf.at_least(k) >= pmf.at_least(k + 1)).all()
    assert (pmf.shift(1).at_least(k) >= pmf.at_least(k)).all()


@settings(max_examples=20)
@given(
    pmfs((2, 3)),
    pmfs((3,)),
    st.lists(st.integers(0, 9), min_size=3, max_size=3),
    st.lists(integers, min_size=3, max_size=3),
)
def test_a_batch_is_a_loop_of_singles(x: PMF, y: PMF, counts: list[int], numbers: list[int]) -> None:
    def single(pmf: PMF, *index: int) -> PMF:
        return PMF(pmf.start, pmf.p[index])

    weights = np.array([[0.25, 0.75], [0.5, 0.5], [1.0, 0.0]])
    for i, j in np.ndindex(2, 3):
        one, other = single(x, i, j), single(y, j)
        for batch, alone in (
            (x.plus(y), one.plus(other)),
            (x.repeat(counts), one.repeat(counts[j])),
            (x.shift(numbers), one.shift(numbers[j])),
            (x.clamp(-2, 3), one.clamp(-2, 3)),
            (x.scale(-3), one.scale(-3)),
            (mixture([x, y], weights), mixture([one, other], weights[j])),
        ):
            assert_same(single(batch, i, j), twin_of(alone))
        assert x.mean()[i, j] == pytest.approx(float(one.mean()), abs=EXACT)
        assert x.var()[i, j] == pytest.approx(float(one.var()), abs=EXACT)
        for name in ("equal_to", "at_least", "more_than", "at_most", "less_than"):
            assert getattr(x, name)(numbers)[i, j] == getattr(one, name)(numbers[j])
        for batch_part, part in zip(x.compare(y), one.compare(other), strict=True):
            assert batch_part[i, j] == pytest.approx(float(part), abs=EXACT)


def test_small_probabilities_keep_their_relative_accuracy() -> None:
    """Forty sixes with forty dice: 6**-40, where a convolution by FFT would return noise of 1e-17."""
    total = PMF.die(6).repeat(40)
    assert float(total.at_least(240)) == pytest.approx(float(Fraction(1, 6**40)), rel=EXACT)
    assert float(total.at_most(40)) == pytest.approx(float(Fraction(1, 6**40)), rel=EXACT)


def test_thousand_dice_keep_their_mass() -> None:
    total = PMF.die(6).repeat(1000)
    assert abs(total.p.sum() - 1) <= EXACT
    assert float(total.mean()) == pytest.approx(3500, rel=EXACT)
    assert float(total.var()) == pytest.approx(1000 * 35 / 12, rel=EXACT)


def test_probabilities_cannot_be_changed_afterwards() -> None:
    mine = np.array([0.5, 0.5])
    pmf = PMF(0, mine)
    mine[0] = 9
    assert pmf.p.tolist() == [0.5, 0.5]
    with pytest.raises(ValueError, match="read-only"):
        pmf.p[0] = 1


def test_an_empty_batch_stays_empty() -> None:
    none = PMF.die(np.array([], dtype=int))
    assert none.batch == (0,)
    for result in (none.shift([]), none.shift(2), none.repeat(3), none.plus(PMF.die(6)), none.clamp(1, 2)):  # type: ignore[arg-type]
        assert result.batch == (0,)
    assert none.at_least(2).shape == none.mean().shape == (0,)


# Bad input


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: PMF(0.5, [1.0]), "start: must be integers, not 0.5"),
        (lambda: PMF(0, [0.5, 0.6]), "p: must sum to 1"),
        (lambda: PMF(0, []), "p: must have a last axis"),
        (lambda: PMF(0, [2.0, -1.0]), "p: must be probabilities from 0 to 1, not 2.0"),
        (lambda: PMF.die(0), "sides: must be at least 1, not 0"),
        (lambda: PMF.die([6, -1]), "sides: must be at least 1, not -1"),
        (lambda: PMF.die(6.0), "sides: must be integers, not 6.0"),
        (lambda: PMF.constant("1"), "value: must be integers, not '1'"),
        (lambda: PMF.from_faces([]), "faces: must be a list of at least one integer"),
        (lambda: PMF.from_faces([1, 2.5]), "faces: must be integers"),
        (lambda: PMF.die(6).shift(0.5), "amount: must be integers, not 0.5"),
        (lambda: PMF.die([6, 8]).shift([1, 2, 3]), "amount: shapes do not broadcast: amount (3,), batch (2,)"),
        (lambda: PMF.die(6).scale(1.5), "factor: must be integers, not 1.5"),
        (lambda: PMF.die(6).clamp(4, 3), "low: must be at most high (3), not 4"),
        (lambda: PMF.die(6).clamp(high=2.5), "high: must be integers, not 2.5"),
        (lambda: PMF.die(6).repeat(-1), "count: must be at least 0, not -1"),
        (lambda: PMF.die(6).repeat(2.0), "count: must be integers, not 2.0"),
        (lambda: PMF.die([6, 8]).repeat([1, 2, 3]), "count: shapes do not broadcast"),
        (lambda: PMF.die([6, 8]).plus(PMF.die([4, 4, 4])), "self: shapes do not broadcast: self (2,), other (3,)"),
        (lambda: PMF.die([6, 8]).at_least([1, 2, 3]), "k: shapes do not broadcast"),
        (lambda: PMF.die(6).at_least(2.5), "k: must be integers, not 2.5"),
        (lambda: PMF.die(6).map(lambda _: [1, 2]), "function: must return 6 integers"),
        (lambda: PMF.die(6).map(lambda values: values / 2), "function: must be integers"),
        (lambda: mixture([], [1.0]), "weights: must be one for each of the 0 parts, not 1"),
        (lambda: mixture([PMF.die(6)] * 2, [1.0]), "weights: must be one for each of the 2 parts, not 1"),
        (lambda: mixture([PMF.die(6)] * 2, [0.7, 0.7]), "weights: must sum to 1"),
        (lambda: mixture([PMF.die([6, 8]), PMF.die([1, 2, 3])], [0.5, 0.5]), "weights: shapes do not broadcast"),
    ],
)
def test_bad_input_names_the_argument(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value).startswith(message)
