"""What players decide in a battle: who waits, who moves where, who interrupts whom, who shoots at whom.

Both implementations of the rules call these functions; the referee checks that what they propose is legal. A proposal
is six integers in `plan.action` (WHAT, TO_FRONT, STEPS, CHARGE, MERGE, STOP; see `layout`), and the hexsides of its
steps in `plan.path`.
"""

from __future__ import annotations

from wargamesim.compiled import compiled, inlined
from wargamesim.games.stirling.doctrine import ALWAYS, HOLD, NEVER, DoctrineRecord
from wargamesim.games.stirling.layout import (
    CHARGE,
    ENGAGED,
    FRONT,
    MERGE,
    REACH,
    STAY,
    STEPS,
    STOP,
    TO_FRONT,
    WHAT,
    Plan,
    State,
)
from wargamesim.games.stirling.orders_contact import fight
from wargamesim.games.stirling.orders_fire import best_target, best_victim
from wargamesim.games.stirling.orders_intercept import interrupt
from wargamesim.games.stirling.orders_march import march
from wargamesim.games.stirling.orders_odds import harm, stance_of
from wargamesim.games.stirling.playing import Play


@compiled
def delay_side(state: State, play: Play, doctrine: DoctrineRecord, plan: Plan, side: int) -> int:  # noqa: ARG001
    """Return 1 if a side has all its units wait with their moves (SS-P25)."""
    return 1 if doctrine.delay == ALWAYS or (doctrine.delay != NEVER and doctrine.foot == HOLD) else 0


@compiled
def delay(state: State, play: Play, doctrine: DoctrineRecord, plan: Plan, unit: int) -> int:  # noqa: ARG001
    """Return 1 if a unit waits with its move until slower ones have moved (SS-5.3)."""
    if doctrine.delay == NEVER:
        return 0
    return 1 if doctrine.delay == ALWAYS or stance_of(state, doctrine, unit) == HOLD else 0


@compiled
def move(state: State, play: Play, doctrine: DoctrineRecord, plan: Plan, unit: int) -> None:
    """Fill in what a unit in order does when it is its turn to move."""
    _stand(state, plan, unit)
    if state.unit[unit, ENGAGED] == 1:
        fight(state, play, doctrine, plan, unit)
    else:
        march(state, play, doctrine, plan, unit)


@compiled
def intercept(
    state: State, play: Play, doctrine: DoctrineRecord, plan: Plan, reply: Plan, unit: int, mover: int
) -> int:
    """Return 1 if a unit that has waited interrupts the mover, whose move is in `plan`; its own is then in `reply`."""
    _stand(state, reply, unit)
    if doctrine.intercept == 0:
        return 0
    return 1 if interrupt(state, play, doctrine, plan, reply, unit, mover) else 0


@compiled
def free_attacker(state: State, play: Play, doctrine: DoctrineRecord, plan: Plan, unit: int) -> int:  # noqa: ARG001
    """Return which of the enemies in `plan.list` strikes the fleeing unit: the one that costs it most (SS-P22)."""
    best, best_harm = int(plan.list[0]), -1.0
    for k in range(plan.listed):
        found = harm(state, play, int(plan.list[k]), unit, 0, 0)
        if found > best_harm:
            best, best_harm = int(plan.list[k]), found
    return best


@compiled
def shoot(state: State, play: Play, doctrine: DoctrineRecord, plan: Plan, unit: int) -> int:  # noqa: ARG001
    """Return the enemy at whom a unit shoots, or -1 (SS-4.1)."""
    return best_target(state, play, doctrine, unit)


@compiled
def cast(state: State, play: Play, doctrine: DoctrineRecord, plan: Plan, unit: int, spell: int) -> int:  # noqa: ARG001
    """Return the enemy on whom a unit casts a spell, or -1 (SS-P09)."""
    return best_victim(state, unit, int(state.spell[spell, REACH]))


@inlined
def _stand(state: State, plan: Plan, unit: int) -> None:
    """Fill in that the unit stays as it is."""
    plan.action[WHAT], plan.action[STEPS], plan.action[CHARGE] = STAY, 0, 0
    plan.action[TO_FRONT] = state.unit[unit, FRONT]
    plan.action[MERGE] = plan.action[STOP] = -1
