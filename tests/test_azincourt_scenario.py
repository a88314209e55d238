"""Scenarios: what ships, who stands where, what can be changed, and what is refused and how."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wargamesim.errors import InputError
from wargamesim.files import data_folder
from wargamesim.games.azincourt.doctrine import PARAMETERS, compile_doctrine
from wargamesim.games.azincourt.layout import (
    ALIVE,
    BY_ENGLISH,
    BY_FRENCH,
    CASTLE,
    COL,
    DISMOUNTS,
    FACING,
    HOUSE,
    KIND,
    MOUNTAIN,
    MUD,
    ROAD,
    ROW,
    SIDE,
    STAKE,
    STAKES,
    WOOD,
)
from wargamesim.games.azincourt.rules import (
    ARCHER,
    CANNON,
    CROSSBOW,
    ENGLISH,
    FOOT_KNIGHT,
    FRENCH,
    INFANTRY,
    KINDS,
    KNIGHT,
    NORTH,
    SIDES,
    SOUTH,
)
from wargamesim.games.azincourt.scenario import (
    Scenario,
    Setup,
    compile_setup,
    load_scenario,
    restore_scenario,
    scenarios,
)
from wargamesim.games.azincourt.schema import STANDS, TERRAIN
from wargamesim.rulebook import load_rulebook

BOOK = load_rulebook("azincourt")
SHIPPED = data_folder() / "scenarios" / "azincourt"
BATTLE = load_scenario("azincourt_1415")
MIRROR = load_scenario("mirror")
PLANS = [(side, name) for side in SIDES for name in BATTLE.levels(f"{side}.deployment") or ()]

# A small field to see every square of; its rulebook has a board and zones to match.
SMALL_BOOK = BOOK.variant(
    {"board.rows": 8, "board.cols": 7, "deployment.english_depth": 3, "deployment.french_depth": 3}
)
SMALL: dict[str, Any] = {
    "name": "small",
    "title": "A small field",
    "game": "azincourt",
    "map": "...=...\n.c.=.h.\n...=...\n~~~+~~~\n~A~+~#~\n...=...\n.h.=.^.\n...=..#\n",
    "english": {"deployment": "row", "doctrine": "plain", "order_of_battle": {"archer": 3, "knight": 1}},
    "french": {"deployment": "row", "doctrine": "plain", "order_of_battle": {"infantry": 2, "cannon": 1}},
    "deployments": {
        "english": {"row": {"grid": "..AAA..\n...K...\n.......\n"}},
        "french": {"row": {"grid": ".......\n...C...\n..I.I..\n"}},
    },
    "doctrines": {"english": {"plain": {}}, "french": {"plain": {}}},
}


def small(change: Callable[[dict[str, Any]], object] | None = None) -> Scenario:
    """Return the small scenario, with its tables changed if need be."""
    source = deepcopy(SMALL)
    if change is not None:
        change(source)
    return restore_scenario(source)


def put(*path: str, value: object) -> Callable[[dict[str, Any]], None]:
    """Return a change that sets one entry of the tables."""

    def change(source: dict[str, Any]) -> None:
        table = source
        for step in path[:-1]:
            table = table[step]
        table[path[-1]] = value

    return change


def pieces_of(setup: Setup) -> np.ndarray:
    """Return the fields of all pieces, shape [fields, pieces]."""
    return setup.start.pieces[:, : setup.start.count]


def army(setup: Setup, side: int) -> list[tuple[int, int, str]]:
    """Return row, column and kind of a side's pieces, by number."""
    pieces = pieces_of(setup)[:, pieces_of(setup)[SIDE] == side]
    return [(int(piece[ROW]), int(piece[COL]), KINDS[piece[KIND]]) for piece in pieces.T]


def squares(words: np.ndarray) -> set[tuple[int, int]]:
    """Return the (index of the word, bit) that are set in one plane."""
    return {(index, bit) for index, word in enumerate(words.tolist()) for bit in range(64) if word >> bit & 1}


def check_consistent(setup: Setup, size: tuple[int, int]) -> None:
    """Check that all arrays of a starting position tell the same."""
    start, pieces = setup.start, pieces_of(setup)
    assert (start.height, start.width) == size
    for by_row, by_col in zip(start.rows, start.cols, strict=True):
        assert squares(by_row) == {(row, col) for col, row in squares(by_col)}
        assert all(row < size[0] and col < size[1] for row, col in squares(by_row))
    for side, plane in ((ENGLISH, BY_ENGLISH), (FRENCH, BY_FRENCH)):
        standing = [(row, col) for row, col, _ in army(setup, side)]
        assert len(set(standing)) == len(standing) == setup.fielded[side]
        assert squares(start.rows[plane]) == set(standing)
    for piece, (row, col) in enumerate(pieces[[ROW, COL]].T):
        assert start.at[row, col] == piece
    assert (start.at >= 0).sum() == start.count == sum(setup.fielded)
    assert pieces[SIDE].tolist() == [ENGLISH] * setup.fielded[0] + [FRENCH] * setup.fielded[1]
    assert (pieces[ALIVE] == 1).all()
    assert (pieces[STAKES] == setup.rules.stakes[pieces[KIND]]).all()
    assert (pieces[FACING] == np.where(pieces[SIDE] == ENGLISH, NORTH, SOUTH)).all()
    assert not start.rows[STAKE].any()
    assert not start.tally.any()


