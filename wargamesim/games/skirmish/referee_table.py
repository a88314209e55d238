"""The table as the referee sees it: who stands where, who touches, sees and covers whom, what a way leads through.

Plain Python on purpose, slow and close to the wording. The compiled implementation has its own code for all of this;
neither imports the other. A place is (x, y) in cm.
"""

from __future__ import annotations

from functools import cached_property
from math import ceil, inf, sqrt
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from wargamesim.games.skirmish.layout import (
    ACTS,
    ARSON,
    BLUE,
    BUILDING,
    BURNING,
    CAPACITY,
    CAPTOR,
    CAPTURED,
    DIFFICULT,
    DRAGS,
    EVADED,
    FACE_X,
    FACE_Y,
    GRADE,
    HEDGE,
    HIDDEN,
    IN_PLAY,
    KEEP,
    LOADING,
    MELEE_DIE,
    MOVED,
    MOVED_LAST,
    ON_CARD,
    OUT_UNTIL,
    PRONE,
    RAN,
    RELOADED,
    ROLES,
    ROUNDS,
    SHOTS,
    SIDE,
    SQUAD,
    START,
    STATUS,
    TRIES,
    WALL,
    WATER,
    WEAPON,
    WET,
    WOOD,
    WOUNDS,
    Ground,
    State,
    X,
    Y,
)
from wargamesim.games.skirmish.playing import CHOICES, Play
from wargamesim.games.skirmish.referee_rules import RULES
from wargamesim.games.skirmish.rules import HARD, OPEN, SOFT

Place = tuple[float, float]

# Room for rounding in sums of floats, so that what lies exactly on a border lies inside.
MORE, LESS = 1 + 1e-9, 1 - 1e-9
COVER_STEP = 0.5  # cm between the points at which a figure's cover is looked for


class Way(NamedTuple):
    """A straight way: its length, what it leads through, and the share of its steps that are difficult."""

    length: float
    difficult: bool
    water: bool
    rough: float


def plain(record: Any) -> SimpleNamespace:
    """Return a record's fields as ordinary numbers and lists."""
    return SimpleNamespace(**{name: record[name].tolist() for name in record.dtype.names})


def length(place: Place, other: Place) -> float:
    """Return the distance between two places (cm)."""
    dx, dy = other[0] - place[0], other[1] - place[1]
    return sqrt(dx * dx + dy * dy)


def is_near(place: Place, other: Place, radius: float) -> bool:
    """Tell whether two places are within a radius of each other."""
    dx, dy = other[0] - place[0], other[1] - place[1]
    return dx * dx + dy * dy <= radius * radius * MORE


