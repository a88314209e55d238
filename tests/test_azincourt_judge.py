"""What is legal, rule by rule: hand-made boards for each rule and reading, brute force for paths, shots and fights."""

from __future__ import annotations

import math
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from tests.azincourt_boards import any_rules, board, boards, rules_with
from wargamesim.errors import IllegalAction
from wargamesim.games.azincourt import judge
from wargamesim.games.azincourt.judge import (
    Action,
    Field,
    judge_action,
    judge_division,
    legal_cannon_squares,
    legal_destinations,
    legal_targets,
    most_fights,
)
from wargamesim.games.azincourt.layout import (
    ALIVE,
    CASTLE,
    COL,
    FACING,
    HOUSE,
    KIND,
    MOUNTAIN,
    MUD,
    ROAD,
    ROW,
    SIDE,
    STAKE,
    WOOD,
    State,
)
from wargamesim.games.azincourt.orders import DISMOUNT, FIRE, MOVE, PLANT, SHOOT, STAY
from wargamesim.games.azincourt.rules import CANNON, KNIGHT, Rules
from wargamesim.games.azincourt.state import has

NORTH, NORTH_EAST, EAST, SOUTH_EAST, SOUTH, SOUTH_WEST, WEST, NORTH_WEST = range(8)


def act(what: int, piece: int = 0, **fields: int) -> Action:
    """An action with -1 where nothing is said."""
    return Action(**{**dict.fromkeys(Action._fields, -1), "what": what, "piece": piece, **fields})


def verdict(state: State, rules: Rules, action: Action, mud: int = 0) -> str | None:
    """The rule that forbids the action, or None."""
    try:
        judge_action(Field(state), rules, mud, action)
    except IllegalAction as error:
        return error.rule
    return None


def columns(state: State, rules: Rules, mud: int = 0, piece: int = 0) -> list[int]:
    """Where a piece may go on a board of one row."""
    return sorted(col for _, col in legal_destinations(state, rules, piece, mud))


# Movement


def test_speed_and_steps_in_eight_directions() -> None:
    state = board("....... ....... ....... ...I... ....... ....... .......")
    square = {(row, col) for row in range(1, 6) for col in range(1, 6)} - {(3, 3)}
    assert legal_destinations(state, rules_with(), 0, 5) == square


@pytest.mark.parametrize(
    ("mud", "slowest", "furthest"), [(0, 1, 6), (4, 1, 2), (5, 1, 1), (6, 1, 1), (6, 0, 0), (9, 2, 2), (9, 8, 6)]
)
def test_mud_slows_the_mounted(mud: int, slowest: int, furthest: int) -> None:
    rules = rules_with({"mud.slowest": slowest})
    assert columns(board("K.........", "~........."), rules, mud) == list(range(1, furthest + 1))


def test_min0_lets_mud_hold_a_knight() -> None:
    assert columns(board("K..", "~.."), rules_with({"AZ-2.2": "min0"}), 6) == []
    assert columns(board("K..", "~.."), rules_with({"AZ-2.2": "min1"}), 6) == [1]


def test_mud_slows_nobody_on_foot() -> None:
    assert columns(board("F~~~~", "~...."), rules_with({"AZ-2.3": "any_square"}), 6) == [1, 2]


def test_mud_counts_where_the_move_starts() -> None:
    assert columns(board("K~~~~~~~~"), rules_with(), 4) == [1, 2, 3, 4, 5, 6]
    assert columns(board("K........", "~........"), rules_with(), 4) == [1, 2]


def test_mud_counts_on_any_square_of_the_path() -> None:
    rules = rules_with({"AZ-2.3": "any_square"})
    assert columns(board("K..~....."), rules, 3) == [1, 2, 3]
    assert columns(board("K........", "~........"), rules, 3) == [1, 2, 3]
    assert columns(board("K.~......"), rules, 5) == [1]
    # A way around the mud is a path without mud.
    assert (0, 6) in legal_destinations(board("K..~... ......."), rules, 0, 5)


