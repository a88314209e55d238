"""The tables of the questions clash and morale."""

from __future__ import annotations

from typing import Any

from wargamesim.errors import InputError
from wargamesim.games import options as ask
from wargamesim.games.stirling.asked import ANSWERS, Cases, Options, damages, rates, words
from wargamesim.games.stirling.attack import ROLLS
from wargamesim.games.stirling.clash import BROKEN, STANDS, clash
from wargamesim.games.stirling.morale import check, pass_chance, ratings, recovery_chance
from wargamesim.games.stirling.rules import MOST_CHARISMA, QUALITIES, SITUATIONS, Rules, compile_rules
from wargamesim.games.stirling.strikes import levels
from wargamesim.games.stirling.units import MOST_HP, MOST_LENGTH, MOST_MEN, MOST_POINTS, MOST_SPEED, Unit
from wargamesim.rulebook import Rulebook
from wargamesim.table import Table

STATS = ("men", "thac0", "ac", "hp", "damage", "rate", "quality", "leader", "commander")
CHARGING = ("length", "speed", "lance", "set-weapon")
ENEMY = "enemy-"
CLASH = (
    *STATS,
    *CHARGING,
    *(f"{ENEMY}{name}" for name in (*STATS, *CHARGING)),
    *("morale", "charge", "rolls", "turns"),
)
MORALE = ("quality", "leader", "commander", "situation", "modifier", "target")

MOST_TURNS = 1000
_UNIT = Unit()


def clash_table(rulebook: Rulebook, options: Options) -> Table:
    """How two units in contact end (see `odds.answer`)."""
    rules = compile_rules(rulebook)
    asked = {**_unit(rules, options, "", "200"), **_unit(rules, options, ENEMY, "200,150,100")}
    asked["morale"] = words(options, "morale", "answer", ANSWERS, "yes")
    asked["charge"] = words(options, "charge", "answer", ANSWERS, "no")
    asked["rolls"] = words(options, "rolls", "kind of roll", ROLLS, "unit")
    limited = "turns" in options
    if limited:
        asked["turns"] = ask.numbers(options, "turns", "", minimum=0, maximum=MOST_TURNS)
    cases = Cases.of(asked, always=("enemy-men",))
    rows: list[tuple[Any, ...]] = []
    for case in cases:
        ended = clash(
            rules,
            *(_of(rules, case, prefix) for prefix in ("", ENEMY)),
            morale=case["morale"] == "yes",
            charge=case["charge"] == "yes",
            rolls=case["rolls"],
            turns=case.get("turns"),
        )
        by_rout = float(ended.ends[STANDS, BROKEN])
        chances = ended.first_wins, by_rout, ended.second_wins, ended.both_lose, ended.sterile
        undecided = (ended.undecided,) if limited else ()
        rows.append((*cases.cells(case), *chances, *undecided, ended.turns, ended.first_left))
    outcomes = ("wins", "by rout", "loses", "both lose", "sterile", *(("undecided",) if limited else ()))
    same = [f"{ENEMY}{name}" for name in (*STATS, *CHARGING) if asked[name] == asked[f"{ENEMY}{name}"]]
    readings = ("SS-P35", "SS-P36", "SS-P47")
    return Table(
        (*cases.heads, *outcomes, "fought", "men left"),
        rows,
        title="Two units front to front, to rout or destruction",
        notes=(
            f"In all rows: {cases.common(same)}. Where nothing is said the enemy is the same.",
            "Sterile: both stand and neither can ever hurt the other. Fought: turns, on average. Men left: counted 0 "
            "unless it wins.",
            f"Readings: {', '.join(f'{each} {rulebook.reading(each)}' for each in readings)}.",
        ),
    )