# ------------------------------------------------------------------------------------------------ what ships


def test_two_scenarios_ship_and_bear_the_names_of_their_files() -> None:
    assert scenarios() == ["azincourt_1415", "mirror"]
    assert [load_scenario(name).name for name in scenarios()] == scenarios()
    for name in scenarios():
        assert load_scenario(name).game == "azincourt"


def test_the_default_order_of_battle() -> None:
    english, french = BATTLE.content.english.order_of_battle, BATTLE.content.french.order_of_battle
    assert english.model_dump() == {
        **{"knight": 2, "knight_mounted_only": 0, "foot_knight": 14, "infantry": 0},
        **{"archer": 36, "crossbow": 0, "cannon": 0},
    }
    assert french.model_dump() == {
        **{"knight": 16, "knight_mounted_only": 8, "foot_knight": 14, "infantry": 14},
        **{"archer": 0, "crossbow": 12, "cannon": 2},
    }


def test_five_deployments_a_side() -> None:
    assert BATTLE.levels("english.deployment") == ["line", "funnel", "wings", "wedges", "reserve"]
    assert BATTLE.levels("french.deployment") == [
        "cavalry_wings",
        "cavalry_first",
        "dismounted",
        "crossbows_first",
        "deep_column",
    ]


@pytest.mark.parametrize(("side", "name"), PLANS)
def test_a_deployment_has_exactly_the_places_of_the_order_of_battle(side: str, name: str) -> None:
    places = Counter(STANDS[letter].troop for _, _, letter in BATTLE.content.places(side, name))
    order = getattr(BATTLE.content, side).order_of_battle.model_dump()
    assert places == Counter(order)
    assert getattr(BATTLE.content.deployments, side)[name].text


@pytest.mark.parametrize("side", SIDES)
def test_deployments_differ_in_plan(side: str) -> None:
    names = BATTLE.levels(f"{side}.deployment") or []
    for one, other in combinations(names, 2):
        here, there = set(BATTLE.content.places(side, one)), set(BATTLE.content.places(side, other))
        assert len(here - there) > len(here) / 2, (one, other)


@pytest.mark.parametrize(("side", "name"), PLANS)
def test_every_piece_has_room_to_move(side: str, name: str) -> None:
    places = {(row, col) for row, col, _ in BATTLE.content.places(side, name)}
    lines = BATTLE.content.lines
    free = {
        (row, col)
        for row, line in enumerate(lines)
        for col, terrain in enumerate(line)
        if terrain not in "#hc" and (row, col) not in places
    }
    for row, col in places:
        around = {(row + down, col + right) for down in (-1, 0, 1) for right in (-1, 0, 1)}
        assert around & free, (row, col)


@pytest.mark.parametrize("name", BATTLE.levels("french.deployment"))
def test_cannons_have_a_free_line_of_fire(name: str) -> None:
    places = list(BATTLE.content.places("french", name))
    cannons = [(row, col) for row, col, letter in places if letter == "C"]
    assert len(cannons) == 2
    for row, col in cannons:
        assert not [place for place in places if place[1] == col and place[0] > row]


def test_only_the_dismounted_deploy_on_foot_and_all_of_them() -> None:
    letters = {name: {letter for *_, letter in BATTLE.content.places(side, name)} for side, name in PLANS}
    assert {name for name, used in letters.items() if "D" in used} == {"dismounted"}
    assert "K" not in letters["dismounted"]


def test_the_default_map_is_the_one_of_the_rules() -> None:
    lines = BATTLE.content.lines
    assert BATTLE.content.size == (32, 30)
    assert {row for row, line in enumerate(lines) if "~" in line} == set(range(9, 23))
    assert all(set(lines[row]) <= set("~+#") for row in range(9, 23))
    # Woods on both flanks make a funnel, narrowest in the middle.
    widths = {row: 30 - lines[row].count("#") for row in range(32)}
    assert all(16 <= widths[row] <= 18 for row in range(12, 20))
    assert all(widths[row] > 18 for row in (*range(12), *range(20, 32)))
    for line in lines:
        assert "#" not in line.strip("#")
    assert sum(line.count("c") for line in lines) == 4
    assert sum(line.count("h") for line in lines) == 2
    assert all(col < 15 and row < 10 for row, line in enumerate(lines) for col, what in enumerate(line) if what in "hc")
    assert not any(letter in "^A" for line in lines for letter in line)
    # One road square a row, each next to the one before.
    road = [next(col for col, what in enumerate(line) if what in "=+") for line in lines]
    assert all(line.count("=") + line.count("+") == 1 for line in lines)
    assert max(abs(one - two) for one, two in pairwise(road)) <= 1


@pytest.mark.parametrize("scenario", [BATTLE, MIRROR], ids=lambda scenario: scenario.name)
def test_every_pair_of_deployments_can_be_played(scenario: Scenario) -> None:
    for english in scenario.levels("english.deployment") or ():
        for french in scenario.levels("french.deployment") or ():
            setup = compile_setup(BOOK, scenario.variant({"english.deployment": english, "french.deployment": french}))
            check_consistent(setup, (32, 30))
            for side, name in zip(SIDES, (english, french), strict=True):
                drawn = {
                    (row, col, KINDS[STANDS[letter].kind]) for row, col, letter in scenario.content.places(side, name)
                }
                assert set(army(setup, SIDES.index(side))) == drawn


