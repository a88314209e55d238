"""Joint fire: volleys, blind volleys and blind fire. Compiled."""

from __future__ import annotations

from math import sqrt

from numba import types

from wargamesim.compiled import inner
from wargamesim.games.skirmish.battle_act import attempt
from wargamesim.games.skirmish.battle_fire import (
    discharge,
    draw,
    fumble,
    is_face,
    is_firearm,
    is_ready,
    jam,
    strike,
    turn_to,
)
from wargamesim.games.skirmish.battle_nerve import BREAKS, STEADY
from wargamesim.games.skirmish.battle_record import VOLLEYED, Battle, merged, note, on_battle, option, roll, who
from wargamesim.games.skirmish.layout import (
    BLIND_AIM,
    BLIND_HIT,
    BLUE,
    BUILDING,
    FACE_X,
    FACE_Y,
    GRADE,
    HIDDEN,
    IN_PLAY,
    MOST_FIGURES,
    MOVED_LAST,
    RAN,
    S_FIRST,
    S_SIDE,
    SHOTS_FIRED,
    SIDE,
    STATUS,
    TARGET,
    VOLLEY_AIM,
    VOLLEY_HIT,
    VOLLEY_MISFIRE,
    VOLLEY_RESULT,
    VOLLEYS,
    WEAPON,
    WOOD,
    X,
    Y,
)
from wargamesim.games.skirmish.sight import MORE, cover, distance2, enemies, knows, sees, square
from wargamesim.games.skirmish.whereabouts import enemy_squads, gap2, members, shows

RECTANGLE, AROUND_A_POINT = option("zone", "rectangle"), option("zone", "around_a_point")
SPREAD, NEAREST_FIRST = option("allocation", "spread"), option("allocation", "nearest_first")
NEITHER, BOTH = option("volley_mishaps", "neither"), option("volley_mishaps", "both")
OBSERVER = option("who_learns", "observer")
ONE_TEN, TOP_FACE = option("blind", "one_ten"), option("blind", "top_face")
# What kind of fire it was: the last field of the event.
SEEN, UNSEEN, BLIND_FIRE = range(3)


@on_battle(0, types.int64)
def _make_ready(b: Battle) -> int:
    """Activate the members; return how many shoot, listed in `shooters` and turned to where they fire."""
    state, plan, fields = b.state, b.plan, b.state.figure
    b.to[X], b.to[Y] = plan.to[X], plan.to[Y]
    count = 0
    for member in range(plan.member_count):
        figure = int(plan.members[member])
        end = attempt(b, figure, who(state, figure))
        if end != BREAKS:
            fields[RAN, figure] = fields[MOVED_LAST, figure] = 0
        if end == STEADY:
            b.shooters[count] = figure
            count += 1
    for each in range(count):
        turn_to(state, b.shooters[each], b.to[X], b.to[Y])
    return count


@on_battle(1, types.int64)
def _key(b: Battle, shooter: int) -> int:
    """Return the key of the dice of the attempt that a shooter has just made."""
    return who(b.state, shooter) - MOST_FIGURES


@on_battle(5, types.int64)
def _fire(b: Battle, shooter: int, slot: int, actor: int, purpose: int, sides: int) -> int:
    """Discharge a shooter's weapon; return its die, or 0 for a misfire (NA-4.22)."""
    state, play, fields = b.state, b.play, b.state.figure
    grade = fields[GRADE, shooter]
    state.tally[SHOTS_FIRED + fields[SIDE, shooter]] += 1
    may_jam = play.has_misfires == 1 and play.volley_mishaps != NEITHER
    by_die = may_jam and play.misfire_by_face == 0
    if by_die and roll(b, actor, VOLLEY_MISFIRE, 0, play.misfire_die) <= play.misfire_at_most[grade]:
        jam(b, shooter, slot)
        return 0
    rolled = roll(b, actor, purpose, 0, sides)
    if may_jam and play.misfire_by_face == 1 and rolled == 1:
        jam(b, shooter, slot)
        return 0
    discharge(b, shooter, slot)
    shows(state, shooter)
    return rolled


@on_battle(1, types.int64)
def _slot(b: Battle, shooter: int) -> int:
    """Return with which weapon a figure takes part in joint fire: a loaded firearm, the main one before the other."""
    state, play = b.state, b.play
    return 0 if is_firearm(state, play, shooter, 0) and is_ready(state, play, shooter, 0) else 1


@on_battle(4)
def _fumble(b: Battle, shooter: int, slot: int, actor: int, rolled: int) -> None:
    """Let a shooter of joint fire hit a friend in his arc, by the reading that allows it (NA-4.22)."""
    state, play = b.state, b.play
    if play.volley_mishaps != BOTH or play.has_fumbles == 0 or not is_face(play.miss_faces, rolled):
        return
    victim = fumble(b, shooter, state.figure[WEAPON + slot, shooter], actor, 0)
    if victim >= 0:
        strike(b, shooter, victim, actor, VOLLEY_RESULT, 0, cover(state, b.ground, play, shooter, victim))


