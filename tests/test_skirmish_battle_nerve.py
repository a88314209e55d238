"""Morale and rally of the kernel against their exact odds; see `test_skirmish_battle_fire` for the error."""

from __future__ import annotations

from typing import Any

import pytest

from tests.skirmish_positions import NORDAMERICA, RISORGIMENTO, Figure, figure
from tests.skirmish_trials import ATTEMPT, RALLY, Trials, least_chance, trials
from wargamesim.games.skirmish.layout import (
    ACTIVATIONS,
    ACTS,
    BLUE,
    IN_PLAY,
    LEADER,
    OUT,
    PINNED,
    RALLIES,
    ROLES,
    ROUTED,
    ROUTS,
    STATUS,
    TRIES,
    WOUNDS,
    X,
    Y,
)
from wargamesim.games.skirmish.morale import modifier_of, morale, rally

FAMILY, COUNT = 1e-4, 20_000
BOOKS = {"nordamerica": NORDAMERICA, "risorgimento": RISORGIMENTO}


def company(grade: str, when: tuple[str, ...], marks: dict[int, int]) -> list[Figure]:
    """A figure, and who makes these circumstances true; an enemy far away."""
    group = [figure(50, 30, grade=grade, also={**marks, WOUNDS: int("wounded" in when)})]
    if "leader" in when:
        group.append(figure(64, 30, also={ROLES: LEADER}))
    if "alone" not in when:
        group.append(figure(50, 40, squad=1))
    return [*group, figure(5, 5, 1)]


def ends(done: Trials) -> list[int]:
    steady = done.count((STATUS, 0, IN_PLAY), (BLUE, 0, 0))
    return [steady, done.count((STATUS, 0, IN_PLAY), (BLUE, 0, 1)), done.count((STATUS, 0, ROUTED))]


@pytest.mark.parametrize("when", [(), ("leader",), ("wounded", "alone"), ("alone",), ("leader", "alone", "wounded")])
@pytest.mark.parametrize(("name", "grade"), [("nordamerica", "inexperienced"), ("risorgimento", "veteran")])
def test_tests_of_morale(name: str, grade: str, when: tuple[str, ...]) -> None:
    book = BOOKS[name]
    exact = morale(book, int(modifier_of(book, grade, when)))
    done = trials(ATTEMPT, company(grade, when, {BLUE: 1}), COUNT, book=book)
    assert least_chance(ends(done), COUNT, [float(exact.steady), float(exact.pinned), float(exact.rout)]) > FAMILY
    assert done.count((ACTS, 0, 1), (TRIES, 0, 1)) == COUNT
    pinned, routs = int(done.tallies[:, PINNED].sum()), int(done.tallies[:, ROUTS].sum())
    assert [pinned, routs] == ends(done)[1:]
    assert int(done.tallies[:, ACTIVATIONS].sum()) == COUNT
    if "alone" not in when:
        friend = len(company(grade, when, {})) - 2
        assert done.count((BLUE, friend, 1)) == routs


def test_a_failed_test_may_be_free() -> None:
    done = trials(
        ATTEMPT, company("militia", (), {BLUE: 1}), 500, book=RISORGIMENTO, changes={"RI-8.1": "free_attempt"}
    )
    assert done.count((ACTS, 0, 1)) == ends(done)[0]
    assert done.count((ACTS, 0, 0)) == 500 - ends(done)[0]


def test_no_marker_no_test() -> None:
    done = trials(ATTEMPT, company("regular", (), {}), 100)
    assert ends(done) == [100, 0, 0]


@pytest.mark.parametrize(("changes", "need"), [({}, "steady"), ({"NA-2.9": "not_routed"}, "not_routed")])
def test_rally(changes: dict[str, Any], need: str) -> None:
    book = NORDAMERICA.variant(changes)
    chance = float(rally(book, int(modifier_of(book, "regular", ("leader",)))))
    done = trials(RALLY, company("regular", ("leader",), {STATUS: ROUTED, BLUE: 1}), COUNT, book=book)
    back = done.count((STATUS, 0, IN_PLAY), (BLUE, 0, 0))
    assert least_chance([back], COUNT, [chance]) > FAMILY, need
    assert back == int(done.tallies[:, RALLIES].sum())
    assert back + done.count((STATUS, 0, OUT)) == COUNT
    assert done.places[:, [X, Y], 0].tolist() == [[50.0, 30.0]] * COUNT


@pytest.mark.parametrize(
    ("changes", "enemy", "place"),
    [
        ({}, (50.0, 25.5), (50.866, 30.5)),
        ({"NA-2.10": "own_edge"}, (5.0, 5.0), (50.0, 59.0)),
    ],
)
def test_where_they_come_back(changes: dict[str, Any], enemy: tuple[float, float], place: tuple[float, float]) -> None:
    """The nearest place 5 cm from enemies, in rings of 1 cm and sixteenths of a circle; or their edge (NA-2.10)."""
    group = [figure(50, 30, also={STATUS: ROUTED}), figure(90, 50), figure(*enemy, 1)]
    done = trials(RALLY, group, 200, changes={**changes, "rally.need": -9})
    assert done.count((STATUS, 0, IN_PLAY)) == 200
    x, y = done.places[0, [X, Y], 0].tolist()
    if changes:
        assert (x, y) == place
    else:
        # Ring 1: due south is the first of the sixteen (east first, then clockwise) that is 5 cm away.
        away = ((x - 50) ** 2 + (y - 25.5) ** 2) ** 0.5
        assert away >= 5.0
        assert ((x - 50) ** 2 + (y - 30) ** 2) ** 0.5 == pytest.approx(1.0)
