"""What battles of Coloniale cost: `pytest benchmarks/test_coloniale.py`, on an otherwise idle machine.

The aim: `twelve_a_side` (10 turns at most) 10,000 battles a second through `wargamesim run` on two cores with warm
kernels. See `battles` for the yardstick.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks.battles import Cell, compile_cold, end_to_end


@pytest.mark.benchmark(group="coloniale, one thread")
@pytest.mark.parametrize(
    ("scenario", "battles"),
    [("two_units", 100_000), ("twelve_a_side", 1000), ("relief_of_the_fort", 1000), ("night_alarm", 1000)],
)
def test_kernel(benchmark: Any, scenario: str, battles: int) -> None:
    played = Cell("coloniale", "coloniale", scenario).kernel(benchmark, battles)
    turns = sum(float(columns["turns"].mean()) for columns in played) / len(played)
    benchmark.extra_info["turns a battle"] = round(turns, 1)
    benchmark.extra_info["ns a turn"] = round(1e9 * benchmark.stats.stats.median / battles / turns)


@pytest.mark.benchmark(group="coloniale, referee")
def test_referee(benchmark: Any) -> None:
    Cell("coloniale", "coloniale", "twelve_a_side").referee(benchmark)


@pytest.mark.benchmark(group="coloniale, wargamesim run")
@pytest.mark.parametrize(("scenario", "battles", "wanted"), [("twelve_a_side", 20_000, "10,000")])
def test_end_to_end(benchmark: Any, tmp_path: Path, scenario: str, battles: int, wanted: str) -> None:
    end_to_end(benchmark, tmp_path, "coloniale", scenario, battles, wanted)


@pytest.mark.benchmark(group="compiling")
def test_compiling_all_kernels(benchmark: Any, tmp_path: Path) -> None:
    compile_cold(benchmark, tmp_path, "coloniale", "two_units")
