"""The shipped rulebook Nordamerica: every rule, with the defaults, provenances and readings of the rules digest."""

from __future__ import annotations

import re
from ast import literal_eval
from pathlib import Path
from typing import ClassVar

import pytest

from wargamesim.games.skirmish import odds
from wargamesim.games.skirmish.playing import pack_play
from wargamesim.rulebook import Rulebook, load_rulebook

IDS = (Path(__file__).parent / "nordamerica_ids.txt").read_text().split()
SOURCES = sorted((Path(__file__).parents[1] / "wargamesim" / "games" / "skirmish").glob("*.py"))

# path value id provenance
TABLE = """
scale.turn_seconds 30 NA-1.3 reading
scale.base_diameter 2.0 NA-1.4 gap
scale.grasp 1.5 NA-3.22 gap
deck.aces 4 NA-2.1 seed
deck.jokers 1 NA-2.1 seed
deck.extra_cards 0 NA-2.1 seed
activation.cap 0 NA-2.7 reading
rally.need 4 NA-2.9 reading
rally.enemy_distance 5.0 NA-2.10 gap
move.walk 10.0 NA-3.2 seed
move.run 15.0 NA-3.3 seed
move.ford 5.0 NA-3.4 seed
move.drag 10.0 NA-3.5 seed
move.drag_difficult 5.0 NA-3.5 seed
move.difficult_factor 1.0 NA-3.8 reading
move.lie_factor 0.5 NA-3.10 seed
move.wounded_factor 0.5 NA-3.11 seed
falls.die 6 NA-3.3f seed
falls.run 1 NA-3.3f seed
falls.run_regular_difficult -1 NA-3.3f seed
falls.ford 1 NA-3.4f seed
falls.ford_regular -1 NA-3.4f seed
falls.boat 1 NA-3.13 seed
snap.die 6 NA-3.20a seed
quality.irregular.snap 5 NA-3.20a seed
quality.irregular.to_hit 0 NA-4.10g gap
quality.irregular.fire_die 8 NA-4.5 gap
quality.irregular.marker_muzzle 3 NA-5.9a gap
quality.irregular.melee 0 NA-7.7d gap
quality.irregular.morale 0 NA-8.2b gap
quality.inexperienced.snap 5 NA-3.20a seed
quality.inexperienced.to_hit 0 NA-4.10g gap
quality.inexperienced.fire_die 8 NA-4.5 gap
quality.inexperienced.marker_muzzle 3 NA-5.9a gap
quality.inexperienced.melee 0 NA-7.7d gap
quality.inexperienced.morale -1 NA-8.2c gap
quality.indian.snap 5 NA-3.20a seed
quality.indian.to_hit 0 NA-4.10g gap
quality.indian.fire_die 8 NA-4.5 gap
quality.indian.marker_muzzle 3 NA-5.9a gap
quality.indian.melee 0 NA-7.7d gap
quality.indian.morale 0 NA-8.2b gap
quality.regular.snap 4 NA-3.20b seed
quality.regular.to_hit 0 NA-4.10g gap
quality.regular.fire_die 10 NA-4.5 gap
quality.regular.marker_muzzle 3 NA-5.9b gap
quality.regular.melee 0 NA-7.7d gap
quality.regular.morale 0 NA-8.2b gap
quality.veteran.snap 3 NA-3.20c seed
quality.veteran.to_hit 0 NA-4.10g gap
quality.veteran.fire_die 12 NA-4.5 gap
quality.veteran.marker_muzzle 2 NA-5.9c gap
quality.veteran.melee 1 NA-7.7d gap
quality.veteran.morale 1 NA-8.2b gap
quality.sharpshooter.snap 3 NA-3.20c seed
quality.sharpshooter.to_hit 1 NA-4.10g gap
quality.sharpshooter.fire_die 12 NA-4.5 gap
quality.sharpshooter.marker_muzzle 2 NA-5.9c gap
quality.sharpshooter.melee 0 NA-7.7d gap
quality.sharpshooter.morale 1 NA-8.2b gap
misfire.die 6 NA-4.2 gap
misfire.at_most 1 NA-4.2 gap
misfire.inexperienced 0 NA-4.2 gap
fire.natural_misses (1,) NA-4.6 seed
fire.moving_limit 0.0 NA-3.17 reading
fire.modifiers.unaimed -2 NA-4.10a seed
fire.modifiers.soft_cover -1 NA-4.10b gap
fire.modifiers.hard_cover -2 NA-4.10c gap
fire.modifiers.target_prone -1 NA-4.10d gap
fire.modifiers.target_ran -1 NA-4.10e gap
fire.modifiers.shooter_wounded -1 NA-4.10f gap
fire.modifiers.shooter_prone 0 NA-3.18 reading
fumble.reach 30.0 NA-4.7 gap
fumble.half_angle 22.5 NA-4.8 reading
melee_fire.die 6 NA-4.9 seed
melee_fire.friend_at_most 3 NA-4.9 seed
melee_fire.sharpshooter 1 NA-4.9 seed
weapons.rifle.die 10 NA-4.12a seed
weapons.rifle.extra_reload 0 NA-5.9a gap
weapons.rifle.band1.up_to 30.0 NA-4.12a seed
weapons.rifle.band1.need 4 NA-4.12a seed
weapons.rifle.band2.up_to 80.0 NA-4.12b seed
weapons.rifle.band2.need 7 NA-4.12b seed
weapons.musket.die 10 NA-4.12c seed
weapons.musket.extra_reload 0 NA-5.9a gap
weapons.musket.band1.up_to 20.0 NA-4.12c seed
weapons.musket.band1.need 5 NA-4.12c seed
weapons.musket.band2.up_to 50.0 NA-4.12d seed
weapons.musket.band2.need 8 NA-4.12d seed
weapons.pistol.die 6 NA-4.12e seed
weapons.pistol.extra_reload 0 NA-5.9a gap
weapons.pistol.band1.up_to 10.0 NA-4.12e seed
weapons.pistol.band1.need 4 NA-4.12e seed
weapons.pistol.band2.up_to 20.0 NA-4.12f seed
weapons.pistol.band2.need 6 NA-4.12f seed
weapons.tomahawk.die 6 NA-4.12g seed
weapons.tomahawk.thrown True NA-4.12g seed
weapons.tomahawk.band1.up_to 5.0 NA-4.12g seed
weapons.tomahawk.band1.need 3 NA-4.12g seed
blind.shooters 3 NA-4.14 seed
blind.die 10 NA-4.15 seed
blind.need 10 NA-4.15 seed
volley.shooters 6 NA-4.16 seed
volley.reach 30.0 NA-4.16 seed
volley.die 6 NA-4.17 seed
volley.faces (6,) NA-4.17 seed
volley.aim_radius 10.0 NA-4.20 gap
command.radius 15.0 NA-4.18 gap
result.die 6 NA-5.1 seed
result.soft_cover 1 NA-5.2 seed
result.hard_cover 1 NA-5.2 seed
result.kill_at_most 2 NA-5.3 seed
result.spread 10.0 NA-5.3 seed
result.wound_at_most 5 NA-5.4 seed
result.wounded_falls True NA-5.4 seed
result.wounds_out 2 NA-5.6 seed
hidden.edge_depth 5.0 NA-6.2 seed
hidden.spot_distance 15.0 NA-6.5 seed
hidden.spot_die 6 NA-6.5 gap
hidden.spot_need 4 NA-6.5 gap
evasion.turns_lost 1 NA-7.3 seed
melee.arms.improvised 6 NA-7.6a gap
melee.arms.blade 8 NA-7.6b gap
melee.arms.bayonet 10 NA-7.6c gap
melee.modifiers.wounded -1 NA-7.7a gap
melee.modifiers.prone -2 NA-7.7b gap
melee.modifiers.blue -1 NA-7.7c gap
melee.modifiers.obstacle 1 NA-7.7e gap
melee.modifiers.charge 1 NA-7.7f gap
melee.extra_friend 0 NA-7.7a gap
melee.wound_lead 3 NA-7.9 seed
melee.kill_ratio 2 NA-7.10 seed
capture.figures 3 NA-7.13 seed
capture.beat 2 NA-7.13 seed
capture.guard_distance 10.0 NA-7.15 gap
capture.escort_distance 5.0 NA-7.15 gap
melee_shot.need 4 NA-7.16 seed
melee_shot.per_opponent -1 NA-7.16 seed
melee_shot.die 10 NA-7.17 seed
melee_shot.hits_at_least 5 NA-7.17 seed
morale.die 6 NA-8.1 seed
morale.steady_at_least 4 NA-8.3 seed
morale.rout_at_most 0 NA-8.5 seed
morale.modifiers.leader 1 NA-8.2a gap
morale.modifiers.wounded -1 NA-8.2d gap
morale.modifiers.alone -1 NA-8.2e gap
morale.modifiers.enemy_near 0 NA-8.2e gap
boat.row_per_rower 5.0 NA-9.1 gap
boat.row_most 15.0 NA-9.1 gap
boat.row_flat 10.0 NA-9.1 gap
arson.die 6 NA-9.2 seed
arson.faces (2,4,6) NA-9.2 seed
arson.actions 2 NA-9.2 seed
arson.turns 3 NA-9.3 seed
"""
NUMBERS = {
    path: (literal_eval(value), rule_id, provenance)
    for path, value, rule_id, provenance in map(str.split, TABLE.strip().splitlines())
}

