"""Marches on and off the road: published values, every reading, a sampler."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction as F
from itertools import product, takewhile

import numpy as np
import pytest
from scipy import stats

from wargamesim.errors import InputError
from wargamesim.games.coloniale.march import off_road, right_way, road
from wargamesim.rulebook import Rulebook, load_rulebook

EXACT = 1e-12
SIX_PLACES = 0.5e-6 + EXACT
RULES = load_rulebook("coloniale")
ARMS = ["infantry", "cavalry"]
GROUNDS = ["open", "difficult"]
# Two-sided at a fixed seed; about 20 comparisons, so sound odds would fail one with a probability below 0.002.
P_MIN = 1e-4
DRAWS = 100_000


def same(result: object, exact: object, tolerance: float = EXACT) -> None:
    np.testing.assert_allclose(np.asarray(result, float), np.asarray(exact, float), rtol=0, atol=tolerance)


def test_road() -> None:
    """CO-11.1."""
    infantry, cavalry = road(RULES), road(RULES, "cavalry")
    same(infantry.equal_to(range(30, 81, 5)) * 36, [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1])
    ways = [1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1]
    same(cavalry.equal_to(range(35, 111, 5)) * 216, ways, 216 * EXACT)
    same(road(RULES, [*ARMS, "battery"]).mean(), [55, 72.5, 55])
    exact = [
        [F(493, 648), F(145, 432), F(5, 432)],
        [F(7699, 7776), F(42155, 46656), F(3527, 7776)],
    ]
    same(road(RULES, [[arm] for arm in ARMS], 2).at_least([100, 120, 150]), exact)


def test_junctions() -> None:
    """CO-11.2."""
    same(right_way(RULES, range(5)), [1, F(2, 3), F(4, 9), F(8, 27), F(16, 81)])


def test_legs_and_lengths_off_the_road() -> None:
    """CO-11.3."""
    ends = off_road(RULES, [[arm] for arm in ARMS], GROUNDS)
    same(ends.p.sum(axis=-1), np.ones((2, 2)))
    legs = ends.by_legs().p
    same(legs[:, 0], [[F(1, 6), F(5, 36), F(25, 216), F(125, 216)]] * 2)
    same(legs[:, 1], [[F(1, 2), F(1, 4), F(1, 8), F(1, 8)]] * 2)
    same(ends.mean(ends.length), [[F(5515, 108), 38.75], [F(3895, 54), 47.5]])
    stops = off_road(RULES.variant({"CO-P26": "no"}), "infantry", GROUNDS)
    same(stops.mean(stops.length), [F(815, 18), 37.5])


# CO-11.4: over 1728.
HEADINGS = {
    "open": {0: 1268, 45: 207, 90: 22, 135: 1},
    "difficult": {0: 1412, 45: 143, 90: 14, 135: 1},
}


@pytest.mark.parametrize("ground", GROUNDS)
def test_drift(ground: str) -> None:
    ends = off_road(RULES, "infantry", ground)
    same(ends.mean(ends.drifted), {"open": F(19, 54), "difficult": F(13, 54)}[ground])
    for heading, ways in HEADINGS[ground].items():
        for side in (1, -1):
            same(ends.mean(np.isclose(ends.heading, side * heading)), F(ways, 1728))
    same(ends.mean(~np.isclose(ends.heading, 0)), {"open": F(115, 432), "difficult": F(79, 432)}[ground])
    absolute = off_road(RULES.variant({"CO-P27": "absolute"}), "infantry", ground)
    same(absolute.mean(~np.isclose(absolute.heading, 0)), {"open": F(7, 24), "difficult": F(43, 216)}[ground])
    assert set(np.round(np.abs(absolute.heading)).tolist()) == {0, 45}


def test_way_forward_and_sideways() -> None:
    """CO-11.5; the digest's 5.113766 is 5.1137651 in 40 digits, so its last place is one too high."""
    ends = off_road(RULES, [[arm] for arm in ARMS], GROUNDS)
    same(ends.mean(ends.forward), [[49.091571, 37.647878], [68.183143, 45.295757]], SIX_PLACES)
    same(np.sqrt(ends.mean(ends.sideways**2)), [[7.821567, 5.113765], [15.643135, 10.227530]], SIX_PLACES)
    same(ends.mean(ends.sideways), np.zeros((2, 2)))


def test_the_enemy_picks_one_side() -> None:
    ends = off_road(RULES.variant({"CO-P27": "enemy"}))
    plain = off_road(RULES)
    assert ends.mean(ends.sideways) > 1
    same(ends.mean(ends.drifted), F(19, 54))
    final: Counter[int] = Counter()
    for faces in product(range(1, 7), repeat=3):
        errors = 0
        for face in takewhile(lambda face: face != 1, faces):
            errors = 0 if face == 6 else errors + (face == 4)
        final[45 * errors] += 1
    for heading, ways in final.items():
        same(ends.mean(np.isclose(ends.heading, heading)), F(ways, 216))
    assert ends.mean(ends.forward) < plain.mean(plain.forward)


