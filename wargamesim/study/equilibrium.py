"""The zero-sum game of two sides' secret choices: what each should choose, how often, and how sure that is.

The first side picks a row of a matrix game in secret, the second a column, and the entry is the first side's mean score
(see `matrix_game`).

The scores are estimates, and a max-min over noisy entries is biased: each player exploits the entries that chance made
good. The bootstrap [1]_ shows the spread and, by its mean, roughly the bias; its interval is the plain percentile
interval and corrects nothing. More battles shrink both.

References
----------
.. [1] B. Efron and R. J. Tibshirani, *An Introduction to the Bootstrap*, Chapman & Hall (1993), chapter 13.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from wargamesim.errors import InputError
from wargamesim.study.intervals import FloatArray, IntArray, Interval, check_level
from wargamesim.study.matrix_game import dominated, saddle_points, solve
from wargamesim.study.outcomes import NO_DECISION, Battles, level_words, outcome_table, percent, side_words
from wargamesim.table import Table

BLOCK = 2**22  # entries of the bootstrap's weights held at once


@dataclass(frozen=True)
class Player:
    """One side of a game; the arrays have the shape (choices,).

    Attributes
    ----------
    side : str
        The side's name.
    choices : tuple of str
        What it chooses from; the levels of several factors are joined by ' + '.
    share : float array
        Its mixed strategy: the share of battles in which to make each choice, summing to 1.
    regret : float array
        Score lost by always making a choice while the other side keeps to the equilibrium; 0 for the best replies.
    played : float array
        Share of the resamples at whose equilibrium the choice is played at all.
    dominated : dict of int to int
        Choice -> another that scored never worse and somewhere better.
    """

    side: str
    choices: tuple[str, ...]
    share: FloatArray
    regret: FloatArray
    played: FloatArray
    dominated: dict[int, int]


@dataclass(frozen=True)
class Equilibrium:
    """The game of two sides' choices, and its solution with its uncertainty.

    Attributes
    ----------
    given : dict of str to object
        Level of each factor that belongs to neither side.
    row, column : Player
        The first side, whose scores these are, and the second.
    n : int
        Battles of each cell.
    scores : float array, shape (rows, columns)
        Mean score of the first side.
    score_interval : Interval of shape (rows, columns)
        Wilson's interval of each.
    no_decision : float array, shape (rows, columns)
        Share of battles without a decision.
    value : float
        What the first side scores at the equilibrium, 0 to 1.
    interval : pair of float
        Bootstrap percentile interval of the value.
    bias : float
        Bootstrap estimate of the value's bias, which is not corrected.
    saddles : tuple of (row, column)
        Equilibria in pure strategies.
    resamples : int
        Number of bootstrap resamples.
    level : float
        Confidence level of all intervals.
    """

    given: dict[str, object]
    row: Player
    column: Player
    n: int
    scores: FloatArray
    score_interval: Interval
    no_decision: FloatArray
    value: float
    interval: tuple[float, float]
    bias: float
    saddles: tuple[tuple[int, int], ...]
    resamples: int
    level: float

    @property
    def title(self) -> str:
        """What the game is about, in words."""
        given = "".join(f", {factor} = {level_words(level)}" for factor, level in self.given.items())
        first, second = side_words(self.row.side), side_words(self.column.side)
        return f"Score of the {first} (rows) against the {second} (columns){given}"

    def table(self) -> Table:
        """Return one row a cell of the matrix, at full precision."""
        values = (self.scores, *self.score_interval, self.no_decision)
        return Table(
            columns=(*self.given, self.row.side, self.column.side, "battles", "score", "low", "high", NO_DECISION),
            rows=[
                (
                    *self.given.values(),
                    *(self.row.choices[i], self.column.choices[j], self.n),
                    *(float(value[i, j]) for value in values),
                )
                for i, j in np.ndindex(self.scores.shape)
            ],
            title=self.title,
            notes=self._notes(),
        )

    def matrix_table(self) -> Table:
        """Return the matrix to be read: each entry a score and the half-width of its interval."""
        half = self.score_interval.half_width
        return Table(
            columns=(f"{self.row.side} \\ {self.column.side}", *self.column.choices),
            rows=[
                (name, *(f"{score:.3f} ±{width:.3f}" for score, width in zip(self.scores[i], half[i], strict=True)))
                for i, name in enumerate(self.row.choices)
            ],
            title=self.title,
            notes=self._notes(),
        )

    def strategy_table(self) -> Table:
        """Return one row a choice of either side: how often to make it, what it costs, how sure that is."""
        return Table(
            columns=(*self.given, "side", "choice", "share", "regret", "played_in_resamples", "dominated_by"),
            rows=[
                (
                    *self.given.values(),
                    *(player.side, choice, float(player.share[i]), float(player.regret[i]), float(player.played[i])),
                    player.choices[player.dominated[i]] if i in player.dominated else None,
                )
                for player in (self.row, self.column)
                for i, choice in enumerate(player.choices)
            ],
            title=f"{self.title}: value {self.value:.3f}, "
            f"{100 * self.level:g} % interval {self.interval[0]:.3f} to {self.interval[1]:.3f}",
            notes=self._notes(),
        )

    def sentences(self) -> list[str]:
        """Return the equilibrium in words a designer reads, one sentence an entry."""
        low, high = self.interval
        said = [
            self._advice(self.row, self.column, self.value, low, high),
            self._advice(self.column, self.row, 1 - self.value, 1 - high, 1 - low),
        ]
        for player in (self.row, self.column):
            name, choices = side_words(player.side), player.choices
            costs = [
                f"{choices[i]} {player.regret[i]:.2f}" for i in np.argsort(player.regret) if player.regret[i] >= 0.005
            ]
            if costs:
                said.append(f"Against that, always choosing otherwise costs the {name} score: {_listed(costs)}.")
            said += [
                f"For the {name}, {choices[i]} scored nowhere better than {choices[by]} and somewhere worse."
                for i, by in player.dominated.items()
            ]
            if np.any((player.played > 0.05) & (player.played < 0.95)):
                often = [i for i in np.argsort(-player.played, kind="stable") if player.played[i] >= 0.005]
                held = _listed([f"{choices[i]} in {percent(player.played[i])}" for i in often])
                said.append(
                    f"Which choices belong in the mix of the {name} is not settled: over {self.resamples} resamples of "
                    f"the battles it held {held}."
                )
        return said

    def _advice(self, player: Player, other: Player, value: float, low: float, high: float) -> str:
        used = [i for i in np.argsort(-player.share, kind="stable") if player.share[i]]
        mix = [f"{player.choices[i]} in {percent(player.share[i])}" for i in used]
        what = _listed([f"{mix[0]} of battles", *mix[1:]]) if len(mix) > 1 else f"{player.choices[used[0]]} always"
        return (
            f"The {side_words(player.side)} should choose {what}; whatever the {side_words(other.side)} choose, they "
            f"then score at least {value:.2f} ({100 * self.level:g} % interval {low:.2f} to {high:.2f})."
        )

    def _notes(self) -> tuple[str, ...]:
        notes = [
            f"{self.n} battles a cell; {100 * self.level:g} % intervals; that of the value is a percentile interval of "
            f"{self.resamples} bootstrap resamples.",
            f"The value of noisy scores is biased, here by about {self.bias:+.3f}; it is not corrected.",
        ]
        if np.any(self.no_decision):
            notes.append(
                f"{percent(float(self.no_decision.mean()))} of the battles came to no decision; "
                "they count one half and are no draws."
            )
        return tuple(notes)


def equilibrium_from(
    battles: Battles, *, rng: np.random.Generator | int, resamples: int = 1000, level: float = 0.95
) -> list[Equilibrium]:
    """Find the equilibrium of the two sides' choices.

    The factors whose key starts with a side's name and a dot are that side's choices. Any other factor gives one game
    for each of its levels.

    Parameters
    ----------
    battles : Battles
        A crossed experiment, with all its battles.
    rng : Generator or int
        Source of the resampling, or its seed. In a paired experiment a resample holds the same battle numbers in all
        cells, else other ones in each. So that a cell which never varied does not look certain, a battle won and a
        battle lost are added to each cell before resampling.
    resamples : int
        Number of bootstrap resamples, at least 1.
    level : float
        Confidence level of the intervals, between 0 and 1.

    Returns
    -------
    list of Equilibrium
        One for each combination of levels of the other factors.

    Raises
    ------
    InputError
        If a side has no factor, cells or battles are missing, or an argument is out of range.

    Examples
    --------
    >>> cells = [{"red.plan": a, "blue.plan": b} for a in ("hold", "charge") for b in ("hold", "charge")]
    >>> rows = [(cell, battle, int(cell in (1, 2))) for cell in range(4) for battle in range(100)]
    >>> data = dict(zip(("cell", "battle", "outcome"), np.transpose(rows)))
    >>> [game] = equilibrium_from(Battles(data, cells, ("red", "blue"), ("red", "blue")), rng=0)
    >>> game.scores.tolist(), game.value, game.row.share.tolist()
    ([[1.0, 0.0], [0.0, 1.0]], 0.5, [0.5, 0.5])
    """
    check_level(level)
    if resamples < 1:
        raise InputError(f"must be at least 1, but is {resamples}", key="resamples")
    games = _games(battles)
    scores, numbers = battles.score_matrix()
    present = np.count_nonzero(~np.isnan(scores), axis=1)
    lacking = np.flatnonzero(present < max(1, len(numbers)))
    if lacking.size:
        cell = int(lacking[0])
        raise InputError(
            f"an equilibrium needs all battles, but {lacking.size} of {len(present)} cells lack some: cell {cell} "
            f"({battles.label(cell)}) has {present[cell]} of {len(numbers)}; resume the run first"
        )
    generator = np.random.default_rng(rng)
    outcomes = outcome_table(battles, level=level)
    undecided = np.zeros(len(scores))
    if NO_DECISION in battles.outcomes:
        undecided = outcomes.shares[:, battles.outcomes.index(NO_DECISION)]
    found = []
    for given, rows, columns, index in games:
        matrix, shape = outcomes.score[index], index.shape
        value, row, column = solve(matrix)
        means, population = _resample(scores[index.ravel()].T, resamples, generator, battles.paired)
        drawn = [solve(resample) for resample in means.reshape(-1, *shape)]
        values = np.array([solution.value for solution in drawn])
        low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
        found.append(
            Equilibrium(
                given=given,
                row=Player(
                    *(battles.sides[0], rows, row, np.maximum(value - matrix @ column, 0)),
                    *(np.mean([solution.row > 0 for solution in drawn], axis=0), dominated(matrix)),
                ),
                column=Player(
                    *(battles.sides[1], columns, column, np.maximum(row @ matrix - value, 0)),
                    *(np.mean([solution.column > 0 for solution in drawn], axis=0), dominated(-matrix.T)),
                ),
                n=len(numbers),
                scores=matrix,
                score_interval=Interval(*(limit[index] for limit in outcomes.score_interval)),
                no_decision=undecided[index],
                value=value,
                interval=(float(low), float(high)),
                bias=float(values.mean() - solve(population.reshape(shape)).value),
                saddles=saddle_points(matrix),
                resamples=resamples,
                level=level,
            )
        )
    return found


def _games(battles: Battles) -> list[tuple[dict[str, object], tuple[str, ...], tuple[str, ...], IntArray]]:
    """Arrange the cells as games: levels of the other factors, rows, columns, and the cell numbers as a matrix."""
    own = [[factor for factor in battles.factors if factor.startswith(f"{side}.")] for side in battles.sides]
    for side, factors in zip(battles.sides, own, strict=True):
        if not factors:
            raise InputError(
                f"no factor is a choice of '{side}': its key would start with '{side}.'. "
                f"Factors: {', '.join(battles.factors) or 'none'}",
                key="factors",
            )
    others = [factor for factor in battles.factors if factor not in own[0] + own[1]]
    place: dict[tuple[str, str, str], int] = {}
    for number, cell in enumerate(battles.cells):
        row, column = (" + ".join(level_words(cell[factor]) for factor in factors) for factors in own)
        place["".join(f", {factor}={level_words(cell[factor])}" for factor in others), row, column] = number
    levels, rows, columns = (tuple(dict.fromkeys(names)) for names in zip(*place, strict=True))
    missing = [key for key in product(levels, rows, columns) if key not in place]
    if missing:
        given, row, column = missing[0]
        raise InputError(
            f"an equilibrium needs every choice against every other, but {len(missing)} of "
            f"{len(missing) + len(place)} cells are missing, first {battles.sides[0]} {row} against "
            f"{battles.sides[1]} {column}{given}; is the design crossed?",
            key="factors",
        )
    games = [np.array([[place[given, row, column] for column in columns] for row in rows]) for given in levels]
    return [({factor: battles.cells[game[0, 0]][factor] for factor in others}, rows, columns, game) for game in games]


def _resample(scores: FloatArray, count: int, rng: np.random.Generator, paired: bool) -> tuple[FloatArray, FloatArray]:
    """Draw mean scores (count, cells) from scores (battles, cells) with one battle won and one lost in each cell added.

    Also returns the means (cells,) of what is drawn from. Equal battles are drawn together, by one multinomial.
    """
    if not paired:
        each = [_resample(cell[:, None], count, rng, paired=True) for cell in scores.T]
        return np.column_stack([means for means, _ in each]), np.concatenate([population for _, population in each])
    size, cells = scores.shape
    patterns, times = np.unique(np.vstack([scores, np.ones(cells), np.zeros(cells)]), axis=0, return_counts=True)
    chance = times / times.sum()
    block = max(1, BLOCK // len(patterns))
    sizes = [min(block, count - start) for start in range(0, count, block)]
    means = np.concatenate([rng.multinomial(size, chance, size=draws) @ patterns / size for draws in sizes])
    return means, chance @ patterns


def _listed(parts: Sequence[str]) -> str:
    """Join with commas and a last 'and'."""
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))
