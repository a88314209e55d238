"""What is read of a study, on a game of coins: names of cells, narrow tables, and one wide table for programs."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

import wargamesim
from wargamesim.errors import InputError
from wargamesim.games import registry
from wargamesim.report import summary
from wargamesim.report.tables import table_lines
from wargamesim.simulate import Results, load_experiment, run

CROSSED = """
heads.plan = ["bold", "careful"]
tails.plan = ["bold", "careful"]
"""
FACES = """
"coin.heads" = [30, 60]
"coin.faces" = [[1, 2], [3, 4, 5]]
"""

Play = Callable[..., Results]


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    """Play an experiment with coins that has these factors."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    monkeypatch.setitem(registry.GAMES, "coin", "simulate_coin:GAME")
    coin = import_module("simulate_coin")

    def run_it(factors: str, top: str = "", battles: int = 400) -> Results:
        head, _, _ = coin.EXPERIMENT.partition("[factors]")
        file = coin.write_experiment(tmp_path, f"{head}{top}\n[factors]\n{factors}")
        return run(load_experiment(file), tmp_path / "out", battles=battles)

    return run_it


def test_cells_of_a_crossed_experiment_are_named_by_their_levels(play: Play) -> None:
    heading, names = summary.cell_names(play(FACES))
    assert heading == "coin.heads / coin.faces"
    assert names == ["30 / 1 2", "30 / 3 4 5", "60 / 1 2", "60 / 3 4 5"]


def test_cells_of_one_at_a_time_are_named_by_what_is_other(play: Play) -> None:
    _, names = summary.cell_names(play(FACES, 'design = "one_at_a_time"'))
    assert names == ["first levels", "coin.heads = 60", "coin.faces = 3 4 5"]


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        *[(str(number), number) for number in range(4)],
        *(("60, 3 4 5", 3), ("3 4 5,60", 3), ("coin.heads=30,coin.faces = 1 2", 0), ("coin.faces=1 2, 60", 2)),
    ],
)
def test_a_cell_is_found(play: Play, text: str, cell: int) -> None:
    assert summary.find_cell(play(FACES, battles=1), text) == cell


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("4", "there is no cell 4; the cells are 0 to 3"),
        ("coin.heads=60", "'coin.heads=60' fits 2 cells (2, 3); give one number, or more levels"),
        ("3 4 6", "unknown level '3 4 6'; did you mean '3 4 5'?"),
        ("coin.head=60", "unknown level 'coin.head = 60'; did you mean 'coin.heads'?"),
        ("30, 60", "there is no cell '30, 60': no cell has all these levels; give its number, 0 to 3"),
        ("", "unknown level ''"),
    ],
)
def test_a_cell_is_not_found(play: Play, text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        summary.find_cell(play(FACES, battles=1), text)
    assert str(caught.value).startswith(said)


def test_outcomes_of_cells_with_equal_and_with_other_numbers_of_battles(play: Play, tmp_path: Path) -> None:
    results = play(CROSSED, battles=2500)
    ends, means = summary.outcome_tables(results, wargamesim.outcomes(results))
    assert ends.title == "tosses: how the battles ended, 2,500 in each cell"
    assert "battles" not in ends.columns
    assert means.columns[2:] == ("rounds", "margin")
    assert [row[2] for row in means.rows] == ["1.00 ±0.00"] * 4

    (tmp_path / "out" / "parts" / "cell_00001_part_00001.parquet").unlink()
    for index in (0, 1):
        (tmp_path / "out" / "parts" / f"cell_00002_part_0000{index}.parquet").unlink()
    partial = wargamesim.open_results(tmp_path / "out")
    ends, means = summary.outcome_tables(partial, wargamesim.outcomes(partial))
    assert [row[2] for row in ends.rows] == [2500, 2000, 0, 2500]
    assert ends.rows[2][3:] == ("-",) * 5
    assert means.rows[2][2:] == ("-", "-")


def test_a_share_that_only_rounds_to_nothing_is_not_shown_as_nothing() -> None:
    shares = (0.0, 0.0001, 0.0005, 0.25, 0.9996, 1.0)
    assert [summary._percent(share) for share in shares] == ["0.0 %", "<0.1 %", "0.1 %", "25.0 %", ">99.9 %", "100.0 %"]


def test_a_comparison_to_be_read(play: Play) -> None:
    results = play(CROSSED)
    comparison, ranking = wargamesim.compare(results, baseline=3), wargamesim.rank(results)
    view = summary.comparison_view(results, comparison, ranking)
    rows = {row[1]: row for row in view.rows}
    assert rows[3][4] == "baseline"
    # Both plans of tails play the same: nothing differs in any battle.
    assert rows[2][4].startswith("+0.000 ±")
    assert rows[2][6] == "equal"
    assert rows[0][5] == "<0.001"
    assert [row[0] for row in view.rows] == ["1", "2", "3-", "4-"]
    wide = summary.comparison_table(comparison, ranking).records()
    assert [record["cell"] for record in wide] == [row[1] for row in view.rows]
    assert [record["may_be_best"] for record in wide] == [True, True, False, False]
    assert [record["difference"] is None for record in wide] == [record["cell"] == 3 for record in wide]


def test_an_unpaired_comparison_says_nothing_of_same_dice(play: Play) -> None:
    results = play(CROSSED, "paired = false")
    comparison, ranking = wargamesim.compare(results), wargamesim.rank(results)
    view = summary.comparison_view(results, comparison, ranking)
    assert "same dice" not in view.columns
    assert not any("same dice" in note for note in view.notes)
    assert "battles_compared" in summary.comparison_table(comparison, ranking).columns


def test_equilibria_with_a_factor_of_neither_side(play: Play, tmp_path: Path) -> None:
    games = wargamesim.equilibrium(play(CROSSED + '"coin.heads" = [30, 60]\n'), resamples=50)
    wide = summary.equilibrium_table(games)
    records = wide.records()
    assert [(record["coin.heads"], record["estimate"]) for record in records if record["what"] == "value"] == [
        (game.given["coin.heads"], game.value) for game in games
    ]
    assert sum(record["what"] == "share" for record in records) == 8
    assert sum(record["what"] == "score" for record in records) == 8
    assert {record["dominated_by"] for record in records if record["what"] == "share"} == {None, "bold"}
    narrow = summary.equilibrium_tables(games)
    assert len(narrow) == 4
    assert all(sentence in narrow[3].notes for sentence in games[1].sentences())
    assert summary.draw(games, tmp_path / "map.svg") == [tmp_path / "map-1.svg", tmp_path / "map-2.svg"]
    assert all((tmp_path / f"map-{number}.svg").read_text("utf-8").startswith("<?xml") for number in (1, 2))


def test_the_narrow_tables_fit_a_terminal(play: Play) -> None:
    results = play(CROSSED)
    tables = [
        *summary.outcome_tables(results, wargamesim.outcomes(results)),
        summary.comparison_view(results, wargamesim.compare(results), wargamesim.rank(results)),
        *summary.equilibrium_tables(wargamesim.equilibrium(results, resamples=50)),
    ]
    assert max(len(line) for table in tables for line in table_lines(table, 80)) <= 80
