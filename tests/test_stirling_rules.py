"""The rules of Stirling as plain values: what each reading makes of them."""

from __future__ import annotations

import pytest

from wargamesim.games.stirling.rules import SITUATIONS, compile_rules
from wargamesim.rulebook import load_rulebook

RULES = load_rulebook("stirling")


def test_tables() -> None:
    rules = compile_rules(RULES)
    assert rules.side_hit.tolist() == [0, 1, 2]
    assert rules.side_damage.tolist() == [100, 100, 100]
    assert rules.range_modifiers == (0, -2, -5)
    assert rules.charisma[[0, 1, 10, 19]].tolist() == [0, -7, 0, 8]
    assert rules.loss_shares == (25, 50, 75)
    assert tuple(rules.situations) == SITUATIONS
    assert dict(rules.hit_points) == {"common": 6, "chosen": 7, "elite": 8}


@pytest.mark.parametrize(
    ("reading", "option", "field", "value"),
    [
        ("SS-P03", "exact_floor", "floor_averages", True),
        ("SS-P04", "alternate", "alternate", True),
        ("SS-P07", "one_roll", "one_roll", True),
        ("SS-P08", "no_divisor", "ranged_divisor", 1),
        ("SS-P10", "off", "always_hits", 21),
        ("SS-P10", "off", "always_misses", 0),
        ("SS-P12", "flat", "range_modifiers", (0, 0, 0)),
        ("SS-P14", "aimed", "aimed_ac", True),
        ("SS-P15", "nearest", "quarters", "nearest"),
        ("SS-P24", "low_moves_first", "low_moves_first", True),
        ("SS-P31", "round_by_round", "round_by_round", True),
        ("SS-P33", "none", "charge_hit", 0),
        ("SS-P34", "off", "charge_damage", 100),
        ("SS-P35", "carry", "carry", True),
        ("SS-P35", "exact", "step", 1),
        ("SS-P36", "per_attack", "per_attack", True),
        ("SS-P37", "half", "leader_risk", 0.5),
        ("SS-P37", "never", "leader_risk", 0.0),
        ("SS-P39", "one_per_situation", "check_each", True),
        ("SS-P40", "2d6", "morale_die", 6),
        ("SS-P44", "same_turn", "recover_at_once", True),
        ("SS-P45", "as_last_check", "recover_as_checked", True),
        ("SS-P47", "both", "combine", "both"),
        ("SS-P48", "none", "commander_helps", False),
        ("SS-P49", "off", "wipe", False),
    ],
)
def test_a_reading_changes_its_value(reading: str, option: str, field: str, value: object) -> None:
    assert getattr(compile_rules(RULES.variant({reading: option})), field) == value
    assert getattr(compile_rules(RULES), field) != value
