"""How a player marches and charges: the square to move to. Compiled."""

from __future__ import annotations

import numpy as np

from wargamesim.bits import NONE, ONE, bit, count, lowest
from wargamesim.compiled import inner
from wargamesim.games.azincourt.division import chance, defence_value
from wargamesim.games.azincourt.doctrine import HOLD, DoctrineRecord
from wargamesim.games.azincourt.layout import COL, KIND, ROW, SIDE, State
from wargamesim.games.azincourt.plan import (
    BODY,
    FOOT_MODE,
    HORSE_MODE,
    IN_RANGE,
    KEEP_OUT,
    MASS,
    ON_FOOT,
    ON_HORSE,
    SHOOTERS_WALK,
    VIEW,
    VIEWED,
    Plan,
    distance,
)
from wargamesim.games.azincourt.reach import reachable
from wargamesim.games.azincourt.rules import CANNON, ENGLISH, RulesRecord
from wargamesim.games.azincourt.sight import targets_from, views
from wargamesim.games.azincourt.state import is_mounted

# Friends this near (squares) are counted on to join a fight in the same turn.
HELP = 3
NOWHERE = (-1, -1)


@inner
def march(state: State, rules: RulesRecord, doctrine: DoctrineRecord, plan: Plan, piece: int) -> tuple[int, int]:
    """Return where a piece that fights hand to hand moves, or (-1, -1) if it stays."""
    mounted = is_mounted(state, piece)
    field = ON_HORSE if mounted else ON_FOOT
    mode = plan.memo[HORSE_MODE] if mounted else plan.memo[FOOT_MODE]
    steps = distance(state, plan, piece)
    strike = rules.speed[state.pieces[KIND, piece]] + rules.road_bonus + 1
    if steps <= 1 or (mode == HOLD and steps > strike):
        return NOWHERE
    span = reachable(state, rules, plan, piece)
    # Nobody runs ahead of the foot further than the formation allows, unless the enemy is upon him.
    ahead = plan.memo[BODY] - doctrine.tightness if doctrine.tightness > 0 and mode != HOLD else 0
    if steps <= strike and (ahead <= 1 or steps <= HELP):
        row, col = _best_contact(state, rules, doctrine, plan, piece, field, span)
        if row >= 0:
            return row, col
    if mode == HOLD:
        return NOWHERE
    return _nearest(state, doctrine, plan, piece, field, span, max(ahead, 2), steps)


@inner
def walk(state: State, rules: RulesRecord, doctrine: DoctrineRecord, plan: Plan, piece: int) -> tuple[int, int]:
    """Return where a shooter without a target walks to get one, or (-1, -1) if it stays."""
    kind = state.pieces[KIND, piece]
    steps = distance(state, plan, piece)
    if kind != CANNON and plan.zones[IN_RANGE, state.pieces[ROW, piece]] & bit(state.pieces[COL, piece]) != NONE:
        # An enemy is in range but covered, by friends as a rule: a step aside may open the view.
        row, col = _best_view(state, rules, doctrine, plan, piece, steps)
        if row >= 0:
            return row, col
    near = doctrine.keep_away if kind == CANNON else max(doctrine.keep_away, plan.memo[KEEP_OUT])
    if plan.memo[SHOOTERS_WALK] == 0 or steps <= near:
        return NOWHERE
    span = reachable(state, rules, plan, piece)
    wanted = max(rules.reach[kind], near) if steps > rules.reach[kind] else near
    return _nearest(state, doctrine, plan, piece, ON_FOOT, span, wanted, steps)


@inner
def _best_view(
    state: State, rules: RulesRecord, doctrine: DoctrineRecord, plan: Plan, piece: int, steps: int
) -> tuple[int, int]:
    """Return a square within reach from which an enemy can be shot, the rearmost that there is, or (-1, -1)."""
    side, reach = state.pieces[SIDE, piece], rules.reach[state.pieces[KIND, piece]]
    if plan.memo[VIEWED] < reach:
        plan.memo[VIEWED] = reach
        for row in range(state.height):
            plan.zones[VIEW, row] = NONE
        views(state, rules, plan, side, reach, VIEW)
    row = state.pieces[ROW, piece]
    span = reachable(state, rules, plan, piece)
    low, high = max(0, row - span), min(state.height - 1, row + span)
    # Squares nearer than is prudent are left out: one's own distance is prudent, contact never is.
    near = min(max(1, min(doctrine.keep_away - 1, steps - 1)), plan.depth[ON_FOOT] - 1)
    for i in range(high - low + 1):
        r = high - i if side == ENGLISH else low + i
        squares = plan.out[r] & plan.zones[VIEW, r] & ~plan.layers[ON_FOOT, near, r]
        while squares != NONE:
            c = lowest(squares)
            squares &= squares - ONE
            # Others have moved since the view was looked for, and looks are not always straight.
            if targets_from(state, rules, plan, piece, r, c) > 0:
                return r, c
    return NOWHERE


