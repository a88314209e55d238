"""Close combat: dice and ties, several against one, capture, evasion, shots before the round, free blows."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace

import pytest

from tests.skirmish_positions import (
    course_of,
    events,
    figure,
    go,
    ground_of,
    of,
    place,
    tally,
)
from wargamesim.games.skirmish import orders
from wargamesim.games.skirmish.layout import (
    BLUE,
    CAPTOR,
    CAPTURED,
    DEAD,
    EVADED,
    EVADES,
    EVASION,
    EVASIONS,
    FALL,
    IN_PLAY,
    LOWEST,
    MELEE,
    MELEE_AGAIN,
    MELEE_LONE,
    OUT_UNTIL,
    PRISONERS,
    PRONE,
    ROLES,
    ROUNDS_FOUGHT,
    STATUS,
    WOUNDS,
)
from wargamesim.games.skirmish.referee_course import (
    PAIR,
    ROUND,
    Course,
)
from wargamesim.games.skirmish.referee_ending import end_of_turn
from wargamesim.games.skirmish.referee_melee import fight
from wargamesim.games.skirmish.referee_move import arrive


@pytest.fixture
def calm(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Players who neither evade nor shoot nor capture, until told otherwise."""
    wish = SimpleNamespace(evades=0, shoots=-1, captures=0)
    monkeypatch.setattr(orders, "evades", lambda *_: wish.evades)
    monkeypatch.setattr(orders, "shoots_first", lambda *_: wish.shoots)
    monkeypatch.setattr(orders, "captures", lambda *_: wish.captures)
    return wish


def begin(course: Course, *, charges: bool = False) -> list[int]:
    return fight(course, 0, 0, charges=charges, arrive=arrive)


PAIR_OF = [figure(5, 5, die=10), figure(7, 5, 1, die=10)]


@pytest.mark.usefixtures("calm")
@pytest.mark.parametrize(
    ("mine", "theirs", "status", "wounds", "blue"),
    [(8, 4, DEAD, 0, 0), (8, 5, IN_PLAY, 1, 1), (8, 6, IN_PLAY, 0, 1), (2, 1, DEAD, 0, 0)],
)
def test_a_round_of_two(mine: int, theirs: int, status: int, wounds: int, blue: int) -> None:
    course = course_of(PAIR_OF, {(MELEE, 64): mine, (MELEE, 0): theirs})
    assert begin(course) == [1, 0]
    assert [of(course, field, 1) for field in (STATUS, WOUNDS, BLUE, PRONE)] == [status, wounds, blue, 0]
    assert events(course, PAIR) == [(1, 0, theirs, mine, 1, 1, -1, -1, -1, -1)]
    assert events(course, ROUND) == [(0, 1, 1, 0, 0, -1, -1, -1, -1, -1)]
    assert tally(course, ROUNDS_FOUGHT) == 1


@pytest.mark.usefixtures("calm")
def test_ties_are_rolled_again_bare() -> None:
    figures = [figure(5, 5, die=10, grade="veteran"), figure(7, 5, 1, die=10)]
    faces = {(MELEE, 64): 4, (MELEE, 0): 5, (MELEE_AGAIN, 0): 3, (MELEE_AGAIN, 1): 3}
    course = course_of(figures, faces | {(MELEE_AGAIN, 2): 5, (MELEE_AGAIN, 3): 6})
    begin(course)
    assert events(course, PAIR)[0][:6] == (1, 0, 5, 6, 3, 1)
    assert (of(course, BLUE, 1), of(course, STATUS, 1)) == (1, IN_PLAY)


