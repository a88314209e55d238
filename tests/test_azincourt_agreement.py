"""Kernel and referee, two readings of the same rules, agree on every battle: each event, each metric."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st

from tests.azincourt_battles import NUMBERS, play_one, setups
from tests.azincourt_boards import default_rulebook
from wargamesim.dice.keys import battle_key
from wargamesim.games.azincourt import referee
from wargamesim.games.azincourt.orders import DISMOUNT, FIRE, MOVE, PLANT, SHOOT
from wargamesim.games.azincourt.referee import FIGHT, RESULT, TURN_ENDS, judge_battle
from wargamesim.games.azincourt.rules import DRAW, ENGLISH_WIN, FRENCH_WIN, NO_DECISION
from wargamesim.games.azincourt.scenario import Scenario, Setup, compile_setup, load_scenario

SEED = 1415
OPTIONS = [(rule, name) for rule, reading in default_rulebook().readings.items() for name in reading.options]


@cache
def scenario() -> Scenario:
    return load_scenario("azincourt_1415")


def levels(key: str) -> list[str]:
    names = scenario().levels(key)
    assert names
    return names


DEPLOYMENTS = list(product(levels("english.deployment"), levels("french.deployment")))
DOCTRINES = list(product(levels("english.doctrine"), levels("french.doctrine")))


class Case(NamedTuple):
    """One battle to compare."""

    number: int
    deployments: tuple[str, str]
    doctrines: tuple[str, str]
    readings: dict[str, str]
    mud: int | None


@cache
def sample(count: int) -> list[Case]:
    """Pairs of deployments and of doctrines in turn; each option of a reading alone, then all readings at random."""
    rng = np.random.default_rng(SEED)

    def readings(number: int) -> dict[str, str]:
        if number < len(OPTIONS):
            return dict([OPTIONS[number]])
        known = default_rulebook().readings
        return {rule: str(rng.choice(sorted(reading.options))) for rule, reading in known.items()}

    def mud() -> int | None:
        rolled = int(rng.integers(-6, 6))
        return rolled if rolled >= 0 else None

    return [
        Case(
            number,
            DEPLOYMENTS[number % len(DEPLOYMENTS)],
            # One further at each round of the deployments, so that all meet all.
            DOCTRINES[(number + number // len(DEPLOYMENTS)) % len(DOCTRINES)],
            readings(number),
            mud(),
        )
        for number in range(count)
    ]


SHORT, LONG = 150, 2250
PART = {SHORT: 10, LONG: 50}


@pytest.fixture(autouse=True, scope="module")
def _no_pictures() -> Iterator[None]:
    """Let the referee draw nothing, which takes half of its time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(referee, "draw", lambda _state: "")
        yield


def setup_of_case(case: Case) -> Setup:
    changes: dict[str, Any] = {} if case.mud is None else {"mud": case.mud}
    for side, deployment, doctrine in zip(("english", "french"), case.deployments, case.doctrines, strict=True):
        changes |= {f"{side}.deployment": deployment, f"{side}.doctrine": doctrine}
    return compile_setup(default_rulebook().variant(dict(case.readings)), scenario().variant(changes))


def compare(setup: Setup, key: int, number: int) -> dict[str, Any]:
    """Play a battle both ways and hold the two against each other; the first event that differs says most."""
    fast, literal = play_one(setup, key, number), judge_battle(setup, key, number)
    for event, (one, other) in enumerate(zip(fast["trace"], literal["trace"], strict=False)):
        assert one == other, f"event {event} of battle {number}"
    assert fast == literal
    return literal


def parts(count: int) -> list[Any]:
    return [pytest.param(start, id=f"from {start}") for start in range(0, count, PART[count])]


def compare_part(count: int, start: int) -> None:
    cases = sample(count)[start : start + PART[count]]
    assert len(cases) == PART[count]
    lengths = [compare(setup_of_case(case), battle_key(SEED), case.number)["turns"] for case in cases]
    assert max(lengths) > 10


@pytest.mark.parametrize("start", parts(SHORT))
def test_shipped_battles(start: int) -> None:
    compare_part(SHORT, start)


@pytest.mark.proof
@pytest.mark.parametrize("start", parts(LONG))
def test_many_shipped_battles(start: int) -> None:
    compare_part(LONG, start)


@pytest.mark.parametrize(("count", "least"), [(SHORT, 150), (LONG, 2000)])
def test_the_samples_leave_nothing_out(count: int, least: int) -> None:
    cases = sample(count)
    assert len(cases) == len({case.number for case in cases}) >= least
    assert len(parts(count)) * PART[count] == count
    assert {case.deployments for case in cases} == set(DEPLOYMENTS)
    assert {case.doctrines for case in cases} == set(DOCTRINES)
    assert len(DEPLOYMENTS) == 25
    assert len(DOCTRINES) == 15
    for option in OPTIONS:
        assert sum(option in case.readings.items() for case in cases) >= count // 10
    assert {case.mud for case in cases} == {None, *range(6)}
    if count == LONG:
        assert {(case.deployments, case.doctrines) for case in cases} == set(product(DEPLOYMENTS, DOCTRINES))


@pytest.mark.parametrize("number", range(4))
def test_equal_armies(number: int) -> None:
    setup = compile_setup(default_rulebook(), load_scenario("mirror"))
    compare(setup, battle_key(SEED, 3), number)


def compare_small_battles(examples: int, part: int = 0) -> None:
    """Compare battles of random positions, rules and doctrines; they leave no kind of event and no outcome out."""
    events, outcomes = Counter[int](), Counter[int]()

    @seed(part)
    @settings(max_examples=examples)
    @given(setup=setups(), key=st.integers(0, 2**64 - 1), number=st.integers(0, 2**40))
    def small_battles(setup: Setup, key: int, number: int) -> None:
        told = compare(setup, key, number)
        events.update(event[1] for event in told["trace"])
        outcomes[told["outcome"]] += 1

    small_battles()
    assert set(events) == {MOVE, SHOOT, FIRE, DISMOUNT, PLANT, FIGHT, TURN_ENDS, RESULT}
    assert set(outcomes) == {ENGLISH_WIN, FRENCH_WIN, DRAW, NO_DECISION}


def test_small_battles() -> None:
    compare_small_battles(400)


# All numbers of the ending at once, on boards where battles end soon.
ENDINGS = setups([((2, 5), (2, 5))], [path for path in NUMBERS if path.startswith("end.")])


@settings(max_examples=200)
@given(setup=ENDINGS, key=st.integers(0, 2**64 - 1))
def test_endings(setup: Setup, key: int) -> None:
    for number in range(4):
        compare(setup, key, number)


@pytest.mark.proof
@settings(max_examples=3000)
@given(setup=ENDINGS, key=st.integers(0, 2**64 - 1))
def test_very_many_endings(setup: Setup, key: int) -> None:
    compare(setup, key, 0)


@pytest.mark.proof
@pytest.mark.parametrize("part", range(4))
def test_very_many_small_battles(part: int) -> None:
    compare_small_battles(2500, part)