# The default comes first.
READINGS = {
    "NA-1.5": "terrain figures_too",
    "NA-2.1": "shuffled continued",
    "NA-2.2": "per_squad per_player",
    "NA-2.4": "just_before anywhere",
    "NA-2.5": "ace_only ace_and_joker",
    "NA-2.6": "resolved not_resolved",
    "NA-2.7": "unlimited twice",
    "NA-2.8": "one_by_one declared",
    "NA-2.9": "steady not_routed",
    "NA-2.10": "where_it_broke own_edge",
    "NA-3.8": "not_slowed half two_thirds",
    "NA-3.12": "multiply once",
    "NA-3.14": "no_move half_move whole_move",
    "NA-3.15": "wet drowns swims",
    "NA-3.17": "not_allowed short_move",
    "NA-4.2": "die none natural_one rain inexperienced_too",
    "NA-4.3": "full one_step",
    "NA-4.5": "by_weapon by_quality",
    "NA-4.7": "last_band fixed unlimited",
    "NA-4.8": "whole each_side",
    "NA-4.10b": "listed none deeper_cover veterans inexperienced",
    "NA-4.11": "ge strict",
    "NA-4.13": "no_automatic_hit top_face_hits",
    "NA-4.15": "per_shooter one_ten top_face",
    "NA-4.20": "arcs rectangle around_a_point",
    "NA-4.21": "replace spread nearest_first",
    "NA-4.22": "misfire neither both",
    "NA-4.23": "lost recoverable unlimited",
    "NA-5.7": "no_spread spread",
    "NA-5.8": "per_weapon per_figure",
    "NA-5.9a": "red_red_yellow red_yellow_green all_red slow_rifles",
    "NA-6.3": "opaque contact_only",
    "NA-6.5": "automatic die",
    "NA-6.6": "side observer",
    "NA-7.2": "on_activation end_of_turn free_hit",
    "NA-7.4": "fights_prone captured",
    "NA-7.6a": "d6_d8_d10 all_d6 d6_d6_d8 all_d10",
    "NA-7.7a": "listed none outnumbering indians",
    "NA-7.9": "stands falls",
    "NA-7.10": "killed_only both",
    "NA-7.12": "single_roll pairwise lowest_only",
    "NA-7.14": "capture_first if_alive",
    "NA-7.15": "dragged escorted",
    "NA-7.17": "ge5_minus2 ge5 gt5 gt5_minus2 weapon_row",
    "NA-8.2a": "listed none enemy_near regulars",
    "NA-9.1": "per_rower flat",
    "NA-9.2": "restart keep",
    "NA-9.3": "consecutive cumulative",
}

