"""What battles of Azincourt cost: `pytest benchmarks/test_azincourt.py`, on an otherwise idle machine.

The yardstick is NumPy's raw dice, bytes from SFC64, timed in the same run: `extra_info` says how many of them could be
rolled in the time of a battle. The aims: 3,000 battles a second through `wargamesim run` on two cores (better 8,000),
at most 100,000 raw dice a battle (better 60,000), kernels compiled in 40 s, and under 600 MB for a million battles.
"""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
import pytest

import wargamesim
from wargamesim.dice.keys import battle_key
from wargamesim.games import registry

ROOT = Path(__file__).parents[1]
WARGAMESIM = str(Path(sys.executable).with_name("wargamesim"))
DEPLOYMENTS = str(ROOT / "experiments" / "azincourt_deployments.toml")
GAME = registry.get("azincourt")
KEY = battle_key(1415)
BATTLES = 500


@pytest.fixture(scope="module")
def setup() -> Any:
    """The default battle, with the kernels compiled."""
    compiled = GAME.compile(wargamesim.load_rulebook("azincourt"), wargamesim.load_scenario("azincourt_1415"))
    GAME.play(compiled, KEY, 0, 1)
    return compiled


def seconds_of_a_raw_die() -> float:
    rng, dice, taken = np.random.Generator(np.random.SFC64(1)), 2_000_000, []
    for _ in range(9):
        start = perf_counter()
        rng.integers(1, 7, dice, np.uint8)
        taken.append(perf_counter() - start)
    return median(taken) / dice


def report(benchmark: Any, battles: int) -> None:
    """Say what the median round makes of a battle."""
    seconds = benchmark.stats.stats.median / battles
    benchmark.extra_info["battles a second"] = round(1 / seconds)
    benchmark.extra_info["raw dice a battle"] = round(seconds / seconds_of_a_raw_die())


def memory_of(*command: str, environment: dict[str, str] | None = None) -> int:
    """Run a command and return its greatest memory, in MB."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=os.environ | (environment or {}))
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return int(usage.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10))


def run(folder: Path, *options: str, environment: dict[str, str] | None = None) -> int:
    """Run the main job as a command and return its greatest memory, in MB."""
    return memory_of(WARGAMESIM, "run", DEPLOYMENTS, "--out", str(folder), *options, environment=environment)


@pytest.mark.benchmark(group="default battle")
def test_kernel_on_one_thread(benchmark: Any, setup: Any) -> None:
    first = count(0, BATTLES)
    benchmark.pedantic(lambda: GAME.play(setup, KEY, next(first), BATTLES), rounds=7, warmup_rounds=1)
    report(benchmark, BATTLES)


@pytest.mark.benchmark(group="default battle")
def test_referee(benchmark: Any, setup: Any) -> None:
    """The literal reading in plain Python; how many times the kernel's time it takes."""
    battle = count()
    for _ in GAME.referee(setup, KEY, next(battle)):
        pass
    benchmark.pedantic(lambda: list(GAME.referee(setup, KEY, next(battle))), rounds=5)
    report(benchmark, 1)
    start = perf_counter()
    GAME.play(setup, KEY, 1, 5)
    benchmark.extra_info["times the kernel"] = round(5 * benchmark.stats.stats.mean / (perf_counter() - start))


@pytest.mark.benchmark(group="main job")
def test_main_job_end_to_end(benchmark: Any, tmp_path: Path) -> None:
    """The whole command, 25,000 battles, starting the program and loading the compiled kernels included."""
    run(tmp_path / "warm", "--battles", "1")
    folder = (tmp_path / str(number) for number in count())
    memory: list[int] = []
    benchmark.pedantic(lambda: memory.append(run(next(folder))), rounds=3)
    report(benchmark, 25_000)
    benchmark.extra_info["memory (MB)"] = max(memory)


@pytest.mark.benchmark(group="main job")
def test_a_million_battles(benchmark: Any, tmp_path: Path) -> None:
    """Memory does not grow with the battles; some minutes."""
    run(tmp_path / "warm", "--battles", "1")
    benchmark.extra_info["memory (MB)"] = benchmark.pedantic(run, (tmp_path / "out", "--battles", "40000"), rounds=1)
    report(benchmark, 1_000_000)
    start = perf_counter()
    benchmark.extra_info["memory to compare (MB)"] = memory_of(WARGAMESIM, "compare", str(tmp_path / "out"))
    benchmark.extra_info["seconds to compare"] = round(perf_counter() - start, 1)


@pytest.mark.benchmark(group="compiling")
def test_compiling_all_kernels(benchmark: Any, tmp_path: Path) -> None:
    """A first run with an empty cache, against 25 battles with a full one."""
    cold = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    benchmark.pedantic(lambda: run(tmp_path / "out", "--battles", "1", environment=cold), rounds=1)
