"""One assault: published values, a twin in fractions, every reading, a sampler."""

from __future__ import annotations

from fractions import Fraction as F
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from wargamesim.errors import InputError
from wargamesim.games.coloniale.assault import ATTACKER, BOTH_GONE, DEFENDER, DRAW, Unit, assault
from wargamesim.games.coloniale.rules import preset
from wargamesim.rulebook import Rulebook, load_rulebook

EXACT = 1e-12
SIX_PLACES = 0.5e-6 + EXACT
BODY = load_rulebook("coloniale")
SUMMARY, STRICT = preset(BODY, "summary"), preset(BODY, "summary_strict")
BOOKS = {"body": BODY, "summary": SUMMARY, "summary_strict": STRICT}
EQUAL = Unit(6, 6)
# Two-sided at a fixed seed; fewer than 100 comparisons, so sound odds would fail one with a probability below 0.01
# (once: nothing is drawn anew).
P_MIN = 1e-4
DRAWS = 100_000


def same(result: object, exact: object, tolerance: float = EXACT) -> None:
    np.testing.assert_allclose(np.asarray(result, float), np.asarray(exact, float), rtol=0, atol=tolerance)


def numbers(text: str) -> list[float]:
    return list(map(float, text.split()))


# Published values

ATTACKERS = Unit(np.array([[8], [6], [5], [4]]), np.array([[4], [6], [8], [7]]))
DEFENDERS = Unit([8, 6, 5, 4, 3], [4, 6, 8, 7, 5])
WINS = {
    "body": """
        0.432471 0.226797 0.079292 0.174077 0.447974
        0.656894 0.430123 0.204408 0.339932 0.647840
        0.851778 0.681736 0.428779 0.595400 0.849296
        0.729600 0.523357 0.274203 0.427305 0.730196""",
    "summary": """
        0.432666 0.197049 0.059702 0.163192 0.467764
        0.694700 0.432666 0.198612 0.358657 0.690359
        0.883915 0.693659 0.432961 0.617707 0.873800
        0.751410 0.513788 0.261850 0.431912 0.750749""",
}


@pytest.mark.parametrize("name", WINS)
def test_usual_units_against_each_other(name: str) -> None:
    same(assault(BOOKS[name], ATTACKERS, DEFENDERS).attacker.wins, np.reshape(numbers(WINS[name]), (4, 5)), SIX_PLACES)


def test_equal_battalions() -> None:
    """CO-10.1."""
    end = assault(BODY, EQUAL, EQUAL)
    same(end.attacker.wins, F(11235402485, 26121388032))
    same(end.defender.wins, F(14885985535, 26121388032))
    np.testing.assert_allclose(end.both_gone, 1 / 2176782336, rtol=1e-12)
    assert end.draw == 0
    same(assault(SUMMARY, EQUAL, EQUAL).attacker.wins, F(919745, 2125764))
    same(assault(STRICT, EQUAL, EQUAL).attacker.wins, F(806, 2187))
    no_die = BODY.variant({"assault.value_die": 1})
    same(assault(no_die, EQUAL, EQUAL).attacker.wins, F(123899755, 362797056))


# CO-10.2: attacker, defender, no winner.
TIES = {
    ("body", "attacker"): (0.569877, 0.430123, 0),
    ("body", "draw"): (0.430123, 0.430123, 0.139755),
    ("body", "reroll"): (0.5, 0.5, 0),
    ("summary", "attacker"): (0.567334, 0.432666, 0),
    ("summary", "draw"): (0.432666, 0.432666, 0.134669),
    ("summary", "reroll"): (0.5, 0.5, 0),
}


@pytest.mark.parametrize(("name", "tie"), TIES)
def test_ties(name: str, tie: str) -> None:
    end = assault(BOOKS[name].variant({"CO-P16": tie}), EQUAL, EQUAL)
    same([end.attacker.wins, end.defender.wins, end.both_gone + end.draw], TIES[name, tie], SIX_PLACES)


# CO-10.3: by the defender's advantage, -6 to 6.
BY_ADVANTAGE = {
    "body": (
        "0.981686 0.949943 0.893628 0.810392 0.700827 0.569877 0.430123 0.299173 "
        "0.189608 0.106372 0.050057 0.018314 0.004862"
    ),
    "summary": (
        "0.976568 0.943029 0.886066 0.802951 0.694700 0.567334 0.432666 0.305300 "
        "0.197049 0.113934 0.056971 0.023432 0.007433"
    ),
}


