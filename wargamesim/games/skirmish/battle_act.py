"""An attempt to activate a figure, and what it does when it acts. Compiled."""

from __future__ import annotations

from numba import types

from wargamesim.games.skirmish import orders
from wargamesim.games.skirmish.battle_declared import recall
from wargamesim.games.skirmish.battle_fire import RECOVERABLE, change_arms, is_face, is_ready, mark, reload, shoot
from wargamesim.games.skirmish.battle_harm import DIES, die, let_go, note_harm
from wargamesim.games.skirmish.battle_melee import AT_END_OF_TURN, fight
from wargamesim.games.skirmish.battle_move import (
    CLIMBS,
    FALLS_AT_END,
    GOES_ON,
    STOPS,
    climb,
    is_charge,
    move,
    shoot_beside,
)
from wargamesim.games.skirmish.battle_nerve import BREAKS, STEADY, test_nerve
from wargamesim.games.skirmish.battle_record import (
    ACTION,
    BURNT,
    FETCHED,
    Battle,
    merged,
    note,
    on_battle,
    option,
    roll,
    thousandths,
    who,
)
from wargamesim.games.skirmish.layout import (
    ACTION_FIELDS,
    ACTIVATIONS,
    ACTS,
    ARSON,
    ARSON_TRY,
    BLUE,
    BURNING,
    CAPACITY,
    DRAGS,
    DROP_X,
    DROP_Y,
    EXIT,
    FIGHT,
    FIRE_RAISING,
    GRAB,
    HIDE,
    IN_PLAY,
    LIE,
    LOAD_0,
    LOADING,
    MOVE,
    MOVED_LAST,
    ON_CARD,
    POSTURE,
    POSTURE_SHOT,
    PRONE,
    RAN,
    RELOAD,
    ROUNDS,
    RUN,
    SHOOT,
    SHOOT_FIRST,
    SIDE,
    SLOT,
    SPENT,
    STAIRS,
    START,
    STATUS,
    TAKE,
    TARGET,
    TRIES,
    WHAT,
    X,
    Y,
)
from wargamesim.games.skirmish.sight import MORE, is_engaged

AFTER_FIRE, FREE_ATTEMPT = option("repeat_marker", "after_fire"), option("failed_test", "free_attempt")
RESTART, CONSECUTIVE = option("arson_failure", "restart"), option("burn_count", "consecutive")


@on_battle(2, types.int64)
def attempt(b: Battle, figure: int, actor: int) -> int:
    """Count an attempt to activate a figure, and test its morale if it has a blue marker (NA-8.1, RI-8.1)."""
    fields = b.state.figure
    b.state.tally[ACTIVATIONS + fields[SIDE, figure]] += 1
    fields[TRIES, figure] += 1
    fields[ACTS, figure] += 1
    fields[ON_CARD, figure] += 1
    end = STEADY
    if fields[BLUE, figure] == 1:
        end = test_nerve(b, figure, actor)
        if end != STEADY and b.play.failed_test == FREE_ATTEMPT:
            fields[ACTS, figure] -= 1
    return end


@merged
def _shoot_aimed(b: Battle, figure: int, actor: int) -> None:
    """Fire an aimed shot, and those of a repeater that its player wants after it."""
    state, play, slot, target = b.state, b.play, b.action[SLOT], b.action[TARGET]
    fired = 0
    while target >= 0:
        shoot(b, figure, target, slot, actor, fired, 0)
        fired += 1
        target = -1
        if state.figure[CAPACITY + slot, figure] > 1 and is_ready(state, play, figure, slot):
            doctrine = b.doctrine[state.figure[SIDE, figure]]
            target = orders.next_shot(state, b.ground, play, doctrine, b.goals, b.plan, figure, slot, fired)


@merged
def _mark_after_fire(b: Battle, figure: int, slot: int) -> None:
    """Give a repeater that has fired and is not full its marker (RI-6.5)."""
    fields = b.state.figure
    if fields[LOADING + slot, figure] == 0 and 0 < fields[ROUNDS + slot, figure] < fields[CAPACITY + slot, figure]:
        mark(b, figure, slot, fields[START + slot, figure])


@merged
def _house_beside(b: Battle, x: float, y: float) -> int:
    """Return the number of the first house, in reading order, whose squares a figure reaches."""
    ground, reach = b.ground, b.play.grasp * b.play.diameter
    for row in range(max(0, int(y - reach)), min(int(ground.height), int(y + reach) + 1)):
        for col in range(max(0, int(x - reach)), min(int(ground.width), int(x + reach) + 1)):
            dx, dy = col + 0.5 - x, row + 0.5 - y
            if ground.house[row, col] > 0 and dx * dx + dy * dy <= reach * reach:
                return int(ground.house[row, col])
    return 0


