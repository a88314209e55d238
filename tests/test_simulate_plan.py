"""Experiments: what a file means, and every way in which it can be wrong."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from itertools import product
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wargamesim.dice.keys import battle_key
from wargamesim.errors import InputError
from wargamesim.files import read_toml
from wargamesim.games import registry
from wargamesim.rulebook import load_rulebook
from wargamesim.simulate import describe, load_experiment
from wargamesim.simulate.plan import MOST_CELLS, Part, parts

TESTS = Path(__file__).parent
EXPERIMENTS = TESTS.parent / "experiments"


@pytest.fixture
def coin(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The tiny game, registered for one test."""
    monkeypatch.syspath_prepend(str(TESTS))
    monkeypatch.setitem(registry.GAMES, "coin", "simulate_coin:GAME")
    return import_module("simulate_coin")


def edited(coin: ModuleType, *edits: tuple[str, str]) -> str:
    text: str = coin.EXPERIMENT
    for old, new in edits:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


def test_a_good_experiment(coin: ModuleType, tmp_path: Path) -> None:
    path = coin.write_experiment(tmp_path)
    experiment = load_experiment(path)
    assert (experiment.plan.name, experiment.plan.seed, experiment.plan.battles) == ("tosses", 7, 4500)
    assert experiment.plan.paired
    assert experiment.game.name == "coin"
    assert experiment.cells == [
        {"heads.plan": plan, "coin.heads": heads} for plan, heads in product(["bold", "careful"], [30, 60])
    ]
    assert [experiment.setup(cell) for cell in range(4)] == [(40, 3), (70, 3), (30, 3), (60, 3)]
    assert describe(path) == "a valid experiment: 4 cells x 4,500 battles"


def test_one_cell_and_one_battle_are_said_so(coin: ModuleType, tmp_path: Path) -> None:
    text = edited(coin, ("4500", "1"), ('["bold", "careful"]', '["bold"]'), ("[30, 60]", "[30]"))
    assert describe(coin.write_experiment(tmp_path, text)) == "a valid experiment: 1 cell x 1 battle"


def test_unquoted_keys_mean_the_same(coin: ModuleType, tmp_path: Path) -> None:
    plain = load_experiment(coin.write_experiment(tmp_path, edited(coin, ('"coin.heads"', "coin.heads"))))
    assert plain.cells == load_experiment(coin.write_experiment(tmp_path / "quoted")).cells


def test_one_at_a_time(coin: ModuleType, tmp_path: Path) -> None:
    text = edited(coin, ("seed = 7", 'seed = 7\ndesign = "one_at_a_time"'), ("[30, 60]", "[30, 60, 90]"))
    assert load_experiment(coin.write_experiment(tmp_path, text)).cells == [
        {"heads.plan": "bold", "coin.heads": 30},
        {"heads.plan": "careful", "coin.heads": 30},
        {"heads.plan": "bold", "coin.heads": 60},
        {"heads.plan": "bold", "coin.heads": 90},
    ]


def test_paired_cells_share_their_dice(coin: ModuleType, tmp_path: Path) -> None:
    paired = load_experiment(coin.write_experiment(tmp_path))
    assert {paired.key(cell) for cell in range(4)} == {battle_key(7)}
    text = edited(coin, ("seed = 7", "seed = 7\npaired = false"))
    single = load_experiment(coin.write_experiment(tmp_path, text))
    assert [single.key(cell) for cell in range(4)] == [battle_key(7, cell) for cell in range(4)]


def test_seed_zero_is_a_seed(coin: ModuleType, tmp_path: Path) -> None:
    experiment = load_experiment(coin.write_experiment(tmp_path, edited(coin, ("seed = 7", "seed = 0"))))
    assert (experiment.plan.seed, experiment.key(0)) == (0, battle_key(0))
    assert load_experiment(coin.write_experiment(tmp_path)).changed(seed=0).plan.seed == 0


def test_levels_of_every_kind(coin: ModuleType, tmp_path: Path) -> None:
    text = edited(
        coin,
        (
            '"coin.heads" = [30, 60]',
            '"coin.faces" = [[1, 2], [3, 4, 5]]\n"coin.fair" = [true, false]\n"CN-1.2" = ["heads", "tails"]',
        ),
    )
    experiment = load_experiment(coin.write_experiment(tmp_path, text))
    assert experiment.cells[-1] == {
        "heads.plan": "careful",
        "coin.faces": [3, 4, 5],
        "coin.fair": False,
        "CN-1.2": "tails",
    }
    experiment.check()


