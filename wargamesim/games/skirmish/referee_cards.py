"""The deck and what its cards bring (section 2 of the rules)."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from math import ceil

from wargamesim.games.skirmish import orders
from wargamesim.games.skirmish.layout import (
    ACE,
    ACT,
    ANY_SPECIAL,
    BLANK,
    CARDS,
    COIN,
    DRAWN,
    END,
    JACK,
    JOKER,
    JOKERS_SEEN,
    KING,
    LAST_CARD,
    LAST_SQUAD,
    LEADER,
    RALLY,
    RANKS,
    S_COUNT,
    S_SIDE,
    SHUFFLE,
)
from wargamesim.games.skirmish.playing import SQUAD_CARDS
from wargamesim.games.skirmish.referee_act import act, ask
from wargamesim.games.skirmish.referee_course import CARD, Course
from wargamesim.games.skirmish.referee_nerve import rally
from wargamesim.games.skirmish.referee_rules import Action, Turn
from wargamesim.games.skirmish.referee_volley import joint_fire
from wargamesim.games.skirmish.whereabouts import look_anew

OWN_CARD, BY_ACE, BY_JOKER = range(3)  # why a squad acts, as `orders.choose` is told
RANK_NAMES = ("ace", "two", "three", "jack", "king")
RALLIED_ONLY = 99  # ON_CARD of one that has come back on this card and may not act on it


class Cards:
    """The deck of one battle.

    Parameters
    ----------
    course : Course
        The battle.
    """

    def __init__(self, course: Course) -> None:
        self.course, self.state, self.play = course, course.state, course.play
        self.squads = int(course.state.squads)
        self.sides = [int(course.state.squad[S_SIDE, squad]) for squad in range(self.squads)]
        self.has_suits = self.play.deck_kind != SQUAD_CARDS
        self._deck: list[int] = []

    # A turn

    def turn(self) -> Iterator[bool]:
        """Play a turn's cards one after the other; True after each whole card, False after each attempt on it."""
        self._begin()
        last = len(self._deck) - (0 if self.has_suits else 1)
        for drawn in range(last):
            card = self._deck[drawn]
            self.state.deck[DRAWN] = drawn + 1
            unresolved = not self.has_suits and drawn == last - 1 and self.course.reading["last_card"] == "not_resolved"
            ends = False
            if unresolved:
                self._note(card, False, f"{self._card_name(card)}, the last of the turn, is not played")
            elif self.has_suits:
                ends = yield from self._suit_card(card)
            else:
                yield from self._squad_card(card)
            self.state.deck[LAST_CARD] = card
            if card in (ACE, JOKER):
                self.state.deck[ANY_SPECIAL] = 1
            yield True
            if ends or (self.has_suits and self._nobody_left()):
                return

    def _begin(self) -> None:
        table = self.course.table
        for row in (table.acts, table.tries, table.moved, table.reloaded, table.shots, table.on_card):
            row[:] = 0
        self.state.rallied[:] = 0
        drawn = int(self.state.deck[DRAWN])
        self.state.deck[DRAWN], self.state.deck[JOKERS_SEEN], self.state.deck[ANY_SPECIAL] = 0, 0, 0
        self.state.deck[LAST_SQUAD], self.state.deck[LAST_CARD] = -1, BLANK
        if self.course.reading["deck"] == "continued" and self._deck:
            self._shuffle(self._deck[drawn:], self._deck[:drawn])
        else:
            self._shuffle([], self._all_cards())

    def _shuffle(self, first: list[int], deck: list[int]) -> None:
        """Shuffle a part of the deck behind another that stays as it is."""
        offset = len(first)
        for i in range(len(deck) - 1, 0, -1):
            j = self.course.roll(0, SHUFFLE, i + offset, i + 1) - 1
            deck[i], deck[j] = deck[j], deck[i]
        self._deck = first + deck
        self.state.card[: len(self._deck)] = self._deck
        self.state.deck[CARDS] = len(self._deck)

    def _all_cards(self) -> list[int]:
        play, reading = self.play, self.course.reading
        jokers, blanks = [JOKER] * play.jokers, [BLANK] * play.extra_cards
        if not self.has_suits:
            owners = self.squads if reading["whose_card"] == "per_squad" else 2
            return [*range(owners), *[ACE] * play.aces, *jokers, *blanks]
        suits = play.suits * ceil(self.squads / play.suits)
        if reading["colours"] == "red_black":
            # What a suit that nobody holds has below the jack does nothing.
            pack = range(RANKS * play.suits)
            return [*(card if self._squads_of(*divmod(card, RANKS)) else BLANK for card in pack), *jokers, *blanks]
        if reading["unowned"] == "blanks":
            blanks += [BLANK] * (RANKS * (suits - self.squads))
        return [*range(RANKS * self.squads), *jokers, *blanks]

    def _nobody_left(self) -> bool:
        """Tell whether the turn is over because nobody has anything left to do (RI-2.8)."""
        table, cap, ending = self.course.table, self.play.cap, self.course.reading["turn_end"]
        if ending == "joker_only":
            return False
        acts = [int(table.acts[f]) for side in (0, 1) for f in table.in_play(side)]
        return bool(cap and all(n >= cap for n in acts)) or (ending == "all_acted" and all(n >= 1 for n in acts))

    # Cards of squads, aces and jokers (NA-2.2 to 2.5)

    def _squad_card(self, card: int) -> Iterator[bool]:
        deck, reading = self.state.deck, self.course.reading
        if card == BLANK:
            self._note(card, False, "a card without effect")
        elif card >= 0:
            squads = [card]
            if reading["whose_card"] == "per_player":
                squads = [squad for squad, side in enumerate(self.sides) if side == card]
            self._note(card, True, f"the card of {self._squad_names(squads)}")
            for squad in squads:
                yield from self._activate(squad, int(self.state.squad[S_COUNT, squad]), OWN_CARD)
            alive = [squad for squad in squads if self.course.table.live(squad)]
            deck[LAST_SQUAD] = (alive or squads)[-1]
        else:
            void = self._is_void(card)
            squad = int(deck[LAST_SQUAD])
            whose = "it has no effect" if void else f"{self._squad_names([squad])} may use it"
            self._note(card, not void, f"{self._card_name(card)}: {whose}")
            if not void and card == ACE:
                yield from self._activate(squad, 1, BY_ACE)
            elif not void:
                yield from self._activate(squad, int(self.state.squad[S_COUNT, squad]), BY_JOKER)

    def _is_void(self, card: int) -> bool:
        deck, reading = self.state.deck, self.course.reading
        if deck[LAST_SQUAD] < 0:
            return True
        if card == JOKER and reading["void_jokers"] == "ace_only":
            return False
        return bool(deck[ANY_SPECIAL] if reading["void_aces"] == "anywhere" else deck[LAST_CARD] in (ACE, JOKER))

    # Cards of suits (RI-2.2 to 2.8)

    def _suit_card(self, card: int) -> Generator[bool, None, bool]:
        """Play a card of a suit; return whether it ends the turn."""
        if card == JOKER:
            return (yield from self._suit_joker())
        suit, rank = divmod(card, RANKS)
        squads = self._squads_of(suit, rank) if card >= 0 else []
        if not squads:
            self._note(card, False, "a card without effect")
            return False
        deck = self.state.deck
        if rank in (JACK, KING) and self.course.reading["card_values"] == "reactivate":
            works = deck[LAST_SQUAD] >= 0
            self._note(card, works, f"the {self._card_name(card)} lets the squad that acted last act again")
            if works:
                yield from self._again()
            return False
        self._note(card, True, f"the {self._card_name(card)}")
        for squad in squads:
            yield from self._activate(squad, self._slots(squad, rank), OWN_CARD)
            deck[LAST_SQUAD] = squad
        return False

    def _squads_of(self, suit: int, rank: int) -> list[int]:
        if self.course.reading["colours"] == "red_black" and rank in (JACK, KING):
            return [squad for squad in range(self.squads) if squad % 2 == suit % 2]
        return [suit] if suit < self.squads else []

    def _slots(self, squad: int, rank: int) -> int:
        """Return how many figures may act on a card (RI-2.5a to 2.5e)."""
        play, table, values = self.play, self.course.table, self.course.reading["card_values"]
        live = table.live(squad)
        if rank not in (JACK, KING):
            return int((play.card_ace, play.card_two, play.card_three)[rank])
        if values == "fixed":
            return int(play.jack_fixed if rank == JACK else play.king_fixed)
        if values == "leader":
            if rank == JACK:
                return int(play.jack_leader)
            leaders = [f for f in live if table.has_role(f, LEADER)]
            return sum(any(table.is_within(f, leader, play.command_radius) for leader in leaders) for f in live)
        share = play.jack_share if rank == JACK else play.king_share
        return ceil(share * len(live) - 1e-9)

    def _suit_joker(self) -> Generator[bool, None, bool]:
        deck, play, reading = self.state.deck, self.play, self.course.reading
        deck[JOKERS_SEEN] += 1
        seen = int(deck[JOKERS_SEEN])
        if seen == play.ending_joker and reading["ending_joker_does"] != "referee":
            ends = reading["ending_joker_does"] == "always"
            if not ends:
                ends = self.course.roll(0, COIN, 0, play.coin_die) >= play.coin_need
            if ends:
                self._note(JOKER, True, "the joker ends the turn", topic="ending joker")
                return True
        works = seen == 1 and reading["first_joker"] == "reactivate" and deck[LAST_SQUAD] >= 0
        self._note(JOKER, works, f"joker {seen}" + (": the squad that acted last acts again" if works else ""))
        if works:
            yield from self._again()
        return False

    def _again(self) -> Iterator[bool]:
        squad = int(self.state.deck[LAST_SQUAD])
        return self._activate(squad, len(self.course.table.live(squad)), BY_JOKER)

    # A squad acts

    def _activate(self, squad: int, slots: int, why: int) -> Iterator[bool]:
        """Let a squad's player choose who acts, until he has nobody left or wants nobody."""
        course, table, plan = self.course, self.course.table, self.course.plan
        course.side = self.sides[squad]
        for f in range(table.count):
            if table.squad[f] == squad:
                table.on_card[f] = 0
        untouched, declared = True, list[Action]()
        while slots > 0:
            doctrine = course.doctrines[course.side]
            look_anew(self.state)
            orders.choose(
                self.state,
                course.setup.ground,
                course.setup.play,
                doctrine,
                course.setup.goals,
                plan,
                squad,
                slots,
                why,
            )
            action = Action.of(plan)
            may_rally = self._may_rally(squad, why, untouched)
            course.judge.choice(action, Turn(squad, slots, may_rally, bool(declared)), course.turn)
            if action.what == END:
                if untouched:
                    course.tell("figure", f"nobody of {self._squad_names([squad])} acts")
                break
            if action.what == RALLY:
                self.state.rallied[squad] = 1
                rally(course, action.figure)
                yield False
                if not (self.has_suits and course.reading["rally_costs"] == "one_slot"):
                    return
                table.on_card[action.figure] = RALLIED_ONLY
                slots -= 1
            elif action.what == ACT and course.reading["declared"] == "declared":
                # Nothing happens before all have declared; who has may not be chosen again (NA-2.8).
                declared.append(ask(course, action.figure))
                table.on_card[action.figure] = 1
                slots -= 1
            elif action.what == ACT:
                act(course, action.figure)
                slots -= 1
                yield False
            else:
                joint_fire(course, action)
                slots -= len(action.members)
                yield False
            untouched = False
        for each in sorted(declared, key=lambda order: order.figure):
            table.on_card[each.figure] = 0
            if table.is_in_play(each.figure):
                act(course, each.figure, each)
                yield False

    def _may_rally(self, squad: int, why: int, untouched: bool) -> bool:
        """Tell whether the squad may rally a figure instead of acting (NA-2.9, RI-2.11)."""
        if not untouched:
            return False
        if self.has_suits:
            return why == OWN_CARD and not self.state.rallied[squad]
        return why != OWN_CARD

    # Words

    def _note(self, card: int, works: bool, text: str, topic: str = "") -> None:
        self.course.side = -1
        self.course.note(CARD, card, works)
        if not topic and card >= 0:
            topic = RANK_NAMES[card % RANKS] if self.has_suits else "squad card"
        special = {ACE: "ace" if works else "void ace", JOKER: "joker", BLANK: "deck"}
        self.course.tell(topic or special[card], f"card drawn: {text}")

    def _card_name(self, card: int) -> str:
        if card < 0:
            return {ACE: "an ace", JOKER: "the joker", BLANK: "a card without effect"}[card]
        if not self.has_suits:
            return f"the card of {self._squad_names([card])}"
        suit, rank = divmod(card, RANKS)
        owner = self._squad_names([suit]) if suit < self.squads else "a suit that nobody holds"
        return f"{RANK_NAMES[rank]} of {owner}"

    def _squad_names(self, squads: list[int]) -> str:
        return " and ".join(self.course.setup.squad_names[squad] for squad in squads)
