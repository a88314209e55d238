"""The tables of a scenario's file: what may stand there, and what is said of what may not."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.skirmish_tables import SMALL, Change, drop, put, small
from wargamesim.errors import InputError
from wargamesim.games.readers import as_tables, table_of, validated
from wargamesim.games.skirmish.doctrine import PARAMETERS, compile_doctrine
from wargamesim.games.skirmish.layout import MOST_FIGURES, SIDES
from wargamesim.games.skirmish.schema import (
    ROLES,
    Aims,
    Content,
    Doctrines,
    Exit,
    Feature,
    Group,
    Hold,
    Victory,
    content_of,
    doctrine_of,
)

COMPANY, HUNTERS = "first.squads.company", "second.squads.hunters"
HOLD = {"west": 10, "north": 5, "east": 20, "south": 15, "figures": 2, "turns": 3}


def test_what_may_be_left_out() -> None:
    content = small().content
    assert content.text == ""
    assert content.loads == ()
    assert content.victory == Victory() == Victory(Aims(), Aims(), None)
    assert content.first.squads["company"].groups["officer"] == Group(
        1, "veteran", "pistol", None, "blade", "muzzle", "muzzle", False, False, ("officer",)
    )
    assert not content.second.squads["hunters"].hidden


def test_what_may_be_said() -> None:
    victory = {"at_limit": "second", "first": {"hold": HOLD, "breaks_at": 0.5}}
    victory["second"] = {"exit": {"edge": "west", "loads": 1}, "prisoners": 2}
    content = small(put("victory", victory), put("loads", [[1, 2]]), put("text", "Words.")).content
    assert content.aims("first") == Aims(breaks_at=0.5, hold=Hold(10, 5, 20, 15, 2, 3))
    assert content.aims("second") == Aims(exit=Exit("west", 0, 1), prisoners=2)
    assert content.victory.at_limit == "second"
    assert content.loads == ((1.0, 2.0),)
    assert [content.figures(side) for side in SIDES] == [4, 2]


def test_every_role_may_be_had() -> None:
    roles = small(put(f"{COMPANY}.regular.roles", list(ROLES))).content.first.squads["company"].groups["regular"].roles
    assert roles == ROLES


def test_a_walled_yard() -> None:
    yard = {"kind": "wall", "points": [[1, 1], [9, 1], [9, 9], [1, 1]], "width": 2}
    assert small(put("terrains.farm", [yard])).content.terrains["farm"] == (
        Feature("wall", ((1, 1), (9, 1), (9, 9), (1, 1)), 2.0),
    )


def test_tables_go_through_json_and_back() -> None:
    def full(source: dict[str, Any]) -> None:
        source["victory"] = {
            "at_limit": "first",
            "first": {"hold": HOLD},
            "second": {"exit": {"edge": "east", "figures": 1}},
        }
        source["loads"] = [[5, 5], [9.5, 8]]
        source["doctrines"]["first"]["line"] = {"text": "Stand.", "stance": "hold"}

    content = small(full).content
    tables = json.loads(json.dumps(as_tables(content)))
    assert content_of(tables, None) == content
    assert as_tables(content_of(tables, None)) == tables
    assert tables["first"]["squads"]["company"]["officer"]["roles"] == ["officer"]
    assert "weapon" in tables["first"]["squads"]["company"]["officer"]
    assert "weapon2" not in tables["first"]["squads"]["company"]["officer"]


def test_a_group_may_have_any_name() -> None:
    content = small(put(f"{COMPANY}.groups", {"count": 1, "quality": "regular"})).content
    assert list(content.first.squads["company"].groups) == ["regular", "officer", "groups"]
    assert content_of(as_tables(content), None) == content


def test_doctrines() -> None:
    assert doctrine_of({"text": "Words.", "stance": "hold"}) == compile_doctrine({"stance": "hold"})
    doctrines = Doctrines(first={"a": {}}, second={"b": {"stop_at": 12}})
    assert doctrines.compiled("second", "b").stop_at == 12.0
    for wrong, message in (
        (3, "must be a table, not 3"),
        ({"text": 3}, "text: must be a text in quotes, not 3"),
        ({"stnace": "hold"}, "unknown doctrine parameter 'stnace'; did you mean 'stance'?"),
        ({"stop_at": -1}, f"stop_at: must be from {PARAMETERS['stop_at'].low:g} to"),
    ):
        with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
            doctrine_of(wrong)


def features(*tables: dict[str, Any]) -> Change:
    return put("terrains.farm", list(tables))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (put("game", "azincourt"), "game: is 'azincourt'; a scenario of this game has game = \"skirmish\""),
        (drop("game"), "game: is missing; a scenario of this game has"),
        (drop("rulebook"), "rulebook: is missing; the keys here are name, title, game, rulebook, turns, table,"),
        (put("name", "two words"), "name: must be 1 to 100 letters, digits, - or _, not 'two words'"),
        (put("tittle", "x"), "tittle: unknown key 'tittle'; did you mean 'title'?"),
        (put("lods", []), "lods: unknown key 'lods'; did you mean 'loads'? Known: doctrines, first, game, loads,"),
        (put("boats", []), "boats: boats and rowing are not played in battles (NA-3.13, NA-9.1). Known: doctrines,"),
        (
            put("table.doors", 2),
            "table.doors: doors, windows and gates are not played in battles (NA-3.22)",
        ),
        (put("turns", 0), "turns: must be a whole number from 1 to 1000, not 0"),
        (put("turns", True), "turns: must be a whole number from 1 to 1000, not true"),
        (put("table.width", 257), "table.width: must be a whole number from 10 to 256, not 257"),
        (put("table.height", 40.5), "table.height: must be a whole number from 10 to 256, not 40.5"),
        (put("table.floors", 2), "table.floors: unknown key 'floors'. Known: height, width"),
        (put("terrain", "fram"), "terrain: unknown terrain 'fram'; did you mean 'farm'? Known: farm, field"),
        (put("terrains.farm", {}), "terrains.farm: must be a list, not {}"),
        (
            features({"kind": "swamp", "points": []}),
            "terrains.farm.1.kind: unknown kind of terrain 'swamp'. Known: building, hedge, rough, slope, wall, wat",
        ),
        (features({"kind": "boat", "points": []}), "terrains.farm.1.kind: boats and rowing are not played in battles"),
        (
            features({"kind": "Door", "points": []}),
            "terrains.farm.1.kind: doors, windows and gates are not played in battles (NA-3.22): a building is entered"
            " anywhere along its edge. Known: building, hedge,",
        ),
        (
            features({"kind": "wall", "points": [[1, 1], [2, 2]]}, {"kind": "wood", "points": [[1, 1], [2, 2]]}),
            "terrains.farm.2: a wood needs at least 3 points, not 2",
        ),
        (features({"kind": "hedge", "points": [[1, 1]]}), "terrains.farm.1: a hedge needs at least 2 points, not 1"),
        (
            features({"kind": "hedge", "points": [[1, 1], [2]]}),
            "terrains.farm.1.points.2: must be a place [x, y] in cm",
        ),
        (
            features({"kind": "wood", "points": [[1, 1], [9, 1], [9, 9]], "width": 2}),
            "terrains.farm.1: a wood is an area and has no width",
        ),
        (
            features({"kind": "wall", "points": [[1, 1], [9, 1]], "width": 1}),
            "terrains.farm.1.width: must be a number from 1.5 to 20 cm, not 1",
        ),
        (
            features({"kind": "building", "points": [[1, 1], [9, 1], [9, 9]], "floors": 10}),
            "terrains.farm.1.floors: must be a whole number from 1 to 9, not 10",
        ),
        (
            features({"kind": "wood", "points": [[1, 1], [9, 1], [9, 9]], "floors": 1}),
            "terrains.farm.1: a wood has no floors, only a building has",
        ),
        (put(f"{HUNTERS}.hunter.floor", -1), f"{HUNTERS}.hunter.floor: must be a whole number from 0 to 8, not -1"),
        (put(f"{HUNTERS}.hunter.roles", ["rower"]), f"{HUNTERS}.hunter.roles.1: boats and rowing are not played"),
        (put("first.home", "up"), "first.home: unknown edge 'up'. Known: east, north, south, west"),
        (put("first.doctrine", "lime"), "first.doctrine: unknown doctrine 'lime'; did you mean 'line'? Known: line"),
        (put("doctrines.first.line.stop_at", -1), "doctrines.first.line.stop_at: must be from 0 to 400, not -1"),
        (put("doctrines.third", {}), "doctrines.third: unknown key 'third'. Known: first, second"),
        (put("first.squads", {}), "first.squads: a side has at least one squad"),
        (put("first.squads", []), "first.squads: must be a table, not []"),
        (put("first.squads.a b", {}), "first.squads.a b: must be 1 to 100 letters"),
        (put(f"{COMPANY}.hiden", True), f"{COMPANY}.hiden: unknown key 'hiden'; did you mean 'hidden'?"),
        (put(f"{COMPANY}.hidden", 1), f"{COMPANY}.hidden: must be true or false, not 1"),
        (put(f"{COMPANY}.facing", "up"), f"{COMPANY}.facing: unknown direction 'up'"),
        (put(f"{COMPANY}.formaton", {"x": 3}), f"{COMPANY}.formaton.x: unknown key 'x'. Known: arm, count, floor,"),
        (put(f"{COMPANY}.formation.shape", "wedge"), f"{COMPANY}.formation.shape: unknown formation 'wedge'"),
        (put(f"{COMPANY}.formation.files", 2), f"{COMPANY}.formation: a line has no `files` but `ranks`"),
        (put(f"{COMPANY}.places", [[1, 1]] * 4), f"{COMPANY}: needs either a formation or places"),
        (drop(f"{COMPANY}.formation"), f"{COMPANY}: needs either a formation or places"),
        (put(f"{HUNTERS}.places", [[1, 1]]), f"{HUNTERS}: has 2 figures, but only 1 places"),
        (
            drop(f"{HUNTERS}.hunter"),
            f"{HUNTERS}: has no figures; a squad has at least one group with a count of 1 or m",
        ),
        (put(f"{HUNTERS}.hunter.count", 0), f"{HUNTERS}: has no figures"),
        (put(f"{HUNTERS}.hunter.count", -1), f"{HUNTERS}.hunter.count: must be a whole number from 0 to 128, not -1"),
        (
            put(f"{HUNTERS}.hunter.wepon", "rifle"),
            f"{HUNTERS}.hunter.wepon: unknown key 'wepon'; did you mean 'weapon'?",
        ),
        (drop(f"{HUNTERS}.hunter.quality"), f"{HUNTERS}.hunter.quality: is missing; the keys here are count, quality,"),
        (put(f"{HUNTERS}.hunter.roles", ["scout"]), f"{HUNTERS}.hunter.roles.1: unknown role 'scout'. Known: indian,"),
        (put(f"{HUNTERS}.hunter.repeater", 1), f"{HUNTERS}.hunter.repeater: must be true, false, or the rounds of its"),
        (put("victory", {"at_limit": "third"}), "victory.at_limit: unknown side 'third'. Known: first, second"),
        (
            put("victory", {"first": {"breaks_at": 0}}),
            "victory.first.breaks_at: must be a number from 0.01 to 1, not 0",
        ),
        (put("victory", {"first": {"breaks_at": 1.5}}), "victory.first.breaks_at: must be a number from 0.01 to 1"),
        (
            put("victory", {"first": {"burn": 1}}),
            "victory.first.burn: unknown key 'burn'. Known: breaks_at, exit, hold,",
        ),
        (
            put("victory", {"first": {"hold": HOLD | {"west": 30}}}),
            "victory.first.hold: west must be less than east, and",
        ),
        (
            put("victory", {"first": {"hold": HOLD | {"east": 61}}}),
            "victory.first.hold: this place goes beyond the table",
        ),
        (
            put("victory", {"second": {"hold": HOLD | {"figures": 3}}}),
            "victory.second.hold.figures: wants 3, but there are only 2 own figures",
        ),
        (
            put("victory", {"second": {"hold": HOLD | {"turns": 13}}}),
            "victory.second.hold.turns: wants 13, but there are only 12 turns",
        ),
        (
            put("victory", {"first": {"exit": {"edge": "east", "figures": 5}}}),
            "victory.first.exit.figures: wants 5, but there are only 4 own figures",
        ),
        (
            put("victory", {"first": {"exit": {"edge": "east", "loads": 1}}}),
            "victory.first.exit.loads: wants 1, but there are only 0 loads",
        ),
        (
            put("victory", {"first": {"exit": {"edge": "east"}}}),
            "victory.first.exit: asks for nothing: figures or loads",
        ),
        (put("victory", {"first": {"prisoners": 3}}), "victory.first.prisoners: wants 3, but there are only 2 enemies"),
        (put("loads", [[1, 1]] * 9), "has 9 loads; a table holds at most 8"),
        (put("loads", [[1, 1], 3]), "loads.2: must be a place [x, y] in cm, not 3"),
    ],
)
def test_what_is_refused(change: Change, message: str) -> None:
    with pytest.raises(InputError) as error:
        small(change)
    assert str(error.value).startswith(message)


def test_a_misspelt_key_is_told_before_what_it_leaves_missing() -> None:
    def misspell(source: dict[str, Any]) -> None:
        source["turnes"] = source.pop("turns")

    with pytest.raises(InputError, match=r"^turnes: unknown key 'turnes'; did you mean 'turns'\? .* \(and 1 more prob"):
        small(misspell)


def crowd(side: str, squad: str, group: str, count: int) -> Change:
    def change(source: dict[str, Any]) -> None:
        table = source[side]["squads"][squad]
        table[group]["count"] = count
        if "places" in table:
            table["places"] = [[1, 1]] * count

    return change


def test_there_is_room_for_so_many_figures_and_squads() -> None:
    content = small(crowd("second", "hunters", "hunter", MOST_FIGURES - 4)).content
    assert content.figures("first") + content.figures("second") == MOST_FIGURES
    with pytest.raises(InputError, match=f"^has {MOST_FIGURES + 1} figures; a table holds at most {MOST_FIGURES}$"):
        small(crowd("second", "hunters", "hunter", MOST_FIGURES - 3))

    def squads(number: int) -> Change:
        one = {"facing": "south", "places": [[1, 1]], "scout": {"count": 1, "quality": "irregular"}}
        return put("second.squads", {f"squad{index}": one for index in range(number)})

    assert len(small(squads(15)).content.second.squads) == 15
    with pytest.raises(InputError, match=r"^has 17 squads; a table holds at most 16$"):
        small(squads(16))


def test_errors_name_the_file() -> None:
    with pytest.raises(InputError) as error:
        validated(table_of(Content), SMALL | {"turns": 0}, "my.toml")
    assert (error.value.file, error.value.key) == ("my.toml", "turns")
    with pytest.raises(InputError, match=r"^my.toml: must be a table, not 3$"):
        validated(table_of(Content), 3, "my.toml")
    with pytest.raises(InputError, match=r"^my.toml: here.first: must be a table, not 3$"):
        validated(table_of(Doctrines), {"first": 3}, "my.toml", "here")
