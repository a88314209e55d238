"""Which room may import which, and what a plain import may load."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# Room -> what it may import beside itself; "x" also stands for all that lies in x. A room "games.*" is one game: any
# package in games/. Imports inside functions and for type checkers count too.
WALLS = {
    "errors": "",
    "files": "errors",
    "table": "errors",
    "compiled": "",
    "bits": "compiled",
    "records": "",
    "dice": "errors files table compiled bits",
    "rulebook": "errors files table",
    "games": "errors files table rulebook",
    "games.*": "errors files table compiled bits records dice rulebook"
    " games.registry games.options games.readers games.scenarios games.doctrines games.squares",
    "simulate": "errors files table compiled dice.keys rulebook games.registry",
    "study": "errors files table",
    "report": "errors files table rulebook games.registry simulate study",
    "api": "errors files table dice.keys rulebook games.registry simulate study report",
    "arguments": "errors",
    "cli": "arguments wargamesim errors files table compiled dice rulebook games.registry simulate study report",
    "wargamesim": "api errors files table rulebook games.registry simulate study report",
    "__main__": "cli",
}

# The referee is the second, independent reading of the rules: in each game these may not import those.
# A name stands for the modules that begin with it, too: `referee` for `referee_fire`.
REFEREE = {"referee", "judge"}
FAST = {"battle", "reach", "sight", "division", "marching", "shooting", "hexes"}

# What `import wargamesim` and the exact commands may not load: each of these costs seconds or half seconds.
HEAVY = {"numba", "matplotlib", "pandas", "pyarrow", "scipy.stats", "scipy.optimize", "dask"}


def shipped() -> dict[str, str]:
    """Return the source of every module of the package by its dotted name."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path.read_text("utf-8")
        for path in (ROOT / "wargamesim").rglob("*.py")
    }


def imports(name: str, sources: Mapping[str, str]) -> Iterator[str]:
    """Yield the modules of the package that a module imports, by `import`, `from` or `import_module`."""
    is_package = any(other.startswith(f"{name}.") for other in sources)
    package = name.split(".") if is_package else name.split(".")[:-1]
    for node in ast.walk(ast.parse(sources[name])):
        found: list[str] = []
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*start, *([node.module] if node.module else [])])
            # "from a import b" imports the module a.b if there is one, else the name b of the module a.
            found = [f"{base}.{alias.name}" if f"{base}.{alias.name}" in sources else base for alias in node.names]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in ("import_module", "__import__"):
            found = [node.args[0].value] if isinstance(node.args[0], ast.Constant) else []
        yield from (module for module in found if module.split(".")[0] == "wargamesim")


def room(name: str) -> str:
    """Return the room in which a module lies: 'wargamesim.games.azincourt.battle' lies in 'games.azincourt'."""
    parts = name.split(".")[1:]
    if not parts:
        return "wargamesim"
    of_all_games = ["registry"], ["options"], ["readers"], ["scenarios"], ["doctrines"], ["squares"]
    return ".".join(parts[:2]) if parts[0] == "games" and parts[1:2] not in ([], *of_all_games) else parts[0]


def violations(sources: Mapping[str, str]) -> list[str]:
    """Return every import that goes through a wall."""
    wrong = []
    for name in sorted(sources):
        own = room(name)
        rule = "games.*" if own.startswith("games.") else own
        allowed = WALLS[rule].split()
        for target in imports(name, sources):
            inside = target.removeprefix("wargamesim.")
            if room(target) == own:
                last, other = name.split(".")[-1], inside.split(".")[-1]
                if rule == "games.*" and last.split("_")[0] in REFEREE and other.split("_")[0] in FAST:
                    wrong.append(f"{name} imports {target}")
            elif not any(inside == door or inside.startswith(f"{door}.") for door in allowed):
                wrong.append(f"{name} imports {target}")
    return wrong


def test_no_import_goes_through_a_wall() -> None:
    assert violations(shipped()) == []


def test_every_room_has_its_walls() -> None:
    rooms = {room(name) for name in shipped()}
    assert {"games.*" if name.startswith("games.") else name for name in rooms} <= set(WALLS)


