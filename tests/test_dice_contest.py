"""Opposed rolls: every pair of faces in fractions, and what each tie policy does."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import icepool
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wargamesim.dice.contest import TIES, opposed
from wargamesim.dice.pmf import PMF
from wargamesim.errors import InputError

EXACT = 1e-12


def twin(attacker: int, defender: int, difference: int, ties: str) -> tuple[Fraction, Fraction, Fraction]:
    """Attacker wins, defender wins, both lose: by looking at every pair of faces."""

    def roll(modifier: int) -> list[Fraction]:
        counts = [0, 0, 0]
        for a, d in product(range(1, attacker + 1), range(1, defender + 1)):
            counts[(a + modifier > d) + 2 * (a + modifier < d)] += 1
        tied, wins, loses = (Fraction(count, attacker * defender) for count in counts)
        return [wins, loses, tied]

    wins, loses, tied = roll(difference)
    if ties == "both_lose":
        return wins, loses, tied
    if ties == "defender_wins":
        return wins, loses + tied, Fraction(0)
    if tied:
        again = roll(difference if ties == "reroll" else 0)
        decided = again[0] + again[1]
        wins, loses = wins + tied * again[0] / decided, loses + tied * again[1] / decided
    return wins, loses, Fraction(0)


@pytest.mark.parametrize("ties", TIES)
@given(st.integers(2, 10), st.integers(2, 10), st.integers(-12, 12))
def test_by_every_pair_of_faces(ties: str, attacker: int, defender: int, difference: int) -> None:
    exact = twin(attacker, defender, difference, ties)
    result = opposed(PMF.die(attacker), PMF.die(defender), difference, ties=ties)
    for ours, theirs in zip(result, exact, strict=True):
        assert float(ours) == pytest.approx(float(theirs), abs=EXACT)


def test_published_close_combat() -> None:
    """Two d6, ties rolled again, by difference of the values."""
    exact = [(0, 1), (1, 34), (1, 11), (3, 16), (10, 31), (1, 2), (21, 31), (13, 16), (10, 11), (33, 34), (1, 1)]
    result = opposed(PMF.die(6), PMF.die(6), np.arange(-5, 6), ties="reroll")
    np.testing.assert_allclose(result.attacker_wins, [a / b for a, b in exact], rtol=0, atol=EXACT)


def test_icepool_agrees() -> None:
    gap = icepool.d8 + 2 - 2 @ icepool.d4
    result = opposed(PMF.die(8), PMF.die(4).repeat(2), 2, ties="both_lose")
    for ours, theirs in zip(result, (gap > 0, gap < 0, gap == 0), strict=True):
        assert float(ours) == pytest.approx(float(theirs.probability(True)), rel=EXACT)
    rerolled = gap.reroll([0], depth="inf") > 0
    ours_rerolled = opposed(PMF.die(8), PMF.die(4).repeat(2), 2, ties="reroll").attacker_wins
    assert float(ours_rerolled) == pytest.approx(float(rerolled.probability(True)), rel=EXACT)


@pytest.mark.parametrize("ties", TIES)
def test_a_batch_is_a_loop_of_singles(ties: str) -> None:
    attackers, defenders, differences = np.array([[[4]], [[6]]]), np.array([[6], [8], [12]]), np.arange(-3, 9)
    batch = opposed(PMF.die(attackers), PMF.die(defenders), differences, ties=ties)
    for part in batch:
        assert part.shape == (2, 3, 12)
    np.testing.assert_allclose(sum(batch), 1, rtol=0, atol=EXACT)
    for i, j, k in np.ndindex(2, 3, 12):
        exact = twin(int(attackers[i, 0, 0]), int(defenders[j, 0]), int(differences[k]), ties)
        for part, value in zip(batch, exact, strict=True):
            assert part[i, j, k] == pytest.approx(float(value), abs=EXACT)


@pytest.mark.parametrize("ties", TIES)
def test_monotone_in_the_difference(ties: str) -> None:
    wins = opposed(PMF.die(6), PMF.die(10), np.arange(-12, 13), ties=ties).attacker_wins
    assert (np.diff(wins) >= -EXACT).all()
    assert wins[0] == 0
    assert wins[-1] == 1


@given(st.integers(-6, 6))
def test_exchanging_the_parties(difference: int) -> None:
    for ties in ("reroll", "reroll_bare", "both_lose"):
        one = opposed(PMF.die(6), PMF.die(8), difference, ties=ties)
        other = opposed(PMF.die(8), PMF.die(6), -difference, ties=ties)
        assert float(one.attacker_wins) == pytest.approx(float(other.defender_wins), abs=EXACT)
        assert float(one.both_lose) == pytest.approx(float(other.both_lose), abs=EXACT)


def test_a_reroll_that_never_ends() -> None:
    three = PMF.constant(3)
    for ties in ("reroll", "reroll_bare"):
        with pytest.raises(InputError, match=f"^ties: '{ties}' never ends"):
            opposed(three, three, ties=ties)
    assert [float(part) for part in opposed(three, three, 1, ties="reroll_bare")] == [1, 0, 0]
    assert [float(part) for part in opposed(three, three, ties="both_lose")] == [0, 0, 1]
    assert [float(part) for part in opposed(three, three, ties="defender_wins")] == [0, 1, 0]


def test_bad_input_names_the_argument() -> None:
    die = PMF.die(6)
    with pytest.raises(InputError, match=r"^ties: unknown tie policy 'rerol'; did you mean 'reroll'\?"):
        opposed(die, die, ties="rerol")
    with pytest.raises(InputError, match=r"^difference: must be integers, not 0\.5$"):
        opposed(die, die, 0.5, ties="reroll")
    with pytest.raises(InputError, match=r"^attacker: shapes do not broadcast"):
        opposed(PMF.die([6, 8]), die, [1, 2, 3], ties="reroll")
