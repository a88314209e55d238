"""The rulebook as frozen values: every number and reading that exact odds use arrives where it belongs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from wargamesim.errors import InputError
from wargamesim.games.coloniale.rules import GROUNDS, compile_march, compile_rules, indices
from wargamesim.rulebook import load_rulebook

RULES = load_rulebook("coloniale")


@pytest.mark.parametrize(
    ("changes", "field", "value"),
    [
        ({"discipline.least": 2}, "lowest", 2),
        ({"discipline.least": 2, "CO-P02": "generation_only"}, "lowest", 1),
        ({"discipline.floor": 2, "CO-P02": "generation_only"}, "lowest", 2),
        ({"discipline.floor": 2}, "lowest", 3),
        ({"discipline.most": 9}, "highest", 9),
        ({"rally.die": 12, "rally.need": 10}, "rally", 0.25),
        ({"rifle.dice": 4}, "rifle_dice", 4),
        ({"rifle.die": 8}, "rifle_hit", [0.5, 0.375, 0]),
        ({"rifle.need_open": 3, "rifle.need_cover": 4}, "rifle_hit", [2 / 3, 0.5, 0]),
        ({"fire.markers": 3}, "rifle_markers", [3, 3, 0]),
        ({"fire.markers": 3, "CO-P29": "suppressed"}, "rifle_markers", [3, 3, 3]),
        ({"rifle.reach": 7}, "rifle_reach", 7),
        ({"CO-P10": "fire_dice"}, "dice_lost_to_marker", 1),
        ({"CO-P10": "no_tactical_move"}, "dice_lost_to_marker", 0),
        ({"CO-P09": "one"}, "split_each", False),
        ({"cannon.die": 4, "cannon.near_need": 4}, "cannon_near", 0.25),
        ({"cannon.far_need": 4}, "cannon_far", [0.5, 1 / 3, 1 / 3]),
        ({"CO-P08": "six_in_cover"}, "cannon_far", [1 / 3, 1 / 6, 1 / 6]),
        ({"assault.die": 10, "assault.need": 8}, "assault_hit", 0.3),
        ({"CO-5.2": "summary"}, "assault_dice", 5),
        ({"CO-5.2": "summary"}, "value_die", 6),
        ({"CO-5.2": "summary_strict"}, "value_die", 1),
        ({"CO-5.2": "summary_strict", "assault.value_die": 4}, "value_die", 4),
        ({"CO-P17": "loser_only"}, "rises", 0),
        ({"CO-P17": "loser_only"}, "falls", 1 / 3),
        ({"CO-P17": "none"}, "falls", 0),
        ({"assault.test.die": 10, "assault.test.winner_need": 10}, "rises", 0.1),
        ({"assault.test.loser_need": 6}, "falls", 1 / 6),
        ({"CO-P20": "attacker_only"}, "defender_pursues", False),
    ],
)
def test_a_change_arrives(changes: dict[str, Any], field: str, value: object) -> None:
    np.testing.assert_allclose(getattr(compile_rules(RULES.variant(changes)), field), value, rtol=0, atol=1e-12)


def test_marches() -> None:
    march = compile_march(RULES)
    assert march.road_dice == {"infantry": 2, "cavalry": 3, "battery": 2}
    assert march.leg == {"infantry": 10, "cavalry": 20, "battery": 10}
    np.testing.assert_allclose(march.effects.sum(), 1, rtol=0, atol=1e-12)
    changed = compile_march(RULES.variant({"CO-P26": "no", "CO-P27": "enemy", "CO-P28": "point"}))
    assert (changed.last_roll_moves, changed.drift, changed.to_point) == (False, "enemy", True)


def test_names_become_indices() -> None:
    assert indices("ground", "ground", [["fort"], ["open"]], GROUNDS).tolist() == [[2], [0]]
    with pytest.raises(InputError, match="ground: unknown ground 'opne'; did you mean 'open'"):
        indices("ground", "ground", "opne", GROUNDS)
