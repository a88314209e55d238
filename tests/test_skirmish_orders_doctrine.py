"""Every parameter of a doctrine decides something: a position in which two of its values lead to different play."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.skirmish_positions import RISORGIMENTO, figure, ground_of, setup_of
from tests.skirmish_wishes import BY_ACE, EMPTY, chosen, doctrine, done, line
from wargamesim.games.skirmish import orders
from wargamesim.games.skirmish.doctrine import PARAMETERS
from wargamesim.games.skirmish.layout import (
    ACT,
    ARSON_TRY,
    BLIND,
    BLUE,
    END,
    EVADES,
    FIGHT,
    FREE_AIM,
    HIDDEN,
    LEADER,
    LIE,
    LOADING,
    MOVE,
    PASS,
    RALLY,
    RELOAD,
    ROLES,
    ROUNDS,
    ROUTED,
    SHELTER,
    SHOOT,
    START,
    STATUS,
    VOLLEY,
    WOOD,
    X,
    Y,
)


def duel(apart: float, *, loaded: bool = True, **fields: Any) -> Any:
    """One figure and an enemy to the north of it."""
    also = {**({} if loaded else EMPTY), **fields.pop("also", {})}
    return setup_of([figure(30, 55, also=also, **fields), figure(30, 55 - apart, 1)])


def wooded(figures: list[Any], first_row: int, rows: int, depth: float = 1.0) -> Any:
    """A belt of wood from west to east."""
    ground = ground_of(["." * 60] * first_row + ["#" * 60] * rows, width=60, depth=depth)
    ground.what[(ground.what & WOOD) > 0] |= SHELTER
    return setup_of(figures, ground)


def what(**known: Any) -> Callable[[Any, Any], Any]:
    def ask(setup: Any, wish: Any) -> Any:
        return done(setup, wish, **known).what

    return ask


def _patience() -> Any:
    setup = duel(52)
    setup.start.turn = 5
    return setup


def _objective() -> Any:
    return setup_of([figure(30, 55), figure(90, 5, 1)], goals={"hold": [(20, 20, 40, 40)] * 2, "hold_figures": (2, 0)})


def _target() -> Any:
    foes = [figure(30, 41, 1), figure(36, 38, 1, also={ROLES: LEADER})]
    return setup_of([figure(30, 55, also={ROLES: FREE_AIM}), *foes])


def _moving_fire() -> Any:
    figures = [figure(30, 50, weapon="rifled_musket"), figure(30, 15, 1, weapon="rifled_musket")]
    return setup_of(figures, book=RISORGIMENTO)


def _snap() -> Any:
    setup = duel(15, also={LOADING: 1, ROUNDS: 0})
    setup.start.figure[START, 0] = 1
    return setup


def _volley_wait() -> Any:
    setup = setup_of([*line(50, 0), *line(25, 1)])
    for number in range(3):
        setup.start.figure[LOADING, number], setup.start.figure[ROUNDS, number] = 1, 0
    return setup


def _blind_fire() -> Any:
    men = [figure(20 + 3 * k, 50, also={ROLES: LEADER if k == 0 else 0, BLUE: int(k == 3)}) for k in range(4)]
    return wooded([*men, figure(30, 28, 1, also={HIDDEN: 1})], 20, 10)


def _engaged() -> Any:
    return setup_of([figure(30, 40, also={ROLES: EVADES}), figure(30, 38, 1, die=10)])


def _in_the_wood() -> Any:
    """Seen, with an empty musket, in a wood whose depth grows to the north."""
    setup = wooded([figure(30, 27.5, also=EMPTY), figure(30, 55, 1)], 10, 20)
    for row in range(10, 30):
        setup.ground.depth[row] = 29.5 - row
    return setup


def _routed() -> Any:
    setup = setup_of([*[figure(20 + 3 * k, 45) for k in range(5)], figure(30, 0, 1)])
    setup.start.figure[STATUS, 2] = ROUTED
    return setup


def _beside_a_house() -> Any:
    ground = ground_of(["." * 60] * 20 + ["." * 20 + "@" * 20 + "." * 20] * 10, width=60)
    return setup_of([figure(30.5, 31, also=EMPTY), figure(30.5, 22, 1)], ground)


# A position, what is asked in it, and two values of the parameter with the answers; the rest of the doctrine last.
Case = tuple[Callable[[], Any], Callable[[Any, Any], Any], tuple[Any, Any], tuple[Any, Any], dict[str, Any]]
CASES: dict[str, Case] = {
    "stance": (lambda: duel(55), what(), ("hold", PASS), ("advance", MOVE), {}),
    "stop_at": (lambda: duel(35), what(), (10.0, MOVE), (40.0, SHOOT), {"least_chance": 0.5}),
    "patience": (_patience, what(), (0, PASS), (2, MOVE), {"stance": "hold"}),
    "objective": (_objective, what(), (False, PASS), (True, MOVE), {"stance": "hold"}),
    "together": (
        lambda: setup_of([figure(30, 45), figure(30, 52), figure(30, 0, 1)]),
        lambda setup, wish: round(done(setup, wish).to[1], 6),
        (1.0, 41.0),
        (0.0, 35.0),
        {"open_fire": 10.0, "stop_at": 5.0},
    ),
    "run": (
        lambda: duel(50),
        lambda setup, wish: done(setup, wish).run,
        ("never", 0),
        ("always", 1),
        {"stance": "close", "open_fire": 10.0},
    ),
    "open_fire": (lambda: duel(25), what(), (20.0, PASS), (30.0, SHOOT), {"stance": "hold"}),
    "least_chance": (lambda: duel(30), what(), (0.1, SHOOT), (0.5, MOVE), {"stop_at": 10.0}),
    "target": (_target, lambda setup, wish: done(setup, wish).target, ("nearest", 1), ("leaders", 2), {}),
    "moving_fire": (_moving_fire, what(), (0.6, MOVE), (1.0, SHOOT), {"stop_at": 10.0}),
    "snap": (_snap, lambda setup, wish: done(setup, wish).target, ("never", -1), ("when_better", 1), {}),
    "volley_from": (
        lambda: setup_of([*line(50, 0), *line(25, 1)]),
        lambda setup, wish: chosen(setup, wish).what == VOLLEY,
        (0, False),
        (2, True),
        {"open_fire": 30.0},
    ),
    "volley_wait": (
        _volley_wait,
        lambda setup, wish: chosen(setup, wish).figure in (0, 1, 2),
        (False, False),
        (True, True),
        {"open_fire": 30.0, "volley_from": 2},
    ),
    "blind_fire": (
        _blind_fire,
        lambda setup, wish: chosen(setup, wish).what == BLIND,
        (False, False),
        (True, True),
        {},
    ),
    "charge_at": (lambda: duel(9, loaded=False, die=10), what(), (0.0, RELOAD), (12.0, MOVE), {}),
    "charge_odds": (
        lambda: duel(9, loaded=False, die=10),
        what(),
        (0.9, RELOAD),
        (0.5, MOVE),
        {"charge_at": 12.0},
    ),
    "shoot_first": (lambda: duel(9, die=10), what(), (True, SHOOT), (False, MOVE), {"charge_at": 12.0}),
    "shoot_in_melee": (
        _engaged,
        lambda setup, wish: orders.shoots_first(setup.start, setup.play, wish, 0, 1),
        (False, -1),
        (True, 0),
        {},
    ),
    "break_off": (_engaged, what(), (0.0, FIGHT), (0.5, MOVE), {}),
    "evade_below": (
        _engaged,
        lambda setup, wish: orders.evades(setup.start, setup.ground, setup.play, wish, 0, 1),
        (0.2, 0),
        (0.5, 1),
        {},
    ),
    "capture": (
        _engaged,
        lambda setup, wish: orders.captures(setup.start, setup.play, wish, 1, 3),
        (False, 0),
        (True, 1),
        {},
    ),
    "keep_away": (lambda: duel(10, loaded=False), what(), (0.0, RELOAD), (18.0, MOVE), {"stop_at": 40.0}),
    "seek_cover": (
        lambda: wooded([figure(30, 45, also=EMPTY), figure(30, 5, 1)], 50, 10),
        what(),
        (0.0, RELOAD),
        (15.0, MOVE),
        {},
    ),
    "lie_down": (
        lambda: duel(15, weapon="rifle"),
        lambda setup, wish: done(setup, wish).posture == LIE,
        (False, False),
        (True, True),
        {"stance": "hold"},
    ),
    "hide_until": (
        lambda: wooded([figure(30, 3, also={HIDDEN: 1}), figure(30, 33, 1)], 0, 4),
        what(),
        (0.0, SHOOT),
        (20.0, PASS),
        {"stance": "hold"},
    ),
    "hide_again": (
        _in_the_wood,
        lambda setup, wish: done(setup, wish).hide,
        (False, 0),
        (True, 1),
        {"stance": "hold"},
    ),
    "rally_cost": (
        _routed,
        lambda setup, wish: chosen(setup, wish, slots=1, why=BY_ACE).what == RALLY,
        (0, False),
        (2, True),
        {"open_fire": 30.0},
    ),
    "burn": (_beside_a_house, what(), (False, RELOAD), (True, ARSON_TRY), {"stance": "hold"}),
}


def test_every_parameter_has_its_case() -> None:
    assert list(CASES) == list(PARAMETERS)


@pytest.mark.parametrize("name", CASES)
def test_a_parameter_changes_what_is_decided(name: str) -> None:
    position, ask, *answers, rest = CASES[name]
    for value, expected in answers:
        assert ask(position(), doctrine(**{name: value}, **rest)) == expected, value


def test_a_screen_shoots_from_cover_and_does_not_leave_it_to_shoot_on_the_move() -> None:
    figures = [figure(30, 51, weapon="rifled_musket"), figure(30, 1, 1, weapon="rifled_musket")]
    ground = ground_of(["." * 60] * 49 + ["=" * 60], width=60)
    setup = setup_of(figures, ground, book=RISORGIMENTO)
    wish = {"stop_at": 30.0, "moving_fire": 0.5}
    assert done(setup, doctrine(**wish)).what == MOVE
    assert done(setup, doctrine(**wish, seek_cover=15.0)).what == SHOOT
    assert done(setup, doctrine(**wish, seek_cover=15.0, least_chance=0.9)).what == MOVE


def test_an_empty_screen_neither_walks_up_to_the_enemy_nor_takes_cover_beside_him() -> None:
    goals = {"exit_edge": (1, 0), "exit_figures": (1, 0)}
    setup = setup_of([figure(30, 50, also=EMPTY), figure(30, 20, 1)], goals=goals)
    assert done(setup, doctrine(keep_away=25.0)).what == RELOAD
    assert done(setup, doctrine(keep_away=15.0)).what == MOVE
    setup = wooded([figure(30, 45, also=EMPTY), figure(30, 15, 1)], 30, 9, depth=0.5)
    assert done(setup, doctrine(seek_cover=8.0)).what == MOVE
    assert done(setup, doctrine(seek_cover=8.0, keep_away=28.0)).what == RELOAD


def test_who_must_be_in_a_place_in_time_does_not_stop_to_shoot() -> None:
    goals = {"hold": [(20, 0, 40, 10)] * 2, "hold_figures": (1, 0), "hold_turns": (1, 0), "turns": 10}
    setup = setup_of([figure(30, 45), figure(50, 35, 1)], goals=goals)
    state = setup.start
    state.turn = 2
    assert done(setup, doctrine()).what == SHOOT
    state.turn = 5
    assert done(setup, doctrine()).what == MOVE
    # Nor does it hurry if time is on its side.
    setup.goals.at_limit = 0
    assert done(setup, doctrine()).what == SHOOT


def test_a_figure_whose_second_weapon_alone_is_loaded_reloads_unless_the_enemy_is_in_its_reach() -> None:
    thrower = figure(30, 50, second="tomahawk", also=EMPTY)
    setup = setup_of([thrower, figure(30, 30, 1)])
    assert done(setup, doctrine()).what == RELOAD
    setup.start.place[Y, 1] = 46
    assert (done(setup, doctrine()).what, done(setup, doctrine()).slot) == (SHOOT, 1)


def test_a_line_does_not_wait_for_those_who_have_fallen_far_behind() -> None:
    men = [figure(20 + 3 * k, 30) for k in range(5)]
    setup = setup_of([*men, figure(20, 59, also=EMPTY), figure(30, 0, 1)])
    wish = doctrine(together=2.0, open_fire=10.0, stop_at=5.0)
    assert done(setup, wish).what == MOVE
    setup.start.place[X, 5], setup.start.place[Y, 5] = 40, 43
    assert done(setup, wish).what == PASS


def test_who_is_in_the_place_drives_out_who_else_is_there() -> None:
    goals = {"hold": [(20, 10, 40, 40)] * 2, "hold_figures": (1, 0)}
    setup = wooded([figure(30, 37), figure(30, 15, 1)], 18, 14)
    for name, value in goals.items():
        setup.goals[name] = value
    assert done(setup, doctrine(stop_at=5.0)).to == pytest.approx((30, 27))
    assert chosen(setup, doctrine(open_fire=10.0)).what == ACT
    setup.start.place[Y, 1] = 5
    assert done(setup, doctrine()).what == PASS
    assert chosen(setup, doctrine(open_fire=10.0)).what == END
