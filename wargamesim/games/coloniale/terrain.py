"""The table as a record: ground in squares of 1 cm, crests and rivers as lines, roads as a graph."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from wargamesim.errors import InputError
from wargamesim.games.coloniale.layout import (
    AT_EDGE,
    CREST,
    DIFFICULT,
    EDGE,
    FORDABLE,
    GROUND,
    HARD,
    IN_TOWN,
    LEVEL_UNIT,
    MOST_BRIDGES,
    MOST_LINES,
    PLAIN,
    TOWN,
    UNFORDABLE,
    Ground,
)
from wargamesim.games.coloniale.schema import DIFFICULT_AREAS, HILLS, LINES, Content, Feature
from wargamesim.games.readers import Point
from wargamesim.games.squares import THINNEST, along, inside
from wargamesim.records import new_record

HIGHEST = 3
RIVERS = {"easy": FORDABLE, "hard": HARD, "none": UNFORDABLE}
ON_EDGE = 1.0  # cm: a road that ends so near to the edge of the table leaves it
LEADS_TO = 12.0  # cm: a road that ends so near to a fort leads to it


def ground_of(content: Content, edge: float, rim: float) -> Ground:
    """Return the table of a scenario as a record.

    Parameters
    ----------
    content : Content
        The scenario.
    edge : float
        How deep in difficult ground a unit still stands on its edge, in cm (CO-2.2).
    rim : float
        How far inside the edge of the table the outermost place is, in cm.

    Raises
    ------
    InputError
        If an area covers no square, there are too many lines or bridges, or a road leads nowhere.
    """
    ground = new_record(GROUND)
    width, height = content.table.width, content.table.height
    ground.width, ground.height = width, height
    areas = tuple((number, each) for number, each in enumerate(content.features, start=1) if each.kind not in LINES)
    ground.what[:height, :width] = _squares(width, height, areas, edge)
    ground.opaque, ground.clear[:] = bool((ground.what & DIFFICULT).any()), clearances(ground.what)
    _lines(ground, content.features)
    if len(content.bridges) > MOST_BRIDGES:
        raise InputError(f"there are {len(content.bridges)}; a table holds at most {MOST_BRIDGES}", key="bridges")
    ground.bridges = len(content.bridges)
    for number, bridge in enumerate(content.bridges):
        ground.bridge[number] = bridge
    ground.forts, ground.zones = len(content.forts), len(content.zones)
    for number, fort in enumerate(content.forts.values()):
        ground.fort[number] = fort
    for number, zone in enumerate(content.zones.values()):
        ground.zone[number] = zone.west, zone.north, zone.east, zone.south
    _roads(ground, content, rim)
    return ground


@lru_cache(maxsize=64)
def _squares(width: int, height: int, areas: tuple[tuple[int, Feature], ...], edge: float) -> NDArray[np.uint8]:
    """Draw difficult ground and hills; the same drawing is made once and shared."""
    from scipy.ndimage import distance_transform_edt

    level = np.zeros((height, width), dtype=np.uint8)
    bits = np.zeros((height, width), dtype=np.uint8)
    for number, area in areas:
        covered = inside(area.points, width, height)
        if not covered.any():
            raise InputError(f"this {area.kind} covers no square of the table", key=f"features.{number}")
        if area.kind in HILLS:
            level[covered] += 1
        if area.kind in DIFFICULT_AREAS:
            bits[covered] |= DIFFICULT | (TOWN if area.kind == "town" else 0)
    difficult = bits & DIFFICULT > 0
    if difficult.any() and not difficult.all():
        bits[difficult & (distance_transform_edt(difficult) <= edge + 0.5)] |= EDGE
    drawn: NDArray[np.uint8] = bits + LEVEL_UNIT * np.minimum(level, HIGHEST)
    return drawn


def clearances(what: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return how many steps of at most 1 cm from anywhere in a square surely do not end in difficult ground.

    Parameters
    ----------
    what : uint8 array
        The bits of each square.

    Examples
    --------
    >>> clearances(np.array([[DIFFICULT, 0, 0, 0, 0]], dtype=np.uint8)).tolist()
    [[0, 0, 0, 1, 2]]
    """
    from scipy.ndimage import distance_transform_edt

    most, difficult = np.iinfo(np.uint8).max, what & DIFFICULT > 0
    if not difficult.any():
        return np.full(what.shape, most, dtype=np.uint8)
    # Points of two squares are nearer to each other than the centres by at most the diagonal, and a rounding error.
    clear: NDArray[np.uint8] = np.clip(distance_transform_edt(~difficult) - 1.5, 0, most).astype(np.uint8)
    return clear


