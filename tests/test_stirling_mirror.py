"""Neither side has an advantage but its units: equal armies of Stirling win equally often."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from wargamesim.games.stirling.game import GAME
from wargamesim.games.stirling.layout import FIRST, SECOND
from wargamesim.games.stirling.scenario import load_scenario
from wargamesim.rulebook import load_rulebook
from wargamesim.study.intervals import normal_quantile, wilson

# The chance that any of the tests below fails though nothing is wrong is FAMILY.
FAMILY = 1e-3
CELLS = [
    ("mirror", "advance"),
    ("mirror", "hold_line"),
    ("mirror", "countercharge"),
    ("eight_a_side", "advance"),
    ("divided_army", "advance"),
]
TESTS = 2 * len(CELLS) + 1
LEVEL = 1 - FAMILY / TESTS
BATTLES = 3000


def play(name: str, first: str, second: str, key: int) -> dict[str, Any]:
    scenario = load_scenario(name).variant({"first.doctrine": first, "second.doctrine": second})
    return GAME.play(GAME.compile(load_rulebook("stirling"), scenario), key, 0, BATTLES)


@pytest.mark.parametrize(("name", "doctrine"), CELLS)
def test_equal_armies_win_and_lose_as_much(name: str, doctrine: str) -> None:
    columns = play(name, doctrine, doctrine, key=1297)
    first, second = (int((columns["outcome"] == side).sum()) for side in (FIRST, SECOND))
    interval = wilson(first, first + second, LEVEL)
    assert interval.low < 0.5 < interval.high
    assert first + second > BATTLES / 5, "battles are decided"
    difference = columns["first_removed"].astype(float) - columns["second_removed"]
    assert difference.std() > 0
    assert abs(difference.mean()) < normal_quantile(LEVEL) * difference.std() / np.sqrt(BATTLES)


def test_which_side_comes_first_in_the_file_does_not_matter() -> None:
    one, other = play("mirror", "advance", "hold_line", key=1), play("mirror", "hold_line", "advance", key=2)
    wins = [one["outcome"] == FIRST, other["outcome"] == SECOND]
    pooled = np.concatenate(wins).mean()
    assert abs(wins[0].mean() - wins[1].mean()) < normal_quantile(LEVEL) * np.sqrt(2 * pooled * (1 - pooled) / BATTLES)
