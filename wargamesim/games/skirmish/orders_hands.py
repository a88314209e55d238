"""What figures take into their hands: loads, prisoners, and the weapons that they have thrown. Compiled."""

from __future__ import annotations

from math import inf, sqrt

from wargamesim.games.skirmish.compiling import merged, typed
from wargamesim.games.skirmish.doctrine import DoctrineRecord
from wargamesim.games.skirmish.layout import (
    CAPTURED,
    DRAGS,
    DROP_X,
    DROP_Y,
    GRAB,
    IN_PLAY,
    LEVEL,
    LOAD_0,
    LOADING,
    PRISONERS,
    SIDE,
    SPENT,
    STATUS,
    TAKE,
    WEAPON,
    WHAT,
    Goals,
    Ground,
    Plan,
    State,
    X,
    Y,
)
from wargamesim.games.skirmish.orders_move import rises, stay, stride
from wargamesim.games.skirmish.orders_plan import nearest_load
from wargamesim.games.skirmish.playing import CHOICES, Play
from wargamesim.games.skirmish.sight import LEAVES_PLAY, distance2, enemies, friends, knows

ESCORTED = CHOICES["prisoner"][1].index("escorted")
RECOVERABLE = CHOICES["thrown_away"][1].index("recoverable")
# A thrown weapon is worth fetching within one such move, and nobody fetches it from so near an enemy (cm).
NEARBY_DROP, UNSAFE = 10.0, 6.0
# How far within reach of a prisoner or a weapon a figure goes (parts of the reach).
HANDY = 0.9


@merged
def has_prisoners(state: State, play: Play, side: int) -> bool:
    """Tell whether a side has prisoners that are on the table."""
    return bool(state.tally[PRISONERS + 1 - side] > 0 and play.prisoner != LEAVES_PLAY)


@typed
def guarded_by(state: State, play: Play, figure: int) -> int:
    """Return the nearest prisoner who would go free if the figure went away, or -1 (NA-7.15, RI-7.11)."""
    if not has_prisoners(state, play, int(state.figure[SIDE, figure])):
        return -1
    first, end = enemies(state, figure)
    own_first, own_end = friends(state, figure)
    guard = play.escort_distance if play.prisoner == ESCORTED else play.guard_distance
    best, best_d2 = -1, guard * guard
    for captive in range(first, end):
        if state.figure[STATUS, captive] != CAPTURED:
            continue
        d2 = distance2(state, captive, figure)
        if d2 > best_d2:
            continue
        watched = False
        for i in range(own_first, own_end):
            if i != figure and state.figure[STATUS, i] == IN_PLAY and distance2(state, captive, i) <= guard * guard:
                watched = True
        if not watched:
            best, best_d2 = captive, d2
    return best


@typed
def leads_away(state: State, ground: Ground, play: Play, plan: Plan, figure: int) -> bool:
    """Take hold of the prisoner whom the figure alone guards, going to him first."""
    if play.drag <= 0.0 or state.figure[DRAGS, figure] >= 0:
        return False
    captive = guarded_by(state, play, figure)
    if captive < 0 or state.figure[LEVEL, captive] != state.figure[LEVEL, figure]:
        return False
    dx, dy = state.place[X, captive] - state.place[X, figure], state.place[Y, captive] - state.place[Y, figure]
    d, reach = sqrt(dx * dx + dy * dy), HANDY * play.grasp * play.diameter
    if d <= reach:
        plan.action[WHAT], plan.action[GRAB] = TAKE, captive
        return True
    return stride(state, ground, play, plan, figure, dx / d, dy / d, d - reach, 0, 0)


@merged
def takes(state: State, play: Play, doctrine: DoctrineRecord, goals: Goals, plan: Plan, figure: int) -> bool:
    """Take hold of a load beside the figure, if the side wants to carry loads away."""
    side = state.figure[SIDE, figure]
    if doctrine.objective == 0 or goals.exit_loads[side] == 0 or goals.exit_edge[side] == 0:
        return False
    x, y = state.place[X, figure], state.place[Y, figure]
    load = nearest_load(state, x, y)
    if load < 0 or play.drag <= 0.0 or state.figure[LEVEL, figure] > 0 or state.figure[DRAGS, figure] >= 0:
        return False
    dx, dy = state.load[X, load] - x, state.load[Y, load] - y
    arm = play.grasp * play.diameter
    if dx * dx + dy * dy > arm * arm:
        return False
    plan.action[WHAT], plan.action[GRAB] = TAKE, LOAD_0 + load
    return True


@typed
def fetches(state: State, ground: Ground, play: Play, plan: Plan, figure: int) -> bool:
    """Go and pick up the weapon that the figure has thrown, if it lies near and no known enemy stands there."""
    if play.thrown_away != RECOVERABLE:
        return False
    for slot in range(2):
        weapon = state.figure[WEAPON + slot, figure]
        if weapon < 0 or play.thrown[weapon] == 0 or state.figure[LOADING + slot, figure] != SPENT:
            continue
        drop_x, drop_y = state.place[DROP_X, figure], state.place[DROP_Y, figure]
        dx, dy = drop_x - state.place[X, figure], drop_y - state.place[Y, figure]
        d = sqrt(dx * dx + dy * dy)
        first, end = enemies(state, figure)
        nearest2 = inf
        for i in range(first, end):
            if state.figure[STATUS, i] == IN_PLAY and knows(state, figure, i):
                gap_x, gap_y = state.place[X, i] - drop_x, state.place[Y, i] - drop_y
                nearest2 = min(nearest2, gap_x * gap_x + gap_y * gap_y)
        if d > NEARBY_DROP or nearest2 < UNSAFE * UNSAFE:
            return False
        reach = HANDY * play.diameter
        if d <= reach:
            return stay(state, plan, figure, rises(state, figure))
        return stride(state, ground, play, plan, figure, dx / d, dy / d, max(d - 0.5 * reach, 1.0), 0, 0)
    return False
