"""The referee carries out the rules: scripted players and dice for each of them, then players who do anything legal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from tests.azincourt_boards import any_rules, board, boards, default_rulebook, rules_with
from wargamesim.dice.stream import face
from wargamesim.errors import IllegalAction
from wargamesim.games.azincourt import orders, referee
from wargamesim.games.azincourt.doctrine import compile_doctrine
from wargamesim.games.azincourt.judge import (
    Action,
    Field,
    judge_action,
    legal_cannon_squares,
    legal_destinations,
    legal_targets,
)
from wargamesim.games.azincourt.layout import (
    ALIVE,
    BY_ENGLISH,
    CASTLE,
    COL,
    DISMOUNTS,
    FACING,
    HOUSE,
    KIND,
    LOST,
    MUD_FACTOR,
    PLANTED,
    ROW,
    SIDE,
    STAKE,
    STAKES,
    UNHORSED,
    WOOD,
    State,
)
from wargamesim.games.azincourt.orders import DISMOUNT, FIRE, MOVE, PLANT, SHOOT, STAY
from wargamesim.games.azincourt.referee import Battle, Ending, draw, judge_battle
from wargamesim.games.azincourt.rules import (
    ARROW,
    CANNON,
    CANNON_SHOT,
    COIN,
    DRAW,
    ENGLISH,
    ENGLISH_WIN,
    FOOT_KNIGHT,
    FRENCH,
    FRENCH_WIN,
    INITIATIVE,
    KNIGHT,
    MELEE_ATTACK,
    MELEE_DEFENCE,
    NO_DECISION,
    Rules,
)
from wargamesim.games.azincourt.scenario import Setup, compile_setup, load_scenario
from wargamesim.games.azincourt.state import has
from wargamesim.games.registry import Event
from wargamesim.records import copy
from wargamesim.report.replay import replay_lines

Dice = Mapping[tuple[int, int, int, int], int]
EAST, SOUTH_EAST, SOUTH, WEST = 2, 3, 4, 6
FIRST_ENGLISH = {(0, ENGLISH, INITIATIVE, 0): 1, (0, FRENCH, INITIATIVE, 0): 2}
FIRST_FRENCH = {(0, ENGLISH, INITIATIVE, 0): 2, (0, FRENCH, INITIATIVE, 0): 1}


def act(what: int, piece: int = 0, **fields: int) -> Action:
    """An action with -1 where nothing is said."""
    return Action(**{**dict.fromkeys(Action._fields, -1), "what": what, "piece": piece, **fields})


def some_division(state: State) -> tuple[list[int], int]:
    """Divide the contacts in one legal way: a maximum matching, everybody else joins a neighbour's fight."""
    count = int(state.count)
    rows, cols, sides, alive = (state.pieces[field, :count].astype(int) for field in (ROW, COL, SIDE, ALIVE))
    near = np.maximum(abs(rows[:, None] - rows), abs(cols[:, None] - cols)) == 1
    near &= (sides[:, None] != sides) & (alive[:, None] & alive == 1)
    english = sides == ENGLISH
    pairs = maximum_bipartite_matching(csr_array((near & english[:, None]).astype(np.int8)), perm_type="column")
    fight_of = [-1] * count
    matched = [(piece, int(enemy)) for piece, enemy in enumerate(pairs) if enemy >= 0]
    for fight, pair in enumerate(matched):
        for piece in pair:
            fight_of[piece] = fight
    for piece in range(count):
        if near[piece].any() and not any(piece in pair for pair in matched):
            fight_of[piece] = fight_of[np.flatnonzero(near[piece])[0]]
    return fight_of, len(matched)


class Players:
    """Players who do as they are told: actions by turn, and divisions of fights by turn (one digit a piece)."""

    def __init__(self, actions: Mapping[int, Iterable[Action]], divisions: Mapping[int, str]) -> None:
        self.actions, self.divisions = actions, divisions

    def begin(self, _state: State, _rules: Any, _doctrine: Any, _plan: Any, _side: int, turn: int) -> None:
        self.turn, self.wishes = turn, list(self.actions.get(turn, ()))

    def propose(self, _state: State, _rules: Any, _doctrine: Any, plan: Any) -> bool:
        if self.wishes:
            plan.action[:] = self.wishes.pop(0)
            return True
        return False

    def divide(self, state: State, _rules: Any, plan: Any) -> int:
        if self.turn in self.divisions:
            fight_of = [-1 if digit == "-" else int(digit) for digit in self.divisions[self.turn]]
            count = max(fight_of) + 1
        else:
            fight_of, count = some_division(state)
        plan.fight_of[: state.count] = fight_of
        return count


