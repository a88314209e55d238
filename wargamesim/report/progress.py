"""How far a run has got: a bar on a terminal, else a line now and then; on the standard error stream."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

INTERVAL = 30.0  # seconds between two lines where there is no terminal


class Meter:
    """Shows the progress of a run, and times it.

    Parameters
    ----------
    prepare : callable
        Called once, before the first battle is played: what it takes is not counted as time played.

    Attributes
    ----------
    played, seconds : int and float
        Battles played so far, and how long that took.

    Examples
    --------
    >>> with Meter(lambda: print("ready")) as meter:
    ...     meter(40, 100)
    ...     meter(100, 100)
    ready
    >>> meter.played
    60
    """

    def __init__(self, prepare: Callable[[], object]) -> None:
        self.prepare = prepare
        self.kept: int | None = None
        self.played, self.seconds = 0, 0.0
        self.bar: Progress | None = None

    def __enter__(self) -> Meter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar is not None:
            self.bar.stop()

    def __call__(self, done: int, total: int) -> None:
        """Take note of (battles done, battles in all)."""
        if self.kept is None:
            self.kept = done
            if done < total:
                self.prepare()
            self.start = self.told = monotonic()
            if done < total and sys.stderr.isatty():
                self._draw(done, total)
        self.played, self.seconds = done - self.kept, monotonic() - self.start
        if self.bar is not None:
            self.bar.update(self.bar.task_ids[0], completed=done, rate=self._rate())
        elif monotonic() - self.told >= INTERVAL:
            self.told = monotonic()
            left = f", {self.seconds / self.played * (total - done):.0f} s left" if self.played else ""
            print(f"{done:,} of {total:,} battles, {self._rate()}{left}", file=sys.stderr, flush=True)

    def _rate(self) -> str:
        return f"{self.played / self.seconds:,.0f} a second" if self.seconds else "-"

    def _draw(self, done: int, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (
            *(TextColumn("{task.completed:,} of {task.total:,} battles"), BarColumn(bar_width=None)),
            *(TextColumn("{task.fields[rate]}"), TimeRemainingColumn(compact=True), TextColumn("left")),
        )
        self.bar = Progress(*columns, console=Console(stderr=True))
        self.bar.add_task("", total=total, completed=done, rate="-")
        self.bar.start()


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show on a terminal that a piece of work without steps goes on.

    Examples
    --------
    >>> with working("counting"):
    ...     print(sum(range(4)))
    6
    """
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(what):
        yield
