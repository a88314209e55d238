"""The reader of tables: what it takes, all that it finds wrong, and in which order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from wargamesim.rulebook.read import UnreadableError, any_table, each, optional, read, shown, text

TEXT, NOTE, ANY = {"read": text}, {"read": optional(text)}, {"read": any_table}


@dataclass(frozen=True)
class Leaf:
    """A table with one text that must be there and one that need not."""

    text: str = field(metadata=TEXT)
    note: str | None = field(default=None, metadata=NOTE)

    def __post_init__(self) -> None:
        if self.text == self.note:
            raise ValueError("says the same twice")


@dataclass(frozen=True)
class Tree:
    """A table of tables."""

    name: str = field(metadata=TEXT)
    leaves: dict[str, Leaf] = field(metadata={"read": each(Leaf)})
    rest: dict[str, Any] = field(default_factory=dict, metadata=ANY)


def problems(raw: object) -> list[str]:
    """Read a tree that is wrong and return what is wrong with it, key and message."""
    with pytest.raises(UnreadableError) as caught:
        read(Tree, raw)
    told = [f"{'.'.join(key)}: {message}" for key, message, _ in caught.value.problems]
    assert str(caught.value) == "; ".join(told)
    return told


def test_tables_are_read_as_they_stand() -> None:
    tree = read(Tree, {"name": "oak", "leaves": {"a.b": {"text": "green"}}, "rest": {"x": [1]}})
    assert tree == Tree("oak", {"a.b": Leaf("green")}, {"x": [1]})
    assert read(Leaf, {"text": "green", "note": None}) == Leaf("green")


def test_all_that_is_wrong_is_told_misspelt_keys_first_then_missing_ones() -> None:
    raw = {"leaves": {"a": {"txt": "green"}, "b": {"text": ""}, "c": 3, "d": {"text": "x", "note": "x"}}, "res": {}}
    assert problems(raw) == [
        "res: unknown key 'res'; did you mean 'rest'? Known: leaves, name, rest",
        "leaves.a.txt: unknown key 'txt'; did you mean 'text'? Known: note, text",
        "name: is missing; the keys here are name, leaves, rest",
        "leaves.a.text: is missing; the keys here are text, note",
        "leaves.b.text: must not be empty",
        "leaves.c: must be a table, not 3",
        "leaves.d: says the same twice",
    ]


@pytest.mark.parametrize(("raw", "said"), [(7, "7"), (True, "true"), (None, "None"), (["a"], "['a']")])
def test_nothing_is_converted_silently(raw: object, said: str) -> None:
    assert problems({"name": raw, "leaves": {}}) == [f"name: must be a text in quotes, not {said}"]
    assert problems({"name": "oak", "leaves": {}, "rest": raw}) == [f"rest: must be a table, not {said}"]


def test_what_is_no_table_at_all() -> None:
    with pytest.raises(ValueError, match="must be a table, not 3"):
        read(Tree, 3)


@pytest.mark.parametrize(
    ("value", "text"),
    [(True, "true"), ("a", "'a'"), (2.5, "2.5"), ([1] * 20, "[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,...")],
)
def test_a_value_is_shown_in_one_short_line(value: object, text: str) -> None:
    assert shown(value) == text
    assert len(text) <= 40
