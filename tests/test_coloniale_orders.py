"""Players of Coloniale: whom they shoot at, when they assault and stop, how they get to where they want to be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.coloniale_battles import rulebook_with, setup_of, unit_of
from wargamesim.games.coloniale import layout as at
from wargamesim.games.coloniale import orders
from wargamesim.games.coloniale.assault import Unit, assault
from wargamesim.games.coloniale.doctrine import DOCTRINE, compile_doctrine
from wargamesim.games.coloniale.layout import (
    ACTION,
    BATTERY,
    CANNON,
    CAVALRY,
    COUNT,
    FORT,
    MARKERS,
    MERGE,
    MOVE,
    NODE,
    OFF_ROAD,
    PLAN,
    REINFORCE,
    RIFLE,
    ROAD,
    SPLIT,
    STAY,
    TARGET,
    UNFORDABLE,
    UNIT,
    WHAT,
)
from wargamesim.games.coloniale.orders_chance import exactly
from wargamesim.games.coloniale.playing import pack_play
from wargamesim.games.coloniale.referee import judge_battle
from wargamesim.games.coloniale.scenario import Setup
from wargamesim.games.coloniale.whereabouts import look_anew
from wargamesim.records import copy, new_record, pack

KEY = 7


class Player:
    """Asks the orders of one doctrine in a position."""

    def __init__(self, setup: Setup, **doctrine: Any) -> None:
        self.setup, self.state, self.plan = setup, copy(setup.start), new_record(PLAN)
        self.doctrine = pack(compile_doctrine(doctrine), DOCTRINE)
        self.state.turn = 1

    def ask(self, order: str, *numbers: int) -> Any:
        look_anew(self.state)
        before = self.position()
        records = (self.state, self.setup.ground, self.setup.play, self.doctrine, self.setup.goals, self.plan)
        answer = getattr(orders, order)(*records, *numbers)
        assert self.position() == before, "a player changed the state"
        return answer

    def position(self) -> list[bytes]:
        """Return all of the state but what is kept of what players have found."""
        return [self.state[name].tobytes() for name in self.state.dtype.names if name not in ("looked", "seen")]

    def fire(self, unit: int) -> list[tuple[int, int]]:
        self.ask("fire", unit)
        return [(int(self.plan.target[k]), int(self.plan.dice[k])) for k in range(self.plan.targets)]

    def assault(self, side: int) -> tuple[int, int]:
        self.ask("assault", side)
        return int(self.plan.action[UNIT]), int(self.plan.action[TARGET])

    def move(self, unit: int) -> tuple[int, list[float]]:
        self.ask("move", unit)
        return int(self.plan.action[WHAT]), self.plan.to.tolist()

    def march(self, unit: int) -> int:
        self.ask("march", unit)
        return int(self.plan.action[WHAT])


def two(distance: float, first: dict[str, Any], second: dict[str, Any], **more: Any) -> Setup:
    """Put a unit of each side so far apart, the second east of the first."""
    usual: dict[str, Any] = {"figures": 6, "discipline": 6}
    places = (100.0, 100.0), (100.0 + distance, 100.0)
    units = [unit_of(side, places[side], **(usual | unit)) for side, unit in enumerate((first, second))]
    return setup_of(units, **more)


# ------------------------------------------------------------------------------------------------ chances


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"CO-5.2": "summary"},
        {"CO-5.2": "summary_strict"},
        {"CO-P16": "attacker"},
        {"CO-P16": "reroll"},
        {"CO-P16": "reroll", "CO-5.2": "summary_strict"},
        {"CO-P16": "draw"},
        {"CO-P15": "values_decide"},
        {"assault.need": 1},
        {"assault.most_dice": 3},
    ],
    ids=str,
)
def test_the_chance_of_an_assault_is_the_exact_one(changes: dict[str, Any]) -> None:
    rulebook = rulebook_with(changes)
    play, plan = pack_play(rulebook), new_record(PLAN)
    for attackers, defenders, lead in ((6, 6, 0), (1, 8, 3), (8, 1, -4), (5, 3, -1), (12, 9, 2), (1, 1, 0)):
        exact = assault(rulebook, Unit(attackers, 20 + lead), Unit(defenders, 20)).attacker.wins
        assert exactly(play, plan, attackers, defenders, lead) == pytest.approx(float(exact), abs=1e-12)


def test_the_doctrine_decides_at_which_chance_a_unit_assaults() -> None:
    setup = two(15, {}, {})
    exact = float(assault(rulebook_with(), Unit(6, 6), Unit(6, 6)).attacker.wins)
    assert Player(setup, assault_above=exact - 1e-9).assault(0) == (0, 1)
    assert Player(setup, assault_above=exact + 1e-9).assault(0)[0] == -1
    values = {"estimate": "values"}
    assert Player(setup, assault_above=0.3, **values).assault(0) == (0, 1)
    assert Player(setup, assault_above=0.6, **values).assault(0)[0] == -1


def test_markers_forts_and_action_markers_count() -> None:
    shaken = two(15, {}, {"markers": 2})
    assert Player(shaken, assault_above=0.7).assault(0) == (0, 1)
    garrison = two(15, {}, {"fort": 1}, forts=[(115, 100)])
    assert Player(garrison, assault_above=0.2).assault(0)[0] == -1
    tired = Player(shaken, assault_above=0.0)
    tired.state.unit[0, ACTION] = 1
    assert tired.assault(0)[0] == -1
    assert Player(two(20.01, {}, {}), assault_above=0.0).assault(0)[0] == -1
    assert Player(two(15, {"arm": BATTERY}, {}), assault_above=0.0).assault(0)[0] == -1


def test_a_garrison_sallies_only_if_the_doctrine_says_so() -> None:
    setup = two(15, {"fort": 1}, {}, forts=[(100, 100)])
    assert Player(setup, assault_above=0.0).assault(0)[0] == -1
    assert Player(setup, assault_above=0.0, sally_above=0.4).assault(0) == (0, 1)
    assert Player(setup, pursue_above=0.0).ask("pursue", 0, 1) == 0
    assert Player(setup, pursue_above=0.0, sally_above=0.4).ask("pursue", 0, 1) == 1


def test_at_night_nobody_is_assaulted_twice() -> None:
    player = Player(two(15, {}, {}), assault_above=0.0)
    player.state.unit[1, at.ASSAULTED] = 1
    assert player.assault(0) == (0, 1)
    player.state.night = 1
    assert player.assault(0)[0] == -1


def test_the_rule_when_to_stop_a_pursuit() -> None:
    setup = two(10, {"figures": 3, "markers": 2}, {"figures": 3, "markers": 3})
    assert Player(setup, pursue_above=0.5).ask("pursue", 0, 1) == 1
    assert Player(setup, pursue_above=0.9).ask("pursue", 0, 1) == 0
    assert Player(setup, pursue_above=0.5, pursue_figures=4).ask("pursue", 0, 1) == 0
    assert Player(setup, pursue_above=0.5, pursue_markers=1).ask("pursue", 0, 1) == 0


# ------------------------------------------------------------------------------------------------ fire


def targets() -> Setup:
    """A unit with three enemies in reach: 8 figures at 10 cm, 1 at 15, 4 at 18, and one out of reach."""
    units = [unit_of(0, (100, 100), 8, 6)]
    for x, y, figures in ((110, 100, 8), (100, 115, 1), (82, 100, 4), (100, 60, 8)):
        units.append(unit_of(1, (x, y), figures, 6))
    return setup_of(units)


def test_targets_and_divided_fire() -> None:
    shoots = {"fire_first": 2.0}
    assert Player(targets(), target="nearest", **shoots).fire(0) == [(1, 5)]
    assert Player(targets(), target="largest", **shoots).fire(0) == [(1, 5)]
    # One figure is sure to fall and its unit with it, but more figures fall elsewhere: 5/3 and a marker.
    assert Player(targets(), target="best", **shoots).fire(0)[0][0] in (1, 2)
    assert Player(targets(), target="nearest", split_fire=2, **shoots).fire(0) == [(1, 3), (2, 2)]
    assert Player(targets(), target="nearest", split_fire=9, **shoots).fire(0) == [(1, 2), (2, 2), (3, 1)]


def test_who_is_dead_already_is_no_target() -> None:
    player = Player(targets(), fire_first=2.0)
    for enemy in (1, 2, 3):
        player.state.unit[enemy, at.PENDING_LOSS] = player.state.unit[enemy, at.FIG]
    assert player.fire(0) == []


def test_a_garrison_is_shot_at_by_guns_alone() -> None:
    fort: dict[str, Any] = {"forts": [(115, 100)]}
    assert Player(two(15, {}, {"fort": 1}, **fort), fire_first=2.0).fire(0) == []
    marks = rulebook_with({"CO-P29": "suppressed"})
    assert Player(two(15, {}, {"fort": 1}, rulebook=marks, **fort), fire_first=2.0).fire(0) == [(1, 5)]
    guns = Player(two(15, {"arm": BATTERY}, {"fort": 1}, **fort))
    assert guns.fire(0) == [(1, 1)]
    assert guns.plan.weapon == CANNON


def test_guns_shoot_far_or_come_nearer_first() -> None:
    gun: dict[str, Any] = {"arm": BATTERY, "figures": 3}
    assert Player(two(99, gun, {}), guns="hold").fire(0) == [(1, 1)]
    assert Player(two(101, gun, {}), guns="hold").fire(0) == []
    assert Player(two(60, gun, {}), guns="enemy").fire(0) == []
    assert Player(two(60, gun, {}, turns=1), guns="enemy").fire(0) == [(1, 1)]


def test_the_best_battalion_keeps_still_for_an_assault_that_others_prepare() -> None:
    units = [
        unit_of(0, (100, 100), 8, 6),
        unit_of(0, (104, 100), 6, 6),
        unit_of(0, (96, 100), 6, 6),
        unit_of(1, (100, 85), 6, 6, rifles=0),
    ]
    setup = setup_of(units)
    assert Player(setup, fire_first=0.7).fire(0) == []
    assert [Player(setup, fire_first=0.7).fire(unit) for unit in (1, 2)] == [[(3, 5)], [(3, 5)]]
    assert Player(setup, fire_first=2.0).fire(0) == [(3, 5)]
    assert Player(setup, fire_first=0.7).plan.weapon == RIFLE


# ------------------------------------------------------------------------------------------------ moves


def test_who_holds_stays_and_who_advances_comes_into_reach() -> None:
    setup = two(35, {}, {})
    assert Player(setup, foot="hold").move(0)[0] == STAY
    what, to = Player(setup, foot="enemy", close_to=18.0).move(0)
    assert (what, to) == (MOVE, [pytest.approx(117), 100])
    assert Player(setup, foot="hold", reach=40.0, close_to=18.0).move(0)[0] == MOVE
    waits = Player(setup, foot="hold", patience=3)
    assert waits.move(0)[0] == STAY
    waits.state.turn = 4
    assert waits.move(0)[0] == MOVE


def test_who_is_far_marches_and_who_is_near_does_not() -> None:
    setup = two(90, {}, {})
    assert Player(setup).move(0)[0] == STAY
    player = Player(setup)
    assert player.march(0) == OFF_ROAD
    assert player.plan.to.tolist() == [190, 100]
    assert Player(setup, march="never").move(0)[0] == MOVE
    assert Player(setup, march="never").march(0) == STAY
    assert Player(two(19, {}, {})).march(0) == STAY


def test_a_shaken_unit_goes_back() -> None:
    setup = two(15, {"markers": 3}, {})
    assert Player(setup, rally_at=4).move(0)[0] == STAY
    what, to = Player(setup, rally_at=3, rally_distance=25.0).move(0)
    assert what == MOVE
    assert to[0] == pytest.approx(89.5)


def test_a_unit_goes_to_the_nearest_zone_that_is_not_its_own() -> None:
    zones: Any = [(120, 90, 140, 110), (60, 60, 70, 70)]
    setup = two(100, {}, {}, zones=zones, hold=(2, 2), **{"movement": 1})
    setup.goals.zones[:] = 3
    what, to = Player(setup, foot="objective", march="never").move(0)
    assert (what, to) == (MOVE, [pytest.approx(120), 100])
    player = Player(setup, foot="objective", march="never")
    player.state.owner[0] = 0
    what, to = player.move(0)
    assert what == MOVE
    assert to[0] < 100
    assert to[1] < 100


def test_one_unit_stays_in_a_zone() -> None:
    units = [unit_of(0, (100, 100), 6, 6), unit_of(0, (106, 100), 6, 6), unit_of(1, (200, 100), 6, 6)]
    setup = setup_of(units, zones=[(90, 90, 110, 110), (60, 90, 80, 110)])
    setup.goals.zones[:] = 3
    setup.start.owner[0] = 0
    assert Player(setup, foot="objective", march="never").move(0)[0] == STAY
    assert Player(setup, foot="objective", march="never").move(1)[0] == MOVE


def test_a_unit_goes_round_water_by_the_bridge() -> None:
    river = [(UNFORDABLE, 0, (130.0, 0.0, 130.0, 256.0))]
    setup = two(60, {}, {}, lines=river)
    what, to = Player(setup, march="never").move(0)
    assert (what, to) == (MOVE, [120, 100])
    setup.ground.bridges, setup.ground.bridge[0] = 1, (130, 110)
    what, to = Player(setup, march="never").move(0)
    assert what == MOVE
    assert to == [pytest.approx(100 + 20 * 3 / np.sqrt(10)), pytest.approx(100 + 20 / np.sqrt(10))]


def test_a_unit_enters_an_empty_fort_of_its_zone() -> None:
    setup = two(60, {}, {}, forts=[(90, 100)], zones=[(80, 90, 95, 110)])
    setup.goals.zones[:] = 1
    player = Player(setup, foot="hold")
    assert player.move(0) == (MOVE, [90, 100])
    assert player.plan.action[NODE] == 1
    player.state.unit[1, FORT], player.state.place[1] = 1, (90, 100)
    assert player.move(0)[0] == STAY


# ------------------------------------------------------------------------------------------------ sizes


def friends(first: dict[str, Any], second: dict[str, Any]) -> Setup:
    units = [unit_of(0, (100, 100), **first), unit_of(0, (110, 100), **second), unit_of(1, (100, 30), 8, 6)]
    return setup_of(units)


def test_weak_battalions_merge() -> None:
    weak: dict[str, Any] = {"figures": 2, "discipline": 6}
    player = Player(friends(weak, weak), merge_below=3)
    assert player.move(0)[0] == MERGE
    assert player.plan.action[TARGET] == 1
    assert Player(friends(weak, weak), merge_below=2).move(0)[0] != MERGE
    assert Player(friends(weak, weak | {"arm": CAVALRY}), merge_below=3).move(0)[0] != MERGE
    assert Player(friends({"figures": 6, "discipline": 6}, weak), merge_below=7).move(0)[0] == MERGE
    assert Player(friends({"figures": 7, "discipline": 6}, weak), merge_below=8).move(0)[0] != MERGE


def test_a_strong_battalion_reinforces_a_weak_one() -> None:
    strong, weak = {"figures": 8, "discipline": 6}, {"figures": 2, "discipline": 6}
    player = Player(friends(strong, weak), reinforce_below=4)
    assert player.move(0)[0] == REINFORCE
    assert (player.plan.action[TARGET], player.plan.action[COUNT]) == (1, 2)
    assert Player(friends(strong | {"markers": 1}, weak), reinforce_below=4).move(0)[0] != REINFORCE
    assert Player(friends(strong | {"discipline": 5}, weak), reinforce_below=4).move(0)[0] != REINFORCE


def test_a_large_battalion_divides_away_from_the_enemy() -> None:
    player = Player(friends({"figures": 8, "discipline": 6}, {"figures": 8, "discipline": 6}), split_above=4)
    assert player.move(0)[0] == SPLIT
    assert player.plan.action[COUNT] == 4
    assert Player(two(30, {}, {}), split_above=4).move(0)[0] != SPLIT


# ------------------------------------------------------------------------------------------------ roads

NODES = [(10.0, 100.0, 0), (100.0, 100.0, 0), (190.0, 100.0, 1), (100.0, 20.0, 0), (100.0, 180.0, 0)]
LINKS = [(0, 1), (1, 2), (1, 3), (1, 4)]


def on_road(*places: tuple[float, float]) -> Setup:
    units = [unit_of(0, place, 6, 6) for place in places]
    setup = setup_of(
        [*units, unit_of(1, (250, 250), 6, 6)], nodes=NODES, roads=LINKS, zones=[(180, 90, 200, 110)], hold=(1, 1)
    )
    setup.goals.zones[:] = 1
    return setup


def test_a_column_marches_by_road_and_turns_the_right_way() -> None:
    setup = on_road((50, 100), (46, 100), (42, 100), (30, 100))
    player = Player(setup, foot="objective")
    assert player.march(0) == ROAD
    assert player.plan.action[NODE] == 1
    assert player.plan.follower[: player.plan.followers].tolist() == [1, 2]
    assert player.ask("branch", 0, 1, 0) == 2
    assert player.ask("branch", 0, 3, 1) == 1
    assert player.ask("halt", 0, 2) == 1
    assert player.ask("halt", 0, 0) == 0
    alone = Player(setup, foot="objective", column=False)
    assert alone.march(0) == ROAD
    assert alone.plan.followers == 0


def test_a_unit_beside_a_road_comes_onto_it_first() -> None:
    player = Player(on_road((50, 110)), foot="objective")
    what, to = player.move(0)
    assert what == MOVE
    assert to[1] == pytest.approx(100)


def test_cavalry_is_not_slowed_by_others() -> None:
    setup = on_road((50, 100), (46, 100))
    setup.start.unit[0, at.ARM] = CAVALRY
    player = Player(setup, foot="objective", horse="objective")
    assert player.march(0) == ROAD
    assert player.plan.followers == 0


def test_errors_lead_away_from_our_middle() -> None:
    units = [unit_of(0, (100, 100), 6, 6), unit_of(1, (150, 100), 6, 6), unit_of(1, (150, 160), 6, 6)]
    # Our middle is south of his way, which leads east: to his right, for y grows to the south. He errs to the left.
    assert Player(setup_of(units)).ask("drift", 0) == -1


# ------------------------------------------------------------------------------------------------ legal play

DOCTRINES = st.fixed_dictionaries(
    {},
    optional={
        "foot": st.sampled_from(["hold", "enemy", "objective"]),
        "horse": st.sampled_from(["hold", "enemy", "objective"]),
        "guns": st.sampled_from(["hold", "enemy", "objective"]),
        "reach": st.sampled_from([0.0, 30.0, 1000.0]),
        "patience": st.integers(0, 3),
        "march": st.sampled_from(["never", "road", "anywhere"]),
        "detour": st.sampled_from([0.5, 1.5, 100.0]),
        "cover": st.booleans(),
        "close_to": st.sampled_from([0.0, 5.0, 18.0, 60.0]),
        "gun_distance": st.sampled_from([0.0, 48.0, 200.0]),
        "target": st.sampled_from(["best", "nearest", "largest"]),
        "split_fire": st.integers(1, 9),
        "fire_first": st.sampled_from([0.0, 0.5, 2.0]),
        "assault_above": st.sampled_from([0.0, 0.5, 2.0]),
        "estimate": st.sampled_from(["exact", "values"]),
        "pursue_above": st.sampled_from([0.0, 0.5, 2.0]),
        "sally_above": st.sampled_from([0.0, 2.0]),
        "merge_below": st.sampled_from([0, 4, 99]),
        "split_above": st.sampled_from([0, 1, 4]),
        "reinforce_below": st.sampled_from([0, 4, 99]),
        "column": st.booleans(),
        "rally_at": st.sampled_from([0, 1, 3]),
        "rally_distance": st.sampled_from([0.0, 25.0, 200.0]),
    },
)
PLACES = st.tuples(st.integers(0, 9), st.integers(0, 9))
READINGS = {
    "CO-P06": "not_twice",
    "CO-P09": "one",
    "CO-P10": "no_tactical_move",
    "CO-P11": "yes",
    "CO-P18": "stops",
    "CO-P22": "surplus_lost",
    "CO-P23": "none",
    "CO-P25": "free",
    "CO-P27": "enemy",
    "CO-P29": "suppressed",
}


@st.composite
def small_battles(draw: st.DrawFn) -> Setup:
    places = draw(st.lists(PLACES, min_size=2, max_size=8, unique=True))
    units = [
        unit_of(
            0 if k < len(places) // 2 else 1,
            (10.0 + 9.0 * x + draw(st.sampled_from([0.0, 0.25, 3.5])), 10.0 + 9.0 * y),
            draw(st.integers(1, 3)) if arm == BATTERY else draw(st.integers(1, 4 if arm == CAVALRY else 8)),
            draw(st.integers(3, 10)),
            arm=arm,
            markers=draw(st.integers(0, 4)),
        )
        for k, (x, y) in enumerate(places)
        for arm in [draw(st.integers(0, 2))]
    ]
    lines = draw(
        st.lists(
            st.sampled_from(
                [
                    (UNFORDABLE, 0, (0.5, 46.0, 70.0, 50.0)),
                    (at.HARD, 1, (60.0, 0.0, 40.0, 110.0)),
                    (at.CREST, 2, (20.0, 20.0, 90.0, 80.0)),
                ]
            ),
            unique=True,
        )
    )
    changes = {key: READINGS[key] for key in draw(st.lists(st.sampled_from(sorted(READINGS)), unique=True))}
    setup = setup_of(
        units,
        rulebook_with(changes),
        doctrines=(compile_doctrine(draw(DOCTRINES)), compile_doctrine(draw(DOCTRINES))),
        turns=draw(st.integers(1, 5)),
        table=(110, 110),
        difficult=draw(st.lists(st.sampled_from([(30, 30, 60, 50), (70, 10, 95, 60)]), unique=True)),
        lines=lines,
        nodes=draw(st.sampled_from([[], [(0.5, 55.0, 2), (55.0, 55.0, 0), (55.0, 109.5, 2), (90.0, 30.0, 1)]])),
        roads=[(0, 1), (1, 2), (1, 3)],
        forts=[(100.5, 100.5)],
        zones=[(90, 90, 109, 109), (10, 40, 30, 60)],
    )
    setup.goals.zones[:] = 3
    if setup.ground.nodes == 0:
        setup.ground.links[:] = 0
    if lines and draw(st.booleans()):
        setup.ground.bridges, setup.ground.bridge[0] = 1, (46.0, 48.6)
    return setup


@settings(max_examples=40, deadline=None)
@given(setup=small_battles(), battle=st.integers(0, 1000))
def test_players_propose_nothing_that_the_rules_forbid(setup: Setup, battle: int) -> None:
    played = judge_battle(setup, KEY, battle)
    unit = played["state"].unit[: played["state"].count]
    assert (unit[:, at.FIG] >= 0).all()
    assert (unit[:, MARKERS] >= 0).all()
    assert ((unit[:, at.FIG] > 0) == (unit[:, at.STATUS] == at.IN_PLAY)).all()