@pytest.mark.parametrize("name", BY_ADVANTAGE)
def test_advantage_of_the_defender(name: str) -> None:
    exact = numbers(BY_ADVANTAGE[name])
    by_discipline = assault(BOOKS[name], Unit(6, 10), Unit(6, np.arange(4, 17)))
    same(by_discipline.attacker.wins, exact, SIX_PLACES)
    by_markers = assault(BOOKS[name], Unit(6, 6, range(7)), EQUAL)
    same(by_markers.attacker.wins, exact[6:], SIX_PLACES)
    same(assault(BOOKS[name], EQUAL, Unit(6, 6, range(7))).attacker.wins, exact[6::-1], SIX_PLACES)
    same(assault(BOOKS[name], EQUAL, EQUAL, advantage=[False, True]).attacker.wins, exact[6:8], SIX_PLACES)
    fort = assault(BOOKS[name], EQUAL, EQUAL, "fort", advantage=[False, True])
    same(fort.attacker.wins, exact[10:12], SIX_PLACES)
    alone = assault(BOOKS[name].variant({"CO-P21": "fort_only"}), EQUAL, EQUAL, "fort", advantage=[False, True])
    same(alone.attacker.wins, [exact[10], exact[10]], SIX_PLACES)
    same(assault(BOOKS[name], EQUAL, EQUAL, "cover").attacker.wins, exact[6], SIX_PLACES)


# CO-10.4: attackers 1 to 8 against 6, and 6 against defenders 1 to 8.
BY_FIGURES = {
    "body": (
        "0.148844 0.288436 0.352160 0.382495 0.406630 0.430123 0.453420 0.476479",
        "0.796891 0.599931 0.511969 0.476643 0.452568 0.430123 0.408295 0.387061",
    ),
    "summary": (
        "0.062186 0.192044 0.309641 0.382293 0.432348 0.432666 0.432666 0.432666",
        "0.917086 0.738658 0.577571 0.486212 0.433288 0.432666 0.432666 0.432666",
    ),
}


@pytest.mark.parametrize("name", BY_FIGURES)
def test_figures(name: str) -> None:
    attacking, defending = BY_FIGURES[name]
    figures = np.arange(1, 9)
    same(assault(BOOKS[name], Unit(figures, 6), EQUAL).attacker.wins, numbers(attacking), SIX_PLACES)
    same(assault(BOOKS[name], EQUAL, Unit(figures, 6)).attacker.wins, numbers(defending), SIX_PLACES)


def test_one_figure_against_one() -> None:
    """CO-10.5."""
    end = assault(BODY, Unit(1, 6), Unit(1, 6))
    same([end.attacker.wins, end.defender.wins, end.both_gone], [F(185, 432), F(235, 432), F(1, 36)])
    same(end.dice[ATTACKER], [[F(125, 432), F(5, 36)], [0, 0]])
    same(end.dice[DEFENDER], [[F(175, 432), 0], [F(5, 36), 0]])
    same(end.dice[BOTH_GONE], [[0, 0], [0, F(1, 36)]])
    summary = assault(SUMMARY, Unit(1, 6), Unit(1, 6))
    same([summary.attacker.wins, summary.defender.wins, summary.both_gone], [F(11, 27), F(13, 27), F(1, 9)])


# CO-10.6: losses dealt by n figures; those of the summary are CO-9.4.
DEALT = {
    ("body", 1): "5 1",
    ("body", 3): "125 75 15 1",
    ("body", 4): "625 500 150 20 1",
    ("body", 6): "15625 18750 9375 2500 375 30 1",
    ("body", 8): "390625 625000 437500 175000 43750 7000 700 40 1",
    ("summary", 1): "2 1",
    ("summary", 3): "8 12 6 1",
    ("summary", 4): "16 32 24 8 1",
    ("summary", 6): "32 80 80 40 10 1",
    ("summary", 8): "32 80 80 40 10 1",
}


@pytest.mark.parametrize(("name", "figures"), DEALT)
def test_losses_dealt(name: str, figures: int) -> None:
    ways = [F(int(way)) for way in DEALT[name, figures].split()]
    exact = [way / sum(ways) for way in ways] + [F(0)] * (21 - len(ways))
    dice = assault(BOOKS[name], Unit(figures, 6), Unit(20, 6)).dice
    same(dice.sum(axis=(0, 1)), exact)
    dice = assault(BOOKS[name], Unit(20, 6), Unit(figures, 6)).dice
    same(dice.sum(axis=(0, 2)), exact)


