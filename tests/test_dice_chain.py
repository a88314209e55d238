"""Fights to the end and chains: against the same in fractions, closed forms, icepool and dyce."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import dyce
import dyce.evaluation
import icepool
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wargamesim.dice.chain import Attrition, absorb, absorb_by_round, attrition, attrition_by_round
from wargamesim.errors import InputError

EXACT = 1e-12
TINY = 1e-300  # below it float64 itself loses digits
SIXTH = Fraction(1, 6)

dice = st.integers(0, 5)
chances = st.fractions(0, 1, max_denominator=1000)


# The twin of a fight: a round die by die, then every state from every other, in fractions

State = tuple[int, int]


def a_round(state: State, hit_a: Fraction, hit_b: Fraction, losses: int) -> Iterator[tuple[State, Fraction]]:
    """Every way in which the dice of a round hit or miss."""

    def hits(count: int, chance: Fraction) -> list[Fraction]:
        rolled = [Fraction(1)]
        for _ in range(count):
            padded = [Fraction(0), *rolled, Fraction(0)]
            rolled = [before * chance + same * (1 - chance) for before, same in pairwise(padded)]
        return rolled

    i, j = state
    for by_a, p in enumerate(hits(i, hit_a)):
        for by_b, q in enumerate(hits(j, hit_b)):
            yield (max(i - losses * by_b, 0), max(j - losses * by_a, 0)), p * q


def fight(a: int, b: int, hit_a: Fraction, hit_b: Fraction, losses: int) -> tuple[dict[State, Fraction], Fraction]:
    """Where the fight ends, and the expected number of rounds; one of the chances is more than 0."""

    @cache
    def ends(state: State) -> tuple[dict[State, Fraction], Fraction]:
        if 0 in state:
            return {state: Fraction(1)}, Fraction(0)
        total: dict[State, Fraction] = {}
        rounds, stay = Fraction(1), Fraction(0)
        for after, p in a_round(state, hit_a, hit_b, losses):
            if after == state:
                stay += p
            elif p:
                final, more = ends(after)
                rounds += p * more
                for where, q in final.items():
                    total[where] = total.get(where, Fraction(0)) + p * q
        return {where: p / (1 - stay) for where, p in total.items()}, rounds / (1 - stay)

    return ends((a, b))


def as_states(result: Attrition, batch: tuple[int, ...] = ()) -> dict[State, float]:
    """The ends of a fight that have a probability."""
    found = {(0, 0): float(result.both_destroyed[batch])}
    found |= {(i, 0): float(p) for i, p in enumerate(result.a_wins_with[batch]) if i}
    found |= {(0, j): float(p) for j, p in enumerate(result.b_wins_with[batch]) if j}
    return {state: p for state, p in found.items() if p}


def assert_same(ours: dict[State, float], twin: dict[State, Fraction], relative: float = EXACT) -> None:
    exact = {state: float(p) for state, p in twin.items() if float(p)}
    assert ours.keys() == exact.keys()
    for state, p in exact.items():
        assert ours[state] == pytest.approx(p, rel=relative, abs=TINY)


def mass(result: Any) -> Any:
    return result.a_wins_with.sum(axis=-1) + result.b_wins_with.sum(axis=-1) + result.both_destroyed + result.undecided


# Fights


@given(dice, dice, chances, chances, st.integers(1, 3))
def test_fights_in_fractions(a: int, b: int, hit_a: Fraction, hit_b: Fraction, losses: int) -> None:
    result = attrition(a, b, float(hit_a), float(hit_b), losses)
    assert result.a_wins_with.shape == (a + 1,)
    assert result.b_wins_with.shape == (b + 1,)
    assert result.a_wins_with[0] == result.b_wins_with[0] == 0
    if a and b and not hit_a and not hit_b:
        assert as_states(result) == {}
        assert result.undecided == 1
        assert result.rounds == np.inf
        return
    twin, rounds = fight(a, b, hit_a, hit_b, losses)
    assert_same(as_states(result), twin)
    assert result.undecided == 0
    assert float(result.rounds) == pytest.approx(float(rounds), rel=EXACT)


@pytest.mark.parametrize("exponent", [9, 100, 250])
def test_small_chances_keep_their_digits(exponent: int) -> None:
    """Only a sum of non-negative terms gives all digits of a chance of 1e-250, or of 1 minus one."""
    hit_a, hit_b = Fraction(1, 10**exponent), Fraction(3, 10**exponent)
    twin, rounds = fight(4, 3, hit_a, hit_b, 1)
    result = attrition(4, 3, float(hit_a), float(hit_b))
    assert_same(as_states(result), twin)
    assert float(result.rounds) == pytest.approx(float(rounds), rel=EXACT)


@given(st.integers(0, 12), st.integers(0, 12), st.floats(0, 1), st.floats(0, 1), st.integers(1, 4))
def test_no_mass_is_lost(a: int, b: int, hit_a: float, hit_b: float, losses: int) -> None:
    result = attrition(a, b, hit_a, hit_b, losses)
    assert abs(mass(result) - 1) <= EXACT
    assert (result.undecided > 0) == np.isinf(result.rounds)


@pytest.mark.parametrize("chance", [0.0, 5e-324, 1e-310])
def test_a_fight_that_never_ends_is_undecided(chance: float) -> None:
    result = attrition([3, 3, 0], 2, [chance, 0.5, chance], [chance, chance, 0.5])
    assert result.undecided.tolist() == [1, 0, 0]
    np.testing.assert_allclose(result.rounds, [np.inf, 80 / 49, 0], rtol=EXACT)
    np.testing.assert_allclose(result.b_wins_with, [[0, 0, 0], [0, 0, 0], [0, 0, 1]], rtol=0, atol=TINY)
    by_round = attrition_by_round(3, 2, chance, chance, rounds=7)
    assert by_round.undecided[3, 2] == 1
    assert not by_round.a_wins_with.any()


def test_a_fight_of_one_sure_round() -> None:
    result = attrition([2, 2, 1], [2, 3, 2], 1, 1)
    assert result.both_destroyed.tolist() == [1, 0, 0]
    assert result.b_wins_with.tolist() == [[0, 0, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0]]
    assert result.rounds.tolist() == [1, 1, 1]


def test_fights_of_icepool() -> None:
    six = icepool.d6 == 6

    def step(i: int, j: int) -> Any:
        if i == 0 or j == 0:
            return icepool.Die([(i, j)])
        return icepool.map(lambda by_a, by_b: (max(i - by_b, 0), max(j - by_a, 0)), i @ six, j @ six)

    end = icepool.Die([(5, 4)]).map(step, star=True, repeat="inf")
    result = attrition(5, 4, 1 / 6, 1 / 6)
    assert_same(as_states(result), {state: end.probability(state) for state in end})
    rounds = icepool.mean_time_to_absorb(step, (5, 4), star=True)
    assert float(result.rounds) == pytest.approx(float(rounds), rel=EXACT)

    timed = icepool.map_and_time(step, (2, 3), star=True, time_limit=6)
    by_round = attrition_by_round(2, 3, 1 / 6, 1 / 6, rounds=6)
    for r in range(6):
        for i in (1, 2):
            assert by_round.a_wins_with[r, i] == pytest.approx(float(timed.probability(((i, 0), r))), rel=EXACT)
        for j in (1, 2, 3):
            assert by_round.b_wins_with[r, j] == pytest.approx(float(timed.probability(((0, j), r))), rel=EXACT)
        assert by_round.both_destroyed[r] == pytest.approx(float(timed.probability(((0, 0), r))), rel=EXACT)
    for i in (1, 2):
        for j in (1, 2, 3):
            assert by_round.undecided[i, j] == pytest.approx(float(timed.probability(((i, j), 6))), rel=EXACT)


def test_fights_of_dyce() -> None:
    """Eight dice against eight; each 6 removes one."""
    pools = [n @ dyce.H(6).eq(6) for n in range(9)]

    @cache
    def end(i: int, j: int) -> dyce.H[Any]:
        if not i or not j:
            return dyce.H({(i, j): 1})

        def after(by_a: Any, by_b: Any) -> dyce.H[Any]:
            state = max(i - by_b.outcome, 0), max(j - by_a.outcome, 0)
            return dyce.H({}) if state == (i, j) else end(*state)

        return dyce.evaluation.expand(after, pools[i], pools[j], min_path_probability=Fraction(0))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dyce.lifecycle.ExperimentalWarning)
        theirs = end(8, 8)
    twin = {state: Fraction(p) for state, p in theirs.probability_items()}
    assert_same(as_states(attrition(8, 8, 1 / 6, 1 / 6)), twin)


@given(st.integers(0, 9), st.integers(0, 9), st.floats(0, 1), st.floats(0, 1))
def test_exchanging_the_pools(a: int, b: int, hit_a: float, hit_b: float) -> None:
    one, other = attrition(a, b, hit_a, hit_b), attrition(b, a, hit_b, hit_a)
    np.testing.assert_allclose(one.a_wins_with, other.b_wins_with, rtol=EXACT, atol=TINY)
    np.testing.assert_allclose(one.both_destroyed, other.both_destroyed, rtol=EXACT, atol=TINY)


def test_better_dice_and_more_dice_never_hurt() -> None:
    hit = np.linspace(0, 1, 21)
    for losses in (1, 2):
        win = attrition(5, 7, hit[:, None], hit[1:], losses).a_wins_with.sum(axis=-1)
        assert (np.diff(win, axis=0) >= -EXACT).all()
        assert (np.diff(win, axis=1) <= EXACT).all()
        win = attrition(np.arange(12)[:, None], np.arange(12), 0.3, 0.4, losses).a_wins_with.sum(axis=-1)
        assert (np.diff(win, axis=0) >= -EXACT).all()
        assert (np.diff(win, axis=1) <= EXACT).all()


def test_a_batch_of_fights_is_a_loop_of_singles() -> None:
    a, b = np.array([[[0]], [[3]], [[6]]]), np.array([[1], [5]])
    hit_a, hit_b = np.array([0, 0.01, 0.3, 1]), np.array([0, 0.5, 0.3, 0])
    batch = attrition(a, b, hit_a, hit_b, losses=2)
    by_round = attrition_by_round(a, b, hit_a, hit_b, rounds=4, losses=2)
    assert batch.rounds.shape == batch.undecided.shape == batch.both_destroyed.shape == (3, 2, 4)
    for i, j, k in np.ndindex(3, 2, 4):
        n, m = int(a[i, 0, 0]), int(b[j, 0])
        single = attrition(n, m, hit_a[k], hit_b[k], losses=2)
        timed = attrition_by_round(n, m, hit_a[k], hit_b[k], rounds=4, losses=2)
        for all_of_them, one, timed_all, timed_one in zip(batch, single, by_round, timed, strict=False):
            room = tuple(slice(0, size) for size in one.shape)
            np.testing.assert_allclose(all_of_them[i, j, k][room], one, rtol=EXACT, atol=TINY)
            room = tuple(slice(0, size) for size in timed_one.shape)
            np.testing.assert_allclose(timed_all[i, j, k][room], timed_one, rtol=EXACT, atol=TINY)
        assert batch.rounds[i, j, k] == pytest.approx(float(single.rounds), rel=EXACT)
        assert abs(mass(batch)[i, j, k] - 1) <= EXACT


def test_a_batch_without_fights() -> None:
    result = attrition(np.zeros(0, dtype=int), 3, 0.5, 0.5)
    assert result.b_wins_with.shape == (0, 4)
    assert result.rounds.shape == (0,)


# Fights round by round


@given(dice, dice, chances, chances, st.integers(1, 3), st.integers(0, 4))
def test_rounds_in_fractions(a: int, b: int, hit_a: Fraction, hit_b: Fraction, losses: int, rounds: int) -> None:
    result = attrition_by_round(a, b, float(hit_a), float(hit_b), rounds, losses)
    now = {(a, b): Fraction(1)}
    for r in range(rounds + 1):
        ended = {state: p for state, p in now.items() if 0 in state}
        for i in range(1, a + 1):
            assert result.a_wins_with[r, i] == pytest.approx(float(ended.get((i, 0), 0)), rel=EXACT, abs=TINY)
        for j in range(1, b + 1):
            assert result.b_wins_with[r, j] == pytest.approx(float(ended.get((0, j), 0)), rel=EXACT, abs=TINY)
        assert result.both_destroyed[r] == pytest.approx(float(ended.get((0, 0), 0)), rel=EXACT, abs=TINY)
        now = {state: p for state, p in now.items() if 0 not in state}
        if r < rounds:
            after: dict[State, Fraction] = {}
            for state, p in now.items():
                for reached, q in a_round(state, hit_a, hit_b, losses):
                    after[reached] = after.get(reached, Fraction(0)) + p * q
            now = after
    for (i, j), p in np.ndenumerate(result.undecided):
        assert p == pytest.approx(float(now.get((i, j), 0)), rel=EXACT, abs=TINY)


@pytest.mark.parametrize(("a", "b", "hit_a", "hit_b", "losses"), [(9, 7, 1 / 6, 1 / 3, 1), (20, 25, 0.5, 0.3, 3)])
def test_all_rounds_together_are_the_end(a: int, b: int, hit_a: float, hit_b: float, losses: int) -> None:
    end = attrition(a, b, hit_a, hit_b, losses)
    by_round = attrition_by_round(a, b, hit_a, hit_b, rounds=400, losses=losses)
    assert 0 < by_round.undecided.sum() < EXACT
    np.testing.assert_allclose(by_round.a_wins_with.sum(axis=0), end.a_wins_with, rtol=0, atol=EXACT)
    np.testing.assert_allclose(by_round.b_wins_with.sum(axis=0), end.b_wins_with, rtol=0, atol=EXACT)
    np.testing.assert_allclose(by_round.both_destroyed.sum(), end.both_destroyed, rtol=0, atol=EXACT)
    in_round = by_round.a_wins_with.sum(axis=-1) + by_round.b_wins_with.sum(axis=-1) + by_round.both_destroyed
    assert (in_round * np.arange(401)).sum() == pytest.approx(float(end.rounds), rel=EXACT)


@given(st.integers(0, 12), st.integers(0, 12), st.floats(0, 1), st.floats(0, 1), st.integers(0, 12))
def test_what_the_bound_cuts_off_is_undecided(a: int, b: int, hit_a: float, hit_b: float, rounds: int) -> None:
    result = attrition_by_round(a, b, hit_a, hit_b, rounds)
    assert abs(sum(part.sum() for part in result) - 1) <= EXACT
    assert not result.undecided[0].any()
    assert not result.undecided[:, 0].any()


# Chains


def chain_in_fractions(
    rows: list[list[Fraction]], absorbing: list[int]
) -> tuple[list[list[Fraction]], list[Fraction], list[Fraction | float]]:
    """For each state: where it ends, the chance that it never does, and the expected rounds; by Gauss elimination."""
    n = len(rows)
    able = set(absorbing)
    while more := {i for i in range(n) if i not in able and any(rows[i][j] for j in able)}:
        able |= more
    going = sorted(able - set(absorbing))
    # (1 - Q) x = [R, what leads to where it never ends, 1]
    trapped = [i for i in range(n) if i not in able]
    equations = [
        [Fraction(i == j) - rows[i][j] for j in going]
        + [rows[i][j] for j in absorbing]
        + [sum((rows[i][j] for j in trapped), Fraction(0)), Fraction(1)]
        for i in going
    ]
    for k in range(len(going)):
        pivot = next(r for r in range(k, len(going)) if equations[r][k])
        equations[k], equations[pivot] = equations[pivot], equations[k]
        equations[k] = [value / equations[k][k] for value in equations[k]]
        for r in range(len(going)):
            if r != k:
                by = equations[r][k]
                equations[r] = [value - by * own for value, own in zip(equations[r], equations[k], strict=True)]
    ends, never, rounds = [], [], []
    for i in range(n):
        where = [Fraction(0)] * n
        if i in absorbing:
            where[i] = Fraction(1)
            never.append(Fraction(0))
            rounds.append(Fraction(0))
        elif i in trapped:
            never.append(Fraction(1))
            rounds.append(math.inf)
        else:
            solved = equations[going.index(i)][len(going) :]
            for j, p in zip(absorbing, solved, strict=False):
                where[j] = p
            never.append(solved[-2])
            rounds.append(math.inf if solved[-2] else solved[-1])
        ends.append(where)
    return ends, never, rounds


@st.composite
def chains(draw: st.DrawFn) -> tuple[list[list[Fraction]], list[int]]:
    """A chain of few states with many zeros, so that some of it never ends."""
    n = draw(st.integers(1, 6))
    weight = st.sampled_from([0, 0, 0, 1, 1, 2, 7])
    rows = [draw(st.lists(weight, min_size=n, max_size=n).filter(any)) for _ in range(n)]
    absorbing = draw(st.lists(st.integers(0, n - 1), unique=True))
    return [[Fraction(w, sum(row)) for w in row] for row in rows], sorted(absorbing)


@given(chains(), st.integers(0, 8))
def test_chains_in_fractions(chain: tuple[list[list[Fraction]], list[int]], rounds: int) -> None:
    rows, absorbing = chain
    ends, never, length = chain_in_fractions(rows, absorbing)
    transition = np.array(rows, dtype=float)
    start = np.eye(len(rows))
    result = absorb(transition, start, absorbing)
    np.testing.assert_allclose(result.ends_in, np.array(ends, dtype=float), rtol=EXACT)
    np.testing.assert_allclose(result.undecided, np.array(never, dtype=float), rtol=EXACT)
    np.testing.assert_allclose(result.rounds, np.array(length, dtype=float), rtol=EXACT)

    timed = absorb_by_round(transition, start, absorbing, rounds)
    stopped = [[Fraction(i == j) if i in absorbing else p for j, p in enumerate(row)] for i, row in enumerate(rows)]
    for s in range(len(rows)):
        now = [Fraction(i == s) for i in range(len(rows))]
        for r in range(rounds + 1):
            for i in absorbing:
                assert timed.ends_in[s, : r + 1, i].sum() == pytest.approx(float(now[i]), abs=EXACT)
            left = now
            now = [sum((p * row[j] for p, row in zip(now, stopped, strict=True)), Fraction(0)) for j in range(len(now))]
        for i, p in enumerate(left):
            assert timed.undecided[s, i] == pytest.approx(0 if i in absorbing else float(p), abs=EXACT)
        assert abs(timed.ends_in[s].sum() + timed.undecided[s].sum() - 1) <= EXACT


@pytest.mark.parametrize("up", [Fraction(1, 2), Fraction(2, 5), Fraction(1, 10)])
def test_the_ruined_gambler(up: Fraction) -> None:
    """Closed forms: with odds r against a step up, i of n reaches n with (1 - r**i) / (1 - r**n)."""
    n, down = 60, 1 - up
    transition = np.zeros((n + 1, n + 1))
    for i in range(1, n):
        transition[i, i + 1], transition[i, i - 1] = up, down
    result = absorb(transition, np.eye(n + 1), [0, n])
    odds = down / up
    for i in range(n + 1):
        wins = Fraction(i, n) if odds == 1 else (1 - odds**i) / (1 - odds**n)
        rounds = Fraction(i * (n - i)) if odds == 1 else (i - n * wins) / (down - up)
        assert result.ends_in[i, n] == pytest.approx(float(wins), rel=EXACT)
        assert result.rounds[i] == pytest.approx(float(rounds), rel=EXACT)
        assert result.undecided[i] == 0


def test_a_chain_that_hardly_ever_leaves_keeps_its_digits() -> None:
    """Two states that exchange, each with its own tiny way out: 1 minus the chance to stay would be 0."""
    small = 1e-200
    rows = [[0.25, 0.75, small, 0], [0.5, 0.5, 0, 3 * small], [0] * 4, [0] * 4]
    result = absorb(rows, [1, 0, 0, 0], [2, 3])
    # Of the time before the end, 2/5 are spent in state 0 and 3/5 in state 1.
    np.testing.assert_allclose(result.ends_in, [0, 0, 2 / 11, 9 / 11], rtol=EXACT)
    assert result.rounds == pytest.approx(5 / 11 / small, rel=EXACT)
    assert result.undecided == 0


def test_what_waits_longer_than_float64_can_tell_is_undecided() -> None:
    """Each wait in itself is within the range, both together are not."""
    small = 1e-200
    rows = [[1, small, 0, 0], [1, 0, small, 0], [0, 0, 0, 1], [0] * 4]
    result = absorb(rows, np.eye(4), [3])
    assert result.undecided.tolist() == [1, 1, 0, 0]
    assert result.rounds.tolist() == [np.inf, np.inf, 1, 0]


def test_a_fight_as_a_chain() -> None:
    """The same fight by the general way, all states and all ways from one to another."""
    hit_a, hit_b = Fraction(1, 3), Fraction(1, 4)
    states = [(i, j) for i in range(5) for j in range(4)]
    transition = np.zeros((20, 20))
    for s, state in enumerate(states):
        for after, p in a_round(state, hit_a, hit_b, 1):
            transition[s, states.index(after)] += float(p)
    absorbing = [s for s, state in enumerate(states) if 0 in state]
    general = absorb(transition, np.eye(20), absorbing)
    special = attrition(*np.array(states).T, float(hit_a), float(hit_b))
    for s in range(20):
        found = {states[t]: float(p) for t, p in enumerate(general.ends_in[s]) if p}
        assert_same(found, {state: Fraction(p) for state, p in as_states(special, (s,)).items()})
    np.testing.assert_allclose(general.rounds, special.rounds, rtol=EXACT)


def test_a_batch_of_chains_is_a_loop_of_singles() -> None:
    rng = np.random.default_rng(0)
    transition = rng.dirichlet(np.ones(5), (3, 1, 5))
    transition[1, 0, 2] = [0, 0, 1, 0, 0]
    start = rng.dirichlet(np.ones(5), 4)
    batch, timed = absorb(transition, start, [4, 1]), absorb_by_round(transition, start, [4, 1], rounds=6)
    assert batch.ends_in.shape == timed.undecided.shape == (3, 4, 5)
    assert timed.ends_in.shape == (3, 4, 7, 5)
    assert (batch.undecided[[0, 2]] == 0).all()
    assert (batch.undecided[1] > 0.1).all()
    np.testing.assert_allclose(batch.ends_in.sum(axis=-1) + batch.undecided, 1, rtol=0, atol=EXACT)
    for i, j in np.ndindex(3, 4):
        for all_of_them, one in (
            *zip(batch, absorb(transition[i, 0], start[j], [1, 4]), strict=True),
            *zip(timed, absorb_by_round(transition[i, 0], start[j], [1, 4], rounds=6), strict=True),
        ):
            np.testing.assert_allclose(all_of_them[i, j], one, rtol=EXACT)


def test_the_rows_of_absorbing_states_are_not_looked_at() -> None:
    rows = np.array([[0.5, 0.5], [0.7, 0.7]])
    assert absorb(rows, [1, 0], [1]).rounds == 2
    assert absorb_by_round(rows, [1, 0], [1], 1).ends_in.tolist() == [[0, 0], [0, 0.5]]


# Bad input


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-1, 1, 0.5, 0.5), r"^a: must be at least 0, not -1$"),
        ((1, 2.5, 0.5, 0.5), r"^b: must be integers, not 2\.5$"),
        ((1, 1, 1.5, 0.5), r"^hit_a: must be probabilities from 0 to 1, not 1\.5$"),
        ((1, 1, 0.5, float("nan")), r"^hit_b: must be probabilities from 0 to 1, not nan$"),
        (
            ([1, 2], 1, 0.5, [0.1, 0.2, 0.3]),
            r"^a: shapes do not broadcast: a \(2,\), b \(\), hit_a \(\), hit_b \(3,\)$",
        ),
    ],
)
def test_bad_fights_name_the_argument(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        attrition(*arguments)
    with pytest.raises(InputError, match=message):
        attrition_by_round(*arguments, rounds=3)


def test_bad_rounds_and_losses_name_the_argument() -> None:
    with pytest.raises(InputError, match=r"^losses: must be at least 1, not 0$"):
        attrition(1, 1, 0.5, 0.5, losses=0)
    with pytest.raises(InputError, match=r"^rounds: must be at least 0, not -1$"):
        attrition_by_round(1, 1, 0.5, 0.5, rounds=-1)
    with pytest.raises(InputError, match=r"^rounds: must be integers, not 1\.5$"):
        absorb_by_round(np.eye(2), [1, 0], [1], rounds=1.5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("transition", "start", "absorbing", "message"),
    [
        (
            [0.5, 0.5],
            [1, 0],
            [1],
            r"^transition: must be of shape \(\.\.\., 2, 2\), as start has 2 states, not \(2,\)$",
        ),
        (np.eye(3), [1, 0], [1], r"^transition: must be of shape \(\.\.\., 2, 2\)"),
        ([[0.5, 0.4], [0, 1]], [1, 0], [1], r"^transition: must sum to 1 along the last axis, not to 0\.9$"),
        ([[1.5, -0.5], [0, 1]], [1, 0], [1], r"^transition: must be probabilities from 0 to 1, not 1\.5$"),
        (np.eye(2), [0.5, 0.4], [1], r"^start: must sum to 1 along the last axis, not to 0\.9$"),
        (np.eye(2), 1, [1], r"^start: must have a last axis of at least one probability$"),
        (np.eye(2), [1, 0], [2], r"^absorbing: must be at most 1, the last state, not 2$"),
        (np.eye(2), [1, 0], [-1], r"^absorbing: must be at least 0, not -1$"),
        (np.eye(2), [1, 0], [True, False], r"^absorbing: must be integers, not True$"),
        ([np.eye(2)] * 3, [[1, 0]] * 2, [1], r"^transition: shapes do not broadcast: transition \(3,\), start \(2,\)$"),
    ],
)
def test_bad_chains_name_the_argument(transition: Any, start: Any, absorbing: list[int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        absorb(transition, start, absorbing)
    with pytest.raises(InputError, match=message):
        absorb_by_round(transition, start, absorbing, rounds=2)
