"""How a battle of Coloniale lies in records: names of fields, states and tallies. No rule and no compiled code.

Lengths are cm; x grows to the east and y to the south, from the north-west corner of the table. A unit is the point at
its centre. The units of the first side come first; halves made by splitting are appended.
"""

from __future__ import annotations

import numpy as np

LARGEST = 256  # the longest side of a table in cm: difficult ground is drawn in squares of 1 cm
MOST_UNITS = 64  # units with those that splitting makes
MOST_AT_START = 24  # units of one side when the battle begins
MOST_LINES = 64  # pieces of crests and rivers
MOST_BRIDGES = 16
MOST_FORTS = 8
MOST_ZONES = 8
MOST_NODES = 64
MOST_LINKS = 8  # roads that meet in a place
MOST_TARGETS = 8  # among which a unit divides its dice
MOST_FOLLOWERS = 15  # units of a column behind the first
MOST_WAY = 128  # corners of a march
MOST_CHANCES = 9  # figures of battalions, from 0, whose assaults players know by heart
MOST_LEAD = 12  # points by which one of them may be ahead

FIRST, SECOND = range(2)
SIDES = ("first", "second")
DRAW, NO_DECISION = 2, 3
OUTCOMES = (*SIDES, "draw", "no_decision")
NOBODY = -1

# Fields of a unit.
(
    SIDE,
    ARM,
    QUALITY,
    STATUS,
    FIG,
    FIG0,
    DISC,  # 0 at the start: to be drawn
    DISC0,
    MARKERS,  # of suppression
    RIFLES,  # 1 if it has any (CO-1.6, CO-P03)
    VETERAN,
    FANATIC,
    FORT,  # the fort it holds, from 1, or 0
    PENDING_LOSS,  # hits of phase B, which leave at its end
    PENDING_MARKERS,
    # What lasts for a turn.
    ACTION,  # it holds an Action marker
    ASSAULTED,  # times it was assaulted in this phase
    FOUGHT,  # assaults it took part in: the key of its dice
    MARCHED,
) = range(19)
FIELDS = 19
FIRST_OF_TURN = ACTION

# ARM and QUALITY have the order of `rules.ARMS` and `rules.QUALITIES`.
INFANTRY, CAVALRY, BATTERY = range(3)
# STATUS.
IN_PLAY, DESTROYED, MERGED = range(3)
X, Y = range(2)

# The tally of a battle, each + side.
(
    LOST_TO_RIFLES,  # figures of this side
    LOST_TO_CANNONS,
    LOST_TO_DICE,  # of assaults
    LOST_TO_DEFEAT,  # the extra figures of losers, garrisons that fell, units removed on their way back
    DESTRUCTIONS,  # units of this side
    VOLLEYS,  # units of this side that fired, turn by turn
    MARKERS_PUT,  # by the fire of this side
    MARKERS_RALLIED,  # by this side
    ASSAULTS,  # made by this side by choice
    PURSUITS,  # assaults made by this side as pursuer
    FORCED,  # assaults made by this side falling back
    WON,  # assaults won by this side
    RISES,  # of discipline
    FALLS,
    MERGERS,
    SPLITS,
    REINFORCEMENTS,
    MARCHES,  # columns
    WRONG_WAYS,
    DRIFTS,
    FIGURES_LEFT,
    MARKERS_LEFT,
    ZONES_HELD,
) = range(0, 46, 2)
TALLIES = 46

STATE = np.dtype(
    [
        ("count", np.int64),
        ("turn", np.int64),
        ("night", np.int64),  # 1 in a night turn
        ("nights", np.int64),  # night turns still to come, this one included
        ("place", np.float64, (MOST_UNITS, 2)),
        ("unit", np.int64, (MOST_UNITS, FIELDS)),
        # What `whereabouts` keeps, as bits by the numbers of units: who of a side is on the table; by unit, of which
        # later ones it is known whether they see each other, and which of them do.
        ("standing", np.uint64, 2),
        ("looked", np.uint64, MOST_UNITS),
        ("seen", np.uint64, MOST_UNITS),
        ("owner", np.int64, MOST_ZONES),  # the side that held a zone last, or NOBODY
        ("tally", np.int64, TALLIES),
    ],
    align=True,
)
State = np.record

# A square of ground: bits, and above them its level (0 to 3).
DIFFICULT, EDGE, TOWN = 1, 2, 4
LEVEL_UNIT = 16  # level = what // LEVEL_UNIT

# Kinds of lines.
CREST, FORDABLE, HARD, UNFORDABLE = range(4)
# Kinds of places on roads.
PLAIN, IN_TOWN, AT_EDGE = range(3)