# CO-10.7: losses in all, 0 to 6, and their mean.
LOSSES = {
    ("body", "attacker"): ("0.191481 0.313692 0.289632 0.152458 0.044798 0.007300 0.000639", 1.569856),
    ("body", "defender"): ("0.237995 0.326681 0.257238 0.131276 0.039541 0.006666 0.000603", 1.430101),
    ("summary", "attacker"): ("0.087385 0.216400 0.282139 0.245822 0.129210 0.035246 0.003798", 2.234001),
    ("summary", "defender"): ("0.103236 0.246914 0.282854 0.219629 0.112505 0.031369 0.003493", 2.099332),
}


@pytest.mark.parametrize(("name", "side"), LOSSES)
def test_losses_in_all(name: str, side: str) -> None:
    losses = getattr(assault(BOOKS[name], EQUAL, EQUAL), side).losses
    chances, mean = LOSSES[name, side]
    same(losses.p, numbers(chances), SIX_PLACES)
    same(losses.mean(), mean, SIX_PLACES)


def test_forts() -> None:
    """CO-10.8."""
    weak, strong = (Unit(8, 8), Unit(4, 5, 2)), (Unit(5, 8), Unit(6, 5, 3))
    same([assault(book, *weak, "fort").attacker.wins for book in (BODY, SUMMARY)], [0.660303, 0.617707], SIX_PLACES)
    same([assault(book, *strong, "fort").attacker.wins for book in (BODY, SUMMARY)], [0.681736, 0.693659], SIX_PLACES)
    end = assault(BODY, *weak, "fort")
    same(end.left[ATTACKER, :, 1:], np.zeros((9, 4)))
    same(end.defender.gone, assault(BODY, *weak, "fort").attacker.wins)


# A twin in fractions: the rules word for word, for a pair of numbers at a time


def twin(
    attackers: int, defenders: int, lead: int, tie: str, hit: F, most: int, sides: int, values_decide: bool
) -> dict[tuple[int, int, int], F]:
    """Probability by winner and by the losses of attacker and defender that the dice cost."""

    def losses(dice: int, figures: int) -> list[F]:
        out = [F(0)] * (figures + 1)
        dice = min(dice, most)
        for k in range(dice + 1):
            out[min(k, figures)] += comb(dice, k) * hit**k * (1 - hit) ** (dice - k)
        return out

    def winner(difference: int) -> dict[int, F]:
        out = {ATTACKER: F(0), DEFENDER: F(0), DRAW: F(0)}
        on_tie = {"attacker": ATTACKER, "defender": DEFENDER, "draw": DRAW, "reroll": DRAW}[tie]
        for a in range(1, sides + 1):
            for d in range(1, sides + 1):
                value = difference + a - d
                out[ATTACKER if value > 0 else DEFENDER if value < 0 else on_tie] += F(1, sides * sides)
        if tie == "reroll" and out[DRAW] < 1:
            decided = 1 - out[DRAW]
            return {ATTACKER: out[ATTACKER] / decided, DEFENDER: out[DEFENDER] / decided, DRAW: F(0)}
        return out

    result: dict[tuple[int, int, int], F] = {}
    for i, p in enumerate(losses(defenders, attackers)):
        for j, q in enumerate(losses(attackers, defenders)):
            if not values_decide and (i == attackers or j == defenders):
                ends = {ATTACKER if i < attackers else DEFENDER if j < defenders else BOTH_GONE: F(1)}
            else:
                ends = winner(lead - i + j)
            for who, chance in ends.items():
                result[who, i, j] = p * q * chance
    return result


@given(
    st.integers(1, 4),
    st.integers(1, 4),
    st.integers(-9, 9),
    st.sampled_from(["defender", "attacker", "draw", "reroll"]),
    st.sampled_from(["before_values", "values_decide"]),
    st.integers(4, 7),
    st.sampled_from([1, 3, 6]),
    st.sampled_from([2, 99]),
)
@settings(max_examples=60, deadline=None)
def test_assault_by_its_twin(
    attackers: int, defenders: int, lead: int, tie: str, annihilation: str, need: int, sides: int, most: int
) -> None:
    rules = BODY.variant(
        {
            **{"CO-P16": tie, "CO-P15": annihilation},
            **{"assault.need": need, "assault.value_die": sides, "assault.most_dice": most},
        }
    )
    end = assault(rules, Unit(attackers, 10 + lead), Unit(defenders, 10))
    decide = annihilation == "values_decide"
    exact = twin(attackers, defenders, lead, tie, F(7 - need, 6), most, sides, decide)
    dice = np.zeros((4, attackers + 1, defenders + 1))
    left = np.zeros_like(dice)
    for (winner, i, j), chance in exact.items():
        dice[winner, i, j] = float(chance)
        a, d = attackers - i - (winner == DEFENDER), defenders - j - (winner == ATTACKER)
        left[winner, max(a, 0), max(d, 0)] += float(chance)
    same(end.dice, dice)
    same(end.left, left)
    ends = end.left.sum(axis=(1, 2))
    same([end.attacker.wins, end.defender.wins, end.both_gone, end.draw], ends)
    same([end.attacker.gone, end.defender.gone], [end.left[:, 0].sum(), end.left[:, :, 0].sum()])
    same(ends.sum(), 1)


