"""Where a figure finds cover, and where it hides. Compiled.

A function that returns True has put a legal move into the plan, as in `orders_move`.
"""

from __future__ import annotations

from math import inf, sqrt

from wargamesim.games.skirmish.compiling import merged, typed
from wargamesim.games.skirmish.doctrine import DoctrineRecord
from wargamesim.games.skirmish.layout import (
    HIDE,
    IN_PLAY,
    MOVE,
    PASS,
    POSTURE,
    SHELTER,
    STATUS,
    WHAT,
    WOOD,
    Ground,
    Plan,
    State,
    X,
    Y,
)
from wargamesim.games.skirmish.orders_move import (
    BERTH,
    NO_DISTANCE,
    SPOTS,
    STEP,
    is_open,
    look_round,
    may_move,
    rises,
    stride,
)
from wargamesim.games.skirmish.playing import Play
from wargamesim.games.skirmish.sight import LESS, MORE, cover_at, effort, enemies, fits, square

# How far a figure steps to hide (cm).
BACK = 2.0
# How far a pinned figure looks for cover (cm).
REFUGE = 40


@merged
def ring_square(col: int, row: int, ring: int, k: int) -> tuple[int, int]:
    """Return column and row of the k-th of the 8 * ring squares in a ring round a square."""
    side, along = k // (2 * ring), k % (2 * ring) - ring
    if side == 0:
        return col + along, row - ring
    if side == 1:
        return col + ring, row + along
    return (col - along, row + ring) if side == 2 else (col - ring, row - along)


@merged
def _nearest_shelter(ground: Ground, x: float, y: float) -> tuple[float, float, float]:
    """Return the centre of the nearest square of cover and its distance, infinite if there is none near."""
    col, row = int(x), int(y)
    best_x, best_y, best = x, y, inf
    for ring in range(1, REFUGE + 1):
        # The centres of this ring and all beyond it are at least so far away.
        if ring - 0.5 > best:
            break
        for k in range(8 * ring):
            c, r = ring_square(col, row, ring, k)
            if 0 <= c < ground.width and 0 <= r < ground.height and ground.what[r, c] & SHELTER != 0:
                dx, dy = c + 0.5 - x, r + 0.5 - y
                d = sqrt(dx * dx + dy * dy)
                if d < best:
                    best_x, best_y, best = c + 0.5, r + 0.5, d
    return best_x, best_y, best


@typed
def to_refuge(state: State, ground: Ground, play: Play, plan: Plan, figure: int) -> bool:
    """Go toward the nearest cover, as a pinned figure must, and never nearer to any enemy (NA-8.4)."""
    if ground.plain == 1:
        return False
    x, y = state.place[X, figure], state.place[Y, figure]
    if square(ground, x, y) & SHELTER != 0:
        return False
    to_x, to_y, d = _nearest_shelter(ground, x, y)
    # Beyond the last whole ring there may be something nearer that was not looked at.
    if d > REFUGE or not stride(state, ground, play, plan, figure, (to_x - x) / d, (to_y - y) / d, d, 0, 1):
        return False
    # A way round may lead nearer to no cover.
    gap_x, gap_y = to_x - plan.to[X], to_y - plan.to[Y]
    if gap_x * gap_x + gap_y * gap_y >= d * d * LESS:
        plan.action[WHAT] = PASS
        return False
    return True


@typed
def to_cover(
    state: State,
    ground: Ground,
    play: Play,
    doctrine: DoctrineRecord,
    plan: Plan,
    figure: int,
    from_x: float,
    from_y: float,
    off: float,
) -> bool:
    """Go to the nearest place with cover against fire from a point, if it is near enough for the doctrine.

    The place is no nearer to the point than `off`.
    """
    if ground.plain == 1 or doctrine.seek_cover < STEP:
        return False
    x, y = state.place[X, figure], state.place[Y, figure]
    if cover_at(ground, play, from_x, from_y, x, y) > 0:
        return False
    col, row, reach = int(x), int(y), int(doctrine.seek_cover)
    best_x, best_y, best = x, y, inf
    for ring in range(1, reach + 1):
        if ring - 0.5 > best:
            break
        for k in range(8 * ring):
            c, r = ring_square(col, row, ring, k)
            if not (0 <= c < ground.width and 0 <= r < ground.height) or ground.what[r, c] & SHELTER == 0:
                continue
            dx, dy = c + 0.5 - x, r + 0.5 - y
            d = sqrt(dx * dx + dy * dy)
            # Deep in a wood there is no view, and a burning house is no refuge.
            if d >= best or ground.depth[r, c] > play.wood_sight - 1.0 or state.afire[ground.house[r, c]] != 0:
                continue
            off_x, off_y = c + 0.5 - from_x, r + 0.5 - from_y
            if off_x * off_x + off_y * off_y < off * off:
                continue
            covered = cover_at(ground, play, from_x, from_y, c + 0.5, r + 0.5) > 0
            if covered and fits(state, ground, play, figure, c + 0.5, r + 0.5):
                best_x, best_y, best = c + 0.5, r + 0.5, d
    if best == inf:
        return False
    return stride(state, ground, play, plan, figure, (best_x - x) / best, (best_y - y) / best, best, 0, 0)


@typed
def hides(state: State, ground: Ground, play: Play, plan: Plan, figure: int, enemy: int) -> bool:
    """Step back into the wood, to where no enemy is near enough to watch (NA-6.4)."""
    here = square(ground, state.place[X, figure], state.place[Y, figure])
    if play.has_hiding == 0 or here & WOOD == 0 or not may_move(state, play, figure):
        return False
    x, y = state.place[X, figure], state.place[Y, figure]
    dx, dy = 1.0, 0.0
    if enemy >= 0:
        dx, dy = x - state.place[X, enemy], y - state.place[Y, enemy]
        d = max(sqrt(dx * dx + dy * dy), NO_DISTANCE)
        dx, dy = dx / d, dy / d
    berth = BERTH * play.diameter
    near = look_round(state, play, plan, figure, BACK + berth)
    first, end = enemies(state, figure)
    far2 = play.spot_distance * play.spot_distance * MORE
    posture, start = rises(state, figure), ground.depth[int(y), int(x)]
    for k in range(SPOTS.shape[0]):
        to_x = x + BACK * (dx * SPOTS[k, 0] - dy * SPOTS[k, 1])
        to_y = y + BACK * (dx * SPOTS[k, 1] + dy * SPOTS[k, 0])
        if not is_open(state, ground, play, plan, figure, to_x, to_y, near, berth):
            continue
        depth = ground.depth[int(to_y), int(to_x)]
        if square(ground, to_x, to_y) & WOOD == 0 or not start < depth < play.edge_depth + BACK:
            continue
        watched = False
        for i in range(first, end):
            gap_x, gap_y = state.place[X, i] - to_x, state.place[Y, i] - to_y
            if state.figure[STATUS, i] == IN_PLAY and gap_x * gap_x + gap_y * gap_y <= far2:
                watched = True
        if not watched and effort(state, ground, play, figure, to_x, to_y, 0, posture) <= 1.0:
            plan.action[WHAT], plan.action[POSTURE], plan.action[HIDE] = MOVE, posture, 1
            plan.to[X], plan.to[Y] = to_x, to_y
            return True
    return False
