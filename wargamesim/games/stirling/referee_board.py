"""The board as the referee sees it: hexes, who stands where, whose zones reach where, who is struck on which side.

Plain Python on purpose, slow and close to the wording. The compiled implementation has its own code for all of this;
neither imports the other. A hex is (q, r), as in `layout`; people are told its column and row.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from math import floor
from types import SimpleNamespace
from typing import Any

import numpy as np

from wargamesim.games.stirling import layout
from wargamesim.games.stirling.layout import LARGE, MOST_UNITS, ORDERED, ROUTED, STEP_Q, STEP_R, State
from wargamesim.games.stirling.playing import CHOICES, Play, run_hexes, walk_hexes

Hex = tuple[int, int]
Damage = tuple[int, int, int]  # dice, sides, bonus

STEPS: list[Hex] = list(zip(STEP_Q.tolist(), STEP_R.tolist(), strict=True))
DIRECTIONS = ("east", "north-east", "north-west", "west", "south-west", "south-east")
FRONT_SIDE, FLANK, REAR = range(3)
SIDE_NAMES = ("front", "flank", "rear")


def step(place: Hex, direction: int) -> Hex:
    """Return the neighbour of a hex beyond one of its hexsides.

    Examples
    --------
    >>> step((4, 2), 1), step((4, 2), 4)
    ((5, 1), (3, 3))
    """
    q, r = STEPS[direction]
    return place[0] + q, place[1] + r


def distance(one: Hex, other: Hex) -> int:
    """Return the steps from one hex to another.

    Examples
    --------
    >>> distance((0, 0), (2, 1)), distance((0, 0), (2, -1))
    (3, 2)
    """
    dq, dr = other[0] - one[0], other[1] - one[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def around(place: Hex, radius: int) -> list[Hex]:
    """Return the hexes within some steps of a hex, itself left out.

    Examples
    --------
    >>> around((0, 0), 1)
    [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)]
    """
    reach = range(-radius, radius + 1)
    near = ((place[0] + q, place[1] + r) for q in reach for r in reach)
    return [hex_ for hex_ in near if 1 <= distance(place, hex_) <= radius]


def direction_to(one: Hex, neighbour: Hex) -> int:
    """Return through which of its hexsides a hex touches a neighbour.

    Examples
    --------
    >>> direction_to((4, 2), (5, 1))
    1
    """
    return next(side for side in range(6) if step(one, side) == neighbour)


def turned(front: int, other: int) -> int:
    """Return the hexsides between two fronts, 0 to 3.

    Examples
    --------
    >>> turned(5, 1), turned(1, 4)
    (2, 3)
    """
    return min((other - front) % 6, (front - other) % 6)


def trail(place: Hex, path: tuple[int, ...]) -> list[Hex]:
    """Return the hexes that a path of directions leads through, without its start.

    Examples
    --------
    >>> trail((0, 0), (0, 5))
    [(1, 0), (1, 1)]
    """
    hexes = []
    for direction in path:
        place = step(place, direction)
        hexes.append(place)
    return hexes


def shown(place: Hex) -> str:
    """Name a hex for people, by column and row.

    Examples
    --------
    >>> shown((3, 4))
    '(5, 4)'
    """
    return f"({place[0] + place[1] // 2}, {place[1]})"


def plain(record: Any) -> SimpleNamespace:
    """Return a record's fields as ordinary numbers and lists."""
    return SimpleNamespace(**{name: record[name].tolist() for name in record.dtype.names})


class Field:
    """A field of a unit's row in the state, read and written as an ordinary integer."""

    def __init__(self, column: int) -> None:
        self._column = column

    def __get__(self, unit: Unit, _owner: type[Unit]) -> int:
        """Read it."""
        return int(unit.row.item(self._column))

    def __set__(self, unit: Unit, value: int) -> None:
        """Write it to the state."""
        unit.row[self._column] = value


