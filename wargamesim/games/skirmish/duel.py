"""Two figures that fire at each other from a distance until one is out: shots, reloading and morale as a chain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from wargamesim.dice.arguments import integer
from wargamesim.errors import unknown
from wargamesim.games import options as ask
from wargamesim.games.skirmish.asked import FURTHEST, MOST_MODIFIER, circumstances, one, whole
from wargamesim.games.skirmish.fire import Shot, distances, shot_by
from wargamesim.games.skirmish.morale import Morale, modifier_by, morale
from wargamesim.games.skirmish.reload import reload_by
from wargamesim.games.skirmish.rules import COVERS, OPEN, Floats, Rules, compile_rules, indices
from wargamesim.rulebook import Rulebook
from wargamesim.table import Table

FIRSTS, SNAPS = ("either", "a", "b"), ("never", "always")
READY, MOST_TURNS = 0, 1000


@dataclass(frozen=True)
class Figure:
    """One of the two.

    Parameters
    ----------
    weapon : str
    quality : str or None
        Its grade; the middle one of the rulebook for None.
    loading : str
        How the weapon is loaded: "muzzle", or "breech" where the rulebook knows breech-loaders.
    cover : {"open", "soft", "hard"}
        Where it stands.
    snap : {"never", "always"}
        Whether it tries snap shots.
    modifier : int
        Added to its rolls to hit.
    when : tuple of str
        Circumstances of its morale, such as "leader"; that of a wound comes by itself.
    """

    weapon: str
    quality: str | None = None
    loading: str = "muzzle"
    cover: str = "open"
    snap: str = "never"
    modifier: int = 0
    when: tuple[str, ...] = ()


class Duel(NamedTuple):
    """How a duel ends; arrays of the shape of the distances.

    The chances that a figure is shot, by a kill or by wounds, or routs; with `undecided` they sum to 1. `turns` is
    the mean number of turns until then, infinite where the duel may never end.
    """

    a_shot: Floats
    a_routs: Floats
    b_shot: Floats
    b_routs: Floats
    undecided: Floats
    turns: Floats


def duel(rulebook: Rulebook, a: Figure, b: Figure, distance: ArrayLike, *, first: str = "either") -> Duel:
    """Return how a duel to the end goes.

    Each turn both figures are activated once. One with a blue marker tests its morale first: it may be pinned, and
    does nothing in the turn, or rout. Then it takes an aimed shot if its weapon is loaded, else it reloads. Both begin
    unhurt and loaded, and neither moves.

    Parameters
    ----------
    rulebook : Rulebook
    a, b : Figure
    distance : float or array_like of float, at least 0
        Between them, in cm.
    first : {"either", "a", "b"}
        Who is activated first in each turn; either, with even chances, as by cards.

    Returns
    -------
    Duel

    Raises
    ------
    InputError
        If a name is unknown or a distance is negative.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> fight = duel(load_rulebook("nordamerica"), Figure("rifle"), Figure("musket"), [20, 40])
    >>> (fight.b_shot + fight.b_routs).round(4)
    array([0.5579, 0.6047])
    """
    turn, ends, wounds_out = _chain(rulebook, a, b, distance, first)
    size = turn.shape[-1]
    # A state from which no end can be reached goes on for ever: that is an end of its own, of no turns.
    may_go, may_end = turn > 0, np.asarray(ends.any(axis=-1))
    before = np.zeros_like(may_end)
    while (may_end != before).any():
        before, may_end = may_end, np.asarray(may_end | (may_go & may_end[..., None, :]).any(axis=-1))
    turn = turn * may_end[..., None]
    known = np.concatenate([ends, ~may_end[..., None], may_end[..., None]], axis=-1)
    # Wounds never heal, so states come in blocks by the wounds of both, and a block is solved after all it leads to.
    found, block = np.zeros(known.shape), size // wounds_out**2
    for start in range(size - block, -1, -block):
        here = slice(start, start + block)
        goes_on = np.eye(block) - turn[..., here, here]
        leads_to = np.einsum("...ij,...jk->...ik", turn[..., here, :], found)
        found[..., here, :] = np.linalg.solve(goes_on, known[..., here, :] + leads_to)
    result = Duel(*np.moveaxis(found[..., 0, :], -1, 0))
    return result._replace(turns=np.where(result.undecided > 0, np.inf, result.turns))


def duel_by_turn(
    rulebook: Rulebook, a: Figure, b: Figure, distance: ArrayLike, turns: int, *, first: str = "either"
) -> Duel:
    """Return how a duel stands after 0 to a number of turns; otherwise as `duel`.

    Parameters
    ----------
    rulebook, a, b, distance, first
        As in `duel`.
    turns : int, at least 0

    Returns
    -------
    Duel
        With one more axis, of ``turns + 1``; its `turns` are 0, 1, 2 and so on.

    Raises
    ------
    InputError
        As `duel`, or if `turns` is no integer or negative.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> book = load_rulebook("nordamerica")
    >>> duel_by_turn(book, Figure("rifle"), Figure("musket"), 20, 2).undecided.round(4)
    array([1.    , 0.6692, 0.6081])
    """
    last = integer("turns", turns, minimum=0)
    turn, ends, _ = _chain(rulebook, a, b, distance, first)
    now = np.zeros((*turn.shape[:-2], 1, turn.shape[-1]))
    now[..., 0] = 1.0
    ended = [np.zeros(ends.shape[:-2] + ends.shape[-1:])]
    undecided = [now.sum(axis=-1)[..., 0]]
    for _ in range(last):
        ended.append(ended[-1] + (now @ ends)[..., 0, :])
        now = now @ turn
        undecided.append(now.sum(axis=-1)[..., 0])
    chances = np.moveaxis(np.stack(ended, axis=-2), -1, 0)
    number = np.broadcast_to(np.arange(last + 1.0), chances.shape[1:])
    return Duel(*(*chances, np.stack(undecided, axis=-1), number))


class _Side(NamedTuple):
    """One figure as its chain needs it; `fire` is [distance, own wounds, target's wounds, aimed or snap]."""

    loads: int
    after_shot: int
    after_misfire: int
    snap: float
    reloads: bool
    fire: Shot
    tests: Morale


class _Activation(NamedTuple):
    """What an activation does, by the figure's status s and load l and the target's status t.

    ``goes_on[..., s, l, t, s2, l2, t2]`` is the chance that they become s2, l2 and t2, ``shoots[..., s, l, t]`` that
    the target is shot and ``routs[..., s, l, t]`` that the figure routs. A status is wounds and, in its last bit, a
    blue marker.
    """

    goes_on: Floats
    shoots: Floats
    routs: Floats


def _chain(rulebook: Rulebook, a: Figure, b: Figure, distance: ArrayLike, first: str) -> tuple[Floats, Floats, int]:
    """The chain of turns: [..., n, n] from state to state, [..., n, 4] to the ends in the order of `Duel`, and the
    wounds that put a figure out. States are ordered by the wounds of a and of b, then by the rest; 0 is the start.
    """
    if first not in FIRSTS:
        raise unknown("first figure", first, FIRSTS, key="first")
    rules, far = compile_rules(rulebook), distances(distance)
    sides = _side(rulebook, rules, a, b, far), _side(rulebook, rules, b, a, far)
    outs = rules.result.wounds_out
    by_a, by_b = (_activation(side, outs, far.shape) for side in sides)
    a_first, b_first = _turn(by_a, by_b), _turn(by_b, by_a)
    # With b first, b's axes and ends lead: they change places with a's.
    swapped = b_first[0].swapaxes(-8, -6).swapaxes(-7, -5).swapaxes(-4, -2).swapaxes(-3, -1)
    ends_swapped = b_first[1].swapaxes(-5, -3).swapaxes(-4, -2)[..., [2, 3, 0, 1]]
    share = {"either": 0.5, "a": 1.0, "b": 0.0}[first]
    turn = share * a_first[0] + (1 - share) * swapped
    ends = share * a_first[1] + (1 - share) * ends_swapped
    loads_a, loads_b = (side.loads for side in sides)
    size = 4 * outs**2 * loads_a * loads_b
    natural = np.arange(size).reshape(outs, 2, loads_a, outs, 2, loads_b)
    order = natural.transpose(0, 3, 1, 2, 4, 5).ravel()
    turn, ends = turn.reshape(*far.shape, size, size), ends.reshape(*far.shape, size, 4)
    return turn[..., order[:, None], order], ends[..., order, :], outs


def _turn(one: _Activation, other: _Activation) -> tuple[Floats, Floats]:
    """A turn in which one figure is activated before the other: [..., s, l, t, m, s2, l2, t2, m2] with the status and
    load of the one and of the other, in front and behind; and [..., s, l, t, m, 4]: shot and routs, of the one and the
    other.
    """
    # The one's activation goes from s, l, t to u, k, v; then the other's from v, m, u to x, y, z. As matrices of (s, l,
    # t, k) by (u, v) and (u, v) by (m, x, y, z); the threads of a matrix product would cost more than they save.
    *batch, statuses, loads, _, _, _, _ = one.goes_on.shape
    other_loads = other.goes_on.shape[-5]
    before = one.goes_on.swapaxes(-3, -2).reshape(*batch, -1, statuses**2)
    behind = np.moveaxis(other.goes_on, -4, -6).reshape(*batch, statuses**2, -1)
    both = np.einsum("...ij,...jk->...ik", before, behind)
    both = both.reshape(*batch, statuses, loads, statuses, loads, other_loads, statuses, other_loads, statuses)
    after = np.einsum("...sltkmxyz->...sltmzkxy", both)
    ends = [
        np.einsum("...sltukv,...vmu->...sltm", one.goes_on, other.shoots),
        np.broadcast_to(one.routs[..., None], after.shape[:-4]),
        np.broadcast_to(one.shoots[..., None], after.shape[:-4]),
        np.einsum("...sltukv,...vmu->...sltm", one.goes_on, other.routs),
    ]
    return after, np.stack(ends, axis=-1)


def _side(rulebook: Rulebook, rules: Rules, own: Figure, other: Figure, far: Floats) -> _Side:
    if own.snap not in SNAPS:
        raise unknown("use of snap shots", own.snap, SNAPS, key="snap")
    work = reload_by(rules, own.weapon, own.quality, own.loading)
    outs, modifiers = rules.result.wounds_out, rules.fire.modifiers
    hurt, target_hurt = np.arange(outs)[:, None, None] > 0, np.arange(outs)[:, None] > 0
    plus = own.modifier + hurt * modifiers["shooter_wounded"] + np.array([0, modifiers["unaimed"]])
    if rules.result.falls:
        # Who is wounded by fire lies from then on, which does not count beside cover (NA-4.10d).
        prone = modifiers.get("target_prone", 0) if indices(other.cover, "cover", COVERS, "cover") == OPEN else 0
        plus = plus + hurt * modifiers.get("shooter_prone", 0) + target_hurt * prone
    plus = np.broadcast_to(plus, (outs, outs, 2))
    must = rules.readings["snap"] == "compulsory"
    thrown = bool(rules.weapons.thrown[rules.weapon(own.weapon)])
    spent = thrown and rules.readings["thrown"] != "unlimited"
    wounded = np.arange(outs) > 0
    total = modifier_by(rules, own.quality, own.when, "when") + wounded * rules.morale_modifiers["wounded"]
    after = 1 if spent else int(work.actions)
    return _Side(
        loads=max(after, int(work.after_misfire)) + 1,
        after_shot=after,
        after_misfire=int(work.after_misfire),
        snap=float(work.snap) if own.snap == "always" or must else 0.0,
        reloads=not spent,
        fire=shot_by(rules, own.weapon, far[..., None, None, None], plus, other.cover, own.quality, ()),
        tests=morale(rulebook, total),
    )


def _activation(side: _Side, outs: int, shape: tuple[int, ...]) -> _Activation:
    """What an activation of a figure does."""
    statuses, loads = 2 * outs, side.loads
    goes_on = np.zeros((*shape, statuses, loads, statuses, statuses, loads, statuses))
    shoots = np.zeros((*shape, statuses, loads, statuses))
    routs = np.zeros(shoots.shape)

    def fire(start: tuple[int, int, int], snap: bool, weight: float) -> None:
        """Add a shot of a figure that is or has become steady."""
        wounds, (_, _, target) = start[0] // 2, start
        calm, hurt = 2 * wounds, target // 2
        shot = Shot(*(weight * part[..., wounds, hurt, int(snap)] for part in side.fire))
        goes_on[(..., *start, calm, READY, target)] += shot.no_shot
        goes_on[(..., *start, calm, side.after_misfire, target)] += shot.misfire
        goes_on[(..., *start, calm, side.after_shot, target)] += shot.missed + shot.natural_miss
        goes_on[(..., *start, calm, side.after_shot, 2 * hurt + 1)] += shot.near_miss
        if hurt + 1 < outs:
            goes_on[(..., *start, calm, side.after_shot, 2 * hurt + 3)] += shot.wounded
        else:
            shoots[(..., *start)] += shot.wounded
        shoots[(..., *start)] += shot.killed

    for start in np.ndindex(statuses, loads, statuses):
        (wounds, marked), load, target = divmod(start[0], 2), *start[1:]
        steady, pinned, rout = (float(part[wounds]) for part in side.tests) if marked else (1.0, 0.0, 0.0)
        goes_on[(..., *start, *start)] += pinned
        routs[(..., *start)] += rout
        if load == READY:
            fire(start, False, steady)
        elif load > 1 or not side.reloads:
            goes_on[(..., *start, 2 * wounds, load - side.reloads, target)] += steady
        else:
            fire(start, True, steady * side.snap)
            goes_on[(..., *start, 2 * wounds, READY, target)] += steady * (1 - side.snap)
    return _Activation(goes_on, shoots, routs)


def table(rulebook: Rulebook, options: Mapping[str, str]) -> Table:
    """Answer the question `duel`: by distance, or turn by turn."""
    rules = compile_rules(rulebook)
    a, b = (_figure(rules, options, side, i) for i, side in enumerate("ab"))
    first = one(options, "first", "first figure", FIRSTS, "either")
    notes = [_described(rules, side, figure) for side, figure in (("a", a), ("b", b))]
    notes.append(f"Activated first in each turn: {first}. Shot: by a kill or by wounds.")
    columns = ("a shot", "a routs", "b shot", "b routs", "undecided")
    if "turns" in options:
        distance = whole(options, "distance", 20, minimum=0, maximum=FURTHEST)
        turns = ask.numbers(options, "turns", "", minimum=0, maximum=MOST_TURNS)
        by_turn = duel_by_turn(rulebook, a, b, distance, max(turns), first=first)
        return Table(
            ("turns", *columns),
            [(turn, *(float(part[turn]) for part in by_turn[:5])) for turn in turns],
            title=f"A duel of two figures at {distance} cm, turn by turn",
            notes=tuple(notes),
        )
    far = ask.numbers(options, "distance", "10,20,30,50", minimum=0, maximum=FURTHEST)
    ends = duel(rulebook, a, b, far, first=first)
    rows = [(distance, *(float(part[i]) for part in ends)) for i, distance in enumerate(far)]
    return Table(
        ("distance (cm)", *columns, "turns"), rows, title="A duel of two figures to the end", notes=tuple(notes)
    )


def _figure(rules: Rules, options: Mapping[str, str], side: str, index: int) -> Figure:
    """The figure that the options describe."""
    names, grades = rules.weapons.names, rules.grades
    return Figure(
        weapon=one(options, f"{side}_weapon", "weapon", names, names[min(index, len(names) - 1)]),
        quality=one(options, f"{side}_quality", "grade", grades.names, grades.standard),
        loading=one(options, f"{side}_loading", "loading", rules.loadings, rules.loadings[0]),
        cover=one(options, f"{side}_cover", "cover", COVERS, "open"),
        snap=one(options, f"{side}_snap", "use of snap shots", SNAPS, "never"),
        modifier=whole(options, f"{side}_modifier", 0, minimum=-MOST_MODIFIER, maximum=MOST_MODIFIER),
        when=tuple(circumstances(options, f"{side}_when", rules.morale_modifiers)),
    )


def _described(rules: Rules, side: str, figure: Figure) -> str:
    parts = [figure.weapon, str(figure.quality), f"cover {figure.cover}", f"snaps {figure.snap}", *figure.when]
    parts += [figure.loading] if len(rules.loadings) > 1 else []
    parts += [f"modifier {figure.modifier:+}"] if figure.modifier else []
    return f"{side}: {', '.join(parts)}."
