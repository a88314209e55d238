"""What the judge allows and refuses, one rule at a time, on positions made by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.stirling_battles import (
    EAST,
    NORTH_EAST,
    NORTH_WEST,
    SOUTH_EAST,
    SOUTH_WEST,
    WEST,
    fields_of,
    rulebook_with,
    setup_of,
)
from wargamesim.errors import IllegalAction
from wargamesim.games.stirling.judge import Judge, Move
from wargamesim.games.stirling.layout import (
    ADVANCE,
    FLEE,
    LARGE,
    MOST_UNITS,
    PLAN,
    ROUTED,
    RUN,
    SPLIT,
    STAY,
    STEP_BACK,
    WALK,
)
from wargamesim.games.stirling.referee_board import (
    Board,
)
from wargamesim.games.stirling.units import Unit
from wargamesim.records import new_record


class Names:
    def name(self, unit: Any) -> str:
        return f"unit {unit.index}"


def judged(*units: Any, changes: Mapping[str, Any] | None = None, **more: Any) -> tuple[Judge, list[Any]]:
    """Return a judge of a position, and its units; each is (side, hex, front), then fields by name."""
    book = rulebook_with(changes)
    rows = [fields_of(Unit(), book, *unit[:3], **(unit[3] if len(unit) > 3 else {})) for unit in units]
    setup = setup_of(rows, book, movement=1, **more)
    board = Board(setup.start, setup.play)
    for unit in board.units:
        unit.engaged = int(board.is_engaged(unit))
    return Judge(board, Names()), board.units


def refuses(judge: Judge, unit: Any, move: Move, rule: str) -> None:
    with pytest.raises(IllegalAction) as caught:
        judge.judge_move(unit, move)
    assert caught.value.rule == rule
    assert "unit 0" in caught.value.reason


def go(what: int, *path: int, to: int = EAST, **more: int) -> Move:
    return Move(what, to, len(path), path=path, **more)


# A proposal


def test_a_move_is_read_off_the_plan() -> None:
    plan: Any = new_record(PLAN)
    plan.action[:] = RUN, 4, 3, 1, -1, -1
    plan.path[:4] = 1, 2, 3, 5
    assert Move.of(plan) == Move(RUN, 4, 3, charge=1, path=(1, 2, 3))


# Cost of moves (SS-5.1, SS-5.4, SS-5.5)


@pytest.mark.parametrize(
    ("changes", "what", "path", "to", "cost"),
    [
        ({}, WALK, (0, 0, 0), EAST, 3),
        ({}, WALK, (0, 1, 0), NORTH_WEST, 3 + 4),  # one hexside a hex is free, two at the end are a reversal
        ({}, WALK, (3,), WEST, 1 + 4),
        ({}, WALK, (2, 0), EAST, 2 + 4 + 4),
        ({}, RUN, (3,), WEST, 1 + 12),
        ({"SS-P26": "of_mov"}, RUN, (3,), WEST, 1 + 4),
        ({"SS-P18": "any_direction"}, WALK, (2, 0), EAST, 2),
        ({"SS-P18": "any_direction"}, WALK, (0,), WEST, 1 + 4),
        ({"SS-P19": "free"}, WALK, (0,), WEST, 1),
        ({"movement.free_rotation": 0}, WALK, (0, 1), NORTH_EAST, 2 + 4),
        ({"movement.free_rotation": 3}, WALK, (3, 0), EAST, 2),
        ({"movement.reversal_part": 5}, WALK, (3,), WEST, 1 + 3),  # 12 / 5, rounded up
    ],
)
def test_what_a_move_costs(changes: Mapping[str, Any], what: int, path: tuple[int, ...], to: int, cost: int) -> None:
    judge, (unit,) = judged((0, (5, 5), EAST), changes=changes)
    assert judge.cost(unit, path, to, judge.allowance(unit, what)) == cost


def test_a_unit_walks_its_mov_and_runs_three_times_as_far() -> None:
    judge, (unit, _) = judged((0, (0, 0), EAST, {"mov": 3}), (1, (0, 15), WEST))
    judge.judge_move(unit, go(WALK, 0, 0, 0))
    refuses(judge, unit, go(WALK, 0, 0, 0, 0), "SS-5.4")
    judge.judge_move(unit, go(RUN, *[0] * 9))
    refuses(judge, unit, go(RUN, *[0] * 10), "SS-5.4")


@pytest.mark.parametrize(
    ("changes", "walk", "run"),
    [({"SS-P06": "per_round"}, 24, 72), ({"SS-P16": "third"}, 4, 12), ({"SS-P16": "four_thirds"}, 16, 48)],
)
def test_allowances_by_reading(changes: Mapping[str, str], walk: int, run: int) -> None:
    judge, (unit,) = judged((0, (0, 0), EAST), changes=changes)
    assert [judge.allowance(unit, what) for what in (STAY, WALK, ADVANCE, STEP_BACK, RUN, FLEE)] == [
        *[walk] * 3,
        walk // 3,
        run,
        run,
    ]


def test_a_routed_unit_walks_in_one_reading() -> None:
    judge, (unit,) = judged((0, (0, 0), EAST, {"status": ROUTED}), changes={"SS-P50": "walk"})
    assert judge.allowance(unit, FLEE) == 12


def test_a_unit_that_stays_may_turn_for_what_it_costs() -> None:
    judge, (unit,) = judged((0, (5, 5), EAST, {"mov": 0}))
    judge.judge_move(unit, go(STAY, to=EAST))
    judge.judge_move(unit, go(STAY, to=WEST))  # a third of nothing
    judge, (unit,) = judged((0, (5, 5), EAST, {"mov": 1}), changes={"SS-P16": "third", "movement.hexes": 3})
    judge.judge_move(unit, go(STAY, to=WEST))


# Steps and zones (SS-1.7, SS-5.6, SS-5.10)


def test_nobody_leaves_the_board_of_his_own_will() -> None:
    judge, (unit,) = judged((0, (0, 0), EAST))
    refuses(judge, unit, go(WALK, WEST, to=WEST), "SS-5.10")
    refuses(judge, unit, go(WALK, NORTH_EAST), "SS-5.10")


def test_nobody_steps_into_an_enemy() -> None:
    judge, (unit, _) = judged((0, (5, 5), EAST), (1, (7, 5), WEST), changes={"movement.zone": 0})
    refuses(judge, unit, go(WALK, 0, 0), "SS-1.7")


def test_entering_a_zone_ends_a_move() -> None:
    judge, (unit, _) = judged((0, (4, 5), EAST), (1, (7, 5), WEST))
    judge.judge_move(unit, go(WALK, 0, 0))
    # (6, 5) is next to the enemy; (6, 4) is not, but the move was over.
    refuses(judge, unit, go(WALK, 0, 0, NORTH_WEST, to=NORTH_WEST), "SS-5.6")


def test_the_front_may_still_be_chosen_in_a_zone() -> None:
    judge, (unit, _) = judged((0, (4, 5), EAST), (1, (7, 5), WEST))
    judge.judge_move(unit, go(WALK, 0, 0, to=NORTH_EAST))


def test_routed_units_have_zones_in_one_reading() -> None:
    units = (0, (4, 5), EAST), (1, (7, 5), WEST, {"status": ROUTED})
    judge, (unit, _) = judged(*units)
    around_it = go(WALK, 0, 0, SOUTH_EAST, to=SOUTH_EAST)
    judge.judge_move(unit, around_it)
    judge, (unit, _) = judged(*units, changes={"SS-P51": "as_ordered"})
    refuses(judge, unit, around_it, "SS-5.6")


def test_a_friend_may_be_passed_but_not_joined() -> None:
    units = (0, (4, 5), EAST), (0, (5, 5), EAST)
    judge, (unit, _) = judged(*units)
    judge.judge_move(unit, go(WALK, 0, 0))
    refuses(judge, unit, go(WALK, 0), "SS-1.7")
    judge, (unit, _) = judged(*units, changes={"SS-P01": "unlimited"})
    judge.judge_move(unit, go(WALK, 0))


# What a unit may do at all (SS-5.7)


ENGAGED = (0, (5, 5), EAST), (1, (6, 5), WEST)


@pytest.mark.parametrize("what", [WALK, RUN])
def test_an_engaged_unit_neither_walks_nor_runs(what: int) -> None:
    judge, (unit, _) = judged(*ENGAGED)
    refuses(judge, unit, go(what, WEST, to=WEST), "SS-5.7")


@pytest.mark.parametrize("what", [ADVANCE, STEP_BACK, FLEE])
def test_a_unit_that_is_free_does_nothing_of_those_engaged(what: int) -> None:
    judge, (unit,) = judged((0, (5, 5), EAST))
    refuses(judge, unit, go(what, *([] if what == FLEE else [WEST])), "SS-5.7")


def test_an_engaged_unit_may_turn_flee_or_split() -> None:
    judge, (unit, _) = judged(*ENGAGED)
    for move in (go(STAY, to=WEST), go(FLEE), go(SPLIT, to=WEST)):
        judge.judge_move(unit, move)


def test_who_is_engaged_by_facing() -> None:
    facing = {"SS-P20": "facing"}
    _, units = judged((0, (5, 5), EAST), (1, (6, 5), EAST), changes=facing)
    assert [unit.engaged for unit in units] == [1, 1]
    _, units = judged((0, (5, 5), WEST), (1, (6, 5), EAST), changes=facing)
    assert [unit.engaged for unit in units] == [0, 0]
    _, units = judged((0, (5, 5), WEST), (1, (6, 5), EAST))
    assert [unit.engaged for unit in units] == [1, 1]


def test_a_step_back_goes_backwards_and_not_far() -> None:
    judge, (unit, _) = judged(*ENGAGED)
    for direction in (NORTH_WEST, WEST, SOUTH_WEST):
        judge.judge_move(unit, go(STEP_BACK, direction, to=-1))
    for direction in (NORTH_EAST, SOUTH_EAST):
        refuses(judge, unit, go(STEP_BACK, direction), "SS-5.7")
    judge.judge_move(unit, go(STEP_BACK, *[WEST] * 4))
    refuses(judge, unit, go(STEP_BACK, *[WEST] * 5), "SS-5.1")


def test_a_step_back_obeys_the_zones() -> None:
    # North-west of the unit is a hex in the zone of the second enemy.
    judge, (unit, *_) = judged(*ENGAGED, (1, (5, 3), EAST))
    refuses(judge, unit, go(STEP_BACK, NORTH_WEST), "SS-5.6")
    judge.judge_move(unit, go(STEP_BACK, WEST))


def test_an_advance_needs_a_hex_that_an_enemy_left() -> None:
    judge, (unit, enemy, _) = judged(*ENGAGED, (1, (4, 5), EAST))
    move = go(ADVANCE, EAST)
    refuses(judge, unit, move, "SS-5.7")
    judge.board.vacate(enemy)
    refuses(judge, unit, move, "SS-5.7")  # it is still there
    enemy.hex = (9, 5)
    judge.judge_move(unit, move)
    judge.judge_move(unit, go(ADVANCE, EAST, to=NORTH_WEST))
    refuses(judge, unit, go(ADVANCE, NORTH_EAST), "SS-5.7")
    refuses(judge, unit, go(ADVANCE, EAST, EAST), "SS-5.1")


def test_an_advance_does_not_follow_a_friend() -> None:
    judge, (unit, friend, _) = judged((0, (5, 5), EAST), (0, (6, 5), EAST), (1, (4, 5), EAST))
    judge.board.vacate(friend)
    friend.hex = (9, 5)
    refuses(judge, unit, go(ADVANCE, EAST), "SS-5.7")


def test_an_advance_obeys_the_zones() -> None:
    judge, (unit, enemy, _) = judged(*ENGAGED, (1, (6, 4), EAST))
    judge.board.vacate(enemy)
    enemy.hex = (12, 5)
    refuses(judge, unit, go(ADVANCE, EAST), "SS-5.6")


# The form of proposals


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        (Move(7, 0), "SS-5.1"),
        (Move(-1, 0), "SS-5.1"),
        (go(WALK), "SS-5.1"),
        (go(STAY, EAST), "SS-5.1"),
        (go(WALK, 6), "SS-1.1"),
        (go(WALK, EAST, to=6), "SS-1.1"),
        (go(STAY, to=-1), "SS-1.1"),
        (go(WALK, EAST, charge=1), "SS-7.3"),
        (go(STAY, charge=1), "SS-7.3"),
        (go(STAY, merge=0), "SS-6.3"),
        (go(STAY, merge=1), "SS-6.3"),
        (go(SPLIT, merge=1), "SS-6.3"),
        (go(RUN, EAST, charge=1, merge=1), "SS-6.3"),
    ],
)
def test_malformed_proposals_are_refused(move: Move, rule: str) -> None:
    judge, (unit, _) = judged((0, (5, 5), EAST), (0, (1, 1), EAST))
    refuses(judge, unit, move, rule)


# Splitting and merging (SS-6.2, SS-6.3)


def test_who_can_split() -> None:
    judge, (unit, _) = judged((0, (5, 5), EAST, {"men": 20}), (0, (6, 5), EAST))
    judge.judge_move(unit, go(SPLIT, to=WEST))
    unit.men = 10
    refuses(judge, unit, go(SPLIT, to=WEST), "SS-6.2")
    unit.men = 250
    assert judge.half(unit) == 120
    refuses(judge, unit, go(SPLIT, WEST), "SS-5.1")


def test_a_battle_has_room_for_so_many_units() -> None:
    judge, (unit, *_) = judged(*((0, (col, row), EAST) for row in (0, 1, 2, 3) for col in range(16)), board=(16, 32))
    assert len(judge.board.units) == MOST_UNITS
    refuses(judge, unit, go(SPLIT), "SS-6.2")


def test_halves_may_have_to_stand_apart() -> None:
    judge, (unit, _, _) = judged(
        (0, (0, 5), EAST), (0, (1, 5), EAST), (1, (9, 9), EAST), changes={"SS-P29": "adjacent_hex"}
    )
    judge.judge_move(unit, go(SPLIT, NORTH_EAST, to=WEST))
    refuses(judge, unit, go(SPLIT, EAST), "SS-6.2")
    refuses(judge, unit, go(SPLIT), "SS-5.1")
    unit.hex = (-2, 5)
    refuses(judge, unit, go(SPLIT, WEST), "SS-6.2")


def test_who_can_merge() -> None:
    judge, (unit, other, _, enemy) = judged(
        (0, (5, 5), EAST), (0, (6, 5), EAST), (0, (9, 5), EAST), (1, (12, 12), EAST)
    )
    judge.judge_move(unit, go(WALK, EAST, merge=1))
    refuses(judge, unit, go(WALK, EAST, merge=2), "SS-6.3")
    refuses(judge, unit, go(WALK, EAST, EAST, merge=1), "SS-6.3")
    refuses(judge, unit, go(WALK, EAST, EAST, merge=3), "SS-6.3")
    other.traits = LARGE
    refuses(judge, unit, go(WALK, EAST, merge=1), "SS-6.3")
    assert enemy.side == 1


def test_halves_in_one_hex_may_merge_again() -> None:
    judge, (unit, _) = judged((0, (5, 5), EAST), (0, (5, 5), WEST))
    judge.judge_move(unit, go(STAY, merge=1))


# Charges (SS-7.3)


@pytest.mark.parametrize(
    ("reading", "path", "front", "is_one"),
    [
        ("straight_run", (0, 0, 0), EAST, True),
        ("straight_run", (0, 0), EAST, False),
        ("straight_run", (1, 0, 0), EAST, False),
        ("straight_run", (0, 0, 0), NORTH_EAST, False),
        ("any_run", (1,), EAST, True),
        ("any_run", (), EAST, False),
        ("any_run", (1,), WEST, False),
        ("full_mov", (0,) * 12, EAST, True),
        ("full_mov", (0,) * 11, EAST, False),
    ],
)
def test_what_is_a_charge(reading: str, path: tuple[int, ...], front: int, is_one: bool) -> None:
    judge, (unit, _) = judged((0, (5, 5), front), (1, (6, 5), WEST), changes={"SS-P30": reading})
    assert judge.is_charge(unit, RUN, path) == is_one
    assert not judge.is_charge(unit, WALK, path)
    if is_one:
        judge.judge_charge(unit, RUN, path)
    else:
        with pytest.raises(IllegalAction, match=r"SS-7\.3"):
            judge.judge_charge(unit, RUN, path)


# Interception (SS-6.1)

MOVER, STOPPER = (0, (1, 5), EAST), (1, (6, 8), NORTH_WEST)
WAY = go(WALK, 0, 0, 0, 0, 0, 0)


def intercepts(reply: Move, *others: Any, changes: Mapping[str, Any] | None = None, move: Move = WAY) -> str:
    """Return the rule that forbids an interception, or nothing."""
    judge, (mover, *rest) = judged(
        MOVER,
        *(each for each in others if each[0] == 0),
        STOPPER,
        *(each for each in others if each[0] == 1),
        changes=changes,
    )
    stopper = next(unit for unit in rest if unit.side == 1)
    try:
        judge.judge_interception(stopper, reply, mover, move)
    except IllegalAction as error:
        return error.rule
    return ""


def test_an_interceptor_goes_next_to_the_way() -> None:
    # Two steps north-west bring it to (6, 6), next to (6, 5) and (7, 5), the fifth and sixth hex of the way.
    assert intercepts(go(WALK, 2, 2, to=NORTH_WEST, stop=5)) == ""
    assert intercepts(go(WALK, 2, 2, to=NORTH_WEST, stop=6)) == ""
    assert intercepts(go(WALK, 2, 2, to=NORTH_WEST, stop=4)) == "SS-6.1"
    assert intercepts(go(WALK, 2, 2, to=NORTH_WEST, stop=0)) == "SS-6.1"
    assert intercepts(go(WALK, 2, 2, to=NORTH_WEST, stop=7)) == "SS-6.1"


def test_an_interceptor_may_stand_there_already() -> None:
    still = Move(WALK, NORTH_WEST, stop=3)
    assert intercepts(still) == "SS-6.1"
    assert intercepts(still, move=go(WALK, 5, 5, 5)) == "SS-6.1"
    assert intercepts(Move(WALK, WEST, stop=7), move=go(WALK, 0, 0, 0, 0, 0, 5, 5)) == ""


def test_an_interceptor_walks_in_one_reading_and_runs_in_the_other() -> None:
    run = go(RUN, 2, 2, to=NORTH_WEST, stop=5)
    assert intercepts(run) == "SS-6.1"
    assert intercepts(run, changes={"SS-P27": "run"}) == ""
    assert intercepts(go(STAY, to=NORTH_WEST, stop=5)) == "SS-6.1"


def test_an_interceptor_obeys_the_rules_of_moves() -> None:
    assert intercepts(go(WALK, 2, 2, to=NORTH_WEST, stop=5, merge=0)) == "SS-6.3"
    assert intercepts(go(WALK, 2, 2, to=NORTH_WEST, stop=5, charge=1)) == "SS-7.3"
    assert intercepts(go(WALK, 2, 2, to=9, stop=5)) == "SS-1.1"
    assert intercepts(go(WALK, *[3] * 12, 2, 2, to=WEST, stop=5)) == "SS-5.4"
    # Its end is another's place, and a step leads from zone to zone.
    assert intercepts(go(WALK, 2, 2, to=NORTH_WEST, stop=5), (1, (6, 6), WEST)) == "SS-1.7"
    assert intercepts(go(WALK, 2, 2, to=NORTH_WEST, stop=5), (0, (5, 8), WEST)) == "SS-5.6"


def test_the_mover_is_no_obstacle_to_its_interceptor() -> None:
    # The way south: the interceptor passes through the mover's zone, and where it stood.
    assert intercepts(go(WALK, 2, 2, 2, 3, to=WEST, stop=1), move=go(WALK, 0)) == "SS-6.1"
    assert intercepts(go(WALK, 2, 2, 2, 3, 3, to=WEST, stop=1), move=go(WALK, 0)) == "SS-6.1"
    assert intercepts(go(WALK, 2, 2, 2, 3, 3, 3, 3, to=WEST, stop=1), move=go(WALK, 5)) == ""


def test_the_mover_must_have_room_where_it_is_stopped() -> None:
    reply, friend = go(WALK, 2, 2, to=NORTH_WEST, stop=5), (0, (6, 5), NORTH_EAST)
    assert intercepts(go(WALK, 2, 2, to=NORTH_WEST, stop=5), friend) == "SS-6.1"
    assert intercepts(reply, friend, changes={"SS-P01": "unlimited"}) == ""


def test_an_interceptor_may_have_to_come_in_time() -> None:
    in_time = {"SS-P28": "proportional"}
    # Two of twelve hexes walked: the mover has walked two of twelve when it is in its second hex.
    assert intercepts(go(WALK, 2, 2, to=NORTH_WEST, stop=5), changes=in_time) == ""
    late = go(WALK, 3, 2, 2, 3, 3, to=WEST, stop=2)
    assert intercepts(late) == ""
    assert intercepts(late, changes=in_time) == "SS-P28"
    # A run has three times the allowance: its fifth hex is reached as soon as the second of a walk.
    assert intercepts(go(WALK, 2, 2, to=NORTH_WEST, stop=5), changes=in_time, move=go(RUN, 0, 0, 0, 0, 0)) == "SS-P28"


# Shots and spells (section 4)


def shot_at(*units: Any, target: int = 1, changes: Mapping[str, Any] | None = None) -> str:
    bow = {"range_short": 7, "range_medium": 14, "range_long": 21}
    judge, (shooter, *_) = judged((*units[0], bow), *units[1:], changes=changes)
    try:
        return f"{judge.judge_shot(shooter, target).index}"
    except IllegalAction as error:
        return error.rule


def test_whom_a_unit_may_shoot() -> None:
    archer = (0, (0, 5), EAST)
    assert shot_at(archer, (1, (2, 5), WEST)) == "1"
    assert shot_at(archer, (1, (1, 5), WEST)) == "SS-4.2"
    assert shot_at(archer, (1, (3, 5), WEST), changes={"ranged.barred": 3}) == "SS-4.2"
    assert shot_at(archer, (1, (2, 5), WEST), target=0) == "SS-4.1"
    assert shot_at(archer, (1, (2, 5), WEST), target=2) == "SS-4.1"
    assert shot_at((0, (0, 0), EAST), (1, (-7, 15), WEST), changes={}) == "1"


def test_the_reach_of_a_weapon() -> None:
    judge, (unit, _) = judged((0, (0, 5), EAST, {"range_long": 8}), (1, (9, 5), WEST))
    with pytest.raises(IllegalAction, match=r"SS-4\.3"):
        judge.judge_shot(unit, 1)
    unit.range_long = 9
    assert judge.judge_shot(unit, 1).index == 1


def test_a_neighbour_may_keep_a_unit_from_shooting_at_all() -> None:
    units = (0, (3, 5), EAST), (1, (6, 5), WEST), (1, (3, 6), WEST)
    assert shot_at(*units) == "1"
    assert shot_at(*units, changes={"SS-P11": "none_if_any_adjacent"}) == "SS-P11"


def test_a_unit_may_have_to_shoot_before_its_front() -> None:
    front = {"SS-P13": "front_three"}
    for at, seen in (((8, 5), True), ((8, 2), True), ((5, 8), True), ((2, 5), False), ((3, 7), False)):
        answer = shot_at((0, (5, 5), EAST), (1, at, WEST), changes=front)
        assert answer == ("1" if seen else "SS-P13"), at


def test_a_spell_has_a_reach() -> None:
    judge, (unit, *_) = judged((0, (0, 5), EAST), (1, (4, 5), WEST))
    assert judge.judge_cast(unit, 1, [0, 1, 4, 50]).index == 1
    with pytest.raises(IllegalAction, match="SS-P09"):
        judge.judge_cast(unit, 1, [0, 1, 3, 50])
    with pytest.raises(IllegalAction, match=r"SS-4\.1"):
        judge.judge_cast(unit, 0, [0, 1, 3, 50])


def test_only_those_who_can_attack_a_fleeing_unit() -> None:
    judge, units = judged(*ENGAGED, (1, (9, 5), WEST))
    assert judge.judge_free_attacker(units[0], 1, [units[1]]) is units[1]
    with pytest.raises(IllegalAction, match="SS-P22"):
        judge.judge_free_attacker(units[0], 2, [units[1]])
