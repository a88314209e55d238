"""The decks of the kernel against their exact odds; see `test_skirmish_battle_fire` for the error."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.skirmish_positions import NORDAMERICA, RISORGIMENTO, figure, setup_of
from tests.skirmish_trials import least_chance
from wargamesim.compiled import compiled
from wargamesim.games.skirmish.battle import battle_of, begin_turn, set_up
from wargamesim.games.skirmish.battle_cards import BY_CARD, Q_SQUAD, Q_WHY, draw_card, end_card, slots_of
from wargamesim.games.skirmish.battle_record import Battle
from wargamesim.games.skirmish.layout import ACE, JOKER, RANKS, State
from wargamesim.games.skirmish.squad_deck import squad_deck
from wargamesim.games.skirmish.suit_deck import suit_deck
from wargamesim.rulebook import Rulebook

FAMILY, COUNT = 1e-4, 20_000
MOST = 64


@compiled
def deal(b: Battle, start: State, turns: int, cards: NDArray[np.int64]) -> None:
    """Draw turns of cards on which nobody acts: [turn, draw, (card, queued, first squad, why, slots)]."""
    for i in range(len(cards)):
        if i % turns == 0:
            b.number = i // turns
            set_up(b.state, start)
        begin_turn(b)
        draw = 0
        while b.over == 0 and draw_card(b) == 1:
            row = cards[i, draw]
            row[0], row[1] = b.card, b.queued
            if b.queued > 0:
                row[2], row[3] = b.queue[Q_SQUAD, 0], b.queue[Q_WHY, 0]
                for place in range(b.queued):
                    row[4] += slots_of(b, place)
            end_card(b)
            draw += 1


class Deal(NamedTuple):
    """Arrays of [turn, draw]; what was not drawn has card -99."""

    card: NDArray[np.int64]
    queued: NDArray[np.int64]
    squad: NDArray[np.int64]
    why: NDArray[np.int64]
    slots: NDArray[np.int64]


def dealt(book: Rulebook, squads: int, figures: int = 2, turns: int = 1, count: int = COUNT) -> Deal:
    group = [figure(10 + 4 * i, 10 + 4 * s, s % 2, squad=s, weapon=None) for s in range(squads) for i in range(figures)]
    group.sort(key=lambda one: one["side"])
    table = battle_of(setup_of(group, book=book), key=3)
    cards = np.zeros((count, MOST, 5), np.int64)
    cards[:, :, 0] = -99
    deal(table, setup_of(group, book=book).start, turns, cards)
    return Deal(*np.moveaxis(cards, -1, 0))


@pytest.mark.parametrize("squads", [2, 5])
@pytest.mark.parametrize(
    "changes",
    [{}, {"NA-2.4": "anywhere"}, {"NA-2.5": "ace_and_joker"}, {"NA-2.6": "not_resolved"}, {"deck.extra_cards": 2}],
)
def test_decks_of_squads(squads: int, changes: dict[str, Any]) -> None:
    book = NORDAMERICA.variant(changes)
    exact, deal = squad_deck(book, squads), dealt(book, squads)
    drawn = (deal.card != -99).sum(axis=1)
    assert np.all(drawn == int(exact.cards) - 1)
    played = (deal.queued > 0).sum(axis=(0, 1))
    assert played > 0
    squad_0 = int(((deal.card == 0) & (deal.queued > 0)).sum())
    jokers = int(((deal.card == JOKER) & (deal.queued > 0)).sum())
    assert least_chance([squad_0, jokers], COUNT, [1 - float(exact.not_played), float(exact.jokers)]) > FAMILY
    # Aces come up to four a turn: their mean, by its normal approximation (five standard errors are below FAMILY).
    aces = ((deal.card == ACE) & (deal.queued > 0)).sum(axis=1)
    error = aces.std() / COUNT**0.5
    assert abs(aces.mean() - float(exact.aces)) < 5 * error
    assert np.all(deal.slots[(deal.card == ACE) & (deal.queued > 0)] == 1)
    assert np.all(deal.slots[(deal.card >= 0) & (deal.queued > 0)] == 2)


def test_a_card_for_each_player() -> None:
    deal = dealt(NORDAMERICA.variant({"NA-2.2": "per_player"}), 4, count=200)
    cards = deal.card[deal.card >= 0]
    assert set(cards.tolist()) == {0, 1}
    assert np.all(deal.queued[deal.card >= 0] == 2)
    assert np.all(deal.slots[deal.card >= 0] == 4)


def test_a_deck_that_goes_on() -> None:
    """The card that was left opens the next turn (NA-2.1)."""
    turns = 8
    deal = dealt(NORDAMERICA.variant({"NA-2.1": "continued"}), 3, turns=turns, count=turns * 50)
    everything = sorted([0, 1, 2, *[ACE] * 4, JOKER])
    for turn in range(len(deal.card) - 1):
        if (turn + 1) % turns:
            mine = deal.card[turn][deal.card[turn] != -99].tolist()
            left = list(everything)
            for card in mine:
                left.remove(card)
            assert deal.card[turn + 1][0] == left[0]


@pytest.mark.parametrize(
    ("changes", "squads"),
    [
        ({}, 4),
        ({"RI-2.5d": "fixed"}, 4),
        ({"RI-2.5d": "reactivate"}, 4),
        ({"RI-2.6": "reactivate"}, 2),
        ({"RI-2.7": "referee"}, 2),
        ({"RI-2.7": "coin"}, 2),
        ({"RI-2.7": "coin", "RI-2.8": "joker_only"}, 2),
        ({"RI-2.7": "referee", "RI-2.8": "joker_only"}, 2),
        ({"RI-2.3": "blanks"}, 2),
        ({"RI-2.2": "red_black", "RI-2.5d": "fixed"}, 4),
    ],
)
def test_decks_of_suits(changes: dict[str, str], squads: int) -> None:
    """What is offered to one squad: numbers of figures, and how many cards (RI-2.4 to 2.7)."""
    figures = 6
    book = RISORGIMENTO.variant(changes)
    exact, deal = suit_deck(book, figures, squads), dealt(book, squads, figures)
    # Where jacks and kings let anybody act again, they are no cards of its own.
    most = len(exact.own_cards.p) - 1
    own = ((deal.card >= 0) & (deal.card < most)).sum(axis=1)
    if "red_black" not in changes.values():
        counts = np.bincount(own, minlength=most + 1)
        assert least_chance(counts.tolist(), COUNT, exact.own_cards.p.tolist()) > FAMILY
        mine = (deal.squad == 0) & (deal.queued > 0)
        offered = np.where(mine, deal.slots, 0).sum(axis=1)
        error = offered.std() / COUNT**0.5
        assert abs(offered.mean() - float(exact.offered.mean())) < 5 * error + 1e-9
    else:
        courts = deal.queued[(deal.card >= 0) & (deal.card % RANKS >= 3)]
        assert set(courts.tolist()) == {2}
    assert not np.any((deal.why != BY_CARD) & (deal.card >= 0) & (deal.card % RANKS < 3))


def test_slots_by_the_leader() -> None:
    """A jack is for the leader and one more; nobody leads, so a king is for nobody (RI-2.5d)."""
    deal = dealt(RISORGIMENTO.variant({"RI-2.5d": "leader"}), 2, 6, count=300)
    assert set(deal.slots[(deal.card >= 0) & (deal.card % RANKS == 3)].tolist()) == {2}
    assert set(deal.slots[(deal.card >= 0) & (deal.card % RANKS == 4)].tolist()) == {0}
