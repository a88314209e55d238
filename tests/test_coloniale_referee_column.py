"""Columns: how the followers close up on the leader's way."""

from __future__ import annotations

import pytest

from tests.coloniale_battles import unit_of
from tests.coloniale_positions import course_of, proposal, rows
from wargamesim.games.coloniale.layout import CAVALRY, INFANTRY, OFF_ROAD, OFF_ROAD_MARCH, T_FOLLOW, T_MARCH
from wargamesim.games.coloniale.referee_column import along
from wargamesim.games.coloniale.referee_march import MarchPhase


def test_along_a_way_of_corners() -> None:
    way = [(0.0, 0.0), (0.0, 3.0), (0.0, 3.0), (4.0, 3.0)]
    assert [along(way, far) for far in (0, 2, 3, 5, 7, 9)] == [(0, 0), (0, 2), (0, 3), (2, 3), (4, 3), (4, 3)]


@pytest.mark.parametrize("arm", [CAVALRY, INFANTRY])
def test_followers_stand_behind_the_leader_and_a_mixed_column_is_slow(arm: int) -> None:
    units = [
        unit_of(0, (40.0, 100.0), 4, 6, arm=CAVALRY),
        unit_of(0, (38.0, 100.0), 4, 6, arm=arm, fort=1),
        unit_of(0, (36.0, 100.0), 4, 6, arm=CAVALRY),
        unit_of(1, (200.0, 200.0), 6, 6),
    ]
    answers = {"march": [proposal(OFF_ROAD, to=(50.0, 100.0), followers=(1, 2))]}
    course = course_of(units, {OFF_ROAD_MARCH: [5, 5, 1]}, answers, forts=[(38.0, 100.0)])
    course.side = 0
    MarchPhase(course).act(0)
    end = 40.0 + 30 + 2 * (20 if arm == CAVALRY else 10)
    assert rows(course, T_MARCH) == [(0, OFF_ROAD, 2, int(end * 1000), 100000, 2, 4, -1, -1, -1)]
    assert [row[:3] for row in rows(course, T_FOLLOW)] == [
        (1, int(end * 1000) - 2000, 100000),
        (2, int(end * 1000) - 4000, 100000),
    ]
    assert course.table.marched[:3].tolist() == [1, 1, 1]
    assert course.table.fort[1] == 0
    assert not any(MarchPhase(course).can(unit) for unit in range(3))


def test_a_short_way_goes_on_over_where_the_followers_stood() -> None:
    units = [
        unit_of(0, (40.0, 100.0), 4, 6),
        unit_of(0, (38.0, 100.0), 4, 6),
        unit_of(0, (36.0, 100.0), 4, 6),
        unit_of(1, (61.0, 100.0), 6, 6),
    ]
    answers = {"march": [proposal(OFF_ROAD, to=(50.0, 100.0), followers=(1, 2))]}
    course = course_of(units, {}, answers)
    course.side = 0
    MarchPhase(course).act(0)
    assert rows(course, T_MARCH)[0][2:7] == (0, 41000, 100000, 2, 1), "1 cm to the margin"
    assert [row[:3] for row in rows(course, T_FOLLOW)] == [(1, 39000, 100000), (2, 37000, 100000)]
