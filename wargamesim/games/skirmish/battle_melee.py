"""Close combat: who fights whom, shots before it, numbers, results, capture. Compiled."""

from __future__ import annotations

from numba import types

from wargamesim.games.skirmish import orders
from wargamesim.games.skirmish.battle_fire import HITS_ONE, IS_JAMMED, MISSES, discharge, draw, is_face, jam, strike
from wargamesim.games.skirmish.battle_harm import DIES, IS_SHAKEN, IS_WOUNDED, capture, kill, note_harm, wound
from wargamesim.games.skirmish.battle_nerve import nerve
from wargamesim.games.skirmish.battle_place import GETS_AWAY, evade
from wargamesim.games.skirmish.battle_record import (
    PAIR,
    PERMITTED,
    ROUND,
    SHOT,
    Battle,
    merged,
    note,
    on_battle,
    option,
    roll,
    who,
)
from wargamesim.games.skirmish.layout import (
    BLUE,
    EVADES,
    GRADE,
    IN_PLAY,
    LOWEST,
    MELEE,
    MELEE_AGAIN,
    MELEE_DIE,
    MELEE_LONE,
    MELEE_RESULT,
    MELEE_SHOT,
    MELEE_VICTIM,
    PERMISSION,
    PRONE,
    ROLES,
    ROUNDS_FOUGHT,
    SHOTS_FIRED,
    SIDE,
    STATUS,
    WEAPON,
    WOUNDS,
)
from wargamesim.games.skirmish.sight import HARD, OPEN, cover, enemies, friends, touches
from wargamesim.games.skirmish.whereabouts import shows

AT_END_OF_TURN = option("melee_timing", "end_of_turn")
PAIRWISE, LOWEST_ONLY = option("several", "pairwise"), option("several", "lowest_only")
BOTH, FALLS = option("melee_kill", "both"), option("melee_wound", "falls")
IF_ALIVE, WEAPON_ROW = option("capture", "if_alive"), option("melee_shot_need", "weapon_row")
NOBODY = -1


@merged
def _evasions(b: Battle, figure: int, actor: int) -> int:
    """Let those run away from an attacker who may and want to; return how many do."""
    state, play, fields = b.state, b.play, b.state.figure
    evaded = 0
    first, end = enemies(state, figure)
    for i in range(first, end):
        if fields[ROLES, i] & EVADES == 0 or fields[STATUS, i] != IN_PLAY or not touches(state, play, figure, i):
            continue
        wants = orders.evades(state, b.ground, play, b.doctrine[fields[SIDE, i]], i, figure)
        if wants == 1 and evade(b, i, figure, actor) == GETS_AWAY:
            evaded += 1
    return evaded


@on_battle(3)
def _shot_before(b: Battle, actor: int, shooter: int, opponents: int) -> None:
    """Let a figure shoot before the round at one of the opponents in `drawn_from` (NA-7.16, NA-7.17)."""
    state, play, fields = b.state, b.play, b.state.figure
    side, grade = fields[SIDE, shooter], fields[GRADE, shooter]
    slot = orders.shoots_first(state, play, b.doctrine[side], shooter, opponents)
    if slot < 0:
        return
    rolled = roll(b, actor, PERMISSION, shooter, play.morale_die)
    total = rolled + nerve(b, shooter) + play.permission_per_opponent * opponents
    permitted = int(total >= play.permission_need)
    note(b, PERMITTED, shooter, rolled, total, permitted, -1, -1, -1, -1, -1, -1)
    if permitted == 0:
        return
    state.tally[SHOTS_FIRED + side] += 1
    weapon = fields[WEAPON + slot, shooter]
    sides, modifier, need = play.melee_shot_die, play.melee_shot_modifier, play.melee_shot_at_least
    if play.melee_shot_need == WEAPON_ROW:
        sides, modifier = play.fire_die[weapon, grade], play.unaimed + play.to_hit[grade]
        need = play.need[weapon, 0] + play.strict
    first = rolled = total = victim = -1
    end = MISSES
    if play.has_misfires == 1 and play.misfire_by_face == 0:
        first = roll(b, actor, MELEE_SHOT, 1000 + shooter, play.misfire_die)
        if first <= play.misfire_at_most[grade]:
            end = IS_JAMMED
    if end == MISSES:
        rolled = roll(b, actor, MELEE_SHOT, shooter, sides)
        if play.has_misfires == 1 and play.misfire_by_face == 1 and rolled == 1:
            end = IS_JAMMED
    if end == IS_JAMMED:
        jam(b, shooter, slot)
    else:
        total = rolled + modifier
        discharge(b, shooter, slot)
        shows(state, shooter)
        top = play.melee_shot_need == WEAPON_ROW and play.top_face_hits == 1 and need - modifier > sides
        if not is_face(play.miss_faces, rolled) and (total >= need or (top and rolled == sides)):
            end = HITS_ONE
            victim = draw(b, actor, MELEE_VICTIM, shooter, opponents)
    note(b, SHOT, shooter, -1, slot, 0, first, rolled, total, end, victim, OPEN)
    if victim >= 0:
        strike(b, shooter, victim, actor, MELEE_RESULT, shooter, OPEN)