def test_the_road_bonus_needs_two_road_squares_entered() -> None:
    rules = rules_with()
    assert columns(board("I==.."), rules) == [1, 2, 3]
    assert columns(board("I.==."), rules) == [1, 2, 3]
    assert columns(board("I=.=."), rules) == [1, 2, 3]
    assert columns(board("I=...", "=...."), rules) == [1, 2]
    assert columns(board("I..=="), rules) == [1, 2]


def test_the_road_numbers_are_data() -> None:
    assert columns(board("I=....."), rules_with({"terrain.road.squares": 1, "terrain.road.bonus": 3})) == [
        1,
        2,
        3,
        4,
        5,
    ]
    assert columns(board("I======"), rules_with({"terrain.road.squares": 3})) == [1, 2, 3]
    assert columns(board("I======"), rules_with({"terrain.road.squares": 4})) == [1, 2]
    assert columns(board("I......"), rules_with(road_squares=0)) == [1, 2, 3]


def test_the_road_counts_on_the_way_round() -> None:
    """The straight path is short but has no road; the longer one earns the bonus that it needs."""
    state = board("I.... .==..")
    assert (0, 3) in legal_destinations(state, rules_with(), 0, 0)
    assert (0, 3) not in legal_destinations(state, rules_with({"terrain.road.bonus": 0}), 0, 0)
    assert (0, 3) not in legal_destinations(board("I.... .=..."), rules_with(), 0, 0)


def test_climbing_costs_speed_once() -> None:
    rules = rules_with({"pieces.infantry.speed": 3})
    assert columns(board("I^^^.."), rules) == [1, 2]
    assert columns(board("I.^..."), rules) == [1, 2]
    assert columns(board("I^.^.."), rules) == [1, 2]
    assert columns(board("I^^^..", "^....."), rules) == [1, 2, 3]
    assert columns(board("I.^...", "^....."), rules) == [1, 2]
    assert columns(board("C^"), rules_with()) == []
    assert columns(board("I^==."), rules) == [1, 2, 3]


def test_woods_and_stakes_are_closed_to_all() -> None:
    for obstacle in "#|":
        assert columns(board(f"K.{obstacle}.."), rules_with()) == [1]
        assert columns(board(f"A.{obstacle}.."), rules_with()) == [1]


def test_houses_and_castle_are_closed_to_the_mounted() -> None:
    for shelter in "h@":
        assert columns(board(f"K.{shelter}.."), rules_with()) == [1]
        assert columns(board(f"F{shelter}..."), rules_with()) == [1, 2]


def test_nobody_passes_through_a_piece() -> None:
    assert columns(board("K.a.."), rules_with()) == [1]
    assert columns(board("K.A.."), rules_with()) == [1]


def test_a_diagonal_step_between_two_obstacles_is_open() -> None:
    assert legal_destinations(board("I# |."), rules_with(), 0, 0) == {(1, 1)}


def test_contact_locks_only_in_that_reading() -> None:
    state = board("I.... .a...")
    assert legal_destinations(state, rules_with(), 0, 0)
    assert legal_destinations(state, rules_with({"AZ-3.8": "locked"}), 0, 0) == set()
    assert columns(board("I.a.."), rules_with({"AZ-3.8": "locked"})) == [1]


