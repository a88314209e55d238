"""Compiled kernels are cached per source: any edit of the package makes a new folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from wargamesim import compiled

PACKAGE = Path(compiled.__file__).parent


def source_hash_of(package: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the hash that a copy of the package would have."""
    monkeypatch.setattr(compiled, "__file__", str(package / "compiled.py"))
    return compiled.source_hash()


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return Path(shutil.copytree(PACKAGE, tmp_path / "wargamesim", ignore=shutil.ignore_patterns("__pycache__")))


def test_a_copy_has_the_same_hash(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = compiled.source_hash()
    assert len(known) == 16
    assert int(known, 16) >= 0
    assert source_hash_of(package, monkeypatch) == known


@pytest.mark.parametrize("module", ["compiled.py", "bits.py", "games/azincourt/layout.py", "dice/stream.py"])
def test_any_edit_changes_the_hash(package: Path, monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    known = source_hash_of(package, monkeypatch)
    source = package / module
    source.write_text(source.read_text(encoding="utf-8") + "# One line more.\n", encoding="utf-8")
    assert source_hash_of(package, monkeypatch) != known


def test_a_new_module_changes_the_hash_and_other_files_do_not(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = source_hash_of(package, monkeypatch)
    (package / "notes.txt").write_text("nothing", encoding="utf-8")
    (package / "__pycache__").mkdir()
    assert source_hash_of(package, monkeypatch) == known
    (package / "games" / "new.py").write_text("", encoding="utf-8")
    (package / "games" / "newer.py").write_text("X = 1\n", encoding="utf-8")
    assert source_hash_of(package, monkeypatch) != known


def test_the_cache_lies_below_the_users_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert compiled.cache_folder() == tmp_path / "wargamesim" / compiled.source_hash()
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
    cached = list((tmp_path / "wargamesim" / compiled.source_hash()).rglob("stream.face-*.nbi"))
    assert len(cached) == 1


def test_division_by_zero_is_that_of_numpy() -> None:
    @compiled.compiled
    def divide(one: float, other: float) -> float:
        return one / other

    assert divide(1.0, 0.0) == float("inf")
    assert str(compiled.cache_folder()) == numba.config.CACHE_DIR
