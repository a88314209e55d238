"""How a skirmish lies in records: names of fields, states and tallies. No rule and no compiled code.

Distances are cm; x grows to the east and y to the south, from the north-west corner of the table. A facing is a unit
vector. Figures of the first side come first, squad by squad; a squad's figures are neighbours.
"""

from __future__ import annotations

import numpy as np

# The longest side of a table in cm (the ground is drawn in squares of 1 cm), and the most of what stands on it.
LARGEST = 256
MOST_FIGURES = 128
MOST_SQUADS = 16
MOST_LOADS = 8
MOST_CARDS = 128
MOST_HOUSES = 16

FIRST, SECOND = range(2)
SIDES = ("first", "second")
DRAW, NO_DECISION = 2, 3
OUTCOMES = (*SIDES, "draw", "no_decision")

# Bits of a square of ground.
DIFFICULT, WATER, WOOD, BUILDING, WALL, HEDGE, SHELTER = (1 << bit for bit in range(7))

# What a figure's place and facing are, and where its thrown weapon lies while its marker is SPENT.
X, Y, FACE_X, FACE_Y, DROP_X, DROP_Y = range(6)
PLACES = 6
# The marker of a thrown weapon: nobody reloads it.
SPENT = 99

# Fields of a figure. Those of two weapons (main, second) are pairs.
(
    SIDE,
    SQUAD,
    GRADE,
    ROLES,
    MELEE_DIE,  # sides of its die in close combat
    STATUS,
    WOUNDS,
    BLUE,
    PRONE,
    HIDDEN,
    WET,
    RAN,  # its last action was a run
    MOVED_LAST,  # its last action was a move of any kind
    ACTS,  # activations this turn
    TRIES,  # attempts to activate it this turn: the key of its dice
    ON_CARD,  # activations by the card in play
    MOVED,  # it has moved this turn
    RELOADED,  # it has reloaded this turn
    SHOTS,  # shots of a repeater this turn
    EVADED,  # the turn in which it last evaded, or 0
    OUT_UNTIL,  # after which turn an evader may act again
    DRAGS,  # the figure or load (LOAD_0 + index) that it drags, or -1
    CAPTOR,  # who took it prisoner, or -1
    ARSON,  # successes in setting fire to a building, in a row or in all
    BURNING,  # turns spent in a burning building
    WEAPON,
    WEAPON_2,
    START,  # actions to reload, when the weapon has been emptied
    START_2,
    LOADING,  # actions still to go
    LOADING_2,
    CAPACITY,  # rounds of a full magazine, 1 if it is no repeater
    CAPACITY_2,
    ROUNDS,
    ROUNDS_2,
    OTHER_DIE,  # sides of its die in close combat while its thrown weapon is out of hand, or again in hand
    LEVEL,  # the floor it is on, 0 at the ground
) = range(37)
FIELDS = 37
LOAD_0 = MOST_FIGURES

# STATUS.
IN_PLAY, DEAD, ROUTED, CAPTURED, OUT, LEFT = range(6)

# Bits of ROLES.
LEADER, FREE_AIM, REGULAR, EVADES, MARINE = (1 << bit for bit in range(5))

# Fields of a squad.
S_SIDE, S_FIRST, S_COUNT = range(3)
SQUAD_FIELDS = 3
# The sides of a squad's box.
BOX_WEST, BOX_NORTH, BOX_EAST, BOX_SOUTH = range(4)

# Cards: squads' cards are 0 and up; what else there is.
ACE, JOKER, BLANK = -1, -2, -3
# Suited decks hold RANKS cards a squad: card = squad * RANKS + rank.
RANKS = 5
TWO, THREE, JACK, KING = 1, 2, 3, 4

# What lasts of the deck: cards in it, drawn so far this turn, jokers seen, the squad that moved last (or -1), the kind
# of the card drawn just before (or BLANK), whether any ace or joker was drawn this turn.
CARDS, DRAWN, JOKERS_SEEN, LAST_SQUAD, LAST_CARD, ANY_SPECIAL = range(6)
DECK_FIELDS = 6

# The tally of a battle, each + side.
(
    KILLED,  # shot, cut down or wounded to the end, of this side
    ROUTS,
    RALLIES,
    PRISONERS,  # of this side, taken by the other
    GONE,  # left the table
    PINNED,  # activations lost to suppression
    ACTIVATIONS,
    SHOTS_FIRED,
    MISFIRES,
    HITS,  # scored by this side, whoever is hit
    OWN_HIT,  # figures of this side hit by their own
    VOLLEYS,
    ROUNDS_FOUGHT,  # rounds of close combat that this side began
    EVASIONS,
    LOADS_AWAY,
    HELD,  # turns in a row at whose end the side held its place
) = range(0, 32, 2)
TALLIES = 32

