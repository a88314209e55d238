"""A rulebook of the skirmish game as one record for the battles: numbers, tables, and readings as small integers.

A rulebook that lacks a feature has zeros there, and the switch (`has_...`) that says so is 0. A reading is the index
of the option that was chosen, in the order of `CHOICES`; the first is the default, and what holds in a rulebook that
has no such reading.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, radians
from typing import Any

import numpy as np

from wargamesim.errors import InputError
from wargamesim.games.skirmish.rules import Rules, compile_rules
from wargamesim.records import new_record
from wargamesim.rulebook import Rulebook

MOST_WEAPONS, MOST_GRADES, MOST_BANDS, MOST_SIDES = 12, 8, 16, 64

# Readings that battles look at: the field, the rules that ask, and the options in order.
CHOICES: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "sight": (("NA-1.5", "RI-1.5"), ("terrain", "figures_too")),
    "deck": (("NA-2.1", "RI-2.1"), ("shuffled", "continued")),
    "whose_card": (("NA-2.2",), ("per_squad", "per_player")),
    "void_aces": (("NA-2.4",), ("just_before", "anywhere")),
    "void_jokers": (("NA-2.5",), ("ace_only", "ace_and_joker")),
    "last_card": (("NA-2.6",), ("resolved", "not_resolved")),
    "declared": (("NA-2.8",), ("one_by_one", "declared")),
    "rally_place": (("NA-2.10", "RI-2.12"), ("where_it_broke", "own_edge")),
    "colours": (("RI-2.2",), ("back", "red_black")),
    "unowned": (("RI-2.3",), ("removed", "blanks")),
    "card_values": (("RI-2.5d",), ("shares", "fixed", "leader", "reactivate")),
    "first_joker": (("RI-2.6",), ("none", "event", "reactivate")),
    "ending_joker_does": (("RI-2.7",), ("always", "referee", "coin")),
    "turn_end": (("RI-2.8",), ("nothing_left", "all_acted", "joker_only")),
    "twice_on_card": (("RI-2.9",), ("once_a_card", "twice_a_card")),
    "rally_costs": (("RI-2.11",), ("whole_card", "one_slot", "not_routed")),
    "mixed_ground": (("RI-3.4",), ("all_difficult", "pro_rata")),
    "halving": (("NA-3.12",), ("multiply", "once")),
    "fall": (("NA-3.14",), ("no_move", "half_move", "whole_move")),
    "water": (("NA-3.15",), ("wet", "drowns", "swims")),
    "shot_order": (("RI-3.8",), ("free", "move_first")),
    "reload_steps": (("RI-3.10",), ("chain", "one_action")),
    "snap": (("RI-3.11a",), ("optional", "compulsory")),
    "posture": (("RI-3.13",), ("none", "lie_and_run")),
    "misfire_marker": (("NA-4.3",), ("full", "one_step")),
    "fumble_reach": (("NA-4.7",), ("last_band", "fixed", "unlimited")),
    "targets": (("RI-4.6",), ("free", "nearest")),
    "into_melee": (("RI-4.7",), ("forbidden", "allowed")),
    "blind": (("NA-4.15",), ("per_shooter", "one_ten", "top_face")),
    "zone": (("NA-4.20",), ("arcs", "rectangle", "around_a_point")),
    "allocation": (("NA-4.21",), ("replace", "spread", "nearest_first")),
    "volley_mishaps": (("NA-4.22",), ("misfire", "neither", "both")),
    "thrown_away": (("NA-4.23",), ("lost", "recoverable", "unlimited")),
    "spread": (("NA-5.7", "RI-5.7"), ("no_spread", "spread")),
    "markers": (("NA-5.8",), ("per_weapon", "per_figure")),
    "repeat_scope": (("RI-6.1",), ("turn", "activation")),
    "repeat_penalty": (("RI-6.2",), ("flat", "cumulative")),
    "repeat_busy": (("RI-6.3",), ("looks_back", "symmetric")),
    "repeat_marker": (("RI-6.5",), ("when_empty", "after_fire")),
    "refill": (("RI-6.6",), ("full", "one_round")),
    "repeat_target": (("RI-6.7",), ("free", "same_target")),
    "deep_wood": (("NA-6.3",), ("opaque", "contact_only")),
    "spotting": (("NA-6.5",), ("automatic", "die")),
    "who_learns": (("NA-6.6",), ("side", "observer")),
    "melee_timing": (("NA-7.2", "RI-7.2"), ("on_activation", "end_of_turn", "free_hit")),
    "evade_fall": (("NA-7.4",), ("fights_prone", "captured")),
    "melee_wound": (("NA-7.9",), ("stands", "falls")),
    "melee_kill": (("NA-7.10", "RI-7.6"), ("killed_only", "both")),
    "several": (("NA-7.12", "RI-7.8"), ("single_roll", "pairwise", "lowest_only")),
    "capture": (("NA-7.14", "RI-7.10"), ("capture_first", "if_alive")),
    "prisoner": (("NA-7.15", "RI-7.11"), ("dragged", "escorted", "leaves_play")),
    "melee_shot_need": (("NA-7.17",), ("ge5_minus2", "ge5", "gt5", "gt5_minus2", "weapon_row")),
    "failed_test": (("RI-8.1",), ("costs_activation", "free_attempt")),
    "rowing": (("NA-9.1",), ("per_rower", "flat")),
    "arson_failure": (("NA-9.2",), ("restart", "keep")),
    "burn_count": (("NA-9.3",), ("consecutive", "cumulative")),
}

# What the codes mean, for the few that compiled code compares with by name.
SQUAD_CARDS, SUIT_CARDS = range(2)

# Numbers of the rulebook by field; a rulebook that lacks one has 0.
INTEGERS: Mapping[str, str] = {
    "aces": "deck.aces",
    "jokers": "deck.jokers",
    "extra_cards": "deck.extra_cards",
    "suits": "deck.suits",
    "ending_joker": "deck.ending_joker",
    "coin_die": "deck.coin_die",
    "coin_need": "deck.coin_need",
    "card_ace": "deck.cards.ace",
    "card_two": "deck.cards.two",
    "card_three": "deck.cards.three",
    "jack_leader": "deck.cards.jack_leader",
    "jack_fixed": "deck.cards.jack_fixed",
    "king_fixed": "deck.cards.king_fixed",
    "cap": "activation.cap",
    "rally_need": "rally.need",
    "fall_die": "falls.die",
    "fall_run": "falls.run",
    "fall_run_regular_difficult": "falls.run_regular_difficult",
    "fall_ford": "falls.ford",
    "fall_ford_regular": "falls.ford_regular",
    "fall_boat": "falls.boat",
    "snap_die": "snap.die",
    "misfire_die": "misfire.die",
    "unaimed": "fire.modifiers.unaimed",
    "soft_cover": "fire.modifiers.soft_cover",
    "hard_cover": "fire.modifiers.hard_cover",
    "target_prone": "fire.modifiers.target_prone",
    "target_ran": "fire.modifiers.target_ran",
    "target_moved": "fire.modifiers.target_moved",
    "shooter_wounded": "fire.modifiers.shooter_wounded",
    "shooter_prone": "fire.modifiers.shooter_prone",
    "mixed_die": "melee_fire.die",
    "mixed_friend_at_most": "melee_fire.friend_at_most",
    "blind_shooters": "blind.shooters",
    "blind_die": "blind.die",
    "blind_need": "blind.need",
    "volley_shooters": "volley.shooters",
    "volley_die": "volley.die",
    "result_die": "result.die",
    "kill_at_most": "result.kill_at_most",
    "wound_at_most": "result.wound_at_most",
    "wounded_falls": "result.wounded_falls",
    "wounds_out": "result.wounds_out",
    "repeater_shots": "repeater.shots",
    "repeater_penalty": "repeater.penalty",
    "repeater_busy_shots": "repeater.shots_if_busy",
    "spot_die": "hidden.spot_die",
    "spot_need": "hidden.spot_need",
    "evasion_turns": "evasion.turns_lost",
    "melee_wounded": "melee.modifiers.wounded",
    "melee_prone": "melee.modifiers.prone",
    "melee_blue": "melee.modifiers.blue",
    "melee_obstacle": "melee.modifiers.obstacle",
    "melee_charge": "melee.modifiers.charge",
    "melee_extra_friend": "melee.extra_friend",
    "wound_lead": "melee.wound_lead",
    "kill_ratio": "melee.kill_ratio",
    "capture_figures": "capture.figures",
    "capture_beat": "capture.beat",
    "permission_need": "melee_shot.need",
    "permission_per_opponent": "melee_shot.per_opponent",
    "melee_shot_die": "melee_shot.die",
    "melee_shot_at_least": "melee_shot.hits_at_least",
    "morale_die": "morale.die",
    "steady_at_least": "morale.steady_at_least",
    "rout_at_most": "morale.rout_at_most",
    "morale_leader": "morale.modifiers.leader",
    "morale_wounded": "morale.modifiers.wounded",
    "morale_alone": "morale.modifiers.alone",
    "morale_enemy_near": "morale.modifiers.enemy_near",
    "arson_die": "arson.die",
    "arson_actions": "arson.actions",
    "arson_turns": "arson.turns",
}
LENGTHS: Mapping[str, str] = {
    "diameter": "scale.base_diameter",
    "grasp": "scale.grasp",
    "jack_share": "deck.cards.jack_share",
    "king_share": "deck.cards.king_share",
    "rally_distance": "rally.enemy_distance",
    "ford": "move.ford",
    "drag": "move.drag",
    "drag_difficult": "move.drag_difficult",
    "lie_factor": "move.lie_factor",
    "wounded_factor": "move.wounded_factor",
    "moving_limit": "fire.moving_limit",
    "moving_limit_wounded": "fire.moving_limit_wounded",
    "fumble_far": "fumble.reach",
    "volley_reach": "volley.reach",
    "aim_radius": "volley.aim_radius",
    "command_radius": "command.radius",
    "spread_radius": "result.spread",
    "edge_depth": "hidden.edge_depth",
    "spot_distance": "hidden.spot_distance",
    "guard_distance": "capture.guard_distance",
    "escort_distance": "capture.escort_distance",
    "row_per_rower": "boat.row_per_rower",
    "row_most": "boat.row_most",
    "row_flat": "boat.row_flat",
}
SWITCHES: Mapping[str, str] = {
    "has_misfires": "misfires",
    "has_fumbles": "fumbles",
    "has_volleys": "volleys",
    "has_blind_fire": "blind fire",
    "has_melee_shots": "shots before close combat",
    "has_falls": "tests of runners and waders",
    "has_arson": "arson",
    "has_repeaters": "repeaters",
}

# Tables, and what is worked out: moves [open, difficult]; by weapon and grade; by weapon and band, where a target is
# in the first band whose `edge` is at least the distance (`edge_included`) or more than it; faces are bits of a word.
PLAY = np.dtype(
    [(name, np.int64) for name in ("deck_kind", *CHOICES, *INTEGERS, *SWITCHES)]
    + [(name, np.float64) for name in ("wood_sight", "fumble_cos", *LENGTHS)]
    + [
        ("has_hiding", np.int64),
        ("has_floors", np.int64),
        ("can_run", np.int64),
        ("can_lie", np.int64),
        ("free_targets", np.int64),
        ("fires_into_melee", np.int64),
        ("walk", np.float64, 2),
        ("run", np.float64, 2),
        ("fire_die", np.int64, (MOST_WEAPONS, MOST_GRADES)),
        ("misfire_at_most", np.int64, MOST_GRADES),
        ("misfire_by_face", np.int64),
        ("miss_faces", np.uint64),
        ("strict", np.int64),
        ("top_face_hits", np.int64),
        ("thrown", np.int64, MOST_WEAPONS),
        ("bands", np.int64, MOST_WEAPONS),
        ("edge", np.float64, (MOST_WEAPONS, MOST_BANDS)),
        ("edge_included", np.int64),
        ("need", np.int64, (MOST_WEAPONS, MOST_BANDS)),
        ("reach", np.float64, MOST_WEAPONS),
        ("to_hit", np.int64, MOST_GRADES),
        ("snap_need", np.int64, MOST_GRADES),
        ("melee_grade", np.int64, MOST_GRADES),
        ("morale_grade", np.int64, MOST_GRADES),
        ("mixed_grade", np.int64, MOST_GRADES),
        ("result_cover", np.int64, 3),
        ("volley_faces", np.uint64),
        ("melee_shot_modifier", np.int64),
        ("arson_faces", np.uint64),
    ],
    align=True,
)
Play = np.record


def pack_play(rulebook: Rulebook) -> Play:
    """Return what battles need of a rulebook, as one record.

    Parameters
    ----------
    rulebook : Rulebook
        Of the skirmish game, with any variants applied.

    Raises
    ------
    InputError
        If the rulebook has more weapons, grades or bands than a record holds, or a die too large.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> play = pack_play(load_rulebook("nordamerica"))
    >>> play.walk.tolist(), play.run.tolist(), int(play.deck_kind) == SQUAD_CARDS
    ([10.0, 10.0], [15.0, 15.0], True)
    """
    rules, play = compile_rules(rulebook), new_record(PLAY)
    _check_sizes(rules)
    for field, path in {**INTEGERS, **LENGTHS}.items():
        setattr(play, field, rulebook.number(path) if rulebook.knows(path) else 0)
    for field, feature in SWITCHES.items():
        setattr(play, field, feature in rules.features)
    for field, (ids, options) in CHOICES.items():
        chosen = next((rulebook.reading(rule_id) for rule_id in ids if rule_id in rulebook.readings), options[0])
        setattr(play, field, options.index(chosen))
    play.deck_kind = SUIT_CARDS if "cards of suits with jokers" in rules.features else SQUAD_CARDS
    _pack_movement(rulebook, play)
    _pack_fire(rulebook, rules, play)
    return play


def _check_sizes(rules: Rules) -> None:
    for what, size, most in (
        ("weapons", len(rules.weapons.names), MOST_WEAPONS),
        ("grades", len(rules.grades.names), MOST_GRADES),
        ("range bands of a weapon", rules.weapons.up_to.shape[1], MOST_BANDS),
        ("sides of a fire die", int(rules.fire.die.max()), MOST_SIDES - 1),
    ):
        if size > most:
            raise InputError(f"a rulebook played in battles has at most {most} {what}, not {size}")


def _pack_movement(rulebook: Rulebook, play: Any) -> None:
    """Moves on open and on difficult ground: of one pace and a factor, or of a number each."""
    number, knows = rulebook.number, rulebook.knows
    if knows("move.walk"):
        factor = number("move.difficult_factor")
        play.walk[:] = number("move.walk"), number("move.walk") * factor
        play.run[:] = number("move.run"), number("move.run") * factor
        play.can_run = play.can_lie = 1
    else:
        play.walk[:] = number("move.level"), number("move.difficult")
        run, longest = number("move.run"), max(number("move.level"), 1e-9)
        play.run[:] = run, run * number("move.difficult") / longest
        play.can_run = play.can_lie = play.posture
    if knows("capture.lead"):  # a rulebook in which prisoners alone are led
        play.drag, play.drag_difficult = number("capture.lead"), number("capture.lead_difficult")
    play.has_hiding = knows("hidden.edge_depth")
    play.has_floors = "NA-3.9" in rulebook.rules
    play.wood_sight = number("scale.see_through_wood" if knows("scale.see_through_wood") else "hidden.edge_depth")
    if not knows("fire.moving_limit_wounded"):
        play.moving_limit_wounded = play.moving_limit


def _pack_fire(rulebook: Rulebook, rules: Rules, play: Any) -> None:
    number, knows = rulebook.number, rulebook.knows
    weapons, grades, fire = rules.weapons, rules.grades, rules.fire
    w, g, b = len(weapons.names), len(grades.names), weapons.up_to.shape[1]
    play.fire_die[:w, :g] = fire.die
    play.misfire_by_face = fire.misfire_face
    if play.has_misfires and not fire.misfire_face:
        more = [number(path) if knows(path := f"misfire.{name}") else 0 for name in grades.names]
        play.misfire_at_most[:g] = number("misfire.at_most") + np.array(more)
    play.miss_faces = _faces(fire.misses)
    play.strict, play.top_face_hits = fire.strict, fire.top_face_hits
    play.thrown[:w] = weapons.thrown
    play.bands[:w] = np.isfinite(weapons.up_to).sum(axis=1)
    play.edge[:w, :b], play.edge_included = _edges(rules)
    play.need[:w, :b] = weapons.need
    play.reach[:w] = weapons.reach
    play.to_hit[:g], play.snap_need[:g] = grades.to_hit, grades.snap
    play.melee_grade[:g], play.morale_grade[:g] = grades.melee, grades.morale
    play.mixed_grade[:g] = grades.melee_fire
    play.result_cover[:] = rules.result.cover
    play.free_targets = "RI-4.6" in rulebook.readings and rulebook.reading("RI-4.6") == "free"
    play.fires_into_melee = rules.readings["fire into a melee"] == "allowed"
    if play.has_fumbles:
        play.fumble_cos = cos(radians(number("fumble.half_angle")))
    if play.has_volleys:
        play.volley_faces = _faces(number("volley.faces"))
    if play.has_melee_shots and rules.readings["melee shot"] in ("gt5", "gt5_minus2"):
        play.melee_shot_at_least += 1
    if play.has_melee_shots and rules.readings["melee shot"] in ("ge5_minus2", "gt5_minus2"):
        play.melee_shot_modifier = play.unaimed
    if play.has_arson:
        play.arson_faces = _faces(number("arson.faces"))


def _edges(rules: Rules) -> tuple[Any, bool]:
    """Where each band ends by the reading of RI-T.6, and whether the end belongs to the band."""
    up_to, reading = rules.weapons.up_to, rules.readings["columns"]
    if reading == "upto":
        return up_to, True
    if reading == "nearest":
        return np.column_stack([(up_to[:, :-1] + up_to[:, 1:]) / 2, np.full(len(up_to), np.inf)]), False
    # Band b begins at its own heading; what is nearer than the first heading is in the first band.
    return np.column_stack([up_to[:, 1:], np.full(len(up_to), np.inf)]), False


def _faces(faces: tuple[int, ...]) -> int:
    return sum(1 << face for face in faces if face < MOST_SIDES)
