"""Terrain drawn on squares of 1 cm."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from wargamesim.errors import InputError
from wargamesim.games.skirmish.layout import BUILDING, GROUND, HEDGE, LARGEST, MOST_HOUSES, SHELTER, WALL, WOOD, Ground
from wargamesim.games.skirmish.schema import AREAS, KINDS, Feature
from wargamesim.games.squares import THINNEST, Squares, along, inside
from wargamesim.records import new_record


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