def walks(state: State, rules: Rules, piece: int, mud: int) -> set[tuple[int, int]]:
    """Try every walk, one after the other, and hold each against the definition."""
    pieces = state.pieces
    mounted = pieces[KIND, piece] == KNIGHT
    start = (int(pieces[ROW, piece]), int(pieces[COL, piece]))
    printed = int(rules.speed[pieces[KIND, piece]])
    rows, cols = state.height, state.width
    ends = set()

    def is_open(row: int, col: int) -> bool:
        closed = has(state, WOOD, row, col) or has(state, STAKE, row, col) or state.at[row, col] >= 0
        return not closed and not (mounted and (has(state, HOUSE, row, col) or has(state, CASTLE, row, col)))

    def speed(walk: list[tuple[int, int]]) -> int:
        muddy = [has(state, MUD, *square) for square in walk]
        slowed = mounted and (any(muddy) if rules.mud_any_square else muddy[0])
        allowed = max(printed - mud, min(printed, rules.mud_slowest)) if slowed else printed
        if sum(has(state, ROAD, *square) for square in walk[1:]) >= rules.road_squares:
            allowed += rules.road_bonus
        heights = [has(state, MOUNTAIN, *square) for square in walk]
        return allowed - (rules.climb if (False, True) in pairwise(heights) else 0)

    def go(walk: list[tuple[int, int]]) -> None:
        if len(walk) > 1 and len(walk) - 1 <= speed(walk):
            ends.add(walk[-1])
        if len(walk) <= printed + rules.road_bonus:
            for row, col in product(*(range(here - 1, here + 2) for here in walk[-1])):
                if 0 <= row < rows and 0 <= col < cols and is_open(row, col):
                    go([*walk, (row, col)])

    go([start])
    return ends


@settings(max_examples=100, deadline=None)
@given(boards(rows=(1, 4), cols=(1, 5)), any_rules(), st.integers(0, 3), st.data())
def test_destinations_are_the_ends_of_all_legal_walks(
    state: State, rules: Rules, mud: int, data: st.DataObject
) -> None:
    rules = rules._replace(speed=np.minimum(rules.speed, 3), road_bonus=min(rules.road_bonus, 1), locked=0)
    piece = data.draw(st.integers(0, state.count - 1))
    expected = walks(state, rules, piece, mud)
    assert legal_destinations(state, rules, piece, mud) == expected
    for row, col in product(range(state.height), range(state.width)):
        if (row, col) != (state.pieces[ROW, piece], state.pieces[COL, piece]):
            move = act(MOVE, piece, row=row, col=col, facing=0)
            assert (verdict(state, rules, move, mud) is None) == ((row, col) in expected)


@pytest.mark.parametrize(
    ("picture", "ground", "goal", "rule"),
    [
        ("I....", ".....", (0, 2), None),
        ("I....", ".....", (0, 3), "AZ-3.1"),
        ("I....", ".....", (0, 0), "AZ-1.6"),
        ("I....", ".....", (0, -1), "AZ-1.1"),
        ("I....", ".....", (1, 0), "AZ-1.1"),
        ("Ia...", ".....", (0, 1), "AZ-1.6"),
        ("IA...", ".....", (0, 1), "AZ-1.6"),
        ("I#...", ".....", (0, 1), "AZ-3.4"),
        ("I|...", ".....", (0, 1), "AZ-3.6"),
        ("Kh...", ".....", (0, 1), "AZ-3.5"),
        ("K@...", ".....", (0, 1), "AZ-3.5"),
        ("I.#..", ".....", (0, 3), "AZ-3.1"),
    ],
)
def test_a_wrong_move_names_its_rule(picture: str, ground: str, goal: tuple[int, int], rule: str | None) -> None:
    move = act(MOVE, row=goal[0], col=goal[1])
    assert verdict(board(picture, ground), rules_with(), move) == rule


def test_a_locked_piece_may_do_all_but_move() -> None:
    rules = rules_with({"AZ-3.8": "locked"})
    state = board("A.. k.. ...")
    assert verdict(state, rules, act(MOVE, row=0, col=1)) == "AZ-3.8"
    assert verdict(state, rules, act(STAY)) is None
    assert verdict(state, rules, act(SHOOT, row=1, col=0)) is None
    assert verdict(state, rules, act(PLANT, stake_row=0, stake_col=1)) is None
    assert verdict(state, rules, act(DISMOUNT, piece=1)) is None
    cannon = board("C. .k")
    assert verdict(cannon, rules, act(MOVE, row=0, col=0, facing=SOUTH_EAST)) == "AZ-3.8"
    assert verdict(cannon, rules_with(), act(MOVE, row=0, col=0, facing=SOUTH_EAST)) is None


