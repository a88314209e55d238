"""A small skirmish for tests, as the tables of its file, and ways to change it."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from wargamesim.games.skirmish.scenario import Scenario, Setup, compile_setup, restore_scenario
from wargamesim.rulebook import Rulebook, load_rulebook

NORDAMERICA, RISORGIMENTO = load_rulebook("nordamerica"), load_rulebook("risorgimento")

Change = Callable[[dict[str, Any]], object]

SMALL: dict[str, Any] = {
    "name": "small",
    "title": "A small field",
    "game": "skirmish",
    "rulebook": "nordamerica",
    "turns": 12,
    "table": {"width": 60, "height": 40},
    "terrain": "field",
    "terrains": {
        "field": [],
        "farm": [
            {"kind": "wood", "points": [[0, 0], [60, 0], [60, 12], [0, 12]]},
            {"kind": "wall", "points": [[10, 24.5], [50, 24.5]]},
        ],
    },
    "first": {
        "doctrine": "line",
        "home": "south",
        "squads": {
            "company": {
                "facing": "north",
                "formation": {"shape": "line", "x": 30, "y": 30, "spacing": 4},
                "regular": {"count": 3, "quality": "regular", "weapon": "musket", "arm": "bayonet"},
                "officer": {"count": 1, "quality": "veteran", "weapon": "pistol", "arm": "blade", "roles": ["officer"]},
            }
        },
    },
    "second": {
        "doctrine": "line",
        "home": "north",
        "squads": {
            "hunters": {
                "facing": 180,
                "places": [[20, 10], [30, 10], [40, 10]],
                "hunter": {"count": 2, "quality": "irregular", "weapon": "rifle", "weapon2": "tomahawk"},
            }
        },
    },
    "doctrines": {"first": {"line": {}}, "second": {"line": {}}},
}


def small(*changes: Change) -> Scenario:
    """Return the small scenario, with its tables changed."""
    source = deepcopy(SMALL)
    for change in changes:
        change(source)
    return restore_scenario(source)


def put(path: str, value: object) -> Change:
    """Return a change that sets what stands at a dotted path."""

    def change(source: dict[str, Any]) -> None:
        *steps, last = path.split(".")
        table = source
        for step in steps:
            table = table[step]
        table[last] = value

    return change


def drop(path: str) -> Change:
    """Return a change that takes away what stands at a dotted path."""

    def change(source: dict[str, Any]) -> None:
        *steps, last = path.split(".")
        table = source
        for step in steps:
            table = table[step]
        del table[last]

    return change


def set_up(*changes: Change, rulebook: Rulebook = NORDAMERICA) -> Setup:
    """Return the setup of the small scenario, with its tables changed."""
    return compile_setup(rulebook, small(*changes))


def italian(source: dict[str, Any]) -> None:
    """Make the small scenario one of the other rulebook."""
    source["rulebook"] = "risorgimento"
    company = source["first"]["squads"]["company"]
    company["regular"] = {"count": 3, "quality": "conscript", "weapon": "rifled_musket", "arm": "bayonet"}
    source["second"]["squads"]["hunters"]["hunter"] = {"count": 2, "quality": "militia", "weapon": "smoothbore_musket"}