class Unit:
    """A unit of a state: its fields are those of `layout`, in small letters, and what is written goes to the state."""

    side, status, q, r = Field(layout.SIDE), Field(layout.STATUS), Field(layout.Q), Field(layout.R)
    front, men, men0, left = Field(layout.FRONT), Field(layout.MEN), Field(layout.MEN0), Field(layout.LEFT)
    loss, hurt, rem, hp = Field(layout.LOSS), Field(layout.HURT), Field(layout.REM), Field(layout.HP)
    ac, thac0, shield = Field(layout.AC), Field(layout.THAC0), Field(layout.SHIELD)
    rate_num, rate_den = Field(layout.RATE_NUM), Field(layout.RATE_DEN)
    range_short, range_medium = Field(layout.RANGE_SHORT), Field(layout.RANGE_MEDIUM)
    range_long, length, speed = Field(layout.RANGE_LONG), Field(layout.LENGTH), Field(layout.SPEED)
    traits, mov, morale, charisma = (
        Field(layout.TRAITS),
        Field(layout.MOV),
        Field(layout.MORALE),
        Field(layout.CHARISMA),
    )
    leader_morale, leader, leader_turn = (
        Field(layout.LEADER_MORALE),
        Field(layout.LEADER),
        Field(layout.LEADER_TURN),
    )
    leader_gone, commander_gone = Field(layout.LEADER_GONE), Field(layout.COMMANDER_GONE)
    routed_turn, broken_turn = Field(layout.ROUTED_TURN), Field(layout.BROKEN_TURN)
    failed_modifier, reached, moved = Field(layout.FAILED_MODIFIER), Field(layout.REACHED), Field(layout.MOVED)
    delayed, engaged, ran = Field(layout.DELAYED), Field(layout.ENGAGED), Field(layout.RAN)
    steps_made, fled, charging = Field(layout.STEPS_MADE), Field(layout.FLED), Field(layout.CHARGING)
    shot, struck_back, has_struck = Field(layout.SHOT), Field(layout.STRUCK_BACK), Field(layout.HAS_STRUCK)
    removals, outnumbered, checked = Field(layout.REMOVALS), Field(layout.OUTNUMBERED), Field(layout.CHECKED)

    def __init__(self, state: State, index: int) -> None:
        self.index, self.row = index, state.unit[index]

    @property
    def hex(self) -> Hex:
        """Where it stands, or stood when it left."""
        return self.q, self.r

    @hex.setter
    def hex(self, place: Hex) -> None:
        self.q, self.r = place

    @property
    def ahead(self) -> Hex:
        """The hex before its front."""
        return step(self.hex, self.front)

    @property
    def is_here(self) -> bool:
        """Whether it is on the board."""
        return self.status in (ORDERED, ROUTED)

    @property
    def is_ordered(self) -> bool:
        """Whether it is on the board and in order."""
        return self.status == ORDERED

    @property
    def has_missiles(self) -> bool:
        """Whether it can shoot at all."""
        return self.range_long > 0

    def has_trait(self, bit: int) -> bool:
        """Tell whether it is large, has a lance, ..."""
        return bool(self.traits & bit)

    def damage(self, *, missile: bool, large: bool) -> Damage:
        """Return the dice of one hit on a target that is large or not."""
        first = (layout.SHOT_DICE_L if large else layout.SHOT_DICE) if missile else (layout.DICE, layout.DICE_L)[large]
        dice, sides, bonus = self.row[first : first + 3].tolist()
        return dice, sides, bonus


