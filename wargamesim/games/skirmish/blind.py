"""Blind fire at figures who may be hidden (NA-4.14, NA-4.15), and the question `blind`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from wargamesim.dice.arguments import broadcast, integers
from wargamesim.dice.pmf import PMF
from wargamesim.dice.pools import successes
from wargamesim.games import options as ask
from wargamesim.games.skirmish.asked import one
from wargamesim.games.skirmish.rules import COVERS, compile_rules, indices, require
from wargamesim.games.skirmish.salvo import Salvo, fallen
from wargamesim.games.skirmish.volley import group_chance, group_fumble, volley, volley_hits
from wargamesim.rulebook import Rulebook
from wargamesim.table import Table

MOST_SHOOTERS, MOST_HIDDEN = 20, 12


def blind_hits(rulebook: Rulebook, shooters: ArrayLike, weapon: ArrayLike = "musket") -> PMF:
    """Return the number of hits of blind fire by a group, by the reading of NA-4.15.

    Parameters
    ----------
    rulebook : Rulebook
    shooters : int or array_like of int
        Figures with loaded firearms, as many as blind fire takes or more.
    weapon : str or array_like of str
        Their weapon; it matters only where each rolls the die of his weapon.

    Returns
    -------
    PMF
        With batch broadcast(shooters, weapon).

    Raises
    ------
    InputError
        If the rulebook has no blind fire, there are too few shooters, a weapon is unknown, or the shapes do not
        broadcast.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> dry = load_rulebook("nordamerica").variant({"NA-4.2": "none"})
    >>> print(f"{blind_hits(dry, 3).mean():.4f} {blind_hits(dry, 3).at_least(1):.4f}")
    0.3000 0.2710
    """
    rules = compile_rules(rulebook)
    require(rules, "blind fire", rulebook)
    count, w = integers("shooters", shooters, minimum=rulebook.number("blind.shooters")), rules.weapon(weapon)
    shape = broadcast(shooters=count.shape, weapon=w.shape)
    if rules.readings["blind"] == "top_face":
        chance = np.array([float(group_chance(rules, die, {die})) for die in rules.weapons.die.tolist()])[w]
    else:
        die = rulebook.number("blind.die")
        chance = group_chance(rules, die, range(rulebook.number("blind.need"), die + 1))
    hits = successes(np.broadcast_to(count, shape), chance)
    return hits.clamp(high=1) if rules.readings["blind"] == "one_ten" else hits


def blind_fire(
    rulebook: Rulebook,
    shooters: ArrayLike,
    hidden: ArrayLike,
    cover: ArrayLike = "soft",
    weapon: ArrayLike = "musket",
) -> Salvo:
    """Return what blind fire does to the figures hidden where it goes.

    Parameters
    ----------
    rulebook : Rulebook
    shooters, weapon
        As in `blind_hits`.
    hidden : int or array_like of int, at least 0
        How many figures are there; all unhurt. One drawn at random is hit by each hit.
    cover : {"open", "soft", "hard"} or array_like of these
        What hides them: it counts for the result of a hit alone.

    Returns
    -------
    Salvo
        With the broadcast shape as batch.

    Raises
    ------
    InputError
        As `blind_hits`, or if a number of hidden figures is negative, a cover is unknown, or the shapes do not
        broadcast.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> means = blind_fire(load_rulebook("nordamerica"), 6, 3).means
    >>> print(f"{means.out:.4f} {means.wounded:.4f} {means.marked:.4f}")
    0.0906 0.2277 0.3760
    """
    rules, hits = compile_rules(rulebook), blind_hits(rulebook, shooters, weapon)
    number, where = integers("hidden", hidden, minimum=0), indices(cover, "cover", COVERS, "cover")
    broadcast(shooters=hits.batch, hidden=number.shape, cover=where.shape)
    return fallen(rules, hits, number, where, "nobody")


def table(rulebook: Rulebook, options: Mapping[str, str]) -> Table:
    """Answer the question `blind`: blind fire and blind volleys, by the number of shooters and of hidden figures."""
    rules = compile_rules(rulebook)
    require(rules, "blind fire", rulebook)
    least, names = rulebook.number("blind.shooters"), rules.weapons.names
    usual = "musket" if "musket" in names else names[0]
    weapon = one(options, "weapon", "weapon", names, usual)
    cover = one(options, "cover", "cover", COVERS, "soft")
    counts = ask.numbers(options, "shooters", f"{least}:{least + 5}", minimum=least, maximum=max(MOST_SHOOTERS, least))
    hidden = ask.numbers(options, "hidden", "4", minimum=0, maximum=MOST_HIDDEN)
    rows: list[tuple[Any, ...]] = []
    for n in counts:
        groups = [("blind fire", blind_hits(rulebook, n, weapon), blind_fire(rulebook, n, hidden, cover, weapon))]
        if "volleys" in rules.features and n >= rulebook.number("volley.shooters"):
            groups.append(("blind volley", volley_hits(rulebook, n), volley(rulebook, n, hidden, cover, blind=True)))
        for fire, hits, salvo in groups:
            for i, number in enumerate(hidden):
                means = (float(part[i]) for part in salvo.means)
                rows.append((n, fire, number, float(hits.mean()), float(hits.at_least(1)), *means))
    notes = [f"Weapon {weapon}, cover {cover}. Hits, NA-4.15: {rules.readings['blind']}."]
    if fumble := float(group_fumble(rules, rulebook.number("blind.die"))):
        notes.append(f"With friends in every arc each shooter of blind fire hits {fumble:.4f} of them on average.")
    return Table(
        ("shooters", "fire", "hidden", "hits", "at least 1 hit", "out", "wounded", "marked"),
        rows,
        title="Blind fire at hidden figures: hits, and what becomes of those who are there",
        notes=(*notes, "Hits, out, wounded and marked (in play with a blue marker) are mean numbers."),
    )
