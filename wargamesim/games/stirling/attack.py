"""One attack of a unit, and the attacks of a turn: who is hit, what it costs, how many men are removed.

The seed of it all is one roll to hit for the whole unit (SS-3.1). To see what that does, each function can also let
every man who reaches the enemy roll for himself, which no reading of the rules says.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from wargamesim.dice.arguments import broadcast, integers
from wargamesim.dice.pmf import PMF, Floats, Integers
from wargamesim.errors import unknown
from wargamesim.games.stirling.rules import SIDES, WEAPONS, Book, Rules, compile_rules
from wargamesim.games.stirling.units import damage_dice

ROLLS = ("unit", "man")


class Struck(NamedTuple):
    """What the side struck, or the distance, changes; arrays of one shape.

    `modifier` is added to the roll to hit, `percent` is the damage of what the dice say, `barred` tells where there
    can be no attack at all.
    """

    modifier: Integers
    percent: Integers
    barred: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]


def hit_chance(rulebook: Book, thac0: ArrayLike, ac: ArrayLike, modifier: ArrayLike = 0) -> Floats:
    """Return the chance that an attack hits (SS-3.2, SS-3.2a, SS-3.2b, SS-P10).

    Parameters
    ----------
    rulebook : Rulebook or Rules
    thac0, ac, modifier : int or array_like of int
        The attacker's THAC0, the target's armour class, what is added to the roll; they broadcast.

    Returns
    -------
    ndarray, shape broadcast(thac0, ac, modifier)

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> hit_chance(load_rulebook("stirling"), 20, [6, 0, -5])
    array([0.35, 0.05, 0.05])
    """
    points = {"thac0": integers("thac0", thac0), "ac": integers("ac", ac), "modifier": integers("modifier", modifier)}
    broadcast(**{name: values.shape for name, values in points.items()})
    needed = points["thac0"] - points["ac"] - points["modifier"]
    rules = compile_rules(rulebook)
    face = np.arange(1, rules.die + 1)
    by_total = (face >= needed[..., None]) & (face > rules.always_misses)
    return np.asarray((by_total | (face >= rules.always_hits)).mean(axis=-1))


def by_side(rulebook: Book, side: ArrayLike, shield: ArrayLike = 0) -> Struck:
    """Return what the side struck changes in melee (SS-7.2, SS-7.2a, SS-7.2b, SS-P32).

    Parameters
    ----------
    rulebook : Rulebook or Rules
    side : str or array_like of str
        "front", "flank" or "rear".
    shield : int or array_like of int, at least 0
        What the target's shield gives to its AC, lost from behind; broadcasts with `side`.

    Raises
    ------
    InputError
        If a side is unknown.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> by_side(load_rulebook("stirling"), ["front", "flank", "rear"], shield=1).modifier
    array([0, 1, 3])
    """
    names, points = np.asarray(side, dtype=np.str_), integers("shield", shield, minimum=0)
    for name in names.flat:
        if name not in SIDES:
            raise unknown("side", name, SIDES, key="side")
    shape = broadcast(side=names.shape, shield=points.shape)
    rules = compile_rules(rulebook)
    index = np.array([SIDES.index(name) for name in names.flat], dtype=np.int64).reshape(names.shape)
    lost = np.where(index == SIDES.index("rear"), points * rules.shield_lost, 0)
    percent = np.broadcast_to(rules.side_damage[index], shape)
    return Struck(np.asarray(rules.side_hit[index] + lost), percent, np.zeros(shape, dtype=np.bool_))


def by_distance(rulebook: Book, weapon: str, distance: ArrayLike) -> Struck:
    """Return what the distance changes in ranged combat (SS-4.2, SS-4.3, SS-4.3a, SS-4.3b, SS-P12).

    Parameters
    ----------
    rulebook : Rulebook or Rules
    weapon : {"long_bow", "light_crossbow", "short_bow", "spear"}
    distance : int or array_like of int, at least 1
        Hexes to the target; next to it, and beyond long range, there is no shot.

    Raises
    ------
    InputError
        If the weapon is unknown or a distance no count.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> shot = by_distance(load_rulebook("stirling"), "long_bow", [1, 2, 8, 21, 22])
    >>> shot.modifier, shot.barred
    (array([ 0,  0, -2, -5,  0]), array([ True, False, False, False,  True]))
    """
    if weapon not in WEAPONS:
        raise unknown("weapon", weapon, WEAPONS, key="weapon")
    hexes = integers("distance", distance, minimum=1)
    rules = compile_rules(rulebook)
    inside = hexes[..., None] <= np.array(rules.ranges[weapon])
    barred = ~inside.any(axis=-1) | (hexes <= rules.barred)
    modifier = np.where(barred, 0, np.array(rules.range_modifiers)[inside.argmax(axis=-1)])
    return Struck(modifier, np.full(hexes.shape, 100), barred)


def losses(
    rulebook: Book,
    men: ArrayLike,
    thac0: ArrayLike,
    ac: ArrayLike,
    damage: str,
    hp: ArrayLike,
    *,
    modifier: ArrayLike = 0,
    times: ArrayLike = 1,
    parts: int = 1,
    ranged: bool = False,
    rolls: str = "unit",
) -> PMF:
    """Return what one attack costs its target, in men and before any are removed (SS-3.1, SS-3.3, SS-3.3b).

    All men attack (SS-3.4), and missiles follow the same formula (SS-3.5, SS-4.1).

    Parameters
    ----------
    rulebook : Rulebook or Rules
    men : int or array_like of int, at least 0
        Men attacking.
    thac0, ac, modifier : int or array_like of int
        As in `hit_chance`.
    damage : str
        Dice of one hit, such as ``1d8`` or ``2d6+1``.
    hp : int or array_like of int, at least 1
        Hit points of one member of the target.
    times, parts : int, at least 0 and 1; `times` also array_like
        Damage is multiplied by times / parts: 150 / 100 from behind, 3 / 4 of a shot into a melee.
    ranged : bool
        A ranged attack, which may have a divisor of its own (SS-P08).
    rolls : {"unit", "man"}
        One roll for the unit, as the rules have it, or one for each man who reaches the enemy: one of every five, the
        divisor of the rules, whose damage is added before it is divided by the hit points.

    Returns
    -------
    PMF
        Of the men lost, batch broadcast(men, thac0, ac, hp, modifier, times); not limited by the target's men.

    Raises
    ------
    InputError
        If a number is out of range, the damage is no dice, or the shapes do not broadcast.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> lost = losses(load_rulebook("stirling"), 300, 20, 6, "1d8", 7)
    >>> print(f"{lost.mean():.5f}, {lost.equal_to(34) * 160:.9f}")
    13.34375, 7.000000000
    """
    count, points = integers("men", men, minimum=0), integers("hp", hp, minimum=1)
    factor, share = integers("times", times, minimum=0), int(integers("parts", parts, minimum=1))
    if rolls not in ROLLS:
        raise unknown("kind of roll", rolls, ROLLS, key="rolls")
    rules = compile_rules(rulebook)
    chance = hit_chance(rules, thac0, ac, modifier)
    shape = broadcast(men=count.shape, hit=chance.shape, hp=points.shape, times=factor.shape)
    divisor = rules.ranged_divisor if ranged else rules.divisor
    rolled = damage_dice(rules, damage)
    p = np.zeros((*chance.shape, rolled.start + rolled.p.shape[-1]))
    p[..., 0] = 1 - chance
    p[..., rolled.start :] += chance[..., None] * rolled.p
    if rolls == "man":
        summed = PMF(0, p).repeat(count // divisor)
        value = summed.values * factor[..., None] // (share * points[..., None])
        return _gathered(shape, summed.p, value)
    value = np.arange(p.shape[-1]) * (count * factor)[..., None] // (share * divisor * points[..., None])
    return _gathered(shape, p, value)


def _gathered(shape: tuple[int, ...], p: Floats, value: Integers) -> PMF:
    """Add up the probabilities of equal values, row by row."""
    n = p.shape[-1]
    rows, values = np.broadcast_to(p, (*shape, n)).reshape(-1, n), np.broadcast_to(value, (*shape, n)).reshape(-1, n)
    width = int(values.max(initial=0)) + 1
    flat = np.arange(len(values))[:, None] * width + values
    total = np.bincount(flat.ravel(), weights=rows.ravel(), minlength=len(values) * width)
    return PMF(0, total.reshape(*shape, width).astype(np.float64))


def removed(rulebook: Book, lost: PMF, attacks: ArrayLike = 1) -> PMF:
    """Return how many men a phase removes from a unit that has more than enough (SS-8.2, SS-8.3, SS-8.4, SS-P36).

    Parameters
    ----------
    rulebook : Rulebook or Rules
    lost : PMF
        What each attack costs.
    attacks : int or array_like of int, at least 0
        Attacks of the phase; broadcasts with the batch of `lost`.

    Returns
    -------
    PMF
        Of the men removed. Under the reading carry of SS-P35 this is a first phase, with no dead left over from before;
        in the long run as many are removed as are lost.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> book = load_rulebook("stirling")
    >>> gone = removed(book, losses(book, 300, 20, 6, "1d8", 7), 2)
    >>> print(f"{gone.mean() * 1280:.6f}, {gone.equal_to(0) * 25600:.6f}")
    30877.000000, 12272.000000
    """
    rules = compile_rules(rulebook)
    if rules.per_attack and not rules.carry:
        return _together(rules, lost.map(lambda men: _whole(rules, men)), attacks)
    return _together(rules, lost, attacks).map(lambda men: _whole(rules, men))


def in_all(rulebook: Book, lost: PMF, attacks: ArrayLike = 1) -> PMF:
    """Return what the attacks of a phase cost together, before any men are removed (SS-P07); arguments as `removed`.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> book = load_rulebook("stirling")
    >>> float(in_all(book, losses(book, 300, 20, 6, "1d8", 7), 2).mean())
    26.6875
    """
    return _together(compile_rules(rulebook), lost, attacks)


def _together(rules: Rules, lost: PMF, attacks: ArrayLike) -> PMF:
    if not rules.one_roll:
        return lost.repeat(attacks)
    count = integers("attacks", attacks, minimum=0)
    shape = broadcast(attacks=count.shape, lost=lost.batch)
    return _gathered(shape, lost.p, lost.values * count[..., None])


def _whole(rules: Rules, men: Integers) -> Integers:
    return men // rules.step * rules.step


def fewest_men(
    rulebook: Book,
    damage: str,
    hp: int,
    attacks: int,
    *,
    times: int = 1,
    parts: int = 1,
    ranged: bool = False,
    rolls: str = "unit",
) -> int | None:
    """Return the fewest attackers who can remove men in one phase at all, or None if no number can.

    Parameters
    ----------
    rulebook : Rulebook or Rules
    damage : str
    hp, attacks : int
        At least 1 and 0.
    times, parts, ranged, rolls
        As in `losses`.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> fewest_men(load_rulebook("stirling"), "1d8", 7, 2)
    22
    """
    rules = compile_rules(rulebook)
    most = int(damage_dice(rules, damage).values[-1]) * times
    if attacks == 0 or most <= 0:
        return None
    # Dead that are carried over add up from turn to turn, so a single one is enough.
    step = 1 if rules.carry else rules.step
    needed = (step if rules.per_attack else -(-step // attacks)) * parts * hp
    divisor = rules.ranged_divisor if ranged else rules.divisor
    return -(-needed // most) * divisor if rolls == "man" else -(-needed * divisor // most)
