"""An experiment: a file that says which cells are played how often, checked against its rulebook, scenario and game."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from itertools import product
from math import isfinite, prod
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, ValidationError

from wargamesim.dice.keys import battle_key
from wargamesim.errors import InputError, unknown
from wargamesim.files import read_toml
from wargamesim.games import registry
from wargamesim.games.registry import Game, Scenario
from wargamesim.rulebook import Rulebook, flatten, load_rulebook
from wargamesim.rulebook.read import shown
from wargamesim.rulebook.variant import unknown_key

MOST_CELLS = 100_000
MOST_BATTLES = 10**9
LARGEST_SEED = 2**63 - 1  # the largest integer of TOML

# Compiled cells that an experiment remembers, some tens of kilobytes each: all of them for most experiments.
KEPT_SETUPS = 1_000

# Battles of one file of results. A part of the format: a change would change the bytes of every result.
PART = 2_000


def _level(value: object) -> object:
    whole_numbers = isinstance(value, list) and all(type(item) is int for item in value)
    if not (whole_numbers or type(value) in (int, float, bool, str)) or (type(value) is float and not isfinite(value)):
        raise ValueError(
            f"a level must be a finite number, true or false, a name, or a list of whole numbers, not {shown(value)}"
        )
    return value


Level = Annotated[int | float | bool | str | list[int], PlainValidator(_level)]


class Plan(BaseModel):
    """What stands in an experiment's file; the descriptions say what is allowed."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    name: str = Field(pattern="^[A-Za-z0-9_-]{1,100}$", description="1 to 100 letters, digits, - or _")
    rulebook: str = Field(description="the name of a rulebook or the path of its file")
    scenario: str = Field(description="the name of a scenario or the path of its file")
    seed: int = Field(ge=0, le=LARGEST_SEED, description=f"a whole number from 0 to {LARGEST_SEED}")
    battles: int = Field(ge=1, le=MOST_BATTLES, description=f"a whole number from 1 to {MOST_BATTLES:,}")
    paired: bool = Field(default=True, description="true or false")
    design: Literal["crossed", "one_at_a_time"] = Field(default="crossed", description='"crossed" or "one_at_a_time"')
    factors: dict[str, list[Level]] = Field(description="a table of keys, each with a list of levels")
    fixed: dict[str, Level] = Field(default={}, alias="set", description="a table of keys, each with one value")


@dataclass(frozen=True)
class Part:
    """The battles of one file of results: ``first`` to ``first + count - 1`` of a cell."""

    cell: int
    index: int
    first: int
    count: int

    @property
    def name(self) -> str:
        return f"cell_{self.cell:05d}_part_{self.index:05d}.parquet"

    def chunks(self, size: int) -> Iterator[tuple[int, int]]:
        """Yield (first battle, how many) of the pieces, of at most ``size``, that are computed at a time."""
        end = self.first + self.count
        for first in range(self.first, end, size):
            yield first, min(size, end - first)


def parts(cells: int, battles: int, size: int = PART) -> Iterator[Part]:
    """Yield the parts of a dataset in order.

    Parameters
    ----------
    cells, battles : int
        How many cells, and battles in each.
    size : int
        Battles in a part, at most.

    Examples
    --------
    >>> [(part.first, part.count) for part in parts(1, 5_000)]
    [(0, 2000), (2000, 2000), (4000, 1000)]
    """
    for cell in range(cells):
        for index, first in enumerate(range(0, battles, size)):
            yield Part(cell, index, first, min(size, battles - first))


def label(cell: Mapping[str, Any]) -> str:
    """Say which cell this is.

    Examples
    --------
    >>> label({"english.deployment": "line", "mud": 2})
    'english.deployment = line, mud = 2'
    """
    return ", ".join(f"{key} = {level if isinstance(level, str) else shown(level)}" for key, level in cell.items())


def compile_cell(game: Game, rulebook: Rulebook, scenario: Scenario, changes: Mapping[str, Any]) -> Any:
    """Return the game's setup of a rulebook and a scenario with changes, each made where its key belongs.

    Raises
    ------
    InputError
        If a change is not allowed, or the game cannot play the result.
    """
    numbers = {key: value for key, value in changes.items() if rulebook.knows(key)}
    others = {key: value for key, value in changes.items() if key not in numbers}
    return game.compile(rulebook.variant(numbers), scenario.variant(others))


