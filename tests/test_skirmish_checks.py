"""Single tests: published values, readings, a sampler, bad input, and the question `checks`."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F
from math import inf

import numpy as np
import pytest
from scipy import stats

from wargamesim.errors import InputError
from wargamesim.games.skirmish import odds
from wargamesim.games.skirmish.checks import arson, fall, friend_hit, melee_shot
from wargamesim.rulebook import load_rulebook

NA, RI = load_rulebook("nordamerica"), load_rulebook("risorgimento")
DRY = NA.variant({"NA-4.2": "none"})
P_MIN, DRAWS = 1e-4, 200_000


def same(result: object, exact: object) -> None:
    np.testing.assert_allclose(np.asarray(result, float), np.asarray(exact, float), rtol=0, atol=1e-12)


def test_falls() -> None:
    sixth, third = F(1, 6), F(1, 3)
    same([fall(NA, "run"), fall(NA, "run", regular=True), fall(NA, "run", difficult=True)], [sixth] * 3)
    same([fall(NA, "run", regular=True, difficult=True), fall(NA, "ford", regular=True)], [third] * 2)
    same([fall(NA, "ford"), fall(NA, "boat"), fall(NA, "boat", regular=True, difficult=True)], [sixth] * 3)
    same(fall(NA, "boat", marine=True), 0)
    same(fall(NA.variant({"falls.die": 10, "falls.run": 3}), "run"), F(3, 10))


def test_a_hit_in_a_melee() -> None:
    same(friend_hit(NA, ["regular", "sharpshooter", "veteran"]), [F(1, 2), F(1, 3), F(1, 2)])
    same(friend_hit(RI.variant({"RI-4.7": "allowed"})), F(1, 2))


def test_the_shot_before_close_combat() -> None:
    permitted, hit = melee_shot(DRY, [1, 2, 3, 9])
    same(permitted, [F(1, 3), F(1, 6), 0, 0])
    same(hit, [F(2, 15), F(1, 15), 0, 0])
    same(melee_shot(NA, 1).hit, F(1, 9))
    same(melee_shot(NA, 3, morale=2).permitted, F(1, 3))


@pytest.mark.parametrize(
    ("reading", "hit"),
    [("ge5_minus2", F(2, 5)), ("ge5", F(3, 5)), ("gt5", F(1, 2)), ("gt5_minus2", F(3, 10)), ("weapon_row", F(1, 6))],
)
def test_readings_of_that_shot(reading: str, hit: F) -> None:
    same(melee_shot(DRY.variant({"NA-7.17": reading}), 1, "pistol").hit, F(1, 3) * hit)
    natural = melee_shot(NA.variant({"NA-7.17": reading, "NA-4.2": "natural_one"}), 1, "pistol").hit
    same(natural, F(1, 3) * hit)


def test_arson() -> None:
    found = arson(NA, 4)
    # Two in a row within three and four actions: 1 less the ways without one.
    same(found.within, [0, 0, F(1, 4), F(3, 8), F(1, 2)])
    same(found.mean, 6)
    kept = arson(NA.variant({"NA-9.2": "keep"}), 3)
    same(kept.within, [0, 0, F(1, 4), F(1, 2)])
    same(kept.mean, 4)
    assert arson(NA.variant({"arson.faces": []}), 1).mean == inf


def test_sampled_arson() -> None:
    rng = np.random.default_rng(8)
    row, done = np.zeros(DRAWS, dtype=int), np.zeros(DRAWS, dtype=bool)
    for _ in range(5):
        row = np.where(rng.integers(1, 7, DRAWS) % 2 == 0, row + 1, 0)
        done |= row >= 2
    assert stats.binomtest(int(done.sum()), DRAWS, float(arson(NA, 5).within[5])).pvalue > P_MIN


def test_the_question() -> None:
    rows = {(row[0], row[1]): row[2] for row in odds.answer(DRY, "checks", {"weapon": "pistol"}).rows}
    same(rows["shot before close combat: hits", "against 1, pistol"], F(2, 15))
    same(rows["hit in a melee is on a friend", "sharpshooter"], F(1, 3))
    same(rows["wader slips, powder wet", "regular"], F(1, 3))
    same(rows["house on fire", "within 4 actions"], F(1, 2))
    allowed = odds.answer(RI.variant({"RI-4.7": "allowed"}), "checks", {})
    assert allowed.rows == [("hit in a melee is on a friend", "conscript", 0.5)]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fall(RI, "run"), "the rulebook 'risorgimento' has no tests of runners and waders; it has"),
        (lambda: fall(NA, "swim"), "move: unknown move 'swim'"),
        (lambda: friend_hit(RI), "fire into a melee is forbidden by RI-4.7=forbidden"),
        (lambda: friend_hit(NA, "recruit"), "quality: unknown grade 'recruit'"),
        (lambda: melee_shot(RI, 1), "the rulebook 'risorgimento' has no shots before close combat"),
        (lambda: melee_shot(NA, 0), "opponents: must be at least 1, not 0"),
        (lambda: melee_shot(NA, 1, "tomahawk"), "weapon: a tomahawk is no firearm"),
        (lambda: melee_shot(NA, [1, 2], ["rifle"] * 3), "opponents: shapes do not broadcast"),
        (lambda: arson(RI, 1), "the rulebook 'risorgimento' has no arson"),
        (lambda: arson(NA, -1), "rounds: must be at least 0, not -1"),
        (lambda: odds.answer(RI, "checks", {}), "the rulebook 'risorgimento' has no single tests; it has one if"),
        (lambda: odds.answer(NA, "checks", {"weapon": "tomahawk"}), "--weapon: unknown firearm 'tomahawk'"),
    ],
)
def test_bad_input_names_the_argument(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value).startswith(message)
