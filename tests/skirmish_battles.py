"""Skirmishes for tests of the kernel: shipped cells, and both implementations in one form."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import cycle
from typing import Any, NamedTuple

import numpy as np

from wargamesim.errors import InputError
from wargamesim.games.skirmish import battle, referee
from wargamesim.games.skirmish.layout import SIDES, State
from wargamesim.games.skirmish.scenario import Scenario, Setup, compile_setup, load_scenario, scenarios
from wargamesim.rulebook import Rulebook, load_rulebook

BOOKS = ("nordamerica", "risorgimento")
# The largest is for measuring speed; its battles take the referee seconds.
SCENARIOS = tuple(name for name in scenarios() if name != "sixty_a_side")
# Room for the events of any battle in the tests.
ROOM = 60_000


@cache
def scenario(name: str) -> Scenario:
    return load_scenario(name)


@cache
def book(name: str) -> Rulebook:
    return load_rulebook(name)


def book_of(name: str) -> Rulebook:
    """Return the rulebook that a shipped scenario is made for."""
    return book(scenario(name).source["rulebook"])


def doctrines(name: str, side: int) -> list[str]:
    names = scenario(name).levels(f"{SIDES[side]}.doctrine")
    assert names
    return names


class Case(NamedTuple):
    """One battle to compare."""

    number: int
    scenario: str
    doctrines: tuple[str, str]
    terrain: str
    readings: tuple[tuple[str, str], ...]


def options(rulebook: Rulebook) -> list[tuple[str, str]]:
    """Return all readings of a rulebook, with each option."""
    return [(rule, name) for rule, reading in rulebook.readings.items() for name in reading.options]


def cases(count: int, seed: int) -> Iterator[Case]:
    """Yield scenarios in turn, with any doctrines and terrain; by turns one option alone, and any of all readings."""
    rng = np.random.default_rng(seed)
    alone = {name: cycle(options(book(name))) for name in BOOKS}
    for number in range(count):
        name = SCENARIOS[number % len(SCENARIOS)]
        known = options(book_of(name))
        if (number + number // len(SCENARIOS)) % 2 == 0:  # each scenario both ways, however many there are
            readings = (next(alone[book_of(name).name]),)
        else:
            picked = {rule: [o for r, o in known if r == rule] for rule, _ in known}
            readings = tuple((rule, str(rng.choice(names))) for rule, names in picked.items())
        players = [str(rng.choice(doctrines(name, side))) for side in range(2)]
        grounds = scenario(name).levels("terrain") or []
        yield Case(number, name, (players[0], players[1]), str(rng.choice(grounds)), readings)


def setup_of_case(case: Case) -> Setup:
    """Set a case up; readings that cannot be played together (a deck too large for its suits) are left out."""
    changes = {"terrain": case.terrain, "first.doctrine": case.doctrines[0], "second.doctrine": case.doctrines[1]}
    readings = dict(case.readings)
    while True:
        try:
            return compile_setup(book_of(case.scenario).variant(readings), scenario(case.scenario).variant(changes))
        except InputError as error:
            refused = [rule for rule in readings if rule in str(error)]
            if not refused:
                raise
            for rule in refused:
                del readings[rule]


def _contents(state: State) -> dict[str, Any]:
    count = int(state.count)
    return {
        "figures": state.figure[:, :count].tolist(),
        "places": state.place[:, :count].tolist(),
        "loads": state.load[:, : int(state.loads)].tolist(),
        "draggers": state.dragger[: int(state.loads)].tolist(),
        "afire": state.afire.tolist(),
        "observers": state.observers[:, :count].tolist(),
    }


def play_one(setup: Setup, key: int, number: int) -> dict[str, Any]:
    """Play one battle with the kernel."""
    table = battle.battle_of(setup, key, ROOM)
    records = np.zeros((1, battle.RECORD), np.int64)
    battle.play_battles(table, setup.start, number, records)
    assert table.events < ROOM
    outcome, turns, *tally = records[0].tolist()
    trace = list(map(tuple, table.log[: table.events].tolist()))
    return {"outcome": outcome, "turns": turns, "tally": tally, "trace": trace, **_contents(table.state)}


def judge_one(setup: Setup, key: int, number: int) -> dict[str, Any]:
    """Play the same battle with the referee, in the same form."""
    judged = referee.judge_battle(setup, key, number)
    state = judged["state"]
    return {
        "outcome": int(judged["outcome"]),
        "turns": int(judged["turns"]),
        "tally": [int(value) for value in judged["tally"]],
        "trace": [tuple(int(value) for value in event) for event in judged["trace"]],
        **_contents(state),
    }


def compare(setup: Setup, key: int, number: int) -> dict[str, Any]:
    """Play a battle both ways and hold the two against each other; the first event that differs says most."""
    fast, literal = play_one(setup, key, number), judge_one(setup, key, number)
    for event, (one, other) in enumerate(zip(fast["trace"], literal["trace"], strict=False)):
        assert one == other, f"event {event} of battle {number}, after {literal['trace'][max(0, event - 3) : event]}"
    for what in literal:
        assert fast[what] == literal[what], f"{what} of battle {number}"
    return literal


def state_after(setup: Setup, key: int, number: int, turns: int) -> State:
    """Return the position after at most so many turns, by the referee, whom one can stop.

    The kernel's is the same, as `compare` shows of every battle; a lower limit of turns would be another battle, for
    the players look at the time that is left.
    """
    played = referee.Battle(setup, key, number, draws=False)
    while played.course.turn < turns and played.outcome < 0:
        played.course.turn += 1
        for _ in played._turn():
            pass
    return played.course.state
