"""One battle as data (map, order of battle, deployments, doctrines), and how it becomes a starting position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wargamesim.errors import InputError
from wargamesim.files import read_toml
from wargamesim.games.azincourt.deploy import deploy, position
from wargamesim.games.azincourt.doctrine import PARAMETERS, Doctrine
from wargamesim.games.azincourt.layout import State
from wargamesim.games.azincourt.rules import SIDES, Rules, compile_rules
from wargamesim.games.azincourt.schema import (
    GAME,
    Content,
    Doctrines,
    OrderOfBattle,
    content_of,
    shown,
    validated,
)
from wargamesim.games.scenarios import ScenarioFile, find_file, shipped

if TYPE_CHECKING:
    from wargamesim.rulebook import Rulebook


@dataclass(frozen=True)
class Scenario(ScenarioFile):
    """A scenario before any rulebook.

    Examples
    --------
    >>> scenario = load_scenario("azincourt_1415")
    >>> scenario.variant({"english.deployment": "wedges", "mud": 3}).content.mud
    3
    """

    content: Content

    ALLOWED = (
        "<side>.deployment, <side>.doctrine, <side>.order_of_battle.<type>, mud, doctrines.<side>.<name>.<parameter>"
    )

    @property
    def source(self) -> dict[str, Any]:
        """The whole content, doctrines included, as JSON knows it."""
        return self.content.model_dump(mode="json", exclude_none=True)

    @cached_property
    def settable(self) -> dict[str, list[str] | None]:
        """Every path that can be set, with the allowed names where its value is a name."""
        content = self.content
        paths: dict[str, list[str] | None] = {}
        for side in SIDES:
            paths[f"{side}.deployment"] = list(getattr(content.deployments, side))
            paths[f"{side}.doctrine"] = list(getattr(content.doctrines, side))
            paths |= dict.fromkeys(f"{side}.order_of_battle.{troop}" for troop in OrderOfBattle.model_fields)
        paths["mud"] = None
        for side in SIDES:
            for name in getattr(content.doctrines, side):
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
    >>> scenarios()
    ['azincourt_1415', 'mirror']
    """
    return shipped(GAME)


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
    >>> load_scenario("azincourt_1415").levels("english.deployment")
    ['line', 'funnel', 'wings', 'wedges', 'reserve']
    """
    path = find_file(GAME, name_or_path, folder, scenarios())
    tables, file = read_toml(path), str(path)
    shared = tables.pop("doctrines_from", None)
    if shared is not None:
        if not isinstance(shared, str):
            raise InputError(f"must be the path of a file, not {shown(shared)}", file=file, key="doctrines_from")
        other = path.parent / shared
        common = validated(Doctrines, read_toml(other), str(other))
        own = validated(Doctrines, tables.get("doctrines", {}), file, "doctrines")
        tables["doctrines"] = {side: getattr(common, side) | getattr(own, side) for side in SIDES}
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
    rules : Rules
        The rulebook as arrays.
    start : State
        The position before the first turn; nothing is tallied yet.
    doctrines : pair of Doctrine
        How each side is played.
    fixed_mud : int
        The mud of every battle, or -1 if it is rolled (AZ-2.1).
    fielded : pair of int
        How many pieces each side begins with.
    """

    rules: Rules
    start: State
    doctrines: tuple[Doctrine, Doctrine]
    fixed_mud: int
    fielded: tuple[int, int]


def compile_setup(rulebook: Rulebook, scenario: Scenario) -> Setup:
    """Set a scenario up by the numbers of a rulebook; `deploy` says who takes which place.

    Parameters
    ----------
    rulebook : Rulebook
        A rulebook of the game azincourt.
    scenario : Scenario
        With all its changes made.

    Raises
    ------
    InputError
        If the board has another size than the map, the zones of deployment overlap, a piece stands too deep or
        finds no room, or the fixed mud cannot be rolled.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> compile_setup(load_rulebook("azincourt"), load_scenario("azincourt_1415")).fielded
    (52, 66)
    """
    content, file, number = scenario.content, scenario.file, rulebook.number
    if rulebook.game != GAME:
        raise InputError(f"'{rulebook.name}' is a rulebook of {rulebook.game}, not of {GAME}", file=file, key="game")
    rules = compile_rules(rulebook)
    rows, cols = content.size
    if (number("board.rows"), number("board.cols")) != (rows, cols):
        raise InputError(
            f"has {rows} lines of {cols} characters, but the board of the rulebook '{rulebook.name}' has"
            f" board.rows = {number('board.rows')} and board.cols = {number('board.cols')} (AZ-1.1)",
            file=file,
            key="map",
        )
    depths = [number(f"deployment.{side}_depth") for side in SIDES]
    if sum(depths) > rows:
        raise InputError(
            f"the zones of both sides overlap: deployment.english_depth = {depths[0]} and deployment.french_depth ="
            f" {depths[1]} on a board of {rows} rows (AZ-1.2, AZ-1.3)",
            file=file,
        )
    if content.mud is not None and content.mud >= rules.mud_die:
        raise InputError(
            f"must be from 0 to {rules.mud_die - 1}, as two dice can differ (AZ-2.1), not {shown(content.mud)}",
            file=file,
            key="mud",
        )
    english, french = (content.doctrines.compiled(side, getattr(content, side).doctrine) for side in SIDES)
    try:
        armies = (
            deploy(content, "english", depths[0], english.deploy_on_foot != 0),
            deploy(content, "french", depths[1], french.deploy_on_foot != 0),
        )
    except InputError as error:
        raise InputError(error.message, file=file, key=error.key) from None
    return Setup(
        rules=rules,
        start=position(content, rules, armies),
        doctrines=(english, french),
        fixed_mud=-1 if content.mud is None else content.mud,
        fielded=(len(armies[0]), len(armies[1])),
    )
