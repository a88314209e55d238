"""Tactical moves, mergers, halves and reinforcements by the referee."""

from __future__ import annotations

from typing import Any

import pytest

from tests.coloniale_battles import rulebook_with, unit_of
from tests.coloniale_positions import ScriptedCourse, course_of, proposal, rows, rules_of
from wargamesim.games.coloniale.layout import (
    CAVALRY,
    INFANTRY,
    MERGE,
    MERGED,
    MERGERS,
    MOVE,
    QUALITY,
    REINFORCE,
    REINFORCEMENTS,
    SPLIT,
    SPLITS,
    STAY,
    T_MOVE,
)
from wargamesim.games.coloniale.referee_move import MovePhase

HERE, THERE = (100.0, 100.0), (110.0, 100.0)


def battalions(**more: Any) -> list[dict[str, Any]]:
    return [
        unit_of(0, HERE, 3, 6, markers=2),
        unit_of(0, THERE, 4, 5, markers=1, **more),
        unit_of(1, (200.0, 200.0), 6, 6),
    ]


def moved(units: list[dict[str, Any]], *answers: Any, **more: Any) -> ScriptedCourse:
    course = course_of(units, {}, {"move": answers}, **more)
    course.side = 0
    MovePhase(course).act(0)
    assert not course.answers["move"]
    return course


def test_a_move_takes_an_action_marker() -> None:
    course = moved(battalions(), proposal(MOVE, to=(100.0, 120.0)))
    assert rows(course, T_MOVE) == [(0, MOVE, -1, 100000, 120000, 3, -1, -1, 0, -1)]
    assert course.table.action[0] == 1
    assert not MovePhase(course).can(0)
    assert rules_of(course) == ["CO-6.1"]


def test_who_stays_keeps_its_action() -> None:
    course = moved(battalions(), proposal(STAY))
    assert course.trace == []
    assert MovePhase(course).can(0)


def test_infantry_enters_a_fort_and_leaves_it() -> None:
    units = [unit_of(0, HERE, 3, 6), *battalions()[1:]]
    course = moved(units, proposal(MOVE, node=1, to=(100.0, 90.0)), forts=[(100.0, 90.0)])
    assert course.table.fort[0] == 1
    course.script({}, {"move": [proposal(MOVE, to=HERE)]})
    MovePhase(course).act(0)
    assert course.table.fort[0] == 0


def test_merged_battalions_add_figures_and_keep_the_worse_of_the_rest() -> None:
    course = moved(battalions(), proposal(MERGE, target=1))
    table = course.table
    assert (table.fig[1], table.fig0[1], table.disc[1], table.markers[1]) == (7, 7, 5, 2)
    assert (table.fig[0], table.status[0], table.action[1]) == (0, MERGED, 1)
    assert rows(course, T_MOVE) == [(0, MERGE, 1, 100000, 100000, 0, 7, 5, 0, -1)]
    assert course.state.tally[MERGERS] == 1


@pytest.mark.parametrize(
    ("arms", "qualities", "reading", "arm", "discipline"),
    [
        ((INFANTRY, CAVALRY), (1, 1), "arm", INFANTRY, 4),
        ((CAVALRY, INFANTRY), (1, 1), "arm", INFANTRY, 4),
        ((CAVALRY, CAVALRY), (1, 1), "arm", CAVALRY, 5),
        ((INFANTRY, INFANTRY), (0, 2), "arm", INFANTRY, 5),
        ((INFANTRY, INFANTRY), (0, 2), "arm_or_quality", INFANTRY, 4),
    ],
)
def test_mixed_battalions(arms: Any, qualities: Any, reading: str, arm: int, discipline: int) -> None:
    units = [unit_of(0, HERE, 2, 6, rifles=0), unit_of(0, THERE, 2, 5), unit_of(1, (200.0, 200.0), 6, 6)]
    units = [unit | {"arm": a, "quality": q} for unit, a, q in zip(units, arms, qualities, strict=False)] + units[2:]
    course = moved(units, proposal(MERGE, target=1), rulebook=rulebook_with({"CO-P24": reading}))
    assert (course.table.arm[1], course.table.disc[1], course.table.rifles[1]) == (arm, discipline, 0)
    assert course.state.unit[1, QUALITY] == min(qualities)


