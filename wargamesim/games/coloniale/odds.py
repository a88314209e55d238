"""Exact odds of Coloniale: the questions, and the functions that answer them for arrays.

Lengths are centimetres of the table; a unit is a battalion or a battery (`Unit`), a marker one of suppression.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from wargamesim.errors import unknown
from wargamesim.games import options as ask
from wargamesim.games.coloniale.assault import Assault, Side, Unit, assault
from wargamesim.games.coloniale.assault_tables import FIGHT_OPTIONS, assault_table, clash_table
from wargamesim.games.coloniale.clash import Clash, Preparation, clash, preparation
from wargamesim.games.coloniale.discipline import generated, markers_in_long_run, rally
from wargamesim.games.coloniale.fire import Fire, guns, rifles
from wargamesim.games.coloniale.fire_tables import discipline_table, guns_table, rally_table, rifles_table
from wargamesim.games.coloniale.march import Paths, off_road, right_way, road
from wargamesim.games.coloniale.march_tables import march_table
from wargamesim.games.coloniale.pursuit import Pursuit, pursuit
from wargamesim.games.coloniale.rules import preset
from wargamesim.rulebook import Rulebook
from wargamesim.table import Table

__all__ = [
    "Assault",
    "Clash",
    "Fire",
    "Paths",
    "Preparation",
    "Pursuit",
    "Side",
    "Unit",
    "answer",
    "assault",
    "clash",
    "generated",
    "guns",
    "markers_in_long_run",
    "off_road",
    "preparation",
    "preset",
    "pursuit",
    "questions",
    "rally",
    "rifles",
    "right_way",
    "road",
]

# The options of each question, and what answers it.
_ANSWERS: dict[str, tuple[tuple[str, ...], Callable[[Rulebook, Mapping[str, str]], Table]]] = {
    "discipline": (("quality", "arm", "veteran", "fanatic"), discipline_table),
    "rally": (("discipline", "markers", "fire"), rally_table),
    "rifles": (("figures", "ground", "target", "distance", "markers", "targets"), rifles_table),
    "guns": (("distance", "ground"), guns_table),
    "assault": (("show", "volleys", *FIGHT_OPTIONS), assault_table),
    "march": (("show", "arm", "ground", "turns", "junctions", "distance"), march_table),
    "clash": (("fire", *FIGHT_OPTIONS), clash_table),
}
questions = tuple(_ANSWERS)


def answer(rulebook: Rulebook, question: str, options: Mapping[str, str]) -> Table:
    """Return the table that answers a question; without options its standard table.

    Parameters
    ----------
    rulebook : Rulebook
    question : {"discipline", "rally", "rifles", "guns", "assault", "march", "clash"}
    options : mapping of str to str
        By name, as text. Numbers are lists or ranges, ``20,30`` or ``0:120:5``; names are lists. `assault` and `march`
        have several views: ``show`` names one. Hyphens of a name may be underscores.

    Raises
    ------
    InputError
        If the question or an option is unknown, or what an option says is not allowed.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> answer(load_rulebook("coloniale"), "guns", {"distance": "30", "ground": "open"}).records()
    [{'distance': 30, 'ground': 'open', 'hit': 0.6666666666666666, 'rifle dice': 2.0, 'markers': 1}]
    """
    if question not in _ANSWERS:
        raise unknown("question", question, _ANSWERS)
    allowed, table = _ANSWERS[question]
    # From Python an option is a keyword, with underscores in place of hyphens.
    named = {name.replace("_", "-"): value for name, value in options.items()}
    ask.check_options(named, allowed)
    return table(rulebook, named)
