"""A small scenario of Stirling to change in tests."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from wargamesim.games.stirling.scenario import Scenario, restore_scenario

SMALL: dict[str, Any] = {
    "name": "small",
    "title": "A small field",
    "game": "stirling",
    "board": {"columns": 9, "rows": 8},
    "first": {
        "doctrine": "plain",
        "commander": {"charisma": 16, "leads": "riders"},
        "units": {
            "foot": {"troop": "man", "men": 120, "at": [4, 6], "front": "north_west", "leader": 12},
            "riders": {"troop": "rider", "men": 50, "at": [6, 6], "front": "north_west"},
        },
    },
    "second": {
        "doctrine": "plain",
        "units": {"band": {"troop": "ogre", "men": 40, "at": [4, 1], "front": "south_east", "leader": 0}},
    },
    "troops": {
        "first": {
            "man": {"thac0": 20, "ac": 5, "damage": "1d8", "damage_large": "1d12", "mov": 9, "shield": 1},
            "rider": {
                **{"thac0": 19, "ac": 7, "damage": "1d6", "mov": 24, "quality": "elite", "level": 3, "level_die": 10},
                **{"mounted": True, "missile": "short_bow", "missile_damage": "1d6", "rate": "3/2"},
            },
        },
        "second": {"ogre": {"thac0": 17, "ac": 5, "damage": "1d10", "mov": 9, "hit_dice": "4+1", "large": True}},
    },
    "doctrines": {"first": {"plain": {}}, "second": {"plain": {"text": "Nothing special.", "foot": "hold"}}},
}


def tables(**changes: Any) -> dict[str, Any]:
    """Return the tables of the small scenario with changes by path (two underscores for a dot); None drops."""
    source = deepcopy(SMALL)
    for path, value in changes.items():
        *steps, last = path.split("__")
        table = source
        for step in steps:
            table = table[step]
        if value is None:
            del table[last]
        else:
            table[last] = value
    return source


def small(**changes: Any) -> Scenario:
    """Return the small scenario, with its tables changed if need be."""
    return restore_scenario(tables(**changes))
