"""Scenarios of the skirmish game: what ships, what can be changed, what wins, and what is refused and how."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.skirmish_tables import NORDAMERICA, RISORGIMENTO, Change, italian, put, set_up, small
from wargamesim.errors import InputError
from wargamesim.files import data_folder
from wargamesim.games.skirmish.doctrine import PARAMETERS, compile_doctrine
from wargamesim.games.skirmish.layout import (
    BUILDING,
    CAPACITY,
    EAST,
    EVADES,
    FACE_X,
    FACE_Y,
    FIELDS,
    HEDGE,
    HIDDEN,
    LEADER,
    MOST_CARDS,
    NORTH,
    REGULAR,
    ROLES,
    SHELTER,
    SIDE,
    SIDES,
    SOUTH,
    SQUAD,
    WALL,
    WEAPON,
    WEST,
    WOOD,
    X,
    Y,
)
from wargamesim.games.skirmish.scenario import (
    Scenario,
    Setup,
    compile_setup,
    load_scenario,
    restore_scenario,
    scenarios,
)
from wargamesim.games.skirmish.schema import Group
from wargamesim.rulebook import load_rulebook

SHIPPED = data_folder() / "scenarios" / "skirmish"
BOOKS = {book.name: book for book in (NORDAMERICA, RISORGIMENTO)}
NAMES = scenarios()
LINES = load_scenario("line_against_line")
COMPANY, HUNTERS = "first.squads.company", "second.squads.hunters"


def compiled(name: str, **changes: Any) -> Setup:
    """Return the setup of a shipped scenario by its own rulebook."""
    scenario = load_scenario(name).variant(changes)
    return compile_setup(BOOKS[scenario.content.rulebook], scenario)


def with_role(setup: Setup, role: int, side: int) -> int:
    """Count the figures of a side that have a role."""
    figures = setup.start.figure[:, : setup.start.count]
    return int(((figures[ROLES] & role > 0) & (figures[SIDE] == side)).sum())


# ------------------------------------------------------------------------------------------------ what ships


def test_the_shipped_scenarios() -> None:
    assert [
        *("bersaglieri_against_line", "blockhouse", "convoy", "farmhouse", "line_against_line"),
        *("line_against_wood_edge", "mirror", "patrol", "sixty_a_side"),
    ] == NAMES
    for name in NAMES:
        scenario = load_scenario(name)
        assert (scenario.name, scenario.game) == (name, "skirmish")
        assert scenario.title
        assert scenario.content.text


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_scenario_can_be_played_on_every_terrain(name: str) -> None:
    for terrain in load_scenario(name).levels("terrain") or ():
        setup = compiled(name, terrain=terrain)
        start = setup.start
        assert start.count == start.fielded.sum() == len(setup.names) == len(set(setup.names))
        assert start.squads == len(setup.squad_names)
        assert setup.rulebook == load_scenario(name).content.rulebook
        for squad in range(int(start.squads)):
            side, first, count = start.squad[:, squad].tolist()
            members = start.figure[:, first : first + count]
            assert (members[SQUAD] == squad).all()
            assert (members[SIDE] == side).all()
            assert (members[ROLES] & LEADER).any(), "every squad has a leader"
        assert (np.diff(start.figure[SQUAD, : start.count]) >= 0).all()
        assert (np.diff(start.figure[SIDE, : start.count]) >= 0).all()
        assert np.hypot(*start.place[[FACE_X, FACE_Y], : start.count]) == pytest.approx(1)


@pytest.mark.parametrize("name", NAMES)
def test_every_doctrine_can_be_chosen(name: str) -> None:
    scenario = load_scenario(name)
    for side, own in enumerate(SIDES):
        names = scenario.levels(f"{own}.doctrine")
        assert names is not None
        assert set(names) >= {"firing_line", "aimed_line", "skirmish_screen", "assault", "ambush", "hold_cover"}
        for doctrine in names:
            values = dict(getattr(scenario.content.doctrines, own)[doctrine])
            assert values.pop("text")
            setup = compile_setup(BOOKS[scenario.content.rulebook], scenario.variant({f"{own}.doctrine": doctrine}))
            assert setup.doctrines[side] == compile_doctrine(values)


def test_line_against_line() -> None:
    setup = compiled("line_against_line")
    assert setup.start.fielded.tolist() == [9, 9]
    assert setup.goals.turns == 20
    assert setup.ground.plain
    for side in (0, 1):
        assert with_role(setup, REGULAR, side) == 8
        assert with_role(setup, LEADER, side) == 1
    for terrain, bit in (("hedge", HEDGE), ("wall", WALL)):
        covered = compiled("line_against_line", terrain=terrain)
        assert set(np.unique(covered.ground.what)) == {0, SHELTER, bit, bit | SHELTER} - {HEDGE, WALL | SHELTER}
        # The second side stands behind it, near enough to be covered: within the width of a base.
        place = covered.start.place[:, :18]
        for figure in range(9, 17):
            x, y = place[X, figure], place[Y, figure]
            assert covered.ground.what[int(y), int(x)] == SHELTER
            assert covered.ground.what[int(y + 1), int(x)] & bit


def test_the_mirror_is_one() -> None:
    setup = compiled("mirror")
    start, half = setup.start, int(setup.start.fielded[0])
    assert start.fielded[0] == start.fielded[1]
    assert setup.doctrines[0] == setup.doctrines[1]
    ours, theirs = start.place[:, :half], start.place[:, half : 2 * half]
    assert (theirs[:2] == [[setup.ground.width], [setup.ground.height]] - ours[:2]).all()
    assert (theirs[2:] == -ours[2:]).all()
    same = [index for index in range(FIELDS) if index not in (SIDE, SQUAD)]
    assert (start.figure[same, :half] == start.figure[same, half : 2 * half]).all()
    width, height = int(setup.ground.width), int(setup.ground.height)
    for squares in (setup.ground.what[:height, :width], setup.ground.depth[:height, :width]):
        assert (squares == squares[::-1, ::-1]).all()
    for goal in ("breaks_at", "hold_figures", "exit_figures", "prisoners"):
        assert setup.goals[goal][0] == setup.goals[goal][1]
    assert setup.goals.home.tolist() == [SOUTH, NORTH]


def test_those_in_the_wood_are_hidden_near_its_edge() -> None:
    setup = compiled("line_against_wood_edge")
    assert with_role(setup, REGULAR, 0) >= 12
    assert with_role(setup, EVADES, 1) == 5
    figures, place = setup.start.figure, setup.start.place
    for figure in range(int(setup.start.fielded[0]), int(setup.start.count)):
        row, col = int(place[Y, figure]), int(place[X, figure])
        assert figures[HIDDEN, figure]
        assert setup.ground.what[row, col] & WOOD
    others = place[:2, setup.start.fielded[0] : setup.start.count]
    depth = [setup.ground.depth[int(y), int(x)] for x, y in others.T]
    assert min(depth) < NORDAMERICA.number("hidden.edge_depth") < max(depth)


def test_what_the_others_are_about() -> None:
    patrol = compiled("patrol")
    assert len({*patrol.start.figure[WEAPON, : patrol.start.count].tolist()}) == 3
    assert patrol.goals.exit_edge.tolist() == [0, EAST]
    assert patrol.goals.exit_figures[1] == 8
    assert patrol.goals.at_limit == 0
    convoy = compiled("convoy")
    assert convoy.start.loads == 4
    assert convoy.goals.exit_loads.tolist() == [3, 2]
    assert convoy.goals.exit_edge.tolist() == [EAST, NORTH]
    assert convoy.goals.prisoners.tolist() == [0, 4]
    sixty = compiled("sixty_a_side")
    assert sixty.start.fielded.tolist() == [60, 60]
    rifles = compiled("bersaglieri_against_line")
    carried = [rifles.weapons[weapon] for weapon in rifles.start.figure[WEAPON, : rifles.start.count]]
    assert set(carried[:12]) == {"rifled_musket", "pistol"}
    assert set(carried[12:]) == {"smoothbore_musket", "pistol"}
    farmhouse = compiled("farmhouse")
    west, north, east, south = farmhouse.goals.hold[0].astype(int)
    assert (farmhouse.ground.what[north:south, west:east] & BUILDING > 0).all()
    assert (farmhouse.ground.what & BUILDING > 0).sum() == (south - north) * (east - west)
    assert np.unique(farmhouse.start.figure[CAPACITY, : farmhouse.start.count]).tolist() == [1, 6, 7]
    assert farmhouse.goals.at_limit == 1


# ------------------------------------------------------------------------------------------------ what can be changed


def test_keys_that_can_be_set() -> None:
    own = [each.name for each in fields(Group) if each.name != "roles"]
    weapons = ["weapon", "weapon2", "arm", "loading", "loading2", "repeater", "repeater2"]
    assert own == ["count", "quality", *weapons, "floor"]
    groups = (f"{COMPANY}.regular", f"{COMPANY}.officer", f"{HUNTERS}.hunter")
    wanted = {"turns", "terrain", "first.doctrine", "second.doctrine", f"{COMPANY}.formation.spacing"}
    wanted |= {f"{group}.{key}" for group in groups for key in own}
    wanted |= {f"victory.{side}.{key}" for side in SIDES for key in ("breaks_at", "prisoners")}
    wanted |= {f"doctrines.{side}.line.{parameter}" for side in SIDES for parameter in PARAMETERS}
    assert set(small().keys) == wanted
    assert all(small().knows(key) for key in wanted)
    for key in ("name", "table.width", f"{HUNTERS}.hidden", f"{COMPANY}.regular.roles", "doctrines.first.line.text"):
        assert not small().knows(key)


def test_aims_that_are_there_can_be_set() -> None:
    hold = {"west": 1, "north": 1, "east": 9, "south": 9, "figures": 1, "turns": 1}
    scenario = small(put("victory", {"first": {"hold": hold}, "second": {"exit": {"edge": "west", "figures": 1}}}))
    more = set(scenario.keys) - set(small().keys)
    assert more == {f"victory.first.hold.{key}" for key in ("figures", "turns")} | {
        f"victory.second.exit.{key}" for key in ("figures", "loads")
    }
    changed = scenario.variant({"victory.first.hold.turns": 4, "victory.second.exit.figures": 2})
    goals = compile_setup(NORDAMERICA, changed).goals
    assert (goals.hold_turns[0], goals.exit_figures[1]) == (4, 2)


def test_levels_are_the_allowed_names() -> None:
    assert LINES.levels("terrain") == ["open", "hedge", "wall"]
    assert LINES.levels("doctrines.first.firing_line.stance") == list(PARAMETERS["stance"].words)
    for key in ("turns", "first.squads.company.regular.weapon", "doctrines.first.ambush.hide_again", "nonsense"):
        assert LINES.levels(key) is None


def test_a_variant_changes_what_it_says_and_nothing_else() -> None:
    changes = {
        "terrain": "wall",
        "turns": 9,
        "second.doctrine": "hold_cover",
        "first.squads.company.regular.count": 12,
        "first.squads.company.regular.quality": "veteran",
        "first.squads.company.officer.weapon2": "rifle",
        "first.squads.company.formation.spacing": 3,
        "doctrines.second.hold_cover.open_fire": 33,
        "victory.second.breaks_at": 1,
    }
    before = json.dumps(LINES.source)
    variant = LINES.variant(changes)
    assert json.dumps(LINES.source) == before
    wanted = json.loads(before)
    for key, value in changes.items():
        put(key, value)(wanted)
    assert variant.source == wanted
    setup = compile_setup(NORDAMERICA, variant)
    assert setup.start.fielded.tolist() == [13, 9]
    assert (setup.goals.turns, setup.goals.breaks_at.tolist()) == (9, [5, 9])
    assert setup.doctrines[1].open_fire == 33.0
    # A veteran who is to be a regular still is one.
    assert with_role(setup, REGULAR, 0) == 12
    nested = LINES.variant({"first": {"squads": {"company": {"regular": {"count": 12}}}}})
    assert nested.fingerprint == LINES.variant({"first.squads.company.regular.count": 12}).fingerprint


def test_variants_of_variants_add_up() -> None:
    one_by_one = LINES.variant({"turns": 9}).variant({"terrain": "hedge"})
    assert one_by_one.fingerprint == LINES.variant({"terrain": "hedge", "turns": 9}).fingerprint
    assert LINES.variant({}).fingerprint == LINES.fingerprint
    assert len({each.fingerprint for each in (LINES, one_by_one, *map(load_scenario, NAMES))}) == len(NAMES) + 1


@pytest.mark.parametrize("name", NAMES)
def test_the_source_goes_through_json_and_back(name: str) -> None:
    scenario = load_scenario(name)
    restored = restore_scenario(json.loads(json.dumps(scenario.source)))
    assert restored.source == scenario.source
    assert restored.fingerprint == scenario.fingerprint
    assert restored.keys == scenario.keys


# ------------------------------------------------------------------------------------------------ what wins


def test_goals_in_full() -> None:
    def aims(source: dict[str, Any]) -> None:
        hold = {"west": 10, "north": 5, "east": 20.5, "south": 15, "figures": 2, "turns": 3}
        source["victory"] = {"at_limit": "second", "first": {"hold": hold, "prisoners": 1, "breaks_at": 0.5}}
        source["victory"]["second"] = {"exit": {"edge": "west", "figures": 2, "loads": 1}}
        source["loads"], source["first"]["home"] = [[5, 5]], "east"

    goals = set_up(aims).goals
    assert (goals.turns, goals.at_limit) == (12, 1)
    assert goals.home.tolist() == [EAST, NORTH]
    assert goals.breaks_at.tolist() == [2, 0]
    assert goals.hold.tolist() == [[10, 5, 20.5, 15], [0, 0, 0, 0]]
    assert (goals.hold_figures.tolist(), goals.hold_turns.tolist()) == ([2, 0], [3, 0])
    assert goals.exit_edge.tolist() == [0, WEST]
    assert (goals.exit_figures.tolist(), goals.exit_loads.tolist()) == ([0, 2], [0, 1])
    assert goals.prisoners.tolist() == [1, 0]


def test_nothing_is_asked_for_by_default() -> None:
    goals = set_up().goals
    assert (goals.turns, goals.at_limit, goals.home.tolist()) == (12, -1, [SOUTH, NORTH])
    for goal in ("breaks_at", "hold_figures", "hold_turns", "exit_edge", "exit_figures", "exit_loads", "prisoners"):
        assert not goals[goal].any()


@pytest.mark.parametrize(
    ("share", "figures"), [(0.01, 1), (0.25, 1), (0.26, 2), (0.5, 2), (0.75, 3), (0.76, 4), (1, 4)]
)
def test_the_share_that_breaks_a_side_is_rounded_up(share: float, figures: int) -> None:
    assert set_up(put("victory", {"first": {"breaks_at": share}})).goals.breaks_at.tolist() == [figures, 0]


def test_shares_of_ten_are_not_rounded_up_by_a_hair() -> None:
    for lost in range(1, 11):
        share = {"victory.first.breaks_at": lost / 10, "first.squads.company.regular.count": 9}
        assert compile_setup(NORDAMERICA, LINES.variant(share)).goals.breaks_at[0] == lost


# ------------------------------------------------------------------------------------------------ files


def write(folder: Path, change: Callable[[str], str] = lambda text: text, name: str = "mine.toml") -> str:
    """Copy a shipped scenario and its doctrines into a folder, with a change to the scenario's text."""
    text = (SHIPPED / "line_against_line.toml").read_text(encoding="utf-8")
    (folder / name).write_text(change(text), encoding="utf-8")
    (folder / "doctrines.toml").write_bytes((SHIPPED / "doctrines.toml").read_bytes())
    return str(folder / name)


