"""The cases a question is asked about: all combinations of what its options say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wargamesim.errors import InputError
from wargamesim.games import options as ask
from wargamesim.games.coloniale.assault import Unit
from wargamesim.rulebook import Rulebook

MOST_ROWS = 1000
MOST_FIGURES, MOST_DISCIPLINE, MOST_MARKERS, MOST_TURNS, MOST_CM = 20, 30, 50, 50, 10_000
ANSWERS = ("no", "yes")

Asked = Mapping[str, Sequence[Any]]
Options = Mapping[str, str]


class Grid(NamedTuple):
    """The combinations, one a place in each array: ``at["figures"]``; `shown` are the columns a table needs."""

    at: dict[str, NDArray[Any]]
    shown: tuple[str, ...]
    constant: str

    def rows(self, *columns: ArrayLike | Sequence[Any]) -> list[tuple[Any, ...]]:
        """Return the rows of a table: the columns shown, then those given (arrays of one value a combination)."""
        listed = [np.asarray(column).tolist() for column in (*(self.at[name] for name in self.shown), *columns)]
        return list(zip(*listed, strict=True))

    def heads(self, *columns: str) -> tuple[str, ...]:
        """Return the names of these columns."""
        return (*(name.replace("-", " ") for name in self.shown), *columns)

    def notes(self, *notes: str) -> tuple[str, ...]:
        """Return the notes of a table: those given, and what all its rows have in common."""
        return (*notes, f"In all rows: {self.constant}.") if self.constant else notes

    def yes(self, name: str) -> NDArray[np.bool_]:
        """Return where an option that is answered with no or yes says yes."""
        return np.asarray(self.at[name] == "yes")


def grid(options: Options, asked: Asked, always: Sequence[str] = ()) -> Grid:
    """Combine what is asked, the last option running fastest.

    Parameters
    ----------
    options : mapping of str to str
        As they were given: a table shows a column for each of them.
    asked : mapping of str to sequence
        The values of each option, given or not.
    always : sequence of str
        Options with a column of their own even when they were not given.

    Raises
    ------
    InputError
        If there are more than 1,000 combinations.

    Examples
    --------
    >>> cases = grid({"markers": "1:2"}, {"discipline": [6], "markers": [1, 2]})
    >>> cases.shown, cases.at["discipline"].tolist(), cases.constant
    (('markers',), [6, 6], 'discipline 6')
    """
    if prod(map(len, asked.values())) > MOST_ROWS:
        raise InputError(f"the options combine to more than {MOST_ROWS:,} rows; ask for fewer values")
    arrays = np.meshgrid(*(np.array(values) for values in asked.values()), indexing="ij")
    shown = tuple(name for name in asked if name in options or name in always)
    constant = ", ".join(f"{name.replace('-', ' ')} {asked[name][0]}" for name in asked if name not in shown)
    return Grid({name: array.ravel() for name, array in zip(asked, arrays, strict=True)}, shown, constant)


def answers(options: Options, name: str) -> list[str]:
    """Return what an option that is answered with no or yes says; "no" when it is not there."""
    return ask.names(options, name, "answer", ANSWERS) or ["no"]


UNIT_OPTIONS = (
    *("attackers", "attacker-discipline", "attacker-markers"),
    *("defenders", "defender-discipline", "defender-markers"),
)


def asked_units(options: Options) -> dict[str, list[int]]:
    """Return the values of `UNIT_OPTIONS`: two battalions of 6 figures and discipline 6 unless they say otherwise."""
    limits = {"": ("6", 1, MOST_FIGURES), "discipline": ("6", 1, MOST_DISCIPLINE), "markers": ("0", 0, MOST_MARKERS)}
    return {name: ask.numbers(options, name, *limits[name.partition("-")[2]]) for name in UNIT_OPTIONS}


def units(cases: Grid) -> tuple[Unit, Unit]:
    """Return attacker and defender of each combination."""
    columns = [cases.at[name] for name in UNIT_OPTIONS]
    return Unit(*columns[:3]), Unit(*columns[3:])


def presets(rulebook: Rulebook, options: Options, default: Sequence[str]) -> list[str]:
    """Return the presets (CO-5.2) an option names."""
    return ask.names(options, "preset", "preset", list(rulebook.readings["CO-5.2"].options)) or list(default)
