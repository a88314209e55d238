"""What may be written on the command line: the parser, and what it says of anything else."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from wargamesim.errors import InputError, near

PROGRAM = "wargamesim"

ABOUT = """\
Are the rules of a tabletop wargame balanced?

Exact odds, thousands of battles a second, a decision with its uncertainty.

  wargamesim odds azincourt melee
  wargamesim run experiments/azincourt_deployments.toml
  wargamesim equilibrium results/azincourt_deployments
"""

# What each command does, and examples of it.
COMMANDS = {
    "rules": """\
Print every number, reading and rule of a rulebook.

Examples:
  wargamesim rules azincourt
  wargamesim rules my_azincourt.toml --json
""",
    "check": """\
Check a rulebook, a scenario or an experiment.

Example:
  wargamesim check experiments/azincourt_deployments.toml
""",
    "odds": """\
Answer a question about the dice exactly.

Without options of its own a question is answered by its standard table. They
stand after it, as --NAME VALUE; numbers are 3, a list 1,2,5 or a range 0:12:2.

Examples:
  wargamesim odds azincourt melee
  wargamesim odds azincourt melee --attacker archer,archer --defender knight
  wargamesim odds azincourt arrow --arrows 1:6 --reading AZ-4.5=six_hits
  wargamesim odds azincourt cannon --set pieces.cannon.range=8 --against
  wargamesim odds nordamerica hit --distance 5:120:5 --plot hit.png
""",
    "run": """\
Play every battle of an experiment and keep them in a folder.

Examples:
  wargamesim run experiments/azincourt_deployments.toml
  wargamesim run experiments/azincourt_mud.toml --battles 200 --out quick
""",
    "show": """\
Print how the battles of each cell ended.

The result may be a whole or a partial one.

Example:
  wargamesim show results/azincourt_deployments
""",
    "compare": """\
Compare every cell with a baseline cell, and rank the cells.

Examples:
  wargamesim compare results/azincourt_bows --baseline 3
  wargamesim compare results/azincourt_deployments \\
      --baseline "line, deep_column"
""",
    "effect": """\
Say what a factor changes, in every case of the other factors.

Each of its levels is compared with its first one, all else alike.

Example:
  wargamesim effect results/volley volley_from \
      --metrics second_killed,second_pinned
""",
    "equilibrium": """\
Solve the game of the two sides' choices.

That is the matrix of scores, what each side should choose, and how sure it is.

Example:
  wargamesim equilibrium results/azincourt_deployments --plot deployments.png
""",
    "replay": """\
Tell one battle event by event, each with its rule's id.

The board is drawn every turn.

Example:
  wargamesim replay results/azincourt_deployments \\
      --cell "funnel, deep_column" --battle 0
""",
}


class Parser(ArgumentParser):
    """A parser that abbreviates nothing, and whose errors are `InputError`."""

    def __init__(self, **settings: Any) -> None:
        self.options: list[str] = []
        super().__init__(formatter_class=RawDescriptionHelpFormatter, allow_abbrev=False, **settings)

    def add_argument(self, *names: Any, **settings: Any) -> Any:
        """Add an argument, and know its name again when it is misspelt."""
        self.options += [name for name in names if name.startswith("--")]
        return super().add_argument(*names, **settings)

    def error(self, message: str) -> NoReturn:
        """Raise what argparse would print below the usage."""
        raise InputError(f"{message.removeprefix('argument ')}; see `{self.prog} --help`")


def parse(arguments: Sequence[str] | None = None) -> Namespace:
    """Read the arguments of a command line, those of this process when none are given.

    Returns
    -------
    Namespace
        ``command``, one of `COMMANDS`, or None: then the help was printed, unless ``version`` is wanted. The
        arguments of the command by name; of `odds` also ``options``, those of the question.

    Raises
    ------
    InputError
        If a command, an argument or an option is unknown, missing or of the wrong kind.
    SystemExit
        After the help was printed.

    Examples
    --------
    >>> parse(["odds", "azincourt", "arrow", "--target", "knight", "--json"]).options
    {'target': 'knight'}
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    command = next((word for word in words if not word.startswith("-")), None)
    if command is not None and command not in COMMANDS:
        raise InputError(f"No such command '{command}'.{_hint(repr, near(command, COMMANDS))}")
    main, parsers = _parsers()
    given, rest = main.parse_known_args(words)
    if given.command is None:
        _refuse(rest, main.options)
        if not given.version:
            main.print_help()
    elif given.command == "odds":
        given.options, stray = question_options(rest, parsers["odds"].options)
        if stray and not given.question:  # argparse gives up on it once an option stands between
            given.question = stray.pop(0)
        if stray:
            raise InputError(f"'{stray[0]}' belongs to no option; options are written --name value")
    else:
        _refuse(rest, parsers[given.command].options)
    return given