def test_doctrines_of_both_sides_ship() -> None:
    assert BATTLE.levels("english.doctrine") == ["hold", "advance_and_shoot", "sally"]
    assert BATTLE.levels("french.doctrine") == ["charge", "combined", "dismount", "shoot_first", "flank"]
    seen = set()
    for side in SIDES:
        for name, values in getattr(BATTLE.content.doctrines, side).items():
            assert values["text"]
            doctrine = BATTLE.content.doctrines.compiled(side, name)
            parameters = {key: value for key, value in values.items() if key != "text"}
            assert doctrine == compile_doctrine(parameters)
            seen.add((side, doctrine))
    assert len(seen) == 8, "two doctrines of a side are the same"


def test_the_mirror_is_one() -> None:
    setup = compile_setup(BOOK, MIRROR)
    start, pieces, half = setup.start, pieces_of(setup), setup.fielded[0]
    assert setup.fielded[0] == setup.fielded[1]
    assert setup.doctrines[0] == setup.doctrines[1]
    assert MIRROR.content.english == MIRROR.content.french
    ours, theirs = pieces[:, :half], pieces[:, half:]
    # Mirrored pieces have the same number within their side.
    assert (ours[ROW] == start.height - 1 - theirs[ROW]).all()
    for field in (COL, KIND, DISMOUNTS, STAKES):
        assert (ours[field] == theirs[field]).all()
    for plane in (WOOD, MOUNTAIN, ROAD, HOUSE, CASTLE, MUD):
        assert (start.rows[plane, :32] == start.rows[plane, 31::-1]).all()
    assert set(KINDS) == {kind for _, _, kind in army(setup, ENGLISH)}


# ------------------------------------------------------------------------------------------------ who stands where


def test_the_small_field_in_full() -> None:
    setup = compile_setup(SMALL_BOOK, small())
    check_consistent(setup, (8, 7))
    assert army(setup, ENGLISH) == [(5, 2, "archer"), (5, 3, "archer"), (5, 4, "archer"), (6, 3, "knight")]
    assert army(setup, FRENCH) == [(2, 2, "infantry"), (2, 4, "infantry"), (1, 3, "cannon")]
    assert pieces_of(setup)[KIND].tolist() == [ARCHER, ARCHER, ARCHER, KNIGHT, INFANTRY, INFANTRY, CANNON]
    assert pieces_of(setup)[DISMOUNTS].tolist() == [0, 0, 0, 1, 0, 0, 0]
    assert pieces_of(setup)[STAKES].tolist() == [1, 1, 1, 0, 0, 0, 0]
    planes = {plane: squares(setup.start.rows[plane]) for plane in (WOOD, MOUNTAIN, ROAD, HOUSE, CASTLE, MUD)}
    assert planes == {
        WOOD: {(4, 5), (7, 6)},
        MOUNTAIN: {(4, 1), (6, 5)},
        ROAD: {(row, 3) for row in range(8)},
        HOUSE: {(1, 5), (6, 1)},
        CASTLE: {(1, 1)},
        MUD: {(3, col) for col in range(7)} | {(4, col) for col in range(7)} - {(4, 5)},
    }
    assert setup.fixed_mud == -1
    assert setup.doctrines == (compile_doctrine({}), compile_doctrine({}))


def test_mounted_only_and_on_foot_places() -> None:
    def change(source: dict[str, Any]) -> None:
        source["deployments"]["english"]["row"]["grid"] = "KD.MF..\n.......\n.......\n"
        source["english"]["order_of_battle"] = {"knight": 2, "knight_mounted_only": 1, "foot_knight": 1}

    pieces = pieces_of(compile_setup(SMALL_BOOK, small(change)))[:, :4]
    assert pieces[KIND].tolist() == [KNIGHT, FOOT_KNIGHT, KNIGHT, FOOT_KNIGHT]
    assert pieces[DISMOUNTS].tolist() == [1, 0, 0, 0]


def test_a_doctrine_can_put_knights_on_foot() -> None:
    on_foot = BATTLE.variant({"french.doctrine": "dismount"})
    mounted, walking = compile_setup(BOOK, BATTLE), compile_setup(BOOK, on_foot)
    assert (mounted.start.at == walking.start.at).all()
    had = pieces_of(mounted)[DISMOUNTS] == 1
    french = pieces_of(mounted)[SIDE] == FRENCH
    assert (had & french).sum() == 16
    assert (pieces_of(walking)[KIND][had & french] == FOOT_KNIGHT).all()
    assert (pieces_of(walking)[DISMOUNTS][french] == 0).all()
    assert (pieces_of(walking)[:, ~(had & french)] == pieces_of(mounted)[:, ~(had & french)]).all()


