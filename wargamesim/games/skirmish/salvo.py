"""What fire by several figures does to several targets: out, wounded and marked, jointly; and what that is worth."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from wargamesim.dice.allocation import allocate, tally
from wargamesim.dice.arguments import integers
from wargamesim.dice.pmf import PMF
from wargamesim.games.skirmish.fire import result_by
from wargamesim.games.skirmish.morale import activations_lost, morale
from wargamesim.games.skirmish.rules import Floats, Ints, Rules, compile_rules
from wargamesim.rulebook import Rulebook

# Who gets a blue marker beside those hit: nobody, all in play if there is a hit, all in play in any case.
Suppression = Literal["nobody", "if_hit", "always"]


class Means(NamedTuple):
    """Mean numbers of targets that were all unhurt; arrays of one shape.

    `out` of the game, `wounded` and still in play, and `marked`: in play with a blue marker, the wounded among them.
    """

    out: Floats
    wounded: Floats
    marked: Floats


class Salvo(NamedTuple):
    """What has become of targets that were all unhurt.

    ``joint[..., o, w, m]`` is the probability that o targets are out of the game, w others wounded, and m of those in
    play, the wounded among them, have a blue marker. Each axis is one longer than the largest number of targets.
    """

    joint: Floats

    @property
    def means(self) -> Means:
        """The mean numbers."""
        number = np.arange(self.joint.shape[-1])
        others = ((-2, -1), (-3, -1), (-3, -2))
        return Means(*(np.asarray(self.joint.sum(axis=axes) @ number) for axes in others))


class Worth(NamedTuple):
    """What fire is worth; arrays of one shape.

    `men` counts those out, the wounded by the share of a man that a wound takes (NA-5.6), and those who rout because
    of their marker; `activations` those lost to markers; `worth` is both by their values.
    """

    men: Floats
    activations: Floats
    worth: Floats


def after_hits(rules: Rules, cover: Ints, most: int) -> Floats:
    """Return what an unhurt target is after 0 to `most` hits, by cover: shape (*cover, most + 1, 4).

    The states are unharmed, nearly missed (a blue marker and no wound), wounded, and out.
    """
    killed, wounded, near_miss = result_by(rules, cover)
    outs = rules.result.wounds_out
    # The chain's states: unharmed, nearly missed, one and more wounds, out.
    step = np.zeros((*cover.shape, outs + 2, outs + 2))
    for state in range(outs + 1):
        marked = max(state, 1)
        step[..., state, -1] += killed
        step[..., state, marked + 1] += wounded
        step[..., state, marked] += near_miss
    step[..., -1, -1] = 1.0
    now = np.zeros((*cover.shape, most + 1, outs + 2))
    now[..., 0, 0] = 1.0
    for k in range(most):
        now[..., k + 1, :] = (now[..., k, None, :] @ step)[..., 0, :]
    return np.stack([now[..., 0], now[..., 1], now[..., 2:-1].sum(axis=-1), now[..., -1]], axis=-1)


def fallen(rules: Rules, hits: PMF, targets: Ints, cover: Ints, suppressed: Suppression) -> Salvo:
    """Return what hits do that fall on targets at random, by the reading of NA-4.21.

    Parameters
    ----------
    rules : Rules
    hits : PMF
        How many there are.
    targets, cover : ndarray of int64
        How many targets there are, and the index of their cover; both broadcast with the batch of `hits`.
    suppressed : {"nobody", "if_hit", "always"}
        Who is marked beside those hit.
    """
    effect = after_hits(rules, cover, int(hits.values[-1]))
    found = tally(hits, targets, effect, replacement=rules.readings["allocation"] == "replace")
    batch, size = found.shape[:-3], found.shape[-1]
    near, wounded, out = np.indices((size, size, size))
    marked = np.broadcast_to(near + wounded, found.shape)
    if suppressed != "nobody":
        number = np.broadcast_to(targets, batch)[..., None, None, None]
        # Where nobody is nearly missed, wounded or out there was no hit.
        marked = np.where((near + wounded + out > 0) | (suppressed == "always"), number - out, marked)
    possible, joint = found > 0, np.zeros(found.shape)
    where = (*np.indices(found.shape)[: len(batch)], *np.broadcast_arrays(out, wounded, marked))
    np.add.at(joint, tuple(axis[possible] for axis in where), found[possible])
    return Salvo(joint)


def fallen_means(rules: Rules, hits: PMF, targets: Ints, cover: Ints, suppressed: Suppression) -> Means:
    """Return the mean numbers of `fallen`, for any number of targets at little cost."""
    replacement = rules.readings["allocation"] == "replace"
    on_one = allocate(hits, targets, replacement=replacement).hits_on_one.p
    fate = (on_one[..., None] * after_hits(rules, cover, on_one.shape[-1] - 1)).sum(axis=-2)
    _, near, wounded, out = np.moveaxis(fate * targets[..., None], -1, 0)
    if suppressed == "nobody":
        return Means(out, wounded, near + wounded)
    some = hits.at_least(1) if suppressed == "if_hit" else 1.0
    return Means(out, wounded, targets * some - out)


def worth(
    rulebook: Rulebook,
    means: Means,
    man: ArrayLike,
    activation: ArrayLike,
    *,
    modifier: ArrayLike = 0,
    all_tests: bool = False,
) -> Worth:
    """Return what fire is worth by the value of a man and of an activation.

    Parameters
    ----------
    rulebook : Rulebook
    means : Means
        What it does.
    man, activation : float or array_like of float
        Their values, in any unit; all arguments broadcast.
    modifier : int or array_like of int
        The targets' modifier of morale (NA-8.2a); that of a wound is added for the wounded.
    all_tests : bool
        Whether to count activations and routs of all tests until each figure is steady, or of the next one alone.

    Returns
    -------
    Worth
        Arrays of the broadcast shape.

    Raises
    ------
    InputError
        If a modifier is no integer.

    Examples
    --------
    A marker on each of four men, and nothing else: each is stopped with a chance of 1/2 at the next test.

    >>> from wargamesim.rulebook import load_rulebook
    >>> marked = Means(np.array(0.0), np.array(0.0), np.array(4.0))
    >>> print(worth(load_rulebook("nordamerica"), marked, man=5, activation=1).worth)
    2.0
    """
    rules, plus = compile_rules(rulebook), integers("modifier", modifier)
    men, lost = means.out + means.wounded / rules.result.wounds_out, np.zeros(())
    by_wound = rules.morale_modifiers["wounded"]
    for figures, total in ((means.marked - means.wounded, plus), (means.wounded, plus + by_wound)):
        tests = morale(rulebook, total)
        men = men + figures * (tests.routs_in_the_end if all_tests else tests.rout)
        lost = lost + figures * activations_lost(rules, tests, all_tests=all_tests)
    value = men * np.asarray(man, dtype=np.float64) + lost * np.asarray(activation, dtype=np.float64)
    return Worth(*np.broadcast_arrays(men, lost, value))
