"""Assault after assault: published values, a twin in fractions, readings, a sampler."""

from __future__ import annotations

from fractions import Fraction as F
from functools import cache

import numpy as np
import pytest
from scipy import stats

from wargamesim.games.coloniale import pursuit as module
from wargamesim.games.coloniale.assault import ATTACKER, DEFENDER, DRAW, Unit, assault
from wargamesim.games.coloniale.pursuit import Pursuit, pursuit
from wargamesim.games.coloniale.rules import preset
from wargamesim.rulebook import load_rulebook

EXACT = 1e-12
SIX_PLACES = 0.5e-6 + EXACT
BODY = load_rulebook("coloniale")
# Two-sided at a fixed seed; fewer than 20 comparisons, so sound odds would fail one with a probability below 0.002.
P_MIN = 1e-4


def same(result: object, exact: object, tolerance: float = EXACT) -> None:
    np.testing.assert_allclose(np.asarray(result, float), np.asarray(exact, float), rtol=0, atol=tolerance)


# CO-10.10: attacker, defender, advantage, preset; attacker gone, defender gone, both gone, assaults, figures of both.
CHAINS = [
    (Unit(6, 6), Unit(6, 6), False, "body", "0.550867 0.448161 0.000971 3.530057 1.780178 2.193872"),
    (Unit(6, 6), Unit(6, 6, 2), False, "body", "0.235741 0.763198 0.001061 3.558400 2.976758 0.950186"),
    (Unit(8, 4), Unit(4, 8), False, "body", "0.345156 0.651172 0.003672 3.877482 3.202898 0.636385"),
    (Unit(5, 8), Unit(8, 4), True, "body", "0.484157 0.512490 0.003353 4.192509 1.215206 2.413728"),
    (Unit(4, 7), Unit(6, 6), False, "body", "0.582683 0.414873 0.002445 3.169355 0.951857 2.637539"),
    (Unit(6, 6), Unit(6, 6), False, "summary", "0.540207 0.454111 0.005683 2.656535 1.511660 1.797078"),
    (Unit(8, 4), Unit(4, 8), False, "summary", "0.183931 0.807261 0.008808 2.755731 3.623571 0.305940"),
]


@pytest.mark.parametrize("chain", CHAINS)
def test_pursuit_to_the_end(chain: tuple[Unit, Unit, bool, str, str]) -> None:
    one, other, advantage, name, exact = chain
    end = pursuit(preset(BODY, name), one, other, advantage=advantage)
    found = [*end[:3], end.assaults, end.attacker_figures, end.defender_figures]
    same(found, list(map(float, exact.split())), SIX_PLACES)
    assert end.both_left == 0
    same(sum(end[:4]), 1)


def test_pursuit_without_tests_of_discipline() -> None:
    end = pursuit(BODY.variant({"CO-P17": "none"}), Unit(6, 6), Unit(6, 6))
    same([*end[:3], end.assaults], [0.546192, 0.452595, 0.001213, 3.593520], SIX_PLACES)


