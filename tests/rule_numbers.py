"""Changes of a rulebook that hypothesis makes: any option of any reading, and numbers beside their own."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from wargamesim.rulebook import Rulebook
from wargamesim.rulebook.schema import Number


def beside(number: Number) -> list[Any]:
    """Return other values of a number near its own, as far as they are allowed.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> beside(load_rulebook("stirling").numbers["movement.zone"])
    [0, 2]
    """
    value = number.value
    if isinstance(value, bool):
        return [not value]
    assert number.min is not None
    assert number.max is not None
    if isinstance(value, tuple):
        others = [[*value[1:]], [*value, value[-1] + 1]]
        return [each for each in others if each and number.min <= each[0] and each[-1] <= number.max]
    near = {value - 1, value + 1, value // 2, value * 2, 0, 1} - {value}
    return sorted(each for each in near if number.min <= each <= number.max)


def changes(rulebook: Rulebook, most: int, leave: tuple[str, ...] = ()) -> st.SearchStrategy[dict[str, Any]]:
    """Any options of any readings, and at most so many numbers beside their own.

    Parameters
    ----------
    rulebook : Rulebook
        The rulebook that is changed.
    most : int
        Of numbers that are changed.
    leave : tuple of str
        How the paths of numbers begin that stay as they are.
    """
    readings = {rule: st.sampled_from(sorted(each.options)) for rule, each in rulebook.readings.items()}
    numbers = {
        path: st.sampled_from(beside(number))
        for path, number in rulebook.numbers.items()
        if beside(number) and not path.startswith(leave)
    }
    some = st.lists(st.sampled_from(sorted(numbers)), max_size=most, unique=True)
    changed = some.flatmap(lambda paths: st.fixed_dictionaries({path: numbers[path] for path in paths}))
    return st.builds(lambda one, other: one | other, st.fixed_dictionaries({}, optional=readings), changed)