@inner
def _nearest(
    state: State, doctrine: DoctrineRecord, plan: Plan, piece: int, field: int, span: int, wanted: int, steps: int
) -> tuple[int, int]:
    """Return the square within reach that is nearest to the enemy, but not nearer than wanted; straight ahead first."""
    row, col, side = state.pieces[ROW, piece], state.pieces[COL, piece], state.pieces[SIDE, piece]
    outward = doctrine.flank == 1 and field == ON_HORSE
    low, high = max(0, row - span), min(state.height - 1, row + span)
    middle = state.width // 2
    # No move of `span` steps brings anybody nearer by more than that.
    for away in range(max(wanted, steps - span), min(steps, plan.depth[field])):
        best_row, best_col, best = -1, -1, -1000
        for i in range(high - low + 1):
            r = low + i if side == ENGLISH else high - i
            squares = plan.out[r] & plan.layers[field, away, r] & ~plan.layers[field, wanted - 1, r]
            while squares != NONE:
                c = lowest(squares)
                squares &= squares - ONE
                worth = abs(c - middle) if outward else -abs(c - col)
                if worth > best:
                    best_row, best_col, best = r, c, worth
        if best_row >= 0:
            return best_row, best_col
    return NOWHERE


@inner
def _best_contact(
    state: State, rules: RulesRecord, doctrine: DoctrineRecord, plan: Plan, piece: int, field: int, span: int
) -> tuple[int, int]:
    """Return the square beside an enemy with the best odds, if they are good enough."""
    row, col, side = state.pieces[ROW, piece], state.pieces[COL, piece], state.pieces[SIDE, piece]
    low, high = max(0, row - span), min(state.height - 1, row + span)
    best_row, best_col, best = -1, -1, doctrine.min_odds
    for i in range(high - low + 1):
        r = low + i if side == ENGLISH else high - i
        squares = plan.out[r] & plan.layers[field, 1, r]
        while squares != NONE:
            c = lowest(squares)
            squares &= squares - ONE
            odds = _odds_at(state, rules, plan, piece, r, c)
            nearer = odds == best and best_row >= 0 and abs(c - col) < abs(best_col - col)
            if odds > best or nearer or (odds == best and best_row < 0):
                best_row, best_col, best = r, c, odds
    return best_row, best_col


@inner
def _odds_at(state: State, rules: RulesRecord, plan: Plan, piece: int, row: int, col: int) -> float:
    """Guess the chance to win on a square: friends near enough to help are taken to be like the piece itself."""
    side = state.pieces[SIDE, piece]
    enemies = against = 0
    for r in range(max(0, row - 1), min(state.height, row + 2)):
        for c in range(max(0, col - 1), min(state.width, col + 2)):
            other = state.at[r, c]
            if other >= 0 and state.pieces[SIDE, other] != side:
                enemies += 1
                against += defence_value(state, rules, other)
    if enemies == 0:
        return -1.0
    window = bit(2 * HELP + 1) - ONE
    window = window << np.uint64(col - HELP) if col >= HELP else window >> np.uint64(HELP - col)
    helpers = 0
    for r in range(max(0, row - HELP), min(state.height, row + HELP + 1)):
        helpers += count(plan.zones[MASS, r] & window)
    attackers = 1 + min(max(helpers - 1, 0), enemies + 1)
    value = rules.value[state.pieces[KIND, piece]]
    gap = (attackers * value - against) / min(attackers, enemies)
    whole = int(np.floor(gap))
    return chance(rules, whole) + (gap - whole) * (chance(rules, whole + 1) - chance(rules, whole))
