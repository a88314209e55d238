"""The skirmish game as the rest of the package sees it: odds and battles of both rulebooks."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from tests.skirmish_battles import SCENARIOS, book_of
from wargamesim.errors import InputError
from wargamesim.games import registry
from wargamesim.games.skirmish.game import GAME
from wargamesim.rulebook import load_rulebook


@pytest.mark.parametrize("name", ["nordamerica", "risorgimento"])
def test_one_game_plays_both_rulebooks(name: str) -> None:
    book = load_rulebook(name)
    game = registry.get(book.game)
    assert game is GAME
    assert game.odds(book, "morale", {"modifier": "0"}).records()[0]["steady"] == 0.5


@pytest.mark.parametrize("name", SCENARIOS)
def test_battles_in_columns(name: str) -> None:
    assert name in GAME.scenarios()
    setup = GAME.compile(book_of(name), GAME.load_scenario(name))
    columns = GAME.play(setup, 1, 0, 4)
    assert list(columns) == ["outcome", *(metric.name for metric in GAME.metrics)]
    assert columns["outcome"].dtype == np.int8
    for metric in GAME.metrics:
        assert columns[metric.name].dtype == np.int16
        assert columns[metric.name].shape == (4,)
        assert (columns[metric.name] >= 0).all()
    fielded = setup.start.fielded
    for i, side in enumerate(GAME.sides):
        assert (columns[f"{side}_killed"] <= fielded[i]).all()
        assert (columns[f"{side}_misfires"] <= columns[f"{side}_shots"]).all()
        assert (columns[f"{side}_pinned"] <= columns[f"{side}_activations"]).all()
        assert (columns[f"{side}_own_hit"] <= columns[f"{side}_hits"]).all()


def test_the_referee_tells_the_same_battle() -> None:
    setup = GAME.compile(load_rulebook("nordamerica"), GAME.load_scenario("line_against_line"))
    events = list(GAME.referee(setup, 1, 0))
    assert events[-1].turn == GAME.play(setup, 1, 0, 1)["turns"][0]
    assert {event.side for event in events} <= {"", *GAME.sides}


def test_a_scenario_comes_back_from_its_source() -> None:
    scenario = GAME.load_scenario("convoy")
    assert GAME.restore_scenario(scenario.source).fingerprint == scenario.fingerprint


def test_unknown_scenarios_are_answered() -> None:
    with pytest.raises(InputError, match="la_spia"):
        GAME.load_scenario("la_spia")


def test_odds_load_nothing_of_the_battles() -> None:
    """What costs seconds is imported when battles are asked for (see `test_walls`)."""
    code = (
        "import sys; from wargamesim.games.skirmish.game import GAME;"
        "from wargamesim.rulebook import load_rulebook;"
        "GAME.odds(load_rulebook('nordamerica'), 'morale', {});"
        "bad = {'numba', 'pydantic', 'wargamesim.games.skirmish.scenario', 'wargamesim.games.skirmish.battle'};"
        "print(sorted(bad & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
