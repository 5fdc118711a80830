"""Rows for the preferences: the decisions of the games, and those that are none."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("riichienv", reason="its actions are the choices")

from features import action_rows
from houjuu.estimators.loading import load_once
from houjuu.game.actions import CALLS, OWN_KANS, Action, ActionKind
from houjuu.game.events import Game
from houjuu.player.players import value_player
from tests.kit.free_decisions import free_decisions


def test_rows_are_the_decisions_of_the_games(own_games: list[Game]) -> None:
    player = value_player(load_once())
    player.preferences = None
    rows = action_rows.rows(own_games[:1], player, stride=25, rare_stride=5)
    by_decision = rows.groupby("decision")
    assert (by_decision["chosen"].sum() == 1).all()
    assert (by_decision["value"].max() == 0).all()
    assert by_decision.ngroups > 10
    assert "riichi" not in {*rows["type"]}  # a decision about it is a discard, used more often
    rare = {kind.value for kind in (*CALLS, *OWN_KANS)}
    is_rare = by_decision["type"].agg(lambda kinds: bool(rare & set(kinds)))
    assert (is_rare.index % 5 == 0).all()
    assert 0 < is_rare.sum() < len(is_rare)
    assert (is_rare.index[~is_rare] % 25 == 0).mean() > 0.5


def test_a_choice_is_one_of_several_actions(own_games: list[Game]) -> None:
    """A choice that is not legal and a single action make no rows."""
    player, decision = value_player(load_once()), next(free_decisions(own_games[0], 0))
    first = decision.legal[0]
    assert len(action_rows._actions(replace(decision, chosen=first), player)[0]) > 1
    for chosen, legal in (
        (Action(ActionKind.PASS), decision.legal),
        (first, (first,)),
    ):
        actions, numbers = action_rows._actions(
            replace(decision, chosen=chosen, legal=legal), player
        )
        assert (actions, len(numbers)) == ([], 0)
