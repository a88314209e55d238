"""What is kept of who is where, while a battle goes on, is what one finds by looking at everybody."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.coloniale_battles import random_rulebook, random_setup
from wargamesim.bits import ONE
from wargamesim.compiled import njit
from wargamesim.games.coloniale import sight
from wargamesim.games.coloniale.battle import RECORD, battle_of, play_battles
from wargamesim.games.coloniale.layout import IN_PLAY, SIDE, STATUS
from wargamesim.games.coloniale.whereabouts import look_anew

KEY = 1896
BATTLES = 120


@njit
def sees(state: Any, ground: Any, play: Any, one: int, other: int) -> bool:
    """Call what only compiled code may call."""
    return sight.sees(state, ground, play, one, other)


def test_units_on_the_table_and_who_sees_whom_are_right_in_the_midst_of_battles() -> None:
    rng = np.random.default_rng(KEY)
    kept = pairs = hidden = 0
    for number in range(BATTLES):
        setup = random_setup(rng, random_rulebook(rng, 0.3))
        setup.goals.turns = 1 + number % 6
        b = battle_of(setup, KEY)
        play_battles(b, setup.start, number, np.empty((2, RECORD), np.int64))
        state = b.state
        count = int(state.count)
        standing = [i for i in range(count) if state.unit[i, STATUS] == IN_PLAY]
        for side in range(2):
            bits = sum(1 << i for i in standing if state.unit[i, SIDE] == side)
            assert int(state.standing[side]) == bits
        known = [(i, j) for i in standing for j in standing if i < j]
        kept += sum(bool(state.looked[i] >> np.uint64(j) & ONE) for i, j in known)
        found = [sees(state, b.ground, b.play, i, j) for i, j in known]
        look_anew(state)
        assert found == [sees(state, b.ground, b.play, j, i) for i, j in known]
        pairs, hidden = pairs + len(known), hidden + found.count(False)
    # Some had looked before and stood still since, and not all see each other: the test is of these.
    assert kept > 200
    assert hidden > pairs / 20
