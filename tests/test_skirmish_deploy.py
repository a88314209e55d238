"""Who stands where with what: the starting record, figure by figure."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.skirmish_tables import NORDAMERICA, RISORGIMENTO, Change, italian, put, set_up
from wargamesim.errors import InputError
from wargamesim.games.skirmish.layout import (
    BLANK,
    CAPACITY,
    CAPACITY_2,
    CAPTOR,
    CARDS,
    DRAGS,
    DRAWN,
    EVADES,
    FIELDS,
    FREE_AIM,
    GRADE,
    HIDDEN,
    IN_PLAY,
    LAST_CARD,
    LAST_SQUAD,
    LEADER,
    LEVEL,
    LOADING,
    LOADING_2,
    MARINE,
    MELEE_DIE,
    MOST_FIGURES,
    OTHER_DIE,
    REGULAR,
    ROLES,
    ROUNDS,
    ROUNDS_2,
    SIDE,
    SQUAD,
    START,
    START_2,
    STATUS,
    WEAPON,
    WEAPON_2,
)
from wargamesim.games.skirmish.rules import compile_rules
from wargamesim.games.skirmish.scenario import Setup
from wargamesim.rulebook import Rulebook

COMPANY, HUNTERS = "first.squads.company", "second.squads.hunters"


def field(setup: Setup, index: int) -> list[int]:
    """Return one field of all figures."""
    values: list[int] = setup.start.figure[index, : setup.start.count].tolist()
    return values


def group(**values: Any) -> Change:
    """Return a change of the first side's regulars."""

    def change(source: dict[str, Any]) -> None:
        source["first"]["squads"]["company"]["regular"] |= values

    return change


def test_the_small_field_in_full() -> None:
    setup = set_up()
    start = setup.start
    assert (start.count, start.squads, start.loads, start.turn) == (6, 2, 0, 0)
    assert start.fielded.tolist() == [4, 2]
    assert start.squad[:, :2].tolist() == [[0, 1], [0, 4], [4, 2]]
    assert setup.names == (
        *("first company regular 1", "first company regular 2", "first company regular 3", "first company officer"),
        *("second hunters hunter 1", "second hunters hunter 2"),
    )
    assert start.place[:2, :6].T.tolist() == [[26, 30], [30, 30], [34, 30], [30, 34], [20, 10], [30, 10]]
    assert start.place[2:4, :6].T.tolist() == [[0, -1]] * 4 + [[0, 1]] * 2
    assert not start.observers.any()
    weapons, grades = setup.weapons.index, setup.grades.index
    wanted = {
        SIDE: [0, 0, 0, 0, 1, 1],
        SQUAD: [0, 0, 0, 0, 1, 1],
        GRADE: [grades("regular")] * 3 + [grades("veteran")] + [grades("irregular")] * 2,
        ROLES: [REGULAR] * 3 + [LEADER | FREE_AIM, 0, 0],
        MELEE_DIE: [10, 10, 10, 8, 6, 6],
        OTHER_DIE: [10, 10, 10, 8, 6, 6],
        DRAGS: [-1] * 6,
        CAPTOR: [-1] * 6,
        WEAPON: [weapons("musket")] * 3 + [weapons("pistol")] + [weapons("rifle")] * 2,
        WEAPON_2: [-1] * 4 + [weapons("tomahawk")] * 2,
        START: [3, 3, 3, 2, 3, 3],
        CAPACITY: [1] * 6,
        ROUNDS: [1] * 6,
        CAPACITY_2: [0] * 4 + [1] * 2,
        ROUNDS_2: [0] * 4 + [1] * 2,
    }
    for index in range(FIELDS):
        assert field(setup, index) == wanted.get(index, [0] * 6), index
    assert field(setup, STATUS) == [IN_PLAY] * 6


def test_nothing_has_happened_yet() -> None:
    start = set_up().start
    assert (start.deck[LAST_SQUAD], start.deck[LAST_CARD], start.deck[CARDS], start.deck[DRAWN]) == (-1, BLANK, 0, 0)
    assert not start.tally.any()
    assert not start.rallied.any()
    assert not start.figure[:, start.count :].any()
    assert (start.dragger == -1).all()


