"""The parser: what it makes of a command line, and what it says of one that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from wargamesim.arguments import COMMANDS, parse, question_options
from wargamesim.errors import InputError


def test_what_is_not_given_has_a_default() -> None:
    assert vars(parse(["odds", "azincourt", "mud"])) == {
        "version": False,
        "command": "odds",
        "rulebook": "azincourt",
        "question": "mud",
        "options": {},
        "reading": [],
        "numbers": [],
        "as_json": False,
        "as_csv": False,
        "against": False,
        "plot": None,
    }
    given = parse(["run", "x.toml", "--battles", "7", "--resume"])
    assert (given.experiment, given.battles, given.seed, given.resume) == (Path("x.toml"), 7, None, True)


def test_readings_and_numbers_may_be_several() -> None:
    given = parse(["rules", "azincourt", "--set", "a=1", "--reading=X=y", "--set=b=-1"])
    assert (given.numbers, given.reading) == (["a=1", "b=-1"], ["X=y"])


def test_nothing_given_two_calls() -> None:
    assert parse(["rules", "a", "--set", "x=1"]).numbers == ["x=1"]
    assert parse(["rules", "a"]).numbers == []


@pytest.mark.parametrize(
    ("words", "options", "stray"),
    [
        ([], {}, []),
        (["--a", "1", "--b=2"], {"a": "1", "b": "2"}, []),
        (["--a", "-2:2", "--b", "-1"], {"a": "-2:2", "b": "-1"}, []),
        (["--a=x=y", "--b", "c=d"], {"a": "x=y", "b": "c=d"}, []),
        (["--a="], {"a": ""}, []),
        (["one", "--a", "1", "-2"], {"a": "1"}, ["one", "-2"]),
        (["x=y"], {}, ["x=y"]),
        (["--"], {}, ["--"]),
        (["--hp", "6,7"], {"hp": "6,7"}, []),
    ],
)
def test_the_options_of_a_question(words: list[str], options: dict[str, str], stray: list[str]) -> None:
    assert question_options(words, ["--json", "--help"]) == (options, stray)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["odd", "azincourt"], "No such command 'odd'. Did you mean 'odds'?"),
        (["xyz"], "No such command 'xyz'."),
        (["--verson"], "No such option: --verson. Did you mean --version?"),
        (["rules", "azincourt", "--js"], "No such option: --js. Did you mean --json?"),
        (["rules", "azincourt", "--zzz=3"], "No such option: --zzz."),
        (["show", "a", "b"], "Unexpected argument 'b'."),
        (["show"], "the following arguments are required: DIR; see `wargamesim show --help`"),
        (
            ["run", "x.toml", "--battles", "1.5"],
            "--battles: must be a whole number, not '1.5'; see `wargamesim run --help`",
        ),
        (
            ["equilibrium", "x", "--seed", "-1"],
            "--seed: must be a whole number of at least 0, not -1; see `wargamesim equilibrium --help`",
        ),
        (["odds", "azincourt", "mud", "--agianst"], "No such option: --agianst. Did you mean --against?"),
        (["odds", "azincourt", "mud", "--n", "1", "--n", "2"], "--n: is given twice; several values are written 1,2,3"),
        (["odds", "azincourt", "mud", "--n"], "--n: has no value; write --name value"),
        (["odds", "azincourt", "mud", "melee"], "'melee' belongs to no option; options are written --name value"),
    ],
)
def test_wrong_words(words: list[str], message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(words)
    assert str(caught.value) == message


@pytest.mark.parametrize("words", [["--help"], ["-h"], *([name, "--help"] for name in COMMANDS)])
def test_help_is_printed(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(words)
    assert capsys.readouterr().out.startswith("usage: wargamesim ")
