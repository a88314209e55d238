"""The deck, and whom its cards let act: they are queued here and act in `battle`. Compiled."""

from __future__ import annotations

from math import ceil

from numba import types

from wargamesim.games.skirmish.battle_record import CARD, Battle, merged, note, on_battle, option, roll
from wargamesim.games.skirmish.layout import (
    ACE,
    ACTS,
    ANY_SPECIAL,
    BLANK,
    CARDS,
    COIN,
    DRAWN,
    IN_PLAY,
    JACK,
    JOKER,
    JOKERS_SEEN,
    LAST_CARD,
    LAST_SQUAD,
    LEADER,
    RANKS,
    ROLES,
    S_COUNT,
    S_FIRST,
    S_SIDE,
    SHUFFLE,
    STATUS,
    THREE,
    TWO,
)
from wargamesim.games.skirmish.playing import SQUAD_CARDS
from wargamesim.games.skirmish.sight import MORE, distance2

CONTINUED, PER_PLAYER = option("deck", "continued"), option("whose_card", "per_player")
ANYWHERE, ACE_AND_JOKER = option("void_aces", "anywhere"), option("void_jokers", "ace_and_joker")
NOT_RESOLVED = option("last_card", "not_resolved")
RED_BLACK, BLANKS = option("colours", "red_black"), option("unowned", "blanks")
FIXED, BY_LEADER, REACTIVATE = (option("card_values", name) for name in ("fixed", "leader", "reactivate"))
JOKER_REACTIVATES = option("first_joker", "reactivate")
ALWAYS, BY_COIN = option("ending_joker_does", "always"), option("ending_joker_does", "coin")
NOTHING_LEFT, ALL_ACTED = option("turn_end", "nothing_left"), option("turn_end", "all_acted")
# Why a squad acts; fields of the queue, where a rank stands for the number of figures it lets act.
BY_CARD, BY_ACE, BY_JOKER = range(3)
Q_SQUAD, Q_WHY, Q_SLOTS, Q_RANK = range(4)
VOID, EFFECTIVE = range(2)


@merged
def build_deck(b: Battle) -> None:
    """Put the cards of the battle together (NA-2.1, RI-2.1 to 2.3)."""
    state, play = b.state, b.play
    count, blanks = 0, play.extra_cards
    if play.deck_kind == SQUAD_CARDS:
        owners = 2 if play.whose_card == PER_PLAYER else state.squads
        for card in range(owners):
            state.card[count] = card
            count += 1
        for _ in range(play.aces):
            state.card[count] = ACE
            count += 1
    else:
        suits = play.suits if play.colours == RED_BLACK else state.squads
        for card in range(RANKS * suits):
            held = card < RANKS * state.squads or card % RANKS >= JACK
            state.card[count] = card if held else BLANK
            count += 1
        if play.unowned == BLANKS and play.colours != RED_BLACK:
            packs = (state.squads + play.suits - 1) // play.suits
            blanks += RANKS * (play.suits * packs - state.squads)
    for _ in range(play.jokers):
        state.card[count] = JOKER
        count += 1
    for _ in range(blanks):
        state.card[count] = BLANK
        count += 1
    state.deck[CARDS], state.deck[DRAWN] = count, count


@merged
def shuffle(b: Battle) -> None:
    """Shuffle the deck, or behind the cards that were left the others (NA-2.1, RI-2.1)."""
    state = b.state
    deck, card = state.deck, state.card
    count, kept = deck[CARDS], 0
    if b.play.deck == CONTINUED:
        kept = count - deck[DRAWN]
        for _ in range(kept):  # Turned by one card so many times, the deck begins with those that were left.
            last = card[count - 1]
            for j in range(count - 1, 0, -1):
                card[j] = card[j - 1]
            card[0] = last
    for i in range(count - 1, kept, -1):
        j = kept + roll(b, 0, SHUFFLE, i, i - kept + 1) - 1
        card[i], card[j] = card[j], card[i]
    deck[DRAWN] = deck[JOKERS_SEEN] = deck[ANY_SPECIAL] = 0
    deck[LAST_SQUAD], deck[LAST_CARD] = -1, BLANK


@on_battle(4)
def _queue(b: Battle, squad: int, why: int, slots: int, rank: int) -> None:
    """Let a squad act when those before it are done."""
    queue, place = b.queue, b.queued
    queue[Q_SQUAD, place], queue[Q_WHY, place] = squad, why
    queue[Q_SLOTS, place], queue[Q_RANK, place] = slots, rank
    b.queued += 1


@on_battle(1, types.int64)
def live(b: Battle, squad: int) -> int:
    """Return how many figures of a squad are in play."""
    state = b.state
    first, number = state.squad[S_FIRST, squad], 0
    for i in range(first, first + state.squad[S_COUNT, squad]):
        number += int(state.figure[STATUS, i] == IN_PLAY)
    return number


