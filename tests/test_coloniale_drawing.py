"""The picture of the table and the lists beneath it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.coloniale_battles import setup_of, unit_of
from wargamesim.games.coloniale.drawing import COLUMNS, LEGEND, ROWS, draw
from wargamesim.games.coloniale.layout import (
    AT_EDGE,
    CREST,
    DESTROYED,
    DIFFICULT,
    FORDABLE,
    HARD,
    IN_TOWN,
    LEVEL_UNIT,
    PLAIN,
    TOWN,
    UNFORDABLE,
)
from wargamesim.games.coloniale.scenario import compile_setup, load_scenario, scenarios
from wargamesim.rulebook import load_rulebook

UNITS = (unit_of(0, (1.5, 1.5), 6, 5), unit_of(1, (18.5, 8.5), 4, 7))


def picture(*units: dict[str, Any], **more: Any) -> list[str]:
    setup = setup_of(units or UNITS, table=(20, 10), **more)
    return draw(setup.start, setup.ground, setup.names).splitlines()


def test_units_and_what_is_listed() -> None:
    lines = picture(UNITS[0] | {"markers": 2}, UNITS[1] | {"fort": 1}, forts=[(18.5, 8.5)])
    assert lines[0] == ".A" + "." * 18
    assert lines[4] == "." * 18 + "a."
    assert lines[5:] == [
        "a letter is 1 cm wide and 2 cm high",
        "first: A unit 0 6/6 D5 s2 at 1.5, 1.5",
        "second: a unit 1 4/4 D7 at 18.5, 8.5 in its fort",
    ]


def test_units_that_are_gone_leave_their_letter_free_to_nobody() -> None:
    gone = unit_of(0, (5.5, 1.5), 0, 5, status=DESTROYED)
    lines = picture(gone, UNITS[0], UNITS[1])
    assert lines[0] == ".B" + "." * 18


def test_two_units_in_the_ground_of_a_letter() -> None:
    lines = picture(UNITS[0], unit_of(0, (1.6, 1.0), 3, 5), UNITS[1])
    assert lines[0] == ".*" + "." * 18
    assert "A unit 0" in lines[-2] + lines[-3]


def test_a_side_without_units() -> None:
    assert picture(UNITS[0], UNITS[1] | {"status": DESTROYED})[-1] == "second: nobody"


def test_the_ground() -> None:
    setup = setup_of(UNITS, table=(20, 10))
    what = setup.ground.what
    what[2:4, 3], what[2:4, 5], what[2:4, 7] = DIFFICULT, DIFFICULT | TOWN, 2 * LEVEL_UNIT
    assert draw(setup.start, setup.ground, setup.names).splitlines()[1] == "...#.@.2" + "." * 12


@pytest.mark.parametrize(("kind", "letter"), [(CREST, "^"), (FORDABLE, "-"), (HARD, "%"), (UNFORDABLE, "~")])
def test_lines(kind: int, letter: str) -> None:
    assert picture(lines=[(kind, 0, (0.5, 5.0, 4.5, 5.0))])[2] == letter * 5 + "." * 15


def test_roads_bridges_and_forts() -> None:
    setup = setup_of(
        UNITS,
        table=(20, 10),
        lines=[(UNFORDABLE, 0, (8.5, 0.0, 8.5, 10.0))],
        nodes=[(0.5, 5.0, AT_EDGE), (5.5, 5.0, PLAIN), (12.5, 5.0, IN_TOWN)],
        roads=[(0, 1), (1, 2)],
        forts=[(15.5, 5.0)],
    )
    setup.ground.bridges, setup.ground.bridge[0] = 1, (8.5, 5.0)
    assert draw(setup.start, setup.ground, setup.names).splitlines()[2] == "o++++o++=+++@..$...."


@pytest.mark.parametrize("name", scenarios())
def test_every_scenario_fits_a_terminal(name: str) -> None:
    setup = compile_setup(load_rulebook("coloniale"), load_scenario(name))
    lines = draw(setup.start, setup.ground, setup.names).splitlines()
    assert max(len(line) for line in (*lines, *LEGEND)) <= COLUMNS
    scale = next(i for i, line in enumerate(lines) if line.startswith("a letter is"))
    assert scale <= ROWS
    assert all(len(line) == len(lines[0]) for line in lines[:scale])


def test_more_units_than_letters() -> None:
    units = [unit_of(0, (1.5 + i % 9 * 2, 1.5 + i // 9 * 2), 1, 5) for i in range(27)]
    lines = picture(*units, UNITS[1])
    assert lines[2].startswith(".S")
    assert "?" in "".join(lines[:5])
