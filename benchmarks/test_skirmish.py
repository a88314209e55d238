"""What skirmishes cost: `pytest benchmarks/test_skirmish.py`, on an otherwise idle machine.

The aims: `line_against_line` (18 figures, at most 20 turns) 5,000 skirmishes a second through `wargamesim run` on two
cores with warm kernels, `sixty_a_side` 200 a second, and the cost of a figure's activation nearly the same with 18
figures on the table as with 120. See `battles` for the yardstick.
"""

from __future__ import annotations

from itertools import count
from pathlib import Path
from statistics import median
from time import thread_time
from typing import Any

import pytest

from benchmarks.battles import KEY, Cell, compile_cold, end_to_end

SIDES = ("first", "second")


@pytest.mark.benchmark(group="skirmish, one thread")
@pytest.mark.parametrize(
    ("rulebook", "scenario", "battles"),
    [
        ("nordamerica", "line_against_line", 1000),
        ("nordamerica", "sixty_a_side", 40),
        ("nordamerica", "line_against_wood_edge", 200),
        ("nordamerica", "patrol", 200),
        ("nordamerica", "convoy", 200),
        ("risorgimento", "bersaglieri_against_line", 200),
        ("risorgimento", "farmhouse", 200),
    ],
)
def test_kernel(benchmark: Any, rulebook: str, scenario: str, battles: int) -> None:
    played = Cell("skirmish", rulebook, scenario).kernel(benchmark, battles)
    activations = sum(int(columns[f"{side}_activations"].sum()) for columns in played for side in SIDES) / len(played)
    benchmark.extra_info["activations a battle"] = round(activations / battles, 1)
    benchmark.extra_info["ns an activation"] = round(1e9 * benchmark.stats.stats.median / activations)


@pytest.mark.benchmark(group="skirmish, one thread: 18 and 120 figures by turns")
def test_activation(benchmark: Any) -> None:
    """Time few battles of either kind by turns: a machine that is shared is as slow for the one as for the other."""
    cells = {name: Cell("skirmish", "nordamerica", name) for name in ("line_against_line", "sixty_a_side")}
    first, taken = count(0, 180), {name: list[float]() for name in cells}

    def both() -> None:
        number = next(first)
        for name, battles in (("line_against_line", 180), ("sixty_a_side", 20)):
            begun = thread_time()
            columns = cells[name].game.play(cells[name].setup, KEY, number, battles)
            activations = sum(int(columns[f"{side}_activations"].sum()) for side in SIDES)
            taken[name].append((thread_time() - begun) / activations)

    benchmark.pedantic(both, rounds=60, warmup_rounds=1)
    few, many = taken.values()
    benchmark.extra_info["ns an activation, 18 figures"] = round(1e9 * median(few))
    benchmark.extra_info["ns an activation, 120 figures"] = round(1e9 * median(many))
    benchmark.extra_info["times as much"] = round(median(b / a for a, b in zip(few, many, strict=True)), 2)


@pytest.mark.benchmark(group="skirmish, one thread: repeaters")
@pytest.mark.parametrize("repeater", [False, True], ids=["single shots", "repeaters"])
def test_repeaters(benchmark: Any, repeater: bool) -> None:
    """All attackers of the farmhouse have repeaters, or none: a shot more is a die or two more."""
    groups = [f"first.squads.{squad}.rifleman" for squad in ("left", "middle", "right")]
    changes = {f"{group}.repeater": repeater for group in groups}
    played = Cell("skirmish", "risorgimento", "farmhouse", changes).kernel(benchmark, 200)
    shots = sum(int(columns[f"{side}_shots"].sum()) for columns in played for side in SIDES) / len(played)
    benchmark.extra_info["shots a battle"] = round(shots / 200, 1)


@pytest.mark.benchmark(group="skirmish, referee")
def test_referee(benchmark: Any) -> None:
    Cell("skirmish", "nordamerica", "line_against_line").referee(benchmark)


@pytest.mark.benchmark(group="skirmish, wargamesim run")
@pytest.mark.parametrize(
    ("scenario", "battles", "wanted"), [("line_against_line", 20_000, "5,000"), ("sixty_a_side", 6_000, "200")]
)
def test_end_to_end(benchmark: Any, tmp_path: Path, scenario: str, battles: int, wanted: str) -> None:
    end_to_end(benchmark, tmp_path, "nordamerica", scenario, battles, wanted)


@pytest.mark.benchmark(group="compiling")
def test_compiling_all_kernels(benchmark: Any, tmp_path: Path) -> None:
    compile_cold(benchmark, tmp_path, "nordamerica", "line_against_line")
