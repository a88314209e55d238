"""Moves of the kernel on positions made by hand; see `test_skirmish_battle_fire` for the error."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.skirmish_positions import NORDAMERICA, figure, ground_of
from tests.skirmish_trials import AS_DECLARED, MOVE, least_chance, trials
from wargamesim.games.skirmish.checks import fall
from wargamesim.games.skirmish.layout import (
    ACTS,
    BLUE,
    CAPTURED,
    DEAD,
    DRAGS,
    EXIT,
    FACE_X,
    FACE_Y,
    GONE,
    GRAB,
    HIDDEN,
    HIDE,
    IN_PLAY,
    LEFT,
    LEVEL,
    LIE,
    LOADING,
    MOVED,
    MOVED_LAST,
    OUT,
    POSTURE,
    PRONE,
    RAN,
    REGULAR,
    ROLES,
    ROUNDS_FOUGHT,
    RUN,
    SHOOT_FIRST,
    SHOTS_FIRED,
    STAIRS,
    STAND,
    STATUS,
    TARGET,
    WET,
    WHAT,
    X,
    Y,
)
from wargamesim.games.skirmish.layout import MOVE as GO
from wargamesim.games.skirmish.melee import melee

FAMILY, COUNT = 1e-4, 20_000
MARSH, RIVER = [":" * 100] * 60, ["~" * 100] * 60
HERE, THERE = (50.0, 40.0), (50.0, 27.0)
WALKS = {TARGET: -1}
GOES = {WHAT: GO, TARGET: -1, GRAB: -1}


@pytest.mark.parametrize(
    ("kind", "lines", "roles"), [("run", [], 0), ("run", MARSH, REGULAR), ("ford", RIVER, REGULAR)]
)
def test_falls(kind: str, lines: list[str], roles: int) -> None:
    table = [figure(*HERE, also={ROLES: roles}), figure(5, 5, 1)]
    action = {**WALKS, RUN: int(kind == "run")}
    done = trials(MOVE, table, COUNT, ground=ground_of(lines), action=action, to=(50.0, 36.0))
    fell = done.figures[:, PRONE, 0] == 1
    grade = {"regular": bool(roles), "difficult": bool(lines)} if kind == "run" else {"regular": bool(roles)}
    chance = float(fall(NORDAMERICA, kind, **grade))
    assert least_chance([int(fell.sum())], COUNT, [chance]) > FAMILY
    if kind == "ford":
        # Who slips is wet, and goes on wading.
        assert np.array_equal(done.figures[:, WET, 0] == 1, fell)
        assert np.all(done.places[:, Y, 0] == 36)
    else:
        assert np.array_equal(done.places[:, Y, 0] == 40, fell)


@pytest.mark.parametrize(
    ("changes", "end"), [({}, 40.0), ({"NA-3.14": "half_move"}, 33.5), ({"NA-3.14": "whole_move"}, 27.0)]
)
def test_how_far_a_fallen_runner_gets(changes: dict[str, str], end: float) -> None:
    done = trials(MOVE, [figure(*HERE), figure(5, 5, 1)], 300, action={**WALKS, RUN: 1}, to=THERE, changes=changes)
    fell = done.figures[:, PRONE, 0] == 1
    assert set(done.places[fell][:, Y, 0].tolist()) == {end}
    assert set(done.places[~fell][:, Y, 0].tolist()) == {27.0}
    assert np.all(done.figures[:, RAN, 0] == 1)
    assert np.all(done.places[:, [FACE_X, FACE_Y], 0] == (0, -1))


def test_half_the_way_is_not_gone_onto_another() -> None:
    table = [figure(*HERE), figure(50, 33), figure(5, 5, 1)]
    changes = {"NA-3.14": "half_move"}
    done = trials(MOVE, table, 300, action={**WALKS, RUN: 1}, to=THERE, changes=changes)
    assert set(done.places[:, Y, 0].tolist()) == {40.0, 27.0}


@pytest.mark.parametrize(("option", "wet", "status"), [("wet", 1, IN_PLAY), ("drowns", 0, DEAD), ("swims", 0, IN_PLAY)])
def test_water(option: str, wet: int, status: int) -> None:
    table = [figure(*HERE), figure(5, 5, 1)]
    done = trials(MOVE, table, 300, ground=ground_of(RIVER), action=WALKS, to=(50.0, 36.0), changes={"NA-3.15": option})
    dry = done.count((WET, 0, 0), (PRONE, 0, 0), (STATUS, 0, IN_PLAY))
    assert 0 < dry < 300
    assert done.count((WET, 0, wet), (STATUS, 0, status), (PRONE, 0, int(option != "drowns"))) == 300 - dry


def test_posture() -> None:
    lies = trials(MOVE, [figure(*HERE), figure(5, 5, 1)], 5, action={**WALKS, POSTURE: LIE}, to=(50.0, 36.0))
    assert lies.count((PRONE, 0, 1), (MOVED, 0, 1), (MOVED_LAST, 0, 1), (RAN, 0, 0)) == 5
    table = [figure(*HERE, also={PRONE: 1}), figure(5, 5, 1)]
    stands = trials(MOVE, table, 5, action={**WALKS, POSTURE: STAND}, to=(50.0, 36.0))
    assert stands.count((PRONE, 0, 0)) == 5
    assert np.all(stands.places[:, Y, 0] == 36)


def test_contact_makes_a_round_the_callers_affair() -> None:
    """`move` ends in contact; the round is begun by what called it."""
    done = trials(MOVE, [figure(*HERE), figure(50, 34, 1)], 50, action=WALKS, to=(50.0, 36.0))
    assert not done.tallies[:, ROUNDS_FOUGHT].any()
    assert np.all(done.places[:, Y, 0] == 36)


def test_leaving_by_the_edge_with_a_prisoner() -> None:
    table = [figure(50, 2, also={DRAGS: 1}), figure(50, 2, 1, also={STATUS: CAPTURED}), figure(5, 50, 1)]
    done = trials(MOVE, table, 5, action={**WALKS, EXIT: 1}, to=(50.0, 1.0))
    assert done.count((STATUS, 0, LEFT), (STATUS, 1, OUT), (DRAGS, 0, -1)) == 5
    assert np.all(done.tallies[:, GONE] == 1)


def test_what_is_dragged_comes_along() -> None:
    table = [figure(50, 40, also={DRAGS: 1}), figure(50, 40, 1, also={STATUS: CAPTURED}), figure(5, 50, 1)]
    done = trials(MOVE, table, 5, action=WALKS, to=(50.0, 32.0))
    assert np.all(done.places[:, [X, Y], 1] == (50, 32))


def test_free_hits() -> None:
    """Whoever leaves contact is struck at, and the striker comes to no harm (NA-7.2)."""
    pair = [figure(*HERE), figure(50, 38, 1, die=10)]
    done = trials(MOVE, pair, COUNT, action=WALKS, to=(50.0, 48.0), changes={"NA-7.2": "free_hit"})
    exact = melee(NORDAMERICA, 10, 6)
    killed = done.count((STATUS, 0, DEAD))
    wounded = done.count((STATUS, 0, IN_PLAY), (BLUE, 0, 1))
    chances = [float(exact.b_killed), float(exact.b_wounded + exact.b_marked)]
    assert least_chance([killed, wounded], COUNT, chances) > FAMILY
    assert done.count((STATUS, 1, IN_PLAY), (BLUE, 1, 0)) == COUNT
    gone = done.places[:, Y, 0] == 48
    assert int(gone.sum()) == COUNT - killed
    free = trials(MOVE, pair, 50, action=WALKS, to=(50.0, 48.0))
    assert np.all(free.places[:, Y, 0] == 48)


def wood(depth: float) -> Any:
    return ground_of(["#" * 100] * 20 + ["." * 100] * 40, depth=depth)


@pytest.mark.parametrize(("depth", "y", "seen"), [(3.0, 33.0, True), (3.0, 36.0, False), (6.0, 33.0, False)])
def test_spotting(depth: float, y: float, seen: bool) -> None:
    """Within 15 cm of who hides no deeper than 5 cm (NA-6.3, NA-6.5)."""
    table = [figure(*HERE), figure(50, 18.5, 1, also={HIDDEN: 1})]
    done = trials(MOVE, table, 5, ground=wood(depth), action=WALKS, to=(50.0, y))
    assert done.count((HIDDEN, 1, int(not seen))) == 5


@pytest.mark.parametrize(("to", "enemy", "hides"), [(18.5, 40.0, 1), (18.5, 33.0, 0), (24.0, 40.0, 0)])
def test_hiding_again(to: float, enemy: float, hides: int) -> None:
    table = [figure(50, 26), figure(50, enemy, 1)]
    action = {**WALKS, HIDE: int(to < 20)}
    done = trials(MOVE, table, 5, ground=wood(3.0), action=action, to=(50.0, to))
    assert done.count((HIDDEN, 0, hides)) == 5


HOUSE = ["@" * 40 + "." * 60] * 60


def upstairs(*figures: Any, level: int = 1, floors: int = 2, count: int = 4, **more: Any) -> Any:
    """Let figure 0 take the stairs of a house that covers the west of the table."""
    ground = ground_of(HOUSE)
    ground.floors[:] = 1, floors, *[1] * 14
    action = {WHAT: STAIRS, TARGET: level, GRAB: -1}
    return trials(AS_DECLARED, [*figures, figure(90, 5, 1)], count, ground=ground, action=action, **more)


def test_stairs_take_the_whole_action() -> None:
    """Up or down by a floor, in place (NA-3.9)."""
    for here, to in ((0, 1), (1, 0)):
        done = upstairs(figure(20, 20, also={LEVEL: here, RAN: 1}), level=to)
        assert done.count((LEVEL, 0, to), (MOVED, 0, 1), (MOVED_LAST, 0, 1), (RAN, 0, 0), (ACTS, 0, 1)) == 4
        assert np.all(done.places[:, [X, Y], 0] == (20, 20))


@pytest.mark.parametrize(
    ("other", "also", "goes"),
    [
        (figure(21, 20), {}, True),  # on the floor that it leaves
        (figure(21, 20, also={LEVEL: 1}), {}, False),
        (figure(22, 20, also={LEVEL: 1}), {}, True),
        (figure(30, 20), {PRONE: 1}, False),
    ],
)
def test_stairs_need_room_and_legs(other: Any, also: dict[int, int], goes: bool) -> None:
    assert upstairs(figure(20, 20, also=also), other).count((LEVEL, 0, int(goes))) == 4


def test_nobody_leaves_a_fight_by_the_stairs() -> None:
    for timing in ("on_activation", "end_of_turn"):
        done = upstairs(figure(20, 20), figure(22, 20, 1, weapon=None), changes={"NA-7.2": timing})
        assert done.count((LEVEL, 0, 0)) == 4


@pytest.mark.parametrize(("foe_at", "rounds"), [(1, 1), (0, 0)])
def test_contact_upstairs_is_a_round(foe_at: int, rounds: int) -> None:
    """Whoever comes up beside an enemy fights him; who stays below has nothing to do with him."""
    foe = figure(22, 20, 1, weapon=None, also={LEVEL: foe_at})
    done = upstairs(figure(20, 20, weapon=None, also={LEVEL: 2 * (1 - foe_at)}), foe, floors=3)
    assert np.all(done.tallies[:, ROUNDS_FOUGHT] == rounds)
    assert done.count((LEVEL, 0, 1)) == 4


@pytest.mark.parametrize(("to", "level", "goes"), [(45.0, 0, True), (45.0, 1, False), (35.0, 1, True)])
def test_the_house_is_left_on_the_ground(to: float, level: int, goes: bool) -> None:
    """A move on an upper floor ends in the house and leads through nothing else."""
    done = trials(
        AS_DECLARED,
        [figure(36, 20, also={LEVEL: level}), figure(90, 5, 1)],
        2,
        ground=ground_of(HOUSE),
        action=GOES,
        to=(to, 20.0),
    )
    assert np.all((done.places[:, X, 0] == to) == goes)


def test_a_move_passes_under_others() -> None:
    """Who stands on another floor is not in the way, and a move that ends beneath him is no contact."""
    for level, stops in ((0, True), (1, False)):
        table = [figure(30, 20), figure(30, 24, 1, also={LEVEL: level}), figure(90, 5, 1)]
        done = trials(AS_DECLARED, table, 2, ground=ground_of(HOUSE), action=GOES, to=(30.0, 29.0))
        assert np.all((done.places[:, Y, 0] == 20) == stops)
        done = trials(AS_DECLARED, table, 2, ground=ground_of(HOUSE), action=GOES, to=(30.0, 22.0))
        assert np.all(done.tallies[:, ROUNDS_FOUGHT] == int(stops))


@pytest.mark.parametrize("first", [0, 1])
def test_a_shot_before_a_short_move(first: int) -> None:
    """`move` fires the shot that comes before; the one after is the caller's affair (NA-3.17)."""
    table = [figure(*HERE), figure(50, 20, 1)]
    action = {TARGET: 1, SHOOT_FIRST: first}
    done = trials(MOVE, table, 50, action=action, to=(50.0, 37.0), changes={"NA-3.17": "short_move"})
    assert np.all(done.tallies[:, SHOTS_FIRED] == first)
    assert done.count((LOADING, 0, 3 * first)) == 50
