"""A tiny game for the tests of `wargamesim.simulate`, and a program that plays an experiment of it (to be killed)."""

# ruff: noqa: ARG002 (the protocol of games asks for more than a coin needs)
from __future__ import annotations

import hashlib
import json
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from wargamesim.errors import InputError, unknown
from wargamesim.games import registry
from wargamesim.games.registry import Event, Metric
from wargamesim.simulate import Interrupted, load_experiment, run

RULEBOOK = """
name = "coin"
title = "A toss"
game = "coin"
[numbers.coin]
heads = { value = 50, id = "CN-1.1", unit = "%", provenance = "gap", min = 0, max = 100, text = "How often heads." }
faces = { value = [1, 2], id = "CN-1.1", unit = "faces", provenance = "gap", min = 1, max = 6, text = "Faces." }
fair = { value = true, id = "CN-1.1", unit = "flag", provenance = "gap", text = "Whether it is fair." }
[readings."CN-1.2"]
text = "Who wins on heads is not said."
default = "heads"
options.heads.text = "heads"
options.tails.text = "tails"
"""

EXPERIMENT = """
name = "tosses"
rulebook = "coin.toml"
scenario = "table"
seed = 7
battles = 4500
[factors]
heads.plan = ["bold", "careful"]
"coin.heads" = [30, 60]
[set]
rounds = 3
"""

PLANS = ("bold", "careful")


@dataclass(frozen=True)
class Table:
    """A scenario: two plans and a number of rounds."""

    content: Mapping[str, Any]
    name: str = "table"
    game: str = "coin"
    keys: tuple[str, ...] = ("heads.plan", "tails.plan", "rounds")

    @property
    def source(self) -> Mapping[str, Any]:
        return self.content

    @property
    def fingerprint(self) -> str:
        return hashlib.sha256(json.dumps(self.content, sort_keys=True).encode()).hexdigest()

    def knows(self, key: str) -> bool:
        return key in self.keys

    def levels(self, key: str) -> list[str] | None:
        return list(PLANS) if key.endswith("plan") else None

    def variant(self, changes: Mapping[str, Any]) -> Table:
        return replace(self, content={**self.content, **changes})


class Coin:
    """A side wins a battle with the rulebook's chance; each battle is a hash of the key and its number."""

    name = "coin"
    sides = ("heads", "tails")
    outcomes = ("heads", "tails", "draw", "no_decision")
    metrics = (Metric("rounds", "rounds", "Rounds tossed."), Metric("margin", "points", "The winner's margin."))
    questions: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.before: Callable[[int], object] = lambda _first: None
        self.scenario = Table({"heads.plan": "bold", "tails.plan": "bold", "rounds": 1})

    def scenarios(self) -> list[str]:
        return ["table"]

    def load_scenario(self, name_or_path: str, folder: Path | None = None) -> Table:
        if name_or_path != "table":
            raise unknown("scenario", name_or_path, self.scenarios())
        return self.scenario

    def restore_scenario(self, source: Mapping[str, Any]) -> Table:
        return Table(source)

    def compile(self, rulebook: Any, scenario: Table) -> tuple[int, int]:
        if scenario.content["rounds"] == 99:
            raise InputError("99 rounds are too many", key="rounds")
        bold = scenario.content["heads.plan"] == "bold"
        return rulebook.number("coin.heads") + 10 * bold, scenario.content["rounds"]

    def play(self, setup: tuple[int, int], key: int, first: int, count: int) -> dict[str, np.ndarray]:
        self.before(first)
        battles = np.arange(first, first + count, dtype=np.uint64)
        words = (battles + np.uint64(key)) * np.uint64(0x9E3779B97F4A7C15)
        words ^= words >> np.uint64(29)
        chance, rounds = setup
        won = (words * np.uint64(0xBF58476D1CE4E5B9) >> np.uint64(32)) % np.uint64(100) < np.uint64(chance)
        return {
            "outcome": np.where(won, 0, 1).astype(np.int8),
            "rounds": np.full(count, rounds, np.int16),
            "margin": (words % np.uint64(20)).astype(np.int16),
        }

    def referee(self, setup: tuple[int, int], key: int, battle: int) -> Iterator[Event]:
        yield Event(1, "heads", "CN-1.1", f"a toss at {setup[0]} %")

    def odds(self, rulebook: Any, question: str, options: Mapping[str, str]) -> Any:
        raise unknown("question", question, self.questions)


GAME = Coin()


def write_experiment(folder: Path, text: str = EXPERIMENT) -> Path:
    """Put an experiment and its rulebook into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "coin.toml").write_text(RULEBOOK, encoding="utf-8")
    path = folder / "experiment.toml"
    path.write_text(text, encoding="utf-8")
    return path


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder with its bytes."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def main(experiment: str, out: str) -> int:
    """Play slowly, so that somebody can interrupt."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have started us deaf to it
    registry.GAMES["coin"] = f"{__name__}:GAME"
    GAME.before = lambda _first: time.sleep(0.1)
    try:
        run(load_experiment(experiment), out, workers=2)
    except Interrupted as stop:
        print(stop.kept)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
