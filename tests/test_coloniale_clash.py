"""Fire before an assault: published values, what it must agree with, a sampler of several turns."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from wargamesim.games.coloniale.assault import Unit, assault
from wargamesim.games.coloniale.clash import Clash, clash, preparation
from wargamesim.games.coloniale.fire import rifles
from wargamesim.games.coloniale.rules import preset
from wargamesim.rulebook import load_rulebook

EXACT = 1e-12
SIX_PLACES = 0.5e-6 + EXACT
BODY = load_rulebook("coloniale")
EQUAL = Unit(6, 6)
# Two-sided at a fixed seed; fewer than 60 comparisons, so sound odds would fail one with a probability below 0.006
# (once: nothing is drawn anew).
P_MIN = 1e-4
DRAWS = 50_000


def same(result: object, exact: object, tolerance: float = EXACT) -> None:
    np.testing.assert_allclose(np.asarray(result, float), np.asarray(exact, float), rtol=0, atol=tolerance)


def chances(end: Clash) -> np.ndarray:
    return np.array(end[:7])


# CO-10.9: after 0 to 3 volleys the defender is beaten, and has been destroyed by the fire.
PREPARED = {
    "open": ([0.430123, 0.613113, 0.802930, 0.934013], [0, 0, 0.076564, 0.381628]),
    "cover": ([0.430123, 0.589973, 0.739682, 0.859392], [0, 0, 0.002438, 0.027394]),
}


@pytest.mark.parametrize("ground", PREPARED)
def test_preparation_by_fire(ground: str) -> None:
    end = preparation(BODY, range(4), EQUAL, EQUAL, ground)
    beaten, shot = PREPARED[ground]
    same(end.defender_beaten, beaten, SIX_PLACES)
    same(end.shot_to_pieces, shot, SIX_PLACES)
    same(sum(end), [1] * 4)


def test_preparation_of_a_fort_does_nothing() -> None:
    end = preparation(BODY, [0, 5], EQUAL, EQUAL, "fort", advantage=True)
    same(end.attacker_wins, [assault(BODY, EQUAL, EQUAL, "fort", advantage=True).attacker.wins] * 2)
    marked = preparation(BODY.variant({"CO-P29": "suppressed"}), 4, EQUAL, EQUAL, "fort")
    same(marked.attacker_wins, assault(BODY, EQUAL, EQUAL).attacker.wins)


def test_preparation_is_a_mixture_of_assaults() -> None:
    kills = rifles(BODY, 5, target=3).removed
    one = Unit(4, 7, 1)
    exact = sum(
        float(kills.p[lost])
        * np.array([getattr(assault(BODY, one, Unit(3 - lost, 8, 2)), side).wins for side in SIDES])
        for lost in range(3)
    )
    end = preparation(BODY, 1, one, Unit(3, 8, 1))
    same([end.attacker_wins, end.defender_wins], exact)
    same(end.shot_to_pieces, kills.p[3])


SIDES = ("attacker", "defender")


def test_a_batch_of_preparations_is_a_loop_of_singles() -> None:
    one, other = Unit(np.array([2, 6])[:, None], 6), Unit([3, 5, 7], 6, [0, 1, 2])
    batch = preparation(BODY, np.arange(4)[:, None, None], one, other, ["open", "cover", "fort"])
    assert batch.draw.shape == (4, 2, 3)
    for k, i, j in np.ndindex(4, 2, 3):
        ground = ("open", "cover", "fort")[j]
        single = preparation(BODY, k, Unit((2, 6)[i], 6), Unit((3, 5, 7)[j], 6, j), ground)
        same([part[k, i, j] for part in batch], single)


@pytest.mark.parametrize("ground", ["open", "cover"])
@pytest.mark.parametrize("name", ["body", "summary", "summary_strict"])
def test_an_assault_at_once_is_one_volley_and_an_assault(name: str, ground: str) -> None:
    """Without markers nobody rallies: the defender fires, and then what is left of the attacker assaults."""
    book = preset(BODY, name)
    kills = rifles(book, 4, target=5).removed
    end = clash(book, 0, Unit(5, 8), Unit(4, 6), ground, advantage=True)
    fought = [assault(book, Unit(5 - lost, 8, 1), Unit(4, 6), ground, advantage=True) for lost in range(5)]
    weights = kills.p[:5]
    same(end.attacker_shot, kills.equal_to(5))
    for side, wins in zip(SIDES, (end.attacker_wins, end.defender_wins), strict=True):
        same(wins, sum(p * getattr(each, side).wins for p, each in zip(weights, fought, strict=True)))
    left = sum(p * (5 - lost - fought[lost].attacker.losses.mean()) for lost, p in enumerate(weights))
    same(end.attacker_figures, left)
    standing = sum(p * (4 - each.defender.losses.mean()) for p, each in zip(weights, fought, strict=True))
    same(end.defender_figures, standing + 4 * kills.equal_to(5))


def test_nothing_is_lost_over_turns() -> None:
    end = clash(BODY, range(12), Unit(8, 5, 2), Unit(7, 6, 1), "cover")
    same(chances(end).sum(axis=0), [1] * 12)
    assert (np.diff(end.attacker_shot) > 0).all()
    assert (np.diff(end.defender_shot) >= 0).all()


def test_a_garrison_only_waits() -> None:
    end = clash(BODY, [0, 3, 6], Unit(6, 6), Unit(2, 6), "fort")
    same([end.defender_shot, end.both_shot], np.zeros((2, 3)))
    assert (np.diff(end.attacker_figures) < 0).all()


@pytest.mark.parametrize("tie", ["defender", "draw"])
def test_a_batch_of_clashes_is_a_loop_of_singles(tie: str) -> None:
    book = BODY.variant({"CO-P16": tie})
    one, other = Unit(np.array([2, 6])[:, None], 6), Unit([3, 5, 1], [6, 3, 10], [0, 1, 2])
    grounds, fire = np.array(["open", "cover", "fort"]), np.array([[2], [0]])
    batch = clash(book, fire, one, other, grounds, advantage=[False, True, True])
    assert batch.draw.shape == (2, 3)
    for i, j in np.ndindex(2, 3):
        units = Unit((2, 6)[i], 6), Unit((3, 5, 1)[j], (6, 3, 10)[j], j)
        single = clash(book, fire[i, 0], *units, str(grounds[j]), advantage=j > 0)
        same([part[i, j] for part in batch], single)
    assert (batch.draw.max() > 0.01) == (tie == "draw")


@pytest.mark.parametrize(
    ("fire", "changes"),
    [
        (2, {}),
        (3, {"CO-P10": "fire_dice", "CO-P16": "draw", "fire.markers": 2}),
        (1, {"CO-5.2": "summary", "CO-P16": "attacker"}),
    ],
)
def test_sampled_clash(fire: int, changes: dict[str, str | int]) -> None:
    """Rally, simultaneous fire, at last an assault, word for word; the defender in cover and behind a river."""
    rng = np.random.default_rng(7)
    markers, summary = int(changes.get("fire.markers", 1)), "CO-5.2" in changes
    fig = [np.full(DRAWS, 5), np.full(DRAWS, 4)]
    sup = [np.full(DRAWS, 0), np.full(DRAWS, 2)]
    discipline, need = (7, 5), (6, 5)  # what each needs to hit the other

    def successes(dice: np.ndarray, least: int) -> np.ndarray:
        faces = rng.integers(1, 7, (DRAWS, 10))
        return np.asarray(((faces >= least) & (np.arange(10) < dice[:, None])).sum(axis=1))

    for turn in range(fire + 1):
        alive = (fig[0] > 0) & (fig[1] > 0)
        for side in (0, 1):
            cleared = successes(np.full(DRAWS, discipline[side]), 5)
            sup[side] = np.where(alive, np.maximum(sup[side] - cleared, 0), sup[side])
        dice = [np.where(alive, np.minimum(fig[side], 5), 0) for side in (0, 1)]
        if "CO-P10" in changes:
            dice = [np.maximum(dice[side] - sup[side], 0) for side in (0, 1)]
        if turn == fire:
            dice[0] = np.zeros(DRAWS, dtype=np.int64)
        hits = [successes(dice[side], need[side]) for side in (0, 1)]
        for side in (0, 1):
            fig[side] = np.maximum(fig[side] - hits[1 - side], 0)
            sup[side] = sup[side] + markers * (dice[1 - side] > 0)
    before = [each.copy() for each in fig]
    fights = (fig[0] > 0) & (fig[1] > 0)
    least, most = (5, 5) if summary else (6, 10)
    hits = [successes(np.minimum(fig[side], most), least) for side in (0, 1)]
    lost = [np.minimum(hits[1 - side], fig[side]) for side in (0, 1)]
    value = [rng.integers(1, 7, DRAWS) + discipline[side] - sup[side] - lost[side] for side in (0, 1)]
    lead = value[0] - value[1] - 1
    fig = [np.where(fights, fig[side] - lost[side], fig[side]) for side in (0, 1)]
    tie = str(changes.get("CO-P16", "defender"))
    stand = (fig[0] > 0) & (fig[1] > 0)
    won = fights & (np.where(stand, (lead > 0) | ((lead == 0) & (tie == "attacker")), (fig[0] > 0)))
    defended = fights & (np.where(stand, (lead < 0) | ((lead == 0) & (tie == "defender")), (fig[1] > 0)))
    both_gone = fights & (fig[0] == 0) & (fig[1] == 0)
    drawn = fights & ~won & ~defended & ~both_gone
    fig = [np.maximum(fig[0] - defended, 0), np.maximum(fig[1] - won, 0)]

    end = clash(BODY.variant(changes), fire, Unit(5, 7), Unit(4, 5, 2), "cover", advantage=True)
    no_one, no_other = before[0] == 0, before[1] == 0
    shot = [no_one & ~no_other, no_other & ~no_one, no_one & no_other]
    for sample, exact in zip([*shot, won, defended, both_gone, drawn], end[:7], strict=True):
        assert stats.binomtest(int(sample.sum()), DRAWS, float(exact)).pvalue > P_MIN
    for sample, mean in zip(fig, end[7:], strict=True):
        error = sample.std(ddof=1) / np.sqrt(DRAWS)
        assert 2 * stats.norm.sf(abs(sample.mean() - float(mean)) / error) > P_MIN
