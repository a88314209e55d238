"""Positions of Stirling for tests of the referee: scripted players and dice, and what the trace says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.stirling_battles import (
    EAST,
    WEST,
    fields_of,
    rulebook_with,
    setup_of,
)
from wargamesim.games.stirling import layout, orders
from wargamesim.games.stirling.judge import Move
from wargamesim.games.stirling.layout import (
    FIT,
    STAY,
    T_ATTACK,
)
from wargamesim.games.stirling.referee_course import Course
from wargamesim.games.stirling.scenario import Setup
from wargamesim.games.stirling.units import Unit as Block

KEY = 4021
BOW = {"range_short": 7, "range_medium": 14, "range_long": 21, "shot_dice": 1, "shot_die": 6}
BOW |= {"shot_dice_l": 1, "shot_die_l": 8}

FACING = (0, (5, 5), EAST), (1, (6, 5), WEST)
ALONE = (0, (0, 0), EAST)
FAR = (1, (9, 9), WEST)


def course_of(*units: Any, changes: Mapping[str, Any] | None = None, **more: Any) -> Course:
    """Return the course of a battle in its first turn; a unit is (side, hex, front), then fields by name."""
    book = rulebook_with(changes)
    fields = [fields_of(Block(), book, *unit[:3], **(unit[3] if len(unit) > 3 else {})) for unit in units]
    return begun(setup_of(fields, book, movement=1, **more))


def begun(setup: Setup, battle: int = 0) -> Course:
    """Return the course of a battle in its first turn."""
    course = Course(setup, KEY, battle)
    course.turn = course.state.turn = 1
    for unit in course.board.units:
        unit.left = unit.men
    return course


class Dice:
    """Scripted dice: by purpose, then by actor and k, or by actor, or one face for all; what is left out shows 1."""

    def __init__(self, course: Course, **faces: Any) -> None:
        self.rolled: list[tuple[int, int, int, int]] = []
        self._faces = {getattr(layout, name.upper()): face for name, face in faces.items()}
        course.roll = self  # type: ignore[assignment, method-assign]

    def __call__(self, actor: int, purpose: int, k: int, sides: int) -> int:
        self.rolled.append((actor, purpose, k, sides))
        faces = self._faces.get(purpose, 1)
        if isinstance(faces, Mapping):
            faces = faces.get((actor, k), faces.get(actor, 1))
        assert 1 <= faces <= sides
        return int(faces)


class Players:
    """Scripted players: moves by unit, who delays, how units intercept, whom they shoot; the others stay."""

    def __init__(self) -> None:
        self.moves: dict[int, Move] = {}
        self.delays: set[int] = set()
        self.side_delays: set[int] = set()
        self.replies: dict[int, Move] = {}
        self.targets: dict[int, int] = {}
        self.spells: dict[int, int] = {}
        self.choice = -1
        self.asked: list[tuple[int, int]] = []  # who was asked to intercept whom
        self.order: list[int] = []

    def move(self, state: Any, _play: Any, _doctrine: Any, plan: Any, unit: int) -> None:
        self.order.append(unit)
        self._fill(plan, self.moves.get(unit, Move(STAY, int(state.unit[unit, layout.FRONT]))))

    def delay(self, _state: Any, _play: Any, _doctrine: Any, _plan: Any, unit: int) -> int:
        return int(unit in self.delays)

    def delay_side(self, _state: Any, _play: Any, _doctrine: Any, _plan: Any, side: int) -> int:
        return int(side in self.side_delays)

    def intercept(self, _state: Any, _play: Any, _doctrine: Any, _plan: Any, reply: Any, unit: int, mover: int) -> int:
        self.asked.append((unit, mover))
        if unit in self.replies:
            self._fill(reply, self.replies[unit])
        return int(unit in self.replies)

    def shoot(self, _state: Any, _play: Any, _doctrine: Any, _plan: Any, unit: int) -> int:
        return self.targets.get(unit, -1)

    def cast(self, _state: Any, _play: Any, _doctrine: Any, _plan: Any, unit: int, spell: int) -> int:
        return self.spells.get(spell, -1) if unit >= 0 else -1

    def free_attacker(self, _state: Any, _play: Any, _doctrine: Any, plan: Any, _unit: int) -> int:
        self.listed = plan.list[: int(plan.listed)].tolist()
        return self.choice

    @staticmethod
    def _fill(plan: Any, move: Move) -> None:
        plan.action[:] = tuple(move)[:-1]
        plan.path[: move.steps] = move.path


def scripted(monkeypatch: pytest.MonkeyPatch) -> Players:
    """Put scripted players in the place of `orders`."""
    script = Players()
    for name in ("move", "delay", "delay_side", "intercept", "shoot", "cast", "free_attacker"):
        monkeypatch.setattr(orders, name, getattr(script, name))
    return script


def go(what: int, *path: int, to: int = EAST, **more: int) -> Move:
    return Move(what, to, len(path), path=path, **more)


def rows(course: Course, kind: int) -> list[tuple[int, ...]]:
    """Return the events of a kind in the trace, without turn and kind."""
    return [row[2:] for row in course.trace if row[1] == kind]


def attacks_of(course: Course) -> list[tuple[int, ...]]:
    """Return attacker, victim, kind, needed, loss and side of every attack."""
    return [(row[0], row[1], row[2], row[5], row[7], row[9]) for row in rows(course, T_ATTACK)]


def led(**more: int) -> dict[str, int]:
    return {"charisma": 15, "leader": FIT, **more}