@dataclass(frozen=True)
class Experiment:
    """A plan together with the rulebook, the scenario and the game that it names.

    Parameters
    ----------
    file : str
        Where the plan was read, for messages.
    plan : Plan
        The content of the file, with ``fixed`` for its table ``[set]``.
    game, rulebook, scenario
        As named in the plan, before any change.
    """

    file: str
    plan: Plan
    game: Game
    rulebook: Rulebook
    scenario: Scenario

    @cached_property
    def cells(self) -> list[dict[str, Any]]:
        """The levels of each cell: crossed with the last factor changing fastest, or each other level alone."""
        factors = self.plan.factors
        if self.plan.design == "crossed":
            return [dict(zip(factors, levels, strict=True)) for levels in product(*factors.values())]
        base = {key: levels[0] for key, levels in factors.items()}
        return [base, *({**base, key: level} for key, levels in factors.items() for level in levels[1:])]

    @cached_property
    def _setups(self) -> dict[int, Any]:
        return {}

    def key(self, cell: int) -> int:
        """Return the key of a cell's dice: the same for all cells of a paired experiment."""
        return battle_key(self.plan.seed, None if self.plan.paired else cell)

    def setup(self, cell: int) -> Any:
        """Compile one cell, ready to play.

        Raises
        ------
        InputError
            If the game cannot play it; the message names the cell.
        """
        if cell in self._setups:
            return self._setups[cell]
        levels = self.cells[cell]
        try:
            setup = compile_cell(self.game, self.rulebook, self.scenario, {**self.plan.fixed, **levels})
        except InputError as error:
            raise InputError(f"cell {cell} ({label(levels)}): {error}", file=self.file) from None
        if len(self._setups) < KEPT_SETUPS:
            self._setups[cell] = setup
        return setup

    def check(self) -> None:
        """Compile every cell once, so that a wrong one is found before the first battle."""
        for cell in range(len(self.cells)):
            self.setup(cell)

    def changed(self, *, battles: int | None = None, seed: int | None = None) -> Experiment:
        """Return the experiment with another number of battles a cell or another seed, checked like the file's."""
        changes = {key: value for key, value in (("battles", battles), ("seed", seed)) if value is not None}
        return replace(self, plan=_plan({**self.plan.model_dump(by_alias=True), **changes}, None)) if changes else self


def load_experiment(path: str | Path) -> Experiment:
    """Load an experiment and check it against its rulebook, its scenario and its game.

    Parameters
    ----------
    path : str or Path
        A TOML file with ``name``, ``rulebook``, ``scenario``, ``seed``, ``battles``, optionally ``paired`` and
        ``design``, and the tables ``[factors]`` and ``[set]``. A rulebook or scenario given as a relative path
        starts at this file's folder.

    Raises
    ------
    InputError
        If anything in it is missing, unknown or not allowed. Whether each cell can be played is seen by
        `Experiment.check`.

    Examples
    --------
    >>> experiment = load_experiment("experiments/azincourt_bows.toml")
    >>> len(experiment.cells), experiment.cells[1]
    (6, {'pieces.archer.range': 5, 'pieces.archer.stakes': 1})
    """
    path = Path(path)
    file = str(path)
    content = read_toml(path)
    for table in ("factors", "set"):
        if isinstance(content.get(table), dict):
            content[table] = flatten(content[table], file=file, table=table)
    plan = _plan(content, file)
    with _named_in(file, "rulebook"):
        book = load_rulebook(plan.rulebook, folder=path.parent)
        game = registry.get(book.game)
    with _named_in(file, "scenario"):
        scenario = game.load_scenario(plan.scenario, path.parent)
    if scenario.game != book.game:
        raise InputError(
            f"'{scenario.name}' is a scenario of {scenario.game}, but the rulebook '{book.name}' is one of {book.game}",
            file=file,
            key="scenario",
        )
    for table, key, level in _levels(plan):
        _check_level(book, scenario, key, level, file, f"{table}.{key}")
    return Experiment(file, plan, game, book, scenario)