def question_options(words: Iterable[str], known: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Read the options of a question, ``--name value`` or ``--name=value``, and what belongs to none.

    Parameters
    ----------
    words : iterable of str
        What the parser left.
    known : sequence of str
        The parser's own options: what is nearly one of them is a misspelling.

    Raises
    ------
    InputError
        If an option has no value, is given twice, or is a misspelling.

    Examples
    --------
    >>> question_options(["--modifier", "-2:2", "melee"], ["--json"])
    ({'modifier': '-2:2'}, ['melee'])
    """
    options: dict[str, str] = {}
    stray: list[str] = []
    left = list(words)
    while left:
        name, is_given, value = left.pop(0).partition("=")
        if not name.startswith("--") or name == "--":
            stray.append(name + is_given + value)
            continue
        # Without the dashes, which make short names look alike: `--hp` is no `--help`.
        if close := near(name[2:], [option[2:] for option in known], cutoff=0.8):
            raise InputError(f"No such option: {name}. Did you mean --{close[0]}?")
        if not is_given and (not left or left[0].startswith("--")):
            raise InputError("has no value; write --name value", key=name)
        if name[2:] in options:
            raise InputError("is given twice; several values are written 1,2,3", key=name)
        options[name[2:]] = value if is_given else left.pop(0)
    return options, stray


def _refuse(rest: Sequence[str], known: Sequence[str]) -> None:
    """Raise for the first argument that nothing takes."""
    if not rest:
        return
    name = rest[0].partition("=")[0]
    if name.startswith("-"):
        raise InputError(f"No such option: {name}.{_hint(str, near(name, known))}")
    raise InputError(f"Unexpected argument '{rest[0]}'.")


def _hint(write: Any, close: Sequence[str]) -> str:
    return f" Did you mean {write(close[0])}?" if close else ""


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ArgumentTypeError(f"must be a whole number, not '{text}'") from None


def _count(text: str) -> int:
    if (number := _whole(text)) < 0:
        raise ArgumentTypeError(f"must be a whole number of at least 0, not {text}")
    return number


def _parsers() -> tuple[Parser, dict[str, Parser]]:
    """Return the parser of the program, and that of each command."""
    firsts = {name: text.split("\n", 1)[0].rstrip(".") for name, text in COMMANDS.items()}
    listed = "\n".join(f"  {name:<13}{first}" for name, first in firsts.items())
    main = Parser(prog=PROGRAM, description=ABOUT, epilog=f"commands:\n{listed}")
    main.add_argument("--version", action="store_true", help="print the version")
    added = main.add_subparsers(dest="command", metavar="COMMAND", help="`wargamesim COMMAND --help` tells more of it")
    parsers = {name: added.add_parser(name, description=text) for name, text in COMMANDS.items()}
    for name in ("rules", "odds"):
        parsers[name].add_argument("rulebook", metavar="RULEBOOK", help="the name of a shipped rulebook, or a file")
    parsers["odds"].add_argument(
        "question", metavar="QUESTION", nargs="?", default="", help="what to ask; without it, the questions are listed"
    )
    for name in ("rules", "odds"):
        parsers[name].add_argument(
            "--reading", metavar="ID=OPTION", action="append", default=[], help="another reading of a rule"
        )
        parsers[name].add_argument(
            "--set", metavar="PATH=VALUE", action="append", default=[], help="another value of a number", dest="numbers"
        )
    for name in ("show", "compare", "effect", "equilibrium", "replay"):
        parsers[name].add_argument("folder", metavar="DIR", type=Path, help="the folder of results")
    for name in ("rules", "odds", "show", "compare", "effect", "equilibrium"):
        parsers[name].add_argument(
            "--json", action="store_true", dest="as_json", help="print columns and rows as JSON, at full precision"
        )

    odds = parsers["odds"].add_argument
    odds("--csv", action="store_true", dest="as_csv", help="print CSV, at full precision")
    odds("--against", action="store_true", help="beside the answer without --reading and --set")
    odds("--plot", metavar="FILE", type=Path, help="draw the answer too (.png, .svg, .pdf)")

    parsers["check"].add_argument("file", metavar="FILE", type=Path, help="a rulebook, a scenario or an experiment")

    run = parsers["run"].add_argument
    run("experiment", metavar="EXPERIMENT.toml", type=Path, help="the experiment's file")
    run("--out", metavar="DIR", type=Path, help="the folder for the results; results/NAME when not given")
    run("--battles", metavar="N", type=_whole, help="battles a cell, in place of the file's")
    run("--seed", metavar="S", type=_whole, help="the seed, in place of the file's")
    run("--workers", metavar="N", type=_whole, help="threads; as many as there are processors when not given")
    run("--resume", action="store_true", help="go on with an interrupted run")

    parsers["compare"].add_argument(
        "--baseline", metavar="CELL", default="0", help="the cell's number, or its levels (default: 0)"
    )
    effect = parsers["effect"].add_argument
    effect("factor", metavar="FACTOR", help="its key, or the end of it that no other factor has")
    effect("--metrics", metavar="NAME,NAME", default="", help="also the mean differences of these metrics")
    parsers["equilibrium"].add_argument(
        "--seed", metavar="S", type=_count, default=0, help="seed of the bootstrap (default: 0)"
    )
    parsers["equilibrium"].add_argument(
        "--plot", metavar="FILE", type=Path, help="draw the matrix as a heat map (.png, .svg, .pdf)"
    )
    parsers["replay"].add_argument("--cell", metavar="C", required=True, help="the cell's number, or its levels")
    parsers["replay"].add_argument(
        "--battle", metavar="B", type=_whole, required=True, help="the battle's number, from 0"
    )
    return main, parsers
