"""One assault, exactly: losses, winner, suppression and change of discipline of both sides."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wargamesim.dice.arguments import broadcast
from wargamesim.dice.pmf import PMF, Floats, Integers
from wargamesim.games.coloniale.pool import capped_successes, moved
from wargamesim.games.coloniale.rules import FORT, GROUNDS, Fighter, Rules, compile_rules, counts, indices
from wargamesim.rulebook import Rulebook

# How an assault ends: the first axis of a result.
WINNERS = ATTACKER, DEFENDER, BOTH_GONE, DRAW = range(4)


class Unit(NamedTuple):
    """A battalion or battery before a fight; ints or arrays that broadcast.

    ``figures`` at least 1, ``discipline`` at least 1, ``markers`` (suppression) at least 0.
    """

    figures: ArrayLike
    discipline: ArrayLike
    markers: ArrayLike = 0


class Side(NamedTuple):
    """What an assault does to one side; arrays and PMFs of one shape.

    ``wins`` is the chance to win it, ``losses`` the figures lost in all (dice, the loser's extra figure, a garrison
    that loses its fort), ``gone`` the chance that none is left, ``markers`` the suppression markers added, ``change``
    the change of discipline.
    """

    wins: Floats
    losses: PMF
    gone: Floats
    markers: PMF
    change: PMF


class Assault(NamedTuple):
    """How an assault ends.

    ``both_gone`` and ``draw`` are the chances that nobody wins. ``dice[..., w, i, j]`` is the joint probability of the
    winner (`WINNERS`) and of the figures that the dice alone cost attacker and defender; ``left[..., w, i, j]`` that of
    the winner and the figures both have left after everything.
    """

    attacker: Side
    defender: Side
    both_gone: Floats
    draw: Floats
    dice: Floats
    left: Floats


def assault(
    rulebook: Rulebook, attacker: Unit, defender: Unit, ground: ArrayLike = "open", *, advantage: ArrayLike = False
) -> Assault:
    """Return how one assault ends (CO-5.2 to CO-5.7).

    Parameters
    ----------
    rulebook : Rulebook
        Its reading CO-5.2 tells whose numbers count; see `rules.preset`.
    attacker, defender : Unit
    ground : {"open", "cover", "fort"} or array_like of them
        Where the defender stands; cover does not matter to an assault.
    advantage : bool or array_like of bool
        Whether the defender has an advantageous position (CO-2.5). All arguments broadcast.

    Returns
    -------
    Assault
        Arrays of the broadcast shape.

    Raises
    ------
    InputError
        If a ground is unknown, a number is no count, or the shapes do not broadcast.

    Examples
    --------
    Two battalions of 6 figures and discipline 6, the defender with 0 to 2 markers:

    >>> from wargamesim.rulebook import load_rulebook
    >>> result = assault(load_rulebook("coloniale"), Unit(6, 6), Unit(6, 6, [0, 1, 2]))
    >>> print(result.attacker.wins.round(6))
    [0.430123 0.569877 0.700827]
    """
    one, other, where, has = fighters(attacker, defender, ground, advantage)
    rules = compile_rules(rulebook)
    lead = one.discipline - one.markers - other.discipline + other.markers - bonus(rules, where, has)
    dice = dice_losses(rules, one.figures, other.figures, lead)
    left = figures_left(rules, dice, one.figures, other.figures, where == GROUNDS.index(FORT))
    attacking = _side(rules, left, one, ATTACKER, DEFENDER)
    defending = _side(rules, np.swapaxes(left, -1, -2), other, DEFENDER, ATTACKER)
    ends = left.sum(axis=(-2, -1))
    return Assault(attacking, defending, ends[..., BOTH_GONE], ends[..., DRAW], dice, left)


def fighters(
    attacker: Unit, defender: Unit, ground: ArrayLike, advantage: ArrayLike
) -> tuple[Fighter, Fighter, Integers, Integers]:
    """Check the arguments of a fight and broadcast them; ground becomes its index, advantage 0 or 1."""
    least = {"figures": 1, "discipline": 1, "markers": 0}
    named = {
        f"{side}.{what}": array
        for side, unit in (("attacker", attacker), ("defender", defender))
        for what, minimum in least.items()
        for array in counts(minimum, **{f"{side}.{what}": getattr(unit, what)})
    }
    named["ground"] = indices("ground", "ground", ground, GROUNDS)
    named["advantage"] = np.asarray(advantage, dtype=np.bool_).astype(np.int64)
    broadcast(**{name: array.shape for name, array in named.items()})
    arrays = np.broadcast_arrays(*named.values())
    return Fighter(*arrays[:3]), Fighter(*arrays[3:6]), arrays[6], arrays[7]


def bonus(rules: Rules, where: Integers, advantage: Integers) -> Integers:
    """Return what its position adds to the defender's value (CO-5.3b, CO-5.3c, CO-P21)."""
    in_fort = where == GROUNDS.index(FORT)
    by_position = rules.position * advantage * ~(in_fort & rules.fort_only)
    return np.asarray(by_position + rules.fort * in_fort)