def test_a_copy_of_a_scenario_is_the_same_scenario(tmp_path: Path) -> None:
    assert load_scenario(write(tmp_path)).fingerprint == LINES.fingerprint


def test_a_relative_path_is_looked_up_in_the_folder_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        write(tmp_path / name, lambda text, name=name: text.replace("Line against line", name))
    monkeypatch.chdir(tmp_path / "here")
    assert load_scenario("mine.toml").title == "here"
    assert load_scenario("mine.toml", tmp_path / "there").title == "there"
    assert load_scenario("mine.toml", tmp_path).title == "here"
    assert load_scenario("mirror", tmp_path).name == "mirror"


def test_a_scenario_adds_its_own_doctrines(tmp_path: Path) -> None:
    own = '[doctrines.first.assault]\nstop_at = 5\n[doctrines.first.mine]\nstance = "hold"\n'
    doctrines = load_scenario(write(tmp_path, lambda text: text + own)).content.doctrines
    assert set(doctrines.first) == {*LINES.content.doctrines.first, "mine"}
    assert doctrines.first["assault"] == {"stop_at": 5}  # the whole doctrine is replaced
    assert doctrines.second == LINES.content.doctrines.second


def test_a_scenario_may_have_all_its_doctrines_itself(tmp_path: Path) -> None:
    def alone(text: str) -> str:
        own = "".join(f"[doctrines.{side}.firing_line]\n" for side in SIDES)
        return text.replace('doctrines_from = "doctrines.toml"', "") + own

    assert load_scenario(write(tmp_path, alone)).levels("first.doctrine") == ["firing_line"]


