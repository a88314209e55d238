"""Close combat: the published tables as fractions, capture, a sampler of each reading, bad input, and the question."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from wargamesim.errors import InputError
from wargamesim.games.skirmish import odds
from wargamesim.games.skirmish.melee import melee, several_against_one
from wargamesim.rulebook import Rulebook, load_rulebook

NA, RI = load_rulebook("nordamerica"), load_rulebook("risorgimento")
BOOKS = (NA, RI)
SEVERAL = {"nordamerica": "NA-7.12", "risorgimento": "RI-7.8"}
CAPTURE = {"nordamerica": "NA-7.14", "risorgimento": "RI-7.10"}
P_MIN, DRAWS = 1e-4, 200_000


def same(result: object, exact: object) -> None:
    np.testing.assert_allclose(np.asarray(result, float), np.asarray(exact, float), rtol=0, atol=1e-12)


# Die of a, die of b, modifier of a: b killed, wounded, marked; a killed, wounded, marked.
ROUNDS = """
6 6 0 3/10 0 1/5 3/10 0 1/5
8 6 0 8/21 1/21 3/14 3/14 0 1/7
10 6 0 25/54 5/54 1/6 1/6 0 1/9
8 8 0 2/7 1/28 5/28 2/7 1/28 5/28
10 8 0 25/72 1/12 13/72 2/9 1/36 5/36
10 10 0 5/18 1/15 7/45 5/18 1/15 7/45
6 6 1 3/8 1/36 1/4 11/72 0 7/36
"""


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.name)
@pytest.mark.parametrize("row", ROUNDS.strip().splitlines())
def test_one_against_one(book: Rulebook, row: str) -> None:
    die_a, die_b, plus, *exact = row.split()
    ends = [F(each) for each in exact]
    same(melee(book, int(die_a), int(die_b), int(plus)), ends)
    same(melee(book, int(die_b), int(die_a), 0, int(plus)), ends[3:] + ends[:3])
    same(melee(book, int(die_a), int(die_b), int(plus)).a_wins, sum(ends[:3]))


# Three of these dice against that one: the chance of capture, by one roll of the one and by a roll against each.
CAPTURES = {
    (6, 6): ("481/1440", "11/40"),
    (8, 6): ("82513/175616", "1215/2744"),
    (10, 6): ("329929/583200", "3211/5832"),
    (6, 10): ("37141/209952", "475/5832"),
}


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.name)
@pytest.mark.parametrize("dice", CAPTURES)
def test_three_against_one_capture(book: Rulebook, dice: tuple[int, int]) -> None:
    for reading, exact in zip(("single_roll", "pairwise"), CAPTURES[dice], strict=True):
        found = several_against_one(book.variant({SEVERAL[book.name]: reading}), 3, *dice)
        same(found.captured, F(exact))
        same(sum(found[:5]), 1)


def test_a_bare_six_against_a_bare_six_never_wounds() -> None:
    found = melee(NA, 6, 6)
    same([found.b_wounded, found.a_wounded], [0, 0])
    same(found.b_killed / found.a_wins, F(3, 5))
    for win, lose in product(range(1, 21), repeat=2):
        if lose < win <= lose * 2 - 1 and win - lose >= 3:
            assert win >= 7, "a wound without a kill needs 7"


def rolled_out(die_a: int, die_b: int, plus_a: int, plus_b: int) -> list[F]:
    """Every pair of faces by the words of the rule: the six ends of a round."""
    ends = [F(0)] * 6

    def settle(a: int, b: int, weight: F) -> bool:
        winner, loser = max(a, b), min(a, b)
        if winner == loser:
            return False
        what = 0 if 2 * loser <= winner else 1 if winner - loser > 2 else 2
        ends[what + (0 if a > b else 3)] += weight
        return True

    pairs = list(product(range(1, die_a + 1), range(1, die_b + 1)))
    tied = sum(not settle(a + plus_a, b + plus_b, F(1, len(pairs))) for a, b in pairs)
    decided = [pair for pair in pairs if pair[0] != pair[1]]
    for a, b in decided:
        settle(a, b, F(tied, len(pairs) * len(decided)))
    return ends


@given(st.integers(2, 12), st.integers(2, 12), st.integers(-4, 4), st.integers(-4, 4))
@settings(max_examples=60)
def test_every_pair_of_faces(die_a: int, die_b: int, plus_a: int, plus_b: int) -> None:
    found = melee(NA, die_a, die_b, plus_a, plus_b)
    same(found, rolled_out(die_a, die_b, plus_a, plus_b))
    same(sum(found), 1)
    same(melee(NA, die_b, die_a, plus_b, plus_a), [*found[3:], *found[:3]])
    assert melee(NA, die_a, die_b, plus_a + 1, plus_b).a_wins >= found.a_wins - 1e-12


def test_a_batch_is_a_loop_of_singles() -> None:
    dice, plus = np.array([[6], [8], [10]]), np.array([-1, 0, 2])
    batch = melee(NA, dice, 8, plus, 1)
    for i, j in np.ndindex(3, 3):
        same([part[i, j] for part in batch], melee(NA, int(dice[i, 0]), 8, int(plus[j]), 1))


def test_one_figure_is_a_round_of_one_against_one() -> None:
    for reading in ("single_roll", "pairwise", "lowest_only"):
        found = several_against_one(NA.variant({"NA-7.12": reading}), 1, 8, 10, 1, -1)
        duel = melee(NA, 8, 10, 1, -1)
        same([found.out, found.wounded, found.marked], duel[:3])
        same(found[5:], duel[3:])
        same([found.captured, found.unhurt], [0, 1 - duel.a_wins])


def test_house_numbers() -> None:
    book = NA.variant({"melee.kill_ratio": 3, "melee.wound_lead": 1, "capture.figures": 2, "capture.beat": 1})
    found = melee(book, 6, 6)
    same([found.b_killed, found.b_wounded, found.b_marked], [F(5, 30), F(10, 30), 0])
    assert several_against_one(book, 2, 6, 6).captured > 0
    one_wound = NA.variant({"result.wounds_out": 1})
    hurt, plain = several_against_one(one_wound, 2, 10, 6), several_against_one(NA, 2, 10, 6)
    assert hurt.wounded == 0
    assert hurt.out > plain.out
    crowd = NA.variant({"NA-7.7a": "outnumbering"})
    same(several_against_one(crowd, 3, 6, 6), several_against_one(NA, 3, 6, 6, 2))


# Against samplers that follow each reading figure by figure


def settle(winner: np.ndarray, loser: np.ndarray) -> np.ndarray:
    """0 killed, 1 wounded, 2 marked."""
    return np.where(2 * loser <= winner, 0, np.where(winner - loser > 2, 1, 2))


def reroll(rng: np.random.Generator, die_a: int, die_b: int, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Bare dice that differ."""
    a, b = rng.integers(1, die_a + 1, size), rng.integers(1, die_b + 1, size)
    while (tied := a == b).any():
        a[tied], b[tied] = rng.integers(1, die_a + 1, tied.sum()), rng.integers(1, die_b + 1, tied.sum())
    return a, b


