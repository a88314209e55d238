"""What a person may pass as a count, a probability or a batch, and what to say when it is something else."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wargamesim.errors import InputError

MASS_TOLERANCE = 1e-12
# Integers up to here are exact as float64, and a few additions to them stay inside int64.
LARGEST = 2**53


def integers(name: str, values: ArrayLike, minimum: int | None = None) -> NDArray[np.int64]:
    """Return the values as int64.

    Raises
    ------
    InputError
        If one is not an integer (2.0 is not), is below the minimum, or is beyond plus or minus 2**53.

    Examples
    --------
    >>> integers("sides", [6, 20], minimum=1)
    array([ 6, 20])
    """
    try:
        array = np.asarray(values)
    except ValueError:
        raise InputError("must be an array of one shape", key=name) from None
    # Python integers of more than 64 bits make an array of objects: too large, which is another error.
    huge = array.dtype.kind == "O" and all(type(value) is int for value in array.flat)
    if array.dtype.kind not in "iu" and array.size and not huge:
        raise InputError(f"must be integers, not {array.ravel().tolist()[0]!r}", key=name)
    low, high = (int(array.min()), int(array.max())) if array.size else (0, 0)
    if minimum is not None and array.size and low < minimum:
        raise InputError(f"must be at least {minimum}, not {low}", key=name)
    if max(-low, high) > LARGEST:
        raise InputError(f"must be within plus or minus 2**53, not {low if -low > LARGEST else high}", key=name)
    return array.astype(np.int64)


def integer(name: str, value: int, minimum: int | None = None) -> int:
    """Return one integer; the errors are those of `integers`.

    Examples
    --------
    >>> integer("keep", 3, minimum=0)
    3
    """
    array = integers(name, value, minimum)
    if array.ndim:
        raise InputError("must be one integer, not an array", key=name)
    return int(array)


def probabilities(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Return the values as float64, a copy.

    Raises
    ------
    InputError
        If one is not a number or lies outside 0 to 1.

    Examples
    --------
    >>> probabilities("chance", 0.5)
    array(0.5)
    """
    try:
        array = np.array(values, dtype=np.float64)
    except (ValueError, TypeError):
        raise InputError("must be numbers in an array of one shape", key=name) from None
    wrong = ~((array >= 0) & (array <= 1 + MASS_TOLERANCE))
    if wrong.any():
        raise InputError(f"must be probabilities from 0 to 1, not {float(array[wrong][0])}", key=name)
    return array


def distribution(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Return probabilities, shape (..., n), that sum to 1 along the last axis.

    Raises
    ------
    InputError
        If there is no axis or it is empty, if one is no probability, or if a sum is off 1 by more than 1e-12.

    Examples
    --------
    >>> distribution("weights", [0.25, 0.75])
    array([0.25, 0.75])
    """
    array = probabilities(name, values)
    if array.ndim == 0 or array.shape[-1] == 0:
        raise InputError("must have a last axis of at least one probability", key=name)
    mass = array.sum(axis=-1)
    worst = mass.flat[np.abs(mass - 1).argmax()] if mass.size else 1.0
    if abs(worst - 1) > MASS_TOLERANCE:
        raise InputError(f"must sum to 1 along the last axis, not to {worst:.15g}", key=name)
    return array


def broadcast(**shapes: Iterable[int]) -> tuple[int, ...]:
    """Return the common shape of named arguments.

    Raises
    ------
    InputError
        If there is none.

    Examples
    --------
    >>> broadcast(attacker=(3, 1), difference=(5,))
    (3, 5)
    """
    named = {name: tuple(shape) for name, shape in shapes.items()}
    try:
        return np.broadcast_shapes(*named.values())
    except ValueError:
        parts = ", ".join(f"{name} {shape}" for name, shape in named.items())
        raise InputError(f"shapes do not broadcast: {parts}", key=next(iter(named))) from None
