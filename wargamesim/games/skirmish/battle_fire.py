"""One shot: misfire, roll to hit, fumble, fire into a melee, result, and the markers of loading. Compiled."""

from __future__ import annotations

from math import inf, sqrt

from numba import types

from wargamesim.compiled import inlined
from wargamesim.games.skirmish.battle_harm import injure
from wargamesim.games.skirmish.battle_record import (
    SHOT,
    SNAPPED,
    Battle,
    merged,
    note,
    on_battle,
    option,
    roll,
    thousandths,
)
from wargamesim.games.skirmish.layout import (
    CAPACITY,
    DROP_X,
    DROP_Y,
    FACE_X,
    FACE_Y,
    GRADE,
    HIT,
    HITS,
    IN_PLAY,
    LOADING,
    MELEE_DIE,
    MISFIRE,
    MISFIRES,
    MIXED,
    MOVED_LAST,
    OTHER_DIE,
    OWN_HIT,
    PRONE,
    RAN,
    RELOADED,
    RESULT,
    ROUNDS,
    SHOTS,
    SHOTS_FIRED,
    SIDE,
    SNAP,
    SPENT,
    START,
    STATUS,
    TARGET,
    VICTIM,
    WEAPON,
    WET,
    WOUNDS,
    State,
    X,
    Y,
)
from wargamesim.games.skirmish.playing import Play
from wargamesim.games.skirmish.sight import HARD, MORE, SOFT, cover, enemies, friends, sees, touches
from wargamesim.games.skirmish.whereabouts import shows

# How a shot ends.
MISSES, IS_JAMMED, FUMBLES, HITS_ONE = range(4)

ONE_STEP = option("misfire_marker", "one_step")
RECOVERABLE, UNLIMITED = option("thrown_away", "recoverable"), option("thrown_away", "unlimited")
FAR = option("fumble_reach", "last_band")
FIXED = option("fumble_reach", "fixed")
PER_FIGURE = option("markers", "per_figure")
ONE_ACTION, ONE_ROUND = option("reload_steps", "one_action"), option("refill", "one_round")
CUMULATIVE = option("repeat_penalty", "cumulative")
PER_ACTIVATION = option("repeat_scope", "activation")


@inlined
def is_face(word: int, face: int) -> bool:
    """Tell whether a face of a die is in a set of faces, the bits of a word."""
    return (int(word) >> face) & 1 == 1


@inlined
def is_ready(state: State, play: Play, figure: int, slot: int) -> bool:
    """Tell whether a weapon may be fired: loaded, and dry or thrown (NA-4.1)."""
    weapon = state.figure[WEAPON + slot, figure]
    if weapon < 0 or state.figure[LOADING + slot, figure] > 0 or state.figure[ROUNDS + slot, figure] <= 0:
        return False
    return bool(state.figure[WET, figure] == 0 or play.thrown[weapon] == 1)


@inlined
def is_firearm(state: State, play: Play, figure: int, slot: int) -> bool:
    """Tell whether a figure has a weapon in this slot that is no thrown one."""
    weapon = state.figure[WEAPON + slot, figure]
    return bool(weapon >= 0 and play.thrown[max(weapon, 0)] == 0)


@on_battle(3)
def mark(b: Battle, figure: int, slot: int, actions: int) -> None:
    """Place a firing marker of so many actions (NA-5.8, NA-5.9a to 5.9c)."""
    fields = b.state.figure
    if actions == 0:
        fields[ROUNDS + slot, figure] = fields[CAPACITY + slot, figure]
        return
    fields[LOADING + slot, figure] = actions
    if b.play.markers == PER_FIGURE and is_firearm(b.state, b.play, figure, 1 - slot):
        larger = max(fields[LOADING, figure], fields[LOADING + 1, figure])
        fields[LOADING, figure] = fields[LOADING + 1, figure] = larger


@on_battle(3)
def change_arms(b: Battle, figure: int, slot: int, marker: int) -> None:
    """Put a figure's thrown weapon out of its hand, or back, with the die of close combat that goes with it."""
    fields = b.state.figure
    fields[LOADING + slot, figure] = marker
    fields[MELEE_DIE, figure], fields[OTHER_DIE, figure] = fields[OTHER_DIE, figure], fields[MELEE_DIE, figure]


@on_battle(2)
def discharge(b: Battle, figure: int, slot: int) -> None:
    """Take a round out of a weapon (NA-4.23, NA-5.8, RI-6.4, RI-6.5)."""
    fields, play = b.state.figure, b.play
    if play.thrown[fields[WEAPON + slot, figure]] == 1:
        if play.thrown_away != UNLIMITED:
            change_arms(b, figure, slot, SPENT)
        return
    fields[ROUNDS + slot, figure] -= 1
    if fields[ROUNDS + slot, figure] <= 0:
        mark(b, figure, slot, fields[START + slot, figure])


