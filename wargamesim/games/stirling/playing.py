"""A rulebook of Stirling as one record for the battles: numbers, tables, and readings as small integers.

A reading is the index of the option that was chosen, in the order of `CHOICES`; 0 is the default. What a unit's stat
block is made of (hit points, ratings, ranges) is not here: the scenario writes it into the units.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from wargamesim.games.stirling.layout import MOST_SITUATIONS, MOST_STEPS
from wargamesim.games.stirling.rules import BANDS, LOSSES, MOST_CHARISMA, SITUATIONS, compile_rules
from wargamesim.records import new_record
from wargamesim.rulebook import Rulebook

# Readings that battles look at: the field, the rule that asks, and the options in order.
CHOICES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "stacking": ("SS-P01", ("one_per_faction", "unlimited")),
    "schedule": ("SS-P04", ("mean", "alternate")),
    "phases": ("SS-P05", ("as_chapters", "move_first", "recovery_first")),
    "one_roll": ("SS-P07", ("independent", "one_roll")),
    "no_spells": ("SS-P09", ("scenario", "off")),
    "near_bars_all": ("SS-P11", ("pair_only", "none_if_any_adjacent")),
    "arc": ("SS-P13", ("any", "front_three")),
    "aimed_ac": ("SS-P14", ("each_own", "aimed")),
    "quarters": ("SS-P15", ("small_floor", "both_floor", "friend_floor", "nearest")),
    "run_cost": ("SS-P17", ("none", "no_charge_for_shooters", "morale")),
    "any_direction": ("SS-P18", ("through_front", "any_direction")),
    "free_front": ("SS-P19", ("as_rotation", "free")),
    "engaged_by_facing": ("SS-P20", ("in_zone", "facing")),
    "free_full": ("SS-P21", ("single", "full")),
    "one_free_attacker": ("SS-P22", ("every_owner", "one")),
    "free_late": ("SS-P23", ("immediate", "end_of_phase")),
    "low_first": ("SS-P24", ("high_is_faster", "low_moves_first")),
    "side_delays": ("SS-P25", ("unit", "faction")),
    "reversal_of_mov": ("SS-P26", ("of_allowance", "of_mov")),
    "intercept_runs": ("SS-P27", ("walk", "run")),
    "in_time": ("SS-P28", ("any_path_hex", "proportional")),
    "halves_apart": ("SS-P29", ("same_hex", "adjacent_hex")),
    "charge_run": ("SS-P30", ("straight_run", "any_run", "full_mov")),
    "round_by_round": ("SS-P31", ("all_at_once", "round_by_round")),
    "remainder": ("SS-P35", ("discard", "carry", "exact")),
    "rounded": ("SS-P36", ("per_phase", "per_clash", "per_attack")),
    "leader_death": ("SS-P37", ("as_a_man", "never", "half")),
    "check_each": ("SS-P39", ("one", "one_per_situation")),
    "rally": ("SS-P43", ("own_or_in_hex", "own", "adjacent")),
    "recovery_time": ("SS-P44", ("next_turn", "same_turn", "hold")),
    "recover_as_checked": ("SS-P45", ("none", "as_last_check")),
    "annihilation": ("SS-P46", ("no_ordered_unit", "annihilation")),
    "combine": ("SS-P47", ("separate", "either", "both")),
    "leader_alone": ("SS-P48", ("commander", "none")),
    "no_wipe": ("SS-P49", ("on", "off")),
    "rout_walks": ("SS-P50", ("run", "walk")),
    "routed_zone": ("SS-P51", ("none", "as_ordered")),
}

# Readings that only change numbers, or only the making of a unit or scenario.
NUMERIC = (
    *("SS-P03", "SS-P06", "SS-P08", "SS-P10", "SS-P12", "SS-P16", "SS-P32", "SS-P33", "SS-P34", "SS-P38", "SS-P40"),
    *("SS-P41", "SS-P42"),
)

INTEGERS: Mapping[str, str] = {
    "men_step": "units.men_step",
    "rounds": "turn.rounds",
    "attacks": "turn.attacks",
    "per_turn": "movement.per_turn",
    "run": "movement.run",
    "hexes": "movement.hexes",
    "mov_points": "movement.mov_points",
    "initiative_die": "movement.die",
    "free_rotation": "movement.free_rotation",
    "reversal_part": "movement.reversal_part",
    "zone": "movement.zone",
    "step_back_part": "movement.step_back_part",
    "run_morale": "movement.run_morale",
    "free_attacks": "movement.free_attacks",
    "attack_die": "attack.die",
    "least_damage": "attack.least_damage",
    "divisor": "attack.divisor",
    "ranged_divisor": "attack.ranged_divisor",
    "barred": "ranged.barred",
    "shares": "ranged.mixed.shares",
    "large_weight": "ranged.mixed.large_weight",
    "shield_lost": "sides.rear.shield_lost",
    "charge_least": "charge.least_hexes",
    "charge_hit": "charge.hit",
    "charge_ac": "charge.ac",
    "charge_damage": "charge.damage",
    "broken_within": "morale.situations.friend_broken.within",
    "outnumbered": "morale.situations.outnumbered.ratio",
    "morale_dice": "morale.dice",
    "morale_die": "morale.die",
    "further": "morale.further",
    "turns": "end.turns",
}

PLAY = np.dtype(
    [
        *((name, np.int64) for name in (*CHOICES, *INTEGERS)),
        ("always_hits", np.int64),  # beyond the die where SS-P10 is off
        ("always_misses", np.int64),
        ("step", np.int64),  # SS-8.2; 1 where SS-P35 is exact
        ("side_hit", np.int64, 3),  # front, flank, rear
        ("side_damage", np.int64, 3),  # percent
        ("band", np.int64, 3),  # SS-4.3a: short, medium, long
        ("charisma", np.int64, MOST_CHARISMA + 1),  # 0 stands for nobody
        ("situation_on", np.int64, MOST_SITUATIONS),
        ("situation", np.int64, MOST_SITUATIONS),
        ("loss_share", np.int64, len(LOSSES)),  # percent
    ],
    align=True,
)
Play = np.record


def pack_play(rulebook: Rulebook) -> Play:
    """Return the rulebook as one record of `PLAY`.

    Parameters
    ----------
    rulebook : Rulebook
        A rulebook of the game stirling, with any variants applied.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> play = pack_play(load_rulebook("stirling").variant({"SS-P35": "carry"}))
    >>> int(play.remainder), int(play.divisor), play.band.tolist()
    (1, 5, [0, -2, -5])
    """
    play, rules = new_record(PLAY), compile_rules(rulebook)
    for field, (rule, options) in CHOICES.items():
        play[field] = options.index(rulebook.reading(rule))
    for field, path in INTEGERS.items():
        play[field] = rulebook.number(path)
    play.always_hits, play.always_misses = rules.always_hits, rules.always_misses
    play.step = rules.step
    play.side_hit[:], play.side_damage[:] = rules.side_hit, rules.side_damage
    play.band[:] = [rulebook.number(f"ranged.modifiers.{band}") for band in BANDS]
    play.charisma[:] = rules.charisma
    play.situation_on[:] = [rules.situations[name].on for name in SITUATIONS]
    play.situation[:] = [rules.situations[name].modifier for name in SITUATIONS]
    play.loss_share[:] = rules.loss_shares
    return play


def walk_hexes(play: Play, mov: int) -> int:
    """Return the hexes of a walk (SS-2.3, SS-5.1, SS-5.1b).

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> walk_hexes(pack_play(load_rulebook("stirling").variant({"SS-P16": "four_thirds"})), 12)
    16
    """
    return min(int(mov * play.per_turn * play.hexes // play.mov_points), MOST_STEPS)


def run_hexes(play: Play, mov: int) -> int:
    """Return the hexes of a run (SS-5.1a).

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> run_hexes(pack_play(load_rulebook("stirling")), 12)
    36
    """
    return min(int(mov * play.run * play.per_turn * play.hexes // play.mov_points), MOST_STEPS)
