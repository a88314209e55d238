"""The decks: which cards have effect, who acts on them and how many, and when a turn ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.skirmish_positions import (
    RISORGIMENTO,
    course_of,
    events,
    figure,
    of,
)
from wargamesim.errors import IllegalAction
from wargamesim.games.skirmish import orders, referee_cards
from wargamesim.games.skirmish.layout import (
    ACE,
    ACT,
    ACTS,
    BLANK,
    BLUE,
    COIN,
    DEAD,
    END,
    FALL,
    HIT,
    IN_PLAY,
    JOKER,
    LAST_CARD,
    LAST_SQUAD,
    LEADER,
    LOADING,
    MISFIRE,
    MORALE,
    MOVE,
    MOVED_LAST,
    ON_CARD,
    PASS,
    RALLY,
    RALLY_DIE,
    RELOAD,
    RESULT,
    ROLES,
    ROUNDS,
    ROUTED,
    SHOOT,
    SHUFFLE,
    STATUS,
    TRIES,
    VICTIM,
    X,
    Y,
)
from wargamesim.games.skirmish.referee_cards import Cards
from wargamesim.games.skirmish.referee_course import (
    ACTION,
    CARD,
    Course,
)
from wargamesim.games.skirmish.referee_nerve import attempt
from wargamesim.games.skirmish.referee_rules import Action

FAR = figure(90, 50, 1)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int, int]]:
    """Who is asked to act, as (squad, slots, why); everybody declines."""
    calls: list[tuple[int, int, int]] = []

    def choose(*given: Any) -> None:
        given[5].action[:] = Action(END)[:10]
        calls.append(given[6:9])

    monkeypatch.setattr(orders, "choose", choose)
    return calls


def stacked(course: Course, *cards: int) -> Cards:
    """Return cards that lie in this order in every turn."""
    deck = Cards(course)

    def lay(first: list[int], _rest: list[int]) -> None:
        deck._deck = first + list(cards)

    deck._shuffle = lay  # type: ignore[method-assign]
    return deck


TWO_SQUADS = [figure(5, 5), figure(9, 5), figure(90, 50, 1)]


@pytest.mark.parametrize(
    ("cards", "changes", "kinds", "whys"),
    [
        ((ACE, 0, ACE, 1, 99), {}, [0, 1, 1, 1], [(0, 2, 0), (0, 1, 1), (1, 1, 0)]),
        ((0, ACE, ACE, ACE, 1, 99), {}, [1, 1, 0, 0, 1], [(0, 2, 0), (0, 1, 1), (1, 1, 0)]),
        ((ACE, 0, ACE, 99), {"NA-2.4": "anywhere"}, [0, 1, 0], [(0, 2, 0)]),
        ((0, ACE, JOKER, 99), {}, [1, 1, 1], [(0, 2, 0), (0, 1, 1), (0, 2, 2)]),
        ((0, ACE, JOKER, 99), {"NA-2.5": "ace_and_joker"}, [1, 1, 0], [(0, 2, 0), (0, 1, 1)]),
        ((JOKER, 0, JOKER, ACE, 99), {}, [0, 1, 1, 0], [(0, 2, 0), (0, 2, 2)]),
        ((0, BLANK, ACE, 99), {}, [1, 0, 1], [(0, 2, 0), (0, 1, 1)]),
        ((0, 1, 99), {"NA-2.6": "not_resolved"}, [1, 0], [(0, 2, 0)]),
    ],
)
def test_which_cards_have_effect(
    asked: list[tuple[int, int, int]],
    cards: tuple[int, ...],
    changes: Mapping[str, str],
    kinds: list[int],
    whys: list[tuple[int, int, int]],
) -> None:
    course = course_of(TWO_SQUADS, {}, changes=changes)
    assert all(stacked(course, *cards).turn())
    assert [row[:2] for row in events(course, CARD)] == list(zip(cards[:-1], kinds, strict=True))
    assert asked == whys


def test_a_card_for_each_player(asked: list[tuple[int, int, int]]) -> None:
    figures = [figure(5, 5), figure(9, 5, squad=1), FAR]
    course = course_of(figures, {}, changes={"NA-2.2": "per_player"})
    list(stacked(course, 0, ACE, 99).turn())
    assert asked == [(0, 1, 0), (1, 1, 0), (1, 1, 1)]


def test_the_last_squad_of_a_player_is_one_that_still_fights(asked: list[tuple[int, int, int]]) -> None:
    figures = [figure(5, 5), figure(9, 5, squad=1, also={STATUS: ROUTED}), FAR]
    course = course_of(figures, {}, changes={"NA-2.2": "per_player"})
    list(stacked(course, 0, ACE, 99).turn())
    assert asked == [(0, 1, 0), (1, 1, 0), (0, 1, 1)]


def suit(squad: int, rank: int) -> int:
    return 5 * squad + rank


FIVE = [figure(5 + 3 * i, 5, also={ROLES: LEADER if i == 0 else 0}) for i in range(5)]


@pytest.mark.parametrize(
    ("rank", "reading", "slots"),
    [
        (0, "shares", 1),
        (1, "shares", 2),
        (2, "shares", 3),
        (3, "shares", 3),
        (4, "shares", 5),
        (3, "fixed", 4),
        (4, "fixed", 5),
        (3, "leader", 2),
        (4, "leader", 5),
    ],
)
def test_how_many_act_on_a_card_of_a_suit(
    asked: list[tuple[int, int, int]], rank: int, reading: str, slots: int
) -> None:
    course = course_of([*FIVE, FAR], {}, book=RISORGIMENTO, changes={"RI-2.5d": reading})
    list(stacked(course, suit(0, rank)).turn())
    assert asked == [(0, slots, 0)]


def test_a_king_by_the_leaders_radius(asked: list[tuple[int, int, int]]) -> None:
    figures = [*FIVE, figure(21, 5), figure(5, 20), FAR]
    course = course_of(figures, {}, book=RISORGIMENTO, changes={"RI-2.5d": "leader"})
    list(stacked(course, suit(0, 4)).turn())
    assert asked == [(0, 6, 0)]


@pytest.mark.parametrize(
    ("changes", "faces", "kinds"),
    [
        ({}, {}, [0, 1, 1]),
        ({"RI-2.7": "referee"}, {}, [0, 1, 0, 1]),
        ({"RI-2.7": "coin"}, {COIN: 4}, [0, 1, 1]),
        ({"RI-2.7": "coin"}, {COIN: 3}, [0, 1, 0, 1]),
        ({"RI-2.6": "reactivate"}, {}, [0, 1, 1]),
    ],
)
def test_the_ending_joker(
    asked: list[tuple[int, int, int]], changes: Mapping[str, str], faces: Mapping[Any, int], kinds: list[int]
) -> None:
    course = course_of([*FIVE, FAR], faces, book=RISORGIMENTO, changes=changes)
    list(stacked(course, JOKER, suit(0, 4), JOKER, suit(1, 0)).turn())
    assert [row[1] for row in events(course, CARD)] == kinds
    assert asked[0] == (0, 5, 0)


def test_jokers_and_court_cards_that_let_the_last_squad_act_again(asked: list[tuple[int, int, int]]) -> None:
    changes = {"RI-2.6": "reactivate", "RI-2.5d": "reactivate"}
    course = course_of([*FIVE, FAR], {}, book=RISORGIMENTO, changes=changes)
    list(stacked(course, suit(0, 4), suit(0, 0), suit(1, 3), JOKER).turn())
    assert [row[1] for row in events(course, CARD)] == [0, 1, 1, 1]
    assert asked == [(0, 1, 0), (0, 5, 2), (0, 5, 2)]


def test_court_cards_of_a_colour(asked: list[tuple[int, int, int]]) -> None:
    figures = [figure(5, 5), figure(9, 5, squad=1), figure(20, 5, 1), figure(23, 5, 1), figure(40, 5, 1, squad=1)]
    course = course_of(figures, {}, book=RISORGIMENTO, changes={"RI-2.2": "red_black"})
    list(stacked(course, suit(0, 4), suit(3, 3), suit(3, 0), suit(2, 1)).turn())
    assert [row[1] for row in events(course, CARD)] == [1, 1, 1, 1]
    assert asked[:2] == [(0, 1, 0), (2, 2, 0)]
    assert asked[2:] == [(1, 1, 0), (3, 1, 0), (3, 1, 0), (2, 2, 0)]


def test_a_turn_ends_when_nobody_has_anything_left(asked: list[tuple[int, int, int]]) -> None:
    tired = [figure(5, 5, also={ACTS: 2}), figure(90, 50, 1, also={ACTS: 2})]
    for reading, played in (("nothing_left", 1), ("all_acted", 1), ("joker_only", 2)):
        course = course_of(tired, {}, book=RISORGIMENTO, changes={"RI-2.8": reading})
        deck = stacked(course, suit(0, 0), suit(1, 0))
        deck._begin = lambda deck=deck: deck._shuffle([], [])  # type: ignore[method-assign, misc]
        list(deck.turn())
        assert len(events(course, CARD)) == played
    assert asked


@pytest.mark.parametrize(
    ("changes", "size"),
    [({}, 12), ({"RI-2.3": "blanks"}, 22), ({"RI-2.2": "red_black"}, 22), ({"deck.extra_cards": 3}, 15)],
)
def test_the_cards_of_suits(changes: Mapping[str, Any], size: int) -> None:
    course = course_of([*FIVE, FAR], {}, book=RISORGIMENTO, changes=changes)
    assert len(Cards(course)._all_cards()) == size


def test_low_cards_of_suits_that_nobody_holds_are_blank() -> None:
    course = course_of([*FIVE, FAR], {}, book=RISORGIMENTO, changes={"RI-2.2": "red_black"})
    held = [suit(0, rank) for rank in range(5)] + [suit(1, rank) for rank in range(5)]
    courts = [BLANK, BLANK, BLANK, suit(2, 3), suit(2, 4), BLANK, BLANK, BLANK, suit(3, 3), suit(3, 4)]
    assert Cards(course)._all_cards() == [*held, *courts, JOKER, JOKER]


def test_the_deck_is_shuffled_as_the_rules_of_dice_say() -> None:
    course = course_of(TWO_SQUADS, {SHUFFLE: 1})
    deck = Cards(course)
    deck._begin()
    # Every card changes places with the first, from the last card on.
    assert course.state.card[:7].tolist() == [1, ACE, ACE, ACE, ACE, JOKER, 0]


def test_a_deck_that_goes_on(asked: list[tuple[int, int, int]]) -> None:
    course = course_of(TWO_SQUADS, {SHUFFLE: 1}, changes={"NA-2.1": "continued"})
    deck = Cards(course)
    list(deck.turn())
    last = int(course.state.card[6])
    list(deck.turn())
    assert int(course.state.card[0]) == last == 0
    assert asked


def test_rally_instead_of_acting(monkeypatch: pytest.MonkeyPatch) -> None:
    figures = [figure(5, 5), figure(9, 5, also={STATUS: ROUTED}), FAR]
    course = course_of(figures, {RALLY_DIE: 6})

    def choose(*given: Any) -> None:
        given[5].action[:] = Action(RALLY, 1)[:10]

    monkeypatch.setattr(orders, "choose", choose)
    with pytest.raises(IllegalAction, match=r"^NA-2\.9"):
        list(stacked(course, 0, 99).turn())
    course.state.deck[LAST_SQUAD], course.state.deck[LAST_CARD] = 0, 0
    list(Cards(course)._squad_card(ACE))
    assert of(course, STATUS, 1) == IN_PLAY


def test_a_card_for_one_action_each(monkeypatch: pytest.MonkeyPatch) -> None:
    course = course_of(TWO_SQUADS, {})

    def choose(*given: Any) -> None:
        given[5].action[:] = Action(ACT, 0)[:10]

    monkeypatch.setattr(orders, "choose", choose)
    monkeypatch.setattr(referee_cards, "act", lambda course, figure: attempt(course, figure))
    with pytest.raises(IllegalAction, match=r"^NA-2\.8: A0 has acted on this card"):
        list(stacked(course, 0, 99).turn())


# All declare, then all is done (NA-2.8)


class Player:
    """A player who chooses figures in this order, each to do this; what he sees of the table is kept."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *wishes: Action) -> None:
        self.wishes, self.pinned_wish = list(wishes), Action(PASS)
        self.seen: list[tuple[int, int, tuple[float, float]]] = []
        self._next = 0
        monkeypatch.setattr(orders, "choose", self._choose)
        monkeypatch.setattr(orders, "act", self._act)

    def _choose(self, *given: Any) -> None:
        done = self._next == len(self.wishes)
        given[5].action[:] = (Action(END) if done else Action(ACT, self.wishes[self._next].figure))[:10]
        self._next += 1

    def _act(self, state: Any, _ground: Any, _play: Any, _d: Any, _g: Any, plan: Any, figure: int, pinned: int) -> None:
        self.seen.append((figure, pinned, (float(state.place[X, 0]), float(state.place[Y, 0]))))
        wish = next(wish for wish in self.wishes if wish.figure == figure)
        wish = self.pinned_wish._replace(figure=figure) if pinned else wish
        plan.action[:], plan.to[:] = wish[:10], wish.to