@on_battle(2)
def jam(b: Battle, figure: int, slot: int) -> None:
    """Let a weapon misfire (NA-4.2, NA-4.3); a repeater loses no round."""
    fields, play = b.state.figure, b.play
    start = int(fields[START + slot, figure])
    b.state.tally[MISFIRES + fields[SIDE, figure]] += 1
    if fields[CAPACITY + slot, figure] == 1:
        fields[ROUNDS + slot, figure] = 0
    mark(b, figure, slot, min(1, start) if play.misfire_marker == ONE_STEP else start)


@on_battle(3, types.int64)
def reload(b: Battle, figure: int, slot: int, actor: int) -> int:
    """Take a reload step (NA-3.19), roll for a snap shot if one is wanted (NA-3.20a), and tell whether it is fired."""
    fields, play = b.state.figure, b.play
    left = 0 if play.reload_steps == ONE_ACTION else fields[LOADING + slot, figure] - 1
    for each in range(2):
        alike = play.markers == PER_FIGURE and is_firearm(b.state, play, figure, each)
        if each == slot or alike:
            fields[LOADING + each, figure] = left
            if left == 0:
                full = fields[CAPACITY + each, figure]
                more = fields[ROUNDS + each, figure] + 1
                fields[ROUNDS + each, figure] = min(more, full) if play.refill == ONE_ROUND else full
    fields[RELOADED, figure] = 1
    if left > 0 or b.action[TARGET] < 0:
        return 0
    rolled = roll(b, actor, SNAP, 0, play.snap_die)
    success = int(rolled >= play.snap_need[fields[GRADE, figure]])
    note(b, SNAPPED, figure, rolled, success, -1, -1, -1, -1, -1, -1, -1)
    return success


@merged
def need_at(play: Play, weapon: int, d: float) -> int:
    """Return what a weapon needs at a distance (NA-4.12a to 4.12g, RI-T.6)."""
    last = play.bands[weapon] - 1
    for band in range(last):
        edge = play.edge[weapon, band]
        if (play.edge_included == 1 and d <= edge * MORE) or (play.edge_included == 0 and d < edge):
            return int(play.need[weapon, band])
    return int(play.need[weapon, last])


@inlined
def turn_to(state: State, figure: int, x: float, y: float) -> float:
    """Turn a figure to a place, and return how far that is (cm)."""
    dx, dy = x - state.place[X, figure], y - state.place[Y, figure]
    d = sqrt(dx * dx + dy * dy)
    if d > 0.0:
        state.place[FACE_X, figure], state.place[FACE_Y, figure] = dx / d, dy / d
    return d


@merged
def _modifier(b: Battle, figure: int, target: int, behind: int, unaimed: int, before: int) -> int:
    """Return the sum of modifiers of a shot (NA-4.10a to 4.10g, RI-4.5a to 4.5e, RI-6.2)."""
    play, fields = b.play, b.state.figure
    total = play.to_hit[fields[GRADE, figure]]
    if unaimed == 1:
        total += play.unaimed
    if behind == SOFT:
        total += play.soft_cover
    elif behind == HARD:
        total += play.hard_cover
    elif fields[PRONE, target] == 1:
        total += play.target_prone
    if fields[RAN, target] == 1:
        total += play.target_ran
    if fields[MOVED_LAST, target] == 1:
        total += play.target_moved
    if fields[WOUNDS, figure] > 0:
        total += play.shooter_wounded
    if fields[PRONE, figure] == 1:
        total += play.shooter_prone
    if before > 0:
        total += play.repeater_penalty * (before if play.repeat_penalty == CUMULATIVE else 1)
    return int(total)


@on_battle(4, types.int64)
def draw(b: Battle, actor: int, purpose: int, k: int, among: int) -> int:
    """Draw one of the first figures in `drawn_from`, or -1 if there are none."""
    if among == 0:
        return -1
    return int(b.drawn_from[roll(b, actor, purpose, k, among) - 1])


@on_battle(4, types.int64)
def fumble(b: Battle, figure: int, weapon: int, actor: int, k: int) -> int:
    """Return the friend in the arc whom a fumble hits, or -1 (NA-4.7, NA-4.8)."""
    state, play = b.state, b.play
    reach = play.reach[weapon] if play.fumble_reach == FAR else play.fumble_far if play.fumble_reach == FIXED else inf
    face_x, face_y = state.place[FACE_X, figure], state.place[FACE_Y, figure]
    found = 0
    first, end = friends(state, figure)
    for i in range(first, end):
        if i == figure or state.figure[STATUS, i] != IN_PLAY:
            continue
        dx, dy = state.place[X, i] - state.place[X, figure], state.place[Y, i] - state.place[Y, figure]
        d2 = dx * dx + dy * dy
        if (
            face_x * dx + face_y * dy >= play.fumble_cos * sqrt(d2)
            and d2 <= reach * reach * MORE
            and sees(state, b.ground, play, figure, i)
        ):
            b.drawn_from[found] = i
            found += 1
    return draw(b, actor, VICTIM, k, found)


