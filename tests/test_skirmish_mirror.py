"""Whole skirmishes: equal sides win equally often, and what should help a side does not harm it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from wargamesim.games.skirmish.game import GAME
from wargamesim.games.skirmish.scenario import load_scenario
from wargamesim.rulebook import load_rulebook

BATTLES = 2000
# A difference by chance beyond so many standard errors: 1 in 4,000 a test, below 1 % for all tests of this file.
ERRORS = 3.7


def scores(scenario: Any, changes: dict[str, Any], key: int, rules: dict[str, Any] | None = None) -> np.ndarray:
    """Return the first side's score in each battle: 1, 1/2 or 0."""
    book = load_rulebook(scenario.content.rulebook).variant(rules or {})
    columns = GAME.play(GAME.compile(book, scenario.variant(changes)), key, 0, BATTLES)
    return np.array([1.0, 0.0, 0.5, 0.5])[columns["outcome"]]


@pytest.mark.parametrize("doctrine", ["firing_line", "aimed_line", "assault"])
def test_equal_sides_on_a_mirrored_table_win_equally_often(doctrine: str) -> None:
    got = scores(load_scenario("mirror"), {"first.doctrine": doctrine, "second.doctrine": doctrine}, key=11)
    assert got.std() > 0.2, "battles are decided"
    assert abs(got.mean() - 0.5) < ERRORS * got.std() / np.sqrt(BATTLES)


def test_which_side_comes_first_in_the_file_does_not_matter() -> None:
    mirror = load_scenario("mirror")
    one = scores(mirror, {"first.doctrine": "firing_line", "second.doctrine": "assault"}, key=12)
    other = 1 - scores(mirror, {"first.doctrine": "assault", "second.doctrine": "firing_line"}, key=13)
    error = np.sqrt((one.var() + other.var()) / BATTLES)
    assert abs(one.mean() - other.mean()) < ERRORS * error


COMPANY = "first.squads.company.regular"


@pytest.mark.parametrize(
    ("doctrine", "worse", "better"),
    [
        ("aimed_line", {f"{COMPANY}.count": 8}, {f"{COMPANY}.count": 9}),
        ("assault", {f"{COMPANY}.arm": "improvised"}, {f"{COMPANY}.arm": "bayonet"}),
        ("aimed_line", {f"{COMPANY}.weapon": "musket"}, {f"{COMPANY}.weapon": "rifle"}),
        ("aimed_line", {f"{COMPANY}.quality": "regular"}, {f"{COMPANY}.quality": "veteran"}),
    ],
    ids=["a figure more", "bayonets", "rifles", "veterans"],
)
def test_what_should_help_does_not_harm(doctrine: str, worse: dict[str, Any], better: dict[str, Any]) -> None:
    lines = load_scenario("line_against_line").variant({"first.doctrine": doctrine})
    gain = scores(lines, better, key=14) - scores(lines, worse, key=14)
    assert gain.std() > 0, "it matters"
    assert gain.mean() > -ERRORS * gain.std() / np.sqrt(BATTLES)


@pytest.mark.parametrize("first", ["aimed_line", "skirmish_screen"])
def test_the_farmhouse_is_a_contest_between_the_doctrines_that_fit_it(first: str) -> None:
    got = scores(load_scenario("farmhouse"), {"first.doctrine": first, "second.doctrine": "hold_cover"}, key=15)
    assert 0.3 < got.mean() < 0.7
