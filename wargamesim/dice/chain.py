"""Fights to the end as absorbing chains: who wins, with how many left, and after how many rounds.

Nothing is cut off, and nothing is subtracted: states are solved one after the other by sums and quotients of
non-negative terms, so that small probabilities keep their relative accuracy. What never ends, or has not ended after
the rounds asked for, is returned as undecided.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wargamesim.dice.arguments import broadcast, distribution, integer, integers, probabilities
from wargamesim.dice.pmf import Floats, Integers
from wargamesim.dice.pools import success_table
from wargamesim.errors import InputError

# What goes on for more rounds than this on average counts as never ending: more could leave the range of float64.
FOREVER = 1e300


class Attrition(NamedTuple):
    """How a fight to the end between two pools ends; all probabilities together sum to 1.

    ``a_wins_with[..., i]`` is the probability that a wins with i dice left, ``b_wins_with[..., j]`` that b wins with j
    left (none for 0 left: then it is `both_destroyed`). `undecided` is the probability that the fight never ends,
    `rounds` the expected number of rounds, infinite where it may never end.
    """

    a_wins_with: Floats
    b_wins_with: Floats
    both_destroyed: Floats
    undecided: Floats
    rounds: Floats


class AttritionByRound(NamedTuple):
    """In which round a fight between two pools ends, and how; all probabilities together sum to 1.

    ``a_wins_with[..., r, i]`` is the probability that a wins in round r with i dice left, ``b_wins_with[..., r, j]``
    that b wins then with j left, ``both_destroyed[..., r]`` that both are destroyed then; round 0 is before the first.
    ``undecided[..., i, j]`` is the probability that both fight on after the last round, with i and j dice left.
    """

    a_wins_with: Floats
    b_wins_with: Floats
    both_destroyed: Floats
    undecided: Floats


class Absorbed(NamedTuple):
    """Where a chain ends; `ends_in` and `undecided` together sum to 1.

    ``ends_in[..., s]`` is the probability of ending in state s, 0 if s is not absorbing. `undecided` is the probability
    of never ending, `rounds` the expected number of rounds, infinite where the chain may never end.
    """

    ends_in: Floats
    undecided: Floats
    rounds: Floats


class AbsorbedByRound(NamedTuple):
    """In which round a chain ends, and where; `ends_in` and `undecided` together sum to 1.

    ``ends_in[..., r, s]`` is the probability of reaching the absorbing state s in round r; round 0 is before the first.
    ``undecided[..., s]`` is the probability of being in state s, not absorbing, after the last round.
    """

    ends_in: Floats
    undecided: Floats


def attrition(a: ArrayLike, b: ArrayLike, hit_a: ArrayLike, hit_b: ArrayLike, losses: int = 1) -> Attrition:
    """Return how two pools of dice fight to the end; each round both roll all dice they have left, at the same time.

    Parameters
    ----------
    a, b : int or array_like of int, at least 0
        The dice of both pools at the start.
    hit_a, hit_b : float or array_like of float, 0 to 1
        The chance that a die of a removes dice of b, and that a die of b removes dice of a. All four broadcast.
    losses : int, at least 1
        How many dice a hit removes; from a pool that has fewer it removes all.

    Returns
    -------
    Attrition
        With batch = broadcast(a, b, hit_a, hit_b): `a_wins_with` of shape (*batch, max(a) + 1), `b_wins_with` of shape
        (*batch, max(b) + 1), and the others of shape batch.

    Raises
    ------
    InputError
        If a number of dice is no integer or negative, a chance lies outside 0 to 1, `losses` is less than 1, or the
        shapes do not broadcast.

    Examples
    --------
    Three dice against two; each 6 removes one:

    >>> fight = attrition(3, 2, 1 / 6, 1 / 6)
    >>> fight.a_wins_with.round(4)
    array([0.    , 0.1315, 0.3025, 0.3594])
    >>> print(f"{fight.b_wins_with.sum():.4f} {fight.both_destroyed:.4f} {fight.rounds:.2f}")
    0.1896 0.0171 4.67
    """
    reached, by_a, by_b = _pools(a, b, hit_a, hit_b, losses)
    # In each state, the chance that the round changes it (a hits, or a misses and b hits), and the rounds until then.
    changes = by_a.any[..., :, None] + by_a.none[..., :, None] * by_b.any[..., None, :]
    ends = changes * FOREVER > 1
    stay = np.where(ends, 1 / np.where(ends, changes, 1.0), 0.0)
    # A state is reached only from states with as many dice or more, so those come first: rows of a's dice, and within
    # a row b's. visits[i, j] is the expected number of rounds that begin with i dice against j.
    visits = np.zeros_like(reached)
    for i in range(reached.shape[-2] - 1, 0, -1):
        row, left_b = reached[..., i, :], by_a.left_by(i)
        a_keeps_all = (stay[..., i, :] * by_b.none)[..., None] * left_b
        for j in range(reached.shape[-1] - 1, 0, -1):
            row[..., :j] += row[..., j, None] * a_keeps_all[..., j, :j]
        visits[..., i, 1:] = row[..., 1:] * stay[..., i, 1:]
        a_after = visits[..., i, 1:, None] * by_b.left_of(i)[..., 1:, :i]
        reached[..., :i, :] += a_after.swapaxes(-2, -1) @ left_b[..., 1:, :]
    undecided = np.asarray(np.where(ends, 0.0, reached)[..., 1:, 1:].sum(axis=(-2, -1)))
    rounds = np.where(undecided > 0, np.inf, visits.sum(axis=(-2, -1)))
    return Attrition(*_ended(reached), undecided, rounds)


def attrition_by_round(
    a: ArrayLike, b: ArrayLike, hit_a: ArrayLike, hit_b: ArrayLike, rounds: int, losses: int = 1
) -> AttritionByRound:
    """Return how two pools of dice fight, round by round, for a number of rounds; otherwise as `attrition`.

    Parameters
    ----------
    a, b, hit_a, hit_b, losses
        As in `attrition`.
    rounds : int, at least 0
        After how many rounds to stop; what is not over by then is returned as undecided.

    Returns
    -------
    AttritionByRound
        With batch = broadcast(a, b, hit_a, hit_b): `a_wins_with` of shape (*batch, rounds + 1, max(a) + 1),
        `b_wins_with` of shape (*batch, rounds + 1, max(b) + 1), `both_destroyed` of shape (*batch, rounds + 1),
        `undecided` of shape (*batch, max(a) + 1, max(b) + 1).

    Raises
    ------
    InputError
        As `attrition`, or if `rounds` is no integer or negative.

    Examples
    --------
    One die against one; each 6 removes the other. In which of the first three rounds does a win?

    >>> fight = attrition_by_round(1, 1, 1 / 6, 1 / 6, rounds=3)
    >>> fight.a_wins_with[:, 1] * 36
    array([0.        , 5.        , 3.47222222, 2.41126543])
    >>> fight.undecided.round(4)
    array([[0.    , 0.    ],
           [0.    , 0.3349]])
    """
    last = integer("rounds", rounds, minimum=0)
    now, by_a, by_b = _pools(a, b, hit_a, hit_b, losses)
    *batch, size_a, size_b = now.shape
    a_wins, b_wins = np.zeros((*batch, last + 1, size_a)), np.zeros((*batch, last + 1, size_b))
    both = np.zeros((*batch, last + 1))
    # Both by dice of a, dice of b, and dice left, for all states in which both fight.
    left_a = by_b.left_by(slice(1, None)).swapaxes(-3, -2)[..., 1:, :, :]
    left_b = by_a.left_by(slice(1, None))[..., 1:, :]
    for r in range(last + 1):
        a_wins[..., r, :], b_wins[..., r, :], both[..., r] = _ended(now)
        now[..., 0, :] = now[..., :, 0] = 0.0
        if r < last:
            a_after = now[..., 1:, 1:, None] * left_a
            now = (a_after.swapaxes(-2, -1) @ left_b).sum(axis=-3)
    return AttritionByRound(a_wins, b_wins, both, now)


def absorb(transition: ArrayLike, start: ArrayLike, absorbing: Sequence[int]) -> Absorbed:
    """Return where a chain ends, and after how many rounds on average.

    Parameters
    ----------
    transition : array_like, shape (..., n, n)
        ``transition[..., i, j]`` is the probability that a round leads from state i to state j. The rows of absorbing
        states are not looked at; the others sum to 1.
    start : array_like, shape (..., n)
        The distribution before the first round; its leading axes broadcast with those of `transition`.
    absorbing : sequence of int, 0 to n - 1
        The states in which the chain ends.

    Returns
    -------
    Absorbed
        `ends_in` of shape (*batch, n), `undecided` and `rounds` of shape batch, the common leading axes.

    Raises
    ------
    InputError
        If `transition` is not square, a row or `start` is no distribution to 1e-12, a state does not exist, or the
        shapes do not broadcast.

    References
    ----------
    .. [1] W. K. Grassmann, M. I. Taksar and D. P. Heyman, "Regenerative analysis and steady state distributions for
       Markov chains", Operations Research 33, 1985.

    Examples
    --------
    A marker moves a square to the left or the right, until it is at an end of five; from each square:

    >>> steps = [[0] * 5, [0.5, 0, 0.5, 0, 0], [0, 0.5, 0, 0.5, 0], [0, 0, 0.5, 0, 0.5], [0] * 5]
    >>> walk = absorb(steps, np.eye(5), absorbing=[0, 4])
    >>> walk.ends_in[:, 4], walk.rounds
    (array([0.  , 0.25, 0.5 , 0.75, 1.  ]), array([0., 3., 4., 3., 0.]))
    """
    moves, first, final = _chain(transition, start, absorbing)
    # Rows: the states that go on. Columns: those, the absorbing ones, and never ending.
    order, going = np.argsort(final, stable=True), int((~final).sum())
    to = np.zeros((*moves.shape[:-2], going, order.size + 1))
    to[..., :-1] = moves[..., order[:going, None], order]
    length = np.ones(to.shape[:-1])
    # Eliminating a state replaces each visit to it from a later one by what comes after it. The chance to leave it is
    # the sum of what is left of its row, not 1 minus the chance to stay [1]_.
    for s in range(going):
        leaves = to[..., s, s + 1 :].sum(axis=-1)
        ends = leaves * FOREVER > length[..., s]
        to[..., s, -1] = np.where(ends, to[..., s, -1], 1.0)
        leaves = np.where(ends, leaves, 1.0)
        to[..., s, s + 1 :] /= leaves[..., None]
        length[..., s] /= leaves
        visits = to[..., s + 1 : going, s]
        to[..., s + 1 : going, s + 1 :] += visits[..., None] * to[..., s, None, s + 1 :]
        length[..., s + 1 :] += visits * length[..., s, None]
    # Now each row leads to later states alone, so the last ones are solved first.
    end = np.zeros((*to.shape[:-2], order.size, order.size - going + 1))
    end[..., going:, :-1] = np.eye(order.size - going)
    for s in reversed(range(going)):
        end[..., s, :] = (to[..., s, None, s + 1 : -1] @ end[..., s + 1 :, :])[..., 0, :]
        end[..., s, -1] += to[..., s, -1]
        length[..., s] += (to[..., s, s + 1 : going] * length[..., s + 1 :]).sum(axis=-1)
    first = first[..., order]
    whole = (first[..., None, :] @ end)[..., 0, :]
    ends_in = np.zeros((*whole.shape[:-1], order.size))
    ends_in[..., order[going:]] = whole[..., :-1]
    undecided = np.asarray(whole[..., -1])
    rounds = np.where(undecided > 0, np.inf, (first[..., :going] * length).sum(axis=-1))
    return Absorbed(ends_in, undecided, rounds)


def absorb_by_round(transition: ArrayLike, start: ArrayLike, absorbing: Sequence[int], rounds: int) -> AbsorbedByRound:
    """Return where a chain ends, round by round, for a number of rounds; otherwise as `absorb`.

    Parameters
    ----------
    transition, start, absorbing
        As in `absorb`.
    rounds : int, at least 0
        After how many rounds to stop; what has not ended by then is returned as undecided.

    Returns
    -------
    AbsorbedByRound
        `ends_in` of shape (*batch, rounds + 1, n), `undecided` of shape (*batch, n).

    Raises
    ------
    InputError
        As `absorb`, or if `rounds` is no integer or negative.

    Examples
    --------
    A unit rallies with a chance of 1/3 a round (state 1); how often in each of the first three?

    >>> rally = absorb_by_round([[2 / 3, 1 / 3], [0, 1]], [1, 0], absorbing=[1], rounds=3)
    >>> rally.ends_in[:, 1] * 27, rally.undecided * 27
    (array([0., 9., 6., 4.]), array([8., 0.]))
    """
    last = integer("rounds", rounds, minimum=0)
    moves, now, final = _chain(transition, start, absorbing)
    batch = np.broadcast_shapes(moves.shape[:-2], now.shape[:-1])
    ends_in = np.zeros((*batch, last + 1, final.size))
    for r in range(last + 1):
        ends_in[..., r, :] = np.where(final, now, 0.0)
        now = np.where(final, 0.0, now)
        if r < last:
            now = (now[..., None, :] @ moves)[..., 0, :]
    return AbsorbedByRound(ends_in, np.broadcast_to(now, (*batch, final.size)).copy())


@dataclass(frozen=True)
class _Fire:
    """What the dice of a pool do in a round: ``table[..., n, columns[i, j]]`` is the probability that n dice of it
    leave j of i dice of the enemy; `none` and `any`, shape (..., n), are those of no hit and of at least one.
    """

    table: Floats
    columns: Integers
    none: Floats
    any: Floats

    @classmethod
    def of(cls, dice: int, chance: Floats, enemies: int, losses: int) -> _Fire:
        hits = success_table(dice, chance)
        at_least = np.cumsum(hits[..., ::-1], axis=-1)[..., ::-1]
        nothing = np.zeros_like(hits[..., :1])
        lost = np.arange(enemies + 1)[:, None] - np.arange(enemies + 1)
        needed = np.minimum(-(-lost // losses), dice + 1)
        columns = np.where((lost >= 0) & (lost % losses == 0), needed, dice + 1)
        # To lose all, at least so many hits are needed, not exactly so many.
        columns[:, 0] = needed[:, 0] + dice + 2
        table = np.concatenate([hits, nothing, at_least, nothing], axis=-1)
        return cls(table, columns, hits[..., 0], np.asarray(hits[..., 1:].sum(axis=-1)))

    def left_by(self, n: int | slice) -> Floats:
        """Shape (..., i, j), for a slice (..., n, i, j): the probability that n dice leave j of i dice."""
        return self.table[..., n, self.columns]

    def left_of(self, i: int) -> Floats:
        """Shape (..., n, j): the probability that n dice leave j of i dice."""
        return self.table[..., self.columns[i]]


def _pools(a: ArrayLike, b: ArrayLike, hit_a: ArrayLike, hit_b: ArrayLike, losses: int) -> tuple[Floats, _Fire, _Fire]:
    """Checked arguments of a fight: the start as a distribution over (dice of a, dice of b), and the fire of both."""
    dice_a, dice_b = integers("a", a, minimum=0), integers("b", b, minimum=0)
    chance_a, chance_b = probabilities("hit_a", hit_a), probabilities("hit_b", hit_b)
    each = integer("losses", losses, minimum=1)
    shape = broadcast(a=dice_a.shape, b=dice_b.shape, hit_a=chance_a.shape, hit_b=chance_b.shape)
    most_a, most_b = int(dice_a.max(initial=0)), int(dice_b.max(initial=0))
    start = np.zeros((*shape, most_a + 1, most_b + 1))
    start[...] = (dice_a[..., None, None] == np.arange(most_a + 1)[:, None]) & (
        dice_b[..., None, None] == np.arange(most_b + 1)
    )
    return start, _Fire.of(most_a, chance_a, most_b, each), _Fire.of(most_b, chance_b, most_a, each)


def _ended(reached: Floats) -> tuple[Floats, Floats, Floats]:
    """Of a distribution over (dice of a, dice of b): a alone is left, b alone, none."""
    a_wins, b_wins, both = reached[..., :, 0].copy(), reached[..., 0, :].copy(), np.array(reached[..., 0, 0])
    a_wins[..., 0] = b_wins[..., 0] = 0.0
    return a_wins, b_wins, both


def _chain(
    transition: ArrayLike, start: ArrayLike, absorbing: Sequence[int]
) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Checked arguments of a chain, and for each state whether it is absorbing."""
    moves, first = probabilities("transition", transition), distribution("start", start)
    n = first.shape[-1]
    if moves.shape[-2:] != (n, n):
        raise InputError(
            f"must be of shape (..., {n}, {n}), as start has {n} states, not {moves.shape}", key="transition"
        )
    broadcast(transition=moves.shape[:-2], start=first.shape[:-1])
    final = np.unique(integers("absorbing", absorbing, minimum=0))
    if final.size and final[-1] >= n:
        raise InputError(f"must be at most {n - 1}, the last state, not {final[-1]}", key="absorbing")
    ends = np.isin(np.arange(n), final)
    distribution("transition", moves[..., ~ends, :])
    return moves, first, ends
