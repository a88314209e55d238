"""What the benchmarks of whole games share: experiments, the command that plays them, and the yardstick.

The yardstick is NumPy's raw dice, bytes from SFC64, timed in the same run: how many of them could be rolled in the time
of a battle.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

import wargamesim
from wargamesim.dice.keys import battle_key
from wargamesim.games import registry

WARGAMESIM = (sys.executable, "-m", "wargamesim.cli")
KEY = battle_key(1)


def seconds_of_a_raw_die() -> float:
    """Return the median cost of a die of NumPy."""
    rng, dice, taken = np.random.Generator(np.random.SFC64(1)), 2_000_000, []
    for _ in range(9):
        start = perf_counter()
        rng.integers(1, 7, dice, np.uint8)
        taken.append(perf_counter() - start)
    return median(taken) / dice


def report(benchmark: Any, battles: int, wanted: str = "") -> None:
    """Say what the median round makes of a battle."""
    seconds = benchmark.stats.stats.median / battles
    benchmark.extra_info["battles a second"] = round(1 / seconds) if seconds < 0.1 else round(1 / seconds, 2)
    benchmark.extra_info["raw dice a battle"] = round(seconds / seconds_of_a_raw_die())
    if wanted:
        benchmark.extra_info["wanted"] = wanted


class Cell:
    """One scenario as it is shipped, or changed, with its game's kernels compiled.

    Parameters
    ----------
    game, rulebook, scenario : str
        Names of shipped ones.
    changes : mapping
        Paths of the scenario that are set.
    """

    def __init__(self, game: str, rulebook: str, scenario: str, changes: Mapping[str, Any] | None = None) -> None:
        self.game = registry.get(game)
        source = self.game.load_scenario(scenario).variant(dict(changes or {}))
        self.setup = self.game.compile(wargamesim.load_rulebook(rulebook), source)
        self.game.play(self.setup, KEY, 0, 1)

    def kernel(self, benchmark: Any, battles: int, rounds: int = 7) -> Any:
        """Time the kernel on one thread; return the columns of all battles, one table a round."""
        first, played = count(0, battles), []
        benchmark.pedantic(
            lambda: played.append(self.game.play(self.setup, KEY, next(first), battles)), rounds=rounds, warmup_rounds=1
        )
        report(benchmark, battles)
        return played

    def referee(self, benchmark: Any) -> None:
        """Time the literal reading in plain Python, and say how many times the kernel's time it takes."""
        battle = count()
        benchmark.pedantic(lambda: list(self.game.referee(self.setup, KEY, next(battle))), rounds=5)
        report(benchmark, 1)
        start = perf_counter()
        self.game.play(self.setup, KEY, 0, 50)
        times = 50 * benchmark.stats.stats.mean / (perf_counter() - start)
        benchmark.extra_info["times the kernel"] = round(times)


def experiment(folder: Path, rulebook: str, scenario: str) -> Path:
    """Write an experiment of one cell: the scenario as it is shipped."""
    game: Any = registry.get(wargamesim.load_rulebook(rulebook).game)
    doctrine = game.load_scenario(scenario).source["first"]["doctrine"]
    path = folder / f"{scenario}.toml"
    path.write_text(
        f'name = "{scenario}"\nrulebook = "{rulebook}"\nscenario = "{scenario}"\nseed = 1\nbattles = 1\n'
        f'[factors]\n"first.doctrine" = ["{doctrine}"]\n'
    )
    return path


def run(path: Path, out: Path, battles: int, environment: Mapping[str, str] | None = None) -> None:
    """Play an experiment by the command, all that its start costs included."""
    command = (*WARGAMESIM, "run", str(path), "--out", str(out), "--battles", str(battles))
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=os.environ | (environment or {}))


def end_to_end(benchmark: Any, folder: Path, rulebook: str, scenario: str, battles: int, wanted: str) -> None:
    """Time the whole command with warm kernels, and say what it makes of a battle with its start and without."""
    path, out = experiment(folder, rulebook, scenario), (folder / str(number) for number in count())
    run(path, next(out), 1)
    starts = []
    for _ in range(3):
        begun = perf_counter()
        run(path, next(out), 1)
        starts.append(perf_counter() - begun)
    benchmark.pedantic(lambda: run(path, next(out), battles), rounds=3)
    report(benchmark, battles, wanted)
    taken = max(benchmark.stats.stats.median - median(starts), 1e-9)
    benchmark.extra_info["seconds to start"] = round(median(starts), 1)
    benchmark.extra_info["battles a second, once started"] = round(battles / taken)


def compile_cold(benchmark: Any, folder: Path, rulebook: str, scenario: str) -> None:
    """Time a first battle with an empty cache: compiling all kernels of the game."""
    path, cold = experiment(folder, rulebook, scenario), {"XDG_CACHE_HOME": str(folder / "cache")}
    benchmark.pedantic(lambda: run(path, folder / "out", 1, cold), rounds=1)