def test_a_cannon_turns_in_place_or_moves_with_any_facing() -> None:
    state = board("C...")
    for facing in range(8):
        assert verdict(state, rules_with(), act(MOVE, row=0, col=0, facing=facing)) is None
        assert verdict(state, rules_with(), act(MOVE, row=0, col=1, facing=facing)) is None
    assert verdict(state, rules_with(), act(MOVE, row=0, col=2, facing=0)) == "AZ-3.1"
    assert verdict(state, rules_with(), act(MOVE, row=0, col=0)) == "AZ-5.5"
    assert verdict(state, rules_with(), act(MOVE, row=0, col=1, facing=8)) == "AZ-5.5"


# Stakes, dismounting, actions that do not exist


@pytest.mark.parametrize(
    ("stake", "adjacent", "front"),
    [
        ((1, 2), None, None),
        ((1, 1), None, "AZ-3.7"),
        ((3, 2), None, "AZ-3.7"),
        ((2, 2), "AZ-3.7", "AZ-3.7"),
        ((0, 2), "AZ-3.7", "AZ-3.7"),
        ((1, 3), "AZ-3.7", "AZ-3.7"),  # a friend
        ((2, 1), "AZ-3.7", "AZ-3.7"),  # a wood
        ((2, 3), "AZ-3.7", "AZ-3.7"),  # a stake
        ((3, 1), None, "AZ-3.7"),  # a house
        ((5, 2), "AZ-1.1", "AZ-1.1"),
        ((-1, 2), "AZ-1.1", "AZ-1.1"),
    ],
)
def test_where_a_stake_may_stand(stake: tuple[int, int], adjacent: str | None, front: str | None) -> None:
    state = board("..... ...I. .#A|. .h... .....")
    for reading, rule in (("adjacent", adjacent), ("front", front)):
        action = act(PLANT, piece=1, stake_row=stake[0], stake_col=stake[1])
        assert verdict(state, rules_with({"AZ-3.7": reading}), action) == rule


def test_the_french_front_is_south() -> None:
    rules = rules_with({"AZ-3.7": "front"}, stakes=np.ones(6, np.int64))
    state = board("... .a. ... I..")
    assert verdict(state, rules, act(PLANT, piece=1, stake_row=2, stake_col=1)) is None
    assert verdict(state, rules, act(PLANT, piece=1, stake_row=0, stake_col=1)) == "AZ-3.7"


def test_only_who_carries_a_stake_plants_one() -> None:
    for picture in ("X..", "I..", "K.."):
        assert verdict(board(picture), rules_with(), act(PLANT, stake_row=0, stake_col=1)) == "AZ-2.6"


def test_planting_at_the_end_of_a_move() -> None:
    state, rules = board("A....", "....."), rules_with()

    def move(col: int, stake: int) -> Action:
        return act(MOVE, row=0, col=col, stake_row=0, stake_col=stake)

    assert verdict(state, rules, move(2, 3)) is None
    assert verdict(state, rules, move(1, 0)) is None  # the square that it left is free
    assert verdict(state, rules, move(2, 0)) == "AZ-3.7"
    assert verdict(state, rules, move(2, 2)) == "AZ-3.7"
    whole = rules_with({"AZ-3.9": "whole_action"})
    assert verdict(state, whole, move(2, 3)) == "AZ-3.9"
    assert verdict(state, whole, act(MOVE, row=0, col=2)) is None
    assert verdict(state, whole, act(PLANT, stake_row=0, stake_col=1)) is None


def test_dismounting_needs_a_horse_and_a_version_on_foot() -> None:
    assert verdict(board("K"), rules_with(), act(DISMOUNT)) is None
    assert verdict(board("N"), rules_with(), act(DISMOUNT)) == "AZ-2.6"
    assert verdict(board("F"), rules_with(), act(DISMOUNT)) == "AZ-2.6"


