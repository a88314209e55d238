"""Moves: falls, what an arrival reveals, hiding and leaving the table."""

from __future__ import annotations

import pytest

from tests.skirmish_positions import (
    RISORGIMENTO,
    course_of,
    events,
    figure,
    go,
    ground_of,
    of,
    place,
    tally,
)
from wargamesim.games.skirmish.layout import (
    CAPTURED,
    DEAD,
    DRAGS,
    FACE_X,
    FACE_Y,
    FALL,
    GONE,
    HIDDEN,
    HIT,
    IN_PLAY,
    LEFT,
    LIE,
    LOAD_0,
    LOADS_AWAY,
    MOVED,
    OUT,
    PRONE,
    RAN,
    REGULAR,
    ROLES,
    SPOT,
    STAND,
    STATUS,
    WET,
)
from wargamesim.games.skirmish.referee_course import (
    SHOT,
)
from wargamesim.games.skirmish.referee_move import arrive

FAR = figure(90, 50, 1)


def test_a_move_turns_the_figure_and_is_remembered() -> None:
    course = course_of([figure(5, 5), FAR], {})
    go(course, 5, 15)
    assert place(course) == (5, 15)
    assert (of(course, RAN, 0), of(course, MOVED, 0)) == (0, 1)
    assert (course.state.place[FACE_X, 0], course.state.place[FACE_Y, 0]) == (0, 1)


@pytest.mark.parametrize(
    ("die", "role", "letter", "falls"),
    [
        (1, 0, ".", True),
        (2, 0, ":", False),
        (2, REGULAR, ".", False),
        (2, REGULAR, ":", True),
        (3, REGULAR, ":", False),
    ],
)
def test_runners_fall(die: int, role: int, letter: str, falls: bool) -> None:
    course = course_of([figure(5, 5, also={ROLES: role}), FAR], {FALL: die}, ground_of([letter * 30] * 10))
    go(course, 20, 5, run=1)
    assert place(course) == ((5, 5) if falls else (20, 5))
    assert (of(course, PRONE, 0), of(course, RAN, 0)) == (falls, 1)


@pytest.mark.parametrize(("reading", "x"), [("no_move", 5), ("half_move", 12.5), ("whole_move", 20)])
def test_how_far_a_runner_gets_who_falls(reading: str, x: float) -> None:
    course = course_of([figure(5, 5), FAR], {FALL: 1}, changes={"NA-3.14": reading})
    go(course, 20, 5, run=1)
    assert place(course) == (x, 5)
    assert of(course, PRONE, 0) == 1


@pytest.mark.parametrize(
    ("reading", "x", "status", "wet"), [("wet", 9, IN_PLAY, 1), ("drowns", 5, DEAD, 0), ("swims", 5, IN_PLAY, 0)]
)
def test_waders_slip(reading: str, x: float, status: int, wet: int) -> None:
    course = course_of([figure(5, 5), FAR], {FALL: 1}, ground_of(["~" * 30] * 10), changes={"NA-3.15": reading})
    go(course, 9, 5)
    assert place(course) == (x, 5)
    assert (of(course, STATUS, 0), of(course, WET, 0)) == (status, wet)
    dry = course_of([figure(5, 5), FAR], {FALL: 2}, ground_of(["~" * 30] * 10))
    go(dry, 9, 5)
    assert (of(dry, WET, 0), of(dry, PRONE, 0)) == (0, 0)


def test_shots_before_and_after_a_short_move() -> None:
    for first, away in ((1, 30000), (0, 25000)):
        course = course_of([figure(5, 5), figure(35, 5, 1)], {HIT: 2}, book=RISORGIMENTO)
        go(course, 10, 5, target=1, shoot_first=first)
        assert events(course, SHOT)[0][3] == away
        assert events(course, SHOT)[0][6] == 0  # 2 less for a shot on the move


def test_standing_up_and_lying_down() -> None:
    course = course_of([figure(5, 5, also={PRONE: 1}), FAR], {})
    go(course, 5, 5, posture=STAND)
    assert of(course, PRONE, 0) == 0
    go(course, 8, 5, posture=LIE)
    assert (of(course, PRONE, 0), place(course)) == (1, (8, 5))


def test_leaving_the_table_with_a_load_and_with_a_prisoner() -> None:
    course = course_of([figure(5, 55, also={DRAGS: LOAD_0}), FAR], {}, goals={"exit_edge": (3, 0)})
    course.state.loads, course.state.dragger[0] = 1, 0
    go(course, 5, 55, exit=1)
    assert (of(course, STATUS, 0), tally(course, GONE), tally(course, LOADS_AWAY)) == (LEFT, 1, 1)
    assert int(course.state.dragger[0]) == -2
    captive = figure(5, 53, 1, also={STATUS: CAPTURED})
    course = course_of([figure(5, 55, also={DRAGS: 1}), captive, FAR], {})
    go(course, 5, 55, exit=1)
    assert (of(course, STATUS, 0), of(course, STATUS, 1)) == (LEFT, OUT)


