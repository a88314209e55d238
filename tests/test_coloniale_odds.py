"""The questions of Coloniale: their tables, options and errors, and what they load."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest

from wargamesim.errors import InputError
from wargamesim.games.coloniale import odds
from wargamesim.report.tables import table_lines
from wargamesim.rulebook import load_rulebook

EXACT = 1e-12
RULES = load_rulebook("coloniale")
PRESETS = ["body", "summary", "summary_strict"]


def ask(question: str, **options: str) -> list[dict[str, object]]:
    return odds.answer(RULES, question, options).records()


def column(rows: list[dict[str, object]], name: str) -> list[float]:
    return [row[name] for row in rows]  # type: ignore[misc]


def same(result: object, exact: object) -> None:
    np.testing.assert_allclose(np.asarray(result, float), np.asarray(exact, float), rtol=0, atol=EXACT)


@pytest.mark.parametrize(
    ("question", "options", "rows"),
    [
        ("discipline", {}, 20),
        ("discipline", {"quality": "elite", "arm": "cavalry", "veteran": "no,yes"}, 5),
        ("rally", {}, 24),
        ("rally", {"discipline": "6", "markers": "0:8:2"}, 5),
        ("rally", {"fire": "1:3"}, 24),
        ("rifles", {}, 16),
        ("rifles", {"figures": "5", "distance": "20,30", "ground": "open,cover,fort"}, 6),
        ("rifles", {"figures": "8", "target": "1:4", "ground": "cover"}, 4),
        ("rifles", {"figures": "3", "targets": "1:5"}, 10),
        ("guns", {}, 12),
        ("guns", {"distance": "10:120:10", "ground": "cover"}, 12),
        ("assault", {}, 6),
        ("assault", {"preset": "summary", "attackers": "1:8", "defender-markers": "0,3"}, 32),
        ("assault", {"show": "losses"}, 6),
        ("assault", {"show": "losses", "attackers": "2,8", "defenders": "3", "ground": "fort"}, 12),
        ("assault", {"show": "preparation"}, 24),
        ("assault", {"show": "preparation", "volleys": "0,5", "ground": "cover", "preset": "body"}, 2),
        ("assault", {"show": "pursuit"}, 3),
        ("march", {}, 6),
        ("march", {"arm": "battery", "ground": "difficult"}, 2),
        ("march", {"show": "reach"}, 20),
        ("march", {"show": "reach", "arm": "cavalry", "turns": "2", "junctions": "0:3", "distance": "100"}, 4),
        ("march", {"show": "legs"}, 16),
        ("march", {"show": "heading"}, 14),
        ("clash", {}, 6),
        ("clash", {"fire": "0:2", "preset": "body,summary", "ground": "cover,open"}, 12),
    ],
)
def test_tables(question: str, options: dict[str, str], rows: int) -> None:
    table = odds.answer(RULES, question, options)
    assert len(table.rows) == rows
    assert table.title
    assert "NaN" not in table.to_json()
    for row in table.rows:
        assert all(type(cell) in (int, float, str, type(None)) for cell in row)
    if not options or set(options) == {"show"}:
        assert max(map(len, table_lines(table, 80))) <= 80
        assert table.columns.count("preset") == (question == "assault")


def test_every_question_has_a_standard_table() -> None:
    assert odds.questions == ("discipline", "rally", "rifles", "guns", "assault", "march", "clash")


def test_tables_say_what_the_functions_say() -> None:
    rows = ask("discipline", quality="regular", arm="cavalry")
    same(column(rows, "exactly"), [0.25, 0.5, 0.25])
    same(column(rows, "at least"), [1, 0.75, 0.25])
    rows = ask("rally", discipline="3,6", markers="3")
    removed = odds.rally(RULES, [3, 6], 3)
    same(column(rows, "none removed"), removed.equal_to(0))
    same(column(rows, "all removed"), removed.at_least(3))
    same(column(rows, "mean removed"), removed.mean())
    assert [row["markers in the long run"] is None for row in ask("rally", discipline="3,4", fire="1")] == [True, False]
    row = ask("rifles", figures="4", ground="cover")[0]
    same([row[str(k)] for k in range(5)], odds.rifles(RULES, 4, "cover").removed.equal_to(range(5)))
    assert ask("rifles", figures="4", targets="3")[0]["markers"] == 3
    assert column(ask("rifles", figures="8", distance="20,21", ground="open"), "markers") == [1, 0]
    rows = ask("guns", distance="30,130")
    assert column(rows, "rifle dice")[2] is None, "rifles cannot hurt a garrison"
    same(column(rows, "hit"), [2 / 3] * 3 + [0] * 3)
    same([column(rows, "rifle dice")[i] for i in (0, 1, 3)], [2, 4, 0])


def test_assault_table() -> None:
    rows = ask("assault", attackers="5", defender_discipline="7", ground="fort", advantage="yes")
    assert column(rows, "preset") == [name for name in PRESETS for _ in range(2)]
    for name, attacking, defending in zip(PRESETS, rows[::2], rows[1::2], strict=True):
        end = odds.assault(odds.preset(RULES, name), odds.Unit(5, 6), odds.Unit(6, 7), "fort", advantage=True)
        for row, side in ((attacking, end.attacker), (defending, end.defender)):
            found = [row[what] for what in ("wins", "losses", "gone", "markers", "rises", "falls")]
            change = (side.change.more_than(0), side.change.less_than(0))
            same(found, [side.wins, side.losses.mean(), side.gone, side.markers.mean(), *change])
    losses = ask("assault", show="losses", defenders="3", preset="body")
    side = odds.assault(RULES, odds.Unit(6, 6), odds.Unit(3, 6)).defender
    same([losses[1][str(k)] for k in range(7)], side.losses.equal_to(range(7)))


def test_other_views_of_an_assault() -> None:
    units = odds.Unit(6, 6), odds.Unit(6, 6)
    rows = ask("assault", show="preparation", volleys="2", preset="summary", ground="open")
    end = odds.preparation(odds.preset(RULES, "summary"), 2, *units)
    found = [rows[0][name] for name in ("shot to pieces", "assault won", "beaten", "assault lost", "neither")]
    same(found, [end.shot_to_pieces, end.attacker_wins, end.defender_beaten, end.defender_wins, end.both_gone])
    row = ask("assault", show="pursuit", preset="body")[0]
    same(list(row.values())[1:], odds.pursuit(RULES, *units))


def test_march_tables() -> None:
    rows = ask("march")
    same(column(rows, "length")[:2], [55, 72.5])
    assert [(row["least"], row["most"]) for row in rows] == [
        (30, 80),
        (35, 110),
        (30, 60),
        (30, 60),
        (30, 90),
        (30, 90),
    ]
    ends = odds.off_road(RULES, "cavalry", "difficult")
    same(rows[-1]["sideways"], np.sqrt(ends.mean(ends.sideways**2)))
    same(rows[-1]["drift"], ends.mean(ends.drifted))
    same(column(ask("march", show="reach", turns="2", distance="100", junctions="1"), "reached")[0], 2 / 3 * 493 / 648)
    same(column(ask("march", show="heading", ground="open"), "chance"), np.array([1, 22, 207, 1268, 207, 22, 1]) / 1728)
    same(column(ask("march", show="legs", ground="difficult", arm="infantry"), "chance"), [0.5, 0.25, 0.125, 0.125])


def test_clash_table() -> None:
    row = ask("clash", fire="2", ground="cover", preset="summary")[0]
    end = odds.clash(odds.preset(RULES, "summary"), 2, odds.Unit(6, 6), odds.Unit(6, 6), "cover")
    same(row["taken"], end.defender_shot + end.attacker_wins)
    same(row["held"], end.attacker_shot + end.defender_wins)
    same(sum(float(row[name]) for name in ("taken", "held", "neither")), 1)  # type: ignore[arg-type]
    same([row["attackers left"], row["defenders left"]], [end.attacker_figures, end.defender_figures])


def test_a_table_answers_under_the_rulebook_it_is_given() -> None:
    strict = RULES.variant({"CO-5.2": "summary_strict"})
    assert odds.answer(strict, "clash", {}).notes[2] == "Preset: summary_strict."
    same(
        odds.answer(strict, "clash", {"fire": "1"}).records()[0]["taken"],
        ask("clash", fire="1", preset="summary_strict")[0]["taken"],
    )
    farther = RULES.variant({"rifle.reach": 30, "discipline.most": 4, "units.infantry.figures": 2})
    assert len(odds.answer(farther, "rifles", {}).rows) == 4
    assert "Beyond 30 cm" in odds.answer(farther, "rifles", {}).notes[0]
    assert len(odds.answer(farther, "rally", {"markers": "1"}).rows) == 2


def test_exact_answers_load_nothing_heavy() -> None:
    code = (
        "import sys; from wargamesim.rulebook import load_rulebook; from wargamesim.games.coloniale import odds\n"
        "for question in odds.questions: odds.answer(load_rulebook('coloniale'), question, {})\n"
        "sys.exit(', '.join({'numba', 'scipy', 'pandas', 'matplotlib', 'pyarrow'} & set(sys.modules)) or 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_option_may_be_written_with_hyphens_or_underscores() -> None:
    hyphens = odds.answer(RULES, "assault", {"attacker-discipline": "7"})
    assert hyphens == odds.answer(RULES, "assault", {"attacker_discipline": "7"})
    assert hyphens.columns[1] == "attacker discipline"


def answer(question: str, **options: str) -> Callable[[], object]:
    return lambda: ask(question, **options)


UNIT = odds.Unit(6, 6)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (answer("ralley"), "unknown question 'ralley'; did you mean 'rally'? Known: assault, clash, discipline, guns"),
        (answer("guns", range="3"), "unknown option 'range'. Known: distance, ground"),
        (answer("guns", ground="wood"), "--ground: unknown ground 'wood'. Known: cover, fort, open"),
        (answer("guns", distance="-1"), "--distance: must be from 0 to 10000, not -1"),
        (answer("rally", markers="1", fire="1"), "--markers: is about one rally, --fire about turn after turn"),
        (answer("rifles", target="3", targets="2"), "target: is one unit's figures"),
        (answer("rifles", figures="x"), "--figures: 'x' is no integer and no range"),
        (answer("discipline", quality="veteran"), "--quality: unknown quality 'veteran'"),
        (answer("discipline", veteran="maybe"), "--veteran: unknown answer 'maybe'; did you mean 'yes'?"),
        (answer("assault", show="all"), "--show: unknown view 'all'. Known: losses, preparation, pursuit, result"),
        (answer("assault", volleys="2"), "unknown option 'volleys'"),
        (answer("assault", preset="bodi"), "--preset: unknown preset 'bodi'; did you mean 'body'?"),
        (answer("assault", attackers="0"), "--attackers: must be from 1 to 20, not 0"),
        (
            answer("assault", attackers="1:20", defenders="1:20", ground="open,fort,cover"),
            "the options combine to more",
        ),
        (answer("march", show="far"), "--show: unknown view 'far'. Known: heading, legs, reach, summary"),
        (answer("march", turns="2"), "unknown option 'turns'"),
        (answer("clash", fire="51"), "--fire: must be from 0 to 50, not 51"),
        (lambda: odds.rally(RULES, -1, 1), "discipline: must be at least 0, not -1"),
        (lambda: odds.rally(RULES, [1, 2], [1, 2, 3]), "discipline: shapes do not broadcast"),
        (lambda: odds.rifles(RULES, 2.5), "figures: must be integers, not 2.5"),
        (lambda: odds.rifles(RULES, 3, "wood"), "ground: unknown ground 'wood'"),
        (lambda: odds.guns(RULES, [1, 2], ["open"] * 3), "distance: shapes do not broadcast"),
        (lambda: odds.generated(RULES, "elit"), "quality: unknown quality 'elit'; did you mean 'elite'?"),
        (lambda: odds.generated(RULES, "elite", "navy"), "arm: unknown arm 'navy'"),
        (
            lambda: odds.generated(RULES.variant({"CO-P05": "exclusive"}), "elite", veteran=True, fanatic=True),
            "fanatic: a unit is veteran or fanatic, not both",
        ),
        (lambda: odds.assault(RULES, odds.Unit(0, 6), UNIT), "attacker.figures: must be at least 1, not 0"),
        (lambda: odds.assault(RULES, UNIT, odds.Unit(6, 6, -1)), "defender.markers: must be at least 0, not -1"),
        (lambda: odds.assault(RULES, UNIT, UNIT, "hill"), "ground: unknown ground 'hill'"),
        (lambda: odds.pursuit(RULES, UNIT, odds.Unit([1, 2], [1, 2, 3])), "attacker.figures: shapes do not broadcast"),
        (lambda: odds.clash(RULES, -1, UNIT, UNIT), "fire: must be at least 0, not -1"),
        (lambda: odds.preparation(RULES, [1, 2], odds.Unit([1, 2, 3], 6), UNIT), "volleys: shapes do not broadcast"),
        (lambda: odds.road(RULES, "camel"), "arm: unknown arm 'camel'"),
        (lambda: odds.off_road(RULES, "infantry", "fort"), "ground: unknown ground 'fort'. Known: difficult, open"),
        (lambda: odds.right_way(RULES, -1), "junctions: must be at least 0, not -1"),
        (
            lambda: odds.rally(RULES.variant({"discipline.least": 11}), 6, 1),
            "discipline.least: must be at most discipline.most (10), not 11",
        ),
    ],
)
def test_bad_input_names_the_argument(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value).startswith(message)