class Table:
    """A battle played with scripted players and dice; a die that is not scripted shows 1."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.monkeypatch = monkeypatch
        self.asked: list[tuple[int, int, int, int]] = []

    def sit(self, players: Any) -> None:
        for name in ("begin", "propose", "divide"):
            self.monkeypatch.setattr(orders, name, getattr(players, name))

    def roll(self, shown: Dice) -> None:
        def scripted(_key: Any, _battle: int, turn: int, actor: int, purpose: int, k: int, _sides: int) -> int:
            self.asked.append((turn, actor, purpose, k))
            return shown.get((turn, actor, purpose, k), 1)

        self.monkeypatch.setattr(referee, "face", scripted)

    def play(
        self,
        state: State,
        rules: Rules,
        actions: Mapping[int, Iterable[Action]] | None = None,
        divisions: Mapping[int, str] | None = None,
        dice: Dice | None = None,
        *,
        first: Dice = FIRST_ENGLISH,
        mud: int = 0,
    ) -> Battle:
        self.sit(Players(actions or {}, divisions or {}))
        self.roll({**first, **(dice or {})})
        battle = Battle(setup_of(state, rules, mud), 0, 0)
        self.events = list(battle.play())
        return battle

    def said(self, rule: str) -> list[str]:
        """What was said by one rule."""
        return [event.text for event in self.events if event.rule == rule]


def setup_of(state: State, rules: Rules, mud: int = -1) -> Setup:
    sides = state.pieces[SIDE, : state.count].tolist()
    doctrine = compile_doctrine({})
    return Setup(rules, state, (doctrine, doctrine), mud, (sides.count(0), sides.count(1)))


def quiet(changes: Mapping[str, object] | None = None, *, turns: int = 1) -> Rules:
    """Rules under which nothing ends the battle but its length: so many turns a side."""
    return rules_with({"end.turn_limit": turns, "end.margin": 1000, "end.half": 1.0, **(changes or {})})


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    return Table(monkeypatch)


def traced(battle: Battle, *codes: int) -> list[tuple[int, ...]]:
    return [event for event in battle.trace if event[1] in codes]


def alive(battle: Battle) -> list[int]:
    return battle.state.pieces[ALIVE, : battle.state.count].tolist()


# Before the first turn (AZ-2.1, AZ-2.4, AZ-2.5)


def start(
    table: Table, rolls: list[tuple[int, int]], reading: str = "coin", coin: int = 1, mud: int = -1
) -> tuple[int, int]:
    """Return mud and first mover."""
    dice = {(0, side, INITIATIVE, k): roll[side] for k, roll in enumerate(rolls) for side in (0, 1)}
    battle = table.play(board("I...k"), quiet({"AZ-2.5": reading}), dice={**dice, (0, 0, COIN, 0): coin}, mud=mud)
    metrics = battle.metrics()
    assert traced(battle, 200)[0][2] == metrics["first_mover"]
    return metrics["mud"], metrics["first_mover"]


def test_the_lower_die_moves_first_and_the_difference_is_mud(table: Table) -> None:
    assert start(table, [(2, 6)]) == (4, ENGLISH)
    assert start(table, [(6, 1)]) == (5, FRENCH)
    assert table.said("AZ-2.1") == ["the English roll 6, the French 1: mud 5"]
    assert table.said("AZ-2.4") == ["the French move first"]


@pytest.mark.parametrize(
    ("reading", "coin", "first"),
    [("coin", 1, ENGLISH), ("coin", 2, FRENCH), ("english", 2, ENGLISH), ("french", 1, FRENCH)],
)
def test_equal_dice(table: Table, reading: str, coin: int, first: int) -> None:
    assert start(table, [(3, 3)], reading, coin) == (0, first)
    assert ((0, 0, COIN, 0) in table.asked) == (reading == "coin")
    assert not table.said("AZ-2.4")


def test_reroll_until_the_dice_differ(table: Table) -> None:
    assert start(table, [(3, 3), (1, 1), (5, 2)], "reroll") == (3, FRENCH)
    assert (0, 0, INITIATIVE, 2) in table.asked
    assert (0, 0, INITIATIVE, 3) not in table.asked


def test_fixed_mud_replaces_the_difference_alone(table: Table) -> None:
    assert start(table, [(6, 1)], mud=2) == (2, FRENCH)
    assert start(table, [(6, 1)], mud=0) == (0, FRENCH)
    assert start(table, [(4, 4)], coin=2, mud=3) == (3, FRENCH)
    assert start(table, [(4, 4), (4, 5)], "reroll", mud=3) == (3, ENGLISH)


def test_the_dice_are_those_of_the_stream() -> None:
    for number in range(20):
        battle = Battle(setup_of(board("I...k"), quiet()), 7, number)
        next(battle.play())
        rolled = battle._initiative(0)
        assert rolled == [face(np.uint64(7), number, 0, side, INITIATIVE, 0, 6) for side in (0, 1)]


def test_mud_slows_in_the_battle(table: Table) -> None:
    ride = {1: [act(MOVE, row=0, col=3)]}
    state = board("K.........i", "~..........")
    assert traced(table.play(state, quiet(), ride, mud=3), MOVE)
    with pytest.raises(IllegalAction, match=r"AZ-3\.1"):
        table.play(state, quiet(), ride, mud=4)


# Turns and actions (AZ-2.4, AZ-2.6, AZ-2.7)


def test_sides_alternate_until_the_limit_of_turns(table: Table) -> None:
    battle = table.play(board("I...k"), quiet(turns=3), first=FIRST_FRENCH)
    assert [event[:3] for event in traced(battle, 200)] == [(turn, 200, turn % 2) for turn in range(1, 7)]
    assert battle.trace[-1] == (6, 300, NO_DECISION, *[-1] * 7)
    assert battle.metrics()["turns"] == 6
    assert [event.board is None for event in table.events].count(False) == 7
    assert table.said("AZ-7.5")


@pytest.mark.parametrize("piece", [-1, 1, 2])
def test_only_living_pieces_of_the_side_act(table: Table, piece: int) -> None:
    with pytest.raises(IllegalAction, match=r"AZ-2\.4"):
        table.play(board("I...k"), quiet(), {1: [act(STAY, piece)]})


def test_the_removed_do_not_act(table: Table) -> None:
    actions = {1: [act(SHOOT, row=0, col=4)], 2: [act(STAY, 1)]}
    with pytest.raises(IllegalAction, match=r"AZ-2\.4.*turn 2, french"):
        table.play(board("A...i"), quiet(), actions, dice={(1, 0, ARROW, 0): 5})


def test_a_piece_acts_once_a_turn(table: Table) -> None:
    state = board("A.....k")
    with pytest.raises(IllegalAction, match=r"AZ-2\.6.*battle 0, turn 1, english"):
        table.play(state, quiet(), {1: [act(STAY), act(STAY)]})
    table.play(state, quiet(turns=2), {1: [act(STAY)], 3: [act(STAY)]})


def test_an_illegal_action_says_where_and_what(table: Table) -> None:
    with pytest.raises(IllegalAction) as caught:
        table.play(board("I....k"), quiet(), {1: [act(MOVE, row=0, col=3)]})
    assert caught.value.rule == "AZ-3.1"
    assert "infantry 0 at (0, 0) moves to (0, 3)" in str(caught.value)
    assert "battle 0, turn 1, english" in str(caught.value)


def test_all_shooting_first_in_that_reading(table: Table) -> None:
    rules = quiet({"AZ-2.7": "shoot_move_fight"})
    state = board("AA.... C..K.k", facing={2: EAST})
    shot, fire = act(SHOOT, 1, row=1, col=5), act(FIRE, 2, row=1, col=1, dice=1)
    move, plant, dismount = act(MOVE, 0, row=0, col=2), act(PLANT, 0, stake_row=1, stake_col=1), act(DISMOUNT, 3)
    table.play(state, rules, {1: [shot, fire, move, dismount]})
    table.play(state, rules, {1: [act(STAY, 0), shot, act(STAY, 3), fire]})
    for other in (move, plant, dismount):
        for late in (shot, fire):
            with pytest.raises(IllegalAction, match=r"AZ-2\.7"):
                table.play(state, rules, {1: [other, late]})
            table.play(state, quiet(), {1: [other, late]})


def test_the_trace_of_actions(table: Table) -> None:
    state = board("A....... ........ C....... K..A...k")
    actions = {
        1: [
            act(MOVE, 0, row=1, col=1, facing=5, stake_row=0, stake_col=2, dice=9),
            act(MOVE, 1, row=3, col=1, facing=EAST, dice=1),
            act(DISMOUNT, 2, row=4),
            act(SHOOT, 3, row=3, col=7, facing=1, dice=2),
        ],
        3: [
            act(MOVE, 1, row=3, col=1, facing=WEST),
            act(PLANT, 3, row=1, stake_row=3, stake_col=4),
            act(STAY, 0, row=3),
        ],
        5: [act(FIRE, 1, row=3, col=0, dice=2, facing=4)],
    }
    dice = {(1, 3, ARROW, 0): 6, (5, 1, CANNON_SHOT, 0): 4, (5, 1, CANNON_SHOT, 1): 6}
    battle = table.play(state, quiet(turns=3), actions, dice=dice)
    assert [event for event in battle.trace if event[1] < 100] == [
        (1, MOVE, 0, 1, 1, -1, 0, 2, -1, -1),
        (1, MOVE, 1, 3, 1, EAST, -1, -1, -1, -1),
        (1, DISMOUNT, 2, -1, -1, -1, -1, -1, -1, -1),
        (1, SHOOT, 3, 3, 7, -1, -1, -1, -1, 6),
        (3, MOVE, 1, 3, 1, WEST, -1, -1, -1, -1),
        (3, PLANT, 3, -1, -1, -1, 3, 4, -1, -1),
        (3, STAY, 0, -1, -1, -1, -1, -1, -1, -1),
        (5, FIRE, 1, 3, 0, -1, -1, -1, 2, 10),
    ]
    pieces = battle.state.pieces
    assert (pieces[ROW, 0], pieces[COL, 0], pieces[STAKES, 0]) == (1, 1, 0)
    assert (pieces[KIND, 2], pieces[DISMOUNTS, 2]) == (FOOT_KNIGHT, 0)
    assert pieces[FACING, 1] == WEST
    assert has(battle.state, STAKE, 0, 2)
    assert has(battle.state, STAKE, 3, 4)
    metrics = battle.metrics()
    assert (metrics["english_stakes"], metrics["french_stakes"], metrics["english_unhorsed"]) == (2, 0, 0)
    assert {len(event) for event in battle.trace} == {10}
    assert len(table.said("AZ-2.6")) == 3
    assert table.said("AZ-5.5")[1] == "cannon 1 at (3, 1) turns and faces west"


def test_a_stake_is_planted_once(table: Table) -> None:
    actions = {1: [act(PLANT, 0, stake_row=0, stake_col=1)], 3: [act(PLANT, 0, stake_row=1, stake_col=0)]}
    state = board("A....k ......")
    with pytest.raises(IllegalAction, match=r"AZ-2\.6.*turn 3"):
        table.play(state, quiet(turns=2), actions)
    state.pieces[STAKES, 0] = 2
    assert table.play(state, quiet(turns=2), actions).metrics()["english_stakes"] == 2


def test_a_stake_closes_its_square_to_those_who_act_later(table: Table) -> None:
    actions = {1: [act(PLANT, 0, stake_row=0, stake_col=1)], 2: [act(MOVE, 1, row=0, col=1)]}
    with pytest.raises(IllegalAction, match=r"AZ-3\.6"):
        table.play(board("A...k"), quiet(), actions)


def test_a_battle_leaves_its_starting_position_alone(table: Table) -> None:
    state = board("A...i")
    before = copy(state)
    table.play(state, quiet(), {1: [act(SHOOT, row=0, col=4)]}, dice={(1, 0, ARROW, 0): 4})
    assert state.tobytes() == before.tobytes()


# Arrows (AZ-4.3 to AZ-4.5, AZ-4.9)

GONE, THROWN, WHOLE = "gone", "thrown", "whole"


@pytest.mark.parametrize("reading", ["literal", "six_hits"])
@pytest.mark.parametrize("target", "knfiaxc")
@pytest.mark.parametrize("rolled", range(1, 7))
def test_results_of_an_arrow(table: Table, reading: str, target: str, rolled: int) -> None:
    state = board(f"A...{target}")
    battle = table.play(
        state, quiet({"AZ-4.5": reading}), {1: [act(SHOOT, row=0, col=4)]}, dice={(1, 0, ARROW, 0): rolled}
    )
    removes = rolled in (4, 5) or (rolled == 6 and reading == "six_hits")
    expected = GONE if removes else THROWN if target == "k" and rolled in (2, 3) else WHOLE
    pieces = battle.state.pieces
    kind = int(pieces[KIND, 1])
    assert expected == (GONE if not pieces[ALIVE, 1] else THROWN if kind != state.pieces[KIND, 1] else WHOLE)
    assert kind == (FOOT_KNIGHT if expected == THROWN else state.pieces[KIND, 1])
    metrics = battle.metrics()
    assert metrics["french_losses"] == (expected == GONE)
    assert metrics["french_unhorsed"] == (expected == THROWN)
    assert (metrics["english_losses"], metrics["english_unhorsed"]) == (0, 0)
    assert traced(battle, SHOOT) == [(1, SHOOT, 0, 0, 4, -1, -1, -1, -1, rolled)]
    assert len(table.said({"k": "AZ-4.3", "n": "AZ-4.3", "c": "AZ-4.9"}.get(target, "AZ-4.4"))) == 1


def test_a_thrown_knight_is_hit_like_infantry_and_cannot_be_thrown_again(table: Table) -> None:
    actions = {1: [act(SHOOT, 0, row=0, col=4), act(SHOOT, 1, row=0, col=4)]}
    rules = quiet({"arrow.foot.removes": [5]})
    state = board("A...k A....")
    for second, lives in ((2, 1), (4, 1), (5, 0)):
        battle = table.play(state, rules, actions, dice={(1, 0, ARROW, 0): 3, (1, 1, ARROW, 0): second})
        assert alive(battle)[2] == lives
        assert battle.metrics()["french_unhorsed"] == 1


# Cannon (section 5)


def fire(
    table: Table, state: State, rules: Rules, named: tuple[int, int], faces: list[int], cannon: int = 0
) -> list[int]:
    """Fire once; return the pieces removed by the shot, before anybody fights."""
    table.sit(Players({1: [act(FIRE, cannon, row=named[0], col=named[1], dice=len(faces))]}, {}))
    table.roll({**FIRST_ENGLISH, **{(1, cannon, CANNON_SHOT, k): rolled for k, rolled in enumerate(faces)}})
    battle = Battle(setup_of(state, rules, 0), 0, 0)
    next(event for event in battle.play() if event.rule in ("AZ-5.2", "AZ-5.3"))
    assert battle.trace == [(1, FIRE, cannon, *named, -1, -1, -1, len(faces), sum(faces))]
    removed = [piece for piece, lives in enumerate(alive(battle)) if not lives]
    metrics = battle.metrics()
    own = [piece for piece in removed if state.pieces[SIDE, piece] == state.pieces[SIDE, cannon]]
    assert metrics["english_losses"] + metrics["french_losses"] == len(removed)
    assert (metrics["english_own_shot"], metrics["english_losses"]) == (len(own), len(own))
    assert metrics["french_own_shot"] == 0
    return removed


def test_the_sum_of_the_dice_is_the_distance(table: Table) -> None:
    state = board("C..i....i...i...", facing={0: EAST})
    assert fire(table, state, quiet(), (0, 1), [3]) == [1]  # whatever square is named on the axis
    assert fire(table, state, quiet(), (0, 8), [3]) == [1]
    assert fire(table, state, quiet(), (0, 8), [2]) == []
    assert fire(table, state, quiet(), (0, 8), [2, 6]) == [2]
    assert fire(table, state, quiet(), (0, 8), [6, 6]) == [3]
    assert fire(table, state, quiet({"pieces.cannon.range": 11}), (0, 8), [6, 6]) == []
    assert fire(table, board("C....i", facing={0: EAST}), quiet(), (0, 5), [6]) == []  # off the board
    assert fire(table, board("C..... .i.... ..i...", facing={0: SOUTH_EAST}), quiet(), (1, 1), [2]) == [1, 2]


def test_the_blast_takes_friend_and_foe_around_the_square(table: Table) -> None:
    state = board("....A... C...kaI. ...i..i.", facing={1: EAST})
    # English: archer 0, cannon 1, infantry 2; French: knight 3, archer 4, infantry 5 and 6.
    assert fire(table, state, quiet(), (1, 4), [4], cannon=1) == [0, 3, 4, 5]
    assert fire(table, state, quiet({"cannon.blast_radius": 0}), (1, 4), [4], cannon=1) == [3]
    assert fire(table, state, quiet({"cannon.blast_radius": 2}), (1, 4), [4], cannon=1) == [0, 2, 3, 4, 5, 6]
    assert fire(table, state, quiet(), (1, 4), [3], cannon=1) == []  # an empty square with pieces around


def test_a_cannon_can_hit_itself(table: Table) -> None:
    state = board("Ck..", facing={0: EAST})
    assert fire(table, state, quiet(), (0, 1), [1]) == [0, 1]


def test_mountains_do_not_stop_it(table: Table) -> None:
    assert fire(table, board("C^^i", "...^", facing={0: EAST}), quiet(), (0, 3), [3]) == [1]


def test_the_castle_is_safe_from_cannon(table: Table) -> None:
    state = board("C..i..i", "...@...", facing={0: EAST})
    assert fire(table, state, quiet(), (0, 3), [3]) == []
    beside = board("C..ii.i", "...@...", facing={0: EAST})
    assert fire(table, beside, quiet(), (0, 3), [3]) == [2]  # hit beside the safe piece
    assert fire(table, beside, quiet(), (0, 4), [4]) == [2]  # and the safe piece beside the hit one


def test_hit_if_at_least(table: Table) -> None:
    state, rules = board("C..i....i...i...", facing={0: EAST}), quiet({"AZ-5.2": "hit_if_at_least"})
    assert fire(table, state, rules, (0, 3), [2]) == []
    assert fire(table, state, rules, (0, 3), [3]) == [1]
    assert fire(table, state, rules, (0, 3), [6, 6]) == [1]
    assert fire(table, state, rules, (0, 8), [1, 6]) == []
    assert fire(table, state, rules, (0, 8), [2, 6]) == [2]
    assert fire(table, state, rules, (0, 5), [6]) == []


def test_sector_counts_along_the_line_through_the_named_square(table: Table) -> None:
    rules = quiet({"AZ-5.7": "sector", "cannon.blast_radius": 0})
    # From the cannon through (2, 5): columns 1 to 9 lie in rows 0, 1, 1, 2, 2, 2, 3, 3, 4.
    grid = np.full((6, 10), ".")
    grid[0, 0] = "C"
    line = [(0, 1), (1, 2), (1, 3), (2, 4), (2, 5), (2, 6), (3, 7), (3, 8), (4, 9)]
    for steps, square in enumerate(line, start=1):
        picture = grid.copy()
        picture[square] = "i"
        state = board(" ".join("".join(row) for row in picture), facing={0: EAST})
        faces = [steps] if steps <= 6 else [6, steps - 6]
        assert fire(table, state, rules, (2, 5), faces) == [1]
        assert fire(table, state, rules, (2, 5), [1] if steps > 1 else [2]) == []


def test_sector_in_the_other_direction(table: Table) -> None:
    """Halves are rounded away from the cannon on every side: (3, 9) is 3/2 steps of 6 up."""
    rules = quiet({"AZ-5.7": "sector", "cannon.blast_radius": 0, "cannon.sector_half_angle": 45.0})
    state = board("....... ....... i...... ....... ......C", facing={0: WEST})
    assert fire(table, state, rules, (3, 3), [6]) == [1]
    assert fire(table, state, rules, (2, 2), [6]) == []


# Close combat (section 6)


def clash(
    table: Table,
    state: State,
    attack: list[int],
    defence: list[int],
    changes: Mapping[str, object] | None = None,
    *,
    first: Dice = FIRST_ENGLISH,
    division: str | None = None,
) -> tuple[list[int], tuple[int, ...]]:
    """Fight in the first turn with these dice, roll by roll; return the pieces removed and the first fight's trace."""
    first_french = int(np.argmax(state.pieces[SIDE] == FRENCH))
    leads = (0, first_french) if first is FIRST_ENGLISH else (first_french, 0)
    dice = {(1, leads[0], MELEE_ATTACK, k): rolled for k, rolled in enumerate(attack)}
    dice |= {(1, leads[1], MELEE_DEFENCE, k): rolled for k, rolled in enumerate(defence)}
    battle = table.play(state, one_turn(changes), {}, {1: division} if division else {}, dice, first=first)
    assert battle.metrics()["turns"] == 1
    return [piece for piece, lives in enumerate(alive(battle)) if not lives], traced(battle, 100)[0]


