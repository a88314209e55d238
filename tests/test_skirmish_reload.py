"""Reloading: the published rates as fractions, misfires, readings, a sampler, bad input, and the question `reload`."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F

import numpy as np
import pytest
from scipy import stats

from wargamesim.errors import InputError
from wargamesim.games.skirmish import odds
from wargamesim.games.skirmish.fire import shot
from wargamesim.games.skirmish.reload import rate, reload
from wargamesim.rulebook import load_rulebook

NA, RI = load_rulebook("nordamerica"), load_rulebook("risorgimento")
DRY = NA.variant({"NA-4.2": "none"})
P_MIN = 1e-4


def same(result: object, exact: object) -> None:
    np.testing.assert_allclose(np.asarray(result, float), np.asarray(exact, float), rtol=0, atol=1e-12)


# Actions, snap chance, shots an activation waiting and snapping, hits: musket at 20 cm and rifle at 30 cm, each both.
RATES_NA = {
    ("irregular", "inexperienced", "indian"): "3 1/3 1/4 3/11 3/20 8/55 7/40 19/110",
    ("regular",): "3 1/2 1/4 2/7 3/20 1/7 7/40 6/35",
    ("veteran",): "2 2/3 1/3 3/7 1/5 1/5 7/30 17/70",
}


@pytest.mark.parametrize("grades", RATES_NA)
def test_rates_of_nordamerica(grades: tuple[str, ...]) -> None:
    actions, snap, *exact = map(F, RATES_NA[grades].split())
    for grade in grades:
        work = reload(DRY, ["musket", "rifle"], grade)
        same([work.actions, work.snap], [[actions] * 2, [snap] * 2])
        found = rate(DRY, ["musket", "rifle"], [20, 30], quality=grade)
        same([found.shots_waiting, found.shots_snapping], [[exact[0]] * 2, [exact[1]] * 2])
        same([found.hits_waiting, found.hits_snapping], [exact[2::2], exact[3::2]])


def test_a_sharpshooter_reloads_and_snaps_like_a_veteran() -> None:
    for part, veteran in zip(reload(NA, "rifle", "sharpshooter"), reload(NA, "rifle", "veteran"), strict=True):
        same(part, veteran)


# Loading, grade: actions, snap chance, shots waiting and snapping, rifled musket at 30 and 60 cm both, and how far
# snapping pays and is equal.
RATES_RI = {
    ("muzzle", "militia"): "3 1/3 1/4 3/11 5/24 7/33 7/48 19/132 40 50",
    ("muzzle", "conscript"): "3 1/2 1/4 2/7 5/24 3/14 7/48 1/7 40 50",
    ("muzzle", "veteran"): "2 2/3 1/3 3/7 5/18 13/42 7/36 17/84 60 70",
    ("breech", "militia"): "2 1/3 1/3 3/8 5/18 7/24 7/36 19/96 60 70",
    ("breech", "conscript"): "2 1/2 1/3 2/5 5/18 3/10 7/36 1/5 60 70",
    ("breech", "veteran"): "1 2/3 1/2 3/4 5/12 13/24 7/24 17/48 80 90",
}


@pytest.mark.parametrize("how", RATES_RI)
def test_rates_of_risorgimento(how: tuple[str, str]) -> None:
    loading, grade = how
    actions, snap, waiting, snapping, *exact, pays, equal = map(F, RATES_RI[how].split())
    work = reload(RI, "rifled_musket", grade, loading)
    same([work.actions, work.snap, work.after_misfire], [actions, snap, actions])
    found = rate(RI, "rifled_musket", [30, 60], quality=grade, loading=loading)
    same([found.shots_waiting, found.shots_snapping], [[waiting] * 2, [snapping] * 2])
    same([found.hits_waiting, found.hits_snapping], [exact[::2], exact[1::2]])
    table = odds.answer(
        *(RI, "reload", {"distance": "10:120:10", "quality": grade, "loading": loading, "weapon": "rifled_musket"})
    )
    better = {row["distance (cm)"]: row["better"] for row in table.records()}
    assert {distance for distance, name in better.items() if name == "equal"} == {equal}
    assert {distance for distance, name in better.items() if name == "snap"} == set(range(10, int(pays) + 1, 10))


def test_snapping_pays_by_the_ratio_of_hits_whatever_the_snap_chance() -> None:
    for grade in ("militia", "conscript", "veteran"):
        for weapon in ("rifled_musket", "rifled_carbine", "smoothbore_musket", "pistol"):
            aimed, hasty = (
                shot(RI, weapon, range(5, 60, 5)).hit,
                shot(RI, weapon, range(5, 60, 5), when=["unaimed"]).hit,
            )
            for loading in ("muzzle", "breech"):
                found = rate(RI, weapon, range(5, 60, 5), quality=grade, loading=loading)
                actions = float(reload(RI, weapon, grade, loading).actions)
                pays = hasty * (actions + 1) - aimed * actions
                gap = found.hits_snapping - found.hits_waiting
                assert (np.sign(pays.round(12)) == np.sign(gap.round(12))).all()


def test_misfires_cost_a_whole_reload_or_a_step() -> None:
    # From one pull of the trigger to the next: an activation, and three to reload in any case; or one after a misfire.
    same(rate(NA, "musket", 20).shots_waiting, F(5, 6) / 4)
    one_step = NA.variant({"NA-4.3": "one_step"})
    same(reload(one_step, "musket").after_misfire, 1)
    same(rate(one_step, "musket", 20).shots_waiting, F(5, 6) / (1 + F(5, 6) * 3 + F(1, 6)))
    same(rate(one_step, "musket", 20).shots_snapping, F(5, 6) / (F(1, 2) + F(5, 6) * 3 + F(1, 6)))


def test_markers_by_reading() -> None:
    grades = ["irregular", "regular", "veteran"]
    assert reload(NA, "rifle", grades).actions.tolist() == [3, 3, 2]
    assert reload(NA.variant({"NA-5.9a": "red_yellow_green"}), "rifle", grades).actions.tolist() == [3, 2, 1]
    assert reload(NA.variant({"NA-5.9a": "all_red"}), "rifle", grades).actions.tolist() == [3, 3, 3]
    slow = NA.variant({"NA-5.9a": "slow_rifles"})
    assert reload(slow, ["rifle", "musket", "pistol"]).actions.tolist() == [4, 3, 3]
    assert reload(RI.variant({"RI-3.10": "one_action"}), "pistol", ["militia", "veteran"]).actions.tolist() == [1, 1]


def test_a_tomahawk_needs_no_reloading() -> None:
    work = reload(NA, "tomahawk")
    assert (int(work.actions), float(work.snap)) == (0, 0.0)
    same(rate(NA, "tomahawk", 5), [1, 1, F(2, 3), F(2, 3)])


def test_snap_shots_may_be_compulsory() -> None:
    must = RI.variant({"RI-3.11a": "compulsory"})
    found = rate(must, "pistol", 10)
    assert np.isnan([found.shots_waiting, found.hits_waiting]).all()
    same(found.hits_snapping, rate(RI, "pistol", 10).hits_snapping)
    assert {row["better"] for row in odds.answer(must, "reload", {}).records()} == {"must snap"}
    assert "NaN" not in odds.answer(must, "reload", {}).to_json()


def test_a_batch_is_a_loop_of_singles() -> None:
    grades, far = np.array(["militia", "veteran"])[:, None], np.array([10, 50, 200])
    batch = rate(RI, "rifled_musket", far, quality=grades, loading="breech", cover="soft", modifier=1)
    for i, j in np.ndindex(2, 3):
        single = rate(
            RI, "rifled_musket", int(far[j]), quality=str(grades[i, 0]), loading="breech", cover="soft", modifier=1
        )
        same([part[i, j] for part in batch], single)
    assert reload(RI, "pistol", grades, ["muzzle", "breech"]).actions.shape == (2, 2)


def test_too_far_is_an_answer() -> None:
    same(rate(RI, "pistol", 31), [0, 0, 0, 0])
    row = odds.answer(RI, "reload", {"weapon": "pistol", "distance": "31"}).records()[0]
    assert (row["shots waiting"], row["hits snapping"], row["better"]) == (None, None, None)


@pytest.mark.parametrize("snaps", [False, True])
def test_sampled_figures_that_never_move(snaps: bool) -> None:
    """Regulars with muskets at 20 cm, many at once, activation by activation."""
    rng, figures, activations, marker = np.random.default_rng(11), 4000, 400, 3
    load, shots, hits = np.zeros(figures, dtype=int), np.zeros(figures), np.zeros(figures)

    def pull(who: np.ndarray, penalty: int) -> None:
        fires = who & (rng.integers(1, 7, figures) > 1)
        face = rng.integers(1, 11, figures)
        shots[fires] += 1
        hits[fires & (face > 1) & (face + penalty >= 5)] += 1
        load[who] = marker

    for _ in range(activations):
        aims, reloads = load == 0, load > 0
        load[reloads] -= 1
        done = reloads & (load == 0)
        pull(aims, 0)
        if snaps:
            pull(done & (rng.integers(1, 7, figures) >= 4), -2)
    found = rate(NA, "musket", 20, quality="regular")
    exact = (found.shots_snapping, found.hits_snapping) if snaps else (found.shots_waiting, found.hits_waiting)
    for count, mean in zip((shots, hits), exact, strict=True):
        # The first shot is at once, so that up to one more falls in the time than in the long run.
        error = stats.norm.isf(P_MIN / 2) * count.std() / np.sqrt(figures)
        assert -error < count.mean() - float(mean) * activations < error + 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: reload(NA, "musket", loading="breech"), "loading: unknown loading 'breech'"),
        (lambda: reload(NA, "bow"), "weapon: unknown weapon 'bow'"),
        (lambda: reload(NA, "musket", "recruit"), "quality: unknown grade 'recruit'"),
        (lambda: rate(NA, "musket", -1), "distance: must be at least 0 cm"),
        (lambda: rate(NA, ["musket", "rifle"], [1, 2, 3]), "weapon: shapes do not broadcast"),
        (lambda: odds.answer(NA, "reload", {"cover": "open,soft"}), "--cover: takes one cover, not several"),
        (lambda: odds.answer(NA, "reload", {"loading": "breech"}), "--loading: unknown loading 'breech'"),
    ],
)
def test_bad_input_names_the_argument(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value).startswith(message)
