"""Whether a squad fires together, who of it, and where it aims: volleys and blind fire. Compiled."""

from __future__ import annotations

from math import inf, sqrt

from wargamesim.games.skirmish.compiling import merged, typed
from wargamesim.games.skirmish.doctrine import DoctrineRecord
from wargamesim.games.skirmish.layout import (
    ACTS,
    BLIND,
    BLUE,
    BUILDING,
    DEAD,
    EVADED,
    FACE_X,
    FACE_Y,
    HIDDEN,
    IN_PLAY,
    LEADER,
    ON_CARD,
    OUT_UNTIL,
    REGULAR,
    RING,
    ROLES,
    S_COUNT,
    S_FIRST,
    S_SIDE,
    STATUS,
    TARGET,
    VOLLEY,
    WEAPON,
    WHAT,
    WOOD,
    WOUNDS,
    Ground,
    Plan,
    State,
    X,
    Y,
)
from wargamesim.games.skirmish.orders_fire import is_firearm_ready, slot_to_reload
from wargamesim.games.skirmish.orders_plan import NEAR, squad_knows
from wargamesim.games.skirmish.playing import CHOICES, Play
from wargamesim.games.skirmish.sight import MORE, distance2, knows, nearest_seen, sees, square
from wargamesim.games.skirmish.whereabouts import gap2, members, squads_of

RECTANGLE = CHOICES["zone"][1].index("rectangle")
AROUND_A_POINT = CHOICES["zone"][1].index("around_a_point")
# How far to the side a patch may be that is still in front: the cosine of the angle.
AHEAD = 0.5
# What blind fire is aimed at, in the TARGET of the plan.
AT_WOOD, AT_BUILDING = 0, 1


@merged
def may_act(state: State, play: Play, figure: int, most_on_card: int) -> bool:
    """Tell whether a figure may be chosen for an activation by the card in play."""
    turn = state.turn
    if state.figure[STATUS, figure] != IN_PLAY or state.figure[ON_CARD, figure] >= most_on_card:
        return False
    if play.cap > 0 and state.figure[ACTS, figure] >= play.cap:
        return False
    return not state.figure[EVADED, figure] < turn <= state.figure[OUT_UNTIL, figure]


@typed
def gather(state: State, play: Play, plan: Plan, squad: int, regulars: bool, slots: int) -> int:
    """Fill in the members who may shoot together near the leader who has most of them; return how many."""
    first = int(state.squad[S_FIRST, squad])
    end = first + int(state.squad[S_COUNT, squad])
    # Those who are loaded and free to shoot, wherever they are.
    ready = 0
    for i in range(first, end):
        if regulars and state.figure[ROLES, i] & REGULAR == 0:
            continue
        free = plan.scratch[NEAR, i] > play.diameter * MORE
        if free and may_act(state, play, i, 1) and is_firearm_ready(state, play, i) >= 0:
            plan.list[2, ready] = i
            ready += 1
    radius2 = play.command_radius * play.command_radius
    best = 0
    for leader in range(first, end):
        if state.figure[STATUS, leader] != IN_PLAY or state.figure[ROLES, leader] & LEADER == 0:
            continue
        near = 0
        for k in range(ready):
            if distance2(state, leader, int(plan.list[2, k])) <= radius2 and near < slots:
                plan.list[3, near] = plan.list[2, k]
                near += 1
        if near > best:
            best = near
            for k in range(near):
                plan.members[k] = plan.list[3, k]
    plan.member_count = best
    return best


