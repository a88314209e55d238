"""The shipped rulebook Risorgimento: every rule, with the defaults, provenances and readings of the rules digest."""

from __future__ import annotations

import re
from ast import literal_eval
from pathlib import Path
from typing import ClassVar

import pytest

from wargamesim.games.skirmish import odds
from wargamesim.games.skirmish.playing import pack_play
from wargamesim.rulebook import Rulebook, load_rulebook

IDS = (Path(__file__).parent / "risorgimento_ids.txt").read_text().split()
SOURCES = sorted((Path(__file__).parents[1] / "wargamesim" / "games" / "skirmish").glob("*.py"))

# path value id provenance
TABLE = """
scale.turn_seconds 30 RI-1.3 reading
scale.base_diameter 2.0 RI-1.4 gap
scale.grasp 1.5 RI-7.11 gap
scale.see_through_wood 5.0 RI-1.5 gap
deck.suits 4 RI-2.1 seed
deck.jokers 2 RI-2.1 seed
deck.extra_cards 0 RI-2.1 seed
deck.ending_joker 2 RI-2.7 seed
deck.coin_die 6 RI-2.7 gap
deck.coin_need 4 RI-2.7 gap
deck.cards.ace 1 RI-2.5a gap
deck.cards.two 2 RI-2.5b gap
deck.cards.three 3 RI-2.5c gap
deck.cards.jack_share 0.5 RI-2.5d gap
deck.cards.king_share 1.0 RI-2.5e gap
deck.cards.jack_leader 2 RI-2.5d gap
deck.cards.jack_fixed 4 RI-2.5d gap
deck.cards.king_fixed 5 RI-2.5e gap
activation.cap 2 RI-2.9 seed
rally.need 4 RI-2.11 reading
rally.enemy_distance 5.0 RI-2.12 gap
move.level 15.0 RI-3.2 seed
move.difficult 10.0 RI-3.3 seed
move.wounded_factor 0.5 RI-3.5 seed
move.run 15.0 RI-3.13 gap
move.lie_factor 0.5 RI-3.13 gap
snap.die 6 RI-3.11a seed
quality.militia.snap 5 RI-3.11a seed
quality.militia.die_shift -1 RI-4.2 gap
quality.militia.to_hit 0 RI-4.5e gap
quality.militia.marker_muzzle 3 RI-5.9a seed
quality.militia.marker_breech 2 RI-5.9c seed
quality.militia.melee -1 RI-7.4f gap
quality.militia.morale -1 RI-8.2b gap
quality.conscript.snap 4 RI-3.11b seed
quality.conscript.die_shift 0 RI-4.2 gap
quality.conscript.to_hit 0 RI-4.5e gap
quality.conscript.marker_muzzle 3 RI-5.9a seed
quality.conscript.marker_breech 2 RI-5.9c seed
quality.conscript.melee 0 RI-7.4f gap
quality.conscript.morale 0 RI-8.2b gap
quality.veteran.snap 3 RI-3.11c seed
quality.veteran.die_shift 1 RI-4.2 gap
quality.veteran.to_hit 0 RI-4.5e gap
quality.veteran.marker_muzzle 2 RI-5.9b seed
quality.veteran.marker_breech 1 RI-5.9d seed
quality.veteran.melee 1 RI-7.4f gap
quality.veteran.morale 1 RI-8.2b gap
fire.dice (4,6,8,10,12,20) RI-4.2 gap
fire.natural_misses (1,) RI-4.3 seed
fire.moving_limit 5.0 RI-3.6 seed
fire.moving_limit_wounded 5.0 RI-3.6 reading
fire.modifiers.unaimed -2 RI-3.7 gap
fire.modifiers.soft_cover -1 RI-4.5b gap
fire.modifiers.hard_cover -2 RI-4.5c gap
fire.modifiers.shooter_wounded -1 RI-4.5d gap
fire.modifiers.target_moved 0 RI-4.5e gap
melee_fire.die 6 RI-4.7 gap
melee_fire.friend_at_most 3 RI-4.7 gap
weapons.rifled_musket.die 12 RI-T.1 seed
weapons.rifled_carbine.die 8 RI-T.2 seed
weapons.rifled_carbine.reach 120.0 RI-T.7 reading
weapons.smoothbore_musket.die 6 RI-T.3 seed
weapons.pistol.die 6 RI-T.4 seed
result.die 6 RI-5.1 seed
result.soft_cover 1 RI-5.2 gap
result.hard_cover 1 RI-5.2 gap
result.kill_at_most 3 RI-5.3 seed
result.spread 10.0 RI-5.3 seed
result.wound_at_most 5 RI-5.4 seed
result.wounded_falls False RI-5.4 seed
result.wounds_out 2 RI-5.6 seed
repeater.shots 3 RI-6.1 seed
repeater.penalty -2 RI-6.2 seed
repeater.shots_if_busy 1 RI-6.3 seed
repeater.capacity 6 RI-6.4 gap
melee.arms.improvised 6 RI-7.4a gap
melee.arms.blade 8 RI-7.4b gap
melee.arms.bayonet 10 RI-7.4c gap
melee.modifiers.wounded -1 RI-7.4d gap
melee.modifiers.blue -1 RI-7.4e gap
melee.modifiers.obstacle 1 RI-7.4g gap
melee.modifiers.charge 1 RI-7.4h gap
melee.extra_friend 0 RI-7.4d gap
melee.kill_ratio 2 RI-7.5 seed
melee.wound_lead 3 RI-7.6 seed
capture.figures 3 RI-7.9 seed
capture.beat 2 RI-7.9 seed
capture.escort_distance 5.0 RI-7.11 gap
capture.lead 10.0 RI-7.11 gap
capture.lead_difficult 5.0 RI-7.11 gap
command.radius 15.0 RI-8.2a gap
morale.die 6 RI-8.1 seed
morale.steady_at_least 4 RI-8.3 seed
morale.rout_at_most 0 RI-8.5 seed
morale.modifiers.leader 1 RI-8.2a gap
morale.modifiers.wounded -1 RI-8.2c gap
morale.modifiers.alone -1 RI-8.2d gap
"""
NUMBERS = {
    path: (literal_eval(value), rule_id, provenance)
    for path, value, rule_id, provenance in map(str.split, TABLE.strip().splitlines())
}
# Far ends of the bands; the needs are 1, 2, 3 and so on.
BANDS = {
    "rifled_musket": ("RI-T.1", range(10, 130, 10)),
    "rifled_carbine": ("RI-T.2", range(10, 130, 10)),
    "smoothbore_musket": ("RI-T.3", (15, 30, 40, 50, 55, 60)),
    "pistol": ("RI-T.4", range(5, 35, 5)),
}
for weapon, (rule_id, ends) in BANDS.items():
    for need, end in enumerate(ends, start=1):
        NUMBERS[f"weapons.{weapon}.band{need}.up_to"] = (float(end), rule_id, "seed")
        NUMBERS[f"weapons.{weapon}.band{need}.need"] = (need, rule_id, "seed")

