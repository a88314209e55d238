"""Stirling behind the registry: exact odds and battles."""

from __future__ import annotations

import numpy as np
import pytest

from wargamesim.dice.keys import battle_key
from wargamesim.errors import InputError
from wargamesim.games import registry
from wargamesim.games.stirling import battle, odds
from wargamesim.games.stirling.game import TALLIED
from wargamesim.games.stirling.scenario import Setup
from wargamesim.rulebook import load_rulebook

GAME = registry.get("stirling")
KEY = battle_key(1297)


@pytest.fixture(scope="module")
def setup() -> Setup:
    compiled: Setup = GAME.compile(load_rulebook("stirling"), GAME.load_scenario("mirror"))
    return compiled


def test_the_rulebook_finds_its_game() -> None:
    assert load_rulebook("stirling").game in registry.names()
    assert (GAME.name, GAME.sides) == ("stirling", ("first", "second"))
    assert GAME.outcomes == (*GAME.sides, "draw", "no_decision", "sterile")


def test_it_answers_its_questions() -> None:
    assert GAME.questions == odds.questions
    rulebook = load_rulebook("stirling")
    assert GAME.odds(rulebook, "turn", {}) == odds.answer(rulebook, "turn", {})


def test_scenarios_are_loaded_and_restored() -> None:
    assert len(GAME.scenarios()) >= 3
    for name in GAME.scenarios():
        scenario = GAME.load_scenario(name)
        assert scenario.game == "stirling"
        assert GAME.restore_scenario(scenario.source).fingerprint == scenario.fingerprint
    with pytest.raises(InputError, match="no_such"):
        GAME.load_scenario("no_such")


def test_columns_are_outcome_and_metrics(setup: Setup) -> None:
    columns = GAME.play(setup, KEY, 0, 40)
    assert list(columns) == ["outcome", *(metric.name for metric in GAME.metrics)]
    assert columns["outcome"].dtype == np.int8
    assert {column.dtype for name, column in columns.items() if name != "outcome"} == {np.dtype(np.int16)}
    assert all(len(column) == 40 for column in columns.values())
    assert (columns["outcome"] < len(GAME.outcomes)).all()
    assert columns["turns"].min() >= 1
    records, _ = battle.play(setup, KEY, 0, 40)
    for name, tally in TALLIED.items():
        assert (columns[name] == records[:, 2 + tally]).all()
    part = GAME.play(setup, KEY, 25, 15)
    assert all((part[name] == column[25:]).all() for name, column in columns.items())


def test_no_battles(setup: Setup) -> None:
    assert all(len(column) == 0 for column in GAME.play(setup, KEY, 0, 0).values())


def test_the_referee_tells_a_battle(setup: Setup) -> None:
    events = list(GAME.referee(setup, KEY, 0))
    columns = GAME.play(setup, KEY, 0, 1)
    assert events[-1].turn == columns["turns"][0]
    known = set(load_rulebook("stirling").ids)
    assert {event.rule for event in events} <= known
    assert any(event.board for event in events)
