"""Terrain on squares: which ones an area or a line covers, how deep a wood is, which building is which."""

from __future__ import annotations

from itertools import pairwise
from math import floor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wargamesim.errors import InputError
from wargamesim.games.skirmish.layout import (
    BUILDING,
    DIFFICULT,
    HEDGE,
    LARGEST,
    MOST_HOUSES,
    SHELTER,
    WALL,
    WATER,
    WOOD,
)
from wargamesim.games.skirmish.schema import KINDS, THINNEST, Feature
from wargamesim.games.skirmish.terrain import ground_of
from wargamesim.games.squares import along, inside

SQUARE = ((10.0, 5.0), (20.0, 5.0), (20.0, 15.0), (10.0, 15.0))


def drawing(squares: np.ndarray) -> list[str]:
    """Draw squares for people."""
    return ["".join(".#"[square] for square in row) for row in squares.astype(int)]


def test_a_triangle() -> None:
    assert drawing(inside([(0, 0), (6, 0), (0, 6)], 6, 6)) == [
        "#####.",  # the centre at (5.5, 0.5) lies on the edge, and its right side is outside
        "####..",
        "###...",
        "##....",
        "#.....",
        "......",
    ]


def test_a_hole_where_a_polygon_crosses_itself() -> None:
    bow = [(0, 0), (8, 6), (8, 0), (0, 6)]
    assert drawing(inside(bow, 8, 6)) == ["#......#", "##....##", "###..###", "###..###", "##....##", "#......#"]
    twice = [*SQUARE, *SQUARE]  # round it twice: inside by no rule of even and odd
    assert not inside(twice, 30, 20).any()


polygons = st.lists(st.tuples(st.integers(-5, 25), st.integers(-5, 25)), min_size=3, max_size=7)


@settings(max_examples=60)
@given(polygons)
def test_inside_as_counted_square_by_square(points: list[tuple[int, int]]) -> None:
    squares = inside(points, 20, 16)
    for row in range(16):
        for col in range(20):
            x, y, crossings = col + 0.5, row + 0.5, 0
            for (x1, y1), (x2, y2) in zip(points, points[1:] + points[:1], strict=True):
                if (y1 > y) != (y2 > y) and x < x1 + (x2 - x1) * (y - y1) / (y2 - y1):
                    crossings += 1
            assert squares[row, col] == crossings % 2


def test_lines_have_a_width() -> None:
    assert drawing(along([(1, 2.5), (5, 2.5)], 1.5, 6, 5)) == ["......", "......", "######", "......", "......"]
    assert drawing(along([(2, 2.5), (4, 2.5)], 1.5, 6, 5))[2] == ".####."
    assert [row.count("#") for row in drawing(along([(0, 2), (6, 2)], 2, 6, 5))] == [0, 6, 6, 0, 0]
    assert drawing(along([(2.5, 0), (2.5, 2.5), (6, 2.5)], 1.5, 6, 4)) == ["..#...", "..#...", "..####", "......"]


@settings(max_examples=60)
@given(st.lists(st.tuples(st.floats(0, 30), st.floats(0, 30)), min_size=2, max_size=4), st.floats(THINNEST, 6))
def test_a_line_covers_every_square_it_runs_through(points: list[tuple[float, float]], width: float) -> None:
    squares = along(points, width, 31, 31)
    for (x1, y1), (x2, y2) in pairwise(points):
        for share in np.linspace(0, 1, 200):
            assert squares[floor(y1 + share * (y2 - y1)), floor(x1 + share * (x2 - x1))]


def test_every_kind_has_its_bit() -> None:
    bits = {
        **{"rough": DIFFICULT, "slope": DIFFICULT, "wood": WOOD, "water": WATER},
        **{"building": BUILDING, "wall": WALL, "hedge": HEDGE},
    }
    assert bits == KINDS
    for kind, bit in bits.items():
        ground = ground_of(40, 30, (Feature(kind, SQUARE),))
        assert set(np.unique(ground.what & ~np.uint8(SHELTER))) == {0, bit}
        assert ground.plain == 0
        assert ground.opaque == (kind in ("wood", "building"))


def test_what_overlaps_counts_together() -> None:
    ground = ground_of(40, 30, (Feature("wood", SQUARE), Feature("slope", SQUARE)))
    assert set(np.unique(ground.what)) == {0, WOOD | DIFFICULT | SHELTER}
    assert (ground.what > 0).sum() == 100


def test_open_ground() -> None:
    ground = ground_of(40, 30, ())
    assert (ground.width, ground.height, ground.plain, ground.opaque) == (40, 30, 1, 0)
    assert not ground.what.any()
    assert not ground.depth.any()
    assert not ground.house.any()


def test_squares_are_by_row_and_column_and_only_on_the_table() -> None:
    ground = ground_of(40, 30, (Feature("water", ((30, 0), (99, 0), (99, 99), (30, 99))),))
    assert np.argwhere(ground.what).min(axis=0).tolist() == [0, 30]
    assert np.argwhere(ground.what).max(axis=0).tolist() == [29, 39]


