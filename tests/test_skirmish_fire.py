"""One shot: the published tables as fractions, readings, a sampler, bad input, and the question `hit`."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from wargamesim.errors import InputError
from wargamesim.games.skirmish import fire, odds
from wargamesim.games.skirmish.rules import COVERS
from wargamesim.rulebook import load_rulebook

NA, RI = load_rulebook("nordamerica"), load_rulebook("risorgimento")
# The published values of the first rulebook have no misfire unless they say so.
DRY = NA.variant({"NA-4.2": "none"})
BOOKS = {"nordamerica": NA, "risorgimento": RI}
# Samplers: each comparison is two-sided at this level, at a fixed seed.
P_MIN, DRAWS = 1e-4, 200_000


def same(result: object, exact: object) -> None:
    np.testing.assert_allclose(np.asarray(result, float), np.asarray(exact, float), rtol=0, atol=1e-12)


# Published values: the chance of a hit

# Weapon and far end of the band: aimed and -2, at least and more than the need; then +1, -1, -3, -4, at least.
HITS_NA = """
rifle 30 7/10 1/2 3/5 2/5 4/5 3/5 2/5 3/10
rifle 80 2/5 1/5 3/10 1/10 1/2 3/10 1/10 0
musket 20 3/5 2/5 1/2 3/10 7/10 1/2 3/10 1/5
musket 50 3/10 1/10 1/5 0 2/5 1/5 0 0
pistol 10 1/2 1/6 1/3 0 2/3 1/3 0 0
pistol 20 1/6 0 0 0 1/3 0 0 0
tomahawk 5 2/3 1/3 1/2 1/6 5/6 1/2 1/6 0
"""


@pytest.mark.parametrize("row", HITS_NA.strip().splitlines())
def test_hits_of_nordamerica(row: str) -> None:
    weapon, far, *exact = row.split()
    strict = DRY.variant({"NA-4.11": "strict"})
    tries = [(DRY, 0), (DRY, -2), (strict, 0), (strict, -2), (DRY, 1), (DRY, -1), (DRY, -3), (DRY, -4)]
    same([fire.shot(book, weapon, int(far), modifier=plus).hit for book, plus in tries], [F(each) for each in exact])
    same(fire.shot(DRY, weapon, int(far), when=["unaimed"]).hit, F(exact[1]))


# Far end of the band: rifled musket, rifled carbine, smoothbore musket, pistol, each with 0, -2 and -4.
HITS_RI = """
5 11/12 5/6 2/3 7/8 3/4 1/2 5/6 2/3 1/3 5/6 2/3 1/3
10 11/12 5/6 2/3 7/8 3/4 1/2 5/6 2/3 1/3 5/6 1/2 1/6
15 11/12 3/4 7/12 7/8 5/8 3/8 5/6 2/3 1/3 2/3 1/3 0
20 11/12 3/4 7/12 7/8 5/8 3/8 5/6 1/2 1/6 1/2 1/6 0
25 5/6 2/3 1/2 3/4 1/2 1/4 5/6 1/2 1/6 1/3 0 0
30 5/6 2/3 1/2 3/4 1/2 1/4 5/6 1/2 1/6 1/6 0 0
40 3/4 7/12 5/12 5/8 3/8 1/8 2/3 1/3 0 - - -
50 2/3 1/2 1/3 1/2 1/4 0 1/2 1/6 0 - - -
55 7/12 5/12 1/4 3/8 1/8 0 1/3 0 0 - - -
60 7/12 5/12 1/4 3/8 1/8 0 1/6 0 0 - - -
70 1/2 1/3 1/6 1/4 0 0 - - - - - -
80 5/12 1/4 1/12 1/8 0 0 - - - - - -
90 1/3 1/6 0 0 0 0 - - - - - -
100 1/4 1/12 0 0 0 0 - - - - - -
110 1/6 0 0 0 0 0 - - - - - -
120 1/12 0 0 0 0 0 - - - - - -
"""
WEAPONS_RI = ("rifled_musket", "rifled_carbine", "smoothbore_musket", "pistol")


@pytest.mark.parametrize("row", HITS_RI.strip().splitlines())
def test_hits_of_risorgimento(row: str) -> None:
    far, *exact = row.split()
    before = {5: 0, 10: 5, 15: 10, 20: 15, 25: 20, 30: 25, 40: 30, 50: 40, 55: 50, 60: 55}.get(int(far), int(far) - 10)
    for distance in (float(far), before + 0.001):
        odds_of = fire.shot(RI, np.repeat(WEAPONS_RI, 3), distance, modifier=[0, -2, -4] * 4)
        same(odds_of.no_shot, [each == "-" for each in exact])
        same(odds_of.hit, [0 if each == "-" else F(each) for each in exact])


# Published values: one shot

# Weapon and far end: aimed in the open and in cover, then -2: killed open, killed in cover, wounded, near miss open
# and in cover. Cover counts for the result alone.
SHOTS_NA = """
rifle 30 7/30 7/60 7/20 7/60 7/30 1/6 1/12 1/4 1/12 1/6
rifle 80 2/15 1/15 1/5 1/15 2/15 1/15 1/30 1/10 1/30 1/15
musket 20 1/5 1/10 3/10 1/10 1/5 2/15 1/15 1/5 1/15 2/15
musket 50 1/10 1/20 3/20 1/20 1/10 1/30 1/60 1/20 1/60 1/30
pistol 10 1/6 1/12 1/4 1/12 1/6 1/18 1/36 1/12 1/36 1/18
pistol 20 1/18 1/36 1/12 1/36 1/18 0 0 0 0 0
tomahawk 5 2/9 1/9 1/3 1/9 2/9 1/9 1/18 1/6 1/18 1/9
"""


@pytest.mark.parametrize("row", SHOTS_NA.strip().splitlines())
def test_one_shot_in_nordamerica(row: str) -> None:
    weapon, far, *exact = row.split()
    # The modifier of soft cover to the roll to hit is made good: the table is about its result.
    plain = {"fire.modifiers.soft_cover": 0}
    for plus, values in ((0, exact[:5]), (-2, exact[5:])):
        found = fire.shot(DRY.variant(plain), weapon, int(far), modifier=plus, cover=["open", "soft"])
        killed, in_cover, wounded, near, near_in_cover = map(F, values)
        same(found.killed, [killed, in_cover])
        same(found.wounded, [wounded, wounded])
        same(found.near_miss, [near, near_in_cover])
        same(found.marked, [wounded + near, wounded + near_in_cover])


# Effective need: hit, killed, wounded and near miss in the open, each in cover; D12, D8, D6.
SHOTS_RI = """
2 11/12 11/24 11/36 11/72 11/36 7/8 7/16 7/24 7/48 7/24 5/6 5/12 5/18 5/36 5/18
3 5/6 5/12 5/18 5/36 5/18 3/4 3/8 1/4 1/8 1/4 2/3 1/3 2/9 1/9 2/9
4 3/4 3/8 1/4 1/8 1/4 5/8 5/16 5/24 5/48 5/24 1/2 1/4 1/6 1/12 1/6
5 2/3 1/3 2/9 1/9 2/9 1/2 1/4 1/6 1/12 1/6 1/3 1/6 1/9 1/18 1/9
6 7/12 7/24 7/36 7/72 7/36 3/8 3/16 1/8 1/16 1/8 1/6 1/12 1/18 1/36 1/18
7 1/2 1/4 1/6 1/12 1/6 1/4 1/8 1/12 1/24 1/12 0 0 0 0 0
8 5/12 5/24 5/36 5/72 5/36 1/8 1/16 1/24 1/48 1/24 0 0 0 0 0
9 1/3 1/6 1/9 1/18 1/9 0 0 0 0 0 0 0 0 0 0
10 1/4 1/8 1/12 1/24 1/12 0 0 0 0 0 0 0 0 0 0
11 1/6 1/12 1/18 1/36 1/18 0 0 0 0 0 0 0 0 0 0
12 1/12 1/24 1/36 1/72 1/36 0 0 0 0 0 0 0 0 0 0
"""


@pytest.mark.parametrize("row", SHOTS_RI.strip().splitlines())
def test_one_shot_in_risorgimento(row: str) -> None:
    need, *exact = row.split()
    plain = RI.variant({"fire.modifiers.soft_cover": 0})
    for weapon, values in zip(WEAPONS_RI[:3], np.array(exact).reshape(3, 5), strict=True):
        # At the muzzle the need is 1, so the effective need is 1 less the modifier.
        found = fire.shot(plain, weapon, 0, modifier=1 - int(need), cover=["open", "soft"])
        hit, killed, wounded, near, each = map(F, values)
        same(found.hit, [hit, hit])
        same([found.killed, found.wounded, found.near_miss], [[killed, each], [wounded, each], [near, each]])


def test_a_need_of_one_is_in_practice_a_need_of_two() -> None:
    for weapon in WEAPONS_RI:
        same(fire.shot(RI, weapon, 0).hit, fire.shot(RI, weapon, 0, modifier=-1).hit)


def test_what_a_hit_does() -> None:
    third, half, sixth = F(1, 3), F(1, 2), F(1, 6)
    same(fire.result(NA, COVERS), [[third, sixth, sixth], [half, half, half], [sixth, third, third]])
    same(fire.result(RI, COVERS), [[half, third, third], [third, third, third], [sixth, third, third]])
    graded = RI.variant({"RI-5.2": "graded"})
    same(fire.result(graded, "hard"), [sixth, third, half])
    same(fire.result(RI.variant({"RI-5.2": "none"}), "hard"), fire.result(RI))


def test_hits_to_eliminate() -> None:
    for book, unhurt, wounded in ((NA, ("48/25", "21/8"), ("6/5", "3/2")), (RI, ("42/25", "9/4"), ("6/5", "3/2"))):
        same(fire.hits_to_eliminate(book, ["open", "soft"]), [F(each) for each in unhurt])
        same(fire.hits_to_eliminate(book, ["open", "hard"], wounds=1), [F(each) for each in wounded])
    harmless = NA.variant({"result.kill_at_most": 0, "result.wound_at_most": 0})
    assert fire.hits_to_eliminate(harmless) == inf
    same(fire.hits_to_eliminate(NA.variant({"result.wounds_out": 3})), F(6, 5) * (1 + F(1, 2) * F(48, 25)))


def test_misfires_and_fumbles() -> None:
    found = fire.shot(NA, "rifle", 30)
    same([found.misfire, found.hit, found.killed], [F(1, 6), F(7, 12), F(7, 36)])
    same(fire.shot(DRY, ["rifle", "pistol"], 5).natural_miss, [F(1, 10), F(1, 6)])
    same(fire.shot(NA, "tomahawk", 5).misfire, 0)
    for book in (NA, DRY):
        grades = fire.shot(
            book.variant({"NA-4.2": "inexperienced_too"}), "musket", 20, quality=["regular", "inexperienced"]
        )
        same(grades.misfire, [F(1, 6), F(1, 3)])
    same(fire.shot(NA.variant({"NA-4.2": "rain"}), "musket", 20).hit, F(2, 3) * F(3, 5))


def test_a_natural_one_that_is_the_misfire() -> None:
    found = fire.shot(NA.variant({"NA-4.2": "natural_one"}), ["musket", "pistol", "tomahawk"], 5)
    same(found.misfire, [F(1, 10), F(1, 6), 0])
    same(found.natural_miss, [0, 0, 0])
    same(found.hit[:2], [F(3, 5), F(1, 2)])
    easy = NA.variant({"NA-4.2": "natural_one", "fire.natural_misses": []})
    same(fire.shot(easy, "rifle", 5, modifier=20).hit, F(9, 10))


# Break-even distances

BETTER = {"carbine": "rifled_carbine", "smoothbore": "smoothbore_musket", "rifled": "rifled_musket", "pistol": "pistol"}


@pytest.mark.parametrize(
    ("first", "second", "plus", "bands"),
    [
        ("rifled", "smoothbore", 0, "0-20 rifled; 20-30 equal; 30-120 rifled"),
        ("rifled", "smoothbore", -2, "0-100 rifled; 100-120 equal"),
        ("carbine", "smoothbore", 0, "0-20 carbine; 20-40 smoothbore; 40-50 equal; 50-80 carbine; 80-120 equal"),
        (
            *("carbine", "smoothbore", -2),
            "0-10 carbine; 10-15 smoothbore; 15-20 carbine; 20-30 equal; 30-60 carbine; 60-120 equal",
        ),
        ("rifled", "carbine", 0, "0-120 rifled"),
        ("rifled", "carbine", -2, "0-100 rifled; 100-120 equal"),
        ("smoothbore", "pistol", 0, "0-10 equal; 10-60 smoothbore"),
        ("smoothbore", "pistol", -2, "0-5 equal; 5-50 smoothbore; 50-60 equal"),
    ],
)
def test_break_even_distances(first: str, second: str, plus: int, bands: str) -> None:
    for band in bands.split("; "):
        ends, better = band.split()
        low, high = map(int, ends.split("-"))
        # The end of a band belongs to it, its start to the one before (but for 0).
        distances = np.arange(2 * low + (low > 0), 2 * high + 1) / 2
        one, other = (fire.shot(RI, BETTER[name], distances, modifier=plus).hit for name in (first, second))
        gap = np.where(np.abs(one - other) < 1e-12, 0, np.sign(one - other))
        assert set(gap) == {{first: 1, second: -1}.get(better, 0)}, band


# Readings


def test_columns_of_the_range_tables() -> None:
    far = [0, 5, 5.1, 7.4, 7.5, 9.9, 10, 30, 30.1]
    for reading, needs in (
        ("upto", [1, 1, 2, 2, 2, 2, 2, 6]),
        ("nearest", [1, 1, 1, 1, 2, 2, 2, 6]),
        ("from", [1, 1, 1, 1, 1, 1, 2, 6]),
    ):
        found = fire.shot(RI.variant({"RI-T.6": reading}), "pistol", far)
        same(found.hit[:-1], [F(7 - max(need, 2), 6) for need in needs])
        same(found.no_shot, [0] * 8 + [1])


def test_a_carbine_may_be_cut_short() -> None:
    same(fire.shot(RI, "rifled_carbine", 90).no_shot, 0)
    same(fire.shot(RI, "rifled_carbine", 90, modifier=1).hit, F(1, 8))
    same(fire.shot(RI.variant({"RI-T.7": "cut"}), "rifled_carbine", [80, 80.1]).no_shot, [0, 1])


def test_the_top_face_may_hit() -> None:
    for book, rule in ((DRY, "NA-4.13"), (RI, "RI-4.4")):
        found = fire.shot(book.variant({rule: "top_face_hits"}), "pistol", [5, 15, 999], modifier=-9)
        same(found.hit, [F(1, 6), F(1, 6), 0])
        same(found.no_shot, [0, 0, 1])


def test_the_die_may_go_by_grade() -> None:
    by_quality = DRY.variant({"NA-4.5": "by_quality"})
    found = fire.shot(by_quality, "musket", 20, quality=["irregular", "regular", "veteran"])
    same(found.hit, [F(4, 8), F(6, 10), F(8, 12)])
    shifted = RI.variant({"RI-4.2": "quality_shift"})
    found = fire.shot(shifted, "rifled_carbine", 40, quality=["militia", "conscript", "veteran"])
    same(found.hit, [F(3, 6), F(5, 8), F(7, 10)])
    same(fire.shot(shifted, "rifled_musket", 40, quality="veteran").hit, F(17, 20))
    same(fire.shot(shifted, "pistol", 20, quality="militia").hit, F(1, 4))


def test_modifiers_add_up() -> None:
    when = ["unaimed", "target_ran", "shooter_wounded"]
    same(fire.shot(DRY, "rifle", 10, when=when).hit, F(3, 10))
    same(fire.shot(DRY, "rifle", 10, quality="sharpshooter", cover="hard").hit, F(6, 10))
    same(fire.shot(DRY, "rifle", 10, when=["target_prone"], cover=COVERS).hit, [F(6, 10), F(6, 10), F(5, 10)])
    same(
        fire.shot(RI.variant({"RI-4.5b": "grades"}), "pistol", 15, quality=["militia", "veteran"]).hit,
        [F(1, 2), F(5, 6)],
    )
    same(fire.shot(RI.variant({"RI-4.5b": "target_moved"}), "pistol", 15, when=["target_moved"]).hit, F(1, 2))
    none = DRY.variant({"NA-4.10b": "none"})
    same(fire.shot(none, "musket", 20, cover=COVERS, quality="sharpshooter", when=["target_prone"]).hit, [F(3, 5)] * 3)


# Properties


@given(
    st.sampled_from(list(BOOKS)),
    st.floats(0, 150),
    st.integers(-12, 12),
    st.sampled_from(COVERS),
    st.sampled_from(["die", "none", "natural_one", "rain"]),
)
@settings(max_examples=60)
def test_mass_and_monotone(name: str, distance: float, plus: int, cover: str, misfire: str) -> None:
    book = NA.variant({"NA-4.2": misfire}) if name == "nordamerica" else RI
    weapons = [path.split(".")[1] for path in book.numbers if path.startswith("weapons.") and path.endswith(".die")]
    found = fire.shot(book, weapons, distance, modifier=plus, cover=cover)
    same(sum(found), 1)
    for part in found:
        assert (part >= 0).all()
    better = fire.shot(book, weapons, distance, modifier=plus + 1, cover=cover)
    assert (better.hit >= found.hit - 1e-15).all()
    assert (fire.shot(book, weapons, distance + 10, modifier=plus, cover=cover).hit <= found.hit + 1e-15).all()


@pytest.mark.parametrize("name", BOOKS)
def test_a_batch_is_a_loop_of_singles(name: str) -> None:
    book = BOOKS[name]
    weapons, far, plus = np.array(["pistol", "pistol"])[:, None, None], np.arange(0, 40, 5)[:, None], np.arange(-3, 3)
    batch = fire.shot(book, weapons, far, modifier=plus, cover="soft", when=["unaimed"])
    for part in batch:
        assert part.shape == (2, 8, 6)
    for i, j in np.ndindex(8, 6):
        single = fire.shot(book, "pistol", int(far[i, 0]), modifier=int(plus[j]), cover="soft", when=["unaimed"])
        same([part[1, i, j] for part in batch], single)
    assert fire.shot(book, "pistol", 1).hit.shape == ()


# Against a sampler that follows the rules die by die


def test_sampled_shots() -> None:
    """A sharpshooter's unaimed rifle at 50 cm, at a man behind a hedge."""
    rng = np.random.default_rng(1)
    misfire, hit, result = rng.integers(1, 7, DRAWS), rng.integers(1, 11, DRAWS), rng.integers(1, 7, DRAWS) + 1
    fires = misfire > 1
    centred = fires & (hit > 1) & (hit - 2 - 1 + 1 >= 7)
    seen = {
        "misfire": ~fires,
        "natural_miss": fires & (hit == 1),
        "killed": centred & (result <= 2),
        "wounded": centred & (result >= 3) & (result <= 5),
        "near_miss": centred & (result >= 6),
        "missed": fires & (hit > 1) & ~centred,
    }
    odds_of = fire.shot(NA, "rifle", 50, cover="soft", quality="sharpshooter", when=["unaimed"])._asdict()
    for name, cases in seen.items():
        assert stats.binomtest(int(cases.sum()), DRAWS, float(odds_of[name])).pvalue > P_MIN, name


