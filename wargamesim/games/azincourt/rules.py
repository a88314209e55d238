"""The rulebook of Azincourt as frozen arrays: what both implementations of the game read."""

from __future__ import annotations

from typing import NamedTuple, get_type_hints

import numpy as np
import numpy.typing as npt

from wargamesim.errors import InputError
from wargamesim.rulebook import Rulebook

SIDES = ("english", "french")
ENGLISH, FRENCH = 0, 1

KINDS = ("knight", "foot_knight", "infantry", "archer", "crossbow", "cannon")
KNIGHT, FOOT_KNIGHT, INFANTRY, ARCHER, CROSSBOW, CANNON = range(6)

OUTCOMES = ("english", "french", "draw", "no_decision")
ENGLISH_WIN, FRENCH_WIN, DRAW, NO_DECISION = range(4)

# What an arrow's face does to its target (AZ-4.3, AZ-4.4).
NOTHING, UNHORSE, REMOVE = range(3)

# What a die is for: the `purpose` of its event. The actor is the side (INITIATIVE), 0 (COIN), the shooting
# piece (ARROW, CANNON), or the first attacker or first defender by index of a fight (MELEE_*).
INITIATIVE, COIN, ARROW, CANNON_SHOT, MELEE_ATTACK, MELEE_DEFENCE = range(6)

# The eight facings, clockwise from north; a step is (row, column), north is row 0.
STEPS = np.array([(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)], dtype=np.int64)
NORTH, SOUTH = 0, 4

# The largest numbers for which compiled code keeps room; the rulebook's ranges are within them.
MOST_SIDES, MOST_DICE, MOST_ROAD_SQUARES = 100, 6, 8

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Rules(NamedTuple):
    """Every number and reading of the rulebook, by piece kind where it has the shape [6].

    Flags are 0 or 1; a reading with more than two options is an index in the order of the rulebook.
    Lengths are squares, angles degrees.
    """

    speed: Ints  # [6] AZ-1.7
    value: Ints  # [6] AZ-1.7
    reach: Ints  # [6] AZ-4.1, AZ-5.1
    stakes: Ints  # [6] AZ-2.6
    mud_die: int  # AZ-2.1
    mud_slowest: int  # AZ-2.2
    mud_any_square: int  # AZ-2.3
    equal_dice: int  # AZ-2.5: 0 coin, 1 french, 2 english, 3 reroll
    shoot_first: int  # AZ-2.7
    road_squares: int  # AZ-3.2
    road_bonus: int  # AZ-3.2
    climb: int  # AZ-3.3
    stake_in_front: int  # AZ-3.7
    locked: int  # AZ-3.8
    plant_whole_action: int  # AZ-3.9
    arrow_die: int  # AZ-4.2
    arrow_effect: Ints  # [2, arrow_die + 1]: on foot, mounted x face, AZ-4.3 to AZ-4.5
    straight: int  # AZ-4.6
    cannon_immune: int  # AZ-4.9
    stakes_block: int  # AZ-4.10
    woods_block: int  # AZ-4.10
    cannon_die: int  # AZ-5.1
    cannon_dice: int  # AZ-5.1
    hit_if_at_least: int  # AZ-5.2
    sector: int  # AZ-5.7
    half_angle: float  # AZ-5.7
    blast: int  # AZ-5.3
    melee_die: int  # AZ-6.1
    beaten_all: int  # AZ-6.6
    house_bonus: int  # AZ-6.7
    castle_bonus: int  # AZ-6.7
    points: int  # AZ-7.1
    margin: int  # AZ-7.2
    last_moves: int  # AZ-7.2
    small_margin: int  # AZ-7.3
    small_moves: int  # AZ-7.3
    half: float  # AZ-7.8
    turn_limit: int  # AZ-7.5
    at_least: int  # AZ-7.4
    any_reduction: int  # AZ-7.6
    small_last_move: int  # AZ-7.7
    duel: Floats  # [2 * die + 1] chance that the attacker wins, by clipped difference of values (for doctrines)
    shot: Floats  # [dice_max + 1, dice_max * die + 1] chance of each sum (for doctrines)


_SHAPES = {
    "speed": (6,),
    "value": (6,),
    "reach": (6,),
    "stakes": (6,),
    "arrow_effect": (2, MOST_SIDES + 1),
    "duel": (2 * MOST_SIDES + 1,),
    "shot": (MOST_DICE + 1, MOST_DICE * MOST_SIDES + 1),
}

# `Rules` as a record of fixed layout, for `records.pack` and compiled code.
RulesRecord = np.record
RULES = np.dtype(
    [
        (name, np.float64 if kind in (float, Floats) else np.int64, _SHAPES.get(name, ()))
        for name, kind in get_type_hints(Rules).items()
    ],
    align=True,
)


