"""What a player keeps in mind during a side's turn: distances to the enemy, who has acted, scratch memory. Compiled."""

from __future__ import annotations

import numpy as np

from wargamesim.bits import NONE, bit, spread
from wargamesim.compiled import inlined, inner
from wargamesim.games.azincourt.doctrine import ADVANCE, HOLD, WITH_FOOT, DoctrineRecord
from wargamesim.games.azincourt.layout import (
    ALIVE,
    COL,
    KIND,
    LARGEST,
    LOST,
    MOST_PIECES,
    ROW,
    SIDE,
    UNHORSED,
    State,
)
from wargamesim.games.azincourt.reach import PATH_STATES, inside, passable
from wargamesim.games.azincourt.rules import ARCHER, CANNON, CROSSBOW, KNIGHT, MOST_ROAD_SQUARES, RulesRecord
from wargamesim.games.azincourt.state import is_mounted

# Distances are kept up to this many steps; whoever is further away, or cut off, does not march.
DEPTH = 80
ON_FOOT, ON_HORSE = 0, 1

# Fields of the memo. FIRST and END bound the side's pieces; BODY is the mean distance of its foot to the enemy.
# KEEP_OUT is how far shooters stay from the enemy while the army waits.
OWNER, TURN, PHASE, CURSOR, FIRST, END, MARCHERS, FOOT_MODE, HORSE_MODE, SHOOTERS_WALK, BODY, KEEP_OUT, VIEWED = range(
    13
)
MEMOS = 13

# Rows of `zones`: squares from which an arrow may reach an enemy, squares that enemy cavalry is near, squares that
# enemy arrows may reach, squares that have a view of an enemy (looked for when VIEWED), own foot and horse.
IN_RANGE, CAVALRY_NEAR, UNDER_FIRE, VIEW, MASS = range(5)
ZONES = 5


# The memory of one side's turn, a record like the state's:
#
#   layers    on foot and on horse: the squares at most so many steps from an enemy, pieces not counted as obstacles
#   depth     how many layers are filled
#   marchers  the pieces that march and fight, nearest to the enemy first
#   action    what `orders.propose` proposes
#   fight_of  after `orders.divide`: the fight of each piece, or -1
#   the rest  scratch
PLAN = np.dtype(
    [
        ("memo", np.int64, MEMOS),
        ("action", np.int64, 8),
        ("depth", np.int64, 2),
        ("layers", np.uint64, (2, DEPTH, LARGEST)),
        ("tally", np.int64, DEPTH + 1),
        ("zones", np.uint64, (ZONES, LARGEST)),
        ("marchers", np.int16, MOST_PIECES),
        ("acted", np.int8, MOST_PIECES),
        ("fight_of", np.int16, MOST_PIECES),
        ("found", np.int16, MOST_PIECES),
        ("scratch", np.int16, (5, MOST_PIECES)),
        ("out", np.uint64, LARGEST),
        ("free", np.uint64, LARGEST),
        ("paths", np.uint64, (PATH_STATES * (MOST_ROAD_SQUARES + 1), LARGEST)),
    ],
    align=True,
)
Plan = np.record


@inlined
def is_shooter(state: State, piece: int) -> bool:
    """Tell whether the piece shoots arrows."""
    return state.pieces[KIND, piece] == ARCHER or state.pieces[KIND, piece] == CROSSBOW


@inlined
def distance(state: State, plan: Plan, piece: int) -> int:
    """Return the steps from a piece to the nearest enemy over open ground, or -1 beyond what the plan looked at."""
    field = ON_HORSE if is_mounted(state, piece) else ON_FOOT
    row, here = state.pieces[ROW, piece], bit(state.pieces[COL, piece])
    for steps in range(plan.depth[field]):
        if plan.layers[field, steps, row] & here != NONE:
            return steps
    return -1


@inner
def survey(state: State, rules: RulesRecord, doctrine: DoctrineRecord, plan: Plan, side: int, turn: int) -> None:
    """Look over the field at the start of a side's turn."""
    memo = plan.memo
    for field in range(MEMOS):
        memo[field] = 0
    memo[OWNER], memo[TURN] = side, turn
    _find_own(state, plan)
    _zone_of_arrows(state, rules, plan)
    _choose_modes(state, rules, doctrine, plan)
    if doctrine.plant_distance > 0:
        _zone_of_cavalry(state, doctrine, plan)
    _line_up(state, rules, doctrine, plan)


