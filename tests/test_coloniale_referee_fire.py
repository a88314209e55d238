"""Rally and fire by the referee, with dice and players by script."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.coloniale_battles import rulebook_with, unit_of
from tests.coloniale_positions import chances, course_of, rows, rules_of, shots, two
from wargamesim.games.coloniale.layout import (
    BATTERY,
    CANNON,
    CANNON_FIRE,
    DESTROYED,
    LOST_TO_CANNONS,
    LOST_TO_RIFLES,
    MARKERS_PUT,
    MARKERS_RALLIED,
    RALLY,
    RIFLE,
    RIFLE_FIRE,
    T_FIRE,
    T_LEAVE,
    T_RALLY,
    VOLLEYS,
)
from wargamesim.games.coloniale.referee_fire import FirePhase, rally


def fired(course: Any, *units: int) -> Any:
    """Let units fire, and what was hit leave."""
    phase = FirePhase(course)
    for unit in units:
        course.side = int(course.table.side[unit])
        phase.act(unit)
    phase.end()
    return course


def test_each_success_of_a_rally_takes_off_a_marker() -> None:
    units = two(discipline=(4, 3))
    course = course_of([units[0] | {"markers": 3}, units[1]], {RALLY: [5, 6, 1, 4]})
    rally(course)
    assert rows(course, T_RALLY) == [(0, 4, 2, 1, -1, -1, -1, -1, -1, -1)]
    assert course.state.tally[MARKERS_RALLIED] == 2
    assert [key[2] for key in course.rolled] == [0, 1, 2, 3]
    assert rules_of(course) == ["CO-4.1"]


def test_no_more_markers_leave_than_there_are() -> None:
    units = two()
    course = course_of([units[0] | {"markers": 1}, units[1] | {"markers": 1}], {RALLY: [6] * 6 + [4] * 6})
    rally(course)
    assert course.table.markers[:2].tolist() == [0, 1]


def test_rally_has_the_chances_of_the_rules() -> None:
    def successes(faces: tuple[int, ...]) -> int:
        units = two(discipline=(3, 3))
        course = course_of([units[0] | {"markers": 3}, units[1]], {RALLY: faces})
        rally(course)
        return 3 - int(course.table.markers[0])

    numerators = (8, 12, 6, 1)  # CO-9.1
    assert chances((6, 6, 6), successes) == {k: Fraction(n, 27) for k, n in enumerate(numerators)}


@pytest.mark.parametrize(("difficult", "numerators"), [((), (8, 12, 6, 1)), ((100, 137, 150, 170), (125, 75, 15, 1))])
def test_rifles_have_the_chances_of_the_rules(difficult: Any, numerators: tuple[int, ...]) -> None:
    ground = [difficult] if difficult else []
    course = course_of(two((3, 6)), difficult=ground)

    def lost(faces: tuple[int, ...]) -> int:
        course.table.fig[1], course.table.action[0] = 6, 0
        course.script({RIFLE_FIRE: faces}, {"fire": [shots({1: 3})]})
        fired(course, 0)
        return 6 - int(course.table.fig[1])

    total = sum(numerators)
    assert chances((6, 6, 6), lost) == {k: Fraction(n, total) for k, n in enumerate(numerators)}  # CO-9.4


def test_fire_puts_a_marker_whether_it_hits_or_not() -> None:
    course = fired(course_of(two(), {RIFLE_FIRE: [1, 1, 4, 4, 4]}, {"fire": [shots({1: 5})]}), 0)
    assert rows(course, T_FIRE) == [(0, 1, RIFLE, 5, 5, 0, 1, 0, -1, -1)]
    assert rows(course, T_LEAVE) == [(1, 0, 6, 1, -1, -1, -1, -1, -1, -1)]
    assert course.table.action[0] == 1
    assert course.state.tally[[VOLLEYS, MARKERS_PUT]].tolist() == [1, 1]


def test_who_keeps_still_gets_no_action_marker() -> None:
    course = fired(course_of(two(), {}, {"fire": [shots({})]}), 0)
    assert course.trace == []
    assert course.table.action[0] == 0


@pytest.mark.parametrize(("reading", "markers"), [("each", [1, 1]), ("one", [0, 1])])
def test_divided_fire_suppresses_each_target_or_one(reading: str, markers: list[int]) -> None:
    units = [*two(), unit_of(1, (135, 138), 4, 6)]
    answers = {"fire": [shots({1: 2, 2: 3}, marked=1)]}
    rulebook = rulebook_with({"CO-P09": reading})
    course = fired(course_of(units, {RIFLE_FIRE: [5, 4, 6, 6, 1]}, answers, rulebook=rulebook), 0)
    assert course.table.markers[1:3].tolist() == markers
    assert course.table.fig[1:3].tolist() == [5, 2]
    assert [key[2] for key in course.rolled] == [0, 1, 2, 3, 4]


def test_units_that_destroy_each_other_both_fire() -> None:
    dice = {RIFLE_FIRE: [5, 5, 6, 6]}
    course = fired(course_of(two((2, 2)), dice, {"fire": [shots({1: 2}), shots({0: 2})]}), 0, 1)
    assert course.table.status[:2].tolist() == [DESTROYED, DESTROYED]
    assert course.state.tally[[LOST_TO_RIFLES, LOST_TO_RIFLES + 1]].tolist() == [2, 2]
    assert rules_of(course) == ["CO-4.2", "CO-4.2", "CO-1.5", "CO-1.5"]


@pytest.mark.parametrize(
    ("apart", "cover", "reading", "need"),
    [
        (50, False, "ignores_cover", 3),
        (50.1, False, "ignores_cover", 5),
        (50, True, "six_in_cover", 3),
        (100, True, "ignores_cover", 5),
        (100, True, "six_in_cover", 6),
    ],
)
def test_cannons_by_distance_and_cover(apart: float, cover: bool, reading: str, need: int) -> None:
    units = [unit_of(0, (128.5, 20.5), 2, 6, arm=BATTERY), unit_of(1, (128.5, 20.5 + apart), 6, 6)]
    row = int(20.5 + apart)
    ground = [(100, row, 150, row + 20)] if cover else []
    answers = {"fire": [shots({1: 1}, CANNON)]}
    course = course_of(
        units, {CANNON_FIRE: [need]}, answers, difficult=ground, rulebook=rulebook_with({"CO-P08": reading})
    )
    fired(course, 0)
    assert rows(course, T_FIRE) == [(0, 1, CANNON, 1, need, 1, 1, int(cover), -1, -1)]
    assert course.table.fig[1] == 5


def test_losses_are_the_cannons_first() -> None:
    guns = unit_of(0, (108.0, 128.0), 3, 6, arm=BATTERY)
    units = [two()[0], guns, unit_of(1, (128.0, 138.0), 2, 6)]
    answers = {"fire": [shots({2: 5}), shots({2: 1}, CANNON)]}
    course = fired(course_of(units, {RIFLE_FIRE: [6] * 5, CANNON_FIRE: [3]}, answers), 0, 1)
    assert course.state.tally[[LOST_TO_CANNONS + 1, LOST_TO_RIFLES + 1]].tolist() == [1, 1]
    assert rows(course, T_LEAVE)[0][:4] == (2, 2, 0, 2)


@pytest.mark.parametrize(("reading", "markers"), [("none", 0), ("suppressed", 1)])
def test_rifles_do_nothing_to_a_garrison(reading: str, markers: int) -> None:
    units = two()
    course = course_of(
        [units[0], units[1] | {"fort": 1}],
        {},
        {"fire": [shots({1: 5})]},
        forts=[(128.0, 138.0)],
        rulebook=rulebook_with({"CO-P29": reading}),
    )
    fired(course, 0)
    assert rows(course, T_FIRE) == [(0, 1, RIFLE, 5, 0, 0, markers, 2, -1, -1)]
    assert course.table.fig[1] == 6
    assert course.table.markers[1] == markers
    assert rules_of(course)[0] == "CO-8.3"


def test_who_can_fire() -> None:
    units = [*two(), unit_of(1, (100, 200), 1, 6, arm=BATTERY), unit_of(1, (110, 200), 6, 6, rifles=0)]
    phase = FirePhase(course_of(units))
    assert [phase.can(unit) for unit in range(4)] == [True, True, True, False]
    phase.course.table.action[0] = 1
    assert not phase.can(0)
