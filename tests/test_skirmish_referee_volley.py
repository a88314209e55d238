"""Volleys and blind volleys: their zone, their hits and whom they shake."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.skirmish_positions import (
    course_of,
    events,
    figure,
    ground_of,
    of,
    tally,
)
from wargamesim.games.skirmish.layout import (
    BLIND,
    BLIND_AIM,
    BLIND_HIT,
    BLUE,
    HIDDEN,
    HITS,
    LEADER,
    LOADING,
    MISFIRES,
    MORALE,
    OWN_HIT,
    REGULAR,
    ROLES,
    SHOTS_FIRED,
    VICTIM,
    VOLLEY,
    VOLLEY_AIM,
    VOLLEY_HIT,
    VOLLEY_MISFIRE,
    VOLLEY_RESULT,
    VOLLEYS,
    WOUNDS,
)
from wargamesim.games.skirmish.referee_course import (
    VOLLEYED,
    Course,
)
from wargamesim.games.skirmish.referee_rules import Action
from wargamesim.games.skirmish.referee_volley import joint_fire

FAR = figure(90, 50, 1)


def line(*also: Mapping[int, int]) -> list[Any]:
    regulars = [figure(10 + 3 * i, 30, also={ROLES: REGULAR, **(also[i] if i < len(also) else {})}) for i in range(6)]
    return [figure(18, 33, also={ROLES: LEADER}), *regulars]


def fire_volley(course: Course, to: tuple[float, float] = (17.5, 10)) -> None:
    joint_fire(course, Action(VOLLEY, to=to, members=(1, 2, 3, 4, 5, 6)))


def test_a_volley_shakes_everybody_in_its_zone() -> None:
    enemies = [figure(17, 10, 1), figure(19, 10, 1), figure(17.5, 1, 1), figure(60, 30, 1), figure(17, 60 - 1, 1)]
    course = course_of([*line(), *enemies], {VOLLEY_MISFIRE: 6, VOLLEY_HIT: 5})
    fire_volley(course)
    assert [of(course, BLUE, f) for f in range(7, 12)] == [1, 1, 1, 0, 0]
    assert events(course, VOLLEYED) == [(0, 6, 3, 0, 0, -1, -1, -1, -1, -1)]
    assert (tally(course, VOLLEYS), tally(course, SHOTS_FIRED), tally(course, HITS)) == (1, 6, 0)
    assert all(of(course, LOADING, f) == 3 for f in range(1, 7))


@pytest.mark.parametrize(
    ("reading", "aim", "wounds"),
    [("replace", 1, [2, 0, 0]), ("spread", 1, [1, 1, 0]), ("nearest_first", 1, [0, 1, 1])],
)
def test_on_whom_the_hits_of_a_volley_fall(reading: str, aim: int, wounds: list[int]) -> None:
    enemies = [figure(17, 10, 1), figure(19, 12, 1), figure(17.5, 11, 1)]
    faces = {VOLLEY_MISFIRE: 6, VOLLEY_HIT: 1, (1, VOLLEY_HIT, 0): 6, (2, VOLLEY_HIT, 0): 6}
    faces |= {VOLLEY_AIM: aim, VOLLEY_RESULT: 4}
    course = course_of([*line(), *enemies], faces, changes={"NA-4.21": reading})
    fire_volley(course)
    assert [of(course, WOUNDS, f) for f in (7, 8, 9)] == wounds


def test_who_fails_his_test_does_not_join_in() -> None:
    figures = [*line({BLUE: 1}, {BLUE: 1}), figure(17, 10, 1)]
    faces = {(1, MORALE, 0): 1, (2, MORALE, 0): 6, VOLLEY_MISFIRE: 6, VOLLEY_HIT: 1}
    course = course_of(figures, faces)
    fire_volley(course)
    assert events(course, VOLLEYED)[0][:2] == (0, 5)
    assert (of(course, LOADING, 1), of(course, LOADING, 2)) == (0, 3)


def test_a_blind_volley_shakes_only_if_somebody_is_hit() -> None:
    ground = ground_of(["#" * 60] * 12)
    figures = [*line(), figure(17, 10, 1, also={HIDDEN: 1}), figure(19, 11, 1, also={HIDDEN: 1})]
    course = course_of(figures, {VOLLEY_MISFIRE: 6, VOLLEY_HIT: 3}, ground)
    fire_volley(course)
    assert events(course, VOLLEYED)[0][:5] == (0, 6, 2, 0, 1)
    assert of(course, BLUE, 8) == 0
    faces = {VOLLEY_MISFIRE: 6, VOLLEY_HIT: 1, (1, VOLLEY_HIT, 0): 6, VOLLEY_AIM: 1, VOLLEY_RESULT: 6}
    course = course_of(figures, faces, ground)
    fire_volley(course)
    assert (of(course, BLUE, 7), of(course, BLUE, 8), of(course, HIDDEN, 7), of(course, HIDDEN, 8)) == (1, 1, 0, 1)


@pytest.mark.parametrize(("reading", "zone"), [("arcs", 2), ("rectangle", 1), ("around_a_point", 2)])
def test_the_zone_of_a_volley(reading: str, zone: int) -> None:
    enemies = [figure(17.5, 10, 1), figure(26, 12, 1), figure(40, 12, 1)]
    faces = {VOLLEY_MISFIRE: 6, VOLLEY_HIT: 1}
    course = course_of([*line(), *enemies], faces, changes={"NA-4.20": reading})
    fire_volley(course)
    assert events(course, VOLLEYED)[0][2] == zone


# Blind fire


def fire_blindly(course: Course, target: int = 0) -> None:
    joint_fire(course, Action(BLIND, target=target, to=(17.5, 10), members=(1, 2, 3)))


def hidden_in(letter: str) -> tuple[list[Any], Any]:
    """Return two hidden enemies in a wood or a building, one more in the open, and the ground."""
    enemies = [figure(17, 10, 1, also={HIDDEN: 1}), figure(19, 10, 1, also={HIDDEN: 1})]
    return [*line(), *enemies, figure(17, 25, 1, also={HIDDEN: 1})], ground_of([letter * 60] * 12)


@pytest.mark.parametrize(("letter", "target"), [("#", 0), ("@", 1)])
def test_blind_fire_hits_those_who_hide_there(letter: str, target: int) -> None:
    figures, ground = hidden_in(letter)
    faces = {VOLLEY_MISFIRE: 6, BLIND_HIT: 9, (2, BLIND_HIT, 0): 10, BLIND_AIM: 2, VOLLEY_RESULT: 4}
    course = course_of(figures, faces, ground)
    fire_blindly(course, target)
    assert events(course, VOLLEYED)[0][:5] == (0, 3, 2, 1, 2)
    assert [of(course, WOUNDS, f) for f in (7, 8, 9)] == [0, 1, 0]
    assert [of(course, HIDDEN, f) for f in (7, 8, 9)] == [1, 0, 1]
    assert [of(course, BLUE, f) for f in (7, 8, 9)] == [0, 1, 0]
    assert (tally(course, VOLLEYS), tally(course, SHOTS_FIRED), tally(course, HITS)) == (0, 3, 1)


@pytest.mark.parametrize(("reading", "hits"), [("per_shooter", 2), ("one_ten", 1), ("top_face", 2)])
def test_how_many_hits_blind_fire_has(reading: str, hits: int) -> None:
    figures, ground = hidden_in("#")
    faces = {VOLLEY_MISFIRE: 6, BLIND_HIT: 10, (2, BLIND_HIT, 0): 9, BLIND_AIM: 1, VOLLEY_RESULT: 6}
    course = course_of(figures, faces, ground, changes={"NA-4.15": reading})
    fire_blindly(course)
    assert tally(course, HITS) == hits


def test_blind_fire_with_nobody_there() -> None:
    course = course_of([*line(), FAR], {VOLLEY_MISFIRE: 6, BLIND_HIT: 10}, ground_of(["#" * 60] * 12))
    fire_blindly(course)
    assert (tally(course, HITS), events(course, VOLLEYED)[0][:5]) == (0, (0, 3, 0, 3, 2))


def test_the_zone_of_blind_fire_is_theirs_who_hide_whoever_fires() -> None:
    figures, ground = hidden_in("#")
    course = course_of(figures, {MORALE: 2}, ground)
    course.state.figure[BLUE, :7] = 1
    fire_blindly(course)
    assert (tally(course, SHOTS_FIRED), events(course, VOLLEYED)[0][:5]) == (0, (0, 0, 2, 0, 2))


# Mishaps of volleys


@pytest.mark.parametrize(
    ("changes", "die", "misfires", "own"),
    [
        ({}, 2, 1, 0),
        ({"NA-4.22": "neither"}, 2, 0, 0),
        ({"NA-4.22": "both"}, 2, 1, 0),
        ({}, 1, 1, 0),
        ({"NA-4.22": "both"}, 1, 1, 5),
        ({"NA-4.2": "natural_one"}, 1, 6, 0),
        ({"NA-4.2": "natural_one", "NA-4.22": "neither"}, 1, 0, 0),
    ],
)
def test_mishaps_of_volleys(changes: dict[str, str], die: int, misfires: int, own: int) -> None:
    """The first shooter's extra die is a 1; the leader stands in everybody's arc."""
    figures = [figure(17.5, 14, also={ROLES: LEADER}), *line()[1:], figure(17.5, 10, 1)]
    faces = {VOLLEY_MISFIRE: 2, (1, VOLLEY_MISFIRE, 0): 1, VOLLEY_HIT: die, VICTIM: 1, VOLLEY_RESULT: 6}
    course = course_of(figures, faces, changes=changes)
    fire_volley(course)
    assert (tally(course, MISFIRES), tally(course, OWN_HIT)) == (misfires, own)