def one_turn(changes: Mapping[str, object] | None = None) -> Rules:
    """Rules under which a battle is over after a single turn of one side: a draw, as all are down to half at once."""
    return rules_with(
        {"end.half": 0.0, "end.small_moves": 0, "end.margin": 1000, "end.small_margin": 1000, **(changes or {})}
    )


def test_the_higher_total_wins(table: Table) -> None:
    state = board("Fi")  # values 3 and 2
    assert clash(table, state, [3], [3]) == ([1], (1, 100, 0, 1, 1, 1, 1, 6, 5, ENGLISH))
    assert clash(table, state, [1], [3]) == ([0], (1, 100, 0, 1, 1, 1, 1, 4, 5, FRENCH))
    assert table.said("AZ-6.1") == [
        "foot knight 0 at (0, 0) against infantry 1 at (0, 1): 1 + 3 to 3 + 2, the French win"
    ]
    assert table.said("AZ-6.6") == ["removed: foot knight 0 at (0, 0)"]


def test_the_side_whose_turn_it_is_attacks(table: Table) -> None:
    state = board("Fi")
    assert clash(table, state, [3], [1], first=FIRST_FRENCH) == ([0], (1, 100, 1, 0, 1, 1, 1, 5, 4, FRENCH))
    assert (1, 1, MELEE_ATTACK, 0) in table.asked
    assert (1, 0, MELEE_DEFENCE, 0) in table.asked