def test_with_fewer_pieces_the_farthest_places_stay_empty() -> None:
    def at(archers: int) -> list[tuple[int, int, str]]:
        return army(compile_setup(SMALL_BOOK, small().variant({"english.order_of_battle.archer": archers})), ENGLISH)

    knight = (6, 3, "knight")
    assert at(2) == [(5, 2, "archer"), (5, 3, "archer"), knight]  # a tie goes to the west
    assert at(1) == [(5, 3, "archer"), knight]
    assert at(0) == [knight]


def test_places_are_near_or_far_from_the_middle_of_the_front() -> None:
    def change(source: dict[str, Any]) -> None:
        source["deployments"]["english"]["row"]["grid"] = "..A....\n...A...\n...A...\n"
        source["deployments"]["french"]["row"]["grid"] = "...A...\n...A...\n..A....\n"
        for side in SIDES:
            source[side]["order_of_battle"] = {"archer": 2}

    setup = compile_setup(SMALL_BOOK, small(change))
    assert [(row, col) for row, col, _ in army(setup, ENGLISH)] == [(5, 2), (6, 3)]
    assert [(row, col) for row, col, _ in army(setup, FRENCH)] == [(2, 2), (1, 3)]


def test_pieces_to_spare_stand_behind_their_like() -> None:
    changes = {"english.order_of_battle.archer": 5, "french.order_of_battle.infantry": 4}
    setup = compile_setup(SMALL_BOOK, small().variant(changes))
    check_consistent(setup, (8, 7))
    assert [at for *at, kind in army(setup, ENGLISH) if kind == "archer"] == [[5, 2], [5, 3], [5, 4], [6, 2], [6, 4]]
    assert [at for *at, kind in army(setup, FRENCH) if kind == "infantry"] == [[2, 2], [2, 4], [1, 2], [1, 4]]


def test_spare_knights_are_as_the_places_next_to_them() -> None:
    def change(source: dict[str, Any]) -> None:
        source["deployments"]["english"]["row"]["grid"] = "D.....K\n.......\n.......\n"
        source["english"]["order_of_battle"] = {"knight": 6}

    assert army(compile_setup(SMALL_BOOK, small(change)), ENGLISH) == [
        *[(5, 0, "foot_knight"), (5, 1, "foot_knight"), (5, 5, "knight"), (5, 6, "knight")],
        *[(6, 0, "foot_knight"), (6, 6, "knight")],
    ]


def test_a_type_without_a_place_gathers_at_its_edge() -> None:
    changes = {"english.order_of_battle.crossbow": 2, "french.order_of_battle.knight": 1}
    setup = compile_setup(SMALL_BOOK, small().variant(changes))
    assert [at for *at, kind in army(setup, ENGLISH) if kind == "crossbow"] == [[7, 2], [7, 3]]
    assert [at for *at, kind in army(setup, FRENCH) if kind == "knight"] == [[0, 3]]
    assert pieces_of(setup)[DISMOUNTS].sum() == 2
    changes["doctrines.french.plain.deploy_on_foot"] = True
    setup = compile_setup(SMALL_BOOK, small().variant(changes))
    assert [at for *at, kind in army(setup, FRENCH) if kind == "foot_knight"] == [[0, 3]]


def test_stakes_come_from_the_rulebook() -> None:
    setup = compile_setup(SMALL_BOOK.variant({"pieces.archer.stakes": 2, "pieces.crossbow.stakes": 1}), small())
    assert pieces_of(setup)[STAKES].tolist() == [2, 2, 2, 0, 0, 0, 0]
    assert setup.rules.stakes[CROSSBOW] == 1


def test_drawings_may_be_indented() -> None:
    def change(source: dict[str, Any]) -> None:
        source["map"] = "\n".join(f"   {line}  " for line in source["map"].splitlines())

    assert small(change).source == small().source


def test_a_shallow_drawing_stands_at_its_edge() -> None:
    def change(source: dict[str, Any]) -> None:
        source["deployments"]["english"]["row"]["grid"] = ".AAAK..\n"
        source["deployments"]["french"]["row"]["grid"] = ".I.C.I.\n"

    setup = compile_setup(SMALL_BOOK, small(change))
    assert {row for row, _, _ in army(setup, ENGLISH)} == {7}
    assert {row for row, _, _ in army(setup, FRENCH)} == {0}


TROOPS = [key.rpartition(".")[2] for key in BATTLE.keys if key.startswith("english.order_of_battle.")]
# Each zone of the small field has 21 squares; one or two are closed to horses, one is closed to all.
armies = st.lists(st.sampled_from(TROOPS), min_size=1, max_size=19).map(Counter)
crowds = st.lists(st.sampled_from(TROOPS), min_size=22, max_size=28).map(Counter)


