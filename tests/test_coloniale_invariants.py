"""What holds in every battle of Coloniale: its trace is followed event by event, and each is held against the last."""

from __future__ import annotations

from collections import Counter
from math import hypot, isnan, nan
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.coloniale_battles import default_rulebook, play_one, random_setup, rulebook_with
from tests.rule_numbers import changes
from tests.test_coloniale_random import LEAVE
from wargamesim.games.coloniale import layout
from wargamesim.games.coloniale.layout import (
    ARM,
    ATTACKER_WON,
    BATTERY,
    CHOSEN,
    DEFENDER_WON,
    DESTROYED,
    DISC,
    DRAW,
    FIG,
    FIGURES_LEFT,
    FIRST,
    IN_PLAY,
    LOST_TO_RIFLES,
    MARKERS,
    MARKERS_LEFT,
    MERGE,
    MERGED,
    MOVE,
    NO_DECISION,
    OFF_ROAD,
    REINFORCE,
    RIFLE,
    ROAD,
    SECOND,
    SIDE,
    SIDES,
    SPLIT,
    STATUS,
    UNFORDABLE,
    X,
    Y,
)
from wargamesim.games.coloniale.playing import CHOICES
from wargamesim.games.coloniale.scenario import Setup, compile_setup, load_scenario, scenarios

Row = tuple[int, ...]
Place = tuple[float, float]

# The trace rounds to a thousandth of a cm.
CLOSE = 0.002
# Four tallies of figures lost, a pair each.
LOST = range(LOST_TO_RIFLES, LOST_TO_RIFLES + 8, 2)
# How a march ends, as the trace has it.
BY_ENEMY = 1


# Where a half of a unit stands is not in the trace before it does something.
UNKNOWN = (nan, nan)


def apart(one: Place, other: Place) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


def farther(one: Place, other: Place, limit: float) -> bool:
    """Tell whether two places are known to be farther apart than that."""
    return apart(one, other) > limit + CLOSE


