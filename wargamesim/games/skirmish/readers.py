"""Readers of what stands at one key of a scenario: each returns a value, or says what is allowed there."""

from __future__ import annotations

from wargamesim.games.readers import whole
from wargamesim.rulebook.read import Problem, UnreadableError, shown


def inside(key: str, error: ValueError) -> UnreadableError:
    """Return an error in what stands at a key as one of what holds the key."""
    problems = error.problems if isinstance(error, UnreadableError) else [Problem((), str(error))]
    return UnreadableError(problem._replace(key=(key, *problem.key)) for problem in problems)


def magazine(raw: object) -> bool | int:
    """Read whether a weapon repeats, or how many rounds it holds."""
    if isinstance(raw, bool):
        return raw
    try:
        return whole(2, 100)(raw)
    except ValueError:
        raise ValueError(f"must be true, false, or the rounds of its magazine (2 to 100), not {shown(raw)}") from None
