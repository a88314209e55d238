"""Rulebooks as arrays: what is data, what is a feature, and what contradicts itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from wargamesim.errors import InputError
from wargamesim.games.skirmish.rules import FEATURES, READINGS, compile_rules, indices, require, summed
from wargamesim.rulebook import load_rulebook

NA, RI = load_rulebook("nordamerica"), load_rulebook("risorgimento")
MODULES = Path(__file__).parents[1] / "wargamesim" / "games" / "skirmish"


def test_features_are_what_the_rulebook_has_numbers_for() -> None:
    shared = {"misfires", "fumbles", "volleys", "blind fire", "shots before close combat", "arson"}
    assert compile_rules(NA).features == shared | {"tests of runners and waders", "squad cards with aces and jokers"}
    assert compile_rules(RI).features == {"repeaters", "cards of suits with jokers"}
    assert compile_rules(NA).features | compile_rules(RI).features == set(FEATURES)
    require(compile_rules(RI), "repeaters", RI)


def test_no_module_asks_which_rulebook_it_plays() -> None:
    # A scenario is made for one rulebook, and its errors name the other: nothing is played by that.
    for path in set(MODULES.glob("*.py")) - {MODULES / "scenario.py"}:
        assert not re.search(
            r"rulebook\.name\s*(==|!=|in\b)|==\s*\"(nordamerica|risorgimento)\"", path.read_text("utf-8")
        )


def test_every_reading_of_the_list_is_asked_for() -> None:
    sources = "\n".join(path.read_text("utf-8") for path in MODULES.glob("*.py"))
    for topic, (ids, otherwise) in READINGS.items():
        assert f'readings["{topic}"]' in sources, topic
        for rule_id in ids:
            book = NA if rule_id.startswith("NA") else RI
            assert rule_id in book.readings
            assert compile_rules(book).readings[topic] == book.readings[rule_id].default
        if len(ids) == 1:
            other = RI if ids[0].startswith("NA") else NA
            assert compile_rules(other).readings[topic] == otherwise


def test_weapons_and_grades() -> None:
    rules = compile_rules(NA)
    assert rules.weapons.names == ("rifle", "musket", "pistol", "tomahawk")
    assert rules.weapons.reach.tolist() == [80, 50, 20, 5]
    assert rules.weapons.up_to.tolist() == [[30, 80], [20, 50], [10, 20], [5, np.inf]]
    assert rules.weapons.thrown.tolist() == [False, False, False, True]
    assert rules.grades.standard == "regular"
    assert rules.loadings == ("muzzle",)
    assert compile_rules(RI).grades.marker["breech"].tolist() == [2, 2, 1]
    assert compile_rules(RI).fire.die[:, 0].tolist() == [12, 8, 6, 6]
    assert rules.weapon([["rifle"], ["pistol"]]).tolist() == [[0], [2]]
    assert rules.grade(None) == 3


def test_a_rulebook_of_a_designer_is_read_the_same() -> None:
    house = NA.variant({"weapons.musket.die": 8, "result.hard_cover": 2, "melee.arms.blade": 12})
    rules = compile_rules(house)
    assert rules.fire.die[1].tolist() == [8] * 6
    assert rules.result.cover.tolist() == [0, 1, 2]
    assert rules.arms == {"improvised": 6, "blade": 12, "bayonet": 10}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: compile_rules(NA.variant({"weapons.musket.band2.up_to": 20.0})),
            "weapons.musket.band2.up_to: must be more than the band before it (20 cm), not 20",
        ),
        (
            lambda: compile_rules(RI.variant({"RI-4.2": "quality_shift", "weapons.pistol.die": 7})),
            "weapons.pistol.die: a die of 7 sides has no step (fire.dice: 4, 6, 8, 10, 12, 20)",
        ),
        (
            lambda: require(compile_rules(RI), "volleys", RI),
            "the rulebook 'risorgimento' has no volleys; it has cards of",
        ),
        (lambda: indices(["a", "z"], "cover", ("a",), "cover"), "cover: unknown cover 'z'"),
        (lambda: summed({"a": 1}, "b", "when"), "when: unknown circumstance 'b'"),
        (lambda: summed({"a": 1}, ["a", "a"], "when"), "when: 'a' stands there twice"),
    ],
)
def test_bad_input_names_the_key(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value).startswith(message)


def test_a_name_alone_is_a_circumstance() -> None:
    assert summed({"blue": -1}, "blue", "when") == -1
    assert summed({"blue": -1}, (), "when") == 0
