"""Plays an experiment on threads: the same bytes for any number of workers, any chunk, and after any interruption."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import partial
from itertools import groupby
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from wargamesim.errors import InputError
from wargamesim.simulate.plan import Experiment, Part, parts
from wargamesim.simulate.store import Results, Store, manifest_of, open_results

if TYPE_CHECKING:
    import numpy as np

    Columns = dict[str, np.ndarray]

# Battles computed at a time: few enough to stop soon, and many enough that handing them out costs little (0.4 ms).
CHUNK = 1000

Progress = Callable[[int, int], None]


class Interrupted(Exception):
    """The run was stopped with Ctrl-C; what was finished is kept.

    Parameters
    ----------
    folder : Path
        Where the results are.
    kept, total : int
        Battles kept there, and planned.
    """

    def __init__(self, folder: Path, kept: int, total: int) -> None:
        self.folder, self.kept, self.total = folder, kept, total
        super().__init__(f"interrupted: {kept:,} of {total:,} battles are kept in {folder}; resume the run to go on")


def run(
    experiment: Experiment,
    out: str | Path,
    *,
    battles: int | None = None,
    seed: int | None = None,
    workers: int | None = None,
    resume: bool = False,
    chunk: int = CHUNK,
    progress: Progress | None = None,
) -> Results:
    """Play every battle of an experiment and keep them in a folder.

    Parameters
    ----------
    experiment : Experiment
        From `load_experiment`.
    out : str or Path
        The folder for the results, new or empty.
    battles, seed : int, optional
        In place of the experiment's own.
    workers : int, optional
        Threads, at least 1; as many as the machine has processors by default.
    resume : bool
        Go on with a run of the same experiment in that folder. Parts found damaged are written anew and
        named in `Results.recomputed`.
    chunk : int
        Most battles computed at a time, at least 1.
    progress : callable, optional
        Called from this thread with (battles done, battles in all): first, at most ten times a second, and last.

    Returns
    -------
    Results
        Complete. The bytes of the folder depend on the experiment, battles, seed and installed versions alone.

    Raises
    ------
    InputError
        If an argument is wrong, a cell cannot be played, or the folder is not free for this experiment;
        nothing is written then.
    Interrupted
        On Ctrl-C, when the chunks being computed have ended. Finished parts are kept.

    Examples
    --------
    >>> from wargamesim.simulate import load_experiment
    >>> experiment = load_experiment("experiments/azincourt_bows.toml")
    >>> from tempfile import mkdtemp
    >>> run(experiment, mkdtemp(), battles=2).done
    [2, 2, 2, 2, 2, 2]
    """
    for name, number in (("workers", workers), ("chunk", chunk)):
        if number is not None and (isinstance(number, bool) or not isinstance(number, int) or number < 1):
            raise InputError(f"must be a whole number of at least 1, not {number!r}", key=name)
    experiment = experiment.changed(battles=battles, seed=seed)
    experiment.check()
    cells, a_cell, workers = len(experiment.cells), experiment.plan.battles, workers or os.cpu_count() or 1
    # Of a short run, too, each worker gets its share.
    chunk = min(chunk, -(-cells * a_cell // workers))
    store = Store(Path(out), manifest_of(experiment), resume=resume)
    kept = sum(part.count for part in store.present)
    missing = (part for part in parts(cells, a_cell) if part not in store.present)
    harvest = _Harvest(store, chunk)
    try:
        ticker = _Ticker(progress, kept, cells * a_cell)
        _play(_tasks(experiment, missing, chunk), harvest, ticker, workers)
        ticker.tell()
    except KeyboardInterrupt:
        raise Interrupted(store.folder, kept + harvest.written, cells * a_cell) from None
    return open_results(store.folder, recomputed=store.recomputed)


class _Ticker:
    """Counts battles and tells it, but not too often."""

    INTERVAL = 0.1  # seconds

    def __init__(self, progress: Progress | None, done: int, total: int) -> None:
        self.progress, self.done, self.total = progress, done, total
        self.tell()

    def tell(self) -> None:
        self.told = monotonic()
        if self.progress:
            self.progress(self.done, self.total)

    def add(self, battles: int) -> None:
        self.done += battles
        if monotonic() - self.told >= self.INTERVAL:
            self.tell()


class _Harvest:
    """Gathers finished chunks, in any order, and writes a part when its last one has come in."""

    def __init__(self, store: Store, chunk: int) -> None:
        self.store, self.chunk = store, chunk
        self.open: dict[Part, dict[int, Columns]] = {}
        self.written = 0

    def add(self, part: Part, first: int, columns: Columns) -> None:
        import numpy as np

        chunks = self.open.setdefault(part, {})
        chunks[first] = columns
        if len(chunks) == -(-part.count // self.chunk):
            in_order = [chunks[start] for start in sorted(chunks)]
            self.store.write(part, {name: np.concatenate([some[name] for some in in_order]) for name in columns})
            self.written += part.count
            del self.open[part]


def _tasks(
    experiment: Experiment, missing: Iterable[Part], chunk: int
) -> Iterator[tuple[Part, int, Callable[[], Columns]]]:
    """Yield (part, first battle, what to call) of every chunk; a cell is compiled when its turn comes."""
    for cell, of_cell in groupby(missing, key=lambda part: part.cell):
        setup, key = experiment.setup(cell), experiment.key(cell)
        for part in of_cell:
            for first, count in part.chunks(chunk):
                yield part, first, partial(experiment.game.play, setup, key, first, count)


def _play(
    tasks: Iterable[tuple[Part, int, Callable[[], Columns]]], harvest: _Harvest, ticker: _Ticker, workers: int
) -> None:
    """Play all tasks. Few are handed out at a time, so that only their parts are held in memory."""
    running: dict[Future[Columns], tuple[Part, int]] = {}

    def reap() -> None:
        # The timeout lets Ctrl-C through where a wait without one cannot be interrupted (Windows).
        for future in wait(running, timeout=0.5, return_when=FIRST_COMPLETED).done:
            columns = future.result()
            harvest.add(*running.pop(future), columns)
            ticker.add(len(columns["outcome"]))

    with ThreadPoolExecutor(workers, thread_name_prefix="battles") as pool:
        try:
            for part, first, call in tasks:
                while len(running) >= 2 * workers:
                    reap()
                running[pool.submit(call)] = part, first
            while running:
                reap()
        except BaseException:
            # Stopped or failed: let the chunks being computed end, and keep the parts that they complete.
            pool.shutdown(cancel_futures=True)
            for future, (part, first) in running.items():
                if not future.cancelled() and not future.exception():
                    harvest.add(part, first, future.result())
            raise
