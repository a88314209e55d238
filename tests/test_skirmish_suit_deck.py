"""The deck of suits and jokers: the published tables, brute force over small decks, readings, a sampler."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction as F
from itertools import permutations

import numpy as np
import pytest

from wargamesim.errors import InputError
from wargamesim.games.skirmish.suit_deck import card_drawn, cards_in_deck, suit_deck
from wargamesim.rulebook import load_rulebook

NA, RI = load_rulebook("nordamerica"), load_rulebook("risorgimento")


def same(result: object, exact: object) -> None:
    np.testing.assert_allclose(np.asarray(result, float), np.asarray(exact, float), rtol=0, atol=1e-12)


def test_own_cards_before_the_second_joker() -> None:
    same(suit_deck(RI, 4).own_cards.p, [F(1, 21), F(2, 21), F(1, 7), F(4, 21), F(5, 21), F(2, 7)])
    same(card_drawn(RI), F(2, 3))
    same([card_drawn(RI) * cards_in_deck(RI, players) for players in (4, 8)], [F(40, 3), F(80, 3)])


# Live figures: mean offered, mean used, the chance that all can act.
SQUADS = {
    4: (8, "676/105", "89/105"),
    6: (10, "9", "169/210"),
    8: (12, "239/21", "79/105"),
    10: (14, "96/7", "11/15"),
}


@pytest.mark.parametrize("figures", SQUADS)
def test_the_published_table(figures: int) -> None:
    deck, (offered, used, all_act) = suit_deck(RI, figures), SQUADS[figures]
    same([deck.offered.mean(), deck.used.mean(), deck.offered.at_least(figures)], [offered, F(used), F(all_act)])


def brute(own: list[int], others: int, again: int, jokers: int, figures: int, stops: F, first: bool) -> dict[int, F]:
    """Every order of the cards: the distribution of the activations offered."""
    ends: dict[int, F] = defaultdict(F)
    cards = [*enumerate(own), *["other"] * others, *["again"] * again, *["joker"] * jokers]
    orders = list(set(permutations(cards)))
    for order in orders:
        offered, last, seen, going = 0, "", 0, F(1, len(orders))
        for card in order:
            if isinstance(card, tuple):
                offered, last = offered + card[1], "own"
            elif card == "other":
                last = "other"
            elif card == "again":
                offered += figures * (last == "own")
            else:
                seen += 1
                offered += figures * (seen == 1 and first and last == "own")
                if seen == 2:
                    ends[offered] += going * stops
                    going *= 1 - stops
        ends[offered] += going
    return ends


def pmf(ends: dict[int, F], size: int) -> list[float]:
    return [float(ends.get(i, 0)) for i in range(size)]


@pytest.mark.parametrize(("reading", "stops"), [("always", F(1)), ("coin", F(1, 2)), ("referee", F(0))])
def test_the_joker_that_ends_the_turn(reading: str, stops: F) -> None:
    found = suit_deck(RI.variant({"RI-2.7": reading}), 5).offered
    same(found.p, pmf(brute([1, 2, 3, 3, 5], 0, 0, 2, 5, stops, False), len(found.p)))


def test_jack_and_king() -> None:
    for reading, court in (("shares", (2, 3)), ("fixed", (3, 3)), ("leader", (2, 1))):
        found = suit_deck(RI.variant({"RI-2.5d": reading}), 3, in_radius=1).offered
        same(found.p, pmf(brute([1, 2, 3, *court], 0, 0, 2, 3, F(1), False), len(found.p)))
    ten = suit_deck(RI.variant({"RI-2.5d": "fixed"}), 10).offered
    same(ten.mean(), F(2, 3) * (1 + 2 + 3 + 4 + 5))


def test_a_squad_that_acted_last_acts_again() -> None:
    """Against every order of a deck of two players whose aces alone are left, and one squad of two."""
    small = RI.variant({"deck.cards.two": 0, "deck.cards.three": 0, "RI-2.5d": "reactivate"})
    found = suit_deck(small, 2, players=1).offered
    same(found.p, pmf(brute([1, 0, 0], 0, 2, 2, 2, F(1), False), len(found.p)))
    both = suit_deck(small.variant({"RI-2.6": "reactivate"}), 2, players=1).offered
    same(both.p, pmf(brute([1, 0, 0], 0, 2, 2, 2, F(1), True), len(both.p)))


def test_sampled_turns_in_which_squads_act_again() -> None:
    """Two players; jacks and kings, and the first joker, let the squad that acted last act again."""
    rng, draws = np.random.default_rng(6), 20_000
    book = RI.variant({"RI-2.5d": "reactivate", "RI-2.6": "reactivate"})
    # 1 to 3: own; 4: the other's; 5: jack or king; 6: joker.
    deck = np.array([1, 2, 3, 4, 4, 4, 5, 5, 5, 5, 6, 6])
    offered = np.zeros(draws, dtype=int)
    for i in range(draws):
        last, jokers = 0, 0
        for card in rng.permutation(deck):
            if card <= 3:
                offered[i] += card
            if card <= 4:
                last = card
            jokers += card == 6
            if jokers == 2:
                break
            if (card == 5 or card == 6) and 1 <= last <= 3:
                offered[i] += 4
    found = suit_deck(book, 4, players=2).offered
    assert abs(offered.mean() - float(found.mean())) < 3.9 * offered.std() / np.sqrt(draws)
    seen = (offered >= 8).mean()
    assert abs(seen - float(found.at_least(8))) < 3.9 * np.sqrt(seen * (1 - seen) / draws)


def test_the_cap_and_cards_that_may_be_used_twice() -> None:
    assert suit_deck(RI, 1).used.values.max() == 2
    once = suit_deck(RI, 2)
    same(once.offered.mean(), F(2, 3) * (1 + 2 + 2 + 1 + 2))
    twice = suit_deck(RI.variant({"RI-2.9": "twice_a_card"}), 2)
    same(twice.offered.mean(), F(2, 3) * (1 + 2 + 3 + 1 + 2))
    free = suit_deck(RI.variant({"activation.cap": 0}), 4)
    same(free.used.p, free.offered.p)


def test_colours_and_packs() -> None:
    red_black = RI.variant({"RI-2.2": "red_black"})
    found = suit_deck(red_black, 4)
    assert len(found.own_cards.p) == 8
    same(found.offered.mean(), F(2, 3) * (1 + 2 + 3 + 2 * (2 + 4)))
    assert [cards_in_deck(red_black, players) for players in (2, 4)] == [20, 20]
    assert [cards_in_deck(RI, players) for players in (1, 3, 5)] == [5, 15, 25]
    blanks = RI.variant({"RI-2.3": "blanks", "deck.extra_cards": 3})
    assert [cards_in_deck(blanks, players) for players in (1, 3, 5)] == [23, 23, 43]
    last = red_black.variant({"RI-2.6": "reactivate"})
    assert suit_deck(last, 4).offered.mean() > found.offered.mean()


def test_house_numbers() -> None:
    same(card_drawn(RI.variant({"deck.ending_joker": 1})), F(1, 3))
    same(card_drawn(RI.variant({"deck.jokers": 1})), 1)
    same(card_drawn(RI.variant({"deck.jokers": 3})), F(1, 2))
    same(suit_deck(RI.variant({"deck.cards.jack_share": 0.3}), 10).offered.mean(), F(2, 3) * (6 + 3 + 10))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: suit_deck(NA, 4), "the rulebook 'nordamerica' has no cards of suits"),
        (lambda: suit_deck(RI, 0), "figures: must be at least 1, not 0"),
        (lambda: suit_deck(RI, 4, 0), "players: must be at least 1, not 0"),
        (lambda: suit_deck(RI, 4, 4, 5), "in_radius: must be at most figures (4), not 5"),
        (
            lambda: suit_deck(RI.variant({"RI-2.2": "red_black"}), 4, 5),
            "players: must be at most 4, the suits of the one pack, not 5",
        ),
    ],
)
def test_bad_input_names_the_argument(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value).startswith(message)
