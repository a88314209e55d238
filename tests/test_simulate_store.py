"""Results on disk: what is in them, and every way in which a folder can be wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from importlib import import_module
from itertools import product
from pathlib import Path
from types import ModuleType

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from wargamesim.errors import InputError
from wargamesim.games import registry
from wargamesim.simulate import Experiment, Results, load_experiment, open_results, run
from wargamesim.simulate.plan import PART, Part
from wargamesim.simulate.store import Store, manifest_of

TESTS = Path(__file__).parent
COLUMNS = ["cell", "battle", "outcome", "rounds", "margin"]


@pytest.fixture
def coin(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The tiny game, registered for one test."""
    monkeypatch.syspath_prepend(str(TESTS))
    monkeypatch.setitem(registry.GAMES, "coin", "simulate_coin:GAME")
    return import_module("simulate_coin")


@pytest.fixture
def experiment(coin: ModuleType, tmp_path: Path) -> Experiment:
    return load_experiment(coin.write_experiment(tmp_path))


@pytest.fixture
def results(experiment: Experiment, tmp_path: Path) -> Results:
    return run(experiment, tmp_path / "out")


def test_a_result_is_a_dataset(results: Results, experiment: Experiment) -> None:
    table = results.table()
    assert list(table.columns) == COLUMNS
    assert [str(kind) for kind in table.dtypes] == ["int32", "int64", "int8", "int16", "int16"]
    assert list(zip(table["cell"], table["battle"], strict=True)) == list(product(range(4), range(4500)))
    for cell in range(4):
        rows = table[table["cell"] == cell]
        played = experiment.game.play(experiment.setup(cell), experiment.key(cell), 0, 4500)
        for name, column in played.items():
            assert np.array_equal(rows[name].to_numpy(), column)


def test_what_results_know(results: Results, experiment: Experiment) -> None:
    assert (results.name, results.game, results.sides) == ("tosses", "coin", ("heads", "tails"))
    assert results.outcomes == ("heads", "tails", "draw", "no_decision")
    assert results.metrics == experiment.game.metrics
    assert results.factors == {"heads.plan": ["bold", "careful"], "coin.heads": [30, 60]}
    assert list(results.factors) == ["heads.plan", "coin.heads"]
    assert [list(cell.items()) for cell in results.cells] == [list(cell.items()) for cell in experiment.cells]
    assert (results.paired, results.battles, results.done, results.complete) == (True, 4500, [4500] * 4, True)
    assert [results.key(cell) for cell in range(4)] == [experiment.key(cell) for cell in range(4)]
    assert results.recomputed == ()


def test_files_of_a_result(results: Results, coin: ModuleType) -> None:
    assert sorted(coin.contents(results.folder)) == sorted(
        ["manifest.json", *(f"parts/cell_0000{cell}_part_0000{part}.parquet" for cell in range(4) for part in range(3))]
    )
    for path in (results.folder / "parts").iterdir():
        assert pq.read_metadata(path).metadata is None
        assert pq.read_metadata(path).row_group(0).column(0).compression == "ZSTD"


def test_the_manifest_is_canonical_and_knows_no_machine(results: Results, tmp_path: Path) -> None:
    text = (results.folder / "manifest.json").read_text(encoding="utf-8")
    assert text == json.dumps(results.manifest, sort_keys=True, indent=1, ensure_ascii=False) + "\n"
    assert str(tmp_path) not in text
    assert str(Path.home()) not in text
    assert set(results.manifest["versions"]) == {"wargamesim", "numpy", "numba", "pyarrow"}
    assert results.manifest["part_size"] == PART


def test_cells_are_compiled_again_from_the_manifest_alone(results: Results, experiment: Experiment) -> None:
    Path(experiment.file).unlink()
    (Path(experiment.file).parent / "coin.toml").unlink()
    again = open_results(results.folder)
    assert [again.setup(cell) for cell in range(4)] == [experiment.setup(cell) for cell in range(4)]


def test_a_designer_s_rulebook_is_in_the_manifest(coin: ModuleType, tmp_path: Path) -> None:
    path = coin.write_experiment(tmp_path, coin.EXPERIMENT.replace('"coin.toml"', '"mine.toml"'))
    mine = 'name = "mine"\nextends = "coin.toml"\n[set]\n"CN-1.2" = "tails"\n"coin.faces" = [3, 1]\n'
    (tmp_path / "mine.toml").write_text(mine)
    results = run(load_experiment(path), tmp_path / "out", battles=1)
    assert results.manifest["rulebook"]["changes"] == {"CN-1.2": "tails", "coin.faces": [1, 3]}
    assert results.setup(1) == load_experiment(path).setup(1)