@merged
def _place_hit(b: Battle, actor: int, zone: int, number: int) -> int:
    """Return on whom in the zone hit `number` falls (NA-4.21)."""
    if b.play.allocation == NEAREST_FIRST:
        return number % zone
    least = -1
    if b.play.allocation == SPREAD:
        least = b.struck[0]
        for i in range(1, zone):
            least = min(least, b.struck[i])
    among = 0
    for i in range(zone):
        if least in (-1, b.struck[i]):
            b.drawn_from[among] = i
            among += 1
    return draw(b, actor, VOLLEY_AIM, 0, among)


@inner
def _middle(b: Battle, count: int) -> tuple[float, float]:
    """Return the mean of the shooters' places."""
    x = y = 0.0
    for each in range(count):
        x += b.state.place[X, b.shooters[each]]
        y += b.state.place[Y, b.shooters[each]]
    return x / count, y / count


@merged
def _is_covered(b: Battle, enemy: int, count: int, unseen: int) -> int:
    """Tell whether a single shooter reaches an enemy whom it knows: in sight, in range and arc as the reading asks."""
    state, play = b.state, b.play
    for each in range(count):
        shooter = int(b.shooters[each])
        dx, dy = state.place[X, enemy] - state.place[X, shooter], state.place[Y, enemy] - state.place[Y, shooter]
        d2 = dx * dx + dy * dy
        if play.zone != RECTANGLE and d2 > play.volley_reach * play.volley_reach * MORE:
            continue
        front = state.place[FACE_X, shooter] * dx + state.place[FACE_Y, shooter] * dy
        if play.zone not in (RECTANGLE, AROUND_A_POINT) and front < play.fumble_cos * sqrt(d2):
            continue
        if unseen == UNSEEN or (knows(state, shooter, enemy) and sees(state, b.ground, play, shooter, enemy)):
            return 1
    return 0


@on_battle(2, types.int64)
def _zone(b: Battle, count: int, unseen: int) -> int:
    """List who is in the beaten zone, and return how many (NA-4.20): the known in sight, or the hidden in woods."""
    state, play, ground, fields = b.state, b.play, b.ground, b.state.figure
    mean_x, mean_y = _middle(b, count)
    ahead_x, ahead_y = b.to[X] - mean_x, b.to[Y] - mean_y
    d = sqrt(ahead_x * ahead_x + ahead_y * ahead_y)
    if d > 0.0:
        ahead_x, ahead_y = ahead_x / d, ahead_y / d
    half = width = 0.0
    for each in range(count):
        dx, dy = state.place[X, b.shooters[each]] - mean_x, state.place[Y, b.shooters[each]] - mean_y
        half = max(half, abs(dx * ahead_y - dy * ahead_x))
        width = max(width, abs(dx) + abs(dy))
    # Nobody is in it who is farther from the middle than the reach and the breadth of the shooters, with 1 cm to spare.
    far = play.volley_reach + width + 1.0
    number = 0
    first, end = enemy_squads(state, b.shooters[0])
    for squad in range(first, end):
        if gap2(state, squad, mean_x, mean_y) > far * far:
            continue
        begin, stop = members(state, squad)
        for i in range(begin, stop):
            # Somebody hidden may be known to a single shooter.
            alone = unseen == SEEN and play.who_learns == OBSERVER
            if fields[STATUS, i] != IN_PLAY or (fields[HIDDEN, i] != unseen and not alone):
                continue
            x, y = state.place[X, i], state.place[Y, i]
            here = square(ground, x, y)
            if here & BUILDING != 0 or (unseen == UNSEEN and here & WOOD == 0):
                continue
            dx, dy = x - mean_x, y - mean_y
            if play.zone == RECTANGLE:
                along = dx * ahead_x + dy * ahead_y
                if along < -1e-9 or along > play.volley_reach * MORE or abs(dx * ahead_y - dy * ahead_x) > half + 1e-9:
                    continue
            elif play.zone == AROUND_A_POINT:
                dx, dy = x - b.to[X], y - b.to[Y]
                if dx * dx + dy * dy > play.aim_radius * play.aim_radius * MORE:
                    continue
            if _is_covered(b, i, count, unseen) == 1:
                b.zone[number] = i
                number += 1
    return number


