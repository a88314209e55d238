"""The shipped experiments: each plans, and plays to the same bytes however often and with however many threads."""

from __future__ import annotations

from pathlib import Path

import pytest

from wargamesim.simulate import load_experiment, run

EXPERIMENTS = Path(__file__).parent.parent / "experiments"
FILES = sorted(path.stem for path in EXPERIMENTS.glob("*.toml"))

# Battles of each cell.
FEW = 2


@pytest.mark.parametrize("name", FILES)
def test_an_experiment_plays_to_the_same_bytes_again(name: str, tmp_path: Path) -> None:
    experiment = load_experiment(EXPERIMENTS / f"{name}.toml")
    assert experiment.plan.name == name
    once = run(experiment, tmp_path / "once", battles=FEW, workers=1)
    again = run(experiment, tmp_path / "again", battles=FEW, workers=2, chunk=1)
    assert once.complete
    assert list(once.done) == [FEW] * len(once.cells) == list(again.done)
    first, second = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        for folder in (tmp_path / "once", tmp_path / "again")
    )
    assert first == second
    assert len(first) == len(once.cells) + 1  # a part each, and the manifest


def test_the_presets_of_coloniale_are_compared_by_name() -> None:
    plan = load_experiment(EXPERIMENTS / "body_or_summary.toml").plan
    assert plan.factors["CO-5.2"] == ["body", "summary", "summary_strict"]
