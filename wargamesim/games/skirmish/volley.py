"""Volleys against shots (NA-4.16 to NA-4.22): what each does to the figures in a zone, and when a volley is better."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

import numpy as np
from numpy.typing import ArrayLike

from wargamesim.dice.arguments import MASS_TOLERANCE, broadcast, integers
from wargamesim.dice.pmf import PMF
from wargamesim.dice.pools import chance_one_of, successes
from wargamesim.errors import unknown
from wargamesim.games.skirmish.fire import Result, result_by, shot_by
from wargamesim.games.skirmish.rules import COVERS, Floats, Ints, Rules, compile_rules, indices, require
from wargamesim.games.skirmish.salvo import Means, Salvo, fallen, fallen_means, worth
from wargamesim.rulebook import Rulebook

AIMS, ORDERS = ("spread", "focus"), ("open", "close")
MOST_TARGETS = 40
End = tuple[int, int, int]


def volley_hits(rulebook: Rulebook, shooters: ArrayLike) -> PMF:
    """Return the number of hits of a volley (NA-4.17).

    Parameters
    ----------
    rulebook : Rulebook
    shooters : int or array_like of int
        Regulars with loaded firearms, as many as a volley takes or more (NA-4.16).

    Returns
    -------
    PMF
        With the batch of `shooters`.

    Raises
    ------
    InputError
        If the rulebook has no volleys, or there are too few shooters.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> print(f"{volley_hits(load_rulebook('nordamerica'), 6).mean():.4f}")
    0.8333
    """
    rules = compile_rules(rulebook)
    require(rules, "volleys", rulebook)
    count = integers("shooters", shooters, minimum=rulebook.number("volley.shooters"))
    return successes(count, group_chance(rules, rulebook.number("volley.die"), rulebook.number("volley.faces")))


def volley(
    rulebook: Rulebook,
    shooters: ArrayLike,
    targets: ArrayLike,
    cover: ArrayLike = "open",
    *,
    blind: bool = False,
) -> Salvo:
    """Return what a volley does to the enemies in its zone: its hits, and a marker on every one (NA-4.19, NA-4.21).

    Parameters
    ----------
    rulebook : Rulebook
    shooters : int or array_like of int
        As in `volley_hits`.
    targets : int or array_like of int, at least 0
        How many enemies are in the zone; all unhurt.
    cover : {"open", "soft", "hard"} or array_like of these
        Where they stand: it counts for the result of a hit alone.
    blind : bool
        Whether they are hidden in a wood, so that none is marked unless there is a hit (NA-4.19).

    Returns
    -------
    Salvo
        With batch broadcast(shooters, targets, cover).

    Raises
    ------
    InputError
        As `volley_hits`, or if a number of targets is negative, a cover is unknown, or the shapes do not broadcast.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> means = volley(load_rulebook("nordamerica"), 6, 4).means
    >>> print(f"{means.out:.4f} {means.wounded:.4f} {means.marked:.4f}")
    0.2863 0.3598 3.7137
    """
    rules, hits = compile_rules(rulebook), volley_hits(rulebook, shooters)
    number, where = integers("targets", targets, minimum=0), indices(cover, "cover", COVERS, "cover")
    broadcast(shooters=hits.batch, targets=number.shape, cover=where.shape)
    return fallen(rules, hits, number, where, "if_hit" if blind else "always")


def shots(
    rulebook: Rulebook,
    shooters: ArrayLike,
    targets: ArrayLike,
    weapon: ArrayLike,
    distance: ArrayLike,
    *,
    modifier: ArrayLike = 0,
    cover: ArrayLike = "open",
    quality: ArrayLike | None = None,
    when: Collection[str] = (),
    aim: str = "spread",
    order: str = "open",
) -> Salvo:
    """Return what figures do that fire one after the other, each at a target still in play.

    Parameters
    ----------
    rulebook : Rulebook
    shooters : int or array_like of int, at least 0
    targets : int or array_like of int, at least 0
        All unhurt, and all at the same distance.
    weapon, distance, modifier, cover, quality, when
        As in `fire.shot`; an unaimed shot is one with "unaimed" in `when`.
    aim : {"spread", "focus"}
        Whether each shot goes to one of the targets shot at least often so far, drawn at random, or to the same
        target until it is out.
    order : {"open", "close"}
        Whether no two targets, or all of them, stand within the distance in which a man killed marks his friends
        (NA-5.3).

    Returns
    -------
    Salvo
        With the broadcast shape of all arguments but the last three as batch.

    Raises
    ------
    InputError
        As `fire.shot`, or if a number is negative, an aim or order is unknown, or the shapes do not broadcast.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> means = shots(load_rulebook("nordamerica"), 6, 4, "musket", 20).means
    >>> print(f"{means.out:.4f} {means.wounded:.4f} {means.marked:.4f}")
    1.1492 1.0985 1.4480
    """
    for name, known, word in ((aim, AIMS, "aim"), (order, ORDERS, "order")):
        if name not in known:
            raise unknown(word, name, known, key=word)
    rules = compile_rules(rulebook)
    count, number = integers("shooters", shooters, minimum=0), integers("targets", targets, minimum=0)
    chance = shot_by(rules, weapon, distance, modifier, cover, quality, when).hit
    where = indices(cover, "cover", COVERS, "cover")
    shape = broadcast(shooters=count.shape, targets=number.shape, shot=chance.shape)
    joint = np.zeros((*shape, *(int(number.max(initial=0)) + 1,) * 3))
    count, number, chance, where = np.broadcast_arrays(count, number, chance, where)
    for place in np.ndindex(shape):
        effect = result_by(rules, where[place])
        found = _one_by_one(rules, int(count[place]), int(number[place]), float(chance[place]), effect, aim, order)
        for end, mass in found.items():
            joint[(*place, *end)] = mass
    return Salvo(joint)


def smallest_zone(
    rulebook: Rulebook,
    shooters: int,
    weapon: str,
    distance: float,
    man: ArrayLike,
    activation: ArrayLike,
    *,
    modifier: int = 0,
    cover: str = "open",
    quality: str | None = None,
    when: Collection[str] = (),
    aim: str = "spread",
    order: str = "open",
    morale: int = 0,
    all_tests: bool = False,
) -> Ints:
    """Return the smallest number of enemies in the zone from which on a volley is worth more than shots.

    Parameters
    ----------
    rulebook : Rulebook
    shooters : int
        As in `volley_hits`.
    weapon, distance, modifier, cover, quality, when, aim, order
        As in `shots`, of single shots; the cover is that of both. Beyond its reach (NA-4.16) a volley does nothing.
    man, activation : float or array_like of float
        What a man and an activation are worth, in any unit; they broadcast.
    morale : int
        The targets' modifier of morale.
    all_tests : bool
        As in `salvo.worth`.

    Returns
    -------
    ndarray of int64
        The broadcast shape of `man` and `activation`; 0 where it is not the better action for as many as 40 enemies.

    Raises
    ------
    InputError
        As `volley_hits` and `shots`.

    Examples
    --------
    Six regulars with muskets at 20 cm, a man worth 5 activations; and at 30 cm:

    >>> from wargamesim.rulebook import load_rulebook
    >>> book = load_rulebook("nordamerica")
    >>> [int(smallest_zone(book, 6, "musket", distance, man=5, activation=1)) for distance in (20, 30)]
    [17, 6]
    """
    values = np.broadcast_arrays(np.asarray(man, dtype=np.float64), np.asarray(activation, dtype=np.float64))
    if distance > rulebook.number("volley.reach"):
        return np.zeros(values[0].shape, dtype=np.int64)
    numbers = np.arange(1, MOST_TARGETS + 1)
    rules, where = compile_rules(rulebook), indices(cover, "cover", COVERS, "cover")
    mine = fallen_means(rules, volley_hits(rulebook, shooters), numbers, where, "always")
    chance = float(shot_by(rules, weapon, distance, modifier, cover, quality, when).hit)
    effect = result_by(rules, where)
    few = [_means(_one_by_one(rules, shooters, n, chance, effect, aim, order)) for n in range(1, shooters + 2)]
    # No shot reaches more targets than there are shots: from there on the means are linear in the number of targets.
    more = np.maximum(numbers - shooters, 0)[:, None] * (np.array(few[-1]) - np.array(few[-2]))
    theirs = Means(*(np.array(few)[np.minimum(numbers, shooters) - 1] + more).T)
    volleys, single = (
        worth(rulebook, each, values[0][..., None], values[1][..., None], modifier=morale, all_tests=all_tests).worth
        for each in (mine, theirs)
    )
    # Better for this number and every larger one.
    better = np.logical_and.accumulate((volleys > single + MASS_TOLERANCE)[..., ::-1], axis=-1)[..., ::-1]
    return np.where(better.any(axis=-1), better.argmax(axis=-1) + 1, 0)


def group_chance(rules: Rules, die: ArrayLike, faces: Collection[int]) -> Floats:
    """Return the chance that a shooter of a volley or of blind fire has a hit: a natural face and no misfire."""
    if rules.readings["mishaps of volleys"] == "neither":
        return chance_one_of(die, faces)
    if rules.fire.misfire_face:
        return chance_one_of(die, set(faces) - {1})
    return np.asarray((1 - _misfire(rules)) * chance_one_of(die, faces))


def group_fumble(rules: Rules, die: ArrayLike) -> Floats:
    """Return the chance that a shooter of a volley or of blind fire fumbles with a friend in his arc (NA-4.22)."""
    if rules.readings["mishaps of volleys"] != "both":
        return np.zeros(np.shape(die))
    return group_chance(rules, die, rules.fire.misses)


def _misfire(rules: Rules) -> float:
    """The chance that a firearm in the hands of the standard grade misfires."""
    guns = rules.fire.misfire[~rules.weapons.thrown, rules.grade(None)]
    return float(guns.max(initial=0.0))


def _one_by_one(
    rules: Rules, shooters: int, targets: int, chance: float, effect: Result, aim: str, order: str
) -> dict[End, float]:
    """The chances of (out, wounded, marked) after shots one by one, each with the same chance of a hit."""
    outs, killed, wounded, near = rules.result.wounds_out, *(float(part) for part in effect)
    spreads = rules.readings["spread"] == "spread"
    # Numbers of targets in play that are unharmed, nearly missed, wounded once and more: first those that this round
    # of shots has not come to, then the others.
    width = outs + 1
    now: dict[tuple[int, ...], float] = {(targets, *[0] * (2 * width - 1)): 1.0}
    for _ in range(shooters):
        after: dict[tuple[int, ...], float] = defaultdict(float)
        for state, mass in now.items():
            waiting, done = list(state[:width]), list(state[width:])
            if not any(waiting):
                waiting, done = done, waiting
            left = sum(waiting)
            if not left:
                after[state] += mass
                continue
            if aim == "focus":
                picks = [(max(i for i in range(width) if waiting[i]), 1.0)]
            else:
                picks = [(i, number / left) for i, number in enumerate(waiting) if number]
            for i, share in picks:
                marked = max(i, 1)
                elimination = marked + 1 == width
                for to, part, kill in (
                    (i, 1 - chance, False),
                    (marked, chance * near, False),
                    (marked + 1, chance * wounded, elimination and spreads),
                    (width, chance * killed, True),
                ):
                    if part:
                        end = _moved(waiting, done, i, to, stays=aim == "focus", marks=kill and order == "close")
                        after[end] += mass * share * part
        now = after
    ends: dict[End, float] = defaultdict(float)
    for state, mass in now.items():
        both = [a + b for a, b in zip(state[:width], state[width:], strict=True)]
        ends[targets - sum(both), sum(both[2:]), sum(both[1:])] += mass
    return ends


def _moved(waiting: list[int], done: list[int], i: int, to: int, *, stays: bool, marks: bool) -> tuple[int, ...]:
    """The state in which one target has gone from i to another state, or out; it has been shot at unless it `stays`."""
    before, behind = waiting.copy(), done.copy()
    before[i] -= 1
    if to < len(before):
        (before if stays else behind)[to] += 1
    if marks:
        for each in (before, behind):
            each[1] += each[0]
            each[0] = 0
    return (*before, *behind)


def _means(ends: Mapping[End, float]) -> tuple[float, ...]:
    return tuple(sum(end[axis] * mass for end, mass in ends.items()) for axis in range(3))
