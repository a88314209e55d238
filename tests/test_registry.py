"""The registry of games: names, lazy import, what a game must offer."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from wargamesim.errors import InputError
from wargamesim.games import registry

TESTS = Path(__file__).parent


def test_names_are_sorted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.GAMES, "aaa", "somewhere:GAME")
    assert registry.names() == sorted(registry.GAMES)
    assert registry.names()[:2] == ["aaa", "azincourt"]


def test_unknown_game_names_the_nearest() -> None:
    with pytest.raises(InputError, match=r"^unknown game 'azincort'; did you mean 'azincourt'\? Known: azincourt"):
        registry.get("azincort")


def test_a_game_is_imported_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(TESTS))
    monkeypatch.setitem(registry.GAMES, "coin", "simulate_coin:GAME")
    monkeypatch.delitem(sys.modules, "simulate_coin", raising=False)
    registry.names()
    assert "simulate_coin" not in sys.modules
    game = registry.get("coin")
    assert "simulate_coin" in sys.modules
    assert registry.get("coin") is game


@pytest.mark.parametrize("name", registry.names())
def test_every_game_offers_what_the_protocol_asks_for(name: str) -> None:
    game = registry.get(name)
    assert game.name == name
    assert len(set(game.sides)) == 2
    assert game.outcomes[:2] == game.sides
    assert {"draw", "no_decision"} <= set(game.outcomes[2:])
    assert {"cell", "battle", "outcome"}.isdisjoint(metric.name for metric in game.metrics)
    for scenario_name in game.scenarios():
        scenario = game.load_scenario(scenario_name)
        assert scenario.game == name
        assert scenario.keys
        assert all(scenario.knows(key) for key in scenario.keys)
        assert game.restore_scenario(scenario.source).fingerprint == scenario.fingerprint


@pytest.mark.parametrize("name", registry.names())
def test_getting_a_game_compiles_nothing(name: str) -> None:
    code = f"import sys; from wargamesim.games import registry; registry.get({name!r}); print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
