"""A deck of suits and jokers (RI-2.1 to RI-2.9): how many of a squad's figures act before the turn ends."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from math import ceil
from typing import NamedTuple

import numpy as np

from wargamesim.dice.arguments import integer
from wargamesim.dice.pmf import PMF
from wargamesim.dice.pools import chance_at_least
from wargamesim.errors import InputError
from wargamesim.games.skirmish.rules import Rules, compile_rules, require
from wargamesim.rulebook import Rulebook
from wargamesim.table import Table

FEATURE = "cards of suits with jokers"
PLAIN, COURT = ("ace", "two", "three"), ("jack", "king")
# Shares are rounded up, but not because of the last bit of a product.
ROUNDING = 1e-9


class SuitDeck(NamedTuple):
    """A turn of one squad; single distributions.

    `own_cards` that are drawn before the turn ends; `offered`: the activations that they are good for (RI-2.4);
    `used`: the most of these that the squad can use (RI-2.9), where what is left of a card is lost (RI-2.10).
    """

    own_cards: PMF
    offered: PMF
    used: PMF


class _Cards(NamedTuple):
    """How many cards there are that matter: the squad's own, others' where it matters who acted last, those that let
    the squad that acted last act again, and jokers; and whether the first joker lets it act again, too.
    """

    own: int
    others: int
    again: int
    jokers: int
    first_joker: bool


class _State(NamedTuple):
    """How many of these cards have been drawn, whether the squad acted last, and how often it may act again."""

    own: int
    others: int
    again: int
    jokers: int
    acted_last: bool
    times_again: int


def suit_deck(rulebook: Rulebook, figures: int, players: int = 4, in_radius: int | None = None) -> SuitDeck:
    """Return what the deck does in a turn for one squad.

    Parameters
    ----------
    rulebook : Rulebook
    figures : int, at least 1
        Live figures of the squad.
    players : int, at least 1
        With a squad each; their cards matter only where the squad that acted last may act again (RI-2.5d, RI-2.6).
    in_radius : int, optional
        Figures within their leader's radius, used by the reading `leader` of RI-2.5d; all when not given.

    Returns
    -------
    SuitDeck

    Raises
    ------
    InputError
        If the rulebook has no such deck, a number is too small, there are more figures in the radius than in all, or
        more players than one pack has suits where there is only one (RI-2.2).

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> deck = suit_deck(load_rulebook("risorgimento"), 4)
    >>> deck.own_cards.p * 21
    array([1., 2., 3., 4., 5., 6.])
    >>> print(f"{deck.offered.mean():.4f} {deck.used.mean():.4f} {deck.offered.at_least(4):.4f}")
    8.0000 6.4381 0.8476
    """
    rules = compile_rules(rulebook)
    require(rules, FEATURE, rulebook)
    size, squads = integer("figures", figures, minimum=1), integer("players", players, minimum=1)
    near = size if in_radius is None else integer("in_radius", in_radius, minimum=0)
    if near > size:
        raise InputError(f"must be at most figures ({size}), not {near}", key="in_radius")
    suits, cap = rulebook.number("deck.suits"), rulebook.number("activation.cap")
    one_pack = rules.readings["colours"] == "red_black"
    if one_pack and squads > suits:
        raise InputError(f"must be at most {suits}, the suits of the one pack, not {squads}", key="players")
    # A card lets a figure act once, or as often as it may in the turn.
    often = cap if rules.readings["twice on a card"] == "twice_a_card" and cap else 1
    values = [min(value, often * size) for value in _values(rulebook, rules, size, near)]
    court, first = rules.readings["card values"] == "reactivate", rules.readings["first joker"] == "reactivate"
    cards = _Cards(
        own=len(values),
        others=_others(rules, len(values), squads, suits) if court or first else 0,
        again=len(COURT) * (suits if one_pack else squads) if court else 0,
        jokers=rulebook.number("deck.jokers"),
        first_joker=first,
    )
    ends = _deal(cards, rulebook.number("deck.ending_joker"), _stops(rulebook, rules))
    drawn, offered = np.zeros(len(values) + 1), np.zeros(sum(values) + size * (cards.again + first) + 1)
    for (own, times), chance in ends.items():
        # Whichever cards are drawn, every set of so many is as likely as any other.
        sums = [sum(each) for each in combinations(values, own)]
        drawn[own] += chance
        np.add.at(offered, np.array(sums) + size * times, chance / len(sums))
    activations = PMF(0, offered)
    return SuitDeck(PMF(0, drawn), activations, activations.clamp(high=size * cap) if cap else activations)


def card_drawn(rulebook: Rulebook) -> float:
    """Return the chance that a given card, no joker, is drawn before the turn ends.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> print(f"{card_drawn(load_rulebook('risorgimento')):.4f}")
    0.6667
    """
    own = suit_deck(rulebook, 1).own_cards
    return float(own.mean()) / int(own.values[-1])


def cards_in_deck(rulebook: Rulebook, players: int) -> int:
    """Return the number of cards in the deck that are no jokers (RI-2.1 to RI-2.3).

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> [cards_in_deck(load_rulebook("risorgimento"), players) for players in (4, 8)]
    [20, 40]
    """
    rules, suits = compile_rules(rulebook), rulebook.number("deck.suits")
    one_pack = rules.readings["colours"] == "red_black"
    held = players
    if one_pack or rules.readings["unowned cards"] == "blanks":
        # In one pack for all, jacks and kings of a suit that nobody holds still act for their colour.
        held = suits if one_pack else ceil(players / suits) * suits
    return len(PLAIN + COURT) * held + int(rulebook.number("deck.extra_cards"))


def _values(rulebook: Rulebook, rules: Rules, figures: int, near: int) -> list[int]:
    """For how many figures each of the squad's own cards is."""
    plain = [rulebook.number(f"deck.cards.{card}") for card in PLAIN]
    reading = rules.readings["card values"]
    if reading == "reactivate":
        return plain
    if reading == "shares":
        court = [ceil(rulebook.number(f"deck.cards.{card}_share") * figures - ROUNDING) for card in COURT]
    elif reading == "fixed":
        court = [rulebook.number(f"deck.cards.{card}_fixed") for card in COURT]
    else:
        court = [rulebook.number("deck.cards.jack_leader"), near]
    # By the reading red_black they act for every squad of their colour, and a squad has those of two suits.
    return plain + court * (2 if rules.readings["colours"] == "red_black" else 1)


