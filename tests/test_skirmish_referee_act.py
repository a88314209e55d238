"""What a figure does without moving: reload, fire, take hold, set fire."""

from __future__ import annotations

import pytest

from tests.skirmish_positions import (
    RISORGIMENTO,
    course_of,
    do,
    events,
    figure,
    ground_of,
    of,
)
from wargamesim.errors import IllegalAction
from wargamesim.games.skirmish import orders
from wargamesim.games.skirmish.layout import (
    ARSON,
    ARSON_TRY,
    BLUE,
    BURNING,
    CAPACITY,
    DEAD,
    DRAGS,
    DROP_X,
    DROP_Y,
    FIRE_RAISING,
    HIT,
    IN_PLAY,
    LEVEL,
    LIE,
    LOAD_0,
    LOADING,
    MELEE,
    MELEE_DIE,
    MISFIRE,
    MORALE,
    MOVE,
    MOVED,
    MOVED_LAST,
    OTHER_DIE,
    PASS,
    PERMISSION,
    POSTURE_SHOT,
    PRONE,
    RAN,
    RELOAD,
    RELOADED,
    RESULT,
    ROUNDS,
    SHOOT,
    SHOTS,
    SNAP,
    SPENT,
    STAIRS,
    START,
    STATUS,
    TAKE,
)
from wargamesim.games.skirmish.referee_course import (
    ACTION,
    FETCHED,
    ROUND,
    SHOT,
)
from wargamesim.games.skirmish.referee_ending import end_of_turn

FAR = figure(90, 50, 1)
# A round in which nobody fires first, and nobody is hurt.
ROUND_DICE = {PERMISSION: 1, (MELEE, 0): 3, (MELEE, 64): 4}


def test_reloading_and_the_snap_shot(monkeypatch: pytest.MonkeyPatch) -> None:
    figures = [figure(5, 5, also={LOADING: 2, ROUNDS: 0}), figure(23, 5, 1)]
    course = course_of(figures, {SNAP: 4, MISFIRE: 6, HIT: 7, RESULT: 6})
    do(course, monkeypatch, RELOAD)
    assert (of(course, LOADING, 0), of(course, ROUNDS, 0), of(course, RELOADED, 0)) == (1, 0, 1)
    do(course, monkeypatch, RELOAD, target=1)
    assert events(course, SHOT)[0][5:8] == (7, 5, 3)  # unaimed
    assert (of(course, LOADING, 0), of(course, BLUE, 1)) == (3, 1)
    late = course_of([figure(5, 5, also={LOADING: 1, ROUNDS: 0}), figure(23, 5, 1)], {SNAP: 3})
    do(late, monkeypatch, RELOAD, target=1)
    assert (of(late, LOADING, 0), of(late, ROUNDS, 0), events(late, SHOT)) == (0, 1, [])
    assert events(late, ACTION) == [(0, RELOAD, 1, 0, 0, 0, 5000, 5000, 0, 0)]


def test_lying_down_to_fire(monkeypatch: pytest.MonkeyPatch) -> None:
    course = course_of([figure(5, 5, also={RAN: 1}), figure(23, 5, 1)], {MISFIRE: 6, HIT: 6})
    do(course, monkeypatch, POSTURE_SHOT, target=1, posture=LIE)
    assert (of(course, PRONE, 0), of(course, RAN, 0)) == (1, 0)
    assert events(course, SHOT)[0][6:8] == (4, 0)


@pytest.mark.parametrize(("penalty", "totals"), [("flat", [5, 3, 3]), ("cumulative", [5, 3, 1])])
def test_a_repeater(monkeypatch: pytest.MonkeyPatch, penalty: str, totals: list[int]) -> None:
    figures = [figure(5, 5, capacity=6), figure(55, 5, 1)]
    monkeypatch.setattr(orders, "next_shot", lambda *_: 1)
    changes = {"RI-6.2": penalty, "RI-6.5": "after_fire"}
    course = course_of(figures, {HIT: 5, RESULT: 6}, book=RISORGIMENTO, changes=changes)
    do(course, monkeypatch, SHOOT, target=1)
    assert [row[6] for row in events(course, SHOT)] == totals
    assert (of(course, ROUNDS, 0), of(course, SHOTS, 0), of(course, LOADING, 0)) == (3, 3, 3)
    few = course_of([figure(5, 5, capacity=6, also={ROUNDS: 2}), figure(55, 5, 1)], {HIT: 2}, book=RISORGIMENTO)
    do(few, monkeypatch, SHOOT, target=1)
    assert (of(few, ROUNDS, 0), of(few, LOADING, 0), of(few, CAPACITY, 0)) == (0, 3, 6)


