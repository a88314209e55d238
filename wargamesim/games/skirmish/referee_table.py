"""The table as the referee sees it: who stands where, who touches, sees and covers whom, and how far each may go.

Plain Python on purpose, slow and close to the wording. The compiled implementation has its own code for all of this;
neither imports the other.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import Any

import numpy as np

from wargamesim.games.skirmish.layout import (
    ACTS,
    ARSON,
    BLUE,
    BURNING,
    CAPACITY,
    CAPTOR,
    CAPTURED,
    DRAGS,
    DROP_X,
    DROP_Y,
    EVADED,
    FACE_X,
    FACE_Y,
    GRADE,
    HEDGE,
    HIDDEN,
    IN_PLAY,
    KEEP,
    LEVEL,
    LOADING,
    MELEE_DIE,
    MOVED,
    MOVED_LAST,
    ON_CARD,
    OTHER_DIE,
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
    WEAPON,
    WET,
    WOUNDS,
    Ground,
    State,
    X,
    Y,
)
from wargamesim.games.skirmish.playing import CHOICES, Play
from wargamesim.games.skirmish.referee_ground import LESS, MORE, Land, Place, is_near, length, plain
from wargamesim.games.skirmish.referee_rules import RULES
from wargamesim.games.skirmish.rules import HARD, OPEN, SOFT

COVER_STEP = 0.5  # cm between the points at which a figure's cover is looked for
WORD = 64  # bits of a word of observers


class Table(Land):
    """A state, the ground it stands on, and the rulebook, with questions about them.

    Every row of fields (``wounds[figure]``, ...) is a view: what is written to it is written to the state.

    Parameters
    ----------
    state, ground, play : records
        See `layout` and `playing`.
    """

    def __init__(self, state: State, ground: Ground, play: Play) -> None:
        super().__init__(ground)
        self.state = state
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
        self.melee_die, self.other_die, self.level = row[MELEE_DIE], row[OTHER_DIE], row[LEVEL]
        # These have a row for each weapon of a figure: weapon[slot][figure].
        self.weapon, self.start, self.loading = row[WEAPON:], row[START:], row[LOADING:]
        self.capacity, self.rounds = row[CAPACITY:], row[ROUNDS:]
        self.x, self.y, self.face_x, self.face_y = (state.place[i] for i in (X, Y, FACE_X, FACE_Y))
        self.drop_x, self.drop_y = state.place[DROP_X], state.place[DROP_Y]

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

    def knows(self, observer: int, figure: int) -> bool:
        """Tell whether a figure knows of an enemy: one whom nobody hides, or whom it has spotted itself (NA-6.6)."""
        spotted = int(self.state.observers[observer // WORD, figure]) >> observer % WORD & 1
        return bool(not self.hidden[figure] or spotted)

    def note_spotted(self, observer: int, figure: int) -> None:
        """Let one figure alone know of a hidden enemy."""
        self.state.observers[observer // WORD, figure] |= np.uint64(1 << observer % WORD)

    def hide(self, figure: int) -> None:
        """Hide a figure: nobody knows of it any more."""
        self.hidden[figure] = 1
        self.state.observers[:, figure] = 0

    def known(self, figure: int) -> list[int]:
        """Return the enemies in play of whom a figure knows."""
        return [f for f in self.enemies(figure) if self.knows(figure, f)]

    def visible(self, figure: int, place: Place | None = None) -> list[int]:
        """Return the known enemies whom a figure sees, from its own place or from another."""
        return [f for f in self.known(figure) if self.sees(figure, f, place)]

    def touches(self, figure: int, place: Place | None = None) -> list[int]:
        """Return the enemies in contact with a figure, where it is or would be on its floor (NA-1.4)."""
        here = place or self.place(figure)
        beside = (f for f in self.enemies(figure) if self.level[f] == self.level[figure])
        return [f for f in beside if is_near(here, self.place(f), self.play.diameter)]

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

    # Sight and cover

    def sees(self, figure: int, other: int, place: Place | None = None) -> bool:
        """Tell whether the line between two figures is free, whoever hides; the first may be thought elsewhere."""
        if not self.is_opaque and self.reading["sight"] == "terrain":
            return True
        ends = {figure: place or self.place(figure), other: self.place(other)}
        start, end = ends[min(figure, other)], ends[max(figure, other)]
        apart = self.level[figure] != self.level[other]
        if apart and self.is_opaque and self.house_at(start) == self.house_at(end) > 0:
            return False
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
        if not self.keeps_floor(figure, end):
            return inf
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

    def keeps_floor(self, figure: int, end: Place) -> bool:
        """Tell whether a straight way stays on a figure's floor: above the ground, inside its house (NA-3.9)."""
        if not self.level[figure]:
            return True
        house = self.house_at(self.place(figure))
        return all(self.house_at(point) == house for point in self.points(self.place(figure), end))

    def takes_room(self, figure: int) -> bool:
        """Tell whether nobody may stand on a figure's base: those in play, and prisoners on the table."""
        is_prisoner = self.status[figure] == CAPTURED and self.reading["prisoner"] != "leaves_play"
        return self.is_in_play(figure) or bool(is_prisoner)

    def fits(self, figure: int, place: Place, level: int | None = None) -> bool:
        """Tell whether a figure may end a move at a place: on the table, on no wall, on nobody's base on that floor.

        The prisoner whom it drags comes to the very place that it goes to. Above the ground it stays in its house.
        """
        if not self.is_on_table(place) or self.square(place) & WALL:
            return False
        floor = int(self.level[figure]) if level is None else level
        if floor and self.house_at(place) != self.house_at(self.place(figure)):
            return False
        others = (f for f in range(self.count) if f not in (figure, self.drags[figure]) and self.level[f] == floor)
        return not any(self.takes_room(f) and self._overlaps(place, self.place(f)) for f in others)

    def passes(self, figure: int, end: Place) -> bool:
        """Tell whether a straight way keeps off every enemy on its floor with whom the figure is not in contact."""
        others = set(self.enemies(figure)) - set(self.touches(figure))
        on_floor = [f for f in others if self.level[f] == self.level[figure]]
        between = self.points(self.place(figure), end)[:-1]
        return not any(self._overlaps(point, self.place(f)) for point in between for f in on_floor)

    def _overlaps(self, place: Place, other: Place) -> bool:
        dx, dy = other[0] - place[0], other[1] - place[1]
        apart = self.play.diameter * LESS
        return bool(dx * dx + dy * dy <= apart * apart)
