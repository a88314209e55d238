"""A rulebook of the skirmish game as arrays: what differs between its rulebooks is data, and features they may lack."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wargamesim.errors import InputError, unknown
from wargamesim.rulebook import Rulebook

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

OPEN, SOFT, HARD = range(3)
COVERS = ("open", "soft", "hard")

# A rulebook has a feature if it has this number.
FEATURES = {
    "misfires": "misfire.die",
    "fumbles": "fumble.half_angle",
    "volleys": "volley.die",
    "blind fire": "blind.die",
    "shots before close combat": "melee_shot.die",
    "tests of runners and waders": "falls.die",
    "arson": "arson.die",
    "repeaters": "repeater.shots",
    "squad cards with aces and jokers": "deck.aces",
    "cards of suits with jokers": "deck.suits",
}

# What a reading is about: its rule in the rulebooks that have it, and what holds in those that have not.
READINGS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "whose card": (("NA-2.2",), "per_squad"),
    "void aces": (("NA-2.4",), "just_before"),
    "void jokers": (("NA-2.5",), "ace_only"),
    "last card": (("NA-2.6",), "resolved"),
    "colours": (("RI-2.2",), "back"),
    "unowned cards": (("RI-2.3",), "removed"),
    "card values": (("RI-2.5d",), "shares"),
    "first joker": (("RI-2.6",), "none"),
    "ending joker": (("RI-2.7",), "always"),
    "twice on a card": (("RI-2.9",), "once_a_card"),
    "reload steps": (("RI-3.10",), "chain"),
    "snap": (("RI-3.11a",), "optional"),
    "misfire": (("NA-4.2",), "die"),
    "misfire marker": (("NA-4.3",), "full"),
    "fire die": (("NA-4.5", "RI-4.2"), "by_weapon"),
    "fire into a melee": (("RI-4.7",), "allowed"),
    "threshold": (("NA-4.11",), "ge"),
    "top face": (("NA-4.13", "RI-4.4"), "no_automatic_hit"),
    "blind": (("NA-4.15",), "per_shooter"),
    "allocation": (("NA-4.21",), "replace"),
    "mishaps of volleys": (("NA-4.22",), "misfire"),
    "thrown": (("NA-4.23",), "lost"),
    "columns": (("RI-T.6",), "upto"),
    "spread": (("NA-5.7", "RI-5.7"), "no_spread"),
    "repeater penalty": (("RI-6.2",), "flat"),
    "several against one": (("NA-7.12", "RI-7.8"), "single_roll"),
    "capture": (("NA-7.14", "RI-7.10"), "capture_first"),
    "melee shot": (("NA-7.17",), "ge5_minus2"),
    "failed test": (("RI-8.1",), "costs_activation"),
    "arson": (("NA-9.2",), "restart"),
}


class Weapons(NamedTuple):
    """The weapons by index [w], their range bands by [w, band]; bands that a weapon has not are padding.

    Distances are cm. ``up_to`` is infinite in the padding, ``reach`` the largest distance at which the weapon fires.
    """

    names: tuple[str, ...]
    die: Ints
    thrown: Bools
    extra_reload: Ints
    up_to: Floats
    need: Ints
    reach: Floats


class Grades(NamedTuple):
    """The grades of figures by index [g], from the worst to the best; the middle one is the standard.

    ``marker[loading][g]`` is the number of actions to reload.
    """

    names: tuple[str, ...]
    snap: Ints
    to_hit: Ints
    melee: Ints
    morale: Ints
    melee_fire: Ints
    marker: Mapping[str, Ints]

    @property
    def standard(self) -> str:
        """The middle grade, whose modifiers are all zero in the shipped rulebooks."""
        return self.names[len(self.names) // 2]


class Fire(NamedTuple):
    """How a shot is rolled.

    ``die[w, g]`` is the die of weapon w in the hands of grade g, ``misfire[w, g]`` the chance that the shot is a
    misfire, ``misfire_face`` whether a natural 1 of the shot's own die is what misfires.
    """

    die: Ints
    misfire: Floats
    misfire_face: bool
    misses: tuple[int, ...]
    strict: bool
    top_face_hits: bool
    modifiers: Mapping[str, int]


class Result(NamedTuple):
    """What a hit does: the die, what cover [3] adds, the limits, and the wounds that put a figure out."""

    die: int
    cover: Ints
    kill_at_most: int
    wound_at_most: int
    wounds_out: int
    falls: bool


class Rules(NamedTuple):
    """What the exact answers read of a rulebook, in arrays; `readings` is by the names of `READINGS`."""

    features: frozenset[str]
    readings: Mapping[str, str]
    weapons: Weapons
    grades: Grades
    fire: Fire
    result: Result
    loadings: tuple[str, ...]
    snap_die: int
    arms: Mapping[str, int]
    melee_modifiers: Mapping[str, int]
    morale_modifiers: Mapping[str, int]

    def weapon(self, name: ArrayLike, key: str = "weapon") -> Ints:
        """Return the indices of weapons, the shape of `name`."""
        return indices(name, "weapon", self.weapons.names, key)

    def grade(self, name: ArrayLike | None, key: str = "quality") -> Ints:
        """Return the indices of grades, the shape of `name`; of the standard grade for None."""
        return indices(self.grades.standard if name is None else name, "grade", self.grades.names, key)


def compile_rules(rulebook: Rulebook) -> Rules:
    """Read a rulebook of the skirmish game.

    Parameters
    ----------
    rulebook : Rulebook
        With any variants applied.

    Raises
    ------
    InputError
        If the range bands of a weapon do not increase, or its die is not one that can be shifted by a step.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> rules = compile_rules(load_rulebook("risorgimento"))
    >>> rules.grades.names, rules.grades.standard, rules.loadings
    (('militia', 'conscript', 'veteran'), 'conscript', ('muzzle', 'breech'))
    """
    number = rulebook.number
    features = frozenset(name for name, path in FEATURES.items() if rulebook.knows(path))
    readings = {topic: _reading(rulebook, *where) for topic, where in READINGS.items()}
    weapons, grades = _weapons(rulebook), _grades(rulebook)
    return Rules(
        features=features,
        readings=readings,
        weapons=weapons,
        grades=grades,
        fire=_fire(rulebook, features, readings, weapons, grades),
        result=Result(
            die=number("result.die"),
            cover=np.array([0, number("result.soft_cover"), number("result.hard_cover")], dtype=np.int64),
            kill_at_most=number("result.kill_at_most"),
            wound_at_most=number("result.wound_at_most"),
            wounds_out=number("result.wounds_out"),
            falls=number("result.wounded_falls"),
        ),
        loadings=tuple(grades.marker),
        snap_die=number("snap.die"),
        arms=_group(rulebook, "melee.arms"),
        melee_modifiers=_group(rulebook, "melee.modifiers"),
        morale_modifiers=_group(rulebook, "morale.modifiers"),
    )


def require(rules: Rules, feature: str, rulebook: Rulebook) -> None:
    """Check that a rulebook has a feature.

    Raises
    ------
    InputError
        If it has not; the message lists those it has.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> book = load_rulebook("nordamerica")
    >>> require(compile_rules(book), "volleys", book)
    """
    if feature not in rules.features:
        raise InputError(f"the rulebook '{rulebook.name}' has no {feature}; it has {', '.join(sorted(rules.features))}")


def indices(name: ArrayLike, kind: str, known: tuple[str, ...], key: str) -> Ints:
    """Return the indices of names, the shape of `name`.

    Raises
    ------
    InputError
        If a name is not known; the message has the nearest one and all of them.

    Examples
    --------
    >>> indices(["soft", "open"], "cover", COVERS, "cover")
    array([1, 0])
    """
    names = np.asarray(name, dtype=np.str_)
    for each in names.flat:
        if each not in known:
            raise unknown(kind, each, known, key=key)
    return np.array([known.index(each) for each in names.flat], dtype=np.int64).reshape(names.shape)


def summed(modifiers: Mapping[str, int], when: Collection[str], key: str) -> int:
    """Return the sum of the named modifiers.

    Raises
    ------
    InputError
        If a name is not one of the rulebook's modifiers, or stands there twice.

    Examples
    --------
    >>> summed({"blue": -1, "charge": 1, "prone": -2}, ["blue", "prone"], "when")
    -3
    """
    names = [when] if isinstance(when, str) else list(when)
    for name in names:
        if name not in modifiers:
            raise unknown("circumstance", name, modifiers, key=key)
        if names.count(name) > 1:
            raise InputError(f"'{name}' stands there twice", key=key)
    return sum(modifiers[name] for name in names)


def _reading(rulebook: Rulebook, ids: tuple[str, ...], otherwise: str) -> str:
    return next((rulebook.reading(rule_id) for rule_id in ids if rule_id in rulebook.readings), otherwise)


def _number(rulebook: Rulebook, path: str, otherwise: Any) -> Any:
    return rulebook.number(path) if rulebook.knows(path) else otherwise


def _group(rulebook: Rulebook, prefix: str) -> dict[str, Any]:
    """Return the numbers right below a path, by their last name, in the order of the rulebook."""
    paths = (path for path in rulebook.numbers if path.startswith(f"{prefix}."))
    return {path.removeprefix(f"{prefix}."): rulebook.number(path) for path in paths}


def _members(rulebook: Rulebook, prefix: str) -> tuple[str, ...]:
    """Return the names of the groups right below a path, in the order of the rulebook."""
    return tuple(dict.fromkeys(path.split(".")[1] for path in rulebook.numbers if path.startswith(f"{prefix}.")))


def _weapons(rulebook: Rulebook) -> Weapons:
    names = _members(rulebook, "weapons")
    bands = [list(_bands(rulebook, name)) for name in names]
    most = max(map(len, bands))
    up_to, need = np.full((len(names), most), np.inf), np.zeros((len(names), most), dtype=np.int64)
    for row, each in enumerate(bands):
        up_to[row, : len(each)], need[row, : len(each)] = zip(*each, strict=True)
    last = [each[-1][0] for each in bands]

    def every(what: str, otherwise: Any) -> list[Any]:
        return [_number(rulebook, f"weapons.{name}.{what}", otherwise) for name in names]

    return Weapons(
        names=names,
        die=np.array([rulebook.number(f"weapons.{name}.die") for name in names], dtype=np.int64),
        thrown=np.array(every("thrown", False), dtype=np.bool_),
        extra_reload=np.array(every("extra_reload", 0), dtype=np.int64),
        up_to=up_to,
        need=need,
        reach=np.minimum(last, every("reach", np.inf)),
    )


def _bands(rulebook: Rulebook, weapon: str) -> Iterator[tuple[float, int]]:
    before = -1.0
    for i in count(1):
        path = f"weapons.{weapon}.band{i}"
        if not rulebook.knows(f"{path}.up_to"):
            return
        up_to = rulebook.number(f"{path}.up_to")
        if up_to <= before:
            raise InputError(
                f"must be more than the band before it ({before:g} cm), not {up_to:g}", key=f"{path}.up_to"
            )
        yield up_to, rulebook.number(f"{path}.need")
        before = up_to


def _grades(rulebook: Rulebook) -> Grades:
    names = _members(rulebook, "quality")

    def every(what: str) -> Ints:
        return np.array([rulebook.number(f"quality.{name}.{what}") for name in names], dtype=np.int64)

    loadings = [what.removeprefix("marker_") for what in _group(rulebook, f"quality.{names[0]}") if "marker_" in what]
    return Grades(
        names=names,
        snap=every("snap"),
        to_hit=every("to_hit"),
        melee=every("melee"),
        morale=every("morale"),
        melee_fire=np.array([_number(rulebook, f"melee_fire.{name}", 0) for name in names], dtype=np.int64),
        marker={loading: every(f"marker_{loading}") for loading in loadings},
    )


def _fire(
    rulebook: Rulebook, features: frozenset[str], readings: Mapping[str, str], weapons: Weapons, grades: Grades
) -> Fire:
    die = _fire_die(rulebook, readings["fire die"], weapons, grades)
    natural_one = "misfires" in features and readings["misfire"] == "natural_one"
    misfire = np.zeros(die.shape)
    if natural_one:
        misfire = 1 / die
    elif "misfires" in features:
        sides, at_most = rulebook.number("misfire.die"), rulebook.number("misfire.at_most")
        more = np.array([_number(rulebook, f"misfire.{name}", 0) for name in grades.names])
        misfire = np.broadcast_to(np.minimum(at_most + more, sides) / sides, die.shape)
    return Fire(
        die=die,
        misfire=np.where(weapons.thrown[:, None], 0.0, misfire),
        misfire_face=natural_one,
        misses=rulebook.number("fire.natural_misses"),
        strict=readings["threshold"] == "strict",
        top_face_hits=readings["top face"] == "top_face_hits",
        modifiers=_group(rulebook, "fire.modifiers"),
    )


def _fire_die(rulebook: Rulebook, reading: str, weapons: Weapons, grades: Grades) -> Ints:
    shape = (len(weapons.names), len(grades.names))
    if reading == "by_quality":
        by_grade = [rulebook.number(f"quality.{name}.fire_die") for name in grades.names]
        return np.broadcast_to(np.array(by_grade, dtype=np.int64), shape)
    if reading == "by_weapon":
        return np.broadcast_to(weapons.die[:, None], shape)
    steps = rulebook.number("fire.dice")
    for name, die in zip(weapons.names, weapons.die.tolist(), strict=True):
        if die not in steps:
            dice = ", ".join(map(str, steps))
            raise InputError(f"a die of {die} sides has no step (fire.dice: {dice})", key=f"weapons.{name}.die")
    shift = [rulebook.number(f"quality.{name}.die_shift") for name in grades.names]
    step = np.searchsorted(steps, weapons.die)[:, None] + np.array(shift)
    return np.asarray(np.array(steps, dtype=np.int64)[np.clip(step, 0, len(steps) - 1)])