@inner
def _find_own(state: State, plan: Plan) -> None:
    memo = plan.memo
    side, pieces = memo[OWNER], state.count
    english = 0
    while english < pieces and state.pieces[SIDE, english] == 0:
        english += 1
    memo[FIRST], memo[END] = (0, english) if side == 0 else (english, pieces)
    for row in range(state.height):
        plan.zones[MASS, row] = NONE
    for piece in range(memo[FIRST], memo[END]):
        plan.acted[piece] = 1 - state.pieces[ALIVE, piece]
        fights = not is_shooter(state, piece) and state.pieces[KIND, piece] != CANNON
        if state.pieces[ALIVE, piece] == 1 and fights:
            plan.zones[MASS, state.pieces[ROW, piece]] |= bit(state.pieces[COL, piece])


@inner
def _choose_modes(state: State, rules: RulesRecord, doctrine: DoctrineRecord, plan: Plan) -> None:
    """Decide who marches this turn: what the doctrine says, unless the army waits, loses patience or sallies."""
    memo = plan.memo
    enemy = 1 - memo[OWNER]
    own_turn = (memo[TURN] + 1) // 2
    hurt = state.tally[LOST + enemy] + state.tally[UNHORSED + enemy]
    memo[FOOT_MODE], memo[HORSE_MODE] = doctrine.foot, doctrine.horse
    memo[SHOOTERS_WALK] = doctrine.shooters_advance
    if own_turn <= doctrine.wait_turns and not _is_under_fire(state, rules, plan):
        memo[FOOT_MODE] = memo[HORSE_MODE] = HOLD
        memo[KEEP_OUT] = _enemy_reach(state, rules, plan) + 1
    elif doctrine.sally_after > 0 and hurt >= doctrine.sally_after:
        memo[FOOT_MODE] = memo[HORSE_MODE] = ADVANCE
    elif doctrine.patience > 0 and own_turn > doctrine.patience and not _has_range(state, plan):
        memo[FOOT_MODE], memo[HORSE_MODE], memo[SHOOTERS_WALK] = ADVANCE, WITH_FOOT, 1


@inner
def _enemy_reach(state: State, rules: RulesRecord, plan: Plan) -> int:
    """Return the longest range of the arrows that the enemy still has."""
    reach = 0
    for piece in range(state.count):
        enemy = state.pieces[SIDE, piece] != plan.memo[OWNER] and state.pieces[ALIVE, piece] == 1
        if enemy and is_shooter(state, piece):
            reach = max(reach, rules.reach[state.pieces[KIND, piece]])
    return reach


@inner
def _is_under_fire(state: State, rules: RulesRecord, plan: Plan) -> bool:
    """Tell whether enemy arrows may reach any own piece."""
    for row in range(state.height):
        plan.zones[UNDER_FIRE, row] = NONE
    for piece in range(state.count):
        enemy = state.pieces[SIDE, piece] != plan.memo[OWNER] and state.pieces[ALIVE, piece] == 1
        if enemy and is_shooter(state, piece):
            plan.zones[UNDER_FIRE, state.pieces[ROW, piece]] |= bit(state.pieces[COL, piece])
    _grow(state, plan, UNDER_FIRE, _enemy_reach(state, rules, plan))
    for row in range(state.height):
        if plan.zones[UNDER_FIRE, row] & state.rows[plan.memo[OWNER], row] != NONE:
            return True
    return False


@inner
def _has_range(state: State, plan: Plan) -> bool:
    """Tell whether any own shooter has an enemy in range, seen or not; an army without shooters has none."""
    for piece in range(plan.memo[FIRST], plan.memo[END]):
        if state.pieces[ALIVE, piece] == 1 and is_shooter(state, piece):
            near = plan.zones[IN_RANGE, state.pieces[ROW, piece]] & bit(state.pieces[COL, piece])
            if near != NONE:
                return True
    return False


@inlined
def _grow(state: State, plan: Plan, zone: int, steps: int) -> None:
    """Add to a zone all squares within so many king's steps."""
    whole = inside(state)
    for _ in range(steps):
        above, here = NONE, plan.zones[zone, 0]
        for row in range(state.height):
            below = plan.zones[zone, row + 1] if row + 1 < state.height else NONE
            plan.zones[zone, row] = spread(above | here | below) & whole
            above, here = here, below


