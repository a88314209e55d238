"""A judge over figures placed by hand, and what it refuses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.skirmish_positions import Figure, figure, table_of
from wargamesim.errors import IllegalAction
from wargamesim.games.skirmish.judge import Judge
from wargamesim.games.skirmish.layout import (
    MOVE,
)
from wargamesim.games.skirmish.referee_rules import Action, Turn

FAR = figure(90, 50, 1)


def judge_of(figures: Sequence[Figure], ground: Any = None, edges: tuple[int, int] = (0, 0), **more: Any) -> Judge:
    names = [f"{'AB'[given['side']]}{i}" for i, given in enumerate(figures)]
    return Judge(table_of(figures, ground, **more), names, edges)


def refused(judge: Judge, action: Action, pinned: bool = False) -> str:
    """Return the rule by which the judge refuses an action."""
    with pytest.raises(IllegalAction) as wrong:
        judge.action(action, action.figure, pinned)
    assert str(wrong.value).startswith(wrong.value.rule)
    return wrong.value.rule


def refused_choice(judge: Judge, action: Action, turn: Turn | None = None, number: int = 1) -> str:
    with pytest.raises(IllegalAction) as wrong:
        judge.choice(action, turn or Turn(0, 20, False), number)
    return wrong.value.rule


def move(x: float, y: float, **fields: Any) -> Action:
    return Action(MOVE, 0, to=(x, y), **fields)
