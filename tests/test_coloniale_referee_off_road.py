"""Marches off the road by the referee: legs, errors of direction, rivers, edges."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.coloniale_battles import rulebook_with, unit_of
from tests.coloniale_positions import ScriptedCourse, chances, course_of, proposal, rows, rules_of
from wargamesim.games.coloniale.layout import (
    CAVALRY,
    DRIFT_SIDE,
    DRIFTS,
    HARD,
    OFF_ROAD,
    OFF_ROAD_MARCH,
    T_LEG,
    T_MARCH,
    UNFORDABLE,
)
from wargamesim.games.coloniale.referee_column import DIE, LENGTH, MARGIN, TABLE, WATER
from wargamesim.games.coloniale.referee_march import MarchPhase

START = (128.0, 128.0)
EVERYWHERE = [(0, 0, 255, 256)]
HALF = 0.7071067811865476


def marched(dice: Any, sides: Any = (), to: Any = (228.0, 128.0), **more: Any) -> ScriptedCourse:
    """March eastward, with the dice of the legs and of the sides of errors."""
    units = [
        unit_of(0, more.pop("at", START), 4, 6, arm=more.pop("arm", 0)),
        more.pop("enemy", unit_of(1, (10.0, 250.0), 6, 6)),
    ]
    answers = {"march": [proposal(OFF_ROAD, to=to)], "drift": more.pop("drift", [])}
    course = course_of(units, {OFF_ROAD_MARCH: dice, DRIFT_SIDE: sides}, answers, **more)
    course.side = 0
    MarchPhase(course).act(0)
    return course


def march(course: ScriptedCourse) -> tuple[int, ...]:
    """Return legs after the first, x, y (cm), and how the march ended."""
    _, _, legs, x, y, _, end, *_ = rows(course, T_MARCH)[0]
    return legs, x / 1000, y / 1000, end


def test_three_further_legs_at_most() -> None:
    assert march(marched([5, 5, 5])) == (3, 188.0, 128.0, LENGTH)
    assert march(marched([5, 5, 5], arm=CAVALRY)) == (3, 218.0, 128.0, LENGTH)
    assert march(marched([5, 5], rulebook=rulebook_with({"CO-P26": "no"}))) == (2, 178.0, 128.0, LENGTH)


def test_a_one_ends_the_march() -> None:
    course = marched([5, 1])
    assert march(course) == (1, 168.0, 128.0, DIE)
    assert [row[1:6] for row in rows(course, T_LEG)] == [
        (-1, -1, 0, 158000, 128000),
        (5, 3, 0, 168000, 128000),
        (1, 0, 0, 168000, 128000),
    ]
    assert rules_of(course)[1:3] == ["CO-7.5f", "CO-7.5c"]


def test_difficult_ground_is_looked_up_where_the_unit_rolls() -> None:
    assert march(marched([2, 3, 1])) == (2, 178.0, 128.0, DIE)
    assert march(marched([2, 3], difficult=[(160, 100, 255, 150)])) == (1, 168.0, 128.0, DIE)


@pytest.mark.parametrize(
    ("difficult", "segments"),
    [
        ((), (Fraction(1, 6), Fraction(5, 36), Fraction(25, 216), Fraction(125, 216))),
        (EVERYWHERE, (Fraction(1, 2), Fraction(1, 4), Fraction(1, 8), Fraction(1, 8))),
    ],
)
def test_further_legs_have_the_chances_of_the_rules(difficult: Any, segments: tuple[Fraction, ...]) -> None:
    course = course_of([unit_of(0, START, 4, 6), unit_of(1, (10.0, 250.0), 6, 6)], difficult=difficult)

    def legs(faces: tuple[int, ...]) -> tuple[int, int]:
        course.trace.clear()
        course.told.clear()
        course.table.put(0, START)
        answers = {"march": [proposal(OFF_ROAD, to=(228.0, 128.0))]}
        course.script({OFF_ROAD_MARCH: faces[:3], DRIFT_SIDE: faces[3:]}, answers).side = 0
        MarchPhase(course).act(0)
        return rows(course, T_MARCH)[0][2], rows(course, T_LEG)[-1][3]

    seen = chances((6, 6, 6, 2, 2, 2), legs)
    assert [sum(p for (number, _), p in seen.items() if number == k) for k in range(4)] == list(segments)  # CO-11.3
    turned = [sum(p for (_, turn), p in seen.items() if turn == errors) for errors in (-3, -2, -1, 0, 1, 2, 3)]
    if difficult:  # CO-11.4
        half = [Fraction(1, 1728), Fraction(7, 864), Fraction(143, 1728)]
        assert turned == [*half, Fraction(353, 432), *reversed(half)]
    else:
        half = [Fraction(1, 1728), Fraction(11, 864), Fraction(23, 192)]
        assert turned == [*half, Fraction(317, 432), *reversed(half)]


@pytest.mark.parametrize(
    ("reading", "end"),
    [("relative", (158.0 + 10 * HALF, 128.0 + 10 * HALF + 10)), ("absolute", (158.0 + 20 * HALF, 128.0 + 20 * HALF))],
)
def test_errors_add_up_or_not(reading: str, end: tuple[float, float]) -> None:
    course = marched([4, 4, 1], [2, 2], rulebook=rulebook_with({"CO-P27": reading}))
    assert course.table.place(0) == pytest.approx(end)
    assert course.state.tally[DRIFTS] == 2


def test_left_and_right_by_the_toss() -> None:
    assert marched([4, 1], [1]).table.place(0) == pytest.approx((158.0 + 10 * HALF, 128.0 - 10 * HALF))
    assert marched([4, 4, 1], [1, 2]).table.place(0) == pytest.approx((168.0 + 10 * HALF, 128.0 - 10 * HALF))


def test_the_enemy_picks_the_side_once() -> None:
    course = marched([4, 4, 1], drift=[-1], rulebook=rulebook_with({"CO-P27": "enemy"}))
    assert course.table.place(0) == pytest.approx((158.0 + 10 * HALF, 118.0 - 10 * HALF))


@pytest.mark.parametrize("reading", ["heading", "point"])
def test_errors_put_right(reading: str) -> None:
    course = marched([4, 6, 1], [2], rulebook=rulebook_with({"CO-P28": reading}))
    x, y = 158.0 + 10 * HALF, 128.0 + 10 * HALF
    if reading == "heading":
        assert course.table.place(0) == pytest.approx((x + 10, y))
    else:
        far = ((188.0 - x) ** 2 + (128.0 - y) ** 2) ** 0.5
        assert course.table.place(0) == pytest.approx((x + 10 * (188.0 - x) / far, y + 10 * (128.0 - y) / far))


def test_the_margin_and_the_edge_of_the_table() -> None:
    assert march(marched([], enemy=unit_of(1, (173.0, 128.0), 6, 6))) == (0, 153.0, 128.0, MARGIN)
    assert march(marched([5], enemy=unit_of(1, (183.0, 128.0), 6, 6))) == (1, 163.0, 128.0, MARGIN)
    assert march(marched([], table=(150, 256))) == (0, 149.5, 128.0, TABLE)
    assert march(marched([1], table=(158.5, 256))) == (0, 158.0, 128.0, DIE), "exactly as far as it goes"


def test_rivers_hard_to_ford_cost_way_and_the_others_end_it() -> None:
    assert march(marched([1], lines=[(HARD, 0, (138.0, 100.0, 138.0, 150.0))])) == (0, 143.0, 128.0, DIE)
    assert march(marched([], lines=[(HARD, 0, (144.0, 100.0, 144.0, 150.0))])) == (0, 143.5, 128.0, WATER)
    assert march(marched([], lines=[(UNFORDABLE, 0, (138.0, 100.0, 138.0, 150.0))])) == (0, 137.5, 128.0, WATER)
    twice = [(HARD, 0, (x, 100.0, x, 150.0)) for x in (132.0, 134.0)]
    assert march(marched([1], lines=twice)) == (0, 143.0, 128.0, DIE), "one river costs once"
    two = [(HARD, number, (x, 100.0, x, 150.0)) for number, x in enumerate((130.0, 136.0))]
    assert march(marched([], lines=two)) == (0, 135.5, 128.0, WATER), "15 cm are left, but not to ford the second"


def test_a_bridge_takes_a_march_over() -> None:
    course = course_of(
        [unit_of(0, START, 4, 6), unit_of(1, (10.0, 250.0), 6, 6)],
        {OFF_ROAD_MARCH: [1]},
        {"march": [proposal(OFF_ROAD, to=(228.0, 128.0))]},
        lines=[(UNFORDABLE, 0, (138.0, 100.0, 138.0, 150.0))],
    )
    course.table.ground.bridges, course.table.ground.bridge[0] = 1, [138.0, 128.0]
    course.side = 0
    MarchPhase(course).act(0)
    assert march(course) == (0, 158.0, 128.0, DIE)


def test_a_leg_of_no_length_meets_no_river() -> None:
    rulebook = rulebook_with({"march.off_road.first": 0})
    river = [(UNFORDABLE, 0, (200.0, 100.0, 200.0, 150.0))]
    assert march(marched([5, 1], lines=river, rulebook=rulebook)) == (1, 138.0, 128.0, DIE)
