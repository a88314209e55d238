"""What the players decide: who acts next on a card, what a figure does, and the small answers. Compiled.

Both implementations of the rules call these functions; the referee checks that what they propose is legal. A proposal
is `plan.action`, with `plan.to` for a place and `plan.members` for those who fire together:

=========== =======================================================================================
WHAT        of `choose`: who acts
=========== =======================================================================================
END         nobody any more on this card
ACT         FIGURE, which `act` will ask for
VOLLEY      the members, aiming at the place
BLIND       the members, at the wood (TARGET 0) or building (1) in which the place lies
RALLY       the routed FIGURE
=========== =======================================================================================

=========== =======================================================================================
WHAT        of `act`: what the FIGURE does
=========== =======================================================================================
PASS        nothing
MOVE        to the place, walking or with RUN, with a change of POSTURE; shoots at TARGET with SLOT if
            that is not -1, before the move if SHOOT_FIRST; may HIDE at its end or EXIT from the table
SHOOT       at TARGET with SLOT
POSTURE_SHOT the same, lying down or standing up (POSTURE) in place
RELOAD      SLOT; snaps at TARGET if that is not -1 and it comes to that
FIGHT       a round of close combat where it stands
TAKE        GRAB (a figure, or LOAD_0 and the load), or lets go what it drags (-1)
ARSON_TRY   sets fire to the building beside it
STAIRS      to the floor TARGET
=========== =======================================================================================
"""

from __future__ import annotations

from math import inf, sqrt

from wargamesim.games.skirmish.compiling import merged, public, typed
from wargamesim.games.skirmish.doctrine import DoctrineRecord
from wargamesim.games.skirmish.layout import (
    ACT,
    BLUE,
    DRAGS,
    END,
    FIGURE,
    GRADE,
    HIDDEN,
    IN_PLAY,
    LEADER,
    LOAD_0,
    MOST_FIGURES,
    MOVE,
    ON_CARD,
    RALLY,
    ROLES,
    ROUTED,
    S_COUNT,
    S_FIRST,
    SHOTS,
    SIDE,
    SQUAD,
    STATUS,
    TARGET,
    WEAPON,
    WEAPON_2,
    WHAT,
    WOUNDS,
    Goals,
    Ground,
    Plan,
    State,
    X,
    Y,
)
from wargamesim.games.skirmish.orders_act import (
    charges,
    clear,
    fights,
    recovers,
    reloads,
    shoots,
    uses_the_time,
    waits_now,
)
from wargamesim.games.skirmish.orders_cover import to_refuge
from wargamesim.games.skirmish.orders_fire import (
    best_target,
    hit_chance,
    is_ready,
    may_repeat,
    shelter_of,
    slot_to_reload,
)
from wargamesim.games.skirmish.orders_goal import goes, goes_home, minds_prisoner
from wargamesim.games.skirmish.orders_hands import fetches, takes
from wargamesim.games.skirmish.orders_melee import melee_chance
from wargamesim.games.skirmish.orders_move import NO_DISTANCE
from wargamesim.games.skirmish.orders_plan import (
    CLAIM_X,
    CLAIM_Y,
    NEAR,
    ORDER,
    R_COUNT,
    R_NEAR,
    R_SQUAD,
    R_USEFUL,
    R_WAITS,
    SQUAD_ROW,
    is_sprung,
    survey,
)
from wargamesim.games.skirmish.orders_stairs import flees_fire
from wargamesim.games.skirmish.orders_volley import fires_blind, fires_volley, may_act, waits_for_volley
from wargamesim.games.skirmish.playing import CHOICES, SQUAD_CARDS, Play
from wargamesim.games.skirmish.sight import MORE, distance2, foe_of, nearest_known
from wargamesim.games.skirmish.whereabouts import gap2_from, members, own_first, own_squads