def test_unknown_actions() -> None:
    assert verdict(board("K"), rules_with(), act(STAY)) is None
    assert verdict(board("K"), rules_with(), act(6)) == "AZ-2.6"
    assert verdict(board("K"), rules_with(), act(-1)) == "AZ-2.6"


# Arrows


@pytest.mark.parametrize(("shooter", "reach"), [("A", 6), ("X", 4), ("F", 0), ("K", 0), ("C", 0)])
def test_range_of_arrows(shooter: str, reach: int) -> None:
    for away in range(1, 9):
        state = board(f"{shooter}{'.' * (away - 1)}k")
        assert legal_targets(state, rules_with(), 0) == ({1} if away <= reach else set())
    assert verdict(board("A......k"), rules_with(), act(SHOOT, row=0, col=7)) == "AZ-4.1"
    assert verdict(board("F.k"), rules_with(), act(SHOOT, row=0, col=2)) == "AZ-4.2"


def test_a_shot_needs_an_enemy() -> None:
    state = board("A.I", "..."), rules_with()
    assert verdict(*state, act(SHOOT, row=0, col=2)) == "AZ-4.2"
    assert verdict(*state, act(SHOOT, row=0, col=1)) == "AZ-4.2"
    assert verdict(*state, act(SHOOT, row=0, col=3)) == "AZ-4.2"
    assert verdict(*state, act(SHOOT, row=-1, col=-1)) == "AZ-4.2"


def test_the_removed_are_no_targets() -> None:
    state = board("A.k")
    state.pieces[ALIVE, 1], state.at[0, 2] = 0, -1
    assert legal_targets(state, rules_with(), 0) == set()


def test_cover_by_friend_and_enemy() -> None:
    for cover in "Ii":
        assert legal_targets(board(f"A.{cover}.k"), rules_with(), 0) == ({1} if cover == "i" else set())
    beside = board("A.I.k .....")
    assert legal_targets(beside, rules_with(), 0) == {2}  # around, still a shortest path
    assert legal_targets(beside, rules_with({"AZ-4.6": "straight"}), 0) == set()
    # A diagonal is the only shortest path between its ends.
    assert legal_targets(board("A.. .I. ..k"), rules_with(), 0) == set()


def test_the_straight_line_rounds_halves_away_from_the_shooter() -> None:
    straight = rules_with({"AZ-4.6": "straight"})
    assert legal_targets(board("AI. ..k"), straight, 0) == {2}  # (0, 0) -> (1, 1) -> (1, 2)
    assert legal_targets(board("A.. .Ik"), straight, 0) == set()
    assert legal_targets(board("k.. .IA"), straight, 1) == {2}  # the way back is another line
    assert legal_targets(board("kI. ..A"), straight, 1) == set()


def test_what_stops_an_arrow() -> None:
    for obstacle, stops in {
        "^": ("woods", "neither", "stakes", "both"),
        "#": ("woods", "both"),
        "|": ("stakes", "both"),
        "h": (),
        "@": (),
    }.items():
        for reading in ("woods", "neither", "stakes", "both"):
            rules = rules_with({"AZ-4.10": reading})
            blocked = reading in stops
            assert legal_targets(board(f"A.{obstacle}.k"), rules, 0) == (set() if blocked else {1})
            assert legal_targets(board(f"a.{obstacle}.K"), rules, 1) == (set() if blocked else {0})
            assert verdict(board(f"A.{obstacle}.k"), rules, act(SHOOT, row=0, col=4)) == ("AZ-4.6" if blocked else None)


def test_the_ends_of_a_shot_do_not_stop_it() -> None:
    assert legal_targets(board("A..k", "^..^"), rules_with(), 0) == {1}
    assert legal_targets(board("A..f", "h..h"), rules_with(), 0) == {1}