@pytest.mark.parametrize("cell", [-1, 4])
def test_no_such_cell(results: Results, cell: int) -> None:
    with pytest.raises(InputError, match=f"there is no cell {cell}; the cells are 0 to 3$"):
        results.setup(cell)


def test_replay_with_another_version_is_refused(results: Results) -> None:
    results.manifest["versions"]["wargamesim"] = "0.0.1"
    with pytest.raises(InputError, match=r"made with wargamesim 0\.0\.1, whose rules and dice may not be those of "):
        results.setup(0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda it: it["rulebook"]["source"]["numbers"]["coin.heads"].update(value=51), "another rulebook 'coin'"),
        (lambda it: it["rulebook"]["source"]["numbers"]["coin.heads"].update(value="x"), "cannot be read"),
        (lambda it: it["rulebook"]["changes"].update({"coin.haeds": 1}), "cannot be read"),
        (lambda it: it["scenario"]["source"].update(rounds=2), "another scenario 'table'"),
    ],
)
def test_a_manifest_that_was_edited_is_not_replayed(
    results: Results, change: Callable[[dict[str, dict[str, object]]], None], message: str
) -> None:
    change(results.manifest)
    with pytest.raises(InputError, match=rf"manifest\.json: .*{message}"):
        results.setup(0)


def test_partial_results_are_opened(results: Results) -> None:
    for name in ("cell_00001_part_00000", "cell_00001_part_00002", "cell_00003_part_00001"):
        (results.folder / "parts" / f"{name}.parquet").unlink()
    part = open_results(results.folder)
    assert (part.done, part.complete) == ([4500, 2000, 4500, 2500], False)
    assert len(part.table()) == 13_500
    assert list(part.table().query("cell == 1")["battle"]) == list(range(2000, 4000))


def test_results_without_any_part_are_an_empty_table(experiment: Experiment, tmp_path: Path) -> None:
    Store(tmp_path / "out", manifest_of(experiment), resume=False)
    empty = open_results(tmp_path / "out")
    assert (empty.done, list(empty.table().columns), len(empty.table())) == ([0] * 4, COLUMNS, 0)


def test_a_folder_in_use_asks_for_resume(results: Results, experiment: Experiment, coin: ModuleType) -> None:
    before = coin.contents(results.folder)
    message = f"{results.folder}: is not empty; resume the run in it, or choose another folder"
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        run(experiment, results.folder)
    assert coin.contents(results.folder) == before


@pytest.mark.parametrize("resume", [False, True])
@pytest.mark.parametrize("foreign", ["notes.txt", "parts/cell_00000_part_00000.parquet", "manifest.jsonl"])
def test_a_foreign_folder_is_not_touched(
    experiment: Experiment, coin: ModuleType, tmp_path: Path, resume: bool, foreign: str
) -> None:
    out = tmp_path / "out"
    (out / foreign).parent.mkdir(parents=True)
    (out / foreign).write_text("mine")
    message = "is not a folder of results: it has no manifest.json" if resume else "is not empty"
    with pytest.raises(InputError, match=re.escape(f"{out}: {message}")):
        run(experiment, out, resume=resume)
    assert coin.contents(out) == {foreign: b"mine"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "cannot be read"),
        ("", "cannot be read"),
        ("[]", "is no manifest of this version: its format must be 'wargamesim results 1', not None"),
        ('{"format": 2}', "is no manifest of this version: its format must be 'wargamesim results 1', not 2"),
    ],
)
def test_a_foreign_manifest(
    experiment: Experiment, coin: ModuleType, tmp_path: Path, content: str, message: str
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "manifest.json").write_text(content)
    for attempt in (lambda: run(experiment, out, resume=True), lambda: open_results(out)):
        with pytest.raises(InputError, match=re.escape(f"{out / 'manifest.json'}: {message}")):
            attempt()
    assert coin.contents(out) == {"manifest.json": content.encode()}


def test_out_is_a_file_or_below_one(experiment: Experiment, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="file: is a file; a folder for the results is wanted"):
        run(experiment, tmp_path / "file")
    with pytest.raises(InputError, match=r"out: cannot be created \(Not a directory\)"):
        run(experiment, tmp_path / "file" / "out")
    for path in (tmp_path / "file", tmp_path / "file" / "out", tmp_path / "none"):
        with pytest.raises(InputError, match=r"is not a folder of results: it has no manifest\.json"):
            open_results(path)


