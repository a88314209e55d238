"""Neither side has an advantage but its pieces: with both sides exchanged in the mirror, everything is exchanged.

The mirror exchanges north and south, and with them the armies: row r becomes the last row less r, an English piece the
French piece of the same number within its army, a facing its reflection.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.azincourt_battles import setups
from tests.azincourt_boards import default_rulebook, make_state
from wargamesim.dice.keys import battle_key
from wargamesim.games.azincourt import layout, orders
from wargamesim.games.azincourt.doctrine import DOCTRINE
from wargamesim.games.azincourt.game import GAME
from wargamesim.games.azincourt.layout import FACING, FIELDS, MUD_FACTOR, ROW, SIDE, STAKE, State
from wargamesim.games.azincourt.orders import (
    DISMOUNT,
    FIRE,
    MOVE,
    PIECE,
    SHOOT,
    STAKE_COL,
    STAKE_ROW,
    TO_COL,
    TO_FACING,
    TO_ROW,
    WHAT,
)
from wargamesim.games.azincourt.plan import PLAN
from wargamesim.games.azincourt.rules import DRAW, ENGLISH, ENGLISH_WIN, FOOT_KNIGHT, FRENCH, FRENCH_WIN, RULES
from wargamesim.games.azincourt.scenario import Setup, compile_setup, load_scenario
from wargamesim.games.azincourt.state import has, lift, plant, put, replace
from wargamesim.study.intervals import wilson


def partners(state: State) -> list[int]:
    """Return the number of each piece in the mirror."""
    english = state.pieces[SIDE, : state.count].tolist().count(ENGLISH)
    french = int(state.count) - english
    return [piece + french if piece < english else piece - english for piece in range(state.count)]


def mirrored(state: State) -> State:
    """Return the position in the mirror."""
    last, partner = int(state.height) - 1, partners(state)
    squares = [(row, col) for row in range(state.height) for col in range(state.width)]
    terrain = {
        plane: [(last - row, col) for row, col in squares if has(state, plane, row, col)]
        for plane in range(STAKE, layout.PLANES)
    }
    pieces: list[dict[int, int]] = [{}] * int(state.count)
    for piece, other in enumerate(partner):
        fields = {field: int(state.pieces[field, piece]) for field in range(FIELDS)}
        fields[ROW], fields[SIDE] = last - fields[ROW], 1 - fields[SIDE]
        fields[FACING] = (4 - fields[FACING]) % 8
        pieces[other] = fields
    return make_state(int(state.height), int(state.width), terrain, pieces)


def mirrored_action(state: State, action: list[int]) -> list[int]:
    last, seen = int(state.height) - 1, list(action)
    seen[PIECE] = partners(state)[action[PIECE]]
    for field in (TO_ROW, STAKE_ROW):
        if action[field] >= 0:
            seen[field] = last - action[field]
    # A facing means something for cannons that move; other actions leave it at -1.
    if action[TO_FACING] >= 0:
        seen[TO_FACING] = (4 - action[TO_FACING]) % 8
    return seen


class Player:
    """A side's player and the position it looks at."""

    def __init__(self, setup: Setup, state: State, side: int, turn: int) -> None:
        self.state, self.rules = state, layout.pack(setup.rules, RULES)
        self.doctrine: Any = layout.pack(setup.doctrines[side], DOCTRINE)
        self.plan: Any = layout.new_record(PLAN)
        orders.begin(state, self.rules, self.doctrine, self.plan, side, turn)

    def action(self) -> list[int] | None:
        proposed = orders.propose(self.state, self.rules, self.doctrine, self.plan)
        return self.plan.action.tolist() if proposed else None

    def fights(self) -> list[int]:
        orders.divide(self.state, self.rules, self.plan)
        return self.plan.fight_of[: self.state.count].tolist()


def carry_out(state: State, action: list[int], hit: bool) -> None:
    """Carry out what moves pieces; an arrow that hits removes its target, whatever the dice; cannons miss."""
    piece = action[PIECE]
    if action[WHAT] == MOVE:
        lift(state, piece)
        put(state, piece, action[TO_ROW], action[TO_COL])
        if action[TO_FACING] >= 0:
            state.pieces[FACING, piece] = action[TO_FACING]
    elif action[WHAT] == SHOOT and hit:
        lift(state, int(state.at[action[TO_ROW], action[TO_COL]]))
    elif action[WHAT] == DISMOUNT:
        replace(state, piece, FOOT_KNIGHT)
    if action[STAKE_ROW] >= 0:
        plant(state, action[STAKE_ROW], action[STAKE_COL])
        state.pieces[layout.STAKES, piece] -= 1


def same_play(setup: Setup, side: int, turns: int, seed: int) -> int:
    """Let a side's player and the same player in the mirror play some turns in step; return how many acted."""
    rng = np.random.default_rng(seed)
    state, image = layout.copy(setup.start), mirrored(setup.start)
    partner = partners(state)
    exchanged = setup._replace_doctrines() if hasattr(setup, "_replace_doctrines") else _exchanged(setup)
    acted = 0
    for turn in range(1, turns + 1):
        player, other = Player(setup, state, side, turn), Player(exchanged, image, 1 - side, turn)
        while True:
            action, seen = player.action(), other.action()
            if action is None:
                assert seen is None
                break
            assert seen == mirrored_action(state, action)
            acted += 1
            hit = bool(rng.integers(2))
            carry_out(state, action, hit)
            carry_out(image, seen, hit)
        fights, seen_fights = player.fights(), other.fights()
        assert [seen_fights[partner[piece]] for piece in range(state.count)] == fights
        # The attackers lose, so that fronts change.
        for piece, fight in enumerate(fights):
            if fight >= 0 and state.pieces[SIDE, piece] == side and rng.integers(2):
                lift(state, piece)
                lift(image, partner[piece])
        side = 1 - side
    return acted
