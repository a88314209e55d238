"""The runner: the same bytes for any workers and chunks, and after any interruption."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
import time
import weakref
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from wargamesim.errors import InputError
from wargamesim.games import registry
from wargamesim.simulate import Experiment, Interrupted, load_experiment, open_results, run
from wargamesim.simulate.plan import PART
from wargamesim.simulate.runner import _Ticker

TESTS = Path(__file__).parent


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
def whole(experiment: Experiment, coin: ModuleType, tmp_path: Path) -> dict[str, bytes]:
    """The bytes of an uninterrupted run."""
    run(experiment, tmp_path / "whole", workers=1)
    found: dict[str, bytes] = coin.contents(tmp_path / "whole")
    assert len(found) == 13
    return found


@pytest.mark.parametrize(
    ("workers", "chunk"), [(1, 7), (2, 256), (3, 256), (3, 7), (2, 1999), (2, PART), (None, 10**6)]
)
def test_same_bytes_for_any_workers_and_chunk(
    experiment: Experiment, whole: dict[str, bytes], coin: ModuleType, tmp_path: Path, workers: int | None, chunk: int
) -> None:
    assert run(experiment, tmp_path / "out", workers=workers, chunk=chunk).complete
    assert coin.contents(tmp_path / "out") == whole


def test_same_bytes_battle_by_battle(experiment: Experiment, coin: ModuleType, tmp_path: Path) -> None:
    run(experiment, tmp_path / "one", battles=2003, workers=2, chunk=1)
    run(experiment, tmp_path / "two", battles=2003, workers=1)
    assert coin.contents(tmp_path / "one") == coin.contents(tmp_path / "two")


def test_chunks_that_end_out_of_order_change_nothing(
    experiment: Experiment, whole: dict[str, bytes], coin: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends: list[int] = []

    def first_ones_dawdle(first: int) -> None:
        if first == 0:
            time.sleep(0.05)
        ends.append(first)

    monkeypatch.setattr(coin.GAME, "before", first_ones_dawdle)
    run(experiment, tmp_path / "out", workers=2, chunk=100)
    assert ends[0] != 0
    assert coin.contents(tmp_path / "out") == whole


def test_battles_and_seed_in_place_of_the_file_s(experiment: Experiment, tmp_path: Path) -> None:
    results = run(experiment, tmp_path / "out", battles=10, seed=0)
    assert (results.battles, results.done, results.manifest["experiment"]["seed"]) == (10, [10] * 4, 0)
    other = run(experiment, tmp_path / "other", battles=10)
    assert not results.table().equals(other.table())


def test_unpaired_cells_roll_their_own_dice(coin: ModuleType, tmp_path: Path) -> None:
    margins = {}
    for paired in ("true", "false"):
        text = coin.EXPERIMENT.replace("seed = 7", f"seed = 7\npaired = {paired}")
        table = run(load_experiment(coin.write_experiment(tmp_path / paired, text)), tmp_path / paired / "out").table()
        margins[paired] = {tuple(table[table["cell"] == cell]["margin"]) for cell in range(4)}
    assert (len(margins["true"]), len(margins["false"])) == (1, 4)


def test_progress_reaches_the_total_from_this_thread(experiment: Experiment, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    threads = set()

    def progress(done: int, total: int) -> None:
        told.append((done, total))
        threads.add(threading.current_thread())

    run(experiment, tmp_path / "out", progress=progress)
    assert (told[0], told[-1]) == ((0, 18_000), (18_000, 18_000))
    assert told == sorted(told)
    assert threads == {threading.current_thread()}


def test_progress_is_told_at_most_ten_times_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, told = 0.0, []
    monkeypatch.setattr("wargamesim.simulate.runner.monotonic", lambda: clock)
    ticker = _Ticker(lambda done, _total: told.append((clock, done)), 5, 1000)
    for tick in range(1, 101):
        clock = tick / 64
        ticker.add(2)
    times = [when for when, _ in told]
    assert told[0] == (0.0, 5)
    assert all(later - earlier >= 0.1 for earlier, later in pairwise(times))
    assert all(done == 5 + 2 * 64 * when for when, done in told)
    assert len(told) == 1 + 100 // 7


@pytest.mark.parametrize("at", [0, 1, 4, 9, 17, 40, 72])
@pytest.mark.parametrize("workers", [1, 3])
def test_ctrl_c_keeps_whole_parts_and_resuming_ends_in_the_same_bytes(
    experiment: Experiment,
    whole: dict[str, bytes],
    coin: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    at: int,
    workers: int,
) -> None:
    monkeypatch.setattr(_Ticker, "INTERVAL", 0)
    calls = 0

    def progress(_done: int, _total: int) -> None:
        nonlocal calls
        if calls == at:
            raise KeyboardInterrupt
        calls += 1

    out = tmp_path / "out"
    with pytest.raises(Interrupted) as stop:
        run(experiment, out, workers=workers, chunk=250, progress=progress)
    left = coin.contents(out)
    assert left.items() <= whole.items()
    kept = sum(open_results(out).done)
    assert (stop.value.kept, stop.value.total, stop.value.folder) == (kept, 18_000, out)
    assert str(stop.value) == f"interrupted: {kept:,} of 18,000 battles are kept in {out}; resume the run to go on"

    told: list[int] = []
    results = run(experiment, out, resume=True, progress=lambda done, _total: told.append(done))
    assert (told[0], told[-1]) == (kept, 18_000)
    assert results.recomputed == ()
    assert coin.contents(out) == whole


def test_ctrl_c_lets_running_chunks_complete_their_part(
    experiment: Experiment, coin: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    all_running = threading.Barrier(4)

    def progress(done: int, _total: int) -> None:
        if done:
            raise KeyboardInterrupt

    def before(_first: int) -> None:
        # All four cells are being played when the first has ended; the others end after Ctrl-C.
        if all_running.wait():
            time.sleep(0.2)

    monkeypatch.setattr(_Ticker, "INTERVAL", 0)
    monkeypatch.setattr(coin.GAME, "before", before)
    with pytest.raises(Interrupted) as stop:
        run(experiment, tmp_path / "out", battles=5, workers=4, progress=progress)
    assert stop.value.kept == 20
    assert open_results(tmp_path / "out").complete


def test_a_short_run_is_shared_among_all_workers(
    experiment: Experiment, coin: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[int] = []
    monkeypatch.setattr(coin.GAME, "before", played.append)
    run(experiment, tmp_path / "out", battles=100, workers=8)
    assert sorted(played) == [0, 0, 0, 0, 50, 50, 50, 50]


def test_resuming_does_not_play_again(
    experiment: Experiment, coin: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = run(experiment, tmp_path / "out")
    (results.folder / "parts" / "cell_00003_part_00001.parquet").unlink()
    played: list[int] = []
    monkeypatch.setattr(coin.GAME, "before", played.append)
    assert run(experiment, tmp_path / "out", resume=True, chunk=500).complete
    assert sorted(played) == [2000, 2500, 3000, 3500]


def test_resuming_in_a_new_folder_starts(experiment: Experiment, tmp_path: Path) -> None:
    assert run(experiment, tmp_path / "out", battles=1, resume=True).complete


def test_left_overs_of_a_kill_are_cleared(
    experiment: Experiment, whole: dict[str, bytes], coin: ModuleType, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    (out / "parts").mkdir(parents=True)
    (out / ".manifest.json.tmp").write_text("{")
    run(experiment, out)
    (out / "parts" / ".cell_00001_part_00001.parquet.tmp").write_text("half")
    assert run(experiment, out, resume=True).complete
    assert coin.contents(out) == whole


def test_a_chunk_that_fails_raises_its_error_and_keeps_finished_parts(
    experiment: Experiment, whole: dict[str, bytes], coin: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(first: int) -> None:
        if first == 4000:
            raise RuntimeError("a fault in the game")

    monkeypatch.setattr(coin.GAME, "before", fail)
    with pytest.raises(RuntimeError, match="a fault in the game"):
        run(experiment, tmp_path / "out", workers=1, chunk=PART)
    left = coin.contents(tmp_path / "out")
    assert left.items() <= whole.items()
    assert "parts/cell_00000_part_00000.parquet" in left
    monkeypatch.undo()
    monkeypatch.setitem(registry.GAMES, "coin", "simulate_coin:GAME")
    run(experiment, tmp_path / "out", resume=True)
    assert coin.contents(tmp_path / "out") == whole


def test_only_open_parts_are_held(
    experiment: Experiment, coin: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workers, chunk = 2, 250
    lock, play = threading.Lock(), coin.GAME.play
    held = most = 0

    def count(battles: int) -> None:
        nonlocal held, most
        with lock:
            held += battles
            most = max(most, held)

    def counted(setup: object, key: int, first: int, battles: int) -> dict[str, np.ndarray]:
        if first == 0:
            time.sleep(0.05)  # the others must not run away meanwhile
        columns: dict[str, np.ndarray] = play(setup, key, first, battles)
        count(battles)
        weakref.finalize(columns["outcome"], count, -battles)
        return columns

    monkeypatch.setattr(coin.GAME, "play", counted)
    run(experiment, tmp_path / "out", battles=20_000, workers=workers, chunk=chunk)
    assert PART <= most <= (2 * workers + 1) * PART < 4 * 20_000
    assert held == 0


@pytest.mark.parametrize("argument", ["workers", "chunk"])
@pytest.mark.parametrize("value", [0, -1, 1.5, True])
def test_wrong_arguments(experiment: Experiment, tmp_path: Path, argument: str, value: object) -> None:
    message = f"{argument}: must be a whole number of at least 1, not {value!r}"
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        run(experiment, tmp_path / "out", **{argument: value})
    assert not (tmp_path / "out").exists()


def test_a_cell_that_cannot_be_played_is_found_before_anything_is_written(coin: ModuleType, tmp_path: Path) -> None:
    text = coin.EXPERIMENT.replace('"coin.heads" = [30, 60]', "rounds = [1, 99]").replace("rounds = 3", "")
    experiment = load_experiment(coin.write_experiment(tmp_path, text))
    with pytest.raises(InputError, match=r"cell 1 \(heads.plan = bold, rounds = 99\): rounds: 99 rounds are too many"):
        run(experiment, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("kill", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)])
def test_a_process_that_is_killed_can_be_resumed(
    experiment: Experiment, whole: dict[str, bytes], coin: ModuleType, tmp_path: Path, kill: signal.Signals, code: int
) -> None:
    out = tmp_path / "out"
    command = [sys.executable, str(TESTS / "simulate_coin.py"), experiment.file, str(out)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while len(list(out.glob("parts/*.parquet"))) < 2 and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(kill)
        said, complaint = process.communicate()
    assert (process.returncode, complaint) == (code, "")
    kept = sum(open_results(out).done)
    assert 0 < kept < 18_000
    if kill == signal.SIGINT:
        assert said == f"{kept}\n"
    run(experiment, out, resume=True)
    assert coin.contents(out) == whole
