"""The typed tables: what a number accepts, and what it says of one that contradicts itself."""

from __future__ import annotations

import re
from dataclasses import FrozenInstanceError
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wargamesim.rulebook.read import read
from wargamesim.rulebook.schema import RULE_ID, Number


def number(**fields: Any) -> Number:
    """Make a number of squares from 0 to 60 unless told otherwise."""
    given_or_usual = {"id": "AZ-4.1", "unit": "squares", "provenance": "seed", "text": "A text.", "min": 0, "max": 60}
    return read(Number, {**given_or_usual, **fields})


INTEGER = number(value=6)
FLOAT = number(value=0.5, min=0.0, max=1.0)
FACES = number(value=[4, 5], min=1, max=6, unit="faces")
SWITCH = number(value=True, min=None, max=None)


@pytest.mark.parametrize(
    ("kind", "raw", "value"),
    [
        (INTEGER, 0, 0),
        (INTEGER, 60, 60),
        (INTEGER, np.int64(7), 7),
        (FLOAT, 0.25, 0.25),
        (FLOAT, 1, 1.0),
        (FLOAT, np.float64(0.25), 0.25),
        (FLOAT, Fraction(1, 4), 0.25),
        (FACES, [6, 1], (1, 6)),
        (FACES, (2,), (2,)),
        (FACES, [], ()),
        (SWITCH, False, False),
    ],
)
def test_a_value_of_the_right_kind_is_taken(kind: Number, raw: object, value: object) -> None:
    taken = kind.check(raw)
    assert taken == value
    assert type(taken) is type(value)


@pytest.mark.parametrize(
    ("kind", "raw", "message"),
    [
        (INTEGER, -1, "must be an integer from 0 to 60 (squares), not -1"),
        (INTEGER, 61, "must be an integer from 0 to 60 (squares), not 61"),
        (INTEGER, 2.0, "must be an integer from 0 to 60 (squares), not 2.0"),
        (INTEGER, True, "must be an integer from 0 to 60 (squares), not true"),
        (INTEGER, "6", "must be an integer from 0 to 60 (squares), not '6'"),
        (INTEGER, [6], "must be an integer from 0 to 60 (squares), not [6]"),
        (INTEGER, 10**99, f"must be an integer from 0 to 60 (squares), not 1{'0' * 35}..."),
        pytest.param(INTEGER, 10**5000, "must be an integer from 0 to 60 (squares), not a huge number", id="huge"),
        (FLOAT, 1.5, "must be a number from 0.0 to 1.0 (squares), not 1.5"),
        (FLOAT, float("nan"), "must be a number from 0.0 to 1.0 (squares), not nan"),
        (FLOAT, float("inf"), "must be a number from 0.0 to 1.0 (squares), not inf"),
        (FLOAT, True, "must be a number from 0.0 to 1.0 (squares), not true"),
        (FLOAT, "half", "must be a number from 0.0 to 1.0 (squares), not 'half'"),
        (FACES, 4, "must be a list of integers from 1 to 6 (faces), not 4"),
        (FACES, [0, 4], "must be a list of integers from 1 to 6 (faces), not [0, 4]"),
        (FACES, [4, 5.0], "must be a list of integers from 1 to 6 (faces), not [4, 5.0]"),
        (FACES, [True], "must be a list of integers from 1 to 6 (faces), not [True]"),
        (FACES, [4, 5, 4], "must be a list of different integers, but 4 stands in it twice"),
        (SWITCH, 1, "must be true or false, not 1"),
        (SWITCH, "yes", "must be true or false, not 'yes'"),
    ],
)
def test_any_other_value_is_refused_with_what_is_allowed(kind: Number, raw: object, message: str) -> None:
    with pytest.raises(ValueError, match="must be") as caught:
        kind.check(raw)
    assert str(caught.value) == message


@given(st.integers())
def test_integers_are_taken_exactly_within_the_range(raw: int) -> None:
    if 0 <= raw <= 60:
        assert INTEGER.check(raw) == raw
    else:
        with pytest.raises(ValueError, match="must be an integer from 0 to 60"):
            INTEGER.check(raw)


@given(st.sets(st.integers(1, 6)).flatmap(lambda faces: st.permutations(sorted(faces))))
def test_faces_come_out_sorted(faces: list[int]) -> None:
    assert FACES.check(faces) == tuple(sorted(faces))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"value": 61}, "must be an integer from 0 to 60"),
        ({"value": 6, "min": None}, "needs both `min` and `max`"),
        ({"value": 6, "max": None}, "needs both `min` and `max`"),
        ({"value": 6, "min": 9, "max": 3}, "the first not above the second"),
        ({"value": 6, "max": float("inf")}, "must be a finite number, not inf"),
        ({"value": 6, "max": True}, "must be a finite number, not true"),
        ({"value": True, "max": None}, "true and false have no range"),
        ({"value": "six"}, "must be a number, true or false, or a list of integers, not 'six'"),
        ({"value": [4, 5.5]}, "must be a number, true or false, or a list of integers"),
        ({"value": [5, 4]}, "its list must be sorted, not [5, 4]"),
        ({"value": 6, "id": "AZ-4"}, "its id must look like AZ-4.1, not 'AZ-4'"),
        ({"value": 6, "text": ""}, "text: must not be empty"),
        (
            {"value": 6, "provenance": "source"},
            "provenance: unknown provenance 'source'; did you mean 'house'? Known: gap, house, reading, seed",
        ),
        ({"value": 6, "note": "?"}, "note: unknown key 'note'"),
    ],
)
def test_a_number_that_contradicts_itself_is_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        number(**fields)


def test_a_number_is_not_changed_once_read() -> None:
    with pytest.raises(FrozenInstanceError):
        INTEGER.value = 7  # type: ignore[misc]


@pytest.mark.parametrize(("kind", "text"), [(INTEGER, "0..60"), (FLOAT, "0.0..1.0"), (FACES, "1..6"), (SWITCH, "")])
def test_the_range_is_shown_as_text(kind: Number, text: str) -> None:
    assert kind.range == text


@pytest.mark.parametrize(
    ("text", "good"), [("AZ-4.10", True), ("NA-3.20a", True), ("AZ-4", False), ("az-4.1", False), ("AZ-4.1 ", False)]
)
def test_rule_ids(text: str, good: bool) -> None:
    assert bool(RULE_ID.fullmatch(text)) is good
