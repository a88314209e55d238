"""A unit's numbers: its stat block, its hit points by level, the dice of its damage, its attacks turn by turn."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from wargamesim.dice.arguments import broadcast, integer, integers
from wargamesim.dice.pmf import PMF, Integers
from wargamesim.errors import InputError, unknown
from wargamesim.games.stirling.rules import MOST_CHARISMA, QUALITIES, Book, compile_rules

MOST_MEN = 10_000
MOST_HP = 10_000
MOST_POINTS = 100  # of THAC0 and AC, up and down
MOST_LENGTH, MOST_SPEED = 10_000, 100
MOST_RATE, FINEST_RATE = 10, 4
_DICE = re.compile(r"(\d{0,2})d(\d{1,3})([+-]\d{1,3})?")


@dataclass(frozen=True)
class Unit:
    """The stat block of a unit, that of one member (SS-1.2); the defaults are the unit of the source's example.

    Parameters
    ----------
    men : int, 1 to 10,000
    thac0, ac : int, -100 to 100
        What its members need to hit AC 0, and their own armour class (lower is better).
    hp : int, 1 to 10,000
        Hit points of one member.
    damage : str
        Dice of one hit with all bonuses, such as ``1d8`` or ``2d6+1``.
    rate : Fraction, or what `rate_of` reads
        Attacks of one member in an ordinary round; 0 for a unit that does not strike.
    quality : {"levy", "common", "chosen", "elite"}
        Of its morale (SS-9.3b).
    leader, commander : int, 0 to 19
        Charisma of its Leader and of its side's Commander, who is off the board; 0 if there is none.
    length, speed : int, at least 0
        Length of its weapon (any unit) and its speed factor (lower is faster), for charges (SS-7.4).
    lance, set_weapon : bool
        A mounted lance, which counts when it charges; a weapon set against a charge (SS-7.3c).

    Raises
    ------
    InputError
        If a number or a name is not allowed.

    Examples
    --------
    >>> Unit(men=200, rate="3/2").rate
    Fraction(3, 2)
    """

    men: int = 300
    thac0: int = 20
    ac: int = 6
    hp: int = 7
    damage: str = "1d8"
    rate: Fraction | int | str = Fraction(1)
    quality: str = "chosen"
    leader: int = 0
    commander: int = 0
    length: int = 0
    speed: int = 0
    lance: bool = False
    set_weapon: bool = False

    def __post_init__(self) -> None:
        limits = {"men": (1, MOST_MEN), "hp": (1, MOST_HP), "length": (0, MOST_LENGTH), "speed": (0, MOST_SPEED)}
        limits |= dict.fromkeys(("thac0", "ac"), (-MOST_POINTS, MOST_POINTS))
        limits |= dict.fromkeys(("leader", "commander"), (0, MOST_CHARISMA))
        for name, (least, most) in limits.items():
            value = integer(name, getattr(self, name))
            if not least <= value <= most:
                raise InputError(f"must be from {least} to {most}, not {value}", key=name)
        if self.quality not in QUALITIES:
            raise unknown("quality", self.quality, QUALITIES, key="quality")
        parse_damage(self.damage)
        object.__setattr__(self, "rate", rate_of(self.rate))


def damage_dice(rulebook: Book, text: str) -> PMF:
    """Return the damage of one hit, at least the least damage (SS-3.3).

    Parameters
    ----------
    rulebook : Rulebook or Rules
    text : str
        Dice and bonus, such as ``1d8``, ``d6`` or ``2d6+1``: at most 99 dice of at most 999 sides.

    Raises
    ------
    InputError
        If the text is not of that form.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> damage_dice(load_rulebook("stirling"), "1d4-1").p
    array([0.5 , 0.25, 0.25])
    """
    count, sides, bonus = parse_damage(text)
    rolled = PMF.die(sides).repeat(count).shift(bonus)
    return rolled.clamp(low=compile_rules(rulebook).least_damage)


def parse_damage(text: str) -> tuple[int, int, int]:
    """Read dice of damage as their number, their sides and the bonus.

    Raises
    ------
    InputError
        If the text is not of that form.

    Examples
    --------
    >>> parse_damage("2d6+1"), parse_damage("d8")
    ((2, 6, 1), (1, 8, 0))
    """
    found = _DICE.fullmatch(text.replace(" ", ""))
    count, sides, bonus = (int(found[1] or 1), int(found[2]), int(found[3] or 0)) if found else (0, 0, 0)
    if count < 1 or sides < 1:
        raise InputError(f"'{text}' is no damage; write 1d8 or 2d6+1", key="damage")
    return count, sides, bonus


def rate_of(value: Fraction | int | str) -> Fraction:
    """Read a rate of attacks: 1, ``3/2``, 2; from 0 to 10, in halves, thirds or quarters.

    Raises
    ------
    InputError
        If it is something else.

    Examples
    --------
    >>> rate_of("3/2")
    Fraction(3, 2)
    """
    try:
        rate = Fraction(value)
    except (ValueError, TypeError, ZeroDivisionError, OverflowError):
        raise InputError(f"'{value}' is no rate of attacks; write 1, 3/2 or 2", key="rate") from None
    if not 0 <= rate <= MOST_RATE or rate.denominator > FINEST_RATE:
        raise InputError(f"must be from 0 to {MOST_RATE} in halves, thirds or quarters, not {value}", key="rate")
    return rate


def attacks_in(rulebook: Book, rate: Fraction | int | str, turn: ArrayLike) -> Integers:
    """Return the attacks of a unit in given turns (SS-2.2, SS-2.2b, SS-P04).

    Parameters
    ----------
    rulebook : Rulebook or Rules
    rate : Fraction, or what `rate_of` reads
        Attacks of one member in a round.
    turn : int or array_like of int, at least 1

    Returns
    -------
    ndarray of int64, of the shape of `turn`

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> book = load_rulebook("stirling")
    >>> attacks_in(book, "3/2", [1, 2]), attacks_in(book.variant({"SS-P04": "alternate"}), "3/2", [1, 2])
    (array([3, 3]), array([2, 4]))
    """
    number, factor, each = integers("turn", turn, minimum=1), *_schedule(rulebook, rate_of(rate))
    until = number * each.numerator // each.denominator
    before = (number - 1) * each.numerator // each.denominator
    return factor * (until - before)


def attack_period(rulebook: Book, rate: Fraction | int | str) -> int:
    """Return after how many turns the attacks of a unit repeat.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> attack_period(load_rulebook("stirling"), "1/3")
    3
    """
    return _schedule(rulebook, rate_of(rate))[1].denominator


def _schedule(rulebook: Book, rate: Fraction) -> tuple[int, Fraction]:
    """Return factor and rate: in every turn the whole steps of the rate are made, each so often as the factor says."""
    rules = compile_rules(rulebook)
    in_a_turn = rules.attacks * rate
    if rules.alternate and in_a_turn.denominator == 1:
        return rules.attacks, rate
    return 1, in_a_turn


def hit_points(rulebook: Book, die: ArrayLike, level: ArrayLike) -> Integers:
    """Return the hit points of characters of a class, or of monsters by hit dice (SS-1.5, SS-1.5a, SS-P03).

    Parameters
    ----------
    rulebook : Rulebook or Rules
    die : int or array_like of int, at least 1
        Sides of the die of hit points.
    level : int or array_like of int, at least 1
        Broadcasts with `die`.

    Returns
    -------
    ndarray of int64, shape broadcast(die, level)

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> int(hit_points(load_rulebook("stirling"), 10, 3))
    22
    """
    sides, levels = integers("die", die, minimum=1), integers("level", level, minimum=1)
    broadcast(die=sides.shape, level=levels.shape)
    if compile_rules(rulebook).floor_averages:
        return sides + (levels - 1) * (sides + 1) // 2
    return sides + (levels - 1) * (sides // 2 + 1)


def monster_hit_points(rulebook: Book, dice: ArrayLike, bonus: ArrayLike = 0) -> Integers:
    """Return the hit points of monsters of n hit dice and some more (SS-1.5a, SS-1.5b).

    Parameters
    ----------
    rulebook : Rulebook or Rules
    dice : int or array_like of int, at least 0
        Hit dice; 0 stands for half a die.
    bonus : int or array_like of int
        Hit points beside them, such as 1 of "3+1"; broadcasts with `dice`.

    Returns
    -------
    ndarray of int64, shape broadcast(dice, bonus)
        At least 1.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> monster_hit_points(load_rulebook("stirling"), [0, 1, 4], [0, -1, 1])
    array([ 4,  7, 24])
    """
    count, more = integers("dice", dice, minimum=0), integers("bonus", bonus)
    broadcast(dice=count.shape, bonus=more.shape)
    rules = compile_rules(rulebook)
    whole = hit_points(rules, rules.monster_die, np.maximum(count, 1))
    return np.maximum(np.where(count == 0, rules.half_die, whole) + more, 1)
