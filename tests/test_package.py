"""The wheel, installed where there is no checkout: it must carry its data and its command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    [found] = folder.glob("*.whl")
    return found


def test_the_wheel_holds_the_package_and_its_data_and_nothing_else(wheel: Path) -> None:
    names = [name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name]
    package = [path for path in (ROOT / "wargamesim").rglob("*") if path.suffix in (".py", ".typed")]
    data = [path for path in (ROOT / "data").rglob("*") if path.is_file()]
    expected = [path.relative_to(ROOT) for path in package] + [
        Path("wargamesim") / path.relative_to(ROOT) for path in data
    ]
    assert sorted(names) == sorted(path.as_posix() for path in expected)


def test_installed_in_an_empty_environment_it_works(wheel: Path, tmp_path: Path) -> None:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    def run(*command: str | Path) -> str:
        done = subprocess.run(
            [str(part) for part in command], cwd=elsewhere, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    # pip of this environment installs into the other one, which then holds nothing but the wheel and what it needs.
    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv")
    python = tmp_path / "venv" / "bin" / "python"
    install = (sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-compile")
    run(*install, "--constraint", ROOT / "constraints.txt", wheel)

    command = tmp_path / "venv" / "bin" / "wargamesim"
    where = run(python, "-c", "from wargamesim.files import data_folder; print(data_folder())").strip()
    assert Path(where).is_relative_to(tmp_path / "venv")
    melee = json.loads(run(command, "odds", "azincourt", "melee", "--json"))
    assert melee["rows"][5] == [0, 0.5, 0.5]
    assert "pieces.archer.range" in run(command, "rules", "azincourt")
    scenarios = run(python, "-c", "import wargamesim; print(wargamesim.load_scenario('azincourt_1415').name)")
    assert scenarios == "azincourt_1415\n"