def test_taking_and_letting_go(monkeypatch: pytest.MonkeyPatch) -> None:
    course = course_of([figure(5, 5), FAR], {})
    course.state.loads, course.state.load[:, 0] = 1, (5, 7)
    do(course, monkeypatch, TAKE, grab=LOAD_0)
    assert (of(course, DRAGS, 0), int(course.state.dragger[0])) == (LOAD_0, 0)
    do(course, monkeypatch, TAKE, grab=-1)
    assert (of(course, DRAGS, 0), int(course.state.dragger[0])) == (-1, -1)


def test_a_house_on_fire(monkeypatch: pytest.MonkeyPatch) -> None:
    ground = ground_of(["." * 6 + "@@@@"] * 9)
    inside = figure(8, 5, 1)
    for faces, arson, afire in (((2, 2), 0, 1), ((2, 3), 0, 0), ((3, 2), 1, 0)):
        course = course_of([figure(5, 5), inside], {FIRE_RAISING: faces[0]}, ground)
        do(course, monkeypatch, ARSON_TRY)
        course.roll.faces[FIRE_RAISING] = faces[1]  # type: ignore[attr-defined]
        do(course, monkeypatch, ARSON_TRY)
        assert (of(course, ARSON, 0), int(course.state.afire[1])) == (arson, afire)
    burning = course_of([figure(5, 5), inside], {}, ground)
    burning.state.afire[1] = 1
    for turn, (turns, status) in enumerate([(0, IN_PLAY), (1, IN_PLAY), (2, IN_PLAY), (3, IN_PLAY), (4, DEAD)], 1):
        burning.turn = turn
        end_of_turn(burning)
        assert (of(burning, BURNING, 1), of(burning, STATUS, 1)) == (turns, status)


def test_a_pinned_figure_may_not_fire(monkeypatch: pytest.MonkeyPatch) -> None:
    course = course_of([figure(5, 5, also={BLUE: 1}), figure(9, 5), figure(23, 5, 1)], {MORALE: 2})
    with pytest.raises(IllegalAction, match=r"^NA-8\.4: A0 is pinned"):
        do(course, monkeypatch, SHOOT, target=2)


@pytest.mark.parametrize(("refill", "rounds"), [("full", 6), ("one_round", 3)])
def test_how_many_rounds_a_reloaded_repeater_has(monkeypatch: pytest.MonkeyPatch, refill: str, rounds: int) -> None:
    empty = figure(5, 5, capacity=6, also={LOADING: 1, ROUNDS: 2})
    course = course_of([empty, FAR], {}, book=RISORGIMENTO, changes={"RI-6.6": refill})
    do(course, monkeypatch, RELOAD)
    assert of(course, ROUNDS, 0) == rounds


def test_a_figure_with_two_firearms_may_have_one_marker_for_both(monkeypatch: pytest.MonkeyPatch) -> None:
    figures = [figure(5, 5, second="pistol", also={START + 1: 2}), figure(23, 5, 1)]
    for reading, after_shot, after_reload in (("per_weapon", (0, 2), (0, 1)), ("per_figure", (2, 2), (1, 1))):
        course = course_of(figures, {MISFIRE: 6, HIT: 2}, changes={"NA-5.8": reading})
        do(course, monkeypatch, SHOOT, target=1, slot=1)
        assert (of(course, LOADING, 0), of(course, LOADING + 1, 0)) == after_shot
        do(course, monkeypatch, RELOAD, slot=1)
        assert (of(course, LOADING, 0), of(course, LOADING + 1, 0)) == after_reload


