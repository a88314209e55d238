"""Orders that a squad's player declares before any of them is carried out, and which still can be (NA-2.8). Compiled.

An order was legal when it was declared: only what others have done since can stand in its way.
"""

from __future__ import annotations

from math import sqrt

from numba import types

from wargamesim.games.skirmish import orders
from wargamesim.games.skirmish.battle_melee import AT_END_OF_TURN, NOBODY
from wargamesim.games.skirmish.battle_move import is_room_on
from wargamesim.games.skirmish.battle_record import Battle, merged, on_battle
from wargamesim.games.skirmish.layout import (
    ACTION_FIELDS,
    CAPTURED,
    DRAGS,
    EAST,
    EXIT,
    FIGHT,
    FREE_AIM,
    GRAB,
    IN_PLAY,
    KEEP,
    LEVEL,
    LOAD_0,
    MOVE,
    NORTH,
    ON_CARD,
    PASS,
    POSTURE,
    POSTURE_SHOT,
    PRONE,
    RELOAD,
    ROLES,
    RUN,
    SHOOT,
    SHOOT_FIRST,
    SIDE,
    SLOT,
    SOUTH,
    STAIRS,
    STAND,
    STATUS,
    TAKE,
    TARGET,
    WEAPON,
    WHAT,
    WOUNDS,
    X,
    Y,
)
from wargamesim.games.skirmish.sight import (
    MORE,
    distance2,
    effort,
    enemies,
    factor,
    fits,
    friends,
    is_clear,
    is_engaged,
    knows,
    pace,
    passes,
    touches,
    way,
)


@merged
def declare(b: Battle, figure: int) -> None:
    """Ask for the order of a figure, and keep it."""
    state, plan = b.state, b.plan
    state.figure[ON_CARD, figure] = 1
    orders.act(state, b.ground, b.play, b.doctrine[state.figure[SIDE, figure]], b.goals, plan, figure, 0)
    for field in range(ACTION_FIELDS):
        b.declared[figure, field] = plan.action[field]
    b.declared_to[figure, X], b.declared_to[figure, Y] = plan.to[X], plan.to[Y]
    b.declares[figure] = 1


@merged
def _sees_from_start(b: Battle, figure: int, other: int) -> bool:
    """Tell whether a figure would see another if it stood at `start`."""
    state, ground, play = b.state, b.ground, b.play
    if ground.opaque == 0 and play.sight == 0:
        return True
    x, y, to_x, to_y = b.start[X], b.start[Y], state.place[X, other], state.place[Y, other]
    if figure < other:
        return is_clear(state, ground, play, figure, other, x, y, to_x, to_y)
    return is_clear(state, ground, play, other, figure, to_x, to_y, x, y)


@merged
def _from_start(b: Battle, other: int) -> float:
    """Return the square of the distance of a figure from `start` (cm²)."""
    dx, dy = b.state.place[X, other] - b.start[X], b.state.place[Y, other] - b.start[Y]
    return float(dx * dx + dy * dy)


@on_battle(1, types.int64)
def _may_shoot(b: Battle, figure: int) -> int:
    """Tell whether a figure may shoot from `start` at the target of its order (NA-4.4, NA-4.9, NA-4.13, NA-7.1)."""
    state, play, fields = b.state, b.play, b.state.figure
    target, d2 = b.action[TARGET], _from_start(b, b.action[TARGET])
    reach = play.reach[fields[WEAPON + b.action[SLOT], figure]]
    if fields[STATUS, target] != IN_PLAY or not knows(state, figure, target) or d2 > reach * reach * MORE:
        return 0
    if not _sees_from_start(b, figure, target):
        return 0
    if play.fires_into_melee == 0:
        first, end = friends(state, figure)
        for i in range(first, end):
            if i != figure and fields[STATUS, i] == IN_PLAY and touches(state, play, i, target):
                return 0
    chooses = play.free_targets == 1 or fields[ROLES, figure] & FREE_AIM != 0
    first, end = enemies(state, figure)
    for i in range(first, end):
        if fields[STATUS, i] != IN_PLAY:
            continue
        gap2 = _from_start(b, i)
        if gap2 <= play.diameter * play.diameter * MORE and fields[LEVEL, i] == fields[LEVEL, figure]:
            return 0
        nearer = not chooses and gap2 * MORE < d2 and knows(state, figure, i)
        if nearer and _sees_from_start(b, figure, i):
            return 0
    return 1


