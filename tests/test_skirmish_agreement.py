"""Kernel and referee, two readings of the same rules, agree on every battle: each event, each tally, each figure."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from tests.skirmish_battles import BOOKS, SCENARIOS, Case, book, cases, compare, doctrines, options, setup_of_case
from wargamesim.dice.keys import battle_key

SEED = 1755
SHORT, LONG = 56, 2100
PART = {SHORT: 14, LONG: 70}


@cache
def sample(count: int) -> list[Case]:
    return list(cases(count, SEED))


def parts(count: int) -> list[Any]:
    return [pytest.param(start, id=f"from {start}") for start in range(0, count, PART[count])]


def compare_part(count: int, start: int) -> None:
    chosen = sample(count)[start : start + PART[count]]
    assert len(chosen) == PART[count]
    lengths = [len(compare(setup_of_case(case), battle_key(SEED), case.number)["trace"]) for case in chosen]
    assert max(lengths) > 100


@pytest.mark.parametrize("start", parts(SHORT))
def test_shipped_battles(start: int) -> None:
    compare_part(SHORT, start)


@pytest.mark.proof
@pytest.mark.parametrize("start", parts(LONG))
def test_many_shipped_battles(start: int) -> None:
    compare_part(LONG, start)


def test_the_long_sample_leaves_nothing_out() -> None:
    chosen = sample(LONG)
    assert len(chosen) >= 2000
    assert len(parts(LONG)) * PART[LONG] == LONG
    assert {case.scenario for case in chosen} == set(SCENARIOS)
    for name in SCENARIOS:
        for side in range(2):
            played = {case.doctrines[side] for case in chosen if case.scenario == name}
            assert played == set(doctrines(name, side))
    read = {reading for case in chosen for reading in case.readings}
    assert read == {option for name in BOOKS for option in options(book(name))}
    alone = {case.readings[0] for case in chosen if len(case.readings) == 1}
    assert alone == read