def _others(rules: Rules, own: int, squads: int, suits: int) -> int:
    """How many cards are for another squad and not for this one."""
    if rules.readings["colours"] == "back":
        return (squads - 1) * own
    ranks = PLAIN if rules.readings["card values"] == "reactivate" else PLAIN + COURT
    return suits * len(ranks) - own


def _stops(rulebook: Rulebook, rules: Rules) -> float:
    """The chance that the joker that may end the turn does (RI-2.7)."""
    if rules.readings["ending joker"] == "coin":
        return float(chance_at_least(rulebook.number("deck.coin_die"), rulebook.number("deck.coin_need")))
    return float(rules.readings["ending joker"] == "always")


def _deal(cards: _Cards, ending: int, stops: float) -> dict[tuple[int, int], float]:
    """The chances of the own cards drawn and the times the squad may act again, when the turn ends.

    The `ending` joker ends it with the chance `stops`; else the whole deck is drawn.
    """
    ends: dict[tuple[int, int], float] = defaultdict(float)
    now = {_State(0, 0, 0, 0, False, 0): 1.0}
    while now:
        after: dict[_State, float] = defaultdict(float)
        for state, mass in now.items():
            left = [total - done for total, done in zip(cards[:4], state[:4], strict=True)]
            if not any(left):
                ends[state.own, state.times_again] += mass
                continue
            own, others, again, jokers = (mass * number / sum(left) for number in left)
            # Where nothing lets it act again it does not matter who acted last.
            matters = cards.first_joker or cards.again > 0
            after[state._replace(own=state.own + 1, acted_last=matters)] += own
            after[state._replace(others=state.others + 1, acted_last=False)] += others
            once_more = state.times_again + state.acted_last
            after[state._replace(again=state.again + 1, times_again=once_more)] += again
            times = once_more if cards.first_joker and not state.jokers else state.times_again
            stop = stops if state.jokers + 1 == ending else 0.0
            ends[state.own, times] += stop * jokers
            after[state._replace(jokers=state.jokers + 1, times_again=times)] += (1 - stop) * jokers
        now = {state: mass for state, mass in after.items() if mass}
    return ends


def table(rulebook: Rulebook, figures: list[int], players: int, in_radius: int | None, show: str) -> Table:
    """Answer the question `deck` for this kind of deck."""
    rules = compile_rules(rulebook)
    decks = [suit_deck(rulebook, count, players, in_radius) for count in figures]
    chance, cards = card_drawn(rulebook), cards_in_deck(rulebook, players)
    notes = [
        f"{players} players: a given card is drawn with a chance of {chance:.4f}, and {chance * cards:.4f} of the"
        f" {cards} cards that are no jokers on average.",
        f"Jack and king, RI-2.5d: {rules.readings['card values']}. The joker ends the turn, RI-2.7:"
        f" {rules.readings['ending joker']}.",
    ]
    if show == "cards":
        own = decks[0].own_cards
        return Table(
            ("own cards drawn", "exactly", "at least"),
            [(int(k), float(own.equal_to(k)), float(own.at_least(k))) for k in own.values],
            title="A turn of the deck: how many of a squad's own cards are drawn",
            notes=tuple(notes),
        )
    rows = []
    for count, deck in zip(figures, decks, strict=True):
        parts = (deck.own_cards.equal_to(0), deck.offered.mean(), deck.used.mean(), deck.offered.at_least(count))
        rows.append((count, *map(float, parts)))
    return Table(
        ("figures", "no own card", "offered", "used", "all can act"),
        rows,
        title="A turn of the deck: activations of a squad, by its live figures",
        notes=(*notes, "Offered, used: mean numbers; a figure uses as many as RI-2.9 allows, evenly spread."),
    )