# The default comes first.
READINGS = {
    "RI-1.5": "terrain figures_too",
    "RI-2.1": "shuffled continued",
    "RI-2.2": "back red_black",
    "RI-2.3": "removed blanks",
    "RI-2.5d": "shares fixed leader reactivate",
    "RI-2.6": "none event reactivate",
    "RI-2.7": "always referee coin",
    "RI-2.8": "nothing_left all_acted joker_only",
    "RI-2.9": "once_a_card twice_a_card",
    "RI-2.11": "whole_card one_slot not_routed",
    "RI-2.12": "where_it_broke own_edge",
    "RI-3.4": "all_difficult pro_rata",
    "RI-3.6": "same halved",
    "RI-3.8": "free move_first",
    "RI-3.10": "chain one_action",
    "RI-3.11a": "optional compulsory",
    "RI-3.13": "none lie_and_run",
    "RI-4.2": "by_weapon quality_shift",
    "RI-4.4": "no_automatic_hit top_face_hits",
    "RI-4.5b": "listed none grades target_moved",
    "RI-4.6": "free nearest",
    "RI-4.7": "forbidden allowed",
    "RI-5.2": "cover none graded",
    "RI-5.7": "no_spread spread",
    "RI-6.1": "turn activation",
    "RI-6.2": "flat cumulative",
    "RI-6.3": "looks_back symmetric",
    "RI-6.5": "when_empty after_fire",
    "RI-6.6": "full one_round",
    "RI-6.7": "free same_target",
    "RI-7.2": "on_activation end_of_turn free_hit",
    "RI-7.4a": "d6_d8_d10 all_d6 d6_d6_d8 all_d10",
    "RI-7.4d": "listed none outnumbering",
    "RI-7.6": "killed_only both",
    "RI-7.8": "single_roll pairwise lowest_only",
    "RI-7.10": "capture_first if_alive",
    "RI-7.11": "leaves_play escorted",
    "RI-8.1": "costs_activation free_attempt",
    "RI-8.2a": "listed none strong_leader",
    "RI-T.6": "upto nearest from",
    "RI-T.7": "shared_row cut",
}

