"""The public face: its names, and the functions that join rooms."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import wargamesim as wg
from wargamesim.cli import call
from wargamesim.games.registry import Scenario
from wargamesim.simulate import Results

DEPLOYMENTS = """
name = "pair"
rulebook = "azincourt"
scenario = "azincourt_1415"
seed = 3
battles = 20
[factors]
english.deployment = ["funnel", "wings"]
french.deployment = ["deep_column", "dismounted"]
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    folder = tmp_path_factory.mktemp("public")
    (folder / "pair.toml").write_text(DEPLOYMENTS, encoding="utf-8")
    return wg.run(wg.load_experiment(folder / "pair.toml"), folder / "out")


def scenario(english: str = "funnel", french: str = "deep_column") -> Scenario:
    return wg.load_scenario("azincourt_1415").variant({"english.deployment": english, "french.deployment": french})


def test_every_name_is_there_and_documented() -> None:
    assert sorted(wg.__all__) == wg.__all__
    for name in wg.__all__:
        value = getattr(wg, name)
        assert name in dir(wg)
        if name != "__version__":
            assert inspect.getdoc(value)
            assert "Examples" in inspect.getdoc(value)


def test_no_other_name_is_there() -> None:
    with pytest.raises(AttributeError, match="module 'wargamesim' has no attribute 'tune'"):
        wg.tune  # noqa: B018
    with pytest.raises(ImportError):
        exec("from wargamesim import tune")


def test_the_version_is_that_of_the_package() -> None:
    from importlib.metadata import version

    assert wg.__version__ == version("wargamesim")


def test_the_import_alone_loads_nothing() -> None:
    code = "import sys; before = set(sys.modules); import wargamesim; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert [name for name in done.stdout.split() if name.startswith("wargamesim.")] == []
    assert {"numpy", "pydantic", "typer"} & set(done.stdout.split()) == set()


def test_the_package_is_typed() -> None:
    assert (Path(wg.__file__).parent / "py.typed").exists()


@pytest.mark.parametrize(
    ("options", "same"),
    [
        ({"target": "knight,archer", "arrows": "1:3"}, {"target": ["knight", "archer"], "arrows": [1, 2, 3]}),
        ({"target": "knight", "arrows": "1:3"}, {"target": "knight", "arrows": range(1, 4)}),
        ({"target": "knight", "arrows": "2"}, {"target": ["knight"], "arrows": np.int64(2)}),
        ({"target": "knight", "arrows": "2,5"}, {"target": "knight", "arrows": np.array([2, 5])}),
    ],
)
def test_options_of_odds_may_be_numbers_and_lists(options: dict[str, str], same: dict[str, object]) -> None:
    assert wg.odds("azincourt", "arrow", **same) == wg.odds("azincourt", "arrow", **options)


def test_odds_are_those_of_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["odds", "azincourt", "cannon", "--distance", "3,9", "--json"]) == 0
    assert capsys.readouterr().out == wg.odds("azincourt", "cannon", distance=[3, 9]).to_json() + "\n"


def test_a_rulebook_may_be_a_name_a_file_or_loaded(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('name = "mine"\nextends = "azincourt"\n[set]\n"AZ-4.5" = "six_hits"\n', encoding="utf-8")
    asked = [wg.odds(book, "arrow", target="archer").rows[0][2] for book in ("azincourt", file, wg.load_rulebook(file))]
    assert asked == [pytest.approx(1 / 3), 0.5, 0.5]


def test_play_gives_the_same_battles_however_many() -> None:
    many, few = wg.play("azincourt", scenario(), 20, seed=5), wg.play("azincourt", scenario(), 7, seed=5)
    pd.testing.assert_frame_equal(many.head(7), few)
    assert not many.equals(wg.play("azincourt", scenario(), 20, seed=6))


def test_play_gives_the_battles_of_a_paired_experiment(results: Results) -> None:
    cell = results.table().query("cell == 2").reset_index(drop=True)
    frame = wg.play("azincourt", scenario("wings"), 20, seed=3)
    assert frame["outcome"].cat.categories.tolist() == list(results.outcomes)
    assert frame["outcome"].cat.codes.tolist() == cell["outcome"].tolist()
    assert list(frame.columns) == ["battle", "outcome", *(metric.name for metric in results.metrics)]
    for metric in results.metrics:
        assert frame[metric.name].tolist() == cell[metric.name].tolist()


def test_play_under_other_rules() -> None:
    rules = wg.load_rulebook("azincourt").variant({"end.turn_limit": 1})
    frame = wg.play(rules, "azincourt_1415", 3)
    assert frame["outcome"].tolist() == ["no_decision"] * 3
    assert (frame["turns"] == 2).all()


@pytest.mark.parametrize("battle", [0, 3])
def test_the_referee_tells_the_same_battle(battle: int) -> None:
    row = wg.play("azincourt", scenario(), battle + 1, seed=8).iloc[-1]
    events = list(wg.referee("azincourt", scenario(), battle, seed=8))
    assert events[-1].turn == row["turns"]
    assert f"outcome: {row['outcome']}" in events[-1].text


def test_what_play_and_referee_refuse() -> None:
    for function, number, key in ((wg.play, 0, "battles"), (wg.play, True, "battles"), (wg.referee, -1, "battle")):
        with pytest.raises(wg.InputError, match=f"^{key}: must be a whole number from "):
            function("azincourt", "azincourt_1415", number)
        with pytest.raises(wg.InputError, match=r"^seed: must be an integer of at least 0, not -1"):
            function("azincourt", "azincourt_1415", 1, seed=-1)
        with pytest.raises(wg.InputError, match="azincourt_1416"):
            function("azincourt", "azincourt_1416", 1)
    with pytest.raises(wg.InputError, match="unknown game 'chess'"):
        wg.load_scenario("azincourt_1415", game="chess")


def test_a_scenario_of_another_game_is_refused() -> None:
    class Chess:
        name, game = "board", "chess"

    with pytest.raises(wg.InputError, match="'board' is a scenario of chess, but the rulebook 'azincourt' is one of"):
        wg.play("azincourt", Chess(), 1)  # type: ignore[arg-type]


def test_studies_take_results_or_their_folder(results: Results) -> None:
    for study in (wg.outcomes, wg.compare, wg.rank):
        assert study(results).table() == study(results.folder).table() == study(str(results.folder)).table()
    [one], [other] = wg.equilibrium(results), wg.equilibrium(results.folder)
    assert one.table() == other.table()
    assert one.interval == other.interval
    assert wg.equilibrium(results, rng=np.random.default_rng(0))[0].interval == one.interval


def test_studies_say_what_was_played(results: Results) -> None:
    found = wg.outcomes(results)
    assert found.n.tolist() == [20] * 4
    assert found.metrics == tuple(metric.name for metric in results.metrics)
    assert wg.compare(results, baseline=1, level=0.9).level == 0.9
    assert wg.rank(results).score.tolist() == sorted(found.score, reverse=True)
    assert wg.equilibrium(results, resamples=10)[0].scores.ravel().tolist() == found.score.tolist()
    with pytest.raises(wg.InputError, match="is not a folder of results"):
        wg.outcomes(results.folder.parent)