@pytest.mark.parametrize(
    ("doctrine", "message"),
    [
        ("[mine]\nstop_at = 1000", "doctrines.toml: mine.stop_at: must be from 0 to 400, not 1000"),
        ("[mine]\nflank = true", "doctrines.toml: mine: unknown doctrine parameter 'flank'"),
        ("mine = 3", "doctrines.toml: mine: must be a table, not 3"),
    ],
)
def test_a_wrong_shared_doctrine_names_its_own_file(tmp_path: Path, doctrine: str, message: str) -> None:
    path = write(tmp_path)
    shared = tmp_path / "doctrines.toml"
    shared.write_text(f"{doctrine}\n" if "=" in doctrine.split("\n")[0] else f"{shared.read_text()}\n{doctrine}\n")
    with pytest.raises(InputError) as error:
        load_scenario(path)
    assert str(error.value).startswith(str(tmp_path / message))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text[:400], "mine.toml: is not valid TOML"),
        (
            lambda text: text.replace('game = "skirmish"', 'game = "stirling"'),
            "mine.toml: game: is 'stirling'; a scenario",
        ),
        (
            lambda text: text.replace('"doctrines.toml"', "3"),
            "mine.toml: doctrines_from: must be the path of a file, not 3",
        ),
        (lambda text: text.replace('"doctrines.toml"', '"none.toml"'), "none.toml: no such file"),
        (lambda text: text.replace("doctrines_from", "# "), "mine.toml: doctrines: is missing"),
        (lambda text: f"{text}[doctrines]\nfirst = 3\n", "mine.toml: doctrines.first: must be a table, not 3"),
        (lambda text: text.replace("turns = 20", "turns = 0"), "mine.toml: turns: must be a whole number from 1"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, change: Callable[[str], str], message: str) -> None:
    with pytest.raises(InputError) as error:
        load_scenario(write(tmp_path, change))
    assert str(error.value).startswith(str(tmp_path / message))


