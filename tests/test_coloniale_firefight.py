"""Turns of rally and fire: simultaneous, and nothing is lost on the way."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
import pytest

from wargamesim.games.coloniale.firefight import firefight
from wargamesim.games.coloniale.rules import Fighter, Rules, compile_rules
from wargamesim.rulebook import load_rulebook

EXACT = 1e-12
BODY = load_rulebook("coloniale")
RULES = compile_rules(BODY)
OPEN, COVER, FORT = (np.array([ground]) for ground in range(3))


def fighter(*numbers: int) -> Fighter:
    return Fighter(*(np.array([number]) for number in numbers))


def same(result: object, exact: object) -> None:
    np.testing.assert_allclose(np.asarray(result, float), np.asarray(exact, float), rtol=0, atol=EXACT)


def test_both_may_fall_to_the_same_volleys() -> None:
    (first, second) = firefight(RULES, 1, fighter(1, 6, 0), fighter(1, 6, 0), COVER)
    shot, standing = first
    same(shot[0], [[0, F(1, 3)], [0, 0]])
    same(standing[0, 1, 1, 1, 0], F(2, 3))
    shot, standing = second
    by_one, by_other = F(1, 6), F(1, 3)
    neither = (1 - by_one) * (1 - by_other)
    # After a turn of fire both rally off one marker or not, and then only the second fires.
    same(shot[0], [[by_one * by_other, (1 - by_one) * by_other + neither * by_other], [by_one * (1 - by_other), 0]])
    keeps = F(2, 3) ** 6
    both = neither * (1 - by_other)
    for one_keeps in (0, 1):
        for other_keeps in (0, 1):
            chance = (keeps if one_keeps else 1 - keeps) * (keeps if other_keeps else 1 - keeps)
            same(standing[0, 1, 1 + one_keeps, 1, other_keeps], both * chance)


@pytest.mark.parametrize("rules", [RULES, compile_rules(BODY.variant({"CO-P10": "fire_dice", "fire.markers": 3}))])
@pytest.mark.parametrize("where", [OPEN, COVER, FORT])
def test_every_turn_is_a_distribution(rules: Rules, where: np.ndarray) -> None:
    turns = list(firefight(rules, 9, fighter(7, 4, 5), fighter(5, 3, 0), where))
    assert len(turns) == 10
    for shot, standing in turns:
        same(shot.sum() + standing.sum(), 1)
        assert not standing[:, 0].any()
        assert not standing[:, :, :, 0].any()
        assert not shot[:, 1:, 1:].any()


def test_only_a_unit_that_fires_puts_markers() -> None:
    """Under fire_dice a unit with as many markers as figures has no die left, and puts no marker."""
    rules = compile_rules(BODY.variant({"CO-P10": "fire_dice", "rally.need": 7}))
    _, (_, standing) = firefight(rules, 1, fighter(2, 6, 2), fighter(8, 6, 8), OPEN)
    same(standing[0, 2, 2, 8, 8], 1)
    _, (_, standing) = firefight(RULES._replace(rally=0.0), 1, fighter(2, 6, 2), fighter(2, 6, 8), FORT)
    assert standing[0, :, 4, :, 8].sum() == standing.sum() > 0, "two volleys at one, none that counts at the garrison"
