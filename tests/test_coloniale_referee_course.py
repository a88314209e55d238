"""The course of a battle: dice by their keys, the trace, words, losses and names of halves."""

from __future__ import annotations

from tests.coloniale_battles import unit_of
from tests.coloniale_positions import course_of, rows, two
from wargamesim.games.coloniale.layout import (
    DESTROYED,
    DESTRUCTIONS,
    LOST_TO_DICE,
    RALLY,
    STATUS,
    T_DRAWN,
    TRACE_FIELDS,
)
from wargamesim.games.coloniale.referee_course import Course, milli, plural, spot


def test_thousandths_are_rounded_half_up() -> None:
    assert milli(0.0005) == 1
    assert milli(12.3454) == 12345
    assert spot((1.0, 2.5)) == (1000, 2500)


def test_words() -> None:
    assert plural(1, "figure") == "1 figure"
    assert plural(0, "figure") == "0 figures"


def test_dice_depend_on_their_key_alone() -> None:
    setup = course_of(two()).setup
    one, other = (Course(setup, 3, 7, draws=False) for _ in range(2))
    first = one.rolls(0, RALLY, 0, 20, 6)
    assert other.roll(0, RALLY, 13, 6) == first[13]
    assert other.rolls(0, RALLY, 5, 3, 6) == first[5:8]
    other.turn = 1
    assert other.rolls(0, RALLY, 0, 20, 6) != first
    assert Course(setup, 3, 8, draws=False).rolls(0, RALLY, 0, 20, 6) != first
    assert set(first) <= set(range(1, 7))


def test_events_are_filled_up() -> None:
    course = course_of(two())
    course.note(T_DRAWN, 1, 6)
    assert course.trace == [(1, T_DRAWN, 1, 6, *(-1,) * (TRACE_FIELDS - 4))]


def test_the_setup_is_not_changed() -> None:
    course = course_of(two())
    course.lose(0, 9, LOST_TO_DICE)
    assert course.setup.start.unit[0, STATUS] == 0
    assert course.setup.start.unit[0, 4] == 6


def test_losses_and_destruction() -> None:
    course = course_of([*two(), unit_of(1, (9.0, 9.0), 3, 6, fort=1)])
    assert course.lose(2, 2, LOST_TO_DICE) == 2
    assert not course.destroy_if_empty(2)
    assert course.lose(2, 2, LOST_TO_DICE) == 1
    assert course.destroy_if_empty(2)
    assert not course.destroy_if_empty(2)
    assert (course.table.status[2], course.table.fort[2]) == (DESTROYED, 0)
    assert course.state.tally[[LOST_TO_DICE + 1, DESTRUCTIONS + 1]].tolist() == [3, 1]


def test_what_is_told_is_heard_once() -> None:
    course = course_of(two())
    course.side = 1
    course.tell("CO-4.1", "rallies")
    told = course.listen()
    assert [(event.turn, event.side, event.rule, event.text, event.board) for event in told] == [
        (1, "second", "CO-4.1", "rallies", None)
    ]
    assert course.listen() == []
    assert rows(course, T_DRAWN) == []
