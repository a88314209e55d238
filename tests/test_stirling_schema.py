"""The file of a scenario of Stirling: what it may hold, and what is refused and how."""

from __future__ import annotations

from typing import Any

import pytest

from tests.stirling_scenarios import SMALL, tables
from wargamesim.errors import InputError
from wargamesim.games.readers import as_tables, table_of, validated
from wargamesim.games.stirling.schema import Content, Troop, content_of

MAN = {"thac0": 20, "ac": 5, "damage": "1d8", "mov": 9}


def test_what_is_left_out_has_its_default() -> None:
    content = content_of(tables(), None)
    assert content.movement is True
    assert content.turns is None
    assert (content.first.split, content.second.commander) == (1, None)
    man = content.troops.first["man"]
    assert (man.quality, man.rate, man.hp, man.large, man.missile) == ("common", 1, None, False, None)


def test_tables_read_again_are_the_same() -> None:
    content = content_of(tables(), None)
    assert content_of(as_tables(content), None) == content


@pytest.mark.parametrize("field", ["name", "title", "board", "first", "second", "troops", "doctrines"])
def test_nothing_that_is_needed_may_be_missing(field: str) -> None:
    with pytest.raises(InputError, match="is missing") as caught:
        content_of(tables(**{field: None}), "my.toml")
    assert caught.value.file == "my.toml"
    assert caught.value.key == field


@pytest.mark.parametrize(
    ("changes", "key", "said"),
    [
        ({"nmae": "x"}, "nmae", "did you mean 'name'"),
        ({"board__columns": 2}, "board.columns", "from 3 to 64"),
        ({"board__rows": 65}, "board.rows", "from 3 to 64"),
        ({"turns": 0}, "turns", "from 1 to"),
        ({"movement": "no"}, "movement", "true or false"),
        ({"first__units__foot__men": 0}, "first.units.foot.men", "from 1 to 10000"),
        ({"first__units__foot__men": "many"}, "first.units.foot.men", "not 'many'"),
        ({"first__units__foot__leader": 20}, "first.units.foot.leader", "from 0 to 19"),
        ({"first__units__foot__at": [4]}, "first.units.foot.at", "a hex [column, row]"),
        ({"first__units__foot__front": "north"}, "first.units.foot.front", "unknown front 'north'"),
        ({"first__units__foot__troop": None}, "first.units.foot.troop", "is missing"),
        ({"first__units": {}}, "first.units", "at least one unit"),
        ({"troops__first__man__hp": 0}, "troops.first.man.hp", "from 1 to 10000"),
        ({"troops__first__man__thac0": 101}, "troops.first.man.thac0", "from -100 to 100"),
        ({"troops__first__man__mov": 49}, "troops.first.man.mov", "from 0 to 48"),
        ({"troops__first__man__damage": "d"}, "troops.first.man.damage", "no damage"),
        ({"troops__first__man__rate": "1/7"}, "troops.first.man.rate", "halves, thirds or quarters"),
        ({"troops__first__man__quality": "elit"}, "troops.first.man.quality", "did you mean 'elite'"),
        ({"troops__first__rider__missile": "bow"}, "troops.first.rider.missile", "unknown missile weapon"),
        ({"doctrines__first__plain": {"foot": "run"}}, "doctrines.first.plain.foot", "unknown word 'run'"),
        ({"doctrines__first__plain": {"fot": "hold"}}, "doctrines.first.plain", "did you mean 'foot'"),
        ({"doctrines__first__plain": 4}, "doctrines.first.plain", "must be a table"),
        ({"first__units__foot__spells": [{"turn": 0, "reach": 3, "men": 5}]}, "first.units.foot.spells.1.turn", "1 to"),
    ],
)
def test_what_is_wrong_is_named_with_its_key(changes: dict[str, Any], key: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        content_of(tables(**changes), "my.toml")
    assert caught.value.key == key
    assert said in caught.value.message


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"first__doctrine": "brave"}, "first.doctrine: unknown doctrine 'brave'"),
        ({"first__units__foot__troop": "men"}, "first.units.foot.troop: unknown troop 'men'; did you mean 'man'?"),
        ({"first__split": 13}, "first.split: makes 26 units; a side has at most 24"),
        ({"first__commander__leads": "horse"}, "first.commander.leads: unknown unit 'horse'"),
        ({"first__units__riders__leader": 12}, "first.units.riders.leader: is led by the Commander"),
        (
            {"second__units": {f"u{k}": {**SMALL["second"]["units"]["band"], "men": 10_000} for k in range(4)}},
            "second.units: has 40000 men",
        ),
        (
            {"first__units__foot__spells": [{"turn": 1, "reach": 3, "men": 5}] * 33},
            "has 33 spells; a battle has at most 32",
        ),
    ],
)
def test_tables_must_agree_with_each_other(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as caught:
        content_of(tables(**changes), None)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"level": 3}, "level and level_die belong together"),
        ({"level": 3, "level_die": 8, "hit_dice": 2}, "either of a level or a monster"),
        ({"missile": "long_bow"}, "needs missile or ranges, and missile_damage"),
        ({"missile_damage": "1d6"}, "needs missile or ranges, and missile_damage"),
        ({"ranges": [5, 4, 6], "missile_damage": "1d6"}, "not shrink from short to long"),
        ({"ranges": [0, 4, 6], "missile_damage": "1d6"}, "at least 1"),
        ({"lance": True}, "it needs mounted = true"),
    ],
)
def test_a_stat_block_must_agree_with_itself(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        validated(table_of(Troop), MAN | changes, None)


def test_explicit_hit_points_and_ranges_win() -> None:
    block = {**MAN, "hp": 9, "hit_dice": 4, "missile": "long_bow", "ranges": [1, 2, 3], "missile_damage": "1d6"}
    assert validated(table_of(Troop), block, None).hp == 9


@pytest.mark.parametrize(("game", "said"), [("azincourt", "is 'azincourt'"), (None, "is missing")])
def test_a_scenario_of_another_game_is_refused(game: str | None, said: str) -> None:
    with pytest.raises(InputError, match=said):
        content_of(tables(game=game), None)


def test_the_message_counts_further_problems() -> None:
    with pytest.raises(InputError, match=r"\(and 1 more problem\)"):
        content_of(tables(title=3, movement=3), None)


def test_content_has_a_field_for_all_tables() -> None:
    assert set(SMALL) <= set(Content.__dataclass_fields__)
