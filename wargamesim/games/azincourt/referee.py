"""One battle played literally, rule by rule, in plain Python: what `replay` shows, and the oracle of the fast kernel.

The players (`orders`), the dice and the bookkeeping of squares (`state`) are shared with the compiled implementation;
no rule is. Every proposal of a player is judged by this side's own reading (`judge`) before it is carried out.

Squares are (row, column), row 0 in the north. Sides are 0 (english) and 1 (french).

The trace
---------
`judge_battle` also returns a trace, ten integers an event in the order of events, -1 where a field means nothing:

=========== ===================================================================================================
action      turn, WHAT, piece, row, col, facing, stake row, stake col, dice, result. Row and col for MOVE, SHOOT and
            FIRE; facing for the MOVE of a cannon; stake for PLANT and a MOVE that plants; dice for FIRE; the result
            is the face of an arrow's die or the sum of a cannon's dice
fight       turn, 100, lowest attacker, lowest defender, attackers, defenders (how many began it), rolls (of each
            party), last total of the attackers, last total of the defenders, side that won; in the order of the
            division's numbers
end of turn turn, 200, side that moved, lost english, lost french, unhorsed english, unhorsed french, pending side,
            closing (0 or 1), margin: as they stand when the end has been judged. Pending is the army that has its
            last moves; it is still named when its last move has just failed to save it, or the turn limit has come
result      turn, 300, outcome, -1, -1, -1, -1, -1, -1, -1
=========== ===================================================================================================
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from wargamesim import records
from wargamesim.dice.stream import face
from wargamesim.errors import IllegalAction
from wargamesim.games.azincourt import layout, orders
from wargamesim.games.azincourt.doctrine import DOCTRINE
from wargamesim.games.azincourt.judge import (
    FACINGS,
    Action,
    Field,
    Square,
    distance,
    judge_action,
    judge_division,
    on_line,
)
from wargamesim.games.azincourt.layout import FIRST_MOVER, LOST, MUD_FACTOR, OWN_SHOT, PLANTED, UNHORSED
from wargamesim.games.azincourt.orders import DISMOUNT, FIRE, MOVE, PLANT, SHOOT, STAY
from wargamesim.games.azincourt.plan import PLAN
from wargamesim.games.azincourt.rules import (
    ARROW,
    CANNON,
    CANNON_SHOT,
    COIN,
    DRAW,
    ENGLISH,
    FOOT_KNIGHT,
    FRENCH,
    INITIATIVE,
    MELEE_ATTACK,
    MELEE_DEFENCE,
    NO_DECISION,
    OUTCOMES,
    REMOVE,
    RULES,
    SIDES,
    UNHORSE,
    Rules,
)
from wargamesim.games.azincourt.state import lift, plant, put, replace
from wargamesim.games.registry import Event

if TYPE_CHECKING:
    from wargamesim.games.azincourt.scenario import Setup

Trace = list[tuple[int, ...]]
FIGHT, TURN_ENDS, RESULT = 100, 200, 300  # the second field of the trace where it is no WHAT

PEOPLE = tuple(f"the {side.capitalize()}" for side in SIDES)
FACING_NAMES = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
PIECE_LETTERS = "KFIAXC"
# From the most to the least telling, where a square is several things at once. A castle is no c, which is a cannon.
TERRAIN_LETTERS = (
    ("|", (layout.STAKE,)),
    ("@", (layout.CASTLE,)),
    ("h", (layout.HOUSE,)),
    ("^", (layout.MOUNTAIN,)),
    ("#", (layout.WOOD,)),
    ("+", (layout.ROAD, layout.MUD)),
    ("=", (layout.ROAD,)),
    ("~", (layout.MUD,)),
)
LEGEND = (
    "English in capitals, French in small letters:",
    "K knight, F foot knight, I infantry, A archer, X crossbow, C cannon",
    "| stake, @ castle, h house, ^ mountain, # wood, = road, ~ mud, + road in mud",
)


def referee(setup: Setup, key: int, battle: int) -> Iterator[Event]:
    """Play one battle and tell what happens as it happens.

    Parameters
    ----------
    setup : Setup
        Rules, starting position and doctrines.
    key : int
        The key of the experiment's dice (`wargamesim.dice.keys.battle_key`).
    battle : int
        The number of the battle, at least 0.

    Yields
    ------
    Event
        Each with the id of the rule it follows; the first, and the last of each turn, with the board.

    Raises
    ------
    IllegalAction
        If a doctrine's player proposes what the rules forbid.

    Examples
    --------
    >>> from wargamesim.games.azincourt.scenario import compile_setup, load_scenario
    >>> from wargamesim.rulebook import load_rulebook
    >>> setup = compile_setup(load_rulebook("azincourt"), load_scenario("azincourt_1415"))
    >>> event = next(referee(setup, key=1, battle=0))
    >>> event.rule, event.text
    ('AZ-2.1', 'the English roll 2, the French 3: mud 1')
    """
    return Battle(setup, key, battle).play()


def judge_battle(setup: Setup, key: int, battle: int) -> dict[str, Any]:
    """Play one battle and return its row of results, as the kernel would, and its trace.

    Parameters
    ----------
    setup, key, battle
        As in `referee`.

    Returns
    -------
    dict
        ``outcome`` (index in OUTCOMES), every metric of the game by name (int), and ``trace`` (see above).

    Examples
    --------
    >>> from wargamesim.games.azincourt.scenario import compile_setup, load_scenario
    >>> from wargamesim.rulebook import load_rulebook
    >>> setup = compile_setup(load_rulebook("azincourt"), load_scenario("azincourt_1415"))
    >>> judged = judge_battle(setup, key=1, battle=0)
    >>> judged["trace"][-1][1:3] == (RESULT, judged["outcome"])
    True
    """
    played = Battle(setup, key, battle)
    for _ in played.play():
        pass
    return {"outcome": played.ending.outcome, **played.metrics(), "trace": played.trace}


def draw(state: layout.State) -> str:
    """Draw the board with its row and column numbers: English pieces in capitals, French ones in small letters."""
    field = Field(state)
    numbers = range(field.cols)
    lines = [
        "    " + "".join(str(col // 10) if col % 10 == 0 else " " for col in numbers).rstrip(),
        "    " + "".join(str(col % 10) for col in numbers),
    ]
    lines += [f"{row:>3} " + "".join(_letter(field, (row, col)) for col in numbers) for row in range(field.rows)]
    return "\n".join(lines)


def _letter(field: Field, square: Square) -> str:
    piece = field.piece_at(square)
    if piece >= 0:
        letter = PIECE_LETTERS[field.kind[piece]]
        return letter if field.side[piece] == ENGLISH else letter.lower()
    return next(
        (letter for letter, planes in TERRAIN_LETTERS if all(field.lies_in(plane, square) for plane in planes)), "."
    )


class Ending:
    """When the battle is over, and how (section 7): asked once after each side's turn.

    Parameters
    ----------
    rules : Rules
        The rulebook.
    fielded : tuple of two int
        Pieces that each side had at the start.
    """

    def __init__(self, rules: Rules, fielded: tuple[int, int]) -> None:
        self.rules, self.fielded = rules, fielded
        self.turns = 0
        self.margin = rules.margin
        self.pending = -1  # the army that has its last moves
        self.last_moves = 0  # how many of them are left
        self.began_at = 0  # the difference that gave it its last moves
        self.closing = False  # an army is down to half
        self.moves = [0, 0]  # what each side has left to reach the smaller margin
        self.outcome = -1

    def after_turn(self, side: int, lost: tuple[int, int]) -> list[tuple[str, str]]:
        """Judge the end after a turn of `side`; return what is to be said about it, each with its rule's id."""
        self.turns += 1
        if self.closing:
            self.moves[side] = max(0, self.moves[side] - 1)
        said = self._last_move(side, lost) if self.pending >= 0 else []
        if not self._is_over() and self.pending < 0:
            said += self._margin(lost)
        if not self._is_over() and self.pending < 0 and not self.closing:
            said += self._half(lost)
        if not self._is_over() and self.closing and self.pending < 0 and self.moves == [0, 0]:
            self.outcome = DRAW
            said.append(("AZ-7.3", "nobody has passed the smaller margin in time: the battle is drawn"))
        if not self._is_over() and self.turns >= 2 * self.rules.turn_limit:
            self.outcome = NO_DECISION
            said.append(("AZ-7.5", f"both sides have had {self.rules.turn_limit} turns: stopped without a decision"))
        return said

    def _is_over(self) -> bool:
        return self.outcome >= 0

    def _behind_by(self, side: int, lost: tuple[int, int]) -> int:
        return self.rules.points * (lost[side] - lost[1 - side])

    def _exceeds(self, difference: int) -> bool:
        """AZ-7.4; two armies with equal losses never differ."""
        return difference > 0 and (
            difference > self.margin or (bool(self.rules.at_least) and difference == self.margin)
        )

    def _last_move(self, side: int, lost: tuple[int, int]) -> list[tuple[str, str]]:
        behind = self.pending
        if side == behind:
            self.last_moves -= 1
        if self.last_moves > 0:
            return []
        difference = self._behind_by(behind, lost)
        is_saved = difference < self.began_at if self.rules.any_reduction else not self._exceeds(difference)
        if not is_saved:
            return self._lose(behind, "AZ-7.2", f"still behind by {difference} after their last move")
        self.pending = -1
        return [("AZ-7.6", f"{PEOPLE[behind]} are saved: behind by {difference} now, {self.began_at} before")]

    def _margin(self, lost: tuple[int, int]) -> list[tuple[str, str]]:
        behind = ENGLISH if lost[ENGLISH] > lost[FRENCH] else FRENCH
        difference = self._behind_by(behind, lost)
        if not self._exceeds(difference):
            return []
        passed = f"behind by {difference}, past the margin of {self.margin}"
        if self.closing and not self.rules.small_last_move:
            return self._lose(behind, "AZ-7.7", passed)
        if self.rules.last_moves == 0:
            return self._lose(behind, "AZ-7.2", passed)
        self.pending, self.last_moves, self.began_at = behind, self.rules.last_moves, difference
        return [("AZ-7.2", f"{PEOPLE[behind]} are {passed}; moves left to them: {self.last_moves}")]

    def _half(self, lost: tuple[int, int]) -> list[tuple[str, str]]:
        down = [side for side in (ENGLISH, FRENCH) if lost[side] >= self.rules.half * self.fielded[side]]
        if not down:
            return []
        self.closing, self.margin = True, self.rules.small_margin
        self.moves = [self.rules.small_moves] * 2
        who = " and ".join(PEOPLE[side] for side in down)
        news = f"{who} are down to half: the margin is {self.margin} now, moves left to each side: {self.moves[0]}"
        return [("AZ-7.3", news), *self._margin(lost)]

    def _lose(self, side: int, rule: str, why: str) -> list[tuple[str, str]]:
        self.outcome = 1 - side  # the first two outcomes are the victories, in the order of the sides
        return [(rule, f"{PEOPLE[side]} are {why}: {PEOPLE[1 - side]} have won")]