@on_battle(2)
def _set_fire(b: Battle, figure: int, actor: int) -> None:
    """Try to set the house beside a figure on fire (NA-9.2)."""
    state, play, fields = b.state, b.play, b.state.figure
    rolled = roll(b, actor, FIRE_RAISING, 0, play.arson_die)
    success, house = int(is_face(play.arson_faces, rolled)), 0
    if success == 1:
        fields[ARSON, figure] += 1
        if fields[ARSON, figure] >= play.arson_actions:
            fields[ARSON, figure] = 0
            house = _house_beside(b, state.place[X, figure], state.place[Y, figure])
            if state.afire[house] == 0:
                state.afire[house] = state.turn
    elif play.arson_failure == RESTART:
        fields[ARSON, figure] = 0
    note(b, BURNT, figure, rolled, success, house, -1, -1, -1, -1, -1, -1)


@merged
def _fetch(b: Battle, figure: int) -> None:
    """Give a figure its thrown weapon back, if it has come to where that lies and nobody fights it (NA-4.23)."""
    state, play, fields = b.state, b.play, b.state.figure
    dx, dy = state.place[DROP_X, figure] - state.place[X, figure], state.place[DROP_Y, figure] - state.place[Y, figure]
    near = dx * dx + dy * dy <= play.diameter * play.diameter * MORE
    if not near or fields[STATUS, figure] != IN_PLAY or is_engaged(state, play, figure):
        return
    for slot in range(2):
        if fields[LOADING + slot, figure] == SPENT:
            change_arms(b, figure, slot, 0)
            note(b, FETCHED, figure, slot, -1, -1, -1, -1, -1, -1, -1, -1)


@on_battle(2)
def act(b: Battle, figure: int, as_declared: int) -> None:
    """Activate a figure: what it does, and the round or shot that comes of a move."""
    state, play, plan, action, fields = b.state, b.play, b.plan, b.action, b.state.figure
    actor = who(state, figure)
    end = attempt(b, figure, actor)
    if end == BREAKS:
        return
    if as_declared == 1 and end == STEADY:
        recall(b, figure)
    else:
        orders.act(state, b.ground, play, b.doctrine[fields[SIDE, figure]], b.goals, plan, figure, end)
        for field in range(ACTION_FIELDS):
            action[field] = plan.action[field]
        b.to[X], b.to[Y] = plan.to[X], plan.to[Y]
    b.start[X], b.start[Y] = state.place[X, figure], state.place[Y, figure]
    b.fired = -1
    what, slot = action[WHAT], action[SLOT]
    if what != ARSON_TRY and play.arson_failure == RESTART:
        fields[ARSON, figure] = 0
    after = STOPS
    if what == MOVE:
        after = move(b, figure, actor)
    else:
        fields[RAN, figure] = fields[MOVED_LAST, figure] = 0
        if what == SHOOT:
            _shoot_aimed(b, figure, actor)
        elif what == TAKE:
            let_go(b, figure)
            fields[DRAGS, figure] = action[GRAB]
            if action[GRAB] >= LOAD_0:
                state.dragger[action[GRAB] - LOAD_0] = figure
        elif what == ARSON_TRY:
            _set_fire(b, figure, actor)
        elif what == STAIRS:
            after = climb(b, figure, actor)
        snaps = what == RELOAD and reload(b, figure, slot, actor) == 1
        if what == POSTURE_SHOT:
            fields[PRONE, figure] = int(action[POSTURE] == LIE)
        if snaps or what == POSTURE_SHOT:
            shoot(b, figure, action[TARGET], slot, actor, 0, 1)
    meets = what == FIGHT or (after in (GOES_ON, FALLS_AT_END, CLIMBS) and is_engaged(state, play, figure))
    if meets and play.melee_timing != AT_END_OF_TURN:
        fight(b, figure, actor, is_charge(b, figure) if what == MOVE else 0)
    if after == GOES_ON and action[TARGET] >= 0 and action[SHOOT_FIRST] == 0:
        shoot_beside(b, figure, actor)
    if play.repeat_marker == AFTER_FIRE and b.fired >= 0:
        _mark_after_fire(b, figure, b.fired)
    if what == MOVE and play.thrown_away == RECOVERABLE:
        _fetch(b, figure)
    target = action[GRAB] if what == TAKE else action[TARGET]
    x, y = thousandths(state.place[X, figure]), thousandths(state.place[Y, figure])
    note(b, ACTION, figure, what, target, slot, action[RUN], action[POSTURE], x, y, action[HIDE], action[EXIT])


@merged
def burn(b: Battle) -> None:
    """Let the fires work on those in burning houses (NA-9.3)."""
    state, play, fields = b.state, b.play, b.state.figure
    for i in range(state.count):
        if fields[STATUS, i] != IN_PLAY:
            continue
        house = b.ground.house[int(state.place[Y, i]), int(state.place[X, i])]
        if house > 0 and 0 < state.afire[house] < state.turn:
            fields[BURNING, i] += 1
        elif play.burn_count == CONSECUTIVE:
            fields[BURNING, i] = 0
        if fields[BURNING, i] > play.arson_turns:
            die(b, i)
            note_harm(b, i, -1, -1, DIES)
