"""Single tests: falls, fire into a melee, the shot before close combat, arson; and the question `checks`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from wargamesim.dice.arguments import broadcast, integers
from wargamesim.dice.chain import absorb, absorb_by_round
from wargamesim.dice.pools import chance_at_least, chance_one_of
from wargamesim.errors import InputError, unknown
from wargamesim.games.skirmish.asked import one
from wargamesim.games.skirmish.fire import shot_by
from wargamesim.games.skirmish.rules import Floats, compile_rules, require
from wargamesim.rulebook import Rulebook
from wargamesim.table import Table

MOVES = ("run", "ford", "boat")


class MeleeShot(NamedTuple):
    """A shot before close combat; arrays of one shape. `hit` includes that the shot was permitted and no misfire."""

    permitted: Floats
    hit: Floats


class Arson(NamedTuple):
    """Setting a house on fire: ``within[n]`` is the chance to have done it in n actions, `mean` how many it takes."""

    within: Floats
    mean: float


def fall(
    rulebook: Rulebook, move: str, *, regular: bool = False, difficult: bool = False, marine: bool = False
) -> float:
    """Return the chance to fall in a move (NA-3.3f, NA-3.4f, NA-3.13).

    Parameters
    ----------
    rulebook : Rulebook
    move : {"run", "ford", "boat"}
        Running, wading, or crossing from boat to boat.
    regular, difficult, marine : bool
        Whether the figure is a regular or a marine, and the ground difficult.

    Raises
    ------
    InputError
        If the rulebook has no such tests or the move is unknown.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> book = load_rulebook("nordamerica")
    >>> print(f"{fall(book, 'run'):.4f} {fall(book, 'ford', regular=True):.4f}")
    0.1667 0.3333
    """
    require(compile_rules(rulebook), "tests of runners and waders", rulebook)
    if move not in MOVES:
        raise unknown("move", move, MOVES, key="move")
    if move == "boat" and marine:
        return 0.0
    modifier = 0
    if regular and move == "ford":
        modifier = rulebook.number("falls.ford_regular")
    if regular and difficult and move == "run":
        modifier = rulebook.number("falls.run_regular_difficult")
    return float(1 - chance_at_least(rulebook.number("falls.die"), rulebook.number(f"falls.{move}") + 1, modifier))


def friend_hit(rulebook: Rulebook, quality: ArrayLike | None = None) -> Floats:
    """Return the chance that a hit in a melee falls on a friend (NA-4.9, RI-4.7).

    Parameters
    ----------
    rulebook : Rulebook
    quality : str or array_like of str, optional
        The shooter's grade; the middle one when not given.

    Raises
    ------
    InputError
        If the rulebook, as it is read, forbids fire into a melee, or a grade is unknown.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> friend_hit(load_rulebook("nordamerica"), ["regular", "sharpshooter"]) * 6
    array([3., 2.])
    """
    rules = compile_rules(rulebook)
    if rules.readings["fire into a melee"] == "forbidden":
        raise InputError("fire into a melee is forbidden by RI-4.7=forbidden; it is answered under RI-4.7=allowed")
    die, plus = rulebook.number("melee_fire.die"), rules.grades.melee_fire[rules.grade(quality)]
    return np.asarray(1 - chance_at_least(die, rulebook.number("melee_fire.friend_at_most") + 1, plus))


def melee_shot(
    rulebook: Rulebook,
    opponents: ArrayLike,
    weapon: ArrayLike = "musket",
    *,
    morale: ArrayLike = 0,
    quality: ArrayLike | None = None,
) -> MeleeShot:
    """Return how a shot before close combat ends (NA-7.16, NA-7.17).

    Parameters
    ----------
    rulebook : Rulebook
    opponents : int or array_like of int, at least 1
        In contact.
    weapon : str or array_like of str
        A firearm of the rulebook; it matters only under the reading `weapon_row` of NA-7.17.
    morale : int or array_like of int
        The sum of the shooter's modifiers of morale, beside that of the opponents.
    quality : str or array_like of str, optional
        The shooter's grade, for misfires; the middle one when not given.

    Returns
    -------
    MeleeShot
        Arrays of the broadcast shape.

    Raises
    ------
    InputError
        If the rulebook has no such shots, a weapon or grade is unknown or the weapon is thrown, there is no opponent,
        or the shapes do not broadcast.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> permitted, hit = melee_shot(load_rulebook("nordamerica"), [1, 2, 3])
    >>> permitted * 6, hit * 18
    (array([2., 1., 0.]), array([2., 1., 0.]))
    """
    rules = compile_rules(rulebook)
    require(rules, "shots before close combat", rulebook)
    number, plus = integers("opponents", opponents, minimum=1), integers("morale", morale)
    w, g = rules.weapon(weapon), rules.grade(quality)
    broadcast(opponents=number.shape, weapon=w.shape, morale=plus.shape, quality=g.shape)
    for name in np.asarray(weapon).flat:
        if rules.weapons.thrown[rules.weapons.names.index(name)]:
            raise InputError(f"a {name} is no firearm", key="weapon")
    under_pressure = plus + rulebook.number("melee_shot.per_opponent") * number
    permitted = chance_at_least(rulebook.number("morale.die"), rulebook.number("melee_shot.need"), under_pressure)
    reading = rules.readings["melee shot"]
    if reading == "weapon_row":
        hit = shot_by(rules, weapon, 0, 0, "open", quality, ("unaimed",)).hit
    else:
        need = rulebook.number("melee_shot.hits_at_least") + reading.startswith("gt5")
        penalty = rules.fire.modifiers["unaimed"] if reading.endswith("minus2") else 0
        misses = {*rules.fire.misses, *({1} if rules.fire.misfire_face else ())}
        fires = np.where(rules.fire.misfire_face, 1.0, 1 - rules.fire.misfire[w, g])
        hit = fires * chance_at_least(rulebook.number("melee_shot.die"), need, penalty, never=misses)
    return MeleeShot(*np.broadcast_arrays(permitted, permitted * hit))


def arson(rulebook: Rulebook, actions: int) -> Arson:
    """Return how long it takes to set a house on fire (NA-9.2).

    Parameters
    ----------
    rulebook : Rulebook
    actions : int, at least 0
        That are spent on it, one after the other.

    Raises
    ------
    InputError
        If the rulebook has no arson, or the number of actions is negative.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> print(arson(load_rulebook("nordamerica"), 2))
    Arson(within=array([0.  , 0.  , 0.25]), mean=6.0)
    """
    rules = compile_rules(rulebook)
    require(rules, "arson", rulebook)
    needed, chance = (
        rulebook.number("arson.actions"),
        float(chance_one_of(rulebook.number("arson.die"), rulebook.number("arson.faces"))),
    )
    # States: the successes that count so far.
    steps = np.zeros((needed + 1, needed + 1))
    for done in range(needed):
        steps[done, done + 1] += chance
        steps[done, done if rules.readings["arson"] == "keep" else 0] += 1 - chance
    start = np.eye(needed + 1)[0]
    by_action = absorb_by_round(steps, start, [needed], rounds=actions).ends_in[:, needed]
    return Arson(np.cumsum(by_action), float(absorb(steps, start, [needed]).rounds))


def table(rulebook: Rulebook, options: Mapping[str, str]) -> Table:
    """Answer the question `checks`: every single test of the rulebook that is no part of another question."""
    rules = compile_rules(rulebook)
    guns = [name for name, thrown in zip(rules.weapons.names, rules.weapons.thrown, strict=True) if not thrown]
    weapon = one(options, "weapon", "firearm", guns, "musket" if "musket" in guns else guns[0])
    rows: list[tuple[str, str, float]] = []
    if "tests of runners and waders" in rules.features:
        rows += [
            ("runner falls", "any figure", fall(rulebook, "run")),
            ("runner falls", "regular, difficult ground", fall(rulebook, "run", regular=True, difficult=True)),
            ("wader slips, powder wet", "any figure", fall(rulebook, "ford")),
            ("wader slips, powder wet", "regular", fall(rulebook, "ford", regular=True)),
            ("falls between two boats", "any figure", fall(rulebook, "boat")),
            ("falls between two boats", "marine", fall(rulebook, "boat", marine=True)),
        ]
    if rules.readings["fire into a melee"] != "forbidden":
        by_plus = dict(zip(rules.grades.melee_fire.tolist(), rules.grades.names, strict=True))
        by_plus[int(rules.grades.melee_fire[rules.grade(None)])] = rules.grades.standard
        for grade in by_plus.values():
            rows.append(("hit in a melee is on a friend", grade, float(friend_hit(rulebook, grade))))
    if "shots before close combat" in rules.features:
        for number in (1, 2, 3):
            permitted, hit = melee_shot(rulebook, number, weapon)
            against = f"against {number}"
            rows.append(("shot before close combat: permitted", against, float(permitted)))
            rows.append(("shot before close combat: hits", f"{against}, {weapon}", float(hit)))
    if "arson" in rules.features:
        needed = rulebook.number("arson.actions")
        for actions in (needed, 2 * needed, 3 * needed):
            rows.append(("house on fire", f"within {actions} actions", float(arson(rulebook, actions).within[-1])))
    if not rows:
        raise InputError(
            f"the rulebook '{rulebook.name}' has no single tests; it has one if fire into a melee is allowed"
            " (RI-4.7=allowed)"
        )
    notes = (f"A house takes {arson(rulebook, 0).mean:.4f} actions on average.",) if "arson" in rules.features else ()
    return Table(("test", "who", "chance"), rows, title="Single tests", notes=notes)