@merged
def _reaches_exit(b: Battle, figure: int, spent: float) -> bool:
    """Tell whether what a move leaves of its allowance takes a figure off the table."""
    state, ground, play, action = b.state, b.ground, b.play, b.action
    difficult, water, _ = way(ground, state.place[X, figure], state.place[Y, figure], b.to[X], b.to[Y])
    allowed = pace(state, play, figure, action[RUN], difficult, water) * factor(state, play, figure, action[POSTURE])
    edge, gap = b.goals.exit_edge[state.figure[SIDE, figure]], b.to[X]
    if edge == NORTH:
        gap = b.to[Y]
    elif edge == EAST:
        gap = ground.width - b.to[X]
    elif edge == SOUTH:
        gap = ground.height - b.to[Y]
    return bool(gap <= (1.0 - spent) * allowed * MORE)


@merged
def _can_move(b: Battle, figure: int) -> int:
    """Tell whether a move can be made; without its shot, if that is no longer allowed."""
    state, ground, play, action, fields = b.state, b.ground, b.play, b.action, b.state.figure
    dx, dy = b.to[X] - state.place[X, figure], b.to[Y] - state.place[Y, figure]
    d = sqrt(dx * dx + dy * dy)
    if fields[PRONE, figure] == 1 and action[POSTURE] != STAND and d > 0.0:
        return 0
    if not fits(state, ground, play, figure, b.to[X], b.to[Y]) or not passes(state, play, figure, b.to[X], b.to[Y]):
        return 0
    spent = effort(state, ground, play, figure, b.to[X], b.to[Y], action[RUN], action[POSTURE])
    if spent > MORE or (action[EXIT] == 1 and not _reaches_exit(b, figure, spent)):
        return 0
    if action[TARGET] >= 0:
        limit = play.moving_limit_wounded if fields[WOUNDS, figure] > 0 else play.moving_limit
        if action[SHOOT_FIRST] == 0:
            b.start[X], b.start[Y] = b.to[X], b.to[Y]
        if d > limit * MORE or _may_shoot(b, figure) == 0:
            action[TARGET] = -1
    return 1


@merged
def _can_take(b: Battle, figure: int) -> int:
    """Tell whether what a figure wants to take hold of is still there and free."""
    state, fields, grab = b.state, b.state.figure, b.action[GRAB]
    if grab < 0:
        return 1
    if grab >= LOAD_0:
        return int(state.dragger[grab - LOAD_0] == -1)
    first, end = friends(state, figure)
    for i in range(first, end):
        if fields[DRAGS, i] == grab:
            return 0
    reach = b.play.grasp * b.play.diameter
    return int(fields[STATUS, grab] == CAPTURED and distance2(state, figure, grab) <= reach * reach * MORE)


@merged
def _is_possible(b: Battle, figure: int) -> int:
    """Tell whether the order in `action` can be carried out as things are now."""
    state, play, action, fields = b.state, b.play, b.action, b.state.figure
    what, posture = action[WHAT], action[POSTURE]
    engaged, prone = is_engaged(state, play, figure), fields[PRONE, figure]
    if engaged and what not in (MOVE, FIGHT) and (play.melee_timing != AT_END_OF_TURN or what == STAIRS):
        return 0
    if what in (MOVE, POSTURE_SHOT) and posture != KEEP and prone != int(posture == STAND):
        return 0
    b.start[X], b.start[Y] = state.place[X, figure], state.place[Y, figure]
    if what == MOVE:
        return _can_move(b, figure)
    if what in (SHOOT, POSTURE_SHOT):
        return _may_shoot(b, figure)
    if what == RELOAD:
        if action[TARGET] >= 0 and _may_shoot(b, figure) == 0:
            action[TARGET] = -1
        return 1
    if what == FIGHT:
        return int(engaged)
    if what == TAKE:
        return _can_take(b, figure)
    if what == STAIRS:
        return int(prone == 0) * is_room_on(b, figure, action[TARGET])
    return 1


@merged
def next_declared(b: Battle, first: int, end: int) -> int:
    """Return the next figure of a squad that has declared what it will do and is still there to do it, or -1."""
    fields = b.state.figure
    for i in range(first, end):
        if b.declares[i] == 1:
            b.declares[i] = fields[ON_CARD, i] = 0
            if fields[STATUS, i] == IN_PLAY:
                return i
    return NOBODY


@on_battle(1)
def recall(b: Battle, figure: int) -> None:
    """Let a figure do what was declared for it, or nothing if that has become impossible."""
    for field in range(ACTION_FIELDS):
        b.action[field] = b.declared[figure, field]
    b.to[X], b.to[Y] = b.declared_to[figure, X], b.declared_to[figure, Y]
    if _is_possible(b, figure) == 0:
        for field in range(ACTION_FIELDS):
            b.action[field] = 0
        b.action[WHAT], b.action[TARGET], b.action[GRAB] = PASS, -1, -1