@merged
def _shots_before(b: Battle, actor: int, lone: int, number: int) -> int:
    """Let all shoot who may and want to, then forget those who are out; return how many of the several are left."""
    fields = b.state.figure
    for j in range(-1, number):
        shooter = lone if j < 0 else int(b.several[j])
        opponents = 0
        if j >= 0:
            opponents = int(fields[STATUS, lone] == IN_PLAY)
            b.drawn_from[0] = lone
        else:
            for each in range(number):
                if fields[STATUS, b.several[each]] == IN_PLAY:
                    b.drawn_from[opponents] = b.several[each]
                    opponents += 1
        if fields[STATUS, shooter] == IN_PLAY and opponents > 0:
            _shot_before(b, actor, shooter, opponents)
    left = 0
    for j in range(number):
        if fields[STATUS, b.several[j]] == IN_PLAY:
            b.several[left] = b.several[j]
            left += 1
    return left


@on_battle(1, types.int64)
def _strength(b: Battle, figure: int) -> int:
    """Return what a figure adds to its die by what it is and how it is (NA-7.7a to 7.7f)."""
    play, fields = b.play, b.state.figure
    total = play.melee_grade[fields[GRADE, figure]]
    if fields[WOUNDS, figure] > 0:
        total += play.melee_wounded
    if fields[PRONE, figure] == 1:
        total += play.melee_prone
    if fields[BLUE, figure] == 1:
        total += play.melee_blue
    return int(total)


@merged
def _roll_numbers(b: Battle, figure: int, actor: int, lone: int, number: int, charges: int) -> None:
    """Roll for everybody: one die for the lone figure, or one a pair (NA-7.12)."""
    state, play, ground = b.state, b.play, b.ground
    alone = _strength(b, lone)
    if lone == figure:
        alone += play.melee_charge * charges
    elif cover(state, ground, play, b.several[0], lone) == HARD:
        alone += play.melee_obstacle
    sides = state.figure[MELEE_DIE, lone]
    for j in range(number):
        i = int(b.several[j])
        other = _strength(b, i) + play.melee_extra_friend * (number - 1)
        if i == figure:
            other += play.melee_charge * charges
        elif lone == figure and cover(state, ground, play, lone, i) == HARD:
            other += play.melee_obstacle
        b.theirs[j] = roll(b, actor, MELEE, 64 * (j + 1), state.figure[MELEE_DIE, i]) + other
        if play.several == PAIRWISE:
            b.mine[j] = roll(b, actor, MELEE_LONE, j, sides) + alone
        else:
            b.mine[j] = roll(b, actor, MELEE, 0, sides) + alone


@merged
def _lowest_pair(b: Battle, actor: int, number: int) -> int:
    """Return the only pair that counts when only the lowest of all suffers."""
    lowest = highest = 0
    for j in range(number):
        lowest = j if b.theirs[j] < b.theirs[lowest] else lowest
        highest = j if b.theirs[j] > b.theirs[highest] else highest
    if b.mine[0] < b.theirs[lowest]:
        return highest
    tied = 0
    for j in range(number):
        if b.theirs[j] == b.theirs[lowest]:
            b.drawn_from[tied] = j
            tied += 1
    return draw(b, actor, LOWEST, 0, tied)


@on_battle(5)
def settle(b: Battle, actor: int, lone: int, other: int, j: int, again: int) -> None:
    """Roll the two of pair `j` again until their numbers differ; `again` is the first die for that."""
    fields, rolls = b.state.figure, 1
    while b.mine[j] == b.theirs[j]:
        b.mine[j] = roll(b, actor, MELEE_AGAIN, again + 2 * (rolls - 1), fields[MELEE_DIE, lone])
        b.theirs[j] = roll(b, actor, MELEE_AGAIN, again + 2 * (rolls - 1) + 1, fields[MELEE_DIE, other])
        rolls += 1
    loser = lone if b.mine[j] < b.theirs[j] else other
    note(b, PAIR, lone, other, b.mine[j], b.theirs[j], rolls, loser, -1, -1, -1, -1)


@merged
def _compare(b: Battle, actor: int, lone: int, number: int) -> None:
    """Compare the pairs that the reading compares, and roll ties again with bare dice (NA-7.8, NA-7.11, NA-7.12)."""
    only = NOBODY
    if b.play.several == LOWEST_ONLY:
        only = _lowest_pair(b, actor, number)
    for j in range(number):
        b.compared[j] = int(only in (NOBODY, j))
        if b.compared[j] == 1:
            settle(b, actor, lone, b.several[j], j, 64 * j)


