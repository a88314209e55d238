"""Battles of Stirling for tests: positions by hand, both implementations in one form, and tests of chances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from wargamesim.games.stirling import battle, layout
from wargamesim.games.stirling.battle_record import MOST_EVENTS
from wargamesim.games.stirling.doctrine import LONG_TIME, PARAMETERS, Doctrine, compile_doctrine
from wargamesim.games.stirling.layout import (
    CASTER,
    FIT,
    LANCE,
    MEN,
    NOBODY,
    ORDERED,
    SET_WEAPON,
    STATE,
    TALLIES,
)
from wargamesim.games.stirling.playing import pack_play
from wargamesim.games.stirling.referee import judge_battle
from wargamesim.games.stirling.rules import compile_rules
from wargamesim.games.stirling.scenario import Setup
from wargamesim.games.stirling.units import Unit, parse_damage, rate_of
from wargamesim.records import new_record
from wargamesim.rulebook import Rulebook, load_rulebook

EAST, NORTH_EAST, NORTH_WEST, WEST, SOUTH_WEST, SOUTH_EAST = range(6)

# No situation compels a check of morale.
STEADY = {
    "SS-P38": "losses_only",
    **{f"morale.situations.{name}.on": False for name in ("lost_quarter", "lost_half", "lost_three_quarters")},
}

# Two-sided tests of chances fail an honest kernel about once in so many tests; seeds are fixed.
RARE = 1e-5


@cache
def default_rulebook() -> Rulebook:
    return load_rulebook("stirling")


def rulebook_with(changes: Mapping[str, Any] | None = None) -> Rulebook:
    return default_rulebook().variant(dict(changes or {}))


def fields_of(
    unit: Unit, rulebook: Rulebook, side: int, at: tuple[int, int], front: int, **more: int
) -> dict[int, int]:
    """Return the fields of a unit by its stat block; `more` are others by name, such as ``mov=12``."""
    rules, rate = compile_rules(rulebook), rate_of(unit.rate)
    damage = dict(zip(("dice", "die", "bonus"), parse_damage(unit.damage), strict=True))
    named = {
        "side": side,
        "status": ORDERED,
        "q": at[0],
        "r": at[1],
        "front": front,
        **dict.fromkeys(("men", "men0", "left"), unit.men),
        **{name: getattr(unit, name) for name in ("hp", "ac", "thac0", "length", "speed")},
        "rate_num": rate.numerator,
        "rate_den": rate.denominator,
        **damage,
        **{f"{name}_l": value for name, value in damage.items()},
        **{"shot_die": 1, "shot_die_l": 1},
        "traits": LANCE * unit.lance + SET_WEAPON * unit.set_weapon,
        "mov": 12,
        "morale": rules.ratings[unit.quality],
        "charisma": unit.leader,
        "leader": FIT if unit.leader else NOBODY,
        "leader_morale": rules.ratings["leader"],
        **more,
    }
    return {getattr(layout, name.upper()): value for name, value in named.items()}


def setup_of(
    units: Sequence[Mapping[int, int]],
    rulebook: Rulebook | None = None,
    *,
    movement: int = 0,
    commanders: tuple[tuple[int, int], tuple[int, int]] = ((-1, 0), (-1, 0)),
    spells: Sequence[tuple[int, int, int, int]] = (),
    doctrines: tuple[Doctrine, Doctrine] | None = None,
    turns: int | None = None,
    board: tuple[int, int] = (16, 16),
) -> Setup:
    """Make a setup of a position, the first side's units first; a Commander is (unit he leads or -1, charisma)."""
    start: Any = new_record(STATE)
    start.rows, start.cols = board
    start.movement, start.count, start.spells = movement, len(units), len(spells)
    for number, fields in enumerate(units):
        for field, value in fields.items():
            start.unit[number, field] = value
    assert (np.diff(start.unit[: len(units), layout.SIDE]) >= 0).all()
    for side, (unit, charisma) in enumerate(commanders):
        start.commander[side], start.commander_charisma[side] = unit, charisma
    for number, spell in enumerate(spells):
        start.spell[number, CASTER : CASTER + 4] = spell
    play = pack_play(rulebook or default_rulebook())
    if turns is not None:
        play.turns = turns
    still = compile_doctrine({"foot": "hold", "horse": "hold", "shooters": "hold"})
    names = tuple(f"unit {number}" for number in range(len(units)))
    return Setup(play, start, doctrines or (still, still), names, "stirling")


