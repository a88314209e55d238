"""What a player expects of an assault: the chance that the attacker wins. Compiled.

The exact chance is that of `assault` (CO-5.2 to CO-5.5). The other estimate compares the values (CO-5.3) with the
losses that the dice cost on average.
"""

from __future__ import annotations

from math import floor

from wargamesim.games.coloniale.compiling import public, typed
from wargamesim.games.coloniale.doctrine import VALUES, DoctrineRecord
from wargamesim.games.coloniale.layout import (
    DISC,
    FIG,
    FORT,
    MARKERS,
    MOST_CHANCES,
    MOST_LEAD,
    PENDING_LOSS,
    PENDING_MARKERS,
    Ground,
    Plan,
    State,
)
from wargamesim.games.coloniale.playing import CHOICES, Play
from wargamesim.games.coloniale.sight import advantage

# Readings of CO-P16 by index.
TO_ATTACKER, REROLL = (CHOICES["tie"][1].index(name) for name in ("attacker", "reroll"))


@typed
def hit_chance(die: int, need: int) -> float:
    """Return the chance that a die shows at least what is needed."""
    return min(max(die - need + 1, 0), die) / die


@typed
def _ahead(sides: int, lead: int) -> float:
    """Return the chance that a die and a lead together beat another die of as many sides."""
    m = sides - 1 + lead if lead < 0 else sides - lead
    pairs = max(m, 0) * (max(m, 0) + 1) // 2
    return pairs / (sides * sides) if lead < 0 else 1.0 - pairs / (sides * sides)


@typed
def by_value(play: Play, lead: int) -> float:
    """Return the chance that an attacker wins whose value is so much higher before the dice (CO-5.3, CO-5.5)."""
    more = _ahead(play.value_die, lead)
    tie = max(play.value_die - abs(lead), 0) / (play.value_die * play.value_die)
    if play.tie == TO_ATTACKER:
        return float(more + tie)
    if play.tie == REROLL and play.value_die > 1:
        return float(more / (1.0 - tie))
    return more


@typed
def _losses(play: Play, plan: Plan, row: int, dice: int, figures: int) -> None:
    """Write into a row of `plan.scratch` how likely so many dice cost 0, 1, ... of so many figures (CO-5.2)."""
    hit = hit_chance(play.assault_die, play.assault_need)
    plan.scratch[row, 0] = 1.0
    for k in range(1, figures + 1):
        plan.scratch[row, k] = 0.0
    for _ in range(dice):
        plan.scratch[row, figures] += plan.scratch[row, figures - 1] * hit
        for k in range(figures - 1, 0, -1):
            plan.scratch[row, k] = plan.scratch[row, k] * (1.0 - hit) + plan.scratch[row, k - 1] * hit
        plan.scratch[row, 0] *= 1.0 - hit


@public
def exactly(play: Play, plan: Plan, attackers: int, defenders: int, lead: int) -> float:
    """Return the chance that so many figures win against so many others, ahead by so many points before all dice."""
    _losses(play, plan, 0, min(defenders, play.assault_dice), attackers)
    _losses(play, plan, 1, min(attackers, play.assault_dice), defenders)
    won = 0.0
    for own in range(attackers + 1):
        if own == attackers and play.values_decide == 0:
            break
        for theirs in range(defenders + 1):
            wins = 1.0
            if theirs < defenders or play.values_decide == 1:
                wins = by_value(play, lead - own + theirs)
            won += plan.scratch[0, own] * plan.scratch[1, theirs] * wins
    return won


@typed
def _on_average(play: Play, attackers: int, defenders: int, lead: int) -> float:
    hit = hit_chance(play.assault_die, play.assault_need)
    own = min(min(defenders, play.assault_dice) * hit, float(attackers))
    theirs = min(min(attackers, play.assault_dice) * hit, float(defenders))
    margin = lead - own + theirs
    whole = floor(margin)
    part = margin - whole
    return float(by_value(play, int(whole)) * (1.0 - part) + by_value(play, int(whole) + 1) * part)


@typed
def chance(
    state: State, ground: Ground, play: Play, doctrine: DoctrineRecord, plan: Plan, unit: int, enemy: int, support: int
) -> float:
    """Return the chance that a unit wins an assault on an enemy who gets fire from so many friends before it.

    What the fire of this phase has done so far is counted too (CO-4.6).
    """
    a, d = state.unit[unit], state.unit[enemy]
    attackers, defenders = a[FIG] - a[PENDING_LOSS], d[FIG] - d[PENDING_LOSS]
    if attackers <= 0:
        return 0.0
    if defenders <= 0:
        return 1.0
    lead = a[DISC] - a[MARKERS] - a[PENDING_MARKERS] - d[DISC] + d[MARKERS] + d[PENDING_MARKERS]
    lead += support * play.fire_markers
    if d[FORT] > 0:
        lead -= play.fort_bonus
    if not (d[FORT] > 0 and play.fort_only == 1) and advantage(state, ground, play, unit, enemy):
        lead -= play.position
    if doctrine.estimate == VALUES:
        return _on_average(play, attackers, defenders, lead)
    if attackers >= MOST_CHANCES or defenders >= MOST_CHANCES or abs(lead) > MOST_LEAD:
        return exactly(play, plan, attackers, defenders, lead)
    known = plan.chance[attackers, defenders, lead + MOST_LEAD]
    if known == 0.0:
        known = 1.0 + exactly(play, plan, attackers, defenders, lead)
        plan.chance[attackers, defenders, lead + MOST_LEAD] = known
    return float(known - 1.0)
