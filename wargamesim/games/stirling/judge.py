"""What players may do, read literally: moves, flight, interception, charges, merging, splitting, shots and spells.

Plain Python on purpose, slow and close to the wording. The compiled implementation trusts its players; `referee` holds
every proposal against what stands here.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from wargamesim.errors import IllegalAction
from wargamesim.games.stirling.layout import (
    ADVANCE,
    FLEE,
    LARGE,
    MOST_STEPS,
    REACH,
    ROUTED,
    RUN,
    SPLIT,
    STAY,
    STEP_BACK,
    WALK,
    Plan,
)
from wargamesim.games.stirling.referee_board import Board, Hex, Unit, distance, shown, step, trail, turned

MOVES = ("stay", "walk", "run", "advance", "step back", "flee", "split")


class Move(NamedTuple):
    """One proposal, field by field as `orders` fills it, and the directions of its steps."""

    what: int
    to_front: int
    steps: int = 0
    charge: int = 0
    merge: int = -1
    stop: int = -1
    path: tuple[int, ...] = ()

    @classmethod
    def of(cls, plan: Plan) -> Move:
        """Read a proposal off the player's plan."""
        move = cls(*plan.action.tolist())
        return move._replace(path=tuple(plan.path[: max(move.steps, 0)].tolist()))


class Namer(Protocol):
    """What names units for people: `referee_course.Course`, or a test."""

    def name(self, unit: Unit) -> str:
        """Return the name of a unit."""
        ...