TWICE_A_CARD = CHOICES["twice_on_card"][1].index("twice_a_card")
ONE_SLOT = CHOICES["rally_costs"][1].index("one_slot")
SAME_TARGET = CHOICES["repeat_target"][1].index("same_target")
CUMULATIVE = CHOICES["repeat_penalty"][1].index("cumulative")
ACTIVATION = CHOICES["repeat_scope"][1].index("activation")
# Why `choose` is asked: a card of the squad, an ace for one of it, or a joker for all of it once more.
OWN_CARD, BY_ACE = range(2)


@merged
def _is_fresh(state: State, squad: int) -> bool:
    """Tell whether nobody of the squad has acted on the card in play."""
    first = int(state.squad[S_FIRST, squad])
    acted = 0
    for i in range(first, first + int(state.squad[S_COUNT, squad])):
        acted += int(state.figure[ON_CARD, i])
    return acted == 0


@typed
def _had_better_wait(state: State, play: Play, figure: int) -> bool:
    """Tell whether a shaken figure would rather run for good than recover if it were asked to act (NA-8.5)."""
    total = play.morale_grade[state.figure[GRADE, figure]]
    if state.figure[WOUNDS, figure] > 0:
        total += play.morale_wounded
    if total + play.morale_alone >= 0:
        return False
    spread2, command2 = play.spread_radius * play.spread_radius, play.command_radius * play.command_radius
    led, alone = 0, 1
    first, end = own_squads(state, figure)
    for place in range(end - first):
        squad = own_first(state, figure, place)
        if gap2_from(state, squad, figure) > max(spread2, command2):
            continue
        begin, stop = members(state, squad)
        for i in range(begin, stop):
            if i == figure or state.figure[STATUS, i] != IN_PLAY:
                continue
            d2 = distance2(state, figure, i)
            if d2 <= spread2:
                alone = 0
            if state.figure[ROLES, i] & LEADER != 0 and d2 <= command2:
                led = 1
        if led == 1 and alone == 0:
            break
    total += led * play.morale_leader + alone * play.morale_alone
    steady = play.morale_die - (play.steady_at_least - total) + 1
    return bool(play.rout_at_most - total > steady)


@typed
def _next(state: State, play: Play, plan: Plan) -> int:
    """Return the next figure of the order that may act and had better, or -1."""
    rounds = play.cap if play.twice_on_card == TWICE_A_CARD else 1
    for most in range(1, rounds + 1):
        for k in range(int(plan.scratch[SQUAD_ROW, R_COUNT])):
            figure = int(plan.list[ORDER, k])
            if not may_act(state, play, figure, most):
                continue
            if state.figure[BLUE, figure] != 0:
                if not _had_better_wait(state, play, figure):
                    return figure
            elif not (waits_now(state, plan, figure, plan.scratch[NEAR, figure]) and is_ready(state, play, figure, 0)):
                return figure
    return -1


@typed
def _rallies(state: State, play: Play, doctrine: DoctrineRecord, plan: Plan, squad: int, slots: int, why: int) -> bool:
    """Rally a routed figure if the rules let the squad and little enough is given up for it (NA-2.9, RI-2.11)."""
    if doctrine.rally_cost == 0 or (play.deck_kind == SQUAD_CARDS) != (why != OWN_CARD):
        return False
    if why == OWN_CARD and state.rallied[squad] != 0:
        return False
    first = int(state.squad[S_FIRST, squad])
    best, best_total, live = -1, -100, 0
    for i in range(first, first + int(state.squad[S_COUNT, squad])):
        if state.figure[STATUS, i] == IN_PLAY:
            live += 1
        elif state.figure[STATUS, i] == ROUTED:
            total = play.morale_grade[state.figure[GRADE, i]]
            total += play.morale_wounded if state.figure[WOUNDS, i] > 0 else 0
            if total > best_total:
                best, best_total = i, total
    given_up = 1 if why == OWN_CARD and play.rally_costs == ONE_SLOT else min(slots, live)
    if best < 0 or given_up > doctrine.rally_cost or play.morale_die + best_total < play.rally_need:
        return False
    plan.action[WHAT], plan.action[FIGURE] = RALLY, best
    return True


