"""Whole battles, told and judged."""

from __future__ import annotations

import numpy as np
import pytest

from tests.stirling_battles import (
    EAST,
    NORTH_EAST,
    WEST,
    assert_chances,
    duel,
    rulebook_with,
)
from tests.stirling_positions import (
    BOW,
    KEY,
    Players,
    course_of,
    go,
    led,
    scripted,
)
from wargamesim.errors import IllegalAction
from wargamesim.games.stirling import layout
from wargamesim.games.stirling.clash import clash
from wargamesim.games.stirling.layout import (
    ROUTED,
    STAY,
    STERILE,
    T_RESULT,
    WALK,
)
from wargamesim.games.stirling.referee import judge_battle, referee
from wargamesim.games.stirling.scenario import compile_setup, load_scenario, scenarios
from wargamesim.games.stirling.units import Unit as Block
from wargamesim.report.replay import replay_lines


@pytest.fixture
def players(monkeypatch: pytest.MonkeyPatch) -> Players:
    return scripted(monkeypatch)


def test_a_clash_ends_as_the_exact_answer_says() -> None:
    """SS-12.8, with Leaders and morale."""
    units = Block(men=100, leader=12), Block(men=80, leader=15)
    exact, setup = clash(rulebook_with(None), *units), duel(*units, turns=1000)
    ends = [judge_battle(setup, KEY, battle)["outcome"] for battle in range(300)]
    chances = [exact.first_wins, exact.second_wins, exact.both_lose, 0.0, exact.sterile]
    assert_chances(np.bincount(ends, minlength=5), chances)


def test_a_battle_that_is_sterile_from_the_start() -> None:
    men = Block(men=20)
    judged = judge_battle(duel(men, men), KEY, 0)
    assert (judged["outcome"], judged["turns"]) == (STERILE, 0)
    assert judged["trace"] == [(0, T_RESULT, STERILE, *[-1] * 9)]
    assert judged["tally"][layout.IN_ORDER : layout.IN_ORDER + 2] == [20, 20]


def test_the_phases_of_a_turn(players: Players) -> None:
    """SS-2.4, SS-P05: the order in which the referee tells them."""
    units = [
        (0, (5, 5), EAST, led(status=ROUTED, **BOW)),
        (0, (0, 0), EAST, led(**BOW)),
        (1, (6, 5), WEST, {"men": 900}),
    ]
    orders_ = {
        "as_chapters": ["initiative:", "ranged combat:", "movement:", "melee:", "morale:", "recovery:"],
        "move_first": ["initiative:", "movement:", "ranged combat:", "melee:", "morale:", "recovery:"],
        "recovery_first": ["recovery:", "initiative:", "ranged combat:", "movement:", "melee:", "morale:"],
    }
    players.targets, players.moves = {1: 2}, {1: go(STAY, to=NORTH_EAST)}
    for reading, told in orders_.items():
        course = course_of(*units, changes={"SS-P05": reading, "SS-P44": "same_turn"}, turns=2)
        events = [event for event in referee(course.setup, KEY, 3) if event.turn == 1]
        phases = [event.text for event in events if event.rule == "SS-2.4"]
        assert phases == [name for name in told if name in phases]
        assert {"initiative:", "ranged combat:", "movement:", "recovery:"} <= set(phases)


@pytest.mark.parametrize("name", scenarios())
def test_every_event_of_shipped_battles_cites_a_rule(name: str) -> None:
    known = set(rulebook_with(None).ids)
    setup = compile_setup(rulebook_with(None), load_scenario(name))
    events = list(referee(setup, KEY, 0))
    assert {event.rule for event in events} <= known
    assert {event.side for event in events} == {""}
    boards = [event for event in events if event.board is not None]
    assert [event.turn for event in boards] == list(range(events[-1].turn + 1))
    assert max(map(len, replay_lines(events))) <= 80


def test_an_illegal_proposal_says_when_it_was_made(players: Players) -> None:
    course = course_of((0, (5, 5), EAST), (1, (6, 5), WEST))
    players.moves = {0: go(WALK, WEST, to=WEST)}
    with pytest.raises(IllegalAction, match=r"SS-5\.7: unit 0 at \(7, 5\) wants to walk.*\(battle 3, turn 1\)"):
        list(referee(course.setup, KEY, 3))


def test_the_first_event_has_the_legend_and_the_last_the_outcome() -> None:
    events = list(referee(duel(Block(), Block()), KEY, 0))
    assert "first side in capitals" in (events[0].board or "")
    assert (
        events[0].text
        == "the armies are drawn up on 16 columns and 16 rows of hexes: 300 men (1 unit) against 300 men (1 unit)"
    )
    assert events[-1].text.endswith("side has won")
