"""Players of Stirling: nothing they propose is illegal, and nothing is foolish where one can tell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.stirling_scenarios import SMALL
from wargamesim.games.stirling import layout as at
from wargamesim.games.stirling import orders
from wargamesim.games.stirling.doctrine import DOCTRINE, PARAMETERS, compile_doctrine
from wargamesim.games.stirling.judge import Judge, Move
from wargamesim.games.stirling.layout import FRONTS, PLAN
from wargamesim.games.stirling.playing import CHOICES
from wargamesim.games.stirling.referee_board import Board, distance, trail
from wargamesim.games.stirling.scenario import Setup, compile_setup, restore_scenario
from wargamesim.records import new_record, pack
from wargamesim.rulebook import load_rulebook

BOOK = load_rulebook("stirling")
COLUMNS, ROWS = 12, 10
EAST, NORTH_EAST, NORTH_WEST, WEST, SOUTH_WEST, SOUTH_EAST = range(6)
TROOPS: dict[str, dict[str, Any]] = {
    "man": {"thac0": 20, "ac": 6, "damage": "1d8", "mov": 3},
    "pike": {"thac0": 20, "ac": 5, "damage": "1d6", "mov": 3, "length": 500, "set_weapon": True},
    "bow": {"thac0": 20, "ac": 7, "damage": "1d6", "mov": 4, "missile": "short_bow", "missile_damage": "1d6"},
    "knight": {
        **{"thac0": 18, "ac": 2, "damage": "1d8+1", "mov": 5, "quality": "elite"},
        **{"mounted": True, "lance": True, "length": 300},
    },
    "ogre": {"thac0": 17, "ac": 5, "damage": "1d10", "mov": 3, "hit_dice": "4+1", "large": True},
}


class Names:
    def name(self, unit: Any) -> str:
        return f"unit {unit.index}"


class Field:
    """A position made by hand, and what the players of both sides would do in it."""

    def __init__(
        self,
        *units: tuple[int, str, tuple[int, int], int],
        men: int = 200,
        doctrine: Mapping[str, Any] | None = None,
        readings: Mapping[str, Any] | None = None,
        turn: int = 2,
    ) -> None:
        armies: list[dict[str, Any]] = [{}, {}]
        for number, (side, troop, place, front) in enumerate(units):
            armies[side][f"u{number}"] = {"troop": troop, "men": men, "at": list(place), "front": FRONTS[front]}
        source = SMALL | {
            "board": {"columns": COLUMNS, "rows": ROWS},
            "first": {"doctrine": "plain", "units": armies[0]},
            "second": {"doctrine": "plain", "units": armies[1]},
            "troops": {"first": TROOPS, "second": TROOPS},
        }
        self.setup: Setup = compile_setup(BOOK.variant(readings or {}), restore_scenario(source))
        self.state, self.play = self.setup.start, self.setup.play
        self.state.turn = turn
        self.doctrine = pack(compile_doctrine(doctrine or {}), DOCTRINE)
        self.plan, self.reply = new_record(PLAN), new_record(PLAN)
        self.board = Board(self.state, self.play)
        self.judge = Judge(self.board, Names())
        self.engage()

    def engage(self) -> None:
        for unit in self.board.units:
            unit.engaged = int(unit.is_here and self.board.is_engaged(unit))

    def move(self, unit: int) -> Move:
        """Return a unit's move, which must be legal."""
        before = self.state.copy()
        orders.move(self.state, self.play, self.doctrine, self.plan, unit)
        assert self.state.tobytes() == before.tobytes(), "a player changed the battle"
        move = Move.of(self.plan)
        self.judge.judge_move(self.board.units[unit], move)
        return move

    def end(self, unit: int, move: Move) -> tuple[int, int]:
        """Return the hex in which a move ends."""
        return ((self.board.units[unit].hex), *trail(self.board.units[unit].hex, move.path))[-1]

    def make(self, unit: int, move: Move) -> None:
        """Carry out a move, as far as the position changes by it."""
        moved = self.board.units[unit]
        moved.hex = self.end(unit, move)
        moved.front = move.to_front if move.what != at.STEP_BACK else moved.front
        if move.charge:
            self.judge.judge_charge(moved, move.what, move.path)

    def shoot(self, unit: int) -> int:
        """Return a unit's target, which must be legal."""
        target = int(orders.shoot(self.state, self.play, self.doctrine, self.plan, unit))
        if target >= 0:
            self.judge.judge_shot(self.board.units[unit], target)
        return target


