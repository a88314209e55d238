"""Doctrines of skirmishes: named parameters become numbers, and what is wrong is said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wargamesim import records
from wargamesim.errors import InputError
from wargamesim.files import data_folder, read_toml
from wargamesim.games.doctrines import Parameter
from wargamesim.games.skirmish import doctrine as words
from wargamesim.games.skirmish.doctrine import DOCTRINE, PARAMETERS, Doctrine, compile_doctrine

FOLDER = data_folder() / "scenarios" / "skirmish"
FILES = {"muskets": FOLDER / "doctrines.toml", "rifles": FOLDER / "doctrines" / "rifles.toml"}
SHIPPED = {name: read_toml(path) for name, path in FILES.items()}
# What each of them has to decide, in its file and not by a default.
DECISIONS = {"open_fire", "volley_from", "snap", "charge_at", "evade_below", "rally_cost", "target"}


def test_every_parameter_has_a_field_and_a_text() -> None:
    assert tuple(PARAMETERS) == Doctrine._fields
    assert all(parameter.text for parameter in PARAMETERS.values())


def test_without_parameters_all_have_their_defaults() -> None:
    doctrine = compile_doctrine({})
    for name, parameter in PARAMETERS.items():
        default = parameter.default
        assert getattr(doctrine, name) == (parameter.words.index(str(default)) if parameter.words else default)


WORDS = {
    "stance": {"hold": words.HOLD, "advance": words.ADVANCE, "close": words.CLOSE},
    "run": {"never": words.WALKS, "to_charge": words.RUNS_TO_CHARGE, "always": words.RUNS},
    "target": {
        "nearest": words.NEAREST,
        "easiest": words.EASIEST,
        "leaders": words.LEADERS,
        "wounded": words.WOUNDED,
    },
    "snap": {"never": words.NEVER, "when_better": words.WHEN_BETTER, "always": words.ALWAYS},
}


@pytest.mark.parametrize(("name", "word"), [(name, word) for name, numbers in WORDS.items() for word in numbers])
def test_words_become_their_numbers(name: str, word: str) -> None:
    assert getattr(compile_doctrine({name: word}), name) == WORDS[name][word]


def test_all_words_are_tested_above() -> None:
    known = {name: set(parameter.words) for name, parameter in PARAMETERS.items() if parameter.words}
    assert known == {name: set(numbers) for name, numbers in WORDS.items()}


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
    packed = records.pack(doctrine, DOCTRINE)
    for name, parameter in PARAMETERS.items():
        value = getattr(doctrine, name)
        if name not in given_values:
            assert value == getattr(default, name)
        elif parameter.words:
            assert parameter.words[value] == given_values[name]
        else:
            assert value == given_values[name]
        assert type(value) is (float if isinstance(parameter.default, float) else int)
        assert packed[name] == value


def test_no_field_hides_behind_an_attribute_of_records() -> None:
    assert not [name for name in Doctrine._fields if hasattr(np.void, name)]


@pytest.mark.parametrize(
    ("given_values", "message"),
    [
        ({"opn_fire": 30}, "unknown doctrine parameter 'opn_fire'; did you mean 'open_fire'?"),
        ({"stance": "advanse"}, ".stance: unknown word 'advanse'; did you mean 'advance'?"),
        ({"target": 1}, ".target: unknown word '1'"),
        ({"objective": 1}, ".objective: must be true or false, not 1"),
        ({"open_fire": -1}, ".open_fire: must be from 0 to 400, not -1"),
        ({"open_fire": 401}, ".open_fire: must be from 0 to 400, not 401"),
        ({"open_fire": True}, ".open_fire: must be a number from 0 to 400, not True"),
        ({"patience": 2.0}, ".patience: must be a whole number from 0 to 1000, not 2.0"),
        ({"charge_odds": 1.1}, ".charge_odds: must be from 0 to 1, not 1.1"),
        ({"charge_odds": float("nan")}, ".charge_odds: must be from 0 to 1, not nan"),
        ({"charge_odds": "0.5"}, ".charge_odds: must be a number from 0 to 1, not '0.5'"),
        ({"seek_cover": float("inf")}, ".seek_cover: must be from 0 to 40, not inf"),
    ],
)
def test_what_is_wrong_is_said(given_values: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        compile_doctrine(given_values, key="doctrines.first.mine", file="my.toml")
    assert str(error.value).startswith("my.toml: doctrines.first.mine")
    assert message in str(error.value)


@pytest.mark.parametrize("file", SHIPPED)
def test_the_shipped_doctrines_are_those_that_the_experiments_ask_for(file: str) -> None:
    doctrines = SHIPPED[file]
    assert list(doctrines) == ["firing_line", "aimed_line", "skirmish_screen", "assault", "ambush", "hold_cover"]
    for name, doctrine in doctrines.items():
        assert doctrine["text"].endswith("."), name
        assert doctrine.keys() >= DECISIONS, name
        compile_doctrine(_parameters(file, name), key=name)


@pytest.mark.parametrize("file", SHIPPED)
def test_aimed_and_firing_line_differ_in_volleys_alone(file: str) -> None:
    firing, aimed = (compile_doctrine(_parameters(file, name)) for name in ("firing_line", "aimed_line"))
    differing = {name for name in Doctrine._fields if getattr(firing, name) != getattr(aimed, name)}
    assert "volley_from" in differing
    assert differing <= {"volley_from", "volley_wait"}


def _parameters(file: str, name: str) -> dict[str, Any]:
    return {key: value for key, value in SHIPPED[file][name].items() if key != "text"}
