"""Rounds of close combat of the kernel against their exact odds; see `test_skirmish_battle_fire` for the error."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.skirmish_positions import NORDAMERICA, RISORGIMENTO, Figure, figure
from tests.skirmish_trials import ROUND, Trials, least_chance, trials
from wargamesim.games.skirmish.checks import fall
from wargamesim.games.skirmish.layout import (
    BLUE,
    CAPTOR,
    CAPTURED,
    DEAD,
    EVADED,
    EVADES,
    EVASIONS,
    IN_PLAY,
    OUT_UNTIL,
    PRISONERS,
    PRONE,
    ROLES,
    ROUNDS_FOUGHT,
    STATUS,
    WOUNDS,
    X,
    Y,
)
from wargamesim.games.skirmish.melee import melee, several_against_one

FAMILY, COUNT = 1e-4, 20_000
BOOKS = {"nordamerica": NORDAMERICA, "risorgimento": RISORGIMENTO}
# Around (50, 30), in contact with a figure there and not with each other.
AROUND = ((50.0, 28.0), (50.0, 32.0), (48.0, 30.0), (52.0, 30.0))


def becomes(done: Trials, number: int) -> list[int]:
    """Return how often a figure that was unhurt is killed, wounded, and only marked."""
    alive = (STATUS, number, IN_PLAY)
    return [
        done.count((STATUS, number, DEAD)),
        done.count(alive, (WOUNDS, number, 1)),
        done.count(alive, (WOUNDS, number, 0), (BLUE, number, 1)),
    ]


@pytest.mark.parametrize("name", BOOKS)
@pytest.mark.parametrize(
    ("dice", "grades"), [((6, 6), (0, 0)), ((10, 6), (0, 0)), ((8, 10), (1, 0)), ((6, 10), (0, 1))]
)
def test_one_against_one(name: str, dice: tuple[int, int], grades: tuple[int, int]) -> None:
    book = BOOKS[name]
    standard = "regular" if name == "nordamerica" else "conscript"
    names = ["veteran" if grade else standard for grade in grades]
    # Pistols that are empty: nobody shoots before the round.
    pair = [
        figure(50, 30, die=dice[0], grade=names[0], weapon=None),
        figure(50, 28, 1, die=dice[1], grade=names[1], weapon=None),
    ]
    exact = melee(book, *dice, *grades)
    done = trials(ROUND, pair, COUNT, book=book)
    assert least_chance([*becomes(done, 1), *becomes(done, 0)], COUNT, [float(each) for each in exact]) > FAMILY
    assert np.all(done.tallies[:, ROUNDS_FOUGHT] == 1)


@pytest.mark.parametrize("changes", [{}, {"NA-7.12": "pairwise"}, {"NA-7.12": "lowest_only"}, {"NA-7.14": "if_alive"}])
@pytest.mark.parametrize(("several", "die", "begins"), [(3, 6, 0), (4, 8, 0), (3, 10, 1), (2, 6, 0)])
def test_several_against_one(changes: dict[str, str], several: int, die: int, begins: int) -> None:
    """The same whoever begins; the doctrine captures whenever it may."""
    book = NORDAMERICA.variant(changes)
    group: list[Figure] = [figure(*AROUND[i], die=die, weapon=None) for i in range(several)]
    lone: Figure = figure(50, 30, 1, weapon=None)
    if begins == 1:
        group = [figure(*AROUND[i], 1, die=die, weapon=None) for i in range(several)]
        lone = figure(50, 30, weapon=None)
    table = [lone, *group] if begins == 1 else [*group, lone]
    one = 0 if begins == 1 else several
    exact = several_against_one(book, several, die, 6)
    done = trials(ROUND, table, COUNT, book=book)
    taken = done.count((STATUS, one, CAPTURED))
    counts = [taken, *becomes(done, one)]
    chances = [exact.captured, exact.out, exact.wounded, exact.marked]
    assert least_chance(counts, COUNT, chances) > FAMILY
    assert int(done.tallies[:, PRISONERS + (1 - begins)].sum()) == taken
    captors = done.figures[done.figures[:, STATUS, one] == CAPTURED][:, CAPTOR, one]
    assert set(captors.tolist()) <= {1 if begins == 1 else 0}
    killed = [becomes(done, i)[0] for i in range(len(table)) if i != one]
    # One figure's death makes its comrades afraid, so only deaths are as the odds have them; they are not independent
    # from figure to figure, so each is tested alone.
    assert least_chance(killed, COUNT, [exact.several_killed / several] * several) > FAMILY


def test_results_of_close_combat_in_a_row() -> None:
    """A wounded man who is wounded again is out (NA-5.6)."""
    pair = [figure(50, 30, die=10, weapon=None), figure(50, 28, 1, die=10, weapon=None, also={WOUNDS: 1})]
    done = trials(ROUND, pair, 2000)
    assert done.count((WOUNDS, 1, 2)) > 0
    assert done.count((WOUNDS, 1, 2), (STATUS, 1, DEAD)) == done.count((WOUNDS, 1, 2))
    assert done.count((WOUNDS, 1, 3)) == 0


def evader(**also: Any) -> list[Figure]:
    # An evader without arms has nothing to gain from a round.
    return [
        figure(50, 30, die=10, weapon=None),
        figure(50, 28, 1, grade="indian", weapon=None, also={ROLES: EVADES, **also}),
    ]


def test_evasion() -> None:
    """Fifteen cm directly away unless he falls, and nothing to do with him in the next turn (NA-7.3)."""
    done = trials(ROUND, evader(), COUNT)
    away = done.figures[:, EVADED, 1] == 1
    chance = 1 - float(fall(NORDAMERICA, "run"))
    assert least_chance([int(away.sum())], COUNT, [chance]) > FAMILY
    assert np.all(done.places[away][:, [X, Y], 1] == (50.0, 13.0))
    assert np.all(done.figures[away][:, OUT_UNTIL, 1] == 2)
    assert np.all(done.tallies[away][:, EVASIONS + 1] == 1)
    assert np.all(done.tallies[:, ROUNDS_FOUGHT] == ~away)
    assert np.all(done.figures[~away][:, PRONE, 1] == 1)
    assert np.all(done.places[~away][:, [X, Y], 1] == (50.0, 28.0))


def test_who_falls_may_be_taken() -> None:
    done = trials(ROUND, evader(), 2000, changes={"NA-7.4": "captured"})
    assert done.count((STATUS, 1, CAPTURED)) == done.count((EVADED, 1, 0)) > 0
    assert not done.tallies[:, ROUNDS_FOUGHT].any()


def test_a_wounded_evader_gets_half_as_far() -> None:
    done = trials(ROUND, evader(**{}), 200)
    hurt = trials(ROUND, [evader()[0], figure(50, 28, 1, weapon=None, also={ROLES: EVADES, WOUNDS: 1})], 200)
    assert {13.0} == set(done.places[done.figures[:, EVADED, 1] == 1][:, Y, 1].tolist())
    assert {21.0} == set(hurt.places[hurt.figures[:, EVADED, 1] == 1][:, Y, 1].tolist())
