"""The command line: what each command prints, as text and as JSON, and what it says of wrong input."""

from __future__ import annotations

import csv
import io
import json
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from wargamesim import cli, open_results
from wargamesim.errors import InputError
from wargamesim.games import registry
from wargamesim.rulebook import load_rulebook
from wargamesim.simulate import Interrupted

WARGAMESIM = str(Path(sys.executable).with_name("wargamesim"))
COMMANDS = ("rules", "check", "odds", "run", "show", "compare", "equilibrium", "replay")

DEPLOYMENTS = """
name = "four"
rulebook = "azincourt"
scenario = "azincourt_1415"
seed = 3
battles = 12
[factors]
english.deployment = ["line", "wedges"]
french.deployment = ["cavalry_first", "deep_column"]
"""

HOUSE_RULES = """
name = "longer_bows"
extends = "azincourt"
[set]
pieces.archer.range = 8
"AZ-4.5" = "six_hits"
"""


class Done(NamedTuple):
    """What a command left: exit code, standard output, standard error."""

    code: int
    out: str
    err: str

    @property
    def table(self) -> tuple[list[str], list[list[Any]]]:
        """Columns and rows of the one line of JSON that was printed, and of nothing else."""
        assert (self.code, self.err) == (0, "")
        assert self.out.count("\n") == 1
        content = json.loads(self.out)
        assert list(content) == ["columns", "rows"]
        assert all(len(row) == len(content["columns"]) for row in content["rows"])
        return content["columns"], content["rows"]

    @property
    def records(self) -> list[dict[str, Any]]:
        columns, rows = self.table
        return [dict(zip(columns, row, strict=True)) for row in rows]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Any:
    """Run a command in this process."""

    def run(*arguments: object) -> Done:
        capsys.readouterr()
        code = cli.call([str(argument) for argument in arguments])
        return Done(code, *capsys.readouterr())

    return run


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of results, 2 x 2 deployments of 12 battles; its experiment lies beside it."""
    folder = tmp_path_factory.mktemp("cli")
    (folder / "four.toml").write_text(DEPLOYMENTS, encoding="utf-8")
    assert cli.call(["run", str(folder / "four.toml"), "--out", str(folder / "results")]) == 0
    return folder / "results"


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder with its bytes."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_list_of_commands(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    done = call("--help")
    assert max(map(len, done.out.splitlines())) <= 80
    assert done.code == 0
    assert all(f"\n  {command} " in done.out for command in COMMANDS)
    assert call() == done


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_an_example(call: Any, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    done = call(command, "--help")
    assert done.code == 0
    assert f"wargamesim {command} " in done.out.split("Example", 1)[1]
    assert max(map(len, done.out.splitlines())) <= 80


def test_version(call: Any) -> None:
    from importlib.metadata import version

    assert call("--version") == Done(0, f"{version('wargamesim')}\n", "")


# --- rules and check


def test_rules_as_json_has_every_id(call: Any) -> None:
    records = call("rules", "azincourt", "--json").records
    ids = (Path(__file__).with_name("azincourt_ids.txt")).read_text(encoding="utf-8").split()
    assert {record["id"] for record in records} == {name for name in ids if name.startswith("AZ-")}
    [bow] = [record for record in records if record["path"] == "pieces.archer.range"]
    assert (bow["id"], bow["value"], bow["unit"], bow["provenance"], bow["range"]) == (
        *("AZ-4.1", 6, "squares", "seed"),
        "0..60",
    )
    [six] = [record for record in records if record["id"] == "AZ-4.5" and not record["path"]]
    assert (six["value"], six["provenance"]) == ("literal", "reading")
    assert six["alternatives"].startswith("six_hits: ")


def test_rules_as_text(call: Any, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(HOUSE_RULES, encoding="utf-8")
    done = call("rules", tmp_path / "mine.toml", "--set", "cannon.dice_max=3")
    lines = done.out.splitlines()
    assert [line.split() for line in lines if "pieces.archer.range" in line or "dice_max" in line] == [
        ["AZ-4.1", "pieces.archer.range", "8", "squares", "0..60", "house"],
        ["AZ-5.1", "cannon.dice_max", "3", "dice", "1..6", "house"],
    ]
    assert [line.split()[:2] for line in lines if "six_hits" in line] == [["*", "six_hits"]]
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("file", "found"),
    [
        ("data/rulebooks/azincourt.toml", "a valid rulebook of azincourt: "),
        ("data/scenarios/azincourt/mirror.toml", "a valid scenario of azincourt: "),
        ("experiments/azincourt_deployments.toml", "a valid experiment: 25 cells x 1,000 battles"),
        ("experiments/azincourt_readings.toml", "a valid experiment: 22 cells x 1,000 battles"),
    ],
)
def test_check_says_what_a_file_is(call: Any, file: str, found: str) -> None:
    done = call("check", Path(__file__).parents[1] / file)
    assert (done.code, done.err) == (0, "")
    assert f"{file}: {found}" in done.out


# --- odds: the exact values of the rules digest


def close(rows: Sequence[Sequence[float]], exact: Sequence[Sequence[Fraction | int]]) -> bool:
    return len(rows) == len(exact) and all(
        len(row) == len(other) and all(abs(float(b) - a) < 1e-12 for a, b in zip(row, other, strict=True))
        for row, other in zip(rows, exact, strict=True)
    )


def thirds(*cells: tuple[str, str, str]) -> list[list[Fraction]]:
    return [[Fraction(part) for part in cell] for cell in cells]


def test_odds_of_mud(call: Any) -> None:
    columns, rows = call("odds", "azincourt", "mud", "--json").table
    assert columns == ["mud (squares)", "exactly", "at least"]
    exactly = [Fraction(text) for text in ("1/6", "5/18", "2/9", "1/6", "1/9", "1/18")]
    assert close(rows, [[n, p, sum(exactly[n:])] for n, p in enumerate(exactly)])


def test_odds_of_arrows(call: Any) -> None:
    records = call("odds", "azincourt", "arrow", "--json").records
    parts = {record["target"]: [record["removed"], record["unhorsed"], record["unharmed"]] for record in records}
    assert close([parts["knight"], parts["infantry"]], thirds(("1/3", "1/3", "1/3"), ("1/3", "0", "2/3")))
    [six] = call("odds", "azincourt", "arrow", "--target", "infantry", "--reading", "AZ-4.5=six_hits", "--json").records
    assert six["removed"] == 0.5


def test_odds_of_a_knight(call: Any) -> None:
    _, rows = call("odds", "azincourt", "knight", "--arrows", "2,3,4,6", "--json").table
    exact = thirds(
        ("1/9", "1/3", "5/9"), ("1/27", "7/27", "19/27"), ("1/81", "5/27", "65/81"), ("1/729", "7/81", "665/729")
    )
    assert close(rows, [[n, *parts] for n, parts in zip((2, 3, 4, 6), exact, strict=True)])


def test_odds_of_close_combat_by_difference(call: Any) -> None:
    _, rows = call("odds", "azincourt", "melee", "--json").table
    wins = ("0", "1/34", "1/11", "3/16", "10/31", "1/2", "21/31", "13/16", "10/11", "33/34", "1")
    assert close(rows, [[n, Fraction(p), 1 - Fraction(p)] for n, p in zip(range(-5, 6), wins, strict=True)])


@pytest.mark.parametrize(
    ("attackers", "exact"),
    [
        ("archer", ("19/192", "5/6", "13/192")),
        ("infantry", ("113/558", "13/18", "7/93")),
        ("foot_knight", ("25/72", "7/12", "5/72")),
        ("foot_knight,infantry,archer", ("163/198", "1/6", "1/99")),
    ],
)
def test_odds_of_an_attack_on_a_knight(call: Any, attackers: str, exact: tuple[str, str, str]) -> None:
    won, lost = call(*("odds", "azincourt", "melee", "--attacker", attackers, "--defender=knight", "--json")).records
    assert close([[won["in all"], lost["at once"], lost["after tie"]]], thirds(exact))


def test_odds_of_a_cannon(call: Any) -> None:
    _, rows = call("odds", "azincourt", "cannon", "--json").table
    one = [Fraction(1, 6)] * 6 + [Fraction(0)] * 6
    two = [Fraction(max(0, 6 - abs(n - 7)), 36) for n in range(1, 13)]
    best = [1] * 6 + [2] * 6
    assert close(rows, [[n + 1, one[n], two[n], best[n], max(one[n], two[n])] for n in range(12)])


def test_odds_as_csv_are_those_of_json(call: Any) -> None:
    columns, rows = call("odds", "azincourt", "cannon", "--distance", "5:9:2,13", "--json").table
    written = list(csv.reader(io.StringIO(call("odds", "azincourt", "cannon", "--distance", "5:9:2,13", "--csv").out)))
    assert written[0] == columns
    assert [[float(cell) if cell else None for cell in row] for row in written[1:]] == rows
    assert rows[-1] == [13, 0, 0, None, 0]


def test_odds_as_text(call: Any) -> None:
    done = call("odds", "azincourt", "arrow", "--arrows=0:2", "--target", "knight")
    assert done.out.splitlines()[1:6] == [
        "target  arrows  removed  unhorsed  unharmed",
        "───────────────────────────────────────────",
        "knight       0   0.0000    0.0000    1.0000",
        "knight       1   0.3333    0.3333    0.3333",
        "knight       2   0.5556    0.3333    0.1111",
    ]


@pytest.mark.parametrize("question", ["mud", "arrow", "melee", "cannon", "knight"])
def test_odds_fit_a_terminal(call: Any, question: str) -> None:
    done = call("odds", "azincourt", question)
    assert done.code == 0
    assert max(map(len, done.out.splitlines())) <= 80


def test_options_stand_in_any_order(call: Any) -> None:
    asked = call("odds", "nordamerica", "hit", "--modifier", "-2:2", "--weapon=rifle", "--set", "falls.die=8", "--json")
    assert [record["modifier"] for record in asked.records if record["distance (cm)"] == 30] == [-2, -1, 0, 1, 2]
    words = ("--set=falls.die=8", "--json", "hit", "--weapon", "rifle", "--modifier=-2:2")
    assert call("odds", "nordamerica", *words) == asked
    assert call("odds", "--json", "nordamerica", "--modifier", "-2:2", *words[:1], "hit", "--weapon=rifle") == asked


def test_numbers_and_readings_given_on_the_command_line(call: Any) -> None:
    changes = ("--set", "arrow.foot.removes=[3, 4, 5, 6]", "--reading", "AZ-4.9=immune")
    records = call("odds", "azincourt", "arrow", "--target", "archer,cannon", *changes, "--json").records
    assert [record["removed"] for record in records] == [pytest.approx(4 / 6, abs=1e-12), 0]


# --- odds: beside the unchanged rulebook, and drawn

# A change of each rulebook that changes the standard table of every question.
CHANGES = {
    "azincourt": ("AZ-4.5=six_hits", "AZ-2.5=reroll", "melee.die=8", "cannon.dice_max=3"),
    "nordamerica": (
        *("NA-4.11=strict", "NA-7.6a=all_d6", "NA-4.15=one_ten", "weapons.musket.die=8", "morale.die=8"),
        *("quality.regular.marker_muzzle=3", "deck.jokers=3", "falls.die=8"),
    ),
    "risorgimento": (
        *("RI-7.4a=all_d6", "RI-6.2=cumulative", "weapons.rifled_musket.die=10", "morale.die=8", "deck.jokers=3"),
        "quality.conscript.marker_muzzle=3",
    ),
    "stirling": ("SS-P40=2d6", "SS-P04=alternate", "SS-P15=both_floor", "attack.die=24"),
    "coloniale": (
        *("rally.need=4", "rifle.need_open=4", "cannon.near_need=4", "assault.need=4", "march.road.die=8"),
        "discipline.regular=[6]",
    ),
}
# What a rulebook has no rules for.
UNANSWERED = {("nordamerica", "repeater"), *(("risorgimento", name) for name in ("volley", "blind", "checks"))}
QUESTIONS = [
    (book, question)
    for book in CHANGES
    for question in registry.get(load_rulebook(book).game).questions
    if (book, question) not in UNANSWERED
]


def changes(book: str) -> list[str]:
    """Return the options that change a rulebook: readings have a capital, numbers have none."""
    return [f"--{'reading' if change[0].isupper() else 'set'}={change}" for change in CHANGES[book]]


@pytest.mark.parametrize(("book", "question"), QUESTIONS)
def test_against_has_both_answers_and_their_difference(call: Any, book: str, question: str) -> None:
    asked = ("odds", book, question)
    now = call(*asked, *changes(book), "--json").records
    then = call(*asked, "--json").records
    columns, _ = (done := call(*asked, *changes(book), "--against", "--json")).table
    measures = [name.removesuffix(" before") for name in columns if name.endswith(" before")]
    keys = [name for name in columns if name.split(" before")[0] not in measures and not name.endswith(" difference")]
    assert keys
    assert measures
    merged = {json.dumps([record[key] for key in keys]): record for record in done.records}
    assert len(merged) == len(done.records)
    for records, suffix in ((now, ""), (then, " before")):
        seen = {json.dumps([record[key] for key in keys]): record for record in records}
        assert set(seen) <= set(merged)
        for key, record in merged.items():
            told = {name: record[name + suffix] for name in measures}
            assert told == {name: seen.get(key, {}).get(name) for name in measures}
    differences = []
    for record in done.records:
        for name in measures:
            if f"{name} difference" in record:
                pair = record[name], record[f"{name} before"]
                expected = None if None in pair else pair[0] - pair[1]
                assert record[f"{name} difference"] == expected
                differences.append(expected)
    assert any(difference is None or abs(difference) > 1e-3 for difference in differences)


@pytest.mark.parametrize(("book", "question"), QUESTIONS)
def test_against_as_text_fits_and_shows_what_differs(call: Any, book: str, question: str) -> None:
    done = call("odds", book, question, *changes(book), "--against")
    assert (done.code, done.err) == (0, "")
    assert max(map(len, done.out.splitlines())) <= 80
    assert "difference" in done.out
    assert "Nothing differs" not in done.out


def test_against_as_csv_is_that_of_json(call: Any) -> None:
    asked = ("odds", "azincourt", "cannon", "--set", "cannon.dice_max=3", "--against")
    columns, rows = call(*asked, "--json").table
    written = list(csv.reader(io.StringIO(call(*asked, "--csv").out)))
    assert columns[:4] == ["distance (squares)", "1 die", "1 die before", "1 die difference"]
    assert written[0] == columns
    assert [[float(cell) if cell else None for cell in row] for row in written[1:]] == rows
    assert {row[columns.index("3 dice before")] for row in rows} == {None}


def test_against_what_is_the_same(call: Any) -> None:
    done = call("odds", "azincourt", "mud", "--set", "pieces.cannon.range=9", "--against")
    assert done.out.startswith("Nothing differs: all 6 rows of the answer are what they were before the change.\n")


def test_against_a_designers_file_not_the_one_it_extends(call: Any, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(HOUSE_RULES, encoding="utf-8")
    asked = ("odds", tmp_path / "mine.toml", "arrow", "--target", "infantry", "--json")
    [record] = call(*asked, "--against", "--reading", "AZ-4.5=literal").records
    assert (record["removed"], record["removed before"]) == (pytest.approx(1 / 3), 0.5)


@pytest.mark.parametrize("arguments", [[], ["--against", "--reading", "AZ-2.5=reroll"], ["--json"]])
def test_an_answer_is_drawn_and_printed(call: Any, tmp_path: Path, arguments: list[str]) -> None:
    asked = ("odds", "azincourt", "mud", *arguments)
    assert call(*asked, "--plot", tmp_path / "odds.svg") == call(*asked)
    figure = (tmp_path / "odds.svg").read_text(encoding="utf-8")
    assert figure.startswith("<?xml")
    assert ("dashed: before the change" in figure) is ("--against" in arguments)


# --- run


def test_run_says_what_it_did_and_what_comes_next(call: Any, played: Path, tmp_path: Path) -> None:
    done = call("run", played.parent / "four.toml", "--out", tmp_path / "out", "--battles", 1)
    lines = done.out.splitlines()
    assert done.code == 0
    assert lines[0] == f"four: 4 cells of 1 battle in {tmp_path / 'out'}"
    assert lines[1].startswith("Played 4 battles in ")
    assert [line.split()[1] for line in lines[2:]] == ["show", "compare", "equilibrium"]
    assert open_results(tmp_path / "out").done == [1, 1, 1, 1]


def test_run_writes_into_results_by_default(
    call: Any, played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert call("run", played.parent / "four.toml", "--battles", 1, "--seed", 0).code == 0
    assert open_results("results/four").manifest["experiment"]["seed"] == 0


def test_same_bytes_for_any_workers(call: Any, played: Path, tmp_path: Path) -> None:
    for workers in (1, 2):
        done = call("run", played.parent / "four.toml", "--out", tmp_path / str(workers), "--workers", workers)
        assert done.code == 0
        assert contents(tmp_path / str(workers)) == contents(played)


def test_resuming_a_whole_run_plays_nothing(call: Any, played: Path) -> None:
    before = contents(played)
    done = call("run", played.parent / "four.toml", "--out", played, "--resume")
    assert done.code == 0
    assert "Played 0 battles" in done.out
    assert contents(played) == before


def test_resuming_names_what_was_damaged(call: Any, played: Path, tmp_path: Path) -> None:
    call("run", played.parent / "four.toml", "--out", tmp_path / "out")
    part = tmp_path / "out" / "parts" / "cell_00002_part_00000.parquet"
    part.write_bytes(part.read_bytes()[:-20])
    done = call("run", played.parent / "four.toml", "--out", tmp_path / "out", "--resume")
    assert "damaged, and written anew: cell_00002_part_00000.parquet" in done.out
    assert contents(tmp_path / "out") == contents(played)


def test_compiling_is_announced(call: Any, played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wargamesim.compiled.cache_folder", lambda _: tmp_path / "cache")
    said = "compiling the battle kernels (once for this version, up to two minutes)\n"
    run = ("run", played.parent / "four.toml", "--battles", 1, "--out")
    replay = ("replay", played, "--cell", 0, "--battle", 0)
    assert call(*run, tmp_path / "cold").err == call(*replay).err == said
    kernels = tmp_path / "cache" / "azincourt_0123"
    kernels.mkdir(parents=True)
    (kernels / "orders.decide-40.py311.nbi").touch()
    assert call(*run, tmp_path / "referee").err == said
    assert call(*replay).err == ""
    (kernels / "battle.play_battles-134.py311.nbi").touch()
    assert call(*run, tmp_path / "warm").err == ""


def test_an_interruption_says_how_to_go_on(
    call: Any, played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise Interrupted(tmp_path / "my out", 1000, 4000)

    monkeypatch.setattr("wargamesim.simulate.run", stopped)
    experiment = played.parent / "four.toml"
    done = call("run", experiment, "--out", tmp_path / "my out", "--battles", 1000, "--workers", 2)
    assert (done.code, done.out) == (130, "")
    assert done.err.splitlines() == [
        "interrupted: 1,000 of 4,000 battles are kept; to go on:",
        f"  wargamesim run {experiment} --out '{tmp_path / 'my out'}' --battles 1000 --workers 2 --resume",
    ]


@pytest.mark.usefixtures("played")  # the kernels are compiled
def test_ctrl_c_keeps_what_is_finished_and_resuming_ends_in_the_same_bytes(tmp_path: Path) -> None:
    text = DEPLOYMENTS.replace("12", "3000").replace('["line", "wedges"]', '["line"]')
    (tmp_path / "long.toml").write_text(text, encoding="utf-8")
    command = [WARGAMESIM, "run", "long.toml", "--out"]
    process = subprocess.Popen(
        [*command, "stopped"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    while process.poll() is None and not list((tmp_path / "stopped").glob("parts/cell_*.parquet")):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 130, err
    assert "Traceback" not in err
    again = err.splitlines()[-1].split()
    assert again == ["wargamesim", "run", "long.toml", "--out", "stopped", "--resume"]
    kept = contents(tmp_path / "stopped")
    assert 2 <= len(kept) < 5
    for arguments in ([WARGAMESIM, *again[1:]], [*command, "whole"]):
        assert subprocess.run(arguments, cwd=tmp_path, capture_output=True, check=True).returncode == 0
    whole = contents(tmp_path / "whole")
    assert len(whole) == 5
    assert contents(tmp_path / "stopped") == whole
    assert kept.items() <= whole.items()


# --- show, compare, equilibrium


def test_show_as_json_counts_the_battles(call: Any, played: Path) -> None:
    table = open_results(played).table()
    records = call("show", played, "--json").records
    assert [(record["english.deployment"], record["french.deployment"]) for record in records] == [
        *(("line", "cavalry_first"), ("line", "deep_column")),
        *(("wedges", "cavalry_first"), ("wedges", "deep_column")),
    ]
    for record in records:
        cell = table[table["cell"] == record["cell"]]
        for index, outcome in enumerate(open_results(played).outcomes):
            assert record[outcome] == pytest.approx((cell["outcome"] == index).mean(), abs=1e-12)
        won, undecided = (cell["outcome"] == 0).mean(), (cell["outcome"] >= 2).mean()
        assert record["score"] == pytest.approx(won + undecided / 2, abs=1e-12)
        assert record["score_low"] <= record["score"] <= record["score_high"]
        assert record["french_losses"] == pytest.approx(cell["french_losses"].mean(), abs=1e-12)
        assert (record["battles"], record["turns_low"] < record["turns"]) == (12, True)


def test_show_as_text(call: Any, played: Path) -> None:
    record = call("show", played, "--json").records[2]
    done = call("show", played)
    lines = [line.split() for line in done.out.splitlines()]
    ends, lengths = [line for line in lines if line[1:4] == ["wedges", "/", "cavalry_first"]]
    half = (record["score_high"] - record["score_low"]) / 2
    assert ends[4:6] == [f"{record['score']:.3f}", f"±{half:.3f}"]
    assert [float(share) for share in ends[6::2]] == [
        round(100 * record[outcome], 1) for outcome in ("english", "french", "draw", "no_decision")
    ]
    assert lengths[4::2] == [f"{record[name]:.2f}" for name in ("turns", "english_losses", "french_losses")]
    assert max(map(len, done.out.splitlines())) <= 80


def test_a_factor_may_be_a_metric_too(call: Any, tmp_path: Path) -> None:
    """Mud is measured in every battle, and an experiment may fix it."""
    text = DEPLOYMENTS.split("[factors]")[0] + "[factors]\nmud = [0, 4]\n"
    (tmp_path / "mud.toml").write_text(text, encoding="utf-8")
    assert call("run", tmp_path / "mud.toml", "--out", tmp_path / "out", "--battles", 2).code == 0
    assert [record["mud"] for record in call("show", tmp_path / "out", "--json").records] == [0, 4]


def test_a_partial_result_is_called_so(call: Any, played: Path, tmp_path: Path) -> None:
    call("run", played.parent / "four.toml", "--out", tmp_path / "out")
    (tmp_path / "out" / "parts" / "cell_00003_part_00000.parquet").unlink()
    for command in ("show", "compare"):
        done = call(command, tmp_path / "out")
        assert done.code == 0
        assert done.err.startswith("partial: 36 of 48 battles; ")
        assert "nan" not in done.out
    rows = json.loads(call("show", tmp_path / "out", "--json").out)["rows"]
    assert [row[3] for row in rows] == [12, 12, 12, 0]
    assert rows[3][4:6] == [None, 0]


def test_compare_ranks_the_cells(call: Any, played: Path) -> None:
    records = call("compare", played, "--baseline", "2", "--json").records
    assert [record["rank"] for record in records] == [1, 2, 3, 4]
    scores = {record["cell"]: record["score"] for record in records}
    assert list(scores.values()) == sorted(scores.values(), reverse=True)
    for record in records:
        if record["cell"] == 2:
            assert record["difference"] is None
        else:
            assert record["pairs"] == 12
            assert record["difference"] == pytest.approx(scores[record["cell"]] - scores[2], abs=1e-12)
            assert record["p"] <= record["p_holm"] <= 1


def test_a_baseline_may_be_named_by_its_levels(call: Any, played: Path) -> None:
    by_number = call("compare", played, "--baseline", 2)
    for name in ("wedges, cavalry_first", "french.deployment=cavalry_first,english.deployment = wedges"):
        assert call("compare", played, "--baseline", name) == by_number
    assert by_number.code == 0
    assert "against cell 2, wedges / cavalry_first" in by_number.out
    assert max(map(len, by_number.out.splitlines())) <= 80


def test_effect_compares_within_each_case(call: Any, played: Path) -> None:
    records = call("effect", played, "english.deployment", "--metrics", "turns", "--json").records
    scores = {record["cell"]: record["score"] for record in call("compare", played, "--json").records}
    assert [(record["cell"], record["baseline"]) for record in records] == [(2, 0), (3, 1)]
    for record in records:
        expected = scores[record["cell"]] - scores[record["baseline"]]
        assert record["difference"] == pytest.approx(expected, abs=1e-12)
        assert record["turns_change_low"] <= record["turns_change"] <= record["turns_change_high"]
    read = call("effect", played, "english.deployment", "--metrics", "turns")
    assert (read.code, max(map(len, read.out.splitlines())) <= 80) == (0, True)
    assert call("effect", played, "deployment").code == 2


def test_equilibrium_as_json(call: Any, played: Path) -> None:
    records = call("equilibrium", played, "--json").records
    [value] = [record for record in records if record["what"] == "value"]
    assert value["low"] <= value["estimate"] <= value["high"]
    matrix = {(r["english"], r["french"]): r["estimate"] for r in records if r["what"] == "score"}
    shown = call("show", played, "--json").records
    assert matrix == {(r["english.deployment"], r["french.deployment"]): r["score"] for r in shown}
    mix = {side: [r for r in records if r["what"] == "share" and r[side]] for side in ("english", "french")}
    assert [sum(r["estimate"] for r in mix[side]) for side in mix] == [pytest.approx(1), pytest.approx(1)]
    for row in mix["english"]:
        # No choice scores more than the value against the other side's mix.
        score = sum(column["estimate"] * matrix[row["english"], column["french"]] for column in mix["french"])
        assert score <= value["estimate"] + 1e-9


def test_equilibrium_as_text(call: Any, played: Path) -> None:
    done = call("equilibrium", played)
    assert done.code == 0
    assert "The English should choose " in done.out
    assert "The French should choose " in done.out
    assert max(map(len, done.out.splitlines())) <= 80
    assert call("equilibrium", played) == done


def test_the_seed_of_the_bootstrap(call: Any, played: Path) -> None:
    intervals = []
    for seed in (0, 0, 1):
        records = call("equilibrium", played, "--seed", seed, "--json").records
        intervals.append([(r["low"], r["high"], r["played_in_resamples"]) for r in records if r["what"] != "score"])
    assert intervals[0] == intervals[1] != intervals[2]


def test_equilibrium_draws_a_heat_map(call: Any, played: Path, tmp_path: Path) -> None:
    assert call("equilibrium", played, "--plot", tmp_path / "map.png").code == 0
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")


# --- replay


@pytest.mark.parametrize("battle", [0, 7, 11])
def test_a_replay_ends_as_the_battle_did(call: Any, played: Path, battle: int) -> None:
    results = open_results(played)
    table = results.table().set_index(["cell", "battle"])
    recorded = table.loc[1, battle]
    done = call("replay", played, "--cell", "line, deep_column", "--battle", battle)
    assert done.code == 0
    turns = [line for line in done.out.splitlines() if line.startswith("Turn ")]
    assert turns[-1].split()[1].rstrip(":") == str(recorded["turns"])
    assert f"outcome: {results.outcomes[recorded['outcome']]}" in " ".join(done.out.split())
    told = [line for line in done.out.splitlines() if line.startswith("  AZ-")]
    assert len(told) > len(turns)
    assert max(map(len, done.out.splitlines())) <= 80
    assert done.out.count("      0         1         2\n") >= len(turns)


# --- wrong input

WRONG = [
    (["rule", "azincourt"], "No such command 'rule'. Did you mean 'rules'?"),
    (["rules"], "the following arguments are required: RULEBOOK"),
    (["rules", "azincurt"], "unknown rulebook 'azincurt'; did you mean 'azincourt'?"),
    (["rules", "azincourt", "--jsn"], "No such option: --jsn. Did you mean --json?"),
    (["rules", "azincourt", "--set", "pieces.archer.range"], "--set: 'pieces.archer.range' has no ="),
    (["rules", "azincourt", "--set", "pieces.archer.range=99"], "must be an integer from 0 to 60 (squares), not 99"),
    (["rules", "azincourt", "--set", "pieces.archer.rang=7"], "did you mean 'pieces.archer.range'"),
    (["rules", "azincourt", "--reading", "AZ-4.55=six_hits"], "unknown reading 'AZ-4.55'; did you mean 'AZ-4.5'?"),
    (["rules", "azincourt", "--reading", "AZ-4.5=six"], "unknown option 'six'; did you mean 'six_hits'?"),
    (["rules", "azincourt", "--reading", "AZ-4.5"], "--reading: 'AZ-4.5' has no ="),
    (["odds", "azincourt"], "which question? For azincourt: mud, arrow, melee, cannon, knight"),
    (["odds", "azincourt", "mele"], "unknown question 'mele'; did you mean 'melee'?"),
    (["odds", "azincourt", "arrow", "--targets", "knight"], "unknown option 'targets'; did you mean 'target'?"),
    (["odds", "azincourt", "arrow", "--target"], "--target: has no value"),
    (["odds", "azincourt", "arrow", "--target", "--arrows", "3"], "--target: has no value"),
    (["odds", "azincourt", "arrow", "--target", "knigt"], "unknown piece type 'knigt'; did you mean 'knight'?"),
    (["odds", "azincourt", "arrow", "--arrows", "-1"], "--arrows: must be from 0 to 1000, not -1"),
    (["odds", "azincourt", "arrow", "--arrows", "3", "--arrows", "4"], "--arrows: is given twice"),
    (["odds", "azincourt", "arrow", "stray"], "'stray' belongs to no option"),
    (["odds", "azincourt", "mud", "--json", "--csv"], "either --json or --csv"),
    (["odds", "azincourt", "mud", "--jsn"], "No such option: --jsn. Did you mean --json?"),
    (["odds", "azincourt", "mud", "--raeding", "AZ-2.5=reroll"], "No such option: --raeding. Did you mean --reading?"),
    (["odds", "azincourt", "mud", "--reading"], "--reading: expected one argument"),
    (["odds", "azincourt", "mud", "--against"], "--against: compares a changed rulebook with the unchanged one: give"),
    (
        ["odds", "risorgimento", "checks", "--reading", "RI-4.7=allowed", "--against"],
        "--against: the unchanged rulebook has no answer: the rulebook 'risorgimento' has no single tests",
    ),
    (["odds", "azincourt", "mud", "--plot", "mud.gif"], "mud.gif: must end in .png, .svg, .pdf, not '.gif'"),
    (["odds", "azincourt", "mud", "--plot", "nowhere/mud.png"], "nowhere: is no folder"),
    (["odds", "azincourt", "mut", "--plot", "foreign.png"], "unknown question 'mut'"),
    (
        ["odds", "coloniale", "rally", "--discipline", "3:17", "--markers", "0:13", "--plot", "foreign.png"],
        "--plot: would need 14 lines, and more than 12 cannot be read; narrow markers (14 values)",
    ),
    (["rules", "azincourt", "stray"], "Unexpected argument 'stray'."),
    (["check", "missing.toml"], "missing.toml: no such file"),
    (["check", "foreign.toml"], "foreign.toml: is nothing that can be checked"),
    (["check", "cut.toml"], "cut.toml: is not valid TOML"),
    (["check", "misspelt.toml"], "misspelt.toml: factors.pieces.archer.rnge: "),
    (["check", "other_game.toml"], "other_game.toml: game: unknown game 'chess'"),
    (["run", "missing.toml"], "missing.toml: no such file"),
    (["run", "four.toml", "--battles", "0"], "battles: must be a whole number from 1 "),
    (["run", "four.toml", "--battles", "many"], "--battles"),
    (["run", "four.toml", "--seed", "-1"], "seed: must be a whole number from 0 "),
    (["run", "four.toml", "--workers", "0"], "workers: must be a whole number of at least 1"),
    (["run", "four.toml", "--out", "four.toml"], "four.toml: is a file; a folder for the results is wanted"),
    (["run", "four.toml", "--out", "results"], "results: is not empty; resume the run in it"),
    (["run", "four.toml", "--out", "foreign"], "foreign: is not empty"),
    (["run", "four.toml", "--out", "foreign", "--resume"], "foreign: is not a folder of results"),
    (["run", "four.toml", "--out", "results", "--seed", "9", "--resume"], "holds another experiment's results"),
    (["run", "unplayable.toml"], "unplayable.toml: cell 0 "),
    (["show", "missing"], "missing: is not a folder of results: it has no manifest.json"),
    (["show", "foreign"], "foreign: is not a folder of results"),
    (["compare", "results", "--baseline", "4"], "there is no cell 4; the cells are 0 to 3"),
    (["compare", "results", "--baseline", "-1"], "unknown level '-1'"),
    (["compare", "results", "--baseline", "line"], "'line' fits 2 cells (0, 1)"),
    (["compare", "results", "--baseline", "line, deep"], "unknown level 'deep'; did you mean 'deep_column'?"),
    (["compare", "results", "--baseline", "line, wedges"], "no cell has all these levels"),
    (["equilibrium", "foreign"], "foreign: is not a folder of results"),
    (["equilibrium", "results", "--seed", "-1"], "--seed"),
    (["equilibrium", "results", "--plot", "map.gif"], "map.gif: must end in .png, .svg, .pdf"),
    (["equilibrium", "results", "--plot", "nowhere/map.png"], "nowhere: is no folder"),
    (["replay", "results", "--battle", "0"], "the following arguments are required: --cell"),
    (["replay", "results", "--cell", "4", "--battle", "0"], "there is no cell 4; the cells are 0 to 3"),
    (["replay", "results", "--cell", "0", "--battle", "12"], "--battle: must be from 0 to 11, not 12"),
    (["replay", "results", "--cell", "0", "--battle", "-1"], "--battle: must be from 0 to 11, not -1"),
]


@pytest.fixture
def desk(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with good and bad files, in which the commands are run."""
    import shutil

    shutil.copytree(played, tmp_path / "results")
    (tmp_path / "foreign").mkdir()
    files = {
        "four.toml": DEPLOYMENTS,
        "foreign/letter.txt": "Dear Henry",
        "foreign.png": "no picture",
        "foreign.toml": 'name = "something else"',
        "cut.toml": DEPLOYMENTS[:-40],
        "misspelt.toml": DEPLOYMENTS + '"pieces.archer.rnge" = [5, 6]\n',
        "other_game.toml": 'name = "board"\ngame = "chess"\n',
        "unplayable.toml": DEPLOYMENTS + "[set]\nenglish.order_of_battle.archer = 600\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("arguments", "said"), WRONG, ids=[" ".join(arguments) for arguments, _ in WRONG])
def test_wrong_input_gets_one_line_and_changes_nothing(call: Any, desk: Path, arguments: list[str], said: str) -> None:
    before = contents(desk)
    done = call(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert done.err.startswith("wargamesim: ")
    assert said in done.err
    assert contents(desk) == before
    assert not (desk / "results" / "four").exists()


def test_what_cannot_be_written_is_no_traceback(call: Any, played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("wargamesim.simulate.run", full)
    done = call("run", played.parent / "four.toml", "--out", played.parent / "never")
    assert (done.code, done.out) == (1, "")
    assert done.err == "wargamesim: [Errno 28] No space left on device\n"


def test_a_defect_is_not_hidden(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> None:
        raise KeyError("a defect")

    monkeypatch.setattr("wargamesim.rulebook.load_rulebook", broken)
    with pytest.raises(KeyError, match="a defect"):
        call("rules", "azincourt")


# --- as a program


@pytest.mark.parametrize("arguments", [["rules", "azincourt"], ["odds", "azincourt", "arrow", "--arrows", "0:1000"]])
def test_a_reader_that_has_seen_enough(arguments: list[str]) -> None:
    process = subprocess.Popen([WARGAMESIM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait() in (0, 1)


def test_exit_codes_of_the_program() -> None:
    for arguments, code in ((["odds", "azincourt", "mud"], 0), (["odds", "azincourt", "mut"], 2)):
        done = subprocess.run([WARGAMESIM, *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == code
        assert bool(done.stdout) is (code == 0)
        assert bool(done.stderr) is (code == 2)


# Each of these costs an exact command a tenth of its time, or ten times as much as all of it.
HEAVY = {
    *("numba", "matplotlib", "pandas", "pyarrow", "dask", "rich", "pydantic", "pydantic_core", "typer", "scipy.stats"),
    *("scipy.optimize", "concurrent.futures", "importlib.metadata", "difflib", "csv", "fractions", "email"),
}
HEAVY_OF_A_GAME = {"stirling": {"fractions"}}  # its rates are 3/2 of an attack


@pytest.mark.parametrize("book", [*CHANGES, ""])
def test_the_exact_commands_load_nothing_heavy(book: str) -> None:
    asked = [["odds", book, question] for name, question in QUESTIONS if name == book] or [["--help"]]
    asked += [["rules", book]] if book else []
    code = (
        "import sys; from wargamesim import cli;"
        f"codes = [cli.call(arguments) for arguments in {asked!r}]; print(codes, *sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.startswith(str([0] * len(asked)))
    assert HEAVY & set(done.stderr.split()) == HEAVY_OF_A_GAME.get(book, set())


def test_input_errors_of_the_library_are_what_the_command_line_prints(call: Any) -> None:
    import wargamesim

    with pytest.raises(InputError) as caught:
        wargamesim.odds("azincourt", "melee", ground="bog")
    assert call("odds", "azincourt", "melee", "--ground", "bog").err == f"wargamesim: {caught.value}\n"


def blocks_of_the_readme(kind: str) -> list[str]:
    """Return what README.md shows in blocks of a kind."""
    text = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    return [block.split("\n```", 1)[0] for block in text.split(f"```{kind}\n")[1:]]


@pytest.mark.parametrize("block", blocks_of_the_readme("console"))
def test_the_readme_shows_what_is_printed(call: Any, block: str) -> None:
    command, _, out = block.partition("\n")
    assert command.startswith("$ wargamesim ")
    assert call(*command.split()[2:]) == Done(0, out + "\n", "")


@pytest.mark.parametrize("block", blocks_of_the_readme("toml"))
def test_the_files_in_the_readme_are_valid(call: Any, tmp_path: Path, block: str) -> None:
    (tmp_path / "file.toml").write_text(block, encoding="utf-8")
    done = call("check", tmp_path / "file.toml")
    assert (done.code, done.err) == (0, "")


def test_the_python_in_the_readme_runs() -> None:
    [block] = blocks_of_the_readme("python")
    names: dict[str, Any] = {}
    exec(block.replace("500", "5"), names)
    assert len(names["frame"]) == 5
