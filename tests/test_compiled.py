"""Compiled functions are cached per source: any edit of what they are compiled from makes a new folder."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from wargamesim import compiled
from wargamesim.dice import stream

PACKAGE = Path(compiled.__file__).parent


ROOM = "games/azincourt"


def source_hash_of(package: Path, monkeypatch: pytest.MonkeyPatch, room: str = ROOM) -> str:
    """Return the hash that a room would have in a copy of the package."""
    monkeypatch.setattr(compiled, "__file__", str(package / "compiled.py"))
    return compiled.source_hash(room)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return Path(shutil.copytree(PACKAGE, tmp_path / "wargamesim", ignore=shutil.ignore_patterns("__pycache__")))


def test_a_copy_has_the_same_hash(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = compiled.source_hash(ROOM)
    assert len(known) == 16
    assert int(known, 16) >= 0
    assert source_hash_of(package, monkeypatch) == known


@pytest.mark.parametrize("module", ["compiled.py", "bits.py", "games/azincourt/layout.py", "dice/stream.py"])
def test_an_edit_of_the_room_or_of_what_all_share_changes_the_hash(
    package: Path, monkeypatch: pytest.MonkeyPatch, module: str
) -> None:
    known = source_hash_of(package, monkeypatch)
    source = package / module
    source.write_text(source.read_text(encoding="utf-8") + "# One line more.\n", encoding="utf-8")
    assert source_hash_of(package, monkeypatch) != known


@pytest.mark.parametrize("module", ["cli.py", "games/stirling/rules.py", "simulate/runner.py"])
def test_an_edit_elsewhere_leaves_it(package: Path, monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    known = source_hash_of(package, monkeypatch)
    (package / module).write_text("", encoding="utf-8")
    assert source_hash_of(package, monkeypatch) == known


def test_a_new_module_changes_the_hash_and_other_files_do_not(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = source_hash_of(package, monkeypatch)
    (package / ROOM / "notes.txt").write_text("nothing", encoding="utf-8")
    (package / ROOM / "__pycache__").mkdir()
    assert source_hash_of(package, monkeypatch) == known
    (package / ROOM / "newer.py").write_text("X = 1\n", encoding="utf-8")
    assert source_hash_of(package, monkeypatch) != known


def rooms_of_constants(source: str) -> set[str]:
    """Return where a module takes names from within the package, at run time."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    return {
        node.module.removeprefix("wargamesim").removeprefix(".").replace(".", "/")
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("wargamesim")
    }


def test_compiled_code_takes_its_constants_from_its_room_or_what_all_share() -> None:
    compiling = {
        path: source
        for path in PACKAGE.rglob("*.py")
        if "from wargamesim.compiled import" in (source := path.read_text(encoding="utf-8"))
        and path.parent != PACKAGE
        and "import cache_folder" not in source
    }
    assert {path.name for path in compiling} >= {"stream.py", "battle.py"}
    for path, source in compiling.items():
        room = path.parent.relative_to(PACKAGE).as_posix()
        shared = {place.removesuffix(".py") for place in compiled.SHARED}
        for home in rooms_of_constants(source) - {"", "errors", "table", "games/registry"}:
            assert home.startswith(room) or home.split("/")[0] in shared, f"{path.name} takes names from {home}"


def test_the_cache_lies_below_the_users_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert compiled.cache_folder(ROOM) == tmp_path / "wargamesim" / compiled.source_hash(ROOM)
    for unset in ("", None):
        if unset is None:
            monkeypatch.delenv("XDG_CACHE_HOME")
        else:
            monkeypatch.setenv("XDG_CACHE_HOME", unset)
        assert compiled.cache_folder() == Path.home() / ".cache" / "wargamesim" / compiled.source_hash()


def test_numba_caches_there(tmp_path: Path) -> None:
    code = "from wargamesim.dice.stream import face; print(face(7, 1, 2, 3, 4, 0, 6))"
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    for _ in range(2):
        told = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        assert told.stdout == "6\n"
    cached = list((tmp_path / "wargamesim" / compiled.source_hash("dice")).rglob("stream.face-*.nbi"))
    assert len(cached) == 1


def test_division_by_zero_is_that_of_numpy() -> None:
    @compiled.compiled
    def divide(one: float, other: float) -> float:
        return one / other

    assert divide(1.0, 0.0) == float("inf")


def test_only_functions_of_the_package_are_cached() -> None:
    """A function of a test may call any room, of whose edits its own cache would not know."""

    @compiled.compiled
    def twice(number: int) -> int:
        return 2 * number

    assert twice(3) == 6
    assert twice.stats.cache_path is None  # type: ignore[attr-defined]
    assert str(stream.face.stats.cache_path).startswith(str(compiled.cache_folder("dice")))  # type: ignore[attr-defined]
