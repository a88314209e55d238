"""The one error a person sees: what is wrong, where, what is allowed, the nearest known name."""

from __future__ import annotations

from collections.abc import Iterable


class InputError(ValueError):
    """The input (a file, a name, a number) is wrong; the command line prints it and exits with 2.

    Parameters
    ----------
    message : str
        What is wrong and what is allowed, in one or two sentences.
    file : str, optional
        The file in which it stands.
    key : str, optional
        The key or argument in which it stands, as a dotted path.

    Examples
    --------
    >>> str(InputError("must be at least 1, not 0", file="my.toml", key="pieces.archer.range"))
    'my.toml: pieces.archer.range: must be at least 1, not 0'
    """

    def __init__(self, message: str, *, file: str | None = None, key: str | None = None) -> None:
        self.message, self.file, self.key = message, file, key
        super().__init__(": ".join(part for part in (file, key, message) if part))


def unknown(
    kind: str, name: object, known: Iterable[str], *, file: str | None = None, key: str | None = None
) -> InputError:
    """Build the error for a name that does not exist, with the nearest name that does.

    Examples
    --------
    >>> str(unknown("rulebook", "azincurt", ["azincourt", "stirling"]))
    "unknown rulebook 'azincurt'; did you mean 'azincourt'? Known: azincourt, stirling"
    """
    names = sorted(known)
    close = near(str(name), names)
    hint = f"; did you mean '{close[0]}'?" if close else "."
    return InputError(f"unknown {kind} '{name}'{hint} Known: {', '.join(names) or 'none'}", file=file, key=key)


def near(name: str, known: Iterable[str], *, count: int = 1, cutoff: float = 0.5) -> list[str]:
    """Return the known names that are nearest to a name, the nearest first; none if none is near.

    Examples
    --------
    >>> near("azincurt", ["azincourt", "stirling"])
    ['azincourt']
    """
    from difflib import get_close_matches  # Whoever makes no mistake does not pay for it.

    return get_close_matches(name, list(known), n=count, cutoff=cutoff)


class IllegalAction(RuntimeError):
    """A simulated player proposed what the rules forbid: a mistake in the player's code, never a person's.

    Parameters
    ----------
    rule : str
        Id of the rule that forbids it.
    reason : str
        Who wanted what, and why it may not be.

    Examples
    --------
    >>> str(IllegalAction("NA-4.1", "regular 3 fires an unloaded musket"))
    'NA-4.1: regular 3 fires an unloaded musket'
    """

    def __init__(self, rule: str, reason: str) -> None:
        self.rule, self.reason = rule, reason
        super().__init__(f"{rule}: {reason}")
