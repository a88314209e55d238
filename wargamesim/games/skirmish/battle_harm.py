"""What harm does: markers of fear and how they spread, wounds, death, capture. Compiled."""

from __future__ import annotations

from wargamesim.games.skirmish.battle_record import HARM, Battle, merged, note, on_battle
from wargamesim.games.skirmish.layout import (
    BLUE,
    CAPTOR,
    CAPTURED,
    DEAD,
    DRAGS,
    IN_PLAY,
    KILLED,
    LOAD_0,
    PRISONERS,
    PRONE,
    SIDE,
    STATUS,
    WOUNDS,
)
from wargamesim.games.skirmish.sight import MORE, distance2, sees
from wargamesim.games.skirmish.whereabouts import gap2_from, members, own_squads, shows

# How a hit or a lost round of close combat ends.
DIES, IS_WOUNDED, IS_SHAKEN = 1, 2, 3


@merged
def becomes(b: Battle, figure: int, status: int) -> None:
    """Change a figure's status, by which the battle may be won."""
    b.state.figure[STATUS, figure] = status
    b.judged = 0


@on_battle(1)
def let_go(b: Battle, figure: int) -> None:
    """Let a figure leave what it drags where it is."""
    held = b.state.figure[DRAGS, figure]
    if held >= LOAD_0:
        b.state.dragger[held - LOAD_0] = -1
    b.state.figure[DRAGS, figure] = -1


@on_battle(2)
def spread_fear(b: Battle, figure: int, in_sight: int) -> None:
    """Give a blue marker to the friends near a figure that is lost (NA-5.3, NA-8.5)."""
    state, play = b.state, b.play
    near = play.spread_radius * play.spread_radius * MORE
    first, end = own_squads(state, figure)
    for squad in range(first, end):
        if gap2_from(state, squad, figure) > near:
            continue
        begin, stop = members(state, squad)
        for i in range(begin, stop):
            if (
                i != figure
                and state.figure[STATUS, i] == IN_PLAY
                and state.figure[BLUE, i] == 0
                and distance2(state, figure, i) <= near
                and (in_sight == 0 or sees(state, b.ground, play, figure, i))
            ):
                state.figure[BLUE, i] = 1


@on_battle(1)
def die(b: Battle, figure: int) -> None:
    """Take a dead figure off, without any effect on others."""
    state = b.state
    let_go(b, figure)
    becomes(b, figure, DEAD)
    state.tally[KILLED + state.figure[SIDE, figure]] += 1


@on_battle(1)
def kill(b: Battle, figure: int) -> None:
    """Kill a figure before its friends' eyes (NA-5.3)."""
    die(b, figure)
    spread_fear(b, figure, 1)


@on_battle(2)
def wound(b: Battle, figure: int, falls: int) -> None:
    """Wound a figure (NA-5.4, NA-5.6, NA-5.7)."""
    state, play = b.state, b.play
    state.figure[WOUNDS, figure] += 1
    if state.figure[WOUNDS, figure] < play.wounds_out:
        state.figure[BLUE, figure] = 1
        if falls == 1:
            state.figure[PRONE, figure] = 1
    elif play.spread == 1:
        kill(b, figure)
    else:
        die(b, figure)


@on_battle(2)
def capture(b: Battle, figure: int, captor: int) -> None:
    """Take a figure prisoner (NA-7.13)."""
    state = b.state
    let_go(b, figure)
    becomes(b, figure, CAPTURED)
    shows(state, figure)
    state.figure[CAPTOR, figure] = captor
    state.tally[PRISONERS + state.figure[SIDE, figure]] += 1


@on_battle(4)
def note_harm(b: Battle, figure: int, rolled: int, total: int, end: int) -> None:
    """Write down what became of a figure."""
    status, wounds = b.state.figure[STATUS, figure], b.state.figure[WOUNDS, figure]
    note(b, HARM, figure, rolled, total, end, status, wounds, -1, -1, -1, -1)


@merged
def injure(b: Battle, figure: int, rolled: int, cover: int) -> None:
    """Apply the result of a hit (NA-5.1 to 5.5)."""
    state, play = b.state, b.play
    total = rolled + play.result_cover[cover]
    shows(state, figure)
    if total <= play.kill_at_most:
        end = DIES
        kill(b, figure)
    elif total <= play.wound_at_most:
        end = IS_WOUNDED
        wound(b, figure, play.wounded_falls)
    else:
        end = IS_SHAKEN
        state.figure[BLUE, figure] = 1
    note_harm(b, figure, rolled, total, end)