@inner
def _zone_of_arrows(state: State, rules: RulesRecord, plan: Plan) -> None:
    for row in range(state.height):
        plan.zones[IN_RANGE, row] = state.rows[1 - plan.memo[OWNER], row]
    _grow(state, plan, IN_RANGE, max(rules.reach[ARCHER], rules.reach[CROSSBOW]))


@inner
def _zone_of_cavalry(state: State, doctrine: DoctrineRecord, plan: Plan) -> None:
    for row in range(state.height):
        plan.zones[CAVALRY_NEAR, row] = NONE
    for piece in range(state.count):
        enemy = state.pieces[SIDE, piece] != plan.memo[OWNER] and state.pieces[ALIVE, piece] == 1
        if enemy and is_mounted(state, piece):
            plan.zones[CAVALRY_NEAR, state.pieces[ROW, piece]] |= bit(state.pieces[COL, piece])
    _grow(state, plan, CAVALRY_NEAR, doctrine.plant_distance)


@inner
def _line_up(state: State, rules: RulesRecord, doctrine: DoctrineRecord, plan: Plan) -> None:
    """Measure distances for those who may march, and put the nearest first."""
    memo = plan.memo
    shooters_fight = doctrine.shooters_fight == 1 and memo[FOOT_MODE] != 0
    for field in (ON_FOOT, ON_HORSE):
        mode = memo[FOOT_MODE] if field == ON_FOOT else memo[HORSE_MODE]
        marching = mode != 0 or (field == ON_FOOT and memo[SHOOTERS_WALK] == 1)
        # Those who hold only look as far as a piece can strike.
        far = DEPTH if marching else min(DEPTH, _longest(rules, field) + rules.road_bonus + 2)
        _spread_from_enemy(state, plan, field, far)

    # A counting sort by distance; those out of sight of the field stay where they are.
    tally, measured = plan.tally, plan.found
    for steps in range(DEPTH + 1):
        tally[steps] = 0
    foot = total = 0
    for piece in range(memo[FIRST], memo[END]):
        measured[piece] = -1
        if plan.acted[piece] == 1 or state.pieces[KIND, piece] == CANNON:
            continue
        if is_shooter(state, piece) and not shooters_fight:
            continue
        steps = distance(state, plan, piece)
        measured[piece] = steps
        if steps >= 0:
            tally[steps + 1] += 1
            if not is_mounted(state, piece):
                foot += 1
                total += steps
    memo[BODY] = total // foot if foot > 0 else 0
    for steps in range(DEPTH):
        tally[steps + 1] += tally[steps]
    memo[MARCHERS] = tally[DEPTH]
    for piece in range(memo[FIRST], memo[END]):
        if measured[piece] >= 0:
            plan.marchers[tally[measured[piece]]] = piece
            tally[measured[piece]] += 1


@inlined
def _longest(rules: RulesRecord, field: int) -> int:
    longest = 0
    for kind in range(len(rules.speed)):
        if (kind == KNIGHT) == (field == ON_HORSE):
            longest = max(longest, rules.speed[kind])
    return longest


@inner
def _spread_from_enemy(state: State, plan: Plan, field: int, far: int) -> None:
    """Fill the layers of distance until all own pieces of the kind are reached, nothing grows, or it is far enough."""
    enemy, rows = 1 - plan.memo[OWNER], state.height
    mounted = field == ON_HORSE
    missing = False
    for row in range(rows):
        plan.layers[field, 0, row] = state.rows[enemy, row]
        plan.free[row] = passable(state, row, mounted)
        plan.out[row] = NONE
    for piece in range(plan.memo[FIRST], plan.memo[END]):
        if state.pieces[ALIVE, piece] == 1 and is_mounted(state, piece) == mounted:
            plan.out[state.pieces[ROW, piece]] |= bit(state.pieces[COL, piece])
            missing = True
    plan.depth[field] = 1
    steps = 0
    while missing and steps + 1 < far:
        grew = missing = False
        above, here = NONE, plan.layers[field, steps, 0]
        for row in range(rows):
            below = plan.layers[field, steps, row + 1] if row + 1 < rows else NONE
            after = here | (spread(above | here | below) & plan.free[row])
            plan.layers[field, steps + 1, row] = after
            grew |= after != here
            missing |= plan.out[row] & ~after != NONE
            above, here = here, below
        if not grew:
            break
        steps += 1
    plan.depth[field] = steps + 1
