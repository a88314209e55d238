"""What a unit does in phase E: marches on roads and off them, in columns. Compiled."""

from __future__ import annotations

from wargamesim.bits import NONE, ONE, bit, lowest
from wargamesim.games.coloniale.compiling import public, typed
from wargamesim.games.coloniale.doctrine import HOLD, DoctrineRecord
from wargamesim.games.coloniale.layout import (
    ACTION,
    ARM,
    CAVALRY,
    FORT,
    MARCHED,
    MOST_FOLLOWERS,
    OFF_ROAD,
    ROAD,
    SIDE,
    STAY,
    WHAT,
    Goals,
    Ground,
    Plan,
    State,
    X,
    Y,
)
from wargamesim.games.coloniale.orders_goal import distance_to, goal, is_guard, nearest_enemy, stance_of
from wargamesim.games.coloniale.orders_move import intent, is_shaken
from wargamesim.games.coloniale.orders_road import apart, find_exits
from wargamesim.games.coloniale.playing import Play
from wargamesim.games.coloniale.sight import MORE, near, nearest
from wargamesim.games.coloniale.whereabouts import in_play


@typed
def _may_follow(
    state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, goals: Goals, leader: int, unit: int
) -> bool:
    """Tell whether a unit of the side may join a column and wants to go the same way at the same pace (CO-7.1)."""
    row, first = state.unit[unit], state.unit[leader]
    if row[ACTION] == 1 or row[MARCHED] == 1 or row[FORT] > 0 or (row[ARM] == CAVALRY) != (first[ARM] == CAVALRY):
        return False
    if stance_of(state, doctrine, unit) != stance_of(state, doctrine, leader) or is_shaken(state, doctrine, unit):
        return False
    x, y = state.place[unit, X], state.place[unit, Y]
    enemy = nearest_enemy(state, row[SIDE], x, y)
    if enemy >= 0 and distance_to(state, enemy, x, y) <= play.margin * MORE:
        return False
    return not is_guard(state, ground, goals, unit)


@typed
def _gather(
    state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, goals: Goals, plan: Plan, leader: int
) -> None:
    """Fill in the units that follow, each the first that is near enough to the one before it."""
    last, free = leader, in_play(state, state.unit[leader, SIDE]) & ~bit(leader)
    while plan.followers < MOST_FOLLOWERS:
        found, units = -1, near(state, free, state.place[last, X], state.place[last, Y], play.column)
        while found < 0 and units != NONE:
            unit = lowest(units)
            units &= units - ONE
            if _may_follow(state, ground, play, doctrine, goals, leader, unit):
                found = unit
        if found < 0:
            return
        free &= ~bit(found)
        plan.follower[plan.followers] = found
        plan.followers += 1
        last = found


@public
def march(
    state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, goals: Goals, plan: Plan, unit: int
) -> None:
    """Fill in where a unit marches in phase E, and who follows it (CO-7.1, CO-7.2, CO-7.5)."""
    plan.action[WHAT], plan.followers, plan.limit = STAY, 0, -1.0
    if state.unit[unit, FORT] > 0 or is_shaken(state, doctrine, unit):
        return
    how = intent(state, ground, play, doctrine, goals, plan, unit)
    if how not in (ROAD, OFF_ROAD):
        return
    plan.action[WHAT] = how
    if play.road_stop == 0:
        plan.limit = -1.0
    if doctrine.column == 1:
        _gather(state, ground, play, doctrine, goals, plan, unit)


@typed
def _look_from(
    state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, goals: Goals, plan: Plan, unit: int, node: int
) -> bool:
    """Find the exits from the roads to a unit's goal, seen from a place; tell whether there is a goal."""
    x, y = ground.node[node, X], ground.node[node, Y]
    enemies = in_play(state, 1 - state.unit[unit, SIDE])
    if goal(state, ground, doctrine, goals, plan, unit, enemies, nearest(state, enemies, x, y), x, y) == HOLD:
        return False
    find_exits(ground, play, plan)
    return True


@public
def branch(
    state: State,
    ground: Ground,
    play: Play,
    doctrine: DoctrineRecord,
    goals: Goals,
    plan: Plan,
    unit: int,
    node: int,
    come_from: int,
) -> int:
    """Return the place to which a column wants to march from a junction (CO-7.3)."""
    has_goal = _look_from(state, ground, play, doctrine, goals, plan, unit, node)
    best, least = come_from, 0.0
    for k in range(ground.links[node]):
        other = ground.link[node, k]
        if other == come_from:
            continue
        cost = apart(ground.node[node, X], ground.node[node, Y], ground.node[other, X], ground.node[other, Y])
        if has_goal:
            cost += plan.scratch[3, other]
        if best == come_from or cost < least:
            best, least = other, cost
    return best


@public
def halt(
    state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, goals: Goals, plan: Plan, unit: int, node: int
) -> int:
    """Return 1 if a column that enters a town stops there: the best way goes on off the road (CO-7.2)."""
    if not _look_from(state, ground, play, doctrine, goals, plan, unit, node):
        return 1
    return int(plan.scratch[2, node] <= plan.scratch[3, node] + 1e-9)


@public
def drift(
    state: State,
    ground: Ground,  # noqa: ARG001
    play: Play,  # noqa: ARG001
    doctrine: DoctrineRecord,  # noqa: ARG001
    goals: Goals,  # noqa: ARG001
    plan: Plan,  # noqa: ARG001
    unit: int,
) -> int:
    """Return to which side an enemy's march errs: away from the middle of our units, -1 left, 1 right (CO-P27).

    He is taken to march towards that one of our units which is nearest to him.
    """
    x, y, count, mx, my = state.place[unit, X], state.place[unit, Y], 0, 0.0, 0.0
    own = in_play(state, 1 - state.unit[unit, SIDE])
    target = nearest(state, own, x, y)
    while own != NONE:
        friend = lowest(own)
        own &= own - ONE
        mx, my, count = mx + state.place[friend, X], my + state.place[friend, Y], count + 1
    if target < 0:
        return 1
    turn = (state.place[target, X] - x) * (my / count - y) - (state.place[target, Y] - y) * (mx / count - x)
    return -1 if turn > 0.0 else 1
