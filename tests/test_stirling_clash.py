"""Clashes of Stirling: published values, a twin in fractions, turn by turn against to the end, a sampler, bad input."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from wargamesim.errors import InputError
from wargamesim.games.stirling.attack import losses
from wargamesim.games.stirling.charge import charge as strikes_of_charge
from wargamesim.games.stirling.clash import Clash, clash
from wargamesim.games.stirling.units import Unit
from wargamesim.rulebook import Rulebook, load_rulebook

EXACT = 1e-12
RULES = load_rulebook("stirling")
CARRY = RULES.variant({"SS-P35": "carry"})
# Samplers: every comparison is two-sided at this level, at a fixed seed. There are fewer than 100, so sound odds would
# fail one of them with a probability below 0.001 (once: nothing is drawn anew).
P_MIN = 1e-5
DRAWS = 40_000


def printed(result: float, text: str) -> None:
    """Compare with a rounded value such as 18.605246 or 2.1517e-5: half a unit of its last digit."""
    digits, _, exponent = text.partition("e")
    unit = 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2]))
    assert abs(result - float(text)) <= 0.5 * unit + EXACT


def mass(ended: Clash) -> float:
    return float(ended.ends.sum()) + ended.sterile + ended.undecided


# Published values


# men: first wins, second wins, sterile, turns, the first's men left. Two values of the source table of 4 digits are
# rounded the wrong way there (2.2258e-4 and 7.4857e-7); the twin in fractions below has the same values as these.
TO_THE_END = {
    (300, 300): ("0.49998924", "0.49998924", "2.1517e-5", "18.605246", "88.177461"),
    (300, 280): ("0.60894282", "0.39103503", "2.2149e-5", "18.408471", "111.175810"),
    (300, 200): ("0.95148181", "0.04851012", "8.0693e-6", "12.548101", "212.364472"),
    (300, 150): ("0.99779993", "0.00219932", "7.4856e-7", "8.248648", "255.726584"),
    (100, 100): ("0.49988871", "0.49988871", "2.2259e-4", "24.511770", "35.772116"),
    (50, 50): ("0.49929690", "0.49929690", "1.4062e-3", "42.730111", "22.398854"),
    (30, 20): ("1", "0", "0", "80.376766", "30"),
    (20, 20): ("0", "0", "1", "0", "0"),
}


@pytest.mark.parametrize("men", TO_THE_END)
def test_without_morale(men: tuple[int, int]) -> None:
    ended = clash(RULES, Unit(men=men[0]), Unit(men=men[1]), morale=False)
    found = ended.first_wins, ended.second_wins, ended.sterile, ended.turns, ended.first_left
    for value, text in zip(found, TO_THE_END[men], strict=True):
        printed(value, text)
    assert ended.both_lose == 0
    assert mass(ended) == pytest.approx(1, abs=EXACT)


def test_carry() -> None:
    ended = clash(CARRY, Unit(men=100), Unit(men=100), morale=False)
    printed(ended.first_wins, "0.499587")
    printed(ended.second_wins, "0.499587")
    printed(ended.both_lose, "8.255e-4")
    printed(ended.turns, "15.546117")
    assert ended.sterile == 0


ONE_SIDED = {
    "discard": ("13.471945", ("0.115952", "0.271368", "0.458681", "0.709565", "0.929377")),
    "carry": ("12.419250", ("0.157068", "0.347415", "0.554711", "0.796034", "0.963855")),
}


@pytest.mark.parametrize("remainder", ONE_SIDED)
def test_a_unit_that_does_not_strike_back(remainder: str) -> None:
    rules, (turns, within) = RULES.variant({"SS-P35": remainder}), ONE_SIDED[remainder]
    printed(clash(rules, Unit(), Unit(rate=0), morale=False).turns, turns)
    for limit, text in zip((8, 10, 12, 15, 20), within, strict=True):
        ended = clash(rules, Unit(), Unit(rate=0), morale=False, turns=limit)
        printed(ended.first_wins, text)
        assert ended.first_wins + ended.undecided == pytest.approx(1, abs=EXACT)


# A twin in fractions


@cache
def removed(attackers: int) -> dict[int, F]:
    """Return the tens that two attacks of the example's unit remove."""
    one = {0: F(13, 20)}
    for damage in range(1, 9):
        men = damage * attackers // 35
        one[men] = one.get(men, F(0)) + F(7, 160)
    out: dict[int, F] = {}
    for a, p in one.items():
        for b, q in one.items():
            out[(a + b) // 10] = out.get((a + b) // 10, F(0)) + p * q
    return out


def to_the_end(a: int, b: int) -> dict[str, F]:
    arrives = {(a, b): F(1)}
    found = dict.fromkeys(("first", "second", "sterile", "turns", "left"), F(0))
    for i in range(a, 0, -1):
        for j in range(b, 0, -1):
            p = arrives.pop((i, j), F(0))
            stays = removed(10 * i).get(0, F(0)) * removed(10 * j).get(0, F(0))
            if stays == 1:
                found["sterile"] += p
                continue
            p /= 1 - stays
            found["turns"] += p
            for k, hurt in removed(10 * j).items():
                for m, hits in removed(10 * i).items():
                    left, other, q = max(i - k, 0), max(j - m, 0), p * hurt * hits
                    if left and other and (k or m):
                        arrives[left, other] = arrives.get((left, other), F(0)) + q
                    elif left and not other:
                        found["first"] += q
                        found["left"] += 10 * left * q
                    elif other and not left:
                        found["second"] += q
    return found


@pytest.mark.parametrize("men", [(100, 100), (50, 50), (80, 60)])
def test_by_fractions(men: tuple[int, int]) -> None:
    exact = to_the_end(men[0] // 10, men[1] // 10)
    ended = clash(RULES, Unit(men=men[0]), Unit(men=men[1]), morale=False)
    found = ended.first_wins, ended.second_wins, ended.sterile, ended.turns, ended.first_left
    np.testing.assert_allclose(found, [float(value) for value in exact.values()], rtol=EXACT, atol=EXACT)


# Turn by turn and to the end are two ways to the same


READINGS: dict[str, dict[str, object]] = {
    "default": {},
    "carry": {"SS-P35": "carry"},
    "exact": {"SS-P35": "exact"},
    "per attack": {"SS-P36": "per_attack"},
    "one roll": {"SS-P07": "one_roll"},
    "either": {"SS-P47": "either"},
    "both": {"SS-P47": "both"},
    "one by one": {"SS-P39": "one_per_situation"},
    "same turn": {"SS-P44": "same_turn"},
    "no help": {"SS-P48": "none"},
    "half risk": {"SS-P37": "half"},
    "no risk": {"SS-P37": "never"},
    "losses only": {"SS-P38": "losses_only"},
    "basic": {"SS-P40": "2d6", "SS-P41": "bx", "SS-P42": "bx"},
    "odd men": {"units.men_step": 1, "SS-P49": "off"},
}


def is_the_start_of(by_turn: Clash, end: Clash) -> None:
    """What has ended after some turns is part of how it ends; what is missing is what was undecided."""
    assert mass(end) == pytest.approx(1, abs=EXACT)
    assert mass(by_turn) == pytest.approx(1, abs=EXACT)
    assert end.undecided == 0
    assert 0 < by_turn.undecided < 0.02
    more = np.append(end.ends - by_turn.ends, end.sterile - by_turn.sterile)
    assert (more >= -EXACT).all()
    assert more.sum() == pytest.approx(by_turn.undecided, abs=EXACT)
    for left, at_end in (
        (by_turn.first_wins_with, end.first_wins_with),
        (by_turn.second_wins_with, end.second_wins_with),
    ):
        assert (at_end - left >= -EXACT).all()
    assert by_turn.turns < end.turns


@pytest.mark.parametrize("name", READINGS)
@pytest.mark.parametrize("charges", [False, True])
def test_turn_by_turn_and_to_the_end(name: str, charges: bool) -> None:
    rules = RULES.variant(READINGS[name])
    men = (43, 38) if name == "odd men" else (40, 30)
    first = Unit(men=men[0], leader=13, length=2, damage="2d12")
    second = Unit(men=men[1], quality="common", leader=8, damage="2d10")
    end, by_turn = (clash(rules, first, second, charge=charges, turns=turns) for turns in (None, 25))
    is_the_start_of(by_turn, end)


@pytest.mark.parametrize("schedule", ["mean", "alternate"])
def test_attacks_that_change_from_turn_to_turn(schedule: str) -> None:
    rules = RULES.variant({"SS-P04": schedule})
    first, second = Unit(men=60, rate="3/2", leader=10), Unit(men=60, rate="1/3", damage="4d6")
    end, by_turn = (clash(rules, first, second, turns=turns) for turns in (None, 25))
    is_the_start_of(by_turn, end)
    one = clash(rules, Unit(men=300, rate="3/2"), Unit(men=30, rate=0), morale=False, turns=1)
    two = losses(rules, 300, 20, 6, "1d8", 7).repeat(2 if schedule == "alternate" else 3)
    assert one.first_wins == pytest.approx(float(two.at_least(30)), abs=EXACT)


def test_a_charge_is_the_first_turn() -> None:
    first, second = Unit(men=100, length=2), Unit(men=100)
    met = strikes_of_charge(RULES, first, second).levels
    one = clash(RULES, first, second, morale=False, charge=True, turns=1)
    assert one.first_wins == pytest.approx(met[:-1, -1].sum(), abs=EXACT)
    assert one.second_wins == pytest.approx(met[-1, :-1].sum(), abs=EXACT)
    assert (one.turns, clash(RULES, first, second, charge=True, turns=0).undecided) == (1, 1)
    # With morale the second may break before contact; 2d10 exceed its 13 with a chance of 28 %.
    for on, breaks in ((True, F(28, 100)), (False, F(0))):
        rules = RULES.variant({"morale.situations.charged.on": on})
        safe = rules.variant({f"morale.situations.lost_{part}.on": False for part in ("quarter", "half")})
        safe = safe.variant({"morale.situations.lost_three_quarters.on": False, "SS-P33": "none"})
        ended = clash(safe, Unit(men=20), Unit(men=20), charge=True)
        assert ended.ends[0, 1] == pytest.approx(float(breaks), abs=EXACT)
        assert ended.first_wins_with[20] == pytest.approx(float(breaks), abs=EXACT)
        assert ended.sterile == pytest.approx(1 - float(breaks), abs=EXACT)


# What must hold whatever the numbers


@given(
    st.integers(1, 12),
    st.integers(1, 12),
    st.sampled_from(["levy", "common", "elite"]),
    st.integers(0, 18),
    st.sampled_from(["1/2", "1", "3/2"]),
)
@settings(max_examples=25, deadline=None)
def test_mass_and_mirror(first: int, second: int, quality: str, leader: int, rate: str) -> None:
    a = Unit(men=10 * first, quality=quality, leader=leader, rate=rate)
    b = Unit(men=10 * second, quality="chosen", damage="1d10")
    ended, turned = clash(RULES, a, b), clash(RULES, b, a)
    assert mass(ended) == pytest.approx(1, abs=EXACT)
    np.testing.assert_allclose(ended.ends, turned.ends.T, rtol=0, atol=EXACT)
    np.testing.assert_allclose(ended.first_wins_with, turned.second_wins_with, rtol=0, atol=EXACT)
    np.testing.assert_allclose(ended.turns, turned.turns, rtol=1e-9)
    assert ended.first_wins_with.sum() == pytest.approx(ended.first_wins, abs=EXACT)
    assert ended.second_wins_with.sum() == pytest.approx(ended.second_wins, abs=EXACT)


def test_more_of_anything_good_helps() -> None:
    base = Unit(men=100, quality="common", leader=10)
    even = clash(RULES, base, base)
    assert even.first_wins == pytest.approx(even.second_wins, abs=EXACT)
    for change in (
        {"men": 120},
        {"thac0": 18},
        {"hp": 9},
        {"ac": 4},
        {"quality": "elite"},
        {"leader": 16},
        {"rate": 2},
    ):
        better = Unit(**{"men": 100, "quality": "common", "leader": 10, **change})  # type: ignore[arg-type]
        assert clash(RULES, better, base).first_wins > even.first_wins + 0.01, change


def test_one_roll_a_man_decides_for_the_stronger() -> None:
    by_unit, by_man = (
        clash(RULES, Unit(men=300), Unit(men=200), morale=False, rolls=rolls) for rolls in ("unit", "man")
    )
    assert by_man.first_wins > 1 - 1e-6 > by_unit.first_wins


def test_a_sterile_pair_can_still_break() -> None:
    """Sixty giants and twenty cannot hurt each other, but three to one breaks nerves in the end."""
    big, small = Unit(men=60, hp=1000), Unit(men=20, hp=1000)
    assert clash(RULES, big, small, morale=False).sterile == 1
    ended = clash(RULES, big, small)
    # A check a turn with 13 - 4: two tens pass it with 36 of 100.
    assert ended.ends[0, 1] == pytest.approx(1, abs=EXACT)
    assert ended.turns == pytest.approx(1 / 0.64, abs=1e-9)
    assert clash(RULES, big, Unit(men=30, hp=1000)).sterile == 1
    # Nobody ever fails with these numbers: sterile after all, though a check is made every turn.
    assert clash(RULES.variant({"morale.ratings.chosen": 30}), big, small).sterile == 1


def test_rare_events_are_not_lost() -> None:
    """A hit on a natural 20 alone, with the best of many faces: a chance of 1e-8 a turn still comes to the end."""
    one = Unit(men=40, damage="1d100", hp=396, thac0=40, ac=0)
    ended = clash(RULES, one, Unit(men=10, hp=80, rate=0, ac=0), morale=False)
    assert ended.first_wins == pytest.approx(1, abs=EXACT)
    rare = losses(RULES, 40, 40, 0, "1d100", 80).repeat(2).at_least(10)
    assert ended.turns * float(rare) == pytest.approx(1, rel=1e-9)


# Against a sampler that plays the rules and knows no formula


def played(
    rng: np.random.Generator, rules: Rulebook, first: Unit, second: Unit, turns: int
) -> tuple[np.ndarray, np.ndarray]:
    """Play clashes of units of rate 1 that need 14 to hit; return how both end (0, 1, 2) and the men left."""
    units = first, second
    men = np.array([[unit.men] * DRAWS for unit in units])
    leader = np.array([[0 if unit.leader else 2] * DRAWS for unit in units])  # fit, routed, dead or none
    end = np.zeros((2, DRAWS), dtype=int)
    carried = np.zeros((2, DRAWS), dtype=int)

    def dice() -> np.ndarray:
        return rng.integers(1, 11, (2, DRAWS)).sum(axis=0)

    for _ in range(turns):
        fights = (end == 0).all(axis=0)
        before = men.copy()
        for i in (0, 1):
            lost = np.zeros(DRAWS, dtype=int)
            for _ in range(2):
                hits, damage = rng.integers(1, 21, DRAWS) >= 14, rng.integers(1, 9, DRAWS)
                lost += np.where(hits, damage * before[1 - i] // (5 * units[i].hp), 0)
            if rules.reading("SS-P35") == "carry":
                total = carried[i] + lost
                carried[i] = np.where(fights, total % 10, carried[i])
                lost = total
            men[i] = np.where(fights, np.maximum(before[i] - lost // 10 * 10, 0), men[i])
        end = np.where(fights & (men == 0), 2, end)
        for i, unit in enumerate(units):
            alive = fights & (men[i] > 0)
            fell = rng.random(DRAWS) * before[i] < before[i] - men[i]
            dies = alive & (leader[i] < 2) & fell
            situations = np.zeros(DRAWS, dtype=int)
            compelled = np.zeros(DRAWS, dtype=bool)
            for share, points in ((0.25, -2), (0.5, -4), (0.75, -4)):
                edge = unit.men * (1 - share)
                reached = (men[i] <= edge) & (before[i] > edge)
                situations, compelled = situations + points * reached, compelled | reached
            outnumbered = men[1 - i] >= 3 * men[i]
            situations, compelled = situations - 4 * outnumbered - 4 * dies, compelled | outnumbered | dies
            fit = (leader[i] == 0) & ~dies
            his, ours = (
                rules.number(f"morale.charisma.{score}") if score else 0 for score in (unit.leader, unit.commander)
            )
            fails = alive & compelled & fit & (dice() > 15 + ours + situations)
            rating = rules.number(f"morale.ratings.{unit.quality}") + ours
            need = rating + situations + np.where(fit & ~fails, his, 0) - 4 * fails
            routs = alive & compelled & (dice() > need)
            end[i] = np.where(routs, 1, end[i])
            comes_round = (leader[i] == 1) & (dice() <= 15)
            state = np.where(dies, 2, np.where(fails, 1, np.where(comes_round, 0, leader[i])))
            leader[i] = np.where(alive, state, leader[i])
    return end, men


@pytest.mark.parametrize(("remainder", "men"), [("discard", (120, 100)), ("carry", (40, 30))])
def test_sampled_clash(remainder: str, men: tuple[int, int]) -> None:
    rules, rng = RULES.variant({"SS-P35": remainder}), np.random.default_rng(51)
    first = Unit(men=men[0], quality="common", leader=15, commander=14)
    second = Unit(men=men[1], quality="elite", leader=16, hp=6)
    turns = 6
    end, left = played(rng, rules, first, second, turns)
    ended = clash(rules, first, second, turns=turns)
    for i in range(3):
        for j in range(3):
            chance = float(ended.ends[i, j]) if i or j else ended.undecided + ended.sterile
            seen = int(((end[0] == i) & (end[1] == j)).sum())
            assert stats.binomtest(seen, DRAWS, chance).pvalue > P_MIN, (i, j)
    wins = (end[0] == 0) & (end[1] > 0)
    for count in range(10, men[0] + 1, 10):
        seen = int((wins & (left[0] == count)).sum())
        assert stats.binomtest(seen, DRAWS, float(ended.first_wins_with[count])).pvalue > P_MIN, count


# Bad input


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: clash(RULES, Unit(men=205), Unit()), "men: must be a multiple of 10 (SS-P02), not 205"),
        (lambda: clash(RULES, Unit(), Unit(), turns=-1), "turns: must be at least 0, not -1"),
        (lambda: clash(RULES, Unit(), Unit(), rolls="army"), "rolls: unknown kind of roll 'army'"),
        (lambda: clash(CARRY, Unit(men=2000), Unit(men=2000)), "men: a clash of 4,004,001 states is too large"),
    ],
)
def test_bad_input_names_the_argument(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value).startswith(message)