def compile_rules(rulebook: Rulebook) -> Rules:
    """Read every number and reading of the rulebook into arrays.

    Parameters
    ----------
    rulebook : Rulebook
        A rulebook of the game azincourt, with any variants applied.

    Raises
    ------
    InputError
        If an arrow's face lies outside its die, or does two things at once.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> rules = compile_rules(load_rulebook("azincourt"))
    >>> int(rules.reach[ARCHER]), rules.margin
    (6, 20)
    """
    number, reading = rulebook.number, rulebook.reading

    def by_kind(what: str, kinds: tuple[str, ...] = KINDS) -> Ints:
        return np.array([number(f"pieces.{kind}.{what}") if kind in kinds else 0 for kind in KINDS], dtype=np.int64)

    def is_on(rule: str, option: str) -> int:
        return int(reading(rule) == option)

    melee_die, cannon_die, cannon_dice = number("melee.die"), number("cannon.die"), number("cannon.dice_max")
    return Rules(
        speed=by_kind("speed"),
        value=by_kind("value"),
        reach=by_kind("range"),
        stakes=by_kind("stakes", ("archer", "crossbow")),
        mud_die=number("mud.die"),
        mud_slowest=number("mud.slowest"),
        mud_any_square=is_on("AZ-2.3", "any_square"),
        equal_dice=("coin", "french", "english", "reroll").index(reading("AZ-2.5")),
        shoot_first=is_on("AZ-2.7", "shoot_move_fight"),
        road_squares=number("terrain.road.squares"),
        road_bonus=number("terrain.road.bonus"),
        climb=number("terrain.mountain.climb"),
        stake_in_front=is_on("AZ-3.7", "front"),
        locked=is_on("AZ-3.8", "locked"),
        plant_whole_action=is_on("AZ-3.9", "whole_action"),
        arrow_die=number("arrow.die"),
        arrow_effect=_arrow_effect(rulebook),
        straight=is_on("AZ-4.6", "straight"),
        cannon_immune=is_on("AZ-4.9", "immune"),
        stakes_block=int(reading("AZ-4.10") in ("stakes", "both")),
        woods_block=int(reading("AZ-4.10") in ("woods", "both")),
        cannon_die=cannon_die,
        cannon_dice=cannon_dice,
        hit_if_at_least=is_on("AZ-5.2", "hit_if_at_least"),
        sector=is_on("AZ-5.7", "sector"),
        half_angle=float(number("cannon.sector_half_angle")),
        blast=number("cannon.blast_radius"),
        melee_die=melee_die,
        beaten_all=is_on("AZ-6.6", "all"),
        house_bonus=number("terrain.house.bonus"),
        castle_bonus=number("terrain.castle.bonus"),
        points=number("end.points_per_piece"),
        margin=number("end.margin"),
        last_moves=number("end.last_moves"),
        small_margin=number("end.small_margin"),
        small_moves=number("end.small_moves"),
        half=float(number("end.half")),
        turn_limit=number("end.turn_limit"),
        at_least=is_on("AZ-7.4", "at_least"),
        any_reduction=is_on("AZ-7.6", "any_reduction"),
        small_last_move=is_on("AZ-7.7", "yes"),
        duel=_duel(melee_die),
        shot=_shot(cannon_die, cannon_dice),
    )


def _arrow_effect(rulebook: Rulebook) -> Ints:
    sides = rulebook.number("arrow.die")
    effect = np.full((2, sides + 1), NOTHING, dtype=np.int64)
    tables = (
        ("arrow.foot.removes", 0, REMOVE),
        ("arrow.cavalry.unhorses", 1, UNHORSE),
        ("arrow.cavalry.removes", 1, REMOVE),
    )
    for path, mounted, what in tables:
        for face in rulebook.number(path):
            if not 1 <= face <= sides:
                raise InputError(f"face {face} is not on a die of {sides} sides; allowed: 1 to {sides}", key=path)
            if effect[mounted, face] != NOTHING:
                raise InputError(f"face {face} cannot both unhorse and remove", key=path)
            effect[mounted, face] = what
    return effect


def _duel(sides: int) -> Floats:
    """Chance that the attacker wins two dice with ties rolled again, for differences of value -sides..+sides."""
    face = np.arange(1, sides + 1)
    gap = face[:, None] - face[None, :]
    differences = np.arange(-sides, sides + 1)[:, None, None]
    wins, losses = ((gap + differences > 0).sum((1, 2)), (gap + differences < 0).sum((1, 2)))
    return np.asarray(wins / (wins + losses), dtype=np.float64)


def _shot(sides: int, dice: int) -> Floats:
    """Chance of each sum for 0..dice dice."""
    chance = np.zeros((dice + 1, dice * sides + 1))
    chance[0, 0] = 1.0
    for n in range(1, dice + 1):
        for total in range(n, n * sides + 1):
            chance[n, total] = chance[n - 1, max(0, total - sides) : total].sum() / sides
    return chance