# Readings that are nothing but numbers: what each sets.
SETS = {
    ("NA-2.7", "twice"): {"activation.cap": 2},
    ("NA-2.9", "not_routed"): {"rally.need": 1},
    ("NA-3.8", "half"): {"move.difficult_factor": 0.5},
    ("NA-3.8", "two_thirds"): {"move.difficult_factor": 0.6666666666666666},
    ("NA-3.17", "short_move"): {"fire.moving_limit": 5.0},
    ("NA-4.2", "none"): {"misfire.at_most": 0},
    ("NA-4.2", "rain"): {"misfire.at_most": 2},
    ("NA-4.2", "inexperienced_too"): {"misfire.inexperienced": 1},
    ("NA-4.8", "each_side"): {"fumble.half_angle": 45.0},
    ("NA-4.10b", "none"): {
        "fire.modifiers.soft_cover": 0,
        "fire.modifiers.hard_cover": 0,
        "fire.modifiers.target_prone": 0,
        "fire.modifiers.target_ran": 0,
        "fire.modifiers.shooter_wounded": 0,
        "quality.sharpshooter.to_hit": 0,
    },
    ("NA-4.10b", "deeper_cover"): {"fire.modifiers.soft_cover": -2, "fire.modifiers.hard_cover": -3},
    ("NA-4.10b", "veterans"): {"quality.veteran.to_hit": 1},
    ("NA-4.10b", "inexperienced"): {"quality.inexperienced.to_hit": -1},
    ("NA-5.9a", "red_yellow_green"): {
        "quality.regular.marker_muzzle": 2,
        "quality.veteran.marker_muzzle": 1,
        "quality.sharpshooter.marker_muzzle": 1,
    },
    ("NA-5.9a", "all_red"): {"quality.veteran.marker_muzzle": 3, "quality.sharpshooter.marker_muzzle": 3},
    ("NA-5.9a", "slow_rifles"): {"weapons.rifle.extra_reload": 1},
    ("NA-7.6a", "all_d6"): {"melee.arms.blade": 6, "melee.arms.bayonet": 6},
    ("NA-7.6a", "d6_d6_d8"): {"melee.arms.blade": 6, "melee.arms.bayonet": 8},
    ("NA-7.6a", "all_d10"): {"melee.arms.improvised": 10, "melee.arms.blade": 10},
    ("NA-7.7a", "none"): {
        "melee.modifiers.wounded": 0,
        "melee.modifiers.prone": 0,
        "melee.modifiers.blue": 0,
        "melee.modifiers.obstacle": 0,
        "melee.modifiers.charge": 0,
        "quality.veteran.melee": 0,
    },
    ("NA-7.7a", "outnumbering"): {"melee.extra_friend": 1},
    ("NA-7.7a", "indians"): {"quality.indian.melee": 1},
    ("NA-8.2a", "none"): {
        "morale.modifiers.leader": 0,
        "morale.modifiers.wounded": 0,
        "morale.modifiers.alone": 0,
        "quality.veteran.morale": 0,
        "quality.sharpshooter.morale": 0,
        "quality.inexperienced.morale": 0,
    },
    ("NA-8.2a", "enemy_near"): {"morale.modifiers.enemy_near": -1},
    ("NA-8.2a", "regulars"): {"quality.regular.morale": 1},
}

