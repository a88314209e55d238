"""The picture of a skirmish: small enough for a terminal, every figure and every wall on it."""

from __future__ import annotations

import pytest

from tests.skirmish_positions import figure, ground_of, setup_of
from wargamesim.games.skirmish.drawing import LEGEND, draw
from wargamesim.games.skirmish.layout import (
    BLUE,
    CAPTURED,
    DEAD,
    EVADES,
    FREE_AIM,
    HIDDEN,
    LEADER,
    LEVEL,
    PRONE,
    REGULAR,
    ROLES,
    STATUS,
    WET,
    WOUNDS,
)


def picture(figures: list[object], ground: object = None) -> list[str]:
    setup = setup_of(figures, ground)  # type: ignore[arg-type]
    return draw(setup.start, setup.ground, setup.names).splitlines()


@pytest.mark.parametrize(("width", "height"), [(20, 20), (78, 56), (120, 100), (256, 60), (60, 256), (255, 255)])
def test_it_fits_a_terminal(width: int, height: int) -> None:
    lines = picture([figure(0.5, 1), figure(width - 0.001, height - 0.001, 1)], ground_of((), width, height))
    table = lines[:-1]
    assert len(table) <= 28
    assert all(len(line) == len(table[0]) <= 78 for line in table)
    assert table[0][0] == "I"
    assert table[-1][-1] == "i"
    assert all(len(line) <= 78 for line in LEGEND)


def test_letters_tell_side_and_kind() -> None:
    roles = [LEADER | FREE_AIM, REGULAR | FREE_AIM, EVADES, FREE_AIM, 0]
    figures = [figure(2 * i, 1, side, also={ROLES: role}) for side in (0, 1) for i, role in enumerate(roles)]
    for i in range(5, 10):
        figures[i]["y"] = 3  # type: ignore[index]
    lines = picture(figures, ground_of((), 10, 4))
    assert lines[:2] == ["L.R.E.F.I.", "l.r.e.f.i."]


def test_who_stands_in_the_same_letter() -> None:
    ground = ground_of((), 10, 4)
    assert picture([figure(0, 0, also={ROLES: LEADER}), figure(0, 1.9), figure(9, 3, 1)], ground)[0][0] == "L"
    assert picture([figure(0, 0), figure(9, 3, 1), figure(0, 1.9, 1)], ground)[0][0] == "*"


def test_thin_walls_stay_visible_on_a_large_table() -> None:
    lines = ["." * 240] * 100
    lines[50] = "." * 30 + "=" * 100 + "." * 110
    drawn = picture([figure(1, 1), figure(2, 90, 1)], ground_of(lines, 240, 100))
    assert sum("=" in line for line in drawn[:-1]) == 1
    assert max(line.count("=") for line in drawn) in (33, 34)


def test_only_those_in_play_are_drawn_and_prisoners_are_named() -> None:
    lost = [figure(2, 1, also={STATUS: DEAD}), figure(4, 1, also={STATUS: CAPTURED})]
    lines = picture([figure(0, 1), *lost, figure(9, 3, 1)], ground_of((), 10, 4))
    assert lines == ["I...&.....", ".........i", "a letter is 1 cm wide and 2 cm high", "prisoners: A2"]


def test_prisoners_are_drawn_where_they_are_on_the_table() -> None:
    setup = setup_of([figure(0, 1), figure(4, 1, also={STATUS: CAPTURED}), figure(9, 3, 1)], ground_of((), 10, 4))
    for captives, line in ((True, "I...&....."), (False, "I.........")):
        drawn = draw(setup.start, setup.ground, setup.names, captives=captives).splitlines()
        assert (drawn[0], drawn[-1]) == (line, "prisoners: A1")
    # Who drags one stands where he is.
    dragged = picture([figure(4, 1), figure(4, 1, 1, also={STATUS: CAPTURED}), figure(9, 3, 1)], ground_of((), 10, 4))
    assert dragged[0] == "....I....."


def test_who_is_hidden_or_upstairs_is_seen_to_be() -> None:
    figures = [
        figure(0, 1, also={HIDDEN: 1, ROLES: LEADER}),
        figure(2, 1, also={LEVEL: 1, ROLES: LEADER}),
        figure(4, 1, 1, also={HIDDEN: 1}),
        figure(6, 1, 1, also={LEVEL: 2}),
        figure(8, 1, 1, also={LEVEL: 1, HIDDEN: 1}),
    ]
    lines = picture(figures, ground_of((), 10, 4))
    assert lines[0] == "H.U.h.u.u."
    assert lines[3:] == ["hidden: A0, B2, B4", "on floor 1: A1, B4", "on floor 2: B3"]


def test_who_alone_knows_of_a_hidden_figure() -> None:
    setup = setup_of([figure(0, 1), figure(2, 1), figure(4, 1, 1, also={HIDDEN: 1})], ground_of((), 10, 4))
    setup.start.observers[0, 2] = 0b11
    assert draw(setup.start, setup.ground, setup.names).splitlines()[-1] == "hidden: B2 (known to A0, A1 alone)"


def test_markers_are_listed_by_name() -> None:
    marked = [(BLUE, "blue marker"), (WOUNDS, "wounded"), (PRONE, "prone"), (WET, "wet"), (HIDDEN, "hidden")]
    figures = [figure(2 * i, 1, also={field: 1}) for i, (field, _) in enumerate(marked)]
    lines = picture([*figures, figure(9, 3, 1)], ground_of((), 10, 4))
    assert lines[3:] == [f"{words}: A{i}" for i, (_, words) in enumerate(marked)]


def test_a_long_list_is_wrapped() -> None:
    figures = [figure(2 * i, 1, also={BLUE: 1}) for i in range(40)]
    lines = picture([*figures, figure(9, 3, 1)])
    listed = lines[next(i for i, line in enumerate(lines) if line.startswith("blue")) :]
    assert len(listed) > 1
    assert all(len(line) <= 78 for line in listed)
    assert "".join(listed).count("A") == 40
