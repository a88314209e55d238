"""The referee's geometry on positions by hand: sight, cover, ways over water, advantage, edges."""

from __future__ import annotations

from math import inf, sqrt
from typing import Any

import pytest

from tests.coloniale_battles import rulebook_with, setup_of, unit_of
from wargamesim.games.coloniale.layout import BATTERY, CREST, FORDABLE, HARD, LEVEL_UNIT, UNFORDABLE
from wargamesim.games.coloniale.referee_table import (
    IN_FORT,
    ON_EDGE,
    OPEN_GROUND,
    Table,
    crossing,
    heading,
    is_near,
    meets,
    squared_to_piece,
)

WALL = (100.0, 110.0, 150.0, 110.0)


def table_of(*units: dict[str, Any], **more: Any) -> Table:
    setup = setup_of(list(units), more.pop("rulebook", None), **more)
    return Table(setup.start, setup.ground, setup.play)


def facing(**more: Any) -> Table:
    """Two units 20 cm apart, the second south of the first."""
    return table_of(unit_of(0, (120.5, 100.5), 6, 6), unit_of(1, (120.5, 120.5), 6, 6), **more)


def test_ways_cross_lines() -> None:
    assert crossing((120, 100), (120, 120), WALL) == 0.5
    assert crossing((120, 100), (120, 105), WALL) is None
    assert crossing((90, 100), (90, 120), WALL) is None
    assert crossing((100, 110), (120, 110), WALL) is None, "alongside is not across"
    assert crossing((120, 100), (120, 110), WALL) == 1.0


def test_distances_to_lines() -> None:
    assert squared_to_piece((120, 107), WALL) == 9
    assert squared_to_piece((97, 114), WALL) == 25
    assert squared_to_piece((3, 4), (0.0, 0.0, 0.0, 0.0)) == 25


def test_what_lies_exactly_on_a_border_lies_inside() -> None:
    assert is_near((0, 0), (3, 4), 5)
    assert is_near((0.1, 0.1), (0.1 + 20 * sqrt(0.5), 0.1 + 20 * sqrt(0.5)), 20)
    assert not is_near((0, 0), (3, 4.0001), 5)


def test_where_a_way_meets_a_circle() -> None:
    assert meets((0, 0), (1, 0), (10, 0), 4) == 6
    assert meets((0, 0), (1, 0), (10, 3), 5) == 6
    assert meets((0, 0), (1, 0), (10, 6), 5) == inf
    assert meets((0, 0), (-1, 0), (10, 0), 5) == inf
    assert meets((0, 0), (1, 0), (5, 0), 5) == 0
    assert heading((1, 1), (4, 5)) == (0.6, 0.8)
    assert heading((1, 1), (1, 1)) is None


def test_open_ground_lets_units_see() -> None:
    table = facing()
    assert table.sees(0, 1)
    assert table.sees(1, 0)
    assert table.cover(1) == OPEN_GROUND


@pytest.mark.parametrize(("crest", "sees"), [(110, False), (102, True), (119, True), (104, False)])
def test_a_crest_hides_who_is_behind_and_off_it(crest: float, sees: bool) -> None:
    assert facing(lines=[(CREST, 0, (100, crest, 150, crest))]).sees(0, 1) is sees


def test_a_bridge_does_not_open_a_crest() -> None:
    table = facing(lines=[(CREST, 0, (100, 110, 150, 110))])
    table.ground.bridges, table.ground.bridge[0] = 1, [120.5, 110.0]
    assert not table.sees(0, 1)


def test_difficult_ground_blocks_sight_but_not_from_its_edge() -> None:
    assert not facing(difficult=[(100, 108, 150, 112)]).sees(0, 1)
    on_edge = facing(difficult=[(100, 118, 150, 140)])
    assert on_edge.cover(1) == ON_EDGE
    assert on_edge.sees(0, 1)
    assert on_edge.sees(1, 0)
    deep = facing(difficult=[(100, 110, 150, 140)])
    assert not deep.sees(0, 1), "10 cm inside"
    assert not deep.sees(1, 0)
    assert facing(difficult=[(100, 110, 150, 140)], rulebook=rulebook_with({"table.edge": 12.0})).sees(0, 1)