# A weapon that is thrown (NA-4.23)

SPEAR = figure(5, 5, second="tomahawk", die=8, also={OTHER_DIE: 6})


@pytest.mark.parametrize(("reading", "dice"), [("lost", (6, 8)), ("recoverable", (6, 8)), ("unlimited", (8, 6))])
def test_who_has_thrown_his_weapon_fights_without(
    monkeypatch: pytest.MonkeyPatch, reading: str, dice: tuple[int, int]
) -> None:
    course = course_of([SPEAR, figure(9, 5, 1)], {HIT: 2}, changes={"NA-4.23": reading})
    do(course, monkeypatch, SHOOT, target=1, slot=1)
    assert of(course, LOADING + 1, 0) == (0 if reading == "unlimited" else SPENT)
    assert (of(course, MELEE_DIE, 0), of(course, OTHER_DIE, 0)) == dice
    assert (course.state.place[DROP_X, 0], course.state.place[DROP_Y, 0]) == (
        (9, 5) if reading == "recoverable" else (0, 0)
    )


@pytest.mark.parametrize(
    ("reading", "to", "fetched"),
    [
        ("recoverable", (9, 6.5), True),
        ("recoverable", (9, 7), True),
        ("recoverable", (9, 7.1), False),
        ("recoverable", (11, 5), False),
        ("lost", (9, 6.5), False),
    ],
)
def test_a_thrown_weapon_is_picked_up(
    monkeypatch: pytest.MonkeyPatch, reading: str, to: tuple[float, float], fetched: bool
) -> None:
    # It lies at (9, 5); whoever ends beside the enemy at (13, 5) is in contact.
    course = course_of([SPEAR, figure(9, 5, 1)], {HIT: 2, **ROUND_DICE}, changes={"NA-4.23": reading})
    do(course, monkeypatch, SHOOT, target=1, slot=1)
    course.state.place[:2, 1] = 13, 5
    do(course, monkeypatch, MOVE, to=to)
    assert of(course, LOADING + 1, 0) == (0 if fetched else SPENT)
    assert (of(course, MELEE_DIE, 0), of(course, OTHER_DIE, 0)) == ((8, 6) if fetched else (6, 8))
    assert events(course, FETCHED) == ([(0, 1) + (-1,) * 8] if fetched else [])
    assert [row[1] for row in course.trace][-1] == ACTION


def test_only_a_move_picks_it_up(monkeypatch: pytest.MonkeyPatch) -> None:
    course = course_of([SPEAR, figure(9, 5, 1)], {HIT: 2}, changes={"NA-4.23": "recoverable"})
    do(course, monkeypatch, SHOOT, target=1, slot=1)
    course.state.place[:2, 0], course.state.place[:2, 1] = (9, 6), (90, 50)
    do(course, monkeypatch, PASS)
    assert of(course, LOADING + 1, 0) == SPENT
    do(course, monkeypatch, MOVE)
    assert of(course, LOADING + 1, 0) == 0


def test_a_figure_goes_upstairs(monkeypatch: pytest.MonkeyPatch) -> None:
    ground = ground_of(["@" * 30] * 20, floors=2)
    figures = [figure(5, 5, also={RAN: 1, ARSON: 1}), figure(7, 5, 1, also={LEVEL: 1}), FAR]
    course = course_of(figures, ROUND_DICE, ground)
    do(course, monkeypatch, STAIRS, target=1)
    assert [of(course, field, 0) for field in (LEVEL, RAN, MOVED, MOVED_LAST, ARSON)] == [1, 0, 1, 1, 0]
    assert len(events(course, ROUND)) == 1
    assert events(course, ACTION) == [(0, STAIRS, 1, 0, 0, 0, 5000, 5000, 0, 0)]
    later = course_of(figures, {}, ground, changes={"NA-7.2": "end_of_turn"})
    do(later, monkeypatch, STAIRS, target=1)
    assert events(later, ROUND) == []