class Battle:
    """One battle in play.

    Attributes
    ----------
    state : State
        The battlefield as it stands.
    ending : Ending
        Whether it is over, and its outcome.
    trace : list of tuples of ten int
        What has happened so far.
    """

    def __init__(self, setup: Setup, key: int, battle: int) -> None:
        self.setup, self.rules = setup, setup.rules
        self.state = records.copy(setup.start)
        self.ending = Ending(setup.rules, setup.fielded)
        self.trace: Trace = []
        self._key: Any = np.uint64(key)
        self._battle = battle
        self._turn, self._side = 0, -1
        # What the players are given: the rules as compiled code reads them, and memory.
        self._player_rules: Any = records.pack(setup.rules, RULES)
        self._plan: Any = records.new_record(PLAN)

    def play(self) -> Iterator[Event]:
        """Play to the end."""
        yield from self._before()
        side = int(self.state.tally[FIRST_MOVER])
        doctrines = [records.pack(doctrine, DOCTRINE) for doctrine in self.setup.doctrines]
        while self.ending.outcome < 0:
            self._turn, self._side = self._turn + 1, side
            try:
                yield from self._side_turn(doctrines[side])
            except IllegalAction as error:
                when = f"battle {self._battle}, turn {self._turn}, {SIDES[side]}"
                raise IllegalAction(error.rule, f"{error.reason} ({when})") from None
            side = 1 - side

    def metrics(self) -> dict[str, int]:
        """Return the metrics of the battle by name."""
        tally = self.state.tally.tolist()
        pairs = (("losses", LOST), ("unhorsed", UNHORSED), ("stakes", PLANTED), ("own_shot", OWN_SHOT))
        by_side = {f"{name}_{what}": tally[first + side] for what, first in pairs for side, name in enumerate(SIDES)}
        return {"turns": self._turn, "mud": tally[MUD_FACTOR], "first_mover": tally[FIRST_MOVER], **by_side}

    # Before the first turn

    def _before(self) -> Iterator[Event]:
        rolled = self._initiative(0)
        if self.rules.equal_dice == 3:
            k = 0
            while rolled[ENGLISH] == rolled[FRENCH]:
                k += 1
                rolled = self._initiative(k)
        mud = abs(rolled[ENGLISH] - rolled[FRENCH])
        text = f"the English roll {rolled[ENGLISH]}, the French {rolled[FRENCH]}: mud {mud}"
        if self.setup.fixed_mud >= 0:
            mud = self.setup.fixed_mud
            text += f", but this scenario fixes it at {mud}"
        yield self._event("AZ-2.1", text, draws=True)
        if rolled[ENGLISH] != rolled[FRENCH]:
            first, rule = (ENGLISH if rolled[ENGLISH] < rolled[FRENCH] else FRENCH), "AZ-2.4"
        else:
            first, rule = self._first_of_equals(), "AZ-2.5"
        self.state.tally[MUD_FACTOR], self.state.tally[FIRST_MOVER] = mud, first
        yield self._event(rule, f"{PEOPLE[first]} move first")

    def _initiative(self, k: int) -> list[int]:
        return [self._roll(side, INITIATIVE, k, self.rules.mud_die) for side in (ENGLISH, FRENCH)]

    def _first_of_equals(self) -> int:
        fixed = {1: FRENCH, 2: ENGLISH}
        if self.rules.equal_dice in fixed:
            return fixed[self.rules.equal_dice]
        return ENGLISH if self._roll(0, COIN, 0, 2) == 1 else FRENCH

    def _roll(self, actor: int, purpose: int, k: int, sides: int) -> int:
        return int(face(self._key, self._battle, self._turn, actor, purpose, k, sides))

    def _event(self, rule: str, text: str, *, draws: bool = False) -> Event:
        side = SIDES[self._side] if self._turn else ""
        board = draw(self.state) if draws else None
        if board and not self._turn:
            board = "\n".join((board, *LEGEND))
        return Event(self._turn, side, rule, text, board)

    def _record(self, *fields: int) -> None:
        self.trace.append((self._turn, *fields))

    # A side's turn

    def _side_turn(self, doctrine: Any) -> Iterator[Event]:
        state, rules, plan = self.state, self._player_rules, self._plan
        orders.begin(state, rules, doctrine, plan, self._side, self._turn)
        acted: set[int] = set()
        shooting = True
        while orders.propose(state, rules, doctrine, plan):
            action, field = Action(*plan.action.tolist()), Field(state)
            self._judge(field, action, acted, shooting)
            acted.add(action.piece)
            shooting = shooting and action.what in (STAY, SHOOT, FIRE)
            yield from self._resolve(field, action)
        count = orders.divide(state, rules, plan)
        fights = judge_division(Field(state), self._side, plan.fight_of[: state.count].tolist(), count)
        if count > 1:
            yield self._event("AZ-6.5", f"the contacts are divided into {count} fights")
        for attackers, defenders in fights:
            yield from self._fight(attackers, defenders)
        yield from self._close_turn()

    def _judge(self, field: Field, action: Action, acted: set[int], shooting: bool) -> None:
        piece = action.piece
        if not (0 <= piece < len(field.side) and field.alive[piece] and field.side[piece] == self._side):
            raise IllegalAction("AZ-2.4", f"piece {piece} is no living piece of the side whose turn it is")
        if piece in acted:
            raise IllegalAction("AZ-2.6", f"{field.where(piece)} acts twice in a turn")
        if self.rules.shoot_first and not shooting and action.what in (SHOOT, FIRE):
            raise IllegalAction("AZ-2.7", f"{field.where(piece)} shoots after somebody has done something else")
        judge_action(field, self.rules, int(self.state.tally[MUD_FACTOR]), action)

    def _resolve(self, field: Field, action: Action) -> Iterator[Event]:
        what, piece = action.what, action.piece
        if what == MOVE:
            yield from self._move(field, action)
        elif what == SHOOT:
            yield self._shoot(field, action)
        elif what == FIRE:
            yield self._fire(field, action)
        elif what == DISMOUNT:
            self._record(what, piece, -1, -1, -1, -1, -1, -1, -1)
            replace(self.state, piece, FOOT_KNIGHT)
            yield self._event("AZ-2.6", f"{field.where(piece)} dismounts")
        elif what == PLANT:
            self._record(what, piece, -1, -1, -1, *action.stake, -1, -1)
            yield self._plant(field, action)
        else:
            self._record(what, piece, -1, -1, -1, -1, -1, -1, -1)

    def _move(self, field: Field, action: Action) -> Iterator[Event]:
        piece, start, is_cannon = action.piece, field.square(action.piece), field.kind[action.piece] == CANNON
        plants = action.stake_row >= 0
        stake = action.stake if plants else (-1, -1)
        self._record(MOVE, piece, *action.square, action.facing if is_cannon else -1, *stake, -1, -1)
        lift(self.state, piece)
        put(self.state, piece, action.row, action.col)
        went = f"moves to {action.square}" if action.square != start else "turns"
        if is_cannon:
            self.state.pieces[layout.FACING, piece] = action.facing
            yield self._event("AZ-5.5", f"{field.where(piece)} {went} and faces {FACING_NAMES[action.facing]}")
        else:
            yield self._event("AZ-3.1", f"{field.where(piece)} {went}")
        if plants:
            yield self._plant(field, action)

    def _plant(self, field: Field, action: Action) -> Event:
        plant(self.state, action.stake_row, action.stake_col)
        self.state.pieces[layout.STAKES, action.piece] -= 1
        self.state.tally[PLANTED + self._side] += 1
        return self._event("AZ-2.6", f"{field.name(action.piece)} plants a stake on {action.stake}")

    def _remove(self, field: Field, piece: int) -> None:
        lift(self.state, piece)
        self.state.tally[LOST + field.side[piece]] += 1

    def _unhorse(self, field: Field, piece: int) -> None:
        replace(self.state, piece, FOOT_KNIGHT)
        self.state.tally[UNHORSED + field.side[piece]] += 1

    # Shooting

    def _shoot(self, field: Field, action: Action) -> Event:
        target = field.piece_at(action.square)
        mounted = field.is_mounted(target)
        rolled = self._roll(action.piece, ARROW, 0, self.rules.arrow_die)
        self._record(SHOOT, action.piece, *action.square, -1, -1, -1, -1, rolled)
        effect = self.rules.arrow_effect[int(mounted), rolled]
        result = "no effect"
        if effect == REMOVE:
            self._remove(field, target)
            result = "removed"
        elif effect == UNHORSE and field.dismounts[target]:
            self._unhorse(field, target)
            result = "unhorsed"
        elif effect == UNHORSE:
            result = "no effect, it has no version on foot"
        rule = "AZ-4.3" if mounted else "AZ-4.9" if field.kind[target] == CANNON else "AZ-4.4"
        return self._event(rule, f"{field.where(action.piece)} shoots {field.where(target)}: {rolled}, {result}")

    def _fire(self, field: Field, action: Action) -> Event:
        cannon, named = action.piece, action.square
        total = sum(self._roll(cannon, CANNON_SHOT, k, self.rules.cannon_die) for k in range(action.dice))
        self._record(FIRE, cannon, *named, -1, -1, -1, action.dice, total)
        dice = f"{action.dice} {'die' if action.dice == 1 else 'dice'}"
        shot = f"{field.where(cannon)} fires at {named} with {dice}: {total}"
        reached = self._square_reached(field, cannon, named, total)
        if reached is None:
            return self._event("AZ-5.2", f"{shot}, no square is reached")
        if field.piece_at(reached) < 0:
            return self._event("AZ-5.3", f"{shot}, {reached} is reached, which is empty")
        near = [piece for piece, alive in enumerate(field.alive) if alive and self._is_blasted(field, piece, reached)]
        for piece in near:
            self._remove(field, piece)
            if field.side[piece] == self._side:
                self.state.tally[OWN_SHOT + self._side] += 1
        hit = ", ".join(field.where(piece) + (" (own)" if field.side[piece] == self._side else "") for piece in near)
        return self._event("AZ-5.3", f"{shot}, {reached} is reached; removed: {hit or 'nothing outside the castle'}")

    def _square_reached(self, field: Field, cannon: int, named: Square, total: int) -> Square | None:
        start = field.square(cannon)
        if self.rules.hit_if_at_least:
            return named if total >= distance(start, named) else None
        if total > self.rules.reach[CANNON]:
            return None
        if self.rules.sector:
            reached = on_line(start, named, total)
        else:
            row, col = FACINGS[field.facing[cannon]]
            reached = (start[0] + total * row, start[1] + total * col)
        return reached if field.is_on_board(reached) else None

    def _is_blasted(self, field: Field, piece: int, reached: Square) -> bool:
        square = field.square(piece)
        return distance(square, reached) <= self.rules.blast and not field.lies_in(layout.CASTLE, square)

    # Close combat

    def _fight(self, attackers: list[int], defenders: list[int]) -> Iterator[Event]:
        rolls = 0
        while True:
            field = Field(self.state)
            dice = (
                self._roll(attackers[0], MELEE_ATTACK, rolls, self.rules.melee_die),
                self._roll(defenders[0], MELEE_DEFENCE, rolls, self.rules.melee_die),
            )
            rolls += 1
            bonus = self._shelter(field, defenders)
            values = (self._values(field, attackers), self._values(field, defenders) + bonus)
            totals = (dice[0] + values[0], dice[1] + values[1])
            groups = [", ".join(field.where(piece) for piece in group) for group in (attackers, defenders)]
            text = f"{groups[0]} against {groups[1]}: {dice[0]} + {values[0]} to {dice[1]} + {values[1]}"
            text += f" ({bonus} of it by AZ-6.7)" if bonus else ""
            if totals[0] != totals[1]:
                break
            thrown = [
                piece for piece in sorted(attackers + defenders) if field.is_mounted(piece) and field.dismounts[piece]
            ]
            for piece in thrown:
                self._unhorse(field, piece)
            who = f"; unhorsed: {', '.join(field.name(piece) for piece in thrown)}" if thrown else ""
            yield self._event("AZ-6.3", f"{text}, a tie{who}")
        winner = self._side if totals[0] > totals[1] else 1 - self._side
        sizes = (len(attackers), len(defenders))
        self._record(FIGHT, attackers[0], defenders[0], *sizes, rolls, *totals, winner)
        yield self._event("AZ-6.1" if sizes == (1, 1) else "AZ-6.4", f"{text}, {PEOPLE[winner]} win")
        beaten = defenders if winner == self._side else attackers
        lost = beaten if self.rules.beaten_all else [min(beaten, key=lambda piece: (self._value(field, piece), piece))]
        for piece in lost:
            self._remove(field, piece)
        yield self._event("AZ-6.6", f"removed: {', '.join(field.where(piece) for piece in lost)}")

    def _value(self, field: Field, piece: int) -> int:
        return int(self.rules.value[field.kind[piece]])

    def _values(self, field: Field, group: list[int]) -> int:
        return sum(self._value(field, piece) for piece in group)

    def _shelter(self, field: Field, defenders: list[int]) -> int:
        """What houses and castle add for those not mounted (AZ-6.7)."""
        on_foot = [field.square(piece) for piece in defenders if not field.is_mounted(piece)]
        houses = sum(field.lies_in(layout.HOUSE, square) for square in on_foot)
        castles = sum(field.lies_in(layout.CASTLE, square) for square in on_foot)
        return houses * self.rules.house_bonus + castles * self.rules.castle_bonus

    # The end of a turn

    def _close_turn(self) -> Iterator[Event]:
        tally = self.state.tally.tolist()
        lost = (tally[LOST], tally[LOST + 1])
        said = self.ending.after_turn(self._side, lost)
        ending = self.ending
        self._record(
            TURN_ENDS,
            self._side,
            *lost,
            *tally[UNHORSED : UNHORSED + 2],
            ending.pending,
            int(ending.closing),
            ending.margin,
        )
        for rule, text in said:
            yield self._event(rule, text)
        score = f"lost so far: English {lost[0]}, French {lost[1]}; margin {ending.margin}"
        if ending.outcome >= 0:
            self._record(RESULT, ending.outcome, *[-1] * 7)
            score += f"; outcome: {OUTCOMES[ending.outcome].replace('_', ' ')}"
        yield self._event("AZ-7.1", score, draws=True)