@typed
def _zone(
    state: State,
    ground: Ground,
    play: Play,
    plan: Plan,
    shooters: int,
    to_x: float,
    to_y: float,
    c_x: float,
    c_y: float,
    listed: int,
) -> int:
    """Count those of the listed enemies whom a volley aimed at a point may hit (NA-4.20)."""
    reach2 = play.volley_reach * play.volley_reach * MORE
    dx, dy = to_x - c_x, to_y - c_y
    d = max(sqrt(dx * dx + dy * dy), 1e-9)
    dx, dy = dx / d, dy / d
    half = 0.0
    for k in range(shooters):
        i = int(plan.members[k])
        half = max(half, abs((state.place[X, i] - c_x) * dy - (state.place[Y, i] - c_y) * dx))
    zone = 0
    for n in range(listed):
        e = int(plan.list[2, n])
        e_x, e_y = state.place[X, e], state.place[Y, e]
        if square(ground, e_x, e_y) & BUILDING != 0:
            continue
        if play.zone == RECTANGLE:
            along = (e_x - c_x) * dx + (e_y - c_y) * dy
            aside = abs((e_x - c_x) * dy - (e_y - c_y) * dx)
            if not (0.0 <= along <= play.volley_reach and aside <= half):
                continue
        elif play.zone == AROUND_A_POINT:
            gap_x, gap_y = e_x - to_x, e_y - to_y
            if gap_x * gap_x + gap_y * gap_y > play.aim_radius * play.aim_radius:
                continue
        for k in range(shooters):
            i = int(plan.members[k])
            x, y = state.place[X, i], state.place[Y, i]
            away_x, away_y = e_x - x, e_y - y
            away2 = away_x * away_x + away_y * away_y
            if play.zone != RECTANGLE and away2 > reach2:
                continue
            if play.zone == 0:
                aim_x, aim_y = to_x - x, to_y - y
                inside = aim_x * away_x + aim_y * away_y
                if inside < play.fumble_cos * sqrt(away2 * (aim_x * aim_x + aim_y * aim_y)):
                    continue
            if knows(state, i, e) and sees(state, ground, play, i, e):
                zone += 1
                break
    return zone


@typed
def _aim(
    state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, plan: Plan, squad: int, shooters: int
) -> bool:
    """Aim at the nearest enemy or amid those in reach, whichever has more in its zone; are there enough?"""
    c_x = c_y = 0.0
    for k in range(shooters):
        i = int(plan.members[k])
        c_x += state.place[X, i] / shooters
        c_y += state.place[Y, i] / shooters
    limit = min(doctrine.open_fire, play.volley_reach)
    nearest, nearest_d2 = -1, inf
    mid_x = mid_y = 0.0
    near = listed = 0
    width = 0.0
    for k in range(shooters):
        i = int(plan.members[k])
        width = max(width, abs(state.place[X, i] - c_x) + abs(state.place[Y, i] - c_y))
    far2 = (play.volley_reach + width) * (play.volley_reach + width)
    first, end = squads_of(state, 1 - int(state.squad[S_SIDE, squad]))
    for other in range(first, end):
        if gap2(state, other, c_x, c_y) > far2:
            continue
        begin, stop = members(state, other)
        for i in range(begin, stop):
            known = state.figure[HIDDEN, i] == 0 or squad_knows(state, squad, i)
            if state.figure[STATUS, i] != IN_PLAY or not known:
                continue
            dx, dy = state.place[X, i] - c_x, state.place[Y, i] - c_y
            d2 = dx * dx + dy * dy
            if d2 < nearest_d2:
                nearest, nearest_d2 = i, d2
            if d2 <= far2:
                plan.list[2, listed] = i
                listed += 1
            if d2 <= play.volley_reach * play.volley_reach:
                near += 1
                mid_x += state.place[X, i]
                mid_y += state.place[Y, i]
    if nearest < 0 or nearest_d2 > limit * limit:
        return False
    best = 0
    for choice in range(2):
        to_x, to_y = state.place[X, nearest], state.place[Y, nearest]
        if choice == 1:
            to_x, to_y = mid_x / near, mid_y / near
        if square(ground, to_x, to_y) & BUILDING != 0:
            continue
        zone = _zone(state, ground, play, plan, shooters, to_x, to_y, c_x, c_y, listed)
        if zone > best:
            best = zone
            plan.to[X], plan.to[Y] = to_x, to_y
    return best >= doctrine.volley_from


