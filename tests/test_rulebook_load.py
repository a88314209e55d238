"""Reading rulebooks: names, paths, extends, and every way in which a file can be wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from wargamesim.errors import InputError
from wargamesim.rulebook import load_rulebook, rulebook_names

WHOLE = """
name = "duel"
title = "A duel"
game = "duel"
[rules."DU-1.1"]
text = "Two fight."
provenance = "seed"
[numbers.pieces.knight]
speed = { value = 6, id = "DU-1.2", unit = "squares", provenance = "gap", min = 0, max = 30, text = "Speed." }
value = { value = 4, id = "DU-1.2", unit = "points", provenance = "gap", min = 0, max = 30, text = "Value." }
[readings."DU-2.1"]
text = "Who starts is not said."
default = "coin"
[readings."DU-2.1".options.coin]
text = "a toss decides"
[readings."DU-2.1".options.slow]
text = "nobody runs"
set = { pieces.knight.speed = 1 }
"""


@pytest.fixture
def write(tmp_path: Path):
    """Write a file and return its path."""

    def write_file(text: str, name: str = "my.toml") -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write_file


def message_of(path: str | Path) -> str:
    """Load a bad rulebook and return the message, which must be one line and begin with the file."""
    with pytest.raises(InputError) as caught:
        load_rulebook(path)
    text = str(caught.value)
    assert text.startswith(f"{path}: ")
    assert "\n" not in text
    return text.removeprefix(f"{path}: ")


def test_shipped_names_load_and_are_called_like_their_file() -> None:
    assert "azincourt" in rulebook_names()
    for name in rulebook_names():
        assert load_rulebook(name).name == name


def test_a_whole_rulebook_of_ones_own(write) -> None:
    rulebook = load_rulebook(write(WHOLE))
    assert (rulebook.name, rulebook.title, rulebook.game) == ("duel", "A duel", "duel")
    assert set(rulebook.numbers) == {"pieces.knight.speed", "pieces.knight.value"}
    assert rulebook.variant({"DU-2.1": "slow"}).number("pieces.knight.speed") == 1


def test_a_designers_file_changes_what_it_says_and_nothing_else(write) -> None:
    path = write("""
        name = "longbows"
        extends = "azincourt"
        [set]
        "pieces.archer.range" = 7
        AZ-4.5 = "six_hits"
        [set.end]
        margin = 15
        """)
    mine, shipped = load_rulebook(path), load_rulebook("azincourt")
    assert (mine.name, mine.title, mine.game) == ("longbows", "longbows", "azincourt")
    assert mine.changes == {"pieces.archer.range": 7, "AZ-4.5": "six_hits", "end.margin": 15}
    changed = {path for path in shipped.numbers if mine.number(path) != shipped.number(path)}
    assert changed == {"pieces.archer.range", "end.margin", "arrow.cavalry.removes", "arrow.foot.removes"}


def test_a_chain_of_files_the_nearest_wins(write) -> None:
    write('name = "a"\nextends = "azincourt"\n[set]\nend.margin = 15\nmud.die = 8', "base/a.toml")
    path = write('name = "b"\ntitle = "B"\nextends = "base/a.toml"\n[set]\nend.margin = 12')
    rulebook = load_rulebook(path)
    assert (rulebook.title, rulebook.number("end.margin"), rulebook.number("mud.die")) == ("B", 12, 8)


def test_a_relative_path_starts_at_the_folder(write) -> None:
    path = write(WHOLE)
    assert load_rulebook("my.toml", folder=path.parent).name == "duel"
    assert load_rulebook("azincourt", folder=path.parent).name == "azincourt"


def test_the_shipped_rulebook_wins_over_a_folder_of_its_name(tmp_path: Path) -> None:
    (tmp_path / "azincourt").mkdir()
    assert load_rulebook("azincourt", folder=tmp_path).name == "azincourt"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("azincurt", "unknown rulebook 'azincurt'; did you mean 'azincourt'? Known: "),
        ("x" * 5000, "unknown rulebook 'xxx"),
        ("nowhere/my.toml", "no such file: nowhere/my.toml"),
        ("missing.toml", "no such file: missing.toml"),
    ],
)
def test_a_rulebook_that_does_not_exist(name: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        load_rulebook(name)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("azincurt", "extends: unknown rulebook 'azincurt'; did you mean 'azincourt'? Known: "),
        ("missing.toml", "extends: no such file: "),
    ],
)
def test_extending_a_rulebook_that_does_not_exist(write, name: str, message: str) -> None:
    assert message_of(write(f'name = "my"\nextends = "{name}"')).startswith(message)


def test_circular_extends(write) -> None:
    path = write('name = "a"\nextends = "b.toml"', "a.toml")
    other = write('name = "b"\nextends = "a.toml"', "b.toml")
    with pytest.raises(InputError) as caught:
        load_rulebook(path)
    assert str(caught.value) == f"{other}: extends: is circular: a.toml -> b.toml -> a.toml"


def test_extending_oneself(write) -> None:
    assert message_of(write('name = "a"\nextends = "my.toml"')) == "extends: is circular: my.toml -> my.toml"


def test_an_error_of_the_extended_file_names_that_file(write) -> None:
    base = write('name = "a"\nextends = "azincourt"\n[set]\nend.margin = -1', "a.toml")
    with pytest.raises(InputError) as caught:
        load_rulebook(write('name = "b"\nextends = "a.toml"'))
    assert caught.value.file == str(base)
    assert caught.value.key == "set.end.margin"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("pieces.archer.range = -1", "pieces.archer.range: must be an integer from 0 to 60 (squares), not -1"),
        ("pieces.archer.range = 7.0", "pieces.archer.range: must be an integer from 0 to 60 (squares), not 7.0"),
        ("pieces.archer.range = true", "pieces.archer.range: must be an integer from 0 to 60 (squares), not true"),
        ("pieces.archer.range = '7'", "pieces.archer.range: must be an integer from 0 to 60 (squares), not '7'"),
        ("mud.die = 1000000000000", "mud.die: must be an integer from 2 to 100 (sides), not 1000000000000"),
        ("end.half = nan", "end.half: must be a number from 0.0 to 1.0 (share), not nan"),
        ("arrow.foot.removes = [4, 4]", "arrow.foot.removes: must be a list of different integers, but 4 stands in it"),
        ("arrow.foot.removes = [0]", "arrow.foot.removes: must be a list of integers from 1 to 100 (faces), not [0]"),
        ("'AZ-4.5' = 'sixhits'", "AZ-4.5: unknown option 'sixhits'; did you mean 'six_hits'? Known: literal, six_hits"),
        ("AZ-4.5 = 6", "AZ-4.5: unknown option '6'. Known: literal, six_hits"),
        ("'AZ-4.55' = 'six_hits'", "AZ-4.55: unknown number or reading 'AZ-4.55'; did you mean 'AZ-4.5'"),
        ("pieces.archr.range = 7", "pieces.archr.range: unknown number or reading 'pieces.archr.range'; did you mean"),
        ("pieces.archer = 7", "pieces.archer: is a group of numbers, change them one by one: pieces.archer.speed, "),
        ("AZ-4.1 = 7", "AZ-4.1: this rule has no readings but numbers, change them by their path: pieces.archer.range"),
        ("AZ-4.7 = 'no'", "AZ-4.7: this rule cannot be changed; those with readings are AZ-2.2, AZ-2.3, "),
        ("end.margin = 9\n'end.margin' = 8", "end.margin: is given twice, in two spellings"),
        (
            "end.margin = -1\nmud.die = 0\nmud.dice = 2",
            "end.margin: must be an integer from 0 to 1000 (points), not -1",
        ),
    ],
)
def test_a_wrong_change(write, line: str, message: str) -> None:
    path = write(f'name = "my"\nextends = "azincourt"\n[set]\n{line}')
    assert message_of(path).startswith(f"set.{message}")


def test_the_first_of_several_problems_says_how_many_more(write) -> None:
    path = write('name = "my"\nextends = "azincourt"\n[set]\nend.margin = -1\nmud.die = 0\nmud.dice = 2')
    assert message_of(path).endswith("not -1 (and 2 more problems)")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not a rulebook: a rulebook has `name`, `title`, `game` and `[numbers]`, a designer's has `name`, "),
        ("seed = 1\nbattles = 9\n[set]", "is not a rulebook: "),
        ("name = 'my'\nextend = 'azincourt'", "extend: unknown key; did you mean 'extends'? (a rulebook has"),
        ("name = 'my'\n[number.board]", "number: unknown key; did you mean 'numbers'? (a rulebook has"),
        (
            "name = 'my'\nextends = 'azincourt'\n[sets]",
            "sets: unknown key 'sets'; did you mean 'set'? Known: extends, ",
        ),
        ("extends = 'azincourt'", "name: is missing; the keys here are name, title, extends, set"),
        ("name = 7\nextends = 'azincourt'", "name: must be a text in quotes, not 7"),
        ("name = ''\nextends = 'azincourt'", "name: must not be empty"),
        ("name = 'my'\nextends = ['azincourt']", "extends: must be a text in quotes, not ['azincourt']"),
        ("name = 'my'\nextends = 'azincourt'\nset = 3", "set: must be a table, not 3"),
        ("name = 'my'\nextends = 'azinc", "is not valid TOML: "),
        ("<html><body>Azincourt</body></html>", "is not valid TOML: "),
    ],
)
def test_a_file_that_is_no_designers_rulebook(write, text: str, message: str) -> None:
    assert message_of(write(text)).startswith(message)


def test_what_a_foreign_file_has_is_named(write) -> None:
    assert message_of(write("seed = 1\nbattles = 9")).endswith("; this file has seed, battles")
    assert message_of(write("")).endswith("; this file has nothing")


def test_a_binary_file_and_a_folder(tmp_path: Path) -> None:
    path = tmp_path / "picture.toml"
    path.write_bytes(b"\x89PNG\xff\xfe")
    assert message_of(path).startswith("cannot be read as UTF-8 text")
    assert message_of(tmp_path) == "this is a folder; a TOML file is wanted"


SPEED = 'speed = { value = 6, id = "DU-1.2", unit = "squares", provenance = "gap", min = 0, max = 30, text = "Speed." }'
SLOW = "set = { pieces.knight.speed = 1 }"
KNIGHT = "numbers.pieces.knight"
OPTIONS = "readings.DU-2.1.options"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            SPEED,
            SPEED.replace("value", "vlaue"),
            f"{KNIGHT}.speed.vlaue: unknown key 'vlaue'; did you mean 'value'? Known: id, max, min, provenance, "
            "source_term, text, unit, value (and 1 more problem)",
        ),
        (SPEED, SPEED.replace("value = 6, ", ""), f"{KNIGHT}.speed.value: is missing; the keys here are value, id, "),
        (SPEED, SPEED.replace("value", "note = { by = 1 }, value"), f"{KNIGHT}.speed.note: unknown key 'note'"),
        (SPEED, "speed = 6", f"{KNIGHT}.speed: must be a table with the keys value, id, "),
        (SPEED, SPEED.replace("6", "31"), f"{KNIGHT}.speed: must be an integer from 0 to 30 (squares), not 31"),
        (SPEED, SPEED.replace("6", "true"), f"{KNIGHT}.speed: true and false have no range"),
        (SPEED, SPEED.replace("6", "'fast'"), f"{KNIGHT}.speed.value: must be a number, true or false, or a list"),
        (SPEED, SPEED.replace("max = 30", "max = 'no'"), f"{KNIGHT}.speed.max: must be a finite number, not 'no'"),
        (SPEED, SPEED.replace("max = 30, ", ""), f"{KNIGHT}.speed: needs both `min` and `max`"),
        (SPEED, SPEED.replace("DU-1.2", "DU"), f"{KNIGHT}.speed: its id must look like AZ-4.1, not 'DU'"),
        (
            'provenance = "seed"',
            'provenance = "sead"',
            "rules.DU-1.1.provenance: unknown provenance 'sead'; did you mean 'seed'? Known: gap, house, reading, seed",
        ),
        ('text = "Two fight."', "", "rules.DU-1.1.text: is missing; the keys here are text, provenance, source_term"),
        ('rules."DU-1.1"', "rules.DU", "rules.DU: must be an id like AZ-4.1"),
        ('rules."DU-1.1"', "rules.DU-1.1", "rules.DU-1."),
        (
            'default = "coin"',
            'default = "coyn"',
            "readings.DU-2.1.default: unknown option 'coyn'; did you mean 'coin'?",
        ),
        ('default = "coin"', 'default = "slow"', f"{OPTIONS}.slow.set: must be left out: the numbers' own values"),
        (SLOW, "set = { pieces.knight.spede = 1 }", f"{OPTIONS}.slow.set.pieces.knight.spede: unknown number or"),
        (
            SLOW,
            "set = { pieces.knight.speed = 31 }",
            f"{OPTIONS}.slow.set.pieces.knight.speed: must be an integer from",
        ),
        (SLOW, "sett = 1", f"{OPTIONS}.slow.sett: unknown key 'sett'; did you mean 'set'? Known: set, text"),
        ('game = "duel"', "", "game: is missing; the keys here are name, title, game, rules, numbers, readings"),
        ('game = "duel"', 'gane = "duel"', "gane: unknown key 'gane'; did you mean 'game'? Known: game, name, "),
        (WHOLE, 'name = "x"\nnumbers = 3', "title: is missing; "),
        (WHOLE, 'name = "x"\ntitle = "x"\ngame = "x"\nnumbers = 3', "numbers: must be a table, not 3"),
    ],
)
def test_a_wrong_whole_rulebook(write, old: str, new: str, message: str) -> None:
    assert old in WHOLE
    assert message_of(write(WHOLE.replace(old, new))).startswith(message)


def test_two_readings_may_not_set_the_same_number(write) -> None:
    second = WHOLE[WHOLE.index("[readings") :].replace("DU-2.1", "DU-2.2")
    message = message_of(write(WHOLE + second))
    assert message == "readings.DU-2.2.options.slow.set.pieces.knight.speed: is already set by the reading DU-2.1"