@pytest.mark.parametrize(
    ("old", "new", "difference"),
    [
        ("seed = 7", "seed = 8", "experiment.seed is 7 there and 8 here"),
        ("battles = 4500", "battles = 4501", "experiment.battles is 4500 there and 4501 here"),
        ('"tosses"', '"throws"', "experiment.name is 'tosses' there and 'throws' here"),
        ("seed = 7", "seed = 7\npaired = false", "experiment.paired is true there and false here"),
        ("[30, 60]", "[30, 61]", "experiment.factors[1].levels[1] is 60 there and 61 here"),
        ("[30, 60]", "[30]", "experiment.factors[1].levels is [30, 60] there and [30] here"),
        ("rounds = 3", "rounds = 4", "experiment.set.rounds is 3 there and 4 here"),
        ("rounds = 3", "", "experiment.set.rounds is 3 there and None here"),
    ],
)
def test_another_experiment_is_refused(
    results: Results, coin: ModuleType, tmp_path: Path, old: str, new: str, difference: str
) -> None:
    before = coin.contents(results.folder)
    other = load_experiment(coin.write_experiment(tmp_path / "other", coin.EXPERIMENT.replace(old, new)))
    with pytest.raises(InputError) as caught:
        run(other, results.folder, resume=True)
    assert str(caught.value) == (
        f"{results.folder}: holds another experiment's results: {difference};"
        " choose another folder, or run what it was made with"
    )
    assert coin.contents(results.folder) == before


def test_another_rulebook_or_version_is_refused(results: Results, coin: ModuleType, tmp_path: Path) -> None:
    path = coin.write_experiment(tmp_path / "other")
    manifest = json.loads((results.folder / "manifest.json").read_text())
    manifest["versions"]["numpy"] = "1.0"
    (results.folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(InputError, match=r"versions\.numpy is '1\.0' there and '"):
        run(load_experiment(path), results.folder, resume=True)
    (path.parent / "coin.toml").write_text(coin.RULEBOOK.replace("value = 50", "value = 51"))
    with pytest.raises(InputError, match=r"rulebook\.source\.numbers\.coin\.heads\.value is 50 there and 51 here"):
        run(load_experiment(path), results.folder, resume=True)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def shorten(path: Path) -> None:
    pq.write_table(pq.read_table(path).slice(1), path, store_schema=False)


def retype(path: Path) -> None:
    table = pq.read_table(path)
    pq.write_table(table.cast(pa.schema([field.with_type(pa.int64()) for field in table.schema])), path)


def flip(path: Path) -> None:
    """Change a byte of the last column's values; the footer stays whole."""
    column = pq.read_metadata(path).row_group(0).column(len(COLUMNS) - 1)
    content = bytearray(path.read_bytes())
    content[column.data_page_offset + column.total_compressed_size // 2] ^= 0xFF
    path.write_bytes(bytes(content))


def misplace(path: Path) -> None:
    path.write_bytes(path.with_name("cell_00001_part_00001.parquet").read_bytes())


FOOTER, INSIDE = (cut, empty, shorten, retype), (flip, misplace)


@pytest.mark.parametrize("damage", FOOTER + INSIDE)
def test_a_damaged_part_is_named_and_resuming_writes_it_anew(
    results: Results, experiment: Experiment, coin: ModuleType, damage: Callable[[Path], None]
) -> None:
    before = coin.contents(results.folder)
    path = results.folder / "parts" / "cell_00002_part_00001.parquet"
    damage(path)
    assert path.read_bytes() != before["parts/cell_00002_part_00001.parquet"]
    with pytest.raises(InputError, match=rf"^{re.escape(str(path))}: is damaged.*; resuming the run writes it anew$"):
        open_results(results.folder).table()
    if damage in FOOTER:
        with pytest.raises(InputError, match="is damaged"):
            open_results(results.folder)
    again = run(experiment, results.folder, resume=True)
    assert again.recomputed == (path.name,)
    assert coin.contents(results.folder) == before


def test_a_write_that_fails_leaves_nothing(
    experiment: Experiment, coin: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path / "out", manifest_of(experiment), resume=False)
    before = coin.contents(tmp_path / "out")

    def full(_table: pa.Table, path: Path, **_options: object) -> None:
        path.write_bytes(b"half a file")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pq, "write_table", full)
    with pytest.raises(OSError, match="No space left"):
        store.write(Part(0, 0, 0, 5), experiment.game.play(experiment.setup(0), 1, 0, 5))
    assert coin.contents(tmp_path / "out") == before


def test_metrics_that_do_not_fit_are_an_error(experiment: Experiment, coin: ModuleType, tmp_path: Path) -> None:
    store = Store(tmp_path / "out", manifest_of(experiment), resume=False)
    columns = {name: np.full(5, 40_000, np.int64) for name in ("outcome", "rounds", "margin")}
    with pytest.raises(pa.ArrowInvalid, match="40000 not in range"):
        store.write(Part(0, 0, 0, 5), columns)
    assert list(coin.contents(tmp_path / "out")) == ["manifest.json"]