def test_a_garrison_is_seen_in_difficult_ground() -> None:
    table = table_of(unit_of(0, (120.5, 100.5), 6, 6), unit_of(1, (120.5, 120.5), 6, 6, fort=1), forts=[(120.5, 120.5)])
    assert table.sees(0, 1)
    assert table.cover(1) == IN_FORT


def test_who_fires_with_how_many_dice() -> None:
    units = (unit_of(0, (9, 9), 8, 6), unit_of(0, (9, 19), 3, 6, markers=2), unit_of(0, (9, 29), 3, 6, arm=BATTERY))
    table = table_of(*units)
    assert [table.rifle_dice(unit) for unit in range(3)] == [5, 3, 0]
    suppressed = table_of(*units, rulebook=rulebook_with({"CO-P10": "fire_dice"}))
    assert [suppressed.rifle_dice(unit) for unit in range(3)] == [5, 1, 0]


@pytest.mark.parametrize(("kind", "barred"), [(UNFORDABLE, True), (HARD, False), (FORDABLE, False), (CREST, False)])
def test_only_unfordable_water_bars_the_way(kind: int, barred: bool) -> None:
    table = facing(lines=[(kind, 0, WALL)])
    assert table.is_barred((120, 100), (120, 120)) is barred
    table.ground.bridges, table.ground.bridge[0] = 1, [122.0, 110.0]
    assert not table.is_barred((120, 100), (120, 120)), "a bridge within 2 cm"
    assert table.is_barred((119, 100), (119, 120)) is barred, "3 cm from the bridge"


def test_a_river_hard_to_ford_is_crossed_from_bank_to_bank() -> None:
    table = facing(lines=[(HARD, 0, WALL)])
    assert table.is_from_bank_to_bank((120, 108), (120, 112))
    assert not table.is_from_bank_to_bank((120, 107.9), (120, 112))
    assert not table.is_from_bank_to_bank((120, 108), (120, 112.1))
    assert table.is_from_bank_to_bank((120, 90), (120, 108)), "which is not across"


def test_higher_and_in_the_open_is_an_advantage() -> None:
    table = facing()
    table.what[115:130, 100:150] = LEVEL_UNIT
    assert table.has_advantage(0, 1)
    assert not table.has_advantage(1, 0)
    table.what[115:130, 100:150] = LEVEL_UNIT + 1
    assert not table.has_advantage(0, 1), "a wooded hill is not in the open"


@pytest.mark.parametrize(("river", "advantage"), [(119.0, True), (117.0, False), (121.0, False)])
@pytest.mark.parametrize("kind", [UNFORDABLE, HARD, FORDABLE])
def test_next_to_a_river_and_behind_it_is_an_advantage(kind: int, river: float, advantage: bool) -> None:
    assert facing(lines=[(kind, 0, (100, river, 150, river))]).has_advantage(0, 1) is advantage


def test_the_table_ends_half_a_cm_before_its_edge() -> None:
    table = facing(table=(200, 150))
    assert table.to_edge((190, 50), (1, 0)) == 9.5
    assert table.to_edge((190, 50), (0, -1)) == 49.5
    assert table.to_edge((190, 50), (0.6, 0.8)) == 9.5 / 0.6
    assert table.to_edge((199.5, 50), (1, 0)) == 0
    assert table.is_on_table((0.5, 149.5))
    assert not table.is_on_table((0.4, 50))
    assert not table.is_on_table((50, 149.6))


def test_who_may_march_is_far_from_every_enemy() -> None:
    table = facing()
    assert not table.may_march(0), "20 cm is not more than 20"
    table.put(1, (120.5, 120.6))
    assert table.may_march(0)
    assert table.may_march(1)
    table.action[0], table.marched[1] = 1, 1
    assert not table.may_march(0)
    assert not table.may_march(1)
