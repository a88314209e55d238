"""Where figures come to stand: going, leaving the table, what an arrival reveals, running away. Compiled."""

from __future__ import annotations

from math import sqrt

from numba import types

from wargamesim.bits import NONE, bit
from wargamesim.games.skirmish.battle_harm import becomes, capture, let_go
from wargamesim.games.skirmish.battle_record import FALLING, SPOTTED, Battle, merged, note, on_battle, option, roll
from wargamesim.games.skirmish.layout import (
    DRAGS,
    EVADED,
    EVASION,
    EVASIONS,
    FACE_X,
    FACE_Y,
    GONE,
    HIDDEN,
    IN_PLAY,
    KEEP,
    LEFT,
    LOAD_0,
    LOADS_AWAY,
    MOVED,
    MOVED_LAST,
    OUT,
    OUT_UNTIL,
    PRONE,
    RAN,
    REGULAR,
    ROLES,
    SIDE,
    SPOT,
    STAND,
    STATUS,
    WOOD,
    X,
    Y,
)
from wargamesim.games.skirmish.sight import (
    MORE,
    ROUGH,
    distance2,
    effort,
    factor,
    fits,
    knows,
    passes,
    sees,
    square,
    touches,
)
from wargamesim.games.skirmish.whereabouts import appears, enemy_squads, gap2, members, shows

AUTOMATIC, OBSERVER = option("spotting", "automatic"), option("who_learns", "observer")
CAPTURED_IF_FALLEN = option("evade_fall", "captured")
# Kinds of a fall; how an evasion ends.
RUNNING, WADING, EVADING = range(3)
STAYS, GETS_AWAY, IS_TAKEN = range(3)
# A load that has been taken off the table.
OFF_TABLE = -2


@merged
def go(b: Battle, figure: int, x: float, y: float) -> None:
    """Put a figure down elsewhere, with what it drags."""
    state = b.state
    state.place[X, figure], state.place[Y, figure] = x, y
    appears(state, figure)
    held = state.figure[DRAGS, figure]
    if held >= LOAD_0:
        state.load[X, held - LOAD_0], state.load[Y, held - LOAD_0] = x, y
    elif held >= 0:
        state.place[X, held], state.place[Y, held] = x, y
        appears(state, held)


@merged
def leave(b: Battle, figure: int) -> None:
    """Take a figure off the table by its edge, with what it drags."""
    state = b.state
    side, held = state.figure[SIDE, figure], state.figure[DRAGS, figure]
    if held >= LOAD_0:
        state.dragger[held - LOAD_0] = OFF_TABLE
        state.tally[LOADS_AWAY + side] += 1
    elif held >= 0:
        becomes(b, held, OUT)
    state.figure[DRAGS, figure] = -1
    becomes(b, figure, LEFT)
    state.tally[GONE + side] += 1


@on_battle(5, types.int64)
def falls(b: Battle, figure: int, rolled: int, modifier: int, limit: int, kind: int) -> int:
    """Write down the test of a runner or wader, and tell whether he falls (NA-3.3f, NA-3.4f)."""
    fell = int(rolled + modifier <= limit)
    note(b, FALLING, figure, rolled, rolled + modifier, fell, kind, -1, -1, -1, -1, -1)
    return fell


@on_battle(2)
def _reveal(b: Battle, figure: int, observer: int) -> None:
    shows(b.state, figure)
    note(b, SPOTTED, figure, observer, -1, -1, -1, -1, -1, -1, -1, -1)


@on_battle(2, types.int64)
def _may_spot(b: Battle, observer: int, figure: int) -> int:
    """Tell whether an observer is near enough to a figure not too deep in a wood, and sees it (NA-6.3, NA-6.5)."""
    state, play, ground = b.state, b.play, b.ground
    if distance2(state, observer, figure) > play.spot_distance * play.spot_distance * MORE:
        return 0
    if ground.depth[int(state.place[Y, figure]), int(state.place[X, figure])] > play.edge_depth:
        return 0
    return int(sees(state, ground, play, observer, figure))


@on_battle(3)
def _spot(b: Battle, observer: int, figure: int, actor: int) -> None:
    play = b.play
    if play.spotting == AUTOMATIC or roll(b, actor, SPOT, 128 * observer + figure, play.spot_die) >= play.spot_need:
        if play.who_learns == OBSERVER:
            b.state.observers[observer >> 6, figure] |= bit(observer & 63)
            appears(b.state, figure)
            note(b, SPOTTED, figure, observer, -1, -1, -1, -1, -1, -1, -1, -1)
        else:
            _reveal(b, figure, observer)