DECLARED = {"NA-2.8": "declared"}


def test_all_declare_on_the_same_table(monkeypatch: pytest.MonkeyPatch) -> None:
    player = Player(monkeypatch, Action(MOVE, 1, to=(9, 10)), Action(MOVE, 0, to=(5, 10)))
    course = course_of(TWO_SQUADS, {}, changes=DECLARED)
    list(Cards(course)._squad_card(0))
    assert player.seen == [(1, 0, (5, 5)), (0, 0, (5, 5))]
    # Carried out by index, whoever declared first.
    assert [row[0] for row in events(course, ACTION)] == [0, 1]
    assert (of(course, ACTS, 0), of(course, ACTS, 1), of(course, ON_CARD, 0)) == (1, 1, 1)


def test_what_has_become_impossible_is_a_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    Player(monkeypatch, Action(MOVE, 0, to=(7, 10)), Action(MOVE, 1, to=(7, 11), run=1))
    course = course_of(TWO_SQUADS, {FALL: 6}, changes=DECLARED)
    list(Cards(course)._squad_card(0))
    assert events(course, ACTION)[1] == (1, PASS, -1, 0, 0, 0, 9000, 5000, 0, 0)
    assert of(course, MOVED_LAST, 1) == 0


def test_who_is_out_by_then_does_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    # The first fumbles and kills the second, who stands in its arc.
    Player(monkeypatch, Action(SHOOT, 0, target=2), Action(MOVE, 1, to=(9, 20)))
    figures = [figure(5, 30), figure(5, 20), figure(5, 5, 1)]
    course = course_of(figures, {MISFIRE: 6, HIT: 1, VICTIM: 1, RESULT: 1}, changes=DECLARED)
    list(Cards(course)._squad_card(0))
    assert (of(course, STATUS, 1), of(course, TRIES, 1)) == (DEAD, 0)
    assert [row[0] for row in events(course, ACTION)] == [0]