def _lines(ground: Ground, features: Sequence[Feature]) -> None:
    """Write crests and rivers into a table piece by piece."""
    lines = [feature for feature in features if feature.kind in LINES]
    pieces = sum(len(line.points) - 1 for line in lines)
    if pieces > MOST_LINES - 1:
        raise InputError(
            f"crests and rivers have {pieces} straight pieces; at most {MOST_LINES - 1} are allowed", key="features"
        )
    for number, line in enumerate(lines):
        for start, end in pairwise(line.points):
            piece = ground.lines
            ground.line[piece] = *start, *end
            ground.line_kind[piece] = CREST if line.ford is None else RIVERS[line.ford]
            ground.line_of[piece] = number
            ground.lines += 1


def _roads(ground: Ground, content: Content, rim: float) -> None:
    """Write roads as a graph; each place has its neighbours in ascending order."""
    places, width, height = content.roads.places, content.table.width, content.table.height
    names = {name: number for number, name in enumerate(places)}
    neighbours: list[set[int]] = [set() for _ in names]
    for one, other in content.roads.links:
        neighbours[names[one]].add(names[other])
        neighbours[names[other]].add(names[one])
    ground.nodes = len(names)
    for number, (name, place) in enumerate(places.items()):
        x, y = place.at
        at_edge = min(x, y, width - x, height - y) <= ON_EDGE
        ground.node[number] = min(max(x, rim), width - rim), min(max(y, rim), height - rim)
        ground.node_kind[number] = IN_TOWN if place.town else AT_EDGE if at_edge else PLAIN
        ground.links[number] = len(neighbours[number])
        ground.link[number, : len(neighbours[number])] = sorted(neighbours[number])
        if len(neighbours[number]) == 1 and not (place.town or at_edge or _is_goal(content, place.at)):
            raise InputError(
                "this road leads nowhere: it ends here, and here is no town, fort or zone, nor the edge of the table",
                key=f"roads.places.{name}",
            )
    _road_ways(ground)


def _is_goal(content: Content, at: Point) -> bool:
    """Tell whether a place lies in a zone or at a fort."""
    x, y = at
    return any(zone.has(at) for zone in content.zones.values()) or any(
        (x - fx) ** 2 + (y - fy) ** 2 <= LEADS_TO**2 for fx, fy in content.forts.values()
    )


def _road_ways(ground: Ground) -> None:
    """Write the length of the shortest way from each place on the roads to each other one."""
    count = int(ground.nodes)
    ways = np.full((count, count), np.inf)
    np.fill_diagonal(ways, 0.0)
    for one in range(count):
        for other in ground.link[one, : ground.links[one]]:
            ways[one, other] = np.sqrt(((ground.node[one] - ground.node[other]) ** 2).sum())
    for via in range(count):
        ways = np.minimum(ways, ways[:, [via]] + ways[[via]])
    ground.road_way[:count, :count] = ways


def reached(content: Content, places: Sequence[Point], bridge: float) -> list[str]:
    """Return the zones to which some unit of a side can go from its place, round or over rivers.

    Parameters
    ----------
    content : Content
        The scenario.
    places : sequence of (x, y)
        Where the units of a side stand.
    bridge : float
        How near to a bridge a river is crossed on it, in cm (CO-2.4).
    """
    from scipy.ndimage import label

    width, height = content.table.width, content.table.height
    water = np.zeros((height, width), dtype=np.bool_)
    for feature in content.features:
        if feature.ford == "none":
            water |= along(feature.points, THINNEST, width, height)
    for at in content.bridges:
        water &= ~along((at, at), 2 * bridge + THINNEST, width, height)
    for one, other in content.roads.links:
        water &= ~along([content.roads.places[end].at for end in (one, other)], THINNEST, width, height)
    parts, _ = label(~water)
    own = {int(parts[int(y), int(x)]) for x, y in places} - {0}
    return [
        name
        for name, zone in content.zones.items()
        if own & set(parts[int(zone.north) : int(np.ceil(zone.south)), int(zone.west) : int(np.ceil(zone.east))].flat)
    ]
