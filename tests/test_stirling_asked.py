"""What the options of Stirling's questions say, and the cases that they combine to."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F

import pytest

from wargamesim.errors import InputError
from wargamesim.games.stirling.asked import Cases, damages, rates, words


def test_cases_run_through_all_combinations_the_last_fastest() -> None:
    cases = Cases.of({"men": [1, 2], "ac": [5], "rate": [F(1), F(3, 2)]}, always=("ac",))
    assert cases.shown == ("men", "ac", "rate")
    assert [(case["men"], str(case["rate"])) for case in cases] == [(1, "1"), (1, "3/2"), (2, "1"), (2, "3/2")]
    assert [cases.cells(case) for case in cases][1] == (1, 5, "3/2")


def test_what_is_common_is_said_once() -> None:
    cases = Cases.of({"men": [1, 2], "enemy-men": [300], "modifier": [0], "charge": ["no"], "rate": [F(3, 2)]})
    assert cases.heads == ("men",)
    assert cases.common() == "enemy men 300, rate 3/2"
    assert cases.common(["enemy-men"]) == "rate 3/2"


def test_lists() -> None:
    assert damages({}, "damage", "1d8") == ["1d8"]
    assert damages({"damage": "d6 , 2d4-1"}, "damage", "1d8") == ["d6", "2d4-1"]
    assert rates({"rate": "0, 3/2,2"}, "rate", "1") == [F(0), F(3, 2), F(2)]
    assert words({"side": "rear,front"}, "side", "side", ("front", "rear"), "front") == ["rear", "front"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: damages({"damage": "1d8,sword"}, "damage", "1d8"), "--damage: 'sword' is no damage; write 1d8"),
        (lambda: rates({"enemy-rate": "1/9"}, "enemy-rate", "1"), "--enemy-rate: must be from 0 to 10 in halves"),
        (lambda: words({"side": "back"}, "side", "side", ("rear",), "rear"), "--side: unknown side 'back'"),
        (lambda: Cases.of({"men": range(1001)}), "the options combine to more than 1,000 rows"),
    ],
)
def test_bad_input_names_the_option(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value).startswith(message)
