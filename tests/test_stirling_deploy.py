"""The position before the first turn: where units stand, how they are divided, and what their stat blocks become."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.stirling_scenarios import small
from wargamesim.errors import InputError
from wargamesim.games.stirling import layout as at
from wargamesim.games.stirling.layout import FRONTS
from wargamesim.games.stirling.scenario import compile_setup
from wargamesim.rulebook import load_rulebook

BOOK = load_rulebook("stirling")


def start_of(readings: dict[str, Any] | None = None, **changes: Any) -> Any:
    return compile_setup(BOOK.variant(readings or {}), small(**changes)).start


def hexes(start: Any, side: int) -> list[tuple[int, int]]:
    """Return column and row of a side's units."""
    rows = start.unit[: start.count]
    return [(int(row[at.Q] + row[at.R] // 2), int(row[at.R])) for row in rows if row[at.SIDE] == side]


def test_units_stand_where_the_scenario_says() -> None:
    start = start_of()
    assert (start.rows, start.cols, start.movement, start.count, start.turn) == (8, 9, 1, 3, 0)
    assert hexes(start, 0) == [(4, 6), (6, 6)]
    assert hexes(start, 1) == [(4, 1)]
    assert start.unit[:3, at.FRONT].tolist() == [2, 2, 5]
    assert not start.unit[3:].any()
    assert not start.tally.any()
    assert not start.unit[:, at.FIRST_OF_TURN :].any()


def test_a_stat_block_becomes_the_numbers_of_a_unit() -> None:
    man, rider, ogre = start_of().unit[:3]
    assert man[[at.MEN, at.MEN0, at.LEFT, at.HP, at.AC, at.THAC0, at.SHIELD]].tolist() == [120, 120, 120, 6, 5, 20, 1]
    assert man[[at.DICE, at.DIE, at.BONUS, at.DICE_L, at.DIE_L, at.BONUS_L]].tolist() == [1, 8, 0, 1, 12, 0]
    assert man[[at.RANGE_SHORT, at.RANGE_MEDIUM, at.RANGE_LONG]].tolist() == [0, 0, 0]
    assert man[[at.MORALE, at.CHARISMA, at.LEADER, at.LEADER_MORALE]].tolist() == [12, 12, at.FIT, 15]
    assert rider[[at.HP, at.RATE_NUM, at.RATE_DEN, at.MORALE, at.TRAITS]].tolist() == [22, 3, 2, 14, at.MOUNTED]
    assert rider[[at.RANGE_SHORT, at.RANGE_MEDIUM, at.RANGE_LONG]].tolist() == [5, 10, 15]
    assert rider[at.SHOT_DICE : at.SHOT_BONUS_L + 1].tolist() == [1, 6, 0, 1, 6, 0]
    assert ogre[[at.HP, at.TRAITS, at.CHARISMA, at.LEADER]].tolist() == [24, at.LARGE, 0, at.NOBODY]


@pytest.mark.parametrize(
    ("changes", "hp"),
    [
        ({"troops__first__man__hp": 11}, 11),
        ({"troops__first__man__hit_dice": "1-1"}, 7),
        ({"troops__first__man__hit_dice": 0}, 4),
        ({"troops__first__man__quality": "elite"}, 8),
        ({"troops__first__man__quality": "levy"}, 6),
    ],
)
def test_hit_points_follow_from_what_a_man_is(changes: dict[str, Any], hp: int) -> None:
    assert start_of(**changes).unit[0, at.HP] == hp


def test_explicit_numbers_win_over_those_of_the_rulebook() -> None:
    block = {"troops__first__rider__ranges": [1, 2, 4], "troops__first__rider__morale": 3}
    rider = start_of(**block, first__units__foot__leader_morale=9).unit[:2]
    assert rider[1, at.RANGE_SHORT : at.RANGE_LONG + 1].tolist() == [1, 2, 4]
    assert (rider[1, at.MORALE], rider[0, at.LEADER_MORALE]) == (3, 9)


def test_the_commander_leads_his_unit_or_is_off_the_board() -> None:
    start = start_of(second__commander={"charisma": 13})
    assert start.commander.tolist() == [1, -1]
    assert start.commander_charisma.tolist() == [16, 13]
    assert start.unit[1, [at.CHARISMA, at.LEADER]].tolist() == [16, at.FIT]
    assert start_of(first__commander=None).commander_charisma.tolist() == [0, 0]


def test_spells_are_listed_with_their_caster() -> None:
    start = start_of(
        second__units__band__spells=[{"turn": 2, "reach": 9, "men": 30}, {"turn": 3, "reach": 4, "men": 5}]
    )
    assert start.spells == 2
    assert start.spell[:2].tolist() == [[2, 2, 9, 30], [2, 3, 4, 5]]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"first__units__foot__men": 125}, "first.units.foot.men: must be a multiple of 10"),
        ({"first__units__foot__at": [9, 6]}, r"first.units.foot.at: first foot would stand at \[9, 6\], off the board"),
        ({"first__units__foot__at": [6, 6]}, "first.units.riders.at: first riders stands in the hex"),
        ({"first__units__foot__at": [4, 1]}, "second.units.band.at: second band stands in the hex"),
        ({"second__units__band__men": 20, "second__split": 3}, "second.split: cannot divide the 20 men"),
        ({"first__split": 5}, "first riders 1 stands in the hex"),
    ],
)
def test_who_cannot_stand_there_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        start_of(**changes)


def test_readings_loosen_some_of_that() -> None:
    assert start_of({"units.men_step": 1}, first__units__foot__men=125).unit[0, at.MEN] == 125
    assert hexes(start_of({"SS-P01": "unlimited"}, first__units__foot__at=[6, 6]), 0) == [(6, 6), (6, 6)]
    with pytest.raises(InputError, match="stands in the hex"):
        start_of({"SS-P01": "unlimited"}, first__units__foot__at=[4, 1])


@pytest.mark.parametrize("front", FRONTS)
def test_parts_stand_side_by_side_in_a_line_across_their_front(front: str) -> None:
    unit = {"troop": "man", "men": 250, "at": [4, 4], "front": front}
    start = start_of(first__units={"army": unit}, first__commander=None, first__split=4)
    places = hexes(start, 0)
    assert places[0] == (4, 4)
    along = 1 if front in ("east", "west") else 0
    assert len({place[1 - along] for place in places}) == 1
    assert sorted(place[along] for place in places) in ([2, 3, 4, 5], [3, 4, 5, 6])
    assert start.unit[:4, at.MEN].tolist() == [70, 60, 60, 60]


@given(steps=st.integers(1, 60), parts=st.integers(1, 9))
def test_dividing_keeps_all_men(steps: int, parts: int) -> None:
    unit = {"troop": "man", "men": 10 * steps, "at": [4, 6], "front": "north_east"}
    changes = {"first__units": {"army": unit}, "first__commander": None, "first__split": parts}
    if steps < parts:
        with pytest.raises(InputError, match="cannot divide"):
            start_of(**changes)
        return
    men = start_of(**changes).unit[:parts, at.MEN]
    assert men.sum() == 10 * steps
    assert men.max() - men.min() <= 10
    assert (np.diff(men) <= 0).all()
    assert (men % 10 == 0).all()


def test_only_the_first_part_has_commander_and_spells() -> None:
    start = start_of(
        first__split=2,
        first__units__riders__spells=[{"turn": 1, "reach": 9, "men": 30}],
        first__units__foot__at=[2, 6],
    )
    assert start.unit[:4, at.CHARISMA].tolist() == [12, 12, 16, 10]
    assert start.commander[0] == 2
    assert start.spell[0, at.CASTER] == 2
