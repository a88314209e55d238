"""What battles of Stirling cost: `pytest benchmarks/test_stirling.py`, on an otherwise idle machine.

The aims, through `wargamesim run` on two cores with warm kernels: two units alone 200,000 fights a second (a rival in
Java with one unit a side plays 163,000 on such a machine), `eight_a_side` 10,000 battles a second. See `battles` for
the yardstick.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks.battles import Cell, compile_cold, end_to_end


@pytest.mark.benchmark(group="stirling, one thread")
@pytest.mark.parametrize(
    ("scenario", "battles"),
    [("two_units", 100_000), ("eight_a_side", 1000), ("line_battle", 1000), ("cavalry_charge", 1000)],
)
def test_kernel(benchmark: Any, scenario: str, battles: int) -> None:
    played = Cell("stirling", "stirling", scenario).kernel(benchmark, battles)
    turns = sum(float(columns["turns"].mean()) for columns in played) / len(played)
    benchmark.extra_info["turns a battle"] = round(turns, 1)
    benchmark.extra_info["ns a turn"] = round(1e9 * benchmark.stats.stats.median / battles / turns)


@pytest.mark.benchmark(group="stirling, referee")
def test_referee(benchmark: Any) -> None:
    Cell("stirling", "stirling", "eight_a_side").referee(benchmark)


@pytest.mark.benchmark(group="stirling, wargamesim run")
@pytest.mark.parametrize(
    ("scenario", "battles", "wanted"), [("two_units", 1_000_000, "200,000"), ("eight_a_side", 20_000, "10,000")]
)
def test_end_to_end(benchmark: Any, tmp_path: Path, scenario: str, battles: int, wanted: str) -> None:
    end_to_end(benchmark, tmp_path, "stirling", scenario, battles, wanted)


@pytest.mark.benchmark(group="compiling")
def test_compiling_all_kernels(benchmark: Any, tmp_path: Path) -> None:
    compile_cold(benchmark, tmp_path, "stirling", "two_units")