class Table:
    """A state, the ground it stands on, and the rulebook, with questions about them.

    Every row of fields (``wounds[figure]``, ...) is a view: what is written to it is written to the state.

    Parameters
    ----------
    state, ground, play : records
        See `layout` and `playing`.
    """

    def __init__(self, state: State, ground: Ground, play: Play) -> None:
        self.state, self.what, self.depth = state, ground.what, ground.depth
        self.width, self.height = float(ground.width), float(ground.height)
        self.is_plain, self.is_opaque = bool(ground.plain), bool(ground.opaque)
        self.play = plain(play)
        self.reading = {field: options[int(play[field])] for field, (_, options) in CHOICES.items()}
        self.count = int(state.count)
        row: Any = state.figure
        self.side, self.squad, self.grade, self.roles = row[SIDE], row[SQUAD], row[GRADE], row[ROLES]
        self.status, self.wounds, self.blue, self.prone = row[STATUS], row[WOUNDS], row[BLUE], row[PRONE]
        self.hidden, self.wet, self.ran, self.moved_last = row[HIDDEN], row[WET], row[RAN], row[MOVED_LAST]
        self.acts, self.tries, self.on_card, self.moved = row[ACTS], row[TRIES], row[ON_CARD], row[MOVED]
        self.reloaded, self.shots, self.evaded, self.out_until = row[RELOADED], row[SHOTS], row[EVADED], row[OUT_UNTIL]
        self.drags, self.captor, self.arson, self.burning = row[DRAGS], row[CAPTOR], row[ARSON], row[BURNING]
        self.melee_die = row[MELEE_DIE]
        # These have a row for each weapon of a figure: weapon[slot][figure].
        self.weapon, self.start, self.loading = row[WEAPON:], row[START:], row[LOADING:]
        self.capacity, self.rounds = row[CAPACITY:], row[ROUNDS:]
        self.x, self.y, self.face_x, self.face_y = (state.place[i] for i in (X, Y, FACE_X, FACE_Y))

    def rule(self, topic: str) -> str:
        """Return the id of the rule about a topic in the rulebook in play."""
        return RULES[topic][self.play.deck_kind]

    # Figures

    def place(self, figure: int) -> Place:
        """Return where a figure stands."""
        return float(self.x[figure]), float(self.y[figure])

    def distance(self, figure: int, other: int) -> float:
        """Return the distance between two figures (cm)."""
        return length(self.place(figure), self.place(other))

    def is_within(self, figure: int, other: int, radius: float) -> bool:
        """Tell whether two figures are within a radius of each other."""
        return is_near(self.place(figure), self.place(other), radius)

    def is_in_play(self, figure: int) -> bool:
        """Tell whether the figure is on the table and acts."""
        return bool(self.status[figure] == IN_PLAY)

    def has_role(self, figure: int, role: int) -> bool:
        """Tell whether a figure is a leader, a regular, ..."""
        return bool(int(self.roles[figure]) & role)

    def in_play(self, side: int) -> list[int]:
        """Return a side's figures in play."""
        return [f for f in range(self.count) if self.side[f] == side and self.is_in_play(f)]

    def enemies(self, figure: int) -> list[int]:
        """Return the figures in play of the other side, hidden or not."""
        return self.in_play(1 - int(self.side[figure]))

    def friends(self, figure: int) -> list[int]:
        """Return the others in play of a figure's own side."""
        return [f for f in self.in_play(int(self.side[figure])) if f != figure]

    def live(self, squad: int) -> list[int]:
        """Return a squad's figures in play."""
        return [f for f in range(self.count) if self.squad[f] == squad and self.is_in_play(f)]

    def known(self, figure: int) -> list[int]:
        """Return the enemies in play whom a figure's side knows of (NA-6.6)."""
        return [f for f in self.enemies(figure) if not self.hidden[f]]

    def visible(self, figure: int, place: Place | None = None) -> list[int]:
        """Return the known enemies whom a figure sees, from its own place or from another."""
        return [f for f in self.known(figure) if self.sees(figure, f, place)]

    def touches(self, figure: int, place: Place | None = None) -> list[int]:
        """Return the enemies in contact with a figure, where it is or would be (NA-1.4)."""
        here = place or self.place(figure)
        return [f for f in self.enemies(figure) if is_near(here, self.place(f), self.play.diameter)]

    def melee(self, figure: int) -> list[int]:
        """Return everybody who is linked to a figure by contact between enemies, itself too."""
        linked, ahead = {figure}, [figure]
        while ahead:
            for enemy in self.touches(ahead.pop()):
                if enemy not in linked:
                    linked.add(enemy)
                    ahead.append(enemy)
        return sorted(linked)

    def is_firearm(self, figure: int, slot: int) -> bool:
        """Tell whether a figure has a weapon there that needs powder."""
        weapon = int(self.weapon[slot][figure])
        return weapon >= 0 and not self.play.thrown[weapon]

    def is_ready(self, figure: int, slot: int) -> bool:
        """Tell whether a figure's weapon is loaded, and dry if it needs powder (NA-4.1, RI-4.1)."""
        if self.weapon[slot][figure] < 0 or self.loading[slot][figure] or self.rounds[slot][figure] < 1:
            return False
        return not (self.wet[figure] and self.is_firearm(figure, slot))

    def ready_firearm(self, figure: int) -> int:
        """Return the weapon that a figure fires in a volley: the first that is a loaded, dry firearm, or -1."""
        slots = (slot for slot in (0, 1) if self.is_firearm(figure, slot) and self.is_ready(figure, slot))
        return next(slots, -1)

    # The ground

    def square(self, place: Place) -> int:
        """Return the bits of the square of ground at a place on the table."""
        return int(self.what[int(place[1]), int(place[0])])

    def is_wood(self, place: Place) -> bool:
        """Tell whether a place is in a wood."""
        return bool(self.square(place) & WOOD)

    def depth_at(self, place: Place) -> float:
        """Return how far inside a wood a place is (cm), 0 outside."""
        return float(self.depth[int(place[1]), int(place[0])])

    def is_building(self, place: Place) -> bool:
        """Tell whether a place is in a building."""
        return bool(self.square(place) & BUILDING)

    def is_rough(self, place: Place) -> bool:
        """Tell whether a place is difficult ground (NA-3.7)."""
        return bool(self.square(place) & (DIFFICULT | WOOD | BUILDING | WALL | HEDGE))

    def is_on_table(self, place: Place) -> bool:
        """Tell whether a place is inside the table's edges."""
        return 0 <= place[0] < self.width and 0 <= place[1] < self.height

    def is_cover_square(self, column: int, row: int) -> bool:
        """Tell whether a square is cover for a pinned figure: wood, building, hedge, or beside a wall or a hedge."""
        here = int(self.what[row, column])
        if here & (WOOD | BUILDING | HEDGE):
            return True
        rows = range(max(row - 1, 0), min(row + 2, ceil(self.height)))
        columns = range(max(column - 1, 0), min(column + 2, ceil(self.width)))
        beside = any(int(self.what[r, c]) & (WALL | HEDGE) for r in rows for c in columns)
        return beside and not here & WALL

    def to_cover(self, place: Place) -> float:
        """Return the distance from a place to the centre of the nearest cover square, infinite if there is none."""
        return min((length(place, (column + 0.5, row + 0.5)) for column, row in self._cover_squares), default=inf)

    @cached_property
    def _cover_squares(self) -> list[tuple[int, int]]:
        # Only what is not open, and what is beside it, can be cover.
        squares = np.argwhere(self.what[: ceil(self.height), : ceil(self.width)])
        near = {(int(c) + i, int(r) + j) for r, c in squares for i in (-1, 0, 1) for j in (-1, 0, 1)}
        return [at for at in near if self.is_on_table(at) and self.is_cover_square(*at)]

    # Sight and cover

    @staticmethod
    def points(start: Place, end: Place) -> list[Place]:
        """Return the points that stand for a straight way, about a cm apart, without its start and with its end."""
        steps = max(1, ceil(length(start, end)))
        dx, dy = end[0] - start[0], end[1] - start[1]
        return [(start[0] + dx * k / steps, start[1] + dy * k / steps) for k in range(1, steps + 1)]

    def sees(self, figure: int, other: int, place: Place | None = None) -> bool:
        """Tell whether the line between two figures is free, whoever hides; the first may be thought elsewhere."""
        if not self.is_opaque and self.reading["sight"] == "terrain":
            return True
        ends = {figure: place or self.place(figure), other: self.place(other)}
        start, end = ends[min(figure, other)], ends[max(figure, other)]
        return self._ground_is_clear(start, end) and not self._figures_block(start, end, set(ends))

    def _ground_is_clear(self, start: Place, end: Place) -> bool:
        if not self.is_opaque:
            return True
        is_deep = max(self.depth_at(start), self.depth_at(end)) > self.play.edge_depth
        if is_deep and self.reading["deep_wood"] == "contact_only" and not is_near(start, end, self.play.diameter):
            return False
        points = self.points(start, end)
        between = points[:-1]
        wood = sum(length(start, end) / len(points) for point in between if self.is_wood(point))
        return wood <= self.play.wood_sight * MORE and not self._building_blocks(start, end, between)

    def _building_blocks(self, start: Place, end: Place, between: list[Place]) -> bool:
        """A building blocks, but not its own rooms: the first and the last run of squares, for one who is inside."""
        inside = [self.is_building(point) for point in between]
        if self.is_building(start):
            while inside and inside[0]:
                inside.pop(0)
        if self.is_building(end):
            while inside and inside[-1]:
                inside.pop()
        return any(inside)

    def _figures_block(self, start: Place, end: Place, ends: set[int]) -> bool:
        if self.reading["sight"] == "terrain":
            return False
        dx, dy = end[0] - start[0], end[1] - start[1]
        d = length(start, end)
        for f in range(self.count):
            if f in ends or not self.is_in_play(f) or d == 0:
                continue
            px, py = float(self.x[f]) - start[0], float(self.y[f]) - start[1]
            along, aside = (px * dx + py * dy) / d, (px * dy - py * dx) / d
            if 0 < along < d and 2 * abs(aside) < self.play.diameter:
                return True
        return False

    def cover(self, shooter: int, target: int) -> int:
        """Return what a target stands behind for a shooter (NA-4.10b, RI-4.5b): OPEN, SOFT or HARD."""
        here, there = self.place(target), self.place(shooter)
        if self.is_building(here) and not self.is_building(there):
            return HARD
        best, d, s = SOFT if self.is_wood(here) else OPEN, length(here, there), COVER_STEP
        while s <= self.play.diameter and s < d:
            point = (here[0] + (there[0] - here[0]) / d * s, here[1] + (there[1] - here[1]) / d * s)
            what = self.square(point)
            best = max(best, HARD if what & WALL else SOFT if what & HEDGE else OPEN)
            s += COVER_STEP
        return best

    def is_in_arc(self, figure: int, other: int) -> bool:
        """Tell whether a figure stands inside another's arc of fire (NA-4.8)."""
        dx, dy = float(self.x[other] - self.x[figure]), float(self.y[other] - self.y[figure])
        ahead = float(self.face_x[figure]) * dx + float(self.face_y[figure]) * dy
        return bool(ahead >= self.play.fumble_cos * sqrt(dx * dx + dy * dy))

    # Ways

    def way(self, start: Place, end: Place) -> Way:
        """Return what a straight way leads through; its start counts for what it is, not for its share."""
        points = self.points(start, end)
        rough = [self.is_rough(point) for point in points]
        wet = any(self.square(point) & WATER for point in (start, *points))
        return Way(length(start, end), any(rough) or self.is_rough(start), bool(wet), sum(rough) / len(points))

    def pace(self, figure: int, run: bool, difficult: bool, water: bool) -> float:
        """Return how far an unhurt figure moves in an action on such ground (NA-3.2 to 3.8, RI-3.2 and 3.3)."""
        play = self.play
        if self.drags[figure] >= 0:
            pace = play.drag_difficult if difficult else play.drag
        else:
            pace = (play.run if run else play.walk)[difficult]
        return float(min(pace, play.ford) if water else pace)

    def factor(self, figure: int, posture: int) -> float:
        """Return what wounds and a change of posture leave of any move (NA-3.10 to 3.12, RI-3.5)."""
        wounded = float(self.play.wounded_factor) if self.wounds[figure] else 1.0
        changed = float(self.play.lie_factor) if posture != KEEP else 1.0
        return min(wounded, changed) if self.reading["halving"] == "once" else wounded * changed

    def effort(self, figure: int, end: Place, run: bool, posture: int) -> float:
        """Return which part of its allowance a figure spends on a straight way; more than 1 is too far."""
        way = self.way(self.place(figure), end)
        if way.length == 0:
            return 0.0
        factor = self.factor(figure, posture)
        if self.reading["mixed_ground"] == "pro_rata" and not way.water:
            parts = (
                (1 - way.rough, self.pace(figure, run, False, False)),
                (way.rough, self.pace(figure, run, True, False)),
            )
            shares = [(inf if pace == 0 else part / pace) for part, pace in parts if part > 0]
            return way.length * sum(shares) / factor if factor else inf
        allowed = self.pace(figure, run, way.difficult, way.water) * factor
        return way.length / allowed if allowed else inf

    def takes_room(self, figure: int) -> bool:
        """Tell whether nobody may stand on a figure's base: those in play, and prisoners on the table."""
        is_prisoner = self.status[figure] == CAPTURED and self.reading["prisoner"] != "leaves_play"
        return self.is_in_play(figure) or bool(is_prisoner)

    def fits(self, figure: int, place: Place) -> bool:
        """Tell whether a figure may end a move at a place: on the table, on no wall, on nobody's base."""
        if not self.is_on_table(place) or self.square(place) & WALL:
            return False
        others = (f for f in range(self.count) if f != figure and self.takes_room(f))
        return not any(self._overlaps(place, self.place(f)) for f in others)

    def passes(self, figure: int, end: Place) -> bool:
        """Tell whether a straight way keeps off every enemy with whom the figure is not in contact."""
        others = set(self.enemies(figure)) - set(self.touches(figure))
        between = self.points(self.place(figure), end)[:-1]
        return not any(self._overlaps(point, self.place(f)) for point in between for f in others)

    def _overlaps(self, place: Place, other: Place) -> bool:
        dx, dy = other[0] - place[0], other[1] - place[1]
        apart = self.play.diameter * LESS
        return bool(dx * dx + dy * dy <= apart * apart)
