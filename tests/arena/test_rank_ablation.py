"""Every part that `benchmarks.rank_ablation` takes from "rank" changes what it should."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("riichienv", reason="its actions are what players pick from")
pytest.importorskip("sklearn", reason="the benchmarks import the models")

from benchmarks.rank_ablation import without
from houjuu.estimators.loading import load_once
from houjuu.game.actions import Action, ActionKind
from houjuu.game.position import position
from houjuu.player.players import player
from houjuu.player.value_player import ValuePlayer
from houjuu.player.values.action_values import ActionValue, ValuePart

VIEW = position(
    "123456m33789p46s + 1z", {"self": "9s", "right": "9p", "across": "1p", "left": "9m"}, dora="3z"
)
ACTIONS = [Action(ActionKind.DISCARD, tile) for tile in VIEW.hand]


def dama(rank: ValuePlayer) -> ActionValue:
    """The value of the discard of 1z, which leaves a wait that 3s and 7s make two-sided."""
    by_tile = {choice.discard: choice.value for choice in rank.choices(VIEW, ACTIONS)}
    return by_tile[VIEW.drawn]


def whole_player() -> ValuePlayer:
    rank = player("rank")
    assert isinstance(rank, ValuePlayer)
    return rank


@pytest.fixture(scope="module")
def whole() -> ActionValue:
    return dama(whole_player())


def test_without_improvement_the_hand_has_the_waits_of_now(whole: ActionValue) -> None:
    value = dama(without("improvement", load_once()))
    assert value.later_ways == value.ways == whole.ways
    assert value.win < whole.win
    again = dama(whole_player())
    assert again.later_ways == whole.later_ways > whole.ways


def test_without_the_wall_every_unseen_tile_counts_1(whole: ActionValue) -> None:
    assert dama(without("wall", load_once())).ways == 4
    assert not np.isclose(whole.ways, 4)


def test_without_the_preference_the_values_decide(whole: ActionValue) -> None:
    value = dama(without("preference", load_once()))
    assert value.parts[ValuePart.PREFERENCE] == 0
    assert value.value == pytest.approx(whole.value - whole.parts[ValuePart.PREFERENCE])


def test_without_the_network_the_terms_are_left() -> None:
    choices = without("network", load_once()).choices(VIEW, ACTIONS)
    preferences = [
        [one.value.parts[ValuePart.PREFERENCE] for one in many]
        for many in (choices, whole_player().choices(VIEW, ACTIONS))
    ]
    assert preferences[0] != preferences[1]
    assert min(preferences[0]) < 0
