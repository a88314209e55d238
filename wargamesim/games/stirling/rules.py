"""The rulebook of Stirling as plain values: the numbers and readings that the exact answers read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wargamesim.rulebook import Rulebook

SIDES = ("front", "flank", "rear")
WEAPONS = ("long_bow", "light_crossbow", "short_bow", "spear")
BANDS = ("short", "medium", "long")
QUALITIES = ("levy", "common", "chosen", "elite")

LOSSES = ("lost_quarter", "lost_half", "lost_three_quarters")
# In the order in which a unit that checks once for each situation checks (SS-P39).
SITUATIONS = (
    *("charged", *LOSSES, "leader_lost", "struck_behind", "friend_broken"),
    *("outnumbered", "commander_lost"),
)

MOST_CHARISMA = 19


class Situation(NamedTuple):
    """A situation of SS-9.1: whether it compels a check, and what it adds to morale."""

    on: bool
    modifier: int


class Rules(NamedTuple):
    """Every number and reading that the exact answers need; distances in hexes, damage factors in percent."""

    die: int  # SS-3.2a
    always_hits: int  # SS-3.2b; beyond the die where SS-P10 is off
    always_misses: int  # SS-3.2b; 0 where SS-P10 is off
    least_damage: int  # SS-3.3
    divisor: int  # SS-3.3a
    ranged_divisor: int  # SS-P08
    rounds: int  # SS-2.1
    attacks: int  # SS-2.2a
    alternate: bool  # SS-P04
    one_roll: bool  # SS-P07
    side_hit: NDArray[np.int64]  # [3] by SIDES, SS-7.2a and SS-7.2b
    side_damage: NDArray[np.int64]  # [3]
    shield_lost: bool  # SS-7.2b, from the rear
    charge_hit: int  # SS-7.3b
    charge_ac: int  # SS-7.3b
    charge_damage: int  # SS-7.3c
    round_by_round: bool  # SS-P31
    barred: int  # SS-4.2
    ranges: Mapping[str, tuple[int, ...]]  # SS-4.3b: by weapon, where short, medium and long range end
    range_modifiers: tuple[int, ...]  # SS-4.3a
    shares: int  # SS-4.4
    large_weight: int  # SS-4.4a
    quarters: str  # SS-P15
    aimed_ac: bool  # SS-P14
    men_step: int  # SS-P02
    step: int  # SS-8.2; 1 where SS-P35 is exact
    carry: bool  # SS-P35
    per_attack: bool  # SS-P36; with a single enemy per_clash is per_phase
    wipe: bool  # SS-P49
    leader_risk: float  # SS-P37: the Leader's risk as a multiple of that of any man
    morale_dice: int  # SS-9.3a
    morale_die: int  # SS-9.3a
    ratings: Mapping[str, int]  # SS-9.3b, with "leader"
    charisma: NDArray[np.int64]  # [20] SS-9.3c; charisma 0 stands for nobody
    situations: Mapping[str, Situation]  # SS-9.1
    loss_shares: tuple[int, ...]  # SS-9.1b: by LOSSES, percent
    outnumbered: int  # SS-9.1f
    check_each: bool  # SS-P39
    further: int  # SS-P39
    combine: str  # SS-P47
    commander_helps: bool  # SS-P48
    recover_at_once: bool  # SS-P44
    recover_as_checked: bool  # SS-P45
    hit_points: Mapping[str, int]  # SS-1.4, of men without a class by quality
    floor_averages: bool  # SS-P03
    monster_die: int  # SS-1.5a
    half_die: int  # SS-1.5b
    initiative_die: int  # SS-5.2
    low_moves_first: bool  # SS-P24


def compile_rules(rulebook: Rulebook | Rules) -> Rules:
    """Read the numbers and readings of the rulebook.

    Parameters
    ----------
    rulebook : Rulebook or Rules
        A rulebook of the game stirling, with any variants applied; what was read from one before is returned as it is.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> rules = compile_rules(load_rulebook("stirling"))
    >>> rules.divisor, rules.ranges["long_bow"]
    (5, (7, 14, 21))
    """
    if isinstance(rulebook, Rules):
        return rulebook
    number, reading = rulebook.number, rulebook.reading
    natural = reading("SS-P10") == "on"
    remainder = reading("SS-P35")
    return Rules(
        die=number("attack.die"),
        always_hits=number("attack.always_hits") if natural else number("attack.die") + 1,
        always_misses=number("attack.always_misses") if natural else 0,
        least_damage=number("attack.least_damage"),
        divisor=number("attack.divisor"),
        ranged_divisor=number("attack.ranged_divisor"),
        rounds=number("turn.rounds"),
        attacks=number("turn.attacks"),
        alternate=reading("SS-P04") == "alternate",
        one_roll=reading("SS-P07") == "one_roll",
        side_hit=np.array([0, number("sides.flank.hit"), number("sides.rear.hit")], dtype=np.int64),
        side_damage=np.array([100, number("sides.flank.damage"), number("sides.rear.damage")], dtype=np.int64),
        shield_lost=number("sides.rear.shield_lost"),
        charge_hit=number("charge.hit"),
        charge_ac=number("charge.ac"),
        charge_damage=number("charge.damage"),
        round_by_round=reading("SS-P31") == "round_by_round",
        barred=number("ranged.barred"),
        ranges={weapon: tuple(number(f"ranged.weapons.{weapon}.{band}") for band in BANDS) for weapon in WEAPONS},
        range_modifiers=tuple(number(f"ranged.modifiers.{band}") for band in BANDS),
        shares=number("ranged.mixed.shares"),
        large_weight=number("ranged.mixed.large_weight"),
        quarters=reading("SS-P15"),
        aimed_ac=reading("SS-P14") == "aimed",
        men_step=number("units.men_step"),
        step=1 if remainder == "exact" else number("losses.step"),
        carry=remainder == "carry",
        per_attack=reading("SS-P36") == "per_attack",
        wipe=reading("SS-P49") == "on",
        leader_risk={"as_a_man": 1.0, "never": 0.0, "half": 0.5}[reading("SS-P37")],
        morale_dice=number("morale.dice"),
        morale_die=number("morale.die"),
        ratings={name: number(f"morale.ratings.{name}") for name in (*QUALITIES, "leader")},
        charisma=np.array([0, *(number(f"morale.charisma.{score}") for score in range(1, MOST_CHARISMA + 1))]),
        situations={
            name: Situation(number(f"morale.situations.{name}.on"), number(f"morale.situations.{name}.modifier"))
            for name in SITUATIONS
        },
        loss_shares=tuple(number(f"morale.situations.{name}.share") for name in LOSSES),
        outnumbered=number("morale.situations.outnumbered.ratio"),
        check_each=reading("SS-P39") == "one_per_situation",
        further=number("morale.further"),
        combine=reading("SS-P47"),
        commander_helps=reading("SS-P48") == "commander",
        recover_at_once=reading("SS-P44") == "same_turn",
        recover_as_checked=reading("SS-P45") == "as_last_check",
        hit_points={name: number(f"units.hp.{name}") for name in ("common", "chosen", "elite")},
        floor_averages=reading("SS-P03") == "exact_floor",
        monster_die=number("units.hp.monster_die"),
        half_die=number("units.hp.half_die"),
        initiative_die=number("movement.die"),
        low_moves_first=reading("SS-P24") == "low_moves_first",
    )


Book = Rulebook | Rules
"""What the exact functions take: a rulebook, or what `compile_rules` has read from it, which is faster."""
