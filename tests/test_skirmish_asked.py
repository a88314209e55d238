"""What the questions are asked with: single names, single numbers, circumstances, band ends."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wargamesim.errors import InputError
from wargamesim.games.skirmish.asked import axes, band_ends, circumstances, one, whole
from wargamesim.games.skirmish.rules import compile_rules
from wargamesim.rulebook import load_rulebook


def test_one_name_and_one_number() -> None:
    assert one({"aim": " focus "}, "aim", "aim", ("spread", "focus"), "spread") == "focus"
    assert one({}, "aim", "aim", ("spread", "focus"), "spread") == "spread"
    assert whole({}, "shooters", 6, minimum=1, maximum=9) == 6
    assert whole({"shooters": "9"}, "shooters", 6, minimum=1, maximum=9) == 9


def test_circumstances_may_be_none() -> None:
    assert circumstances({}, "when", ("a", "b")) == []
    assert circumstances({"when": "b,a"}, "when", ("a", "b")) == ["b", "a"]


def test_axes_are_crossed_the_last_fastest() -> None:
    assert list(axes(["x", "y"], [1, 2])) == [("x", 1), ("x", 2), ("y", 1), ("y", 2)]


def test_band_ends_are_whole_where_they_can_be() -> None:
    rules = compile_rules(load_rulebook("nordamerica").variant({"weapons.rifle.band1.up_to": 32.5}))
    ends = band_ends(rules, "rifle")
    assert ends == [32.5, 80]
    assert [type(end) for end in ends] == [float, int]
    cut = compile_rules(load_rulebook("risorgimento").variant({"RI-T.7": "cut"}))
    assert band_ends(cut, "rifled_carbine")[-1] == 80


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: one({"aim": "x"}, "aim", "aim", ("spread",), "spread"), "--aim: unknown aim 'x'"),
        (lambda: one({"aim": "a,b"}, "aim", "aim", ("a", "b"), "a"), "--aim: takes one aim, not several"),
        (lambda: whole({"n": "1:2"}, "n", 1, minimum=0, maximum=9), "--n: takes one number, not several"),
        (lambda: whole({"n": "-1"}, "n", 1, minimum=0, maximum=9), "--n: must be from 0 to 9, not -1"),
        (lambda: circumstances({"when": "c"}, "when", ("a",)), "--when: unknown circumstance 'c'"),
    ],
)
def test_bad_input_names_the_option(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value).startswith(message)