@merged
def _order_by_distance(b: Battle, count: int, zone: int) -> None:
    """Put the nearest to the middle of the shooters first; an insertion sort, which keeps equals in order."""
    state = b.state
    mean_x, mean_y = _middle(b, count)
    for i in range(1, zone):
        figure, j = int(b.zone[i]), i
        dx, dy = state.place[X, figure] - mean_x, state.place[Y, figure] - mean_y
        d2 = dx * dx + dy * dy
        while j > 0:
            dx, dy = state.place[X, b.zone[j - 1]] - mean_x, state.place[Y, b.zone[j - 1]] - mean_y
            if dx * dx + dy * dy <= d2:
                break
            b.zone[j] = b.zone[j - 1]
            j -= 1
        b.zone[j] = figure


@on_battle(1)
def volley(b: Battle, squad: int) -> None:
    """Fire the volley in the plan (NA-4.16 to 4.22)."""
    state, play, fields = b.state, b.play, b.state.figure
    count = _make_ready(b)
    if count == 0:
        note(b, VOLLEYED, squad, 0, 0, 0, SEEN, -1, -1, -1, -1, -1)
        return
    state.tally[VOLLEYS + state.squad[S_SIDE, squad]] += 1
    unseen = SEEN
    zone = _zone(b, count, SEEN)
    if zone == 0 and square(b.ground, b.to[X], b.to[Y]) & WOOD != 0:
        unseen = UNSEEN
        zone = _zone(b, count, UNSEEN)
    if play.allocation == NEAREST_FIRST:
        _order_by_distance(b, count, zone)
    for i in range(zone):
        b.struck[i] = 0
    hits = 0
    for each in range(count):
        shooter = int(b.shooters[each])
        actor, slot = _key(b, shooter), _slot(b, shooter)
        rolled = _fire(b, shooter, slot, actor, VOLLEY_HIT, play.volley_die)
        if rolled <= 0:
            continue
        if not is_face(play.volley_faces, rolled):
            _fumble(b, shooter, slot, actor, rolled)
            continue
        if zone > 0:
            place = _place_hit(b, actor, zone, hits)
            b.struck[place] += 1
            victim = int(b.zone[place])
            if fields[STATUS, victim] == IN_PLAY:
                strike(b, shooter, victim, actor, VOLLEY_RESULT, 0, cover(state, b.ground, play, shooter, victim))
        hits += 1
    if unseen == SEEN or hits > 0:
        for i in range(zone):
            if fields[STATUS, b.zone[i]] == IN_PLAY:
                fields[BLUE, b.zone[i]] = 1
    note(b, VOLLEYED, squad, count, zone, hits, unseen, -1, -1, -1, -1, -1)


@on_battle(2, types.int64)
def _hides_in(b: Battle, figure: int, kind: int) -> int:
    """Tell whether a figure in play is hidden on ground of a kind."""
    state = b.state
    if state.figure[STATUS, figure] != IN_PLAY or state.figure[HIDDEN, figure] == 0:
        return 0
    return int(square(b.ground, state.place[X, figure], state.place[Y, figure]) & kind != 0)


@on_battle(1)
def blind_fire(b: Battle, squad: int) -> None:
    """Fire the blind fire in the plan (NA-4.14, NA-4.15)."""
    state, play, fields = b.state, b.play, b.state.figure
    kind = WOOD if b.plan.action[TARGET] == 0 else BUILDING
    count = _make_ready(b)
    hidden = hits = 0
    first, end = enemies(state, state.squad[S_FIRST, squad])
    for i in range(first, end):
        if _hides_in(b, i, kind) == 1:
            b.zone[hidden] = i
            hidden += 1
    for each in range(count):
        shooter = int(b.shooters[each])
        actor, slot = _key(b, shooter), _slot(b, shooter)
        weapon = fields[WEAPON + slot, shooter]
        sides = play.fire_die[weapon, fields[GRADE, shooter]] if play.blind == TOP_FACE else play.blind_die
        rolled = _fire(b, shooter, slot, actor, BLIND_HIT, sides)
        if rolled <= 0:
            continue
        if rolled < (sides if play.blind == TOP_FACE else play.blind_need):
            _fumble(b, shooter, slot, actor, rolled)
            continue
        hits += 1
        if play.blind == ONE_TEN and hits > 1:
            continue
        among = 0
        reach = play.reach[weapon] * play.reach[weapon] * MORE
        for i in range(hidden):
            if _hides_in(b, b.zone[i], kind) == 1 and distance2(state, shooter, b.zone[i]) <= reach:
                b.drawn_from[among] = b.zone[i]
                among += 1
        victim = draw(b, actor, BLIND_AIM, 0, among)
        if victim >= 0:
            strike(b, shooter, victim, actor, VOLLEY_RESULT, 0, cover(state, b.ground, play, shooter, victim))
    note(b, VOLLEYED, squad, count, hidden, hits, BLIND_FIRE, -1, -1, -1, -1, -1)
