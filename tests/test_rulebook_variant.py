"""A rulebook with changes: precedence, provenance, errors, the fingerprint, and flattened tables."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wargamesim.errors import InputError
from wargamesim.rulebook import Rulebook, flatten, load_rulebook
from wargamesim.rulebook.variant import first_of

BASE = load_rulebook("azincourt")


def test_a_variant_leaves_the_rulebook_as_it_was() -> None:
    changed = BASE.variant({"pieces.archer.range": 7, "AZ-4.6": "straight"})
    assert (changed.number("pieces.archer.range"), changed.reading("AZ-4.6")) == (7, "straight")
    assert (BASE.number("pieces.archer.range"), BASE.reading("AZ-4.6")) == (6, "any_path")


def test_a_reading_brings_its_numbers() -> None:
    six_hits = BASE.variant({"AZ-4.5": "six_hits"})
    assert six_hits.number("arrow.cavalry.removes") == six_hits.number("arrow.foot.removes") == (4, 5, 6)
    assert BASE.variant({"AZ-2.2": "min0"}).number("mud.slowest") == 0


@pytest.mark.parametrize(
    "steps",
    [
        [{"AZ-2.2": "min0", "mud.slowest": 2}],
        [{"mud.slowest": 2, "AZ-2.2": "min0"}],
        [{"mud.slowest": 2}, {"AZ-2.2": "min0"}],
        [{"AZ-2.2": "min0"}, {"mud.slowest": 2}],
    ],
)
def test_a_changed_number_wins_over_a_reading_whatever_came_first(steps: list[dict[str, Any]]) -> None:
    rulebook = BASE
    for step in steps:
        rulebook = rulebook.variant(step)
    assert rulebook.number("mud.slowest") == 2
    assert rulebook.reading("AZ-2.2") == "min0"


def test_a_later_change_wins_over_an_earlier_one() -> None:
    rulebook = BASE.variant({"end.margin": 5, "AZ-4.5": "six_hits"}).variant({"end.margin": 9, "AZ-4.5": "literal"})
    assert rulebook.number("end.margin") == 9
    assert rulebook.number("arrow.foot.removes") == (4, 5)


def test_provenance_follows_the_change() -> None:
    rulebook = BASE.variant({"AZ-4.5": "six_hits", "end.margin": 9, "end.small_margin": 10})
    numbers = rulebook.numbers
    assert numbers["end.margin"].provenance == "house"
    assert numbers["end.small_margin"].provenance == "seed"  # given, but not changed
    assert numbers["arrow.foot.removes"].provenance == "reading"
    assert numbers["arrow.cavalry.unhorses"].provenance == "seed"


def test_nested_changes_are_joined_with_dots() -> None:
    assert BASE.variant({"pieces": {"archer": {"range": 7}}}).changes == {"pieces.archer.range": 7}


def test_it_knows_numbers_and_readings_and_nothing_else() -> None:
    assert BASE.knows("pieces.archer.range")
    assert BASE.knows("AZ-4.5")
    for key in ("AZ-4.7", "pieces.archer", "pieces", "english.deployment", ""):
        assert not BASE.knows(key)


def test_what_a_rulebook_does_not_have() -> None:
    with pytest.raises(
        InputError, match=r"^pieces\.archer\.rnge: unknown number or reading .* 'pieces\.archer\.range'"
    ):
        BASE.number("pieces.archer.rnge")
    with pytest.raises(InputError, match=r"unknown reading 'AZ-4\.55'; did you mean 'AZ-4\.5'"):
        BASE.reading("AZ-4.55")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"end.margin": -1}, "end.margin: must be an integer from 0 to 1000 (points), not -1"),
        ({"end.margin": True}, "end.margin: must be an integer from 0 to 1000 (points), not true"),
        ({"AZ-4.5": True}, "AZ-4.5: unknown option 'True'. Known: literal, six_hits"),
        (
            {"AZ-4.5": ["literal"]},
            "AZ-4.5: unknown option '['literal']'; did you mean 'literal'? Known: literal, six_hits",
        ),
        ({"AZ-4.5": "literal", "zzz": 1}, "zzz: unknown number or reading 'zzz'. `wargamesim rules` lists them all"),
        (
            {"mud.die": 1, "melee.die": 1},
            "mud.die: must be an integer from 2 to 100 (sides), not 1 (and 1 more problem)",
        ),
    ],
)
def test_a_wrong_change_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        BASE.variant(changes)
    assert str(caught.value) == message


def test_the_error_says_where_the_changes_are_written() -> None:
    with pytest.raises(InputError) as caught:
        BASE.variant({"mud": {"die": 1}}, file="x.toml", table="factors")
    assert (caught.value.file, caught.value.key) == ("x.toml", "factors.mud.die")


ONE_CHANGE = [
    *(
        (path, number.check([2] if isinstance(number.value, tuple) else number.max))
        for path, number in BASE.numbers.items()
    ),
    *(
        (rule_id, option)
        for rule_id, reading in BASE.readings.items()
        for option in reading.options
        if option != reading.default
    ),
]


def test_any_single_change_changes_the_fingerprint() -> None:
    prints = [BASE.fingerprint, *(BASE.variant({key: value}).fingerprint for key, value in ONE_CHANGE)]
    assert len(set(prints)) == len(BASE.numbers) + 21 + 1
    assert all(len(text) == 64 and int(text, 16) for text in prints)


@given(
    st.lists(st.sampled_from(ONE_CHANGE), unique_by=lambda change: change[0]).flatmap(
        lambda changes: st.tuples(st.just(changes), st.permutations(changes), st.integers(0, len(changes)))
    )
)
def test_order_and_steps_do_not_change_the_fingerprint(case: tuple[list[Any], list[Any], int]) -> None:
    changes, shuffled, cut = case
    at_once = BASE.variant(dict(changes))
    in_steps = BASE.variant(dict(shuffled[:cut])).variant(dict(shuffled[cut:]))
    assert at_once.fingerprint == in_steps.fingerprint
    for key, value in changes:
        assert (at_once.number(key) if key in BASE.numbers else at_once.reading(key)) == value


def test_the_fingerprint_is_of_content_not_of_names_or_of_the_way_there() -> None:
    same = BASE.variant({"end.margin": 5}).variant({"end.margin": 20})
    assert same.fingerprint == BASE.fingerprint
    assert Rulebook("other", "Other", BASE.source, {}).fingerprint == BASE.fingerprint


def test_the_fingerprint_of_the_file_does_not_depend_on_its_order() -> None:
    source = BASE.source
    turned = replace(
        source,
        numbers=dict(reversed(source.numbers.items())),
        readings=dict(reversed(source.readings.items())),
    )
    assert Rulebook("azincourt", "Azincourt", turned, {}).fingerprint == BASE.fingerprint


def test_a_rulebook_travels_to_another_process() -> None:
    rulebook = BASE.variant({"AZ-4.5": "six_hits", "end.margin": 9})
    assert pickle.loads(pickle.dumps(rulebook)).fingerprint == rulebook.fingerprint


def test_it_shows_itself_in_one_line() -> None:
    assert repr(BASE.variant({"end.margin": 9})) == "<Rulebook azincourt of azincourt, 1 changes>"


KEYS = st.text("abc-1", min_size=1, max_size=3)
TABLES = st.recursive(st.integers() | st.lists(st.integers()), lambda values: st.dictionaries(KEYS, values, max_size=3))


@given(st.dictionaries(KEYS, TABLES, max_size=3))
def test_flatten_keeps_every_value_under_its_path(tables: dict[str, Any]) -> None:
    def look_up(path: str) -> object:
        value: Any = tables
        for key in path.split("."):
            value = value[key]
        return value

    def count(value: object) -> int:
        return sum(map(count, value.values())) if isinstance(value, dict) else 1

    flat = flatten(tables)
    assert len(flat) == count(tables)
    for path, value in flat.items():
        assert not isinstance(value, dict)
        assert look_up(path) == value


def test_flatten_refuses_two_spellings_of_one_key() -> None:
    with pytest.raises(InputError) as caught:
        flatten({"mud.die": 6, "mud": {"die": 8}}, file="x.toml", table="set")
    assert str(caught.value) == "x.toml: set.mud.die: is given twice, in two spellings"


def test_the_first_problem_counts_the_others() -> None:
    one, two = InputError("is wrong", file="x.toml", key="a"), InputError("is odd", file="x.toml", key="b")
    assert first_of([one]) is one
    assert str(first_of([one, two])) == "x.toml: a: is wrong (and 1 more problem)"
    assert str(first_of([two, one, one])) == "x.toml: b: is odd (and 2 more problems)"
