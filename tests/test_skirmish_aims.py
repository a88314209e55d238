"""What wins must be possible: places with room, loads that can be led, prisoners whom somebody can take."""

from __future__ import annotations

from typing import Any

import pytest

from tests.skirmish_tables import NORDAMERICA, Change, put, set_up
from wargamesim.errors import InputError

HOLD = {"west": 10, "north": 5, "east": 20, "south": 15, "figures": 2, "turns": 1}


def hold(**values: Any) -> Change:
    return put("victory", {"first": {"hold": HOLD | values}})


def refusal(*changes: Change, **numbers: Any) -> str:
    with pytest.raises(InputError) as error:
        set_up(*changes, rulebook=NORDAMERICA.variant(numbers))
    return str(error.value)


def test_a_place_has_room() -> None:
    # Bases are 2 cm wide: two stand in a place of 2 cm by nothing, but not in a smaller one.
    assert set_up(hold(east=12, south=5.1)).goals.hold_figures[0] == 2
    said = "victory.first.hold.figures: wants 2, but the place has room for 1 at most (bases 2 cm wide, none in a wall)"
    assert refusal(hold(east=11, south=5.5)) == said
    assert set_up(hold(east=11, south=5.5, figures=1)).goals.hold_figures[0] == 1
    assert "wants 4, but the place has room for 3 at most" in refusal(hold(east=14, south=5.1, figures=4))


def test_other_floors_have_room_too() -> None:
    tower = {"kind": "building", "points": [[10, 5], [20, 5], [20, 15], [10, 15]], "floors": 2}
    assert set_up(hold(east=11, south=5.5), put("terrains.field", [tower])).ground.floors[1] == 2


def test_nobody_stands_in_a_wall() -> None:
    wall = put("terrains.field", [{"kind": "wall", "points": [[10, 20], [20, 20]], "width": 4}])
    assert "has room for 0 at most" in refusal(wall, hold(west=12, east=18, north=19, south=21, figures=1))
    assert set_up(wall, hold(west=12, east=18, north=16, south=21)).goals.hold_figures[0] == 2


def test_loads_can_be_led() -> None:
    away = put("victory", {"first": {"exit": {"edge": "east", "loads": 1}}}), put("loads", [[50, 35]])
    assert set_up(*away).goals.exit_loads[0] == 1
    still = {"move.drag": 0.0, "move.drag_difficult": 0.0}
    assert refusal(*away, **still) == "victory.first.exit.loads: nobody can lead a load away: move.drag is 0"


def test_prisoners_can_be_taken() -> None:
    one = put("victory", {"first": {"prisoners": 1}})
    assert set_up(one).goals.prisoners[0] == 1
    said = (
        "victory.first.prisoners: nobody can take a prisoner: that needs 5 figures against one (capture.figures),"
        " and this side has 4"
    )
    few = {"capture.figures": 5}
    assert refusal(one, **few) == said
    # One who evades and falls may be taken by a single figure, if the reading says so.
    assert refusal(one, **few, **{"NA-7.4": "captured"}) == said
    rangers = put("second.squads.hunters.hunter.roles", ["ranger"])
    assert refusal(one, rangers, **few) == said
    changed = NORDAMERICA.variant({**few, "NA-7.4": "captured"})
    assert set_up(one, rangers, rulebook=changed).goals.prisoners[0] == 1