def twin(rules: dict[str, int], start: tuple[int, ...]) -> list[F]:
    """The chain in fractions: one of gone, gone, both, both left, then assaults and figures."""

    @cache
    def after(first_attacks: bool, a: int, da: int, sa: int, d: int, dd: int, sd: int) -> tuple[F, ...]:
        if a == 0 or d == 0:
            return (F(a == 0 < d), F(d == 0 < a), F(a == d == 0), F(0), F(0), F(a), F(d))
        x, y, lead = (a, d, da - sa - dd + sd) if first_attacks else (d, a, dd - sd - da + sa)
        total = [F(0)] * 7
        total[4] += 1
        for p, i, j, winner in _rolls(x, y, lead):
            ends = winner == DRAW or (winner == DEFENDER and not rules["defender_pursues"])
            extra = (int(winner == DEFENDER), int(winner == ATTACKER))
            mine, theirs = max(x - i - extra[0], 0), max(y - j - extra[1], 0)
            left = (mine, theirs) if first_attacks else (theirs, mine)
            if winner == DRAW or (mine == theirs == 0 and i == x and j == y):
                next_ones = [(F(1), da, sa, dd, sd, first_attacks)]
            else:
                first_won = (winner == ATTACKER) == first_attacks
                marks = (1, 3) if first_won else (3, 1)
                next_ones = []
                for up in (0, 1):
                    for down in (0, 1):
                        chance = (F(1, 3) if up else F(2, 3)) * (F(1, 3) if down else F(2, 3))
                        new_a = min(da + up, 10) if first_won else max(da - down, 3)
                        new_d = max(dd - down, 3) if first_won else min(dd + up, 10)
                        next_ones.append((chance, new_a, sa + marks[0], new_d, sd + marks[1], first_won))
            for chance, new_a, mark_a, new_d, mark_d, attacks in next_ones:
                if ends and left[0] and left[1]:
                    rest: tuple[F, ...] = (F(0), F(0), F(0), F(1), F(0), F(left[0]), F(left[1]))
                else:
                    rest = after(attacks, left[0], new_a, mark_a, left[1], new_d, mark_d)
                total = [t + p * chance * r for t, r in zip(total, rest, strict=True)]
        return tuple(total)

    def _rolls(x: int, y: int, lead: int) -> list[tuple[F, int, int, int]]:
        """Each end of one assault by its dice, of 3 sides where a 3 hits, and a value die of 2 sides."""
        rolls = []
        for i, p in enumerate(_hits(y, x)):
            for j, q in enumerate(_hits(x, y)):
                for gap, r in ((-1, F(1, 4)), (0, F(1, 2)), (1, F(1, 4))):
                    value = lead - i + j + gap
                    on_tie = DRAW if rules["draw"] else DEFENDER
                    winner = ATTACKER if value > 0 else DEFENDER if value < 0 else on_tie
                    if i == x or j == y:
                        winner = ATTACKER if i < x else DEFENDER
                    rolls.append((p * q * r, i, j, winner))
        return rolls

    def _hits(dice: int, figures: int) -> list[F]:
        chances = [F(1)]
        for _ in range(dice):
            chances = [
                (chances[k] * F(2, 3) if k < len(chances) else F(0)) + (chances[k - 1] * F(1, 3) if k else F(0))
                for k in range(len(chances) + 1)
            ]
        return [*chances[:figures], sum(chances[figures:], F(0))] if dice >= figures else chances

    return list(after(True, *start))


@pytest.mark.parametrize("pursues", ["any_winner", "attacker_only"])
@pytest.mark.parametrize("tie", ["defender", "draw"])
@pytest.mark.parametrize("start", [(3, 9, 0, 2, 5, 4), (2, 3, 1, 3, 4, 0)])
def test_pursuit_by_its_twin(start: tuple[int, ...], tie: str, pursues: str) -> None:
    rules = BODY.variant(
        {"CO-P20": pursues, "CO-P16": tie, "assault.die": 3, "assault.need": 3, "assault.value_die": 2}
    )
    exact = twin({"draw": tie == "draw", "defender_pursues": pursues == "any_winner"}, start)
    same(list(pursuit(rules, Unit(*start[:3]), Unit(*start[3:]))), exact)


def test_the_bonus_counts_once_and_a_lost_fort_ends_it() -> None:
    one, other = Unit(6, 6), Unit(4, 6)
    first = assault(BODY, one, other, "fort", advantage=True)
    end = pursuit(BODY, one, other, "fort", advantage=True)
    assert end.defender_gone > first.defender.gone
    attacker_only = pursuit(BODY.variant({"CO-P20": "attacker_only"}), one, other, "fort", advantage=True)
    same(attacker_only.assaults, 1)
    same(attacker_only.defender_gone, first.defender.gone - first.both_gone - first.left[DEFENDER, 1:, 0].sum())
    same(attacker_only.both_left, first.left[:, 1:, 1:].sum())
    same(attacker_only.defender_figures, 4 - first.defender.losses.mean())


