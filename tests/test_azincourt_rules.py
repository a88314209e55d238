"""The rulebook as arrays: each reading and each number ends in its own field, and the tables are exact."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wargamesim.errors import InputError
from wargamesim.games.azincourt import rules as azincourt
from wargamesim.games.azincourt.rules import KINDS, NOTHING, REMOVE, UNHORSE, Rules, compile_rules
from wargamesim.rulebook import load_rulebook

BOOK = load_rulebook("azincourt")
BASE = compile_rules(BOOK)


def changed(changes: dict[str, Any]) -> dict[str, Any]:
    """Return the fields in which a variant's rules differ from the default ones."""
    variant = compile_rules(BOOK.variant(changes))
    pairs = zip(Rules._fields, BASE, variant, strict=True)
    return {field: new for field, old, new in pairs if not np.array_equal(old, new)}


READINGS: dict[str, dict[str, dict[str, Any]]] = {
    "AZ-2.2": {"min0": {"mud_slowest": 0}},
    "AZ-2.3": {"any_square": {"mud_any_square": 1}},
    "AZ-2.5": {"french": {"equal_dice": 1}, "english": {"equal_dice": 2}, "reroll": {"equal_dice": 3}},
    "AZ-2.7": {"shoot_move_fight": {"shoot_first": 1}},
    "AZ-3.7": {"front": {"stake_in_front": 1}},
    "AZ-3.8": {"locked": {"locked": 1}},
    "AZ-3.9": {"whole_action": {"plant_whole_action": 1}},
    "AZ-4.5": {
        "six_hits": {
            "arrow_effect": [
                [NOTHING, NOTHING, NOTHING, NOTHING, REMOVE, REMOVE, REMOVE],
                [NOTHING, NOTHING, UNHORSE, UNHORSE, REMOVE, REMOVE, REMOVE],
            ]
        }
    },
    "AZ-4.6": {"straight": {"straight": 1}},
    "AZ-4.9": {"immune": {"cannon_immune": 1}},
    "AZ-4.10": {
        "neither": {"woods_block": 0},
        "stakes": {"woods_block": 0, "stakes_block": 1},
        "both": {"stakes_block": 1},
    },
    "AZ-5.2": {"hit_if_at_least": {"hit_if_at_least": 1}},
    "AZ-5.7": {"sector": {"sector": 1}},
    "AZ-6.6": {"all": {"beaten_all": 1}},
    "AZ-7.4": {"at_least": {"at_least": 1}},
    "AZ-7.6": {"any_reduction": {"any_reduction": 1}},
    "AZ-7.7": {"no": {"small_last_move": 0}},
}


def test_every_option_of_every_reading_is_tested_here() -> None:
    others = {
        rule: {name for name in reading.options if name != reading.default} for rule, reading in BOOK.readings.items()
    }
    assert {rule: set(options) for rule, options in READINGS.items()} == others


@pytest.mark.parametrize(
    ("rule", "option"), [(rule, option) for rule, options in READINGS.items() for option in options]
)
def test_a_reading_changes_its_own_fields_alone(rule: str, option: str) -> None:
    difference = changed({rule: option})
    assert set(difference) == set(READINGS[rule][option])
    for field, wanted in READINGS[rule][option].items():
        assert np.array_equal(difference[field], wanted)


# Path: (another value, the field that takes it). Fields by kind and the dice are tested below.
NUMBERS = {
    "mud.die": (8, "mud_die"),
    "mud.slowest": (2, "mud_slowest"),
    "terrain.road.squares": (3, "road_squares"),
    "terrain.road.bonus": (2, "road_bonus"),
    "terrain.mountain.climb": (2, "climb"),
    "terrain.house.bonus": (2, "house_bonus"),
    "terrain.castle.bonus": (3, "castle_bonus"),
    "cannon.blast_radius": (2, "blast"),
    "cannon.sector_half_angle": (30.0, "half_angle"),
    "end.points_per_piece": (2, "points"),
    "end.margin": (15, "margin"),
    "end.last_moves": (2, "last_moves"),
    "end.small_margin": (8, "small_margin"),
    "end.small_moves": (3, "small_moves"),
    "end.half": (0.4, "half"),
    "end.turn_limit": (40, "turn_limit"),
}
DICE = {
    "arrow.die": {"arrow_die", "arrow_effect"},
    "cannon.die": {"cannon_die", "shot"},
    "cannon.dice_max": {"cannon_dice", "shot"},
    "melee.die": {"melee_die", "duel"},
}
ARROWS = ("arrow.foot.removes", "arrow.cavalry.removes", "arrow.cavalry.unhorses")
BY_KIND = {"speed": "speed", "value": "value", "range": "reach", "stakes": "stakes"}
# The board and the zones of deployment are read when a scenario is set up.
ELSEWHERE = {"board.rows", "board.cols", "deployment.english_depth", "deployment.french_depth"}


def test_every_number_of_the_rulebook_is_tested_here() -> None:
    of_pieces = {path for path in BOOK.numbers if path.startswith("pieces.")}
    assert set(BOOK.numbers) == {*NUMBERS, *DICE, *ARROWS, *of_pieces, *ELSEWHERE}


@pytest.mark.parametrize(("path", "value", "field"), [(path, *rest) for path, rest in NUMBERS.items()])
def test_a_number_changes_its_own_field_alone(path: str, value: float, field: str) -> None:
    assert getattr(BASE, field) == BOOK.number(path)
    assert changed({path: value}) == {field: value}


