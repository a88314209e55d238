"""Formations: who stands where in a line, a column or loose order, and which way is which."""

from __future__ import annotations

from itertools import combinations
from math import cos, dist, hypot, radians, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wargamesim.games.skirmish.formation import COMPASS, SHAPES, Formation, direction, facing, formed

NORTH, EAST = (0.0, -1.0), (1.0, 0.0)


def test_directions() -> None:
    for step, name in enumerate(COMPASS):
        assert direction(name) == direction(45.0 * step)
        assert direction(name) == pytest.approx((sin(radians(45 * step)), -cos(radians(45 * step))), abs=1e-15)
    assert direction(360.0) == direction("north")
    assert direction(30.0) == pytest.approx((0.5, -(3**0.5) / 2))


@given(st.floats(0, 360))
def test_directions_are_unit_vectors(degrees: float) -> None:
    assert hypot(*direction(degrees)) == pytest.approx(1, abs=1e-15)


def test_facings_are_names_or_degrees() -> None:
    assert facing("north_east") == "north_east"
    assert facing(90) == 90.0
    with pytest.raises(ValueError, match="unknown direction 'northeast'; did you mean 'north_east'"):
        facing("northeast")
    for wrong in (361, -1, True, None):
        with pytest.raises(ValueError, match=r"must be north, .*, or degrees from the north \(0 to 360\), not"):
            facing(wrong)


def test_a_line_stands_from_left_to_right() -> None:
    line = Formation("line", 50, 40)
    assert formed(line, NORTH, [False] * 3) == [(47.5, 40), (50, 40), (52.5, 40)]
    assert formed(line, EAST, [False] * 2) == [(50, 38.75), (50, 41.25)]
    assert formed(line, (0.0, 1.0), [False] * 2) == [(51.25, 40), (48.75, 40)]


def test_ranks_that_are_not_full_stand_in_the_middle() -> None:
    two = Formation("line", 50, 40, spacing=4.0, ranks=2)
    assert formed(two, NORTH, [False] * 5) == [(46, 40), (50, 40), (54, 40), (48, 44), (52, 44)]


def test_a_column_is_deep() -> None:
    column = Formation("column", 50, 40, spacing=4.0)
    assert formed(column, EAST, [False] * 4) == [(50, 38), (50, 42), (46, 38), (46, 42)]
    single = Formation("column", 50, 40, spacing=4.0, files=1)
    assert formed(single, NORTH, [False] * 3) == [(50, 40), (50, 44), (50, 48)]


def test_loose_order_stands_in_the_gaps() -> None:
    loose = Formation("loose", 50, 40)
    assert formed(loose, NORTH, [False] * 4) == [(47, 40), (53, 40), (50, 46), (56, 46)]
    assert formed(loose, NORTH, [False] * 5) == [(44, 40), (50, 40), (56, 40), (47, 46), (53, 46)]
    three = Formation("loose", 50, 40, ranks=3)
    assert formed(three, NORTH, [False] * 6) == [(47, 40), (53, 40), (50, 46), (56, 46), (47, 52), (53, 52)]


def test_leaders_stand_behind_the_middle() -> None:
    line = Formation("line", 50, 40, spacing=4.0)
    assert formed(line, NORTH, [True, False, False]) == [(50, 44), (48, 40), (52, 40)]
    assert formed(line, NORTH, [True, True]) == [(48, 40), (52, 40)]
    loose = Formation("loose", 50, 40, spacing=4.0, ranks=1)
    assert formed(loose, NORTH, [False, False, True]) == [(48, 40), (52, 40), (50, 44)]


@given(
    shape=st.sampled_from(list(SHAPES)),
    leads=st.lists(st.booleans(), min_size=1, max_size=30),
    spacing=st.floats(2, 8),
    deep=st.integers(1, 9),
    degrees=st.floats(0, 360),
)
def test_nobody_stands_nearer_than_the_spacing(
    shape: str, leads: list[bool], spacing: float, deep: int, degrees: float
) -> None:
    own = {"files": deep} if shape == "column" else {"ranks": deep}
    places = formed(Formation(shape, 120, 120, spacing, **own), direction(degrees), leads)
    assert len(places) == len(leads)
    assert all(dist(one, other) >= spacing * (1 - 1e-9) for one, other in combinations(places, 2))


@given(
    shape=st.sampled_from(list(SHAPES)),
    leads=st.lists(st.booleans(), min_size=1, max_size=30),
    name=st.sampled_from(["north", "east", "south", "west"]),
)
def test_a_formation_turned_round_is_its_mirror(shape: str, leads: list[bool], name: str) -> None:
    ahead = direction(name)
    one = formed(Formation(shape, 40.25, 90.5), ahead, leads)
    other = formed(Formation(shape, 79.75, 29.5), (-ahead[0], -ahead[1]), leads)
    assert other == [(120 - x, 120 - y) for x, y in one]


@pytest.mark.parametrize(
    ("shape", "own", "message"),
    [
        ("line", {"files": 2}, "a line has no `files` but `ranks`"),
        ("loose", {"files": 2}, "a loose has no `files` but `ranks`"),
        ("column", {"ranks": 2}, "a column has no `ranks` but `files`"),
    ],
)
def test_ranks_and_files_are_not_mixed_up(shape: str, own: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Formation(shape, 50, 40, **own)
