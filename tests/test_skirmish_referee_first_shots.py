"""Shots before a round of close combat."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tests.skirmish_positions import (
    course_of,
    events,
    figure,
    of,
)
from wargamesim.games.skirmish import orders
from wargamesim.games.skirmish.layout import (
    DEAD,
    IN_PLAY,
    LOADING,
    MELEE,
    MELEE_RESULT,
    MELEE_SHOT,
    MELEE_VICTIM,
    PERMISSION,
    STATUS,
)
from wargamesim.games.skirmish.referee_course import (
    PAIR,
    SHOT,
    Course,
)
from wargamesim.games.skirmish.referee_melee import fight
from wargamesim.games.skirmish.referee_move import arrive


@pytest.fixture
def calm(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Players who neither evade nor shoot nor capture, until told otherwise."""
    wish = SimpleNamespace(evades=0, shoots=-1, captures=0)
    monkeypatch.setattr(orders, "evades", lambda *_: wish.evades)
    monkeypatch.setattr(orders, "shoots_first", lambda *_: wish.shoots)
    monkeypatch.setattr(orders, "captures", lambda *_: wish.captures)
    return wish


def begin(course: Course, *, charges: bool = False) -> list[int]:
    return fight(course, 0, 0, charges=charges, arrive=arrive)


@pytest.mark.parametrize(
    ("permission", "die", "fires", "hits"), [(5, 7, True, True), (5, 6, True, False), (4, 9, False, False)]
)
def test_a_shot_before_the_round(calm: SimpleNamespace, permission: int, die: int, fires: bool, hits: bool) -> None:
    calm.shoots = 0
    figures = [figure(5, 5, also={LOADING: 1}), figure(9, 9), figure(7, 5, 1), figure(9, 5, 1)]
    faces = {PERMISSION: permission, MELEE_SHOT: die, (MELEE_SHOT, 1002): 2, MELEE_VICTIM: 1, MELEE_RESULT: 1}
    course = course_of(figures, faces | {MELEE: 3, (MELEE, 0): 4})
    begin(course)
    assert len(events(course, SHOT)) == fires
    assert of(course, STATUS, 0) == (DEAD if hits else IN_PLAY)
    assert bool(events(course, PAIR)) is not hits
    assert of(course, LOADING, 2) == (3 if fires else 0)
