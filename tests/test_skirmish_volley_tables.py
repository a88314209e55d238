"""The three views of the question `volley`."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F

import numpy as np
import pytest

from wargamesim.errors import InputError
from wargamesim.games.skirmish import odds
from wargamesim.games.skirmish.salvo import worth
from wargamesim.games.skirmish.volley import shots, smallest_zone, volley
from wargamesim.rulebook import load_rulebook

NA, RI = load_rulebook("nordamerica"), load_rulebook("risorgimento")


def same(result: object, exact: object) -> None:
    np.testing.assert_allclose(np.asarray(result, float), np.asarray(exact, float), rtol=0, atol=1e-12)


def test_means_and_worth() -> None:
    table = odds.answer(NA, "volley", {"targets": "2,8", "man": "3", "distance": "30", "cover": "soft"})
    assert [(row["targets"], row["fire"]) for row in table.records()] == [
        *((2, "volley"), (2, "shots")),
        *((8, "volley"), (8, "shots")),
    ]
    for i, salvo in enumerate((volley(NA, 6, 8, "soft"), shots(NA, 6, 8, "musket", 30, cover="soft"))):
        row = table.records()[2 + i]
        same([row["out"], row["wounded"], row["marked"]], salvo.means)
        same([row["men"], row["activations"], row["worth"]], worth(NA, salvo.means, 3, 1))
    assert [row["better"] for row in table.records()] == [True, False, True, False]
    assert len(odds.answer(NA, "volley", {}).rows) == 24


def test_all_tests_and_morale() -> None:
    options = {"targets": "3", "morale": "-1", "tests": "all", "man": "7", "activation": "2"}
    row = odds.answer(NA, "volley", options).records()[0]
    same(row["worth"], worth(NA, volley(NA, 6, 3).means, 7, 2, modifier=-1, all_tests=True).worth)


def test_joint_distribution() -> None:
    table = odds.answer(NA, "volley", {"show": "joint", "targets": "2", "shooters": "7"})
    for fire, salvo in (("volley", volley(NA, 7, 2)), ("shots", shots(NA, 7, 2, "musket", 20))):
        rows = [row for row in table.rows if row[1] == fire]
        same(sum(row[-1] for row in rows), 1)
        for _, _, *end, chance in rows:
            same(chance, salvo.joint[tuple(end)])


def test_smallest_zones() -> None:
    table = odds.answer(
        NA, "volley", {"show": "zone", "distance": "20", "cover": "hard", "man": "1,9", "activation": "0:1"}
    )
    zones = smallest_zone(NA, 6, "musket", 20, [[1], [9]], [0, 1], cover="hard")
    assert [row[-1] for row in table.rows] == [int(zone) or None for zone in zones.ravel()]
    assert len(odds.answer(NA, "volley", {"show": "zone"}).rows) == 30


def test_shots_as_the_options_say() -> None:
    options = {"targets": "3", "weapon": "rifle", "quality": "veteran", "when": "unaimed", "modifier": "1"}
    table = odds.answer(NA, "volley", options | {"aim": "focus", "order": "close"})
    wanted = shots(
        *(NA, 6, 3, "rifle", 20), quality="veteran", when=["unaimed"], modifier=1, aim="focus", order="close"
    ).means
    same(table.rows[1][2:5], wanted)
    assert table.notes[0] == (
        "6 figures, rifle, veteran, cover open, unaimed, modifier +1; shots focus, targets in close order."
    )


def test_beyond_its_reach_there_is_no_volley() -> None:
    table = odds.answer(NA, "volley", {"distance": "31", "targets": "4"})
    assert [row[1] for row in table.rows] == ["shots"]
    assert "no effect beyond 30 cm" in table.notes[0]
    assert {row[-1] for row in odds.answer(NA, "volley", {"show": "zone", "distance": "31"}).rows} == {None}


def test_fumbles_are_told_where_they_happen() -> None:
    note = odds.answer(NA.variant({"NA-4.22": "both"}), "volley", {}).notes[0]
    assert f"hits {float(6 * F(5, 36)):.4f} of them" in note
    assert "friends in every arc" not in odds.answer(NA, "volley", {}).notes[0]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: odds.answer(RI, "volley", {}), "the rulebook 'risorgimento' has no volleys; it has"),
        (lambda: odds.answer(NA, "volley", {"show": "all"}), "--show: unknown view 'all'"),
        (lambda: odds.answer(NA, "volley", {"shooters": "5"}), "--shooters: must be from 6 to 12, not 5"),
        (lambda: odds.answer(NA, "volley", {"shooters": "6,7"}), "--shooters: takes one number, not several"),
        (lambda: odds.answer(NA, "volley", {"targets": "0"}), "--targets: must be from 1 to 12, not 0"),
        (lambda: odds.answer(NA, "volley", {"man": "-1"}), "--man: must be from 0 to 1000, not -1"),
        (lambda: odds.answer(NA, "volley", {"tests": "two"}), "--tests: unknown number of tests 'two'"),
    ],
)
def test_bad_input_names_the_option(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value).startswith(message)
