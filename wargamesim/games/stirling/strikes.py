"""A unit's men as levels, and what the strikes of another unit make of them under every reading of losses."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wargamesim.dice.pmf import Floats, Integers
from wargamesim.errors import InputError
from wargamesim.games.stirling.attack import losses
from wargamesim.games.stirling.rules import Book, Rules, compile_rules
from wargamesim.games.stirling.units import Unit


class Strike(NamedTuple):
    """The attacks of one unit on another at one moment.

    ``event[level, loss]`` is the chance of a loss, by the attacker's level; ``after[level, loss]`` is the level to
    which it brings the target, by the target's level; there are `events` of them, one after the other.
    """

    event: Floats
    after: Integers
    events: int


def levels(rulebook: Book, unit: Unit) -> Integers:
    """Return the men that a unit may have, from all down to 0; the dead that are carried over count as levels too.

    Parameters
    ----------
    rulebook : Rulebook or Rules
    unit : Unit

    Returns
    -------
    ndarray of int64, shape (levels,)
        Not increasing, 0 once and last.

    Raises
    ------
    InputError
        If its men are no multiple of the rulebook's step (SS-1.8, SS-P02).

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> levels(load_rulebook("stirling"), Unit(men=40))
    array([40, 30, 20, 10,  0])
    """
    rules = compile_rules(rulebook)
    if unit.men % rules.men_step:
        raise InputError(f"must be a multiple of {rules.men_step} (SS-P02), not {unit.men}", key="men")
    lost = np.arange(0, -(-unit.men // rules.step) * rules.step, 1 if rules.carry else rules.step)
    return np.append(unit.men - lost // rules.step * rules.step, 0)


def strike(
    rulebook: Book,
    attacker: Unit,
    attacking: Integers,
    target: Unit,
    standing: Integers,
    attacks: int,
    *,
    modifier: int = 0,
    percent: int = 100,
    rolls: str = "unit",
) -> Strike:
    """Return a strike through the target's front, for all levels of both (SS-3.3, SS-8.2, SS-8.3, SS-8.5, SS-P07).

    Parameters
    ----------
    rulebook : Rulebook or Rules
    attacker, target : Unit
    attacking, standing : ndarray of int64
        The `levels` of both.
    attacks : int, at least 0
    modifier, percent : int
        Added to the roll to hit, and damage of what the dice say.
    rolls : {"unit", "man"}
        As in `attack.losses`.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> book, unit = load_rulebook("stirling"), Unit()
    >>> blow = strike(book, unit, levels(book, unit), unit, levels(book, unit), 2)
    >>> blow.event.shape, blow.after[0, [9, 10, 136]], blow.after[29, [9, 10]]
    ((31, 137), array([ 0,  1, 13]), array([29, 30]))
    """
    rules = compile_rules(rulebook)
    men, index = np.unique(attacking, return_inverse=True)
    lost = losses(
        rules,
        men,
        attacker.thac0,
        target.ac,
        attacker.damage,
        target.hp,
        modifier=modifier,
        times=percent,
        parts=100,
        rolls=rolls,
    )
    # Rounding each attack alone matters only where something is rounded away.
    alone = rules.per_attack and not rules.carry and rules.step > 1
    if not rules.one_roll and not alone:
        lost = lost.repeat(attacks)
    loss = lost.values * (attacks if rules.one_roll and not alone else 1)
    after = _after(rules, standing, loss)
    events = attacks if alone else 1
    if rules.one_roll and alone:
        once, events = after, 1
        after = np.broadcast_to(np.arange(len(standing))[:, None], once.shape)
        for _ in range(attacks):
            after = np.take_along_axis(once, after, axis=0)
    return Strike(lost.p[index], after, events)


def _after(rules: Rules, standing: Integers, loss: Integers) -> Integers:
    """Return the level that each loss brings each level to."""
    level, last = np.arange(len(standing))[:, None], len(standing) - 1
    fall = loss if rules.carry else loss // rules.step
    after = np.minimum(level + fall, last)
    return np.where(rules.wipe & (loss >= standing[:, None]), last, after)


def struck(blow: Strike, attackers: Integers, targets: Integers) -> Floats:
    """Return where a strike brings the target.

    Parameters
    ----------
    blow : Strike
    attackers, targets : ndarray of int64, shape (n,)
        Levels of both units.

    Returns
    -------
    ndarray, shape (n, levels)
        The chance of each level of the target.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> book, unit = load_rulebook("stirling"), Unit(men=30)
    >>> blow = strike(book, unit, levels(book, unit), unit, levels(book, unit), 2)
    >>> struck(blow, np.array([0, 1]), np.array([0, 0])).round(6)
    array([[0.975117, 0.024883, 0.      , 0.      ],
           [1.      , 0.      , 0.      , 0.      ]])
    """
    n, count, chance = len(attackers), len(blow.after), blow.event[attackers]
    if blow.events == 0:
        return np.eye(count)[targets]
    reached = _counted(n, count, blow.after[targets], chance)
    for _ in range(1, blow.events):
        reached = _counted(n, count, blow.after[None], reached[:, :, None] * chance[:, None, :])
    return reached


def _counted(rows: int, width: int, column: Integers, weight: Floats) -> Floats:
    """Add up weights by their columns, row by row."""
    offset = (np.arange(rows) * width).reshape(-1, *[1] * (weight.ndim - 1))
    flat = np.broadcast_to(offset + column, weight.shape)
    total = np.bincount(flat.ravel(), weights=weight.ravel(), minlength=rows * width)
    return total.reshape(rows, width).astype(np.float64)
