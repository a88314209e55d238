"""The public functions that join several rooms; `wargamesim` exports them, together with some of the rooms' own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wargamesim.dice.keys import battle_key
from wargamesim.errors import InputError
from wargamesim.games import registry
from wargamesim.rulebook import Rulebook, load_rulebook
from wargamesim.simulate import Results, open_results
from wargamesim.simulate.plan import MOST_BATTLES

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from wargamesim.games.registry import Event, Game, Scenario
    from wargamesim.study.compare import Comparison, Ranking
    from wargamesim.study.effects import Effects
    from wargamesim.study.equilibrium import Equilibrium
    from wargamesim.study.outcomes import Battles, Outcomes
    from wargamesim.table import Table


def load_scenario(name_or_path: str | Path, game: str = "azincourt") -> Scenario:
    """Load a scenario: map, order of battle, deployments and doctrines.

    Parameters
    ----------
    name_or_path : str or Path
        The name of a shipped scenario of the game, or the path of a file.
    game : str
        The game that plays it.

    Returns
    -------
    Scenario
        With ``.keys`` (what can be set), ``.levels(key)`` and ``.variant({key: value})``.

    Raises
    ------
    InputError
        If there is no such game or scenario, or the file is wrong.

    Examples
    --------
    >>> scenario = load_scenario("azincourt_1415")
    >>> scenario.levels("english.deployment")
    ['line', 'funnel', 'wings', 'wedges', 'reserve']
    """
    return registry.get(game).load_scenario(str(name_or_path))


def odds(rulebook: Rulebook | str | Path, question: str, **options: str | int | Iterable[str | int]) -> Table:
    """Answer a question about the dice of a rulebook exactly.

    Parameters
    ----------
    rulebook : Rulebook, str or Path
        A rulebook, or what `load_rulebook` takes.
    question : str
        One of the game's questions, for Azincourt "mud", "arrow", "melee", "cannon" or "knight".
    **options
        What the question may be asked about: text as on the command line ("1:6", "knight,archer"), a number, or a
        list of these. Without options the answer is the question's standard table.

    Returns
    -------
    Table
        With ``.records()`` and ``.to_json()``, at full precision.

    Raises
    ------
    InputError
        If the rulebook, the question or an option is unknown, or an option's value is not allowed.

    Examples
    --------
    >>> odds("azincourt", "arrow", target="knight", arrows=[1, 2]).columns
    ('target', 'arrows', 'removed', 'unhorsed', 'unharmed')
    >>> harder = load_rulebook("azincourt").variant({"AZ-4.5": "six_hits"})
    >>> odds(harder, "arrow", target="infantry").records()[0]["removed"]
    0.5
    """
    book = _rulebook(rulebook)
    asked = {
        name: ",".join(map(str, value)) if isinstance(value, Iterable) and not isinstance(value, str) else str(value)
        for name, value in options.items()
    }
    return registry.get(book.game).odds(book, question, asked)


def play(
    rulebook: Rulebook | str | Path, scenario: Scenario | str | Path, battles: int, *, seed: int = 0
) -> pd.DataFrame:
    """Play battles at once, without an experiment and without a folder.

    Parameters
    ----------
    rulebook : Rulebook, str or Path
        A rulebook, or what `load_rulebook` takes.
    scenario : Scenario, str or Path
        A scenario, or what `load_scenario` takes.
    battles : int
        How many, at least 1. The same battles, one more or fewer, are played whenever the rest is the same.
    seed : int
        Of the dice, at least 0. An experiment of the same seed plays the same battles, if it is paired.

    Returns
    -------
    DataFrame
        A row a battle: ``battle`` (from 0), ``outcome`` (a category: one of the game's outcomes) and the game's
        metrics (integers).

    Raises
    ------
    InputError
        If an argument is wrong, or rulebook and scenario cannot be played together.

    Examples
    --------
    >>> scenario = load_scenario("azincourt_1415").variant({"english.deployment": "funnel"})
    >>> frame = play("azincourt", scenario, 5, seed=1)
    >>> list(frame.columns)[:3], len(frame)
    (['battle', 'outcome', 'turns'], 5)
    """
    import numpy as np
    import pandas as pd

    _check_whole("battles", battles, 1)
    key = battle_key(seed)
    game, setup = _compiled(rulebook, scenario)
    columns = game.play(setup, key, 0, battles)
    outcome = pd.Categorical.from_codes(columns.pop("outcome"), pd.Index(game.outcomes))
    return pd.DataFrame({"battle": np.arange(battles), "outcome": outcome, **columns})


def referee(
    rulebook: Rulebook | str | Path, scenario: Scenario | str | Path, battle: int = 0, *, seed: int = 0
) -> Iterator[Event]:
    """Play one battle literally, rule by rule, and tell what happens.

    Parameters
    ----------
    rulebook, scenario, seed
        As in `play`.
    battle : int
        Its number, at least 0: the battle of that row of `play`.

    Returns
    -------
    iterator of Event
        Each with ``turn``, ``side``, ``rule`` (the id), ``text`` and ``board``.

    Raises
    ------
    InputError
        As in `play`.

    Examples
    --------
    >>> first = next(referee("azincourt", "azincourt_1415", 3, seed=1))
    >>> first.turn, first.rule
    (0, 'AZ-2.1')
    """
    _check_whole("battle", battle, 0)
    key = battle_key(seed)
    game, setup = _compiled(rulebook, scenario)
    return game.referee(setup, key, battle)


def outcomes(results: Results | str | Path, *, level: float = 0.95) -> Outcomes:
    """Count how the battles of each cell ended, with intervals.

    Parameters
    ----------
    results : Results, str or Path
        From `run` or `open_results`, or the folder of results.
    level : float
        Confidence level of the intervals, between 0 and 1.

    Returns
    -------
    Outcomes
        Shares of the outcomes, scores and means of all metrics but those that are factors; with ``.table()``.

    Raises
    ------
    InputError
        If the folder holds no results, or `level` is out of range.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> from wargamesim import load_experiment, run
    >>> results = run(load_experiment("experiments/azincourt_bows.toml"), f"{mkdtemp()}/bows", battles=5)
    >>> found = outcomes(results)
    >>> found.n.tolist(), found.metrics[0], found.score.shape
    ([5, 5, 5, 5, 5, 5], 'turns', (6,))
    """
    from wargamesim.study.outcomes import outcome_table

    opened = _results(results)
    # A factor such as Azincourt's `mud` is the same in all battles of a cell.
    metrics = [metric.name for metric in opened.metrics if metric.name not in opened.factors]
    return outcome_table(battles_of(opened), metrics=metrics, level=level)


def compare(results: Results | str | Path, *, baseline: int = 0, level: float = 0.95) -> Comparison:
    """Compare every cell with a baseline cell, battle by battle where they rolled the same dice.

    Parameters
    ----------
    results, level
        As in `outcomes`.
    baseline : int
        The cell to compare with.

    Returns
    -------
    Comparison
        Differences of the first side's score with intervals, p-values adjusted by Holm's method and the variance
        reduction that the same dice brought; with ``.table()``.

    Raises
    ------
    InputError
        If the folder holds no results, there is no such cell or no other one, or `level` is out of range.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> from wargamesim import load_experiment, run
    >>> results = run(load_experiment("experiments/azincourt_bows.toml"), f"{mkdtemp()}/bows", battles=5)
    >>> found = compare(results, baseline=3)
    >>> found.cells.tolist(), found.n.tolist()
    ([0, 1, 2, 4, 5], [5, 5, 5, 5, 5])
    """
    from wargamesim.study.compare import compare_cells

    return compare_cells(battles_of(_results(results)), baseline=baseline, level=level)


def effect(results: Results | str | Path, factor: str, *, metrics: Sequence[str] = (), level: float = 0.95) -> Effects:
    """Compare each level of a factor with its first one, in every case of the other factors.

    Parameters
    ----------
    results, level
        As in `outcomes`.
    factor : str
        The key of the factor.
    metrics : sequence of str
        Metrics of the game whose mean differences are wanted too.

    Returns
    -------
    Effects
        Differences of the first side's score with intervals and p-values adjusted by Holm's method, and those of the
        metrics; with ``.table()`` and ``.sentences()``.

    Raises
    ------
    InputError
        If the folder holds no results, there is no such factor or metric, the factor has one level only, or `level` is
        out of range.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> from wargamesim import load_experiment, run
    >>> results = run(load_experiment("experiments/azincourt_bows.toml"), f"{mkdtemp()}/bows", battles=5)
    >>> found = effect(results, "pieces.archer.range", metrics=["turns"])
    >>> found.cells.tolist(), found.baselines.tolist()
    ([2, 4, 3, 5], [0, 0, 1, 1])
    """
    from wargamesim.study.effects import effects

    return effects(battles_of(_results(results)), factor, metrics=metrics, level=level)


def rank(results: Results | str | Path, *, level: float = 0.95) -> Ranking:
    """Rank the cells by the first side's score, and say which the battles do not separate from the best.

    Parameters
    ----------
    results, level
        As in `outcomes`.

    Returns
    -------
    Ranking
        With ``.table()``.

    Raises
    ------
    InputError
        If the folder holds no results, or `level` is out of range.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> from wargamesim import load_experiment, run
    >>> results = run(load_experiment("experiments/azincourt_bows.toml"), f"{mkdtemp()}/bows", battles=5)
    >>> found = rank(results)
    >>> sorted(found.cells.tolist()), bool(found.score[0] >= found.score[5])
    ([0, 1, 2, 3, 4, 5], True)
    """
    from wargamesim.study.compare import rank_cells

    return rank_cells(battles_of(_results(results)), level=level)


def equilibrium(
    results: Results | str | Path, *, rng: np.random.Generator | int = 0, resamples: int = 1000, level: float = 0.95
) -> list[Equilibrium]:
    """Solve the game of the two sides' choices, with its uncertainty.

    Parameters
    ----------
    results, level
        As in `outcomes`; the experiment must be whole and cross at least one factor of each side.
    rng : Generator or int
        Source of the bootstrap, or its seed.
    resamples : int
        Number of bootstrap resamples, at least 1.

    Returns
    -------
    list of Equilibrium
        One for each combination of levels of the factors that belong to neither side; with ``.table()``,
        ``.strategy_table()`` and ``.sentences()``.

    Raises
    ------
    InputError
        If the folder holds no results, a side has no factor, cells or battles are missing, or an argument is wrong.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> from wargamesim import load_experiment, run
    >>> experiment = load_experiment("experiments/azincourt_deployments.toml")
    >>> [game] = equilibrium(run(experiment, f"{mkdtemp()}/deployments", battles=2), resamples=10)
    >>> game.row.choices, game.scores.shape, game.sentences()[0][:26]
    (('line', 'funnel', 'wings', 'wedges', 'reserve'), (5, 5), 'The English should choose ')
    """
    from wargamesim.study.equilibrium import equilibrium_from

    return equilibrium_from(battles_of(_results(results)), rng=rng, resamples=resamples, level=level)


def battles_of(results: Results) -> Battles:
    """Hand the battles of a result to a study."""
    from wargamesim.study.outcomes import Battles

    return Battles(results.table(), results.cells, results.outcomes, results.sides, results.paired)


def _results(results: Results | str | Path) -> Results:
    return results if isinstance(results, Results) else open_results(results)


def _rulebook(rulebook: Rulebook | str | Path) -> Rulebook:
    return rulebook if isinstance(rulebook, Rulebook) else load_rulebook(rulebook)


def _compiled(rulebook: Rulebook | str | Path, scenario: Scenario | str | Path) -> tuple[Game, Any]:
    book = _rulebook(rulebook)
    game = registry.get(book.game)
    found = game.load_scenario(str(scenario)) if isinstance(scenario, str | Path) else scenario
    if found.game != book.game:
        raise InputError(
            f"'{found.name}' is a scenario of {found.game}, but the rulebook '{book.name}' is one of {book.game}",
            key="scenario",
        )
    return game, game.compile(book, found)


def _check_whole(name: str, value: int, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= MOST_BATTLES:
        raise InputError(f"must be a whole number from {least} to {MOST_BATTLES:,}, not {value!r}", key=name)
