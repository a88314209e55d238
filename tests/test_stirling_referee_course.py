"""What all parts of the referee share: dice by event, a trace of twelve numbers, and what has been told."""

from __future__ import annotations

import numpy as np

from tests.stirling_positions import ALONE, FAR, KEY, course_of
from wargamesim.dice.stream import face
from wargamesim.games.stirling.layout import CHARGES, STRIKE, T_BROKEN


def test_a_die_belongs_to_its_event() -> None:
    course = course_of(ALONE, FAR)
    course.turn = 7
    assert course.roll(3, STRIKE, 5, 20) == face(np.uint64(KEY), 0, 7, 3, STRIKE, 5, 20)


def test_an_event_is_filled_up_to_twelve_numbers() -> None:
    course = course_of(ALONE, FAR)
    course.note(T_BROKEN, 1, True)
    assert course.trace == [(1, T_BROKEN, 1, 1, *[-1] * 8)]


def test_a_phase_is_told_when_something_happens_in_it() -> None:
    course = course_of(ALONE, FAR)
    course.begin("melee")
    course.begin("morale")
    course.tell("SS-9.4", "one")
    course.tell("SS-9.4", "two")
    assert [(event.rule, event.text) for event in course.listen()] == [
        ("SS-2.4", "morale:"),
        ("SS-9.4", "one"),
        ("SS-9.4", "two"),
    ]
    assert course.listen() == []


def test_a_battle_leaves_its_setup_alone() -> None:
    course = course_of(ALONE, FAR)
    course.board.units[0].men = 10
    course.count(CHARGES, 1, 3)
    assert course.setup.start.unit[0].tolist() != course.state.unit[0].tolist()
    assert course.setup.start.tally.sum() == 0
    assert course.state.tally[CHARGES + 1] == 3
