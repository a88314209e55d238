"""Terrain drawn on squares of 1 cm."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from wargamesim.errors import InputError
from wargamesim.games.readers import Point
from wargamesim.games.skirmish.layout import BUILDING, GROUND, HEDGE, LARGEST, MOST_HOUSES, SHELTER, WALL, WOOD, Ground
from wargamesim.games.skirmish.schema import AREAS, KINDS, THINNEST, Feature
from wargamesim.records import new_record

Squares = NDArray[np.bool_]


def inside(points: Sequence[Point], width: int, height: int) -> Squares:
    """Tell which squares have their centre inside a polygon, by the even-odd rule.

    Parameters
    ----------
    points : sequence of (x, y)
        The corners in cm; the last is joined to the first.
    width, height : int
        The size of the table in cm.

    Returns
    -------
    ndarray of bool, shape [height, width]

    Examples
    --------
    >>> inside([(1, 0), (3, 0), (3, 2), (1, 2)], 4, 2).astype(int)
    array([[0, 1, 1, 0],
           [0, 1, 1, 0]])
    """
    x, y = np.arange(width) + 0.5, np.arange(height) + 0.5
    within = np.zeros((height, width), dtype=np.bool_)
    for (x1, y1), (x2, y2) in zip(points, [*points[1:], points[0]], strict=True):
        crossed = (y1 > y) != (y2 > y)
        if crossed.any():
            at = x1 + (x2 - x1) * (y[crossed] - y1) / (y2 - y1)
            within[crossed] ^= x < at[:, None]
    return within


def along(points: Sequence[Point], across: float, width: int, height: int) -> Squares:
    """Tell which squares have their centre within half of `across` cm of a line through points.

    Examples
    --------
    >>> along([(0, 1.5), (4, 1.5)], 1.5, 4, 3).astype(int)
    array([[0, 0, 0, 0],
           [1, 1, 1, 1],
           [0, 0, 0, 0]])
    """
    x, y = np.arange(width) + 0.5, (np.arange(height) + 0.5)[:, None]
    near = np.zeros((height, width), dtype=np.bool_)
    for (x1, y1), (x2, y2) in pairwise(points):
        dx, dy = x2 - x1, y2 - y1
        share = np.clip(((x - x1) * dx + (y - y1) * dy) / max(dx * dx + dy * dy, 1e-12), 0, 1)
        near |= (x - x1 - share * dx) ** 2 + (y - y1 - share * dy) ** 2 <= (across / 2) ** 2
    return near


@lru_cache(maxsize=64)
def ground_of(width: int, height: int, features: tuple[Feature, ...]) -> Ground:
    """Draw a table; the same table is drawn once and shared, so nobody may write on it.

    Parameters
    ----------
    width, height : int
        In cm.
    features : tuple of Feature
        What lies on it; where several overlap, all of them count.

    Raises
    ------
    InputError
        If one of them covers no square (its key is the number of the feature, from 1), or there are too many buildings.

    Examples
    --------
    >>> wood = Feature("wood", ((10, 10), (30, 10), (30, 30), (10, 30)))
    >>> ground = ground_of(60, 40, (wood,))
    >>> bool(ground.what[20, 10] & WOOD), float(ground.depth[20, 10]), float(ground.depth[20, 20])
    (True, 0.5, 9.5)
    """
    ground = new_record(GROUND)
    ground.width, ground.height = width, height
    what = ground.what[:height, :width]
    for number, feature in enumerate(features, start=1):
        if feature.kind in AREAS:
            covered = inside(feature.points, width, height)
        else:
            covered = along(feature.points, feature.width or THINNEST, width, height)
        if not covered.any():
            raise InputError(f"this {feature.kind} covers no square of the table", key=str(number))
        what[covered] |= KINDS[feature.kind]
    wood = what & WOOD > 0
    if wood.any():
        ground.depth[:height, :width] = _depth(wood)
    building = what & BUILDING > 0
    ground.floors[:] = 1
    if building.any():
        house = _houses(building)
        ground.house[:height, :width] = house
        for feature in features:
            if feature.floors is not None:
                # Features that touch are one house, as high as the highest.
                numbers = np.unique(house[inside(feature.points, width, height)])
                ground.floors[numbers] = np.maximum(ground.floors[numbers], feature.floors)
    ground.plain = not what.any()
    ground.opaque = bool((what & (WOOD | BUILDING)).any())
    if not ground.plain:
        what[_shelter(what)] |= SHELTER
    return ground


def _depth(wood: Squares) -> NDArray[np.float64]:
    """Return how far each square's centre is inside the wood; a wood goes on beyond the edge of the table."""
    from scipy.ndimage import distance_transform_edt

    if wood.all():
        return np.full(wood.shape, float(LARGEST))
    distance: NDArray[np.float64] = distance_transform_edt(wood)
    return np.where(wood, distance - 0.5, 0.0)


def _shelter(what: NDArray[np.uint8]) -> Squares:
    """Tell where a pinned figure is in cover: in a wood, building or hedge, or beside a hedge or wall but not on it."""
    from scipy.ndimage import binary_dilation

    beside: Squares = binary_dilation(what & (WALL | HEDGE) > 0, np.ones((3, 3), dtype=np.bool_))
    shelter: Squares = (what & (WOOD | BUILDING | HEDGE) > 0) | (beside & (what & WALL == 0))
    return shelter


def _houses(building: Squares) -> NDArray[np.uint8]:
    """Number the buildings from 1, in reading order; squares that touch only at a corner are two buildings."""
    from scipy.ndimage import label

    houses, number = label(building)
    most = MOST_HOUSES - 1  # 0 is no building.
    if number > most:
        raise InputError(f"there are {number} separate buildings; a table holds at most {most}")
    return np.asarray(houses, dtype=np.uint8)
