"""Shapes drawn on squares of 1 cm: areas, and lines with a width."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from wargamesim.games.readers import Point

Squares = NDArray[np.bool_]

# A line this wide (cm) leaves no gap between the squares it runs through, in whatever direction it runs.
THINNEST = 1.5


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
