"""What a side may do in its turn, read literally: moves, shots, stakes, dismounting, and the division of fights.

Plain Python on purpose, slow and close to the wording. The compiled implementation has its own code for all of this;
neither imports the other, and `referee` holds every proposal against what stands here.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, degrees
from typing import NamedTuple

from wargamesim.errors import IllegalAction
from wargamesim.games.azincourt import layout
from wargamesim.games.azincourt.layout import CASTLE, HOUSE, MOUNTAIN, MUD, ROAD, STAKE, WOOD, State
from wargamesim.games.azincourt.orders import DISMOUNT, FIRE, MOVE, PLANT, SHOOT, STAY
from wargamesim.games.azincourt.rules import CANNON, ENGLISH, KINDS, KNIGHT, SIDES, STEPS, Rules

Square = tuple[int, int]
Fight = tuple[list[int], list[int]]  # attackers and defenders, by index

FACINGS: list[Square] = [(int(row), int(col)) for row, col in STEPS]

# Room for rounding in an angle, so that a square exactly on the edge of the sector lies in it. Degrees.
ANGLE_ROUNDING = 1e-9


class Action(NamedTuple):
    """One proposal, field by field as `orders` fills it."""

    what: int
    piece: int
    row: int
    col: int
    facing: int
    stake_row: int
    stake_col: int
    dice: int

    @property
    def square(self) -> Square:
        """Where it goes or at what it is aimed."""
        return self.row, self.col

    @property
    def stake(self) -> Square:
        """Where the stake goes; negative if there is none."""
        return self.stake_row, self.stake_col


class Field:
    """A state copied into plain Python lists: fast to ask, and stale as soon as the state changes."""

    def __init__(self, state: State) -> None:
        self.rows, self.cols = int(state.height), int(state.width)
        self.at: list[list[int]] = state.at[: self.rows, : self.cols].tolist()
        self._planes: list[list[int]] = state.rows[:, : self.rows].tolist()
        pieces: list[list[int]] = state.pieces[:, : state.count].tolist()
        self.row, self.col = pieces[layout.ROW], pieces[layout.COL]
        self.kind, self.side = pieces[layout.KIND], pieces[layout.SIDE]
        self.alive, self.dismounts = pieces[layout.ALIVE], pieces[layout.DISMOUNTS]
        self.stakes, self.facing = pieces[layout.STAKES], pieces[layout.FACING]

    def square(self, piece: int) -> Square:
        """Return where the piece stands."""
        return self.row[piece], self.col[piece]

    def name(self, piece: int) -> str:
        """Name the piece for people: ``foot knight 12``."""
        return f"{KINDS[self.kind[piece]].replace('_', ' ')} {piece}"

    def where(self, piece: int) -> str:
        """Name the piece and its square."""
        return f"{self.name(piece)} at {self.square(piece)}"

    def is_on_board(self, square: Square) -> bool:
        """Tell whether there is such a square."""
        return 0 <= square[0] < self.rows and 0 <= square[1] < self.cols

    def lies_in(self, plane: int, square: Square) -> bool:
        """Tell whether the square belongs to a kind of terrain, or holds a stake."""
        return bool(self._planes[plane][square[0]] >> square[1] & 1)

    def piece_at(self, square: Square) -> int:
        """Return the piece on the square, or -1."""
        return self.at[square[0]][square[1]]

    def neighbours(self, square: Square) -> list[Square]:
        """Return the up to eight squares around one."""
        around = ((square[0] + row, square[1] + col) for row, col in FACINGS)
        return [beside for beside in around if self.is_on_board(beside)]

    def is_mounted(self, piece: int) -> bool:
        """Tell whether the piece is on horseback now."""
        return self.kind[piece] == KNIGHT

    def enemies_beside(self, piece: int) -> list[int]:
        """Return the enemies in contact with the piece."""
        beside = (self.piece_at(square) for square in self.neighbours(self.square(piece)))
        return sorted(other for other in beside if other >= 0 and self.side[other] != self.side[piece])

    def barrier(self, square: Square, mounted: bool) -> str | None:
        """Return the rule that closes a square of the board to a piece on its way, or None."""
        if self.piece_at(square) >= 0:
            return "AZ-1.6"
        if self.lies_in(WOOD, square):
            return "AZ-3.4"
        if self.lies_in(STAKE, square):
            return "AZ-3.6"
        if mounted and (self.lies_in(HOUSE, square) or self.lies_in(CASTLE, square)):
            return "AZ-3.5"
        return None


def distance(one: Square, other: Square) -> int:
    """Return the king moves from one square to another.

    Examples
    --------
    >>> distance((3, 4), (1, 9))
    5
    """
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def on_line(start: Square, toward: Square, steps: int) -> Square:
    """Return the square so many king moves from the start on the straight line through another square.

    Along the longer side of the line every row (or column) counts one; halves of the shorter side are rounded away
    from the start.

    Examples
    --------
    >>> [on_line((0, 0), (4, 2), steps) for steps in (1, 2, 3, 4, 6)]
    [(1, 1), (2, 1), (3, 2), (4, 2), (6, 3)]
    """
    full = distance(start, toward)

    def part(along: int) -> int:
        size = (2 * steps * abs(along) + full) // (2 * full)
        return size if along >= 0 else -size

    return start[0] + part(toward[0] - start[0]), start[1] + part(toward[1] - start[1])


# Movement (AZ-2.1 to AZ-2.3, AZ-3.1 to AZ-3.8)


def legal_destinations(state: State, rules: Rules, piece: int, mud: int) -> set[Square]:
    """Return every other square to which the piece may move.

    Parameters
    ----------
    state : State
        The battle as it stands.
    rules : Rules
        The rulebook.
    piece : int
        Index of a living piece.
    mud : int
        The mud factor of the battle, at least 0.

    Returns
    -------
    set of (row, col)
        Without the piece's own square, on which a cannon may turn in place (AZ-5.5).

    Examples
    --------
    >>> from wargamesim.games.azincourt.rules import compile_rules
    >>> from wargamesim.games.azincourt.state import put
    >>> from wargamesim.rulebook import load_rulebook
    >>> state = layout.new_state(1, 9, 1)
    >>> put(state, 0, 0, 2)  # an English knight
    >>> sorted(legal_destinations(state, compile_rules(load_rulebook("azincourt")), 0, mud=0))
    [(0, 0), (0, 1), (0, 3), (0, 4), (0, 5), (0, 6), (0, 7), (0, 8)]
    """
    field = Field(state)
    return set() if _is_locked(field, rules, piece) else _reach(field, rules, piece, mud, None)


def _is_locked(field: Field, rules: Rules, piece: int) -> bool:
    return bool(rules.locked) and bool(field.enemies_beside(piece))


def _reach(field: Field, rules: Rules, piece: int, mud: int, goal: Square | None) -> set[Square]:
    """Return where legal paths end: all of them, or with a goal that one alone, if it can be reached.

    Paths of the same length are followed together. What a path has earned or lost so far is a part of where it stands:
    two paths to one square differ when they differ in road squares, climbing or mud.
    """
    mounted, printed = field.is_mounted(piece), int(rules.speed[field.kind[piece]])
    slowed = max(printed - mud, min(printed, rules.mud_slowest))
    spreads = mounted and bool(rules.mud_any_square)
    start = field.square(piece)
    paths = {(start, 0, False, mounted and field.lies_in(MUD, start))}
    known, ends, length = set(paths), set(), 0
    while paths:
        length += 1
        longer = set()
        for square, roads, climbed, muddy in paths:
            on_mountain = field.lies_in(MOUNTAIN, square)
            for step in field.neighbours(square):
                if field.barrier(step, mounted):
                    continue
                count = min(roads + field.lies_in(ROAD, step), rules.road_squares)
                climbs = climbed or (field.lies_in(MOUNTAIN, step) and not on_mountain)
                slow = muddy or (spreads and field.lies_in(MUD, step))
                speed = (slowed if slow else printed) - (rules.climb if climbs else 0)
                ahead = distance(step, goal) if goal else 0
                path = (step, count, climbs, slow)
                if path in known or length + ahead > speed + rules.road_bonus:
                    continue
                known.add(path)
                longer.add(path)
                if length <= speed + (rules.road_bonus if count >= rules.road_squares else 0) and goal in (None, step):
                    ends.add(step)
        paths = set() if goal in ends else longer
    return ends


def _judge_move(field: Field, rules: Rules, mud: int, action: Action) -> None:
    piece, goal = action.piece, action.square
    wish = f"{field.where(piece)} moves to {goal}"
    is_cannon = field.kind[piece] == CANNON
    if is_cannon and not 0 <= action.facing < len(FACINGS):
        raise IllegalAction("AZ-5.5", f"{wish} with facing {action.facing}, which is none of the eight")
    if _is_locked(field, rules, piece):
        raise IllegalAction(
            "AZ-3.8", f"{wish}, but it is locked in contact with {_names(field, field.enemies_beside(piece))}"
        )
    if not field.is_on_board(goal):
        raise IllegalAction("AZ-1.1", f"{wish}, which is off the board")
    if not (is_cannon and goal == field.square(piece)):
        barrier = field.barrier(goal, field.is_mounted(piece))
        if barrier:
            raise IllegalAction(barrier, f"{wish}, which is closed to it")
        if not _reach(field, rules, piece, mud, goal):
            raise IllegalAction("AZ-3.1", f"{wish}, but no open path is short enough (mud {mud})")
    if action.stake_row >= 0 or action.stake_col >= 0:
        if rules.plant_whole_action:
            raise IllegalAction("AZ-3.9", f"{wish} and plants a stake, which is an action of its own")
        _judge_stake(field, rules, action, goal)


def _judge_stake(field: Field, rules: Rules, action: Action, square: Square) -> None:
    """The planter stands on `square`, which it may just have reached: then the square it left is free."""
    piece, stake = action.piece, action.stake
    wish = f"{field.name(piece)} on {square} plants a stake on {stake}"
    if not field.stakes[piece]:
        raise IllegalAction("AZ-2.6", f"{wish}, but it carries none")
    if not field.is_on_board(stake):
        raise IllegalAction("AZ-1.1", f"{wish}, which is off the board")
    ahead = (square[0] + (-1 if field.side[piece] == ENGLISH else 1), square[1])
    if distance(square, stake) != 1 or (rules.stake_in_front and stake != ahead):
        raise IllegalAction("AZ-3.7", f"{wish}, which is not {'ahead of' if rules.stake_in_front else 'next to'} it")
    if field.piece_at(stake) not in (-1, piece) or field.lies_in(STAKE, stake) or field.lies_in(WOOD, stake):
        raise IllegalAction("AZ-3.7", f"{wish}, which is not free")


# Arrows (section 4)


def legal_targets(state: State, rules: Rules, piece: int) -> set[int]:
    """Return every enemy at which the piece may shoot an arrow.

    Parameters
    ----------
    state, rules, piece
        As in `legal_destinations`.

    Returns
    -------
    set of int
        Indices of pieces; empty for a piece that shoots no arrows.

    Examples
    --------
    >>> from wargamesim.games.azincourt.rules import ARCHER, FRENCH, compile_rules
    >>> from wargamesim.games.azincourt.state import put
    >>> from wargamesim.rulebook import load_rulebook
    >>> state = layout.new_state(1, 9, 2)
    >>> state.pieces[layout.KIND, 0], state.pieces[layout.SIDE, 1] = ARCHER, FRENCH
    >>> put(state, 0, 0, 0)
    >>> put(state, 1, 0, 6)
    >>> legal_targets(state, compile_rules(load_rulebook("azincourt")), 0)
    {1}
    """
    field = Field(state)
    enemies = (other for other, side in enumerate(field.side) if field.alive[other] and side != field.side[piece])
    return {enemy for enemy in enemies if not _bars_arrow(field, rules, piece, enemy)}


def _bars_arrow(field: Field, rules: Rules, shooter: int, target: int) -> tuple[str, str] | None:
    """Return the rule that forbids the shot and why, or None."""
    start, end = field.square(shooter), field.square(target)
    if field.kind[shooter] == CANNON or not rules.reach[field.kind[shooter]]:
        return "AZ-4.2", "it shoots no arrows"
    if distance(start, end) > rules.reach[field.kind[shooter]]:
        return "AZ-4.1", f"it is {distance(start, end)} squares away"
    if field.lies_in(CASTLE, end):
        return "AZ-4.8", "it is safe in the castle"
    if rules.cannon_immune and field.kind[target] == CANNON:
        return "AZ-4.9", "arrows do nothing to a cannon"
    if not (_straight_is_free if rules.straight else _path_is_free)(field, rules, start, end):
        return "AZ-4.6", "it is covered"
    return None


def _stops_arrow(field: Field, rules: Rules, square: Square) -> bool:
    return (
        field.piece_at(square) >= 0
        or field.lies_in(MOUNTAIN, square)  # AZ-4.7
        or (bool(rules.woods_block) and field.lies_in(WOOD, square))
        or (bool(rules.stakes_block) and field.lies_in(STAKE, square))
    )


def _straight_is_free(field: Field, rules: Rules, start: Square, end: Square) -> bool:
    between = (on_line(start, end, steps) for steps in range(1, distance(start, end)))
    return not any(_stops_arrow(field, rules, square) for square in between)


def _path_is_free(field: Field, rules: Rules, start: Square, end: Square) -> bool:
    """Follow all shortest paths at once: each step brings the arrow one square nearer."""
    reached = {start}
    for left in range(distance(start, end) - 1, 0, -1):
        nearer = {step for square in reached for step in field.neighbours(square) if distance(step, end) == left}
        reached = {step for step in nearer if not _stops_arrow(field, rules, step)}
    return bool(reached)


def _judge_shot(field: Field, rules: Rules, action: Action) -> None:
    wish = f"{field.where(action.piece)} shoots at {action.square}"
    target = field.piece_at(action.square) if field.is_on_board(action.square) else -1
    if target < 0 or field.side[target] == field.side[action.piece]:
        raise IllegalAction("AZ-4.2", f"{wish}, where no enemy stands")
    barred = _bars_arrow(field, rules, action.piece, target)
    if barred:
        raise IllegalAction(barred[0], f"{wish}, where {field.name(target)} stands, but {barred[1]}")


# Cannon (section 5)


def legal_cannon_squares(state: State, rules: Rules, piece: int) -> set[Square]:
    """Return every square that the cannon may name before it fires.

    Parameters
    ----------
    state, rules, piece
        As in `legal_destinations`.

    Returns
    -------
    set of (row, col)
        Empty for a piece that is no cannon.

    Examples
    --------
    >>> from wargamesim.games.azincourt.rules import compile_rules
    >>> from wargamesim.games.azincourt.state import put
    >>> from wargamesim.rulebook import load_rulebook
    >>> state = layout.new_state(4, 4, 1)
    >>> state.pieces[layout.KIND, 0] = CANNON  # it faces north
    >>> put(state, 0, 2, 3)
    >>> sorted(legal_cannon_squares(state, compile_rules(load_rulebook("azincourt")), 0))
    [(0, 3), (1, 3)]
    """
    field = Field(state)
    squares = ((row, col) for row in range(field.rows) for col in range(field.cols))
    return {square for square in squares if not _bars_cannon(field, rules, piece, square)}


def _bars_cannon(field: Field, rules: Rules, cannon: int, square: Square) -> tuple[str, str] | None:
    """Return the rule that forbids naming the square and why, or None."""
    if field.kind[cannon] != CANNON:
        return "AZ-5.1", "it is no cannon"
    if not field.is_on_board(square):
        return "AZ-1.1", "that is off the board"
    start, muzzle = field.square(cannon), FACINGS[field.facing[cannon]]
    away = distance(start, square)
    if not 1 <= away <= rules.reach[CANNON]:
        return "AZ-5.1", f"that is {away} squares away"
    row, col = square[0] - start[0], square[1] - start[1]
    if rules.sector:
        along, across = row * muzzle[0] + col * muzzle[1], row * muzzle[1] - col * muzzle[0]
        is_before = degrees(atan2(abs(across), along)) <= rules.half_angle + ANGLE_ROUNDING
    else:
        is_before = (row, col) == (away * muzzle[0], away * muzzle[1])
    return None if is_before else ("AZ-5.7", "that is not before its muzzle")


def _judge_fire(field: Field, rules: Rules, action: Action) -> None:
    wish = f"{field.where(action.piece)} fires at {action.square} with {action.dice} dice"
    barred = _bars_cannon(field, rules, action.piece, action.square)
    if barred:
        raise IllegalAction(barred[0], f"{wish}, but {barred[1]}")
    if not 1 <= action.dice <= rules.cannon_dice:
        raise IllegalAction("AZ-5.1", f"{wish}; allowed: 1 to {rules.cannon_dice}")


# All actions


def judge_action(field: Field, rules: Rules, mud: int, action: Action) -> None:
    """Hold what a living piece wants to do against the rules of that kind of action.

    Raises
    ------
    IllegalAction
        With the rule that forbids it.
    """
    if action.what == MOVE:
        _judge_move(field, rules, mud, action)
    elif action.what == SHOOT:
        _judge_shot(field, rules, action)
    elif action.what == FIRE:
        _judge_fire(field, rules, action)
    elif action.what == PLANT:
        _judge_stake(field, rules, action, field.square(action.piece))
    elif action.what == DISMOUNT:
        if not (field.is_mounted(action.piece) and field.dismounts[action.piece]):
            raise IllegalAction("AZ-2.6", f"{field.where(action.piece)} dismounts, but has no version on foot")
    elif action.what != STAY:
        raise IllegalAction("AZ-2.6", f"{field.where(action.piece)} wants action {action.what}, which does not exist")


# Division of fights (AZ-6.1, AZ-6.4, AZ-6.5)


def most_fights(field: Field) -> int:
    """Return into how many fights all contacts must be divided: as many pairs of neighbours as exist side by side.

    Where positions allow it that is the number of pieces of the smaller side of each contact; it is never more.
    """
    partner: dict[int, int] = {}

    def finds_partner(piece: int, asked: set[int]) -> bool:
        for enemy in field.enemies_beside(piece):
            if enemy not in asked:
                asked.add(enemy)
                if enemy not in partner or finds_partner(partner[enemy], asked):
                    partner[enemy] = piece
                    return True
        return False

    english = (piece for piece, side in enumerate(field.side) if field.alive[piece] and side == ENGLISH)
    return sum(finds_partner(piece, set()) for piece in english)


def judge_division(field: Field, side: int, fight_of: Sequence[int], count: int) -> list[Fight]:
    """Hold a division of the contacts into fights against the rules.

    Parameters
    ----------
    field : Field
        The battle after all actions of the turn.
    side : int
        The side whose turn it is: the attacker.
    fight_of : sequence of int, one for each piece
        The fight in which the piece takes part, 0 to count - 1, or -1.
    count : int
        Number of fights.

    Returns
    -------
    list of (attackers, defenders)
        By number of fight; indices ascend.

    Raises
    ------
    IllegalAction
        With the rule that forbids it.
    """
    fights: list[Fight] = [([], []) for _ in range(count)]
    for piece, fight in enumerate(fight_of):
        in_contact = bool(field.alive[piece]) and bool(field.enemies_beside(piece))
        if in_contact and not 0 <= fight < count:
            raise IllegalAction("AZ-6.1", f"{field.where(piece)} is in contact and must fight")
        if not in_contact and fight >= 0:
            raise IllegalAction("AZ-6.1", f"{field.where(piece)} is not in contact and cannot fight")
        if in_contact:
            fights[fight][field.side[piece] != side].append(piece)
    for attackers, defenders in fights:
        group = f"{_names(field, attackers)} against {_names(field, defenders)}"
        if not attackers or not defenders or (len(attackers) > 1 and len(defenders) > 1):
            raise IllegalAction("AZ-6.5", f"{group} is not one piece against one or more")
        if any(distance(field.square(one), field.square(other)) > 1 for one in attackers for other in defenders):
            raise IllegalAction("AZ-6.4", f"{group} are not all neighbours")
    most = most_fights(field)
    if count != most:
        raise IllegalAction("AZ-6.5", f"the {SIDES[side]} divide into {count} fights; there must be {most}")
    return fights


def _names(field: Field, pieces: Sequence[int]) -> str:
    return ", ".join(field.where(piece) for piece in pieces) or "nobody"
