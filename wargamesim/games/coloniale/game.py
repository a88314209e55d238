"""Coloniale as the rest of the package sees it: see `games.registry.Game`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from wargamesim.errors import InputError
from wargamesim.games.coloniale import odds as exact

if TYPE_CHECKING:
    import numpy as np

    from wargamesim.games.registry import Event, Metric, Scenario
    from wargamesim.rulebook import Rulebook
    from wargamesim.table import Table


def _no_battles() -> NoReturn:
    raise InputError("battles of coloniale are not there yet; exact odds are (`wargamesim odds coloniale`)")


class Coloniale:
    """The game of Coloniale: rulebook in, exact odds out."""

    name = "coloniale"
    sides = ("first", "second")
    outcomes = ("first", "second", "draw", "no_decision")
    metrics: tuple[Metric, ...] = ()
    questions = exact.questions

    def scenarios(self) -> list[str]:
        """Return the names of the shipped scenarios: none yet."""
        return []

    def load_scenario(self, name_or_path: str, folder: Path | None = None) -> Scenario:  # noqa: ARG002
        """Raise `InputError`: there are no battles yet."""
        _no_battles()

    def restore_scenario(self, source: Mapping[str, Any]) -> Scenario:  # noqa: ARG002
        """Raise `InputError`: there are no battles yet."""
        _no_battles()

    def compile(self, rulebook: Rulebook, scenario: Scenario) -> Any:  # noqa: ARG002
        """Raise `InputError`: there are no battles yet."""
        _no_battles()

    def play(self, setup: Any, key: int, first: int, count: int) -> dict[str, np.ndarray]:  # noqa: ARG002
        """Raise `InputError`: there are no battles yet."""
        _no_battles()

    def referee(self, setup: Any, key: int, battle: int) -> Iterator[Event]:  # noqa: ARG002
        """Raise `InputError`: there are no battles yet."""
        _no_battles()

    def odds(self, rulebook: Rulebook, question: str, options: Mapping[str, str]) -> Table:
        """Answer a question exactly."""
        return exact.answer(rulebook, question, options)


GAME = Coloniale()
