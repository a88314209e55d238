"""Orders that were declared: what of them can still be done (NA-2.8), and when; see `test_skirmish_battle_fire`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.skirmish_battles import book_of, play_one, scenario
from tests.skirmish_positions import RISORGIMENTO, Figure, figure
from tests.skirmish_trials import AS_DECLARED, Trials, least_chance, trials
from wargamesim.games.skirmish.battle_record import ACTION, CARD, MORALE_TEST, VOLLEYED
from wargamesim.games.skirmish.layout import (
    BLUE,
    CAPTURED,
    DEAD,
    DRAGS,
    EXIT,
    FIGHT,
    GRAB,
    HIDDEN,
    IN_PLAY,
    LEFT,
    LOADING,
    MOVE,
    MOVED,
    MOVED_LAST,
    POSTURE,
    POSTURE_SHOT,
    PRONE,
    RELOAD,
    ROUNDS,
    ROUNDS_FOUGHT,
    SHOOT,
    SHOTS_FIRED,
    STAND,
    STATUS,
    TAKE,
    TARGET,
    TRIES,
    WHAT,
    WOUNDS,
    Y,
)
from wargamesim.games.skirmish.scenario import compile_setup

FAMILY, COUNT, KEY = 1e-4, 20_000, 5
HERE = (50.0, 40.0)
FAR_AWAY = figure(5, 5, 1)


def ordered(what: int, figures: list[Figure], count: int = 4, to: Any = HERE, **more: Any) -> Trials:
    """Carry out the order of figure 0; `action` has what is not usual about it."""
    action = {WHAT: what, TARGET: -1, GRAB: -1, **more.pop("action", {})}
    done = trials(AS_DECLARED, figures, count, action=action, to=to, **more)
    # Whatever becomes of it, it costs the action.
    assert done.count((TRIES, 0, 1)) == count
    return done


def moved(done: Trials) -> bool:
    """Tell whether figure 0 has left its place, always or never."""
    went = done.places[:, Y, 0] != HERE[1]
    assert np.all(went == went[0])
    return bool(went[0])


@pytest.mark.parametrize(
    ("others", "also", "goes"),
    [
        ([], {}, True),
        # Somebody stands there, or a foe on the way; a friend on the way does not matter.
        ([figure(50, 31)], {}, False),
        ([figure(50, 36, 1)], {}, False),
        ([figure(50, 36)], {}, True),
        # It has been wounded, or fell, since it was told to go 8 cm.
        ([], {WOUNDS: 1}, False),
        ([], {PRONE: 1}, False),
    ],
)
def test_a_move(others: list[Figure], also: dict[int, int], goes: bool) -> None:
    done = ordered(MOVE, [figure(*HERE, also=also), *others, FAR_AWAY], to=(50.0, 32.0))
    assert moved(done) == goes
    assert done.count((MOVED, 0, int(goes)), (MOVED_LAST, 0, int(goes))) == 4


def test_a_move_off_the_table() -> None:
    """A wound leaves half of its 10 cm: 5 cm to the edge, and nothing beyond (NA-3.11)."""
    for wounds, way, leaves in ((0, 4.0, True), (1, 4.0, True), (1, 5.5, False)):
        table = [figure(50, 60 - way, also={WOUNDS: wounds}), FAR_AWAY]
        done = ordered(MOVE, table, to=(50.0, 59.0), action={EXIT: 1}, goals={"exit_edge": (3, 0)})
        assert done.count((STATUS, 0, LEFT)) == 4 * int(leaves)


@pytest.mark.parametrize("what", [MOVE, POSTURE_SHOT])
def test_a_change_of_posture(what: int) -> None:
    """Who was told to stand up stands already."""
    for prone in (0, 1):
        table = [figure(*HERE, also={PRONE: prone}), figure(50, 25, 1)]
        action = {POSTURE: STAND, TARGET: 1 if what == POSTURE_SHOT else -1}
        done = ordered(what, table, to=(50.0, 37.0), action=action)
        assert done.count((PRONE, 0, 0)) == 4
        acts = done.places[:, Y, 0] == 37 if what == MOVE else done.tallies[:, SHOTS_FIRED] == 1
        assert np.all(acts == bool(prone))


TARGET_AT = figure(50, 25, 1)


@pytest.mark.parametrize(
    ("foes", "fires"),
    [
        ([TARGET_AT], True),
        ([{**TARGET_AT, "also": {STATUS: DEAD}}], False),
        ([{**TARGET_AT, "also": {HIDDEN: 1}}], False),
        ([figure(5, 10, 1)], False),  # 54 cm away
        # One who is nearer has come to light; one who hides does not count.
        ([TARGET_AT, figure(50, 26.5, 1)], False),
        ([TARGET_AT, figure(50, 26.5, 1, also={HIDDEN: 1})], True),
        # It is in contact now.
        ([TARGET_AT, figure(52, 40, 1)], False),
    ],
)
def test_a_shot(foes: list[Figure], fires: bool) -> None:
    done = ordered(SHOOT, [figure(*HERE), *foes], action={TARGET: 1})
    assert np.all(done.tallies[:, SHOTS_FIRED] == int(fires))


def test_a_shot_at_one_who_fights_now() -> None:
    table = [figure(*HERE), figure(50, 23), TARGET_AT, FAR_AWAY]
    for changes, fires in (({}, 0), ({"RI-4.7": "allowed"}, 1)):
        done = ordered(SHOOT, table, action={TARGET: 2}, book=RISORGIMENTO, changes=changes)
        assert np.all(done.tallies[:, SHOTS_FIRED] == fires)


@pytest.mark.parametrize("status", [IN_PLAY, DEAD])
def test_a_reload_loses_its_snap_shot_alone(status: int) -> None:
    table = [figure(*HERE, also={LOADING: 1, ROUNDS: 0}), figure(50, 25, 1, also={STATUS: status}), FAR_AWAY]
    done = ordered(RELOAD, table, 200, action={TARGET: 1})
    fired = done.tallies[:, SHOTS_FIRED] == 1
    assert bool(fired.any()) == (status == IN_PLAY)
    assert done.count((LOADING, 0, 0), (ROUNDS, 0, 1)) == 200 - int(fired.sum())


@pytest.mark.parametrize("status", [IN_PLAY, DEAD])
def test_a_move_loses_its_shot_alone(status: int) -> None:
    table = [figure(*HERE), figure(50, 25, 1, also={STATUS: status}), FAR_AWAY]
    done = ordered(MOVE, table, to=(50.0, 37.0), action={TARGET: 1}, changes={"NA-3.17": "short_move"})
    assert moved(done)
    assert np.all(done.tallies[:, SHOTS_FIRED] == int(status == IN_PLAY))


@pytest.mark.parametrize(("y", "fights"), [(38.0, True), (30.0, False)])
def test_a_round_needs_an_enemy(y: float, fights: bool) -> None:
    done = ordered(FIGHT, [figure(*HERE), figure(50, y, 1)])
    assert np.all(done.tallies[:, ROUNDS_FOUGHT] == int(fights))


@pytest.mark.parametrize("timing", ["on_activation", "end_of_turn", "free_hit"])
def test_whoever_is_in_contact_now_does_not_reload(timing: str) -> None:
    """He fights or leaves (NA-7.1), unless close combats wait for the end of the turn (NA-7.2)."""
    done = ordered(RELOAD, [figure(*HERE, also={LOADING: 2, ROUNDS: 0}), figure(50, 38, 1)], changes={"NA-7.2": timing})
    assert done.count((LOADING, 0, 1 if timing == "end_of_turn" else 2)) == 4
    assert not done.tallies[:, ROUNDS_FOUGHT].any()


@pytest.mark.parametrize(
    ("also", "prisoner", "takes"), [({}, CAPTURED, True), ({DRAGS: 2}, CAPTURED, False), ({}, IN_PLAY, False)]
)
def test_a_grip(also: dict[int, int], prisoner: int, takes: bool) -> None:
    """Another has hold of him by now, or he is free again."""
    table = [figure(*HERE), figure(50, 35, also=also), figure(52, 38, 1, also={STATUS: prisoner}), FAR_AWAY]
    done = ordered(TAKE, table, action={GRAB: 2})
    assert done.count((DRAGS, 0, 2 if takes else -1)) == 4


def test_a_pinned_figure_does_not_do_what_was_declared() -> None:
    """Its player decides anew, and it has no cover to go to (NA-8.4)."""
    done = ordered(MOVE, [figure(*HERE, also={BLUE: 1}), TARGET_AT], COUNT, to=(50.0, 32.0))
    steady = done.figures[:, BLUE, 0] == 0
    # Alone: a 5 and a 6 are steady, a 1 is a rout (NA-8.2e).
    counts = [int(steady.sum()), done.count((STATUS, 0, IN_PLAY))]
    assert least_chance(counts, COUNT, [2 / 6, 5 / 6]) > FAMILY
    assert np.array_equal(done.places[:, Y, 0] == 32, steady)


def acted(trace: list[tuple[int, ...]]) -> Iterator[list[int]]:
    """Yield the figures that acted on each card, in their order."""
    figures: list[int] = []
    for event in trace:
        if event[1] == CARD:
            yield figures
            figures = []
        elif event[1] == VOLLEYED:  # They fire before the others.
            figures = []
        elif event[1] in (ACTION, MORALE_TEST) and event[2] not in figures:
            figures.append(event[2])


@pytest.mark.parametrize("option", ["declared", "one_by_one"])
def test_figures_act_in_the_order_of_their_numbers(option: str) -> None:
    setup = compile_setup(book_of("patrol").variant({"NA-2.8": option}), scenario("patrol"))
    cards = [card for number in range(3) for card in acted(play_one(setup, KEY, number)["trace"])]
    assert sum(len(card) for card in cards) > 100
    assert all(card == sorted(card) for card in cards) == (option == "declared")