@typed
def fires_volley(
    state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, plan: Plan, squad: int, slots: int
) -> bool:
    """Put a volley into the plan if the squad can fire one at targets that are worth it (NA-4.16)."""
    if play.has_volleys == 0 or doctrine.volley_from == 0 or slots < play.volley_shooters:
        return False
    shooters = gather(state, play, plan, squad, True, slots)
    if shooters < play.volley_shooters:
        return False
    if not _aim(state, ground, play, doctrine, plan, squad, shooters):
        return False
    plan.action[WHAT] = VOLLEY
    return True


@typed
def waits_for_volley(state: State, play: Play, doctrine: DoctrineRecord, squad: int) -> bool:
    """Tell whether those who are loaded keep their fire for those of their squad who still load."""
    if play.has_volleys == 0 or doctrine.volley_from == 0 or doctrine.volley_wait == 0:
        return False
    first = int(state.squad[S_FIRST, squad])
    end = first + int(state.squad[S_COUNT, squad])
    radius2 = play.command_radius * play.command_radius
    for leader in range(first, end):
        if state.figure[STATUS, leader] != IN_PLAY or state.figure[ROLES, leader] & LEADER == 0:
            continue
        loaded = loading = 0
        for i in range(first, end):
            if state.figure[STATUS, i] != IN_PLAY or state.figure[ROLES, i] & REGULAR == 0:
                continue
            if distance2(state, leader, i) > radius2:
                continue
            if is_firearm_ready(state, play, i) >= 0:
                loaded += 1
            elif slot_to_reload(state, play, i) >= 0:
                loading += 1
        if loaded < play.volley_shooters <= loaded + loading:
            return True
    return False


@merged
def _is_harassed(state: State, squad: int) -> bool:
    first = int(state.squad[S_FIRST, squad])
    for i in range(first, first + int(state.squad[S_COUNT, squad])):
        if state.figure[BLUE, i] != 0 or state.figure[WOUNDS, i] > 0 or state.figure[STATUS, i] == DEAD:
            return True
    return False


@merged
def _find_patch(state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, plan: Plan) -> bool:
    """Aim at the nearest wood or building in front of the first of the members, if his weapon carries so far."""
    shooter = int(plan.members[0])
    x, y = state.place[X, shooter], state.place[Y, shooter]
    if square(ground, x, y) & (WOOD | BUILDING) != 0:
        return False
    weapon = state.figure[WEAPON + is_firearm_ready(state, play, shooter), shooter]
    limit = min(doctrine.open_fire, play.reach[weapon])
    best = limit + 1.0
    for k in range(RING.shape[0]):
        dx, dy = RING[k, X], RING[k, Y]
        if dx * state.place[FACE_X, shooter] + dy * state.place[FACE_Y, shooter] < AHEAD:
            continue
        away = 1.0
        while away <= limit and away < best:
            to_x, to_y = x + away * dx, y + away * dy
            if not (0.0 <= to_x < ground.width and 0.0 <= to_y < ground.height):
                break
            if square(ground, to_x, to_y) & (WOOD | BUILDING) != 0:
                best = away
                plan.to[X], plan.to[Y] = to_x, to_y
            away += 1.0
    return best <= limit


@typed
def fires_blind(
    state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, plan: Plan, squad: int, slots: int
) -> bool:
    """Put fire at a wood or building into the plan, if the squad is shot at and knows of nobody to shoot (NA-4.14)."""
    if doctrine.blind_fire == 0 or play.has_blind_fire == 0 or ground.opaque == 0 or slots < play.blind_shooters:
        return False
    if not _is_harassed(state, squad):
        return False
    shooters = gather(state, play, plan, squad, False, slots)
    if shooters < play.blind_shooters:
        return False
    for k in range(shooters):
        i = int(plan.members[k])
        seen = nearest_seen(state, ground, play, i)
        if seen >= 0 and distance2(state, i, seen) <= doctrine.open_fire * doctrine.open_fire:
            return False
    if not _find_patch(state, ground, play, doctrine, plan):
        return False
    plan.action[WHAT] = BLIND
    plan.action[TARGET] = AT_BUILDING if square(ground, plan.to[X], plan.to[Y]) & BUILDING != 0 else AT_WOOD
    return True
