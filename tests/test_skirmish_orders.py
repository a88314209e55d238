"""What players propose is legal on any table, and sensible on tables where it is plain what is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.skirmish_chance import any_setup
from tests.skirmish_positions import RISORGIMENTO, figure, ground_of, setup_of
from tests.skirmish_wishes import BY_ACE, BY_JOKER, EMPTY, OWN_CARD, chosen, doctrine, done, judge_of, line
from wargamesim import records
from wargamesim.games.skirmish import orders
from wargamesim.games.skirmish.judge import Judge
from wargamesim.games.skirmish.layout import (
    ACT,
    BLUE,
    CAPTURED,
    DEAD,
    DRAGS,
    END,
    EVADES,
    FIGHT,
    FREE_AIM,
    HIDDEN,
    IN_PLAY,
    LEADER,
    LIE,
    LOAD_0,
    LOADING,
    MOVE,
    NORTH,
    ON_CARD,
    PASS,
    PLAN,
    POSTURE_SHOT,
    PRONE,
    RALLY,
    RELOAD,
    ROLES,
    ROUNDS,
    ROUTED,
    SHOOT,
    SHOTS,
    SHOTS_FIRED,
    STAND,
    STATUS,
    TAKE,
    VOLLEY,
    WHAT,
    WOUNDS,
    X,
    Y,
)
from wargamesim.games.skirmish.orders_plan import CLAIM_X, CLAIM_Y
from wargamesim.games.skirmish.playing import CHOICES, SQUAD_CARDS
from wargamesim.games.skirmish.referee_rules import Action, Turn
from wargamesim.games.skirmish.referee_table import Table
from wargamesim.games.skirmish.whereabouts import look_anew

SEEDS = st.integers(0, (1 << 32) - 1)


# Any table


@settings(max_examples=300, deadline=None)
@given(SEEDS)
def test_every_proposal_is_legal(seed: int) -> None:
    setup = any_setup(seed)
    state, play, judge = setup.start, setup.play, judge_of(setup)
    plan = records.new_record(PLAN)
    for squad in range(state.squads):
        side = int(state.squad[0, squad])
        wish = setup.doctrines[side]
        for why, slots in ((OWN_CARD, 30), (OWN_CARD, 2), (BY_ACE, 1), (BY_JOKER, 30)):
            orders.choose(state, setup.ground, play, wish, setup.goals, plan, squad, slots, why)
            rallies = (why == OWN_CARD) != (play.deck_kind == SQUAD_CARDS)
            judge.choice(Action.of(plan), Turn(squad, slots, bool(rallies)), int(state.turn))
        for number in range(state.count):
            if state.figure[STATUS, number] != IN_PLAY or state.figure[1, number] != squad:
                continue
            for pinned in (0, 1):
                orders.act(state, setup.ground, play, wish, setup.goals, plan, number, pinned)
                judge.action(Action.of(plan), number, bool(pinned))
            _judge_more_shots(setup, judge, plan, wish, number)


def _judge_more_shots(setup: Any, judge: Judge, plan: Any, wish: Any, number: int) -> None:
    first = Action.of(plan)
    if first.what != SHOOT:
        return
    for fired in (1, 2):
        target = orders.next_shot(
            setup.start, setup.ground, setup.play, wish, setup.goals, plan, number, first.slot, fired
        )
        if target >= 0:
            judge.shot(number, first.slot, target, fired=fired)
            same = setup.play.repeat_target == CHOICES["repeat_target"][1].index("same_target")
            assert not same or target == first.target


@settings(max_examples=100, deadline=None)
@given(SEEDS)
def test_decisions_do_not_depend_on_what_the_plan_held(seed: int) -> None:
    setup = any_setup(seed)
    setup.start.figure[ON_CARD] = 0
    chance = np.random.default_rng(seed)
    fresh, used = records.new_record(PLAN), records.new_record(PLAN)
    used.scratch[:], used.list[:] = chance.random(used.scratch.shape) * 99, chance.integers(0, 5, used.list.shape)
    used.members[:], used.action[:] = 3, 4
    for plan in (fresh, used):
        orders.choose(setup.start, setup.ground, setup.play, setup.doctrines[0], setup.goals, plan, 0, 30, OWN_CARD)
    assert Action.of(fresh)[:10] == Action.of(used)[:10]


def test_only_who_has_declared_claims_a_place() -> None:
    """A figure that rallies on the card has acted on it, too, but declared nothing (NA-2.8)."""

    def goes_to(left_over: Any, declared: Any) -> list[float]:
        """Return where figure 0 goes, if this stands in the plan of figure 1 before its card and then."""
        setup = setup_of([figure(30, 50), figure(40, 50), figure(30, 5, 1)], changes={"NA-2.8": "declared"})
        state, plan, wish = setup.start, records.new_record(PLAN), doctrine(open_fire=10, stop_at=5)
        plan.scratch[[CLAIM_X, CLAIM_Y], 1] = left_over
        state.figure[STATUS, 1] = ROUTED
        orders.choose(state, setup.ground, setup.play, wish, setup.goals, plan, 0, 20, OWN_CARD)
        state.figure[STATUS, 1], state.figure[ON_CARD, 1] = IN_PLAY, 1
        if declared is not None:
            plan.scratch[[CLAIM_X, CLAIM_Y], 1] = declared
        look_anew(state)
        orders.act(state, setup.ground, setup.play, wish, setup.goals, plan, 0, 0)
        assert plan.action[WHAT] == MOVE
        return list(plan.to)

    straight = goes_to((0, 0), None)
    assert goes_to(straight, None) == straight
    assert goes_to((0, 0), straight) != straight


@settings(max_examples=150, deadline=None)
@given(SEEDS)
def test_a_table_turned_round_is_played_turned_round(seed: int) -> None:
    setup = any_setup(seed)
    turned = any_setup(seed)
    if setup.ground.plain == 0:
        return
    state, n = turned.start, int(turned.start.count)
    state.place[X, :n], state.place[Y, :n] = 70 - state.place[X, :n], 60 - state.place[Y, :n]
    state.place[2:, :n] *= -1
    state.load[X], state.load[Y] = 70 - state.load[X], 60 - state.load[Y]
    goals = turned.goals
    west, north, east, south = goals.hold.T.copy()
    goals.hold[:] = np.array([70 - east, 60 - south, 70 - west, 60 - north]).T
    for edges in (goals.home, goals.exit_edge):
        edges[:] = np.where(edges > 0, (edges + 1) % 4 + 1, 0)
    for number in range(n):
        if state.figure[STATUS, number] != IN_PLAY:
            continue
        wish = setup.doctrines[int(state.figure[0, number])]
        there, here = done(turned, wish, number), done(setup, wish, number)
        assert there.what == here.what
        assert there[2:10] == here[2:10]
        if here.what == MOVE:
            assert there.to == pytest.approx((70 - here.to[0], 60 - here.to[1]), abs=1e-6)


# Shooting


def test_a_loaded_figure_shoots_an_enemy_in_range() -> None:
    setup = setup_of([figure(30, 40), figure(30, 25, 1)])
    action = done(setup, doctrine())
    assert (action.what, action.target, action.slot) == (SHOOT, 1, 0)


def test_it_holds_its_fire_beyond_the_range_of_opening_it() -> None:
    setup = setup_of([figure(30, 40), figure(30, 25, 1)])
    assert done(setup, doctrine(stance="hold", open_fire=10)).what == PASS


def test_an_empty_figure_reloads() -> None:
    setup = setup_of([figure(30, 40, also=EMPTY), figure(30, 20, 1)])
    action = done(setup, doctrine())
    assert (action.what, action.slot, action.target) == (RELOAD, 0, -1)


@pytest.mark.parametrize(("word", "snaps"), [("never", False), ("always", True), ("when_better", True)])
def test_snapping_is_a_matter_of_doctrine(word: str, snaps: bool) -> None:
    # A musket at 15 cm needs 5 or more, 7 or more unaimed: 2/3 of the chance; so at a marker of one action it pays.
    setup = setup_of([figure(30, 40, also={LOADING: 1, ROUNDS: 0}), figure(30, 25, 1)])
    setup.start.figure[START_OF_MUSKET, 0] = 1
    assert (done(setup, doctrine(snap=word)).target == 1) == snaps


START_OF_MUSKET = 27


def test_snapping_does_not_pay_after_a_long_reload() -> None:
    setup = setup_of([figure(30, 40, also={LOADING: 1, ROUNDS: 0}), figure(30, 25, 1)])
    assert done(setup, doctrine(snap="when_better")).target == -1


def test_only_those_who_may_choose_pick_their_target() -> None:
    enemies = [figure(30, 24, 1, also={PRONE: 1}), figure(36, 23, 1, also={ROLES: LEADER}), figure(26, 23, 1)]
    setup = setup_of([figure(30, 40), *enemies])
    setup.start.figure[WOUNDS, 3] = 1
    for preference in ("nearest", "easiest", "leaders", "wounded"):
        assert done(setup, doctrine(target=preference)).target == 1
    setup.start.figure[ROLES, 0] = FREE_AIM
    targets = {word: done(setup, doctrine(target=word)).target for word in ("nearest", "easiest", "leaders", "wounded")}
    # The prone one is nearest but harder to hit; of the others the leader is a little farther than the wounded one.
    assert targets == {"nearest": 1, "easiest": 3, "leaders": 2, "wounded": 3}


def test_nobody_shoots_into_a_melee_of_his_friends() -> None:
    setup = setup_of([figure(30, 40), figure(30, 27), figure(30, 25, 1)])
    assert done(setup, doctrine(stance="hold")).what == PASS


def test_who_moves_and_fires_prefers_it_while_it_keeps_most_of_the_chance() -> None:
    figures = [figure(30, 50, weapon="rifled_musket"), figure(30, 15, 1, weapon="rifled_musket")]
    setup = setup_of(figures, book=RISORGIMENTO)
    moving = done(setup, doctrine(moving_fire=0.6, stop_at=10))
    assert (moving.what, moving.target, moving.to) == (MOVE, 1, pytest.approx((30, 45)))
    assert done(setup, doctrine(moving_fire=1.0, stop_at=10)).what == SHOOT
    assert done(setup, doctrine(moving_fire=0.6, stop_at=40)).what == SHOOT


def test_a_repeater_goes_on_firing_while_it_has_rounds_and_a_chance() -> None:
    figures = [figure(30, 40, weapon="rifled_carbine", capacity=6), figure(30, 25, 1)]
    setup = setup_of(figures, book=RISORGIMENTO)
    plan = records.new_record(PLAN)

    def more(slot: int, fired: int) -> int:
        setup.start.figure[18, 0] = fired
        return orders.next_shot(setup.start, setup.ground, setup.play, doctrine(), setup.goals, plan, 0, slot, fired)

    assert [more(0, fired) for fired in (1, 2, 3)] == [1, 1, -1]
    setup.start.figure[ROUNDS, 0] = 0
    assert more(0, 1) == -1


def test_lying_down_to_shoot_if_it_costs_little() -> None:
    setup = setup_of([figure(30, 40, weapon="rifle"), figure(30, 25, 1)])
    wish = doctrine(stance="hold", lie_down=True, moving_fire=0.6)
    action = done(setup, wish)
    assert (action.what, action.posture, action.target) == (POSTURE_SHOT, LIE, 1)
    setup.start.figure[PRONE, 0] = 1
    assert done(setup, wish).what == SHOOT


# Volleys


def test_a_line_fires_a_volley_at_a_line() -> None:
    setup = setup_of([*line(50, 0), *line(25, 1)])
    action = chosen(setup, doctrine(open_fire=30, volley_from=2))
    assert (action.what, action.members) == (VOLLEY, tuple(range(8)))
    assert chosen(setup, doctrine(open_fire=30)).what == ACT
    assert chosen(setup, doctrine(open_fire=20, volley_from=2)).what == ACT
    assert chosen(setup, doctrine(open_fire=30, volley_from=10)).what == ACT


def test_too_few_loaded_regulars_fire_no_volley_but_may_wait_for_one() -> None:
    setup = setup_of([*line(50, 0), *line(25, 1)])
    for number in range(3):
        setup.start.figure[LOADING, number], setup.start.figure[ROUNDS, number] = 1, 0
    hasty, patient = doctrine(open_fire=30, volley_from=2), doctrine(open_fire=30, volley_from=2, volley_wait=True)
    action = chosen(setup, hasty)
    assert (action.what, done(setup, hasty, action.figure).what) == (ACT, SHOOT)
    plan = records.new_record(PLAN)
    orders.choose(setup.start, setup.ground, setup.play, patient, setup.goals, plan, 0, 20, OWN_CARD)
    assert (plan.action[0], plan.action[1]) == (ACT, 0) or plan.action[1] in (1, 2)
    # With nobody loading there is nothing to wait for.
    setup.start.figure[STATUS, :3] = DEAD
    action = chosen(setup, patient)
    assert (action.what, done(setup, patient, action.figure).what) == (ACT, SHOOT)


# Who acts


def test_shooters_go_before_loaders_and_these_before_walkers() -> None:
    figures = [figure(20, 45, also=EMPTY), figure(30, 45), figure(40, 59, weapon=None), figure(30, 30, 1)]
    setup = setup_of(figures)
    order = []
    for _ in range(3):
        action = chosen(setup, doctrine(stop_at=5))
        order.append(action.figure)
        setup.start.figure[STATUS, action.figure] = DEAD
    assert order == [1, 0, 2]


def test_nobody_is_asked_who_would_do_nothing() -> None:
    setup = setup_of([figure(20, 45, weapon=None), figure(30, 45, weapon=None), figure(30, 30, 1)])
    assert chosen(setup, doctrine(stance="hold")).what == END
    setup.start.figure[BLUE, 1] = 1
    action = chosen(setup, doctrine(stance="hold"))
    assert (action.what, action.figure) == (ACT, 1)


def test_who_would_rather_rout_than_recover_is_left_alone() -> None:
    setup = setup_of([figure(20, 45, grade="inexperienced", also={BLUE: 1, WOUNDS: 1}), figure(30, 30, 1)])
    assert chosen(setup, doctrine()).what == END
    setup.start.figure[WOUNDS, 0] = 0
    setup.start.figure[ON_CARD, 0] = 0
    assert chosen(setup, doctrine()).what == END
    setup = setup_of([figure(20, 45, also={BLUE: 1}), figure(30, 30, 1)])
    assert chosen(setup, doctrine()).what == ACT


def test_an_ace_is_given_up_to_rally_but_a_whole_squad_is_not() -> None:
    men = [figure(20 + 3 * k, 45) for k in range(5)]
    setup = setup_of([*men, figure(30, 30, 1)])
    setup.start.figure[STATUS, 2] = ROUTED
    # A shot goes before it.
    assert chosen(setup, doctrine(rally_cost=2, open_fire=30), slots=1, why=BY_ACE).what == ACT
    setup.start.place[Y, 5] = 0
    action = chosen(setup, doctrine(rally_cost=2, open_fire=30), slots=1, why=BY_ACE)
    assert (action.what, action.figure) == (RALLY, 2)
    assert chosen(setup, doctrine(rally_cost=2, open_fire=30), slots=5, why=BY_JOKER).what == ACT
    assert chosen(setup, doctrine(rally_cost=4, open_fire=30), slots=5, why=BY_JOKER).what == RALLY
    assert chosen(setup, doctrine(rally_cost=0, open_fire=30, stance="close"), slots=1, why=BY_ACE).what == ACT
    assert chosen(setup, doctrine(rally_cost=9)).what == ACT


# Moving


def test_a_line_walks_forward_as_a_line_and_stops_at_its_distance() -> None:
    setup = setup_of([*line(55, 0), *line(5, 1)])
    wish = doctrine(open_fire=30, stop_at=20, together=3)
    state = setup.start
    for _ in range(4):
        plan = records.new_record(PLAN)
        state.figure[ON_CARD] = 0
        while True:
            orders.choose(state, setup.ground, setup.play, wish, setup.goals, plan, 0, 20, OWN_CARD)
            if plan.action[0] != ACT:
                break
            number = int(plan.action[1])
            orders.act(state, setup.ground, setup.play, wish, setup.goals, plan, number, 0)
            if plan.action[0] == MOVE:
                state.place[:2, number] = plan.to
                look_anew(state)
            state.figure[ON_CARD, number] = 1
        rows = state.place[Y, :8]
        assert rows.max() - rows.min() < 1e-6
        assert state.place[Y, 8] >= rows.max()
    assert state.place[Y, 0] == pytest.approx(5 + 20, abs=0.1)


def test_a_blocked_way_is_walked_round() -> None:
    setup = setup_of([figure(30, 50), figure(30, 40), figure(30, 2, 1)])
    action = done(setup, doctrine(stop_at=5, open_fire=10, together=0))
    assert action.what == MOVE
    assert action.to[1] < 45


def test_water_is_gone_round_where_that_is_possible() -> None:
    rows = ["." * 60] * 40 + ["." * 27 + "~" * 6 + "." * 27] * 6
    setup = setup_of([figure(30, 50), figure(30, 2, 1)], ground_of(rows, width=60))
    action = done(setup, doctrine(stop_at=5, open_fire=10, together=0))
    assert action.what == MOVE
    assert Table(setup.start, setup.ground, setup.play).way((30, 50), action.to).water is False


def test_a_figure_that_closes_charges_when_the_odds_are_good_enough() -> None:
    setup = setup_of([figure(30, 40, die=10, also=EMPTY), figure(30, 31, 1)])
    action = done(setup, doctrine(stance="close", charge_at=12, charge_odds=0.5))
    assert (action.what, action.to) == (MOVE, pytest.approx((30, 33)))
    assert done(setup, doctrine(charge_at=12, charge_odds=0.9)).what == RELOAD
    setup.start.figure[LOADING, 0], setup.start.figure[ROUNDS, 0] = 0, 1
    assert done(setup, doctrine(charge_at=12)).what == SHOOT
    assert done(setup, doctrine(charge_at=12, shoot_first=False)).what == MOVE


def test_it_runs_only_if_a_walk_does_not_reach() -> None:
    for y, runs in ((40, 0), (43, 1)):
        setup = setup_of([figure(30, y, die=10, also=EMPTY), figure(30, 29, 1)])
        action = done(setup, doctrine(charge_at=20))
        assert (action.what, action.run) == (MOVE, runs)


def test_a_skirmisher_falls_back_to_reload_out_of_reach() -> None:
    setup = setup_of([figure(30, 40, also=EMPTY), figure(30, 30, 1)])
    wish = doctrine(keep_away=18)
    action = done(setup, wish)
    assert (action.what, action.to) == (MOVE, pytest.approx((30, 50)))
    setup.start.place[Y, 0] = 50
    assert done(setup, wish).what == RELOAD


def test_who_is_in_contact_fights_or_leaves_by_its_odds() -> None:
    setup = setup_of([figure(30, 40), figure(30, 38, 1, die=10)])
    assert done(setup, doctrine()).what == FIGHT
    assert done(setup, doctrine(break_off=0.5)).what == MOVE
    setup.start.figure[PRONE, 0] = 1
    action = done(setup, doctrine())
    assert (action.what, action.posture, action.to) == (MOVE, STAND, (30, 40))


def test_a_pinned_figure_goes_toward_cover_never_nearer_to_an_enemy() -> None:
    rows = ["." * 60] * 50 + ["#" * 60] * 10
    from wargamesim.games.skirmish.layout import SHELTER, WOOD

    ground = ground_of(rows, width=60)
    ground.what[(ground.what & WOOD) > 0] |= SHELTER
    setup = setup_of([figure(30, 40), figure(30, 20, 1)], ground)
    action = done(setup, doctrine(), pinned=1)
    assert (action.what, action.to) == (MOVE, pytest.approx((30, 50), abs=0.6))
    # So does who would find the nearest cover only by looking round the whole table.
    far = ground_of(["." * 60] * 10 + ["." * 5 + "#" + "." * 94], width=100)
    far.what[(far.what & WOOD) > 0] |= SHELTER
    assert done(setup_of([figure(48, 55), figure(90, 20, 1)], far), doctrine(), pinned=1).what == PASS
    # With an enemy on that side it stays.
    setup.start.place[Y, 1] = 58
    assert done(setup, doctrine(), pinned=1).what == PASS
    assert done(setup_of([figure(30, 40), figure(30, 20, 1)]), doctrine(), pinned=1).what == PASS


def test_an_ambush_waits_until_the_enemy_is_near_or_its_side_has_fired() -> None:
    rows = ["#" * 60] * 4 + ["." * 60] * 56
    ground = ground_of(rows, width=60, depth=1.0)
    setup = setup_of([figure(30, 3, also={HIDDEN: 1}), figure(30, 33, 1)], ground)
    wish = doctrine(stance="hold", hide_until=20, open_fire=40)
    assert done(setup, wish).what == PASS
    setup.start.tally[SHOTS_FIRED] = 1
    assert done(setup, wish).what == SHOOT
    setup.start.tally[SHOTS_FIRED] = 0
    setup.start.place[Y, 1] = 22
    assert done(setup, wish).what == SHOOT


# Goals


def test_a_place_is_taken_and_held() -> None:
    goals = {"hold": [(20, 20, 40, 40)] * 2, "hold_figures": (2, 0)}
    setup = setup_of([figure(30, 55), figure(90, 5, 1)], goals=goals)
    assert done(setup, doctrine()).to == pytest.approx((30, 45))
    setup.start.place[Y, 0] = 35
    assert done(setup, doctrine()).what == PASS
    setup.start.place[Y, 0] = 55
    assert done(setup, doctrine(objective=False, stance="hold")).what == PASS


def test_who_is_to_leave_leaves_over_the_edge() -> None:
    goals = {"exit_edge": (NORTH, 0), "exit_figures": (1, 0)}
    setup = setup_of([figure(30, 25), figure(90, 55, 1)], goals=goals)
    action = done(setup, doctrine(open_fire=10))
    assert (action.what, action.exit, action.to) == (MOVE, 0, pytest.approx((30, 15)))
    setup.start.place[Y, 0] = 9
    assert done(setup, doctrine(open_fire=10)).exit == 1


@pytest.mark.parametrize(("shots", "leaves"), [(1, 1), (2, 0)])
def test_who_has_fired_twice_leaves_the_table_only_where_he_may_move(shots: int, leaves: int) -> None:
    """By RI-6.3 `symmetric` a repeater's second shot of a turn forbids a move, over the edge too."""
    goals = {"exit_edge": (NORTH, 0), "exit_figures": (1, 0)}
    men = [figure(50, 4, weapon=None, also={SHOTS: shots}), figure(50, 50, 1, weapon=None)]
    setup = setup_of(men, book=RISORGIMENTO, changes={"RI-6.3": "symmetric"}, goals=goals)
    assert done(setup, doctrine(open_fire=10)).exit == leaves


