"""What a designer reads of a study: narrow tables, and one wide table of each for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from wargamesim.errors import InputError, unknown
from wargamesim.report.tables import p_value, with_half
from wargamesim.simulate import Results
from wargamesim.study.compare import Comparison, Ranking
from wargamesim.study.equilibrium import Equilibrium
from wargamesim.study.outcomes import NO_DECISION, Outcomes, level_words, side_words
from wargamesim.table import Table

# Metrics that every game has under these names and that go into the narrow tables.
LENGTH, LOSSES = "turns", "_losses"


def cell_names(results: Results) -> tuple[str, list[str]]:
    """Return the heading of a column with the cells' names, and the names.

    The name of a cell is its levels in the order of the factors; in an experiment that varies one thing at a time it
    is what the cell has other than the first one.
    """
    cells = results.cells
    if results.manifest["experiment"]["design"] == "crossed":
        return " / ".join(results.factors), [" / ".join(map(level_words, cell.values())) for cell in cells]
    names = []
    for cell in cells:
        others = [f"{key} = {level_words(level)}" for key, level in cell.items() if level != cells[0][key]]
        names.append(", ".join(others) or "first levels")
    return "other than the first levels", names


def find_cell(results: Results, text: str) -> int:
    """Find a cell by its number, or by levels that no other cell has.

    Parameters
    ----------
    results : Results
        The results it belongs to.
    text : str
        "7", or levels with or without their keys: "funnel, dismounted", "mud=3, english.deployment=line".

    Raises
    ------
    InputError
        If there is no such cell, or more than one.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> from wargamesim.simulate import load_experiment, run
    >>> experiment = load_experiment("experiments/azincourt_deployments.toml")
    >>> find_cell(run(experiment, f"{mkdtemp()}/deployments", battles=1), "funnel, dismounted")
    7
    """
    cells = results.cells
    if text.isdecimal():
        if int(text) >= len(cells):
            raise InputError(f"there is no cell {text}; the cells are 0 to {len(cells) - 1}")
        return int(text)
    wanted = [[word.strip() for word in part.split("=", 1)] for part in text.split(",")]
    fit = [number for number, cell in enumerate(cells) if all(_has(cell, words) for words in wanted)]
    if not fit:
        names = {level_words(level) for levels in results.factors.values() for level in levels}
        lost = [words for words in wanted if not any(_has(cell, words) for cell in cells)]
        if lost:
            raise unknown("level", " = ".join(lost[0]), names if len(lost[0]) == 1 else results.factors)
        raise InputError(
            f"there is no cell '{text}': no cell has all these levels; give its number, 0 to {len(cells) - 1}"
        )
    if len(fit) > 1:
        raise InputError(
            f"'{text}' fits {len(fit)} cells ({', '.join(map(str, fit))}); give one number, or more levels"
        )
    return fit[0]


def outcome_tables(results: Results, outcomes: Outcomes) -> list[Table]:
    """Return how the battles ended, and the losses and lengths, as two narrow tables."""
    battles, (heading, names) = outcomes.battles, cell_names(results)
    first, second = battles.sides
    # Those without a decision stand apart, last.
    others = sorted(set(battles.outcomes) - {first, second}, key=lambda name: (name == NO_DECISION, name))
    order = [first, second, *others]
    index = [battles.outcomes.index(name) for name in order]
    score, half = outcomes.score, outcomes.score_interval.half_width
    level = f"{100 * outcomes.level:g} %"
    same = len(set(outcomes.n.tolist())) == 1
    ends = Table(
        (
            *("cell", heading, *([] if same else ["battles"]), f"score of {first}"),
            *(f"{name} won" if name in battles.sides else name.replace("_", " ") for name in order),
        ),
        [
            (
                *(cell, names[cell], *([] if same else [int(n)]), with_half(score[cell], half[cell], 3)),
                *(_percent(outcomes.shares[cell, i]) for i in index),
            )
            for cell, n in enumerate(outcomes.n)
        ],
        title=f"{results.name}: how the battles ended" + (f", {outcomes.n[0]:,} in each cell" if same else ""),
        notes=(
            f"score: win 1, no winner 1/2, loss 0; ± half the width of its {level} interval (Wilson).",
            *outcomes.short_table().notes[1:],
        ),
    )
    shown = [name for name in outcomes.metrics if name == LENGTH or name.endswith(LOSSES)] or list(outcomes.metrics)
    left_out = [name for name in outcomes.metrics if name not in shown]
    metrics = [outcomes.metrics.index(name) for name in shown]
    means, widths = outcomes.means, outcomes.mean_interval.half_width
    lengths = Table(
        ("cell", heading, *(name.replace("_", " ") for name in shown)),
        [
            (cell, name, *(with_half(means[cell, i], widths[cell, i], 2) for i in metrics))
            for cell, name in enumerate(names)
        ],
        title="Means a battle",
        notes=(
            f"± half the width of the {level} interval (Student)."
            + (f" With --json also {', '.join(left_out)}." if left_out else ""),
        ),
    )
    return [ends, lengths]


def comparison_table(comparison: Comparison, ranking: Ranking) -> Table:
    """Return the comparison and the ranking as one table: a row a cell, the best first, the baseline among them."""
    battles = comparison.battles
    against = {int(cell): index for index, cell in enumerate(comparison.cells)}
    kind = "pairs" if battles.paired else "battles_compared"
    rows: list[tuple[Any, ...]] = []
    for place, cell in enumerate(map(int, ranking.cells)):
        index = against.get(cell)
        numbers: tuple[Any, ...] = (None,) * 7
        if index is not None:
            numbers = (
                int(comparison.n[index]),
                *(
                    float(values[index])
                    for values in (comparison.difference, *comparison.interval, comparison.p, comparison.p_holm)
                ),
                float(comparison.fewer_battles[index]),
            )
        low, high = ranking.interval
        rows.append(
            (
                *(place + 1, cell, *battles.levels(cell), int(ranking.n[place])),
                *(float(ranking.score[place]), float(low[place]), float(high[place]), *numbers),
                *(float(ranking.behind[place]), float(ranking.p[place]), bool(ranking.may_be_best[place])),
            )
        )
    return Table(
        (
            *("rank", "cell", *battles.factors, "battles", "score", "score_low", "score_high"),
            *(kind, "difference", "difference_low", "difference_high", "p", "p_holm", "variance_reduction"),
            *("behind_best", "p_behind_best", "may_be_best"),
        ),
        rows,
    )


def comparison_view(results: Results, comparison: Comparison, ranking: Ranking) -> Table:
    """Return the same to be read: cells by score, with their differences from the baseline."""
    heading, names = cell_names(results)
    against = {int(cell): index for index, cell in enumerate(comparison.cells)}
    score_half, half = ranking.interval.half_width, comparison.interval.half_width
    paired = comparison.battles.paired
    rows: list[tuple[Any, ...]] = []
    for place, cell in enumerate(map(int, ranking.cells)):
        index = against.get(cell)
        told: tuple[str, ...] = ("baseline", "", "")
        if index is not None:
            told = (
                with_half(comparison.difference[index], half[index], 3, sign="+"),
                p_value(comparison.p_holm[index]),
                _times(comparison.fewer_battles[index]),
            )
        mark = "" if ranking.may_be_best[place] else "-"
        score = with_half(ranking.score[place], score_half[place], 3)
        rows.append((f"{place + 1}{mark}", cell, names[cell], score, *(told if paired else told[:-1])))
    level, side = f"{100 * comparison.level:g} %", side_words(comparison.battles.sides[0])
    notes = [
        f"score: that of the {side}; win 1, no winner 1/2, loss 0. ±: half the width of {level} intervals, one by one.",
        "p: of no difference, adjusted for all comparisons here (Holm).",
        "Behind the rank: - where the battles show that it is not the best (adjusted for every pair of cells).",
    ]
    if paired:
        notes.append(
            "same dice: the variance reduction. At 2x, cells with other dice would need twice the battles for the same"
            " precision."
        )
    return Table(
        ("rank", "cell", heading, "score", "difference", "p", *(["same dice"] if paired else [])),
        rows,
        title=f"{results.name}: against cell {comparison.baseline}, {names[comparison.baseline]}",
        notes=tuple(notes),
    )


def equilibrium_table(games: Sequence[Equilibrium]) -> Table:
    """Return everything about the games as one table; the column ``what`` says what a row holds.

    ``value`` (of the game), ``share`` (of a choice in its side's mix, with its regret, the share of resamples that
    play it and the choice that dominates it) or ``score`` (of a cell of the matrix).
    """
    rows: list[tuple[Any, ...]] = []
    for game in games:
        given = tuple(game.given.values())
        rows.append((*given, "value", None, None, None, game.value, *game.interval, *(None,) * 4))
        for first, player in ((True, game.row), (False, game.column)):
            for index, choice in enumerate(player.choices):
                choices = (choice, None) if first else (None, choice)
                by = player.dominated.get(index)
                rows.append(
                    (
                        *(*given, "share", *choices, None, float(player.share[index]), None, None, None),
                        *(float(player.regret[index]), float(player.played[index])),
                        None if by is None else player.choices[by],
                    )
                )
        low, high = game.score_interval
        rows += [
            (
                *(*given, "score", game.row.choices[i], game.column.choices[j], game.n),
                *(float(game.scores[i, j]), float(low[i, j]), float(high[i, j]), float(game.no_decision[i, j])),
                *(None, None, None),
            )
            for i, j in np.ndindex(game.scores.shape)
        ]
    game = games[0]
    return Table(
        (
            *(*game.given, "what", game.row.side, game.column.side, "battles", "estimate", "low", "high"),
            *(NO_DECISION, "regret", "played_in_resamples", "dominated_by"),
        ),
        rows,
    )


def equilibrium_tables(games: Sequence[Equilibrium]) -> list[Table]:
    """Return the matrix of each game and its strategies as narrow tables, with the solution in words."""
    tables = []
    for game in games:
        matrix = game.matrix_table()
        strategies = [
            (player.side, choice, _percent(player.share[i]), f"{player.regret[i]:.3f}", _percent(player.played[i]))
            for player in (game.row, game.column)
            for i, choice in enumerate(player.choices)
        ]
        low, high = game.interval
        tables += [
            replace(matrix, notes=()),
            Table(
                ("side", "choice", "in the mix", "cost if always", "in that of resamples"),
                strategies,
                title=f"Equilibrium: value {game.value:.3f}, {100 * game.level:g} % interval {low:.3f} to {high:.3f}",
                notes=("", *game.sentences(), "", *matrix.notes),
            ),
        ]
    return tables


def draw(games: Sequence[Equilibrium], path: Path) -> list[Path]:
    """Draw the matrix of each game as a heat map; of several games, each into a file of its own.

    Parameters
    ----------
    games : sequence of Equilibrium
        What to draw.
    path : Path
        The file; its ending, .png, .svg or .pdf, says how. With several games -1, -2, ... stands before the ending.

    Returns
    -------
    list of Path
        What was written.

    Raises
    ------
    InputError
        If the ending is another, or the folder does not exist.
    """
    from wargamesim.report.plots import check_path, heat_map

    check_path(path)
    paths = [path.with_stem(f"{path.stem}-{number}") for number in range(1, len(games) + 1)] if games[1:] else [path]
    for game, file in zip(games, paths, strict=True):
        low, high = game.score_interval
        side = side_words(game.row.side)
        heat_map(
            game.scores,
            game.row.choices,
            game.column.choices,
            low=low,
            high=high,
            title=game.title,
            row_title=side,
            column_title=side_words(game.column.side),
            unit=f"score of the {side} (win 1, no winner 1/2)",
            path=file,
        )
    return paths


def _has(cell: Mapping[str, Any], words: Sequence[str]) -> bool:
    """Tell whether a cell has a level, written ["level"] or ["key", "level"]."""
    *key, level = words
    return any(level == level_words(value) for name, value in cell.items() if not key or key[0] == name)


def _percent(share: float) -> str:
    """Return a share in percent; one that only rounds to none or all is not shown as such."""
    if np.isnan(share):
        return "-"
    if 0 < share < 0.0005 or 0.9995 <= share < 1:
        return "<0.1 %" if share < 0.5 else ">99.9 %"
    return f"{100 * share:.1f} %"


def _times(ratio: float) -> str:
    if np.isnan(ratio):
        return "-"
    return "equal" if np.isinf(ratio) else f"{ratio:.1f}x"
