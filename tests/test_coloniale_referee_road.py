"""Marches on roads by the referee: lengths, junctions, towns, the margin around enemies."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.coloniale_battles import rulebook_with, unit_of
from tests.coloniale_positions import ScriptedCourse, chances, course_of, proposal, rows, rules_of
from wargamesim.games.coloniale.layout import (
    AT_EDGE,
    BRANCH,
    CAVALRY,
    IN_TOWN,
    INFANTRY,
    JUNCTION,
    MARCHES,
    PLAIN,
    ROAD,
    ROAD_MARCH,
    T_MARCH,
    T_NODE,
    WRONG_WAYS,
)
from wargamesim.games.coloniale.referee_column import LENGTH, MARGIN, ROAD_END, TOWN
from wargamesim.games.coloniale.referee_march import MarchPhase

FAR_ENEMY = unit_of(1, (200.0, 250.0), 6, 6)
# A crossroads at the second place: from the west to the north, the east and the south.
CROSSROADS = {
    "nodes": [
        (20.0, 100.0, PLAIN),
        (60.0, 100.0, PLAIN),
        (60.0, 40.0, PLAIN),
        (120.0, 100.0, PLAIN),
        (60.0, 160.0, PLAIN),
    ],
    "roads": [(0, 1), (1, 2), (1, 3), (1, 4)],
}


def marched(faces: Any, *answers: Any, arm: int = INFANTRY, at: Any = (30.0, 100.0), **more: Any) -> ScriptedCourse:
    """March from 10 cm on the road towards the crossroads."""
    units = [unit_of(0, at, 4, 6, arm=arm), more.pop("enemy", FAR_ENEMY)]
    setup = CROSSROADS | more
    limit = setup.pop("limit", -1.0)
    answers_of = {"march": [proposal(ROAD, node=1, limit=limit)], "branch": list(answers)}
    course = course_of(units, faces, answers_of | {"halt": setup.pop("halt", [])}, **setup)
    course.side = 0
    MarchPhase(course).act(0)
    return course


@pytest.mark.parametrize(
    ("arm", "least", "numerators"),
    [
        (INFANTRY, 30, (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)),
        (CAVALRY, 35, (1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1)),
    ],
)
def test_lengths_have_the_chances_of_the_rules(arm: int, least: int, numerators: tuple[int, ...]) -> None:
    long_road = {"nodes": [(20.0, 100.0, PLAIN), (250.0, 100.0, PLAIN)], "roads": [(0, 1)]}

    def rolled(faces: tuple[int, ...]) -> int:
        march = rows(marched({ROAD_MARCH: faces}, arm=arm, **long_road), T_MARCH)[0]
        assert march[3] == 30000 + 1000 * march[2]
        return int(march[2])

    total = sum(numerators)
    expected = {least + 5 * i: Fraction(n, total) for i, n in enumerate(numerators)}  # CO-11.1
    assert chances((6,) * (2 if arm == INFANTRY else 3), rolled) == expected


def test_the_whole_length_is_marched() -> None:
    course = marched({ROAD_MARCH: [1, 1], JUNCTION: [4]}, 3, limit=5.0)
    assert rows(course, T_MARCH) == [(0, ROAD, 30, 60000, 100000, 0, LENGTH, -1, -1, -1)]
    assert rows(course, T_NODE) == [(0, 1, -1, -1, -1, -1, -1, -1, -1, -1)], "no way left at the junction"
    assert course.state.tally[MARCHES] == 1
    free = marched({ROAD_MARCH: [1, 1]}, limit=5.0, rulebook=rulebook_with({"CO-P25": "free"}))
    assert free.table.place(0) == (35.0, 100.0)


def test_from_a_point_on_the_road_either_end_can_be_named() -> None:
    course = marched(
        {ROAD_MARCH: [1, 2]}, at=(30.0, 100.5), nodes=[(20.0, 100.0, PLAIN), (120.0, 100.0, PLAIN)], roads=[(0, 1)]
    )
    assert course.table.place(0)[0] == pytest.approx(65.0, abs=0.01)


@pytest.mark.parametrize(
    ("faces", "taken", "wrong"),
    [({JUNCTION: [4]}, 3, 0), ({JUNCTION: [5], BRANCH: [1]}, 2, 1), ({JUNCTION: [6], BRANCH: [2]}, 4, 1)],
)
def test_a_wrong_branch_is_one_of_the_others_but_not_the_way_back(faces: Any, taken: int, wrong: int) -> None:
    course = marched({ROAD_MARCH: [2, 2], **faces}, 3)
    assert rows(course, T_NODE)[0][:5] == (0, 1, faces[JUNCTION][0], 3, taken)
    assert course.state.tally[WRONG_WAYS] == wrong
    x, y = {3: (70.0, 100.0), 2: (60.0, 90.0), 4: (60.0, 110.0)}[taken]
    assert course.table.place(0) == (x, y)
    assert "CO-7.3" in rules_of(course)


@pytest.mark.parametrize(("stops", "end", "x"), [(1, TOWN, 60.0), (0, LENGTH, 70.0)])
def test_a_town_may_end_a_march(stops: int, end: int, x: float) -> None:
    nodes = [(20.0, 100.0, PLAIN), (60.0, 100.0, IN_TOWN), (120.0, 100.0, PLAIN)]
    course = marched({ROAD_MARCH: [2, 2]}, nodes=nodes, roads=[(0, 1), (1, 2)], halt=[stops])
    assert rows(course, T_MARCH)[0][3:7] == (int(x * 1000), 100000, 0, end)
    assert rows(course, T_NODE) == [(0, 1, -1, -1, -1 if stops else 2, *(-1,) * 5)], "two roads: no die"


@pytest.mark.parametrize("kind", [PLAIN, AT_EDGE])
def test_a_road_that_ends_ends_the_march(kind: int) -> None:
    course = marched({ROAD_MARCH: [6, 6]}, nodes=[(20.0, 100.0, PLAIN), (60.0, 100.0, kind)], roads=[(0, 1)])
    assert rows(course, T_MARCH)[0][2:7] == (80, 60000, 100000, 0, ROAD_END)


def test_a_march_stops_on_the_margin_around_an_enemy() -> None:
    course = marched({ROAD_MARCH: [6, 6]}, enemy=unit_of(1, (75.0, 100.0), 6, 6))
    assert rows(course, T_MARCH)[0][3:7] == (55000, 100000, 0, MARGIN)
    assert "CO-7.4" in rules_of(course)


def test_dice_of_later_junctions_are_others() -> None:
    nodes = [(20.0, 100.0, PLAIN), *((x, y, PLAIN) for x in (40.0, 60.0) for y in (100.0, 60.0)), (120.0, 100.0, PLAIN)]
    roads = [(0, 1), (1, 2), (1, 3), (3, 4), (3, 5)]
    course = marched({ROAD_MARCH: [2, 2], JUNCTION: [1, 5], BRANCH: [1]}, 3, 5, nodes=nodes, roads=roads)
    assert [key[1:3] for key in course.rolled if key[1] in (JUNCTION, BRANCH)] == [
        (JUNCTION, 0),
        (JUNCTION, 1),
        (BRANCH, 1),
    ]
    assert course.table.place(0) == (60.0, 90.0)
