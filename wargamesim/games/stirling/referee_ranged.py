"""The ranged phase: spells, shots, and shots into a melee, which are shared by quarters (section 4)."""

from __future__ import annotations

from wargamesim.games.stirling import orders
from wargamesim.games.stirling.layout import CAST_TURN, CASTER, CASUALTIES, T_CAST, VOLLEYS
from wargamesim.games.stirling.referee_board import Board, Unit, distance
from wargamesim.games.stirling.referee_course import Course
from wargamesim.games.stirling.referee_loss import lose, settle_all
from wargamesim.games.stirling.referee_strike import AT_RANGE, Strike, Victim, strike


def ranged_phase(course: Course) -> None:
    """Let everybody shoot at once; losses are removed when the phase ends (SS-2.5, SS-4.1)."""
    for unit in course.board.units:
        if unit.is_ordered and not unit.fled and not _casts(course, unit):
            _shoots(course, unit)
    settle_all(course)


def _casts(course: Course, unit: Unit) -> bool:
    """Let a unit cast its spell of this turn, if it has one and its player wants to (SS-3.5, SS-P09)."""
    if course.reading["no_spells"] == "off":
        return False
    spells: list[list[int]] = course.state.spell[: int(course.state.spells)].tolist()
    own = [s for s, row in enumerate(spells) if (row[CASTER], row[CAST_TURN]) == (unit.index, course.turn)]
    if not own:
        return False
    number = own[0]
    wish = int(orders.cast(course.state, course.setup.play, course.doctrine(unit), course.plan, unit.index, number))
    if wish < 0:
        return False
    target = course.judge.judge_cast(unit, wish, spells[number])
    cost = spells[number][CASUALTIES]
    unit.shot = 1
    course.note(T_CAST, unit.index, target.index, cost)
    course.tell("SS-P09", f"{course.name(unit)} cast a spell on {course.name(target)}: {cost} dead")
    target.hurt += cost
    if course.reading["rounded"] == "per_phase":
        target.loss += cost
    else:
        lose(course, target, cost)
    return True


def _shoots(course: Course, unit: Unit) -> None:
    board, attacks = course.board, course.attacks(unit)
    if not unit.has_missiles or attacks < 1:
        return
    wish = int(orders.shoot(course.state, course.setup.play, course.doctrine(unit), course.plan, unit.index))
    if wish < 0:
        return
    target = course.judge.judge_shot(unit, wish)
    unit.shot = 1
    course.count(VOLLEYS, unit.side)
    band = range_band(unit, distance(unit.hex, target.hex))
    victims = [Victim(target)]
    friends = in_melee_with(board, unit, target)
    if friends:
        involved = [*friends, target]
        victims = [Victim(each, share) for each, share in zip(involved, shares(board, involved), strict=True)]
    strike(course, unit, victims, Strike(AT_RANGE, attacks, course.play.band[band], band))


def range_band(unit: Unit, away: int) -> int:
    """Return the range band of a distance: 0 short, 1 medium, 2 long (SS-4.3a)."""
    return 0 if away <= unit.range_short else 1 if away <= unit.range_medium else 2


def in_melee_with(board: Board, shooter: Unit, target: Unit) -> list[Unit]:
    """Return the shooter's friends who are in melee with its target (SS-4.4)."""
    friends = (unit for unit in board.here() if unit.side == shooter.side and unit is not shooter)
    return [unit for unit in friends if distance(unit.hex, target.hex) == 1 and board.is_in_melee(unit, target)]


def shares(board: Board, involved: list[Unit]) -> list[int]:
    """Return how a shot is shared among all in the melee, the unit aimed at last (SS-4.4 to SS-4.6, SS-P15).

    Parameters
    ----------
    board : Board
    involved : list of Unit
        At least two; the last is the enemy aimed at.

    Returns
    -------
    list of int
        Shares of each, in quarters.
    """
    parts, rule = int(board.play.shares), board.reading["quarters"]
    weights = [board.weight(unit) for unit in involved]
    whole = sum(weights)
    floors = [parts * weight // whole for weight in weights]
    if rule == "both_floor":
        return floors
    if rule == "friend_floor":
        rest = len(weights) - 1
    else:
        # Of equal ones the first counts as the lighter of two; of more, as the heaviest.
        rest = weights.index(max(weights)) if len(weights) > 2 or weights[0] > weights[1] else 1
    if rule == "nearest" and len(weights) == 2:
        floors = [(2 * parts * weight + whole) // (2 * whole) for weight in weights]
    floors[rest] = parts - sum(floors[:rest] + floors[rest + 1 :])
    return floors
