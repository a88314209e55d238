"""How a player shoots: chances, targets, snap shots, volleys and blind fire. Compiled."""

from __future__ import annotations

from math import inf, sqrt

import numpy as np

from wargamesim.bits import NONE, ONE
from wargamesim.games.skirmish.compiling import merged, typed
from wargamesim.games.skirmish.doctrine import ALWAYS, LEADERS, NEAREST, NEVER, WOUNDED, DoctrineRecord
from wargamesim.games.skirmish.layout import (
    CAPACITY,
    FREE_AIM,
    GRADE,
    IN_PLAY,
    LEADER,
    LOADING,
    MOVED,
    MOVED_LAST,
    PRONE,
    RAN,
    RELOADED,
    ROLES,
    ROUNDS,
    SHOTS,
    SPENT,
    START,
    STATUS,
    WEAPON,
    WET,
    WOUNDS,
    Ground,
    State,
    X,
    Y,
)
from wargamesim.games.skirmish.playing import CHOICES, Play
from wargamesim.games.skirmish.sight import (
    HARD,
    MORE,
    OPEN,
    SOFT,
    cover_at,
    friends_beside,
    is_clear,
    knows,
    nearest_known,
)
from wargamesim.games.skirmish.whereabouts import enemy_squads, gap2, members

ACTIVATION = CHOICES["repeat_scope"][1].index("activation")
COMPULSORY = CHOICES["snap"][1].index("compulsory")
ONE_ACTION = CHOICES["reload_steps"][1].index("one_action")


@merged
def is_ready(state: State, play: Play, figure: int, slot: int) -> bool:
    """Tell whether a weapon is loaded and dry."""
    weapon = state.figure[WEAPON + slot, figure]
    if weapon < 0 or state.figure[LOADING + slot, figure] != 0 or state.figure[ROUNDS + slot, figure] <= 0:
        return False
    return bool(state.figure[WET, figure] == 0 or play.thrown[weapon] == 1)


@merged
def is_firearm_ready(state: State, play: Play, figure: int) -> int:
    """Return the slot of a loaded and dry firearm, the main weapon first, or -1."""
    for slot in range(2):
        if is_ready(state, play, figure, slot) and play.thrown[state.figure[WEAPON + slot, figure]] == 0:
            return slot
    return -1


@merged
def slot_to_reload(state: State, play: Play, figure: int) -> int:
    """Return the slot of a weapon that can be reloaded, the main weapon first, or -1."""
    for slot in range(2):
        weapon, loading = state.figure[WEAPON + slot, figure], state.figure[LOADING + slot, figure]
        if weapon >= 0 and 0 < loading < SPENT and (state.figure[WET, figure] == 0 or play.thrown[weapon] == 1):
            return slot
    return -1


@merged
def may_repeat(state: State, play: Play, figure: int, slot: int, fired: int, busy: int) -> bool:
    """Tell whether a weapon may fire once more, after the shots of this action; `busy` if it moves or loads too.

    A repeater has so many shots a turn, and fewer in a turn in which the figure moves or reloads (RI-6.1, RI-6.3).
    """
    if state.figure[CAPACITY + slot, figure] <= 1:
        return fired == 0
    shots = state.figure[SHOTS, figure]
    if (fired if play.repeat_scope == ACTIVATION else shots) >= play.repeater_shots:
        return False
    is_busy = busy == 1 or state.figure[MOVED, figure] != 0 or state.figure[RELOADED, figure] != 0
    return bool(not is_busy or shots < play.repeater_busy_shots)


@merged
def _is_within(play: Play, d: float, edge: float) -> bool:
    return bool(d <= edge * MORE if play.edge_included == 1 else d < edge)


@merged
def faces_at_least(play: Play, sides: int, need: int) -> int:
    """Return how many faces of a fire die hit: the need or more, and none of those that always miss."""
    if need > sides:
        return 1 if play.top_face_hits == 1 and play.miss_faces >> np.uint64(sides) & ONE == NONE else 0
    low = max(need, 1)
    faces = sides + 1 - low
    misses, face = play.miss_faces >> np.uint64(low), low
    while misses != NONE and face <= sides:
        faces -= int(misses & ONE)
        misses >>= ONE
        face += 1
    return faces


