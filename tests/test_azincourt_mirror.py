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
from tests.azincourt_boards import default_rulebook
from wargamesim import records
from wargamesim.dice.keys import battle_key
from wargamesim.games.azincourt import layout, orders
from wargamesim.games.azincourt.doctrine import DOCTRINE
from wargamesim.games.azincourt.game import GAME
from wargamesim.games.azincourt.layout import (
    BY_ENGLISH,
    BY_FRENCH,
    FACING,
    LOST,
    MUD_FACTOR,
    ROW,
    SIDE,
    STAKE,
    STAKES,
    State,
)
from wargamesim.games.azincourt.orders import (
    DISMOUNT,
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
from wargamesim.games.azincourt.rules import ENGLISH, ENGLISH_WIN, FOOT_KNIGHT, FRENCH, FRENCH_WIN, RULES, SIDES, SOUTH
from wargamesim.games.azincourt.scenario import Setup, compile_setup, load_scenario
from wargamesim.games.azincourt.state import lift, plant, put, replace
from wargamesim.study.intervals import normal_quantile, wilson


def partners(state: State) -> list[int]:
    """Return the number of each piece in the mirror."""
    english = state.pieces[SIDE, : state.count].tolist().count(ENGLISH)
    french = int(state.count) - english
    return [piece + french if piece < english else piece - english for piece in range(state.count)]


def mirrored(state: State) -> State:
    """Return the position in the mirror."""
    height, width, count = int(state.height), int(state.width), int(state.count)
    image, partner = layout.new_state(height, width, count), partners(state)
    planes = [BY_FRENCH, BY_ENGLISH, *range(STAKE, layout.PLANES)]
    image.rows[:, :height] = state.rows[planes, :height][:, ::-1]
    for col in range(width):
        column = (image.rows[:, :height] >> np.uint64(col)) & np.uint64(1)
        image.cols[:, col] = (column << np.arange(height, dtype=np.uint64)).sum(axis=1, dtype=np.uint64)
    at = state.at[:height, :width][::-1]
    image.at[:height, :width] = np.where(at >= 0, np.array(partner)[at], -1)
    image.pieces[:, partner] = state.pieces[:, :count]
    image.pieces[ROW, :count] = height - 1 - image.pieces[ROW, :count]
    image.pieces[SIDE, :count] = 1 - image.pieces[SIDE, :count]
    image.pieces[FACING, :count] = (SOUTH - image.pieces[FACING, :count]) % 8
    image.tally[:MUD_FACTOR] = state.tally[:MUD_FACTOR].reshape(-1, 2)[:, ::-1].ravel()
    image.tally[MUD_FACTOR:] = state.tally[MUD_FACTOR:]
    return image


def mirrored_action(state: State, action: list[int]) -> list[int]:
    last, seen = int(state.height) - 1, list(action)
    seen[PIECE] = partners(state)[action[PIECE]]
    for field in (TO_ROW, STAKE_ROW):
        if action[field] >= 0:
            seen[field] = last - action[field]
    # A facing means something for cannons that move; other actions leave it at -1.
    if action[TO_FACING] >= 0:
        seen[TO_FACING] = (SOUTH - action[TO_FACING]) % 8
    return seen


class Player:
    """A side's player and the position it looks at."""

    def __init__(self, setup: Setup, state: State, side: int, turn: int) -> None:
        self.state, self.rules = state, records.pack(setup.rules, RULES)
        self.doctrine: Any = records.pack(setup.doctrines[side], DOCTRINE)
        self.plan: Any = records.new_record(PLAN)
        orders.begin(state, self.rules, self.doctrine, self.plan, side, turn)

    def action(self) -> list[int] | None:
        proposed = orders.propose(self.state, self.rules, self.doctrine, self.plan)
        return self.plan.action.tolist() if proposed else None

    def fights(self) -> list[int]:
        orders.divide(self.state, self.rules, self.plan)
        return self.plan.fight_of[: self.state.count].tolist()


def exchanged(setup: Setup) -> Setup:
    """Return the setup in the mirror: the French play as the English did."""
    return Setup(
        setup.rules, mirrored(setup.start), setup.doctrines[::-1], setup.fixed_mud, (setup.fielded[1], setup.fielded[0])
    )


def remove(state: State, piece: int) -> None:
    lift(state, piece)
    state.tally[LOST + state.pieces[SIDE, piece]] += 1


def carry_out(state: State, action: list[int], hits: bool) -> None:
    """Carry an action out; an arrow removes its target or does nothing, and cannons always miss."""
    piece = action[PIECE]
    if action[WHAT] == MOVE:
        lift(state, piece)
        put(state, piece, action[TO_ROW], action[TO_COL])
        if action[TO_FACING] >= 0:
            state.pieces[FACING, piece] = action[TO_FACING]
    elif action[WHAT] == SHOOT and hits:
        remove(state, int(state.at[action[TO_ROW], action[TO_COL]]))
    elif action[WHAT] == DISMOUNT:
        replace(state, piece, FOOT_KNIGHT)
    if action[STAKE_ROW] >= 0:
        plant(state, action[STAKE_ROW], action[STAKE_COL])
        state.pieces[STAKES, piece] -= 1


def play_in_step(setup: Setup, side: int, turns: int, seed: int) -> set[int]:
    """Let two players and their reflections take turns in step; return what kinds of action there were.

    Chance decides who falls, the same on both boards. The dice of a real battle would not do: they belong to the
    numbers of the pieces, which are other ones in the mirror.
    """
    rng = np.random.default_rng(seed)
    setups_seen = (setup, exchanged(setup))
    state, image = (records.copy(each.start) for each in setups_seen)
    state.tally[MUD_FACTOR] = image.tally[MUD_FACTOR] = max(setup.fixed_mud, 0)
    partner, kinds = partners(state), set()
    for turn in range(1, turns + 1):
        player, reflection = Player(setup, state, side, turn), Player(setups_seen[1], image, 1 - side, turn)
        while (action := player.action()) is not None:
            seen = reflection.action()
            assert seen == mirrored_action(state, action)
            kinds.add(action[WHAT])
            hits = bool(rng.integers(2))
            carry_out(state, action, hits)
            carry_out(image, seen, hits)
        assert reflection.action() is None
        fights, fights_seen = player.fights(), reflection.fights()
        assert [fights_seen[partner[piece]] for piece in range(state.count)] == fights
        for piece in np.flatnonzero(np.array(fights) >= 0).tolist():
            if rng.integers(3) == 0:
                remove(state, piece)
                remove(image, partner[piece])
        assert mirrored(state) == image
        side = 1 - side
    return kinds


@settings(max_examples=60)
@given(setup=setups(), side=st.sampled_from([ENGLISH, FRENCH]), seed=st.integers(0, 1000))
def test_players_do_not_know_north_from_south(setup: Setup, side: int, seed: int) -> None:
    play_in_step(setup, side, 8, seed)


@pytest.mark.parametrize("number", range(15))
def test_shipped_players_do_not_know_north_from_south(number: int) -> None:
    scenario = load_scenario("azincourt_1415")

    def level(key: str, at: int) -> str:
        names = scenario.levels(key)
        assert names
        return names[at % len(names)]

    chosen = {
        f"{side}.{what}": level(f"{side}.{what}", number) for side in SIDES for what in ("doctrine", "deployment")
    }
    setup = compile_setup(default_rulebook(), scenario.variant({**chosen, "mud": number % 4}))
    kinds = play_in_step(setup, number % 2, 24, number)
    assert {MOVE, SHOOT} <= kinds


# The chance that one of the four tests below fails though nothing is wrong is FAMILY.
FAMILY = 1e-3
LEVEL = 1 - FAMILY / 4
BATTLES = 12_000


@pytest.fixture(scope="module")
def equal_armies() -> dict[str, Any]:
    setup = compile_setup(default_rulebook().variant({"AZ-2.5": "coin"}), load_scenario("mirror"))
    assert setup.doctrines[ENGLISH] == setup.doctrines[FRENCH]
    assert mirrored(setup.start) == setup.start
    return GAME.play(setup, battle_key(1415), 0, BATTLES)


def test_either_side_wins_as_often(equal_armies: dict[str, Any]) -> None:
    outcome = equal_armies["outcome"]
    english, french = int((outcome == ENGLISH_WIN).sum()), int((outcome == FRENCH_WIN).sum())
    interval = wilson(english, english + french, LEVEL)
    assert interval.low < 0.5 < interval.high
    assert interval.high - interval.low < 0.07


def same_share(one: Any, other: Any) -> bool:
    """Tell whether the shares of two samples of yes and no agree at the level."""
    pooled = np.concatenate([one, other]).mean()
    error = np.sqrt(pooled * (1 - pooled) * (1 / len(one) + 1 / len(other)))
    return bool(abs(one.mean() - other.mean()) < normal_quantile(LEVEL) * error)


def test_the_first_move_is_worth_the_same_to_both(equal_armies: dict[str, Any]) -> None:
    outcome, first = equal_armies["outcome"], equal_armies["first_mover"]
    wins = [outcome[first == side] == side for side in (ENGLISH, FRENCH)]
    losses = [outcome[first == side] == 1 - side for side in (ENGLISH, FRENCH)]
    assert same_share(*wins)
    assert same_share(*losses)
    # So sharp a test must see that the first move is worth something.
    assert not same_share(np.concatenate(wins), np.concatenate(losses))


def test_both_sides_lose_as_much(equal_armies: dict[str, Any]) -> None:
    difference = equal_armies["english_losses"].astype(float) - equal_armies["french_losses"]
    assert abs(difference.mean()) < normal_quantile(LEVEL) * difference.std() / np.sqrt(BATTLES)
