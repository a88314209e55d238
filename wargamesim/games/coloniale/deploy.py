"""Who stands where before the first turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import hypot

from wargamesim.errors import InputError
from wargamesim.games.coloniale import layout as at
from wargamesim.games.coloniale.layout import (
    MOST_AT_START,
    NOBODY,
    SIDES,
    STATE,
    State,
)
from wargamesim.games.coloniale.playing import Play
from wargamesim.games.coloniale.rules import ARMS, QUALITIES
from wargamesim.games.coloniale.schema import Content, Unit
from wargamesim.games.readers import Point
from wargamesim.records import new_record
from wargamesim.rulebook import Rulebook


@dataclass(frozen=True)
class Part:
    """A unit as it stands on the table: one of the scenario's, one of several alike, or a part of one."""

    side: int
    name: str
    key: str  # of the unit in the scenario
    unit: Unit
    figures: int
    drop: int  # taken off its discipline
    place: Point


def parts_of(content: Content, contact: float) -> list[Part]:
    """Return all units, those of the first side first, in the order of the scenario.

    Units that are alike stand a step apart. The parts of a divided battalion (`Army.split`) have as equal numbers of
    figures as possible, the larger ones first, and stand side by side, in the direction of the step.

    Parameters
    ----------
    content : Content
        The scenario.
    contact : float
        How near to each other units can stand, in cm.

    Raises
    ------
    InputError
        If a side has more units than it can.
    """
    parts = []
    for side, name in enumerate(SIDES):
        own = list(_parts(content, side, contact))
        if len(own) > MOST_AT_START:
            key = f"{name}.units" if content.army(name).split == 1 else f"{name}.split"
            raise InputError(f"makes {len(own)} units; a side has at most {MOST_AT_START}", key=key)
        parts += own
    return parts


def _parts(content: Content, side: int, contact: float) -> Iterator[Part]:
    army = content.army(SIDES[side])
    for name, unit in army.units.items():
        key, full = f"{SIDES[side]}.units.{name}", f"{SIDES[side]} {name}".replace("_", " ")
        for number in range(unit.count):
            called = full + (f" {number + 1}" if unit.count > 1 else "")
            if unit.at is None:
                yield Part(side, called, key, unit, unit.figures, 0, content.forts[unit.fort or ""])
                continue
            place = unit.at[0] + number * unit.step[0], unit.at[1] + number * unit.step[1]
            whole = Part(side, called, key, unit, unit.figures, 0, place)
            yield from _divided(whole, army.split, army.split_drop, contact)


def _divided(whole: Part, split: int, drop: int, contact: float) -> Iterator[Part]:
    """Yield the parts of a battalion; a battery stays whole (CO-6.4)."""
    count = min(split, whole.figures) if whole.unit.arm != "battery" else 1
    length = hypot(*whole.unit.step)
    apart = 1.05 * contact / length if length > 0 else 0.0
    for part in range(count):
        away = apart * (part - (count - 1) / 2)
        yield replace(
            whole,
            name=whole.name + (f" part {part + 1}" if count > 1 else ""),
            figures=whole.figures // count + (part < whole.figures % count),
            drop=drop if part else 0,
            place=(whole.place[0] + away * whole.unit.step[0], whole.place[1] + away * whole.unit.step[1]),
        )


def position(content: Content, parts: list[Part], rulebook: Rulebook, play: Play) -> State:
    """Return the position before the first turn.

    Raises
    ------
    InputError
        If a unit is off the table, on top of another, or larger or of another discipline than the rulebook allows.
    """
    start = new_record(STATE)
    start.count = len(parts)
    start.owner[:] = NOBODY
    forts = list(content.forts)
    for number, part in enumerate(parts):
        _check_place(content, parts[:number], part, play)
        start.place[number] = part.place
        unit, row = part.unit, start.unit[number]
        row[at.SIDE], row[at.ARM], row[at.STATUS] = part.side, ARMS.index(unit.arm), at.IN_PLAY
        row[at.QUALITY] = QUALITIES.index(unit.quality)
        row[at.FIG] = row[at.FIG0] = _figures(part, play)
        row[at.DISC] = row[at.DISC0] = _discipline(part, rulebook, play)
        row[at.MARKERS] = unit.markers
        row[at.RIFLES] = rulebook.number(f"units.{unit.arm}.rifles") if unit.rifles is None else unit.rifles
        row[at.VETERAN], row[at.FANATIC] = unit.veteran, unit.fanatic
        row[at.FORT] = 0 if unit.fort is None else forts.index(unit.fort) + 1
    return start


def _check_place(content: Content, others: list[Part], part: Part, play: Play) -> None:
    (x, y), key, rim, contact = part.place, f"{part.key}.at", float(play.rim), float(play.contact)
    if not (rim <= x <= content.table.width - rim and rim <= y <= content.table.height - rim):
        raise InputError(
            f"{part.name} would stand at [{x:g}, {y:g}], off the table of {content.table.width} by"
            f" {content.table.height} cm",
            key=key,
        )
    for other in others:
        away = hypot(x - other.place[0], y - other.place[1])
        if away < contact * (1 - 1e-9):
            raise InputError(
                f"{part.name} stands {away:g} cm from {other.name}; at least {contact:g} cm (table.contact, CO-5.1)"
                " must be between them",
                key=key,
            )


def _figures(part: Part, play: Play) -> int:
    """Return the figures of a unit (CO-1.2)."""
    most = int(play.most_figures[ARMS.index(part.unit.arm)])
    if part.unit.figures > most:
        raise InputError(
            f"must be a whole number from 1 to {most} for {part.unit.arm} (CO-1.2), not {part.unit.figures}",
            key=f"{part.key}.figures",
        )
    return part.figures


def _discipline(part: Part, rulebook: Rulebook, play: Play) -> int:
    """Return the discipline of a unit, or 0 if it is to be drawn (CO-1.3, CO-1.4)."""
    unit, least, most = part.unit, int(play.least), int(play.most)
    if unit.veteran and unit.fanatic and rulebook.reading("CO-P05") == "exclusive":
        raise InputError("a unit is veteran or fanatic, not both (CO-P05: exclusive)", key=f"{part.key}.fanatic")
    if unit.discipline is None:
        if unit.arm == "cavalry" and rulebook.reading("CO-P04") == "designer":
            raise InputError("is needed: nothing is drawn for cavalry (CO-P04: designer)", key=f"{part.key}.discipline")
        if part.drop:
            raise InputError(
                "is needed: parts of a unit lose split_drop points of a discipline that is given, not of a drawn one",
                key=f"{part.key}.discipline",
            )
        return 0
    if not least <= unit.discipline <= most:
        raise InputError(
            f"must be a whole number from {least} to {most} (CO-1.3), not {unit.discipline}",
            key=f"{part.key}.discipline",
        )
    return max(unit.discipline - part.drop, least)
