"""A replay shows every event once, in order, with its rule id, and fits a terminal of 80 columns."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from wargamesim.games.registry import Event
from wargamesim.report.replay import replay_lines

words = st.lists(st.text("abcxyz0189(),", min_size=1, max_size=30), min_size=1, max_size=30).map(" ".join)
drawings = st.none() | st.lists(st.text(".#K", min_size=1, max_size=66), min_size=1, max_size=4).map("\n".join)
all_events = st.lists(
    st.builds(
        Event,
        st.integers(0, 3),
        st.sampled_from(["", "red", "blue"]),
        st.sampled_from(["RB-1", "RB-10.12"]),
        words,
        drawings,
    )
)


def test_a_short_battle() -> None:
    events = [
        Event(0, "", "RB-1", "red and blue set up", "0 r.\n1 .b"),
        Event(1, "red", "RB-2", "r moves"),
        Event(1, "red", "RB-3.10", "it counts", "0 .r\n1 .b"),
        Event(2, "blue", "RB-2", "b stays where it is, " + "which takes a long sentence to say " * 3),
    ]
    assert list(replay_lines(events)) == [
        "Before the first turn",
        "  RB-1      red and blue set up",
        "",
        "  0 r.",
        "  1 .b",
        "",
        "Turn 1: red",
        "  RB-2      r moves",
        "  RB-3.10   it counts",
        "",
        "  0 .r",
        "  1 .b",
        "",
        "Turn 2: blue",
        "  RB-2      b stays where it is, which takes a long sentence to say which takes",
        "            a long sentence to say which takes a long sentence to say",
    ]


def test_no_events_no_lines() -> None:
    assert list(replay_lines([])) == []


def test_it_tells_while_the_battle_goes_on() -> None:
    def battle() -> Iterator[Event]:
        yield Event(1, "red", "RB-2", "r moves")
        raise AssertionError("asked for more than was shown")

    lines = replay_lines(battle())
    assert [next(lines), next(lines)] == ["Turn 1: red", "  RB-2      r moves"]


@given(all_events)
def test_all_is_told_in_80_columns(events: list[Event]) -> None:
    lines = list(replay_lines(events))
    assert all(len(line) <= 80 and line == line.rstrip() for line in lines)
    told = [word for line in lines for word in line.split()]
    for event in events:
        for word in (event.rule, *event.text.split(), *(event.board or "").split()):
            assert word in told
            del told[: told.index(word) + 1]


@given(all_events)
def test_one_heading_for_each_turn_of_a_side(events: list[Event]) -> None:
    events = [Event(event.turn, event.side, event.rule, "told") for event in events]
    headings = [line for line in replay_lines(events) if line and not line.startswith(" ")]
    changes = [
        event
        for before, event in zip([None, *events], events, strict=False)
        if before is None or _key(before) != _key(event)
    ]
    assert headings == [
        (f"Turn {event.turn}" if event.turn else "Before the first turn") + (f": {event.side}" if event.side else "")
        for event in changes
    ]


def _key(event: Event) -> tuple[int, str]:
    return event.turn, event.side
