"""The tables of Stirling's questions: their numbers are those of the exact functions, and they fit a terminal."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest

from wargamesim.errors import InputError
from wargamesim.games.stirling import odds
from wargamesim.games.stirling.attack import losses, removed
from wargamesim.games.stirling.clash import clash
from wargamesim.games.stirling.morale import check, pass_chance
from wargamesim.games.stirling.split import shares, split
from wargamesim.games.stirling.units import Unit
from wargamesim.report.tables import table_lines
from wargamesim.rulebook import load_rulebook
from wargamesim.table import Table

EXACT = 1e-12
RULES = load_rulebook("stirling")


def asked(question: str, **options: str) -> list[dict[str, Any]]:
    return odds.answer(RULES, question, options).records()


def same(result: object, exact: object) -> None:
    np.testing.assert_allclose(np.asarray(result, float), np.asarray(exact, float), rtol=0, atol=EXACT)


@pytest.mark.parametrize("question", odds.questions)
def test_a_question_without_options_has_its_standard_table(question: str) -> None:
    table = odds.answer(RULES, question, {})
    assert table.title
    assert 3 <= len(table.rows) <= 20
    bare = Table(table.columns, table.rows)
    assert list(table_lines(bare, 80)) == list(table_lines(bare, 1000)), "its columns fit a terminal as they are"
    for row in table.rows:
        assert all(type(cell) in (int, float, str, type(None)) for cell in row)
    assert "NaN" not in table.to_json()


def test_attack() -> None:
    rows = asked("attack")
    assert {(row["men"], row["rolls"]) for row in rows} >= {(300, "unit"), (300, "man"), (20, "unit")}
    (unit, man) = asked("attack", men="300")
    same(
        [unit[name] for name in ("hit", "lost", "discard", "none removed")], [F(7, 20), F(427, 32), F(189, 16), 0.69375]
    )
    same(unit["forgotten"], 1 - F(189, 16) / F(427, 32))
    assert unit["lost sd"] == pytest.approx(21.588784, abs=5e-7)
    assert man["lost sd"] == pytest.approx(2.823598, abs=5e-7)


def test_attack_always_shows_both_remainders() -> None:
    for reading in ("discard", "carry", "exact"):
        rules = RULES.variant({"SS-P35": reading})
        row = odds.answer(rules, "attack", {"men": "300", "rolls": "unit"}).records()[0]
        same([row["discard"], row["lost"]], [F(189, 16), F(427, 32)])


def test_attack_by_side_and_distance() -> None:
    rows = asked("attack", men="300", rolls="unit", side="front,flank,rear", shield="1")
    same([row["hit"] for row in rows], [0.35, 0.4, 0.5])
    rows = asked("attack", men="300", rolls="unit", weapon="spear")
    assert [row["distance"] for row in rows] == [1, 2, 3, 4]
    assert [row["hit"] for row in rows] == [None, pytest.approx(0.25), pytest.approx(0.1), None]
    assert rows[0]["lost"] is rows[3]["discard"] is None


def test_attack_distribution() -> None:
    rows = asked("attack", men="300", rolls="unit", lost="0:80:1")
    exact = losses(RULES, 300, 20, 6, "1d8", 7)
    same([row["exactly"] for row in rows], exact.equal_to(np.arange(81)))
    same([row["at least"] for row in rows], exact.at_least(np.arange(81)))


def test_turn() -> None:
    rows = asked("turn")
    assert [(row["rate"], row["attacks"]) for row in rows] == [("1/2", 1), ("1", 2), ("3/2", 3), ("2", 4), ("3", 6)]
    assert [row["fewest men"] for row in rows] == [44, 22, 18, 14, 9]
    same(rows[1]["removed"], F(30877, 1280))
    rules = RULES.variant({"SS-P04": "alternate"})
    rows = odds.answer(rules, "turn", {"rate": "3/2"}).records()
    assert [(row["turn"], row["attacks"]) for row in rows] == [("1", 2), ("2", 4)]
    none = asked("turn", weapon="spear", distance="4")
    assert [row["removed"] for row in none] == [None] * 5


def test_turn_distribution() -> None:
    exact = removed(RULES, losses(RULES, 300, 20, 6, "1d8", 7), 2)
    rows = asked("turn", rate="1", removed="0:140:10")
    same([row["exactly"] for row in rows], exact.equal_to(np.arange(0, 141, 10)))
    same([row["at least"] for row in rows], exact.at_least(np.arange(0, 141, 10)))
    assert asked("turn", rate="1", removed="10", weapon="spear", distance="4")[0]["exactly"] is None


def test_clash() -> None:
    rows = asked("clash", men="300", enemy_men="200,100", leader="0", **{"enemy-leader": "16", "turns": "5,9"})
    assert [(row["enemy men"], row["turns"]) for row in rows] == [(200, 5), (200, 9), (100, 5), (100, 9)]
    ended = clash(RULES, Unit(), Unit(men=100, leader=16), turns=9)
    names = "wins", "by rout", "loses", "both lose", "sterile", "undecided", "fought", "men left"
    exact = ended.first_wins, ended.ends[0, 1], ended.second_wins, ended.both_lose, ended.sterile, ended.undecided
    same([rows[3][name] for name in names], [*exact, ended.turns, ended.first_left])


def test_clash_without_morale_and_with_a_charge() -> None:
    row = asked("clash", men="300", enemy_men="200", morale="no", leader="0")[0]
    assert row["wins"] == pytest.approx(0.95148181, abs=5e-9)
    assert row["by rout"] == 0
    lance = asked("clash", charge="yes", lance="yes", length="2", enemy_length="1", enemy_men="200")[0]
    ended = clash(
        RULES, Unit(men=200, leader=10, length=2, lance=True), Unit(men=200, leader=10, length=1), charge=True
    )
    same([lance["wins"], lance["men left"]], [ended.first_wins, ended.first_left])


def test_clash_takes_hit_points_from_the_rulebook() -> None:
    frail = RULES.variant({"units.hp.chosen": 5})
    rows = [odds.answer(rules, "clash", {"enemy_men": "200"}).records()[0] for rules in (RULES, frail)]
    assert rows[0]["fought"] > rows[1]["fought"] + 0.1


def test_morale() -> None:
    rows = asked("morale", quality="common", leader="15", commander="14", situation="lost_half,outnumbered")
    exact = check(RULES, "common", 15, 14, ["lost_half", "outnumbered"])
    same([rows[0][name] for name in ("holds", "leader routs", "routs")], exact)
    assert (rows[0]["troops need"], rows[0]["leader needs"]) == (17, 17)
    same([rows[0]["recovers"], rows[0]["tries"]], [F(85, 100), F(100, 85)])
    alone = asked("morale", quality="levy", leader="0")[0]
    assert (alone["leader needs"], alone["recovers"], alone["tries"]) == (None, 0, None)


def test_morale_by_target() -> None:
    rows = asked("morale", target="-1:21:1")
    same([row["passes"] for row in rows], pass_chance(RULES, np.arange(-1, 22)))


def test_split() -> None:
    row = asked("split", friends="170", friend_hp="6", enemy_hp="6", attacks="1", enemy_large="no")[0]
    lost = split(RULES, 100, 20, "1d6", shares(RULES, 170, 450), friend_ac=6, friend_hp=6, enemy_ac=6, enemy_hp=6)
    assert (row["friend share"], row["enemy share"]) == (1, 3)
    same([row["friends lost"], row["enemies lost"]], [part.mean() for part in lost])
    same(row["friends per enemy"], lost.friend_lost.mean() / lost.enemy_lost.mean())
    same(row["enemies removed"], removed(RULES, lost.enemy_lost).mean())
    near, far = asked("split", weapon="long_bow", distance="10,30", friends="170")
    assert near["enemies lost"] < asked("split", friends="170")[0]["enemies lost"]
    assert far["enemies lost"] is None
    large = asked("split", friends="50", friend_large="yes", enemies="300")[0]
    assert (large["friend share"], large["enemy share"]) == (1, 3)
    assert asked("split", thac0="60", friends="900", enemies="1")[0]["friends per enemy"] is None


def test_other_readings_are_answered_and_named() -> None:
    rules = RULES.variant({"SS-P15": "both_floor", "SS-P35": "carry", "SS-P47": "either"})
    assert odds.answer(rules, "split", {"friends": "170"}).records()[0]["enemy share"] == 2
    for question, words in (("split", "SS-P15: both_floor"), ("turn", "SS-P35: carry"), ("clash", "SS-P47 either")):
        options = {"enemy-men": "30", "men": "30"} if question == "clash" else {}
        assert any(words in note for note in odds.answer(rules, question, options).notes), question


def test_exact_answers_load_nothing_heavy() -> None:
    code = (
        "import sys; from wargamesim.rulebook import load_rulebook; from wargamesim.games.stirling import odds\n"
        "for question in odds.questions: odds.answer(load_rulebook('stirling'), question, {})\n"
        "sys.exit(', '.join({'numba', 'scipy', 'pandas', 'matplotlib', 'pyarrow'} & set(sys.modules)) or 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: asked("atack"),
            "unknown question 'atack'; did you mean 'attack'? Known: attack, clash, morale, split",
        ),
        (lambda: asked("attack", armour="6"), "unknown option 'armour'"),
        (lambda: asked("attack", men="-1"), "--men: must be from 0 to 10000, not -1"),
        (lambda: asked("attack", hp="0"), "--hp: must be from 1 to 10000, not 0"),
        (lambda: asked("attack", ac="200"), "--ac: must be from -100 to 100, not 200"),
        (lambda: asked("attack", damage="8"), "--damage: '8' is no damage; write 1d8 or 2d6+1"),
        (lambda: asked("attack", distance="8"), "--distance: is for a shot: say --weapon too"),
        (lambda: asked("attack", weapon="spear", shield="1"), "--shield: a shot knows no sides and no shields"),
        (lambda: asked("attack", weapon="musket"), "--weapon: unknown weapon 'musket'"),
        (lambda: asked("attack", rolls="both"), "--rolls: unknown kind of roll 'both'"),
        (lambda: asked("turn", lost="3"), "unknown option 'lost'"),
        (lambda: asked("turn", rate="often"), "--rate: 'often' is no rate of attacks"),
        (lambda: asked("clash", enemy_men="205"), "--enemy-men: must be a multiple of 10 (SS-P02), not 205"),
        (lambda: asked("clash", **{"enemy-men": "10", "enemy_men": "20"}), "--enemy-men: is given twice, in two spell"),
        (lambda: asked("clash", morale="maybe"), "--morale: unknown answer 'maybe'"),
        (lambda: asked("clash", turns="-1"), "--turns: must be from 0 to 1000, not -1"),
        (
            lambda: asked("clash", men="10:2000:10", enemy_men="10:100:10"),
            "the options combine to more than 1,000 rows",
        ),
        (lambda: asked("morale", target="12", leader="3"), "--target: stands alone"),
        (lambda: asked("morale", situation="hunger"), "--situation: unknown situation 'hunger'"),
        (lambda: asked("morale", leader="20"), "--leader: must be from 0 to 19, not 20"),
        (lambda: asked("split", friends="0"), "--friends: must be from 1 to 10000, not 0"),
        (lambda: asked("split", side="rear"), "unknown option 'side'"),
    ],
)
def test_bad_input_names_the_option(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value).startswith(message)
