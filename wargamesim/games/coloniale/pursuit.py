"""Assault after assault: the winner pursues the loser until one of them is no more."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wargamesim.dice.pmf import Floats, Integers
from wargamesim.games.coloniale.assault import (
    ATTACKER,
    DEFENDER,
    DRAW,
    Unit,
    bonus,
    changes,
    fighters,
    fights,
)
from wargamesim.games.coloniale.rules import FORT, GROUNDS, Rules, compile_rules
from wargamesim.rulebook import Rulebook

# Who makes the next assault: attacker or defender of the first one, or nobody any more.
FIRST, SECOND, NOBODY = range(3)
# Chains that are worked out together: a bound on memory, nothing else.
AT_ONCE = 64


class Pursuit(NamedTuple):
    """How a chain of assaults ends; arrays of one shape, the first four sum to 1.

    Attacker and defender are those of the first assault. ``both_left`` is the chance that the chain ends with both
    still there: after an assault without a winner, or where a defender that has won may not pursue (CO-P20).
    ``assaults`` is the mean number of assaults, ``attacker_figures`` and ``defender_figures`` the mean left.
    """

    attacker_gone: Floats
    defender_gone: Floats
    both_gone: Floats
    both_left: Floats
    assaults: Floats
    attacker_figures: Floats
    defender_figures: Floats


class States(NamedTuple):
    """Weighted states of many chains, [n] each: what the next assault depends on.

    Attacker and defender are those of the first assault; ``attacks`` is who makes the next one. Of the markers only
    ``more``, the defender's minus the attacker's, matters: no unit rallies during a phase.
    """

    chain: Integers
    attacks: Integers
    attackers: Integers
    attacker_discipline: Integers
    defenders: Integers
    defender_discipline: Integers
    more: Integers
    weight: Floats


def pursuit(
    rulebook: Rulebook, attacker: Unit, defender: Unit, ground: ArrayLike = "open", *, advantage: ArrayLike = False
) -> Pursuit:
    """Return how it ends when every winner pursues (CO-5.10, CO-P20).

    Ground and advantage are the defender's in the first assault alone. Every assault costs its loser a figure, so the
    chain ends by itself and nothing is cut off.

    Parameters
    ----------
    rulebook, attacker, defender, ground, advantage
        As in `assault.assault`.

    Returns
    -------
    Pursuit
        Arrays of the broadcast shape.

    Raises
    ------
    InputError
        As in `assault.assault`.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> end = pursuit(load_rulebook("coloniale"), Unit(6, 6), Unit(6, 6))
    >>> round(float(end.attacker_gone), 6), round(float(end.assaults), 6)
    (0.550867, 3.530057)
    """
    one, other, where, has = fighters(attacker, defender, ground, advantage)
    rules = compile_rules(rulebook)
    position, in_fort = np.ravel(bonus(rules, where, has)), np.ravel(where == GROUNDS.index(FORT))
    flat = [np.ravel(array) for array in (*one, *other)]
    ends = np.zeros((len(Pursuit._fields), where.size))
    for first in range(0, where.size, AT_ONCE):
        some = slice(first, first + AT_ONCE)
        figures, discipline, markers, others, other_discipline, other_markers = (array[some] for array in flat)
        chain = np.arange(figures.size)
        start = States(
            chain,
            np.full_like(chain, FIRST),
            figures,
            discipline,
            others,
            other_discipline,
            other_markers - markers,
            np.ones(figures.size),
        )
        ends[:, some] = _pursued(rules, start, position[some], in_fort[some])
    return Pursuit(*ends.reshape(-1, *where.shape))


def _pursued(rules: Rules, states: States, position: Integers, in_fort: NDArray[np.bool_]) -> Pursuit:
    """Run chains of assaults to their ends; position and fort are the defender's of the first assault."""
    chains = position.size
    totals = Pursuit(*np.zeros((len(Pursuit._fields), chains)))

    def add(total: Floats, weights: Floats) -> None:
        total += np.bincount(states.chain, weights, minlength=chains)

    while states.weight.size:
        add(totals.assaults, states.weight)
        states = _one_assault(rules, states, position[states.chain], in_fort[states.chain])
        attackers_left, defenders_left, ends = states.attackers > 0, states.defenders > 0, states.attacks == NOBODY
        both_left = attackers_left & defenders_left
        add(totals.attacker_gone, states.weight * (~attackers_left & defenders_left))
        add(totals.defender_gone, states.weight * (attackers_left & ~defenders_left))
        add(totals.both_gone, states.weight * ~(attackers_left | defenders_left))
        add(totals.both_left, states.weight * (both_left & ends))
        goes_on = both_left & ~ends
        add(totals.attacker_figures, states.weight * states.attackers * ~goes_on)
        add(totals.defender_figures, states.weight * states.defenders * ~goes_on)
        states = _tested(rules, States._make(column[goes_on] for column in states))
        position, in_fort = np.zeros_like(position), np.zeros_like(in_fort)
    return totals


