"""Turns of rally and fire between two battalions: the joint distribution of their figures and markers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wargamesim.dice.pmf import Floats, Integers
from wargamesim.games.coloniale.fire import rifle_dice
from wargamesim.games.coloniale.pool import capped_successes, moved
from wargamesim.games.coloniale.rules import GROUNDS, OPEN, Fighter, Rules

# States of both, ``[cell, figures of one, markers of one, figures of other, markers of other]``, hold probabilities.


class Volley(NamedTuple):
    """What one battalion's fire does to the other, for all its figures n and markers s.

    ``fires[n, s]`` tells whether it has a die to fire with, ``left[cell, n, s, m, k]`` is the chance that k of m
    figures are left, ``markers[cell]`` how many markers are put.
    """

    fires: NDArray[np.bool_]
    left: Floats
    markers: Integers


def firefight(
    rules: Rules, turns: int, one: Fighter, other: Fighter, where: Integers
) -> Iterator[tuple[Floats, Floats]]:
    """Play turns of rally and fire, and after each number of them the rally and fire of the turn of the assault.

    In that last turn `one` keeps its action for the assault and does not fire (CO-3.2). It stands in the open.

    Parameters
    ----------
    rules : Rules
    turns : int, at least 0
        The most turns in which both fire.
    one, other : Fighter
        With arrays of shape [cells].
    where : ndarray of int64, shape [cells]
        The ground of `other`.

    Yields
    ------
    shot : ndarray of float64, shape [cells, figures of one + 1, figures of other + 1]
        After 0, 1, ... turns of fire and the turn of the assault: figures left where fire has destroyed one or both.
    standing : ndarray of float64, shape [cells, figures of one + 1, markers + 1, figures of other + 1, markers + 1]
        Figures and markers where both are left. The sum of both arrays is 1 in each cell.
    """
    figures = [int(side.figures.max(initial=0)) + 1 for side in (one, other)]
    # In one turn a battalion gets at most the markers of the other's fire.
    room = [int(side.markers.max(initial=0)) + rules.fire_markers * (turns + 1) + 1 for side in (one, other)]
    in_open = np.full_like(where, GROUNDS.index(OPEN))
    by_one = _volley(rules, where, figures[0], room[0], figures[1])
    by_other = _volley(rules, in_open, figures[1], room[1], figures[0])
    holds = Volley(np.zeros_like(by_one.fires), np.zeros_like(by_one.left) + np.eye(figures[1]), by_one.markers)
    rallies = [_rally(rules, side.discipline, most) for side, most in zip((one, other), room, strict=True)]
    standing = np.zeros((where.size, figures[0], room[0], figures[1], room[1]))
    standing[np.arange(where.size), one.figures, one.markers, other.figures, other.markers] = 1.0
    shot = np.zeros((where.size, figures[0], figures[1]))
    for turn in range(turns + 1):
        rallied = np.einsum("casdt,csu,ctv->caudv", standing, *rallies, optimize=True)
        shot_now, left = _parted(_exchange(rallied, holds, by_other))
        yield shot + shot_now, left
        if turn < turns:
            shot_now, standing = _parted(_exchange(rallied, by_one, by_other))
            shot = shot + shot_now


def _parted(states: Floats) -> tuple[Floats, Floats]:
    """Part the states with a side without figures, whose markers are of no matter, from the others."""
    shot = states.sum(axis=(2, 4))
    shot[:, 1:, 1:] = states[:, 0] = states[:, :, :, 0] = 0.0
    return shot, states


def _rally(rules: Rules, discipline: Integers, room: int) -> Floats:
    """Return the chance ``[cell, s, k]`` that a rally leaves k of s markers."""
    held = np.arange(room)
    removed = capped_successes(discipline[:, None], np.asarray(rules.rally), held).p
    return moved(removed, np.maximum(held[:, None] - held, 0), room)


def _exchange(states: Floats, by_one: Volley, by_other: Volley) -> Floats:
    """Let both fire at the same time: each with the figures and markers it had before (CO-4.6)."""
    total = np.zeros_like(states)
    # Markers come from a unit that fires, and under CO-P10 one may be left without a die: case by case.
    for one_fires in (False, True):
        for other_fires in (False, True):
            case = states * (by_one.fires == one_fires)[:, :, None, None] * (by_other.fires == other_fires)
            if case.any():
                after = np.einsum("casdt,casdf,cdtae->cesft", case, by_one.left, by_other.left, optimize=True)
                on_other = _marked(after, by_one.markers * one_fires)
                total += np.swapaxes(_marked(np.swapaxes(on_other, 2, 4), by_other.markers * other_fires), 2, 4)
    return total


def _marked(states: Floats, markers: Integers) -> Floats:
    """Add a cell's markers to those of the last axis."""
    room = states.shape[-1]
    return moved(states, np.arange(room) + markers[:, None, None, None, None], room)


def _volley(rules: Rules, where: Integers, shooters: int, room: int, targets: int) -> Volley:
    n, s, m = np.ogrid[:shooters, :room, :targets]
    dice = rifle_dice(rules, n, s)
    hit = rules.rifle_hit[where][:, None, None, None]
    removed = capped_successes(dice, hit, m).p
    left = moved(removed, np.maximum(m[..., None] - np.arange(targets), 0), targets)
    return Volley(dice[..., 0] > 0, left, rules.rifle_markers[where])