@pytest.mark.usefixtures("calm")
@pytest.mark.parametrize(
    ("also", "charges", "wall", "totals"),
    [
        ({}, False, False, (5, 5)),
        ({WOUNDS: 1}, False, False, (5, 4)),
        ({PRONE: 1}, False, False, (5, 3)),
        ({BLUE: 1}, False, False, (5, 4)),
        ({}, True, False, (5, 6)),
        ({}, False, True, (6, 5)),
    ],
)
def test_what_changes_a_die_of_close_combat(
    also: Mapping[int, int], charges: bool, wall: bool, totals: tuple[int, int]
) -> None:
    figures = [figure(5, 5.5, die=10, also=also), figure(7, 5.5, 1, die=10)]
    faces = {MELEE: 5, (MELEE_AGAIN, 0): 9, (MELEE_AGAIN, 1): 8}
    course = course_of(figures, faces, ground_of(["." * 6 + "=" + "." * 20] * 10) if wall else None)
    begin(course, charges=charges)
    if totals[0] != totals[1]:
        assert events(course, PAIR)[0][2:4] == totals
    else:
        assert events(course, PAIR)[0][4] == 2


THREE = [figure(5, 5), figure(9, 5), figure(7, 7), figure(7, 5, 1)]


@pytest.mark.usefixtures("calm")
@pytest.mark.parametrize(
    ("reading", "blue", "pairs"),
    [("single_roll", [0, 1, 1, 0], 3), ("pairwise", [1, 0, 0, 1], 3), ("lowest_only", [0, 1, 0, 0], 1)],
)
def test_several_against_one(reading: str, blue: list[int], pairs: int) -> None:
    faces = {(MELEE, 0): 4, (MELEE, 64): 5, (MELEE, 128): 3, (MELEE, 192): 3}
    faces |= {(MELEE_LONE, 0): 6, (MELEE_LONE, 1): 2, (MELEE_LONE, 2): 2, LOWEST: 1}
    course = course_of(THREE, faces, changes={"NA-7.12": reading, "NA-7.10": "killed_only"})
    begin(course)
    assert len(events(course, PAIR)) == pairs
    losers = {row[5] for row in events(course, PAIR)}
    assert losers == {f for f in range(4) if blue[f]} | ({3} if reading in ("single_roll", "pairwise") else set())


@pytest.mark.usefixtures("calm")
def test_the_lone_figure_who_is_lowest_loses_to_the_highest() -> None:
    faces = {(MELEE, 0): 4, (MELEE, 64): 5, (MELEE, 128): 6, (MELEE, 192): 5}
    course = course_of(THREE, faces, changes={"NA-7.12": "lowest_only"})
    begin(course)
    assert events(course, PAIR) == [(3, 1, 4, 6, 1, 3, -1, -1, -1, -1)]


@pytest.mark.parametrize(
    ("dice", "wants", "changes", "status"),
    [
        ((4, 5, 5, 3), 1, {}, CAPTURED),
        ((4, 5, 5, 3), 0, {}, IN_PLAY),
        ((4, 5, 3, 3), 1, {}, IN_PLAY),
        ((6, 8, 8, 3), 1, {}, IN_PLAY),
        ((1, 5, 5, 3), 1, {}, CAPTURED),
        ((1, 5, 5, 3), 1, {"NA-7.14": "if_alive"}, DEAD),
    ],
)
def test_capture(
    calm: SimpleNamespace, dice: tuple[int, ...], wants: int, changes: Mapping[str, str], status: int
) -> None:
    calm.captures = wants
    figures = [{**each, "die": 10} for each in THREE]
    course = course_of(figures, {(MELEE, 64 * slot): die for slot, die in enumerate(dice)}, changes=changes)
    begin(course)
    assert of(course, STATUS, 3) == status
    assert events(course, ROUND)[0][4] == (status == CAPTURED)
    if status == CAPTURED:
        assert (of(course, CAPTOR, 3), tally(course, PRISONERS, 1)) == (0, 1)


