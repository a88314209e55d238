"""Kernel and referee of Coloniale agree on positions made at random, by any readings and numbers of the rulebook."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st

from tests.coloniale_battles import compare, default_rulebook, random_setup, rulebook_with
from tests.rule_numbers import changes
from wargamesim.games.coloniale.layout import (
    FIRST,
    NO_DECISION,
    SECOND,
    T_AFTER,
    T_ASSAULT,
    T_BEGINS,
    T_DRAWN,
    T_FIRE,
    T_LEAVE,
    T_MOVE,
    T_RALLY,
    T_RESULT,
    T_TURN_END,
)

OFTEN = {T_DRAWN, T_BEGINS, T_RALLY, T_FIRE, T_LEAVE, T_ASSAULT, T_AFTER, T_MOVE, T_TURN_END, T_RESULT}
# Units of the positions here have figures and disciplines of their own, and each face of a march's die one meaning.
LEAVE = (
    *("scale.", "units.", "discipline.least", "discipline.most"),
    *(f"march.off_road.{name}" for name in ("die", "stop", "drift", "straight", "correct")),
)
RULES = changes(default_rulebook(), 6, LEAVE)


def compare_random_battles(examples: int, part: int = 0) -> tuple[set[int], set[int]]:
    """Compare battles of random positions and rules; return which kinds of event and which outcomes there were."""
    events, outcomes = Counter[int](), Counter[int]()

    @seed(part)
    @settings(max_examples=examples)
    @given(rules=RULES, position=st.integers(0, 2**32), key=st.integers(0, 2**64 - 1), number=st.integers(0, 2**40))
    def random_battles(rules: dict[str, Any], position: int, key: int, number: int) -> None:
        told = compare(random_setup(np.random.default_rng(position), rulebook_with(rules)), key, number)
        events.update(event[1] for event in told["trace"])
        outcomes[told["outcome"]] += 1

    random_battles()
    return set(events), set(outcomes)


def test_random_rules() -> None:
    events, outcomes = compare_random_battles(60)
    assert events >= OFTEN
    assert outcomes >= {FIRST, SECOND}


@pytest.mark.proof
@pytest.mark.parametrize("part", range(4))
def test_very_many_random_rules(part: int) -> None:
    events, outcomes = compare_random_battles(400, part)
    assert events == set(range(T_DRAWN, T_RESULT + 1))
    assert outcomes >= {FIRST, SECOND, NO_DECISION}