# The question


def test_the_standard_tables() -> None:
    table = odds.answer(NA, "hit", {})
    assert table.columns[:2] == ("weapon", "distance (cm)")
    assert [row[:2] for row in table.rows][:3] == [("rifle", 30), ("rifle", 80), ("musket", 20)]
    same(table.records()[0]["hit"], F(7, 12))
    assert "misfire" not in odds.answer(RI, "hit", {}).columns
    assert len(odds.answer(RI, "hit", {}).rows) == 36
    assert len(odds.answer(RI.variant({"RI-T.7": "cut"}), "hit", {}).rows) == 32


def test_an_axis_with_several_values_has_a_column() -> None:
    options = {
        "weapon": "musket",
        "distance": "10,60",
        "cover": "open,soft",
        "quality": "regular,veteran",
        "modifier": "-1:0",
    }
    table = odds.answer(NA, "hit", options)
    assert table.columns[:5] == ("weapon", "distance (cm)", "grade", "cover", "modifier")
    assert len(table.rows) == 16
    same(table.records()[0]["hit"], F(5, 12))
    assert set(table.records()[-1].values()) == {"musket", 60, "veteran", "soft", 0, None}, "too far: no numbers"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: fire.shot(NA, "rifel", 10),
            "weapon: unknown weapon 'rifel'; did you mean 'rifle'? Known: musket, pistol",
        ),
        (lambda: fire.shot(NA, "rifle", -1), "distance: must be at least 0 cm"),
        (lambda: fire.shot(NA, "rifle", float("nan")), "distance: must be at least 0 cm"),
        (lambda: fire.shot(NA, "rifle", "far"), "distance: must be numbers of cm"),
        (lambda: fire.shot(NA, "rifle", 10, modifier=0.5), "modifier: must be integers, not 0.5"),
        (lambda: fire.shot(NA, "rifle", 10, cover="wall"), "cover: unknown cover 'wall'"),
        (lambda: fire.shot(NA, "rifle", 10, quality="militia"), "quality: unknown grade 'militia'"),
        (lambda: fire.shot(RI, "pistol", 10, when=["target_prone"]), "when: unknown circumstance 'target_prone'"),
        (lambda: fire.shot(NA, "rifle", 10, when=["soft_cover"]), "when: unknown circumstance 'soft_cover'"),
        (lambda: fire.shot(NA, "rifle", 10, when=["unaimed", "unaimed"]), "when: 'unaimed' stands there twice"),
        (lambda: fire.shot(NA, ["rifle", "musket"], [1, 2, 3]), "weapon: shapes do not broadcast"),
        (lambda: fire.hits_to_eliminate(NA, wounds=2), "wounds: must be less than 2"),
        (lambda: fire.hits_to_eliminate(NA, wounds=-1), "wounds: must be at least 0"),
        (lambda: fire.result(NA, "wall"), "cover: unknown cover 'wall'"),
        (lambda: odds.answer(NA, "hit", {"weapon": "bow"}), "--weapon: unknown weapon 'bow'"),
        (lambda: odds.answer(NA, "hit", {"distance": "-5"}), "--distance: must be from 0 to 1000, not -5"),
        (lambda: odds.answer(NA, "hit", {"when": "charge"}), "--when: unknown circumstance 'charge'"),
    ],
)
def test_bad_input_names_the_argument(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value).startswith(message)
