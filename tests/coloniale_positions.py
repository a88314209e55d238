"""Positions of Coloniale for tests of the referee: dice and players by script, and chances by playing all dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from tests.coloniale_battles import setup_of, unit_of
from wargamesim.games.coloniale.layout import MOST_TARGETS, RIFLE
from wargamesim.games.coloniale.referee_course import Course

# By its purpose what the dice of a battle show, one after the other, whoever rolls.
Dice = Mapping[int, Sequence[int]]
# By its name what a player answers, one question after the other: a number, or what he writes into the plan.
Answers = Mapping[str, Sequence[int | Callable[[Any], None]]]


class ScriptedCourse(Course):
    """A battle whose dice and players are told beforehand; a die or an answer too few is an error."""

    def script(self, dice: Dice, answers: Answers) -> ScriptedCourse:
        self.dice = {purpose: list(faces) for purpose, faces in dice.items()}
        self.answers = {question: list(given) for question, given in answers.items()}
        self.rolled: list[tuple[int, ...]] = []
        self.turn = 1
        return self

    def roll(self, actor: int, purpose: int, k: int, sides: int) -> int:
        self.rolled.append((actor, purpose, k, sides))
        die = self.dice[purpose].pop(0)
        assert 1 <= die <= sides
        return die

    def ask(self, question: str, side: int, *what: int) -> int:  # noqa: ARG002
        answer = self.answers[question].pop(0)
        if isinstance(answer, int):
            return answer
        answer(self.plan)
        return 0


def course_of(
    units: Sequence[Mapping[str, Any]], dice: Dice | None = None, answers: Answers | None = None, **more: Any
) -> ScriptedCourse:
    """Set a position up, in its first turn; `more` as in `setup_of`."""
    setup = setup_of(units, more.pop("rulebook", None), **more)
    return ScriptedCourse(setup, 0, 0, draws=False).script(dice or {}, answers or {})


def proposal(
    what: int = 0,
    unit: int = -1,
    target: int = -1,
    count: int = 0,
    node: int = 0,
    *,
    to: tuple[float, float] = (0.0, 0.0),
    limit: float = -1.0,
    followers: Sequence[int] = (),
) -> Callable[[Any], None]:
    """Return an answer that writes an assault, a move or a march."""

    def write(plan: Any) -> None:
        plan.action[:] = what, unit, target, count, node
        plan.to[:], plan.limit = to, limit
        plan.followers = len(followers)
        plan.follower[: len(followers)] = followers

    return write


def shots(dice: Mapping[int, int], weapon: int = RIFLE, marked: int = 0) -> Callable[[Any], None]:
    """Return an answer that writes fire with so many dice at each target."""

    def write(plan: Any) -> None:
        plan.weapon, plan.targets, plan.marked = weapon, len(dice), marked
        plan.target[: len(dice)], plan.dice[: len(dice)] = list(dice), list(dice.values())
        assert len(dice) <= MOST_TARGETS

    return write


def two(figures: tuple[int, int] = (6, 6), discipline: tuple[int, int] = (6, 6), apart: float = 10.0) -> list[Any]:
    """Return two units of either side, one south of the other, in the middle of the table."""
    return [unit_of(side, (128.0, 128.0 + side * apart), figures[side], discipline[side]) for side in (0, 1)]


def rules_of(course: Course) -> list[str]:
    """Return the rules by which something was told since this was last asked."""
    return [event.rule for event in course.listen()]


def rows(course: Course, kind: int) -> list[tuple[int, ...]]:
    """Return the events of one kind without turn, kind and filling."""
    return [row[2:] for row in course.trace if row[1] == kind]


def chances(sides: Sequence[int], result: Callable[[tuple[int, ...]], Any]) -> dict[Any, Fraction]:
    """Return the chance of each result, by trying all faces of dice with so many sides."""
    counts = Counter(result(faces) for faces in all_faces(sides))
    return {key: Fraction(count, counts.total()) for key, count in counts.items()}


def all_faces(sides: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield all faces of dice with so many sides."""
    return product(*(range(1, most + 1) for most in sides))
