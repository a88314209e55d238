"""What is read of a factor's effect, on a game of coins: its key in short, and a narrow table."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from wargamesim import effect
from wargamesim.errors import InputError
from wargamesim.games import registry
from wargamesim.report.effects import find_factor, find_metrics, shorten, view
from wargamesim.report.tables import table_lines
from wargamesim.simulate import Results, load_experiment, run

FACTORS = """
heads.plan = ["bold", "careful"]
tails.plan = ["bold", "careful"]
"coin.heads" = [30, 60]
"""


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Results:
    """Coins of eight cells, 400 of each."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    monkeypatch.setitem(registry.GAMES, "coin", "simulate_coin:GAME")
    coin = import_module("simulate_coin")
    head, _, _ = coin.EXPERIMENT.partition("[factors]")
    file = coin.write_experiment(tmp_path, f"{head}\n[factors]\n{FACTORS}")
    return run(load_experiment(file), tmp_path / "out", battles=400)


def test_a_factor_is_found_by_the_end_of_its_key(played: Results) -> None:
    assert find_factor(played, "heads") == find_factor(played, "coin.heads") == "coin.heads"
    with pytest.raises(InputError, match=r"heads\.plan"):
        find_factor(played, "plan")
    with pytest.raises(InputError, match=r"coin\.heads"):
        find_factor(played, "coin.head")


def test_metrics_are_those_of_the_game(played: Results) -> None:
    known = [metric.name for metric in played.metrics]
    assert find_metrics(played, f" {known[0]} ,") == known[:1]
    assert find_metrics(played, "") == []
    with pytest.raises(InputError, match=rf"--metrics.*{known[0]}"):
        find_metrics(played, known[0][:-1])


def test_a_row_for_each_case_and_the_answer_in_words(played: Results) -> None:
    found = effect(played, "coin.heads")
    table = view(played, found)
    assert table.columns == ("heads.plan", "tails.plan", "score at 30", "difference", "p")
    assert [row[:2] for row in table.rows] == [(a, b) for a in ("bold", "careful") for b in ("bold", "careful")]
    for row, difference, half in zip(table.rows, found.difference, found.interval.half_width, strict=True):
        assert row[3] == f"{difference:+.3f} ±{half:.3f}"
    assert "400 pairs of battles each" in table.title
    assert table.notes[-1].startswith("60 in place of 30: the score of the Heads changes by +0.")
    assert max(map(len, table_lines(table, 80))) <= 80


def test_the_level_is_told_where_there_are_several(played: Results) -> None:
    metric = played.metrics[0].name
    table = view(played, effect(played, "heads.plan", metrics=[metric]))
    assert table.columns == ("tails.plan", "heads", "score at bold", "difference", "p", f"change of {metric}")


def test_ids_of_rules_are_not_cut() -> None:
    assert shorten(["NA-8.2a", "a.b.c", "d.b.c"]) == {"NA-8.2a": "NA-8.2a", "a.b.c": "a.b.c", "d.b.c": "d.b.c"}
