"""Morale: what a test does to a figure with a blue marker, by NA-8.1 to NA-8.7 and RI-8.1 to RI-8.7; rallying."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from wargamesim.dice.arguments import integers
from wargamesim.dice.pools import chance_at_least
from wargamesim.games import options as ask
from wargamesim.games.skirmish.asked import MOST_MODIFIER, circumstances
from wargamesim.games.skirmish.rules import Floats, Ints, Rules, compile_rules, summed
from wargamesim.rulebook import Rulebook
from wargamesim.table import Table


class Morale(NamedTuple):
    """How a morale test ends; three arrays of one shape that sum to 1.

    Pinned, a figure keeps its marker and does nothing but seek cover (NA-8.4, RI-8.4), until the next test; it never
    has more than one marker (NA-8.6, RI-8.6).
    """

    steady: Floats
    pinned: Floats
    rout: Floats

    @property
    def tests(self) -> Floats:
        """The mean number of tests until the figure is steady or routs; infinite if it is pinned for ever."""
        ends = self.steady + self.rout
        return np.where(ends > 0, 1 / np.where(ends > 0, ends, 1.0), np.inf)

    @property
    def routs_in_the_end(self) -> Floats:
        """The chance that the figure routs before it is steady, tested as often as that takes."""
        ends = self.steady + self.rout
        return np.asarray(self.rout / np.where(ends > 0, ends, 1.0))


def morale(rulebook: Rulebook, modifier: ArrayLike = 0) -> Morale:
    """Return how a morale test ends, by the sum of its modifiers.

    Parameters
    ----------
    rulebook : Rulebook
    modifier : int or array_like of int

    Returns
    -------
    Morale
        Arrays of the shape of `modifier`.

    Raises
    ------
    InputError
        If a modifier is no integer.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> test = morale(load_rulebook("nordamerica"), [-1, 0, 1])
    >>> test.rout * 6, test.tests
    (array([1., 0., 0.]), array([2. , 2. , 1.5]))
    """
    die, plus = rulebook.number("morale.die"), integers("modifier", modifier)
    steady = chance_at_least(die, rulebook.number("morale.steady_at_least"), plus)
    # A total that were both would be steady: the source tells the results in that order.
    rout = np.minimum(1 - chance_at_least(die, rulebook.number("morale.rout_at_most") + 1, plus), 1 - steady)
    return Morale(steady, np.clip(1 - steady - rout, 0, 1), np.asarray(rout))


def rally(rulebook: Rulebook, modifier: ArrayLike = 0) -> Floats:
    """Return the chance that a figure lost to a rout comes back when it is tested (NA-2.9, RI-2.11).

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> rally(load_rulebook("risorgimento"), [0, 1]) * 6
    array([3., 4.])
    """
    return chance_at_least(rulebook.number("morale.die"), rulebook.number("rally.need"), integers("modifier", modifier))


def modifier_of(rulebook: Rulebook, quality: ArrayLike | None = None, when: Collection[str] = ()) -> Ints:
    """Return the sum of the modifiers of a morale test (NA-8.2a to NA-8.2e, RI-8.2a to RI-8.2d).

    Parameters
    ----------
    rulebook : Rulebook
    quality : str or array_like of str, optional
        The figure's grade; the middle one when not given.
    when : collection of str
        Circumstances, by the names of the rulebook's modifiers of morale, such as "leader".

    Raises
    ------
    InputError
        If a name is unknown.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> modifier_of(load_rulebook("nordamerica"), ["inexperienced", "veteran"], ["leader"])
    array([0, 2])
    """
    return modifier_by(compile_rules(rulebook), quality, when, "when")


def modifier_by(rules: Rules, quality: ArrayLike | None, when: Collection[str], key: str) -> Ints:
    """Return the sum of the modifiers of a morale test; `key` is the argument that `when` came from."""
    return np.asarray(rules.grades.morale[rules.grade(quality)] + summed(rules.morale_modifiers, when, key))


def activations_lost(rules: Rules, tests: Morale, *, all_tests: bool) -> Floats:
    """Return the mean number of activations that a blue marker costs a figure that is activated until it is steady.

    Parameters
    ----------
    rules : Rules
    tests : Morale
        The chances of each test.
    all_tests : bool
        Whether to count all tests up to the last, or the next one alone.

    Examples
    --------
    >>> from wargamesim.rulebook import load_rulebook
    >>> book = load_rulebook("nordamerica")
    >>> print(activations_lost(compile_rules(book), morale(book), all_tests=False))
    0.5
    """
    lost = tests.tests - 1 if all_tests else tests.pinned
    # A free attempt (RI-8.1) leaves the figure's activation for later.
    return np.where(rules.readings["failed test"] == "free_attempt", 0.0, lost)


def table(rulebook: Rulebook, options: Mapping[str, str]) -> Table:
    """Answer the question `morale`: by total modifier, or by grade and circumstances."""
    rules = compile_rules(rulebook)
    when = circumstances(options, "when", rules.morale_modifiers)
    grades = ask.names(options, "quality", "grade", rules.grades.names)
    by_figure = grades is not None or bool(when)
    plus = ask.numbers(options, "modifier", "0" if by_figure else "-3:3", minimum=-MOST_MODIFIER, maximum=MOST_MODIFIER)
    named = (grades or [rules.grades.standard]) if by_figure else [None]
    rows = []
    for grade in named:
        total = np.array(plus) + (modifier_by(rules, grade, when, "--when") if by_figure else 0)
        tests, back = morale(rulebook, total), rally(rulebook, total)
        lost = activations_lost(rules, tests, all_tests=True)
        parts = (tests.steady, tests.pinned, tests.rout, tests.tests, lost, tests.routs_in_the_end, back)
        for i, each in enumerate(total.tolist()):
            rows.append((*([grade] if by_figure else []), each, *(float(part[i]) for part in parts)))
    notes = ["Tests: until steady or rout, on average. Lost: activations a marker costs until then, on average."]
    notes.append("Rallies: the chance that a figure lost to a rout comes back when it is tested.")
    if when:
        notes.insert(0, f"With {', '.join(when)}.")
    columns = ("modifier", "steady", "pinned", "rout", "tests", "lost", "routs in the end", "rallies")
    return Table((*(["grade"] if by_figure else []), *columns), rows, title="A morale test", notes=tuple(notes))