@pytest.mark.parametrize(("die", "falls"), [(1, True), (2, False)])
def test_evasion(calm: SimpleNamespace, die: int, falls: bool) -> None:
    calm.evades = 1
    figures = [figure(5, 5), figure(7, 5, 1, also={ROLES: EVADES}), figure(30, 5, 1)]
    course = course_of(figures, {EVASION: die, MELEE: 3, (MELEE, 0): 4})
    begin(course)
    if falls:
        assert of(course, PRONE, 1) == 1
        assert tally(course, EVASIONS, 1) == 0
    else:
        assert place(course, 1) == (22, 5)
        assert (of(course, EVADED, 1), of(course, OUT_UNTIL, 1), tally(course, EVASIONS, 1)) == (1, 2, 1)
        assert events(course, ROUND) == [(0, -1, 0, 1, 0, -1, -1, -1, -1, -1)]
        assert tally(course, ROUNDS_FOUGHT) == 0


def test_an_evader_stops_before_others_and_may_have_nowhere_to_go(calm: SimpleNamespace) -> None:
    calm.evades = 1
    runner = figure(7, 5, 1, also={ROLES: EVADES})
    blocked = course_of([figure(5, 5), runner, figure(22, 5, 1)], {EVASION: 6})
    begin(blocked)
    assert place(blocked, 1) == (20, 5)
    cornered = course_of(
        [figure(2.5, 5), figure(0.5, 5, 1, also={ROLES: EVADES})], {EVASION: 6, MELEE: 3, (MELEE, 0): 4}
    )
    begin(cornered)
    assert (place(cornered, 1), tally(cornered, ROUNDS_FOUGHT)) == ((0.5, 5), 1)
    captured = course_of([figure(5, 5), runner], {EVASION: 1}, changes={"NA-7.4": "captured"})
    begin(captured)
    assert of(captured, STATUS, 1) == CAPTURED


@pytest.mark.usefixtures("calm")
def test_who_leaves_contact_suffers_a_free_blow_by_one_reading() -> None:
    faces = {(MELEE, 1): 3, (MELEE, 65): 6}
    for reading, status in (("on_activation", IN_PLAY), ("free_hit", DEAD)):
        course = course_of(PAIR_OF, faces, changes={"NA-7.2": reading})
        go(course, 1, 5)
        assert of(course, STATUS, 0) == status
    course = course_of(PAIR_OF, {(MELEE, 1): 6, (MELEE, 65): 3}, changes={"NA-7.2": "free_hit"})
    go(course, 1, 5)
    assert (place(course), of(course, BLUE, 1)) == ((1, 5), 0)


@pytest.mark.usefixtures("calm")
def test_a_charge_into_contact_is_fought_at_once_or_at_the_end_of_the_turn() -> None:
    figures = [figure(5, 5, die=10), figure(22, 5, 1, die=10)]
    faces = {FALL: 6, (MELEE, 64): 8, (MELEE, 0): 5}
    course = course_of(figures, faces)
    go(course, 20, 5, run=1)
    assert events(course, PAIR)[0][2:4] == (5, 9)
    later = course_of(figures, faces, changes={"NA-7.2": "end_of_turn"})
    go(later, 20, 5, run=1)
    assert events(later, PAIR) == []
    end_of_turn(later)
    assert events(later, PAIR)[0][2:4] == (5, 8)


def test_an_evader_who_lay_stands_up_and_gets_half_as_far(calm: SimpleNamespace) -> None:
    calm.evades = 1
    figures = [figure(5, 5), figure(7, 5, 1, also={ROLES: EVADES, PRONE: 1})]
    course = course_of(figures, {EVASION: 6})
    begin(course)
    assert (place(course, 1), of(course, PRONE, 1)) == ((14, 5), 0)


@pytest.mark.usefixtures("calm")
@pytest.mark.parametrize(("reading", "fights"), [("no_move", False), ("half_move", False), ("whole_move", True)])
def test_a_runner_who_falls_fights_only_if_he_has_come_the_whole_way(reading: str, fights: bool) -> None:
    course = course_of(
        [figure(5, 5), figure(22, 5, 1)], {FALL: 1, MELEE: 3, (MELEE, 0): 6}, changes={"NA-3.14": reading}
    )
    go(course, 20, 5, run=1)
    assert bool(events(course, PAIR)) is fights
