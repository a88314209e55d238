"""What a player may do with a unit, read literally: fire, assaults, tactical moves and marches.

Plain Python on purpose, slow and close to the wording. The compiled implementation trusts its players; `referee` holds
every proposal against what stands here.
"""

from __future__ import annotations

from collections.abc import Sequence

from wargamesim.errors import IllegalAction
from wargamesim.games.coloniale.layout import (
    CANNON,
    CAVALRY,
    INFANTRY,
    MERGE,
    MOST_UNITS,
    MOVE,
    OFF_ROAD,
    REINFORCE,
    RIFLE,
    ROAD,
    SPLIT,
    STAY,
)
from wargamesim.games.coloniale.referee_plan import Action, Fire
from wargamesim.games.coloniale.referee_table import MORE, Place, Table, is_near, length, squared, squared_to_piece


class Judge:
    """Holds proposals against the rules; every method raises `IllegalAction` with the rule that is broken.

    Parameters
    ----------
    table : Table
        The battle as it stands.
    names : sequence of str
        Of units.
    has_movement : bool
        Whether units move in this battle.
    """

    def __init__(self, table: Table, names: Sequence[str], *, has_movement: bool) -> None:
        self.table, self.names, self.has_movement = table, names, has_movement

    def name(self, unit: int) -> str:
        """Name a unit for people, even one that does not exist."""
        return self.names[unit] if 0 <= unit < len(self.names) else f"unit {unit}"

    # Fire

    def fire(self, unit: int, fire: Fire) -> None:
        """Judge at whom a unit fires; no targets is to keep still (CO-2.2, CO-2.3, CO-4.2, CO-4.3)."""
        table, play, who, targets = self.table, self.table.play, self.name(unit), fire.targets
        if not targets:
            return
        if fire.weapon == CANNON:
            rule, dice, reach = "CO-4.3", 1, max(play.near_reach, play.cannon_reach)
            if not table.is_battery(unit) or len(targets) > 1:
                raise IllegalAction(rule, f"{who} fires cannons at {len(targets)} targets; one, and only by batteries")
        elif fire.weapon == RIFLE:
            rule, dice, reach = "CO-4.2", table.rifle_dice(unit), play.rifle_reach
        else:
            raise IllegalAction("CO-4.2", f"{who} fires with weapon {fire.weapon}, which does not exist")
        if len(set(targets)) != len(targets):
            raise IllegalAction(rule, f"{who} names a target twice")
        if min(fire.dice) < 1 or sum(fire.dice) > dice:
            raise IllegalAction(
                rule, f"{who} fires with {sum(fire.dice)} dice at {len(targets)} targets; it has {dice}"
            )
        if not 0 <= fire.marked < len(targets) and table.reading["one_marked"] == "one":
            raise IllegalAction("CO-P09", f"{who} gives its markers to none of its targets")
        for target in targets:
            whom = f"{who} fires at {self.name(target)}"
            if not table.is_enemy(unit, target):
                raise IllegalAction(rule, f"{whom}, which is no enemy in play")
            if not table.is_within(unit, target, reach):
                raise IllegalAction(rule, f"{whom}, out of reach ({table.distance(unit, target):.2f} of {reach} cm)")
            if not (table.shows(unit) and table.shows(target)):
                raise IllegalAction("CO-2.2", f"{whom}, but one of them is deep in difficult ground")
            if not table.sees(unit, target):
                raise IllegalAction("CO-2.3", f"{whom}, which it does not see")

    # Assaults

    def assault(self, side: int, action: Action) -> None:
        """Judge which unit of a side assaults which enemy (CO-5.1, CO-3.2, CO-8.2)."""
        table, play, unit, target = self.table, self.table.play, action.unit, action.target
        whom = f"{self.name(unit)} assaults {self.name(target)}"
        if not table.is_in_play(unit) or table.side[unit] != side:
            raise IllegalAction("CO-5.1", f"{whom}, but is no unit in play of its side")
        if table.action[unit]:
            raise IllegalAction("CO-3.2", f"{whom} with an Action marker")
        if table.is_battery(unit) and table.reading["battery_assaults"] == "no":
            raise IllegalAction("CO-P11", f"{whom}, but is a battery")
        if not table.is_enemy(unit, target):
            raise IllegalAction("CO-5.1", f"{whom}, which is no enemy in play")
        if not table.is_within(unit, target, play.assault_reach):
            far = f"{table.distance(unit, target):.2f} of {play.assault_reach} cm"
            raise IllegalAction("CO-5.1", f"{whom}, out of reach ({far})")
        if self.has_movement and table.is_barred(table.place(unit), table.place(target)):
            raise IllegalAction("CO-2.4", f"{whom} across unfordable water")
        if table.assaulted[target]:
            if table.state.night:
                raise IllegalAction("CO-8.2", f"{whom}, which was assaulted before in this night turn")
            if table.reading["twice"] == "not_twice":
                raise IllegalAction("CO-P06", f"{whom}, which was assaulted before in this phase")

    # Tactical moves

    def move(self, unit: int, action: Action, *, again: bool = False) -> None:
        """Judge what a unit does in phase D; `again` after it divided or reinforced for nothing (CO-P23)."""
        judges = {MOVE: self._walk, MERGE: self._merge, SPLIT: self._split, REINFORCE: self._reinforce}
        if action.what not in (STAY, *judges):
            raise IllegalAction("CO-6.1", f"{self.name(unit)} does {action.what}, which does not exist")
        if again and action.what in (SPLIT, REINFORCE):
            raise IllegalAction("CO-P23", f"{self.name(unit)} divides or reinforces a second time")
        if action.what != STAY:
            judges[action.what](unit, action)

    def _walk(self, unit: int, action: Action) -> None:
        table, play, start = self.table, self.table.play, self.table.place(unit)
        where = f"{self.name(unit)} moves to {_at(action.to)}"
        if table.reading["suppression"] == "no_tactical_move" and table.markers[unit] >= table.disc[unit]:
            raise IllegalAction("CO-P10", f"{where} with as many markers as discipline")
        self._place(unit, action.to, where, others_only=True)
        allowed = play.move[int(table.arm[unit])]
        if length(start, action.to) > allowed * MORE:
            raise IllegalAction("CO-6.1", f"{where}, {length(start, action.to):.2f} of {allowed} cm")
        if not table.is_from_bank_to_bank(start, action.to):
            raise IllegalAction("CO-6.2", f"{where} across a river hard to ford, but not from bank to bank")
        if action.node:
            self._enter(unit, action, where)

    def _place(self, unit: int, to: Place, where: str, *, others_only: bool) -> None:
        """Judge whether a unit may come to stand at a place: on the table, away from units, over no deep water."""
        table, contact = self.table, self.table.play.contact
        if not table.is_on_table(to):
            raise IllegalAction("CO-6.1", f"{where}, off the table")
        if table.is_barred(table.place(unit), to):
            raise IllegalAction("CO-2.4", f"{where} across unfordable water")
        for other in table.in_play():
            is_other = other != unit or not others_only
            if is_other and squared(table.place(other), to) < contact * contact / MORE:
                raise IllegalAction("CO-6.1", f"{where}, into contact with {self.name(other)}")

    def _enter(self, unit: int, action: Action, where: str) -> None:
        table, forts = self.table, self.table.ground.fort[: self.table.ground.forts]
        if not 1 <= action.node <= len(forts):
            raise IllegalAction("CO-8.3", f"{where}, into fort {action.node}, which does not exist")
        if table.arm[unit] != INFANTRY:
            raise IllegalAction("CO-8.3", f"{where}, into a fort, but is no infantry")
        if tuple(forts[action.node - 1]) != action.to:
            raise IllegalAction("CO-8.3", f"{where}, which is not where the fort stands")
        if any(table.fort[other] == action.node for other in table.in_play()):
            raise IllegalAction("CO-8.3", f"{where}, into a fort that is taken")

    def _friend(self, unit: int, target: int, rule: str, what: str) -> None:
        table = self.table
        if target == unit or not table.is_in_play(target) or table.side[target] != table.side[unit]:
            raise IllegalAction(rule, f"{what}, which is no other unit in play of its side")
        if table.is_battery(unit) or table.is_battery(target):
            raise IllegalAction(rule, f"{what}, but one of them is a battery")

    def _merge(self, unit: int, action: Action) -> None:
        table, target = self.table, action.target
        what = f"{self.name(unit)} merges into {self.name(target)}"
        self._friend(unit, target, "CO-6.3", what)
        if table.action[target]:
            raise IllegalAction("CO-3.2", f"{what}, which holds an Action marker")
        if not table.is_within(unit, target, table.play.merge_reach):
            raise IllegalAction("CO-6.3a", f"{what}, too far away ({table.distance(unit, target):.2f} cm)")
        most = table.play.most_figures[CAVALRY if table.are_mounted((unit, target)) else INFANTRY]
        self._fits(int(table.fig[unit] + table.fig[target]), most, what)

    def _fits(self, figures: int, most: int, what: str) -> None:
        if self.table.reading["too_large"] == "refuse" and figures > most:
            raise IllegalAction("CO-P22", f"{what}: {figures} figures, at most {most}")

    def _split(self, unit: int, action: Action) -> None:
        table, figures = self.table, int(self.table.fig[unit])
        what = f"{self.name(unit)} sends a half of {action.figures} of {figures} figures to {_at(action.to)}"
        if table.is_battery(unit):
            raise IllegalAction("CO-6.4", f"{what}, but is a battery")
        if not 1 <= action.figures < figures:
            raise IllegalAction("CO-6.4", f"{what}; each half has at least one")
        if table.count >= MOST_UNITS:
            raise IllegalAction("CO-6.4", f"{what}, but there are {MOST_UNITS} units already")
        if not is_near(table.place(unit), action.to, table.play.merge_reach):
            raise IllegalAction("CO-6.4", f"{what}, more than {table.play.merge_reach} cm away")
        self._place(unit, action.to, what, others_only=False)

    def _reinforce(self, unit: int, action: Action) -> None:
        table, play, target, figures = self.table, self.table.play, action.target, int(self.table.fig[unit])
        what = f"{self.name(unit)} sends {action.figures} of {figures} figures to {self.name(target)}"
        self._friend(unit, target, "CO-6.5", what)
        if table.markers[unit]:
            raise IllegalAction("CO-6.5", f"{what} while suppressed")
        if table.reading["free_action"] == "both" and table.action[target]:
            raise IllegalAction("CO-3.2", f"{what}, which holds an Action marker")
        if not table.is_within(unit, target, play.reinforce_reach):
            raise IllegalAction("CO-6.5", f"{what}, too far away ({table.distance(unit, target):.2f} cm)")
        if not 1 <= action.figures <= play.reinforce_figures or action.figures >= figures:
            raise IllegalAction("CO-6.5", f"{what}; at most {play.reinforce_figures}, and not all")
        most = play.most_figures[CAVALRY if table.are_mounted((unit, target)) else INFANTRY]
        self._fits(int(table.fig[target]) + action.figures, most, what)

    # Marches

    def march(self, unit: int, action: Action) -> None:
        """Judge where a unit marches in phase E, and who follows it (CO-7.1, CO-7.2, CO-7.5)."""
        if action.what == STAY:
            return
        if action.what not in (ROAD, OFF_ROAD):
            raise IllegalAction("CO-7.1", f"{self.name(unit)} marches by {action.what}, which does not exist")
        self._column(unit, action.followers)
        if action.what == ROAD:
            self._road(unit, action.node)
        elif squared(self.table.place(unit), action.to) == 0:
            raise IllegalAction("CO-7.5", f"{self.name(unit)} marches without a heading")

    def _column(self, unit: int, followers: Sequence[int]) -> None:
        table, before = self.table, unit
        if len({unit, *followers}) <= len(followers):
            raise IllegalAction("CO-7.1", f"the column of {self.name(unit)} names a unit twice")
        for follower in followers:
            who = f"{self.name(follower)} marches behind {self.name(before)}"
            if not table.is_in_play(follower) or table.side[follower] != table.side[unit]:
                raise IllegalAction("CO-7.1", f"{who}, but is no unit in play of its side")
            if not table.may_march(follower):
                raise IllegalAction("CO-7.1", f"{who} with an Action marker, a second time, or near an enemy")
            if not table.is_within(before, follower, table.play.column):
                raise IllegalAction("CO-7.1", f"{who}, too far away ({table.distance(before, follower):.2f} cm)")
            before = follower

    def _road(self, unit: int, node: int) -> None:
        table, start = self.table, self.table.place(unit)
        if not 0 <= node < table.ground.nodes:
            raise IllegalAction("CO-7.2", f"{self.name(unit)} marches to place {node}, which does not exist")
        if is_near(start, table.ground.node[node], table.play.beside):
            raise IllegalAction("CO-7.2", f"{self.name(unit)} marches to place {node}, where it stands")
        if self.come_from(unit, node) < 0:
            raise IllegalAction("CO-7.2", f"{self.name(unit)} at {_at(start)} is on no road to place {node}")

    def come_from(self, unit: int, node: int) -> int:
        """Return the first place whose road to another one a unit stands on, -1 if there is none."""
        table, place = self.table, self.table.place(unit)
        x, y = table.ground.node[node]
        for other in self.roads_of(node):
            if squared_to_piece(place, (*table.ground.node[other], x, y)) <= table.play.beside * table.play.beside:
                return other
        return -1

    def roads_of(self, node: int) -> list[int]:
        """Return the places to which roads lead from a place, ascending."""
        ground = self.table.ground
        others: list[int] = ground.link[node][: ground.links[node]]
        return others

    def branch(self, unit: int, node: int, come_from: int, wanted: int) -> None:
        """Judge where a column wants to go on at a junction (CO-7.3)."""
        if wanted == come_from or wanted not in self.roads_of(node):
            raise IllegalAction("CO-7.3", f"{self.name(unit)} wants to go on from place {node} to {wanted}")

    def drift(self, unit: int, side: int) -> int:
        """Judge and return to which side the enemy has the march of a unit err: -1 left, 1 right (CO-P27)."""
        if side not in (-1, 1):
            raise IllegalAction("CO-P27", f"{self.name(unit)} errs to {side}, which is neither left nor right")
        return side


def _at(place: Place) -> str:
    return f"({place[0]:.2f}, {place[1]:.2f})"
