"""Morale of Stirling: published values, every reading against a sampler that rolls what the rules say, bad input."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from wargamesim.errors import InputError
from wargamesim.games.stirling.morale import check, nerve, pass_chance, ratings, recovery_chance
from wargamesim.games.stirling.units import Unit
from wargamesim.rulebook import Rulebook, load_rulebook

EXACT = 1e-12
RULES = load_rulebook("stirling")
# Samplers: every comparison is two-sided at this level, at a fixed seed. There are fewer than 200, so sound odds would
# fail one of them with a probability below 0.002 (once: nothing is drawn anew).
P_MIN = 1e-5
DRAWS = 100_000


def same(result: object, exact: object) -> None:
    np.testing.assert_allclose(np.asarray(result, float), np.asarray(exact, float), rtol=0, atol=EXACT)


def two(target: int, sides: int = 10) -> F:
    """Return the chance that two dice show at most the target, roll by roll."""
    rolls = list(product(range(1, sides + 1), repeat=2))
    return F(sum(a + b <= target for a, b in rolls), len(rolls))


# Published values


def test_two_tens() -> None:
    percent = [1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 64, 72, 79, 85, 90, 94, 97, 99, 100]
    same(pass_chance(RULES, np.arange(2, 21)), [F(each, 100) for each in percent])
    same(pass_chance(RULES, [-3, 0, 1, 21, 40]), [0, 0, 0, 1, 1])


def test_two_sixes() -> None:
    ways = [1, 3, 6, 10, 15, 21, 26, 30, 33, 35, 36]
    same(pass_chance(RULES.variant({"SS-P40": "2d6"}), np.arange(2, 13)), [F(each, 36) for each in ways])


def test_the_example() -> None:
    assert [int(each) for each in ratings(RULES, "common", 15, 14)] == [17, 14, 17, 15]
    same(pass_chance(RULES, ratings(RULES, "common", 15, 14).troops), F(94, 100))
    same(recovery_chance(RULES, "common", 15), F(85, 100))


def test_charisma_and_ratings() -> None:
    gives = [-7, -6, -5, -4, -3, -2, -1, 0, 0, 0, 0, 0, 1, 2, 3, 5, 6, 7, 8]
    assert ratings(RULES, "common", np.arange(20)).troops.tolist() == [12, *(12 + each for each in gives)]
    assert ratings(RULES, ["levy", "common", "chosen", "elite"]).troops.tolist() == [10, 12, 13, 14]
    bx = RULES.variant({"SS-P40": "2d6", "SS-P41": "bx", "SS-P42": "bx"})
    assert ratings(bx, ["levy", "elite"], 18).troops.tolist() == [8, 11]
    assert ratings(bx, "levy").leader == 10


# Checks


def combined(combine: str, leader: F, with_him: F, without: F) -> tuple[F, F, F]:
    """Return what the chances of the two rolls make of a unit, from the four ways they can fall."""
    ends = {"holds": F(0), "leader": F(0), "routs": F(0)}
    for leader_holds, troops_hold in product((True, False), repeat=2):
        troops = with_him if leader_holds else without
        p = (leader if leader_holds else 1 - leader) * (troops if troops_hold else 1 - troops)
        routs = {
            "separate": not troops_hold,
            "either": not (leader_holds and troops_hold),
            "both": not (leader_holds or troops_hold),
        }[combine]
        ends["routs" if routs else "holds" if leader_holds else "leader"] += p
    return ends["holds"], ends["leader"], ends["routs"]


@pytest.mark.parametrize("combine", ["separate", "either", "both"])
@pytest.mark.parametrize("helps", ["commander", "none"])
def test_a_check(combine: str, helps: str) -> None:
    rules = RULES.variant({"SS-P47": combine, "SS-P48": helps})
    leader = two(15 - 4 + (2 if helps == "commander" else 0))
    exact = combined(combine, leader, two(12 + 3 + 2 - 4), two(12 + 2 - 4 - 4))
    same(check(rules, "common", 15, 14, ["lost_half"]), exact)
    exact = combined(combine, two(15), two(10 + 7), two(10 - 4))
    same(check(rules, "levy", 18), exact)


def test_without_a_leader_the_troops_decide() -> None:
    for combine in ("separate", "either", "both"):
        rules = RULES.variant({"SS-P47": combine})
        same(check(rules, "elite", 0, 16), [two(14 + 5), 0, 1 - two(14 + 5)])
        alone = two(14 + 5 - 4)
        same(check(rules, "elite", 18, 16, ["leader_lost"]), [alone, 0, 1 - alone])


def test_situations_add_up_or_are_checked_one_by_one() -> None:
    names = ["outnumbered", "lost_quarter"]
    same(check(RULES, "common", 0, 0, names, 1).holds, two(12 - 2 - 4 + 1))
    each = RULES.variant({"SS-P39": "one_per_situation"})
    # In the order of the list, not as they are named: the later check has one point less.
    same(check(each, "common", 0, 0, names, 1).holds, two(12 - 2 + 1) * two(12 - 4 + 1 - 1))
    same(check(each.variant({"morale.further": -3}), "common", 0, 0, names).holds, two(10) * two(12 - 4 - 3))


def test_recovery() -> None:
    same(recovery_chance(RULES, "common", [0, 10, 13]), [0, two(12), two(13)])
    same(recovery_chance(RULES, "common", 10, ["lost_half"]), two(12))
    same(recovery_chance(RULES.variant({"SS-P45": "as_last_check"}), "common", 10, ["lost_half"]), two(8))


@given(st.integers(0, 19), st.integers(0, 19), st.integers(-10, 10), st.sampled_from(["separate", "either", "both"]))
@settings(max_examples=40, deadline=None)
def test_mass_and_monotone(leader: int, commander: int, modifier: int, combine: str) -> None:
    rules = RULES.variant({"SS-P47": combine})
    low, high = (check(rules, "common", leader, commander, ["lost_quarter"], modifier + more) for more in (0, 1))
    same(sum(low), 1)
    assert high.routs <= low.routs + EXACT


def test_a_batch_is_a_loop_of_singles() -> None:
    qualities, leaders, more = np.array(["levy", "elite"])[:, None, None], np.array([0, 9, 18])[:, None], [-3, 4]
    found = check(RULES, qualities, leaders, 13, ["charged"], more)
    assert found.holds.shape == (2, 3, 2)
    for i, j, k in np.ndindex(2, 3, 2):
        alone = check(RULES, qualities[i, 0, 0], int(leaders[j, 0]), 13, ["charged"], more[k])
        same([part[i, j, k] for part in found], alone)


# A turn in contact


MEN = np.array([100, 90, 80, 70, 60, 50, 40, 30, 20, 10, 0])


def rolled(
    rng: np.random.Generator, rules: Rulebook, unit: Unit, before: int, after: int, state: int, outnumbered: bool
) -> np.ndarray:
    """Roll a turn's morale as the rules say it: the state of the Leader afterwards, -1 where the unit routs."""
    reading = rules.reading
    share = {"as_a_man": 1.0, "never": 0.0, "half": 0.5}[reading("SS-P37")]
    dies = (state < 2) & (rng.random(DRAWS) < share * (before - after) / before)
    situations = [
        (-2, after <= 75 < before),
        (-4, after <= 50 < before),
        (-4, after <= 25 < before),
        (-4, dies),
        (-4, outnumbered),
    ]
    led = rules.number(f"morale.charisma.{unit.leader}")

    def passes(rating: int, extra: np.ndarray | bool = False) -> np.ndarray:
        modifier, checks, fails = np.zeros(DRAWS, int), np.zeros(DRAWS, int), np.zeros(DRAWS, bool)
        for i, (points, where) in enumerate(situations):
            here = np.broadcast_to(where | (extra if i == 3 else False), DRAWS)
            if reading("SS-P39") == "one_per_situation":
                fails |= here & (rng.integers(1, 11, (2, DRAWS)).sum(axis=0) > rating + points - checks)
            modifier, checks = modifier + points * here, checks + here
        if reading("SS-P39") == "one":
            fails = (checks > 0) & (rng.integers(1, 11, (2, DRAWS)).sum(axis=0) > rating + modifier)
        return ~fails

    troops = {"levy": 10, "common": 12, "chosen": 13, "elite": 14}[unit.quality]
    fit = (state == 0) & ~dies
    leader_fails = fit & ~passes(15)
    holds = np.where(fit & ~leader_fails, passes(troops + led), passes(troops, leader_fails))
    if reading("SS-P47") == "either":
        holds &= ~leader_fails
    elif reading("SS-P47") == "both":
        holds |= fit & ~leader_fails
    ends = np.where(dies | (state == 2), 2, np.where(leader_fails | (state == 1), 1, 0))
    tries = (ends == 1) & ((state == 1) | (reading("SS-P44") == "same_turn"))
    ends = np.where(tries & (rng.integers(1, 11, (2, DRAWS)).sum(axis=0) <= 15), 0, ends)
    return np.where(holds, ends, -1)


