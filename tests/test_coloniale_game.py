"""Coloniale behind the registry: exact odds and battles."""

from __future__ import annotations

import subprocess
import sys

import numpy as np

from wargamesim.games import registry
from wargamesim.games.coloniale import odds
from wargamesim.games.coloniale.game import TALLIED
from wargamesim.games.coloniale.referee import judge_battle
from wargamesim.rulebook import load_rulebook

GAME = registry.get("coloniale")


def test_the_rulebook_finds_its_game() -> None:
    assert load_rulebook("coloniale").game in registry.names()
    assert (GAME.name, GAME.sides) == ("coloniale", ("first", "second"))
    assert GAME.outcomes == ("first", "second", "draw", "no_decision")


def test_it_answers_its_questions() -> None:
    assert GAME.questions == odds.questions
    rulebook = load_rulebook("coloniale")
    assert GAME.odds(rulebook, "guns", {}) == odds.answer(rulebook, "guns", {})


def test_odds_load_nothing_that_only_battles_need() -> None:
    code = "import sys; from wargamesim.games import registry; registry.get('coloniale'); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"numba", "pydantic", "wargamesim.games.coloniale.scenario"} & set(loaded)


def test_it_plays_its_scenarios_and_the_referee_agrees() -> None:
    assert "twelve_a_side" in GAME.scenarios()
    scenario = GAME.load_scenario("mirror")
    assert GAME.restore_scenario(scenario.source).fingerprint == scenario.fingerprint
    setup = GAME.compile(load_rulebook("coloniale"), scenario)
    columns = GAME.play(setup, 5, 10, 3)
    assert list(columns) == ["outcome", *(metric.name for metric in GAME.metrics)]
    assert columns["outcome"].dtype == np.int8
    assert all(columns[metric.name].dtype == np.int16 for metric in GAME.metrics)
    judged = judge_battle(setup, 5, 11)
    assert (columns["outcome"][1], columns["turns"][1]) == (judged["outcome"], judged["turns"])
    for name, tally in TALLIED.items():
        assert columns[name][1] == judged["tally"][tally], name
    assert [event.turn for event in GAME.referee(setup, 5, 11)][-1] == judged["turns"]
