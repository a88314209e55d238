"""Ways by road: which place to march to, where to leave the road, and where to come onto it. Compiled.

Costs are cm. Those of leaving the road at each place for `plan.to` stand in `plan.scratch[2]`, those of the best way
from each place, by road and then off it, in `plan.scratch[3]`.
"""

from __future__ import annotations

from math import inf, sqrt

from wargamesim.games.coloniale.compiling import typed
from wargamesim.games.coloniale.layout import (
    ARM,
    CAVALRY,
    IN_TOWN,
    NODE,
    Ground,
    Plan,
    State,
    X,
    Y,
)
from wargamesim.games.coloniale.playing import Play
from wargamesim.games.coloniale.sight import barred

# What a cm off the road costs to one on it.
OFF_THE_ROAD = 1.3


@typed
def apart(ax: float, ay: float, bx: float, by: float) -> float:
    """Return the distance of two points."""
    return sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay))


@typed
def find_exits(ground: Ground, play: Play, plan: Plan) -> None:
    """Write what it costs to get to `plan.to` from each place on the roads."""
    for n in range(ground.nodes):
        x, y = ground.node[n, X], ground.node[n, Y]
        cost = OFF_THE_ROAD * apart(x, y, plan.to[X], plan.to[Y])
        if ground.lines > 0 and barred(ground, play, x, y, plan.to[X], plan.to[Y]):
            cost += ground.width + ground.height
        plan.scratch[2, n] = cost
    for n in range(ground.nodes):
        least = inf
        for e in range(ground.nodes):
            least = min(least, ground.road_way[n, e] + plan.scratch[2, e])
        plan.scratch[3, n] = least


@typed
def _overshoot(state: State, ground: Ground, play: Play, plan: Plan, unit: int, node: int, first: float) -> float:
    """Return how far a march by `node`, `first` cm away, is likely to lead beyond the place where it should end."""
    if play.road_stop == 1:
        return 0.0
    for e in range(ground.nodes):
        if ground.road_way[node, e] + plan.scratch[2, e] <= plan.scratch[3, node] + 1e-9:
            if ground.node_kind[e] == IN_TOWN or ground.links[e] == 1:
                return 0.0
            dice = play.cavalry_road_dice if state.unit[unit, ARM] == CAVALRY else play.road_dice
            mean = play.road_first + 0.5 * play.road_step * dice * (play.road_die + 1)
            return float(max(mean - first - ground.road_way[node, e], 0.0))
    return 0.0


@typed
def on_segment(ground: Ground, n: int, m: int, x: float, y: float) -> float:
    """Return which share of the road from place n to place m lies before the point of it nearest to (x, y)."""
    x1, y1 = ground.node[n, X], ground.node[n, Y]
    sx, sy = ground.node[m, X] - x1, ground.node[m, Y] - y1
    return float(min(max(((x - x1) * sx + (y - y1) * sy) / (sx * sx + sy * sy), 0.0), 1.0))


@typed
def way_by_road(state: State, ground: Ground, play: Play, plan: Plan, unit: int) -> float:
    """Return what the best way by road to `plan.to` costs a unit, with its first place in NODE; infinity off the road.

    `find_exits` has been called.
    """
    x, y, least = state.place[unit, X], state.place[unit, Y], inf
    for n in range(ground.nodes):
        first = apart(x, y, ground.node[n, X], ground.node[n, Y])
        if first <= play.beside or first + plan.scratch[3, n] >= least:
            continue
        for k in range(ground.links[n]):
            m = ground.link[n, k]
            t = on_segment(ground, m, n, x, y)
            px = ground.node[m, X] + (ground.node[n, X] - ground.node[m, X]) * t
            py = ground.node[m, Y] + (ground.node[n, Y] - ground.node[m, Y]) * t
            if apart(x, y, px, py) > 0.9 * play.beside:
                continue
            cost = first + plan.scratch[3, n] + _overshoot(state, ground, play, plan, unit, n, first)
            if cost < least:
                least = cost
                plan.action[NODE] = n
            break
    return least


@typed
def limit_to(ground: Ground, plan: Plan, node: int, first: float) -> float:
    """Return how far to march by a place that is `first` cm away if a march may stop anywhere (CO-P25)."""
    for e in range(ground.nodes):
        if ground.road_way[node, e] + plan.scratch[2, e] <= plan.scratch[3, node] + 1e-9:
            return float(first + ground.road_way[node, e])
    return first


@typed
def way_onto_road(state: State, ground: Ground, plan: Plan, unit: int, most: float) -> float:
    """Return what the best way costs that comes onto a road within `most` cm, at a point written into `plan.to`."""
    x, y, least, best_x, best_y = state.place[unit, X], state.place[unit, Y], inf, 0.0, 0.0
    for n in range(ground.nodes):
        for k in range(ground.links[n]):
            m = ground.link[n, k]
            t = on_segment(ground, n, m, x, y)
            px = ground.node[n, X] + (ground.node[m, X] - ground.node[n, X]) * t
            py = ground.node[n, Y] + (ground.node[m, Y] - ground.node[n, Y]) * t
            there = apart(x, y, px, py)
            if there > most:
                continue
            cost = OFF_THE_ROAD * there + apart(px, py, ground.node[m, X], ground.node[m, Y]) + plan.scratch[3, m]
            if cost < least:
                least, best_x, best_y = cost, px, py
    if least < inf:
        plan.to[X], plan.to[Y] = best_x, best_y
    return least
