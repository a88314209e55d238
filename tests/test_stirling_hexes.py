"""Bearings: from where a hex lies, what each of the six steps does to the distance."""

from __future__ import annotations

import numba
import pytest

from wargamesim.games.stirling.hexes import FARTHER, GAIN_BITS, GAINS, NEARER, bearing
from wargamesim.games.stirling.layout import STEP_Q, STEP_R
from wargamesim.games.stirling.referee_board import distance


@numba.njit  # type: ignore[untyped-decorator]
def bearing_of(dq: int, dr: int) -> int:
    return bearing(dq, dr)


@pytest.mark.parametrize("dq", range(-5, 6))
def test_a_bearing_tells_what_each_step_does_to_the_distance(dq: int) -> None:
    for dr in range(-5, 6):
        at = bearing_of(dq, dr)
        for side in range(6):
            on = dq + int(STEP_Q[side]), dr + int(STEP_R[side])
            gain = distance(on, (0, 0)) - distance((dq, dr), (0, 0))
            assert bool(FARTHER[at] >> side & 1) == (gain > 0)
            assert bool(NEARER[at] >> side & 1) == (gain < 0)
            assert (GAINS[at] >> (GAIN_BITS * side) & 3) - 1 == gain
