"""Battles of Coloniale for tests: positions by hand, both implementations in one form, and tests of chances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from wargamesim.games.coloniale import battle, layout
from wargamesim.games.coloniale.battle_record import MOST_EVENTS
from wargamesim.games.coloniale.doctrine import PARAMETERS, Doctrine, compile_doctrine
from wargamesim.games.coloniale.layout import (
    AT_EDGE,
    BATTERY,
    CREST,
    FIG,
    FORDABLE,
    GOALS,
    GROUND,
    HARD,
    IN_TOWN,
    INFANTRY,
    NOBODY,
    PLAIN,
    STATE,
    TALLIES,
    UNFORDABLE,
)
from wargamesim.games.coloniale.playing import pack_play
from wargamesim.games.coloniale.referee import judge_battle
from wargamesim.games.coloniale.scenario import Setup
from wargamesim.games.coloniale.terrain import clearances
from wargamesim.records import new_record
from wargamesim.rulebook import Rulebook, load_rulebook

# Two-sided tests of chances fail an honest kernel about once in so many tests; seeds are fixed.
RARE = 1e-5

# Who never does anything, who assaults and pursues whatever the odds, who assaults and stops, who shoots alone.
_STILL = {
    "foot": "hold",
    "horse": "hold",
    "guns": "hold",
    "march": "never",
    "cover": False,
    "assault_above": 2.0,
    "fire_first": 2.0,
    "pursue_above": 2.0,
}
_PURSUE = {"pursue_above": 0.0, "pursue_figures": 0, "sally_above": 0.0}
_STORM = _STILL | _PURSUE | {"assault_above": 0.0, "fire_first": 0.0}
STILL = compile_doctrine(_STILL)
STORM = compile_doctrine(_STORM)
STORM_ONCE = compile_doctrine(_STORM | {"pursue_above": 2.0})
SHOOT_AND_STORM = compile_doctrine(_STORM | {"fire_first": 2.0, "pursue_above": 2.0})
PURSUE = compile_doctrine(_STILL | _PURSUE)


@cache
def default_rulebook() -> Rulebook:
    return load_rulebook("coloniale")


def rulebook_with(changes: Mapping[str, Any] | None = None) -> Rulebook:
    return default_rulebook().variant(dict(changes or {}))


def unit_of(side: int, at: tuple[float, float], figures: int, discipline: int, **more: Any) -> dict[str, Any]:
    """Return a unit: regular infantry with rifles unless `more` says something else, field by field."""
    arm = more.get("arm", INFANTRY)
    usual = {"arm": arm, "quality": 1, "rifles": int(arm != BATTERY), "fig": figures, "disc": discipline, "side": side}
    return {"at": at, **usual, **more}


def setup_of(
    units: Sequence[Mapping[str, Any]],
    rulebook: Rulebook | None = None,
    *,
    doctrines: tuple[Doctrine, Doctrine] = (STILL, STILL),
    turns: int = 10,
    movement: int = 1,
    table: tuple[float, float] = (256, 256),
    difficult: Sequence[tuple[int, int, int, int]] = (),
    lines: Sequence[tuple[int, int, tuple[float, float, float, float]]] = (),
    roads: Sequence[tuple[int, int]] = (),
    nodes: Sequence[tuple[float, float, int]] = (),
    forts: Sequence[tuple[float, float]] = (),
    zones: Sequence[tuple[float, float, float, float]] = (),
    **goals: Any,
) -> Setup:
    """Make a setup of a position, the first side's units first.

    Difficult ground is squares (west, north, east, south; the latter two excluded), `lines` are (kind, number, ends),
    `nodes` (x, y, kind), and `goals` are fields of that record.
    """
    play = pack_play(rulebook or default_rulebook())
    start: Any = new_record(STATE)
    start.count, start.owner[:] = len(units), NOBODY
    for number, unit in enumerate(units):
        start.place[number] = unit["at"]
        for name, value in unit.items():
            if name != "at":
                start.unit[number, getattr(layout, name.upper())] = value
        start.unit[number, layout.FIG0] = start.unit[number, FIG]
        start.unit[number, layout.DISC0] = start.unit[number, layout.DISC]
    assert (np.diff(start.unit[: len(units), layout.SIDE]) >= 0).all()
    ground: Any = new_record(GROUND)
    ground.width, ground.height = table
    _draw(ground, difficult, float(play.edge), (int(table[0]), int(table[1])))
    ground.lines = len(lines)
    for number, (kind, of, ends) in enumerate(lines):
        ground.line_kind[number], ground.line_of[number], ground.line[number] = kind, of, ends
    ground.nodes, ground.road_way[:] = len(nodes), np.inf
    for number, (x, y, kind) in enumerate(nodes):
        ground.node[number], ground.node_kind[number] = (x, y), kind
        links = sorted({*(b for a, b in roads if a == number), *(a for a, b in roads if b == number)})
        ground.links[number], ground.link[number, : len(links)] = len(links), links
        ground.road_way[number, number] = 0.0
    for a, b in roads:
        ground.road_way[a, b] = ground.road_way[b, a] = np.hypot(*(ground.node[a] - ground.node[b]))
    for middle in range(len(nodes)):
        by = ground.road_way[:, middle, None] + ground.road_way[middle]
        ground.road_way[:] = np.minimum(ground.road_way, by)
    ground.forts, ground.fort[: len(forts)] = len(forts), np.reshape(forts, (-1, 2))
    ground.zones, ground.zone[: len(zones)] = len(zones), np.reshape(zones, (-1, 4))
    wins: Any = new_record(GOALS)
    wins.turns, wins.movement, wins.at_limit = turns, movement, NOBODY
    # `zones` of the goals are bits, those of the table places.
    for name, value in goals.items():
        wins["zones" if name == "zone_bits" else name] = value
    names = tuple(f"unit {number}" for number in range(len(units)))
    named = [
        tuple(f"{what} {n + 1}" for n in range(count))
        for what, count in (("zone", len(zones)), ("fort", len(forts)), ("place", len(nodes)))
    ]
    return Setup(play, ground, start, wins, doctrines, names, named[0], named[1], named[2], "coloniale")


def _draw(ground: Any, difficult: Sequence[tuple[int, int, int, int]], edge: float, table: tuple[int, int]) -> None:
    """Draw difficult ground, and its edge: squares whose centre is near enough to that of an open square."""
    what = np.zeros((table[1], table[0]), bool)
    for west, north, east, south in difficult:
        what[north:south, west:east] = True
    ground.opaque = int(what.any())
    rows, columns = np.nonzero(~what)
    for y, x in np.argwhere(what):
        near = ((rows - y) ** 2 + (columns - x) ** 2).min() <= (edge + 0.5) ** 2
        ground.what[y, x] = layout.DIFFICULT | (layout.EDGE if near else 0)
    ground.clear[:] = clearances(ground.what)


def in_contact(
    first: Mapping[str, Any], second: Mapping[str, Any], rulebook: Rulebook | None = None, **more: Any
) -> Setup:
    """Put two units in contact, without rifles, and let nobody move; each is figures, discipline and other fields."""
    units = [
        unit_of(
            side,
            (100.0 + 2.0 * side, 100.0),
            unit["figures"],
            unit["discipline"],
            **{"rifles": 0} | {name: value for name, value in unit.items() if name not in ("figures", "discipline")},
        )
        for side, unit in enumerate((first, second))
    ]
    return setup_of(units, rulebook, movement=0, **{"turns": 1} | more)


def play_one(setup: Setup, key: int, number: int) -> dict[str, Any]:
    """Play one battle with the kernel, and return it in the form of `referee.judge_battle`."""
    records, trace = battle.play(setup, key, number, 1, events=MOST_EVENTS)
    assert len(trace) < MOST_EVENTS
    record = records[0].tolist()
    return {
        "outcome": record[0],
        "turns": record[1],
        "tally": record[2 : 2 + TALLIES],
        "trace": list(map(tuple, trace.tolist())),
    }


def rows_of(battle_played: Mapping[str, Any], kind: int) -> list[tuple[int, ...]]:
    """Return the events of one kind without their first two fields."""
    return [row[2:] for row in battle_played["trace"] if row[1] == kind]


def tally_of(records: Any, tally: int, side: int) -> Any:
    """Return one tally of all battles."""
    return records[:, 2 + tally + side]


def assert_chances(counts: ArrayLike, chances: ArrayLike, rare: float = RARE) -> None:
    """Hold counts against chances that sum to 1, by a chi-squared test in which rare cases count as one."""
    seen, p = np.ravel(np.asarray(counts, dtype=float)), np.ravel(np.asarray(chances, dtype=float))
    assert seen.shape == p.shape
    assert abs(p.sum() - 1) < 1e-9
    assert seen[p < 1e-15].sum() == 0, "what cannot happen happened"
    expected = p * seen.sum()
    order = np.argsort(expected)
    # The rarest cases together, as few as make at least 10 expected.
    cut = int(np.searchsorted(np.cumsum(expected[order]), 10)) + 1
    pooled_seen = np.append(seen[order[cut:]], seen[order[:cut]].sum())
    pooled = np.append(expected[order[cut:]], expected[order[:cut]].sum())
    if len(pooled) > 1:
        assert stats.chisquare(pooled_seen, pooled).pvalue > rare


def assert_mean(values: ArrayLike, mean: float, rare: float = RARE) -> None:
    """Hold the mean of many values against an exact one, by the error that they show themselves."""
    seen = np.asarray(values, dtype=float)
    if seen.std() == 0.0:
        assert abs(seen.mean() - mean) < 1e-6
    else:
        assert abs(seen.mean() - mean) < stats.norm.isf(rare / 2) * seen.std() / np.sqrt(seen.size)


def compare(setup: Setup, key: int, number: int) -> dict[str, Any]:
    """Play a battle both ways and hold the two against each other; the first event that differs says most."""
    fast, literal = play_one(setup, key, number), judge_battle(setup, key, number)
    for event, (one, other) in enumerate(zip(fast["trace"], literal["trace"], strict=False)):
        assert one == tuple(other), f"event {event} of battle {number}"
    for name in ("outcome", "turns", "tally"):
        assert fast[name] == literal[name], f"{name} of battle {number}"
    assert len(fast["trace"]) == len(literal["trace"])
    return literal


def random_doctrine(rng: np.random.Generator) -> Doctrine:
    """Return a doctrine with half of its parameters at random."""
    values: dict[str, Any] = {}
    for name, parameter in PARAMETERS.items():
        if rng.random() < 0.5:
            continue
        if parameter.words:
            values[name] = str(rng.choice(parameter.words))
        elif isinstance(parameter.default, bool):
            values[name] = bool(rng.random() < 0.5)
        elif isinstance(parameter.default, int):
            values[name] = int(rng.integers(parameter.low, 7))
        elif parameter.high <= 2.0:
            values[name] = float(rng.uniform(parameter.low, 1.1))
        else:
            values[name] = float(rng.uniform(parameter.low, min(parameter.high, 60.0)))
    return compile_doctrine(values)


def random_rulebook(rng: np.random.Generator, readings: float) -> Rulebook:
    """Return the rulebook with so large a share of its readings chosen at random."""
    book = default_rulebook()
    chosen = {
        rule: str(rng.choice(list(reading.options)))
        for rule, reading in book.readings.items()
        if rng.random() < readings
    }
    return rulebook_with(chosen)


def random_setup(rng: np.random.Generator, rulebook: Rulebook) -> Setup:
    """Make a small table full of unlike units and ground, near enough to each other for all that can happen."""
    width, height = int(rng.integers(60, 200)), int(rng.integers(60, 140))
    taken: list[tuple[float, float]] = []

    def place() -> tuple[float, float]:
        while True:
            at = float(rng.uniform(1, width - 1)), float(rng.uniform(1, height - 1))
            if all(np.hypot(at[0] - x, at[1] - y) > 2.5 for x, y in taken):
                taken.append(at)
                return at

    forts = [place() for _ in range(int(rng.integers(0, 3)))]
    units = []
    for side in range(2):
        for number in range(int(rng.integers(1, 8))):
            arm = int(rng.choice([0, 0, 0, 1, 2]))
            most = int(rulebook.number(f"units.{('infantry', 'cavalry', 'battery')[arm]}.figures"))
            more = {"arm": arm, "quality": int(rng.integers(3)), "veteran": int(rng.random() < 0.3)}
            more |= {"markers": int(rng.choice([0, 0, 1, 5])), "rifles": int(arm != BATTERY and rng.random() < 0.9)}
            if number == 0 and side < len(forts) and arm == INFANTRY:
                more["fort"] = side + 1
            discipline = (
                0 if rng.random() < 0.3 and rulebook.reading("CO-P04") != "designer" else int(rng.integers(3, 11))
            )
            at = forts[side] if "fort" in more else place()
            units.append(unit_of(side, at, int(rng.integers(1, most + 1)), discipline, **more))
    nodes, roads = [], []
    if rng.random() < 0.6:
        x, y = float(rng.uniform(20, width - 20)), float(rng.uniform(20, height - 20))
        ends = [(0.5, y), (width - 0.5, y), (x, 0.5), (x, height - 0.5)][: int(rng.integers(2, 5))]
        nodes = [(x, y, int(rng.choice([PLAIN, IN_TOWN]))), *((*end, AT_EDGE) for end in ends)]
        roads = [(0, n + 1) for n in range(len(ends))]
    lines = []
    for number in range(int(rng.integers(0, 4))):
        kind = int(rng.choice([CREST, FORDABLE, HARD, UNFORDABLE]))
        xs, ys = rng.uniform(0, width, 3), rng.uniform(0, height, 3)
        lines += [(kind, number, (xs[i], ys[i], xs[i + 1], ys[i + 1])) for i in range(2)]
    difficult = []
    for _ in range(int(rng.integers(0, 4))):
        west, north = int(rng.integers(0, width - 10)), int(rng.integers(0, height - 10))
        difficult.append((west, north, west + int(rng.integers(3, 10)), north + int(rng.integers(3, 10))))
    boxes = [(x - 8, y - 8, x + 8, y + 8) for x, y in (place() for _ in range(int(rng.integers(0, 4))))]
    hold = [int(rng.integers(0, len(boxes) + 1)) for _ in range(2)]
    return setup_of(
        units,
        rulebook,
        doctrines=(random_doctrine(rng), random_doctrine(rng)),
        turns=int(rng.integers(2, 9)),
        movement=int(rng.random() < 0.9),
        table=(width, height),
        difficult=difficult,
        lines=lines,
        roads=roads,
        nodes=nodes,
        forts=forts,
        zones=boxes,
        hold=hold,
        zone_bits=[(1 << len(boxes)) - 1] * 2,
        at_once=int(rng.random() < 0.5),
        first_side=int(rng.integers(2)),
        at_limit=int(rng.integers(-1, 2)),
        night_from=int(rng.choice([0, 0, 2])),
    )
