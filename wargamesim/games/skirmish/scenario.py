"""One skirmish as data (table, squads, doctrines, aims), and how it becomes a starting position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import cached_property
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wargamesim.errors import InputError
from wargamesim.files import read_toml
from wargamesim.games.readers import as_tables, share
from wargamesim.games.scenarios import ScenarioFile, find_file, shipped
from wargamesim.games.skirmish.aims import check_aims, goals_of
from wargamesim.games.skirmish.deploy import check_places, figures_of, has_floors, position
from wargamesim.games.skirmish.doctrine import PARAMETERS, Doctrine
from wargamesim.games.skirmish.layout import MOST_CARDS, RANKS, SIDES, Goals, Ground, State
from wargamesim.games.skirmish.playing import SQUAD_CARDS, Play, pack_play
from wargamesim.games.skirmish.readers import explained
from wargamesim.games.skirmish.rules import compile_rules
from wargamesim.games.skirmish.schema import GAME, Content, Group, content_of, doctrine_table
from wargamesim.games.skirmish.terrain import ground_of

if TYPE_CHECKING:
    from wargamesim.rulebook import Rulebook

DOCTRINES = "doctrines.toml"


@dataclass(frozen=True)
class Scenario(ScenarioFile):
    """A scenario before any rulebook.

    Examples
    --------
    >>> scenario = load_scenario("line_against_line")
    >>> scenario.variant({"first.doctrine": "aimed_line", "turns": 12}).content.turns
    12
    """

    content: Content

    ALLOWED = (
        "turns, terrain, <side>.doctrine, <side>.squads.<squad>.<group>.<key>, "
        "<side>.squads.<squad>.formation.spacing, victory.<side>.<number>, "
        "doctrines.<side>.<name>.<parameter>"
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
        paths: dict[str, list[str] | None] = {"turns": None, "terrain": list(content.terrains)}
        for side in SIDES:
            paths[f"{side}.doctrine"] = list(getattr(content.doctrines, side))
            for name, squad in content.army(side).squads.items():
                key = f"{side}.squads.{name}"
                for group in squad.groups:
                    paths |= dict.fromkeys(
                        f"{key}.{group}.{each.name}" for each in fields(Group) if each.name != "roles"
                    )
                if squad.formation is not None:
                    paths[f"{key}.formation.spacing"] = None
            aims, key = content.aims(side), f"victory.{side}"
            paths |= dict.fromkeys([f"{key}.breaks_at", f"{key}.prisoners"])
            if aims.hold is not None:
                paths |= dict.fromkeys([f"{key}.hold.figures", f"{key}.hold.turns"])
            if aims.exit is not None:
                paths |= dict.fromkeys([f"{key}.exit.figures", f"{key}.exit.loads"])
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
    >>> "line_against_line" in scenarios()
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
    >>> load_scenario("line_against_line").levels("terrain")
    ['open', 'hedge', 'wall']
    """
    path = find_file(GAME, name_or_path, folder, scenarios())
    tables, file = read_toml(path), str(path)
    share(tables, path, "doctrines", doctrine_table, SIDES, explained)
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
        The table; shared with other setups and never written.
    start : State
        The position before the first turn.
    goals : Goals
        What wins.
    doctrines : pair of Doctrine
        How each side is played.
    names, squad_names : tuple of str
        Of the figures and squads by number, such as "first company regular 3" and "first company".
    weapons, grades : tuple of str
        By index.
    rulebook : str
        The name of the shipped rulebook that this one is or extends.
    """

    play: Play
    ground: Ground
    start: State
    goals: Goals
    doctrines: tuple[Doctrine, Doctrine]
    names: tuple[str, ...]
    squad_names: tuple[str, ...]
    weapons: tuple[str, ...]
    grades: tuple[str, ...]
    rulebook: str


def compile_setup(rulebook: Rulebook, scenario: Scenario) -> Setup:
    """Set a scenario up by the numbers of a rulebook; `deploy` says who stands where.

    Parameters
    ----------
    rulebook : Rulebook
        The rulebook that the scenario is made for, or one that extends it.
    scenario : Scenario
        With all its changes made.

    Raises
    ------
    InputError
        If the scenario is made for another rulebook or asks for what this one lacks, figures stand in walls, off the
        table or on top of each other, what wins cannot be reached, or there are more cards than a deck holds.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> setup = compile_setup(load_rulebook("nordamerica"), load_scenario("line_against_line"))
    >>> setup.start.fielded.tolist(), setup.names[0]
    ([9, 9], 'first company regular 1')
    """
    content = scenario.content
    with _in_file(scenario.file):
        _check_rulebook(rulebook, content)
        play, rules = pack_play(rulebook), compile_rules(rulebook)
        squad_names = [f"{side} {name}".replace("_", " ") for side in SIDES for name in content.army(side).squads]
        _check_deck(play, len(squad_names))
        with _below(f"terrains.{content.terrain}"):
            ground = ground_of(content.table.width, content.table.height, content.terrains[content.terrain])
        figures = figures_of(content)
        start = position(content, figures, rulebook, rules)
        check_places(content, figures, ground, float(play.diameter))
        check_aims(content, play, ground, start)
        first, second = (content.doctrines.compiled(side, content.army(side).doctrine) for side in SIDES)
        return Setup(
            play=play,
            ground=ground,
            start=start,
            goals=goals_of(content),
            doctrines=(first, second),
            names=tuple(figure.name for figure in figures),
            squad_names=tuple(squad_names),
            weapons=rules.weapons.names,
            grades=rules.grades.names,
            rulebook=rulebook.source.name,
        )


@contextmanager
def _in_file(file: str | None) -> Iterator[None]:
    """Name the file in errors that do not."""
    try:
        yield
    except InputError as error:
        raise InputError(error.message, file=error.file or file, key=error.key) from None


@contextmanager
def _below(key: str) -> Iterator[None]:
    """Put a key before that of an error."""
    try:
        yield
    except InputError as error:
        raise InputError(error.message, key=f"{key}.{error.key}" if error.key else key) from None


def _check_rulebook(rulebook: Rulebook, content: Content) -> None:
    if rulebook.game != GAME:
        raise InputError(f"'{rulebook.name}' is a rulebook of {rulebook.game}, not of {GAME}", key="game")
    if rulebook.source.name != content.rulebook:
        other = f"'{rulebook.name}'"
        if rulebook.name != rulebook.source.name:
            other += f", which extends '{rulebook.source.name}'"
        raise InputError(f"the scenario is made for the rulebook '{content.rulebook}', not for {other}", key="rulebook")
    if content.loads and not rulebook.knows("move.drag"):
        raise InputError(f"the rulebook '{rulebook.name}' has no rule for dragging", key="loads")
    for number, feature in enumerate(content.terrains[content.terrain], start=1):
        if (feature.floors or 1) > 1 and not has_floors(rulebook):
            key = f"terrains.{content.terrain}.{number}.floors"
            raise InputError(f"the rulebook '{rulebook.name}' has no rule for floors", key=key)


def _check_deck(play: Play, squads: int) -> None:
    """Check that there are cards for all squads, and no more than a record holds."""
    if play.deck_kind == SQUAD_CARDS:
        cards = squads + int(play.aces)
    else:
        suits = int(play.suits)
        if play.colours and squads > suits:
            raise InputError(
                f"there is one pack of {suits} suits, but {squads} squads (RI-2.2 = red_black)", key="deck.suits"
            )
        packs = ceil(squads / suits)
        cards = RANKS * (packs * suits if play.unowned or play.colours else squads)
    cards += int(play.jokers + play.extra_cards)
    if cards > MOST_CARDS:
        raise InputError(f"the deck has {cards} cards; at most {MOST_CARDS} are played with", key="deck")
