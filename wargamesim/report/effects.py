"""What a designer reads of a factor's effect: a row for each case, and the answer in words."""

from __future__ import annotations

import re
from collections.abc import Collection

from wargamesim.errors import unknown
from wargamesim.report.tables import p_value, with_half
from wargamesim.simulate import Results
from wargamesim.study.effects import Effects
from wargamesim.study.outcomes import level_words, side_words
from wargamesim.table import Table


def find_factor(results: Results, text: str) -> str:
    """Find a factor by its key, or by the end of it.

    Parameters
    ----------
    results : Results
        The results it belongs to.
    text : str
        "doctrines.first.firing_line.volley_from" or, if no other key ends so, "volley_from".

    Raises
    ------
    InputError
        If there is no such factor, or more than one.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> from wargamesim.simulate import load_experiment, run
    >>> experiment = load_experiment("experiments/azincourt_bows.toml")
    >>> find_factor(run(experiment, f"{mkdtemp()}/bows", battles=1), "archer.range")
    'pieces.archer.range'
    """
    keys = list(results.factors)
    fit = [key for key in keys if key == text] or [key for key in keys if key.endswith(f".{text}")]
    if len(fit) != 1:
        raise unknown("factor", text, fit or keys)
    return fit[0]


def find_metrics(results: Results, text: str) -> list[str]:
    """Read names of metrics, as in "turns,first_killed".

    Raises
    ------
    InputError
        If the game has no such metric.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    known = [metric.name for metric in results.metrics]
    for name in names:
        if name not in known:
            raise unknown("metric", name, known, key="--metrics")
    return names


def view(results: Results, found: Effects) -> Table:
    """Return the effects as a narrow table, a row for each case, with the answer in words below."""
    others = [key for key in found.battles.factors if key != found.factor]
    levels = [found.battles.cells[cell] for cell in found.cells.tolist()]
    told = [key for key in others if len({level_words(cell[key]) for cell in levels}) > 1]
    several = len({level_words(cell[found.factor]) for cell in levels}) > 1
    shown = [*told, *([found.factor] if several else [])]
    half, changes = found.interval.half_width, found.change_interval.half_width
    level = f"{100 * found.level:g} %"
    same = len(set(found.n.tolist())) == 1
    return Table(
        (
            *(shorten(results.factors)[key] for key in shown),
            *([] if same else ["pairs"]),
            *(f"score at {level_words(found.base)}", "difference", "p"),
            *(f"change of {name.replace('_', ' ')}" for name in found.metrics),
        ),
        [
            (
                *(level_words(cell[key]) for key in shown),
                *([] if same else [int(found.n[i])]),
                *(f"{found.baseline_score[i]:.3f}", with_half(found.difference[i], half[i], 3, sign="+")),
                p_value(found.p_holm[i]),
                *(with_half(*pair, 2, sign="+") for pair in zip(found.changes[i], changes[i], strict=True)),
            )
            for i, cell in enumerate(levels)
        ],
        title=f"{results.name}: {found.factor}, against {level_words(found.base)}"
        + (f", {found.n[0]:,} {'pairs of battles' if found.battles.paired else 'battles'} each" if same else ""),
        notes=(
            f"score: that of the {side_words(found.battles.sides[0])}; win 1, no winner 1/2, loss 0."
            f" ±: half the width of {level} intervals, one by one. p: adjusted for all rows (Holm).",
            *found.sentences(),
        ),
    )


def shorten(keys: Collection[str]) -> dict[str, str]:
    """Return the shortest end of each key that tells it from the others.

    Examples
    --------
    >>> shorten(["first.doctrine", "second.doctrine", "squads.company.count", "NA-8.2a"])
    {'first.doctrine': 'first.doctrine', 'second.doctrine': 'second.doctrine', 'squads.company.count': 'count', ...}
    """
    short = {}
    for key in keys:
        # The id of a rule has a point too.
        parts = [key] if re.match("[A-Z]{2}-", key) else key.split(".")
        ends = [".".join(parts[i:]) for i in range(len(parts) - 1, -1, -1)]
        short[key] = next(end for end in ends if sum(f".{other}".endswith(f".{end}") for other in keys) == 1)
    return short