def _one_assault(rules: Rules, states: States, position: Integers, in_fort: NDArray[np.bool_]) -> States:
    """Fight one assault, without its tests of discipline; who attacks next has won it and may pursue."""
    turned = states.attacks == SECOND
    lead = states.attacker_discipline - states.defender_discipline + states.more
    lead = np.where(turned, -lead, lead) - position
    assaulting = np.where(turned, states.defenders, states.attackers)
    assaulted = np.where(turned, states.attackers, states.defenders)
    left, which = fights(rules, assaulting, assaulted, lead, in_fort)
    # Each state goes on to the ends of its own fight, which lie one after the other.
    fight, winner, mine, theirs = np.nonzero(left)
    many = np.bincount(fight, minlength=len(left))
    state = np.repeat(np.arange(which.size), many[which])
    first = (np.cumsum(many) - many)[which] - (np.cumsum(many[which]) - many[which])
    end = np.arange(state.size) + first[state]
    winner, mine, theirs = winner[end], mine[end], theirs[end]
    chance = left[fight[end], winner, mine, theirs] * states.weight[state]
    turned = turned[state]
    first_won = winner == np.where(turned, DEFENDER, ATTACKER)
    second_won = winner == np.where(turned, ATTACKER, DEFENDER)
    ends = (winner == DRAW) | ((winner == DEFENDER) & (not rules.defender_pursues))
    apart = rules.loser_markers - rules.winner_markers
    return _merged(
        States(
            states.chain[state],
            np.select([ends, second_won], [NOBODY, SECOND], FIRST),
            np.where(turned, theirs, mine),
            states.attacker_discipline[state],
            np.where(turned, mine, theirs),
            states.defender_discipline[state],
            states.more[state] + np.select([first_won, second_won], [apart, -apart], 0),
            chance,
        )
    )


def _tested(rules: Rules, states: States) -> States:
    """Roll the tests of discipline of both (CO-5.7); the attacker of the next assault has won the last one."""
    parts = []
    rise_a, fall_a = changes(rules, states.attacker_discipline)
    rise_d, fall_d = changes(rules, states.defender_discipline)
    turned = states.attacks == SECOND
    step_a, step_d = np.where(turned, -fall_a, rise_a), np.where(turned, rise_d, -fall_d)
    for winner_passes, of_winner in ((1, rules.rises), (0, 1 - rules.rises)):
        for loser_fails, of_loser in ((1, rules.falls), (0, 1 - rules.falls)):
            by_a, by_d = np.where(turned, [[loser_fails], [winner_passes]], [[winner_passes], [loser_fails]])
            parts.append(
                states._replace(
                    attacker_discipline=states.attacker_discipline + by_a * step_a,
                    defender_discipline=states.defender_discipline + by_d * step_d,
                    weight=states.weight * of_winner * of_loser,
                )
            )
    return _merged(States._make(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _merged(states: States) -> States:
    """Add up the weights of equal states."""
    keys, weights = np.stack(states[:-1]), states.weight
    low = keys.min(axis=1, initial=0, keepdims=True)
    span = tuple((keys - low).max(axis=1, initial=0) + 1)
    code, place = np.unique(np.ravel_multi_index(tuple(keys - low), span), return_inverse=True)
    total = np.bincount(place, weights, minlength=code.size)
    return States._make([*(np.stack(np.unravel_index(code, span)) + low), total])
