"""What the scenarios of all games have in common: what can be set and how, their fingerprint, and where they lie."""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, Self

from wargamesim.errors import InputError, near, unknown
from wargamesim.files import data_folder
from wargamesim.rulebook import flatten


@dataclass(frozen=True)
class ScenarioFile(ABC):
    """A scenario before any rulebook; a game says what its `content` is, how it is read, and what can be set.

    Parameters
    ----------
    content : object
        Everything in its file, checked.
    file : str, optional
        Where it was read, for messages.
    """

    content: Any
    file: str | None = None

    # What can be set, for the message to whoever wants to set something else.
    ALLOWED: ClassVar[str]

    @property
    def name(self) -> str:
        return str(self.content.name)

    @property
    def title(self) -> str:
        return str(self.content.title)

    @property
    def game(self) -> str:
        return str(self.content.game)

    @property
    @abstractmethod
    def source(self) -> dict[str, Any]:
        """The whole content, doctrines included, as JSON knows it."""

    @property
    @abstractmethod
    def settable(self) -> dict[str, list[str] | None]:
        """Every path that can be set, with the allowed names where its value is a name."""

    @abstractmethod
    def with_source(self, source: Mapping[str, Any]) -> Self:
        """Return the scenario of which this is the source, checked like a file."""

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the whole content, in hexadecimal."""
        return sha256(json.dumps(self.source, sort_keys=True).encode()).hexdigest()

    @property
    def keys(self) -> tuple[str, ...]:
        """All dotted paths that can be set."""
        return tuple(self.settable)

    def knows(self, key: str) -> bool:
        """Tell whether a dotted path such as ``first.doctrine`` can be set."""
        return key in self.settable

    def levels(self, key: str) -> list[str] | None:
        """Return the allowed names of a path whose value is a name; None for other paths."""
        return self.settable.get(key)

    def variant(self, changes: Mapping[str, Any]) -> Self:
        """Return the scenario with some paths changed, checked like the file's.

        Parameters
        ----------
        changes : mapping
            Dotted path to value; nested tables mean the same.

        Raises
        ------
        InputError
            If a path is unknown or a value not allowed.
        """
        source = deepcopy(self.source)
        for key, value in flatten(changes).items():
            if not self.knows(key):
                close = near(key, self.keys)
                hint = f"; did you mean '{close[0]}'?" if close else "."
                raise InputError(f"cannot be set{hint} Allowed: {self.ALLOWED}", file=self.file, key=key)
            *path, last = key.split(".")
            table = source
            for step in path:
                table = table[step]
            table[last] = value
        return self.with_source(source)


def shipped(game: str, others: Collection[str] = ("doctrines",)) -> list[str]:
    """Return the names of a game's shipped scenarios, sorted; `others` are files that scenarios share.

    Examples
    --------
    >>> shipped("azincourt")
    ['azincourt_1415', 'mirror']
    """
    return sorted(path.stem for path in _folder(game).glob("*.toml") if path.stem not in others)


def find_file(game: str, name_or_path: str, folder: Path | None, names: Collection[str]) -> Path:
    """Return where a scenario lies: a shipped one by its name, or the path of a file (``*.toml``).

    Parameters
    ----------
    game, name_or_path : str
    folder : Path, optional
        Where a relative path is looked up first.
    names : collection of str
        Those of the shipped scenarios.

    Raises
    ------
    InputError
        If there is no shipped scenario of that name.

    Examples
    --------
    >>> find_file("azincourt", "mirror", None, shipped("azincourt")).name
    'mirror.toml'
    """
    if name_or_path.endswith(".toml"):
        path = Path(name_or_path)
        if folder is not None and os.path.exists(folder / path):  # Path.exists raises for a name that is too long.
            return folder / path
        return path
    if name_or_path not in names:
        raise unknown("scenario", name_or_path, names)
    return _folder(game) / f"{name_or_path}.toml"


def _folder(game: str) -> Path:
    return data_folder() / "scenarios" / game
