"""How a player moves a figure: a stride in a direction, contact, falling back. Compiled.

A function that returns True has put a legal move into the plan: where to, whether it runs, what posture it takes.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from wargamesim.games.skirmish.compiling import merged, typed
from wargamesim.games.skirmish.doctrine import RUNS, WALKS, DoctrineRecord
from wargamesim.games.skirmish.layout import (
    DRAGS,
    IN_PLAY,
    KEEP,
    LEVEL,
    MOVE,
    ON_CARD,
    POSTURE,
    PRONE,
    RUN,
    S_COUNT,
    S_FIRST,
    SHOTS,
    SIDE,
    SQUAD,
    STAND,
    STATUS,
    WALL,
    WHAT,
    Ground,
    Plan,
    State,
    X,
    Y,
)
from wargamesim.games.skirmish.orders_plan import CLAIM_X, CLAIM_Y
from wargamesim.games.skirmish.playing import CHOICES, Play
from wargamesim.games.skirmish.sight import (
    LESS,
    MORE,
    cost,
    effort,
    enemies,
    factor,
    knows,
    pace,
    square,
    stays_indoors,
    takes_room,
    touches,
    way,
)
from wargamesim.games.skirmish.whereabouts import gap2, members

SYMMETRIC = CHOICES["repeat_busy"][1].index("symmetric")

# Ways to go when the straight one is closed: cosine and sine of the turn, and the part of the length; the straight way
# first, then turns of 22.5 degrees to either hand, then shorter steps.
_C, _S, _D = 0.9238795325112867, 0.3826834323650898, 0.7071067811865476
WAYS = np.array(
    [
        *[(1, 0, 1), (_C, _S, 1), (_C, -_S, 1), (_D, _D, 1), (_D, -_D, 1)],
        *[(1, 0, 0.5), (_C, _S, 0.5), (_C, -_S, 0.5), (_S, _C, 1), (_S, -_C, 1)],
        *[(_D, _D, 0.5), (_D, -_D, 0.5), (1, 0, 0.25)],
    ]
)
# Where a charge strikes, seen from the enemy: straight at it, then farther round it to either hand.
SPOTS = np.array([(1, 0), (_C, _S), (_C, -_S), (_D, _D), (_D, -_D), (_S, _C), (_S, -_C), (0, 1), (0, -1)])
# Figures on two floors of a house may be at one place of the table: what their distance counts at least (cm).
NO_DISTANCE = 1e-6
# A turn by this cosine or less leads aside rather than forward.
ASIDE = 0.5
# The shortest step worth an action (cm), and how near a walk ends to an enemy whom it does not attack (bases).
STEP, BERTH = 1.0, 1.5
# Row of the plan's lists with those who stand near.
NEARBY = 1


@merged
def may_move(state: State, play: Play, figure: int) -> bool:
    """Tell whether repeated shots of this turn let a figure move, by a reading of RI-6.3."""
    return bool(play.repeat_busy != SYMMETRIC or state.figure[SHOTS, figure] < 2)


@merged
def rises(state: State, figure: int) -> int:
    """Return the change of posture that a move needs."""
    return STAND if state.figure[PRONE, figure] != 0 else KEEP


@merged
def stay(state: State, plan: Plan, figure: int, posture: int) -> bool:
    """Move nowhere, for a change of posture or to hide."""
    plan.action[WHAT], plan.action[RUN], plan.action[POSTURE] = MOVE, 0, posture
    plan.to[X], plan.to[Y] = state.place[X, figure], state.place[Y, figure]
    return True


@merged
def _affordable(
    state: State,
    ground: Ground,
    play: Play,
    figure: int,
    vx: float,
    vy: float,
    span: float,
    run: int,
    posture: int,
    wade: int,
) -> float:
    """Return how much of a span the ground allows; 0 off the table, at too high a cost, or in water unless it wades."""
    if ground.plain == 1:
        return span
    x, y = state.place[X, figure], state.place[Y, figure]
    for _ in range(2):
        to_x, to_y = x + vx * span, y + vy * span
        if span < STEP or not (0.0 <= to_x < ground.width and 0.0 <= to_y < ground.height):
            return 0.0
        if state.figure[LEVEL, figure] > 0 and not stays_indoors(ground, x, y, to_x, to_y):
            return 0.0
        difficult, water, rough = way(ground, x, y, to_x, to_y)
        if water > wade:
            return 0.0
        spent = cost(state, play, figure, span, difficult, water, rough, run, posture)
        if spent <= MORE:
            return span
        span = span / spent
    return 0.0


@merged
def look_round(state: State, play: Play, plan: Plan, figure: int, far: float) -> int:
    """Note who takes up room within a distance; return how many."""
    x, y, far2 = state.place[X, figure], state.place[Y, figure], far * far
    near = 0
    for squad in range(state.squads):
        if gap2(state, squad, x, y) > far2:
            continue
        begin, stop = members(state, squad)
        for i in range(begin, stop):
            dx, dy = state.place[X, i] - x, state.place[Y, i] - y
            if dx * dx + dy * dy <= far2 and takes_room(state, play, figure, i):
                plan.list[NEARBY, near] = i
                near += 1
    return near


@merged
def _is_claimed(state: State, play: Play, plan: Plan, figure: int, x: float, y: float) -> bool:
    """Tell whether another of the squad has declared that it goes to where there is no room for two (NA-2.8)."""
    if play.declared == 0:
        return False
    squad = int(state.figure[SQUAD, figure])
    first = int(state.squad[S_FIRST, squad])
    apart2 = play.diameter * play.diameter * MORE
    for i in range(first, first + int(state.squad[S_COUNT, squad])):
        if i != figure and state.figure[ON_CARD, i] != 0:
            gap_x, gap_y = plan.scratch[CLAIM_X, i] - x, plan.scratch[CLAIM_Y, i] - y
            if gap_x * gap_x + gap_y * gap_y <= apart2:
                return True
    return False


@typed
def is_open(
    state: State,
    ground: Ground,
    play: Play,
    plan: Plan,
    figure: int,
    to_x: float,
    to_y: float,
    near: int,
    berth: float,
) -> bool:
    """Tell whether a figure may go straight to a place, and ends it farther than the berth from known enemies.

    As `fits` and `passes`, but only those who were noted are looked at.
    """
    if not (0.0 <= to_x < ground.width and 0.0 <= to_y < ground.height):
        return False
    if ground.plain == 0 and square(ground, to_x, to_y) & WALL != 0:
        return False
    x, y, side = state.place[X, figure], state.place[Y, figure], state.figure[SIDE, figure]
    dx, dy = to_x - x, to_y - y
    d2 = dx * dx + dy * dy
    apart2 = play.diameter * LESS * play.diameter * LESS
    for k in range(near):
        i = int(plan.list[NEARBY, k])
        gap_x, gap_y = state.place[X, i] - to_x, state.place[Y, i] - to_y
        gap2 = gap_x * gap_x + gap_y * gap_y
        if gap2 <= apart2:
            return False
        if state.figure[SIDE, i] == side or state.figure[STATUS, i] != IN_PLAY:
            continue
        if gap2 < berth * berth and knows(state, figure, i):
            return False
        off_x, off_y = state.place[X, i] - x, state.place[Y, i] - y
        along, aside = off_x * dx + off_y * dy, off_x * dy - off_y * dx
        # The whole line, which is a little more than the samples of the rule.
        beside = 0.0 < along < d2 and aside * aside <= apart2 * d2
        if beside and not touches(state, play, figure, i):
            return False
    return not _is_claimed(state, play, plan, figure, to_x, to_y)


@merged
def _is_shy(state: State, figure: int, to_x: float, to_y: float) -> bool:
    """Tell whether a place is no nearer to any known enemy."""
    first, end = enemies(state, figure)
    x, y = state.place[X, figure], state.place[Y, figure]
    for i in range(first, end):
        if state.figure[STATUS, i] != IN_PLAY or not knows(state, figure, i):
            continue
        dx, dy = state.place[X, i] - to_x, state.place[Y, i] - to_y
        old_x, old_y = state.place[X, i] - x, state.place[Y, i] - y
        if dx * dx + dy * dy < old_x * old_x + old_y * old_y:
            return False
    return True


@typed
def stride(
    state: State,
    ground: Ground,
    play: Play,
    plan: Plan,
    figure: int,
    dx: float,
    dy: float,
    want: float,
    run: int,
    shy: int,
) -> bool:
    """Go about in a direction, as far as wanted and allowed; a figure that is shy of the enemy never goes nearer."""
    if (dx == 0.0 and dy == 0.0) or want < STEP or not may_move(state, play, figure):
        return False
    posture = rises(state, figure)
    longest = pace(state, play, figure, run, 0, 0) * factor(state, play, figure, posture)
    length = min(want, longest)
    if length < STEP:
        return False
    x, y = state.place[X, figure], state.place[Y, figure]
    berth = BERTH * play.diameter
    near = look_round(state, play, plan, figure, length + berth)
    # Water only if there is no way on dry ground.
    for wade in range(1 if ground.plain == 1 else 2):
        for k in range(WAYS.shape[0]):
            # A step aside is no way to go a little farther.
            if WAYS[k, 0] < ASIDE and length < 2.0 * play.diameter:
                continue
            vx, vy = dx * WAYS[k, 0] - dy * WAYS[k, 1], dx * WAYS[k, 1] + dy * WAYS[k, 0]
            span = _affordable(state, ground, play, figure, vx, vy, length * WAYS[k, 2], run, posture, wade)
            to_x, to_y = x + vx * span, y + vy * span
            if (
                span >= STEP
                and is_open(state, ground, play, plan, figure, to_x, to_y, near, berth)
                and (shy == 0 or _is_shy(state, figure, to_x, to_y))
            ):
                plan.action[WHAT], plan.action[RUN], plan.action[POSTURE] = MOVE, run, posture
                plan.to[X], plan.to[Y] = to_x, to_y
                return True
    return False


@typed
def strike(
    state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, plan: Plan, figure: int, enemy: int
) -> bool:
    """Go into contact with an enemy, running if walking is not enough and the doctrine lets it."""
    if not may_move(state, play, figure):
        return False
    posture = rises(state, figure)
    runs = doctrine.run != WALKS and play.can_run == 1 and state.figure[DRAGS, figure] < 0
    for run in range(2 if runs else 1):
        longest = pace(state, play, figure, run, 0, 0) * factor(state, play, figure, posture)
        x, y = state.place[X, figure], state.place[Y, figure]
        from_x, from_y = x - state.place[X, enemy], y - state.place[Y, enemy]
        d = sqrt(from_x * from_x + from_y * from_y)
        if d - play.diameter > longest:
            continue
        near = look_round(state, play, plan, figure, longest + 2.0 * play.diameter)
        for k in range(SPOTS.shape[0]):
            out_x = (from_x * SPOTS[k, 0] - from_y * SPOTS[k, 1]) / d
            out_y = (from_x * SPOTS[k, 1] + from_y * SPOTS[k, 0]) / d
            to_x, to_y = state.place[X, enemy] + out_x * play.diameter, state.place[Y, enemy] + out_y * play.diameter
            if not is_open(state, ground, play, plan, figure, to_x, to_y, near, 0.0):
                continue
            if effort(state, ground, play, figure, to_x, to_y, run, posture) <= 1.0:
                plan.action[WHAT], plan.action[RUN], plan.action[POSTURE] = MOVE, run, posture
                plan.to[X], plan.to[Y] = to_x, to_y
                return True
    return False


@typed
def fall_back(
    state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, plan: Plan, figure: int, enemy: int, want: float
) -> bool:
    """Go away from an enemy without coming nearer to any other."""
    dx, dy = state.place[X, figure] - state.place[X, enemy], state.place[Y, figure] - state.place[Y, enemy]
    d = max(sqrt(dx * dx + dy * dy), NO_DISTANCE)
    run = 1 if doctrine.run == RUNS and play.can_run == 1 and state.figure[DRAGS, figure] < 0 else 0
    if stride(state, ground, play, plan, figure, dx / d, dy / d, want, run, 1):
        return True
    # With enemies on several sides, out of the reach of the nearest is good enough.
    return stride(state, ground, play, plan, figure, dx / d, dy / d, want, run, 0)
