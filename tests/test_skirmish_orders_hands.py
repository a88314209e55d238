"""What players do with prisoners, thrown weapons and stairs, with knowledge of their own, and with declared orders."""

from __future__ import annotations

from typing import Any

import pytest

from tests.skirmish_positions import figure, ground_of, setup_of
from tests.skirmish_wishes import EMPTY, OWN_CARD, chosen, doctrine, done, judge_of
from wargamesim import records
from wargamesim.games.skirmish import orders, sight
from wargamesim.games.skirmish.layout import (
    ACT,
    BURNING,
    CAPTOR,
    CAPTURED,
    DRAGS,
    DROP_X,
    DROP_Y,
    END,
    FIGHT,
    HIDDEN,
    LEVEL,
    LOADING_2,
    MOVE,
    ON_CARD,
    PASS,
    PLAN,
    PRISONERS,
    RELOAD,
    ROUNDS,
    SHOOT,
    SOUTH,
    SPENT,
    STAIRS,
    STATUS,
    TAKE,
    X,
    Y,
)
from wargamesim.games.skirmish.referee_rules import Action


def with_prisoner(*others: Any, **more: Any) -> Any:
    """A figure beside an enemy who is its prisoner, and others."""
    setup = setup_of([figure(30, 50), figure(30, 48, 1), *others], **more)
    state = setup.start
    state.figure[STATUS, 1], state.figure[CAPTOR, 1], state.tally[PRISONERS + 1] = CAPTURED, 0, 1
    return setup


def test_a_prisoner_who_wins_the_battle_is_led_away_before_anything_else() -> None:
    enemy = figure(30, 15, 1)
    assert done(with_prisoner(enemy), doctrine()).what == SHOOT
    setup = with_prisoner(enemy, goals={"prisoners": (2, 0)})
    action = done(setup, doctrine())
    assert (action.what, action.grab) == (TAKE, 1)
    setup.start.figure[DRAGS, 0] = 1
    action = done(setup, doctrine())
    assert (action.what, action.to) == (MOVE, pytest.approx((30, 59), abs=1.1))


def test_a_guard_goes_to_a_prisoner_out_of_his_reach_and_leaves_with_him_over_the_edge() -> None:
    setup = with_prisoner(goals={"prisoners": (2, 0), "exit_edge": (SOUTH, 0)})
    setup.start.place[Y, 1] = 43
    action = done(setup, doctrine())
    assert (action.what, action.to) == (MOVE, pytest.approx((30, 45.7)))
    setup.start.figure[DRAGS, 0], setup.start.place[Y, 0] = 1, 52
    assert done(setup, doctrine()).exit == 1


def test_one_guard_is_enough() -> None:
    setup = with_prisoner(goals={"prisoners": (2, 0)})
    assert done(setup, doctrine()).what == TAKE
    setup = setup_of([figure(30, 50), figure(33, 50), figure(30, 48, 1), figure(30, 5, 1)])
    setup.start.figure[STATUS, 2], setup.start.figure[CAPTOR, 2], setup.start.tally[PRISONERS + 1] = CAPTURED, 0, 1
    assert [done(setup, doctrine(stop_at=5, open_fire=10), number).what for number in (0, 1)] == [MOVE, MOVE]


def test_without_anything_better_to_do_the_guard_leads_his_prisoner_home() -> None:
    setup = with_prisoner()
    assert done(setup, doctrine()).what == TAKE
    setup.start.figure[ROUNDS, 0], setup.start.figure[LOADING_2 - 1, 0] = 0, 3
    assert done(setup, doctrine()).what == RELOAD


RECOVERABLE = {"NA-4.23": "recoverable"}


def test_a_thrown_weapon_is_fetched_if_it_lies_near_and_nobody_stands_there() -> None:
    def thrown(drop: float, enemy: float, **more: Any) -> Any:
        setup = setup_of([figure(30, 50, second="tomahawk", also=EMPTY), figure(30, enemy, 1)], **more)
        state = setup.start
        state.figure[LOADING_2, 0] = SPENT
        state.place[DROP_X, 0], state.place[DROP_Y, 0] = 30, drop
        return setup

    action = done(thrown(44, 20, changes=RECOVERABLE), doctrine())
    assert (action.what, action.to) == (MOVE, pytest.approx((30, 44.9)))
    assert done(thrown(49, 20, changes=RECOVERABLE), doctrine()).to == (30, 50)
    assert done(thrown(35, 20, changes=RECOVERABLE), doctrine()).what == RELOAD
    assert done(thrown(44, 39, changes=RECOVERABLE), doctrine()).what == RELOAD
    assert done(thrown(44, 20), doctrine()).what == RELOAD