# Markers and tests of discipline


def test_markers_after_an_assault() -> None:
    end = assault(BODY, EQUAL, EQUAL)
    same(end.attacker.markers.p, [end.both_gone, end.attacker.wins, 0, end.defender.wins])
    same(end.defender.markers.p, [end.both_gone, end.defender.wins, 0, end.attacker.wins])
    drawn = assault(BODY.variant({"CO-P16": "draw"}), EQUAL, EQUAL)
    same(drawn.attacker.markers.p, [drawn.both_gone, drawn.attacker.wins + drawn.draw, 0, drawn.defender.wins])
    house = BODY.variant({"assault.winner_markers": 0, "assault.loser_markers": 5})
    same(assault(house, EQUAL, EQUAL).attacker.markers.equal_to(5), end.defender.wins)


@pytest.mark.parametrize(("reading", "rises", "falls"), [("both", 1, 1), ("loser_only", 0, 1), ("none", 0, 0)])
def test_change_of_discipline(reading: str, rises: int, falls: int) -> None:
    end = assault(BODY.variant({"CO-P17": reading}), EQUAL, Unit(2, 6))
    for side, mine, other, axis in ((end.attacker, ATTACKER, DEFENDER, 1), (end.defender, DEFENDER, ATTACKER, 2)):
        survivors = np.delete(end.left, 0, axis=axis)
        up, down = rises * survivors[mine].sum() / 3, falls * survivors[other].sum() / 3
        same(side.change.p, [down, 1 - up - down, up])
    assert end.defender.gone > 0.2, "who is gone tests nothing"


def test_discipline_stays_within_its_bounds() -> None:
    ends = assault(BODY, Unit(6, [3, 10]), EQUAL).attacker.change
    same(ends.less_than(0)[0], 0)
    same(ends.more_than(0)[1], 0)
    assert ends.more_than(0)[0] > 0 < ends.less_than(0)[1]
    free = BODY.variant({"CO-P02": "generation_only"})
    ends = assault(free, Unit(6, [1, 3, 10]), EQUAL).attacker.change
    assert (ends.less_than(0) > 0).tolist() == [False, True, True]
    assert ends.more_than(0)[2] > 0
    beyond = assault(BODY, Unit(6, [1, 14]), EQUAL).attacker.change
    assert beyond.less_than(0)[0] == 0 == beyond.more_than(0)[1], "nothing is drawn back into the range"
    house = BODY.variant({"assault.test.winner_gain": 3, "assault.test.loser_drop": 2, "assault.test.winner_need": 1})
    change = assault(house, Unit(6, 9), EQUAL).attacker.change
    assert change.values.tolist() == [-2, -1, 0, 1, 2, 3]
    same(change.equal_to(1), assault(BODY, Unit(6, 9), EQUAL).left[ATTACKER, 1:].sum())


# Properties


@given(st.integers(1, 6), st.integers(1, 6), st.integers(3, 10), st.integers(3, 10), st.integers(0, 4), st.booleans())
@settings(max_examples=40, deadline=None)
def test_discipline_helps_and_markers_hurt(
    attackers: int, defenders: int, mine: int, theirs: int, markers: int, summary: bool
) -> None:
    book = SUMMARY if summary else BODY
    wins = assault(
        book, Unit(attackers, [mine, mine + 1, mine], [markers, markers, markers + 1]), Unit(defenders, theirs)
    )
    plain, better, worse = wins.attacker.wins
    assert worse - EXACT <= plain <= better + EXACT