@public
def choose(
    state: State,
    ground: Ground,
    play: Play,
    doctrine: DoctrineRecord,
    goals: Goals,
    plan: Plan,
    squad: int,
    slots: int,
    why: int,
) -> None:
    """Say who of a squad acts next on this card, or that nobody does."""
    clear(plan)
    plan.action[WHAT] = END
    fresh = _is_fresh(state, squad)
    if fresh or plan.scratch[SQUAD_ROW, R_SQUAD] != squad + 1:
        survey(state, ground, play, doctrine, goals, plan, squad, slots, 1 if why == BY_ACE else 0)
        # A figure that acts by an ace had better shoot or load.
        useful = why == BY_ACE and plan.scratch[SQUAD_ROW, R_USEFUL] == 1
        if fresh and not useful and _rallies(state, play, doctrine, plan, squad, slots, why):
            return
        if plan.scratch[SQUAD_ROW, R_NEAR] <= doctrine.open_fire:
            if fires_volley(state, ground, play, doctrine, plan, squad, slots):
                return
            if waits_for_volley(state, play, doctrine, squad):
                plan.scratch[SQUAD_ROW, R_WAITS] = 1
        if fires_blind(state, ground, play, doctrine, plan, squad, slots):
            return
    figure = _next(state, play, plan)
    if figure >= 0:
        plan.action[WHAT], plan.action[FIGURE] = ACT, figure


@merged
def _is_armed(state: State, play: Play, figure: int, d: float) -> bool:
    """Tell whether a figure can shoot; a second weapon counts if the enemy is in its reach or the main one is lost."""
    if is_ready(state, play, figure, 0):
        return True
    if not is_ready(state, play, figure, 1):
        return False
    return bool(d <= play.reach[state.figure[WEAPON_2, figure]] or slot_to_reload(state, play, figure) < 0)


@typed
def _act(
    state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, goals: Goals, plan: Plan, figure: int
) -> None:
    """Say what a steady figure does."""
    enemy = nearest_known(state, figure)
    d = max(sqrt(distance2(state, figure, enemy)), NO_DISTANCE) if enemy >= 0 else inf
    if d <= play.diameter * MORE:
        foe = foe_of(state, play, figure)
        if foe >= 0:
            fights(state, ground, play, doctrine, plan, figure, foe)
            return
    if ground.opaque == 1 and play.has_arson == 1 and flees_fire(state, ground, play, plan, figure):
        return
    side = int(state.figure[SIDE, figure])
    if state.figure[DRAGS, figure] >= LOAD_0:
        goes_home(state, ground, play, doctrine, goals, plan, figure)
        return
    # Prisoners by whom the battle is won go before the enemy who is still in arms.
    if goals.prisoners[side] > 0 and minds_prisoner(state, ground, play, doctrine, goals, plan, figure):
        return
    if state.figure[HIDDEN, figure] != 0 and not is_sprung(
        state, doctrine, side, min(d, plan.scratch[SQUAD_ROW, R_NEAR])
    ):
        reloads(state, ground, play, doctrine, plan, figure)
        return
    if takes(state, play, doctrine, goals, plan, figure):
        return
    ready = 1 if _is_armed(state, play, figure, d) else 0
    wants_contact = d <= doctrine.charge_at and (ready == 0 or doctrine.shoot_first == 0)
    if wants_contact and charges(state, ground, play, doctrine, plan, figure):
        return
    if ready == 1 and d <= doctrine.open_fire and shoots(state, ground, play, doctrine, goals, plan, figure, enemy, d):
        return
    if fetches(state, ground, play, plan, figure):
        return
    if ready == 0 and recovers(state, ground, play, doctrine, plan, figure, enemy, d):
        return
    if goes(state, ground, play, doctrine, goals, plan, figure, enemy, d, ready, inf):
        return
    if ready == 0 and reloads(state, ground, play, doctrine, plan, figure):
        return
    if minds_prisoner(state, ground, play, doctrine, goals, plan, figure):
        return
    uses_the_time(state, ground, play, doctrine, plan, figure, enemy, d, ready)


