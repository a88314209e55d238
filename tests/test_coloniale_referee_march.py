"""Phase E by the referee: who is asked, and staying where one is."""

from __future__ import annotations

from tests.coloniale_battles import unit_of
from tests.coloniale_positions import course_of, proposal, two
from wargamesim.games.coloniale.layout import STAY
from wargamesim.games.coloniale.referee_march import MarchPhase


def test_who_may_march() -> None:
    units = [*two(apart=20.0), unit_of(1, (10.0, 10.0), 6, 6), unit_of(1, (200.0, 200.0), 6, 6, action=1)]
    phase = MarchPhase(course_of(units))
    assert [phase.can(unit) for unit in range(4)] == [False, False, True, False]


def test_who_stays_may_still_follow() -> None:
    course = course_of(two(apart=30.0), {}, {"march": [proposal(STAY)]})
    course.side = 0
    phase = MarchPhase(course)
    phase.act(0)
    assert course.trace == []
    assert course.table.place(0) == (128.0, 128.0)
    assert phase.can(0)
