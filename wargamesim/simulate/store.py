"""Results on disk: a manifest that re-creates every battle, and parts of Parquet, each written whole or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wargamesim.dice.keys import battle_key
from wargamesim.errors import InputError
from wargamesim.games import registry
from wargamesim.rulebook import Rulebook
from wargamesim.rulebook.read import read, shown
from wargamesim.rulebook.schema import RulebookFile
from wargamesim.simulate.plan import PART, Experiment, Part, compile_cell, parts

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    import pyarrow as pa

FORMAT = "wargamesim results 1"
MANIFEST = "manifest.json"
PARTS = "parts"


def manifest_of(experiment: Experiment) -> dict[str, Any]:
    """Return what the results must carry to be read, compared and replayed without the files they were made from.

    Nothing in it depends on the machine, the time or the number of workers.
    """
    plan, game, book, scenario = experiment.plan, experiment.game, experiment.rulebook, experiment.scenario
    content = {
        "format": FORMAT,
        "experiment": {
            **plan.model_dump(include={"name", "seed", "battles", "paired", "design"}),
            "factors": [{"key": key, "levels": levels} for key, levels in plan.factors.items()],
            "set": plan.fixed,
        },
        "game": {
            "name": game.name,
            "sides": game.sides,
            "outcomes": game.outcomes,
            "metrics": [{"name": metric.name, "unit": metric.unit, "text": metric.text} for metric in game.metrics],
        },
        "rulebook": {
            "name": book.name,
            "title": book.title,
            "changes": book.changes,
            "source": asdict(book.source),
            "fingerprint": book.fingerprint,
        },
        "scenario": {"name": scenario.name, "source": scenario.source, "fingerprint": scenario.fingerprint},
        "versions": {package: version(package) for package in ("wargamesim", "numpy", "numba", "pyarrow")},
        "part_size": PART,
        "cells": experiment.cells,
    }
    # As it will be read back, so that two manifests can be compared; but in this order, which tells most first.
    return json.loads(json.dumps(content))  # type: ignore[no-any-return]


class Store:
    """A folder of results that is being written.

    Parameters
    ----------
    folder : Path
        Where the results go: it is created, or must be empty, or must hold the same experiment (to resume).
    manifest : dict
        From `manifest_of`.
    resume : bool
        Go on where a run of the same experiment stopped.

    Attributes
    ----------
    present : set of Part
        The sound parts that were found.
    recomputed : tuple of str
        The names of parts that were found damaged, and are to be written anew.

    Raises
    ------
    InputError
        If the folder holds anything else; nothing in it is touched then.
    """

    def __init__(self, folder: Path, manifest: Mapping[str, Any], *, resume: bool) -> None:
        self.folder, self.schema = folder, _schema(manifest)
        self.present: set[Part] = set()
        self.recomputed: tuple[str, ...] = ()
        if _is_unused(folder):
            try:
                (folder / PARTS).mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise InputError(f"cannot be created ({error.strerror})", file=str(folder)) from None
            _write_whole(folder / MANIFEST, lambda path: path.write_text(_json(manifest), encoding="utf-8"))
        elif not resume:
            raise InputError("is not empty; resume the run in it, or choose another folder", file=str(folder))
        else:
            _refuse_another(folder, manifest)
            self._take_stock(manifest)

    def _take_stock(self, manifest: Mapping[str, Any]) -> None:
        (self.folder / PARTS).mkdir(exist_ok=True)
        for left_over in (self.folder / PARTS).glob(".cell_*.tmp"):
            left_over.unlink()
        damaged = []
        for part in _found(self.folder, manifest):
            try:
                _read(self.folder, part, self.schema)
                self.present.add(part)
            except InputError:
                damaged.append(part.name)
        self.recomputed = tuple(damaged)

    def write(self, part: Part, columns: Mapping[str, np.ndarray]) -> None:
        """Write one part: ``outcome`` and the metrics, each of shape [part.count]."""
        import numpy as np
        import pyarrow as pa
        import pyarrow.parquet as pq

        battles = np.arange(part.first, part.first + part.count)
        known = {"cell": np.full(part.count, part.cell, np.int32), "battle": battles, **columns}
        table = pa.table([known[name] for name in self.schema.names], schema=self.schema)
        _write_whole(
            self.folder / PARTS / part.name,
            lambda path: pq.write_table(table, path, compression="zstd", store_schema=False, write_page_checksum=True),
        )


@dataclass(frozen=True)
class Results:
    """What a run has left in a folder, whole or in part.

    Parameters
    ----------
    folder : Path
        Where it lies.
    manifest : dict
        The resolved experiment, see `manifest_of`.
    present : tuple of Part
        The parts that are there, in order.
    recomputed : tuple of str
        The names of the parts that the run which returned this found damaged and wrote anew.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> from wargamesim.simulate import load_experiment, run
    >>> folder = run(load_experiment("experiments/azincourt_bows.toml"), mkdtemp(), battles=2).folder
    >>> results = open_results(folder)
    >>> results.complete, results.cells[1], results.done[1]
    (True, {'pieces.archer.range': 5, 'pieces.archer.stakes': 1}, 2)
    """

    folder: Path
    manifest: dict[str, Any]
    present: tuple[Part, ...]
    recomputed: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return str(self.manifest["experiment"]["name"])

    @property
    def game(self) -> str:
        """The game's name in the registry."""
        return str(self.manifest["game"]["name"])

    @property
    def sides(self) -> tuple[str, str]:
        first, second = self.manifest["game"]["sides"]
        return first, second

    @property
    def outcomes(self) -> tuple[str, ...]:
        """What the values of the column ``outcome`` mean, by index."""
        return tuple(self.manifest["game"]["outcomes"])

    @property
    def metrics(self) -> tuple[registry.Metric, ...]:
        """The other columns."""
        return tuple(registry.Metric(**metric) for metric in self.manifest["game"]["metrics"])

    @property
    def factors(self) -> dict[str, list[Any]]:
        """Levels of each factor, in the order of the experiment's file."""
        return {factor["key"]: factor["levels"] for factor in self.manifest["experiment"]["factors"]}

    @cached_property
    def cells(self) -> list[dict[str, Any]]:
        """The level of each factor in each cell, by the cell's index."""
        return [{key: cell[key] for key in self.factors} for cell in self.manifest["cells"]]

    @property
    def paired(self) -> bool:
        """Whether all cells rolled the same dice."""
        return bool(self.manifest["experiment"]["paired"])

    @property
    def battles(self) -> int:
        """Battles planned for each cell."""
        return int(self.manifest["experiment"]["battles"])

    @cached_property
    def done(self) -> list[int]:
        """Battles present of each cell."""
        done = [0] * len(self.cells)
        for part in self.present:
            done[part.cell] += part.count
        return done

    @property
    def complete(self) -> bool:
        return sum(self.done) == self.battles * len(self.cells)

    def key(self, cell: int) -> int:
        """Return the key of a cell's dice, for a replay."""
        return battle_key(self.manifest["experiment"]["seed"], None if self.paired else cell)

    def setup(self, cell: int) -> Any:
        """Compile a cell again as it was played, from the manifest alone, for a replay.

        Raises
        ------
        InputError
            If there is no such cell, or the results were made with another version of wargamesim, or the manifest's
            rulebook or scenario no longer is the one that was played.
        """
        content, file = self.manifest, str(self.folder / MANIFEST)
        if not 0 <= cell < len(self.cells):
            raise InputError(f"there is no cell {cell}; the cells are 0 to {len(self.cells) - 1}", file=file)
        made, here = content["versions"]["wargamesim"], version("wargamesim")
        if made != here:
            raise InputError(f"made with wargamesim {made}, whose rules and dice may not be those of {here}", file=file)
        game, rules = registry.get(self.game), content["rulebook"]
        try:
            source = read(RulebookFile, rules["source"])
            book = Rulebook(rules["name"], rules["title"], source, {}).variant(rules["changes"])
            scenario = game.restore_scenario(content["scenario"]["source"])
        except ValueError as error:  # what cannot be read is such too
            raise InputError(f"its rulebook or scenario cannot be read ({error})", file=file) from None
        for what, found in (("rulebook", book), ("scenario", scenario)):
            if found.fingerprint != content[what]["fingerprint"]:
                raise InputError(f"made with another {what} '{found.name}' than the one in it", file=file)
        return compile_cell(game, book, scenario, {**content["experiment"]["set"], **self.cells[cell]})

    def table(self) -> pd.DataFrame:
        """Read all battles present.

        Returns
        -------
        DataFrame
            A row a battle, sorted by ``cell`` (int32) and ``battle`` (int64), with ``outcome`` (int8) and the
            metrics (int16).

        Raises
        ------
        InputError
            If a part is damaged; the message names it.
        """
        import pyarrow as pa

        schema = _schema(self.manifest)
        read = [_read(self.folder, part, schema) for part in self.present]
        return pa.concat_tables(read or [schema.empty_table()]).to_pandas()  # type: ignore[no-any-return]