class Army:
    """All units of a battle as the trace tells of them."""

    def __init__(self, setup: Setup) -> None:
        self.setup, self.play, self.ground = setup, setup.play, setup.ground
        start = setup.start
        units, places = start.unit[: start.count], start.place[: start.count]
        self.side, self.arm = units[:, SIDE].tolist(), units[:, ARM].tolist()
        self.figures, self.discipline = units[:, FIG].tolist(), units[:, DISC].tolist()
        self.markers, self.status = units[:, MARKERS].tolist(), units[:, STATUS].tolist()
        self.place: list[Place] = [(float(at[X]), float(at[Y])) for at in places]
        self.turn, self.night_turns, self.night = 0, 0, False
        self.fired: Counter[int] = Counter()
        self.moved: Counter[int] = Counter()
        self.marched: set[int] = set()
        self.surplus = [0, 0]
        self.dice_lost: dict[int, int] = {}
        self.winner, self.column = -1, 0
        # The last place on the road and the next one, and where the last leg off the road ended.
        self.route: list[int] = []
        self.leg: Place | None = None

    def reads(self, choice: str) -> str:
        """Return the reading of a rule that the battle is played by."""
        return CHOICES[choice][1][self.play[choice]]

    def follow(self, row: Row) -> None:
        """Check an event, and take note of what it changes."""
        if row[0] != self.turn:
            self.turn = row[0]
            self.fired.clear()
            self.moved.clear()
            self.marched.clear()
            self.night_turns = max(self.night_turns - 1, 0)
            self.night = self.night_turns > 0
        {
            layout.T_DRAWN: self._drawn,
            layout.T_NIGHT: self._night_falls,
            layout.T_BEGINS: self._begins,
            layout.T_RALLY: self._rally,
            layout.T_FIRE: self._fire,
            layout.T_LEAVE: self._leave,
            layout.T_ASSAULT: self._assault,
            layout.T_AFTER: self._after,
            layout.T_MOVE: self._move,
            layout.T_NODE: self._node,
            layout.T_LEG: self._leg,
            layout.T_MARCH: self._march,
            layout.T_FOLLOW: self._follow,
            layout.T_TURN_END: self._turn_end,
        }.get(row[1], lambda _: None)(row[2:])

    def check(self) -> None:
        """Hold all units against what never changes."""
        for unit, status in enumerate(self.status):
            assert self.markers[unit] >= 0
            if status == IN_PLAY:
                assert self.figures[unit] > 0
                assert self.turn == 0 or self.play.lowest <= self.discipline[unit]
                assert self.turn == 0 or self.discipline[unit] <= max(self.play.highest, self.play.most)
                for at, size in zip(self.place[unit], (self.ground.width, self.ground.height), strict=True):
                    assert isnan(at) or 0.5 - CLOSE <= at <= size - 0.5 + CLOSE

    def _enemies(self, unit: int) -> list[int]:
        return [
            other
            for other, status in enumerate(self.status)
            if status == IN_PLAY and self.side[other] != self.side[unit]
        ]

    def _drawn(self, row: Row) -> None:
        unit, discipline = row[:2]
        assert self.discipline[unit] == 0
        assert self.play.least <= discipline <= self.play.most
        self.discipline[unit] = discipline

    def _night_falls(self, row: Row) -> None:
        assert self.turn == self.setup.goals.night_from
        self.night_turns, self.night = row[0], row[0] > 0

    def _begins(self, row: Row) -> None:
        assert row[0] == layout.PHASE_C or not self.night

    def _rally(self, row: Row) -> None:
        unit, dice, successes, markers = row[:4]
        assert dice == self.discipline[unit]
        assert markers == self.markers[unit] - min(successes, self.markers[unit])
        assert self.markers[unit] > 0
        self.markers[unit] = markers

    def _fire(self, row: Row) -> None:
        unit, target, weapon, dice = row[:4]
        assert not self.night
        assert self.status[unit] == self.status[target] == IN_PLAY
        assert self.side[unit] != self.side[target]
        self.fired[unit] += dice
        if weapon == RIFLE:
            assert self.fired[unit] <= min(self.figures[unit], self.play.rifle_dice)
            reach = self.play.rifle_reach
        else:
            assert self.arm[unit] == BATTERY
            assert self.fired[unit] == 1
            reach = max(self.play.near_reach, self.play.cannon_reach)
        assert not farther(self.place[unit], self.place[target], reach)
        assert 0 <= row[5] <= dice

    def _leave(self, row: Row) -> None:
        unit, lost, figures, markers = row[:4]
        assert lost >= 0
        assert figures == self.figures[unit] - lost
        assert markers >= self.markers[unit]
        self._set(unit, figures, markers)

    def _set(self, unit: int, figures: int, markers: int) -> None:
        self.figures[unit], self.markers[unit] = figures, markers
        if figures == 0:
            self.status[unit] = DESTROYED

    def _assault(self, row: Row) -> None:
        a, d, kind, *lost = row[:5]
        assert self.status[a] == self.status[d] == IN_PLAY
        assert self.side[a] != self.side[d]
        if kind == CHOSEN:
            assert not farther(self.place[a], self.place[d], self.play.assault_reach)
            assert not self.fired[a], "who has fired has acted (CO-3.2)"
        self.dice_lost = dict(zip((a, d), lost, strict=True))
        self.winner = {ATTACKER_WON: a, DEFENDER_WON: d}.get(row[9], -1)

    def _after(self, row: Row) -> None:
        unit, figures, discipline, markers, x, y, status, test = row[:8]
        play, before = self.play, self.discipline[unit]
        assert 0 <= self.dice_lost[unit] <= self.figures[unit]
        assert 0 <= figures <= self.figures[unit] - self.dice_lost[unit]
        assert markers >= self.markers[unit]
        if unit == self.winner:
            assert figures == self.figures[unit] - self.dice_lost[unit]
            assert before <= discipline <= before + play.winner_gain
        else:
            assert before - play.loser_drop <= discipline <= before
        assert test >= 0 or discipline == before
        self._set(unit, figures, markers)
        self.discipline[unit], self.status[unit], self.place[unit] = discipline, status, (x / 1000, y / 1000)
        assert (figures == 0) == (status == DESTROYED)

    def _move(self, row: Row) -> None:
        unit, what, other, x, y, figures, others, discipline = row[:8]
        assert not self.night
        assert self.status[unit] == IN_PLAY
        assert not self.fired[unit]
        self.moved[unit] += 1
        assert self.moved[unit] == 1 or self.reads("free_action") == "none"
        total = figures + (0 if what == MOVE else others)
        to = (x / 1000, y / 1000)
        if what == MOVE:
            assert figures == self.figures[unit]
            assert not farther(to, self.place[unit], self.play.move[self.arm[unit]])
            assert not self._is_barred(self.place[unit], to)
            self.place[unit] = to
        elif what == SPLIT:
            assert other == len(self.side)
            assert total == self.figures[unit]
            assert min(figures, others) >= 1
            assert discipline == max(self.discipline[unit] - self.play.split_drop, self.play.lowest)
            for field in (self.side, self.arm, self.markers, self.status):
                field.append(field[unit])
            self.figures.append(0)
            self.discipline.append(0)
            self.place.append(UNKNOWN)
        else:
            assert what in (MERGE, REINFORCE)
            assert self.side[unit] == self.side[other]
            assert self.status[other] == IN_PLAY
            surplus = self.figures[unit] + self.figures[other] - total
            assert surplus >= 0
            assert surplus == 0 or self.reads("too_large") == "surplus_lost"
            self.surplus[self.side[unit]] += surplus
            assert discipline <= self.discipline[other]
            if what == MERGE:
                self.status[unit] = MERGED
                self.markers[other] = max(self.markers[unit], self.markers[other])
                if BATTERY not in (self.arm[unit], self.arm[other]):
                    self.arm[other] = min(self.arm[unit], self.arm[other])
            elif self.arm[other] != BATTERY:
                self.arm[other] = min(self.arm[unit], self.arm[other])
        self.figures[unit] = figures
        if what != MOVE:
            self.figures[other], self.discipline[other] = others, discipline

    def _is_barred(self, start: Place, end: Place) -> bool:
        """Tell whether a way clearly crosses a river that nobody fords, away from its bridges (CO-2.4)."""
        (ax, ay), (bx, by) = start, end
        for number in range(self.ground.lines):
            if self.ground.line_kind[number] != UNFORDABLE:
                continue
            x1, y1, x2, y2 = self.ground.line[number].tolist()
            rx, ry, sx, sy = bx - ax, by - ay, x2 - x1, y2 - y1
            den = rx * sy - ry * sx
            if abs(den) < 1e-9:
                continue
            t = ((x1 - ax) * sy - (y1 - ay) * sx) / den
            u = ((x1 - ax) * ry - (y1 - ay) * rx) / den
            at = ax + rx * t, ay + ry * t
            bridges = self.ground.bridge[: self.ground.bridges].tolist()
            if 0.001 < t < 0.999 and 0.001 < u < 0.999 and all(apart(at, each) > self.play.bridge for each in bridges):
                return True
        return False

    def _node(self, row: Row) -> None:
        _, node, _, _, taken = row[:5]
        if self.route:
            assert self.route[-1] == node, "roads lead where they are drawn (CO-7.2)"
        links = self.ground.link[node, : self.ground.links[node]].tolist()
        assert taken < 0 or taken in links
        self.route = [node, taken] if taken >= 0 else [node]

    def _leg(self, row: Row) -> None:
        unit, to = row[0], (row[4] / 1000, row[5] / 1000)
        assert not self._is_barred(self.leg or self.place[unit], to)
        self.leg = to

    def _march(self, row: Row) -> None:
        unit, what, rolled, x, y, followers, end = row[:7]
        assert not self.night
        assert what in (ROAD, OFF_ROAD)
        to = (x / 1000, y / 1000)
        ways = [apart(to, self.place[other]) for other in self._enemies(unit)]
        assert all(isnan(way) or way >= self.play.margin - CLOSE for way in ways)
        assert end != BY_ENEMY or any(isnan(way) or way <= self.play.margin + CLOSE for way in ways)
        for other in self._enemies(unit):
            way = apart(self.place[unit], self.place[other])
            assert isnan(way) or way > self.play.margin - CLOSE
        if what == ROAD:
            assert isnan(self.place[unit][X]) or self._off_roads(self.place[unit]) <= 0.5 + CLOSE
            assert self._off_roads(to) <= 0.5 + CLOSE
            assert not farther(self.place[unit], to, rolled)
        self._marches(unit)
        self.place[unit] = to
        self.column, self.route, self.leg = followers, [], None

    def _marches(self, unit: int) -> None:
        """Who has acted in the turn does not march, nor does anybody march twice (CO-7.1)."""
        assert self.status[unit] == IN_PLAY
        assert not self.fired[unit]
        assert not self.moved[unit] or self.reads("free_action") == "none"
        assert unit not in self.marched
        self.marched.add(unit)

    def _off_roads(self, at: Place) -> float:
        """Return how far a place is from the nearest road."""
        nearest, ground = np.inf, self.ground
        for node in range(ground.nodes):
            for other in ground.link[node, : ground.links[node]]:
                (x1, y1), (x2, y2) = ground.node[node], ground.node[other]
                long = (x2 - x1) ** 2 + (y2 - y1) ** 2
                t = min(max(((at[0] - x1) * (x2 - x1) + (at[1] - y1) * (y2 - y1)) / long, 0), 1)
                nearest = min(nearest, apart(at, (x1 + t * (x2 - x1), y1 + t * (y2 - y1))))
        return float(nearest)

    def _follow(self, row: Row) -> None:
        unit, to = row[0], (row[1] / 1000, row[2] / 1000)
        self._marches(unit)
        self.column -= 1
        assert self.column >= 0
        self.place[unit] = to

    def _turn_end(self, row: Row) -> None:
        own = [[u for u, status in enumerate(self.status) if status == IN_PLAY and self.side[u] == s] for s in (0, 1)]
        assert row[:2] == tuple(map(len, own))
        assert row[2:4] == tuple(sum(self.figures[u] for u in each) for each in own)
        assert row[4:6] == tuple(sum(self.markers[u] for u in each) for each in own)
        assert all(zones >= 0 for zones in row[6:8])
        assert sum(row[6:8]) <= self.ground.zones


