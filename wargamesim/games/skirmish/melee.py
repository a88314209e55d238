"""Close combat: one against one, and several against one with capture (NA-7.6a to NA-7.14, RI-7.4a to RI-7.10)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from wargamesim.dice.arguments import broadcast, integer, integers
from wargamesim.games import options as ask
from wargamesim.games.skirmish.asked import MOST_MODIFIER, axes, circumstances, one, whole
from wargamesim.games.skirmish.rules import Bools, Floats, Ints, Rules, compile_rules, summed
from wargamesim.rulebook import Rulebook
from wargamesim.table import Table

MOST_FIGURES = 12
# What the loser of a pair suffers, in the order of `Round`.
KILLED, WOUNDED, MARKED = range(3)


class Round(NamedTuple):
    """How a round of one against one ends for its loser; six arrays of one shape that sum to 1.

    Each is what happens and no worse: `b_marked` is that b loses and gets a blue marker only.
    """

    b_killed: Floats
    b_wounded: Floats
    b_marked: Floats
    a_killed: Floats
    a_wounded: Floats
    a_marked: Floats

    @property
    def a_wins(self) -> Floats:
        """The chance that a wins, whatever b suffers."""
        return self.b_killed + self.b_wounded + self.b_marked


class Several(NamedTuple):
    """How a round of several figures against one ends.

    The first five are what becomes of the one, and sum to 1; out is killed, or wounded often enough. The last three
    are the mean numbers of the several that are killed, wounded, and only marked.
    """

    captured: float
    out: float
    wounded: float
    marked: float
    unhurt: float
    several_killed: float
    several_wounded: float
    several_marked: float


class _End(NamedTuple):
    """One way in which a round of several against one may end: how many of the several have beaten the one, whether
    any of them is killed, and what the one suffers.
    """

    beaten_by: int
    any_killed: bool
    killed: bool
    wounds: int
    # It lost to one who counts; where only the lowest of all suffers, some may have beaten it without effect.
    lost: bool


def melee(
    rulebook: Rulebook,
    die_a: ArrayLike,
    die_b: ArrayLike,
    modifier_a: ArrayLike = 0,
    modifier_b: ArrayLike = 0,
) -> Round:
    """Return how a round of one against one ends (NA-7.8 to NA-7.11, RI-7.5 to RI-7.7).

    Parameters
    ----------
    rulebook : Rulebook
    die_a, die_b : int or array_like of int, at least 2
        The sides of both dice, by their arms (NA-7.6a, RI-7.4a).
    modifier_a, modifier_b : int or array_like of int
        The sums of both sides' modifiers; a tie is rolled again without them.

    Returns
    -------
    Round
        Arrays of the broadcast shape of all four.

    Raises
    ------
    InputError
        If an argument is no integer, a die has fewer than 2 sides, or the shapes do not broadcast.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> fight = melee(load_rulebook("nordamerica"), 6, 6)
    >>> print(f"{fight.b_killed:.4f} {fight.b_wounded:.4f} {fight.b_marked:.4f}")
    0.3000 0.0000 0.2000
    """
    by_face, _ = _pair(rulebook, die_a, die_b, modifier_a, modifier_b)
    return Round(*np.moveaxis(by_face.sum(axis=-2) / integers("die_b", die_b)[..., None], -1, 0))


def several_against_one(
    rulebook: Rulebook, figures: int, die_a: int, die_b: int, modifier_a: int = 0, modifier_b: int = 0
) -> Several:
    """Return how a round of several unhurt figures with the same arms against one unhurt figure ends.

    By the reading of NA-7.12 or RI-7.8; the several capture the one whenever they may (NA-7.13, RI-7.9).

    Parameters
    ----------
    rulebook : Rulebook
    figures : int, at least 1
        How many they are.
    die_a, die_b : int, at least 2
        The die of each of the several, and of the one.
    modifier_a, modifier_b : int
        The sum of modifiers of each of the several, beside what their number gives them, and of the one.

    Returns
    -------
    Several

    Raises
    ------
    InputError
        If an argument is no integer or too small.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> print(f"{several_against_one(load_rulebook('nordamerica'), 3, 6, 6).captured:.4f}")
    0.3340
    """
    rules, n = compile_rules(rulebook), integer("figures", figures, minimum=1)
    plus_a = integer("modifier_a", modifier_a) + rulebook.number("melee.extra_friend") * (n - 1)
    sides_a, sides_b = integer("die_a", die_a, minimum=2), integer("die_b", die_b, minimum=2)
    plus_b = integer("modifier_b", modifier_b)
    by_face, bare = _pair(rulebook, sides_a, sides_b, plus_a, plus_b)
    reading = rules.readings["several against one"]
    if reading == "lowest_only":
        totals_a, totals_b = np.arange(1, sides_a + 1) + plus_a, np.arange(1, sides_b + 1) + plus_b
        ends, suffered = _lowest_only(rulebook, n, totals_a, totals_b, bare)
    else:
        rolls = by_face.mean(axis=0, keepdims=True) if reading == "pairwise" else by_face
        ends, suffered = _every_pair(n, rolls), n * by_face[:, 3:].mean(axis=0)
    needed, beat = rulebook.number("capture.figures"), rulebook.number("capture.beat")
    becomes = dict.fromkeys(Several._fields[:5], 0.0)
    for end, chance in ends.items():
        out = end.killed or end.wounds >= rules.result.wounds_out
        may_capture = n >= needed and not end.any_killed and end.beaten_by >= beat
        if may_capture and (rules.readings["capture"] == "capture_first" or not out):
            state = "captured"
        elif out:
            state = "out"
        else:
            state = "wounded" if end.wounds else "marked" if end.lost else "unhurt"
        becomes[state] += chance
    return Several(*becomes.values(), *suffered.tolist())


def _pair(
    rulebook: Rulebook, die_a: ArrayLike, die_b: ArrayLike, modifier_a: ArrayLike, modifier_b: ArrayLike
) -> tuple[Floats, Floats]:
    """The six chances of `Round`, given the first face of b, shape (..., faces of b, 6), zero for a face that b's die
    has not; and after a tie, shape (..., 6).
    """
    sides_a, sides_b = integers("die_a", die_a, minimum=2), integers("die_b", die_b, minimum=2)
    plus_a, plus_b = integers("modifier_a", modifier_a), integers("modifier_b", modifier_b)
    names = {"die_a": sides_a, "die_b": sides_b, "modifier_a": plus_a, "modifier_b": plus_b}
    broadcast(**{name: array.shape for name, array in names.items()})
    faces_a, faces_b = np.arange(1, sides_a.max(initial=1) + 1), np.arange(1, sides_b.max(initial=1) + 1)[:, None]
    on_a = (faces_a <= sides_a[..., None, None]) / sides_a[..., None, None]
    on_b = faces_b <= sides_b[..., None, None]
    total_a, total_b = faces_a + plus_a[..., None, None], faces_b + plus_b[..., None, None]

    def ends(a: Ints, b: Ints) -> Floats:
        each = (*_suffers(rulebook, a, b), *_suffers(rulebook, b, a))
        return np.stack([(on_a * on_b * end).sum(axis=-1) for end in each], axis=-1)

    bare = ends(faces_a, faces_b).sum(axis=-2)
    bare /= bare.sum(axis=-1, keepdims=True)
    tied = (on_a * on_b * (total_a == total_b)).sum(axis=-1)
    return ends(total_a, total_b) + tied[..., None] * bare[..., None, :], bare


def _suffers(rulebook: Rulebook, winner: Ints, loser: Ints) -> tuple[Bools, Bools, Bools]:
    """Whether the loser is killed, wounded, and only marked, where the winner's total is higher."""
    wins = winner > loser
    killed = wins & (winner >= rulebook.number("melee.kill_ratio") * loser)
    wounded = wins & ~killed & (winner - loser >= rulebook.number("melee.wound_lead"))
    return killed, wounded, wins & ~killed & ~wounded