@pytest.mark.parametrize("path", [path for path in BOOK.numbers if path.startswith("pieces.")])
def test_a_number_of_a_piece_changes_its_kind_alone(path: str) -> None:
    _, kind, what = path.split(".")
    field = BY_KIND[what]
    wanted = getattr(BASE, field).copy()
    assert wanted[KINDS.index(kind)] == BOOK.number(path)
    wanted[KINDS.index(kind)] += 3
    difference = changed({path: BOOK.number(path) + 3})
    assert list(difference) == [field]
    assert difference[field].tolist() == wanted.tolist()


def test_only_what_may_carry_stakes_does() -> None:
    assert dict(zip(KINDS, BASE.stakes.tolist(), strict=True)) == {kind: int(kind == "archer") for kind in KINDS}


@pytest.mark.parametrize("path", DICE)
def test_a_die_changes_its_tables(path: str) -> None:
    assert set(changed({path: BOOK.number(path) + 2})) == DICE[path]


def test_zones_and_board_change_no_rule() -> None:
    assert changed({path: BOOK.number(path) - 1 for path in ELSEWHERE}) == {}


def test_arrows_hit_horse_and_foot_as_the_rules_say() -> None:
    # Faces 0 (never rolled) to 6.
    foot = [NOTHING, NOTHING, NOTHING, NOTHING, REMOVE, REMOVE, NOTHING]
    horse = [NOTHING, NOTHING, UNHORSE, UNHORSE, REMOVE, REMOVE, NOTHING]
    assert BASE.arrow_effect.tolist() == [foot, horse]


def test_a_larger_die_misses_with_its_new_faces() -> None:
    effect = compile_rules(BOOK.variant({"arrow.die": 10})).arrow_effect
    assert effect.shape == (2, 11)
    assert (effect[:, :7] == BASE.arrow_effect).all()
    assert (effect[:, 7:] == NOTHING).all()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"arrow.die": 4}, "arrow.foot.removes: face 5 is not on a die of 4 sides; allowed: 1 to 4"),
        (
            {"arrow.cavalry.removes": [6, 7]},
            "arrow.cavalry.removes: face 7 is not on a die of 6 sides; allowed: 1 to 6",
        ),
        ({"arrow.cavalry.unhorses": [3, 4]}, "arrow.cavalry.removes: face 4 cannot both unhorse and remove"),
    ],
)
def test_impossible_faces_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        compile_rules(BOOK.variant(changes))
    assert str(error.value) == message


# The attacker's chance with ties rolled again, by its value minus the defender's (sections 6 of the rules digest).
DUEL = {
    -5: Fraction(0),
    -4: Fraction(1, 34),
    -3: Fraction(1, 11),
    -2: Fraction(3, 16),
    -1: Fraction(10, 31),
    0: Fraction(1, 2),
    1: Fraction(21, 31),
    2: Fraction(13, 16),
    3: Fraction(10, 11),
    4: Fraction(33, 34),
    5: Fraction(1),
}


@pytest.mark.parametrize(("difference", "chance"), DUEL.items())
def test_duels_have_their_exact_chances(difference: int, chance: Fraction) -> None:
    assert BASE.duel[difference + BASE.melee_die] == float(chance)


def test_beyond_its_last_face_a_duel_is_decided() -> None:
    assert BASE.duel.shape == (13,)
    assert BASE.duel[0] == 0.0
    assert BASE.duel[-1] == 1.0


@settings(deadline=None)
@given(sides=st.integers(2, 30))
def test_duels_are_fair_and_grow_with_the_difference(sides: int) -> None:
    duel = compile_rules(BOOK.variant({"melee.die": sides})).duel
    assert duel.shape == (2 * sides + 1,)
    assert duel + duel[::-1] == pytest.approx(1.0, abs=1e-15)
    assert (np.diff(duel) >= 0).all()


def test_shots_have_their_exact_chances() -> None:
    none = [Fraction(int(total == 0)) for total in range(13)]
    one = [Fraction(int(1 <= total <= 6), 6) for total in range(13)]
    two = [Fraction(max(0, 6 - abs(total - 7)), 36) for total in range(13)]
    assert BASE.shot.shape == (3, 13)
    assert BASE.shot == pytest.approx(np.array([none, one, two], dtype=float), abs=1e-15)


@settings(deadline=None)
@given(sides=st.integers(2, 12), dice=st.integers(1, 6))
def test_shots_have_the_mean_and_variance_of_dice(sides: int, dice: int) -> None:
    shot = compile_rules(BOOK.variant({"cannon.die": sides, "cannon.dice_max": dice})).shot
    totals = np.arange(dice * sides + 1)
    count = np.arange(dice + 1)
    mean = shot @ totals
    assert shot.sum(axis=1) == pytest.approx(1.0, abs=1e-12)
    assert mean == pytest.approx(count * (sides + 1) / 2, abs=1e-9)
    assert shot @ totals**2 - mean**2 == pytest.approx(count * (sides**2 - 1) / 12, abs=1e-9)


def test_names_and_numbers_of_kinds_agree() -> None:
    assert [getattr(azincourt, kind.upper()) for kind in KINDS] == list(range(6))
    assert [getattr(azincourt, side.upper()) for side in azincourt.SIDES] == [0, 1]


def test_facings_run_clockwise_and_north_is_row_zero() -> None:
    angles = np.degrees(np.arctan2(azincourt.STEPS[:, 1], -azincourt.STEPS[:, 0])) % 360
    assert angles == pytest.approx(np.arange(0, 360, 45))
    assert azincourt.STEPS[azincourt.NORTH].tolist() == [-1, 0]
    assert azincourt.STEPS[azincourt.SOUTH].tolist() == [1, 0]
