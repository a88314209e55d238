"""Discipline: how it is drawn, and how it takes off markers, in one rally and in the long run under fire."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from wargamesim.dice.arguments import broadcast
from wargamesim.dice.pmf import PMF, Floats
from wargamesim.errors import InputError, unknown
from wargamesim.games.coloniale.pool import capped_successes
from wargamesim.games.coloniale.rules import ARMS, QUALITIES, compile_rules, counts
from wargamesim.rulebook import Rulebook


def generated(
    rulebook: Rulebook, quality: str, arm: str = "infantry", *, veteran: bool = False, fanatic: bool = False
) -> PMF:
    """Return the discipline a unit starts with (CO-1.4, CO-P04, CO-P05).

    Parameters
    ----------
    rulebook : Rulebook
    quality : {"irregular", "regular", "elite"}
    arm : {"infantry", "cavalry", "battery"}
    veteran, fanatic : bool

    Returns
    -------
    PMF
        From the least to the most discipline of the rulebook.

    Raises
    ------
    InputError
        If quality or arm is unknown, or the unit is veteran and fanatic where it may only be one (CO-P05).

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> drawn = generated(load_rulebook("coloniale"), "irregular", "cavalry")
    >>> drawn.equal_to([4, 5, 6])
    array([0.25, 0.5 , 0.25])
    """
    if quality not in QUALITIES:
        raise unknown("quality", quality, QUALITIES, key="quality")
    if arm not in ARMS:
        raise unknown("arm", arm, ARMS, key="arm")
    if veteran and fanatic and rulebook.reading("CO-P05") == "exclusive":
        raise InputError("a unit is veteran or fanatic, not both (CO-P05: exclusive)", key="fanatic")
    rules, number = compile_rules(rulebook), rulebook.number
    base = {
        "irregular": number("discipline.irregular"),
        "regular": number("discipline.regular"),
        "elite": number("discipline.elite"),
    }
    for_arm = {"infantry": (0,), "cavalry": number("discipline.cavalry"), "battery": (number("discipline.battery"),)}
    extra = number("discipline.veteran") * veteran + number("discipline.fanatic") * fanatic
    drawn = PMF.from_faces(base[quality]).plus(PMF.from_faces(for_arm[arm])).shift(extra)
    return drawn.clamp(rules.discipline_least, rules.discipline_most)


def rally(rulebook: Rulebook, discipline: ArrayLike, markers: ArrayLike) -> PMF:
    """Return how many suppression markers a unit takes off in one rally (CO-4.1).

    Parameters
    ----------
    rulebook : Rulebook
    discipline : int or array_like of int, at least 0
        As many dice are rolled.
    markers : int or array_like of int, at least 0
        What the unit has; broadcasts with `discipline`.

    Returns
    -------
    PMF
        From 0 to the largest `markers`.

    Raises
    ------
    InputError
        If an argument is no count, or the shapes do not broadcast.

    Examples
    --------
    The chance that a unit of discipline 6 takes off all of its one, two or three markers:

    >>> from wargamesim.rulebook import load_rulebook
    >>> print(rally(load_rulebook("coloniale"), 6, [1, 2, 3]).at_least([1, 2, 3]).round(6))
    [0.912209 0.648834 0.319616]
    """
    dice, held = counts(0, discipline=discipline, markers=markers)
    broadcast(discipline=dice.shape, markers=held.shape)
    return capped_successes(dice, np.asarray(compile_rules(rulebook).rally), held)


def markers_in_long_run(rulebook: Rulebook, discipline: ArrayLike, fire: ArrayLike) -> Floats:
    """Return the mean number of markers, after phase B, of a unit under the same fire turn after turn.

    Every turn the unit rallies and then gets the markers of the units that fire at it. In the long run the number left
    by the rally is that of a queue served in bulk: it is a sum of geometric variables, one for each root outside the
    unit circle of ``z**(D - f) = (p + (1 - p) * z)**D``, with D dice of chance p and f markers a turn [1]_.

    Parameters
    ----------
    rulebook : Rulebook
    discipline : int or array_like of int, at least 0
    fire : int or array_like of int, at least 0
        Units that fire at it each turn; broadcasts with `discipline`.

    Returns
    -------
    ndarray of float64, shape broadcast(discipline, fire)
        Infinite where the markers grow without bound: where a turn brings at least as many as a rally takes off on
        average.

    References
    ----------
    .. [1] N. T. J. Bailey, "On queueing processes with bulk service", J. R. Stat. Soc. B 16 (1954).

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> print(markers_in_long_run(load_rulebook("coloniale"), [3, 4, 10], 1).round(5))
    [    inf 1.75935 1.01944]
    """
    dice, units = counts(0, discipline=discipline, fire=fire)
    shape = broadcast(discipline=dice.shape, fire=units.shape)
    rules = compile_rules(rulebook)
    pairs = zip(np.broadcast_to(dice, shape).flat, np.broadcast_to(units, shape).flat, strict=True)
    means = [_long_run(int(n), int(k) * rules.fire_markers, rules.rally) for n, k in pairs]
    return np.array(means, dtype=np.float64).reshape(shape)


def _long_run(dice: int, added: int, chance: float) -> float:
    # With a relative margin: the product of a count and a chance is rounded.
    if added and added >= dice * chance * (1 - 1e-12):
        return np.inf
    if added == 0 or chance == 1:
        return float(added)
    equation = np.polynomial.Polynomial([chance, 1 - chance]) ** dice
    equation -= np.polynomial.Polynomial([0.0] * (dice - added) + [1.0])
    roots = equation.roots().astype(np.complex128)
    # Exactly `added` roots lie outside the unit circle; the one on it is 1 itself.
    outside = roots[np.argsort(-abs(roots))][:added]
    return added + float((1 / (outside - 1)).sum().real)