# Readings that are nothing but numbers: what each sets.
SETS = {
    ("RI-2.11", "not_routed"): {"rally.need": 1},
    ("RI-3.6", "halved"): {"fire.moving_limit_wounded": 2.5},
    ("RI-4.5b", "none"): {
        "fire.modifiers.soft_cover": 0,
        "fire.modifiers.hard_cover": 0,
        "fire.modifiers.shooter_wounded": 0,
    },
    ("RI-4.5b", "grades"): {"quality.veteran.to_hit": 1, "quality.militia.to_hit": -1},
    ("RI-4.5b", "target_moved"): {"fire.modifiers.target_moved": -1},
    ("RI-5.2", "none"): {"result.soft_cover": 0, "result.hard_cover": 0},
    ("RI-5.2", "graded"): {"result.hard_cover": 2},
    ("RI-7.4a", "all_d6"): {"melee.arms.blade": 6, "melee.arms.bayonet": 6},
    ("RI-7.4a", "d6_d6_d8"): {"melee.arms.blade": 6, "melee.arms.bayonet": 8},
    ("RI-7.4a", "all_d10"): {"melee.arms.improvised": 10, "melee.arms.blade": 10},
    ("RI-7.4d", "none"): {
        "melee.modifiers.wounded": 0,
        "melee.modifiers.blue": 0,
        "melee.modifiers.obstacle": 0,
        "melee.modifiers.charge": 0,
        "quality.militia.melee": 0,
        "quality.veteran.melee": 0,
    },
    ("RI-7.4d", "outnumbering"): {"melee.extra_friend": 1},
    ("RI-8.2a", "none"): {
        "morale.modifiers.leader": 0,
        "morale.modifiers.wounded": 0,
        "morale.modifiers.alone": 0,
        "quality.militia.morale": 0,
        "quality.veteran.morale": 0,
    },
    ("RI-8.2a", "strong_leader"): {"morale.modifiers.leader": 2},
    ("RI-T.7", "cut"): {"weapons.rifled_carbine.reach": 80.0},
}

# Rules in words alone, with their provenance.
RULES = {
    "seed": "1.1 1.2 2.4 3.1 3.9 3.12 4.1 T.5 5.5 5.8 7.1 7.3 7.7 8.4 8.6 8.7 8.8",
    "reading": "2.10",
    "gap": "4.5a",
}

# Rules for which there is nothing to compute: scale, and that defending is no action.
NOT_COMPUTED = {"RI-1.1", "RI-1.2", "RI-1.3", "RI-7.3"}

