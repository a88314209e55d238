"""The command line: parse, call, print.

Exit codes: 0 done; 2 the input is wrong (one line on the standard error stream, nothing written); 130 interrupted;
1 anything else. A command imports what it needs when it runs, so that the exact ones answer at once.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wargamesim.errors import InputError, unknown

if TYPE_CHECKING:
    from wargamesim.games.registry import Game
    from wargamesim.rulebook import Rulebook
    from wargamesim.simulate import Results
    from wargamesim.table import Table

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

RulebookArgument = Annotated[str, typer.Argument(help="The name of a shipped rulebook, or a file.", show_default=False)]
FolderArgument = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of results.", show_default=False)]
ReadingOption = Annotated[
    list[str] | None,
    typer.Option("--reading", metavar="ID=OPTION", help="Another reading of a rule.", show_default=False),
]
SetOption = Annotated[
    list[str] | None, typer.Option("--set", metavar="PATH=VALUE", help="Another value of a number.", show_default=False)
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print columns and rows as JSON, at full precision.")]


def main() -> None:
    """Run the command line and exit."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # a terminal that has no ─ or ± shows ?
    sys.exit(call())


def call(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    try:
        code = app(args=arguments, prog_name="wargamesim", standalone_mode=False)
        sys.stdout.flush()
    except InputError as error:
        return _complain(str(error), 2)
    except typer.TyperException as error:
        return _complain(error.format_message(), error.exit_code)
    except BrokenPipeError:
        # Who read the output has seen enough (`| head`); Python must not try to write the rest when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        return _complain(str(error), 1)
    return code if isinstance(code, int) else 0


def _complain(message: str, code: int) -> int:
    print(f"wargamesim: {' '.join(message.split())}", file=sys.stderr)
    return code


@app.callback(invoke_without_command=True)
def about(
    context: typer.Context, version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False
) -> None:
    """Are the rules of a tabletop wargame balanced?

    Exact odds, thousands of battles a second, a decision with its uncertainty.

    \b
    wargamesim odds azincourt melee
    wargamesim run experiments/azincourt_deployments.toml
    wargamesim equilibrium results/azincourt_deployments
    """
    if version:
        from wargamesim import __version__

        print(__version__)
    elif context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def rules(
    rulebook: RulebookArgument,
    reading: ReadingOption = None,
    set_: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print every number, reading and rule of a rulebook.

    \b
    Examples:
      wargamesim rules azincourt
      wargamesim rules my_azincourt.toml --json
    """
    from wargamesim.report.rules import narrow_tables, wide_table

    book = _rulebook(rulebook, reading, set_)
    _print(as_json, wide_table(book), *narrow_tables(book))


@app.command()
def check(
    file: Annotated[Path, typer.Argument(help="A rulebook, a scenario or an experiment.", show_default=False)],
) -> None:
    """Check a rulebook, a scenario or an experiment.

    \b
    Example:
      wargamesim check experiments/azincourt_deployments.toml
    """
    from wargamesim.report.check import describe_file

    print(f"{file}: {describe_file(file)}")


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def odds(
    context: typer.Context,
    rulebook: RulebookArgument,
    question: Annotated[str, typer.Argument(help="What to ask; without it, the questions are listed.")] = "",
    reading: ReadingOption = None,
    set_: SetOption = None,
    as_json: JsonOption = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV, at full precision.")] = False,
) -> None:
    """Answer a question about the dice exactly; without options by its standard table.

    The options of a question stand after it. Numbers are 3, a list 1,2,5 or a range 0:12:2.

    \b
    Examples:
      wargamesim odds azincourt melee
      wargamesim odds azincourt melee --attacker archer,archer --defender knight
      wargamesim odds azincourt arrow --target knight --arrows 1:6 --reading AZ-4.5=six_hits
      wargamesim odds azincourt cannon --set pieces.cannon.range=8 --csv
    """
    from wargamesim.games import registry

    options = _options(context.args)
    if as_json and as_csv:
        raise InputError("either --json or --csv, not both")
    book = _rulebook(rulebook, reading, set_)
    game = registry.get(book.game)
    if not question:
        raise InputError(f"which question? For {book.name}: {', '.join(game.questions)}")
    answer = game.odds(book, question, options)
    if as_csv:
        from wargamesim.report.tables import write_csv

        write_csv(answer)
    else:
        _print(as_json, answer, answer)


@app.command()
def run(
    experiment: Annotated[
        Path, typer.Argument(metavar="EXPERIMENT.toml", help="The experiment's file.", show_default=False)
    ],
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The folder for the results; results/NAME when not given.")
    ] = None,
    battles: Annotated[int | None, typer.Option(metavar="N", help="Battles a cell, in place of the file's.")] = None,
    seed: Annotated[int | None, typer.Option(metavar="S", help="The seed, in place of the file's.")] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", help="Threads; as many as there are processors when not given.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with an interrupted run.")] = False,
) -> None:
    """Play every battle of an experiment and keep them in a folder.

    \b
    Examples:
      wargamesim run experiments/azincourt_deployments.toml
      wargamesim run experiments/azincourt_mud.toml --battles 200 --out results/mud_quick
    """
    from wargamesim.report.progress import Meter
    from wargamesim.simulate import Interrupted, load_experiment
    from wargamesim.simulate import run as play

    loaded = load_experiment(experiment)
    folder = Path("results") / loaded.plan.name if out is None else out
    try:
        with Meter(lambda: _warm_up(loaded.game, loaded.setup(0), loaded.key(0))) as meter:
            results = play(loaded, folder, battles=battles, seed=seed, workers=workers, resume=resume, progress=meter)
    except Interrupted as stop:
        given = {"--out": folder, "--battles": battles, "--seed": seed, "--workers": workers}
        again = ["wargamesim", "run", str(experiment), *_given(given), "--resume"]
        print(f"interrupted: {stop.kept:,} of {stop.total:,} battles are kept; to go on:", file=sys.stderr)
        print(f"  {shlex.join(again)}", file=sys.stderr)
        raise typer.Exit(130) from None
    if results.recomputed:
        print(f"damaged, and written anew: {', '.join(results.recomputed)}")
    cells, speed = len(results.cells), f" ({meter.played / meter.seconds:,.0f} a second)" if meter.played else ""
    print(f"{results.name}: {_counted(cells, 'cell')} of {_counted(results.battles, 'battle')} in {folder}")
    print(f"Played {_counted(meter.played, 'battle')} in {meter.seconds:.1f} s{speed}. Next:")
    crossed = results.manifest["experiment"]["design"] == "crossed"
    a_game = crossed and all(any(key.startswith(f"{side}.") for key in results.factors) for side in results.sides)
    for command in ("show", *(["compare"] if cells > 1 else []), *(["equilibrium"] if a_game else [])):
        print(f"  wargamesim {command} {shlex.quote(str(folder))}")


@app.command()
def show(folder: FolderArgument, as_json: JsonOption = False) -> None:
    """Print how the battles of each cell ended, of a whole or a partial result.

    \b
    Example:
      wargamesim show results/azincourt_deployments
    """
    import wargamesim
    from wargamesim.report import summary

    results = wargamesim.open_results(folder)
    found = wargamesim.outcomes(results)
    _say_if_partial(results)
    _print(as_json, found.table(), *summary.outcome_tables(results, found))


@app.command()
def compare(
    folder: FolderArgument,
    baseline: Annotated[str, typer.Option(metavar="CELL", help="The cell's number, or its levels.")] = "0",
    as_json: JsonOption = False,
) -> None:
    """Compare every cell with a baseline cell, and rank the cells.

    \b
    Examples:
      wargamesim compare results/azincourt_bows --baseline 3
      wargamesim compare results/azincourt_deployments --baseline "line, deep_column"
    """
    import wargamesim
    from wargamesim.report import summary

    results = wargamesim.open_results(folder)
    found = wargamesim.compare(results, baseline=summary.find_cell(results, baseline))
    ranking = wargamesim.rank(results)
    _say_if_partial(results)
    _print(as_json, summary.comparison_table(found, ranking), summary.comparison_view(results, found, ranking))


@app.command()
def equilibrium(
    folder: FolderArgument,
    seed: Annotated[int, typer.Option(metavar="S", min=0, help="Seed of the bootstrap.")] = 0,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE.png", help="Draw the matrix as a heat map.", show_default=False)
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Solve the game of the two sides' choices: the matrix, what each side should choose, and how sure that is.

    \b
    Example:
      wargamesim equilibrium results/azincourt_deployments --plot deployments.png
    """
    import wargamesim
    from wargamesim.report import summary
    from wargamesim.report.progress import working

    with working("solving the game for 1,000 resamples of the battles"):
        games = wargamesim.equilibrium(folder, rng=seed)
    if plot is not None:
        summary.draw(games, plot)
    _print(as_json, summary.equilibrium_table(games), *summary.equilibrium_tables(games))


@app.command()
def replay(
    folder: FolderArgument,
    cell: Annotated[str, typer.Option(metavar="C", help="The cell's number, or its levels.", show_default=False)],
    battle: Annotated[int, typer.Option(metavar="B", help="The battle's number, from 0.", show_default=False)],
) -> None:
    """Tell one battle event by event, each with its rule's id, and draw the board every turn.

    \b
    Example:
      wargamesim replay results/azincourt_deployments --cell "funnel, deep_column" --battle 0
    """
    from wargamesim.games import registry
    from wargamesim.report.replay import replay_lines
    from wargamesim.report.summary import find_cell
    from wargamesim.simulate import open_results

    results = open_results(folder)
    if not 0 <= battle < results.battles:
        raise InputError(f"must be from 0 to {results.battles - 1}, not {battle}", key="--battle")
    number = find_cell(results, cell)
    setup, game = results.setup(number), registry.get(results.game)
    _say_if_cold(f"{game.name}_*/*.nbi")
    for line in replay_lines(game.referee(setup, results.key(number), battle)):
        print(line)


def _print(as_json: bool, wide: Table, *narrow: Table) -> None:
    """Print one table for programs, or some for people."""
    if as_json:
        print(wide.to_json())
        return
    from wargamesim.report.tables import print_table

    for index, table in enumerate(narrow):
        if index:
            print()
        print_table(table)


def _options(arguments: Sequence[str]) -> dict[str, str]:
    """Read the options of a question, ``--name value`` or ``--name=value``."""
    options: dict[str, str] = {}
    left = list(arguments)
    while left:
        name, is_given, value = left.pop(0).partition("=")
        if not name.startswith("--") or name == "--":
            raise InputError(f"'{name}' belongs to no option; options are written --name value")
        if not is_given and (not left or left[0].startswith("--")):
            raise InputError("has no value; write --name value", key=name)
        if name[2:] in options:
            raise InputError("is given twice; several values are written 1,2,3", key=name)
        options[name[2:]] = value if is_given else left.pop(0)
    return options


def _rulebook(name: str, readings: Sequence[str] | None, numbers: Sequence[str] | None) -> Rulebook:
    """Load a rulebook and change it as the options say."""
    from wargamesim.rulebook import load_rulebook

    book = load_rulebook(name)
    changes: dict[str, Any] = {}
    for text in readings or ():
        key, is_given, value = text.partition("=")
        if not is_given:
            raise InputError(f"'{text}' has no =; write ID=OPTION", key="--reading")
        if key not in book.readings:
            raise unknown("reading", key, book.readings, key="--reading")
        changes[key] = value
    for text in numbers or ():
        key, is_given, value = text.partition("=")
        if not is_given:
            raise InputError(f"'{text}' has no =; write PATH=VALUE", key="--set")
        changes[key] = _value(value)
    return book.variant(changes)


def _value(text: str) -> Any:
    """Read a value as TOML has it: 7, 0.5, true, [4, 5]; anything else is a text."""
    import tomllib

    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        return text


def _given(options: Mapping[str, Any]) -> list[str]:
    """Write options as they were given."""
    return [text for name, value in options.items() if value is not None for text in (name, str(value))]


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _say_if_partial(results: Results) -> None:
    if not results.complete:
        done, total = sum(results.done), results.battles * len(results.cells)
        print(f"partial: {done:,} of {total:,} battles; `wargamesim run ... --resume` plays the rest", file=sys.stderr)


def _warm_up(game: Game, setup: Any, key: int) -> None:
    """Play one battle: the kernels are compiled here, where Ctrl-C can stop it and no battle is being timed."""
    _say_if_cold(f"{game.name}_*/battle.play*.nbi")
    game.play(setup, key, 0, 1)


def _say_if_cold(kernels: str) -> None:
    """Say that kernels are about to be compiled, unless files of this pattern show that they have been."""
    from wargamesim.compiled import cache_folder

    if not any(cache_folder().glob(kernels)):
        print("compiling the battle kernels (once for this version, about half a minute)", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
