"""Strategic moves of the kernel against the exact odds, and what stops or leads astray a march."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from tests.coloniale_battles import STILL, assert_chances, play_one, rows_of, rulebook_with, setup_of, unit_of
from wargamesim.games.coloniale.doctrine import compile_doctrine
from wargamesim.games.coloniale.layout import (
    BATTERY,
    CAVALRY,
    HARD,
    INFANTRY,
    PLAIN,
    ROAD,
    T_FOLLOW,
    T_LEG,
    T_MARCH,
    T_NODE,
    UNFORDABLE,
)
from wargamesim.games.coloniale.march import off_road, right_way, road

KEY = 1879
ARMS = ("infantry", "cavalry", "battery")
GOES = {"foot": "enemy", "horse": "enemy", "guns": "enemy", "cover": False, "assault_above": 2.0}
ON_ROADS = compile_doctrine(GOES | {"march": "road", "detour": 100.0})
ACROSS = compile_doctrine(GOES | {"march": "anywhere", "detour": 0.0})

# A first leg and three errors to one side stay on the table and far from the enemy.
START, AWAY = (60.0, 128.0), (250.0, 128.0)


def marches(setup: Any, battles: int) -> list[dict[str, Any]]:
    return [play_one(setup, KEY, number) for number in range(battles)]


def crossing_country(arm: int, changes: dict[str, Any] | None = None, **more: Any) -> Any:
    units = [unit_of(0, START, 3, 6, arm=arm), unit_of(1, AWAY, 3, 6)]
    return setup_of(units, rulebook_with(changes), turns=1, doctrines=(ACROSS, STILL), **more)


@pytest.mark.parametrize("arm", [INFANTRY, CAVALRY])
@pytest.mark.parametrize("ground", ["open", "difficult"])
@pytest.mark.parametrize(
    "changes", [{}, {"CO-P26": "no"}, {"CO-P27": "absolute"}, {"CO-P27": "enemy"}, {"CO-P28": "point"}]
)
def test_a_march_off_the_road_ends_where_it_may(arm: int, ground: str, changes: dict[str, Any]) -> None:
    # In the open the exact paths are followed everywhere; difficult ground takes all of the way.
    difficult = [(70, 20, 180, 230)] if ground == "difficult" else []
    battles = 700
    exact = off_road(rulebook_with(changes), ARMS[arm], ground)
    ends: dict[tuple[int, int], float] = {}
    for p, forward, sideways in zip(exact.p, exact.forward, exact.sideways, strict=True):
        # The enemy, who picks the side in one reading, may pick either.
        key = round(forward * 10), round(abs(sideways) * 10 if changes.get("CO-P27") == "enemy" else sideways * 10)
        ends[key] = ends.get(key, 0.0) + float(p)
    places = list(ends)
    counts = np.zeros(len(places))
    for one in marches(crossing_country(arm, changes, difficult=difficult), battles):
        first, last = rows_of(one, T_LEG)[0], rows_of(one, T_MARCH)[0]
        ux, uy = (first[4] / 1000 - START[0]) / 30, (first[5] / 1000 - START[1]) / 30
        assert abs(np.hypot(ux, uy) - 1) < 1e-4
        dx, dy = last[3] / 1000 - START[0], last[4] / 1000 - START[1]
        forward, sideways = dx * ux + dy * uy, dy * ux - dx * uy
        if changes.get("CO-P27") == "enemy":
            sideways = abs(sideways)
        apart = [np.hypot(f / 10 - forward, s / 10 - sideways) for f, s in places]
        assert min(apart) < 0.2
        counts[int(np.argmin(apart))] += 1
    assert_chances(counts, list(ends.values()))


@pytest.mark.parametrize("arm", [INFANTRY, CAVALRY, BATTERY])
def test_a_road_has_the_exact_lengths(arm: int) -> None:
    units = [unit_of(0, (10, 128), 3, 6, arm=arm), unit_of(1, AWAY, 3, 6)]
    nodes = [(5.0, 128.0, PLAIN), (255.0, 128.0, PLAIN)]
    setup = setup_of(units, turns=1, doctrines=(ON_ROADS, STILL), nodes=nodes, roads=[(0, 1)])
    exact = road(rulebook_with(), ARMS[arm])
    lengths = []
    for one in marches(setup, 600):
        ((unit, what, rolled, x, y, *_),) = rows_of(one, T_MARCH)
        assert (unit, what, x, y) == (0, ROAD, 10_000 + 1000 * rolled, 128_000)
        lengths.append(rolled)
    values = np.arange(20, 111, 5)
    assert_chances([lengths.count(value) for value in values], exact.equal_to(values))


def test_a_column_takes_the_wrong_branch_as_often_as_it_should() -> None:
    units = [unit_of(0, (10, 128), 3, 6), unit_of(1, AWAY, 3, 6)]
    nodes = [
        (5.0, 128.0, PLAIN),
        (30.0, 128.0, PLAIN),
        (255.0, 128.0, PLAIN),
        (30.0, 10.0, PLAIN),
        (30.0, 250.0, PLAIN),
    ]
    roads = [(0, 1), (1, 2), (1, 3), (1, 4)]
    setup = setup_of(units, turns=1, doctrines=(ON_ROADS, STILL), nodes=nodes, roads=roads)
    taken = []
    for one in marches(setup, 600):
        ((_, node, die, wanted, went, *_),) = rows_of(one, T_NODE)
        assert (node, wanted, went == wanted) == (1, 2, die < 5)
        taken.append(went)
    right = float(right_way(rulebook_with(), 1))
    assert_chances([taken.count(2), taken.count(3), taken.count(4)], [right, (1 - right) / 2, (1 - right) / 2])


def test_a_march_stops_on_the_margin_of_an_enemy() -> None:
    units = [unit_of(0, (5, 128), 3, 6), unit_of(1, (60, 128), 3, 6)]
    nodes = [(5.0, 128.0, PLAIN), (255.0, 128.0, PLAIN)]
    setup = setup_of(units, turns=1, doctrines=(ON_ROADS, STILL), nodes=nodes, roads=[(0, 1)])
    for one in marches(setup, 20):
        ((_, _, rolled, x, y, _, end, *_),) = rows_of(one, T_MARCH)
        assert (x, y, end) == (min(5 + rolled, 40) * 1000, 128_000, int(rolled >= 35))


@pytest.mark.parametrize(("kind", "x"), [(UNFORDABLE, 79_500), (HARD, 75_000)])
def test_rivers_cost_a_march(kind: int, x: int) -> None:
    place = 80.0 if kind == UNFORDABLE else 70.0
    setup = crossing_country(INFANTRY, {"march.off_road.rolls": 0}, lines=[(kind, 0, (place, 0.0, place, 256.0))])
    for one in marches(setup, 5):
        ((_, _, _, there, y, _, end, *_),) = rows_of(one, T_MARCH)
        assert (there, y, end) == (x, 128_000, 6 if kind == UNFORDABLE else 0)


def test_a_river_that_the_leg_cannot_pay_stops_it() -> None:
    setup = crossing_country(INFANTRY, {"march.off_road.rolls": 0}, lines=[(HARD, 0, (80.0, 0.0, 80.0, 256.0))])
    ((_, _, _, x, _, _, end, *_),) = rows_of(play_one(setup, KEY, 0), T_MARCH)
    assert (x, end) == (79_500, 6)


def test_a_column_follows_on_the_way_its_leader_went() -> None:
    units = [unit_of(0, (10.0, 128.0 - 3 * n), 3, 6) for n in range(3)] + [unit_of(1, AWAY, 3, 6)]
    nodes = [(10.0, 20.0, PLAIN), (10.0, 140.0, PLAIN), (255.0, 140.0, PLAIN)]
    setup = setup_of(units, turns=1, doctrines=(ON_ROADS, STILL), nodes=nodes, roads=[(0, 1), (1, 2)])
    columns = [one for one in marches(setup, 20) if rows_of(one, T_MARCH)[0][5] == 2]
    for one in columns:
        x, y = rows_of(one, T_MARCH)[0][3:5]
        places = [(x, y)] + [row[1:3] for row in rows_of(one, T_FOLLOW)]
        assert all(np.hypot(a[0] - b[0], a[1] - b[1]) <= 2000.5 for a, b in pairwise(places))
