"""The rulebook of Coloniale as frozen values: what the exact odds read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from wargamesim.dice.arguments import integers
from wargamesim.dice.pmf import Floats, Integers
from wargamesim.dice.pools import chance_at_least
from wargamesim.errors import InputError, unknown
from wargamesim.rulebook import Rulebook

ARMS = ("infantry", "cavalry", "battery")
QUALITIES = ("irregular", "regular", "elite")
# Where the target of fire or of an assault stands (CO-2.1, CO-2.2, CO-8.3).
GROUNDS = OPEN, COVER, FORT = ("open", "cover", "fort")
# What a die of a march off the road does: the five effects of CO-7.5.
EFFECTS = STOP, STOP_IF_DIFFICULT, DRIFT, STRAIGHT, CORRECT = range(5)
TIES = ("defender", "attacker", "draw", "reroll")

# No reading sets a ceiling for a discipline that rises in battle when the range holds only before it (CO-P02).
NO_CEILING = 2**31


class Rules(NamedTuple):
    """Numbers and readings; chances are those of one die, arrays by ground have the order of `GROUNDS`."""

    discipline_least: int  # CO-1.3
    discipline_most: int  # CO-1.3
    lowest: int  # CO-P02: bounds of what a battle does to a discipline
    highest: int  # CO-P02
    rally: float  # CO-4.1
    rifle_dice: int  # CO-4.2a
    rifle_hit: Floats  # [3] by ground, CO-4.2b, CO-4.2c, CO-8.3
    rifle_markers: Integers  # [3] by ground, CO-4.4, CO-P29
    rifle_reach: int  # CO-4.2d
    dice_lost_to_marker: int  # CO-4.5, CO-P10
    split_each: bool  # CO-P09
    cannon_near: float  # CO-4.3a
    cannon_far: Floats  # [3] by ground, CO-4.3b, CO-P08
    cannon_near_reach: int  # CO-4.3a
    cannon_reach: int  # CO-4.3b
    fire_markers: int  # CO-4.4
    assault_dice: int  # CO-5.2a, CO-P12
    assault_hit: float  # CO-5.2b, CO-P13
    value_die: int  # CO-5.3a, CO-P14
    position: int  # CO-5.3b
    fort: int  # CO-5.3c
    fort_only: bool  # CO-P21
    values_decide: bool  # CO-P15
    tie: str  # CO-P16, one of TIES
    winner_markers: int  # CO-5.6a
    loser_markers: int  # CO-5.6b
    loser_figures: int  # CO-5.6b
    draw_markers: int  # CO-5.5
    rises: float  # CO-5.7a, CO-P17: the chance that the winner's discipline does
    gain: int  # CO-5.7a
    falls: float  # CO-5.7b, CO-P17: the chance that the loser's discipline does
    drop: int  # CO-5.7b
    defender_pursues: bool  # CO-P20


class March(NamedTuple):
    """What the strategic moves are made of; lengths are centimetres, angles degrees."""

    road_first: int  # CO-7.2a
    road_die: int  # CO-7.2a
    road_step: int  # CO-7.2a
    road_dice: dict[str, int]  # by arm, CO-7.2a, CO-7.2b
    wrong: float  # CO-7.3
    first: int  # CO-7.5a
    leg: dict[str, int]  # by arm, CO-7.5b
    rolls: int  # CO-7.5h
    effects: Floats  # [5] the chance of each effect, CO-7.5c to CO-7.5g
    angle: float  # CO-7.5e
    last_roll_moves: bool  # CO-P26
    drift: str  # CO-P27
    to_point: bool  # CO-P28


class Fighter(NamedTuple):
    """A battalion or battery before a fight: arrays of one shape."""

    figures: Integers
    discipline: Integers
    markers: Integers


def preset(rulebook: Rulebook, name: str) -> Rulebook:
    """Return the rulebook with one of its assaults (CO-5.2): ``body``, ``summary`` or ``summary_strict``.

    Numbers that were changed one by one stay as they are.

    Raises
    ------
    InputError
        If there is no preset of that name.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> strict = preset(load_rulebook("coloniale"), "summary_strict")
    >>> [strict.number(f"assault.{what}") for what in ("most_dice", "need", "value_die")]
    [5, 5, 1]
    """
    known = rulebook.readings["CO-5.2"].options
    if name not in known:
        raise unknown("preset", name, known, key="preset")
    return rulebook.variant({"CO-5.2": name})


def compile_rules(rulebook: Rulebook) -> Rules:
    """Read what fire, rally and assaults need.

    Parameters
    ----------
    rulebook : Rulebook
        A rulebook of the game coloniale, with any variants applied.

    Raises
    ------
    InputError
        If the range of discipline is empty.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> rules = compile_rules(load_rulebook("coloniale"))
    >>> rules.rifle_reach, rules.loser_markers, rules.tie
    (20, 3, 'defender')
    """
    number, reading = rulebook.number, rulebook.reading
    least, most = number("discipline.least"), number("discipline.most")
    if least > most:
        raise InputError(f"must be at most discipline.most ({most}), not {least}", key="discipline.least")
    always = reading("CO-P02") == "always"
    tests = reading("CO-P17")

    def chance(die: str, need: str) -> float:
        return float(chance_at_least(number(die), number(need)))

    rifle = [chance("rifle.die", "rifle.need_open"), chance("rifle.die", "rifle.need_cover"), 0.0]
    far, far_cover = chance("cannon.die", "cannon.far_need"), chance("cannon.die", "cannon.far_need_cover")
    markers = number("fire.markers")
    return Rules(
        discipline_least=least,
        discipline_most=most,
        lowest=least if always else number("discipline.floor"),
        highest=most if always else NO_CEILING,
        rally=chance("rally.die", "rally.need"),
        rifle_dice=number("rifle.dice"),
        rifle_hit=np.array(rifle),
        rifle_markers=np.array([markers, markers, markers * (reading("CO-P29") == "suppressed")]),
        rifle_reach=number("rifle.reach"),
        dice_lost_to_marker=int(reading("CO-P10") == "fire_dice"),
        split_each=reading("CO-P09") == "each",
        cannon_near=chance("cannon.die", "cannon.near_need"),
        # Against a cannon a fort is cover like any other (CO-8.3).
        cannon_far=np.array([far, far_cover, far_cover]),
        cannon_near_reach=number("cannon.near_reach"),
        cannon_reach=number("cannon.reach"),
        fire_markers=markers,
        assault_dice=number("assault.most_dice"),
        assault_hit=chance("assault.die", "assault.need"),
        value_die=number("assault.value_die"),
        position=number("assault.position"),
        fort=number("fort.bonus"),
        fort_only=reading("CO-P21") == "fort_only",
        values_decide=reading("CO-P15") == "values_decide",
        tie=reading("CO-P16"),
        winner_markers=number("assault.winner_markers"),
        loser_markers=number("assault.loser_markers"),
        loser_figures=number("assault.loser_figures"),
        draw_markers=number("assault.draw_markers"),
        rises=chance("assault.test.die", "assault.test.winner_need") if tests == "both" else 0.0,
        gain=number("assault.test.winner_gain"),
        falls=chance("assault.test.die", "assault.test.loser_need") if tests != "none" else 0.0,
        drop=number("assault.test.loser_drop"),
        defender_pursues=reading("CO-P20") == "any_winner",
    )


def compile_march(rulebook: Rulebook) -> March:
    """Read what the strategic moves need.

    Raises
    ------
    InputError
        If a face of the die of a march off the road has no effect or two, or lies outside the die.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> compile_march(load_rulebook("coloniale")).effects * 6
    array([1., 2., 1., 1., 1.])
    """
    number, reading = rulebook.number, rulebook.reading
    on_foot, mounted = number("march.road.infantry_dice"), number("march.road.cavalry_dice")
    leg, mounted_leg = number("march.off_road.infantry_leg"), number("march.off_road.cavalry_leg")
    return March(
        road_first=number("march.road.first"),
        road_die=number("march.road.die"),
        road_step=number("march.road.step"),
        road_dice={arm: mounted if arm == "cavalry" else on_foot for arm in ARMS},
        wrong=float(chance_at_least(number("march.road.junction_die"), number("march.road.wrong_need"))),
        first=number("march.off_road.first"),
        leg={arm: mounted_leg if arm == "cavalry" else leg for arm in ARMS},
        rolls=number("march.off_road.rolls"),
        effects=_effects(rulebook),
        angle=number("march.off_road.drift_angle"),
        last_roll_moves=reading("CO-P26") == "yes",
        drift=reading("CO-P27"),
        to_point=reading("CO-P28") == "point",
    )


def indices(name: str, kind: str, values: ArrayLike, known: tuple[str, ...]) -> Integers:
    """Return the place of each name among those known.

    Raises
    ------
    InputError
        If one is not known; the message has the nearest one and all of them.

    Examples
    --------
    >>> indices("ground", "ground", ["fort", "open"], GROUNDS)
    array([2, 0])
    """
    array = np.asarray(values, dtype=np.str_)
    for value in array.flat:
        if value not in known:
            raise unknown(kind, value, known, key=name)
    return np.array([known.index(value) for value in array.flat], dtype=np.int64).reshape(array.shape)


def counts(minimum: int, **values: ArrayLike) -> Iterable[Integers]:
    """Yield each argument as integers of at least `minimum`; an error has the argument's name."""
    return (integers(name, value, minimum=minimum) for name, value in values.items())


def _effects(rulebook: Rulebook) -> Floats:
    """Share of the faces of each effect, in the order of `EFFECTS`."""
    sides = rulebook.number("march.off_road.die")
    paths = (
        "march.off_road.stop",
        "march.off_road.stop_if_difficult",
        "march.off_road.drift",
        "march.off_road.straight",
        "march.off_road.correct",
    )
    owner: dict[int, str] = {}
    for path in paths:
        for face in rulebook.number(path):
            if face > sides:
                raise InputError(f"face {face} is not on a die of {sides} sides; allowed: 1 to {sides}", key=path)
            if face in owner:
                raise InputError(f"face {face} already belongs to {owner[face]}", key=path)
            owner[face] = path
    without = sorted(set(range(1, sides + 1)) - set(owner))
    if without:
        raise InputError(
            f"face {without[0]} of {sides} has no effect; give it to one of {', '.join(paths)}", key=paths[3]
        )
    return np.array([list(owner.values()).count(path) / sides for path in paths])