@settings(deadline=None)
@given(armies, armies)
def test_armies_that_fit_are_deployed_by_the_rules(english: dict[str, int], french: dict[str, int]) -> None:
    def change(source: dict[str, Any]) -> None:
        source["english"]["order_of_battle"], source["french"]["order_of_battle"] = english, french

    scenario = small(change)
    setup = compile_setup(SMALL_BOOK, scenario)
    check_consistent(setup, (8, 7))
    assert setup.fielded == (sum(english.values()), sum(french.values()))
    for side, order in ((ENGLISH, english), (FRENCH, french)):
        kinds = Counter(kind for _, _, kind in army(setup, side))
        mounted = order.get("knight", 0) + order.get("knight_mounted_only", 0)
        assert kinds == Counter({**order, "knight": mounted, "knight_mounted_only": 0})
        dismounts = pieces_of(setup)[DISMOUNTS][pieces_of(setup)[SIDE] == side]
        assert dismounts.sum() == order.get("knight", 0)
        for row, col, kind in army(setup, side):
            assert row >= 5 if side == ENGLISH else row < 3
            terrain = scenario.content.lines[row][col]
            assert terrain != "#"
            assert not (kind == "knight" and terrain in "hc")
    again = compile_setup(SMALL_BOOK, restore_scenario(scenario.source))
    assert (pieces_of(again) == pieces_of(setup)).all()


@settings(deadline=None)
@given(crowds, st.sampled_from(SIDES))
def test_armies_that_do_not_fit_are_refused(crowd: dict[str, int], side: str) -> None:
    scenario = small(put(side, "order_of_battle", value=dict(crowd)))
    with pytest.raises(InputError, match=rf"{side}.order_of_battle.\w+: has \d+ more than .* free squares are left"):
        compile_setup(SMALL_BOOK, scenario)


# ------------------------------------------------------------------------------------------------ what can be changed


def test_keys_that_can_be_set() -> None:
    troops = ("knight", "knight_mounted_only", "foot_knight", "infantry", "archer", "crossbow", "cannon")
    wanted = {"mud", *(f"{side}.{what}" for side in SIDES for what in ("deployment", "doctrine"))}
    wanted |= {f"{side}.order_of_battle.{troop}" for side in SIDES for troop in troops}
    wanted |= {f"doctrines.{side}.plain.{parameter}" for side in SIDES for parameter in PARAMETERS}
    assert set(small().keys) == wanted
    assert all(small().knows(key) for key in wanted)
    for key in ("map", "name", "english", "deployments.english.row", "doctrines.english.plain.text", "mud.die"):
        assert not small().knows(key)


def test_levels_are_the_allowed_names() -> None:
    assert BATTLE.levels("english.doctrine") == ["hold", "advance_and_shoot", "sally"]
    assert BATTLE.levels("doctrines.english.hold.target") == ["nearest", "mounted_first", "most_valuable"]
    for key in ("mud", "english.order_of_battle.archer", "doctrines.english.hold.flank", "nonsense"):
        assert BATTLE.levels(key) is None


def test_a_variant_changes_what_it_says_and_nothing_else() -> None:
    changes = {
        "english.deployment": "wedges",
        "french.doctrine": "flank",
        "english.order_of_battle.archer": 30,
        "french.order_of_battle.archer": 2,
        "mud": 3,
        "doctrines.french.flank.min_odds": 0.7,
    }
    before = BATTLE.source
    variant = BATTLE.variant(changes)
    assert BATTLE.source == before
    wanted = deepcopy(before)
    wanted["english"]["deployment"], wanted["french"]["doctrine"], wanted["mud"] = "wedges", "flank", 3
    wanted["english"]["order_of_battle"]["archer"], wanted["french"]["order_of_battle"]["archer"] = 30, 2
    wanted["doctrines"]["french"]["flank"]["min_odds"] = 0.7
    assert variant.source == wanted
    setup = compile_setup(BOOK, variant)
    assert setup.fixed_mud == 3
    assert setup.fielded == (46, 68)
    assert setup.doctrines[1].min_odds == 0.7
    assert setup.doctrines[1].flank == 1
    nested = BATTLE.variant({"english": {"deployment": "wedges"}})
    assert nested.source == BATTLE.variant({"english.deployment": "wedges"}).source


def test_variants_of_variants_add_up() -> None:
    one_by_one = BATTLE.variant({"mud": 1}).variant({"english.deployment": "wings"})
    assert one_by_one.source == BATTLE.variant({"english.deployment": "wings", "mud": 1}).source
    assert one_by_one.fingerprint == BATTLE.variant({"english.deployment": "wings", "mud": 1}).fingerprint
    assert BATTLE.variant({}).fingerprint == BATTLE.fingerprint


def test_fingerprints_tell_scenarios_apart() -> None:
    changes: list[dict[str, Any]] = [{}, {"mud": 0}, {"mud": 1}, {"english.deployment": "wings"}]
    changes.append({"doctrines.english.hold.plant_distance": 8})
    assert len({BATTLE.variant(change).fingerprint for change in changes} | {MIRROR.fingerprint}) == 6


@pytest.mark.parametrize("scenario", [BATTLE, MIRROR, small()], ids=lambda scenario: scenario.name)
def test_the_source_goes_through_json_and_back(scenario: Scenario) -> None:
    restored = restore_scenario(json.loads(json.dumps(scenario.source)))
    assert restored.source == scenario.source
    assert restored.fingerprint == scenario.fingerprint
    assert restored.title == scenario.title


# ------------------------------------------------------------------------------------------------ files


def write(folder: Path, change: Callable[[str], str] = lambda text: text, name: str = "mine.toml") -> str:
    """Copy the shipped scenario and its doctrines into a folder, with a change to the scenario's text."""
    text = (SHIPPED / "azincourt_1415.toml").read_text(encoding="utf-8")
    (folder / name).write_text(change(text), encoding="utf-8")
    (folder / "doctrines.toml").write_bytes((SHIPPED / "doctrines.toml").read_bytes())
    return str(folder / name)


