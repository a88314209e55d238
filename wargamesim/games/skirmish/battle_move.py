"""A move: posture, tests of runners and waders, the way, what waits at its end, a shot beside it. Compiled."""

from __future__ import annotations

from math import sqrt

from numba import types

from wargamesim.games.skirmish.battle_fire import is_ready, shoot
from wargamesim.games.skirmish.battle_harm import die
from wargamesim.games.skirmish.battle_melee import free_hit
from wargamesim.games.skirmish.battle_place import RUNNING, WADING, arrive, falls, go, leave
from wargamesim.games.skirmish.battle_record import Battle, merged, on_battle, option, roll
from wargamesim.games.skirmish.layout import (
    EXIT,
    FACE_X,
    FACE_Y,
    FALL,
    HIDE,
    IN_PLAY,
    LEVEL,
    LIE,
    MOVED,
    MOVED_LAST,
    POSTURE,
    PRONE,
    RAN,
    REGULAR,
    ROLES,
    RUN,
    SHOOT_FIRST,
    SLOT,
    STAND,
    STATUS,
    TARGET,
    WET,
    X,
    Y,
)
from wargamesim.games.skirmish.sight import MORE, enemies, fits, is_engaged, passes, touches, way

HALF_WAY, WHOLE_WAY = option("fall", "half_move"), option("fall", "whole_move")
DROWNS, SWIMS = option("water", "drowns"), option("water", "swims")
FREE_HIT = option("melee_timing", "free_hit")
# How a move goes on: to its end and whatever comes then; no further; half the way, or the whole way, prone; upstairs.
GOES_ON, STOPS, FALLS_HALF_WAY, FALLS_AT_END, CLIMBS = range(5)


@on_battle(2)
def shoot_beside(b: Battle, figure: int, actor: int) -> None:
    """Fire the shot that goes with a move, if the figure still can (RI-3.6)."""
    state, play, fields = b.state, b.play, b.state.figure
    target, slot = b.action[TARGET], b.action[SLOT]
    if (
        fields[STATUS, figure] == IN_PLAY
        and fields[STATUS, target] == IN_PLAY
        and is_ready(state, play, figure, slot)
        and not is_engaged(state, play, figure)
    ):
        shoot(b, figure, target, slot, actor, 0, 1)


@merged
def _break_away(b: Battle, figure: int, actor: int) -> None:
    """Let those strike whom a figure leaves, one after the other, as long as it is in play."""
    state, play, fields = b.state, b.play, b.state.figure
    touching = play.diameter * play.diameter * MORE
    place = 0
    first, end = enemies(state, figure)
    for i in range(first, end):
        if fields[STATUS, i] != IN_PLAY or not touches(state, play, figure, i):
            continue
        dx, dy = state.place[X, i] - b.to[X], state.place[Y, i] - b.to[Y]
        if (b.action[EXIT] == 1 or dx * dx + dy * dy > touching) and fields[STATUS, figure] == IN_PLAY:
            free_hit(b, figure, actor, i, place)
            place += 1


@merged
def _falls(b: Battle, figure: int, actor: int, x: float, y: float) -> int:
    """Test a runner and a wader, and return how the move goes on (NA-3.3f, NA-3.4f, NA-3.14, NA-3.15)."""
    play, fields = b.play, b.state.figure
    difficult, water, _ = way(b.ground, x, y, b.to[X], b.to[Y])
    regular = fields[ROLES, figure] & REGULAR != 0
    if b.action[RUN] == 1:
        modifier = play.fall_run_regular_difficult if regular and difficult == 1 else 0
        if falls(b, figure, roll(b, actor, FALL, 0, play.fall_die), modifier, play.fall_run, RUNNING) == 1:
            fields[PRONE, figure] = 1
            return FALLS_HALF_WAY if play.fall == HALF_WAY else FALLS_AT_END if play.fall == WHOLE_WAY else STOPS
    if water == 1:
        modifier = play.fall_ford_regular if regular else 0
        if falls(b, figure, roll(b, actor, FALL, 1, play.fall_die), modifier, play.fall_ford, WADING) == 1:
            if play.water == DROWNS:
                die(b, figure)
                return STOPS
            fields[PRONE, figure] = 1
            if play.water == SWIMS:
                return STOPS
            fields[WET, figure] = 1
    return GOES_ON


@on_battle(2, types.int64)
def move(b: Battle, figure: int, actor: int) -> int:
    """Carry out a move up to its end, and return what is left of the action (NA-3, RI-3)."""
    state, play, action, fields = b.state, b.play, b.action, b.state.figure
    x, y = state.place[X, figure], state.place[Y, figure]
    dx, dy = b.to[X] - x, b.to[Y] - y
    d = sqrt(dx * dx + dy * dy)
    fields[RAN, figure] = action[RUN]
    fields[MOVED_LAST, figure] = fields[MOVED, figure] = 1
    if d > 0.0:
        state.place[FACE_X, figure], state.place[FACE_Y, figure] = dx / d, dy / d
    if action[POSTURE] == STAND:
        fields[PRONE, figure] = 0
    if play.melee_timing == FREE_HIT and (d > 0.0 or action[EXIT] == 1):
        _break_away(b, figure, actor)
        if fields[STATUS, figure] != IN_PLAY:
            return STOPS
    if action[TARGET] >= 0 and action[SHOOT_FIRST] == 1:
        shoot_beside(b, figure, actor)
    after = GOES_ON
    if play.has_falls == 1 and d > 0.0:
        after = _falls(b, figure, actor, x, y)
    if after == STOPS:
        return STOPS
    if after == FALLS_HALF_WAY:
        half_x, half_y = x + dx * 0.5, y + dy * 0.5
        if not (fits(state, b.ground, play, figure, half_x, half_y) and passes(state, play, figure, half_x, half_y)):
            return STOPS
        b.to[X], b.to[Y] = half_x, half_y
    go(b, figure, b.to[X], b.to[Y])
    if after == GOES_ON:
        if action[POSTURE] == LIE:
            fields[PRONE, figure] = 1
        if action[EXIT] == 1:
            leave(b, figure)
            return STOPS
    arrive(b, figure, actor, action[HIDE] if after == GOES_ON else 0)
    return after


@merged
def is_room_on(b: Battle, figure: int, level: int) -> int:
    """Tell whether there is room for a figure above or below where it stands."""
    state, fields = b.state, b.state.figure
    here = fields[LEVEL, figure]
    fields[LEVEL, figure] = level
    free = fits(state, b.ground, b.play, figure, state.place[X, figure], state.place[Y, figure])
    fields[LEVEL, figure] = here
    return int(free)


@merged
def climb(b: Battle, figure: int, actor: int) -> int:
    """Take a figure to another floor of its house, which is all that it does (NA-3.9)."""
    fields = b.state.figure
    fields[MOVED_LAST, figure] = fields[MOVED, figure] = 1
    fields[LEVEL, figure] = b.action[TARGET]
    arrive(b, figure, actor, 0)
    return CLIMBS


@merged
def is_charge(b: Battle, figure: int) -> int:
    """Tell whether the move that has just been made counts as a charge (NA-7.7f, RI-7.4h)."""
    play = b.play
    if play.has_falls == 1:
        return int(b.action[RUN])
    dx, dy = b.state.place[X, figure] - b.start[X], b.state.place[Y, figure] - b.start[Y]
    return int(sqrt(dx * dx + dy * dy) > play.moving_limit * MORE)
