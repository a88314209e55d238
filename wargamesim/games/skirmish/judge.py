"""What a player may do with a figure, read literally: who may act, moves, shots, volleys, and all other actions.

Plain Python on purpose, slow and close to the wording. The compiled implementation trusts its players; `referee` holds
every proposal against what stands here and, of shots, in `judge_shots`.
"""

from __future__ import annotations

from collections.abc import Sequence

from wargamesim.games.skirmish.judge_shots import ShotJudge
from wargamesim.games.skirmish.layout import (
    ACT,
    ARSON_TRY,
    BLIND,
    BUILDING,
    CAPTURED,
    END,
    FIGHT,
    KEEP,
    LEADER,
    LIE,
    LOAD_0,
    MOVE,
    PASS,
    POSTURE_SHOT,
    RALLY,
    REGULAR,
    RELOAD,
    ROUTED,
    S_SIDE,
    SHOOT,
    STAIRS,
    STAND,
    TAKE,
    VOLLEY,
)
from wargamesim.games.skirmish.referee_ground import LESS, MORE, Place, is_near, length
from wargamesim.games.skirmish.referee_rules import Action, Turn
from wargamesim.games.skirmish.referee_table import Table

NORTH, EAST, SOUTH = 1, 2, 3  # edges of the table; the fourth is the west