@typed
def hit_chance(
    state: State,
    play: Play,
    shooter: int,
    slot: int,
    target: int,
    x: float,
    y: float,
    shelter: int,
    modifier: int,
) -> float:
    """Return the chance that a shot from (x, y) at a target in some cover hits, misfires counted.

    `modifier` is for what is not in the state.
    """
    weapon, grade = int(state.figure[WEAPON + slot, shooter]), int(state.figure[GRADE, shooter])
    to_x, to_y = state.place[X, target], state.place[Y, target]
    d = sqrt((to_x - x) * (to_x - x) + (to_y - y) * (to_y - y))
    bands = play.bands[weapon]
    band = 0
    while band < bands - 1 and not _is_within(play, d, play.edge[weapon, band]):
        band += 1
    total = modifier + play.to_hit[grade]
    if shelter == HARD:
        total += play.hard_cover
    elif shelter == SOFT:
        total += play.soft_cover
    elif state.figure[PRONE, target] != 0:
        total += play.target_prone
    if state.figure[RAN, target] != 0:
        total += play.target_ran
    if state.figure[MOVED_LAST, target] != 0:
        total += play.target_moved
    if state.figure[WOUNDS, shooter] > 0:
        total += play.shooter_wounded
    if state.figure[PRONE, shooter] != 0:
        total += play.shooter_prone
    sides = play.fire_die[weapon, grade]
    chance = faces_at_least(play, sides, play.need[weapon, band] + play.strict - total) / sides
    if play.has_misfires == 1 and play.misfire_by_face == 0 and play.thrown[weapon] == 0:
        chance *= 1.0 - min(play.misfire_at_most[grade], play.misfire_die) / play.misfire_die
    return float(chance)


@merged
def shelter_of(state: State, ground: Ground, play: Play, target: int, x: float, y: float) -> int:
    """Return what a target stands behind for a shooter at (x, y)."""
    if ground.plain == 1:
        return OPEN
    return cover_at(ground, play, x, y, state.place[X, target], state.place[Y, target])


@merged
def is_seen_from(state: State, ground: Ground, play: Play, shooter: int, target: int, x: float, y: float) -> bool:
    """Tell whether a figure that stood at (x, y) would see another one."""
    if ground.opaque == 0 and play.sight == 0:
        return True
    to_x, to_y = state.place[X, target], state.place[Y, target]
    if shooter < target:
        return is_clear(state, ground, play, shooter, target, x, y, to_x, to_y)
    return is_clear(state, ground, play, target, shooter, to_x, to_y, x, y)


@merged
def _shuns(state: State, play: Play, target: int, shooter: int, careful: bool) -> bool:
    """Tell whether a target stands in a melee into which one must not fire, or had better not: friends are there."""
    if play.fires_into_melee == 1:
        risk = play.mixed_friend_at_most - play.mixed_grade[state.figure[GRADE, shooter]]
        if not careful or 2 * risk < play.mixed_die:
            return False
    return friends_beside(state, play, shooter, target) > 0


@merged
def _is_preferred(state: State, doctrine: DoctrineRecord, target: int) -> bool:
    leader = doctrine.target == LEADERS and state.figure[ROLES, target] & LEADER != 0
    return bool(leader or (doctrine.target == WOUNDED and state.figure[WOUNDS, target] > 0))