@given(st.integers(1, 6), st.integers(1, 6), st.integers(3, 10), st.integers(3, 10))
@settings(max_examples=30, deadline=None)
def test_sides_change_places_where_ties_favour_nobody(mine: int, theirs: int, my: int, their: int) -> None:
    for tie in ("draw", "reroll"):
        book = BODY.variant({"CO-P16": tie})
        there = assault(book, Unit(mine, my), Unit(theirs, their))
        back = assault(book, Unit(theirs, their), Unit(mine, my))
        same(there.left, np.swapaxes(back.left[[1, 0, 2, 3]], 1, 2))


def test_a_batch_is_a_loop_of_singles() -> None:
    one = Unit(np.array([2, 5])[:, None, None], [[4], [9]], 1)
    other, grounds = Unit(3, 7, np.arange(3)), np.array(["open", "cover", "fort"])
    batch = assault(BODY, one, other, grounds, advantage=[True, False, True])
    assert batch.attacker.wins.shape == batch.attacker.losses.batch == (2, 2, 3)
    for i, j, k in np.ndindex(2, 2, 3):
        mine = (2, 5)[i]
        single = assault(
            BODY, Unit(mine, (4, 9)[j], 1), Unit(3, 7, k), str(grounds[k]), advantage=(True, False, True)[k]
        )
        same(batch.left[i, j, k, :, : mine + 1], single.left)
        for side in ("attacker", "defender"):
            found, alone = getattr(batch, side), getattr(single, side)
            same(found.wins[i, j, k], alone.wins)
            same(found.losses.p[i, j, k, : alone.losses.p.size], alone.losses.p)
            same(found.change.p[i, j, k], alone.change.p)
            same(found.markers.p[i, j, k], alone.markers.p)


# Against a sampler that knows the rules and no formula


@pytest.mark.parametrize(("name", "ground", "advantage"), [("body", "open", True), ("summary", "fort", False)])
def test_sampled_assault(name: str, ground: str, advantage: bool) -> None:
    rng = np.random.default_rng(11)
    mine, theirs, my, their, markers = 5, 4, 8, 9, 3
    need, most = (6, 99) if name == "body" else (5, 5)

    def dealt(dice: int) -> np.ndarray:
        return np.asarray((rng.integers(1, 7, (DRAWS, min(dice, most))) >= need).sum(axis=1))

    on_them, on_me = np.minimum(dealt(mine), theirs), np.minimum(dealt(theirs), mine)
    value = rng.integers(1, 7, DRAWS) + my - on_me
    against = rng.integers(1, 7, DRAWS) + their - markers - on_them + (1 if advantage else 0) + 4 * (ground == "fort")
    i_am, they_are = on_me < mine, on_them < theirs
    won = i_am & (~they_are | (value > against))
    lost = they_are & (~i_am | (value <= against))
    fig = np.maximum(mine - on_me - lost, 0)
    enemy = np.where(won & (ground == "fort"), 0, np.maximum(theirs - on_them - won, 0))
    tests = rng.integers(1, 7, (2, DRAWS)) >= 5
    change = np.where(won & (fig > 0) & tests[0], 1, np.where(lost & (fig > 0) & tests[0], -1, 0))
    change_of_enemy = np.where(lost & (enemy > 0) & tests[1] & (their < 10), 1, 0)
    change_of_enemy = np.where(won & (enemy > 0) & tests[1], -1, change_of_enemy)
    end = assault(BOOKS[name], Unit(mine, my), Unit(theirs, their, markers), ground, advantage=advantage)

    def agrees(sample: np.ndarray, exact: Any) -> None:
        assert stats.binomtest(int(sample.sum()), DRAWS, float(exact)).pvalue > P_MIN

    agrees(won, end.attacker.wins)
    agrees(lost, end.defender.wins)
    for k in range(mine + 1):
        agrees(mine - fig == k, end.attacker.losses.equal_to(k))
    for k in range(theirs + 1):
        agrees(theirs - enemy == k, end.defender.losses.equal_to(k))
    for step in (-1, 0, 1):
        agrees(change == step, end.attacker.change.equal_to(step))
        agrees(change_of_enemy == step, end.defender.change.equal_to(step))
    for count in (1, 3):
        agrees(np.where(won, 1, 3 * lost) == count, end.attacker.markers.equal_to(count))


# Bad input


def test_presets_by_name() -> None:
    assert [preset(BODY, name).reading("CO-5.2") for name in BOOKS] == list(BOOKS)
    changed: Rulebook = BODY.variant({"assault.need": 4})
    assert preset(changed, "summary").number("assault.need") == 4, "a number changed alone stays changed"
    with pytest.raises(InputError, match="preset: unknown preset 'sumary'; did you mean 'summary'"):
        preset(BODY, "sumary")
