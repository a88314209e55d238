"""The game as others see it: columns of battles that depend on key and number alone, played side by side."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.azincourt_battles import play_one, setups
from tests.azincourt_boards import default_rulebook
from wargamesim.dice.keys import battle_key
from wargamesim.games.azincourt.game import GAME
from wargamesim.games.azincourt.referee import judge_battle
from wargamesim.games.azincourt.scenario import Setup, compile_setup, load_scenario
from wargamesim.games.registry import Event, get

KEY = battle_key(7)
Columns = dict[str, npt.NDArray[np.integer]]


@pytest.fixture(scope="module")
def setup() -> Setup:
    return compile_setup(default_rulebook(), load_scenario("azincourt_1415"))


def same(one: Columns, other: Columns) -> bool:
    return list(one) == list(other) and all(one[name].tobytes() == other[name].tobytes() for name in one)


def joined(parts: list[Columns]) -> Columns:
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def test_the_registry_knows_it() -> None:
    assert get("azincourt") is GAME
    assert GAME.sides == ("english", "french")
    assert GAME.outcomes == ("english", "french", "draw", "no_decision")


def test_columns(setup: Setup) -> None:
    played = GAME.play(setup, KEY, 3, 50)
    assert list(played) == ["outcome", *(metric.name for metric in GAME.metrics)]
    assert {name: column.dtype.name for name, column in played.items()} == {
        "outcome": "int8",
        **{metric.name: "int16" for metric in GAME.metrics},
    }
    assert all(column.shape == (50,) for column in played.values())
    assert set(played["outcome"].tolist()) <= {0, 1, 2, 3}
    assert set(played["mud"].tolist()) <= set(range(6))
    assert set(played["first_mover"].tolist()) == {0, 1}
    assert ((played["turns"] >= 1) & (played["turns"] <= 2 * setup.rules.turn_limit)).all()
    for side, fielded in zip(GAME.sides, setup.fielded, strict=True):
        assert (played[f"{side}_losses"] <= fielded).all()
        assert (played[f"{side}_own_shot"] <= played[f"{side}_losses"]).all()


def test_metrics_say_what_they_are() -> None:
    for metric in GAME.metrics:
        assert metric.unit
        assert metric.text
    texts = {metric.name: metric.text for metric in GAME.metrics}
    assert "AZ-2.1" in texts["mud"]
    assert "AZ-7.1" in texts["french_losses"]


def test_no_battles(setup: Setup) -> None:
    played = GAME.play(setup, KEY, 0, 0)
    assert all(column.shape == (0,) for column in played.values())


@pytest.mark.parametrize("sizes", [[1] * 30, [30], [7, 1, 22], [29, 1]])
def test_any_split_plays_the_same_battles(setup: Setup, sizes: list[int]) -> None:
    starts = np.cumsum([0, *sizes[:-1]])
    parts = [GAME.play(setup, KEY, 100 + int(start), size) for start, size in zip(starts, sizes, strict=True)]
    assert same(joined(parts), GAME.play(setup, KEY, 100, 30))


@settings(max_examples=40)
@given(setup=setups(), key=st.integers(0, 2**64 - 1), first=st.integers(0, 2**40), split=st.integers(0, 8))
def test_a_battle_leaves_no_trace_in_the_next(setup: Setup, key: int, first: int, split: int) -> None:
    start = setup.start.tobytes()
    whole = GAME.play(setup, key, first, 8)
    assert same(joined([GAME.play(setup, key, first, split), GAME.play(setup, key, first + split, 8 - split)]), whole)
    assert setup.start.tobytes() == start


def test_battles_and_keys_differ(setup: Setup) -> None:
    played = GAME.play(setup, KEY, 0, 200)
    rows = {tuple(int(column[i]) for column in played.values()) for i in range(200)}
    assert len(rows) > 190
    assert not same(played, GAME.play(setup, battle_key(8), 0, 200))
    assert not same(played, GAME.play(setup, battle_key(7, 1), 0, 200))
    assert not same(played, GAME.play(setup, KEY, 1, 200))
    # The neighbours overlap.
    assert same({k: v[1:] for k, v in played.items()}, GAME.play(setup, KEY, 1, 199))


def test_large_keys_and_numbers(setup: Setup) -> None:
    key, number = 2**64 - 1, 2**40
    assert play_one(setup, key, number) == judge_battle(setup, key, number)


def test_threads_play_the_same_bytes_as_one(setup: Setup) -> None:
    whole = GAME.play(setup, KEY, 0, 400)
    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(lambda first: GAME.play(setup, KEY, first, 25), range(0, 400, 25)))
    assert same(joined(parts), whole)


def test_the_kernel_lets_other_threads_run(setup: Setup) -> None:
    GAME.play(setup, KEY, 0, 1)
    started, ended = threading.Event(), threading.Event()

    def play() -> None:
        started.set()
        GAME.play(setup, KEY, 0, 3000)
        ended.set()

    thread = threading.Thread(target=play)
    thread.start()
    started.wait()
    turns = 0
    while not ended.is_set():
        turns += 1
        time.sleep(0.001)
    thread.join()
    # A kernel that kept the lock would let this thread run once or twice, before it begins and after.
    assert turns > 20


def test_the_referee_tells_the_same_battle(setup: Setup) -> None:
    events = list(GAME.referee(setup, KEY, 5))
    assert all(isinstance(event, Event) for event in events)
    assert {event.rule for event in events} <= set(default_rulebook().ids)
    played = GAME.play(setup, KEY, 5, 1)
    assert events[-1].turn == played["turns"][0]
    assert events[-1].text.endswith(f"outcome: {GAME.outcomes[played['outcome'][0]].replace('_', ' ')}")


def test_scenarios_and_setups() -> None:
    assert GAME.scenarios() == ["azincourt_1415", "mirror"]
    scenario = GAME.load_scenario("mirror")
    assert GAME.restore_scenario(scenario.source).fingerprint == scenario.fingerprint
    changed = GAME.compile(default_rulebook(), scenario.variant({"mud": 2}))
    assert set(GAME.play(changed, KEY, 0, 20)["mud"].tolist()) == {2}


def test_odds() -> None:
    table = GAME.odds(default_rulebook(), "mud", {})
    assert GAME.questions
    assert len(table.rows) == 6
