"""Who stands where in a battle of Coloniale before the first turn."""

from __future__ import annotations

from itertools import pairwise
from math import hypot
from typing import Any

import pytest

from wargamesim.games.coloniale.deploy import Part, parts_of
from wargamesim.games.coloniale.schema import content_of

CONTACT = 2.0


def parts(split: int = 1, split_drop: int = 0, **unit: Any) -> list[Part]:
    """Return the parts of the first side, which has one entry of units."""
    own = {"arm": "infantry", "figures": 8, "at": [50, 60]} | unit
    other = {"arm": "infantry", "figures": 8, "at": [50, 20]}
    tables = {
        "name": "own",
        "title": "Own",
        "game": "coloniale",
        "table": {"width": 100, "height": 80},
        "first": {"doctrine": "go", "split": split, "split_drop": split_drop, "units": {"old_guard": own}},
        "second": {"doctrine": "go", "units": {"line": other}},
        "doctrines": {"first": {"go": {}}, "second": {"go": {}}},
        "forts": {"f": [70, 70]},
    }
    return [part for part in parts_of(content_of(tables, None), CONTACT) if part.side == 0]


def test_units_that_are_alike_are_numbered_and_a_step_apart() -> None:
    own = parts(count=3, step=[10, -5])
    assert [part.name for part in own] == ["first old guard 1", "first old guard 2", "first old guard 3"]
    assert [part.place for part in own] == [(50, 60), (60, 55), (70, 50)]
    assert parts()[0].name == "first old guard"


@pytest.mark.parametrize("step", [[8, 0], [0, -3], [6, 8]])
def test_the_parts_of_a_battalion_stand_around_its_place_just_out_of_contact(step: list[float]) -> None:
    own = parts(split=3, split_drop=2, step=step)
    assert [part.figures for part in own] == [3, 3, 2]
    assert [part.drop for part in own] == [0, 2, 2]
    assert own[1].place == pytest.approx((50, 60))
    for one, other in pairwise(own):
        apart = hypot(one.place[0] - other.place[0], one.place[1] - other.place[1])
        assert CONTACT < apart < 1.1 * CONTACT


def test_batteries_and_garrisons_are_not_divided() -> None:
    assert [part.figures for part in parts(split=3, arm="battery", figures=3)] == [3]
    garrison = {"arm": "infantry", "figures": 8, "at": None, "fort": "f"}
    assert [(part.figures, part.place) for part in parts(split=3, **garrison)] == [(8, (70.0, 70.0))]
