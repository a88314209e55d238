"""Assaults by the referee: who wins, what it costs, tests, pursuit and what it is worth to stand well."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.coloniale_battles import rulebook_with, unit_of
from tests.coloniale_positions import chances, course_of, proposal, rows, rules_of, two
from wargamesim.games.coloniale.layout import (
    ASSAULT,
    ASSAULTS,
    ATTACKER_WON,
    BATTERY,
    BOTH_GONE,
    CAVALRY,
    CHOSEN,
    DEFENDER_WON,
    DESTROYED,
    DESTRUCTIONS,
    FALLS,
    FORCED,
    FORCED_BACK,
    IN_PLAY,
    LEVEL_UNIT,
    LOST_TO_DEFEAT,
    LOST_TO_DICE,
    NO_WINNER,
    PURSUIT,
    PURSUITS,
    RISES,
    STRIDE,
    T_AFTER,
    T_ASSAULT,
    TEST,
    VALUE,
    WON,
)
from wargamesim.games.coloniale.referee_assault import (
    Job,
    assault_phase,
    bonus_of,
    fight,
    may_pursue,
    must_fight,
    resolve,
)

MISS, HIT = 1, 6


def dice(a: int, d: int, values: tuple[int, ...], tests: tuple[int, ...] = (1, 1)) -> dict[int, list[int]]:
    """Return dice of 6 figures each that hit so often, of the values, and of the tests."""
    return {
        ASSAULT: [HIT] * a + [MISS] * (6 - a) + [HIT] * d + [MISS] * (6 - d),
        VALUE: list(values),
        TEST: list(tests),
    }


def fought(course: Any, answers: tuple[int, ...] = (0,), kind: int = CHOSEN) -> Any:
    course.answers = {"pursue": list(answers)}
    course.side = 0
    resolve(course, Job(0, 1, kind))
    return course


def winner(course: Any) -> int:
    return int(rows(course, T_ASSAULT)[0][9])


def test_the_higher_value_wins_and_the_loser_pays() -> None:
    course = fought(course_of(two(), dice(2, 1, (4, 4))))
    # 4 + 6 - 0 - 1 own loss against 4 + 6 - 0 - 2.
    assert rows(course, T_ASSAULT) == [(0, 1, CHOSEN, 1, 2, 9, 8, 0, 0, ATTACKER_WON)]
    assert course.table.fig[:2].tolist() == [5, 3]
    assert course.table.markers[:2].tolist() == [1, 3]
    assert course.table.action[:2].tolist() == [1, 1]
    assert course.table.assaulted[:2].tolist() == [0, 1]
    assert course.table.place(0) == (128.0, 138.0), "it takes the position"
    assert course.table.place(1) == (128.0, 158.0), "20 cm back"
    tally = course.state.tally
    assert tally[[ASSAULTS, ASSAULTS + 1, WON, WON + 1]].tolist() == [1, 0, 1, 0]
    assert tally[[LOST_TO_DICE, LOST_TO_DICE + 1, LOST_TO_DEFEAT + 1]].tolist() == [1, 2, 1]
    assert rows(course, T_AFTER) == [
        (0, 5, 6, 1, 128000, 138000, IN_PLAY, 1, 0, -1),
        (1, 3, 6, 3, 128000, 158000, IN_PLAY, 1, 0, -1),
    ]
    assert rules_of(course) == ["CO-5.1", "CO-5.6b", "CO-5.8"]


def test_markers_lower_the_value() -> None:
    units = two()
    course = fought(course_of([units[0] | {"markers": 2}, units[1]], dice(0, 0, (4, 3))))
    assert rows(course, T_ASSAULT)[0][5:7] == (8, 9)
    assert winner(course) == DEFENDER_WON
    assert course.table.markers[:2].tolist() == [5, 1]
    assert course.table.place(0) == (128.0, 116.0), "back from contact, 2 cm before the defender"


@pytest.mark.parametrize(
    ("tie", "result", "markers", "figures", "y"),
    [
        ("defender", DEFENDER_WON, [3, 1], [5, 6], 116.0),
        ("attacker", ATTACKER_WON, [1, 3], [6, 5], 138.0),
        ("draw", NO_WINNER, [1, 1], [6, 6], 116.0),
    ],
)
def test_equal_values(tie: str, result: int, markers: list[int], figures: list[int], y: float) -> None:
    course = fought(course_of(two(), dice(0, 0, (3, 3)), rulebook=rulebook_with({"CO-P16": tie})))
    assert winner(course) == result
    assert course.table.markers[:2].tolist() == markers
    assert course.table.fig[:2].tolist() == figures
    assert course.table.place(0) == (128.0, y)
    assert course.state.tally[[WON, WON + 1]].sum() == (0 if tie == "draw" else 1)


def test_equal_values_may_be_rolled_again() -> None:
    rulebook = rulebook_with({"CO-P16": "reroll"})
    course = fought(course_of(two(), dice(0, 0, (3, 3, 2, 2, 5, 4)), rulebook=rulebook))
    assert rows(course, T_ASSAULT)[0][5:] == (11, 10, 0, 2, ATTACKER_WON)
    assert [key[2] for key in course.rolled if key[1] == VALUE] == [0, 0, 1, 1, 2, 2]
    without = rulebook_with({"CO-P16": "reroll", "assault.value_die": 1})
    assert winner(fought(course_of(two(), dice(0, 0, (1, 1)), rulebook=without))) == NO_WINNER


def test_who_has_no_figures_left_has_lost_before_values_are_compared() -> None:
    course = fought(course_of(two((1, 6)), {ASSAULT: [1, 6, 1, 1, 1, 1, 1], TEST: [1]}))
    assert rows(course, T_ASSAULT) == [(0, 1, CHOSEN, 1, 0, 0, 0, 0, 0, DEFENDER_WON)]
    assert course.table.status[:2].tolist() == [DESTROYED, IN_PLAY]
    assert course.state.tally[DESTRUCTIONS] == 1
    assert course.table.markers[:2].tolist() == [3, 1]


def test_both_may_be_gone_and_nobody_has_won() -> None:
    course = fought(course_of(two((1, 1)), {ASSAULT: [6, 6]}))
    assert winner(course) == BOTH_GONE
    assert course.table.status[:2].tolist() == [DESTROYED, DESTROYED]
    assert course.state.tally[[WON, WON + 1, LOST_TO_DEFEAT, LOST_TO_DEFEAT + 1]].tolist() == [0] * 4
    assert course.table.markers[:2].tolist() == [0, 0]


def test_values_may_decide_all_the_same() -> None:
    rulebook = rulebook_with({"CO-P15": "values_decide"})
    course = fought(
        course_of(two((1, 6)), {ASSAULT: [1, 6, 1, 1, 1, 1, 1], VALUE: [6, 2], TEST: [1]}, rulebook=rulebook)
    )
    assert rows(course, T_ASSAULT) == [(0, 1, CHOSEN, 1, 0, 11, 8, 0, 0, ATTACKER_WON)]
    assert course.table.status[:2].tolist() == [DESTROYED, IN_PLAY]
    assert course.table.fig[1] == 5
    assert course.state.tally[WON] == 1


@pytest.mark.parametrize(
    ("reading", "body"),
    [
        ("body", (Fraction(185, 432), Fraction(235, 432), Fraction(1, 36))),
        ("summary", (Fraction(11, 27), Fraction(13, 27), Fraction(1, 9))),
    ],
)
def test_one_figure_against_one_has_the_chances_of_the_rules(reading: str, body: tuple[Fraction, ...]) -> None:
    rulebook = rulebook_with({"CO-5.2": reading, "CO-P17": "none"})
    course = course_of(two((1, 1)), rulebook=rulebook, movement=0)

    def result(faces: tuple[int, ...]) -> int:
        course.trace.clear()
        course.told.clear()
        for unit in (0, 1):
            course.table.fig[unit], course.table.status[unit], course.table.markers[unit] = 1, IN_PLAY, 0
        course.script({ASSAULT: faces[:2], VALUE: faces[2:]}, {})
        return winner(fought(course))

    assert chances((6, 6, 6, 6), result) == dict(zip((ATTACKER_WON, DEFENDER_WON, BOTH_GONE), body, strict=True))


def test_no_more_dice_than_the_limit() -> None:
    rulebook = rulebook_with({"CO-5.2": "summary_strict"})
    course = fought(
        course_of(two((8, 7)), {ASSAULT: [5] * 5 + [4] * 5, VALUE: [1, 1], TEST: [1, 1]}, rulebook=rulebook)
    )
    assert rows(course, T_ASSAULT) == [(0, 1, CHOSEN, 0, 5, 7, 2, 0, 0, ATTACKER_WON)]


@pytest.mark.parametrize(
    ("faces", "reading", "disciplines"),
    [
        ((5, 5), "both", [7, 5]),
        ((4, 4), "both", [6, 6]),
        ((5,), "loser_only", [6, 5]),
        ((), "none", [6, 6]),
    ],
)
def test_tests_of_discipline(faces: tuple[int, ...], reading: str, disciplines: list[int]) -> None:
    course = fought(course_of(two(), dice(0, 0, (6, 1), faces), rulebook=rulebook_with({"CO-P17": reading})))
    assert course.table.disc[:2].tolist() == disciplines
    assert course.state.tally[RISES] == disciplines[0] - 6
    assert course.state.tally[FALLS + 1] == 6 - disciplines[1]
    assert not course.dice[TEST], "the winner rolls first"


@pytest.mark.parametrize(("reading", "disciplines"), [("always", [10, 3]), ("generation_only", [11, 2])])
def test_the_range_of_discipline(reading: str, disciplines: list[int]) -> None:
    units = two(discipline=(10, 3))
    course = fought(course_of(units, dice(0, 0, (6, 1), (6, 6)), rulebook=rulebook_with({"CO-P02": reading})))
    assert course.table.disc[:2].tolist() == disciplines
    assert course.state.tally[[RISES, FALLS + 1]].tolist() == [disciplines[0] - 10, 3 - disciplines[1]]


@pytest.mark.parametrize(
    ("high", "fort", "reading", "bonus"),
    [
        (False, 0, "add", 0),
        (True, 0, "add", 1),
        (False, 1, "add", 4),
        (True, 1, "add", 5),
        (True, 1, "fort_only", 4),
        (True, 0, "fort_only", 1),
    ],
)
def test_what_position_and_fort_add(high: bool, fort: int, reading: str, bonus: int) -> None:
    units = two()
    course = course_of(
        [units[0], units[1] | {"fort": fort}], forts=[(128.0, 138.0)], rulebook=rulebook_with({"CO-P21": reading})
    )
    if high:
        course.table.what[130:, :] = LEVEL_UNIT
    assert bonus_of(course, 0, 1) == bonus


def test_a_garrison_that_loses_is_eliminated_and_infantry_takes_its_fort() -> None:
    units = two()
    for arm, fort in ((0, 1), (CAVALRY, 0)):
        garrison = units[1] | {"fort": 1}
        course = course_of([units[0] | {"arm": arm}, garrison], dice(0, 0, (6, 1), (1,)), forts=[(128.0, 138.0)])
        fought(course)
        assert rows(course, T_ASSAULT)[0][5:8] == (12, 11, 4)
        assert course.table.status[1] == DESTROYED
        assert course.state.tally[LOST_TO_DEFEAT + 1] == 6
        assert course.table.place(0) == (128.0, 138.0)
        assert course.table.fort[0] == fort


def test_a_garrison_that_assaults_leaves_its_fort() -> None:
    units = two()
    course = fought(course_of([units[0] | {"fort": 1}, units[1]], dice(0, 0, (6, 1)), forts=[(128.0, 128.0)]))
    assert course.table.fort[0] == 0


def test_without_movement_nobody_moves() -> None:
    course = fought(course_of(two(), dice(0, 0, (6, 1)), movement=0))
    assert [course.table.place(unit)[1] for unit in (0, 1)] == [128.0, 138.0]


def test_the_winner_pursues_until_he_loses_and_is_pursued_himself() -> None:
    faces = {ASSAULT: [1] * (12 + 11 + 10), VALUE: [6, 1, 1, 6, 6, 1], TEST: [1] * 6}
    course = fought(course_of(two(), faces), (1, 1, 0))
    told = [row[:3] + row[9:] for row in rows(course, T_ASSAULT)]
    assert told == [(0, 1, CHOSEN, 0), (0, 1, PURSUIT, DEFENDER_WON), (1, 0, PURSUIT, ATTACKER_WON)]
    keys = [key[2] // STRIDE for key in course.rolled if key[1] == VALUE]
    assert keys == [0, 0, 1, 1, 2, 2], "its own dice in each assault"
    assert course.state.tally[[PURSUITS, PURSUITS + 1]].tolist() == [1, 1]


def test_who_may_pursue() -> None:
    course = course_of(two(apart=22.0))
    job = Job(0, 1, has_attacked=False)
    assert may_pursue(course, job)
    course.state.night = 1
    assert not may_pursue(course, job), "nobody at night"
    course.state.night = 0
    course.table.put(1, (128.0, 150.1))
    assert not may_pursue(course, job), "more than 20 cm to contact"
    attackers = course_of(two(apart=22.0), rulebook=rulebook_with({"CO-P20": "attacker_only"}))
    assert not may_pursue(attackers, job)
    assert may_pursue(attackers, job._replace(has_attacked=True))
    units = two(apart=22.0)
    guns = [units[0] | {"arm": BATTERY}, units[1]]
    assert not may_pursue(course_of(guns), job)
    assert may_pursue(course_of(guns, rulebook=rulebook_with({"CO-P11": "yes"})), job)


@pytest.mark.parametrize("reading", ["before_pursuit", "after_pursuit"])
def test_who_falls_back_into_an_enemy_assaults_him(reading: str) -> None:
    other = unit_of(0, (128.0, 150.0), 6, 6)
    units = [two()[0], other, two()[1]]
    course = course_of(units, dice(0, 0, (6, 1)), rulebook=rulebook_with({"CO-P19": reading}))
    last, first = Job(0, 2, has_attacked=True), Job(2, 1, FORCED_BACK)
    assert fight(course, 0, 2, CHOSEN) == ([last, first] if reading == "before_pursuit" else [first, last])


def test_a_forced_assault_is_made_with_the_new_markers() -> None:
    other = unit_of(0, (128.0, 150.0), 6, 6)
    faces = {ASSAULT: [1] * 23, VALUE: [6, 1, 6, 1], TEST: [1] * 4}
    course = course_of([two()[0], other, two()[1]], faces, {"pursue": [0, 0]})
    resolve(course, Job(0, 2, CHOSEN))
    assert [row[:3] + row[5:7] for row in rows(course, T_ASSAULT)] == [(0, 2, CHOSEN, 12, 7), (2, 1, FORCED_BACK, 9, 7)]
    assert course.state.tally[FORCED + 1] == 1


def test_a_forced_assault_needs_contact_and_at_night_a_fresh_enemy() -> None:
    course = course_of(two(apart=2.0))
    job = Job(0, 1, FORCED_BACK)
    assert must_fight(course, job)
    course.table.assaulted[1] = 1
    assert must_fight(course, job)
    course.state.night = 1
    assert not must_fight(course, job)
    course.table.assaulted[1] = 0
    course.table.put(1, (128.0, 140.0))
    assert not must_fight(course, job)
    assert must_fight(course, job._replace(kind=PURSUIT))
    course.table.status[0] = DESTROYED
    assert not must_fight(course, job._replace(kind=PURSUIT))


def test_the_sides_assault_by_turns_until_both_pass() -> None:
    units = [
        unit_of(0, (60.0, 60.0), 6, 6),
        unit_of(0, (160.0, 60.0), 6, 6),
        unit_of(1, (60.0, 70.0), 6, 6),
        unit_of(1, (160.0, 70.0), 6, 6),
    ]
    answers = {"assault": [proposal(0, 3, 1), proposal(0, 0, 2), proposal(), proposal()], "pursue": [0, 0]}
    course = course_of(units, {ASSAULT: [1] * 24, VALUE: [6, 1, 6, 1], TEST: [1] * 4}, answers)
    assault_phase(course, 1)
    assert [row[:2] for row in rows(course, T_ASSAULT)] == [(3, 1), (0, 2)]
    assert not course.answers["assault"]
