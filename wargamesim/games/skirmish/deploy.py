"""Who stands where with what before the first turn."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from wargamesim.errors import InputError, unknown
from wargamesim.games.readers import Point
from wargamesim.games.skirmish.formation import direction, formed
from wargamesim.games.skirmish.layout import (
    BLANK,
    BUILDING,
    CAPACITY,
    CAPACITY_2,
    CAPTOR,
    DRAGS,
    EVADES,
    FACE_X,
    FACE_Y,
    FREE_AIM,
    GRADE,
    HIDDEN,
    LAST_CARD,
    LAST_SQUAD,
    LEADER,
    LEVEL,
    MARINE,
    MELEE_DIE,
    OTHER_DIE,
    REGULAR,
    ROLES,
    ROUNDS,
    ROUNDS_2,
    SIDE,
    SIDES,
    SQUAD,
    START,
    START_2,
    STATE,
    WALL,
    WEAPON,
    WEAPON_2,
    WOOD,
    Ground,
    State,
    X,
    Y,
)
from wargamesim.games.skirmish.rules import Rules
from wargamesim.games.skirmish.schema import (
    EVADERS,
    LEADERS,
    Content,
    Group,
    Squad,
)
from wargamesim.records import new_record
from wargamesim.rulebook import Rulebook

# Grades that choose their targets freely (NA-4.4, and RI-4.6 where it takes that rule over).
FREE_GRADES = ("veteran", "sharpshooter")
NO_WEAPON = -1
# The arm for close combat that a thrown weapon is until it is thrown, and what its owner fights with then (NA-4.23).
THROWN_ARM, BARE_ARM = "blade", "improvised"


class Figure(NamedTuple):
    """One figure of a scenario: where it comes from in the file, its name, its place, and the floor it is on."""

    side: str
    squad: str
    group: str
    name: str
    place: Point
    floor: int

    @property
    def key(self) -> str:
        """The key of its group."""
        return f"{self.side}.squads.{self.squad}.{self.group}"


def figures_of(content: Content) -> list[Figure]:
    """Return the figures of a scenario in the order of their numbers: by side, squad and group, as written."""
    figures = []
    for side in SIDES:
        for squad_name, squad in content.army(side).squads.items():
            places = iter(_places(squad))
            for group_name, group in squad.groups.items():
                label = " ".join((side, squad_name, group_name)).replace("_", " ")
                for number in range(1, group.count + 1):
                    name = label if group.count == 1 else f"{label} {number}"
                    figures.append(Figure(side, squad_name, group_name, name, next(places), group.floor))
    return figures


def _places(squad: Squad) -> list[Point]:
    if squad.places is not None:
        return list(squad.places)
    leads = [bool({*group.roles} & {*LEADERS}) for group in squad.groups.values() for _ in range(group.count)]
    assert squad.formation is not None  # A squad has one or the other.
    return formed(squad.formation, direction(squad.facing), leads)


def check_places(content: Content, figures: list[Figure], ground: Ground, diameter: float) -> None:
    """Check that every figure and load stands on the table, where it can stand and where nobody else does.

    On another floor of a building there may be somebody at the same place.

    Raises
    ------
    InputError
        If one does not; the message names the figures and the distance.
    """
    for figure in figures:
        _check_square(figure.place, ground, figure.name, figure.key)
        _check_floor(figure, ground)
    for number, load in enumerate(content.loads, start=1):
        _check_square(load, ground, f"load {number}", "loads")
    places = np.array([figure.place for figure in figures])
    apart = np.sqrt(((places[:, None] - places) ** 2).sum(axis=2))
    floors = np.array([figure.floor for figure in figures])
    apart[(floors[:, None] != floors) | np.eye(len(figures), dtype=np.bool_)] = np.inf
    if apart.min() < diameter * (1 - 1e-9):
        one, other = (figures[index] for index in np.unravel_index(apart.argmin(), apart.shape))
        raise InputError(
            f"'{one.name}' and '{other.name}' stand {apart.min():.3g} cm apart;"
            f" their bases are {diameter:g} cm wide (scale.base_diameter)",
            key=one.key,
        )
    for figure in figures:
        if content.army(figure.side).squads[figure.squad].hidden and not _shelters(figure.place, ground, diameter):
            raise InputError(
                f"'{figure.name}' is hidden, but stands neither in a wood or building nor within {diameter:g} cm of"
                " a wall",
                key=f"{figure.side}.squads.{figure.squad}.hidden",
            )


def _check_square(place: Point, ground: Ground, name: str, key: str) -> None:
    (x, y), where = place, f"at ({place[0]:g}, {place[1]:g})"
    if not (0 <= x < ground.width and 0 <= y < ground.height):
        size = f"{ground.width:g} x {ground.height:g} cm"
        raise InputError(f"'{name}' {where} stands off the table, which is {size}", key=key)
    if ground.what[int(y), int(x)] & WALL:
        raise InputError(f"'{name}' {where} stands in a wall", key=key)


def _check_floor(figure: Figure, ground: Ground) -> None:
    if not figure.floor:
        return
    x, y = figure.place
    house = int(ground.house[int(y), int(x)])
    if not house:
        raise InputError(f"'{figure.name}' is on floor {figure.floor}, but in no building", key=f"{figure.key}.floor")
    highest = int(ground.floors[house]) - 1
    if figure.floor > highest:
        allowed = f"from 0 to {highest}" if highest else "0 alone"
        raise InputError(
            f"'{figure.name}' is on floor {figure.floor}, but the building there has {highest + 1}: {allowed}",
            key=f"{figure.key}.floor",
        )


def _shelters(place: Point, ground: Ground, reach: float) -> bool:
    """Tell whether a place is in a wood or building, or a wall is within reach."""
    (x, y), what = place, ground.what
    if what[int(y), int(x)] & (WOOD | BUILDING):
        return True
    rows, cols = np.nonzero(what & WALL)
    return bool(((cols + 0.5 - x) ** 2 + (rows + 0.5 - y) ** 2 <= reach * reach).any())


def position(content: Content, figures: list[Figure], rulebook: Rulebook, rules: Rules) -> State:
    """Lay out all figures as a record: nobody is hurt, every weapon is loaded, and no card has been drawn.

    Raises
    ------
    InputError
        If a group has a grade, weapon, close-combat arm or way of loading that the rulebook lacks, or a squad hides
        or a weapon repeats where the rulebook has no rule for it.
    """
    start = new_record(STATE)
    start.count, start.loads = len(figures), len(content.loads)
    start.dragger[:] = -1
    start.deck[LAST_SQUAD], start.deck[LAST_CARD] = -1, BLANK
    for number, load in enumerate(content.loads):
        start.load[:, number] = load
    index = squads = 0
    for side, side_name in enumerate(SIDES):
        start.fielded[side] = content.figures(side_name)
        for squad_name, squad in content.army(side_name).squads.items():
            if squad.hidden and not rulebook.knows("hidden.edge_depth"):
                raise InputError(
                    f"the rulebook '{rulebook.name}' has no hidden figures",
                    key=f"{side_name}.squads.{squad_name}.hidden",
                )
            start.squad[:, squads] = side, index, squad.figures
            face = direction(squad.facing)
            for group_name, group in squad.groups.items():
                fields = _fields(group, rulebook, rules, f"{side_name}.squads.{squad_name}.{group_name}")
                for _ in range(group.count):
                    start.place[[X, Y, FACE_X, FACE_Y], index] = *figures[index].place, *face
                    for field, value in fields.items():
                        start.figure[field, index] = value
                    start.figure[SIDE, index], start.figure[SQUAD, index] = side, squads
                    start.figure[HIDDEN, index] = squad.hidden
                    start.figure[DRAGS, index] = start.figure[CAPTOR, index] = -1
                    index += 1
            squads += 1
        start.first_squads = squads if side == 0 else start.first_squads
    start.squads = squads
    start.nearest[:] = -1
    return start


def has_floors(rulebook: Rulebook) -> bool:
    """Tell whether a rulebook knows floors other than the ground (NA-3.9)."""
    return "NA-3.9" in rulebook.rules


def _fields(group: Group, rulebook: Rulebook, rules: Rules, key: str) -> dict[int, Any]:
    """Return what a group's figures have by their numbers in the record."""
    grade = int(rules.grade(group.quality, f"{key}.quality"))
    if group.arm not in rules.arms:
        raise unknown("close-combat arm", group.arm, rules.arms, key=f"{key}.arm")
    if group.floor and not has_floors(rulebook):
        raise InputError(f"the rulebook '{rulebook.name}' has no rule for floors", key=f"{key}.floor")
    weapon, start, capacity = _weapon(group, "", grade, rulebook, rules, key)
    weapon_2, start_2, capacity_2 = _weapon(group, "2", grade, rulebook, rules, key)
    thrown = [bool(rules.weapons.thrown[each]) for each in (weapon, weapon_2) if each != NO_WEAPON]
    if thrown == [True, True]:
        raise InputError(
            f"throws '{group.weapon2}' and '{group.weapon}' too; a figure has one weapon to throw", key=f"{key}.weapon2"
        )
    is_thrown_arm = any(thrown) and group.arm == THROWN_ARM
    return {
        GRADE: grade,
        ROLES: _roles(group, rulebook),
        LEVEL: group.floor,
        MELEE_DIE: rules.arms[group.arm],
        OTHER_DIE: rules.arms[BARE_ARM if is_thrown_arm else group.arm],
        **{WEAPON: weapon, START: start, CAPACITY: capacity, ROUNDS: capacity},
        **{WEAPON_2: weapon_2, START_2: start_2, CAPACITY_2: capacity_2, ROUNDS_2: capacity_2},
    }


