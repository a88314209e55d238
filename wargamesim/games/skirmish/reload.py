"""Reloading: how often a figure that stays where it is fires, and whether to take a snap shot or to wait."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from wargamesim.dice.arguments import MASS_TOLERANCE, broadcast
from wargamesim.dice.pools import chance_at_least
from wargamesim.errors import InputError
from wargamesim.games import options as ask
from wargamesim.games.skirmish.asked import FURTHEST
from wargamesim.games.skirmish.fire import shot_by
from wargamesim.games.skirmish.rules import COVERS, Floats, Ints, Rules, compile_rules, indices
from wargamesim.rulebook import Rulebook
from wargamesim.table import Table

GREEN = 1


class Reload(NamedTuple):
    """The work of reloading; arrays of one shape.

    `actions` are needed after a shot (RI-5.8), `after_misfire` after a misfire (NA-4.3); `snap` is the chance that the
    last of them ends with a snap shot, if the figure tries (NA-3.20a, RI-3.11a).
    """

    actions: Ints
    after_misfire: Ints
    snap: Floats


class Rate(NamedTuple):
    """How often a figure fires and hits that never moves; arrays of one shape, each a mean for one activation.

    `waiting` if it never tries a snap shot, `snapping` if it always does. Where snap shots must be tried (RI-3.11a),
    waiting is not allowed and its rates are not a number.
    """

    shots_waiting: Floats
    shots_snapping: Floats
    hits_waiting: Floats
    hits_snapping: Floats


def reload(
    rulebook: Rulebook, weapon: ArrayLike, quality: ArrayLike | None = None, loading: ArrayLike = "muzzle"
) -> Reload:
    """Return the work of reloading (NA-3.19, NA-5.9a, RI-3.10, RI-5.9a).

    Parameters
    ----------
    rulebook : Rulebook
    weapon : str or array_like of str
        A thrown weapon needs no reloading.
    quality : str or array_like of str, optional
        The figure's grade; the middle one when not given.
    loading : str or array_like of str
        How the weapon is loaded: "muzzle", or "breech" where the rulebook knows breech-loaders.

    Returns
    -------
    Reload
        Arrays of the broadcast shape of the arguments.

    Raises
    ------
    InputError
        If a name is unknown or the shapes do not broadcast.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> work = reload(load_rulebook("risorgimento"), "rifled_musket", ["conscript", "veteran"], "breech")
    >>> work.actions, work.snap * 6
    (array([2, 1]), array([3., 4.]))
    """
    return reload_by(compile_rules(rulebook), weapon, quality, loading)


def reload_by(rules: Rules, weapon: ArrayLike, quality: ArrayLike | None, loading: ArrayLike) -> Reload:
    """Return the work of reloading; the arguments are those of `reload`."""
    w, g = rules.weapon(weapon), rules.grade(quality)
    how = indices(loading, "loading", rules.loadings, "loading")
    shape = broadcast(weapon=w.shape, quality=g.shape, loading=how.shape)
    marker = np.array(list(rules.grades.marker.values()))[how, g]
    actions = np.where(rules.weapons.thrown[w], 0, marker + rules.weapons.extra_reload[w])
    if rules.readings["reload steps"] == "one_action":
        actions = np.minimum(actions, 1)
    after_misfire = actions if rules.readings["misfire marker"] == "full" else np.minimum(actions, GREEN)
    # Who removes no marker has no snap shot.
    snap = np.where(actions > 0, chance_at_least(rules.snap_die, rules.grades.snap[g]), 0.0)
    return Reload(*(np.broadcast_to(part, shape) for part in (actions, after_misfire, snap)))


def rate(
    rulebook: Rulebook,
    weapon: ArrayLike,
    distance: ArrayLike,
    *,
    modifier: ArrayLike = 0,
    cover: ArrayLike = "open",
    quality: ArrayLike | None = None,
    loading: ArrayLike = "muzzle",
) -> Rate:
    """Return how often a figure that never moves fires and hits.

    A shot that is not a snap shot is aimed and takes an activation of its own. Each shot, each misfire and each step
    of reloading counts; the weapon is loaded at the start, and the means are those of the long run.

    Parameters
    ----------
    rulebook : Rulebook
    weapon, distance, modifier, cover, quality
        As in `fire.shot`.
    loading : str or array_like of str
        As in `reload`.

    Returns
    -------
    Rate
        Arrays of the broadcast shape of all arguments.

    Raises
    ------
    InputError
        As `fire.shot` and `reload`.

    Examples
    --------
    A red marker, without misfires: a shot in 4 activations, or in 3 1/2 if every snap shot is tried.

    >>> from wargamesim.rulebook import load_rulebook
    >>> dry = load_rulebook("nordamerica").variant({"NA-4.2": "none"})
    >>> found = rate(dry, "musket", 20, quality="regular")
    >>> print(f"{found.shots_waiting:.4f} {found.shots_snapping:.4f}")
    0.2500 0.2857
    """
    rules = compile_rules(rulebook)
    return rate_by(rules, weapon, distance, modifier, cover, quality, loading)


def rate_by(
    rules: Rules,
    weapon: ArrayLike,
    distance: ArrayLike,
    modifier: ArrayLike,
    cover: ArrayLike,
    quality: ArrayLike | None,
    loading: ArrayLike,
) -> Rate:
    """Return how often a figure fires and hits; the arguments are those of `rate`."""
    work = reload_by(rules, weapon, quality, loading)
    aimed = shot_by(rules, weapon, distance, modifier, cover, quality, ())
    hasty = shot_by(rules, weapon, distance, modifier, cover, quality, ("unaimed",))
    shape = broadcast(reload=work.snap.shape, shot=aimed.misfire.shape)
    fires = 1 - aimed.misfire - aimed.no_shot
    # From one pull of the trigger to the next: the reloading, and an activation for the shot unless it is a snap shot.
    between = fires * work.actions + aimed.misfire * work.after_misfire
    waiting, snapping = 1 + between, 1 - work.snap + between
    hits = (1 - work.snap) * aimed.hit + work.snap * hasty.hit
    rates = [fires / waiting, fires / snapping, aimed.hit / waiting, hits / snapping]
    if rules.readings["snap"] == "compulsory":
        rates[0] = rates[2] = np.full(shape, np.nan)
    return Rate(*(np.broadcast_to(part, shape) for part in rates))


def table(rulebook: Rulebook, options: Mapping[str, str]) -> Table:
    """Answer the question `reload`: actions between shots, and whether to snap or to wait."""
    rules = compile_rules(rulebook)
    guns = [name for name, thrown in zip(rules.weapons.names, rules.weapons.thrown, strict=True) if not thrown]
    weapons = ask.names(options, "weapon", "weapon", rules.weapons.names) or guns[:1]
    grades = ask.names(options, "quality", "grade", rules.grades.names) or list(rules.grades.names)
    loadings = ask.names(options, "loading", "loading", rules.loadings) or list(rules.loadings)
    covers = ask.names(options, "cover", "cover", COVERS) or ["open"]
    if len(covers) > 1:
        raise InputError("takes one cover, not several", key="--cover")
    far = ask.numbers(options, "distance", "30", minimum=0, maximum=FURTHEST)
    rows = []
    for weapon in weapons:
        for loading in loadings:
            for grade in grades:
                work = reload_by(rules, weapon, grade, loading)
                found = rate_by(rules, weapon, far, 0, covers[0], grade, loading)
                for i, distance in enumerate(far):
                    wait, snap = float(found.hits_waiting[i]), float(found.hits_snapping[i])
                    cells = (float(found.shots_waiting[i]), float(found.shots_snapping[i]), wait, snap)
                    fires = distance <= rules.weapons.reach[rules.weapon(weapon)]
                    answer = (*cells, _better(wait, snap)) if fires else (None,) * 5
                    rows.append((weapon, loading, grade, distance, int(work.actions), *answer))
    several = {"weapon": len(weapons) > 1, "loading": len(rules.loadings) > 1, "distance (cm)": len(far) > 1}
    first = ("weapon", "loading", "grade", "distance (cm)", "reload actions")
    columns = (*first, "shots waiting", "shots snapping", "hits waiting", "hits snapping", "better")
    kept = [i for i, name in enumerate(columns) if several.get(name, True)]
    same = [f"weapon {weapons[0]}"] * (len(weapons) == 1) + [f"distance {far[0]} cm"] * (len(far) == 1)
    return Table(
        tuple(columns[i] for i in kept),
        [tuple(row[i] for i in kept) for row in rows],
        title="Fire of a figure that never moves: shots and hits an activation",
        notes=(
            f"{', '.join([*same, f'cover {covers[0]}']).capitalize()}. Shots, misfires and reloading all count.",
            "Waiting: aimed shots only. Snapping: a snap shot is tried whenever reloading ends.",
        ),
    )


def _better(wait: float, snap: float) -> str:
    if np.isnan(wait):
        return "must snap"
    if abs(wait - snap) <= MASS_TOLERANCE:
        return "equal"
    return "wait" if wait > snap else "snap"
