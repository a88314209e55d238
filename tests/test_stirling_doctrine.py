"""Doctrines: parameters with a default, words and ranges."""

from __future__ import annotations

from typing import Any

import pytest

from wargamesim.errors import InputError
from wargamesim.files import data_folder, read_toml
from wargamesim.games.stirling import doctrine
from wargamesim.games.stirling.doctrine import DOCTRINE, PARAMETERS, Doctrine, compile_doctrine
from wargamesim.records import pack

SHIPPED = read_toml(data_folder() / "scenarios" / "stirling" / "doctrines.toml")


def test_every_parameter_is_a_field_in_its_place() -> None:
    assert tuple(PARAMETERS) == Doctrine._fields == DOCTRINE.names


@pytest.mark.parametrize("name", PARAMETERS)
def test_every_parameter_takes_its_own_default(name: str) -> None:
    parameter = PARAMETERS[name]
    assert compile_doctrine({name: parameter.default}) == compile_doctrine({})
    assert parameter.text


def test_words_become_their_numbers() -> None:
    compiled = compile_doctrine({"foot": "hold", "horse": "with_foot", "charge": "always", "target": "strongest"})
    assert (compiled.foot, compiled.horse) == (doctrine.HOLD, doctrine.WITH_FOOT)
    assert (compiled.charge, compiled.target) == (doctrine.ALWAYS, doctrine.STRONGEST)
    assert compile_doctrine({"delay": "never"}).delay == doctrine.NEVER
    assert compile_doctrine({"close_in": "short"}).close_in == doctrine.SHORT


def test_a_record_holds_the_same_numbers() -> None:
    compiled = compile_doctrine({"min_odds": 0.75, "keep_away": 4})
    record = pack(compiled, DOCTRINE)
    assert [record[name] for name in Doctrine._fields] == list(compiled)


@pytest.mark.parametrize(
    ("values", "key", "said"),
    [
        ({"fot": "hold"}, None, "did you mean 'foot'"),
        ({"foot": "with_foot"}, "foot", "unknown word 'with_foot'"),
        ({"flank": 1}, "flank", "true or false, not 1"),
        ({"keep_away": 129}, "keep_away", "from 0 to 128, not 129"),
        ({"keep_away": 2.5}, "keep_away", "a whole number"),
        ({"min_odds": True}, "min_odds", "a number from 0 to 100"),
        ({"min_odds": -0.1}, "min_odds", "from 0 to 100"),
    ],
)
def test_what_is_not_allowed_is_refused(values: dict[str, Any], key: str | None, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        compile_doctrine(values)
    assert caught.value.key == key


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_doctrines_say_what_they_are(name: str) -> None:
    values = dict(SHIPPED[name])
    assert len(values.pop("text")) > 30
    assert values, "a doctrine that changes nothing"
    compile_doctrine(values)


def test_there_are_at_least_three_and_no_two_alike() -> None:
    compiled = [compile_doctrine({k: v for k, v in each.items() if k != "text"}) for each in SHIPPED.values()]
    assert len(set(compiled)) == len(compiled) >= 3
