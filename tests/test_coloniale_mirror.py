"""Neither side has an advantage but its units: equal armies of Coloniale win equally often."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from wargamesim.games.coloniale.game import GAME
from wargamesim.games.coloniale.layout import FIRST, SECOND
from wargamesim.games.coloniale.scenario import load_scenario
from wargamesim.rulebook import load_rulebook
from wargamesim.study.intervals import normal_quantile, wilson

# The chance that any of the tests below fails though nothing is wrong is FAMILY.
FAMILY = 1e-3
CELLS = [
    ("mirror", "advance_and_fire"),
    ("mirror", "assault"),
    ("mirror", "march"),
    ("twelve_a_side", "march"),
    ("one_figure_battalions", "advance_and_fire"),
]
TESTS = 2 * len(CELLS) + 1
LEVEL = 1 - FAMILY / TESTS
BATTLES = 2000


def play(name: str, first: str, second: str, key: int) -> dict[str, Any]:
    scenario = load_scenario(name).variant({"first.doctrine": first, "second.doctrine": second})
    return GAME.play(GAME.compile(load_rulebook("coloniale"), scenario), key, 0, BATTLES)


@pytest.mark.parametrize(("name", "doctrine"), CELLS)
def test_equal_armies_win_and_lose_as_much(name: str, doctrine: str) -> None:
    columns = play(name, doctrine, doctrine, key=1885)
    first, second = (int((columns["outcome"] == side).sum()) for side in (FIRST, SECOND))
    interval = wilson(first, first + second, LEVEL)
    assert interval.low < 0.5 < interval.high
    assert first + second > BATTLES / 5, "battles are decided"
    difference = columns["first_left"].astype(float) - columns["second_left"]
    assert difference.std() > 0
    assert abs(difference.mean()) < normal_quantile(LEVEL) * difference.std() / np.sqrt(BATTLES)


def test_which_side_comes_first_in_the_file_does_not_matter() -> None:
    one, other = play("mirror", "assault", "hold", key=1), play("mirror", "hold", "assault", key=2)
    wins = [one["outcome"] == FIRST, other["outcome"] == SECOND]
    pooled = np.concatenate(wins).mean()
    assert abs(wins[0].mean() - wins[1].mean()) < normal_quantile(LEVEL) * np.sqrt(2 * pooled * (1 - pooled) / BATTLES)
