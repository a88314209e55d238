"""Exact odds of Azincourt: published values as fractions, every question against a sampler, and bad input."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from wargamesim.errors import InputError
from wargamesim.games.azincourt import odds
from wargamesim.rulebook import load_rulebook
from wargamesim.table import Table

EXACT = 1e-12
RULES = load_rulebook("azincourt")
FOOT = ("foot_knight", "infantry", "archer", "crossbow", "cannon")
# Samplers: every comparison of a count with its exact chance is two-sided at this level, at a fixed seed. There are
# fewer than 50, so sound odds would fail one of them with a probability below 0.005 (once: nothing is drawn anew).
P_MIN = 1e-4
DRAWS = 200_000


def same(result: object, exact: object) -> None:
    np.testing.assert_allclose(np.asarray(result, float), np.asarray(exact, float), rtol=0, atol=EXACT)


def column(question: str, name: str, **options: str) -> list[object]:
    return [row[name] for row in odds.answer(RULES, question, options).records()]


# Published values


def test_mud() -> None:
    mud = odds.mud(RULES)
    assert mud.values.tolist() == [0, 1, 2, 3, 4, 5]
    exact = [F(1, 6), F(5, 18), F(2, 9), F(1, 6), F(1, 9), F(1, 18)]
    same(mud.p, exact)
    same(mud.mean(), F(35, 18))
    same(column("mud", "exactly"), exact)
    same(column("mud", "at least"), [sum(exact[i:]) for i in range(6)])


@pytest.mark.parametrize("reading", ["coin", "french", "english", "reroll"])
def test_mud_under_each_reading(reading: str) -> None:
    mud = odds.mud(RULES.variant({"AZ-2.5": reading}))
    if reading == "reroll":
        assert mud.start == 1
        same(mud.p, [F(1, 3), F(4, 15), F(1, 5), F(2, 15), F(1, 15)])
    else:
        same(mud.p, odds.mud(RULES).p)


def test_one_arrow() -> None:
    third = F(1, 3)
    same(odds.arrow(RULES, "knight"), [third, third, third])
    same(odds.arrow(RULES, "knight_mounted_only"), [third, 0, 1 - third])
    for target in FOOT:
        same(odds.arrow(RULES, target), [third, 0, 1 - third])


def test_one_arrow_when_a_six_hits() -> None:
    rules, half = RULES.variant({"AZ-4.5": "six_hits"}), F(1, 2)
    same(odds.arrow(rules, "knight"), [half, F(1, 3), F(1, 6)])
    same(odds.arrow(rules, "knight_mounted_only"), [half, 0, half])
    for target in FOOT:
        same(odds.arrow(rules, target), [half, 0, half])


def test_arrows_at_a_cannon() -> None:
    immune = RULES.variant({"AZ-4.9": "immune"})
    same(odds.arrow(RULES, "cannon", 2), [F(5, 9), 0, F(4, 9)])
    same(odds.arrow(immune, "cannon", [1, 50]), [[0, 0], [0, 0], [1, 1]])
    same(odds.arrow(immune, "archer"), odds.arrow(RULES, "archer"))


ARROWS_AT_KNIGHT = {
    0: (1, 0, 0),
    1: (F(1, 3), F(1, 3), F(1, 3)),
    2: (F(1, 9), F(1, 3), F(5, 9)),
    3: (F(1, 27), F(7, 27), F(19, 27)),
    4: (F(1, 81), F(5, 27), F(65, 81)),
    6: (F(1, 729), F(7, 81), F(665, 729)),
}


def test_arrows_at_one_knight() -> None:
    same(odds.knight(RULES, list(ARROWS_AT_KNIGHT)), np.array(list(ARROWS_AT_KNIGHT.values()), float).T)
    arrows = ",".join(map(str, ARROWS_AT_KNIGHT))
    for i, name in enumerate(("mounted", "on foot", "removed")):
        same(column("knight", name, arrows=arrows), [exact[i] for exact in ARROWS_AT_KNIGHT.values()])


@pytest.mark.parametrize("six", ["literal", "six_hits"])
def test_arrows_by_the_chain_in_fractions(six: str) -> None:
    hits = F(3 if six == "six_hits" else 2, 6)
    mounted, on_foot, removed = F(1), F(0), F(0)
    for arrows in range(40):
        same(odds.knight(RULES.variant({"AZ-4.5": six}), arrows), [mounted, on_foot, removed])
        removed += hits * (mounted + on_foot)
        on_foot = on_foot * (1 - hits) + mounted * F(1, 3)
        mounted *= 1 - hits - F(1, 3)


ON_FOOT = {
    -6: F(0),
    -5: F(0),
    -4: F(1, 34),
    -3: F(1, 11),
    -2: F(3, 16),
    -1: F(10, 31),
    0: F(1, 2),
    1: F(21, 31),
    2: F(13, 16),
    3: F(10, 11),
    4: F(33, 34),
    5: F(1),
    6: F(1),
}


def test_close_combat_on_foot() -> None:
    result = odds.melee_by_value(RULES, np.array(list(ON_FOOT)) + 7, 7)
    same(result.attacker_wins, list(ON_FOOT.values()))
    same(result.defender_wins, [1 - p for p in ON_FOOT.values()])
    assert column("melee", "difference") == list(range(-5, 6))
    same(column("melee", "attacker wins"), [ON_FOOT[d] for d in range(-5, 6)])
    same(column("melee", "defender wins"), [1 - ON_FOOT[d] for d in range(-5, 6)])


# Attackers on foot by value: knight removed, attacker removed by a mounted knight, by the knight now on foot.
ON_KNIGHT = {
    ("archer",): (F(19, 192), F(5, 6), F(13, 192)),
    ("infantry",): (F(113, 558), F(13, 18), F(7, 93)),
    ("foot_knight",): (F(25, 72), F(7, 12), F(5, 72)),
    ("foot_knight", "foot_knight"): (F(163, 198), F(1, 6), F(1, 99)),
    ("foot_knight", "infantry", "archer"): (F(163, 198), F(1, 6), F(1, 99)),
}


@pytest.mark.parametrize("attackers", ON_KNIGHT)
def test_close_combat_with_a_knight(attackers: tuple[str, ...]) -> None:
    exact = ON_KNIGHT[attackers]
    result = odds.melee(RULES, attackers, ["knight"])
    same([result.attacker_wins, result.defender_wins_at_once, result.defender_wins_after_tie], exact)
    attacking, defending = odds.answer(
        RULES, "melee", {"attacker": ",".join(attackers), "defender": "knight"}
    ).records()
    assert (attacking["winner"], defending["winner"]) == ("attacker", "defender")
    same([attacking["in all"], defending["at once"], defending["after tie"]], exact)


ONE_DIE = {d: F(1, 6) if d <= 6 else F(0) for d in range(1, 13)}
TWO_DICE = {d: F(6 - abs(d - 7), 36) if d >= 2 else F(0) for d in range(1, 13)}


def test_cannon() -> None:
    assert [TWO_DICE[d] * 36 for d in range(2, 13)] == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    by_dice, dice, best = odds.cannon(RULES, list(ONE_DIE))
    same(by_dice.T, [list(map(float, ONE_DIE.values())), list(map(float, TWO_DICE.values()))])
    assert dice.tolist() == [1] * 6 + [2] * 6
    same(best, [max(ONE_DIE[d], TWO_DICE[d]) for d in ONE_DIE])
    assert (by_dice[:6, 0] > by_dice[:6, 1]).all()
    same(column("cannon", "1 die"), list(ONE_DIE.values()))
    same(column("cannon", "2 dice"), list(TWO_DICE.values()))
    assert column("cannon", "best dice") == dice.tolist()


def test_cannon_that_hits_with_at_least_the_distance() -> None:
    by_dice, dice, best = odds.cannon(RULES.variant({"AZ-5.2": "hit_if_at_least"}), list(ONE_DIE))
    same(by_dice[:, 0], [sum(ONE_DIE[i] for i in range(d, 13)) for d in ONE_DIE])
    same(by_dice[:, 1], [sum(TWO_DICE[i] for i in range(d, 13)) for d in ONE_DIE])
    assert dice.tolist() == [1] + [2] * 11, "one die is enough next to the muzzle"
    same(best, by_dice.max(axis=1))


@pytest.mark.parametrize("reading", ["sum_is_distance", "hit_if_at_least"])
def test_cannon_beyond_its_range_cannot_fire(reading: str) -> None:
    rules = RULES.variant({"pieces.cannon.range": 5, "AZ-5.2": reading})
    by_dice, dice, best = odds.cannon(rules, [5, 6, 1000])
    assert dice.tolist() == [1 if reading == "sum_is_distance" else 2, 0, 0]
    assert not by_dice[1:].any()
    assert best[0] > 0
    assert [row["best dice"] for row in odds.answer(rules, "cannon", {"distance": "6"}).records()] == [None]


# Every number comes from the rulebook


def test_house_numbers() -> None:
    rules = RULES.variant(
        {
            "mud.die": 4,
            "arrow.die": 10,
            "arrow.foot.removes": [9, 10],
            "arrow.cavalry.removes": [10],
            "arrow.cavalry.unhorses": [1, 2, 3],
            "melee.die": 4,
            "pieces.archer.value": 9,
            "pieces.foot_knight.value": 8,
            "terrain.house.bonus": 2,
            "terrain.castle.bonus": 3,
            "cannon.die": 8,
            "cannon.dice_max": 3,
            "pieces.cannon.range": 24,
        }
    )
    same(odds.mud(rules).p, [F(1, 4), F(3, 8), F(1, 4), F(1, 8)])
    same(odds.arrow(rules, "archer"), [F(1, 5), 0, F(4, 5)])
    same(odds.arrow(rules, "knight"), [F(1, 10), F(3, 10), F(3, 5)])
    same(odds.arrow(rules, "knight_mounted_only"), [F(1, 10), 0, F(9, 10)])
    same(odds.melee_by_value(rules, [3, 4], 0).attacker_wins, [1, 1])
    same(odds.melee(rules, ["archer"], ["foot_knight"]).attacker_wins_at_once, F(10, 16))
    same(odds.melee(rules, ["archer"], ["foot_knight"], "house").attacker_wins_at_once, F(3, 16))
    same(odds.melee(rules, ["archer"], ["foot_knight"], "castle").attacker_wins_at_once, F(1, 16))
    by_dice = odds.cannon(rules, [8, 24]).by_dice
    same(by_dice, [[F(1, 8), F(7, 64), F(21, 512)], [0, 0, F(1, 512)]])


def test_bonus_of_each_piece_in_houses() -> None:
    plain = odds.melee_by_value(RULES, 4, 3 + 2)
    same(odds.melee(RULES, ["knight_mounted_only"], ["archer", "infantry"], "house"), plain)
    same(odds.melee(RULES, ["knight_mounted_only"], ["archer", "infantry"], "castle"), plain)
    same(odds.melee(RULES, ["knight_mounted_only"], ["archer", "infantry"]), odds.melee_by_value(RULES, 4, 3))


def test_a_tie_unhorses_both_parties() -> None:
    result = odds.melee(RULES, ["knight"], ["knight"])
    same(result, [F(15, 36), F(1, 12), F(15, 36), F(1, 12)])
    same(odds.melee(RULES, ["knight"], ["knight_mounted_only"]), odds.melee_by_value(RULES, 4, 4, 3, 4))
    same(odds.melee(RULES, ["knight", "knight", "archer"], ["knight"]), odds.melee_by_value(RULES, 9, 4, 7, 3))


@given(st.integers(-9, 9), st.integers(-9, 9))
@settings(max_examples=50)
def test_melee_by_the_chain_in_fractions(first: int, later: int) -> None:
    def roll(difference: int) -> tuple[F, F, F]:
        pairs = [(a + difference > d) - (a + difference < d) for a in range(1, 7) for d in range(1, 7)]
        return F(pairs.count(1), 36), F(pairs.count(-1), 36), F(pairs.count(0), 36)

    wins, loses, tied = roll(first)
    again_wins, again_loses, again_tied = roll(later)
    ends = tied / (1 - again_tied)
    exact = [wins, ends * again_wins, loses, ends * again_loses]
    same(odds.melee_by_value(RULES, first, 0, later), exact)
    same(odds.melee_by_value(RULES, 0, -first, defence_after_tie=-later), exact)


# Vectorised: a batch is a loop of singles


def test_arguments_broadcast() -> None:
    targets, arrows = np.array(odds.TYPES)[:, None], np.arange(9)
    for part in odds.arrow(RULES, targets, arrows):
        assert part.shape == (7, 9)
    for i, target in enumerate(odds.TYPES):
        for n in range(9):
            single = odds.arrow(RULES, target, n)
            same([part[i, n] for part in odds.arrow(RULES, targets, arrows)], single)
            same(sum(single), 1)
    attack, defence = np.arange(8)[:, None, None], np.arange(8)[:, None]
    batch = odds.melee_by_value(RULES, attack, defence, defence_after_tie=np.arange(4))
    for part in batch:
        assert part.shape == (8, 8, 4)
    same(sum(batch), np.ones((8, 8, 4)))
    for i, j, k in np.ndindex(8, 8, 4):
        same([part[i, j, k] for part in batch], odds.melee_by_value(RULES, i, j, defence_after_tie=k))
    by_dice, dice, best = odds.cannon(RULES, [[1, 5, 9], [7, 12, 13]])
    assert (by_dice.shape, dice.shape, best.shape) == ((2, 3, 2), (2, 3), (2, 3))
    assert odds.knight(RULES, 3).mounted.shape == ()


# Against a sampler that knows the rules and no formula


def agrees(seen: Mapping[str, int], chances: Mapping[str, object]) -> None:
    assert sum(seen.values()) == DRAWS
    for name, chance in chances.items():
        assert stats.binomtest(seen.get(name, 0), DRAWS, float(chance)).pvalue > P_MIN, name  # type: ignore[arg-type]


def tally(outcomes: np.ndarray) -> dict[str, int]:
    names, counts = np.unique(outcomes, return_counts=True)
    return dict(zip(names.tolist(), counts.tolist(), strict=True))


def test_sampled_mud() -> None:
    dice = np.random.default_rng(1).integers(1, 7, (2, DRAWS))
    mud = odds.mud(RULES)
    agrees(tally(abs(dice[0] - dice[1])), dict(zip(mud.values.tolist(), mud.p, strict=True)))


@pytest.mark.parametrize("arrows", [1, 4])
def test_sampled_arrows(arrows: int) -> None:
    state = np.full(DRAWS, "mounted", dtype="U8")
    for faces in np.random.default_rng(2).integers(1, 7, (arrows, DRAWS)):
        falls = (state == "mounted") & np.isin(faces, (2, 3))
        state = np.where((state != "removed") & np.isin(faces, (4, 5)), "removed", np.where(falls, "on_foot", state))
    agrees(tally(state), odds.knight(RULES, arrows)._asdict())
    removed, unhorsed, unharmed = odds.arrow(RULES, "knight", arrows)
    agrees(tally(state), {"removed": removed, "on_foot": unhorsed, "mounted": unharmed})


def test_sampled_melee() -> None:
    """A knight and an archer attack a knight in the open: a fight with both parties unhorsed by a tie."""
    rng = np.random.default_rng(3)
    outcome = np.full(DRAWS, "", dtype="U24")
    totals, when = (4 + 1, 4), "at_once"
    while (open_ := outcome == "").any():
        attack, defence = rng.integers(1, 7, (2, DRAWS)) + np.array(totals)[:, None]
        outcome[open_ & (attack > defence)] = f"attacker_wins_{when}"
        outcome[open_ & (attack < defence)] = f"defender_wins_{when}"
        totals, when = (3 + 1, 3), "after_tie"
    agrees(tally(outcome), odds.melee(RULES, ["knight", "archer"], ["knight"])._asdict())


@pytest.mark.parametrize("reading", ["sum_is_distance", "hit_if_at_least"])
def test_sampled_cannon(reading: str) -> None:
    rules = RULES.variant({"AZ-5.2": reading})
    dice = np.random.default_rng(4).integers(1, 7, (2, DRAWS))
    for distance in (3, 9):
        chances = odds.cannon(rules, distance).by_dice
        for chance, total in zip(chances, (dice[0], dice.sum(axis=0)), strict=True):
            reached = total == distance if reading == "sum_is_distance" else total >= distance
            agrees(tally(np.where(reached, "hit", "miss")), {"hit": chance})


# Tables


def printed_width(table: Table) -> int:
    """Characters of the widest line when columns are two spaces apart and numbers have 4 decimals."""
    cells = [[f"{cell:.4f}" if isinstance(cell, float) else str(cell) for cell in row] for row in table.rows]
    return sum(max(map(len, names)) + 2 for names in zip(table.columns, *cells, strict=True)) - 2


@pytest.mark.parametrize(
    ("question", "options", "rows"),
    [
        ("mud", {}, 6),
        ("arrow", {}, 7),
        ("arrow", {"target": "knight", "arrows": "1:6"}, 6),
        ("arrow", {"target": "knight,archer", "arrows": "0:4:2"}, 6),
        ("knight", {}, 6),
        ("knight", {"arrows": "10,20"}, 2),
        ("melee", {}, 11),
        ("melee", {"attacker": "foot_knight,archer", "defender": "knight"}, 2),
        ("melee", {"attacker": "archer"}, 14),
        ("melee", {"defender": "knight_mounted_only"}, 14),
        ("melee", {"ground": "open"}, 98),
        ("melee", {"ground": "house"}, 70),
        ("melee", {"defender": "archer", "ground": "castle"}, 14),
        ("cannon", {}, 12),
        ("cannon", {"distance": "1:20"}, 20),
    ],
)
def test_tables(question: str, options: dict[str, str], rows: int) -> None:
    assert question in odds.questions
    table = odds.answer(RULES, question, options)
    assert len(table.rows) == rows
    assert table.title
    assert printed_width(table) <= 80
    assert "NaN" not in table.to_json()
    for row in table.rows:
        assert all(type(cell) in (int, float, str, type(None)) for cell in row)


def test_melee_table_names_what_is_lost() -> None:
    for reading, words in (("lead", "its piece of least value"), ("all", "every piece")):
        notes = odds.answer(RULES.variant({"AZ-6.6": reading}), "melee", {"defender": "archer"}).notes
        assert any(f"A beaten group loses {words} (AZ-6.6: {reading})" in note for note in notes)


def test_exact_answers_load_nothing_heavy() -> None:
    code = (
        "import sys; from wargamesim.rulebook import load_rulebook; from wargamesim.games.azincourt import odds\n"
        "for question in odds.questions: odds.answer(load_rulebook('azincourt'), question, {})\n"
        "sys.exit(', '.join({'numba', 'scipy', 'pandas', 'matplotlib', 'pyarrow'} & set(sys.modules)) or 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# Bad input


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: odds.arrow(RULES, "knigth"), "target: unknown piece type 'knigth'; did you mean 'knight'?"),
        (lambda: odds.arrow(RULES, ["archer", "knight"], [1, 2, 3]), "target: shapes do not broadcast"),
        (lambda: odds.arrow(RULES, "archer", -1), "arrows: must be at least 0, not -1"),
        (lambda: odds.knight(RULES, 1.5), "arrows: must be integers, not 1.5"),
        (lambda: odds.melee_by_value(RULES, 1.5, 1), "attack: must be integers, not 1.5"),
        (lambda: odds.melee_by_value(RULES, [1, 2], [1, 2, 3]), "attack: shapes do not broadcast"),
        (lambda: odds.melee(RULES, [], ["archer"]), "attackers: must have at least one piece"),
        (lambda: odds.melee(RULES, ["archer"], ["elephant"]), "defenders: unknown piece type 'elephant'"),
        (lambda: odds.melee(RULES, ["archer"] * 2, ["archer"] * 2), "defenders: one of the two parties of a fight is"),
        (lambda: odds.melee(RULES, ["archer"], ["archer"], "moat"), "ground: unknown ground 'moat'"),
        (
            lambda: odds.melee(RULES, ["archer"], ["knight"], "house"),
            "ground: a mounted piece may not stand in the house",
        ),
        (lambda: odds.cannon(RULES, 0), "distance: must be at least 1, not 0"),
        (lambda: odds.cannon(RULES, 2.5), "distance: must be integers, not 2.5"),
        (lambda: odds.answer(RULES, "mudd", {}), "unknown question 'mudd'; did you mean 'mud'? Known: arrow, cannon"),
        (lambda: odds.answer(RULES, "mud", {"die": "6"}), "this question has no option 'die'"),
        (lambda: odds.answer(RULES, "arrow", {"tagret": "x"}), "unknown option 'tagret'; did you mean 'target'?"),
        (lambda: odds.answer(RULES, "arrow", {"target": "bowman"}), "--target: unknown piece type 'bowman'"),
        (lambda: odds.answer(RULES, "arrow", {"arrows": "-1"}), "--arrows: must be from 0 to 1000, not -1"),
        (lambda: odds.answer(RULES, "melee", {"attacker": ""}), "--attacker: unknown piece type ''"),
        (lambda: odds.answer(RULES, "melee", {"ground": "moat"}), "ground: unknown ground 'moat'"),
        (lambda: odds.answer(RULES, "cannon", {"distance": "0:5"}), "--distance: must be from 1 to 1000, not 0"),
        (
            lambda: odds.arrow(RULES.variant({"arrow.foot.removes": [7]}), "archer"),
            "arrow.foot.removes: face 7 is not on",
        ),
    ],
)
def test_bad_input_names_the_argument(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value).startswith(message)