def test_a_contact_that_lasts_is_fought_again_each_turn(table: Table) -> None:
    state = board("IIi ..I")
    dice = {
        (1, 1, MELEE_ATTACK, 0): 1,
        (1, 3, MELEE_DEFENCE, 0): 6,
        (2, 3, MELEE_ATTACK, 0): 6,
        (2, 2, MELEE_DEFENCE, 0): 1,
    }
    battle = table.play(state, quiet(), dice=dice)
    # Archers' side in reading order: 0, 1 and 2 are English, 3 is French; 1 and 2 touch it.
    assert traced(battle, 100) == [
        (1, 100, 1, 3, 2, 1, 1, 5, 8, FRENCH),
        (2, 100, 3, 2, 1, 1, 1, 8, 3, FRENCH),
    ]
    assert alive(battle) == [1, 0, 0, 1]


def test_moves_come_before_fights(table: Table) -> None:
    battle = table.play(board("I..i"), quiet(), {1: [act(MOVE, row=0, col=2)]}, dice={(1, 0, MELEE_ATTACK, 0): 6})
    assert alive(battle) == [1, 0]
    shot = table.play(board("AIi ..."), quiet(), {1: [act(SHOOT, row=0, col=2)]}, dice={(1, 0, ARROW, 0): 4})
    assert alive(shot) == [1, 1, 0]
    assert traced(shot, 100) == []