class Board:
    """A state and the rulebook, with questions about them.

    Parameters
    ----------
    state, play : records
        See `layout` and `playing`.

    Attributes
    ----------
    units : list of Unit
        By index, those too who left the board.
    play : SimpleNamespace
        The numbers of the rulebook as ordinary ones.
    reading : dict of str to str
        The option chosen, by the names of `playing.CHOICES`.
    """

    def __init__(self, state: State, play: Play) -> None:
        self.state, self._record = state, play
        self.rows, self.cols = int(state.rows), int(state.cols)
        self.play = plain(play)
        self.reading = {field: options[int(play[field])] for field, (_, options) in CHOICES.items()}
        self.units = [Unit(state, index) for index in range(int(state.count))]
        self._lifted: Unit | None = None

    # Hexes

    def is_on_board(self, place: Hex) -> bool:
        """Tell whether there is such a hex."""
        return 0 <= place[1] < self.rows and 0 <= place[0] + place[1] // 2 < self.cols

    def at(self, place: Hex) -> list[Unit]:
        """Return the units in a hex."""
        return [unit for unit in self.here() if unit.hex == place]

    def friends_at(self, unit: Unit, place: Hex) -> list[Unit]:
        """Return the other units of its side in a hex."""
        return [other for other in self.at(place) if other.side == unit.side and other is not unit]

    def enemies_at(self, unit: Unit, place: Hex) -> list[Unit]:
        """Return the enemies in a hex."""
        return [other for other in self.at(place) if other.side != unit.side]

    # Units

    def here(self) -> list[Unit]:
        """Return all units on the board, by index."""
        return [unit for unit in self.units if unit.is_here and unit is not self._lifted]

    def enemies(self, unit: Unit) -> list[Unit]:
        """Return the enemies on the board, by index."""
        return [other for other in self.here() if other.side != unit.side]

    @contextmanager
    def lifted(self, unit: Unit) -> Iterator[None]:
        """Answer as if the unit were not there."""
        self._lifted = unit
        try:
            yield
        finally:
            self._lifted = None

    def add(self, row: np.ndarray[Any, np.dtype[np.int32]]) -> Unit:
        """Put a unit into the state, behind all others."""
        index = len(self.units)
        self.state.unit[index] = row
        self.state.count = index + 1
        self.units.append(Unit(self.state, index))
        return self.units[index]

    @property
    def is_full(self) -> bool:
        """Whether there is no room for further units in the state."""
        return len(self.units) >= MOST_UNITS

    def walk(self, unit: Unit) -> int:
        """Return how far a unit walks (hexes)."""
        return walk_hexes(self._record, unit.mov)

    def run(self, unit: Unit) -> int:
        """Return how far a unit runs (hexes)."""
        return run_hexes(self._record, unit.mov)

    def attacks(self, unit: Unit, turn: int) -> int:
        """Return the attacks of a unit in a turn (SS-2.2, SS-P04)."""
        rate, attacks = Fraction(unit.rate_num, unit.rate_den), int(self.play.attacks)
        in_a_turn = attacks * rate
        if self.reading["schedule"] == "alternate" and in_a_turn.denominator == 1:
            return attacks * (floor(turn * rate) - floor((turn - 1) * rate))
        return floor(turn * in_a_turn) - floor((turn - 1) * in_a_turn)

    # Zones of control (SS-5.6)

    def has_zone(self, unit: Unit) -> bool:
        """Tell whether a unit has a zone of control (SS-P51)."""
        return unit.is_ordered or (unit.status == ROUTED and self.reading["routed_zone"] == "as_ordered")

    def reaches(self, unit: Unit, place: Hex) -> bool:
        """Tell whether a hex is as near to a unit as its zone of control reaches."""
        return place in around(unit.hex, self.play.zone)

    def enemy_zones(self, unit: Unit) -> set[Hex]:
        """Return the hexes that are in the zone of an enemy of the unit."""
        zones = (around(enemy.hex, self.play.zone) for enemy in self.enemies(unit) if self.has_zone(enemy))
        return {place for zone in zones for place in zone}

    def is_engaged(self, unit: Unit) -> bool:
        """Tell whether a unit is engaged as things stand (SS-5.7, SS-P20)."""
        if self.reading["engaged_by_facing"] == "in_zone":
            return unit.hex in self.enemy_zones(unit)
        enemies = (enemy for enemy in self.enemies(unit) if self.has_zone(enemy))
        return any(enemy.hex == unit.ahead or enemy.ahead == unit.hex for enemy in enemies)

    def vacate(self, unit: Unit) -> None:
        """Remember that a unit left its hex in this phase by stepping back or fleeing."""
        self.state.left_by[int(self.state.vacated)] = (unit.side, *unit.hex)
        self.state.vacated += 1

    def was_left_to(self, unit: Unit, place: Hex) -> bool:
        """Tell whether an enemy left a hex in this phase by stepping back or fleeing (SS-5.7)."""
        left = self.state.left_by[: int(self.state.vacated)].tolist()
        return [1 - unit.side, *place] in left

    # Melee

    def target(self, unit: Unit) -> Unit | None:
        """Return the enemy that a unit attacks through its front: whose own front is nearest (SS-7.1, SS-6.2)."""
        enemies = self.enemies_at(unit, unit.ahead)
        toward = (unit.front + 3) % 6
        return min(enemies, key=lambda enemy: (turned(enemy.front, toward), enemy.index), default=None)

    def side_struck(self, attacker: Unit, target: Unit) -> int:
        """Return on which side a unit attacks a neighbour: FRONT_SIDE, FLANK or REAR (SS-7.2)."""
        k = turned(target.front, direction_to(target.hex, attacker.hex))
        return {0: FRONT_SIDE, 3: REAR}.get(k, FLANK)

    def is_in_melee(self, unit: Unit, enemy: Unit) -> bool:
        """Tell whether one of two neighbours, in order, has its front on the other (SS-4.4)."""
        strikes = unit.is_ordered and unit.ahead == enemy.hex
        return strikes or (enemy.is_ordered and enemy.ahead == unit.hex)

    # Shares of a shot into a melee (SS-4.4 to SS-4.6)

    def weight(self, unit: Unit) -> int:
        """Return what a unit weighs in a melee (SS-4.4a)."""
        return int(unit.men * (self.play.large_weight if unit.has_trait(LARGE) else 1))
