"""The end of battles, and those that can never end (section 11)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.stirling_battles import (
    EAST,
    WEST,
)
from tests.stirling_positions import (
    FACING,
    course_of,
)
from wargamesim.games.stirling.layout import (
    DESTROYED,
    DISPERSED,
    DRAW,
    NO_DECISION,
    ORDERED,
    ROUTED,
)
from wargamesim.games.stirling.referee_ending import end_of_turn, is_sterile


@pytest.mark.parametrize(
    ("statuses", "reading", "outcome"),
    [
        ((ORDERED, ORDERED), "no_ordered_unit", -1),
        ((ORDERED, ROUTED), "no_ordered_unit", 0),
        ((DESTROYED, ORDERED), "no_ordered_unit", 1),
        ((ROUTED, ROUTED), "no_ordered_unit", DRAW),
        ((ORDERED, ROUTED), "annihilation", -1),
        ((ORDERED, DISPERSED), "annihilation", 0),
        ((DESTROYED, DESTROYED), "annihilation", DRAW),
    ],
)
def test_who_is_beaten(statuses: tuple[int, int], reading: str, outcome: int) -> None:
    units = ((side, (5 + side, 5), 3 * side, {"status": status}) for side, status in enumerate(statuses))
    course = course_of(*units, changes={"SS-P46": reading})
    assert end_of_turn(course) == outcome


def test_time_is_up() -> None:
    course = course_of(*FACING)
    for turn, outcome in ((29, -1), (30, NO_DECISION)):
        course.turn = turn
        assert end_of_turn(course) == outcome


@pytest.mark.parametrize(
    ("men", "changes", "sterile"),
    [
        ((20, 20), {}, True),  # SS-12.6: two attacks need 22
        ((30, 20), {}, False),
        ((30, 30), {}, False),
        ((20, 20), {"SS-P35": "carry"}, False),
        ((20, 20), {"SS-P35": "exact"}, False),
        ((40, 40), {"SS-P36": "per_attack"}, True),  # one attack needs 44
        ((50, 50), {"SS-P36": "per_attack"}, False),
        ((10, 50), {"SS-P36": "per_attack", "morale.situations.outnumbered.on": False}, False),
        ((10, 30), {"morale.situations.outnumbered.on": True}, False),
        ((20, 20), {"SS-P10": "off"}, True),
    ],
)
def test_who_can_never_hurt_anybody(men: tuple[int, int], changes: Mapping[str, Any], sterile: bool) -> None:
    units = ((side, (5 + side, 5), 3 * side, dict.fromkeys(("men", "men0", "left"), men[side])) for side in (0, 1))
    course = course_of(*units, changes=changes)
    course.state.movement = 0
    assert is_sterile(course) == sterile


def test_who_can_move_can_strike_better() -> None:
    men = dict.fromkeys(("men", "men0", "left"), 20)
    course = course_of((0, (5, 5), EAST, men), (1, (6, 5), WEST, men), changes={"SS-P32": "rear_damage"})
    assert not is_sterile(course)  # a charge from behind: 8 * 3 * 20 / 35 = 13
    course.state.movement = 0
    assert is_sterile(course)


def test_a_spell_to_come_is_no_end() -> None:
    men = dict.fromkeys(("men", "men0", "left"), 10)
    units = (0, (5, 5), EAST, men), (1, (6, 5), WEST, men)
    for turn, sterile in ((1, True), (2, False)):
        course = course_of(*units, spells=((0, turn, 9, 5),), changes={"SS-P34": "off"})
        assert is_sterile(course) == sterile
