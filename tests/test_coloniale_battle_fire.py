"""Rally and fire of the kernel against the exact odds; sight, cover, forts and who begins."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.coloniale_battles import (
    SHOOT_AND_STORM,
    STILL,
    STORM_ONCE,
    assert_chances,
    assert_mean,
    play_one,
    rows_of,
    rulebook_with,
    setup_of,
    tally_of,
    unit_of,
)
from wargamesim.dice.pools import successes
from wargamesim.games.coloniale import battle
from wargamesim.games.coloniale.assault import Unit
from wargamesim.games.coloniale.clash import clash, preparation
from wargamesim.games.coloniale.discipline import generated, markers_in_long_run, rally
from wargamesim.games.coloniale.fire import guns, rifles
from wargamesim.games.coloniale.layout import (
    BATTERY,
    CANNON,
    CAVALRY,
    CREST,
    FIGURES_LEFT,
    FIRST,
    INFANTRY,
    LOST_TO_CANNONS,
    LOST_TO_RIFLES,
    MARKERS_LEFT,
    MARKERS_RALLIED,
    RIFLE,
    SECOND,
    T_BEGINS,
    T_DRAWN,
    T_FIRE,
    T_NIGHT,
    WON,
)
from wargamesim.rulebook import Rulebook

KEY, MANY = 1896, 3000
A, B = (100.0, 100.0), (100.0, 115.0)


def played(setup: Any, battles: int = MANY) -> Any:
    return battle.play(setup, KEY, 0, battles)[0]


@pytest.mark.parametrize("figures", [2, 4, 8])
@pytest.mark.parametrize("ground", ["open", "cover"])
def test_one_volley_has_the_exact_chances(figures: int, ground: str) -> None:
    units = [unit_of(0, A, figures, 6), unit_of(1, B, 4, 6, rifles=0)]
    difficult = [(90, 114, 110, 130)] if ground == "cover" else []
    records = played(setup_of(units, turns=1, difficult=difficult))
    exact = rifles(rulebook_with(), figures, ground, target=4)
    lost = tally_of(records, LOST_TO_RIFLES, SECOND)
    assert_chances(np.bincount(lost, minlength=exact.removed.p.size), exact.removed.p)
    assert (tally_of(records, MARKERS_LEFT, SECOND)[lost < 4] == 1).all()


@pytest.mark.parametrize(("y", "ground"), [(140, "open"), (160, "open"), (160, "cover"), (201, "open")])
@pytest.mark.parametrize("reading", ["ignores_cover", "six_in_cover"])
def test_a_cannon_shot_has_the_exact_chances(y: int, ground: str, reading: str) -> None:
    book = rulebook_with({"CO-P08": reading})
    units = [unit_of(0, A, 3, 6, arm=BATTERY), unit_of(1, (100.0, y), 8, 6, rifles=0)]
    difficult = [(90, y - 1, 110, y + 20)] if ground == "cover" else []
    records = played(setup_of(units, book, turns=1, difficult=difficult))
    exact = guns(book, y - 100, ground)
    lost = tally_of(records, LOST_TO_CANNONS, SECOND)
    assert_chances(np.bincount(lost, minlength=exact.removed.p.size), exact.removed.p)
    assert (tally_of(records, MARKERS_LEFT, SECOND) == int(exact.can_fire)).all()


@pytest.mark.parametrize("markers", [1, 3, 6])
@pytest.mark.parametrize("discipline", [3, 6, 10])
def test_a_rally_has_the_exact_chances(discipline: int, markers: int) -> None:
    units = [unit_of(0, A, 6, discipline, markers=markers, rifles=0), unit_of(1, (10, 10), 1, 6)]
    records = played(setup_of(units, turns=1, movement=0))
    exact = rally(rulebook_with(), discipline, markers)
    assert_chances(np.bincount(tally_of(records, MARKERS_RALLIED, FIRST), minlength=markers + 1), exact.p)


@pytest.mark.parametrize(("discipline", "fire"), [(6, 1), (10, 2), (9, 2)])
def test_markers_settle_as_in_the_long_run(discipline: int, fire: int) -> None:
    book = rulebook_with({"CO-P29": "suppressed"})
    units = [unit_of(0, (98.0 + 4 * n, 100), 1, 6) for n in range(fire)]
    units.append(unit_of(1, B, 4, discipline, rifles=0, fort=1))
    setup = setup_of(units, book, turns=60, movement=0, forts=[B])
    exact = markers_in_long_run(book, discipline, fire)
    assert_mean(tally_of(played(setup, 1500), MARKERS_LEFT, SECOND), float(exact))


def figures_after_fire(turns: int, one: int, other: int) -> Any:
    """Return the chance of each pair of figures after turns of fire in the open, both sides at the same time."""
    states = np.zeros((one + 1, other + 1))
    states[one, other] = 1.0
    for _ in range(turns):
        after = np.zeros_like(states)
        for (a, d), chance in np.ndenumerate(states):
            if a == 0 or d == 0:
                after[a, d] += chance
                continue
            by_a, by_d = (successes(min(5, n), 1 / 3).p for n in (a, d))
            for (hits, p), (others, q) in ((x, y) for x in enumerate(by_a) for y in enumerate(by_d)):
                after[max(a - others, 0), max(d - hits, 0)] += chance * p * q
        states = after
    return states


@pytest.mark.parametrize("turns", [1, 3])
def test_fire_is_simultaneous(turns: int) -> None:
    records = played(setup_of([unit_of(0, A, 6, 6), unit_of(1, B, 4, 6)], turns=turns, movement=0))
    counts = np.zeros((7, 5))
    np.add.at(counts, tuple(tally_of(records, FIGURES_LEFT, side) for side in (FIRST, SECOND)), 1)
    assert_chances(counts, figures_after_fire(turns, 6, 4))


def ends_of(records: Any) -> list[int]:
    """Count destroyed by fire, attacker won, defender won, both gone."""
    left, other = (tally_of(records, FIGURES_LEFT, side) for side in (FIRST, SECOND))
    won, lost = (tally_of(records, WON, side) == 1 for side in (FIRST, SECOND))
    shot = ~won & ~lost & ((left > 0) | (other > 0))
    return [shot.sum(), won.sum(), lost.sum(), (~won & ~lost & (left == 0) & (other == 0)).sum()]


def hold_preparation(volleys: int, ground: str, battles: int) -> None:
    units = [unit_of(0, (100, 101), 6, 6, rifles=0)]
    units += [unit_of(0, (94.0 + 3 * n, 97), 5, 3) for n in range(volleys)]
    units.append(unit_of(1, B, 6, 6, rifles=0))
    difficult = [(90, 114, 110, 130)] if ground == "cover" else []
    setup = setup_of(units, turns=1, difficult=difficult, doctrines=(SHOOT_AND_STORM, STILL))
    exact = preparation(rulebook_with(), volleys, Unit(6, 6), Unit(6, 6), ground)
    chances = [exact.shot_to_pieces, exact.attacker_wins, exact.defender_wins, exact.both_gone]
    records = played(setup, battles)
    won, lost = (tally_of(records, WON, side) == 1 for side in (FIRST, SECOND))
    shot = tally_of(records, LOST_TO_RIFLES, SECOND) == 6
    assert_chances([shot.sum(), won.sum(), lost.sum(), (~won & ~lost & ~shot).sum()], [float(c) for c in chances])


@pytest.mark.parametrize("ground", ["open", "cover"])
@pytest.mark.parametrize("volleys", [0, 1, 3])
def test_an_assault_prepared_by_fire_has_the_exact_chances(volleys: int, ground: str) -> None:
    hold_preparation(volleys, ground, MANY)


@pytest.mark.proof
@pytest.mark.parametrize("ground", ["open", "cover"])
@pytest.mark.parametrize("volleys", [0, 1, 3])
def test_an_assault_prepared_by_fire_has_the_exact_chances_in_many_battles(volleys: int, ground: str) -> None:
    hold_preparation(volleys, ground, 100_000)


def hold_clash(one: Unit, other: Unit, battles: int) -> None:
    """The attacker keeps its action for the assault, the defender fires first (CO-3.2)."""
    # A player whose unit is shot to pieces would let it fire after all: the attacker has no rifles.
    units = [
        unit_of(
            side,
            (100.0, 100.0 + 2 * side),
            int(unit.figures),
            int(unit.discipline),
            markers=int(unit.markers),
            rifles=side,
        )
        for side, unit in enumerate((one, other))
    ]
    records = played(setup_of(units, turns=1, movement=0, doctrines=(STORM_ONCE, STILL)), battles)
    exact = clash(rulebook_with(), 0, one, other)
    chances = [
        float(exact.attacker_shot),
        float(exact.attacker_wins),
        float(exact.defender_wins),
        float(exact.both_gone),
    ]
    assert_chances(ends_of(records), chances)
    assert_mean(tally_of(records, FIGURES_LEFT, FIRST), float(exact.attacker_figures))
    assert_mean(tally_of(records, FIGURES_LEFT, SECOND), float(exact.defender_figures))


CLASHES = [(Unit(6, 6), Unit(6, 6)), (Unit(3, 8, 4), Unit(5, 4, 2)), (Unit(8, 4, 1), Unit(4, 8, 5))]


@pytest.mark.parametrize(("one", "other"), CLASHES)
def test_a_clash_has_the_exact_chances(one: Unit, other: Unit) -> None:
    hold_clash(one, other, MANY)


@pytest.mark.proof
@pytest.mark.parametrize(("one", "other"), CLASHES)
def test_a_clash_has_the_exact_chances_in_many_battles(one: Unit, other: Unit) -> None:
    hold_clash(one, other, 100_000)


@pytest.mark.parametrize(
    ("quality", "arm", "more", "changes"),
    [
        (0, INFANTRY, {}, {}),
        (1, CAVALRY, {}, {}),
        (2, CAVALRY, {"veteran": 1}, {}),
        (2, CAVALRY, {}, {"CO-P04": "plus2"}),
        (0, BATTERY, {}, {}),
        (2, INFANTRY, {"veteran": 1, "fanatic": 1}, {}),
    ],
)
def test_a_discipline_is_drawn_with_the_exact_chances(
    quality: int, arm: int, more: dict[str, int], changes: dict[str, Any]
) -> None:
    book: Rulebook = rulebook_with(changes)
    units = [unit_of(0, A, 3, 0, arm=arm, quality=quality, **more), unit_of(1, (10, 10), 1, 6)]
    setup = setup_of(units, book, turns=1, movement=0)
    drawn = [rows_of(play_one(setup, KEY, number), T_DRAWN)[0][1] for number in range(400)]
    exact = generated(
        book,
        ("irregular", "regular", "elite")[quality],
        ("infantry", "cavalry", "battery")[arm],
        **dict.fromkeys(more, True),
    )
    assert_chances([drawn.count(d) for d in range(3, 11)], exact.equal_to(np.arange(3, 11)))


@pytest.mark.parametrize(
    ("more", "shots"),
    [
        ({}, [(RIFLE, 0)]),
        ({"lines": [(CREST, 0, (80, 108, 120, 108))]}, []),
        ({"lines": [(CREST, 0, (80, 101, 120, 101))]}, [(RIFLE, 0)]),  # the shooter stands on it
        ({"difficult": [(90, 105, 110, 110)]}, []),
        ({"difficult": [(90, 112, 110, 118)]}, [(RIFLE, 1)]),
        ({"difficult": [(60, 80, 140, 118)]}, []),  # the shooter is deep inside
        ({"difficult": [(90, 90, 110, 102)]}, [(RIFLE, 0)]),  # and here on the edge
        ({"difficult": [(90, 106, 110, 120)]}, []),  # the target is deep inside
    ],
)
def test_sight_and_cover(more: dict[str, Any], shots: list[tuple[int, int]]) -> None:
    played_one = play_one(setup_of([unit_of(0, A, 5, 6), unit_of(1, B, 4, 6, rifles=0)], turns=1, **more), KEY, 0)
    assert [(weapon, cover) for _, _, weapon, _, _, _, _, cover, *_ in rows_of(played_one, T_FIRE)] == shots


@pytest.mark.parametrize(("reading", "markers"), [("none", 0), ("suppressed", 1)])
def test_a_fort_keeps_rifles_out_and_not_cannons(reading: str, markers: int) -> None:
    units = [unit_of(0, A, 5, 6), unit_of(0, (90, 90), 3, 6, arm=BATTERY), unit_of(1, B, 4, 6, rifles=0, fort=1)]
    setup = setup_of(units, rulebook_with({"CO-P29": reading}), turns=1, movement=0, forts=[B])
    rows = [row for number in range(60) for row in rows_of(play_one(setup, KEY, number), T_FIRE)]
    assert {(row[5], row[6]) for row in rows if row[2] == RIFLE} <= {(0, markers)}
    assert {(row[4], row[6], row[7]) for row in rows if row[2] == CANNON} == {(3, 1, 2)}
    assert {row[5] for row in rows if row[2] == CANNON} == {0, 1}


@pytest.mark.parametrize(("reading", "sides"), [("fixed", {1}), ("alternate", {0, 1}), ("coin", {0, 1})])
def test_who_begins(reading: str, sides: set[int]) -> None:
    units = [unit_of(0, A, 5, 6), unit_of(1, (10, 10), 4, 6)]
    setup = setup_of(units, rulebook_with({"CO-P07": reading}), turns=6, first_side=1)
    rows = [row for row in play_one(setup, KEY, 0)["trace"] if row[1] == T_BEGINS]
    assert {row[3] for row in rows} == sides
    if reading == "alternate":
        assert all(row[3] == row[0] % 2 for row in rows)


def test_a_night_has_rally_and_assault_alone() -> None:
    units = [unit_of(0, A, 5, 6), unit_of(1, B, 4, 6)]
    setup = setup_of(units, turns=9, night_from=3)
    lengths = set()
    for number in range(30):
        one = play_one(setup, KEY, number)
        ((length, *_),) = rows_of(one, T_NIGHT) or [(0,)]
        lengths.add(length)
        dark = range(3, 3 + length)
        assert not any(row[0] in dark and row[1] == T_FIRE for row in one["trace"])
        assert all(row[2] == 2 for row in one["trace"] if row[1] == T_BEGINS and row[0] in dark)
    assert lengths - {0} == {4, 5}
