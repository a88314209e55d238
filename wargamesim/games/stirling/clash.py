"""Two units in contact, front to front, until one is routed or gone: an absorbing chain, solved state by state.

A state is the level of both units (`strikes.levels`), the state of both Leaders (`morale.nerve`) and the turn's place
in the period of their attacks. Men never increase, so the states are solved in the order of the levels, those of the
same levels together. All is sums and quotients of non-negative terms, and nothing is cut off.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wargamesim.dice.arguments import integer
from wargamesim.dice.pmf import Floats, Integers
from wargamesim.errors import InputError
from wargamesim.games.stirling.charge import charge as strikes_of_charge
from wargamesim.games.stirling.morale import FIT, ROUTED, check, nerve
from wargamesim.games.stirling.rules import Book, Rules, compile_rules
from wargamesim.games.stirling.strikes import Strike, levels, strike, struck
from wargamesim.games.stirling.units import Unit, attack_period, attacks_in

# How a unit ends a clash.
STANDS, BROKEN, DESTROYED = range(3)

# A clash of more states would take minutes and gigabytes.
MOST_STATES = 1_000_000

# Multiplications of a matrix product that BLAS does without threads.
PIECE = 2**19

# Which unit is outnumbered, as indices of `morale.nerve`: neither, the first, the second.
_OUTNUMBERED = ((0, 0), (1, 0), (0, 1))


class Clash(NamedTuple):
    """How a clash ends; `ends`, `sterile` and `undecided` together sum to 1.

    ``ends[i, j]`` is the chance that the first unit ends as i and the second as j: 0 stands, 1 routed, 2 destroyed.
    `sterile` is the chance that both stand and nothing can change any more, `undecided` that they still fight after the
    turns asked for. ``first_wins_with[m]`` is the chance that the first wins with m men left, ``second_wins_with[m]``
    likewise. `turns` is the expected number of turns fought.
    """

    ends: Floats
    sterile: float
    undecided: float
    first_wins_with: Floats
    second_wins_with: Floats
    turns: float

    @property
    def first_wins(self) -> float:
        """The chance that the first unit stands and the second does not."""
        return float(self.ends[STANDS].sum())

    @property
    def second_wins(self) -> float:
        """The chance that the second unit stands and the first does not."""
        return float(self.ends[:, STANDS].sum())

    @property
    def both_lose(self) -> float:
        """The chance that neither stands."""
        return float(self.ends[BROKEN:, BROKEN:].sum())

    @property
    def first_left(self) -> float:
        """The expected men of the first unit, counted 0 unless it wins."""
        return float(self.first_wins_with @ np.arange(len(self.first_wins_with)))

    @property
    def second_left(self) -> float:
        """The expected men of the second unit, counted 0 unless it wins."""
        return float(self.second_wins_with @ np.arange(len(self.second_wins_with)))


def clash(
    rulebook: Book,
    first: Unit,
    second: Unit,
    *,
    morale: bool = True,
    charge: bool = False,
    rolls: str = "unit",
    turns: int | None = None,
) -> Clash:
    """Return how two units in contact end, front to front and without movement (SS-7.1).

    Every turn both attack at the same time, losses are removed (SS-2.5, SS-8.1), then both check their morale, their
    Leaders first (SS-9.2); at its end a routed Leader may come round (SS-10.1). A unit that is destroyed or routed is
    out (SS-9.4), and so may both be in the same turn. Commanders are off the board and safe (SS-8.6).

    Parameters
    ----------
    rulebook : Rulebook or Rules
    first, second : Unit
    morale : bool
        Whether they check their morale.
    charge : bool
        Whether the first unit charges in the first turn: the second checks its morale when the charge is declared, and
        the strikes of that turn come in their order (SS-7.4).
    rolls : {"unit", "man"}
        As in `attack.losses`.
    turns : int, at least 0, optional
        After how many turns to stop; to the end when not given.

    Returns
    -------
    Clash
        ``ends`` of shape (3, 3), ``first_wins_with`` and ``second_wins_with`` of shape (men + 1,).

    Raises
    ------
    InputError
        If `turns` is no count, the men are no multiple of the rulebook's step (SS-P02), or the chain would have more
        than 1,000,000 states.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> ended = clash(load_rulebook("stirling"), Unit(men=300), Unit(men=200), morale=False)
    >>> print(f"{ended.first_wins:.8f} {ended.turns:.6f} {ended.first_left:.6f}")
    0.95148181 12.548101 212.364472
    """
    limit = None if turns is None else integer("turns", turns, minimum=0)
    rules = compile_rules(rulebook)
    chain = _chain(rules, first, second, morale, rolls)
    account = _Account(chain)
    standing, first_turn = chain.start(), 0
    if charge and limit != 0:
        standing, first_turn = _charge(rules, chain, account, first, second, morale, rolls), 1
        account.turns = 1.0
    if limit is None:
        _to_the_end(chain, account, standing, first_turn)
    else:
        _by_turns(chain, account, standing, range(first_turn, limit))
    left = [np.bincount(men, weights=won).astype(np.float64) for men, won in zip(chain.men, account.wins, strict=True)]
    return Clash(account.ends, account.sterile, account.undecided, left[0], left[1], account.turns)


@dataclass(frozen=True)
class _Chain:
    """What a turn does to each state: the level of the first, both Leaders, the level of the second [a, x, y, b]."""

    men: tuple[Integers, Integers]
    strikes: list[tuple[Strike, Strike]]  # by turn of the period: the first's at the second, the second's at the first
    nerves: tuple[Floats, Floats]
    outnumbered: NDArray[np.bool_]  # [3, level, level] by _OUTNUMBERED

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """Of an array of all states in which both units stand, which the last level is not."""
        (a, b), (x, y) = (len(men) - 1 for men in self.men), (nerve_.shape[2] for nerve_ in self.nerves)
        return a, x, y, b

    def start(self) -> Floats:
        """Both at full strength, their Leaders fit."""
        standing = np.zeros(self.shape)
        standing[0, FIT, FIT, 0] = 1.0
        return standing

    def hurt(self, a: int) -> list[tuple[Floats, Floats]]:
        """Where a turn's strikes bring both units with level a of the first: by turn, [level of the second, new]."""
        b = np.arange(self.shape[-1])
        here = np.full_like(b, a)
        return [(struck(back, b, here), struck(blow, here, b)) for blow, back in self.strikes]

    def flow(self, a: int, hurt: tuple[Floats, Floats], mass: Floats) -> Floats:
        """Where a turn brings the mass [x, y, b] with level a of the first: [x or routs, a, y or routs, b]."""
        (x, y, _), fallen = mass.shape, np.nonzero(hurt[0].any(axis=0))[0]
        low, high = fallen[0], fallen[-1] + 1
        flow = np.zeros((x + 1, len(self.men[0]), y + 1, len(self.men[1])))
        here = np.nonzero(mass.any(axis=(0, 1)))[0]
        mass, by_second, by_first = mass[..., here], hurt[0][here, low:high], hurt[1][here]
        for where, (i, j) in zip(self.outnumbered[:, low:high], _OUTNUMBERED, strict=True):
            if where.any() and here.size:
                ours = _product(mass.reshape(x, -1).T, self.nerves[0][i, a, :, :, low:high].reshape(x, -1))
                ours = ours.reshape(y, len(here), x + 1, high - low) * by_second[:, None]
                theirs = self.nerves[1][j, here].swapaxes(0, 1) * by_first[:, None]
                both = _product(ours.reshape(y * len(here), -1).T, theirs.reshape(y * len(here), -1))
                flow[:, low:high] += both.reshape(x + 1, high - low, *flow.shape[2:]) * where[:, None]
        return flow

    def within(self, a: int, hurt: tuple[Floats, Floats]) -> Floats:
        """Chances to go on with level a of the first as it is: [b, x, y, new x, new y, new b]."""
        i, j = self._which(a)
        ours = np.where(i, self.nerves[0][1, a, :, :-1, a, None], self.nerves[0][0, a, :, :-1, a, None])
        theirs = np.where(j, self.nerves[1][1, :-1, :, :-1, :-1], self.nerves[1][0, :-1, :, :-1, :-1])
        theirs = theirs * (hurt[0][:, a, None] * hurt[1][:, :-1])[:, None, None]
        return ours[:, None, :, None] * theirs[:, None, :, None]

    def still(self, a: int, hurts: list[tuple[Floats, Floats]]) -> tuple[Floats, NDArray[np.bool_]]:
        """How states are left that differ in nothing but the turn of the period and the Leaders, s.

        Returns ``visits[b, s, t]``, the expected turns begun in t after one in s with both levels unchanged, and
        ``ends[b, s]``, whether anything else can happen at all; where it cannot, the visits are those of arrival.
        """
        (_, x, y, levels_), period = self.shape, len(hurts)
        b, (i, j) = np.arange(levels_), self._which(a).astype(np.int64)
        go, leave = np.zeros((levels_, period, x, y, period, x, y)), np.zeros((levels_, period, x, y))
        ours, theirs = self.nerves[0][i, a, :, :, a], self.nerves[1][j, b, :, :, b]
        for k, (by_second, by_first) in enumerate(hurts):
            # What changes is added up, not taken from 1, so that a chance of 1e-20 is not lost.
            unhurt, hurt = by_second[:, a], by_second[:, a + 1 :].sum(axis=1)
            unhurt_too, hurt_too = by_first[b, b], np.triu(by_first, 1).sum(axis=1)
            breaks, breaks_too = ours[:, :, None, -1], theirs[:, None, :, -1]
            routs = breaks + (1 - breaks) * breaks_too
            leave[:, k] = (hurt + unhurt * hurt_too)[:, None, None] + (unhurt * unhurt_too)[:, None, None] * routs
            stay = ours[:, :, None, :-1, None] * theirs[:, None, :, None, :-1]
            go[:, k, :, :, (k + 1) % period] = stay * (unhurt * unhurt_too)[:, None, None, None, None]
        n = period * x * y
        moves, out = go.reshape(levels_, n, n) * (1 - np.eye(n)), leave.reshape(levels_, n)
        ends = out > 0
        while not (ends == (wider := ends | ((moves > 0) & ends[:, None, :]).any(axis=-1))).all():
            ends = wider
        kept = np.where(ends, out + moves.sum(axis=-1), 1.0)[..., None] * np.eye(n) - moves * ends[..., None]
        return np.asarray(np.linalg.inv(kept), dtype=np.float64), ends

    def _which(self, a: int) -> NDArray[np.bool_]:
        """Whether the first and the second unit are outnumbered with level a of the first: [2, level of the second]."""
        return self.outnumbered[1:, a, :-1]


