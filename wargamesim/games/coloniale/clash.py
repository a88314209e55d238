"""Fire and assault over turns: how much fire an assault needs before it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from wargamesim.dice.arguments import broadcast
from wargamesim.dice.pmf import Floats, Integers
from wargamesim.dice.pools import successes
from wargamesim.games.coloniale.assault import (
    ATTACKER,
    BOTH_GONE,
    DEFENDER,
    DRAW,
    Unit,
    bonus,
    dice_losses,
    fighters,
    fights,
)
from wargamesim.games.coloniale.firefight import firefight
from wargamesim.games.coloniale.pool import moved
from wargamesim.games.coloniale.rules import FORT, GROUNDS, Fighter, Rules, compile_rules, counts
from wargamesim.rulebook import Rulebook


class Preparation(NamedTuple):
    """How an assault prepared by fire ends; arrays of one shape that sum to 1."""

    shot_to_pieces: Floats
    attacker_wins: Floats
    defender_wins: Floats
    both_gone: Floats
    draw: Floats

    @property
    def defender_beaten(self) -> Floats:
        """The chance that the defender is destroyed by the fire or loses the assault."""
        return self.shot_to_pieces + self.attacker_wins


class Clash(NamedTuple):
    """How a clash of two battalions ends; arrays of one shape, the first seven sum to 1.

    ``attacker_shot``, ``defender_shot`` and ``both_shot`` are the chances that fire alone destroys them. The others are
    how the assault ends: ``attacker_wins``, ``defender_wins``, ``both_gone`` and ``draw``. ``attacker_figures`` and
    ``defender_figures`` are the mean numbers left.
    """

    attacker_shot: Floats
    defender_shot: Floats
    both_shot: Floats
    attacker_wins: Floats
    defender_wins: Floats
    both_gone: Floats
    draw: Floats
    attacker_figures: Floats
    defender_figures: Floats


def preparation(
    rulebook: Rulebook,
    volleys: ArrayLike,
    attacker: Unit,
    defender: Unit,
    ground: ArrayLike = "open",
    *,
    advantage: ArrayLike = False,
) -> Preparation:
    """Return how an assault ends that other units have prepared by fire in the same turn.

    Parameters
    ----------
    rulebook : Rulebook
    volleys : int or array_like of int, at least 0
        Units in reach that fire at the defender first, each with all the dice a unit may have.
    attacker, defender, ground, advantage
        As in `assault.assault`; `defender` and `ground` also count for the fire. All arguments broadcast.

    Returns
    -------
    Preparation
        Arrays of the broadcast shape.

    Raises
    ------
    InputError
        As in `assault.assault`.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> print(preparation(load_rulebook("coloniale"), [0, 1, 2, 3], Unit(6, 6), Unit(6, 6)).defender_beaten.round(6))
    [0.430123 0.613113 0.80293  0.934013]
    """
    (units,) = counts(0, volleys=volleys)
    one, other, where, has = fighters(attacker, defender, ground, advantage)
    broadcast(volleys=units.shape, others=where.shape)
    rules = compile_rules(rulebook)
    units, where, has, *flat = np.broadcast_arrays(units, where, has, *one, *other)
    one, other = Fighter(*flat[:3]), Fighter(*flat[3:])
    hits = successes(units * rules.rifle_dice, rules.rifle_hit[where]).p
    most = int(other.figures.max(initial=1))
    left = np.maximum(other.figures[..., None] - np.arange(hits.shape[-1]), 0)
    standing = moved(hits, left, most + 1)
    # One assault for each number of figures that may still stand; none of them is a fight that never was.
    still = np.arange(1, most + 1)
    lead = one.discipline - one.markers - other.discipline + other.markers - bonus(rules, where, has)
    lead = lead + units * rules.rifle_markers[where]
    shape = (*units.shape, most)
    ends = dice_losses(
        rules,
        np.broadcast_to(one.figures[..., None], shape),
        np.broadcast_to(still, shape),
        np.broadcast_to(lead[..., None], shape),
    ).sum(axis=(-2, -1))
    by_end = (standing[..., 1:, None] * ends).sum(axis=-2)
    winners = (by_end[..., winner] for winner in (ATTACKER, DEFENDER, BOTH_GONE, DRAW))
    return Preparation(standing[..., 0], *winners)


def clash(
    rulebook: Rulebook,
    fire: ArrayLike,
    attacker: Unit,
    defender: Unit,
    ground: ArrayLike = "open",
    *,
    advantage: ArrayLike = False,
) -> Clash:
    """Return how a clash of two battalions with rifles ends, within reach of each other.

    For some turns both rally and fire. In the turn after these both rally, the defender fires, and the attacker, which
    has kept its action for it, assaults (CO-3.1, CO-3.2). That assault ends the clash. The attacker stands in the open.

    Parameters
    ----------
    rulebook : Rulebook
    fire : int or array_like of int, at least 0
        Turns of fire before the assault.
    attacker, defender, ground, advantage
        As in `assault.assault`; the ground is also where the defender is shot at. All arguments broadcast with `fire`.

    Returns
    -------
    Clash
        Arrays of the broadcast shape.

    Raises
    ------
    InputError
        As in `assault.assault`.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> end = clash(load_rulebook("coloniale"), [0, 1, 2], Unit(6, 6), Unit(6, 6))
    >>> print((end.defender_shot + end.attacker_wins).round(4))
    [0.2618 0.247  0.2817]
    """
    (turns,) = counts(0, fire=fire)
    one, other, where, has = fighters(attacker, defender, ground, advantage)
    broadcast(fire=turns.shape, others=where.shape)
    rules = compile_rules(rulebook)
    arrays = np.broadcast_arrays(turns, where, has, *one, *other)
    # Cells that differ by their turns of fire alone share one firefight.
    pairs, pair = np.unique(np.stack([np.ravel(array) for array in arrays[1:]]), axis=1, return_inverse=True)
    last, cells = int(turns.max(initial=0)), pairs.shape[1]
    fought = firefight(rules, last, Fighter(*pairs[2:5]), Fighter(*pairs[5:]), pairs[0])
    shot, standing = (np.concatenate(states) for states in zip(*fought, strict=True))
    ends = _assaulted(rules, shot, standing, np.tile(pairs, last + 1))
    chosen = ends[:, np.ravel(arrays[0]) * cells + np.ravel(pair)]
    return Clash(*chosen.reshape(len(Clash._fields), *arrays[0].shape))


def _assaulted(rules: Rules, shot: Floats, standing: Floats, pairs: Integers) -> Floats:
    """Let `one` assault where both are left; return the fields of `Clash`, shape [fields, cells].

    The rows of `pairs` are ground, advantage, and figures, discipline and markers of both before the clash.
    """
    where, has, _, discipline, _, _, other_discipline, _ = pairs
    cell, a, s, d, t = np.nonzero(standing)
    lead = (discipline - other_discipline - bonus(rules, where, has))[cell] - s + t
    left, which = fights(rules, a, d, lead, (where == GROUNDS.index(FORT))[cell])

    def total(values: Floats) -> Floats:
        weights = values[which] * standing[cell, a, s, d, t]
        return np.bincount(cell, weights, minlength=where.size).astype(np.float64)

    i, j = np.ogrid[: left.shape[2], : left.shape[3]]
    # A battalion that has shot the other to pieces keeps what it has left.
    alone = [shot[:, :, 0] @ np.arange(shot.shape[1]), shot[:, 0, :] @ np.arange(shot.shape[2])]
    by_fire = [shot[:, 0, 1:].sum(axis=1), shot[:, 1:, 0].sum(axis=1), shot[:, 0, 0]]
    by_assault = [total(left[:, winner].sum(axis=(1, 2))) for winner in (ATTACKER, DEFENDER, BOTH_GONE, DRAW)]
    figures = [total((left * count).sum(axis=(1, 2, 3))) for count in (i, j)]
    return np.array([*by_fire, *by_assault, alone[0] + figures[0], alone[1] + figures[1]])
