"""How a run tells how far it has got."""

from __future__ import annotations

import io
import sys

import pytest

from wargamesim.report import progress
from wargamesim.report.progress import Meter


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(progress, "monotonic", clock)
    return clock


def test_without_a_terminal_there_is_a_line_every_half_minute(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with Meter(lambda: None) as meter:
        meter(1_000, 21_000)
        for second in range(1, 101):
            clock.now += 1
            meter(1_000 + 200 * second, 21_000)
    assert capsys.readouterr() == (
        "",
        "7,000 of 21,000 battles, 200 a second, 70 s left\n"
        "13,000 of 21,000 battles, 200 a second, 40 s left\n"
        "19,000 of 21,000 battles, 200 a second, 10 s left\n",
    )
    assert (meter.played, meter.seconds) == (20_000, 100)


def test_getting_ready_is_not_timed(clock: Clock) -> None:
    def prepare() -> None:
        clock.now += 40

    with Meter(prepare) as meter:
        meter(0, 100)
        clock.now += 2
        meter(100, 100)
    assert (clock.now, meter.seconds) == (142, 2)


def test_where_nothing_is_left_nothing_is_prepared(capsys: pytest.CaptureFixture[str]) -> None:
    prepared: list[int] = []
    with Meter(lambda: prepared.append(1)) as meter:
        meter(100, 100)
    assert (prepared, meter.played, capsys.readouterr()) == ([], 0, ("", ""))


def test_nothing_played_yet_is_no_division_by_zero(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with Meter(lambda: None) as meter:
        meter(0, 10)
        clock.now += 31
        meter(0, 10)
    assert capsys.readouterr().err == "0 of 10 battles, 0 a second\n"


def test_on_a_terminal_there_is_a_bar(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("COLUMNS", "100")
    with Meter(lambda: None) as meter:
        meter(0, 2_000)
        clock.now += 2
        meter(2_000, 2_000)
        assert meter.bar is not None
    assert meter.bar.finished
    shown = terminal.getvalue()
    assert "2,000 of 2,000 battles" in shown
    assert "1,000 a second" in shown


def test_a_bar_is_taken_down_when_a_run_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys, "stderr", terminal)
    meter = Meter(lambda: None)

    def interrupted() -> None:
        with meter:
            meter(0, 2_000)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert meter.bar is not None
    assert not meter.bar.live.is_started
