"""Phases A and B of the kernel: rally, and the fire of rifles and cannons."""

from __future__ import annotations

from wargamesim.games.coloniale import orders
from wargamesim.games.coloniale.battle_record import (
    Battle,
    destroy,
    note,
    on_battle,
    option,
    plays,
    successes,
)
from wargamesim.games.coloniale.layout import (
    ACTION,
    CANNON,
    CANNON_FIRE,
    DISC,
    FIG,
    LOST_TO_CANNONS,
    LOST_TO_RIFLES,
    MARKERS,
    MARKERS_PUT,
    MARKERS_RALLIED,
    PENDING_LOSS,
    PENDING_MARKERS,
    RALLY,
    RIFLE_FIRE,
    SIDE,
    T_FIRE,
    T_LEAVE,
    T_RALLY,
    VOLLEYS,
)
from wargamesim.games.coloniale.sight import cover, within

ONE_MARKED, FORT_MARKED = option("one_marked", "one"), option("fort_marked", "suppressed")


@on_battle(0)
def rally_phase(b: Battle) -> None:
    """Let every unit with markers roll its discipline in dice (CO-4.1)."""
    state, play = b.state, b.play
    for unit in range(state.count):
        row = state.unit[unit]
        if plays(b, unit) and row[MARKERS] > 0:
            found = successes(b, unit, RALLY, 0, row[DISC], play.rally_die, play.rally_need)
            gone = min(found, row[MARKERS])
            row[MARKERS] -= gone
            state.tally[MARKERS_RALLIED + row[SIDE]] += gone
            note(b, T_RALLY, unit, row[DISC], found, row[MARKERS], -1, -1, -1, -1, -1, -1)


@on_battle(1)
def fire(b: Battle, unit: int) -> None:
    """Let a unit fire as its player wants; what is hit leaves later (CO-4.2, CO-4.3, CO-4.4)."""
    state, play, plan = b.state, b.play, b.plan
    row = state.unit[unit]
    side = row[SIDE]
    orders.fire(state, b.ground, play, b.doctrine[side], b.goals, plan, unit)
    if plan.targets == 0:
        return
    row[ACTION] = 1
    state.tally[VOLLEYS + side] += 1
    cannon = plan.weapon == CANNON
    rolled = 0
    for i in range(plan.targets):
        target, dice = plan.target[i], plan.dice[i]
        covered = cover(state, b.ground, target)
        markers = play.fire_markers if play.one_marked != ONE_MARKED or i == plan.marked else 0
        if cannon:
            if within(state, unit, target, play.near_reach):
                need = play.near_need
            else:
                need = play.far_need if covered == 0 else play.far_need_cover
            hits = successes(b, unit, CANNON_FIRE, 0, dice, play.cannon_die, need)
            b.cannon_hits[target] += hits
        elif covered == 2:
            need = hits = 0
            if play.fort_marked != FORT_MARKED:
                markers = 0
        else:
            need = play.need_open if covered == 0 else play.need_cover
            hits = successes(b, unit, RIFLE_FIRE, rolled, dice, play.rifle_die, need)
        rolled += dice
        state.unit[target, PENDING_LOSS] += hits
        state.unit[target, PENDING_MARKERS] += markers
        state.tally[MARKERS_PUT + side] += markers
        note(b, T_FIRE, unit, target, plan.weapon, dice, need, hits, markers, covered, -1, -1)


@on_battle(0)
def leave(b: Battle) -> None:
    """Take away what was hit, and let markers count (CO-4.6)."""
    state = b.state
    for unit in range(state.count):
        row = state.unit[unit]
        if row[PENDING_LOSS] == 0 and row[PENDING_MARKERS] == 0:
            continue
        lost = min(row[PENDING_LOSS], row[FIG])
        by_cannon = min(lost, b.cannon_hits[unit])
        state.tally[LOST_TO_CANNONS + row[SIDE]] += by_cannon
        state.tally[LOST_TO_RIFLES + row[SIDE]] += lost - by_cannon
        row[FIG] -= lost
        row[MARKERS] += row[PENDING_MARKERS]
        row[PENDING_LOSS] = row[PENDING_MARKERS] = 0
        b.cannon_hits[unit] = 0
        if row[FIG] == 0:
            destroy(b, unit)
        note(b, T_LEAVE, unit, lost, row[FIG], row[MARKERS], -1, -1, -1, -1, -1, -1)
