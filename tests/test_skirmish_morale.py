"""Morale: the published table, circumstances, rallying, a sampler, bad input, and the question `morale`."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from wargamesim.errors import InputError
from wargamesim.games.skirmish import odds
from wargamesim.games.skirmish.morale import activations_lost, modifier_of, morale, rally
from wargamesim.games.skirmish.rules import compile_rules
from wargamesim.rulebook import load_rulebook

NA, RI = load_rulebook("nordamerica"), load_rulebook("risorgimento")
BOOKS = (NA, RI)
P_MIN, DRAWS = 1e-4, 200_000


def same(result: object, exact: object) -> None:
    np.testing.assert_allclose(np.asarray(result, float), np.asarray(exact, float), rtol=0, atol=1e-12)


# By total modifier from -3 to 3.
STEADY = "0 1/6 1/3 1/2 2/3 5/6 1"
PINNED = "1/2 1/2 1/2 1/2 1/3 1/6 0"
ROUT = "1/2 1/3 1/6 0 0 0 0"
TESTS = "2 2 2 2 3/2 6/5 1"


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.name)
def test_morale_by_total_modifier(book: object) -> None:
    plus = range(-3, 4)
    found = morale(book, plus)  # type: ignore[arg-type]
    for part, exact in ((found.steady, STEADY), (found.pinned, PINNED), (found.rout, ROUT), (found.tests, TESTS)):
        same(part, [F(each) for each in exact.split()])
    records = odds.answer(book, "morale", {}).records()  # type: ignore[arg-type]
    assert [row["modifier"] for row in records] == list(plus)
    same([row["steady"] for row in records], [F(each) for each in STEADY.split()])
    same([row["tests"] for row in records], [F(each) for each in TESTS.split()])


def test_a_marker_costs_half_an_activation_at_the_next_test() -> None:
    rules = compile_rules(NA)
    same(activations_lost(rules, morale(NA), all_tests=False), F(1, 2))
    same(activations_lost(rules, morale(NA, [0, 1]), all_tests=True), [1, F(1, 2)])
    free = RI.variant({"RI-8.1": "free_attempt"})
    same(activations_lost(compile_rules(free), morale(free), all_tests=True), 0)
    same(activations_lost(compile_rules(RI), morale(RI), all_tests=True), 1)


def test_routs_in_the_end() -> None:
    same(morale(NA, [-3, -2, -1, 0]).routs_in_the_end, [1, F(2, 3), F(1, 3), 0])
    stuck = NA.variant({"morale.steady_at_least": 9, "morale.rout_at_most": 0})
    assert morale(stuck).tests == inf
    same(morale(stuck).routs_in_the_end, 0)


def test_rallying() -> None:
    same(rally(NA, [-1, 0, 1]), [F(1, 3), F(1, 2), F(2, 3)])
    for book, rule in ((NA, "NA-2.9"), (RI, "RI-2.11")):
        same(rally(book.variant({rule: "not_routed"}), [-1, 0]), [F(5, 6), 1])


def test_circumstances() -> None:
    grades = ["irregular", "inexperienced", "indian", "regular", "veteran", "sharpshooter"]
    assert modifier_of(NA, grades).tolist() == [0, -1, 0, 0, 1, 1]
    assert modifier_of(NA, "veteran", ["leader", "wounded", "alone"]) == 0
    assert modifier_of(NA, when=["enemy_near"]) == 0
    assert modifier_of(NA.variant({"NA-8.2a": "enemy_near"}), when=["enemy_near"]) == -1
    assert modifier_of(NA.variant({"NA-8.2a": "regulars"})) == 1
    assert modifier_of(NA.variant({"NA-8.2a": "none"}), "inexperienced", ["alone"]) == 0
    assert modifier_of(RI, ["militia", "conscript", "veteran"]).tolist() == [-1, 0, 1]
    assert modifier_of(RI.variant({"RI-8.2a": "strong_leader"}), when=["leader"]) == 2


@given(st.integers(-12, 12))
def test_mass_and_monotone(plus: int) -> None:
    low, high = morale(NA, plus), morale(NA, plus + 1)
    same(sum(low), 1)
    assert high.steady >= low.steady
    assert high.rout <= low.rout


def test_a_batch_is_a_loop_of_singles() -> None:
    batch = morale(RI, [[-2, 0], [1, 5]])
    assert batch.tests.shape == (2, 2)
    for i, plus in enumerate([-2, 0, 1, 5]):
        same([part.flat[i] for part in batch], morale(RI, plus))


def test_sampled_tests_until_steady_or_rout() -> None:
    rng = np.random.default_rng(7)
    tested, routs = np.zeros(DRAWS, dtype=int), np.zeros(DRAWS, dtype=bool)
    waiting = np.ones(DRAWS, dtype=bool)
    while waiting.any():
        total = rng.integers(1, 7, DRAWS) - 1
        tested[waiting] += 1
        routs |= waiting & (total <= 0)
        waiting &= (total >= 1) & (total <= 3)
    found = morale(NA, -1)
    assert stats.binomtest(int(routs.sum()), DRAWS, float(found.routs_in_the_end)).pvalue > P_MIN
    error = tested.std() / np.sqrt(DRAWS)
    assert abs(tested.mean() - found.tests) < stats.norm.isf(P_MIN / 2) * error


def test_the_question_by_figure() -> None:
    table = odds.answer(NA, "morale", {"quality": "inexperienced,veteran", "when": "alone"})
    assert [row[:2] for row in table.rows] == [("inexperienced", -2), ("veteran", 0)]
    table = odds.answer(NA, "morale", {"when": "leader", "modifier": "0,1"})
    assert [row[:2] for row in table.rows] == [("regular", 1), ("regular", 2)]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: morale(NA, 0.5), "modifier: must be integers, not 0.5"),
        (lambda: rally(NA, [0.5]), "modifier: must be integers, not 0.5"),
        (lambda: modifier_of(NA, "militia"), "quality: unknown grade 'militia'"),
        (lambda: modifier_of(RI, when=["enemy_near"]), "when: unknown circumstance 'enemy_near'"),
        (lambda: odds.answer(NA, "morale", {"when": "drunk"}), "--when: unknown circumstance 'drunk'"),
        (lambda: odds.answer(NA, "morale", {"modifier": "99"}), "--modifier: must be from -30 to 30, not 99"),
    ],
)
def test_bad_input_names_the_argument(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value).startswith(message)
