"""Who moves when: the order of movement, and the dice that decide it (SS-5.2, SS-5.3)."""

from __future__ import annotations

from collections.abc import Sequence

from wargamesim.dice.pmf import PMF, Comparison
from wargamesim.errors import InputError
from wargamesim.games.stirling.rules import Book, compile_rules


def initiative(rulebook: Book) -> Comparison:
    """Return how the first dice of two sides compare; equal ones are rolled again (SS-5.2).

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> more_than, equal, less_than = initiative(load_rulebook("stirling"))
    >>> print(f"{equal * 6:.6f}")
    1.000000
    """
    die = PMF.die(compile_rules(rulebook).initiative_die)
    return die.compare(die)


def movement_order(
    rulebook: Book, mov: Sequence[int], side: Sequence[int], dice: tuple[int, int], delays: Sequence[bool]
) -> list[int]:
    """Return the order in which units move (SS-5.2, SS-5.3, SS-P24).

    From the fastest down each unit moves or delays, then the delayed ones move from the slowest up. Units of one side
    with equal MOV move as they are listed.

    Parameters
    ----------
    rulebook : Rulebook or Rules
    mov : sequence of int
        MOV of each unit.
    side : sequence of int, 0 or 1
        Whose it is.
    dice : tuple of int
        The dice of both sides, which differ.
    delays : sequence of bool
        Whether it delays.

    Returns
    -------
    list of int
        Indices of the units.

    Raises
    ------
    InputError
        If the dice are equal or the sequences not of one length.

    Examples
    --------
    The example of the source: a die of 3 against 2, all delay.

    >>> from wargamesim.rulebook import load_rulebook
    >>> names = ["A1", "A2", "B1", "B2"]
    >>> order = movement_order(load_rulebook("stirling"), [12, 6, 9, 6], [0, 0, 1, 1], (3, 2), [True] * 4)
    >>> [names[unit] for unit in order]
    ['B2', 'A2', 'B1', 'A1']
    """
    if dice[0] == dice[1]:
        raise InputError(f"must differ, equal ones are rolled again, not {dice[0]} and {dice[1]}", key="dice")
    if not len(mov) == len(side) == len(delays):
        raise InputError("must be as many as there are sides and delays", key="mov")
    low_first = compile_rules(rulebook).low_moves_first

    def at_once(unit: int) -> tuple[int, int, int]:
        die = dice[side[unit]]
        return -mov[unit], die if low_first else -die, unit

    def delayed(unit: int) -> tuple[int, int, int]:
        return mov[unit], dice[side[unit]], unit

    units = range(len(mov))
    now = sorted((unit for unit in units if not delays[unit]), key=at_once)
    return now + sorted((unit for unit in units if delays[unit]), key=delayed)
