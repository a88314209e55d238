"""One battle as data (table, units, objectives, doctrines), and how it becomes a starting position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wargamesim.errors import InputError
from wargamesim.files import read_toml
from wargamesim.games.coloniale.deploy import Part, parts_of, position
from wargamesim.games.coloniale.doctrine import PARAMETERS, Doctrine
from wargamesim.games.coloniale.layout import GOALS, NOBODY, SIDES, Goals, Ground, State
from wargamesim.games.coloniale.playing import Play, pack_play
from wargamesim.games.coloniale.rules import ARMS, QUALITIES
from wargamesim.games.coloniale.schema import GAME, Content, content_of, doctrine
from wargamesim.games.coloniale.terrain import ground_of, reached
from wargamesim.games.readers import as_tables, share
from wargamesim.games.scenarios import ScenarioFile, find_file, shipped
from wargamesim.records import new_record

if TYPE_CHECKING:
    from wargamesim.rulebook import Rulebook

DOCTRINES = "doctrines.toml"

# What can be set of a unit, beside the names of its arm and quality.
UNIT_KEYS = ("figures", "discipline", "markers", "count", "at", "rifles", "veteran", "fanatic")


@dataclass(frozen=True)
class Scenario(ScenarioFile):
    """A scenario before any rulebook.

    Examples
    --------
    >>> scenario = load_scenario("mirror")
    >>> scenario.variant({"first.doctrine": "hold", "turns": 12}).content.turns
    12
    """

    content: Content

    ALLOWED = (
        "<side>.doctrine, <side>.split, <side>.split_drop, <side>.units.<unit>.<key>, "
        "doctrines.<side>.<name>.<parameter>, victory.<side>.hold, victory.at_once, victory.at_limit, "
        "movement, turns, night_from, first_side"
    )

    @cached_property
    def source(self) -> dict[str, Any]:
        """The whole content, doctrines included, as JSON knows it."""
        tables: dict[str, Any] = as_tables(self.content)
        return tables

    @cached_property
    def settable(self) -> dict[str, list[str] | None]:
        """Every path that can be set, with the allowed names where its value is a name."""
        content = self.content
        paths: dict[str, list[str] | None] = {}
        for side in SIDES:
            army = content.army(side)
            paths[f"{side}.doctrine"] = list(content.doctrines.of(side))
            paths |= {f"{side}.split": None, f"{side}.split_drop": None}
            for name in army.units:
                key = f"{side}.units.{name}"
                paths |= {f"{key}.arm": list(ARMS), f"{key}.quality": list(QUALITIES)}
                paths |= dict.fromkeys(f"{key}.{each}" for each in UNIT_KEYS)
            paths[f"victory.{side}.hold"] = None
        paths |= {"movement": None, "turns": None, "night_from": None, "first_side": list(SIDES)}
        paths |= {"victory.at_once": None, "victory.at_limit": list(SIDES)}
        for side in SIDES:
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
    >>> "night_alarm" in scenarios()
    True
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
    >>> load_scenario("mirror").content.first.units["guns"].arm
    'battery'
    """
    path = find_file(GAME, name_or_path, folder, scenarios())
    tables, file = read_toml(path), str(path)
    share(tables, path, "doctrines", doctrine, SIDES)
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
    ground : Ground
        The table.
    start : State
        The position before the first turn.
    goals : Goals
        What wins, and what the scenario says of the course of the battle.
    doctrines : pair of Doctrine
        How each side is played.
    names, zone_names, fort_names, node_names : tuple of str
        Of units, zones, forts and places on roads by number, such as "first guards 2".
    rulebook : str
        The name of the rulebook.
    """

    play: Play
    ground: Ground
    start: State
    goals: Goals
    doctrines: tuple[Doctrine, Doctrine]
    names: tuple[str, ...]
    zone_names: tuple[str, ...]
    fort_names: tuple[str, ...]
    node_names: tuple[str, ...]
    rulebook: str


def compile_setup(rulebook: Rulebook, scenario: Scenario) -> Setup:
    """Set a scenario up by the numbers of a rulebook; `deploy` says who stands where, `terrain` on what.

    Parameters
    ----------
    rulebook : Rulebook
        A rulebook of the game coloniale.
    scenario : Scenario
        With all its changes made.

    Raises
    ------
    InputError
        If units stand off the table or on top of each other, have more figures or another discipline than the rulebook
        allows, a road leads nowhere, no unit of a side can reach what it is to hold, or rulebook and scenario both say
        how long the battle lasts.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> setup = compile_setup(load_rulebook("coloniale"), load_scenario("two_units"))
    >>> setup.names
    ('first battalion', 'second battalion')
    """
    content, file = scenario.content, scenario.file
    if rulebook.game != GAME:
        raise InputError(f"'{rulebook.name}' is a rulebook of {rulebook.game}, not of {GAME}", file=file, key="game")
    if content.turns is not None and "end.turns" in rulebook.changes:
        raise InputError("is changed in the rulebook too (end.turns, CO-8.1): leave one out", file=file, key="turns")
    play = pack_play(rulebook)
    try:
        parts = parts_of(content, float(play.contact))
        start = position(content, parts, rulebook, play)
        ground = ground_of(content, float(play.edge), float(play.rim))
        _check_zones(content, parts, float(play.bridge))
    except InputError as error:
        raise InputError(error.message, file=file, key=error.key) from None
    first, second = (content.doctrines.compiled(side, content.army(side).doctrine) for side in SIDES)
    return Setup(
        play=play,
        ground=ground,
        start=start,
        goals=_goals(content, play),
        doctrines=(first, second),
        names=tuple(part.name for part in parts),
        zone_names=tuple(content.zones),
        fort_names=tuple(content.forts),
        node_names=tuple(content.roads.places),
        rulebook=rulebook.name,
    )


def _check_zones(content: Content, parts: list[Part], bridge: float) -> None:
    """Check that each side can come to as many zones as it is to hold."""
    for side, name in enumerate(SIDES):
        aims = content.aims(name)
        if not aims.hold:
            continue
        places = [part.place for part in parts if part.side == side]
        if content.movement:
            within_reach = reached(content, places, bridge)
        else:
            within_reach = [each for each, zone in content.zones.items() if any(zone.has(place) for place in places)]
        wanted = aims.zones or tuple(content.zones)
        if len(set(within_reach) & set(wanted)) < aims.hold:
            lost = ", ".join(each for each in wanted if each not in within_reach)
            raise InputError(
                f"wants {aims.hold}, but no unit of this side can reach {lost}", key=f"victory.{name}.hold"
            )


def _goals(content: Content, play: Play) -> Goals:
    goals = new_record(GOALS)
    goals.turns = play.turns if content.turns is None else content.turns
    goals.movement, goals.night_from = content.movement, content.night_from
    goals.first_side = SIDES.index(content.first_side)
    goals.at_once = content.victory.at_once
    goals.at_limit = NOBODY if content.victory.at_limit is None else SIDES.index(content.victory.at_limit)
    for side, name in enumerate(SIDES):
        aims = content.aims(name)
        goals.hold[side] = aims.hold
        counted = aims.zones or tuple(content.zones)
        goals.zones[side] = sum(1 << number for number, zone in enumerate(content.zones) if zone in counted)
    return goals
