"""What a player looks over when a squad's card comes: where it goes, in which order its figures act. Compiled."""

from __future__ import annotations

from math import inf, sqrt

from wargamesim.bits import NONE
from wargamesim.games.skirmish.compiling import merged, typed
from wargamesim.games.skirmish.doctrine import ADVANCE, CLOSE, HOLD, DoctrineRecord
from wargamesim.games.skirmish.layout import (
    BLUE,
    DEAD,
    HIDDEN,
    IN_PLAY,
    LEADER,
    LOADING,
    PRISONERS,
    PRONE,
    ROLES,
    S_COUNT,
    S_FIRST,
    S_SIDE,
    SHELTER,
    SHOTS_FIRED,
    SIDE,
    STATUS,
    WEAPON,
    WOUNDS,
    Goals,
    Ground,
    Plan,
    State,
    X,
    Y,
)
from wargamesim.games.skirmish.orders_fire import is_ready, may_repeat, slot_to_reload
from wargamesim.games.skirmish.orders_place import beyond, foe_inside, into_place
from wargamesim.games.skirmish.playing import CHOICES, Play
from wargamesim.games.skirmish.sight import MORE, distance2, knows, nearest_known, square
from wargamesim.games.skirmish.whereabouts import gap2, members, squads_of

RECOVERABLE = CHOICES["thrown_away"][1].index("recoverable")

# Rows of the plan's scratch memory: distance of a figure to the nearest known enemy (cm, infinite if none is known),
# what the order of figures is sorted by, what is known of the squad, by the names below, and where each has declared
# that it goes or stays (infinitely far if it has not).
NEAR, KEY, SQUAD_ROW, CLAIM_X, CLAIM_Y = range(5)
# The squad's number plus 1, its centre, the direction in which it goes, how far along it any of them may go and who
# leads them, what it goes for, its stance of this turn, whether loaded figures wait for a volley, how many are in the
# order, whether the first of them can shoot or load, the distance from any of them to the nearest known enemy, the
# place to which it goes, whether it must hurry to be there in time, and the distance within which its idle figures
# shoot: without limit once the squad has been shot at.
R_SQUAD, R_X, R_Y, R_DX, R_DY, R_LIMIT, R_LEAD, R_GOAL, R_STANCE, R_WAITS, R_COUNT, R_USEFUL = range(12)
R_NEAR, R_TO_X, R_TO_Y, R_HURRY, R_FIRE = range(12, 17)
# Row of the plan's lists with that order.
ORDER = 0

# What a squad goes for.
ENEMY, PLACE, EDGE, LOAD, ESCORT = range(5)
# How far ahead of a load its escort goes, and how near that is near enough (cm).
AHEAD, NEAR_ENOUGH = 8.0, 5.0
# So far behind the middle of its squad, a figure straggles (cm).
STRAGGLES = 3.0
# So far behind it, the others wait for it no longer (cm).
LAGS = 12.0
# Turns that a walk takes, for each that it would take at full pace.
DELAYS = 1.3
# An advance stops a little nearer than the range of opening fire (share).
WELL_WITHIN = 0.95
# Those who can shoot come first in the order, then those who load, the most ready first, then the others; distances
# beyond `NEARER` are alike (cm), and the ranks lie far enough apart.
RANK, NEARER = 10000.0, 400.0


@merged
def stop_distance(doctrine: DoctrineRecord) -> float:
    """Return where an advance stops, near enough to fire (cm)."""
    return float(min(doctrine.stop_at, WELL_WITHIN * doctrine.open_fire))


@typed
def nearest_load(state: State, x: float, y: float) -> int:
    """Return the nearest load that nobody drags, or -1."""
    best, best_d2 = -1, inf
    for i in range(state.loads):
        dx, dy = state.load[X, i] - x, state.load[Y, i] - y
        d2 = dx * dx + dy * dy
        if state.dragger[i] == -1 and d2 < best_d2:
            best, best_d2 = i, d2
    return best


@typed
def squad_knows(state: State, squad: int, enemy: int) -> bool:
    """Tell whether anybody of a squad who is in play knows of a hidden enemy (NA-6.6)."""
    if state.observers[0, enemy] == NONE and state.observers[1, enemy] == NONE:
        return False
    first = int(state.squad[S_FIRST, squad])
    for i in range(first, first + int(state.squad[S_COUNT, squad])):
        if state.figure[STATUS, i] == IN_PLAY and knows(state, i, enemy):
            return True
    return False


