"""The table as the referee sees it: sight, cover, contact, and how far a figure may go."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, inf, radians, sin, sqrt
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.skirmish_positions import RISORGIMENTO, figure, ground_of, table_of
from wargamesim.games.skirmish.layout import (
    CAPTURED,
    DEAD,
    HIDDEN,
    LEVEL,
    STATUS,
)
from wargamesim.games.skirmish.referee_ground import MORE
from wargamesim.games.skirmish.rules import HARD, OPEN, SOFT

FAR = figure(90, 50, 1)
HOUSE = ["." * 10 + "@" * 20 + "." * 10] * 20


# Sight


def sees(lines: Sequence[str], start: tuple[float, float], end: tuple[float, float], **more: Any) -> bool:
    table = table_of([figure(*start), figure(*end, 1)], ground_of(lines, depth=more.pop("depth", 0.0)), **more)
    both = {table.sees(0, 1), table.sees(1, 0)}
    assert len(both) == 1
    return both.pop()


@pytest.mark.parametrize(
    ("wood", "seen"),
    [(0, True), (4, True), (5, True), (6, False), (12, False)],
)
def test_so_much_wood_is_seen_through(wood: int, seen: bool) -> None:
    lines = ["." * 5 + "#" * wood + "." * (20 - wood)] * 3
    assert sees(lines, (2.5, 1.5), (22.5, 1.5)) is seen


def test_a_building_hides_what_is_behind_it_but_not_who_is_inside() -> None:
    house = ["." * 5 + "@" * 4 + "." * 15] * 3
    assert not sees(house, (2.5, 1.5), (15.5, 1.5))
    assert sees(house, (2.5, 1.5), (6.5, 1.5))
    assert sees(house, (8.5, 1.5), (15.5, 1.5))
    assert sees(house, (5.5, 0.5), (8.5, 2.5))
    two = ["..@@@...@@@..."] * 3
    assert sees(two, (3.5, 1.5), (9.5, 1.5))
    assert not sees(two, (0.5, 1.5), (9.5, 1.5))
    assert not sees(two, (0.5, 1.5), (12.5, 1.5))


def test_nobody_sees_deep_into_a_wood_by_one_reading() -> None:
    lines = ["#" * 40] * 20
    near, far = ((10.5, 5.5), (14.5, 5.5)), ((10.5, 5.5), (12.5, 5.5))
    only = {"changes": {"NA-6.3": "contact_only"}}
    assert sees(lines, *near, depth=6)
    assert not sees(lines, *near, depth=5.5, **only)
    assert sees(lines, *near, depth=5, **only)
    assert sees(lines, *far, depth=6, **only)


@pytest.mark.parametrize(("aside", "seen"), [(0.0, False), (0.99, False), (1.0, True), (-0.99, False), (-1.5, True)])
def test_figures_block_by_one_reading(aside: float, seen: bool) -> None:
    figures = [figure(5, 5), figure(10, 5 + aside), figure(20, 5, 1)]
    assert table_of(figures).sees(0, 2)
    assert table_of(figures, changes={"NA-1.5": "figures_too"}).sees(0, 2) is seen
    beyond = [figure(5, 5), figure(22, 5), figure(3, 5), figure(10, 5, also={STATUS: DEAD}), figure(20, 5, 1)]
    assert table_of(beyond, changes={"NA-1.5": "figures_too"}).sees(0, 4)


coordinate = st.floats(0, 29.999)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text("..:#@%=", min_size=30, max_size=30), min_size=30, max_size=30), *[coordinate] * 4)
def test_sight_is_mutual(lines: list[str], x: float, y: float, to_x: float, to_y: float) -> None:
    sees(lines, (x, y), (to_x, to_y))


# Cover


@pytest.mark.parametrize(
    ("line", "x", "cover"),
    [
        ("." * 30, 10.5, OPEN),
        ("." * 11 + "=" + "." * 18, 10.5, HARD),
        ("." * 11 + "%" + "." * 18, 10.5, SOFT),
        ("." * 11 + "%=" + "." * 17, 10.5, HARD),
        ("." * 13 + "=" + "." * 16, 10.5, OPEN),
        ("." * 9 + "=" + "." * 20, 10.5, OPEN),
        ("#" * 11 + "." * 19, 10.5, SOFT),
        ("#" * 11 + "=" + "." * 18, 10.5, HARD),
        ("@" * 11 + "." * 19, 10.5, HARD),
        ("@" * 30, 10.5, OPEN),
    ],
)
def test_cover_from_the_east(line: str, x: float, cover: int) -> None:
    table = table_of([figure(25.5, 1.5), figure(x, 1.5, 1)], ground_of([line] * 3))
    assert table.cover(0, 1) == cover


def test_cover_counts_from_one_side_only() -> None:
    wall = ground_of(["." * 11 + "=" + "." * 18] * 3)
    table = table_of([figure(25.5, 1.5), figure(2.5, 1.5), figure(10.5, 1.5, 1)], wall)
    assert (table.cover(0, 2), table.cover(1, 2)) == (HARD, OPEN)


# Contact, melees, arcs


def test_contact_is_one_base_and_no_more() -> None:
    table = table_of([figure(5, 5), figure(7, 5, 1), figure(5, 7.001, 1), figure(6, 5 + sqrt(3), 1)])
    assert table.touches(0) == [1, 3]
    assert table.touches(0, (5, 5.001)) == [2, 3]


def test_a_melee_is_all_that_hangs_together() -> None:
    chain = [figure(5, 5), figure(9, 5), figure(30, 5), figure(7, 5, 1), figure(11, 5, 1), figure(30, 9, 1)]
    table = table_of(chain)
    assert table.melee(4) == [0, 1, 3, 4]
    assert table.melee(2) == [2]


@pytest.mark.parametrize(("degrees_off", "inside"), [(0, True), (22, True), (23, False), (90, False), (180, False)])
def test_the_arc_of_fire(degrees_off: float, inside: bool) -> None:
    angle = radians(degrees_off)
    table = table_of([figure(30, 30), figure(30 + 9 * sin(angle), 30 - 9 * cos(angle)), FAR])
    assert table.is_in_arc(0, 1) is inside


def test_bits_of_observers_lie_in_two_words() -> None:
    many = [figure(1 + 3 * (i % 30), 2 + 3 * (i // 30)) for i in range(127)]
    table = table_of([*many, figure(50, 50, 1, also={HIDDEN: 1})])
    for observer in (0, 63, 64, 126):
        table.note_spotted(observer, 127)
    assert [f for f in range(127) if table.knows(f, 127)] == [0, 63, 64, 126]


def test_nobody_sees_through_a_floor() -> None:
    for one, other, seen in ((0, 0, True), (0, 1, False), (1, 1, True), (1, 0, False)):
        table = table_of([figure(15, 5, also={LEVEL: one}), figure(20, 5, 1, also={LEVEL: other})], ground_of(HOUSE))
        assert table.sees(0, 1) is table.sees(1, 0) is seen
    outside = table_of([figure(15, 5, also={LEVEL: 1}), figure(5, 5, 1)], ground_of(HOUSE))
    assert outside.sees(0, 1)


# How far


def test_a_way_through_water() -> None:
    table = table_of([figure(5, 5), FAR], ground_of(["." * 8 + "~~" + "." * 20] * 10))
    assert table.way((2.5, 5), (12.5, 5)).water
    assert table.way((8.5, 5), (12.5, 5)).water
    assert not table.way((2.5, 5), (7.5, 5)).water
    assert table.effort(0, (15, 5), False, 0) == pytest.approx(2)


@settings(max_examples=60, deadline=None)
@given(coordinate, coordinate, st.booleans())
def test_what_is_farther_costs_more(x: float, y: float, run: bool) -> None:
    table = table_of([figure(0, 0), FAR])
    effort = table.effort(0, (x, y), run, 0)
    assert effort == pytest.approx(sqrt(x * x + y * y) / (15 if run else 10))
    assert table.effort(0, (x * 1.01, y * 1.01), run, 0) >= effort


def test_no_allowance_is_no_way() -> None:
    table = table_of([figure(0, 0), FAR], changes={"move.walk": 0.0})
    assert table.effort(0, (1, 0), False, 0) == inf
    assert table.effort(0, (0, 0), False, 0) == 0 <= MORE


def test_prisoners_take_up_room_unless_they_leave_play() -> None:
    figures = [figure(5, 5), figure(9, 5, 1, also={STATUS: CAPTURED})]
    assert not table_of(figures).fits(0, (9, 5.5))
    assert table_of(figures, book=RISORGIMENTO).fits(0, (9, 5.5))
