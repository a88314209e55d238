"""What the doctrines of all games have in common: how parameters are told, checked and turned into a record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, get_type_hints

import numpy as np

from wargamesim.errors import InputError, unknown


@dataclass(frozen=True)
class Parameter:
    """What one parameter means and which values it takes: words, a switch (bool), whole numbers or a real number."""

    text: str
    default: str | bool | int | float
    words: tuple[str, ...] = ()
    low: float = 0
    high: float = 0


def layout(doctrine: type[NamedTuple]) -> np.dtype[Any]:
    """Return the fields of a doctrine as a record of fixed layout, for `records.pack` and compiled code.

    Examples
    --------
    >>> class Doctrine(NamedTuple):
    ...     reach: int
    ...     odds: float
    >>> layout(Doctrine)["odds"]
    dtype('float64')
    """
    kinds = get_type_hints(doctrine).items()
    return np.dtype([(name, np.float64 if kind is float else np.int64) for name, kind in kinds], align=True)


def numbers(
    values: Mapping[str, object],
    parameters: Mapping[str, Parameter],
    *,
    key: str | None = None,
    file: str | None = None,
) -> dict[str, Any]:
    """Check the parameters of a doctrine and turn words and switches into numbers.

    Parameters
    ----------
    values : mapping
        Parameter to value; those left out take their default.
    parameters : mapping
        All parameters of the game.
    key, file : str
        Where they stand, for messages.

    Raises
    ------
    InputError
        For an unknown parameter, a value of the wrong kind or out of range.

    Examples
    --------
    >>> known = {"foot": Parameter("stands or walks", "hold", words=("hold", "advance"))}
    >>> numbers({"foot": "advance"}, known), numbers({}, known)
    ({'foot': 1}, {'foot': 0})
    """
    for name in values:
        if name not in parameters:
            raise unknown("doctrine parameter", name, parameters, file=file, key=key)
    prefix = f"{key}." if key else ""
    return {
        name: _number(parameter, values.get(name, parameter.default), f"{prefix}{name}", file)
        for name, parameter in parameters.items()
    }


def _number(parameter: Parameter, value: object, key: str, file: str | None) -> int | float:
    if parameter.words:
        if value not in parameter.words:
            raise unknown("word", value, parameter.words, file=file, key=key)
        return parameter.words.index(str(value))
    if isinstance(parameter.default, bool):
        if not isinstance(value, bool):
            raise InputError(f"must be true or false, not {value!r}", file=file, key=key)
        return int(value)
    kind = float if isinstance(parameter.default, float) else int
    allowed = f"{parameter.low:g} to {parameter.high:g}"
    if isinstance(value, bool) or not isinstance(value, int | kind):
        what = "a number" if kind is float else "a whole number"
        raise InputError(f"must be {what} from {allowed}, not {value!r}", file=file, key=key)
    if not parameter.low <= value <= parameter.high:
        raise InputError(f"must be from {allowed}, not {value!r}", file=file, key=key)
    return kind(value)