@merged
def _look_round(b: Battle, figure: int) -> int:
    """List in `near` the enemies in play who are near enough for contact or to spot; return how many."""
    state, play = b.state, b.play
    x, y = state.place[X, figure], state.place[Y, figure]
    far = max(play.spot_distance, play.diameter)
    far2 = far * far * MORE
    near = 0
    first, end = enemy_squads(state, figure)
    for squad in range(first, end):
        if gap2(state, squad, x, y) > far2:
            continue
        begin, stop = members(state, squad)
        for i in range(begin, stop):
            if distance2(state, figure, i) <= far2 and state.figure[STATUS, i] == IN_PLAY:
                b.near[near] = i
                near += 1
    return near


@on_battle(3)
def arrive(b: Battle, figure: int, actor: int, hides: int) -> None:
    """Reveal what a figure finds and shows where it has come to stand, and hide it if it wants that (NA-6)."""
    state, play, ground, fields = b.state, b.play, b.ground, b.state.figure
    if play.has_hiding == 0:
        return
    if hides == 0 and square(ground, state.place[X, figure], state.place[Y, figure]) & WOOD == 0:
        shows(state, figure)
    near = _look_round(b, figure)
    touched = -1
    for k in range(near):
        i = int(b.near[k])
        if touches(state, play, figure, i):
            touched = i if touched < 0 else touched
            if fields[HIDDEN, i] == 1:
                _reveal(b, i, figure)
    if touched >= 0 and fields[HIDDEN, figure] == 1:
        _reveal(b, figure, touched)
    for k in range(near):
        i = int(b.near[k])
        if not knows(state, figure, i) and _may_spot(b, figure, i) == 1:
            _spot(b, figure, i, actor)
    for k in range(near):
        i = int(b.near[k])
        if fields[HIDDEN, figure] == 0:
            break
        if not knows(state, i, figure) and _may_spot(b, i, figure) == 1:
            _spot(b, i, figure, actor)
    if hides == 1 and touched < 0:
        for k in range(near):
            if _may_spot(b, int(b.near[k]), figure) == 1:
                return
        fields[HIDDEN, figure] = 1
        state.observers[0, figure] = state.observers[1, figure] = NONE


@on_battle(3, types.int64)
def evade(b: Battle, figure: int, attacker: int, actor: int) -> int:
    """Let a figure run away from an attacker before the round (NA-7.3, NA-7.4)."""
    state, play, ground, fields = b.state, b.play, b.ground, b.state.figure
    x, y = state.place[X, figure], state.place[Y, figure]
    if play.has_falls == 1:
        rough = square(ground, x, y) & ROUGH != 0 and fields[ROLES, figure] & REGULAR != 0
        rolled = roll(b, actor, EVASION, figure, play.fall_die)
        modifier = play.fall_run_regular_difficult if rough else 0
        if falls(b, figure, rolled, modifier, play.fall_run, EVADING) == 1:
            fields[PRONE, figure] = 1
            if play.evade_fall == CAPTURED_IF_FALLEN:
                capture(b, figure, attacker)
                return IS_TAKEN
            return STAYS
    dx, dy = x - state.place[X, attacker], y - state.place[Y, attacker]
    d = sqrt(dx * dx + dy * dy)
    ux, uy = dx / d, dy / d
    posture = STAND if fields[PRONE, figure] == 1 else KEEP
    held = fields[DRAGS, figure]
    fields[DRAGS, figure] = -1  # What it drags does not slow it: it lets that go.
    farthest = max(max(play.run[0], play.run[1]), max(play.walk[0], play.walk[1]))
    length = int(farthest * factor(state, play, figure, posture) * MORE)
    while length > 0:
        to_x, to_y = x + ux * length, y + uy * length
        if (
            fits(state, ground, play, figure, to_x, to_y)
            and passes(state, play, figure, to_x, to_y)
            and effort(state, ground, play, figure, to_x, to_y, play.can_run, posture) <= MORE
        ):
            break
        length -= 1
    fields[DRAGS, figure] = held
    if length == 0:
        return STAYS
    let_go(b, figure)
    state.place[X, figure], state.place[Y, figure] = to_x, to_y
    appears(state, figure)
    state.place[FACE_X, figure], state.place[FACE_Y, figure] = ux, uy
    fields[PRONE, figure] = 0
    fields[RAN, figure] = fields[MOVED_LAST, figure] = fields[MOVED, figure] = 1
    fields[EVADED, figure] = state.turn
    fields[OUT_UNTIL, figure] = state.turn + play.evasion_turns
    state.tally[EVASIONS + fields[SIDE, figure]] += 1
    arrive(b, figure, actor, 0)
    return GETS_AWAY
