"""Scenarios of Stirling: what ships, what can be changed, and what is refused and how."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.stirling_scenarios import SMALL, small
from wargamesim.errors import InputError
from wargamesim.files import data_folder
from wargamesim.games.stirling import layout as at
from wargamesim.games.stirling.playing import PLAY, pack_play
from wargamesim.games.stirling.scenario import compile_setup, load_scenario, restore_scenario, scenarios
from wargamesim.rulebook import load_rulebook

BOOK = load_rulebook("stirling")
NEEDED = {"line_battle", "archers_behind_foot", "cavalry_charge", "mirror", "two_units", "eight_a_side", "divided_army"}
SHIPPED = data_folder() / "scenarios" / "stirling"


def test_what_the_game_needs_is_shipped() -> None:
    assert set(scenarios()) >= NEEDED
    assert not {"doctrines", "troops"} & set(scenarios())


@pytest.mark.parametrize("name", scenarios())
def test_a_shipped_scenario_is_complete(name: str) -> None:
    scenario = load_scenario(name)
    assert (scenario.name, scenario.game) == (name, "stirling")
    assert len(scenario.title) > 5
    assert len(scenario.content.text) > 40
    assert len(scenario.levels("first.doctrine") or ()) >= 3
    setup = compile_setup(BOOK, scenario)
    assert len(setup.names) == len(set(setup.names)) == setup.start.count
    assert setup.rulebook == "stirling"
    assert (setup.start.unit[: setup.start.count, at.STATUS] == at.ORDERED).all()


@pytest.mark.parametrize("name", scenarios())
def test_a_source_rebuilds_the_scenario(name: str) -> None:
    scenario = load_scenario(name)
    again = restore_scenario(json.loads(json.dumps(scenario.source)))
    assert again.source == scenario.source
    assert again.fingerprint == scenario.fingerprint


@pytest.mark.parametrize("name", scenarios())
def test_everything_settable_can_be_set_to_what_it_is(name: str) -> None:
    scenario = load_scenario(name)
    for key in scenario.keys:
        table = scenario.source
        for step in key.split("."):
            table = table.get(step) if isinstance(table, dict) else None
        names = scenario.levels(key)
        if table is not None:
            assert scenario.variant({key: table}).fingerprint == scenario.fingerprint
            assert names is None or table in names


@pytest.mark.parametrize("name", ["mirror", "eight_a_side", "divided_army"])
def test_equal_armies_stand_as_if_the_board_were_turned_round(name: str) -> None:
    start = compile_setup(BOOK, load_scenario(name)).start
    half = start.count // 2
    first, second = start.unit[:half], start.unit[half : start.count]
    columns = [rows[:, at.Q] + rows[:, at.R] // 2 for rows in (first, second)]
    assert np.array_equal(columns[1], start.cols - 1 - columns[0])
    assert np.array_equal(second[:, at.R], start.rows - 1 - first[:, at.R])
    assert np.array_equal(second[:, at.FRONT], (first[:, at.FRONT] + 3) % 6)
    same = [field for field in range(at.FIELDS) if field not in (at.SIDE, at.Q, at.R, at.FRONT)]
    assert np.array_equal(first[:, same], second[:, same])
    assert start.commander[0] in (-1, start.commander[1] - half)
    # An even number of rows: only such a board is the same when it is turned.
    assert start.rows % 2 == 0


def test_two_units_touch_front_to_front_and_stay() -> None:
    start = compile_setup(BOOK, load_scenario("two_units")).start
    (q, r), (to_q, to_r) = start.unit[:2, [at.Q, at.R]]
    front, back = start.unit[:2, at.FRONT]
    assert (q + at.STEP_Q[front], r + at.STEP_R[front]) == (to_q, to_r)
    assert (front - back) % 6 == 3
    assert start.movement == 0


@pytest.mark.parametrize("parts", [1, 2, 3, 4, 6, 8, 12, 24])
def test_an_army_can_be_divided_into_any_number_of_units(parts: int) -> None:
    scenario = load_scenario("divided_army").variant({"first.split": parts})
    unit = compile_setup(BOOK, scenario).start.unit
    own = unit[(unit[:, at.MEN] > 0) & (unit[:, at.SIDE] == 0)]
    assert len(own) == parts
    assert own[:, at.MEN].tolist() == [1200 // parts] * parts


def test_a_variant_changes_what_it_names_and_nothing_else() -> None:
    scenario = small()
    before = scenario.fingerprint
    other = scenario.variant(
        {"troops.first.man.thac0": 17, "first.units.foot.men": 200, "second": {"doctrine": "plain"}, "movement": False}
    )
    assert other.content.troops.first["man"].thac0 == 17
    assert other.content.first.units["foot"].men == 200
    assert other.content.movement is False
    assert scenario.fingerprint == before != other.fingerprint
    assert other.variant({"troops.first.man.thac0": 20, "first.units.foot.men": 120, "movement": True}).source == (
        scenario.source
    )


def test_known_names_are_listed() -> None:
    scenario = small()
    assert scenario.knows("first.commander.charisma")
    assert not scenario.knows("second.commander.charisma")
    assert not scenario.knows("name")
    assert scenario.levels("first.units.foot.troop") == ["man", "rider"]
    assert scenario.levels("first.units.foot.men") is None
    assert scenario.levels("doctrines.first.plain.run") == ["never", "into_contact", "always"]


def test_an_unknown_path_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError, match=r"did you mean 'first.units.foot.men'\?"):
        small().variant({"first.units.foot.man": 10})
    with pytest.raises(InputError, match=r"Allowed: <side>.doctrine"):
        small().variant({"weather": "rain"})


def test_an_unknown_scenario_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError, match="'mirror'"):
        load_scenario("miror")
    with pytest.raises(InputError):
        load_scenario("no_such_file.toml")


def test_a_file_shares_doctrines_and_troops_and_its_own_come_first(tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_text('[man]\nthac0 = 11\nac = 1\ndamage = "1d4"\nmov = 6\n', "utf-8")
    text = (SHIPPED / "two_units.toml").read_text("utf-8").replace('"troops.toml"', '"t.toml"')
    text = text.replace('"doctrines.toml"', f'"{SHIPPED / "doctrines.toml"}"').replace("plain_man", "man")
    own = '\n[troops.second]\nman = { thac0 = 12, ac = 2, damage = "1d6", mov = 3 }\n'
    (tmp_path / "mine.toml").write_text(text + own, "utf-8")
    scenario = load_scenario("mine.toml", tmp_path)
    assert [troops["man"].thac0 for troops in (scenario.content.troops.first, scenario.content.troops.second)] == [
        11,
        12,
    ]
    assert scenario.file == str(tmp_path / "mine.toml")


@pytest.mark.parametrize(
    ("old", "new", "where", "said"),
    [
        ('"troops.toml"', "3", "mine.toml", "troops_from: must be the path of a file"),
        ('"troops.toml"', '"bad.toml"', "bad.toml", "man.hp: must be a whole number from 1 to 10000, not 0"),
        ("men = 300", "men = 305", "mine.toml", "first.units.company.men: must be a multiple of 10"),
        ("at = [0, 1]", "at = [3, 1]", "mine.toml", "first.units.company.at: first company would stand at [3, 1]"),
    ],
)
def test_errors_name_file_and_key(tmp_path: Path, old: str, new: str, where: str, said: str) -> None:
    (tmp_path / "bad.toml").write_text('[man]\nthac0 = 11\nac = 1\ndamage = "1d4"\nmov = 6\nhp = 0\n', "utf-8")
    for name in ("troops.toml", "doctrines.toml"):
        (tmp_path / name).write_text((SHIPPED / name).read_text("utf-8"), "utf-8")
    text = (SHIPPED / "two_units.toml").read_text("utf-8")
    assert old in text
    (tmp_path / "mine.toml").write_text(text.replace(old, new), "utf-8")
    with pytest.raises(InputError) as caught:
        compile_setup(BOOK, load_scenario(str(tmp_path / "mine.toml")))
    assert str(caught.value).startswith(f"{tmp_path / where}: {said}")


def test_a_rulebook_of_another_game_is_refused() -> None:
    with pytest.raises(InputError, match="is a rulebook of azincourt"):
        compile_setup(load_rulebook("azincourt"), small())


def test_the_length_of_a_battle_is_the_rulebooks_or_the_scenarios() -> None:
    assert compile_setup(BOOK, small()).play.turns == 30
    assert compile_setup(BOOK.variant({"end.turns": 7}), small()).play.turns == 7
    assert compile_setup(BOOK, small(turns=12)).play.turns == 12
    with pytest.raises(InputError, match="leave one out"):
        compile_setup(BOOK.variant({"end.turns": 7}), small(turns=12))


def test_a_setup_plays_by_the_rulebook() -> None:
    book = BOOK.variant({"SS-P35": "carry", "charge.hit": 3})
    setup = compile_setup(book, small())
    expected = pack_play(book)
    assert all(np.array_equal(setup.play[field], expected[field]) for field in PLAY.names or ())
    assert setup.names == ("first foot", "first riders", "second band")
    assert setup.doctrines[1].foot == 0 != setup.doctrines[0].foot


def test_parts_are_numbered_in_their_names() -> None:
    setup = compile_setup(BOOK, small(second__split=2))
    assert setup.names[2:] == ("second band 1", "second band 2")


def test_the_tables_of_the_tests_stay_as_they_are() -> None:
    small().variant({"first.units.foot.men": 10})
    assert SMALL["first"]["units"]["foot"]["men"] == 120
