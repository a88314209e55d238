"""Charges: who strikes first, and what both units have left (SS-7.3, SS-7.4)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wargamesim.dice.pmf import PMF, Floats, Integers
from wargamesim.games.stirling.rules import Book, Rules, compile_rules
from wargamesim.games.stirling.strikes import levels, strike, struck
from wargamesim.games.stirling.units import Unit, attacks_in

ORDERS = ("charger", "charged", "together")


class Charge(NamedTuple):
    """How the strikes of a charge end.

    `order` says who strikes first, "charger", "charged" or "together"; `charger_removed` and `charged_removed` are the
    distributions of the men removed. ``levels[i, j]`` is the joint chance of the levels of charger and charged
    (`strikes.levels`).
    """

    order: str
    charger_removed: PMF
    charged_removed: PMF
    levels: Floats


def strike_order(charger: Unit, charged: Unit) -> str:
    """Return who strikes first in a charge: longer weapon, more attacks, lower speed factor (SS-7.4).

    Returns
    -------
    {"charger", "charged", "together"}

    Examples
    --------
    >>> strike_order(Unit(length=100), Unit(length=300)), strike_order(Unit(), Unit())
    ('charged', 'together')
    """
    ours, theirs = ((unit.length, unit.rate, -unit.speed) for unit in (charger, charged))
    return "together" if ours == theirs else "charger" if ours > theirs else "charged"


def charge(rulebook: Book, charger: Unit, charged: Unit, *, rolls: str = "unit") -> Charge:
    """Return what the strikes of a charge on the front of a unit remove (SS-7.3b, SS-7.3c, SS-7.4, SS-P31, SS-P33).

    Parameters
    ----------
    rulebook : Rulebook or Rules
    charger, charged : Unit
        The attacks are those of a first turn.
    rolls : {"unit", "man"}
        As in `attack.losses`.

    Returns
    -------
    Charge

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> ended = charge(load_rulebook("stirling"), Unit(length=300), Unit(length=100))
    >>> print(f"{ended.order}: {ended.charger_removed.mean():.4f} {ended.charged_removed.mean():.4f}")
    charger: 24.4354 31.1977
    """
    rules, units = compile_rules(rulebook), (charger, charged)
    men = tuple(levels(rules, unit) for unit in units)
    hit, worse = rules.charge_hit, rules.charge_ac
    heavy = rules.charge_damage
    bonus = (hit, worse), (heavy if charger.lance else 100, heavy if charged.set_weapon else 100)
    order = strike_order(charger, charged)
    joint = np.zeros((len(men[0]), len(men[1])))
    joint[0, 0] = 1.0
    for attacks in _shares(rules, units):
        blows = [
            strike(
                rules,
                units[i],
                men[i],
                units[1 - i],
                men[1 - i],
                attacks[i],
                modifier=bonus[0][i],
                percent=bonus[1][i],
                rolls=rolls,
            )
            for i in (0, 1)
        ]
        if order == "together":
            i, j = np.nonzero(joint)
            joint = (joint[i, j, None] * struck(blows[1], j, i)).T @ struck(blows[0], i, j)
            continue
        for striker in (0, 1) if order == "charger" else (1, 0):
            # Rows are the striker's levels while it strikes.
            rows = joint if striker == 0 else joint.T
            i, j = np.nonzero(rows)
            fell = np.zeros_like(rows)
            np.add.at(fell, i, rows[i, j, None] * struck(blows[striker], i, j))
            joint = fell if striker == 0 else fell.T
    return Charge(order, _gone(men[0], joint.sum(axis=1)), _gone(men[1], joint.sum(axis=0)), joint)


def _shares(rules: Rules, units: tuple[Unit, Unit]) -> list[tuple[int, int]]:
    """Return the attacks of both units, all at once or round by round (SS-P31)."""
    of_turn = [int(attacks_in(rules, unit.rate, 1)) for unit in units]
    if not rules.round_by_round:
        return [(of_turn[0], of_turn[1])]
    # Those of a turn are spread over its rounds as evenly as whole attacks can be, the later rounds having more.
    rounds = np.arange(rules.rounds + 1)
    made = [np.diff(rounds * count // rules.rounds).tolist() for count in of_turn]
    return list(zip(*made, strict=True))


def _gone(men: Integers, chance: Floats) -> PMF:
    return PMF(0, np.bincount(men[0] - men, weights=chance).astype(np.float64))
