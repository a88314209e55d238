"""Shots and volleys of the kernel against their exact odds.

Each test rejects a right kernel at its seed with a chance of at most FAMILY, over all that it counts (Bonferroni).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.skirmish_positions import NORDAMERICA, RISORGIMENTO, figure, ground_of
from tests.skirmish_trials import AIMED, BLIND, RELOAD, UNAIMED, VOLLEY, least_chance, trials
from wargamesim.games.skirmish import fire
from wargamesim.games.skirmish.blind import blind_hits
from wargamesim.games.skirmish.checks import friend_hit
from wargamesim.games.skirmish.layout import (
    BLUE,
    DEAD,
    HIDDEN,
    HITS,
    IN_PLAY,
    LOADING,
    MISFIRES,
    OWN_HIT,
    PRONE,
    RAN,
    REGULAR,
    ROLES,
    ROUNDS,
    SHOTS_FIRED,
    STATUS,
    VOLLEYS,
    WOUNDS,
)
from wargamesim.games.skirmish.volley import volley_hits

FAMILY, COUNT = 1e-4, 20_000
LINES = ["." * 100] * 60

# What is shot with, how far, and how; the circumstances by the names of the odds.
SHOTS: list[tuple[str, dict[str, Any]]] = [
    ("nordamerica", {"weapon": "rifle", "distance": 30.0}),
    ("nordamerica", {"weapon": "rifle", "distance": 80.0, "quality": "sharpshooter"}),
    ("nordamerica", {"weapon": "musket", "distance": 20.0, "when": ("unaimed",)}),
    ("nordamerica", {"weapon": "musket", "distance": 21.0, "cover": "soft"}),
    ("nordamerica", {"weapon": "musket", "distance": 12.0, "cover": "hard", "when": ("target_prone",)}),
    ("nordamerica", {"weapon": "pistol", "distance": 9.0, "when": ("shooter_wounded",)}),
    ("nordamerica", {"weapon": "musket", "distance": 20.0, "when": ("target_ran", "target_prone")}),
    ("nordamerica", {"weapon": "tomahawk", "distance": 5.0}),
    ("risorgimento", {"weapon": "rifled_musket", "distance": 60.0}),
    ("risorgimento", {"weapon": "rifled_carbine", "distance": 45.0, "when": ("unaimed",)}),
    ("risorgimento", {"weapon": "smoothbore_musket", "distance": 50.5, "cover": "hard"}),
    ("risorgimento", {"weapon": "pistol", "distance": 3.0, "quality": "militia"}),
]
VARIANTS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("nordamerica", {"weapon": "musket", "distance": 20.0}, {"NA-4.2": "natural_one"}),
    ("nordamerica", {"weapon": "musket", "distance": 20.0}, {"NA-4.11": "strict"}),
    ("nordamerica", {"weapon": "musket", "distance": 45.0, "when": ("unaimed",)}, {"NA-4.13": "top_face_hits"}),
    ("nordamerica", {"weapon": "pistol", "distance": 9.0}, {"NA-4.5": "by_quality"}),
    ("risorgimento", {"weapon": "smoothbore_musket", "distance": 22.5}, {"RI-T.6": "nearest"}),
    ("risorgimento", {"weapon": "smoothbore_musket", "distance": 15.0}, {"RI-T.6": "from"}),
    ("risorgimento", {"weapon": "rifled_musket", "distance": 40.0, "cover": "hard"}, {"RI-5.2": "graded"}),
]
MARKS = {"target_prone": (1, PRONE), "target_ran": (1, RAN), "shooter_wounded": (0, WOUNDS)}


@pytest.mark.parametrize(("name", "shot", "changes"), [*((*each, {}) for each in SHOTS), *VARIANTS])
def test_shots(name: str, shot: dict[str, Any], changes: dict[str, Any]) -> None:
    book = {"nordamerica": NORDAMERICA, "risorgimento": RISORGIMENTO}[name].variant(changes)
    chance = fire.shot(book, **shot)
    when = shot.get("when", ())
    marks: tuple[dict[int, int], dict[int, int]] = ({}, {})
    for circumstance in when:
        if circumstance in MARKS:
            number, field = MARKS[circumstance]
            marks[number][field] = 1
    far = shot["distance"]
    letter = {"open": ".", "soft": "%", "hard": "="}[shot.get("cover", "open")]
    ground = ground_of([line[:4] + letter + line[5:] for line in LINES])
    grade = {"grade": shot["quality"]} if "quality" in shot else {}
    pair = [
        figure(5.5 + far, 5, weapon=shot["weapon"], also=marks[0], **grade),
        figure(5.5, 5, 1, also=marks[1]),
    ]
    if letter != ".":
        pair[1] = figure(3.5, 5, 1, also=marks[1])
        pair[0] = figure(3.5 + far, 5, weapon=shot["weapon"], also=marks[0], **grade)
    done = trials(UNAIMED if "unaimed" in when else AIMED, pair, COUNT, ground=ground, book=book)
    in_play = (STATUS, 1, IN_PLAY)
    counts = [
        int(done.tallies[:, MISFIRES].sum()),
        done.count((STATUS, 1, DEAD)),
        done.count(in_play, (WOUNDS, 1, 1)),
        done.count(in_play, (WOUNDS, 1, 0), (BLUE, 1, 1)),
        int(done.tallies[:, HITS].sum()),
    ]
    chances = [chance.misfire, chance.killed, chance.wounded, chance.near_miss, chance.hit]
    assert least_chance(counts, COUNT, [float(each) for each in chances]) > FAMILY
    assert int(done.tallies[:, SHOTS_FIRED].sum()) == COUNT
    if shot["weapon"] != "tomahawk":
        assert done.count((LOADING, 0, 3), (ROUNDS, 0, 0)) == COUNT


def test_fumbles_hit_a_friend_in_the_arc() -> None:
    """Of two friends in sight one is in the arc; a natural 1 of the musket's D10 hits him (NA-4.6, NA-4.7)."""
    table = [figure(50, 50), figure(50, 30, 1), figure(52, 40), figure(60, 45)]
    table = [table[0], table[2], table[3], table[1]]
    done = trials(AIMED, table, COUNT, action={2: 3})
    fumbles = int(done.tallies[:, OWN_HIT].sum())
    assert least_chance([fumbles], COUNT, [5 / 6 / 10]) > FAMILY
    hurt = done.figures[:, BLUE, 1] | (done.figures[:, STATUS, 1] == DEAD)
    assert int(hurt.sum()) == fumbles
    # The friend outside the arc is afraid only when he sees the other killed within 10 cm.
    assert int((done.figures[:, BLUE, 2] == 1).sum()) == done.count((STATUS, 1, DEAD))


