"""The commands of docs/findings.md, which `make findings` gives, are right, and play every shipped experiment."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from wargamesim.arguments import parse
from wargamesim.report.effects import find_factor
from wargamesim.simulate import load_experiment

ROOT = Path(__file__).parents[1]
COMMANDS = re.findall(r"^    wargamesim (.+)$", (ROOT / "docs" / "findings.md").read_text("utf-8"), re.MULTILINE)
EXPERIMENTS = {file.stem: load_experiment(file) for file in sorted((ROOT / "experiments").glob("*.toml"))}


def test_every_shipped_experiment_is_played() -> None:
    played = [parse(command.split()).experiment for command in COMMANDS if command.startswith("run ")]
    assert sorted(path.stem for path in played) == sorted(EXPERIMENTS)
    assert all((ROOT / path).is_file() for path in played)


@pytest.mark.parametrize("command", [command for command in COMMANDS if not command.startswith(("run ", "odds "))])
def test_results_are_of_an_experiment_played_before(command: str) -> None:
    before = COMMANDS[: COMMANDS.index(command)]
    given = parse(command.split())
    assert given.folder.parent == Path("results")
    assert f"run experiments/{given.folder.name}.toml --resume" in before
    experiment = EXPERIMENTS[given.folder.name]
    if given.command == "effect":
        find_factor(experiment.plan, given.factor)  # type: ignore[arg-type]  # its results have the same factors
        known = [metric.name for metric in experiment.game.metrics]
        assert set(filter(None, given.metrics.split(","))) <= set(known)
