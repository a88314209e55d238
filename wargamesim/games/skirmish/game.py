"""The skirmish game as the rest of the package sees it: see `games.registry.Game`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from wargamesim.errors import InputError
from wargamesim.games.registry import Event, Metric, Scenario
from wargamesim.games.skirmish import odds as exact

if TYPE_CHECKING:
    import numpy as np

    from wargamesim.rulebook import Rulebook
    from wargamesim.table import Table


class Skirmish:
    """Skirmishes of single figures: exact odds of the rulebooks nordamerica and risorgimento."""

    name = "skirmish"
    sides = ("first", "second")
    outcomes = (*sides, "draw", "no_decision")
    metrics: tuple[Metric, ...] = ()
    questions = exact.questions

    def scenarios(self) -> list[str]:
        """Return the names of the shipped scenarios: there are none."""
        return []

    def load_scenario(self, name_or_path: str, folder: Path | None = None) -> Scenario:  # noqa: ARG002
        """Refuse: there are no battles."""
        _refuse()

    def restore_scenario(self, source: Mapping[str, Any]) -> Scenario:  # noqa: ARG002
        """Refuse: there are no battles."""
        _refuse()

    def compile(self, rulebook: Rulebook, scenario: Scenario) -> Any:  # noqa: ARG002
        """Refuse: there are no battles."""
        _refuse()

    def play(self, setup: Any, key: int, first: int, count: int) -> dict[str, np.ndarray]:  # noqa: ARG002
        """Refuse: there are no battles."""
        _refuse()

    def referee(self, setup: Any, key: int, battle: int) -> Iterator[Event]:  # noqa: ARG002
        """Refuse: there are no battles."""
        _refuse()

    def odds(self, rulebook: Rulebook, question: str, options: Mapping[str, str]) -> Table:
        """Answer a question exactly."""
        return exact.answer(rulebook, question, options)


def _refuse() -> NoReturn:
    raise InputError("battles of the skirmish game are not there yet; exact odds are")


GAME = Skirmish()