class _Account:
    """What has ended so far, and how."""

    def __init__(self, chain: _Chain) -> None:
        self.ends = np.zeros((3, 3))
        self.wins = tuple(np.zeros(len(men)) for men in chain.men)
        self.sterile = self.undecided = self.turns = 0.0

    def close(self, flow: Floats) -> Floats:
        """Book all of the flow [x or routs, a, y or routs, b] where a unit is out; return the rest [a, x, y, b]."""
        for end, part in ((BROKEN, flow[-1, :-1].sum(axis=0)), (DESTROYED, flow[:, -1].sum(axis=0))):
            won = part[:-1, :-1].sum(axis=0)
            self.wins[1][:-1] += won
            self.ends[end] += won.sum(), part[-1, :-1].sum(), part[:, -1].sum()
        standing = flow[:-1, :-1]
        for end, part in ((BROKEN, standing[:, :, -1, :-1]), (DESTROYED, standing[:, :, :, -1])):
            won = part.sum(axis=(0, 2))
            self.wins[0][:-1] += won
            self.ends[STANDS, end] += won.sum()
        return standing[:, :, :-1, :-1].swapaxes(0, 1)


def _chain(rules: Rules, first: Unit, second: Unit, morale: bool, rolls: str) -> _Chain:
    men = levels(rules, first), levels(rules, second)
    period = lcm(attack_period(rules, first.rate), attack_period(rules, second.rate))
    leaders = [3 if morale and unit.leader else 1 for unit in (first, second)]
    states = len(men[0]) * len(men[1]) * leaders[0] * leaders[1] * period
    if states > MOST_STATES:
        message = (
            f"a clash of {states:,} states is too large (at most {MOST_STATES:,}): fewer men, no Leaders, or discard"
        )
        raise InputError(f"{message} in SS-P35", key="men")
    turns = np.arange(1, period + 1)
    blows = [
        strike(rules, first, men[0], second, men[1], int(attacks), rolls=rolls)
        for attacks in attacks_in(rules, first.rate, turns)
    ]
    back = [
        strike(rules, second, men[1], first, men[0], int(attacks), rolls=rolls)
        for attacks in attacks_in(rules, second.rate, turns)
    ]
    nerves = [
        nerve(rules, unit, each, np.arange(len(each))) if morale else _steady(len(each))
        for unit, each in zip((first, second), men, strict=True)
    ]
    a, b = men[0][:, None], men[1][None, :]
    if morale and rules.situations["outnumbered"].on:
        by_second, by_first = (a > 0) & (b >= rules.outnumbered * a), (b > 0) & (a >= rules.outnumbered * b)
    else:
        by_second = by_first = np.zeros((len(men[0]), len(men[1])), dtype=np.bool_)
    outnumbered = np.array([~(by_second | by_first), by_second, by_first])
    return _Chain(men, list(zip(blows, back, strict=True)), (nerves[0], nerves[1]), outnumbered)


