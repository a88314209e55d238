"""The start of a battle and the end of each turn, in the kernel: discipline, night, zones and who has won."""

from __future__ import annotations

from numba import types

from wargamesim.bits import NONE
from wargamesim.compiled import inlined
from wargamesim.games.coloniale.battle_record import Battle, note, on_battle, option, plays, roll
from wargamesim.games.coloniale.layout import (
    ARM,
    BATTERY,
    CAVALRY,
    DISC,
    DISC0,
    DISCIPLINE,
    DRAW,
    FANATIC,
    FIELDS,
    FIG,
    FIGURES_LEFT,
    FIRST,
    FIRST_OF_TURN,
    MARKERS,
    MARKERS_LEFT,
    NIGHT,
    NO_DECISION,
    NOBODY,
    QUALITY,
    SECOND,
    SIDE,
    T_DRAWN,
    T_NIGHT,
    T_TURN_END,
    VETERAN,
    ZONES_HELD,
)
from wargamesim.games.coloniale.sight import stand_in
from wargamesim.games.coloniale.whereabouts import in_play

FIGURES_ONLY = option("figures_only", "figures_only")


@on_battle(0)
def draw_disciplines(b: Battle) -> None:
    """Draw the discipline of the units that have none of their own (CO-1.4)."""
    state, play = b.state, b.play
    for unit in range(state.count):
        row = state.unit[unit]
        if row[DISC] > 0:
            continue
        quality = row[QUALITY]
        drawn = play.quality[quality, roll(b, unit, DISCIPLINE, 0, play.by_quality[quality]) - 1]
        if row[ARM] == CAVALRY:
            drawn += play.cavalry[roll(b, unit, DISCIPLINE, 1, play.by_cavalry) - 1]
        elif row[ARM] == BATTERY:
            drawn += play.battery
        drawn += play.veteran * row[VETERAN] + play.fanatic * row[FANATIC]
        row[DISC] = row[DISC0] = min(max(drawn, play.least), play.most)
        note(b, T_DRAWN, unit, row[DISC], -1, -1, -1, -1, -1, -1, -1, -1)


@on_battle(0)
def begin_turn(b: Battle) -> None:
    """Take off the Action markers of the last turn, and see whether it is night (CO-8.2)."""
    state = b.state
    state.turn += 1
    state.nights -= state.night
    for unit in range(state.count):
        for field in range(FIRST_OF_TURN, FIELDS):
            state.unit[unit, field] = 0
    if state.turn == b.goals.night_from:
        state.nights = b.play.night[roll(b, 0, NIGHT, 0, b.play.nights) - 1]
        note(b, T_NIGHT, state.nights, -1, -1, -1, -1, -1, -1, -1, -1, -1)
    state.night = int(state.nights > 0)


@on_battle(0)
def hold_zones(b: Battle) -> None:
    """Give each zone to the side that stands in it alone (CO-8.1)."""
    state, ground = b.state, b.ground
    units, others = in_play(state, FIRST), in_play(state, SECOND)
    for zone in range(ground.zones):
        first, second = stand_in(state, ground, zone, units), stand_in(state, ground, zone, others)
        if first != second:
            state.owner[zone] = FIRST if first else SECOND


@on_battle(2, types.int64)
def count_all(b: Battle, what: int, side: int) -> int:
    """Return how many units (what = -1), or figures or markers of units (a field), a side has."""
    total = 0
    for unit in range(b.state.count):
        if b.state.unit[unit, SIDE] == side and plays(b, unit):
            total += 1 if what < 0 else b.state.unit[unit, what]
    return total


@on_battle(2, types.int64)
def _owned(b: Battle, side: int, bits: int) -> int:
    """Return how many of the zones a side holds."""
    owned = 0
    for zone in range(b.ground.zones):
        owned += int(b.state.owner[zone] == side and bits >> zone & 1 == 1)
    return owned


@on_battle(0)
def note_turn(b: Battle) -> None:
    """Write what both sides have at the end of a turn."""
    units, others = count_all(b, -1, FIRST), count_all(b, -1, SECOND)
    figures, other_figures = count_all(b, FIG, FIRST), count_all(b, FIG, SECOND)
    markers, other_markers = count_all(b, MARKERS, FIRST), count_all(b, MARKERS, SECOND)
    zones, other_zones = _owned(b, FIRST, -1), _owned(b, SECOND, -1)
    note(b, T_TURN_END, units, others, figures, other_figures, markers, other_markers, zones, other_zones, -1, -1)


@inlined
def _more(first: int, second: int) -> int:
    return DRAW if first == second else (FIRST if first > second else SECOND)


@on_battle(0, types.int64)
def judge(b: Battle) -> int:
    """Return the outcome at the end of a turn, or -1 (CO-8.1, CO-8.4, CO-P30)."""
    goals = b.goals
    stands, others_stand = in_play(b.state, FIRST) != NONE, in_play(b.state, SECOND) != NONE
    if not (stands and others_stand):
        return _more(int(stands), int(others_stand))
    over = b.state.turn >= goals.turns
    if over or goals.at_once == 1:
        done = 0 < goals.hold[FIRST] <= _owned(b, FIRST, goals.zones[FIRST])
        other_done = 0 < goals.hold[SECOND] <= _owned(b, SECOND, goals.zones[SECOND])
        if done or other_done:
            return _more(int(done), int(other_done))
    if not over:
        return -1
    if goals.hold[FIRST] > 0 or goals.hold[SECOND] > 0 or goals.at_limit != NOBODY:
        return int(goals.at_limit) if goals.at_limit != NOBODY else NO_DECISION
    outcome = DRAW
    if b.play.figures_only != FIGURES_ONLY:
        outcome = _more(_owned(b, FIRST, -1), _owned(b, SECOND, -1))
    if outcome == DRAW:
        outcome = _more(count_all(b, FIG, FIRST), count_all(b, FIG, SECOND))
    return outcome


@on_battle(0)
def sum_up(b: Battle) -> None:
    """Put into the tally what both sides have at the end of the battle."""
    for side in range(2):
        b.state.tally[FIGURES_LEFT + side] = count_all(b, FIG, side)
        b.state.tally[MARKERS_LEFT + side] = count_all(b, MARKERS, side)
        b.state.tally[ZONES_HELD + side] = _owned(b, side, -1)