def test_other_files_and_names_are_refused(tmp_path: Path) -> None:
    book = str(data_folder() / "rulebooks" / "nordamerica.toml")
    for name, message in {
        book: f"{book}: ",
        str(tmp_path / "none.toml"): "none.toml: no such file",
        "x" * 5000 + ".toml": "cannot be read",
        "line_against_lime": "unknown scenario 'line_against_lime'; did you mean 'line_against_line'? Known: bersag",
        "doctrines": "unknown scenario 'doctrines'",
    }.items():
        with pytest.raises(InputError) as error:
            load_scenario(name, tmp_path)
        assert message in str(error.value)


# ------------------------------------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"first.doctrin": "line"},
            "first.doctrin: cannot be set; did you mean 'first.doctrine'? Allowed: turns, terr",
        ),
        ({f"{COMPANY}.facing": "south"}, f"{COMPANY}.facing: cannot be set"),
        ({"victory.first.hold.turns": 3}, "victory.first.hold.turns: cannot be set"),
        ({"first.doctrine": "lime"}, "first.doctrine: unknown doctrine 'lime'; did you mean 'line'? Known: line"),
        ({"terrain": 3}, "terrain: must be a text in quotes, not 3"),
        ({f"{COMPANY}.regular.count": [4, 5]}, f"{COMPANY}.regular.count: must be a whole number from 0 to 128, not"),
        ({f"{COMPANY}.regular.count": 10**9}, f"{COMPANY}.regular.count: must be a whole number from 0 to 128"),
        ({f"{HUNTERS}.hunter.count": 4}, f"{HUNTERS}: has 4 figures, but only 3 places"),
        ({f"{HUNTERS}.hunter.count": 0}, f"{HUNTERS}: has no figures"),
        ({"doctrines.first.line.stop_at": -1}, "doctrines.first.line.stop_at: must be from 0 to"),
        ({"turns": True}, "turns: must be a whole number from 1 to 1000, not true"),
    ],
)
def test_wrong_changes_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        small().variant(changes)
    assert str(error.value).startswith(message)


