"""The questions: which rulebook answers which, tables for people and programs, and what they load."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from wargamesim.errors import InputError
from wargamesim.games.skirmish import odds
from wargamesim.report.tables import table_lines
from wargamesim.rulebook import load_rulebook

BOOKS = {name: load_rulebook(name) for name in ("nordamerica", "risorgimento")}
LACKS = {"nordamerica": {"repeater"}, "risorgimento": {"volley", "blind", "checks"}}
ANSWERED = [(name, question) for name in BOOKS for question in odds.questions if question not in LACKS[name]]


def test_the_questions() -> None:
    assert set(odds.questions) == {
        *("hit", "volley", "blind", "reload", "repeater", "melee", "morale", "duel", "deck", "checks")
    }


@pytest.mark.parametrize(("name", "question"), ANSWERED)
def test_standard_tables(name: str, question: str) -> None:
    table = odds.answer(BOOKS[name], question, {})
    assert table.rows
    assert table.title
    assert max(map(len, table_lines(table, 80))) <= 80
    for row in table.rows:
        assert all(type(cell) in (int, float, str, bool, type(None)) for cell in row)
    parsed = json.loads(table.to_json())
    assert parsed["columns"] == list(table.columns)
    assert len(parsed["rows"]) == len(table.rows)


@pytest.mark.parametrize(("name", "question"), [(name, question) for name in LACKS for question in sorted(LACKS[name])])
def test_a_question_without_rules_says_what_there_is(name: str, question: str) -> None:
    with pytest.raises(InputError, match=f"^the rulebook '{name}' has no .*; it has "):
        odds.answer(BOOKS[name], question, {})


@pytest.mark.parametrize(("name", "question"), ANSWERED)
def test_unknown_options_are_refused(name: str, question: str) -> None:
    with pytest.raises(InputError, match=r"^unknown option 'colour'"):
        odds.answer(BOOKS[name], question, {"colour": "red"})


def test_unknown_questions_name_the_nearest() -> None:
    with pytest.raises(InputError, match=r"^unknown question 'mellee'; did you mean 'melee'\? Known: blind, checks"):
        odds.answer(BOOKS["nordamerica"], "mellee", {})


@pytest.mark.parametrize("name", BOOKS)
def test_every_reading_leaves_every_question_an_answer(name: str) -> None:
    """Each reading of the odds alone, against the questions that it could change most cheaply."""
    book = BOOKS[name]
    questions = [question for question in ("hit", "reload", "melee", "morale", "deck") if question not in LACKS[name]]
    for rule_id, reading in book.readings.items():
        for option in reading.options:
            for question in questions:
                assert odds.answer(book.variant({rule_id: option}), question, {}).rows


def test_exact_answers_load_nothing_heavy() -> None:
    code = (
        "import sys; from wargamesim.rulebook import load_rulebook; from wargamesim.games.skirmish import odds\n"
        "for name, lacks in (('nordamerica', ['repeater']), ('risorgimento', ['volley', 'blind', 'checks'])):\n"
        "    for question in odds.questions:\n"
        "        question in lacks or odds.answer(load_rulebook(name), question, {})\n"
        "sys.exit(', '.join({'numba', 'scipy', 'pandas', 'matplotlib', 'pyarrow'} & set(sys.modules)) or 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
