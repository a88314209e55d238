"""Battles of a single event, played by the kernel very often, against the exact chances of the rules.

The tests are chi-square tests at a fixed seed. Each would fail for a right kernel with a chance of ALPHA; there are
fewer than a hundred, so one seed in a thousand would fail the file. What is off by 3 percent is seen (see
`test_the_test_is_sharp`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction as F
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from tests.azincourt_battles import setup_of
from tests.azincourt_boards import board, rules_with
from wargamesim.dice.keys import battle_key
from wargamesim.games.azincourt.game import GAME
from wargamesim.games.azincourt.rules import DRAW, ENGLISH, ENGLISH_WIN, FRENCH, FRENCH_WIN, NO_DECISION

ALPHA = 1e-5
BATTLES = 150_000

# Nobody moves, and a battle lasts for one turn of either side.
STILL = {
    **{f"pieces.{kind}.speed": 0 for kind in ("knight", "foot_knight", "infantry", "archer", "crossbow", "cannon")},
    "end.turn_limit": 1,
    "end.margin": 1000,
    "end.small_margin": 1000,
}
# The same, but the first loss ends the battle, and archers fight instead of shooting.
DUEL = {**STILL, "end.margin": 0, "end.last_moves": 0, "pieces.archer.range": 0}


def fits(counts: Sequence[int], chances: Sequence[F | float]) -> bool:
    """Tell whether the counts agree with the chances at the level ALPHA; what cannot happen has not happened."""
    assert abs(float(sum(chances)) - 1) < 1e-12
    assert sum(counts) > 10_000
    observed, expected = np.array(counts), np.array([float(chance) for chance in chances]) * sum(counts)
    if observed[expected == 0].any():
        return False
    possible = expected > 0
    return bool(possible.sum() == 1 or chisquare(observed[possible], expected[possible]).pvalue > ALPHA)


def play(
    picture: str, ground: str = "", changes: Mapping[str, Any] = STILL, *, battles: int = BATTLES, mud: int = 0
) -> dict[str, Any]:
    return GAME.play(setup_of(board(picture, ground), rules_with(changes), mud=mud), battle_key(1415), 0, battles)


def tally(*conditions: Any) -> list[int]:
    """Count the battles that meet each condition; no battle meets two, and the last count is of those left over."""
    assert (np.sum(conditions, axis=0) <= 1).all()
    counts = [int(np.sum(condition)) for condition in conditions]
    return [*counts, len(conditions[0]) - sum(counts)]


def test_the_test_is_sharp() -> None:
    for chance in (F(1, 6), F(1, 3), F(1, 2)):
        expected = [round(BATTLES * chance), round(BATTLES * (1 - chance))]
        assert fits(expected, [chance, 1 - chance])
        for factor in (F(97, 100), F(103, 100)):
            assert not fits(expected, [factor * chance, 1 - factor * chance])
    assert not fits([BATTLES, 1], [1, 0])


# Mud and first move (AZ-2.1, AZ-2.4, AZ-2.5)

# Of mud 0 to 5.
MUD = [F(1, 6), F(5, 18), F(2, 9), F(1, 6), F(1, 9), F(1, 18)]


def mud_and_mover(changes: Mapping[str, Any], mud: int = -1) -> list[int]:
    """Count battles by mud and first mover: 0 and English, 0 and French, 1 and English, ..."""
    played = play("I...i", changes={**STILL, **changes}, mud=mud)
    return np.bincount(2 * played["mud"] + played["first_mover"], minlength=12).tolist()


@pytest.mark.parametrize(("reading", "english"), [("coin", F(1, 2)), ("english", F(1)), ("french", F(0))])
def test_mud_and_first_mover(reading: str, english: F) -> None:
    level = [english * MUD[0], (1 - english) * MUD[0]]
    assert fits(mud_and_mover({"AZ-2.5": reading}), level + [chance / 2 for chance in MUD[1:] for _ in range(2)])


def test_mud_is_never_0_where_equal_dice_are_rolled_again() -> None:
    chances = [chance / 2 / (1 - MUD[0]) for chance in MUD[1:] for _ in range(2)]
    assert fits(mud_and_mover({"AZ-2.5": "reroll"}), [0, 0, *chances])


def test_fixed_mud_leaves_the_first_move_to_the_dice() -> None:
    counts = mud_and_mover({"AZ-2.5": "french"}, mud=3)
    assert fits(counts, [*[0] * 6, F(5, 12), F(7, 12), *[0] * 4])


def test_the_mud_die_is_data() -> None:
    counts = mud_and_mover({"mud.die": 4})
    assert fits(counts, [F(1, 8), F(1, 8), F(3, 16), F(3, 16), F(1, 8), F(1, 8), F(1, 16), F(1, 16), *[0] * 4])


# Arrows (AZ-4.3 to AZ-4.5)


@pytest.mark.parametrize(
    ("archers", "chances"),
    [
        (1, (F(1, 3), F(1, 3), F(1, 3))),
        (2, (F(1, 9), F(1, 3), F(5, 9))),
        (3, (F(1, 27), F(7, 27), F(19, 27))),
        (4, (F(1, 81), F(5, 27), F(65, 81))),
        (6, (F(1, 729), F(7, 81), F(665, 729))),
    ],
)
@pytest.mark.parametrize("shooter", "AX")
def test_arrows_on_a_knight(shooter: str, archers: int, chances: tuple[F, F, F]) -> None:
    played = play(f"..k... ...... ...... {shooter * archers:.<6}")
    removed, unhorsed = played["french_losses"] == 1, played["french_unhorsed"] == 1
    assert fits(tally(~removed & ~unhorsed, ~removed & unhorsed), chances)
    assert not played["english_losses"].any()


@pytest.mark.parametrize(
    ("target", "reading", "removed"),
    [
        ("n", "literal", F(1, 3)),
        ("n", "six_hits", F(1, 2)),
        ("i", "literal", F(1, 3)),
        ("i", "six_hits", F(1, 2)),
        ("f", "literal", F(1, 3)),
        ("c", "literal", F(1, 3)),
    ],
)
def test_one_arrow(target: str, reading: str, removed: F) -> None:
    played = play(f"{target} . . . A", changes={**STILL, "AZ-4.5": reading, "pieces.cannon.range": 0})
    assert not played["french_unhorsed"].any()
    assert fits(tally(played["french_losses"] == 1), [removed, 1 - removed])


@pytest.mark.parametrize(("target", "ground"), [("c", "."), ("i", "@")])
def test_no_arrow_at_a_cannon_or_into_the_castle(target: str, ground: str) -> None:
    changes = {**STILL, "AZ-4.9": "immune", "pieces.cannon.range": 0}
    played = play(f"{target} . . . A", f"{ground} . . . .", changes, battles=20_000)
    assert not played["french_losses"].any()


# Cannon (AZ-5.1, AZ-5.2, AZ-5.3)


def cannonade(distance: int, changes: Mapping[str, Any]) -> list[int]:
    played = play(" ".join(["i", *"." * (distance - 1), "C"]), changes={**STILL, **changes})
    return tally(played["french_losses"] == 1)


ONE_DIE = dict.fromkeys(range(2, 7), F(1, 6))
TWO_DICE = {distance: F(13 - distance, 36) for distance in range(7, 13)}


@pytest.mark.parametrize("distance", [*ONE_DIE, *TWO_DICE])
def test_the_sum_is_the_distance(distance: int) -> None:
    chance = (ONE_DIE | TWO_DICE)[distance]
    assert fits(cannonade(distance, {}), [chance, 1 - chance])


@pytest.mark.parametrize("distance", [2, 4, 6, 7, 9, 12])
def test_the_sum_hits_if_at_least_the_distance(distance: int) -> None:
    dice = 1 if distance < 7 else 2
    rolls = [sum(faces) for faces in product(range(1, 7), repeat=dice)]
    chance = F(sum(roll >= distance for roll in rolls), len(rolls))
    assert fits(cannonade(distance, {"AZ-5.2": "hit_if_at_least"}), [chance, 1 - chance])


def test_a_shot_removes_all_around_or_nothing() -> None:
    # From the cannon: 2 empty, 3 and 4 full. Reached 3: both and the one beside; reached 4: the same three.
    played = play("i. ii .. .. C.", changes={**STILL, "pieces.cannon.range": 6})
    assert fits(tally(played["french_losses"] == 3), [F(1, 3), F(2, 3)])


# Close combat (AZ-6)

# The attacker's chance by its value less the defender's, both on foot.
WINS = {
    -5: F(0),
    -4: F(1, 34),
    -3: F(1, 11),
    -2: F(3, 16),
    -1: F(10, 31),
    0: F(1, 2),
    1: F(21, 31),
    2: F(13, 16),
    3: F(10, 11),
    4: F(33, 34),
    5: F(1),
}


def attackers_win(picture: str, ground: str = "", changes: Mapping[str, Any] | None = None) -> list[list[int]]:
    """Return wins and losses of the attacker, first where the English attack, then the French."""
    played = play(picture, ground, {**DUEL, **(changes or {})})
    assert (played["turns"] == 1).all()
    winner, first = played["outcome"], played["first_mover"]
    assert set(winner.tolist()) <= {ENGLISH_WIN, FRENCH_WIN}
    return [tally(winner[first == side] == side) for side in (ENGLISH, FRENCH)]


@pytest.mark.parametrize("difference", range(6))
def test_two_on_foot(difference: int) -> None:
    values = {"pieces.foot_knight.value": 1 + difference, "pieces.infantry.value": 1}
    english, french = attackers_win("F i", changes=values)
    assert fits(english, [WINS[difference], 1 - WINS[difference]])
    assert fits(french, [WINS[-difference], 1 - WINS[-difference]])


@pytest.mark.parametrize(
    ("ground", "changes", "english", "french"),
    [
        ("h", {}, 0, -1),
        ("@", {}, 0, -1),
        ("h", {"terrain.house.bonus": 3}, -2, -1),
        ("@", {"terrain.castle.bonus": 4}, -3, -1),
        ("h", {"terrain.house.bonus": 0}, 1, -1),
    ],
)
def test_shelter_counts_for_the_defender_alone(ground: str, changes: dict[str, int], english: int, french: int) -> None:
    attacks = attackers_win("F i", f". {ground}", changes)
    for counts, difference in zip(attacks, (english, french), strict=True):
        assert fits(counts, [WINS[difference], 1 - WINS[difference]])


# Removed: the knight; its enemy by the mounted knight; its enemy by the knight on foot. By the value of the enemy.
KNIGHT = {
    1: (F(19, 192), F(5, 6), F(13, 192)),
    2: (F(113, 558), F(13, 18), F(7, 93)),
    3: (F(25, 72), F(7, 12), F(5, 72)),
    6: (F(163, 198), F(1, 6), F(1, 99)),
}


def knight_fights(picture: str) -> list[list[int]]:
    """Count how a French knight fares, first where the English attack, then where it attacks."""
    played = play(picture, changes=DUEL)
    removed, unhorsed = played["outcome"] == ENGLISH_WIN, played["french_unhorsed"] == 1
    counts = []
    for side in (ENGLISH, FRENCH):
        where = played["first_mover"] == side
        counts.append(tally(removed[where], (~removed & ~unhorsed)[where]))
    return counts


@pytest.mark.parametrize(("enemy", "value"), [("A", 1), ("I", 2), ("F", 3)])
def test_a_knight_and_one_on_foot(enemy: str, value: int) -> None:
    for counts in knight_fights(f"{enemy} k"):
        assert fits(counts, KNIGHT[value])


@pytest.mark.parametrize("picture", ["F.. .k. F..", "III .k. ...", "F.. .k. A.I"])
def test_a_knight_and_a_group(picture: str) -> None:
    # The values of the group are added, whoever attacks.
    for counts in knight_fights(picture):
        assert fits(counts, KNIGHT[6])


def test_a_knight_without_a_version_on_foot_stays_mounted() -> None:
    english, french = attackers_win("F n")
    assert fits(english, [WINS[-1], 1 - WINS[-1]])
    assert fits(french, [WINS[1], 1 - WINS[1]])


def test_two_knights_are_unhorsed_together() -> None:
    played = play("K k", changes=DUEL)
    assert (played["english_unhorsed"] == played["french_unhorsed"]).all()
    wins, unhorsed = played["outcome"] == ENGLISH_WIN, played["english_unhorsed"] == 1
    counts = tally(wins & unhorsed, ~wins & unhorsed, wins & ~unhorsed)
    assert fits(counts, [F(1, 12), F(1, 12), F(5, 12), F(5, 12)])


@pytest.mark.parametrize(("reading", "losses"), [("lead", 1), ("all", 3)])
def test_what_a_beaten_group_loses(reading: str, losses: int) -> None:
    played = play("III .f. ...", changes={**DUEL, "AZ-6.6": reading}, battles=60_000)
    lost = np.where(played["outcome"] == FRENCH_WIN, played["english_losses"], losses)
    assert (lost == losses).all()
    for side, chance in ((ENGLISH, WINS[3]), (FRENCH, 1 - WINS[-3])):
        assert fits(tally(played["outcome"][played["first_mover"] == side] == ENGLISH_WIN), [chance, 1 - chance])


# The end (AZ-7)


def test_two_rounds_of_a_duel() -> None:
    # Two pairs apart, one turn of either side, equal values: the second round is fought by the pairs that are left.
    played = play("I....I i....i", changes={**STILL, "end.half": 1.0})
    lost = tally(*((played["english_losses"] == n) for n in (0, 1)))
    assert fits(lost, [F(1, 4), F(1, 2), F(1, 4)])
    assert (played["english_losses"] + played["french_losses"] == 2).all()


@pytest.mark.parametrize(
    ("changes", "outcome", "turns"),
    [
        ({"end.turn_limit": 7}, NO_DECISION, 14),
        ({"end.half": 0.0, "end.small_moves": 2}, DRAW, 5),
        ({"end.half": 0.0, "end.small_moves": 0}, DRAW, 1),
    ],
)
def test_battles_in_which_nothing_happens(changes: dict[str, Any], outcome: int, turns: int) -> None:
    played = play("I....i", changes={**STILL, "end.turn_limit": 9, **changes}, battles=100)
    assert set(played["outcome"].tolist()) == {outcome}
    assert set(played["turns"].tolist()) == {turns}
