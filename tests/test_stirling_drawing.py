"""The picture of the board: rows half a hex apart, fronts, men and states, never wider than a terminal."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wargamesim.games.stirling.drawing import COLUMNS, LEGEND, draw
from wargamesim.games.stirling.layout import (
    DESTROYED,
    FIT,
    FRONT,
    GONE,
    LARGEST,
    LEADER,
    MEN,
    MEN0,
    MOST_UNITS,
    ROUTED,
    RUNS,
    SIDE,
    STATE,
    STATUS,
    Q,
    R,
)
from wargamesim.records import new_record


def state_of(cols: int, rows: int, units: list[dict[int, int]]) -> Any:
    state: Any = new_record(STATE)
    state.cols, state.rows, state.count = cols, rows, len(units)
    for number, fields in enumerate(units):
        for field, value in {MEN: 100, MEN0: 100, **fields}.items():
            state.unit[number, field] = value
    return state


def picture(cols: int, rows: int, units: list[dict[int, int]]) -> list[str]:
    return draw(state_of(cols, rows, units), [f"unit {number}" for number in range(len(units))]).splitlines()


@pytest.mark.parametrize(("front", "cell"), [(0, "A>"), (1, "A'"), (2, "'A"), (3, "<A"), (4, ",A"), (5, "A,")])
def test_every_front_has_its_mark(front: int, cell: str) -> None:
    at = {Q: 2, R: 0, FRONT: front}
    assert cell in picture(5, 1, [at])[1]
    assert picture(20, 1, [at])[1][3 + 2 * 2 :][:2] == cell


def test_odd_rows_stand_half_a_hex_to_the_east() -> None:
    lines = picture(5, 2, [{Q: 1, R: 0}, {Q: 1, R: 1}])
    assert lines[2].index("B") - lines[1].index("A") == 2
    lines = picture(30, 2, [{Q: 1, R: 0}, {Q: 1, R: 1}])
    assert lines[2].index("B") - lines[1].index("A") == 1


def test_a_letter_stands_under_the_number_of_its_column() -> None:
    lines = picture(30, 1, [{Q: 15, R: 0}])
    assert lines[0].index("15") == lines[1].index("A")
    lines = picture(9, 1, [{Q: 7, R: 0}])
    assert lines[0].index("7") == lines[1].index("A")
    lines = picture(LARGEST, 1, [{Q: 50, R: 0}])
    assert lines[0].index("50") == lines[1].index("A")


def test_rows_far_from_every_unit_are_left_out() -> None:
    lines = picture(9, 30, [{Q: 0, R: 10}, {Q: 0, R: 12}, {Q: 0, R: 20}])
    assert [line[:2] for line in lines[1:11]] == [" :", " 9", "10", "11", "12", "13", " :", "19", "20", "21"]
    assert lines[11].startswith("first:")
    assert len(picture(9, 30, [])) == 1 + 30 + 2


def test_men_fronts_and_states_are_listed_by_side() -> None:
    lines = picture(
        9,
        9,
        [
            {Q: 1, R: 1, MEN: 250, MEN0: 300, LEADER: FIT},
            {SIDE: 1, Q: 5, R: 1, FRONT: 3, STATUS: ROUTED, LEADER: RUNS},
            {SIDE: 1, Q: 5, R: 3, FRONT: 4, LEADER: GONE},
            {SIDE: 1, Q: 5, R: 3, STATUS: DESTROYED},
        ],
    )
    told = " ".join(" ".join(lines).split())
    assert "first: A unit 0 250/300 E second:" in told
    assert "a unit 1 100/100 W, routed, Leader routed; b unit 2 100/100 SW, Leader lost" in told
    assert "unit 3" not in told


def test_units_in_one_hex_are_marked_and_listed_with_their_place() -> None:
    lines = picture(9, 3, [{Q: 1, R: 1}, {Q: 1, R: 1, FRONT: 3}])
    assert "A*" in lines[2]
    assert "A unit 0 100/100 E at (1, 1); B unit 1 100/100 W at (1, 1)" in lines[-2]
    assert "second: nobody" in lines[-1]


def test_units_keep_their_letters_when_others_are_gone() -> None:
    assert "B>" in picture(9, 1, [{Q: 1, STATUS: DESTROYED}, {Q: 2}])[1]


@settings(max_examples=25)
@given(st.integers(3, LARGEST), st.integers(3, LARGEST), st.integers(0, MOST_UNITS), st.data())
def test_no_line_is_wider_than_the_picture(cols: int, rows: int, count: int, data: st.DataObject) -> None:
    units = []
    for _ in range(count):
        row, col = data.draw(st.integers(0, rows - 1)), data.draw(st.integers(0, cols - 1))
        units.append(
            {Q: col - row // 2, R: row, SIDE: data.draw(st.integers(0, 1)), FRONT: data.draw(st.integers(0, 5))}
        )
    lines = picture(cols, rows, units)
    assert max(map(len, lines)) <= COLUMNS
    assert " ".join("\n".join(lines).split()).count(" unit ") == count


def test_the_legend_fits() -> None:
    assert max(map(len, LEGEND)) <= COLUMNS
