"""The player's choice between kinds of actions."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

pytest.importorskip("riichienv", reason="it lists the actions")
from houjuu.estimators.loading import load, load_once
from houjuu.game.actions import Action, ActionKind
from houjuu.game.events import Game
from houjuu.game.table import Table
from houjuu.game.tiles import parse_tiles
from houjuu.player.players import player
from tests.kit.positions import view_of


@pytest.mark.parametrize(
    ("hand", "aborts"),
    [
        ("19m19p19s1234z2468p", True),  # ten kinds without a pair
        ("19m19p19s123z22345p", True),  # nine kinds and a pair of others
        ("119m19p19s1234z345p", False),  # ten kinds and a pair: two from kokushi
        ("19m19p19s12345z345p", False),  # eleven kinds
        ("19m199p119s111223z", False),  # nine kinds, and two from seven pairs
    ],
)
def test_nine_terminals(hand: str, aborts: bool) -> None:
    """A round is aborted unless the hand is near kokushi or another winning form."""
    tiles = parse_tiles(hand)
    view = view_of(hand=tiles, drawn=tiles[-1], tiles_left=69)
    discards = [Action(ActionKind.DISCARD, tile) for tile in tiles]
    chosen = player("value").act(view, [*discards, Action(ActionKind.NINE_TERMINALS)])
    assert (chosen.kind == ActionKind.NINE_TERMINALS) == aborts
    assert player("value").act(view, discards).kind == ActionKind.DISCARD


def test_an_estimator_that_is_loaded_once_answers_as_the_model(own_games: list[Game]) -> None:
    """Also after another view, and it computes a view once."""
    shared, model, table = load_once(), load(), Table()
    assert (shared.model, shared.header) == (model.model, model.header)
    events = list(own_games[0])[:60]
    for event in events:
        table.apply(event)
    views = [table.view(seat) for seat in (0, 1, 0)]
    for view in views:
        risk = shared.deal_in(view)
        assert shared.deal_in(dataclasses.replace(view)) is risk
        np.testing.assert_array_equal(risk.by_opponent, model.deal_in(view).by_opponent)
        np.testing.assert_array_equal(risk.points, model.deal_in(view).points)