def _weapon(group: Group, which: str, grade: int, rulebook: Rulebook, rules: Rules, key: str) -> tuple[int, int, int]:
    """Return a weapon's index, the actions to reload it when it has been emptied, and the rounds that it holds.

    The actions are those of the shooter's grade for its way of loading (NA-5.9a to 5.9c, RI-5.9a to 5.9d) and what
    the weapon adds.
    """
    name, loading, repeater = (getattr(group, f"{what}{which}") for what in ("weapon", "loading", "repeater"))
    if name is None:
        if repeater:
            raise InputError("repeats, but there is no weapon", key=f"{key}.repeater{which}")
        return NO_WEAPON, 0, 0
    weapon = int(rules.weapon(name, f"{key}.weapon{which}"))
    if loading not in rules.loadings:
        raise unknown("way of loading", loading, rules.loadings, key=f"{key}.loading{which}")
    if repeater and "repeaters" not in rules.features:
        raise InputError(f"the rulebook '{rulebook.name}' has no repeaters", key=f"{key}.repeater{which}")
    if rules.weapons.thrown[weapon]:
        return weapon, 0, 1
    reload = rules.grades.marker[loading][grade] + rules.weapons.extra_reload[weapon]
    capacity = rulebook.number("repeater.capacity") if repeater is True else int(repeater) or 1
    return weapon, int(reload), capacity


def _roles(group: Group, rulebook: Rulebook) -> int:
    """Return the bits of a group's roles, some of which follow from its grade."""
    roles, grade = {*group.roles}, group.quality
    leads = not roles.isdisjoint(LEADERS)
    bits = {
        LEADER: leads,
        FREE_AIM: leads or grade in FREE_GRADES,
        REGULAR: "regular" in roles or grade == "regular",
        EVADES: rulebook.knows("evasion.turns_lost") and not {*roles, grade}.isdisjoint(EVADERS),
        MARINE: "marine" in roles,
    }
    return sum(bit for bit, has in bits.items() if has)