def test_weapons_of_the_other_rulebook() -> None:
    setup = set_up(italian, rulebook=RISORGIMENTO)
    assert [setup.weapons[weapon] for weapon in field(setup, WEAPON)] == (
        ["rifled_musket"] * 3 + ["pistol"] + ["smoothbore_musket"] * 2
    )
    assert field(setup, START) == [3, 3, 3, 2, 3, 3]
    breech = set_up(italian, group(loading="breech"), rulebook=RISORGIMENTO)
    assert field(breech, START) == [2, 2, 2, 2, 3, 3]
    assert field(breech, LOADING) == field(breech, LOADING_2) == [0] * 6


@pytest.mark.parametrize("book", [NORDAMERICA, RISORGIMENTO], ids=lambda book: book.name)
def test_actions_to_reload_are_those_of_grade_loading_and_weapon(book: Rulebook) -> None:
    extra = {"weapons.rifle.extra_reload": 1} if book is NORDAMERICA else {}
    rules, changed = compile_rules(book), book.variant(extra)
    change = [italian] if book is RISORGIMENTO else []
    for grade in rules.grades.names:
        for loading in rules.loadings:
            for weapon, thrown in zip(rules.weapons.names, rules.weapons.thrown.tolist(), strict=True):
                second = {} if thrown else {"weapon2": weapon, "loading2": loading}
                own = group(quality=grade, loading=loading, weapon=weapon, **second)
                setup = set_up(*change, own, rulebook=changed)
                more = int(weapon == "rifle")
                wanted = 0 if thrown else book.number(f"quality.{grade}.marker_{loading}") + more
                assert field(setup, START)[0] == wanted
                assert field(setup, START_2)[0] == (0 if thrown else wanted)


def test_magazines() -> None:
    def rounds(**values: Any) -> tuple[int, ...]:
        setup = set_up(italian, group(**values), rulebook=RISORGIMENTO)
        return tuple(field(setup, index)[0] for index in (CAPACITY, ROUNDS, CAPACITY_2, ROUNDS_2))

    assert rounds() == (1, 1, 0, 0)
    assert rounds(repeater=7) == (7, 7, 0, 0)
    assert rounds(repeater=True) == (6, 6, 0, 0)
    assert rounds(weapon2="pistol", repeater2=True) == (1, 1, 6, 6)
    fifteen = RISORGIMENTO.variant({"repeater.capacity": 15})
    assert field(set_up(italian, group(repeater=True), rulebook=fifteen), CAPACITY)[0] == 15


def test_a_thrown_blade_is_out_of_hand_afterwards() -> None:
    for arm, weapon2, dice in (
        ("blade", "tomahawk", (8, 6)),
        ("bayonet", "tomahawk", (10, 10)),
        ("improvised", "tomahawk", (6, 6)),
        ("blade", "pistol", (8, 8)),
    ):
        setup = set_up(group(arm=arm, weapon2=weapon2))
        assert (field(setup, MELEE_DIE)[0], field(setup, OTHER_DIE)[0]) == dice
    alone = set_up(group(weapon="tomahawk", arm="blade"))
    assert (field(alone, MELEE_DIE)[0], field(alone, OTHER_DIE)[0]) == (8, 6)


TOWER = {"kind": "building", "points": [[15, 25], [45, 25], [45, 40], [15, 40]], "floors": 2}


def test_figures_on_floors() -> None:
    upstairs = set_up(put("terrains.field", [TOWER]), group(floor=1))
    assert field(upstairs, LEVEL) == [1, 1, 1, 0, 0, 0]
    # Two may stand at the same place, on two floors.
    both = put(f"{HUNTERS}.places", [[26, 30], [30, 30]])
    assert set_up(put("terrains.field", [TOWER]), both, group(floor=1)).start.count == 6
    with pytest.raises(InputError, match=r"stand 0 cm apart"):
        set_up(put("terrains.field", [TOWER]), both)


@pytest.mark.parametrize(
    ("features", "floor", "message"),
    [
        ([], 1, "'first company regular 1' is on floor 1, but in no building"),
        ([TOWER], 2, "'first company regular 1' is on floor 2, but the building there has 2: from 0 to 1"),
        (
            [TOWER | {"floors": 1}],
            1,
            "'first company regular 1' is on floor 1, but the building there has 1: 0 alone",
        ),
    ],
)
def test_floors_that_are_not_there(features: list[Any], floor: int, message: str) -> None:
    with pytest.raises(InputError) as error:
        set_up(put("terrains.field", features), group(floor=floor))
    assert str(error.value) == f"{COMPANY}.regular.floor: {message}"