# Rules in words alone, with their provenance.
RULES = {
    "seed": "1.1 1.2 2.3 3.1 3.6 3.7 3.9 3.13 3.16 3.18 3.19 3.21 3.22 4.1 4.4 4.7 4.19 5.5 5.8 6.1 6.4"
    " 7.1 7.3 7.5 7.8 7.11 8.1 8.4 8.6 8.7 9.4",
}

# Rules for which there is nothing to compute: scale, and that defending is no action.
NOT_COMPUTED = {"NA-1.1", "NA-1.2", "NA-1.3", "NA-7.5"}

# Enough variants for every number to be read that the exact answers read under some reading.
VARIANTS = [{}, {"NA-4.5": "by_quality"}]

RULEBOOK = load_rulebook("nordamerica")


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
    questions = [question for question in odds.questions if question not in {"repeater"}]
    for changes in VARIANTS:
        for question in questions:
            odds.answer(recorder.variant(changes), question, {})
    odds.answer(recorder, "melee", {"figures": "3"})
    pack_play(recorder)
    named = {found for path in SOURCES for found in re.findall(r"NA-[T\d]+\.\d+[a-z]?", path.read_text("utf-8"))}
    return Recorder.asked | named


def test_every_rule_of_the_digest_is_there_and_no_other() -> None:
    assert list(RULEBOOK.ids) == IDS
    assert len(set(IDS)) == 132


def test_every_rule_is_used_or_known_not_to_be() -> None:
    used = used_ids()
    assert set(IDS) - used == NOT_COMPUTED
    assert used <= set(IDS)


def test_it_is_played_by_the_skirmish_game() -> None:
    assert (RULEBOOK.name, RULEBOOK.title, RULEBOOK.game) == (
        "nordamerica",
        "Nordamerica: skirmishes of the later 18th century",
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
    wanted = {f"NA-{number}": provenance for provenance, numbers in RULES.items() for number in numbers.split()}
    assert {rule_id: rule.provenance for rule_id, rule in RULEBOOK.rules.items()} == wanted


@pytest.mark.parametrize(
    ("path", "limits"),
    [
        ("weapons.musket.die", "2..100"),
        ("weapons.rifle.band1.up_to", "0.0..1000.0"),
        ("fire.modifiers.unaimed", "-20..20"),
    ],
)
def test_ranges_are_those_the_game_can_answer_for(path: str, limits: str) -> None:
    assert RULEBOOK.numbers[path].range == limits


def test_italian_terms_help_a_reader_of_the_original() -> None:
    terms = {row["source_term"] for row in RULEBOOK.rows()}
    assert {"moschetto", "cilecca", "tiro maldestro"} <= terms
