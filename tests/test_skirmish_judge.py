"""The judge: who may act, and what is refused of moves and other actions, one proposal after the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.skirmish_judging import judge_of, move, refused, refused_choice
from tests.skirmish_positions import NORDAMERICA, RISORGIMENTO, Figure, figure, ground_of
from wargamesim.errors import IllegalAction
from wargamesim.games.skirmish.judge import Judge, house_near
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
    HIDDEN,
    LEADER,
    LEVEL,
    LIE,
    LOAD_0,
    LOADING,
    ON_CARD,
    OUT_UNTIL,
    PASS,
    POSTURE_SHOT,
    PRONE,
    RALLY,
    REGULAR,
    RELOAD,
    ROLES,
    ROUNDS,
    ROUTED,
    SHOOT,
    SHOTS,
    STAIRS,
    STAND,
    STATUS,
    TAKE,
    VOLLEY,
    WET,
    WOUNDS,
)
from wargamesim.games.skirmish.referee_rules import RULES, Action, Turn

FAR = figure(90, 50, 1)


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


def test_a_second_shot_may_forbid_to_move() -> None:
    figures = [figure(5, 5, capacity=6, also={SHOTS: 2}), figure(25, 5, 1)]
    judge_of(figures, book=RISORGIMENTO).action(move(8, 5), 0, False)
    symmetric = judge_of(figures, book=RISORGIMENTO, changes={"RI-6.3": "symmetric"})
    assert refused(symmetric, move(8, 5)) == "RI-6.3"


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


def test_the_first_figure_can_be_taken_too() -> None:
    # Places of the record that hold nobody drag nobody, though they are 0 there.
    judge = judge_of([figure(8, 5, also={STATUS: CAPTURED}), figure(20, 5), figure(5, 5, 1)])
    judge.table.drags[3:] = 0
    judge.action(Action(TAKE, 2, grab=0), 2, False)


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


@pytest.mark.parametrize("what", [PASS, SHOOT, POSTURE_SHOT, RELOAD, TAKE, ARSON_TRY, STAIRS, 99])
def test_who_is_in_contact_fights_or_moves(what: int) -> None:
    ground = ground_of(["@" * 40] * 20, floors=2)
    figures = [
        figure(5, 5, second="pistol", also={LOADING + 1: 1}),
        figure(7, 5, 1),
        figure(5, 7.5, 1, also={STATUS: CAPTURED}),
        figure(25, 5, 1),
    ]
    wanted = Action(what, 0, target=1, slot=int(what == RELOAD), posture=LIE * (what == POSTURE_SHOT), grab=2)
    assert refused(judge_of(figures, ground), wanted) == "NA-7.1"
    assert refused(judge_of(figures, ground, changes={"NA-7.2": "free_hit"}), wanted) == "NA-7.1"
    for allowed in (Action(FIGHT, 0), move(5, 5), move(5, 4), move(1, 5)):
        judge_of(figures, ground).action(allowed, 0, False)
    # Who is pinned need not fight, and rounds at the end of the turn are for all.
    judge_of(figures, ground).action(Action(PASS, 0), 0, True)
    later = judge_of(figures, ground, changes={"NA-7.2": "end_of_turn"})
    if what in (PASS, RELOAD, TAKE, ARSON_TRY):
        later.action(wanted._replace(target=-1), 0, False)
    else:
        assert refused(later, wanted) == ("NA-3.1" if what == 99 else "NA-7.1")
    # A player need not activate it either.
    judge_of(figures, ground).choice(Action(END), Turn(0, 1, False), 1)


# Hidden figures (NA-6.6)


def test_a_pinned_figure_keeps_away_from_those_it_knows_of() -> None:
    ground = ground_of(["%" + "." * 60] * 20)
    judge = judge_of([figure(20, 10), figure(4, 5, 1, also={HIDDEN: 1})], ground, changes={"NA-6.6": "observer"})
    judge.action(move(12, 10), 0, True)
    judge.table.note_spotted(0, 1)
    assert refused(judge, move(12, 10), pinned=True) == "NA-8.4"


# Floors (NA-3.9)


HOUSE = ["." * 10 + "@" * 20 + "." * 10] * 20


def floor_of(*more: Figure, also: Mapping[int, int] | None = None, floors: int = 3, **rest: Any) -> Judge:
    """Return the judge of a figure in a house."""
    return judge_of([figure(15, 5, also=also or {}), *more, FAR], ground_of(HOUSE, floors=floors), **rest)


def stairs(floor: int) -> Action:
    return Action(STAIRS, 0, target=floor)


def test_a_floor_up_or_down() -> None:
    for level, allowed in ((0, [1]), (1, [0, 2]), (2, [1])):
        judge = floor_of(also={LEVEL: level})
        for floor in range(-1, 4):
            if floor in allowed:
                judge.action(stairs(floor), 0, False)
            else:
                assert refused(judge, stairs(floor)) == "NA-3.9"


@pytest.mark.parametrize(
    ("also", "rule"),
    [({PRONE: 1}, "NA-3.10"), ({DRAGS: LOAD_0}, "NA-3.5")],
)
def test_who_may_not_use_the_stairs(also: Mapping[int, int], rule: str) -> None:
    assert refused(floor_of(also=also), stairs(1)) == rule
    assert refused(floor_of(), stairs(1), pinned=True) == "NA-8.4"


def test_where_there_are_no_stairs() -> None:
    outside = judge_of([figure(5, 5), FAR], ground_of(HOUSE, floors=3))
    assert refused(outside, stairs(1)) == "NA-3.9"
    assert refused(floor_of(book=RISORGIMENTO), stairs(1)) == "RI-3.13"
    assert refused(floor_of(floors=1), stairs(1)) == "NA-3.9"


def test_somebody_at_the_top_of_the_stairs() -> None:
    for side, also, free in (
        (0, {LEVEL: 1}, False),
        (1, {LEVEL: 1}, False),
        (1, {LEVEL: 1, STATUS: CAPTURED}, False),
        (1, {LEVEL: 1, STATUS: DEAD}, True),
        (1, {LEVEL: 2}, True),
    ):
        judge = judge_of([figure(15, 5), figure(15, 6.9, side, also=also), FAR], ground_of(HOUSE, floors=3))
        if free:
            judge.action(stairs(1), 0, False)
        else:
            assert refused(judge, stairs(1)) == "NA-3.9"


def test_nobody_leaves_the_house_but_by_the_ground_floor() -> None:
    judge = floor_of(also={LEVEL: 1}, edges=(1, 0))
    judge.action(move(11, 5), 0, False)
    assert refused(judge, move(9, 5)) == "NA-3.9"
    assert refused(judge, move(15, 4, exit=1)) == "NA-3.9"
    # Nor through the open from one wing to the other.
    wings = ground_of(["@@@@...@@@@"] * 9, floors=2)
    for level, allowed in ((0, True), (1, False)):
        judge = judge_of([figure(2, 2, also={LEVEL: level}), FAR], wings)
        if allowed:
            judge.action(move(9, 2), 0, False)
        else:
            assert refused(judge, move(9, 2)) == "NA-3.9"


def test_other_floors_are_out_of_the_way_and_out_of_contact() -> None:
    judge = floor_of(figure(16, 5, 1, also={LEVEL: 1}), figure(15, 9, also={LEVEL: 1}))
    table = judge.table
    assert (table.touches(0), table.touches(1)) == ([], [])
    judge.action(move(20, 5), 0, False)
    judge.action(move(15, 9), 0, False)
    upstairs = floor_of(figure(16, 5, 1, also={LEVEL: 1}), also={LEVEL: 1})
    assert upstairs.table.touches(0) == [1]


def test_what_is_on_another_floor_cannot_be_taken() -> None:
    for level, load, captive in ((0, True, False), (1, False, True)):
        judge = floor_of(figure(15, 8, 1, also={STATUS: CAPTURED, LEVEL: 1}), also={LEVEL: level})
        judge.table.state.loads, judge.table.state.load[:, 0] = 1, (15, 3)
        for grab, allowed in ((LOAD_0, load), (1, captive)):
            if allowed:
                judge.action(Action(TAKE, 0, grab=grab), 0, False)
            else:
                assert refused(judge, Action(TAKE, 0, grab=grab)) == "NA-3.5"


def test_a_repeater_that_has_fired_stays_on_its_floor() -> None:
    # No rulebook has both floors and repeaters; a designer's may.
    judge = floor_of(also={SHOTS: 2})
    judge.table.reading["repeat_busy"] = "symmetric"
    assert refused(judge, stairs(1)) == judge.table.rule("busy repeater")


# Prisoners who are dragged


def test_a_dragged_prisoner_is_not_in_the_way() -> None:
    captive = figure(5, 7.5, 1, also={STATUS: CAPTURED})
    judge = judge_of([figure(5, 5, also={DRAGS: 1}), captive, figure(20, 5), FAR])
    judge.action(move(5, 8), 0, False)
    free = judge_of([figure(5, 5), captive, figure(20, 5), FAR])
    assert refused(free, move(5, 8)) == "NA-3.2"


# Declared orders (NA-2.8)


def test_nobody_fires_jointly_after_the_first_declaration() -> None:
    judge = judge_of(line())
    judge.choice(volley(), Turn(0, 6, False, declared=False), 1)
    assert refused_choice(judge, volley(), Turn(0, 6, False, declared=True)) == "NA-2.8"
