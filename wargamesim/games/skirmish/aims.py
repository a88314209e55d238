"""What wins a skirmish, as a record, once it is sure that it can be reached."""

from __future__ import annotations

from math import ceil, sqrt

from wargamesim.errors import InputError
from wargamesim.games.skirmish.layout import EVADES, GOALS, ROLES, SIDES, WALL, Goals, Ground, State
from wargamesim.games.skirmish.playing import CHOICES, Play
from wargamesim.games.skirmish.schema import EDGES, Content, Hold
from wargamesim.records import new_record


def goals_of(content: Content) -> Goals:
    """Return what wins; the share of losses that breaks a side becomes a number of figures."""
    goals = new_record(GOALS)
    goals.turns = content.turns
    goals.at_limit = -1 if content.victory.at_limit is None else SIDES.index(content.victory.at_limit)
    for side, name in enumerate(SIDES):
        aims = content.aims(name)
        goals.home[side] = EDGES[content.army(name).home]
        goals.prisoners[side] = aims.prisoners
        if aims.breaks_at is not None:
            goals.breaks_at[side] = max(ceil(aims.breaks_at * content.figures(name) - 1e-9), 1)
        if aims.hold is not None:
            goals.hold[side] = aims.hold.west, aims.hold.north, aims.hold.east, aims.hold.south
            goals.hold_figures[side], goals.hold_turns[side] = aims.hold.figures, aims.hold.turns
        if aims.exit is not None:
            goals.exit_edge[side] = EDGES[aims.exit.edge]
            goals.exit_figures[side], goals.exit_loads[side] = aims.exit.figures, aims.exit.loads
    return goals


def check_aims(content: Content, play: Play, ground: Ground, start: State) -> None:
    """Check that what each side wins by can be reached on this ground by these rules.

    Raises
    ------
    InputError
        If a place has no room for the figures who must hold it, nobody can lead a load away, or nobody can take a
        prisoner.
    """
    for side, name in enumerate(SIDES):
        aims, key = content.aims(name), f"victory.{name}"
        if aims.hold is not None:
            room = _room(aims.hold, ground, float(play.diameter))
            if aims.hold.figures > room:
                raise InputError(
                    f"wants {aims.hold.figures}, but the place has room for {room} at most"
                    f" (bases {play.diameter:g} cm wide, none in a wall)",
                    key=f"{key}.hold.figures",
                )
        if aims.exit is not None and aims.exit.loads and not max(play.drag, play.drag_difficult):
            raise InputError("nobody can lead a load away: move.drag is 0", key=f"{key}.exit.loads")
        if aims.prisoners and not _can_capture(play, start, side):
            raise InputError(
                f"nobody can take a prisoner: that needs {play.capture_figures} figures against one (capture.figures),"
                f" and this side has {start.fielded[side]}",
                key=f"{key}.prisoners",
            )


def _room(hold: Hold, ground: Ground, diameter: float) -> int:
    """Return how many figures a place certainly cannot exceed, by Oler's bound on points so far apart."""
    squares = ground.what[int(hold.north) : ceil(hold.south), int(hold.west) : ceil(hold.east)]
    if (squares & WALL).all():
        return 0
    wide, high = (hold.east - hold.west) / diameter, (hold.south - hold.north) / diameter
    return int(2 / sqrt(3) * wide * high + wide + high + 1 + 1e-9) * int(ground.floors.max())


def _can_capture(play: Play, start: State, side: int) -> bool:
    """Tell whether a side may take prisoners: by its numbers in close combat, or because one who evades falls."""
    falls = CHOICES["evade_fall"][1][int(play.evade_fall)] == "captured" and play.has_falls
    first = int(start.fielded[0])
    enemies = start.figure[ROLES, first : int(start.count)] if side == 0 else start.figure[ROLES, :first]
    return bool(start.fielded[side] >= play.capture_figures or (falls and (enemies & EVADES).any()))