def test_a_winner_without_figures_is_gone() -> None:
    end = pursuit(BODY.variant({"CO-P15": "values_decide"}), Unit(1, 10), Unit(3, 3))
    same(sum(end[:4]), 1)
    first = assault(BODY.variant({"CO-P15": "values_decide"}), Unit(1, 10), Unit(3, 3))
    assert first.left[ATTACKER, 0].sum() > 0.1
    assert end.attacker_gone >= first.left[ATTACKER, 0, 1:].sum()


def test_a_batch_is_a_loop_of_singles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "AT_ONCE", 5)
    one, other = Unit(np.array([[2], [4]]), 6), Unit(3, [3, 7, 10], [2, 0, 1])
    grounds = np.array([["open"], ["fort"]])
    batch = pursuit(BODY, one, other, grounds, advantage=[True, False, False])
    assert batch.assaults.shape == (2, 3)
    for i, j in np.ndindex(2, 3):
        units = Unit((2, 4)[i], 6), Unit(3, (3, 7, 10)[j], (2, 0, 1)[j])
        same([part[i, j] for part in batch], pursuit(BODY, *units, str(grounds[i, 0]), advantage=j == 0))


def test_discipline_may_leave_the_range_it_started_in() -> None:
    free = BODY.variant({"CO-P02": "generation_only"})
    end, bound = (pursuit(book, Unit(5, 10), Unit(8, 3)) for book in (free, BODY))
    same(sum(end[:4]), 1)
    assert end.attacker_gone < bound.attacker_gone, "a winner that rises above 10 meets a loser that falls below 3"


def test_sampled_pursuit() -> None:
    """Four thousand chains, word for word."""
    rng = np.random.default_rng(5)
    chains = 4_000
    tally = np.zeros(3)
    assaults, figures = np.zeros(chains), np.zeros((chains, 2))
    for chain in range(chains):
        fig, disc, marks, attacker = [5, 6], [7, 5], [0, 1], 0
        while min(fig) > 0:
            assaults[chain] += 1
            defender = 1 - attacker
            lost = [0, 0]
            for side in (0, 1):
                hits = int((rng.integers(1, 7, fig[side]) == 6).sum())
                lost[1 - side] = min(hits, fig[1 - side])
            value = [int(rng.integers(1, 7)) + disc[side] - marks[side] - lost[side] for side in (0, 1)]
            fig = [fig[side] - lost[side] for side in (0, 1)]
            if fig == [0, 0]:
                break
            winner = attacker if value[attacker] > value[defender] else defender
            winner = 1 if fig[0] == 0 else 0 if fig[1] == 0 else winner
            loser = 1 - winner
            fig[loser] = max(fig[loser] - 1, 0)
            marks[winner] += 1
            marks[loser] += 3
            disc[winner] = min(disc[winner] + int(rng.integers(1, 7) >= 5), 10)
            disc[loser] = max(disc[loser] - int(rng.integers(1, 7) >= 5), 3)
            attacker = winner
        tally[2 if fig == [0, 0] else int(fig[1] == 0)] += 1
        figures[chain] = fig
    end: Pursuit = pursuit(BODY, Unit(5, 7), Unit(6, 5, 1))
    for count, chance in zip(tally, end[:3], strict=True):
        assert stats.binomtest(int(count), chains, float(chance)).pvalue > P_MIN
    samples = (assaults, figures[:, 0], figures[:, 1])
    for sample, mean in zip(samples, (end.assaults, end.attacker_figures, end.defender_figures), strict=True):
        error = sample.std(ddof=1) / np.sqrt(chains)
        assert 2 * stats.norm.sf(abs(sample.mean() - float(mean)) / error) > P_MIN