def dice_losses(rules: Rules, attackers: Integers, defenders: Integers, lead: Integers) -> Floats:
    """Return winner and dice losses, ``[..., w, i, j]`` as in `Assault.dice`.

    Parameters
    ----------
    rules : Rules
    attackers, defenders : ndarray of int64, at least 1
        Figures; all three of one shape.
    lead : ndarray of int64
        The attacker's value minus the defender's, before the dice.
    """
    hit = np.asarray(rules.assault_hit)
    on_defender = capped_successes(np.minimum(attackers, rules.assault_dice), hit, defenders).p
    on_attacker = capped_successes(np.minimum(defenders, rules.assault_dice), hit, attackers).p
    both = on_attacker[..., :, None] * on_defender[..., None, :]
    i, j = np.ogrid[: both.shape[-2], : both.shape[-1]]
    # The attacker wins if the difference of the two value dice makes up for what he lacks (CO-5.3).
    lacking = -(lead[..., None, None] - i + j)
    die = PMF.die(rules.value_die)
    gap = die.plus(die.scale(-1))
    wins, loses, ties = gap.more_than(lacking), gap.less_than(lacking), gap.equal_to(lacking)
    drawn = np.zeros_like(ties)
    if rules.tie == "attacker":
        wins = wins + ties
    elif rules.tie == "defender":
        loses = loses + ties
    elif rules.tie == "draw" or rules.value_die == 1:
        drawn = ties
    else:
        # Rolled again until they differ (CO-P16), a tie falls to each side in proportion.
        wins, loses = wins / (wins + loses), loses / (wins + loses)
    nobody = np.zeros_like(ties)
    if not rules.values_decide:
        # CO-5.4: who has no figures left has lost, whatever the values.
        no_attacker, no_defender = i == attackers[..., None, None], j == defenders[..., None, None]
        fought_on = ~(no_attacker | no_defender)
        wins = np.where(fought_on, wins, no_defender & ~no_attacker)
        loses = np.where(fought_on, loses, no_attacker & ~no_defender)
        drawn = np.where(fought_on, drawn, 0.0)
        nobody = np.where(no_attacker & no_defender, 1.0, 0.0)
    return np.stack([wins, loses, nobody, drawn], axis=-3) * both[..., None, :, :]


def figures_left(
    rules: Rules, dice: Floats, attackers: Integers, defenders: Integers, in_fort: NDArray[np.bool_]
) -> Floats:
    """Return winner and figures left, as in `Assault.left`, from winner and dice losses (CO-1.5, CO-5.6)."""
    lost = [np.arange(size) for size in dice.shape[-2:]]
    left = np.zeros_like(dice)
    for winner in WINNERS:
        extra = [rules.loser_figures * (winner == loser) for loser in (DEFENDER, ATTACKER)]
        a = np.maximum(attackers[..., None] - lost[0] - extra[0], 0)
        # A garrison that loses its fort is gone (CO-8.3).
        falls = (in_fort & (winner == ATTACKER))[..., None]
        d = np.where(falls, 0, np.maximum(defenders[..., None] - lost[1] - extra[1], 0))
        by_defender = moved(dice[..., winner, :, :], d[..., None, :], dice.shape[-1])
        by_both = moved(np.swapaxes(by_defender, -1, -2), a[..., None, :], dice.shape[-2])
        left[..., winner, :, :] = np.swapaxes(by_both, -1, -2)
    return left


def fights(
    rules: Rules, attackers: Integers, defenders: Integers, lead: Integers, in_fort: NDArray[np.bool_]
) -> tuple[Floats, Integers]:
    """Work out each different fight of many once.

    Parameters
    ----------
    rules : Rules
    attackers, defenders, lead, in_fort : ndarray, shape [n]
        As in `dice_losses` and `figures_left`.

    Returns
    -------
    left : ndarray of float64, shape [m, 4, attackers + 1, defenders + 1]
        Of each different fight, as in `Assault.left`.
    which : ndarray of int64, shape [n]
        Which of them each fight is.
    """
    # Farther ahead or behind than dice and losses can make up for is all the same.
    lead = np.clip(lead, -rules.value_die - defenders, rules.value_die + attackers)
    found, which = np.unique(np.stack([attackers, defenders, lead, in_fort]), axis=1, return_inverse=True)
    left = figures_left(rules, dice_losses(rules, *found[:3]), found[0], found[1], found[3] == 1)
    return left, np.ravel(which)


def _side(rules: Rules, left: Floats, unit: Fighter, mine: int, other: int) -> Side:
    """Sum up one side; its own figures are the first axis of the last two of `left`."""
    ends = left.sum(axis=(-2, -1))
    wins, loses = ends[..., mine], ends[..., other]
    mine_left = left.sum(axis=(-3, -1))
    size = mine_left.shape[-1]
    losses = moved(mine_left, np.maximum(unit.figures[..., None] - np.arange(size), 0), size)
    markers = np.zeros((*wins.shape, max(rules.winner_markers, rules.loser_markers, rules.draw_markers) + 1))
    markers[..., rules.winner_markers] += wins
    markers[..., rules.loser_markers] += loses
    markers[..., rules.draw_markers] += ends[..., DRAW]
    markers[..., 0] += ends[..., BOTH_GONE]
    standing = left[..., 1:, :].sum(axis=(-2, -1))
    up, down = standing[..., mine] * rules.rises, standing[..., other] * rules.falls
    rise, fall = changes(rules, unit.discipline)
    steps = np.stack([rules.drop - fall, np.full_like(rise, rules.drop), rules.drop + rise], axis=-1)
    chances = np.stack([down, 1 - up - down, up], axis=-1)
    change = PMF(-rules.drop, moved(chances, steps, rules.drop + rules.gain + 1))
    return Side(wins, PMF(0, losses), mine_left[..., 0], PMF(0, markers), change)


def changes(rules: Rules, discipline: Integers) -> tuple[Integers, Integers]:
    """Return by how much a test raises and lowers a discipline, which stays within its bounds (CO-P02)."""
    rise = np.clip(rules.highest - discipline, 0, rules.gain)
    fall = np.clip(discipline - rules.lowest, 0, rules.drop)
    return rise, fall