def duel(first: Unit, second: Unit, rulebook: Rulebook | None = None, **more: Any) -> Setup:
    """Put two units front to front, and leave them there."""
    book = rulebook or default_rulebook()
    units = [fields_of(first, book, 0, (5, 5), EAST), fields_of(second, book, 1, (6, 5), WEST)]
    commanders = ((-1, first.commander), (-1, second.commander))
    return setup_of(units, book, commanders=commanders, **more)


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


def tally_of(records: Any, tally: int, side: int) -> Any:
    """Return one tally of all battles."""
    return records[:, 2 + tally + side]


def assert_chances(counts: ArrayLike, chances: ArrayLike, rare: float = RARE) -> None:
    """Hold counts against chances that sum to 1, by a chi-squared test in which rare cases count as one."""
    seen, p = np.asarray(counts, dtype=float), np.asarray(chances, dtype=float)
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


def counts_of(values: Any, size: int) -> Any:
    """Count values from 0 up to size - 1; no other may occur."""
    assert ((values >= 0) & (values < size)).all()
    return np.bincount(values, minlength=size)


def men_at_start(setup: Setup, side: int) -> int:
    """Return the men of a side in a position."""
    units = setup.start.unit[: setup.start.count]
    return int(units[units[:, layout.SIDE] == side, MEN].sum())


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
            # Hexes and turns are few on a small board, men are many.
            most = 300 if parameter.high > LONG_TIME else 6
            values[name] = int(rng.integers(int(parameter.low), most + 1))
        else:
            values[name] = float(rng.uniform(parameter.low, min(parameter.high, parameter.low + 2.0)))
    return compile_doctrine(values)


def random_setup(rng: np.random.Generator, rulebook: Rulebook) -> Setup:
    """Make a small board full of unlike units, near enough to each other for all that can happen."""
    size = int(rng.integers(8, 15))
    hexes = [(col - row // 2, row) for row in range(size) for col in range(size)]
    step = int(rulebook.number("units.men_step"))
    units: list[dict[int, int]] = []
    commanders = []
    taken = rng.permutation(len(hexes))
    for side in range(2):
        first = len(units)
        for _ in range(int(rng.integers(1, 6))):
            unit = Unit(
                men=step * int(rng.integers(2, 31)),
                thac0=int(rng.integers(12, 21)),
                ac=int(rng.integers(0, 10)),
                hp=int(rng.integers(4, 12)),
                damage=str(rng.choice(["1d4-1", "1d6", "1d8", "2d4", "2d6+1", "1d10+2"])),
                rate=str(rng.choice(["1/3", "1/2", "1", "3/2", "2"])),
                quality=str(rng.choice(["levy", "common", "chosen", "elite"])),
                leader=int(rng.choice([0, 0, 6, 12, 15, 18])),
                length=int(rng.integers(1, 4)),
                speed=int(rng.integers(3, 6)),
                lance=bool(rng.random() < 0.3),
                set_weapon=bool(rng.random() < 0.3),
            )
            more = {"mov": int(rng.choice([0, 3, 6, 9, 12, 18])), "shield": int(rng.integers(0, 2))}
            if rng.random() < 0.4:
                more |= {"range_short": 2, "range_medium": 4, "range_long": int(rng.integers(4, 9))}
                more |= {"shot_dice": 1, "shot_die": 6, "shot_dice_l": 1, "shot_die_l": 8, "shot_bonus": 1}
            fields = fields_of(unit, rulebook, side, hexes[taken[len(units)]], int(rng.integers(6)), **more)
            fields[layout.TRAITS] |= layout.LARGE * int(rng.random() < 0.3) | layout.MOUNTED * int(rng.random() < 0.3)
            units.append(fields)
        leads = [number for number in range(first, len(units)) if units[number][layout.LEADER] == FIT]
        kind = int(rng.integers(3))
        if kind == 0 and leads:
            chosen = int(rng.choice(leads))
            commanders.append((chosen, units[chosen][layout.CHARISMA]))
        else:
            commanders.append((-1, 15 if kind == 1 else 0))
    spells = [
        (int(rng.integers(len(units))), int(rng.integers(1, 5)), int(rng.integers(1, 8)), int(rng.integers(1, 60)))
        for _ in range(int(rng.integers(4)))
    ]
    return setup_of(
        units,
        rulebook,
        movement=int(rng.random() < 0.9),
        commanders=(commanders[0], commanders[1]),
        spells=spells,
        doctrines=(random_doctrine(rng), random_doctrine(rng)),
        board=(size, size),
    )
