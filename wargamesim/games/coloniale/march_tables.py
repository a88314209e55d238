"""The tables of the strategic moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from wargamesim.errors import unknown
from wargamesim.games import options as ask
from wargamesim.games.coloniale.grid import MOST_CM, MOST_FIGURES, MOST_TURNS, Options, grid
from wargamesim.games.coloniale.march import MARCH_GROUNDS, off_road, right_way, road
from wargamesim.games.coloniale.rules import ARMS
from wargamesim.rulebook import Rulebook
from wargamesim.table import Table

Rows = list[tuple[Any, ...]]
MOUNTED_OR_NOT = ("infantry", "cavalry")


def march_table(rulebook: Rulebook, options: Options) -> Table:
    """Answer ``march``; options show, arm and, off the road, ground; with ``--show reach`` others (see `_VIEWS`)."""
    show = options.get("show", "summary")
    if show not in _VIEWS:
        raise unknown("view", show, _VIEWS, key="--show")
    allowed, view = _VIEWS[show]
    ask.check_options(options, ("show", *allowed))
    return view(rulebook, options)


def _arms(options: Options) -> list[str]:
    return ask.names(options, "arm", "arm", ARMS) or list(MOUNTED_OR_NOT)


def _grounds(options: Options) -> list[str]:
    return ask.names(options, "ground", "ground", MARCH_GROUNDS) or list(MARCH_GROUNDS)


def _summary_view(rulebook: Rulebook, options: Options) -> Table:
    arms = _arms(options)
    on = road(rulebook, arms)
    rows: Rows = []
    for i, arm in enumerate(arms):
        reached = on.values[on.p[i] > 0]
        rows.append(("road", arm, None, float(on.mean()[i]), int(reached[0]), int(reached[-1]), None, None, None))
    cases = grid(options, {"arm": arms, "ground": _grounds(options)}, always=("arm", "ground"))
    off = off_road(rulebook, cases.at["arm"], cases.at["ground"])
    sideways = np.sqrt(off.mean(off.sideways**2))
    happens = off.p > 0
    least = np.where(happens, off.length, MOST_CM).min(axis=-1)
    most = np.where(happens, off.length, 0).max(axis=-1)
    columns = (off.mean(off.length), least, most, off.mean(off.forward), sideways, off.mean(off.drifted))
    rows += [("off road", *row) for row in cases.rows(*columns)]
    return Table(
        ("way", "arm", "ground", "length", "least", "most", "forward", "sideways", "drift"),
        rows,
        title="One strategic move, in cm (CO-7.2, CO-7.5)",
        notes=(
            "Length and way forward: on average. Sideways: root mean square. Drift: the chance of any error.",
            "Other views: --show reach, --show legs, --show heading.",
        ),
    )


def _reach_view(rulebook: Rulebook, options: Options) -> Table:
    cases = grid(
        options,
        {
            "arm": _arms(options),
            "turns": ask.numbers(options, "turns", "1,2", 0, MOST_TURNS),
            "junctions": ask.numbers(options, "junctions", "0", 0, MOST_FIGURES),
            "distance": ask.numbers(options, "distance", "40:120:20", 0, MOST_CM),
        },
        always=("arm", "turns", "distance"),
    )
    length = road(rulebook, cases.at["arm"], cases.at["turns"])
    chance = length.at_least(cases.at["distance"]) * right_way(rulebook, cases.at["junctions"])
    return Table(
        cases.heads("reached"),
        cases.rows(chance),
        title="A march on a road: the chance to get at least so many cm far, the right way (CO-7.2, CO-7.3)",
        notes=cases.notes(),
    )


def _legs_view(rulebook: Rulebook, options: Options) -> Table:
    cases = grid(options, {"arm": _arms(options), "ground": _grounds(options)}, always=("arm", "ground"))
    off = off_road(rulebook, cases.at["arm"], cases.at["ground"])
    legs = off.by_legs()
    rows: Rows = []
    for i, row in enumerate(cases.rows()):
        for count in legs.values.tolist():
            length = int(off.length[i][off.legs[i] == count][0])
            rows.append((*row, count, length, float(legs.p[i, count])))
    return Table(
        cases.heads("legs", "length", "chance"),
        rows,
        title="A march off the road: legs after the first, and the length in cm (CO-7.5)",
        notes=cases.notes(),
    )


def _heading_view(rulebook: Rulebook, options: Options) -> Table:
    cases = grid(options, {"arm": _arms(options)[:1], "ground": _grounds(options)}, always=("ground",))
    off = off_road(rulebook, cases.at["arm"], cases.at["ground"])
    rows: Rows = []
    for i, row in enumerate(cases.rows()):
        # Angles that differ by rounding alone are the same.
        headings, which = np.unique(off.heading[i].round(9), return_inverse=True)
        chances = np.bincount(which, off.p[i])
        rows += [(*row, *pair) for pair in zip(headings.tolist(), chances.tolist(), strict=True) if pair[1] > 0]
    return Table(
        cases.heads("heading", "chance"),
        rows,
        title="A march off the road: the heading at its end, in degrees to the right of the one stated (CO-7.5)",
        notes=cases.notes(
            f"Errors, CO-P27: {rulebook.reading('CO-P27')}. Put right, CO-P28: {rulebook.reading('CO-P28')}."
        ),
    )


_VIEWS: dict[str, tuple[tuple[str, ...], Callable[[Rulebook, Options], Table]]] = {
    "summary": (("arm", "ground"), _summary_view),
    "reach": (("arm", "turns", "junctions", "distance"), _reach_view),
    "legs": (("arm", "ground"), _legs_view),
    "heading": (("arm", "ground"), _heading_view),
}
