"""The shipped rulebook of Azincourt: every rule, with the defaults, provenances and readings of the rules digest."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from wargamesim.rulebook import load_rulebook

IDS = (Path(__file__).parent / "azincourt_ids.txt").read_text().split()

# path: (value, id, provenance)
NUMBERS = {
    "board.rows": (32, "AZ-1.1", "gap"),
    "board.cols": (30, "AZ-1.1", "gap"),
    "deployment.french_depth": (10, "AZ-1.2", "seed"),
    "deployment.english_depth": (10, "AZ-1.3", "seed"),
    "pieces.knight.speed": (6, "AZ-1.7", "seed"),
    "pieces.knight.value": (4, "AZ-1.7", "gap"),
    "pieces.knight.range": (0, "AZ-1.7", "gap"),
    "pieces.foot_knight.speed": (2, "AZ-1.7", "gap"),
    "pieces.foot_knight.value": (3, "AZ-1.7", "gap"),
    "pieces.foot_knight.range": (0, "AZ-1.7", "gap"),
    "pieces.infantry.speed": (2, "AZ-1.7", "seed"),
    "pieces.infantry.value": (2, "AZ-1.7", "gap"),
    "pieces.infantry.range": (0, "AZ-1.7", "gap"),
    "pieces.archer.speed": (2, "AZ-1.7", "gap"),
    "pieces.archer.value": (1, "AZ-1.7", "gap"),
    "pieces.archer.range": (6, "AZ-4.1", "seed"),
    "pieces.archer.stakes": (1, "AZ-2.6", "seed"),
    "pieces.crossbow.speed": (2, "AZ-1.7", "gap"),
    "pieces.crossbow.value": (1, "AZ-1.7", "gap"),
    "pieces.crossbow.range": (4, "AZ-4.1", "seed"),
    "pieces.crossbow.stakes": (0, "AZ-2.6", "gap"),
    "pieces.cannon.speed": (1, "AZ-1.7", "gap"),
    "pieces.cannon.value": (0, "AZ-1.7", "gap"),
    "pieces.cannon.range": (12, "AZ-5.1", "seed"),
    "mud.die": (6, "AZ-2.1", "seed"),
    "mud.slowest": (1, "AZ-2.2", "reading"),
    "terrain.road.squares": (2, "AZ-3.2", "seed"),
    "terrain.road.bonus": (1, "AZ-3.2", "seed"),
    "terrain.mountain.climb": (1, "AZ-3.3", "seed"),
    "terrain.house.bonus": (1, "AZ-6.7", "seed"),
    "terrain.castle.bonus": (1, "AZ-6.7", "seed"),
    "arrow.die": (6, "AZ-4.2", "seed"),
    "arrow.cavalry.removes": ((4, 5), "AZ-4.3", "seed"),
    "arrow.cavalry.unhorses": ((2, 3), "AZ-4.3", "seed"),
    "arrow.foot.removes": ((4, 5), "AZ-4.4", "seed"),
    "cannon.die": (6, "AZ-5.1", "seed"),
    "cannon.dice_max": (2, "AZ-5.1", "seed"),
    "cannon.blast_radius": (1, "AZ-5.3", "seed"),
    "cannon.sector_half_angle": (22.5, "AZ-5.7", "reading"),
    "melee.die": (6, "AZ-6.1", "seed"),
    "end.points_per_piece": (1, "AZ-7.1", "seed"),
    "end.margin": (20, "AZ-7.2", "seed"),
    "end.last_moves": (1, "AZ-7.2", "seed"),
    "end.small_margin": (10, "AZ-7.3", "seed"),
    "end.small_moves": (2, "AZ-7.3", "seed"),
    "end.half": (0.5, "AZ-7.8", "reading"),
    "end.turn_limit": (60, "AZ-7.5", "gap"),
}

# The default comes first.
READINGS = {
    "AZ-2.2": ["min1", "min0"],
    "AZ-2.3": ["starts_in", "any_square"],
    "AZ-2.5": ["coin", "french", "english", "reroll"],
    "AZ-2.7": ["act_then_fight", "shoot_move_fight"],
    "AZ-3.7": ["adjacent", "front"],
    "AZ-3.8": ["yes", "locked"],
    "AZ-3.9": ["after_move", "whole_action"],
    "AZ-4.5": ["literal", "six_hits"],
    "AZ-4.6": ["any_path", "straight"],
    "AZ-4.9": ["as_infantry", "immune"],
    "AZ-4.10": ["woods", "neither", "stakes", "both"],
    "AZ-5.2": ["sum_is_distance", "hit_if_at_least"],
    "AZ-5.7": ["axis", "sector"],
    "AZ-6.6": ["lead", "all"],
    "AZ-7.4": ["exceeds", "at_least"],
    "AZ-7.6": ["no_longer_exceeds", "any_reduction"],
    "AZ-7.7": ["yes", "no"],
}

# Rules in words alone, with their provenance.
RULES = {
    "seed": "1.4 1.5 1.6 2.1 2.4 2.6 3.1 3.4 3.5 3.6 4.2 4.7 4.8 5.1 5.3 5.4 5.5 6.1 6.4 7.2 7.3",
    "reading": "5.6 6.2 6.3 6.5",
    "gap": "1.7 3.10",
}

RULEBOOK = load_rulebook("azincourt")


def test_every_rule_of_the_digest_is_there_and_no_other() -> None:
    assert list(RULEBOOK.ids) == IDS
    assert len(set(IDS)) == 56


def test_it_plays_its_own_game() -> None:
    assert (RULEBOOK.name, RULEBOOK.title, RULEBOOK.game) == ("azincourt", "Azincourt 1415", "azincourt")


def test_there_are_these_numbers_and_no_others() -> None:
    assert set(RULEBOOK.numbers) == set(NUMBERS)


@pytest.mark.parametrize("path", NUMBERS)
def test_a_number_has_the_digest_value_id_and_provenance(path: str) -> None:
    number = RULEBOOK.numbers[path]
    assert (RULEBOOK.number(path), number.id, number.provenance) == NUMBERS[path]
    assert type(number.value) is type(NUMBERS[path][0])


def test_the_readings_have_these_options_the_default_first() -> None:
    assert {rule_id: list(reading.options) for rule_id, reading in RULEBOOK.readings.items()} == READINGS
    assert {rule_id: RULEBOOK.reading(rule_id) for rule_id in READINGS} == {
        rule_id: options[0] for rule_id, options in READINGS.items()
    }


def test_two_readings_are_nothing_but_numbers() -> None:
    moved = {
        (rule_id, name): option.set
        for rule_id, reading in RULEBOOK.readings.items()
        for name, option in reading.options.items()
        if option.set
    }
    assert moved == {
        ("AZ-2.2", "min0"): {"mud.slowest": 0},
        ("AZ-4.5", "six_hits"): {"arrow.cavalry.removes": [4, 5, 6], "arrow.foot.removes": [4, 5, 6]},
    }


def test_the_rules_in_words_have_the_digest_provenance() -> None:
    wanted = {f"AZ-{number}": provenance for provenance, numbers in RULES.items() for number in numbers.split()}
    assert {rule_id: rule.provenance for rule_id, rule in RULEBOOK.rules.items()} == wanted


def test_provenance_is_counted() -> None:
    assert Counter(row["provenance"] for row in RULEBOOK.rows()) == {"seed": 48, "gap": 19, "reading": 24}


@pytest.mark.parametrize(
    ("ending", "limits"),
    [
        (".speed", "0..30"),
        (".value", "0..30"),
        (".range", "0..60"),
        (".stakes", "0..9"),
        (".die", "2..100"),
        ("board.rows", "2..62"),
        ("board.cols", "1..62"),
        ("margin", "0..1000"),
        (".blast_radius", "0..3"),
        ("end.half", "0.0..1.0"),
        ("removes", "1..100"),
    ],
)
def test_ranges_are_those_the_game_can_play(ending: str, limits: str) -> None:
    found = {number.range for path, number in RULEBOOK.numbers.items() if path.endswith(ending)}
    assert found == {limits}


def test_italian_terms_help_a_reader_of_the_original() -> None:
    terms = {row["source_term"] for row in RULEBOOK.rows()}
    assert {"fango", "appiedare", "palo"} <= terms