def test_a_copy_of_a_scenario_is_the_same_scenario(tmp_path: Path) -> None:
    assert load_scenario(write(tmp_path)).fingerprint == BATTLE.fingerprint
    assert load_scenario(write(tmp_path, lambda text: text.replace("\n", "\r\n"))).fingerprint == BATTLE.fingerprint


def test_a_relative_path_is_looked_up_in_the_folder_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    write(tmp_path / "here", lambda text: text.replace("Azincourt, 25", "Here, 25"))
    write(tmp_path / "there", lambda text: text.replace("Azincourt, 25", "There, 25"))
    monkeypatch.chdir(tmp_path / "here")
    assert load_scenario("mine.toml").title.startswith("Here")
    assert load_scenario("mine.toml", tmp_path / "there").title.startswith("There")
    assert load_scenario("mine.toml", tmp_path).title.startswith("Here")
    assert load_scenario("azincourt_1415", tmp_path).title.startswith("Azincourt")


def test_a_scenario_adds_its_own_doctrines(tmp_path: Path) -> None:
    own = '[doctrines.english.hold]\nplant_distance = 5\n[doctrines.english.mine]\nfoot = "advance"\n'
    content = load_scenario(write(tmp_path, lambda text: text + own)).content
    assert set(content.doctrines.english) == {"hold", "advance_and_shoot", "sally", "mine"}
    assert content.doctrines.english["hold"] == {"plant_distance": 5}  # the whole doctrine is replaced
    assert content.doctrines.french == BATTLE.content.doctrines.french


def test_a_wrong_shared_doctrine_names_its_own_file(tmp_path: Path) -> None:
    path = write(tmp_path)
    shared = tmp_path / "doctrines.toml"
    shared.write_text(shared.read_text(encoding="utf-8").replace("flank = true", "flank = 3"), encoding="utf-8")
    with pytest.raises(InputError) as error:
        load_scenario(path)
    assert str(error.value) == f"{shared}: french.flank.flank: must be true or false, not 3"


def cut(text: str) -> str:
    return text[: text.index('grid = """') + 40]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (cut, "is not valid TOML"),
        (
            lambda text: text.replace('game = "azincourt"', 'game = "stirling"'),
            'game: is "stirling"; a scenario of this',
        ),
        (lambda text: text.replace('game = "azincourt"', ""), "game: is missing; a scenario of this game has game ="),
        (lambda text: text.replace('title = "', 'tittle = "'), "unknown key 'tittle'; did you mean 'title'?"),
        (lambda text: text.replace('title = "Azincourt, 25 October 1415"', ""), "title: is missing"),
        (lambda text: text.replace('"doctrines.toml"', "3"), "doctrines_from: must be the path of a file, not 3"),
        (lambda text: text.replace('"doctrines.toml"', '"none.toml"'), "none.toml: no such file"),
        (lambda text: text.replace("doctrines_from", "# "), "doctrines: is missing"),
        (
            lambda text: text.replace("archer = 36", "archer = true"),
            "archer: must be a whole number, 0 or more, not true",
        ),
        (
            lambda text: text + "[doctrines.french.x]\nflak = true",
            "doctrines.french.x: unknown doctrine parameter 'flak'",
        ),
        (lambda text: text + "[doctrines.french.x]\ntext = 3", "doctrines.french.x.text: must be text, not 3"),
        (lambda text: text + "[doctrines.germans.x]\nflank = true", "doctrines: unknown key 'germans'"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, change: Callable[[str], str], message: str) -> None:
    path = write(tmp_path, change)
    with pytest.raises(InputError) as error:
        load_scenario(path)
    assert message in str(error.value)
    assert error.value.file in (path, str(tmp_path / "none.toml"))


def test_other_files_and_names_are_refused(tmp_path: Path) -> None:
    book = str(data_folder() / "rulebooks" / "azincourt.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\x00\xfe")
    (tmp_path / "folder.toml").mkdir()
    for name, message in {
        book: f"{book}: map: is missing; a scenario has name, title, game, mud, map, english, french, ",
        str(tmp_path / "none.toml"): "none.toml: no such file",
        str(tmp_path / "binary.toml"): "cannot be read as UTF-8 text",
        str(tmp_path / "folder.toml"): "this is a folder",
        "x" * 5000 + ".toml": "cannot be read",
        "azincourt1415": "unknown scenario 'azincourt1415'; did you mean 'azincourt_1415'? Known: azinc",
        "doctrines": "unknown scenario 'doctrines'",
    }.items():
        with pytest.raises(InputError) as error:
            load_scenario(name, tmp_path)
        assert message in str(error.value)


# ------------------------------------------------------------------------------------------------ what is refused