# Enough variants for every number to be read that the exact answers read under some reading.
VARIANTS = [
    *({"RI-2.5d": option} for option in ("shares", "fixed", "leader")),
    {"RI-2.7": "coin"},
    {"RI-4.2": "quality_shift"},
    {"RI-4.7": "allowed"},
]

RULEBOOK = load_rulebook("risorgimento")


class Recorder(Rulebook):
    """A rulebook that remembers the ids of the numbers and readings it is asked for."""

    asked: ClassVar[set[str]] = set()

    def number(self, path: str) -> object:
        self.asked.add(self.numbers[path].id)
        return super().number(path)

    def reading(self, rule_id: str) -> str:
        self.asked.add(rule_id)
        return super().reading(rule_id)


def used_ids() -> set[str]:
    """Return the ids that the questions and the battles ask for, and those that the game's modules name."""
    recorder = Recorder(RULEBOOK.name, RULEBOOK.title, RULEBOOK.source, {})
    questions = [question for question in odds.questions if question not in {"volley", "blind", "checks"}]
    for changes in VARIANTS:
        for question in questions:
            odds.answer(recorder.variant(changes), question, {})
    odds.answer(recorder, "melee", {"figures": "3"})
    pack_play(recorder)
    named = {found for path in SOURCES for found in re.findall(r"RI-[T\d]+\.\d+[a-z]?", path.read_text("utf-8"))}
    return Recorder.asked | named


def test_every_rule_of_the_digest_is_there_and_no_other() -> None:
    assert list(RULEBOOK.ids) == IDS
    assert len(set(IDS)) == 102


def test_every_rule_is_used_or_known_not_to_be() -> None:
    used = used_ids()
    assert set(IDS) - used == NOT_COMPUTED
    assert used <= set(IDS)


def test_it_is_played_by_the_skirmish_game() -> None:
    assert (RULEBOOK.name, RULEBOOK.title, RULEBOOK.game) == (
        "risorgimento",
        "Risorgimento: skirmishes of the 19th century",
        "skirmish",
    )


def test_there_are_these_numbers_and_no_others() -> None:
    assert set(RULEBOOK.numbers) == set(NUMBERS)


@pytest.mark.parametrize("path", NUMBERS)
def test_a_number_has_the_digest_value_id_and_provenance(path: str) -> None:
    number = RULEBOOK.numbers[path]
    assert (RULEBOOK.number(path), number.id, number.provenance) == NUMBERS[path]
    assert type(number.value) is type(NUMBERS[path][0])


def test_the_readings_have_these_options_the_default_first() -> None:
    assert {rule_id: " ".join(reading.options) for rule_id, reading in RULEBOOK.readings.items()} == READINGS
    assert {rule_id: RULEBOOK.reading(rule_id) for rule_id in READINGS} == {
        rule_id: options.split()[0] for rule_id, options in READINGS.items()
    }


def test_some_readings_are_nothing_but_numbers() -> None:
    sets = {
        (rule_id, name): option.set
        for rule_id, reading in RULEBOOK.readings.items()
        for name, option in reading.options.items()
        if option.set
    }
    assert sets == SETS


def test_the_rules_in_words_have_the_digest_provenance() -> None:
    wanted = {f"RI-{number}": provenance for provenance, numbers in RULES.items() for number in numbers.split()}
    assert {rule_id: rule.provenance for rule_id, rule in RULEBOOK.rules.items()} == wanted


@pytest.mark.parametrize(
    ("path", "limits"),
    [("weapons.pistol.die", "2..100"), ("weapons.pistol.band6.need", "-20..120"), ("repeater.capacity", "1..50")],
)
def test_ranges_are_those_the_game_can_answer_for(path: str, limits: str) -> None:
    assert RULEBOOK.numbers[path].range == limits


def test_italian_terms_help_a_reader_of_the_original() -> None:
    terms = {row["source_term"] for row in RULEBOOK.rows()}
    assert {"fucile rigato", "arma a ripetizione", "coscritto"} <= terms
