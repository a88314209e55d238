"""Fire: single shots, whom they hit and what hits do, on positions made by hand with scripted dice."""

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
    BLUE,
    DEAD,
    DRAGS,
    FACE_X,
    FACE_Y,
    HIDDEN,
    HIT,
    HITS,
    IN_PLAY,
    KILLED,
    LOAD_0,
    LOADING,
    MISFIRE,
    MISFIRES,
    MIXED,
    OWN_HIT,
    PRONE,
    RAN,
    RESULT,
    ROUNDS,
    SHOTS_FIRED,
    STATUS,
    VICTIM,
    WET,
    WOUNDS,
)
from wargamesim.games.skirmish.referee_course import (
    LENGTH,
    SHOT,
    Course,
)
from wargamesim.games.skirmish.referee_course import RESULT as RESULTED
from wargamesim.games.skirmish.referee_fire import Shot, fire


def rules(course: Course) -> list[str]:
    return [event.rule for event in course.listen()]


def shoot(course: Course, target: int = 1, *, unaimed: bool = False, before: int = 0, slot: int = 0) -> None:
    fire(course, Shot(0, 0, 0, slot, target, unaimed, before))


def test_a_shot_that_kills_and_what_the_trace_says() -> None:
    course = course_of([figure(5, 5), figure(23, 5, 1)], {MISFIRE: 2, HIT: 5, RESULT: 2})
    shoot(course)
    assert events(course, SHOT) == [(0, 1, 0, 18000, 2, 5, 5, 3, 1, 0)]
    assert events(course, RESULTED) == [(1, 2, 2, 1, DEAD, 0, -1, -1, -1, -1)]
    assert all(len(row) == LENGTH for row in course.trace)
    assert (tally(course, SHOTS_FIRED), tally(course, HITS), tally(course, KILLED, 1)) == (1, 1, 1)
    assert (of(course, LOADING, 0), of(course, ROUNDS, 0)) == (3, 0)
    assert course.state.place[[FACE_X, FACE_Y], 0].tolist() == [1, 0]
    assert rules(course) == ["NA-4.11", "NA-5.3"]


@pytest.mark.parametrize(
    ("away", "die", "fields", "changes", "hits"),
    [
        (20, 5, {}, {}, True),
        (20, 4, {}, {}, False),
        (20, 5, {}, {"NA-4.11": "strict"}, False),
        (20.01, 7, {}, {}, False),
        (20.01, 8, {}, {}, True),
        (20, 5, {"target": {RAN: 1}}, {}, False),
        (20, 6, {"target": {RAN: 1}}, {}, True),
        (20, 5, {"target": {PRONE: 1}}, {}, False),
        (20, 5, {"shooter": {WOUNDS: 1}}, {}, False),
        (20, 5, {"shooter": {PRONE: 1}}, {}, True),
        (20, 4, {"grade": "sharpshooter"}, {}, True),
        (20, 6, {"unaimed": True}, {}, False),
        (20, 7, {"unaimed": True}, {}, True),
        (50, 10, {"unaimed": True, "shooter": {WOUNDS: 1}}, {}, False),
        (50, 10, {"unaimed": True, "shooter": {WOUNDS: 1}}, {"NA-4.13": "top_face_hits"}, True),
        (50, 9, {"unaimed": True, "shooter": {WOUNDS: 1}}, {"NA-4.13": "top_face_hits"}, False),
    ],
)
def test_who_hits(away: float, die: int, fields: Mapping[str, Any], changes: Mapping[str, str], hits: bool) -> None:
    shooter = figure(5, 5, grade=fields.get("grade", "regular"), also=fields.get("shooter", {}))
    target = figure(5 + away, 5, 1, also=fields.get("target", {}))
    course = course_of([shooter, target], {MISFIRE: 6, HIT: die, RESULT: 6}, changes=changes)
    shoot(course, unaimed=fields.get("unaimed", False))
    assert events(course, SHOT)[0][7] == (3 if hits else 0)
    assert bool(of(course, BLUE, 1)) is hits


