"""What players propose, read off their plan in plain Python."""

from __future__ import annotations

from typing import NamedTuple

from wargamesim.games.coloniale.layout import Plan


class Fire(NamedTuple):
    """At whom a unit fires, with how many dice each, and which of the targets gets the markers (CO-P09)."""

    weapon: int
    targets: tuple[int, ...]
    dice: tuple[int, ...]
    marked: int

    @classmethod
    def of(cls, plan: Plan) -> Fire:
        """Read a proposal off the player's plan."""
        count = int(plan.targets)
        targets, dice = plan.target[:count].tolist(), plan.dice[:count].tolist()
        return cls(int(plan.weapon), tuple(targets), tuple(dice), int(plan.marked))


class Action(NamedTuple):
    """One assault, move or march, field by field as `orders` fills it."""

    what: int
    unit: int = -1
    target: int = -1
    figures: int = 0
    node: int = 0
    to: tuple[float, float] = (0.0, 0.0)
    limit: float = -1.0
    followers: tuple[int, ...] = ()

    @classmethod
    def of(cls, plan: Plan) -> Action:
        """Read a proposal off the player's plan."""
        to = float(plan.to[0]), float(plan.to[1])
        followers = tuple(plan.follower[: int(plan.followers)].tolist())
        what, unit, target, figures, node = plan.action.tolist()
        return cls(what, unit, target, figures, node, to, float(plan.limit), followers)