def test_a_target_that_is_gone_lapses(monkeypatch: pytest.MonkeyPatch) -> None:
    figures = [figure(5, 5), figure(9, 5, also={LOADING: 1, ROUNDS: 0}), figure(3, 5), figure(7, 20, 1)]
    Player(monkeypatch, Action(SHOOT, 0, target=3), Action(RELOAD, 1, target=3), Action(SHOOT, 2, target=3))
    course = course_of(figures, {MISFIRE: 6, HIT: 9, RESULT: 1}, changes=DECLARED)
    list(Cards(course)._squad_card(0))
    assert [row[:3] for row in events(course, ACTION)] == [(0, SHOOT, 3), (1, RELOAD, -1), (2, PASS, -1)]
    assert of(course, LOADING, 1) == 0


def test_who_is_pinned_says_anew_what_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    player = Player(monkeypatch, Action(MOVE, 0, to=(5, 10)))
    course = course_of([figure(5, 5, also={BLUE: 1}), figure(9, 5), FAR], {MORALE: 2}, changes=DECLARED)
    list(Cards(course)._squad_card(0))
    assert [seen[:2] for seen in player.seen] == [(0, 0), (0, 1)]
    assert events(course, ACTION)[0][1] == PASS


def test_nobody_declares_twice_on_a_card(monkeypatch: pytest.MonkeyPatch) -> None:
    Player(monkeypatch, Action(MOVE, 0, to=(5, 10)), Action(MOVE, 0, to=(5, 10)))
    course = course_of(TWO_SQUADS, {}, changes=DECLARED)
    with pytest.raises(IllegalAction, match=r"^NA-2\.8: A0 has acted on this card"):
        list(Cards(course)._squad_card(0))


def test_declarations_end_with_the_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    player = Player(monkeypatch, Action(MOVE, 0, to=(5, 10)), Action(MOVE, 1, to=(9, 10)))
    course = course_of(TWO_SQUADS, {}, changes=DECLARED)
    course.state.deck[LAST_SQUAD] = 0
    list(Cards(course)._squad_card(ACE))
    assert [seen[0] for seen in player.seen] == [0]
    assert [row[0] for row in events(course, ACTION)] == [0]
