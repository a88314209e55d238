"""The tables of assaults and clashes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

from numpy.typing import ArrayLike

from wargamesim.dice.pmf import Floats
from wargamesim.errors import unknown
from wargamesim.games import options as ask
from wargamesim.games.coloniale.assault import Side, assault
from wargamesim.games.coloniale.clash import clash, preparation
from wargamesim.games.coloniale.grid import (
    MOST_FIGURES,
    MOST_TURNS,
    UNIT_OPTIONS,
    Grid,
    Options,
    answers,
    asked_units,
    grid,
    presets,
    units,
)
from wargamesim.games.coloniale.pursuit import pursuit
from wargamesim.games.coloniale.rules import GROUNDS, preset
from wargamesim.rulebook import Rulebook
from wargamesim.table import Table

FIGHT_OPTIONS = ("preset", *UNIT_OPTIONS, "ground", "advantage")
Books = Mapping[str, Rulebook]
Rows = list[tuple[Any, ...]]


def assault_table(rulebook: Rulebook, options: Options) -> Table:
    """Answer ``assault``; options show, those of `FIGHT_OPTIONS` and, with ``--show preparation``, volleys."""
    show = options.get("show", "result")
    if show not in _VIEWS:
        raise unknown("view", show, _VIEWS, key="--show")
    allowed, view = _VIEWS[show]
    ask.check_options(options, ("show", *FIGHT_OPTIONS, *allowed))
    names = presets(rulebook, options, tuple(rulebook.readings["CO-5.2"].options))
    return view({name: preset(rulebook, name) for name in names}, options)


def clash_table(rulebook: Rulebook, options: Options) -> Table:
    """Answer ``clash``; options fire and those of `FIGHT_OPTIONS`."""
    names = presets(rulebook, options, (rulebook.reading("CO-5.2"),))
    cases = _cases(options, ("fire",), fire=ask.numbers(options, "fire", "0:5", 0, MOST_TURNS))
    rows: Rows = []
    for name in names:
        end = clash(preset(rulebook, name), cases.at["fire"], *units(cases), **_ground(cases))
        columns = (
            end.defender_shot,
            end.defender_shot + end.attacker_wins,
            end.attacker_shot,
            end.attacker_shot + end.defender_wins,
            end.both_shot + end.both_gone + end.draw,
            end.attacker_figures,
            end.defender_figures,
        )
        rows += [(name, *row)["preset" not in options :] for row in cases.rows(*columns)]
    heads = cases.heads(
        *("defender shot", "taken", "attacker shot", "held", "neither", "attackers left", "defenders left")
    )
    return Table(
        ("preset", *heads)["preset" not in options :],
        rows,
        title="A clash: turns of fire, then an assault (CO-4.2, CO-5.2)",
        notes=cases.notes(
            "Fire: turns in which both rally and fire; in the next one the defender fires and the attacker assaults.",
            "Shot: destroyed by fire. Taken: the defender is shot or loses the assault; held: the attacker is or does.",
            f"Preset: {', '.join(names)}.",
        ),
    )


def _cases(options: Options, always: Sequence[str] = (), ground: str = GROUNDS[0], **more: Sequence[int]) -> Grid:
    asked: dict[str, Sequence[Any]] = {
        **more,
        **asked_units(options),
        "ground": ask.names(options, "ground", "ground", GROUNDS) or ground.split(","),
        "advantage": answers(options, "advantage"),
    }
    return grid(options, asked, always)


def _ground(cases: Grid) -> dict[str, Any]:
    return {"ground": cases.at["ground"], "advantage": cases.yes("advantage")}


def _by_side(books: Books, cases: Grid, columns: Callable[[Side], Sequence[ArrayLike]]) -> Rows:
    """Two rows a case: what one assault does to the attacker, and to the defender."""
    rows: Rows = []
    for name, book in books.items():
        end = assault(book, *units(cases), **_ground(cases))
        both = (
            cases.rows([side] * end.draw.size, *columns(what))
            for side, what in (("attacker", end.attacker), ("defender", end.defender))
        )
        rows += [(name, *row) for row in chain.from_iterable(zip(*both, strict=True))]
    return rows


def _result_view(books: Books, options: Options) -> Table:
    cases = _cases(options)

    def columns(side: Side) -> tuple[Floats, ...]:
        change = side.change
        return side.wins, side.losses.mean(), side.gone, side.markers.mean(), change.more_than(0), change.less_than(0)

    return Table(
        ("preset", *cases.heads("side", "wins", "losses", "gone", "markers", "rises", "falls")),
        _by_side(books, cases, columns),
        title="One assault: figures lost and markers added on average (CO-5.2 to CO-5.7)",
        notes=cases.notes(
            "Gone: no figure is left. Rises, falls: the discipline of a survivor does.",
            "Other views: --show losses, --show preparation, --show pursuit.",
        ),
    )


def _losses_view(books: Books, options: Options) -> Table:
    cases = _cases(options)
    most = max(int(cases.at[name].max()) for name in ("attackers", "defenders"))
    return Table(
        ("preset", *cases.heads("side", *map(str, range(most + 1)))),
        _by_side(books, cases, lambda side: [side.losses.equal_to(lost) for lost in range(most + 1)]),
        title="One assault: figures lost in all (CO-5.2, CO-5.6)",
        notes=cases.notes("The loser's extra figure is among them."),
    )


def _preparation_view(books: Books, options: Options) -> Table:
    volleys = ask.numbers(options, "volleys", "0:3", 0, MOST_FIGURES)
    cases = _cases(options, ("volleys", "ground"), "open,cover", volleys=volleys)
    rows: Rows = []
    for name, book in books.items():
        end = preparation(book, cases.at["volleys"], *units(cases), **_ground(cases))
        columns = (end.shot_to_pieces, end.attacker_wins, end.defender_beaten, end.defender_wins)
        rows += [(name, *row) for row in cases.rows(*columns, end.both_gone + end.draw)]
    return Table(
        ("preset", *cases.heads("shot to pieces", "assault won", "beaten", "assault lost", "neither")),
        rows,
        title="An assault that other units have prepared by fire in the same turn (CO-4.2, CO-5.2)",
        notes=cases.notes("Volleys: units that fire at the defender first, each with all the dice it may have."),
    )


def _pursuit_view(books: Books, options: Options) -> Table:
    cases = _cases(options)
    rows: Rows = []
    for name, book in books.items():
        end = pursuit(book, *units(cases), **_ground(cases))
        rows += [(name, *row) for row in cases.rows(*end)]
    heads = ("attacker gone", "defender gone", "both gone", "both left", "assaults", "attacker left", "defender left")
    return Table(
        ("preset", *cases.heads(*heads)),
        rows,
        title="Assault after assault, the winner always pursuing (CO-5.10)",
        notes=cases.notes("Assaults, and figures attacker and defender have left: on average."),
    )


_VIEWS: dict[str, tuple[tuple[str, ...], Callable[[Books, Options], Table]]] = {
    "result": ((), _result_view),
    "losses": ((), _losses_view),
    "preparation": (("volleys",), _preparation_view),
    "pursuit": ((), _pursuit_view),
}