def test_nobody_throws_two_weapons() -> None:
    with pytest.raises(InputError) as error:
        set_up(group(weapon="tomahawk", weapon2="tomahawk"))
    assert str(error.value) == (
        f"{COMPANY}.regular.weapon2: throws 'tomahawk' and 'tomahawk' too; a figure has one weapon to throw"
    )


def test_figures_without_weapons() -> None:
    setup = set_up(put(f"{COMPANY}.regular", {"count": 3, "quality": "regular"}))
    for index, wanted in ((WEAPON, -1), (WEAPON_2, -1), (START, 0), (CAPACITY, 0), (ROUNDS, 0), (MELEE_DIE, 6)):
        assert field(setup, index)[0] == wanted


@pytest.mark.parametrize(
    ("quality", "roles", "bits"),
    [
        ("irregular", [], 0),
        ("irregular", ["regular"], REGULAR),
        ("irregular", ["leader"], LEADER | FREE_AIM),
        ("regular", ["officer"], LEADER | FREE_AIM | REGULAR),
        ("regular", ["marine"], MARINE | REGULAR),
        ("veteran", [], FREE_AIM),
        ("sharpshooter", ["ranger"], FREE_AIM | EVADES),
        ("irregular", ["trapper"], EVADES),
        ("irregular", ["indian"], EVADES),
        ("indian", [], EVADES),
        ("inexperienced", ["leader", "officer", "ranger"], LEADER | FREE_AIM | EVADES),
    ],
)
def test_roles(quality: str, roles: list[str], bits: int) -> None:
    assert field(set_up(group(quality=quality, roles=roles)), ROLES)[0] == bits


def test_nobody_evades_where_the_rules_know_no_evasion() -> None:
    setup = set_up(italian, group(roles=["ranger", "leader"]), rulebook=RISORGIMENTO)
    assert field(setup, ROLES)[0] == LEADER | FREE_AIM


def test_arms_are_the_rulebook_s_dice() -> None:
    book = NORDAMERICA.variant({"melee.arms.bayonet": 12})
    assert field(set_up(rulebook=book), MELEE_DIE) == [12, 12, 12, 8, 6, 6]


def test_hidden_squads() -> None:
    setup = set_up(put("terrain", "farm"), put(f"{HUNTERS}.hidden", True))
    assert field(setup, HIDDEN) == [0, 0, 0, 0, 1, 1]
    behind = [put("terrain", "farm"), put(f"{HUNTERS}.hidden", True), put(f"{HUNTERS}.places", [[20, 23], [30, 23.5]])]
    assert field(set_up(*behind), HIDDEN) == [0, 0, 0, 0, 1, 1]


def test_loads() -> None:
    start = set_up(put("loads", [[5, 6], [7.5, 8]])).start
    assert start.loads == 2
    assert start.load[:, :2].T.tolist() == [[5, 6], [7.5, 8]]


def test_places_left_over_stay_empty() -> None:
    setup = set_up(put(f"{HUNTERS}.hunter.count", 1))
    assert setup.start.place[:2, 4].tolist() == [20, 10]
    assert setup.start.count == 5


def test_groups_fill_a_squad_in_their_order_and_leaders_stand_behind() -> None:
    first = {"count": 1, "quality": "veteran", "roles": ["leader"]}
    squad = {
        "facing": "north",
        "formation": {"shape": "line", "x": 30, "y": 30, "spacing": 4},
        "leader": first,
        "tall_one": {"count": 1, "quality": "regular"},
        "nobody": {"count": 0, "quality": "regular"},
        "small": {"count": 2, "quality": "irregular"},
    }
    setup = set_up(put(COMPANY, squad))
    assert setup.names[:4] == (
        *("first company leader", "first company tall one", "first company small 1", "first company small 2"),
    )
    assert setup.start.place[:2, :4].T.tolist() == [[30, 34], [26, 30], [30, 30], [34, 30]]


