"""How a battle of Stirling lies in records: names of fields, states and tallies. No rule and no compiled code.

The board has rows of hexes with their points up, every odd row half a hex further east. A hex is (q, r) in axial
coordinates: r is its row, counted to the south, and q + r // 2 its column, counted to the east. The hexsides are
numbered against the clock from the east: 0 east, 1 north-east, 2 north-west, 3 west, 4 south-west, 5 south-east.
"""

from __future__ import annotations

import numpy as np

LARGEST = 64  # most rows and columns
MOST_UNITS = 64  # units with those that splitting makes
MOST_AT_START = 24  # units of one side when the battle begins
MOST_STEPS = 128  # of one move
MOST_SPELLS = 32

# The hexsides by name, and what a step through each adds to q and r.
FRONTS = ("east", "north_east", "north_west", "west", "south_west", "south_east")
STEP_Q = np.array([1, 1, 0, -1, -1, 0], np.int64)
STEP_R = np.array([0, -1, -1, 0, 1, 1], np.int64)

FIRST, SECOND = range(2)
SIDES = ("first", "second")
DRAW, NO_DECISION, STERILE = 2, 3, 4
OUTCOMES = (*SIDES, "draw", "no_decision", "sterile")

# Fields of a unit.
(
    SIDE,
    STATUS,
    Q,
    R,
    FRONT,
    MEN,
    MEN0,  # at the start of the battle
    LEFT,  # what will be left of them when the phase ends
    LOSS,  # dead of this phase that are rounded together when it ends
    HURT,  # all dead of this phase, as nobody rounds them
    REM,  # dead that are carried over
    HP,
    AC,
    THAC0,
    SHIELD,
    RATE_NUM,
    RATE_DEN,
    DICE,  # damage of the melee weapon: dice, sides, bonus
    DIE,
    BONUS,
    DICE_L,  # the same against large targets
    DIE_L,
    BONUS_L,
    SHOT_DICE,  # damage of the missile weapon
    SHOT_DIE,
    SHOT_BONUS,
    SHOT_DICE_L,
    SHOT_DIE_L,
    SHOT_BONUS_L,
    RANGE_SHORT,  # hexes, 0 without missiles
    RANGE_MEDIUM,
    RANGE_LONG,
    LENGTH,  # of its weapon
    SPEED,  # speed factor
    TRAITS,  # bits
    MOV,
    MORALE,  # rating of the troops
    CHARISMA,  # of its Leader, 0 if it never had one
    LEADER_MORALE,
    LEADER,  # his state
    LEADER_TURN,  # the turn in which he was last routed
    LEADER_GONE,  # 1 if he died or was routed and the troops have not yet checked for that
    COMMANDER_GONE,  # 1 if the side's Commander did
    ROUTED_TURN,  # the turn in which the unit was last routed
    BROKEN_TURN,  # the turn in which it last was routed or dispersed
    FAILED_MODIFIER,  # what the situations of its last failed check added
    REACHED,  # bits of the loss situations it has checked for
    # What lasts for a turn.
    MOVED,  # its movement is over
    DELAYED,
    ENGAGED,
    RAN,
    STEPS_MADE,
    FLED,
    CHARGING,
    SHOT,  # it made its attacks at a distance
    STRUCK_BACK,  # somebody attacked its flank or rear
    HAS_STRUCK,  # it made its attacks in melee
    REMOVALS,  # how often men of it were removed
    OUTNUMBERED,
    CHECKED,
) = range(60)
FIELDS = 60
FIRST_OF_TURN = MOVED

# STATUS; a unit is on the board while it is in order or routed.
ORDERED, ROUTED, DISPERSED, DESTROYED, MERGED = range(5)

# LEADER.
NOBODY, FIT, RUNS, GONE = range(4)

# Bits of TRAITS.
LARGE, MOUNTED, LANCE, SET_WEAPON = (1 << bit for bit in range(4))

# Situations of morale, as bits 1 << index (the order of `rules.SITUATIONS`).
(
    CHARGED,
    LOST_QUARTER,
    LOST_HALF,
    LOST_THREE_QUARTERS,
    LEADER_LOST,
    STRUCK_BEHIND,
    FRIEND_BROKEN,
    IS_OUTNUMBERED,
    COMMANDER_LOST,
) = range(9)
MOST_SITUATIONS = 9

# Fields of a spell or engine: who, in which turn, how far in hexes, men lost.
CASTER, CAST_TURN, REACH, CASUALTIES = range(4)
SPELL_FIELDS = 4

# The tally of a battle, each + side.
(
    REMOVED,  # men of this side
    DEAD,  # men of this side before rounding, none of them more than once
    ROUTS,
    DISPERSALS,
    DESTRUCTIONS,
    RECOVERIES,
    LEADERS_LOST,
    CHARGES,  # declared by this side
    INTERCEPTIONS,  # by this side
    VOLLEYS,  # units of this side that shot, turn by turn
    OWN_SHOT,  # dead of this side by its own missiles, before rounding
    FREE_STRIKES,  # made by this side
    SPLITS,
    MERGERS,
    IN_ORDER,  # men of this side in units in order when the battle ended
) = range(0, 30, 2)
TALLIES = 30

STATE = np.dtype(
    [
        ("rows", np.int64),
        ("cols", np.int64),
        ("movement", np.int64),  # 0: units stay where they are
        ("count", np.int64),
        ("turn", np.int64),
        ("spells", np.int64),
        ("vacated", np.int64),  # hexes that units left in this phase by stepping back or fleeing
        ("die", np.int64, 2),
        ("commander", np.int64, 2),  # the unit he leads, -1 if he is off the board
        ("commander_charisma", np.int64, 2),  # 0 without one
        ("unit", np.int64, (MOST_UNITS, FIELDS)),
        ("spell", np.int64, (MOST_SPELLS, SPELL_FIELDS)),
        ("left_by", np.int64, (MOST_UNITS, 3)),  # side, q, r
        ("tally", np.int64, TALLIES),
    ],
    align=True,
)
State = np.record

# A player's proposal.
WHAT, TO_FRONT, STEPS, CHARGE, MERGE, STOP = range(6)
ACTION_FIELDS = 6
STAY, WALK, RUN, ADVANCE, STEP_BACK, FLEE, SPLIT = range(7)

PLAN = np.dtype(
    [
        ("action", np.int64, ACTION_FIELDS),
        ("path", np.int8, MOST_STEPS),  # hexsides, step by step
        ("list", np.int16, MOST_UNITS),
        ("listed", np.int64),
        ("scratch", np.int64, (4, MOST_UNITS)),
        ("memo", np.int64, 16),
        # The board as a unit sees it, a bit for each hex of a row: enemies, their zones, all units but itself.
        ("held", np.uint64, LARGEST),
        ("zones", np.uint64, LARGEST),
        ("taken", np.uint64, LARGEST),
        ("friends", np.uint64),  # the other units of its side that are in order, as bits
    ],
    align=True,
)
Plan = np.record

# What a die is rolled for.
(
    INITIATIVE,
    SHOOT,
    STRIKE,
    FREE,
    LEADER_FALLS,
    NERVE,
    CHARGED_NERVE,
    LEADER_RECOVERS,
    UNIT_RECOVERS,
) = range(9)

# Kinds of events of the trace; the fields of each are in `referee`.
(
    T_INITIATIVE,
    T_MOVE,
    T_ATTACK,
    T_CAST,
    T_REMOVED,
    T_CHECK,
    T_BROKEN,
    T_SPLIT,
    T_MERGED,
    T_TURN_END,
    T_RESULT,
) = range(1, 12)
TRACE_FIELDS = 12