@merged
def _nearest_of(state: State, squad: int, x: float, y: float, known: int) -> int:
    """Return who is nearest to a place of those enemies in play whom anybody of a squad knows; `known` is one of them.

    Of several, it is the first.
    """
    dx, dy = state.place[X, known] - x, state.place[Y, known] - y
    best, best_d2 = known, dx * dx + dy * dy
    first, end = squads_of(state, 1 - int(state.squad[S_SIDE, squad]))
    for other in range(first, end):
        if gap2(state, other, x, y) > best_d2:
            continue
        begin, stop = members(state, other)
        for i in range(begin, stop):
            dx, dy = state.place[X, i] - x, state.place[Y, i] - y
            d2 = dx * dx + dy * dy
            if d2 > best_d2 or (d2 == best_d2 and i >= best) or state.figure[STATUS, i] != IN_PLAY:
                continue
            if state.figure[HIDDEN, i] == 0 or squad_knows(state, squad, i):
                best, best_d2 = i, d2
    return best


@merged
def _choose_load(
    state: State, ground: Ground, goals: Goals, squad: int, x: float, y: float
) -> tuple[int, float, float]:
    """Say whether a squad fetches a load, goes along with those who drag one, or minds the enemy; and where to."""
    side = int(state.squad[S_SIDE, squad])
    load = nearest_load(state, x, y)
    if load >= 0:
        dx, dy = state.load[X, load] - x, state.load[Y, load] - y
        d2, nearest = dx * dx + dy * dy, True
        for other in range(state.squads):
            if other == squad or state.squad[S_SIDE, other] != side:
                continue
            first = int(state.squad[S_FIRST, other])
            for i in range(first, first + int(state.squad[S_COUNT, other])):
                dx, dy = state.load[X, load] - state.place[X, i], state.load[Y, load] - state.place[Y, i]
                if state.figure[STATUS, i] == IN_PLAY and dx * dx + dy * dy < d2:
                    nearest = False
        if nearest:
            return LOAD, state.load[X, load], state.load[Y, load]
    best, best_d2 = -1, inf
    for i in range(state.loads):
        dx, dy = state.load[X, i] - x, state.load[Y, i] - y
        d2 = dx * dx + dy * dy
        dragger = int(state.dragger[i])
        if dragger >= 0 and state.figure[SIDE, dragger] == side and d2 < best_d2:
            best, best_d2 = i, d2
    if best < 0:
        return ENEMY, x, y
    # A little ahead of the load.
    load_x, load_y = state.load[X, best], state.load[Y, best]
    out_x, out_y = beyond(ground, int(goals.exit_edge[side]), load_x, load_y)
    way = max(abs(out_x - load_x) + abs(out_y - load_y), AHEAD)
    return ESCORT, load_x + (out_x - load_x) / way * AHEAD, load_y + (out_y - load_y) / way * AHEAD


@typed
def _choose_goal(
    state: State,
    ground: Ground,
    play: Play,
    doctrine: DoctrineRecord,
    goals: Goals,
    plan: Plan,
    squad: int,
    known: int,
) -> None:
    """Set what the squad goes for, the direction to it, and whether it stands, walks or closes."""
    side = int(state.squad[S_SIDE, squad])
    x, y = plan.scratch[SQUAD_ROW, R_X], plan.scratch[SQUAD_ROW, R_Y]
    stance = doctrine.stance
    if stance == HOLD and 0 < doctrine.patience < state.turn and plan.scratch[SQUAD_ROW, R_NEAR] > doctrine.open_fire:
        stance = ADVANCE
    goal = ENEMY
    to_x, to_y = x, y
    if doctrine.objective == 1:
        if goals.exit_figures[side] > 0 and goals.exit_edge[side] > 0:
            goal = EDGE
            to_x, to_y = beyond(ground, int(goals.exit_edge[side]), x, y)
        elif goals.hold_figures[side] > 0:
            goal = PLACE
            to_x, to_y = into_place(goals, side, x, y)
        elif goals.exit_loads[side] > 0:
            goal, to_x, to_y = _choose_load(state, ground, goals, squad, x, y)
    if goal == ENEMY:
        to_x, to_y = beyond(ground, int(goals.home[1 - side]), x, y)
        if known >= 0:
            enemy = _nearest_of(state, squad, x, y, known)
            to_x, to_y = state.place[X, enemy], state.place[Y, enemy]
    dx, dy = to_x - x, to_y - y
    d = sqrt(dx * dx + dy * dy)
    plan.scratch[SQUAD_ROW, R_DX] = dx / d if d > 0.0 else 0.0
    plan.scratch[SQUAD_ROW, R_DY] = dy / d if d > 0.0 else 0.0
    plan.scratch[SQUAD_ROW, R_GOAL], plan.scratch[SQUAD_ROW, R_STANCE] = goal, stance
    plan.scratch[SQUAD_ROW, R_TO_X], plan.scratch[SQUAD_ROW, R_TO_Y] = to_x, to_y
    late = goals.turns - state.turn - goals.hold_turns[side] < DELAYS * d / max(play.walk[0], 1.0) + 1.0
    plan.scratch[SQUAD_ROW, R_HURRY] = 1 if late and goal in (PLACE, EDGE) and goals.at_limit != side else 0


