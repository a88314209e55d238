"""The question `deck`, for whichever of the two kinds of activation deck the rulebook has."""

from __future__ import annotations

from collections.abc import Mapping

from wargamesim.games import options as ask
from wargamesim.games.skirmish import squad_deck, suit_deck
from wargamesim.games.skirmish.asked import one, whole
from wargamesim.games.skirmish.rules import compile_rules
from wargamesim.rulebook import Rulebook
from wargamesim.table import Table

MOST_SQUADS, MOST_FIGURES, MOST_PLAYERS = 100, 50, 8


def table(rulebook: Rulebook, options: Mapping[str, str]) -> Table:
    """Answer the question `deck`: by squads, or by the live figures of a squad."""
    if squad_deck.FEATURE in compile_rules(rulebook).features:
        ask.check_options(options, ("squads",))
        squads = ask.numbers(options, "squads", "2,3,4,6", minimum=1, maximum=MOST_SQUADS)
        return squad_deck.table(rulebook, squads)
    ask.check_options(options, ("figures", "players", "in_radius", "show"))
    figures = ask.numbers(options, "figures", "4,6,8,10", minimum=1, maximum=MOST_FIGURES)
    players = whole(options, "players", 4, minimum=1, maximum=MOST_PLAYERS)
    near = whole(options, "in_radius", 0, minimum=0, maximum=min(figures)) if "in_radius" in options else None
    return suit_deck.table(rulebook, figures, players, near, one(options, "show", "view", ("means", "cards"), "means"))
