"""How a squad stands when the battle begins, and which way it looks."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil, cos, radians, sin

from wargamesim.games.readers import Point, by, one_of, real, whole
from wargamesim.games.skirmish.layout import LARGEST, MOST_FIGURES
from wargamesim.rulebook.read import optional, shown

# Unit vectors of the compass, and its names in steps of 45 degrees from the north.
_D = 0.7071067811865476
COMPASS = {
    "north": (0.0, -1.0),
    "north_east": (_D, -_D),
    "east": (1.0, 0.0),
    "south_east": (_D, _D),
    "south": (0.0, 1.0),
    "south_west": (-_D, _D),
    "west": (-1.0, 0.0),
    "north_west": (-_D, -_D),
}

# How figures stand; the spacing (cm), and the ranks or (in a column) files, if nothing else is said.
SHAPES = {"line": (2.5, 1), "column": (2.5, 2), "loose": (6.0, 2)}


def facing(raw: object) -> str | float:
    """Read a direction: a name of the compass, or degrees from the north."""
    if isinstance(raw, str):
        return one_of("direction", COMPASS)(raw)
    try:
        return real(0, 360)(raw)
    except ValueError:
        names = ", ".join(COMPASS)
        raise ValueError(f"must be {names}, or degrees from the north (0 to 360), not {shown(raw)}") from None


@dataclass(frozen=True)
class Formation:
    """How a squad stands at first: x and y are the middle of its front rank, `spacing` is from centre to centre.

    A line or loose order has `ranks`, a column so many `files` abreast; in loose order every other rank stands in the
    gaps of the one before it. Leaders stand behind the middle of the last rank.
    """

    shape: str = field(metadata=by(one_of("formation", SHAPES)))
    x: float = field(metadata=by(real(0, LARGEST, " cm")))
    y: float = field(metadata=by(real(0, LARGEST, " cm")))
    spacing: float | None = field(metadata=by(optional(real(0, LARGEST, " cm"))), default=None)
    ranks: int | None = field(metadata=by(optional(whole(1, MOST_FIGURES))), default=None)
    files: int | None = field(metadata=by(optional(whole(1, MOST_FIGURES))), default=None)

    def __post_init__(self) -> None:
        """Check that a column is not given in ranks, nor anything else in files."""
        wrong = "ranks" if self.shape == "column" else "files"
        if getattr(self, wrong) is not None:
            right = "files" if wrong == "ranks" else "ranks"
            raise ValueError(f"a {self.shape} has no `{wrong}` but `{right}`")

    @property
    def apart(self) -> float:
        """The spacing in cm."""
        return SHAPES[self.shape][0] if self.spacing is None else self.spacing

    def abreast(self, figures: int) -> int:
        """Return how many of so many figures stand in a full rank."""
        number = self.ranks or self.files or SHAPES[self.shape][1]
        return number if self.shape == "column" else ceil(figures / number)


def direction(facing: str | float) -> Point:
    """Return a facing as a unit vector: a point of the compass, or degrees clockwise from the north.

    Examples
    --------
    >>> direction("west"), direction(90.0)
    ((-1.0, 0.0), (1.0, 0.0))
    """
    if isinstance(facing, str):
        return COMPASS[facing]
    step, rest = divmod(facing, 45)
    if not rest:  # The eight points of the compass are exact, however they are written.
        return list(COMPASS.values())[int(step) % 8]
    return sin(radians(facing)), -cos(radians(facing))


def formed(formation: Formation, facing: Point, leads: list[bool]) -> list[Point]:
    """Return the places of a squad in formation.

    Figures fill the ranks in their order, from the front and from left to right as they look; a rank that is not full
    stands in the middle. Leaders stand in a rank of their own behind the last.

    Parameters
    ----------
    formation : Formation
        With its shape, spacing and the middle of its front rank.
    facing : (x, y)
        The unit vector in which it looks.
    leads : list of bool
        Whether each figure, in order, is a leader.

    Returns
    -------
    list of (x, y)
        In cm, in the order of `leads`.

    Examples
    --------
    >>> line = Formation("line", 50, 40, spacing=4.0)
    >>> formed(line, (0.0, -1.0), [False, False, True, False])
    [(46.0, 40.0), (50.0, 40.0), (50.0, 44.0), (54.0, 40.0)]
    """
    others = leads.count(False)
    wide = max(formation.abreast(others), 1)
    ranks = [min(wide, others - first) for first in range(0, others, wide)]
    slots = _slots(formation, facing, [*ranks, leads.count(True)])
    in_ranks, behind = slots[:others], slots[others:]
    places = {False: iter(in_ranks), True: iter(behind)}
    return [next(places[lead]) for lead in leads]


def _slots(formation: Formation, facing: Point, ranks: list[int]) -> list[Point]:
    """Return the places of ranks of given sizes, the last of them the leaders'."""
    (ahead_x, ahead_y), (right_x, right_y) = facing, (-facing[1], facing[0])
    slots = []
    for rank, size in enumerate(ranks):
        loose = formation.shape == "loose" and rank < len(ranks) - 1
        shift = (size - ranks[0] + rank) % 2 / 2 if loose else 0.0  # into the gaps of the rank before
        for file in range(size):
            across, back = (file - (size - 1) / 2 + shift) * formation.apart, rank * formation.apart
            slots.append(
                (formation.x + across * right_x - back * ahead_x, formation.y + across * right_y - back * ahead_y)
            )
    return slots
