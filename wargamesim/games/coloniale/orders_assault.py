"""Who assaults whom, and who runs after a beaten enemy. Compiled."""

from __future__ import annotations

from wargamesim.bits import NONE, ONE, lowest
from wargamesim.games.coloniale.compiling import public
from wargamesim.games.coloniale.doctrine import DoctrineRecord
from wargamesim.games.coloniale.layout import (
    ARM,
    ASSAULTED,
    BATTERY,
    FIG,
    FORT,
    MARKERS,
    TARGET,
    UNIT,
    Goals,
    Ground,
    Plan,
    State,
    X,
    Y,
)
from wargamesim.games.coloniale.orders_chance import chance
from wargamesim.games.coloniale.orders_fire import can_assault, is_fit
from wargamesim.games.coloniale.playing import Play
from wargamesim.games.coloniale.sight import near
from wargamesim.games.coloniale.whereabouts import in_play

# By how much a player prefers to assault a battery to a battalion, as a chance.
GUN = 0.05


@public
def assault(
    state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, goals: Goals, plan: Plan, side: int
) -> None:
    """Fill in the most promising assault of a side, or -1 for none that the doctrine would have (CO-5.1)."""
    best, best_enemy, most = -1, -1, -1.0
    once = state.night == 1 or play.twice == 1
    units, enemies = in_play(state, side), in_play(state, 1 - side)
    while units != NONE:
        unit = lowest(units)
        units &= units - ONE
        if not is_fit(state, play, doctrine, unit):
            continue
        least = max(doctrine.assault_above, doctrine.sally_above if state.unit[unit, FORT] > 0 else 0.0)
        if least > 1.0:
            continue
        within_reach = near(state, enemies, state.place[unit, X], state.place[unit, Y], float(play.assault_reach))
        while within_reach != NONE:
            enemy = lowest(within_reach)
            within_reach &= within_reach - ONE
            row = state.unit[enemy]
            if once and row[ASSAULTED] > 0:
                continue
            if not can_assault(state, ground, play, goals, unit, enemy):
                continue
            found = chance(state, ground, play, doctrine, plan, unit, enemy, 0)
            if found < least:
                continue
            found += GUN if row[ARM] == BATTERY else 0.0
            if found > most:
                best, best_enemy, most = unit, enemy, found
    plan.action[UNIT], plan.action[TARGET] = best, best_enemy
    plan.memo[0] = 0  # nobody has been asked in phase D


@public
def pursue(
    state: State,
    ground: Ground,
    play: Play,
    doctrine: DoctrineRecord,
    goals: Goals,  # noqa: ARG001
    plan: Plan,
    winner: int,
    loser: int,
) -> int:
    """Return 1 if the winner of an assault pursues the loser: the doctrine's rule when to stop (CO-5.10)."""
    row = state.unit[winner]
    if row[ARM] == BATTERY or row[FIG] < doctrine.pursue_figures or row[MARKERS] > doctrine.pursue_markers:
        return 0
    least = max(doctrine.pursue_above, doctrine.sally_above if row[FORT] > 0 else 0.0)
    return int(least <= 1.0 and chance(state, ground, play, doctrine, plan, winner, loser, 0) >= least)