def test_errors_put_right_toward_the_point() -> None:
    """One error of 45 degrees and one correction: the last leg heads for the end of a march without errors."""
    rules = RULES.variant({"CO-P28": "point", "march.off_road.rolls": 2})
    ends = off_road(rules, "cavalry")
    leg = 20 * np.sqrt(0.5)
    angle = np.arctan2(-leg, 30 + 40 - 30 - leg)
    turned = np.isclose(ends.sideways, leg + 20 * np.sin(angle)) & np.isclose(
        ends.forward, 30 + leg + 20 * np.cos(angle)
    )
    same(ends.mean(turned), F(1, 6) / 2 / 6)
    same(ends.heading[turned], [np.degrees(angle)])


def test_house_numbers() -> None:
    rules = RULES.variant(
        {
            **{"march.road.first": 10, "march.road.die": 4, "march.road.step": 3, "march.road.infantry_dice": 1},
            **{"march.road.cavalry_dice": 0, "march.road.junction_die": 10, "march.road.wrong_need": 10},
            **{"march.off_road.first": 7, "march.off_road.infantry_leg": 2, "march.off_road.rolls": 0},
        }
    )
    same(road(rules).equal_to([13, 16, 19, 22]), [0.25] * 4)
    same(road(rules, "cavalry").equal_to(10), 1)
    same(right_way(rules, 2), 0.81)
    ends = off_road(rules)
    same(ends.mean(ends.length), 7)
    never = RULES.variant(
        {"march.off_road.die": 8, "march.off_road.straight": [5, 7, 8], "march.off_road.drift_angle": 0.0}
    )
    ends = off_road(never, "infantry", GROUNDS)
    same(ends.by_legs().at_least(1), [F(7, 8), F(5, 8)])
    same(ends.mean(ends.length), ends.mean(ends.forward))
    no_roll_counts = RULES.variant({"CO-P26": "no", "march.off_road.rolls": 0})
    same(off_road(no_roll_counts).p, [1])


def test_a_batch_is_a_loop_of_singles() -> None:
    ends = off_road(RULES, [[arm] for arm in ARMS], GROUNDS)
    length = road(RULES, [[arm] for arm in ARMS], range(3))
    assert length.batch == (2, 3)
    for i, arm in enumerate(ARMS):
        for j, ground in enumerate(GROUNDS):
            for part, single in zip(ends, off_road(RULES, arm, ground), strict=True):
                np.testing.assert_array_equal(part[i, j], single)
        for turns in range(3):
            same(length.at_least(90)[i, turns], road(RULES, arm, turns).at_least(90))


def test_sampled_march_off_the_road() -> None:
    """Cavalry on open ground, word for word."""
    rng = np.random.default_rng(3)
    going, heading = np.full(DRAWS, True), np.zeros(DRAWS)
    x, y, legs = np.full(DRAWS, 30.0), np.zeros(DRAWS), np.zeros(DRAWS, dtype=int)
    for _ in range(3):
        face, side = rng.integers(1, 7, DRAWS), rng.choice([-45, 45], DRAWS)
        going &= face != 1
        heading = np.where(going & (face == 4), heading + side, np.where(going & (face == 6), 0, heading))
        x += going * 20 * np.cos(np.radians(heading))
        y += going * 20 * np.sin(np.radians(heading))
        legs += going
    ends = off_road(RULES, "cavalry")
    for count in range(4):
        chance = float(ends.by_legs().equal_to(count))
        assert stats.binomtest(int((legs == count).sum()), DRAWS, chance).pvalue > P_MIN
    for angle in range(-135, 136, 45):
        chance = float(ends.mean(np.isclose(ends.heading, angle)))
        assert stats.binomtest(int((heading == angle).sum()), DRAWS, chance).pvalue > P_MIN
    for sample, exact in ((x, ends.forward), (y, ends.sideways), (y**2, ends.sideways**2)):
        error = sample.std(ddof=1) / np.sqrt(DRAWS)
        assert 2 * stats.norm.sf(abs(sample.mean() - float(ends.mean(exact))) / error) > P_MIN


def test_sampled_march_on_a_road() -> None:
    dice = np.random.default_rng(4).integers(1, 7, (DRAWS, 6))
    reached = int(((40 + 5 * dice.sum(axis=1)) >= 150).sum())
    assert stats.binomtest(reached, DRAWS, float(road(RULES, "cavalry", 2).at_least(150))).pvalue > P_MIN
    right = int((dice[:, :3] < 5).all(axis=1).sum())
    assert stats.binomtest(right, DRAWS, float(right_way(RULES, 3))).pvalue > P_MIN


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"march.off_road.drift": [3]}, "march.off_road.drift: face 3 already belongs to march.off_road.stop_if"),
        ({"march.off_road.correct": [7]}, "march.off_road.correct: face 7 is not on a die of 6 sides"),
        ({"march.off_road.correct": []}, "march.off_road.straight: face 6 of 6 has no effect"),
    ],
)
def test_every_face_has_one_effect(changes: dict[str, list[int]], message: str) -> None:
    rules: Rulebook = RULES.variant(changes)
    with pytest.raises(InputError) as error:
        off_road(rules)
    assert str(error.value).startswith(message)