def test_a_group_adds_all_its_values_to_one_die(table: Table) -> None:
    attack = board("F.. .aI K..")  # 3 + 2 + 4
    assert clash(table, attack, [1], [6]) == ([3], (1, 100, 0, 3, 3, 1, 1, 10, 7, ENGLISH))
    defence = board("f.. .A. k..")
    assert clash(table, defence, [1], [1]) == ([0], (1, 100, 0, 1, 1, 2, 1, 2, 8, FRENCH))
    assert len(table.said("AZ-6.4")) == 1


def test_partial_fights_in_the_order_of_the_division(table: Table) -> None:
    dice = {
        (1, 0, MELEE_ATTACK, 0): 6,
        (1, 2, MELEE_DEFENCE, 0): 2,
        (1, 1, MELEE_ATTACK, 0): 3,
        (1, 3, MELEE_DEFENCE, 0): 5,
    }
    for division, order in (("0101", (0, 1)), ("1010", (1, 0))):
        battle = table.play(board("II. .ii"), one_turn(), {}, {1: division}, dice)
        fights = [(1, 100, 0, 2, 1, 1, 1, 8, 4, ENGLISH), (1, 100, 1, 3, 1, 1, 1, 5, 7, FRENCH)]
        assert traced(battle, 100) == [fights[index] for index in order]
        assert alive(battle) == [1, 0, 0, 1]
    assert table.said("AZ-6.5") == ["the contacts are divided into 2 fights"]


def test_an_illegal_division_is_refused(table: Table) -> None:
    with pytest.raises(IllegalAction, match=r"AZ-6\.1.*turn 1, english"):
        table.play(board("Ik"), quiet(), {}, {1: "--"})
    with pytest.raises(IllegalAction, match=r"AZ-6\.5.*2 fights; there must be 3"):
        table.play(board("IiIiIi"), quiet(), {}, {1: "001011"})


def test_a_tie_is_rolled_again(table: Table) -> None:
    removed, fight = clash(table, board("Ii"), [3, 5, 2], [3, 5, 6])
    assert (removed, fight) == ([0], (1, 100, 0, 1, 1, 1, 3, 4, 8, FRENCH))
    assert len(table.said("AZ-6.3")) == 2


def test_a_tie_unhorses_both_sides(table: Table) -> None:
    battle = table.play(
        board("Kk"),
        quiet(),
        dice={(1, 0, MELEE_ATTACK, 0): 4, (1, 1, MELEE_DEFENCE, 0): 4, (1, 0, MELEE_ATTACK, 1): 2},
    )
    assert traced(battle, 100)[0] == (1, 100, 0, 1, 1, 1, 2, 5, 4, ENGLISH)  # both with the value 3 of a foot knight
    metrics = battle.metrics()
    assert (metrics["english_unhorsed"], metrics["french_unhorsed"]) == (1, 1)
    assert (metrics["english_losses"], metrics["french_losses"]) == (0, 1)
    assert table.said("AZ-6.3") == [
        "knight 0 at (0, 0) against knight 1 at (0, 1): 4 + 4 to 4 + 4, a tie; unhorsed: knight 0, knight 1"
    ]


def test_a_knight_without_version_on_foot_stays_mounted_on_a_tie(table: Table) -> None:
    removed, fight = clash(table, board("Nk"), [4, 1], [4, 1])
    assert (removed, fight) == ([1], (1, 100, 0, 1, 1, 1, 2, 5, 4, ENGLISH))


def test_a_tie_unhorses_every_knight_of_a_group(table: Table) -> None:
    """Dice beyond 6 are needed for this tie: 4 + 4 + 4 + 3 and a 1 against 4 and a 12; then 3 + 4 + 3 + 3 against 3."""
    removed, fight = clash(table, board("K.. .kN KF."), [1, 1], [12, 6])
    assert (removed, fight) == ([4], (1, 100, 0, 4, 4, 1, 2, 14, 9, ENGLISH))


