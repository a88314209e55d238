"""Repeaters: the published table as fractions, limits, a sampler, bad input, and the question `repeater`."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F

import numpy as np
import pytest
from scipy import stats

from wargamesim.errors import InputError
from wargamesim.games.skirmish import odds
from wargamesim.games.skirmish.fire import shot
from wargamesim.games.skirmish.repeater import repeater_hits
from wargamesim.rulebook import load_rulebook

NA, RI = load_rulebook("nordamerica"), load_rulebook("risorgimento")
GROWING = RI.variant({"RI-6.2": "cumulative"})
P_MIN, DRAWS = 1e-4, 200_000


def same(result: object, exact: object) -> None:
    np.testing.assert_allclose(np.asarray(result, float), np.asarray(exact, float), rtol=0, atol=1e-12)


# Weapon, distance: mean hits flat and cumulative, at least one hit flat and cumulative.
BURSTS = """
rifled_musket 20 29/12 9/4 191/192 571/576
rifled_musket 40 23/12 7/4 551/576 541/576
rifled_musket 80 11/12 3/4 43/64 115/192
rifled_carbine 20 17/8 15/8 503/512 497/512
rifled_carbine 40 11/8 9/8 437/512 407/512
pistol 5 13/6 11/6 53/54 26/27
pistol 15 4/3 1 23/27 7/9
"""


@pytest.mark.parametrize("row", BURSTS.strip().splitlines())
def test_three_shots(row: str) -> None:
    weapon, far, *exact = row.split()
    flat, growing = (repeater_hits(book, weapon, int(far)) for book in (RI, GROWING))
    same([flat.mean(), growing.mean(), flat.at_least(1), growing.at_least(1)], [F(each) for each in exact])


def test_limits() -> None:
    same(repeater_hits(RI, "pistol", 5, 0).p, [1])
    same(repeater_hits(RI, "pistol", 5, 1).mean(), shot(RI, "pistol", 5).hit)
    busy = repeater_hits(RI, "pistol", 5, when=["unaimed"])
    same(busy.mean(), shot(RI, "pistol", 5, when=["unaimed"]).hit)
    assert busy.values.tolist() == [0, 1]
    more = RI.variant({"repeater.shots": 4, "repeater.penalty": -1})
    same(repeater_hits(more, "pistol", 5).mean(), F(5 + 5 + 5 + 5, 6))


def test_a_batch_is_a_loop_of_singles() -> None:
    weapons, far = np.array(["pistol", "rifled_carbine"])[:, None], [5, 25, 45]
    batch = repeater_hits(RI, weapons, far, 2, cover="soft", quality="veteran", modifier=1)
    for i, j in np.ndindex(2, 3):
        single = repeater_hits(RI, str(weapons[i, 0]), far[j], 2, cover="soft", quality="veteran", modifier=1)
        same(batch.p[i, j], single.p)


def test_sampled_target_of_three_shots() -> None:
    """Three pistol shots at one man in the open at 12 cm."""
    rng = np.random.default_rng(9)
    hits, out, wounds, marked = (np.zeros(DRAWS, dtype=int) for _ in range(4))
    for penalty in (0, -2, -2):
        face, result = rng.integers(1, 7, DRAWS), rng.integers(1, 7, DRAWS)
        hit = (face > 1) & (face + penalty >= 3)
        hits += hit
        wounds += hit & (result >= 4) & (result <= 5)
        out |= hit & (result <= 3)
        marked |= hit
    out |= wounds >= 2
    row = odds.answer(RI, "repeater", {"weapon": "pistol", "distance": "12"}).records()[0]
    for seen, name in (
        (hits > 0, "at least 1 hit"),
        (out > 0, "out"),
        ((out == 0) & (wounds > 0), "wounded"),
        ((out == 0) & (marked > 0), "marked"),
    ):
        assert stats.binomtest(int(seen.sum()), DRAWS, row[name]).pvalue > P_MIN, name


def test_the_question() -> None:
    table = odds.answer(RI, "repeater", {"weapon": "rifled_musket", "shots": "1:3", "distance": "20,130"})
    assert [row[:3] for row in table.rows] == [("rifled_musket", far, n) for n in (1, 2, 3) for far in (20, 130)]
    same(table.rows[4][3], F(29, 12))
    assert table.rows[5][3:] == (None,) * 5
    moved = odds.answer(RI, "repeater", {"weapon": "pistol", "distance": "5", "when": "unaimed"})
    assert moved.rows[0][2] == 1, "after a move there is one shot"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: repeater_hits(NA, "pistol", 5),
            "the rulebook 'nordamerica' has no repeaters; it has arson, blind fire",
        ),
        (lambda: repeater_hits(RI, "pistol", 5, 4), "shots: must be at most 3, not 4"),
        (lambda: repeater_hits(RI, "pistol", 5, -1), "shots: must be at least 0, not -1"),
        (
            lambda: repeater_hits(RI, "pistol", 5, 2, when=["unaimed"]),
            "shots: must be at most 1 after a move or a reload, not 2",
        ),
        (lambda: repeater_hits(RI, "revolver", 5), "weapon: unknown weapon 'revolver'"),
        (lambda: odds.answer(NA, "repeater", {}), "the rulebook 'nordamerica' has no repeaters; it has"),
        (lambda: odds.answer(RI, "repeater", {"shots": "4"}), "--shots: must be from 0 to 3, not 4"),
    ],
)
def test_bad_input_names_the_argument(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value).startswith(message)
