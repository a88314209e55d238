"""Parameters of doctrines: what they take, what they become, and what is said of anything else."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wargamesim import records
from wargamesim.errors import InputError
from wargamesim.games.doctrines import Parameter, layout, numbers

KNOWN = {
    "foot": Parameter("what it does", "hold", words=("hold", "advance")),
    "flank": Parameter("whether it goes round", False),
    "reach": Parameter("how far", 4, low=1, high=10),
    "odds": Parameter("how sure", 0.5, high=1.0),
}


class Doctrine(NamedTuple):
    foot: int
    flank: int
    reach: int
    odds: float


def test_what_is_left_out_takes_its_default() -> None:
    assert numbers({}, KNOWN) == {"foot": 0, "flank": 0, "reach": 4, "odds": 0.5}


@given(st.sampled_from(["hold", "advance"]), st.booleans(), st.integers(1, 10), st.floats(0, 1))
def test_words_and_switches_become_numbers_of_a_record(foot: str, flank: bool, reach: int, odds: float) -> None:
    found = numbers({"foot": foot, "flank": flank, "reach": reach, "odds": odds}, KNOWN)
    record = records.pack(Doctrine(**found), layout(Doctrine))
    assert (record["foot"], record["flank"], record["reach"]) == (foot == "advance", flank, reach)
    assert record["odds"] == odds
    assert layout(Doctrine)["reach"] == np.int64


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"fot": "hold"}, "my.toml: d: unknown doctrine parameter 'fot'; did you mean 'foot'"),
        ({"foot": "advnce"}, r"my.toml: d\.foot: .*'advance'"),
        ({"flank": 1}, r"d\.flank: must be true or false, not 1"),
        ({"reach": 2.5}, r"d\.reach: must be a whole number from 1 to 10, not 2.5"),
        ({"reach": True}, r"d\.reach: must be a whole number from 1 to 10, not True"),
        ({"reach": 11}, r"d\.reach: must be from 1 to 10, not 11"),
        ({"odds": "high"}, r"d\.odds: must be a number from 0 to 1, not 'high'"),
        ({"odds": float("nan")}, r"d\.odds: must be from 0 to 1, not nan"),
    ],
)
def test_what_is_wrong_is_said(values: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        numbers(values, KNOWN, key="d", file="my.toml")