def drawn(side: str, grid: str) -> Callable[[dict[str, Any]], None]:
    return put("deployments", side, "row", "grid", value=grid)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (put("map", value=""), "map: is empty"),
        (put("map", value=5), "map: must be text, not 5"),
        (put("map", value="...\n.?.\n"), "map: line 2 has the unknown letter '?'; allowed: . # = ^ h c ~ + A"),
        (put("map", value="...\n..\n"), "map: line 2 has 2 characters, but the first has 3"),
        (put("map", value="." * 63), "map: is 1 x 63; the largest allowed is 62 x 62"),
        (put("map", value="...\n" * 63), "map: is 63 x 3; the largest allowed is 62 x 62"),
        (put("name", value="two words"), 'name: must be 1 to 100 letters, digits, - or _, not "two words"'),
        (put("mud", value=-1), "mud: must be a whole number, 0 or more, not -1"),
        (put("mud", value=1.0), "mud: must be a whole number, 0 or more, not 1.0"),
        (put("english", value=[]), "english: must be a table, not []"),
        (put("doctrines", value="a.toml"), 'doctrines: must be a table, not "a.toml"'),
        (put("english", "generals", value=1), "english: unknown key 'generals'. Known: deployment, doctrine"),
        (
            put("english", "deployment", value="rows"),
            "english.deployment: unknown deployment 'rows'; did you mean 'row'?",
        ),
        (put("english", "doctrine", value="plan"), "english.doctrine: unknown doctrine 'plan'; did you mean 'plain'?"),
        (put("french", "order_of_battle", value={}), "french.order_of_battle: has 0 pieces; allowed: 1 to 56"),
        (put("french", "order_of_battle", "cannon", value=-2), "french.order_of_battle.cannon: must be a whole number"),
        (put("french", "order_of_battle", "cannon", value=1.5), "0 or more, not 1.5"),
        (put("french", "order_of_battle", "cannon", value=False), "0 or more, not false"),
        (put("french", "order_of_battle", "cannon", value="2"), '0 or more, not "2"'),
        (
            put("french", "order_of_battle", "cannon", value=57),
            "french.order_of_battle: has 59 pieces; allowed: 1 to 56",
        ),
        (put("french", "order_of_battle", "cannon", value=10**30), "allowed: 1 to 56, the squares of the map"),
        (put("french", "order_of_battle", "cannon", value=1 << 20_000), "has a huge number pieces; allowed: 1 to 56"),
        (
            put("french", "order_of_battle", "canon", value=1),
            "french.order_of_battle: unknown key 'canon'; did you mean 'cannon'?",
        ),
        (put("deployments", "english", value={}), "english.deployment: unknown deployment 'row'. Known: none"),
        (put("deployments", "english", "a b", value={"grid": "......."}), "must be 1 to 100 letters, digits, - or _"),
        (put("doctrines", "english", "a.b", value={}), "doctrines.english: must be 1 to 100 letters, digits, - or _"),
        (put("doctrines", "english", "plain", value=3), "doctrines.english.plain: must be a table, not 3"),
        (put("doctrines", "english", "plain", "foot", value="run"), "doctrines.english.plain.foot: unknown word 'run'"),
        (put("deployments", "english", "row", value={}), "deployments.english.row.grid: is missing"),
        (
            drawn("english", "..Q....\n"),
            "deployments.english.row.grid: line 1 has the unknown letter 'Q'; allowed: . K D",
        ),
        (drawn("english", "..A....\n..A...\n"), "deployments.english.row.grid: line 2 has 6 characters"),
        (
            drawn("english", "..A.....\n"),
            "deployments.english.row.grid: has 1 lines of 8 characters; the map allows at most 8 lines of exactly 7",
        ),
        (drawn("english", "..A...\n"), "has 1 lines of 6 characters"),
        (drawn("english", ".......\n" * 9), "has 9 lines of 7 characters"),
        (
            drawn("english", "......A\n"),
            "deployments.english.row.grid: 'A' (archer) stands on '#' at row 7, column 6 of the map; no piece may",
        ),
        (drawn("english", ".K.....\n.......\n"), "'K' (knight) stands on 'h' at row 6, column 1"),
        (drawn("french", ".......\n.M.....\n"), "'M' (knight_mounted_only) stands on 'c' at row 1, column 1"),
    ],
)
def test_wrong_tables_are_refused(change: Callable[[dict[str, Any]], None], message: str) -> None:
    with pytest.raises(InputError) as error:
        small(change)
    assert message in str(error.value)


def test_there_is_room_for_so_many_pieces() -> None:
    source = deepcopy(SMALL)
    for side in SIDES:
        source["deployments"][side]["row"]["grid"] = ("." * 30 + "\n") * 3
        source[side]["order_of_battle"] = {"archer": 320}
    source["map"] = ("." * 30 + "\n") * 40
    book = BOOK.variant(
        {"board.rows": 40, "board.cols": 30, "deployment.english_depth": 20, "deployment.french_depth": 20}
    )
    setup = compile_setup(book, restore_scenario(source))
    check_consistent(setup, (40, 30))
    source["french"]["order_of_battle"]["cannon"] = 1
    with pytest.raises(InputError, match=r"^order_of_battle: both armies have 641 pieces; allowed: at most 640$"):
        restore_scenario(source)


