"""What players of skirmishes want in positions made by hand: helpers for the tests of orders."""

from __future__ import annotations

from typing import Any

from tests.skirmish_positions import figure
from wargamesim import records
from wargamesim.games.skirmish import orders
from wargamesim.games.skirmish.doctrine import DOCTRINE, compile_doctrine
from wargamesim.games.skirmish.judge import Judge
from wargamesim.games.skirmish.layout import LEADER, LOADING, PLAN, REGULAR, ROLES, ROUNDS
from wargamesim.games.skirmish.referee_rules import Action
from wargamesim.games.skirmish.referee_table import Table
from wargamesim.games.skirmish.whereabouts import look_anew

OWN_CARD, BY_ACE, BY_JOKER = range(3)
EMPTY = {LOADING: 3, ROUNDS: 0}


def doctrine(**parameters: Any) -> Any:
    """Return a doctrine of which some parameters are given, as orders take it."""
    return records.pack(compile_doctrine(parameters), DOCTRINE)


def chosen(setup: Any, wish: Any, squad: int = 0, slots: int = 20, why: int = OWN_CARD) -> Action:
    """Return who of a squad acts next."""
    plan = records.new_record(PLAN)
    look_anew(setup.start)
    orders.choose(setup.start, setup.ground, setup.play, wish, setup.goals, plan, squad, slots, why)
    return Action.of(plan)


def done(setup: Any, wish: Any, number: int = 0, pinned: int = 0) -> Action:
    """Return what a figure does, which must be legal."""
    plan = records.new_record(PLAN)
    look_anew(setup.start)
    orders.act(setup.start, setup.ground, setup.play, wish, setup.goals, plan, number, pinned)
    action = Action.of(plan)
    judge_of(setup).action(action, number, bool(pinned))
    return action


def judge_of(setup: Any) -> Judge:
    """Return the judge of a position."""
    return Judge(Table(setup.start, setup.ground, setup.play), setup.names, setup.goals.exit_edge.tolist())


def line(y: float, side: int, count: int = 8, **fields: Any) -> list[Any]:
    """Return a line of regulars with an officer behind."""
    also = {ROLES: REGULAR, **fields.pop("also", {})}
    behind = 2.5 if side == 0 else -2.5
    men = [figure(30 + 2.5 * k, y, side, also=also, **fields) for k in range(count)]
    return [*men, figure(30 + 1.25 * count, y + behind, side, weapon="pistol", also={ROLES: LEADER})]
