"""Exact odds of Azincourt: mud, arrows, close combat and cannon, each vectorised over its arguments.

Piece types are those of the rulebook; "knight" is a mounted knight that has a version on foot, "knight_mounted_only"
one that has none (AZ-1.7).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wargamesim.dice.arguments import MASS_TOLERANCE, broadcast, integers
from wargamesim.dice.contest import opposed
from wargamesim.dice.pmf import PMF, Floats
from wargamesim.errors import InputError, unknown
from wargamesim.games import options as ask
from wargamesim.games.azincourt.rules import KINDS, compile_rules
from wargamesim.rulebook import Rulebook
from wargamesim.table import Table

KNIGHT, MOUNTED_ONLY = MOUNTED = ("knight", "knight_mounted_only")
TYPES = (*MOUNTED, *(kind for kind in KINDS if kind != KNIGHT))
GROUNDS = ("open", "house", "castle")


class Arrows(NamedTuple):
    """What has become of a target after some arrows; three arrays of one shape that sum to 1."""

    removed: Floats
    unhorsed: Floats
    unharmed: Floats


class Knight(NamedTuple):
    """Where a knight that can dismount stands after some arrows; three arrays of one shape that sum to 1."""

    mounted: Floats
    on_foot: Floats
    removed: Floats


class Melee(NamedTuple):
    """How a fight ends; four arrays of one shape that sum to 1.

    At once: by the first roll, with every mounted piece still mounted. After a tie: by a later one, with every
    mounted piece that can be unhorsed on foot.
    """

    attacker_wins_at_once: Floats
    attacker_wins_after_tie: Floats
    defender_wins_at_once: Floats
    defender_wins_after_tie: Floats

    @property
    def attacker_wins(self) -> Floats:
        """The chance that the attacker wins, at once or after a tie."""
        return self.attacker_wins_at_once + self.attacker_wins_after_tie

    @property
    def defender_wins(self) -> Floats:
        """The chance that the defender wins, at once or after a tie."""
        return self.defender_wins_at_once + self.defender_wins_after_tie


class Cannon(NamedTuple):
    """The chance that a cannon's shot reaches its target, by number of dice, and the best number.

    ``by_dice[..., n - 1]`` is the chance with n dice; `dice` is the number with the best chance, the fewest of equal
    ones, and 0 where there is no chance; `best` is its chance.
    """

    by_dice: Floats
    dice: NDArray[np.int64]
    best: Floats


def mud(rulebook: Rulebook) -> PMF:
    """Return the distribution of mud (AZ-2.1): squares taken off the speed of mounted pieces in the muddy area.

    Under the reading `reroll` of AZ-2.5 the dice always differ and mud is at least 1.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> mud(load_rulebook("azincourt")).p * 18
    array([3., 5., 4., 3., 2., 1.])
    """
    die = PMF.die(rulebook.number("mud.die"))
    squares = die.plus(die.scale(-1)).map(np.abs)
    if rulebook.reading("AZ-2.5") == "reroll":
        return PMF(1, squares.p[1:] / squares.at_least(1))
    return squares


def arrow(rulebook: Rulebook, target: ArrayLike, arrows: ArrayLike = 1) -> Arrows:
    """Return what becomes of a target that may be shot at (AZ-4.2 to AZ-4.5, AZ-4.9).

    Parameters
    ----------
    rulebook : Rulebook
    target : str or array_like of str
        Piece types; a knight once unhorsed is hit as a piece on foot.
    arrows : int or array_like of int, at least 0
        How many are shot at it, one after the other; broadcasts with `target`.

    Returns
    -------
    Arrows
        Arrays of shape broadcast(target, arrows).

    Raises
    ------
    InputError
        If a type is unknown, the number of arrows is no count, or the shapes do not broadcast.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> removed, unhorsed, unharmed = arrow(load_rulebook("azincourt"), ["knight", "archer"])
    >>> removed * 3, unhorsed * 3
    (array([1., 1.]), array([1., 0.]))
    """
    kind, count = np.asarray(target, dtype=np.str_), integers("arrows", arrows, minimum=0)
    for name in kind.flat:
        if name not in TYPES:
            raise unknown("piece type", name, TYPES, key="target")
    shape = broadcast(target=kind.shape, arrows=count.shape)
    # Shares of faces that do nothing, unhorse and remove: also the order of the states of a target that has not fallen.
    effects = compile_rules(rulebook).arrow_effect[:, 1:]
    on_foot, mounted = (np.bincount(faces, minlength=3) / faces.size for faces in effects)
    first = dict.fromkeys(TYPES, on_foot)
    first[KNIGHT] = mounted
    first[MOUNTED_ONLY] = np.array([mounted[0] + mounted[1], 0.0, mounted[2]])
    if rulebook.reading("AZ-4.9") == "immune":
        first["cannon"] = np.array([1.0, 0.0, 0.0])
    step = np.zeros((*kind.shape, 3, 3))
    step[..., 0, :] = np.array([first[name] for name in kind.flat]).reshape(*kind.shape, 3)
    step[..., 1, 1:] = on_foot[[0, 2]]
    step[..., 2, 2] = 1.0
    # The chain of the target's states, a step an arrow, by repeated squaring.
    after, left = np.eye(3), count
    while left.any():
        after = np.where((left & 1)[..., None, None] == 1, after @ step, after)
        step, left = step @ step, left >> 1
    unharmed, unhorsed, removed = np.moveaxis(np.broadcast_to(after[..., 0, :], (*shape, 3)), -1, 0)
    return Arrows(removed, unhorsed, unharmed)


def knight(rulebook: Rulebook, arrows: ArrayLike) -> Knight:
    """Return where a knight that can dismount stands after n arrows at it.

    Parameters
    ----------
    rulebook : Rulebook
    arrows : int or array_like of int, at least 0

    Returns
    -------
    Knight
        Arrays of the shape of `arrows`.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> mounted, on_foot, removed = knight(load_rulebook("azincourt"), [1, 2])
    >>> on_foot * 3
    array([1., 1.])
    """
    removed, unhorsed, unharmed = arrow(rulebook, KNIGHT, arrows)
    return Knight(unharmed, unhorsed, removed)


def melee_by_value(
    rulebook: Rulebook,
    attack: ArrayLike,
    defence: ArrayLike,
    attack_after_tie: ArrayLike | None = None,
    defence_after_tie: ArrayLike | None = None,
) -> Melee:
    """Return how a fight of two totals ends (AZ-6.1, AZ-6.3).

    Parameters
    ----------
    rulebook : Rulebook
    attack, defence : int or array_like of int
        Sum of the values of each party at the first roll; the higher total with one die wins.
    attack_after_tie, defence_after_tie : int or array_like of int, optional
        The sums once the first tie has unhorsed who can be unhorsed; without them the sums stay as they were.

    Returns
    -------
    Melee
        Arrays of the broadcast shape of all four.

    Raises
    ------
    InputError
        If a sum is no integer or the shapes do not broadcast.

    Examples
    --------
    Values 0 to 2 attack a value of 1 on foot:

    >>> from wargamesim.rulebook import load_rulebook
    >>> melee_by_value(load_rulebook("azincourt"), [0, 1, 2], 1).attacker_wins * 31
    array([10. , 15.5, 21. ])
    """
    sums = {
        "attack": integers("attack", attack),
        "defence": integers("defence", defence),
        "attack_after_tie": integers("attack_after_tie", attack if attack_after_tie is None else attack_after_tie),
        "defence_after_tie": integers("defence_after_tie", defence if defence_after_tie is None else defence_after_tie),
    }
    broadcast(**{name: total.shape for name, total in sums.items()})
    die = PMF.die(rulebook.number("melee.die"))
    first = opposed(die, die, sums["attack"] - sums["defence"], ties="both_lose")
    again = opposed(die, die, sums["attack_after_tie"] - sums["defence_after_tie"], ties="reroll")
    by_tie = first.both_lose * again.attacker_wins, first.both_lose * again.defender_wins
    return Melee(*np.broadcast_arrays(first.attacker_wins, by_tie[0], first.defender_wins, by_tie[1]))


def melee(rulebook: Rulebook, attackers: Sequence[str], defenders: Sequence[str], ground: str = "open") -> Melee:
    """Return how a fight of named pieces ends (AZ-6.4, AZ-6.7).

    Parameters
    ----------
    rulebook : Rulebook
    attackers, defenders : sequence of str
        Piece types; one of the two parties is a single piece, as in every fight (AZ-6.5).
    ground : {"open", "house", "castle"}
        Where the defenders stand; each of them has the bonus of a house or of the castle.

    Returns
    -------
    Melee
        Arrays of shape ().

    Raises
    ------
    InputError
        If a type or the ground is unknown, a party has no piece, both have several, or a mounted piece would stand in
        a house or in the castle (AZ-3.5).

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> result = melee(load_rulebook("azincourt"), ["archer"], ["knight"])
    >>> round(float(result.attacker_wins) * 192, 9)
    19.0
    """
    for name, party in (("attackers", attackers), ("defenders", defenders)):
        if not party:
            raise InputError("must have at least one piece", key=name)
        for piece in party:
            if piece not in TYPES:
                raise unknown("piece type", piece, TYPES, key=name)
    if len(attackers) > 1 and len(defenders) > 1:
        raise InputError("one of the two parties of a fight is a single piece (AZ-6.5)", key="defenders")
    if ground not in GROUNDS:
        raise unknown("ground", ground, GROUNDS, key="ground")
    if ground != "open" and not set(MOUNTED).isdisjoint(defenders):
        raise InputError(f"a mounted piece may not stand in the {ground} (AZ-3.5)", key="ground")
    bonus = 0 if ground == "open" else rulebook.number(f"terrain.{ground}.bonus") * len(defenders)
    # Whose numbers each piece has, at the first roll and once the first tie has unhorsed those with a version on foot.
    at_first, after_tie = {MOUNTED_ONLY: KNIGHT}, {MOUNTED_ONLY: KNIGHT, KNIGHT: "foot_knight"}
    totals = [
        sum(rulebook.number(f"pieces.{kinds.get(piece, piece)}.value") for piece in party)
        for kinds in (at_first, after_tie)
        for party in (attackers, defenders)
    ]
    return melee_by_value(rulebook, totals[0], totals[1] + bonus, totals[2], totals[3] + bonus)


def cannon(rulebook: Rulebook, distance: ArrayLike) -> Cannon:
    """Return the chance that a shot reaches the square aimed at (AZ-5.1, AZ-5.2).

    Parameters
    ----------
    rulebook : Rulebook
    distance : int or array_like of int, at least 1
        Squares from the cannon to that square; beyond its range it cannot fire and the chance is 0.

    Returns
    -------
    Cannon
        `dice` and `best` of the shape of `distance`, `by_dice` with one more axis: the number of dice from 1.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> by_dice, dice, best = cannon(load_rulebook("azincourt"), [6, 7, 13])
    >>> dice, best * 6
    (array([1, 2, 0]), array([1., 1., 0.]))
    """
    squares = integers("distance", distance, minimum=1)
    rolled = PMF.die(rulebook.number("cannon.die")).repeat(np.arange(1, rulebook.number("cannon.dice_max") + 1))
    reaches = rolled.equal_to if rulebook.reading("AZ-5.2") == "sum_is_distance" else rolled.at_least
    in_range = squares <= rulebook.number("pieces.cannon.range")
    by_dice = np.where(in_range[..., None], reaches(squares[..., None]), 0.0)
    best = by_dice.max(axis=-1)
    fewest = (by_dice >= best[..., None] - MASS_TOLERANCE).argmax(axis=-1) + 1
    return Cannon(by_dice, np.where(best > 0, fewest, 0), best)


def answer(rulebook: Rulebook, question: str, options: Mapping[str, str]) -> Table:
    """Return the table that answers a question; without options its standard table.

    Parameters
    ----------
    rulebook : Rulebook
    question : {"mud", "arrow", "melee", "cannon", "knight"}
    options : mapping of str to str
        By name, as text: `target` and `arrows` (arrow), `arrows` (knight), `attacker`, `defender` and `ground` (melee),
        `distance` (cannon). Numbers are lists or ranges, ``20,30`` or ``0:120:5``; pieces are lists of types.

    Raises
    ------
    InputError
        If the question or an option is unknown, or what an option says is not allowed.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> answer(load_rulebook("azincourt"), "knight", {"arrows": "0"}).records()
    [{'arrows': 0, 'mounted': 1.0, 'on foot': 0.0, 'removed': 0.0}]
    """
    if question not in _ANSWERS:
        raise unknown("question", question, _ANSWERS)
    allowed, table = _ANSWERS[question]
    ask.check_options(options, allowed)
    return table(rulebook, options)


def _mud_table(rulebook: Rulebook, _options: Mapping[str, str]) -> Table:
    squares = mud(rulebook)
    rows = zip(squares.values.tolist(), squares.p.tolist(), squares.at_least(squares.values).tolist(), strict=True)
    return Table(
        ("mud (squares)", "exactly", "at least"),
        list(rows),
        title="Mud: taken off the speed of mounted pieces in the muddy area (AZ-2.1)",
        notes=(f"On average {squares.mean():.3f} squares. Equal dice, AZ-2.5: {rulebook.reading('AZ-2.5')}.",),
    )


def _arrow_table(rulebook: Rulebook, options: Mapping[str, str]) -> Table:
    targets = ask.names(options, "target", "piece type", TYPES) or list(TYPES)
    counts = ask.numbers(options, "arrows", "1", minimum=0, maximum=1000)
    odds = arrow(rulebook, np.array(targets)[:, None], counts)
    rows = [
        (target, count, *(float(part[i, j]) for part in odds))
        for i, target in enumerate(targets)
        for j, count in enumerate(counts)
    ]
    return Table(
        ("target", "arrows", "removed", "unhorsed", "unharmed"),
        rows,
        title="Arrows at one target, one after the other (AZ-4.3, AZ-4.4)",
        notes=(
            "An unhorsed knight is hit as a piece on foot.",
            f"A 6, AZ-4.5: {rulebook.reading('AZ-4.5')}. A cannon as target, AZ-4.9: {rulebook.reading('AZ-4.9')}.",
        ),
    )


def _knight_table(rulebook: Rulebook, options: Mapping[str, str]) -> Table:
    counts = ask.numbers(options, "arrows", "1:6", minimum=0, maximum=1000)
    odds = knight(rulebook, counts)
    return Table(
        ("arrows", "mounted", "on foot", "removed"),
        list(zip(counts, *(part.tolist() for part in odds), strict=True)),
        title="Arrows at one knight that can dismount (AZ-4.3, AZ-4.4)",
        notes=(f"A 6, AZ-4.5: {rulebook.reading('AZ-4.5')}.",),
    )


def _melee_table(rulebook: Rulebook, options: Mapping[str, str]) -> Table:
    if not options:
        return _difference_table(rulebook)
    attackers = ask.names(options, "attacker", "piece type", TYPES)
    defenders = ask.names(options, "defender", "piece type", TYPES)
    ground = options.get("ground", "open")
    # A party that is not named is each type in turn that may stand there.
    may_defend = [piece for piece in TYPES if ground == "open" or piece not in MOUNTED]
    rows: list[tuple[str | float, ...]] = []
    for attacking in [attackers] if attackers else [[piece] for piece in TYPES]:
        for defending in [defenders] if defenders else [[piece] for piece in may_defend]:
            odds = [float(chance) for chance in melee(rulebook, attacking, defending, ground)]
            for i, winner in enumerate(("attacker", "defender")):
                at_once, after_tie = odds[2 * i : 2 * i + 2]
                rows.append(
                    (", ".join(attacking), ", ".join(defending), winner, at_once, after_tie, at_once + after_tie)
                )
    loses = {"lead": "its piece of least value", "all": "every piece"}[rulebook.reading("AZ-6.6")]
    return Table(
        ("attacker", "defender", "winner", "at once", "after tie", "in all"),
        rows,
        title=f"Close combat, the defender in the {ground} (AZ-6.1)",
        notes=(
            "At once: mounted pieces are still mounted. After a tie: all that can be unhorsed are (AZ-6.3).",
            f"A beaten group loses {loses} (AZ-6.6: {rulebook.reading('AZ-6.6')}).",
        ),
    )


def _difference_table(rulebook: Rulebook) -> Table:
    most = rulebook.number("melee.die") - 1
    difference = np.arange(-most, most + 1)
    odds = melee_by_value(rulebook, difference, 0)
    return Table(
        ("difference", "attacker wins", "defender wins"),
        list(zip(difference.tolist(), odds.attacker_wins.tolist(), odds.defender_wins.tolist(), strict=True)),
        title="Close combat on foot, by the attacker's value minus the defender's (AZ-6.1)",
        notes=("Ties are rolled again. For named pieces: --attacker, --defender, --ground.",),
    )


def _cannon_table(rulebook: Rulebook, options: Mapping[str, str]) -> Table:
    reach = rulebook.number("pieces.cannon.range")
    distances = ask.numbers(options, "distance", f"1:{max(reach, 1)}", minimum=1, maximum=1000)
    by_dice, dice, best = cannon(rulebook, distances)
    return Table(
        (
            "distance (squares)",
            *("1 die" if n == 1 else f"{n} dice" for n in range(1, by_dice.shape[-1] + 1)),
            "best dice",
            "best",
        ),
        [
            (distance, *by_dice[i].tolist(), int(dice[i]) or None, float(best[i]))
            for i, distance in enumerate(distances)
        ],
        title="Cannon: the chance that the shot reaches the square aimed at (AZ-5.2)",
        notes=(
            f"Beyond {reach} squares it cannot fire (AZ-5.1). How dice reach a square, AZ-5.2: "
            f"{rulebook.reading('AZ-5.2')}.",
        ),
    )


_ANSWERS: dict[str, tuple[tuple[str, ...], Callable[[Rulebook, Mapping[str, str]], Table]]] = {
    "mud": ((), _mud_table),
    "arrow": (("target", "arrows"), _arrow_table),
    "melee": (("attacker", "defender", "ground"), _melee_table),
    "cannon": (("distance",), _cannon_table),
    "knight": (("arrows",), _knight_table),
}
questions = tuple(_ANSWERS)
