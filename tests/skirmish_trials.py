"""Single events of the kernel, played many times from one position made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

from tests.skirmish_positions import setup_of
from wargamesim.compiled import compiled
from wargamesim.games.skirmish.battle import battle_of, set_up
from wargamesim.games.skirmish.battle_act import act, attempt
from wargamesim.games.skirmish.battle_fire import reload, shoot
from wargamesim.games.skirmish.battle_melee import fight
from wargamesim.games.skirmish.battle_move import move
from wargamesim.games.skirmish.battle_nerve import rally
from wargamesim.games.skirmish.battle_record import Battle, who
from wargamesim.games.skirmish.battle_volley import blind_fire, volley
from wargamesim.games.skirmish.layout import (
    ACTION_FIELDS,
    DROP_X,
    DROP_Y,
    FIELDS,
    PLACES,
    TALLIES,
    TARGET,
    State,
    X,
    Y,
)

AIMED, UNAIMED, ROUND, ATTEMPT, RALLY, VOLLEY, BLIND, MOVE, RELOAD, AS_DECLARED = range(10)


@compiled
def play_trials(
    b: Battle, start: State, what: int, figures: NDArray[np.int16], places: Any, tallies: NDArray[np.int64]
) -> None:
    """Let figure 0 (or its squad) do one thing in battle after battle, and note how all are afterwards.

    AS_DECLARED is a whole activation with the plan as the order; what is impossible is not done.
    """
    state = b.state
    for i in range(len(figures)):
        b.number = i
        set_up(state, start)
        state.turn = 1
        for field in range(ACTION_FIELDS):
            b.action[field] = b.plan.action[field]
        b.to[X], b.to[Y] = b.plan.to[X], b.plan.to[Y]
        if what in (AIMED, UNAIMED):
            shoot(b, 0, b.action[TARGET], 0, who(state, 0), 0, what)
        elif what == ROUND:
            fight(b, 0, who(state, 0), 0)
        elif what == ATTEMPT:
            attempt(b, 0, who(state, 0))
        elif what == RALLY:
            rally(b, 0)
        elif what == VOLLEY:
            volley(b, 0)
        elif what == BLIND:
            blind_fire(b, 0)
        elif what == MOVE:
            move(b, 0, who(state, 0))
        elif what == RELOAD:
            tallies[i, 0] = reload(b, 0, 0, who(state, 0))
        elif what == AS_DECLARED:
            act(b, 0, 1)
        for figure in range(state.count):
            for field in range(FIELDS):
                figures[i, field, figure] = state.figure[field, figure]
            for plane in range(PLACES):
                places[i, plane, figure] = state.place[plane, figure]
        if what != RELOAD:
            for tally in range(TALLIES):
                tallies[i, tally] = state.tally[tally]


class Trials(NamedTuple):
    """What became of everybody: arrays of [trial, field, figure], [trial, X or Y ..., figure] and [trial, tally].

    `last` is the state after the last trial.
    """

    figures: NDArray[np.int16]
    places: NDArray[np.float64]
    tallies: NDArray[np.int64]
    last: State

    def count(self, *wanted: tuple[int, int, int]) -> int:
        """Return in how many trials all of these (field, figure, value) hold."""
        holds = [self.figures[:, field, figure] == value for field, figure, value in wanted]
        return int(np.logical_and.reduce(holds).sum())


def trials(
    what: int,
    figures: Sequence[Any],
    count: int,
    *,
    key: int = 1,
    action: dict[int, int] | None = None,
    to: tuple[float, float] = (0.0, 0.0),
    members: int = 0,
    **more: Any,
) -> Trials:
    """Play one event from a position (see `skirmish_positions.setup_of`, which `more` goes to) many times.

    A figure's `drop` is where its thrown weapon lies, and `known` has those who know of it though it hides.
    """
    setup = setup_of(figures, **more)
    for i, given in enumerate(figures):
        setup.start.place[DROP_X : DROP_Y + 1, i] = given.get("drop", (0, 0))
        for observer in given.get("known", ()):
            setup.start.observers[observer // 64, i] |= np.uint64(1 << observer % 64)
    table = battle_of(setup, key)
    table.plan.action[TARGET] = 1
    for field, value in (action or {}).items():
        table.plan.action[field] = value
    table.plan.to[:] = table.declared_to[0] = to
    table.declared[0] = table.plan.action
    table.plan.members[:members], table.plan.member_count = range(members), members
    n = len(figures)
    played = Trials(
        np.zeros((count, FIELDS, n), np.int16),
        np.zeros((count, PLACES, n)),
        np.zeros((count, TALLIES), np.int64),
        table.state,
    )
    play_trials(table, setup.start, what, *played[:3])
    return played


def least_chance(counts: Sequence[int], total: int, chances: Sequence[float]) -> float:
    """Return the smallest two-sided p-value of counts out of a total, times their number (Bonferroni)."""
    tested = [
        binomtest(int(count), total, min(max(float(chance), 0.0), 1.0)).pvalue
        for count, chance in zip(counts, chances, strict=True)
    ]
    return float(min(tested) * len(tested))