def test_a_full_table() -> None:
    def crowd(source: dict[str, Any]) -> None:
        source["table"] = {"width": 250, "height": 40}
        for side, squad, name, y in (("first", "company", "regular", 30), ("second", "hunters", "hunter", 10)):
            table = source[side]["squads"][squad]
            source[side]["squads"][squad] = {
                "facing": table["facing"],
                "formation": {"shape": "line", "x": 125, "y": y},
                name: table[name] | {"count": MOST_FIGURES // 2},
            }

    start = set_up(crowd).start
    assert start.count == MOST_FIGURES
    assert len({tuple(place) for place in start.place[:2].T}) == MOST_FIGURES
    assert np.unique(start.figure[SIDE], return_counts=True)[1].tolist() == [64, 64]


# ------------------------------------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            [put(f"{COMPANY}.formation.spacing", 1.5)],
            f"{COMPANY}.regular: 'first company regular 1' and 'first company regular 2' stand 1.5 cm apart; their"
            " bases are 2 cm wide (scale.base_diameter)",
        ),
        (
            [put(f"{HUNTERS}.places", [[20, 10], [26.5, 30]])],
            f"{COMPANY}.regular: 'first company regular 1' and 'second hunters hunter 2' stand 0.5 cm apart",
        ),
        (
            [put(f"{COMPANY}.formation.x", 2)],
            f"{COMPANY}.regular: 'first company regular 1' at (-2, 30) stands off the table, which is 60 x 40 cm",
        ),
        (
            [put(f"{HUNTERS}.places", [[20, 10], [60, 10]])],
            f"{HUNTERS}.hunter: 'second hunters hunter 2' at (60, 10) stands off the table",
        ),
        (
            [put("terrain", "farm"), put(f"{HUNTERS}.places", [[20, 10], [30, 24.9]])],
            f"{HUNTERS}.hunter: 'second hunters hunter 2' at (30, 24.9) stands in a wall",
        ),
        ([put("loads", [[5, 5], [5, 41]])], "loads: 'load 2' at (5, 41) stands off the table"),
        ([put("terrain", "farm"), put("loads", [[15, 24.5]])], "loads: 'load 1' at (15, 24.5) stands in a wall"),
        (
            [put(f"{HUNTERS}.hidden", True)],
            f"{HUNTERS}.hidden: 'second hunters hunter 1' is hidden, but stands neither in a wood or building nor"
            " within 2 cm of a wall",
        ),
        ([group(quality="conscript")], f"{COMPANY}.regular.quality: unknown grade 'conscript'. Known: indian, inexp"),
        ([group(weapon="smoothbore_musket")], f"{COMPANY}.regular.weapon: unknown weapon 'smoothbore_musket'; did you"),
        ([group(weapon2="axe")], f"{COMPANY}.regular.weapon2: unknown weapon 'axe'. Known: musket, pistol, rifle, tom"),
        (
            [group(arm="bayonett")],
            f"{COMPANY}.regular.arm: unknown close-combat arm 'bayonett'; did you mean 'bayonet'? Known: bayonet,",
        ),
        ([group(loading="breech")], f"{COMPANY}.regular.loading: unknown way of loading 'breech'. Known: muzzle"),
        ([group(repeater=6)], f"{COMPANY}.regular.repeater: the rulebook 'nordamerica' has no repeaters"),
        ([group(repeater2=True)], f"{COMPANY}.regular.repeater2: repeats, but there is no weapon"),
    ],
)
def test_what_is_refused(changes: list[Change], message: str) -> None:
    with pytest.raises(InputError) as error:
        set_up(*changes)
    assert str(error.value).startswith(message)


def test_figures_may_touch() -> None:
    setup = set_up(put(f"{COMPANY}.formation.spacing", 2))
    assert setup.start.place[0, :3].tolist() == [28, 30, 32]
    with pytest.raises(InputError, match="stand 2 cm apart; their bases are 3 cm wide"):
        set_up(put(f"{COMPANY}.formation.spacing", 2), rulebook=NORDAMERICA.variant({"scale.base_diameter": 3.0}))


def test_the_other_rulebook_knows_no_hiding() -> None:
    with pytest.raises(InputError, match=f"{HUNTERS}.hidden: the rulebook 'risorgimento' has no hidden figures"):
        set_up(italian, put("terrain", "farm"), put(f"{HUNTERS}.hidden", True), rulebook=RISORGIMENTO)
