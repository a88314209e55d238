"""Skirmish positions made by hand for tests of the referee: ground drawn as text, figures field by field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from wargamesim import records
from wargamesim.games.skirmish import orders
from wargamesim.games.skirmish.doctrine import compile_doctrine
from wargamesim.games.skirmish.layout import (
    BLANK,
    BUILDING,
    CAPACITY,
    CAPTOR,
    DIFFICULT,
    DRAGS,
    FACE_Y,
    GOALS,
    GRADE,
    GROUND,
    HEDGE,
    LAST_CARD,
    LAST_SQUAD,
    MELEE_DIE,
    MOVE,
    OTHER_DIE,
    ROUNDS,
    S_COUNT,
    S_FIRST,
    S_SIDE,
    SIDE,
    SQUAD,
    START,
    STATE,
    WALL,
    WATER,
    WEAPON,
    WOOD,
    X,
    Y,
)
from wargamesim.games.skirmish.playing import pack_play
from wargamesim.games.skirmish.referee_act import act
from wargamesim.games.skirmish.referee_course import Course
from wargamesim.games.skirmish.referee_move import move
from wargamesim.games.skirmish.referee_rules import Action
from wargamesim.games.skirmish.referee_table import Table
from wargamesim.games.skirmish.rules import compile_rules
from wargamesim.games.skirmish.whereabouts import look_anew
from wargamesim.rulebook import Rulebook, load_rulebook

NORDAMERICA, RISORGIMENTO = load_rulebook("nordamerica"), load_rulebook("risorgimento")
BITS = {".": 0, ":": DIFFICULT, "~": WATER, "#": WOOD, "@": BUILDING, "=": WALL, "%": HEDGE}

Figure = Mapping[Any, Any]


def figure(x: float, y: float, side: int = 0, **fields: Any) -> Figure:
    """Describe a figure: `weapon`, `second`, `grade` by name, `die` of close combat, other fields by `also`.

    A musket of three actions and a D6 unless said otherwise. `also` maps fields of the layout to values.
    """
    return {"x": x, "y": y, "side": side, **fields}


def ground_of(
    lines: Sequence[str] = (), width: int = 100, height: int = 60, depth: float = 0.0, floors: int = 1
) -> Any:
    """Draw the ground, a letter a square; all of a wood is equally `depth` cm from its edge.

    What is drawn of buildings is one house, with so many `floors`.
    """
    ground = records.new_record(GROUND)
    ground.width, ground.height = width, height
    for row, line in enumerate(lines):
        for column, letter in enumerate(line):
            ground.what[row, column] = BITS[letter]
    ground.depth[(ground.what & WOOD) != 0] = depth
    ground.house[(ground.what & BUILDING) != 0] = 1
    ground.floors[:2] = 1, floors
    ground.plain = not ground.what.any()
    ground.opaque = bool((ground.what & (WOOD | BUILDING)).any())
    return ground


def setup_of(
    figures: Sequence[Figure],
    ground: Any = None,
    book: Rulebook = NORDAMERICA,
    changes: Mapping[str, Any] | None = None,
    goals: Mapping[str, Any] | None = None,
) -> Any:
    """Return a setup of figures, those of the first side first; each side's squads are numbered by `squad`."""
    book = book.variant(changes or {})
    rules, play = compile_rules(book), pack_play(book)
    state, wins = records.new_record(STATE), records.new_record(GOALS)
    state.figure[DRAGS], state.figure[CAPTOR], state.dragger[:] = -1, -1, -1
    state.figure[WEAPON : WEAPON + 2] = -1
    state.count = len(figures)
    squads: dict[tuple[int, int], int] = {}
    for i, given in enumerate(figures):
        squad = squads.setdefault((given["side"], given.get("squad", 0)), len(squads))
        _fill(state, i, squad, given, rules)
    state.squads = len(squads)
    state.first_squads = sum(side == 0 for side, _ in squads)
    state.nearest[:] = -1
    for (side, _), squad in squads.items():
        members = [i for i in range(len(figures)) if state.figure[SQUAD, i] == squad]
        state.squad[[S_SIDE, S_FIRST, S_COUNT], squad] = side, members[0], len(members)
    state.fielded[:] = [sum(given["side"] == side for given in figures) for side in (0, 1)]
    state.deck[LAST_SQUAD], state.deck[LAST_CARD] = -1, BLANK
    look_anew(state)
    wins.turns, wins.at_limit, wins.home[:] = 10, -1, (3, 1)
    for name, value in (goals or {}).items():
        wins[name] = value
    doctrine = compile_doctrine({}, key="doctrine")
    return SimpleNamespace(
        play=play,
        ground=ground_of() if ground is None else ground,
        start=state,
        goals=wins,
        doctrines=(doctrine, doctrine),
        names=tuple(f"{'AB'[given['side']]}{i}" for i, given in enumerate(figures)),
        squad_names=tuple(f"squad {squad}" for squad in range(len(squads))),
        weapons=rules.weapons.names,
    )


