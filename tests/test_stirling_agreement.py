"""Kernel and referee, two readings of the same rules, agree on every battle: each event, each tally."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.stirling_battles import compare, default_rulebook, random_setup
from wargamesim.dice.keys import battle_key
from wargamesim.games.stirling import layout
from wargamesim.games.stirling.layout import SIDES
from wargamesim.games.stirling.scenario import Setup, compile_setup, load_scenario, scenarios

SEED = 1297
OPTIONS = [(rule, name) for rule, reading in default_rulebook().readings.items() for name in reading.options]

SHORT, LONG = 120, 2000
PART = {SHORT: 20, LONG: 50}

# What must have happened somewhere in the sample, by kind of event.
KINDS = {getattr(layout, name): name for name in vars(layout) if name.startswith("T_")}


def readings_of(number: int, rng: np.random.Generator) -> dict[str, str]:
    """Each option of a reading alone, then a quarter of all readings at random."""
    if number < len(OPTIONS):
        return dict([OPTIONS[number]])
    known = default_rulebook().readings
    return {rule: str(rng.choice(sorted(reading.options))) for rule, reading in known.items() if rng.random() < 0.25}


@cache
def loaded(name: str) -> Any:
    return load_scenario(name)


def setup_of_case(number: int) -> Setup:
    """Shipped scenarios with all doctrines in turn, and in every second case a position made at random."""
    rng = np.random.default_rng([SEED, number])
    rulebook = default_rulebook().variant(dict(readings_of(number, rng)))
    if number % 2:
        return random_setup(rng, rulebook)
    names = scenarios()
    scenario = loaded(names[number // 2 % len(names)])
    changes = {}
    for side in SIDES:
        doctrines = scenario.levels(f"{side}.doctrine")
        assert doctrines
        changes[f"{side}.doctrine"] = str(rng.choice(doctrines))
    return compile_setup(rulebook, scenario.variant(changes))


def compare_part(count: int, start: int) -> Counter[int]:
    happened: Counter[int] = Counter()
    for number in range(start, start + PART[count]):
        literal = compare(setup_of_case(number), battle_key(SEED), number)
        happened.update(event[1] for event in literal["trace"])
    return happened


@pytest.mark.parametrize("start", range(0, SHORT, PART[SHORT]))
def test_a_sample_of_battles_is_the_same_event_by_event(start: int) -> None:
    happened = compare_part(SHORT, start)
    assert {layout.T_ATTACK, layout.T_MOVE, layout.T_CHECK, layout.T_BROKEN} <= set(happened)


@pytest.mark.proof
@pytest.mark.parametrize("start", range(0, LONG, PART[LONG]))
def test_two_thousand_battles_are_the_same_event_by_event(start: int) -> None:
    assert set(compare_part(LONG, start)) >= set(KINDS) - {layout.T_MERGED, layout.T_CAST, layout.T_SPLIT}
