"""Equilibria of experiments, their words and tables, and the bootstrap's coverage."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from wargamesim.errors import InputError
from wargamesim.study import equilibrium
from wargamesim.study.equilibrium import Equilibrium, equilibrium_from
from wargamesim.study.intervals import wilson
from wargamesim.study.outcomes import Battles

OUTCOMES, SIDES = ("red", "blue", "draw", "no_decision"), ("red", "blue")


def crossed(outcomes: NDArray[np.int64], *, paired: bool = True) -> Battles:
    """Return battles from outcomes of shape (rows, columns, battles); -1 is a battle not fought."""
    rows, columns, count = outcomes.shape
    cells = [{"red.plan": f"r{row}", "blue.plan": f"b{column}"} for row, column in np.ndindex(rows, columns)]
    flat = outcomes.reshape(-1, count)
    cell, battle = np.nonzero(flat >= 0)
    return Battles({"cell": cell, "battle": battle, "outcome": flat[cell, battle]}, cells, OUTCOMES, SIDES, paired)


def from_scores(matrix: list[list[float]], count: int) -> Battles:
    """Return battles whose mean scores are those of the matrix exactly; each cell's wins come first."""
    scores = np.array(matrix)
    wins = np.round(scores * count).astype(int)
    return crossed((np.arange(count) >= wins[..., None]).astype(np.int64))


def only(battles: Battles, **options: object) -> Equilibrium:
    [game] = equilibrium_from(battles, rng=0, **options)  # type: ignore[arg-type]
    return game


def test_an_experiment_is_solved() -> None:
    matrix = [[0.75, 0.25, 0.75], [0.375, 0.625, 0.5], [0.25, 0.25, 0.25]]
    game = only(from_scores(matrix, 400))
    assert game.scores.tolist() == matrix
    assert game.value == pytest.approx(0.5, abs=1e-12)
    np.testing.assert_allclose(game.row.share, [1 / 3, 2 / 3, 0], atol=1e-9)
    np.testing.assert_allclose(game.column.share, [1 / 2, 1 / 2, 0], atol=1e-9)
    np.testing.assert_allclose(game.row.regret, [0, 0, 0.25], atol=1e-9)
    np.testing.assert_allclose(game.column.regret, [0, 0, 1 / 12], atol=1e-9)
    assert game.row.dominated == {2: 0}
    assert game.column.dominated == {2: 0}
    assert game.row.choices == ("r0", "r1", "r2")
    assert (game.n, game.saddles, game.given) == (400, (), {})
    assert game.interval[0] < game.value < game.interval[1]
    assert abs(game.bias) < game.interval[1] - game.interval[0]
    np.testing.assert_array_equal(game.score_interval, wilson(400 * np.array(matrix), 400))
    assert game.row.played[:2].tolist() == [1, 1]
    assert game.row.played[2] == 0


def test_a_saddle_point_is_pure() -> None:
    game = only(from_scores([[0.8, 0.6], [0.5, 0.3]], 200))
    assert game.saddles == ((0, 1),)
    assert (game.value, game.row.share.tolist(), game.column.share.tolist()) == (0.6, [1, 0], [0, 1])
    first, second, *rest = game.sentences()
    assert first.startswith(
        "The Red should choose r0 always; whatever the Blue choose, they then score at least 0.60 (95 %"
    )
    assert second.startswith(
        "The Blue should choose b1 always; whatever the Red choose, they then score at least 0.40 ("
    )
    assert "Against that, always choosing otherwise costs the Red score: r1 0.30." in rest
    assert "For the Blue, b0 scored nowhere better than b1 and somewhere worse." in rest


def test_an_experiment_in_words() -> None:
    said = only(from_scores([[0.75, 0.25], [0.375, 0.625]], 400)).sentences()
    assert said[0].startswith(
        "The Red should choose r1 in 67 % of battles and r0 in 33 %; whatever the Blue choose, they "
    )
    assert said[1].startswith(
        "The Blue should choose b0 in 50 % of battles and b1 in 50 %; whatever the Red choose, they "
    )
    assert len(said) == 2
    unsettled = only(from_scores([[0.52, 0.48], [0.5, 0.5]], 50)).sentences()
    assert any("the mix of the Red is not settled: over 1000 resamples" in sentence for sentence in unsettled)


def test_the_tables_of_an_equilibrium() -> None:
    outcomes = np.random.default_rng(6).integers(0, 4, (2, 3, 50))
    game = only(crossed(outcomes), level=0.9, resamples=100)
    rows = game.table().records()
    assert [(row["red"], row["blue"]) for row in rows] == list(product(["r0", "r1"], ["b0", "b1", "b2"]))
    assert [row["score"] for row in rows] == game.scores.ravel().tolist()
    assert rows[4]["no_decision"] == np.mean(outcomes[1, 1] == 3)
    assert any("no decision" in note for note in game.table().notes)
    matrix = game.matrix_table()
    assert matrix.columns == ("red \\ blue", "b0", "b1", "b2")
    assert matrix.rows[1][2] == f"{game.scores[1, 1]:.3f} ±{game.score_interval.half_width[1, 1]:.3f}"
    strategies = game.strategy_table().records()
    assert [row["choice"] for row in strategies] == ["r0", "r1", "b0", "b1", "b2"]
    assert sum(row["share"] for row in strategies) == pytest.approx(2)
    assert f"value {game.value:.3f}, 90 % interval" in game.strategy_table().title


