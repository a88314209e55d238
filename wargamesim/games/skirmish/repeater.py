"""Repeating weapons (RI-6.1 to RI-6.3, RI-6.7): several shots in one activation, and the question `repeater`."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
from numpy.typing import ArrayLike

from wargamesim.dice.arguments import integer, integers
from wargamesim.dice.pmf import PMF
from wargamesim.dice.pools import successes
from wargamesim.errors import InputError
from wargamesim.games import options as ask
from wargamesim.games.skirmish.asked import FURTHEST, MOST_MODIFIER, circumstances, one, whole
from wargamesim.games.skirmish.fire import COVER_MODIFIERS, shot_by
from wargamesim.games.skirmish.rules import COVERS, compile_rules, indices, require
from wargamesim.games.skirmish.salvo import fallen_means
from wargamesim.rulebook import Rulebook
from wargamesim.table import Table


def repeater_hits(
    rulebook: Rulebook,
    weapon: ArrayLike,
    distance: ArrayLike,
    shots: int | None = None,
    *,
    modifier: ArrayLike = 0,
    cover: ArrayLike = "open",
    quality: ArrayLike | None = None,
    when: Collection[str] = (),
) -> PMF:
    """Return the number of hits of a repeater in one activation.

    Parameters
    ----------
    rulebook : Rulebook
    weapon, distance, modifier, cover, quality, when
        As in `fire.shot`.
    shots : int, optional
        How many, from 0 to the limit of RI-6.1; that limit when not given. After a move or a reload ("unaimed" in
        `when`) no more than RI-6.3 allows.

    Returns
    -------
    PMF
        From 0 to `shots`, with the broadcast shape of the other arguments as batch.

    Raises
    ------
    InputError
        If the rulebook has no repeaters, there are too many shots, or as `fire.shot`.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> hits = repeater_hits(load_rulebook("risorgimento"), "pistol", [5, 15])
    >>> hits.mean() * 6, hits.at_least(1) * 54
    (array([13.,  8.]), array([53., 46.]))
    """
    rules = compile_rules(rulebook)
    require(rules, "repeaters", rulebook)
    most = _most_shots(rulebook, when)
    count = most if shots is None else integer("shots", shots, minimum=0)
    if count > most:
        after = " after a move or a reload" if "unaimed" in when else ""
        raise InputError(f"must be at most {most}{after}, not {count}", key="shots")
    penalty, plus = rulebook.number("repeater.penalty"), integers("modifier", modifier)
    grows = rules.readings["repeater penalty"] == "cumulative"
    # No shot at all gives the shape of the batch.
    total = successes(0, shot_by(rules, weapon, distance, plus, cover, quality, when).hit)
    for i in range(count):
        extra = penalty * (i if grows else min(i, 1))
        total = total.plus(successes(1, shot_by(rules, weapon, distance, plus + extra, cover, quality, when).hit))
    return total


def _most_shots(rulebook: Rulebook, when: Collection[str]) -> int:
    """The most shots in one activation (RI-6.1, RI-6.3)."""
    most: int = rulebook.number("repeater.shots")
    return min(most, rulebook.number("repeater.shots_if_busy")) if "unaimed" in when else most


def table(rulebook: Rulebook, options: Mapping[str, str]) -> Table:
    """Answer the question `repeater`: by weapon, distance and number of shots."""
    rules = compile_rules(rulebook)
    require(rules, "repeaters", rulebook)
    known = [name for name in rules.fire.modifiers if name not in COVER_MODIFIERS]
    when, names = circumstances(options, "when", known), rules.weapons.names
    weapons = ask.names(options, "weapon", "weapon", names) or list(names)
    grade = one(options, "quality", "grade", rules.grades.names, rules.grades.standard)
    cover = one(options, "cover", "cover", COVERS, "open")
    plus = whole(options, "modifier", 0, minimum=-MOST_MODIFIER, maximum=MOST_MODIFIER)
    most = _most_shots(rulebook, when)
    counts = ask.numbers(options, "shots", str(most), minimum=0, maximum=most)
    far = ask.numbers(options, "distance", "5,20,40,80", minimum=0, maximum=FURTHEST)
    rows = []
    for weapon in weapons:
        for count in counts:
            hits = repeater_hits(rulebook, weapon, far, count, modifier=plus, cover=cover, quality=grade, when=when)
            where = indices(cover, "cover", COVERS, "cover")
            target = fallen_means(rules, hits, np.ones(len(far), dtype=np.int64), where, "nobody")
            parts = (hits.mean(), hits.at_least(1), *target)
            reach = rules.weapons.reach[names.index(weapon)]
            for i, distance in enumerate(far):
                cells = (float(part[i]) if distance <= reach else None for part in parts)
                rows.append((weapon, distance, count, *cells))
    same = [f"grade {grade}", f"cover {cover}", *when, *([f"modifier {plus:+}"] if plus else [])]
    return Table(
        ("weapon", "distance (cm)", "shots", "hits", "at least 1 hit", "out", "wounded", "marked"),
        rows,
        title="A repeater in one activation, all shots at one unhurt target",
        notes=(
            f"{', '.join(same).capitalize()}. Penalty, RI-6.2: {rules.readings['repeater penalty']}.",
            "Out, wounded and marked (in play with a blue marker) are chances. A dash: the target is too far.",
        ),
    )