def test_what_is_dragged_comes_along() -> None:
    captive = figure(5, 53, 1, also={STATUS: CAPTURED})
    course = course_of([figure(5, 55, also={DRAGS: 1}), captive, FAR], {})
    go(course, 15, 55)
    assert place(course, 1) == (15, 55)


@pytest.mark.parametrize(
    ("away", "depth", "reading", "die", "seen"),
    [
        (15, 5, "automatic", 0, True),
        (15.1, 5, "automatic", 0, False),
        (15, 5.1, "automatic", 0, False),
        (15, 5, "die", 4, True),
        (15, 5, "die", 3, False),
    ],
)
def test_who_is_spotted_at_the_edge_of_a_wood(away: float, depth: float, reading: str, die: int, seen: bool) -> None:
    ground = ground_of(["###" + "." * 60] * 10, depth=depth)
    figures = [figure(2.5 + away, 5.5), figure(2.5, 5.5, 1, also={HIDDEN: 1})]
    course = course_of(figures, {SPOT: die}, ground, changes={"NA-6.5": reading})
    arrive(course, 0, 0)
    assert of(course, HIDDEN, 1) == (not seen)


def test_a_hidden_figure_that_comes_near_is_spotted() -> None:
    ground = ground_of(["#" * 30] + ["." * 30] * 20)
    figures = [figure(5, 0.5, also={HIDDEN: 1}), figure(5, 14, 1), figure(9, 14, 1)]
    course = course_of(figures, {}, ground)
    arrive(course, 0, 0)
    assert of(course, HIDDEN, 0) == 0
    assert events(course, 12) == [(0, 1, -1, -1, -1, -1, -1, -1, -1, -1)]


def test_contact_reveals_both() -> None:
    ground = ground_of(["#" * 30] * 30, depth=9)
    figures = [figure(5, 5, also={HIDDEN: 1}), figure(7, 5, 1, also={HIDDEN: 1})]
    course = course_of(figures, {}, ground)
    arrive(course, 0, 0)
    assert (of(course, HIDDEN, 0), of(course, HIDDEN, 1)) == (0, 0)


def test_hiding_again() -> None:
    ground = ground_of(["#" * 30] + ["." * 30] * 30)
    for far, hides in ((14, False), (17, True)):
        course = course_of([figure(5, 0.5), figure(5, far, 1)], {}, ground)
        arrive(course, 0, 0, hide=True)
        assert of(course, HIDDEN, 0) == hides
    bare = course_of([figure(5, 5, also={HIDDEN: 1}), FAR], {}, ground)
    arrive(bare, 0, 0)
    assert of(bare, HIDDEN, 0) == 0


def test_one_observer_alone_learns_of_a_hidden_figure() -> None:
    ground = ground_of(["###" + "." * 60] * 20, depth=5)
    figures = [figure(12.5, 5.5), figure(12.5, 9.5), figure(2.5, 5.5, 1, also={HIDDEN: 1}), figure(40, 9, 1)]
    course = course_of(figures, {}, ground, changes={"NA-6.6": "observer"})
    arrive(course, 0, 0)
    assert of(course, HIDDEN, 2) == 1
    assert (course.table.known(0), course.table.known(1)) == ([2, 3], [3])
    arrive(course, 0, 0)  # It learns nothing new.
    arrive(course, 0, 1)
    assert course.table.known(1) == [2, 3]
    assert [row[:2] for row in events(course, 12)] == [(2, 0), (2, 1)]
    # Contact shows it to all; and when it hides again, nobody knows of it any more.
    course.state.place[:2, 0] = 4.5, 5.5
    arrive(course, 0, 0)
    assert of(course, HIDDEN, 2) == 0
    course.table.hide(2)
    assert course.table.known(1) == [3]


def test_all_who_spot_a_hidden_figure_that_moves_learn_of_it() -> None:
    ground = ground_of(["#" * 30] + ["." * 30] * 20)
    figures = [figure(5, 0.5, also={HIDDEN: 1}), figure(5, 14, 1), figure(9, 14, 1), figure(5, 20, 1)]
    course = course_of(figures, {}, ground, changes={"NA-6.6": "observer"})
    arrive(course, 0, 0)
    assert of(course, HIDDEN, 0) == 1
    assert [row[:2] for row in events(course, 12)] == [(0, 1), (0, 2)]
    assert [course.table.knows(f, 0) for f in (1, 2, 3)] == [True, True, False]
