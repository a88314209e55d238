"""What may be shot at, with what, and how often, read literally."""

from __future__ import annotations

from collections.abc import Sequence

from wargamesim.errors import IllegalAction
from wargamesim.games.skirmish.layout import FREE_AIM, SPENT
from wargamesim.games.skirmish.referee_ground import MORE, Place, is_near, length
from wargamesim.games.skirmish.referee_rules import Action
from wargamesim.games.skirmish.referee_table import Table


class ShotJudge:
    """Holds shots and reloading against the rules.

    Parameters
    ----------
    table : Table
        The battle as it stands.
    names : sequence of str
        Of figures.
    """

    def __init__(self, table: Table, names: Sequence[str]) -> None:
        self.table, self.names = table, names

    # Words

    def name(self, figure: int) -> str:
        """Name a figure for people."""
        return self.names[figure] if 0 <= figure < len(self.names) else f"figure {figure}"

    def wrong(self, topic: str, reason: str) -> IllegalAction:
        """Return the error to raise: by the rule about a topic."""
        return IllegalAction(self.table.rule(topic), reason)

    # Shots

    def shot(
        self,
        figure: int,
        slot: int,
        target: int,
        *,
        place: Place | None = None,
        fired: int = 0,
        busy: bool = False,
        loaded: bool = False,
    ) -> None:
        """Judge a shot.

        Parameters
        ----------
        figure, slot, target : int
            Who fires which weapon at whom.
        place : (x, y) or None
            From where, if not from where the figure stands.
        fired : int
            Shots that it has fired in this activation.
        busy : bool
            Whether it moves or reloads in this very action, before the shot.
        loaded : bool
            Whether the weapon has just been reloaded.
        """
        table = self.table
        if slot not in (0, 1) or table.weapon[slot][figure] < 0:
            raise self.wrong("loaded", f"{self.name(figure)} fires a weapon that it has not")
        dry = not (table.wet[figure] and table.is_firearm(figure, slot))
        if not (table.is_ready(figure, slot) or (loaded and dry)):
            raise self.wrong("loaded", f"{self.name(figure)} fires a weapon that is not loaded or wet")
        if table.touches(figure, place):
            raise self.wrong("contact", f"{self.name(figure)} fires while in contact")
        if not self.may_repeat(figure, slot, fired, busy):
            raise self.wrong("repeater", f"{self.name(figure)} fires more often than its weapon may in a turn")
        barred = self.bars_target(figure, slot, target, place)
        if barred:
            raise self.wrong(barred[0], f"{self.name(figure)} fires at {self.name(target)}, {barred[1]}")

    def may_repeat(self, figure: int, slot: int, fired: int, busy: bool = False) -> bool:
        """Tell whether a repeater may fire once more this turn (RI-6.1, RI-6.3); other weapons always may."""
        table, play = self.table, self.table.play
        if table.capacity[slot][figure] <= 1:
            return True
        shots = int(table.shots[figure])
        if (fired if table.reading["repeat_scope"] == "activation" else shots) >= play.repeater_shots:
            return False
        is_busy = busy or table.moved[figure] or table.reloaded[figure]
        return not is_busy or shots < play.repeater_busy_shots

    def bars_target(self, figure: int, slot: int, target: int, place: Place | None = None) -> tuple[str, str] | None:
        """Return the topic of the rule that forbids a target and why, or None."""
        table, play = self.table, self.table.play
        here = place or table.place(figure)
        if target not in table.known(figure):
            return "target", "who is no known enemy in play"
        if not is_near(here, table.place(target), play.reach[int(table.weapon[slot][figure])]):
            return "reach", f"who is {length(here, table.place(target)):.2f} cm away"
        if not table.sees(figure, target, place):
            return "target", "who is out of sight"
        if not play.fires_into_melee and any(f != figure for f in table.touches(target)):
            return "into melee", "who is in close combat"
        if not play.free_targets and not table.has_role(figure, FREE_AIM):
            nearest = min(length(here, table.place(e)) for e in table.visible(figure, place))
            if length(here, table.place(target)) > nearest * MORE:
                return "target", "who is not the nearest"
        return None

    def reload(self, action: Action) -> None:
        """Judge reloading, and the snap shot that may follow (NA-3.19 to 3.21, RI-3.10 to 3.12)."""
        table, figure, slot = self.table, action.figure, action.slot
        marker = int(table.loading[slot][figure]) if slot in (0, 1) else 0
        if not 0 < marker < SPENT:
            raise self.wrong("reload", f"{self.name(figure)} reloads what has no marker")
        if action.target >= 0:
            if marker > 1 and table.reading["reload_steps"] == "chain":
                raise self.wrong("snap", f"{self.name(figure)} wants a snap shot before it has reloaded")
            self.shot(figure, slot, action.target, busy=True, loaded=True)
        elif table.reading["snap"] == "compulsory" and self._must_snap(figure, slot, marker):
            raise self.wrong("snap", f"{self.name(figure)} must try a snap shot")

    def _must_snap(self, figure: int, slot: int, marker: int) -> bool:
        table = self.table
        reloads = marker == 1 or table.reading["reload_steps"] == "one_action"
        wet = table.wet[figure] and table.is_firearm(figure, slot)
        free = not wet and not table.touches(figure) and self.may_repeat(figure, slot, 0, busy=True)
        return reloads and free and any(not self.bars_target(figure, slot, target) for target in table.known(figure))