def test_the_castle_is_safe_from_arrows() -> None:
    state = board("A..f", "...@")
    assert legal_targets(state, rules_with(), 0) == set()
    assert verdict(state, rules_with(), act(SHOOT, row=0, col=3)) == "AZ-4.8"
    assert legal_targets(board("A..f", "@..."), rules_with(), 0) == {1}


def test_a_cannon_as_target() -> None:
    assert legal_targets(board("A..c"), rules_with(), 0) == {1}
    immune = rules_with({"AZ-4.9": "immune"})
    assert legal_targets(board("A..c"), immune, 0) == set()
    assert verdict(board("A..c"), immune, act(SHOOT, row=0, col=3)) == "AZ-4.9"


def has_free_path(state: State, rules: Rules, shooter: int, target: int) -> bool:
    """Try all shortest king paths, one after the other."""
    start, end = (np.array([state.pieces[ROW, piece], state.pieces[COL, piece]], int) for piece in (shooter, target))
    away = abs(end - start).max()
    steps = [np.array(step) for step in product((-1, 0, 1), repeat=2) if step != (0, 0)]

    def is_free(row: int, col: int) -> bool:
        if not (0 <= row < state.height and 0 <= col < state.width):
            return False
        opaque = has(state, MOUNTAIN, row, col) or (rules.woods_block and has(state, WOOD, row, col))
        return not opaque and not (rules.stakes_block and has(state, STAKE, row, col)) and state.at[row, col] < 0

    for path in product(steps, repeat=away):
        if (sum(path) == end - start).all():
            squares = [start + sum(path[:count]) for count in range(1, away)]
            if all(is_free(int(row), int(col)) for row, col in squares):
                return True
    return False


@settings(max_examples=60, deadline=None)
@given(boards(rows=(1, 4), cols=(2, 5)), any_rules())
def test_targets_have_a_free_shortest_path(state: State, rules: Rules) -> None:
    rules = rules._replace(straight=0, reach=np.minimum(rules.reach, 4))
    shooters = [piece for piece in range(state.count) if rules.reach[state.pieces[KIND, piece]]]
    for piece in [piece for piece in shooters if state.pieces[KIND, piece] != CANNON][:2]:
        for target in range(state.count):
            square = state.pieces[ROW, target], state.pieces[COL, target]
            away = max(abs(state.pieces[ROW, piece] - square[0]), abs(state.pieces[COL, piece] - square[1]))
            expected = (
                state.pieces[SIDE, target] != state.pieces[SIDE, piece]
                and away <= rules.reach[state.pieces[KIND, piece]]
                and not has(state, CASTLE, *square)
                and not (rules.cannon_immune and state.pieces[KIND, target] == CANNON)
                and has_free_path(state, rules, piece, target)
            )
            assert (target in legal_targets(state, rules, piece)) == expected
            shot = act(SHOOT, piece, row=int(square[0]), col=int(square[1]))
            assert (verdict(state, rules, shot) is None) == expected


# Cannon


@pytest.mark.parametrize("facing", range(8))
def test_axis_names_the_ray_of_the_facing(facing: int) -> None:
    state = board(" ".join(["....."] * 2 + ["..C.."] + ["....."] * 2), facing={0: facing})
    row, col = judge.FACINGS[facing]
    assert legal_cannon_squares(state, rules_with(), 0) == {(2 + row, 2 + col), (2 + 2 * row, 2 + 2 * col)}


