"""One shot: misfire, roll to hit, result of a hit (NA-4.2 to NA-5.5, RI-4.1 to RI-5.5), and the question `hit`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from wargamesim.dice.arguments import broadcast, integer, integers
from wargamesim.dice.pools import chance_at_least, chance_one_of
from wargamesim.errors import InputError
from wargamesim.games import options as ask
from wargamesim.games.skirmish.asked import FURTHEST, MOST_MODIFIER, axes, band_ends, circumstances
from wargamesim.games.skirmish.rules import (
    COVERS,
    OPEN,
    Bools,
    Floats,
    Ints,
    Rules,
    compile_rules,
    indices,
    summed,
)
from wargamesim.rulebook import Rulebook
from wargamesim.table import Table

COVER_MODIFIERS = ("soft_cover", "hard_cover")


class Result(NamedTuple):
    """What a hit does to its target, by NA-5.1 and RI-5.1; three arrays of one shape that sum to 1."""

    killed: Floats
    wounded: Floats
    near_miss: Floats


class Shot(NamedTuple):
    """How a shot ends; arrays of one shape that sum to 1.

    `no_shot` is 1 where the target is beyond the last band, else 0. `natural_miss` is a natural face that misses
    whatever the total, which is a fumble if a friend stands in the arc (NA-4.7); `missed` is any other miss.
    """

    no_shot: Floats
    misfire: Floats
    killed: Floats
    wounded: Floats
    near_miss: Floats
    natural_miss: Floats
    missed: Floats

    @property
    def hit(self) -> Floats:
        """The chance of a hit, whatever it does (near misses are hits, too)."""
        return self.killed + self.wounded + self.near_miss

    @property
    def marked(self) -> Floats:
        """The chance that an unhurt target stays in play with a blue marker: wounded, or nearly missed."""
        return self.wounded + self.near_miss


class Roll(NamedTuple):
    """The roll of a shot; arrays of one shape. `hit` and `natural_miss` include that there was no misfire."""

    in_range: Bools
    misfire: Floats
    hit: Floats
    natural_miss: Floats


def roll(rules: Rules, weapon: Ints, grade: Ints, distance: Floats, modifier: Ints, cover: Ints) -> Roll:
    """Return the roll of shots; the arguments are indices, cm and sums of modifiers, and broadcast.

    The modifiers of grade and cover are added here.
    """
    fire, weapons = rules.fire, rules.weapons
    die = fire.die[weapon, grade]
    by_cover = np.array([0, *(fire.modifiers[name] for name in COVER_MODIFIERS)])[cover]
    total = modifier + by_cover + rules.grades.to_hit[grade]
    need = weapons.need[weapon, _band(rules, weapon, distance)] + fire.strict - total
    # A natural 1 that is the misfire is neither a hit nor a fumble.
    taken = {1} if fire.misfire_face else set()
    fires = np.where(fire.misfire_face, 1.0, 1 - fire.misfire[weapon, grade])
    hit = chance_at_least(die, need, never={*fire.misses, *taken})
    if fire.top_face_hits:
        hit = np.where(need > die, 1 / die, hit)
    natural_miss = chance_one_of(die, set(fire.misses) - taken)
    in_range = distance <= weapons.reach[weapon]
    parts = fire.misfire[weapon, grade], fires * hit, fires * natural_miss
    return Roll(in_range, *(np.where(in_range, part, 0.0) for part in parts))


def shot(
    rulebook: Rulebook,
    weapon: ArrayLike,
    distance: ArrayLike,
    *,
    modifier: ArrayLike = 0,
    cover: ArrayLike = "open",
    quality: ArrayLike | None = None,
    when: Collection[str] = (),
) -> Shot:
    """Return how a shot ends.

    Parameters
    ----------
    rulebook : Rulebook
    weapon : str or array_like of str
        Weapons of the rulebook.
    distance : float or array_like of float, at least 0
        To the target, in cm; beyond the last band the weapon cannot fire (NA-4.13, RI-T.5), which is an answer.
    modifier : int or array_like of int
        Added to the roll to hit, beside what follows.
    cover : {"open", "soft", "hard"} or array_like of these
        Where the target stands; it counts for the roll to hit and for the result of a hit.
    quality : str or array_like of str, optional
        The shooter's grade; the middle one of the rulebook when not given.
    when : collection of str
        Circumstances, by the names of the rulebook's modifiers of fire, such as "unaimed", which is for snap shots
        and for shots beside any movement (NA-3.16, NA-3.21, RI-3.12, RI-4.5a); that of a prone target does not count
        beside cover (NA-4.10d).

    Returns
    -------
    Shot
        Arrays of the broadcast shape of all arguments but `when`.

    Raises
    ------
    InputError
        If a name is unknown, a distance is negative or no number, a modifier is no integer, or the shapes do not
        broadcast.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> aimed = shot(load_rulebook("nordamerica"), ["rifle", "musket"], 30)
    >>> aimed.hit * 12, aimed.killed * 36
    (array([7., 3.]), array([7., 3.]))
    """
    rules = compile_rules(rulebook)
    return shot_by(rules, weapon, distance, modifier, cover, quality, when)


def shot_by(
    rules: Rules,
    weapon: ArrayLike,
    distance: ArrayLike,
    modifier: ArrayLike,
    cover: ArrayLike,
    quality: ArrayLike | None,
    when: Collection[str],
) -> Shot:
    """Return how a shot ends; the arguments are those of `shot`."""
    w, g = rules.weapon(weapon), rules.grade(quality)
    where, plus, far = indices(cover, "cover", COVERS, "cover"), integers("modifier", modifier), distances(distance)
    shapes = {"weapon": w, "distance": far, "modifier": plus, "cover": where, "quality": g}
    shape = broadcast(**{name: array.shape for name, array in shapes.items()})
    at_least = plus + by_circumstance(rules, when, where)
    rolled = roll(rules, w, g, far, at_least, where)
    effect = result_by(rules, where)
    effects = [rolled.hit * part for part in effect]
    missed = rolled.in_range * (1 - rolled.misfire) - rolled.hit - rolled.natural_miss
    parts = (1.0 * ~rolled.in_range, rolled.misfire, *effects, rolled.natural_miss, np.clip(missed, 0, 1))
    return Shot(*(np.broadcast_to(part, shape) for part in parts))


def by_circumstance(rules: Rules, when: Collection[str], cover: Ints) -> Ints:
    """Return the sum of the named modifiers of fire, the shape of `cover`."""
    known = {name: value for name, value in rules.fire.modifiers.items() if name not in COVER_MODIFIERS}
    total = summed(known, when, "when")
    prone = known["target_prone"] if "target_prone" in when else 0
    return np.where(cover == OPEN, total, total - prone)


def result(rulebook: Rulebook, cover: ArrayLike = "open") -> Result:
    """Return what a hit does to an unhurt target (NA-5.1 to NA-5.5, RI-5.1 to RI-5.5).

    Parameters
    ----------
    rulebook : Rulebook
    cover : {"open", "soft", "hard"} or array_like of these

    Returns
    -------
    Result
        Arrays of the shape of `cover`.

    Raises
    ------
    InputError
        If a cover is unknown.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> result(load_rulebook("nordamerica"), ["open", "hard"]).killed * 6
    array([2., 1.])
    """
    return result_by(compile_rules(rulebook), indices(cover, "cover", COVERS, "cover"))


def result_by(rules: Rules, cover: Ints) -> Result:
    """Return what a hit does, by the index of cover."""
    die, plus = rules.result.die, rules.result.cover[cover]
    killed = 1 - chance_at_least(die, rules.result.kill_at_most + 1, plus)
    near_miss = chance_at_least(die, max(rules.result.wound_at_most, rules.result.kill_at_most) + 1, plus)
    return Result(killed, np.clip(1 - killed - near_miss, 0, 1), near_miss)


def hits_to_eliminate(rulebook: Rulebook, cover: ArrayLike = "open", wounds: int = 0) -> Floats:
    """Return the mean number of hits that put a figure out of the game.

    Parameters
    ----------
    rulebook : Rulebook
    cover : {"open", "soft", "hard"} or array_like of these
    wounds : int, at least 0
        That it has already; fewer than put it out (NA-5.6).

    Returns
    -------
    ndarray of float64
        The shape of `cover`; infinite where a hit never does anything.

    Raises
    ------
    InputError
        If a cover is unknown, or the figure is already out.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> hits_to_eliminate(load_rulebook("nordamerica"), ["open", "soft"])
    array([1.92 , 2.625])
    """
    rules = compile_rules(rulebook)
    had = integer("wounds", wounds, minimum=0)
    if had >= rules.result.wounds_out:
        raise InputError(
            f"must be less than {rules.result.wounds_out}, which puts a figure out, not {had}", key="wounds"
        )
    killed, wounded, _ = result_by(rules, indices(cover, "cover", COVERS, "cover"))
    harmed = killed + wounded
    mean = np.zeros(harmed.shape)
    for _ in range(had, rules.result.wounds_out):
        mean = (1 + wounded * mean) / np.where(harmed > 0, harmed, 1.0)
    return np.where(harmed > 0, mean, np.inf)


def distances(values: ArrayLike, key: str = "distance") -> Floats:
    """Return distances as float64.

    Raises
    ------
    InputError
        If one is negative or no number.

    Examples
    --------
    >>> distances([5, 7.5])
    array([5. , 7.5])
    """
    try:
        far = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("must be numbers of cm in an array of one shape", key=key) from None
    if not (np.isfinite(far) & (far >= 0)).all():
        raise InputError("must be at least 0 cm, and finite", key=key)
    return far


def _band(rules: Rules, weapon: Ints, distance: Floats) -> Ints:
    """The index of the range band (RI-T.6); the last one where the target is too far."""
    up_to, far = rules.weapons.up_to[weapon], distance[..., None]
    last = np.isfinite(rules.weapons.up_to).sum(axis=-1)[weapon] - 1
    if rules.readings["columns"] == "upto":
        band = (up_to < far).sum(axis=-1)
    elif rules.readings["columns"] == "nearest":
        band = ((up_to[..., :-1] + up_to[..., 1:]) / 2 <= far).sum(axis=-1)
    else:
        band = (up_to <= far).sum(axis=-1) - 1
    return np.asarray(np.clip(band, 0, last))


def table(rulebook: Rulebook, options: Mapping[str, str]) -> Table:
    """Answer the question `hit`: by weapon, distance, modifier, cover and grade."""
    rules = compile_rules(rulebook)
    known = [name for name in rules.fire.modifiers if name not in COVER_MODIFIERS]
    when = circumstances(options, "when", known)
    weapons = ask.names(options, "weapon", "weapon", rules.weapons.names) or rules.weapons.names
    asked: dict[str, list[Any]] = {
        "grade": ask.names(options, "quality", "grade", rules.grades.names) or [rules.grades.standard],
        "cover": ask.names(options, "cover", "cover", COVERS) or ["open"],
        "modifier": ask.numbers(options, "modifier", "0", minimum=-MOST_MODIFIER, maximum=MOST_MODIFIER),
    }
    if "distance" in options:
        far = ask.numbers(options, "distance", "", minimum=0, maximum=FURTHEST)
        places: list[tuple[str, float]] = [(weapon, each) for weapon in weapons for each in far]
    else:
        places = [(weapon, end) for weapon in weapons for end in band_ends(rules, weapon)]
    grid = [(*place, *rest) for place in places for rest in axes(*asked.values())]
    weapon, distance, grade, cover, modifier = zip(*grid, strict=True)
    odds = shot_by(rules, weapon, distance, modifier, cover, grade, when)
    shown = [("misfire", odds.misfire)] if "misfires" in rules.features else []
    shown += [("hit", odds.hit), ("killed", odds.killed), ("wounded", odds.wounded)]
    shown += [("near miss", odds.near_miss), ("blue marker", odds.marked)]
    shown += [("fumble", odds.natural_miss)] if "fumbles" in rules.features else []
    # An axis with one value is named in the notes, not in a column.
    wide = [name for name, values in asked.items() if len(values) > 1]
    rows = []
    for i, row in enumerate(grid):
        axis = dict(zip(("grade", "cover", "modifier"), row[2:], strict=True))
        cells = [None if odds.no_shot[i] else float(part[i]) for _, part in shown]
        rows.append((*row[:2], *(axis[name] for name in wide), *cells))
    same = [f"{name} {values[0]}" for name, values in asked.items() if name not in wide]
    notes = [f"{', '.join([*same, *when]).capitalize()}. A dash: the target is too far."]
    notes.append("Blue marker: an unhurt target that stays in play is marked, by a wound or a near miss.")
    if "fumbles" in rules.features:
        notes.append("Fumble: if a friend stands in the arc; else it is a miss.")
    return Table(
        ("weapon", "distance (cm)", *wide, *(name for name, _ in shown)), rows, title="One shot", notes=tuple(notes)
    )
