"""What a figure does when it acts: fight, charge, shoot, recover, or use the time. Compiled.

Whatever returns True has filled in the plan.
"""

from __future__ import annotations

from math import inf

from wargamesim.games.skirmish.compiling import merged, typed
from wargamesim.games.skirmish.doctrine import ADVANCE, CLOSE, HOLD, DoctrineRecord
from wargamesim.games.skirmish.layout import (
    CAPACITY,
    EXIT,
    FIGHT,
    FIGURE,
    GRAB,
    HIDDEN,
    LEVEL,
    LIE,
    POSTURE,
    POSTURE_SHOT,
    PRONE,
    REGULAR,
    RELOAD,
    ROLES,
    SHOOT,
    SLOT,
    STAND,
    TARGET,
    WHAT,
    WOUNDS,
    Goals,
    Ground,
    Plan,
    State,
    X,
    Y,
)
from wargamesim.games.skirmish.orders_cover import hides, to_cover
from wargamesim.games.skirmish.orders_fire import best_shot, hit_chance, shelter_of, slot_to_reload, snap_target
from wargamesim.games.skirmish.orders_goal import burns, goes
from wargamesim.games.skirmish.orders_hands import guarded_by
from wargamesim.games.skirmish.orders_melee import best_prey, engaged_chance
from wargamesim.games.skirmish.orders_move import STEP, fall_back, may_move, stay, strike
from wargamesim.games.skirmish.orders_plan import (
    EDGE,
    ENEMY,
    ESCORT,
    LOAD,
    PLACE,
    R_FIRE,
    R_GOAL,
    R_HURRY,
    R_STANCE,
    R_WAITS,
    SQUAD_ROW,
    stop_distance,
)
from wargamesim.games.skirmish.orders_stairs import house_of, takes_stairs
from wargamesim.games.skirmish.playing import CHOICES, Play
from wargamesim.games.skirmish.sight import cover

END_OF_TURN = CHOICES["melee_timing"][1].index("end_of_turn")
# Who keeps his fire for a volley does not when an enemy is so near (cm); enemies so near are taken to shoot (cm).
CLOSE_QUARTERS, UNDER_FIRE = 10.0, 60.0


@merged
def clear(plan: Plan) -> None:
    """Make the plan a proposal to do nothing."""
    for field in range(len(plan.action)):
        plan.action[field] = 0
    plan.action[FIGURE] = plan.action[TARGET] = plan.action[GRAB] = -1


@merged
def waits_now(state: State, plan: Plan, figure: int, d: float) -> bool:
    """Tell whether a figure keeps its fire for a volley of its squad."""
    waits = plan.scratch[SQUAD_ROW, R_WAITS] == 1 and state.figure[ROLES, figure] & REGULAR != 0
    return bool(waits and d > CLOSE_QUARTERS)


@merged
def fights(
    state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, plan: Plan, figure: int, enemy: int
) -> None:
    """Fight where it stands, getting up first; or leave, if the doctrine finds the odds too bad."""
    leaves = doctrine.break_off > 0.0 and engaged_chance(state, play, figure) < doctrine.break_off
    if leaves and fall_back(state, ground, play, doctrine, plan, figure, enemy, inf):
        return
    if state.figure[PRONE, figure] != 0 and play.can_lie == 1 and may_move(state, play, figure):
        stay(state, plan, figure, STAND)
    elif play.melee_timing != END_OF_TURN:
        plan.action[WHAT] = FIGHT
    else:
        slot = slot_to_reload(state, play, figure)
        if slot >= 0:
            plan.action[WHAT], plan.action[SLOT] = RELOAD, slot


@typed
def charges(state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, plan: Plan, figure: int) -> bool:
    """Go into contact with the enemy whom it would most likely beat."""
    if guarded_by(state, play, figure) >= 0:
        return False
    prey = best_prey(state, play, figure, doctrine.charge_at, 0, doctrine.charge_odds)
    if prey < 0:
        return False
    own, other = state.figure[LEVEL, figure], state.figure[LEVEL, prey]
    if own != other:
        same = house_of(state, ground, figure) == house_of(state, ground, prey)
        return same and takes_stairs(state, ground, play, plan, figure, int(own + (1 if other > own else -1)))
    return strike(state, ground, play, doctrine, plan, figure, prey)