@pytest.mark.parametrize("grade", ["regular", "sharpshooter"])
def test_fire_into_a_melee(grade: str) -> None:
    """A hit falls on a friend as often as the odds say (NA-4.9)."""
    table = [figure(50, 50, grade=grade), figure(50, 38), figure(50, 40, 1)]
    done = trials(AIMED, table, COUNT, action={2: 2})
    hits, friends = int(done.tallies[:, HITS].sum()), int(done.tallies[:, OWN_HIT].sum())
    chance = fire.shot(NORDAMERICA, "musket", 10, quality=grade)
    friend = float(friend_hit(NORDAMERICA, grade))
    # The friend is in the arc, too: natural misses are fumbles that hit him.
    expected = [float(chance.hit + chance.natural_miss), float(chance.hit) * friend + float(chance.natural_miss)]
    assert least_chance([hits, friends], COUNT, expected) > FAMILY


@pytest.mark.parametrize("changes", [{}, {"NA-4.22": "neither"}, {"NA-4.21": "spread"}, {"NA-4.21": "nearest_first"}])
def test_volleys(changes: dict[str, str]) -> None:
    """Hits as the odds have them, and a marker on everybody in the zone who is left (NA-4.17, NA-4.19)."""
    book, number = NORDAMERICA.variant(changes), 6
    line = [figure(40 + 3 * i, 40, also={ROLES: REGULAR}) for i in range(number)]
    # Three in the arcs; one out of reach, and too far from them to be afraid.
    foes = [figure(41, 20, 1), figure(47, 20, 1), figure(53, 20, 1), figure(47, 5, 1)]
    done = trials(VOLLEY, [*line, *foes], COUNT, members=number, to=(47.0, 20.0), book=book)
    hits = volley_hits(book, number)
    rolled = done.tallies[:, HITS]
    # Hits on those already out in the volley are lost, so only a volley without any is as frequent as without loss.
    assert least_chance([int((rolled == 0).sum())], COUNT, [float(hits.p[0])]) > FAMILY
    zone = slice(number, number + 3)
    out = done.figures[:, STATUS, zone] == DEAD
    assert np.all(out | (done.figures[:, BLUE, zone] == 1))
    assert not done.figures[:, BLUE, number + 3].any()
    assert np.all(done.tallies[:, VOLLEYS] == 1)
    assert np.all(done.figures[:, LOADING, :number] == 3)
    if changes.get("NA-4.21") == "nearest_first":
        assert not np.any(out[:, 0] & (rolled == 1))


@pytest.mark.parametrize("changes", [{}, {"NA-4.15": "one_ten"}, {"NA-4.15": "top_face"}])
def test_blind_fire(changes: dict[str, str]) -> None:
    """Hits at figures hidden in a wood, by each reading (NA-4.15)."""
    book, number = NORDAMERICA.variant(changes), 3
    ground = ground_of(["#" * 100] * 20 + ["." * 100] * 40, depth=3.0)
    hidden = [figure(20 + 12 * i, 15, 1, also={HIDDEN: 1}) for i in range(5)]
    line = [figure(40 + 3 * i, 40) for i in range(number)]
    done = trials(
        BLIND, [*line, *hidden], COUNT, members=number, to=(45.0, 15.0), ground=ground, book=book, action={2: 0}
    )
    hits = blind_hits(book, number)
    rolled = np.bincount(done.tallies[:, HITS], minlength=number + 1)
    chances = np.zeros(number + 1)
    chances[: len(hits.p)] = hits.p
    assert least_chance(rolled.tolist(), COUNT, chances.tolist()) > FAMILY
    revealed = (done.figures[:, HIDDEN, number:] == 0).sum(axis=1)
    assert np.all(revealed <= done.tallies[:, HITS])
    assert np.array_equal(revealed > 0, done.tallies[:, HITS] > 0)


@pytest.mark.parametrize(("grade", "chance"), [("irregular", 1 / 3), ("regular", 1 / 2), ("veteran", 2 / 3)])
def test_snap_shots(grade: str, chance: float) -> None:
    """The action that removes the last marker may fire at once (NA-3.20)."""
    pair = [figure(50, 40, grade=grade, also={LOADING: 1, ROUNDS: 0}), figure(50, 20, 1)]
    done = trials(RELOAD, pair, COUNT)
    assert least_chance([int(done.tallies[:, 0].sum())], COUNT, [chance]) > FAMILY
    assert done.count((LOADING, 0, 0), (ROUNDS, 0, 1)) == COUNT