def open_results(folder: str | Path, *, recomputed: tuple[str, ...] = ()) -> Results:
    """Open a folder of results, whole or in part.

    Raises
    ------
    InputError
        If it is not one, or a part in it is cut short.

    Examples
    --------
    >>> open_results("experiments")
    Traceback (most recent call last):
    ...
    wargamesim.errors.InputError: experiments: is not a folder of results: it has no manifest.json
    """
    folder = Path(folder)
    manifest = _read_manifest(folder)
    schema, present = _schema(manifest), tuple(_found(folder, manifest))
    for part in present:
        _read(folder, part, schema, only_footer=True)
    return Results(folder, manifest, present, recomputed)


def _json(content: Any) -> str:
    return json.dumps(content, sort_keys=True, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _schema(manifest: Mapping[str, Any]) -> pa.Schema:
    import pyarrow as pa

    metrics = [(metric["name"], pa.int16()) for metric in manifest["game"]["metrics"]]
    return pa.schema([("cell", pa.int32()), ("battle", pa.int64()), ("outcome", pa.int8()), *metrics])


def _write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Write under a temporary name and rename: a reader, or a kill at any moment, never meets half a file."""
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        write(temporary)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _is_unused(folder: Path) -> bool:
    """Tell whether a run may start here: no folder, or nothing in it but the beginnings of a killed run."""
    if not folder.exists():
        return True
    if not folder.is_dir():
        raise InputError("is a file; a folder for the results is wanted", file=str(folder))
    begun = {folder / PARTS, folder / f".{MANIFEST}.tmp"}
    inside = set(folder.iterdir())
    return inside <= begun and not ((folder / PARTS).is_dir() and any((folder / PARTS).iterdir()))


def _read_manifest(folder: Path) -> dict[str, Any]:
    file = folder / MANIFEST
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(f"is not a folder of results: it has no {MANIFEST}", file=str(folder)) from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read ({error})", file=str(file)) from None
    found = content.get("format") if isinstance(content, dict) else None
    if found != FORMAT:
        raise InputError(
            f"is no manifest of this version: its format must be '{FORMAT}', not {found!r}", file=str(file)
        )
    return content  # type: ignore[no-any-return]


def _refuse_another(folder: Path, manifest: Mapping[str, Any]) -> None:
    difference = next(_differences(_read_manifest(folder), manifest), None)
    if difference:
        raise InputError(
            f"holds another experiment's results: {difference}; choose another folder, or run what it was made with",
            file=str(folder),
        )


def _differences(there: Any, here: Any, where: str = "") -> Iterator[str]:
    """Yield what differs between two JSON values, path by path."""
    if isinstance(there, dict) and isinstance(here, dict):
        for key in {**here, **there}:
            yield from _differences(there.get(key), here.get(key), f"{where}.{key}" if where else key)
    elif isinstance(there, list) and isinstance(here, list) and len(there) == len(here):
        for index, (one, other) in enumerate(zip(there, here, strict=True)):
            yield from _differences(one, other, f"{where}[{index}]")
    # As text: to Python 1 is 1.0 and true.
    elif json.dumps(there) != json.dumps(here):
        yield f"{where} is {shown(there)} there and {shown(here)} here"


def _found(folder: Path, manifest: Mapping[str, Any]) -> Iterator[Part]:
    """Yield the parts of the plan that have a file, in order; other files are nobody's business."""
    names = {path.name for path in (folder / PARTS).glob("cell_*.parquet")}
    plan = parts(len(manifest["cells"]), manifest["experiment"]["battles"], manifest["part_size"])
    return (part for part in plan if part.name in names)


def _read(folder: Path, part: Part, schema: pa.Schema, *, only_footer: bool = False) -> pa.Table | None:
    """Read one part; an `InputError` names the file if it is not whole and exactly what the plan says."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = folder / PARTS / part.name
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            sound = file.schema_arrow.equals(schema) and file.metadata.num_rows == part.count
            table = None if only_footer else file.read(use_threads=False)
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"is damaged ({error}); resuming the run writes it anew", file=str(path)) from None
    if table is not None and sound:
        sound = bool(
            np.all(table["cell"].to_numpy() == part.cell)
            and np.array_equal(table["battle"].to_numpy(), np.arange(part.first, part.first + part.count))
        )
    if not sound:
        raise InputError(
            f"is damaged: it does not hold battles {part.first} to {part.first + part.count - 1} of cell {part.cell};"
            " resuming the run writes it anew",
            file=str(path),
        )
    return table