def _every_pair(figures: int, by_face: Floats) -> dict[_End, float]:
    """The chances of the ends where every pair counts; `by_face` is [face of the one, what a pair does]."""
    now = {_End(0, False, False, 0, False): np.full(len(by_face), 1 / len(by_face))}
    for _ in range(figures):
        after: dict[_End, Floats] = defaultdict(lambda: np.zeros(len(by_face)))
        for end, chance in now.items():
            beaten = end._replace(beaten_by=end.beaten_by + 1, lost=True)
            for what, next_end in (
                (KILLED, beaten._replace(killed=True)),
                (WOUNDED, beaten._replace(wounds=end.wounds + 1)),
                (MARKED, beaten),
                (3 + KILLED, end._replace(any_killed=True)),
                (3 + WOUNDED, end),
                (3 + MARKED, end),
            ):
                after[next_end] += chance * by_face[:, what]
        now = after
    return {end: float(chance.sum()) for end, chance in now.items()}


def _lowest_only(
    rulebook: Rulebook, figures: int, totals_a: Ints, totals_b: Ints, bare: Floats
) -> tuple[dict[_End, float], Floats]:
    """The chances of the ends where only the lowest of all suffers, and the mean numbers of the several that do."""
    ends: dict[_End, float] = defaultdict(float)
    several = np.zeros(3)
    n, weight = figures, 1 / len(totals_b)

    def share(least: int, most: int) -> float:
        """The chance that the total of one of the several is from `least` to `most`."""
        return float(((totals_a >= least) & (totals_a <= most)).mean())

    def suffers(winner: int, loser: int) -> int:
        return int(np.argmax(_suffers(rulebook, np.array(winner), np.array(loser))))

    top = int(totals_a.max())
    for total in totals_b.tolist():
        above = share(total + 1, top)
        # The one is lowest, and loses to the highest of the several.
        for highest in range(total + 1, top + 1):
            what = suffers(highest, total)
            chance = weight * (share(total + 1, highest) ** n - share(total + 1, highest - 1) ** n)
            ends[_End(n, False, what == KILLED, int(what == WOUNDED), True)] += chance
        for others in range(n):
            ways = comb(n, others) * above**others
            # One of the several is lowest, and loses to the one; `others` of them have beaten it.
            for lowest in range(int(totals_a.min()), total):
                what = suffers(total, lowest)
                chance = (
                    weight * ways * (share(lowest, total) ** (n - others) - share(lowest + 1, total) ** (n - others))
                )
                ends[_End(others, what == KILLED, False, 0, False)] += chance
                several[what] += chance
            # The one and some of the several are lowest together: one of them, drawn at random, rolls again.
            tied = weight * ways * share(total, total) ** (n - others)
            for what in (KILLED, WOUNDED, MARKED):
                won, lost = tied * float(bare[what]), tied * float(bare[3 + what])
                ends[_End(others + 1, False, what == KILLED, int(what == WOUNDED), True)] += won
                ends[_End(others, what == KILLED, False, 0, False)] += lost
                several[what] += lost
    return ends, several


