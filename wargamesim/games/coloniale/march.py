"""Strategic moves: how far a march on a road leads, and where one off the road ends."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wargamesim.dice.arguments import broadcast
from wargamesim.dice.pmf import PMF, Floats, Integers
from wargamesim.games.coloniale.pool import moved
from wargamesim.games.coloniale.rules import (
    ARMS,
    CORRECT,
    DRIFT,
    STOP,
    STOP_IF_DIFFICULT,
    STRAIGHT,
    March,
    compile_march,
    counts,
    indices,
)
from wargamesim.rulebook import Rulebook

# A march off the road is on one kind of ground from its first roll to its last.
MARCH_GROUNDS = ("open", "difficult")


class Paths(NamedTuple):
    """Every way a march off the road can go: probabilities ``p[..., i]`` and what path i is, centimetres and degrees.

    The arrays have the leading shape of the question. ``legs`` after the first, ``length`` marched, ``forward`` and
    ``sideways`` of the stated heading (to the right is positive), ``heading`` at the end as an angle to the stated one
    (-180 to 180), ``drifted``: whether there was any error, put right or not.
    """

    p: Floats
    legs: Integers
    length: Integers
    forward: Floats
    sideways: Floats
    heading: Floats
    drifted: NDArray[np.bool_]

    def mean(self, values: ArrayLike) -> Floats:
        """Return the mean of any of the arrays, or of what is made from them."""
        return np.asarray((self.p * np.asarray(values, dtype=np.float64)).sum(axis=-1))

    def by_legs(self) -> PMF:
        """Return the number of legs after the first."""
        return PMF(0, moved(self.p, self.legs, int(self.legs.max(initial=0)) + 1))


def road(rulebook: Rulebook, arm: ArrayLike = "infantry", turns: ArrayLike = 1) -> PMF:
    """Return how far a march on a road leads (CO-7.2), with nothing in its way.

    Parameters
    ----------
    rulebook : Rulebook
    arm : {"infantry", "cavalry", "battery"} or array_like of them
        A column is cavalry only if all of it is (CO-7.1).
    turns : int or array_like of int, at least 0
        Turns in a row; broadcasts with `arm`.

    Returns
    -------
    PMF
        Centimetres.

    Raises
    ------
    InputError
        If an arm is unknown, the turns are no count, or the shapes do not broadcast.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> length = road(load_rulebook("coloniale"), ["infantry", "cavalry"], 2)
    >>> length.mean(), length.at_least(100).round(4)
    (array([110., 145.]), array([0.7608, 0.9901]))
    """
    which, (in_a_row,) = indices("arm", "arm", arm, ARMS), counts(0, turns=turns)
    broadcast(arm=which.shape, turns=in_a_row.shape)
    march = compile_march(rulebook)
    dice = np.array([march.road_dice[name] for name in ARMS])[which]
    return PMF.die(march.road_die).repeat(dice).scale(march.road_step).shift(march.road_first).repeat(in_a_row)


def right_way(rulebook: Rulebook, junctions: ArrayLike) -> Floats:
    """Return the chance that a column takes no wrong branch at some junctions (CO-7.3).

    Parameters
    ----------
    rulebook : Rulebook
    junctions : int or array_like of int, at least 0

    Returns
    -------
    ndarray of float64, the shape of `junctions`

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> right_way(load_rulebook("coloniale"), [0, 1, 2]) * 9
    array([9., 6., 4.])
    """
    (passed,) = counts(0, junctions=junctions)
    return np.asarray((1 - compile_march(rulebook).wrong) ** passed)


def off_road(rulebook: Rulebook, arm: ArrayLike = "infantry", ground: ArrayLike = "open") -> Paths:
    """Return where a march off the road ends (CO-7.5, CO-7.6).

    Parameters
    ----------
    rulebook : Rulebook
    arm : {"infantry", "cavalry", "battery"} or array_like of them
        A column is cavalry only if all of it is (CO-7.1).
    ground : {"open", "difficult"} or array_like of them
        Where all its rolls are made; broadcasts with `arm`.

    Returns
    -------
    Paths
        Arrays of the broadcast shape with one more axis, the paths.

    Raises
    ------
    InputError
        If an arm or a ground is unknown, the shapes do not broadcast, or the faces of the die are not what they should
        be (`rules.compile_march`).

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> ends = off_road(load_rulebook("coloniale"), ["infantry", "cavalry"])
    >>> ends.mean(ends.length).round(6), ends.mean(ends.drifted).round(6)
    (array([51.064815, 72.12963 ]), array([0.351852, 0.351852]))
    """
    which = indices("arm", "arm", arm, ARMS)
    difficult = indices("ground", "ground", ground, MARCH_GROUNDS)
    broadcast(arm=which.shape, ground=difficult.shape)
    which, difficult = (array[..., None] for array in np.broadcast_arrays(which, difficult))
    march = compile_march(rulebook)
    leg = np.array([march.leg[name] for name in ARMS])[which]
    # A last roll that never moves the column decides nothing (CO-P26).
    rolls = march.rolls if march.last_roll_moves else max(march.rolls - 1, 0)
    none, nowhere = np.zeros_like(which), np.zeros(which.shape)
    going = Paths(nowhere + 1, none, none + march.first, nowhere + march.first, nowhere, nowhere, none > 0)
    ended = []
    for _ in range(rolls):
        stops = march.effects[STOP] + march.effects[STOP_IF_DIFFICULT] * difficult
        ended.append(going._replace(p=going.p * stops))
        going = _joined([_led_on(going, leg, *turn) for turn in _turns(march, going, difficult, rolls * leg)])
    return _joined([*ended, going])


def _turns(march: March, going: Paths, difficult: Integers, full: Integers) -> list[tuple[Floats, Floats, bool]]:
    """Each way to go on: its chance, the new heading, whether it is an error."""
    straight = march.effects[STRAIGHT] + march.effects[STOP_IF_DIFFICULT] * (1 - difficult)
    drift, correct = np.full(straight.shape, march.effects[DRIFT]), np.full(straight.shape, march.effects[CORRECT])
    stated = np.zeros_like(going.heading)
    restored = np.degrees(np.arctan2(-going.sideways, march.first + full - going.forward)) if march.to_point else stated
    on = [(straight, going.heading, False), (correct, restored, False)]
    if march.drift == "enemy":
        # Always to the same side: with errors to both, some would cancel and the march would end nearer its aim.
        return [*on, (drift, going.heading + march.angle, True)]
    base = stated if march.drift == "absolute" else going.heading
    return [*on, (drift / 2, base + march.angle, True), (drift / 2, base - march.angle, True)]


def _led_on(going: Paths, leg: Integers, chance: Floats, heading: Floats, error: bool) -> Paths:
    """March one more leg with a heading."""
    angle = np.radians(heading)
    return Paths(
        going.p * chance,
        going.legs + 1,
        going.length + leg,
        going.forward + leg * np.cos(angle),
        going.sideways + leg * np.sin(angle),
        (heading + 180) % 360 - 180,
        going.drifted | error,
    )


def _joined(parts: list[Paths]) -> Paths:
    return Paths._make(np.concatenate(columns, axis=-1) for columns in zip(*parts, strict=True))