def describe(path: str | Path) -> str:
    """Check a whole experiment, every cell of it, and say what it is.

    Raises
    ------
    InputError
        As `load_experiment` and `Experiment.check`.

    Examples
    --------
    >>> describe("experiments/azincourt_deployments.toml")
    'a valid experiment: 25 cells x 1,000 battles'
    """
    experiment = load_experiment(path)
    experiment.check()
    cells, battles = len(experiment.cells), experiment.plan.battles
    return (
        f"a valid experiment: {cells:,} cell{'s' if cells > 1 else ''} x {battles:,} battle{'s' if battles > 1 else ''}"
    )


@contextmanager
def _named_in(file: str, key: str) -> Iterator[None]:
    """Say where a rulebook or scenario that cannot be found was named; an error within its own file says enough."""
    try:
        yield
    except InputError as error:
        if error.file:
            raise
        raise InputError(error.message, file=file, key=key) from None


def _plan(content: Mapping[str, Any], file: str | None) -> Plan:
    """Validate the content of a file as far as it goes without a rulebook."""
    fields = {field.alias or name: field for name, field in Plan.model_fields.items()}
    try:
        plan = Plan.model_validate(content)
    except ValidationError as error:
        # A misspelt key is worth more than the missing one that it leaves behind.
        first = min(error.errors(), key=lambda detail: detail["type"] != "extra_forbidden")
        top, key = str(first["loc"][0]), ".".join(str(step) for step in first["loc"])
        if first["type"] == "extra_forbidden":
            raise unknown("key of an experiment", key, fields, file=file) from None
        if first["type"] == "value_error":
            raise InputError(str(first["ctx"]["error"]), file=file, key=key) from None
        wanted = fields[top].description if len(first["loc"]) == 1 else "a list of levels"
        if first["type"] == "missing":
            raise InputError(f"is missing; it must be {wanted}", file=file, key=key) from None
        raise InputError(f"must be {wanted}, not {shown(first['input'])}", file=file, key=key) from None
    if not plan.factors:
        raise InputError(
            "has no factors; one with a single level makes an experiment of one cell", file=file, key="factors"
        )
    sizes = [len(levels) for levels in plan.factors.values()]
    cells = prod(sizes) if plan.design == "crossed" else 1 + sum(size - 1 for size in sizes)
    if cells > MOST_CELLS:
        raise InputError(f"make {cells:,} cells; at most {MOST_CELLS:,} are allowed", file=file, key="factors")
    for key, levels in plan.factors.items():
        where = f"factors.{key}"
        if not levels:
            raise InputError("has no levels; at least one is needed", file=file, key=where)
        if key in plan.fixed:
            raise InputError("is also in [set]; a key is either varied or fixed", file=file, key=where)
        twice = [level for level, again in zip(levels, _repeats(levels), strict=True) if again]
        if twice:
            raise InputError(f"has the level {shown(twice[0])} twice", file=file, key=where)
    return plan


def _repeats(levels: Sequence[Level]) -> Iterator[bool]:
    """Yield whether each level was there before; 1 and 1.0 are the same, and faces have no order."""
    seen: set[Hashable] = set()
    for level in levels:
        same = tuple(sorted(set(level))) if isinstance(level, list) else level
        yield same in seen
        seen.add(same)


def _levels(plan: Plan) -> Iterator[tuple[str, str, Any]]:
    """Yield (table, key, value) of everything that the plan changes."""
    for key, levels in plan.factors.items():
        for level in levels:
            yield "factors", key, level
    for key, value in plan.fixed.items():
        yield "set", key, value


def _check_level(book: Rulebook, scenario: Scenario, key: str, level: Any, file: str, where: str) -> None:
    """Check one level alone; how it goes with the others is the game's affair when it compiles the cell."""
    if book.knows(key):
        try:
            book.variant({key: level})
        except InputError as error:
            raise InputError(error.message, file=file, key=where) from None
    elif scenario.knows(key):
        names = scenario.levels(key)
        if names is not None and level not in names:
            raise unknown("level", level, names, file=file, key=where)
    else:
        near = get_close_matches(key, [*book.numbers, *book.readings, *scenario.keys], n=1, cutoff=0.5)
        if near and near[0] in scenario.keys:
            message = f"unknown key; did you mean '{near[0]}'?"
        else:
            message = f"{unknown_key(book.source, key)}; keys of the scenario, such as '{scenario.keys[0]}', work too"
        raise InputError(message, file=file, key=where)
