"""The names of the games, and what the rest of the package may ask of one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from wargamesim.errors import unknown

if TYPE_CHECKING:
    import numpy as np

    from wargamesim.rulebook import Rulebook
    from wargamesim.table import Table

# Where each game's object stands, as "module:attribute": the module is imported when the game is first asked for.
GAMES = {
    "azincourt": "wargamesim.games.azincourt.game:GAME",
    "coloniale": "wargamesim.games.coloniale.game:GAME",
    "skirmish": "wargamesim.games.skirmish.game:GAME",
    "stirling": "wargamesim.games.stirling.game:GAME",
}


@dataclass(frozen=True)
class Metric:
    """An integer measured in every battle besides its outcome, such as one side's losses."""

    name: str
    unit: str
    text: str


@dataclass(frozen=True)
class Event:
    """One thing that happened in a battle, and the rule it happened by.

    Parameters
    ----------
    turn : int
        The number of the turn, from 1; 0 is before the first.
    side : str
        Whose action it was, one of the game's sides; empty when it was nobody's.
    rule : str
        The rule's id, such as ``AZ-6.1``.
    text : str
        What happened, in one sentence.
    board : str or None
        The board drawn after it, where the game draws one.
    """

    turn: int
    side: str
    rule: str
    text: str
    board: str | None = None


class Scenario(Protocol):
    """Map, order of battle, deployments and doctrines of one battle."""

    @property
    def name(self) -> str: ...

    @property
    def game(self) -> str: ...

    @property
    def fingerprint(self) -> str:
        """A hash of the whole content, in hexadecimal."""
        ...

    @property
    def source(self) -> Mapping[str, Any]:
        """The whole content as JSON knows it (what `Game.restore_scenario` takes back)."""
        ...

    @property
    def keys(self) -> tuple[str, ...]:
        """All dotted paths that can be set, so that an unknown one can be answered with the nearest."""
        ...

    def knows(self, key: str) -> bool:
        """Tell whether a dotted path such as ``english.deployment`` can be set."""
        ...

    def levels(self, key: str) -> list[str] | None:
        """Return the known names of a path whose value is a name; None for other paths."""
        ...

    def variant(self, changes: Mapping[str, Any]) -> Scenario:
        """Return the scenario with some paths changed; raise `InputError` for what is unknown or not allowed."""
        ...


class Game(Protocol):
    """What a game offers. A setup is one cell ready to play; only the game knows what is in it."""

    @property
    def name(self) -> str: ...

    @property
    def sides(self) -> tuple[str, str]: ...

    @property
    def outcomes(self) -> tuple[str, ...]:
        """Names of the values of the column ``outcome``, which holds their index."""
        ...

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The other columns of a battle."""
        ...

    @property
    def questions(self) -> tuple[str, ...]:
        """What `odds` answers."""
        ...

    def scenarios(self) -> list[str]:
        """Return the names of the shipped scenarios."""
        ...

    def load_scenario(self, name_or_path: str, folder: Path | None = None) -> Scenario:
        """Load a shipped scenario, or a file: a relative path is looked up in the folder first."""
        ...

    def restore_scenario(self, source: Mapping[str, Any]) -> Scenario:
        """Build the scenario of which this is the `Scenario.source`, without its files."""
        ...

    def compile(self, rulebook: Rulebook, scenario: Scenario) -> Any:
        """Return the setup of one cell; raise `InputError` if rulebook and scenario cannot be played together."""
        ...

    def play(self, setup: Any, key: int, first: int, count: int) -> dict[str, np.ndarray]:
        """Play battles ``first`` to ``first + count - 1``, on any thread and without the GIL.

        Parameters
        ----------
        setup
            What `compile` returned.
        key : int
            The dice of the cell, from `wargamesim.dice.keys.battle_key`.
        first, count : int
            The first battle's number, from 0, and how many.

        Returns
        -------
        dict of str to ndarray, shape [count]
            ``outcome`` (int8) and each metric (int16).
        """
        ...

    def referee(self, setup: Any, key: int, battle: int) -> Iterator[Event]:
        """Play one battle literally and tell what happens, rule by rule."""
        ...

    def odds(self, rulebook: Rulebook, question: str, options: Mapping[str, str]) -> Table:
        """Answer one of the `questions` exactly."""
        ...


def names() -> list[str]:
    """Return the names of all games, sorted.

    Examples
    --------
    >>> "azincourt" in names()
    True
    """
    return sorted(GAMES)


def get(name: str) -> Game:
    """Return a game by its name, importing it when it is first asked for.

    Raises
    ------
    InputError
        If there is no such game.

    Examples
    --------
    >>> get("azincourt").sides
    ('english', 'french')
    """
    if name not in GAMES:
        raise unknown("game", name, GAMES)
    module, _, attribute = GAMES[name].partition(":")
    return cast(Game, getattr(import_module(module), attribute))