def test_a_load_is_taken_and_dragged_off_the_table() -> None:
    goals = {"exit_edge": (NORTH, 0), "exit_loads": (1, 0)}
    setup = setup_of([figure(30, 25), figure(90, 55, 1)], goals=goals)
    state = setup.start
    state.loads, state.load[:, 0] = 1, (30, 33)
    assert done(setup, doctrine()).to == pytest.approx((30, 33))
    state.place[Y, 0] = 31
    action = done(setup, doctrine())
    assert (action.what, action.grab) == (TAKE, LOAD_0)
    state.figure[DRAGS, 0], state.dragger[0] = LOAD_0, 0
    assert done(setup, doctrine()).to == pytest.approx((30, 21))


def test_a_guard_stays_with_his_prisoner() -> None:
    setup = setup_of([figure(30, 50, also=EMPTY), figure(30, 48, 1), figure(30, 5, 1)])
    state = setup.start
    state.figure[STATUS, 1], state.figure[22, 1], state.tally[7] = CAPTURED, 0, 1
    assert done(setup, doctrine(stance="close", open_fire=10)).what == RELOAD
    state.tally[7] = 0
    assert done(setup, doctrine(stance="close", open_fire=10)).what == MOVE


# Small answers


def test_evasion_capture_and_shots_before_close_combat_are_matters_of_doctrine() -> None:
    setup = setup_of([figure(30, 40, also={ROLES: EVADES}), figure(30, 38, 1, die=10)])
    state, play = setup.start, setup.play
    assert orders.evades(state, setup.ground, play, doctrine(evade_below=0.5), 0, 1) == 1
    assert orders.evades(state, setup.ground, play, doctrine(evade_below=0.2), 0, 1) == 0
    assert orders.shoots_first(state, play, doctrine(), 0, 1) == 0
    assert orders.shoots_first(state, play, doctrine(shoot_in_melee=False), 0, 1) == -1
    # A test that cannot succeed is not asked for.
    assert orders.shoots_first(state, play, doctrine(), 0, 9) == -1
    state.figure[LOADING, 0], state.figure[ROUNDS, 0] = 3, 0
    assert orders.shoots_first(state, play, doctrine(), 0, 1) == -1
    assert [orders.captures(state, play, doctrine(capture=on), 1, 3) for on in (False, True)] == [0, 1]