def test_changed(coin: ModuleType, tmp_path: Path) -> None:
    experiment = load_experiment(coin.write_experiment(tmp_path))
    assert experiment.changed() is experiment
    other = experiment.changed(battles=5, seed=8)
    assert (other.plan.battles, other.plan.seed, other.cells) == (5, 8, experiment.cells)
    with pytest.raises(InputError, match=r"^battles: must be a whole number from 1 to 1,000,000,000, not 0$"):
        experiment.changed(battles=0)
    with pytest.raises(InputError, match=r"^seed: must be a whole number from 0 to \d+, not true$"):
        experiment.changed(seed=True)


def test_a_cell_is_compiled_once_as_long_as_there_are_few(
    coin: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = load_experiment(coin.write_experiment(tmp_path))
    compiled, compile_one = [], coin.GAME.compile
    monkeypatch.setattr(coin.GAME, "compile", lambda *cell: compiled.append(1) or compile_one(*cell))
    monkeypatch.setattr("wargamesim.simulate.plan.KEPT_SETUPS", 3)
    experiment.check()
    assert len(compiled) == 4
    assert [experiment.setup(cell) for cell in range(4)] == [(40, 3), (70, 3), (30, 3), (60, 3)]
    assert len(compiled) == 5


BATTLES = "battles: must be a whole number from 1 to 1,000,000,000, not "
SEED = f"seed: must be a whole number from 0 to {2**63 - 1}, not "
LEVEL = "a level must be a finite number, true or false, a name, or a list of whole numbers, not "
BAD = [
    ("seed = 7", "", f"seed: is missing; it must be a whole number from 0 to {2**63 - 1}"),
    ("seed = 7", "seed = -1", SEED + "-1"),
    ("seed = 7", "seed = 7.0", SEED + "7.0"),
    ("seed = 7", "seed = true", SEED + "true"),
    ("seed = 7", 'seed = "7"', SEED + "'7'"),
    ("seed = 7", f"seed = {2**63}", SEED + f"{2**63}"),
    ("battles = 4500", "battles = 0", BATTLES + "0"),
    ("battles = 4500", "battles = 1000000001", BATTLES + "1000000001"),
    ("battles = 4500", "battles = false", BATTLES + "false"),
    ("battles = 4500", "battle = 4500", "unknown key of an experiment 'battle'; did you mean 'battles'? Known: "),
    ("seed = 7", "seed = 7\npaired = 1", "paired: must be true or false, not 1"),
    ("seed = 7", 'seed = 7\ndesign = "cross"', 'design: must be "crossed" or "one_at_a_time", not \'cross\''),
    ('"tosses"', '"../tosses"', "name: must be 1 to 100 letters, digits, - or _, not '../tosses'"),
    ('"tosses"', '"tosses\\n"', "name: must be 1 to 100 letters, digits, - or _, not 'tosses\\n'"),
    ('"coin.toml"', '"coin2.toml"', "rulebook: no such file: {folder}/coin2.toml"),
    ('"coin.toml"', '"azincort"', "rulebook: unknown rulebook 'azincort'; did you mean 'azincourt'? Known: "),
    ('"table"', '"tabel"', "scenario: unknown scenario 'tabel'; did you mean 'table'? Known: table"),
    ('"coin.heads" = [30, 60]', '"coin.heads" = []', "factors.coin.heads: has no levels; at least one is needed"),
    ('"coin.heads" = [30, 60]', '"coin.heads" = 30', "factors.coin.heads: must be a list of levels, not 30"),
    ("[30, 60]", "[30, 60, 30]", "factors.coin.heads: has the level 30 twice"),
    ("[30, 60]", "[30, 30.0]", "factors.coin.heads: has the level 30.0 twice"),
    ('"coin.heads" = [30, 60]', '"coin.faces" = [[1, 2], [2, 1]]', "factors.coin.faces: has the level [2, 1] twice"),
    ("[30, 60]", "[30, nan]", f"factors.coin.heads.1: {LEVEL}nan"),
    ("[30, 60]", "[30, [1.5]]", f"factors.coin.heads.1: {LEVEL}[1.5]"),
    ("[30, 60]", "[30, 1979-05-27]", f"factors.coin.heads.1: {LEVEL}datetime.date(1979, 5, 27)"),
    ("[30, 60]", "[30, 101]", "factors.coin.heads: must be an integer from 0 to 100 (%), not 101"),
    ("[30, 60]", "[30, 60.5]", "factors.coin.heads: must be an integer from 0 to 100 (%), not 60.5"),
    ("[30, 60]", "[true, 60]", "factors.coin.heads: must be an integer from 0 to 100 (%), not true"),
    ('"coin.heads" =', '"coin.haeds" =', "factors.coin.haeds: unknown number or reading 'coin.haeds'; did you mean "),
    ('"coin.heads" = [30', '"CN-1.1" = [30', "factors.CN-1.1: this rule has no readings but numbers, change them by "),
    (
        '"coin.heads" = [30, 60]',
        '"CN-1.2" = ["haeds"]',
        "factors.CN-1.2: unknown option 'haeds'; did you mean 'heads'?",
    ),
    ("heads.plan", "heads.paln", "factors.heads.paln: unknown key; did you mean 'heads.plan'?"),
    (
        '"careful"]',
        '"carefull"]',
        "factors.heads.plan: unknown level 'carefull'; did you mean 'careful'? Known: bold, ",
    ),
    ('"careful"]', "5]", "factors.heads.plan: unknown level '5'. Known: bold, careful"),
    (
        "rounds = 3",
        "rounds = 3\nheads.plan = 'bold'",
        "factors.heads.plan: is also in [set]; a key is either varied or ",
    ),
    ("rounds = 3", "rounds = []\nround = 3", "set.round: unknown key; did you mean 'rounds'?"),
    ("rounds = 3", "rounds = 1979-05-27", f"set.rounds: {LEVEL}datetime.date(1979, 5, 27)"),
    ("rounds = 3", '"CN-1.2" = "x"', "set.CN-1.2: unknown option 'x'. Known: heads, tails"),
    ("rounds = 3", '"coin.fair" = true\ncoin.fair = true', "set.coin.fair: is given twice, in two spellings"),
]


@pytest.mark.parametrize(("old", "new", "message"), BAD)
def test_a_wrong_key_is_one_clear_message(coin: ModuleType, tmp_path: Path, old: str, new: str, message: str) -> None:
    path = coin.write_experiment(tmp_path, edited(coin, (old, new)))
    with pytest.raises(InputError) as caught:
        load_experiment(path)
    assert str(caught.value).startswith(f"{path}: {message.format(folder=tmp_path)}")


def test_an_error_inside_the_rulebook_names_that_file(coin: ModuleType, tmp_path: Path) -> None:
    path = coin.write_experiment(tmp_path)
    (tmp_path / "coin.toml").write_text(coin.RULEBOOK.replace("value = 50", "value = 500"))
    with pytest.raises(InputError) as caught:
        load_experiment(path)
    assert str(caught.value).startswith(f"{tmp_path / 'coin.toml'}: numbers.coin.heads: ")


def test_a_rulebook_of_an_unknown_game(coin: ModuleType, tmp_path: Path) -> None:
    path = coin.write_experiment(tmp_path)
    (tmp_path / "coin.toml").write_text(coin.RULEBOOK.replace('game = "coin"', 'game = "coins"'))
    with pytest.raises(InputError, match=r"experiment\.toml: rulebook: unknown game 'coins'; did you mean 'coin'\?"):
        load_experiment(path)


def test_a_scenario_of_another_game(coin: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = coin.Table(coin.GAME.scenario.content, game="dice")
    monkeypatch.setattr(coin.GAME, "scenario", scenario)
    message = "scenario: 'table' is a scenario of dice, but the rulebook 'coin' is one of coin"
    with pytest.raises(InputError, match=re.escape(message)):
        load_experiment(coin.write_experiment(tmp_path))


@pytest.mark.parametrize("factors", ["[factors]", ""])
def test_no_factors(coin: ModuleType, tmp_path: Path, factors: str) -> None:
    text = coin.EXPERIMENT.partition("[factors]")[0] + factors
    with pytest.raises(
        InputError, match=r"factors: (has no factors; one with a single level|is missing; it must be a t)"
    ):
        load_experiment(coin.write_experiment(tmp_path, text))


def test_too_many_cells(coin: ModuleType, tmp_path: Path) -> None:
    many = ", ".join(str(number) for number in range(MOST_CELLS // 2 + 1))
    path = coin.write_experiment(tmp_path, edited(coin, ("[30, 60]", f"[{many}]")))
    with pytest.raises(InputError, match=r"factors: make 100,002 cells; at most 100,000 are allowed$"):
        load_experiment(path)


@pytest.mark.parametrize("text", ["", "name = ", "\0\0", 'title = "a rulebook"\n[numbers]\n'])
def test_truncated_and_foreign_files(coin: ModuleType, tmp_path: Path, text: str) -> None:
    path = coin.write_experiment(tmp_path, text)
    with pytest.raises(InputError, match=rf"^{re.escape(str(path))}: (name: is missing|is not valid TOML|unknown key)"):
        load_experiment(path)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.toml: no such file"):
        load_experiment(tmp_path / "none.toml")


def test_a_cell_that_cannot_be_played_is_named(coin: ModuleType, tmp_path: Path) -> None:
    text = edited(coin, ('"coin.heads" = [30, 60]', "rounds = [1, 99]"), ("rounds = 3", ""))
    path = coin.write_experiment(tmp_path, text)
    message = f"{path}: cell 1 (heads.plan = bold, rounds = 99): rounds: 99 rounds are too many"
    for attempt in (describe, lambda path: load_experiment(path).check()):
        with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
            attempt(path)


@given(cells=st.integers(1, 3), battles=st.integers(1, 200), size=st.integers(1, 250), chunk=st.integers(1, 250))
def test_parts_and_chunks_hold_each_battle_once(cells: int, battles: int, size: int, chunk: int) -> None:
    plan = list(parts(cells, battles, size))
    assert [(part.cell, part.index) for part in plan] == sorted({(part.cell, part.index) for part in plan})
    assert all(1 <= part.count <= size for part in plan)
    pieces = [(part.cell, first, count) for part in plan for first, count in part.chunks(chunk)]
    assert all(1 <= count <= min(chunk, size) for _, _, count in pieces)
    played = [(cell, battle) for cell, first, count in pieces for battle in range(first, first + count)]
    assert played == list(product(range(cells), range(battles)))


def test_part_names_sort_as_the_parts() -> None:
    assert Part(3, 12, 24_000, 2_000).name == "cell_00003_part_00012.parquet"


SHIPPED = {
    "azincourt_deployments": "a valid experiment: 25 cells x 1,000 battles",
    "azincourt_doctrines": "a valid experiment: 15 cells x 1,000 battles",
    "azincourt_mud": "a valid experiment: 12 cells x 1,000 battles",
    "azincourt_bows": "a valid experiment: 6 cells x 1,000 battles",
    "azincourt_readings": "a valid experiment: 22 cells x 1,000 battles",
}


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_experiments(name: str) -> None:
    path = EXPERIMENTS / f"{name}.toml"
    assert describe(path) == SHIPPED[name]
    assert load_experiment(path).plan.name == name


def test_every_experiment_in_the_folder_is_tested() -> None:
    assert {path.stem for path in EXPERIMENTS.glob("azincourt_*.toml")} == set(SHIPPED)


def test_the_readings_experiment_tries_every_reading_with_the_default_first() -> None:
    tried, readings = read_toml(EXPERIMENTS / "azincourt_readings.toml")["factors"], load_rulebook("azincourt").readings
    assert set(tried) == set(readings)
    for rule, reading in readings.items():
        assert tried[rule][0] == reading.default
        assert sorted(tried[rule]) == sorted(reading.options)


def test_importing_simulate_imports_nothing_heavy() -> None:
    code = """
import sys, wargamesim.simulate
heavy = ["numba", "pandas", "pyarrow", "matplotlib", "dask", "scipy.stats", "scipy.optimize"]
print([name for name in heavy if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
