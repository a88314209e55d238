"""Skirmishes made by hypothesis: any table, squads, weapons, readings, numbers and doctrines, hurt figures too."""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from tests.skirmish_battles import book, options
from wargamesim.games.skirmish import layout
from wargamesim.games.skirmish.doctrine import PARAMETERS, Parameter
from wargamesim.games.skirmish.layout import (
    BLUE,
    BUILDING,
    HIDDEN,
    LEVEL,
    LOADING,
    PRONE,
    ROUNDS,
    ROUTED,
    START,
    STATUS,
    WALL,
    WEAPON,
    WET,
    WOOD,
    WOUNDS,
    State,
)
from wargamesim.games.skirmish.rules import compile_rules
from wargamesim.games.skirmish.scenario import Setup, compile_setup, restore_scenario
from wargamesim.games.skirmish.schema import AREAS, EDGES, LINES, ROLES
from wargamesim.games.skirmish.terrain import Feature, ground_of
from wargamesim.rulebook import Rulebook

Table = dict[str, Any]

# Numbers that are tried beside the shipped ones, where the rulebook has them; battles of a few figures need small ones.
NUMBERS: dict[str, list[Any]] = {
    "scale.base_diameter": [1.0, 3.0],
    "activation.cap": [0, 1, 3],
    "arson.actions": [1],
    "arson.turns": [0],
    "blind.need": [3],
    "blind.shooters": [1, 2],
    "capture.beat": [0, 1],
    "capture.figures": [1, 2],
    "command.radius": [0.0, 5.0, 40.0],
    "deck.aces": [0, 10],
    "deck.ending_joker": [1],
    "deck.extra_cards": [3],
    "deck.jokers": [0, 3],
    "evasion.turns_lost": [0, 2],
    "falls.ford": [4],
    "falls.run": [0, 4],
    "fire.modifiers.target_moved": [-2],
    "fire.moving_limit": [0.0, 8.0],
    "fire.natural_misses": [[1, 2, 3]],
    "fumble.half_angle": [0.0, 90.0, 180.0],
    "hidden.edge_depth": [0.0, 2.0],
    "hidden.spot_distance": [0.0, 40.0],
    "melee.kill_ratio": [1, 4],
    "melee.wound_lead": [0, 1],
    "misfire.at_most": [0, 3],
    "morale.modifiers.enemy_near": [-2],
    "morale.rout_at_most": [-3, 2],
    "move.ford": [0.0, 20.0],
    "rally.enemy_distance": [0.0, 15.0],
    "rally.need": [0, 2],
    "repeater.penalty": [0, -4],
    "repeater.shots": [1, 6],
    "repeater.shots_if_busy": [0, 2],
    "result.kill_at_most": [-1, 0, 6],
    "result.spread": [0.0, 30.0],
    "result.wound_at_most": [6],
    "result.wounds_out": [1, 4],
    "volley.faces": [[4, 5, 6]],
    "volley.reach": [8.0, 60.0],
    "volley.shooters": [1, 2],
}

# What befell a figure before the battle; most are well.
WELL, SHAKEN, HURT, LYING, SOAKED, EMPTY, RUNNING, HIDING, UPSTAIRS = range(9)
CONDITIONS = (*[WELL] * 8, SHAKEN, SHAKEN, HURT, LYING, SOAKED, EMPTY, RUNNING, HIDING, HIDING, UPSTAIRS, UPSTAIRS)


class Made(NamedTuple):
    """A skirmish as what it is made of, so that a failing one can be read: changes of the rules, file, conditions."""

    rulebook: str
    rules: Table
    source: Table
    befallen: list[int]

    def setup(self) -> Setup:
        """Set it up."""
        setup = compile_setup(book(self.rulebook).variant(self.rules), restore_scenario(self.source))
        for figure, condition in enumerate(self.befallen):
            _befall(setup, setup.start, figure, condition)
        return setup


@st.composite
def variants(draw: st.DrawFn, rulebook: Rulebook, squads: int) -> Table:
    """Any of the readings that so many squads can play with, and a few other numbers."""
    readings: dict[str, list[str]] = {}
    for rule, option in options(rulebook):
        if (rule, option) != ("RI-2.2", "red_black") or squads <= rulebook.number("deck.suits"):
            readings.setdefault(rule, []).append(option)
    numbers = {path: values for path, values in NUMBERS.items() if rulebook.knows(path)}
    chosen = draw(st.fixed_dictionaries({}, optional={rule: st.sampled_from(of) for rule, of in readings.items()}))
    changed = draw(st.lists(st.sampled_from(sorted(numbers)), max_size=5, unique=True))
    if "volley.shooters" in numbers:  # Squads here are too small for volleys as they are.
        changed.append("volley.shooters")
    return chosen | {path: draw(st.sampled_from(numbers[path])) for path in changed}


