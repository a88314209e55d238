"""The tables of discipline, rally and fire."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from wargamesim.errors import InputError
from wargamesim.games import options as ask
from wargamesim.games.coloniale.discipline import generated, markers_in_long_run, rally
from wargamesim.games.coloniale.fire import guns, rifles
from wargamesim.games.coloniale.grid import (
    MOST_CM,
    MOST_DISCIPLINE,
    MOST_FIGURES,
    MOST_MARKERS,
    Options,
    answers,
    grid,
)
from wargamesim.games.coloniale.rules import ARMS, GROUNDS, QUALITIES, compile_rules
from wargamesim.rulebook import Rulebook
from wargamesim.table import Table


def discipline_table(rulebook: Rulebook, options: Options) -> Table:
    """Answer ``discipline``; options quality, arm, veteran, fanatic."""
    cases = grid(
        options,
        {
            "quality": ask.names(options, "quality", "quality", QUALITIES) or QUALITIES,
            "arm": ask.names(options, "arm", "arm", ARMS) or ARMS,
            "veteran": answers(options, "veteran"),
            "fanatic": answers(options, "fanatic"),
        },
        always=("quality", "arm"),
    )
    rows = []
    columns = (cases.at["quality"].tolist(), cases.at["arm"].tolist(), cases.yes("veteran"), cases.yes("fanatic"))
    for row, quality, arm, veteran, fanatic in zip(cases.rows(), *columns, strict=True):
        drawn = generated(rulebook, quality, arm, veteran=bool(veteran), fanatic=bool(fanatic))
        values = drawn.values[drawn.p > 0]
        chances = zip(values.tolist(), drawn.equal_to(values).tolist(), drawn.at_least(values).tolist(), strict=True)
        rows += [(*row, *chance) for chance in chances]
    return Table(
        cases.heads("discipline", "exactly", "at least"),
        rows,
        title="The discipline a unit starts with (CO-1.4)",
        notes=cases.notes(f"The bonus of cavalry, CO-P04: {rulebook.reading('CO-P04')}."),
    )


def rally_table(rulebook: Rulebook, options: Options) -> Table:
    """Answer ``rally``; options discipline, and markers or fire."""
    rules = compile_rules(rulebook)
    span = f"{rules.discipline_least}:{rules.discipline_most}"
    discipline = ask.numbers(options, "discipline", span, 0, MOST_DISCIPLINE)
    if "fire" in options:
        if "markers" in options:
            raise InputError("is about one rally, --fire about turn after turn; ask for one of them", key="--markers")
        fire = ask.numbers(options, "fire", "1", 0, MOST_MARKERS)
        cases = grid(options, {"discipline": discipline, "fire": fire}, always=("discipline",))
        means = markers_in_long_run(rulebook, cases.at["discipline"], cases.at["fire"])
        return Table(
            cases.heads("markers in the long run"),
            cases.rows([None if np.isinf(mean) else mean for mean in means.tolist()]),
            title="Markers after phase B under the same fire turn after turn, on average (CO-4.1, CO-4.4)",
            notes=("Fire: units that fire at it each turn. Without a number: the markers grow without bound.",),
        )
    markers = ask.numbers(options, "markers", "1:3", 0, MOST_MARKERS)
    cases = grid(options, {"discipline": discipline, "markers": markers}, always=("discipline", "markers"))
    removed = rally(rulebook, cases.at["discipline"], cases.at["markers"])
    return Table(
        cases.heads("none removed", "all removed", "mean removed"),
        cases.rows(removed.equal_to(0), removed.at_least(cases.at["markers"]), removed.mean()),
        title="Rally: suppression markers taken off in one turn (CO-4.1)",
        notes=("As many dice as discipline. Under the same fire turn after turn: --fire.",),
    )


def rifles_table(rulebook: Rulebook, options: Options) -> Table:
    """Answer ``rifles``; options figures, ground, target, distance, markers, targets."""
    rules = compile_rules(rulebook)
    asked: dict[str, Sequence[Any]] = {
        "figures": ask.numbers(options, "figures", f"1:{rulebook.number('units.infantry.figures')}", 0, MOST_FIGURES),
        "ground": ask.names(options, "ground", "ground", GROUNDS) or ["open", "cover"],
        "distance": ask.numbers(options, "distance", "0", 0, MOST_CM),
        "markers": ask.numbers(options, "markers", "0", 0, MOST_MARKERS),
        "targets": ask.numbers(options, "targets", "1", 1, MOST_FIGURES),
    }
    if "target" in options:
        asked["target"] = ask.numbers(options, "target", "1", 0, MOST_FIGURES)
    cases = grid(options, asked, always=("figures", "ground"))
    fire = rifles(rulebook, **cases.at)
    chances = np.moveaxis(fire.removed.p, -1, 0)
    return Table(
        cases.heads(*map(str, range(len(chances))), "mean", "markers"),
        cases.rows(*chances, fire.removed.mean(), fire.markers),
        title="Rifles: figures that one unit's fire removes, and markers it puts (CO-4.2, CO-4.4)",
        notes=cases.notes(f"Beyond {rules.rifle_reach} cm it cannot fire. Fire of dice divided: --targets."),
    )


def guns_table(rulebook: Rulebook, options: Options) -> Table:
    """Answer ``guns``; options distance, ground."""
    rules = compile_rules(rulebook)
    near, reach = rules.cannon_near_reach, max(rules.cannon_reach, rules.cannon_near_reach)
    bands = ",".join(map(str, dict.fromkeys((near, near + 1, reach, reach + 1))))
    cases = grid(
        options,
        {
            "distance": ask.numbers(options, "distance", bands, 0, MOST_CM),
            "ground": ask.names(options, "ground", "ground", GROUNDS) or list(GROUNDS),
        },
        always=("distance", "ground"),
    )
    fire = guns(rulebook, cases.at["distance"], cases.at["ground"])
    hit, one_die = fire.removed.at_least(1), rifles(rulebook, 1, cases.at["ground"]).removed.at_least(1)
    equal = [shot / die if die else None for shot, die in zip(hit.tolist(), one_die.tolist(), strict=True)]
    return Table(
        cases.heads("hit", "rifle dice", "markers"),
        cases.rows(hit, equal, fire.markers),
        title="A battery's shot, by distance in cm (CO-4.3)",
        notes=cases.notes(
            f"Beyond {reach} cm it cannot fire. Rifle dice: so many, near enough, remove as much on average."
        ),
    )
