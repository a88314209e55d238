"""What is kept of who is where, while a battle goes on, is what one finds by looking at everybody."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.skirmish_battles import Case, cases, setup_of_case
from wargamesim.compiled import njit
from wargamesim.dice.keys import battle_key
from wargamesim.games.skirmish import sight
from wargamesim.games.skirmish.battle import RECORD, battle_of, play_battles
from wargamesim.games.skirmish.layout import (
    BOX_EAST,
    BOX_NORTH,
    BOX_SOUTH,
    BOX_WEST,
    CAPTURED,
    IN_PLAY,
    SQUAD,
    STATUS,
    X,
    Y,
)
from wargamesim.games.skirmish.referee_table import Table
from wargamesim.games.skirmish.whereabouts import NEVER, look_anew

SEED = 1812
BATTLES = 90


@njit
def look(state: Any, figure: int) -> int:
    """Call what only compiled code may call."""
    return sight.nearest_known(state, figure)


def stopped(case: Case) -> Any:
    """Return a setup, and the kernel's battle when it had played a few turns, as it had it then."""
    setup = setup_of_case(case)
    setup.goals.turns = 1 + case.number % 9
    b = battle_of(setup, battle_key(SEED))
    play_battles(b, setup.start, case.number, np.empty((2, RECORD), np.int64))
    return setup, b


def nearest(table: Table, figure: int) -> int:
    """Return the nearest known enemy, the first of several, or -1."""
    known = [(table.distance(figure, enemy), enemy) for enemy in table.known(figure)]
    return min(known)[1] if known else -1


def test_nearest_enemies_and_boxes_are_right_in_the_midst_of_battles() -> None:
    kept = looks = 0
    for case in cases(BATTLES, SEED):
        setup, b = stopped(case)
        state = b.state
        table = Table(state, setup.ground, setup.play)
        for i in range(state.count):
            if state.figure[STATUS, i] in (IN_PLAY, CAPTURED):
                box = state.box[state.figure[SQUAD, i]]
                assert box[BOX_WEST] <= state.place[X, i] <= box[BOX_EAST]
                assert box[BOX_NORTH] <= state.place[Y, i] <= box[BOX_SOUTH]
            if state.figure[STATUS, i] == IN_PLAY:
                looks += 1
                kept += int(state.looked[i] != NEVER)
                assert look(state, i) == nearest(table, i), (case, i)
    # Most had looked before, and many had no need to look again: the test is of these.
    assert kept > looks / 2 > 300


@pytest.mark.parametrize("case", list(cases(9, SEED)), ids=lambda case: case.scenario)
def test_boxes_drawn_anew_are_as_small_as_can_be(case: Case) -> None:
    _, b = stopped(case)
    state = b.state
    look_anew(state)
    for squad in range(state.squads):
        there = np.isin(state.figure[STATUS], (IN_PLAY, CAPTURED)) & (state.figure[SQUAD] == squad)
        there[state.count :] = False
        x, y = state.place[X, there], state.place[Y, there]
        if there.any():
            assert state.box[squad].tolist() == [x.min(), y.min(), x.max(), y.max()]
        else:
            assert state.box[squad].tolist() == [np.inf, np.inf, -np.inf, -np.inf]