class Judge(ShotJudge):
    """Holds proposals against the rules; every method raises `IllegalAction` with the rule that is broken.

    Parameters
    ----------
    table : Table
        The battle as it stands.
    names : sequence of str
        Of figures.
    exit_edges : pair of int
        The edge of the table by which each side may leave it, 0 for none.
    """

    def __init__(self, table: Table, names: Sequence[str], exit_edges: Sequence[int]) -> None:
        super().__init__(table, names)
        self.exit_edges = exit_edges

    # Who acts

    def may_act(self, figure: int, squad: int, turn: int) -> str:
        """Return why a figure may not be chosen on its squad's card, or nothing."""
        table = self.table
        cap = table.play.cap
        if not 0 <= figure < table.count or table.squad[figure] != squad or not table.is_in_play(figure):
            return "is no figure in play of the squad whose card it is"
        if cap and table.acts[figure] >= cap:
            return f"has acted {cap} times this turn"
        if table.on_card[figure] >= (cap if table.reading["twice_on_card"] == "twice_a_card" else 1):
            return "has acted on this card"
        if table.evaded[figure] < turn <= table.out_until[figure]:
            return "has evaded and cannot act yet"
        return ""

    def choice(self, action: Action, turn: Turn, number: int) -> None:
        """Judge who is to act next; `number` is that of the turn."""
        if action.what == ACT:
            self._allow(action.figure, turn, number)
            if turn.slots < 1:
                raise self.wrong("figure", f"{self.name(action.figure)} acts beyond the number of the card")
        elif action.what == RALLY:
            self._rally(action, turn)
        elif action.what in (VOLLEY, BLIND):
            if turn.declared:
                raise self.wrong("figure", "joint fire, after figures have declared what they do")
            self._joint(action, turn, number)
        elif action.what != END:
            raise self.wrong("figure", f"choice {action.what} does not exist")

    def _allow(self, figure: int, turn: Turn, number: int) -> None:
        reason = self.may_act(figure, turn.squad, number)
        if reason:
            raise self.wrong("cap" if "times" in reason else "figure", f"{self.name(figure)} {reason}")

    def _rally(self, action: Action, turn: Turn) -> None:
        table, figure = self.table, action.figure
        if not turn.may_rally:
            raise self.wrong("rally", "nobody may be rallied now")
        side = table.state.squad[S_SIDE, turn.squad]
        if not 0 <= figure < table.count or table.status[figure] != ROUTED or table.side[figure] != side:
            raise self.wrong("rally", f"{self.name(figure)} was not lost to a rout of this side")

    def _joint(self, action: Action, turn: Turn, number: int) -> None:
        table, play, members = self.table, self.table.play, action.members
        volley = action.what == VOLLEY
        topic, fire = ("volley", "a volley") if volley else ("blind", "blind fire")
        needed = play.volley_shooters if volley else play.blind_shooters
        if not (play.has_volleys if volley else play.has_blind_fire):
            raise self.wrong(topic, f"there is no {fire.removeprefix('a ')} in this rulebook")
        if len(set(members)) != len(members) or not needed <= len(members) <= turn.slots:
            raise self.wrong(topic, f"{fire} by {len(members)} figures; needed {needed}, allowed {turn.slots}")
        for member in members:
            self._allow(member, turn, number)
            if volley and not table.has_role(member, REGULAR):
                raise self.wrong(topic, f"{self.name(member)} is no regular and joins {fire}")
            if table.ready_firearm(member) < 0:
                raise self.wrong("loaded", f"{self.name(member)} joins {fire} without a loaded, dry firearm")
            if table.touches(member):
                raise self.wrong("contact", f"{self.name(member)} joins {fire} while in contact")
        leaders = [f for f in table.live(turn.squad) if table.has_role(f, LEADER)]
        if not any(all(table.is_within(leader, m, play.command_radius) for m in members) for leader in leaders):
            raise self.wrong(topic, f"{fire} by figures who are not all near one leader of theirs")
        if not table.is_on_table(action.to):
            raise self.wrong(topic, f"{fire} at {_at(action.to)}, off the table")
        if volley and table.is_building(action.to):
            raise self.wrong(topic, f"{fire} at {_at(action.to)}, in a building")
        if not volley and not (table.is_building(action.to) if action.target == 1 else table.is_wood(action.to)):
            raise self.wrong(topic, f"{fire} at {_at(action.to)}, which is not the wood or building it names")

    # What a figure does

    def action(self, action: Action, figure: int, pinned: bool) -> None:
        """Judge what a figure is to do."""
        if action.figure != figure:
            raise self.wrong("action", f"{self.name(action.figure)} acts in the place of {self.name(figure)}")
        if pinned and action.what not in (MOVE, PASS):
            raise self.wrong("pinned", f"{self.name(figure)} is pinned and may only move")
        if not pinned and action.what not in (MOVE, FIGHT) and self._must_fight(figure):
            raise self.wrong("contact", f"{self.name(figure)} is in contact, and neither fights nor moves")
        if action.what == MOVE:
            self._move(action, pinned)
        elif action.what == SHOOT:
            self.shot(figure, action.slot, action.target)
        elif action.what == POSTURE_SHOT:
            self._posture(action)
            if action.posture == KEEP:
                raise self.wrong("posture shot", f"{self.name(figure)} neither lies down nor stands up")
            self.shot(figure, action.slot, action.target)
        elif action.what == RELOAD:
            self.reload(action)
        elif action.what == FIGHT:
            if not self._must_fight(figure):
                raise self.wrong("round", f"{self.name(figure)} begins a round that is not due")
        elif action.what == TAKE:
            self._take(action)
        elif action.what == STAIRS:
            self._stairs(action)
        elif action.what == ARSON_TRY:
            if not self.table.play.has_arson or house_near(self.table, figure) is None:
                raise self.wrong("arson", f"{self.name(figure)} has no house to set on fire")
        elif action.what != PASS:
            raise self.wrong("action", f"{self.name(figure)} wants action {action.what}, which does not exist")

    def _must_fight(self, figure: int) -> bool:
        """Tell whether a figure that stays where it is fights a round: whenever it is in contact (NA-7.1, NA-7.2)."""
        return self.table.reading["melee_timing"] != "end_of_turn" and bool(self.table.touches(figure))

    def _posture(self, action: Action) -> None:
        table, figure = self.table, action.figure
        if action.posture == KEEP:
            return
        if action.posture not in (STAND, LIE) or not table.play.can_lie:
            raise self.wrong("posture", f"{self.name(figure)} wants posture {action.posture}, which does not exist")
        if bool(table.prone[figure]) != (action.posture == STAND):
            raise self.wrong("posture", f"{self.name(figure)} {'lies' if table.prone[figure] else 'stands'} already")

    # Moves

    def _move(self, action: Action, pinned: bool) -> None:
        table, figure, to = self.table, action.figure, action.to
        wish = f"{self.name(figure)} at {_at(table.place(figure))} moves to {_at(to)}"
        away = length(table.place(figure), to)
        self._posture(action)
        if table.prone[figure] and action.posture != STAND and away > 0:
            raise self.wrong("posture", f"{wish} lying down")
        if action.run and not (table.play.can_run and table.drags[figure] < 0):
            raise self.wrong("run", f"{wish} at a run, which it may not")
        self._repeater_stays(figure, wish)
        if table.is_on_table(to) and not table.keeps_floor(figure, to):
            raise self.wrong("stairs", f"{wish}, out of its floor")
        if not table.fits(figure, to):
            raise self.wrong("move", f"{wish}, which is off the table, on a wall or on somebody")
        if not table.passes(figure, to):
            raise self.wrong("contact", f"{wish} through an enemy")
        effort = table.effort(figure, to, bool(action.run), action.posture)
        if effort > MORE:
            raise self.wrong("run" if action.run else "move", f"{wish}, {effort:.4f} of what it may")
        if action.hide and not (table.play.has_hiding and away > 0 and self._goes_into_hiding(figure, to)):
            raise self.wrong("hide", f"{wish} to hide, which is not back into a wood or behind a wall")
        if action.exit:
            self._exit(action, wish, effort)
        if pinned:
            self._pinned(action, wish)
        if action.target >= 0:
            self._moving_shot(action, wish, away)

    def _repeater_stays(self, figure: int, wish: str) -> None:
        """Refuse to move one who has fired a repeater twice, where the reading says so (RI-6.3)."""
        shots = int(self.table.shots[figure])
        if shots >= 2 and self.table.reading["repeat_busy"] == "symmetric":
            raise self.wrong("busy repeater", f"{wish} after {shots} shots")

    def _stairs(self, action: Action) -> None:
        """Judge a change of floor, which takes the whole action (NA-3.9); the floor is the action's target."""
        table, figure, floor = self.table, action.figure, action.target
        place, wish = table.place(figure), f"{self.name(figure)} goes from floor {table.level[figure]} to {floor}"
        house = table.house_at(place)
        if not table.play.has_floors or not house:
            raise self.wrong("stairs", f"{wish}, where there are none")
        if not 0 <= floor < table.floors[house] or abs(floor - table.level[figure]) != 1:
            raise self.wrong("stairs", f"{wish}, in a house of {table.floors[house]} floors")
        if table.prone[figure]:
            raise self.wrong("posture", f"{wish} lying down")
        if table.drags[figure] >= 0:
            raise self.wrong("drag", f"{wish} dragging")
        if table.touches(figure):
            raise self.wrong("contact", f"{wish} while in contact")
        self._repeater_stays(figure, wish)
        if not table.fits(figure, place, floor):
            raise self.wrong("stairs", f"{wish}, where somebody stands")

    def _goes_into_hiding(self, figure: int, to: Place) -> bool:
        """Tell whether a move leads deeper into a wood, or from the open to a wall or into a building (NA-6.4)."""
        table, start = self.table, self.table.place(figure)
        if table.is_wood(to) and table.depth_at(to) > table.depth_at(start):
            return True
        squares = [(int(x), int(y)) for x, y in (start, to)]
        return [table.is_cover_square(*square) for square in squares] == [False, True]

    def _exit(self, action: Action, wish: str, effort: float) -> None:
        table = self.table
        edge = self.exit_edges[int(table.side[action.figure])]
        if not edge:
            raise self.wrong("scenario", f"{wish} to leave the table, where its side has no exit")
        if table.level[action.figure]:
            raise self.wrong("stairs", f"{wish} to leave the table from an upper floor")
        way = table.way(table.place(action.figure), action.to)
        pace = table.pace(action.figure, bool(action.run), way.difficult, way.water)
        left = (1 - effort) * pace * table.factor(action.figure, action.posture)
        x, y = action.to
        there = {NORTH: y, EAST: table.width - x, SOUTH: table.height - y}.get(edge, x)
        if there > left * MORE:
            raise self.wrong("scenario", f"{wish}, {there:.2f} cm from the exit with {left:.2f} cm left")

    def _pinned(self, action: Action, wish: str) -> None:
        """A pinned figure may only move toward the nearest cover and never nearer to an enemy (NA-8.4)."""
        table, figure = self.table, action.figure
        start = table.place(figure)
        if action.target >= 0 or action.hide or action.exit or action.posture == LIE:
            raise self.wrong("pinned", f"{wish} pinned, and wants more than to move")
        x, y = start
        if length(start, action.to) == 0:
            return
        if table.is_cover_square(int(x), int(y)) or not table.to_cover(action.to) < table.to_cover(start):
            raise self.wrong("pinned", f"{wish} pinned, but not toward cover")
        if any(length(action.to, table.place(e)) < table.distance(figure, e) * LESS for e in table.known(figure)):
            raise self.wrong("pinned", f"{wish} pinned, and nearer to an enemy")

    def _moving_shot(self, action: Action, wish: str, away: float) -> None:
        table, play, figure = self.table, self.table.play, action.figure
        limit = play.moving_limit_wounded if table.wounds[figure] else play.moving_limit
        if not play.moving_limit or away > limit * MORE:
            raise self.wrong("moving shot", f"{wish} and fires, farther than {limit:g} cm")
        if action.shoot_first and table.reading["shot_order"] == "move_first":
            raise self.wrong("shot order", f"{wish} and fires before it")
        place = None if action.shoot_first else action.to
        self.shot(figure, action.slot, action.target, place=place, busy=not action.shoot_first)

    # Other actions

    def _take(self, action: Action) -> None:
        table, figure, grab = self.table, action.figure, action.grab
        if grab < 0:
            if table.drags[figure] < 0:
                raise self.wrong("drag", f"{self.name(figure)} lets go of nothing")
            return
        is_load = grab >= LOAD_0
        load = grab - LOAD_0
        if is_load:
            free = load < int(table.state.loads) and table.state.dragger[load] == -1 and not table.level[figure]
        else:
            is_prisoner = table.status[grab] == CAPTURED and table.side[grab] != table.side[figure]
            is_prisoner = is_prisoner and table.level[grab] == table.level[figure]
            free = (
                is_prisoner
                and table.reading["prisoner"] != "leaves_play"
                and grab not in table.drags[: table.count].tolist()
            )
        if table.drags[figure] >= 0 or not free:
            raise self.wrong("drag", f"{self.name(figure)} takes hold of what it may not")
        place = tuple(table.state.load[:, load].tolist()) if is_load else table.place(grab)
        if not is_near(table.place(figure), (place[0], place[1]), table.play.grasp * table.play.diameter):
            raise self.wrong("drag", f"{self.name(figure)} takes hold of what is too far away")


def house_near(table: Table, figure: int) -> tuple[int, int] | None:
    """Return the first square (x, y) of a building that a figure can set on fire, in reading order, or None."""
    rows, columns = (table.what & BUILDING).nonzero()
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        if is_near(table.place(figure), (column + 0.5, row + 0.5), table.play.grasp * table.play.diameter):
            return column, row
    return None


def _at(place: Place) -> str:
    return f"({place[0]:.1f}, {place[1]:.1f})"