def test_depth_is_how_far_the_centre_is_from_the_edge() -> None:
    ground = ground_of(40, 30, (Feature("wood", SQUARE),))
    assert ground.depth[5, 15] == 0.5
    assert ground.depth[9, 15] == 4.5
    assert ground.depth[10, 14] == 4.5
    assert ground.depth[4, 15] == 0
    assert ((ground.depth > 0) == (ground.what & WOOD > 0)).all()
    assert ground.depth.max() == 4.5


def test_a_wood_goes_on_beyond_the_table() -> None:
    ground = ground_of(40, 30, (Feature("wood", ((0, 0), (40, 0), (40, 12), (0, 12))),))
    assert ground.depth[0, 0] == 11.5
    assert ground.depth[11, 20] == 0.5
    everywhere = ground_of(40, 30, (Feature("wood", ((0, 0), (40, 0), (40, 30), (0, 30))),))
    assert (everywhere.depth[:30, :40] == LARGEST).all()
    assert not everywhere.depth[30:].any()


@settings(max_examples=20)
@given(polygons)
def test_depth_as_measured_to_every_other_square(points: list[tuple[int, int]]) -> None:
    wood = inside(points, 20, 16)
    if not wood.any() or wood.all():
        return
    ground = ground_of(20, 16, (Feature("wood", tuple(points)),))
    outside = np.argwhere(~wood)
    for row, col in np.argwhere(wood):
        nearest = np.sqrt(((outside - (row, col)) ** 2).sum(axis=1)).min()
        assert ground.depth[row, col] == pytest.approx(nearest - 0.5, rel=1e-6)


def test_shelter_is_where_a_pinned_figure_is_in_cover() -> None:
    wood = Feature("wood", ((0, 0), (3, 0), (3, 2), (0, 2)))
    house = Feature("building", ((9, 0), (12, 0), (12, 2), (9, 2)))
    wall = Feature("wall", ((2, 5.5), (4, 5.5)))
    hedge = Feature("hedge", ((8, 5.5), (10, 5.5)))
    rough = Feature("rough", ((0, 8), (12, 8), (12, 10), (0, 10)))
    ground = ground_of(12, 10, (wood, house, wall, hedge, rough))
    assert drawing(ground.what[:10, :12] & SHELTER > 0) == [
        "###......###",
        "###......###",
        "............",
        "............",
        "############",
        "#....#######",
        "############",
        "............",
        "............",
        "............",
    ]


def test_a_wall_in_a_wood_is_shelter() -> None:
    wall = Feature("wall", ((12, 9.5), (18, 9.5)))
    ground = ground_of(40, 30, (Feature("wood", SQUARE), wall))
    assert (ground.what[5:15, 10:20] & SHELTER > 0).all()


def box(x: float, y: float) -> Feature:
    return Feature("building", ((x, y), (x + 4, y), (x + 4, y + 4), (x, y + 4)))


def test_buildings_are_numbered_in_reading_order() -> None:
    ground = ground_of(40, 30, (box(20, 12), box(2, 12), box(30, 2), box(24, 16)))
    assert [int(ground.house[row, col]) for row, col in ((4, 32), (13, 3), (13, 21), (17, 25))] == [1, 2, 3, 4]
    assert ((ground.house > 0) == (ground.what & BUILDING > 0)).all()
    joined = ground_of(40, 30, (box(20, 12), box(24, 12), box(2, 2)))
    assert joined.house[13, 21] == joined.house[13, 27] == 2


def test_too_many_buildings() -> None:
    houses = tuple(box(5 * col, 5 * row) for row in range(4) for col in range(4))
    assert ground_of(40, 30, houses[:15]).house.max() == 15
    with pytest.raises(InputError, match="there are 16 separate buildings; a table holds at most 15"):
        ground_of(40, 30, houses)


def test_terrain_that_covers_nothing() -> None:
    aside = Feature("rough", ((50, 5), (60, 5), (60, 15)))
    with pytest.raises(InputError) as error:
        ground_of(40, 30, (Feature("wood", SQUARE), aside))
    assert str(error.value) == "2: this rough covers no square of the table"


def test_the_same_table_is_drawn_once() -> None:
    assert ground_of(40, 30, (Feature("wood", SQUARE),)) is ground_of(40, 30, (Feature("wood", SQUARE),))


def test_houses_are_as_high_as_their_highest_part() -> None:
    def house(west: float, floors: int | None = None) -> Feature:
        return Feature("building", ((west, 5), (west + 5, 5), (west + 5, 9), (west, 9)), floors=floors)

    ground = ground_of(60, 20, (house(5, 2), house(10, 3), house(9), house(30), house(40, 4), house(40, 2)))
    assert ground.house[6, [7, 12, 32, 42]].tolist() == [1, 1, 2, 3]
    assert ground.floors.tolist() == [1, 3, 1, 4] + [1] * (MOST_HOUSES - 4)
    assert ground_of(60, 20, ()).floors.tolist() == [1] * MOST_HOUSES