@pytest.mark.parametrize(("letter", "need"), [(".", 5), ("%", 6), ("=", 7)])
def test_cover_counts_twice(letter: str, need: int) -> None:
    """It makes the target harder to hit, and a point less likely to die of it (NA-4.10, NA-5.2)."""
    ground = ground_of(["." * 18 + letter + "." * 20] * 10)
    for die, hits in ((need - 1, False), (need, True)):
        course = course_of([figure(5.5, 5), figure(19.5, 5, 1)], {MISFIRE: 6, HIT: die, RESULT: 2}, ground)
        shoot(course)
        assert events(course, SHOT)[0][7] == (3 if hits else 0)
        if hits:
            assert of(course, STATUS, 1) == (DEAD if letter == "." else IN_PLAY)
            assert of(course, WOUNDS, 1) == (letter != ".")


def test_cover_takes_the_place_of_lying_down() -> None:
    ground = ground_of(["." * 18 + "%" + "." * 20] * 10)
    prone = [figure(5.5, 5), figure(19.5, 5, 1, also={PRONE: 1})]
    course = course_of(prone, {MISFIRE: 6, HIT: 6, RESULT: 6}, ground)
    shoot(course)
    assert events(course, SHOT)[0][6] == 5


def test_a_misfire_empties_the_weapon_and_reveals_nothing() -> None:
    hidden = [figure(5, 5, also={HIDDEN: 1}), figure(23, 5, 1)]
    course = course_of(hidden, {MISFIRE: 1})
    shoot(course)
    assert events(course, SHOT) == [(0, 1, 0, 18000, 1, -1, -1, 1, -1, -1)]
    assert (of(course, LOADING, 0), of(course, ROUNDS, 0), of(course, HIDDEN, 0)) == (3, 0, 1)
    assert (tally(course, MISFIRES), tally(course, SHOTS_FIRED)) == (1, 1)
    step = course_of(hidden, {MISFIRE: 1}, changes={"NA-4.3": "one_step"})
    shoot(step)
    assert of(step, LOADING, 0) == 1
    fired = course_of(hidden, {MISFIRE: 2, HIT: 3})
    shoot(fired)
    assert of(fired, HIDDEN, 0) == 0


def test_a_misfire_by_the_die_of_the_shot_itself() -> None:
    figures = [figure(5, 5), figure(5, 1), figure(23, 5, 1)]
    course = course_of(figures, {HIT: 1}, changes={"NA-4.2": "natural_one"})
    shoot(course, 2)
    assert events(course, SHOT) == [(0, 2, 0, 18000, -1, 1, -1, 1, -1, -1)]


def test_a_thrown_weapon_has_no_misfire_and_no_marker() -> None:
    figures = [figure(5, 5, second="tomahawk", also={WET: 1}), figure(10, 5, 1)]
    course = course_of(figures, {HIT: 3, RESULT: 6})
    shoot(course, slot=1)
    assert events(course, SHOT)[0][4:8] == (-1, 3, 3, 3)
    assert of(course, LOADING + 1, 0) == 99
    many = course_of(figures, {HIT: 2}, changes={"NA-4.23": "unlimited"})
    shoot(many, slot=1)
    assert of(many, LOADING + 1, 0) == 0


def test_a_fumble_hits_a_friend_in_the_arc() -> None:
    figures = [figure(5, 5), figure(15, 5.5), figure(15, 7), figure(5, 15), figure(60, 5), figure(25, 5, 1)]
    course = course_of(figures, {MISFIRE: 6, HIT: 1, VICTIM: 2, RESULT: 3})
    shoot(course, 5)
    assert events(course, SHOT)[0][7:9] == (2, 2)
    assert (tally(course, HITS), tally(course, OWN_HIT)) == (1, 1)
    assert (of(course, WOUNDS, 2), of(course, PRONE, 2), of(course, BLUE, 2)) == (1, 1, 1)
    alone = course_of([figure(5, 5), figure(25, 5, 1)], {MISFIRE: 6, HIT: 1})
    shoot(alone)
    assert events(alone, SHOT)[0][7:9] == (0, -1)


