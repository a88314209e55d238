"""Battles of Azincourt for tests: both implementations in one form, single turns, and random setups of small boards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from tests.azincourt_boards import boards, default_rulebook, rules_with
from wargamesim.games.azincourt import battle, layout, orders
from wargamesim.games.azincourt.doctrine import DOCTRINE, PARAMETERS, Doctrine, compile_doctrine
from wargamesim.games.azincourt.game import GAME
from wargamesim.games.azincourt.judge import Action
from wargamesim.games.azincourt.layout import CASTLE, HOUSE, KIND, SIDE, STAKES, State
from wargamesim.games.azincourt.orders import DISMOUNT, MOVE
from wargamesim.games.azincourt.plan import PLAN
from wargamesim.games.azincourt.rules import ARCHER, CANNON, ENGLISH, FOOT_KNIGHT, KNIGHT, RULES, Rules
from wargamesim.games.azincourt.scenario import Setup
from wargamesim.games.azincourt.state import lift, plant, put, replace
from wargamesim.games.doctrines import Parameter
from wargamesim.records import new_record, pack

# Room for the events of any battle in the tests.
ROOM = 40_000


def setup_of(state: State, rules: Rules, doctrines: tuple[Doctrine, Doctrine] | None = None, mud: int = -1) -> Setup:
    """Make a setup of a position; by default both sides stand where they are and shoot."""
    sides = state.pieces[SIDE, : state.count].tolist()
    still = compile_doctrine({"min_odds": 1.0})
    return Setup(rules, state, doctrines or (still, still), mud, (sides.count(0), sides.count(1)))


def play_one(setup: Setup, key: int, number: int) -> dict[str, Any]:
    """Play one battle with the kernel, and return it in the form of `referee.judge_battle`."""
    columns = GAME.play(setup, key, number, 1)
    _, trace = battle.play(setup, key, number, 1, events=ROOM)
    assert len(trace) < ROOM
    return {name: int(column[0]) for name, column in columns.items()} | {"trace": list(map(tuple, trace.tolist()))}


def state_after(setup: Setup, key: int, number: int, turns: int) -> tuple[State, int]:
    """Return the kernel's position after at most so many turns of either side, and its outcome.

    The dice depend on the event alone, so a lower limit of turns cuts a battle short and changes nothing before.
    """
    rules: Any = setup.rules._replace(turn_limit=turns)
    english, french = (pack(doctrine, DOCTRINE) for doctrine in setup.doctrines)
    state, plan = new_record(layout.STATE), new_record(PLAN)
    records, trace = np.zeros((1, battle.RECORD), np.int64), np.zeros((0, battle.TRACE_FIELDS), np.int64)
    battle.play_battles(
        pack(rules, RULES),
        setup.start,
        state,
        plan,
        english,
        french,
        setup.fixed_mud,
        np.uint64(key),
        number,
        records,
        trace,
    )
    return state, int(records[0, 0])


def turn_of(
    state: State, values: dict[str, Any], rules: Rules | None = None, side: int = ENGLISH, turn: int = 1
) -> list[Action]:
    """Return what a side does in one turn; shots miss, all else happens."""
    packed: Any = pack(rules or rules_with(), RULES)
    doctrine: Any = pack(compile_doctrine(values), DOCTRINE)
    memory: Any = new_record(PLAN)
    acted = []
    orders.begin(state, packed, doctrine, memory, side, turn)
    while orders.propose(state, packed, doctrine, memory):
        action = Action(*memory.action.tolist())
        acted.append(action)
        if action.what == MOVE:
            lift(state, action.piece)
            put(state, action.piece, *action.square)
        if action.what == DISMOUNT:
            replace(state, action.piece, FOOT_KNIGHT)
        if action.stake_row >= 0:
            plant(state, *action.stake)
    assert len({action.piece for action in acted}) == len(acted)
    return acted


def moves(acted: list[Action]) -> dict[int, tuple[int, int]]:
    """Return who moves where."""
    return {action.piece: action.square for action in acted if action.what == MOVE}


def _values(parameter: Parameter) -> st.SearchStrategy[Any]:
    if parameter.words:
        return st.sampled_from(parameter.words)
    if isinstance(parameter.default, bool):
        return st.booleans()
    if isinstance(parameter.default, float):
        return st.floats(parameter.low, parameter.high)
    # On small boards and in short battles small numbers tell most.
    return st.integers(int(parameter.low), min(int(parameter.high), 12)) | st.integers(
        int(parameter.low), int(parameter.high)
    )


@st.composite
def doctrines(draw: st.DrawFn) -> Doctrine:
    """Any doctrine at all; most of them make some army attack."""
    values = draw(st.fixed_dictionaries({}, optional={name: _values(each) for name, each in PARAMETERS.items()}))
    if draw(st.booleans()):
        values |= {"foot": "advance", "min_odds": draw(st.floats(0.0, 0.4))}
    return compile_doctrine(values)


# Numbers far from the default, beside those of `azincourt_boards.NUMBERS`: the ends of their ranges too.
NUMBERS: dict[str, st.SearchStrategy[Any]] = {
    **{f"pieces.{kind}.speed": st.sampled_from([0, 1, 2, 3, 6, 30]) for kind in ("knight", "archer", "cannon")},
    **{f"pieces.{kind}.value": st.sampled_from([0, 1, 2, 5, 30]) for kind in ("knight", "foot_knight", "archer")},
    "pieces.infantry.speed": st.sampled_from([0, 1, 4, 30]),
    "pieces.archer.range": st.sampled_from([0, 1, 2, 8, 60]),
    "pieces.crossbow.range": st.sampled_from([0, 1, 2, 8, 60]),
    "pieces.cannon.range": st.sampled_from([0, 1, 3, 8, 60]),
    "mud.die": st.sampled_from([2, 3, 8, 100]),
    "mud.slowest": st.sampled_from([0, 1, 3, 30]),
    "arrow.die": st.sampled_from([5, 6, 8, 100]),
    "melee.die": st.sampled_from([2, 4, 8, 100]),
    "cannon.die": st.sampled_from([2, 4, 8, 100]),
    "cannon.dice_max": st.integers(1, 6),
    "cannon.blast_radius": st.integers(0, 3),
    "cannon.sector_half_angle": st.sampled_from([0.0, 22.5, 30.0, 45.0, 90.0, 135.0, 180.0]),
    "terrain.road.squares": st.sampled_from([1, 2, 3, 5, 8]),
    "terrain.road.bonus": st.sampled_from([0, 1, 2, 3, 30]),
    "terrain.mountain.climb": st.sampled_from([0, 1, 2, 4, 30]),
    "terrain.house.bonus": st.sampled_from([0, 1, 3, 30]),
    "terrain.castle.bonus": st.sampled_from([0, 1, 3, 30]),
    "end.points_per_piece": st.integers(1, 3),
    "end.margin": st.sampled_from([0, 1, 2, 4, 8, 1000]),
    "end.last_moves": st.integers(0, 3),
    "end.small_margin": st.sampled_from([0, 1, 2, 4, 1000]),
    "end.small_moves": st.integers(0, 3),
    "end.half": st.sampled_from([0.0, 0.2, 0.5, 1.0]),
}


@st.composite
def all_rules(draw: st.DrawFn, always: Sequence[str] = ()) -> Rules:
    """Rules with any readings and some numbers anywhere in their ranges; battles end within 20 turns a side.

    The numbers in `always` are drawn each time, others now and then.
    """
    readings = default_rulebook().readings
    changes: dict[str, Any] = {rule: draw(st.sampled_from(sorted(readings[rule].options))) for rule in readings}
    more = draw(st.lists(st.sampled_from(sorted(NUMBERS)), unique=True, max_size=6))
    changes |= {path: draw(NUMBERS[path]) for path in sorted({*always, *more})}
    if changes.get("arrow.die") == 5:
        changes["AZ-4.5"] = "literal"  # There is no 6 to hit with.
    return rules_with({**changes, "end.turn_limit": draw(st.integers(1, 20))})


# Small boards, and boards as long or as wide as a word of bits allows.
SIZES = [((2, 8), (2, 8)), ((2, 14), (2, 14)), ((1, 2), (50, 62)), ((50, 62), (1, 2))]


def _rearm(state: State, kind: int | None, castles: bool) -> None:
    """Turn every other piece on foot into one kind, and houses into castles."""
    if kind is not None:
        for piece in range(0, int(state.count), 2):
            if state.pieces[KIND, piece] != KNIGHT:
                state.pieces[KIND, piece] = kind
                state.pieces[STAKES, piece] = int(kind == ARCHER)
    if castles:
        for words in (state.rows, state.cols):
            words[CASTLE] |= words[HOUSE]
            words[HOUSE] = 0


@st.composite
def setups(
    draw: st.DrawFn, sizes: Sequence[tuple[tuple[int, int], tuple[int, int]]] = SIZES, always: Sequence[str] = ()
) -> Setup:
    """A position, rules (see `all_rules`) and doctrines, all random; in some there are many cannons, or archers."""
    rows, cols = draw(st.sampled_from(sizes))
    state, rules = draw(boards(rows, cols)), draw(all_rules(always))
    _rearm(state, draw(st.sampled_from([None, CANNON, ARCHER])), draw(st.booleans()))
    players = (draw(doctrines()), draw(doctrines()))
    mud = draw(st.sampled_from([-1, -1, 0, 1, 5]))
    return setup_of(state, rules, players, mud)
