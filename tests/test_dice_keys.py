"""The key of an experiment's dice: known answers, distinct, typed, and cheap to import."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wargamesim.dice.keys import battle_key
from wargamesim.errors import InputError


def test_known_answers() -> None:
    """Written down: a key that changed would change every battle ever stored."""
    assert battle_key(0) == battle_key(0, None) == 15793235383387715774
    assert battle_key(0, 0) == 8668861027912758289
    assert battle_key(1) == 7434755675892716031
    assert battle_key(1, 24) == 10610922837065509842
    assert battle_key(2**200, 3) == 13654201106752094547


@given(st.integers(0, 2**130), st.integers(0, 10_000))
def test_is_that_of_seed_sequence(seed: int, cell: int) -> None:
    """Cell c has the key of the c-th child that NumPy's own seed sequence would spawn."""
    root = np.random.SeedSequence(seed)
    child = np.random.SeedSequence(seed, n_children_spawned=cell).spawn(1)[0]
    assert battle_key(seed) == root.generate_state(1, "uint64")[0]
    assert battle_key(seed, cell) == child.generate_state(1, "uint64")[0]


def test_seeds_and_cells_have_distinct_keys() -> None:
    """Two of 10,000 keys of 64 bits are equal by chance with a probability below 1e-11."""
    keys = {battle_key(seed, cell) for seed in range(100) for cell in (None, *range(99))}
    assert len(keys) == 100 * 100
    assert all(isinstance(key, int) and 0 <= key < 2**64 for key in keys)


def test_numpy_integers_are_integers() -> None:
    assert battle_key(np.int64(5), np.uint8(3)) == battle_key(5, 3)


@pytest.mark.parametrize("bad", [-1, 1.0, 0.5, "1", True, [1], None])
def test_a_seed_that_is_no_count(bad: object) -> None:
    with pytest.raises(InputError, match="seed: must be an integer of at least 0"):
        battle_key(bad)  # type: ignore[arg-type]
    if bad is not None:
        with pytest.raises(InputError, match="cell: must be an integer of at least 0"):
            battle_key(1, bad)  # type: ignore[arg-type]


def test_importing_it_compiles_nothing() -> None:
    code = "import sys, wargamesim.dice.keys; sys.exit('numba' in sys.modules or 'scipy' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