def sampled(reading: str, n: int, die_a: int, die_b: int, plus: int, first: bool) -> tuple[dict[str, int], np.ndarray]:
    """What becomes of the one, and how many of the several are killed, wounded and marked."""
    rng = np.random.default_rng(5)
    b = np.repeat(rng.integers(1, die_b + 1, (1, DRAWS)), n, axis=0)
    if reading == "pairwise":
        b = rng.integers(1, die_b + 1, (n, DRAWS))
    a = rng.integers(1, die_a + 1, (n, DRAWS)) + plus
    if reading == "lowest_only":
        low = np.argmin(a, axis=0)
        tie = a.min(axis=0) == b[0]
        new_a, new_b = reroll(rng, die_a, die_b, DRAWS)
        alone = a.min(axis=0) > b[0]
        beats = (a > b).sum(axis=0) + (tie & (new_a > new_b))
        loses = alone | (tie & (new_a > new_b))
        winner = np.where(alone, a.max(axis=0), new_a)
        lost = np.where(alone, b[0], new_b)
        effect = np.where(loses, settle(winner, lost), 3)
        back = np.where(tie, settle(new_b, new_a), settle(b[0], a[low, np.arange(DRAWS)]))
        several = np.where(loses, 3, back)[None]
        effects = effect[None]
    else:
        for i in range(n):
            tied = a[i] == b[i]
            new_a, new_b = reroll(rng, die_a, die_b, int(tied.sum()))
            a[i, tied], b[i, tied] = new_a, new_b
        effects = np.where(a > b, settle(a, b), 3)
        several = np.where(b > a, settle(b, a), 3)
        beats = (a > b).sum(axis=0)
    out = (effects == 0).any(axis=0) | ((effects == 1).sum(axis=0) >= 2)
    captured = (n >= 3) & (several != 0).all(axis=0) & (beats >= 2) & (first | ~out)
    wounded = ~out & (effects == 1).any(axis=0)
    marked = ~out & ~wounded & (effects < 3).any(axis=0)
    state = np.select([captured, out, wounded, marked], ["captured", "out", "wounded", "marked"], "unhurt")
    names, counts = np.unique(state, return_counts=True)
    return dict(zip(names.tolist(), counts.tolist(), strict=True)), np.array([(several == i).sum() for i in range(3)])


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("reading", ["single_roll", "pairwise", "lowest_only"])
def test_sampled_several_against_one(reading: str, first: bool) -> None:
    """Four blades with a charge against a bayonet."""
    book = RI.variant({"RI-7.8": reading, "RI-7.10": "capture_first" if first else "if_alive"})
    found = several_against_one(book, 4, 8, 10, 1)
    seen, several = sampled(reading, 4, 8, 10, 1, first)
    for name in ("captured", "out", "wounded", "marked", "unhurt"):
        assert stats.binomtest(seen.get(name, 0), DRAWS, getattr(found, name)).pvalue > P_MIN, name
    for count, mean in zip(several, found[5:], strict=True):
        # Up to four a round: the count is no binomial one, but its error is at most that of four certain ones.
        assert abs(count / DRAWS - mean) < stats.norm.isf(P_MIN / 2) * np.sqrt(4 * mean / DRAWS) + 1e-12


