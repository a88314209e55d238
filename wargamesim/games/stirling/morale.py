"""Morale: what a check needs, who fails it, and who recovers (SS-9, SS-10)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wargamesim.dice.arguments import broadcast, integers
from wargamesim.dice.pmf import PMF, Floats, Integers
from wargamesim.errors import InputError, unknown
from wargamesim.games.stirling.rules import LOSSES, MOST_CHARISMA, QUALITIES, SITUATIONS, Book, Rules, compile_rules
from wargamesim.games.stirling.units import Unit

# What a Leader is when a turn begins: in order, routed, dead. A unit without one has the single state 0.
FIT, ROUTED, DEAD = range(3)

# What compels a check that no situation of the list does: the referee (SS-9.1).
REFEREE = "referee"


class Check(NamedTuple):
    """How a check of a unit whose Leader is in order ends; three arrays of one shape that sum to 1.

    `holds`: the unit and its Leader hold. `leader_routs`: the unit holds, its Leader is routed. `routs`: the unit is.
    """

    holds: Floats
    leader_routs: Floats
    routs: Floats


class Ratings(NamedTuple):
    """What the dice may not exceed, before the situation; arrays of one shape."""

    troops: Integers
    without_leader: Integers
    leader: Integers
    recovery: Integers


def pass_chance(rulebook: Book, target: ArrayLike) -> Floats:
    """Return the chance that the dice of morale do not exceed a target (SS-9.3, SS-9.3a, SS-P40).

    Parameters
    ----------
    rulebook : Rulebook or Rules
    target : int or array_like of int

    Returns
    -------
    ndarray, of the shape of `target`

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> pass_chance(load_rulebook("stirling"), [1, 2, 12, 17, 20])
    array([0.  , 0.01, 0.64, 0.94, 1.  ])
    """
    return _chance(compile_rules(rulebook), integers("target", target))


def ratings(rulebook: Book, quality: ArrayLike, leader: ArrayLike = 0, commander: ArrayLike = 0) -> Ratings:
    """Return what the checks of a unit need (SS-9.3, SS-9.3b, SS-9.3c, SS-P41, SS-P42, SS-P48, SS-10.1).

    Parameters
    ----------
    rulebook : Rulebook or Rules
    quality : str or array_like of str
        "levy", "common", "chosen" or "elite".
    leader, commander : int or array_like of int, 0 to 19
        Their charisma; 0 where there is none. All three broadcast.

    Raises
    ------
    InputError
        If a quality is unknown, a charisma out of range, or the shapes do not broadcast.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> [int(need) for need in ratings(load_rulebook("stirling"), "common", leader=15, commander=14)]
    [17, 14, 17, 15]
    """
    names = np.asarray(quality, dtype=np.str_)
    for name in names.flat:
        if name not in QUALITIES:
            raise unknown("quality", name, QUALITIES, key="quality")
    scores = {"leader": integers("leader", leader, minimum=0), "commander": integers("commander", commander, minimum=0)}
    for key, score in scores.items():
        if score.size and score.max() > MOST_CHARISMA:
            raise InputError(f"must be from 0 to {MOST_CHARISMA}, not {score.max()}", key=key)
    shape = broadcast(quality=names.shape, **{key: score.shape for key, score in scores.items()})
    rules = compile_rules(rulebook)
    base = np.array([rules.ratings[name] for name in names.flat], dtype=np.int64).reshape(names.shape)
    led, ordered = rules.charisma[scores["leader"]], rules.charisma[scores["commander"]]
    own = rules.ratings["leader"] + ordered * rules.commander_helps
    needs = (base + led + ordered, base + ordered, own, base + led)
    return Ratings(*(np.broadcast_to(need, shape) for need in needs))


def check(
    rulebook: Book,
    quality: ArrayLike,
    leader: ArrayLike = 0,
    commander: ArrayLike = 0,
    situations: Iterable[str] = (),
    modifier: ArrayLike = 0,
) -> Check:
    """Return how a check of morale ends (SS-9.2 to SS-9.6, SS-P39, SS-P47).

    Parameters
    ----------
    rulebook : Rulebook or Rules
    quality, leader, commander
        As in `ratings`. With no Leader the troops decide.
    situations : iterable of str
        What compels the check; without any it is one that the referee asks for. With leader_lost the troops are alone.
    modifier : int or array_like of int
        Anything else; broadcasts with the others.

    Returns
    -------
    Check
        Arrays of shape broadcast(quality, leader, commander, modifier).

    Raises
    ------
    InputError
        If a name is unknown, a number out of range, or the shapes do not broadcast.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> holds, leader_routs, routs = check(load_rulebook("stirling"), "common", leader=15, commander=14)
    >>> print(f"{holds:.4f} {leader_routs:.4f} {routs:.4f}")
    0.8836 0.0270 0.0894
    """
    rules, need = _needs(rulebook, quality, leader, commander)
    more, names = integers("modifier", modifier), _known(situations)
    broadcast(quality=need.troops.shape, modifier=more.shape)
    active = dict.fromkeys(names or (REFEREE,), True)
    need = Ratings(*(each + more for each in need))
    led = (integers("leader", leader) > 0) & ("leader_lost" not in names)
    both, alone = _check(rules, need, active), _passes(rules, need.without_leader, active)
    ends = (both.holds, alone), (both.leader_routs, np.zeros_like(alone)), (both.routs, 1 - alone)
    return Check(*(np.where(led, *end) for end in ends))


def recovery_chance(rulebook: Book, quality: ArrayLike, leader: ArrayLike, situations: Iterable[str] = ()) -> Floats:
    """Return the chance that a routed unit recovers in one try (SS-10.1, SS-10.2, SS-10.4, SS-P45).

    Parameters
    ----------
    rulebook : Rulebook or Rules
    quality : str or array_like of str
    leader : int or array_like of int, 0 to 19
        Charisma of the Leader who is with it; without one (0) it cannot recover.
    situations : iterable of str
        Those of the check that it failed, which matter under the reading as_last_check.

    Returns
    -------
    ndarray, shape broadcast(quality, leader)

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> recovery_chance(load_rulebook("stirling"), "common", [0, 15])
    array([0.  , 0.85])
    """
    rules, need = _needs(rulebook, quality, leader)
    names = _known(situations)
    more = sum(rules.situations[name].modifier for name in names) if rules.recover_as_checked else 0
    return np.where(integers("leader", leader) > 0, _chance(rules, need.recovery + more), 0.0)


def nerve(
    rulebook: Book, unit: Unit, men: Integers, before: Integers, *, just_routed: bool = False
) -> NDArray[np.float64]:
    """Return what a turn does to the morale of a unit in contact, whatever it has left (SS-9, SS-8.6, SS-10).

    Parameters
    ----------
    rulebook : Rulebook or Rules
    unit : Unit
    men : ndarray of int64, shape (levels,)
        The men that it may have, falling, down to 0.
    before : ndarray of int64, shape (n,)
        Levels with which it may begin the turn; it ends with any other.
    just_routed : bool
        Whether a Leader who begins routed was routed in this very turn, so that he may not recover yet (SS-10.3,
        SS-P44).

    Returns
    -------
    ndarray, shape (2, n, states, states + 1, levels)
        By whether it is outnumbered, its level before, its Leader's state before (fit, routed, dead; a single one where
        there is no Leader), his state after or, last, the unit's rout, and its level after: the chance that morale ends
        so. A unit without men does not check and ends in the first state.
    """
    rules, need = _needs(rulebook, unit.quality, unit.leader, unit.commander)
    start, left = men[before][:, None], men[None, :]
    active = _in_contact(rules, unit.men, start, left, np.array([False, True])[:, None, None])
    states = 3 if unit.leader else 1
    out = np.zeros((2, len(before), states, states + 1, len(men)))
    alone = _passes(rules, need.without_leader, active)
    if not unit.leader:
        out[:, :, 0, 0], out[:, :, 0, 1] = alone, 1 - alone
    else:
        dies = np.clip(rules.leader_risk * (start - left) / np.maximum(start, 1), 0.0, 1.0)
        bereaved = _passes(rules, need.without_leader, _without_leader(rules, active))
        fit = _check(rules, need, active)
        # A Leader recovers alone: neither charisma nor situation matters (SS-10.1).
        recovers = float(_chance(rules, np.array(rules.ratings["leader"])))
        at_once = recovers if rules.recover_at_once else 0.0
        later = at_once if just_routed else recovers
        out[:, :, FIT, FIT] = (1 - dies) * (fit.holds + fit.leader_routs * at_once)
        out[:, :, FIT, ROUTED] = (1 - dies) * fit.leader_routs * (1 - at_once)
        out[:, :, FIT, -1] = (1 - dies) * fit.routs + dies * (1 - bereaved)
        out[:, :, ROUTED, FIT] = (1 - dies) * alone * later
        out[:, :, ROUTED, ROUTED] = (1 - dies) * alone * (1 - later)
        out[:, :, ROUTED, -1] = (1 - dies) * (1 - alone) + dies * (1 - bereaved)
        out[:, :, FIT, DEAD] = out[:, :, ROUTED, DEAD] = dies * bereaved
        out[:, :, DEAD, DEAD], out[:, :, DEAD, -1] = alone, 1 - alone
    out[..., men == 0] = 0.0
    out[:, :, :, 0, men == 0] = 1.0
    return out


def _needs(rulebook: Book, quality: ArrayLike, leader: ArrayLike, commander: ArrayLike = 0) -> tuple[Rules, Ratings]:
    rules = compile_rules(rulebook)
    return rules, ratings(rules, quality, leader, commander)


def _in_contact(
    rules: Rules, men: int, before: Integers, after: Integers, outnumbered: NDArray[np.bool_]
) -> dict[str, ArrayLike]:
    """Tell where losses (SS-9.1b) and numbers (SS-9.1f) compel a check."""
    active: dict[str, ArrayLike] = {"outnumbered": outnumbered}
    for name, share in zip(LOSSES, rules.loss_shares, strict=True):
        active[name] = (100 * (men - after) >= share * men) & (100 * (men - before) < share * men)
    return {name: where for name, where in active.items() if rules.situations[name].on}


def _check(rules: Rules, need: Ratings, active: Mapping[str, ArrayLike]) -> Check:
    """Let a Leader who is in order check, and then his troops (SS-9.2, SS-P47)."""
    leader = _passes(rules, need.leader, active)
    with_him = _passes(rules, need.troops, active)
    without = _passes(rules, need.without_leader, _without_leader(rules, active))
    if rules.combine == "either":
        return Check(leader * with_him, np.zeros_like(leader), 1 - leader + leader * (1 - with_him))
    fails = 1 - leader
    if rules.combine == "both":
        return Check(leader, fails * without, fails * (1 - without))
    return Check(leader * with_him, fails * without, leader * (1 - with_him) + fails * (1 - without))


def _without_leader(rules: Rules, active: Mapping[str, ArrayLike]) -> Mapping[str, ArrayLike]:
    return {**active, "leader_lost": True} if rules.situations["leader_lost"].on else active


def _passes(rules: Rules, need: Integers, active: Mapping[str, ArrayLike]) -> Floats:
    """Return the chance to pass all checks that the situations compel; 1 where there is none (SS-9.6, SS-P39)."""
    passed: Floats = np.ones(need.shape)
    target, checks = np.asarray(need), np.zeros(need.shape, dtype=np.int64)
    for name in (REFEREE, *SITUATIONS):
        if name in active:
            where, modifier = np.asarray(active[name]), rules.situations[name].modifier if name in SITUATIONS else 0
            if rules.check_each:
                chance = _chance(rules, need + modifier + rules.further * checks)
                passed = passed * np.where(where, chance, 1.0)
            target, checks = target + modifier * where, checks + where
    return passed if rules.check_each else np.where(checks > 0, _chance(rules, target), 1.0)


def _chance(rules: Rules, target: Integers) -> Floats:
    return _dice(rules.morale_dice, rules.morale_die).at_most(target)


@cache
def _dice(count: int, sides: int) -> PMF:
    return PMF.die(sides).repeat(count)


def _known(situations: Iterable[str]) -> list[str]:
    names = list(situations)
    for name in names:
        if name not in SITUATIONS:
            raise unknown("situation", name, SITUATIONS, key="situations")
    return names