def test_scenarios_are_for_their_own_rulebook(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        compile_setup(RISORGIMENTO, small())
    wanted = "rulebook: the scenario is made for the rulebook 'nordamerica', not for 'risorgimento'"
    assert str(error.value) == wanted
    house = tmp_path / "house.toml"
    house.write_text('name = "house"\nextends = "risorgimento"\n', encoding="utf-8")
    with pytest.raises(InputError) as error:
        compile_setup(load_rulebook(house), small())
    assert str(error.value) == wanted.replace("'risorgimento'", "'house', which extends 'risorgimento'")
    assert compile_setup(load_rulebook(house), small(italian)).rulebook == "risorgimento"


def test_a_rulebook_of_another_game_is_refused() -> None:
    with pytest.raises(InputError, match=r"^game: 'azincourt' is a rulebook of azincourt, not of skirmish$"):
        compile_setup(load_rulebook("azincourt"), small())


def test_dragging_is_for_rulebooks_that_know_it() -> None:
    with pytest.raises(InputError, match=r"^loads: the rulebook 'risorgimento' has no rule for dragging$"):
        set_up(italian, put("loads", [[5, 5]]), rulebook=RISORGIMENTO)


@pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
def test_every_reading_can_be_set_up(book: Any) -> None:
    change = [italian] if book is RISORGIMENTO else []
    for rule_id, reading in book.readings.items():
        for option in reading.options:
            assert set_up(*change, rulebook=book.variant({rule_id: option})).start.count == 6


TOWER = {"kind": "building", "points": [[5, 5], [55, 5], [55, 15], [5, 15]], "floors": 2}


def test_floors_are_for_rulebooks_that_know_them() -> None:
    assert set_up(put("terrains.field", [TOWER])).play.has_floors
    low = put("terrains.field", [TOWER | {"floors": 1}])
    assert not set_up(italian, low, rulebook=RISORGIMENTO).play.has_floors
    for key, change in {
        "terrains.field.1.floors": put("terrains.field", [TOWER]),
        f"{HUNTERS}.hunter.floor": put(f"{HUNTERS}.hunter.floor", 1),
    }.items():
        with pytest.raises(InputError) as error:
            set_up(italian, change, rulebook=RISORGIMENTO)
        assert str(error.value) == f"{key}: the rulebook 'risorgimento' has no rule for floors"


def scouts(number: int) -> Change:
    """Return a change that gives the second side so many squads of one."""

    def change(source: dict[str, Any]) -> None:
        quality = "irregular" if source["rulebook"] == "nordamerica" else "militia"
        source["second"]["squads"] = {
            f"scout{index}": {
                "facing": "south",
                "places": [[4 * index + 2, 5]],
                "scout": {"count": 1, "quality": quality},
            }
            for index in range(number)
        }

    return change


def test_suits_make_larger_decks() -> None:
    # 15 squads with five cards each and two jokers; blanks fill four packs of four suits.
    assert set_up(italian, scouts(14), rulebook=RISORGIMENTO).start.squads == 15
    full = RISORGIMENTO.variant({"RI-2.3": "blanks", "deck.extra_cards": MOST_CARDS - 82})
    assert set_up(italian, scouts(14), rulebook=full).start.squads == 15
    more = full.variant({"deck.extra_cards": MOST_CARDS - 81})
    with pytest.raises(InputError, match=f"^deck: the deck has {MOST_CARDS + 1} cards"):
        set_up(italian, scouts(14), rulebook=more)


def test_one_pack_has_no_more_suits() -> None:
    shared = RISORGIMENTO.variant({"RI-2.2": "red_black"})
    assert set_up(italian, scouts(3), rulebook=shared).start.squads == 4
    with pytest.raises(InputError, match=r"^deck.suits: there is one pack of 4 suits, but 5 squads \(RI-2.2 = red_bl"):
        set_up(italian, scouts(4), rulebook=shared)


def test_terrain_that_covers_nothing_is_named() -> None:
    aside = {"kind": "rough", "points": [[90, 5], [95, 5], [95, 9]]}
    with pytest.raises(InputError, match=r"^terrains.field.1: this rough covers no square of the table$"):
        set_up(put("terrains.field", [aside]))
    houses = [
        {"kind": "building", "points": [[x, y], [x + 2, y], [x + 2, y + 2], [x, y + 2]]}
        for x in range(2, 34, 4)
        for y in (2, 6)
    ]
    with pytest.raises(
        InputError, match=r"^terrains.field: there are 16 separate buildings; a table holds at most 15$"
    ):
        set_up(put("terrains.field", houses))


def test_the_error_names_the_file(tmp_path: Path) -> None:
    path = write(tmp_path)
    with pytest.raises(InputError) as error:
        compile_setup(NORDAMERICA, load_scenario(path).variant({"first.squads.company.regular.weapon": "rifel"}))
    message = (
        f"{path}: first.squads.company.regular.weapon: unknown weapon 'rifel'; did you mean 'rifle'? Known: musket"
    )
    assert str(error.value).startswith(message)


def test_setups_of_one_table_share_it() -> None:
    scenario = load_scenario("mirror")
    again = scenario.variant({"turns": 3})
    assert compile_setup(NORDAMERICA, scenario).ground is compile_setup(NORDAMERICA, again).ground


def test_a_scenario_is_known_by_name_and_file() -> None:
    assert isinstance(LINES, Scenario)
    assert LINES.file == str(SHIPPED / "line_against_line.toml")
    assert LINES.title == "Line against line"


def test_loading_and_setting_up_needs_no_compiler() -> None:
    code = (
        "import sys\n"
        "from wargamesim.games.skirmish.scenario import compile_setup, load_scenario\n"
        "from wargamesim.rulebook import load_rulebook\n"
        "compile_setup(load_rulebook('nordamerica'), load_scenario('mirror'))\n"
        "heavy = ('numba', 'pandas', 'matplotlib', 'scipy.stats', 'pydantic')\n"
        "print([name for name in heavy if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
