"""Skirmish tables made by chance: any rulebook and reading, any ground, figures in all states that may occur."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from tests.skirmish_positions import figure, ground_of, setup_of
from wargamesim.games.doctrines import Parameter
from wargamesim.games.skirmish.doctrine import DOCTRINE, PARAMETERS, compile_doctrine
from wargamesim.games.skirmish.layout import (
    ACTS,
    BLUE,
    BUILDING,
    CAPACITY,
    CAPTOR,
    CAPTURED,
    DEAD,
    DIFFICULT,
    DRAGS,
    EVADED,
    EVADES,
    FREE_AIM,
    HEDGE,
    HIDDEN,
    IN_PLAY,
    LEADER,
    LOAD_0,
    LOADING,
    MOVED,
    MOVED_LAST,
    ON_CARD,
    OUT_UNTIL,
    PRISONERS,
    PRONE,
    RAN,
    REGULAR,
    RELOADED,
    ROLES,
    ROUNDS,
    ROUTED,
    SHELTER,
    SHOTS,
    SHOTS_FIRED,
    SIDE,
    START,
    STATUS,
    WALL,
    WATER,
    WEAPON,
    WET,
    WOOD,
    WOUNDS,
    X,
    Y,
)
from wargamesim.games.skirmish.whereabouts import look_anew
from wargamesim.records import pack
from wargamesim.rulebook import Rulebook, load_rulebook

Chance = np.random.Generator
WIDTH, HEIGHT = 70, 60
BASE = 2.0


@cache
def books() -> tuple[Rulebook, ...]:
    """Return both rulebooks, as they are and with every reading that is not the default, one at a time."""
    varied = []
    for name in ("nordamerica", "risorgimento"):
        book = load_rulebook(name)
        varied.append(book)
        for rule_id, reading in book.readings.items():
            varied += [book.variant({rule_id: option}) for option in reading.options if option != reading.default]
    return tuple(varied)


def any_ground(chance: Chance) -> Any:
    """Draw rectangles of terrain, or leave the table bare."""
    ground = ground_of(width=WIDTH, height=HEIGHT)
    if chance.random() < 0.3:
        return ground
    what = ground.what[:HEIGHT, :WIDTH]
    for _ in range(chance.integers(1, 7)):
        kind = int(chance.choice([DIFFICULT, WATER, WOOD, WOOD, BUILDING, WALL, HEDGE]))
        x, y = chance.integers(0, WIDTH - 4), chance.integers(0, HEIGHT - 4)
        across, down = chance.integers(1, 25, 2)
        if kind in (WALL, HEDGE):
            across, down = (1, down) if chance.random() < 0.5 else (across, 1)
        what[y : y + down, x : x + across] |= kind
    solid = (what & (WALL | HEDGE)) > 0
    beside = np.pad(solid, 1)
    near = np.zeros_like(solid)
    for dy in range(3):
        for dx in range(3):
            near |= beside[dy : dy + HEIGHT, dx : dx + WIDTH]
    shelter = ((what & (WOOD | BUILDING | HEDGE)) > 0) | (near & ((what & WALL) == 0))
    what[shelter] |= SHELTER
    from scipy.ndimage import distance_transform_edt

    wood = (what & WOOD) > 0
    if wood.any() and not wood.all():
        ground.depth[:HEIGHT, :WIDTH] = np.where(wood, distance_transform_edt(wood) - 0.5, 0.0)
    ground.house[:HEIGHT, :WIDTH] = (what & BUILDING) > 0
    ground.plain, ground.opaque = not what.any(), bool((what & (WOOD | BUILDING)).any())
    return ground


def any_doctrine(chance: Chance) -> Any:
    """Return a doctrine with some parameters at their defaults and others at any allowed value."""
    chosen = [name for name in PARAMETERS if chance.random() < 0.5]
    return pack(compile_doctrine({name: _any_value(chance, PARAMETERS[name]) for name in chosen}), DOCTRINE)


def _any_value(chance: Chance, parameter: Parameter) -> Any:
    if parameter.words:
        return parameter.words[chance.integers(len(parameter.words))]
    if isinstance(parameter.default, bool):
        return bool(chance.random() < 0.5)
    # Distances and turns that matter on a small table are more likely.
    high = min(parameter.high, 60.0) if chance.random() < 0.9 else parameter.high
    value = parameter.low + chance.random() * (high - parameter.low)
    return float(value) if isinstance(parameter.default, float) else round(value)


def any_setup(seed: int) -> Any:
    """Return a setup in the middle of a battle; its doctrines are records."""
    chance = np.random.default_rng(seed)
    book = books()[chance.integers(len(books()))]
    ground = any_ground(chance)
    weapons = [name for name in _weapons(book) if name]
    figures: list[Any] = []
    for side in (0, 1):
        squads = int(chance.integers(1, 3))
        for squad in range(squads):
            at = chance.random(2) * (WIDTH, HEIGHT)
            for _ in range(chance.integers(1, 9)):
                spot = _free_spot(chance, ground, figures, at)
                if spot is not None:
                    second = str(chance.choice(weapons)) if chance.random() < 0.4 else None
                    weapon = None if chance.random() < 0.1 else str(chance.choice(weapons))
                    figures.append(
                        figure(
                            *spot, side, squad=squad, weapon=weapon, second=second, die=int(chance.choice([6, 8, 10]))
                        )
                    )
    for side in (0, 1):
        if not any(each["side"] == side for each in figures):
            return any_setup(seed + (1 << 40))
    figures.sort(key=lambda each: (each["side"], each["squad"]))
    setup = setup_of(figures, ground, book, goals=_any_goals(chance))
    _shake(chance, setup)
    look_anew(setup.start)
    setup.doctrines = (any_doctrine(chance), any_doctrine(chance))
    return setup


def _weapons(book: Rulebook) -> list[str]:
    return list(dict.fromkeys(path.split(".")[1] for path in book.numbers if path.startswith("weapons.")))


def _free_spot(chance: Chance, ground: Any, figures: list[Any], at: Any) -> tuple[float, float] | None:
    """Return a place near a point, now and then in contact with somebody."""
    for _ in range(20):
        if figures and chance.random() < 0.25:
            other = figures[chance.integers(len(figures))]
            way = chance.normal(size=2)
            way *= BASE / np.sqrt((way * way).sum())
            x, y = float(other["x"] + way[0]), float(other["y"] + way[1])
        else:
            x, y = (float(value) for value in at + chance.normal(size=2) * 6)
        if not (0 <= x < WIDTH and 0 <= y < HEIGHT) or ground.what[int(y), int(x)] & WALL:
            continue
        if all((x - e["x"]) ** 2 + (y - e["y"]) ** 2 >= (BASE * (1 - 1e-12)) ** 2 for e in figures):
            return x, y
    return None


def _any_goals(chance: Chance) -> dict[str, Any]:
    goals: dict[str, Any] = {"breaks_at": (3, 3)}
    if chance.random() < 0.3:
        goals["exit_edge"], goals["exit_figures"] = chance.integers(1, 5, 2), chance.integers(0, 3, 2)
    if chance.random() < 0.3:
        west, north = chance.integers(0, WIDTH - 20), chance.integers(0, HEIGHT - 20)
        goals["hold"] = [(west, north, west + 15, north + 15)] * 2
        goals["hold_figures"] = chance.integers(0, 3, 2)
    if chance.random() < 0.3:
        goals["exit_edge"], goals["exit_loads"] = chance.integers(1, 5, 2), chance.integers(0, 3, 2)
    return goals


def _shake(chance: Chance, setup: Any) -> None:
    """Put figures into all sorts of states that battles can lead to."""
    state, play = setup.start, setup.play
    f, n = state.figure, int(state.count)
    state.turn = chance.integers(1, 6)

    def some(share: float) -> Any:
        return chance.random(n) < share

    f[ROLES, :n] = some(0.6) * REGULAR | some(0.2) * LEADER | some(0.2) * FREE_AIM | some(0.3) * EVADES
    f[STATUS, :n] = np.where(some(0.1), chance.choice([DEAD, ROUTED, CAPTURED], n), IN_PLAY)
    for field, share in ((BLUE, 0.3), (RAN, 0.2), (MOVED_LAST, 0.2), (MOVED, 0.2), (RELOADED, 0.2)):
        f[field, :n] = some(share)
    f[WOUNDS, :n] = some(0.2)
    f[PRONE, :n] = some(0.2) * play.can_lie
    f[WET, :n] = some(0.1)
    f[ACTS, :n] = chance.integers(0, 3, n)
    f[ON_CARD, :n] = some(0.3) if chance.random() < 0.5 else 0
    f[EVADED, :n] = np.where(some(0.1), state.turn - 1, 0)
    f[OUT_UNTIL, :n] = f[EVADED, :n] + play.evasion_turns * (f[EVADED, :n] > 0)
    for slot in range(2):
        armed = f[WEAPON + slot, :n] >= 0
        thrown = armed & (play.thrown[f[WEAPON + slot, :n]] == 1)
        full = np.where(some(0.3) & (play.has_repeaters == 1) & armed & ~thrown, 6, armed.astype(int))
        f[START + slot, :n] = np.where(armed & ~thrown, chance.integers(1, 4, n), 0)
        left = np.where(full > 1, chance.integers(0, 7, n), full * some(0.6))
        f[ROUNDS + slot, :n] = left
        f[LOADING + slot, :n] = np.where(left > 0, 0, np.where(thrown, 99, chance.integers(1, 4, n))) * armed
        f[CAPACITY + slot, :n] = full
    repeats = (f[CAPACITY, :n] > 1) | (f[CAPACITY + 1, :n] > 1)
    f[SHOTS, :n] = repeats * chance.integers(0, 4, n)
    _hide(chance, setup)
    _load(chance, setup)
    for i in range(n):
        if f[STATUS, i] == CAPTURED:
            captors = [k for k in range(n) if f[SIDE, k] != f[SIDE, i] and f[STATUS, k] == IN_PLAY]
            if captors:
                f[CAPTOR, i] = chance.choice(captors)
                state.tally[PRISONERS + f[SIDE, i]] += 1
            else:
                f[STATUS, i] = DEAD
    state.tally[SHOTS_FIRED : SHOTS_FIRED + 2] = chance.integers(0, 2, 2)


def _hide(chance: Chance, setup: Any) -> None:
    """Hide figures in woods who are in contact with nobody."""
    state = setup.start
    f, n = state.figure, int(state.count)
    for i in range(n):
        square = setup.ground.what[int(state.place[Y, i]), int(state.place[X, i])]
        if not setup.play.has_hiding or not square & WOOD or chance.random() < 0.4:
            continue
        apart = np.hypot(state.place[X, :n] - state.place[X, i], state.place[Y, :n] - state.place[Y, i])
        f[HIDDEN, i] = not ((f[SIDE, :n] != f[SIDE, i]) & (apart < BASE * 1.01)).any()


def _load(chance: Chance, setup: Any) -> None:
    """Lay loads on the table; some figures drag one."""
    state = setup.start
    state.loads = chance.integers(0, 4)
    for load in range(state.loads):
        state.load[:, load] = chance.random(2) * (WIDTH, HEIGHT)
        i = int(chance.integers(state.count))
        if chance.random() < 0.5 and state.figure[DRAGS, i] == -1 and state.figure[STATUS, i] == IN_PLAY:
            state.figure[DRAGS, i], state.dragger[load] = LOAD_0 + load, i
            state.load[:, load] = state.place[:2, i]
