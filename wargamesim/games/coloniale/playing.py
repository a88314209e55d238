"""A rulebook of Coloniale as one record for the battles: numbers, tables, and readings as small integers.

A reading is the index of the option that was chosen, in the order of `CHOICES`; 0 is the default.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, radians, sin

import numpy as np

from wargamesim.games.coloniale.rules import (
    ARMS,
    CORRECT,
    DRIFT,
    QUALITIES,
    STOP,
    STOP_IF_DIFFICULT,
    STRAIGHT,
    compile_march,
    compile_rules,
)
from wargamesim.records import new_record
from wargamesim.rulebook import Rulebook

MOST_FACES = 101
MOST_LISTED = 64
# A march turns at most as often as it rolls, each time by one error to one side.
MOST_TURNS = 6

# Readings that battles look at: the field, the rule that asks, and the options in order.
CHOICES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "twice": ("CO-P06", ("full", "not_twice")),
    "begins": ("CO-P07", ("coin", "alternate", "fixed")),
    "one_marked": ("CO-P09", ("each", "one")),
    "suppression": ("CO-P10", ("assault_value_only", "fire_dice", "no_tactical_move")),
    "battery_assaults": ("CO-P11", ("no", "yes")),
    "values_decide": ("CO-P15", ("before_values", "values_decide")),
    "tie": ("CO-P16", ("defender", "attacker", "draw", "reroll")),
    "tests": ("CO-P17", ("both", "loser_only", "none")),
    "stops": ("CO-P18", ("removed", "stops")),
    "pursuit_first": ("CO-P19", ("before_pursuit", "after_pursuit")),
    "attacker_pursues": ("CO-P20", ("any_winner", "attacker_only")),
    "fort_only": ("CO-P21", ("add", "fort_only")),
    "too_large": ("CO-P22", ("refuse", "surplus_lost", "none")),
    "free_action": ("CO-P23", ("both", "sender_only", "none")),
    "kind": ("CO-P24", ("arm", "arm_or_quality")),
    "road_stop": ("CO-P25", ("town_or_edge", "free")),
    "last_roll": ("CO-P26", ("yes", "no")),
    "drift": ("CO-P27", ("relative", "absolute", "enemy")),
    "to_point": ("CO-P28", ("heading", "point")),
    "fort_marked": ("CO-P29", ("none", "suppressed")),
    "figures_only": ("CO-P30", ("units_zones_figures", "figures_only")),
}

# Readings that only change numbers, or only the making of a unit.
NUMERIC = ("CO-5.2", "CO-P04", "CO-P08", "CO-P31", "CO-P02", "CO-P05")

INTEGERS: Mapping[str, str] = {
    "rally_die": "rally.die",
    "rally_need": "rally.need",
    "rifle_die": "rifle.die",
    "rifle_dice": "rifle.dice",
    "need_open": "rifle.need_open",
    "need_cover": "rifle.need_cover",
    "rifle_reach": "rifle.reach",
    "cannon_die": "cannon.die",
    "near_reach": "cannon.near_reach",
    "near_need": "cannon.near_need",
    "cannon_reach": "cannon.reach",
    "far_need": "cannon.far_need",
    "far_need_cover": "cannon.far_need_cover",
    "fire_markers": "fire.markers",
    "assault_reach": "assault.reach",
    "assault_die": "assault.die",
    "assault_dice": "assault.most_dice",
    "assault_need": "assault.need",
    "value_die": "assault.value_die",
    "position": "assault.position",
    "winner_markers": "assault.winner_markers",
    "loser_markers": "assault.loser_markers",
    "loser_figures": "assault.loser_figures",
    "retreat": "assault.retreat",
    "draw_markers": "assault.draw_markers",
    "draw_retreat": "assault.draw_retreat",
    "test_die": "assault.test.die",
    "winner_need": "assault.test.winner_need",
    "winner_gain": "assault.test.winner_gain",
    "loser_need": "assault.test.loser_need",
    "loser_drop": "assault.test.loser_drop",
    "fort_bonus": "fort.bonus",
    "pursuit_reach": "pursuit.reach",
    "merge_reach": "merge.reach",
    "mixed_drop": "merge.mixed_drop",
    "split_drop": "split.drop",
    "reinforce_figures": "reinforce.figures",
    "reinforce_reach": "reinforce.reach",
    "margin": "march.margin",
    "ford_cost": "march.ford",
    "road_first": "march.road.first",
    "road_die": "march.road.die",
    "road_step": "march.road.step",
    "road_dice": "march.road.infantry_dice",
    "cavalry_road_dice": "march.road.cavalry_dice",
    "junction_die": "march.road.junction_die",
    "wrong_need": "march.road.wrong_need",
    "first_leg": "march.off_road.first",
    "leg": "march.off_road.infantry_leg",
    "cavalry_leg": "march.off_road.cavalry_leg",
    "march_die": "march.off_road.die",
    "turns": "end.turns",
}
LENGTHS: Mapping[str, str] = {
    "contact": "table.contact",
    "edge": "table.edge",
    "crest": "table.crest",
    "bank": "table.bank",
    "bridge": "table.bridge",
    "column": "table.column",
    "rim": "table.rim",
    "beside": "table.beside",
}

PLAY = np.dtype(
    [
        *((name, np.int64) for name in (*CHOICES, *INTEGERS)),
        *((name, np.float64) for name in LENGTHS),
        ("least", np.int64),  # discipline before the battle
        ("most", np.int64),
        ("lowest", np.int64),  # and in its course (CO-P02)
        ("highest", np.int64),
        ("veteran", np.int64),
        ("fanatic", np.int64),
        ("battery", np.int64),
        ("by_quality", np.int64, len(QUALITIES)),  # how many values are listed, and these
        ("quality", np.int64, (len(QUALITIES), MOST_LISTED)),
        ("by_cavalry", np.int64),
        ("cavalry", np.int64, MOST_LISTED),
        ("nights", np.int64),
        ("night", np.int64, MOST_FACES),
        ("most_figures", np.int64, len(ARMS)),
        ("move", np.int64, len(ARMS)),
        ("rolls", np.int64),  # of a march off the road that can move it
        ("effect", np.int64, MOST_FACES),  # of each face, as in `rules.EFFECTS`
        ("turn_cos", np.float64, 2 * MOST_TURNS + 1),  # of -MOST_TURNS to MOST_TURNS errors to the right
        ("turn_sin", np.float64, 2 * MOST_TURNS + 1),
    ],
    align=True,
)
Play = np.record

# What a die of a march does, by the path of its faces.
_FACES = {
    "stop": STOP,
    "stop_if_difficult": STOP_IF_DIFFICULT,
    "drift": DRIFT,
    "straight": STRAIGHT,
    "correct": CORRECT,
}
# The cosine of 0, 45, 90, ... degrees, to the last bit the same everywhere.
_HALF_RIGHT = 0.7071067811865476
_EIGHTHS = (1.0, _HALF_RIGHT, 0.0, -_HALF_RIGHT, -1.0, -_HALF_RIGHT, 0.0, _HALF_RIGHT)


def pack_play(rulebook: Rulebook) -> Play:
    """Return the rulebook as one record of `PLAY`.

    Parameters
    ----------
    rulebook : Rulebook
        A rulebook of the game coloniale, with any variants applied.

    Raises
    ------
    InputError
        If the range of discipline is empty, or a face of the die of a march off the road has no effect or two.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> play = pack_play(load_rulebook("coloniale").variant({"CO-P16": "reroll"}))
    >>> int(play.tie), play.move.tolist(), play.night[:2].tolist()
    (3, [20, 30, 20], [4, 5])
    """
    play, rules, number = new_record(PLAY), compile_rules(rulebook), rulebook.number
    for field, (rule, options) in CHOICES.items():
        play[field] = options.index(rulebook.reading(rule))
    for field, path in {**INTEGERS, **LENGTHS}.items():
        play[field] = number(path)
    play.least, play.most = rules.discipline_least, rules.discipline_most
    play.lowest, play.highest = rules.lowest, rules.highest
    play.veteran, play.fanatic = number("discipline.veteran"), number("discipline.fanatic")
    play.battery = number("discipline.battery")
    lists = (number("discipline.irregular"), number("discipline.regular"), number("discipline.elite"))
    for quality, values in enumerate(lists):
        play.by_quality[quality] = len(values)
        play.quality[quality, : len(values)] = values
    cavalry, nights = number("discipline.cavalry"), number("night.turns")
    play.by_cavalry, play.nights = len(cavalry), len(nights)
    play.cavalry[: len(cavalry)], play.night[: len(nights)] = cavalry, nights
    play.most_figures[:] = (
        number("units.infantry.figures"),
        number("units.cavalry.figures"),
        number("units.battery.figures"),
    )
    play.move[:] = number("tactical.infantry"), number("tactical.cavalry"), number("tactical.battery")
    _pack_march(rulebook, play)
    return play


def _pack_march(rulebook: Rulebook, play: Play) -> None:
    march, number = compile_march(rulebook), rulebook.number
    # A last roll that never moves the column decides nothing (CO-P26).
    play.rolls = march.rolls if march.last_roll_moves else max(march.rolls - 1, 0)
    for name, effect in _FACES.items():
        play.effect[list(number(f"march.off_road.{name}"))] = effect
    for i in range(2 * MOST_TURNS + 1):
        angle = (i - MOST_TURNS) * march.angle
        eighths = angle / 45
        if eighths == int(eighths):
            play.turn_cos[i], play.turn_sin[i] = _EIGHTHS[int(eighths) % 8], _EIGHTHS[(int(eighths) - 2) % 8]
        else:
            play.turn_cos[i], play.turn_sin[i] = cos(radians(angle)), sin(radians(angle))
