"""The judge: what is refused, one proposal after the other; sight, cover and ways on ground drawn by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, inf, radians, sin, sqrt
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.skirmish_positions import NORDAMERICA, RISORGIMENTO, Figure, figure, ground_of, table_of
from wargamesim.games.skirmish.judge import IllegalAction, Judge, house_near
from wargamesim.games.skirmish.layout import (
    ACT,
    ACTS,
    ARSON_TRY,
    BLIND,
    CAPTURED,
    DEAD,
    DRAGS,
    END,
    EVADED,
    FIGHT,
    FREE_AIM,
    HIDDEN,
    LEADER,
    LIE,
    LOAD_0,
    LOADING,
    MOVE,
    MOVED,
    ON_CARD,
    OUT_UNTIL,
    PASS,
    POSTURE_SHOT,
    PRONE,
    RALLY,
    REGULAR,
    RELOAD,
    RELOADED,
    ROLES,
    ROUNDS,
    ROUTED,
    SHOOT,
    SHOTS,
    STAND,
    STATUS,
    TAKE,
    VOLLEY,
    WET,
    WOUNDS,
)
from wargamesim.games.skirmish.referee_rules import RULES, Action, Turn
from wargamesim.games.skirmish.referee_table import MORE
from wargamesim.games.skirmish.rules import HARD, OPEN, SOFT

FAR = figure(90, 50, 1)


def judge_of(figures: Sequence[Figure], ground: Any = None, edges: tuple[int, int] = (0, 0), **more: Any) -> Judge:
    names = [f"{'AB'[given['side']]}{i}" for i, given in enumerate(figures)]
    return Judge(table_of(figures, ground, **more), names, edges)


def refused(judge: Judge, action: Action, pinned: bool = False) -> str:
    """Return the rule by which the judge refuses an action."""
    with pytest.raises(IllegalAction) as wrong:
        judge.action(action, action.figure, pinned)
    assert str(wrong.value).startswith(wrong.value.rule)
    return wrong.value.rule


def refused_choice(judge: Judge, action: Action, turn: Turn | None = None, number: int = 1) -> str:
    with pytest.raises(IllegalAction) as wrong:
        judge.choice(action, turn or Turn(0, 20, False), number)
    return wrong.value.rule


def move(x: float, y: float, **fields: Any) -> Action:
    return Action(MOVE, 0, to=(x, y), **fields)


# Rule ids


@pytest.mark.parametrize("column", [0, 1])
def test_every_rule_that_is_cited_stands_in_the_rulebook(column: int) -> None:
    book = (NORDAMERICA, RISORGIMENTO)[column]
    assert {ids[column] for ids in RULES.values()} <= set(book.ids)


# Who acts


@pytest.mark.parametrize(
    ("also", "rule"),
    [
        ({STATUS: DEAD}, "NA-2.8"),
        ({STATUS: ROUTED}, "NA-2.8"),
        ({STATUS: CAPTURED}, "NA-2.8"),
        ({ON_CARD: 1}, "NA-2.8"),
        ({EVADED: 3, OUT_UNTIL: 4}, "NA-2.8"),
    ],
)
def test_who_may_not_act(also: Mapping[int, int], rule: str) -> None:
    judge = judge_of([figure(5, 5, also=also), figure(9, 5), FAR])
    assert refused_choice(judge, Action(ACT, 0), number=4) == rule
    judge.choice(Action(ACT, 1), Turn(0, 1, False), 4)


def test_who_has_evaded_acts_in_the_same_turn_and_when_the_lost_ones_are_over() -> None:
    judge = judge_of([figure(5, 5, also={EVADED: 3, OUT_UNTIL: 4}), FAR])
    assert [bool(judge.may_act(0, 0, turn)) for turn in (3, 4, 5)] == [False, True, False]


def test_figures_of_others_beyond_the_card_and_beyond_the_cap() -> None:
    judge = judge_of([figure(5, 5), figure(9, 5, squad=1), FAR])
    assert refused_choice(judge, Action(ACT, 1)) == "NA-2.8"
    assert refused_choice(judge, Action(ACT, 2)) == "NA-2.8"
    assert refused_choice(judge, Action(ACT, 9)) == "NA-2.8"
    assert refused_choice(judge, Action(ACT, 0), Turn(0, 0, False)) == "NA-2.8"
    assert refused_choice(judge, Action(77, 0)) == "NA-2.8"
    judge.choice(Action(END), Turn(0, 0, False), 1)
    twice = judge_of([figure(5, 5, also={ACTS: 2}), FAR], book=RISORGIMENTO)
    assert refused_choice(twice, Action(ACT, 0)) == "RI-2.9"
    again = judge_of([figure(5, 5, also={ACTS: 1, ON_CARD: 1}), FAR], book=RISORGIMENTO)
    assert refused_choice(again, Action(ACT, 0)) == "RI-2.10"
    changes = {"RI-2.9": "twice_a_card"}
    judge = judge_of([figure(5, 5, also={ACTS: 1, ON_CARD: 1}), FAR], book=RISORGIMENTO, changes=changes)
    judge.choice(Action(ACT, 0), Turn(0, 1, False), 1)


def test_whom_a_player_may_rally() -> None:
    judge = judge_of([figure(5, 5), figure(9, 5, also={STATUS: ROUTED}), figure(9, 50, 1, also={STATUS: ROUTED})])
    judge.choice(Action(RALLY, 1), Turn(0, 1, True), 1)
    assert refused_choice(judge, Action(RALLY, 1), Turn(0, 1, False)) == "NA-2.9"
    assert refused_choice(judge, Action(RALLY, 0), Turn(0, 1, True)) == "NA-2.9"
    assert refused_choice(judge, Action(RALLY, 2), Turn(0, 1, True)) == "NA-2.9"
    assert refused_choice(judge, Action(RALLY, -1), Turn(0, 1, True)) == "NA-2.9"


# Volleys and blind fire


def line(count: int = 6, **first: Any) -> list[Figure]:
    """Return a leader and a line of regulars whose first one is different."""
    regulars = [figure(10 + 3 * i, 30, also={ROLES: REGULAR, **(first if i == 0 else {})}) for i in range(count)]
    return [figure(18, 33, also={ROLES: LEADER}), *regulars, figure(18, 10, 1)]


SIX = (1, 2, 3, 4, 5, 6)


def volley(members: tuple[int, ...] = SIX, to: tuple[float, float] = (18, 10)) -> Action:
    return Action(VOLLEY, to=to, members=members)


def test_a_volley_by_the_rules() -> None:
    judge_of(line()).choice(volley(), Turn(0, 6, False), 1)


@pytest.mark.parametrize(
    ("first", "rule"),
    [
        ({ROLES: 0}, "NA-4.16"),
        ({LOADING: 1}, "NA-4.1"),
        ({ROUNDS: 0}, "NA-4.1"),
        ({WET: 1}, "NA-4.1"),
        ({ON_CARD: 1}, "NA-2.8"),
        ({STATUS: DEAD}, "NA-2.8"),
    ],
)
def test_a_volley_with_somebody_who_may_not(first: Mapping[int, int], rule: str) -> None:
    figures = line()
    figures[1] = figure(10, 30, also={ROLES: REGULAR, **first})
    assert refused_choice(judge_of(figures), volley()) == rule


def test_volleys_that_are_refused() -> None:
    assert refused_choice(judge_of(line()), volley(SIX[:5])) == "NA-4.16"
    assert refused_choice(judge_of(line()), volley((1, 1, 2, 3, 4, 5, 6))) == "NA-4.16"
    assert refused_choice(judge_of(line()), volley(), Turn(0, 5, False)) == "NA-4.16"
    assert refused_choice(judge_of(line()), volley(to=(18, 80))) == "NA-4.16"
    no_leader = line()
    no_leader[0] = figure(18, 33)
    assert refused_choice(judge_of(no_leader), volley()) == "NA-4.16"
    far_leader = line()
    far_leader[0] = figure(18, 44, also={ROLES: LEADER})
    assert refused_choice(judge_of(far_leader), volley()) == "NA-4.16"
    in_contact = line()
    in_contact[-1] = figure(10, 28, 1)
    assert refused_choice(judge_of(in_contact), volley()) == "NA-7.1"
    house = ground_of(["@" * 40] * 12)
    assert refused_choice(judge_of(line(), house), volley()) == "NA-4.16"
    italian = judge_of([*line()[:-1], FAR], book=RISORGIMENTO)
    assert refused_choice(italian, volley()) == "RI-4.6"


def test_blind_fire() -> None:
    ground = ground_of(["#" * 20 + "@" * 20] * 12)
    judge = judge_of(line(), ground)
    three = (1, 2, 3)
    judge.choice(Action(BLIND, target=0, to=(5, 5), members=three), Turn(0, 3, False), 1)
    judge.choice(Action(BLIND, target=1, to=(25, 5), members=three), Turn(0, 3, False), 1)
    for wrong in (
        Action(BLIND, target=1, to=(5, 5), members=three),
        Action(BLIND, target=0, to=(25, 5), members=three),
        Action(BLIND, target=0, to=(5, 20), members=three),
        Action(BLIND, target=0, to=(5, 5), members=three[:2]),
    ):
        assert refused_choice(judge, wrong) == "NA-4.14"


# Moves


@pytest.mark.parametrize(
    ("to", "fields", "rule"),
    [
        ((30, 10.1), {}, "NA-3.2"),
        ((30, 15.1), {"run": 1}, "NA-3.3"),
        ((-0.1, 0), {}, "NA-3.2"),
        ((30, 60), {}, "NA-3.2"),
        ((25, 1.9), {}, "NA-3.2"),
        ((34.5, 0), {}, "NA-7.1"),
        ((30, 5.1), {"posture": LIE}, "NA-3.2"),
        ((30, 0), {"posture": STAND}, "NA-3.10"),
        ((30, 0), {"posture": 7}, "NA-3.10"),
        ((30, 5), {"exit": 1}, "NA-9.4"),
        ((30, 5), {"target": 2}, "NA-3.17"),
    ],
)
def test_moves_that_are_refused(to: tuple[float, float], fields: Mapping[str, int], rule: str) -> None:
    judge = judge_of([figure(30, 0), figure(25, 0), figure(32.5, 0, 1)])
    assert refused(judge, move(*to, **fields)) == rule


def test_moves_that_are_allowed() -> None:
    judge = judge_of([figure(30, 0), figure(25, 0), figure(32, 0, 1)])
    for action in (move(30, 10), move(30, 15, run=1), move(30, 5, posture=LIE), move(30, 0), move(23, 0)):
        judge.action(action, 0, False)
    # Who is in contact may pass the enemy whom he touches.
    judge.action(move(35, 0), 0, False)


def test_a_prone_figure_stands_up_to_move() -> None:
    judge = judge_of([figure(30, 0, also={PRONE: 1}), FAR])
    assert refused(judge, move(30, 3)) == "NA-3.10"
    assert refused(judge, move(30, 3, posture=LIE)) == "NA-3.10"
    assert refused(judge, move(30, 5.1, posture=STAND)) == "NA-3.2"
    judge.action(move(30, 5, posture=STAND), 0, False)


@pytest.mark.parametrize(
    ("also", "changes", "reach"),
    [
        ({WOUNDS: 1}, {}, 5),
        ({WOUNDS: 1, PRONE: 1}, {}, 2.5),
        ({WOUNDS: 1, PRONE: 1}, {"NA-3.12": "once"}, 5),
        ({DRAGS: LOAD_0}, {}, 10),
    ],
)
def test_how_far_it_goes(also: Mapping[int, int], changes: Mapping[str, str], reach: float) -> None:
    judge = judge_of([figure(30, 0, also=also), FAR], changes=changes)
    posture = STAND if PRONE in also else 0
    judge.action(move(30, reach, posture=posture), 0, False)
    assert refused(judge, move(30, reach + 0.01, posture=posture)) == "NA-3.2"


def test_ground_that_slows() -> None:
    rough = ground_of(["." * 10 + ":" * 10 + "." * 20] * 4)
    judge = judge_of([figure(5, 2), FAR], rough, book=RISORGIMENTO)
    judge.action(move(9, 2), 0, False)
    assert refused(judge, move(15.1, 2)) == "RI-3.2"
    # Half the way is difficult: 5 / 15 + 7 / 10 of an action is more than one, 5 / 15 + 6 / 10 is not.
    shared = judge_of([figure(5, 2), FAR], rough, book=RISORGIMENTO, changes={"RI-3.4": "pro_rata"})
    shared.action(move(16, 2), 0, False)
    assert refused(shared, move(17, 2)) == "RI-3.2"
    ford = judge_of([figure(5, 2), FAR], ground_of(["." * 10 + "~" * 10] * 4))
    ford.action(move(9.5, 2), 0, False)
    assert refused(ford, move(10.6, 2)) == "NA-3.2"
    slow = judge_of([figure(5, 2), FAR], rough, changes={"NA-3.8": "half"})
    assert refused(slow, move(10.5, 2)) == "NA-3.2"
    dragging = judge_of([figure(5, 2, also={DRAGS: LOAD_0}), FAR], rough)
    assert refused(dragging, move(11, 2)) == "NA-3.2"
    assert refused(dragging, move(6, 2, run=1)) == "NA-3.3"


def test_nobody_ends_on_a_wall_or_runs_where_nobody_runs() -> None:
    wall = ground_of(["....", "====", "...."])
    judge = judge_of([figure(1, 0.5), FAR], wall)
    assert refused(judge, move(1, 1.5)) == "NA-3.2"
    judge.action(move(1, 2.5), 0, False)
    italian = judge_of([figure(1, 0.5), FAR], book=RISORGIMENTO)
    assert refused(italian, move(5, 0.5, run=1)) == "RI-3.13"
    assert refused(italian, move(1, 0.5, posture=LIE)) == "RI-3.13"
    assert refused(italian, move(1, 0.5, hide=1)) == "RI-1.5"


def test_hiding_again_is_a_move_back_into_cover() -> None:
    ground = ground_of([*["." * 5 + "#" * 10 + "." * 10 + "@" * 5] * 3, *["." * 30] * 3, "." * 10 + "=" * 5])
    ground.depth[:3, 5:15] = [0.5, 1.5, 2.5, 3.5, 4.5, 4.5, 3.5, 2.5, 1.5, 0.5]
    for start, to, allowed in (
        ((2.5, 1.5), (6.5, 1.5), True),
        ((6.5, 1.5), (7.5, 1.5), True),
        ((6.5, 1.5), (6.5, 1.5), False),
        ((6.5, 1.5), (6.5, 2.5), False),
        ((8.5, 1.5), (6.5, 1.5), False),
        ((20.5, 1.5), (26.5, 1.5), True),
        ((26.5, 1.5), (27.5, 1.5), False),
        ((12.5, 9.5), (12.5, 7.5), True),
        ((12.5, 7.5), (11.5, 7.5), False),
        ((2.5, 1.5), (3.5, 1.5), False),
    ):
        judge = judge_of([figure(*start), FAR], ground)
        if allowed:
            judge.action(move(*to, hide=1), 0, False)
        else:
            assert refused(judge, move(*to, hide=1)) == "NA-6.4"


def test_leaving_the_table() -> None:
    judge = judge_of([figure(5, 50), FAR], edges=(3, 0))
    judge.action(move(5, 50, exit=1), 0, False)
    judge.action(move(5, 52, exit=1), 0, False)
    judge.action(move(5, 50, exit=1), 0, False)
    assert refused(judge, move(8, 50, exit=1)) == "NA-9.4"
    assert refused(judge, move(5, 49, exit=1)) == "NA-9.4"
    for edge, place in ((1, (50, 9)), (2, (95, 30)), (4, (9, 30))):
        judge_of([figure(*place), figure(50, 30, 1)], edges=(edge, 0)).action(move(*place, exit=1), 0, False)


def test_pinned_figures_go_to_cover_and_not_nearer_to_the_enemy() -> None:
    # A hedge to the west, the enemy in the east.
    ground = ground_of(["%" + "." * 60] * 20)
    judge = judge_of([figure(20, 10), figure(40, 10, 1), figure(4, 5, 1, also={HIDDEN: 1})], ground)
    judge.action(Action(PASS, 0), 0, True)
    judge.action(move(12, 10), 0, True)
    judge.action(move(6, 10, run=1), 0, True)
    for wrong in (move(25, 10), move(20, 15), move(20, 10, posture=LIE), Action(SHOOT, 0, 1)):
        assert refused(judge, wrong, pinned=True) == "NA-8.4"
    sheltered = judge_of([figure(1.5, 10), figure(40, 10, 1)], ground)
    assert refused(sheltered, move(0.5, 10), pinned=True) == "NA-8.4"
    sheltered.action(move(1.5, 10), 0, True)
    nearer = judge_of([figure(20, 10), figure(8, 10, 1)], ground)
    assert refused(nearer, move(12, 10), pinned=True) == "NA-8.4"
    bare = judge_of([figure(20, 10), figure(40, 10, 1)])
    assert refused(bare, move(12, 10), pinned=True) == "NA-8.4"


# Shots


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


def test_a_second_shot_may_forbid_to_move() -> None:
    figures = [figure(5, 5, capacity=6, also={SHOTS: 2}), figure(25, 5, 1)]
    judge_of(figures, book=RISORGIMENTO).action(move(8, 5), 0, False)
    symmetric = judge_of(figures, book=RISORGIMENTO, changes={"RI-6.3": "symmetric"})
    assert refused(symmetric, move(8, 5)) == "RI-6.3"


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


# Other actions


def test_close_combat_is_for_those_in_contact() -> None:
    assert refused(judge_of([figure(5, 5), figure(7.1, 5, 1)]), Action(FIGHT, 0)) == "NA-7.2"
    touching = [figure(5, 5), figure(7, 5, 1)]
    judge_of(touching).action(Action(FIGHT, 0), 0, False)
    later = judge_of(touching, changes={"NA-7.2": "end_of_turn"})
    assert refused(later, Action(FIGHT, 0)) == "NA-7.2"


def test_taking_hold_of_loads_and_prisoners() -> None:
    figures = [figure(5, 5), figure(30, 5), figure(8, 5, 1, also={STATUS: CAPTURED}), figure(20, 5, 1)]
    judge = judge_of(figures)
    judge.table.state.loads = 2
    judge.table.state.load[:, 0], judge.table.state.load[:, 1] = (5, 8), (5, 8.1)
    judge.action(Action(TAKE, 0, grab=LOAD_0), 0, False)
    judge.action(Action(TAKE, 0, grab=2), 0, False)
    for wrong in (LOAD_0 + 1, LOAD_0 + 2, 1, 3, -1):
        assert refused(judge, Action(TAKE, 0, grab=wrong)) == "NA-3.5"
    assert refused(judge, Action(TAKE, 1, grab=LOAD_0)) == "NA-3.5"
    judge.table.state.dragger[0] = 1
    assert refused(judge, Action(TAKE, 0, grab=LOAD_0)) == "NA-3.5"
    judge.table.drags[1] = 2
    assert refused(judge, Action(TAKE, 0, grab=2)) == "NA-3.5"
    judge.action(Action(TAKE, 1, grab=-1), 1, False)
    assert refused(judge, Action(TAKE, 1, grab=LOAD_0)) == "NA-3.5"


def test_setting_fire_takes_a_house_within_reach() -> None:
    ground = ground_of(["." * 10 + "@"])
    near = judge_of([figure(7.5, 0.5), FAR], ground)
    near.action(Action(ARSON_TRY, 0), 0, False)
    assert house_near(near.table, 0) == (10, 0)
    assert refused(judge_of([figure(7.4, 0.5), FAR], ground), Action(ARSON_TRY, 0)) == "NA-9.2"
    italian = judge_of([figure(7.5, 0.5), FAR], ground, book=RISORGIMENTO)
    assert refused(italian, Action(ARSON_TRY, 0)) == "RI-8.8"


def test_what_does_not_exist() -> None:
    judge = judge_of([figure(5, 5), FAR])
    assert refused(judge, Action(99, 0)) == "NA-3.1"
    with pytest.raises(IllegalAction, match=r"^NA-3\.1: B1 acts in the place of A0"):
        judge.action(Action(PASS, 1), 0, False)


# Sight


def sees(lines: Sequence[str], start: tuple[float, float], end: tuple[float, float], **more: Any) -> bool:
    table = table_of([figure(*start), figure(*end, 1)], ground_of(lines, depth=more.pop("depth", 0.0)), **more)
    both = {table.sees(0, 1), table.sees(1, 0)}
    assert len(both) == 1
    return both.pop()


@pytest.mark.parametrize(
    ("wood", "seen"),
    [(0, True), (4, True), (5, True), (6, False), (12, False)],
)
def test_so_much_wood_is_seen_through(wood: int, seen: bool) -> None:
    lines = ["." * 5 + "#" * wood + "." * (20 - wood)] * 3
    assert sees(lines, (2.5, 1.5), (22.5, 1.5)) is seen


def test_a_building_hides_what_is_behind_it_but_not_who_is_inside() -> None:
    house = ["." * 5 + "@" * 4 + "." * 15] * 3
    assert not sees(house, (2.5, 1.5), (15.5, 1.5))
    assert sees(house, (2.5, 1.5), (6.5, 1.5))
    assert sees(house, (8.5, 1.5), (15.5, 1.5))
    assert sees(house, (5.5, 0.5), (8.5, 2.5))
    two = ["..@@@...@@@..."] * 3
    assert sees(two, (3.5, 1.5), (9.5, 1.5))
    assert not sees(two, (0.5, 1.5), (9.5, 1.5))
    assert not sees(two, (0.5, 1.5), (12.5, 1.5))


def test_nobody_sees_deep_into_a_wood_by_one_reading() -> None:
    lines = ["#" * 40] * 20
    near, far = ((10.5, 5.5), (14.5, 5.5)), ((10.5, 5.5), (12.5, 5.5))
    only = {"changes": {"NA-6.3": "contact_only"}}
    assert sees(lines, *near, depth=6)
    assert not sees(lines, *near, depth=5.5, **only)
    assert sees(lines, *near, depth=5, **only)
    assert sees(lines, *far, depth=6, **only)


@pytest.mark.parametrize(("aside", "seen"), [(0.0, False), (0.99, False), (1.0, True), (-0.99, False), (-1.5, True)])
def test_figures_block_by_one_reading(aside: float, seen: bool) -> None:
    figures = [figure(5, 5), figure(10, 5 + aside), figure(20, 5, 1)]
    assert table_of(figures).sees(0, 2)
    assert table_of(figures, changes={"NA-1.5": "figures_too"}).sees(0, 2) is seen
    beyond = [figure(5, 5), figure(22, 5), figure(3, 5), figure(10, 5, also={STATUS: DEAD}), figure(20, 5, 1)]
    assert table_of(beyond, changes={"NA-1.5": "figures_too"}).sees(0, 4)


coordinate = st.floats(0, 29.999)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text("..:#@%=", min_size=30, max_size=30), min_size=30, max_size=30), *[coordinate] * 4)
def test_sight_is_mutual(lines: list[str], x: float, y: float, to_x: float, to_y: float) -> None:
    sees(lines, (x, y), (to_x, to_y))


# Cover


@pytest.mark.parametrize(
    ("line", "x", "cover"),
    [
        ("." * 30, 10.5, OPEN),
        ("." * 11 + "=" + "." * 18, 10.5, HARD),
        ("." * 11 + "%" + "." * 18, 10.5, SOFT),
        ("." * 11 + "%=" + "." * 17, 10.5, HARD),
        ("." * 13 + "=" + "." * 16, 10.5, OPEN),
        ("." * 9 + "=" + "." * 20, 10.5, OPEN),
        ("#" * 11 + "." * 19, 10.5, SOFT),
        ("#" * 11 + "=" + "." * 18, 10.5, HARD),
        ("@" * 11 + "." * 19, 10.5, HARD),
        ("@" * 30, 10.5, OPEN),
    ],
)
def test_cover_from_the_east(line: str, x: float, cover: int) -> None:
    table = table_of([figure(25.5, 1.5), figure(x, 1.5, 1)], ground_of([line] * 3))
    assert table.cover(0, 1) == cover


def test_cover_counts_from_one_side_only() -> None:
    wall = ground_of(["." * 11 + "=" + "." * 18] * 3)
    table = table_of([figure(25.5, 1.5), figure(2.5, 1.5), figure(10.5, 1.5, 1)], wall)
    assert (table.cover(0, 2), table.cover(1, 2)) == (HARD, OPEN)


# Contact, melees, arcs


def test_contact_is_one_base_and_no_more() -> None:
    table = table_of([figure(5, 5), figure(7, 5, 1), figure(5, 7.001, 1), figure(6, 5 + sqrt(3), 1)])
    assert table.touches(0) == [1, 3]
    assert table.touches(0, (5, 5.001)) == [2, 3]


def test_a_melee_is_all_that_hangs_together() -> None:
    chain = [figure(5, 5), figure(9, 5), figure(30, 5), figure(7, 5, 1), figure(11, 5, 1), figure(30, 9, 1)]
    table = table_of(chain)
    assert table.melee(4) == [0, 1, 3, 4]
    assert table.melee(2) == [2]


@pytest.mark.parametrize(("degrees_off", "inside"), [(0, True), (22, True), (23, False), (90, False), (180, False)])
def test_the_arc_of_fire(degrees_off: float, inside: bool) -> None:
    angle = radians(degrees_off)
    table = table_of([figure(30, 30), figure(30 + 9 * sin(angle), 30 - 9 * cos(angle)), FAR])
    assert table.is_in_arc(0, 1) is inside


# Ways


def test_a_way_is_difficult_if_any_of_it_is() -> None:
    table = table_of([figure(5, 5), FAR], ground_of(["." * 8 + ":" + "." * 20] * 10))
    assert not table.way((2.5, 5), (7.5, 5)).difficult
    assert table.way((2.5, 5), (9.5, 5)).difficult
    assert table.way((8.5, 5), (12.5, 5)).difficult
    assert table.way((8.5, 5), (12.5, 5)).rough == 0
    assert table.way((5, 5), (5, 5)).length == 0


def test_a_way_through_water() -> None:
    table = table_of([figure(5, 5), FAR], ground_of(["." * 8 + "~~" + "." * 20] * 10))
    assert table.way((2.5, 5), (12.5, 5)).water
    assert table.way((8.5, 5), (12.5, 5)).water
    assert not table.way((2.5, 5), (7.5, 5)).water
    assert table.effort(0, (15, 5), False, 0) == pytest.approx(2)


@settings(max_examples=60, deadline=None)
@given(coordinate, coordinate, st.booleans())
def test_what_is_farther_costs_more(x: float, y: float, run: bool) -> None:
    table = table_of([figure(0, 0), FAR])
    effort = table.effort(0, (x, y), run, 0)
    assert effort == pytest.approx(sqrt(x * x + y * y) / (15 if run else 10))
    assert table.effort(0, (x * 1.01, y * 1.01), run, 0) >= effort


def test_no_allowance_is_no_way() -> None:
    table = table_of([figure(0, 0), FAR], changes={"move.walk": 0.0})
    assert table.effort(0, (1, 0), False, 0) == inf
    assert table.effort(0, (0, 0), False, 0) == 0 <= MORE


def test_prisoners_take_up_room_unless_they_leave_play() -> None:
    figures = [figure(5, 5), figure(9, 5, 1, also={STATUS: CAPTURED})]
    assert not table_of(figures).fits(0, (9, 5.5))
    assert table_of(figures, book=RISORGIMENTO).fits(0, (9, 5.5))
