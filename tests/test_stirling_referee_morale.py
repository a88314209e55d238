"""Morale and recovery (sections 9 and 10)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.stirling_battles import (
    EAST,
    WEST,
)
from tests.stirling_positions import (
    ALONE,
    FAR,
    Dice,
    course_of,
    led,
    rows,
)
from wargamesim.games.stirling import layout
from wargamesim.games.stirling.layout import (
    DISPERSED,
    FIT,
    GONE,
    NERVE,
    ORDERED,
    ROUTED,
    RUNS,
    T_BROKEN,
    T_CHECK,
)
from wargamesim.games.stirling.referee_course import Course
from wargamesim.games.stirling.referee_morale import check, morale_phase, recovery_phase, situations

# Morale (section 9)


def bits_of(course: Course, unit: int = 0) -> list[int]:
    return situations(course, course.board.units[unit])


def test_losses_are_a_situation_once() -> None:
    """SS-9.1b."""
    course = course_of((*ALONE, {"men": 230, "men0": 300}), FAR)
    unit = course.board.units[0]
    assert bits_of(course) == []
    for men, found in ((225, [1]), (150, [1, 2]), (80, [1, 2]), (70, [1, 2, 3])):
        unit.men = men
        assert bits_of(course) == found
    Dice(course)
    check(course, unit, bits_of(course))
    assert bits_of(course) == []
    assert unit.reached == 0b1110


def test_the_other_situations() -> None:
    course = course_of((*ALONE, {"broken_turn": 0}), (0, (3, 0), EAST), (0, (4, 0), EAST), FAR)
    units = course.board.units
    units[0].struck_back = units[1].leader_gone = units[2].commander_gone = 1
    assert [bits_of(course, unit) for unit in range(4)] == [[5], [4], [8], []]
    units[0].broken_turn = 1  # three hexes from the second, four from the third
    assert [bits_of(course, unit) for unit in range(4)] == [[5], [4, 6], [8], []]
    units[0].status = DISPERSED
    assert bits_of(course, 1) == [4, 6]
    course.turn = 2
    assert bits_of(course, 1) == [4]


def test_who_is_outnumbered() -> None:
    """SS-9.1f: three to one, in contact."""
    for men, at, count in ((450, (6, 5), 1), (440, (6, 5), 0), (450, (7, 5), 0)):
        course = course_of((0, (5, 5), EAST), (1, at, WEST, {"men": men}), (1, (5, 4), WEST, {"men": 450}))
        Dice(course)
        morale_phase(course)
        assert course.board.units[0].outnumbered == count
    course = course_of((0, (5, 5), EAST), (1, (6, 5), WEST, {"men": 900, "status": ROUTED}))
    morale_phase(course)
    assert course.board.units[0].outnumbered == 0


def test_situations_can_be_switched_off() -> None:
    course = course_of((*ALONE, {"men": 100}), FAR, changes={"morale.situations.lost_half.on": False})
    course.board.units[0].struck_back = 1
    assert bits_of(course) == [1, 5]


def test_what_a_check_needs() -> None:
    """SS-12.12: rating 13, Leader Cha 15 (+3), Commander Cha 14 (+2), half lost (-2 and -4)."""
    course = course_of((*ALONE, led(men=150)), FAR, commanders=((-1, 14), (-1, 0)))
    Dice(course)
    check(course, course.board.units[0], [1, 2])
    assert [row[:7] for row in rows(course, T_CHECK)] == [
        (0, 0, 0, 6, 15 + 2 - 6, 2, 1),
        (0, 1, 0, 6, 13 + 5 - 6, 2, 1),
    ]


def test_a_commander_on_the_board_must_be_there_and_in_order() -> None:
    for fields, more in (({}, 5), ({"leader": RUNS}, 0), ({"status": DISPERSED}, 0), ({"status": ROUTED}, 5)):
        course = course_of(
            ALONE, (0, (5, 0), EAST, {"charisma": 16, "leader": FIT} | fields), FAR, commanders=((1, 16), (-1, 0))
        )
        Dice(course)
        check(course, course.board.units[0], [5])
        assert rows(course, T_CHECK)[0][4] == 13 - 2 + more


def test_whose_charisma_helps_a_leader() -> None:
    for reading, more in (("commander", 2), ("none", 0)):
        course = course_of((*ALONE, led()), FAR, commanders=((-1, 14), (-1, 0)), changes={"SS-P48": reading})
        Dice(course)
        check(course, course.board.units[0], [5])
        assert rows(course, T_CHECK)[0][4] == 15 - 2 + more


def test_a_run_may_cost_morale() -> None:
    for reading, more in (("none", 0), ("morale", -1)):
        course = course_of((*ALONE, {"ran": 1}), FAR, changes={"SS-P17": reading})
        Dice(course)
        check(course, course.board.units[0], [5])
        assert rows(course, T_CHECK)[0][4] == 13 - 2 + more


LEADER_FAILS = {(0, 0): 10, (0, 1): 10}
TROOPS_FAIL = {(0, 2): 10, (0, 3): 10}


@pytest.mark.parametrize(
    ("combine", "nerve", "rolls", "status", "leader"),
    [
        ("separate", {}, 2, ORDERED, FIT),
        ("separate", LEADER_FAILS, 2, ORDERED, RUNS),
        ("separate", TROOPS_FAIL, 2, ROUTED, FIT),
        ("separate", LEADER_FAILS | TROOPS_FAIL, 2, ROUTED, RUNS),
        ("either", {}, 2, ORDERED, FIT),
        ("either", LEADER_FAILS, 1, ROUTED, RUNS),
        ("either", TROOPS_FAIL, 2, ROUTED, FIT),
        ("both", {}, 1, ORDERED, FIT),
        ("both", TROOPS_FAIL, 1, ORDERED, FIT),
        ("both", LEADER_FAILS, 2, ORDERED, RUNS),
        ("both", LEADER_FAILS | TROOPS_FAIL, 2, ROUTED, RUNS),
    ],
)
def test_troops_and_leader(
    combine: str, nerve: dict[tuple[int, int], int], rolls: int, status: int, leader: int
) -> None:
    """SS-9.2, SS-P47."""
    course = course_of((*ALONE, led()), FAR, changes={"SS-P47": combine})
    dice = Dice(course, nerve=nerve)
    unit = course.board.units[0]
    check(course, unit, [5])
    assert (len(rows(course, T_CHECK)), unit.status, unit.leader) == (rolls, status, leader)
    assert {die[1] for die in dice.rolled} == {NERVE}


def test_troops_miss_a_leader_who_fails() -> None:
    course = course_of((*ALONE, led()), FAR)
    Dice(course, nerve=10)
    unit = course.board.units[0]
    check(course, unit, [5])
    # Without his charisma, and with the situation that he is lost.
    assert rows(course, T_CHECK)[1][:5] == (0, 1, 0, 1 << 5 | 1 << 4, 13 - 2 - 4)
    assert (unit.failed_modifier, unit.routed_turn, unit.broken_turn, unit.leader_turn) == (-6, 1, 1, 1)
    assert rows(course, T_BROKEN) == [(0, ROUTED, *[-1] * 8)]


def test_the_side_hears_of_a_commander_who_runs() -> None:
    course = course_of((*ALONE, led()), (0, (9, 0), EAST), FAR, commanders=((0, 15), (-1, 0)))
    Dice(course, nerve={0: 10})
    check(course, course.board.units[0], [5])
    assert rows(course, T_CHECK)[1][3:5] == (1 << 5 | 1 << 4 | 1 << 8, 13 - 2 - 4 - 4)
    assert [unit.commander_gone for unit in course.board.units] == [0, 1, 0]


def test_a_check_for_each_situation() -> None:
    """SS-P39."""
    course = course_of((*ALONE, {"men": 150}), FAR, changes={"SS-P39": "one_per_situation"})
    dice = Dice(course)
    check(course, course.board.units[0], [1, 2, 5])
    assert [row[3:5] for row in rows(course, T_CHECK)] == [(2, 11), (4, 13 - 4 - 1), (32, 13 - 2 - 2)]
    assert [die[2] for die in dice.rolled] == [2, 3, 34, 35, 66, 67]
    course = course_of((*ALONE, {"men": 150}), FAR, changes={"SS-P39": "one_per_situation"})
    Dice(course, nerve={(0, 34): 10})
    check(course, course.board.units[0], [1, 2, 5])
    assert len(rows(course, T_CHECK)) == 2  # the first failure fails
    assert course.board.units[0].failed_modifier == -8


def test_a_second_failure_disperses() -> None:
    """SS-9.5."""
    course = course_of((*ALONE, led(status=ROUTED)), (0, (2, 0), EAST), FAR)
    Dice(course, nerve=10)
    check(course, course.board.units[0], [5])
    unit = course.board.units[0]
    assert (unit.status, unit.leader, unit.broken_turn) == (DISPERSED, GONE, 1)
    assert [course.state.tally[each] for each in (layout.DISPERSALS, layout.ROUTS, layout.LEADERS_LOST)] == [1, 0, 1]


def test_one_check_a_phase_but_for_all_who_hear_of_it() -> None:
    """SS-9.6: whom the first rout brings into a difficult situation checks too, whatever the order."""
    course = course_of((0, (0, 0), EAST), (0, (2, 0), EAST), (0, (5, 0), EAST, {"struck_back": 1}), FAR)
    Dice(course, nerve=10)
    morale_phase(course)
    assert [row[0] for row in rows(course, T_CHECK)] == [2, 1, 0]
    assert [unit.status for unit in course.board.units] == [ROUTED, ROUTED, ROUTED, ORDERED]
    # The first to break has friends who broke nearby too, but has checked already.
    assert [unit.checked for unit in course.board.units] == [1, 1, 1, 0]


# Recovery (section 10)


def recovered(fields: dict[str, int], changes: Mapping[str, str] | None = None, turn: int = 2, face: int = 1) -> Course:
    course = course_of((*ALONE, {"status": ROUTED, "routed_turn": 1, **fields}), FAR, changes=changes)
    course.turn = turn
    Dice(course, unit_recovers=face, leader_recovers=face)
    recovery_phase(course)
    return course


def test_a_unit_recovers_with_its_leader() -> None:
    course = recovered(led())
    assert rows(course, T_CHECK) == [(0, 1, 2, 0, 16, 2, 1, -1, -1, -1)]
    assert course.board.units[0].status == ORDERED
    assert course.state.tally[layout.RECOVERIES] == 1
    assert recovered(led(), face=10).board.units[0].status == ROUTED
    assert rows(recovered({}), T_CHECK) == []
    assert rows(recovered(led(leader=GONE)), T_CHECK) == []


def test_recovery_ignores_the_commander_and_the_situation() -> None:
    course = course_of((*ALONE, led(status=ROUTED, failed_modifier=-6)), FAR, commanders=((-1, 18), (-1, 0)))
    course.turn = 2
    recovery_phase(course)
    assert rows(course, T_CHECK)[0][4] == 16
    assert rows(recovered(led(failed_modifier=-6), {"SS-P45": "as_last_check"}), T_CHECK)[0][4] == 10


def test_a_leader_comes_round_by_himself_and_then_rallies() -> None:
    course = recovered(led(leader=RUNS, leader_turn=1))
    assert [row[1:5] for row in rows(course, T_CHECK)] == [(0, 2, 0, 15), (1, 2, 0, 16)]
    assert (course.board.units[0].leader, course.board.units[0].status) == (FIT, ORDERED)


@pytest.mark.parametrize(
    ("reading", "turn", "steps", "tries"),
    [
        ("next_turn", 1, 0, 0),
        ("next_turn", 2, 9, 1),
        ("same_turn", 1, 9, 1),
        ("hold", 1, 0, 0),
        ("hold", 2, 1, 0),
        ("hold", 2, 0, 1),
    ],
)
def test_when_a_unit_recovers(reading: str, turn: int, steps: int, tries: int) -> None:
    """SS-10.3, SS-P44."""
    for leader in (FIT, RUNS):
        course = recovered(led(steps_made=steps, leader=leader, leader_turn=1), {"SS-P44": reading}, turn)
        assert len(rows(course, T_CHECK)) == tries * (1 if leader == FIT else 2)


@pytest.mark.parametrize(
    ("reading", "away", "charisma"),
    [("own_or_in_hex", 0, 16), ("own_or_in_hex", 1, 14), ("own", 0, 14), ("adjacent", 1, 16), ("adjacent", 2, 14)],
)
def test_which_leader_rallies(reading: str, away: int, charisma: int) -> None:
    """SS-P43: the best of those who can; charisma 14 gives 2, 16 gives 5."""
    other = (0, (away, 0), EAST, {"charisma": 16, "leader": FIT})
    course = course_of((*ALONE, led(charisma=14, status=ROUTED)), other, FAR, changes={"SS-P43": reading})
    course.turn = 2
    recovery_phase(course)
    assert rows(course, T_CHECK)[0][4] == 13 + {14: 2, 16: 5}[charisma]
