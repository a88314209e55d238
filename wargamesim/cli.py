"""The command line: parse, call, print.

Exit codes: 0 done; 2 the input is wrong (one line on the standard error stream, nothing written); 130 interrupted;
1 anything else. A command imports what it needs when it runs, so that the exact ones answer at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wargamesim.arguments import PROGRAM, parse
from wargamesim.errors import InputError, unknown

if TYPE_CHECKING:
    from wargamesim.games.registry import Game
    from wargamesim.rulebook import Rulebook
    from wargamesim.simulate import Results
    from wargamesim.table import Table


def main() -> None:
    """Run the command line and exit."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # a terminal that has no ─ or ± shows ?
    sys.exit(call())


def call(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    try:
        code = _obey(arguments)
        sys.stdout.flush()
    except InputError as error:
        return _complain(str(error), 2)
    except BrokenPipeError:
        # Who read the output has seen enough (`| head`); Python must not try to write the rest when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        return _complain(str(error), 1)
    return code


def _obey(arguments: Sequence[str] | None) -> int:
    try:
        given = vars(parse(arguments))
    except SystemExit:  # The help was asked for and printed.
        return 0
    command, version = given.pop("command"), given.pop("version")
    if version:
        import wargamesim

        print(wargamesim.__version__)
    elif command:
        return _COMMANDS[command](**given) or 0
    return 0


def _complain(message: str, code: int) -> int:
    print(f"{PROGRAM}: {' '.join(message.split())}", file=sys.stderr)
    return code


def rules(rulebook: str, reading: Sequence[str], numbers: Sequence[str], as_json: bool) -> None:
    """Print every number, reading and rule of a rulebook."""
    from wargamesim.report.rules import narrow_tables, wide_table

    _, book = _rulebooks(rulebook, reading, numbers)
    _print(as_json, wide_table(book), *narrow_tables(book))


def check(file: Path) -> None:
    """Check a rulebook, a scenario or an experiment."""
    from wargamesim.report.check import describe_file

    print(f"{file}: {describe_file(file)}")


def odds(
    rulebook: str,
    question: str,
    options: Mapping[str, str],
    reading: Sequence[str],
    numbers: Sequence[str],
    as_json: bool,
    as_csv: bool,
    against: bool,
    plot: Path | None,
) -> None:
    """Answer a question about the dice exactly; without options of its own by its standard table."""
    from wargamesim.games import registry

    if as_json and as_csv:
        raise InputError("either --json or --csv, not both")
    if against and not (reading or numbers):
        raise InputError("compares a changed rulebook with the unchanged one: give --reading or --set", key="--against")
    if plot is not None:
        from wargamesim.report.plots import check_path

        check_path(plot)
    unchanged, book = _rulebooks(rulebook, reading, numbers)
    game = registry.get(book.game)
    if not question:
        raise InputError(f"which question? For {book.name}: {', '.join(game.questions)}")
    answer, before = game.odds(book, question, options), None
    if against:
        try:
            before = game.odds(unchanged, question, options)
        except InputError as error:
            raise InputError(f"the unchanged rulebook has no answer: {error}", key="--against") from None
    if plot is not None:
        from wargamesim.report.odds_plot import draw

        draw(answer, before, path=plot)
    wide, narrow = answer, [answer]
    if before is not None:
        from wargamesim.report.against import narrow_tables, wide_table

        wide, narrow = wide_table(answer, before), narrow_tables(answer, before)
    if as_csv:
        from wargamesim.report.tables import write_csv

        write_csv(wide)
    else:
        _print(as_json, wide, *narrow)


def run(
    experiment: Path, out: Path | None, battles: int | None, seed: int | None, workers: int | None, resume: bool
) -> int | None:
    """Play every battle of an experiment and keep them in a folder."""
    import shlex

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
        return 130
    if results.recomputed:
        print(f"damaged, and written anew: {', '.join(results.recomputed)}")
    cells, speed = len(results.cells), f" ({meter.played / meter.seconds:,.0f} a second)" if meter.played else ""
    print(f"{results.name}: {_counted(cells, 'cell')} of {_counted(results.battles, 'battle')} in {folder}")
    print(f"Played {_counted(meter.played, 'battle')} in {meter.seconds:.1f} s{speed}. Next:")
    crossed = results.manifest["experiment"]["design"] == "crossed"
    a_game = crossed and all(any(key.startswith(f"{side}.") for key in results.factors) for side in results.sides)
    for command in ("show", *(["compare"] if cells > 1 else []), *(["equilibrium"] if a_game else [])):
        print(f"  wargamesim {command} {shlex.quote(str(folder))}")
    return None


def show(folder: Path, as_json: bool) -> None:
    """Print how the battles of each cell ended, of a whole or a partial result."""
    import wargamesim
    from wargamesim.report import summary

    results = wargamesim.open_results(folder)
    found = wargamesim.outcomes(results)
    _say_if_partial(results)
    _print(as_json, found.table(), *summary.outcome_tables(results, found))


def compare(folder: Path, baseline: str, as_json: bool) -> None:
    """Compare every cell with a baseline cell, and rank the cells."""
    import wargamesim
    from wargamesim.report import summary

    results = wargamesim.open_results(folder)
    found = wargamesim.compare(results, baseline=summary.find_cell(results, baseline))
    ranking = wargamesim.rank(results)
    _say_if_partial(results)
    _print(as_json, summary.comparison_table(found, ranking), summary.comparison_view(results, found, ranking))


def effect(folder: Path, factor: str, metrics: str, as_json: bool) -> None:
    """Compare each level of a factor with its first one, in every case of the other factors."""
    import wargamesim
    from wargamesim.report import effects

    results = wargamesim.open_results(folder)
    wanted = effects.find_metrics(results, metrics)
    found = wargamesim.effect(results, effects.find_factor(results, factor), metrics=wanted)
    _say_if_partial(results)
    _print(as_json, found.table(), effects.view(results, found))


def equilibrium(folder: Path, seed: int, plot: Path | None, as_json: bool) -> None:
    """Solve the game of the two sides' choices: the matrix, what each side should choose, and how sure that is."""
    import wargamesim
    from wargamesim.report import summary
    from wargamesim.report.progress import working

    with working("solving the game for 1,000 resamples of the battles"):
        games = wargamesim.equilibrium(folder, rng=seed)
    if plot is not None:
        summary.draw(games, plot)
    _print(as_json, summary.equilibrium_table(games), *summary.equilibrium_tables(games))


def replay(folder: Path, cell: str, battle: int) -> None:
    """Tell one battle event by event, each with its rule's id, and draw the board every turn."""
    from wargamesim.games import registry
    from wargamesim.report.replay import replay_lines
    from wargamesim.report.summary import find_cell
    from wargamesim.simulate import open_results

    results = open_results(folder)
    if not 0 <= battle < results.battles:
        raise InputError(f"must be from 0 to {results.battles - 1}, not {battle}", key="--battle")
    number = find_cell(results, cell)
    setup, game = results.setup(number), registry.get(results.game)
    _say_if_cold(game, "*.nbi")
    for line in replay_lines(game.referee(setup, results.key(number), battle)):
        print(line)


_COMMANDS: Mapping[str, Callable[..., int | None]] = {
    command.__name__: command for command in (rules, check, odds, run, show, compare, effect, equilibrium, replay)
}


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


def _rulebooks(name: str, readings: Sequence[str], numbers: Sequence[str]) -> tuple[Rulebook, Rulebook]:
    """Load a rulebook; return it as it stands, and changed as the options say."""
    from wargamesim.rulebook import load_rulebook

    book = load_rulebook(name)
    changes: dict[str, Any] = {}
    for text in readings:
        key, is_given, value = text.partition("=")
        if not is_given:
            raise InputError(f"'{text}' has no =; write ID=OPTION", key="--reading")
        if key not in book.readings:
            raise unknown("reading", key, book.readings, key="--reading")
        changes[key] = value
    for text in numbers:
        key, is_given, value = text.partition("=")
        if not is_given:
            raise InputError(f"'{text}' has no =; write PATH=VALUE", key="--set")
        changes[key] = _value(value)
    return book, book.variant(changes)


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
    _say_if_cold(game, "battle.play*.nbi")
    game.play(setup, key, 0, 1)


def _say_if_cold(game: Game, kernels: str) -> None:
    """Say that a game's kernels are about to be compiled, unless files of this pattern show that they have been."""
    from wargamesim.compiled import cache_folder

    if not any(cache_folder(f"games/{game.name}").rglob(kernels)):
        print("compiling the battle kernels (once for this version, up to two minutes)", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
