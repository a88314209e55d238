"""The decorator of every compiled function, with a cache on disk that notices any edit of the package.

Numba's own cache looks only at the file of the function itself: a kernel kept an old constant of
another module after an edit. So the cache folder is named after a hash of the whole package's source.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba

F = TypeVar("F", bound=Callable[..., Any])


def source_hash() -> str:
    """Return a hash of all Python source in the package, 16 hex digits."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Return the folder of compiled kernels for this exact source: below XDG_CACHE_HOME, else ~/.cache."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "wargamesim" / source_hash()


# Numba tells type checkers little of its settings and options.
config: Any = numba.config
njit: Any = numba.njit

config.CACHE_DIR = str(cache_folder())
# LLVM's level 2 compiles the kernels in two thirds of the time of level 3, and they run 6 % slower (measured).
config.OPT = config._OptLevel(2)


# Python may call a compiled function through a wrapper, which costs as much to compile as a small function itself.
_INNER = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def compiled(function: F) -> F:
    """Compile so that Python may call it: no GIL (threads play side by side), cached on disk, division as in NumPy."""
    return njit(nogil=True, cache=True, error_model="numpy")(function)  # type: ignore[no-any-return]


def inner(function: F) -> F:
    """Compile for compiled callers alone."""
    return njit(nogil=True, cache=True, error_model="numpy", **_INNER)(function)  # type: ignore[no-any-return]


def inner_as(signature: str) -> Callable[[F], F]:
    """Compile like `inner` for one signature only: Numba would compile again for each constant and width of integer."""
    return njit(signature, nogil=True, cache=True, error_model="numpy", **_INNER)  # type: ignore[no-any-return]


def inlined(function: F) -> F:
    """Compile a small helper like `inner`, and have LLVM put it into its callers."""
    return njit(nogil=True, cache=True, error_model="numpy", forceinline=True, **_INNER)(function)  # type: ignore[no-any-return]
