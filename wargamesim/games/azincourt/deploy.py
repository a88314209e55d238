"""Who stands where before the first turn."""

from __future__ import annotations

import numpy as np

from wargamesim.errors import InputError
from wargamesim.games.azincourt.layout import BY_ENGLISH, BY_FRENCH, State, new_state
from wargamesim.games.azincourt.rules import NORTH, SOUTH, Rules
from wargamesim.games.azincourt.schema import STANDS, TERRAIN, Army, Content, Place, may_stand


def deploy(content: Content, side: str, depth: int, on_foot: bool) -> list[Place]:
    """Return where each piece of a side stands, in the order of their numbers.

    Pieces take the places that the deployment has for their type. With fewer pieces than places, those farthest
    from the middle of the deployment's front row stay empty. Pieces to spare stand on the free squares of the zone
    nearest to a place of their type, rather behind it than before it, and as that place has them (on horse or on
    foot); a type without a place gathers at the middle of its own edge. The numbers run from the front row to the
    side's own edge and from west to east, so that mirrored armies are numbered alike.

    Parameters
    ----------
    content : Content
        The scenario.
    side : str
        ``english`` or ``french``.
    depth : int
        How many rows the side may deploy in (AZ-1.2, AZ-1.3).
    on_foot : bool
        Whether knights with a version on foot start as it (AZ-1.5).

    Raises
    ------
    InputError
        If a piece stands too deep, or pieces to spare find no room.
    """
    army: Army = getattr(content, side)
    rows, cols = content.size
    lines = content.lines

    def behind(row: int) -> int:
        """Rows between this one and the side's own edge."""
        return row if side == "french" else rows - 1 - row

    def off_middle(col: int) -> int:
        """Twice the columns to the middle of the board, which may lie between two."""
        return abs(2 * col - (cols - 1))

    def mounted_or_not(letter: str) -> str:
        return "D" if on_foot and letter == "K" else letter

    places = [(row, col, mounted_or_not(letter)) for row, col, letter in content.places(side, army.deployment)]
    front = max((row for row, _, _ in places), key=behind, default=0)
    places.sort(key=lambda at: (4 * (at[0] - front) ** 2 + off_middle(at[1]) ** 2, -behind(at[0]), at[1]))
    taken: dict[tuple[int, int], str] = {}
    spare: list[tuple[str, int, list[Place]]] = []
    for troop, count in army.order_of_battle.model_dump().items():
        own = [place for place in places if STANDS[place[2]].troop == troop]
        taken |= {(row, col): letter for row, col, letter in own[:count]}
        if count > len(own):
            letter = next(letter for letter, stand in STANDS.items() if stand.troop == troop)
            edge = 0 if side == "french" else rows - 1
            spare.append((troop, count - len(own), own or [(edge, cols // 2, mounted_or_not(letter))]))
    for row, col in taken:
        if behind(row) >= depth:
            raise InputError(
                f"the piece at row {row}, column {col} of the map stands {behind(row) + 1} rows deep; allowed: at most"
                f" deployment.{side}_depth = {depth} ({'AZ-1.2' if side == 'french' else 'AZ-1.3'})",
                key=f"deployments.{side}.{army.deployment}.grid",
            )
    for troop, count, near in spare:
        free = []
        for row, col in ((row, col) for row in range(rows) if behind(row) < depth for col in range(cols)):
            away, letter = min(((row - at) ** 2 + (col - across) ** 2, letter) for at, across, letter in near)
            if (row, col) not in taken and may_stand(letter, lines[row][col]):
                free.append((away, behind(row), off_middle(col), col, row, letter))
        if len(free) < count:
            raise InputError(
                f"has {count} more than the deployment '{army.deployment}' has places for, but only {len(free)} free"
                f" squares are left within {depth} rows of the edge (deployment.{side}_depth)",
                key=f"{side}.order_of_battle.{troop}",
            )
        taken |= {(row, col): letter for *_, col, row, letter in sorted(free)[:count]}
    return [(row, col, taken[row, col]) for row, col in sorted(taken, key=lambda at: (-behind(at[0]), at[1]))]


def position(content: Content, rules: Rules, armies: tuple[list[Place], list[Place]]) -> State:
    """Lay out the map and both armies in arrays; cannons face the enemy's edge."""
    rows, cols = content.size
    start = new_state(rows, cols, len(armies[0]) + len(armies[1]))

    def mark(plane: int, row: int, col: int) -> None:
        start.rows[plane, row] |= np.uint64(1 << col)
        start.cols[plane, col] |= np.uint64(1 << row)

    for row, line in enumerate(content.lines):
        for col, terrain in enumerate(line):
            for plane in TERRAIN[terrain]:
                mark(plane, row, col)
    piece = 0
    for side, (army, plane, facing) in enumerate(zip(armies, (BY_ENGLISH, BY_FRENCH), (NORTH, SOUTH), strict=True)):
        for row, col, letter in army:
            _, kind, dismounts = STANDS[letter]
            start.pieces[:, piece] = row, col, kind, side, 1, dismounts, rules.stakes[kind], facing
            start.at[row, col] = piece
            mark(plane, row, col)
            piece += 1
    return start
