"""Geometry of the table: who sees whom, cover, contact, the ground of a way and what it costs. Compiled.

Players and kernel share it; the referee has its own. Distances are cm between centres; figures are given by index.
"""

from __future__ import annotations

from math import ceil, inf, sqrt

from wargamesim.bits import NONE, bit
from wargamesim.games.skirmish.compiling import merged, public, typed
from wargamesim.games.skirmish.layout import (
    BUILDING,
    CAPTURED,
    DIFFICULT,
    DRAGS,
    HEDGE,
    HIDDEN,
    IN_PLAY,
    KEEP,
    LEVEL,
    SIDE,
    SQUAD,
    STATUS,
    WALL,
    WATER,
    WOOD,
    WOUNDS,
    Ground,
    State,
    X,
    Y,
)
from wargamesim.games.skirmish.playing import CHOICES, Play
from wargamesim.games.skirmish.whereabouts import NEVER, enemy_squads, gap2, gap2_from, members, own_squads

# What sums of floats may be off by, so that a border case belongs inside.
MORE, LESS = 1 + 1e-9, 1 - 1e-9
ROUGH = DIFFICULT | WOOD | BUILDING | WALL | HEDGE
OPEN, SOFT, HARD = range(3)
PRO_RATA = CHOICES["mixed_ground"][1].index("pro_rata")
ONCE = CHOICES["halving"][1].index("once")
CONTACT_ONLY = CHOICES["deep_wood"][1].index("contact_only")
LEAVES_PLAY = CHOICES["prisoner"][1].index("leaves_play")


@merged
def square(ground: Ground, x: float, y: float) -> int:
    """Return the bits of the square of ground at a place on the table."""
    return int(ground.what[int(y), int(x)])


@merged
def steps(distance: float) -> int:
    """Return into how many samples a way of this length is cut."""
    return max(1, ceil(distance))


@merged
def distance2(state: State, a: int, b: int) -> float:
    """Return the square of the distance between two figures (cm²)."""
    dx, dy = state.place[X, a] - state.place[X, b], state.place[Y, a] - state.place[Y, b]
    return float(dx * dx + dy * dy)


@merged
def touches(state: State, play: Play, a: int, b: int) -> bool:
    """Tell whether two figures are in contact, which they are on one floor alone (NA-1.4)."""
    near = distance2(state, a, b) <= play.diameter * play.diameter * MORE
    return bool(near and state.figure[LEVEL, a] == state.figure[LEVEL, b])


@merged
def enemies(state: State, figure: int) -> tuple[int, int]:
    """Return the first of the other side's figures and the one after its last."""
    if state.figure[SIDE, figure] == 0:
        return int(state.fielded[0]), int(state.count)
    return 0, int(state.fielded[0])


@merged
def friends(state: State, figure: int) -> tuple[int, int]:
    """Return the first of its side's figures and the one after the last."""
    if state.figure[SIDE, figure] == 0:
        return 0, int(state.fielded[0])
    return int(state.fielded[0]), int(state.count)


@merged
def _ground_is_clear(ground: Ground, play: Play, x: float, y: float, to_x: float, to_y: float, d: float) -> bool:
    if play.deep_wood == CONTACT_ONLY and d * d > play.diameter * play.diameter * MORE:
        deepest = max(ground.depth[int(y), int(x)], ground.depth[int(to_y), int(to_x)])
        if deepest > play.edge_depth:
            return False
    n = steps(d)
    # A building hides what is behind it, but not those in it: the run of its squares at either end lets them see out.
    indoors = square(ground, x, y) & BUILDING != 0
    ends_indoors = square(ground, to_x, to_y) & BUILDING != 0
    between = wall = False
    wood = 0.0
    for k in range(1, n):
        what = square(ground, x + (to_x - x) * k / n, y + (to_y - y) * k / n)
        if what & BUILDING != 0:
            if not indoors:
                wall = True
        else:
            indoors = False
            # A run of building squares that has ended touches neither end.
            if wall:
                between = True
        if what & WOOD != 0:
            wood += d / n
    if between or (wall and not ends_indoors):
        return False
    return wood <= play.wood_sight * MORE


