"""Phase C of the kernel: assaults, and what each brings about."""

from __future__ import annotations

from math import sqrt

from numba import types

from wargamesim.games.coloniale import orders
from wargamesim.games.coloniale.battle_record import (
    Battle,
    destroy,
    note,
    on_battle,
    option,
    plays,
    roll,
    successes,
    thousandths,
    who_begins,
)
from wargamesim.games.coloniale.battle_retreat import fall_back
from wargamesim.games.coloniale.layout import (
    ACTION,
    ARM,
    ASSAULT,
    ASSAULTED,
    ASSAULTS,
    ATTACKER_WON,
    BATTERY,
    BOTH_GONE,
    CHOSEN,
    DEFENDER_WON,
    DISC,
    FALLS,
    FIG,
    FORCED,
    FORCED_BACK,
    FORT,
    FOUGHT,
    INFANTRY,
    LOST_TO_DEFEAT,
    LOST_TO_DICE,
    MARKERS,
    NO_WINNER,
    NOBODY,
    PHASE_C,
    PURSUIT,
    PURSUITS,
    RISES,
    SIDE,
    STATUS,
    STRIDE,
    T_AFTER,
    T_ASSAULT,
    TARGET,
    TEST,
    UNIT,
    VALUE,
    WON,
    X,
    Y,
)
from wargamesim.games.coloniale.sight import MORE, advantage, barred, distance2, within
from wargamesim.games.coloniale.whereabouts import appears

VALUES_DECIDE = option("values_decide", "values_decide")
TIE_TO_ATTACKER, TIE_DRAWN, TIE_REROLLED = (option("tie", name) for name in ("attacker", "draw", "reroll"))
BOTH_TEST, LOSER_TESTS = option("tests", "both"), option("tests", "loser_only")
PURSUIT_FIRST = option("pursuit_first", "after_pursuit")
ATTACKER_PURSUES = option("attacker_pursues", "attacker_only")
FORT_ONLY = option("fort_only", "fort_only")

# Jobs: an assault (who, whom, kind), or the question whether a winner follows (who, whom, whether it attacked).
TO_ASSAULT, TO_FOLLOW = range(2)


@on_battle(4)
def _push(b: Battle, what: int, who: int, whom: int, kind: int) -> None:
    b.job[b.jobs, 0], b.job[b.jobs, 1], b.job[b.jobs, 2], b.job[b.jobs, 3] = what, who, whom, kind
    b.jobs += 1


@on_battle(3, types.int64)
def _bonus(b: Battle, a: int, d: int, in_fort: int) -> int:
    """Return what its position adds to the defender's value (CO-5.3, CO-P21)."""
    play = b.play
    holds = play.position if advantage(b.state, b.ground, play, a, d) else 0
    if in_fort > 0:
        return int(play.fort_bonus if play.fort_only == FORT_ONLY else play.fort_bonus + holds)
    return int(holds)


@on_battle(2)
def _into_contact(b: Battle, a: int, d: int) -> None:
    """Move the attacker to the defender (CO-5.1)."""
    place, contact = b.state.place, b.play.contact
    d2 = distance2(b.state, a, d)
    if b.goals.movement == 1 and d2 > contact * contact * MORE:
        far = sqrt(d2)
        place[a, X] = place[d, X] + (place[a, X] - place[d, X]) / far * contact
        place[a, Y] = place[d, Y] + (place[a, Y] - place[d, Y]) / far * contact


@on_battle(2)
def _lose(b: Battle, unit: int, figures: int) -> None:
    """Take figures off a unit that has lost an assault."""
    b.state.unit[unit, FIG] -= figures
    b.state.tally[LOST_TO_DEFEAT + b.state.unit[unit, SIDE]] += figures


@on_battle(2, types.int64)
def _test(b: Battle, unit: int, won: int) -> int:
    """Test the discipline of a survivor (CO-5.7, CO-P02, CO-P17); return the die, -1 if none is rolled."""
    play, row = b.play, b.state.unit[unit]
    if row[FIG] == 0 or not (play.tests == BOTH_TEST or (play.tests == LOSER_TESTS and won == 0)):
        return -1
    die = roll(b, unit, TEST, row[FOUGHT], play.test_die)
    before = row[DISC]
    if won == 1:
        if die >= play.winner_need:
            row[DISC] = max(before, min(before + play.winner_gain, play.highest))
            b.state.tally[RISES + row[SIDE]] += int(row[DISC] > before)
    elif die >= play.loser_need:
        row[DISC] = min(before, max(before - play.loser_drop, play.lowest))
        b.state.tally[FALLS + row[SIDE]] += int(row[DISC] < before)
    return die