def test_the_least_valuable_of_a_beaten_group_goes(table: Table) -> None:
    state = board("F.. .kI .A.")  # foot knight 0, infantry 1, archer 2
    assert clash(table, state, [1], [6])[0] == [2]
    assert clash(table, state, [1], [6], {"pieces.archer.value": 9})[0] == [3]
    assert clash(table, state, [1], [16], {"pieces.archer.value": 9})[0] == [1]
    assert clash(table, board("I.. .kI .I."), [1], [6])[0] == [0]  # equals: the lowest index
    assert clash(table, state, [1], [6], {"AZ-6.6": "all"})[0] == [0, 1, 2]
    assert clash(table, state, [6], [1], {"AZ-6.6": "all"})[0] == [3]


def test_values_count_as_they_are_when_the_group_is_beaten(table: Table) -> None:
    """A knight unhorsed by the tie is worth less than the one that stays mounted, and equals the foot knight."""
    state = board("N.. .kF ...")
    assert clash(table, state, [1], [12])[0] == [1]
    state = board("K.. .kF ...")
    assert clash(table, state, [1, 1], [4, 12])[0] == [0]
    assert clash(table, state, [1], [12])[0] == [1]


@pytest.mark.parametrize(("shelter", "path"), [("h", "terrain.house.bonus"), ("@", "terrain.castle.bonus")])
def test_shelter_helps_the_attacked_on_foot(table: Table, shelter: str, path: str) -> None:
    under = f".{shelter}"
    for defender, value in (("i", 2), ("c", 0), ("f", 3)):
        fight = clash(table, board(f"I{defender}", under), [1], [5])[1]
        assert fight[7:9] == (3, 5 + value + 1)
        assert fight[7:9] == (3, clash(table, board(f"I{defender}", under), [1], [5], {path: 2})[1][8] - 1)
    assert clash(table, board("Ii", f"{shelter}."), [1], [5])[1][7:9] == (3, 7)  # not the attacker
    assert clash(table, board("Ik", under), [1], [5])[1][7:9] == (3, 9)  # nor a rider, had one got in
    assert clash(table, board("Ii", f"{shelter}."), [5], [1], first=FIRST_FRENCH)[1][7:9] == (7, 4)


def test_each_of_the_attacked_in_shelter_counts(table: Table) -> None:
    state = board("i.. .Ii ..i", "h.. ..h ...")
    assert clash(table, state, [1], [1], division="0000")[1][8] == 1 + 6 + 2
    assert "(2 of it by AZ-6.7)" in table.said("AZ-6.4")[0]


def test_the_loss_in_shelter_is_judged_by_printed_value(table: Table) -> None:
    state = board("i.. .Ia ...", "... ..h ...")  # infantry 1 is worth 2, archer 2 in the house 1
    assert clash(table, state, [6, 6], [1, 1], {"pieces.infantry.value": 9}, division="000")[0] == [2]


# The end (section 7)


def finish(
    rules: Rules, losses: Iterable[tuple[int, int]], first: int = ENGLISH, fielded: tuple[int, int] = (50, 60)
) -> tuple[int, int]:
    """Let sides alternate with these losses after each turn; return the outcome and the turn of it."""
    ending = Ending(rules, fielded)
    for turn, lost in enumerate(losses, start=1):
        ending.after_turn((first + turn - 1) % 2, lost)
        if ending.outcome >= 0:
            return ending.outcome, turn
    return -1, 0


def test_the_margin_must_be_exceeded() -> None:
    equal = [(0, 20)] * 4
    assert finish(rules_with(), equal) == (-1, 0)
    assert finish(rules_with({"AZ-7.4": "at_least"}), equal) == (ENGLISH_WIN, 2)
    assert finish(rules_with(), [(0, 21)] * 4) == (ENGLISH_WIN, 2)
    assert finish(rules_with(), [(21, 0)] * 4) == (FRENCH_WIN, 3)
    assert finish(rules_with({"end.margin": 30}), [(0, 21)] * 4) == (-1, 0)


def test_points_per_piece() -> None:
    assert finish(rules_with({"end.points_per_piece": 2}), [(0, 10)] * 3) == (-1, 0)
    assert finish(rules_with({"end.points_per_piece": 2}), [(0, 11)] * 3) == (ENGLISH_WIN, 2)


def test_equal_losses_never_decide() -> None:
    assert finish(rules_with({"AZ-7.4": "at_least", "end.margin": 0}), [(5, 5)] * 6) == (-1, 0)
    assert finish(rules_with({"end.margin": 0}), [(5, 6)] * 6) == (ENGLISH_WIN, 2)


def test_the_army_behind_has_its_last_move() -> None:
    """It starts in its own turn or the enemy's, and is judged when the army behind has moved once more."""
    assert finish(rules_with(), [(0, 21), (0, 21)]) == (ENGLISH_WIN, 2)
    assert finish(rules_with(), [(0, 0), (0, 21), (0, 25), (0, 25)]) == (ENGLISH_WIN, 4)
    assert finish(rules_with(), [(0, 0), (0, 21), (0, 25), (5, 25)]) == (-1, 0)
    assert finish(rules_with(), [(0, 0), (0, 21), (5, 21), (5, 30)]) == (ENGLISH_WIN, 4)


def test_more_or_no_last_moves() -> None:
    assert finish(rules_with({"end.last_moves": 2}), [(0, 21)] * 9) == (ENGLISH_WIN, 4)
    assert finish(rules_with({"end.last_moves": 2}), [(21, 0)] * 9) == (FRENCH_WIN, 5)
    assert finish(rules_with({"end.last_moves": 0}), [(0, 21)] * 9) == (ENGLISH_WIN, 1)
    assert finish(rules_with({"end.last_moves": 0}), [(21, 0)] * 9) == (FRENCH_WIN, 1)


def test_saved_by_coming_back_within_the_margin() -> None:
    assert finish(rules_with(), [(0, 22), (1, 22), (1, 22), (1, 22)]) == (ENGLISH_WIN, 2)
    assert finish(rules_with(), [(0, 22), (2, 22), (2, 22), (2, 22)]) == (-1, 0)
    assert finish(rules_with({"AZ-7.4": "at_least"}), [(0, 22), (2, 22)]) == (ENGLISH_WIN, 2)


def test_saved_by_any_reduction() -> None:
    rules = rules_with({"AZ-7.6": "any_reduction"})
    assert finish(rules, [(0, 22), (0, 22)]) == (ENGLISH_WIN, 2)
    # Saved at 21, but still past the margin: at once another last move, from 21 on.
    assert finish(rules, [(0, 22), (1, 22), (1, 22), (1, 22)]) == (ENGLISH_WIN, 4)
    assert finish(rules, [(0, 22), (1, 22), (1, 22), (2, 22), (2, 22), (2, 22)]) == (-1, 0)


