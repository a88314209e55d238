"""Doctrines: parameters by name, checked, with defaults."""

from __future__ import annotations

from typing import get_type_hints

import pytest

from wargamesim.errors import InputError
from wargamesim.files import data_folder, read_toml
from wargamesim.games.coloniale import doctrine as module
from wargamesim.games.coloniale.doctrine import DOCTRINE, PARAMETERS, Doctrine, compile_doctrine
from wargamesim.records import pack


def test_every_parameter_has_a_field_of_its_kind() -> None:
    kinds = get_type_hints(Doctrine)
    assert list(kinds) == list(PARAMETERS) == list(DOCTRINE.names or ())
    for name, parameter in PARAMETERS.items():
        assert kinds[name] is (float if isinstance(parameter.default, float) else int), name


def test_defaults_are_allowed_and_complete() -> None:
    doctrine = compile_doctrine({})
    again = compile_doctrine({name: parameter.default for name, parameter in PARAMETERS.items()})
    assert doctrine == again
    record = pack(doctrine, DOCTRINE)
    assert [record[name] for name in PARAMETERS] == list(doctrine)


def test_words_become_the_numbers_that_the_code_has() -> None:
    assert compile_doctrine({"foot": "hold"}).foot == module.HOLD
    assert compile_doctrine({"guns": "objective"}).guns == module.OBJECTIVE
    assert compile_doctrine({"march": "road"}).march == module.BY_ROAD
    assert compile_doctrine({"target": "largest"}).target == module.LARGEST
    assert compile_doctrine({"estimate": "values"}).estimate == module.VALUES


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("foot", "wait", "unknown word 'wait'"),
        ("cover", 1, "must be true or false, not 1"),
        ("split_fire", 0, "must be from 1 to 99, not 0"),
        ("split_fire", 1.5, "must be a whole number from 1 to 99, not 1.5"),
        ("assault_above", 2.5, "must be from 0 to 2, not 2.5"),
        ("assault_above", "often", "must be a number from 0 to 2, not 'often'"),
        ("assault_above", True, "must be a number from 0 to 2, not True"),
    ],
)
def test_a_wrong_value_is_told(name: str, value: object, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        compile_doctrine({name: value})
    assert error.value.key == name


def test_a_misspelt_parameter_has_the_nearest_name() -> None:
    with pytest.raises(InputError, match="did you mean 'pursue_above'"):
        compile_doctrine({"persue_above": 0.5})


def test_shipped_doctrines_are_valid_and_all_different() -> None:
    shipped = read_toml(data_folder() / "scenarios" / "coloniale" / "doctrines.toml")
    assert len(shipped) >= 6
    compiled = [
        compile_doctrine({name: value for name, value in table.items() if name != "text"}) for table in shipped.values()
    ]
    assert len(set(compiled)) == len(compiled)
    assert all(table["text"] for table in shipped.values())
