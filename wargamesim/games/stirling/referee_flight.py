"""Flight: the way of a unit that runs from the enemy, and the attacks made on its back (SS-5.8 to SS-5.10)."""

from __future__ import annotations

from wargamesim.games.stirling import orders
from wargamesim.games.stirling.layout import DESTROYED, FREE_STRIKES, ROUTED, Plan
from wargamesim.games.stirling.referee_board import REAR, Board, Hex, Unit, distance, step, trail
from wargamesim.games.stirling.referee_course import Course
from wargamesim.games.stirling.referee_loss import settle
from wargamesim.games.stirling.referee_strike import AT_FLIGHT, Strike, Victim, side_modifiers, strike


def way_out(board: Board, unit: Unit, allowance: int) -> tuple[int, ...]:
    """Return the directions of a flight: away from the enemy as far as possible, hex by hex (SS-5.8, SS-9.4, SS-5.10).

    Parameters
    ----------
    board : Board
    unit : Unit
    allowance : int
        Steps at most.

    Returns
    -------
    tuple of int
        Empty if it has nowhere to go; a single step off the board for a routed unit at the edge.
    """
    enemies = board.enemies(unit)
    if not enemies:
        return ()

    zones, occupied = board.enemy_zones(unit), [enemy.hex for enemy in enemies]

    def safety(place: Hex) -> tuple[int, int]:
        away = [distance(place, enemy) for enemy in occupied]
        return min(away), sum(away)

    place: Hex = unit.hex
    path: list[int] = []
    while len(path) < allowance:
        open_to = []
        for direction in range(6):
            beyond = step(place, direction)
            leaves = not board.is_on_board(beyond)
            if leaves and (unit.status != ROUTED or path):
                continue
            if beyond in occupied or (place in zones and beyond in zones):
                continue
            if safety(beyond) > safety(place):
                open_to.append(direction)
        if not open_to:
            break
        best = max(open_to, key=lambda direction: (*safety(step(place, direction)), -direction))
        place = step(place, best)
        path.append(best)
        if place in zones or not board.is_on_board(place):
            break
    return _where_it_may_stop(board, unit, tuple(path))


def _where_it_may_stop(board: Board, unit: Unit, path: tuple[int, ...]) -> tuple[int, ...]:
    """Cut a way back to the last hex without another unit of its side (SS-1.7)."""
    hexes = trail(unit.hex, path)
    while path and board.reading["stacking"] == "one_per_faction" and board.friends_at(unit, hexes[len(path) - 1]):
        path = path[:-1]
    return path


def attacks_from_behind(course: Course, unit: Unit, plan: Plan) -> None:
    """Let the enemies whose zones a unit leaves attack it at once (SS-5.8, SS-P21, SS-P22, SS-P23)."""
    board = course.board
    attackers = [
        enemy for enemy in board.enemies(unit) if enemy.is_ordered and not enemy.fled and board.reaches(enemy, unit.hex)
    ]
    if attackers and course.reading["one_free_attacker"] == "one":
        attackers = [_chosen(course, unit, attackers, plan)]
    full = course.reading["free_full"] == "full"
    modifier, factor = side_modifiers(course, unit, REAR)
    for enemy in attackers:
        attacks = course.attacks(enemy) if full else int(course.play.free_attacks)
        if attacks < 1:
            continue
        unit.struck_back = 1
        course.count(FREE_STRIKES, enemy.side)
        strike(course, enemy, [Victim(unit)], Strike(AT_FLIGHT, attacks, modifier, REAR, factor))
        if course.reading["free_late"] == "immediate":
            settle(course, unit)
            if unit.status == DESTROYED:
                return


def _chosen(course: Course, unit: Unit, attackers: list[Unit], plan: Plan) -> Unit:
    plan.list[: len(attackers)] = [enemy.index for enemy in attackers]
    plan.listed = len(attackers)
    doctrine = course.doctrine(attackers[0])
    named = int(orders.free_attacker(course.state, course.setup.play, doctrine, plan, unit.index))
    return course.judge.judge_free_attacker(unit, named, attackers)
