"""What players may propose: each rule broken alone, and the same proposal within it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.coloniale_battles import rulebook_with, unit_of
from tests.coloniale_positions import ScriptedCourse, course_of
from wargamesim.errors import IllegalAction
from wargamesim.games.coloniale.layout import (
    BATTERY,
    CANNON,
    CAVALRY,
    CREST,
    DESTROYED,
    HARD,
    MERGE,
    MOST_UNITS,
    MOVE,
    OFF_ROAD,
    REINFORCE,
    RIFLE,
    ROAD,
    SPLIT,
    STAY,
    UNFORDABLE,
)
from wargamesim.games.coloniale.referee_plan import Action, Fire

# By their numbers: a battalion, one beside it, cavalry, guns, and farther north an enemy, one far away, one destroyed.
BATTALION, FRIEND, HORSE, GUNS, ENEMY, FAR, GONE = range(7)
UNITS = (
    unit_of(0, (100.0, 100.0), 4, 6),
    unit_of(0, (104.0, 100.0), 4, 6),
    unit_of(0, (96.0, 100.0), 2, 6, arm=CAVALRY),
    unit_of(0, (100.0, 104.0), 3, 6, arm=BATTERY),
    unit_of(1, (100.0, 80.0), 6, 6),
    unit_of(1, (100.0, 4.0), 6, 6),
    unit_of(1, (101.0, 90.0), 0, 6, status=DESTROYED),
)


def course(*changed: tuple[int, dict[str, Any]], **more: Any) -> ScriptedCourse:
    """Set the position up with some units changed; readings and numbers as `changes`."""
    units = [unit | dict(changed).get(number, {}) for number, unit in enumerate(UNITS)]
    return course_of(units, rulebook=rulebook_with(more.pop("changes", {})), **more)


def forbidden(rule: str, do: Any, *arguments: Any, **more: Any) -> None:
    with pytest.raises(IllegalAction) as caught:
        do(*arguments, **more)
    assert caught.value.rule == rule, str(caught.value)


def rifles(*targets: int, dice: tuple[int, ...] = (), marked: int = 0) -> Fire:
    return Fire(RIFLE, targets, dice or (1,) * len(targets), marked)


def cannon(*targets: int) -> Fire:
    return Fire(CANNON, targets, (1,) * len(targets), 0)


# Fire


def test_allowed_fire() -> None:
    judge = course().judge
    judge.fire(BATTALION, rifles())
    judge.fire(BATTALION, rifles(ENEMY, dice=(4,)))
    judge.fire(GUNS, cannon(FAR))
    judge.fire(GUNS, cannon(ENEMY))


@pytest.mark.parametrize(
    ("rule", "unit", "fire"),
    [
        ("CO-4.2", BATTALION, rifles(ENEMY, dice=(5,))),
        ("CO-4.2", BATTALION, rifles(ENEMY, dice=(0,))),
        ("CO-4.2", BATTALION, rifles(ENEMY, ENEMY)),
        ("CO-4.2", BATTALION, rifles(FAR)),
        ("CO-4.2", BATTALION, rifles(FRIEND)),
        ("CO-4.2", BATTALION, rifles(GONE)),
        ("CO-4.2", BATTALION, rifles(63)),
        ("CO-4.2", BATTALION, rifles(-1)),
        ("CO-4.2", FRIEND, rifles(ENEMY)),
        ("CO-4.2", GUNS, rifles(ENEMY)),
        ("CO-4.2", BATTALION, Fire(2, (ENEMY,), (1,), 0)),
        ("CO-4.3", BATTALION, cannon(ENEMY)),
        ("CO-4.3", GUNS, cannon(ENEMY, FAR)),
        ("CO-4.3", GUNS, Fire(CANNON, (ENEMY,), (2,), 0)),
    ],
)
def test_forbidden_fire(rule: str, unit: int, fire: Fire) -> None:
    forbidden(rule, course().judge.fire, unit, fire)


def test_cannons_have_a_reach() -> None:
    judge = course((GUNS, {"at": (100.0, 104.1)})).judge
    forbidden("CO-4.3", judge.fire, GUNS, cannon(FAR))
    course((GUNS, {"at": (100.0, 104.1)}), changes={"cannon.near_reach": 101}).judge.fire(GUNS, cannon(FAR))


def test_fire_needs_sight() -> None:
    crest = course(lines=[(CREST, 0, (50.0, 90.0, 150.0, 90.0))]).judge
    forbidden("CO-2.3", crest.fire, BATTALION, rifles(ENEMY))
    deep = course(difficult=[(60, 60, 140, 140)]).judge
    forbidden("CO-2.2", deep.fire, BATTALION, rifles(ENEMY))
    between = course(difficult=[(60, 88, 140, 92)]).judge
    forbidden("CO-2.3", between.fire, BATTALION, rifles(ENEMY))


def test_a_single_target_gets_the_markers() -> None:
    forbidden("CO-P09", course(changes={"CO-P09": "one"}).judge.fire, BATTALION, rifles(ENEMY, marked=1))
    course().judge.fire(BATTALION, rifles(ENEMY, marked=1))


def test_markers_may_cost_dice_of_fire() -> None:
    judge = course((BATTALION, {"markers": 3}), changes={"CO-P10": "fire_dice"}).judge
    judge.fire(BATTALION, rifles(ENEMY, dice=(1,)))
    forbidden("CO-4.2", judge.fire, BATTALION, rifles(ENEMY, dice=(2,)))


# Assaults


def assaults(unit: int, target: int) -> Action:
    return Action(0, unit, target)


def test_allowed_assaults() -> None:
    course().judge.assault(0, assaults(BATTALION, ENEMY))
    course(lines=[(HARD, 0, (50.0, 90.0, 150.0, 90.0))]).judge.assault(0, assaults(BATTALION, ENEMY))
    again = course((ENEMY, {"assaulted": 1}))
    again.judge.assault(0, assaults(BATTALION, ENEMY))


@pytest.mark.parametrize(
    ("rule", "side", "unit", "target"),
    [
        ("CO-5.1", 1, BATTALION, ENEMY),
        ("CO-5.1", 0, ENEMY, BATTALION),
        ("CO-5.1", 0, BATTALION, FRIEND),
        ("CO-5.1", 0, BATTALION, GONE),
        ("CO-5.1", 0, BATTALION, -1),
        ("CO-5.1", 0, 64, ENEMY),
        ("CO-5.1", 1, GONE, BATTALION),
        ("CO-5.1", 0, FRIEND, ENEMY),
        ("CO-P11", 0, GUNS, ENEMY),
    ],
)
def test_forbidden_assaults(rule: str, side: int, unit: int, target: int) -> None:
    forbidden(rule, course().judge.assault, side, assaults(unit, target))


def test_assaults_with_an_action_marker_over_water_and_twice() -> None:
    proposal = assaults(BATTALION, ENEMY)
    forbidden("CO-3.2", course((BATTALION, {"action": 1})).judge.assault, 0, proposal)
    river = [(UNFORDABLE, 0, (50.0, 90.0, 150.0, 90.0))]
    forbidden("CO-2.4", course(lines=river).judge.assault, 0, proposal)
    course(lines=river, movement=0).judge.assault(0, proposal)
    forbidden("CO-P06", course((ENEMY, {"assaulted": 1}), changes={"CO-P06": "not_twice"}).judge.assault, 0, proposal)
    night = course((ENEMY, {"assaulted": 1}))
    night.state.night = 1
    forbidden("CO-8.2", night.judge.assault, 0, proposal)


def test_batteries_may_assault_by_a_reading() -> None:
    units = (GUNS, {"at": (100.0, 98.0)})
    course(units, changes={"CO-P11": "yes"}).judge.assault(0, assaults(GUNS, ENEMY))


# Tactical moves


def goes(x: float, y: float, node: int = 0) -> Action:
    return Action(MOVE, node=node, to=(x, y))


def test_allowed_moves() -> None:
    judge = course().judge
    judge.move(BATTALION, Action(STAY))
    judge.move(BATTALION, goes(100.0, 120.0))
    judge.move(BATTALION, goes(100.0, 82.0))
    judge.move(HORSE, goes(66.0, 100.0))
    judge.move(BATTALION, goes(101.0, 90.0))
    judge.move(BATTALION, goes(100.0, 100.0))


@pytest.mark.parametrize(
    ("rule", "unit", "action"),
    [
        ("CO-6.1", BATTALION, goes(100.0, 120.1)),
        ("CO-6.1", HORSE, goes(65.9, 100.0)),
        ("CO-6.1", GUNS, goes(100.0, 124.1)),
        ("CO-6.1", BATTALION, goes(100.0, 81.9)),
        ("CO-6.1", BATTALION, goes(102.1, 100.0)),
        ("CO-8.3", BATTALION, goes(100.0, 90.0, 1)),
        ("CO-6.1", BATTALION, Action(5)),
        ("CO-6.1", BATTALION, Action(-1)),
    ],
)
def test_forbidden_moves(rule: str, unit: int, action: Action) -> None:
    forbidden(rule, course().judge.move, unit, action)


def test_moves_stay_on_the_table() -> None:
    judge = course((BATTALION, {"at": (10.0, 100.0)})).judge
    judge.move(BATTALION, goes(0.5, 100.0))
    forbidden("CO-6.1", judge.move, BATTALION, goes(0.4, 100.0))


def test_moves_over_water() -> None:
    river = (50.0, 110.0, 150.0, 110.0)
    forbidden("CO-2.4", course(lines=[(UNFORDABLE, 0, river)]).judge.move, BATTALION, goes(100.0, 115.0))
    hard = [(HARD, 0, (50.0, 101.0, 150.0, 101.0))]
    course(lines=hard).judge.move(BATTALION, goes(102.0, 102.0))
    forbidden("CO-6.2", course(lines=hard).judge.move, BATTALION, goes(100.0, 120.0))


def test_suppressed_units_may_have_to_stay() -> None:
    changes = {"CO-P10": "no_tactical_move"}
    shaken = course((BATTALION, {"markers": 6}), changes=changes).judge
    forbidden("CO-P10", shaken.move, BATTALION, goes(100.0, 110.0))
    shaken.move(BATTALION, Action(MERGE, target=FRIEND))
    course((BATTALION, {"markers": 5}), changes=changes).judge.move(BATTALION, goes(100.0, 110.0))


def test_forts_hold_one_infantry_unit() -> None:
    forts = [(100.0, 110.0)]
    course(forts=forts).judge.move(BATTALION, goes(100.0, 110.0, 1))
    forbidden("CO-8.3", course(forts=forts).judge.move, BATTALION, goes(100.0, 110.1, 1))
    forbidden("CO-8.3", course(forts=forts).judge.move, BATTALION, goes(100.0, 110.0, 2))
    forbidden("CO-8.3", course(forts=forts).judge.move, HORSE, goes(100.0, 110.0, 1))
    forbidden("CO-8.3", course((FAR, {"fort": 1}), forts=forts).judge.move, BATTALION, goes(100.0, 110.0, 1))


@pytest.mark.parametrize(
    ("rule", "unit", "action"),
    [
        ("CO-6.3", BATTALION, Action(MERGE, target=BATTALION)),
        ("CO-6.3", BATTALION, Action(MERGE, target=ENEMY)),
        ("CO-6.3", BATTALION, Action(MERGE, target=-1)),
        ("CO-6.3", BATTALION, Action(MERGE, target=GUNS)),
        ("CO-6.3", GUNS, Action(MERGE, target=BATTALION)),
        ("CO-6.5", BATTALION, Action(REINFORCE, target=GUNS, figures=1)),
        ("CO-6.5", BATTALION, Action(REINFORCE, target=ENEMY, figures=1)),
        ("CO-6.5", BATTALION, Action(REINFORCE, target=FRIEND, figures=0)),
        ("CO-6.5", BATTALION, Action(REINFORCE, target=FRIEND, figures=3)),
        ("CO-6.5", HORSE, Action(REINFORCE, target=FRIEND, figures=2)),
        ("CO-6.4", BATTALION, Action(SPLIT, figures=0, to=(98.0, 110.0))),
        ("CO-6.4", BATTALION, Action(SPLIT, figures=4, to=(98.0, 110.0))),
        ("CO-6.4", BATTALION, Action(SPLIT, figures=1, to=(100.0, 120.1))),
        ("CO-6.4", GUNS, Action(SPLIT, figures=1, to=(98.0, 110.0))),
        ("CO-6.1", BATTALION, Action(SPLIT, figures=1, to=(100.0, 101.0))),
    ],
)
def test_forbidden_mergers_halves_and_reinforcements(rule: str, unit: int, action: Action) -> None:
    forbidden(rule, course().judge.move, unit, action)


def test_allowed_mergers_halves_and_reinforcements() -> None:
    judge = course().judge
    judge.move(BATTALION, Action(MERGE, target=FRIEND))
    judge.move(BATTALION, Action(SPLIT, figures=3, to=(98.0, 110.0)))
    judge.move(BATTALION, Action(REINFORCE, target=FRIEND, figures=2))
    judge.move(HORSE, Action(REINFORCE, target=FRIEND, figures=1))


@pytest.mark.parametrize("what", [MERGE, REINFORCE])
def test_neighbours_must_be_near_and_free(what: int) -> None:
    action, rule = Action(what, target=FRIEND, figures=1), {MERGE: "CO-6.3a", REINFORCE: "CO-6.5"}[what]
    course((FRIEND, {"at": (120.0, 100.0)})).judge.move(BATTALION, action)
    forbidden(rule, course((FRIEND, {"at": (120.1, 100.0)})).judge.move, BATTALION, action)
    forbidden("CO-3.2", course((FRIEND, {"action": 1})).judge.move, BATTALION, action)
    gone = course((FRIEND, {"status": DESTROYED})).judge
    forbidden({MERGE: "CO-6.3", REINFORCE: "CO-6.5"}[what], gone.move, BATTALION, action)


def test_what_is_the_senders_action_alone_may_go_to_a_marked_unit() -> None:
    marked = course((FRIEND, {"action": 1}), changes={"CO-P23": "sender_only"}).judge
    marked.move(BATTALION, Action(REINFORCE, target=FRIEND, figures=1))
    forbidden("CO-3.2", marked.move, BATTALION, Action(MERGE, target=FRIEND))


def test_who_is_suppressed_sends_nobody() -> None:
    forbidden(
        "CO-6.5", course((BATTALION, {"markers": 1})).judge.move, BATTALION, Action(REINFORCE, target=FRIEND, figures=1)
    )


@pytest.mark.parametrize(
    ("unit", "target", "figures", "other"), [(BATTALION, FRIEND, 4, 5), (HORSE, FRIEND, 2, 7), (FRIEND, HORSE, 4, 5)]
)
def test_battalions_do_not_grow_too_large(unit: int, target: int, figures: int, other: int) -> None:
    large = (unit, {"fig": figures}), (target, {"fig": other})
    action = Action(MERGE, target=target)
    forbidden("CO-P22", course(*large).judge.move, unit, action)
    course(*large, changes={"CO-P22": "surplus_lost"}).judge.move(unit, action)
    course(large[0], (target, {"fig": other - 1})).judge.move(unit, action)


def test_cavalry_alone_is_smaller() -> None:
    units = (BATTALION, {"arm": CAVALRY, "fig": 3}), (HORSE, {"fig": 3})
    forbidden("CO-P22", course(*units).judge.move, BATTALION, Action(MERGE, target=HORSE))
    forbidden("CO-P22", course(*units).judge.move, BATTALION, Action(REINFORCE, target=HORSE, figures=2))
    course(*units).judge.move(BATTALION, Action(REINFORCE, target=HORSE, figures=1))


def test_there_are_not_more_units_than_a_battle_holds() -> None:
    full = course()
    full.state.count = MOST_UNITS
    full.table.status[7:] = DESTROYED
    forbidden("CO-6.4", full.judge.move, BATTALION, Action(SPLIT, figures=1, to=(98.0, 110.0)))


def test_the_second_answer_may_not_divide_again() -> None:
    judge = course().judge
    judge.move(BATTALION, Action(MERGE, target=FRIEND), again=True)
    for what in (SPLIT, REINFORCE):
        forbidden("CO-P23", judge.move, BATTALION, Action(what, target=FRIEND, figures=1, to=(98.0, 110.0)), again=True)


# Marches

ROADS: dict[str, Any] = {"nodes": [(50.0, 100.0, 0), (150.0, 100.0, 0), (150.0, 200.0, 0)], "roads": [(0, 1), (1, 2)]}
AWAY = (ENEMY, {"at": (100.0, 20.0)})


def off_road(*followers: int, to: tuple[float, float] = (100.0, 200.0)) -> Action:
    return Action(OFF_ROAD, to=to, followers=followers)


def test_allowed_marches() -> None:
    judge = course(AWAY, **ROADS).judge
    judge.march(BATTALION, Action(STAY))
    judge.march(BATTALION, off_road())
    judge.march(BATTALION, off_road(FRIEND))
    judge.march(FRIEND, off_road(BATTALION, HORSE))
    judge.march(BATTALION, Action(ROAD, node=0))
    judge.march(BATTALION, Action(ROAD, node=1))


@pytest.mark.parametrize(
    "action",
    [
        off_road(BATTALION),
        off_road(FRIEND, FRIEND),
        off_road(ENEMY),
        off_road(GONE),
        off_road(-1),
        off_road(GUNS, FRIEND),
        Action(3),
    ],
)
def test_forbidden_columns(action: Action) -> None:
    forbidden("CO-7.1", course(AWAY).judge.march, BATTALION, action)


@pytest.mark.parametrize("change", [{"action": 1}, {"marched": 1}, {"at": (104.0, 100.0), "status": DESTROYED}])
def test_followers_must_be_free(change: dict[str, Any]) -> None:
    forbidden("CO-7.1", course(AWAY, (FRIEND, change)).judge.march, BATTALION, off_road(FRIEND))


def test_followers_must_be_far_from_the_enemy() -> None:
    near = course((ENEMY, {"at": (123.5, 100.0)})).judge
    forbidden("CO-7.1", near.march, BATTALION, off_road(FRIEND))


def test_a_heading_and_a_road_are_needed() -> None:
    judge = course(AWAY, **ROADS).judge
    forbidden("CO-7.5", judge.march, BATTALION, off_road(to=(100.0, 100.0)))
    forbidden("CO-7.2", judge.march, GUNS, Action(ROAD, node=1))
    for node in (-1, 2, 3):
        forbidden("CO-7.2", judge.march, BATTALION, Action(ROAD, node=node))
    there = course(AWAY, (BATTALION, {"at": (150.0, 100.4)}), **ROADS).judge
    forbidden("CO-7.2", there.march, BATTALION, Action(ROAD, node=1))
    there.march(BATTALION, Action(ROAD, node=2))


def test_branches_and_errors() -> None:
    judge = course(AWAY, **ROADS).judge
    judge.branch(BATTALION, 1, 0, 2)
    for wanted in (0, 1, 5, -1):
        forbidden("CO-7.3", judge.branch, BATTALION, 1, 0, wanted)
    assert judge.drift(BATTALION, -1) == -1
    forbidden("CO-P27", judge.drift, BATTALION, 0)