def _unit(rules: Rules, options: Options, prefix: str, men: str) -> dict[str, Any]:
    def count(name: str, default: int | str, least: int, most: int) -> list[int]:
        return ask.numbers(options, f"{prefix}{name}", str(default), minimum=least, maximum=most)

    values: dict[str, Any] = {
        "men": count("men", men, 1, MOST_MEN),
        "thac0": count("thac0", _UNIT.thac0, -MOST_POINTS, MOST_POINTS),
        "ac": count("ac", _UNIT.ac, -MOST_POINTS, MOST_POINTS),
        "hp": count("hp", rules.hit_points[_UNIT.quality], 1, MOST_HP),
        "damage": damages(options, f"{prefix}damage", _UNIT.damage),
        "rate": rates(options, f"{prefix}rate", "1"),
        "quality": words(options, f"{prefix}quality", "quality", QUALITIES, _UNIT.quality),
        "leader": count("leader", 10, 0, MOST_CHARISMA),
        "commander": count("commander", 0, 0, MOST_CHARISMA),
        "length": count("length", 0, 0, MOST_LENGTH),
        "speed": count("speed", 0, 0, MOST_SPEED),
        "lance": words(options, f"{prefix}lance", "answer", ANSWERS, "no"),
        "set-weapon": words(options, f"{prefix}set-weapon", "answer", ANSWERS, "no"),
    }
    return {f"{prefix}{name}": value for name, value in values.items()}


def _of(rules: Rules, case: dict[str, Any], prefix: str) -> Unit:
    stats = {name.replace("-", "_"): case[f"{prefix}{name}"] for name in (*STATS, *CHARGING)}
    stats |= {name: stats[name] == "yes" for name in ("lance", "set_weapon")}
    try:
        unit = Unit(**stats)
        levels(rules, unit)
    except InputError as error:
        raise InputError(error.message, key=f"--{prefix}{error.key}") from None
    return unit


def morale_table(rulebook: Rulebook, options: Options) -> Table:
    """How checks of morale end, and who recovers (see `odds.answer`)."""
    rules = compile_rules(rulebook)
    dice = f"{rules.morale_dice}d{rules.morale_die}"
    if "target" in options:
        if len(options) > 1:
            raise InputError("stands alone: the other options say what a unit needs", key="--target")
        most = rules.morale_dice * rules.morale_die
        targets = ask.numbers(options, "target", "", minimum=-most, maximum=2 * most)
        passes = pass_chance(rules, targets).tolist()
        title = f"Morale: the chance that {dice} show at most the target (SS-9.3)"
        return Table(("target", "passes"), list(zip(targets, passes, strict=True)), title=title)
    situations = ask.names(options, "situation", "situation", SITUATIONS) or []
    asked: dict[str, Any] = {
        "quality": words(options, "quality", "quality", QUALITIES, ",".join(QUALITIES)),
        "leader": ask.numbers(options, "leader", "0,10,15,18", minimum=0, maximum=MOST_CHARISMA),
        "commander": ask.numbers(options, "commander", "0", minimum=0, maximum=MOST_CHARISMA),
        "modifier": ask.numbers(options, "modifier", "0", minimum=-MOST_POINTS, maximum=MOST_POINTS),
    }
    cases = Cases.of(asked, always=("quality", "leader"))
    rows: list[tuple[Any, ...]] = []
    for case in cases:
        who = case["quality"], case["leader"], case["commander"]
        need = ratings(rules, *who)
        ends = [float(chance) for chance in check(rules, *who, situations, case["modifier"])]
        recovers = float(recovery_chance(rules, *who[:2], situations))
        needs = int(need.troops), int(need.leader) if case["leader"] else None
        rows.append((*cases.cells(case), *needs, *ends, recovers, 1 / recovers if recovers else None))
    change = sum(rules.situations[name].modifier for name in situations)
    common = cases.common()
    what = f"{', '.join(situations)} ({change:+d})" if situations else "asked for by the referee"
    return Table(
        (*cases.heads, "troops need", "leader needs", "holds", "leader routs", "routs", "recovers", "tries"),
        rows,
        title=f"Morale: a check on {dice} (SS-9.3), and recovery in a turn (SS-10.1)",
        notes=(
            f"Situation: {what}. {f'In all rows: {common}. ' if common else ''}Needs are without it.",
            "Charisma of Leader and Commander; 0: there is none. Leader routs: he alone, his unit holds.",
            "Recovers: with an ordered Leader there, in one try; tries: how many it takes on average.",
            f"Readings: SS-P39 {rulebook.reading('SS-P39')}, SS-P47 {rules.combine}.",
        ),
    )