# ------------------------------------------------------------------------------------------------ nothing illegal


@st.composite
def fields(draw: st.DrawFn) -> Field:
    """Draw a small battle in any position, with any doctrine and any readings."""
    place = st.tuples(st.integers(0, COLUMNS - 1), st.integers(0, ROWS - 1))
    places = draw(st.lists(place, min_size=2, max_size=9, unique=True))
    units = [
        (number % 2 if number < 2 else draw(st.integers(0, 1)), draw(st.sampled_from(list(TROOPS))), each, draw(FRONT))
        for number, each in enumerate(places)
    ]
    doctrine = {name: draw(_value_of(name)) for name in draw(st.sets(st.sampled_from(list(PARAMETERS)), max_size=12))}
    readings = {
        rule: draw(st.sampled_from(options)) for rule, options in draw(st.sets(st.sampled_from(READINGS), max_size=6))
    }
    men = draw(st.sampled_from([20, 100, 400]))
    field = Field(*units, men=men, doctrine=doctrine, readings=readings, turn=draw(st.integers(1, 9)))
    for unit in field.board.units:
        unit.status = draw(st.sampled_from([at.ORDERED] * 5 + [at.ROUTED]))
        unit.delayed = draw(st.integers(0, 1))
        unit.men = unit.left = draw(st.integers(1, men // 10)) * 10
    if draw(st.booleans()):
        # Somebody left a hex in front of somebody else in this phase.
        unit = field.board.units[0]
        q, r = unit.ahead
        field.state.vacated = 1
        field.state.left_by[0] = 1 - unit.side, q, r
    field.engage()
    return field


FRONT = st.integers(0, 5)
READINGS = [*(CHOICES.values()), ("SS-P16", ("one", "third", "four_thirds")), ("SS-P06", ("once", "per_round"))]


def _value_of(name: str) -> st.SearchStrategy[Any]:
    parameter = PARAMETERS[name]
    if parameter.words:
        return st.sampled_from(parameter.words)
    if isinstance(parameter.default, bool):
        return st.booleans()
    if isinstance(parameter.default, float):
        return st.sampled_from([0.0, 0.5, 1.0, 3.0, parameter.high])
    return st.sampled_from([0, 1, 3, 8, int(parameter.high)])


@settings(max_examples=250)
@given(field=fields())
def test_every_proposal_is_legal(field: Field) -> None:
    for unit in field.board.units:
        if not unit.is_ordered:
            continue
        field.shoot(unit.index)
        assert orders.delay(field.state, field.play, field.doctrine, field.plan, unit.index) in (0, 1)
        move = field.move(unit.index)
        _check_interceptions(field, unit, move)
        if move.what in (at.STAY, at.WALK, at.RUN, at.ADVANCE, at.STEP_BACK) and move.merge < 0:
            field.make(unit.index, move)


def _check_interceptions(field: Field, mover: Any, move: Move) -> None:
    """Ask every enemy who may interrupt the move; no answer may break the rules."""
    if move.steps == 0 or move.what == at.FLEE:
        return
    for other in field.board.enemies(mover):
        if not other.is_ordered or other.engaged:
            continue
        asked = (field.state, field.play, field.doctrine, field.plan, field.reply, other.index, mover.index)
        if orders.intercept(*asked):
            field.judge.judge_interception(other, Move.of(field.reply), mover, move)


@settings(max_examples=100)
@given(field=fields(), turn=st.integers(0, 2))
def test_who_touches_an_enemy_faces_one(field: Field, turn: int) -> None:
    field.state.turn += turn
    for unit in field.board.units:
        beside = [other for other in field.board.enemies(unit) if distance(unit.hex, other.hex) == 1]
        if not unit.is_ordered or not unit.engaged or not beside:
            continue
        move = field.move(unit.index)
        # A reversal of the front may cost more than a slow unit's whole allowance.
        if move.what == at.STAY and field.board.walk(unit) >= 1:
            front = (unit.hex[0] + at.STEP_Q[move.to_front], unit.hex[1] + at.STEP_R[move.to_front])
            assert front in [other.hex for other in beside]


# ------------------------------------------------------------------------------------------------ moves that make sense


def test_a_unit_in_contact_turns_to_the_enemy_it_can_strike_best() -> None:
    field = Field((0, "man", (5, 5), EAST), (1, "man", (4, 5), WEST))
    assert field.move(0) == Move(at.STAY, WEST)
    # Of two, the one whose back is turned to it, who does not strike back.
    field = Field((0, "man", (5, 5), EAST), (1, "man", (6, 5), EAST), (1, "man", (4, 5), WEST), (1, "ogre", (0, 0), 0))
    field.board.units[2].men = 100
    assert field.move(0).to_front in (EAST, WEST)
    assert field.move(0).what == at.STAY


def test_a_unit_near_enough_goes_into_contact() -> None:
    field = Field((0, "man", (5, 8), NORTH_WEST), (1, "man", (6, 2), SOUTH_EAST))
    move = field.move(0)
    assert move.what in (at.WALK, at.RUN)
    assert distance(field.end(0, move), field.board.units[1].hex) == 1
    field.make(0, move)
    assert field.board.target(field.board.units[0]) is field.board.units[1]


def test_a_straight_run_is_a_charge() -> None:
    field = Field((0, "knight", (1, 5), EAST), (1, "man", (8, 5), WEST), doctrine={"flank": False})
    assert field.move(0) == Move(at.RUN, EAST, 6, charge=1, path=(EAST,) * 6)
    field = Field((0, "knight", (1, 5), EAST), (1, "man", (8, 5), WEST), doctrine={"flank": False, "charge": "never"})
    assert field.move(0).charge == 0


def test_nobody_charges_weapons_that_are_set_and_longer() -> None:
    field = Field((0, "knight", (1, 5), EAST), (1, "pike", (8, 5), WEST), doctrine={"flank": False})
    assert field.move(0).charge == 0


def test_a_line_for_a_charge_is_taken_up_without_a_detour() -> None:
    doctrine = {"charge": "always", "flank": False}
    field = Field((0, "knight", (1, 9), EAST), (1, "man", (9, 6), WEST), doctrine=doctrine, turn=1)
    move = field.move(0)
    assert move.charge == 0
    assert len(move.path) + distance(field.end(0, move), field.board.units[1].hex) <= 11
    field.make(0, move)
    field.state.turn = 2
    assert field.move(0).charge == 1


def test_poor_odds_keep_a_unit_out_of_contact() -> None:
    field = Field((0, "man", (5, 8), NORTH_WEST), (1, "ogre", (5, 4), SOUTH_EAST), doctrine={"min_odds": 1.0})
    move = field.move(0)
    assert distance(field.end(0, move), field.board.units[1].hex) > 1


def test_who_holds_stays_and_faces_the_enemy() -> None:
    hold = {"foot": "hold", "reach": 3}
    assert Field((0, "man", (5, 9), EAST), (1, "man", (5, 2), EAST), doctrine=hold).move(0).what == at.STAY
    assert Field((0, "man", (5, 9), EAST), (1, "man", (5, 2), EAST), doctrine=hold).move(0).to_front in (1, 2)
    near = Field((0, "man", (5, 5), EAST), (1, "man", (8, 5), EAST), doctrine=hold)
    assert near.move(0).what in (at.WALK, at.RUN)
    late = Field((0, "man", (5, 9), EAST), (1, "man", (5, 2), EAST), doctrine=hold | {"patience": 3}, turn=4)
    assert late.move(0).what in (at.WALK, at.RUN)


def test_who_holds_helps_a_friend_in_contact() -> None:
    units = (0, "man", (5, 9), EAST), (0, "man", (5, 4), EAST), (1, "man", (6, 4), WEST)
    assert Field(*units, doctrine={"foot": "hold", "reach": 1}).move(0).what in (at.WALK, at.RUN)
    assert Field(*units, doctrine={"foot": "hold", "reach": 1, "support": False}).move(0).what == at.STAY


def test_shooters_come_into_range_and_no_nearer() -> None:
    field = Field((0, "bow", (0, 5), EAST), (1, "man", (11, 5), WEST), doctrine={"close_in": "short"})
    move = field.move(0)
    assert move.what == at.WALK
    assert distance(field.end(0, move), field.board.units[1].hex) >= 5
    field.board.units[0].hex = (field.board.units[1].hex[0] - 5, 5)
    assert field.move(0) == Move(at.STAY, EAST)


def test_shooters_keep_away() -> None:
    field = Field((0, "bow", (6, 5), EAST), (1, "man", (9, 5), WEST), doctrine={"keep_away": 6})
    move = field.move(0)
    assert distance(field.end(0, move), field.board.units[1].hex) > 3
    field.make(0, move)
    assert field.board.units[0].front == EAST


def test_who_loses_steps_back_or_flees() -> None:
    units = (0, "bow", (5, 5), EAST), (1, "ogre", (6, 5), WEST)
    assert Field(*units).move(0).what == at.STAY
    assert Field(*units, doctrine={"step_back_below": 1.0}).move(0) == Move(at.STEP_BACK, EAST, 1, path=(WEST,))
    assert Field(*units, doctrine={"flee_below": 1.0}).move(0).what == at.FLEE


def test_a_unit_follows_into_the_hex_that_its_enemy_left() -> None:
    field = Field((0, "man", (5, 5), EAST), (1, "man", (7, 5), WEST))
    unit = field.board.units[0]
    unit.engaged = 1
    field.state.vacated = 1
    field.state.left_by[0] = 1, *unit.ahead
    assert field.move(0) == Move(at.ADVANCE, EAST, 1, path=(EAST,))
    assert Field((0, "man", (5, 5), EAST), (1, "man", (7, 5), WEST), doctrine={"pursue": False}).move(0).what != (
        at.ADVANCE
    )


def test_a_surrounded_unit_divides_if_its_doctrine_says_so() -> None:
    units = (0, "man", (5, 5), EAST), (1, "man", (6, 5), WEST), (1, "man", (4, 5), EAST)
    assert Field(*units, doctrine={"split": True}).move(0) == Move(at.SPLIT, WEST)
    assert Field(*units).move(0).what == at.STAY
    assert Field(*units, men=60, doctrine={"split": True}).move(0).what == at.STAY


def test_weak_units_join() -> None:
    units = (0, "man", (5, 9), EAST), (0, "man", (7, 9), EAST), (1, "man", (0, 0), WEST)
    assert Field(*units, men=40, doctrine={"merge_below": 50}).move(0).merge == 1
    assert Field(*units, men=50, doctrine={"merge_below": 50}).move(0).merge == -1


def test_nobody_walks_away_from_the_foot() -> None:
    field = Field((0, "man", (0, 9), EAST), (0, "knight", (1, 8), EAST), (1, "man", (11, 0), WEST), men=400)
    middle = field.board.units[2].hex
    field.doctrine = pack(compile_doctrine({"horse": "with_foot", "together": 1, "min_odds": 50.0}), DOCTRINE)
    ahead = field.end(1, field.move(1))
    assert distance(ahead, middle) >= distance(field.board.units[0].hex, middle) - 3 - 1


# ------------------------------------------------------------------------------------------------ shots and the rest


def test_everybody_shoots_who_can() -> None:
    field = Field((0, "bow", (0, 5), EAST), (1, "man", (11, 5), WEST), (0, "man", (0, 0), EAST))
    assert field.shoot(0) == 2  # units of the second side come last
    assert field.board.units[2].side == 1


def test_a_shot_into_a_melee_has_its_price() -> None:
    units = (0, "bow", (0, 5), EAST), (0, "man", (5, 5), EAST), (1, "man", (6, 5), WEST)
    assert Field(*units, doctrine={"friend_weight": 0.0}).shoot(0) == 2
    assert Field(*units, doctrine={"friend_weight": 2.0}).shoot(0) == -1


@pytest.mark.parametrize(("target", "chosen"), [("nearest", 1), ("easiest", 2), ("strongest", 3)])
def test_whom_a_shooter_prefers(target: str, chosen: int) -> None:
    units = (0, "bow", (0, 5), EAST), (1, "pike", (3, 5), WEST), (1, "bow", (4, 4), WEST), (1, "ogre", (4, 6), WEST)
    field = Field(*units, doctrine={"target": target})
    field.board.units[1].men = 150
    assert field.shoot(0) == chosen


def test_a_spell_falls_on_who_is_worth_most() -> None:
    field = Field((0, "man", (0, 5), EAST), (1, "man", (3, 5), WEST), (1, "ogre", (4, 5), WEST))
    field.state.spells = 1
    field.state.spell[0] = 0, 1, 4, 50
    assert orders.cast(field.state, field.play, field.doctrine, field.plan, 0, 0) == 2
    field.state.spell[0, at.REACH] = 3
    assert orders.cast(field.state, field.play, field.doctrine, field.plan, 0, 0) == 1
    field.state.spell[0, at.REACH] = 2
    assert orders.cast(field.state, field.play, field.doctrine, field.plan, 0, 0) == -1


def test_the_strongest_strikes_who_flees() -> None:
    field = Field((0, "man", (5, 5), EAST), (1, "man", (6, 5), WEST), (1, "ogre", (4, 5), EAST))
    field.plan.list[:2], field.plan.listed = (1, 2), 2
    assert orders.free_attacker(field.state, field.play, field.doctrine, field.plan, 0) == 2


@pytest.mark.parametrize(
    ("delay", "foot", "waits"),
    [("never", "hold", 0), ("who_stand", "hold", 1), ("always", "advance", 1), ("who_stand", "advance", 0)],
)
def test_who_waits(delay: str, foot: str, waits: int) -> None:
    field = Field((0, "man", (5, 5), EAST), (1, "man", (0, 0), WEST), doctrine={"delay": delay, "foot": foot})
    asked = field.state, field.play, field.doctrine, field.plan, 0
    assert orders.delay(*asked) == orders.delay_side(*asked) == waits


def test_a_unit_that_waits_meets_an_enemy_on_his_way_to_a_friend() -> None:
    field = Field(
        *((0, "man", (0, 5), EAST), (1, "man", (8, 5), WEST), (1, "knight", (6, 8), NORTH_WEST)),
        doctrine={"flank": False, "run": "always", "min_odds": 0.0},
    )
    move = field.move(0)
    assert move.what == at.RUN
    asked = field.state, field.play, field.doctrine, field.plan, field.reply, 2, 0
    assert orders.intercept(*asked) == 1
    reply = Move.of(field.reply)
    field.judge.judge_interception(field.board.units[2], reply, field.board.units[0], move)
    field.doctrine.intercept = 0
    assert orders.intercept(*asked) == 0


# ------------------------------------------------------------------------------------------------ fairness


@settings(max_examples=100)
@given(field=fields())
def test_a_board_turned_round_is_played_the_same(field: Field) -> None:
    """Rows are even, so turning the board by half a circle maps hexes to hexes; units keep their order."""
    moves = [field.move(unit.index) if unit.is_ordered else None for unit in field.board.units]
    for unit in field.board.units:
        column, row = COLUMNS - 1 - (unit.hex[0] + unit.hex[1] // 2), ROWS - 1 - unit.hex[1]
        unit.hex, unit.front = (column - row // 2, row), (unit.front + 3) % 6
    for k in range(field.state.vacated):
        side, q, r = field.state.left_by[k].tolist()
        column, row = COLUMNS - 1 - (q + r // 2), ROWS - 1 - r
        field.state.left_by[k] = side, column - row // 2, row
    for unit, move in zip(field.board.units, moves, strict=True):
        if move is not None:
            turned = move._replace(to_front=(move.to_front + 3) % 6, path=tuple((d + 3) % 6 for d in move.path))
            assert field.move(unit.index) == turned


def test_directions_are_those_of_the_layout() -> None:
    assert FRONTS.index("south_west") == SOUTH_WEST
    assert np.array_equal(at.STEP_Q[[NORTH_EAST, SOUTH_EAST]], [1, 0])