VARIANTS = {
    "default": {},
    "either": {"SS-P47": "either"},
    "both": {"SS-P47": "both", "SS-P44": "same_turn"},
    "one by one": {"SS-P39": "one_per_situation", "SS-P37": "half"},
    "no deaths": {"SS-P37": "never", "SS-P44": "hold"},
}


@pytest.mark.parametrize("name", VARIANTS)
def test_sampled_turn_in_contact(name: str) -> None:
    rules, unit = RULES.variant(VARIANTS[name]), Unit(men=100, quality="common", leader=14)
    rng = np.random.default_rng(21)
    exact = nerve(rules, unit, MEN, np.arange(len(MEN)))
    for before, after, state, outnumbered in [(0, 0, 1, 0), (0, 3, 0, 0), (2, 6, 0, 1), (4, 5, 1, 1), (1, 8, 2, 0)]:
        ends = rolled(rng, rules, unit, int(MEN[before]), int(MEN[after]), state, bool(outnumbered))
        chances = exact[outnumbered, before, state, :, after]
        same(chances.sum(), 1)
        for end, chance in zip((0, 1, 2, -1), chances, strict=True):
            assert stats.binomtest(int((ends == end).sum()), DRAWS, min(float(chance), 1.0)).pvalue > P_MIN


def test_nothing_happens_without_losses_or_numbers() -> None:
    for leader in (0, 12):
        quiet = nerve(RULES, Unit(men=100, leader=leader), MEN, np.arange(len(MEN)))
        for level in range(10):
            assert quiet[0, level, 0, 0, level] == 1
        assert (quiet[:, :, :, 0, -1] == 1).all()
        # Only a level that has not more men than before can follow.
        before, after = np.nonzero(MEN[:, None] >= MEN)
        same(quiet.sum(axis=3)[:, before, :, after], 1)


