"""Proposals as the referee reads them off a plan."""

from __future__ import annotations

from tests.coloniale_positions import proposal, shots
from wargamesim.games.coloniale.layout import CANNON, PLAN, ROAD, SPLIT
from wargamesim.games.coloniale.referee_plan import Action, Fire
from wargamesim.records import new_record


def test_fire_is_read_without_what_stood_there_before() -> None:
    plan = new_record(PLAN)
    shots({3: 2, 4: 1}, marked=1)(plan)
    assert Fire.of(plan) == Fire(0, (3, 4), (2, 1), 1)
    shots({5: 1}, CANNON)(plan)
    assert Fire.of(plan) == Fire(CANNON, (5,), (1,), 0)
    shots({})(plan)
    assert Fire.of(plan).targets == ()


def test_actions_are_read_field_by_field() -> None:
    plan = new_record(PLAN)
    proposal(SPLIT, 1, 2, 3, 4, to=(5.0, 6.0))(plan)
    assert Action.of(plan) == Action(SPLIT, 1, 2, 3, 4, (5.0, 6.0), -1.0, ())
    proposal(ROAD, node=7, limit=12.5, followers=(8, 9))(plan)
    assert Action.of(plan) == Action(ROAD, node=7, limit=12.5, followers=(8, 9))
