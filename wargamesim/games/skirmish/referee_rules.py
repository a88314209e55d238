"""What players propose, in plain Python, and which rule the referee follows and cites, by topic."""

from __future__ import annotations

from typing import NamedTuple

from wargamesim.games.skirmish.layout import KEEP, Plan

# Rule ids by topic: that of a rulebook of squad cards, and that of one of suits.
RULES = {
    "deck": ("NA-2.1", "RI-2.1"),
    "squad card": ("NA-2.2", "RI-2.4"),
    "figure": ("NA-2.8", "RI-2.10"),
    "cap": ("NA-2.7", "RI-2.9"),
    "ace": ("NA-2.3", "RI-2.5a"),
    "void ace": ("NA-2.4", "RI-2.5a"),
    "two": ("NA-2.2", "RI-2.5b"),
    "three": ("NA-2.2", "RI-2.5c"),
    "jack": ("NA-2.2", "RI-2.5d"),
    "king": ("NA-2.2", "RI-2.5e"),
    "joker": ("NA-2.5", "RI-2.6"),
    "ending joker": ("NA-2.5", "RI-2.7"),
    "end of turn": ("NA-2.6", "RI-2.8"),
    "rally": ("NA-2.9", "RI-2.11"),
    "action": ("NA-3.1", "RI-3.1"),
    "move": ("NA-3.2", "RI-3.2"),
    "run": ("NA-3.3", "RI-3.13"),
    "run fall": ("NA-3.3f", "RI-3.13"),
    "ford": ("NA-3.4", "RI-3.3"),
    "ford fall": ("NA-3.4f", "RI-3.3"),
    "drag": ("NA-3.5", "RI-7.11"),
    "stairs": ("NA-3.9", "RI-3.13"),
    "posture": ("NA-3.10", "RI-3.13"),
    "posture shot": ("NA-3.16", "RI-3.13"),
    "moving shot": ("NA-3.17", "RI-3.6"),
    "shot order": ("NA-3.17", "RI-3.8"),
    "reload": ("NA-3.19", "RI-3.10"),
    "snap": ("NA-3.20a", "RI-3.11a"),
    "misfire": ("NA-4.2", "RI-4.1"),
    "loaded": ("NA-4.1", "RI-4.1"),
    "target": ("NA-4.4", "RI-4.6"),
    "natural miss": ("NA-4.6", "RI-4.3"),
    "fumble": ("NA-4.7", "RI-4.3"),
    "into melee": ("NA-4.9", "RI-4.7"),
    "hit": ("NA-4.11", "RI-4.4"),
    "reach": ("NA-4.13", "RI-T.5"),
    "blind": ("NA-4.14", "RI-4.6"),
    "thrown": ("NA-4.23", "RI-4.1"),
    "blind hit": ("NA-4.15", "RI-4.6"),
    "volley": ("NA-4.16", "RI-4.6"),
    "volley hit": ("NA-4.17", "RI-4.6"),
    "suppression": ("NA-4.19", "RI-4.6"),
    "killed": ("NA-5.3", "RI-5.3"),
    "wounded": ("NA-5.4", "RI-5.4"),
    "near": ("NA-5.5", "RI-5.5"),
    "wounded out": ("NA-5.6", "RI-5.6"),
    "repeater": ("NA-3.1", "RI-6.1"),
    "busy repeater": ("NA-3.1", "RI-6.3"),
    "revealed": ("NA-6.1", "RI-1.5"),
    "hide": ("NA-6.4", "RI-1.5"),
    "who learns": ("NA-6.6", "RI-1.5"),
    "spotted": ("NA-6.5", "RI-1.5"),
    "contact": ("NA-7.1", "RI-7.1"),
    "round": ("NA-7.2", "RI-7.2"),
    "evasion": ("NA-7.3", "RI-7.2"),
    "evasion fall": ("NA-7.4", "RI-7.2"),
    "pair": ("NA-7.8", "RI-7.5"),
    "melee wound": ("NA-7.9", "RI-7.6"),
    "melee kill": ("NA-7.10", "RI-7.5"),
    "capture": ("NA-7.13", "RI-7.9"),
    "prisoner": ("NA-7.15", "RI-7.11"),
    "permission": ("NA-7.16", "RI-7.2"),
    "melee shot": ("NA-7.17", "RI-7.2"),
    "steady": ("NA-8.3", "RI-8.3"),
    "pinned": ("NA-8.4", "RI-8.4"),
    "rout": ("NA-8.5", "RI-8.5"),
    "arson": ("NA-9.2", "RI-8.8"),
    "burning": ("NA-9.3", "RI-8.8"),
    "scenario": ("NA-9.4", "RI-8.8"),
}


class Action(NamedTuple):
    """One proposal, field by field as `orders` fills it, and the place that belongs to it."""

    what: int
    figure: int = -1
    target: int = -1
    slot: int = 0
    run: int = 0
    posture: int = KEEP
    shoot_first: int = 0
    hide: int = 0
    exit: int = 0
    grab: int = -1
    to: tuple[float, float] = (0.0, 0.0)
    members: tuple[int, ...] = ()

    @classmethod
    def of(cls, plan: Plan) -> Action:
        """Read a proposal off the player's plan."""
        members = tuple(sorted(plan.members[: int(plan.member_count)].tolist()))
        fields: dict[str, int] = dict(zip(cls._fields, plan.action.tolist(), strict=False))
        return cls(**fields, to=(float(plan.to[0]), float(plan.to[1])), members=members)


class Turn(NamedTuple):
    """What a squad may do on the card in play: how many figures act yet, and whether it may rally one instead.

    ``declared`` tells whether some have declared already what they will do (NA-2.8).
    """

    squad: int
    slots: int
    may_rally: bool
    declared: bool = False