def table(rulebook: Rulebook, options: Mapping[str, str]) -> Table:
    """Answer the question `melee`: by arms, grades and circumstances; with `figures`, several against one."""
    rules = compile_rules(rulebook)
    arms = {side: ask.names(options, side, "arms", rules.arms) or list(rules.arms) for side in ("attacker", "defender")}
    plus = {side: _modifier(rules, options, side) for side in arms}
    pairs = list(axes(*arms.values()))
    notes = [", ".join(f"{name}: D{sides}" for name, sides in rules.arms.items()) + ". Ties are rolled again, bare."]
    if any(plus.values()):
        notes.append(f"Modifiers: attacker {plus['attacker']:+}, defender {plus['defender']:+}.")
    if "figures" not in options:
        fight = melee(rulebook, *zip(*[(rules.arms[a], rules.arms[b]) for a, b in pairs], strict=True), *plus.values())
        rows = []
        for i, pair in enumerate(pairs):
            chances = [float(part[i]) for part in fight]
            for loser, suffers in (("defender", chances[:3]), ("attacker", chances[3:])):
                rows.append((*pair, loser, *suffers, sum(suffers)))
        ends = ("attacker", "defender", "loser", "killed", "wounded", "marked", "in all")
        return Table(ends, rows, title="Close combat, one against one: a round", notes=tuple(notes))
    counts = ask.numbers(options, "figures", "", minimum=1, maximum=MOST_FIGURES)
    several = [
        (*pair, n, *several_against_one(rulebook, n, *(rules.arms[arm] for arm in pair), *plus.values()))
        for pair in pairs
        for n in counts
    ]
    columns = ("attackers", "defender", "figures", *(name.replace("_", " ") for name in Several._fields))
    # One pair of arms is named in the notes, not in columns.
    skip = 2 if len(pairs) == 1 else 0
    notes.insert(0, f"{' against '.join(pairs[0]).capitalize()}." if skip else "All attackers have the same arms.")
    notes.append(f"Several against one: {rules.readings['several against one']}. All were unhurt before the round.")
    return Table(
        columns[skip:],
        [row[skip:] for row in several],
        title="Close combat, several against one: what becomes of the one, and how many of the several suffer",
        notes=tuple(notes),
    )


def _modifier(rules: Rules, options: Mapping[str, str], side: str) -> int:
    """The sum of the modifiers that the options give one side."""
    when = circumstances(options, f"{side}_when", rules.melee_modifiers)
    grade = one(options, f"{side}_quality", "grade", rules.grades.names, rules.grades.standard)
    more = whole(options, f"{side}_modifier", 0, minimum=-MOST_MODIFIER, maximum=MOST_MODIFIER)
    by_grade = int(rules.grades.melee[rules.grade(grade)])
    return more + by_grade + summed(rules.melee_modifiers, when, f"--{side}_when")
