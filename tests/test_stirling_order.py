"""The order of movement of Stirling: the example of the source, the reading of the die, bad input."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
import pytest

from wargamesim.dice.contest import opposed
from wargamesim.dice.pmf import PMF
from wargamesim.errors import InputError
from wargamesim.games.stirling.order import initiative, movement_order
from wargamesim.rulebook import load_rulebook

RULES = load_rulebook("stirling")
LOW = RULES.variant({"SS-P24": "low_moves_first"})
NAMES, MOV, SIDE = ("A1", "A2", "B1", "B2"), (12, 6, 9, 6), (0, 0, 1, 1)


def order(rules: object, dice: tuple[int, int], delays: str) -> list[str]:
    return [NAMES[unit] for unit in movement_order(rules, MOV, SIDE, dice, [each == "d" for each in delays])]  # type: ignore[arg-type]


def test_the_example() -> None:
    assert order(RULES, (3, 2), "dddd") == ["B2", "A2", "B1", "A1"]
    assert order(RULES, (3, 2), "....") == ["A1", "B1", "A2", "B2"]


def test_some_delay() -> None:
    assert order(RULES, (3, 2), "d...") == ["B1", "A2", "B2", "A1"]
    assert order(RULES, (2, 3), ".d.d") == ["A1", "B1", "A2", "B2"]


def test_the_lower_die_moves_first() -> None:
    assert order(LOW, (3, 2), "dddd") == ["B2", "A2", "B1", "A1"]
    assert order(LOW, (3, 2), "....") == ["A1", "B1", "B2", "A2"]


def test_equal_units_of_a_side_move_as_listed() -> None:
    for rules in (RULES, LOW):
        for delays in ([True] * 3, [False] * 3):
            assert movement_order(rules, [6, 6, 6], [1, 1, 1], (1, 2), delays) == [0, 1, 2]


def test_the_dice() -> None:
    more_than, equal, less_than = initiative(RULES)
    np.testing.assert_allclose([more_than, equal, less_than], [5 / 12, 1 / 6, 5 / 12], rtol=0, atol=1e-12)
    die = PMF.die(RULES.number("movement.die"))
    assert opposed(die, die, ties="reroll").attacker_wins == pytest.approx(float(F(1, 2)), abs=1e-12)


def test_bad_input() -> None:
    with pytest.raises(InputError, match=r"^dice: must differ, equal ones are rolled again, not 3 and 3"):
        movement_order(RULES, [6], [0], (3, 3), [False])
    with pytest.raises(InputError, match=r"^mov: must be as many as there are sides and delays"):
        movement_order(RULES, [6, 9], [0], (3, 2), [False])
