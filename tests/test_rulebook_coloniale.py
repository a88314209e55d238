"""The shipped rulebook of Coloniale: every rule, with the defaults, provenances and readings of the rules digest."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from wargamesim.rulebook import load_rulebook

ROOT = Path(__file__).parents[1]
IDS = (ROOT / "tests" / "coloniale_ids.txt").read_text().split()

# path: (value, id, provenance)
NUMBERS = {
    "scale.metres_per_cm": (50, "CO-P01", "reading"),
    "units.infantry.figures": (8, "CO-1.2", "seed"),
    "units.cavalry.figures": (4, "CO-1.2", "seed"),
    "units.battery.figures": (3, "CO-1.2", "seed"),
    "units.infantry.rifles": (True, "CO-P03", "gap"),
    "units.cavalry.rifles": (True, "CO-P03", "gap"),
    "units.battery.rifles": (False, "CO-P03", "gap"),
    "discipline.least": (3, "CO-1.3", "seed"),
    "discipline.most": (10, "CO-1.3", "seed"),
    "discipline.irregular": ((3, 4), "CO-1.4a", "seed"),
    "discipline.regular": ((5, 6), "CO-1.4a", "seed"),
    "discipline.elite": ((7, 8), "CO-1.4a", "seed"),
    "discipline.cavalry": ((1, 2), "CO-1.4b", "reading"),
    "discipline.battery": (-1, "CO-1.4c", "seed"),
    "discipline.veteran": (1, "CO-1.4d", "seed"),
    "discipline.fanatic": (2, "CO-1.4d", "seed"),
    "discipline.floor": (1, "CO-P02", "gap"),
    "table.contact": (2.0, "CO-5.1", "gap"),
    "table.edge": (3.0, "CO-2.2", "gap"),
    "table.crest": (2.0, "CO-2.3", "gap"),
    "table.bank": (2.0, "CO-2.4", "gap"),
    "table.bridge": (2.0, "CO-2.4", "gap"),
    "table.column": (5.0, "CO-7.1", "gap"),
    "table.rim": (0.5, "CO-5.8", "gap"),
    "table.beside": (0.5, "CO-7.2", "gap"),
    "rally.die": (6, "CO-4.1", "seed"),
    "rally.need": (5, "CO-4.1", "seed"),
    "rifle.die": (6, "CO-4.2a", "seed"),
    "rifle.dice": (5, "CO-4.2a", "seed"),
    "rifle.need_open": (5, "CO-4.2b", "seed"),
    "rifle.need_cover": (6, "CO-4.2c", "seed"),
    "rifle.reach": (20, "CO-4.2d", "seed"),
    "cannon.die": (6, "CO-4.3a", "seed"),
    "cannon.near_reach": (50, "CO-4.3a", "seed"),
    "cannon.near_need": (3, "CO-4.3a", "seed"),
    "cannon.reach": (100, "CO-4.3b", "seed"),
    "cannon.far_need": (5, "CO-4.3b", "seed"),
    "cannon.far_need_cover": (5, "CO-P08", "reading"),
    "fire.markers": (1, "CO-4.4", "seed"),
    "assault.reach": (20, "CO-5.1", "seed"),
    "assault.die": (6, "CO-5.2b", "seed"),
    "assault.most_dice": (99, "CO-P12", "reading"),
    "assault.need": (6, "CO-P13", "reading"),
    "assault.value_die": (6, "CO-P14", "reading"),
    "assault.position": (1, "CO-5.3b", "seed"),
    "assault.winner_markers": (1, "CO-5.6a", "seed"),
    "assault.loser_markers": (3, "CO-5.6b", "seed"),
    "assault.loser_figures": (1, "CO-5.6b", "seed"),
    "assault.retreat": (20, "CO-5.6b", "seed"),
    "assault.draw_markers": (1, "CO-5.5", "gap"),
    "assault.draw_retreat": (20, "CO-5.5", "gap"),
    "assault.test.die": (6, "CO-5.7", "seed"),
    "assault.test.winner_need": (5, "CO-5.7a", "seed"),
    "assault.test.winner_gain": (1, "CO-5.7a", "seed"),
    "assault.test.loser_need": (5, "CO-5.7b", "reading"),
    "assault.test.loser_drop": (1, "CO-5.7b", "seed"),
    "fort.bonus": (4, "CO-5.3c", "seed"),
    "pursuit.reach": (20, "CO-5.10", "seed"),
    "tactical.infantry": (20, "CO-6.1", "seed"),
    "tactical.cavalry": (30, "CO-6.1", "seed"),
    "tactical.battery": (20, "CO-6.1", "seed"),
    "merge.reach": (20, "CO-6.3a", "seed"),
    "merge.mixed_drop": (1, "CO-6.3b", "seed"),
    "split.drop": (1, "CO-6.4", "seed"),
    "reinforce.figures": (2, "CO-6.5", "seed"),
    "reinforce.reach": (20, "CO-6.5", "seed"),
    "march.margin": (20, "CO-7.1", "seed"),
    "march.ford": (15, "CO-7.7", "seed"),
    "march.road.first": (20, "CO-7.2a", "seed"),
    "march.road.die": (6, "CO-7.2a", "seed"),
    "march.road.step": (5, "CO-7.2a", "seed"),
    "march.road.infantry_dice": (2, "CO-7.2a", "seed"),
    "march.road.cavalry_dice": (3, "CO-7.2b", "seed"),
    "march.road.junction_die": (6, "CO-7.3", "seed"),
    "march.road.wrong_need": (5, "CO-7.3", "seed"),
    "march.off_road.first": (30, "CO-7.5a", "seed"),
    "march.off_road.infantry_leg": (10, "CO-7.5b", "seed"),
    "march.off_road.cavalry_leg": (20, "CO-7.5b", "seed"),
    "march.off_road.rolls": (3, "CO-7.5h", "seed"),
    "march.off_road.die": (6, "CO-7.5", "seed"),
    "march.off_road.stop": ((1,), "CO-7.5c", "seed"),
    "march.off_road.stop_if_difficult": ((2, 3), "CO-7.5d", "seed"),
    "march.off_road.drift": ((4,), "CO-7.5e", "seed"),
    "march.off_road.drift_angle": (45.0, "CO-7.5e", "seed"),
    "march.off_road.straight": ((5,), "CO-7.5f", "seed"),
    "march.off_road.correct": ((6,), "CO-7.5g", "seed"),
    "end.turns": (10, "CO-8.1", "seed"),
    "night.turns": ((4, 5), "CO-8.2", "seed"),
}

# The default comes first.
READINGS = {
    "CO-5.2": ["body", "summary", "summary_strict"],
    "CO-P02": ["always", "generation_only"],
    "CO-P04": ["random", "plus1", "plus2", "designer"],
    "CO-P05": ["add", "exclusive"],
    "CO-P06": ["full", "not_twice"],
    "CO-P07": ["coin", "alternate", "fixed"],
    "CO-P08": ["ignores_cover", "six_in_cover"],
    "CO-P09": ["each", "one"],
    "CO-P10": ["assault_value_only", "fire_dice", "no_tactical_move"],
    "CO-P11": ["no", "yes"],
    "CO-P15": ["before_values", "values_decide"],
    "CO-P16": ["defender", "attacker", "draw", "reroll"],
    "CO-P17": ["both", "loser_only", "none"],
    "CO-P18": ["removed", "stops"],
    "CO-P19": ["before_pursuit", "after_pursuit"],
    "CO-P20": ["any_winner", "attacker_only"],
    "CO-P21": ["add", "fort_only"],
    "CO-P22": ["refuse", "surplus_lost", "none"],
    "CO-P23": ["both", "sender_only", "none"],
    "CO-P24": ["arm", "arm_or_quality"],
    "CO-P25": ["town_or_edge", "free"],
    "CO-P26": ["yes", "no"],
    "CO-P27": ["relative", "absolute", "enemy"],
    "CO-P28": ["heading", "point"],
    "CO-P29": ["none", "suppressed"],
    "CO-P30": ["units_zones_figures", "figures_only"],
    "CO-P31": ["uniform", "fixed_4"],
}

# Readings that are nothing but numbers, or come with some.
MOVED = {
    ("CO-5.2", "summary"): {"assault.most_dice": 5, "assault.need": 5},
    ("CO-5.2", "summary_strict"): {"assault.most_dice": 5, "assault.need": 5, "assault.value_die": 1},
    ("CO-P04", "plus1"): {"discipline.cavalry": [1]},
    ("CO-P04", "plus2"): {"discipline.cavalry": [2]},
    ("CO-P04", "designer"): {"discipline.cavalry": [0]},
    ("CO-P08", "six_in_cover"): {"cannon.far_need_cover": 6},
    ("CO-P31", "fixed_4"): {"night.turns": [4]},
}

# Rules in words alone, with their provenance.
RULES = {
    "seed": (
        "1.1 1.3 1.4 1.6 2.1 2.2 2.3 2.4 2.5 3.1 3.2 3.3 4.1 4.2 4.3 4.6 5.1 5.2 5.3 5.6 5.9 5.10 "
        "6.1 6.2 6.3 6.3c 6.4 6.5 7.1 7.2 7.4 7.5 7.6 8.1 8.2 8.3"
    ),
    "reading": "5.2a 5.3a 5.7",
    "gap": "1.5 4.5 5.4 5.5 5.8 5.11 8.4",
}

# What nothing in play depends on.
WITHOUT_EFFECT = {"CO-P01"}

RULEBOOK = load_rulebook("coloniale")


def test_every_rule_of_the_digest_is_there_and_no_other() -> None:
    assert list(RULEBOOK.ids) == IDS
    assert len(set(IDS)) == 110
    assert [rule_id for rule_id in IDS if "P" in rule_id] == [f"CO-P{n:02}" for n in range(1, 32)]


def test_it_plays_its_own_game() -> None:
    assert (RULEBOOK.name, RULEBOOK.title, RULEBOOK.game) == ("coloniale", "Coloniale", "coloniale")


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


def test_some_readings_come_with_numbers() -> None:
    moved = {
        (rule_id, name): option.set
        for rule_id, reading in RULEBOOK.readings.items()
        for name, option in reading.options.items()
        if option.set
    }
    assert moved == MOVED


def test_the_rules_in_words_have_the_digest_provenance() -> None:
    wanted = {f"CO-{number}": provenance for provenance, numbers in RULES.items() for number in numbers.split()}
    assert {rule_id: rule.provenance for rule_id, rule in RULEBOOK.rules.items()} == wanted


def test_every_rule_is_used_by_code() -> None:
    code = "\n".join(path.read_text("utf-8") for path in (ROOT / "wargamesim" / "games" / "coloniale").glob("*.py"))
    used = set(re.findall(r"CO-(?:P\d+|\d+\.\d+[a-z]?)", code))
    used |= {number.id for path, number in RULEBOOK.numbers.items() if re.search(rf"['\"]{path}['\"]", code)}
    assert used <= set(IDS), "the code cites a rule that does not exist"
    assert set(IDS) - used == WITHOUT_EFFECT


def test_provenance_is_counted() -> None:
    assert Counter(row["provenance"] for row in RULEBOOK.rows()) == {"seed": 103, "gap": 21, "reading": 37}


@pytest.mark.parametrize(
    ("ending", "limits"),
    [
        ("units.infantry.figures", "1..20"),
        ("discipline.floor", "1..30"),
        (".need", "1..101"),
        ("rally.die", "2..100"),
        ("value_die", "1..100"),
        ("most_dice", "1..99"),
        ("loser_figures", "1..20"),
        ("_markers", "0..20"),
        ("reach", "0..1000"),
        ("rolls", "0..6"),
        ("angle", "0.0..180.0"),
    ],
)
def test_ranges_are_those_the_game_can_play(ending: str, limits: str) -> None:
    found = {number.range for path, number in RULEBOOK.numbers.items() if path.endswith(ending)}
    assert found == {limits}


def test_italian_terms_help_a_reader_of_the_original() -> None:
    terms = {row["source_term"] for row in RULEBOOK.rows()}
    assert {"valore disciplina", "riordino", "segnalino Soppresso", "dadi assalto", "fortino"} <= terms
