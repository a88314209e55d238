"""Volleys and shots: the published table as fractions, shots by brute force, samplers, the zone, and bad input."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction as F
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from wargamesim.dice.pools import successes
from wargamesim.errors import InputError
from wargamesim.games.skirmish.fire import shot
from wargamesim.games.skirmish.morale import morale
from wargamesim.games.skirmish.rules import compile_rules
from wargamesim.games.skirmish.salvo import worth
from wargamesim.games.skirmish.volley import group_chance, group_fumble, shots, smallest_zone, volley, volley_hits
from wargamesim.rulebook import load_rulebook

NA, RI = load_rulebook("nordamerica"), load_rulebook("risorgimento")
DRY = NA.variant({"NA-4.2": "none"})
COVER = ("open", "soft", "hard")
P_MIN, DRAWS = 1e-4, 100_000


def same(result: object, exact: object) -> None:
    np.testing.assert_allclose(np.asarray(result, float), np.asarray(exact, float), rtol=0, atol=1e-12)


# Published values: six regulars with muskets, mean hits and the chance of none; in the open, soft and hard cover


def test_a_volley_of_six() -> None:
    hits = volley_hits(DRY, 6)
    same([hits.mean(), hits.equal_to(0)], [1, F(15625, 46656)])
    wet = volley_hits(NA, 6)
    same([wet.mean(), wet.equal_to(0)], [F(5, 6), F(887503681, 2176782336)])


@pytest.mark.parametrize(
    ("distance", "mean", "none"),
    [
        (20, "18/5 3 12/5", "64/15625 1/64 729/15625"),
        (30, "9/5 6/5 3/5", "117649/1000000 4096/15625 531441/1000000"),
    ],
)
def test_six_aimed_muskets(distance: int, mean: str, none: str) -> None:
    hits = successes(6, shot(DRY, "musket", distance, cover=COVER).hit)
    same(hits.mean(), [F(each) for each in mean.split()])
    same(hits.equal_to(0), [F(each) for each in none.split()])
    wet = successes(6, shot(NA, "musket", distance, cover=COVER).hit)
    same(wet.mean(), [F(5, 6) * F(each) for each in mean.split()])


def test_a_volley_stops_half_of_a_zone_by_its_markers() -> None:
    harmless = NA.variant({"result.kill_at_most": 0, "result.wound_at_most": 0})
    zones = np.arange(1, 9)
    means = volley(harmless, 6, zones).means
    same(means, [np.zeros(8), np.zeros(8), zones])
    same(worth(NA, means, 0, 1).worth, zones / 2)
    same(morale(NA).pinned, F(1, 2))


# Shots: brute force in fractions


def shots_by_force(
    chance: F, effect: tuple[F, F, F], n: int, targets: int, aim: str, close: bool, spreads: bool
) -> dict[tuple[int, int, int], F]:
    """Every way in which shots one by one may go; a target is (shots at it, marked, wounds, out)."""
    ends: dict[tuple[int, int, int], F] = defaultdict(F)

    def after(state: tuple, i: int, what: str) -> tuple:
        number, marked, wounds, out = state[i]
        wounds += what == "wounded"
        gone = what == "killed" or wounds == 2
        new = [*state]
        new[i] = (number + 1, marked or what != "miss", wounds, gone or out)
        if close and (what == "killed" or (gone and spreads)):
            new = [(each[0], True, *each[2:]) for each in new]
        return tuple(new)

    @cache
    def fire(left: int, state: tuple) -> dict:
        alive = [i for i, each in enumerate(state) if not each[3]]
        if not left or not alive:
            kept = [state[i] for i in alive]
            return {(len(state) - len(kept), sum(e[2] > 0 for e in kept), sum(e[1] for e in kept)): F(1)}
        if aim == "spread":
            least = min(state[i][0] for i in alive)
            at = [i for i in alive if state[i][0] == least]
        else:
            worst = max((state[i][2], state[i][1]) for i in alive)
            at = [i for i in alive if (state[i][2], state[i][1]) == worst][:1]
        found: dict = defaultdict(F)
        ways = [("killed", chance * effect[0]), ("wounded", chance * effect[1]), ("near", chance * effect[2])]
        for i in at:
            for what, share in [*ways, ("miss", 1 - chance)]:
                for end, mass in fire(left - 1, after(state, i, what)).items():
                    found[end] += mass * share / len(at)
        return found

    for end, mass in fire(n, ((0, False, 0, False),) * targets).items():
        ends[end] += mass
    return ends


@pytest.mark.parametrize("reading", ["no_spread", "spread"])
@pytest.mark.parametrize("order", ["open", "close"])
@pytest.mark.parametrize("aim", ["spread", "focus"])
def test_shots_by_brute_force(aim: str, order: str, reading: str) -> None:
    book = NA.variant({"NA-5.7": reading})
    for n, targets in ((0, 2), (1, 1), (3, 1), (3, 2), (4, 2), (3, 4)):
        found = shots(book, n, targets, "musket", 20, aim=aim, order=order)
        exact = np.zeros((targets + 1,) * 3)
        effect = (F(1, 3), F(1, 2), F(1, 6))
        ends = shots_by_force(F(1, 2), effect, n, targets, aim, order == "close", reading == "spread")
        for end, mass in ends.items():
            exact[end] = mass
        same(found.joint, exact)


@given(st.integers(0, 5), st.integers(1, 5), st.sampled_from(["spread", "focus"]), st.sampled_from(["open", "close"]))
@settings(max_examples=30, deadline=None)
def test_mass_and_monotone(n: int, targets: int, aim: str, order: str) -> None:
    found = shots(NA, n, targets, "rifle", 30, aim=aim, order=order)
    same(found.joint.sum(), 1)
    easier = shots(NA, n, targets, "rifle", 30, modifier=1, aim=aim, order=order)
    assert easier.means.out >= found.means.out - 1e-12
    out, wounded, marked = np.nonzero(found.joint)
    assert (wounded <= marked).all()
    assert (out + marked <= targets).all()


def test_each_of_as_many_targets_as_shots_is_shot_at_once() -> None:
    one = shot(NA, "musket", 20)
    same(shots(NA, 6, [6, 7, 20], "musket", 20).means.out, [6 * one.killed] * 3)
    same(shots(NA, 6, [6, 7], "musket", 20).means.marked, [6 * one.marked] * 2)


def test_a_batch_is_a_loop_of_singles() -> None:
    n, targets, covers = np.array([[6], [8]]), np.array([1, 3, 5]), "soft"
    batch = volley(NA, n, targets, covers)
    aimed = shots(NA, n, targets, "musket", 20, cover=covers)
    for i, j in np.ndindex(2, 3):
        size = int(targets[j]) + 1
        for whole, single in (
            (batch, volley(NA, int(n[i, 0]), int(targets[j]), covers)),
            (aimed, shots(NA, int(n[i, 0]), int(targets[j]), "musket", 20, cover=covers)),
        ):
            same(whole.joint[i, j, :size, :size, :size], single.joint)
            same(whole.joint[i, j].sum(), 1)
    by_distance = shots(NA, 3, 2, "musket", [20, 50, 60], quality=["regular", "veteran", "regular"])
    same(by_distance.joint[2, 0, 0, 0], 1)


# Samplers that follow the rules die by die


def test_sampled_volley() -> None:
    """Seven regulars against four men behind a wall; misfires; the hits fall where they will."""
    rng = np.random.default_rng(21)
    fires, six = rng.integers(1, 7, (7, DRAWS)) > 1, rng.integers(1, 7, (7, DRAWS)) == 6
    victim, result = rng.integers(0, 4, (7, DRAWS)), rng.integers(1, 7, (7, DRAWS)) + 1
    wounds, dead = np.zeros((4, DRAWS), dtype=int), np.zeros((4, DRAWS), dtype=bool)
    for i in range(7):
        hit = fires[i] & six[i]
        for target in range(4):
            mine = hit & (victim[i] == target)
            dead[target] |= mine & (result[i] <= 2)
            wounds[target] += mine & (result[i] >= 3) & (result[i] <= 5)
    dead |= wounds >= 2
    out, wounded = dead.sum(axis=0), ((wounds > 0) & ~dead).sum(axis=0)
    joint = volley(NA, 7, 4, "hard").joint
    for o, w in np.ndindex(3, 3):
        seen = int(((out == o) & (wounded == w)).sum())
        assert stats.binomtest(seen, DRAWS, float(joint[o, w, 4 - o])).pvalue > P_MIN
    same(joint.sum(), 1)


# The zone


def test_the_smallest_zone_by_the_joint_distributions() -> None:
    """The quick means against the whole distributions, number by number."""
    for cover, distance, order, aim in (
        *(("open", 20, "open", "spread"), ("soft", 30, "open", "focus")),
        *(("hard", 20, "close", "spread"), ("open", 30, "close", "focus")),
    ):
        zones = smallest_zone(NA, 6, "musket", distance, [1, 3, 6], 1, cover=cover, order=order, aim=aim, morale=-1)
        numbers = np.arange(1, 13)
        mine = volley(NA, 6, numbers, cover).means
        theirs = shots(NA, 6, numbers, "musket", distance, cover=cover, order=order, aim=aim).means
        for man, zone in zip((1, 3, 6), zones, strict=True):
            gap = worth(NA, mine, man, 1, modifier=-1).worth - worth(NA, theirs, man, 1, modifier=-1).worth
            if zone == 0 or zone > 12:
                assert gap[-1] <= 1e-12
            else:
                assert (gap[zone - 1 :] > 1e-12).all()
                assert zone == 1 or gap[zone - 2] <= 1e-12


def test_a_marker_that_is_worth_nothing_never_makes_a_volley_better() -> None:
    assert smallest_zone(NA, 6, "musket", 20, man=1, activation=0) == 0
    assert smallest_zone(NA, 6, "musket", 20, man=0, activation=1) == 1
    assert smallest_zone(NA, 6, "musket", 30.1, man=0, activation=1) == 0, "beyond its reach it does nothing"
    assert smallest_zone(NA, 6, "musket", 30, [1, 2], [[1], [2], [3]]).shape == (3, 2)


# Readings


def test_mishaps_of_volleys() -> None:
    rules = {name: compile_rules(NA.variant({"NA-4.22": name})) for name in ("misfire", "neither", "both")}
    same([group_chance(each, 6, {6}) for each in rules.values()], [F(5, 36), F(1, 6), F(5, 36)])
    same([group_fumble(each, 6) for each in rules.values()], [0, 0, F(5, 36)])
    natural = compile_rules(NA.variant({"NA-4.2": "natural_one", "NA-4.22": "both"}))
    same(
        [group_chance(natural, 6, {6}), group_chance(natural, 6, {1, 6}), group_fumble(natural, 6)],
        [F(1, 6), F(1, 6), 0],
    )


def test_a_blind_volley_marks_nobody_without_a_hit() -> None:
    plain, blind = volley(NA, 6, 3), volley(NA, 6, 3, blind=True)
    none = float(volley_hits(NA, 6).equal_to(0))
    same([plain.joint[0, 0, 3] - blind.joint[0, 0, 3], blind.joint[0, 0, 0]], [none, none])
    same(blind.means.out, plain.means.out)


def test_house_numbers() -> None:
    book = DRY.variant({"volley.die": 8, "volley.faces": [7, 8], "volley.shooters": 3})
    same(volley_hits(book, 3).mean(), F(3, 4))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: volley_hits(NA, 5), "shooters: must be at least 6, not 5"),
        (lambda: volley_hits(RI, 6), "the rulebook 'risorgimento' has no volleys; it has cards of suits with jokers"),
        (lambda: volley(NA, 6, -1), "targets: must be at least 0, not -1"),
        (lambda: volley(NA, 6, 2, "wall"), "cover: unknown cover 'wall'"),
        (lambda: volley(NA, [6, 7], [1, 2, 3]), "shooters: shapes do not broadcast"),
        (lambda: shots(NA, -1, 2, "musket", 20), "shooters: must be at least 0, not -1"),
        (lambda: shots(NA, 1, 2, "musket", 20, aim="all"), "aim: unknown aim 'all'"),
        (lambda: shots(NA, 1, 2, "musket", 20, order="loose"), "order: unknown order 'loose'"),
        (lambda: shots(NA, [1, 2], [1, 2, 3], "musket", 20), "shooters: shapes do not broadcast"),
        (lambda: smallest_zone(NA, 5, "musket", 20, 1, 1), "shooters: must be at least 6, not 5"),
    ],
)
def test_bad_input_names_the_argument(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value).startswith(message)