def test_saved_and_the_other_army_behind() -> None:
    assert finish(rules_with(), [(0, 21), (42, 21), (42, 21)]) == (FRENCH_WIN, 3)


def test_an_army_down_to_half_makes_the_margin_smaller() -> None:
    """Half of 60 is 30; 30 to 20 is not more than 10: two more moves each, then a draw."""
    assert finish(rules_with(), [(20, 29)] * 9) == (-1, 0)
    assert finish(rules_with(), [(20, 30)] * 9) == (DRAW, 5)
    assert finish(rules_with(), [(24, 24), (25, 24)] + [(25, 24)] * 9) == (DRAW, 6)
    assert finish(rules_with({"end.half": 0.9}), [(20, 30)] * 9) == (-1, 0)
    assert finish(rules_with({"end.small_moves": 1}), [(20, 30)] * 9) == (DRAW, 3)
    assert finish(rules_with({"end.small_moves": 0}), [(20, 30)] * 9) == (DRAW, 1)
    assert finish(rules_with(), [(13, 12)] * 9, fielded=(25, 60)) == (DRAW, 5)
    assert finish(rules_with(), [(12, 12)] * 9, fielded=(25, 60)) == (-1, 0)  # half of 25 is more than 12


def test_the_smaller_margin_gives_a_last_move_too() -> None:
    rules, at_once = rules_with(), rules_with({"AZ-7.7": "no"})
    assert finish(rules, [(19, 30)] * 9) == (ENGLISH_WIN, 2)
    assert finish(at_once, [(19, 30)] * 9) == (ENGLISH_WIN, 1)
    assert finish(rules, [(20, 30), (20, 30), (20, 31), (20, 31)]) == (ENGLISH_WIN, 4)
    assert finish(at_once, [(20, 30), (20, 30), (20, 31), (20, 31)]) == (ENGLISH_WIN, 3)
    assert finish(at_once, [(0, 21)] * 9) == (ENGLISH_WIN, 2)  # the full margin always does
    assert finish(rules_with({"AZ-7.4": "at_least"}), [(20, 30)] * 9) == (ENGLISH_WIN, 2)


def test_a_last_move_may_outlast_the_moves_to_the_smaller_margin() -> None:
    """Moves of the closing: turns 2 to 5. In turn 5 the English pass the margin; their last move is turn 7."""
    losses = [(30, 30), (30, 30), (30, 30), (30, 30), (41, 30), (41, 30)]
    assert finish(rules_with(), [*losses, (41, 30)]) == (FRENCH_WIN, 7)
    assert finish(rules_with(), [*losses, (41, 31)]) == (DRAW, 7)


def test_while_a_last_move_is_due_the_margin_stays() -> None:
    """Turn 1 passes the margin of 20; in turn 2 the army behind is down to half too, but its margin stays 20."""
    assert finish(rules_with(), [(0, 21), (10, 30), (10, 30)]) == (-1, 0)  # saved: 20 is not more than 20; then closing
    ending = Ending(rules_with(), (50, 60))
    ending.after_turn(ENGLISH, (0, 21))
    assert (ending.pending, ending.closing, ending.margin) == (FRENCH, False, 20)
    ending.after_turn(FRENCH, (10, 30))
    assert (ending.pending, ending.closing, ending.margin, ending.outcome) == (FRENCH, True, 10, -1)
    ending.after_turn(ENGLISH, (10, 30))
    ending.after_turn(FRENCH, (10, 30))
    assert (ending.outcome, ending.pending) == (ENGLISH_WIN, FRENCH)


def test_the_turn_limit_is_an_outcome_of_its_own() -> None:
    rules = rules_with({"end.turn_limit": 3})
    assert finish(rules, [(0, 0)] * 9) == (NO_DECISION, 6)
    assert finish(rules, [(0, 0)] * 5 + [(0, 21)] * 2) == (NO_DECISION, 6)  # even if a last move is due
    assert finish(rules, [(0, 0)] * 4 + [(0, 21)] * 2) == (ENGLISH_WIN, 6)
    assert finish(rules, [(0, 0), *[(20, 30)] * 5]) == (DRAW, 6)


def test_the_end_of_turn_in_the_trace(table: Table) -> None:
    rules = rules_with({"end.margin": 0, "end.half": 1.0})
    actions = {1: [act(SHOOT, row=0, col=4)], 3: [act(SHOOT, row=0, col=4)]}
    dice = {(1, 0, ARROW, 0): 2, (3, 0, ARROW, 0): 4}
    state = board("A...k ..... i....")
    battle = table.play(state, rules, actions, dice=dice)
    assert [event for event in battle.trace if event[1] >= 200] == [
        (1, 200, ENGLISH, 0, 0, 0, 1, -1, 0, 0),
        (2, 200, FRENCH, 0, 0, 0, 1, -1, 0, 0),
        (3, 200, ENGLISH, 0, 1, 0, 1, FRENCH, 0, 0),
        (4, 200, FRENCH, 0, 1, 0, 1, FRENCH, 0, 0),
        (4, 300, ENGLISH_WIN, -1, -1, -1, -1, -1, -1, -1),
    ]
    assert "lost so far: English 0, French 1; margin 0; outcome: english" in table.events[-1].text


# The board as drawn


def test_the_board_is_drawn() -> None:
    state = board("KF.IAXC ..|#^=h kf@iaxc", "~~....h ....... ..@....")
    assert draw(state).splitlines() == [
        "    0",
        "    0123456",
        "  0 KF.IAXC",
        "  1 ..|#^=h",
        "  2 kf@iaxc",
    ]
    assert draw(board("~=K", "=~.")).splitlines()[-1] == "  0 ++K"
    assert draw(board("C@c", "@.@")).splitlines()[-1] == "  0 C@c"
    wide = draw(board("." * 23)).splitlines()
    assert wide[:2] == ["    0         1         2", "    01234567890123456789012"]


# Players who do anything legal