def test_the_questions() -> None:
    table = odds.answer(NA, "melee", {})
    assert len(table.rows) == 18
    row = table.records()[0]
    assert (row["attacker"], row["defender"], row["loser"]) == ("improvised", "improvised", "defender")
    same([row["killed"], row["wounded"], row["marked"], row["in all"]], [F(3, 10), 0, F(1, 5), F(1, 2)])
    options = {"attacker": "improvised", "defender": "improvised", "attacker_when": "charge"}
    same(odds.answer(NA, "melee", options).records()[0]["killed"], F(3, 8))
    options = {"attacker": "bayonet", "defender": "blade", "figures": "1:4"}
    table = odds.answer(RI, "melee", options)
    assert [row[0] for row in table.rows] == [1, 2, 3, 4]
    same(table.rows[2][1:], several_against_one(RI, 3, 10, 8))
    assert odds.answer(RI, "melee", {"figures": "2"}).columns[:3] == ("attackers", "defender", "figures")


def test_grades_and_circumstances_of_the_question() -> None:
    options = {"attacker": "improvised", "defender": "improvised"}
    militia = odds.answer(RI, "melee", options | {"defender_quality": "militia"})
    same(militia.records()[0]["killed"], melee(RI, 6, 6, 0, -1).b_killed)
    both = odds.answer(RI, "melee", options | {"attacker_quality": "veteran", "attacker_when": "blue,charge"})
    same(both.records()[0]["killed"], F(3, 8))
    more = odds.answer(NA, "melee", options | {"attacker_modifier": "2", "defender_when": "prone"})
    same(more.records()[0]["killed"], melee(NA, 6, 6, 2, -2).b_killed)
    assert "Modifiers: attacker +2, defender -2." in more.notes


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: melee(NA, 1, 6), "die_a: must be at least 2, not 1"),
        (lambda: melee(NA, 6, 6, 0.5), "modifier_a: must be integers, not 0.5"),
        (lambda: melee(NA, [6, 8], [6, 8, 10]), "die_a: shapes do not broadcast"),
        (lambda: several_against_one(NA, 0, 6, 6), "figures: must be at least 1, not 0"),
        (lambda: several_against_one(NA, 2, 6, 1), "die_b: must be at least 2, not 1"),
        (lambda: odds.answer(NA, "melee", {"attacker": "lance"}), "--attacker: unknown arms 'lance'"),
        (lambda: odds.answer(RI, "melee", {"attacker_when": "prone"}), "--attacker_when: unknown circumstance 'prone'"),
        (lambda: odds.answer(NA, "melee", {"figures": "13"}), "--figures: must be from 1 to 12, not 13"),
        (lambda: odds.answer(NA, "melee", {"defender_quality": "x,y"}), "--defender_quality: unknown grade 'x'"),
    ],
)
def test_bad_input_names_the_argument(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value).startswith(message)
