"""Readers of single keys: what they take, and what they say of the rest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from wargamesim.games.readers import any_text, by, by_name, listed, named, one_of, point, real, switch, table_of, whole
from wargamesim.games.skirmish.readers import explained, magazine


@dataclass(frozen=True)
class Leaf:
    """A table with one number."""

    size: int = field(metadata=by(whole(1, 3)))


@pytest.mark.parametrize(
    ("reader", "raw", "value"),
    [
        (named, "a_B-9", "a_B-9"),
        (whole(1, 3), 3, 3),
        (real(0, 1), 1, 1.0),
        (one_of("fruit", ("apple", "pear")), "pear", "pear"),
        (listed(whole(1, 3)), [1, 2], (1, 2)),
        (listed(whole(1, 3)), (), ()),
        (by_name(whole(1, 3)), {"a": 1}, {"a": 1}),
        (by_name(table_of(Leaf)), {"a": {"size": 2}}, {"a": Leaf(2)}),
        (point, [1, 2.5], (1.0, 2.5)),
        (any_text, "", ""),
        (switch, True, True),
        (magazine, 6, 6),
        (magazine, True, True),
        (magazine, False, False),
    ],
)
def test_what_is_taken(reader: Callable[[object], Any], raw: object, value: object) -> None:
    read = reader(raw)
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    ("reader", "raw", "message"),
    [
        (named, "a b", "must be 1 to 100 letters, digits, - or _, not 'a b'"),
        (named, "a.b", "must be 1 to 100 letters"),
        (named, "", "must be 1 to 100 letters"),
        (named, "x" * 101, "must be 1 to 100 letters"),
        (named, 3, "must be 1 to 100 letters, digits, - or _, not 3"),
        (whole(1, 3), 0, "must be a whole number from 1 to 3, not 0"),
        (whole(1, 3), 4, "must be a whole number from 1 to 3, not 4"),
        (whole(1, 3), 2.0, "must be a whole number from 1 to 3, not 2.0"),
        (whole(1, 3), True, "must be a whole number from 1 to 3, not true"),
        (real(0, 1, " cm"), 1.5, "must be a number from 0 to 1 cm, not 1.5"),
        (real(0, 1), float("nan"), "must be a number from 0 to 1, not nan"),
        (real(0, 1), True, "must be a number from 0 to 1, not true"),
        (real(0, 1), 10**30, "must be a number from 0 to 1, not 1000000000000000000000000000000"),
        (one_of("fruit", ("apple", "pear")), "aple", "unknown fruit 'aple'; did you mean 'apple'? Known: apple, pear"),
        (one_of("fruit", ("apple", "pear")), 3, "unknown fruit '3'. Known: apple, pear"),
        (listed(whole(1, 3)), 1, "must be a list, not 1"),
        (listed(whole(1, 3)), [1, 4], "2: must be a whole number from 1 to 3, not 4"),
        (by_name(whole(1, 3)), [1], "must be a table, not [1]"),
        (by_name(whole(1, 3)), {"a b": 1}, "a b: must be 1 to 100 letters"),
        (listed(by_name(table_of(Leaf))), [{}, {"a": {"size": 9}}], "2.a.size: must be a whole number from 1 to 3"),
        (point, [1], "must be a place [x, y] in cm, not [1]"),
        (point, [1, 2, 3], "must be a place [x, y] in cm"),
        (point, [1, 2000], "must be a number from -1000 to 1000 cm, not 2000"),
        (any_text, 3, "must be a text in quotes, not 3"),
        (switch, 1, "must be true or false, not 1"),
        (magazine, 1, "must be true, false, or the rounds of its magazine (2 to 100), not 1"),
        (magazine, "six", "must be true, false, or the rounds of its magazine (2 to 100), not 'six'"),
    ],
)
def test_what_is_refused(reader: Callable[[object], Any], raw: object, message: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011
        reader(raw)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("message", "better"),
    [
        ("unknown key 'Doors'. Known: kind, points", "doors, windows and gates are not played in battles (NA-3.22)"),
        ("unknown role 'rower'; did you mean 'ranger'? Known: ranger", "boats and rowing are not played in battles"),
        ("unknown kind of terrain 'bog'. Known: wood", "unknown kind of terrain 'bog'. Known: wood"),
        ("must be a list, not 'boat'", "must be a list, not 'boat'"),
    ],
)
def test_what_is_not_played_is_explained(message: str, better: str) -> None:
    said = explained(message)
    assert said.startswith(better)
    assert said.partition("Known: ")[2] == message.partition("Known: ")[2]
