"""The key of an experiment's dice: from a seed to 64 bits, without compiling anything."""

from __future__ import annotations

from numbers import Integral

from numpy.random import SeedSequence

from wargamesim.errors import InputError


def battle_key(seed: int, cell: int | None = None) -> int:
    """Return the first key word of the dice of a cell's battles.

    Parameters
    ----------
    seed : int
        The experiment's seed, any integer of at least 0 (0 is a seed like any other).
    cell : int or None
        None when all cells roll the same dice (a paired experiment), else the index of the cell, at least 0.

    Returns
    -------
    int
        A word of 64 bits, mixed by `numpy.random.SeedSequence`: neighbouring seeds and cells share nothing.

    Raises
    ------
    InputError
        If the seed or the cell is not an integer, or is negative.

    Examples
    --------
    >>> battle_key(0), battle_key(0, 0)
    (15793235383387715774, 8668861027912758289)
    """
    for name, value in (("seed", seed), ("cell", cell)):
        if value is None and name == "cell":
            continue
        if not isinstance(value, Integral) or isinstance(value, bool) or value < 0:
            raise InputError(f"must be an integer of at least 0, not {value!r}", key=name)
    sequence = SeedSequence(int(seed), spawn_key=() if cell is None else (int(cell),))
    return int(sequence.generate_state(1, "uint64")[0])
