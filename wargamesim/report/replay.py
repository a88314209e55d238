"""A battle as text for the terminal: event by event, each with its rule id. Knows no game: the board comes drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap

from wargamesim.games.registry import Event

WIDTH = 80
RULE_WIDTH = 8  # the column of rule ids; a longer id pushes its own line only


def replay_lines(events: Iterable[Event]) -> Iterator[str]:
    """Tell a battle line by line, as its events come.

    Parameters
    ----------
    events : iterable of Event
        In the order in which they happened.

    Yields
    ------
    str
        Lines without line ends, of at most 80 characters; only a board wider than that is left as it was drawn.

    Examples
    --------
    >>> moved = Event(1, "red", "RB-2.1", "pawn 3 moves to (4, 1)")
    >>> won = Event(1, "red", "RB-7", "red has won", "..\\n.p")
    >>> print("\\n".join(replay_lines([moved, won])))
    Turn 1: red
      RB-2.1    pawn 3 moves to (4, 1)
      RB-7      red has won
    <BLANKLINE>
      ..
      .p
    """
    heading = None
    for event in events:
        if (event.turn, event.side) != heading:
            if heading is not None:
                yield ""
            heading = (event.turn, event.side)
            yield _heading(event)
        label = f"  {event.rule:<{RULE_WIDTH}}  "
        yield from wrap(event.text, WIDTH, initial_indent=label, subsequent_indent=" " * (RULE_WIDTH + 4))
        if event.board is not None:
            yield ""
            yield from (f"  {line}".rstrip() for line in event.board.splitlines())


def _heading(event: Event) -> str:
    turn = f"Turn {event.turn}" if event.turn else "Before the first turn"
    return f"{turn}: {event.side}" if event.side else turn
