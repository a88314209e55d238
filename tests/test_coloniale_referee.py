"""Whole battles by the referee: start, phases and their order, nights, who begins, words and pictures."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.coloniale_battles import STILL, STORM, rulebook_with, setup_of, unit_of
from tests.coloniale_positions import all_faces, two
from wargamesim.errors import IllegalAction
from wargamesim.games.coloniale import orders
from wargamesim.games.coloniale.layout import (
    ACTION,
    BATTERY,
    CAVALRY,
    INFANTRY,
    PHASE_B,
    PHASE_C,
    PHASE_D,
    PHASE_E,
    T_BEGINS,
    T_DRAWN,
    T_NIGHT,
    T_RESULT,
    T_TURN_END,
    UNIT,
)
from wargamesim.games.coloniale.referee import Battle, judge_battle, referee
from wargamesim.games.coloniale.scenario import compile_setup, load_scenario
from wargamesim.report.replay import replay_lines
from wargamesim.rulebook import load_rulebook

IDS = set(Path(__file__).with_name("coloniale_ids.txt").read_text("utf-8").split())
KEY = 1896


def rows(judged: Any, *kinds: int) -> list[tuple[int, ...]]:
    return [row for row in judged["trace"] if row[1] in kinds]


def apart(**more: Any) -> Any:
    """Two units far from each other whose players do nothing."""
    return setup_of(two(apart=100.0), more.pop("rulebook", None), doctrines=(STILL, STILL), **{"turns": 3} | more)


@pytest.mark.parametrize(
    ("quality", "arm", "more", "seen"),
    [
        (0, INFANTRY, {}, {3: 2, 4: 2}),
        (0, CAVALRY, {}, {4: 1, 5: 2, 6: 1}),
        (0, BATTERY, {}, {3: 4}),
        (0, INFANTRY, {"fanatic": 1}, {5: 2, 6: 2}),
        (1, BATTERY, {}, {4: 2, 5: 2}),
        (2, CAVALRY, {}, {8: 1, 9: 2, 10: 1}),
        (2, INFANTRY, {"fanatic": 1, "veteran": 1}, {10: 4}),
        (2, CAVALRY, {"veteran": 1}, {9: 1, 10: 3}),
    ],
)
def test_disciplines_are_drawn_as_the_rules_say(
    quality: int, arm: int, more: Any, seen: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: Counter[int] = Counter()  # CO-11.6
    units = [unit_of(0, (9.0, 9.0), 2, 0, quality=quality, arm=arm, **more), unit_of(1, (90.0, 90.0), 2, 6)]
    for faces in all_faces((2, 2)):
        battle = Battle(setup_of(units), KEY, 0, draws=False)
        monkeypatch.setattr(battle.course, "roll", lambda *event, faces=faces: faces[event[2]])
        battle._draw_disciplines()
        table = battle.course.table
        drawn[int(table.disc[0])] += 1
        assert table.disc0[0] == table.disc[0]
        assert table.disc[1] == 6
        assert battle.course.trace == [(0, T_DRAWN, 0, table.disc[0], *(-1,) * 8)]
    assert drawn == seen


def test_the_phases_of_a_day_and_of_a_night() -> None:
    judged = judge_battle(apart(night_from=2, rulebook=rulebook_with({"night.turns": [1]})), KEY, 0)
    assert [row[2] for row in rows(judged, T_BEGINS) if row[0] == 1] == [PHASE_B, PHASE_C, PHASE_D, PHASE_E]
    assert [row[2] for row in rows(judged, T_BEGINS) if row[0] == 2] == [PHASE_C], "rally and assaults alone"
    assert [row[2] for row in rows(judged, T_BEGINS) if row[0] == 3] == [PHASE_B, PHASE_C, PHASE_D, PHASE_E]
    assert [row[:3] for row in rows(judged, T_NIGHT)] == [(2, T_NIGHT, 1)]
    assert [row[0] for row in rows(judged, T_TURN_END)] == [1, 2, 3]


def test_a_night_lasts_four_or_five_turns() -> None:
    for battle in range(4):
        judged = judge_battle(apart(turns=9, night_from=2), KEY, battle)
        turns = rows(judged, T_NIGHT)[0][2]
        dark = {row[0] for row in rows(judged, T_TURN_END)} - {
            row[0] for row in rows(judged, T_BEGINS) if row[2] == PHASE_B
        }
        assert turns in (4, 5)
        assert dark == set(range(2, 2 + turns))


def test_without_movement_there_are_no_moves() -> None:
    judged = judge_battle(apart(movement=0), KEY, 0)
    assert {row[2] for row in rows(judged, T_BEGINS)} == {PHASE_B, PHASE_C}


@pytest.mark.parametrize(("reading", "sides"), [("alternate", [1, 0, 1]), ("fixed", [1, 1, 1])])
def test_who_begins_a_phase(reading: str, sides: list[int]) -> None:
    judged = judge_battle(apart(first_side=1, rulebook=rulebook_with({"CO-P07": reading})), KEY, 0)
    assert [row[3] for row in rows(judged, T_BEGINS) if row[2] == PHASE_C] == sides


def test_a_coin_shows_both_sides() -> None:
    judged = judge_battle(apart(turns=20), KEY, 0)
    assert {row[3] for row in rows(judged, T_BEGINS)} == {0, 1}


def test_the_sides_play_their_units_by_turns() -> None:
    asked: list[int] = []

    class Asks:
        def can(self, unit: int) -> bool:
            return unit != 1

        def act(self, unit: int) -> None:
            asked.append(unit)

    units = [unit_of(int(unit > 2), (10.0 * unit + 9, 9.0), 2, 6) for unit in range(8)]
    setup = setup_of(units, rulebook_with({"CO-P07": "fixed"}), first_side=1)
    battle = Battle(setup, KEY, 0, draws=False)
    battle.course.table.status[4] = 1
    battle._take_turns(PHASE_B, Asks())
    assert asked == [3, 0, 5, 2, 6, 7]


def test_a_proposal_against_the_rules_is_refused_with_battle_and_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    def cheats(*arguments: Any) -> None:
        arguments[5].action[UNIT] = 1 - arguments[6]

    monkeypatch.setattr(orders, "assault", cheats)
    with pytest.raises(IllegalAction, match=r"CO-5\.1: .*\(battle 4, turn 1\)"):
        judge_battle(apart(), KEY, 4)


def test_a_battle_told() -> None:
    setup = compile_setup(load_rulebook("coloniale"), load_scenario("two_units"))
    events = list(referee(setup, KEY, 0))
    judged = judge_battle(setup, KEY, 0)
    assert {event.rule for event in events} <= IDS
    boards = [event for event in events if event.board]
    assert boards[0] is events[0]
    assert len(boards) == 1 + judged["turns"]
    assert all(len(line) <= 78 for event in boards for line in (event.board or "").splitlines())
    assert events[-1].text == f"outcome: {['first', 'second', 'draw', 'no decision'][judged['outcome']]}"
    assert judged["trace"][-1][:3] == (judged["turns"], T_RESULT, judged["outcome"])
    assert not any(re.search(r"\bunit -?\d", event.text) for event in events)
    assert max(map(len, replay_lines(events))) <= 80


def test_the_same_battle_is_always_the_same() -> None:
    setup = setup_of(two(), doctrines=(STORM, STORM))
    one, again, other = (judge_battle(setup, KEY, number) for number in (1, 1, 2))
    assert one["trace"] == again["trace"] != other["trace"]
    assert setup.start.unit[0, ACTION] == 0
    assert setup.start.turn == 0
