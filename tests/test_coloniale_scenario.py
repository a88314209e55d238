"""Shipped scenarios of Coloniale, what can be set in them, and what a rulebook refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from wargamesim.errors import InputError
from wargamesim.games.coloniale import layout as at
from wargamesim.games.coloniale.scenario import compile_setup, load_scenario, restore_scenario, scenarios
from wargamesim.rulebook import load_rulebook

RULEBOOK = load_rulebook("coloniale")
MIRRORS = ("mirror", "one_figure_battalions", "twelve_a_side")


@pytest.mark.parametrize("name", scenarios())
def test_shipped_scenarios_can_be_played_and_restored(name: str) -> None:
    scenario = load_scenario(name)
    setup = compile_setup(RULEBOOK, scenario)
    assert scenario.name == name
    assert scenario.content.text
    assert restore_scenario(scenario.source).fingerprint == scenario.fingerprint
    assert len(setup.names) == setup.start.count == len(set(setup.names))
    sides = setup.start.unit[: setup.start.count, at.SIDE]
    assert set(sides) == {0, 1}
    assert (sides[1:] >= sides[:-1]).all()


@pytest.mark.parametrize("name", scenarios())
def test_every_path_can_be_set_to_what_it_is(name: str) -> None:
    scenario = load_scenario(name)
    for key in scenario.keys:
        value: Any = scenario.source
        for step in key.split("."):
            value = value.get(step) if isinstance(value, dict) else None
        if value is not None:
            assert scenario.variant({key: value}).fingerprint == scenario.fingerprint, key


@pytest.mark.parametrize("name", scenarios())
def test_each_side_has_three_doctrines_or_more(name: str) -> None:
    scenario = load_scenario(name)
    if name != "two_units":
        assert all(len(scenario.content.doctrines.of(side)) >= 6 for side in at.SIDES)


@pytest.mark.parametrize("name", MIRRORS)
def test_mirrors_look_the_same_from_both_edges(name: str) -> None:
    setup = compile_setup(RULEBOOK, load_scenario(name))
    half = int(setup.start.count) // 2
    place, unit = setup.start.place, setup.start.unit.copy()
    size = [float(setup.ground.width), float(setup.ground.height)]
    assert place[half : 2 * half] == pytest.approx(size - place[:half])
    unit[:, at.SIDE] = 0
    assert (unit[half : 2 * half] == unit[:half]).all()
    what = setup.ground.what[: int(size[1]), : int(size[0])]
    assert (what == what[::-1, ::-1]).all()
    assert setup.doctrines[0] == setup.doctrines[1]


def test_paths_set_numbers_of_units_guns_and_doctrines() -> None:
    scenario = load_scenario("fort_and_guns").variant(
        {
            "first.units.guns.count": 4,
            "first.units.battalions.figures": 5,
            "second.units.garrison.discipline": 9,
            "doctrines.first.bombard.patience": 2,
            "turns": 12,
        }
    )
    setup = compile_setup(RULEBOOK, scenario)
    assert setup.names.count("first guns 4") == 1
    assert setup.start.count == 8
    assert setup.start.unit[0, at.FIG] == 5
    assert setup.start.unit[7, at.DISC] == 9
    assert setup.start.place[7].tolist() == [60, 20]
    assert setup.start.unit[7, at.FORT] == 1
    assert setup.doctrines[0].patience == 2
    assert setup.goals.turns == 12
    assert scenario.levels("first.doctrine") == list(scenario.content.doctrines.first)
    assert scenario.levels("turns") is None


def test_no_guns_at_all() -> None:
    setup = compile_setup(RULEBOOK, load_scenario("fort_and_guns").variant({"first.units.guns.count": 0}))
    assert setup.start.count == 4


@pytest.mark.parametrize("parts", [1, 2, 3, 8, 20])
def test_a_divided_side_has_the_same_figures(parts: int) -> None:
    scenario = load_scenario("one_figure_battalions").variant({"first.split": parts, "first.split_drop": 1})
    start = compile_setup(RULEBOOK, scenario).start
    first = start.unit[: start.count][start.unit[: start.count, at.SIDE] == 0]
    assert first[:, at.FIG].sum() == 22
    assert first[:, at.FIG].min() >= 1
    assert len(first) == 2 * min(parts, 8) + min(parts, 6)
    assert sorted(set(first[:, at.DISC])) == ([6] if parts == 1 else [5, 6])
    assert (first[:, at.DISC] == 6).sum() == 3


@pytest.mark.parametrize(
    ("name", "changes", "key", "message"),
    [
        ("mirror", {"first.units.battalions.figures": 9}, "first.units.battalions.figures", "from 1 to 8 for infantry"),
        ("mirror", {"first.units.horse.figures": 5}, "first.units.horse.figures", "from 1 to 4 for cavalry"),
        ("mirror", {"first.units.guns.discipline": 2}, "first.units.guns.discipline", "from 3 to 10 .CO-1.3., not 2"),
        ("mirror", {"first.units.guns.at": [160, 20]}, "first.units.guns.at", "off the table of 160 by 120"),
        ("mirror", {"first.units.guns.at": [58, 104]}, "first.units.guns.at", "stands 0 cm from first battalions 1"),
        ("mirror", {"first.units.guns.at": [58, 103]}, "first.units.guns.at", "stands 1 cm from first battalions 1"),
        ("mirror", {"first.units.battalions.count": 7}, "first.units.battalions.at", "off the table"),
        ("mirror", {"first.split": 8}, "first.units", "at most 24"),
        ("mirror", {"first.split": 2, "first.split_drop": 1}, "first.units.battalions.discipline", "is needed"),
    ],
)
def test_what_a_rulebook_refuses(name: str, changes: dict[str, Any], key: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        compile_setup(RULEBOOK, load_scenario(name).variant(changes))
    assert error.value.key in (key, "first.split")
    assert error.value.file is not None


def test_readings_about_units() -> None:
    both = load_scenario("mirror").variant({"first.units.veterans.fanatic": True})
    compile_setup(RULEBOOK, both)
    with pytest.raises(InputError, match="not both"):
        compile_setup(RULEBOOK.variant({"CO-P05": "exclusive"}), both)
    with pytest.raises(InputError, match="nothing is drawn for cavalry"):
        compile_setup(RULEBOOK.variant({"CO-P04": "designer"}), load_scenario("mirror"))
    without = compile_setup(RULEBOOK.variant({"units.cavalry.rifles": False}), load_scenario("mirror"))
    cavalry = without.start.unit[:, at.ARM] == at.CAVALRY
    assert not without.start.unit[cavalry, at.RIFLES].any()


def test_the_length_is_said_once() -> None:
    with pytest.raises(InputError, match="leave one out"):
        compile_setup(RULEBOOK.variant({"end.turns": 9}), load_scenario("two_units"))
    assert compile_setup(RULEBOOK.variant({"end.turns": 9}), load_scenario("mirror")).goals.turns == 9


def test_a_rulebook_of_another_game_is_refused() -> None:
    with pytest.raises(InputError, match="is a rulebook of stirling, not of coloniale"):
        compile_setup(load_rulebook("stirling"), load_scenario("mirror"))


def test_unknown_names_are_told() -> None:
    with pytest.raises(InputError, match="did you mean 'mirror'"):
        load_scenario("miror")
    with pytest.raises(InputError, match=r"did you mean 'first\.units\.guns\.count'"):
        load_scenario("mirror").variant({"first.units.guns.cont": 1})
    with pytest.raises(InputError, match="unknown doctrine 'charge'"):
        load_scenario("mirror").variant({"first.doctrine": "charge"})


FILE = """
name = "own"
title = "Own"
game = "coloniale"
table = {{ width = 100, height = 80 }}
zones.island = {{ west = 40, north = 10, east = 60, south = 20 }}
features = [{{ kind = "river", ford = "{ford}", points = [[0, 40], [100, 40]] }}]
bridges = {bridges}
victory.first.hold = 1
[first]
doctrine = "go"
units.line = {{ arm = "infantry", figures = 8, at = [50, 60] }}
[second]
doctrine = "go"
units.line = {{ arm = "infantry", figures = 8, at = [50, 30] }}
[doctrines]
first.go = {{}}
second.go = {{}}
"""


def test_a_zone_beyond_water_cannot_be_reached_but_by_a_bridge(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    for ford, bridges, reached in (("none", "[]", False), ("none", "[[20, 40]]", True), ("hard", "[]", True)):
        file.write_text(FILE.format(ford=ford, bridges=bridges))
        scenario = load_scenario("own.toml", tmp_path)
        if reached:
            compile_setup(RULEBOOK, scenario)
        else:
            with pytest.raises(InputError, match="wants 1, but no unit of this side can reach island") as error:
                compile_setup(RULEBOOK, scenario)
            assert error.value.key == "victory.first.hold"
            assert error.value.file == str(file)
    file.write_text(FILE.format(ford="easy", bridges="[]").replace("[first]", "movement = false\n[first]"))
    with pytest.raises(InputError, match="can reach island"):
        compile_setup(RULEBOOK, load_scenario(str(file)))


def test_a_road_that_ends_nowhere_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    roads = "[roads]\nplaces = {{ a = {{ at = [0, 70] }}, b = {{ at = [{x}, 70]{town} }} }}\nlinks = [['a', 'b']]\n"
    for x, town, allowed in ((50, "", False), (50, ", town = true", True), (100, "", True)):
        text = FILE.format(ford="easy", bridges="[]") + roads.format(x=x, town=town)
        file.write_text(text)
        if allowed:
            setup = compile_setup(RULEBOOK, load_scenario(str(file)))
            assert setup.node_names == ("a", "b")
            assert setup.ground.road_way[0, 1] == pytest.approx(min(x, 99.5) - 0.5)
        else:
            with pytest.raises(InputError, match="this road leads nowhere: it ends here") as error:
                compile_setup(RULEBOOK, load_scenario(str(file)))
            assert error.value.key == "roads.places.b"


def test_doctrines_come_from_the_file_that_is_named(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    text = (
        FILE.format(ford="easy", bridges="[]")
        .split("[doctrines]")[0]
        .replace("[first]", 'doctrines_from = "mine.toml"\n[first]', 1)
    )
    file.write_text(text)
    (tmp_path / "mine.toml").write_text("[go]\nreach = 10.0\n")
    assert compile_setup(RULEBOOK, load_scenario(str(file))).doctrines[1].reach == 10.0
    file.write_text(text + "[doctrines.first.go]\nreach = 20.0\n")
    assert [doctrine.reach for doctrine in compile_setup(RULEBOOK, load_scenario(str(file))).doctrines] == [20.0, 10.0]
    (tmp_path / "mine.toml").write_text("[go]\nreech = 10.0\n")
    with pytest.raises(InputError, match="did you mean 'reach'") as error:
        load_scenario(str(file))
    assert error.value.file == str(tmp_path / "mine.toml")
    file.write_text(text.replace('"mine.toml"', "3"))
    with pytest.raises(InputError, match="must be the path of a file, not 3"):
        load_scenario(str(file))