def test_factors_of_a_side_combine_and_the_others_split() -> None:
    cells = [
        {"mud": mud, "red.plan": plan, "blue.plan": other, "red.doctrine": doctrine}
        for mud, plan, other, doctrine in product([0, 5], ["line", "funnel"], ["charge", "wait"], ["hold", "sally"])
    ]
    wins = [0 if cell["mud"] == 5 or cell["red.plan"] == "line" else 1 for cell in cells]
    data = {"cell": list(range(16)) * 2, "battle": [0] * 16 + [1] * 16, "outcome": wins * 2}
    dry, wet = equilibrium_from(Battles(data, cells, OUTCOMES, SIDES), rng=0, resamples=10)
    assert (dry.given, wet.given) == ({"mud": 0}, {"mud": 5})
    assert dry.row.choices == ("line + hold", "line + sally", "funnel + hold", "funnel + sally")
    assert dry.column.choices == ("charge", "wait")
    assert dry.scores.tolist() == [[1, 1], [1, 1], [0, 0], [0, 0]]
    assert wet.scores.tolist() == [[1, 1]] * 4
    assert "mud = 5" in wet.title
    assert wet.table().records()[0]["mud"] == wet.strategy_table().records()[0]["mud"] == 5


def test_a_seed_gives_one_answer() -> None:
    battles = crossed(np.random.default_rng(1).integers(0, 4, (3, 3, 80)))
    first, again, other = (equilibrium_from(battles, rng=seed, resamples=50)[0] for seed in (0, 0, 1))
    generator = equilibrium_from(battles, rng=np.random.default_rng(0), resamples=50)[0]
    assert first.interval == again.interval == generator.interval
    assert first.row.played.tolist() == again.row.played.tolist()
    assert first.interval != other.interval


def test_blocks_of_resamples_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    battles = crossed(np.random.default_rng(1).integers(0, 4, (3, 3, 80)))
    whole = only(battles, resamples=50)
    monkeypatch.setattr(equilibrium, "BLOCK", 200)
    assert only(battles, resamples=50).interval == whole.interval


@pytest.mark.proof
@pytest.mark.parametrize("paired", [True, False])
def test_the_interval_covers_the_value(paired: bool) -> None:
    # A game with value 0.5 and a full mix, 200 experiments of 200 battles a cell; in the paired ones all cells share
    # their luck. The standard error of a coverage of 0.95 is 0.0154; the percentile interval is only nearly exact.
    chances = 0.5 + np.array([[0, -0.2, 0.2], [0.2, 0, -0.2], [-0.2, 0.2, 0]])
    rng = np.random.default_rng(9)
    covered = 0
    for _ in range(200):
        luck = rng.random((1, 1, 200) if paired else (3, 3, 200))
        outcomes = (luck >= chances[..., None]).astype(np.int64)
        [game] = equilibrium_from(crossed(outcomes, paired=paired), rng=rng, resamples=200)
        covered += game.interval[0] <= 0.5 <= game.interval[1]
    assert 0.90 < covered / 200 < 0.99


def test_a_cell_that_never_varied_is_not_certain() -> None:
    game = only(crossed(np.zeros((2, 2, 100), dtype=np.int64)))
    assert game.value == 1
    # Nearly the rule of three: 100 wins of 100 leave a chance of a loss of up to 0.03.
    assert 0.95 < game.interval[0] < 0.98
    assert game.interval[1] == 1


def test_pairing_narrows_nothing_but_what_it_should() -> None:
    # The value of a 1 x 1 game is a mean score: its interval does not depend on the pairing and is near Wilson's.
    outcomes = np.random.default_rng(7).integers(0, 2, (1, 1, 400))
    for paired in (True, False):
        game = only(crossed(outcomes, paired=paired), resamples=4000)
        np.testing.assert_allclose(game.interval, np.ravel(game.score_interval), atol=0.006)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ([{"red.plan": "a"}], "factors: no factor is a choice of 'blue'.*'blue.'.*Factors: red.plan"),
        ([{}], "no factor is a choice of 'red'.*Factors: none"),
        ([{"redoubt.plan": "a", "blue.plan": "b"}], "no factor is a choice of 'red'"),
        (
            [{"red.plan": r, "blue.plan": b} for r, b in ("ax", "ay", "bx")],
            "1 of 4 cells are missing, first red b against blue y; is the design crossed",
        ),
        (
            [{"mud": m, "red.plan": r, "blue.plan": b} for m, r, b in ((0, "a", "x"), (3, "a", "y"))],
            "2 of 4 cells are missing, first red a against blue y, mud=0",
        ),
    ],
)
def test_no_game(cells: list[dict[str, object]], message: str) -> None:
    data = {"cell": list(range(len(cells))), "battle": [0] * len(cells), "outcome": [0] * len(cells)}
    with pytest.raises(InputError, match=message):
        equilibrium_from(Battles(data, cells, OUTCOMES, SIDES), rng=0)


@pytest.mark.parametrize("paired", [True, False])
def test_partial_data_is_refused(paired: bool) -> None:
    outcomes = np.zeros((2, 2, 3), dtype=np.int64)
    outcomes[0, 1, 2] = outcomes[1, 1, 0] = -1
    with pytest.raises(InputError, match=r"2 of 4 cells .*: cell 1 \(red.plan=r0, blue.plan=b1\) has 2 of 3;"):
        equilibrium_from(crossed(outcomes, paired=paired), rng=0)
    with pytest.raises(InputError, match=r"4 of 4 cells lack some: cell 0 .* has 0 of 0;"):
        equilibrium_from(crossed(np.full((2, 2, 3), -1), paired=paired), rng=0)


def test_options_are_checked() -> None:
    battles = crossed(np.zeros((2, 2, 3), dtype=np.int64))
    with pytest.raises(InputError, match="resamples: must be at least 1, but is 0"):
        only(battles, resamples=0)
    with pytest.raises(InputError, match="level: "):
        only(battles, level=1.0)