def check_battle(setup: Setup, key: int, number: int) -> Counter[int]:
    """Follow a battle through; return what kinds of event there were."""
    told = play_one(setup, key, number)
    army, tally = Army(setup), told["tally"]
    for row in told["trace"]:
        army.follow(row)
        army.check()
    start = setup.start.unit[: setup.start.count]
    for side in (FIRST, SECOND):
        live = [u for u, status in enumerate(army.status) if status == IN_PLAY and army.side[u] == side]
        left = sum(army.figures[u] for u in live)
        assert tally[FIGURES_LEFT + side] == left
        assert tally[MARKERS_LEFT + side] == sum(army.markers[u] for u in live)
        lost = sum(tally[each + side] for each in LOST)
        assert left + lost + army.surplus[side] == start[start[:, SIDE] == side, FIG].sum()
        if told["outcome"] == side:
            assert left > 0
    if told["outcome"] not in (FIRST, SECOND, DRAW):
        assert told["outcome"] == NO_DECISION
        assert told["turns"] == setup.goals.turns
    return Counter(row[1] for row in told["trace"])


RULES = changes(default_rulebook(), 4, LEAVE)


def test_random_battles_keep_order() -> None:
    kinds: Counter[int] = Counter()

    @settings(max_examples=150)
    @given(rules=RULES, position=st.integers(0, 2**32), key=st.integers(0, 2**64 - 1), number=st.integers(0, 2**40))
    def in_order(rules: dict[str, Any], position: int, key: int, number: int) -> None:
        kinds.update(check_battle(random_setup(np.random.default_rng(position), rulebook_with(rules)), key, number))

    in_order()
    assert {layout.T_FIRE, layout.T_ASSAULT, layout.T_MOVE, layout.T_MARCH} <= set(kinds)


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("name", scenarios())
def test_shipped_battles_keep_order(name: str, number: int) -> None:
    scenario, changed = load_scenario(name), {}
    for s, side in enumerate(SIDES):
        known = scenario.levels(f"{side}.doctrine")
        assert known
        changed[f"{side}.doctrine"] = known[(number + 2 * s) % len(known)]
    check_battle(compile_setup(default_rulebook(), scenario.variant(changed)), 5, number)


@pytest.mark.proof
@pytest.mark.parametrize("part", range(4))
def test_very_many_random_battles_keep_order(part: int) -> None:
    rng = np.random.default_rng([5, part])
    readings = {rule: sorted(each.options) for rule, each in default_rulebook().readings.items()}
    kinds: Counter[int] = Counter()
    for number in range(1000):
        chosen = {rule: str(rng.choice(of)) for rule, of in readings.items() if rng.random() < 0.25}
        kinds.update(check_battle(random_setup(rng, rulebook_with(chosen)), 5, number))
    assert {layout.T_NODE, layout.T_LEG, layout.T_FOLLOW, layout.T_NIGHT} <= set(kinds)
