"""Morale of figures with a blue marker, rout, and rally. Compiled."""

from __future__ import annotations

from numba import types

from wargamesim.games.skirmish.battle_harm import becomes, let_go, spread_fear
from wargamesim.games.skirmish.battle_record import (
    MORALE_TEST,
    RALLIED,
    Battle,
    merged,
    note,
    on_battle,
    option,
    roll,
    thousandths,
    who,
)
from wargamesim.games.skirmish.layout import (
    BLUE,
    EAST,
    GRADE,
    IN_PLAY,
    LEADER,
    LEVEL,
    MORALE,
    MOST_RINGS,
    NORTH,
    OUT,
    PINNED,
    RALLIES,
    RALLY_DIE,
    RING,
    ROLES,
    ROUTED,
    ROUTS,
    SIDE,
    SOUTH,
    STATUS,
    TRIES,
    WOUNDS,
    X,
    Y,
)
from wargamesim.games.skirmish.sight import LESS, MORE, distance2, enemies, fits, nearest_known, sees
from wargamesim.games.skirmish.whereabouts import appears, gap2_from, members, own_first, own_squads, shows

STEADY, IS_PINNED, BREAKS = range(3)
OWN_EDGE = option("rally_place", "own_edge")


@merged
def _is_led(b: Battle, figure: int) -> int:
    state, play = b.state, b.play
    near = play.command_radius * play.command_radius * MORE
    first, end = own_squads(state, figure)
    for place in range(end - first):
        squad = own_first(state, figure, place)
        if gap2_from(state, squad, figure) > near:
            continue
        begin, stop = members(state, squad)
        for i in range(begin, stop):
            leads = state.figure[ROLES, i] & LEADER != 0 and state.figure[STATUS, i] == IN_PLAY and i != figure
            if leads and distance2(state, figure, i) <= near:
                return 1
    return 0


@merged
def _is_alone(b: Battle, figure: int) -> int:
    state, play = b.state, b.play
    near = play.spread_radius * play.spread_radius * MORE
    first, end = own_squads(state, figure)
    for place in range(end - first):
        squad = own_first(state, figure, place)
        if gap2_from(state, squad, figure) > near:
            continue
        begin, stop = members(state, squad)
        for i in range(begin, stop):
            beside = state.figure[STATUS, i] == IN_PLAY and i != figure and distance2(state, figure, i) <= near
            if beside and sees(state, b.ground, play, figure, i):
                return 0
    return 1


@merged
def _is_threatened(b: Battle, figure: int) -> int:
    state, play = b.state, b.play
    near = play.spread_radius * play.spread_radius * MORE
    enemy = nearest_known(state, figure)
    return int(enemy >= 0 and distance2(state, figure, enemy) <= near)


@on_battle(1, types.int64)
def nerve(b: Battle, figure: int) -> int:
    """Return the sum of a figure's modifiers of morale (NA-8.2a to 8.2e)."""
    state, play = b.state, b.play
    total = play.morale_grade[state.figure[GRADE, figure]]
    if state.figure[WOUNDS, figure] > 0:
        total += play.morale_wounded
    if play.morale_leader != 0 and _is_led(b, figure) == 1:
        total += play.morale_leader
    if play.morale_alone != 0 and _is_alone(b, figure) == 1:
        total += play.morale_alone
    if play.morale_enemy_near != 0 and _is_threatened(b, figure) == 1:
        total += play.morale_enemy_near
    return int(total)


@merged
def test_nerve(b: Battle, figure: int, actor: int) -> int:
    """Test the morale of a figure with a blue marker (NA-8.1 to 8.5)."""
    state, play = b.state, b.play
    side = state.figure[SIDE, figure]
    rolled = roll(b, actor, MORALE, 0, play.morale_die)
    total = rolled + nerve(b, figure)
    if total >= play.steady_at_least:
        end = STEADY
        state.figure[BLUE, figure] = 0
    elif total <= play.rout_at_most:
        end = BREAKS
        state.tally[ROUTS + side] += 1
        let_go(b, figure)
        becomes(b, figure, ROUTED)
        spread_fear(b, figure, 0)
    else:
        end = IS_PINNED
        state.tally[PINNED + side] += 1
    note(b, MORALE_TEST, figure, rolled, total, end, -1, -1, -1, -1, -1, -1)
    return end


@merged
def _is_away(b: Battle, figure: int, x: float, y: float) -> bool:
    """Tell whether no enemy is near a place."""
    state, play = b.state, b.play
    near = play.rally_distance * play.rally_distance * LESS
    first, end = enemies(state, figure)
    for i in range(first, end):
        dx, dy = state.place[X, i] - x, state.place[Y, i] - y
        if state.figure[STATUS, i] == IN_PLAY and dx * dx + dy * dy < near:
            return False
    return True


@merged
def _comes_back(b: Battle, figure: int) -> int:
    """Put a rallied figure where it may stand: where it broke or at its edge, or as near to that as there is room."""
    state, play, ground = b.state, b.play, b.ground
    x, y = state.place[X, figure], state.place[Y, figure]
    if play.rally_place == OWN_EDGE:
        edge, inside = b.goals.home[state.figure[SIDE, figure]], play.diameter / 2.0
        state.figure[LEVEL, figure] = 0
        if edge == NORTH:
            y = inside
        elif edge == SOUTH:
            y = ground.height - inside
        elif edge == EAST:
            x = ground.width - inside
        else:
            x = inside
    for ring in range(MOST_RINGS + 1):
        for step in range(16 if ring > 0 else 1):
            to_x, to_y = x + ring * RING[step, 0], y + ring * RING[step, 1]
            if fits(state, ground, play, figure, to_x, to_y) and _is_away(b, figure, to_x, to_y):
                state.place[X, figure], state.place[Y, figure] = to_x, to_y
                appears(state, figure)
                return 1
    return 0


@on_battle(1)
def rally(b: Battle, figure: int) -> None:
    """Bring a routed figure back, or lose it for good (NA-2.9, NA-2.10)."""
    state, play = b.state, b.play
    rolled = roll(b, who(state, figure), RALLY_DIE, 0, play.morale_die)
    total = rolled + nerve(b, figure)
    state.figure[TRIES, figure] += 1
    back = total >= play.rally_need and _comes_back(b, figure) == 1
    if back:
        becomes(b, figure, IN_PLAY)
        state.figure[BLUE, figure] = 0
        shows(state, figure)
        state.tally[RALLIES + state.figure[SIDE, figure]] += 1
    else:
        becomes(b, figure, OUT)
    x, y = thousandths(state.place[X, figure]), thousandths(state.place[Y, figure])
    note(b, RALLIED, figure, rolled, total, int(back), x, y, -1, -1, -1, -1)
