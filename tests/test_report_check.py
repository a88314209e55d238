"""What a file is said to be, and what is said of one that is nothing."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from wargamesim.errors import InputError
from wargamesim.files import data_folder
from wargamesim.report.check import describe_file

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("file", sorted((ROOT / "experiments").glob("*.toml")), ids=lambda file: file.stem)
def test_every_shipped_experiment_is_valid(file: Path) -> None:
    assert describe_file(file).startswith("a valid experiment: ")


@pytest.mark.parametrize("file", sorted((data_folder() / "rulebooks").glob("*.toml")), ids=lambda file: file.stem)
def test_every_shipped_rulebook_is_valid(file: Path) -> None:
    assert describe_file(file).startswith("a valid rulebook of ")


@pytest.mark.parametrize("name", ["azincourt_1415", "mirror"])
def test_every_shipped_scenario_is_valid(name: str) -> None:
    file = data_folder() / "scenarios" / "azincourt" / f"{name}.toml"
    assert describe_file(file).startswith("a valid scenario of azincourt: ")


def test_a_designers_file_says_how_much_it_changes(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('name = "mine"\nextends = "azincourt"\nset.cannon.dice_max = 3\n', encoding="utf-8")
    assert describe_file(file).endswith(" readings, 1 changed")


def broken_scenario(folder: Path, old: str, new: str) -> Path:
    source = data_folder() / "scenarios" / "azincourt"
    shutil.copy(source / "doctrines.toml", folder)
    text = (source / "azincourt_1415.toml").read_text(encoding="utf-8")
    assert old in text
    file = folder / "mine.toml"
    file.write_text(text.replace(old, new), encoding="utf-8")
    return file


def test_a_scenario_is_set_up_with_every_deployment(tmp_path: Path) -> None:
    """Too many archers for any deployment: the file alone would be read without complaint."""
    file = broken_scenario(tmp_path, "archer = 36", "archer = 400")
    with pytest.raises(InputError) as caught:
        describe_file(file)
    assert str(file) in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "this file has nothing"),
        ('title = "A letter"', "this file has title"),
        ("game = 3", "is nothing that can be checked"),
        ('game = "chess"', "game: unknown game 'chess'. Known: azincourt"),
        ("battles = 10", "is missing"),
        ('extends = "azincurt"\nname = "x"\n[set]\n', "did you mean 'azincourt'?"),
        ("[numbers]", "is missing"),
        ("name = ", "is not valid TOML"),
    ],
)
def test_what_is_wrong_with_a_file(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "file.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        describe_file(file)
    assert str(caught.value).startswith(str(file))
    assert said in str(caught.value)


def test_a_scenario_for_an_unknown_rulebook_is_told_the_shipped_ones(tmp_path: Path) -> None:
    folder = data_folder() / "scenarios" / "skirmish"
    (tmp_path / "doctrines.toml").write_bytes((folder / "doctrines.toml").read_bytes())
    text = (folder / "mirror.toml").read_text("utf-8")
    file = tmp_path / "mine.toml"
    file.write_text(text.replace('rulebook = "nordamerica"', 'rulebook = "nordamerika"'), "utf-8")
    said = r"rulebook: is made for no shipped .*nordamerica, risorgimento.*'nordamerika'"
    with pytest.raises(InputError, match=said):
        describe_file(file)
