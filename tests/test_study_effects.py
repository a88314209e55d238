"""What a factor changes, case by case: against comparisons cell by cell, and against scipy."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from wargamesim.errors import InputError
from wargamesim.study.compare import compare_cells, holm
from wargamesim.study.effects import effects
from wargamesim.study.outcomes import Battles

SIDES, OUTCOMES = ("red", "blue"), ("red", "blue", "draw")
CELLS = [{"bow": bow, "mud": mud} for bow in (5, 6, 7) for mud in ("dry", "wet")]


def battles(*, paired: bool = True, sizes: tuple[int, ...] = (40,) * 6) -> tuple[Battles, NDArray[np.int64]]:
    """Battles of six cells, drawn anew, with losses; and their losses as a matrix, -1 where there is no battle."""
    rng = np.random.default_rng(1)
    outcome, losses = rng.integers(3, size=(6, max(sizes))), rng.integers(20, size=(6, max(sizes)))
    for cell, size in enumerate(sizes):
        losses[cell, size:] = -1
    cell, battle = np.nonzero(losses >= 0)
    data = {"cell": cell, "battle": battle, "outcome": outcome[cell, battle], "losses": losses[cell, battle]}
    return Battles(data, CELLS, OUTCOMES, SIDES, paired), losses


@pytest.mark.parametrize("paired", [True, False])
def test_each_case_is_compared_with_the_first_level(paired: bool) -> None:
    found, _ = battles(paired=paired, sizes=(40, 40, 30, 40, 40, 25))
    by_bow = effects(found, "bow")
    assert list(zip(by_bow.cells, by_bow.baselines, strict=True)) == [(2, 0), (4, 0), (3, 1), (5, 1)]
    for i, (cell, baseline) in enumerate(zip(by_bow.cells.tolist(), by_bow.baselines.tolist(), strict=True)):
        alone = compare_cells(found, baseline=baseline)
        at = alone.cells.tolist().index(cell)
        assert (by_bow.n[i], by_bow.difference[i], by_bow.p[i]) == (alone.n[at], alone.difference[at], alone.p[at])
        assert (by_bow.interval.low[i], by_bow.interval.high[i]) == (alone.interval.low[at], alone.interval.high[at])
    assert by_bow.p_holm.tolist() == holm(by_bow.p).tolist()
    by_mud = effects(found, "mud")
    assert list(zip(by_mud.cells, by_mud.baselines, strict=True)) == [(1, 0), (3, 2), (5, 4)]


def test_metrics_by_the_same_dice_have_students_interval_of_the_differences() -> None:
    found, losses = battles(sizes=(40, 40, 30, 40, 40, 25))
    by_bow = effects(found, "bow", metrics=["losses"])
    for i, (cell, baseline) in enumerate(zip(by_bow.cells, by_bow.baselines, strict=True)):
        shared = (losses[cell] >= 0) & (losses[baseline] >= 0)
        expected = stats.ttest_rel(losses[cell, shared], losses[baseline, shared]).confidence_interval(0.95)
        assert by_bow.changes[i, 0] == pytest.approx((losses[cell] - losses[baseline])[shared].mean())
        assert by_bow.change_interval.low[i, 0] == pytest.approx(expected.low)
        assert by_bow.change_interval.high[i, 0] == pytest.approx(expected.high)


def test_metrics_by_other_dice_have_an_interval_no_narrower_than_welchs() -> None:
    found, losses = battles(paired=False, sizes=(40, 40, 30, 40, 40, 25))
    by_bow = effects(found, "bow", metrics=["losses"])
    for i, (cell, baseline) in enumerate(zip(by_bow.cells, by_bow.baselines, strict=True)):
        samples = [losses[which][losses[which] >= 0] for which in (cell, baseline)]
        welch = stats.ttest_ind(*samples, equal_var=False).confidence_interval(0.95)
        half = float(welch.high - welch.low) / 2
        assert by_bow.changes[i, 0] == pytest.approx(samples[0].mean() - samples[1].mean())
        assert half <= by_bow.change_interval.half_width[i, 0] < 1.05 * half


def test_it_says_in_how_many_cases_the_score_rises_and_falls() -> None:
    """Wet: red wins all with the long bow, loses all with the longer; dry: all alike."""
    outcome = np.zeros((6, 50), dtype=int)
    outcome[1] = np.arange(50) % 2
    outcome[5] = 1
    cell, battle = np.indices(outcome.shape)
    data = {"cell": cell.ravel(), "battle": battle.ravel(), "outcome": outcome.ravel(), "turns": cell.ravel()}
    told = effects(Battles(data, CELLS, OUTCOMES, SIDES), "bow", metrics=["turns"]).sentences()
    assert told == [
        "6 in place of 5: the score of the Red changes by +0.000 to +0.500. Of 2 cases it rises in 1, falls in 0, and"
        " the battles do not tell in 1.",
        "  turns (mean a battle): +2.00, ±0.00 at most.",
        "7 in place of 5: the score of the Red changes by -0.500 to +0.000. Of 2 cases it rises in 0, falls in 1, and"
        " the battles do not tell in 1.",
        "  turns (mean a battle): +4.00, ±0.00 at most.",
    ]


def test_where_one_thing_varies_at_a_time_only_cells_alike_are_compared() -> None:
    data = {"cell": [0, 1, 2], "battle": [0, 0, 0], "outcome": [0, 1, 0]}
    cells = [{"bow": 5, "mud": "dry"}, {"bow": 6, "mud": "dry"}, {"bow": 5, "mud": "wet"}]
    found = effects(Battles(data, cells, OUTCOMES, SIDES), "bow")
    assert (found.cells.tolist(), found.baselines.tolist()) == ([1], [0])


def test_the_table_has_a_row_for_each_pair_of_cells() -> None:
    found, _ = battles()
    table = effects(found, "mud", metrics=["losses"]).table()
    assert table.columns[:6] == ("cell", "baseline", "bow", "mud", "pairs", "baseline_score")
    assert table.columns[-3:] == ("losses_change", "losses_change_low", "losses_change_high")
    assert [row[:5] for row in table.rows] == [(1, 0, 5, "wet", 40), (3, 2, 6, "wet", 40), (5, 4, 7, "wet", 40)]
    assert "null" not in table.to_json()


def test_cells_without_battles_say_nothing() -> None:
    found, _ = battles(sizes=(40, 0, 40, 40, 40, 40))
    records = effects(found, "mud", metrics=["losses"]).table().records()
    assert records[0]["pairs"] == 0
    assert (records[0]["difference"], records[0]["losses_change"]) == (None, None)
    assert records[1]["pairs"] == 40


def test_what_is_wrong_is_said() -> None:
    found, _ = battles()
    with pytest.raises(InputError, match=r"'bows'.*bow"):
        effects(found, "bows")
    with pytest.raises(InputError, match="loses"):
        effects(found, "bow", metrics=["loses"])
    with pytest.raises(InputError, match="mud: has only one level"):
        effects(Battles({"cell": [0], "battle": [0], "outcome": [0]}, [{"mud": 0}], OUTCOMES, SIDES), "mud")
