"""How the loser of an assault falls back."""

from __future__ import annotations

from math import inf, sqrt

from numba import types

from wargamesim.bits import NONE, ONE, bit, lowest
from wargamesim.games.coloniale.battle_record import Battle, destroy, on_battle, option
from wargamesim.games.coloniale.layout import FIG, FIRST, LOST_TO_DEFEAT, NOBODY, SIDE, UNFORDABLE, X, Y
from wargamesim.games.coloniale.sight import distance2, fording, meets, near, table_ends
from wargamesim.games.coloniale.whereabouts import appears, in_play

STOPS = option("stops", "stops")


@on_battle(3, types.int64)
def fall_back(b: Battle, unit: int, winner: int, length: int) -> int:
    """Move a unit away from the winner; return the enemy that it runs into, or -1 (CO-5.8, CO-5.9, CO-P18)."""
    state, ground, place = b.state, b.ground, b.state.place
    x, y, side = place[unit, X], place[unit, Y], state.unit[unit, SIDE]
    d = sqrt(distance2(state, unit, winner))
    ux, uy = 0.0, -1.0 if side == FIRST else 1.0
    if d > 0.0:
        ux, uy = (x - place[winner, X]) / d, (y - place[winner, Y]) / d
    enemy, nearest = NOBODY, inf
    enemies = near(state, in_play(state, 1 - side) & ~bit(winner), x, y, length + b.play.contact)
    while enemies != NONE:
        i = lowest(enemies)
        enemies &= enemies - ONE
        t = meets(x, y, ux, uy, place[i, X], place[i, Y], b.play.contact)
        if t < nearest:
            enemy, nearest = i, t
    table, water = table_ends(ground, b.play, x, y, ux, uy), inf
    for piece in range(ground.lines):
        if ground.line_kind[piece] == UNFORDABLE:
            t = fording(ground, b.play, piece, x, y, x + ux * length, y + uy * length)
            if t >= 0.0 and t * length < water:
                water = t * length
    far = float(length)
    if nearest <= far and nearest <= table and nearest <= water:
        far = nearest
    else:
        enemy = NOBODY
        if table < far or water < far:
            if b.play.stops != STOPS:
                state.tally[LOST_TO_DEFEAT + side] += state.unit[unit, FIG]
                destroy(b, unit)
                return NOBODY
            far = table if table <= water else max(0.0, water - b.play.rim)
    place[unit, X], place[unit, Y] = x + ux * far, y + uy * far
    appears(state, unit)
    return enemy
