"""The table as the referee sees it: who stands where, who sees whom, what a way crosses and where it ends.

Plain Python on purpose, slow and close to the wording. The compiled implementation has its own code for all of this;
neither imports the other. A place is (x, y) in cm.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, inf, sqrt
from types import SimpleNamespace
from typing import Any

from wargamesim.games.coloniale.layout import (
    ACTION,
    ARM,
    ASSAULTED,
    BATTERY,
    CAVALRY,
    CREST,
    DIFFICULT,
    DISC,
    DISC0,
    EDGE,
    FANATIC,
    FIG,
    FIG0,
    FORT,
    FOUGHT,
    HARD,
    IN_PLAY,
    LEVEL_UNIT,
    MARCHED,
    MARKERS,
    PENDING_LOSS,
    PENDING_MARKERS,
    QUALITY,
    RIFLES,
    SIDE,
    STATUS,
    UNFORDABLE,
    VETERAN,
    Ground,
    State,
)
from wargamesim.games.coloniale.playing import CHOICES, Play

Place = tuple[float, float]
Piece = tuple[float, float, float, float]

# Room for rounding in sums of floats, so that what lies exactly on a border lies inside.
MORE = 1 + 1e-9
OPEN_GROUND, ON_EDGE, IN_FORT = range(3)


def plain(record: Any, *left_out: str) -> SimpleNamespace:
    """Return a record's fields as ordinary numbers and lists."""
    return SimpleNamespace(**{name: record[name].tolist() for name in record.dtype.names if name not in left_out})


def squared(place: Place, other: Place) -> float:
    """Return the square of the distance between two places."""
    dx, dy = other[0] - place[0], other[1] - place[1]
    return dx * dx + dy * dy


def length(place: Place, other: Place) -> float:
    """Return the distance between two places (cm)."""
    return sqrt(squared(place, other))


def is_near(place: Place, other: Place, radius: float) -> bool:
    """Tell whether two places are within a radius of each other."""
    return squared(place, other) <= radius * radius * MORE


def ahead(place: Place, heading: Place, far: float) -> Place:
    """Return the place so many cm ahead."""
    return place[0] + heading[0] * far, place[1] + heading[1] * far


def heading(start: Place, end: Place) -> Place | None:
    """Return the unit vector from one place to another; nothing if they are the same."""
    far = length(start, end)
    return ((end[0] - start[0]) / far, (end[1] - start[1]) / far) if far > 0 else None


def crossing(start: Place, end: Place, piece: Piece) -> float | None:
    """Return at which share of a straight way it crosses a piece of a line; nothing if it does not."""
    (ax, ay), (bx, by), (x1, y1, x2, y2) = start, end, piece
    rx, ry, sx, sy = bx - ax, by - ay, x2 - x1, y2 - y1
    den = rx * sy - ry * sx
    if den == 0:
        return None
    t = ((x1 - ax) * sy - (y1 - ay) * sx) / den
    u = ((x1 - ax) * ry - (y1 - ay) * rx) / den
    return t if 0 <= t <= 1 and 0 <= u <= 1 else None


def is_near_piece(place: Place, piece: Piece, radius: float) -> bool:
    """Tell whether a place is within a radius of a piece of a line."""
    return squared_to_piece(place, piece) <= radius * radius * MORE


def squared_to_piece(place: Place, piece: Piece) -> float:
    """Return the square of the distance from a place to a piece of a line."""
    (x, y), (x1, y1, x2, y2) = place, piece
    sx, sy = x2 - x1, y2 - y1
    n = sx * sx + sy * sy
    t = 0.0 if n == 0 else min(max(((x - x1) * sx + (y - y1) * sy) / n, 0.0), 1.0)
    return squared(place, (x1 + sx * t, y1 + sy * t))


def meets(place: Place, heading: Place, other: Place, radius: float) -> float:
    """Return how far ahead a straight way comes within a radius of another place, infinite if it never does."""
    wx, wy = other[0] - place[0], other[1] - place[1]
    b = wx * heading[0] + wy * heading[1]
    c = wx * wx + wy * wy - radius * radius
    if b <= 0:
        return inf
    if c <= radius * radius * 1e-9:
        return 0.0
    q = b * b - c
    return inf if q < 0 else b - sqrt(q)


