"""The skirmish game as the rest of the package sees it: odds, and no battles yet."""

from __future__ import annotations

from collections.abc import Callable

import pytest

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
    assert game.scenarios() == []


@pytest.mark.parametrize(
    "call",
    [
        lambda: GAME.load_scenario("la_spia"),
        lambda: GAME.restore_scenario({}),
        lambda: GAME.compile(load_rulebook("nordamerica"), None),  # type: ignore[arg-type]
        lambda: GAME.play(None, 0, 0, 1),
        lambda: GAME.referee(None, 0, 0),
    ],
)
def test_battles_are_not_there_yet(call: Callable[[], object]) -> None:
    with pytest.raises(InputError, match=r"^battles of the skirmish game are not there yet; exact odds are"):
        call()