@merged
def _captures(b: Battle, lone: int, number: int) -> int:
    """Tell whether the several take the lone figure prisoner (NA-7.13, NA-7.14)."""
    play, fields = b.play, b.state.figure
    beaten_by = killed = wounds = 0
    for j in range(number):
        mine, theirs, out = b.mine[j], b.theirs[j], play.wounds_out
        beaten_by += int(mine < theirs)
        if b.compared[j] == 0:
            continue
        if mine < theirs:
            killed += int(play.kill_ratio * mine <= theirs)
            wounds += int(theirs - mine >= play.wound_lead)
        elif play.kill_ratio * theirs <= mine or (
            mine - theirs >= play.wound_lead and fields[WOUNDS, b.several[j]] + 1 >= out
        ):
            return 0
    if number < play.capture_figures or beaten_by < play.capture_beat:
        return 0
    if play.capture == IF_ALIVE and (killed > 0 or (wounds > 0 and fields[WOUNDS, lone] + wounds >= play.wounds_out)):
        return 0
    return int(orders.captures(b.state, play, b.doctrine[fields[SIDE, b.several[0]]], lone, number))


@on_battle(3)
def suffer(b: Battle, loser: int, high: int, low: int) -> None:
    """Apply a lost pair to the loser, if it is still in play (NA-7.8 to 7.10)."""
    play, fields = b.play, b.state.figure
    if fields[STATUS, loser] != IN_PLAY:
        return
    killed, wounded = play.kill_ratio * low <= high, high - low >= play.wound_lead
    end = IS_SHAKEN
    if killed:
        end = DIES
        if wounded and play.melee_kill == BOTH:
            fields[WOUNDS, loser] += 1
        kill(b, loser)
    elif wounded:
        end = IS_WOUNDED
        wound(b, loser, int(play.melee_wound == FALLS))
    else:
        fields[BLUE, loser] = 1
    note_harm(b, loser, -1, -1, end)


@on_battle(3)
def fight(b: Battle, figure: int, actor: int, charges: int) -> None:
    """Fight the round of close combat that a figure begins (NA-7, RI-7)."""
    state, play, fields = b.state, b.play, b.state.figure
    evaded = _evasions(b, figure, actor)
    first, end = enemies(state, figure)
    number, lone = 0, figure
    for i in range(first, end):
        if fields[STATUS, i] == IN_PLAY and touches(state, play, figure, i):
            b.several[number] = i
            number += 1
    if number == 0:
        note(b, ROUND, figure, NOBODY, 0, evaded, 0, -1, -1, -1, -1, -1)
        return
    if number == 1:
        lone, number = int(b.several[0]), 0
        first, end = friends(state, figure)
        for i in range(first, end):
            if fields[STATUS, i] == IN_PLAY and touches(state, play, lone, i):
                b.several[number] = i
                number += 1
    state.tally[ROUNDS_FOUGHT + fields[SIDE, figure]] += 1
    b.fought[lone] = 1
    for j in range(number):
        b.fought[b.several[j]] = 1
    left = number
    if play.has_melee_shots == 1:
        left = _shots_before(b, actor, lone, number)
    if left == 0 or fields[STATUS, lone] != IN_PLAY:
        note(b, ROUND, figure, lone, number, evaded, 0, -1, -1, -1, -1, -1)
        return
    _roll_numbers(b, figure, actor, lone, left, charges)
    _compare(b, actor, lone, left)
    taken = _captures(b, lone, left)
    note(b, ROUND, figure, lone, number, evaded, taken, -1, -1, -1, -1, -1)
    for j in range(left):
        if b.compared[j] == 1:
            if b.mine[j] > b.theirs[j]:
                suffer(b, b.several[j], b.mine[j], b.theirs[j])
            elif taken == 0:
                suffer(b, lone, b.theirs[j], b.mine[j])
    if taken == 1:
        capture(b, lone, b.several[0])


@merged
def free_hit(b: Battle, figure: int, actor: int, enemy: int, place: int) -> None:
    """Let an enemy strike at a figure that leaves contact, the only one whom the result harms (NA-7.2)."""
    fields = b.state.figure
    b.mine[0] = roll(b, actor, MELEE, 1, fields[MELEE_DIE, figure]) + _strength(b, figure)
    b.theirs[0] = roll(b, actor, MELEE, 64 * (place + 1) + 1, fields[MELEE_DIE, enemy]) + _strength(b, enemy)
    settle(b, actor, figure, enemy, 0, 64 * place + 32)
    if b.mine[0] < b.theirs[0]:
        suffer(b, figure, b.theirs[0], b.mine[0])


@merged
def fight_at_end_of_turn(b: Battle) -> None:
    """Fight a round for everybody in contact who has fought none yet (NA-7.2)."""
    state, play, fields = b.state, b.play, b.state.figure
    for i in range(state.count):
        b.fought[i] = 0
    for figure in range(state.count):
        if b.fought[figure] == 1 or fields[STATUS, figure] != IN_PLAY:
            continue
        first, end = enemies(state, figure)
        for i in range(first, end):
            if fields[STATUS, i] == IN_PLAY and touches(state, play, figure, i):
                fight(b, figure, who(state, figure), 0)
                break
