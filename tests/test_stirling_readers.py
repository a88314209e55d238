"""Readers of a scenario's values: what they take, and what they say of the rest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wargamesim.games import readers as shared
from wargamesim.games.stirling import readers
from wargamesim.rulebook.read import UnreadableError


@pytest.mark.parametrize(
    ("read_it", "raw", "value"),
    [
        (shared.named, "left_foot-2", "left_foot-2"),
        (shared.any_text, "", ""),
        (shared.switch, False, False),
        (shared.whole(0, 5), 5, 5),
        (shared.one_of("front", ("east", "west")), "west", "west"),
        (readers.tuple_of(2, shared.whole(0, 9), "a hex"), [3, 4], (3, 4)),
        (shared.listed(shared.whole(0, 9)), [1, 2, 3], (1, 2, 3)),
        (shared.by_name(shared.whole(0, 9)), {"a": 1}, {"a": 1}),
        (readers.damage, "2d6+1", "2d6+1"),
        (readers.rate, "3/2", "3/2"),
        (readers.rate, 2, 2),
        (readers.hit_dice, "4+1", "4+1"),
        (readers.hit_dice, 0, 0),
    ],
)
def test_what_is_allowed_is_read(read_it: Callable[[object], Any], raw: object, value: object) -> None:
    assert read_it(raw) == value


@pytest.mark.parametrize(
    ("read_it", "raw", "said"),
    [
        (shared.named, "left foot", "letters, digits"),
        (shared.named, 3, "letters, digits"),
        (shared.any_text, 3, "a text in quotes, not 3"),
        (shared.switch, 1, "true or false, not 1"),
        (shared.whole(0, 5, " men"), 6, "from 0 to 5 men, not 6"),
        (shared.whole(0, 5), True, "not true"),
        (shared.whole(0, 5), 2.0, "not 2.0"),
        (shared.one_of("front", ("east", "west")), "eas", "did you mean 'east'"),
        (shared.one_of("front", ("east", "west")), 3, "unknown front '3'"),
        (readers.tuple_of(2, shared.whole(0, 9), "a hex"), [3], "must be a hex"),
        (readers.tuple_of(2, shared.whole(0, 9), "a hex"), "34", "must be a hex"),
        (shared.listed(shared.whole(0, 9)), 4, "must be a list"),
        (readers.damage, "2x6", "no damage"),
        (readers.damage, 6, "a text in quotes"),
        (readers.rate, "5/7", "halves, thirds or quarters"),
        (readers.rate, 1.5, "must be a rate"),
        (readers.hit_dice, "4*", "must be hit dice"),
        (readers.hit_dice, True, "must be hit dice"),
    ],
)
def test_what_is_not_allowed_is_said(read_it: Callable[[object], Any], raw: object, said: str) -> None:
    with pytest.raises(ValueError, match=said.replace("(", r"\(")):
        read_it(raw)


def test_all_that_is_wrong_in_a_table_is_found_with_its_key() -> None:
    with pytest.raises(UnreadableError) as caught:
        shared.by_name(shared.listed(shared.whole(0, 9)))({"a": [1, 10], "b c": [1], "d": 3})
    assert [problem.key for problem in caught.value.problems] == [("a", "2"), ("b c",), ("d",)]


@pytest.mark.parametrize(("raw", "parts"), [(3, (3, 0)), ("3", (3, 0)), ("4+1", (4, 1)), ("1-1", (1, -1)), (0, (0, 0))])
def test_hit_dice_have_a_number_and_points_beside(raw: int | str, parts: tuple[int, int]) -> None:
    assert readers.parse_hit_dice(raw) == parts


def test_hit_dice_that_are_none_are_refused() -> None:
    with pytest.raises(ValueError, match="no number of hit dice"):
        readers.parse_hit_dice("many")
