"""Whatever happens on a crowded board, the books of the men balance: splits, mergers, losses, dispersal."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tests.stirling_battles import men_at_start, play_one, random_setup, rulebook_with
from wargamesim.games.stirling import layout
from wargamesim.games.stirling.layout import (
    DISPERSED,
    IN_ORDER,
    MEN,
    REMOVED,
    SIDE,
    T_BROKEN,
    T_MERGED,
    T_REMOVED,
    T_SPLIT,
    T_TURN_END,
)

KEY = 97


@pytest.mark.parametrize("remainder", ["discard", "carry", "exact"])
def test_men_only_leave(remainder: str) -> None:
    happened: Counter[int] = Counter()
    for number in range(40):
        rng = np.random.default_rng([KEY, number])
        setup = random_setup(rng, rulebook_with({"SS-P35": remainder}))
        count = int(setup.start.count)
        men = {unit: int(setup.start.unit[unit, MEN]) for unit in range(count)}
        side = {unit: int(setup.start.unit[unit, SIDE]) for unit in range(count)}
        played = play_one(setup, KEY, number)
        for row in played["trace"]:
            happened[row[1]] += 1
            if row[1] == T_REMOVED:
                assert 0 <= row[4] <= men[row[2]]
                assert row[4] % 10 == 0 or remainder == "exact"
                men[row[2]] -= row[4]
                assert men[row[2]] == row[5]
            elif row[1] == T_SPLIT:
                assert row[4] + row[5] == men[row[2]]
                assert 0 <= row[4] - row[5] <= 10
                men[row[2]], men[row[3]], side[row[3]] = row[4], row[5], side[row[2]]
            elif row[1] == T_MERGED:
                men[row[3]] += men.pop(row[2])
                assert men[row[3]] == row[4] <= row[5]
            elif row[1] == T_BROKEN and row[3] == DISPERSED:
                del men[row[2]]
            elif row[1] == T_TURN_END:
                assert [sum(n for unit, n in men.items() if side[unit] == each) for each in (0, 1)] == list(row[2:4])
        for each in (0, 1):
            tally = played["tally"]
            assert tally[REMOVED + each] + tally[IN_ORDER + each] <= men_at_start(setup, each)
    assert happened[T_REMOVED] > 100
    assert happened[T_BROKEN] > 50
    assert happened[T_SPLIT] + happened[T_MERGED] > 0


def test_kinds_of_events_have_names_of_their_own() -> None:
    kinds = [getattr(layout, name) for name in vars(layout) if name.startswith("T_")]
    assert len(set(kinds)) == len(kinds)