@public
def act(
    state: State,
    ground: Ground,
    play: Play,
    doctrine: DoctrineRecord,
    goals: Goals,
    plan: Plan,
    figure: int,
    pinned: int,
) -> None:
    """Say what a figure does, or declares that it will do; one that is pinned may only go toward cover."""
    clear(plan)
    plan.action[FIGURE] = figure
    squad = int(state.figure[SQUAD, figure])
    if plan.scratch[SQUAD_ROW, R_SQUAD] != squad + 1:
        survey(state, ground, play, doctrine, goals, plan, squad, MOST_FIGURES, 0)
    if pinned == 1:
        to_refuge(state, ground, play, plan, figure)
    else:
        _act(state, ground, play, doctrine, goals, plan, figure)
    moves = plan.action[WHAT] == MOVE
    plan.scratch[CLAIM_X, figure] = plan.to[X] if moves else state.place[X, figure]
    plan.scratch[CLAIM_Y, figure] = plan.to[Y] if moves else state.place[Y, figure]


@public
def next_shot(
    state: State,
    ground: Ground,
    play: Play,
    doctrine: DoctrineRecord,
    goals: Goals,  # noqa: ARG001
    plan: Plan,
    figure: int,
    slot: int,
    fired: int,
) -> int:
    """Return the target of a further shot of a repeater in the same action, or -1 (RI-6.1)."""
    if not is_ready(state, play, figure, slot) or not may_repeat(state, play, figure, slot, fired, 0):
        return -1
    before = fired if play.repeat_scope == ACTIVATION else int(state.figure[SHOTS, figure])
    penalty = play.repeater_penalty * (before if play.repeat_penalty == CUMULATIVE else min(before, 1))
    x, y = state.place[X, figure], state.place[Y, figure]
    nearest = nearest_known(state, figure)
    target = best_target(state, ground, play, doctrine, figure, slot, nearest, x, y, doctrine.open_fire, penalty)
    if play.repeat_target == SAME_TARGET and target != plan.action[TARGET]:
        return -1
    if target < 0:
        return -1
    shelter = shelter_of(state, ground, play, target, x, y)
    chance = hit_chance(state, play, figure, slot, target, x, y, shelter, penalty)
    return target if chance > 0.0 and chance >= doctrine.least_chance else -1


@public
def evades(
    state: State,
    ground: Ground,  # noqa: ARG001
    play: Play,
    doctrine: DoctrineRecord,
    figure: int,
    attacker: int,
) -> int:
    """Return 1 if a figure that may run away from an attacker does (NA-7.3)."""
    return 1 if melee_chance(state, play, figure, attacker, 0) < doctrine.evade_below else 0


@public
def shoots_first(state: State, play: Play, doctrine: DoctrineRecord, figure: int, opponents: int) -> int:
    """Return the slot of the firearm shot before a round of close combat, the second weapon first, or -1 (NA-7.16)."""
    best_total = play.morale_die + play.morale_grade[state.figure[GRADE, figure]] + play.morale_leader
    if doctrine.shoot_in_melee == 0 or best_total + play.permission_per_opponent * opponents < play.permission_need:
        return -1
    for k in range(2):
        slot = 1 - k
        if is_ready(state, play, figure, slot) and play.thrown[state.figure[WEAPON + slot, figure]] == 0:
            return slot
    return -1


@public
def captures(
    state: State,  # noqa: ARG001
    play: Play,  # noqa: ARG001
    doctrine: DoctrineRecord,
    victim: int,  # noqa: ARG001
    several: int,  # noqa: ARG001
) -> int:
    """Return 1 if several figures take the one they have beaten prisoner (NA-7.13)."""
    return int(doctrine.capture)
