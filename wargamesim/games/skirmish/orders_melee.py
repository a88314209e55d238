"""How a player judges a close combat: the chance to win it, and who is worth a charge. Compiled."""

from __future__ import annotations

from wargamesim.games.skirmish.compiling import merged, typed
from wargamesim.games.skirmish.layout import (
    BLUE,
    GRADE,
    IN_PLAY,
    MELEE_DIE,
    PRONE,
    STATUS,
    WOUNDS,
    State,
)
from wargamesim.games.skirmish.playing import Play
from wargamesim.games.skirmish.sight import distance2, enemies, friends_beside, knows, touches


@merged
def melee_modifier(state: State, play: Play, figure: int) -> int:
    """Return what a figure adds in close combat by what it is and how it fares."""
    total = play.melee_grade[state.figure[GRADE, figure]]
    if state.figure[WOUNDS, figure] > 0:
        total += play.melee_wounded
    if state.figure[PRONE, figure] != 0:
        total += play.melee_prone
    if state.figure[BLUE, figure] != 0:
        total += play.melee_blue
    return int(total)


@typed
def duel_chance(die: int, modifier: int, other_die: int, other_modifier: int) -> float:
    """Return the chance to win an opposed roll in which ties are rolled again bare."""
    win = tie = bare = bare_tie = 0
    for face in range(1, die + 1):
        lead = face + modifier - other_modifier
        win += min(max(lead - 1, 0), other_die)
        if 1 <= lead <= other_die:
            tie += 1
        bare += min(face - 1, other_die)
        if face <= other_die:
            bare_tie += 1
    whole = die * other_die
    return (win + tie * bare / max(whole - bare_tie, 1)) / whole


@typed
def melee_chance(state: State, play: Play, figure: int, enemy: int, bonus: int) -> float:
    """Return the chance that a figure beats an enemy, were they alone."""
    return duel_chance(
        int(state.figure[MELEE_DIE, figure]),
        melee_modifier(state, play, figure) + bonus,
        int(state.figure[MELEE_DIE, enemy]),
        melee_modifier(state, play, enemy),
    )


@merged
def _with_help(state: State, play: Play, figure: int, enemy: int, chance: float) -> float:
    """Return the chance that somebody beats an enemy: each friend in contact with it is taken to be as good."""
    lost = 1.0 - chance
    for _ in range(friends_beside(state, play, figure, enemy)):
        lost *= 1.0 - chance
    return 1.0 - lost


@typed
def engaged_chance(state: State, play: Play, figure: int) -> float:
    """Return the chance that a figure in contact beats all who are in contact with it, with the help it has."""
    first, end = enemies(state, figure)
    chance, against, enemy = 1.0, 0, -1
    for i in range(first, end):
        if state.figure[STATUS, i] == IN_PLAY and touches(state, play, figure, i):
            chance *= melee_chance(state, play, figure, i, 0)
            against += 1
            enemy = i
    return _with_help(state, play, figure, enemy, chance) if against == 1 else chance


@merged
def charge_chance(state: State, play: Play, figure: int, enemy: int, bonus: int) -> float:
    """Return the chance that an enemy is beaten if a figure goes into contact with it, with the help it finds there."""
    return _with_help(state, play, figure, enemy, melee_chance(state, play, figure, enemy, bonus))


@typed
def best_prey(state: State, play: Play, figure: int, within: float, bonus: int, least: float) -> int:
    """Return whom a figure would charge within a distance: the best odds, the nearest of equals; -1 if none will do."""
    first, end = enemies(state, figure)
    best, best_chance, best_d2 = -1, least, within * within
    for i in range(first, end):
        if state.figure[STATUS, i] != IN_PLAY or not knows(state, figure, i):
            continue
        d2 = distance2(state, figure, i)
        if d2 > within * within:
            continue
        chance = charge_chance(state, play, figure, i, bonus)
        if chance > best_chance or (chance == best_chance and d2 <= best_d2):
            best, best_chance, best_d2 = i, chance, d2
    return best
