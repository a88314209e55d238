"""How compiled functions are built: with the signature that the annotations say, or merged into callers.

Numba puts the code of all callees into each function, and compiles a function anew for every constant and width of
integer that it meets, unless it is given a signature.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import from_dtype, types

from wargamesim.compiled import INNER, cached, njit
from wargamesim.games.coloniale.doctrine import DOCTRINE
from wargamesim.games.coloniale.layout import GOALS, GROUND, PLAN, STATE
from wargamesim.games.coloniale.playing import PLAY

F = TypeVar("F", bound=Callable[..., Any])

# What an annotation is to Numba.
TYPES: dict[str, Any] = {
    "State": from_dtype(STATE),
    "Ground": from_dtype(GROUND),
    "Play": from_dtype(PLAY),
    "Goals": from_dtype(GOALS),
    "Plan": from_dtype(PLAN),
    "DoctrineRecord": from_dtype(DOCTRINE),
    "np.uint64": types.uint64,
    "int": types.int64,
    "float": types.float64,
    "bool": types.boolean,
    "None": types.void,
}


def _signature(function: Callable[..., Any]) -> Any:
    *arguments, returns = (TYPES[name] for name in function.__annotations__.values())
    return returns(*arguments)


def typed(function: F) -> F:
    """Compile for compiled callers alone, once, for the types that the annotations say."""
    return njit(_signature(function), **cached(function), **INNER)(function)


def public(function: F) -> F:
    """Compile likewise, so that Python may call it too."""
    return njit(_signature(function), **cached(function))(function)


def merged(function: F) -> F:
    """Compile as a part of each caller."""
    return njit(nogil=True, error_model="numpy", inline="always")(function)