@on_battle(2)
def _note_after(b: Battle, unit: int, die: int) -> None:
    row, place = b.state.unit[unit], b.state.place[unit]
    x, y = thousandths(place[X]), thousandths(place[Y])
    note(b, T_AFTER, unit, row[FIG], row[DISC], row[MARKERS], x, y, row[STATUS], die, row[FORT], -1)


@on_battle(4, types.int64)
def _after(b: Battle, a: int, d: int, winner: int, fort: int) -> int:
    """Let the loser fall back and the winner take its place; return the enemy that the loser runs into, or -1."""
    state, play, place = b.state, b.play, b.state.place
    if b.goals.movement == 0 or winner == BOTH_GONE:
        return -1
    x, y = place[d, X], place[d, Y]
    touched = -1
    if winner == ATTACKER_WON:
        if plays(b, d):
            touched = fall_back(b, d, a, play.retreat)
        dx, dy = place[d, X] - x, place[d, Y] - y
        free = not plays(b, d) or dx * dx + dy * dy > play.contact * play.contact * MORE
        if free and plays(b, a):
            place[a, X], place[a, Y] = x, y
            if fort > 0 and state.unit[a, ARM] == INFANTRY:
                state.unit[a, FORT] = fort
            appears(state, a)
    elif plays(b, a):
        touched = fall_back(b, a, d, play.retreat if winner == DEFENDER_WON else play.draw_retreat)
    return touched


@on_battle(3)
def _assault(b: Battle, a: int, d: int, kind: int) -> None:
    """Fight one assault, and do all that it brings about at once (CO-5.2 to CO-5.8)."""
    state, play = b.state, b.play
    mine, theirs, tally = state.unit[a], state.unit[d], state.tally
    mine[FORT] = 0
    fort = theirs[FORT]
    bonus = _bonus(b, a, d, fort)
    _into_contact(b, a, d)
    appears(state, a)
    counted = ASSAULTS if kind == CHOSEN else (PURSUITS if kind == PURSUIT else FORCED)
    tally[counted + mine[SIDE]] += 1
    mine_k, theirs_k = STRIDE * mine[FOUGHT], STRIDE * theirs[FOUGHT]
    dice, other_dice = min(mine[FIG], play.assault_dice), min(theirs[FIG], play.assault_dice)
    sides, need = play.assault_die, play.assault_need
    d_loss = min(successes(b, a, ASSAULT, mine_k, dice, sides, need), theirs[FIG])
    a_loss = min(successes(b, d, ASSAULT, theirs_k, other_dice, sides, need), mine[FIG])
    a_value = d_value = again = 0
    no_a, no_d = mine[FIG] == a_loss, theirs[FIG] == d_loss
    if play.values_decide != VALUES_DECIDE and (no_a or no_d):
        winner = BOTH_GONE if no_a and no_d else (DEFENDER_WON if no_a else ATTACKER_WON)
    else:
        a_lead, d_lead = mine[DISC] - mine[MARKERS] - a_loss, theirs[DISC] - theirs[MARKERS] - d_loss + bonus
        a_value = roll(b, a, VALUE, mine_k, play.value_die) + a_lead
        d_value = roll(b, d, VALUE, theirs_k, play.value_die) + d_lead
        while a_value == d_value and play.tie == TIE_REROLLED and play.value_die > 1:
            again += 1
            a_value = roll(b, a, VALUE, mine_k + again, play.value_die) + a_lead
            d_value = roll(b, d, VALUE, theirs_k + again, play.value_die) + d_lead
        if a_value != d_value:
            winner = ATTACKER_WON if a_value > d_value else DEFENDER_WON
        elif play.tie == TIE_DRAWN or play.tie == TIE_REROLLED:
            winner = NO_WINNER
        else:
            winner = ATTACKER_WON if play.tie == TIE_TO_ATTACKER else DEFENDER_WON
    note(b, T_ASSAULT, a, d, kind, a_loss, d_loss, a_value, d_value, bonus, again, winner)
    mine[FIG] -= a_loss
    theirs[FIG] -= d_loss
    tally[LOST_TO_DICE + mine[SIDE]] += a_loss
    tally[LOST_TO_DICE + theirs[SIDE]] += d_loss
    a_test = d_test = -1
    if winner == ATTACKER_WON:
        _lose(b, d, theirs[FIG] if fort > 0 else min(play.loser_figures, theirs[FIG]))
        mine[MARKERS] += play.winner_markers
        theirs[MARKERS] += play.loser_markers
        tally[WON + mine[SIDE]] += 1
        a_test = _test(b, a, 1)
        d_test = _test(b, d, 0)
    elif winner == DEFENDER_WON:
        _lose(b, a, min(play.loser_figures, mine[FIG]))
        theirs[MARKERS] += play.winner_markers
        mine[MARKERS] += play.loser_markers
        tally[WON + theirs[SIDE]] += 1
        d_test = _test(b, d, 1)
        a_test = _test(b, a, 0)
    elif winner == NO_WINNER:
        mine[MARKERS] += play.draw_markers
        theirs[MARKERS] += play.draw_markers
    for unit in (a, d):
        row = state.unit[unit]
        row[ACTION] = 1
        row[FOUGHT] += 1
        if row[FIG] == 0:
            destroy(b, unit)
    theirs[ASSAULTED] += 1
    touched = _after(b, a, d, winner, fort)
    _note_after(b, a, a_test)
    _note_after(b, d, d_test)
    loser = d if winner == ATTACKER_WON else a
    if play.pursuit_first == PURSUIT_FIRST and touched >= 0:
        _push(b, TO_ASSAULT, loser, touched, FORCED_BACK)
    if winner == ATTACKER_WON:
        _push(b, TO_FOLLOW, a, d, 1)
    elif winner == DEFENDER_WON:
        _push(b, TO_FOLLOW, d, a, 0)
    if play.pursuit_first != PURSUIT_FIRST and touched >= 0:
        _push(b, TO_ASSAULT, loser, touched, FORCED_BACK)


