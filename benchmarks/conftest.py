"""Prints what the benchmarks found out besides their times: their `extra_info`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

FOUND: list[tuple[str, dict[str, object]]] = []


@pytest.fixture(autouse=True)
def _remember(request: pytest.FixtureRequest, benchmark: Any) -> Iterator[None]:
    yield
    FOUND.append((request.node.name, benchmark.extra_info))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print one line a benchmark."""
    for name, info in FOUND:
        if info:
            terminalreporter.write_line(f"{name}: " + ", ".join(f"{key} {value}" for key, value in info.items()))
