"""The options of a question: one grammar of ranges, names with the nearest known one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wargamesim.errors import InputError
from wargamesim.games.options import MOST_VALUES, check_options, names, numbers


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("5", [5]),
        ("20,30,50", [20, 30, 50]),
        ("0:120:40", [0, 40, 80, 120]),
        ("0:12:5", [0, 5, 10]),
        ("1:3", [1, 2, 3]),
        ("4:4", [4]),
        ("-2:2:2", [-2, 0, 2]),
        (" 7 , 1:2 ,+3", [7, 1, 2, 3]),
    ],
)
def test_grammar(text: str, values: list[int]) -> None:
    assert numbers({"distance": text}, "distance", "1", minimum=-10, maximum=200) == values


def test_default() -> None:
    assert numbers({"other": "x"}, "distance", "1:3", minimum=0, maximum=9) == [1, 2, 3]


@given(st.integers(0, 500), st.integers(0, 500), st.integers(1, 50))
def test_ranges_include_their_stop(start: int, length: int, step: int) -> None:
    values = numbers({"n": f"{start}:{start + length}:{step}"}, "n", "", minimum=0, maximum=1000)
    assert values == [v for v in range(start, start + length + 1) if (v - start) % step == 0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is no integer and no range; write 3, or 1,2,5, or 0:120:5"),
        ("1,,2", "'' is no integer and no range; write 3, or 1,2,5, or 0:120:5"),
        ("ten", "'ten' is no integer and no range; write 3, or 1,2,5, or 0:120:5"),
        ("1.5", "'1.5' is no integer and no range; write 3, or 1,2,5, or 0:120:5"),
        ("1:", "'1:' is no integer and no range; write 3, or 1,2,5, or 0:120:5"),
        ("1:2:3:4", "'1:2:3:4' is no integer and no range; write 3, or 1,2,5, or 0:120:5"),
        ("9" * 40, f"'{'9' * 40}' is no integer and no range; write 3, or 1,2,5, or 0:120:5"),
        ("1:9:0", "the step of '1:9:0' must be at least 1"),
        ("1:9:-1", "the step of '1:9:-1' must be at least 1"),
        ("9:1", "'9:1' is empty: its stop is less than its start"),
        ("-1", "must be from 0 to 100000, not -1"),
        ("5:100001:50000", "must be from 0 to 100000, not 100001"),
        ("0:99999", f"stands for more than {MOST_VALUES} numbers"),
        ("1:6000,1:6000", f"stands for more than {MOST_VALUES} numbers"),
    ],
)
def test_not_in_the_grammar(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        numbers({"distance": text}, "distance", "1", minimum=0, maximum=100_000)
    assert str(error.value) == f"--distance: {message}"


def test_names() -> None:
    assert names({"target": "archer, cannon,archer"}, "target", "piece type", ("archer", "cannon")) == [
        "archer",
        "cannon",
        "archer",
    ]
    assert names({}, "target", "piece type", ("archer",)) is None
    with pytest.raises(InputError) as error:
        names({"target": "archer,canon"}, "target", "piece type", ("archer", "cannon"))
    assert str(error.value) == "--target: unknown piece type 'canon'; did you mean 'cannon'? Known: archer, cannon"


def test_unknown_options() -> None:
    check_options([], ())
    check_options(["target"], ("arrows", "target"))
    with pytest.raises(InputError, match=r"^unknown option 'arows'; did you mean 'arrows'\? Known: arrows, target$"):
        check_options(["arows"], ("arrows", "target"))
    with pytest.raises(InputError, match=r"^this question has no option 'arows'$"):
        check_options(["arows"], ())
