"""Units of Stirling: hit points by level, rates of attacks, dice of damage, stat blocks."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F

import numpy as np
import pytest

from wargamesim.errors import InputError
from wargamesim.games.stirling.units import (
    Unit,
    attack_period,
    attacks_in,
    damage_dice,
    hit_points,
    monster_hit_points,
    parse_damage,
    rate_of,
)
from wargamesim.rulebook import load_rulebook

RULES = load_rulebook("stirling")
ALTERNATE = RULES.variant({"SS-P04": "alternate"})

HIT_POINTS = {
    4: [4, 7, 10, 13, 16],
    6: [6, 10, 14, 18, 22],
    8: [8, 13, 18, 23, 28],
    10: [10, 16, 22, 28, 34],
    12: [12, 19, 26, 33, 40],
}


def test_hit_points_by_level() -> None:
    dice = np.array(list(HIT_POINTS))[:, None]
    assert hit_points(RULES, dice, np.arange(1, 6)).tolist() == list(HIT_POINTS.values())


def test_hit_points_rounded_once() -> None:
    rules = RULES.variant({"SS-P03": "exact_floor"})
    assert hit_points(rules, 10, [1, 2, 3]).tolist() == [10, 15, 21]


def test_monsters() -> None:
    assert monster_hit_points(RULES, [0, 1, 2, 3, 4], [0, -1, 0, 0, 1]).tolist() == [4, 7, 13, 18, 24]
    assert monster_hit_points(RULES, 1, -30) == 1


@pytest.mark.parametrize(
    ("rate", "mean", "alternate"),
    [
        ("0", [0] * 6, [0] * 6),
        ("1/2", [1] * 6, [0, 2, 0, 2, 0, 2]),
        ("1", [2] * 6, [2] * 6),
        ("3/2", [3] * 6, [2, 4, 2, 4, 2, 4]),
        ("2", [4] * 6, [4] * 6),
        ("5/2", [5] * 6, [4, 6, 4, 6, 4, 6]),
        ("1/3", [0, 1, 1, 0, 1, 1], [0, 1, 1, 0, 1, 1]),
        ("5/4", [2, 3, 2, 3, 2, 3], [2, 3, 2, 3, 2, 3]),
    ],
)
def test_attacks_of_a_rate(rate: str, mean: list[int], alternate: list[int]) -> None:
    for rules, wanted in ((RULES, mean), (ALTERNATE, alternate)):
        found = attacks_in(rules, rate, np.arange(1, 7)).tolist()
        assert found == wanted
        period = attack_period(rules, rate)
        assert found[:period] * (6 // period) == wanted
        assert sum(attacks_in(rules, rate, np.arange(1, 13))) == 24 * F(rate)


def test_turns_of_one_round() -> None:
    assert attacks_in(RULES.variant({"turn.attacks": 1}), "3/2", [1, 2, 3]).tolist() == [1, 2, 1]


def test_damage() -> None:
    assert parse_damage("d8") == (1, 8, 0)
    two = damage_dice(RULES, "2d6+1")
    assert two.values.tolist() == list(range(3, 14))
    np.testing.assert_allclose(two.p * 36, [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1], atol=1e-12)
    least = damage_dice(RULES, "1d4-2")
    np.testing.assert_allclose(least.equal_to([1, 2]), [0.75, 0.25], atol=1e-12)
    none = damage_dice(RULES.variant({"attack.least_damage": 0}), "1d4-2")
    np.testing.assert_allclose(none.equal_to([0, 1, 2]), [0.5, 0.25, 0.25], atol=1e-12)


def test_a_unit_reads_its_rate() -> None:
    assert Unit(rate="3/2").rate == F(3, 2)
    assert Unit(rate=2).rate == 2
    assert Unit() == Unit(men=300, thac0=20, ac=6, hp=7, damage="1d8", rate=1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Unit(men=0), "men: must be from 1 to 10000, not 0"),
        (lambda: Unit(men=2.5), "men: must be integers, not 2.5"),  # type: ignore[arg-type]
        (lambda: Unit(hp=0), "hp: must be from 1 to 10000, not 0"),
        (lambda: Unit(thac0=101), "thac0: must be from -100 to 100, not 101"),
        (lambda: Unit(leader=20), "leader: must be from 0 to 19, not 20"),
        (lambda: Unit(damage="d"), "damage: 'd' is no damage; write 1d8 or 2d6+1"),
        (lambda: Unit(damage="0d6"), "damage: '0d6' is no damage"),
        (lambda: Unit(quality="elit"), "quality: unknown quality 'elit'; did you mean 'elite'?"),
        (lambda: Unit(rate="1/5"), "rate: must be from 0 to 10 in halves, thirds or quarters, not 1/5"),
        (lambda: rate_of("-1"), "rate: must be from 0 to 10"),
        (lambda: rate_of("3/0"), "rate: '3/0' is no rate of attacks; write 1, 3/2 or 2"),
        (lambda: rate_of("many"), "rate: 'many' is no rate of attacks"),
        (lambda: attacks_in(RULES, 1, 0), "turn: must be at least 1, not 0"),
        (lambda: hit_points(RULES, 0, 1), "die: must be at least 1, not 0"),
        (lambda: hit_points(RULES, [4, 6], [1, 2, 3]), "die: shapes do not broadcast"),
        (lambda: monster_hit_points(RULES, -1), "dice: must be at least 0, not -1"),
    ],
)
def test_bad_input_names_the_argument(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value).startswith(message)