@typed
def _shoots_on_the_move(
    state: State,
    ground: Ground,
    play: Play,
    doctrine: DoctrineRecord,
    goals: Goals,
    plan: Plan,
    figure: int,
    enemy: int,
    d: float,
    aimed: float,
) -> bool:
    """Go nearer by as much as a shot after the move allows, if it keeps enough of the chance of an aimed one."""
    most = play.moving_limit_wounded if state.figure[WOUNDS, figure] > 0 else play.moving_limit
    if not goes(state, ground, play, doctrine, goals, plan, figure, enemy, d, 1, most) or plan.action[EXIT] == 1:
        clear(plan)
        plan.action[FIGURE] = figure
        return False
    target, slot, chance = best_shot(
        state, ground, play, doctrine, figure, -1, plan.to[X], plan.to[Y], doctrine.open_fire, play.unaimed, 1
    )
    if target < 0 or chance < doctrine.moving_fire * aimed or chance <= 0.0:
        clear(plan)
        plan.action[FIGURE] = figure
        return False
    plan.action[TARGET], plan.action[SLOT] = target, slot
    return True


@typed
def _lies_to_shoot(
    state: State,
    ground: Ground,
    play: Play,
    doctrine: DoctrineRecord,
    plan: Plan,
    figure: int,
    slot: int,
    target: int,
    aimed: float,
) -> bool:
    """Lie down and shoot in one action, if that keeps enough of the chance of an aimed shot."""
    if play.can_lie == 0 or state.figure[PRONE, figure] != 0:
        return False
    x, y = state.place[X, figure], state.place[Y, figure]
    if cover(state, ground, play, target, figure) != 0:
        return False
    shelter = shelter_of(state, ground, play, target, x, y)
    chance = hit_chance(state, play, figure, slot, target, x, y, shelter, play.unaimed)
    if chance <= 0.0 or chance < doctrine.moving_fire * aimed:
        return False
    plan.action[WHAT], plan.action[POSTURE] = POSTURE_SHOT, LIE
    plan.action[TARGET], plan.action[SLOT] = target, slot
    return True


@typed
def shoots(
    state: State,
    ground: Ground,
    play: Play,
    doctrine: DoctrineRecord,
    goals: Goals,
    plan: Plan,
    figure: int,
    enemy: int,
    d: float,
) -> bool:
    """Shoot aimed or on the move, whichever the doctrine prefers, unless it pays to go nearer or to wait."""
    if waits_now(state, plan, figure, d):
        return True
    x, y = state.place[X, figure], state.place[Y, figure]
    target, slot, chance = best_shot(state, ground, play, doctrine, figure, enemy, x, y, doctrine.open_fire, 0, 0)
    if target < 0 or chance <= 0.0:
        return False
    standing = plan.scratch[SQUAD_ROW, R_GOAL] == ENEMY and (
        plan.scratch[SQUAD_ROW, R_STANCE] == HOLD
        or (plan.scratch[SQUAD_ROW, R_STANCE] == ADVANCE and d <= stop_distance(doctrine))
    )
    hurries = plan.scratch[SQUAD_ROW, R_HURRY] == 1
    # Who looks for cover and has it shoots from there.
    if doctrine.seek_cover >= STEP and chance >= doctrine.least_chance and not hurries:
        standing = standing or cover(state, ground, play, enemy, figure) > 0
    if not standing:
        moving = play.moving_limit > 0.0 and state.figure[CAPACITY + slot, figure] <= 1
        if moving and _shoots_on_the_move(state, ground, play, doctrine, goals, plan, figure, enemy, d, chance):
            return True
        if chance < doctrine.least_chance or hurries:
            return False
    elif doctrine.lie_down == 1 and _lies_to_shoot(state, ground, play, doctrine, plan, figure, slot, target, chance):
        return True
    plan.action[WHAT], plan.action[TARGET], plan.action[SLOT] = SHOOT, target, slot
    return True


