"""A duel: exact cases, the chain against one by states in fractions, a sampler of each rulebook, and the question."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction as F
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from wargamesim.errors import InputError
from wargamesim.games.skirmish import odds
from wargamesim.games.skirmish.duel import Duel, Figure, duel, duel_by_turn
from wargamesim.rulebook import load_rulebook

NA, RI = load_rulebook("nordamerica"), load_rulebook("risorgimento")
P_MIN, DRAWS = 1e-4, 50_000


def same(result: object, exact: object, off: float = 1e-12) -> None:
    np.testing.assert_allclose(np.asarray(result, float), np.asarray(exact, float), rtol=0, atol=off)


def test_who_always_hits_and_kills_wins_when_first() -> None:
    # A natural 1 misses no more, and every hit kills.
    sure = RI.variant({"fire.natural_misses": [], "result.kill_at_most": 6})
    a_first = duel(sure, Figure("pistol"), Figure("pistol"), 5, first="a")
    same(a_first, [0, 0, 1, 0, 0, 1])
    same(duel(sure, Figure("pistol"), Figure("pistol"), 5, first="b"), [1, 0, 0, 0, 0, 1])
    same(duel(sure, Figure("pistol"), Figure("pistol"), 5), [F(1, 2), 0, F(1, 2), 0, 0, 1])


def test_one_who_cannot_reach_loses_in_the_end() -> None:
    calm = RI.variant({"RI-8.2a": "none"})
    fight = duel(calm, Figure("rifled_musket"), Figure("pistol"), 40)
    same(fight[:5], [0, 0, 1, 0, 0])
    # Without morale's routs a's shots alone count: 3/4 hit; out by a kill with 1/2 of the hits, or by two wounds.
    # The first shot is at once, later ones three reloads and an action apart.
    out_first, out_second = F(3, 4) * F(1, 2), F(3, 4) * F(5, 6)
    hurt = F(3, 4) * F(1, 3)
    # Shots until out from unhurt: 1 / (1 - miss) and so on.
    from_hurt = 1 / out_second
    from_unhurt = (1 + hurt * from_hurt) / (out_first + hurt)
    same(fight.turns, 1 + 4 * (from_unhurt - 1))


def test_two_who_cannot_reach_never_end() -> None:
    fight = duel(NA, Figure("pistol"), Figure("tomahawk"), [5, 25])
    same([part[1] for part in fight[:5]], [0, 0, 0, 0, 1])
    assert fight.turns[1] == inf
    assert np.isfinite(fight.turns[0]), "at 5 cm the pistol decides it"


def test_tomahawks_are_thrown_once() -> None:
    """Without morale: each throws once; else it goes on for ever."""
    calm = NA.variant({"NA-8.2a": "none"})
    fight = duel(calm, Figure("tomahawk"), Figure("tomahawk"), 5, first="a")
    # a throws: b is killed with 2/3 x 1/3. Else b throws as soon as it is steady; one throw cannot wound twice.
    same(fight.b_shot, F(2, 9))
    same(fight.b_routs, 0)
    assert 0 < float(fight.undecided) < 1
    assert fight.turns == inf
    unlimited = duel(calm.variant({"NA-4.23": "unlimited"}), Figure("tomahawk"), Figure("tomahawk"), 5, first="a")
    same(unlimited.undecided, 0)
    same(sum(unlimited[:4]), 1)


def by_states(chances: dict[tuple[str, bool, bool, str], F], plus: int, turns: int, snaps: bool) -> Duel:
    """A duel of two regulars with muskets, turn by turn in fractions, a first; nothing but dicts and the rules' words.

    `chances` are those of a hit by shooter, its wound, the target's wound and kind of shot.
    """
    now: dict[object, F] = {((0, False, 0), (0, False, 0)): F(1)}

    def fire(me: tuple, foe: tuple, who: str, kind: str, mass: F) -> list[tuple[object, object, F]]:
        q = chances[who, me[0] > 0, foe[0] > 0, kind]
        # A misfire, too, leaves a red marker, so it is as good as a miss.
        spent = (me[0], me[1], 3)
        found = [(spent, foe, mass * (1 - q))]
        found += [(spent, "shot", mass * q * F(1, 3)), (spent, (foe[0], True, foe[2]), mass * q * F(1, 6))]
        wounded = "shot" if foe[0] == 1 else (1, True, foe[2])
        return [*found, (spent, wounded, mass * q * F(1, 2))]

    def act(me: tuple, foe: tuple, who: str, mass: F) -> list[tuple[object, object, F]]:
        wounds, blue, load = me
        if blue:
            total = plus - wounds
            steady = F(min(max(6 + total - 3, 0), 6), 6)
            rout = F(min(max(-total, 0), 6), 6)
            calm = act((wounds, False, load), foe, who, mass * steady)
            return [("routs", foe, mass * rout), (me, foe, mass * (1 - steady - rout)), *calm]
        if load == 0:
            return fire(me, foe, who, "aimed", mass)
        if load == 1 and snaps:
            return [((wounds, False, 0), foe, mass / 2), *fire((wounds, False, 0), foe, who, "snap", mass / 2)]
        return [((wounds, False, load - 1), foe, mass)]

    ends = dict.fromkeys(("a_shot", "a_routs", "b_shot", "b_routs"), F(0))
    for _ in range(turns):
        for who in ("a", "b"):
            after: dict[object, F] = defaultdict(F)
            other = "b" if who == "a" else "a"
            for (a, b), mass in now.items():
                me, foe = (a, b) if who == "a" else (b, a)
                for mine, his, share in act(me, foe, who, mass):
                    if mine == "routs":
                        ends[f"{who}_routs"] += share
                    elif his == "shot":
                        ends[f"{other}_shot"] += share
                    elif share:
                        after[(mine, his) if who == "a" else (his, mine)] += share
            now = after
    return Duel(*ends.values(), sum(now.values()), turns)  # type: ignore[arg-type]


@pytest.mark.parametrize("snaps", [False, True])
def test_the_chain_by_states_in_fractions(snaps: bool) -> None:
    """Regulars with muskets at 20 cm, b behind a hedge, a leader near both."""
    result = NA.variant({"result.soft_cover": 0})
    chances = {}
    for who, cover in (("a", 1), ("b", 0)):
        for hurt in (False, True):
            for target_hurt in (False, True):
                for kind in ("aimed", "snap"):
                    # Cover -1 for shots at b; a wounded man in the open lies, -1.
                    plus = -cover - hurt - (target_hurt and not cover) - 2 * (kind == "snap")
                    chances[who, hurt, target_hurt, kind] = F(5, 6) * F(max(10 - max(5 - plus, 2) + 1, 0), 10)
    snap = "always" if snaps else "never"
    a, b = Figure("musket", snap=snap, when=("leader",)), Figure("musket", cover="soft", snap=snap, when=("leader",))
    for turns in (0, 1, 4, 6):
        exact = by_states(chances, 1, turns, snaps)
        found = duel_by_turn(result, a, b, 20, turns, first="a")
        same([part[-1] for part in found], exact)
        same(sum(part[-1] for part in found[:5]), 1)


def test_many_turns_end_where_the_end_is() -> None:
    for book, a, b, far in (
        (NA, Figure("rifle", "veteran", snap="always"), Figure("musket", "irregular"), 30),
        (RI, Figure("rifled_musket", loading="breech"), Figure("smoothbore_musket", "veteran", cover="hard"), 35),
    ):
        end, by_turn = duel(book, a, b, far), duel_by_turn(book, a, b, far, 600)
        same([part[-1] for part in by_turn[:5]], end[:5])
        # The mean number of turns is the sum of the chances that it goes on.
        same(by_turn.undecided.sum(), end.turns, 1e-9)
        assert (np.diff(by_turn.undecided) <= 1e-15).all()


@given(st.integers(0, 60), st.integers(-3, 3), st.sampled_from(["either", "a", "b"]))
@settings(max_examples=15, deadline=None)
def test_mass_and_change_of_sides(far: int, plus: int, first: str) -> None:
    a, b = Figure("rifle", "veteran", modifier=plus), Figure("pistol", cover="soft", snap="always")
    found = duel(NA, a, b, far, first=first)
    same(sum(found[:5]), 1)
    other = duel(NA, b, a, far, first={"a": "b", "b": "a"}.get(first, first))
    same([found.a_shot, found.a_routs, found.b_shot, found.b_routs], [other[2], other[3], other[0], other[1]])
    better = duel(NA, Figure("rifle", "veteran", modifier=plus + 1), b, far, first=first)
    assert better.a_shot + better.a_routs <= found.a_shot + found.a_routs + 1e-12


def test_a_batch_is_a_loop_of_singles() -> None:
    a, b = Figure("rifled_musket"), Figure("rifled_carbine", snap="always")
    batch = duel(RI, a, b, [[10, 45], [75, 110]])
    for i, far in enumerate((10, 45, 75, 110)):
        same([part.flat[i] for part in batch], duel(RI, a, b, far))
    assert duel_by_turn(RI, a, b, [10, 45], 7).a_shot.shape == (2, 8)


def test_more_wounds_and_slower_rifles_take_longer() -> None:
    a, b = Figure("rifle"), Figure("musket")
    plain = duel(NA, a, b, 30)
    tough = duel(NA.variant({"result.wounds_out": 3}), a, b, 30)
    same(sum(tough[:5]), 1)
    assert tough.turns > plain.turns
    slow = duel(NA.variant({"NA-5.9a": "slow_rifles"}), a, b, 30)
    assert slow.b_shot < plain.b_shot


def test_sampled_duels() -> None:
    """A veteran with a breech-loading rifled musket, who always snaps, and a militiaman with a carbine, at 45 cm."""
    rng = np.random.default_rng(13)
    wounds, blue, load = (np.zeros((2, DRAWS), dtype=int) for _ in range(3))
    end = np.full(DRAWS, "", dtype="U8")

    def die(sides: int = 6) -> np.ndarray:
        return rng.integers(1, sides + 1, DRAWS)

    def act(who: int, sides: int, grade: int, marker: int, snap: int, now: np.ndarray) -> None:
        """Activate a figure in the duels `now`; it needs 5 to hit, and `snap` for a snap shot."""
        total, tests = die() + grade - wounds[who], now & (blue[who] == 1)
        end[tests & (total <= 0)] = "ab"[who] + " routs"
        blue[who, tests & (total >= 4)] = 0
        acts = now & (end == "") & (blue[who] == 0)
        ready, reloads = acts & (load[who] == 0), acts & (load[who] > 0)
        load[who, reloads] -= 1
        snaps = reloads & (load[who] == 0) & (die() >= snap)
        face, result = die(sides), die()
        hit = (ready | snaps) & (face > 1) & (face - wounds[who] - np.where(snaps, 2, 0) >= 5)
        load[who, ready | snaps] = marker
        hurt = hit & (result >= 4) & (result <= 5)
        wounds[1 - who, hurt] += 1
        blue[1 - who, hit] = 1
        end[hit & ((result <= 3) | (wounds[1 - who] >= 2))] = "ba"[who] + " shot"

    while (open_ := end == "").any():
        b_first = open_ & (rng.random(DRAWS) < 0.5)
        act(1, 8, -1, 3, 99, b_first)
        act(0, 12, 1, 1, 3, end == "")
        act(1, 8, -1, 3, 99, (end == "") & ~b_first)
    a, b = Figure("rifled_musket", "veteran", "breech", snap="always"), Figure("rifled_carbine", "militia")
    for name, part in zip(("a shot", "a routs", "b shot", "b routs"), duel(RI, a, b, 45), strict=False):
        assert stats.binomtest(int((end == name).sum()), DRAWS, float(part)).pvalue > P_MIN, name


def test_a_house_rule_that_wounded_men_fall() -> None:
    """Where no modifier for a man who lies is known, it changes nothing."""
    fallen = RI.variant({"result.wounded_falls": True})
    a, b = Figure("rifled_musket"), Figure("pistol")
    same(duel(fallen, a, b, 20), duel(RI, a, b, 20))
    up = NA.variant({"result.wounded_falls": False})
    assert duel(up, Figure("rifle"), Figure("musket"), 20).turns < duel(NA, Figure("rifle"), Figure("musket"), 20).turns


def test_the_question() -> None:
    table = odds.answer(
        NA, "duel", {"distance": "20,60", "a_weapon": "musket", "b_quality": "veteran", "b_snap": "always"}
    )
    found = duel(NA, Figure("musket"), Figure("musket", "veteran", snap="always"), [20, 60])
    for i, row in enumerate(table.rows):
        same(row[1:6], [part[i] for part in found[:5]])
    assert table.rows[1][6] == inf
    assert "Infinity" not in table.to_json()
    by_turn = odds.answer(NA, "duel", {"turns": "0,3", "distance": "10", "first": "b"})
    exact = duel_by_turn(NA, Figure("rifle"), Figure("musket"), 10, 3, first="b")
    same(by_turn.rows[1][1:], [part[3] for part in exact[:5]])
    assert by_turn.rows[0][-1] == 1
    options = {"a_when": "leader", "b_when": "alone", "a_cover": "hard", "b_modifier": "-1", "distance": "10"}
    wanted = duel(
        *(NA, Figure("rifle", cover="hard", when=("leader",)), Figure("musket", when=("alone",), modifier=-1), 10)
    )
    same(odds.answer(NA, "duel", options).rows[0][1:], wanted)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: duel(NA, Figure("bow"), Figure("rifle"), 10), "weapon: unknown weapon 'bow'"),
        (lambda: duel(NA, Figure("rifle", cover="wall"), Figure("rifle"), 10), "cover: unknown cover 'wall'"),
        (
            lambda: duel(NA, Figure("rifle", snap="often"), Figure("rifle"), 10),
            "snap: unknown use of snap shots 'often'",
        ),
        (lambda: duel(NA, Figure("rifle", when=("drunk",)), Figure("rifle"), 10), "when: unknown circumstance 'drunk'"),
        (lambda: duel(NA, Figure("rifle"), Figure("rifle"), -1), "distance: must be at least 0 cm"),
        (lambda: duel(NA, Figure("rifle"), Figure("rifle"), 1, first="c"), "first: unknown first figure 'c'"),
        (lambda: duel_by_turn(NA, Figure("rifle"), Figure("rifle"), 1, -1), "turns: must be at least 0, not -1"),
        (lambda: odds.answer(NA, "duel", {"a_weapon": "bow"}), "--a_weapon: unknown weapon 'bow'"),
        (
            lambda: odds.answer(NA, "duel", {"turns": "5", "distance": "1,2"}),
            "--distance: takes one number, not several",
        ),
        (lambda: odds.answer(NA, "duel", {"c_weapon": "bow"}), "unknown option 'c_weapon'"),
    ],
)
def test_bad_input_names_the_argument(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value).startswith(message)
