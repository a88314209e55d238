"""Who learns of hidden figures where the observer alone does (NA-6.6); see `test_skirmish_battle_fire`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.skirmish_positions import figure, ground_of
from tests.skirmish_trials import AIMED, AS_DECLARED, ATTEMPT, BLIND, MOVE, VOLLEY, Trials, least_chance, trials
from wargamesim.games.skirmish.layout import (
    BLUE,
    GRAB,
    HIDDEN,
    HIDE,
    HITS,
    REGULAR,
    ROLES,
    SHOOT,
    SHOTS_FIRED,
    STATUS,
    TARGET,
    WHAT,
)

FAMILY, COUNT = 1e-4, 20_000
ALONE = {"NA-6.6": "observer"}
WALKS = {TARGET: -1}
LURKS = figure(50, 18.5, 1, weapon=None, also={HIDDEN: 1})
# An observer, a friend of his far off, and the one who hides in the wood to the north.
TABLE = [figure(50, 40), figure(90, 50), LURKS]


def wood(depth: float = 3.0) -> Any:
    return ground_of(["#" * 100] * 20 + ["." * 100] * 40, depth=depth)


def knowing(done: Trials, hidden: int) -> list[int]:
    """Return who knows of a hidden figure after the last trial."""
    words = done.last.observers[:, hidden].tolist()
    return [bit for bit in range(128) if words[bit // 64] >> (bit % 64) & 1]


def test_only_the_observer_learns_of_him() -> None:
    done = trials(MOVE, TABLE, 3, ground=wood(), action=WALKS, to=(50.0, 33.0), changes=ALONE)
    assert done.count((HIDDEN, 2, 1)) == 3
    assert knowing(done, 2) == [0]
    all_learn = trials(MOVE, TABLE, 3, ground=wood(), action=WALKS, to=(50.0, 33.0))
    assert all_learn.count((HIDDEN, 2, 0)) == 3
    assert knowing(all_learn, 2) == []
    far = trials(MOVE, TABLE, 3, ground=wood(), action=WALKS, to=(50.0, 36.0), changes=ALONE)
    assert knowing(far, 2) == []


def test_observers_far_down_the_list() -> None:
    """The second word has those from number 64 on; every enemy who may see a mover learns of him for himself."""
    crowd = [figure(5 + 1.4 * (i % 60), 50 + 2.5 * (i // 60), 1, weapon=None) for i in range(80)]
    mover = figure(50, 18.5, weapon=None, also={HIDDEN: 1})
    crowd[79], crowd[3] = figure(48, 32, 1, weapon=None), figure(52, 32, 1, weapon=None)
    done = trials(MOVE, [mover, *crowd], 1, ground=wood(), action=WALKS, to=(50.0, 19.5), changes=ALONE)
    assert knowing(done, 0) == [4, 80]
    assert done.count((HIDDEN, 0, 1)) == 1


@pytest.mark.parametrize("need", [2, 5])
def test_each_looks_for_himself(need: int) -> None:
    """With a die, two observers learn of a mover independently of each other (NA-6.5)."""
    mover = figure(50, 18.5, weapon=None, also={HIDDEN: 1})
    watch = [figure(48, 32, 1, weapon=None), figure(52, 32, 1, weapon=None)]
    changes = {**ALONE, "NA-6.5": "die", "hidden.spot_need": need}
    counts = np.zeros(4, int)
    for key in range(400):
        done = trials(MOVE, [mover, *watch], 1, key=key, ground=wood(), action=WALKS, to=(50.0, 19.5), changes=changes)
        seen = knowing(done, 0)
        counts[(1 in seen) + 2 * (2 in seen)] += 1
    p = (7 - need) / 6
    assert least_chance(counts.tolist(), 400, [(1 - p) ** 2, p * (1 - p), p * (1 - p), p * p]) > FAMILY


def shot_at(known: bool) -> Trials:
    """Let figure 0 shoot at the one who hides, whom it knows or not; figure 1 stands beside it."""
    order = {WHAT: SHOOT, TARGET: 2, GRAB: -1}
    table = [figure(50, 30), figure(54, 30), {**LURKS, "known": (0,) if known else (1,)}]
    return trials(AS_DECLARED, table, COUNT, ground=wood(), action=order, changes=ALONE)


def test_only_he_shoots_at_him() -> None:
    assert not shot_at(known=False).tallies[:, SHOTS_FIRED].any()
    done = shot_at(known=True)
    assert np.all(done.tallies[:, SHOTS_FIRED] == 1)
    # A miss leaves him hidden; a hit shows him to all.
    hits = done.tallies[:, HITS] == 1
    assert np.array_equal(done.figures[:, HIDDEN, 2] == 0, hits)
    assert 0 < hits.sum() < COUNT


def test_fire_shows_who_fires() -> None:
    hidden = figure(50, 18.5, also={HIDDEN: 1})
    done = trials(AIMED, [hidden, figure(50, 30, 1), figure(90, 50, 1)], COUNT, ground=wood(), changes=ALONE)
    # All but misfires, a sixth.
    assert least_chance([done.count((HIDDEN, 0, 0))], COUNT, [5 / 6]) > FAMILY


def test_contact_shows_him_to_all() -> None:
    done = trials(MOVE, TABLE, 2, ground=wood(), action=WALKS, to=(50.0, 20.5), changes=ALONE)
    assert done.count((HIDDEN, 2, 0)) == 2


@pytest.mark.parametrize(("to", "knows"), [(10.5, []), (19.5, [1])])
def test_hiding_again_is_hiding_from_all(to: float, knows: list[int]) -> None:
    """Whoever finds a place where nobody could see him is lost to all; whoever just moves is not (NA-6.4)."""
    mover = figure(50, 18.5, weapon=None, also={HIDDEN: 1}, known=(1,))
    action = {**WALKS, HIDE: int(not knows)}
    done = trials(MOVE, [mover, figure(50, 40, 1)], 2, ground=wood(), action=action, to=(50.0, to), changes=ALONE)
    assert done.count((HIDDEN, 0, 1)) == 2
    assert knowing(done, 0) == knows


@pytest.mark.parametrize("known", [(), (2,)])
def test_a_volley_is_at_those_whom_a_shooter_knows(known: tuple[int, ...]) -> None:
    """If none of them knows him, he is fired at blindly: no marker without a hit (NA-4.16, NA-4.19)."""
    line = [figure(40 + 3 * i, 40, also={ROLES: REGULAR}) for i in range(6)]
    table = [*line, {**LURKS, "known": known}]
    done = trials(VOLLEY, table, 400, members=6, to=(50.0, 18.5), ground=wood(), changes=ALONE)
    marked = (done.figures[:, BLUE, 6] == 1) | (done.figures[:, STATUS, 6] == 1)
    without_hit = done.tallies[:, HITS] == 0
    assert 0 < without_hit.sum() < 400
    assert np.all(marked[without_hit] == bool(known))


def test_blind_fire_may_hit_him_whoever_knows() -> None:
    line = [figure(40 + 3 * i, 40) for i in range(3)]
    table = [*line, {**LURKS, "known": (0,)}]
    done = trials(BLIND, table, COUNT, members=3, to=(50.0, 18.5), ground=wood(), action={TARGET: 0}, changes=ALONE)
    assert done.tallies[:, HITS].any()


@pytest.mark.parametrize("known", [(), (0,), (1,)])
def test_only_whom_it_knows_unnerves_a_figure(known: tuple[int, ...]) -> None:
    """An enemy within 10 cm, by that reading of NA-8.2a: -1, for whoever knows of him."""
    afraid = figure(50, 27, also={BLUE: 1})
    table = [afraid, figure(52, 27), {**LURKS, "known": known}]
    done = trials(ATTEMPT, table, COUNT, ground=wood(), changes={**ALONE, "morale.modifiers.enemy_near": -1})
    steady = done.count((BLUE, 0, 0))
    assert least_chance([steady], COUNT, [(2 if known == (0,) else 3) / 6]) > FAMILY
