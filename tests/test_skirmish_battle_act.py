"""Whole activations of the kernel: thrown weapons and fetching them, and leading prisoners.

See `test_skirmish_battle_fire` for the error.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.skirmish_positions import NORDAMERICA, RISORGIMENTO, Figure, figure, ground_of
from tests.skirmish_trials import AIMED, AS_DECLARED, ROUND, Trials, least_chance, trials
from wargamesim.games.skirmish.layout import (
    BLUE,
    CAPTURED,
    DEAD,
    DRAGS,
    DROP_X,
    DROP_Y,
    EXIT,
    GRAB,
    LEFT,
    LOADING,
    LOADING_2,
    MELEE_DIE,
    MOVE,
    OTHER_DIE,
    OUT,
    SPENT,
    STATUS,
    TAKE,
    TARGET,
    WHAT,
    X,
    Y,
)
from wargamesim.games.skirmish.melee import melee

FAMILY, COUNT = 1e-4, 20_000
HERE = (50.0, 40.0)
GOES = {WHAT: MOVE, TARGET: -1, GRAB: -1}
# Who has thrown what lies 8 cm ahead, and is left with the die of the unarmed.
EMPTY_HANDED = figure(
    *HERE, weapon=None, second="tomahawk", die=6, drop=(50, 32), also={OTHER_DIE: 8, LOADING_2: SPENT}
)


@pytest.mark.parametrize(("option", "left"), [("lost", (SPENT, 6)), ("recoverable", (SPENT, 6)), ("unlimited", (0, 8))])
def test_a_thrown_weapon_takes_its_die_along(option: str, left: tuple[int, int]) -> None:
    """Without its tomahawk a figure fights unarmed (NA-4.23), whether the throw hits or not."""
    table = [figure(50, 40, weapon="tomahawk", die=8, also={OTHER_DIE: 6}), figure(50, 36, 1)]
    done = trials(AIMED, table, 200, changes={"NA-4.23": option})
    assert done.count((LOADING, 0, left[0]), (MELEE_DIE, 0, left[1]), (OTHER_DIE, 0, 14 - left[1])) == 200
    assert 0 < done.count((BLUE, 1, 0)) < 200
    lies = (50, 36) if option == "recoverable" else (0, 0)
    assert np.all(done.places[:, [DROP_X, DROP_Y], 0] == lies)


@pytest.mark.parametrize("die", [8, 6])
def test_a_round_is_fought_with_the_die_in_hand(die: int) -> None:
    exact = melee(NORDAMERICA, die, 6)
    done = trials(ROUND, [figure(*HERE, weapon=None, die=die), figure(50, 38, 1, weapon=None)], COUNT)
    assert least_chance([done.count((STATUS, 1, DEAD))], COUNT, [float(exact.b_killed)]) > FAMILY


def fetches(to: tuple[float, float], *others: Figure, option: str = "recoverable", count: int = 20) -> Trials:
    table = [EMPTY_HANDED, *others, figure(5, 5, 1)]
    return trials(AS_DECLARED, table, count, action=GOES, to=to, changes={"NA-4.23": option})


@pytest.mark.parametrize(
    ("to", "option", "has"),
    [
        ((50.0, 34.0), "recoverable", True),  # the width of a base away
        ((50.0, 34.01), "recoverable", False),
        ((50.0, 31.0), "recoverable", True),
        ((50.0, 32.0), "lost", False),
        ((50.0, 40.0), "recoverable", False),
    ],
)
def test_a_tomahawk_is_fetched_by_moving_to_it(to: tuple[float, float], option: str, has: bool) -> None:
    done = fetches(to, option=option)
    assert np.all(done.places[:, [X, Y], 0] == to)
    assert done.count((LOADING_2, 0, 0 if has else SPENT), (MELEE_DIE, 0, 8 if has else 6)) == 20
    assert done.count((OTHER_DIE, 0, 6 if has else 8)) == 20


def test_nobody_fetches_what_he_must_fight_for() -> None:
    """He goes in with the bare die, and has the tomahawk only if he has killed the man who stood on it."""
    done = fetches((50.0, 34.0), figure(50, 32, 1, weapon=None), count=COUNT)
    won, lost = done.figures[:, STATUS, 1] == DEAD, done.figures[:, STATUS, 0] == DEAD
    exact = melee(NORDAMERICA, 6, 6)
    counts, chances = [int(won.sum()), int(lost.sum())], [float(exact.b_killed), float(exact.a_killed)]
    assert least_chance(counts, COUNT, chances) > FAMILY
    assert np.array_equal(done.figures[:, LOADING_2, 0] == 0, won)


PRISONER = figure(50, 38, 1, weapon=None, also={STATUS: CAPTURED})
LED = [figure(50, 58, also={DRAGS: 1}), figure(50, 58, 1, weapon=None, also={STATUS: CAPTURED}), figure(5, 5, 1)]


@pytest.mark.parametrize(("book", "changes"), [(NORDAMERICA, {}), (RISORGIMENTO, {"RI-7.11": "escorted"})])
def test_a_captor_leads_his_prisoner_away(book: Any, changes: dict[str, str]) -> None:
    """He takes hold of him, goes on from the place that both share, and leaves the table with him (NA-3.5, NA-7.15)."""
    more: dict[str, Any] = {"book": book, "changes": changes, "goals": {"exit_edge": (3, 0)}}
    takes = {WHAT: TAKE, TARGET: -1, GRAB: 1}
    for y, holds in ((40.0, 1), (41.0, 1), (41.1, -1)):
        done = trials(AS_DECLARED, [figure(50, y), PRISONER, figure(5, 5, 1)], 5, action=takes, **more)
        assert done.count((DRAGS, 0, holds)) == 5
    goes = trials(AS_DECLARED, LED, 5, action=GOES, to=(50.0, 57.0), **more)
    assert np.all(goes.places[:, [X, Y], 0] == (50, 57))
    assert np.all(goes.places[:, [X, Y], 1] == (50, 57))
    leaves = trials(AS_DECLARED, LED, 5, action={**GOES, EXIT: 1}, to=(50.0, 59.0), **more)
    assert leaves.count((STATUS, 0, LEFT), (STATUS, 1, OUT), (DRAGS, 0, -1)) == 5


def test_a_prisoner_is_in_the_way_of_others() -> None:
    table = [figure(*HERE), *LED[:2], figure(5, 5, 1)]
    table = [table[0], {**LED[0], "also": {DRAGS: 2}}, LED[1], figure(5, 5, 1)]
    for y, goes in ((57.0, False), (50.0, True)):
        done = trials(AS_DECLARED, table, 2, action=GOES, to=(50.0, y))
        assert np.all((done.places[:, Y, 0] == y) == goes)


@pytest.mark.parametrize(("letter", "most"), [(".", 10.0), (":", 5.0)])
def test_dragging_is_slow_on_bad_ground(letter: str, most: float) -> None:
    """10 cm, and 5 cm where it is difficult (NA-3.5)."""
    for far, goes in ((most, True), (most + 0.01, False)):
        done = trials(AS_DECLARED, LED, 2, action=GOES, to=(50.0, 58.0 - far), ground=ground_of([letter * 100] * 60))
        assert np.all((done.places[:, Y, 1] < 58) == goes)