@merged
def _struck(b: Battle, figure: int, target: int, actor: int, k: int) -> int:
    """Return whom a hit falls on: the target, or anybody of the close combat that it is in (NA-4.9)."""
    state, play, seen = b.state, b.play, b.seen
    first, end = friends(state, figure)
    engaged = False
    for i in range(first, end):
        engaged = engaged or (state.figure[STATUS, i] == IN_PLAY and touches(state, play, i, target))
    if not engaged:
        return target
    rolled = roll(b, actor, MIXED, k, play.mixed_die) + play.mixed_grade[state.figure[GRADE, figure]]
    friendly = rolled <= play.mixed_friend_at_most
    side = state.figure[SIDE, figure] if friendly else state.figure[SIDE, target]
    for i in range(state.count):
        seen[i] = 0
    seen[target] = 1
    b.drawn_from[0], reached, done = target, 1, 0
    while done < reached:
        here = b.drawn_from[done]
        done += 1
        first, end = enemies(state, here)
        for i in range(first, end):
            if seen[i] == 0 and state.figure[STATUS, i] == IN_PLAY and touches(state, play, here, i):
                seen[i] = 1
                b.drawn_from[reached] = i
                reached += 1
    found = 0
    for i in range(state.count):
        if seen[i] == 1 and state.figure[SIDE, i] == side:
            b.drawn_from[found] = i
            found += 1
    return draw(b, actor, VICTIM, k, found)


@on_battle(6)
def strike(b: Battle, figure: int, victim: int, actor: int, purpose: int, k: int, behind: int) -> None:
    """Let a shot strike somebody: roll its result."""
    state = b.state
    side = state.figure[SIDE, figure]
    state.tally[HITS + side] += 1
    if state.figure[SIDE, victim] == side:
        state.tally[OWN_HIT + side] += 1
    injure(b, victim, roll(b, actor, purpose, k, b.play.result_die), behind)


@on_battle(6)
def shoot(b: Battle, figure: int, target: int, slot: int, actor: int, k: int, unaimed: int) -> None:
    """Fire shot number `k` of an activation (NA-4, RI-4)."""
    state, play, fields = b.state, b.play, b.state.figure
    weapon, grade, side = fields[WEAPON + slot, figure], fields[GRADE, figure], fields[SIDE, figure]
    d = turn_to(state, figure, state.place[X, target], state.place[Y, target])
    state.tally[SHOTS_FIRED + side] += 1
    b.fired = slot
    before = 0
    if fields[CAPACITY + slot, figure] > 1:
        before = k if play.repeat_scope == PER_ACTIVATION else int(fields[SHOTS, figure])
        fields[SHOTS, figure] += 1
    may_jam = play.has_misfires == 1 and play.thrown[weapon] == 0
    first = rolled = total = victim = behind = -1
    end = MISSES
    if may_jam and play.misfire_by_face == 0:
        first = roll(b, actor, MISFIRE, k, play.misfire_die)
        if first <= play.misfire_at_most[grade]:
            end = IS_JAMMED
    if end == MISSES:
        rolled = roll(b, actor, HIT, k, play.fire_die[weapon, grade])
        if may_jam and play.misfire_by_face == 1 and rolled == 1:
            end = IS_JAMMED
    if end == IS_JAMMED:
        jam(b, figure, slot)
    else:
        behind = cover(state, b.ground, play, figure, target)
        modifier = _modifier(b, figure, target, behind, unaimed, before)
        total = rolled + modifier
        need = need_at(play, weapon, d) + play.strict
        sides = play.fire_die[weapon, grade]
        discharge(b, figure, slot)
        if play.thrown[weapon] == 1 and play.thrown_away == RECOVERABLE:
            state.place[DROP_X, figure], state.place[DROP_Y, figure] = state.place[X, target], state.place[Y, target]
        shows(state, figure)
        if is_face(play.miss_faces, rolled):
            if play.has_fumbles == 1:
                victim = fumble(b, figure, weapon, actor, k)
                end = FUMBLES if victim >= 0 else MISSES
        elif total >= need or (play.top_face_hits == 1 and need - modifier > sides and rolled == sides):
            end = HITS_ONE
            victim = _struck(b, figure, target, actor, k)
    note(b, SHOT, figure, target, slot, thousandths(d), first, rolled, total, end, victim, behind)
    if victim >= 0:
        strike(b, figure, victim, actor, RESULT, k, cover(state, b.ground, play, figure, victim))
