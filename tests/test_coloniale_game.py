"""Coloniale behind the registry: exact odds are there, battles are not yet."""

from __future__ import annotations

import pytest

from wargamesim.errors import InputError
from wargamesim.games import registry
from wargamesim.games.coloniale import odds
from wargamesim.rulebook import load_rulebook

GAME = registry.get("coloniale")


def test_the_rulebook_finds_its_game() -> None:
    assert load_rulebook("coloniale").game in registry.names()
    assert (GAME.name, GAME.sides, GAME.scenarios()) == ("coloniale", ("first", "second"), [])
    assert GAME.outcomes[:2] == GAME.sides


def test_it_answers_its_questions() -> None:
    assert GAME.questions == odds.questions
    rulebook = load_rulebook("coloniale")
    assert GAME.odds(rulebook, "guns", {}) == odds.answer(rulebook, "guns", {})


@pytest.mark.parametrize("what", ["load_scenario", "restore_scenario", "compile", "play", "referee"])
def test_there_are_no_battles_yet(what: str) -> None:
    arguments = {"compile": (None, None), "play": (None, 0, 0, 1), "referee": (None, 0, 0)}.get(what, ("x",))
    with pytest.raises(InputError, match="battles of coloniale are not there yet; exact odds are"):
        getattr(GAME, what)(*arguments)
