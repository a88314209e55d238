"""Read a rulebook: a shipped one by name, or a designer's file by path, with the rulebooks that it extends."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from wargamesim.errors import InputError, near, unknown
from wargamesim.files import data_folder, read_toml
from wargamesim.rulebook.read import UnreadableError, read, shown
from wargamesim.rulebook.schema import RULE_ID, DesignerFile, Number, RulebookFile
from wargamesim.rulebook.variant import Rulebook, first_of, flatten, unknown_key

File = TypeVar("File", RulebookFile, DesignerFile)


def rulebook_names() -> list[str]:
    """Return the names of the shipped rulebooks, sorted.

    Examples
    --------
    >>> "azincourt" in rulebook_names()
    True
    """
    return sorted(path.stem for path in (data_folder() / "rulebooks").glob("*.toml"))


def load_rulebook(name_or_path: str | Path, *, folder: Path | None = None) -> Rulebook:
    """Load a rulebook and check all of it.

    Parameters
    ----------
    name_or_path : str or Path
        The name of a shipped rulebook, or the path of a file (a whole rulebook, or a designer's that extends one).
    folder : Path, optional
        Where a relative path starts; the current folder when not given.

    Raises
    ------
    InputError
        If there is no such rulebook or its file is wrong: the file, the key, what is wrong and what is allowed.

    Examples
    --------
    >>> rulebook = load_rulebook("azincourt")
    >>> rulebook.number("pieces.archer.range"), rulebook.reading("AZ-4.5")
    (6, 'literal')
    """
    return _load(_find(name_or_path, folder or Path()), ())


def _find(name_or_path: str | Path, folder: Path, *, file: str | None = None, key: str | None = None) -> Path:
    names = rulebook_names()
    if str(name_or_path) in names:
        return data_folder() / "rulebooks" / f"{name_or_path}.toml"
    path = folder / name_or_path
    if os.path.exists(path):  # Path.exists raises for a name that is too long.
        return path
    if path.suffix == ".toml" or "/" in str(name_or_path):
        raise InputError(f"no such file: {path}", file=file, key=key)
    raise unknown("rulebook", name_or_path, names, file=file, key=key)


def _load(path: Path, extended_by: tuple[Path, ...]) -> Rulebook:
    file = str(path)
    data = read_toml(path)
    if "extends" not in data and "numbers" not in data:
        raise _foreign(data, file)
    if "extends" not in data:
        source = _parse_rulebook(data, file)
        return Rulebook(source.name, source.title, source, {})
    mine = _validate(DesignerFile, data, file)
    chain = (*extended_by, path.resolve())
    parent = _find(mine.extends, path.parent, file=file, key="extends")
    if parent.resolve() in chain:
        circle = " -> ".join(each.name for each in (*chain, parent))
        raise InputError(f"is circular: {circle}", file=file, key="extends")
    changed = _load(parent, chain).variant(mine.set, file=file, table="set")
    return Rulebook(mine.name, mine.title or mine.name, changed.source, changed.changes)


def _foreign(data: Mapping[str, Any], file: str) -> InputError:
    wanted = "a rulebook has `name`, `title`, `game` and `[numbers]`, a designer's has `name`, `extends` and `[set]`"
    for key in data:
        if close := near(key, ["extends", "numbers"], cutoff=0.75):
            return InputError(f"unknown key; did you mean '{close[0]}'? ({wanted})", file=file, key=key)
    return InputError(f"is not a rulebook: {wanted}; this file has {', '.join(data) or 'nothing'}", file=file)


def _parse_rulebook(data: Mapping[str, Any], file: str) -> RulebookFile:
    """Read a whole rulebook from the tables of its TOML file."""
    if isinstance(data["numbers"], Mapping):
        data = {**data, "numbers": dict(_leaves(data["numbers"], "", file))}
    rulebook = _validate(RulebookFile, data, file)
    problems = [InputError(message, file=file, key=key) for key, message in _inconsistencies(rulebook)]
    if problems:
        raise first_of(problems)
    return rulebook


def _leaves(table: Mapping[str, Any], prefix: str, file: str) -> Iterator[tuple[str, Any]]:
    """Yield each number's table by its dotted path."""
    for key, entry in table.items():
        path = f"{prefix}{key}"
        if not isinstance(entry, dict):
            message = (
                f"must be a table with the keys {', '.join(field.name for field in fields(Number))}, not {shown(entry)}"
            )
            raise InputError(message, file=file, key=f"numbers.{path}")
        # A group may have a number called `value`, so the key alone does not tell a number from a group.
        has_value = not isinstance(entry.get("value", {}), dict)
        if has_value or not any(isinstance(child, dict) for child in entry.values()):
            yield path, entry
        else:
            yield from _leaves(entry, f"{path}.", file)


def _inconsistencies(rulebook: RulebookFile) -> Iterator[tuple[str, str]]:
    """Yield key and message of what no single table can tell."""
    for table, ids in (("rules", rulebook.rules), ("readings", rulebook.readings)):
        for rule_id in ids:
            if not RULE_ID.fullmatch(rule_id):
                yield f"{table}.{rule_id}", "must be an id like AZ-4.1"
    set_by: dict[str, str] = {}
    for reading_id, reading in rulebook.readings.items():
        key = f"readings.{reading_id}"
        if reading.default not in reading.options:
            yield f"{key}.default", unknown("option", reading.default, reading.options).message
        elif reading.options[reading.default].set:
            yield f"{key}.options.{reading.default}.set", "must be left out: the numbers' own values are the default"
        for name, option in reading.options.items():
            for path, raw in flatten(option.set).items():
                where = f"{key}.options.{name}.set.{path}"
                if path not in rulebook.numbers:
                    yield where, unknown_key(rulebook, path)
                elif set_by.setdefault(path, reading_id) != reading_id:
                    yield where, f"is already set by the reading {set_by[path]}"
                else:
                    try:
                        rulebook.numbers[path].check(raw)
                    except ValueError as error:
                        yield where, str(error)


def _validate(kind: type[File], data: Mapping[str, Any], file: str) -> File:
    try:
        return read(kind, data)
    except UnreadableError as error:
        problems = [InputError(message, file=file, key=".".join(key)) for key, message, _ in error.problems]
    raise first_of(problems)