def test_range_and_dice_of_a_cannon() -> None:
    state = board("C" + "." * 15, facing={0: EAST})
    assert legal_cannon_squares(state, rules_with(), 0) == {(0, col) for col in range(1, 13)}
    assert verdict(state, rules_with(), act(FIRE, row=0, col=12, dice=2)) is None
    assert verdict(state, rules_with(), act(FIRE, row=0, col=13, dice=2)) == "AZ-5.1"
    assert verdict(state, rules_with(), act(FIRE, row=0, col=0, dice=2)) == "AZ-5.1"
    assert verdict(state, rules_with(), act(FIRE, row=0, col=16, dice=2)) == "AZ-1.1"
    for dice, rule in ((0, "AZ-5.1"), (1, None), (2, None), (3, "AZ-5.1")):
        assert verdict(state, rules_with(), act(FIRE, row=0, col=5, dice=dice)) == rule
    assert verdict(board("C..", facing={0: WEST}), rules_with(), act(FIRE, row=0, col=1, dice=1)) == "AZ-5.7"
    assert verdict(board("A.."), rules_with(), act(FIRE, row=0, col=1, dice=1)) == "AZ-5.1"
    assert legal_cannon_squares(board("A.."), rules_with(), 0) == set()


def test_a_mountain_does_not_stop_a_cannon() -> None:
    assert (0, 4) in legal_cannon_squares(board("C^#i^", facing={0: EAST}), rules_with(), 0)


def test_sector_is_as_wide_as_the_half_angle() -> None:
    state = board(" ".join(["......."] * 6 + ["...C..."]))
    sector = {"AZ-5.7": "sector"}
    assert legal_cannon_squares(state, rules_with({**sector, "cannon.sector_half_angle": 0.0}), 0) == {
        (row, 3) for row in range(6)
    }
    narrow = legal_cannon_squares(state, rules_with(sector), 0)  # tan 22.5 degrees = 0.414
    assert narrow == {(6 - up, 3 + side) for up in range(1, 7) for side in range(-3, 4) if abs(side) <= up * 0.414}
    wide = legal_cannon_squares(state, rules_with({**sector, "cannon.sector_half_angle": 45.0}), 0)
    assert wide == {(6 - up, 3 + side) for up in range(1, 7) for side in range(-3, 4) if abs(side) <= up}
    right = legal_cannon_squares(state, rules_with({**sector, "cannon.sector_half_angle": 90.0}), 0)
    assert right == {(row, col) for row in range(7) for col in range(7)} - {(6, 3)}


@given(boards(rows=(1, 7), cols=(1, 7)), any_rules())
@settings(max_examples=60, deadline=None)
def test_named_squares_lie_before_the_muzzle(state: State, rules: Rules) -> None:
    for piece in np.flatnonzero(state.pieces[KIND, : state.count] == CANNON)[:2]:
        here = state.pieces[ROW, piece], state.pieces[COL, piece]
        muzzle = np.array(judge.FACINGS[state.pieces[FACING, piece]])
        expected = set()
        for row, col in product(range(state.height), range(state.width)):
            vector = np.array((row - here[0], col - here[1]))
            away = abs(vector).max()
            if 1 <= away <= rules.reach[CANNON]:
                cosine = vector @ muzzle / np.linalg.norm(vector) / np.linalg.norm(muzzle)
                angle = math.degrees(math.acos(min(1.0, max(-1.0, cosine))))
                if angle <= (rules.half_angle if rules.sector else 0.0) + 1e-5:
                    expected.add((row, col))
        assert legal_cannon_squares(state, rules, int(piece)) == expected


# Division of fights


def divide(state: State, fight_of: str, side: int = 0) -> list[tuple[list[int], list[int]]] | str:
    """Judge a division written as one digit a piece, - for none; return the fights or the rule that forbids it."""
    numbers = [-1 if letter == "-" else int(letter) for letter in fight_of]
    try:
        return judge_division(Field(state), side, numbers, max(numbers) + 1)
    except IllegalAction as error:
        return error.rule


def test_no_contact_no_fight() -> None:
    assert divide(board("A.k"), "--") == []
    assert divide(board("A.k"), "0-") == "AZ-6.1"
    assert divide(board("A.k"), "00") == "AZ-6.1"


