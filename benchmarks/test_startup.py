"""What a command costs before it does anything: `pytest benchmarks/test_startup.py`.

Every round runs ``python -c 'import numpy'`` first, on the same machine in the same second; `extra_info` says how many
times that the command takes (medians). The aims: an exact command at most 3 times, and `import wargamesim` at most
0.1 s more than `import numpy`.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import pytest

WARGAMESIM = str(Path(sys.executable).with_name("wargamesim"))
IMPORT_NUMPY = (sys.executable, "-c", "import numpy")
COMMANDS = {
    "import": (sys.executable, "-c", "import numpy, wargamesim"),
    "odds": (WARGAMESIM, "odds", "azincourt", "melee"),
    "odds as JSON": (WARGAMESIM, "odds", "azincourt", "melee", "--json"),
    "rules": (WARGAMESIM, "rules", "azincourt"),
    "help": (WARGAMESIM, "--help"),
}


def run(command: tuple[str, ...]) -> float:
    """Run a command and return the seconds it took."""
    start = perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return perf_counter() - start


@pytest.mark.benchmark(group="cold start")
@pytest.mark.parametrize("name", COMMANDS)
def test_cold_start(benchmark: Any, name: str) -> None:
    numpy: list[float] = []
    benchmark.pedantic(
        run, (COMMANDS[name],), setup=lambda: numpy.append(run(IMPORT_NUMPY)), rounds=15, warmup_rounds=1
    )
    taken = benchmark.stats.stats.median
    benchmark.extra_info["times import numpy"] = round(taken / median(numpy), 2)
    benchmark.extra_info["seconds more than import numpy"] = round(taken - median(numpy), 3)