def _product(left: Floats, right: Floats) -> Floats:
    """Return the matrix product, in pieces too small for BLAS to start threads: those cost more than they save."""
    inner = right.shape[0]
    rows = max(16, PIECE // right.size)
    columns = max(1, PIECE // (rows * inner))
    out = np.empty((left.shape[0], right.shape[1]))
    for i in range(0, left.shape[0], rows):
        for j in range(0, right.shape[1], columns):
            out[i : i + rows, j : j + columns] = left[i : i + rows] @ right[:, j : j + columns]
    return out


def _steady(count: int) -> Floats:
    """Return the nerve of a unit that never checks: one state of its Leader, and it never routs."""
    steady = np.zeros((2, count, 1, 2, count))
    steady[:, :, :, 0] = 1.0
    return steady


def _charge(
    rules: Rules, chain: _Chain, account: _Account, first: Unit, second: Unit, morale: bool, rolls: str
) -> Floats:
    """Play a first turn in which the first unit charges; return what goes on after it."""
    # The chance that the second meets the charge, by whether its Leader was routed when it was declared (SS-9.1a).
    meets = [1.0, 0.0]
    if morale and rules.situations["charged"].on:
        holds, leader_routs, routs = check(rules, second.quality, second.leader, second.commander, ["charged"])
        meets = [float(holds), float(leader_routs)]
        account.ends[STANDS, BROKEN] += routs
        account.wins[0][0] += routs
    levels_ = strikes_of_charge(rules, first, second, rolls=rolls).levels
    theirs = chain.nerves[1][:, 0]
    if morale and second.leader:
        theirs = nerve(rules, second, chain.men[1], np.array([0]), just_routed=True)[:, 0]
    flow: Floats = np.zeros(1)
    for state, chance in ((FIT, meets[0]), (ROUTED, meets[1])):
        if chance > 0:
            for where, (i, j) in zip(chain.outnumbered, _OUTNUMBERED, strict=True):
                ours = chance * chain.nerves[0][i, 0, FIT, :, :, None, None]
                flow = flow + ours * (levels_ * where)[:, None] * theirs[j, state]
    return account.close(flow)


def _to_the_end(chain: _Chain, account: _Account, standing: Floats, first_turn: int) -> None:
    period, (count, x, y, levels_) = len(chain.strikes), chain.shape
    # What arrives in each state, by turn of the period; x and y of both Leaders as one axis.
    inflow = np.zeros((period, count, x * y, levels_))
    inflow[first_turn % period] = standing.reshape(inflow.shape[1:])
    for a in range(count):
        arrived = inflow[:, a]
        if not arrived.any():
            continue
        hurts = chain.hurt(a)
        visits, ends = chain.still(a, hurts)
        on = [chain.within(a, hurt).reshape(levels_, x * y, -1) for hurt in hurts]
        begun = np.zeros_like(arrived)
        for b in range(levels_):
            here = arrived[:, :, b].reshape(-1) @ visits[b]
            account.sterile += float(here @ ~ends[b])
            begun[:, :, b] = (here * ends[b]).reshape(period, -1)
            for k in range(period):
                arrived[(k + 1) % period, :, b + 1 :] += (begun[k, :, b] @ on[k][b]).reshape(-1, levels_)[:, b + 1 :]
        account.turns += float(begun.sum())
        for k in range(period):
            after = account.close(chain.flow(a, hurts[k], begun[k].reshape(x, y, levels_)))
            inflow[(k + 1) % period, a + 1 :] += after[a + 1 :].reshape(-1, x * y, levels_)


def _by_turns(chain: _Chain, account: _Account, standing: Floats, turns: range) -> None:
    period, (count, x, y, levels_) = len(chain.strikes), chain.shape
    rows: dict[int, tuple[list[tuple[Floats, Floats]], NDArray[np.bool_]]] = {}
    for turn in (*turns, turns.stop):
        k, after = turn % period, np.zeros(chain.shape)
        for a in range(count):
            if not standing[a].any():
                continue
            if a not in rows:
                hurts = chain.hurt(a)
                rows[a] = hurts, np.moveaxis(chain.still(a, hurts)[1].reshape(levels_, period, x, y), 0, -1)
            hurts, ends = rows[a]
            fights = np.where(ends[k], standing[a], 0.0)
            account.sterile += float((standing[a] - fights).sum())
            if turn == turns.stop:
                account.undecided += float(fights.sum())
            else:
                account.turns += float(fights.sum())
                after += account.close(chain.flow(a, hurts[k], fights))
        standing = after
