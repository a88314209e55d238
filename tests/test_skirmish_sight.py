"""The geometry that players and kernel share is the referee's, which is written on its own."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.skirmish_chance import HEIGHT, WIDTH, any_setup
from tests.skirmish_positions import figure, ground_of, setup_of
from wargamesim.games.skirmish import sight
from wargamesim.games.skirmish.layout import HIDDEN, IN_PLAY, KEEP, PRONE, STAND, STATUS, X, Y
from wargamesim.games.skirmish.referee_table import Table
from wargamesim.games.skirmish.sight import HARD, OPEN, SOFT

SEEDS = st.integers(0, (1 << 32) - 1)


@settings(max_examples=150, deadline=None)
@given(SEEDS)
def test_sight_cover_and_contact_are_those_of_the_rules(seed: int) -> None:
    setup = any_setup(seed)
    state, ground, play = setup.start, setup.ground, setup.play
    table = Table(state, ground, play)
    for a in range(state.count):
        touched = any(table.state.figure[STATUS, b] == IN_PLAY for b in table.touches(a))
        assert sight.is_engaged(state, play, a) == touched
        seen = table.visible(a)
        nearest = sight.nearest_seen(state, ground, play, a)
        assert (nearest >= 0) == bool(seen)
        if seen:
            assert table.distance(a, nearest) == min(table.distance(a, b) for b in seen)
        for b in range(state.count):
            if a != b:
                assert sight.sees(state, ground, play, a, b) == table.sees(a, b)
                assert sight.cover(state, ground, play, a, b) == table.cover(a, b)


@settings(max_examples=150, deadline=None)
@given(SEEDS)
def test_ways_and_what_they_cost_are_those_of_the_rules(seed: int) -> None:
    setup = any_setup(seed)
    state, ground, play = setup.start, setup.ground, setup.play
    table, chance = Table(state, ground, play), np.random.default_rng(seed)
    for i in range(state.count):
        for _ in range(6):
            x, y = (float(value) for value in table.place(i) + chance.normal(size=2) * 8)
            assert sight.fits(state, ground, play, i, x, y) == table.fits(i, (x, y))
            if not (0 <= x < WIDTH and 0 <= y < HEIGHT):
                continue
            assert sight.passes(state, play, i, x, y) == table.passes(i, (x, y))
            known = table.way(table.place(i), (x, y))
            assert sight.way(ground, *table.place(i), x, y) == (known.difficult, known.water, known.rough)
            run = int(chance.integers(2))
            posture = STAND if state.figure[PRONE, i] else KEEP
            effort = sight.effort(state, ground, play, i, x, y, run, posture)
            assert effort == pytest.approx(table.effort(i, (x, y), bool(run), posture), rel=1e-12)


def test_a_figure_hides_nobody_unless_the_reading_says_so() -> None:
    figures = [figure(10, 10), figure(30, 10, 1), figure(20, 10.5, 1)]
    for option, seen in (("terrain", True), ("figures_too", False)):
        setup = setup_of(figures, changes={"NA-1.5": option})
        assert sight.sees(setup.start, setup.ground, setup.play, 0, 1) == seen


@pytest.mark.parametrize(("deep", "seen"), [(5, True), (6, False)])
def test_more_than_five_centimetres_of_wood_hide(deep: int, seen: bool) -> None:
    row = "." * 15 + "#" * deep + "." * 30
    setup = setup_of([figure(10.5, 2.5), figure(30.5, 2.5, 1)], ground_of([row] * 5))
    assert sight.sees(setup.start, setup.ground, setup.play, 0, 1) == seen


def test_those_in_a_building_see_out_and_are_seen_but_not_what_is_behind_it() -> None:
    row = "." * 15 + "@" * 5 + "." * 30
    setup = setup_of([figure(10.5, 2.5), figure(17.5, 2.5), figure(30.5, 2.5, 1)], ground_of([row] * 5))
    seen = [sight.sees(setup.start, setup.ground, setup.play, i, 2) for i in range(2)]
    assert seen == [False, True]
    assert sight.cover(setup.start, setup.ground, setup.play, 2, 1) == HARD


@pytest.mark.parametrize(("letter", "cover"), [("=", HARD), ("%", SOFT), (".", OPEN)])
def test_cover_is_what_stands_just_before_the_target(letter: str, cover: int) -> None:
    row = "." * 18 + letter + "." * 30
    setup = setup_of([figure(30.5, 2.5), figure(17.5, 2.5, 1)], ground_of([row] * 5))
    assert sight.cover(setup.start, setup.ground, setup.play, 0, 1) == cover
    # From the other side it is no cover.
    setup = setup_of([figure(5.5, 2.5), figure(17.5, 2.5, 1)], ground_of([row] * 5))
    assert sight.cover(setup.start, setup.ground, setup.play, 0, 1) == OPEN


def test_a_hidden_enemy_is_not_the_nearest() -> None:
    setup = setup_of([figure(10, 10), figure(20, 10, 1), figure(30, 10, 1)])
    assert sight.nearest_seen(setup.start, setup.ground, setup.play, 0) == 1
    setup.start.figure[HIDDEN, 1] = 1
    assert sight.nearest_seen(setup.start, setup.ground, setup.play, 0) == 2
    setup.start.figure[HIDDEN, 2] = 1
    assert sight.nearest_seen(setup.start, setup.ground, setup.play, 0) == -1


def test_a_way_that_no_allowance_covers_costs_without_end() -> None:
    setup = setup_of([figure(10, 10), figure(40, 10, 1)])
    setup.play.walk[:] = 0.0
    assert sight.effort(setup.start, setup.ground, setup.play, 0, 12.0, 10.0, 0, KEEP) == inf
    assert sight.effort(setup.start, setup.ground, setup.play, 0, 10.0, 10.0, 0, KEEP) == 0.0


def test_the_way_past_an_enemy_keeps_a_base_away_from_him() -> None:
    setup = setup_of([figure(10, 10), figure(20, 10, 1)])
    state, play = setup.start, setup.play
    assert not sight.passes(state, play, 0, 24.0, 10.0)
    assert sight.passes(state, play, 0, 18.0, 10.0)
    assert sight.passes(state, play, 0, 24.0, 16.0)
    # Who is in contact already may push past.
    state.place[X, 0], state.place[Y, 0] = 18.0, 10.0
    assert sight.passes(state, play, 0, 24.0, 10.5)
