"""The deck of squad cards, aces and jokers: the published table, brute force over small decks, readings, a sampler."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F
from itertools import permutations, product

import numpy as np
import pytest

from wargamesim.errors import InputError
from wargamesim.games.skirmish import odds
from wargamesim.games.skirmish.squad_deck import squad_deck
from wargamesim.rulebook import Rulebook, load_rulebook

NA, RI = load_rulebook("nordamerica"), load_rulebook("risorgimento")


def same(result: object, exact: object) -> None:
    np.testing.assert_allclose(np.asarray(result, float), np.asarray(exact, float), rtol=0, atol=1e-12)


# Squads: cards, not drawn, not drawn or not played if the last card ends the turn at once, effective aces, effective
# jokers, effective jokers if an ace voids a joker, too.
DECKS = """
2 7 1/7 2/7 20/21 11/21 5/21
3 8 1/8 1/4 9/7 5/8 9/28
4 9 1/9 2/9 14/9 31/45 7/18
6 11 1/11 2/11 108/55 59/77 27/55
"""


def test_the_published_table() -> None:
    for row in DECKS.strip().splitlines():
        squads, cards, not_drawn, not_played, aces, joker, joker_too = map(F, row.split())
        deck = squad_deck(NA, int(squads))
        same(deck, [cards, not_drawn, not_drawn, aces, joker])
        at_once = squad_deck(NA.variant({"NA-2.6": "not_resolved"}), int(squads))
        same([at_once.not_drawn, at_once.not_played], [not_drawn, not_played])
        same(squad_deck(NA.variant({"NA-2.5": "ace_and_joker"}), int(squads)).jokers, joker_too)


def brute(squads: int, aces: int, jokers: int, extra: int, book: Rulebook) -> tuple[F, F, F]:
    """Every order of the cards: squad 0 not played, effective aces, effective jokers."""
    anywhere = book.reading("NA-2.4") == "anywhere"
    jokers_too = book.reading("NA-2.5") == "ace_and_joker"
    cards = [*range(squads), *["ace"] * aces, *["joker"] * jokers, *["extra"] * extra]
    orders = list(set(permutations(cards)))
    lost = effective_aces = effective_jokers = 0
    for order in orders:
        played = order[: len(order) - (1 if book.reading("NA-2.6") == "resolved" else 2)]
        lost += 0 not in played
        for i, card in enumerate(played):
            before = played[:i] if anywhere else played[max(i - 1, 0) : i]
            void = any(each in ("ace", "joker") for each in before)
            moved = any(isinstance(each, int) for each in played[:i])
            effective_aces += card == "ace" and moved and not void
            effective_jokers += card == "joker" and moved and not (jokers_too and void)
    return F(lost, len(orders)), F(effective_aces, len(orders)), F(effective_jokers, len(orders))


@pytest.mark.parametrize("size", [(1, 1, 1, 0), (2, 2, 1, 0), (2, 1, 1, 2), (3, 2, 0, 1), (2, 0, 2, 1), (2, 0, 0, 1)])
def test_every_order_of_a_small_deck(size: tuple[int, int, int, int]) -> None:
    squads, aces, jokers, extra = size
    numbers = {"deck.aces": aces, "deck.jokers": jokers, "deck.extra_cards": extra}
    readings = {
        "NA-2.4": ("just_before", "anywhere"),
        "NA-2.5": ("ace_only", "ace_and_joker"),
        "NA-2.6": ("resolved", "not_resolved"),
    }
    for options in product(*readings.values()):
        book = NA.variant(numbers | dict(zip(readings, options, strict=True)))
        found = squad_deck(book, squads)
        same([found.not_played, found.aces, found.jokers], brute(squads, aces, jokers, extra, book))


def test_a_batch_is_a_loop_of_singles() -> None:
    batch = squad_deck(NA, [[2, 3], [10, 100]])
    for i, squads in enumerate((2, 3, 10, 100)):
        same([part.flat[i] for part in batch], squad_deck(NA, squads))


def test_sampled_decks() -> None:
    rng, draws = np.random.default_rng(4), 20_000
    book = NA.variant({"NA-2.5": "ace_and_joker"})
    # Squads are 0 to 3, aces 4, the joker 5.
    cards = rng.permuted(np.tile([0, 1, 2, 3, 4, 4, 4, 4, 5], (draws, 1)), axis=1)[:, :-1]
    after_squad = cards[:, :-1] < 4
    aces = ((cards[:, 1:] == 4) & after_squad).sum(axis=1)
    jokers = ((cards[:, 1:] == 5) & after_squad).sum(axis=1)
    for seen, mean in ((aces, squad_deck(book, 4).aces), (jokers, squad_deck(book, 4).jokers)):
        # Two-sided at 1e-4.
        assert abs(seen.mean() - float(mean)) < 3.9 * seen.std() / np.sqrt(draws)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: squad_deck(RI, 3), "the rulebook 'risorgimento' has no squad cards"),
        (lambda: squad_deck(NA, 0), "squads: must be at least 1, not 0"),
        (lambda: odds.answer(NA, "deck", {"squads": "0"}), "--squads: must be from 1 to 100, not 0"),
    ],
)
def test_bad_input_names_the_argument(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value).startswith(message)
