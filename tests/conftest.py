"""What holds for all tests: long proofs are asked for by name, and hypothesis tries the same examples every time."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "wargamesim",
    deadline=None,  # The first example of a compiled function compiles it.
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
settings.load_profile("wargamesim")


def pytest_configure(config: pytest.Config) -> None:
    """Leave proofs out unless `-m` says something else."""
    if not config.option.markexpr:
        config.option.markexpr = "not proof"
