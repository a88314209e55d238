"""One battle as data (board, units, stat blocks, doctrines), and how it becomes a starting position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wargamesim.errors import InputError
from wargamesim.files import read_toml
from wargamesim.games.readers import as_tables, share, table_of
from wargamesim.games.scenarios import ScenarioFile, find_file, shipped
from wargamesim.games.stirling.deploy import parts_of, position
from wargamesim.games.stirling.doctrine import PARAMETERS, Doctrine
from wargamesim.games.stirling.layout import FRONTS, SIDES, State
from wargamesim.games.stirling.playing import Play, pack_play
from wargamesim.games.stirling.rules import QUALITIES, WEAPONS, compile_rules
from wargamesim.games.stirling.schema import GAME, Content, Troop, content_of, doctrine

if TYPE_CHECKING:
    from wargamesim.rulebook import Rulebook

DOCTRINES, TROOPS = "doctrines.toml", "troops.toml"


@dataclass(frozen=True)
class Scenario(ScenarioFile):
    """A scenario before any rulebook.

    Examples
    --------
    >>> scenario = load_scenario("mirror")
    >>> scenario.variant({"first.doctrine": "hold_line", "turns": 12}).content.turns
    12
    """

    content: Content

    ALLOWED = (
        "<side>.doctrine, <side>.split, <side>.commander.charisma, <side>.units.<unit>.<key>, movement, "
        "turns, troops.<side>.<troop>.<key>, doctrines.<side>.<name>.<parameter>"
    )

    @cached_property
    def source(self) -> dict[str, Any]:
        """The whole content, stat blocks and doctrines included, as JSON knows it."""
        tables: dict[str, Any] = as_tables(self.content)
        return tables

    @cached_property
    def settable(self) -> dict[str, list[str] | None]:
        """Every path that can be set, with the allowed names where its value is a name."""
        content = self.content
        paths: dict[str, list[str] | None] = {}
        for side in SIDES:
            army, troops = content.army(side), content.troops.of(side)
            paths[f"{side}.doctrine"] = list(content.doctrines.of(side))
            paths[f"{side}.split"] = None
            if army.commander is not None:
                paths[f"{side}.commander.charisma"] = None
            for name in army.units:
                key = f"{side}.units.{name}"
                paths |= {f"{key}.troop": list(troops), f"{key}.front": list(FRONTS)}
                paths |= dict.fromkeys(f"{key}.{each}" for each in ("men", "at", "leader", "leader_morale"))
        paths |= {"movement": None, "turns": None}
        names = {"quality": list(QUALITIES), "missile": list(WEAPONS)}
        for side in SIDES:
            for troop in content.troops.of(side):
                for each in fields(Troop):
                    if each.name != "text":
                        paths[f"troops.{side}.{troop}.{each.name}"] = names.get(each.name)
            for name in content.doctrines.of(side):
                for parameter, meaning in PARAMETERS.items():
                    paths[f"doctrines.{side}.{name}.{parameter}"] = list(meaning.words) or None
        return paths

    def with_source(self, source: Mapping[str, Any]) -> Scenario:
        """Return the scenario of which this is the source, checked like a file."""
        return Scenario(content_of(source, self.file), self.file)


def scenarios() -> list[str]:
    """Return the names of the shipped scenarios, sorted.

    Examples
    --------
    >>> "line_battle" in scenarios()
    True
    """
    return shipped(GAME, ("doctrines", "troops"))


def load_scenario(name_or_path: str, folder: Path | None = None) -> Scenario:
    """Load a shipped scenario by its name, or a designer's by the path of its file (``*.toml``).

    Parameters
    ----------
    name_or_path : str
        One of `scenarios`, or a path.
    folder : Path, optional
        Where a relative path is looked up first.

    Raises
    ------
    InputError
        If there is no such scenario, or anything in it is missing, unknown or not allowed. What depends on the
        rulebook too is found by `compile_setup`.

    Examples
    --------
    >>> load_scenario("line_battle").content.first.units["archers"].troop
    'archer'
    """
    path = find_file(GAME, name_or_path, folder, scenarios())
    tables, file = read_toml(path), str(path)
    share(tables, path, "doctrines", doctrine, SIDES)
    share(tables, path, "troops", table_of(Troop), SIDES)
    return Scenario(content_of(tables, file), file)


def restore_scenario(source: Mapping[str, Any]) -> Scenario:
    """Build the scenario of which this is the `Scenario.source`.

    Raises
    ------
    InputError
        If anything in it is missing, unknown or not allowed.

    Examples
    --------
    >>> scenario = load_scenario("mirror")
    >>> restore_scenario(scenario.source).fingerprint == scenario.fingerprint
    True
    """
    return Scenario(content_of(source, None))


@dataclass(frozen=True)
class Setup:
    """One cell ready to play.

    Parameters
    ----------
    play : Play
        The rulebook as a record.
    start : State
        The position before the first turn.
    doctrines : pair of Doctrine
        How each side is played.
    names : tuple of str
        Of the units by number, such as "first knights".
    rulebook : str
        The name of the rulebook.
    """

    play: Play
    start: State
    doctrines: tuple[Doctrine, Doctrine]
    names: tuple[str, ...]
    rulebook: str


def compile_setup(rulebook: Rulebook, scenario: Scenario) -> Setup:
    """Set a scenario up by the numbers of a rulebook; `deploy` says who stands where.

    Parameters
    ----------
    rulebook : Rulebook
        A rulebook of the game stirling.
    scenario : Scenario
        With all its changes made.

    Raises
    ------
    InputError
        If men are not as many as the rulebook's step asks for, units stand off the board or on top of each other, or
        rulebook and scenario both say how long the battle lasts.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> setup = compile_setup(load_rulebook("stirling"), load_scenario("two_units"))
    >>> setup.names
    ('first company', 'second company')
    """
    content, file = scenario.content, scenario.file
    if rulebook.game != GAME:
        raise InputError(f"'{rulebook.name}' is a rulebook of {rulebook.game}, not of {GAME}", file=file, key="game")
    if content.turns is not None and "end.turns" in rulebook.changes:
        raise InputError("is changed in the rulebook too (end.turns, SS-11.1): leave one out", file=file, key="turns")
    play, rules = pack_play(rulebook), compile_rules(rulebook)
    if content.turns is not None:
        play.turns = content.turns
    try:
        parts = parts_of(content, rules.men_step)
        start = position(content, parts, play, rules)
    except InputError as error:
        raise InputError(error.message, file=file, key=error.key) from None
    first, second = (content.doctrines.compiled(side, content.army(side).doctrine) for side in SIDES)
    return Setup(play, start, (first, second), tuple(part.name for part in parts), rulebook.name)
