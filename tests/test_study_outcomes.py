"""Outcome tables against counting by hand."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from wargamesim.errors import InputError
from wargamesim.study.intervals import wilson
from wargamesim.study.outcomes import Battles, level_words, outcome_table, percent, plain, side_words

OUTCOMES = ("english", "french", "draw", "no_decision")
SIDES = ("english", "french")
CELLS = [{"mud": 0, "english.deployment": "line"}, {"mud": 5, "english.deployment": "line"}]
DATA = {
    "cell": [0, 0, 0, 0, 0, 1, 1],
    "battle": [0, 1, 2, 3, 4, 0, 1],
    "outcome": [0, 0, 1, 2, 3, 3, 1],
    "losses": [3, 4, 5, 6, 9, 7, 7],
}


def test_the_table_counts() -> None:
    result = outcome_table(Battles(DATA, CELLS, OUTCOMES, SIDES), metrics=["losses"])
    assert result.n.tolist() == [5, 2]
    assert result.counts.tolist() == [[2, 1, 1, 1], [0, 1, 0, 1]]
    assert result.shares.tolist() == [[0.4, 0.2, 0.2, 0.2], [0, 0.5, 0, 0.5]]
    assert result.score.tolist() == [0.6, 0.25]
    assert result.means[:, 0].tolist() == [5.4, 7]
    np.testing.assert_array_equal(result.score_interval, wilson([3, 0.5], [5, 2]))
    np.testing.assert_array_equal(result.share_interval.low[0], wilson([2, 1, 1, 1], 5).low)
    np.testing.assert_allclose(
        np.array(result.mean_interval)[:, 0, 0], stats.t.interval(0.95, 4, 5.4, stats.sem([3, 4, 5, 6, 9]))
    )


def test_the_table_is_written_out() -> None:
    table = outcome_table(Battles(DATA, CELLS, OUTCOMES, SIDES), metrics=["losses"], level=0.9).table()
    first = table.records()[0]
    assert (first["cell"], first["mud"], first["english.deployment"], first["battles"]) == (0, 0, "line", 5)
    assert (first["english"], first["no_decision"], first["score"], first["losses"]) == (0.4, 0.2, 0.6, 5.4)
    assert (first["score_low"], first["score_high"]) == tuple(map(float, wilson(3, 5, 0.9)))
    assert "90 %" in table.title
    assert any("2 of 7 battles came to no decision" in note for note in table.notes)
    assert json.loads(table.to_json())["rows"][0] == list(table.rows[0])


def test_the_short_table_has_half_widths() -> None:
    table = outcome_table(Battles(DATA, CELLS, OUTCOMES, SIDES), metrics=["losses"]).short_table()
    first = table.records()[0]
    assert table.columns == ("cell", "mud", "english.deployment", "battles", *OUTCOMES, "score", "losses")
    assert first["score"] == f"0.600 ±{wilson(3, 5).half_width:.3f}"
    assert first["losses"].startswith("5.40 ±")


def test_a_data_frame_is_as_good_as_arrays() -> None:
    frame = pd.DataFrame({name: np.array(values, dtype=np.int16) for name, values in DATA.items()})
    tables = [
        outcome_table(Battles(data, CELLS, OUTCOMES, SIDES), metrics=["losses"]).table() for data in (frame, DATA)
    ]
    assert tables[0] == tables[1]


def test_outcomes_go_by_name() -> None:
    order = [3, 2, 0, 1]
    renumbered = DATA | {"outcome": [order.index(outcome) for outcome in DATA["outcome"]]}
    result = outcome_table(Battles(renumbered, CELLS, [OUTCOMES[index] for index in order], SIDES))
    assert result.score.tolist() == [0.6, 0.25]
    assert result.shares[0].tolist() == [0.2, 0.2, 0.4, 0.2]


def test_the_other_side_scores_the_rest() -> None:
    first = Battles(DATA, CELLS, OUTCOMES, SIDES).scores()
    second = Battles(DATA, CELLS, OUTCOMES, SIDES[::-1]).scores()
    assert (first + second).tolist() == [1] * 7


def test_a_cell_without_battles_says_nothing() -> None:
    battles = Battles(DATA, [*CELLS, {"mud": 3, "english.deployment": "line"}], OUTCOMES, SIDES)
    empty = outcome_table(battles, metrics=["losses"]).table().records()[2]
    assert empty["battles"] == 0
    assert empty["score"] is empty["losses"] is empty["english"] is None
    assert (empty["score_low"], empty["score_high"]) == (0, 1)


def test_no_battles_at_all() -> None:
    nothing = {"cell": [], "battle": [], "outcome": []}
    result = outcome_table(Battles(nothing, CELLS, OUTCOMES, SIDES))
    assert result.n.tolist() == [0, 0]
    assert [row["score"] for row in result.table().records()] == [None, None]


def test_scores_as_a_matrix() -> None:
    data = {"cell": [1, 0, 0], "battle": [9, 9, 4], "outcome": [0, 2, 1]}
    scores, numbers = Battles(data, CELLS, OUTCOMES, SIDES).score_matrix()
    assert numbers.tolist() == [4, 9]
    np.testing.assert_array_equal(scores, [[0, 0.5], [np.nan, 1]])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"cell": [0], "battle": [0]}, "unknown column 'outcome'"),
        ({"cell": [2], "battle": [0], "outcome": [0]}, "cell: numbers must be 0 to 1, but one is 2"),
        ({"cell": [-1], "battle": [0], "outcome": [0]}, "cell: numbers must be 0 to 1, but one is -1"),
        ({"cell": [0], "battle": [0], "outcome": [4]}, "outcome: numbers must be 0 to 3, but one is 4"),
        ({"cell": [0], "battle": [0], "outcome": [0.5]}, "outcome: must be a column of integers"),
    ],
)
def test_battles_refuse(data: dict[str, list[float]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Battles(data, CELLS, OUTCOMES, SIDES)


def test_battles_refuse_names() -> None:
    with pytest.raises(InputError, match="unknown outcome 'frensh'; did you mean 'french'"):
        Battles(DATA, CELLS, OUTCOMES, ("english", "frensh"))
    with pytest.raises(InputError, match="at least one cell"):
        Battles(DATA, [], OUTCOMES, SIDES)
    with pytest.raises(InputError, match="unknown column 'loses'; did you mean 'losses'"):
        outcome_table(Battles(DATA, CELLS, OUTCOMES, SIDES), metrics=["loses"])


def test_a_battle_counts_once() -> None:
    data = {"cell": [0, 1, 1], "battle": [3, 3, 3], "outcome": [0, 0, 1]}
    with pytest.raises(InputError, match="battle 3 of cell 1 occurs more than once"):
        Battles(data, CELLS, OUTCOMES, SIDES).score_matrix()


def test_words() -> None:
    battles = Battles(DATA, [{"arrow.removes": [4, 5], "mud": 0}, {"arrow.removes": [5], "mud": 0}], OUTCOMES, SIDES)
    assert battles.label(0) == "arrow.removes=4 5, mud=0"
    assert battles.levels(1) == ([5], 0)
    assert Battles(DATA, [{}, {}], OUTCOMES, SIDES).label(0) == "the only cell"
    assert (level_words((1, 2)), level_words(True)) == ("1 2", "True")
    assert side_words("old_guard") == "Old guard"
    assert [percent(share) for share in (0, 0.001, 0.5, 0.999, 1)] == ["0 %", "under 1 %", "50 %", "over 99 %", "100 %"]
    assert plain(np.int64(3)) == 3
    assert plain(np.bool_(True)) is True
    assert plain(float("inf")) == float("inf")
