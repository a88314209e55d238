"""Players do what their doctrine says, in positions made for it; and in whole battles nobody plays foolishly."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from tests.azincourt_battles import turn_of
from tests.azincourt_boards import board, default_rulebook, rules_with
from wargamesim.dice.keys import battle_key
from wargamesim.games.azincourt import orders, referee
from wargamesim.games.azincourt.game import GAME
from wargamesim.games.azincourt.judge import Action, Field, legal_targets
from wargamesim.games.azincourt.layout import MUD_FACTOR, State
from wargamesim.games.azincourt.orders import DISMOUNT, MOVE, SHOOT
from wargamesim.games.azincourt.referee import judge_battle
from wargamesim.games.azincourt.rules import ARCHER, CROSSBOW, NO_DECISION
from wargamesim.games.azincourt.scenario import Setup, compile_setup, load_scenario

# Single turns


@pytest.mark.parametrize(("reading", "shoots"), [("act_then_fight", True), ("shoot_move_fight", False)])
def test_those_whose_view_a_friend_opens_shoot_too(reading: str, shoots: bool) -> None:
    # Foot knight 0 covers archer 1; when it has gone to strike the archer has a target, unless it is too late (AZ-2.7).
    state = board("i.. ... #F# #A# ###")
    rules = rules_with({"AZ-2.7": reading, "pieces.archer.speed": 0})
    acted = turn_of(state, {"foot": "advance", "min_odds": 0.0}, rules)
    assert [(action.what, action.piece) for action in acted] == [(MOVE, 0)] + [(SHOOT, 1)] * shoots


@pytest.mark.parametrize(("reading", "stake"), [("after_move", (8, 0)), ("whole_action", (-1, -1))])
def test_a_stake_at_the_end_of_a_walk(reading: str, stake: tuple[int, int]) -> None:
    state = board("k . . . . . . . . . . A")
    values = {"plant_distance": 10, "shooters_advance": True}
    (walked,) = turn_of(state, values, rules_with({"AZ-3.9": reading}))
    assert (walked.what, walked.square, walked.stake) == (MOVE, (9, 0), stake)


@pytest.mark.parametrize(
    ("mud", "slowest", "speed", "dismounts"), [(5, 1, 1, True), (4, 1, 1, False), (5, 0, 0, False), (5, 1, 0, False)]
)
def test_a_slow_knight_dismounts(mud: int, slowest: int, speed: int, dismounts: bool) -> None:
    state = board(" ".join(["i", *"." * 9, "K"]), " ".join("~" * 11))
    state.tally[MUD_FACTOR] = mud
    acted = turn_of(state, {"horse": "advance", "dismount_speed": speed}, rules_with({"mud.slowest": slowest}))
    assert [action.what for action in acted] == [DISMOUNT if dismounts else MOVE]


def test_a_knight_that_mud_holds_stays_mounted_unless_told() -> None:
    state = board(" ".join(["i", *"." * 9, "K"]), " ".join("~" * 11))
    state.tally[MUD_FACTOR] = 6
    stuck = rules_with({"AZ-2.2": "min0"})
    assert turn_of(state, {"horse": "advance", "dismount_speed": 0}, stuck) == []
    assert turn_of(state, {"horse": "advance", "dismount_speed": 1}, stuck)[0].what == DISMOUNT


def test_a_knight_without_a_version_on_foot_never_dismounts() -> None:
    state = board("i . . . . . . . N")
    assert turn_of(state, {"horse": "advance", "dismount_speed": 30})[0].what == MOVE


# Whole battles


class Onlooker:
    """Watches a battle over the players' shoulders, and notes what nobody should see in a replay."""

    def __init__(self, setup: Setup, patch: pytest.MonkeyPatch) -> None:
        self.setup, self.seen = setup, Counter[str]()
        self.real = orders.begin, orders.propose, orders.divide
        self.mistakes: list[str] = []
        for name in ("begin", "propose", "divide"):
            patch.setattr(orders, name, getattr(self, name))

    def begin(self, state: State, rules: Any, doctrine: Any, plan: Any, side: int, turn: int) -> None:
        self.side, self.turn, self.acted = side, turn, set[int]()
        self.real[0](state, rules, doctrine, plan, side, turn)

    def propose(self, state: State, rules: Any, doctrine: Any, plan: Any) -> bool:
        proposed = self.real[1](state, rules, doctrine, plan)
        if proposed:
            action, field = Action(*plan.action.tolist()), Field(state)
            self.acted.add(action.piece)
            self.seen[f"action {action.what}"] += 1
            if action.what == MOVE and field.kind[action.piece] in (ARCHER, CROSSBOW):
                self.watch_walk(state, field, action)
        return proposed

    def watch_walk(self, state: State, field: Field, action: Action) -> None:
        neighbours = (field.piece_at(square) for square in field.neighbours(action.square))
        enemies = [other for other in neighbours if other >= 0 and field.side[other] != self.side]
        if enemies and not self.setup.doctrines[self.side].shooters_fight:
            self.note(f"{field.where(action.piece)} walks into contact at {action.square}")
        if legal_targets(state, self.setup.rules, action.piece):
            self.note(f"{field.where(action.piece)} walks to {action.square} though it has a target")

    def divide(self, state: State, rules: Any, plan: Any) -> int:
        field = Field(state)
        for piece, kind in enumerate(field.kind):
            own = field.alive[piece] and field.side[piece] == self.side
            if own and kind in (ARCHER, CROSSBOW) and piece not in self.acted:
                self.seen["idle shooters"] += 1
                if legal_targets(state, self.setup.rules, piece):
                    self.note(f"{field.where(piece)} idles though it has a target")
        fights: int = self.real[2](state, rules, plan)
        return fights

    def note(self, mistake: str) -> None:
        self.mistakes.append(f"turn {self.turn}: {mistake}")


