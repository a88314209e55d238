"""The ground as the referee sees it: what a place (x, y in cm) is, and what a straight way leads through."""

from __future__ import annotations

from functools import cached_property
from math import ceil, inf, sqrt
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from wargamesim.games.skirmish.layout import BUILDING, DIFFICULT, HEDGE, WALL, WATER, WOOD, Ground

Place = tuple[float, float]

# Room for rounding in sums of floats, so that what lies exactly on a border lies inside.
MORE, LESS = 1 + 1e-9, 1 - 1e-9


class Way(NamedTuple):
    """A straight way: its length, what it leads through, and the share of its steps that are difficult."""

    length: float
    difficult: bool
    water: bool
    rough: float


def plain(record: Any) -> SimpleNamespace:
    """Return a record's fields as ordinary numbers and lists."""
    return SimpleNamespace(**{name: record[name].tolist() for name in record.dtype.names})


def length(place: Place, other: Place) -> float:
    """Return the distance between two places (cm)."""
    dx, dy = other[0] - place[0], other[1] - place[1]
    return sqrt(dx * dx + dy * dy)


def is_near(place: Place, other: Place, radius: float) -> bool:
    """Tell whether two places are within a radius of each other."""
    dx, dy = other[0] - place[0], other[1] - place[1]
    return dx * dx + dy * dy <= radius * radius * MORE


class Land:
    """A table's ground, with questions about places.

    Parameters
    ----------
    ground : record
        See `layout`.
    """

    def __init__(self, ground: Ground) -> None:
        self.what, self.depth = ground.what, ground.depth
        self.house, self.floors = ground.house, ground.floors
        self.width, self.height = float(ground.width), float(ground.height)
        self.is_opaque = bool(ground.opaque)

    def square(self, place: Place) -> int:
        """Return the bits of the square of ground at a place on the table."""
        return int(self.what[int(place[1]), int(place[0])])

    def is_wood(self, place: Place) -> bool:
        """Tell whether a place is in a wood."""
        return bool(self.square(place) & WOOD)

    def depth_at(self, place: Place) -> float:
        """Return how far inside a wood a place is (cm), 0 outside."""
        return float(self.depth[int(place[1]), int(place[0])])

    def is_building(self, place: Place) -> bool:
        """Tell whether a place is in a building."""
        return bool(self.square(place) & BUILDING)

    def house_at(self, place: Place) -> int:
        """Return the number of the building at a place, 0 outside."""
        return int(self.house[int(place[1]), int(place[0])])

    def is_rough(self, place: Place) -> bool:
        """Tell whether a place is difficult ground (NA-3.7)."""
        return bool(self.square(place) & (DIFFICULT | WOOD | BUILDING | WALL | HEDGE))

    def is_on_table(self, place: Place) -> bool:
        """Tell whether a place is inside the table's edges."""
        return 0 <= place[0] < self.width and 0 <= place[1] < self.height

    def is_cover_square(self, column: int, row: int) -> bool:
        """Tell whether a square is cover for a pinned figure: wood, building, hedge, or beside a wall or a hedge."""
        here = int(self.what[row, column])
        if here & (WOOD | BUILDING | HEDGE):
            return True
        rows = range(max(row - 1, 0), min(row + 2, ceil(self.height)))
        columns = range(max(column - 1, 0), min(column + 2, ceil(self.width)))
        beside = any(int(self.what[r, c]) & (WALL | HEDGE) for r in rows for c in columns)
        return beside and not here & WALL

    def to_cover(self, place: Place) -> float:
        """Return the distance from a place to the centre of the nearest cover square, infinite if there is none."""
        return min((length(place, (column + 0.5, row + 0.5)) for column, row in self._cover_squares), default=inf)

    @cached_property
    def _cover_squares(self) -> list[tuple[int, int]]:
        # Only what is not open, and what is beside it, can be cover.
        squares = np.argwhere(self.what[: ceil(self.height), : ceil(self.width)])
        near = {(int(c) + i, int(r) + j) for r, c in squares for i in (-1, 0, 1) for j in (-1, 0, 1)}
        return [at for at in near if self.is_on_table(at) and self.is_cover_square(*at)]

    # Ways

    @staticmethod
    def points(start: Place, end: Place) -> list[Place]:
        """Return the points that stand for a straight way, about a cm apart, without its start and with its end."""
        steps = max(1, ceil(length(start, end)))
        dx, dy = end[0] - start[0], end[1] - start[1]
        return [(start[0] + dx * k / steps, start[1] + dy * k / steps) for k in range(1, steps + 1)]

    def way(self, start: Place, end: Place) -> Way:
        """Return what a straight way leads through; its start counts for what it is, not for its share."""
        points = self.points(start, end)
        rough = [self.is_rough(point) for point in points]
        wet = any(self.square(point) & WATER for point in (start, *points))
        return Way(length(start, end), any(rough) or self.is_rough(start), bool(wet), sum(rough) / len(points))