@pytest.mark.parametrize(
    ("name", "source", "through"),
    [
        ("dice.pmf", "from wargamesim.rulebook import load_rulebook", "rulebook"),
        ("dice.pmf", "import wargamesim.study.intervals as i", "study.intervals"),
        ("rulebook.load", "def late():\n    from wargamesim.games import registry", "games.registry"),
        ("rulebook.load", "from .. import compiled", "compiled"),
        ("games.registry", "from wargamesim.games.azincourt.game import GAME", "games.azincourt.game"),
        ("games.azincourt.odds", "from ..stirling import rules", "games.stirling.rules"),
        ("games.azincourt.odds", "from wargamesim.simulate import plan", "simulate.plan"),
        ("games.azincourt.referee", "from .battle import play", "games.azincourt.battle"),
        ("games.azincourt.referee", "from wargamesim.games.azincourt import layout, sight", "games.azincourt.sight"),
        ("games.azincourt.judge", "import wargamesim.games.azincourt.reach", "games.azincourt.reach"),
        ("games.stirling.referee_fire", "from .battle_fire import shot", "games.stirling.battle_fire"),
        ("simulate.plan", "from wargamesim.study import intervals", "study.intervals"),
        ("simulate.plan", "from wargamesim.games.azincourt import rules", "games.azincourt.rules"),
        ("simulate.plan", "from wargamesim.dice import pools", "dice.pools"),
        ("simulate.plan", "from importlib import import_module\nimport_module('wargamesim.cli')", "cli"),
        ("study.compare", "if TYPE_CHECKING:\n    from wargamesim.simulate.plan import Plan", "simulate.plan"),
        ("study.compare", "from wargamesim.games import registry", "games.registry"),
        ("report.plots", "from wargamesim.games import azincourt", "games.azincourt"),
        ("report.plots", "from wargamesim import cli", "cli"),
        ("cli", "from wargamesim.games.azincourt.game import GAME", "games.azincourt.game"),
        ("", "from . import cli", "cli"),
    ],
)
def test_a_hole_in_a_wall_is_found(name: str, source: str, through: str) -> None:
    modules = (
        *("bits", "cli", "compiled", "dice", "dice.pmf", "dice.pools", "errors", "rulebook", "rulebook.load", "games"),
        *("games.registry", "simulate", "simulate.plan", "study", "study.compare", "study.intervals", "report"),
        *("report.plots", "games.stirling", "games.stirling.rules", "games.azincourt"),
        *("games.stirling.battle_fire", "games.stirling.referee_fire"),
        *(f"games.azincourt.{part}" for part in ("battle", "game", "judge", "layout", "odds", "reach", "referee")),
        *("games.azincourt.rules", "games.azincourt.sight"),
    )
    made_up = {"wargamesim": "", **{f"wargamesim.{module}": "" for module in modules}}
    assert violations(made_up) == []
    full = f"wargamesim.{name}".rstrip(".")
    assert violations(made_up | {full: source}) == [f"{full} imports wargamesim.{through}"]


def test_open_doors_stay_open() -> None:
    sources = {
        "wargamesim": "from wargamesim.simulate import plan",
        "wargamesim.errors": "",
        "wargamesim.dice": "",
        "wargamesim.dice.keys": "import numpy\nfrom ..errors import InputError",
        "wargamesim.games": "",
        "wargamesim.games.registry": "from wargamesim.errors import InputError",
        "wargamesim.games.azincourt": "",
        "wargamesim.games.azincourt.layout": "from wargamesim.dice.keys import face",
        "wargamesim.games.azincourt.referee": "from . import layout\nfrom wargamesim.games.registry import Event",
        "wargamesim.games.azincourt.battle": "from .layout import SIZE",
        "wargamesim.simulate": "",
        "wargamesim.simulate.plan": "from wargamesim.games import registry\nimport wargamesim.dice.keys",
        "wargamesim.cli": "import wargamesim\nfrom wargamesim.games import registry",
    }
    assert violations(sources) == []


@pytest.mark.parametrize(
    "module",
    [
        *("wargamesim", "wargamesim.cli", "wargamesim.rulebook", "wargamesim.simulate", "wargamesim.games.registry"),
        *("wargamesim.study.outcomes", "wargamesim.study.compare", "wargamesim.study.equilibrium"),
        "wargamesim.report.plots",
    ],
)
def test_an_import_loads_nothing_heavy(module: str) -> None:
    code = f"import sys, {module}; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert HEAVY & set(run.stdout.split()) == set()
    assert module in run.stdout.split()