STATE = np.dtype(
    [
        ("count", np.int64),
        ("squads", np.int64),
        ("first_squads", np.int64),  # those of the first side
        ("loads", np.int64),
        ("turn", np.int64),
        ("place", np.float64, (PLACES, MOST_FIGURES)),
        ("figure", np.int16, (FIELDS, MOST_FIGURES)),
        # Bits of the enemies who alone know a hidden figure, by word of 64 and figure (NA-6.6).
        ("observers", np.uint64, (2, MOST_FIGURES)),
        ("squad", np.int16, (SQUAD_FIELDS, MOST_SQUADS)),
        # What `whereabouts` keeps: the box round each squad; a clock that counts how often anybody has come somewhere
        # or to light, and where it stood when anybody of a squad last did; the nearest enemy of a figure when it last
        # looked, or -1, and where the clock stood then.
        ("box", np.float64, (MOST_SQUADS, 4)),
        ("clock", np.int64),
        ("stirred", np.int64, MOST_SQUADS),
        ("nearest", np.int16, MOST_FIGURES),
        ("looked", np.int64, MOST_FIGURES),
        ("load", np.float64, (2, MOST_LOADS)),
        ("dragger", np.int16, MOST_LOADS),
        ("card", np.int16, MOST_CARDS),
        ("deck", np.int64, DECK_FIELDS),
        ("rallied", np.int16, MOST_SQUADS),
        ("afire", np.int16, MOST_HOUSES),  # the turn in which a house was set on fire, or 0
        ("fielded", np.int64, 2),
        ("tally", np.int64, TALLIES),
    ],
    align=True,
)
State = np.record

# The ground never changes. `depth` is the distance from a square's centre to the wood's edge, 0 outside woods.
GROUND = np.dtype(
    [
        ("width", np.float64),
        ("height", np.float64),
        ("plain", np.int64),  # 1 if nothing but open ground is on the table
        ("opaque", np.int64),  # 1 if there is a wood or a building
        ("what", np.uint8, (LARGEST, LARGEST)),  # [y, x]
        ("depth", np.float32, (LARGEST, LARGEST)),
        ("house", np.uint8, (LARGEST, LARGEST)),  # the number of the building, from 1
        ("floors", np.uint8, MOST_HOUSES),  # of a building by its number
    ],
    align=True,
)
Ground = np.record

# What wins, a pair a side; what is not asked for is 0 (`at_limit`: the side that wins when time is up, or -1).
NORTH, EAST, SOUTH, WEST = range(1, 5)
GOALS = np.dtype(
    [
        ("turns", np.int64),
        ("at_limit", np.int64),
        ("home", np.int64, 2),  # the edge of the table from which a side came
        ("breaks_at", np.int64, 2),  # so many of its own figures lost lose the side the battle
        ("hold", np.float64, (2, 4)),  # west, north, east, south of the place
        ("hold_figures", np.int64, 2),
        ("hold_turns", np.int64, 2),
        ("exit_edge", np.int64, 2),
        ("exit_figures", np.int64, 2),
        ("exit_loads", np.int64, 2),
        ("prisoners", np.int64, 2),
    ],
    align=True,
)
Goals = np.record

# A player's proposal. See `orders`.
WHAT, FIGURE, TARGET, SLOT, RUN, POSTURE, SHOOT_FIRST, HIDE, EXIT, GRAB = range(10)
ACTION_FIELDS = 10
# WHAT is chosen first: who acts.
END, ACT, VOLLEY, BLIND, RALLY = range(5)
# WHAT a figure does.
PASS, MOVE, SHOOT, POSTURE_SHOT, RELOAD, FIGHT, TAKE, ARSON_TRY, STAIRS = range(9)
KEEP, STAND, LIE = range(3)

PLAN = np.dtype(
    [
        ("action", np.int64, ACTION_FIELDS),
        ("to", np.float64, 2),
        ("members", np.int16, MOST_FIGURES),
        ("member_count", np.int64),
        ("scratch", np.float64, (5, MOST_FIGURES)),
        ("list", np.int16, (4, MOST_FIGURES)),
    ],
    align=True,
)
Plan = np.record

# What a die is rolled for.
(
    SHUFFLE,
    COIN,
    MORALE,
    FALL,
    MISFIRE,
    HIT,
    VICTIM,
    MIXED,
    RESULT,
    SNAP,
    VOLLEY_MISFIRE,
    VOLLEY_HIT,
    VOLLEY_AIM,
    VOLLEY_RESULT,
    BLIND_HIT,
    BLIND_AIM,
    EVASION,
    PERMISSION,
    MELEE_SHOT,
    MELEE_VICTIM,
    MELEE_RESULT,
    MELEE,
    MELEE_LONE,
    MELEE_AGAIN,
    LOWEST,
    RALLY_DIE,
    SPOT,
    FIRE_RAISING,
    BOAT,
) = range(29)

# Where a rallied figure looks for a free spot: steps of a sixteenth of a circle.
_C, _S, _D = 0.9238795325112867, 0.3826834323650898, 0.7071067811865476  # of 22.5 and 45 degrees
_HALF = np.array([(1, 0), (_C, _S), (_D, _D), (_S, _C), (0, 1), (-_S, _C), (-_D, _D), (-_C, _S)])
RING = np.concatenate([_HALF, -_HALF])
MOST_RINGS = 40