@typed
def reloads(state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, plan: Plan, figure: int) -> bool:
    """Reload the weapon that needs it, and snap if it pays."""
    slot = slot_to_reload(state, play, figure)
    if slot < 0:
        return False
    waits = 1 if doctrine.volley_from > 0 and state.figure[ROLES, figure] & REGULAR != 0 and play.has_volleys else 0
    hidden = state.figure[HIDDEN, figure]
    plan.action[WHAT], plan.action[SLOT] = RELOAD, slot
    plan.action[TARGET] = snap_target(state, ground, play, doctrine, figure, slot, max(waits, hidden))
    return True


@typed
def recovers(
    state: State,
    ground: Ground,
    play: Play,
    doctrine: DoctrineRecord,
    plan: Plan,
    figure: int,
    enemy: int,
    d: float,
) -> bool:
    """After its shot: fall back, hide or take cover if the doctrine says so, and reload unless it goes on."""
    if d < doctrine.keep_away and fall_back(state, ground, play, doctrine, plan, figure, enemy, doctrine.keep_away):
        return True
    slot = slot_to_reload(state, play, figure)
    if slot < 0 or burns(state, ground, play, doctrine, plan, figure):
        return slot >= 0
    if (
        doctrine.hide_again == 1
        and state.figure[HIDDEN, figure] == 0
        and hides(state, ground, play, plan, figure, enemy)
    ):
        return True
    off = doctrine.keep_away
    if enemy >= 0 and to_cover(
        state, ground, play, doctrine, plan, figure, state.place[X, enemy], state.place[Y, enemy], off
    ):
        return True
    goal = plan.scratch[SQUAD_ROW, R_GOAL]
    goes_on = plan.scratch[SQUAD_ROW, R_STANCE] == CLOSE or goal in (EDGE, LOAD, ESCORT)
    goes_on = goes_on or plan.scratch[SQUAD_ROW, R_HURRY] == 1 or (goal == PLACE and d > doctrine.open_fire)
    # Who keeps away from the enemy does not walk up to him with an empty weapon either.
    if goes_on and (off == 0.0 or d - play.walk[0] >= off):
        return False
    return reloads(state, ground, play, doctrine, plan, figure)


@typed
def uses_the_time(
    state: State,
    ground: Ground,
    play: Play,
    doctrine: DoctrineRecord,
    plan: Plan,
    figure: int,
    enemy: int,
    d: float,
    ready: int,
) -> None:
    """Do what is useful for a figure that has nothing better to do: a long shot, loading, cover, lying down."""
    limit = plan.scratch[SQUAD_ROW, R_FIRE]
    if ready == 1 and d <= limit and not waits_now(state, plan, figure, d):
        x, y = state.place[X, figure], state.place[Y, figure]
        target, slot, chance = best_shot(state, ground, play, doctrine, figure, enemy, x, y, limit, 0, 0)
        if target >= 0 and chance > 0.0:
            plan.action[WHAT], plan.action[TARGET], plan.action[SLOT] = SHOOT, target, slot
            return
    off = 0.0 if ready == 1 else doctrine.keep_away
    if enemy >= 0 and to_cover(
        state, ground, play, doctrine, plan, figure, state.place[X, enemy], state.place[Y, enemy], off
    ):
        return
    if reloads(state, ground, play, doctrine, plan, figure):
        return
    if (
        doctrine.hide_again == 1
        and state.figure[HIDDEN, figure] == 0
        and hides(state, ground, play, plan, figure, enemy)
    ):
        return
    exposed = enemy >= 0 and d <= UNDER_FIRE and cover(state, ground, play, enemy, figure) == 0
    lies = doctrine.lie_down == 1 and play.can_lie == 1 and may_move(state, play, figure)
    if lies and state.figure[PRONE, figure] == 0 and exposed:
        stay(state, plan, figure, LIE)
