"""The tables of the questions attack, turn and split."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any

from wargamesim.dice.pmf import PMF
from wargamesim.errors import InputError
from wargamesim.games import options as ask
from wargamesim.games.stirling.asked import ANSWERS, Cases, Options, damages, rates, words
from wargamesim.games.stirling.attack import (
    ROLLS,
    by_distance,
    by_side,
    fewest_men,
    hit_chance,
    in_all,
    losses,
    removed,
)
from wargamesim.games.stirling.rules import SIDES, WEAPONS, Rules, compile_rules
from wargamesim.games.stirling.split import shares, split, weight
from wargamesim.games.stirling.units import MOST_HP, MOST_MEN, MOST_POINTS, Unit, attack_period, attacks_in
from wargamesim.rulebook import Rulebook
from wargamesim.table import Table

SHOT = ("weapon", "distance")
SIDE = ("side", "shield")
BLOW = ("men", "thac0", "ac", "damage", "hp", "modifier", *SIDE, *SHOT, "rolls")
ATTACK = (*BLOW, "lost")
TURN = (*BLOW, "rate", "removed")
MIXED = ("friends", "enemies", "friend-ac", "friend-hp", "enemy-ac", "enemy-hp", "friend-large", "enemy-large")
SPLIT = ("shooters", "thac0", "damage", "modifier", "attacks", *MIXED, *SHOT)

MOST_DISTANCE, MOST_ATTACKS = 1000, 100
_UNIT = Unit()
_CANNOT = "- no shot: the target is next to the shooters (SS-4.2) or beyond long range (SS-4.3b)."


def attack_table(rulebook: Rulebook, options: Options) -> Table:
    """What one attack costs (see `odds.answer`)."""
    rules = compile_rules(rulebook)
    asked = _blow(rules, options, men="20,30,40,50,100,200,300,500", rolls="unit,man")
    if "lost" in options:
        men = ask.numbers(options, "lost", "", minimum=0, maximum=MOST_MEN)
        title = "Men lost by one attack, before any are removed (SS-3.3)"
        return _distribution(rules, asked, options, "lost", men, title)
    cases = Cases.of(asked, always=("men", "rolls"))
    discard = compile_rules(rulebook.variant({"SS-P35": "discard"}))
    rows: list[tuple[Any, ...]] = []
    for case in cases:
        hit, lost = _losses(rules, case)
        if lost is None:
            rows.append((*cases.cells(case), *[None] * 7))
            continue
        gone, mean = removed(discard, lost), float(lost.mean())
        forgotten = 1 - float(gone.mean()) / mean if mean else None
        rows.append((*cases.cells(case), hit, mean, _sd(lost), float(gone.mean()), _sd(gone), _none(gone), forgotten))
    return Table(
        (*cases.heads, "hit", "lost", "lost sd", "discard", "discard sd", "none removed", "forgotten"),
        rows,
        title="One attack: men lost (SS-3.3), and men removed in whole tens (SS-8.2)",
        notes=(
            f"In all rows: {cases.common()}.",
            "unit: one roll for the whole unit (SS-3.1). man: one roll for each man who reaches the enemy, which no "
            "reading says.",
            "discard (SS-P35): the dead beyond whole tens are forgotten, this share of them. carry: they are kept, and "
            "in the long run as many are removed as are lost.",
            *_shot_note(options),
        ),
    )


def turn_table(rulebook: Rulebook, options: Options) -> Table:
    """What the attacks of a turn remove (see `odds.answer`)."""
    rules = compile_rules(rulebook)
    asked = _blow(rules, options, men=str(_UNIT.men), rolls="unit")
    asked["rate"] = rates(options, "rate", "1/2,1,3/2,2,3")
    if "removed" in options:
        men = ask.numbers(options, "removed", "", minimum=0, maximum=MOST_MEN)
        title = "Men removed by the attacks of a turn (SS-2.2, SS-8.2)"
        return _distribution(rules, asked, options, "removed", men, title)
    cases = Cases.of(asked, always=("rate",))
    rows: list[tuple[Any, ...]] = []
    for case in cases:
        lost = _losses(rules, case)[1]
        for turn, attacks in _turns(rules, case["rate"]):
            head = (*cases.cells(case), turn, attacks)
            if lost is None:
                rows.append((*head, *[None] * 6))
                continue
            total, gone = in_all(rules, lost, attacks), removed(rules, lost, attacks)
            fewest = _fewest(rules, case, attacks)
            means = float(total.mean()), _sd(total), float(gone.mean()), _sd(gone)
            rows.append((*head, *means, _none(gone), fewest))
    return Table(
        (*cases.heads, "turn", "attacks", "lost", "lost sd", "removed", "removed sd", "none removed", "fewest men"),
        rows,
        title="The attacks of a turn at full strength: men lost and men removed in one phase (SS-2.2, SS-8.2)",
        notes=(
            f"In all rows: {cases.common()}. Fewest men: fewer attackers can never remove anybody.",
            f"Attacks SS-P04: {rulebook.reading('SS-P04')}, SS-P07: {rulebook.reading('SS-P07')}; rounding SS-P35: "
            f"{rulebook.reading('SS-P35')}, SS-P36: {rulebook.reading('SS-P36')}.",
            *_shot_note(options),
        ),
    )


def split_table(rulebook: Rulebook, options: Options) -> Table:
    """What shots into a melee cost friend and enemy (see `odds.answer`)."""
    rules = compile_rules(rulebook)

    asked: dict[str, Any] = {
        "shooters": ask.numbers(options, "shooters", "100", minimum=0, maximum=MOST_MEN),
        "thac0": _points(options, "thac0", _UNIT.thac0),
        "damage": damages(options, "damage", "1d6"),
        "modifier": _points(options, "modifier", 0),
        "friends": ask.numbers(options, "friends", "50,100,170,300,450", minimum=1, maximum=MOST_MEN),
        "enemies": ask.numbers(options, "enemies", "450", minimum=1, maximum=MOST_MEN),
    }
    hp = str(rules.hit_points[_UNIT.quality])
    for side in ("friend", "enemy"):
        asked[f"{side}-ac"] = _points(options, f"{side}-ac", _UNIT.ac)
        asked[f"{side}-hp"] = ask.numbers(options, f"{side}-hp", hp, minimum=1, maximum=MOST_HP)
        asked[f"{side}-large"] = words(options, f"{side}-large", "answer", ANSWERS, "no")
    asked["attacks"] = ask.numbers(options, "attacks", str(rules.attacks), minimum=0, maximum=MOST_ATTACKS)
    asked |= _shot(rules, options)
    cases = Cases.of(asked, always=("friends",))
    rows: list[tuple[Any, ...]] = []
    for case in cases:
        sizes = [
            weight(rules, case[men], large=case[f"{side}-large"] == "yes")
            for men, side in (("friends", "friend"), ("enemies", "enemy"))
        ]
        of = shares(rules, *sizes)
        head = (*cases.cells(case), int(of.friend), int(of.enemy))
        shot = by_distance(rules, case["weapon"], case["distance"]) if "weapon" in case else None
        if shot is not None and shot.barred:
            rows.append((*head, *[None] * 5))
            continue
        more = case["modifier"] + (int(shot.modifier) if shot is not None else 0)
        targets = {name.replace("-", "_"): case[name] for name in MIXED if name.endswith(("ac", "hp"))}
        lost = split(rules, case["shooters"], case["thac0"], case["damage"], of, modifier=more, **targets)
        ours, theirs = (in_all(rules, part, case["attacks"]).mean() for part in lost)
        gone = [float(removed(rules, part, case["attacks"]).mean()) for part in lost]
        rows.append((*head, float(ours), float(theirs), float(ours / theirs) if theirs else None, *gone))
    columns = "friend share", "enemy share", "friends lost", "enemies lost", "friends per enemy"
    return Table(
        (*cases.heads, *columns, "friends removed", "enemies removed"),
        rows,
        title=f"Shots into a melee, shared in {rules.shares} parts by weight (SS-4.4): mean losses and removals",
        notes=(
            f"In all rows: {cases.common()}.",
            f"Rounding of shares, SS-P15: {rules.quarters}; whose AC, SS-P14: {rulebook.reading('SS-P14')}.",
            *_shot_note(options),
        ),
    )


def _blow(rules: Rules, options: Options, *, men: str, rolls: str) -> dict[str, Any]:
    """Read the options that describe an attack, in the order of their columns."""

    asked: dict[str, Any] = {
        "men": ask.numbers(options, "men", men, minimum=0, maximum=MOST_MEN),
        "thac0": _points(options, "thac0", _UNIT.thac0),
        "ac": _points(options, "ac", _UNIT.ac),
        "damage": damages(options, "damage", _UNIT.damage),
        "hp": ask.numbers(options, "hp", str(rules.hit_points[_UNIT.quality]), minimum=1, maximum=MOST_HP),
        "modifier": _points(options, "modifier", 0),
    }
    shot = _shot(rules, options)
    if not shot:
        asked["side"] = words(options, "side", "side", SIDES, "front")
        asked["shield"] = ask.numbers(options, "shield", "0", minimum=0, maximum=MOST_POINTS)
    for name in SIDE:
        if shot and name in options:
            raise InputError("a shot knows no sides and no shields: leave it out, or --weapon", key=f"--{name}")
    return asked | shot | {"rolls": words(options, "rolls", "kind of roll", ROLLS, rolls)}


def _points(options: Options, name: str, default: int) -> list[int]:
    return ask.numbers(options, name, str(default), minimum=-MOST_POINTS, maximum=MOST_POINTS)


def _shot(rules: Rules, options: Options) -> dict[str, Any]:
    """Read weapon and distance; without a distance it is where each range ends, and one hex beyond."""
    if "weapon" not in options:
        if "distance" in options:
            raise InputError("is for a shot: say --weapon too", key="--distance")
        return {}
    weapons = words(options, "weapon", "weapon", WEAPONS, "")
    ends = sorted({end for weapon in weapons for end in rules.ranges[weapon]})
    default = ",".join(str(max(end, 1)) for end in (*ends, ends[-1] + 1))
    return {
        "weapon": weapons,
        "distance": ask.numbers(options, "distance", default, minimum=1, maximum=MOST_DISTANCE),
    }


def _shot_note(options: Options) -> tuple[str, ...]:
    return (_CANNOT,) if "weapon" in options else ()


def _losses(rules: Rules, case: Mapping[str, Any]) -> tuple[float | None, PMF | None]:
    """Return the chance to hit and the losses of one attack; nothing where there can be none."""
    ranged = "weapon" in case
    if ranged:
        struck = by_distance(rules, case["weapon"], case["distance"])
    else:
        struck = by_side(rules, case["side"], case["shield"])
    if struck.barred:
        return None, None
    more = case["modifier"] + int(struck.modifier)
    lost = losses(
        rules,
        case["men"],
        case["thac0"],
        case["ac"],
        case["damage"],
        case["hp"],
        modifier=more,
        times=struck.percent,
        parts=100,
        ranged=ranged,
        rolls=case["rolls"],
    )
    return float(hit_chance(rules, case["thac0"], case["ac"], more)), lost


def _fewest(rules: Rules, case: Mapping[str, Any], attacks: int) -> int | None:
    percent = 100 if "weapon" in case else int(by_side(rules, case["side"]).percent)
    how = {"ranged": "weapon" in case, "rolls": case["rolls"], "times": percent, "parts": 100}
    return fewest_men(rules, case["damage"], case["hp"], attacks, **how)


def _turns(rules: Rules, rate: Any) -> list[tuple[str, int]]:
    """Return the turns of a period and the attacks of each."""
    period = attack_period(rules, rate)
    attacks = [int(attacks_in(rules, rate, turn)) for turn in range(1, period + 1)]
    return [("every", attacks[0])] if period == 1 else [(str(i + 1), count) for i, count in enumerate(attacks)]


def _distribution(
    rules: Rules, asked: Mapping[str, Any], options: Options, what: str, men: list[int], title: str
) -> Table:
    """Tell how likely each of the numbers of men is that are asked for."""
    cases = Cases.of(asked)
    rows: list[tuple[Any, ...]] = []
    for case in cases:
        lost = _losses(rules, case)[1]
        for turn in _turns(rules, case["rate"]) if "rate" in case else [()]:
            head = (*cases.cells(case), *turn)
            gone = lost if lost is None or not turn else removed(rules, lost, turn[1])
            exactly, at_least = ([None] * len(men),) * 2 if gone is None else _chances(gone, men)
            rows.extend((*head, *row) for row in zip(men, exactly, at_least, strict=True))
    return Table(
        (*cases.heads, *(("turn", "attacks") if "rate" in asked else ()), what, "exactly", "at least"),
        rows,
        title=title,
        notes=(f"In all rows: {cases.common()}.", *_shot_note(options)),
    )


def _chances(gone: PMF, men: list[int]) -> tuple[list[float], list[float]]:
    return gone.equal_to(men).tolist(), gone.at_least(men).tolist()


def _sd(gone: PMF) -> float:
    return sqrt(float(gone.var()))


def _none(gone: PMF) -> float:
    return float(gone.equal_to(0))
