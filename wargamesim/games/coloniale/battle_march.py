"""Phase E of the kernel: strategic moves of units and columns."""

from __future__ import annotations

from math import inf, sqrt

from numba import types

from wargamesim.bits import NONE, ONE, lowest
from wargamesim.games.coloniale import orders
from wargamesim.games.coloniale.battle_record import Battle, note, on_battle, option, roll, thousandths
from wargamesim.games.coloniale.layout import (
    ARM,
    BRANCH,
    CAVALRY,
    DIFFICULT,
    DRIFT_SIDE,
    DRIFTS,
    FORT,
    HARD,
    IN_TOWN,
    JUNCTION,
    MARCHED,
    MARCHES,
    NODE,
    OFF_ROAD_MARCH,
    ROAD,
    ROAD_MARCH,
    SIDE,
    STAY,
    T_FOLLOW,
    T_LEG,
    T_MARCH,
    T_NODE,
    UNFORDABLE,
    WHAT,
    WRONG_WAYS,
    X,
    Y,
)
from wargamesim.games.coloniale.playing import MOST_TURNS
from wargamesim.games.coloniale.rules import CORRECT, DRIFT, STOP, STOP_IF_DIFFICULT
from wargamesim.games.coloniale.sight import MORE, fording, meets, square, table_ends
from wargamesim.games.coloniale.whereabouts import appears

FREE_STOP = option("road_stop", "free")
ABSOLUTE, ENEMY_PICKS = option("drift", "absolute"), option("drift", "enemy")
TO_POINT = option("to_point", "point")

# Why a march ends.
LENGTH, MARGIN, TOWN, ROAD_ENDS, DIE, TABLE, WATER = range(7)
MOST_REACHED = 100  # places of one march on roads


@on_battle(0)
def _passed(b: Battle) -> None:
    """Remember where the march has come."""
    b.way[b.ways, X], b.way[b.ways, Y] = b.at[X], b.at[Y]
    b.ways += 1


@on_battle(1, types.float64, lengths=2)
def _towards(b: Battle, side: int, ux: float, uy: float) -> float:
    """Return how far the margin around the enemies lets a march go along a unit vector (CO-7.4)."""
    place, nearest, enemies = b.state.place, inf, b.units[1 - side]
    while enemies != NONE:
        i = lowest(enemies)
        enemies &= enemies - ONE
        t = meets(b.at[X], b.at[Y], ux, uy, place[i, X], place[i, Y], float(b.play.margin))
        nearest = min(nearest, t)
    return nearest


@on_battle(1, types.int64)
def _come_from(b: Battle, node: int) -> int:
    """Return the other end of the road to a place on which the march begins."""
    ground = b.ground
    x, y = b.at[X], b.at[Y]
    x1, y1 = ground.node[node, X], ground.node[node, Y]
    for n in range(ground.links[node]):
        m = ground.link[node, n]
        sx, sy = ground.node[m, X] - x1, ground.node[m, Y] - y1
        t = min(max(((x - x1) * sx + (y - y1) * sy) / (sx * sx + sy * sy), 0.0), 1.0)
        dx, dy = x - (x1 + sx * t), y - (y1 + sy * t)
        if dx * dx + dy * dy <= b.play.beside * b.play.beside:
            return int(m)
    return -1


@on_battle(2, types.int64)
def _halts(b: Battle, unit: int, node: int) -> int:
    doctrine = b.doctrine[b.state.unit[unit, SIDE]]
    return int(orders.halt(b.state, b.ground, b.play, doctrine, b.goals, b.plan, unit, node))


@on_battle(5, types.int64)
def _other_branch(b: Battle, unit: int, node: int, come_from: int, wanted: int, junctions: int) -> int:
    """Return the wrong branch that a column takes: any but the way back, if there is one (CO-7.3)."""
    ground, others = b.ground, 0
    for n in range(ground.links[node]):
        others += int(ground.link[node, n] != come_from and ground.link[node, n] != wanted)
    if others == 0:
        return wanted
    b.state.tally[WRONG_WAYS + b.state.unit[unit, SIDE]] += 1
    chosen = roll(b, unit, BRANCH, junctions, others)
    for n in range(ground.links[node]):
        if ground.link[node, n] != come_from and ground.link[node, n] != wanted:
            chosen -= 1
            if chosen == 0:
                return int(ground.link[node, n])
    return wanted


