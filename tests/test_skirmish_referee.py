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
from wargamesim.games.skirmish import orders
from wargamesim.games.skirmish.judge import IllegalAction
from wargamesim.games.skirmish.layout import (
    ACT,
    END,
    FIGHT,
    NO_DECISION,
    PASS,
)
from wargamesim.games.skirmish.referee import judge_battle, referee
from wargamesim.games.skirmish.referee_course import (
    ACTION,
    OUTCOME,
)
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