@merged
def _draw_squad_card(b: Battle, card: int) -> int:
    """Play a card of a squad, an ace or a joker; return its effect (NA-2.2 to 2.5)."""
    state, play, deck = b.state, b.play, b.state.deck
    last = deck[LAST_SQUAD]
    if card >= 0:
        for squad in range(state.squads):
            owner = state.squad[S_SIDE, squad] if play.whose_card == PER_PLAYER else squad
            if owner == card:
                _queue(b, squad, BY_CARD, state.squad[S_COUNT, squad], -1)
        return EFFECTIVE
    after = deck[ANY_SPECIAL] == 1 if play.void_aces == ANYWHERE else deck[LAST_CARD] in (ACE, JOKER)
    ruled_out = after and (card == ACE or play.void_jokers == ACE_AND_JOKER)
    if card == BLANK or last < 0 or ruled_out:
        return VOID
    if card == ACE:
        _queue(b, last, BY_ACE, 1, -1)
    else:
        _queue(b, last, BY_JOKER, state.squad[S_COUNT, last], -1)
    return EFFECTIVE


@merged
def _draw_suit_card(b: Battle, card: int) -> int:
    """Play a card of a suit or a joker; return its effect (RI-2.4 to 2.7)."""
    state, play, deck = b.state, b.play, b.state.deck
    again = False
    if card == JOKER:
        deck[JOKERS_SEEN] += 1
        if deck[JOKERS_SEEN] == play.ending_joker:
            b.over = int(play.ending_joker_does == ALWAYS)
            if play.ending_joker_does == BY_COIN:
                b.over = int(roll(b, 0, COIN, 0, play.coin_die) >= play.coin_need)
            if b.over == 1:
                return EFFECTIVE
        again = deck[JOKERS_SEEN] == 1 and play.first_joker == JOKER_REACTIVATES
    elif card >= 0:
        suit, rank = card // RANKS, card % RANKS
        again = rank >= JACK and play.card_values == REACTIVATE
        if not again:
            shared = rank >= JACK and play.colours == RED_BLACK
            for squad in range(state.squads):
                if squad == suit or (shared and squad % 2 == suit % 2):
                    _queue(b, squad, BY_CARD, 0, rank)
            return EFFECTIVE
    if not again or deck[LAST_SQUAD] < 0:
        return VOID
    _queue(b, deck[LAST_SQUAD], BY_JOKER, live(b, deck[LAST_SQUAD]), -1)
    return EFFECTIVE


@on_battle(0, types.int64)
def draw_card(b: Battle) -> int:
    """Draw a card and queue those whom it lets act; tell whether there was a card to draw."""
    state, play, deck = b.state, b.play, b.state.deck
    b.queued = b.over = 0
    of_squads = play.deck_kind == SQUAD_CARDS
    # The last card of a deck of squads is never drawn (NA-2.6).
    if deck[DRAWN] >= deck[CARDS] - int(of_squads):
        return 0
    card = int(state.card[deck[DRAWN]])
    deck[DRAWN] += 1
    b.card = card
    if not of_squads:
        effect = _draw_suit_card(b, card)
    elif play.last_card == NOT_RESOLVED and deck[DRAWN] == deck[CARDS] - 1:
        b.over, effect = 1, VOID
    else:
        effect = _draw_squad_card(b, card)
    note(b, CARD, card, effect, -1, -1, -1, -1, -1, -1, -1, -1)
    return 1


@on_battle(1, types.int64)
def slots_of(b: Battle, place: int) -> int:
    """Return how many figures a card lets act of a squad in the queue (RI-2.5a to 2.5e)."""
    state, play, rank, squad = b.state, b.play, b.queue[Q_RANK, place], b.queue[Q_SQUAD, place]
    if rank < 0:
        return int(b.queue[Q_SLOTS, place])
    if rank < JACK:
        return int(play.card_two if rank == TWO else play.card_three if rank == THREE else play.card_ace)
    if play.card_values == FIXED:
        return int(play.jack_fixed if rank == JACK else play.king_fixed)
    if play.card_values != BY_LEADER:
        share: float = play.jack_share if rank == JACK else play.king_share
        return ceil(share * live(b, squad) - 1e-9)
    if rank == JACK:
        return int(play.jack_leader)
    near = play.command_radius * play.command_radius * MORE
    first, number = state.squad[S_FIRST, squad], 0
    end = first + state.squad[S_COUNT, squad]
    for i in range(first, end):
        led = 0
        for j in range(first, end):
            leads = state.figure[ROLES, j] & LEADER != 0 and state.figure[STATUS, j] == IN_PLAY
            if leads and distance2(state, i, j) <= near:
                led = 1
        number += led * int(state.figure[STATUS, i] == IN_PLAY)
    return number


@on_battle(0)
def end_card(b: Battle) -> None:
    """Remember what the next card may depend on, and whether the turn goes on (NA-2.4, RI-2.8)."""
    state, play, deck = b.state, b.play, b.state.deck
    for place in range(b.queued):
        squad = b.queue[Q_SQUAD, place]
        if place == 0 or play.whose_card != PER_PLAYER or live(b, squad) > 0:
            deck[LAST_SQUAD] = squad
    if play.deck_kind == SQUAD_CARDS:
        deck[LAST_CARD] = min(b.card, 0)
        if b.card in (ACE, JOKER):
            deck[ANY_SPECIAL] = 1
    elif play.turn_end in (NOTHING_LEFT, ALL_ACTED):
        may_act = fresh = 0
        for i in range(state.count):
            if state.figure[STATUS, i] == IN_PLAY:
                may_act += int(play.cap == 0 or state.figure[ACTS, i] < play.cap)
                fresh += int(state.figure[ACTS, i] == 0)
        if may_act == 0 or (play.turn_end == ALL_ACTED and fresh == 0):
            b.over = 1
