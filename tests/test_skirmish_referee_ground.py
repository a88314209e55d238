"""The ground as the referee sees it: places and straight ways."""

from __future__ import annotations

from math import sqrt

import pytest

from tests.skirmish_positions import ground_of
from wargamesim.games.skirmish.referee_ground import Land, is_near, length


def test_a_way_is_difficult_if_any_of_it_is() -> None:
    land = Land(ground_of(["." * 8 + ":" + "." * 20] * 10))
    assert not land.way((2.5, 5), (7.5, 5)).difficult
    assert land.way((2.5, 5), (9.5, 5)).difficult
    assert land.way((8.5, 5), (12.5, 5)).difficult
    assert land.way((8.5, 5), (12.5, 5)).rough == 0
    assert land.way((5, 5), (5, 5)).length == 0


def test_points_of_a_way_are_about_a_cm_apart() -> None:
    assert Land.points((0, 0), (2, 0)) == [(1, 0), (2, 0)]
    assert Land.points((0, 0), (0, 2.1)) == [(0, pytest.approx(0.7 * k)) for k in (1, 2, 3)]
    assert Land.points((5, 5), (5, 5)) == [(5, 5)]


def test_what_lies_on_a_border_is_near() -> None:
    assert length((1, 1), (4, 5)) == 5
    assert is_near((0, 0), (3, 4), 5)
    assert is_near((0.1, 0.2), (0.1 + sqrt(2), 0.2 + sqrt(2)), 2)
    assert not is_near((0, 0), (3, 4), 4.999)


def test_houses_by_place() -> None:
    land = Land(ground_of(["..@@", "...."], floors=3))
    assert [land.house_at(place) for place in ((1.9, 0.5), (2, 0.5), (2, 1))] == [0, 1, 0]
    assert land.is_rough((2, 0.5))
    assert land.is_building((3.9, 0.9))


def test_the_nearest_cover() -> None:
    land = Land(ground_of(["." * 20] * 5 + ["." * 10 + "=" + "." * 9] + ["." * 20] * 5))
    # A wall is none itself; the squares around it are.
    assert not land.is_cover_square(10, 5)
    assert land.is_cover_square(11, 6)
    assert land.to_cover((5.5, 5.5)) == 4
    assert Land(ground_of()).to_cover((5, 5)) == float("inf")