def _values(parameter: Parameter) -> st.SearchStrategy[Any]:
    if parameter.words:
        return st.sampled_from(parameter.words)
    if isinstance(parameter.default, bool):
        return st.booleans()
    if isinstance(parameter.default, float):
        # Distances on a small table, and the rare ones beyond it.
        return st.floats(parameter.low, min(parameter.high, 40.0)) | st.floats(parameter.low, parameter.high)
    return st.integers(int(parameter.low), min(int(parameter.high), 6))


@st.composite
def doctrines(draw: st.DrawFn) -> Table:
    """Any doctrine at all; most of them seek the enemy."""
    values = draw(st.fixed_dictionaries({}, optional={name: _values(each) for name, each in PARAMETERS.items()}))
    if draw(st.booleans()):
        values |= {"stance": "close", "charge_at": 15.0, "charge_odds": draw(st.floats(0.0, 0.4))}
    elif draw(st.booleans()):
        values |= {"volley_from": 1}
    return values


@st.composite
def features(draw: st.DrawFn, width: int, height: int, floors: bool) -> Table:
    """Any piece of terrain: areas are boxes, lines have two ends, buildings may have floors."""
    kind = draw(st.sampled_from([*AREAS, *LINES, "wood", "building"]))
    west, north = draw(st.integers(0, width - 4)), draw(st.integers(0, height - 4))
    east, south = draw(st.integers(west + 3, width)), draw(st.integers(north + 3, height))
    if kind in LINES:
        points = [[west, north], [east, south]] if draw(st.booleans()) else [[west, north + 0.5], [east, north + 0.5]]
    else:
        points = [[west, north], [east, north], [east, south], [west, south]]
    storeys = {"floors": draw(st.integers(1, 3))} if floors and kind == "building" else {}
    return {"kind": kind, "points": points, **storeys}


@st.composite
def groups(draw: st.DrawFn, rulebook: Rulebook) -> Table:
    """Any figures that the rulebook knows."""
    rules = compile_rules(rulebook)
    weapon = st.none() | st.sampled_from(rules.weapons.names)
    repeats: st.SearchStrategy[Any] = st.just(False)
    if "repeaters" in rules.features:
        repeats = st.sampled_from([False, False, True, 2])

    def thrown(name: str | None) -> bool:
        return name is not None and bool(rules.weapons.thrown[rules.weapons.names.index(name)])

    group: Table = {
        "count": draw(st.integers(1, 4)),
        "quality": draw(st.sampled_from(rules.grades.names)),
        "arm": draw(st.sampled_from(sorted(rules.arms))),
        "roles": sorted({*draw(st.lists(st.sampled_from([*ROLES, "regular", "leader"]), max_size=3))}),
    }
    for which in ("", "2"):
        name = draw(weapon)
        # A figure has at most one weapon to throw.
        if name is not None and not (which and thrown(name) and thrown(group.get("weapon"))):
            group[f"weapon{which}"], group[f"repeater{which}"] = name, draw(repeats)
            group[f"loading{which}"] = draw(st.sampled_from(rules.loadings))
    return group


@st.composite
def aims(
    draw: st.DrawFn, table: tuple[int, int], turns: int, figures: tuple[int, int], captors: int, loads: int
) -> Table:
    """Any way to win that a side can reach that has the first number of figures, against the second."""
    wins: Table = {}
    (width, height), (own, others) = table, figures
    if draw(st.booleans()):
        wins["breaks_at"] = draw(st.sampled_from([0.2, 0.5, 1.0]))
    if draw(st.integers(0, 3)) == 0:
        west, north = draw(st.integers(0, width - 10)), draw(st.integers(0, height - 10))
        place = {"west": west, "north": north, "east": west + 10, "south": north + 10}
        wins["hold"] = place | {
            "figures": draw(st.integers(1, min(2, own))),
            "turns": draw(st.integers(1, min(2, turns))),
        }
    if draw(st.integers(0, 3)) == 0:
        wins["exit"] = {"edge": draw(st.sampled_from(sorted(EDGES))), "figures": draw(st.integers(1, min(2, own)))}
        wins["exit"]["loads"] = draw(st.integers(0, loads))
    if own >= captors and draw(st.integers(0, 3)) == 0:
        wins["prisoners"] = draw(st.integers(1, min(2, others)))
    return wins