def test_a_figure_acts_on_what_it_has_seen_itself() -> None:
    ground = ground_of(["#" * 60] * 32, width=60, depth=1.0)
    men = [figure(30, 45), figure(20, 45)]
    setup = setup_of([*men, figure(30, 31, 1, also={HIDDEN: 1})], ground, changes={"NA-6.6": "observer"})
    wish = doctrine(stance="hold")
    assert [done(setup, wish, number).what for number in (0, 1)] == [PASS, PASS]
    assert chosen(setup, wish).what == END
    setup.start.observers[0, 2] = 1 << 1
    assert [sight.knows(setup.start, number, 2) for number in (0, 1)] == [False, True]
    assert [done(setup, wish, number).what for number in (0, 1)] == [PASS, SHOOT]
    assert (chosen(setup, wish).what, chosen(setup, wish).figure) == (ACT, 1)


def test_declared_moves_do_not_end_on_each_other() -> None:
    men = [figure(30, 50, die=10, also=EMPTY), figure(32, 50, die=10, also=EMPTY)]
    for declared in (False, True):
        setup = setup_of([*men, figure(31, 41, 1)], changes={"NA-2.8": "declared"} if declared else {})
        state, wish = setup.start, doctrine(charge_at=12)
        plan, ends = records.new_record(PLAN), []
        for _ in range(2):
            orders.choose(state, setup.ground, setup.play, wish, setup.goals, plan, 0, 20, OWN_CARD)
            number = int(plan.action[1])
            orders.act(state, setup.ground, setup.play, wish, setup.goals, plan, number, 0)
            judge_of(setup).action(Action.of(plan), number, False)
            ends.append(plan.to.copy())
            state.figure[ON_CARD, number] = 1
        apart = float(((ends[0] - ends[1]) ** 2).sum()) ** 0.5
        # Without declarations the state would have changed in between; here it did not.
        assert (apart > 2) == declared


def house(*figures: Any, floors: int = 2) -> Any:
    """A house of two floors with figures, the ground around it open."""
    rows = ["." * 60] * 20 + ["." * 20 + "@" * 20 + "." * 20] * 20
    return setup_of(figures, ground_of(rows, width=60, floors=floors))


def test_attackers_go_up_to_an_enemy_who_is_only_upstairs() -> None:
    setup = house(figure(30, 30), figure(35, 30, 1, also={LEVEL: 1}))
    wish = doctrine(stance="close")
    action = done(setup, wish)
    assert (action.what, action.target) == (STAIRS, 1)
    # Not while another one stands on their own floor.
    both = house(figure(30, 30), figure(35, 30, 1, also={LEVEL: 1}), figure(30, 22, 1))
    assert done(both, wish).what == SHOOT
    # Nor if they hold their ground, unless the place is what they want.
    assert done(setup, doctrine(stance="hold")).what == PASS
    setup.goals.hold[0], setup.goals.hold_figures[0] = (20, 20, 40, 40), 1
    assert done(setup, doctrine(stance="hold")).what == STAIRS


def test_who_finds_no_room_above_steps_aside() -> None:
    setup = house(figure(30, 30), figure(31, 30, 1, also={LEVEL: 1}))
    action = done(setup, doctrine(stance="close"))
    assert action.what == MOVE
    setup.start.place[X, 0], setup.start.place[Y, 0] = action.to
    assert done(setup, doctrine(stance="close")).what == STAIRS


def test_defenders_come_down_when_the_odds_are_good_and_nothing_is_in_sight() -> None:
    setup = house(figure(30, 30, die=10, also={**EMPTY, LEVEL: 1}), figure(34, 30, 1))
    wish = {"stance": "hold", "charge_at": 6.0}
    action = done(setup, doctrine(**wish))
    assert (action.what, action.target) == (STAIRS, 0)
    assert done(setup, doctrine(**wish, charge_odds=0.9)).what == RELOAD


def test_the_way_out_of_an_upper_floor_leads_down_the_stairs() -> None:
    setup = house(figure(30, 38, also={LEVEL: 1}), figure(30, 59, 1))
    wish = doctrine(stop_at=5, open_fire=10)
    action = done(setup, wish)
    assert (action.what, action.target) == (STAIRS, 0)
    setup.start.figure[LEVEL, 0] = 0
    assert done(setup, wish).what == MOVE


def test_one_below_the_other_they_do_not_fight() -> None:
    setup = house(figure(30, 30), figure(30, 30, 1, also={LEVEL: 1}))
    assert done(setup, doctrine(stance="hold")).what == PASS
    setup.start.place[X, 1] = 32
    setup.start.figure[LEVEL, 1] = 0
    assert done(setup, doctrine(stance="hold")).what == FIGHT


def test_a_burning_house_is_left_in_time() -> None:
    setup = house(figure(30, 36), figure(30, 5, 1))
    wish = doctrine(stance="hold", open_fire=10.0)
    setup.start.afire[1] = 1
    assert done(setup, wish).what == PASS
    setup.start.figure[BURNING, 0] = 1
    assert chosen(setup, wish).what == ACT
    action = done(setup, wish)
    assert action.what == MOVE
    assert setup.ground.house[int(action.to[1]), int(action.to[0])] == 0
    setup.start.figure[BURNING, 0], setup.start.figure[LEVEL, 0] = 0, 1
    assert done(setup, wish).what == STAIRS