class AnyPlayers:
    """Players who pick any legal action at random, and divide fights in some legal way."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self.rules, self.rng = rules, np.random.default_rng(seed)

    def begin(self, state: State, _rules: Any, _doctrine: Any, _plan: Any, side: int, _turn: int) -> None:
        own = [piece for piece in range(int(state.count)) if state.pieces[SIDE, piece] == side]
        self.waiting = [int(piece) for piece in self.rng.permutation(own)]
        self.shooting = True

    def propose(self, state: State, _rules: Any, _doctrine: Any, plan: Any) -> bool:
        while self.waiting:
            piece = self.waiting.pop()
            if state.pieces[ALIVE, piece]:
                choices = list(self.choices(state, piece))
                action = choices[self.rng.integers(len(choices))]
                self.shooting = self.shooting and action.what in (STAY, SHOOT, FIRE)
                plan.action[:] = action
                return True
        return False

    def choices(self, state: State, piece: int) -> Iterable[Action]:
        rules, pieces = self.rules, state.pieces
        yield act(STAY, piece)
        here = (int(pieces[ROW, piece]), int(pieces[COL, piece]))
        facing = int(self.rng.integers(8))
        for row, col in sorted(legal_destinations(state, rules, piece, int(state.tally[MUD_FACTOR]))):
            yield act(MOVE, piece, row=row, col=col, facing=facing)
        if pieces[KIND, piece] == CANNON:
            turn = act(MOVE, piece, row=here[0], col=here[1], facing=facing)
            yield from [turn] if is_legal(state, rules, turn) else []
        if self.shooting or not rules.shoot_first:
            for target in sorted(legal_targets(state, rules, piece)):
                yield act(SHOOT, piece, row=int(pieces[ROW, target]), col=int(pieces[COL, target]))
            for row, col in sorted(legal_cannon_squares(state, rules, piece)):
                yield act(FIRE, piece, row=row, col=col, dice=int(self.rng.integers(1, rules.cannon_dice + 1)))
        if pieces[KIND, piece] == KNIGHT and pieces[DISMOUNTS, piece]:
            yield act(DISMOUNT, piece)
        stakes = [(here[0] + row, here[1] + col) for row in (-1, 0, 1) for col in (-1, 0, 1)]
        plans = [act(PLANT, piece, stake_row=row, stake_col=col) for row, col in stakes]
        yield from (wish for wish in plans if is_legal(state, rules, wish))

    def divide(self, state: State, _rules: Any, plan: Any) -> int:
        fight_of, count = some_division(state)
        plan.fight_of[: state.count] = fight_of
        return count


def is_legal(state: State, rules: Rules, action: Action) -> bool:
    try:
        judge_action(Field(state), rules, int(state.tally[MUD_FACTOR]), action)
    except IllegalAction:
        return False
    return True


def check_board(state: State, start: State) -> None:
    """One piece a square, nobody where the rules forbid it, all pieces accounted for, all records of a piece agree."""
    pieces, count = state.pieces, int(state.count)
    squares = {
        (int(pieces[ROW, piece]), int(pieces[COL, piece])): piece for piece in range(count) if pieces[ALIVE, piece]
    }
    assert len(squares) == pieces[ALIVE, :count].sum()
    for row in range(int(state.height)):
        for col in range(int(state.width)):
            piece = squares.get((row, col), -1)
            assert state.at[row, col] == piece
            for side in (0, 1):
                assert has(state, BY_ENGLISH + side, row, col) == (piece >= 0 and pieces[SIDE, piece] == side)
            if piece >= 0:
                assert not has(state, STAKE, row, col)
                assert not has(state, WOOD, row, col)
                sheltered = has(state, HOUSE, row, col) or has(state, CASTLE, row, col)
                assert not (sheltered and pieces[KIND, piece] == KNIGHT)
    sides, lives = pieces[SIDE, :count], pieces[ALIVE, :count]
    for side in (0, 1):
        assert state.tally[LOST + side] == ((sides == side) & (lives == 0)).sum()
        carried = start.pieces[STAKES, :count][sides == side].sum() - pieces[STAKES, :count][sides == side].sum()
        assert state.tally[PLANTED + side] == carried
        thrown = (start.pieces[KIND, :count] == KNIGHT) & (pieces[KIND, :count] == FOOT_KNIGHT) & (sides == side)
        assert state.tally[UNHORSED + side] <= thrown.sum()
    stakes = [sum(int(word).bit_count() for word in board.rows[STAKE]) for board in (start, state)]
    assert stakes[1] - stakes[0] == state.tally[PLANTED] + state.tally[PLANTED + 1]


def check_story(events: list[Event], battle: Battle) -> None:
    """Every event follows a rule that exists; turns ascend; the trace has its ten fields and one result."""
    assert {event.rule for event in events} <= set(default_rulebook().ids)
    turns = [event.turn for event in events]
    assert turns == sorted(turns)
    assert all(event.side == ("" if event.turn == 0 else battle_side(battle, event.turn)) for event in events)
    assert {len(fields) for fields in battle.trace} == {10}
    assert [fields[1] for fields in battle.trace].count(300) == 1
    assert battle.trace[-1][:3] == (battle.metrics()["turns"], 300, battle.ending.outcome)
    assert [fields[0] for fields in battle.trace if fields[1] == 200] == list(range(1, battle.metrics()["turns"] + 1))


def battle_side(battle: Battle, turn: int) -> str:
    return ("english", "french")[(battle.metrics()["first_mover"] + turn - 1) % 2]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(state=boards(), rules=any_rules(), seed=st.integers(0, 1000), fixed_mud=st.integers(-1, 5))
def test_any_legal_play_keeps_the_board_in_order(
    monkeypatch: pytest.MonkeyPatch, state: State, rules: Rules, seed: int, fixed_mud: int
) -> None:
    rules = rules._replace(turn_limit=min(rules.turn_limit, 8))
    players = AnyPlayers(rules, seed)
    for name in ("begin", "propose", "divide"):
        monkeypatch.setattr(orders, name, getattr(players, name))
    battle = Battle(setup_of(state, rules, fixed_mud), seed, 3)
    events = []
    for event in battle.play():
        events.append(event)
        if event.board:
            check_board(battle.state, state)
    check_story(events, battle)
    assert battle.metrics()["turns"] <= 2 * rules.turn_limit


# Real players


@pytest.fixture(scope="module")
def real() -> Setup:
    return compile_setup(default_rulebook(), load_scenario("azincourt_1415"))


@pytest.mark.parametrize("number", range(4))
def test_a_real_battle(real: Setup, number: int) -> None:
    battle = Battle(real, 2024, number)
    events = []
    for event in battle.play():
        events.append(event)
        if event.board:
            check_board(battle.state, real.start)
    check_story(events, battle)
    assert battle.metrics()["turns"] > 2
    assert all(len(line) <= 80 for line in replay_lines(events))
    assert judge_battle(real, 2024, number) == {
        "outcome": battle.ending.outcome,
        **battle.metrics(),
        "trace": battle.trace,
    }
    assert list(referee.referee(real, 2024, number)) == events


def test_battles_differ_by_number_and_key(real: Setup) -> None:
    traces = [judge_battle(real, key, number)["trace"] for key, number in ((1, 0), (1, 1), (2, 0))]
    assert traces[0] != traces[1]
    assert traces[0] != traces[2]