class Table:
    """A state, the ground it stands on, and the rulebook, with questions about them.

    Every column of fields (``fig[unit]``, ...) is a view: what is written to it is written to the state.

    Parameters
    ----------
    state, ground, play : records
        See `layout` and `playing`.
    """

    def __init__(self, state: State, ground: Ground, play: Play) -> None:
        self.state, self.what = state, ground.what
        self.ground = plain(ground, "what", "road_way")
        self.play = plain(play)
        self.reading = {field: options[int(play[field])] for field, (_, options) in CHOICES.items()}
        row: Any = state.unit
        self.side, self.arm, self.quality, self.status = (row[:, i] for i in (SIDE, ARM, QUALITY, STATUS))
        self.fig, self.fig0, self.disc, self.disc0 = (row[:, i] for i in (FIG, FIG0, DISC, DISC0))
        self.markers, self.rifles, self.fort = (row[:, i] for i in (MARKERS, RIFLES, FORT))
        self.veteran, self.fanatic = row[:, VETERAN], row[:, FANATIC]
        self.pending_loss, self.pending_markers = row[:, PENDING_LOSS], row[:, PENDING_MARKERS]
        self.action, self.assaulted = row[:, ACTION], row[:, ASSAULTED]
        self.fought, self.marched = row[:, FOUGHT], row[:, MARCHED]
        lines = range(self.ground.lines)
        self.crests = [tuple(self.ground.line[i]) for i in lines if self.ground.line_kind[i] == CREST]
        self.rivers = [i for i in lines if self.ground.line_kind[i] != CREST]

    # Units

    @property
    def count(self) -> int:
        """How many units there are or were."""
        return int(self.state.count)

    def place(self, unit: int) -> Place:
        """Return where a unit stands."""
        x, y = self.state.place[unit]
        return float(x), float(y)

    def put(self, unit: int, place: Place) -> None:
        """Place a unit."""
        self.state.place[unit] = place

    def is_in_play(self, unit: int) -> bool:
        """Tell whether there is such a unit on the table."""
        return 0 <= unit < self.count and bool(self.status[unit] == IN_PLAY)

    def in_play(self, side: int | None = None) -> list[int]:
        """Return the units on the table, of one side if it is named."""
        return [u for u in range(self.count) if self.is_in_play(u) and side in (None, int(self.side[u]))]

    def enemies(self, unit: int) -> list[int]:
        """Return the units in play of the other side."""
        return self.in_play(1 - int(self.side[unit]))

    def is_enemy(self, unit: int, other: int) -> bool:
        """Tell whether the other is an enemy in play."""
        return self.is_in_play(other) and bool(self.side[unit] != self.side[other])

    def is_battery(self, unit: int) -> bool:
        """Tell whether a unit is a battery."""
        return bool(self.arm[unit] == BATTERY)

    def are_mounted(self, units: Iterable[int]) -> bool:
        """Tell whether all of some units are cavalry."""
        return all(self.arm[unit] == CAVALRY for unit in units)

    def distance(self, unit: int, other: int) -> float:
        """Return the distance between two units (cm)."""
        return length(self.place(unit), self.place(other))

    def is_within(self, unit: int, other: int, radius: float) -> bool:
        """Tell whether two units are within a radius of each other."""
        return is_near(self.place(unit), self.place(other), radius)

    def rifle_dice(self, unit: int) -> int:
        """Return with how many dice a unit fires its rifles (CO-4.2a, CO-P10)."""
        if not self.rifles[unit]:
            return 0
        dice = min(int(self.fig[unit]), int(self.play.rifle_dice))
        return max(dice - int(self.markers[unit]), 0) if self.reading["suppression"] == "fire_dice" else dice

    def may_march(self, unit: int) -> bool:
        """Tell whether a unit without markers of action is far enough from every enemy (CO-7.1)."""
        is_free = not (self.action[unit] or self.marched[unit])
        return is_free and not any(self.is_within(unit, enemy, self.play.margin) for enemy in self.enemies(unit))

    # The ground

    def square(self, place: Place) -> int:
        """Return the bits of the square of ground at a place on the table."""
        return int(self.what[int(place[1]), int(place[0])])

    def is_difficult(self, place: Place) -> bool:
        """Tell whether a place is difficult ground (CO-2.1)."""
        return bool(self.square(place) & DIFFICULT)

    def level(self, place: Place) -> int:
        """Return how high a place is, 0 to 3."""
        return self.square(place) // LEVEL_UNIT

    def is_on_table(self, place: Place) -> bool:
        """Tell whether a unit may stand at a place without hanging over the table's edge."""
        width, height, rim = self.ground.width, self.ground.height, self.play.rim
        return bool(rim <= place[0] <= width - rim and rim <= place[1] <= height - rim)

    def to_edge(self, place: Place, heading: Place) -> float:
        """Return how far ahead the table ends."""
        rim = self.play.rim
        ways = [
            ((size - rim if u > 0 else rim) - p) / u
            for p, u, size in zip(place, heading, (self.ground.width, self.ground.height), strict=True)
            if u != 0
        ]
        return max(min(ways, default=inf), 0.0)

    def ford(self, start: Place, end: Place, river: int) -> float | None:
        """Return at which share of a way it crosses a piece of a river; nothing on a bridge (CO-2.4)."""
        t = crossing(start, end, self.ground.line[river])
        if t is None:
            return None
        point = start[0] + (end[0] - start[0]) * t, start[1] + (end[1] - start[1]) * t
        bridges = self.ground.bridge[: self.ground.bridges]
        return None if any(is_near(point, bridge, self.play.bridge) for bridge in bridges) else t

    def fords(self, start: Place, end: Place, *kinds: int) -> list[tuple[float, int]]:
        """Return the crossings of rivers of some kinds on a way: at which share of it, and of which piece."""
        pieces = (i for i in self.rivers if self.ground.line_kind[i] in kinds)
        return [(t, i) for i in pieces if (t := self.ford(start, end, i)) is not None]

    def is_barred(self, start: Place, end: Place) -> bool:
        """Tell whether unfordable water lies across a way (CO-2.4)."""
        return bool(self.fords(start, end, UNFORDABLE))

    def is_from_bank_to_bank(self, start: Place, end: Place) -> bool:
        """Tell whether a way crosses rivers that are hard to ford only from bank to bank (CO-6.2)."""
        far, bank = length(start, end), self.play.bank * MORE
        return all(t * far <= bank and (1 - t) * far <= bank for t, _ in self.fords(start, end, HARD))

    # Sight and cover

    def shows(self, unit: int) -> bool:
        """Tell whether a unit stands where it can be seen and see: fort, open ground or an edge (CO-2.2)."""
        what = self.square(self.place(unit))
        return bool(self.fort[unit]) or not what & DIFFICULT or bool(what & EDGE)

    def sees(self, unit: int, other: int) -> bool:
        """Tell whether nothing stands between two units (CO-2.2, CO-2.3)."""
        a, b = self.place(min(unit, other)), self.place(max(unit, other))
        if not (self.shows(unit) and self.shows(other)) or self._crest_blocks(a, b):
            return False
        return not self.ground.opaque or not self._ground_blocks(a, b)

    def _crest_blocks(self, a: Place, b: Place) -> bool:
        crest = self.play.crest
        return any(
            crossing(a, b, piece) is not None
            and not is_near_piece(a, piece, crest)
            and not is_near_piece(b, piece, crest)
            for piece in self.crests
        )

    def _ground_blocks(self, a: Place, b: Place) -> bool:
        """Difficult ground blocks, but not that on whose edge a unit stands."""
        d, edge = length(a, b), self.play.edge * MORE
        n = max(1, ceil(d))
        for k in range(1, n):
            point = a[0] + (b[0] - a[0]) * k / n, a[1] + (b[1] - a[1]) * k / n
            if self.is_difficult(point):
                s = d * k / n
                own = (self.is_difficult(a) and s <= edge) or (self.is_difficult(b) and d - s <= edge)
                if not own:
                    return True
        return False

    def cover(self, unit: int) -> int:
        """Return what a target stands in: the open, the edge of difficult ground, or a fort (CO-2.2, CO-8.3)."""
        if self.fort[unit]:
            return IN_FORT
        return ON_EDGE if self.is_difficult(self.place(unit)) else OPEN_GROUND

    def has_advantage(self, attacker: int, defender: int) -> bool:
        """Tell whether a defender is in an advantageous position against an attacker where he stands (CO-2.5)."""
        a, d = self.place(attacker), self.place(defender)
        if self.level(d) > self.level(a) and not self.is_difficult(d):
            return True
        crossed = (i for i in self.rivers if self.ford(a, d, i) is not None)
        return any(is_near_piece(d, self.ground.line[i], self.play.bank) for i in crossed)