def _fill(state: Any, i: int, squad: int, given: Figure, rules: Any) -> None:
    state.place[X, i], state.place[Y, i], state.place[FACE_Y, i] = given["x"], given["y"], 1 if given["side"] else -1
    state.figure[SIDE, i], state.figure[SQUAD, i] = given["side"], squad
    state.figure[GRADE, i] = rules.grades.names.index(given.get("grade", rules.grades.standard))
    state.figure[MELEE_DIE, i] = state.figure[OTHER_DIE, i] = given.get("die", 6)
    default = "musket" if "musket" in rules.weapons.names else "smoothbore_musket"
    for slot, name in enumerate((given.get("weapon", default), given.get("second"))):
        if name is not None:
            state.figure[WEAPON + slot, i] = rules.weapons.names.index(name)
            capacity = given.get("capacity", 1) if slot == 0 else 1
            state.figure[CAPACITY + slot, i] = state.figure[ROUNDS + slot, i] = capacity
            state.figure[START + slot, i] = 0 if rules.weapons.thrown[rules.weapons.names.index(name)] else 3
    for field, value in given.get("also", {}).items():
        state.figure[field, i] = value


def table_of(figures: Sequence[Figure], ground: Any = None, **more: Any) -> Table:
    """Return a table of figures, see `setup_of`."""
    setup = setup_of(figures, ground, **more)
    return Table(records.copy(setup.start), setup.ground, setup.play)


class Dice:
    """Dice that fall as told, by purpose and by number if need be; what is not told is an error."""

    def __init__(self, faces: Mapping[Any, int]) -> None:
        self.faces, self.rolled = faces, set[Any]()

    def __call__(self, who: int, purpose: int, k: int, sides: int) -> int:
        """Return the face of die `k` of a purpose, whoever rolls it."""
        key = next(key for key in ((who % 128, purpose, k), (purpose, k), purpose) if key in self.faces)
        self.rolled.add(key)
        assert 1 <= self.faces[key] <= sides
        return self.faces[key]


def course_of(figures: Sequence[Figure], faces: Mapping[Any, int], ground: Any = None, **more: Any) -> Course:
    """Return a battle in its first turn, whose dice fall as told."""
    course = Course(setup_of(figures, ground, **more), key=np.uint64(1), battle=0)
    course.turn = 1
    course.state.turn = 1
    course.roll = Dice(faces)  # type: ignore[method-assign]
    return course


def of(course: Course, field: int, number: int) -> int:
    """Return a figure's field."""
    return int(course.state.figure[field, number])


def tally(course: Course, what: int, side: int = 0) -> int:
    """Return a tally of a side."""
    return int(course.state.tally[what + side])


def events(course: Course, what: int) -> list[tuple[int, ...]]:
    """Return the trace's events of a kind, without turn and kind."""
    return [row[2:] for row in course.trace if row[1] == what]


def place(course: Course, number: int = 0) -> tuple[float, float]:
    """Return where a figure stands."""
    return float(course.state.place[X, number]), float(course.state.place[Y, number])


def go(course: Course, x: float, y: float, **fields: Any) -> None:
    """Move figure 0, without asking anybody."""
    move(course, 0, Action(MOVE, 0, to=(x, y), **fields))


def do(course: Course, monkeypatch: pytest.MonkeyPatch, what: int, **fields: Any) -> None:
    """Let figure 0 act, whose player wants this; without `to` it stays where it is."""

    def choose(*given: Any) -> None:
        plan, action = given[5], Action(what, 0, **{"to": place(course), **fields})
        plan.action[:], plan.to[:] = action[:10], action.to

    monkeypatch.setattr(orders, "act", choose)
    act(course, 0)