def variant(number: int) -> Setup:
    """The shipped battle with another pair of doctrines and of deployments for each number."""
    scenario = load_scenario("azincourt_1415")

    def level(key: str, at: int) -> str:
        names = scenario.levels(key)
        assert names
        return names[at % len(names)]

    changes = {
        "english.doctrine": level("english.doctrine", number),
        "french.doctrine": level("french.doctrine", number // 3),
        "english.deployment": level("english.deployment", number),
        "french.deployment": level("french.deployment", number // 5),
    }
    return compile_setup(default_rulebook(), scenario.variant(changes))


def watch(numbers: range, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Watch battles of all doctrines, none of which may hold a mistake; return what was seen."""
    monkeypatch.setattr(referee, "draw", lambda _state: "")
    seen = Counter[str]()
    for number in numbers:
        setup = variant(number)
        with monkeypatch.context() as patch:
            onlooker = Onlooker(setup, patch)
            judge_battle(setup, battle_key(1415), number)
        assert onlooker.mistakes == [], f"variant {number}, battle {number} of seed 1415"
        seen += onlooker.seen
    return seen


@pytest.mark.parametrize("start", range(0, 45, 9))
def test_nobody_plays_foolishly(start: int, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = watch(range(start, start + 9), monkeypatch)
    assert seen[f"action {SHOOT}"] > 300
    assert seen["idle shooters"] > 100
    assert seen[f"action {MOVE}"] > 1000


@pytest.mark.proof
@pytest.mark.parametrize("start", range(45, 405, 30))
def test_nobody_plays_foolishly_in_hundreds_of_battles(start: int, monkeypatch: pytest.MonkeyPatch) -> None:
    watch(range(start, start + 30), monkeypatch)


@pytest.fixture(scope="module")
def many() -> list[dict[str, Any]]:
    """Return 60 battles each of all pairs of doctrines with five pairs of deployments."""
    return [GAME.play(variant(number), battle_key(1415), 0, 60) for number in range(75)]


def test_cannon_spare_their_own_side(many: list[dict[str, Any]]) -> None:
    for side in ("english", "french"):
        lost = [played[f"{side}_own_shot"].mean() for played in many]
        assert np.mean(lost) < 0.25
        assert max(lost) < 2


def test_players_come_to_a_decision(many: list[dict[str, Any]]) -> None:
    outcomes = np.array([played["outcome"] for played in many])
    assert (outcomes == NO_DECISION).mean() < 0.02
    # None of the doctrines makes a battle of nothing.
    assert all((played["english_losses"] + played["french_losses"]).mean() > 10 for played in many)
