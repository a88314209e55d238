"""Phase D: tactical moves, and battalions that merge, divide and reinforce (section 6 of the rules)."""

from __future__ import annotations

from wargamesim.games.coloniale.layout import (
    CAVALRY,
    INFANTRY,
    MERGE,
    MERGED,
    MERGERS,
    MOVE,
    REINFORCE,
    REINFORCEMENTS,
    SPLIT,
    SPLITS,
    STAY,
    T_MOVE,
)
from wargamesim.games.coloniale.referee_course import Course, at, plural, spot
from wargamesim.games.coloniale.referee_plan import Action

NOBODY = -1


class MovePhase:
    """Phase D.

    Parameters
    ----------
    course : Course
    """

    def __init__(self, course: Course) -> None:
        self.course = course

    def can(self, unit: int) -> bool:
        """Tell whether a unit can make a tactical move (CO-6.1)."""
        return not self.course.table.action[unit]

    def act(self, unit: int) -> None:
        """Ask a unit's player what it does, and once more if it divided or reinforced for nothing (CO-P23)."""
        what = self._ask(unit, again=False)
        if what in (SPLIT, REINFORCE) and not self.course.table.action[unit]:
            self._ask(unit, again=True)

    def _ask(self, unit: int, *, again: bool) -> int:
        course, table = self.course, self.course.table
        course.ask("move", int(table.side[unit]), unit)
        action = Action.of(course.plan)
        course.judge.move(unit, action, again=again)
        if action.what == STAY:
            return STAY
        do = {MOVE: self._walk, MERGE: self._merge, SPLIT: self._split, REINFORCE: self._reinforce}
        other = do[action.what](unit, action)
        others = (table.fig[other], table.disc[other]) if other != NOBODY else (-1, -1)
        place = spot(table.place(unit))
        course.note(T_MOVE, unit, action.what, other, *place, table.fig[unit], *others, table.fort[unit])
        return action.what

    def _walk(self, unit: int, action: Action) -> int:
        course, table = self.course, self.course.table
        table.put(unit, action.to)
        table.fort[unit], table.action[unit] = action.node, 1
        into = f" into {course.setup.fort_names[action.node - 1]}" if action.node else ""
        course.tell("CO-6.1", f"{course.name(unit)} moves to {at(action.to)}{into}")
        return NOBODY

    def _merge(self, unit: int, action: Action) -> int:
        """The target goes on with what both have (CO-6.3)."""
        course, table, target = self.course, self.course.table, action.target
        is_mixed = table.arm[unit] != table.arm[target]
        if course.reading["kind"] == "arm_or_quality":
            is_mixed |= table.quality[unit] != table.quality[target]
        discipline = min(int(table.disc[unit]), int(table.disc[target]))
        if is_mixed:
            discipline = max(discipline - course.play.mixed_drop, course.play.lowest)
        table.disc[target] = discipline
        table.arm[target] = CAVALRY if table.are_mounted((unit, target)) else INFANTRY
        self._add(target, int(table.fig[unit]))
        table.fig0[target] += table.fig0[unit]
        table.markers[target] = max(table.markers[target], table.markers[unit])
        table.quality[target] = min(table.quality[target], table.quality[unit])
        table.disc0[target] = min(table.disc0[target], table.disc0[unit])
        for flag in (table.rifles, table.veteran, table.fanatic):
            flag[target] = flag[target] and flag[unit]
        table.status[unit], table.fort[unit], table.fig[unit] = MERGED, 0, 0
        table.action[target] = 1
        course.tally(MERGERS, course.side)
        strength = f"{plural(int(table.fig[target]), 'figure')}, discipline {discipline}"
        course.tell("CO-6.3", f"{course.name(unit)} merges into {course.name(target)}, which now has {strength}")
        return target

    def _add(self, unit: int, figures: int) -> None:
        """Add figures to a unit; those too many may be lost (CO-P22)."""
        course, table = self.course, self.course.table
        table.fig[unit] += figures
        if course.reading["too_large"] == "surplus_lost":
            most = course.play.most_figures[CAVALRY if table.are_mounted((unit,)) else INFANTRY]
            table.fig[unit] = min(int(table.fig[unit]), most)

    def _split(self, unit: int, action: Action) -> int:
        """Part of a battalion goes to a place of its own, without the commander (CO-6.4)."""
        course, table, half = self.course, self.course.table, self.course.table.count
        course.state.count += 1
        course.state.unit[half] = course.state.unit[unit]
        course.new_half(unit)
        table.put(half, action.to)
        table.fort[half], table.fig[half] = 0, action.figures
        table.fig0[half] = max(min(action.figures, int(table.fig0[unit]) - 1), 1)
        table.disc[half] = max(int(table.disc[unit]) - course.play.split_drop, course.play.lowest)
        table.fig[unit] -= action.figures
        table.fig0[unit] = max(int(table.fig0[unit] - table.fig0[half]), 1)
        self._mark(unit, half)
        course.tally(SPLITS, course.side)
        strength = f"{plural(action.figures, 'figure')}, discipline {int(table.disc[half])}"
        course.tell("CO-6.4", f"{course.name(unit)} divides: {course.name(half)} ({strength}) at {at(action.to)}")
        return half

    def _reinforce(self, unit: int, action: Action) -> int:
        """A battalion sends figures to another (CO-6.5)."""
        course, table, target = self.course, self.course.table, action.target
        if not table.are_mounted((unit, target)):
            table.arm[target] = INFANTRY
        table.rifles[target] = table.rifles[target] and table.rifles[unit]
        table.disc[target] = min(table.disc[target], table.disc[unit])
        self._add(target, action.figures)
        table.fig[unit] -= action.figures
        self._mark(unit, target)
        course.tally(REINFORCEMENTS, course.side)
        sent = f"{course.name(unit)} sends {plural(action.figures, 'figure')} to {course.name(target)}"
        course.tell(
            "CO-6.5", f"{sent}, which now has {int(table.fig[target])} and discipline {int(table.disc[target])}"
        )
        return target

    def _mark(self, giver: int, taker: int) -> None:
        """Give Action markers for dividing and reinforcing (CO-P23)."""
        table, who = self.course.table, self.course.reading["free_action"]
        if who != "none":
            table.action[giver] = 1
        if who == "both":
            table.action[taker] = 1