@merged
def _set_limit(
    state: State, play: Play, doctrine: DoctrineRecord, plan: Plan, first: int, end: int, alone: int
) -> None:
    """Set how far along the way any figure may go, so that the rearmost of those who can walk keeps up.

    When one figure acts alone, the others do not come along.
    """
    dx, dy = plan.scratch[SQUAD_ROW, R_DX], plan.scratch[SQUAD_ROW, R_DY]
    # Nobody waits for those who have fallen far behind.
    lags = plan.scratch[SQUAD_ROW, R_X] * dx + plan.scratch[SQUAD_ROW, R_Y] * dy - LAGS
    rear = inf
    for i in range(first, end):
        hindered = state.figure[BLUE, i] != 0 or state.figure[WOUNDS, i] > 0 or state.figure[PRONE, i] != 0
        along = state.place[X, i] * dx + state.place[Y, i] * dy
        if state.figure[STATUS, i] == IN_PLAY and not hindered and state.figure[ROLES, i] & LEADER == 0:
            rear = min(rear, along if along >= lags else rear)
    ahead = rear if alone == 1 else rear + play.walk[0]
    # Leaders stay with the rearmost, whatever the doctrine.
    plan.scratch[SQUAD_ROW, R_LEAD] = ahead
    plan.scratch[SQUAD_ROW, R_LIMIT] = inf if doctrine.together == 0.0 else ahead + doctrine.together


@merged
def _range_of(state: State, play: Play, figure: int) -> float:
    """Return how far a figure can shoot with what it has loaded (cm); less than 0 if it has nothing."""
    reach = -1.0
    for slot in range(2):
        if is_ready(state, play, figure, slot) and may_repeat(state, play, figure, slot, 0, 0):
            reach = max(reach, play.reach[state.figure[WEAPON + slot, figure]])
    return reach


@merged
def is_sprung(state: State, doctrine: DoctrineRecord, side: int, near: float) -> bool:
    """Tell whether an ambush waits no longer: somebody of the side has fired, or an enemy is near enough."""
    return bool(doctrine.hide_until == 0.0 or near <= doctrine.hide_until or state.tally[SHOTS_FIRED + side] > 0)


@merged
def _is_idle(
    state: State,
    ground: Ground,
    play: Play,
    doctrine: DoctrineRecord,
    goals: Goals,
    plan: Plan,
    figure: int,
    near: float,
    alone: int,
) -> bool:
    """Tell whether a figure without a target and with nothing to load has nothing else to do either."""
    stance, goal = plan.scratch[SQUAD_ROW, R_STANCE], plan.scratch[SQUAD_ROW, R_GOAL]
    side = int(state.figure[SIDE, figure])
    x, y = state.place[X, figure], state.place[Y, figure]
    # There may be a prisoner to mind, a weapon to fetch, a floor to clear, or a fire to flee from.
    house = ground.house[int(y), int(x)]
    indoors = house > 0 and (ground.floors[house] > 1 or state.afire[house] > 0)
    if state.tally[PRISONERS + 1 - side] > 0 or play.thrown_away == RECOVERABLE or indoors:
        return False
    # Somebody in the open may look for cover or lie down, and others charge or fall back.
    open_ground = ground.plain == 1 or square(ground, x, y) & SHELTER == 0
    looks = (doctrine.seek_cover > 0.0 and ground.plain == 0) or doctrine.lie_down == 1
    if (open_ground and looks) or near <= doctrine.charge_at or near <= doctrine.keep_away:
        return False
    to_x, to_y = plan.scratch[SQUAD_ROW, R_TO_X], plan.scratch[SQUAD_ROW, R_TO_Y]
    if goal == PLACE and into_place(goals, side, x, y) == (x, y):
        return foe_inside(state, goals, figure) < 0
    if goal == ESCORT:
        dx, dy = to_x - plan.scratch[SQUAD_ROW, R_X], to_y - plan.scratch[SQUAD_ROW, R_Y]
        return bool(dx * dx + dy * dy < NEAR_ENOUGH * NEAR_ENOUGH)
    if goal == ENEMY and (stance == HOLD or (stance == ADVANCE and near <= stop_distance(doctrine))):
        return True
    # By an ace, a straggler comes up, and nobody goes ahead of the others, unless he closes or reaches his goal.
    if alone == 0 or doctrine.together == 0.0 or goal == LOAD or (goal == ENEMY and stance == CLOSE):
        return False
    dx, dy = plan.scratch[SQUAD_ROW, R_DX], plan.scratch[SQUAD_ROW, R_DY]
    ahead = (x - plan.scratch[SQUAD_ROW, R_X]) * dx + (y - plan.scratch[SQUAD_ROW, R_Y]) * dy
    left = (to_x - x) * dx + (to_y - y) * dy
    return bool(ahead > -STRAGGLES and (goal == ENEMY or left > play.walk[0]))


