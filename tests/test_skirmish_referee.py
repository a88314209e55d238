"""Whole battles by the referee, with players who do nothing or what is forbidden."""

from __future__ import annotations

from typing import Any

import pytest

from tests.skirmish_positions import (
    course_of,
    do,
    events,
    figure,
    setup_of,
)
from wargamesim.errors import IllegalAction
from wargamesim.games.skirmish import orders
from wargamesim.games.skirmish.layout import (
    ACT,
    BLUE,
    DEAD,
    END,
    FALL,
    FIGHT,
    HIT,
    LEADER,
    LEFT,
    LOADING,
    MELEE,
    MELEE_AGAIN,
    MISFIRE,
    MORALE,
    MOVE,
    NO_DECISION,
    PASS,
    RELOAD,
    RESULT,
    ROLES,
    ROUNDS,
    ROUTED,
    SHOOT,
    SNAP,
    STATUS,
    WOUNDS,
)
from wargamesim.games.skirmish.referee import judge_battle, referee
from wargamesim.games.skirmish.referee_course import (
    ACTION,
    OUTCOME,
    Course,
)
from wargamesim.games.skirmish.referee_ending import end_of_turn
from wargamesim.games.skirmish.referee_rules import Action

FAR = figure(90, 50, 1)
TWO_SQUADS = [figure(5, 5), figure(9, 5), figure(90, 50, 1)]


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> None:
    def choose(*given: Any) -> None:
        given[5].action[:] = Action(END)[:10]

    monkeypatch.setattr(orders, "choose", choose)


@pytest.mark.usefixtures("idle")
def test_a_battle_in_which_nothing_happens() -> None:
    setup = setup_of(TWO_SQUADS)
    told = list(referee(setup, key=3, battle=4))
    assert told[0].turn == 0
    assert told[0].board is not None
    assert sum(event.board is not None for event in told) == 12
    assert told[-1].text == "outcome: no decision"
    judged = judge_battle(setup, key=3, battle=4)
    assert (judged["outcome"], judged["turns"]) == (NO_DECISION, 10)
    assert judged["trace"][-1] == (10, OUTCOME, NO_DECISION, *[-1] * 9)
    assert judged["tally"] == [0] * 32
    assert setup.start.turn == 0


@pytest.mark.usefixtures("idle")
def test_the_same_battle_twice_and_another_one() -> None:
    setup = setup_of(TWO_SQUADS)
    traces = [judge_battle(setup, 3, battle)["trace"] for battle in (0, 0, 1)]
    assert traces[0] == traces[1] != traces[2]


def test_an_illegal_proposal_names_battle_and_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    def choose(*given: Any) -> None:
        given[5].action[:] = Action(ACT, 99)[:10]

    monkeypatch.setattr(orders, "choose", choose)
    with pytest.raises(IllegalAction, match=r"^NA-2\.8: figure 99 .*\(battle 5, turn 1\)$"):
        list(referee(setup_of(TWO_SQUADS), key=3, battle=5))


def test_a_figure_that_does_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    course = course_of([figure(5, 5), FAR], {})
    do(course, monkeypatch, PASS)
    assert events(course, ACTION) == [(0, PASS, -1, 0, 0, 0, 5000, 5000, 0, 0)]
    with pytest.raises(IllegalAction):
        do(course, monkeypatch, FIGHT)


# What a designer reads: by which rule, who, the die, what it needed, and what came of it


def told(course: Course) -> list[tuple[str, str]]:
    return [(event.rule, event.text) for event in course.listen()]


def test_a_shot_is_told_with_die_need_and_result(monkeypatch: pytest.MonkeyPatch) -> None:
    course = course_of([figure(5, 5, also={WOUNDS: 1}), figure(23, 5, 1)], {MISFIRE: 6, HIT: 7, RESULT: 4})
    do(course, monkeypatch, SHOOT, target=1)
    assert told(course) == [
        ("NA-4.11", "A0 fires its musket at B1 (18.0 cm): D10 7 - 1 (wounded) = 6, needs 5, a hit"),
        ("NA-5.4", "B1: D6 4, wounded and down"),
    ]
    strict = course_of([figure(5, 5), figure(23, 5, 1)], {MISFIRE: 6, HIT: 5}, changes={"NA-4.11": "strict"})
    do(strict, monkeypatch, SHOOT, target=1)
    assert told(strict) == [("NA-4.11", "A0 fires its musket at B1 (18.0 cm): D10 5, needs 6, a miss")]
    damp = course_of([figure(5, 5), figure(23, 5, 1)], {MISFIRE: 1})
    do(damp, monkeypatch, SHOOT, target=1)
    assert told(damp) == [("NA-4.2", "A0 fires its musket at B1 (18.0 cm): D6 1, a misfire")]


def test_morale_runs_and_snap_shots_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    figures = [figure(5, 5, also={BLUE: 1, LOADING: 1, ROUNDS: 0}), figure(9, 5, also={ROLES: LEADER}), FAR]
    course = course_of(figures, {MORALE: 4, FALL: 2, SNAP: 3})
    do(course, monkeypatch, MOVE, run=1, to=(5, 15))
    course.state.place[:2, 2] = 5, 30
    do(course, monkeypatch, RELOAD, target=2)
    assert told(course) == [
        ("NA-8.3", "A0 tests morale: D6 4 + 1 (leader near) = 5: steady, at 4 or more"),
        ("NA-3.3f", "A0 runs: D6 2, needs 2, keeps its feet"),
        ("NA-3.3", "A0 runs 10.0 cm to (5.0, 15.0)"),
        ("NA-3.19", "A0 reloads; marker left: none"),
        ("NA-3.20a", "A0 tries a snap shot: D6 3, needs 4, too late"),
    ]


def test_a_round_is_told_by_its_own_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    figures = [figure(5, 5, also={LOADING: 1}), figure(7, 5, 1, also={LOADING: 1, WOUNDS: 1})]
    dice = {(MELEE, 0): 3, (MELEE, 64): 2, (MELEE_AGAIN, 0): 2, (MELEE_AGAIN, 1): 6}
    course = course_of(figures, dice)
    do(course, monkeypatch, FIGHT)
    assert told(course) == [
        ("NA-7.2", "A0 begins a round: B1 against A0"),
        ("NA-7.8", "B1 D6 3 - 1 (wounded) = 2 against A0 D6 2, a tie; bare dice in throw 2: 2 to 6: B1 loses"),
        ("NA-7.10", "B1, killed"),
    ]


def test_the_end_of_a_turn_counts_who_is_left() -> None:
    gone = [(DEAD, 0), (DEAD, 0), (ROUTED, 0), (LEFT, 1)]
    figures = [
        figure(5, 5, also={BLUE: 1}),
        *(figure(9 + 3 * i, 5, side, also={STATUS: s}) for i, (s, side) in enumerate(gone)),
    ]
    course = course_of([*figures, FAR], {})
    end_of_turn(course)
    assert told(course)[-1] == (
        "NA-2.6",
        "the turn is over; first: 1 in play (1 with a blue marker), 2 dead, 1 routed;"
        " second: 1 in play (0 with a blue marker), 1 off the table",
    )


@pytest.mark.usefixtures("idle")
def test_a_card_that_nobody_uses_is_told() -> None:
    texts = [event.text for event in referee(setup_of(TWO_SQUADS), key=3, battle=4)]
    assert "nobody of squad 0 acts" in texts
