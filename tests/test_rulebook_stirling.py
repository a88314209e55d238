"""The shipped rulebook of Stirling: every rule, with the defaults, provenances and readings of the rules digest."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from wargamesim.games.stirling.playing import pack_play
from wargamesim.games.stirling.rules import compile_rules
from wargamesim.rulebook import Rulebook, load_rulebook

TESTS = Path(__file__).parent
IDS = (TESTS / "stirling_ids.txt").read_text().split()
PACKAGE = TESTS.parent / "wargamesim" / "games" / "stirling"


def rows(prefix: str, rule_id: str, provenance: str, **values: object) -> dict[str, tuple[object, str, str]]:
    return {f"{prefix}.{name}": (value, rule_id, provenance) for name, value in values.items()}


CHARISMA = [-7, -6, -5, -4, -3, -2, -1, 0, 0, 0, 0, 0, 1, 2, 3, 5, 6, 7, 8]

# path: (value, id, provenance)
NUMBERS = {
    "board.hex": (9, "SS-1.1", "seed"),
    **rows("units.hp", "SS-1.4", "seed", common=6, chosen=7, elite=8),
    "units.hp.monster_die": (8, "SS-1.5a", "reading"),
    "units.hp.half_die": (4, "SS-1.5b", "gap"),
    "units.men_step": (10, "SS-P02", "gap"),
    "turn.rounds": (2, "SS-2.1", "seed"),
    "turn.attacks": (2, "SS-2.2a", "seed"),
    "attack.die": (20, "SS-3.2a", "seed"),
    **rows("attack", "SS-3.2b", "gap", always_hits=20, always_misses=1),
    "attack.least_damage": (1, "SS-3.3", "gap"),
    "attack.divisor": (5, "SS-3.3a", "seed"),
    "attack.ranged_divisor": (5, "SS-P08", "reading"),
    "ranged.barred": (1, "SS-4.2", "seed"),
    **rows("ranged.modifiers", "SS-4.3a", "gap", short=0, medium=-2, long=-5),
    **rows("ranged.weapons.long_bow", "SS-4.3b", "gap", short=7, medium=14, long=21),
    **rows("ranged.weapons.light_crossbow", "SS-4.3b", "gap", short=6, medium=12, long=18),
    **rows("ranged.weapons.short_bow", "SS-4.3b", "gap", short=5, medium=10, long=15),
    **rows("ranged.weapons.spear", "SS-4.3b", "gap", short=1, medium=2, long=3),
    "ranged.mixed.shares": (4, "SS-4.4", "seed"),
    "ranged.mixed.large_weight": (2, "SS-4.4a", "seed"),
    "movement.per_turn": (1, "SS-2.3", "reading"),
    "movement.run": (3, "SS-5.1a", "seed"),
    **rows("movement", "SS-5.1b", "gap", hexes=1, mov_points=1),
    "movement.die": (6, "SS-5.2", "seed"),
    "movement.free_rotation": (1, "SS-5.4a", "seed"),
    "movement.reversal_part": (3, "SS-5.4b", "seed"),
    "movement.zone": (1, "SS-5.6", "seed"),
    "movement.step_back_part": (3, "SS-5.7", "seed"),
    "movement.free_attacks": (1, "SS-5.8a", "reading"),
    "movement.run_morale": (-1, "SS-P17", "gap"),
    **rows("sides.flank", "SS-7.2a", "gap", hit=1, damage=100),
    **rows("sides.rear", "SS-7.2b", "gap", hit=2, damage=100, shield_lost=True),
    "charge.least_hexes": (3, "SS-7.3a", "gap"),
    **rows("charge", "SS-7.3b", "gap", hit=2, ac=1),
    "charge.damage": (200, "SS-7.3c", "gap"),
    "losses.step": (10, "SS-8.2", "seed"),
    **rows("morale.situations.charged", "SS-9.1a", "gap", on=True, modifier=0),
    **rows("morale.situations.lost_quarter", "SS-9.1b", "gap", on=True, share=25, modifier=-2),
    **rows("morale.situations.lost_half", "SS-9.1b", "gap", on=True, share=50, modifier=-4),
    **rows("morale.situations.lost_three_quarters", "SS-9.1b", "gap", on=True, share=75, modifier=-4),
    **rows("morale.situations.leader_lost", "SS-9.1c", "gap", on=True, modifier=-4),
    **rows("morale.situations.struck_behind", "SS-9.1d", "gap", on=True, modifier=-2),
    **rows("morale.situations.friend_broken", "SS-9.1e", "gap", on=True, within=3, modifier=-2),
    **rows("morale.situations.outnumbered", "SS-9.1f", "gap", on=True, ratio=3, modifier=-4),
    **rows("morale.situations.commander_lost", "SS-9.1g", "gap", on=True, modifier=-4),
    **rows("morale", "SS-9.3a", "gap", dice=2, die=10),
    "morale.further": (-1, "SS-P39", "gap"),
    **rows("morale.ratings", "SS-9.3b", "gap", levy=10, common=12, chosen=13, elite=14, leader=15),
    **{f"morale.charisma.{i + 1}": (gives, "SS-9.3c", "gap") for i, gives in enumerate(CHARISMA)},
    "end.turns": (30, "SS-11.1", "gap"),
}

# The default comes first.
READINGS = {
    "SS-P01": ["one_per_faction", "unlimited"],
    "SS-P03": ["ceil_each", "exact_floor"],
    "SS-P04": ["mean", "alternate"],
    "SS-P05": ["as_chapters", "move_first", "recovery_first"],
    "SS-P06": ["once", "per_round"],
    "SS-P07": ["independent", "one_roll"],
    "SS-P08": ["as_melee", "no_divisor"],
    "SS-P09": ["scenario", "off"],
    "SS-P10": ["on", "off"],
    "SS-P11": ["pair_only", "none_if_any_adjacent"],
    "SS-P12": ["by_range", "flat"],
    "SS-P13": ["any", "front_three"],
    "SS-P14": ["each_own", "aimed"],
    "SS-P15": ["small_floor", "both_floor", "friend_floor", "nearest"],
    "SS-P16": ["one", "third", "four_thirds"],
    "SS-P17": ["none", "no_charge_for_shooters", "morale"],
    "SS-P18": ["through_front", "any_direction"],
    "SS-P19": ["as_rotation", "free"],
    "SS-P20": ["in_zone", "facing"],
    "SS-P21": ["single", "full"],
    "SS-P22": ["every_owner", "one"],
    "SS-P23": ["immediate", "end_of_phase"],
    "SS-P24": ["high_is_faster", "low_moves_first"],
    "SS-P25": ["unit", "faction"],
    "SS-P26": ["of_allowance", "of_mov"],
    "SS-P27": ["walk", "run"],
    "SS-P28": ["any_path_hex", "proportional"],
    "SS-P29": ["same_hex", "adjacent_hex"],
    "SS-P30": ["straight_run", "any_run", "full_mov"],
    "SS-P31": ["all_at_once", "round_by_round"],
    "SS-P32": ["flank_1_rear_2", "rear_only", "flank_2_rear_4", "rear_damage"],
    "SS-P33": ["hit_and_ac", "hit_only", "none"],
    "SS-P34": ["double", "off"],
    "SS-P35": ["discard", "carry", "exact"],
    "SS-P36": ["per_phase", "per_clash", "per_attack"],
    "SS-P37": ["as_a_man", "never", "half"],
    "SS-P38": ["all", "losses_only"],
    "SS-P39": ["one", "one_per_situation"],
    "SS-P40": ["2d10", "2d6"],
    "SS-P41": ["by_quality", "all_12", "bx"],
    "SS-P42": ["reaction", "bx", "half"],
    "SS-P43": ["own_or_in_hex", "own", "adjacent"],
    "SS-P44": ["next_turn", "same_turn", "hold"],
    "SS-P45": ["none", "as_last_check"],
    "SS-P46": ["no_ordered_unit", "annihilation"],
    "SS-P47": ["separate", "either", "both"],
    "SS-P48": ["commander", "none"],
    "SS-P49": ["on", "off"],
    "SS-P50": ["run", "walk"],
    "SS-P51": ["none", "as_ordered"],
}

# What a reading sets, where it is nothing but numbers.
BX_CHARISMA = [-2, -2, -2, -1, -1, -1, -1, -1, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2]
SET = {
    ("SS-P06", "per_round"): {"movement.per_turn": 2},
    ("SS-P08", "no_divisor"): {"attack.ranged_divisor": 1},
    ("SS-P12", "flat"): {f"ranged.modifiers.{band}": 0 for band in ("short", "medium", "long")},
    ("SS-P16", "third"): {"movement.mov_points": 3},
    ("SS-P16", "four_thirds"): {"movement.hexes": 4, "movement.mov_points": 3},
    ("SS-P32", "rear_only"): {"sides.flank.hit": 0},
    ("SS-P32", "flank_2_rear_4"): {"sides.flank.hit": 2, "sides.rear.hit": 4},
    ("SS-P32", "rear_damage"): {"sides.rear.damage": 150},
    ("SS-P33", "hit_only"): {"charge.ac": 0},
    ("SS-P33", "none"): {"charge.hit": 0, "charge.ac": 0},
    ("SS-P34", "off"): {"charge.damage": 100},
    ("SS-P38", "losses_only"): {
        f"morale.situations.{name}.on": False
        for name in ("charged", "leader_lost", "struck_behind", "friend_broken", "outnumbered", "commander_lost")
    },
    ("SS-P40", "2d6"): {"morale.die": 6},
    ("SS-P41", "all_12"): {f"morale.ratings.{name}": 12 for name in ("levy", "chosen", "elite", "leader")},
    ("SS-P41", "bx"): {
        f"morale.ratings.{name}": value
        for name, value in {"levy": 6, "common": 7, "chosen": 8, "elite": 9, "leader": 10}.items()
    },
    ("SS-P42", "bx"): {
        f"morale.charisma.{i + 1}": gives for i, gives in enumerate(BX_CHARISMA) if gives != CHARISMA[i]
    },
    ("SS-P42", "half"): {
        f"morale.charisma.{i + 1}": int(gives / 2) for i, gives in enumerate(CHARISMA) if int(gives / 2) != gives
    },
}

# Rules in words alone, with their provenance.
RULES = {
    "seed": "1.1 1.2 1.3 1.5 1.6 2.2 2.2b 2.5 3.1 3.2 3.3 3.3b 3.4 4.1 4.4 4.4b 5.1 5.2 5.3 5.4 5.6 5.7 5.8 6.1 6.2 "
    "6.3 7.1 7.2 7.4 8.1 9.1 9.4 9.5 10.2 10.3",
    "reading": "3.5 4.5 5.5 8.3 8.4 9.2 10.1",
    "gap": "1.5b 1.7 1.8 2.4 4.3 4.6 5.9 5.10 7.3 7.5 8.5 8.6 9.3 9.6 10.4 11.1",
}

# A number that nothing computes with: the scale.
NOT_COMPUTED = {"board.hex"}

RULEBOOK = load_rulebook("stirling")


def test_every_rule_of_the_digest_is_there_and_no_other() -> None:
    assert list(RULEBOOK.ids) == IDS
    assert len(set(IDS)) == 142
    assert {f"SS-P{number:02}" for number in range(1, 52)} <= set(IDS)


def test_it_plays_its_own_game() -> None:
    assert (RULEBOOK.name, RULEBOOK.title, RULEBOOK.game) == ("stirling", "Swords of Stirling", "stirling")


def test_there_are_these_numbers_and_no_others() -> None:
    assert set(RULEBOOK.numbers) == set(NUMBERS)


@pytest.mark.parametrize("path", NUMBERS)
def test_a_number_has_the_digest_value_id_and_provenance(path: str) -> None:
    number = RULEBOOK.numbers[path]
    assert (RULEBOOK.number(path), number.id, number.provenance) == NUMBERS[path]
    assert type(number.value) is type(NUMBERS[path][0])


def test_the_readings_have_these_options_the_default_first() -> None:
    assert {rule_id: list(reading.options) for rule_id, reading in RULEBOOK.readings.items()} == READINGS
    assert dict(RULEBOOK.chosen) == {rule_id: options[0] for rule_id, options in READINGS.items()}


def test_some_readings_are_nothing_but_numbers() -> None:
    found = {
        (rule_id, name): option.set
        for rule_id, reading in RULEBOOK.readings.items()
        for name, option in reading.options.items()
        if option.set
    }
    assert found == SET


def test_the_rules_in_words_have_the_digest_provenance() -> None:
    wanted = {f"SS-{number}": provenance for provenance, numbers in RULES.items() for number in numbers.split()}
    assert {rule_id: rule.provenance for rule_id, rule in RULEBOOK.rules.items()} == wanted


def test_provenance_is_counted() -> None:
    assert Counter(row["provenance"] for row in RULEBOOK.rows()) == {"seed": 53, "gap": 99, "reading": 61}


@pytest.mark.parametrize(
    ("ending", "limits"),
    [
        (".die", "2..100"),
        (".modifier", "-20..20"),
        (".damage", "0..1000"),
        ("divisor", "1..1000"),
        ("losses.step", "1..1000"),
        ("units.men_step", "1..1000"),
        (".share", "1..100"),
        ("end.turns", "1..1000"),
    ],
)
def test_ranges_are_those_the_game_can_play(ending: str, limits: str) -> None:
    assert {number.range for path, number in RULEBOOK.numbers.items() if path.endswith(ending)} == {limits}


def test_italian_terms_help_a_reader_of_the_original() -> None:
    terms = {row["source_term"] for row in RULEBOOK.rows()}
    assert {"Zona di Controllo", "rotta", "carica"} <= terms


# Every rule is used


def test_every_number_and_reading_is_read_by_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers, readings = set(), set()
    number, reading = Rulebook.number, Rulebook.reading

    def read_number(rulebook: Rulebook, path: str) -> object:
        numbers.add(path)
        return number(rulebook, path)

    def read_reading(rulebook: Rulebook, rule_id: str) -> str:
        readings.add(rule_id)
        return reading(rulebook, rule_id)

    monkeypatch.setattr(Rulebook, "number", read_number)
    monkeypatch.setattr(Rulebook, "reading", read_reading)
    compile_rules(RULEBOOK)
    pack_play(RULEBOOK)
    assert set(NUMBERS) - numbers == NOT_COMPUTED
    by_numbers = {rule_id for rule_id, option in SET if numbers.issuperset(SET[rule_id, option])}
    assert set(READINGS) - readings - by_numbers == set()


def test_every_rule_is_cited_where_it_is_implemented() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in PACKAGE.glob("*.py"))
    cited = set(re.findall(r"SS-(?:\d+\.\d+[a-z]?|P\d\d)", sources))
    assert cited <= set(IDS)
    read = {number.id for path, number in RULEBOOK.numbers.items() if path not in NOT_COMPUTED}
    assert set(RULEBOOK.rules) <= cited | read