@typed
def _put_in_order(
    state: State,
    ground: Ground,
    play: Play,
    doctrine: DoctrineRecord,
    goals: Goals,
    plan: Plan,
    first: int,
    end: int,
    few: int,
    alone: int,
) -> None:
    """Sort the figures: those who fight or have an enemy in range, those who load, the others from the front back.

    If not all can act, the rearmost of the others go first, so that nobody is left behind. Those who have nothing to do
    and no marker to lose are left out.
    """
    closes = plan.scratch[SQUAD_ROW, R_STANCE] == CLOSE
    sprung = is_sprung(state, doctrine, int(state.figure[SIDE, first]), plan.scratch[SQUAD_ROW, R_NEAR])
    total = 0
    for i in range(first, end):
        if state.figure[STATUS, i] != IN_PLAY:
            continue
        near = min(plan.scratch[NEAR, i], NEARER)
        loads = slot_to_reload(state, play, i)
        lurks = state.figure[HIDDEN, i] != 0 and not sprung
        if lurks and loads < 0 and state.figure[BLUE, i] == 0:
            continue
        key = 3.0 * RANK - near if few == 1 else 2.0 * RANK + near
        if near <= play.diameter * MORE or near <= min(plan.scratch[SQUAD_ROW, R_FIRE], _range_of(state, play, i)):
            key = near
        elif loads >= 0 and not closes:
            key = RANK + NEARER * state.figure[LOADING + loads, i] + near
        elif state.figure[BLUE, i] == 0 and _is_idle(state, ground, play, doctrine, goals, plan, i, near, alone):
            continue
        at = total
        while at > 0 and plan.scratch[KEY, at - 1] > key:
            plan.scratch[KEY, at] = plan.scratch[KEY, at - 1]
            plan.list[ORDER, at] = plan.list[ORDER, at - 1]
            at -= 1
        plan.scratch[KEY, at] = key
        plan.list[ORDER, at] = i
        total += 1
    plan.scratch[SQUAD_ROW, R_COUNT] = total
    plan.scratch[SQUAD_ROW, R_USEFUL] = 1 if total > 0 and plan.scratch[KEY, 0] < 2.0 * RANK else 0


@typed
def survey(
    state: State,
    ground: Ground,
    play: Play,
    doctrine: DoctrineRecord,
    goals: Goals,
    plan: Plan,
    squad: int,
    slots: int,
    alone: int,
) -> None:
    """Look over a squad when its card is drawn and so many of it may act; `alone` is 1 if one acts by an ace."""
    first = int(state.squad[S_FIRST, squad])
    end = first + int(state.squad[S_COUNT, squad])
    x = y = 0.0
    live, harassed, nearest, nearest2 = 0, False, -1, inf
    for i in range(first, end):
        # Nobody has declared anything, and who fires in a volley or rallies does not.
        plan.scratch[CLAIM_X, i] = plan.scratch[CLAIM_Y, i] = inf
        if state.figure[BLUE, i] != 0 or state.figure[WOUNDS, i] > 0 or state.figure[STATUS, i] == DEAD:
            harassed = True
        if state.figure[STATUS, i] != IN_PLAY:
            continue
        live += 1
        x += state.place[X, i]
        y += state.place[Y, i]
        enemy = nearest_known(state, i)
        near2 = distance2(state, i, enemy) if enemy >= 0 else inf
        plan.scratch[NEAR, i] = sqrt(near2)
        if near2 < nearest2:
            nearest, nearest2 = enemy, near2
    plan.scratch[SQUAD_ROW, R_SQUAD] = squad + 1
    plan.scratch[SQUAD_ROW, R_WAITS] = 0
    plan.scratch[SQUAD_ROW, R_X], plan.scratch[SQUAD_ROW, R_Y] = x / max(live, 1), y / max(live, 1)
    plan.scratch[SQUAD_ROW, R_NEAR] = sqrt(nearest2)
    plan.scratch[SQUAD_ROW, R_FIRE] = NEARER if harassed else doctrine.open_fire
    _choose_goal(state, ground, play, doctrine, goals, plan, squad, nearest)
    _set_limit(state, play, doctrine, plan, first, end, alone)
    _put_in_order(state, ground, play, doctrine, goals, plan, first, end, 1 if slots < live else 0, alone)