@on_battle(3)
def _follow(b: Battle, winner: int, loser: int, attacked: int) -> None:
    """Ask the winner of an assault whether it pursues, if it can (CO-5.10, CO-8.2, CO-P20)."""
    state, play = b.state, b.play
    if state.night == 1 or (play.attacker_pursues == ATTACKER_PURSUES and attacked == 0):
        return
    if state.unit[winner, ARM] == BATTERY and play.battery_assaults == 0:
        return
    if b.goals.movement == 1:
        wx, wy, x, y = state.place[winner, X], state.place[winner, Y], state.place[loser, X], state.place[loser, Y]
        if sqrt(distance2(state, winner, loser)) - play.contact > play.pursuit_reach * MORE:
            return
        if barred(b.ground, play, wx, wy, x, y):
            return
    doctrine = b.doctrine[state.unit[winner, SIDE]]
    if orders.pursue(state, b.ground, play, doctrine, b.goals, b.plan, winner, loser) == 1:
        _push(b, TO_ASSAULT, winner, loser, PURSUIT)


@on_battle(0)
def assault_phase(b: Battle) -> None:
    """Let the sides assault in turns, until both pass (CO-3.3, CO-5.11)."""
    plan = b.plan
    side = who_begins(b, PHASE_C)
    passed = 0
    while passed < 2:
        orders.assault(b.state, b.ground, b.play, b.doctrine[side], b.goals, plan, side)
        attacker = plan.action[UNIT]
        if attacker == NOBODY:
            passed += 1
        else:
            _push(b, TO_ASSAULT, attacker, plan.action[TARGET], CHOSEN)
            while b.jobs > 0:
                b.jobs -= 1
                what, who, whom, kind = b.job[b.jobs, 0], b.job[b.jobs, 1], b.job[b.jobs, 2], b.job[b.jobs, 3]
                if not (plays(b, who) and plays(b, whom)):
                    continue
                if what == TO_FOLLOW:
                    _follow(b, who, whom, kind)
                elif kind != FORCED_BACK or (
                    within(b.state, who, whom, b.play.contact)
                    and (b.state.night == 0 or b.state.unit[whom, ASSAULTED] == 0)
                ):
                    _assault(b, who, whom, kind)
        # Who has passed is out of the phase: the other side goes on alone.
        if passed == 0 or attacker == NOBODY:
            side = 1 - side
