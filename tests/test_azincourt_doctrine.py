"""Doctrines: named parameters become numbers, and what is wrong is said."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wargamesim.errors import InputError
from wargamesim.games.azincourt import doctrine as words
from wargamesim.games.azincourt.doctrine import PARAMETERS, Doctrine, compile_doctrine
from wargamesim.games.doctrines import Parameter


def test_every_parameter_has_a_field_and_a_text() -> None:
    assert tuple(PARAMETERS) == Doctrine._fields
    assert all(parameter.text for parameter in PARAMETERS.values())


def test_without_parameters_all_have_their_defaults() -> None:
    doctrine = compile_doctrine({})
    for name, parameter in PARAMETERS.items():
        default = parameter.default
        assert getattr(doctrine, name) == (parameter.words.index(str(default)) if parameter.words else default)


@pytest.mark.parametrize(
    ("name", "word", "number"),
    [
        ("target", "nearest", words.NEAREST),
        ("target", "mounted_first", words.MOUNTED_FIRST),
        ("target", "most_valuable", words.MOST_VALUABLE),
        ("foot", "hold", words.HOLD),
        ("foot", "advance", words.ADVANCE),
        ("horse", "hold", words.HOLD),
        ("horse", "advance", words.ADVANCE),
        ("horse", "with_foot", words.WITH_FOOT),
    ],
)
def test_words_become_their_numbers(name: str, word: str, number: int) -> None:
    assert getattr(compile_doctrine({name: word}), name) == number


def test_all_words_are_tested_above() -> None:
    assert {name: parameter.words for name, parameter in PARAMETERS.items() if parameter.words} == {
        "target": ("nearest", "mounted_first", "most_valuable"),
        "foot": ("hold", "advance"),
        "horse": ("hold", "advance", "with_foot"),
    }


def values(parameter: Parameter) -> st.SearchStrategy[Any]:
    """Every allowed value of a parameter."""
    if parameter.words:
        return st.sampled_from(parameter.words)
    if isinstance(parameter.default, bool):
        return st.booleans()
    if isinstance(parameter.default, float):
        return st.floats(parameter.low, parameter.high)
    return st.integers(int(parameter.low), int(parameter.high))


@settings(deadline=None)
@given(st.fixed_dictionaries({}, optional={name: values(parameter) for name, parameter in PARAMETERS.items()}))
def test_allowed_values_are_kept(given_values: dict[str, Any]) -> None:
    doctrine, default = compile_doctrine(given_values), compile_doctrine({})
    for name, parameter in PARAMETERS.items():
        if name not in given_values:
            assert getattr(doctrine, name) == getattr(default, name)
        elif parameter.words:
            assert parameter.words[getattr(doctrine, name)] == given_values[name]
        else:
            assert getattr(doctrine, name) == given_values[name]


def test_numbers_have_the_type_that_compiled_code_expects() -> None:
    doctrine = compile_doctrine({"flank": True, "min_odds": 1})
    for name, parameter in PARAMETERS.items():
        assert type(getattr(doctrine, name)) is (float if isinstance(parameter.default, float) else int)


@pytest.mark.parametrize(
    ("given_values", "message"),
    [
        ({"plant_distanc": 8}, "unknown doctrine parameter 'plant_distanc'; did you mean 'plant_distance'?"),
        ({"target": "monted_first"}, ".target: unknown word 'monted_first'; did you mean 'mounted_first'?"),
        ({"target": 1}, ".target: unknown word '1'"),
        ({"foot": "with_foot"}, ".foot: unknown word 'with_foot'. Known: advance, hold"),
        ({"flank": 1}, ".flank: must be true or false, not 1"),
        ({"flank": "true"}, ".flank: must be true or false, not 'true'"),
        ({"plant_distance": -1}, ".plant_distance: must be from 0 to 60, not -1"),
        ({"plant_distance": 61}, ".plant_distance: must be from 0 to 60, not 61"),
        ({"plant_distance": True}, ".plant_distance: must be a whole number from 0 to 60, not True"),
        ({"plant_distance": 8.0}, ".plant_distance: must be a whole number from 0 to 60, not 8.0"),
        ({"plant_spacing": 0}, ".plant_spacing: must be from 1 to 10, not 0"),
        ({"keep_away": 1}, ".keep_away: must be from 2 to 60, not 1"),
        ({"min_odds": 1.1}, ".min_odds: must be from 0 to 1, not 1.1"),
        ({"min_odds": float("nan")}, ".min_odds: must be from 0 to 1, not nan"),
        ({"min_odds": "0.5"}, ".min_odds: must be a number from 0 to 1, not '0.5'"),
        ({"friend_weight": float("inf")}, ".friend_weight: must be from 0 to 100, not inf"),
    ],
)
def test_what_is_wrong_is_said(given_values: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        compile_doctrine(given_values, key="doctrines.french.mine", file="my.toml")
    assert str(error.value).startswith("my.toml: doctrines.french.mine")
    assert message in str(error.value)
