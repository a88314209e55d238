"""The decorators of compiled functions, with a cache on disk that notices any edit of what they are compiled from.

Numba's own cache looks only at the file of the function itself: a kernel kept an old constant of another module after
an edit. So the cache folder is named after a hash of the source: of the room in which the function lies, one game for
instance, and of what all rooms may compile from. A test holds that compiled code takes its constants from nowhere else.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba

F = TypeVar("F", bound=Callable[..., Any])

# What compiled code of every room may use, beside the room's own modules.
SHARED = ("compiled.py", "bits.py", "records.py", "dice")


def source_hash(room: str = "") -> str:
    """Return a hash of the Python source that a room's functions are compiled from, 16 hex digits.

    Parameters
    ----------
    room : str
        The path of a package below this one, such as "games/azincourt"; none for what all rooms share.
    """
    package = Path(__file__).parent
    digest = hashlib.sha256()
    for place in (*SHARED, *([room] if room else [])):
        path = package / place
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder(room: str = "") -> Path:
    """Return the folder of a room's compiled functions for its exact source, in XDG_CACHE_HOME or else ~/.cache."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "wargamesim" / source_hash(room)


# Numba tells type checkers little of its settings and options.
config: Any = numba.config
njit: Any = numba.njit

# LLVM's level 2 compiles the kernels in two thirds of the time of level 3, and they run 6 % slower (measured).
config.OPT = config._OptLevel(2)


_folder = cache(cache_folder)


def cached(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the options of every compiled function, and have Numba cache this one in its room's folder.

    One from outside of the package, as in a test, is compiled each time: of an edit of a room that it calls, the cache
    would not know.
    """
    package, *rooms = function.__module__.split(".")[:-1] or [""]
    if package == __package__:
        config.CACHE_DIR = str(_folder("/".join(rooms)))
    return {"nogil": True, "cache": package == __package__, "error_model": "numpy"}


# Python may call a compiled function through a wrapper, which costs as much to compile as a small function itself.
INNER = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def compiled(function: F) -> F:
    """Compile so that Python may call it: no GIL (threads play side by side), cached on disk, division as in NumPy."""
    return njit(**cached(function))(function)  # type: ignore[no-any-return]


def inner(function: F) -> F:
    """Compile for compiled callers alone."""
    return njit(**cached(function), **INNER)(function)  # type: ignore[no-any-return]


def inner_as(signature: str) -> Callable[[F], F]:
    """Compile like `inner` for one signature only: Numba would compile again for each constant and width of integer."""

    def decorate(function: F) -> F:
        return njit(signature, **cached(function), **INNER)(function)  # type: ignore[no-any-return]

    return decorate


def inlined(function: F) -> F:
    """Compile a small helper like `inner`, and have LLVM put it into its callers."""
    return njit(**cached(function), forceinline=True, **INNER)(function)  # type: ignore[no-any-return]