@typed
def is_clear(
    state: State, ground: Ground, play: Play, a: int, b: int, x: float, y: float, to_x: float, to_y: float
) -> bool:
    """Tell whether the line from one place to another is free; figures `a` and `b`, who stand there, are not in it."""
    dx, dy = to_x - x, to_y - y
    d = sqrt(dx * dx + dy * dy)
    if ground.opaque == 1:
        if not _ground_is_clear(ground, play, x, y, to_x, to_y, d):
            return False
        # Nobody sees through a floor (NA-3.9).
        floors = state.figure[LEVEL, a] != state.figure[LEVEL, b]
        if floors and ground.house[int(y), int(x)] == ground.house[int(to_y), int(to_x)]:
            return False
    if play.sight == 1 and d > 0.0:
        for i in range(state.count):
            if i in (a, b) or state.figure[STATUS, i] != IN_PLAY:
                continue
            px, py = state.place[X, i] - x, state.place[Y, i] - y
            along = (px * dx + py * dy) / d
            aside = (px * dy - py * dx) / d
            if 0.0 < along < d and 2.0 * abs(aside) < play.diameter:
                return False
    return True


@public
def sees(state: State, ground: Ground, play: Play, a: int, b: int) -> bool:
    """Tell whether the line between two figures is free, whoever hides (NA-1.5, NA-6.3)."""
    if ground.opaque == 0 and play.sight == 0:
        return True
    i, j = min(a, b), max(a, b)
    return is_clear(
        state, ground, play, i, j, state.place[X, i], state.place[Y, i], state.place[X, j], state.place[Y, j]
    )


@typed
def cover_at(ground: Ground, play: Play, from_x: float, from_y: float, x: float, y: float) -> int:
    """Return what someone at (x, y) stands behind for a shooter elsewhere."""
    here = square(ground, x, y)
    if here & BUILDING != 0 and square(ground, from_x, from_y) & BUILDING == 0:
        return HARD
    best = SOFT if here & WOOD != 0 else OPEN
    dx, dy = from_x - x, from_y - y
    d = sqrt(dx * dx + dy * dy)
    s = 0.5
    while s <= play.diameter and s < d:
        what = square(ground, x + dx / d * s, y + dy / d * s)
        if what & WALL != 0:
            return HARD
        if what & HEDGE != 0:
            best = SOFT
        s += 0.5
    return best


@public
def cover(state: State, ground: Ground, play: Play, shooter: int, target: int) -> int:
    """Return what a target stands behind for a shooter: OPEN, SOFT or HARD (NA-4.10a to 4.10g)."""
    if ground.plain == 1:
        return OPEN
    place = state.place
    return cover_at(ground, play, place[X, shooter], place[Y, shooter], place[X, target], place[Y, target])


@typed
def foe_of(state: State, play: Play, figure: int) -> int:
    """Return the first enemy in contact with a figure, or -1."""
    first, end = enemy_squads(state, figure)
    for squad in range(first, end):
        if gap2_from(state, squad, figure) > play.diameter * play.diameter * MORE:
            continue
        begin, stop = members(state, squad)
        for i in range(begin, stop):
            if state.figure[STATUS, i] == IN_PLAY and touches(state, play, figure, i):
                return i
    return -1


@typed
def friends_beside(state: State, play: Play, figure: int, enemy: int) -> int:
    """Return how many others of a figure's side are in contact with an enemy."""
    beside = 0
    first, end = own_squads(state, figure)
    for squad in range(first, end):
        if gap2_from(state, squad, enemy) > play.diameter * play.diameter * MORE:
            continue
        begin, stop = members(state, squad)
        for i in range(begin, stop):
            beside += int(i != figure and state.figure[STATUS, i] == IN_PLAY and touches(state, play, i, enemy))
    return beside


@public
def is_engaged(state: State, play: Play, figure: int) -> bool:
    """Tell whether any enemy is in contact with a figure."""
    return foe_of(state, play, figure) >= 0


@merged
def knows(state: State, observer: int, figure: int) -> bool:
    """Tell whether a figure knows of an enemy: one who does not hide, or whom it has spotted for itself (NA-6.6)."""
    if state.figure[HIDDEN, figure] == 0:
        return True
    return bool(state.observers[observer >> 6, figure] & bit(observer & 63) != NONE)