@st.composite
def skirmishes(draw: st.DrawFn, name: str) -> Made:
    """Any skirmish of a few figures by one of the rulebooks, on a table so small that all can happen."""
    squads = draw(st.tuples(st.integers(1, 3), st.integers(1, 3)))
    rules = draw(variants(book(name), sum(squads)))
    rulebook = book(name).variant(rules)
    width, height = draw(st.integers(24, 60)), draw(st.integers(24, 60))
    terrain = draw(st.lists(features(width, height, "NA-3.9" in rulebook.rules), max_size=4))
    armies = [[draw(st.lists(groups(rulebook), min_size=1, max_size=2)) for _ in range(number)] for number in squads]
    sizes = [sum(group["count"] for squad in army for group in squad) for army in armies]
    loads = draw(st.integers(0, 2)) if rulebook.knows("move.drag") else 0
    places = draw(_places(rulebook, width, height, terrain, sum(sizes) + loads))
    if draw(st.booleans()):  # The second side north of the first, or all of them mixed.
        places[: sum(sizes)] = sorted(places[: sum(sizes)], key=lambda place: -place[1])
    at = iter(places)
    sides: Table = {}
    for side, army in zip(layout.SIDES, armies, strict=True):
        listed: Table = {}
        for number, squad in enumerate(army, start=1):
            named = {f"group_{letter}": group for letter, group in zip("ab", squad, strict=False)}
            standing = [next(at) for group in squad for _ in range(group["count"])]
            listed[f"squad_{number}"] = {"facing": draw(st.integers(0, 360)), "places": standing, **named}
        home = draw(st.sampled_from(sorted(EDGES)))
        sides[side] = {"doctrine": "any", "home": home, "squads": listed}
    turns, captors = draw(st.integers(1, 8)), int(rulebook.number("capture.figures"))
    limit = draw(st.none() | st.sampled_from(layout.SIDES))
    source = {
        **dict.fromkeys(("name", "title", "terrain"), "random"),
        **{"game": "skirmish", "rulebook": name, "turns": turns},
        "table": {"width": width, "height": height},
        "terrains": {"random": terrain},
        **sides,
        "loads": [next(at) for _ in range(loads)],
        "doctrines": {side: {"any": draw(doctrines())} for side in layout.SIDES},
        "victory": {
            "first": draw(aims((width, height), turns, (sizes[0], sizes[1]), captors, loads)),
            "second": draw(aims((width, height), turns, (sizes[1], sizes[0]), captors, loads)),
            **({} if limit is None else {"at_limit": limit}),
        },
    }
    befallen = draw(st.lists(st.sampled_from(CONDITIONS), min_size=sum(sizes), max_size=sum(sizes)))
    return Made(name, rules, source, befallen)


@st.composite
def _places(
    draw: st.DrawFn, rulebook: Rulebook, width: int, height: int, terrain: list[Table], count: int
) -> list[list[float]]:
    """Places where figures can stand, in contact or apart."""
    diameter = rulebook.number("scale.base_diameter")
    drawn = tuple(Feature(each["kind"], tuple(map(tuple, each["points"]))) for each in terrain)
    what = ground_of(width, height, drawn).what
    apart = diameter * draw(st.sampled_from([1.0, 1.25, 2.0]))
    columns, rows = (0.6 + apart * np.arange(int((size - 1) / apart)) for size in (width, height))
    free = [[float(x), float(y)] for y, x in product(rows, columns) if not what[int(y), int(x)] & WALL]
    while len(free) < count:  # A wide wall may leave too little room; figures in a row then stand in the open.
        apart /= 2
        assert apart >= diameter
        columns, rows = (0.6 + apart * np.arange(int((size - 1) / apart)) for size in (width, height))
        free = [[float(x), float(y)] for y, x in product(rows, columns) if not what[int(y), int(x)] & WALL]
    return draw(st.lists(st.sampled_from(free), min_size=count, max_size=count, unique_by=tuple))


def _befall(setup: Setup, start: State, figure: int, condition: int) -> None:
    """Let a figure begin the battle in another condition, if it can be in it."""
    fields, play = start.figure, setup.play
    if condition == SHAKEN:
        fields[BLUE, figure] = 1
    elif condition == HURT and play.wounds_out > 1:
        fields[WOUNDS, figure] = fields[BLUE, figure] = 1
    elif condition == LYING and play.can_lie:
        fields[PRONE, figure] = 1
    elif condition == SOAKED and play.has_falls:
        fields[WET, figure] = 1
    elif condition == EMPTY:
        for slot in range(2):
            if fields[WEAPON + slot, figure] >= 0 and fields[START + slot, figure] > 0:
                fields[LOADING + slot, figure], fields[ROUNDS + slot, figure] = fields[START + slot, figure], 0
    elif condition == RUNNING:
        fields[STATUS, figure] = ROUTED
    elif condition == HIDING and play.has_hiding and _is_sheltered(setup, start, figure):
        fields[HIDDEN, figure] = 1
    elif condition == UPSTAIRS:
        x, y = start.place[:2, figure]
        house = setup.ground.house[int(y), int(x)]
        fields[LEVEL, figure] = int(house > 0 and setup.ground.floors[house] > 1)


def _is_sheltered(setup: Setup, start: State, figure: int) -> bool:
    """Tell whether a figure stands in a wood or building, away from all others."""
    x, y = start.place[:2, figure]
    apart = np.hypot(*(start.place[:2, : start.count] - start.place[:2, figure, None]))
    alone = np.delete(apart, figure).min(initial=np.inf) > setup.play.diameter * 1.1
    return bool(setup.ground.what[int(y), int(x)] & (WOOD | BUILDING)) and bool(alone)
