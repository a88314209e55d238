"""The kernel on two units in contact, against the exact chain; and what holds of every battle."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.stirling_battles import (
    STEADY,
    assert_chances,
    counts_of,
    duel,
    play_one,
    rulebook_with,
    tally_of,
)
from wargamesim.games.stirling import battle
from wargamesim.games.stirling.clash import Clash, clash
from wargamesim.games.stirling.layout import (
    DEAD,
    DRAW,
    FIRST,
    IN_ORDER,
    NO_DECISION,
    REMOVED,
    SECOND,
    STERILE,
    T_RESULT,
    TALLIES,
)
from wargamesim.games.stirling.units import Unit

# So many turns are as good as no limit: all but one in a million of the battles below are over long before.
KEY, TURNS = 1297, 1000


def ends(exact: Clash) -> list[float]:
    """Return the chances of the outcomes, in their order."""
    return [exact.first_wins, exact.second_wins, exact.both_lose, exact.undecided, exact.sterile]


# Which rulebook, which units, and after how many turns to stop.
CASES: dict[str, tuple[dict[str, Any], Unit, Unit, int]] = {
    "the example": ({}, Unit(), Unit(), TURNS),
    "without morale": (STEADY, Unit(), Unit(men=200), TURNS),
    "few men": (STEADY, Unit(men=50), Unit(men=50), TURNS),
    "thirty turns": (STEADY, Unit(), Unit(men=280), 30),
    "leaders": ({}, Unit(leader=12), Unit(men=250, leader=15, quality="elite"), TURNS),
    "commanders": ({}, Unit(quality="levy", leader=9, commander=16), Unit(men=260, commander=14), TURNS),
    "carried over": ({"SS-P35": "carry"}, Unit(men=50), Unit(men=40, leader=13), TURNS),
    "exact": ({"SS-P35": "exact"}, Unit(men=60), Unit(men=50), TURNS),
    "each attack": ({"SS-P36": "per_attack"}, Unit(men=200, rate=2), Unit(men=220, hp=8), TURNS),
    "each attack carried": ({"SS-P35": "carry", "SS-P36": "per_attack"}, Unit(men=50, rate=2), Unit(men=60), TURNS),
    "one roll": ({"SS-P07": "one_roll"}, Unit(rate="3/2"), Unit(damage="1d6+1"), TURNS),
    "one roll, each attack": ({"SS-P07": "one_roll", "SS-P36": "per_attack"}, Unit(rate=2), Unit(damage="2d4"), TURNS),
    "by turns": ({"SS-P04": "alternate"}, Unit(rate="3/2"), Unit(rate="3/2", men=280), TURNS),
    "thirds": ({}, Unit(rate="1/3", damage="2d6+1"), Unit(rate="3/4"), TURNS),
    "no natural faces": ({"SS-P10": "off"}, Unit(ac=-1, thac0=18), Unit(ac=2), TURNS),
    "nothing wipes": ({"SS-P49": "off", "units.men_step": 1}, Unit(men=45), Unit(men=38), 60),
    "either": ({"SS-P47": "either"}, Unit(leader=10), Unit(leader=15), TURNS),
    "both": ({"SS-P47": "both"}, Unit(leader=10), Unit(leader=15), TURNS),
    "one by one": ({"SS-P39": "one_per_situation"}, Unit(leader=10), Unit(leader=15, men=200), TURNS),
    "Leaders like other men": ({"SS-P37": "half", "SS-P48": "none"}, Unit(leader=10, commander=15), Unit(), TURNS),
    "immortal Leaders": ({"SS-P37": "never"}, Unit(leader=10), Unit(leader=16), TURNS),
    "basic game": ({"SS-P40": "2d6", "SS-P41": "bx", "SS-P42": "bx"}, Unit(leader=16), Unit(leader=9), TURNS),
    "many more": ({}, Unit(men=300), Unit(men=120, leader=17, quality="elite"), TURNS),
}


def hold_against_the_chain(case: str, battles: int) -> None:
    changes, first, second, turns = CASES[case]
    book = rulebook_with(changes)
    records, _ = battle.play(duel(first, second, book, turns=turns), KEY, 0, battles)
    exact = clash(book, first, second, turns=None if turns == TURNS else turns)
    assert_chances(counts_of(records[:, 0], 5), ends(exact))
    for side, left in ((FIRST, exact.first_wins_with), (SECOND, exact.second_wins_with)):
        won = tally_of(records, IN_ORDER, side)[records[:, 0] == side]
        chances = np.append(left, 1 - left.sum())
        assert_chances(np.append(counts_of(won, len(left)), battles - len(won)), chances)
    # The mean of the turns, within 4.5 of its standard errors.
    error = records[:, 1].std() / np.sqrt(battles)
    assert abs(records[:, 1].mean() - exact.turns) <= 4.5 * error + 1e-12


@pytest.mark.parametrize("case", CASES)
def test_two_units_end_as_the_exact_chain_says(case: str) -> None:
    hold_against_the_chain(case, 4_000)


@pytest.mark.proof
@pytest.mark.parametrize("case", CASES)
def test_two_units_end_as_the_exact_chain_says_in_100_000_battles(case: str) -> None:
    hold_against_the_chain(case, 100_000)


def test_who_cannot_remove_anybody_does_not_fight() -> None:
    records, trace = battle.play(duel(Unit(men=20), Unit(men=20)), KEY, 0, 3, events=5)
    assert records[:, :2].tolist() == [[STERILE, 0]] * 3
    assert trace[:, 1].tolist() == [T_RESULT]
    assert tally_of(records, IN_ORDER, SECOND).tolist() == [20] * 3


def test_a_battle_that_lasts_too_long_is_not_decided() -> None:
    records, _ = battle.play(duel(Unit(), Unit(), rulebook_with({**STEADY, "end.turns": 3})), KEY, 0, 50)
    assert set(records[:, :2].T.tolist()[1]) == {3}
    assert set(records[:, 0].tolist()) == {NO_DECISION}


def test_a_battle_is_the_same_alone_and_among_others() -> None:
    setup = duel(Unit(leader=12), Unit(men=250, rate="3/2"))
    records, _ = battle.play(setup, KEY, 10, 40)
    alone, trace = battle.play(setup, KEY, 23, 1, events=500)
    assert alone[0].tolist() == records[13].tolist()
    again, _ = battle.play(setup, KEY, 23, 1)
    assert (again == alone).all()
    assert trace[-1, 1:3].tolist() == [T_RESULT, alone[0, 0]]
    other, _ = battle.play(setup, KEY + 1, 10, 40)
    assert (other != records).any()


def test_room_for_the_trace_does_not_change_a_battle() -> None:
    setup = duel(Unit(leader=12), Unit(men=250))
    short, cut = battle.play(setup, KEY, 7, 1, events=4)
    whole = play_one(setup, KEY, 7)
    assert len(cut) == 4
    assert list(map(tuple, cut.tolist())) == whole["trace"][:4]
    assert short[0].tolist() == [whole["outcome"], whole["turns"], *whole["tally"]]


@pytest.mark.parametrize("remainder", ["discard", "carry", "exact"])
@pytest.mark.parametrize("rounded", ["per_phase", "per_clash", "per_attack"])
def test_the_books_balance(remainder: str, rounded: str) -> None:
    book = rulebook_with({"SS-P35": remainder, "SS-P36": rounded})
    first, second = Unit(men=200, leader=12), Unit(men=150, rate="3/2", leader=15)
    records, _ = battle.play(duel(first, second, book), KEY, 0, 400)
    assert records.shape == (400, 2 + TALLIES)
    for side, men in enumerate((first.men, second.men)):
        removed, dead = tally_of(records, REMOVED, side), tally_of(records, DEAD, side)
        left = tally_of(records, IN_ORDER, side)
        stands = (records[:, 0] == side) | (records[:, 0] >= NO_DECISION)
        assert (left == np.where(stands, men - removed, 0)).all()
        if remainder != "exact":
            assert (removed % 10 == 0).all()
        if remainder == "exact":
            assert (dead == removed).all()
        else:
            assert (dead >= removed).all()
    assert (records[:, 0] == DRAW).sum() < 100
