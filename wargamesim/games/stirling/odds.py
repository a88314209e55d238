"""Exact odds of Stirling: attacks, turns, clashes, morale, and shots into a melee.

The functions stand in `attack`, `units`, `charge`, `clash`, `morale`, `split` and `order`; here are their tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from wargamesim.errors import InputError, unknown
from wargamesim.games import options as ask
from wargamesim.rulebook import Rulebook
from wargamesim.table import Table

# The module with the table that answers each question, imported when it is asked: for the question `clash` the options
# `CLASH` and the function `clash_table`.
_ANSWERS = {
    "attack": "strike_tables",
    "turn": "strike_tables",
    "clash": "unit_tables",
    "morale": "unit_tables",
    "split": "strike_tables",
}

questions = tuple(_ANSWERS)


def answer(rulebook: Rulebook, question: str, options: Mapping[str, str]) -> Table:
    """Return the table that answers a question; without options its standard table.

    Parameters
    ----------
    rulebook : Rulebook
    question : {"attack", "turn", "clash", "morale", "split"}
    options : mapping of str to str
        By name, as text. Numbers are lists or ranges, ``20,30`` or ``0:300:10``; damage is a list like ``1d8,2d6+1``,
        rates like ``1,3/2``; a hyphen may also be an underscore. Several values make a row for each combination.

        - attack: `men`, `thac0`, `ac`, `damage`, `hp`, `modifier`, `side` and `shield`, or `weapon` and `distance`;
          `rolls` (unit, man); `lost`, the numbers of men whose chances are wanted.
        - turn: the same with `rate`, and `removed` in place of `lost`.
        - clash: `men`, `thac0`, `ac`, `hp`, `damage`, `rate`, `quality`, `leader`, `commander`, `length`, `speed`,
          `lance`, `set-weapon`, each also with `enemy-` before it; `morale`, `charge` (yes, no), `rolls`, `turns`.
        - morale: `quality`, `leader`, `commander`, `situation` (all at once), `modifier`; or `target` alone.
        - split: `shooters`, `thac0`, `damage`, `modifier`, `attacks`, `friends`, `enemies`, `friend-ac`, `friend-hp`,
          `friend-large`, `enemy-ac`, `enemy-hp`, `enemy-large`, `weapon`, `distance`.

    Raises
    ------
    InputError
        If the question or an option is unknown, or what an option says is not allowed.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> answer(load_rulebook("stirling"), "morale", {"target": "20"}).records()
    [{'target': 20, 'passes': 1.0}]
    """
    if question not in _ANSWERS:
        raise unknown("question", question, _ANSWERS)
    module = import_module(f"wargamesim.games.stirling.{_ANSWERS[question]}")
    allowed, table = getattr(module, question.upper()), getattr(module, f"{question}_table")
    asked: dict[str, str] = {}
    for name, value in options.items():
        if (plain := name.replace("_", "-")) in asked:
            raise InputError("is given twice, in two spellings", key=f"--{plain}")
        asked[plain] = value
    ask.check_options(asked, allowed)
    answered: Table = table(rulebook, asked)
    return answered
