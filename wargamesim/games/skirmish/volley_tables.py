"""The tables of the question `volley`: mean numbers and worth, the joint distribution, and the smallest zone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from wargamesim.dice.arguments import MASS_TOLERANCE
from wargamesim.games import options as ask
from wargamesim.games.skirmish.asked import FURTHEST, MOST_MODIFIER, circumstances, one, whole
from wargamesim.games.skirmish.fire import COVER_MODIFIERS
from wargamesim.games.skirmish.rules import COVERS, Rules, compile_rules, require
from wargamesim.games.skirmish.salvo import Salvo, worth
from wargamesim.games.skirmish.volley import AIMS, ORDERS, group_fumble, shots, smallest_zone, volley
from wargamesim.rulebook import Rulebook
from wargamesim.table import Table

MOST_SHOOTERS, MOST_TARGETS, MOST_VALUE = 12, 12, 1000
TESTS = ("next", "all")


def table(rulebook: Rulebook, options: Mapping[str, str]) -> Table:
    """Answer the question `volley`: against shots of the same figures, by the number of enemies in the zone."""
    rules = compile_rules(rulebook)
    require(rules, "volleys", rulebook)
    return _VIEWS[one(options, "show", "view", _VIEWS, "means")](rulebook, rules, options)


def _means_table(rulebook: Rulebook, rules: Rules, options: Mapping[str, str]) -> Table:
    numbers, distance, both, note = _salvos(rulebook, rules, options, "1:12")
    value = [whole(options, name, usual, minimum=0, maximum=MOST_VALUE) for name, usual in _VALUES.items()]
    morale, all_tests = _tests(options)
    rows: list[tuple[Any, ...]] = []
    found = {
        fire: (salvo.means, worth(rulebook, salvo.means, *value, modifier=morale, all_tests=all_tests))
        for fire, salvo in both.items()
    }
    for i, number in enumerate(numbers):
        totals = [float(each.worth[i]) for _, each in found.values()]
        for (fire, (means, each)), total, other in zip(found.items(), totals, totals[::-1], strict=True):
            cells = (*means, *each)
            rows.append((number, fire, *(float(part[i]) for part in cells), total > other + MASS_TOLERANCE))
    tests = "all tests until it is steady" if all_tests else "its next test"
    return Table(
        ("targets", "fire", "out", "wounded", "marked", "men", "activations", "worth", "better"),
        rows,
        title=f"A volley against single shots of the same figures, at {distance} cm: mean numbers",
        notes=(
            note,
            f"A man is worth {value[0]}, an activation {value[1]}. Men: those out, the share of one that a wound takes,"
            " and routs. Activations: those lost to markers.",
            f"Of each marker {tests} with a modifier of {morale:+} counts. --show joint, --show zone show more.",
        ),
    )


def _joint_table(rulebook: Rulebook, rules: Rules, options: Mapping[str, str]) -> Table:
    numbers, distance, both, note = _salvos(rulebook, rules, options, "4")
    rows = [
        (number, fire, *(int(axis) for axis in end), float(salvo.joint[(i, *end)]))
        for i, number in enumerate(numbers)
        for fire, salvo in both.items()
        for end in np.argwhere(salvo.joint[i] > 0)
    ]
    return Table(
        ("targets", "fire", "out", "wounded", "marked", "probability"),
        rows,
        title=f"A volley and single shots of the same figures, at {distance} cm: all that can become of the targets",
        notes=(note, "Marked: in play with a blue marker, the wounded among them."),
    )


def _zone_table(rulebook: Rulebook, rules: Rules, options: Mapping[str, str]) -> Table:
    shooters, weapon, shot = _shooters(rulebook, rules, options)
    far = ask.numbers(options, "distance", "20,30", minimum=0, maximum=FURTHEST)
    covers = ask.names(options, "cover", "cover", COVERS) or list(COVERS)
    usual = {"man": "1,2,5,10,20", "activation": "1"}
    men, activations = (
        np.array(ask.numbers(options, name, text, minimum=0, maximum=MOST_VALUE)) for name, text in usual.items()
    )
    morale, all_tests = _tests(options)
    rows = []
    for distance in far:
        for cover in covers:
            zones = smallest_zone(
                rulebook,
                shooters,
                weapon,
                distance,
                men[:, None],
                activations,
                cover=cover,
                morale=morale,
                all_tests=all_tests,
                **shot,
            )
            for (i, j), zone in np.ndenumerate(zones):
                rows.append((distance, cover, int(men[i]), int(activations[j]), int(zone) or None))
    return Table(
        ("distance (cm)", "cover", "man", "activation", "smallest zone"),
        rows,
        title="The smallest number of enemies from which on a volley is worth more than single shots",
        notes=(
            _note(shooters, weapon, shot, ""),
            "By the worth of a man and of an activation. A dash: not for as many as 40 enemies.",
        ),
    )


def _salvos(
    rulebook: Rulebook, rules: Rules, options: Mapping[str, str], targets: str
) -> tuple[list[int], int, dict[str, Salvo], str]:
    """The numbers of targets, the distance, what both kinds of fire do, and the note."""
    shooters, weapon, shot = _shooters(rulebook, rules, options)
    numbers = ask.numbers(options, "targets", targets, minimum=1, maximum=MOST_TARGETS)
    distance = whole(options, "distance", 20, minimum=0, maximum=FURTHEST)
    cover = one(options, "cover", "cover", COVERS, "open")
    both = {"shots": shots(rulebook, shooters, numbers, weapon, distance, cover=cover, **shot)}
    if distance <= rulebook.number("volley.reach"):
        both = {"volley": volley(rulebook, shooters, numbers, cover), **both}
    note = _note(shooters, weapon, shot, cover)
    if "volley" not in both:
        note += f" A volley has no effect beyond {rulebook.number('volley.reach'):g} cm."
    if fumbles := shooters * float(group_fumble(rules, rulebook.number("volley.die"))):
        note += f" With friends in every arc a volley hits {fumbles:.4f} of them on average."
    return numbers, distance, both, note


def _shooters(rulebook: Rulebook, rules: Rules, options: Mapping[str, str]) -> tuple[int, str, dict[str, Any]]:
    """How many, with what, and how they fire when it is no volley."""
    least, names = rulebook.number("volley.shooters"), rules.weapons.names
    usual = "musket" if "musket" in names else names[0]
    shot = {
        "modifier": whole(options, "modifier", 0, minimum=-MOST_MODIFIER, maximum=MOST_MODIFIER),
        "quality": one(options, "quality", "grade", rules.grades.names, rules.grades.standard),
        "when": circumstances(options, "when", [n for n in rules.fire.modifiers if n not in COVER_MODIFIERS]),
        "aim": one(options, "aim", "aim", AIMS, "spread"),
        "order": one(options, "order", "order", ORDERS, "open"),
    }
    shooters = whole(options, "shooters", least, minimum=least, maximum=max(MOST_SHOOTERS, least))
    return shooters, one(options, "weapon", "weapon", names, usual), shot


def _tests(options: Mapping[str, str]) -> tuple[int, bool]:
    """The modifier of morale, and whether all tests count."""
    modifier = whole(options, "morale", 0, minimum=-MOST_MODIFIER, maximum=MOST_MODIFIER)
    return modifier, one(options, "tests", "number of tests", TESTS, "next") == "all"


def _note(shooters: int, weapon: str, shot: Mapping[str, Any], cover: str) -> str:
    parts = [f"{shooters} figures", weapon, shot["quality"], *([f"cover {cover}"] if cover else [])]
    parts += [*shot["when"], *([f"modifier {shot['modifier']:+}"] if shot["modifier"] else [])]
    return f"{', '.join(parts)}; shots {shot['aim']}, targets in {shot['order']} order."


_VALUES = {"man": 5, "activation": 1}
_VIEWS: dict[str, Callable[[Rulebook, Rules, Mapping[str, str]], Table]] = {
    "means": _means_table,
    "joint": _joint_table,
    "zone": _zone_table,
}
