"""Tables of Coloniale: difficult ground and its edges, heights, rivers, roads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from wargamesim.errors import InputError
from wargamesim.games.coloniale.layout import (
    AT_EDGE,
    CREST,
    DIFFICULT,
    EDGE,
    HARD,
    IN_TOWN,
    LEVEL_UNIT,
    PLAIN,
    TOWN,
    UNFORDABLE,
)
from wargamesim.games.coloniale.schema import content_of
from wargamesim.games.coloniale.terrain import clearances, ground_of, reached
from wargamesim.games.squares import along, inside


def content_with(**more: Any) -> Any:
    army = {"doctrine": "go", "units": {"line": {"arm": "infantry", "figures": 8, "at": [50, 60]}}}
    tables = {
        "name": "own",
        "title": "Own",
        "game": "coloniale",
        "table": {"width": 100, "height": 80},
        "first": army,
        "second": army,
        "doctrines": {"first": {"go": {}}, "second": {"go": {}}},
    }
    return content_of(tables | more, None)


def box(west: float, north: float, east: float, south: float) -> list[list[float]]:
    return [[west, north], [east, north], [east, south], [west, south]]


def test_shapes_cover_the_squares_whose_centre_they_hold() -> None:
    assert inside([(10, 10), (20, 10), (20, 30), (10, 30)], 100, 80).sum() == 200
    assert along([(0, 40), (100, 40)], 2.0, 100, 80).sum() == 200


def test_difficult_ground_has_edges_and_hills_have_levels() -> None:
    features = [
        {"kind": "forest", "points": box(20, 20, 40, 40)},
        {"kind": "town", "points": box(60, 20, 70, 30)},
        {"kind": "hill", "points": box(0, 50, 50, 80)},
        {"kind": "wooded_hill", "points": box(10, 60, 20, 70)},
    ]
    ground = ground_of(content_with(features=features), 3.0, 0.5)
    what = ground.what[:80, :100]
    assert ground.opaque == 1
    assert (what & DIFFICULT > 0).sum() == 20 * 20 + 10 * 10 + 10 * 10
    # Three squares from the border are the edge, the fourth is not: a frame of 20 by 20 round 14 by 14.
    forest = what[20:40, 20:40]
    assert (forest & EDGE > 0).sum() == 20 * 20 - 14 * 14
    assert (what & TOWN > 0).sum() == 100
    assert what[55, 5] // LEVEL_UNIT == 1
    assert what[65, 15] // LEVEL_UNIT == 2
    assert what[55, 5] & DIFFICULT == 0
    assert what[5, 5] == 0


def test_the_edge_follows_the_rulebook() -> None:
    content = content_with(features=[{"kind": "scrub", "points": box(20, 20, 40, 40)}])
    for edge, core in ((0.0, 20), (1.0, 18), (5.0, 10)):
        what = ground_of(content, edge, 0.5).what
        assert (what & EDGE > 0).sum() == 400 - core**2


def test_lines_and_roads() -> None:
    roads = {
        "places": {
            "gate": {"at": [0, 10]},
            "cross": {"at": [30, 10]},
            "town": {"at": [30, 50], "town": True},
            "south": {"at": [60, 80]},
        },
        "links": [["cross", "gate"], ["cross", "town"], ["south", "town"]],
    }
    features = [
        {"kind": "crest", "points": [[0, 0], [10, 10], [20, 0]]},
        {"kind": "river", "ford": "hard", "points": [[0, 60], [100, 60]]},
        {"kind": "river", "ford": "none", "points": [[0, 70], [100, 70]]},
    ]
    ground = ground_of(content_with(features=features, roads=roads, bridges=[[30, 60]]), 3.0, 0.5)
    assert ground.line_kind[: ground.lines].tolist() == [CREST, CREST, HARD, UNFORDABLE]
    assert ground.line_of[: ground.lines].tolist() == [0, 0, 1, 2]
    assert ground.node_kind[:4].tolist() == [AT_EDGE, PLAIN, IN_TOWN, AT_EDGE]
    assert ground.links[:4].tolist() == [1, 2, 2, 1]
    assert ground.link[1, :2].tolist() == [0, 2]
    assert ground.node[0].tolist() == [0.5, 10.0]
    assert ground.node[3].tolist() == [60.0, 79.5]
    assert ground.road_way[0, 2] == pytest.approx(29.5 + 40)
    assert np.allclose(ground.road_way[:4, :4], ground.road_way[:4, :4].T)


def test_what_cannot_be_drawn_is_told() -> None:
    with pytest.raises(InputError, match="this forest covers no square") as error:
        ground_of(content_with(features=[{"kind": "forest", "points": box(200, 200, 210, 210)}]), 3.0, 0.5)
    assert error.value.key == "features.1"
    zigzag = [[x, x % 2] for x in range(70)]
    with pytest.raises(InputError, match="69 straight pieces; at most 63"):
        ground_of(content_with(features=[{"kind": "crest", "points": zigzag}]), 3.0, 0.5)
    with pytest.raises(InputError, match="there are 17; a table holds at most 16"):
        ground_of(content_with(bridges=[[x, 5] for x in range(17)]), 3.0, 0.5)


def test_a_road_may_end_in_a_zone_or_at_a_fort() -> None:
    roads = {"places": {"gate": {"at": [0, 10]}, "end": {"at": [40, 10]}}, "links": [["gate", "end"]]}
    with pytest.raises(InputError, match="leads nowhere"):
        ground_of(content_with(roads=roads), 3.0, 0.5)
    ground_of(content_with(roads=roads, forts={"f": [45, 10]}), 3.0, 0.5)
    ground_of(content_with(roads=roads, zones={"z": {"west": 39, "north": 5, "east": 50, "south": 15}}), 3.0, 0.5)


def test_what_is_reached_round_a_river_that_ends() -> None:
    zones = {"z": {"west": 40, "north": 10, "east": 60, "south": 20}}
    for end, expected in ((100, []), (80, ["z"])):
        features = [{"kind": "river", "ford": "none", "points": [[0, 40], [end, 40]]}]
        assert reached(content_with(features=features, zones=zones), [(50.0, 60.0)], 2.0) == expected


def test_steps_within_the_clearance_do_not_end_in_difficult_ground() -> None:
    rng = np.random.default_rng(3)
    what = (rng.random((60, 60)) < 0.01).astype(np.uint8) * DIFFICULT
    clear = clearances(what)
    assert clear.max() > 3
    for y, x in np.argwhere(clear > 0):
        steps = int(clear[y, x])
        for angle in rng.uniform(0, 2 * np.pi, 5):
            # From the corner of the square that lies in this direction.
            px, py = x + (np.cos(angle) > 0), y + (np.sin(angle) > 0)
            ex, ey = px + steps * np.cos(angle), py + steps * np.sin(angle)
            if 0 <= ex < 60 and 0 <= ey < 60:
                assert not what[int(ey), int(ex)] & DIFFICULT
    assert (clear[what > 0] == 0).all()
    assert (clearances(np.zeros((4, 4), np.uint8)) == 255).all()
