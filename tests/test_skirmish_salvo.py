"""Fire at several targets: what hits leave of them, by brute force in fractions, and what that is worth."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest

from wargamesim.dice.pmf import PMF
from wargamesim.dice.pools import successes
from wargamesim.errors import InputError
from wargamesim.games.skirmish.rules import compile_rules
from wargamesim.games.skirmish.salvo import Means, after_hits, fallen, fallen_means, worth
from wargamesim.rulebook import Rulebook, load_rulebook

NA, RI = load_rulebook("nordamerica"), load_rulebook("risorgimento")
OPEN = np.array(0)


def same(result: object, exact: object) -> None:
    np.testing.assert_allclose(np.asarray(result, float), np.asarray(exact, float), rtol=0, atol=1e-12)


def test_a_target_after_each_number_of_hits() -> None:
    found = after_hits(compile_rules(NA), np.array([0, 1]), 2)
    assert found.shape == (2, 3, 4)
    same(found[0], [[1, 0, 0, 0], [0, F(1, 6), F(1, 2), F(1, 3)], [0, F(1, 36), F(1, 6), F(29, 36)]])
    same(found[1, 1], [0, F(1, 3), F(1, 2), F(1, 6)])
    same(found.sum(axis=-1), np.ones((2, 3)))


@pytest.mark.parametrize("wounds_out", [1, 2, 3])
def test_wounds_that_put_out(wounds_out: int) -> None:
    killed, wounded, near = F(1, 3), F(1, 2), F(1, 6)
    found = after_hits(compile_rules(NA.variant({"result.wounds_out": wounds_out})), OPEN, 5)
    state = {(False, 0): F(1)}
    for k in range(6):
        kept = {key: mass for key, mass in state.items() if key != "out"}
        exact = [
            kept.get((False, 0), 0),
            kept.get((True, 0), 0),
            sum(mass for key, mass in kept.items() if key[1]),
            state.get("out", 0),
        ]
        same(found[k], exact)
        after: dict = defaultdict(F)
        for key, mass in state.items():
            if key == "out":
                after["out"] += mass
                continue
            after["out"] += mass * killed
            after[(True, key[1])] += mass * near
            after["out" if key[1] + 1 == wounds_out else (True, key[1] + 1)] += mass * wounded
        state = after


def brute(book: Rulebook, hits: int, targets: int, suppressed: str) -> dict[tuple[int, int, int], F]:
    """Every way in which the hits fall and act, one by one."""
    effects = [("killed", F(1, 3)), ("wounded", F(1, 2)), ("near", F(1, 6))]
    spread = book.reading("NA-4.21") != "replace"
    ends: dict[tuple[int, int, int], F] = defaultdict(F)

    def fall(done: int, number: list[int], state: list[tuple[bool, int, bool]], weight: F) -> None:
        if done == hits:
            out = sum(each[2] for each in state)
            alive = [each for each in state if not each[2]]
            marked = sum(each[0] for each in alive)
            if suppressed == "always" or (suppressed == "if_hit" and hits):
                marked = len(alive)
            ends[out, sum(each[1] > 0 for each in alive), marked] += weight
            return
        least = [i for i in range(targets) if not spread or number[i] == min(number)]
        for i, (what, chance) in product(least, effects):
            _, wounds, dead = state[i]
            wounds += what == "wounded"
            dead = dead or what == "killed" or wounds == 2
            fall(
                done + 1,
                [n + (j == i) for j, n in enumerate(number)],
                [(True, wounds, dead) if j == i else each for j, each in enumerate(state)],
                weight * chance / len(least),
            )

    fall(0, [0] * targets, [(False, 0, False)] * targets, F(1))
    return ends


@pytest.mark.parametrize("suppressed", ["nobody", "if_hit", "always"])
@pytest.mark.parametrize("allocation", ["replace", "spread", "nearest_first"])
def test_hits_that_fall_by_brute_force(allocation: str, suppressed: str) -> None:
    book = NA.variant({"NA-4.21": allocation})
    for hits, targets in ((0, 2), (1, 3), (2, 2), (3, 2), (4, 3)):
        found = fallen(compile_rules(book), PMF.constant(hits), np.array(targets), OPEN, suppressed)  # type: ignore[arg-type]
        exact = np.zeros((targets + 1,) * 3)
        for end, mass in brute(book, hits, targets, suppressed).items():
            exact[end] = mass
        same(found.joint, exact)


@pytest.mark.parametrize("suppressed", ["nobody", "if_hit", "always"])
@pytest.mark.parametrize("allocation", ["replace", "spread"])
def test_means_without_the_joint_distribution(allocation: str, suppressed: str) -> None:
    rules = compile_rules(NA.variant({"NA-4.21": allocation}))
    hits, targets = successes([[3], [6]], 0.3), np.array([1, 2, 5])
    joint = fallen(rules, hits, targets, np.array(1), suppressed)  # type: ignore[arg-type]
    same(joint.joint.sum(axis=(-3, -2, -1)), np.ones((2, 3)))
    same(fallen_means(rules, hits, targets, np.array(1), suppressed), joint.means)  # type: ignore[arg-type]


def test_worth_at_the_next_test() -> None:
    marked = Means(np.array([0.0, 1.0]), np.array([0.0, 2.0]), np.array([4.0, 3.0]))
    found = worth(NA, marked, 10, 2)
    # Each of four is stopped with a chance of 1/2; the two wounded of three rout with 1/6 and are pinned with 1/2.
    same(found.activations, [2, F(3, 2)])
    same(found.men, [0, 1 + 1 + F(2, 6)])
    same(found.worth, [4, 10 * (2 + F(1, 3)) + 3])


def test_worth_of_all_tests() -> None:
    marked = Means(np.array(0.0), np.array(1.0), np.array(3.0))
    found = worth(NA, marked, 1, 1, modifier=1, all_tests=True)
    # Two at +1 are pinned half a time on average, the wounded one at 0 once; nobody routs.
    same([found.men, found.activations], [F(1, 2), 2])
    assert worth(NA, marked, [1, 2], [[1], [5], [9]]).worth.shape == (3, 2)


def test_bad_input() -> None:
    with pytest.raises(InputError, match=r"^modifier: must be integers, not 0\.5"):
        worth(NA, Means(np.array(0.0), np.array(0.0), np.array(1.0)), 1, 1, modifier=0.5)
