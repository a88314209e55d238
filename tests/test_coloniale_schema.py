"""Scenario files of Coloniale: what is wrong, where, and what is allowed."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from wargamesim.errors import InputError
from wargamesim.games.coloniale.schema import content_of
from wargamesim.games.readers import as_tables

PLAIN: dict[str, Any] = {
    "name": "plain",
    "title": "Plain",
    "game": "coloniale",
    "table": {"width": 100, "height": 80},
    "first": {"doctrine": "go", "units": {"line": {"arm": "infantry", "figures": 8, "at": [50, 60]}}},
    "second": {"doctrine": "go", "units": {"line": {"arm": "infantry", "figures": 8, "at": [50, 20]}}},
    "doctrines": {"first": {"go": {}}, "second": {"go": {}}},
}


def changed(path: str, value: Any) -> dict[str, Any]:
    """Return the plain scenario with one entry changed."""
    tables = deepcopy(PLAIN)
    *steps, last = path.split(".")
    table = tables
    for step in steps:
        table = table.setdefault(step, {})
    table[last] = value
    return tables


def test_a_plain_scenario_is_read_and_written_back() -> None:
    content = content_of(PLAIN, None)
    assert content.first.units["line"].at == (50.0, 60.0)
    assert content_of(as_tables(content), None) == content


ROADS = {"places": {"a": {"at": [0, 10]}, "b": {"at": [50, 10], "town": True}}, "links": [["a", "b"]]}


def test_roads_are_read() -> None:
    content = content_of(changed("roads", ROADS), None)
    assert content.roads.links == (("a", "b"),)
    assert content_of(as_tables(content), None) == content


@pytest.mark.parametrize(
    ("path", "value", "key", "message"),
    [
        ("game", "stirling", "game", "is 'stirling'; a scenario of this game has game"),
        ("tabel", 1, "tabel", "unknown key 'tabel'; did you mean 'table'"),
        ("table.width", 5, "table.width", "from 10 to 256 cm, not 5"),
        ("first.units", {}, "first.units", "at least one unit"),
        ("first.units.line.figures", 0, "first.units.line.figures", "from 1 to 20, not 0"),
        ("first.units.line.figures", 21, "first.units.line.figures", "from 1 to 20, not 21"),
        ("first.units.line.figures", 2.5, "first.units.line.figures", "from 1 to 20, not 2.5"),
        ("first.units.line.discipline", 0, "first.units.line.discipline", "from 1 to 30, not 0"),
        ("first.units.line.arm", "infantery", "first.units.line.arm", "did you mean 'infantry'"),
        ("first.units.line.quality", "good", "first.units.line.quality", "unknown quality 'good'"),
        ("first.units.line.rifles", "yes", "first.units.line.rifles", "must be true or false, not 'yes'"),
        ("first.units.line.at", [1, 2, 3], "first.units.line.at", r"must be a place \[x, y\] in cm"),
        ("first.units.line.fort", "f", "first.units.line", "needs a place `at`"),
        ("first.units.line.count", 0, "first.units", "all counts are 0"),
        ("first.split", 0, "first.split", "from 1 to 20, not 0"),
        ("first.doctrine", "went", "first.doctrine", "unknown doctrine 'went'"),
        ("doctrines.first.go", {"foot": "fly"}, "doctrines.first.go.foot", "unknown word 'fly'"),
        ("zones", {"z": {"west": 5, "north": 5, "east": 5, "south": 9}}, "zones.z", "west must be less than east"),
        ("zones", {"z": {"west": 5, "north": 5, "east": 101, "south": 9}}, "zones.z", "beyond the table of 100 by 80"),
        ("forts", {"f": [101, 5]}, "forts.f", "off the table of 100 by 80"),
        ("victory.first.hold", 1, "victory.first.hold", "wants 1, but there are only 0 zones"),
        ("victory.first.zones", ["z"], "victory.first.zones.1", "unknown zone 'z'"),
        ("features", [{"kind": "swamp", "points": []}], "features.1.kind", "unknown kind of terrain 'swamp'"),
        ("features", [{"kind": "river", "points": [[0, 0], [9, 9]]}], "features.1", "a river, and nothing else, has"),
        ("features", [{"kind": "crest", "points": [[0, 0]]}], "features.1", "a crest needs at least 2 points, not 1"),
        ("roads.links", [["a", "b"]], "roads.links.1", "this road leads nowhere: unknown place 'a'"),
        ("roads.places", {"a": {"at": [0, 9]}}, "roads.places.a", "no road leads to this place"),
        ("roads", {**ROADS, "links": [["a", "b"], ["b", "a"]]}, "roads.links.2", "is there twice"),
        ("roads", {**ROADS, "links": [["a", "a"]]}, "roads.links.1", "leads nowhere: from 'a' it ends less than 1 cm"),
        ("night_from", -1, "night_from", "from 0 to 1000, not -1"),
        ("turns", 0, "turns", "from 1 to 1000, not 0"),
    ],
)
def test_what_is_wrong_is_told(path: str, value: Any, key: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        content_of(changed(path, value), "plain.toml")
    assert str(error.value).startswith(f"plain.toml: {key}: ")


def test_units_that_are_alike_stand_apart() -> None:
    unit = {"arm": "infantry", "figures": 8, "at": [50, 60], "count": 2, "step": [0, 0]}
    with pytest.raises(InputError, match="at least 1 cm long"):
        content_of(changed("first.units.line", unit), None)


def test_a_fort_holds_one_unit_of_infantry() -> None:
    forts = {"f": [50, 60]}
    garrison = {"arm": "infantry", "figures": 8, "fort": "f"}
    tables = changed("forts", forts)
    tables["first"]["units"] = {"one": garrison}
    assert content_of(tables, None).first.units["one"].fort == "f"
    tables["first"]["units"] = {"one": garrison, "two": garrison}
    with pytest.raises(InputError, match="already holds a unit"):
        content_of(tables, None)
    tables["first"]["units"] = {"one": {**garrison, "arm": "cavalry"}}
    with pytest.raises(InputError, match="holds infantry, not a unit of cavalry"):
        content_of(tables, None)
    tables["first"]["units"] = {"one": {**garrison, "fort": "g"}}
    with pytest.raises(InputError, match="unknown fort 'g'"):
        content_of(tables, None)
