"""Successes that cannot exceed what is there to be lost."""

from __future__ import annotations

from fractions import Fraction as F
from math import comb

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wargamesim.games.coloniale.pool import capped_successes, moved

EXACT = 1e-12


def test_moved_adds_up_what_comes_to_the_same_place() -> None:
    p = np.array([[0.1, 0.2, 0.7], [0.5, 0.25, 0.25]])
    np.testing.assert_allclose(moved(p, np.array([2, 0, 2]), 4), [[0.2, 0, 0.8, 0], [0.25, 0, 0.75, 0]], atol=EXACT)
    by_row = moved(p, np.array([[0, 1, 2], [2, 1, 0]]), 3)
    np.testing.assert_allclose(by_row, [[0.1, 0.2, 0.7], [0.25, 0.25, 0.5]], atol=EXACT)


@given(st.integers(0, 9), st.integers(0, 6), st.integers(0, 12))
def test_more_successes_than_there_is_to_lose_count_as_all_of_it(dice: int, sixths: int, most: int) -> None:
    chance = F(sixths, 6)
    exact = [F(0)] * (most + 1)
    for hits in range(dice + 1):
        exact[min(hits, most)] += comb(dice, hits) * chance**hits * (1 - chance) ** (dice - hits)
    found = capped_successes(np.array(dice), np.array(float(chance)), np.array(most))
    np.testing.assert_allclose(found.p, np.array(exact, float), rtol=0, atol=EXACT)


def test_a_batch_is_a_loop_of_singles() -> None:
    dice, chance, most = np.arange(4)[:, None, None], np.array([0.25, 0.5])[:, None], np.array([0, 2, 5])
    batch = capped_successes(dice, chance, most)
    assert batch.batch == (4, 2, 3)
    for i, j, k in np.ndindex(4, 2, 3):
        single = capped_successes(dice[i, 0, 0], chance[j, 0], most[k])
        np.testing.assert_allclose(batch.p[i, j, k, : most[k] + 1], single.p, rtol=0, atol=EXACT)