def test_no_merger_takes_discipline_below_its_range() -> None:
    units = [unit_of(0, HERE, 2, 3), unit_of(0, THERE, 2, 3, arm=CAVALRY), unit_of(1, (200.0, 200.0), 6, 6)]
    assert moved(units, proposal(MERGE, target=1)).table.disc[1] == 3


@pytest.mark.parametrize(("reading", "figures"), [("surplus_lost", 8), ("none", 12)])
def test_figures_too_many(reading: str, figures: int) -> None:
    units = [unit_of(0, HERE, 6, 6), unit_of(0, THERE, 6, 6), unit_of(1, (200.0, 200.0), 6, 6)]
    course = moved(units, proposal(MERGE, target=1), rulebook=rulebook_with({"CO-P22": reading}))
    assert course.table.fig[1] == figures


@pytest.mark.parametrize(("reading", "action"), [("both", [1, 1]), ("sender_only", [1, 0])])
def test_a_half_has_a_point_less_and_the_markers(reading: str, action: list[int]) -> None:
    units = [unit_of(0, HERE, 7, 6, markers=2), *battalions()[1:]]
    course = moved(units, proposal(SPLIT, count=3, to=(100.0, 103.0)), rulebook=rulebook_with({"CO-P23": reading}))
    table = course.table
    assert table.count == 4
    assert table.fig[[0, 3]].tolist() == [4, 3]
    assert table.fig0[[0, 3]].tolist() == [4, 3]
    assert table.disc[[0, 3]].tolist() == [6, 5]
    assert table.markers[[0, 3]].tolist() == [2, 2]
    assert table.action[[0, 3]].tolist() == action
    assert table.place(3) == (100.0, 103.0)
    assert rows(course, T_MOVE) == [(0, SPLIT, 3, 100000, 100000, 4, 3, 5, 0, -1)]
    assert course.state.tally[SPLITS] == 1
    assert course.names[3] == "unit 0, half 2"


def test_halves_of_halves_have_names_of_their_own() -> None:
    course = moved([unit_of(0, HERE, 7, 6), *battalions()[1:]], proposal(SPLIT, count=3, to=(100.0, 103.0)))
    course.script({}, {"move": [proposal(SPLIT, count=1, to=(100.0, 106.0))]})
    MovePhase(course).act(3)
    assert course.names[3:] == ["unit 0, half 2", "unit 0, half 3"]


def test_what_is_free_lets_the_unit_go_on() -> None:
    course = moved(
        [unit_of(0, HERE, 7, 6), *battalions()[1:]],
        proposal(SPLIT, count=3, to=(100.0, 103.0)),
        proposal(MOVE, to=(100.0, 90.0)),
        rulebook=rulebook_with({"CO-P23": "none"}),
    )
    assert [row[1] for row in rows(course, T_MOVE)] == [SPLIT, MOVE]
    assert course.table.action[[0, 3]].tolist() == [1, 0]


def test_reinforcements() -> None:
    units = [unit_of(0, HERE, 6, 4, rifles=0), unit_of(0, THERE, 2, 7, arm=CAVALRY), unit_of(1, (200.0, 200.0), 6, 6)]
    course = moved(units, proposal(REINFORCE, target=1, count=2))
    table = course.table
    assert table.fig[:2].tolist() == [4, 4]
    assert table.fig0[:2].tolist() == [6, 2]
    assert table.disc[:2].tolist() == [4, 4]
    assert table.arm[1] == INFANTRY
    assert table.rifles[1] == 0
    assert table.action[:2].tolist() == [1, 1]
    assert rows(course, T_MOVE) == [(0, REINFORCE, 1, 100000, 100000, 4, 4, 4, 0, -1)]
    assert course.state.tally[REINFORCEMENTS] == 1


def test_cavalry_reinforced_by_cavalry_stays_cavalry() -> None:
    units = [
        unit_of(0, HERE, 3, 7, arm=CAVALRY),
        unit_of(0, THERE, 2, 5, arm=CAVALRY),
        unit_of(1, (200.0, 200.0), 6, 6),
    ]
    course = moved(units, proposal(REINFORCE, target=1, count=2))
    assert course.table.arm[1] == CAVALRY
    assert course.table.disc[1] == 5
