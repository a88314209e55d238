"""A deck of squad cards, aces and jokers (NA-2.1 to NA-2.6): who is left out, and what aces and jokers do."""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from wargamesim.dice.arguments import integers
from wargamesim.games.skirmish.rules import Floats, Ints, Rules, compile_rules, require
from wargamesim.rulebook import Rulebook
from wargamesim.table import Table

FEATURE = "squad cards with aces and jokers"


class SquadDeck(NamedTuple):
    """A turn; arrays of one shape.

    Aces let one figure, jokers the whole squad act again that has just moved (NA-2.3, NA-2.5).

    `cards` in the deck; the chances that a given squad's card is `not_drawn`, and that it is not drawn or not played
    (`not_played`); the mean numbers of `aces` and `jokers` that have an effect.
    """

    cards: Ints
    not_drawn: Floats
    not_played: Floats
    aces: Floats
    jokers: Floats


def squad_deck(rulebook: Rulebook, squads: ArrayLike) -> SquadDeck:
    """Return what the deck does in a turn.

    A deck that is not shuffled between turns (NA-2.1) does the same in every single turn.

    Parameters
    ----------
    rulebook : Rulebook
    squads : int or array_like of int, at least 1
        Cards of squads, or of players where each player has one (NA-2.2).

    Returns
    -------
    SquadDeck
        Arrays of the shape of `squads`.

    Raises
    ------
    InputError
        If the rulebook has no such deck, or there is no squad.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> deck = squad_deck(load_rulebook("nordamerica"), [2, 6])
    >>> deck.not_drawn.round(4), deck.aces.round(4)
    (array([0.1429, 0.0909]), array([0.9524, 1.9636]))
    """
    rules = compile_rules(rulebook)
    require(rules, FEATURE, rulebook)
    count = integers("squads", squads, minimum=1)
    aces, jokers, extra = (rulebook.number(f"deck.{what}") for what in ("aces", "jokers", "extra_cards"))
    cards = count + aces + jokers + extra
    # The turn ends with the last card but one (NA-2.6), which is always drawn.
    played = np.maximum(cards - (1 if rules.readings["last card"] == "resolved" else 2), 0)
    pairs = zip(count.ravel().tolist(), played.ravel().tolist(), strict=True)
    each = [_effects(rules, s, aces + jokers, extra, last) for s, last in pairs]
    effects = np.array(each).reshape(*count.shape, 2)
    return SquadDeck(cards, 1 / cards, 1 - played / cards, aces * effects[..., 0], jokers * effects[..., 1])


def _effects(rules: Rules, squads: int, special: int, extra: int, played: int) -> tuple[float, float]:
    """The chances that a given ace and a given joker have an effect, with so many aces and jokers in all."""
    if not special:
        return 0.0, 0.0
    others = squads + special + extra - 1

    def none_before(place: int, kept_out: int) -> float:
        """The chance that none of `kept_out` of the other cards lies before a place."""
        return comb(others - kept_out, place - 1) / comb(others, place - 1)

    def moved(place: int) -> float:
        """The chance that a squad has moved before a card at a place."""
        return 1 - none_before(place, squads)

    def not_void(place: int) -> float:
        """The chance that a squad has moved and no ace or joker voids the card at a place."""
        if rules.readings["void aces"] == "anywhere":
            return none_before(place, special - 1) - none_before(place, special - 1 + squads)
        # Just before it lies a squad's card, or one of the referee's with some squad's before that.
        by_extra = 1 - comb(others - 1 - squads, place - 2) / comb(others - 1, place - 2) if extra else 0.0
        return (squads + extra * by_extra) / others

    places = range(2, played + 1)
    ace = sum(map(not_void, places)) / (others + 1)
    joker = sum(map(moved, places)) / (others + 1) if rules.readings["void jokers"] == "ace_only" else ace
    return ace, joker


def table(rulebook: Rulebook, squads: list[int]) -> Table:
    """Answer the question `deck` for this kind of deck."""
    rules = compile_rules(rulebook)
    deck = squad_deck(rulebook, squads)
    rows = [(count, int(deck.cards[i]), *(float(part[i]) for part in deck[1:])) for i, count in enumerate(squads)]
    whose = "player" if rules.readings["whose card"] == "per_player" else "squad"
    return Table(
        (f"{whose}s", "cards", "not drawn", "not played", "effective aces", "effective jokers"),
        rows,
        title=f"A turn of the deck: a given {whose}'s card, and aces and jokers that have an effect",
        notes=(
            "Not drawn, not played: chances. Effective: mean numbers in a turn.",
            f"The card that ends the turn, NA-2.6: {rules.readings['last card']}. Void: aces, NA-2.4:"
            f" {rules.readings['void aces']}; jokers, NA-2.5: {rules.readings['void jokers']}.",
        ),
    )
