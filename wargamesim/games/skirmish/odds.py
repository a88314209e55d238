"""The questions about the dice of a skirmish, and who answers each; a rulebook answers those that it has rules for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from wargamesim.errors import unknown
from wargamesim.games import options as ask
from wargamesim.rulebook import Rulebook
from wargamesim.table import Table

_SHOT = ("weapon", "distance", "modifier", "cover", "quality", "when")
_FIGURE = ("weapon", "quality", "loading", "cover", "snap", "modifier", "when")
_FIGHTER = ("when", "quality", "modifier")

# The options of each question, and the module whose `table` answers it: imported when it is asked.
_ANSWERS: dict[str, tuple[tuple[str, ...], str]] = {
    "hit": (_SHOT, "fire"),
    "volley": (
        (*_SHOT, "shooters", "targets", "aim", "order", "morale", "man", "activation", "tests", "show"),
        "volley_tables",
    ),
    "blind": (("shooters", "hidden", "weapon", "cover"), "blind"),
    "reload": (("weapon", "quality", "loading", "cover", "distance"), "reload"),
    "repeater": ((*_SHOT, "shots"), "repeater"),
    "melee": (
        (
            "attacker",
            "defender",
            "figures",
            *(f"{side}_{what}" for side in ("attacker", "defender") for what in _FIGHTER),
        ),
        "melee",
    ),
    "morale": (("modifier", "quality", "when"), "morale"),
    "duel": (("distance", "first", "turns", *(f"{side}_{what}" for side in "ab" for what in _FIGURE)), "duel"),
    "deck": (("squads", "figures", "players", "in_radius", "show"), "deck"),
    "checks": (("weapon",), "checks"),
}
questions = tuple(_ANSWERS)


def answer(rulebook: Rulebook, question: str, options: Mapping[str, str]) -> Table:
    """Return the table that answers a question; without options its standard table.

    Parameters
    ----------
    rulebook : Rulebook
    question : str
        One of `questions`.
    options : mapping of str to str
        By name, as text. Numbers are lists or ranges, ``20,30`` or ``0:120:5``; names are lists of those that the
        rulebook has.

    Raises
    ------
    InputError
        If the question or an option is unknown, the rulebook has no rules for the question, or what an option says is
        not allowed.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> answer(load_rulebook("risorgimento"), "morale", {"modifier": "0"}).records()[0]["steady"]
    0.5
    """
    if question not in _ANSWERS:
        raise unknown("question", question, _ANSWERS)
    allowed, module = _ANSWERS[question]
    ask.check_options(options, allowed)
    answered: Table = import_module(f"wargamesim.games.skirmish.{module}").table(rulebook, options)
    return answered
