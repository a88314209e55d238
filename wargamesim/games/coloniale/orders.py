"""What players decide in a battle: who shoots, who assaults whom, who pursues, who moves and marches where.

Both implementations of the rules call these functions; the referee checks that what they propose is legal. A proposal
is written into `plan` (see `layout`).
"""

from __future__ import annotations

from wargamesim.games.coloniale.compiling import public
from wargamesim.games.coloniale.doctrine import DoctrineRecord
from wargamesim.games.coloniale.layout import SIDE, Goals, Ground, Plan, State
from wargamesim.games.coloniale.orders_assault import best_assault, runs_after
from wargamesim.games.coloniale.orders_fire import shoot
from wargamesim.games.coloniale.orders_march import away, next_place, set_out, stops_at
from wargamesim.games.coloniale.orders_move import decide
from wargamesim.games.coloniale.playing import Play


@public
def fire(
    state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, goals: Goals, plan: Plan, unit: int
) -> None:
    """Fill in at whom a unit shoots and with how many dice; no targets if it keeps still (CO-4.2, CO-4.3)."""
    shoot(state, ground, play, doctrine, goals, plan, unit)


@public
def assault(
    state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, goals: Goals, plan: Plan, side: int
) -> None:
    """Fill in which unit of a side assaults which enemy, or -1 if the side passes (CO-5.1)."""
    best_assault(state, ground, play, doctrine, goals, plan, side)


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
    """Return 1 if the winner of an assault pursues the loser (CO-5.10)."""
    return 1 if runs_after(state, ground, play, doctrine, plan, winner, loser) else 0


@public
def move(
    state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, goals: Goals, plan: Plan, unit: int
) -> None:
    """Fill in what a unit does in phase D: stays, moves, merges, divides or reinforces (CO-6.1 to CO-6.5)."""
    decide(state, ground, play, doctrine, goals, plan, unit)


@public
def march(
    state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, goals: Goals, plan: Plan, unit: int
) -> None:
    """Fill in where a unit marches in phase E, and who follows it (CO-7.1, CO-7.2, CO-7.5)."""
    set_out(state, ground, play, doctrine, goals, plan, unit)


@public
def branch(
    state: State,
    ground: Ground,
    play: Play,
    doctrine: DoctrineRecord,
    goals: Goals,
    plan: Plan,
    unit: int,
    node: int,
    come_from: int,
) -> int:
    """Return the place to which a column at a junction wants to go on (CO-7.3)."""
    return next_place(state, ground, play, doctrine, goals, plan, unit, node, come_from)


@public
def halt(
    state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, goals: Goals, plan: Plan, unit: int, node: int
) -> int:
    """Return 1 if a column that enters a town stops there (CO-7.2)."""
    return 1 if stops_at(state, ground, play, doctrine, goals, plan, unit, node) else 0


@public
def drift(
    state: State,
    ground: Ground,  # noqa: ARG001
    play: Play,  # noqa: ARG001
    doctrine: DoctrineRecord,  # noqa: ARG001
    goals: Goals,  # noqa: ARG001
    plan: Plan,  # noqa: ARG001
    unit: int,
) -> int:
    """Return to which side the march of an enemy's unit errs if we may say so: -1 left, 1 right (CO-P27)."""
    return away(state, 1 - state.unit[unit, SIDE], unit)
