"""The question `deck` for both kinds of deck."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F

import numpy as np
import pytest

from wargamesim.errors import InputError
from wargamesim.games.skirmish import odds
from wargamesim.games.skirmish.squad_deck import squad_deck
from wargamesim.games.skirmish.suit_deck import suit_deck
from wargamesim.rulebook import load_rulebook

NA, RI = load_rulebook("nordamerica"), load_rulebook("risorgimento")


def same(result: object, exact: object) -> None:
    np.testing.assert_allclose(np.asarray(result, float), np.asarray(exact, float), rtol=0, atol=1e-12)


def test_squads_aces_and_jokers() -> None:
    table = odds.answer(NA, "deck", {})
    assert [row[:2] for row in table.rows] == [(2, 7), (3, 8), (4, 9), (6, 11)]
    same(table.rows[0][2:], squad_deck(NA, 2)[1:])
    by_player = odds.answer(NA.variant({"NA-2.2": "per_player"}), "deck", {"squads": "5"})
    assert by_player.columns[0] == "players"


def test_suits_and_jokers() -> None:
    table = odds.answer(RI, "deck", {"figures": "4,7"})
    for row, figures in zip(table.rows, (4, 7), strict=True):
        deck = suit_deck(RI, figures)
        exact = [F(1, 21), deck.offered.mean(), deck.used.mean(), deck.offered.at_least(figures)]
        same(row, [figures, *exact])
    assert "13.3333 of the 20 cards" in table.notes[0]
    assert "26.6667 of the 40 cards" in odds.answer(RI, "deck", {"players": "8"}).notes[0]
    near = odds.answer(RI.variant({"RI-2.5d": "leader"}), "deck", {"figures": "6", "in_radius": "2"})
    same(near.rows[0][2], F(2, 3) * (1 + 2 + 3 + 2 + 2))


def test_own_cards() -> None:
    table = odds.answer(RI, "deck", {"show": "cards"})
    same([row[1] for row in table.rows], [F(k + 1, 21) for k in range(6)])
    same([row[2] for row in table.rows], [1, F(20, 21), F(18, 21), F(15, 21), F(11, 21), F(6, 21)])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: odds.answer(NA, "deck", {"figures": "4"}), "unknown option 'figures'"),
        (lambda: odds.answer(RI, "deck", {"squads": "4"}), "unknown option 'squads'"),
        (lambda: odds.answer(RI, "deck", {"figures": "0"}), "--figures: must be from 1 to 50, not 0"),
        (lambda: odds.answer(RI, "deck", {"in_radius": "9"}), "--in_radius: must be from 0 to 4, not 9"),
        (lambda: odds.answer(RI, "deck", {"show": "all"}), "--show: unknown view 'all'"),
    ],
)
def test_bad_input_names_the_option(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value).startswith(message)
