"""The judge of shots: with what, how often and at whom nobody may fire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.skirmish_judging import judge_of, move, refused
from tests.skirmish_positions import RISORGIMENTO, figure, ground_of
from wargamesim.games.skirmish.judge import Judge
from wargamesim.games.skirmish.layout import (
    CAPTURED,
    DEAD,
    FREE_AIM,
    HIDDEN,
    LIE,
    LOADING,
    MOVED,
    POSTURE_SHOT,
    RELOAD,
    RELOADED,
    ROLES,
    ROUNDS,
    SHOOT,
    SHOTS,
    STAND,
    STATUS,
    WET,
)
from wargamesim.games.skirmish.referee_rules import Action


def test_shots_that_are_allowed() -> None:
    judge_of([figure(5, 5), figure(25, 5, 1)]).action(Action(SHOOT, 0, 1), 0, False)
    judge_of([figure(5, 5), figure(25, 5, 1)]).action(Action(POSTURE_SHOT, 0, 1, posture=LIE), 0, False)
    judge_of([figure(5, 5, second="tomahawk", also={WET: 1}), figure(9, 5, 1)]).action(
        Action(SHOOT, 0, 1, slot=1), 0, False
    )


@pytest.mark.parametrize(
    ("shooter", "target", "action", "rule"),
    [
        ({LOADING: 1}, {}, Action(SHOOT, 0, 1), "NA-4.1"),
        ({ROUNDS: 0}, {}, Action(SHOOT, 0, 1), "NA-4.1"),
        ({WET: 1}, {}, Action(SHOOT, 0, 1), "NA-4.1"),
        ({}, {}, Action(SHOOT, 0, 1, slot=1), "NA-4.1"),
        ({}, {}, Action(SHOOT, 0, 1, slot=5), "NA-4.1"),
        ({}, {HIDDEN: 1}, Action(SHOOT, 0, 1), "NA-4.4"),
        ({}, {STATUS: DEAD}, Action(SHOOT, 0, 1), "NA-4.4"),
        ({}, {STATUS: CAPTURED}, Action(SHOOT, 0, 1), "NA-4.4"),
        ({}, {}, Action(SHOOT, 0, 0), "NA-4.4"),
        ({}, {}, Action(SHOOT, 0, -1), "NA-4.4"),
        ({}, {}, Action(SHOOT, 0, 2), "NA-4.4"),
        ({}, {}, Action(POSTURE_SHOT, 0, 1), "NA-3.16"),
        ({}, {}, Action(POSTURE_SHOT, 0, 1, posture=STAND), "NA-3.10"),
    ],
)
def test_shots_that_are_refused(
    shooter: Mapping[int, int], target: Mapping[int, int], action: Action, rule: str
) -> None:
    judge = judge_of([figure(5, 5, also=shooter), figure(25, 5, 1, also=target), figure(5, 40, 1)])
    assert refused(judge, action) == rule


def test_reach_contact_sight_and_the_nearest() -> None:
    assert refused(judge_of([figure(5, 5), figure(55.01, 5, 1)]), Action(SHOOT, 0, 1)) == "NA-4.13"
    judge_of([figure(5, 5), figure(55, 5, 1)]).action(Action(SHOOT, 0, 1), 0, False)
    touching = [figure(5, 5), figure(7, 5, 1), figure(20, 5, 1)]
    assert refused(judge_of(touching), Action(SHOOT, 0, 2)) == "NA-7.1"
    wood = ground_of(["." * 10 + "#" * 8 + "." * 10] * 10)
    assert refused(judge_of([figure(5, 5), figure(25, 5, 1)], wood), Action(SHOOT, 0, 1)) == "NA-4.4"
    two = [figure(5, 5), figure(25, 5, 1), figure(24, 5.1, 1)]
    assert refused(judge_of(two), Action(SHOOT, 0, 1)) == "NA-4.4"
    free = [figure(5, 5, also={ROLES: FREE_AIM}), *two[1:]]
    judge_of(free).action(Action(SHOOT, 0, 1), 0, False)
    as_near = [figure(5, 5), figure(25, 5, 1), figure(5, 25, 1)]
    for target in (1, 2):
        judge_of(as_near).action(Action(SHOOT, 0, target), 0, False)
    judge_of([figure(5, 5), figure(25, 5, 1), figure(20, 5, 1, also={HIDDEN: 1})]).action(Action(SHOOT, 0, 1), 0, False)


def test_fire_into_a_melee() -> None:
    figures = [figure(5, 5), figure(22, 5), figure(20, 5, 1)]
    judge_of(figures).action(Action(SHOOT, 0, 2), 0, False)
    assert refused(judge_of(figures, book=RISORGIMENTO), Action(SHOOT, 0, 2)) == "RI-4.7"
    allowed = judge_of(figures, book=RISORGIMENTO, changes={"RI-4.7": "allowed"})
    allowed.action(Action(SHOOT, 0, 2), 0, False)


def test_shots_on_the_move() -> None:
    figures = [figure(5, 5), figure(25, 5, 1)]
    judge = judge_of(figures, book=RISORGIMENTO)
    judge.action(move(10, 5, target=1), 0, False)
    judge.action(move(10, 5, target=1, shoot_first=1), 0, False)
    assert refused(judge, move(10.1, 5, target=1)) == "RI-3.6"
    assert refused(judge, move(5, 8, target=0)) == "RI-4.6"
    late = judge_of(figures, book=RISORGIMENTO, changes={"RI-3.8": "move_first"})
    assert refused(late, move(10, 5, target=1, shoot_first=1)) == "RI-3.8"
    # The distance is that of the place from which it fires.
    edge = judge_of([figure(1, 5), figure(62, 5, 1)], book=RISORGIMENTO)
    edge.action(move(2, 5, target=1), 0, False)
    assert refused(edge, move(2, 5, target=1, shoot_first=1)) == "RI-T.5"
    closing = judge_of([figure(5, 5), figure(10, 5, 1), figure(30, 5, 1)], book=RISORGIMENTO)
    assert refused(closing, move(8, 5, target=2)) == "RI-7.1"
    closing.action(move(8, 5, target=2, shoot_first=1), 0, False)


@pytest.mark.parametrize(
    ("also", "changes", "allowed"),
    [
        ({}, {}, True),
        ({SHOTS: 2}, {}, True),
        ({SHOTS: 3}, {}, False),
        ({SHOTS: 3}, {"RI-6.1": "activation"}, True),
        ({MOVED: 1}, {}, True),
        ({MOVED: 1, SHOTS: 1}, {}, False),
        ({RELOADED: 1, SHOTS: 1}, {}, False),
        ({RELOADED: 1, SHOTS: 1}, {"repeater.shots_if_busy": 2}, True),
    ],
)
def test_shots_of_a_repeater(also: Mapping[int, int], changes: Mapping[str, Any], allowed: bool) -> None:
    figures = [figure(5, 5, capacity=6, also=also), figure(25, 5, 1)]
    judge = judge_of(figures, book=RISORGIMENTO, changes=changes)
    if allowed:
        judge.action(Action(SHOOT, 0, 1), 0, False)
    else:
        assert refused(judge, Action(SHOOT, 0, 1)) == "RI-6.1"
    single = judge_of([figure(5, 5, also=also), figure(25, 5, 1)], book=RISORGIMENTO, changes=changes)
    single.action(Action(SHOOT, 0, 1), 0, False)


def test_reloading_and_snap_shots() -> None:
    def one(marker: int, **more: Any) -> Judge:
        return judge_of([figure(5, 5, also={LOADING: marker, ROUNDS: 0}), figure(25, 5, 1)], **more)

    one(3).action(Action(RELOAD, 0), 0, False)
    one(1).action(Action(RELOAD, 0, 1), 0, False)
    assert refused(one(0), Action(RELOAD, 0)) == "NA-3.19"
    assert refused(one(99), Action(RELOAD, 0)) == "NA-3.19"
    assert refused(one(1), Action(RELOAD, 0, slot=1)) == "NA-3.19"
    assert refused(one(2), Action(RELOAD, 0, 1)) == "NA-3.20a"
    assert refused(one(1), Action(RELOAD, 0, 0)) == "NA-4.4"
    one(2, book=RISORGIMENTO, changes={"RI-3.10": "one_action"}).action(Action(RELOAD, 0, 1), 0, False)
    must = one(1, book=RISORGIMENTO, changes={"RI-3.11a": "compulsory"})
    assert refused(must, Action(RELOAD, 0)) == "RI-3.11a"
    must.action(Action(RELOAD, 0, 1), 0, False)
    one(2, book=RISORGIMENTO, changes={"RI-3.11a": "compulsory"}).action(Action(RELOAD, 0), 0, False)
    wet = judge_of([figure(5, 5, also={LOADING: 1, ROUNDS: 0, WET: 1}), figure(25, 5, 1)])
    assert refused(wet, Action(RELOAD, 0, 1)) == "NA-4.1"


# Hidden figures (NA-6.6)


def test_who_knows_of_a_hidden_enemy_alone() -> None:
    figures = [figure(5, 5), figure(9, 5), figure(5, 25, 1, also={HIDDEN: 1}), figure(5, 45, 1)]
    judge = judge_of(figures, changes={"NA-6.6": "observer"})
    for shooter in (0, 1):
        judge.action(Action(SHOOT, shooter, 3), shooter, False)
        assert refused(judge, Action(SHOOT, shooter, 2)) == "NA-4.4"
    judge.table.note_spotted(1, 2)
    assert (judge.table.known(0), judge.table.known(1)) == ([3], [2, 3])
    assert refused(judge, Action(SHOOT, 0, 2)) == "NA-4.4"
    judge.action(Action(SHOOT, 1, 2), 1, False)
    # To him alone it is the nearest.
    judge.action(Action(SHOOT, 0, 3), 0, False)
    assert refused(judge, Action(SHOOT, 1, 3)) == "NA-4.4"
    judge.table.hide(2)
    assert judge.table.known(1) == [3]