def test_a_leader_just_routed_waits_for_the_next_turn() -> None:
    unit = Unit(men=100, leader=12)
    for reading, at_once in (("next_turn", F(0)), ("hold", F(0)), ("same_turn", two(15))):
        rules = RULES.variant({"SS-P44": reading})
        now = nerve(rules, unit, MEN, np.array([0]), just_routed=True)
        later = nerve(rules, unit, MEN, np.array([0]))
        same(now[0, 0, 1, :2, 0], [at_once, 1 - at_once])
        same(later[0, 0, 1, :2, 0], [two(15), 1 - two(15)])


def test_situations_can_be_switched_off() -> None:
    rules, unit = RULES.variant({"SS-P38": "losses_only"}), Unit(men=100, quality="common", leader=0)
    found = nerve(rules, unit, MEN, np.array([0]))
    same(found[0], found[1])
    same(found[0, 0, 0, 1, [1, 3, 5, 8]], [0, *(1 - two(12 - points) for points in (2, 6, 10))])
    off = RULES.variant({f"morale.situations.lost_{name}.on": False for name in ("quarter", "half", "three_quarters")})
    assert not nerve(off, unit, MEN, np.array([0]))[0, 0, 0, 1].any()


# Bad input


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pass_chance(RULES, 1.5), "target: must be integers, not 1.5"),
        (lambda: ratings(RULES, "elit"), "quality: unknown quality 'elit'; did you mean 'elite'?"),
        (lambda: ratings(RULES, "elite", 20), "leader: must be from 0 to 19, not 20"),
        (lambda: ratings(RULES, "elite", 3, -1), "commander: must be at least 0, not -1"),
        (lambda: ratings(RULES, ["elite", "levy"], [1, 2, 3]), "quality: shapes do not broadcast"),
        (lambda: check(RULES, "elite", situations=["rain"]), "situations: unknown situation 'rain'"),
        (lambda: check(RULES, "elite", modifier=0.5), "modifier: must be integers, not 0.5"),
        (lambda: check(RULES, "elite", [1, 2], modifier=[1, 2, 3]), "quality: shapes do not broadcast"),
        (lambda: recovery_chance(RULES, "elite", 3, ["rain"]), "situations: unknown situation 'rain'"),
    ],
)
def test_bad_input_names_the_argument(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value).startswith(message)
