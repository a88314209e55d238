"""The ranged phase of the kernel against exact distributions: bands, shots into a melee, spells."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.stirling_battles import (
    EAST,
    STEADY,
    WEST,
    assert_chances,
    counts_of,
    fields_of,
    play_one,
    rulebook_with,
    setup_of,
    tally_of,
)
from wargamesim.games.stirling import battle
from wargamesim.games.stirling.attack import by_distance, losses, removed
from wargamesim.games.stirling.layout import OWN_SHOT, REMOVED, T_ATTACK, T_CAST, VOLLEYS
from wargamesim.games.stirling.split import shares, split
from wargamesim.games.stirling.units import Unit

KEY, BATTLES = 47, 4_000
BOW = {"range_short": 7, "range_medium": 14, "range_long": 21, "shot_dice": 1, "shot_die": 6, "shot_dice_l": 1}
BOW |= {"shot_die_l": 6}


@pytest.mark.parametrize("distance", [2, 7, 8, 14, 15, 21, 22, 1])
@pytest.mark.parametrize("changes", [{}, {"SS-P12": "flat"}, {"SS-P08": "no_divisor", "SS-P36": "per_attack"}])
def test_a_turn_of_arrows(distance: int, changes: dict[str, Any]) -> None:
    book = rulebook_with(STEADY | changes)
    units = [
        fields_of(Unit(men=100), book, 0, (2, 5), WEST, **BOW),
        fields_of(Unit(men=800, rate=0), book, 1, (2 + distance, 5), WEST),
    ]
    records, _ = battle.play(setup_of(units, book, turns=1, board=(10, 40)), KEY, 0, BATTLES)
    shot = by_distance(book, "long_bow", distance)
    assert (tally_of(records, VOLLEYS, 0) == (records[:, 1] > 0) * (not shot.barred)).all()
    if not shot.barred:
        exact = removed(book, losses(book, 100, 20, 6, "1d6", 7, modifier=shot.modifier, ranged=True), 2)
        assert_chances(counts_of(tally_of(records, REMOVED, 1), len(exact.p)), exact.p)


@pytest.mark.parametrize("quarters", ["small_floor", "both_floor", "friend_floor", "nearest"])
@pytest.mark.parametrize("aimed", ["each_own", "aimed"])
@pytest.mark.parametrize(("friends", "enemies"), [(170, 450), (300, 200), (100, 100)])
def test_a_shot_into_a_melee_is_shared(quarters: str, aimed: str, friends: int, enemies: int) -> None:
    book = rulebook_with(STEADY | {"SS-P15": quarters, "SS-P14": aimed, "SS-P35": "exact"})
    units = [
        fields_of(Unit(men=100, rate="1/2"), book, 0, (1, 5), EAST, **BOW),
        fields_of(Unit(men=friends, rate=0, ac=2), book, 0, (5, 5), EAST),
        fields_of(Unit(men=enemies, rate=0), book, 1, (6, 5), WEST),
    ]
    # One attack at short range: friends in melee with their target may make the player hold his fire.
    setup = setup_of(units, book, turns=1, doctrines=shooting())
    records, _ = battle.play(setup, KEY, 0, BATTLES)
    shot = records[tally_of(records, VOLLEYS, 0) == 1]
    assert len(shot) == BATTLES
    of = shares(book, friends, enemies)
    exact = split(book, 100, 20, "1d6", of, friend_ac=2, friend_hp=7, enemy_ac=6, enemy_hp=7)
    for lost, tally, side in ((exact.friend_lost, OWN_SHOT, 0), (exact.enemy_lost, REMOVED, 1)):
        assert_chances(counts_of(tally_of(shot, tally, side), len(lost.p)), lost.p)
    assert (tally_of(shot, OWN_SHOT, 0) == tally_of(shot, REMOVED, 0)).all()


def shooting() -> Any:
    """Return doctrines of players who do not mind their own men."""
    from wargamesim.games.stirling.doctrine import compile_doctrine

    one = compile_doctrine({"shooters": "hold", "foot": "hold", "friend_weight": 0.0})
    return one, one


def test_three_in_a_melee_share_by_their_weights() -> None:
    book = rulebook_with(STEADY)
    units = [
        fields_of(Unit(men=100), book, 0, (1, 5), EAST, **BOW),
        fields_of(Unit(men=100), book, 0, (5, 5), EAST),
        fields_of(Unit(men=150, rate=0), book, 0, (5, 6), 1),
        fields_of(Unit(men=250), book, 1, (6, 5), WEST, traits=1),
    ]
    trace = play_one(setup_of(units, book, turns=1, doctrines=shooting()), KEY, 0)["trace"]
    shots = [row for row in trace if row[1] == T_ATTACK and row[4] == 0]
    # Weights of 100, 150 and 2 x 250, of which the largest has the rest.
    assert [(row[3], row[10]) for row in shots[:3]] == [(1, 0), (2, 0), (3, 4)]


def test_who_has_shot_does_not_strike() -> None:
    book = rulebook_with(STEADY)
    units = [
        # Arrows so heavy that nobody would rather strike.
        fields_of(Unit(), book, 0, (5, 5), EAST, **BOW | {"shot_die": 100}),
        fields_of(Unit(), book, 1, (6, 5), WEST),
        fields_of(Unit(), book, 1, (9, 5), WEST),
    ]
    trace = play_one(setup_of(units, book, turns=1), KEY, 0)["trace"]
    kinds = {(row[2], row[4]) for row in trace if row[1] == T_ATTACK}
    assert kinds == {(0, 0), (1, 1)}
    barred = play_one(setup_of(units, book.variant({"SS-P11": "none_if_any_adjacent"}), turns=1), KEY, 0)["trace"]
    assert {(row[2], row[4]) for row in barred if row[1] == T_ATTACK} == {(0, 1), (1, 1)}


def test_a_spell_costs_what_the_scenario_says() -> None:
    book = rulebook_with(STEADY)
    units = [fields_of(Unit(rate=0), book, 0, (5, 5), EAST), fields_of(Unit(rate=0), book, 1, (8, 5), WEST)]
    setup = setup_of(units, book, turns=5, spells=[(0, 2, 3, 47), (0, 4, 2, 90)])
    battle_ = play_one(setup, KEY, 0)
    assert [row[:5] for row in battle_["trace"] if row[1] == T_CAST] == [(2, T_CAST, 0, 1, 47)]
    assert battle_["tally"][REMOVED + 1] == 40
    off = setup_of(units, book.variant({"SS-P09": "off"}), turns=5, spells=[(0, 2, 3, 47)])
    assert play_one(off, KEY, 0)["turns"] == 0


def test_all_losses_of_a_phase_are_removed_together() -> None:
    book = rulebook_with(STEADY)
    archers = [fields_of(Unit(men=50), book, 0, (2, 4 + i), EAST, **BOW) for i in range(3)]
    units = [*archers, fields_of(Unit(men=400, rate=0), book, 1, (8, 5), WEST)]
    together, _ = battle.play(setup_of(units, book, turns=1), KEY, 0, BATTLES)
    alone, _ = battle.play(setup_of(units, book.variant({"SS-P36": "per_clash"}), turns=1), KEY, 0, BATTLES)
    one = losses(book, 50, 20, 6, "1d6", 7, ranged=True)
    exact, each = removed(book, one, 6), removed(book, one, 2)
    assert_chances(counts_of(tally_of(together, REMOVED, 1), len(exact.p)), exact.p)
    thrice = each.repeat(3)
    assert_chances(counts_of(tally_of(alone, REMOVED, 1), len(thrice.p)), thrice.p)
    assert (tally_of(alone, REMOVED, 1) <= tally_of(together, REMOVED, 1)).all()
    assert np.any(tally_of(alone, REMOVED, 1) < tally_of(together, REMOVED, 1))