@typed
def best_target(
    state: State,
    ground: Ground,
    play: Play,
    doctrine: DoctrineRecord,
    shooter: int,
    slot: int,
    nearest: int,
    x: float,
    y: float,
    limit: float,
    modifier: int,
) -> int:
    """Return whom a figure that stands at (x, y) would shoot within the limit and its reach, or -1 (NA-4.4, RI-4.6).

    `nearest` is the nearest known enemy, or -1 if the caller does not know.
    """
    first, end = enemy_squads(state, shooter)
    reach = min(play.reach[state.figure[WEAPON + slot, shooter]], limit)
    free = play.free_targets == 1 or state.figure[ROLES, shooter] & FREE_AIM != 0
    # Without a limit, whatever may be shot will do.
    careful = limit < inf
    by_distance = not free or doctrine.target == NEAREST
    best, best_worth, best_d2 = -1, -inf, inf
    if nearest >= 0 and not free and is_seen_from(state, ground, play, shooter, nearest, x, y):
        # Nobody else may be shot.
        dx, dy = state.place[X, nearest] - x, state.place[Y, nearest] - y
        best, best_d2, end = nearest, dx * dx + dy * dy, first
    for squad in range(first, end):
        gap = gap2(state, squad, x, y)
        if gap >= best_d2 if by_distance else gap > reach * reach:
            continue
        begin, stop = members(state, squad)
        for i in range(begin, stop):
            if state.figure[STATUS, i] != IN_PLAY or not knows(state, shooter, i):
                continue
            dx, dy = state.place[X, i] - x, state.place[Y, i] - y
            d2 = dx * dx + dy * dy
            if by_distance:
                if d2 >= best_d2 or not is_seen_from(state, ground, play, shooter, i, x, y):
                    continue
                # Who may choose leaves out those with whom a friend fights.
                if free and (d2 > reach * reach or _shuns(state, play, i, shooter, careful)):
                    continue
                best, best_d2 = i, d2
            elif d2 <= reach * reach:
                # A preference goes before ease, but not for a target that cannot be hit.
                extra = 1.0 if _is_preferred(state, doctrine, i) else 0.0
                worth = hit_chance(state, play, shooter, slot, i, x, y, OPEN, modifier)
                if worth > 0.0:
                    worth += extra
                # Cover makes it no better, and is a longer question.
                if worth < best_worth or (worth == best_worth and d2 >= best_d2):
                    continue
                if not is_seen_from(state, ground, play, shooter, i, x, y):
                    continue
                shelter = shelter_of(state, ground, play, i, x, y)
                if shelter != OPEN:
                    worth = hit_chance(state, play, shooter, slot, i, x, y, shelter, modifier)
                    if worth > 0.0:
                        worth += extra
                better = worth > best_worth or (worth == best_worth and d2 < best_d2)
                if better and not _shuns(state, play, i, shooter, careful):
                    best, best_worth, best_d2 = i, worth, d2
    if best >= 0 and not free and (best_d2 > reach * reach or _shuns(state, play, best, shooter, careful)):
        return -1
    return best


@typed
def best_shot(
    state: State,
    ground: Ground,
    play: Play,
    doctrine: DoctrineRecord,
    shooter: int,
    nearest: int,
    x: float,
    y: float,
    limit: float,
    modifier: int,
    busy: int,
) -> tuple[int, int, float]:
    """Return target, slot and chance of the best shot of a figure from (x, y); the target is -1 if there is none."""
    best, best_slot, best_chance = -1, 0, 0.0
    for slot in range(2):
        if not is_ready(state, play, shooter, slot) or not may_repeat(state, play, shooter, slot, 0, busy):
            continue
        target = best_target(state, ground, play, doctrine, shooter, slot, nearest, x, y, limit, modifier)
        if target >= 0:
            shelter = shelter_of(state, ground, play, target, x, y)
            chance = hit_chance(state, play, shooter, slot, target, x, y, shelter, modifier)
            if best < 0 or chance > best_chance:
                best, best_slot, best_chance = target, slot, chance
    return best, best_slot, best_chance


@merged
def snap_target(
    state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, figure: int, slot: int, waits: int
) -> int:
    """Return whom a figure shoots as soon as it has reloaded a weapon, or -1 to keep the shot (NA-3.20a to 3.20c)."""
    if state.figure[LOADING + slot, figure] > 1 and play.reload_steps != ONE_ACTION:
        return -1
    compulsory = play.snap == COMPULSORY
    if not compulsory and (doctrine.snap == NEVER or waits == 1):
        return -1
    if not may_repeat(state, play, figure, slot, 0, 1):
        return -1
    x, y = state.place[X, figure], state.place[Y, figure]
    limit = inf if compulsory else doctrine.open_fire
    nearest = nearest_known(state, figure)
    target = best_target(state, ground, play, doctrine, figure, slot, nearest, x, y, limit, play.unaimed)
    if target < 0 or compulsory or doctrine.snap == ALWAYS:
        return target
    # Snapping always pays in the long run if it keeps more than R / (R + 1) of the chance, R actions being a reload.
    actions = state.figure[START + slot, figure]
    shelter = shelter_of(state, ground, play, target, x, y)
    aimed = hit_chance(state, play, figure, slot, target, x, y, shelter, 0)
    snapped = hit_chance(state, play, figure, slot, target, x, y, shelter, play.unaimed)
    return target if snapped * (actions + 1) > aimed * actions else -1
