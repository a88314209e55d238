"""What a command costs before it does anything: `pytest benchmarks/test_startup.py`.

Every round runs ``python -c 'import numpy'`` first, on the same machine in the same second; `extra_info` says how many
times that the command takes (medians). The aims: every question of `odds` at most 3 times (5 where it must import
SciPy; none does), and `import wargamesim` at most 0.1 s more than `import numpy`.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import pytest

from wargamesim.errors import InputError
from wargamesim.games import registry
from wargamesim.rulebook import load_rulebook, rulebook_names

WARGAMESIM = str(Path(sys.executable).with_name("wargamesim"))
IMPORT_NUMPY = (sys.executable, "-c", "import numpy")


def questions() -> Iterator[tuple[str, str]]:
    """Yield every question of every rulebook that has rules for it."""
    for name in rulebook_names():
        book = load_rulebook(name)
        game = registry.get(book.game)
        for question in game.questions:
            with suppress(InputError):
                game.odds(book, question, {})
                yield name, question


COMMANDS = {
    "import": (sys.executable, "-c", "import numpy, wargamesim"),
    **{f"odds {book} {question}": (WARGAMESIM, "odds", book, question) for book, question in questions()},
    "odds azincourt melee --json": (WARGAMESIM, "odds", "azincourt", "melee", "--json"),
    "rules azincourt": (WARGAMESIM, "rules", "azincourt"),
    "--help": (WARGAMESIM, "--help"),
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
    benchmark.pedantic(run, (COMMANDS[name],), setup=lambda: numpy.append(run(IMPORT_NUMPY)), rounds=7, warmup_rounds=1)
    taken = benchmark.stats.stats.median
    benchmark.extra_info["ms"] = round(1000 * taken)
    benchmark.extra_info["times import numpy"] = round(taken / median(numpy), 2)
    benchmark.extra_info["seconds more than import numpy"] = round(taken - median(numpy), 3)