@on_battle(3, types.int64)
def _by_road(b: Battle, unit: int, node: int, mounted: int) -> int:
    """March on roads (CO-7.2, CO-7.3); return the length that the dice allow."""
    state, ground, play, plan = b.state, b.ground, b.play, b.plan
    side = state.unit[unit, SIDE]
    points = 0
    for k in range(play.cavalry_road_dice if mounted == 1 else play.road_dice):
        points += roll(b, unit, ROAD_MARCH, k, play.road_die)
    rolled = play.road_first + play.road_step * points
    left = float(rolled)
    if play.road_stop == FREE_STOP and plan.limit >= 0.0:
        left = min(left, plan.limit)
    come_from = _come_from(b, node)
    reached = junctions = 0
    while True:
        dx, dy = ground.node[node, X] - b.at[X], ground.node[node, Y] - b.at[Y]
        d = sqrt(dx * dx + dy * dy)
        if d > 0.0:
            ux, uy, far = dx / d, dy / d, min(left, d)
            t = _towards(b, side, ux, uy)
            if t <= far or d > left * MORE:
                if t <= far:
                    far, b.end = t, MARGIN
                b.at[X], b.at[Y] = b.at[X] + ux * far, b.at[Y] + uy * far
                break
            left -= d
            b.at[X], b.at[Y] = ground.node[node, X], ground.node[node, Y]
        _passed(b)
        reached += 1
        die = wanted = taken = -1
        if left > 1e-9 and reached < MOST_REACHED:
            if ground.node_kind[node] == IN_TOWN and _halts(b, unit, node) == 1:
                b.end = TOWN
            elif ground.links[node] == 1:
                b.end = ROAD_ENDS
            elif ground.links[node] == 2:
                taken = ground.link[node, 0] if ground.link[node, 0] != come_from else ground.link[node, 1]
            else:
                doctrine = b.doctrine[side]
                wanted = orders.branch(state, ground, play, doctrine, b.goals, plan, unit, node, come_from)
                die = roll(b, unit, JUNCTION, junctions, play.junction_die)
                taken = wanted
                if die >= play.wrong_need:
                    taken = _other_branch(b, unit, node, come_from, wanted, junctions)
                junctions += 1
        note(b, T_NODE, unit, node, die, wanted, taken, -1, -1, -1, -1, -1)
        if taken < 0:
            break
        come_from, node = node, taken
    return int(rolled)


@on_battle(1, lengths=3)
def _leg(b: Battle, side: int, ux: float, uy: float, length: float) -> None:
    """March straight on, as far as enemies, the table and rivers allow (CO-7.4, CO-7.7)."""
    ground, play = b.ground, b.play
    x, y = b.at[X], b.at[Y]
    margin, table = _towards(b, side, ux, uy), table_ends(ground, play, x, y, ux, uy)
    crossed = 0
    while True:
        water, river, hard = inf, 0, False
        for piece in range(ground.lines):
            kind = ground.line_kind[piece]
            if kind in (HARD, UNFORDABLE) and crossed >> ground.line_of[piece] & 1 == 0:
                t = fording(ground, play, piece, x, y, x + ux * length, y + uy * length)
                if t >= 0.0 and t * length < water:
                    water, river, hard = t * length, ground.line_of[piece], kind == HARD
        if margin <= length and margin <= table and margin <= water:
            length, b.end = margin, MARGIN
            break
        if table < length and table <= water:
            length, b.end = table, TABLE
            break
        if water == inf:
            break
        if not hard or length - play.ford_cost < water:
            length, b.end = max(0.0, water - play.rim), WATER
            break
        length -= play.ford_cost
        crossed |= 1 << river
    b.at[X], b.at[Y] = x + ux * length, y + uy * length


@on_battle(4)
def _note_leg(b: Battle, unit: int, die: int, effect: int, turn: int) -> None:
    if b.end != DIE:
        _passed(b)
    note(b, T_LEG, unit, die, effect, turn, thousandths(b.at[X]), thousandths(b.at[Y]), -1, -1, -1, -1)


