"""The values of the choices of a review: whole, and those of the player itself."""

from __future__ import annotations

import pytest

pytest.importorskip("riichienv", reason="the player needs it")

from houjuu.estimators.loading import load_once
from houjuu.game.events import Game
from houjuu.player.game_decisions import game_decisions
from houjuu.player.players import player
from houjuu.player.value_player import ValuePlayer
from houjuu.review.action_choices import ValuedChoices
from houjuu.review.choices import KINDS
from houjuu.review.page_types import ReviewedChoice
from houjuu.review.review_data import review


@pytest.fixture(scope="module")
def choices(own_games: list[Game]) -> list[ReviewedChoice]:
    """All choices of a seat that plays well enough to call and to declare riichi."""
    value_player = player("rank")
    assert isinstance(value_player, ValuePlayer)
    recorded = []
    for seat in (0, 1):
        valued = ValuedChoices(own_games[0], seat, value_player)
        data = review(own_games[0], seat, load_once(), valued.advice, valued.values)
        recorded += data["choices"]
    return recorded


def test_all_kinds_of_choices_are_valued(choices: list[ReviewedChoice]) -> None:
    kinds = {choice["kind"] for choice in choices}
    assert kinds <= set(KINDS)
    assert {"discard", "riichi", "call"} <= kinds
    assert len(choices) > 50


def test_the_chosen_action_is_one_of_them_and_parts_add_up(choices: list[ReviewedChoice]) -> None:
    for choice in choices:
        names = [action["action"] for action in choice["actions"]]
        assert choice["chosen"] in names
        assert len(set(names)) == len(names)
        for action in choice["actions"]:
            assert action["value"] == sum(part["value"] for part in action["parts"])
            assert action["preference"] <= 0


def test_advice_is_the_best_discard(own_games: list[Game]) -> None:
    value_player = player("rank")
    assert isinstance(value_player, ValuePlayer)
    valued = ValuedChoices(own_games[0], 0, value_player)
    data = review(own_games[0], 0, load_once(), valued.advice, valued.values)
    compared = 0
    for choice in data["choices"]:
        decision = data["rounds"][choice["round"]]["decisions"][choice["step"]]
        if choice["kind"] == "discard" and decision["advice"] is not None:
            values = {
                action["action"]: action["value"] + action["preference"]
                for action in choice["actions"]
            }
            discards = {name for name in values if name.startswith("discard")}
            assert values[f"discard {decision['advice']}"] == max(values[name] for name in discards)
            compared += 1
    assert compared > 20


def test_a_discard_in_riichi_declares_nothing(own_games: list[Game]) -> None:
    """At a turn in riichi that offers a tsumo; the player may pass it."""
    value_player = player("rank")
    assert isinstance(value_player, ValuePlayer)
    verbs = []
    for game in own_games:
        for seat in range(4):
            valued = ValuedChoices(game, seat, value_player)
            for decision in game_decisions(game, seat):
                own = decision.view.seats[seat]
                if own.in_riichi and len(decision.view.hand) % 3 == 2:
                    choice = valued.values(decision.view)
                    assert choice is not None
                    verbs.append([action["action"].split()[0] for action in choice["actions"]])
    assert ["discard", "win"] in [sorted(names) for names in verbs]
    assert not any("riichi" in names for names in verbs)
