"""One tactical move towards a place: the first place on the way where the unit can stand. Compiled."""

from __future__ import annotations

from math import inf, sqrt

import numpy as np

from wargamesim.bits import NONE, bit
from wargamesim.games.coloniale.compiling import typed
from wargamesim.games.coloniale.layout import ARM, DIFFICULT, EDGE, HARD, Ground, Plan, State, X, Y
from wargamesim.games.coloniale.playing import Play
from wargamesim.games.coloniale.sight import barred, fording, near, square
from wargamesim.games.coloniale.whereabouts import all_in_play

# Places that are tried: shares of the way, and steps aside in units of a bit more than contact.
SHARES, ASIDE = 4, 5
# A move shorter than this is none (cm), and a place this much farther off than contact is free for sure.
SHORTEST, CLEAR = 0.5, 1.00005


@typed
def is_on_table(ground: Ground, play: Play, x: float, y: float) -> bool:
    """Tell whether a place is on the table."""
    rim = play.rim
    return bool(rim <= x <= ground.width - rim and rim <= y <= ground.height - rim)


@typed
def can_stand(state: State, ground: Ground, play: Play, others: np.uint64, x: float, y: float) -> bool:
    """Tell whether a place is on the table and not in contact with one of some units (CO-6.1)."""
    return is_on_table(ground, play, x, y) and near(state, others, x, y, play.contact * CLEAR) == NONE


@typed
def _ford_limit(ground: Ground, play: Play, ax: float, ay: float, bx: float, by: float) -> float:
    """Return how far one can go from a towards b: to the bank, or from the bank to the other one (CO-6.2)."""
    d = sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay))
    limit = inf
    for piece in range(ground.lines):
        if ground.line_kind[piece] != HARD:
            continue
        t = fording(ground, play, piece, ax, ay, bx, by)
        if t >= 0.0:
            limit = min(limit, t * d + 0.9 * play.bank if t * d <= play.bank else t * d - 0.5 * play.bank)
    return limit


@typed
def can_go(ground: Ground, play: Play, ax: float, ay: float, bx: float, by: float) -> bool:
    """Tell whether no river forbids a tactical move (CO-2.4, CO-6.2)."""
    if barred(ground, play, ax, ay, bx, by):
        return False
    d = sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay))
    for piece in range(ground.lines):
        if ground.line_kind[piece] == HARD:
            t = fording(ground, play, piece, ax, ay, bx, by)
            if t >= 0.0 and (t * d > play.bank or (1.0 - t) * d > play.bank):
                return False
    return True


@typed
def step(
    state: State,
    ground: Ground,
    play: Play,
    plan: Plan,
    unit: int,
    x: float,
    y: float,
    length: float,
    stop: float,
    seek_cover: bool,
) -> bool:
    """Write into `plan.to` where a unit goes that makes for (x, y) and stops `stop` cm before it; tell if it goes.

    With `seek_cover` it prefers the edge of difficult ground, and a place from which it can shoot at all.
    """
    ax, ay = state.place[unit, X], state.place[unit, Y]
    d = sqrt((x - ax) * (x - ax) + (y - ay) * (y - ay))
    if d <= SHORTEST:
        return False
    ux, uy = (x - ax) / d, (y - ay) / d
    length = min(length, float(play.move[state.unit[unit, ARM]]))
    most = min(length, d - stop)
    if ground.lines > 0:
        most = min(most, _ford_limit(ground, play, ax, ay, ax + ux * most, ay + uy * most))
    if most < SHORTEST:
        return False
    others = near(state, all_in_play(state) & ~bit(unit), ax, ay, length + play.contact * CLEAR)
    best, best_x, best_y = -inf, ax, ay
    for share in range(SHARES):
        for aside in range(ASIDE):
            along = most * (1.0 - 0.2 * share)
            # 0, then one and two steps to the right and to the left.
            off = (aside + 1) // 2 * 1.3 * play.contact * (1.0 if aside % 2 == 1 else -1.0)
            if off * off >= length * length:
                continue
            along = min(along, sqrt(length * length - off * off))
            px, py = ax + ux * along - uy * off, ay + uy * along + ux * off
            worth = -share - 0.2 * aside
            if worth <= best - 3.0 or (not seek_cover and worth <= best):
                continue
            if not can_stand(state, ground, play, others, px, py):
                continue
            if ground.lines > 0 and not can_go(ground, play, ax, ay, px, py):
                continue
            if seek_cover:
                what = square(ground, px, py)
                worth += 0.0 if what & DIFFICULT == 0 else 3.0 if what & EDGE != 0 else -3.0
            if worth > best:
                best, best_x, best_y = worth, px, py
            if not seek_cover:
                break
        if best > -inf and not seek_cover:
            break
    plan.to[X], plan.to[Y] = best_x, best_y
    return best > -inf