@on_battle(2, types.int64)
def _off_road(b: Battle, unit: int, mounted: int) -> int:
    """March off the road, with its errors (CO-7.5, CO-7.6); return the legs after the first."""
    state, ground, play, plan = b.state, b.ground, b.play, b.plan
    side = state.unit[unit, SIDE]
    leg = float(play.cavalry_leg if mounted == 1 else play.leg)
    sx, sy = plan.to[X] - b.at[X], plan.to[Y] - b.at[Y]
    d = sqrt(sx * sx + sy * sy)
    sx, sy = sx / d, sy / d
    full = play.first_leg + play.rolls * leg
    aim_x, aim_y = b.at[X] + sx * full, b.at[Y] + sy * full
    bx, by, turn, picked, legs = sx, sy, 0, 0, 0
    _leg(b, side, sx, sy, float(play.first_leg))
    _note_leg(b, unit, -1, -1, 0)
    r = 0
    while r < play.rolls and b.end == LENGTH:
        die = roll(b, unit, OFF_ROAD_MARCH, r, play.march_die)
        effect = play.effect[die]
        if effect == STOP or (effect == STOP_IF_DIFFICULT and square(ground, b.at[X], b.at[Y]) & DIFFICULT != 0):
            b.end = DIE
        else:
            if effect == DRIFT:
                state.tally[DRIFTS + side] += 1
                if play.drift != ENEMY_PICKS:
                    picked = 1 if roll(b, unit, DRIFT_SIDE, r, 2) == 2 else -1
                elif picked == 0:
                    doctrine = b.doctrine[1 - side]
                    picked = orders.drift(state, ground, play, doctrine, b.goals, plan, unit)
                if play.drift == ABSOLUTE:
                    bx, by, turn = sx, sy, picked
                else:
                    turn += picked
            elif effect == CORRECT:
                turn = 0
                dx, dy = aim_x - b.at[X], aim_y - b.at[Y]
                d = sqrt(dx * dx + dy * dy)
                if play.to_point != TO_POINT:
                    bx, by = sx, sy
                elif d > 0.0:
                    bx, by = dx / d, dy / d
            c, s = play.turn_cos[turn + MOST_TURNS], play.turn_sin[turn + MOST_TURNS]
            _leg(b, side, bx * c - by * s, bx * s + by * c, leg)
            legs += 1
        _note_leg(b, unit, die, effect, turn)
        r += 1
    return legs


@on_battle(1)
def _fall_in(b: Battle, followers: int) -> None:
    """Put the units of a column behind its first one, on the way it came."""
    state, plan, way = b.state, b.plan, b.way
    # The way in reverse: the end, the places reached, where the first unit began, where the others did.
    if way[b.ways - 1, X] != b.at[X] or way[b.ways - 1, Y] != b.at[Y]:
        _passed(b)
    ways = b.ways
    for j in range(followers):
        i = plan.follower[j]
        way[ways + j, X], way[ways + j, Y] = state.place[i, X], state.place[i, Y]
    for j in range(followers):
        left = b.play.contact * (j + 1)
        n, x, y = 0, way[ways - 1, X], way[ways - 1, Y]
        while n < ways + followers - 1 and left > 0.0:
            n += 1
            # Corner n of the way back: first the march itself, then the column.
            to = ways - 1 - n if n < ways else n
            dx, dy = way[to, X] - x, way[to, Y] - y
            part = sqrt(dx * dx + dy * dy)
            if part == 0.0:
                continue
            if left <= part:
                x, y = x + dx * (left / part), y + dy * (left / part)
                left = 0.0
            else:
                x, y = way[to, X], way[to, Y]
                left -= part
        i = plan.follower[j]
        state.place[i, X], state.place[i, Y] = x, y
        appears(state, i)
        note(b, T_FOLLOW, i, thousandths(x), thousandths(y), -1, -1, -1, -1, -1, -1, -1)


@on_battle(1)
def march(b: Battle, unit: int) -> None:
    """Let a unit march with its column, if its player wants (CO-7)."""
    state, plan, place = b.state, b.plan, b.state.place
    side = state.unit[unit, SIDE]
    orders.march(state, b.ground, b.play, b.doctrine[side], b.goals, plan, unit)
    what, followers = plan.action[WHAT], plan.followers
    if what == STAY:
        return
    mounted = state.unit[unit, ARM] == CAVALRY
    state.unit[unit, MARCHED], state.unit[unit, FORT] = 1, 0
    for j in range(followers):
        i = plan.follower[j]
        state.unit[i, MARCHED], state.unit[i, FORT] = 1, 0
        mounted = mounted and state.unit[i, ARM] == CAVALRY
    state.tally[MARCHES + side] += 1
    b.at[X], b.at[Y], b.ways, b.end = place[unit, X], place[unit, Y], 0, LENGTH
    _passed(b)
    rolled = _by_road(b, unit, plan.action[NODE], int(mounted)) if what == ROAD else _off_road(b, unit, int(mounted))
    place[unit, X], place[unit, Y] = b.at[X], b.at[Y]
    appears(state, unit)
    x, y = thousandths(b.at[X]), thousandths(b.at[Y])
    note(b, T_MARCH, unit, what, rolled, x, y, followers, b.end, -1, -1, -1)
    if followers > 0:
        _fall_in(b, followers)