def test_on_foot_and_cannons_may_stand_in_houses_and_the_castle() -> None:
    def change(source: dict[str, Any]) -> None:
        source["deployments"]["french"]["row"]["grid"] = ".......\n.D...C.\n"
        source["french"]["order_of_battle"] = {"knight": 1, "cannon": 1}

    assert army(compile_setup(SMALL_BOOK, small(change)), FRENCH) == [(1, 1, "foot_knight"), (1, 5, "cannon")]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"english.deploiment": "row"},
            "english.deploiment: cannot be set; did you mean 'english.deployment'? Allowed: ",
        ),
        ({"map": "..."}, "map: cannot be set"),
        ({"deployments.english.row.grid": "..A...."}, "deployments.english.row.grid: cannot be set"),
        ({"doctrines.english.plain.text": "Mine."}, "doctrines.english.plain.text: cannot be set"),
        (
            {"english.deployment": "rows"},
            "english.deployment: unknown deployment 'rows'; did you mean 'row'? Known: row",
        ),
        ({"english.deployment": 3}, "english.deployment: must be text, not 3"),
        ({"english.order_of_battle.archer": [4, 5]}, "archer: must be a whole number, 0 or more, not [4, 5]"),
        ({"english.order_of_battle.archer": 10**9}, "english.order_of_battle: has 1000000001 pieces; allowed: 1 to 56"),
        ({"doctrines.english.plain.keep_away": 1}, "doctrines.english.plain.keep_away: must be from 2 to 60, not 1"),
        ({"mud": True}, "mud: must be a whole number, 0 or more, not true"),
    ],
)
def test_wrong_changes_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        small().variant(changes)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("rules", "changes", "message"),
    [
        (
            {"board.rows": 9},
            {},
            "map: has 8 lines of 7 characters, but the board of the rulebook 'azincourt' has board.rows = 9",
        ),
        ({"board.cols": 6}, {}, "board.cols = 6 (AZ-1.1)"),
        ({"deployment.english_depth": 6}, {}, "the zones of both sides overlap: deployment.english_depth = 6 and"),
        (
            {"deployment.english_depth": 2},
            {},
            "deployments.english.row.grid: the piece at row 5, column 3 of the map stands 3 rows deep; allowed: at most"
            " deployment.english_depth = 2 (AZ-1.3)",
        ),
        ({"deployment.french_depth": 2}, {}, "at most deployment.french_depth = 2 (AZ-1.2)"),
        ({}, {"mud": 6}, "mud: must be from 0 to 5, as two dice can differ (AZ-2.1), not 6"),
        ({"mud.die": 4}, {"mud": 4}, "mud: must be from 0 to 3"),
        (
            {},
            {"english.order_of_battle.archer": 20},
            "english.order_of_battle.archer: has 17 more than the deployment 'row' has places for, but only 16 free",
        ),
        ({"arrow.die": 4}, {}, "arrow.foot.removes: face 5 is not on a die of 4 sides"),
    ],
)
def test_what_does_not_fit_the_rulebook_is_refused(
    rules: dict[str, Any], changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError) as error:
        compile_setup(SMALL_BOOK.variant(rules), small().variant(changes))
    assert message in str(error.value)


def test_mud_may_be_all_that_two_dice_can_differ_by() -> None:
    for mud in range(6):
        assert compile_setup(SMALL_BOOK, small().variant({"mud": mud})).fixed_mud == mud


def test_deep_zones_may_touch_and_unused_deep_places_do_not_matter() -> None:
    deep = SMALL_BOOK.variant({"deployment.english_depth": 5})
    assert compile_setup(deep, small()).fielded == (4, 3)
    shallow = SMALL_BOOK.variant({"deployment.english_depth": 2})
    assert compile_setup(shallow, small().variant({"english.order_of_battle.archer": 0})).fielded == (1, 3)


def test_a_rulebook_of_another_game_is_refused(tmp_path: Path) -> None:
    text = (data_folder() / "rulebooks" / "azincourt.toml").read_text(encoding="utf-8")
    other = tmp_path / "other.toml"
    other.write_text(text.replace('game = "azincourt"', 'game = "stirling"'), encoding="utf-8")
    with pytest.raises(InputError, match=r"game: 'azincourt' is a rulebook of stirling, not of azincourt"):
        compile_setup(load_rulebook(other), small())


def test_the_error_names_the_file(tmp_path: Path) -> None:
    path = write(tmp_path)
    with pytest.raises(InputError) as error:
        compile_setup(BOOK, load_scenario(path).variant({"french.order_of_battle.cannon": 400}))
    assert str(error.value).startswith(f"{path}: french.order_of_battle.cannon: has 398 more than")


def test_map_characters_are_all_explained_in_the_shipped_file() -> None:
    text = (SHIPPED / "azincourt_1415.toml").read_text(encoding="utf-8")
    comments = " ".join(line for line in text.splitlines() if line.startswith("#"))
    for letter in (*TERRAIN, *STANDS):
        assert f" {letter} " in comments


def test_loading_and_setting_up_needs_no_compiler() -> None:
    code = (
        "import sys\n"
        "from wargamesim.games.azincourt.scenario import compile_setup, load_scenario\n"
        "from wargamesim.rulebook import load_rulebook\n"
        "compile_setup(load_rulebook('azincourt'), load_scenario('mirror'))\n"
        "print([name for name in ('numba', 'pandas', 'matplotlib', 'scipy.stats') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