@pytest.mark.parametrize(("reading", "reached"), [("last_band", [1]), ("fixed", [1]), ("unlimited", [1, 2])])
def test_how_far_a_fumble_reaches(reading: str, reached: list[int]) -> None:
    figures = [figure(5, 5), figure(30, 5), figure(60, 5), figure(25, 5, 1)]
    faces = {MISFIRE: 6, HIT: 1, VICTIM: len(reached), RESULT: 6}
    course = course_of(figures, faces, changes={"NA-4.7": reading})
    shoot(course, 3)
    assert events(course, SHOT)[0][8] == reached[-1]


def test_a_hit_in_a_melee_falls_on_either_side() -> None:
    figures = [figure(5, 5), figure(22, 5), figure(22, 9), figure(20, 5, 1), figure(22, 7, 1)]
    for mixed, victim, hit in ((3, 2, 2), (4, 2, 4), (4, 1, 3)):
        course = course_of(figures, {MISFIRE: 6, HIT: 9, MIXED: mixed, VICTIM: victim, RESULT: 6})
        shoot(course, 3)
        assert events(course, SHOT)[0][7:9] == (3, hit)
        assert tally(course, OWN_HIT) == (hit == 2)
    sharp = [figure(5, 5, grade="sharpshooter"), *figures[1:]]
    course = course_of(sharp, {MISFIRE: 6, HIT: 9, MIXED: 3, VICTIM: 1, RESULT: 6})
    shoot(course, 3)
    assert events(course, SHOT)[0][8] == 3


@pytest.mark.parametrize(
    ("die", "before", "status", "wounds", "blue", "prone"),
    [
        (2, 0, DEAD, 0, 0, 0),
        (3, 0, IN_PLAY, 1, 1, 1),
        (5, 0, IN_PLAY, 1, 1, 1),
        (5, 1, DEAD, 2, 0, 0),
        (6, 0, IN_PLAY, 0, 1, 0),
        (6, 1, IN_PLAY, 1, 1, 0),
    ],
)
def test_what_a_hit_does(die: int, before: int, status: int, wounds: int, blue: int, prone: int) -> None:
    victim = figure(23, 5, 1, also={WOUNDS: before, HIDDEN: 1})
    course = course_of([figure(5, 5), victim], {MISFIRE: 6, HIT: 9, RESULT: die})
    shoot(course)
    fields = [of(course, field, 1) for field in (STATUS, WOUNDS, BLUE, PRONE, HIDDEN)]
    assert fields == [status, wounds, blue, prone, 0]


@pytest.mark.parametrize(
    ("die", "wounds", "changes", "spreads"),
    [(2, 0, {}, True), (5, 1, {}, False), (5, 1, {"NA-5.7": "spread"}, True), (5, 0, {"NA-5.7": "spread"}, False)],
)
def test_who_sees_a_friend_fall(die: int, wounds: int, changes: Mapping[str, str], spreads: bool) -> None:
    ground = ground_of(["." * 40] * 11 + ["@" * 40] + ["." * 40] * 20)
    others = [figure(23, 9, 1), figure(33, 5, 1), figure(33.1, 5, 1), figure(23, 14, 1)]
    figures = [figure(5, 5), figure(23, 5, 1, also={WOUNDS: wounds}), *others]
    course = course_of(figures, {MISFIRE: 6, HIT: 9, RESULT: die}, ground, changes=changes)
    shoot(course)
    assert [of(course, BLUE, f) for f in (2, 3, 4, 5)] == [spreads, spreads, 0, 0]


def test_the_dead_let_go_of_what_they_drag() -> None:
    course = course_of([figure(5, 5), figure(23, 5, 1, also={DRAGS: LOAD_0})], {MISFIRE: 6, HIT: 9, RESULT: 1})
    course.state.loads, course.state.dragger[0] = 1, 1
    shoot(course)
    assert (of(course, DRAGS, 1), int(course.state.dragger[0])) == (-1, -1)
