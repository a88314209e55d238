"""Kernel and referee agree on skirmishes that nobody would set up, of both rulebooks: each event, each figure."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st

from tests.skirmish_battles import BOOKS, compare
from tests.skirmish_random import Made, skirmishes
from wargamesim.games.skirmish.layout import FIRST, NO_DECISION, SECOND
from wargamesim.games.skirmish.referee_course import (
    ACTION,
    CARD,
    FALL,
    MORALE,
    OUTCOME,
    PAIR,
    PERMITTED,
    RALLIED,
    RESULT,
    ROUND,
    SHOT,
    SNAPPED,
    TURN_END,
)

# What every sample of battles has, and what a large one has besides.
OFTEN = {CARD, MORALE, ACTION, SHOT, RESULT, ROUND, PAIR, TURN_END, OUTCOME}
ALSO = {"nordamerica": {RALLIED, SNAPPED, FALL, PERMITTED}, "risorgimento": {RALLIED, SNAPPED}}


def compare_random_battles(name: str, examples: int, part: int = 0) -> tuple[set[int], set[int]]:
    """Compare battles of random tables; return which kinds of event and which outcomes there were."""
    events, outcomes = Counter[int](), Counter[int]()

    @seed(part)
    @settings(max_examples=examples)
    @given(made=skirmishes(name), key=st.integers(0, 2**64 - 1), number=st.integers(0, 2**40))
    def random_battles(made: Made, key: int, number: int) -> None:
        told = compare(made.setup(), key, number)
        events.update(event[1] for event in told["trace"])
        outcomes[told["outcome"]] += 1

    random_battles()
    return set(events), set(outcomes)


@pytest.mark.parametrize("name", BOOKS)
def test_random_tables(name: str) -> None:
    events, outcomes = compare_random_battles(name, 60)
    assert events >= OFTEN
    assert outcomes >= {FIRST, SECOND}


@pytest.mark.proof
@pytest.mark.parametrize("part", range(6))
@pytest.mark.parametrize("name", BOOKS)
def test_very_many_random_tables(name: str, part: int) -> None:
    events, outcomes = compare_random_battles(name, 400, part)
    assert events >= OFTEN | ALSO[name]
    assert outcomes >= {FIRST, SECOND, NO_DECISION}
