"""Who assaults whom, and who runs after a beaten enemy. Compiled."""

from __future__ import annotations

from wargamesim.games.coloniale.compiling import typed
from wargamesim.games.coloniale.doctrine import DoctrineRecord
from wargamesim.games.coloniale.layout import (
    ARM,
    ASSAULTED,
    BATTERY,
    FIG,
    FORT,
    IN_PLAY,
    MARKERS,
    SIDE,
    STATUS,
    TARGET,
    UNIT,
    Goals,
    Ground,
    Plan,
    State,
)
from wargamesim.games.coloniale.orders_chance import chance
from wargamesim.games.coloniale.orders_fire import can_assault, is_fit
from wargamesim.games.coloniale.playing import Play
from wargamesim.games.coloniale.sight import within

# By how much a player prefers to assault a battery to a battalion, as a chance.
GUN = 0.05


@typed
def best_assault(
    state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, goals: Goals, plan: Plan, side: int
) -> None:
    """Fill in the most promising assault of a side, or -1 for none that the doctrine would have (CO-5.1)."""
    best, best_enemy, most = -1, -1, -1.0
    once = state.night == 1 or play.twice == 1
    for unit in range(state.count):
        if state.unit[unit, SIDE] != side or not is_fit(state, play, doctrine, unit):
            continue
        least = max(doctrine.assault_above, doctrine.sally_above if state.unit[unit, FORT] > 0 else 0.0)
        if least > 1.0:
            continue
        for enemy in range(state.count):
            if not within(state, unit, enemy, float(play.assault_reach)):
                continue
            row = state.unit[enemy]
            if row[STATUS] != IN_PLAY or row[SIDE] == side or (once and row[ASSAULTED] > 0):
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


@typed
def runs_after(
    state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, plan: Plan, winner: int, loser: int
) -> bool:
    """Tell whether the winner of an assault pursues: the doctrine's rule when to stop (CO-5.10)."""
    row = state.unit[winner]
    if row[ARM] == BATTERY or row[FIG] < doctrine.pursue_figures or row[MARKERS] > doctrine.pursue_markers:
        return False
    least = max(doctrine.pursue_above, doctrine.sally_above if row[FORT] > 0 else 0.0)
    return bool(least <= 1.0 and chance(state, ground, play, doctrine, plan, winner, loser, 0) >= least)
