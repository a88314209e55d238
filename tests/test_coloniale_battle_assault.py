"""Assaults and pursuits of the kernel, two units in contact that do not move, against the exact odds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.coloniale_battles import (
    PURSUE,
    STILL,
    STORM,
    STORM_ONCE,
    assert_chances,
    assert_mean,
    in_contact,
    play_one,
    rows_of,
    rulebook_with,
    setup_of,
    tally_of,
    unit_of,
)
from wargamesim.games.coloniale import battle
from wargamesim.games.coloniale.assault import Unit, assault
from wargamesim.games.coloniale.layout import (
    ASSAULTS,
    CAVALRY,
    CHOSEN,
    DEFENDER_WON,
    DESTROYED,
    DESTRUCTIONS,
    FALLS,
    FIGURES_LEFT,
    FIRST,
    FORCED_BACK,
    IN_PLAY,
    LOST_TO_DEFEAT,
    MARKERS_LEFT,
    NO_WINNER,
    PURSUIT,
    PURSUITS,
    RISES,
    SECOND,
    T_AFTER,
    T_ASSAULT,
    UNFORDABLE,
    WON,
)
from wargamesim.games.coloniale.pursuit import pursuit

KEY = 1881

# Rulebook, attacker, defender (figures, discipline, markers), ground of the defender.
CASES: dict[str, tuple[dict[str, Any], tuple[int, int, int], tuple[int, int, int], str]] = {
    "body": ({}, (6, 6, 0), (6, 6, 0), "open"),
    "summary": ({"CO-5.2": "summary"}, (6, 6, 0), (6, 6, 0), "open"),
    "strict": ({"CO-5.2": "summary_strict"}, (6, 6, 0), (6, 5, 0), "open"),
    "unlike": ({}, (8, 4, 1), (4, 8, 3), "open"),
    "few": ({}, (1, 6, 0), (1, 6, 0), "open"),
    "fort": ({}, (8, 8, 0), (4, 5, 2), "fort"),
    "summary fort": ({"CO-5.2": "summary"}, (5, 8, 0), (6, 5, 3), "fort"),
    "attacker": ({"CO-P16": "attacker"}, (6, 6, 0), (6, 6, 0), "open"),
    "draw": ({"CO-P16": "draw"}, (6, 6, 0), (6, 6, 0), "open"),
    "reroll": ({"CO-P16": "reroll"}, (6, 6, 0), (6, 6, 1), "open"),
    "strict reroll": ({"CO-P16": "reroll", "CO-5.2": "summary_strict"}, (5, 6, 0), (5, 6, 0), "open"),
    "values": ({"CO-P15": "values_decide"}, (2, 5, 0), (1, 6, 0), "open"),
    "values drawn": ({"CO-P15": "values_decide", "CO-P16": "draw"}, (2, 5, 0), (2, 5, 0), "open"),
    "losers test": ({"CO-P17": "loser_only"}, (6, 6, 0), (5, 7, 0), "open"),
    "nobody tests": ({"CO-P17": "none"}, (6, 6, 0), (5, 7, 0), "open"),
    "top": ({}, (6, 10, 0), (6, 10, 0), "open"),
    "bottom": ({"CO-P02": "generation_only"}, (6, 3, 0), (6, 3, 0), "open"),
    "more at stake": (
        {"assault.loser_figures": 2, "assault.test.winner_gain": 2, "assault.test.loser_need": 3},
        (6, 6, 0),
        (6, 6, 0),
        "open",
    ),
    "attackers pursue": ({"CO-P20": "attacker_only"}, (5, 6, 0), (5, 7, 0), "open"),
}


def clash_of(case: str, **more: Any) -> Any:
    changes, one, other, ground = CASES[case]
    place = (102.0, 100.0)
    first, second = (dict(zip(("figures", "discipline", "markers"), unit, strict=True)) for unit in (one, other))
    if ground == "fort":
        second["fort"] = 1
    # Nobody rallies before the assault.
    return in_contact(
        first, second, rulebook_with({**changes, "rally.need": 7}), forts=[place] * (ground == "fort"), **more
    )


def hold_one_assault(case: str, battles: int) -> None:
    changes, one, other, ground = CASES[case]
    records, _ = battle.play(clash_of(case, doctrines=(STORM_ONCE, STILL)), KEY, 0, battles)
    exact = assault(rulebook_with(changes), Unit(*one), Unit(*other), ground)
    left = [tally_of(records, FIGURES_LEFT, side) for side in (FIRST, SECOND)]
    won = [tally_of(records, WON, side) for side in (FIRST, SECOND)]
    nobody = 2 + (np.minimum(*left) > 0) if changes.get("CO-P15") is None else np.full(battles, 3)
    winner = np.where(won[0] == 1, 0, np.where(won[1] == 1, 1, nobody))
    counts = np.zeros_like(exact.left)
    np.add.at(counts, (winner, *left), 1)
    assert_chances(counts, exact.left)
    for side, mine, before in ((FIRST, exact.attacker, one), (SECOND, exact.defender, other)):
        change = tally_of(records, RISES, side), tally_of(records, FALLS, side)
        down, up = mine.change.at_most(-1), mine.change.at_least(1)
        assert_chances([change[0].sum(), battles - change[0].sum()], [up, 1 - up])
        assert_chances([change[1].sum(), battles - change[1].sum()], [down, 1 - down])
        # Only the survivors' markers are counted in the end.
        standing = left[side] > 0
        more = tally_of(records, MARKERS_LEFT, side)[standing] - before[2]
        assert set(more.tolist()) <= {1, 3}
    assert (tally_of(records, ASSAULTS, FIRST) == 1).all()


@pytest.mark.parametrize("case", CASES)
def test_an_assault_has_the_exact_chances(case: str) -> None:
    hold_one_assault(case, 4000)


@pytest.mark.proof
@pytest.mark.parametrize("case", CASES)
def test_an_assault_has_the_exact_chances_in_many_battles(case: str) -> None:
    hold_one_assault(case, 100_000)


def hold_a_pursuit(case: str, battles: int) -> None:
    changes, one, other, ground = CASES[case]
    records, _ = battle.play(clash_of(case, doctrines=(STORM, PURSUE)), KEY, 0, battles)
    exact = pursuit(rulebook_with(changes), Unit(*one), Unit(*other), ground)
    first, second = (tally_of(records, FIGURES_LEFT, side) for side in (FIRST, SECOND))
    gone = first == 0, second == 0
    counts = [(gone[0] & ~gone[1]).sum(), (gone[1] & ~gone[0]).sum(), (gone[0] & gone[1]).sum()]
    counts.append(battles - sum(counts))
    assert_chances(counts, [exact.attacker_gone, exact.defender_gone, exact.both_gone, exact.both_left])
    assert_mean(first, float(exact.attacker_figures))
    assert_mean(second, float(exact.defender_figures))
    made = sum(tally_of(records, what, side) for what in (ASSAULTS, PURSUITS) for side in (FIRST, SECOND))
    assert_mean(made, float(exact.assaults))


@pytest.mark.parametrize("case", CASES)
def test_a_pursuit_ends_with_the_exact_chances(case: str) -> None:
    hold_a_pursuit(case, 3000)


@pytest.mark.proof
@pytest.mark.parametrize("case", CASES)
def test_a_pursuit_ends_with_the_exact_chances_in_many_battles(case: str) -> None:
    hold_a_pursuit(case, 100_000)


def test_nobody_pursues_at_night() -> None:
    records, _ = battle.play(clash_of("body", doctrines=(STORM, PURSUE), night_from=1), KEY, 0, 300)
    assert tally_of(records, PURSUITS, FIRST).sum() == tally_of(records, PURSUITS, SECOND).sum() == 0


def test_a_loser_falls_back_and_an_attacker_takes_the_place() -> None:
    units = [unit_of(0, (100, 100), 6, 6, rifles=0), unit_of(1, (100, 110), 6, 6, rifles=0)]
    setup = setup_of(units, turns=1, doctrines=(STORM_ONCE, STILL))
    seen = set()
    for number in range(40):
        played = play_one(setup, KEY, number)
        ((_, _, _, _, _, _, _, _, _, winner),) = rows_of(played, T_ASSAULT)
        after = rows_of(played, T_AFTER)
        places = [row[4:6] for row in after]
        if any(row[6] != IN_PLAY for row in after):
            continue
        expected = [(100_000, 88_000), (100_000, 110_000)]
        if winner != DEFENDER_WON:
            expected = [(100_000, 110_000), (100_000, 130_000)]
        assert places == expected
        seen.add(winner)
    assert len(seen) == 2


@pytest.mark.parametrize(("stops", "y"), [("removed", 12_000), ("stops", 500)])
def test_the_table_ends_a_way_back(stops: str, y: int) -> None:
    units = [unit_of(0, (100, 4), 6, 3, rifles=0), unit_of(1, (100, 14), 1, 10, rifles=0)]
    setup = setup_of(units, rulebook_with({"CO-P18": stops, "assault.need": 7}), turns=1, doctrines=(STORM_ONCE, STILL))
    beaten = [
        played for played in (play_one(setup, KEY, n) for n in range(30)) if rows_of(played, T_ASSAULT)[0][9] == 1
    ]
    assert beaten
    for played in beaten:
        unit, figures, _, _, _, there, status, _, _, _ = rows_of(played, T_AFTER)[0]
        assert (unit, status) == (0, DESTROYED if stops == "removed" else IN_PLAY)
        assert figures == (0 if stops == "removed" else 5)
        # Who is removed lies where it was beaten.
        assert there == y


@pytest.mark.parametrize(("stops", "left"), [("removed", 0), ("stops", 5)])
def test_water_ends_a_way_back(stops: str, left: int) -> None:
    units = [unit_of(0, (100, 100), 6, 3, rifles=0), unit_of(1, (100, 110), 1, 10, rifles=0)]
    setup = setup_of(
        units,
        rulebook_with({"CO-P18": stops, "assault.need": 7}),
        turns=1,
        doctrines=(STORM_ONCE, STILL),
        lines=[(UNFORDABLE, 0, (0, 95, 256, 95))],
    )
    played = next(p for p in (play_one(setup, KEY, n) for n in range(30)) if rows_of(p, T_ASSAULT)[0][9] == 1)
    row = rows_of(played, T_AFTER)[0]
    assert row[1] == left
    if left:
        assert row[4:6] == (100_000, 95_500)
    assert played["tally"][LOST_TO_DEFEAT] == (6 if left == 0 else 1)
    assert played["tally"][DESTRUCTIONS] == (1 if left == 0 else 0)


@pytest.mark.parametrize("order", ["before_pursuit", "after_pursuit"])
def test_who_falls_back_into_an_enemy_assaults_it(order: str) -> None:
    # The first unit of the second side is driven straight into the last of the first.
    units = [
        unit_of(0, (100, 100), 8, 10, rifles=0),
        unit_of(0, (100, 125), 8, 3, rifles=0, arm=CAVALRY),
        unit_of(1, (100, 110), 8, 3, rifles=0),
    ]
    setup = setup_of(units, rulebook_with({"CO-P19": order, "assault.need": 7}), turns=1, doctrines=(STORM, STILL))
    kinds = set()
    for number in range(30):
        rows = rows_of(play_one(setup, KEY, number), T_ASSAULT)
        assert rows[0][:3] == (0, 2, CHOSEN)
        if rows[0][9] == 0 and len(rows) > 1:
            kinds.add(rows[1][:3])
    assert kinds == {(2, 1, FORCED_BACK) if order == "before_pursuit" else (0, 2, PURSUIT)}


def test_a_draw_sends_the_attacker_back() -> None:
    book = rulebook_with({"CO-P16": "draw", "CO-5.2": "summary_strict", "assault.need": 7})
    units = [unit_of(0, (100, 100), 6, 6, rifles=0), unit_of(1, (100, 110), 6, 6, rifles=0)]
    played = play_one(setup_of(units, book, turns=1, doctrines=(STORM, PURSUE)), KEY, 0)
    ((*_, winner),) = rows_of(played, T_ASSAULT)
    assert winner == NO_WINNER or rows_of(played, T_ASSAULT)[0][9] == NO_WINNER
    first, second = rows_of(played, T_AFTER)
    assert first[:6] == (0, 6, 6, 1, 100_000, 88_000)
    assert second[:6] == (1, 6, 6, 1, 100_000, 110_000)