def test_contact_is_straight_or_diagonal_and_forces_a_fight() -> None:
    for picture in ("Ak", "A. .k", "A k"):
        assert divide(board(picture), "00") == [([0], [1])]
        assert divide(board(picture), "00", side=1) == [([1], [0])]
        assert divide(board(picture), "--") == "AZ-6.1"
        assert divide(board(picture), "0-") == "AZ-6.1"


def test_friends_do_not_fight() -> None:
    assert divide(board("AK.k"), "---") == []
    assert divide(board("AKk"), "-00") == [([1], [2])]
    assert divide(board("AKk"), "000") == "AZ-6.1"


def test_a_group_fights_one_enemy_with_one_die() -> None:
    state = board("AkA .A.")
    assert divide(state, "0000") == [([0, 1, 2], [3])]
    assert divide(state, "0101") == "AZ-6.5"
    assert divide(state, "0-00") == "AZ-6.1"


def test_a_group_must_touch_its_enemy() -> None:
    assert divide(board("AkAk"), "0101") == [([0], [2]), ([1], [3])]
    assert divide(board("AkAk"), "0110") == "AZ-6.4"  # 0 against 3 are apart


def test_no_fight_of_many_against_many() -> None:
    assert divide(board("AA kk"), "0000") == "AZ-6.5"
    assert divide(board("AA kk"), "0101") == [([0], [2]), ([1], [3])]
    assert divide(board("AA kk"), "0110") == [([0], [3]), ([1], [2])]


def test_as_many_fights_as_the_smaller_side_has_pieces() -> None:
    state = board("AAA .kk")
    assert most_fights(Field(state)) == 2
    assert divide(state, "00101") == [([0, 1], [3]), ([2], [4])]
    assert divide(state, "01101") == [([0], [3]), ([1, 2], [4])]
    chain = board("AkAkAk")
    assert most_fights(Field(chain)) == 3
    assert divide(chain, "012012") == [([0], [3]), ([1], [4]), ([2], [5])]
    assert divide(chain, "001011") == "AZ-6.5"  # a division into two fights


def test_where_positions_allow_fewer_fights() -> None:
    """Three pieces a side, but two of each side touch only the one enemy in the middle."""
    state = board("A..k .kA. A..k")
    assert most_fights(Field(state)) == 2
    assert divide(state, "010101") == [([0, 2], [4]), ([1], [3, 5])]
    assert divide(state, "010201") == "AZ-6.5"


def test_the_first_pair_found_may_have_to_part() -> None:
    """The first archer's first neighbour is the only one of the second archer."""
    state = board(".k. A.A k..")
    assert most_fights(Field(state)) == 2
    assert divide(state, "0110") == [([0], [3]), ([1], [2])]
    assert divide(state, "0000") == "AZ-6.5"


def test_two_contacts_apart_are_two_fights() -> None:
    state = board("Ak...Ak")
    assert divide(state, "0101") == [([0], [2]), ([1], [3])]
    assert divide(state, "0000") == "AZ-6.5"
    assert divide(state, "1010") == [([1], [3]), ([0], [2])]


def test_empty_fights_do_not_count() -> None:
    with pytest.raises(IllegalAction, match=r"AZ-6\.5"):
        judge_division(Field(board("Ak")), 0, [0, 0], 2)
    with pytest.raises(IllegalAction, match=r"AZ-6\.1"):
        judge_division(Field(board("Ak")), 0, [0, 2], 2)


@given(boards())
@settings(max_examples=100, deadline=None)
def test_most_fights_is_scipys_maximum_matching(state: State) -> None:
    rows, cols, sides = (state.pieces[field, : state.count].astype(int) for field in (ROW, COL, SIDE))
    near = np.maximum(abs(rows[:, None] - rows), abs(cols[:, None] - cols)) == 1
    english = sides == 0
    graph = csr_array((near & english[:, None] & ~english).astype(np.int8))
    assert most_fights(Field(state)) == (maximum_bipartite_matching(graph, perm_type="column") >= 0).sum()