class Judge:
    """Holds proposals against the rules.

    Parameters
    ----------
    board : Board
        The battle as it stands, whenever the judge is asked.
    namer : Namer
        For messages.
    """

    def __init__(self, board: Board, namer: Namer) -> None:
        self.board, self._namer = board, namer
        self.play, self.reading = board.play, board.reading

    # Movement (section 5)

    def allowance(self, unit: Unit, what: int) -> int:
        """Return how much a unit may spend on a kind of move (hexes)."""
        board = self.board
        if what == STEP_BACK:
            return int(board.walk(unit) // self.play.step_back_part)
        walks = unit.status == ROUTED and self.reading["rout_walks"] == "walk"
        return board.run(unit) if what == RUN or (what == FLEE and not walks) else board.walk(unit)

    def rotation(self, unit: Unit, hexsides: int, allowance: int) -> int:
        """Return what a rotation within one hex costs (SS-5.4, SS-P26)."""
        if hexsides <= self.play.free_rotation:
            return 0
        whole = self.board.walk(unit) if self.reading["reversal_of_mov"] == "of_mov" else allowance
        return -int(-whole // self.play.reversal_part)

    def cost(self, unit: Unit, path: tuple[int, ...], to_front: int | None, allowance: int) -> int:
        """Return what steps and rotations cost; without a last front, without the rotation in the last hex (SS-5.5)."""
        spent, front = len(path), unit.front
        if self.reading["any_direction"] == "through_front":
            for direction in path:
                spent += self.rotation(unit, turned(front, direction), allowance)
                front = direction
        if to_front is not None and self.reading["free_front"] == "as_rotation":
            spent += self.rotation(unit, turned(front, to_front), allowance)
        return spent

    def judge_move(self, unit: Unit, move: Move) -> None:
        """Hold the move of a unit whose turn it is against the rules.

        Raises
        ------
        IllegalAction
            With the rule that forbids it.
        """
        what, wish = move.what, self._wish(unit, move)
        allowed = (STAY, ADVANCE, STEP_BACK, FLEE, SPLIT) if unit.engaged else (STAY, WALK, RUN, SPLIT)
        if what not in allowed:
            state = "engaged" if unit.engaged else "not engaged"
            raise IllegalAction("SS-5.7", f"{wish}, but it is {state}")
        self._judge_form(unit, move, wish)
        if what in (STAY, WALK, RUN, ADVANCE):
            self._judge_cost(unit, move, wish)
        if what == ADVANCE:
            self._judge_advance(unit, move, wish)
        if what == STEP_BACK:
            self._judge_step_back(unit, move, wish)
        if what == SPLIT:
            self._judge_split(unit, move, wish)
        if what in (WALK, RUN, ADVANCE, STEP_BACK):
            self._judge_steps(unit, move.path, wish)
            self._judge_end(unit, trail(unit.hex, move.path)[-1], move.merge, wish)
        if move.merge >= 0:
            self._judge_merge(unit, move, wish)

    def _wish(self, unit: Unit, move: Move) -> str:
        if not 0 <= move.what < len(MOVES):
            raise IllegalAction("SS-5.1", f"{self._who(unit)} wants move {move.what}, which does not exist")
        return f"{self._who(unit)} wants to {MOVES[move.what]}"

    def _who(self, unit: Unit) -> str:
        return f"{self._namer.name(unit)} at {shown(unit.hex)}"

    def _judge_form(self, unit: Unit, move: Move, wish: str) -> None:
        """What can be said without looking at the board."""
        steps = {
            WALK: (1, MOST_STEPS),
            RUN: (1, MOST_STEPS),
            ADVANCE: (1, 1),
            STEP_BACK: (1, self.allowance(unit, STEP_BACK)),
            SPLIT: (1, 1) if self.reading["halves_apart"] == "adjacent_hex" else (0, 0),
        }.get(move.what, (0, 0))
        # Whoever flees does not choose his way.
        if move.what != FLEE and not steps[0] <= move.steps <= steps[1]:
            raise IllegalAction("SS-5.1", f"{wish} with {move.steps} steps; allowed: {steps[0]} to {steps[1]}")
        if any(not 0 <= direction < 6 for direction in move.path):
            raise IllegalAction("SS-1.1", f"{wish} in a direction that is none of the six hexsides")
        if move.what not in (STEP_BACK, FLEE) and not 0 <= move.to_front < 6:
            raise IllegalAction("SS-1.1", f"{wish} with front {move.to_front}, which is none of the six hexsides")
        if move.charge and move.what != RUN:
            raise IllegalAction("SS-7.3", f"{wish} and charge, but only a run can be a charge")
        if move.merge >= 0 and (move.charge or move.what not in (STAY, WALK, RUN, ADVANCE)):
            raise IllegalAction("SS-6.3", f"{wish} and merge, which does not go together")

    def _judge_cost(self, unit: Unit, move: Move, wish: str) -> None:
        allowed = self.allowance(unit, move.what)
        spent = self.cost(unit, move.path, move.to_front, allowed)
        stays = move.what == STAY and move.to_front == unit.front
        if spent > allowed and not stays:
            raise IllegalAction("SS-5.4", f"{wish} at a cost of {spent}, but its allowance is {allowed}")

    def _judge_steps(self, unit: Unit, path: tuple[int, ...], wish: str) -> None:
        """Each step onto the board, past no enemy, and by the rule of zones (SS-5.6)."""
        board = self.board
        zones, occupied = board.enemy_zones(unit), {enemy.hex for enemy in board.enemies(unit)}
        in_zone = unit.hex in zones
        for number, place in enumerate(trail(unit.hex, path)):
            if not board.is_on_board(place):
                raise IllegalAction("SS-5.10", f"{wish} off the board, to {shown(place)}")
            if place in occupied:
                raise IllegalAction("SS-1.7", f"{wish} to {shown(place)}, where an enemy stands")
            if in_zone and number > 0:
                raise IllegalAction("SS-5.6", f"{wish} beyond the enemy zone of control that it has entered")
            if in_zone and place in zones:
                raise IllegalAction("SS-5.6", f"{wish} to {shown(place)}, from one enemy zone of control to another")
            in_zone = place in zones

    def _judge_end(self, unit: Unit, place: Hex, merge: int, wish: str) -> None:
        friends = self.board.friends_at(unit, place)
        if friends and self.reading["stacking"] == "one_per_faction" and merge < 0:
            raise IllegalAction("SS-1.7", f"{wish} to {shown(place)}, where {self._namer.name(friends[0])} stands")

    def _judge_advance(self, unit: Unit, move: Move, wish: str) -> None:
        if move.path != (unit.front,):
            raise IllegalAction("SS-5.7", f"{wish}, but not through its front")
        if self.board.at(unit.ahead) or not self.board.was_left_to(unit, unit.ahead):
            raise IllegalAction("SS-5.7", f"{wish} to {shown(unit.ahead)}, which no enemy has left to it")

    def _judge_step_back(self, unit: Unit, move: Move, wish: str) -> None:
        if any(turned(unit.front, direction) < 2 for direction in move.path):
            raise IllegalAction("SS-5.7", f"{wish}, but that is not backwards")

    def half(self, unit: Unit) -> int:
        """Return the men of the new unit if a unit splits (SS-6.2)."""
        each = int(self.play.men_step)
        return unit.men // (2 * each) * each

    def _judge_split(self, unit: Unit, move: Move, wish: str) -> None:
        if self.board.is_full:
            raise IllegalAction("SS-6.2", f"{wish}, but there are as many units as a battle can have")
        if self.half(unit) < 1:
            raise IllegalAction("SS-6.2", f"{wish}, but its {unit.men} men are too few")
        for place in trail(unit.hex, move.path):
            if not self.board.is_on_board(place) or self.board.at(place):
                raise IllegalAction("SS-6.2", f"{wish} into {shown(place)}, which is not free")

    def _judge_merge(self, unit: Unit, move: Move, wish: str) -> None:
        place = trail(unit.hex, move.path)[-1] if move.path else unit.hex
        friends = [friend for friend in self.board.friends_at(unit, place) if friend.index == move.merge]
        if not friends:
            raise IllegalAction("SS-6.3", f"{wish} and merge with unit {move.merge}, who is not in {shown(place)}")
        if friends[0].has_trait(LARGE) != unit.has_trait(LARGE):
            raise IllegalAction("SS-6.3", f"{wish} and merge with {self._namer.name(friends[0])}, of another size")

    # Charges (SS-7.3, SS-P30)

    def is_charge(self, unit: Unit, what: int, made: tuple[int, ...]) -> bool:
        """Tell whether the move that a unit has just made was a charge: it stands where it ended."""
        if what != RUN or not made or not self.board.enemies_at(unit, unit.ahead):
            return False
        if self.reading["charge_run"] == "straight_run":
            return len(made) >= self.play.charge_least and set(made) == {unit.front}
        return self.reading["charge_run"] == "any_run" or len(made) >= self.board.walk(unit)

    def judge_charge(self, unit: Unit, what: int, made: tuple[int, ...]) -> None:
        """Hold a charge against the rules after a whole move.

        Raises
        ------
        IllegalAction
            If it was none.
        """
        if not self.is_charge(unit, what, made):
            raise IllegalAction("SS-7.3", f"{self._who(unit)} wants to charge, but its move was no charge")

    # Interception (SS-6.1)

    def judge_interception(self, unit: Unit, reply: Move, mover: Unit, move: Move) -> None:
        """Hold an interception against the rules; the mover stands where it started.

        Parameters
        ----------
        unit, mover : Unit
            Who interrupts whom.
        reply, move : Move
            What they propose.

        Raises
        ------
        IllegalAction
            With the rule that forbids it.
        """
        wish = f"{self._who(unit)} wants to intercept {self._who(mover)}"
        kinds = (WALK, RUN) if self.reading["intercept_runs"] == "run" else (WALK,)
        if reply.what not in kinds:
            raise IllegalAction("SS-6.1", f"{wish}, but not by a {' or '.join(MOVES[kind] for kind in kinds)}")
        if not 0 <= reply.steps <= MOST_STEPS:
            raise IllegalAction("SS-5.1", f"{wish} with {reply.steps} steps")
        # A unit that only turns makes the form of a stay.
        form = reply if reply.steps else reply._replace(what=STAY, charge=0)
        self._judge_form(unit, form, wish)
        if reply.merge >= 0:
            raise IllegalAction("SS-6.3", f"{wish} and merge, which does not go together")
        if not 1 <= reply.stop <= len(move.path):
            raise IllegalAction("SS-6.1", f"{wish} after step {reply.stop} of {len(move.path)}")
        met = trail(mover.hex, move.path)[reply.stop - 1]
        end = (unit.hex, *trail(unit.hex, reply.path))[-1]
        with self.board.lifted(mover):
            self._judge_cost(unit, reply, wish)
            self._judge_steps(unit, reply.path, wish)
            self._judge_end(unit, end, -1, wish)
            if self.board.friends_at(mover, met) and self.reading["stacking"] == "one_per_faction":
                raise IllegalAction("SS-6.1", f"{wish} in {shown(met)}, where the mover cannot stop")
        if distance(end, met) != 1:
            raise IllegalAction("SS-6.1", f"{wish} in {shown(met)}, but goes to {shown(end)}, which is not next to it")
        if self.reading["in_time"] == "proportional" and not self._is_in_time(unit, reply, mover, move):
            raise IllegalAction("SS-P28", f"{wish} in {shown(met)}, but comes too late")

    def _is_in_time(self, unit: Unit, reply: Move, mover: Unit, move: Move) -> bool:
        """Whether both have spent like parts of their allowances when they meet."""
        allowed, has = self.allowance(mover, move.what), self.allowance(unit, reply.what)
        made = move.path[: reply.stop]
        # Turning costs nothing in flight and when stepping back.
        turns = move.what not in (FLEE, STEP_BACK)
        spent = self.cost(mover, made, None, allowed) if turns else len(made)
        return self.cost(unit, reply.path, reply.to_front, has) * allowed <= spent * has

    # Ranged combat (section 4)

    def judge_shot(self, unit: Unit, target: int) -> Unit:
        """Hold a shot against the rules, and return its target.

        Raises
        ------
        IllegalAction
            With the rule that forbids it.
        """
        enemy = self._enemy(unit, target, "SS-4.1", "shoot at")
        wish = f"{self._who(unit)} wants to shoot at {self._who(enemy)}"
        away = distance(unit.hex, enemy.hex)
        if away <= self.play.barred:
            raise IllegalAction("SS-4.2", f"{wish}, which is too near")
        if away > unit.range_long:
            raise IllegalAction("SS-4.3", f"{wish}, {away} hexes away, but reaches only {unit.range_long}")
        if self.reading["near_bars_all"] == "none_if_any_adjacent":
            near = max(1, self.play.barred)
            if any(distance(unit.hex, other.hex) <= near for other in self.board.enemies(unit)):
                raise IllegalAction("SS-P11", f"{wish}, but an enemy is next to it")
        if self.reading["arc"] == "front_three":
            ahead = (step(unit.hex, (unit.front + turn) % 6) for turn in (-1, 0, 1))
            if all(distance(place, enemy.hex) >= away for place in ahead):
                raise IllegalAction("SS-P13", f"{wish}, which is not before its front")
        return enemy

    def judge_cast(self, unit: Unit, target: int, spell: list[int]) -> Unit:
        """Hold a spell against the rules, and return its target.

        Raises
        ------
        IllegalAction
            With the rule that forbids it.
        """
        enemy = self._enemy(unit, target, "SS-4.1", "cast a spell on")
        away = distance(unit.hex, enemy.hex)
        if away > spell[REACH]:
            wish = f"{self._who(unit)} wants to cast a spell on {self._who(enemy)}"
            raise IllegalAction("SS-P09", f"{wish}, {away} hexes away, but it reaches only {spell[REACH]}")
        return enemy

    def judge_free_attacker(self, unit: Unit, named: int, attackers: list[Unit]) -> Unit:
        """Hold the choice of who attacks a fleeing unit against the rules, and return him (SS-P22).

        Raises
        ------
        IllegalAction
            If he is none of those who can.
        """
        chosen = [enemy for enemy in attackers if enemy.index == named]
        if not chosen:
            raise IllegalAction("SS-P22", f"unit {named} wants to attack {self._who(unit)}, but cannot")
        return chosen[0]

    def _enemy(self, unit: Unit, target: int, rule: str, verb: str) -> Unit:
        enemies = [enemy for enemy in self.board.enemies(unit) if enemy.index == target]
        if not enemies:
            raise IllegalAction(rule, f"{self._who(unit)} wants to {verb} unit {target}, who is no enemy on the board")
        return enemies[0]