@typed
def nearest_known(state: State, figure: int) -> int:
    """Return the nearest enemy in play that a figure knows of, the first of several, in sight or not, or -1."""
    # Nobody need be looked at who is farther than the last one, or has not stirred since if that one has not.
    best, best_d2, since = int(state.nearest[figure]), inf, state.looked[figure]
    if best >= 0:
        if state.figure[STATUS, best] == IN_PLAY and knows(state, figure, best):
            best_d2 = distance2(state, figure, best)
            if state.stirred[state.figure[SQUAD, best]] > since:
                since = NEVER
        else:
            best, since = -1, NEVER
    x, y = state.place[X, figure], state.place[Y, figure]
    first, end = enemy_squads(state, figure)
    for squad in range(first, end):
        if state.stirred[squad] <= since or gap2(state, squad, x, y) > best_d2:
            continue
        begin, stop = members(state, squad)
        for i in range(begin, stop):
            dx, dy = state.place[X, i] - x, state.place[Y, i] - y
            d2 = dx * dx + dy * dy
            if d2 > best_d2 or (d2 == best_d2 and i >= best):
                continue
            if state.figure[STATUS, i] == IN_PLAY and knows(state, figure, i):
                best, best_d2 = i, d2
    state.nearest[figure], state.looked[figure] = best, state.clock
    return best


@public
def nearest_seen(state: State, ground: Ground, play: Play, figure: int) -> int:
    """Return the nearest enemy in play that is known and in sight, or -1 (NA-4.4)."""
    best = nearest_known(state, figure)
    if best < 0 or sees(state, ground, play, figure, best):
        return best
    first, end = enemies(state, figure)
    best, best_d2 = -1, inf
    for i in range(first, end):
        if state.figure[STATUS, i] == IN_PLAY and knows(state, figure, i):
            d2 = distance2(state, figure, i)
            if d2 < best_d2 and sees(state, ground, play, figure, i):
                best, best_d2 = i, d2
    return best


@public
def way(ground: Ground, x: float, y: float, to_x: float, to_y: float) -> tuple[int, int, float]:
    """Return whether a straight way is difficult, whether it leads through water, and the difficult share.

    Any difficult part makes all of it difficult (NA-3.6), unless the reading of RI-3.4 goes by the share.
    """
    if ground.plain == 1:
        return 0, 0, 0.0
    here = square(ground, x, y)
    dx, dy = to_x - x, to_y - y
    n = steps(sqrt(dx * dx + dy * dy))
    rough = 0
    for k in range(1, n + 1):
        what = square(ground, x + dx * k / n, y + dy * k / n)
        here |= what
        if what & ROUGH != 0:
            rough += 1
    return int(here & ROUGH != 0), int(here & WATER != 0), rough / n


@merged
def factor(state: State, play: Play, figure: int, posture: int) -> float:
    """Return what wounds and a change of posture leave of any move (NA-3.10 to 3.12)."""
    wounded = play.wounded_factor if state.figure[WOUNDS, figure] > 0 else 1.0
    changed = play.lie_factor if posture != KEEP else 1.0
    return float(min(wounded, changed) if play.halving == ONCE else wounded * changed)


@merged
def pace(state: State, play: Play, figure: int, run: int, difficult: int, water: int) -> float:
    """Return how far an unhurt figure moves in an action on such ground (cm)."""
    if state.figure[DRAGS, figure] >= 0:
        length = play.drag_difficult if difficult == 1 else play.drag
    else:
        length = play.run[difficult] if run == 1 else play.walk[difficult]
    return float(min(length, play.ford) if water == 1 else length)


@merged
def cost(
    state: State,
    play: Play,
    figure: int,
    d: float,
    difficult: int,
    water: int,
    rough: float,
    run: int,
    posture: int,
) -> float:
    """Return the effort of a way of this length over such ground, as `way` describes it."""
    if d == 0.0:
        return 0.0
    allowed = pace(state, play, figure, run, difficult, water)
    if play.mixed_ground == PRO_RATA and water == 0:
        level, hard = pace(state, play, figure, run, 0, 0), pace(state, play, figure, run, 1, 0)
        if level <= 0.0 or hard <= 0.0:
            return inf
        allowed = 1.0 / ((1.0 - rough) / level + rough / hard)
    allowed *= factor(state, play, figure, posture)
    return float(d / allowed) if allowed > 0.0 else inf