GROUND = np.dtype(
    [
        ("width", np.float64),
        ("height", np.float64),
        ("opaque", np.int64),  # 1 if there is any difficult ground
        ("lines", np.int64),
        ("line", np.float64, (MOST_LINES, 4)),  # x1, y1, x2, y2
        ("line_kind", np.int64, MOST_LINES),
        ("line_of", np.int64, MOST_LINES),  # which crest or river a piece belongs to, 0 to 62
        ("bridges", np.int64),
        ("bridge", np.float64, (MOST_BRIDGES, 2)),
        ("forts", np.int64),
        ("fort", np.float64, (MOST_FORTS, 2)),  # fort f of a unit is row f - 1
        ("zones", np.int64),
        ("zone", np.float64, (MOST_ZONES, 4)),  # west, north, east, south
        ("nodes", np.int64),
        ("node", np.float64, (MOST_NODES, 2)),
        ("node_kind", np.int64, MOST_NODES),
        ("links", np.int64, MOST_NODES),
        ("link", np.int64, (MOST_NODES, MOST_LINKS)),  # places at the other ends, ascending
        ("road_way", np.float64, (MOST_NODES, MOST_NODES)),  # the shortest way on roads; for players
        ("what", np.uint8, (LARGEST, LARGEST)),  # [y, x]
        # How many steps of 1 cm from a square surely end before difficult ground: walks along a line skip them.
        ("clear", np.uint8, (LARGEST, LARGEST)),
    ],
    align=True,
)
Ground = np.record

GOALS = np.dtype(
    [
        ("turns", np.int64),
        ("movement", np.int64),  # 0: nobody moves, falls back or marches
        ("first_side", np.int64),  # who begins, by two readings of CO-P07
        ("at_limit", np.int64),  # who wins when time is up and nobody has what he is to hold, or NOBODY
        ("at_once", np.int64),  # 1: objectives win at the end of any turn, 0: of the last one
        ("night_from", np.int64),  # the first turn of the night, 0 without one
        ("hold", np.int64, 2),  # zones a side is to hold, 0 if none
        ("zones", np.int64, 2),  # which zones count for it: bits
    ],
    align=True,
)
Goals = np.record

# A player's proposal.
WHAT, UNIT, TARGET, COUNT, NODE = range(5)
ACTION_FIELDS = 5
# WHAT in phase D and in phase E.
STAY, MOVE, MERGE, SPLIT, REINFORCE = range(5)
ROAD, OFF_ROAD = 1, 2
# Weapons.
RIFLE, CANNON = range(2)

PLAN = np.dtype(
    [
        ("action", np.int64, ACTION_FIELDS),
        ("to", np.float64, 2),
        ("limit", np.float64),  # a march on a road that may stop anywhere (CO-P25) stops after so many cm
        ("weapon", np.int64),
        ("targets", np.int64),
        ("target", np.int64, MOST_TARGETS),
        ("dice", np.int64, MOST_TARGETS),
        ("marked", np.int64),  # which of the targets gets the markers where only one does (CO-P09)
        ("followers", np.int64),
        ("follower", np.int64, MOST_FOLLOWERS),
        ("scratch", np.float64, (4, MOST_UNITS)),
        ("list", np.int64, (4, MOST_UNITS)),
        ("memo", np.int64, 16),
        # Chances of assaults plus 1, 0 if not yet known, of players: by figures of both sides and points of difference.
        ("chance", np.float64, (MOST_CHANCES, MOST_CHANCES, 2 * MOST_LEAD + 1)),
    ],
    align=True,
)
Plan = np.record

# What a die is rolled for.
(
    DISCIPLINE,
    NIGHT,
    COIN,
    RALLY,
    RIFLE_FIRE,
    CANNON_FIRE,
    ASSAULT,
    VALUE,
    TEST,
    ROAD_MARCH,
    JUNCTION,
    BRANCH,
    OFF_ROAD_MARCH,
    DRIFT_SIDE,
) = range(14)
# The dice of a unit's assault: k = STRIDE * assaults of the unit in this turn before it + number of the die.
STRIDE = 4096

# Phases, the actor of COIN.
PHASE_B, PHASE_C, PHASE_D, PHASE_E = range(1, 5)

# Kinds of events of the trace; their fields are in `referee`.
(
    T_DRAWN,
    T_NIGHT,
    T_BEGINS,
    T_RALLY,
    T_FIRE,
    T_LEAVE,
    T_ASSAULT,
    T_AFTER,
    T_MOVE,
    T_MARCH,
    T_NODE,
    T_LEG,
    T_FOLLOW,
    T_TURN_END,
    T_RESULT,
) = range(1, 16)
TRACE_FIELDS = 12
# Kinds of assaults.
CHOSEN, PURSUIT, FORCED_BACK = range(3)
# Winners in the trace.
ATTACKER_WON, DEFENDER_WON, BOTH_GONE, NO_WINNER = range(4)
