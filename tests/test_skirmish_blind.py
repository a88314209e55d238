"""Blind fire: published values, readings, a sampler, bad input, and the question `blind`."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F

import numpy as np
import pytest
from scipy import stats

from wargamesim.errors import InputError
from wargamesim.games.skirmish import odds
from wargamesim.games.skirmish.blind import blind_fire, blind_hits
from wargamesim.games.skirmish.volley import volley
from wargamesim.rulebook import load_rulebook

NA, RI = load_rulebook("nordamerica"), load_rulebook("risorgimento")
DRY = NA.variant({"NA-4.2": "none"})
P_MIN, DRAWS = 1e-4, 200_000


def same(result: object, exact: object) -> None:
    np.testing.assert_allclose(np.asarray(result, float), np.asarray(exact, float), rtol=0, atol=1e-12)


def test_published_values() -> None:
    three, six = blind_hits(DRY, 3), blind_hits(DRY, 6)
    same([three.mean(), three.at_least(1)], [F(3, 10), F(271, 1000)])
    same([six.mean(), six.equal_to(0)], [F(3, 5), F(531441, 1000000)])
    same(blind_hits(DRY.variant({"NA-4.15": "one_ten"}), 3).p, [F(729, 1000), F(271, 1000)])
    same(blind_hits(NA, 6).mean(), F(1, 2))


def test_readings() -> None:
    top = DRY.variant({"NA-4.15": "top_face"})
    same(blind_hits(top, 3, ["musket", "pistol"]).mean(), [F(3, 10), F(1, 2)])
    same(blind_hits(NA.variant({"NA-4.22": "neither"}), 3).mean(), F(3, 10))
    same(blind_hits(NA.variant({"NA-4.2": "natural_one"}), 3).mean(), F(3, 10))
    same(blind_hits(DRY.variant({"blind.need": 9}), 3).mean(), F(3, 5))


def test_only_who_is_hit_is_marked() -> None:
    found = blind_fire(DRY, 3, 1, "open")
    hit = blind_hits(DRY, 3)
    same(found.joint[0, 0, 0], hit.equal_to(0))
    same(found.joint[0, 0, 1], F(1, 6) * hit.equal_to(1) + F(1, 36) * hit.equal_to(2) + F(1, 216) * hit.equal_to(3))
    nobody = blind_fire(NA, 3, 0)
    same(nobody.joint, [[[1]]])


def test_a_batch_is_a_loop_of_singles() -> None:
    n, hidden = np.array([[3], [5]]), np.array([1, 4])
    batch = blind_fire(NA, n, hidden)
    for i, j in np.ndindex(2, 2):
        size = int(hidden[j]) + 1
        same(batch.joint[i, j, :size, :size, :size], blind_fire(NA, int(n[i, 0]), int(hidden[j])).joint)
    same(batch.joint.sum(axis=(-3, -2, -1)), np.ones((2, 2)))


def test_sampled_blind_fire() -> None:
    """Five shooters with misfires, two men hidden in a wood."""
    rng = np.random.default_rng(3)
    hit = (rng.integers(1, 7, (5, DRAWS)) > 1) & (rng.integers(1, 11, (5, DRAWS)) == 10)
    victim, result = rng.integers(0, 2, (5, DRAWS)), rng.integers(1, 7, (5, DRAWS)) + 1
    mine = [hit & (victim == i) for i in range(2)]
    wounds = [(each & (result >= 3) & (result <= 5)).sum(axis=0) for each in mine]
    dead = [(each & (result <= 2)).any(axis=0) | (w >= 2) for each, w in zip(mine, wounds, strict=True)]
    out = dead[0].astype(int) + dead[1]
    wounded = sum((w > 0) & ~d for w, d in zip(wounds, dead, strict=True))
    marked = sum(each.any(axis=0) & ~d for each, d in zip(mine, dead, strict=True))
    joint = blind_fire(NA, 5, 2).joint
    for end in np.ndindex(3, 3, 3):
        seen = int(((out == end[0]) & (wounded == end[1]) & (marked == end[2])).sum())
        assert stats.binomtest(seen, DRAWS, min(float(joint[end]), 1.0)).pvalue > P_MIN


def test_the_question() -> None:
    table = odds.answer(NA, "blind", {"shooters": "5:6", "hidden": "2,3"})
    assert [(row["shooters"], row["fire"], row["hidden"]) for row in table.records()] == [
        *((5, "blind fire", 2), (5, "blind fire", 3)),
        *((6, "blind fire", 2), (6, "blind fire", 3), (6, "blind volley", 2), (6, "blind volley", 3)),
    ]
    same(table.rows[-1][5:], volley(NA, 6, 3, "soft", blind=True).means)
    same(table.rows[1][5:], blind_fire(NA, 5, 3).means)
    both = odds.answer(NA.variant({"NA-4.22": "both"}), "blind", {})
    assert any("hits 0.0833 of them" in note for note in both.notes)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: blind_hits(RI, 3), "the rulebook 'risorgimento' has no blind fire; it has"),
        (lambda: blind_hits(NA, 2), "shooters: must be at least 3, not 2"),
        (lambda: blind_hits(NA, 3, "bow"), "weapon: unknown weapon 'bow'"),
        (lambda: blind_hits(NA, [3, 4], ["rifle"] * 3), "shooters: shapes do not broadcast"),
        (lambda: blind_fire(NA, 3, -1), "hidden: must be at least 0, not -1"),
        (lambda: blind_fire(NA, 3, 1, "wood"), "cover: unknown cover 'wood'"),
        (lambda: odds.answer(RI, "blind", {}), "the rulebook 'risorgimento' has no blind fire; it has"),
        (lambda: odds.answer(NA, "blind", {"shooters": "2"}), "--shooters: must be from 3 to 20, not 2"),
        (lambda: odds.answer(NA, "blind", {"hidden": "99"}), "--hidden: must be from 0 to 12, not 99"),
    ],
)
def test_bad_input_names_the_argument(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value).startswith(message)