@typed
def stays_indoors(ground: Ground, x: float, y: float, to_x: float, to_y: float) -> bool:
    """Tell whether a straight way leads through no square but those of the house in which it begins."""
    house = ground.house[int(y), int(x)]
    dx, dy = to_x - x, to_y - y
    n = steps(sqrt(dx * dx + dy * dy))
    for k in range(1, n + 1):  # noqa: SIM110
        if ground.house[int(y + dy * k / n), int(x + dx * k / n)] != house:
            return False
    return True


@public
def effort(
    state: State, ground: Ground, play: Play, figure: int, to_x: float, to_y: float, run: int, posture: int
) -> float:
    """Return which part of its allowance a figure spends on a way; at most 1 (times `MORE`) is allowed.

    No way leads out of an upper floor (NA-3.9).
    """
    x, y = state.place[X, figure], state.place[Y, figure]
    if state.figure[LEVEL, figure] > 0 and not stays_indoors(ground, x, y, to_x, to_y):
        return inf
    difficult, water, rough = way(ground, x, y, to_x, to_y)
    d = sqrt((to_x - x) * (to_x - x) + (to_y - y) * (to_y - y))
    return cost(state, play, figure, d, difficult, water, rough, run, posture)


@merged
def is_on_table(state: State, play: Play, figure: int) -> bool:
    """Tell whether a figure takes up room: those in play and prisoners, unless these leave play."""
    status = state.figure[STATUS, figure]
    return bool(status == IN_PLAY or (status == CAPTURED and play.prisoner != LEAVES_PLAY))


@merged
def takes_room(state: State, play: Play, figure: int, other: int) -> bool:
    """Tell whether another figure can be in the way of one: on its floor, and not dragged by it."""
    return bool(
        other != figure
        and is_on_table(state, play, other)
        and state.figure[LEVEL, other] == state.figure[LEVEL, figure]
        and state.figure[DRAGS, figure] != other
    )


@public
def fits(state: State, ground: Ground, play: Play, figure: int, x: float, y: float) -> bool:
    """Tell whether a figure may end a move there: on the table, in its house, not on a wall and on nobody's base."""
    if not (0.0 <= x < ground.width and 0.0 <= y < ground.height):
        return False
    if ground.plain == 0 and square(ground, x, y) & WALL != 0:
        return False
    if state.figure[LEVEL, figure] > 0:
        here = ground.house[int(state.place[Y, figure]), int(state.place[X, figure])]
        if ground.house[int(y), int(x)] != here:
            return False
    apart = play.diameter * LESS
    apart2 = apart * apart
    for squad in range(state.squads):
        if gap2(state, squad, x, y) > apart2:
            continue
        begin, stop = members(state, squad)
        for i in range(begin, stop):
            dx, dy = state.place[X, i] - x, state.place[Y, i] - y
            if dx * dx + dy * dy <= apart2 and takes_room(state, play, figure, i):
                return False
    return True


@public
def passes(state: State, play: Play, figure: int, to_x: float, to_y: float) -> bool:
    """Tell whether a straight way keeps off every enemy, hidden or not, with whom the figure is not in contact."""
    x, y = state.place[X, figure], state.place[Y, figure]
    dx, dy = to_x - x, to_y - y
    d2 = dx * dx + dy * dy
    if d2 == 0.0:
        return True
    first, end = enemies(state, figure)
    apart = play.diameter * LESS
    apart2 = apart * apart
    n = steps(sqrt(d2))
    for i in range(first, end):
        px, py = state.place[X, i] - x, state.place[Y, i] - y
        along = px * dx + py * dy
        # Nobody behind, beside or beyond is in the way; the sample nearest to the others decides, or one beside it.
        if along <= 0.0 or along > d2 + play.diameter * sqrt(d2) or state.figure[STATUS, i] != IN_PLAY:
            continue
        aside = px * dy - py * dx
        if aside * aside > apart2 * d2 * MORE or touches(state, play, figure, i):
            continue
        if state.figure[LEVEL, i] != state.figure[LEVEL, figure]:
            continue
        for k in range(1, n):
            gap_x, gap_y = x + dx * k / n - state.place[X, i], y + dy * k / n - state.place[Y, i]
            if gap_x * gap_x + gap_y * gap_y <= apart2:
                return False
    return True
